"""Output files: replaced whole, and what is no ordinary file is written to as a shell does."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from poker_actors.atomic import replacing
from poker_actors.cli import main

SIMULATE = ["simulate", "--bot", "tight", "--bot", "caller", "--hands", "4", "--seed", "3"]
OUTPUTS = {
    "--json": "result.json",
    "--jsonl": "hands.jsonl",
    "--history": "kept.jsonl",
    "--phh": "hands.phhs",
    "--parquet": "hands.parquet",
    "--report": "page.html",
    "--plot": "picture.svg",
    "--paper": "tables.tex",
}
"""Every option of `simulate` that writes a file."""


def write(path: Path, text: str) -> None:
    with replacing(path) as stream:
        stream.write(text)


def listening(pipe: Path) -> Callable[[], bytes]:
    """Read a pipe to its end in a thread; return the function that waits for what came."""
    came: list[bytes] = []
    reader = threading.Thread(target=lambda: came.append(pipe.read_bytes()))
    reader.start()

    def result() -> bytes:
        reader.join(timeout=60)
        return came[0]

    return result


def test_a_link_stays_a_link_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "file").write_text("old", encoding="utf-8")
    (tmp_path / "middle").symlink_to("far/file")
    (tmp_path / "link").symlink_to("middle")
    write(tmp_path / "link", "new")
    assert (tmp_path / "far" / "file").read_text(encoding="utf-8") == "new"
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "middle").is_symlink()
    assert list((tmp_path / "far").iterdir()) == [tmp_path / "far" / "file"]


def test_a_link_to_nothing_makes_the_file_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "new"


def test_a_link_to_itself_is_refused_as_open_does(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("link")
    with pytest.raises((OSError, RuntimeError), match=r"symbolic links|Symlink loop"):
        write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    came = listening(pipe)
    write(pipe, "new")
    assert came() == b"new"
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        device.write_text("", encoding="utf-8")
    except PermissionError:
        pytest.skip("devices cannot be made or used here")
    write(device, "new")
    assert stat.S_ISCHR(device.lstat().st_mode)
    assert list(tmp_path.iterdir()) == [device]


def test_a_device_stays_when_writing_fails(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    came = listening(pipe)
    with pytest.raises(KeyboardInterrupt), replacing(pipe):
        raise KeyboardInterrupt
    assert came() == b""
    assert pipe.exists()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_a_descriptor_that_is_open_on_a_file_is_written_to(name: str, tmp_path: Path) -> None:
    if not Path(name).exists():
        pytest.skip(f"there is no {name}")
    script = (
        "import sys; from pathlib import Path; from poker_actors.atomic import replacing\n"
        f"with replacing(Path({name!r})) as stream: stream.write('new')"
    )
    out = tmp_path / "out"
    with out.open("wb") as stream:
        subprocess.run([sys.executable, "-c", script], stdout=stream, check=True)
        assert os.fstat(stream.fileno()).st_ino == out.stat().st_ino
    assert out.read_text(encoding="utf-8") == "new"


def test_a_full_disk_is_told_with_the_file_that_found_no_room(small_disk: Path) -> None:
    target = small_disk / "hands.txt"
    with pytest.raises(OSError, match="No space left on device") as full, replacing(target) as stream:
        stream.write("x" * (1 << 20))
    assert full.value.filename == str(target)
    assert not list(small_disk.glob("*.part"))


@pytest.mark.parametrize("error", [OSError(errno.EPIPE, "gone"), OSError(errno.ENOSPC, "gone", "elsewhere")])
def test_an_error_that_is_not_of_this_files_room_keeps_what_it_says(error: OSError, tmp_path: Path) -> None:
    told = error.filename
    with pytest.raises(OSError, match="gone"), replacing(tmp_path / "hands.txt"):
        raise error
    assert error.filename == told


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    write(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("option", OUTPUTS)
def test_a_bot_of_a_file_whose_name_is_no_text_is_written_escaped(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "m\udcff.py"
    place.write_text("from poker_actors import Fold\ndef mine(view):\n    return Fold()\n", encoding="utf-8")
    target = tmp_path / OUTPUTS[option]
    bots = ["--bot", f"{place}:mine", "--bot", "caller"]
    status = main(["simulate", *bots, "--hands", "4", "--seed", "3", option, str(target)])
    if option == "--phh":
        assert (status, target.exists()) == (2, False), "TOML cannot hold it"
        assert "which is not a character" in capsys.readouterr().err
        return
    assert (status, target.exists()) == (0, True)
    if option == "--json":
        assert json.loads(target.read_text(encoding="utf-8"))["players"][0]["bot"] == f"{place}:mine"
    if option == "--jsonl":
        with target.open(encoding="utf-8") as lines:
            assert f"{place}:mine" in json.loads(next(lines))["bots"]


def test_a_folder_is_refused_as_open_does(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write(tmp_path, "new")
    assert list(tmp_path.iterdir()) == []


def test_every_output_of_simulate_follows_links(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    words = list(SIMULATE)
    for option, name in OUTPUTS.items():
        (tmp_path / name).symlink_to(Path("far") / name)
        words += [option, str(tmp_path / name)]
    (tmp_path / "hands.actions.parquet").symlink_to("far/hands.actions.parquet")
    assert main(words) == 0
    names = {*OUTPUTS.values(), "hands.actions.parquet"}
    assert all((tmp_path / name).is_symlink() for name in names)
    assert {path.name for path in (tmp_path / "far").iterdir()} == names
    assert {path.name for path in tmp_path.iterdir()} == names | {"far"}
    assert all((tmp_path / "far" / name).stat().st_size for name in names)


@pytest.mark.parametrize("option", OUTPUTS)
def test_every_output_of_simulate_goes_into_a_pipe(option: str, tmp_path: Path) -> None:
    pipes = [tmp_path / OUTPUTS[option]]
    if option == "--parquet":
        pipes.append(tmp_path / "hands.actions.parquet")
    came = []
    for pipe in pipes:
        os.mkfifo(pipe)
        came.append(listening(pipe))
    assert main([*SIMULATE, option, str(pipes[0])]) == 0
    assert all(result() for result in came)
    assert all(stat.S_ISFIFO(pipe.lstat().st_mode) for pipe in pipes)
    assert sorted(tmp_path.iterdir()) == sorted(pipes)


def test_every_option_of_simulate_that_writes_is_tried_here() -> None:
    from poker_actors.cli.commands import described

    written = {one["name"] for one in described("simulate")["options"] if "written" in one}
    assert written - {"--data"} == set(OUTPUTS)
