"""Time the bots' decisions on a sample of the hands."""

from __future__ import annotations

from time import perf_counter_ns
from typing import Final

from poker_actors.bots import Bot, fallback
from poker_actors.rules import Action, View

__all__ = ["Stopwatch"]

_EVERY: Final = 64
"""One hand in 64 is timed: reading the clock twice costs as much as a fast bot's decision."""


class Stopwatch:
    """Replaces bots by timed ones for some hands.

    It changes the list that the direct driver plays from, between two hands. The other drivers take
    their bots once, and are not timed.
    """

    def __init__(self, bots: list[Bot]) -> None:
        self.decisions: Final = [0] * len(bots)
        self.nanoseconds: Final = [0] * len(bots)
        self._playing = bots
        self._plain = bots.copy()
        self._timed = [self._watched(number, bot) for number, bot in enumerate(bots)]

    def after(self, number: int) -> None:
        """Put timed or plain bots in place for the hand after `number`."""
        if (number + 1) % _EVERY == 0:
            self._put(self._timed)
        elif number % _EVERY == 0:
            self._put(self._plain)

    def _put(self, bots: list[Bot]) -> None:
        """Put `bots` in place, but keep `fallback` for a bot ejected meanwhile."""
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
