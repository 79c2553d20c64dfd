"""The deliveries, effects and errors of a step, observed between the runtime and the actors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol

import attrs

from poker_actors.actors import Delivery, StepRuntime, hand, messages, player, runtime
from poker_actors.actors.command import Hearing, hear
from poker_actors.bots import OutsideBot
from poker_actors.debug.session.answers import Probe, RecordedBot
from poker_actors.debug.session.intervention import Harm
from poker_actors.debug.session.record import Incident, Question, place_of
from poker_actors.debug.state import actor_state
from poker_actors.errors import BadSpec, PokerError
from poker_actors.rules import Action, Hand

Item = tuple[Any, ...]
"""A message in a runtime's queue: its address, the message, its reply and its sender"""
Deliver = Callable[[Any], None]
Handle = Callable[[runtime.Actor, object], Any]
Failed = Callable[[Any, BaseException, Any], None]


@attrs.frozen
class Handled:
    """One delivery and its outcome.

    `depth` is 0 for a step's own message, and more for questions asked while it is handled, which are
    answered before the step ends. `outcome` is "", "refused: CODE", "crashed: ERROR" or "lost".
    """

    delivery: Delivery
    depth: int
    outcome: str


@attrs.frozen
class Step:
    """Step `number`, from 0: the message delivered, and the questions asked while it was handled."""

    number: int
    handled: tuple[Handled, ...]
    cause: int | None
    """the step in which the message was sent; None for one from outside"""
    incidents: tuple[Incident, ...] = ()
    """what went wrong in this step"""
    place: int = 0
    """index of the message among those on their way before it"""

    @property
    def delivery(self) -> Delivery:
        """The step's own message."""
        return self.handled[0].delivery


@attrs.frozen
class Change:
    """A step that changed a value."""

    step: Step
    before: Any
    after: Any


@attrs.frozen(eq=False)
class PendingTimer:
    """A pending timer: it is `due` and was set (`since`) at these seconds of the virtual clock."""

    due: float
    since: float
    receiver: str
    message: object
    step: int | None
    """the step in which it was set; None before the first step"""
    alarm: Any = attrs.field(repr=False)

    @property
    def over(self) -> bool:
        """Whether the timer has fired or was cancelled."""
        return bool(self.alarm.over)

    @property
    def turn_seconds(self) -> float | None:
        """The seconds of a turn at the hand that is told; None if it is none, or is no more."""
        actor = None if self.alarm.address.closed else self.alarm.address.actor
        return actor.plan.turn_seconds if isinstance(actor, hand.HandActor) else None


class Observed:
    """Observes a stepping runtime and its actors; `handled` and `incidents` belong to the current step.

    `before` and `after` are called around each delivery, except those inside another's handler.
    """

    def __init__(self, before: Callable[[Item], None], after: Callable[[], None]) -> None:
        self.known: list[runtime.Address] = []
        """the room's open addresses"""
        self.queue: Sequence[Item] = ()
        """the runtime's messages on their way"""
        self.on = True
        """whether deliveries are recorded: of a script's room, only in a step"""
        self.coming: list[Incident] = []
        """incidents to add to those of the next step"""
        self._before, self._after = before, after
        self.step: int | None = None
        """the current step"""
        self.handled: list[Handled] = []
        self.incidents: list[Incident] = []
        self.depth = 0
        self.dead: dict[str, Incident] = {}
        """last crash of each actor, by name"""
        self.hand_before: Hand | None = None
        """a copy of the hand before the step, if the step may change it"""
        self.crashed_hand: Hand | None = None
        """`hand_before`, if the hand's actor has crashed in this step"""
        self._timers: list[PendingTimer] = []
        self._outcome = ""
        self._reply: Any = None

    def begin(self, step: int) -> None:
        """Begin a step, and forget the one before."""
        self.step = step
        self.handled, self.incidents, self.coming = [], self.coming, []
        self.hand_before = self.crashed_hand = None

    def tap(self, steps: StepRuntime, amended: Callable[[Item], Item] | None = None) -> None:
        """Observe a runtime from now on; `amended` may replace an item to be delivered."""
        make, deliver, later = steps.address, steps.deliver, steps.later
        handle, failed = steps.handle, steps.failed

        def address(name: str) -> runtime.Address:
            made = make(name)
            self.known = [*[one for one in self.known if not one.closed], made]
            return made

        def delivered(item: Item) -> None:
            if not self.on:
                deliver(item)
                return
            outermost = not self.depth  # else asked while another is handled: part of that step
            if outermost:
                self._before(item)
            self._deliver(item if amended is None else amended(item), deliver)
            if outermost:
                self._after()

        def timed(seconds: float, address: runtime.Address, message: object) -> runtime.Timer:
            alarm = later(seconds, address, message)
            self._timers = [one for one in self._timers if not one.over]
            due, now = steps.now() + seconds, steps.now()
            self._timers.append(PendingTimer(due, now, address.name, message, self.step, alarm))
            return alarm

        # patch the instance: a program may use any subclass, such as one that injects failures
        patched = {
            "address": address,
            "deliver": delivered,
            "handle": lambda actor, message: self._handle(actor, message, handle),
            "failed": lambda actor, error, reply: self._failed(actor, error, reply, failed),
            "later": timed,
        }
        vars(steps).update(patched)
        self.queue = steps.queue

    # -- deliveries -------------------------------------------------------------------------

    def _deliver(self, item: Item, deliver: Deliver) -> None:
        """Deliver a queue item, and note its outcome."""
        address, message, reply, sender = item
        kept = message
        if type(message) is messages.Deal and message.deck is not None:
            kept = attrs.evolve(
                message, deck=message.deck.copy()
            )  # the hand draws from the deck in the message: the record would show an empty one
        delivery = Delivery(sender.name if sender else None, address.name, kept, reply is not None)
        place = len(self.handled)
        self.handled.append(Handled(delivery, self.depth, ""))
        before = self._outcome, self._reply
        self._outcome, self._reply = "lost" if address.actor is None else "", reply
        self.depth += 1
        try:
            deliver(item)
        finally:
            self.depth -= 1
            if self._outcome:
                self.handled[place] = Handled(delivery, self.depth, self._outcome)
            self._outcome, self._reply = before

    def _handle(self, actor: runtime.Actor, message: object, handle: Handle) -> Any:
        """Have an actor handle a message; note a refusal, a crash, a bot's fault or a missed deadline."""
        if not self.on:
            return handle(actor, message)
        kind = type(message)
        if isinstance(actor, hand.HandActor):
            self._keep_hand(actor)
        try:
            if kind is messages.HandState and isinstance(actor, player.PlayerActor):
                answer = self._hear(actor, message, handle)
            elif kind is messages.Deadline and isinstance(actor, hand.HandActor):
                answer = self._ring(actor, message, handle)
            else:
                answer = handle(actor, message)
        except BaseException as error:
            refused = isinstance(error, PokerError)
            self._outcome = f"refused: {error.code}" if refused else f"crashed: {type(error).__name__}"  # type: ignore[attr-defined]  # a `PokerError`
            raise
        if isinstance(answer, PokerError):
            self._outcome = f"refused: {answer.code}"
            self._refused(actor, message, answer)
        return answer

    def _keep_hand(self, actor: hand.HandActor) -> None:
        if self.hand_before is None and hasattr(actor, "hand"):
            self.hand_before = actor.hand.copy()

    def _hear(self, actor: player.PlayerActor, message: Any, handle: Handle) -> Any:
        """Deliver a state to a player, and note a fault of its bot."""
        memory = actor.memory
        bot = memory.bot
        if message.turn is None or bot is None:
            return handle(actor, message)
        total = memory.faults.total
        probe = bot if isinstance(bot, RecordedBot | OutsideBot) else Probe(bot, self.step or 0)
        memory.bot = probe
        try:
            return handle(actor, message)
        finally:
            if memory.bot is probe:  # otherwise it has been replaced, and must not come back
                memory.bot = bot
            asked: Question | None = getattr(probe, "last", None)
            if memory.faults.total != total:
                self._faulted(actor, asked, message.seat)

    def _faulted(self, actor: player.PlayerActor, asked: Question | None, seat: int) -> None:
        state = actor_state(actor)
        incident = None if asked is None else asked.incident(actor.address.name, state)
        if incident is None:
            text = f"had {actor.memory.faults.total} faults, first: {actor.memory.faults.first}"
            incident = Incident(("fault",), actor.address.name, text, seat=seat, state=state)
        self.incidents.append(incident)

    def _ring(self, actor: hand.HandActor, message: Any, handle: Handle) -> Any:
        """Deliver a deadline, and note whether the player was late."""
        # by identity: a deadline of a turn that is over changes nothing, and nobody is late
        asked = actor.turn is message.turn
        answer = handle(actor, message)
        if asked and actor.turn is not message.turn:
            seat = message.turn.seat
            who = actor.plan.players[seat]
            text = f"has not acted in {actor.plan.turn_seconds:g} s, as seat {seat} of {actor.address.name}"
            name = actor.address.name if who is None else who.name
            self.incidents.append(Incident(("late",), name, text, state=actor_state(actor)))
        return answer

    def _refused(self, actor: runtime.Actor, message: object, error: PokerError) -> None:
        text = f"refuses {_words(message)}: {error} ({error.code})"
        seat = getattr(getattr(message, "turn", None), "seat", None)
        self.incidents.append(Incident(("refused",), actor.address.name, text, seat=seat, error=error))

    # -- crashes ----------------------------------------------------------------------------

    def _failed(self, actor: Any, error: BaseException, reply: Any, failed: Failed) -> None:
        """Note a refusal, or an actor's crash with its state."""
        if isinstance(error, PokerError) and reply is not None:
            message = self.handled[-1].delivery.message if self.handled else None
            self._refused(actor, message, error)
            failed(actor, error, reply)
            return
        # read before the runtime deals with the crash: afterwards the actor is gone or replaced
        state = _safe_state(actor)
        address = actor.address
        failed(actor, error, reply)
        after = "is restarted" if address.actor not in (None, actor) else "stays down"
        text = f"crashes: {type(error).__name__}: {error}; it {after}"
        place = place_of(error.__traceback__)
        incident = Incident(("crash",), address.name, text, place, None, error, error.__traceback__, state)
        self.incidents.append(incident)
        self.dead[address.name] = incident
        if isinstance(actor, hand.HandActor):
            self.crashed_hand = self.hand_before

    def voided(self, items: Iterable[tuple[Any, ...]]) -> None:
        """Note the hands that tables have just declared void, among queue items just sent."""
        for item in {one[1].hand_id: one for one in items if _says_void(one[1])}.values():
            news, table = item[1], item[3]
            crash = self.dead.get(news.hand_id)
            why = "its actor ended early" if crash is None else f"its actor {crash.text.partition(';')[0]}"
            text = f"says {news.hand_id} is void, {why}: all stacks are what they were"
            self.incidents.append(Incident(("void",), table.name if table else news.table, text))

    # -- timers -----------------------------------------------------------------------------

    @property
    def timers(self) -> tuple[PendingTimer, ...]:
        """The pending timers, soonest first."""
        return tuple(sorted((one for one in self._timers if not one.over), key=lambda one: one.due))


_VOID: Final = "hand_voided"


def _says_void(message: object) -> bool:
    return type(message) is messages.TableNews and message.what == _VOID


def _words(message: object) -> str:
    return f"{type(message).__name__} {getattr(message, 'action', '')}".strip()


def _safe_state(actor: runtime.Actor) -> dict[str, Any]:
    """Return an actor's state; a half-changed actor may be unreadable, and then return the error instead."""
    try:
        return actor_state(actor)
    except Exception as error:  # noqa: BLE001  a second error here would hide the crash being reported
        return {"kind": type(actor).__name__, "unreadable": f"{type(error).__name__}: {error}"}


_STOP: Final = type(runtime.stop_message())


class Listener(Hearing, Protocol):
    """A listener to everything said in a room, such as a `poker_actors.testing.Witness`."""

    @property
    def verdicts(self) -> Sequence[object]:
        """The violations found so far."""

    def rest(self) -> None:
        """Note that no message is pending."""


class DebugRuntime(StepRuntime):
    """Delivers the chosen message. `place` is the index of the next message in the queue."""

    def __init__(self, observed: Observed, witness: Listener | None = None) -> None:
        super().__init__()
        self.witness = witness
        if witness is not None:
            witness.clock = self.now
        self.place = 0
        self.override: Action | None = None
        """Replaces the next action that arrives at a hand, if set."""
        observed.tap(self, self._amended)

    def _amended(self, item: Item) -> Item:
        address, message, reply, sender = item
        if self.override is not None and type(message) is messages.Act:
            message, self.override = messages.Act(message.turn, self.override), None
        return address, message, reply, sender

    def bring(self, address: runtime.Address, message: object, sender: runtime.Address | None) -> None:
        """Send a message to be delivered next, as from `sender`, or from outside if None.

        A command from outside needs somewhere to answer: it gets a reply that is never read.
        """
        asks = sender is None and isinstance(message, messages.Command)
        before, self.current = self.current, sender
        try:
            if asks:
                address.ask_into(message, self.word())
            else:
                address.tell(message)
        finally:
            self.current = before
        # to the front: outside stands for many senders, so order among their messages need not be kept
        self.queue.rotate(1)

    def choose(self, place: int) -> None:
        """Make the message at `place` the next one; raise `BadSpec` when an earlier one must come first."""
        if place not in self.choices:
            choices = ", ".join(map(str, self.choices)) or "none"
            raise BadSpec(f"message {place} cannot come next: it can be {choices}")
        self.place = place

    def harm(self, place: int, harm: Harm) -> tuple[Any, Any] | None:
        """Lose, double or hold back the message at `place`; raise `BadSpec` if there is none.

        Return the item and its double.
        """
        queue = self.queue
        if not 0 <= place < len(queue):
            raise BadSpec(
                f"message {place} is not on its way: {f'choose from 0 to {len(queue) - 1}' if queue else 'nothing is'}"
            )
        item = queue[place]
        if harm == "drop":
            del queue[place]
        elif harm == "duplicate":
            twin = (*item[:2], None, item[3])  # only the first is answered
            queue.insert(place + 1, twin)
            return item, twin
        else:
            # those behind it from the same sender to the same receiver, too: a mailbox keeps their order
            held = [one for one in [*queue][place:] if one[0] is item[0] and one[3] is item[3]]
            rest = [one for number, one in enumerate(queue) if number < place or one not in held]
            queue.clear()
            queue.extend([*rest, *held])
        self.place = 0
        return None

    def take_next(self) -> Any:
        """Take the chosen message off the queue; the choice goes back to the first."""
        place, self.place = self.place, 0
        item = self.queue[place]
        del self.queue[place]
        return item

    def handle(self, actor: runtime.Actor, message: object) -> Any:
        """Let an actor handle a message while the witness, if there is one, listens."""
        handle = super().handle
        if self.witness is None or type(message) is _STOP:
            return handle(actor, message)
        look = actor.handlers.get(messages.GetState)
        return hear(self.witness, actor.address.name, message, lambda: handle(actor, message), look)
