"""A tournament of bots: the entrants, their times of entry, and the one seed behind all randomness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import attrs

from poker_actors.bots import Bot, BotSpec, SeedTree, drawn_seed, peeking_bots
from poker_actors.errors import BadSpec
from poker_actors.rules import whole_chips
from poker_actors.sim.tournaments.director import Director
from poker_actors.sim.tournaments.field import Entrant
from poker_actors.sim.tournaments.structure import Structure

__all__ = ["DEFAULT_BOTS", "MOST_PLAYERS", "TournamentPlan"]

DEFAULT_BOTS: Final = ("tight", "loose", "pot-odds", "caller", "maniac", "random")
"""Six different styles of play, none of them slow."""

MOST_PLAYERS: Final = 10_000
"""About the size of the largest live fields; a plan lists each player."""

_LATECOMERS: Final = -2
"""The stream of latecomers in the seed tree; seat draws have -1, bots count from 0."""


@attrs.frozen
class TournamentPlan:
    """All that determines a tournament of bots. Make one with `TournamentPlan.of`.

    Player n, from 0, is `entrants[n]`, played by `bots[n]`.
    """

    structure: Structure
    seed: int
    entrants: tuple[Entrant, ...]
    bots: tuple[BotSpec, ...]

    @classmethod
    def of(
        cls,
        structure: Structure,
        players: int,
        bots: Sequence[str | BotSpec | Callable[..., Any]] = DEFAULT_BOTS,
        *,
        seed: int | None = None,
        late: int = 0,
        rebuys: int = 0,
        add_on: bool = False,
    ) -> TournamentPlan:
        """Plan for `players` players, played by `bots` in turn; raise `BadSpec` or `UnknownBot`.

        The last `late` of them enter during late registration, at times drawn from the seed. Each takes
        up to `rebuys` rebuys, and with `add_on` the add-on. `seed` is any integer; None draws one.
        """
        whole_chips("players", players, least=2)
        if players > MOST_PLAYERS:
            raise BadSpec(f"players is {players}: the most is {MOST_PLAYERS}")
        whole_chips("late players", late)
        if players - late < 2:
            raise BadSpec(f"{late} of {players} players come late: at least 2 are there at the start")
        if late and not structure.late_until:
            raise BadSpec(f"{late} players come late: registration of {structure.name} closes with the start")
        if add_on and not structure.add_on_stack:
            raise BadSpec(f"{structure.name} has no add-on")
        if seed is not None and type(seed) is not int:
            raise BadSpec(f"seed {seed!r:.40} is not a whole number")
        drawn = drawn_seed() if seed is None else seed
        specs = [BotSpec.of(each) for each in ([bots] if isinstance(bots, str) else bots)]
        _check_bots(specs)
        open_until = structure.late_until * structure.length
        luck = SeedTree(drawn).rng(0, _LATECOMERS)
        times = [0] * (players - late) + sorted(luck.randrange(1, open_until) for _ in range(late))
        digits = len(str(players))
        entrants = tuple(
            Entrant(f"player {number:0{digits}d}", at, rebuys, add_on)
            for number, at in enumerate(times, start=1)
        )
        plan = cls(structure, drawn, entrants, tuple(specs[number % len(specs)] for number in range(players)))
        plan.director()
        return plan

    def director(self, *, start: bool = False) -> Director:
        """Return a director with all entrants; `start` deals the first hands."""
        director = Director(self.structure, self.seed)
        for entrant in self.entrants:
            director.enter(entrant)
        if start:
            director.start()
        return director

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; `from_dict` can read them if the bots were given as texts."""
        return {
            "structure": self.structure.to_dict(),
            "seed": self.seed,
            "entrants": [list(attrs.astuple(entrant)) for entrant in self.entrants],
            "bots": [str(bot) for bot in self.bots],
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> TournamentPlan:
        """Read the values of `to_dict`; raise `BadSpec` or `UnknownBot` for others."""
        try:
            specs = {text: BotSpec.parse(text) for text in plain["bots"]}
            return cls(
                Structure.from_dict(plain["structure"]),
                plain["seed"],
                tuple(Entrant(*entrant) for entrant in plain["entrants"]),
                tuple(specs[text] for text in plain["bots"]),
            )
        except (KeyError, TypeError) as error:
            raise BadSpec(f"the plan of a tournament cannot be read: {error}") from None

    def bot_of(self) -> dict[str, BotSpec]:
        """Return each player's bot."""
        return {entrant.name: bot for entrant, bot in zip(self.entrants, self.bots, strict=True)}


def _check_bots(specs: Sequence[BotSpec]) -> None:
    if not specs:
        raise BadSpec("no bot is given: somebody has to play")
    for spec in specs:
        made: Bot = spec.make()
        if not callable(made):
            raise BadSpec(f"bot {spec}: what it makes is not a function of a view")
        if peeking_bots([made]):
            raise BadSpec(f"bot {spec} looks at everybody's cards: a tournament does not show them")
