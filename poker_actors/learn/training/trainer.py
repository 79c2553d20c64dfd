"""Train the bot `expert`, round by round, into a table."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from struct import Struct
from time import monotonic
from typing import Any, Final

import attrs
import numpy as np
from numpy.typing import NDArray

from poker_actors.atomic import HeldFile, read_whole, replacing
from poker_actors.bots.expert import BUCKETS, StrategyTable, rough, street_of
from poker_actors.errors import BadSpec
from poker_actors.learn.training.rounds import Memory, Workplace
from poker_actors.learn.training.walking import BUCKET_BITS, EMPTY

_PASSES: Final = 4
"""How often classes are averaged with their neighbours. Local best response wins 1.3 big blinds per hand from the raw
averages, and 1.2, 0.95, 0.85 and 0.83 after one, two, four and eight passes; after eight, the bot wins less from house
bots."""
_LEAST_CHANCE: Final = 0.1
"""Actions less likely than this are dropped from the average: they are left over from early rounds and chance, and an
opponent who looks for it can exploit shoving one hand in twenty."""
_MOST_WEIGHT: Final = 15
"""The largest weight that fits in four bits."""
_LEANING: Final = 20.0
"""Visits, at the weight of the last round, with which a situation leans on its rough form, the same without board and
earlier streets: what training seldom saw plays nearly like that."""
_DRAWS: Final = (1, 4, 4, 1)
"""Number of classes of draws per class of strength, by street."""


def table_of_averages(
    keys: NDArray[np.int64], averages: NDArray[np.float32], leaning: float = 0.0
) -> StrategyTable:
    """Return the table of the situations and classes in `keys`; `averages` has a row of actions for each key.

    It holds the rough form of every situation, too: the sum of those that share it. Each situation is averaged with
    its rough form, which counts `leaning`.
    """
    own = np.unique(keys >> BUCKET_BITS)
    roughly = np.array([rough(situation) for situation in own.tolist()], np.int64)
    situations = np.union1d(own, roughly)
    starts = _starts(situations)
    first, rougher = (starts[np.searchsorted(situations, some)] for some in (own, roughly))
    at, classes = np.searchsorted(own, keys >> BUCKET_BITS), keys & ((1 << BUCKET_BITS) - 1)
    sums = np.zeros((int(starts[-1]), averages.shape[1]))
    np.add.at(sums, rougher[at] + classes, averages)
    chances = _shares(sums)
    seen = np.zeros_like(sums)
    seen[first[at] + classes] = averages
    for number in np.flatnonzero(own != roughly):
        size = BUCKETS[street_of(int(own[number]))]
        rows, leant = (
            slice(first[number], first[number] + size),
            slice(rougher[number], rougher[number] + size),
        )
        chances[rows] = _shares(seen[rows] + leaning * chances[leant])
    return StrategyTable(situations.astype(np.int32), quantized(smoothed(situations, chances)))


def _shares(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each row divided by its sum; a row of zeros stays as it is."""
    whole = sums.sum(axis=1, keepdims=True)
    shares: NDArray[np.float64] = sums / np.where(whole, whole, 1.0)
    return shares


def smoothed(situations: NDArray[Any], chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `chances`, a row per class of `situations`, averaged over neighbouring strengths heads-up after the flop.

    Training leaves neighbouring classes with different mixes of equal value. Together they form a range with
    holes, which an opponent who knows it can exploit. At larger tables it meets no such opponent, and the
    holes earn chips from house bots.
    """
    streets = np.array([street_of(situation) for situation in situations.tolist()])
    starts = _starts(situations)[:-1]
    found = chances.copy()
    for street in (1, 2, 3):
        first = starts[(streets == street) & (situations >> 2 & 1 == 0)]
        rows = first[:, None] + np.arange(BUCKETS[street])
        shape = (len(first), BUCKETS[street] // _DRAWS[street], _DRAWS[street], chances.shape[1])
        found[rows.ravel()] = _passed(chances[rows].reshape(shape)).reshape(-1, chances.shape[1])
    return found


def _passed(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average over the second axis (strengths); rows that training never reached stay empty and do not count."""
    reached = chances.any(axis=-1, keepdims=True).astype(float)
    for _ in range(_PASSES):
        total, many = chances.copy(), reached.copy()
        for sums, parts in ((total, chances), (many, reached)):
            sums[:, 1:] += parts[:, :-1]
            sums[:, :-1] += parts[:, 1:]
        chances = reached * total / np.maximum(many, 1)
    return chances


def quantized(chances: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return weights of four bits, 15 being the largest of each row, without actions below `_LEAST_CHANCE`."""
    kept = np.where(chances < _LEAST_CHANCE, 0, chances)
    largest = np.maximum(kept.max(axis=1, keepdims=True), _LEAST_CHANCE)
    weights: NDArray[np.uint8] = np.rint(kept * (_MOST_WEIGHT / largest)).astype(np.uint8)
    return weights


def _starts(situations: NDArray[Any]) -> NDArray[np.int64]:
    """Return the first row of each situation, and the number of rows."""
    sizes = np.array(BUCKETS)[[street_of(situation) for situation in situations.tolist()]]
    return np.concatenate([[0], np.cumsum(sizes)])


GUESTS: Final = (0.2, 0.5)
"""The share of hands with house bots, heads-up and with more seats. Self-play alone does not learn what weaker
opponents give away (Johanson, Zinkevich and Bowling, Computing robust counter-strategies, 2007). With a larger share
the bot bluffs too much, because house bots fold too much."""
_HANDS: Final = (1_000, 500)
"""Hands per round, heads-up and with more seats."""
_FIRST_SIZE: Final = 1 << 16
"""Slots of a new memory: a power of two, as `seek` masks; it doubles when half full."""
_LEAST_SEEN: Final = 1.0
"""Visits, at the weight of the last round, that a row needs to be kept: rarer rows are noise."""
_MOST_ROWS: Final = 2_000_000
"""Most rows of a table: a larger file is not worth its size."""


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

    @property
    def rows(self) -> int:
        """Return the number of rows in use."""
        return sum([memory.rows for memory in self._memories])

    @property
    def turns(self) -> int:
        """Return the number of turns walked."""
        return sum([memory.turns for memory in self._memories])

    def table(self) -> StrategyTable:
        """Return the average strategy as a table, with four bits per action."""
        keys, averages = [], []
        least = self._least()
        for memory in self._memories:
            used = np.flatnonzero((memory.keys != EMPTY) & (memory.averages.sum(axis=1) > least))
            keys.append(memory.keys[used])
            averages.append(memory.averages[used])
        leaning = _LEANING * self.round
        return table_of_averages(np.concatenate(keys), np.concatenate(averages), leaning)

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
            raise BadSpec(f"{name} does not hold a complete training: {error}") from None
        return trainer


_MAGIC: Final = b"poker-actors training\n"
VERSION: Final = 3
_HEAD: Final = Struct("<B32s")
"""Version, and the checksum of the rest of the file."""


class Checkpoint(HeldFile):
    """The arrays of a training in a file; a context manager that locks the file for this process.

    Raises `BadSpec` when another process holds the file, and for a file that is damaged, of another version or not a
    training at all.
    """

    IN_USE = "is in use: another process is training on it"

    def read(self) -> dict[str, Any]:
        """Return the arrays written last; raises `BadSpec` for an unreadable file."""
        try:
            data = read_whole(self.path)
        except OSError as error:
            raise BadSpec(f"{self.path} cannot be read: {error.strerror}") from error
        start = len(_MAGIC) + _HEAD.size
        if data[: len(_MAGIC)] != _MAGIC or len(data) < start:
            raise BadSpec(f"{self.path} does not hold a training of the bot expert")
        version, checksum = _HEAD.unpack(data[len(_MAGIC) : start])
        if version != VERSION:
            raise BadSpec(f"{self.path} is of version {version}: this program resumes version {VERSION}")
        if blake2b(data[start:], digest_size=32).digest() != checksum:
            raise BadSpec(f"{self.path} is damaged: its checksum does not match")
        with np.load(io.BytesIO(data[start:]), allow_pickle=False) as kept:
            return dict(kept)

    def write(self, arrays: dict[str, Any]) -> None:
        """Write the arrays; after a crash at any moment the file holds either these or the previous ones."""
        body = io.BytesIO()
        np.savez(body, **arrays)
        data = body.getvalue()
        try:
            with replacing(self.path, "wb") as stream:
                stream.write(_MAGIC + _HEAD.pack(VERSION, blake2b(data, digest_size=32).digest()) + data)
        except OSError as error:
            raise BadSpec(f"{self.path} cannot be written: {error.strerror}") from error


_DROPPED: Final = 0.2
"""The first share of a run, left out of the average: its strategies are hardly better than random."""
_POINTS: Final = 10
"""Points of a curve."""
_KEPT_EVERY: Final = 60.0
"""Seconds between saves: the most that a crash can cost."""


@attrs.frozen
class Budget:
    """The length of a run: rounds if given, else minutes."""

    minutes: float
    rounds: int | None = None

    def spent(self, seconds: float, rounds: int) -> float:
        """Return the share spent; it may exceed 1."""
        return rounds / self.rounds if self.rounds is not None else seconds / 60 / self.minutes


def train(
    trainer: Trainer,
    checkpoint: Checkpoint,
    budget: Budget,
    *,
    cores: int = 1,
    advance: Callable[[float], None] = lambda share: None,
    point: Callable[[], None] = lambda: None,
) -> None:
    """Train until the budget is spent and save.

    `advance` is called after each round with the spent share of the budget, `point` after each tenth.
    """
    begun = kept = monotonic()
    first = trainer.round
    points = 0
    share = 0.0
    while share < 1:
        trainer.play_round(cores)
        now = monotonic()
        share = min(budget.spent(now - begun, trainer.round - first), 1.0)
        if not trainer.averaged_from and share >= _DROPPED:
            trainer.begin_average()
        if now - kept >= _KEPT_EVERY:
            kept = now
            checkpoint.write(trainer.state())
        if share * _POINTS >= points + 1:
            points += 1
            point()
        advance(share)
    checkpoint.write(trainer.state())
