"""`poker-actors account`: manage the users of a running server, or of a stopped one through its data."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal
from urllib.parse import quote

from poker_actors.cli.operator_port import ask_operator
from poker_actors.cli.values import ADDRESS, FILE, JsonOption, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.server.operator import Accounts

__all__ = ["account"]

Action = Literal["list", "show", "collisions", "reset", "revoke", "delete"]

_ASKED: Final[dict[str, tuple[str, str]]] = {
    "list": ("GET", "/accounts"),
    "collisions": ("GET", "/collisions"),
    "show": ("GET", "/accounts/"),
    "reset": ("POST", "/reset/"),
    "revoke": ("POST", "/revoke/"),
    "delete": ("DELETE", "/accounts/"),
}
_NAMELESS: Final = ("list", "collisions")


def account(
    action: Action,
    name: str | None = None,
    /,
    *,
    data: Annotated[str | None, FILE] = None,
    operator: Annotated[str | None, ADDRESS] = None,
    json: JsonOption = None,
) -> None:
    """Manage the accounts of a server: list them, reset a password, end log-ins, delete.

    With --operator it asks the server that runs, at its operator's port; with --data alone it opens the data of
    one that does not. reset draws a new password and prints it; reset and delete end all log-ins.

    Args:
        action: list all accounts; show one; collisions of names that look alike; reset a password; revoke all
            log-ins; delete an account that is in no game.
        name: The account, by its exact name.
        data: Where everything is kept: the server's SQLite file, or postgresql:// URL; beside the file is the operator's secret.
        operator: The operator's port: that of the running server.
    """
    if (name is None) != (action in _NAMELESS):
        raise BadSpec(f"account {action} takes {'no name' if action in _NAMELESS else 'a name'}")
    if operator is not None:
        method, path = _ASKED[action]
        found = ask_operator(operator, "--operator", data, path + quote(name or "", safe=""), method)
    elif data is not None:
        found = _in_data(action, name, data)
    else:
        raise BadSpec("say where: --operator HOST:PORT of a server that runs, or --data of one that does not")
    if to_be_printed(json, found):
        print(_words(action, found))


def _in_data(action: str, name: str | None, data: str) -> Any:
    """Do `action` on the data of a stopped server; raise `BadSpec` if the file is missing."""
    from pathlib import Path

    from poker_actors.server import Notes, Passwords, Users
    from poker_actors.server.live import Sessions
    from poker_actors.server.operator import Accounts, games_noted
    from poker_actors.store import open_journal

    # opening a journal creates the file: a mistyped path would look like a server without accounts
    if "://" not in data and not Path(data).exists():
        raise BadSpec(f"there is no {data}")
    journal = open_journal(data)
    try:
        notes = Notes(journal)
        users = Users(notes, Passwords())
        accounts = Accounts(users, Sessions(users, notes, time.time), games_noted(notes))
        return _done(accounts, action, name or "")
    finally:
        journal.close()


def _done(accounts: Accounts, action: str, name: str) -> Any:
    match action:
        case "list":
            return accounts.listed()
        case "collisions":
            return accounts.collisions()
        case "show":
            return accounts.shown(name)
        case "reset":
            return accounts.reset(name)
        case "revoke":
            return accounts.revoke(name)
        case _:
            return accounts.delete(name)


def _words(action: str, found: Any) -> str:
    match action:
        case "list":
            lines = [f"{one['name']}  {one['player_id']}  {len(one['sessions'])} log-ins" for one in found]
            return "\n".join([*lines, f"{len(found)} accounts"])
        case "collisions":
            return "\n".join([*[" = ".join(names) for names in found], f"{len(found)} collisions"])
        case "show":
            return f"{found['name']}  {found['player_id']}  in {len(found['games'])} games, {len(found['sessions'])} log-ins"
        case "reset":
            return f"{found['name']} has the password {found['password']}; {found['ended']} log-ins ended"
        case "revoke":
            return f"{found['name']}: {found['ended']} log-ins ended"
        case _:
            return f"{found['name']} is deleted"
