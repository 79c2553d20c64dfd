"""Convert results to and from plain values and files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs

from poker_actors.atomic import read_whole, replacing
from poker_actors.bots import Faults
from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json
from poker_actors.sim.intervals import Estimate
from poker_actors.sim.judging import Estimates, Judgement, Separation, Sequential
from poker_actors.sim.results.bootstrap import bootstrap
from poker_actors.sim.results.figures import (
    Habits,
    PlayerResult,
    PositionResult,
    RunFigures,
    Share,
    StreetHabits,
)
from poker_actors.sim.statistics import COUNTERS

_COPIED = (
    "hands",
    "seed",
    "game",
    "driver",
    "form",
    "stakes",
    "big_blind",
    "hands_asked",
    "digest",
    "chips_in",
    "chips_out",
    "rake",
    "seconds",
)
_PLAYER_COPIED = (
    "seat",
    "bot",
    "hands",
    "net_chips",
    "seconds_per_decision",
)
_COUNTED = ("showdowns_won", "flops_won", "all_ins", "busts", "aggression_factor", "illegal_actions")
"""Written for other readers of the file; `load` computes them again."""
_READERS = {"raw": Estimates.from_dict, "corrected": Estimates.from_dict, "decision": Sequential.from_dict}
"""What may be None, or missing from a file of an earlier version."""


def plain_result(result: RunFigures) -> dict[str, Any]:
    """Return a result as plain values for JSON."""
    drawn = bootstrap(result)
    intervals = [None] * len(result.players) if drawn is None else [list(ends) for ends in drawn.intervals]
    judged = "_adjusted" if result.corrected is not None else ""
    judgement, planned = result.judgement, result.plan()
    return {
        **{name: getattr(result, name) for name in _COPIED},
        "stacks": list(result.stacks),
        "blocks": list(result.blocks),
        "stretches": list(result.blocks),
        "engine": result.engine,
        "hands_per_second": result.hands_per_second,
        "time_outs": result.time_outs,
        "players": [
            {**_plain_player(player), f"bb_per_100_bootstrap95{judged}": interval}
            for player, interval in zip(result.players, intervals, strict=True)
        ],
        "raw": None if result.raw is None else result.raw.to_dict(),
        "corrected": None if result.corrected is None else result.corrected.to_dict(),
        "decision": None if result.decision is None else attrs.asdict(result.decision),
        "ranks": None if judgement is None else _plain_ranks(result, judgement),
        "separations": [] if judgement is None else [_plain_separation(pair) for pair in judgement.pairs],
        "plan": None if planned is None else planned.to_dict(),
    }


def _plain_ranks(result: RunFigures, judgement: Judgement) -> dict[str, Any]:
    return {
        "level": 0.95,
        "method": judgement.method,
        "critical": judgement.critical,
        "estimator": "raw" if result.corrected is None else "corrected",
        "players": [
            {"seat": player.seat, "bot": player.bot, "best": best, "worst": worst}
            for player, (best, worst) in zip(result.players, judgement.ranks, strict=True)
        ],
    }


def _plain_separation(pair: Separation) -> dict[str, Any]:
    names = ("better", "worse", "p", "separated", "equal", "hands_needed")
    return {name: getattr(pair, name) for name in names} | _plain_estimate("bb_per_100", "", pair.difference)


def _plain_player(player: PlayerResult) -> dict[str, Any]:
    return {
        **{name: getattr(player, name) for name in (*_PLAYER_COPIED, *_COUNTED)},
        **_plain_estimate("bb_per_100", "", player.bb_per_100),
        **_plain_estimate("bb_per_100", "_by_unit", player.bb_per_100_by_unit),
        **_plain_estimate("bb_per_100", "_adjusted", player.bb_per_100_adjusted),
        **_plain_estimate("bb_per_100", "_controlled", player.bb_per_100_controlled),
        "vpip": player.vpip.value,
        "pfr": player.pfr.value,
        "wtsd": player.wtsd.value,
        "wsd": player.wsd.value,
        "showdowns": player.counts["showdowns"],
        "statistics": _plain_statistics(player),
        "streets": {each.street: _plain_street(each) for each in player.streets},
        "positions": [
            {
                "position": place.position,
                "hands": place.hands,
                "net_chips": place.net_chips,
                **_plain_estimate("bb_per_100", "", place.bb_per_100),
                "statistics": _plain_statistics(place),
                "streets": {each.street: _plain_street(each) for each in place.streets},
                "counts": dict(place.counts),
            }
            for place in player.positions
        ],
        "time_outs": player.faults.late,
        "faults": player.faults.to_dict(),
        "counts": dict(player.counts),
        "winnings": list(player.curve),
        "units_won": None if player.won is None else list(player.won),
        "winnings_adjusted": None if player.corrected_curve is None else list(player.corrected_curve),
    }


def _plain_statistics(habits: Habits) -> dict[str, Any]:
    return {name: _plain_share(share) for name, share in habits.statistics.items()}


def _plain_street(street: StreetHabits) -> dict[str, Any]:
    names = ("raises", "calls", "folds", "checks", "aggression_factor")
    return {name: getattr(street, name) for name in names}


def _plain_share(share: Share) -> dict[str, Any]:
    return attrs.asdict(share) | {"value": share.value}


def _plain_estimate(name: str, kind: str, estimate: Estimate | None) -> dict[str, Any]:
    interval = None if estimate is None else estimate.interval
    return {
        f"{name}{kind}": None if estimate is None else estimate.mean,
        f"{name}_margin95{kind}": None if estimate is None else estimate.margin,
        f"{name}_ci95{kind}": None if interval is None else list(interval),
    }


def _estimate(value: dict[str, Any], kind: str) -> Estimate | None:
    mean = value[f"bb_per_100{kind}"]
    return None if mean is None else Estimate(mean, value[f"bb_per_100_margin95{kind}"])


def save_result(result: RunFigures, path: Path) -> None:
    """Write a result as JSON; a crash leaves no partial file."""
    with replacing(path) as stream:
        stream.write(json.dumps(plain_result(result), allow_nan=False, indent=2) + "\n")


def load_result(path: Path) -> dict[str, Any]:
    """Read the fields of a result; raise `BadSpec` for a file without one.

    Files of earlier versions have no covariances (`raw` and `corrected` are then None); counters they lack are 0.
    """
    try:
        value = parse_json(read_whole(path).decode("utf-8"))
        return {
            **{name: value[name] for name in _COPIED},
            "engine": str(value.get("engine", "")),
            "stacks": tuple(value["stacks"]),
            "blocks": tuple(value["blocks"] if "blocks" in value else value["stretches"]),
            "players": tuple(_player(each) for each in value["players"]),
            **{
                name: None if value.get(name) is None else read(value[name])
                for name, read in _READERS.items()
            },
        }
    except (ValueError, KeyError, TypeError) as error:
        text = f"{path} holds no result of a simulation: {type(error).__name__}: {error}"
        raise BadSpec(text) from error


def _player(value: dict[str, Any]) -> PlayerResult:
    by_unit = _estimate(value, "_by_unit")
    without_luck, won = value.get("winnings_adjusted"), value.get("units_won")
    return PlayerResult(
        **{name: value[name] for name in _PLAYER_COPIED},
        # earlier versions wrote a margin here as if every hand were independent
        bb_per_100=by_unit or Estimate(value["bb_per_100"], value["bb_per_100_margin95"]),
        bb_per_100_by_unit=by_unit,
        bb_per_100_adjusted=_estimate(value, "_controlled") or _estimate(value, "_adjusted"),
        counts=_counts(value),
        faults=Faults.from_dict(value["faults"]),
        curve=tuple(value["winnings"]),
        corrected_curve=None if without_luck is None else tuple(without_luck),
        won=None if won is None else tuple(won),
        positions=tuple(
            PositionResult(
                each["position"],
                each["hands"],
                each["net_chips"],
                _counts(each),
                _estimate(each, "") if "bb_per_100" in each else None,
            )
            for each in value["positions"]
        ),
    )


def _counts(value: dict[str, Any]) -> dict[str, int]:
    counts = value["counts"]
    return {name: counts.get(name, 0) for name in COUNTERS}
