"""What players were told stays true when actors crash: at any line on the stepper, at any message on threads."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime, ThreadRuntime
from poker_actors.actors.command import Face
from poker_actors.actors.runtime import Actor, Address, quiet_logs
from poker_actors.actors.table import TableActor, TableHands
from poker_actors.errors import PokerError, RoomClosed
from tests.actors.told import CRASH, Witness, seated


class Planted(Exception):
    """A crash made on purpose."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with quiet_logs():
        yield


# -- at any line ---------------------------------------------------------------------------------


class LineCrash:
    """Raises at the n-th line that runs in some files, once; counts the lines."""

    def __init__(self, at: int, files: tuple[str, ...]) -> None:
        self.at = at
        self.files = files
        self.lines = 0
        self.done = False

    def __enter__(self) -> LineCrash:
        sys.settrace(self._trace)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        # a face stands in the file of its actor, but it is the caller's code and no part of an actor that crashes
        called = isinstance(frame.f_locals.get("self"), Face)
        return self._line if frame.f_code.co_filename.endswith(self.files) and not called else None

    def _line(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        if event == "line" and not self.done:
            self.lines += 1
            if self.lines == self.at:
                self.done = True
                raise Planted
        return self._line


def play_two_hands(crash: LineCrash, store: Path | None) -> None:
    """Play two hands, of which the first meets the crash; the room must be right in any case."""
    with Room(StepRuntime(), seed=3, store=store) as room:
        table, players = seated(room, ["caller", "maniac", "caller"])
        room.supervisor._runtime.run()  # type: ignore[attr-defined]  # all have sat down
        witness = Witness(players)
        with crash:
            try:
                live = table.deal()
            except (Planted, PokerError):
                found = table.live()
                live = table.deal() if found is None else found
            result = live.result()
        witness.check(result)
        second = table.live() or table.deal()
        witness.check(second.result())
        room.runtime.run()  # type: ignore[attr-defined]  # a stepper
        witness.check_news()
        audit = room.audit()
        assert audit.conserved
        assert audit.hands == 0
        assert {seat.player: seat.stack for seat in table.state().seats if seat}.keys() == {"p0", "p1", "p2"}
        assert audit.tables == sum(seat.stack for seat in table.state().seats if seat)


HANDS = ("actors/table/hands.py", "actors/table/actor.py", "actors/hand.py")


def lines_of(files: tuple[str, ...], store: Path | None = None) -> int:
    counting = LineCrash(0, files)
    play_two_hands(counting, store)
    return counting.lines


@pytest.mark.parametrize(
    "files", [HANDS, ("actors/bank.py",), ("actors/player/actor.py",)], ids=["table", "bank", "player"]
)
@pytest.mark.parametrize(
    "stride", [pytest.param(1, marks=pytest.mark.heavy), 17], ids=["every line", "every 17th"]
)
def test_a_crash_at_any_line_of_an_actor_leaves_true_what_was_told(
    stride: int, files: tuple[str, ...]
) -> None:
    for at in range(1, lines_of(files) + 1, stride):
        try:
            play_two_hands(LineCrash(at, files), None)
        except AssertionError as error:
            raise AssertionError(f"crash at line {at}: {error}") from error


def test_a_crash_at_the_end_of_a_hand_leaves_true_what_was_told_with_a_journal_too(tmp_path: Path) -> None:
    files = ("actors/table/hands.py",)
    for at in range(1, lines_of(files, tmp_path / "counted") + 1, 11):
        try:
            play_two_hands(LineCrash(at, files), tmp_path / f"crash-{at}")
        except AssertionError as error:
            raise AssertionError(f"crash at line {at}: {error}") from error


# -- on threads ----------------------------------------------------------------------------------


class FaultyThreads(ThreadRuntime):
    """Threads on which handling of some messages crashes, before the handler or after it, each in its turn."""

    def __init__(self, message: str, *, after: bool, every: int = 2) -> None:
        super().__init__()
        self.message = message
        self.after = after
        self.every = every
        self.seen = 0
        self.crashes = 0
        self.armed = False

    def start(self, actor: Actor) -> None:
        handlers = {kind: self._faulty(kind, handler) for kind, handler in actor.handlers.items()}
        actor.handlers = handlers
        actor.address.handlers = handlers
        super().start(actor)

    def _faulty(self, kind: type, handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
        if kind.__name__ != self.message:
            return handler

        def handle(message: Any) -> Any:
            self.seen += self.armed
            crash = self.armed and self.seen % self.every == 0
            if crash and not self.after:
                self.crashes += 1
                raise Planted
            answer = handler(message)
            if crash:
                self.crashes += 1
                raise Planted
            return answer

        return handle


def play_on_threads(runtime: FaultyThreads, hands: int, store: Path | None = None) -> None:
    with Room(runtime, seed=5, store=store) as room:
        room.supervisor.most_restarts = 10_000
        table, players = seated(room, ["caller", "maniac", "caller"])
        witness = Witness(players)
        runtime.armed = True
        for _ in range(hands):
            try:
                live = table.deal()
            except (Planted, PokerError):
                found = table.live()
                if found is None:
                    continue
                live = found
            witness.check(live.result(timeout=60))
        runtime.armed = False
        table.state()
        for player in players:
            player.state()
        witness.check_news()
        assert room.audit().conserved
        assert room.audit().hands == 0
    assert runtime.crashes


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("message", ["HandEndedNews", "ActorDown", "Deal", "Settle", "Escrow"])
@pytest.mark.parametrize("rounds", [12, pytest.param(100, marks=pytest.mark.heavy)])
def test_a_crash_at_the_messages_of_a_hands_end_leaves_true_what_was_told_on_threads(
    message: str, after: bool, rounds: int
) -> None:
    play_on_threads(FaultyThreads(message, after=after), rounds)


@pytest.mark.heavy
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("message", ["HandEndedNews", "ActorDown", "Deal", "Settle", "Escrow"])
def test_a_crash_at_the_messages_of_a_hands_end_leaves_true_what_was_told_with_a_store(
    message: str, after: bool, tmp_path: Path
) -> None:
    play_on_threads(FaultyThreads(message, after=after), 100, tmp_path / "room")


@pytest.mark.parametrize(
    ("rounds", "stored"), [(20, False), (2, True), pytest.param(100, True, marks=pytest.mark.heavy)]
)
def test_a_table_that_crashes_while_the_end_of_its_hand_waits_books_it(
    rounds: int, stored: bool, tmp_path: Path
) -> None:
    """The table is stopped in front of the news, crashes with it in its mailbox, and then takes it."""
    for number in range(rounds):
        # on threads: the hand must go on while its table's handler is held
        with Room(ThreadRuntime(), seed=1, store=tmp_path / str(number) if stored else None) as room:
            held, gate = threading.Event(), threading.Event()

            class Hold:
                pass

            table, players = seated(room, ["caller", "caller"])
            actor = table.address.actor
            assert actor is not None

            def hold(message: object, held: threading.Event = held, gate: threading.Event = gate) -> None:
                held.set()
                assert gate.wait(30)
                raise Planted

            actor.handlers = {**actor.handlers, Hold: hold}
            witness = Witness(players)
            live = table.deal()
            table.address.tell(Hold())
            assert held.wait(30)
            while not live.address.closed:
                threading.Event().wait(0.001)
            gate.set()
            result = live.result(timeout=60)
            assert not result.voided
            witness.check(result)


def test_a_hand_leaves_its_result_before_anybody_is_told_the_showdown() -> None:
    """Whoever is first to hear of the end crashes the hand at once: the result stands all the same."""

    class CrashAfterTold(StepRuntime):
        def tell_each(self, addresses: Any, messages: Any, sender: Address | None = None) -> None:
            super().tell_each(addresses, messages, sender)
            public = getattr(messages[0], "public", None) if messages else None
            if public is not None and public.active is None:
                raise Planted

    with Room(CrashAfterTold(), seed=1) as room:
        table, players = seated(room, ["caller", "caller"])
        witness = Witness(players)
        result = table.deal().result()
        assert not result.voided
        witness.check(result)


def test_news_of_an_end_that_is_lost_with_the_table_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both messages that tell of the end are lost: the table hears of its dead hand when it is back."""
    lost: list[str] = []

    def loses(owner: type, name: str) -> None:
        handler = getattr(owner, name)

        def lose_once(self: Any, news: Any) -> None:
            if name not in lost:
                lost.append(name)
                raise Planted
            handler(self, news)

        monkeypatch.setattr(owner, name, lose_once)

    loses(TableHands, "hand_ended")
    loses(TableActor, "actor_down")
    with Room(StepRuntime(), seed=1) as room:
        table, players = seated(room, ["caller", "caller"])
        witness = Witness(players)
        result = table.deal().result()
        assert lost == ["hand_ended", "actor_down"]
        witness.check(result)
        assert not result.voided


def test_a_lost_table_books_the_hand_whose_end_was_told(room: Room) -> None:
    table, players = seated(room, ["caller", "caller"])
    witness = Witness(players)
    live = table.deal()
    room.supervisor.most_restarts = 0
    table.address.tell(CRASH)
    try:
        witness.check(live.result(timeout=60))
    except RoomClosed:
        assert not witness.ends
    with pytest.raises(RoomClosed):
        table.state()
    assert sum(room.bank.balance(player) for player in players) == 10_000
    assert room.audit().conserved
