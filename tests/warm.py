"""The command line in processes that are forks of one interpreter, which has imported everything.

A start takes a fifth of the processor time of a new interpreter. What is tested of a process stays true: it has a number,
pipes and signals of its own, and is killed alone. Whatever importing decides is tested with real ones.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import inspect
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

WORDS: Final = [sys.executable, "-c", "import sys; from poker_actors.cli import main; sys.exit(main())"]
"""The command line, as a program of its own."""
_IMPORTED: Final = (
    "poker_actors.cli.opp",
    "poker_actors.cli.serve",
    "poker_actors.cli.simulate",
    "poker_actors.server.http",
    "poker_actors.server.live",
    "poker_actors.store.journal",
    "psycopg",
    "uvicorn.lifespan.off",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "uvloop",
)
_CODE: Final = "import sys; sys.path.insert(0, {!r}); from tests.warm import main; del sys.path[0]; main({})"
_PR_SET_CHILD_SUBREAPER: Final = 36
_to_template: socket.socket | None = None


class CommandLine(subprocess.Popen[str]):
    """The command line in a process of its own, with pipes for stdout and stderr; `given` is for `Popen`.

    It is a new interpreter elsewhere than on Linux.
    """

    def __init__(self, *words: str, **given: Any) -> None:
        none, pipe = subprocess.DEVNULL, subprocess.PIPE
        usual = {"stdin": none, "stdout": pipe, "stderr": pipe, "text": True}
        super().__init__([*WORDS, *words], **usual | given)

    def _execute_child(self, *given: Any, **named: Any) -> None:
        usual = super()._execute_child  # type: ignore[misc]
        if sys.platform != "linux":
            usual(*given, **named)
            return
        # by name: versions of Python add arguments between them
        told = inspect.signature(usual).bind(*given, **named).arguments
        assert not any(told[one] for one in ("preexec_fn", "pass_fds", "start_new_session")), (
            "a fork has none of these"
        )
        asked = {
            "words": told["args"][len(WORDS) :],
            "folder": str(told["cwd"] or Path.cwd()),
            "environment": dict(os.environ if told["env"] is None else told["env"]),
            "interrupted": signal.getsignal(signal.SIGINT) is not signal.SIG_IGN,
        }
        self.pid = _forked(asked, [told[end] for end in ("p2cread", "c2pwrite", "errwrite")])
        self._child_created = True
        closing = self._close_pipe_fds  # type: ignore[attr-defined]
        closing(*(told[end] for end in inspect.signature(closing).parameters))


def command_line(*words: str, **given: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line to its end, as `subprocess.run` does."""
    with CommandLine(*words, **given) as process:
        try:
            output, errors = process.communicate(timeout=120)
        finally:
            process.kill()
    return subprocess.CompletedProcess(words, process.returncode, output, errors)


def _forked(asked: dict[str, Any], files: list[int]) -> int:
    """Ask the template for a fork of its own; return its number, by which it can be waited for as a child of ours."""
    global _to_template  # noqa: PLW0603  one template for a run
    if _to_template is None:
        _to_template = _template()
    # it is a grandchild of the template, whose child ends at once: the next above that asks for it is its parent then
    _reap_grandchildren(yes=True)
    try:
        socket.send_fds(_to_template, [json.dumps(asked).encode()], files)
        return int(_to_template.recv(32))
    finally:
        _reap_grandchildren(yes=False)


def _reap_grandchildren(*, yes: bool) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(yes), 0, 0, 0)


def _template() -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        code = _CODE.format(str(Path(__file__).parents[1]), theirs.fileno())
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def main(number: int) -> None:
    """Be the template: import, and fork for whoever asks until they hang up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in _IMPORTED:
        with suppress(ImportError):  # of an extra that is not installed
            import_module(name)
    gc.freeze()
    with socket.socket(fileno=number) as asking:
        while (message := socket.recv_fds(asking, 1 << 20, 3))[0]:
            number, own = _grandchild()
            if own:
                break
            for file in message[1]:
                os.close(file)
            asking.send(str(number).encode())
        else:
            return
    _be(json.loads(message[0]), message[1])


def _grandchild() -> tuple[int, bool]:
    """Fork twice; return the number of the second fork once the first has ended, and whether this is the second."""
    heard, said = os.pipe()
    if child := os.fork():
        os.close(said)
        os.waitpid(child, 0)
        with open(heard, "rb") as number:  # noqa: PTH123
            return int(number.read(32)), False
    if grandchild := os.fork():
        os.write(said, b"%d" % grandchild)
        os._exit(0)
    os.close(heard)
    os.close(said)
    return 0, True


def _be(asked: dict[str, Any], files: list[int]) -> None:
    """Become the command line that was asked for."""
    from poker_actors.cli import main as command

    for standard, file in enumerate(files):
        os.dup2(file, standard)
        os.close(file)
    # the template's were made for what it had in their places
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    if asked["interrupted"]:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv[1:] = asked["words"]
    sys.exit(command())
