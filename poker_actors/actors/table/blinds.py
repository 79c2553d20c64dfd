"""Missed blinds: who owes which, who waits for the big blind instead of posting, and what a hand's posts are.

Robert's Rules of Poker, "Button and blind use": a player who has missed blinds posts them all or waits for the
big blind; a new player posts the amount of the big blind or waits for it, and nobody comes in between the big
blind and the button. The big blind is live. The small one is dead: it belongs to the pot and to no bet.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from poker_actors.actors.table.config import TableConfig
from poker_actors.actors.table.seats import OwedBlinds, Seating
from poker_actors.rules import Positions, Stakes, event
from poker_actors.rules.cash import posts_with_owed

__all__ = ["entrants", "has_blinds", "moved", "newcomer", "owed_after", "owing_posts"]


def has_blinds(config: TableConfig, stakes: Stakes, *, bomb: bool) -> bool:
    """Whether missed blinds are owed at the table, and a hand has some that can be missed."""
    return config.missed_blinds and stakes.big_blind > 0 and not bomb


def entrants(seating: Seating) -> tuple[int, ...]:
    """Return the ready seats, but for those that wait for the big blind while it is another's.

    Where fewer than two would be left, nobody waits: there would be no hand to bring the blind round.
    """
    ready, before = seating.ready, seating.positions
    waiting = {one.player for one in seating.owed if one.waits}
    assert before is not None, "nobody has missed a blind before the first hand"
    if len(ready) < 2:
        return ready
    size = len(seating.seats)
    big = min(ready, key=lambda seat: (seat - before.big_blind - 1) % size)
    found = tuple([seat for seat in ready if seat == big or seating.seat_at(seat).player not in waiting])
    return found if len(found) > 1 else ready


def owing_posts(seating: Seating, positions: Positions, stakes: Stakes) -> tuple[event.Posted, ...] | None:
    """Return every forced bet of a hand in which somebody posts missed blinds, else None.

    Who posts a blind in this hand has waited for it, and posts no other.
    """
    owed = {
        number: (one.small, one.big)
        for one in seating.owed
        if (number := seating.number_of(one.player)) in positions.dealt
        and number not in (positions.small_blind, positions.big_blind)
    }
    stacks = [0 if seat is None else seat.stack for seat in seating.seats]
    return posts_with_owed(positions, stacks, stakes, owed) if owed else None


def owed_after(seating: Seating, positions: Positions) -> tuple[OwedBlinds, ...]:
    """Return what is owed once a hand with these positions is dealt: who is in it owes nothing any more."""
    return tuple(_owed_after(seating, positions))


def _owed_after(seating: Seating, positions: Positions) -> Iterator[OwedBlinds]:
    before, size = seating.positions, len(seating.seats)
    for number, seat in enumerate(seating.seats):
        if seat is None or number in positions.dealt:
            continue
        one = seating.owed_by(seat.player)
        if before is not None and not one.new:
            small = one.small or _passes(number, before.small_seat, positions.small_seat, size)
            big = one.big or _passes(number, before.big_blind, positions.big_blind, size)
            one = attrs.evolve(one, small=small, big=big)
        if one.small or one.big:
            yield one


def _passes(seat: int, start: int, end: int, size: int) -> bool:
    """Whether a blind that moves from `start` to `end` passes a seat, or stops there."""
    return 0 < (seat - start) % size <= (end - start) % size


def newcomer(config: TableConfig, seating: Seating, player: str) -> Seating:
    """Return the state in which a new player owes the big blind, unless no hand has been dealt yet."""
    if not config.missed_blinds or seating.positions is None:
        return seating
    return seating.owing(OwedBlinds(player, big=True, new=True))


def moved(config: TableConfig, seating: Seating, player: str, old: int, seat: int) -> Seating:
    """Return the state in which a player who changes seats owes the big blind if it is to come later there."""
    before, size = seating.positions, len(seating.seats)
    if not config.missed_blinds or before is None:
        return seating
    due = [(number - before.big_blind - 1) % size for number in (old, seat)]
    return seating.owing(attrs.evolve(seating.owed_by(player), big=True)) if due[1] > due[0] else seating
