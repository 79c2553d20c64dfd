"""A desk: the settings of a game as numbers, and the memory that compiled code works in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import attrs
import numpy as np

from poker_actors.bots.expert import shipped_table, table_of
from poker_actors.bots.house import starting_ranks
from poker_actors.cards import STANDARD_DECK
from poker_actors.evaluator.fast.tables import CARD_WORDS, flush_table, hand_tables
from poker_actors.evaluator.order import SHORT_DECK, STANDARD
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.decks import SCRATCH_WORDS, deck_groups
from poker_actors.learn.compiled.expert import EXPERT_WORDS, KNOWN
from poker_actors.rules import GAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from poker_actors.learn.policies import Policy
    from poker_actors.learn.table import Setting
    from poker_actors.rules import Game, Stakes

_SIZES: Final = {"min": -1.0, "all-in": -2.0}
_BETTING: Final = {
    GAMES["holdem"].betting: row.NO_LIMIT,
    GAMES["pot-limit-holdem"].betting: row.POT_LIMIT,
    GAMES["limit-holdem"].betting: row.FIXED_LIMIT,
}


_SCRATCH: Final = SCRATCH_WORDS + row.STATE_WORDS


@attrs.frozen
class Table:
    """The settings that a desk needs at a table without learners; actions name totals."""

    game: Game
    """one that `Setting.compiles` accepts"""
    stakes: Stakes
    stacks: tuple[int, ...]
    sizes: None = None

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return len(self.stacks)


def log_size(played: Table | Setting) -> int:
    """Return an upper bound on the actions of a hand: full raises, each answered by all, and checks on each street."""
    return played.players * (max(played.stacks) // played.stakes.min_bet + 10 * played.players)


@cache
def _ranks() -> NDArray[np.float64]:
    ranks = np.zeros(64 * 64, np.float64)
    for cards, rank in starting_ranks(STANDARD_DECK).items():
        ranks[cards] = rank
    return ranks


class Desk:
    """The argument of compiled code: `numbers`, one int64 array with the settings and the addresses of all arrays.

    The desk keeps those arrays alive: hold on to it for as long as compiled code may run, or it reads freed memory.
    `rows` are the tables, int64 of shape (tables, numbers of a row).
    """

    def __init__(
        self, setting: Table | Setting, tables: int, log_size: int, policies: Sequence[Policy] = ()
    ) -> None:
        self.numbers: Final[NDArray[np.int64]] = np.zeros(row.DESK, np.int64)
        self._kept: dict[int, Any] = {}
        self._taught: list[Any] = []
        self._play(setting)
        self._rank(SHORT_DECK if len(setting.game.pack) < len(STANDARD_DECK) else STANDARD)
        numbers = self.numbers
        numbers[row.LOG_AT] = row.PLACES + row.PLACE * setting.players
        if any(policy.draws for policy in policies):
            numbers[row.LUCK_AT] = numbers[row.LOG_AT]
            numbers[row.LOG_AT] += row.LUCK * setting.players
        numbers[row.LEARNER] = -1
        if policies:
            self._seat(policies)
        # a power of two: `_note` wraps the log with a mask
        numbers[row.LOG_SIZE] = 1 << max(log_size - 1, 0).bit_length()
        numbers[row.ROW_SIZE] = numbers[row.LOG_AT] + numbers[row.LOG_SIZE]
        self.rows: Final = np.zeros((tables, int(numbers[row.ROW_SIZE])), np.int64)
        self.rows[:, row.HAND] = -1
        self.point(row.ROWS, self.rows)
        scratch = np.zeros(_SCRATCH, np.uint64)
        self.luck: Final = scratch[SCRATCH_WORDS:]
        """the generator's state; where bots have no luck of their own its first word is the state of the desk's luck"""
        self.point(row.SCRATCH, scratch)
        numbers[row.LAST] = tables

    def point(self, place: int, array: NDArray[Any]) -> None:
        """Store an array's address in the desk and keep the array; the caller must choose its type and size."""
        assert array.flags.c_contiguous, "compiled code takes what is next to each other"
        self.numbers[place] = array.ctypes.data
        self._kept[place] = array  # an address keeps nothing alive

    def seed(self, table: int, key: bytes) -> None:
        """Start a series of hands at a table, with decks derived from `key`, 32 bytes."""
        row_of_it = self.rows[table]
        row_of_it[row.KEY : row.KEY + row.DECK_WORDS] = np.frombuffer(key, np.int64)
        row_of_it[row.HAND] = row_of_it[row.DECKS_FIRST] = -1

    def give(self, place: int, shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
        """Return a new array of zeros that compiled code reads or writes."""
        array = np.zeros(shape, kind)
        self.point(place, array)
        return array

    def parts(self, number: int) -> list[Desk]:
        """Return `number` desks, one per thread, each with its share of the tables.

        Call it last: the numbers are copied, and an address set later would be 0 in the copies.
        """
        desks = [self, *(self._share() for _ in range(number - 1))]
        ends = [len(self.rows) * part // number for part in range(number + 1)]
        for desk, first, last in zip(desks, ends, ends[1:], strict=False):
            desk.numbers[row.FIRST], desk.numbers[row.LAST] = first, last
        return desks

    def _share(self) -> Desk:
        """Return a desk for another thread: the same tables, its own scratch space.

        Threads run without the GIL and without locks. They write disjoint rows and disjoint parts of the caller's
        arrays; scratch space is the only memory that two threads would both write.
        """
        other = Desk.__new__(Desk)
        other.numbers, other.rows = self.numbers.copy(), self.rows  # type: ignore[misc]  # built here
        other._kept = {row.ROWS: self}  # the copied addresses are valid while the first desk lives
        other.point(row.SCRATCH, np.zeros(_SCRATCH, np.uint64))
        if other.numbers[row.EXPERT_AT]:
            other._room()
        return other

    def _play(self, setting: Table | Setting) -> None:
        numbers, stakes = self.numbers, setting.stakes
        numbers[row.SEATS] = setting.players
        numbers[row.SMALL], numbers[row.BIG] = stakes.small_blind, stakes.big_blind
        numbers[row.ANTE], numbers[row.BIG_ANTE] = stakes.ante, stakes.big_blind_ante
        numbers[row.STRADDLE], numbers[row.MIN_BET] = stakes.straddle, stakes.min_bet
        numbers[row.BETTING] = _BETTING[setting.game.betting]
        numbers[row.CAP] = setting.game.bets_per_street
        numbers[row.STACKS : row.STACKS + setting.players] = setting.stacks
        values = () if setting.sizes is None else setting.sizes.values
        numbers[row.SIZES] = len(values)
        sizes = [_SIZES[value] if isinstance(value, str) else value for value in values]
        self.point(row.SIZES_AT, np.array(sizes, np.float64))
        game = setting.game
        numbers[row.HOLE], numbers[row.PACK] = game.hole_cards, len(game.pack)
        groups = deck_groups(game.cards_needed(setting.players, len(game.pack)), len(game.pack))
        numbers[row.GROUPS] = len(groups)
        flat = [number for group in groups for number in group]
        numbers[row.GROUPS + 1 : row.GROUPS + 1 + len(flat)] = np.array(flat, np.uint64).view(np.int64)

    def _seat(self, policies: Sequence[Policy]) -> None:
        files = sorted({one.table for one in policies if one.kind == row.EXPERT})
        told = [
            (one.kind, one.first, files.index(one.table) if one.kind == row.EXPERT else one.bluff, one.value)
            for one in policies
        ]
        self.point(row.POLICIES_AT, np.array(told, np.float64))
        self.point(row.RANKS_AT, _ranks())
        if files:
            self._teach(files)

    def _teach(self, files: Sequence[str]) -> None:
        """Load the experts' strategy tables and the arrays they judge cards by; raises `BadSpec` for a bad file."""
        from poker_actors.bots.expert.compiled import class_tables

        known = self.give(row.KNOWN_AT, (len(files), KNOWN), np.int64)
        for number, file in enumerate(files):
            table = table_of(file) if file else shipped_table()
            known[number] = table.starts.ctypes.data, table.weights.ctypes.data
            self._taught.append(table)
        arrays = [array for part in class_tables() for array in part]
        for place, array in enumerate(arrays):
            self.point(row.CLASSES_AT + place, array)
        self._room()

    def _room(self) -> None:
        """Allocate the experts' scratch space."""
        self.give(row.EXPERT_AT, (EXPERT_WORDS,), np.int64)

    def _rank(self, scale: int) -> None:
        self.point(row.STRENGTH_KEYS, CARD_WORDS)
        for place, cards in enumerate((5, 6, 7)):
            tables = hand_tables(cards, scale)
            self.point(row.STRENGTHS + 2 * place, tables.start)
            self.point(row.STRENGTHS + 2 * place + 1, tables.ranked)
            self.point(row.STRENGTH_LOW, tables.place)
        self.point(row.FLUSHES, flush_table(scale))

    def show(self, setting: Setting, kind: int, seen: NDArray[Any]) -> None:
        """Set the kind of observations and their array: float32 or int32, a row per table."""
        numbers, layout = self.numbers, setting.layout
        numbers[row.SEEN] = kind
        numbers[row.SEEN_SIZE] = seen.shape[-1]
        numbers[row.SEEN_LIVE] = layout.start("live")
        numbers[row.SEEN_HISTORY] = layout.start("history")
        numbers[row.SEEN_ROWS] = layout.rows
        self.point(row.SEEN_AT, seen)
