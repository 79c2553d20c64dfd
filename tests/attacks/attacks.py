"""Attacks of a bot on the machine it plays on: what each does, and how its success is seen from outside.

The source of an attack is the body of a function that knows `at`, a dict of what is attacked (see `arena.py`), and what it
gets at it prints with `got(...)`. Success is a fact outside the bot: the secret in what it printed, a file that is there,
a note that the victim took.
"""

from __future__ import annotations

import attrs

__all__ = ["ATTACKS", "LOADED", "Attack"]

LOADED = 20
"""Processes that a caged program of these tests may have."""


@attrs.frozen
class Attack:
    """One attack; `seen` says how its success is seen: a name of `Seen` in `arena.py`, or a file below the folder."""

    name: str
    seen: str
    source: str


_LIBC = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"

ATTACKS = (
    # -- reading ---------------------------------------------------------------------------------
    Attack("read a file of the home", "secret", "got(open(at['home'] + '/secret').read())"),
    Attack("read the opponent's program", "secret", "got(open(at['opponent'] + '/bot.py').read())"),
    Attack("read the file beside its own program", "secret", "got(open(at['beside']).read())"),
    Attack("read the users of the machine", "users", "got(open('/etc/passwd').read())"),
    Attack("follow a symbolic link out of its folder", "secret", "got(open(at['folder'] + '/link').read())"),
    Attack(
        "go through the root of another process",
        "secret",
        "got(open(f\"/proc/{at['pid']}/root{at['home']}/secret\").read())",
    ),
    Attack(
        "read a file that another process holds open",
        "secret",
        "got(open(f\"/proc/{at['pid']}/fd/{at['fd']}\").read())",
    ),
    # -- what others know ------------------------------------------------------------------------
    Attack("read the environment it is started from", "secret", "got(os.environ['TOP_SECRET'])"),
    Attack(
        "read another process's environment", "secret", "got(open(f\"/proc/{at['pid']}/environ\").read())"
    ),
    Attack("read another process's arguments", "secret", "got(open(f\"/proc/{at['pid']}/cmdline\").read())"),
    Attack(
        "read another process's memory by its file",
        "secret",
        "with open(f\"/proc/{at['pid']}/mem\", 'rb') as memory:\n"
        "    memory.seek(at['address'])\n    got(memory.read(at['size']).decode())",
    ),
    Attack(
        "read another process's memory by a system call",
        "secret",
        _LIBC
        + "class Part(ctypes.Structure): _fields_ = [('at', ctypes.c_void_p), ('size', ctypes.c_size_t)]\n"
        "buffer = ctypes.create_string_buffer(at['size'])\n"
        "here, there = Part(ctypes.addressof(buffer), at['size']), Part(at['address'], at['size'])\n"
        "libc.process_vm_readv(at['pid'], ctypes.byref(here), 1, ctypes.byref(there), 1, 0)\n"
        "got(buffer.value.decode())",
    ),
    Attack(
        "trace another process",
        "yes",
        _LIBC + "libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]\n"
        "if libc.ptrace(0x4206, at['pid'], None, None) == 0: got('yes')",  # PTRACE_SEIZE
    ),
    Attack("list the processes of the machine", "pid", "got(' '.join(os.listdir('/proc')))"),
    Attack(
        "clock how long the opponent has thought",
        "ticks",
        "got('ticks ' + open(f\"/proc/{at['pid']}/stat\").read().split()[13])",
    ),
    # -- writing, and notes to a partner ---------------------------------------------------------
    Attack("write into its own folder, for the next match", "bots/mine/note", "put(at['folder'] + '/note')"),
    Attack("write into the opponent's folder", "bots/other/note", "put(at['opponent'] + '/note')"),
    Attack("leave a file in /tmp", "tmp", "put(at['tmp'])"),
    Attack("leave a file in shared memory", "shm", "put(at['shm'])"),
    Attack(
        "leave a System V segment",
        "segment",
        _LIBC + "libc.shmget(at['key'], 4096, 0o1666)",
    ),
    Attack(
        "hold a lock on a file that its partner sees, too",
        "lock",
        "import fcntl\nkept = open('/usr/bin/env')\nfcntl.flock(kept, fcntl.LOCK_EX | fcntl.LOCK_NB)\nkeep(kept)",
    ),
    Attack("send another process a signal", "notes/signal", "os.kill(at['pid'], signal.SIGUSR1)"),
    Attack(
        "connect to a port of the machine",
        "notes/port",
        "socket.create_connection(('127.0.0.1', at['port']), timeout=5).recv(1)",
    ),
    Attack(
        "connect to a name of the machine",
        "notes/name",
        "end = socket.socket(socket.AF_UNIX); end.connect(f\"\\0poker-actors-{at['pid']}\"); end.recv(1)",
    ),
    Attack(
        "connect to a socket file",
        "notes/socket_file",
        "end = socket.socket(socket.AF_UNIX); end.connect(at['notes'] + '/socket'); end.recv(1)",
    ),
    Attack(
        "mount something in namespaces of its own",
        "yes",
        _LIBC
        + "if libc.unshare(0x10020000) == 0 and libc.mount(b'x', b'/mnt', b'tmpfs', 0, None) == 0: got('yes')",
    ),
    # -- using the machine up --------------------------------------------------------------------
    Attack(
        "fork without end",
        "many",
        "children = []\n"
        "try:\n"
        "    while len(children) < 60:\n"
        "        pid = os.fork()\n"
        "        if not pid: signal.pause()\n"
        "        children.append(pid)\n"
        "finally:\n"
        "    got(f'many {len(children)}')\n"
        "    for pid in children: os.kill(pid, signal.SIGKILL)",
    ),
    Attack(
        "take memory that no process owns",
        "much",
        "held = os.memfd_create('x')\nfor _ in range(80): os.write(held, bytes(1 << 20))\ngot('much')",
    ),
    Attack(
        "take memory beyond its limit, by several processes",
        "much",
        # each says twice that it holds its share, the second time when all have said so once: one that the kernel
        # killed for another's sake has held it, but not with the others
        "asked, ask = os.pipe()\n"
        "halves = []\n"
        "for _ in range(4):\n"
        "    end, other = os.pipe()\n"
        "    if not os.fork():\n"
        "        os.close(ask); held = bytearray(100 << 20); os.write(other, b'!')\n"
        "        os.read(asked, 1); os.write(other, b'!'); signal.pause()\n"
        "    os.close(other); halves.append(end)\n"
        "if all(os.read(end, 1) for end in halves):\n"
        "    time.sleep(1)  # where no control group counts, somebody looks every tenth of a second\n"
        "    os.close(ask)\n"
        "    if all(os.read(end, 1) for end in halves): got('much')",
    ),
    Attack(
        "fill the disk",
        "much",
        "with open(at['fill'], 'wb') as file:\n    for _ in range(80): file.write(bytes(1 << 20))\ngot('much')",
    ),
    # -- time that is not its own ----------------------------------------------------------------
    Attack(
        "think on the opponent's time",
        "thought",
        "thread = threading.Thread(target=think, daemon=True)\nthread.start()",
    ),
    Attack(
        "think on the opponent's time in a session of its own",
        "thought",
        "if not os.fork():\n    leave(); think(); os._exit(0)",
    ),
    Attack(
        "outlive the match",
        "alive",
        "if not os.fork():\n"
        "    leave()\n"
        "    held = os.open(at['fifo'], os.O_WRONLY)\n"
        "    for number in (0, 1, 2): os.close(number)\n"
        "    while True: os.write(held, b'!'); time.sleep(.1)",  # until nobody reads any more
    ),
)
"""Every attack of a program; those of a build and of a bot in our own process are in `arena.py`."""
