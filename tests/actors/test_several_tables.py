"""A player at several tables acts where it says, and nobody guesses when it does not say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from poker_actors.actors import LoopRuntime, Player, Room, StepRuntime, Table, ThreadRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.actors.messages import Shut
from poker_actors.actors.runtime import quiet_logs
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, IllegalAction, RoomClosed, StaleAction, TableRefusal
from poker_actors.rules import Call, Fold
from poker_actors.store import MemoryStorage, open_journal
from tests.actors.told import CRASH, heard

RUNTIMES = [StepRuntime, ThreadRuntime, LoopRuntime]


def two_tables(room: Room) -> tuple[Player, Table, Table]:
    """Ann has 1,000 chips at table A and 100 at table B, against a caller at each, and opens both."""
    ann = room.player("ann", chips=1100)
    tables = []
    for name, stack in (("A", 1000), ("B", 100)):
        table = room.open_table(name, seats=2, button=0)
        other = room.player(f"caller {name}", "caller", chips=1000)
        for player, chips in ((ann, stack), (other, 1000)):
            table.sit(player)
            table.buy_in(player, chips)
        tables.append(table)
    return ann, tables[0], tables[1]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_with_turns_at_two_tables_an_action_must_name_one(runtime: Callable[[], Any]) -> None:
    with Room(runtime(), seed=1) as room:
        ann, one, two = two_tables(room)
        hands = one.deal(Deck.seeded(1)), two.deal(Deck.seeded(2))
        heard(ann, one), heard(ann, two)
        for act in (ann.call, ann.fold, ann.all_in, lambda: ann.bet(5), lambda: ann.raise_to(20)):
            with pytest.raises(IllegalAction, match="ann is to act at A, B: name the table") as refused:
                act()
            assert refused.value.code == "several_turns"
        ann.at("A").fold()
        ann.call()  # there is one turn left, and no doubt
        assert hands[0].result().payoffs == (-1, 1)
        assert hands[1].state().seq >= 1


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_all_in_is_of_the_stack_at_the_table_that_is_named(runtime: Callable[[], Any]) -> None:
    with Room(runtime(), seed=1) as room:
        ann, one, two = two_tables(room)
        hands = one.deal(Deck.seeded(1)), two.deal(Deck.seeded(2))
        heard(ann, one), heard(ann, two)
        ann.at(two).all_in()
        ann.at(one).all_in()
        assert [max(map(abs, hand.result().payoffs)) for hand in hands] in ([1000, 100], [0, 100], [1000, 0])


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_the_state_of_a_player_is_the_last_one_heard(runtime: Callable[[], Any]) -> None:
    with Room(runtime(), seed=1) as room:
        ann, one, two = two_tables(room)
        for table in (one, two, one, two, one):
            hand = table.deal(Deck.seeded(2))
            heard(ann, table)
            ann.fold()
            hand.result()
            state = ann.state()
            assert state is not None
            assert state.table == table.name
        for name in ("A", "B"):
            state = ann.at(name).state()
            assert state is not None
            assert state.table == name
        assert ann.at("nowhere").state() is None


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_no_turn_at_the_table_that_is_named_is_refused(runtime: Callable[[], Any]) -> None:
    with Room(runtime(), seed=1) as room:
        ann, one, _ = two_tables(room)
        one.deal(Deck.seeded(1))
        heard(ann, one)
        with pytest.raises(IllegalAction, match="ann is not to act at B") as refused:
            ann.at("B").fold()
        assert refused.value.code == "not_active"
        ann.at("A").fold()


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_keys_of_a_turn_need_no_table(runtime: Callable[[], Any]) -> None:
    with Room(runtime(), seed=1) as room:
        ann, one, two = two_tables(room)
        one.deal(Deck.seeded(1)), two.deal(Deck.seeded(2))
        states = heard(ann, one), heard(ann, two)
        for state in states:
            ann.act(Fold(), hand_id=state.hand_id, seq=state.seq)
        with pytest.raises(StaleAction):
            ann.act(Call(), hand_id=states[0].hand_id, seq=states[0].seq)


def test_players_that_are_awaited_choose_alike() -> None:
    async def play() -> None:
        async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
            two_tables(room.room)
            awaited = room.players["ann"]
            hands = [await room.tables[name].deal(Deck.seeded(1)) for name in ("A", "B")]
            with pytest.raises(IllegalAction, match="A, B"):
                await awaited.all_in()
            await awaited.at("B").all_in()
            await awaited.at("A").fold()
            results = [await hand.result() for hand in hands]
            assert results[0].payoffs == (-1, 1)
            assert results[1].payoffs != (-1, 1)
            state = await awaited.at(room.tables["A"]).state()
            assert state is not None
            assert state.table == "A"

    asyncio.run(play())


@pytest.mark.parametrize("wrong", ["an", "ANN", 5, None, b"ann"])
def test_the_bank_takes_chips_for_nobody_who_is_not_there(wrong: Any) -> None:
    with Room(StepRuntime(), seed=1) as room:
        ann = room.player("ann", chips=5)
        for command in (room.bank.deposit, room.bank.lend):
            with pytest.raises(BadSpec, match=r"neither a player nor|there is no player"):
                command(wrong, 1000)
        assert room.bank.deposit(ann, 10) == 15
        assert room.audit().minted == 15


def test_a_table_is_closed_once_nobody_plays_sits_or_waits() -> None:
    with Room(StepRuntime(), seed=1) as room:
        ann, one, _ = two_tables(room)
        with pytest.raises(BadSpec, match="there is no table 'C'"):
            room.close_table("C")
        with pytest.raises(TableRefusal, match="no ledger"):
            room.bank.accounts("A")
        one.deal(Deck.seeded(1))
        with pytest.raises(TableRefusal, match="is being played") as refused:
            room.close_table("A")
        assert refused.value.code == "hand_in_progress"
        ann.fold()
        room.runtime.run()  # type: ignore[attr-defined]
        with pytest.raises(TableRefusal, match="somebody sits or waits at A"):
            room.close_table("A")
        waits = room.player("waits")
        one.wait(waits)
        for name in ("ann", "caller A"):
            one.cash_out(name)
        one.wait(room.player("next"))
        one.leave("ann")
        one.leave("caller A")
        room.runtime.run()  # type: ignore[attr-defined]
        for name in ("waits", "next"):
            with pytest.raises(TableRefusal, match="sits or waits at a table"):
                room.dismiss(name)
            one.leave(name)
        room.close_table("A")
        assert list(room.tables) == ["B"]
        room.dismiss("waits")
        with pytest.raises(BadSpec, match="there is no player 'waits'"):
            room.dismiss("waits")
        with pytest.raises(TableRefusal, match="chips at the bank"):
            room.dismiss("caller A")


def test_a_table_at_which_somebody_only_waits_is_not_closed() -> None:
    with Room(StepRuntime(), seed=1) as room:
        ann, one, _ = two_tables(room)
        waits = room.player("waits")
        one.wait(waits)
        for name in ("ann", "caller A"):
            one.cash_out(name)
        one.address.ask(Shut(void=False))
        one.leave("ann")
        one.leave("caller A")
        with pytest.raises(TableRefusal, match="somebody sits or waits at A"):
            room.close_table("A")
        with pytest.raises(TableRefusal, match="sits or waits at a table"):
            room.dismiss("waits")
        assert ann.name == "ann"


def test_of_a_table_that_is_not_there_nothing_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    with Room(StepRuntime(), seed=1) as room:
        with pytest.raises(BadSpec, match=r"no table 'A' \(tables: none\)"):
            room.recording("A")
        two_tables(room)
        with pytest.raises(BadSpec, match=r"no table 'C' \(tables: A, B\)"):
            room.recording("C")
        monkeypatch.setattr(Room, "debugger", None)
        with pytest.raises(BadSpec, match="debugging is not loaded"):
            room.debug("A")


def test_whoever_sat_at_a_table_that_is_lost_may_go() -> None:
    with Room(StepRuntime(), seed=1) as room, quiet_logs():
        ann, one, two = two_tables(room)
        room.supervisor.most_restarts = 3
        two.cash_out(ann)
        two.leave(ann)
        for _ in range(8):
            one.address.tell(CRASH)
        room.runtime.run()  # type: ignore[attr-defined]
        assert room.health().failed == ("table A",)
        room.bank.withdraw(ann, room.bank.balance(ann))
        room.dismiss("ann")
        assert "ann" not in room.players


def test_a_room_that_resumes_no_hand_leaves_none_open_when_it_closes() -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), seed=1, store=open_journal(storage), on_recovery="void") as room:
        _, one, _ = two_tables(room)
        one.deal(Deck.seeded(1))
    image = open_journal(storage).look(lambda image: image)
    assert image.tables["A"].open_hand is None
    assert image.ledger.balances("escrow/") == {}
    room.close()


def test_a_room_that_has_lost_its_bank_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with Room(StepRuntime(), seed=1) as room:
        two_tables(room)
        room.supervisor.most_restarts = 3
        for _ in range(8):
            room.bank.address.tell(CRASH)
        room.runtime.run()  # type: ignore[attr-defined]
        assert "the bank is lost: close the room" in caplog.messages
        with pytest.raises(RoomClosed, match="the room has lost its bank"):
            room.player("late")
    with pytest.raises(RoomClosed, match="the room is closed"):
        room.player("late")
