"""The fault bench: many evenings under faults, and what they showed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import attrs

from poker_actors.actors import StepRuntime
from poker_actors.bots import SeedTree
from poker_actors.rules import whole_chips
from poker_actors.testing.chaos.checks import Violation
from poker_actors.testing.chaos.evening import Evening, EveningSettings
from poker_actors.testing.chaos.faults import ChaosRuntime, FaultRates, Stopped
from poker_actors.testing.chaos.situations import FAULT_SITUATIONS, HAND_SITUATIONS

__all__ = ["SITUATIONS", "ChaosReport", "run_chaos", "watched_evening"]

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
    tree = SeedTree(seed)
    tally = _Tally()
    number = 0
    while tally.counts["hands"] < hands and tally.violation is None:
        tally.evening = tree.rng(number, 0).getrandbits(48) if evening is None else evening
        number += 1
        left = min(_EVENING_HANDS, hands - tally.counts["hands"])
        tally.play(Evening(EveningSettings.draw(tally.evening, left), rates or FaultRates()))
        if progress is not None:
            progress(tally.counts["hands"])
    return tally.report(seed)


def watched_evening(watch: Callable[[StepRuntime], None], evening: int) -> None:
    """Play one evening under the eyes of a debugger, by the seed that a report named.

    It ends at the message that breaks a promise; raises `Violation` for one found broken between
    two messages.
    """

    def stop_at_once(runtime: ChaosRuntime) -> None:
        runtime.at_once = True
        watch(runtime)

    played = Evening(EveningSettings.draw(evening, _EVENING_HANDS), FaultRates(), stop_at_once)
    try:
        played.play()
    except Stopped as stopped:
        raise Violation(str(stopped)) from stopped
    finally:
        played.leave()


@attrs.define
class _Tally:
    """What the evenings so far come to."""

    counts: Counter[str] = attrs.field(factory=Counter)
    situations: Counter[str] = attrs.field(factory=lambda: Counter(dict.fromkeys(SITUATIONS, 0)))
    harm: Counter[str] = attrs.field(factory=Counter)
    evening: int = 0
    violation: str | None = None

    def play(self, evening: Evening) -> None:
        """Play one more evening and count what happened."""
        try:
            evening.play()
        except Violation as broken:
            self.violation = str(broken)
        except Exception as error:  # noqa: BLE001 - whatever stops the bench is a broken promise too
            self.violation = f"{type(error).__name__}: {error}"
        finally:
            evening.leave()
        evening.tell_faults()
        self.situations.update({name: evening.situations[name] for name in SITUATIONS})
        for kind, count in evening.happened.items():
            if kind.count(" ") < 2 or kind.startswith("died"):
                self.harm[kind] += count
        self.counts.update(
            hands=evening.hands,
            voided=evening.voided,
            messages=evening.steps,
            restarts=evening.restarts,
            lost=evening.chips_lost,
            unfinished=evening.unfinished,
        )

    def report(self, seed: int) -> ChaosReport:
        """Give the whole run as a value."""
        counts = self.counts
        return ChaosReport(
            seed,
            counts["hands"],
            counts["voided"],
            counts["unfinished"],
            counts["lost"],
            counts["messages"],
            sum(count for kind, count in self.harm.items() if kind.startswith("crash")),
            counts["restarts"],
            dict(sorted(self.harm.items())),
            dict(self.situations),
            self.violation,
            self.evening if self.violation is not None else None,
        )
