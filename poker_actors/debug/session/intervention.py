"""Interventions: changes from outside at a given step, by the user or from a recording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, assert_never, get_args

import attrs

from poker_actors.actors import Room, Table, hand, messages, runtime, table
from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.debug.session.record import Incident, fault_kinds
from poker_actors.errors import BadHistory, BadSpec
from poker_actors.rules import Action, Positions, Stakes, game_named, parse_action
from poker_actors.store import TableOpened


@attrs.frozen
class TableStart:
    """A table between two hands, and its players; the fields are JSON values."""

    settings: dict[str, Any] = attrs.field(hash=False)
    """the table's settings, as in a journal"""
    seats: list[list[Any] | None] = attrs.field(hash=False)
    """by seat: player, stack, whether sitting out, and hands in a row with a timeout"""
    players: list[str] = attrs.field(hash=False)
    waiting: list[list[Any]] = attrs.field(hash=False)
    """player and buy-in"""
    once: list[str] = attrs.field(hash=False)
    """players who never run a board more than once"""
    number: int
    """number of the next hand"""
    positions: dict[str, Any] | None = attrs.field(hash=False)
    """positions of the previous hand"""
    banks: dict[str, float] = attrs.field(hash=False)
    """seconds left in each player's time bank"""
    plays_on: bool = False
    """whether players check or call once the recording has ended, as in a fork"""
    owed: list[list[Any]] = attrs.field(factory=list, hash=False)
    """missed blinds, as in a journal"""
    at_bank: int = 0
    """chips of each player at the bank: enough to restore stacks after every hand, if the table does"""

    @classmethod
    def of(cls, recording: dict[str, Any]) -> TableStart:
        """Return the start of a recording; raise `KeyError`, `TypeError` or `ValueError` for anything else."""
        kept, stacks = recording["seats"], recording["stacks"]
        seats = [
            None if one is None else [one[0], stack, *one[1:]]
            for one, stack in zip(kept["seats"], stacks, strict=True)
        ]
        names = [one[0] for one in (*seats, *kept["waiting"]) if one is not None]
        names += [said["player"] for _, _, said, _ in recording["heard"] if "player" in said]
        return cls(
            settings=dict(recording["table"]),
            seats=seats,
            players=list(dict.fromkeys(names)),
            waiting=list(kept["waiting"]),
            once=list(kept["once"]),
            number=recording["number"],
            positions=recording["positions"],
            banks=dict(recording["banks"]),
            owed=list(kept.get("owed", ())),
            at_bank=recording["table"]["restack"]
            * sum(said["type"] == "Deal" for _, _, said, _ in recording["heard"]),
        )

    @property
    def config(self) -> table.TableConfig:
        """The table's settings; raises `BadJournal` for an unknown game."""
        return table.config_from(TableOpened(**self.settings))


def open_start(start: TableStart, steps: runtime.Runtime) -> tuple[Room, Table]:
    """Open a room with this table and players without bots: the recording holds their decisions."""
    room = Room(steps, seed=0)
    try:
        config = start.config
        opened = room.open_table(
            config.name, seats=config.seats, stakes=config.stakes, game=config.game,
            turn_seconds=config.turn_seconds, restack=config.restack, button=config.button,
            first_hand=config.first_hand, button_moves=config.button_moves, options=config.options,
            time_bank=config.time_bank, missed_blinds=config.missed_blinds,
        )  # fmt: skip
        stacks = {one[0]: one[1] for one in start.seats if one is not None}
        players = {
            name: room.player(name, chips=stacks.get(name, 0) + start.at_bank) for name in start.players
        }
        for number, seat in enumerate(start.seats):
            if seat is not None:
                opened.sit(players[seat[0]], number)
                if seat[1]:
                    opened.buy_in(players[seat[0]], seat[1])
        _remember(start, room, opened)
    except BaseException:
        room.close()
        raise
    return room, opened


def _remember(start: TableStart, room: Room, opened: Table) -> None:
    """Set the parts of the table's memory that no message can: positions, late players, time banks."""
    actor = opened.address.actor
    assert isinstance(actor, table.TableActor)
    memory, where = actor.memory, start.positions
    seats = tuple(
        None if kept is None or seat is None else attrs.evolve(kept, out=seat[2], late=seat[3])
        for kept, seat in zip(memory.seating.seats, start.seats, strict=True)
    )
    waiting = tuple(table.Waiting(name, room.players[name].address, buy_in) for name, buy_in in start.waiting)
    before = None
    if where is not None:
        before = Positions(where["button"], where["small_seat"], where["big_blind"], tuple(where["dealt"]))
    owed = tuple(table.OwedBlinds(*one) for one in start.owed)
    memory.seating = table.Seating(
        seats, before, start.number, waiting=waiting, once=tuple(start.once), owed=owed
    )
    memory.banks.update(start.banks)


@attrs.frozen
class NextAction:
    """After step `at`, replace the next action that reaches the hand."""

    at: int
    action: Action


@attrs.frozen
class NextCards:
    """After step `at`, put these cards on top of those still to be dealt."""

    at: int
    cards: tuple[Card, ...]


@attrs.frozen
class NextMessage:
    """After step `at`, deliver the pending message at index `place` next."""

    at: int
    place: int


Harm = Literal["drop", "duplicate", "delay"]


@attrs.frozen
class Harmed:
    """After step `at`, lose, double or hold back the pending message at index `place`.

    A message held back, and what its sender has sent to the same receiver since, comes after all now pending.
    """

    at: int
    harm: Harm
    place: int


@attrs.frozen
class Told:
    """After step `at`, send `to` a message: from `sender`, or from outside if None."""

    at: int
    to: str
    message: dict[str, Any] = attrs.field(hash=False)
    """its type and fields, as JSON values"""
    sender: str | None = None


@attrs.frozen
class ClockAt:
    """After step `at`, move the clock to `seconds`; timers due by then send their messages."""

    at: int
    seconds: float


@attrs.frozen
class LiveFault:
    """After step `at`, record a live table's bot fault: the session knows the fault, but does not have the bot."""

    at: int
    who: str
    """name of the player's actor"""
    said: dict[str, Any] = attrs.field(hash=False)
    """kind, text, place, seat and traceback, as JSON values"""

    @property
    def incident(self) -> Incident:
        """The fault as an incident."""
        said = self.said
        seat = said.get("seat")
        return Incident(
            fault_kinds(str(said.get("kind"))),
            self.who,
            str(said.get("text")),
            str(said.get("place", "")),
            seat if isinstance(seat, int) else None,
            kept_trace=str(said.get("trace", "")),
        )


Intervention = NextAction | NextCards | NextMessage | Harmed | Told | ClockAt | LiveFault

HARMS: Final[tuple[Harm, ...]] = get_args(Harm)
_KEYS: Final = ("action", "cards", "place", *HARMS, "told", "clock", "fault")


def plain_intervention(one: Intervention) -> dict[str, Any]:
    """Return an intervention as a JSON object: its step under `at`, and its content under one of `_KEYS`."""
    match one:
        case NextAction(at, action):
            return {"at": at, "action": str(action)}
        case NextCards(at, cards):
            return {"at": at, "cards": "".join(map(str, cards))}
        case NextMessage(at, place):
            return {"at": at, "place": place}
        case Harmed(at, harm, place):
            return {"at": at, harm: place}
        case Told(at, to, message, sender):
            return {"at": at, "told": [to, message, sender]}
        case ClockAt(at, seconds):
            return {"at": at, "clock": seconds}
        case LiveFault(at, who, said):
            return {"at": at, "fault": [who, said]}
        case _:
            assert_never(one)


def intervention_from(value: dict[str, Any]) -> Intervention:
    """Read what `plain_intervention` returned; raise `BadInput`, `KeyError` or `TypeError` for anything else."""
    at = value["at"]
    if type(at) is not int or at < 0 or len(value) != 2:
        raise BadSpec(
            f"intervention {str(value)[:80]}: `at` must be a step, and one other field must say what happens"
        )
    if "action" in value:
        return NextAction(at, parse_action(value["action"]))
    if "cards" in value:
        return NextCards(at, parse_cards(value["cards"]))
    if "place" in value and type(value["place"]) is int:
        return NextMessage(at, value["place"])
    for harm in HARMS:
        if type(value.get(harm)) is int:
            return Harmed(at, harm, value[harm])
    if "told" in value:
        to, message, sender = value["told"]
        return Told(at, to, message, sender)
    if "fault" in value:
        who, said = value["fault"]
        return LiveFault(at, str(who), dict(said))
    if "clock" in value and isinstance(value["clock"], int | float):
        return ClockAt(at, value["clock"])
    raise BadSpec(f"intervention {str(value)[:80]} must have one of {', '.join(_KEYS)}")


def said_message(plain: Mapping[str, Any], known: Iterable[runtime.Address]) -> object:
    """Convert a JSON message; the actors it names must be `known`. Raises `BadHistory`."""
    kind = getattr(messages, str(plain.get("type")), None)
    places = {one.name: one for one in known}
    try:
        if not isinstance(kind, type):
            raise TypeError("there is no such message")
        fields = {name: _value(value, places) for name, value in plain.items() if name != "type"}
        if kind in {messages.ActorDown, messages.ActorBack}:
            fields["address"] = places[fields.pop("name")]
        if kind is messages.ActorDown:
            fields["last_words"] = None
        if kind is messages.Deal and "deck" in fields:
            cards, key = fields["deck"]
            fields["deck"] = Deck(parse_cards(cards), entropy=-1, key=bytes.fromhex(key))
        elif kind is messages.Deal:
            fields["deck"] = None
        return kind(**fields)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise BadHistory(f"message {str(plain)[:80]} cannot be sent: {error}") from None


def _value(value: Any, places: Mapping[str, runtime.Address]) -> Any:
    if isinstance(value, list):
        return tuple(_value(one, places) for one in value)
    if not isinstance(value, dict):
        return value
    match value.get("type"):
        case "Address":
            return places[value["name"]]
        case "Turn":
            return _turn(value["hand_id"], value["seq"], value["seat"], places)
        case "Action":
            return parse_action(value["text"])
        case "Stakes":
            return Stakes(*value["numbers"])
        case "Game":
            return game_named(value["name"])
        case "Positions":
            return Positions(value["button"], value["small_seat"], value["big_blind"], tuple(value["dealt"]))
    return value


def _turn(hand_id: str, seq: int, seat: int, places: Mapping[str, runtime.Address]) -> messages.Turn:
    """Return the hand's current turn if it is the one named; else a new one, which counts as over."""
    # the hand compares turns by identity: an equal copy of the current one would be refused
    place = places.get(hand_id)
    actor = None if place is None else place.actor
    if isinstance(actor, hand.HandActor) and actor.turn is not None:
        turn = actor.turn
        if (turn.hand_id, turn.seq, turn.seat) == (hand_id, seq, seat):
            return turn
    return messages.Turn(hand_id, seq, seat)
