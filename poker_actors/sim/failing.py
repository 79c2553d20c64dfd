"""Mark an error that leaves a simulation with the hand that caused it."""

from __future__ import annotations

from poker_actors.sim.match import Match

__all__ = ["failed_hand", "mark_hand"]


def mark_hand(error: BaseException, match: Match, number: int) -> None:
    """Mark an error as coming from hand `number` of a match; the first mark stays.

    The mark is in the error's `__dict__` and notes, which are pickled: it arrives from a worker, too.
    """
    if failed_hand(error) is None:
        error.__dict__["failed_hand"] = number
        error.add_note(f"in hand {number} of seed {match.seed}")


def failed_hand(error: BaseException) -> int | None:
    """Return the number of the hand that an error is marked with; None without a mark."""
    number = error.__dict__.get("failed_hand")
    return number if isinstance(number, int) else None
