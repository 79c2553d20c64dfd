"""Other orders of delivery, and the promises that must hold in all of them."""

from poker_actors.debug.explore.orders import Exploration, Promise, explore
from poker_actors.debug.explore.promises import broken_promise

__all__ = ["Exploration", "Promise", "broken_promise", "explore"]
