"""The bench on real threads, one for each actor or one for the room: the same harm, and every promise holds."""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Literal

import pytest

from poker_actors.actors import Audit, Room
from poker_actors.actors.messages import Balance, GetState, Move
from poker_actors.cli import main
from poker_actors.errors import AskTimeout, BadSpec, PokerError, StorageFailed
from poker_actors.store import Journal, PlayerJoined
from poker_actors.testing import FaultRates, Witness, run_chaos
from poker_actors.testing.chaos.faults import ChaosThreads, Harm
from poker_actors.testing.chaos.floor import Chips
from poker_actors.testing.chaos.run import ChaosStorage, Run
from poker_actors.testing.chaos.settings import RunSettings, RuntimeName


@pytest.mark.parametrize("runtime", ["threads", "loop"])
def test_threads_keep_what_they_tell(runtime: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.getswitchinterval()
    assert main(["chaos", "--runtime", runtime, "--seed", "1", "--hands", "60", "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["runtime"] == runtime
    assert (report["chips_lost"], report["hands_unfinished"], report["promises_broken"]) == (0, 0, 0)
    assert report["hands"] == 60
    assert report["crashes"] > 0
    assert report["promises_checked"] == sum(report["promises"].values()) > 10_000
    assert sys.getswitchinterval() == before


def test_there_are_three_runtimes() -> None:
    with pytest.raises(BadSpec, match=r"runtime 'fibres' must be one of stepper, threads, loop"):
        run_chaos(1, 1, runtime="fibres")  # type: ignore[arg-type]  # what a program may pass
    assert main(["chaos", "--runtime", "fibres"]) == 2


@pytest.mark.heavy
@pytest.mark.parametrize("runtime", ["threads", "loop"])
def test_the_standard_run_on_threads(runtime: RuntimeName) -> None:
    report = run_chaos(1, 2_000, runtime=runtime)
    assert report.verdicts == ()
    assert (report.chips_lost, report.hands_unfinished) == (0, 0)


def test_what_a_dead_process_still_says_is_not_heard() -> None:
    """A table that seats who waited while the process dies has its ask answered with nothing, and goes on."""
    witness = Witness()
    harm = Harm(Random(1), FaultRates(), Counter())
    harm.on_death = witness.died
    journal = Journal(ChaosStorage(harm))
    witness.reads(journal.look)
    asked, dead = threading.Event(), threading.Event()

    def answer_nobody(_: object) -> None:
        asked.set()
        dead.wait(30)

    with Room(ChaosThreads(witness, harm), seed=1, store=journal) as room:
        table, ann = room.open_table("main", seats=2), room.player("ann", chips=100)
        room.bank.address.handlers[Move] = answer_nobody  # type: ignore[index]  # a mapping for everybody else
        table.wait(ann, 100)
        assert asked.wait(30)
        harm.die()
        dead.set()
        harm.revive()
    assert witness.lives == 2
    assert witness.verdicts == []


def test_a_verdict_names_the_life_of_the_room_it_was_heard_in() -> None:
    witness = Witness(["balance"])
    life = witness.life()
    life.answered("bank", Balance("ann"), 5)
    life.answered("bank", Balance("ann"), 6)
    witness.died()
    life.answered("bank", Balance("ann"), 7)
    assert [str(verdict)[-9:] for verdict in witness.verdicts] == ["(heard 2)"]
    witness.life().answered("bank", Balance("ann"), 8)
    assert [verdict.life for verdict in witness.verdicts] == [1, 2]
    assert "life 2 of the room" in str(witness.verdicts[1])


def test_nothing_is_written_once_a_process_is_not_heard() -> None:
    """A bank that is not heard and still writes would change balances behind the witness's back."""
    harm = Harm(Random(1), FaultRates(), Counter())
    storage = ChaosStorage(harm)
    journal = Journal(storage)
    refused: list[str] = []

    def write() -> None:
        with pytest.raises(StorageFailed) as failed:
            journal.append(PlayerJoined("ann", None))
        refused.append(failed.value.code)

    harm.on_death = write
    harm.die()
    assert refused == ["storage_failed"]
    assert storage.rows == []


def test_a_process_that_dies_writing_waits_for_nobody_who_looks_at_its_journal() -> None:
    """Whoever is being heard is compared with the journal, whose lock the dying writer holds."""
    witness = Witness()
    harm = Harm(Random(1), FaultRates(crash=0.0, crash_river=0.0, die_writing=1.0, disk_full=0.0), Counter())
    journal = Journal(ChaosStorage(harm))
    looked: list[bool] = []

    def look_elsewhere() -> None:
        elsewhere = threading.Thread(target=lambda: journal.look(lambda image: None), daemon=True)
        elsewhere.start()
        elsewhere.join(10)
        looked.append(not elsewhere.is_alive())
        witness.died()

    harm.on_death = look_elsewhere
    with Room(ChaosThreads(witness, harm), seed=1, store=journal) as room:
        room.player("ann", chips=100)
        harm.quiet = False
        with pytest.raises(RuntimeError, match="ProcessDied in bank"):
            room.bank.deposit("ann", 5)
        assert (looked, harm.died, witness.lives) == ([True], True, 2)
        harm.revive()
    assert witness.verdicts == []


def test_who_failed_with_the_write_of_a_dying_process_is_not_heard() -> None:
    """Its fact may be on the disk: a refusal heard after that would be wrong in the next life."""
    witness = Witness()
    harm = Harm(Random(1), FaultRates(), Counter())
    harm.on_death = witness.died
    runtime = ChaosThreads(witness, harm)
    with Room(runtime, seed=1) as room:

        def fail(_: object) -> None:
            harm.writes_end = True  # by another thread, which is about to die
            raise StorageFailed("the thread that wrote for this command has crashed")

        heard: list[object] = []
        witness.refused = lambda who, command, error: heard.append(command)  # type: ignore[method-assign]
        runtime.carry_out = lambda actor, handler, message: harm.carry_out(actor, fail, message)  # type: ignore[method-assign]
        with pytest.raises(PokerError):
            room.bank.deposit("ann", 5)
        assert heard == []
        assert witness.lives == 2
        harm.revive()


def test_at_rest_everybody_in_the_room_has_heard_what_was_told() -> None:
    """Who has gone broke waits in line still, and is told that hands begin, though the bench plays with others."""
    run = Run(RunSettings.draw(58239802881490, 50), FaultRates(), "threads")
    try:
        floor = run.floors[0]
        for _ in range(run.settings.players):
            run.people.arrive(floor)
        waits = run.room.players[floor.table.state().waiting[0].player]
        floor.players.remove(waits)
        asked: list[str] = []
        look = waits.address.handlers[GetState]  # type: ignore[index]  # a mapping for everybody else

        def answer(message: GetState) -> object:
            asked.append(waits.name)
            if len(asked) == 1:
                raise AskTimeout("the machine has stood still for seconds")
            return look(message)

        waits.address.handlers[GetState] = answer  # type: ignore[index]  # as above
        run.settle()
        assert asked == [waits.name] * 3
    finally:
        run.leave()


def test_a_forfeit_that_was_answered_leaves_one_that_was_not_unsure() -> None:
    """The bench said that chips were lost: 872 of an answered forfeit made it forget those of the one before."""
    chips = Chips()

    def lost() -> Literal["unknown"]:
        return "unknown"

    def answered(command: Callable[[], object]) -> Literal["done"]:
        command()
        return "done"

    chips.forfeit_stack(lambda: 3_646, lambda command: lost())
    chips.forfeit_stack(lambda: 872, answered)
    assert chips.differ(Audit(minted=0, bank=0, tables=0, hands=0, forfeit=4_518)) is None
    assert chips.differ(Audit(minted=0, bank=0, tables=0, hands=0, forfeit=4_519)) is not None
