"""The dealer without a socket: it takes bytes and the time, and returns bytes and events.

Its decks are shuffled like those of the competition's dealer: the same seed deals the same cards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import count
from random import Random
from typing import Final

from poker_actors.bots import SeedTree
from poker_actors.cards import Card, Deck
from poker_actors.errors import BadHistory, BadSpec, RemoteProtocolError
from poker_actors.history.acpc import action_text, put_in_before
from poker_actors.rules import Action, Check, Fold, Hand
from poker_actors.wire.acpc.match import DealerEvent, Event, GameDefinition, MatchPlan, Outcome, SeatRecord
from poker_actors.wire.acpc.protocol import (
    END,
    Lines,
    amounts_text,
    hand_values,
    match_states,
    read_answer,
    state_text,
)

_VERSION: Final = re.compile(r"VERSION:0{0,8}2\.[0-9]{1,9}\.[0-9]{1,9}")
"""The versions that the competition's dealer takes."""
MOST_SEED: Final = 2**32 - 1
"""The competition's dealer seeds its generator with 32 bits."""

_WORDS: Final = 624
"""Words in the state of a Mersenne Twister (MT19937)."""
_PACK: Final = tuple(Card(rank + suit) for suit in "cdhs" for rank in "23456789TJQKA")
"""The unshuffled pack, in the order of the competition's dealer."""


def decks_of(seed: int, definition: GameDefinition) -> Iterator[Deck]:
    """Yield the decks of a match: the competition's for a seed of its 32 bits, those of a `SeedTree` for a larger one.

    A drawn seed is larger: players cannot work out the cards. Raises `BadSpec` for a seed below 0.
    """
    if type(seed) is int and seed > MOST_SEED:
        tree = SeedTree(seed)
        return (tree.deck(number) for number in count())
    decks = CompetitionDecks(seed)
    return (decks.deck(definition) for _ in count())


class CompetitionDecks:
    """The decks of a match, one after the other.

    Cards are drawn with the 32-bit numbers of a Mersenne Twister, seeded as its authors published in
    2002, which differs from Python's own seeding. About 70 hands are enough to work out all that follow, and
    trying all seeds takes minutes: use these decks only for practice. Raises `BadSpec` for a seed that is not
    a 32-bit number.
    """

    def __init__(self, seed: int) -> None:
        if type(seed) is not int or not 0 <= seed <= MOST_SEED:
            raise BadSpec(f"seed {seed!r:.40}: the competition's seeds are 0 to {MOST_SEED}")
        words = [seed]
        for place in range(1, _WORDS):
            words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + place) % 2**32)
        # `_WORDS`: so that the first number is generated from these words; 3 is the version of the state's format
        self._luck = Random()
        self._luck.setstate((3, (*words, _WORDS), None))

    def deck(self, definition: GameDefinition) -> Deck:
        """Return the next deck: two cards for each player in turn, then the board."""
        number = self._luck.getrandbits
        pack = list(_PACK)
        top = []
        for left in range(len(pack), len(pack) - 2 * definition.players - 5, -1):
            place = number(32) % left
            top.append(pack[place])
            pack[place] = pack[left - 1]
            pack.pop()
        size = 2 * definition.players
        return Deck.stacked([top[at : at + 2] for at in range(0, size, 2)], top[size:])


class Dealer:
    """Deals a match: `start`, then `receive` and `expire` as bytes come in and time passes.

    `waiting` is the seat to read from next, `deadline` until when; `outgoing` returns the bytes
    to send. Times are seconds of any monotonic clock. The rules for answers, invalid actions
    included, are those of the competition's own dealer.
    """

    def __init__(self, plan: MatchPlan, listener: Callable[[DealerEvent], None] | None = None) -> None:
        self.plan: Final = plan
        self.listener = listener
        self.number: int = 0
        """of the hand in progress"""
        self.seats: Final = tuple(SeatRecord(name) for name in plan.names)
        self.broken: str = ""
        self._decks = decks_of(plan.seed, plan.definition)
        self._lines = [Lines() for _ in plan.names]
        self._out: list[tuple[int, bytes]] = []
        self._greeted = 0
        self._resuming = False
        self._state = ""
        self._asked = 0.0
        self._ignored = 0
        self._used = [0.0] * len(plan.names)
        self._digest = blake2b(digest_size=8)
        self.hand: Hand = plan.definition.hand(next(self._decks))
        self.over: bool = False

    # -- what the driver asks ------------------------------------------------------------------

    @property
    def waiting(self) -> int | None:
        """The seat to read from; None when the match is over."""
        if self.over:
            return None
        return self._greeted if self._greeting else self._acting

    @property
    def deadline(self) -> float | None:
        """When to call `expire` if no answer has come; None for never."""
        if self.over:
            return None
        limits = self.plan.limits
        if self._greeting:
            return None if limits.start is None else self._asked + limits.start
        seat = self._acting
        left = limits.per_hand * self.plan.hands - self.seats[seat].seconds
        return self._asked + min(limits.response, limits.hand - self._used[seat], left)

    def outgoing(self) -> list[tuple[int, bytes]]:
        """Return and clear the pending (seat, bytes) pairs to send."""
        out, self._out = self._out, []
        return out

    @property
    def outcome(self) -> Outcome:
        """The result of the match so far."""
        return Outcome(self.number, self.seats, self.broken, self._digest.hexdigest())

    # -- what the driver tells -----------------------------------------------------------------

    def start(self, now: float) -> None:
        """Begin to wait for the players' versions."""
        self._asked = now

    def resume(self, turns: Iterable[tuple[str, int, float]]) -> None:
        """Replay the turns of an interrupted match, each (action, number of the hand, seconds).

        Call it before `start`. The listener gets only finished hands, so that the log can be rewritten.
        Raises `BadHistory` for turns that do not fit this match.
        """
        self._resuming = True
        for text, number, seconds in turns:
            answer = None if self.over else read_answer(f":{text}", "", self.hand)
            if answer is None or answer.invalid or answer.moved or number != self.number:
                raise BadHistory(
                    f"{text} of hand {number} is not a turn of this match: hand {self.number} is being played"
                )
            self._count(self._acting, seconds)
            self._act(answer.action)
        self._out.clear()
        self._resuming = False

    def receive(self, seat: int, data: bytes, now: float) -> None:
        """Process bytes from a seat; ``b""`` means that it has closed."""
        self._lines[seat].receive_data(data)
        self._read(now)

    def expire(self, now: float) -> None:
        """Fail the seat to act, if its deadline has passed."""
        deadline = self.deadline
        if deadline is not None and now >= deadline:
            seat = self.waiting
            assert seat is not None, "a match that is over has no deadline"
            self._fail(seat, f"no answer in {now - self._asked:.1f} seconds", now)
            self._read(now)

    def lose(self, seat: int, why: str, now: float) -> None:
        """Give up a seat that can no longer be sent anything."""
        if not (self.over or self.seats[seat].gone):
            self._fail(seat, why, now, gone=True)
            self._read(now)

    # -- inside --------------------------------------------------------------------------------

    @property
    def _acting(self) -> int:
        return self.plan.seat(self.hand.to_act[0], self.number)

    @property
    def _greeting(self) -> bool:
        return self._greeted < len(self.seats)

    def _read(self, now: float) -> None:
        """Process lines of the seat that is waited for, until none is left or the match is over."""
        while (seat := self.waiting) is not None:
            if self.seats[seat].gone:
                self._stand_in(now)
                continue
            lines = self._lines[seat]
            try:
                line = lines.next_line()
            except RemoteProtocolError as error:
                self._fail(seat, str(error), now, gone=True)
                continue
            if line is None:
                if not lines.ended:
                    return
                self._fail(seat, "it has closed the connection", now, gone=True)
                continue
            self._tell(Event.HEARD, seat, line)
            if not self._greeting:
                self._answered(seat, line, now)
            elif _VERSION.match(line) is None:
                self._fail(seat, f"{line[:40]!r} is not a version 2 of the protocol", now, gone=True)
            else:
                self._next_greeting(now)

    def _next_greeting(self, now: float) -> None:
        self._greeted += 1
        if self._greeted == len(self.seats):
            self._announce(now)

    def _answered(self, seat: int, line: str, now: float) -> None:
        record, deadline, most = self.seats[seat], self.deadline, self.plan.limits.invalid
        assert deadline is not None, "an answer has a limit"
        answer = read_answer(line, self._state, self.hand)
        if answer is None:
            record.ignored += 1
            self._ignored += 1
            if self._ignored > self.plan.limits.ignored:
                self._fail(seat, f"{self._ignored} lines that answer nothing", now, gone=True)
            return
        if now > deadline:
            self._fail(seat, f"an answer after {now - self._asked:.1f} seconds", now)
            return
        record.moved += bool(answer.moved)
        record.invalid += bool(answer.invalid)
        if answer.invalid or answer.moved:
            self._fault(seat, answer.invalid or answer.moved)
        if most is not None and record.invalid > most:
            self._fail(seat, f"{record.invalid} answers that were not legal actions", now)
            return
        self._count(seat, now - self._asked)
        self._act(answer.action, now)

    def _count(self, seat: int, seconds: float) -> None:
        self._used[seat] += seconds
        self.seats[seat].seconds += seconds

    def _fail(self, seat: int, why: str, now: float, *, gone: bool = False) -> None:
        """Count a failure of a seat, which may be `gone` for good; end the match, or act for a seat that is waited for."""
        record, waiting = self.seats[seat], seat == self.waiting
        record.failures += 1
        if waiting and not self._greeting:
            self._count(seat, now - self._asked)
        record.gone |= gone or self._greeting or record.failures >= self.plan.limits.strikes
        self._fault(seat, why)
        if not self.plan.limits.strikes or all(one.gone for one in self.seats):
            self.broken = f"seat {seat} ({record.name}): {why}"
            self.over = True
        elif waiting:
            self._stand_in(now)

    def _fault(self, seat: int, why: str) -> None:
        self._tell(Event.FAULT, seat, why)
        self.seats[seat].first = self.seats[seat].first or why

    def _stand_in(self, now: float) -> None:
        """Act for a seat that gives no answer: check if possible, else fold; skip its greeting."""
        if self._greeting:
            self._next_greeting(now)
        else:
            self._act(Fold() if self.hand.legal.to_call else Check(), now)

    def _act(self, action: Action, now: float = 0.0) -> None:
        self._tell(Event.PLAYED, self._acting, action_text(self.hand, action, put_in_before(self.hand)))
        self.hand.act(action)
        if self.hand.over:
            self._finish()
        self._announce(now)
        if not self.hand.over:
            return
        self.number += 1
        if self.number == self.plan.hands:
            self.over = True
            values = amounts_text([seat.value for seat in self.seats])
            self._tell(Event.SCORE, -1, f"SCORE:{values}:{'|'.join(self.plan.names)}")
            return
        self._used = [0.0] * len(self.seats)
        self.hand = self.plan.definition.hand(next(self._decks))
        self._announce(now)

    def _finish(self) -> None:
        """Book a finished hand and report its line of the log."""
        values = hand_values(self.hand)
        order = [self.plan.seat(player, self.number) for player in range(len(values))]
        for seat, value in zip(order, values, strict=True):
            self.seats[seat].value += value
        names = "|".join([self.plan.names[seat] for seat in order])
        line = f"{state_text(self.hand, self.number)}:{amounts_text(values)}:{names}"
        self._digest.update(line.encode() + b"\n")
        self._tell(Event.HAND, -1, line)

    def _announce(self, now: float) -> None:
        """Send every seat its view of the hand, which also asks the acting seat to act."""
        self._asked, self._ignored = now, 0
        lines = [str(state) for state in match_states(self.hand, self.number)]
        if not self.hand.over:
            self._state = lines[self.hand.to_act[0]]
        for seat, record in enumerate(self.seats):
            line = lines[self.plan.player(seat, self.number)]
            if not record.gone:
                self._out.append((seat, f"{line}{END}".encode()))
                self._tell(Event.SENT, seat, line)

    def _tell(self, kind: Event, seat: int, text: str) -> None:
        if self.listener is not None and (not self._resuming or kind is Event.HAND):
            self.listener(DealerEvent(kind, seat, text, self.number))
