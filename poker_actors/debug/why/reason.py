"""A reason: a number, and the chain of what made it."""

from __future__ import annotations

import attrs

__all__ = ["Link", "Reason"]


@attrs.frozen
class Link:
    """One event of the chain."""

    step: int | None
    """the step in which it happened, for `goto`; None where it is a rule that speaks"""
    text: str
    change: int = 0
    """chips it added"""
    total: int | None = None
    """the number after it"""
    wrong: bool = False
    """whether the rules, worked out again, say something else"""

    def __str__(self) -> str:
        step = "      " if self.step is None else f"{self.step:5} "
        if self.wrong:
            return f"{step}! {self.text}"
        total = "" if self.total is None else f"{self.change:+d}".rjust(7) + f" = {self.total}"
        return f"{step}  {self.text:<44}{total}".rstrip()


@attrs.frozen
class Reason:
    """What a number is and why. `links` are in the order things happened."""

    what: str
    value: int | str
    links: tuple[Link, ...]

    @property
    def wrong(self) -> tuple[Link, ...]:
        """Links that disagree with the rules; none in a sound hand."""
        return tuple(link for link in self.links if link.wrong)

    def __str__(self) -> str:
        return "\n".join([f"{self.what} is {self.value}", *map(str, self.links)])
