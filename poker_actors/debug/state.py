"""The whole room as plain values: every actor, every pending message, and a hash of it all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from typing import Any, Final

import attrs

from poker_actors.actors import Delivery, HandState, StepRuntime, bank, hand, messages, player, runtime, table
from poker_actors.debug.plain import GOD, HIDDEN, Viewpoint, card_text, plain, plain_hand, plain_message

_NOTHING: Final = object()


@attrs.frozen
class Difference:
    """One changed value; `before` or `after` is None where there is none."""

    path: tuple[str, ...]
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{' / '.join(self.path)}: {_short(self.before)} -> {_short(self.after)}"


def differences(before: Any, after: Any) -> list[Difference]:
    """Compare two plain values; return every leaf that differs."""
    return list(_differences((), before, after))


def _differences(path: tuple[str, ...], before: Any, after: Any) -> Iterator[Difference]:
    if before == after:
        return
    old, new = _parts(before), _parts(after)
    if old is None or new is None:
        left = None if before is _NOTHING else before
        yield Difference(path, left, None if after is _NOTHING else after)
        return
    for key in [*old, *(key for key in new if key not in old)]:
        yield from _differences((*path, key), old.get(key, _NOTHING), new.get(key, _NOTHING))


def _parts(value: Any) -> dict[str, Any] | None:
    if isinstance(value, dict):
        return value
    # lists of plain numbers (stacks, bets, seats to act) read better whole
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return {str(place): item for place, item in enumerate(value)}
    return None


def _short(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict) and "type" in value:
        return str(value["type"])
    if isinstance(value, dict):
        return f"{{{', '.join(value)}}}"
    text = str(value)
    return text if len(text) <= 70 else text[:69] + "…"


def delivery_words(delivery: Delivery, viewpoint: Viewpoint = GOD, *, arrived: bool = True) -> str:
    """Describe a delivery in one line: `player ann -> main/hand-000000000: Act call`."""
    return _line(delivery, plain_message(delivery.message, viewpoint, arrived=arrived))


def _line(delivery: Delivery, shown: dict[str, Any]) -> str:
    verb = "asks" if delivery.asked else "->"
    return f"{delivery.sender or 'outside'} {verb} {delivery.receiver}: {message_words(shown)}"


def searched_text(delivery: Delivery, viewpoint: Viewpoint = GOD) -> str:
    """Return the searchable text of a delivery: its line and all its message holds."""
    message, shown = delivery.message, plain_message(delivery.message, viewpoint)
    payload = shown["public"]["board"] if type(message) is HandState else shown
    return f"{_line(delivery, shown)} {payload}"


def fingerprint(delivery: Delivery) -> object:
    """Return a value to compare: it is equal for the same delivery in two runs."""
    message = delivery.message
    what: object
    if isinstance(message, HandState):  # the most frequent message, and the slowest to write out in full
        what = (message.hand_id, message.seq, message.seat, message.hole, message.turn is None)
    elif isinstance(message, messages.Act):
        what = (message.turn.hand_id, message.turn.seq, message.turn.seat, message.action)
    elif isinstance(message, messages.TableNews):
        what = (message.what, message.player, message.hand_id, message.payoffs)
    else:
        what = plain_message(message)
    return delivery.sender, delivery.receiver, what


def message_words(message: dict[str, Any]) -> str:
    """Describe a message, in the form of `plain_message`, in one line."""
    kind: str = message["type"]
    if kind == "HandState":
        return _state_words(message)
    if kind == "Act":
        return f"Act {message['action']}"
    if kind == "TableNews":
        told = [str(message[key]) for key in ("what", "player") if message[key]]
        return f"TableNews {' '.join(told)}"
    if kind in ("Escrow", "Settle"):
        return f"{kind} {sum(message['stacks'].values())} chips"
    if kind == "HandEndedNews":
        return "HandEndedNews"
    return " ".join([kind, *_short_fields(message)])


def _short_fields(message: dict[str, Any]) -> Iterator[str]:
    """Yield the short fields: a true flag as its name, a false one not at all."""
    for key, value in message.items():
        if isinstance(value, bool):
            if value:
                yield key.replace("_", " ")
        elif key != "type" and isinstance(value, str | int) and len(str(value)) <= 40:
            yield str(value)


def _state_words(message: dict[str, Any]) -> str:
    public = message["public"]
    hole = message["hole"] or "no cards"
    words = f"HandState #{public['seq']} {public['phase']}, pot {public['pot']}"
    if hole != HIDDEN:
        words += f", {hole}"
    return f"{words}, to act" if message["turn"] else words


def told_apart(state: dict[str, Any]) -> dict[str, Any]:
    """Return a room's state with the mailbox as message counts, independent of places in the queue."""
    mailbox = Counter(
        f"{one['from']} -> {one['to']}: {message_words(one['message'])}" for one in state["mailbox"]
    )
    return {**state["actors"], "on the way": dict(mailbox)}


def actor_kind(actor: runtime.Actor) -> str:
    """Return the kind of an actor: `bank`, `table`, `hand`, `player`."""
    return type(actor).__name__.removesuffix("Actor").lower()


def room_state(
    addresses: Iterable[runtime.Address], pending: Iterable[Delivery], now: float, viewpoint: Viewpoint = GOD,
    *, own: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Return the whole room: `actors` by name, the common `mailbox`, the clock in seconds.

    Without `own`, what custom actors keep is left out, as in earlier versions.
    """
    actors = {
        address.name: actor_state(address.actor, viewpoint, own=own)
        for address in addresses
        if address.actor is not None
    }
    mailbox = [
        {
            "from": delivery.sender,
            "to": delivery.receiver,
            "asked": delivery.asked,
            "message": plain_message(delivery.message, viewpoint, arrived=False),
        }
        for delivery in pending
    ]
    return {"actors": actors, "mailbox": mailbox, "clock": now}


def state_hash(state: dict[str, Any]) -> str:
    """Return a 64-bit hash of a room's state as 16 hexadecimal digits; equal rooms have equal hashes."""
    text = json.dumps(state, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=8).hexdigest()


def actor_state(actor: runtime.Actor, viewpoint: Viewpoint = GOD, *, own: bool = True) -> dict[str, Any]:
    """Return an actor's state as far as the viewpoint may see it; of a custom actor, god sees all attributes."""
    kind = actor_kind(actor)
    if isinstance(actor, bank.BankActor):
        return {"kind": kind, "accounts": plain(actor.ledger.balances()) if viewpoint.god else HIDDEN}
    if isinstance(actor, table.TableActor):
        return {"kind": kind, **_table(actor, viewpoint)}
    if isinstance(actor, hand.HandActor):
        return {"kind": kind, **_hand(actor, viewpoint)}
    if isinstance(actor, player.PlayerActor):
        return {"kind": kind, **_player(actor, viewpoint)}
    if not own or not viewpoint.god:
        return {"kind": kind}
    kept = {name: plain(value) for name, value in vars(actor).items() if name not in _of_every_actor()}
    return {"kind": kind} | {name: value for name, value in kept.items() if name != "kind"}


@cache
def _of_every_actor() -> frozenset[str]:
    """Return the attributes that an actor has of its base class."""
    return frozenset(vars(runtime.Actor(StepRuntime().address("nobody"))))


def _table(actor: table.TableActor, viewpoint: Viewpoint) -> dict[str, Any]:
    state, stage = actor.memory.state, actor.memory.stage
    return {
        "seats": [
            None if seat is None else {"player": seat.player, "stack": seat.stack, "out": seat.out}
            for seat in state.seats
        ],
        "positions": plain(state.positions),
        "next_hand": state.number,
        "playing": state.hand_id,
        "promised": None if actor.memory.live is None else actor.memory.live.hand_id,
        "unbooked": plain(stage.news if isinstance(stage, table.Ended) else None, viewpoint),
    }


def _hand(actor: hand.HandActor, viewpoint: Viewpoint) -> dict[str, Any]:
    if not hasattr(actor, "hand"):
        return {"begun": False}
    return {
        "turn": plain(actor.turn),
        "late": sorted(actor.late),
        "gone": sorted(actor.gone_seats),
        "hand": plain_hand(actor.hand, viewpoint),
    }


def _player(actor: player.PlayerActor, viewpoint: Viewpoint) -> dict[str, Any]:
    memory = actor.memory
    heard: dict[str, Any] = {}
    for place, state in memory.latest.items():
        if viewpoint.sees(state.seat):
            heard[place] = {
                "hand_id": state.hand_id,
                "seat": state.seat,
                "seq": state.seq,
                "phase": state.phase,
                "hole": card_text(state.hole),
                "to_call": state.to_call,
                "turn": plain(state.turn),
            }
        else:
            heard[place] = HIDDEN
    return {
        "name": memory.name,
        "decides": memory.bot is not None,
        "heard": heard,
        "faults": memory.faults.total,
    }
