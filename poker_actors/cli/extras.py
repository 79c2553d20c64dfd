"""The extras of the package: what each needs, what is installed, and how to get the rest; imports no extra itself."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib import metadata
from typing import Final

import attrs

from poker_actors.cli.output import DONE, NO
from poker_actors.errors import BadSpec, unknown
from poker_actors.native import is_compiled

PROJECT: Final = "poker-actors"
CORE: Final = "core"
FOR_DEVELOPMENT: Final = frozenset({"all", "bench", "docs", "test"})
_REQUIREMENT: Final = re.compile(
    r"(?P<name>[\w.-]+)(?P<extras>\[[^]]*])?\s*(?P<range>[^;]*)(?:;.*extra == ['\"](?P<extra>[\w-]+))?"
)


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
        """Whether the package is installed, in a version within the range."""
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


def chosen(extras: Iterable[str]) -> list[Part]:
    """Return the extras of these names, by default the core and every extra; raise `BadSpec` for an unknown name."""
    found = {part.extra: part for part in _parts()}
    names = list(dict.fromkeys(extras))
    for name in names:
        if name not in found:
            raise BadSpec(unknown("extra", name, found))
    return [found[name] for name in names] or list(found.values())


def _parts() -> list[Part]:
    try:
        requirements = metadata.requires(PROJECT) or []
    except metadata.PackageNotFoundError:
        raise BadSpec(
            f"{PROJECT} is not installed, so its requirements are unknown; pip install it first"
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


def remarks(shown: list[Part]) -> list[str]:
    """Return the lines below the table: whether the build is compiled, and how to get what is missing."""
    lines = [f"get {part.extra}: {part.remedy}" for part in shown if part.remedy]
    if is_compiled():
        lines.insert(0, "compiled build: rules, statistics and the direct driver run as machine code")
    return lines


def plain_report(extras: list[str]) -> int:
    """Print the report of `poker-actors doctor` without the libraries of the command line; return the exit status."""
    shown = chosen(extras)
    width = max(len(part.extra) for part in shown)
    for part in shown:
        print(f"{part.extra:{width}}  {part.state:13}  {', '.join(map(str, part.packages))}")
    print(*remarks(shown), sep="\n")
    return DONE if not extras or all(part.complete for part in shown) else NO
