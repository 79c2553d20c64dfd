"""Exit statuses of the command line, and the status of each error."""

from __future__ import annotations

import errno
from typing import Final

from poker_actors.cli.output import printable
from poker_actors.errors import BadInput, MissingExtra, MissingFeature, PokerError, Refused, RoomError

__all__ = ["DONE", "INTERRUPTED", "LACKING", "NO", "OUR_FAULT", "WRONG", "one_line", "verdict"]

DONE: Final = 0
NO: Final = 1
"""The answer is no: a replay that disagrees, a verification that fails. A command returns it."""
WRONG: Final = 2
"""Wrong arguments or input."""
LACKING: Final = 3
"""The machine lacks something: an extra, a free port, space on the disk."""
OUR_FAULT: Final = 70
"""A bug of ours; the number is EX_SOFTWARE of sysexits.h, so that it is not read as an answer."""
INTERRUPTED: Final = 130

LONGEST: Final = 400
"""The longest error line, in characters: enough for our messages, too short for a pasted file."""

_WRONG_PATH: Final = (FileNotFoundError, IsADirectoryError, NotADirectoryError, FileExistsError)
_WRONG_PATH_NUMBERS: Final = (errno.ENAMETOOLONG, errno.EINVAL, errno.ELOOP)
_REMEDIES: Final = {
    errno.EADDRINUSE: "stop what listens there, or choose another port",
    errno.EADDRNOTAVAIL: "choose an address of this machine",
    errno.EACCES: "choose a place you may use",
    errno.EPERM: "choose a place you may use",
    errno.EROFS: "choose a place that can be written",
    errno.ENOSPC: "make room, or choose another place",
    errno.EDQUOT: "make room, or choose another place",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ECONNREFUSED: "start the server, or check the address",
}


def verdict(error: Exception) -> tuple[int, str] | None:
    """Return exit status and message for an error, or None if it is a bug of ours."""
    match error:
        case MissingExtra() | MissingFeature() | RoomError():
            return LACKING, str(error)
        case BadInput() | Refused() | PokerError():
            return WRONG, str(error)
        case OSError() if isinstance(error, _WRONG_PATH) or error.errno in _WRONG_PATH_NUMBERS:
            return WRONG, _os_message(error)
        case OSError() if error.errno is not None:
            return LACKING, _os_message(error)
        case TimeoutError():
            return LACKING, "the server does not answer"
        case ConnectionError():
            return LACKING, str(error) or "the connection is lost"
        case _:
            return None


def one_line(message: str) -> str:
    """Return the message as one printable line of at most `LONGEST` characters."""
    flat = " ".join(message.split())
    shown = printable(flat)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def _os_message(error: OSError) -> str:
    what = error.strerror or type(error).__name__
    place = f"{error.filename}: " if error.filename is not None else ""
    remedy = _REMEDIES.get(error.errno or 0)
    if isinstance(error, PermissionError) and place:
        remedy = "check its permissions"  # whether it was to be read or written
    return f"{place}{what[:1].lower()}{what[1:]}" + (f"; {remedy}" if remedy else "")
