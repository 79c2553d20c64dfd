"""What numba compiles of the house; imports numba. It is imported by the function that needs it."""

from poker_actors.bots.house.compiled.judging import STRAIGHT, WHOLE, judged, made_hands

__all__ = ["STRAIGHT", "WHOLE", "judged", "made_hands"]
