"""Runs first in a program's process: sets its limits, reports that they are set, then executes the program.

It is a script of its own because running Python between fork and exec (`preexec_fn`) may deadlock in a process with
threads, and because a cage's limits must be set inside it. Arguments: the limits as `name=value` words, `--`, and the
command. `memory` and `file` are bytes, `cpu` seconds, `processes` and `files` numbers, `parent` the id of the process
to die with, `ready` a socket: one byte is sent on it when all limits are set, and with `listen=1` a socket that listens
on a free port of this process's own localhost, whose number becomes the last word of the command. With `copy=1` the files
below `_FILES` are first copied into the working directory, and that is sent on the socket.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
"""From linux/prctl.h."""
_FILES = "/run/files"
_KINDS = {
    "memory": "RLIMIT_AS",
    "cpu": "RLIMIT_CPU",
    "processes": "RLIMIT_NPROC",
    "files": "RLIMIT_NOFILE",
    "file": "RLIMIT_FSIZE",
    "core": "RLIMIT_CORE",
}


def limit(given: dict[str, int]) -> None:
    """Limit this process; lower limits stay, and limits unknown to the platform are skipped."""
    import resource

    for name, constant in _KINDS.items():
        kind = getattr(resource, constant, None)
        if kind is None or name not in given:
            continue
        most = given[name]
        hard = resource.getrlimit(kind)[1]
        # the hard limit a second later: with both equal, SIGKILL would come instead of SIGXCPU, which names the cause
        end = most + 1 if name == "cpu" else most
        if hard != resource.RLIM_INFINITY:
            most, end = min(most, hard), min(end, hard)
        with suppress(ValueError, OSError):  # macOS refuses some limits of memory
            resource.setrlimit(kind, (most, end))


def end_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; only Linux can."""
    import ctypes
    import signal

    with suppress(OSError, AttributeError):  # a libc without prctl: the parent's `close` still kills it
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # the parent may have died before prctl: then no signal will come
    if os.getppid() != parent:
        sys.exit("its parent has already ended")


def report(number: int, listen: bool, copy: bool) -> list[str]:
    """Report on socket `number` that all limits are set, with a listening socket or directory if asked; return the port."""
    import array
    import socket

    with socket.socket(fileno=number) as ready:
        if copy:
            import shutil

            with suppress(OSError):  # no room: who has the directory sees that it is full
                shutil.copytree(_FILES, ".", symlinks=True, dirs_exist_ok=True)
            folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
            ready.sendmsg([b"!"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [folder]))])
            os.close(folder)
            return []
        if not listen:
            ready.sendall(b"!")
            return []
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen(1)
            rights = array.array("i", [listener.fileno()])
            ready.sendmsg([b"!"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            return [str(listener.getsockname()[1])]


def launch(words: list[str]) -> None:
    """Set the limits, report and execute; see above."""
    middle = words.index("--")
    given = {name: int(value) for name, _, value in (word.partition("=") for word in words[:middle])}
    command = words[middle + 1 :]
    limit(given)
    if given.get("parent") and sys.platform == "linux":
        end_with(given["parent"])
    if "ready" in given:
        command += report(given["ready"], bool(given.get("listen")), bool(given.get("copy")))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"{command[0]} cannot be run: {error.strerror}")


if __name__ == "__main__":
    launch(sys.argv[1:])
