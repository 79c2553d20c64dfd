"""The whole room as plain values: every actor, every pending message, and a hash of it all."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from typing import Any

from poker_actors.actors import Delivery, StepRuntime, bank, hand, player, runtime, table
from poker_actors.debug.state.plain import HIDDEN, card_text, plain, plain_hand, plain_message
from poker_actors.debug.viewpoint import GOD, Viewpoint

__all__ = ["actor_kind", "actor_state", "room_state", "state_hash"]


def actor_kind(actor: runtime.Actor) -> str:
    """Return the kind of an actor: `bank`, `table`, `hand`, `player`."""
    return type(actor).__name__.removesuffix("Actor").lower()


def room_state(
    addresses: Iterable[runtime.Address], pending: Iterable[Delivery], now: float, viewpoint: Viewpoint = GOD,
    *, own: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Return the whole room: `actors` by name, the common `mailbox`, the clock in seconds.

    Without `own` nothing is told of what actors of one's own keep, as in earlier versions.
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
    """Return an actor's state, without what the viewpoint may not see: of one's own, all its attributes for god."""
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
