"""The strategy table of the bot `expert` and its file: weights of actions by situation and class of cards.

A file holds a magic line, a version, a checksum and packed arrays: the situations in order, and for each class of each
situation a weight of four bits per action. Rows that training hardly reached have no weights at all.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

from poker_actors.atomic import read_whole
from poker_actors.bots.expert.situation import ACTIONS, APART, BUCKETS, ROUGH, SITUATIONS, rough, street_of
from poker_actors.errors import BadSpec, from_extra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MAGIC: Final = b"poker-actors expert\n"
VERSION: Final = 3
"""Version of the file. It covers situations and classes: new bins would misread old tables."""
_HEAD: Final = Struct("<B16sI")
"""Version, checksum of the body, number of situations."""
_SHIPPED: Final = Path(__file__).with_name("holdem.strategy")
MOST_WEIGHT: Final = 15
"""The largest weight that fits in four bits."""


class StrategyTable:
    """Weights of actions by situation and class.

    `weights` is uint8 of shape (rows, ACTIONS), with a row for each class of each situation, in order. Raises `BadSpec`
    if their numbers disagree.
    """

    def __init__(self, situations: NDArray[np.int32], weights: NDArray[np.uint8]) -> None:
        self.situations: Final = situations
        self.weights: Final = weights
        self._starts: dict[int, int] = {}
        start = 0
        for situation in situations.tolist():
            self._starts[situation] = start
            start += BUCKETS[street_of(situation)]
        if start != len(weights):
            raise BadSpec(f"a table of {len(weights)} rows for situations of {start}")

    def start(self, situation: int) -> int:
        """Return the index of the first row of a situation, or of its rough form; -1 if training saw neither."""
        found = self._starts.get(situation)
        return self._starts.get(rough(situation), -1) if found is None else found

    @cached_property
    def starts(self) -> NDArray[np.int32]:
        """`start` of every situation, int32 of shape (SITUATIONS,)."""
        import numpy as np

        found = np.full(SITUATIONS, -1, np.int32)
        for situation, start in self._starts.items():
            if 0 <= situation < SITUATIONS:
                found[situation] = start
        # rough forms fill a first block of ROUGH + 1 numbers after the flop; before it they lack APART
        all_boards, opening = found.reshape(-1, ROUGH + 1), found[APART::4]
        np.copyto(all_boards, all_boards[0], where=(all_boards < 0) & (np.arange(ROUGH + 1) & 3 > 0))
        np.copyto(opening, found[: SITUATIONS - APART : 4], where=opening < 0)
        return found

    @property
    def rows(self) -> int:
        """Return the number of rows with weights."""
        return int(self.weights.any(axis=1).sum())

    def to_bytes(self) -> bytes:
        """Return the bytes of the file."""
        import lzma

        planes = self.weights.T
        if len(self.weights) % 2:
            import numpy as np

            planes = np.concatenate([planes, np.zeros((ACTIONS, 1), np.uint8)], axis=1)
        nibbles = planes[:, 0::2] << 4 | planes[:, 1::2]
        packed = self.situations.astype("<i4").tobytes() + nibbles.tobytes()
        body = lzma.compress(packed, preset=9 | lzma.PRESET_EXTREME)
        checksum = blake2b(body, digest_size=16).digest()
        return _MAGIC + _HEAD.pack(VERSION, checksum, len(self.situations)) + body

    @classmethod
    def from_bytes(cls, data: bytes, name: str) -> StrategyTable:
        """Read the bytes of the file `name`; raises `BadSpec` if they are damaged, of another version or not a table."""
        start = len(_MAGIC) + _HEAD.size
        if data[: len(_MAGIC)] != _MAGIC or len(data) < start:
            raise BadSpec(f"{name} is not a table of the bot expert")
        version, checksum, number = _HEAD.unpack(data[len(_MAGIC) : start])
        if version != VERSION:
            raise BadSpec(f"{name} is a table of version {version}: this program reads version {VERSION}")
        if blake2b(data[start:], digest_size=16).digest() != checksum:
            raise BadSpec(f"{name} is damaged: its checksum does not match")
        import lzma

        return cls(*_unpacked(lzma.decompress(data[start:]), number))


def _unpacked(packed: bytes, number: int) -> tuple[Any, Any]:
    import numpy as np

    situations = np.frombuffer(packed, "<i4", number).astype(np.int32)
    rows = sum([BUCKETS[street_of(situation)] for situation in situations.tolist()])
    nibbles = np.frombuffer(packed, np.uint8, offset=4 * number).reshape(ACTIONS, -1)
    planes = np.empty((ACTIONS, 2 * nibbles.shape[1]), np.uint8)
    planes[:, 0::2], planes[:, 1::2] = nibbles >> 4, nibbles & MOST_WEIGHT
    return situations, np.ascontiguousarray(planes[:, :rows].T)


def shipped_table() -> StrategyTable:
    """Return the table shipped with the package, read once per process; raises `MissingExtra` without numpy."""
    return table_of(str(_SHIPPED))


@lru_cache(maxsize=4)
def table_of(file: str) -> StrategyTable:
    """Return the table in a file, cached; raises `MissingExtra` without numpy, `BadSpec` for a bad file."""
    with from_extra("fast", "numpy"):
        import numpy  # noqa: F401, ICN001  # only tests that it is installed
    path = Path(file)
    try:
        data = read_whole(path)
    except OSError as error:
        raise BadSpec(f"{file} cannot be read: {error.strerror}") from error
    return StrategyTable.from_bytes(data, path.name)
