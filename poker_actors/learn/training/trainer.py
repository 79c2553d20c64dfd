"""Training of the bot `expert`, round by round, separately heads-up and with three to nine seats."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from typing import Any, Final

import attrs
import numpy as np

from poker_actors.bots.expert import StrategyTable
from poker_actors.errors import BadSpec
from poker_actors.learn.policies import TIGHT
from poker_actors.learn.training.averages import table_of_averages
from poker_actors.learn.training.rounds import Memory, Workplace
from poker_actors.learn.training.walking import EMPTY

__all__ = ["Progress", "Trainer"]

GUESTS: Final = (0.1, 0.5)
"""The share of hands with house bots, heads-up and with more seats. Self-play alone does not learn what weaker
opponents give away (Johanson, Zinkevich and Bowling, Computing robust counter-strategies, 2007). With a larger share
the bot bluffs too much, because house bots fold too much."""
_HANDS: Final = (1_000, 500)
"""Hands per round, heads-up and with more seats."""
_FIRST_SIZE: Final = 1 << 16
"""Slots of a new memory: a power of two, as `seek` masks; it doubles when half full."""
_LEAST_SEEN: Final = 1.0
"""Visits, at the weight of the last round, that a row needs to be kept: rarer rows are noise."""
_MOST_ROWS: Final = 400_000
"""Most rows of a table: a larger file is not worth its size."""
_CHECK_SEED: Final = 0x5EED
"""The same decks at each point, so that the curve shows progress and not luck."""


@attrs.frozen
class Progress:
    """The state of a training: a point of its curve."""

    round: int
    rows: int
    turns: int
    heads_up: tuple[float, float]
    """winnings against `tight` with 100 big blinds, and their 95 % margin, in big blinds per 100 hands, by duplicate"""
    six_seats: tuple[float, float]
    """the same against five of them"""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return attrs.asdict(self)


class Trainer:
    """Trains from `seed`; the same number of rounds gives the same table, on any number of cores."""

    def __init__(self, seed: int) -> None:
        self.seed: Final = seed
        self.round = 0
        self.averaged_from = 0
        """the round after which averaging began; 0 while it counts from the start"""
        words = np.random.SeedSequence(abs(seed)).generate_state(2, np.uint64)
        self._places = [Workplace(many=bool(many), seed=int(words[many])) for many in (0, 1)]
        self._memories = [Memory(_FIRST_SIZE) for _ in (0, 1)]

    def play_round(self, cores: int = 1) -> None:
        """Play and learn from one round of hands."""
        self.round += 1
        # the halves share neither memory nor desk nor luck: no lock, and the same table on one core or two
        if cores > 1:
            with ThreadPoolExecutor(2) as threads:
                list(threads.map(self._play_half, (0, 1)))
        else:
            self._play_half(0)
            self._play_half(1)

    def _play_half(self, many: int) -> None:
        memory = self._memories[many]
        memory.grow()
        # linear weights: later rounds, played better, count for more
        self._places[many].train(memory, _HANDS[many], float(self.round), GUESTS[many])

    def begin_average(self) -> None:
        """Restart the average: the first strategies are hardly better than random."""
        self.averaged_from = self.round
        for memory in self._memories:
            memory.averages[:] = 0

    def progress(self, decks: int = 500) -> Progress:
        """Measure the current table against `tight`, on decks that training does not use."""
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
        """Return the average strategy as a table, with four bits per action."""
        keys, averages = [], []
        least = self._least()
        for memory in self._memories:
            used = np.flatnonzero((memory.keys != EMPTY) & (memory.averages.sum(axis=1) > least))
            keys.append(memory.keys[used])
            averages.append(memory.averages[used])
        return table_of_averages(np.concatenate(keys), np.concatenate(averages))

    def _least(self) -> float:
        """Return the sum of visits, weighted by round, above which a row is kept."""
        seen = np.sort(np.concatenate([memory.averages.sum(axis=1) for memory in self._memories]))
        return max(_LEAST_SEEN * self.round, float(seen[-_MOST_ROWS - 1]) if len(seen) > _MOST_ROWS else 0.0)

    def state(self) -> dict[str, Any]:
        """Return everything needed to resume, as arrays."""
        arrays: dict[str, Any] = {"numbers": np.array([self.seed, self.round, self.averaged_from], np.int64)}
        for many, memory in enumerate(self._memories):
            used = np.flatnonzero(memory.keys != EMPTY)
            arrays[f"keys{many}"] = memory.keys[used]
            arrays[f"regrets{many}"] = memory.regrets[used]
            arrays[f"averages{many}"] = memory.averages[used]
            # the size is kept too: a resumed training must grow, and run out of room, exactly as an uninterrupted one
            arrays[f"numbers{many}"] = np.array([len(memory.keys), memory.turns], np.int64)
            arrays[f"luck{many}"] = np.array([self._places[many].luck], np.uint64)
        return arrays

    @classmethod
    def of(cls, state: Mapping[str, Any], name: str) -> Trainer:
        """Resume from the state in the file `name`; raises `BadSpec` for an incomplete one."""
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
