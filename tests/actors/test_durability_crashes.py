"""Actors that crash around the journal's writes: what is written and what the room knows stay one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.hand import HandActor
from poker_actors.actors.recovery import OnRecovery
from poker_actors.actors.runtime import Actor
from poker_actors.cards import Deck
from poker_actors.errors import PokerError
from poker_actors.rules import Stakes
from poker_actors.store import Fact, Journal, MemoryStorage, open_journal
from tests.actors.durable_evening import ACTIONS, HAND, HANDS, OPENING, cut
from tests.actors.faulty_runtime import Fault, FaultyRuntime

CHIPS = 500


class FaultyJournal(Journal):
    """Raises in one append: number `at`, before it is written or after."""

    def __init__(self, storage: MemoryStorage, at: int = -1, *, after: bool = False) -> None:
        self.at = at
        self.after = after
        self.appends: list[str] = []
        super().__init__(storage)

    def append(self, *facts: Fact) -> None:
        number = len(self.appends)
        self.appends.append(" ".join(type(fact).__name__ for fact in facts))
        if number == self.at and not self.after:
            raise Fault
        super().append(*facts)
        if number == self.at:
            raise Fault


def play_an_evening(runtime: StepRuntime, journal: Journal) -> Room:
    """Sit, buy in, play two hands, cash out, leave; what is refused or crashes is passed over."""
    room = Room(runtime, seed=3, store=journal)
    steps: list[Callable[[], object]] = [
        lambda: room.open_table("main", stakes=Stakes(5, 10), turn_seconds=30)
    ]

    def come_in(name: str, bot: str) -> None:
        steps.append(lambda: name in room.players or room.player(name, bot, chips=CHIPS))
        steps.append(lambda: room.tables["main"].sit(room.players[name]))
        steps.append(lambda: room.tables["main"].buy_in(room.players[name], room.bank.balance(name)))

    def leave(name: str) -> None:
        steps.append(lambda: room.tables["main"].cash_out(room.players[name]))
        steps.append(lambda: room.tables["main"].leave(room.players[name]))

    for name, bot in (("ann", "caller"), ("bob", "random"), ("cyd", "tight")):
        come_in(name, bot)
    steps += [lambda: room.tables["main"].deal(Deck.seeded(1)).result(timeout=1000)] * 2
    for name in ("ann", "bob"):
        leave(name)
    for step in steps:
        try:
            step()
        except (PokerError, Fault, KeyError):
            runtime.run()
    runtime.advance(1000)
    return room


def count() -> tuple[list[str], list[str]]:
    runtime = FaultyRuntime()
    journal = FaultyJournal(MemoryStorage())
    with play_an_evening(runtime, journal):
        return list(runtime.handled), list(journal.appends)


HANDLED, APPENDED = count()


def check_journal_and_room_agree(room: Room, storage: MemoryStorage, what: object) -> None:
    """Check that a room opened from the same records is the same room."""
    audit = room.audit()
    assert audit.conserved, what
    assert audit.hands == 0, what
    again = MemoryStorage()
    again.rows = list(storage.rows)
    with Room(StepRuntime(), store=open_journal(again)) as other:
        assert other.audit() == audit, what
        assert other._ledger.balances() == room._ledger.balances(), what
        assert set(other.tables) >= set(room.tables), what
        for name, table in room.tables.items():
            assert other.tables[name].state() == table.state(), what


def test_the_evening_writes_every_kind_of_fact() -> None:
    kinds = {word for words in APPENDED for word in words.split()}
    assert kinds == {
        "ActionTaken", "Booked", "HandDealt", "HandOver", "PlayerJoined", "RoomOpened", "SeatsChanged", "TableOpened",
    }  # fmt: skip


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_in_any_handler_leaves_journal_and_room_in_agreement(after: bool) -> None:
    for at, what in enumerate(HANDLED):
        storage = MemoryStorage()
        runtime = FaultyRuntime(at, after=after)
        with play_an_evening(runtime, open_journal(storage)) as room:
            runtime.at = -1
            check_journal_and_room_agree(room, storage, (at, what))


@pytest.mark.parametrize("after", [False, True], ids=["before-the-write", "between-write-and-apply"])
def test_a_crash_around_any_write_leaves_journal_and_room_in_agreement(after: bool) -> None:
    for at, what in enumerate(APPENDED):
        if what == "RoomOpened":
            continue  # there is no room yet to go on
        storage = MemoryStorage()
        journal = FaultyJournal(storage, at, after=after)
        with play_an_evening(StepRuntime(), journal) as room:
            check_journal_and_room_agree(room, storage, (at, what))


class CrashesHands(StepRuntime):
    """Crashes the actor of every hand before it has begun."""

    def start(self, actor: Actor) -> None:
        if isinstance(actor, HandActor):
            actor.begin = crash  # type: ignore[method-assign]  # this incarnation only
        super().start(actor)


def crash() -> None:
    raise Fault


@pytest.mark.parametrize("policy", ["resume", "void"])
@pytest.mark.parametrize("runtime", [StepRuntime, CrashesHands])
def test_a_hand_played_to_its_end_before_the_process_died_is_booked_and_never_void(
    runtime: type[StepRuntime], policy: OnRecovery
) -> None:
    """Its players were told how it ended, and the process died before it was booked."""
    storage = MemoryStorage()
    room = Room(StepRuntime(), store=open_journal(storage))
    for step in [*OPENING, *HANDS[: len(ACTIONS) + 1]]:
        step(room)
    left = cut(storage, len(storage.rows))
    told = room.live_hands["main"].result()
    with Room(runtime(), store=open_journal(left), on_recovery=policy) as again:
        assert again.recovery is not None
        assert (again.recovery.resumed, again.recovery.voided) == ((HAND,), ())
        result = again.live_hands["main"].result()
        assert (result.voided, result.payoffs, result.stacks) == (False, told.payoffs, told.stacks)
        assert again.audit().hands == 0
