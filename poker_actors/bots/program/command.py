"""Specs whose settings come first: `cmd:COMMAND`, or with settings `cmd:seconds=1:COMMAND`."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from difflib import get_close_matches
from typing import Final

from poker_actors.errors import BadSpec

__all__ = ["program_spec", "words_of"]

_SETTINGS: Final = re.compile(r"((?:[a-z_]+=[^,:=\s]*)(?:,[a-z_]+=[^,:=\s]*)*):(.*)", re.DOTALL)

_LAST: Final = {
    "cmd": ("command", "cmd:COMMAND, such as cmd:python bot.py"),
    "mit": ("folder", "mit:DIR, such as mit:entrants/ann"),
    "model": ("model", "model:URL#NAME, such as model:http://127.0.0.1:8000/v1#llama"),
}
"""What comes last, and how it is written, by the word that begins the spec."""


def program_spec(text: str, rest: str) -> tuple[str, str]:
    """Split the part after `cmd:` into settings and command; raises `BadSpec`, naming `text`, without a command.

    >>> program_spec("cmd:seconds=2:python bot.py", "seconds=2:python bot.py")
    ('seconds=2', 'python bot.py')
    """
    match = _SETTINGS.fullmatch(rest)
    settings, command = ("", rest) if match is None else match.groups()
    if not command.strip():
        what, written = _LAST[text.strip().partition(":")[0]]
        raise BadSpec(f"bot {text[:60]!r} names no {what}: write {written}")
    return settings, command.strip()


def words_of(command: str) -> list[str]:
    """Split a command into words like a shell, but without running one; the program becomes its full path.

    Raises `BadSpec` for bad quoting, an unknown program, and on systems other than POSIX.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadSpec(f"bot cmd:{command[:60]}: {error}") from None
    if os.name != "posix":
        raise BadSpec(f"bot cmd:{command[:60]}: programs are bots on POSIX systems only")
    if not words:
        raise BadSpec("bot cmd: names no command")
    found = shutil.which(words[0])
    if found is None:
        where = "is not a file that can be run" if os.sep in words[0] else "is not on the PATH"
        raise BadSpec(f"bot cmd:{command[:60]}: {words[0][:60]} {where}{_hint(words[0])}")
    return [found, *words[1:]]


def _hint(program: str) -> str:
    """Suggest the nearest installed program among those that usually run bots."""
    known = ["perl", "python", "python3", "node", "ruby", "java", "sh", "bash"]
    near = get_close_matches(program, [each for each in known if shutil.which(each)], n=1)
    return f", did you mean {near[0]}?" if near else ""
