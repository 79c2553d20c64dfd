"""What runs first in the process of a program that is a bot: sets its limits, then becomes the program.

Not before the start, by a function between fork and exec: in a process with threads that may deadlock.
Called with the bytes of memory, the seconds of processor time, and the command.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress


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


if __name__ == "__main__":
    limit(int(sys.argv[1]), int(sys.argv[2]))
    try:
        os.execvp(sys.argv[3], sys.argv[3:])
    except OSError as error:
        sys.exit(f"{sys.argv[3]} cannot be run: {error.strerror}")
