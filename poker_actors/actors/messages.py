"""Every message of the room, and the list of commands: which actor takes each, its answer and its refusals.

A command is defined once, by the class of its message: its name, its arguments (the fields), its answer (the
`R` of `Command[R]`), its refusals and, in the first line of the docstring, what it does. An actor answers the
commands for which it has marked handlers. The typed call for a command is named after it (`BuyIn` ->
`Table.buy_in`, `GetLive` -> `Table.live`), and the awaitable call is that call, awaited; a command without a
call passes between actors only. `tests/actors/test_commands.py` checks calls and documentation against this list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import attrs

# everything these files export, so that a new message is listed in one place only
from poker_actors.actors import bank, hand
from poker_actors.actors.bank import *  # noqa: F403
from poker_actors.actors.bank import Bank, BankActor
from poker_actors.actors.command import Command, Face, GetState, TakeUp
from poker_actors.actors.hand import *  # noqa: F403
from poker_actors.actors.hand import HandActor
from poker_actors.actors.player import messages as player
from poker_actors.actors.player.actor import PlayerActor
from poker_actors.actors.player.face import Player
from poker_actors.actors.player.messages import *  # noqa: F403
from poker_actors.actors.runtime import Actor, ActorBack, ActorDown
from poker_actors.actors.table import messages as table
from poker_actors.actors.table.actor import TableActor
from poker_actors.actors.table.face import LiveHand, Table
from poker_actors.actors.table.messages import *  # noqa: F403

__all__ = ["ActorBack", "ActorDown", "Command", "CommandSpec", "GetState", "TakeUp", "commands"]
__all__ += bank.__all__
__all__ += hand.__all__
__all__ += player.__all__
__all__ += table.__all__

_ACTORS: Final[dict[str, tuple[type[Actor], type[Face]]]] = {
    "bank": (BankActor, Bank),
    "table": (TableActor, Table),
    "hand": (HandActor, LiveHand),
    "player": (PlayerActor, Player),
}
"""Each kind of actor, and its typed face."""

_OTHER_NAMES: Final = {"play": "act", "put_in": "bet"}
"""Calls not named after their message: `Act` is a player's message to its hand, and `Bet` an action."""


@attrs.frozen
class CommandSpec:
    """One command of one actor."""

    actor: str
    """`bank`, `table`, `hand` or `player`"""
    name: str
    """name of its message"""
    call: str
    """the typed call, as ``Table.buy_in``; empty for a command between actors"""
    arguments: tuple[str, ...]
    """fields of the message"""
    answer: str
    """type of the answer"""
    refusals: tuple[str, ...]
    """its own codes; any command may also be refused as `bad_spec`, `room_closed`, `room_busy`, `storage_failed`"""
    doc: str
    """what it does, in one line"""
    message: type[Command[Any]]


def commands() -> tuple[CommandSpec, ...]:
    """Return every command, those of callers first, by actor, in the order of their handlers."""
    return tuple(sorted(_commands(), key=lambda spec: not spec.call))


def _commands() -> Iterator[CommandSpec]:
    for actor, (kind, face) in _ACTORS.items():
        for message in kind.marked:
            if issubclass(message, Command):
                name = _call_name(message)
                yield _spec(actor, message, f"{face.__name__}.{name}" if hasattr(face, name) else "")


def _call_name(kind: type[Command[Any]]) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower().removeprefix("get_")
    return _OTHER_NAMES.get(words, words)


def _spec(actor: str, kind: type[Command[Any]], call: str) -> CommandSpec:
    (answer,) = kind.__orig_bases__[0].__args__  # type: ignore[attr-defined]  # a generic class's own record of R
    first = (kind.__doc__ or "").strip().partition("\n")[0]
    fields = tuple(field.name for field in attrs.fields(kind))  # type: ignore[arg-type]  # all are attrs classes
    text = "None" if answer is type(None) else getattr(answer, "__name__", str(answer))
    text = re.sub(
        r"[a-z_]+\.(?=[\w.]*[A-Z])", "", text if not getattr(answer, "__args__", ()) else str(answer)
    )
    return CommandSpec(actor, kind.__name__, call, fields, text, kind.refusals, first, kind)
