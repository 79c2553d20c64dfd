"""What Games::Poker::OPP of 2003 is told, so that its own state object books what our table does.

That client plays along on a state object of its own, and books by its own ideas:

- the first BLIND posts both blinds, one and two seats after the button it was told, heads-up as well;
- a FOLD, CALL or RAISE is booked for whoever it believes is next, whatever seat the message names;
- a CALL pays what that seat is short of; a RAISE pays one small bet, or as many chips as the number of the
  seat if that is more, the call included; it dies when that does not even call;
- who is next moves on with each of them, and NEXT_TO_ACT corrects it, except on its own turn.

So a raise is told to it as the call and the bets it is made of, and who is next is set before each of
them. Here is its state object, kept in step with what it hears: what it would die of is never sent. What
cannot be booked right: a call for less than the bet, which is somebody's last chips (never with credit), a
blind that nobody posts, and half chips of an odd bet. Its books are right again with the next hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from poker_actors.wire.opp.client.holdem_state import HoldemState
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.opcodes import Op
from poker_actors.wire.opp.server.telling import NOTHING, Chunk, chunk

__all__ = ["PERL_PROGRAM", "PerlProfile"]

PERL_PROGRAM: Final = "Games::Poker::OPP"
"""How the program's name begins; a class derived from it says its own name, so call it Games::Poker::OPP::..."""


class PerlProfile:
    """Translates a table's messages into ones that such a client books right."""

    def __init__(self, user: str) -> None:
        self._user = user
        self._state: HoldemState | None = None
        self._me = -1
        self._blinded = False

    def put(self, what: Chunk) -> Chunk:
        """Return the messages to send instead."""
        said = NOTHING
        for place, message in enumerate(what.messages):
            for op, *values in self._instead(message, what.messages[place:]):
                said += chunk(op, *values)
        return said

    def _instead(self, message: Message, following: Sequence[Message]) -> Iterator[tuple[Any, ...]]:
        state, values = self._state, message.values
        if message.op is Op.START_NEW_GAME:
            yield self._start(values, following)
        elif state is None or message.op not in _BOOKED:
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
            if message.op is Op.BLIND and not self._blinded:
                self._blinded = True
                state.blinds()
            elif message.op is Op.NEW_STAGE and self._blinded:
                state.next_stage()
            yield (message.op, *values)

    def _start(self, values: tuple[Any, ...], following: Sequence[Message]) -> tuple[Any, ...]:
        """Say the button two seats before who posts the big blind: this is where the client counts from."""
        bet_size, size, button, position, game_id, rows = values
        big = [message.values[0] for message in following if message.op is Op.BLIND]
        if big:
            button = (big[-1] - 2) % size
        self._state = HoldemState([(name, chips) for name, chips, _ in rows], rows[button][0], bet_size)
        self._state.set_next((button + 3) % size)
        self._me = next((who for who, row in enumerate(rows) if row[0] == self._user), -1)
        self._blinded = False
        return (Op.START_NEW_GAME, bet_size, size, button, position, game_id, rows)

    def _ask(self, state: HoldemState, values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        who = values[0]
        if who == self._me:
            yield from self._let_be_next(state, who)
        elif self._blinded:
            state.set_next(who)
        yield (Op.NEXT_TO_ACT, *values)

    def _raise(self, state: HoldemState, who: int, amount: int) -> Iterator[tuple[Any, ...]]:
        """Say the call a raise contains, then its bets one by one.

        This cannot be done for its own, since only NEXT_TO_ACT would make it next again. Then, and for
        an amount that is not made of bets, the amount stands in the place of the seat: there it is
        booked from, and by nothing else.
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
        else:  # less than a bet is the end of somebody's chips
            yield from self._book_call(state, who, amount)

    @staticmethod
    def _book_call(state: HoldemState, who: int, amount: int) -> Iterator[tuple[Any, ...]]:
        state.call()
        yield (Op.CALL, who, amount)

    def _book_raise(
        self, state: HoldemState, who: int, number: int, amount: int
    ) -> Iterator[tuple[Any, ...]]:
        if state.to_call(state.next_seat) > max(number, state.bet_size):
            yield from self._book_call(state, who, amount)  # as a raise it would be its death
        else:
            state.raise_(number)
            yield (Op.RAISE, number, amount)

    def _let_be_next(self, state: HoldemState, who: int) -> Iterator[tuple[Any, ...]]:
        """Make the client believe that `who` is next.

        Itself it must not be named, or it acts: then the seat before it is, and checks.
        """
        if state.next_seat == who or not self._blinded or not 0 <= who < len(state.players):
            return
        named = who if who != self._me else self._before(state, who)
        short = int(state.to_call(named))
        if named == self._me or (named != who and short):
            return  # nobody else is left, or is all-in for less than the bet and could not check
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


_BOOKED: Final = frozenset({Op.NEXT_TO_ACT, Op.RAISE, Op.CALL, Op.FOLD, Op.BLIND, Op.NEW_STAGE})
