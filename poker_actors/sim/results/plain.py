"""Results as plain values and files, there and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from poker_actors.bots import Faults
from poker_actors.errors import BadSpec
from poker_actors.sim.intervals import Estimate
from poker_actors.sim.results.player import PlayerResult, PositionResult, Share

if TYPE_CHECKING:
    from poker_actors.sim.results.result import SimulationResult

__all__ = ["load_result", "plain_result", "save_result"]

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
    "seconds",
)
_PLAYER_COPIED = (
    "seat",
    "bot",
    "hands",
    "net_chips",
    "showdowns_won",
    "flops_won",
    "all_ins",
    "busts",
    "seconds_per_decision",
)


def plain_result(result: SimulationResult) -> dict[str, Any]:
    """Give a result as plain values for JSON."""
    return {
        **{name: getattr(result, name) for name in _COPIED},
        "stacks": list(result.stacks),
        "hands_per_second": result.hands_per_second,
        "players": [_plain_player(player) for player in result.players],
    }


def _plain_player(player: PlayerResult) -> dict[str, Any]:
    return {
        **{name: getattr(player, name) for name in _PLAYER_COPIED},
        **_plain_estimate("bb_per_100", "", player.bb_per_100),
        **_plain_estimate("bb_per_100", "_by_unit", player.bb_per_100_by_unit),
        **_plain_estimate("bb_per_100", "_adjusted", player.bb_per_100_adjusted),
        "vpip": player.vpip.value,
        "pfr": player.pfr.value,
        "wtsd": player.wtsd.value,
        "wsd": player.wsd.value,
        "aggression_factor": player.aggression_factor,
        "showdowns": player.counts["showdowns"],
        "illegal_actions": player.illegal_actions,
        "statistics": {name: _plain_share(share) for name, share in player.statistics.items()},
        "positions": [
            {
                "position": place.position,
                "hands": place.hands,
                "net_chips": place.net_chips,
                "vpip": _plain_share(place.vpip),
                "pfr": _plain_share(place.pfr),
            }
            for place in player.positions
        ],
        "faults": attrs.asdict(player.faults),
        "counts": dict(player.counts),
        "winnings": list(player.curve),
    }


def _plain_share(share: Share) -> dict[str, Any]:
    return {"count": share.count, "of": share.of, "value": share.value}


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


def save_result(result: SimulationResult, path: Path) -> None:
    """Write a result as JSON, whole or not at all."""
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(json.dumps(plain_result(result), allow_nan=False, indent=2) + "\n", encoding="utf-8")
    beside.replace(path)


def load_result(path: Path) -> SimulationResult:
    """Read a result again; raises `BadSpec` for a file that does not hold one."""
    from poker_actors.sim.results.result import SimulationResult

    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return SimulationResult(
            **{name: value[name] for name in _COPIED},
            stacks=tuple(value["stacks"]),
            players=tuple(_player(each) for each in value["players"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        text = f"{path} holds no result of a simulation: {type(error).__name__}: {error}"
        raise BadSpec(text) from error


def _player(value: dict[str, Any]) -> PlayerResult:
    return PlayerResult(
        **{name: value[name] for name in _PLAYER_COPIED},
        bb_per_100=Estimate(value["bb_per_100"], value["bb_per_100_margin95"]),
        bb_per_100_by_unit=_estimate(value, "_by_unit"),
        bb_per_100_adjusted=_estimate(value, "_adjusted"),
        counts=value["counts"],
        faults=Faults(**value["faults"]),
        curve=tuple(value["winnings"]),
        positions=tuple(
            PositionResult(
                each["position"], each["hands"], each["net_chips"], _share(each["vpip"]), _share(each["pfr"])
            )
            for each in value["positions"]
        ),
    )


def _share(value: dict[str, Any]) -> Share:
    return Share(value["count"], value["of"])
