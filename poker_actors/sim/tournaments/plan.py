"""A tournament of bots: entrants, times of entry, the seed of all luck, and a driver without actors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

import attrs

from poker_actors.bots import (
    Bot,
    BotSpec,
    Faults,
    HandStream,
    Hearing,
    SeedTree,
    decide,
    drawn_seed,
    peeking_bots,
    running,
)
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand, View, whole_chips
from poker_actors.sim.match import DEFAULT_BOTS
from poker_actors.sim.tournaments.director import Director
from poker_actors.sim.tournaments.field import HANDS_A_TABLE, Deal, Entrant
from poker_actors.sim.tournaments.result import TournamentResult, result_of
from poker_actors.sim.tournaments.structure import Structure

__all__ = [
    "DEFAULT_BOTS",
    "MOST_PLAYERS",
    "Progress",
    "TournamentPlan",
    "play_direct",
    "play_hand",
    "play_series",
]

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
            raise BadSpec(f"players is {players}: the maximum is {MOST_PLAYERS}")
        whole_chips("late players", late)
        if players - late < 2:
            raise BadSpec(f"{late} of {players} players come late: at least 2 must be there at the start")
        if late and not structure.late_until:
            raise BadSpec(f"{late} players come late: registration of {structure.name} closes at the start")
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
        raise BadSpec("no bot is given: a tournament needs at least one")
    for spec in specs:
        made: Bot = spec.make()
        if not callable(made):
            raise BadSpec(f"bot {spec} does not make a function of a view")
        if peeking_bots([made]):
            raise BadSpec(f"bot {spec} needs everybody's cards, which a tournament does not show")


Progress = Callable[[Director], None]
"""Called with the director after each reported hand."""


def play_direct(plan: TournamentPlan, progress: Progress | None = None) -> TournamentResult:
    """Play a whole tournament and return its result."""
    director = plan.director(start=True)
    tables = Tables(plan)
    with tables.running():
        while deals := director.deals:
            for deal in deals:
                hand = tables.play(deal)
                director.report(deal.number, hand.stacks, len(hand.log))
                if progress is not None:
                    progress(director)
    return result_of(director, plan.bot_of(), tables.faults)


def play_series(
    plans: Sequence[TournamentPlan], bots: Sequence[Bot], faults: Sequence[Faults]
) -> Iterator[tuple[Director, Deal, Hand]]:
    """Play tournaments of the same players one after another; yield each hand as it ends, with its director.

    The bots, one for each entrant, run from the first hand to the last: one that learns keeps learning, and
    an ejected one stays out. Their hand numbers grow from tournament to tournament.
    """
    tables = Tables(plans[0], bots, faults)
    with tables.running():
        for number, plan in enumerate(plans):
            tables.seat(plan, number * HANDS_A_TABLE)
            director = plan.director(start=True)
            while deals := director.deals:
                for deal in deals:
                    hand = tables.play(deal)
                    director.report(deal.number, hand.stacks, len(hand.log))
                    yield director, deal, hand


def play_hand(plan: TournamentPlan, deal: Deal) -> Hand:
    """Play one hand of a tournament from its `deal`; it is the same hand every time."""
    tables = Tables(plan)
    with tables.running():
        return tables.play(deal)


class Tables:
    """The bots of a tournament, made from its plan if they are not given, and the random streams of its hands."""

    def __init__(
        self, plan: TournamentPlan, bots: Sequence[Bot] | None = None, faults: Sequence[Faults] | None = None
    ) -> None:
        names = [entrant.name for entrant in plan.entrants]
        made = [spec.make() for spec in plan.bots] if bots is None else bots
        counted = [Faults() for _ in names] if faults is None else faults
        self._bots: Mapping[str, Bot] = dict(zip(names, made, strict=True))
        self.faults = dict(zip(names, counted, strict=True))
        self._numbers = {name: number for number, name in enumerate(names)}
        self._hearing: Hearing | None = None
        self.seat(plan)

    def seat(self, plan: TournamentPlan, before: int = 0) -> None:
        """Seat the same players for another plan; the hand numbers that bots see continue after `before`."""
        self._tree = plan.director().tree
        self._structure = plan.structure
        self._streams = {name: HandStream(self._tree, number) for name, number in self._numbers.items()}
        self._before = before

    def running(self) -> AbstractContextManager[None]:
        """Run bots that are programs while the block runs; raise `BadSpec` if one cannot start."""
        return running(list(self._bots.values()), list(self.faults.values()))

    def play(self, deal: Deal) -> Hand:
        """Play one hand to its end."""
        game = self._structure.game_at(deal.level)
        hand = Hand(
            deal.stacks,
            deal.stakes,
            deck=self._tree.deck(deal.number, game.pack),
            button=deal.positions.button,
            game=game,
            positions=deal.positions,
        )
        players = deal.players
        for seat in deal.positions.dealt:
            self._streams[players[seat] or ""].hand = self._before + deal.number
        hearing = self._hearing
        if hearing is None:  # not before the bots run: a program says in its hello whether it hears
            hearing = self._hearing = Hearing(list(self._bots.values()), list(self.faults.values()))
        dealt = deal.positions.dealt
        names = tuple([name if seat in dealt else None for seat, name in enumerate(players)])
        seated = [self._numbers.get(name or "", -1) for name in names]
        if hearing:
            hearing.started(self._before + deal.number, hand, seated, names)
        while hand.to_act:
            seat = hand.to_act[0]
            name = players[seat] or ""
            view = View(hand.public(), seat, hand.holes[seat], self._streams[name])
            hand.act(decide(self._bots[name], view, self.faults[name], self._before + deal.number))
        if hearing:
            hearing.over(self._before + deal.number, hand, seated, names)
        return hand
