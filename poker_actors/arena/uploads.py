"""Unpack a stranger's upload, an archive or one file, into a new folder, within limits."""

from __future__ import annotations

import gzip
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Final

import attrs

from poker_actors.arena.entrants import MOST_FILES
from poker_actors.errors import BadSpec

_MEGABYTE: Final = 1 << 20
_CHUNK: Final = 1 << 16
_LONGEST_PATH: Final = 200
"""Bytes in a path within the archive: with the arena's own folders in front, it stays within every system's limit."""
_DEEPEST: Final = 16
_HEADERS: Final = 4096
"""Bytes that a tar may spend on a file besides its content, on average: long names and padding included."""
_ZIPPED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LEFT_OUT: Final = ("__MACOSX", ".DS_Store", "__pycache__", ".git")
"""Files that systems add to archives and that belong to no entrant."""
_ONE_FILE: Final = "bot.py"
_DRIVE: Final = re.compile(r"[A-Za-z]:")


@attrs.define
class _Room:
    """What an upload may still write."""

    megabytes: int
    files: int = 0
    size: int = 0

    def take_file(self) -> None:
        self.files += 1
        if self.files > MOST_FILES:
            raise BadSpec(
                f"the upload has more than {MOST_FILES:,} files and folders", code="upload_too_many_files"
            )

    def take(self, size: int) -> None:
        self.size += size
        if self.size > self.megabytes * _MEGABYTE:
            raise BadSpec(
                f"the upload unpacks to more than {self.megabytes} megabytes", code="upload_too_large"
            )


@attrs.frozen
class _Part:
    """A file or folder of an archive; `stream` is None for a folder."""

    name: str
    runs: bool
    stream: IO[bytes] | None


def unpack(upload: Path, place: Path, megabytes: int) -> int:
    """Unpack a zip, a tar or a tar.gz into the new folder `place`; return how many files and folders it had.

    Anything else is a single file, Python or a program that begins with `#!`: it becomes `bot.py`. Links, devices,
    places outside the folder, more than `MOST_FILES` files and more than `megabytes` raise `BadSpec` with a code that
    begins with `upload_`. A single top folder is left out, because archives of folders have one.
    """
    place.mkdir(mode=0o700, parents=True)
    room = _Room(megabytes)
    with upload.open("rb") as stream:
        head = stream.read(512)
        stream.seek(0)
        try:
            for part in _parts(stream, head, room):
                room.take_file()
                _write(part, place, room)
        except (tarfile.TarError, zipfile.BadZipFile, zlib.error, gzip.BadGzipFile, EOFError) as error:
            raise BadSpec(f"the archive cannot be read: {error}", code="upload_unreadable") from None
        except (MemoryError, NotImplementedError, RuntimeError, ValueError) as error:
            if isinstance(error, BadSpec):
                raise
            raise BadSpec(f"the archive cannot be read: {error}", code="upload_unreadable") from None
        except OSError as error:  # a folder in the place of a file, a name that this system does not allow
            text = f"the archive cannot be written here: {error.strerror}"
            raise BadSpec(text, code="upload_unreadable") from None
    if not room.files:
        raise BadSpec("the archive is empty", code="upload_unreadable")
    _raise_only_folder(place)
    return room.files


def _parts(stream: IO[bytes], head: bytes, room: _Room) -> Iterator[_Part]:
    if head.startswith(b"PK"):
        return _of_zip(stream)
    if head.startswith(b"\x1f\x8b"):
        with gzip.GzipFile(fileobj=stream) as unzipped:
            first = unzipped.peek(512)[:512]
        stream.seek(0)
        if first[257:262] != b"ustar":
            raise BadSpec("the upload is a gzip without a tar inside", code="upload_unreadable")
        return _of_tar(gzip.GzipFile(fileobj=stream), room)
    if head[257:262] == b"ustar":
        return _of_tar(stream, room)
    if not head:
        raise BadSpec("the upload is empty", code="upload_unreadable")
    return iter([_Part(_ONE_FILE, head.startswith(b"#!"), stream)])


def _of_zip(stream: IO[bytes]) -> Iterator[_Part]:
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _not_a_file(info.filename, link=stat.S_ISLNK(mode))
            if info.flag_bits & 1:
                raise BadSpec(f"{_shown(info.filename)} is encrypted", code="upload_unreadable")
            if info.compress_type not in _ZIPPED:
                raise BadSpec(
                    f"{_shown(info.filename)} is neither stored nor deflated", code="upload_unreadable"
                )
            if info.is_dir():
                yield _Part(info.orig_filename, False, None)
            else:
                with archive.open(info) as content:
                    yield _Part(info.orig_filename, bool(mode & stat.S_IXUSR), content)


def _of_tar(stream: IO[bytes] | gzip.GzipFile, room: _Room) -> Iterator[_Part]:
    # counted below tarfile: it reads a long name whole, whatever size its header states
    counted = _Counted(stream, room.megabytes * _MEGABYTE + MOST_FILES * _HEADERS, room.megabytes)
    with tarfile.open(fileobj=counted, mode="r|") as archive:  # type: ignore[call-overload]  # it calls `read` alone
        for member in archive:
            if not (member.isreg() or member.isdir()):
                raise _not_a_file(member.name, link=member.issym() or member.islnk())
            content = archive.extractfile(member) if member.isreg() else None
            yield _Part(member.name, bool(member.mode & stat.S_IXUSR), content)


@attrs.define
class _Counted:
    """A stream that refuses to give more than `most` bytes."""

    stream: IO[bytes] | gzip.GzipFile
    most: int
    megabytes: int

    def read(self, size: int) -> bytes:
        data = self.stream.read(size)
        self.most -= len(data)
        if self.most < 0:
            raise BadSpec(
                f"the upload unpacks to more than {self.megabytes} megabytes", code="upload_too_large"
            )
        return data


def _not_a_file(name: str, *, link: bool) -> BadSpec:
    kind = "a link" if link else "neither a file nor a folder"
    return BadSpec(
        f"{_shown(name)} is {kind}: an entrant may have only files and folders", code="upload_link"
    )


def _write(part: _Part, place: Path, room: _Room) -> None:
    path = _within(part.name)
    if any(word in _LEFT_OUT for word in path.parts):
        return
    target = place / path
    if part.stream is None:
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        return
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with target.open("xb") as file:
            while data := part.stream.read(_CHUNK):
                room.take(len(data))
                file.write(data)
    except FileExistsError:
        raise BadSpec(f"{_shown(part.name)} is in the archive twice", code="upload_name") from None
    target.chmod(0o700 if part.runs or _begins_with_script(target) else 0o600)


def _begins_with_script(path: Path) -> bool:
    """Return whether a file begins with `#!`: archives made on Windows record no mode."""
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def _within(name: str) -> PurePosixPath:
    """Return a name as a place in the folder; raises `BadSpec` if it leads elsewhere or is not a name."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or _DRIVE.match(name):
        raise BadSpec(f"{_shown(name)} leads out of the entrant's folder", code="upload_outside")
    size = len(name.encode("utf-8", "surrogateescape"))
    if size > _LONGEST_PATH or len(path.parts) > _DEEPEST:
        text = f"{_shown(name)} has {size} bytes and {len(path.parts)} folders: at most {_LONGEST_PATH} and {_DEEPEST}"
        raise BadSpec(text, code="upload_name")
    if not name.isprintable():
        raise BadSpec(f"{_shown(name)} is not a name: it has unprintable characters", code="upload_name")
    return path


def _shown(name: str) -> str:
    return name.encode("unicode_escape", "backslashreplace").decode("ascii")[:60]


def _raise_only_folder(place: Path) -> None:
    """If everything lies in one folder, replace that folder with its contents."""
    inside = list(place.iterdir())
    if len(inside) != 1 or not inside[0].is_dir():
        return
    only = inside[0].rename(place.parent / f"{place.name}.only")
    place.rmdir()
    only.rename(place)
