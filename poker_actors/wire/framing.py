"""What all dialects share: connecting, and bytes that arrive in pieces."""

from __future__ import annotations

import errno
import socket
from typing import Final

__all__ = ["CHUNK", "Incoming", "connected", "named", "silent"]

CHUNK: Final = 64 * 1024
"""Bytes read at a time; so many are read before the beginning of what has come is given up."""


class Incoming:
    """Bytes as they come, in pieces of any size, read as far as `_at`; what has been read is given up now and then."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._at = 0
        self._offset = 0
        """where the buffer begins in the stream"""
        self._ended = False

    def receive_data(self, data: bytes | bytearray) -> None:
        """Take bytes from the other side; ``b""`` means that it has closed."""
        if not data:
            self._ended = True
        if self._at > CHUNK:
            del self._buffer[: self._at]
            self._offset += self._at
            self._at = 0
        self._buffer += data


def named(host: str, port: int) -> str:
    """Return a place as it is written: HOST:PORT, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def silent(host: str, port: int) -> TimeoutError:
    """Return the error of a server that does not answer."""
    return TimeoutError(errno.ETIMEDOUT, "does not answer", named(host, port))


def connected(host: str, port: int, timeout: float) -> socket.socket:
    """Connect, to send every message at once; raises `OSError`, and `silent` when there is no answer."""
    try:
        opened = socket.create_connection((host, port), timeout)
    except TimeoutError:
        raise silent(host, port) from None
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return opened
