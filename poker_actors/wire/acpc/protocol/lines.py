"""Lines out of a stream of bytes, with a limit: what both ends of the protocol read by."""

from __future__ import annotations

from typing import Final

from poker_actors.errors import RemoteProtocolError

__all__ = ["END", "LONGEST_LINE", "VERSION", "Lines"]

VERSION: Final = "VERSION:2.0.0"
"""The first line of a client."""

END: Final = "\r\n"

LONGEST_LINE: Final = 16 * 1024
"""Bytes in a line. The longest state of ten players has 4,500; the competition's dealer cuts at 1,024."""


class Lines:
    """Takes bytes in pieces of any size and gives whole lines, without their ends.

    A line ends with a newline; a carriage return before it is dropped. Memory is bounded by one
    line and what one `receive_data` brings.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._at = 0
        self._offset = 0
        """where the buffer begins in the stream"""
        self.began: int = 0
        """where the last line given began, in bytes of the stream"""
        self.ended = False
        """whether the other side has closed"""

    def receive_data(self, data: bytes) -> None:
        """Take bytes from the other side; ``b""`` means that it has closed."""
        if not data:
            self.ended = True
        if self._at:
            del self._buffer[: self._at]
            self._offset += self._at
            self._at = 0
        self._buffer += data

    def next_line(self) -> str | None:
        """Give the next line; None when there is none yet.

        Raises `RemoteProtocolError` for a line that is too long or not ASCII.
        """
        end = self._buffer.find(b"\n", self._at)
        size = (len(self._buffer) if end < 0 else end) - self._at
        if size > LONGEST_LINE:
            text = f"a line of {size} bytes and more: the limit is {LONGEST_LINE}"
            raise RemoteProtocolError(text, offset=self._offset + self._at)
        if end < 0:
            return None
        line = bytes(self._buffer[self._at : end])
        self.began, self._at = self._offset + self._at, end + 1
        try:
            return line.removesuffix(b"\r").decode("ascii")
        except UnicodeDecodeError as error:
            text = f"{line[error.start]:#x} is not ASCII"
            raise RemoteProtocolError(text, offset=self.began + error.start) from None
