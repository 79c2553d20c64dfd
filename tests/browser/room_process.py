"""The real server process for a browser: started, killed and started again on the same port and file."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-c", "import sys; from poker_actors.cli import main; sys.exit(main())"]


class RoomProcess:
    """A server on a free port of the loopback; `url` ends without a slash."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self.port = 0
        self.start()

    def start(self) -> None:
        place = ["--http", f"127.0.0.1:{self.port}", "--data", str(self._data)]
        self._process = subprocess.Popen(
            [*COMMAND, "serve", *place, "--turn-seconds", "60"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        line = self._process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if found is None:
            line += self._process.communicate(timeout=30)[1]
            raise AssertionError(f"the server says: {line}")
        self.port = int(found[1])
        self.url = found[0]

    def kill(self) -> None:
        """End it as a power cut does."""
        self._process.kill()
        self._process.communicate(timeout=30)

    def stop(self) -> int:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        self._process.communicate(timeout=30)
        return self._process.returncode
