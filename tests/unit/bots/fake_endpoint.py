"""A server of chat completions on loopback that plays, and is slow, wrong, rate-limited or cut off when told to be."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

Messages = list[dict[str, str]]


def stay(messages: Messages) -> str:
    """Check or call, as the legal actions say."""
    legal = messages[1]["content"].rpartition("Legal: ")[2]
    return "action: call" if "call" in legal else "action: check"


class Respond:
    """How one request is answered: bytes of a body, headers and a status; `cut` sends half of the body and hangs up."""

    def __init__(
        self, body: object, status: int = 200, headers: Mapping[str, str] | None = None, *, cut: bool = False
    ) -> None:
        self.body: Final = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status: Final = status
        self.headers: Final = dict(headers or {})
        self.cut: Final = cut

    def bytes(self) -> bytes:
        length = len(self.body)
        lines = {"Content-Type": "application/json", "Content-Length": str(length), **self.headers}
        head = f"HTTP/1.1 {self.status} So\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in lines.items()
        )
        return head.encode() + b"\r\n" + (self.body[: length // 2] if self.cut else self.body)


def completion(text: str | None, *, end: str = "stop", refusal: str | None = None) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": refusal}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "any",
        "choices": [{"index": 0, "finish_reason": end, "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


def answered(text: str) -> Respond:
    return Respond(completion(text))


def limited_by(seconds: str) -> Respond:
    return Respond({"error": {"message": "slow down"}}, 429, {"Retry-After": seconds})


def error(status: int, message: str) -> Respond:
    return Respond({"error": {"message": message}}, status, {"Retry-After": "0"})


class FakeEndpoint:
    """Serves on a free port for a `with` block. `told` are the requests: messages and headers.

    `says` gives the answer's text, or a `Respond`, for each. Request number `hold` (from 0) waits, once `held` is set,
    until the end of the block or `release`.
    """

    def __init__(self, says: Callable[[Messages], str | Respond] = stay, hold: int | None = None) -> None:
        self.told: list[tuple[dict[str, Any], dict[str, str]]] = []
        self.says = says
        self.hold = hold
        self.held = threading.Event()
        self.release = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.endpoint = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def bot(self, **settings: object) -> str:
        given = ",".join(f"{name}={value}" for name, value in settings.items())
        return f"model:{given}{':' if given else ''}{self.url}#any"

    @property
    def prompts(self) -> list[str]:
        return [body["messages"][1]["content"] for body, _ in self.told]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failed: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()  # waits for its threads: who keeps a connection open keeps the test from ending

    def respond(self, body: dict[str, Any], headers: dict[str, str]) -> bytes:
        with self._lock:
            number = len(self.told)
            self.told.append((body, headers))
        if number == self.hold:
            self.held.set()
            self.release.wait()
        said = self.says(body["messages"])
        return (said if isinstance(said, Respond) else answered(said)).bytes()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    endpoint: FakeEndpoint

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over clients that have gone: some are killed."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *words: object) -> None:
        """Log nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = self.server.endpoint.respond(body, dict(self.headers))
        self.wfile.write(said)  # at once: two small writes wait for each other's acknowledgement
        length = re.search(rb"Content-Length: (\d+)", said)
        assert length is not None
        self.close_connection = len(said.partition(b"\r\n\r\n")[2]) != int(length[1])


class Flood:
    """Listens on loopback and answers each connection with `head`, then `chunk` for ever; `sent` are its bytes so far."""

    def __init__(self, head: bytes, chunk: bytes, pause: float = 0.0) -> None:
        self.sent = 0
        self._head, self._chunk, self._pause = head, chunk, pause
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        with suppress(OSError):  # whoever asked has gone
            while True:
                connection = self._listener.accept()[0]
                with connection, suppress(OSError):
                    connection.recv(1 << 16)
                    connection.sendall(b"HTTP/1.1 " + self._head.replace(b"PLACE", self.url.encode()))
                    while not self._over.wait(self._pause):
                        connection.sendall(self._chunk)
                        self.sent += len(self._chunk)


class Moody:
    """Plays by a hash of its prompt, and is wrong, rate-limited and cut off now and then: the same in every run."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def __call__(self, messages: Messages) -> str | Respond:
        prompt = messages[1]["content"]
        number = blake2b(prompt.encode(), digest_size=1).digest()[0]
        first = prompt not in self._seen
        self._seen.add(prompt)
        if first and number % 5 == 0:
            return limited_by("0") if number % 2 else Respond(completion("action: fold"), cut=True)
        if len(messages) == 2 and number % 7 == 0:
            return "I would rather not say."
        if len(messages) == 2 and number % 7 == 1:
            return "action: raise_to 1"
        if number % 7 == 2:
            return "Hm.\naction: bet a lot"
        if number % 3 == 0:
            return "**action: all_in**"
        return stay(messages)
