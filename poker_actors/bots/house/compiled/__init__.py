"""House functions compiled with numba; imports numba, so it is imported only by functions that need it."""

from poker_actors.bots.house.compiled.judging import STRAIGHT, WHOLE, judged, made_hands

__all__ = ["STRAIGHT", "WHOLE", "judged", "made_hands"]
