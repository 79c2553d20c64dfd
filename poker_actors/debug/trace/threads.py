"""Record a threaded run: which actor handled which message, in what order, for replay step by step."""

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
"""Time limit for a hand between bots; one that takes longer is stuck."""


class RecordingThreads(ThreadRuntime):
    """A threaded runtime that records every handled message, in the order in which the handlers began.

    A single thread could have handled the messages in this order: each actor handles one message at a
    time, and whatever a handler sends is handled after that handler began.
    """

    def __init__(self) -> None:
        super().__init__()
        self.address_kind = _NotingAddress
        self.recording = False
        self.handled: list[dict[str, Any]] = []
        self.silent: set[int] = set()
        """The `id` of each message to leave out of the recording."""
        # Keyed by message and receiver, as one message may go to several actors, or twice to the same one: hence a
        # queue of senders for each key.
        self._sent: dict[tuple[int, str], deque[tuple[str | None, bool]]] = {}
        self._who: dict[int, str] = {}
        self._note_lock = threading.Lock()

    def sent(self, message: object, receiver: str, *, asked: bool) -> None:
        """Note the sender of a message. Call it before the message is put: its handler looks the sender up."""
        with self._note_lock:
            sender = self._who.get(threading.get_ident())
            self._sent.setdefault((id(message), receiver), deque()).append((sender, asked))

    def start_loop(self, actor: runtime.Actor) -> None:
        """Run the actor with handlers that record each message."""
        noting = {kind: self._noting(actor.address.name, handler) for kind, handler in actor.handlers.items()}
        actor.__dict__["handlers"] = noting
        super().start_loop(actor)

    def run_actor(self, actor: runtime.Actor, begun: Any) -> None:
        """Run the actor, and note its thread while it runs: a sender is known by its thread."""
        with self._note_lock:
            self._who[threading.get_ident()] = actor.address.name
        try:
            super().run_actor(actor, begun)
        finally:
            with self._note_lock:
                # The system may give the identifier to a new thread
                self._who.pop(threading.get_ident(), None)

    def _noting(self, receiver: str, handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def handle(message: Any) -> Any:
            entry = None
            with self._note_lock:
                notes = self._sent.get((id(message), receiver))
                sender, asked = notes.popleft() if notes else (None, False)
                if not notes:
                    self._sent.pop((id(message), receiver), None)
                # In the same locked block as the look-up, and before the handler: its own sends are recorded later
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
    """An address that reports the sender of each message to the recorder."""

    __slots__ = ()

    runtime: RecordingThreads

    def tell(self, message: object) -> None:
        self.runtime.sent(message, self.name, asked=False)
        super().tell(message)

    def put(self, message: object, reply: Any) -> None:
        self.runtime.sent(message, self.name, asked=True)
        super().put(message, reply)


def record_threads(script: Script) -> Trace:
    """Play a script on threads and return the trace. Raise `AskTimeout` if a hand takes over `HAND_SECONDS`."""
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
    """Wait until the hand is over and every actor has handled the messages already sent to it."""
    kept: list[object] = []

    def quietly(address: runtime.Address, message: object) -> Any:
        kept.append(message)  # freed, its id could pass to a message that must be recorded
        recorder.silent.add(id(message))
        return address.ask(message, HAND_SECONDS)

    # Twice: a handler that ran in the first round may have told an actor that had already answered
    for _ in range(2):
        live = quietly(table.address, messages.GetLive())
        if live is not None:
            live.result.get(HAND_SECONDS, live.hand_id)
            # The table answers with the result while the hand's actor may still be handling its last message
            while not live.address.closed:
                threading.Event().wait(0.001)
        for address in (table.address, room.bank.address, *(one.address for one in room.players.values())):
            quietly(address, messages.GetState())
    recorder.silent -= {id(message) for message in kept}
