"""`poker-actors doctor`: report which extras are installed, how to install the others, and a room's commands."""

from __future__ import annotations

import difflib
import platform
import re
import sys
from importlib import metadata
from typing import Any, Final

import attrs

from poker_actors.cli.exits import DONE, NO
from poker_actors.cli.json_target import JsonOption
from poker_actors.cli.output import console
from poker_actors.errors import BadSpec
from poker_actors.native import is_compiled

__all__ = ["doctor"]

PROJECT: Final = "poker-actors"
CORE: Final = "core"
FOR_DEVELOPMENT: Final = frozenset({"all", "bench", "docs", "test"})
_REQUIREMENT: Final = re.compile(
    r"(?P<name>[\w.-]+)(?P<extras>\[[^]]*])?\s*(?P<range>[^;]*)(?:;.*extra == ['\"](?P<extra>[\w-]+))?"
)


def doctor(*extras: str, json: JsonOption = None) -> int:
    """Say which extras are installed, how to get the missing ones, and which commands a room has.

    With names of extras, only those are looked at, and the exit status is 1 unless all of them are complete.

    Args:
        extras: Extras to check; all by default.
    """
    found = {part.extra: part for part in _parts()}
    for name in extras:
        if name not in found:
            near = difflib.get_close_matches(name, found, n=1)
            hint = f'did you mean "{near[0]}"?' if near else f"there are {', '.join(found)}"
            raise BadSpec(f'unknown extra "{name}"; {hint}')
    shown = [found[name] for name in dict.fromkeys(extras)] or list(found.values())
    if json is not None:
        json.write(
            {
                "python": platform.python_version(),
                "compiled": is_compiled(),
                "parts": [part.as_json() for part in shown],
                "commands": _commands(),
            }
        )
    if json is None or not json.is_stdout:
        _show(shown)
        if not extras:
            _show_commands()
    return DONE if not extras or all(part.complete for part in shown) else NO


@attrs.frozen
class Package:
    """A distribution that an extra needs: the range of versions it accepts and the installed version, if any."""

    name: str
    wanted: str
    version: str | None
    extras: str = ""
    """the extras wanted of this distribution, brackets included: `[binary]` in `psycopg[binary]`"""

    @property
    def fits(self) -> bool:
        """Whether it is installed, in a version within the range."""
        return self.version is not None and _in_range(self.version, self.wanted)

    def __str__(self) -> str:
        if self.version is None:
            return f"{self.name} is missing"
        return f"{self.name} {self.version}" + ("" if self.fits else f" is outside {self.wanted}")


@attrs.frozen
class Part:
    """The core or an extra, with the packages it needs."""

    extra: str
    packages: tuple[Package, ...]

    @property
    def complete(self) -> bool:
        """Whether every package is installed in a fitting version."""
        return all(package.fits for package in self.packages)

    @property
    def state(self) -> str:
        """The state in the table: `ok`, `missing` or `wrong version`."""
        if self.complete:
            return "ok"
        return "missing" if any(package.version is None for package in self.packages) else "wrong version"

    @property
    def remedy(self) -> str:
        """The command that installs the missing packages; empty if none is missing."""
        if self.complete:
            return ""
        # name the packages, not poker-actors[extra]: that would need this project on an index
        wanted = " ".join(f"'{one.name}{one.extras}{one.wanted}'" for one in self.packages if not one.fits)
        return f"{sys.executable} -m pip install {wanted}"

    def as_json(self) -> dict[str, object]:
        """Return the part as JSON values."""
        packages = [{"name": one.name, "wanted": one.wanted, "version": one.version} for one in self.packages]
        return {"extra": self.extra, "complete": self.complete, "packages": packages, "remedy": self.remedy}


def _parts() -> list[Part]:
    try:
        requirements = metadata.requires(PROJECT) or []
    except metadata.PackageNotFoundError:
        raise BadSpec(
            f"{PROJECT} is not installed, so nothing says what it needs; pip install it first"
        ) from None
    packages: dict[str, list[Package]] = {CORE: []}
    for requirement in requirements:
        match = _REQUIREMENT.match(requirement)
        assert match is not None, requirement
        extra = match["extra"] or CORE
        if extra in FOR_DEVELOPMENT:
            continue
        wanted = match["range"].strip()
        name = match["name"]
        packages.setdefault(extra, []).append(Package(name, wanted, _version(name), match["extras"] or ""))
    return [Part(extra, tuple(of_extra)) for extra, of_extra in packages.items()]


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _in_range(version: str, wanted: str) -> bool:
    """Return whether a version lies in a range of the form `>=a,<b`, the only one our metadata uses."""
    here = _numbers(version)
    for bound in filter(None, wanted.split(",")):
        limit = _numbers(bound)
        if here < limit if bound.startswith(">=") else here >= limit:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    """Return the release numbers; suffixes are cut off, so that 2.0rc1 counts as 2.0 and is not below 2."""
    return tuple(int(number) for number in re.findall(r"\d+", re.split(r"[a-z+]", version)[0]))


def _commands() -> list[dict[str, Any]]:
    """Return the commands that callers can send to a room, from the list the documentation is made of."""
    from poker_actors.actors import commands

    return [
        {"call": one.call, "message": one.name, "refusals": list(one.refusals), "does": one.doc}
        for one in commands()
        if one.call
    ]


def _show_commands() -> None:
    calls: dict[str, list[str]] = {}
    for one in _commands():
        face, _, name = one["call"].partition(".")
        calls.setdefault(face, []).append(name)
    screen = console()
    screen.print("commands of a room, each also to await:")
    for face, names in calls.items():
        screen.print(f"  {face}: {', '.join(names)}", soft_wrap=True)


def _show(parts: list[Part]) -> None:
    from rich.table import Table

    table = Table("extra", "state", "packages", box=None, pad_edge=False)
    for part in parts:
        table.add_row(part.extra, part.state, ", ".join(map(str, part.packages)))
    screen = console()
    screen.print(table)
    if is_compiled():
        screen.print("compiled build: rules, statistics and the direct driver run as machine code")
    for part in parts:
        if part.remedy:
            screen.print(f"get {part.extra}: {part.remedy}", soft_wrap=True)
