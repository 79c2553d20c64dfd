"""Random deals for equities, each from its own number and the seed, and their results.

So a trial's cards do not depend on the other trials, and every engine deals the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from math import sqrt
from typing import Final

from attrs import define, field, frozen

from poker_actors.cards import Card
from poker_actors.evaluator.made import worth_keeping
from poker_actors.evaluator.ranking import Ranking


@frozen
class PlayerEquity:
    """One player's chances, each from 0 to 1.

    `win` is the chance to win alone, `tie` that to share the best hand, `share` the expected part of the pot (a tie of
    two counts half); `stderr` is the standard error of `share`, 0 if exact.
    """

    hand: str
    win: float
    tie: float
    share: float
    stderr: float


@frozen
class EquityResult:
    """Equities of all players, in the order asked.

    `boards` is the number of deals counted: all of them, for all pairings of the ranges, if `exact`, else the trials.
    `interrupted` tells whether the run was stopped early.
    """

    players: tuple[PlayerEquity, ...]
    boards: int
    exact: bool
    interrupted: bool = False


def summed_up(
    hands: Sequence[str],
    counts: Sequence[Sequence[float]],
    *,
    boards: int,
    exact: bool,
    interrupted: bool = False,
) -> EquityResult:
    """Return the result for counts: ``counts[player][winners]`` is how often a player was one of that many winners."""
    total = sum(count / winners for row in counts for winners, count in enumerate(row) if winners)
    players = []
    for hand, row in zip(hands, counts, strict=True):
        share = sum(count / winners for winners, count in enumerate(row) if winners) / total
        squares = sum(count / winners**2 for winners, count in enumerate(row) if winners) / total
        stderr = 0.0 if exact else sqrt(max(squares - share * share, 0.0) / boards)
        players.append(PlayerEquity(hand, row[1] / total, sum(row[2:]) / total, share, stderr))
    return EquityResult(tuple(players), boards, exact, interrupted)


MULTIPLY: Final = 6364136223846793005
"""With `ADD`, the linear congruential generator of Knuth's MMIX."""
ADD: Final = 1442695040888963407
GOLDEN: Final = 0x9E3779B97F4A7C15
MIX: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
SHIFT: Final = (30, 27, 31)
"""Constants of splitmix64 (Steele, Lea and Flood, 2014)."""
_WORD: Final = (1 << 64) - 1


def seed_start(seed: int) -> int:
    """Return 64 bits derived from a seed, any integer."""
    digest = blake2b(b"%d" % seed, digest_size=8, person=b"poker equity").digest()
    return int.from_bytes(digest, "little")


def start_of(start: int, trial: int) -> int:
    """Return the initial state of a trial: splitmix64 of its number."""
    state = (start + GOLDEN * (trial + 1)) & _WORD
    state = (state ^ state >> SHIFT[0]) * MIX[0] & _WORD
    state = (state ^ state >> SHIFT[1]) * MIX[1] & _WORD
    return state ^ state >> SHIFT[2]


Hand = tuple[Card, ...]


@define
class _Stub:
    """The cards left to deal, taken at random, and the discards."""

    state: int
    left: list[Card]
    thrown: list[Card] = field(factory=list)

    def take(self, count: int, never: set[Card]) -> Hand:
        """Take `count` cards not in `never`; if there are too few, mix in the discards first."""
        if sum([card not in never for card in self.left]) < count:
            self.left += self.thrown
            self.thrown = []
            if sum([card not in never for card in self.left]) < count:
                never = set()  # as at the table: getting a discard back is better than having no card
        taken: list[Card] = []
        while len(taken) < count:
            self.state = (self.state * MULTIPLY + ADD) & _WORD
            place = (self.state >> 32) * len(self.left) >> 32
            if self.left[place] not in never:
                taken.append(self.left[place])
                self.left[place] = self.left[-1]
                self.left.pop()
        return tuple(taken)


def drawings(
    ranking: Ranking, known: Sequence[Hand], size: int, stub: Sequence[Card], draws: int, seed: int
) -> Iterator[Sequence[Hand]]:
    """Yield the final hands of endless random deals, with an empty board; the same deals for the same seed.

    Incomplete hands are filled up first. Players do not get their own discards back unless cards run out.
    """
    start, trial = seed_start(seed), 0
    while True:
        cards = _Stub(start_of(start, trial), list(stub))
        trial += 1
        hands = [(*hand, *cards.take(size - len(hand), set())) for hand in known]
        never: list[set[Card]] = [set() for _ in hands]
        for _ in range(draws):
            for seat, hand in enumerate(hands):
                kept = worth_keeping(ranking, hand)
                gone = [card for card in hand if card not in kept]
                never[seat].update(gone)
                hands[seat] = kept + cards.take(len(gone), never[seat])
                cards.thrown += gone
        yield (*hands, ())
