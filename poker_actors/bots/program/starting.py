"""Split a program's spec into settings and words; start its process with limits, caged or not, and end it."""

from __future__ import annotations

import array
import os
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Final

import attrs

from poker_actors.bots.cage import LAUNCHER, Cage, Entrance, Group
from poker_actors.errors import BadSpec, MissingFeature, suggestion

_KEPT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONPATH")
"""Variables that a program gets: where it finds things and how it writes. Others may be secrets."""
_READY_SECONDS: Final = 20.0
"""Seconds for the launcher to begin: a start takes hundredths of one."""
_GRACE_SECONDS: Final = 0.01
"""Seconds that a caged program may run on after its answer."""
_LOOKS: Final = 10
"""Number of graces between two looks at memory."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_OPEN_FILES: Final = 256
"""Open files of a caged process: each may hold buffers in the kernel's memory."""
_RUN_BOTS: Final = ("perl", "python", "python3", "node", "ruby", "java", "sh", "bash")
"""Programs that usually run bots: one that is installed is suggested for a name nearly right."""


def bare_environment(passed: Sequence[str] = ()) -> dict[str, str]:
    """Return a program's environment: what every program needs, and the variables named in `passed`.

    Raises `BadSpec` for one that is not set here.
    """
    for name in passed:
        if name not in os.environ:
            raise BadSpec(f"env={name[:60]}: the environment has no such variable")
    names = [name for name in (*_KEPT, *passed) if name in os.environ]
    # a Python program that forgets to flush would hang, and the order of a set, and so its play, would differ from start
    # to start; programs in other languages must flush themselves
    return {**{name: os.environ[name] for name in names}, "PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0"}


@attrs.frozen(kw_only=True)
class Program:
    """A program and its limits: bytes of address space and seconds of processor time, of each process.

    Its `environment` is all it gets. Without a cage, `folder` is its working directory, ours if None; in one, that is
    the cage's.
    """

    words: tuple[str, ...]
    memory: int
    cpu_seconds: int
    environment: dict[str, str]
    cage: Cage | None = None
    folder: Path | None = None

    @property
    def limits(self) -> list[str]:
        """Return the launcher's arguments for this program's limits."""
        words = [f"memory={self.memory}", f"cpu={self.cpu_seconds}", "core=0"]
        if self.cage is not None:
            largest = max(self.cage.tmp, self.cage.room)
            words += [f"processes={self.cage.processes}", f"files={_OPEN_FILES}", f"file={largest}"]
        return words


class Started:
    """A running process with its pipes, in its own session and process group.

    With `listen`, the command gets a port as its last word, and `listener` is the socket that listens there. A cage
    with room has a `workplace`: the descriptor of its folder, which outlasts it, to be closed by the caller. With
    `joined`, its stderr goes where its stdout goes. Raises `OSError` when no process can be created and
    `MissingFeature` when the machine cannot cage it.
    """

    def __init__(self, program: Program, *, listen: bool = False, joined: bool = False) -> None:
        cage = program.cage
        self.caged: Final = cage is not None
        awaited = listen or self.caged
        copied = cage is not None and cage.room > 0
        given = program.limits
        with ExitStack() as stack:
            ours, theirs = (stack.enter_context(end) for end in socket.socketpair())
            if awaited:
                given += [f"ready={theirs.fileno()}", *["listen=1"] * listen, *["copy=1"] * copied]
            if cage is None:
                # PR_SET_PDEATHSIG fires when the starting thread ends, not the process: only the main one is sure to last
                main = threading.current_thread() is threading.main_thread()
                given.append(f"parent={os.getpid() if main else 0}")
                command = [sys.executable, "-I", "-S", str(LAUNCHER), *given, "--", *program.words]
                entrance = Entrance(command, (), None)
            else:
                entrance = stack.enter_context(
                    cage.entrance(program.words, [*given, "--"], program.environment)
                )
            self.process: Final = _opened(program, entrance, theirs.fileno(), joined=joined)
            # a bot that is never closed must not leave a process behind
            self.watch: Final = (
                None if cage is None else Watch(self.process.pid, cage.unlimited(entrance.group))
            )
            self.end: Final = weakref.finalize(self, _end, self.process, entrance.group, self.watch)
            theirs.close()
            sent = self._ready(ours) if awaited else None
            self.listener: Final = socket.socket(fileno=sent) if listen and sent is not None else None
            self.workplace: Final = sent if copied else None

    def _ready(self, ours: socket.socket) -> int | None:
        """Wait for the launcher's byte, and return the descriptor that came with it, if one did.

        Only a caged process can fail before sending it, because of something the machine lacks.
        """
        readable = select.select([ours], (), (), _READY_SECONDS)[0]
        rights = array.array("i", [-1])
        data, ancillary = b"", list[tuple[int, int, bytes]]()
        if readable:
            data, ancillary, *_ = ours.recvmsg(1, socket.CMSG_LEN(rights.itemsize))
        if not data and self.caged:
            self.process.kill()
            said = self.process.stderr or self.process.stdout
            words = b"" if said is None else said.read()
            self.end()
            last = words.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise MissingFeature(f"what bubblewrap needs for a cage: {last or 'it does not start'}")
        return array.array("i", ancillary[0][2])[0] if ancillary else None


class Watch:
    """Stops a process group between questions, lets it go on, and kills it if it takes more than `most` bytes.

    `most` is None where a control group limits the memory of all processes together.

    Stopping at once would cost a quick program half its speed: every process of the group wakes to stop. A thread looks
    every `_GRACE_SECONDS`, so only a group that waits longer is stopped. The lock keeps a stop from arriving after the
    `go_on` that follows it.
    """

    def __init__(self, group: int, most: int | None) -> None:
        self._group = group
        self._most = most
        self._lock = threading.Lock()
        self._idle_since: float | None = None
        self._stopped = False
        self._over = threading.Event()
        self._thread = threading.Thread(
            target=self._watch, name=f"poker-actors watch of {group}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop the process soon, until `go_on`."""
        self._idle_since = monotonic()

    def go_on(self) -> None:
        """Let the process run."""
        with self._lock:
            self._idle_since = None
            if self._stopped:
                self._stopped = False
                self._send(signal.SIGCONT)

    def end(self) -> None:
        """End the thread. Call it before the process is reaped, while its number is surely its own."""
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        for tick in count():
            if self._over.wait(_GRACE_SECONDS):
                return
            if self._most is not None and not tick % _LOOKS and _memory_of(self._group) > self._most:
                self._send(signal.SIGKILL)
            with self._lock:
                since = self._idle_since
                if not self._stopped and since is not None and monotonic() - since >= _GRACE_SECONDS:
                    self._stopped = True
                    self._send(signal.SIGSTOP)

    def _send(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._group, number)


def _memory_of(pid: int) -> int:
    """Return the bytes in memory of a process and of all that it and its own started, as far as they can be read."""
    try:
        resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, IndexError):  # it has ended meanwhile
        return 0
    return resident * _PAGE + sum([_memory_of(int(child)) for child in children])


def _opened(program: Program, entrance: Entrance, ready: int, *, joined: bool) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            entrance.words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if joined else subprocess.PIPE,
            bufsize=0,
            env=program.environment,
            cwd=program.folder if program.cage is None else None,
            pass_fds=(*entrance.fds, ready),
            start_new_session=True,
        )
    except OSError:
        if entrance.group is not None:
            entrance.group.remove()
        raise


def _end(process: subprocess.Popen[bytes], group: Group | None, watch: Watch | None) -> None:
    if watch is not None:
        watch.end()
    # kill the group before `wait`: once the leader is reaped, its number may belong to another group
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()
    if group is not None:
        group.remove()


_SETTINGS: Final = re.compile(r"((?:[a-z_]+=[^,:=\s]*)(?:,[a-z_]+=[^,:=\s]*)*):(.*)", re.DOTALL)

_LAST: Final = {
    "cmd": ("command", "cmd:COMMAND, such as cmd:python bot.py"),
    "mit": ("folder", "mit:DIR, such as mit:entrants/ann"),
    "model": ("model", "model:URL#NAME, such as model:http://127.0.0.1:8000/v1#llama"),
}
"""By the first word of a spec: what must come last in it, and how the whole is written."""


def program_spec(text: str, rest: str) -> tuple[str, str]:
    """Split the part after `cmd:` into settings and command; raises `BadSpec`, naming `text`, without a command.

    >>> program_spec("cmd:seconds=2:python bot.py", "seconds=2:python bot.py")
    ('seconds=2', 'python bot.py')
    """
    match = _SETTINGS.fullmatch(rest)
    settings, command = ("", rest) if match is None else match.groups()
    if not command.strip():
        what, written = _LAST[text.strip().partition(":")[0]]
        raise BadSpec(f"bot {text[:60]!r} does not name a {what}: write {written}")
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
        raise BadSpec(f"bot cmd:{command[:60]}: programs can be bots on POSIX systems only")
    if not words:
        raise BadSpec("bot cmd: does not name a command")
    found = shutil.which(words[0])
    if found is None:
        where = "is not an executable file" if os.sep in words[0] else "is not on the PATH"
        hint = suggestion(words[0], filter(shutil.which, _RUN_BOTS))
        raise BadSpec(f"bot cmd:{command[:60]}: {words[0][:60]} {where}{hint}")
    return [found, *words[1:]]
