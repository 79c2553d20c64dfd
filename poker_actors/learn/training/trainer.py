"""Training the bot `expert`, round by round: heads-up and three to nine seats apart."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from typing import Any, Final

import attrs
import numpy as np

from poker_actors.bots.expert import BUCKETS, StrategyTable, street_of
from poker_actors.errors import BadSpec
from poker_actors.learn.policies import TIGHT
from poker_actors.learn.training.rounds import Memory, Workplace
from poker_actors.learn.training.walking import BUCKET_BITS, EMPTY

__all__ = ["Progress", "Trainer"]

GUESTS: Final = (0.1, 0.5)
"""The share of hands that bots of the house play in, heads-up and with more seats: not all opponents play well, and who
only ever meets himself does not learn what the others give away. Johanson, Zinkevich and Bowling, Computing robust
counter-strategies (2007). Who meets them more bluffs more, because they fold too much."""
_HANDS: Final = (1_000, 500)
"""Hands of a round, heads-up and with more seats."""
_FIRST_SIZE: Final = 1 << 16
_LEAST_SEEN: Final = 1.0
"""How often a row must have been come to, in rounds of the last weight, to be kept; the rest is chance."""
_MOST_ROWS: Final = 400_000
"""The most rows of a table: a larger one is not worth its size."""
_LEAST_CHANCE: Final = 0.1
"""What an average does more seldom than this is left out: it is what early rounds and chance left behind, and to a player
who looks for it a shove of one hand in twenty is a gift."""
_MOST_WEIGHT: Final = 15
"""What four bits hold."""
_CHECK_SEED: Final = 0x5EED
"""The same decks at each point: the curve shows what was learnt, not which cards came."""


@attrs.frozen
class Progress:
    """How far a training is: a point of its curve."""

    round: int
    rows: int
    turns: int
    heads_up: tuple[float, float]
    """won from `tight` in big blinds a hundred hands at 100 big blinds, and the 95 % margin, by duplicate"""
    six_seats: tuple[float, float]
    """the same from five of them"""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return attrs.asdict(self)


class Trainer:
    """Trains from `seed`: the same rounds give the same table, on any number of cores."""

    def __init__(self, seed: int) -> None:
        self.seed: Final = seed
        self.round = 0
        self.averaged_from = 0
        """the round after which the average began; what came before is dropped"""
        words = np.random.SeedSequence(abs(seed)).generate_state(2, np.uint64)
        self._places = [Workplace(many=bool(many), seed=int(words[many])) for many in (0, 1)]
        self._memories = [Memory(_FIRST_SIZE) for _ in (0, 1)]

    def play_round(self, cores: int = 1) -> None:
        """Learn from the hands of one round."""
        self.round += 1
        # The halves share nothing, neither memory nor desk nor luck: so no lock, and the same table on one core or two.
        if cores > 1:
            with ThreadPoolExecutor(2) as threads:
                list(threads.map(self._play_half, (0, 1)))
        else:
            self._play_half(0)
            self._play_half(1)

    def _play_half(self, many: int) -> None:
        memory = self._memories[many]
        memory.grow()
        # later rounds count for more: linear weights
        self._places[many].train(memory, _HANDS[many], float(self.round), GUESTS[many])

    def begin_average(self) -> None:
        """Drop the average so far: the first strategies are hardly better than none."""
        self.averaged_from = self.round
        for memory in self._memories:
            memory.averages[:] = 0

    def progress(self, decks: int = 500) -> Progress:
        """Measure the table as it is, on decks of their own."""
        won = [self._won(0, decks * 3, 2), self._won(1, decks, 6)]
        return Progress(
            self.round,
            sum([memory.rows for memory in self._memories]),
            sum([memory.turns for memory in self._memories]),
            won[0],
            won[1],
        )

    def _won(self, many: int, decks: int, seats: int) -> tuple[float, float]:
        memory = self._memories[many]
        place = Workplace(many=bool(many), seed=_CHECK_SEED)
        won, _ = place.play(TIGHT, memory.keys, memory.averages, decks=decks, seats=seats)
        return 100 * float(won.mean()), 196 * float(won.std()) / sqrt(decks)

    def table(self) -> StrategyTable:
        """Return the average of what was learnt, four bits an action."""
        keys, weights = [], []
        least = self._least()
        for memory in self._memories:
            used = np.flatnonzero((memory.keys != EMPTY) & (memory.averages.sum(axis=1) > least))
            keys.append(memory.keys[used])
            rows = memory.averages[used]
            rows[rows < _LEAST_CHANCE * rows.sum(axis=1, keepdims=True)] = 0
            weights.append(np.rint(rows * (_MOST_WEIGHT / rows.max(axis=1, keepdims=True))).astype(np.uint8))
        return _arranged(np.concatenate(keys), np.concatenate(weights))

    def _least(self) -> float:
        """Return how much a row must have been come to, by the weights of the rounds, to be kept."""
        seen = np.sort(np.concatenate([memory.averages.sum(axis=1) for memory in self._memories]))
        return max(_LEAST_SEEN * self.round, float(seen[-_MOST_ROWS - 1]) if len(seen) > _MOST_ROWS else 0.0)

    def state(self) -> dict[str, Any]:
        """Return all that is needed to resume, as arrays."""
        arrays: dict[str, Any] = {"numbers": np.array([self.seed, self.round, self.averaged_from], np.int64)}
        for many, memory in enumerate(self._memories):
            used = np.flatnonzero(memory.keys != EMPTY)
            arrays[f"keys{many}"] = memory.keys[used]
            arrays[f"regrets{many}"] = memory.regrets[used]
            arrays[f"averages{many}"] = memory.averages[used]
            # with its size: when it grows next, and what still fits, is to be as if it had never stopped
            arrays[f"numbers{many}"] = np.array([len(memory.keys), memory.turns], np.int64)
            arrays[f"luck{many}"] = np.array([self._places[many].luck], np.uint64)
        return arrays

    @classmethod
    def of(cls, state: Mapping[str, Any], name: str) -> Trainer:
        """Go on from a state, kept in `name`; raises `BadSpec` for what is none."""
        try:
            seed, played, averaged_from = state["numbers"].tolist()
            trainer = cls(seed)
            trainer.round, trainer.averaged_from = played, averaged_from
            for many in (0, 1):
                size, turns = state[f"numbers{many}"].tolist()
                kept = [state[f"{part}{many}"] for part in ("keys", "regrets", "averages")]
                trainer._memories[many] = Memory.of(size, turns, *kept)
                trainer._places[many].luck = int(state[f"luck{many}"][0])
        except (KeyError, ValueError) as error:
            raise BadSpec(f"{name} holds no whole training: {error}") from None
        return trainer


def _arranged(keys: Any, weights: Any) -> StrategyTable:
    """Put rows in their places, situation by situation."""
    situations = np.unique(keys >> BUCKET_BITS)
    sizes = np.array(BUCKETS)[[street_of(situation) for situation in situations.tolist()]]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    rows = starts[np.searchsorted(situations, keys >> BUCKET_BITS)] + (keys & ((1 << BUCKET_BITS) - 1))
    placed = np.zeros((int(starts[-1]), weights.shape[1]), np.uint8)
    placed[rows] = weights
    return StrategyTable(situations.astype(np.int32), placed)
