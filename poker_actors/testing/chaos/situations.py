"""Rare situations of a poker room, each with the test that recognizes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

import attrs

from poker_actors.actors import HandResult, HandState, Refusal, TableNews
from poker_actors.errors import AskTimeout
from poker_actors.rules import Check, Fold, Hand, RaiseTo
from poker_actors.rules.event import (
    Acted,
    Awarded,
    Event,
    Mucked,
    Post,
    Posted,
    Shown,
    StreetDealt,
    UncalledReturned,
)


@attrs.frozen
class HandFacts:
    """A finished hand, with its events sorted by type for the tests below."""

    hand: Hand
    result: HandResult
    late: frozenset[int]
    acted: tuple[Acted, ...]
    posted: tuple[Posted, ...]
    awarded: tuple[Awarded, ...]
    shown: tuple[Shown, ...]
    mucked: tuple[Mucked, ...]
    returned: tuple[UncalledReturned, ...]
    streets: tuple[StreetDealt, ...]
    closed_raises: int
    """turns on which a seat could call but not raise, as nobody had made a full raise since it acted"""
    reopened: int
    """turns on which short raises added up to a full one"""

    @classmethod
    def of(cls, result: HandResult, late: frozenset[int]) -> HandFacts:
        """Sort the events of a hand that was not voided."""
        hand = result.hand
        assert hand is not None
        events = hand.events()
        closed, reopened = _reopenings(hand)
        return cls(
            hand,
            result,
            late,
            _of(events, Acted),
            _of(events, Posted),
            _of(events, Awarded),
            _of(events, Shown),
            _of(events, Mucked),
            _of(events, UncalledReturned),
            _of(events, StreetDealt),
            closed,
            reopened,
        )

    @property
    def all_in(self) -> set[int]:
        """Seats that went all-in by an action."""
        return {event.seat for event in self.acted if event.all_in}

    @property
    def pots(self) -> dict[int, list[Awarded]]:
        """Awards by pot."""
        pots: dict[int, list[Awarded]] = {}
        for award in self.awarded:
            pots.setdefault(award.pot, []).append(award)
        return pots

    def short_post(self, kind: Post) -> bool:
        """Return whether a forced bet of this kind took a whole stack."""
        return any(post.kind is kind and self.hand.starting[post.seat] <= post.amount for post in self.posted)

    def odd(self, ways: int) -> bool:
        """Return whether a pot was split `ways` ways with odd chips left over."""
        return any(
            len(shares) == ways and len({award.amount for award in shares}) > 1
            for shares in self.pots.values()
        )


E = TypeVar("E")


def _of(events: list[Event], kind: type[E]) -> tuple[E, ...]:
    return tuple(event for event in events if isinstance(event, kind))


def _reopenings(hand: Hand) -> tuple[int, int]:
    """Replay the log; count turns on which the rule on reopening kept a seat from raising, or let it."""
    closed = reopened = 0
    again = hand.replay(log=())
    raises_by_seat: Counter[int] = Counter()
    for action in hand.whole_actions():
        seat = again.to_act[0]
        street = again.street
        before = again.acted[seat]
        if before >= 0 and len(again.can_bet) > 1:
            short = again.raises == raises_by_seat[seat]
            if not again.legal.can_raise and again.stacks[seat] > again.bet - again.bets[seat]:
                closed += 1
            elif short and again.bet > before and again.legal.can_raise:
                reopened += 1
        again.act(action)
        if again.street != street:
            raises_by_seat.clear()
        else:
            raises_by_seat[seat] = again.raises
    return closed, reopened


def _last_street_acted_late(facts: HandFacts) -> bool:
    return bool(facts.late) and len(facts.streets) == 3


HAND_SITUATIONS: Final[dict[str, Callable[[HandFacts], bool]]] = {
    "heads-up": lambda facts: len(facts.result.positions.dealt) == 2,
    "full table": lambda facts: len(facts.result.positions.dealt) >= 6,
    "three pots": lambda facts: len(facts.pots) == 3,
    "four pots or more": lambda facts: len(facts.pots) >= 4,
    "side pot among four": lambda facts: len(facts.pots) > 1 and len(facts.hand.live) >= 5,
    "main and side pot to different seats": lambda facts: (
        len(facts.pots) > 1 and len({award.seat for award in facts.awarded}) > 1
    ),
    "split main pot beside a side pot": lambda facts: len(facts.pots) > 1 and len(facts.pots[0]) > 1,
    "odd chip two ways": lambda facts: facts.odd(2),
    "odd chip three ways": lambda facts: facts.odd(3),
    "everybody splits": lambda facts: (
        len(facts.hand.live) > 2 and len(facts.pots) == 1 and len(facts.awarded) == len(facts.hand.live)
    ),
    "big blind all-in on the blind": lambda facts: facts.short_post(Post.BIG_BLIND),
    "small blind all-in on the blind": lambda facts: facts.short_post(Post.SMALL_BLIND),
    "all-in on the ante": lambda facts: facts.short_post(Post.ANTE),
    "straddle posted": lambda facts: any(post.kind is Post.STRADDLE for post in facts.posted),
    "big blind ante posted": lambda facts: any(post.kind is Post.BIG_BLIND_ANTE for post in facts.posted),
    "walk": lambda facts: (
        not facts.streets
        and all(isinstance(event.action, Fold) for event in facts.acted)
        and bool(facts.acted)
    ),
    "uncalled bet returned": lambda facts: bool(facts.returned),
    "call all-in for less": lambda facts: any(
        event.all_in and not isinstance(event.action, RaiseTo) for event in facts.acted
    ),
    "short all-in closes the betting": lambda facts: facts.closed_raises > 0,
    "short all-ins reopen together": lambda facts: facts.reopened > 0,
    "everybody all-in before the flop": lambda facts: (
        len(facts.hand.live) > 2
        and not facts.hand.can_bet
        and len(facts.streets) == 3
        and facts.hand.marks[1] == len(facts.hand.log)
    ),
    "run out from the turn": lambda facts: (
        len(facts.hand.can_bet) < 2 < len(facts.hand.marks)
        and facts.hand.marks[-1] == len(facts.hand.log) > facts.hand.marks[-2]
    ),
    "checked down": lambda facts: (
        len(facts.streets) == 3
        and len(facts.hand.live) > 1
        and all(isinstance(event.action, Check) for event in facts.acted[facts.hand.marks[1] :])
    ),
    "beaten hand mucked": lambda facts: bool(facts.mucked),
    "last to bet shows first": lambda facts: (
        bool(facts.shown) and facts.hand.aggressor == facts.shown[0].seat != facts.hand.live[0]
    ),
    "dead button": lambda facts: facts.result.positions.button not in facts.result.positions.dealt,
    "dead small blind": lambda facts: facts.result.positions.small_blind is None,
    "out of time before the flop": lambda facts: bool(facts.late) and not facts.streets,
    "out of time at the showdown street": _last_street_acted_late,
    "two out of time in one hand": lambda facts: len(facts.late) > 1,
    "pot raked": lambda facts: facts.hand.public().rake > 0,
    "board run twice": lambda facts: len(facts.hand.public().boards) > 1,
    "bomb pot": lambda facts: facts.hand.options is not None and facts.hand.options.bomb_pot > 0,
}
"""Recognized in a finished hand."""

FAULT_SITUATIONS: Final[tuple[str, ...]] = (
    "table crashed while dealing",
    "table crashed while paying",
    "table crashed while a hand is played",
    "bank crashed while paying",
    "bank crashed while putting stacks aside",
    "bank crashed while moving chips",
    "hand crashed before the flop",
    "hand crashed on the river",
    "player crashed on its turn",
    "crashed while recovering",
    "hand voided",
    "action lost on the way",
    "action doubled",
    "action late",
    "player stalled",
    "stale action refused",
    "command refused during a hand",
    "buy-in beyond the balance refused",
    "player busted and bought in again",
    "player left and another sat down",
    "player sat out and came back",
    "player waited for the big blind",
    "missed blinds owed",
    "cards shown by choice",
    "player left after the hand",
    "newcomer waited for the button",
    "time bank drawn on",
    "who waited for a seat got it",
    "who waited could not pay",
    "table crashed while somebody waited",
    "disk full",
    "process died and came back",
    "process died after a write",
    "hand went on after the process died",
    "crashed in the middle of its work",
    "deadline rang late",
    "damaged journal refused",
)
"""Recognized by the bench's acts and the room's answers."""


def situations_of(facts: HandFacts) -> Iterator[str]:
    """Name the rare situations of one hand."""
    for name, occurred in HAND_SITUATIONS.items():
        if occurred(facts):
            yield name


_OF_FAULTS: Final = {
    "table crashed while dealing": ("crash table Deal",),
    "table crashed while a hand is played": ("crash table in hand",),
    "table crashed while somebody waited": ("crash table with a line",),
    "table crashed while paying": ("crash table HandEndedNews", "crash table ActorDown"),
    "bank crashed while paying": ("crash bank Settle",),
    "bank crashed while putting stacks aside": ("crash bank Escrow",),
    "bank crashed while moving chips": ("crash bank Move",),
    "hand crashed before the flop": ("crash hand on preflop",),
    "hand crashed on the river": ("crash hand on river",),
    "player crashed on its turn": ("crash player HandState",),
    "crashed while recovering": ("crash while beginning",),
    "action lost on the way": ("drop",),
    "action doubled": ("double",),
    "action late": ("delay",),
    "player stalled": ("stall",),
    "disk full": ("disk full",),
    "process died after a write": ("died after a write",),
    "crashed in the middle of its work": ("crash in handler",),
    "deadline rang late": ("late deadline",),
}
"""Situations made by faults -> the counts in `Harm.what_happened` that show them."""


class Sightings:
    """Counts the rare situations of a run, from players' news and the faults injected."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.playing = False
        """whether a hand is under way"""
        self.line = False
        """whether anybody waits for a seat"""
        self._late: dict[str, set[int]] = {}
        """hand -> seats that ran out of time in it"""
        self._seats: dict[tuple[str, str], int] = {}
        """hand and player -> the seat"""
        self._street = "deal"

    def notice(self, who: str, message: object) -> None:
        """Note a player's news."""
        if type(message) is HandState:
            self._seats[message.hand_id, who] = message.seat
            self._street = "deal" if message.public.over else message.phase
        elif type(message) is Refusal and message.code == AskTimeout.default_code:
            seat = self._seats.get((message.hand_id, who))
            if seat is not None:
                self._late.setdefault(message.hand_id, set()).add(seat)
        elif type(message) is Refusal and message.code == "stale_action":
            self.counts["stale action refused"] += 1
        elif type(message) is TableNews and message.what == "time_bank":
            self.counts["time bank drawn on"] += 1
        elif type(message) is TableNews and message.what == "left" and who == f"player {message.player}":
            self.counts["player left after the hand"] += message.seat is not None
        elif (
            type(message) is TableNews and message.what == "passed_over" and who == f"player {message.player}"
        ):
            self.counts["who waited could not pay"] += 1

    def amid(self, kind: str) -> str:
        """Name what a crash of this kind of actor would interrupt now; empty for nothing in particular."""
        if kind == "hand":
            return f"on {self._street}"
        if kind == "table" and self.playing:
            return "in hand"
        return "with a line" if kind == "table" and self.line else ""

    def ended(self, result: HandResult) -> None:
        """Count the situations of a finished hand."""
        self.playing = False
        if result.voided:
            self.counts["hand voided"] += 1
        else:
            late = frozenset(self._late.get(result.hand_id, ()))
            self.counts.update(situations_of(HandFacts.of(result, late)))
        self._late.clear()
        self._seats.clear()

    def of_faults(self, happened: Counter[str]) -> None:
        """Count the situations made by faults."""
        for situation, kinds in _OF_FAULTS.items():
            self.counts[situation] += sum(happened[kind] for kind in kinds)
