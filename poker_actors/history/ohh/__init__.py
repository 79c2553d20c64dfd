"""Open Hand History: one JSON object per hand, with blank lines between them."""

from poker_actors.history.ohh.read import ohh_objects, parse_ohh
from poker_actors.history.ohh.write import ohh_text

__all__ = ["ohh_objects", "ohh_text", "parse_ohh"]
