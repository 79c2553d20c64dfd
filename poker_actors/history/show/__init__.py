"""A history to look at: as text, street by street, and as a page with a replayer."""
