"""The page's files: which there are, how they are sent, and what none of them may hold."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import pytest
from starlette.routing import Router

from poker_actors.server.page import HEADERS, add_page, assets

SCRIPTS = sorted(path for path in assets() if path.endswith(".js"))
TEXTS = sorted(path for path in assets() if not path.endswith(".png"))


def asked(path: str, **headers: str) -> tuple[int, Mapping[str, str], bytes]:
    """Ask an application that has the page: status, headers and body."""
    app = Router()
    add_page(app)
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": named,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    asyncio.run(app(scope, receive, send))
    received = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], received, b"".join(one.get("body", b"") for one in sent[1:])


def test_the_page_is_sent_with_a_policy_that_lets_nothing_else_in() -> None:
    status, headers, body = asked("/")
    assert status == 200
    assert body == assets()["index.html"].body
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert headers["content-security-policy"].startswith("default-src 'self';")
    assert "unsafe" not in headers["content-security-policy"]
    assert set(HEADERS.items()) <= set(headers.items())


def test_who_has_a_file_is_not_sent_it_again() -> None:
    _, headers, body = asked("/static/js/main.js")
    assert body
    status, again, nothing = asked("/static/js/main.js", if_none_match=headers["etag"])
    assert (status, nothing, again["etag"]) == (304, b"", headers["etag"])
    assert asked("/static/js/main.js", if_none_match='"another"')[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static/js",
        "/static/js/",
        "/static/../__init__.py",
        "/static/..%2fassets.py",
        "/static//etc/passwd",
    ],
)
def test_nothing_is_found_but_the_page(path: str) -> None:
    status, headers, body = asked(path)
    assert (status, body) == (404, b"404 page not found\n")
    assert headers["x-content-type-options"] == "nosniff"


def test_every_file_that_a_file_names_is_there() -> None:
    html = assets()["index.html"].body.decode()
    named = re.findall(r'(?:href|src)="/static/([^"]+)"', html)
    assert named
    assert set(named) <= set(assets())
    for path in SCRIPTS:
        for module in re.findall(r'from "\./([^"]+)"', assets()[path].body.decode()):
            assert f"js/{module}" in assets(), path


def test_the_page_links_the_document_of_the_api() -> None:
    """`tests/conformance/server` reads it where the link leads."""
    assert 'href: "/openapi.json"' in assets()["js/dialogs.js"].body.decode()


@pytest.mark.parametrize("path", TEXTS)
def test_a_file_names_no_other_host_and_has_no_inline_script_or_style(path: str) -> None:
    text = assets()[path].body.decode()
    hosts = set(re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]+", text)) - {"http://www.w3.org"}  # SVG's name
    assert hosts == set()
    if path.endswith(".html"):
        assert not re.search(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)", text)


@pytest.mark.parametrize("path", SCRIPTS)
def test_a_script_is_short_says_what_it_is_for_and_makes_no_markup_of_texts(path: str) -> None:
    lines = assets()[path].body.decode().splitlines()
    assert len(lines) <= 300
    assert re.match(r"// [A-Z].*\.$", lines[0])
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert not any(word in line for line in lines), word
