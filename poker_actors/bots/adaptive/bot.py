"""The bot `adaptive`: hears how hands end, keeps figures of each opponent, and plays the best response to them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import mul
from typing import Final

import attrs

from poker_actors.bots.adaptive.opponent import FOLDS, RAISES, Opponent, Step, Walk
from poker_actors.bots.adaptive.ranges import (
    Judged,
    judged,
    level_of,
    sample,
    share_beaten,
    starting_strength,
    starting_strengths,
    strength_on,
    weights_after,
)
from poker_actors.bots.adaptive.response import Node, Response, Tables, of_stranger
from poker_actors.bots.hearing import HandEnd, HandStart
from poker_actors.bots.house.judging import draw_chance
from poker_actors.bots.house.sizing import FOLD, call_or_check, raise_between
from poker_actors.bots.house.thinking import equity
from poker_actors.bots.registry import bot
from poker_actors.cards import Card
from poker_actors.rules import Action, Game, PublicState, View

__all__ = ["Adaptive"]

MEMORY: Final = 2_520
"""Hands after which everything is forgotten: a multiple of all numbers up to ten, so of the hands of a duplicate deck.

A match is cut there for its workers, which is why any number of them plays the same hands."""
_SHOWN: Final = (0, 3, 4, 5)
"""Cards on the board by street."""
_FIRST: Final = 6
_GROWTH: Final = 1.7
"""Hands of an opponent after which the response to him is computed anew, and by how much that grows each time."""
_SAMPLES: Final = 24
"""Deals in games whose ranges it does not reckon."""


@attrs.define
class _Known:
    """An opponent, the values of later streets against him, and when to compute these again."""

    opponent: Opponent = attrs.field(factory=Opponent)
    tables: Tables = attrs.field(factory=of_stranger)
    due: int = _FIRST

    def heard(self) -> None:
        """Count a hand."""
        self.opponent.hands += 1
        if self.opponent.hands >= self.due:
            self.due = int(self.due * _GROWTH)
            self.tables = Response.solved(self.opponent)


@bot("adaptive")
class Adaptive:
    """Learns how each opponent plays from the hands it hears, and plays the best response to him.

    It begins with a guess at strangers and forgets everything after 2,520 hands. It takes no luck: the same cards and
    the same history get the same action. In games other than hold'em with two hole cards it plays like `equity`.
    """

    forgets_after: Final = MEMORY

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._names: tuple[str | None, ...] = ()
        self._walk: Walk | None = None
        self._weights: dict[int, list[float]] = {}
        self._steps: list[tuple[Step, int]] = []
        self._hole: tuple[Card, ...] = ()

    def hand_started(self, start: HandStart) -> None:
        """Hear who plays."""
        if start.number % MEMORY == 0:
            self._known = {}
        self._names = start.names
        self._walk = None

    def hand_over(self, end: HandEnd) -> None:
        """Learn from what the opponents did and showed."""
        if not _is_reckoned(end.public):
            return
        self._names = end.names
        self._read(end.public, end.seat, end.hole)
        for seat, hole in end.shown.items():
            if seat != end.seat:
                self._shown(end, seat, hole)
        for step, level in self._steps:
            self._of(step.seat).opponent.saw(step, level)
        for seat in {step.seat for step, _ in self._steps}:
            self._of(seat).heard()
        self._walk = None

    def _shown(self, end: HandEnd, seat: int, hole: tuple[Card, ...]) -> None:
        """Learn how good a hand that was shown was in the range its owner had when he bet."""
        opponent = self._of(seat).opponent
        weights = [1.0] * len(sample(end.game.pack))
        for step, level in self._steps:
            if step.seat == seat and step.kind != FOLDS:
                board = end.board[: _SHOWN[step.street]]
                on = judged(end.game, board)
                if step.kind == RAISES:
                    opponent.showed(
                        step, level, share_beaten(on, weights, strength_on(end.game, hole, board))
                    )
                weights = _after(opponent, weights, on, step, level)

    def _of(self, seat: int) -> _Known:
        name = self._names[seat] if seat < len(self._names) else None
        key = f"seat {seat}" if name is None else name
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _Known()
        return known

    def __call__(self, view: View) -> Action:
        """Take the action that is worth most against the ranges of the opponents."""
        public = view.public
        if not _is_reckoned(public):
            return equity(view, samples=_SAMPLES)
        self._read(public, view.seat, view.hole)
        seats = [seat for seat in public.seats_live if seat != view.seat]
        on = judged(view.game, view.board)
        ranges = [self._weights.get(seat) or self._fresh(view.game, view.hole) for seat in seats]
        levels = [level_of(on, weights) for weights in ranges]
        response = Response([self._of(seat).opponent for seat in seats], self._of(seats[0]).tables, levels)
        legal, front = view.legal, public.chips_in_front
        mine, behind = front[view.seat], public.chips_behind
        most = max([front[seat] + behind[seat] for seat in seats]) - mine
        node = Node(
            street=min(public.dealt.street, len(_SHOWN) - 1),
            last=public.seats_live[-1] == view.seat,
            p=prod([_chance(view, on, weights) for weights in ranges]),
            pot=view.pot,
            to_call=legal.to_call,
            behind=min(behind[view.seat], max(most, legal.to_call)),
            closes=len(public.seats_to_act) == 1,
            level=levels[0] if len(seats) == 1 else -1,
        )
        added = response.choice(node, legal.min_raise_to - mine, legal.max_raise_to - mine)
        if added < 0:
            return FOLD
        return raise_between(legal, mine + int(added)) if added > legal.to_call else call_or_check(legal)

    def _read(self, public: PublicState, me: int, hole: tuple[Card, ...]) -> None:
        """Bring the ranges of a hand up to date."""
        walk = self._walk
        if walk is None or walk.seen > public.seq or self._hole != hole:
            walk = self._walk = Walk(public)
            self._weights, self._steps, self._hole = {}, [], hole
        game = public.setup.game
        for step in walk.advance(public):
            if step.seat == me:
                continue
            on = judged(game, public.board[: _SHOWN[step.street]])
            weights = self._weights.get(step.seat) or self._fresh(game, hole)
            level = level_of(on, weights)
            self._steps.append((step, level))
            if step.kind != FOLDS:
                self._weights[step.seat] = _after(self._of(step.seat).opponent, weights, on, step, level)

    @staticmethod
    def _fresh(game: Game, hole: tuple[Card, ...]) -> list[float]:
        one, other = hole
        return [0.0 if one in held or other in held else 1.0 for held in sample(game.pack)]


def _chance(view: View, on: Judged, weights: Sequence[float]) -> float:
    """Return the chance to win against a range: exact on the river, before it by what is beaten now, and draws."""
    game, hole, board = view.game, view.hole, view.board
    if not board:
        theirs: float = sum(map(mul, weights, starting_strengths(game)))
        mine = starting_strength(strength_on(game, hole, board))
        return 0.5 + mine - theirs / (sum(weights) or 1.0)
    share = share_beaten(on, weights, strength_on(game, hole, board))
    if len(board) == _SHOWN[-1]:
        return share
    # fitted to the share of 200 deals won by 1,500 random hands; 0.06 is the standard error of one
    draw = draw_chance(hole, board)
    if len(board) == _SHOWN[1]:
        return 0.17 + 0.65 * share + (0.71 - 0.55 * share) * draw
    return 0.10 + 0.79 * share + (0.79 - 0.68 * share) * draw


def _is_reckoned(public: PublicState) -> bool:
    game = public.setup.game
    return game.plain and game.hole_cards == 2 and game.board_cards == _SHOWN[-1]


def _after(opponent: Opponent, weights: Sequence[float], on: Judged, step: Step, level: int) -> list[float]:
    reply = opponent.reply(step.street, step.bin, level)
    return weights_after(weights, on, step, reply, opponent.purity(step.street))
