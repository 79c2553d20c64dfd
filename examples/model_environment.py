"""An environment as trainers of language models know it: tasks, a rollout by a model at an endpoint, a reward.

A task is a deal, its rollout the talk of that hand, its reward the big blinds won. The model is a server of this program's
own, so no network is needed: give the URL and the name of yours instead.
"""

import json
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from poker_actors.bots.awaiting import read_transcript
from poker_actors.sim import Match, play_hand


def rollout(model: str, opponents: list[str], task: int) -> dict[str, Any]:
    """Play deal number `task` with `model`, written URL#NAME; return what was said and what it was worth."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        match = Match.of([f"model:log={log}:{model}", *opponents], hands=task + 1, seed=4)
        hand, seated = play_hand(match, task)
        said = list(read_transcript(log))
    return {
        "prompt": said[0].prompt if said else "",
        "messages": [{"role": role, "content": text} for one in said for role, text in one.talk],
        "failures": [one.failure for one in said if one.failure],
        "reward": hand.payoffs[seated.index(0)] / hand.stakes.big_blind,
    }


class Model(BaseHTTPRequestHandler):
    """Stands in for a model: thinks aloud on the river, and else checks and calls."""

    def do_POST(self) -> None:
        """Answer a request for a chat completion."""
        talk = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
        stay = "action: call" if ", call" in talk[1]["content"] else "action: check"
        text = "Let me think." if "River" in talk[-1]["content"] else stay
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        body = json.dumps({"id": "1", "object": "chat.completion", "choices": [choice]}).encode()
        self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + body)

    def log_message(self, *words: object) -> None:
        """Log nothing."""


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for task in range(4):
            done = rollout(f"http://127.0.0.1:{server.server_port}/v1#any", ["tight", "maniac"], task)
            words = ", ".join(done["failures"]) or "no failures"
            print(f"task {task}: {len(done['messages'])} messages, {words}, reward {done['reward']:+g}")
            if not task:
                print(done["prompt"])
        server.shutdown()
