"""Split a stream of bytes into lines of limited length, for both ends of the protocol."""

from __future__ import annotations

from typing import Final

from poker_actors.errors import RemoteProtocolError
from poker_actors.wire.framing import Incoming

__all__ = ["END", "LONGEST_LINE", "VERSION", "Lines"]

VERSION: Final = "VERSION:2.0.0"
"""The first line of a client."""

END: Final = "\r\n"

LONGEST_LINE: Final = 16 * 1024
"""Most bytes in a line. The longest state of ten players has 4,500; the competition's dealer cuts at 1,024."""


class Lines(Incoming):
    """Takes bytes in pieces of any size and returns whole lines, without their ends.

    A line ends with a newline; a carriage return before it is dropped. Memory is bounded by one
    line plus the bytes of one `receive_data`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.began: int = 0
        """position in the stream of the last line returned"""

    @property
    def ended(self) -> bool:
        """Whether the other side has closed."""
        return self._ended

    def next_line(self) -> str | None:
        """Return the next line; None when there is none yet.

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
