"""Read files of histories: lines, cut into the text of one hand after another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from poker_actors.errors import BadHistory
from poker_actors.frozen import value
from poker_actors.history.hand_history import HandHistory

LONGEST_LINE: Final = 1 << 20
"""Characters; the longest hand ever recorded has a few thousand on a line."""
LONGEST_HAND: Final = 1 << 22
"""Characters of one hand: bounds the memory for a file in which no hand ends."""

_NOT_UTF8: Final = re.compile("[\udc80-\udcff]")
"""Bytes that are not UTF-8, as `surrogateescape` keeps them."""


@value
class Chunk:
    """The text of one hand, and the number of its first line in the file, from 1."""

    text: str
    line: int

    def line_at(self, place: int) -> int:
        """Return the line number of the character at `place` of the text."""
        return self.line + self.text.count("\n", 0, place)


@value
class Entry:
    """One hand of a file: its history, or the error."""

    file: str
    index: int
    """from 0"""
    line: int
    format: str
    history: HandHistory | None
    error: BadHistory | None = None
    """error that names file and line"""


def read_lines(blocks: Iterable[bytes], advance: Callable[[int], None] | None = None) -> Iterator[str]:
    """Yield the lines with their newlines; bytes that are not UTF-8 are kept as lone surrogates.

    `advance` is called with the bytes read since its last call. Raises `BadHistory` for a line of
    more than `LONGEST_LINE` characters.
    """
    number = 0
    held = b""
    returns = False
    for block in blocks:
        if advance is not None:
            advance(len(block))
        if not (number or held):
            # lines that end in \r alone, as on old Macs; a \r at the very end may be half of a \r\n
            returns = b"\n" not in block and b"\r" in block[:-1]
        data = held + (block.replace(b"\r", b"\n") if returns else block)
        if not number:
            data = data.removeprefix(b"\xef\xbb\xbf")
        end = data.rfind(b"\n") + 1
        held = data[end:]
        for line in data[:end].decode("utf-8", "surrogateescape").split("\n")[:-1]:
            number += 1
            if len(line) > LONGEST_LINE:
                raise _too_long(number)
            yield line + "\n"
        if len(held) > LONGEST_LINE:
            raise _too_long(number + 1)
    if held:
        yield held.decode("utf-8", "surrogateescape")


def cut(
    lines: Iterable[str],
    ends: Callable[[str, list[str]], bool],
    begins: Callable[[str], bool] = lambda line: bool(line.strip()),
) -> Iterator[Chunk]:
    """Cut lines into hands: `ends` tells whether a line ends the hand of the lines held, `begins` whether one can begin it.

    A line that ends a hand is the first of the next one if it can be. Raises `BadHistory` for a hand of more than
    `LONGEST_HAND` characters.
    """
    held: list[str] = []
    first = size = 0
    for number, line in enumerate(lines, start=1):
        if held and ends(line, held):
            yield Chunk("".join(held), first)
            held, size = [], 0
        if not held and not begins(line):
            continue
        first = first if held else number
        held.append(line)
        size += len(line)
        if size > LONGEST_HAND:
            raise BadHistory(f"line {first}: the hand is above the limit of {LONGEST_HAND} characters")
    if held:
        yield Chunk("".join(held), first)


def at_line(line: int, error: Exception) -> BadHistory:
    """Return an error that names the line: of the same kind if that is one of histories, else a `BadHistory`."""
    kind = type(error) if isinstance(error, BadHistory) else BadHistory
    return kind(f"line {line}: {error}")


def _too_long(number: int) -> BadHistory:
    return BadHistory(f"line {number}: above the limit of {LONGEST_LINE} characters")


@value
class Unread:
    """One hand of a file, cut out but not parsed yet, perhaps for another process."""

    file: str
    index: int
    """from 0"""
    line: int
    format: str
    chunk: Chunk | None
    """None if the file cannot be cut here"""
    error: BadHistory | None = None

    def read(self, parse: Callable[[Chunk], HandHistory]) -> Entry:
        """Parse the text; a hand that cannot be parsed becomes an entry with its error."""
        error = self.error
        if self.chunk is not None:
            try:
                _check_text(self.chunk)
                return Entry(self.file, self.index, self.line, self.format, parse(self.chunk))
            except BadHistory as wrong:
                error = _placed(self.file, wrong)
        return Entry(self.file, self.index, self.line, self.format, None, error)


def unread_of(file: str, format_name: str, chunks: Iterable[Chunk]) -> Iterator[Unread]:
    """Yield each chunk, or the error where the file cannot be cut any more."""
    index, line = -1, 1
    try:
        for index, chunk in enumerate(chunks):
            line = chunk.line
            yield Unread(file, index, line, format_name, chunk)
    except BadHistory as error:
        yield Unread(file, index + 1, line, format_name, None, _placed(file, error))


def _check_text(chunk: Chunk) -> None:
    found = None if chunk.text.isascii() else _NOT_UTF8.search(chunk.text)
    if found is not None:
        byte = ord(found[0]) - 0xDC00
        raise BadHistory(f"line {chunk.line_at(found.start())}: byte {byte:#x} is not UTF-8 text")


def _placed(file: str, error: BadHistory) -> BadHistory:
    return type(error)(f"{file}, {error}", code=error.code)
