"""What a stranger hands in: unpacked within limits and nowhere else, or refused by a stable code with value and limit."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from poker_actors.arena.uploads import unpack
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.server.http import Limits
from poker_actors.server.live.arena import LiveArena, own_part


def zipped(
    *names: str, content: bytes = b"x", mode: int = 0o100644, kind: int = zipfile.ZIP_DEFLATED
) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = kind
            archive.writestr(info, content)
    return made.getvalue()


def encrypted(data: bytes) -> bytes:
    """Set the flag of an encrypted file, in its own header and in the directory."""
    found = bytearray(data)
    found[6] |= 1
    found[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(found)


def tarred(name: str, kind: bytes = tarfile.REGTYPE, content: bytes = b"x") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "/etc/passwd"
        member.size = len(content) if kind in (tarfile.REGTYPE, tarfile.GNUTYPE_LONGNAME) else 0
        archive.addfile(member, io.BytesIO(content))
    return gzip.compress(made.getvalue(), mtime=0)  # the same bytes, and name of the test, in every process


def unpacked(tmp_path: Path, data: bytes) -> Path:
    (tmp_path / "upload").write_bytes(data)
    unpack(tmp_path / "upload", tmp_path / "in" / "files", 1)
    return tmp_path / "in" / "files"


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (zipped("a", content=bytes(2 << 20)), "upload_too_large", "more than 1 megabytes"),
        (tarred("a", content=bytes(2 << 20)), "upload_too_large", "more than 1 megabytes"),
        (
            tarred("a", tarfile.GNUTYPE_LONGNAME, b"a" * (20 << 20)),
            "upload_too_large",
            "more than 1 megabytes",
        ),
        (
            gzip.compress(bytes(257) + b"ustar" + bytes(20 << 20), mtime=0),
            "upload_unreadable",
            "cannot be read",
        ),
        (zipped(*map(str, range(2_001))), "upload_too_many_files", "more than 2,000 files"),
        (zipped("/etc/x"), "upload_outside", "/etc/x leads out"),
        (zipped("a/../../x"), "upload_outside", "leads out"),
        (zipped("a\\..\\x"), "upload_outside", "leads out"),
        (zipped("C:x"), "upload_outside", "leads out"),
        (tarred("../x"), "upload_outside", "leads out"),
        (zipped("a" * 201), "upload_name", "201 bytes and 1 folders: at most 200 and 16"),
        (zipped("/".join("a" * 17)), "upload_name", "17 folders"),
        (zipped("a\nb"), "upload_name", "unprintable characters"),
        (zipped("a", "b/a", "b/./a"), "upload_name", "twice"),
        (zipped("a", mode=0o120777), "upload_link", "a is a link"),
        (tarred("a", tarfile.SYMTYPE), "upload_link", "a is a link"),
        (tarred("a", tarfile.LNKTYPE), "upload_link", "a is a link"),
        (tarred("a", tarfile.FIFOTYPE), "upload_link", "neither a file nor a folder"),
        (zipped(), "upload_unreadable", "empty"),
        (b"", "upload_unreadable", "empty"),
        (b"PK\x03\x04 and no more", "upload_unreadable", "cannot be read"),
        (gzip.compress(b"no tar", mtime=0), "upload_unreadable", "without a tar inside"),
        (encrypted(zipped("a")), "upload_unreadable", "a is encrypted"),
        (zipped("a", kind=zipfile.ZIP_BZIP2), "upload_unreadable", "a is neither stored nor deflated"),
    ],
)
def test_what_is_no_entrant_is_refused_by_a_code(tmp_path: Path, data: bytes, code: str, words: str) -> None:
    with pytest.raises(BadSpec, match=words) as refused:
        unpacked(tmp_path, data)
    assert refused.value.code == code
    assert {path.name for path in tmp_path.iterdir()} <= {"upload", "in"}, "nothing lies elsewhere"


def test_an_archive_of_a_folder_is_its_content_and_keeps_what_runs(tmp_path: Path) -> None:
    files = unpacked(tmp_path, zipped("me/run", "me/lib/a", "__MACOSX/b", content=b"#!x", mode=0o100644))
    assert sorted(path.relative_to(files).as_posix() for path in files.rglob("*")) == ["lib", "lib/a", "run"]
    assert (files / "run").stat().st_mode & 0o700 == 0o700


def test_two_folders_stay_two_and_an_empty_one_and_what_runs_are_kept(tmp_path: Path) -> None:
    files = unpacked(tmp_path, zipped("one/a", "two/", "two/b", mode=0o100755))
    assert sorted(path.relative_to(files).as_posix() for path in files.rglob("*")) == [
        "one",
        "one/a",
        "two",
        "two/b",
    ]
    assert (files / "one/a").stat().st_mode & 0o777 == 0o700, "no script, but it runs"


def test_a_tar_is_read_compressed_and_not_with_its_folders(tmp_path: Path) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        folder, member = tarfile.TarInfo("lib"), tarfile.TarInfo("lib/a")
        folder.type, member.size = tarfile.DIRTYPE, 1
        archive.addfile(folder)
        archive.addfile(member, io.BytesIO(b"x"))
        archive.addfile(tarfile.TarInfo("b"))
    for number, data in enumerate((made.getvalue(), gzip.compress(made.getvalue()))):
        place = tmp_path / str(number)
        place.mkdir()
        assert (unpacked(place, data) / "lib/a").read_bytes() == b"x"


def test_a_single_file_is_a_bot(tmp_path: Path) -> None:
    assert (unpacked(tmp_path, b"def bot(view): ...") / "bot.py").read_text() == "def bot(view): ..."


def test_an_owner_reads_its_own_part_of_a_log() -> None:
    log = "ann - bob: 2 hands\ndigest 1\nann: +2 chips\n  | ann: -1\n  | secret\nbob: -2 chips\n  | mine\nann: again\n  | no\n"
    assert own_part(log, ["bob"]) == "ann - bob: 2 hands\ndigest 1\nbob: -2 chips\n  | mine\n"
    assert "no" not in own_part(log, ["ann"])


@pytest.mark.parametrize(
    "name",
    ["arena.toml", "Arena.toml", "mine.py", "kim", "KIM", "k\u0456m", "kim ", "tight", "adaptive", "dealer"],
)
def test_an_upload_takes_the_place_of_nothing_that_is_not_its_users(tmp_path: Path, name: str) -> None:
    (tmp_path / "arena.toml").write_text('cage = false\nhouse = ["tight"]\n', encoding="utf-8")
    (tmp_path / "mine.py").write_text("", encoding="utf-8")
    (tmp_path / "kim").mkdir()
    arena = LiveArena(tmp_path, 1, Limits())
    arena.check_name("lee", owned=False, others=[])
    arena.check_name("kim", owned=True, others=[])
    with pytest.raises(TableRefusal) as refused:
        arena.check_name(name, owned=False, others=[])
    assert refused.value.code == "name_taken"


@pytest.mark.parametrize("name", ["", ".arena", "__pycache__", "../kim", "a/b", "a" * 41, "\u202ekim"])
def test_an_upload_needs_a_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "arena.toml").write_text("cage = false\n", encoding="utf-8")
    with pytest.raises(BadSpec) as refused:
        LiveArena(tmp_path, 1, Limits()).check_name(name, owned=False, others=[])
    assert refused.value.code == "upload_name"


def test_a_start_after_an_end_in_the_middle_puts_the_last_version_back(tmp_path: Path) -> None:
    (tmp_path / "arena.toml").write_text("cage = false\n", encoding="utf-8")
    for place in ("replaced/kim", "replaced/lee", "uploads/0123"):
        (tmp_path / ".arena" / place).mkdir(parents=True)
        (tmp_path / ".arena" / place / "bot.py").write_text("old", encoding="utf-8")
    (tmp_path / "lee").mkdir()
    (tmp_path / "lee/bot.py").write_text("new", encoding="utf-8")
    arena = LiveArena(tmp_path, 1, Limits())
    told = arena.upload_of("kim")
    assert told is not None
    assert (told.stage, "hand it in again" in told.text) == ("failed", True)
    arena._clear_up()
    assert arena.upload_of("kim") is None
    assert [(tmp_path / name / "bot.py").read_text() for name in ("kim", "lee")] == ["old", "new"]
    assert [path.name for path in (tmp_path / ".arena").iterdir()] == []
