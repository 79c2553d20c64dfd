"""Whatever ends a command has one exit status and at most one line on stderr."""

import errno
import os
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from poker_actors import errors
from poker_actors.cli import main
from poker_actors.cli.output import LONGEST, NO, one_line

SCRIPT = Path(sysconfig.get_path("scripts")) / "poker-actors"
Probe = Callable[..., int]
Capture = pytest.CaptureFixture[str]

CASES = [
    (errors.BadSpec("--hands -1 is below the minimum of 1"), 2, "--hands -1 is below the minimum of 1"),
    (errors.UnknownBot('no bot "nobody"'), 2, 'no bot "nobody"'),
    (errors.IllegalAction("it is seat 2's turn"), 2, "it is seat 2's turn"),
    (errors.PokerError("no"), 2, "no"),
    (errors.MissingExtra("plot", "matplotlib"), 3, "matplotlib is not installed: it comes with the extra [plot] (in a checkout of the sources: pip install '.[plot]')"),
    (errors.RoomClosed("the room is closed"), 3, "the room is closed"),
    (FileNotFoundError(errno.ENOENT, "No such file or directory", "hands.phh"), 2, "hands.phh: no such file or directory"),
    (IsADirectoryError(errno.EISDIR, "Is a directory", "docs"), 2, "docs: is a directory"),
    (OSError(errno.EADDRINUSE, "Address already in use"), 3, "address already in use; stop what listens there, or choose another port"),
    (OSError(errno.ENOSPC, "No space left on device", "out.json"), 3, "out.json: no space left on device; make room, or choose another place"),
    (PermissionError(errno.EACCES, "Permission denied", "out.json"), 3, "out.json: permission denied; check its permissions"),
    (socket.gaierror(socket.EAI_NONAME, "Name or service not known", "nobody.invalid"), 2, "nobody.invalid: name or service not known; check the address"),
    (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution", "a.example"), 3, "a.example: temporary failure in name resolution"),
    (KeyboardInterrupt(), 130, "interrupted"),
]  # fmt: skip


@pytest.mark.parametrize(("error", "status", "line"), CASES, ids=lambda value: type(value).__name__)
def test_an_error_is_one_line_and_a_status(
    error: BaseException, status: int, line: str, probe: Probe, capsys: Capture
) -> None:
    def command() -> None:
        raise error

    assert probe(command) == status
    assert capsys.readouterr() == ("", f"poker-actors: {line}\n")


@pytest.mark.parametrize("host", ["nobody.invalid", f"{'long' * 16}.invalid"])
@pytest.mark.parametrize(
    "command",
    [
        "join http://HOST:1 --user ann --bot tight",
        "opp client HOST:1 --user ann",
        "opp dump HOST:1",
        "acpc client HOST:1 --bot tight",
        "acpc dealer --host HOST --hands 1",
        "serve --http HOST:1",
        "serve --opp HOST:1",
        "simulate --bot model:http://HOST:1/v1#any --bot tight --hands 2",
        "mcp http://HOST:1",
    ],
)
def test_a_host_that_is_not_found_is_named_and_not_waited_for(
    command: str, host: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    if "model:" in command:
        pytest.importorskip("openai", reason="the extra [models] is not installed")
    if "mcp" in command:
        pytest.importorskip("mcp", reason="the extra [mcp] is not installed")
    monkeypatch.setenv("POKER_ACTORS_PASSWORD", "secret")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert main(command.replace("HOST", host).split()) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("poker-actors: ")
    assert host in line


@pytest.mark.parametrize(
    "command",
    ["simulate --bot model:http://a.example:1/v1#any --bot tight --hands 2", "mcp http://a.example:1"],
)
def test_a_name_server_that_does_not_answer_is_lacking_and_no_wrong_address(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    pytest.importorskip("openai" if "model:" in command else "mcp")
    monkeypatch.setenv("POKER_ACTORS_PASSWORD", "secret")
    monkeypatch.setenv("no_proxy", "*")

    def ask(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", ask)
    assert main(command.split()) == 3
    line = capsys.readouterr().err.splitlines()[-1]
    assert "a.example" in line
    assert "emporary failure in name resolution" in line
    assert "not found" not in line


@pytest.mark.parametrize(("answer", "status"), [(None, 0), (0, 0), (NO, 1)])
def test_a_command_answers_with_its_return_value(answer: int | None, status: int, probe: Probe) -> None:
    assert probe(lambda: answer) == status


def test_a_bug_shows_its_traceback_and_is_not_taken_for_an_answer(probe: Probe, capsys: Capture) -> None:
    def command() -> None:
        raise ZeroDivisionError("a bug")

    assert probe(command) == 70
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith("poker-actors: this is a bug")


@pytest.mark.parametrize(
    "command", ["doctor --json -", "simulate --bot caller --bot tight --hands 20 --seed 1"]
)
def test_a_reader_who_had_enough_is_no_error(command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        run = subprocess.run([SCRIPT, *command.split()], stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert (run.returncode, run.stderr) == (0, b"")


def test_a_broken_pipe_that_is_not_stdout_is_told(probe: Probe, capsys: Capture) -> None:
    def command() -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    assert probe(command) == 3
    assert capsys.readouterr().err == "poker-actors: broken pipe\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the full device is Linux's")
def test_a_full_disk_under_stdout_is_told_once() -> None:
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run([SCRIPT, "doctor"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert run.returncode == 3
    assert run.stderr == b"poker-actors: no space left on device; make room, or choose another place\n"


@pytest.mark.parametrize(
    ("command", "status", "told"),
    [
        (
            "doctor >&-",
            3,
            "stdout is closed, and the output is lost; to discard it, use >/dev/null\n",
        ),
        ("doctor >&- 2>&-", 3, ""),
        ("doctor --json doctor.json 2>&-", 0, ""),
        ("eval >&-", 0, ""),
        ("doctr >&-", 2, 'unknown command "doctr". Did you mean "doctor"?'),
    ],
)
def test_a_closed_stdout_fails_a_command_that_printed(
    command: str, status: int, told: str, tmp_path: Path
) -> None:
    run = subprocess.run(
        f"exec '{SCRIPT}' {command}", shell=True, check=False, cwd=tmp_path,
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert run.returncode == status
    assert told in run.stderr
    assert bool(run.stderr) == bool(told)


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("debug --seed 3", 0),
        ("eval", 0),
        ("replay -", 1),
        ("convert - x.phhs", 2),
        ("verify -", 2),
        ("play --seed 1", 0),
    ],
)
def test_a_closed_stdin_is_at_its_end(command: str, status: int, tmp_path: Path) -> None:
    ends = [
        subprocess.run(
            f"exec '{SCRIPT}' {command} {stdin}", shell=True, check=False, cwd=tmp_path,
            capture_output=True, text=True,
        )
        for stdin in ("<&-", "</dev/null")
    ]  # fmt: skip
    assert [end.returncode for end in ends] == [status, status]
    assert ends[0].stderr == ends[1].stderr
    assert "Traceback" not in ends[0].stderr


def test_an_interrupt_ends_with_130_and_one_line() -> None:
    script = (
        "import os, signal, sys, types; from poker_actors.cli import commands, frame, main\n"
        "module = types.ModuleType('poker_actors.cli.probe')\n"
        "module.probe = lambda: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.modules[module.__name__] = module\n"
        "frame.COMMANDS = (commands.Command('probe', '', ''),)\n"
        "sys.exit(main(['probe']))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "poker-actors: interrupted\n")


def test_a_message_is_one_printable_line_of_bounded_length() -> None:
    assert one_line("a\n  b\x1b[31m \x00") == "a b\\x1b[31m \\x00"
    assert len(one_line("x" * 10_000)) == LONGEST
