#!/usr/bin/env python3
"""A program that cheats: looks for the decks and for the others' files, and bets what it does not have."""

import json
import socket
import sys
from contextlib import suppress
from pathlib import Path

FOUND = []
for place in ("..", "../..", "../../..", "/home", "/root"):
    with suppress(OSError):
        FOUND += [path.name for path in Path(place).iterdir() if path.suffix in (".db", ".py", ".toml")]
with suppress(OSError):
    socket.create_connection(("127.0.0.1", 22), timeout=0.1).close()
    FOUND.append("the network")
print("found:", FOUND or "nothing", file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "version": 1, "name": "gus"}
    elif message["hand"] % 4 == 0:
        answer = {"act": "raise_to", "amount": 10**9}
    else:
        answer = {"act": "check" if message["legal"]["check"] else "fold"}
    print(json.dumps(answer), flush=True)
