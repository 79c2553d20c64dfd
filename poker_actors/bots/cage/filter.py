"""The seccomp filter of a cage: which system calls a caged program may not make, as the kernel's BPF program.

It does not use libseccomp, which is not installed everywhere: the filter is a list with five exceptions. The list
follows Docker's and flatpak's; it adds calls that could wake a stopped program, leave its process group, or hold
uncounted memory.
"""

from __future__ import annotations

import platform
import struct
from typing import Final

from poker_actors.errors import MissingFeature

FORBIDDEN: Final[dict[str, tuple[int | None, int | None]]] = {
    # other processes' memory, the kernel's own business, namespaces, mounts, clocks, keys
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
    # a program is stopped by its process group: it must not leave the group
    "setpgid": (109, 154),
    "setsid": (112, 157),
    # the kernel sends any signal at any time for these, and SIGCONT would wake a stopped program
    "mq_notify": (244, 184),
    "timer_create": (222, 107),
    # two programs that see the same file could talk by its locks
    "flock": (73, 32),
    # memory that belongs to no process, so that no limit of a process counts it
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "semget": (64, 190),
    "shmget": (29, 194),
}
"""Forbidden system calls, with their numbers on x86_64 and aarch64; None if there is no such call."""

_NEWEST: Final = 470
"""Numbers above this belong to calls newer than this list: they do not exist for a caged program."""
_CLONE: Final = (56, 220)
_CLONE3: Final = (435, 435)
_FCNTL: Final = (72, 25)
_IOCTL: Final = (16, 29)
_SOCKET: Final = (41, 198)

_NEW_NAMESPACES: Final = 0x7E020000
"""The CLONE_NEW... flags of clone."""
_F_FORBIDDEN: Final = (10, 6, 7, 37, 38, 1024)
"""Commands of fcntl: to be sent a signal of choice when a file can be read (SIGCONT would wake a stopped program); and
locks and leases, by which two programs that see the same file could talk."""
_TIOCSTI: Final = 0x5412
_TIOCLINUX: Final = 0x541C
"""ioctls that type into a terminal."""
_FAMILIES: Final = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: each reaches only what is in the cage.

AF_VSOCK, for example, leads out of a machine.
"""

_EPERM: Final = 1
_ENOSYS: Final = 38
_EAFNOSUPPORT: Final = 97

_MACHINES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine: column of the numbers, and AUDIT_ARCH of linux/audit.h."""

# linux/bpf_common.h and linux/seccomp.h
_LOAD: Final = 0x20
_EQUAL: Final = 0x15
_ABOVE: Final = 0x25
_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06
_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
_KILL: Final = 0x80000000
_NUMBER_AT: Final = 0
_MACHINE_AT: Final = 4
_ARGUMENTS_AT: Final = 16
"""Offset of the first argument in seccomp_data; its low half on these little-endian machines."""

_Row = tuple[int, int, int, int]
"""A BPF instruction: code, jump if true, jump if false, operand."""


def seccomp_filter(machine: str | None = None) -> bytes:
    """Return the filter for this machine, or `machine`, as bwrap reads it; raises `MissingFeature` for others."""
    name = platform.machine() if machine is None else machine
    if name not in _MACHINES:
        raise MissingFeature(f"a seccomp filter for {name[:40]}: a cage needs x86_64 or aarch64")
    column, audit = _MACHINES[name]
    rows: list[_Row] = [
        (_LOAD, 0, 0, _MACHINE_AT),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, _KILL),  # a 32-bit call has other numbers: the list below would not hold
        (_LOAD, 0, 0, _NUMBER_AT),
        (_ABOVE, 0, 1, _NEWEST),  # x32 calls of x86_64 are above, too
        (_RETURN, 0, 0, _ERRNO | _ENOSYS),
        # its flags lie in memory, which a filter cannot read; C libraries then call clone
        *_if(_CLONE3[column], [(_RETURN, 0, 0, _ERRNO | _ENOSYS)]),
        *_if(_CLONE[column], _argument(0, _ANY_BIT, (_NEW_NAMESPACES,), _EPERM)),
        *_if(_FCNTL[column], _argument(1, _EQUAL, _F_FORBIDDEN, _EPERM)),
        *_if(_IOCTL[column], _argument(1, _EQUAL, (_TIOCSTI, _TIOCLINUX), _EPERM)),
        *_if(_SOCKET[column], _unless(0, _FAMILIES, _EAFNOSUPPORT)),
    ]
    for numbers in FORBIDDEN.values():
        number = numbers[column]
        if number is not None:
            rows += _if(number, [(_RETURN, 0, 0, _ERRNO | _EPERM)])
    rows.append((_RETURN, 0, 0, _ALLOW))
    return b"".join([struct.pack("=HBBI", *row) for row in rows])


def _if(number: int, then: list[_Row]) -> list[_Row]:
    """Run `then`, which returns, for the call with this number."""
    return [(_EQUAL, 0, len(then), number), *then]


def _argument(index: int, test: int, values: tuple[int, ...], error: int) -> list[_Row]:
    """Fail with `error` if the argument passes `test` with one of `values`, else allow."""
    rows: list[_Row] = [(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index)]
    rows += [(test, len(values) - place, 0, each) for place, each in enumerate(values)]
    return [*rows, (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERRNO | error)]


def _unless(index: int, values: tuple[int, ...], error: int) -> list[_Row]:
    """Allow if the argument is one of `values`, else fail with `error`."""
    rows: list[_Row] = [(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index)]
    rows += [(_EQUAL, len(values) - place, 0, each) for place, each in enumerate(values)]
    return [*rows, (_RETURN, 0, 0, _ERRNO | error), (_RETURN, 0, 0, _ALLOW)]
