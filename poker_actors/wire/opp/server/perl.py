"""Messages for Games::Poker::OPP of 2003, changed so that its own state object books the hand right.

docs/protocols.md has that client's rules of booking, the changed messages, and the three things that cannot be booked
right. The profile keeps a copy of the client's state object, to avoid messages that would crash it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from poker_actors.wire.opp.protocol.hand import HoldemState
from poker_actors.wire.opp.protocol.messages import Message, Op
from poker_actors.wire.opp.server.telling import NOTHING, Chunk, chunk

PERL_PROGRAM: Final = "Games::Poker::OPP"
"""Prefix of the program's name. A derived class sends its own name: `TableOptions.perl` lists those."""


class PerlProfile:
    """Translates a table's messages into ones that this client books right."""

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
        elif state is None:  # what comes before its first hand, it does not book
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

        Not for the client's own raise, since only NEXT_TO_ACT could make it next again, and it would act on it.
        For that, and for an amount that is not a number of bets, the amount is sent in the field of the
        seat, from which the client books the chips and nothing else.
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
