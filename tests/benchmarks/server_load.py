"""A lean HTTP client for measurements: raw requests, pipelined over kept connections, in the measuring process."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["Line", "Server", "basic", "quantile", "request"]

COMMAND = [sys.executable, "-c", "import sys; from poker_actors.cli import main; sys.exit(main())", "serve"]
OPEN = (
    "connections=20000",
    "connections_per_address=20000",
    "messages_per_second=1000000",
    "users_per_hour=1000000",
    "idle_seconds=3600",
)
TURN_SECONDS = "59"
"""long enough for busy machines; from a minute on the end of each turn would be written, too"""
_LENGTH = re.compile(rb"content-length: (\d+)")
_TICKS = 100.0
"""clock ticks per second in /proc/PID/stat"""

Heard = Callable[[int, bytes], None]


class Server:
    """A real server process on a file of its own, whose processor time and memory can be read."""

    def __init__(self, *options: str, limits: tuple[str, ...] = OPEN, data: bool = True) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="bench")
        kept = ["--data", str(Path(self._folder.name) / "room.db")] if data else []
        given = [option for text in limits for option in ("--limit", text)]
        self.process = subprocess.Popen(
            [*COMMAND, "--http", "127.0.0.1:0", "--turn-seconds", TURN_SECONDS, *kept, *given, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        said = self.process.stderr.readline()
        place = re.search(r":(\d+)$", said.strip())
        assert place is not None, said
        self.port = int(place[1])

    def seconds(self) -> float:
        """Return the processor seconds used so far, by all threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def memory(self) -> float:
        """Return the resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        assert found is not None
        return int(found[1]) / 1024

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.terminate()
        self.process.communicate(timeout=120)
        self._folder.cleanup()


def basic(user: str) -> bytes:
    """Return the Authorization header of a user whose password is the name."""
    return b"Authorization: Basic " + base64.b64encode(f"{user}:{user}".encode()) + b"\r\n"


def request(method: str, path: str, headers: bytes = b"", body: bytes = b"") -> bytes:
    """Return the bytes of a request."""
    length = b"Content-Length: %d\r\n" % len(body) if body else b""
    return b"%s %s HTTP/1.1\r\nHost: x\r\n%s%s\r\n%s" % (
        method.encode(),
        path.encode(),
        headers,
        length,
        body,
    )


class Line(asyncio.Protocol):
    """A connection, on which requests are answered in order."""

    def __init__(self) -> None:
        self._buffer = b""
        self._asked: deque[Heard] = deque()
        self.lost = False

    @classmethod
    async def to(cls, port: int, source: str | None = None) -> Line:
        """Connect to a server of this machine."""
        loop = asyncio.get_running_loop()
        place = None if source is None else (source, 0)
        _, line = await loop.create_connection(cls, "127.0.0.1", port, local_addr=place)
        return line

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        for heard in self._asked:
            heard(0, b"")

    def ask(self, data: bytes, *heard: Heard) -> None:
        """Send requests; each `heard` is called with status and body of its answer, or with 0 if it is lost."""
        if self.lost:
            raise ConnectionResetError("the server has hung up")
        self._asked.extend(heard)
        self._transport.write(data)

    async def get(self, data: bytes) -> tuple[int, bytes]:
        """Send one request and await its answer."""
        answer: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self.ask(data, lambda status, body: answer.set_result((status, body)))
        return await answer

    async def json(self, method: str, path: str, headers: bytes = b"", body: bytes = b"") -> Any:
        """Send one request that must succeed, and read the answer."""
        status, text = await self.get(request(method, path, headers, body))
        assert status in (200, 201, 202), (status, text[:200])
        return json.loads(text)

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        at = 0
        while True:
            end = buffer.find(b"\r\n\r\n", at)
            if end < 0:
                break
            length = _LENGTH.search(buffer, at, end + 2)
            last = end + 4 + (int(length[1]) if length is not None else 0)
            if len(buffer) < last:
                break
            heard = self._asked.popleft()
            heard(int(buffer[at + 9 : at + 12]), buffer[end + 4 : last])
            at = last
        self._buffer = buffer[at:]

    def close(self) -> None:
        """Hang up."""
        self._transport.close()


def quantile(values: list[float], share: float) -> float:
    """Return the quantile of values for a share from 0 to 1."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def now() -> float:
    """Return a time in seconds, for differences."""
    return time.perf_counter()
