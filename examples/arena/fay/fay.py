#!/usr/bin/env python3
"""A program that crashes: in the middle of its matches, for a reason that its author finds in the match's log."""

import json
import sys

SEEN: list[int] = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "version": 1, "name": "fay"}), flush=True)
        continue
    if message["hand"] >= 60:
        SEEN[message["hand"]] += 1  # was meant to be a dictionary
    print(json.dumps({"act": "check" if message["legal"]["check"] else "fold"}), flush=True)
