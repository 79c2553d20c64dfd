"""Show a history to people: as text, street by street, or as a page with a replayer."""

from poker_actors.history.show.drawing import drawing
from poker_actors.history.show.page import page

__all__ = ["drawing", "page"]
