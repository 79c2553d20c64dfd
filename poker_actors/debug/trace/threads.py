"""Recording a run on threads: who handled what, in which order, to be played again step by step."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from poker_actors.actors import Room, Table, ThreadRuntime, messages, runtime
from poker_actors.debug.session import Script, commands_of, open_stage
from poker_actors.debug.state import plain_message
from poker_actors.debug.trace.file import Trace, TracedStep
from poker_actors.errors import PokerError

__all__ = ["RecordingThreads", "record_threads"]

HAND_SECONDS: Final = 60.0
"""Bound on a hand between bots; one that takes longer is stuck."""


class RecordingThreads(ThreadRuntime):
    """Threads whose every handled message is written down, in the order in which handlers began.

    Each actor handles its messages one by one, so that order is one that a single thread could
    have gone through: what is handled has been sent by a handler that began before.
    """

    def __init__(self) -> None:
        super().__init__()
        self.address_kind = _NotingAddress
        self.recording = False
        self.handled: list[dict[str, Any]] = []
        self.silent: set[int] = set()
        """Identities of messages that are not to be written down."""
        self._sent: dict[tuple[int, str], deque[tuple[str | None, bool]]] = {}
        self._who: dict[int, str] = {}
        self._note_lock = threading.Lock()

    def sent(self, message: object, receiver: str, *, asked: bool) -> None:
        """Note who sends a message, before it can be handled."""
        with self._note_lock:
            sender = self._who.get(threading.get_ident())
            self._sent.setdefault((id(message), receiver), deque()).append((sender, asked))

    def start_loop(self, actor: runtime.Actor) -> None:
        """Run the actor with handlers that write down what they get."""
        noting = {kind: self._noting(actor.address.name, handler) for kind, handler in actor.handlers.items()}
        actor.__dict__["handlers"] = noting
        super().start_loop(actor)

    def run_actor(self, actor: runtime.Actor, begun: Any) -> None:
        """Note on which thread an actor lives."""
        with self._note_lock:
            self._who[threading.get_ident()] = actor.address.name
        try:
            super().run_actor(actor, begun)
        finally:
            with self._note_lock:
                self._who.pop(threading.get_ident(), None)

    def _noting(self, receiver: str, handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def handle(message: Any) -> Any:
            entry = None
            with self._note_lock:
                notes = self._sent.get((id(message), receiver))
                sender, asked = notes.popleft() if notes else (None, False)
                if not notes:
                    self._sent.pop((id(message), receiver), None)
                if self.recording and id(message) not in self.silent:
                    plain = plain_message(message)
                    entry = {
                        "from": sender,
                        "to": receiver,
                        "asked": asked,
                        "depth": 0,
                        "outcome": "",
                        "message": plain,
                    }
                    self.handled.append(entry)
            try:
                answer = handler(message)
            except BaseException as error:
                if entry is not None:
                    code = error.code if isinstance(error, PokerError) else ""
                    entry["outcome"] = f"refused: {code}" if code else f"crashed: {type(error).__name__}"
                raise
            if entry is not None and isinstance(answer, PokerError):
                entry["outcome"] = f"refused: {answer.code}"
            return answer

        return handle


class _NotingAddress(runtime.ThreadAddress):
    """An address that tells the recording who sends."""

    __slots__ = ()

    runtime: RecordingThreads

    def tell(self, message: object) -> None:
        self.runtime.sent(message, self.name, asked=False)
        super().tell(message)

    def put(self, message: object, reply: Any) -> None:
        self.runtime.sent(message, self.name, asked=True)
        super().put(message, reply)


def record_threads(script: Script) -> Trace:
    """Play a script on threads and give the trace of it; raises `AskTimeout` when a hand gets stuck."""
    recorder = RecordingThreads()
    room, table = open_stage(script, recorder)
    with room:
        _settle(recorder, room, table)
        recorder.recording = True
        outside = commands_of(script, room, table)
        answer = None
        while True:
            try:
                command = outside.send(answer)
            except StopIteration:
                break
            answer = None
            if command is None:
                _settle(recorder, room, table)
            elif isinstance(command[1], messages.Command):
                answer = command[0].ask(command[1], HAND_SECONDS)
            else:
                command[0].tell(command[1])
        recorder.recording = False
    steps = tuple(TracedStep((one,), None) for one in recorder.handled)
    return Trace(script, steps, "threads")


def _settle(recorder: RecordingThreads, room: Room, table: Table) -> None:
    """Wait until the hand is over and everybody has handled what was told before."""
    kept: list[object] = []

    def quietly(address: runtime.Address, message: object) -> Any:
        kept.append(message)  # its identity must not be used again while it is silent
        recorder.silent.add(id(message))
        return address.ask(message, HAND_SECONDS)

    for _ in range(2):
        live = quietly(table.address, messages.GetLive())
        if live is not None:
            live.result.get(HAND_SECONDS, live.hand_id)
            while not live.address.closed:
                threading.Event().wait(0.001)
        for address in (table.address, room.bank.address, *(one.address for one in room.players.values())):
            quietly(address, messages.GetState())
    recorder.silent -= {id(message) for message in kept}
