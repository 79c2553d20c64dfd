"""Play, round by round, until a test tells every pair of bots apart or finds it about equal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import attrs

from poker_actors.errors import BadSpec
from poker_actors.sim.judging.sequential import Betting, Evidence, Mixture, Sequential
from poker_actors.sim.match import CarryOver, Match
from poker_actors.sim.results.result import SimulationResult, estimates_of
from poker_actors.sim.run import Progress, RunFile, Simulation
from poker_actors.sim.statistics import Sums, plain_sums, read_sums

FIRST_LOOK: Final = 100
"""Units before the first look."""
_LOOKS: Final = 100
"""A round is a hundredth of the hands played: a run is at most 1 % too long, and there are few looks."""
_BLOCK: Final = 100
"""Hands of a block at first; blocks are joined in pairs whenever there are too many."""
_MOST_BLOCKS: Final = 240
"""The most points of a curve: beyond it they are joined in pairs, so that a run of any length keeps few."""
_SAVE_EVERY: Final = 2_000
"""Hands between two writes of the file: a crash loses about a second of work."""


class UntilDecided(Simulation):
    """A match that stops when every pair is decided, or after `match.hands` hands.

    A pair known to be less than `within` bb/100 apart counts as decided. Raw results are judged by a betting test,
    which is exact; results without luck (`adjust`) and sessions, which are unbounded, by the normal mixture.
    With `data` the run is kept in a file, and `resume` continues it. Other arguments are those of
    `Simulation`; a run with `data` can have no `sinks`. Where a run stops depends on its hands only, not on
    workers or interruptions. Raises `BadSpec` for settings that exclude each other, and if the file cannot be
    used.
    """

    def __init__(
        self,
        match: Match,
        driver: str = "direct",
        *,
        within: float | None = None,
        data: str | Path | None = None,
        resume: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__(match, driver, **settings)
        if within is not None and not 0 < within < 1e9:
            raise BadSpec(f"within {within:g} bb/100 is not above 0")
        if resume and data is None:
            raise BadSpec("only a run with a file can be resumed: name its file (data)")
        if data is not None and self._sinks:
            raise BadSpec("a run with `data` keeps sums, not hands: it writes no files of hands")
        self._within = within
        self._data = None if data is None else Path(data)
        self._resume = resume
        self._adjust = self.job.adjust
        by_bets = not self._adjust and not isinstance(match.form, CarryOver)
        block = -(-_BLOCK // match.unit) * match.unit
        self.job = attrs.evolve(self.job, keep_units=by_bets, block=block)
        self._evidence = self._new_evidence(by_bets=by_bets)
        self._total = Sums(len(match.bots))
        self._decision: Sequential | None = None

    def _new_evidence(self, *, by_bets: bool) -> Evidence:
        match, within = self.match, self._within
        bots = len(match.bots)
        if not by_bets:
            return Mixture(bots, within)
        chips = within and within * (match.stakes.big_blind or match.stakes.min_bet) / 100 * match.unit
        return Betting(bots, match.unit * widest(match.stacks), chips)

    def run(self, progress: Progress | None = None) -> SimulationResult:
        """Play until every pair is decided; `progress` is called with the hands played since its last call."""
        start = perf_counter()
        try:
            with ExitStack() as stack:
                file = self._opened(stack)
                if progress is not None and self._total.hands:
                    progress(self._total.hands)
                self._play(stack.enter_context(self._engine_open()), file, progress)
        finally:
            self._seconds += perf_counter() - start
        return self.result()

    def _play(self, play: Any, file: RunFile | None, progress: Progress | None) -> None:
        saved = self._total.hands
        try:
            for hands in self._rounds():
                for sums in play(self.job, hands):
                    self._take(sums)
                    if progress is not None:
                        progress(sums.hands)
                self._look()
                if file is not None and self._total.hands - saved >= _SAVE_EVERY:
                    file.write(self._state())
                    saved = self._total.hands
        finally:
            # after an interruption, too: `_state` is that of the last look, so no half round is saved
            if file is not None:
                file.write(self._state())

    def _rounds(self) -> Iterator[range]:
        unit = self.match.unit
        while not (self._decision is not None and self._decision.decided):
            played = self._total.hands
            if played >= self.match.hands:
                return
            units = max(FIRST_LOOK, played // unit // _LOOKS)
            yield range(played, min(played + units * unit, self.match.hands))

    def _look(self) -> None:
        """Add the round to the totals and test the evidence."""
        total = self._merged()
        rows, total.unit_rows = total.unit_rows, []
        while len(total.curve) > _MOST_BLOCKS:
            total.halve_blocks()
            self.job = attrs.evolve(self.job, block=2 * self.job.block)
        # the next round must eject bots as if it followed without a break
        self.job = attrs.evolve(self.job, before=tuple(total.faults))
        self._parts = [total]
        self._evidence.take(rows, estimates_of(self.job, total))
        pairs = len(total.faults) * (len(total.faults) - 1) // 2
        self._decision = Sequential.of(self._evidence, pairs, self._within)
        self._total = total

    def result(self) -> SimulationResult:
        """Return the result of the hands played so far."""
        return self._result(self._decision)

    # -- the file -------------------------------------------------------------------------------

    def _opened(self, stack: ExitStack) -> RunFile | None:
        if self._data is None:
            return None
        file = stack.enter_context(
            RunFile(self._data, self.match, adjusted=self.adjusted, within=self._within)
        )
        state = file.read()
        if state is not None and not self._resume:
            raise BadSpec(f"{self._data} already holds a run: resume it, or name another file")
        if state is not None:
            self._restore(state)
        else:
            file.write(self._state())
        return file

    def _state(self) -> dict[str, Any]:
        """Return the state at the last look; a resumed run replays the hands after it."""
        decision = None if self._decision is None else attrs.asdict(self._decision)
        return {
            "block": self.job.block,
            "sums": plain_sums(self._total),
            "evidence": self._evidence.to_dict(),
            "decision": decision,
        }

    def _restore(self, state: dict[str, Any]) -> None:
        self._total = read_sums(state["sums"])
        self._parts = [self._total]
        before = tuple(self._total.faults)
        self.job = attrs.evolve(self.job, block=state["block"], before=before)
        self._evidence.restore(state["evidence"])
        known = state["decision"]
        if known is not None:
            self._decision = Sequential.from_dict(known)


def widest(stacks: tuple[int, ...]) -> int:
    """Return the largest possible difference between two bots' results in one hand, in chips.

    >>> widest((200, 200)), widest((200, 200, 200)), widest((200, 50))
    (400, 600, 100)
    """
    lost = [
        min(mine, max(other for seat, other in enumerate(stacks) if seat != at))
        for at, mine in enumerate(stacks)
    ]
    return max(
        sum(min(mine, other) for seat, other in enumerate(stacks) if seat != at)
        + max(each for seat, each in enumerate(lost) if seat != at)
        for at, mine in enumerate(stacks)
    )
