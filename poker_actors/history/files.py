"""Files of hand histories: detect the format, read hand by hand, write a whole file or none."""

from __future__ import annotations

import errno
import lzma
import os
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final, Self

import attrs

from poker_actors.atomic import replacing
from poker_actors.errors import BadHistory, BadSpec, from_extra, unknown
from poker_actors.history.acpc import acpc_lines, acpc_text, parse_acpc
from poker_actors.history.hand_history import HandHistory
from poker_actors.history.jsonl import jsonl_lines, jsonl_text, parse_jsonl
from poker_actors.history.ohh import ohh_objects, ohh_text, parse_ohh
from poker_actors.history.phh import parse_phh
from poker_actors.history.phh_sections import sections
from poker_actors.history.phh_write import phh_text
from poker_actors.history.pokernow import parse_pokernow, pokernow_hands, pokernow_text
from poker_actors.history.pokerstars import parse_pokerstars, pokerstars_hands
from poker_actors.history.pokerstars_write import pokerstars_text
from poker_actors.history.record import record
from poker_actors.history.source import Chunk, Entry, Unread, read_lines, unread_of
from poker_actors.rules import Call, Hand, RaiseTo

if TYPE_CHECKING:
    from zstandard import ZstdDecompressor


@attrs.frozen
class Format:
    """A format of hand histories: its name, file suffixes, reader and writer."""

    name: str
    suffixes: tuple[str, ...]
    cut: Callable[[Iterable[str]], Iterator[Chunk]] = attrs.field(repr=False)
    parse: Callable[[Chunk], HandHistory] = attrs.field(repr=False)
    text: Callable[[HandHistory, int], str] = attrs.field(repr=False)
    """a hand and its number in the file, from 0 -> its text"""


FORMATS: Final[dict[str, Format]] = {
    found.name: found
    for found in (
        Format("phh", (".phh", ".phhs"), sections, parse_phh, lambda hand, number: phh_text(hand)),
        Format("ohh", (".ohh",), ohh_objects, parse_ohh, lambda hand, number: f"{ohh_text(hand)}\n\n"),
        Format(
            "pokerstars",
            (".txt", ".pokerstars"),
            pokerstars_hands,
            parse_pokerstars,
            lambda hand, number: f"{pokerstars_text(hand)}\n\n",
        ),
        Format(
            "acpc",
            (".log", ".acpc"),
            acpc_lines,
            parse_acpc,
            lambda hand, number: f"{acpc_text(hand, number)}\n",
        ),
        Format("jsonl", (".jsonl",), jsonl_lines, parse_jsonl, lambda hand, number: f"{jsonl_text(hand)}\n"),
    )
}
"""The formats that are read and written, by name, as typed on the command line."""

_READ: Final[dict[str, Format]] = {
    **FORMATS,
    "pokernow": Format("pokernow", (".csv",), pokernow_hands, parse_pokernow, pokernow_text),
}
"""These, and those that are read only."""

_BLOCK: Final = 1 << 18
"""Bytes read at a time."""
_PIECE: Final = 1 << 10
"""Bytes decompressed at a time: they become 32 megabytes at most."""
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError)
"""What a damaged archive raises; `RuntimeError` is for one with a password or an unknown way of packing."""
_DAMAGE_NUMBERS: Final = (None, errno.EINVAL)
"""Numbers of an `OSError` that is not the disk's: bz2 gives none, and a place before the file's start is an invalid one."""

STDIN: Final = "-"
_SNIFFED: Final = 4096
"""Bytes read to detect the format of standard input: each format shows in its first lines."""


def format_named(name: str) -> Format:
    """Look up a format by name; raise `BadSpec` for an unknown one."""
    found = _READ.get(name)
    if found is None:
        raise BadSpec(unknown("format", name, _READ))
    return found


def format_of(path: Path) -> Format:
    """Return the format of a file by its suffix; raise `BadSpec` for an unknown one."""
    suffix = path.suffix.lower()
    for found in _READ.values():
        if suffix in found.suffixes:
            return found
    known = " ".join(suffix for found in _READ.values() for suffix in found.suffixes)
    raise BadSpec(f"{path} has no suffix of hand histories ({known})")


def _format_inside(start: bytes) -> Format:
    """Detect the format by the first bytes of a file; PHH if they look like nothing else."""
    text = start.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if text.startswith("{"):
        return FORMATS["jsonl" if '"poker_actors"' in text[:40] else "ohh"]
    if text.startswith(("PokerStars ", "Poker Hand #", "Winamax Poker ", "*****")):
        return FORMATS["pokerstars"]
    if text.startswith("entry,at,order"):
        return _READ["pokernow"]
    if text.startswith(("STATE:", "# game ", "# name/game/hands/seed")):
        return FORMATS["acpc"]
    return FORMATS["phh"]


def parse(text: str, name: str = "phh") -> list[HandHistory]:
    """Read all hands of a text; raise `BadHistory` at the first that cannot be read."""
    found = format_named(name)
    return [found.parse(chunk) for chunk in found.cut(text.splitlines(keepends=True))]


def entries(
    path: str | os.PathLike[str],
    stdin: IO[bytes] | None = None,
    advance: Callable[[int], None] | None = None,
) -> Iterator[Entry]:
    """Yield every hand of a file, of all files with known suffixes in a folder, or of `stdin` for `-`.

    One hand is held in memory at a time. A hand that cannot be read is an entry with an error.
    `advance` is called with the bytes read since its last call. Raises `OSError` for a file that
    cannot be opened, `BadSpec` for an unknown suffix or a folder without hand histories.
    """
    if os.fspath(path) == STDIN and stdin is not None:
        peek = getattr(stdin, "peek", None)
        found = _format_inside(peek(_SNIFFED)[:_SNIFFED] if peek else b"")
        yield from map(read_entry, _unread_in(STDIN, _blocks(stdin), found, advance))
        return
    yield from map(read_entry, unread(path, advance))


def unread(path: str | os.PathLike[str], advance: Callable[[int], None] | None = None) -> Iterator[Unread]:
    """Yield every hand of a file or folder unparsed, for `read_entry` to read; otherwise as `entries`."""
    for file in files_in(Path(path)):
        yield from _unread_of_file(file, advance)


def read_entry(hand: Unread) -> Entry:
    """Read a hand that `unread` cut out of a file."""
    return hand.read(_READ[hand.format].parse)


def files_in(place: Path) -> list[Path]:
    """Return a file, or all files with known suffixes in a folder.

    Raise `BadSpec` for a folder without one, `OSError` for one that cannot be listed.
    """
    if not place.is_dir():
        return [place]
    files = sorted(file for file in _below(place) if _has_known_suffix(file) and file.is_file())
    if not files:
        raise BadSpec(f"there are no hand histories in {place}")
    return files


def _below(folder: Path) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        raise error

    # `rglob` passes over what it may not list: a result over some of the files would look like one over all
    for place, _, files in os.walk(folder, onerror=refuse):
        yield from (Path(place, file) for file in files)


def _has_known_suffix(file: Path) -> bool:
    if file.suffix.lower() == ".zip":
        return True
    plain = file.with_suffix("") if file.suffix.lower() == ".zst" else file
    return any(plain.suffix.lower() in found.suffixes for found in _READ.values())


def _unread_of_file(file: Path, advance: Callable[[int], None] | None) -> Iterator[Unread]:
    """Yield the hands of a file, of a compressed one (`.zst`), or of all files with known suffixes in an archive (`.zip`)."""
    if file.suffix.lower() != ".zip":
        with file.open("rb") as stream:
            yield from _unpacked(str(file), file, _blocks(stream), advance)
        return
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise BadSpec(f"{file} is not a zip archive: {error}") from None
    with archive:
        inner = [one.filename for one in archive.infolist() if not one.is_dir()]
        inner = [name for name in inner if _has_known_suffix(Path(name))]
        if not inner:
            raise BadSpec(f"there are no hand histories in {file}")
        for name in inner:
            if name.lower().endswith(".zip"):
                raise BadSpec(f"{file}/{name} is an archive within an archive: unpack it first")
            yield from _unpacked(f"{file}/{name}", Path(name), _sound(_unzipped(archive, name)), advance)


def _unpacked(
    label: str, file: Path, blocks: Iterable[bytes], advance: Callable[[int], None] | None
) -> Iterator[Unread]:
    if file.suffix.lower() != ".zst":
        return _unread_in(label, blocks, format_of(file), advance)
    with from_extra("archives", "zstandard"):
        import zstandard
    plain = _sound(_decompressed(blocks, zstandard.ZstdDecompressor()), zstandard.ZstdError)
    return _unread_in(label, plain, format_of(file.with_suffix("")), advance)


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    read = getattr(stream, "read1", stream.read)  # `read` would wait until a pipe has filled the whole block
    return iter(partial(read, _BLOCK), b"")


def _unzipped(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name) as packed:
        yield from _blocks(packed)


def _decompressed(blocks: Iterable[bytes], engine: ZstdDecompressor) -> Iterator[bytes]:
    frame = None
    for block in blocks:
        # in small pieces: each byte may stand for tens of thousands
        for place in range(0, len(block), _PIECE):
            piece = block[place : place + _PIECE]
            while piece:
                frame = engine.decompressobj() if frame is None or frame.eof else frame
                yield frame.decompress(piece)
                piece = frame.unused_data
    if frame is not None and not frame.eof:
        raise EOFError("the compressed data ends early")


def _sound(blocks: Iterable[bytes], *damage: type[Exception]) -> Iterator[bytes]:
    """Yield the blocks of an archive; raise `BadHistory` where it is damaged or encrypted."""
    try:
        yield from blocks
    except _DAMAGE + damage as error:
        if isinstance(error, OSError) and error.errno not in _DAMAGE_NUMBERS:
            raise
        raise BadHistory(f"the archive cannot be read: {error}") from None


def _unread_in(
    name: str, blocks: Iterable[bytes], found: Format, advance: Callable[[int], None] | None
) -> Iterator[Unread]:
    index = -1
    for hand in unread_of(name, found.name, found.cut(read_lines(blocks, advance))):
        index = hand.index
        yield hand
    if index < 0:
        error = BadHistory(f"{name}, line 1: there is no hand in this file")
        yield Unread(name, 0, 1, found.name, None, error)


def histories(path: str | os.PathLike[str]) -> Iterator[HandHistory]:
    """Yield every hand of a file or folder; raise `BadHistory` at the first that cannot be read."""
    for entry in entries(path):
        if entry.history is None:
            assert entry.error is not None
            raise entry.error
        yield entry.history


class Writer:
    """Writes hands to a file as they come, and puts the file in place if all goes well.

    A context manager. The format is `format_name`, or that of the file's suffix. A `.phh` file holds
    one hand; a folder gets a `.phh` file for each hand instead. When the block raises, an existing
    file is left unchanged. Raises `FileExistsError` for an existing file, unless `replace` is set.
    """

    def __init__(
        self, path: str | os.PathLike[str], format_name: str | None = None, *, replace: bool = False
    ) -> None:
        self.path = Path(path)
        self.folder = self.path.is_dir()
        chosen = FORMATS["phh"] if self.folder and format_name is None else None
        self.format: Format = chosen or (format_named(format_name) if format_name else format_of(self.path))
        if self.path.exists() and not self.folder and not replace and self.path.is_file():
            # 17 is EEXIST
            raise FileExistsError(17, "already exists and is not overwritten", str(self.path))
        self.count = 0
        """hands written so far, with one that was interrupted"""
        self._replace = replace
        self._stream: IO[str] | None = None
        self._open = ExitStack()
        self._game = ""

    def __enter__(self) -> Self:
        if not self.folder:
            self._stream = self._open.enter_context(replacing(self.path))
        return self

    def check(self, hand: Hand, players: Sequence[str], hands: int) -> None:
        """Raise `BadSpec`, writing nothing, if the file cannot hold `hands` hands like this one.

        The hand is played out, with the highest raises: after an all-in, a board may be run again.
        """
        try:
            self._check_room(hands)
            record(hand)
            while hand.to_act:
                legal = hand.legal
                passive = Call() if legal.to_call else legal.passive
                hand.act(RaiseTo(legal.max_raise_to) if legal.can_raise else passive)
            self.format.text(record(hand, players=players), 0)
        except BadHistory as error:
            raise BadSpec(f"{self.path}: {error}") from None

    def _check_room(self, hands: int) -> None:
        if hands > 1 and not self.folder and self.path.suffix.lower() == ".phh":
            raise BadHistory("a .phh file holds one hand: name a .phhs file for more")

    def write(self, history: HandHistory) -> None:
        """Write one hand; raise `BadHistory`, writing nothing, if the format cannot carry it."""
        self.write_text(self.format.text(history, self.count))

    def write_text(self, text: str) -> None:
        """Write the text of one hand, as `format` makes it."""
        text = text if self.folder else self._framed(text)
        # first: after an interrupt the hand may be in the file, and no reader takes two hands of one number
        self.count += 1
        if self.folder:
            self._write_file(text)
        else:
            assert self._stream is not None, "the writer is not open"
            self._stream.write(text)

    def _framed(self, text: str) -> str:
        if self.format.name == "phh":
            if self.path.suffix.lower() != ".phh":
                return f"[{self.count + 1}]\n{text}\n"
            self._check_room(self.count + 1)
        if self.format.name == "acpc":
            game, _, state = text.partition("\n")
            if game == self._game:
                return state
            self._game = game
        return text

    def _write_file(self, text: str) -> None:
        file = self.path / f"{self.count:06d}{self.format.suffixes[0]}"
        with file.open("w" if self._replace else "x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)
