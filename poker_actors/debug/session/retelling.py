"""Turn the recording of a live table into a script that replays its messages one by one."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any, Final

import attrs

from poker_actors.actors import Delivery, bank, hand, messages, table
from poker_actors.debug.session.intervention import (
    ClockAt,
    Intervention,
    LiveFault,
    NextMessage,
    TableStart,
    Told,
)
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.script import Script
from poker_actors.debug.session.staged import Staged
from poker_actors.errors import BadHistory, Discrepancy
from poker_actors.jsontext import parse_json
from poker_actors.store import bank_account

_FOLLOWS: Final = ("HandEndedNews", "SeatNext", "SeatGone", "SeatBack")
"""Sent only by the table's own actors, so they must follow from earlier messages in the replay."""

_UNKEPT: Final = ("GetState", "GetLive", "GetTimeBank", "Watch", "Unwatch", "AwaitPlayers", "StopRun", "Stop")


def script_of_recording(recording: dict[str, Any]) -> Script:
    """Return a recording's script; raise `BadHistory` for a bad one, `Discrepancy` if it replays differently."""
    try:
        # tuples become lists, as in a recording read from a file or a network
        plain = parse_json(json.dumps(recording))
        script = Script.of_start(TableStart.of(plain))
        heard = [(float(at), str(to), dict(said), hung_on) for at, to, said, hung_on in plain["heard"]]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadHistory(f"this is not a recording of a table: {type(error).__name__} {error}") from None
    staged = Staged(script)
    with closing(Playback(staged)):
        changes = _Retelling(staged).all(heard)
    return attrs.evolve(script, interventions=changes)


def joined(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any] | None:
    """Join two recordings of a table, `before` and the later `now`, into one.

    Return None if messages between them are no longer kept, or if one does not say where it begins.
    """
    if None in (before.get("first"), now.get("first")):
        return None  # made by an earlier version
    new = now["first"] - before["first"]
    if not 0 <= new <= len(before["heard"]):
        return None
    later = now["begun"] - before["begun"]
    heard = [[round(at + later, 6), *rest] for at, *rest in now["heard"]]
    return {**before, "heard": [*before["heard"][:new], *heard]}


class _Retelling:
    """Plays a recording once, and notes the interventions that make a playback repeat it."""

    def __init__(self, staged: Staged) -> None:
        self._staged, self._playback = staged, staged.playback
        self._changes: list[Intervention] = []

    def all(self, heard: list[tuple[float, str, dict[str, Any], Any]]) -> tuple[Intervention, ...]:
        """Return the interventions for all messages `heard`: time, receiver, message, and what goes with it."""
        for number, (at, to, said, hung_on) in enumerate(heard):
            self._settle()
            if at > self._playback.source.now:
                self._change(ClockAt(self._playback.position, at))
            if said["type"] == "Fault":
                self._change(LiveFault(self._playback.position, to, said))
                continue
            if hung_on is not None and said["type"] != "Deal":
                self._bring_chips(str(said["player"]), int(hung_on))
            if hung_on is not None and said["type"] == "Deal":
                said = {**said, "deck": hung_on}
            self._hear(number, to, said)
        self._settle()
        return tuple(self._changes)

    def _hear(self, number: int, to: str, said: dict[str, Any]) -> None:
        """Deliver a recorded message: a pending one if there is a match, else one sent from outside."""
        place = self._place(to, said)
        if place is None:
            if said["type"] in _FOLLOWS:
                raise Discrepancy(
                    f"message {number} of the recording, {said['type']} to {to}: nobody sends it in this run"
                )
            if to not in [one.name for one in self._playback.known]:
                return  # for a hand that is over: nobody handles it
            self._change(Told(self._playback.position, to, said, self._sender(to, said)))
            place = 0
        self._deliver(place)
        found = self._playback.last_hand
        if said["type"] == "HandEndedNews" and found is not None and list(found.stacks) != said["stacks"]:
            raise Discrepancy(
                f"message {number} of the recording: {to} heard of stacks {said['stacks']}, but here they are {found.stacks}"
            )

    def _settle(self) -> None:
        """Deliver all pending messages that recordings omit: those to players, the bank and spectators."""
        while True:
            ways = self._playback.source.on_the_way
            for place in self._playback.source.runtime.choices:
                if not _is_kept(ways[place]):
                    self._deliver(place)
                    break
            else:
                return

    def _bring_chips(self, player: str, balance: int) -> None:
        """Set a player's bank balance to the recorded one: other tables, not recorded here, change it too."""
        books = self._playback.source.room.bank.address.actor
        held = books.ledger.balance(bank_account(player)) if isinstance(books, bank.BankActor) else balance
        if held != balance:
            kind = "Deposit" if held < balance else "Withdraw"
            said = {"type": kind, "player": player, "amount": abs(balance - held)}
            self._change(Told(self._playback.position, "bank", said))
            self._deliver(0)

    def _sender(self, to: str, said: dict[str, Any]) -> str | None:
        """Return the sender of a message from outside the table: for an action, the player; else None."""
        actor = next((one.actor for one in self._playback.known if one.name == to), None)
        if said["type"] == "Act" and isinstance(actor, hand.HandActor):
            players, seat = actor.plan.players, said["turn"]["seat"]
            who = players[seat] if 0 <= seat < len(players) else None
            return None if who is None else who.name
        return None

    def _place(self, to: str, said: dict[str, Any]) -> int | None:
        ways = self._playback.source.on_the_way
        for place in self._playback.source.runtime.choices:
            if ways[place].receiver == to and _is_same(ways[place].message, said):
                return place
        return None

    def _deliver(self, place: int) -> None:
        if place != self._playback.source.place:
            self._change(NextMessage(self._playback.position, place))
        self._playback.advance()

    def _change(self, change: Intervention) -> None:
        self._changes.append(change)
        self._staged.apply(change)


def _is_kept(one: Delivery) -> bool:
    """Tell whether recordings keep such a message: those to tables and hands, except queries."""
    kind = type(one.message).__name__.removeprefix("_Actor")
    return (one.receiver.startswith("table ") or "/hand-" in one.receiver) and kind not in _UNKEPT


def _is_same(message: object, said: dict[str, Any]) -> bool:
    if type(message).__name__ != said["type"]:
        return False
    if isinstance(message, messages.HandEndedNews):
        return message.hand_id == str(said["hand_id"])
    if isinstance(message, messages.ActorDown | messages.ActorBack):
        return message.name == str(said["name"])
    return bool(
        table.plain_fields(message) == {name: value for name, value in said.items() if name != "deck"}
    )
