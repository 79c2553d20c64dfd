"""`into debugpy` and `into FILE.py:FUNCTION`: a bot asked again under a debugger of one's own."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cli import main

DIVIDES = f"{Path(__file__).parents[3] / 'examples' / 'broken' / 'divides.py'}:bot"
BOTS = ["--bot", DIVIDES, "--bot", "tight", "--bot", "loose"]


class Editor:
    """As much of the Debug Adapter Protocol as an editor needs to stop and look."""

    def __init__(self, host: str, port: int) -> None:
        self.socket = socket.create_connection((host, port), timeout=120)
        self.stream = self.socket.makefile("rb")
        self.number = 0

    def send(self, command: str, **arguments: Any) -> int:
        self.number += 1
        text = json.dumps(
            {"seq": self.number, "type": "request", "command": command, "arguments": arguments}
        ).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        return self.number

    def until(self, kind: str, what: str | int) -> Any:
        """Read on until an event of a name, or the answer to a request."""
        while True:
            length = 0
            while line := self.stream.readline().strip():
                length = int(line.partition(b":")[2])
            heard = json.loads(self.stream.read(length))
            key = "event" if kind == "event" else "request_seq"
            if heard["type"] == kind and heard.get(key) == what:
                return heard.get("body")

    def ask(self, command: str, **arguments: Any) -> Any:
        return self.until("response", self.send(command, **arguments))


def test_an_editor_attaches_to_the_bot_sees_its_view_and_lets_it_go_on() -> None:
    pytest.importorskip("debugpy")
    session = subprocess.Popen(
        [sys.executable, "-Xfrozen_modules=off", "-m", "poker_actors", "debug", "--seed", "3", *BOTS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "DEBUGPY_PORT": "0"},
    )
    assert session.stdin is not None
    assert session.stderr is not None
    session.stdin.write("b fault\nc\ninto debugpy\nwhy pot\nq\n")
    session.stdin.flush()
    said = ""
    while not said.startswith("attach to "):
        said = session.stderr.readline()
        assert said, "it ended before it listened"
    host, _, port = said.removeprefix("attach to ").strip().rpartition(":")
    editor = Editor(host, int(port))
    editor.ask("initialize", adapterID="test", pathFormat="path")
    attached = editor.send("attach", justMyCode=False)
    editor.until("event", "initialized")
    editor.ask("configurationDone")
    editor.until("response", attached)
    thread = editor.until("event", "stopped")["threadId"]
    frame = editor.ask("stackTrace", threadId=thread, levels=1)["stackFrames"][0]["id"]
    assert editor.ask("evaluate", expression="view.to_call", frameId=frame)["result"] == "0"
    editor.ask("disconnect", terminateDebuggee=False)
    out, _ = session.communicate(timeout=120)
    assert session.returncode == 0
    assert "raised ZeroDivisionError: division by zero\nand answers the same now" in out
    assert "pot is 5" in out
    editor.socket.close()


def test_without_debugpy_it_is_said_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "debugpy", None)
    monkeypatch.setattr("sys.stdin", io.StringIO("b fault\nc\ninto debugpy\nq\n"))
    assert main(["debug", "--seed", "3", *BOTS]) == 0
    assert "*** into debugpy: debugpy is not installed (pip install debugpy)" in capsys.readouterr().out


def test_a_function_of_ones_own_is_given_the_bot_and_its_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from poker_actors.rules import Fold\n"
        "def look(bot, view):\n"
        "    print('I see', view.public.pot, view.to_call)\n"
        "    return Fold()\n"
    )
    monkeypatch.setattr("sys.stdin", io.StringIO(f"b fault\nc\ninto {mine}:look\ninto {mine}:nobody\nq\n"))
    assert main(["debug", "--seed", "3", *BOTS]) == 0
    out = capsys.readouterr().out
    assert "I see 5 0" in out
    assert "raised ZeroDivisionError: division by zero" in out
    assert "fold" in out
    assert "*** " in out
