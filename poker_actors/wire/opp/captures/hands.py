"""Build hand histories from captures, from START_NEW_GAME to WINNERS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from poker_actors.cards import Card, parse_cards
from poker_actors.history import UNKNOWN, ActionKind, ActionStep, BoardDealt, Dealt, HandHistory, Showed, Step
from poker_actors.rules import GAMES
from poker_actors.wire.opp.captures.analyser import Finding
from poker_actors.wire.opp.protocol import Message, Op, Side

__all__ = ["CapturedHands"]

_CREDIT_BETS: Final = 1_000
"""Small bets in the stack that stands for unlimited credit; a hand costs at most 24."""
_PERL: Final = "Games::Poker::OPP"
_UNKNOWN_HOLE: Final = (UNKNOWN, UNKNOWN)


class CapturedHands:
    """Collects hands from findings passed to `hear`; `histories` yields the complete ones.

    A hand captured on several connections becomes one history, with the hole cards of all of them.
    """

    def __init__(self) -> None:
        self.unfinished = 0
        """hands whose beginning or end is not in the capture"""
        self.retold = 0
        """hands seen only by a Games::Poker::OPP client, whose messages do not give the actions one by one"""
        self._open: dict[int, _Heard] = {}
        self._perl: set[int] = set()
        self._done: dict[tuple[object, ...], _Heard] = {}

    def hear(self, finding: Finding) -> None:
        """Process the next finding."""
        message, session = finding.message, finding.session
        if message is None:
            return
        if message.op is Op.JOIN_GAME and message.values[3].startswith(_PERL):
            self._perl.add(session)
        if finding.sender is not Side.SERVER:
            return
        if message.op is Op.START_NEW_GAME:
            self.unfinished += session in self._open
            self._open[session] = _Heard(message)
        elif (heard := self._open.get(session)) is not None:
            heard.hear(message)
            if message.op is Op.WINNERS:
                self._finish(session, heard)

    def _finish(self, session: int, heard: _Heard) -> None:
        del self._open[session]
        if session in self._perl:
            self.retold += heard.key not in self._done
        elif heard.key in self._done:
            self._done[heard.key].holes.update(heard.holes)
        else:
            self._done[heard.key] = heard

    def histories(self) -> Iterator[HandHistory]:
        """Yield the hands in the order of their ends; those still open count as unfinished."""
        self.unfinished += len(self._open)
        self._open.clear()
        for heard in self._done.values():
            yield heard.history()


class _Heard:
    """One hand as captured on one connection. Players are numbered as in START_NEW_GAME."""

    def __init__(self, start: Message) -> None:
        self._bet, size, self._button, self._me, self._game_id, rows = start.values
        self.key: Final = (self._game_id, rows)
        self._names = tuple(name for name, _, _ in rows)
        self._bankrolls = tuple(chips for _, chips, _ in rows)
        self._blinds: list[tuple[int, int]] = []
        self._paid = [0] * size
        self._front = [0] * size
        self._won = [0] * size
        self._events: list[tuple[Op, int, int]] = []
        self._boards: list[tuple[Card, ...]] = []
        self.holes: dict[int, tuple[Card, ...]] = {}
        self._shown: dict[int, tuple[Card, ...]] = {}

    def hear(self, message: Message) -> None:
        op, values = message.op, message.values
        if op is Op.BLIND:
            self._blinds.append((values[0], values[1]))
            self._pay(values[0], values[1])
        elif op in (Op.CALL, Op.RAISE):
            self._pay(values[0], values[1])
            self._events.append((op, values[0], self._front[values[0]]))
        elif op is Op.FOLD:
            self._events.append((op, values[0], 0))
        elif op is Op.NEW_STAGE and values[0] > 0:
            self._front = [0] * len(self._front)
            self._boards.append(parse_cards(values[1]))
            self._events.append((op, 0, len(self._boards) - 1))
        elif op is Op.HOLE_CARDS:
            told = self.holes if values[0] == self._me and not self._events else self._shown
            told[values[0]] = parse_cards(values[1])
        elif op is Op.WINNERS:
            for who, share in values[1]:
                self._won[who] += share

    def _pay(self, who: int, chips: int) -> None:
        self._paid[who] += chips
        self._front[who] += chips

    def history(self) -> HandHistory:
        """Return the hand, with players in the order of later streets: left of the button first, the button last."""
        size = len(self._names)
        button = self._button
        if size == 2 and self._blinds:
            button = self._blinds[0][0] if len(self._blinds) == 2 else 1 - self._blinds[0][0]
        order = [(button + step) % size for step in range(1, size + 1)]
        blinds = dict(self._blinds)
        stacks = self._stacks()
        return HandHistory(
            game=GAMES["limit-holdem"],
            stacks=tuple(stacks[who] for who in order),
            blinds=tuple(blinds.get(who, 0) for who in order),
            min_bet=self._bet,
            steps=tuple(self._steps(order)),
            players=tuple(self._names[who] for who in order),
            seats=tuple(order),
            finishing=tuple(stacks[who] - self._paid[who] + self._won[who] for who in order),
            fields={"hand": self._game_id},
        )

    def _stacks(self) -> list[int]:
        """Return the stacks: the bankrolls, or a stand-in for credit when a player pays more than its bankroll."""
        if all(chips >= paid and chips > 0 for chips, paid in zip(self._bankrolls, self._paid, strict=True)):
            return list(self._bankrolls)
        return [_CREDIT_BETS * self._bet] * len(self._bankrolls)

    def _steps(self, order: list[int]) -> Iterator[Step]:
        place = {who: number for number, who in enumerate(order)}
        for who in order:
            yield Dealt(place[who], self.holes.get(who, _UNKNOWN_HOLE))
        board: tuple[Card, ...] = ()
        for op, who, number in self._events:
            if op is Op.NEW_STAGE:
                yield BoardDealt(self._boards[number][len(board) :])
                board = self._boards[number]
            elif op is Op.FOLD:
                yield ActionStep(place[who], ActionKind.FOLD)
            elif op is Op.CALL:
                yield ActionStep(place[who], ActionKind.CALL)
            else:
                yield ActionStep(place[who], ActionKind.RAISE, number)
        for who, cards in self._shown.items():
            yield Showed(place[who], cards)
