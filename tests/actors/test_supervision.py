"""What the supervisor promises: no ask without an answer, no table hung, no chip lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

import pytest

from poker_actors.actors import Player, Room, StepRuntime, Table, ThreadRuntime
from poker_actors.actors.messages import BuyIn, Deposit, Play, Send
from poker_actors.actors.runtime import (
    Actor,
    ActorBack,
    ActorDown,
    Address,
    Handlers,
    Restart,
    Supervisor,
    on,
    quiet_logs,
    stop_message,
)
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, PokerError, RoomBusy, RoomClosed, RoomError
from poker_actors.rules import Check, Fold, View
from tests.actors.told import CRASH


class Echo(Actor):
    """Answers with what it is told to say, and crashes when told to."""

    def handles(self) -> Handlers:
        return {str: self.say, int: lambda number: 1 // number}

    def say(self, text: str) -> str:
        return text


def seated(
    room: Room, *bots: str | Callable[[View], object] | None, **settings: float
) -> tuple[Table, list[Player]]:
    table = room.open_table("main", **settings)  # type: ignore[arg-type]  # settings are TableConfig's
    players = []
    for number, bot in enumerate(bots):
        player = room.player(f"p{number}", bot, chips=100)  # type: ignore[arg-type]  # some bots are bad on purpose
        table.sit(player, number)
        table.buy_in(player, 100)
        players.append(player)
    return table, players


def test_an_actor_that_crashes_answers_the_asker_and_its_successor_handles_the_rest(room: Room) -> None:
    address = room.supervisor.start("echo", Echo)
    with pytest.raises(ZeroDivisionError):
        address.ask(0)
    assert address.ask("still here") == "still here"
    assert room.supervisor.restarts == 1


def test_an_actor_starts_by_its_name_or_at_an_address_and_by_the_old_verb_for_one_release(room: Room) -> None:
    address = room.runtime.address("echo")
    assert room.supervisor.start(address, Echo) is address
    for name, start in (("new", room.supervisor.start), ("old", room.supervisor.spawn)):
        assert start(name, Echo, Restart.TRANSIENT).ask("hello") == "hello"
        assert room.supervisor.alive[-1] == name


class Watcher(Actor):
    """Counts what it is told of others."""

    def __init__(self, address: Address) -> None:
        self.heard: list[object] = []
        super().__init__(address)

    @on(ActorBack)
    def back(self, news: ActorBack) -> None:
        self.heard.append(f"{news.name} is back")

    @on(ActorDown)
    def down(self, news: ActorDown) -> None:
        self.heard.append(f"{news.name} is down")


def test_who_watches_restarts_hears_of_them_though_it_also_watches_the_end_alone() -> None:
    runtime = StepRuntime()
    supervisor = Supervisor(runtime)
    echo, monitor = supervisor.start("echo", Echo), supervisor.start("monitor", Watcher)
    supervisor.watch(echo, monitor, restarts=True)
    supervisor.watch(echo, monitor)
    echo.tell(CRASH)
    runtime.run()
    assert monitor.actor.heard == ["echo is back"]  # type: ignore[union-attr]  # it is a Watcher
    supervisor.stop(echo)
    runtime.run()
    assert monitor.actor.heard == ["echo is back", "echo is down"]  # type: ignore[union-attr]  # as above


def test_nothing_starts_once_everything_was_stopped(room: Room) -> None:
    supervisor = Supervisor(room.runtime)
    supervisor.start("echo", Echo)
    supervisor.stop_all(10)
    with pytest.raises(RoomClosed, match="late cannot start: the room is closed"):
        supervisor.start("late", Echo)
    assert supervisor.alive == ()


class FirstClosed:
    """A lock just before which, when it is first taken, the room of `supervisor` is closed."""

    def __init__(self, supervisor: Supervisor) -> None:
        self.supervisor, self.lock, self.closed = supervisor, threading.RLock(), False

    def __enter__(self) -> None:
        if not self.closed:
            self.closed = True
            self.supervisor.stop_all(0.0)
        self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


def test_who_starts_as_everything_is_stopped_is_refused(room: Room) -> None:
    supervisor = Supervisor(room.runtime)
    supervisor._lock = FirstClosed(supervisor)  # type: ignore[assignment]  # as much of a lock as it needs
    with pytest.raises(RoomClosed, match="late cannot start: the room is closed"):
        supervisor.start("late", Echo)
    assert supervisor.alive == ()


@pytest.mark.parametrize("first", [True, False], ids=["started", "restarted"])
def test_who_is_made_while_everything_is_stopped_ends_at_once(room: Room, first: bool) -> None:
    """A thread of its own would wait for messages for ever, at an address that takes none."""
    supervisor, made = Supervisor(room.runtime), list[Echo]()

    def make(address: Address) -> Echo:
        if bool(made) is not first:
            supervisor.stop_all(0.0)
        made.append(Echo(address))
        return made[-1]

    address = supervisor.start("echo", make)
    if not first:
        with pytest.raises((ZeroDivisionError, RoomClosed)):
            address.ask(0)
    with pytest.raises(RoomClosed, match="echo is gone"):
        address.ask("hello")
    for _ in made:  # the thread of the first starts that of the second
        for thread in threading.enumerate():
            if thread.name == "echo":
                thread.join(10)
                assert not thread.is_alive()
    assert len(made) == (1 if first else 2)
    assert address.actor is None
    assert supervisor.alive == ()


def test_a_temporary_actor_stays_down_and_asks_are_refused(room: Room) -> None:
    address = room.supervisor.start("echo", Echo, Restart.TEMPORARY)
    with pytest.raises(ZeroDivisionError):
        address.ask(0)
    with pytest.raises(RoomClosed, match="echo is gone"):
        address.ask("hello")


def test_an_actor_that_crashes_too_often_stays_down_and_is_reported() -> None:
    lost: list[str] = []
    runtime = StepRuntime()
    supervisor = Supervisor(runtime, most_restarts=3, within=10)
    supervisor.escalate = lambda address: lost.append(address.name)
    address = supervisor.start("echo", Echo)
    for _ in range(4):
        with pytest.raises(ZeroDivisionError):
            address.ask(0)
    assert lost == supervisor.failed == ["echo"]
    with pytest.raises(RoomClosed):
        address.ask("hello")


def test_crashes_far_apart_are_no_pattern() -> None:
    runtime = StepRuntime()
    supervisor = Supervisor(runtime, most_restarts=3, within=10)
    address = supervisor.start("echo", Echo)
    for _ in range(20):
        address.tell(0)
        runtime.advance(11)
    assert address.ask("hello") == "hello"


def test_a_lost_table_gives_all_chips_back(room: Room) -> None:
    table, players = seated(room, "caller", None)
    room.supervisor.most_restarts = 3  # of so few it has seen enough in time on a slow machine, too
    table.deal()
    for _ in range(30):
        table.address.tell(CRASH)
    with pytest.raises(RoomError):
        table.state()
    assert [room.bank.balance(player.name) for player in players] == [100, 100]
    assert room.health().failed == ("table main",)
    assert room.audit().conserved


def test_a_player_that_is_gone_for_good_is_acted_for_and_sat_out(room: Room) -> None:
    table, players = seated(room, "caller", None, "caller")
    room.supervisor.most_restarts = 3
    hand = table.deal(Deck.seeded(1))
    for _ in range(30):
        players[1].address.tell(CRASH)
    result = hand.result(timeout=60)
    assert sum(result.payoffs) == 0
    seat = table.state().seats[1]
    assert seat is not None
    assert seat.out
    assert len(table.play(2)) == 2


def test_a_player_who_watches_no_more_is_still_sat_out_once_gone() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, players = seated(room, "caller", "caller", "caller")
        waits = room.player("waits", "caller")
        for number in range(3, len(table.state().seats)):
            table.sit(room.player(f"fills{number}", "caller"))
        table.wait(waits)
        for player in (players[1], waits):
            table.watch(player)
            table.unwatch(player)
            room.supervisor.stop(player.address)
        runtime.run()
        state = table.state()
        assert state.seats[1] is not None
        assert state.seats[1].out
        assert state.waiting == ()


def test_of_a_spectator_who_watches_no_more_a_table_hears_nothing() -> None:
    runtime, told = StepRuntime(), list[object]()
    with Room(runtime, seed=1) as room:
        table, _ = seated(room, "caller", "caller", "caller")
        eve, rail = room.player("eve"), room.player("rail")
        for spectator in (eve, rail):
            table.watch(spectator)
        table.unwatch(eve)
        runtime.observers.append(lambda delivery: told.append(delivery.message))
        for spectator in (eve, rail):
            room.supervisor.stop(spectator.address)
        runtime.run()
        assert [one.address for one in told if isinstance(one, ActorDown)] == [rail.address]


def test_who_is_not_in_the_hand_moves_chips_and_seats_while_it_is_played(room: Room) -> None:
    table, players = seated(room, None, None, "caller")
    table.sit_out(players[2])
    hand = table.deal()
    room.bank.deposit("p2", 5)
    assert table.buy_in(players[2], 5) == 105
    with pytest.raises(PokerError, match="cannot buy in"):
        table.buy_in(players[0], 5)
    assert table.live() is not None
    players[hand.state().to_act[0]].fold()
    hand.result(timeout=60)


def test_a_player_out_of_time_twice_running_is_sat_out_and_may_come_back() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, players = seated(room, None, "caller", "caller", turn_seconds=15)
        for _ in range(2):
            table.deal().result()
        seat = table.state().seats[0]
        assert seat is not None
        assert seat.out
        assert table.deal().result().positions.dealt == (1, 2)
        table.sit_in(players[0])
        assert 0 in table.state().ready


@pytest.mark.parametrize("finish", [0.0, 60.0], ids=["void", "finish"])
def test_a_room_that_closes_voids_or_finishes_its_hands(finish: float) -> None:
    room = Room(seed=1)
    started = threading.Event()
    go_on = threading.Event()

    def waits(view: View) -> Check:
        started.set()
        go_on.wait(60)
        raise ValueError("too late to matter")

    table, _ = seated(room, waits, "caller")
    live = table.deal(Deck.seeded(1))
    assert started.wait(60)
    if finish:
        threading.Timer(0.05, go_on.set).start()
    closer = threading.Thread(target=room.close, kwargs={"finish_seconds": finish})
    closer.start()
    result = live.result(timeout=60)
    go_on.set()
    closer.join(60)
    assert result.voided is (finish == 0)
    assert (result.payoffs == (0,) * 6) is (finish == 0)


def test_a_full_mailbox_drops_what_it_is_told_and_refuses_what_it_is_asked() -> None:
    runtime = ThreadRuntime()
    supervisor = Supervisor(runtime)
    gate = threading.Event()
    busy = threading.Event()

    class Slow(Actor):
        def handles(self) -> Handlers:
            return {str: self.wait, int: lambda number: number}

        def wait(self, _: str) -> None:
            busy.set()
            gate.wait(60)

    address = supervisor.start("slow", Slow)
    address.tell("wait")
    assert busy.wait(60)
    for number in range(10_100):
        address.tell(number)
    assert runtime.lost == 100
    with pytest.raises(RoomBusy):
        address.ask(1)
    gate.set()
    supervisor.stop_all(10)
    runtime.close()


@pytest.mark.parametrize("rounds", [100, pytest.param(1000, marks=pytest.mark.heavy)])
def test_no_ask_of_a_stopping_actor_is_left_unanswered(rounds: int) -> None:
    runtime = ThreadRuntime()
    supervisor = Supervisor(runtime)
    answered = 0
    for _ in range(rounds):
        address = supervisor.start("echo", Echo)
        results: list[object] = []

        def ask(address: Address = address, results: list[object] = results) -> None:
            for _ in range(25):
                try:
                    results.append(address.ask("hello", timeout=60))
                except PokerError as error:
                    results.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        supervisor.stop(address)
        for thread in threads:
            thread.join()
        assert all(result == "hello" or isinstance(result, RoomClosed) for result in results)
        answered += len(results)
    assert answered == 100 * rounds
    runtime.close()


def test_a_stopped_room_answers_every_command_with_an_error(room: Room) -> None:
    table, players = seated(room, None, "caller")
    room.close()
    for command in (table.state, table.deal, players[0].check, lambda: room.bank.balance("p0"), room.audit):
        with pytest.raises(RoomClosed):
            command()


def test_bad_input_that_an_actor_is_told_is_refused_and_nobody_crashes(room: Room) -> None:
    table, players = seated(room, "caller", "caller")
    for wrong in (BuyIn("p0", -5), BuyIn("p0", True), Send("p0", "main"), BuyIn("nobody", 5)):
        table.address.tell(wrong)
    room.bank.address.tell(Deposit("p0", -5))
    players[0].address.tell(Play(Fold(), hand_id="main/hand-000000000", seq=-1))
    table.state()
    room.bank.balance("p0")
    players[0].state()
    assert room.health().restarts == 0
    with pytest.raises(BadSpec, match="buy-in is -5: the minimum is 1"):
        table.buy_in(players[0], -5)


class Unready(Actor):
    """Cannot begin."""

    def begin(self) -> None:
        raise BadSpec("nothing to begin with")


def test_an_actor_that_cannot_begin_is_down_whatever_it_raises(room: Room) -> None:
    address = room.supervisor.start("unready", Unready, Restart.TEMPORARY)
    with pytest.raises(RoomClosed):
        address.ask("hello")


def test_a_hand_that_cannot_be_dealt_is_void(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def undealt(*_: object, **__: object) -> None:
        raise BadSpec("no such game")

    table, _ = seated(room, "caller", "caller")
    monkeypatch.setattr("poker_actors.actors.hand.deal_hand", undealt)
    assert table.deal().result(timeout=5).voided
    assert room.audit().conserved
    assert table.state().hand_id is None


def test_a_stop_is_no_crash_and_who_watches_the_end_alone_hears_of_no_restart() -> None:
    runtime = StepRuntime()
    supervisor, crashes = Supervisor(runtime), list[BaseException]()
    supervisor.on_crash = lambda address, error: crashes.append(error)
    echo = supervisor.start("echo", Echo)
    quiet = supervisor.start("quiet", Echo)
    watchers = [supervisor.start(name, Watcher) for name in ("first", "second")]
    supervisor.watch(echo, watchers[0])
    supervisor.watch(echo, watchers[1], restarts=True)
    with quiet_logs():
        echo.tell(stop_message())
        runtime.run()
        assert (crashes, supervisor.restarts) == ([], 1)
        echo.tell(0)
        runtime.run()
    assert [type(error) for error in crashes] == [ZeroDivisionError]
    assert [cast(Watcher, one.actor).heard for one in watchers] == [[], ["echo is back"] * 2]
    assert supervisor.crash_times == {"echo": (0.0, 0.0)}
    supervisor.stop(quiet)
    runtime.run()
    supervisor.stop(quiet)  # changes nothing
    assert runtime.run() == 0


@pytest.mark.parametrize(("ends", "reason"), [(0, "ZeroDivisionError"), (stop_message(), "stopped")])
def test_why_an_actor_that_ends_too_often_stays_down_is_logged(
    ends: object, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = StepRuntime()
    supervisor = Supervisor(runtime, most_restarts=0)
    supervisor.start("echo", Echo).tell(ends)
    runtime.run()
    assert f"echo stays down: it ended too often ({reason})" in caplog.text
    assert "has failed" not in caplog.text, "nothing was to be done at a crash"


class Closer(Actor):
    """Ends all actors, itself included, from a handler."""

    def __init__(self, address: Address, supervisor: Supervisor) -> None:
        self.supervisor = supervisor
        super().__init__(address)

    def handles(self) -> Handlers:
        return {str: lambda _: self.supervisor.stop_all(1.0)}


def test_when_all_end_those_that_are_never_restarted_go_first_and_who_watches_them_hears_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    runtime = StepRuntime()
    supervisor = Supervisor(runtime)
    supervisor.start("bank", Echo)
    brief = supervisor.start("brief", Echo, Restart.TEMPORARY)
    watcher = supervisor.start("watcher", Watcher)
    supervisor.watch(brief, watcher)
    heard = cast(Watcher, watcher.actor).heard
    closer = supervisor.start("closer", lambda address: Closer(address, supervisor))
    closer.tell("close")
    runtime.run()
    assert heard == ["brief is down"]
    assert "did not stop in time" not in caplog.text, "who closes all does not wait for itself"
    assert closer.closed
    assert closer.on_down is not None
    closer.on_down(closer, None)  # on threads an actor may end after that
    assert closer.closed
