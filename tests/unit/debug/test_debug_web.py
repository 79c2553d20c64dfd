"""The debugger in a browser: the exported page, served, with the terminal's commands; nobody else gets in."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from poker_actors.debug import Stepper, page
from poker_actors.debug.web import PageServer, _Handler


class Served:
    """A session that is served, and a browser's requests to it."""

    def __init__(self) -> None:
        self.server = PageServer(Stepper(seed=7))
        self.thread = threading.Thread(target=self.server.serve)
        self.thread.start()

    def ask(
        self, method: str = "GET", path: str | None = None, body: bytes | None = None, **headers: str
    ) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self.server.host, timeout=60)
        connection.request(method, self.server.path if path is None else path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def do(self, at: int, line: str) -> Any:
        body = json.dumps({"at": at, "line": line}).encode()
        status, text = self.ask("POST", f"{self.server.path}do", body)
        assert status == 200, text
        return json.loads(text)


@pytest.fixture
def served() -> Iterator[Served]:
    found = Served()
    yield found
    if found.thread.is_alive():
        found.server.close()
        found.thread.join()


def test_the_page_is_the_one_that_is_exported_and_its_commands_are_the_terminals(served: Served) -> None:
    status, text = served.ask()
    assert status == 200
    with Stepper(seed=7) as stepper:
        exported = page(stepper)
        data = exported.partition('type="application/json">')[2].partition("</script>")[0]
        assert data in text
        assert "connect-src" not in exported, "a page that is sent asks nobody for anything"
    assert 'id="command"' in text
    assert 'id="command"' not in exported
    assert "connect-src 'self'" in text
    answer = served.do(0, "n 12")
    assert (answer["at"], answer["other"]) == (12, False)
    assert answer["said"][-1].lstrip().startswith("next:")
    assert served.do(30, "back 3")["at"] == 27, "commands start where the page stands"
    assert "|| 0, 27);" in served.ask()[1]
    assert served.do(30, "why pot")["said"][0].startswith("pot is ")
    assert "there is no command" in served.do(3, "nonsense")["said"][0]
    forked = served.do(30, "fork fold")
    assert forked["other"], "the page has to be fetched again"
    assert served.ask()[1] != text
    assert served.do(0, "q")["said"] == ["the debugger has ended"]
    served.thread.join()


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/", {}),
        ("GET", "/x/", {}),
        ("GET", None, {"Host": "evil.example:80"}),
        ("POST", None, {}),
        ("POST", "do", {"Origin": "http://evil.example"}),
        ("POST", "do", {"Host": "evil.example"}),
    ],
)
def test_nobody_gets_in_without_the_secret_nor_a_page_of_elsewhere(
    served: Served, method: str, path: str | None, headers: dict[str, str]
) -> None:
    place = f"{served.server.path}do" if path == "do" else path
    status, text = served.ask(method, place, b'{"at": 0, "line": "n"}', **headers)
    assert (status, text) == (404, "there is nothing here")


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"[" * 4000, b'{"at": "1", "line": "n"}', b'{"at": 1}', b"\xff"]
)
def test_what_is_no_command_is_refused(served: Served, body: bytes) -> None:
    assert served.ask("POST", f"{served.server.path}do", body)[0] == 400
    assert served.do(0, "n")["at"] == 1


def test_a_notebook_shows_the_page_with_its_slider() -> None:
    with Stepper(seed=7) as stepper:
        shown = page(stepper)._repr_html_()  # type: ignore[attr-defined]
    assert shown.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert "type=&quot;range&quot;" in shown


@pytest.mark.parametrize("length", ["9" * 5000, "99999999999", "65537"])
def test_a_body_declared_too_long_is_refused_unread(served: Served, length: str) -> None:
    assert served.ask("POST", "/x/", b"", **{"Content-Length": length})[0] == 404
    status, text = served.ask("POST", f"{served.server.path}do", b"", **{"Content-Length": length})
    assert (status, text) == (413, f"a command has at most 4096 bytes, but this one has {length[:10]}")


def test_q_is_answered_before_the_server_ends(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    closing = threading.Event()
    answer, close = _Handler._answer, PageServer.close

    def slow(self: _Handler, status: int, kind: str, body: bytes) -> None:
        assert not closing.wait(0.3), "the process may end before the browser has its answer"
        answer(self, status, kind, body)

    def noted(self: PageServer) -> None:
        closing.set()
        close(self)

    monkeypatch.setattr(_Handler, "_answer", slow)
    monkeypatch.setattr(PageServer, "close", noted)
    assert served.do(0, "q")["said"] == ["the debugger has ended"]
    served.thread.join(10)
    assert not served.thread.is_alive()
