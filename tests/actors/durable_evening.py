"""A series of commands for a room with a store, and stores that fail, for tests of durability."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from poker_actors.actors import Room, StepRuntime
from poker_actors.cards import Deck
from poker_actors.errors import StorageFailed
from poker_actors.rules import Action, Call, Check, Fold, RaiseTo, Stakes
from poker_actors.store import MemoryStorage
from poker_actors.store.journal import Row, Snapshot

HAND = "main/hand-000000000"
DECK = (["JcTc", "JsTs", "AsJd"], "Ad9h8sJhQd")
ACTIONS: list[tuple[str, Action]] = [
    ("three", Call()), ("one", Call()), ("two", Check()),
    ("one", Check()), ("two", RaiseTo(25)), ("three", RaiseTo(50)), ("one", Call()), ("two", Call()),
    ("one", Check()), ("two", Check()), ("three", RaiseTo(50)), ("one", Fold()), ("two", Call()),
    ("two", Check()), ("three", RaiseTo(50)), ("two", RaiseTo(100)), ("three", Call()),
]  # fmt: skip
ENDS = {"one": 940, "two": 1270, "three": 790}
"""Balances at the bank after this hand, in the Elixir series."""

Step = Callable[[Room], object]


def act(seq: int) -> Step:
    who, action = ACTIONS[seq]
    return lambda room: room.players[who].act(action, hand_id=HAND, seq=seq)


def _settle(room: Room) -> None:
    """Wait until everything that needs no caller has happened."""
    if isinstance(room.runtime, StepRuntime):
        room.runtime.run()
    else:
        live = room.tables["main"].live()
        if live is not None:
            live.result(timeout=60)


OPENING: list[Step] = [
    lambda room: room.open_table("main", stakes=Stakes(5, 10)),
    *[lambda room, name=name: room.player(name, chips=1000) for name in ENDS],
    *[
        lambda room, name=name, seat=seat: room.tables["main"].sit(room.players[name], seat)
        for seat, name in enumerate(ENDS, start=1)
    ],
    lambda room: room.tables["main"].buy_in(room.players["one"], 1000),
    lambda room: room.tables["main"].buy_in(room.players["two"], 1000),
    lambda room: room.tables["main"].buy_in(room.players["three"], 800),
    lambda room: room.tables["main"].sit_out(room.players["two"]),
    lambda room: room.tables["main"].sit_in(room.players["two"]),
]
HANDS: list[Step] = [
    lambda room: room.tables["main"].deal(Deck.stacked(*DECK)),
    *[act(seq) for seq in range(len(ACTIONS))],
    _settle,
]
CLOSING: list[Step] = [
    *[lambda room, name=name: room.tables["main"].cash_out(room.players[name]) for name in ENDS],
    *[lambda room, name=name: room.tables["main"].leave(room.players[name]) for name in ENDS],
    lambda room: room.bank.withdraw("one", 40),
    lambda room: room.bank.lend("one", 40),
]
EVENING: Sequence[Step] = [*OPENING, *HANDS, *CLOSING]


def check_ends(room: Room) -> None:
    """Check the final balances, seats and books of the series."""
    assert {name: room.bank.balance(name) for name in ENDS} == ENDS
    assert room.tables["main"].state().seats == (None,) * 6
    audit = room.audit()
    assert audit.conserved
    assert audit.minted == 3000
    assert audit.hands == audit.tables == 0


class FailingStorage(MemoryStorage):
    """A storage in memory whose writes fail while `failing`; `attempts` counts all writes."""

    def __init__(self) -> None:
        super().__init__()
        self.failing = False
        self.fail_next = 0
        self.attempts = 0

    def write(self, rows: Sequence[Row], after: int) -> None:
        self.attempts += 1
        if self.failing or self.fail_next:
            self.fail_next = max(self.fail_next - 1, 0)
            raise StorageFailed("memory: no space is left")
        super().write(rows, after)

    def compact(self, snapshot: Snapshot, version: int) -> None:
        if self.failing:
            raise StorageFailed("memory: no space is left")
        super().compact(snapshot, version)


def cut(storage: MemoryStorage, records: int) -> MemoryStorage:
    """Return the storage that a process leaves if it is killed after so many records."""
    left = MemoryStorage()
    left.rows = storage.rows[:records]
    return left
