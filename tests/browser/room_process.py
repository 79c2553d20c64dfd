"""The real server process for a browser, which can be killed and started again on the same port and file."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path

from tests.warm import CommandLine

PATIENCE = 180.0
"""Seconds for a start or an end, on a busy machine."""


class RoomProcess:
    """A server on a free port of the loopback, with `more` options; `url` ends without a slash."""

    def __init__(self, data: Path, *more: str) -> None:
        self._data = data
        self._more = more
        # to a file: a pipe that nobody reads fills up and would block the server
        self._log = data.with_suffix(".log")
        self.port = 0
        self.start()

    def start(self) -> None:
        place = ["--http", f"127.0.0.1:{self.port}", "--data", str(self._data)]
        with self._log.open("w", encoding="utf-8") as log:
            given = ("serve", *place, "--turn-seconds", "120", *self._more)
            self._process = CommandLine(*given, stdout=subprocess.DEVNULL, stderr=log)
        self.url = self._announced()
        self.port = int(self.url.rpartition(":")[2])

    def _announced(self) -> str:
        """Wait for the address that the server announces once it listens."""
        late = time.monotonic() + PATIENCE
        while time.monotonic() < late:
            ended = self._process.poll() is not None
            found = re.search(r"http://127\.0\.0\.1:\d+(?=\D)", self.said())
            if found is not None:
                return found[0]
            if ended:
                break
            time.sleep(0.02)
        self._process.kill()
        self._process.wait(PATIENCE)
        raise AssertionError(f"the server does not start; it says: {self.said()}")

    def said(self) -> str:
        """Return its log since the last start."""
        return self._log.read_text(encoding="utf-8")

    def ensure(self) -> None:
        """Start it again if an earlier test has left it dead."""
        if self._process.poll() is not None:
            self.start()

    def kill(self) -> None:
        """Kill it without warning, as a power cut would."""
        self._process.kill()
        self._process.wait(PATIENCE)

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        self._process.wait(PATIENCE)
