"""Translate a Room's hand into OPP messages, change by change, and into those that Games::Poker::OPP of 2003 books right.

docs/protocols.md explains how that client keeps its records, the changed messages, and the three things that
it cannot record correctly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import attrs

from poker_actors.cards import Card
from poker_actors.evaluator import libpoker
from poker_actors.frozen import value
from poker_actors.rules import Bet, Call, Check, Fold, PublicState, RaiseTo, event
from poker_actors.rules.log import action_of, amount_of, seat_of
from poker_actors.wire.opp.protocol.hand import BOARD_CARDS, HoldemState
from poker_actors.wire.opp.protocol.messages import Message, Op, encode

# as in `hand`: a member of an Enum costs as much to look up as a call
_CALL, _RAISE, _NEXT_TO_ACT = Op.CALL, Op.RAISE, Op.NEXT_TO_ACT
_OPS: Final = {Fold: Op.FOLD, Check: _CALL, Call: _CALL, Bet: _RAISE, RaiseTo: _RAISE}


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
        posts = [
            (seat, setup.front[seat]) for seat in (setup.small_blind, setup.big_blind) if seat is not None
        ]
        blinds = [chunk(Op.BLIND, self._who[seat], chips) for seat, chips in posts]
        self.opening: Chunk = sum(blinds, chunk(Op.NEW_STAGE, 0, ""))
        """NEW_STAGE 0 and the blinds"""
        self._said: list[Chunk] = []

    @property
    def said(self) -> Chunk:
        """All public messages since the start of the hand except NEXT_TO_ACT, for a client that reconnects."""
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

    def _since(self, public: PublicState) -> Iterator[Chunk]:
        for place, entry in enumerate(public.entries[self._seq :], self._seq):
            yield from self._stages(public, place)
            yield self._action(entry)
        self._seq = public.seq
        yield from self._stages(public, public.seq)
        if public.over:
            yield from self._end(public)

    def _action(self, entry: int) -> Chunk:
        seat, action, paid = seat_of(entry), action_of(entry), amount_of(entry)
        op = _OPS[type(action)]
        if op is _RAISE:  # its amount is a total
            paid -= self._front[seat]
        self._front[seat] += paid
        who = self._who[seat]
        return _acted(op, who, paid, f"{self._rows[who].name} {event.action_words(action, paid)}")

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


PERL_PROGRAM: Final = "Games::Poker::OPP"
"""Prefix of the program's name. A derived class sends its own name: `TableOptions.perl` lists those."""


class PerlProfile:
    """Translates a table's messages into ones that this client records correctly.

    It keeps a copy of the client's state object, to avoid messages that would crash it.
    """

    def __init__(self, user: str) -> None:
        self._user = user
        self._state: HoldemState | None = None
        self._me = -1

    def put(self, what: Chunk) -> Chunk:
        """Return the messages to send instead of `what`."""
        said = NOTHING
        for place, message in enumerate(what.messages):
            for op, *values in self._instead(message, what.messages[place:]):
                said += chunk(op, *values)
        return said

    def _instead(self, message: Message, following: Sequence[Message]) -> Iterator[tuple[Any, ...]]:
        state, values = self._state, message.values
        if message.op is Op.START_NEW_GAME:
            yield self._start(values, following)
        elif state is None:  # it does not book anything before its first hand
            yield (message.op, *values)
        elif message.op is Op.NEXT_TO_ACT:
            yield from self._ask(state, values)
        elif message.op is Op.RAISE:
            yield from self._raise(state, *values)
        elif message.op is Op.CALL:
            yield from self._let_be_next(state, values[0])
            yield from self._book_call(state, *values)
        elif message.op is Op.FOLD:
            yield from self._let_be_next(state, values[0])
            state.fold()
            yield (Op.FOLD, *values)
        else:
            yield (message.op, *values)

    def _start(self, values: tuple[Any, ...], following: Sequence[Message]) -> tuple[Any, ...]:
        """Move the button two seats before the big blind: the client counts its blinds from there."""
        bet_size, size, button, position, game_id, rows = values
        big = [message.values[0] for message in following if message.op is Op.BLIND]
        if big:
            button = (big[-1] - 2) % size
        self._state = HoldemState([(name, chips) for name, chips, _ in rows], rows[button][0], bet_size)
        self._state.set_next((button + 3) % size)
        self._me = next((who for who, row in enumerate(rows) if row[0] == self._user), -1)
        self._state.blinds()  # which come next; a new stage changes nothing of what is asked here
        return (Op.START_NEW_GAME, bet_size, size, button, position, game_id, rows)

    def _ask(self, state: HoldemState, values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        who = values[0]
        if who == self._me:
            yield from self._let_be_next(state, who)
        else:
            state.set_next(who)
        yield (Op.NEXT_TO_ACT, *values)

    def _raise(self, state: HoldemState, who: int, amount: int) -> Iterator[tuple[Any, ...]]:
        """Send the call that a raise contains, then its bets one by one.

        The client's own raise is an exception: only NEXT_TO_ACT could make it next again, and it would act on
        that. For its own raise, and for an amount that is not a whole number of bets, the amount is sent in
        the seat's field, from which the client records the chips and nothing else.
        """
        yield from self._let_be_next(state, who)
        bet, short = state.bet_size, int(state.to_call(state.next_seat))
        whole = who <= bet and not (amount - short) % bet
        if amount == bet and whole:
            yield from self._book_raise(state, who, who, bet)
        elif who != self._me and whole:
            if short:
                yield from self._book_call(state, who, short)
            for _ in range((amount - short) // bet):
                yield from self._let_be_next(state, who)
                yield from self._book_raise(state, who, who, bet)
        elif amount >= bet:
            yield from self._book_raise(state, who, amount, amount)
        else:  # less than a bet: a player's last chips
            yield from self._book_call(state, who, amount)

    @staticmethod
    def _book_call(state: HoldemState, who: int, amount: int) -> Iterator[tuple[Any, ...]]:
        state.call()
        yield (Op.CALL, who, amount)

    def _book_raise(
        self, state: HoldemState, who: int, number: int, amount: int
    ) -> Iterator[tuple[Any, ...]]:
        if state.to_call(state.next_seat) > max(number, state.bet_size):
            yield from self._book_call(state, who, amount)  # the client would die of such a raise
        else:
            state.raise_(number)
            yield (Op.RAISE, number, amount)

    def _let_be_next(self, state: HoldemState, who: int) -> Iterator[tuple[Any, ...]]:
        """Make the client believe that `who` is next.

        The client itself must not be named, or it would act: name the seat before it instead, and let that check.
        """
        if state.next_seat == who:
            return
        named = who if who != self._me else self._before(state, who)
        short = int(state.to_call(named))
        if named == self._me or (named != who and short):
            return  # no other seat is left, or it is all-in for less than the bet and a check would book a call
        if state.next_seat != named:
            state.set_next(named)
            yield (Op.NEXT_TO_ACT, named, short, state.bet_size, state.bet_size)
        if named != who:
            state.call()
            yield (Op.CALL, named, 0)

    @staticmethod
    def _before(state: HoldemState, who: int) -> int:
        """Return the nearest seat before `who` that has not folded."""
        size = len(state.players)
        return next(seat for step in range(1, size + 1) if not state.folded(seat := (who - step) % size))
