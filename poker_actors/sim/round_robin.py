"""Round robin: every pair of bots plays a match, and bots are placed by all their matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final

import attrs

from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec
from poker_actors.sim.intervals import Estimate
from poker_actors.sim.match import Match
from poker_actors.sim.results import PlayerResult, SimulationResult
from poker_actors.sim.run import Adjust, Progress, Simulation

_MOST_BOTS: Final = 200
"""Makes 19,900 matches: more bots are a mistake."""


@attrs.frozen
class Pairing:
    """The match of two bots, by number; `result.players` are `one` and `other`, in this order."""

    one: int
    other: int
    result: SimulationResult

    def of(self, bot: int) -> PlayerResult | None:
        """Return a bot's figures; None if it did not play."""
        return {self.one: self.result.players[0], self.other: self.result.players[1]}.get(bot)


@attrs.frozen
class Standing:
    """A bot's result over all its matches."""

    place: int
    bot: int
    name: str
    won: int
    """matches won significantly, at 95 %"""
    lost: int
    """matches lost significantly, at 95 %"""
    net_chips: int
    bb_per_100: Estimate
    """the mean over its matches"""


@attrs.frozen
class RoundRobinResult:
    """All matches and the standings, the best first."""

    names: tuple[str, ...]
    hands: int
    """of each match"""
    seed: int
    pairings: tuple[Pairing, ...]

    def estimate(self, bot: int, against: int) -> Estimate | None:
        """Return the bb/100 that `bot` wins from `against`; None for itself."""
        for pairing in self.pairings:
            player = pairing.of(bot)
            if player is not None and pairing.of(against) is not None and bot != against:
                return player.judged
        return None

    @property
    def corrected(self) -> bool:
        """Whether all results are also known without the luck of the cards."""
        return all(pairing.result.corrected is not None for pairing in self.pairings)

    @property
    def engine(self) -> str:
        """Which engine played the matches, and why; if several did, how many matches each."""
        found = Counter(pairing.result.engine for pairing in self.pairings)
        if len(found) == 1:
            return next(iter(found))
        return "; ".join(f"{count} of the matches {words}" for words, count in found.most_common())

    @property
    def standings(self) -> tuple[Standing, ...]:
        """All bots, those that won most first."""
        rows = sorted((self._standing(bot) for bot in range(len(self.names))), key=lambda row: -row.net_chips)
        return tuple(attrs.evolve(row, place=place) for place, row in enumerate(rows, start=1))

    @property
    def chips_in(self) -> int:
        """Chips on the tables at the start of each hand, over all hands."""
        return sum(pairing.result.chips_in for pairing in self.pairings)

    @property
    def chips_out(self) -> int:
        """All chips at the end of each hand."""
        return sum(pairing.result.chips_out for pairing in self.pairings)

    def _standing(self, bot: int) -> Standing:
        players = [player for pairing in self.pairings if (player := pairing.of(bot))]
        found = [player.judged for player in players]
        margins = [estimate.margin or 0.0 for estimate in found]
        mean = sum(estimate.mean for estimate in found) / len(found)
        # the matches share decks but not the opponents' play: errors are added as if independent
        margin = sum(each**2 for each in margins) ** 0.5 / len(found)
        return Standing(
            0,
            bot,
            self.names[bot],
            sum(estimate.mean > margin for estimate, margin in zip(found, margins, strict=True)),
            sum(-estimate.mean > margin for estimate, margin in zip(found, margins, strict=True)),
            sum(player.net_chips for player in players),
            Estimate(mean, margin),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "format": "round-robin",
            "hands": self.hands,
            "seed": self.seed,
            "bots": list(self.names),
            "chips_in": self.chips_in,
            "chips_out": self.chips_out,
            "pairings": [
                {"bots": [pairing.one, pairing.other], "result": pairing.result.to_dict()}
                for pairing in self.pairings
            ],
            "standings": [attrs.asdict(standing) for standing in self.standings],
        }


class RoundRobin:
    """Every pair of `bots` plays `hands` hands, with the same decks for every pair.

    Common decks make the matches comparable: no bot meets its opponents with better cards. `engine`
    and the rest are those of `Simulation`; `not_compiled` holds the reasons for matches that the
    engine `batch` plays hand by hand. `settings` are those of `Match.of`. Raises as it does, and
    `BadSpec` for fewer than two bots or more than 200.
    """

    def __init__(
        self,
        bots: Sequence[str | BotSpec],
        hands: int,
        driver: str = "direct",
        workers: int = 1,
        *,
        engine: str = "auto",
        adjust: Adjust = False,
        **settings: Any,
    ) -> None:
        specs = [BotSpec.of(bot) for bot in bots]
        pairs = len(specs) * (len(specs) - 1) // 2
        if not 2 <= len(specs) <= _MOST_BOTS:
            raise BadSpec(f"bots: {len(specs)} given, a round robin takes 2 to {_MOST_BOTS}")
        first = Match.of(specs[:2], hands=hands, **settings)
        settings["seed"] = self.seed = first.seed
        self.specs: Final = specs
        self.hands: Final = hands
        self.pairs: Final = list(combinations(range(len(specs)), 2))
        self._simulations = [
            Simulation(
                Match.of([specs[one], specs[other]], hands=hands, **settings),
                driver,
                workers=workers,
                engine=engine,
                together=hands * pairs,
                adjust=adjust,
            )
            for one, other in self.pairs
        ]
        reasons = [simulation.not_compiled for simulation in self._simulations]
        self.not_compiled: Final = "; ".join(sorted(filter(None, set(reasons))))

    def run(self, progress: Progress | None = None) -> RoundRobinResult:
        """Play all matches; `progress` is called with the hands played since its last call."""
        names = tuple(str(spec) for spec in self.specs)
        return RoundRobinResult(names, self.hands, self.seed, tuple(self._played(progress)))

    def _played(self, progress: Progress | None) -> Iterator[Pairing]:
        for (one, other), simulation in zip(self.pairs, self._simulations, strict=True):
            yield Pairing(one, other, simulation.run(progress))
