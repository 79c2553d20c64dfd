"""The one list of commands: what each actor can be asked, what it answers, how it refuses.

A command is defined once, by the class of its message: its name, its arguments (the fields), its
answer (the `R` of `Command[R]`), its refusals and, in the first line of the docstring, what it does.
The typed call of a caller's command is named after it (`BuyIn` -> `Table.buy_in`, `GetLive` ->
`Table.live`); the awaitable call is generated from the typed one. `tests/actors/test_commands.py`
checks calls, handlers and documentation against this list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import attrs

from poker_actors.actors import messages
from poker_actors.actors.bank.face import Bank
from poker_actors.actors.command import Command
from poker_actors.actors.hand.face import LiveHand
from poker_actors.actors.player.face import Player
from poker_actors.actors.table.face import Table

__all__ = ["CommandSpec", "commands"]

_CALLED: Final[dict[str, tuple[type, tuple[type[Command[Any]], ...]]]] = {
    "bank": (
        Bank,
        (
            messages.Deposit,
            messages.Withdraw,
            messages.Balance,
            messages.Forfeit,
            messages.Lend,
            messages.PayBack,
            messages.Debt,
        ),
    ),
    "table": (
        Table,
        (
            messages.Sit,
            messages.Wait,
            messages.Leave,
            messages.LeaveAfterHand,
            messages.BuyIn,
            messages.CashOut,
            messages.Forfeit,
            messages.TopUp,
            messages.Send,
            messages.SitOut,
            messages.SitIn,
            messages.RunItOnce,
            messages.GetTimeBank,
            messages.Watch,
            messages.Unwatch,
            messages.StopRun,
            messages.Deal,
            messages.GetLive,
            messages.GetState,
        ),
    ),
    "hand": (LiveHand, (messages.GetState,)),
    "player": (Player, (messages.Play, messages.PutIn, messages.AllIn, messages.PlayBy, messages.GetState)),
}
"""Commands of callers, by actor; each has a typed call."""

_BETWEEN: Final[dict[str, tuple[type[Command[Any]], ...]]] = {
    "bank": (
        messages.Book,
        messages.Move,
        messages.TopUp,
        messages.Send,
        messages.Escrow,
        messages.Settle,
        messages.Stacks,
        messages.VoidHands,
        messages.CloseTable,
        messages.GetState,
    ),
    "table": (messages.AwaitPlayers, messages.Shut),
    "hand": (messages.Act, messages.SitOut),
}
"""Commands between actors, and from a room to its actors."""

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
    """Return every command, those of callers first, by actor."""
    return tuple(_commands())


def _commands() -> Iterator[CommandSpec]:
    for actor, (face, kinds) in _CALLED.items():
        for kind in kinds:
            yield _spec(actor, kind, f"{face.__name__}.{_call_name(kind)}")
    for actor, kinds in _BETWEEN.items():
        for kind in kinds:
            yield _spec(actor, kind, "")


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
