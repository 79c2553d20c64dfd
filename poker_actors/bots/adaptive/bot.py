"""The bot `adaptive`: hears how hands end, keeps figures of each opponent, and plays the best response to them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from math import prod
from operator import mul
from typing import Final

import attrs

from poker_actors.bots.adaptive.opponent import Opponent, deviates
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
from poker_actors.bots.expert.bot import Expert, knows
from poker_actors.bots.figures import FOLDS, RAISES, Opponents, Step, Walk
from poker_actors.bots.hearing import HandEnd, HandStart
from poker_actors.bots.house.judging import FOLD, call_or_check, draw_chance, raise_between
from poker_actors.bots.house.thinking import equity
from poker_actors.bots.registry import bot
from poker_actors.cards import Card
from poker_actors.errors import MissingExtra
from poker_actors.rules import Action, Game, PublicState, View
from poker_actors.rules.games import Betting

MEMORY: Final = 2_520
"""Hands after which everything is forgotten: a multiple of all numbers up to ten, so of the hands of a duplicate deck.

Matches are split there between workers, so that any number of them plays the same hands."""
_SHOWN: Final = (0, 3, 4, 5)
"""Cards on the board by street."""
_FIRST: Final = 6
_GROWTH: Final = 1.7
"""Hands of an opponent after which the response is computed again, and the factor by which that grows each time."""
_LOOKED: Final = 1.2
"""The same for checking whether the opponent deviates."""
_KEPT: Final = 400
"""Hands kept to learn from once somebody is known to deviate: most deviations are found within a hundred."""
_SAMPLES: Final = 24
"""Random deals per decision in games for which it keeps no ranges."""


@attrs.define
class _Known:
    """An opponent, the values of later streets against that player, and the hands after which to look again."""

    opponent: Opponent = attrs.field(factory=Opponent)
    tables: Tables = attrs.field(factory=of_stranger)
    due: int = _FIRST
    deviates: bool = False
    looked: int = _FIRST

    def is_due(self, hands: int) -> bool:
        """Return whether to check, after `hands` hands, whether the opponent deviates."""
        if self.deviates or hands < self.looked:
            return False
        self.looked = int(hands * _LOOKED) + 1
        return True

    def solve(self, hands: int) -> None:
        """Compute the values again if that is due after this many hands."""
        if hands >= self.due:
            while hands >= self.due:
                self.due = int(self.due * _GROWTH)
            self.tables = Response.solved(self.opponent)


@bot("adaptive")
class Adaptive:
    """Learns how opponents play from the hands it hears; plays the best response to one that is surely not `expert`.

    Before that it plays like `expert` in no-limit hold'em (with numpy), and by a guess at strangers in other hold'em
    with two hole cards. In other games it plays like `equity`. It forgets everything after 2,520 hands.
    """

    forgets_after: Final = MEMORY

    def __init__(self) -> None:
        self._known: tuple[dict[str, _Known], ...] = ({}, {})
        """opponents by name: at tables of three and more, and heads-up"""
        self._figures = Opponents(), Opponents()
        self._heads_up = False
        self._kept: deque[HandEnd] = deque(maxlen=_KEPT)
        """hands not learnt from yet"""
        self._expert: Expert | None = None
        with suppress(MissingExtra):  # without numpy it begins with a guess, as in other games
            self._expert = Expert()
        self._names: tuple[str | None, ...] = ()
        self._walk: Walk | None = None
        self._weights: dict[int, list[float]] = {}
        self._steps: list[tuple[Step, int]] = []
        self._hole: tuple[Card, ...] = ()

    def hand_started(self, start: HandStart) -> None:
        """Hear who plays."""
        if start.number % MEMORY == 0:
            self._known, self._figures = ({}, {}), (Opponents(), Opponents())
            self._kept.clear()
        self._meet(start)

    def hand_over(self, end: HandEnd) -> None:
        """Learn from what the opponents did and showed."""
        if not _is_reckoned(end.public):
            return
        self._meet(end)
        heard = self._figures[self._heads_up]
        heard.hear(end)
        names = [
            name for seat, name in enumerate(end.names) if seat != end.seat and end.stacks[seat] and name
        ]
        opponents = [(self._of_name(name), heard[name]) for name in names]
        for known, figures in opponents:
            if known.is_due(figures.hands):
                known.deviates = deviates(figures, heads_up=self._heads_up)
        self._kept.append(end)
        if self._waits(end.public) and not any(known.deviates for known, _ in opponents):
            return
        while self._kept:
            self._learn(self._kept.popleft())
        for known, figures in opponents:
            known.solve(figures.hands)

    def _meet(self, start: HandStart) -> None:
        self._names = start.names
        self._heads_up = sum(map(bool, start.stacks)) == 2
        self._walk = None

    def _waits(self, public: PublicState) -> bool:
        """Return whether the bot still plays as `expert`, because nobody has deviated."""
        game = public.setup.game
        return self._expert is not None and game.betting is Betting.NO_LIMIT and knows(game)

    def _learn(self, end: HandEnd) -> None:
        self._meet(end)
        self._read(end.public, end.seat, end.hole)
        for seat, hole in end.shown.items():
            if seat != end.seat:
                self._shown(end, seat, hole)
        for step, level in self._steps:
            self._of(step.seat).opponent.saw(step, level)
        self._walk = None

    def _shown(self, end: HandEnd, seat: int, hole: tuple[Card, ...]) -> None:
        """Learn how good a hand shown was within its owner's range at the time of the bet."""
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
        return self._of_name(f"seat {seat}" if name is None else name)

    def _of_name(self, name: str) -> _Known:
        known = self._known[self._heads_up].get(name)
        if known is None:
            known = self._known[self._heads_up][name] = _Known()
        return known

    def __call__(self, view: View) -> Action:
        """Take the action that is worth most against the ranges of the opponents."""
        public = view.public
        if not _is_reckoned(public):
            return equity(view, samples=_SAMPLES)
        seats = [seat for seat in public.seats_live if seat != view.seat]
        if (
            self._expert is not None
            and self._waits(public)
            and not any(self._of(seat).deviates for seat in seats)
        ):
            return self._expert(view)
        self._read(public, view.seat, view.hole)
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
    """Return the chance to win against a range: exact on the river, earlier an estimate from hands beaten and draws."""
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
