"""Open Hand History: JSON objects, one a hand, with blank lines between them."""
