"""`poker-actors account` and `repair`: the users of a server and its data, through its operator's port or its files."""

from __future__ import annotations

import http.client
import time
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal
from urllib.parse import quote

from poker_actors.cli.output import NO, many
from poker_actors.cli.reading import endpoint
from poker_actors.cli.values import ADDRESS, FILE, JsonOption, to_be_printed
from poker_actors.errors import BadSpec, PokerError, StorageFailed, TableRefusal
from poker_actors.jsontext import parse_json

if TYPE_CHECKING:
    from poker_actors.debug import Stepper
    from poker_actors.server.operator import Accounts

_SECONDS: Final = 30.0
"""Seconds allowed for one answer: the operator's commands write to the server's journal."""


def ask_operator(place: str, option: str, data: str | None, path: str, method: str = "GET") -> Any:
    """Send a request to `place`, HOST:PORT as given by `option`; the secret is beside `data` or in the environment.

    Raises `BadSpec` for a wrong secret, `TableRefusal` as the server refuses, `StorageFailed` if no server answers.
    """
    from poker_actors.server.operator import operator_secret

    host, port = endpoint(place, option)
    secret, _ = operator_secret(data, make=False)
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request(method, path, headers={"Authorization": f"Bearer {secret}"})
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise StorageFailed(f"{place}: {why.lower()}") from error
    finally:
        connection.close()
    if answer.status == 200:
        return parse_json(text)
    if text.startswith("{"):
        refused = parse_json(text)
        if answer.status in (404, 409):
            raise TableRefusal(refused["text"], code=refused["code"])
        text = refused["text"]
    raise BadSpec(f"{place} answers {answer.status}: {text.strip()[:200]}")


class Attachment:
    """A table of the server whose operator's port is `place`; `table` may be None if there is only one.

    Raises what `ask_operator` raises, and `BadSpec` if `table` is None and there is not exactly one table.
    """

    def __init__(self, place: str, table: str | None, data: str | None) -> None:
        self._place = place
        self._data = data
        self._table = self._only() if table is None else table
        self.lost: PokerError | None = None
        """why the last request to the server failed; None if it did not"""

    def open(self) -> Stepper:
        """Return a stepper at the end of the table's recent messages."""
        from poker_actors.debug import Stepper

        return Stepper.of_recording(self._recording(), self._recording)

    def _recording(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self._ask(f"/recent/{quote(self._table, safe='')}")
        except PokerError as error:
            self.lost = error
            raise
        self.lost = None
        return found

    def _ask(self, path: str) -> Any:
        return ask_operator(self._place, "--attach", self._data, path)

    def _only(self) -> str:
        tables: list[str] = self._ask("/tables")
        if len(tables) != 1:
            there = ", ".join(tables[:20]) or "none yet"
            raise BadSpec(f"--attach {self._place}: name a --table, one of: {there:.300}")
        return tables[0]


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

    With --operator it asks a running server at its operator's port; with --data alone it opens the data of a stopped
    one. reset draws a new password and prints it; reset and delete end all log-ins.

    Args:
        action: list all accounts; show one; list collisions of names that look alike; reset a password; revoke all
            log-ins; delete an account that is in no game.
        name: The account, by its exact name.
        data: Where everything is kept: the server's SQLite file, or postgresql:// URL; the operator's secret is beside the file.
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
        raise BadSpec("name the server: --operator HOST:PORT if it is running, --data if it is stopped")
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
        raise BadSpec(f"{data} does not exist")
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
            lines = [
                f"{one['name']}  {one['player_id']}  {many(len(one['sessions']), 'log-in')}" for one in found
            ]
            return "\n".join([*lines, many(len(found), "account")])
        case "collisions":
            return "\n".join([*[" = ".join(names) for names in found], many(len(found), "collision")])
        case "show":
            return f"{found['name']}  {found['player_id']}  in {many(len(found['games']), 'game')}, {many(len(found['sessions']), 'log-in')}"
        case "reset":
            return f"the password of {found['name']} is now {found['password']}; {many(found['ended'], 'log-in')} ended"
        case "revoke":
            return f"{found['name']}: {many(found['ended'], 'log-in')} ended"
        case _:
            return f"{found['name']} was deleted"


def repair(data: Annotated[str, FILE], /, *, write: bool = False, json: JsonOption = None) -> int | None:
    """Check a server's data for damage and, if asked, repair it.

    No process may have the data open. Without --write nothing is changed. With it, a copy is kept beside the data; no
    readable account or chip is lost. The exit status is 1 if damage is left unrepaired.

    Args:
        data: Where everything is kept: the server's SQLite file, or postgresql:// URL.
        write: Repair the damage.
    """
    from poker_actors.server.operator import repair as repaired

    found = repaired(data, write=write)
    if to_be_printed(json, found.plain()):
        for line in found.wrong:
            print(line)
        if found.unfinished:
            print(f"the next start will cut off {found.unfinished}")
        counts = ((found.users, "user"), (found.tables, "table"), (found.chips, "chip"))
        print(f"{found.place}: {', '.join([many(count, one) for count, one in counts])}")
        if not found.wrong:
            print("no damage found")
        elif found.copy:
            print(f"repaired; the original is kept in {found.copy}")
        else:
            print("nothing was changed: repair it with --write")
    return NO if found.wrong and not found.copy else None
