"""The direct driver: a tournament played by the rules and the bots in one loop, without actors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

from poker_actors.bots import Bot, Faults, HandStream, Hearing, decide, running
from poker_actors.rules import Hand, View
from poker_actors.sim.tournaments.director import Director
from poker_actors.sim.tournaments.field import HANDS_A_TABLE, Deal
from poker_actors.sim.tournaments.plan import TournamentPlan
from poker_actors.sim.tournaments.result import TournamentResult, result_of

__all__ = ["Progress", "play_direct", "play_hand", "play_series"]

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
    """Play tournaments of the same players one after another; yield each hand as it ends, with its director, which knows it.

    The bots, one for each entrant, run from the first hand to the last, so that one that learns goes on learning, and one
    that is ejected is out of all that follow. For them hands have numbers that grow from tournament to tournament.
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
        """Go on with the hands of a plan of the same players; to the bots their numbers begin after `before`."""
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
