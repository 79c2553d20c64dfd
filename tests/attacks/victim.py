"""Who is attacked: a process with secrets in its arguments, environment, memory and open files, and ears for notes.

Started with `--secret TOKEN SECRET_FILE NOTES`; prints where the secret lies in its memory, and writes a file into NOTES for
whatever reaches it: a signal, or a connection to one of its sockets.
"""

import ctypes
import json
import os
import signal
import socket
import sys
import threading
from pathlib import Path

token, place, notes = sys.argv[2].encode(), sys.argv[3], Path(sys.argv[4])
held = ctypes.create_string_buffer(token)
opened = os.open(place, os.O_RDONLY)


def heard(what: str) -> None:
    (notes / what).write_text("heard", encoding="utf-8")


def listen(kind: int, address: object, what: str) -> object:
    server = socket.socket(kind)
    server.bind(address)  # type: ignore[arg-type]  # a path, a name or a port
    server.listen()

    def wait() -> None:
        while True:
            connection = server.accept()[0]
            heard(what)
            connection.close()  # whoever waits for the end knows that the note is there

    threading.Thread(target=wait, daemon=True).start()
    return server.getsockname()


signal.signal(signal.SIGUSR1, lambda *_: heard("signal"))
port = listen(socket.AF_INET, ("127.0.0.1", 0), "port")[1]  # type: ignore[index]  # an address and a port
listen(socket.AF_UNIX, f"\0poker-actors-{os.getpid()}", "name")
listen(socket.AF_UNIX, str(notes / "socket"), "socket_file")
at = {"pid": os.getpid(), "address": ctypes.addressof(held), "size": len(token), "fd": opened, "port": port}
print(json.dumps(at), flush=True)
while (
    sys.stdin.readline()
):  # until whoever started it closes it; an answer says that signals before it were heard
    print(flush=True)
