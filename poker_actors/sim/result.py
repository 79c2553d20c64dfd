"""What a simulation comes to: figures by player, with intervals, and the digest of all hands."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import attrs

from poker_actors.bots import Faults
from poker_actors.sim.engines import Job
from poker_actors.sim.intervals import Estimate, estimate
from poker_actors.sim.record import digest_text
from poker_actors.sim.statistics import Sums, unpacked
from poker_actors.sim.table import table_text

__all__ = ["PlayerResult", "Share", "SimulationResult", "result_of"]


@attrs.frozen
class Share:
    """How often something happened: `count` of `of` times."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None when there was no occasion."""
        return self.count / self.of if self.of else None

    def __str__(self) -> str:
        return f"{100 * self.count / self.of:.1f} %" if self.of else "-"


@attrs.frozen
class PlayerResult:
    """One player's figures. Chips are whole, shares carry numerator and denominator."""

    seat: int
    bot: str
    hands: int
    net_chips: int
    bb_per_100: Estimate
    """big blinds won per 100 hands, with its 95 % margin, as if every hand were for itself"""
    bb_per_100_by_unit: Estimate | None
    """the same with the margin that the form of the match allows: by duplicate deck, by session"""
    counts: Mapping[str, int] = attrs.field(repr=False)
    """every counter of habits, see docs/simulation.md"""
    showdowns_won: int
    flops_won: int
    all_ins: int
    busts: int
    """hands that left it with nothing"""
    faults: Faults
    curve: tuple[int, ...] = attrs.field(repr=False)
    """winnings in chips as the hands went by, at equal distances"""

    def share(self, count: str, of: str) -> Share:
        """Give one counter out of another."""
        return Share(self.counts[count], self.counts[of])

    @property
    def vpip(self) -> Share:
        """Hands in which it put chips in of its own will before the flop."""
        return self.share("vpip", "hands")

    @property
    def pfr(self) -> Share:
        """Hands it raised before the flop."""
        return self.share("pfr", "hands")

    @property
    def wtsd(self) -> Share:
        """Went to showdown, of the hands in which it saw a flop."""
        return self.share("showdowns", "flops")

    @property
    def wsd(self) -> Share:
        """Won some or all of a pot at showdown (W$SD)."""
        return Share(self.showdowns_won, self.counts["showdowns"])

    @property
    def illegal_actions(self) -> int:
        """Times it gave no legal action, of whatever kind, and checked or folded instead."""
        return self.faults.total


@attrs.frozen
class SimulationResult:
    """What `hands` hands came to; equal when the same hands were played, however fast."""

    hands: int
    seed: int
    game: str
    driver: str = attrs.field(eq=False)
    form: str
    stakes: str
    stacks: tuple[int, ...]
    big_blind: int
    digest: str
    """32 hexadecimal digits: the sum of the hashes of every hand's record"""
    chips_in: int
    chips_out: int
    seconds: float = attrs.field(eq=False)
    players: tuple[PlayerResult, ...]
    hands_asked: int
    """more than `hands` when the run was interrupted"""

    @property
    def hands_per_second(self) -> float:
        """How fast they were played, statistics included."""
        return self.hands / self.seconds if self.seconds else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Give plain values for JSON; shares are 0 to 1, intervals `[low, high]`, None when unknown."""
        return {
            "hands": self.hands,
            "seed": self.seed,
            "game": self.game,
            "driver": self.driver,
            "form": self.form,
            "stakes": self.stakes,
            "stacks": list(self.stacks),
            "big_blind": self.big_blind,
            "hands_asked": self.hands_asked,
            "digest": self.digest,
            "chips_in": self.chips_in,
            "chips_out": self.chips_out,
            "seconds": self.seconds,
            "hands_per_second": self.hands_per_second,
            "players": [_player_dict(player) for player in self.players],
        }

    def __str__(self) -> str:
        return f"{self.headline}\n{table_text(self)}"

    @property
    def remarks(self) -> list[str]:
        """What is worth saying below the table: pairing, speed, chips, faults."""
        lines = []
        if self.players[0].bb_per_100_by_unit is not None:
            margins = [
                f"{player.bot} ± {player.bb_per_100_by_unit.margin:.1f}"
                for player in self.players
                if player.bb_per_100_by_unit is not None and player.bb_per_100_by_unit.margin is not None
            ]
            lines.append(f"bb/100 by {self.form} unit: {', '.join(margins) or 'too few units'}")
        lines.append(
            f"{self.hands_per_second:,.0f} hands/s, {self.driver} driver; "
            f"chips in {self.chips_in:,}, out {self.chips_out:,}"
        )
        lines += [
            f"seat {player.seat} {player.bot}: {player.illegal_actions} faults, the first: {player.faults.first}"
            for player in self.players
            if player.faults.first
        ]
        return lines

    @property
    def headline(self) -> str:
        """What was played, in one line."""
        asked = f" of {self.hands_asked:,}" if self.hands < self.hands_asked else ""
        return f"{self.hands:,}{asked} hands of {self.game} {self.stakes}, seed {self.seed}, digest {self.digest}"


def result_of(job: Job, sums: Sums, seconds: float) -> SimulationResult:
    """Work the figures out of the sums."""
    match = job.match
    net = sums.net
    habits = _habits_by_bot(sums)
    big_blind = match.stakes.big_blind or match.stakes.min_bet
    points = [sums.curve[point] for point in sorted(sums.curve)]
    players = [
        PlayerResult(
            seat=number,
            bot=str(spec),
            hands=habits[number]["hands"],
            net_chips=net[number],
            bb_per_100=estimate(sums.hands, net[number], sums.squares[number]).scaled(100 / big_blind),
            bb_per_100_by_unit=_by_unit(sums, number, net[number], match.unit, 100 / big_blind),
            counts=habits[number],
            showdowns_won=sums.showdowns_won[number],
            flops_won=sums.flops_won[number],
            all_ins=sums.all_ins[number],
            busts=sums.busts[number],
            faults=sums.faults[number],
            curve=tuple(accumulate(point[number] for point in points)),
        )
        for number, spec in enumerate(match.bots)
    ]
    return SimulationResult(
        hands=sums.hands,
        seed=match.seed,
        game=match.game.name,
        driver=job.driver,
        form=match.form.name,
        stakes=str(match.stakes),
        stacks=match.stacks,
        big_blind=big_blind,
        digest=digest_text(sums.digest),
        chips_in=sums.chips_in,
        chips_out=sums.chips_out,
        seconds=seconds,
        players=tuple(players),
        hands_asked=match.hands,
    )


def _by_unit(sums: Sums, bot: int, net: int, unit: int, scale: float) -> Estimate | None:
    if unit == 1:
        return None
    return estimate(sums.units, net, sums.unit_squares[bot]).scaled(scale / unit)


def _habits_by_bot(sums: Sums) -> list[dict[str, int]]:
    totals = [0] * sums.size
    for (_, who, _), row in sums.habits.items():
        for bot, packed in zip(who, row, strict=True):
            totals[bot] += packed
    return [unpacked(total) for total in totals]


def _player_dict(player: PlayerResult) -> dict[str, Any]:
    return {
        "seat": player.seat,
        "bot": player.bot,
        "hands": player.hands,
        "net_chips": player.net_chips,
        "bb_per_100": player.bb_per_100.mean,
        "bb_per_100_ci95": _interval(player.bb_per_100),
        "bb_per_100_ci95_by_unit": _interval(player.bb_per_100_by_unit),
        "vpip": player.vpip.value,
        "pfr": player.pfr.value,
        "wtsd": player.wtsd.value,
        "wsd": player.wsd.value,
        "showdowns": player.counts["showdowns"],
        "showdowns_won": player.showdowns_won,
        "flops_won": player.flops_won,
        "all_ins": player.all_ins,
        "busts": player.busts,
        "illegal_actions": player.illegal_actions,
        "faults": attrs.asdict(player.faults),
        "counts": dict(player.counts),
        "winnings": list(player.curve),
    }


def _interval(estimate: Estimate | None) -> list[float] | None:
    return None if estimate is None or estimate.interval is None else list(estimate.interval)
