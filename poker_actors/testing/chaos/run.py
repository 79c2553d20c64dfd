"""One run under faults: a room of one or two tables, its process, and the checks at rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Final

import attrs

from poker_actors.actors import Audit, LiveHand, Room, StepRuntime
from poker_actors.errors import (
    AskTimeout,
    BadSpec,
    PokerError,
    Refused,
    RoomClosed,
    StorageFailed,
    TableRefusal,
)
from poker_actors.rules import HOLDEM
from poker_actors.store import Journal, MemoryStorage
from poker_actors.store.journal import Row, Snapshot
from poker_actors.testing.chaos.faults import (
    ChaosLoop,
    ChaosStepper,
    ChaosThreads,
    Fault,
    FaultRates,
    Harm,
    ProcessDied,
)
from poker_actors.testing.chaos.floor import PATIENCE, Chips, Floor, patiently
from poker_actors.testing.chaos.people import People
from poker_actors.testing.chaos.settings import Outcome, RunSettings, RuntimeName
from poker_actors.testing.chaos.situations import Sightings
from poker_actors.testing.witness import BrokenPromise, Verdict, Witness


class ChaosStorage(MemoryStorage):
    """Keeps one process's writes for the next, and refuses those of a dead process."""

    def __init__(self, harm: Harm, before: ChaosStorage | None = None) -> None:
        super().__init__()
        self.harm = harm
        if before is not None:
            self.rows, self.snapshot, self.format = [*before.rows], before.snapshot, before.format

    def write(self, rows: Sequence[Row], after: int) -> None:
        """Write, unless the disk is full; then the process may die before anybody hears of it."""
        harm = self.harm
        self._check_alive()
        if not harm.quiet and harm.luck.random() < harm.rates.disk_full:
            harm.what_happened["disk full"] += 1
            raise StorageFailed("no space left")
        harm.within()
        super().write(rows, after)
        if not harm.quiet and harm.luck.random() < harm.rates.die_writing:
            harm.what_happened["died after a write"] += 1
            harm.writes_end = True  # it dies once the journal's lock is free: see `Harm`
            raise ProcessDied

    def compact(self, snapshot: Snapshot, version: int) -> None:
        """Replace records with a snapshot."""
        self._check_alive()
        super().compact(snapshot, version)

    def _check_alive(self) -> None:
        if self.harm.writes_end:
            raise StorageFailed("the process is dead")

    def damaged(self) -> MemoryStorage | None:
        """Return a copy with one digit of the snapshot or of a record changed; None if there is no digit."""
        copy = MemoryStorage()
        copy.rows, copy.snapshot, copy.format = [*self.rows], self.snapshot, self.format
        luck = self.harm.luck
        if copy.snapshot is not None and (not copy.rows or luck.random() < 0.5):
            payload = self._changed(copy.snapshot.payload)
            copy.snapshot = attrs.evolve(copy.snapshot, payload=payload)
            return copy if payload else None
        if not copy.rows:
            return None
        place = luck.randrange(len(copy.rows))
        payload = self._changed(copy.rows[place].payload)
        if not payload:
            return None
        copy.rows[place] = attrs.evolve(copy.rows[place], payload=payload)
        return copy

    def _changed(self, payload: str) -> str:
        """Return `payload` with one digit changed; empty if it has none."""
        luck = self.harm.luck
        digits = [place for place, letter in enumerate(payload) if letter.isdigit()]
        if not digits:
            return ""
        place = luck.choice(digits)
        other = luck.choice([digit for digit in "123456789" if digit != payload[place]])
        return payload[:place] + other + payload[place + 1 :]


BENCH_PROMISES: Final = {
    "audit": "No chip appears or vanishes: bank, tables, hands and house hold what was minted and forfeited.",
    "recovery": "A room whose process died opens again from its journal.",
    "damage": "A record or a snapshot changed on the disk is refused.",
    "rest": "Once the faults stop, the room comes to rest and every hand ends.",
    "sound": "Nothing but a refusal comes out of the room.",
    "void": "A hand is void only if something crashed: no stop of an actor or of the room makes it so.",
    "stopped": "A hand being played when its room is closed goes on when the room is opened again.",
    "keys": "An action accepted from outside is in the log at its turn, and no other is accepted for that turn.",
}
"""The bench's own promises, besides the witness's."""

_TABLES: Final = ("main", "side")
_CLOSED: Final = 0.02
"""Share of rounds in which a room with a journal is closed in mid-hand."""


class Run:
    """Plays the hands of one run and counts what happens; raises `BrokenPromise`. `witness` has the verdicts."""

    def __init__(
        self,
        settings: RunSettings,
        rates: FaultRates,
        runtime: RuntimeName = "stepper",
        watch: Callable[[StepRuntime], None] | None = None,
    ) -> None:
        self.settings = settings
        self.kind: RuntimeName = runtime
        self._rates = rates
        self._watch = watch
        self.luck = Random(settings.seed + 1)
        self._reorder = self.luck.random() < 0.5
        self.witness = Witness()
        self.checked: Counter[str] = Counter()
        """checks of the bench's own promises"""
        self.seen = Sightings()
        self.situations = self.seen.counts
        self.happened: Counter[str] = Counter()
        self.played: Counter[str] = Counter()
        """what was played: tables, people, stops"""
        self.given: Counter[str] = Counter()
        """commands given in mid-hand, by call"""
        self.chips = Chips()
        self.hands = self.voided = self.unfinished = self.chips_lost = 0
        self.restarts = self.steps = 0
        self.harm = Harm(self.luck, rates, self.happened)
        self._storage = ChaosStorage(self.harm) if self.luck.random() < 0.5 and settings.journaled else None
        self._open()
        self.people = People(self)
        self.floors = [Floor(self, name) for name in _TABLES[: settings.tables]]
        self.played["tables"] += settings.tables
        self.played["runs in another game"] += settings.game is not HOLDEM
        self.played["runs with options"] += settings.options is not None

    def play(self) -> None:
        """Play the run to its end, close the room, and count all chips."""
        for floor in self.floors:
            for _ in range(self.settings.players):
                self.people.arrive(floor)
        while self.hands < self.settings.hands:
            try:
                self._be_quiet(False)
                for floor in self.floors:
                    floor.work()
                self.people.spectate()
                self._play_round()
                self.look_for_death()
            except ProcessDied:
                self._come_back()
            except Exception:
                if not self.harm.writes_end:
                    raise
                self._come_back()  # on threads, asks of a dead room fail
        self.settle()
        self.runtime.pass_time(PATIENCE)
        self.settle()
        self._audit()
        for floor in self.floors:
            state = floor.table.state()
            self.holds(
                "rest",
                not (state.waiting and None in state.seats),
                lambda: f"{state.waiting[0].player} waits while a seat is free",  # noqa: B023  called at once
            )
        self.room.close()
        self.people.stop_own()

    def _play_round(self) -> None:
        """Play a hand at every table at once, with whatever happens in mid-hand."""
        dealt = [(floor, live) for floor in self.floors if (live := floor.deal()) is not None]
        if not dealt:
            return
        self.seen.playing = True
        for _ in range(self.luck.choice((1, 2, 4, 8) if self.people.outside else (1, 1, 2, 4))):
            self.runtime.let_go_on(self.luck.random() * 0.3)
            self.people.in_mid_hand()
        self.runtime.let_go_on(self.luck.random())
        if self._storage is not None and self.luck.random() < _CLOSED:
            self._close_in_mid_hand(dealt)
            return
        self.settle()  # no faults from here on: the hands must end by themselves
        for floor, live in dealt:
            floor.finish(live)
        self._rest()

    def _rest(self) -> None:
        """Finish hands that somebody asked for in mid-hand, and check all promises at rest."""
        for floor in self.floors:
            live = floor.table.live()
            if live is not None:
                floor.finish(live)
        self.settle()
        self.witness.rest()
        self.runtime.look()
        self._audit()

    def _close_in_mid_hand(self, dealt: list[tuple[Floor, LiveHand]]) -> None:
        """Close the room in good order, and open it again: hands being played must go on."""
        self.played["stops of the room"] += 1
        self.look_for_death()
        self._be_quiet(True)
        unharmed = {live.hand_id: floor.unharmed() for floor, live in dealt}
        self.room.close()
        self._count_room()
        self.witness.died()  # everything it said until then was heard
        self._open_again(quiet=True)
        going_on = () if self.room.recovery is None else self.room.recovery.resumed
        for floor, live in dealt:
            with suppress(RoomClosed):
                floor.ended(live.result(timeout=0.0), unharmed=unharmed[live.hand_id])
                continue
            self.holds(
                "stopped",
                live.hand_id in going_on or not unharmed[live.hand_id],
                lambda: f"{live.hand_id} was being played when the room was closed, and does not go on",  # noqa: B023
            )
        self._take_up()

    # -- the room and its process -----------------------------------------------------------

    def _open(self) -> None:
        """Open the room, from its journal if it has one."""
        harm = self.harm
        harm.mortal = self._storage is not None
        harm.notice, harm.situation = self.seen.notice, self.seen.amid
        harm.on_death = self.witness.died
        harm.time_banks = self.settings.options is not None
        store = None if self._storage is None else Journal(self._storage, snapshot_every=200)
        self.witness.reads(None if store is None else store.look)
        self.runtime: ChaosStepper | ChaosThreads | ChaosLoop
        if self.kind == "threads":
            self.runtime = ChaosThreads(self.witness, harm)
        elif self.kind == "loop":
            self.runtime = ChaosLoop(self.witness, harm)
        else:
            self.runtime = ChaosStepper(self.witness, harm, reorder=self._reorder)
            if self._watch is not None:
                self.runtime.at_once = True
                self._watch(self.runtime)
        self.room: Room = Room(self.runtime, seed=self.settings.seed, store=store)
        self.room.supervisor.most_restarts = 300  # the bench crashes far more than any room would

    def look_for_death(self) -> None:
        """Raise `ProcessDied` if the process has died."""
        if self.harm.writes_end:
            raise ProcessDied

    def _come_back(self) -> None:
        """After the process has died, open the room again from its journal, and finish its hand."""
        self.situations["process died and came back"] += 1
        while True:
            self.harm.die()  # if it died outside of every handler
            self._count_room()
            self._bury()
            while not self._open_again(
                quiet=self.luck.random() < 0.9
            ):  # one in ten dies again while recovering
                self.situations["process died while coming back"] += 1
            recovery = self.room.recovery
            went_on = recovery is not None and bool(recovery.resumed)
            self.situations["hand went on after the process died"] += went_on
            try:
                self._take_up()
                return
            except (ProcessDied, Exception):
                # on threads, of a handler that began before the faults stopped
                if not self.harm.writes_end:
                    raise

    def _take_up(self) -> None:
        """Open the room again without faults, and finish its hands."""
        self._be_quiet(True)
        for floor in self.floors:
            floor.back()
        self.people.back()
        self.settle()
        self._count_chips("after coming back")
        self._rest()

    def _open_again(self, *, quiet: bool) -> bool:
        """Open the room in a new process; return false if that one died meanwhile."""
        assert self._storage is not None
        self.harm = Harm(self.luck, self._rates, self.happened)
        self._storage = ChaosStorage(self.harm, self._storage)
        self._open_damaged(self._storage)
        self._be_quiet(quiet)
        try:
            self._open()
        except ProcessDied:
            self.harm.die()
            return False
        except PokerError as error:
            if self.harm.writes_end:
                self.harm.die()
                return False
            raise self.broken("recovery", f"the room does not open again: {error}") from error
        self.checked["recovery"] += 1
        if self.harm.writes_end:
            self.harm.die()
            self._bury()
        return not self.harm.writes_end

    def _bury(self) -> None:
        """End the threads of a dead process; on the stepper there are none."""
        if self.kind != "stepper":
            self.room.close()

    def _open_damaged(self, storage: ChaosStorage) -> None:
        """Open a copy of the journal with one digit changed, which must be refused."""
        damaged = storage.damaged()
        if damaged is None:
            return
        self.situations["damaged journal refused"] += 1
        try:
            Journal(damaged)
        except PokerError:
            self.checked["damage"] += 1
            return
        raise self.broken("damage", "a journal with one digit changed on the disk was opened, and believed")

    def settle(self) -> None:
        """Stop the faults, and deliver everything on its way."""
        self._be_quiet(True)
        if isinstance(self.runtime, ChaosStepper):
            self.runtime.settle()
        else:
            self._settle_threads()
        self.look_for_death()
        self.runtime.look()

    def _settle_threads(self) -> None:
        """Ask every actor a question: its answer means that it has handled all earlier messages.

        Ask twice: what the first handled may have sent messages to the others.
        """
        for _ in range(2):
            # everybody in the room, not only the players: the broke are still in line, and those who left may watch
            for player in [*self.room.players.values()]:
                with suppress(RoomClosed):
                    patiently(player.state)  # refused once its table has been told that it is gone
            for floor in self.floors:
                patiently(floor.table.state)

    def _be_quiet(self, quiet: bool) -> None:
        self.harm.quiet = quiet

    def _count_room(self) -> None:
        """Add up the counts of a room before it is given up."""
        self.restarts += self.room.supervisor.restarts
        self.steps += self.runtime.steps

    def leave(self) -> None:
        """Close the room, checking nothing more."""
        self._count_room()
        self.runtime.witness = Witness(())
        self.witness.died()  # closing is not heard any more
        self.harm = self.runtime.harm  # if reopening failed, `self.runtime` is still the previous one
        self.people.stop_own()
        self.harm.revive()
        with suppress(PokerError, Fault):
            self.room.close()

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Inject no faults inside the block."""
        before = self.harm.quiet
        self._be_quiet(True)
        try:
            yield
        finally:
            self._be_quiet(before)

    def holds(self, promise: str, held: bool, sentence: Callable[[], str]) -> None:
        """Count one of the bench's own checks; raise `BrokenPromise` if it fails."""
        self.checked[promise] += 1
        if not held:
            raise self.broken(promise, sentence())

    def broken(self, promise: str, sentence: str) -> BrokenPromise:
        """Return the verdict on one of the bench's own promises."""
        return BrokenPromise(Verdict(promise, sentence, self.witness.number, self.witness.lives))

    def give(self, what: str, command: Callable[[], object]) -> Outcome:
        """Give a command, count it, and return its outcome."""
        try:
            command()
        except AskTimeout:
            return "unknown"
        except (Refused, BadSpec) as refusal:
            if isinstance(refusal, TableRefusal) and refusal.code == "hand_in_progress":
                self.situations["command refused during a hand"] += 1
            return "refused"
        except (PokerError, Fault):
            return "unknown"
        if self.harm.writes_end:
            return "unknown"  # on threads, a dead process answers with nothing
        self.situations[what] += 1
        return "done"

    def _audit(self) -> None:
        audit = self._count_chips("the books say")
        self.holds(
            "audit", not audit.hands, lambda: f"no hand is played, and {audit.hands} chips are put aside"
        )
        counted = sum(floor.counted() for floor in self.floors)
        self.holds(
            "audit",
            counted == audit.tables,
            lambda: f"the tables count {counted} chips, the books say {audit.tables}",
        )

    def _count_chips(self, when: str) -> Audit:
        audit = self.room.audit()
        minted = self.chips.minted
        wrong = self.chips.differ(audit)
        if not audit.conserved or wrong is not None:
            house = audit.forfeit + audit.rake
            self.chips_lost += minted - audit.bank - audit.tables - audit.hands - house
        self.holds("audit", audit.conserved and wrong is None, lambda: f"{wrong}; {when} {audit}")
        return audit
