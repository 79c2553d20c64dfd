"""Build hand histories from captures, from START_NEW_GAME to WINNERS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.errors import PokerError
from poker_actors.history import (
    UNKNOWN,
    ActionKind,
    ActionStep,
    BoardDealt,
    Dealt,
    HandHistory,
    Showed,
    Step,
    replay,
)
from poker_actors.rules import GAMES
from poker_actors.wire.opp.captures.analyser import Finding
from poker_actors.wire.opp.client.guest import CREDIT_BETS
from poker_actors.wire.opp.protocol import Op, Side
from poker_actors.wire.opp.protocol.hand import Bookkeeper, HeardHand

__all__ = ["CapturedHands"]

_PERL: Final = "Games::Poker::OPP"
_MOST_REASONS: Final = 100
"""Most keys of `CapturedHands.refused`: whoever wrote the capture chooses the texts."""
_UNKNOWN_HOLE: Final = (UNKNOWN, UNKNOWN)


class CapturedHands:
    """Collects hands from findings passed to `hear`; `histories` yields the complete ones.

    A hand captured on several connections becomes one history, with the hole cards of all of them. A message that
    no hand can have (a seat that is not there, a text that is no cards) spoils its hand alone.
    """

    def __init__(self) -> None:
        self.unfinished = 0
        """hands whose beginning or end is not in the capture"""
        self.damaged = 0
        """hands left out for messages that do not fit, or that the rules of limit hold'em cannot follow"""
        self.refused: Final[Counter[str]] = Counter()
        """message and reason -> how often it did not fit"""
        self._sessions: dict[int, _Session] = {}
        self._retold: set[tuple[object, ...]] = set()
        self._done: dict[tuple[object, ...], HeardHand] = {}
        self._holes: dict[tuple[object, ...], dict[int, tuple[Card, ...]]] = {}

    @property
    def retold(self) -> int:
        """Hands seen only by a Games::Poker::OPP client, whose messages do not give the actions one by one."""
        return len(self._retold.difference(self._done))

    def hear(self, finding: Finding) -> None:
        """Process the next finding."""
        message = finding.message
        if message is None:
            return
        session = self._sessions.setdefault(finding.session, _Session())
        if message.op is Op.JOIN_GAME and message.values[3].startswith(_PERL):
            session.perl = True
        if finding.sender is not Side.SERVER:
            return
        if message.op is Op.START_NEW_GAME:
            self.unfinished += session.open
            session.open, session.damaged = True, False
        refusal = session.books.hear(message)
        if refusal is not None:
            # what a Perl client is told instead of its own raise has an amount where the seat is
            session.damaged = True
            if not session.perl and len(self.refused) < _MOST_REASONS:
                self.refused[f"{message.op.name}: {refusal}"] += 1
        if message.op is Op.WINNERS and session.open:
            self._finish(session)

    def _finish(self, session: _Session) -> None:
        heard, session.open = session.books.hand, False
        if session.damaged and not session.perl:
            self.damaged += 1
        elif heard is not None:
            key = (heard.game_id, heard.names, heard.bankrolls)
            if session.perl:
                self._retold.add(key)
            else:
                self._done.setdefault(key, heard)
                self._holes.setdefault(key, {}).update(heard.dealt)

    def histories(self) -> Iterator[HandHistory]:
        """Yield the hands in the order of their ends; those still open count as unfinished."""
        for session in self._sessions.values():
            self.unfinished += session.open
            session.open = False
        for key, heard in self._done.items():
            try:
                history = _history(heard, self._holes[key])
                replay(history)
            except PokerError as error:
                self.damaged += 1
                self.refused[f"the rules: {error}"] += 1
            else:
                yield history


@attrs.define
class _Session:
    """What one connection of the capture was told."""

    books: Bookkeeper = attrs.field(factory=Bookkeeper)
    perl: bool = False
    open: bool = False
    """whether a hand has begun and not ended"""
    damaged: bool = False


def _history(heard: HeardHand, holes: dict[int, tuple[Card, ...]]) -> HandHistory:
    """Return the hand, with players in the order of later streets: left of the button first, the button last."""
    size = len(heard.names)
    button = heard.button
    if size == 2 and heard.blinds:
        button = heard.blinds[0][0] if len(heard.blinds) == 2 else 1 - heard.blinds[0][0]
    order = [(button + step) % size for step in range(1, size + 1)]
    blinds = dict(heard.blinds)
    stacks = _stacks(heard)
    return HandHistory(
        game=GAMES["limit-holdem"],
        stacks=tuple(stacks[who] for who in order),
        blinds=tuple(blinds.get(who, 0) for who in order),
        min_bet=heard.bet_size,
        steps=tuple(_steps(heard, holes, order)),
        players=tuple(heard.names[who] for who in order),
        seats=tuple(order),
        finishing=tuple(stacks[who] - int(heard.paid[who] - heard.won[who]) for who in order),
        fields={"hand": heard.game_id},
    )


def _stacks(heard: HeardHand) -> list[int]:
    """Return the stacks: the bankrolls, or a stand-in for credit when a player pays more than its bankroll."""
    if all(chips >= paid and chips > 0 for chips, paid in zip(heard.bankrolls, heard.paid, strict=True)):
        return [int(chips) for chips in heard.bankrolls]
    return [CREDIT_BETS * heard.bet_size] * len(heard.bankrolls)


def _steps(heard: HeardHand, holes: dict[int, tuple[Card, ...]], order: list[int]) -> Iterator[Step]:
    place = {who: number for number, who in enumerate(order)}
    for who in order:
        yield Dealt(place[who], holes.get(who, _UNKNOWN_HOLE))
    board: tuple[Card, ...] = ()
    for step in heard.steps:
        match step.op:
            case Op.NEW_STAGE:
                yield BoardDealt(step.board[len(board) :])
                board = step.board
            case Op.FOLD:
                yield ActionStep(place[step.seat], ActionKind.FOLD)
            case Op.CALL:
                yield ActionStep(place[step.seat], ActionKind.CALL)
            case _:
                yield ActionStep(place[step.seat], ActionKind.RAISE, step.total)
    for who, cards in heard.shown.items():
        yield Showed(place[who], cards)
