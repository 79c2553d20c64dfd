"""Replay a trace and find the first message at which the replay differs; record a run on threads, to be stepped through."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, Final

import attrs

from poker_actors.actors import Room, Table, ThreadRuntime, hand, messages, runtime
from poker_actors.debug.plain import plain_message
from poker_actors.debug.session import (
    Again,
    Answers,
    NextMessage,
    Playback,
    Program,
    Recording,
    Script,
    Step,
    commands_of,
    open_playback,
    open_stage,
    past_of,
)
from poker_actors.debug.state import message_words, state_hash
from poker_actors.debug.trace import Trace, TracedStep, plain_handled
from poker_actors.errors import AskTimeout, BadHistory, Discrepancy, PokerError

_MOST_TOLD: Final = 20
"""The most answers that are described in words."""


def verify(trace: Trace) -> int:
    """Replay a trace, compare every message and room state, and return the number of steps compared.

    The bots are not asked: their answers are in the trace. `ask_again` asks them. Raise `Discrepancy` at the first message or state of the room that differs.
    """
    if trace.made_by == "threads":
        script_of(trace)
        return len(trace.steps)
    if isinstance(trace.script, Recording):
        raise BadHistory(f"{trace.script.title}: it cannot be replayed")
    with closing(open_playback(trace.recorded)) as playback:
        for number, traced in enumerate(trace.steps):
            step = playback.advance()
            if step is None:
                raise Discrepancy(f"step {number}: the trace goes on, but this run is over")
            made = [plain_handled(one) for one in step.handled]
            _compare(number, list(traced.handled), made)
            if traced.hash is None:
                continue
            # earlier versions left out what custom actors keep
            if traced.hash != state_hash(playback.state(own=trace.limits is not None)):
                raise Discrepancy(f"step {number}: the same message, but the room differs after it")
        if trace.error is None and playback.source.waiting:
            raise Discrepancy(f"step {len(trace.steps)}: the trace is over, but this run goes on")
    return len(trace.steps)


@attrs.frozen(eq=False)
class AskedAgain:
    """The bots' answers when they were shown a trace's views a second time."""

    asked: int
    """questions that were asked again"""
    others: tuple[Again, ...]
    """those answered differently"""
    absent: tuple[str, ...]
    """bots not asked, as they are not on this machine or belong to a program"""
    names: tuple[str, ...] = ()
    """the players by seat"""

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object."""
        others = [
            {
                "step": one.recorded.step + 1,
                "bot": one.name,
                "seat": one.recorded.view.seat,
                "view": one.recorded.view.text(self.names),
                "recorded": one.recorded.words,
                "now": one.now.words,
            }
            for one in self.others
        ]
        return {"asked": self.asked, "others": others, "absent": list(self.absent)}

    def lines(self) -> list[str]:
        """Describe each changed answer, and name the bots not asked; no lines if all are as recorded."""
        found = self.to_dict()
        told = [
            f"step {one['step']}: bot {one['bot']} (seat {one['seat']}) is shown: {one['view']}; it answered "
            f"{one['recorded']}, and answers {one['now']} now"
            for one in found["others"]
        ]
        if told:
            bots = ", ".join(dict.fromkeys(one.name for one in self.others))
            more = [f"... and {len(told) - _MOST_TOLD} more"] if len(told) > _MOST_TOLD else []
            counted = (
                f"{len(told)} of {self.asked} answers differ now: {bots} depends on more than views and luck"
            )
            told = [*told[:_MOST_TOLD], *more, counted]
        return [*told, *(f"not asked: {name} is not here" for name in self.absent)]


def ask_again(trace: Trace) -> AskedAgain:
    """Remake the bots of a trace, show them every view again with the luck they had, and compare their answers.

    A bot that answers differently depends on more than its views and its luck. The recorded answer is played in any
    case. Raise `Discrepancy` if the trace does not replay.
    """
    script = script_of(trace)
    past = past_of(script)
    if past is None:
        return AskedAgain(0, (), (script.title,))
    bots = script.forkable().bots
    others, absent, count = [], [], 0
    with closing(past), closing(open_playback(script, past)) as playback:
        while playback.position < len(trace.steps) and playback.advance() is not None:
            pass
        for seat, questions in past.answers.asked_again():
            if questions is None:
                absent.append(str(bots[seat]))
                continue
            for old, now in questions:
                count += 1
                if not now.same(old):
                    others.append(Again(old, now, str(bots[seat])))
    others.sort(key=lambda one: one.recorded.step)
    return AskedAgain(count, tuple(others), tuple(absent), script.forkable().names)


def _compare(number: int, told: list[dict[str, Any]], made: list[dict[str, Any]]) -> None:
    for place in range(max(len(told), len(made))):
        old = told[place] if place < len(told) else None
        new = made[place] if place < len(made) else None
        if old != new:
            raise Discrepancy(f"step {number}: the trace has {_words(old)}; this run has {_words(new, old)}")


def _words(one: dict[str, Any] | None, other: dict[str, Any] | None = None) -> str:
    if one is None:
        return "nothing more"
    try:
        words = f"{one['from'] or 'outside'} -> {one['to']}: {message_words(one['message'])}"
        if other is not None and other != one:
            fields = [key for key in one if one[key] != other.get(key)]
            if fields == ["message"]:
                fields = [key for key in one["message"] if one["message"][key] != other["message"].get(key)]
            words += f" (different: {', '.join(fields)})"
        return f"{words} {one['outcome']}".rstrip()
    except (KeyError, TypeError, AttributeError):
        return "what is not a message"


def script_of(trace: Trace) -> Script | Program:
    """Return the script or program that replays a trace on the stepper, in the recorded order.

    For a threaded run, the recorded order becomes interventions, each choosing the next message.
    Raise `Discrepancy` at the first recorded message that no actor has sent in the replay or that differs,
    and `BadHistory` if the recording is not one of a script.
    """
    if trace.made_by != "threads":
        return trace.recorded
    if trace.limits is None and past_of(trace.script) is None:
        raise BadHistory("a program plays on the stepper: its trace cannot come from threads")
    recorded = [step.handled[0] for step in trace.steps if step.handled]
    taken: set[int] = set()
    choices: list[NextMessage] = []
    script = trace.recorded.forkable()
    with closing(open_playback(script)) as playback:
        for number, one in enumerate(recorded):
            if number in taken:
                continue  # the stepper handled it inside the handler that asked
            choices += _stops(playback, str(one.get("from")))
            place = _place(playback, number, one)
            step = _deliver(playback, place, choices)
            for inside in step.handled[1:]:
                taken.add(_inside(recorded, taken, number, plain_handled(inside)))
        for name in {delivery.receiver for delivery in playback.source.on_the_way}:
            choices += _stops(playback, name)
        if trace.error is None and playback.source.runtime.waiting:
            raise Discrepancy(f"message {len(recorded)}: the recording is over, but this run goes on")
    return attrs.evolve(script, interventions=tuple(choices))


def _deliver(playback: Playback, place: int, choices: list[NextMessage]) -> Step:
    choices.append(NextMessage(playback.position, place))
    playback.source.runtime.choose(place)
    step = playback.advance()
    assert step is not None
    return step


def _stops(playback: Playback, name: str) -> list[NextMessage]:
    """Deliver an actor's next message if it is a `Stop`: on threads no handler gets it, so none is recorded."""
    choices: list[NextMessage] = []
    mine = [place for place, one in enumerate(playback.source.on_the_way) if one.receiver == name]
    if mine and plain_message(playback.source.on_the_way[mine[0]].message)["type"] == "Stop":
        _deliver(playback, mine[0], choices)
    return choices


def _place(playback: Playback, number: int, one: dict[str, Any]) -> int:
    """Return the place of the recorded message among those on their way. Raise `Discrepancy` if none matches."""
    pending = playback.source.on_the_way
    for place in playback.source.runtime.choices:
        delivery = pending[place]
        if (delivery.sender, delivery.receiver) == (one.get("from"), one.get("to")):
            message = plain_message(delivery.message)
            if message == one.get("message"):
                return place
            told = {**one, "message": message}
            raise Discrepancy(
                f"message {number}: the recording has {_words(one)}; this run has {_words(told, one)}"
            )
    raise Discrepancy(f"message {number}: the recording has {_words(one)}; nobody has sent it in this run")


def _inside(recorded: list[dict[str, Any]], taken: set[int], number: int, made: dict[str, Any]) -> int:
    """Return the number of the recorded message that the stepper has just handled inside another's handler."""
    for later in range(number + 1, len(recorded)):
        if later not in taken and recorded[later].get("to") == made["to"]:
            if recorded[later].get("message") != made["message"]:
                # Recorded with depth 0, as threads have no nested handlers: `depth` would be reported as different too
                _compare(later, [{**recorded[later], "depth": 1}], [made])
            return later
    raise BadHistory(f"message {number}: the recording ends before {_words(made)}")


# -- a run on threads, recorded ---------------------------------------------------------------

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
        self.heard = 0
        """Messages handled so far but for those, recorded or not."""
        self.hands: list[runtime.Address] = []
        """The addresses of all hands."""
        self.here = _Here()

    def start(self, actor: runtime.Actor) -> None:
        """Run the actor with handlers that record each message."""
        noting = {kind: self._noting(actor.address.name, handler) for kind, handler in actor.handlers.items()}
        actor.__dict__["handlers"] = noting
        if isinstance(actor, hand.HandActor):
            self.hands.append(actor.address)
        super().start(actor)

    def run_actor(self, actor: runtime.Actor, begun: Any) -> None:
        """Run the actor, and note its name on its thread: a sender is known by its thread."""
        self.here.name = actor.address.name
        super().run_actor(actor, begun)

    def _noting(self, receiver: str, handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def handle(message: Any) -> Any:
            entry = None
            silent = id(message) in self.silent
            self.heard += not silent
            # Before the handler: what it sends must be recorded later
            if self.recording and not silent:
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

    # Two rounds in a row in which nothing is handled: in the first, a handler that began before it may still
    # have told an actor that had already answered
    quiet = 0
    while quiet < 2:
        heard = recorder.heard
        live = quietly(table.address, messages.GetLive())
        if live is not None:
            live.result.get(HAND_SECONDS, live.hand_id)
        # The table knows the result while the hand's actor may still be handling its last message
        give_up = time.monotonic() + HAND_SECONDS
        while still := [address.name for address in recorder.hands if not address.closed]:
            if time.monotonic() > give_up:
                raise AskTimeout(f"{still[0]} is over and has not stopped within {HAND_SECONDS:g} s")
            threading.Event().wait(0.001)
        for address in (table.address, room.bank.address, *(one.address for one in room.players.values())):
            quietly(address, messages.GetState())
        quiet = quiet + 1 if recorder.heard == heard else 0
    recorder.silent -= {id(message) for message in kept}
