"""`--json FILE|-`: the target of a command's result for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, Any, Final

import attrs
from cyclopts import Parameter

from poker_actors.atomic import replacing
from poker_actors.cli.values import WRITTEN
from poker_actors.errors import BadSpec

__all__ = ["JsonOption", "JsonTarget", "to_be_printed"]

STDOUT: Final = "-"


def _must_be_writable_place(target: JsonTarget, attribute: object, text: str) -> None:
    if text == STDOUT:
        return
    path = Path(text)
    if not text or text.startswith("--"):
        raise BadSpec(f'"{text}" is neither a file nor "-"')
    if path.is_dir():
        raise BadSpec(f"{text} is a directory")
    if not path.parent.is_dir():
        raise BadSpec(f"there is no directory {path.parent} to write {path.name} in")


@attrs.frozen
class JsonTarget:
    """A file, or stdout for `-`; checked when it is made, so that nothing runs in vain.

    Raises `BadSpec` for a directory, a file in no directory, or what looks like another option.
    """

    text: str = attrs.field(validator=_must_be_writable_place)

    @property
    def is_stdout(self) -> bool:
        """Whether JSON goes to stdout, which must then hold nothing else."""
        return self.text == STDOUT

    def write(self, value: object) -> None:
        """Write one JSON value, whole or not at all where the target is a file."""
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
        with self._opened() as stream:
            stream.write(text + "\n")

    @contextmanager
    def lines(self) -> Iterator[Callable[[object], None]]:
        """Open for one JSON value a line; yields the function that writes one. A file appears at the end."""
        with self._opened() as stream:

            def write_line(value: object) -> None:
                stream.write(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")

            yield write_line

    @contextmanager
    def _opened(self) -> Iterator[IO[str]]:
        if self.is_stdout:
            yield sys.stdout
            sys.stdout.flush()
        else:
            with replacing(Path(self.text)) as stream:
                yield stream


def _converted(kind: type[Any], tokens: Any) -> JsonTarget:
    return JsonTarget(tokens[0].value)


JsonOption = Annotated[
    JsonTarget | None,
    Parameter(
        name="--json",
        metavar="FILE",
        converter=_converted,
        n_tokens=1,
        accepts_keys=False,
        allow_leading_hyphen=True,
        help="Write the result as JSON to a file, or to stdout for -.",
    ),
    WRITTEN,
]
"""The type of a command's `json` argument: `json: JsonOption = None`."""


def to_be_printed(target: JsonTarget | None, value: object) -> bool:
    """Write a result as JSON if requested; return whether to print it as text too."""
    if target is not None:
        target.write(value)
    return target is None or not target.is_stdout
