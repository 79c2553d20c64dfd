"""The two runtimes: the same traces, one step at a time, and nothing left behind by either."""

from __future__ import annotations

import logging
import math
import threading
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pykka
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.actors import (
    Delivery,
    HandState,
    LiveHand,
    News,
    Player,
    Room,
    StepRuntime,
    Table,
    ThreadRuntime,
)
from poker_actors.actors.messages import GetState
from poker_actors.actors.runtime import Actor, Address, Handlers, Runtime, on
from poker_actors.cards import Deck
from poker_actors.errors import (
    AskCycle,
    AskTimeout,
    BadSpec,
    IllegalAction,
    RoomClosed,
    TableRefusal,
    UnknownMessage,
)
from poker_actors.frozen import message
from poker_actors.rules import Check, Fold, RaiseTo, View
from poker_actors.testing import Witness
from poker_actors.testing.witness import HeardStepper

NAMES = ("ann", "bob", "cyd")


def seat_three(
    room: Room, bot: str | Callable[[View], Any] | None = None, **settings: Any
) -> tuple[Table, list[Player]]:
    table = room.open_table("main", **settings)
    players = [room.player(name, bot, chips=1000) for name in NAMES]
    for player in players:
        table.sit(player)
        table.buy_in(player, 200)
    return table, players


# -- equal traces ----------------------------------------------------------------------------------


class HearingRuntime(ThreadRuntime):
    """Writes down, for each actor, which messages it has handled, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: dict[str, list[str]] = defaultdict(list)

    def start(self, actor: Actor) -> None:
        handled = actor.on_receive
        heard = self.heard[actor.address.name]

        def on_receive(message: object) -> Any:
            heard.append(type(message).__name__)
            return handled(message)

        actor.on_receive = on_receive  # type: ignore[method-assign]
        super().start(actor)


def play_two_hands(runtime: Runtime, bot: str) -> list[tuple[int, ...]]:
    with Room(runtime, seed=5) as room:
        table, players = seat_three(room, bot)
        payoffs = [table.deal(Deck.seeded(seed)).result(timeout=60).payoffs for seed in (1, 2)]
        for player in players:
            table.cash_out(player)
            table.leave(player)
    return payoffs


@pytest.mark.parametrize("bot", ["caller", "random", "tight"])
def test_each_actor_handles_the_same_messages_in_the_same_order_on_both_runtimes(bot: str) -> None:
    stepper = StepRuntime()
    stepped: dict[str, list[str]] = defaultdict(list)
    stepper.observers.append(
        lambda delivery: stepped[delivery.receiver].append(type(delivery.message).__name__)
    )
    threads = HearingRuntime()
    assert play_two_hands(stepper, bot) == play_two_hands(threads, bot)
    assert {"bank", "table main", "player ann", "main/hand-000000000", "main/hand-000000001"} <= set(stepped)
    assert _determined(stepped) == _determined(threads.heard)


def _determined(heard: dict[str, list[str]]) -> dict[str, list[str]]:
    """All but what races by nature: the end of a hand's actor is heard while the next hand is dealt."""
    racing = {"ActorDown", "_ActorStop"}
    return {name: [word for word in words if word not in racing] for name, words in heard.items()}


@given(st.randoms(use_true_random=False))
def test_whatever_order_messages_are_delivered_in_the_hand_comes_out_the_same(order: Random) -> None:
    witness = Witness()
    assert play_two_hands(HeardStepper(witness, order), "random") == play_two_hands(StepRuntime(), "random")
    witness.rest()
    witness.hold()
    assert sum(witness.checked.values()) > 100


# -- what the stepper does -------------------------------------------------------------------------


def test_a_step_delivers_one_message_and_pending_shows_the_rest_in_the_order_sent() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, _ = seat_three(room, "caller")
        table.deal(Deck.seeded(1))
        ahead = runtime.pending
        assert [delivery.receiver for delivery in ahead] == [f"player {name}" for name in NAMES] * 2
        before = runtime.steps
        assert runtime.step() == ahead[0]
        assert runtime.steps == before + 1
        assert runtime.pending[: len(ahead) - 1] == ahead[1:]


def test_stepping_to_the_end_is_the_same_as_running() -> None:
    traces = []
    for run in (StepRuntime.run, _step_out):
        runtime, trace = traced()
        with Room(runtime, seed=1) as room:
            table, _ = seat_three(room, "random")
            hand = table.deal(Deck.seeded(1))
            run(runtime)
            assert runtime.quiescent
            assert runtime.step() is None
            assert hand.result().hand_id == "main/hand-000000000"
        traces.append(trace)
    assert traces[0] == traces[1]


def _step_out(runtime: StepRuntime) -> None:
    while runtime.step() is not None:
        pass


def traced(order: Random | None = None) -> tuple[StepRuntime, list[str]]:
    """A stepper and the list that it writes its deliveries to."""
    runtime = StepRuntime(order)
    trace: list[str] = []

    def observe(delivery: Delivery) -> None:
        trace.append(f"{delivery.sender} -> {delivery.receiver}: {type(delivery.message).__name__}")

    runtime.observers.append(observe)
    return runtime, trace


def test_run_stops_at_its_limit_and_where_it_is_told_to() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, _ = seat_three(room, "caller")
        hand = table.deal(Deck.seeded(1))
        assert runtime.run(limit=3) == 3
        runtime.run(until=lambda: hand.promise.answered)
        assert not runtime.quiescent
        runtime.run()
        assert runtime.quiescent


def test_advancing_the_clock_delivers_the_deadlines_that_fall_due_and_no_later_one() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, _ = seat_three(room, turn_seconds=15)
        hand = table.deal(Deck.seeded(1))
        assert runtime.next_deadline == 15
        runtime.advance(14)
        assert (hand.state().seq, runtime.now()) == (0, 14)
        runtime.advance(1)
        assert (hand.state().seq, runtime.now()) == (1, 15)
        runtime.advance(0.5)
        assert (hand.state().seq, runtime.next_deadline) == (1, 30)


@message
class Note:
    number: int


class Sender(Actor):
    """Tells two others numbers in order, whenever it is told one."""

    def __init__(self, address: Address, others: list[Address]) -> None:
        self.others = others
        super().__init__(address)

    def handles(self) -> Handlers:
        return {Note: self.note}

    def note(self, note: Note) -> None:
        for number in range(5):
            for other in self.others:
                other.tell(Note(10 * note.number + number))


class Hearer(Actor):
    def __init__(self, address: Address) -> None:
        self.heard: list[int] = []
        super().__init__(address)

    def handles(self) -> Handlers:
        return {Note: lambda note: self.heard.append(note.number)}


@given(st.randoms(use_true_random=False))
def test_a_drawn_order_keeps_the_messages_of_each_pair_in_sequence(order: Random) -> None:
    runtime = StepRuntime(order)
    hearers = [Hearer(runtime.address(f"hearer {number}")) for number in range(2)]
    senders = [Sender(runtime.address(f"sender {n}"), [h.address for h in hearers]) for n in range(3)]
    for actor in (*hearers, *senders):
        actor.address.runtime.start(actor)
    for number, sender in enumerate(senders, start=1):
        sender.address.tell(Note(number))
    runtime.run()
    for hearer in hearers:
        assert sorted(hearer.heard) == [10 * n + k for n in (1, 2, 3) for k in range(5)]
        for number in (1, 2, 3):
            own = [heard for heard in hearer.heard if heard // 10 == number]
            assert own == sorted(own)


def test_a_drawn_order_is_really_another_one() -> None:
    orders = set()
    for seed in range(10):
        runtime, trace = traced(Random(seed))
        play_two_hands(runtime, "caller")
        orders.add(tuple(trace))
    assert len(orders) > 1


# -- waiting for oneself ---------------------------------------------------------------------------


class Asker(Actor):
    """Asks the next one, if there is one, and gives the answer on."""

    next_one: Address | None = None

    def handles(self) -> Handlers:
        return {Note: self.note}

    def note(self, note: Note) -> int:
        return note.number if self.next_one is None else int(self.next_one.ask(note, timeout=60))


def ring(runtime: Runtime, size: int) -> list[Asker]:
    actors = [Asker(runtime.address(f"asker {number}")) for number in range(size)]
    for actor in actors:
        actor.address.runtime.start(actor)
    for actor, following in pairwise(actors):
        actor.next_one = following.address
    return actors


def test_a_chain_of_asks_is_answered() -> None:
    assert ring(StepRuntime(), 4)[0].address.ask(Note(7)) == 7


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_cycle_of_asks_raises_at_once_and_names_the_chain(size: int) -> None:
    runtime = StepRuntime()
    actors = ring(runtime, size)
    actors[-1].next_one = actors[0].address
    chain = " -> ".join([f"asker {number}" for number in range(size)] + ["asker 0"])
    with pytest.raises(AskCycle, match=chain):
        actors[0].address.ask(Note(7))
    assert runtime.now() == 0.0
    assert runtime.quiescent


def test_an_ask_that_nothing_can_answer_is_a_deadlock_and_is_noticed_at_once() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, _ = seat_three(room)
        hand = table.deal(Deck.seeded(1))
        with pytest.raises(AskTimeout, match="nothing is left to deliver"):
            hand.result()
        assert runtime.quiescent


def test_a_listener_that_acts_for_its_own_player_is_told_that_it_waits_for_itself(room: Room) -> None:
    table, players = seat_three(room)
    caught: list[BaseException] = []
    done = threading.Event()

    def listener(news: News) -> None:
        if isinstance(news, HandState) and news.active and not caught:
            try:
                players[2].fold()
            except AskCycle as error:
                caught.append(error)
            done.set()

    for player in players:
        player.listen(listener)
    table.deal(Deck.seeded(1))
    if isinstance(room.runtime, StepRuntime):
        room.runtime.run()
    assert done.wait(60)
    assert [error.args for error in caught] == [("an actor would wait for itself: player cyd -> player cyd",)]


# -- beginning and ending --------------------------------------------------------------------------


def test_a_hand_that_has_been_dealt_can_be_acted_in_at_once(room: Room) -> None:
    table, players = seat_three(room)
    for number in range(20):
        hand = table.deal(Deck.seeded(number))
        button = table.state().positions
        assert button is not None
        first = players[button.button]
        first.fold()
        players[(button.button + 1) % 3].fold()
        assert hand.result(timeout=60).payoffs[button.big_blind] == 1


def test_two_rooms_in_one_process_know_nothing_of_each_other() -> None:
    with Room(seed=1) as one, Room(StepRuntime(), seed=2) as two, Room(seed=3) as three:
        for room in (one, two, three):
            seat_three(room, "caller")
        results = [room._tables["main"].deal(Deck.seeded(9)).result(timeout=60) for room in (one, two, three)]
        assert results[0].payoffs == results[1].payoffs == results[2].payoffs
        one.close()
        assert two.bank.balance("ann") == three.bank.balance("ann") == 800
        with pytest.raises(RoomClosed):
            one.bank.balance("ann")


@pytest.mark.parametrize("bot", ["caller", None], ids=["between hands", "in a hand"])
def test_leaving_the_room_leaves_no_thread_and_no_actor(bot: str | None) -> None:
    before = set(threading.enumerate())
    actors = pykka.ActorRegistry.get_all()
    with Room(seed=1) as room:
        table, _ = seat_three(room, bot, turn_seconds=60)
        table.deal(Deck.seeded(1))
        assert len(threading.enumerate()) > len(before)
    assert set(threading.enumerate()) == before
    assert pykka.ActorRegistry.get_all() == actors


def test_leaving_the_room_by_an_error_leaves_nothing_either() -> None:
    before = set(threading.enumerate())
    with pytest.raises(ZeroDivisionError), Room(seed=1) as room:
        seat_three(room)[0].deal(Deck.seeded(1 // (room.seed - 1)))
    assert set(threading.enumerate()) == before


def test_the_same_refusals_come_from_both_runtimes(room: Room) -> None:
    table, players = seat_three(room)
    hand = table.deal(Deck.seeded(1))
    turn = players[2].state()
    assert turn is not None
    assert Fold() in turn.legal
    assert Check() not in turn.legal
    with pytest.raises(IllegalAction, match="raise_to 3 is below the minimum of 4"):
        players[2].act(RaiseTo(3))
    with pytest.raises(TableRefusal, match="main/hand-000000000 is being played"):
        table.deal()
    assert hand.state().seq == 0


def test_times_to_wait_may_have_no_end(room: Room) -> None:
    table, _ = seat_three(room, "caller")
    assert table.deal().result(timeout=math.inf).number == 0
    assert table.ask(GetState(), timeout=math.inf) == table.state()
    with pytest.raises(AskTimeout):
        open_hand(room).result(timeout=-math.inf)


def open_hand(room: Room) -> LiveHand:
    """Deal a hand that waits for players who do not act."""
    table = room.open_table("slow")
    for name in ("dan", "eve"):
        player = room.player(name, chips=1000)
        table.sit(player)
        table.buy_in(player, 200)
    return table.deal()


def test_a_room_that_closes_leaves_the_messages_of_another_on_the_same_stepper() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        with Room(runtime, seed=2) as other:
            seat_three(other, "caller")
            table, _ = seat_three(room, "caller", turn_seconds=60)
            hand = table.deal(Deck.seeded(1))
        assert not hand.result(timeout=60).voided


@message
class Gibberish:
    """A message no actor knows."""


def everybody(room: Room) -> dict[str, Address]:
    """Return an address of each kind of actor, by the actor's name."""
    table, players = seat_three(room)
    hand = table.deal(Deck.seeded(1))
    return {one.address.name: one.address for one in (room.bank, table, players[0], hand)}


def test_a_message_that_an_actor_does_not_know_is_refused_by_name_and_changes_nothing(room: Room) -> None:
    for name, address in everybody(room).items():
        actor = address.actor
        with pytest.raises(UnknownMessage) as refused:
            address.ask(Gibberish())
        assert refused.value.code == "unknown_message"
        assert str(refused.value) == f"{name}, a {type(actor).__name__}, has no handler for Gibberish"
        assert address.actor is actor
    assert room.supervisor.restarts == 0
    assert room.live_hands["main"].state().active is not None


def test_a_told_message_that_an_actor_does_not_know_is_logged_and_changes_nothing(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    addresses = everybody(room)
    actors = [address.actor for address in addresses.values()]
    for address in addresses.values():
        address.tell(Gibberish())
        with pytest.raises(UnknownMessage):  # answered only after the told one is handled
            address.ask(Gibberish())
    assert [address.actor for address in addresses.values()] == actors
    said = [one.getMessage() for one in caplog.records if one.levelno == logging.WARNING]
    kinds = ("BankActor", "TableActor", "PlayerActor", "HandActor")
    assert said == [
        f"{name} refuses what it was told: {name}, a {kind}, has no handler for Gibberish"
        for name, kind in zip(addresses, kinds, strict=True)
    ]
    assert room.supervisor.restarts == 0


def test_a_message_that_no_actor_knows_is_refused_step_by_step_too() -> None:
    runtime = StepRuntime()
    runtime.observers.append(lambda delivery: None)
    with Room(runtime) as room, pytest.raises(UnknownMessage, match="bank, a BankActor, has no handler"):
        room.bank.address.ask(Gibberish())


class Polite(Actor):
    """Answers a greeting."""

    @on(str)
    def greet(self, name: str) -> str:
        return f"hello {name}"


class Curt(Polite):
    """Overrides the greeting by name, and takes numbers, too."""

    def greet(self, name: str) -> str:
        return "hi"

    @on(int)
    def count(self, number: int) -> int:
        return number + 1


class Louder(Actor):
    @on(float)
    def shout(self, number: float) -> str:
        return f"{number}!"


class Both(Louder, Curt):
    """Has the marks of both its bases."""


def test_a_marked_method_handles_messages_of_its_type_and_a_subclass_overrides_it_by_name() -> None:
    runtime = StepRuntime()
    polite, curt, both = (kind(runtime.address(kind.__name__)) for kind in (Polite, Curt, Both))
    for actor in (polite, curt, both):
        actor.address.runtime.start(actor)
    assert polite.address.ask("ann") == "hello ann"
    assert [curt.address.ask("ann"), curt.address.ask(1)] == ["hi", 2]
    assert [both.address.ask("ann"), both.address.ask(1), both.address.ask(0.5)] == ["hi", 2, "0.5!"]
    with pytest.raises(UnknownMessage):
        polite.address.ask(1)


def test_one_name_is_given_once_however_many_threads_ask_for_it() -> None:
    with Room(seed=1) as room:
        given: list[Player] = []
        refused: list[str] = []
        start = threading.Barrier(8)

        def come_in(number: int) -> None:
            start.wait()
            for turn in range(20):
                try:
                    given.append(room.player(f"player {turn}", "caller", chips=number + 1))
                except BadSpec as error:
                    refused.append(str(error))

        threads = [threading.Thread(target=come_in, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(given) == len(room.players) == 20
        assert len(refused) == 7 * 20
        assert {player.name for player in given} == set(room.players)
        streams = {id(player._memory.stream) for player in given}
        assert len(streams) == 20
        assert room.audit().conserved


def test_a_player_nobody_has_looked_at_knows_its_newest_state_after_every_step() -> None:
    """Most states are made only when somebody looks: nobody can tell."""
    seen: list[list[tuple[str, int, bool]]] = []
    for observed in (False, True):
        runtime = StepRuntime()
        with Room(runtime, seed=1) as room:
            table, players = seat_three(room)
            table.deal(Deck.seeded(1))
            if observed:
                runtime.observers.append(lambda delivery: None)
            story = []
            for _ in range(2):
                runtime.run()
                states = [state for player in players if (state := player.state()) is not None]
                story += [(repr(state), state.seq, state.active) for state in states]
                players[[state.active for state in states].index(True)].all_in()
            seen.append(story)
    assert seen[0] == seen[1]


def test_who_begins_to_listen_in_the_middle_of_a_hand_hears_everything_from_then_on() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, (ann, bob, cyd) = seat_three(room)
        table.deal(Deck.seeded(1))
        runtime.run()
        cyd.fold()
        before = bob.state()
        assert before is not None
        assert before.seq == 1
        news: list[News] = []
        bob.listen(news.append)
        assert bob.state() is before
        ann.call()
        runtime.run()
        heard = [one for one in news if isinstance(one, HandState)]
        assert [one.seq for one in heard] == [2]
        assert bob.state() is heard[0]


def test_listening_changes_nothing_of_a_player_before_its_turn_comes_and_a_listener_may_stop_itself(
    room: Room,
) -> None:
    table, (ann, *_) = seat_three(room, "caller")
    heard: list[News] = []

    def once(news: News) -> None:
        heard.append(news)
        ann.unlisten(once)

    ann.listen(once)
    if isinstance(room.runtime, StepRuntime):
        assert ann._memory.listeners == ()
    table.deal(Deck.seeded(1)).result(timeout=30)
    table.deal(Deck.seeded(2)).result(timeout=30)
    ann.state()
    first = len(heard)
    table.deal(Deck.seeded(3)).result(timeout=30)
    ann.state()
    assert ann._memory.listeners == ()
    assert len(heard) == first >= 1
