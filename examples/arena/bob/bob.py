#!/usr/bin/env python3
"""A program in Python, which needs nothing of poker_actors: raises the minimum, now and then, and calls small bets."""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "version": 1, "name": "bob"}), flush=True)
        continue
    legal, luck = message["legal"], random.Random(message["seed"])
    raising = [act for act in ("bet", "raise_to") if act in legal]
    if raising and luck.random() < 0.25:
        answer = {"act": raising[0], "amount": legal[raising[0]][0]}
    elif legal["check"]:
        answer = {"act": "check"}
    else:
        answer = {"act": "call" if message["to_call"] <= message["pot"] / 2 else "fold"}
    print(json.dumps(answer), flush=True)
