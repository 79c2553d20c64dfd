"""The runtime of one thread: nobody waits for code that blocks, and what threads promise holds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from queue import SimpleQueue
from typing import Any

import pytest
from pykka import ActorRegistry, Timeout

from poker_actors.actors import HandState, LoopRuntime, News, Player, Room, Table
from poker_actors.actors.runtime import Actor, Address, Handlers, threads
from poker_actors.bots import is_quick
from poker_actors.cards import Deck
from poker_actors.errors import AskCycle, AskTimeout, RoomBusy, RoomClosed
from poker_actors.frozen import message
from poker_actors.rules import Action, Call, Check, View

ROOM_THREAD = "poker-actors room"


def call(view: View) -> Action:
    return Call() if view.to_call else Check()


@pytest.fixture
def room() -> Iterator[Room]:
    with Room(LoopRuntime(), seed=1) as room:
        yield room


def seated(room: Room, name: str, bots: list[Any], **settings: Any) -> Table:
    table = room.open_table(name, seats=len(bots), button=0, **settings)
    for number, bot in enumerate(bots):
        player = room.player(f"{name} {number}", bot, chips=1000)
        table.sit(player)
        table.buy_in(player, 200)
    return table


def test_players_of_one_table_whose_bots_are_quick_are_called_only_to_act(room: Room) -> None:
    table = seated(room, "main", ["caller", "caller", call])
    table.play(3)
    players = room.players.values()
    states = [player.state() for player in players]
    assert all(state is not None and state.public.over for state in states)
    actors: list[Any] = [player.address.actor for player in players]
    assert all(actor.memory.reading is not None for actor in actors[:2])


def asking_for_its_state(player: Player, refused: SimpleQueue[BaseException]) -> threading.Thread:
    """Start a thread that asks a player for its state, and puts the error in `refused` if the room closes first."""

    def ask() -> None:
        try:
            player.state(30)
        except RoomClosed as error:
            refused.put(error)

    asking = threading.Thread(target=ask)
    asking.start()
    return asking


class Gate:
    """A bot that waits until it is let through."""

    def __init__(self) -> None:
        self.asked, self.open = threading.Semaphore(0), threading.Event()
        self.names: list[str] = []

    def __call__(self, view: View) -> Action:
        self.names.append(threading.current_thread().name)
        self.asked.release()
        assert self.open.wait(60)
        return call(view)


# -- code that blocks ------------------------------------------------------------------------------


def test_a_bot_that_blocks_stalls_neither_its_table_nor_others_and_its_deadline_acts(room: Room) -> None:
    gate = Gate()
    slow = seated(room, "slow", [gate, "caller"], turn_seconds=0.05)
    fast = seated(room, "fast", [call, "caller"])
    live = slow.deal(Deck.seeded(1))
    assert gate.asked.acquire(timeout=30)
    assert [result.voided for result in fast.play(3)] == [False] * 3
    result = live.result(timeout=30)
    assert result.hand is not None
    assert slow.state().hand_id is None
    gate.open.set()
    assert room.players["slow 0"].state() is not None
    assert room.players["slow 0"].faults.total > 0


def test_more_bots_than_usual_workers_may_block_and_the_next_is_asked_all_the_same(room: Room) -> None:
    gate = Gate()
    for number in range(threads.USUAL + 2):
        seated(room, f"t{number}", [gate, "caller"]).deal(Deck.seeded(1))
    for _ in range(threads.USUAL + 2):
        assert gate.asked.acquire(timeout=30)
    table = seated(room, "next", [call, call])
    assert not table.deal(Deck.seeded(1)).result(timeout=30).voided
    gate.open.set()


def test_a_bot_is_never_asked_by_two_threads_at_once_and_is_told_its_turns_in_order(room: Room) -> None:
    inside, most, turns = 0, 0, []
    lock = threading.Lock()

    def counting(view: View) -> Action:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        turns.append(view.public.seq)
        action = call(view)
        with lock:
            inside -= 1
        return action

    player = room.player("ann", counting, chips=1000)
    tables = [seated(room, f"t{number}", ["caller", "caller", None]) for number in range(3)]
    for table in tables:
        table.cash_out(f"{table.name} 2")
        table.leave(f"{table.name} 2")
        table.sit(player, 2)
        table.buy_in(player, 200)
    for _ in range(5):
        for live in [table.deal() for table in tables]:
            assert not live.result(timeout=30).voided
    assert most == 1
    assert len(turns) >= 15


def test_a_quick_bot_is_asked_on_the_rooms_thread_and_any_other_on_a_worker_named_after_its_player(
    room: Room,
) -> None:
    names: dict[bool, set[str]] = {True: set(), False: set()}

    def bot(quick: bool) -> Callable[[View], Action]:
        def decide(view: View) -> Action:
            names[quick].add(threading.current_thread().name)
            return call(view)

        decide.quick = quick  # type: ignore[attr-defined]  # see `is_quick`
        return decide

    seated(room, "t", [bot(True), bot(False)]).deal(Deck.seeded(1)).result(timeout=30)
    assert names == {True: {ROOM_THREAD}, False: {"player t 1"}}


def test_a_listener_of_a_quick_bots_player_is_called_on_a_worker(room: Room) -> None:
    table = seated(room, "t", ["caller", "caller"])
    heard: SimpleQueue[tuple[bool, str]] = SimpleQueue()
    told_over = threading.Event()

    def listen(news: News) -> None:
        if isinstance(news, HandState):
            heard.put((news.active, threading.current_thread().name))
            if news.public.over:
                told_over.set()

    room.players["t 0"].listen(listen)
    table.play(1)
    assert told_over.wait(30)
    found = {heard.get() for _ in range(heard.qsize())}
    assert found == {(True, "player t 0"), (False, "player t 0")}


def test_what_is_quick_says_so_itself_also_with_parameters_bound() -> None:
    def quick() -> None: ...

    quick.quick = True  # type: ignore[attr-defined]  # see `is_quick`
    bound = partial(call)
    bound.quick = True  # type: ignore[attr-defined]  # a partial takes attributes
    assert [is_quick(one) for one in (None, quick, partial(quick), bound)] == [True] * 4
    assert [is_quick(one) for one in (call, partial(call), Gate())] == [False] * 3


def test_a_listener_may_wait_for_the_room_even_for_the_hand_it_hears_of(room: Room) -> None:
    table = seated(room, "t", [None, "caller"])
    found: SimpleQueue[Any] = SimpleQueue()

    def wait(news: News) -> None:
        if isinstance(news, HandState) and news.seq == 0:
            live = table.live()
            found.put(live)
            found.put(live and live.result(timeout=30).hand_id)

    spectator = room.player("spectator")
    spectator.listen(wait)
    table.watch(spectator)
    live = table.deal(Deck.seeded(1))
    assert found.get(timeout=30).hand_id == live.hand_id
    room.players["t 0"].fold()
    assert found.get(timeout=30) == live.hand_id
    # what she was told while she listened has been heard by the time she answers
    state = spectator.state()
    assert state is not None
    assert state.public.over


def test_a_bot_that_asks_its_own_player_is_told_that_it_would_wait_for_itself(room: Room) -> None:
    caught: SimpleQueue[BaseException] = SimpleQueue()

    def asks(view: View) -> Action:
        try:
            room.players["t 0"].state()
        except AskCycle as error:
            caught.put(error)
        return call(view)

    seated(room, "t", [asks, "caller"]).deal(Deck.seeded(1)).result(timeout=30)
    assert str(caught.get(timeout=30)) == "an actor would wait for itself: player t 0 -> player t 0"


def test_closing_the_room_does_not_wait_for_a_bot_that_never_returns_and_refuses_what_it_was_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("poker_actors.actors.room._CLOSE_SECONDS", 0.05)
    monkeypatch.setattr("poker_actors.actors.runtime.loop.LEAST_SECONDS", 0.05)
    gate = Gate()
    refused: SimpleQueue[BaseException] = SimpleQueue()
    registered = ActorRegistry.get_all()
    with Room(LoopRuntime(), seed=1) as room:
        seated(room, "t", [gate, "caller"]).deal(Deck.seeded(1))
        assert gate.asked.acquire(timeout=30)
        player = room.players["t 0"]

        asking = asking_for_its_state(player, refused)
        while not any(item[2] for item in list(player.address.kept)):  # type: ignore[attr-defined]  # a LoopAddress
            pass
    asking.join(30)
    assert str(refused.get(timeout=30)) == "player t 0 is gone"
    assert ActorRegistry.get_all() == registered
    (left,) = [thread for thread in threading.enumerate() if thread.name == "player t 0"]
    gate.open.set()
    left.join(30)
    assert not left.is_alive()


def test_a_thread_that_ends_after_its_room_was_closed_refuses_what_it_was_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("poker_actors.actors.room._CLOSE_SECONDS", 0.05)
    monkeypatch.setattr("poker_actors.actors.runtime.loop.LEAST_SECONDS", 0.05)
    late, held = threading.Event(), threading.Event()
    refused: SimpleQueue[BaseException] = SimpleQueue()
    with Room(runtime := LoopRuntime(), seed=1) as room:
        seated(room, "t", ["caller", "caller"])
        player = room.players["t 0"]

        def hold() -> None:
            held.set()
            late.wait(30)

        runtime.call(hold)
        assert held.wait(30)
        asking = asking_for_its_state(player, refused)
        while not runtime.waiting:
            pass
    late.set()
    assert str(refused.get(timeout=30)) == "player t 0 is gone"
    asking.join(30)


# -- one thread ------------------------------------------------------------------------------------


@message
class Note:
    text: str


class Slow(Actor):
    """Blocks on notes called "block", and passes the others on."""

    def __init__(self, address: Address, gate: threading.Event, to: Address | None = None) -> None:
        self.gate, self.to = gate, to
        self.heard: list[str] = []
        super().__init__(address)

    def handles(self) -> Handlers:
        return {Note: self.note}

    def may_block(self, message: object) -> bool:
        return getattr(message, "text", "") == "block"

    def note(self, note: Note) -> list[str]:
        if note.text == "block":
            assert self.gate.wait(30)
        if note.text == "exit":
            raise SystemExit
        self.heard.append(note.text)
        if self.to is not None:
            self.to.tell(note)
        return list(self.heard)


class Asks(Actor):
    """Asks another for each text, from a handler on the room's thread."""

    def __init__(self, address: Address, other: Address) -> None:
        self.other = other
        super().__init__(address)

    def handles(self) -> Handlers:
        return {str: lambda text: self.other.ask(Note(text), 0.2 if text == "late" else 30)}


@pytest.fixture
def runtime() -> Iterator[LoopRuntime]:
    runtime = LoopRuntime()
    yield runtime
    runtime.close()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    gate = threading.Event()
    yield gate
    gate.set()


def slow(runtime: LoopRuntime, gate: threading.Event, to: Address | None = None) -> Address:
    address = runtime.address("slow")
    address.runtime.start(Slow(address, gate, to))
    return address


def test_messages_to_a_busy_actor_wait_in_order_and_what_it_sends_stays_in_order(
    runtime: LoopRuntime, gate: threading.Event
) -> None:
    last = runtime.address("last")
    last.runtime.start(Slow(last, gate))
    address = slow(runtime, gate, last)
    for text in ("a", "block", "b", "block", "c"):
        address.tell(Note(text))
    gate.set()
    assert address.ask(Note("d")) == ["a", "block", "b", "block", "c", "d"]
    assert last.ask(Note("e")) == ["a", "block", "b", "block", "c", "d", "e"]


def test_a_handler_waits_for_an_actor_that_is_busy_and_no_longer_than_it_says(
    runtime: LoopRuntime, gate: threading.Event
) -> None:
    address, asks = slow(runtime, gate), runtime.address("asks")
    asks.runtime.start(Asks(asks, address))
    address.tell(Note("block"))
    with pytest.raises(AskTimeout, match=r"slow, asked Note, has not answered within 0.2 s"):
        asks.ask("late")
    threading.Timer(0.05, gate.set).start()
    assert asks.ask("then") == ["block", "late", "then"]


def test_a_mailbox_that_is_full_while_its_actor_blocks_refuses_asks_counts_tells_and_takes_a_stop(
    runtime: LoopRuntime, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poker_actors.actors.runtime.loop.MAILBOX_LIMIT", 3)
    address = slow(runtime, gate)
    for text in ("block", "a", "b", "c", "d", "e"):
        address.tell(Note(text))
    with pytest.raises(RoomBusy, match="slow has"):
        address.ask(Note("f"))
    assert runtime.lost == 2
    actor = address.actor
    assert actor is not None
    actor.stop()
    gate.set()
    while not address.closed:
        pass
    assert actor.heard == ["block", "a", "b", "c"]  # type: ignore[attr-defined]  # a Slow


def test_pykkas_ask_of_an_actor_that_blocks_times_out_as_pykkas_do(
    runtime: LoopRuntime, gate: threading.Event
) -> None:
    actor = slow(runtime, gate).actor
    assert actor is not None
    with pytest.raises(Timeout, match=r"slow has not answered within 0.01 s"):
        actor.actor_ref.ask(Note("block"), timeout=0.01)


def test_what_is_sent_before_an_actor_has_begun_waits_for_it(
    runtime: LoopRuntime, gate: threading.Event
) -> None:
    other = slow(runtime, gate)
    address = runtime.address("later")
    address.tell(Note("early"))
    other.ask(Note("a"))  # by now the early note has been looked at
    address.runtime.start(Slow(address, gate))
    assert address.ask(Note("late")) == ["early", "late"]


def test_an_ask_of_a_runtime_that_has_closed_is_refused_at_once(gate: threading.Event) -> None:
    runtime = LoopRuntime()
    address = slow(runtime, gate)
    runtime.close()
    with pytest.raises(RoomClosed, match="slow is gone"):
        address.ask(Note("a"), timeout=30)


def test_a_handler_that_exits_ends_its_actor_and_neither_the_thread_nor_who_asks(
    runtime: LoopRuntime, gate: threading.Event
) -> None:
    address, other = slow(runtime, gate), runtime.address("other")
    other.runtime.start(Slow(other, gate))
    with pytest.raises(RuntimeError, match="SystemExit in slow"):
        address.ask(Note("exit"))
    assert address.closed
    assert other.ask(Note("a")) == ["a"]
    assert runtime.down == ()


def test_a_thread_that_fails_goes_on_with_what_is_left(
    runtime: LoopRuntime, gate: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    address = slow(runtime, gate)

    def fail() -> None:
        raise SystemExit

    runtime.call(fail)
    assert address.ask(Note("a")) == ["a"]
    assert runtime.down == ()
    assert "the room's thread has failed, and goes on" in caplog.text


def test_a_thread_that_fails_again_and_again_ends_and_the_room_says_so(
    runtime: LoopRuntime, gate: threading.Event
) -> None:
    address = slow(runtime, gate)

    def fail() -> None:
        raise SystemExit

    for _ in range(30):
        runtime.call(fail)
    thread = runtime._thread
    assert thread is not None
    thread.join(30)
    assert runtime.down == ("loop",)
    address.close()


def test_a_deadline_set_from_outside_wakes_the_thread_that_sleeps_for_a_later_one(
    runtime: LoopRuntime, gate: threading.Event
) -> None:
    rung = threading.Event()

    class Rings(Actor):
        def handles(self) -> Handlers:
            return {str: lambda _: rung.set()}

    address = runtime.address("rings")
    address.runtime.start(Rings(address))
    runtime.later(1000, address, "late")
    assert [one.receiver for one in runtime.timers] == ["rings"]
    runtime.later(0.01, address, "soon")
    assert rung.wait(30)


def test_a_room_that_is_closed_as_its_thread_takes_in_what_came_ends_its_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runtime = LoopRuntime()
    looks, closed, took = threading.Event(), threading.Event(), runtime._take_in

    def take_in(nap: float | None) -> None:
        if nap is None and not looks.is_set():
            looks.set()
            assert closed.wait(30)
        took(nap)

    monkeypatch.setattr(runtime, "_take_in", take_in)
    runtime._start_thread()
    assert looks.wait(30)
    closing = threading.Thread(target=runtime.close)
    closing.start()
    while runtime._incoming.empty():
        time.sleep(0.001)
    closed.set()
    closing.join(30)
    assert not runtime._alive


def test_workers_end_when_there_is_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_IDLE_SECONDS", 0.01)
    pool = threads.Workers()
    done = threading.Event()
    pool.do("once", done.set)
    assert done.wait(30)
    while pool._threads:
        pass
    done.clear()
    pool.do("again", done.set)
    assert done.wait(30)
    pool.close(time.monotonic() + 30)
