"""Tables, hands and players of one's own classes, and messages of one's own, on every runtime and after restarts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest

import poker_actors.debug  # noqa: F401  with the debugger attached to `Room`
from poker_actors.actors import (
    Actors,
    Command,
    HandActor,
    HandState,
    LoopRuntime,
    PlayerActor,
    Room,
    StepRuntime,
    TableActor,
    on,
)
from poker_actors.actors.aio import AsyncRoom
from poker_actors.actors.messages import Deal, DealtHand
from poker_actors.actors.runtime import Runtime, quiet_logs, stop_message
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, RoomClosed, UnknownMessage
from tests.actors.conftest import RUNTIMES
from tests.actors.told import CRASH, heard, seated


@attrs.frozen
class Count(Command[int]):
    """Count on, and answer how far."""


@attrs.frozen
class Name(Command[str]):
    """The name of the class that answers."""


@attrs.frozen
class Clock(Command[None]):
    """Have the open turn end in so many seconds."""

    seconds: float


class OwnTable(TableActor):
    """Counts, and deals bomb pots only."""

    @on(Count)
    def count(self, _: Count) -> int:
        self.memory.own["count"] = self.memory.own.get("count", 0) + 1
        return int(self.memory.own["count"])

    @on(Name)
    def name(self, _: Name) -> str:
        return type(self).__name__

    def deal(self, command: Deal) -> DealtHand:
        self.memory.own["dealt"] = self.memory.own.get("dealt", 0) + 1
        return super().deal(command)


class OwnHand(HandActor):
    @on(Name)
    def name(self, _: Name) -> str:
        return type(self).__name__

    @on(Clock)
    def clock(self, command: Clock) -> None:
        self.end_turn_in(command.seconds)


class OwnPlayer(PlayerActor):
    """Counts the states it hears."""

    @on(Name)
    def name(self, _: Name) -> str:
        return type(self).__name__

    @on(Count)
    def count(self, _: Count) -> int:
        return int(self.memory.own.get("states", 0))

    def hand_state(self, state: HandState) -> None:
        self.memory.own["states"] = self.memory.own.get("states", 0) + 1
        super().hand_state(state)


OWN = Actors(OwnTable, OwnHand, OwnPlayer)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with quiet_logs():
        yield


@pytest.fixture(params=RUNTIMES.values(), ids=list(RUNTIMES))
def runtime(request: pytest.FixtureRequest) -> Runtime:
    made: Runtime = request.param()
    return made


# -- messages and classes --------------------------------------------------------------------------


def test_a_rooms_own_classes_answer_their_own_messages_and_all_others(runtime: Runtime) -> None:
    with Room(runtime, seed=1, actors=OWN) as room:
        table, players = seated(room, [None, "caller"])
        assert [table.ask(Count()), table.ask(Count())] == [1, 2]
        hand = table.deal(Deck.seeded(1))
        assert [one.ask(Name()) for one in (table, hand, players[0])] == ["OwnTable", "OwnHand", "OwnPlayer"]
        players[0].play_by("caller")
        assert sum(hand.result(timeout=60).payoffs) == 0
        assert table.address.actor.memory.own == {"count": 2, "dealt": 1}  # type: ignore[union-attr]
        with pytest.raises(UnknownMessage, match="bank, a BankActor, has no handler for Count"):
            room.bank.ask(Count())


def test_classes_are_given_to_one_table_and_to_one_player_alone(runtime: Runtime) -> None:
    with Room(runtime, seed=1) as room:
        own, ours = room.open_table("own", table=OwnTable, hand=OwnHand), room.open_table("ours")
        ann, bob = room.player("ann", chips=100, actor=OwnPlayer), room.player("bob", chips=100)
        assert (own.ask(Name()), ann.ask(Name())) == ("OwnTable", "OwnPlayer")
        for one in (ours, bob):
            with pytest.raises(UnknownMessage):
                one.ask(Name())
        for table in (own, ours):
            for player in (ann, bob):
                table.sit(player)
                table.buy_in(player, 50)
        assert own.deal().ask(Name()) == "OwnHand"
        with pytest.raises(UnknownMessage):
            ours.deal().ask(Name())


@pytest.mark.parametrize("kind", [StepRuntime, LoopRuntime])
def test_messages_of_ones_own_are_awaited_in_an_asyncio_room(kind: type[Runtime]) -> None:
    async def main() -> list[object]:
        async with AsyncRoom(Room(kind(), seed=1)) as room:
            table = await room.open_table("main", table=OwnTable, hand=OwnHand)
            players = [await room.player(name, chips=100, actor=OwnPlayer) for name in ("ann", "bob")]
            for player in players:
                await table.sit(player)
                await table.buy_in(player, 100)
            hand = await table.deal(Deck.seeded(1))
            answers = [await table.ask(Count()), await hand.ask(Name()), await players[0].ask(Name())]
            with pytest.raises(UnknownMessage):
                await hand.ask(Count())
            return answers

    assert asyncio.run(main()) == [1, "OwnHand", "OwnPlayer"]


def test_a_player_of_ones_own_class_hears_every_state_on_a_stepper_too() -> None:
    heard: list[int] = []
    for runtime in (StepRuntime(), StepRuntime()):
        with Room(runtime, seed=1) as room:
            table, _ = seated(room, ["caller", "caller"])
            own = room.player("own", "caller", chips=100, actor=OwnPlayer)
            table.sit(own)
            table.buy_in(own, 100)
            if heard:
                runtime.observers.append(lambda _: None)  # one delivery each: nothing is folded
            results = [table.deal(Deck.seeded(number)).result() for number in range(3)]
            runtime.run()
            heard.append(own.ask(Count()))
            assert heard[-1] == sum(len(one.hand.log) + 1 for one in results if one.hand is not None)
    assert heard[0] == heard[1]


def test_a_deadline_set_by_a_hand_of_ones_own_takes_the_place_of_the_tables() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, players = seated(room, [None, None], turn_seconds=5, button=0)
        table = room.open_table("own", seats=2, turn_seconds=5, button=0, hand=OwnHand)
        for player in players:
            table.sit(player)
            table.buy_in(player, 100)
        live = table.deal(Deck.seeded(1))
        runtime.run()
        live.ask(Clock(8))
        runtime.advance(6)
        assert live.state().seq == 0
        runtime.advance(3)
        assert live.result().payoffs[:2] == (-1, 1)
        (told,) = [str(one) for one in players[0].faults.by_kind]
        assert told == "late"


def test_a_clock_called_without_a_deadline_says_that_the_player_was_not_in_time() -> None:
    said: list[str] = []
    runtime = StepRuntime()
    with Room(runtime, seed=1, actors=OWN) as room:
        table, players = seated(room, [None, None], button=0)
        players[0].listen(lambda news: said.append(getattr(news, "text", "")))
        live = table.deal(Deck.seeded(1))
        actor = live.address.actor
        live.ask(Clock(8))
        runtime.advance(9)
        assert "seat 0 has not acted in time" in said
        assert live.result().payoffs[:2] == (-1, 1)
        assert isinstance(actor, OwnHand)
        actor.end_turn_in(1)
        assert runtime.timers == (), "no turn is open: nothing is to end"


# -- after a crash -----------------------------------------------------------------------------------


def test_an_actor_that_crashed_comes_back_as_the_class_it_was_with_what_it_kept(runtime: Runtime) -> None:
    with Room(runtime, seed=1) as room:
        table = room.open_table("main", table=OwnTable)
        player = room.player("ann", actor=OwnPlayer)
        assert table.ask(Count()) == 1
        for one in (table, player):
            one.address.tell(CRASH)
        assert (table.ask(Count()), player.ask(Name())) == (2, "OwnPlayer")
        assert room.supervisor.restarts == 2


def test_a_hand_that_was_stopped_goes_on_as_the_class_it_was(runtime: Runtime) -> None:
    with Room(runtime, seed=1) as room:
        table = room.open_table("main", seats=2, hand=OwnHand)
        for name in ("ann", "bob"):
            player = room.player(name, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        first = table.deal().address
        first.ask(stop_message(), timeout=60)  # as pykka's `ActorRef.stop` does
        live = table.live()
        assert live is not None
        assert live.address is not first
        assert live.ask(Name()) == "OwnHand"


def test_a_lost_table_of_ones_own_returns_all_chips() -> None:
    with Room(StepRuntime(), seed=1, actors=OWN) as room:
        table, players = seated(room, [None, "caller"])
        table.deal()
        room.supervisor.most_restarts = 0
        table.address.tell(CRASH)
        with pytest.raises(RoomClosed):
            table.ask(Count())
        assert [room.bank.balance(player) for player in players] == [5000, 5000]


def test_a_table_of_the_same_name_has_the_rooms_classes_again() -> None:
    with Room(StepRuntime(), seed=1) as room:
        room.open_table("main", table=OwnTable)
        room.close_table("main")
        with pytest.raises(UnknownMessage):
            room.open_table("main").ask(Name())


# -- with a store ------------------------------------------------------------------------------------


def evening(room: Room) -> None:
    """Seat two players and leave a hand open."""
    table, _ = seated(room, [None, None])
    table.deal(Deck.seeded(1))


def test_a_room_with_a_store_comes_back_with_the_classes_it_is_given_and_resumes_its_hand_with_them(
    runtime: Runtime, tmp_path: Path
) -> None:
    with Room(runtime, store=tmp_path / "room", seed=1, actors=OWN) as room:
        evening(room)
        assert room.recovery is not None
        assert room.recovery.other_actors is None
    with Room(StepRuntime(), store=tmp_path / "room", actors=OWN) as room:
        assert room.recovery is not None
        assert room.recovery.other_actors is None
        (name,) = room.recovery.resumed
        live = room.live_hands["main"]
        assert live.hand_id == name
        assert [one.ask(Name()) for one in (room.tables["main"], live, room.players["p0"])] == [
            "OwnTable",
            "OwnHand",
            "OwnPlayer",
        ]


def test_a_room_with_a_store_says_by_name_which_classes_it_had_if_it_is_opened_with_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def opened(actors: Actors | None) -> tuple[str | None, int]:
        with Room(StepRuntime(), store=tmp_path / "room", seed=1, actors=actors) as room:
            assert room.recovery is not None
            # every opening ends in a snapshot of all records so far
            return room.recovery.other_actors, room.recovery.journal.snapshot

    logging.disable(logging.NOTSET)
    own = Actors(table=OwnTable, player=partial(OwnPlayer))
    opened(None)
    assert opened(None) == (None, 1) == opened(None), "what is the same is not noted again"
    assert opened(own)[0] == ""
    assert opened(own)[0] is None
    assert not [one for one in caplog.records if "is opened with" in one.getMessage()]
    assert opened(None)[0] == "table OwnTable, player partial"
    assert opened(None)[0] is None
    with Room(StepRuntime(), store=tmp_path / "room") as room:
        assert room.books.notes("actors") == {}
    assert opened(own)[0] == ""
    assert opened(Actors(hand=OwnHand))[0] == "table OwnTable, player partial"
    said = [one.getMessage() for one in caplog.records if "is opened with" in one.getMessage()]
    assert said == [
        "the room had table OwnTable, player partial, and is opened with its own actors",
        "the room had table OwnTable, player partial, and is opened with hand OwnHand",
    ]


def test_in_a_room_with_a_store_classes_for_one_actor_are_refused_for_nothing_could_bring_them_back(
    tmp_path: Path,
) -> None:
    with Room(StepRuntime(), store=tmp_path / "room", seed=1, actors=Actors(table=OwnTable)) as room:
        for act in (
            lambda: room.open_table("main", table=TableActor),
            lambda: room.open_table("main", hand=OwnHand),
            lambda: room.player("ann", actor=OwnPlayer),
        ):
            with pytest.raises(BadSpec, match=r"give classes of your own to the room: Room\(actors=\.\.\.\)"):
                act()
        assert (dict(room.tables), dict(room.players)) == ({}, {})
        assert room.open_table("main", table=OwnTable, hand=HandActor).ask(Name()) == "OwnTable"


# -- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"table": OwnHand}, "table <class '.*OwnHand'> is neither a subclass of TableActor nor a function"),
        ({"hand": "OwnHand"}, "hand 'OwnHand' is neither a subclass of HandActor nor a function"),
        ({"player": int}, "player <class 'int'> is neither a subclass of PlayerActor nor a function"),
    ],
)
def test_what_is_no_class_of_such_actors_is_refused_by_name(given: dict[str, Any], text: str) -> None:
    with pytest.raises(BadSpec, match=text):
        Actors(**given)


def test_a_function_that_makes_the_actor_is_as_good_as_a_class() -> None:
    made: list[str] = []

    def make(*given: Any) -> OwnTable:
        made.append(given[0].name)
        return OwnTable(*given)

    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", table=make)
        table.address.tell(CRASH)
        assert table.ask(Name()) == "OwnTable"
    assert made == ["table main", "table main"]
    assert str(Actors(table=make)) == "table make"


@pytest.mark.parametrize("given", [{"table": OwnTable}, {"hand": OwnHand}])
def test_the_debugger_says_that_it_cannot_replay_a_table_of_ones_own(given: dict[str, Any]) -> None:
    with Room(StepRuntime(), seed=1, recent=50) as room:
        room.open_table("main", **given)
        for look in (room.debug, room.recording):
            with pytest.raises(BadSpec, match=r"cannot replay custom actors .*(Table|Hand)"):
                look("main")
        with pytest.raises(BadSpec, match="nothing is kept of it"):
            room.recents.taken("main")
        room.open_table("ours")
        assert room.recording("ours")["heard"] == []


# -- what a crash of the table, or bad input, must not do ------------------------------------------


def test_a_turn_is_told_once_though_the_table_crashes_meanwhile(runtime: Runtime) -> None:
    with Room(runtime, seed=1, actors=Actors(player=OwnPlayer)) as room:
        table, players = seated(room, [None, "caller"], button=0)
        live = table.deal(Deck.seeded(1))
        heard(players[0], table)
        before = players[0].ask(Count())
        for _ in range(3):
            table.address.tell(CRASH)
            table.state()
        assert live.state().active == 0
        assert players[0].ask(Count()) == before
        players[0].fold()
        assert not live.result(timeout=60).voided


def test_a_turn_is_told_again_to_each_incarnation_of_its_player_whatever_the_table_does(
    runtime: Runtime,
) -> None:
    with Room(runtime, seed=1, actors=Actors(player=OwnPlayer)) as room:
        table, players = seated(room, [None, "caller"], button=0)
        live = table.deal(Deck.seeded(1))
        heard(players[0], table)
        for again in (1, 2):
            before = players[0].ask(Count())
            players[0].address.tell(CRASH)
            players[0].state()
            table.address.tell(CRASH)
            table.state()
            live.state()
            assert players[0].ask(Count()) == before + 1, again
