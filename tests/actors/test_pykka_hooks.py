"""What we use of pykka beyond its documented interface; a version that changes it fails here first."""

from __future__ import annotations

import inspect
import queue
import threading
from collections.abc import Iterator
from typing import Any

import pykka
import pytest
from pykka import ActorDeadError, ActorRegistry
from pykka._envelope import Envelope
from pykka.messages import _ActorStop

from poker_actors.actors import Room
from poker_actors.actors.runtime import Actor, Address, Handlers, Reply, Restart, stop_message
from poker_actors.errors import IllegalAction, RoomClosed
from tests.actors.conftest import RUNTIMES


class Plain(pykka.ThreadingActor):
    """An actor that knows nothing of ours: it shows which methods pykka itself calls, and when."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        super().__init__()

    def _create_actor_inbox(self) -> Any:  # type: ignore[override]  # as our own actors do
        self.log.append("inbox")
        return queue.SimpleQueue()

    def _start_actor_loop(self) -> None:
        self.log.append("start")
        thread = threading.Thread(target=self._actor_loop)
        thread.start()
        self.thread = thread

    def on_start(self) -> None:
        self.log.append("on_start")

    def on_stop(self) -> None:
        self.log.append("on_stop")

    def on_failure(self, *error: object) -> None:
        self.log.append(f"on_failure {error[0]}")

    def on_receive(self, message: object) -> object:
        self.log.append(f"received {message}")
        if message == "crash":
            raise ZeroDivisionError
        return message


@pytest.fixture
def log() -> list[str]:
    return []


def stop(actor: Plain) -> None:
    actor.actor_ref.tell(_ActorStop())
    actor.thread.join(60)
    assert not actor.thread.is_alive()


def started(log: list[str]) -> Plain:
    actor = Plain(log)
    ActorRegistry.register(actor.actor_ref)
    actor._start_actor_loop()
    return actor


def test_an_actor_is_made_without_being_started_and_asks_for_its_inbox_once(log: list[str]) -> None:
    actor = Plain(log)
    assert log == ["inbox"]
    assert isinstance(actor.actor_inbox, queue.SimpleQueue)
    assert not actor.actor_stopped.is_set()
    assert actor.actor_ref not in ActorRegistry.get_all()


def test_the_loop_takes_envelopes_out_of_any_inbox_and_answers_through_reply_to(log: list[str]) -> None:
    actor = started(log)
    answers: list[object] = []

    class Reply:
        def set(self, value: object) -> None:
            answers.append(value)

        def set_exception(self, exc_info: Any = None) -> None:
            answers.append(exc_info)

    reply: Any = Reply()
    actor.actor_inbox.put(Envelope("told"))
    actor.actor_inbox.put(Envelope("asked", reply_to=reply))
    actor.actor_inbox.put(Envelope("crash", reply_to=reply))
    actor.actor_inbox.put(Envelope("after", reply_to=reply))
    stop(actor)
    assert answers == ["asked", None, "after"]
    assert log == ["inbox", "start", "on_start", *(f"received {m}" for m in ("told", "asked", "crash", "after")), "on_stop"]  # fmt: skip


def test_a_told_message_that_fails_ends_the_loop_by_on_failure_and_not_on_stop(log: list[str]) -> None:
    actor = started(log)
    actor.actor_inbox.put(Envelope("crash"))
    actor.thread.join(60)
    assert actor.actor_stopped.is_set()
    assert log[-1] == "on_failure <class 'ZeroDivisionError'>"
    assert "on_stop" not in log


def test_setting_actor_stopped_in_a_handler_ends_the_loop_with_the_message() -> None:
    class Leaver(Plain):
        def on_receive(self, message: object) -> object:
            self.actor_stopped.set()
            return super().on_receive(message)

    log: list[str] = []
    actor = Leaver(log)
    actor._start_actor_loop()
    actor.actor_inbox.put(Envelope("last"))
    actor.thread.join(60)
    assert not actor.thread.is_alive()
    assert log[-1] == "received last"


@pytest.mark.parametrize("name", ["_actor_loop_setup", "_actor_loop_running", "_stop"])
def test_the_parts_of_the_loop_that_we_call_ourselves_take_no_arguments(name: str) -> None:
    assert list(inspect.signature(getattr(pykka.ThreadingActor, name)).parameters) == ["self"]


def test_the_loop_is_its_setup_its_running_and_a_teardown() -> None:
    called: list[str] = []

    class Parts(Plain):
        def _actor_loop_setup(self) -> None:
            called.append("setup")

        def _actor_loop_running(self) -> None:
            called.append("running")

        def _actor_loop_teardown(self) -> None:
            called.append("teardown")

    Parts([])._actor_loop()
    assert called == ["setup", "running", "teardown"]


def test_a_failure_is_logged_unregistered_and_stops_the_actor(
    log: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    actor = Plain(log)
    ActorRegistry.register(actor.actor_ref)
    error = ZeroDivisionError("no")
    actor._handle_failure(type(error), error, None)
    assert actor.actor_stopped.is_set()
    assert actor.actor_ref not in ActorRegistry.get_all()
    assert [record.name for record in caplog.records] == ["pykka"]


def test_unregistering_twice_is_harmless(log: list[str]) -> None:
    actor = Plain(log)
    ActorRegistry.register(actor.actor_ref)
    ActorRegistry.unregister(actor.actor_ref)
    ActorRegistry.unregister(actor.actor_ref)


def test_the_message_that_stops_an_actor_is_made_without_arguments() -> None:
    assert type(stop_message()) is _ActorStop


# -- our actors, seen from pykka's side ------------------------------------------------------------


class Ours(Actor):
    def __init__(self, address: Address) -> None:
        self.said: list[str] = []
        super().__init__(address)

    def handles(self) -> Handlers:
        return {str: self.say, int: self.refuse}

    def say(self, text: str) -> str:
        self.said.append(text)
        return text

    def refuse(self, number: int) -> None:
        raise IllegalAction(f"{number} is refused")


@pytest.fixture(params=RUNTIMES.values(), ids=list(RUNTIMES))
def address(request: pytest.FixtureRequest) -> Iterator[Address]:
    runtime = request.param()
    address: Address = runtime.address("ours")
    address.runtime.start(Ours(address))
    yield address
    if not address.closed:
        address.ask(stop_message())
    runtime.close()


def test_our_actor_is_a_pykka_actor_with_the_inbox_of_its_address(address: Address) -> None:
    actor = address.actor
    assert isinstance(actor, pykka.ThreadingActor)
    assert actor.actor_inbox is address.inbox
    assert actor.use_daemon_thread


def test_our_actor_answers_refuses_and_lives_on(address: Address) -> None:
    assert address.ask("one") == "one"
    with pytest.raises(IllegalAction, match="7 is refused"):
        address.ask(7)
    assert address.ask("two") == "two"


def ref_of(address: Address) -> pykka.ActorRef[Any]:
    assert address.actor is not None
    return address.actor.actor_ref


def test_pykkas_reference_asks_and_tells_our_actor(address: Address) -> None:
    ref = ref_of(address)
    assert ref.is_alive()
    assert ref.ask("one", timeout=30) == "one"
    with pytest.raises(IllegalAction, match="7 is refused"):
        ref.ask(7, timeout=30)
    future = ref.ask("two", block=False)
    ref.tell("three")
    assert future.map(str.upper).get(timeout=30) == "TWO"
    assert future.get(timeout=30) == future.get() == "two"


def test_pykkas_proxy_calls_reads_and_writes_our_actor(address: Address) -> None:
    proxy = ref_of(address).proxy()
    assert proxy.say("hello").get(timeout=30) == "hello"
    assert proxy.said.get(timeout=30) == ["hello"]
    proxy.said = []
    assert proxy.said.get(timeout=30) == []
    with pytest.raises(IllegalAction):
        proxy.refuse(7).get(timeout=30)
    assert address.ask("one") == "one"


def test_pykkas_registry_finds_our_actor_and_reaches_it_until_it_stops(address: Address) -> None:
    ref = ref_of(address)
    for (
        other
    ) in ActorRegistry.get_all():  # left by steppers that nobody has closed; `stop_all` would stop them, too
        if other != ref:
            ActorRegistry.unregister(other)
    assert ActorRegistry.get_by_class(Ours) == [ref]
    assert ActorRegistry.get_by_urn(ref.actor_urn) is ref
    ActorRegistry.broadcast("all", Ours)
    assert address.ask("one") == "one"
    assert ref.proxy().said.get(timeout=30) == ["all", "one"]
    assert ActorRegistry.stop_all(timeout=30) == [True]
    assert ref not in ActorRegistry.get_all()


def test_pykkas_stop_ends_our_actor_after_what_it_was_sent_and_then_it_is_dead(address: Address) -> None:
    actor, ref = address.actor, ref_of(address)
    ref.tell("last")
    assert ref.stop(timeout=30) is True
    assert actor.said == ["last"]  # type: ignore[union-attr]  # it is one of Ours
    assert ref.stop(timeout=30) is False
    assert not ref.is_alive()
    with pytest.raises(ActorDeadError):
        ref.ask("one", timeout=30)
    with pytest.raises(ActorDeadError):
        ref.tell("one")


def test_an_actor_that_asks_by_pykkas_reference_in_a_handler_is_answered(address: Address) -> None:
    other = address.runtime.address("asks")

    class Asks(Actor):
        def handles(self) -> Handlers:
            return {str: lambda text: ref_of(address).ask(text, timeout=30)}

    other.runtime.start(Asks(other))
    assert other.ask("one") == "one"
    other.ask(stop_message())


def test_an_ask_that_is_lost_with_its_address_is_dead_for_pykka(address: Address) -> None:
    ref = ref_of(address)
    address.closed = True  # as it becomes between pykka's look at the actor and the sending
    with pytest.raises(ActorDeadError, match="ours is gone"):
        ref.ask("one", timeout=30)
    address.closed = False


def test_every_actor_of_a_room_is_in_the_registry_and_comes_back_after_pykkas_stop(room: Room) -> None:
    room.open_table("main")
    room.player("ann")
    found = {ref.actor_urn.rpartition(":")[2] for ref in ActorRegistry.get_all()}
    assert {"bank", "table main", "player ann"} <= found
    address = room.supervisor.start("ours", Ours)
    assert ref_of(address).stop(timeout=30)
    assert address.ask("hello") == "hello"  # a permanent actor comes back
    passing = room.supervisor.start("passing", Ours, Restart.TRANSIENT)
    assert ref_of(passing).stop(timeout=30)
    with pytest.raises(RoomClosed):
        passing.ask("hello")


def test_every_way_into_an_inbox_is_closed_once_the_actor_is_gone(address: Address) -> None:
    answers: list[object] = []

    class Answers(Reply):
        def _answer(self, value: Any, error: BaseException | None) -> None:
            answers.append(value if error is None else type(error))

    address.ask(stop_message())
    address.tell("lost")
    address.ask_into("asked", Answers())
    assert answers == [RoomClosed]
