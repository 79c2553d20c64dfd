"""The best response to an opponent's figures: the value of a pot from each street on, and the action that wins most.

A hand is reduced to the chance `p` of winning against the range the opponent has shown, the pot, and the chips behind.
Values of a street are computed from those of the next one, over a grid, for two players.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import Final, NamedTuple

from poker_actors.bots.adaptive.opponent import LEVELS, Opponent
from poker_actors.bots.adaptive.ranges import CALLING
from poker_actors.bots.figures import FREE, RAISES, STREETS, bin_of, turn_of

_POTS: Final = (0.01, 0.03, 0.09, 0.25, 0.55, 1.0)
"""The grid of the pot as a part of all chips that can come into it: each step is about a pot-sized bet and a call."""
_PARTS: Final = 8
"""The grid of the chance to win: eighths."""
_SPREAD: Final = (0.0, 0.3, 0.24, 0.3)
"""How far the next cards move a chance to win, in units of the spread of a coin: from the street before to each one.

Between random hands it is 0.38, 0.29 and 0.37. Because a chance is known only to about 0.06, a plan that counts on all
of it promises too much: with these values, the winnings promised on rivers against `tight` came true.
"""
_SHARP: Final = (0.5, 0.7, 0.85, 1.0)
"""How much of a hand's worth is decided on each street: an earlier bet tells less by that share."""
_DOUBT: Final = 0.04
"""The extra cost of a chip put in, because the figures never quite fit the turn at hand."""
_CALLED: Final = 1.02
"""The same for a call, which is less of a guess."""
_SOLVED: Final = (0.5, 1.0)
"""Bets tried in the solved streets, in pots, besides all-in."""
_TRIED: Final = (0.5, 1.0, 2.0)
"""Bets and raises tried at a turn, in pots after a call, besides all-in and the least legal."""

_TOP: Final = len(LEVELS)
_TOLD: Final = 0.25
"""A call is informative if this share folds; a bet is, if its owner is this pure."""

Reply = tuple[float, float, float]
Table = list[list[float]]
Tables = Sequence[Sequence[Sequence[Table]]]
"""Values by the level of the opponent's range, street, whether one acts last, pot and chance."""


class Node(NamedTuple):
    """A turn: amounts in chips, or parts of all chips."""

    street: int
    last: bool
    """whether this player acts last on the streets to come"""
    p: float
    pot: float
    """with the bet to call"""
    to_call: float
    behind: float
    """the smaller of the two stacks, before the call"""
    closes: bool
    """whether nobody acts on this street after a check or call"""
    level: int
    """level of the opponent's range; -1 for several opponents, each with its own"""


class Response:
    """Values and choices against opponents, of whom the first stands for all in later streets; `levels` are by range."""

    def __init__(self, opponents: Sequence[Opponent], tables: Tables, levels: Sequence[int] = ()) -> None:
        self._opponents = opponents
        self._tables = tables
        self._levels = levels
        self._replies: dict[int, Reply] = {}
        main = opponents[0]
        self._sizes = [main.size(street) for street in range(STREETS)]
        self._bets_tell = int(main.purity(0) > _TOLD)
        self._sure = [
            [CALLING * sharp for sharp in _SHARP],
            [main.purity(street) * sharp for street, sharp in enumerate(_SHARP)],
        ]

    @classmethod
    def solved(cls, opponent: Opponent) -> Tables:
        """Return the values of the later streets against an opponent."""
        tables: list[list[list[Table]]] = [[[[], []] for _ in range(STREETS)] for _ in range(_TOP + 1)]
        known = cls([opponent], tables)
        for level in range(_TOP, -1, -1):
            for street in range(STREETS - 1, 0, -1):
                for last in (False, True):
                    tables[level][street][last] = [
                        _spread_out(
                            [
                                known.at_start(street, pot, part / _PARTS, level, last=last)
                                for part in range(_PARTS + 1)
                            ],
                            _SPREAD[street],
                        )
                        for pot in _POTS
                    ]
        return tables

    def reply(self, street: int, place: int, level: int) -> Reply:
        """Return the chances that all fold, that somebody calls, and that somebody raises; none is 0, by the priors."""
        key = turn_of(street, place) * (_TOP + 2) + level
        found = self._replies.get(key)
        if found is None:
            folds = calm = 1.0
            for number, opponent in enumerate(self._opponents):
                fold, _, rise = opponent.reply(street, place, level if level >= 0 else self._levels[number])
                folds *= fold
                calm *= 1 - rise
            found = self._replies[key] = (folds, calm - folds, 1 - calm)
        return found

    def worth(self, street: int, p: float, pot: float, behind: float, level: int, last: bool) -> float:
        """Return this player's winnings from a pot, from the start of a street on, less what the player puts in."""
        if street >= STREETS or behind <= 0:
            return p * pot
        whole = pot + 2 * behind
        part, place = pot / whole, len(_POTS) - 2
        while place and part < _POTS[place]:
            place -= 1
        low, high = self._tables[level][street][last][place : place + 2]
        much = (part - _POTS[place]) / (_POTS[place + 1] - _POTS[place])
        much = max(much, 0.0)
        at = p * _PARTS
        cell = int(at) if at < _PARTS else _PARTS - 1
        more = at - cell
        lower = low[cell] + more * (low[cell + 1] - low[cell])
        upper = high[cell] + more * (high[cell + 1] - high[cell])
        return whole * (lower + much * (upper - lower))

    def at_start(self, street: int, pot: float, p: float, level: int, *, last: bool) -> float:
        """Return the value of a street from its first action on; all chips are 1."""
        behind = (1 - pot) / 2
        if behind <= 0:
            return p * pot
        if not last:
            return self._best(Node(street, False, p, pot, 0.0, behind, closes=False, level=level))
        bets = self.reply(street, FREE, level)[RAISES]
        weak, strong = self._checked(street, p, bets), self._raised(street, p, bets)
        free = self._best(Node(street, True, weak, pot, 0.0, behind, closes=True, level=level))
        return (1 - bets) * free + bets * self._facing(street, strong, pot, behind, last, level)

    def _facing(self, street: int, p: float, pot: float, behind: float, last: bool, level: int) -> float:
        """Return the value of a turn after the opponent has bet the usual size into a pot."""
        bet = min(self._sizes[street] * pot, behind)
        return self._best(
            Node(
                street,
                last,
                p,
                pot + bet,
                bet,
                behind,
                closes=True,
                level=self._after(level, self._bets_tell),
            )
        )

    def _best(self, node: Node) -> float:
        best = self.staying(node)
        if node.to_call and best < 0.0:
            best = 0.0
        most = node.behind
        if most > node.to_call:
            for size in _SOLVED:
                added = node.to_call + size * (node.pot + node.to_call)
                if added < most:
                    best = max(best, self.raising(node, added))
            best = max(best, self.raising(node, most))
        return best

    def staying(self, node: Node) -> float:
        """Return the value of a check or call."""
        street, last, p, pot, to_call, behind, closes, level = node
        pot, behind = pot + to_call, behind - to_call
        if closes or behind <= 0:
            return self.worth(street + 1, p, pot, behind, self._after(level, 0), last) - to_call * _CALLED
        bets = self.reply(street, FREE, level)[RAISES]
        weak, strong = self._checked(street, p, bets), self._raised(street, p, bets)
        calm = self.worth(street + 1, weak, pot, behind, self._after(level, 0), last)
        return (
            (1 - bets) * calm
            + bets * self._facing(street, strong, pot, behind, last, level)
            - to_call * _CALLED
        )

    def raising(self, node: Node, added: float) -> float:
        """Return the value of a bet or raise that puts `added` chips into the pot."""
        street, last, p, pot, to_call, behind, _, level = node
        by = added - to_call
        folds, calls, raises = self.reply(street, bin_of(street, by, pot + to_call, opened=True), level)
        left = behind - added
        if left <= 0:
            calls, raises = calls + raises, 0.0
        stays = calls + raises
        sure = self._sure[0][street]
        stayed = p + sure * (max((p - folds) / stays, 0.0) - p)
        full = pot + added + by
        called = self._checked(street, stayed, raises / stays)
        value = folds * pot + calls * (
            self.worth(street + 1, called, full, left, self._after(level, folds > _TOLD), last) - added
        )
        if raises:
            more = min(left, max(by, self._sizes[street] * full))
            p = self._raised(street, stayed, raises / stays)
            after = (
                self.worth(
                    street + 1, p, full + 2 * more, left - more, self._after(level, self._bets_tell), last
                )
                - added
                - more
            )
            value += raises * max(after, -added)
        return value - _DOUBT * by

    def _after(self, level: int, more: int) -> int:
        """Return the level of the first opponent's range once it has risen by `more`."""
        level = (self._levels[0] if level < 0 else level) + more
        return level if level < _TOP else _TOP

    def _raised(self, street: int, p: float, raises: float) -> float:
        """Return the chance to win against the part of a range that raises."""
        pure = (p - 1 + raises) / raises
        return p + self._sure[1][street] * ((pure if pure > 0 else 0.0) - p)

    def _checked(self, street: int, p: float, raises: float) -> float:
        """Return the chance to win against the part of a range that does not raise."""
        pure = p / (1 - raises)
        return p + self._sure[1][street] * ((pure if pure < 1 else 1.0) - p)

    def choice(self, node: Node, least: float, most: float) -> float:
        """Return the chips to put in: -1 for a fold, `to_call` for a check or call, or from `least` to `most` for a raise."""
        best, chosen = (0.0, -1.0) if node.to_call else (-1.0, 0.0)
        value = self.staying(node)
        if value >= best:
            best, chosen = value, node.to_call
        if most <= node.to_call:
            return chosen
        top = max(min(most, node.behind), least)
        base = node.pot + node.to_call
        tries = [node.to_call + size * base for size in _TRIED]
        for added in (least, *[added for added in tries if least < added < top], top):
            value = self.raising(node, min(added, node.behind))
            if value > best:
                best, chosen = value, added
        return chosen


def _spread_out(row: Sequence[float], spread: float) -> list[float]:
    """Return a row of values averaged over the ways the next cards may change each chance to win."""
    means = []
    for part in range(_PARTS + 1):
        p = part / _PARTS
        move = sqrt(1.5 * p * (1 - p)) * spread
        # the three points have the mean and the variance of the move; at the ends it is as small as there is room
        move = min(move, p, 1 - p)
        means.append((_between(row, p - move) + row[part] + _between(row, p + move)) / 3)
    return means


def _between(row: Sequence[float], p: float) -> float:
    at = p * _PARTS
    cell = min(int(at), _PARTS - 1)
    return row[cell] + (at - cell) * (row[cell + 1] - row[cell])


@lru_cache(maxsize=1)
def of_stranger() -> Tables:
    """Return the values against an unknown opponent."""
    return Response.solved(Opponent())
