"""Explore delivery orders, and check the promises that must hold in all of them."""

from poker_actors.debug.explore.orders import Exploration, Promise, explore
from poker_actors.debug.explore.parting import Parting

__all__ = ["Exploration", "Parting", "Promise", "explore"]
