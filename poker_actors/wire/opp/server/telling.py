"""Translate a Room's hand into OPP messages, change by change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator import libpoker
from poker_actors.frozen import value
from poker_actors.rules import PublicState
from poker_actors.rules.log import (
    BET,
    CALLED,
    CHECKED,
    FOLDED,
    RAISED,
    action_of,
    amount_of,
    kind_of,
    seat_of,
)
from poker_actors.wire.opp.protocol.hand import BOARD_CARDS
from poker_actors.wire.opp.protocol.messages import Message, Op, encode

# as in `hand`: a member of an Enum costs as much to look up as a call
_CALL, _NEXT_TO_ACT = Op.CALL, Op.NEXT_TO_ACT


@value
class Chunk:
    """Messages encoded once for many receivers, with their ids."""

    ops: tuple[Op, ...] = ()
    data: bytes = attrs.field(default=b"", repr=False)
    messages: tuple[Message, ...] = attrs.field(default=(), repr=False)

    def __add__(self, other: Chunk) -> Chunk:
        if not self.ops:
            return other
        return Chunk(self.ops + other.ops, self.data + other.data, self.messages + other.messages)


NOTHING: Final = Chunk()


def chunk(op: Op, *values: Any) -> Chunk:
    """Encode one message; all its fields must be given."""
    made = Message(op, values)
    return Chunk((op,), encode(made), (made,))


def inform(text: str) -> Chunk:
    """Encode a text from the server."""
    return chunk(Op.INFORMATION, text)


_asked: Final = lru_cache(1024)(chunk)
"""For what is the same hand after hand; boards, shares and the starts of hands are not, and would only fill memory."""


@lru_cache(1024)
def _acted(op: Op, who: int, amount: int, words: str) -> Chunk:
    return chunk(op, who, amount) + inform(words)


class Row(NamedTuple):
    """A player in START_NEW_GAME."""

    name: str
    bankroll: int
    face: int


class HandTelling:
    """One hand, from START_NEW_GAME to WINNERS. `rows` are by seat, None for one not dealt in.

    `who` on the wire numbers the players dealt in, in the order of seats. WINNERS lists all chips
    that come back, uncalled bets included, so that a client's sums are always right.
    """

    def __init__(self, public: PublicState, rows: Sequence[Row | None], game_id: int) -> None:
        setup = public.setup
        seats = [seat for seat, row in enumerate(rows) if row is not None]
        self._who = {seat: who for who, seat in enumerate(seats)}
        self._rows = [row for row in rows if row is not None]
        size = len(self._rows)
        # A dead button is on a seat that is not dealt in: the wire names the last player before it.
        button = max((who for who, at in enumerate(seats) if at <= setup.button), default=size - 1)
        self._head = (setup.stakes.big_blind, size, button)
        # The field is a signed 32-bit number, which a longer hand number would not fit.
        self._tail = (game_id & 0x7FFFFFFF, tuple(self._rows))
        self._front = list(setup.front)
        """chips in front of each seat, this street"""
        self._seq = 0
        self._round = 0
        self.opening: Chunk = sum(self._opening(public), NOTHING)
        """NEW_STAGE 0 and the blinds"""
        self._said: list[Chunk] = []

    @property
    def said(self) -> Chunk:
        """All public messages since the opening except NEXT_TO_ACT, for a client that comes back."""
        return sum(self._said, NOTHING)

    def who(self, seat: int) -> int:
        """Return the number of a seat on the wire; -1 for one not dealt in."""
        return self._who.get(seat, -1)

    def start(self, seat: int) -> Chunk:
        """Return START_NEW_GAME for the player in `seat`; -1 for a watcher."""
        return chunk(Op.START_NEW_GAME, *self._head, self.who(seat), *self._tail)

    def hole(self, seat: int, cards: Sequence[Card]) -> Chunk:
        """Return HOLE_CARDS: for the seat itself, or for all at the showdown."""
        return chunk(Op.HOLE_CARDS, self._who[seat], " ".join(map(str, cards)))

    def advance(self, public: PublicState) -> Chunk:
        """Return the messages for what has happened since the last call."""
        said = sum(self._since(public), NOTHING)
        self._said.append(said)
        return said

    def next(self, public: PublicState) -> Chunk:
        """Return NEXT_TO_ACT; nothing when the hand is over."""
        seat = public.active
        if seat is None:
            return NOTHING
        legal = public.legal(seat)
        more = legal.min_raise_to - public.bet if legal.can_raise else -1
        return _asked(_NEXT_TO_ACT, self._who[seat], legal.to_call, more, more)

    # -- the parts ---------------------------------------------------------------------------

    def _opening(self, public: PublicState) -> Iterator[Chunk]:
        setup = public.setup
        yield chunk(Op.NEW_STAGE, 0, "")
        for seat in (setup.small_blind, setup.big_blind):
            if seat is not None:
                yield chunk(Op.BLIND, self._who[seat], setup.front[seat])

    def _since(self, public: PublicState) -> Iterator[Chunk]:
        for place, entry in enumerate(public.entries[self._seq :], self._seq):
            yield from self._stages(public, place)
            yield self._action(entry)
        self._seq = public.seq
        yield from self._stages(public, public.seq)
        if public.over:
            yield from self._end(public)

    def _action(self, entry: int) -> Chunk:
        seat, kind, chips = seat_of(entry), kind_of(entry), amount_of(entry)
        op, paid = _CALL, 0
        if kind == FOLDED:
            op, words = Op.FOLD, "folds"
        elif kind == CHECKED:
            words = "checks"
        elif kind == CALLED:
            paid, words = chips, f"calls {chips}"
        elif kind in (BET, RAISED):
            op, paid = Op.RAISE, chips - self._front[seat]
            words = f"{'bets' if kind == BET else 'raises to'} {chips}"
        else:
            raise BadSpec(f"{action_of(entry)}: the Online Poker Protocol has no draws and no bring-ins")
        self._front[seat] += paid
        who = self._who[seat]
        return _acted(op, who, paid, f"{self._rows[who].name} {words}")

    def _stages(self, public: PublicState, place: int) -> Iterator[Chunk]:
        """Yield NEW_STAGE for each street that was opened up to a place in the log."""
        marks = public.dealt.marks
        while self._round + 1 < len(marks) and marks[self._round + 1] <= place:
            self._round += 1
            self._front = [0] * len(self._front)
            board = public.board[: BOARD_CARDS[self._round]]
            yield chunk(Op.NEW_STAGE, self._round, " ".join(map(str, board)))

    def _end(self, public: PublicState) -> Iterator[Chunk]:
        shown, put_in = dict(public.shown), public.log.put_in
        for seat, cards in public.shown:
            yield self.hole(seat, cards)
        shares = []
        for seat, who in self._who.items():
            share = public.chips_behind[seat] - public.setup.stacks[seat] + put_in[seat]
            if share:
                shares.append((who, share))
                text = f"{self._rows[who].name} wins {share}"
                if seat in shown:
                    text += f" with {libpoker.handval(libpoker.evaluate((*shown[seat], *public.board)))}"
                yield inform(text)
        yield chunk(Op.WINNERS, len(shares), tuple(shares))
