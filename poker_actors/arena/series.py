"""A match of sit-and-gos: the same players, tournament after tournament, and what each won on its buy-ins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from poker_actors.arena.settings import ArenaSettings
from poker_actors.arena.state import Score
from poker_actors.bots import Bot, BotSpec, Faults, OutsideBot, SeedTree
from poker_actors.rules import Hand
from poker_actors.sim.results import PositionResult, digest_text, positions_by_bot
from poker_actors.sim.statistics import Tally
from poker_actors.sim.tournaments import Director, Structure, TournamentPlan, play_series

POINTS: Final = 20
"""Points of the curve of a match."""

Told = Callable[[int, Hand, Sequence[int], Sequence[Bot]], None]
"""Called with each hand: its number in the match, who played it by seat, and the bots."""


def sit_and_gos(
    players: Sequence[BotSpec],
    settings: ArenaSettings,
    seed: int,
    tournaments: int,
    faults: Sequence[Faults],
    told: Told,
) -> Score:
    """Play some sit-and-gos of the same players; the results are prizes less buy-ins, in percent of one.

    Raises `BadSpec` for a program that does not start or cannot play tournaments.
    """
    structure = settings.structure(len(players))
    _check(players, settings, structure)
    tree = SeedTree(seed)
    plans = [
        TournamentPlan.of(structure, len(players), players, seed=tree.rng(number, 0).getrandbits(128))
        for number in range(tournaments)
    ]
    names = {entrant.name: number for number, entrant in enumerate(plans[0].entrants)}
    bots = [spec.make() for spec in players]
    tally = Tally(len(players), 1 << 40)
    rows: list[list[int]] = []
    director: Director | None = None
    who: tuple[int, ...] = ()
    for number, (found, deal, hand) in enumerate(play_series(plans, bots, faults)):
        if found is not director:  # the first hand of a tournament: everybody is there
            director, who = found, tuple(names[name or ""] for name in deal.players)
        tally.count(number, hand, who)
        told(number, hand, who, bots)
        if director.winner is not None:
            prizes = {each.name: each.prize for each in director.players.values()}
            rows.append([100 * prizes[name] // structure.buy_in - 100 for name in names])
    sums = tally.take()
    positions = positions_by_bot(sums, structure.stakes(0).big_blind, apart=False)
    return _score(
        rows,
        hands=sums.hands,
        digest=digest_text(sums.digest),
        positions=tuple(map(plain_positions, positions)),
        faults=tuple(map(plain_faults, faults)),
        seconds=tuple(account.used.seconds for account in faults),
    )


def _check(players: Sequence[BotSpec], settings: ArenaSettings, structure: Structure) -> None:
    for spec in players:
        kind = spec.source.factory
        if isinstance(kind, type) and issubclass(kind, OutsideBot):
            stacks = (structure.stack,) * len(players)
            kind.check_seat(spec.values, settings.rules.name, structure.stakes(0), stacks)


def _score(rows: Sequence[Sequence[int]], **known: Any) -> Score:
    """Make the score from what each player won in every tournament."""
    count, players = len(rows), range(len(rows[0]))
    means = tuple(sum(row[player] for row in rows) / count for player in players)
    covariance = None
    if count > 1:
        off = [[row[player] - means[player] for player in players] for row in rows]
        covariance = tuple(
            tuple(sum(row[one] * row[other] for row in off) / (count - 1) / count for other in players)
            for one in players
        )
    points = sorted({max(1, count * point // POINTS) for point in range(1, POINTS + 1)})
    best = [max(row) for row in rows]
    return Score(
        tournaments=count,
        units=count,
        freedom=max(count - 1, 0),
        means=means,
        raw_means=means,
        covariance=covariance,
        net=tuple(sum(row[player] for row in rows) for player in players),
        won=tuple(
            float(sum(row[player] == most for row, most in zip(rows, best, strict=True)))
            for player in players
        ),
        beaten=beaten_in(rows),
        curve=tuple(
            tuple(sum(row[player] for row in rows[:point]) / point for point in points) for player in players
        ),
        **known,
    )


def beaten_in(rows: Sequence[Sequence[int]]) -> tuple[tuple[float, ...], ...]:
    """Return in how many rows each player did better than each of the others; a tie counts half."""
    if not rows:
        return ()
    players = range(len(rows[0]))
    return tuple(
        tuple(
            0.0
            if one == other
            else sum((row[one] > row[other]) + (row[one] == row[other]) / 2 for row in rows)
            for other in players
        )
        for one in players
    )


def plain_positions(places: Iterable[PositionResult]) -> dict[str, list[Any]]:
    """Return results by position as a score keeps them."""
    return {
        place.position: [place.hands, place.net_chips, {name: n for name, n in place.counts.items() if n}]
        for place in places
    }


def plain_faults(faults: Faults) -> dict[str, Any]:
    """Return the faults without times and places, which differ from machine to machine."""
    kept: dict[str, Any] = dict(faults.by_kind)
    if faults.first:
        kept |= {"first": faults.first, "first_hand": faults.first_hand}
    if faults.ejected is not None:
        kept["ejected"] = faults.ejected
    return kept
