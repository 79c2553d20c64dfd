"""What runs first in the process of a program that is a bot: sets its limits, then becomes the program.

Not before the start, by a function between fork and exec: in a process with threads that may deadlock.
Called with the bytes of memory, the seconds of processor time, the process it is to end with (0 for none),
and the command.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG = 1


def limit(memory: int, cpu_seconds: int) -> None:
    """Limit this process; a limit that is lower already, or that the platform does not know, stays."""
    import resource

    for name, most in (("RLIMIT_AS", memory), ("RLIMIT_CPU", cpu_seconds), ("RLIMIT_CORE", 0)):
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        hard = resource.getrlimit(kind)[1]
        # a second between the warning (SIGXCPU) and the end
        end = most + 1 if name == "RLIMIT_CPU" else most
        if hard != resource.RLIM_INFINITY:
            most, end = min(most, hard), min(end, hard)
        with suppress(ValueError, OSError):  # macOS refuses some limits of memory
            resource.setrlimit(kind, (most, end))


def end_with(parent: int) -> None:
    """Have this process killed when the one that started it is, which only Linux can do."""
    import ctypes
    import signal

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("who started it has ended already")


if __name__ == "__main__":
    limit(int(sys.argv[1]), int(sys.argv[2]))
    if sys.argv[3] != "0" and sys.platform == "linux":
        end_with(int(sys.argv[3]))
    try:
        os.execvp(sys.argv[4], sys.argv[4:])
    except OSError as error:
        sys.exit(f"{sys.argv[4]} cannot be run: {error.strerror}")
