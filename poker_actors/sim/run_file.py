"""A run on disk that can be resumed: one file, replaced as a whole, with one writer at a time."""

from __future__ import annotations

import json
import pickle
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from poker_actors.atomic import HeldFile, replacing
from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json
from poker_actors.sim.match import Match
from poker_actors.version import __version__

__all__ = ["RunFile", "seed_of_run"]

FORMAT: Final = 2
_NAME: Final = "poker-actors run"


class RunFile(HeldFile):
    """Keeps the state of a run in `path`. A context manager, which locks the file for this process.

    Raises `BadSpec` if another process holds it. Reading raises `BadSpec` for another version, other
    bots, another seed or other settings, and for a damaged file, naming which.
    """

    def __init__(self, path: Path, match: Match, **settings: Any) -> None:
        super().__init__(path)
        self._identity: Final = _identity(match) | settings

    def read(self) -> dict[str, Any] | None:
        """Return the state written last; None if there is no file."""
        value = _read(self.path)
        if value is None:
            return None
        self._check_identity(value["identity"])
        state: dict[str, Any] = value["state"]
        return state

    def _check_identity(self, known: dict[str, Any]) -> None:
        for name, mine in self._identity.items():
            theirs = known.get(name)
            if theirs == mine:
                continue
            if name == "code":
                raise BadSpec(f"{self.path} holds a run of the same bots with other code")
            raise BadSpec(f"{self.path} holds a run with {name} {_said(theirs)}, not {_said(mine)}")

    def write(self, state: dict[str, Any]) -> None:
        """Write the state; after a crash at any moment the file holds this state or the previous one."""
        value = {
            "what": _NAME,
            "format": FORMAT,
            "version": __version__,
            "identity": self._identity,
            "state": state,
        }
        value["checksum"] = _checksum(value)
        with replacing(self.path) as stream:
            json.dump(value, stream)


def seed_of_run(path: Path) -> int:
    """Return the seed of the run in a file; raise `BadSpec` for a file without a run."""
    value = _read(path)
    if value is None:
        raise BadSpec(f"there is no {path}")
    seed: int = value["identity"]["seed"]
    return seed


def _read(path: Path) -> dict[str, Any] | None:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSpec(f"{path} cannot be read: {error}") from error
    try:
        value: dict[str, Any] = parse_json(text)
        name, form, version = value["what"], value["format"], value["version"]
    except (ValueError, KeyError, TypeError):
        raise BadSpec(f"{path} holds no run, or is damaged") from None
    if name != _NAME:
        raise BadSpec(f"{path} holds no run, or is damaged")
    if form != FORMAT or version != __version__:
        written, ours = f"{version!s:.20}, format {form!s:.20}", f"{__version__}, format {FORMAT}"
        raise BadSpec(f"{path} was written by version {written}; this is {ours}")
    if value.get("checksum") != _checksum(value):
        raise BadSpec(f"{path} is damaged: its checksum is not that of what it holds")
    return value


def _identity(match: Match) -> dict[str, Any]:
    options = None if match.options is None else str(match.options)
    return {
        "bots": [str(spec) for spec in match.bots],
        "seed": match.seed,
        "game": match.game.name,
        "stakes": str(match.stakes),
        "stacks": list(match.stacks),
        "form": str(match.form),
        "options": options,
        "code": [_code(spec) for spec in match.bots],
    }


def _code(spec: object) -> str:
    """Return a hash of a bot's definition, which for a bot of a file includes its code."""
    # a fixed protocol: another default of another Python would change the bytes, and so the hash
    try:
        return sha256(pickle.dumps(spec, protocol=4)).hexdigest()
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise BadSpec(
            f"a run with bot {spec} cannot be kept ({error}): write it as a function of a module, "
            "or name it FILE.py:FUNCTION"
        ) from error


def _checksum(value: dict[str, Any]) -> str:
    held = {name: part for name, part in value.items() if name != "checksum"}
    return sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
