"""The `shell` blocks of a page, from the first to the last, as one session: servers and bots stay in the background."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
VARIABLES = ".variables"
LISTENERS = Path("/proc/net/tcp")
pytestmark = pytest.mark.skipif(not LISTENERS.exists(), reason="asks Linux who listens")
STAYS = re.compile(r"^poker-actors (?:serve|join|opp client|acpc dealer) |^curl -sN |&$")
"""A line that begins a process which goes on while the next ones run."""
LISTENS = re.compile(r"^poker-actors (?:serve|acpc dealer) ")


def blocks(page: Path) -> list[str]:
    """The commands of a page's shell blocks, a line each; what installs is for test_setup.py and `.ci/run`."""
    found = re.findall(r"^```shell\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    joined = "".join(found).replace("\\\n", "")
    return [
        line
        for line in joined.splitlines()
        if line.strip() and not re.match(r"#|python3 -m venv |\.ci/run", line)
    ]


PAGES = [
    page
    for page in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    if "_build" not in page.parts and blocks(page)
]


NEEDS = {"curl ": "curl", "examples/bots/mit_cpp": "g++"}
"""What a line with these words needs, which a bare machine may lack."""


def lacking(page: Path) -> list[str]:
    words = "\n".join(blocks(page))
    return [tool for word, tool in NEEDS.items() if word in words and shutil.which(tool) is None]


class Session:
    """A shell's lines, each with free ports in the place of the page's own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.ports: dict[str, str] = {}
        self.running: list[tuple[str, subprocess.Popen[str]]] = []
        self.environment = os.environ | {
            "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
            "NO_COLOR": "1",
        }

    def placed(self, line: str) -> str:
        """Put free ports for the page's: they may be taken on this machine."""
        for port in re.findall(r"(?<=127\.0\.0\.1:)\d{4,5}|(?<=--ports )[\d,]+", line):
            for each in port.split(","):
                self.ports.setdefault(each, free_port())
        for port, free in self.ports.items():
            line = re.sub(rf"\b{port}\b", free, line)
        return line

    def stay(self, line: str) -> None:
        """Begin a process in the background; one that serves is waited for."""
        ports = [port for port in self.ports.values() if port in line]
        if LISTENS.match(line):
            self.make_way(ports)
        process = self.begin(line.rstrip("& "))
        self.running.append((line, process))
        if LISTENS.match(line):
            give_up_at = time.monotonic() + PATIENCE
            while not all(is_open(port) for port in ports):
                assert process.poll() is None, f"$ {line}\n{process.communicate()}"
                assert time.monotonic() < give_up_at, f"{line} does not listen"
                time.sleep(0.02)  # for the one who is waited for

    def make_way(self, ports: list[str]) -> None:
        """Stop who serves or plays there, as somebody does who tries a page's second way of serving."""
        for entry in self.running[::-1]:
            if any(port in entry[0] for port in ports):
                self.running.remove(entry)
                goes_on(*entry)
                stop(entry[1])

    def run(self, lines: list[str]) -> str:
        """Run lines that belong to one shell; gives what they print."""
        if not lines:
            return ""
        process = self.begin("\n".join(["set -eu", *lines, f"export -p > {VARIABLES}"]))
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, f"$ {lines}\n{output}\n{errors}"
        return output

    def begin(self, script: str) -> "subprocess.Popen[str]":
        """Begin a script, which knows the variables that those before it have set."""
        before = f"set -a\n[ ! -f {VARIABLES} ] || . ./{VARIABLES}\n"
        return subprocess.Popen(
            ["bash", "-o", "pipefail", "-c", before + script],
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


def goes_on(line: str, process: "subprocess.Popen[str]") -> None:
    """A process of the background is there still, or has ended well."""
    assert process.poll() in (None, 0), f"$ {line}\n{process.communicate()}"


def stop(process: "subprocess.Popen[str]") -> None:
    """End a process and what it has begun."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


def is_open(port: str) -> bool:
    """Whether somebody listens there; asked of the kernel, since some servers count who connects."""
    lines = LISTENERS.read_text(encoding="ascii").splitlines()[1:]
    return any(line.split()[1].endswith(f":{int(port):04X}") and line.split()[3] == "0A" for line in lines)


@contextmanager
def session(directory: Path) -> Iterator[Session]:
    opened = Session(directory)
    try:
        yield opened
    finally:
        for _, process in reversed(opened.running):
            stop(process)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_shell_blocks_of_a_page_run_in_order(page: Path, tmp_path: Path) -> None:
    if missing := lacking(page):
        pytest.skip(f"the page uses {', '.join(missing)}")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    with session(tmp_path) as opened:
        together: list[str] = []
        for line in map(opened.placed, blocks(page)):
            if STAYS.search(line):
                opened.run(together)
                together = []
                opened.stay(line)
            else:
                together.append(line)
        opened.run(together)
        for line, process in opened.running:
            goes_on(line, process)
