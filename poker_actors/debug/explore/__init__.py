"""Other orders of delivery, and the promises that must hold in all of them."""

from poker_actors.debug.explore.orders import Exploration, Promise, explore

__all__ = ["Exploration", "Promise", "explore"]
