"""Supervision as OTP's users know it; a lost bank, a lost clock, pykka's own stops, and closing in time."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest
from pykka import ActorRegistry

from poker_actors.actors import LoopRuntime, Player, Room, StepRuntime, Table, ThreadRuntime, TimeBank
from poker_actors.actors.hand import HandEndedNews
from poker_actors.actors.runtime import Actor, Address, Handlers, Restart, Runtime, Supervisor, quiet_logs
from poker_actors.actors.table import TableActor
from poker_actors.actors.table.hands import TableHands
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, PokerError, RoomClosed, RoomError, TableRefusal
from poker_actors.rules import Check, View, first_positions
from tests.actors.conftest import RUNTIMES
from tests.actors.told import CRASH, Witness, heard, seated


class Echo(Actor):
    """Answers with what it is told to say, and crashes at 0."""

    def handles(self) -> Handlers:
        return {str: lambda text: text, int: lambda number: 1 // number}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with quiet_logs():
        yield


@pytest.fixture(params=RUNTIMES.values(), ids=list(RUNTIMES))
def runtime(request: pytest.FixtureRequest) -> Runtime:
    made: Runtime = request.param()
    return made


# -- permanent, transient, temporary -------------------------------------------------------------


def stop_by_pykka(address: Address) -> None:
    """Stop an actor as somebody does who knows pykka only, and wait for its end."""
    actor = address.actor
    assert actor is not None
    if isinstance(address.runtime, StepRuntime):
        address.ask(pykka_stop())
    else:
        actor.actor_ref.stop(timeout=30)


def pykka_stop() -> object:
    from poker_actors.actors.runtime import stop_message

    return stop_message()


@pytest.mark.parametrize(
    ("restart", "after_stop", "after_crash"),
    [(Restart.PERMANENT, True, True), (Restart.TRANSIENT, False, True), (Restart.TEMPORARY, False, False)],
    ids=lambda value: value.value if isinstance(value, Restart) else "",
)
def test_the_three_words_mean_what_they_mean_in_otp(
    runtime: Runtime, restart: Restart, after_stop: bool, after_crash: bool
) -> None:
    supervisor = Supervisor(runtime)

    def is_back(address: Address) -> bool:
        try:
            return bool(address.ask("here") == "here")
        except RoomClosed:
            return False

    stopped = supervisor.start("stopped", Echo, restart)
    stop_by_pykka(stopped)
    assert is_back(stopped) is after_stop
    crashed = supervisor.start("crashed", Echo, restart)
    with pytest.raises(ZeroDivisionError):
        crashed.ask(0)
    assert is_back(crashed) is after_crash
    asked = supervisor.start("asked to", Echo, restart)
    supervisor.stop(asked)
    assert not is_back(asked)
    assert supervisor.failed == []
    supervisor.stop_all(10)
    runtime.close()


def test_who_stops_too_often_stays_down_and_is_named(runtime: Runtime) -> None:
    supervisor = Supervisor(runtime, most_restarts=3)
    address = supervisor.start("echo", Echo)
    for _ in range(3):
        stop_by_pykka(address)
        assert address.ask("here") == "here"
    stop_by_pykka(address)
    with pytest.raises(RoomClosed):
        address.ask("here")
    assert supervisor.failed == ["echo"]
    supervisor.stop_all(10)
    runtime.close()


# -- pykka's own stops in a room -----------------------------------------------------------------


def test_pykkas_stop_of_any_actor_of_a_room_loses_nothing(room: Room) -> None:
    table, players = seated(room, [None, "caller", "caller"])
    witness = Witness(players)
    live = table.deal(Deck.seeded(1))
    heard(players[0], table)
    for address in (table.address, room.bank.address, players[0].address, players[1].address):
        stop_by_pykka(address)
    assert [seat.player for seat in table.state().seats if seat] == ["p0", "p1", "p2"]
    players[0].call()
    stop_by_pykka(live.address)
    while not live.promise.answered:
        try:
            players[0].check()
        except RoomError:
            raise
        except Exception:  # noqa: BLE001  not her turn yet, or the hand is over
            if isinstance(room.runtime, StepRuntime):
                room.runtime.run()
    result = live.result(timeout=30)
    assert not result.voided
    witness.check(result)
    witness.check_news()
    assert room.health().failed == ()
    assert room.audit().conserved


def test_stop_all_of_pykka_keeps_what_close_keeps(tmp_path: Path) -> None:
    with Room(store=tmp_path / "room", seed=1) as room:
        table, players = seated(room, [None, None])
        live = table.deal()
        while (before := players[0].state()) is None:
            pass  # a hand that is dealt tells at its own pace
        ActorRegistry.stop_all(timeout=30)
        again = players[0].state()
        assert again is not None
        assert (again.hand_id, again.seq, again.hand) == (before.hand_id, before.seq, before.hand)
    with pytest.raises(RoomClosed, match="goes on"):
        live.result(timeout=0)
    with Room(store=tmp_path / "room") as room:
        assert room.recovery is not None
        assert room.recovery.resumed == (live.hand_id,)


def test_stop_all_of_pykka_voids_no_hand_whenever_it_comes() -> None:
    """The room's actors are permanent: they come back with what they know, and hands go on."""
    with Room(seed=1) as room:
        table, players = seated(room, ["caller", "caller", "caller"])
        witness = Witness(players)
        for _ in range(15):
            live = table.deal()
            ActorRegistry.stop_all(timeout=30)
            result = live.result(timeout=30)
            assert not result.voided
            witness.check(result)
        for player in players:
            player.state()
        witness.check_news()
        assert room.health().failed == ()
        assert room.audit().conserved


def test_names_of_actors_are_their_own_and_their_urns_the_process_s() -> None:
    with Room(seed=1) as one, Room(seed=1) as other:
        actors = [room.bank.address.actor for room in (one, other)]
        urns = {actor.actor_urn for actor in actors if actor is not None}
        assert len(urns) == 2
        assert {room.bank.address.name for room in (one, other)} == {"bank"}
        for actor in actors:
            assert actor is not None
            assert ActorRegistry.get_by_urn(actor.actor_urn) is actor.actor_ref


# -- the bank is lost ----------------------------------------------------------------------------


def lose_the_bank(room: Room) -> None:
    room.supervisor.most_restarts = 2
    for _ in range(4):
        room.bank.address.tell(CRASH)
    with pytest.raises(RoomError):
        room.bank.balance("p0")


def test_a_room_that_has_lost_its_bank_says_so_and_closes_whole(tmp_path: Path, runtime: Runtime) -> None:
    room = Room(runtime, store=tmp_path / "room", seed=1)
    table, _ = seated(room, ["caller", None])
    live = table.deal()
    lose_the_bank(room)
    assert "bank" in room.health().failed
    with pytest.raises(RoomClosed, match="bank"):
        room.player("late")
    room.close()
    assert room.health().alive == ()
    with pytest.raises(RoomClosed):
        live.result(timeout=30)
    with Room(store=tmp_path / "room") as again:  # the store is free, and what was durable is there
        assert again.audit().conserved
        assert again.recovery is not None
        assert again.recovery.resumed == (live.hand_id,)


def test_a_hand_that_ends_without_a_bank_breaks_its_promise(room: Room) -> None:
    table, players = seated(room, ["caller", None], turn_seconds=None)
    live = table.deal(Deck.seeded(2))
    lose_the_bank(room)
    end = time.monotonic() + 60
    while not live.address.closed and time.monotonic() < end:
        try:
            players[1].call() if (state := players[1].state()) and state.to_call else players[1].check()
        except PokerError:  # the hand is over, or it is not her turn yet: the other one thinks on a thread
            time.sleep(0.001)
    with pytest.raises(RoomClosed):
        live.result(timeout=30)


# -- the clock -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [float("inf"), 1e10, float("nan"), "5", 0, -1, True, [5]], ids=repr)
def test_seconds_no_clock_can_count_are_refused_with_the_limit(room: Room, seconds: object) -> None:
    with pytest.raises(BadSpec, match=r"turn_seconds .*2678400"):
        room.open_table(turn_seconds=seconds)  # type: ignore[arg-type]  # that is the point
    with pytest.raises(BadSpec, match="2678400"):
        TimeBank(seconds)  # type: ignore[arg-type]
    assert room.tables == {}


def test_a_turn_may_take_a_month() -> None:
    with Room(seed=1) as room:
        table, _ = seated(room, [None, None], turn_seconds=31 * 86_400)
        table.deal()
        assert room.health().failed == ()


@pytest.mark.parametrize("seconds", [float("inf"), float("nan")])
def test_the_clock_takes_no_alarm_that_it_cannot_ring(runtime: Runtime, seconds: float) -> None:
    supervisor = Supervisor(runtime)
    address = supervisor.start("echo", Echo)
    with pytest.raises(BadSpec):
        runtime.later(seconds, address, "late")
    runtime.later(1e12, address, "never")
    runtime.later(0.0, address, "now")
    address.ask("still here")
    supervisor.stop_all(10)
    runtime.close()


def test_a_clock_whose_thread_ends_is_started_again_with_its_alarms() -> None:
    rung = threading.Event()

    class Rings(Actor):
        def handles(self) -> Handlers:
            return {str: lambda _: rung.set()}

    class Deadly(Address):
        """An address at which telling raises what nothing should."""

        __slots__ = ()

        def tell(self, message: object) -> None:
            raise SystemExit

    runtime = ThreadRuntime()
    supervisor = Supervisor(runtime)
    address = supervisor.start("rings", Rings)
    runtime.later(0.0, Deadly("deadly", runtime, None), "die")
    runtime.later(0.01, address, "ring")
    assert rung.wait(30)
    assert runtime.down == ()
    supervisor.stop_all(10)
    runtime.close()


# -- closing -------------------------------------------------------------------------------------


def test_closing_waits_for_all_who_block_together_and_not_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poker_actors.actors.room._CLOSE_SECONDS", 1.0)
    gate, blocked = threading.Event(), threading.Semaphore(0)

    def blocks(view: View) -> Check:
        blocked.release()
        gate.wait(300)
        return Check()

    room = Room(seed=1)
    lives = []
    for number in range(8):
        table = room.open_table(f"t{number}", seats=2)
        for seat in range(2):
            player = room.player(f"p{number}-{seat}", blocks, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        lives.append(table.deal())
    for _ in lives:
        assert blocked.acquire(timeout=60)
    waits: list[float] = []
    real = threading.Thread.join

    def join(self: threading.Thread, timeout: float | None = None) -> None:
        assert timeout is not None, "a thread that blocks is not waited for without end"
        waits.append(timeout)
        real(self, min(timeout, 0.01))

    monkeypatch.setattr(threading.Thread, "join", join)
    room.close()
    monkeypatch.undo()
    assert sum(waits) < 8 * 1.0  # one deadline: each may wait for what the others have left of it
    assert all(live.result(timeout=0).voided for live in lives)
    gate.set()
    assert room.health().alive == ()


def test_a_result_that_is_waited_for_ends_with_the_room() -> None:
    room = Room(seed=1)
    table, _ = seated(room, [None, None])
    live = table.deal()
    got: list[object] = []

    def wait() -> None:
        try:
            got.append(live.result())
        except RoomClosed as error:
            got.append(error)

    waiter = threading.Thread(target=wait)
    waiter.start()
    room.close()
    waiter.join(60)
    assert not waiter.is_alive()
    assert got


# -- what comes from outside ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand_id", "seq"), [("main/hand-000000000", -1), ("main/hand-000000000", "0"), (7, 0)]
)
def test_an_action_for_a_turn_that_cannot_be_is_refused_and_nobody_crashes(
    room: Room, hand_id: str, seq: int
) -> None:
    table, players = seated(room, [None, None])
    table.deal()
    with pytest.raises(BadSpec):
        players[0].act(Check(), hand_id=hand_id, seq=seq)
    assert room.supervisor.restarts == 0


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt, SystemExit, GeneratorExit], ids=lambda kind: kind.__name__
)
def test_whatever_a_bot_or_a_listener_raises_on_a_thread_is_its_own_fault(error: type[BaseException]) -> None:
    def raises(view: object) -> Check:
        raise error

    with Room(seed=1) as room:
        table, players = seated(room, [raises, "caller"])
        players[1].listen(raises)  # type: ignore[arg-type]  # what it returns is nobody's
        assert not table.deal().result(timeout=60).voided
        assert room.supervisor.restarts == 0
        assert players[0].faults.total


def test_a_table_that_is_not_sat_at_survives_being_told_to_sit_somebody_out(room: Room) -> None:
    from poker_actors.actors.messages import SitOut

    table = room.open_table()
    table.address.tell(SitOut("nobody"))
    assert table.state().number == 0
    assert room.supervisor.restarts == 0


def test_a_lost_table_that_cannot_book_says_so_and_returns_the_chips_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []
    with Room(StepRuntime(), store=tmp_path / "room", seed=1) as room:
        table, players = seated(room, [None, None])
        live = table.deal(Deck.seeded(1))
        monkeypatch.setattr(TableHands, "_settled", lambda *_: 1 // 0)
        monkeypatch.setattr(logging.Logger, "exception", lambda _, text, *rest: said.append(text % rest))
        room.supervisor.most_restarts = 0
        table.address.tell(CRASH)
        with pytest.raises(RoomClosed, match=r"^table main is lost, and main/hand-000000000 with it$"):
            live.result(timeout=60)
        assert said == ["table main cannot book its hand"]
        assert [room.bank.balance(player) for player in players] == [5000, 5000]
        assert room.audit().conserved
    with Room(StepRuntime(), store=tmp_path / "room") as again:
        assert again.recovery is not None
        assert (again.recovery.resumed, again.recovery.voided) == ((), ())
        assert again.audit().bank == 10_000


@pytest.mark.parametrize("stored", [False, True], ids=["in memory", "with a store"])
def test_a_table_that_is_lost_with_the_result_in_its_mailbox_books_it(stored: bool, tmp_path: Path) -> None:
    store = tmp_path / "room" if stored else None
    runtime = StepRuntime()
    with Room(runtime, store=store, seed=1) as room:
        table, players = seated(room, ["caller", "caller"])
        room.supervisor.most_restarts = 0
        live = table.deal(Deck.seeded(1))
        while not any(isinstance(one.message, HandEndedNews) for one in runtime.pending):
            assert runtime.step() is not None
        runtime.queue.appendleft((table.address, CRASH, None, None))
        result = live.result(timeout=60)
        assert not result.voided
        assert room.health().failed == ("table main",)
        assert [room.bank.balance(player) - 5000 for player in players] == list(result.payoffs[:2])
        assert room.audit().conserved
    if stored:
        with Room(StepRuntime(), store=store) as again:
            assert again.recovery is not None
            assert (again.recovery.resumed, again.recovery.voided) == ((), ())
            assert [again.bank.balance(name) - 5000 for name in ("p0", "p1")] == list(result.payoffs[:2])


# -- who is gone, and how often it is told --------------------------------------------------------


@attrs.frozen
class _Crash:
    """Makes an actor wait for `after`, if it has a thread, and crash."""

    after: threading.Event


def crash_after(room: Room, table: Table, step: Callable[[], None]) -> None:
    """Have the table crash with whatever `step` sends it in its mailbox."""
    actor, after = table.address.actor, threading.Event()
    assert actor is not None
    threads, loop = isinstance(room.runtime, ThreadRuntime), isinstance(room.runtime, LoopRuntime)

    def crash(news: _Crash) -> None:
        if loop:
            step()  # nobody else goes on meanwhile
        assert loop or news.after.wait(30 if threads else 0)
        raise ZeroDivisionError

    actor.handlers[_Crash] = crash  # type: ignore[index]  # a dict of this incarnation
    if threads:
        table.address.tell(_Crash(after))
        step()
        after.set()
    elif loop:
        table.address.tell(_Crash(after))
    else:
        after.set()
        step()
        assert isinstance(room.runtime, StepRuntime)
        room.runtime.queue.appendleft((table.address, _Crash(after), None, None))
    before = room.supervisor.restarts
    while room.supervisor.restarts == before:
        table.state()


def test_a_hand_stopped_while_its_table_crashes_is_continued_once(room: Room) -> None:
    """Its end is told twice: before the crash, and again to the successor that watches it. Two would share one hand."""
    table, players = seated(room, [None, None])
    live = table.deal(Deck.seeded(1))
    heard(players[1], table)
    crash_after(room, table, lambda: stop_by_pykka(live.address))
    table.state()
    playing = [address for address in room.supervisor.addresses if address.name == live.hand_id]
    assert len(playing) == 1
    players[1].call()
    heard(players[0], table)
    assert table.state().hand_id == live.hand_id


def gone_for_good(room: Room, player: Player) -> None:
    """End a player's actor, and wait for its end."""
    room.supervisor.stop(player.address)
    with pytest.raises(RoomClosed):
        player.state()


@pytest.mark.parametrize("stored", [False, True], ids=["in memory", "with a store"])
def test_a_player_who_is_gone_sits_out_whatever_happens_to_the_table(
    runtime: Runtime, stored: bool, tmp_path: Path
) -> None:
    with Room(runtime, store=tmp_path / "room" if stored else None, seed=1) as room:
        table, players = seated(room, ["caller", "caller", "caller"])
        gone_for_good(room, players[1])
        assert [seat.out for seat in table.state().seats if seat] == [False, True, False]
        crash_after(room, table, lambda: None)
        assert [seat.out for seat in table.state().seats if seat] == [False, True, False]
        assert table.deal().result(timeout=30).positions.dealt == (0, 2)


def test_a_player_who_is_gone_and_is_dealt_in_all_the_same_is_acted_for(room: Room) -> None:
    """A tournament deals in everybody, and anybody may say that a player sits in."""
    table, players = seated(room, [None, "caller", "caller"])
    gone_for_good(room, players[0])
    positions = first_positions((0, 1, 2), table.config.seats)
    assert not table.deal(positions=positions).result(timeout=30).voided
    table.sit_in(players[0])
    assert [seat.out for seat in table.state().seats if seat] == [True, False, False]


def test_a_hand_that_is_continued_acts_for_a_player_who_is_gone(room: Room) -> None:
    table, players = seated(room, ["caller", None, "caller"])
    live = table.deal(Deck.seeded(1))
    heard(players[1], table)
    gone_for_good(room, players[2])
    table.state()
    stop_by_pykka(live.address)
    players[1].play_by("caller")
    assert not live.result(timeout=30).voided


def test_a_waiting_player_who_is_gone_has_left_the_line_for_good(tmp_path: Path) -> None:
    with Room(StepRuntime(), store=tmp_path / "room", seed=1) as room:
        table, _ = seated(room, ["caller", "caller"], seats=2)
        ann = room.player("ann", chips=100)
        table.wait(ann, 100)
        gone_for_good(room, ann)
        assert table.state().waiting == ()
        crash_after(room, table, lambda: None)
        assert table.state().waiting == ()
    with Room(StepRuntime(), store=tmp_path / "room") as room:
        assert room.tables["main"].state().waiting == ()


def test_who_is_gone_is_dismissed_only_without_a_seat_and_a_place_in_line(tmp_path: Path) -> None:
    """Otherwise the journal has a seat of nobody: opened again, the table is set aside."""
    with Room(StepRuntime(), store=tmp_path / "room", seed=1) as room:
        _, players = seated(room, ["caller", "caller"], seats=2)
        gone_for_good(room, players[1])
        room.bank.withdraw(players[1], room.bank.balance(players[1]))
        with pytest.raises(TableRefusal, match="p1 sits or waits at a table"):
            room.dismiss("p1")
    with Room(StepRuntime(), store=tmp_path / "room") as room:
        assert room.recovery is not None
        assert room.recovery.set_aside == ()
        room.tables["main"].cash_out("p1")
        room.tables["main"].leave("p1")
        room.bank.withdraw("p1", room.bank.balance("p1"))
        room.dismiss("p1")
        assert [*room.players] == ["p0"]


def watchers(table: Table) -> int:
    table.state()
    actor = table.address.actor
    assert isinstance(actor, TableActor)
    return len(actor.memory.watchers)


@pytest.mark.parametrize("crashes", [False, True])
def test_a_spectator_who_is_dismissed_leaves_the_table(room: Room, crashes: bool) -> None:
    table, _ = seated(room, ["caller", "caller"])
    eve = room.player("eve")
    table.watch(eve)
    if crashes:
        crash_after(room, table, lambda: None)
    room.dismiss("eve")
    with pytest.raises(RoomClosed):
        eve.state()
    assert watchers(table) == 0
    table.watch(eve)
    assert watchers(table) == 0


def test_a_spectator_who_sat_here_is_heard_of_until_both_are_over(room: Room) -> None:
    table, players = seated(room, ["caller", "caller"])
    eve = room.player("eve", chips=100)
    table.watch(eve)
    table.sit(eve)
    table.unwatch(eve)
    with pytest.raises(TableRefusal, match="eve sits or waits"):
        room.dismiss("eve")
    table.watch(eve)
    table.leave(eve)
    room.bank.withdraw(eve, 100)
    room.dismiss("eve")
    with pytest.raises(RoomClosed):
        eve.state()
    assert watchers(table) == 0
    table.watch(players[0])
    gone_for_good(room, players[0])
    assert watchers(table) == 0
    assert [seat.out for seat in table.state().seats if seat] == [True, False]
