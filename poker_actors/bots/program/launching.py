"""Runs first in a program bot's process: sets its limits, then executes the program.

It is a script of its own because running Python between fork and exec (`preexec_fn`) may deadlock in a process with
threads. Arguments: bytes of memory, seconds of processor time, the id of the parent to die with (0 for none), and the
command.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
"""From linux/prctl.h."""


def limit(memory: int, cpu_seconds: int) -> None:
    """Limit this process; lower limits stay, and limits unknown to the platform are skipped."""
    import resource

    for name, most in (("RLIMIT_AS", memory), ("RLIMIT_CPU", cpu_seconds), ("RLIMIT_CORE", 0)):
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        hard = resource.getrlimit(kind)[1]
        # the hard limit a second later: with both equal, SIGKILL would come instead of SIGXCPU, which names the cause
        end = most + 1 if name == "RLIMIT_CPU" else most
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
        sys.exit("who started it has ended already")


if __name__ == "__main__":
    limit(int(sys.argv[1]), int(sys.argv[2]))
    if sys.argv[3] != "0" and sys.platform == "linux":
        end_with(int(sys.argv[3]))
    try:
        os.execvp(sys.argv[4], sys.argv[4:])
    except OSError as error:
        sys.exit(f"{sys.argv[4]} cannot be run: {error.strerror}")
