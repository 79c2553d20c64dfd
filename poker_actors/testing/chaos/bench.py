"""The fault bench: many evenings under faults, and what they showed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import attrs

from poker_actors.bots import SeedTree
from poker_actors.rules import whole_chips
from poker_actors.testing.chaos.checks import Violation
from poker_actors.testing.chaos.evening import Evening, EveningSettings
from poker_actors.testing.chaos.faults import FaultRates
from poker_actors.testing.chaos.situations import FAULT_SITUATIONS, HAND_SITUATIONS

__all__ = ["SITUATIONS", "ChaosReport", "run_chaos"]

_EVENING_HANDS: Final = 50
"""Hands of one evening: enough to bust, to come back and to move the button round several times."""

SITUATIONS: Final[tuple[str, ...]] = (*HAND_SITUATIONS, *FAULT_SITUATIONS)
"""The rare situations that the bench counts."""


@attrs.frozen
class ChaosReport:
    """What happened. `violation` is None when every promise held; chips and hands lost are 0 then."""

    seed: int
    hands: int
    hands_voided: int
    hands_unfinished: int
    chips_lost: int
    messages: int
    crashes: int
    restarts: int
    harm: dict[str, int]
    """lost, doubled, delayed messages, stalls, and crashes by kind of actor"""
    situations: dict[str, int]
    """how often each rare situation was seen"""
    violation: str | None = None
    evening: int | None = None
    """the seed of the evening that broke a promise"""


def run_chaos(
    seed: int,
    hands: int,
    *,
    rates: FaultRates | None = None,
    evening: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> ChaosReport:
    """Play `hands` hands under faults that follow from `seed`, and report.

    Stops at the first broken promise. `evening` plays that one evening alone, by the seed that a
    report named, to see it break again. `progress` is called with the hands played so far.
    """
    whole_chips("hands", hands, least=1)
    totals: Counter[str] = Counter()
    situations: Counter[str] = Counter(dict.fromkeys(SITUATIONS, 0))
    harm: Counter[str] = Counter()
    tree = SeedTree(seed)
    number = 0
    violation: str | None = None
    evening_seed: int | None = None
    while totals["hands"] < hands and violation is None:
        evening_seed = tree.rng(number, 0).getrandbits(48) if evening is None else evening
        number += 1
        left = min(_EVENING_HANDS, hands - totals["hands"])
        played = Evening(EveningSettings.draw(evening_seed, left), rates or FaultRates())
        try:
            played.play()
        except Violation as broken:
            violation = str(broken)
        except Exception as error:  # noqa: BLE001 - whatever stops the bench is a broken promise too
            violation = f"{type(error).__name__}: {error}"
        finally:
            played.leave()
        played.tell_faults()
        situations.update({name: played.situations[name] for name in SITUATIONS})
        harm.update(
            {
                kind: count
                for kind, count in played.happened.items()
                if kind.count(" ") < 2 or kind.startswith("died")
            }
        )
        totals.update(
            hands=played.hands,
            voided=played.voided,
            messages=played.steps,
            restarts=played.restarts,
            lost=played.chips_lost,
            unfinished=played.unfinished,
        )
        if progress is not None:
            progress(totals["hands"])
    return ChaosReport(
        seed,
        totals["hands"],
        totals["voided"],
        totals["unfinished"],
        totals["lost"],
        totals["messages"],
        sum(count for kind, count in harm.items() if kind.startswith("crash")),
        totals["restarts"],
        dict(sorted(harm.items())),
        dict(situations),
        violation,
        evening_seed if violation is not None else None,
    )
