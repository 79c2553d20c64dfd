"""Note on an error that leaves a simulation which hand it came from."""

from __future__ import annotations

from poker_actors.sim.match import Match

__all__ = ["failed_hand", "mark_hand"]


def mark_hand(error: BaseException, match: Match, number: int) -> None:
    """Note on an error that it comes from hand `number` of a match; it keeps the first mark.

    What an error has noted travels with it from a worker.
    """
    if failed_hand(error) is None:
        error.__dict__["failed_hand"] = number
        error.add_note(f"in hand {number} of seed {match.seed}")


def failed_hand(error: BaseException) -> int | None:
    """Return the number of the hand that an error comes from; None when it comes from none."""
    number = error.__dict__.get("failed_hand")
    return number if isinstance(number, int) else None
