"""Reasons: a value, and the chain of events that led to it."""

from __future__ import annotations

import attrs

__all__ = ["Link", "Reason"]


@attrs.frozen
class Link:
    """One event of the chain."""

    step: int | None
    """the step in which it happened; None for a rule"""
    text: str
    change: int = 0
    """chips added by the event"""
    total: int | None = None
    """the running total after the event"""
    wrong: bool = False
    """whether the rules, recomputed, disagree"""

    def __str__(self) -> str:
        step = "      " if self.step is None else f"{self.step:5} "
        if self.wrong:
            return f"{step}! {self.text}"
        total = "" if self.total is None else f"{self.change:+d}".rjust(7) + f" = {self.total}"
        return f"{step}  {self.text:<44}{total}".rstrip()


@attrs.frozen
class Reason:
    """A value and why it is so; `links` are in order of time."""

    what: str
    value: int | str
    links: tuple[Link, ...]

    @property
    def wrong(self) -> tuple[Link, ...]:
        """The links that disagree with the rules; empty in a correct hand."""
        return tuple(link for link in self.links if link.wrong)

    def __str__(self) -> str:
        return "\n".join([f"{self.what} is {self.value}", *map(str, self.links)])
