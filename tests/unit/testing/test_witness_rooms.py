"""Rooms that a witness listens to: on both runtimes, with a journal, and player by player."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from poker_actors.actors import (
    DeckOpened,
    HandResult,
    HandState,
    Room,
    StepRuntime,
    TableNews,
    ThreadRuntime,
)
from poker_actors.actors.messages import Act, Deal, GetState
from poker_actors.store import ActionTaken, Fact, Journal, MemoryStorage
from poker_actors.testing import BrokenPromise, Witness
from tests.unit.testing.recorded_story import Recorder, record


@pytest.mark.parametrize("runtime", [Recorder.stepper, Recorder.threads])
def test_both_runtimes_are_heard(runtime: Callable[[Recorder], StepRuntime | ThreadRuntime]) -> None:
    story = record(runtime)
    kinds = {(event[0], type(event[2])) for event in story}
    assert {("told", HandState), ("told", HandResult), ("told", TableNews), ("told", DeckOpened)} <= kinds
    assert {("asked", Deal), ("answered", Deal), ("answered", Act), ("answered", GetState)} <= kinds


def journaled(witness: Witness, storage: MemoryStorage) -> None:
    journal = Journal(storage)
    witness.reads(journal.look)
    with Room(witness.stepper(), seed=1, store=journal) as room:
        table = room.open_table("main", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        table.play(2)


def test_a_room_that_writes_what_it_tells_keeps_the_promise_to_have_written_it() -> None:
    witness = Witness(["written"])
    journaled(witness, MemoryStorage())
    witness.hold()
    assert witness.checked["written"] > 20


def test_a_room_that_tells_what_it_does_not_write_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    witness = Witness(["written"])
    append = Journal.append

    def appended(self: Journal, *facts: Fact) -> None:
        if not any(isinstance(fact, ActionTaken) for fact in facts):
            append(self, *facts)

    monkeypatch.setattr(Journal, "append", appended)
    journaled(witness, MemoryStorage())
    with pytest.raises(BrokenPromise, match=r"^written: ") as broken:
        witness.hold()
    assert broken.value.verdict == witness.verdicts[0]


def test_a_player_of_any_room_can_be_listened_to() -> None:
    witness = Witness()
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            witness.listen(player)
            table.sit(player)
            table.buy_in(player, 100)
        table.play(3)
    witness.hold()
    assert min(witness.checked[name] for name in ("cards", "board", "turn", "order", "once")) > 5
