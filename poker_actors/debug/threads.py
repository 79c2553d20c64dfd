"""Record a threaded run: which actor handled which message, in what order, for replay step by step."""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Callable
from typing import Any, Final

import attrs

from poker_actors.actors import Room, Table, ThreadRuntime, messages, runtime
from poker_actors.debug.plain import plain_message
from poker_actors.debug.session import Answers, Script, commands_of, open_stage
from poker_actors.debug.trace import Trace, TracedStep
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
        self.here = _Here()

    def start(self, actor: runtime.Actor) -> None:
        """Run the actor with handlers that record each message."""
        noting = {kind: self._noting(actor.address.name, handler) for kind, handler in actor.handlers.items()}
        actor.__dict__["handlers"] = noting
        super().start(actor)

    def run_actor(self, actor: runtime.Actor, begun: Any) -> None:
        """Run the actor, and note its name on its thread: a sender is known by its thread."""
        self.here.name = actor.address.name
        super().run_actor(actor, begun)

    def _noting(self, receiver: str, handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def handle(message: Any) -> Any:
            entry = None
            # Before the handler: what it sends must be recorded later
            if self.recording and id(message) not in self.silent:
                entry = {
                    "from": self.here.sender,
                    "to": receiver,
                    "asked": self.here.asked,
                    "depth": 0,
                    "outcome": "",
                    "message": plain_message(message),
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


class _Here(threading.local):
    """What is known on each thread: its actor, and how the message being handled came."""

    name: str | None = None
    sender: str | None = None
    asked = False


class _NotingInbox(queue.SimpleQueue[Any]):
    """A mailbox that keeps the sender beside each message, so that a message dropped leaves no note behind."""

    def __init__(self, here: _Here) -> None:
        super().__init__()
        self._here = here

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        super().put((self._here.name, item), block, timeout)

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        self._here.sender, item = super().get(block, timeout)
        self._here.asked = item.reply_to is not None
        return item

    def get_nowait(self) -> Any:
        return super().get_nowait()[1]


class _NotingAddress(runtime.ThreadAddress):
    """An address whose mailbox keeps the senders."""

    __slots__ = ()

    def __init__(self, name: str, recorder: RecordingThreads, inbox: Any) -> None:
        super().__init__(name, recorder, _NotingInbox(recorder.here))


def record_threads(script: Script) -> Trace:
    """Play a script on threads and return the trace. Raise `AskTimeout` if a hand takes over `HAND_SECONDS`."""
    recorder = RecordingThreads()
    answers = Answers(script)
    room, table = open_stage(script, recorder, answers.deciders())
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
    answers.close()
    record = answers.record(())
    given = [*itertools.chain.from_iterable(record.answers)]
    # all on the last line: what matters is the order of each seat's own, and threads have no other
    steps = [TracedStep((one,), None) for one in recorder.handled]
    steps[-1:] = [attrs.evolve(one, answers=tuple(given)) for one in steps[-1:]]
    return Trace(script, tuple(steps), "threads", limits=record.limits)


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
