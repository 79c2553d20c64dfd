"""The source that plays a script: a room on the debugger's runtime, and the commands from outside."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from functools import singledispatch
from random import Random
from typing import Any, assert_never

import attrs

from poker_actors.actors import Delivery, Room, Seat, Table, bank, hand, messages, player, runtime, table
from poker_actors.bots import Bot, peeking_bots, show_cards
from poker_actors.cards import Card
from poker_actors.debug.session.checkpoint import Checkpoint, Past, put_back
from poker_actors.debug.session.intervention import (
    ClockAt,
    Harmed,
    Intervention,
    LiveFault,
    NextAction,
    NextCards,
    NextMessage,
    TableStart,
    Told,
    open_start,
    said_message,
)
from poker_actors.debug.session.observed import DebugRuntime, Item, Listener
from poker_actors.debug.session.playback import Playback, Source
from poker_actors.debug.session.program import Kept, Program, Recording, Threaded
from poker_actors.debug.session.record import error_words
from poker_actors.debug.session.script import Scene, Script
from poker_actors.errors import BadSpec, IllegalAction, PokerError
from poker_actors.rules import Action

Outside = Generator[tuple[runtime.Address, object] | None, Any, None]
"""Commands from outside, each answered before the next is sent; None waits until no message is pending."""


class Staged(Source):
    """A script's room, and what enters it from outside between steps.

    `past` holds the recorded answers of the bots; `start` is one of its checkpoints to resume from.
    A `witness` listens to everything said in the room.
    """

    def __init__(
        self, script: Script, past: Past | None = None, start: Checkpoint | None = None,
        witness: Listener | None = None,
    ) -> None:  # fmt: skip
        self.script = script
        self.past = Past(script) if past is None else past
        self._start = start
        self._witness = witness
        self._changes: dict[int, list[Intervention]] = {}
        for change in script.interventions:
            self._changes.setdefault(change.at, []).append(change)
        self.deciders = self.past.answers.deciders(None if start is None else start.had)
        self.order = None if script.order is None else Random(script.order)
        self._number = script.first if start is None else start.number
        """number of the current or next hand"""
        self._answer: runtime.Word | None = None
        self._finished = False
        """whether the script is played out: no further command comes from outside"""
        self._refusal: PokerError | None = None

    def begin(self, playback: Playback) -> None:
        """Open the room, at the checkpoint if there is one."""
        self.playback, seen, start = playback, playback.observed, self._start
        seen.on = False
        self._runtime = DebugRuntime(seen, self._witness)
        self._room, self.table = open_stage(self.script, self._runtime, self.deciders)
        if self.script.start is None:
            self.past.answers.limit([one.faults for one in self._room.players.values()])
        self._runtime.run()
        books, once = self._room.bank.address.actor, self.script.hands == 1 and self.script.start is None
        # more may be deposited between hands
        self.minted = books.ledger.minted if once and isinstance(books, bank.BankActor) else None
        self._outside = commands_of(self.script, self._room, self.table, self._number)
        if start is not None:
            playback.position = start.position
            self.exact = put_back(self, start)
        self._arrive()

    def deliver(self) -> None:
        """Deliver the next message, then admit messages from outside."""
        self.past.answers.step = self.playback.position
        seen = self.playback.observed
        seen.on = True
        try:
            self._runtime.step()
        finally:
            seen.on = False  # else whoever asks the room's actors in a session would make steps
        self._arrive()

    def delivered(self) -> None:
        """Raise the `Discrepancy`, if any, between a bot's answer and the recorded one."""
        self.past.check()

    @property
    def waiting(self) -> bool:
        """Whether there is a next message."""
        return bool(self._runtime.waiting)

    @property
    def upcoming(self) -> Item | None:
        """The item of the next message in the queue."""
        return self._runtime.queue[self._runtime.place] if self._runtime.waiting else None

    @property
    def place(self) -> int:
        """Index of the next message in `on_the_way`."""
        return self._runtime.place

    @property
    def runtime(self) -> DebugRuntime:
        """The runtime of the room."""
        return self._runtime

    @property
    def room(self) -> Room:
        """The room."""
        return self._room

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat."""
        if self.script.start is None:
            return self.script.names
        return tuple(f"seat {at}" if one is None else one.player for at, one in enumerate(self._seats()))

    @property
    def stacks(self) -> tuple[int, ...]:
        """The stacks at the start of a hand, in chips."""
        return self.script.stacks if self.script.start is None else self.stacks_now

    @property
    def stacks_now(self) -> tuple[int, ...]:
        """The stacks at the table, in chips."""
        return tuple(0 if seat is None else seat.stack for seat in self._seats()) or self.script.stacks

    def _seats(self) -> tuple[Seat | None, ...]:
        actor = self.table.address.actor
        return actor.memory.state.seats if isinstance(actor, table.TableActor) else ()

    @property
    def now(self) -> float:
        """Seconds of the virtual clock."""
        return self._runtime.now()

    @property
    def failure(self) -> BaseException | None:
        """The refusal of a command from outside, which ends the script."""
        return self._refusal

    def apply(self, change: Intervention) -> None:
        """Apply an intervention here; raise `IllegalAction` or `BadSpec` if it is impossible."""
        steps, origins = self._runtime, self.playback.origins
        match change:
            case NextAction():
                self._check_action(change.action)
                steps.override = change.action
            case NextCards():
                self._stack(change.cards)
            case NextMessage():
                steps.choose(change.place)
            case Harmed():
                twin = steps.harm(change.place, change.harm)
                if twin is not None:
                    origins[id(twin[1])] = (twin[1], origins[id(twin[0])][1])
            case ClockAt():
                steps.catch_up(change.seconds)
                self.playback.note_origins(None)
            case LiveFault():
                self.playback.observed.coming.append(change.incident)
            case Told():
                self._tell(change)
            case _:
                assert_never(change)

    def _tell(self, told: Told) -> None:
        known = self.playback.known
        places = {one.name: one for one in known}
        if told.to in places:
            sender = None if told.sender is None else places.get(told.sender)
            self._runtime.bring(places[told.to], said_message(told.message, known), sender)
            self.playback.note_origins(None)

    @property
    def pending(self) -> tuple[Delivery, ...]:
        """The undelivered messages, as they were sent."""
        return self._runtime.pending

    @property
    def on_the_way(self) -> tuple[Delivery, ...]:
        """The undelivered messages, in the order sent; the one at `place` is next."""
        shown, override = list(self.pending), self._runtime.override
        for place, delivery in enumerate(shown if override is not None else ()):
            if type(delivery.message) is messages.Act:
                assert override is not None
                shown[place] = attrs.evolve(delivery, message=messages.Act(delivery.message.turn, override))
                break
        return tuple(shown)

    def close(self) -> None:
        """Close the room without telling anybody that it ends in mid-hand."""
        self._runtime.close()
        for address in self.playback.known:
            address.on_down = None  # else each close counts as a death, and tables and supervisor act on it
            address.close()

    # -- what happens between two steps -----------------------------------------------------

    def _arrive(self) -> None:
        """Send the next command from outside, choose the next message, and apply the interventions due here."""
        if self._deals_live():
            self.past.keep(self, self._number)
        self._send_commands()
        self.playback.note_origins(None)
        steps = self._runtime
        if self.order is not None and steps.waiting:
            steps.place = self.order.choice(steps.choices)
        for change in self._changes.get(self.playback.position, ()):
            self.apply(change)
        if not steps.waiting and any(
            isinstance(change, Harmed) for change in self._changes.get(self.playback.position, ())
        ):
            self._send_commands()  # the only message was lost: whoever sent it from outside finds out
            self.playback.note_origins(None)
        record = self.script.record
        if record is not None and steps.waiting and self.playback.position < len(record.places):
            steps.choose(record.places[self.playback.position])

    def _deals_live(self) -> bool:
        """Tell whether a live table's recording deals a hand here: the table is then at rest."""
        due = self._changes.get(self.playback.position, ()) if self.script.start is not None else ()
        return any(isinstance(one, Told) and one.message.get("type") == "Deal" for one in due)

    def _send_commands(self) -> None:
        # what the recording brings in here comes first: a fork's stand-in check or call would act before it
        if any(
            isinstance(change, Told | ClockAt) for change in self._changes.get(self.playback.position, ())
        ):
            return
        while not self._finished and not self._runtime.waiting:
            if (
                self.script.start is None
                and self.script.turn_seconds is not None
                and self._runtime.ring(math.inf)
            ):
                continue  # a player does not answer: move the clock to the next deadline
            answer = None
            if self._answer is not None:
                word, self._answer = self._answer, None
                try:
                    answer = word.get(0, "the room")
                except PokerError as error:
                    self._refusal, self._finished = error, True
                    return
            try:
                command = self._outside.send(answer)
                if command is None:
                    self._number += 1
                    self.past.keep(self, self._number)
                while command is not None and not isinstance(command[1], messages.Command):
                    command[0].tell(command[1])
                    command = self._outside.send(None)
            except StopIteration:
                self._finished = True
                return
            except SceneFailed as error:
                if not self.playback.position:
                    raise  # nothing to look at
                self._refusal, self._finished = error, True
                return
            if command is not None:
                self._answer = self._runtime.word()
                command[0].ask_into(command[1], self._answer)

    def _check_action(self, action: Action) -> None:
        playing = self.playback.last_hand
        if playing is None or playing.over:
            raise IllegalAction(f"{action}: no hand is being played", code="not_active")
        refusal = playing.legal.refusal(action)
        if refusal is not None:
            raise IllegalAction(refusal)

    def _stack(self, cards: tuple[Card, ...]) -> None:
        """Put cards on top of those still to be dealt; the others keep their order. Raises `BadSpec`."""
        actor = self.playback.table_hand
        if actor is None or actor.hand.over:
            self._stack_deal(cards)
            return
        playing = actor.hand
        dealt = sum(map(len, playing.holes)) + len(playing.board)
        changed = playing.copy()
        kept = [card for card in playing.cards[dealt:] if card not in cards]
        _check_new(cards, playing.cards[:dealt], len(playing.cards) - dealt)
        changed.cards = (*playing.cards[:dealt], *cards, *kept)[: len(playing.cards)]
        actor.hand = changed
        self.playback.last_hand = changed

    def _stack_deal(self, cards: tuple[Card, ...]) -> None:
        for place, item in enumerate(self._runtime.queue):
            deal = item[1]
            if isinstance(deal, messages.Deal) and deal.deck is not None:
                rest = deal.deck.copy().draw(len(deal.deck))
                _check_new(cards, (), len(rest))
                top = [*cards, *(card for card in rest if card not in cards)]
                stacked = type(deal.deck)(top, entropy=-1)
                changed = (item[0], messages.Deal(stacked), *item[2:])
                self._runtime.queue[place] = changed
                origins = self.playback.origins
                origins[id(changed)] = (changed, origins[id(item)][1])
                return
        raise BadSpec("no cards are left to be dealt here: the hand is over")


def _check_new(cards: tuple[Card, ...], dealt: tuple[Card, ...], left: int) -> None:
    for place, card in enumerate(cards):
        if card in dealt or card in cards[:place]:
            raise BadSpec(f"{card} has already been dealt")
    if len(cards) > left:
        raise BadSpec(f"{len(cards)} cards given, but only {left} are still to be dealt")


# -- the room and the commands from outside -------------------------------------------------


def open_stage(
    script: Script, steps: runtime.Runtime, deciders: Sequence[Bot] | None = None
) -> tuple[Room, Table]:
    """Open a room with a full table, set up as the simulator does.

    `deciders` decide for the seats; without them, new bots of the script do.
    """
    if script.start is not None:
        return open_start(script.start, steps)
    room = Room(steps, seed=script.seed)
    try:
        return room, _seat_everybody(script, room, deciders)
    except BaseException:
        room.close()
        raise


def _seat_everybody(script: Script, room: Room, deciders: Sequence[Bot] | None) -> Table:
    size = len(script.stacks)
    bots = [script.decider(seat) for seat in range(size)] if deciders is None else deciders
    equal = len(set(script.stacks)) == 1
    table = room.open_table(
        seats=size,
        stakes=script.stakes,
        game=script.game,
        button=script.button_of(script.first),
        first_hand=script.first,
        restack=script.stacks[0] if equal else 0,
        turn_seconds=script.turn_seconds,
        options=script.options,
    )
    names = script.names or tuple(str(seat) for seat in range(size))
    for seat, name in enumerate(names):
        chips = script.stacks[seat] * (script.hands + 1)
        who = room.player(name, bots[seat], chips=chips)
        table.sit(who, seat)
        table.buy_in(who, script.stacks[seat])
    return table


def commands_of(script: Script, room: Room, table: Table, start: int | None = None) -> Outside:
    """Return the commands from outside that play the hands of the script, from hand `start`."""
    if script.start is not None:
        yield from _played_on(script.start, table.address)
        return
    scene = script.staged()
    actors = [one.address.actor for one in room.players.values()]
    deciders = [actor.memory.bot for actor in actors if isinstance(actor, player.PlayerActor)]
    peeking = peeking_bots([bot for bot in deciders if bot is not None])
    for number in range(script.first if start is None else start, script.first + script.hands):
        if number > script.first and not table.config.restack:
            yield from _bring_stacks(script, room, table)
        deck = script.deck(number)
        show_cards(peeking, script.game, deck, script.stacks)
        deal = messages.Deal(deck)
        if scene is None:
            yield table.address, deal
        else:
            yield from _acted(script, scene, room, table, deal)
        yield None


class SceneFailed(BadSpec):
    """A scene has raised an exception, or has yielded what is not an address with a message."""


def _acted(script: Script, scene: Scene, room: Room, table: Table, deal: messages.Deal) -> Outside:
    """Yield what a scene says; raise `SceneFailed` where it fails."""
    try:
        # not `yield from`: that would send the answers into the scene, and a list has no `send`
        for said in scene(room, table, deal):
            address, message = said
            if not isinstance(address, runtime.Address):
                raise TypeError(f"{said!r:.60} is not an address with a message")
            yield address, message
    except Exception as error:
        raise SceneFailed(f"scene {script.scene} failed: {error_words(error, scene):.300}") from error


def _played_on(start: TableStart, place: runtime.Address) -> Outside:
    """Play a forked recording's hand to its end: everyone checks or calls."""
    while start.plays_on and isinstance(place.actor, table.TableActor):
        live = place.actor.memory.live
        actor = None if live is None else live.address.actor
        if not isinstance(actor, hand.HandActor) or actor.turn is None:
            return
        yield actor.address, messages.Act(actor.turn, actor.hand.legal.passive)


def _bring_stacks(script: Script, room: Room, table: Table) -> Outside:
    """Set every stack to its size at the start of a hand."""
    for seat, name in enumerate(script.names):
        state = yield table.address, messages.GetState()
        held = state.seats[seat].stack
        wanted = script.stacks[seat]
        if held > wanted:
            yield table.address, messages.CashOut(name)
            held = 0
        if held < wanted:
            balance = yield room.bank.address, messages.Balance(name)
            if balance < wanted - held:
                yield room.bank.address, messages.Deposit(name, wanted - held - balance)
            yield table.address, messages.BuyIn(name, wanted - held)


# -- opening a playback, at the beginning or at the last checkpoint before a position: only here what is played matters ---


@singledispatch
def _source(script: Script | Program, past: Past | None, start: Checkpoint | None) -> Source:
    """Return the source that plays a script or program, from a checkpoint or from the beginning."""
    raise TypeError(f"a {type(script).__name__} cannot be played")


_source.register(Script, Staged)
_source.register(Program, lambda program, past, start: Threaded(program))
_source.register(Recording, lambda recording, past, start: Kept(recording))


def open_at(script: Script | Program, past: Past | None = None, start: Checkpoint | None = None) -> Playback:
    """Open a playback at a checkpoint, at the beginning without one."""
    return Playback(_source(script, past, start))


@singledispatch
def past_of(script: Script | Program, before: Past | None = None, position: int = 0) -> Past | None:
    """Return what all playbacks of a script, or a fork of `before`, share; None for a source that plays by itself."""
    return None


@past_of.register
def _(script: Script, before: Past | None = None, position: int = 0) -> Past | None:
    return Past(script, before, position)


def open_playback(script: Script | Program, past: Past | None = None, position: int = 0) -> Playback:
    """Open a program at its beginning, or a script at the last checkpoint up to `position`."""
    while True:
        start = None if past is None else past.nearest(position)
        playback = open_at(script, past, start)
        if past is None or start is None or playback.source.exact:
            return playback
        # the restored room differs from the one saved: try an earlier checkpoint rather than replay wrongly
        playback.close()
        past.drop(start)
