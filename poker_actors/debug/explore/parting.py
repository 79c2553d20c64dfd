"""Compare a good delivery order with a bad one: where do they diverge?"""

from __future__ import annotations

from typing import Final

import attrs

from poker_actors.debug.session import Playback, Script, Step
from poker_actors.debug.state import delivery_words

__all__ = ["Parting", "parted"]

_AROUND: Final = 4
"""Messages shown, from the first that differs."""


@attrs.frozen
class Parting:
    """The first `step`, from 0, at which two orders differ, and what each delivers from there on."""

    step: int
    good: tuple[str, ...]
    bad: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return lines of text, the two orders side by side."""
        found = [f"the orders part at message {self.step + 1}"]
        for place in range(max(len(self.good), len(self.bad))):
            for mark, told in (("good", self.good), ("bad", self.bad)):
                if place < len(told):
                    found.append(f"  {mark:<4} {self.step + 1 + place:5} {told[place]}")
        return found


def parted(good: Script, bad: Script, steps: int) -> Parting | None:
    """Play both and compare; None if one is the beginning of the other."""
    told = [_told(script, steps + _AROUND) for script in (attrs.evolve(good, order=None), bad)]
    for number, (one, other) in enumerate(zip(*told, strict=False)):
        if one != other:
            return Parting(
                number,
                tuple(told[0][number : number + _AROUND]),
                tuple(told[1][number : min(number + _AROUND, steps)]),
            )
    return None


def _told(script: Script, steps: int) -> list[str]:
    playback = Playback(script)
    made: list[Step] = []
    try:
        while len(made) < steps and (step := playback.advance()) is not None:
            made.append(step)
    finally:
        playback.close()
    return [delivery_words(step.delivery) for step in made]
