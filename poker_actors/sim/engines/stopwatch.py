"""How long bots think, measured on a sample of the hands."""

from __future__ import annotations

from time import perf_counter_ns
from typing import Final

from poker_actors.bots import Bot, fallback
from poker_actors.rules import Action, View

__all__ = ["Stopwatch"]

_EVERY: Final = 64
"""One hand in so many is timed: reading the clock twice would cost a fast bot as much as thinking."""


class Stopwatch:
    """Puts timed bots in the place of plain ones for some hands.

    It works by changing the list that the direct driver plays from, between two hands; the other
    drivers take their bots once, and are not timed.
    """

    def __init__(self, bots: list[Bot]) -> None:
        self.decisions: Final = [0] * len(bots)
        self.nanoseconds: Final = [0] * len(bots)
        self._playing = bots
        self._plain = bots.copy()
        self._timed = [self._watched(number, bot) for number, bot in enumerate(bots)]

    def after(self, number: int) -> None:
        """Prepare for the hand after `number`."""
        if (number + 1) % _EVERY == 0:
            self._put(self._timed)
        elif number % _EVERY == 0:
            self._put(self._plain)

    def _put(self, bots: list[Bot]) -> None:
        """Put `bots` in place, except where a bot has been ejected meanwhile."""
        places = zip(self._playing, bots, strict=True)
        self._playing[:] = [there if there is fallback else bot for there, bot in places]

    def _watched(self, number: int, bot: Bot) -> Bot:
        def timed(view: View) -> Action:
            start = perf_counter_ns()
            try:
                return bot(view)
            finally:
                self.nanoseconds[number] += perf_counter_ns() - start
                self.decisions[number] += 1

        return timed
