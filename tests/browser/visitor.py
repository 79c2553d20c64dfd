"""A person with a browser: one context, with every message it receives and every problem in it."""

from __future__ import annotations

import base64
import itertools
import json
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, WebSocket

__all__ = ["CARD", "PATIENCE", "Visitor"]

_NAMES = itertools.count(1)
_LOST = re.compile(r"net::ERR_|WebSocket connection to|the server responded with a status of 4")
"""Console errors of a browser whose server is away or refuses something."""
PATIENCE = 90.0
"""Seconds to wait for something to happen, on a busy machine."""
CARD = re.compile(r"\b[2-9TJQKA][shdc]\b")


class Visitor:
    """One browser context with one page; `problems` are console errors, CSP violations and exceptions."""

    def __init__(self, browser: Browser, url: str, *, pace: str = "instant", **options: Any) -> None:
        self.url = url
        self.name = ""
        self.frames: list[dict[str, Any]] = []
        """every picture of a table received over a WebSocket, in order"""
        self.raw: list[str] = []
        self.problems: list[str] = []
        self.outages = False
        """whether the server is expected to be away, or to refuse something"""
        # no animations: they take time, and no test looks at them
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE * 1_000)
        self.context.add_init_script(
            f"if (origin !== 'null' && localStorage.getItem('pace') === null) localStorage.setItem('pace', '{pace}');"
        )
        self.page: Page = self.context.new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.problems.append(f"exception: {error}"))
        self.page.on("websocket", self._socket)
        self.page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not (self.outages and _LOST.search(message.text)):
            self.problems.append(f"{message.type}: {message.text}")

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.url, "blob:", "data:")):
            self.problems.append(f"another host was asked: {request.url}")

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._frame)

    def _frame(self, payload: str | bytes) -> None:
        text = payload if isinstance(payload, str) else payload.decode()
        self.raw.append(text)
        message = json.loads(text)
        if message["type"] == "table":
            self.frames.append(message)

    # -- actions of a person -----------------------------------------------------------------

    def come(self, path: str = "/") -> Page:
        self.page.goto(f"{self.url}{path}")
        return self.page

    def press(self, name: str, *, exact: bool = True) -> None:
        self.page.get_by_role("button", name=name, exact=exact).click()

    def register(self, name: str = "") -> str:
        """Register through the form in the page's bar."""
        self.name = name or f"visitor {next(_NAMES)}"
        self.press("Log in")
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Name").fill(self.name)
        dialog.get_by_label("Password").fill("correct horse")
        dialog.get_by_role("button", name="I am new: register").click()
        self.page.locator("#who", has_text=self.name).wait_for()
        return self.name

    def enter(self, name: str = "") -> str:
        """Register and log in without the page's form; pages opened later are logged in."""
        self.name = name or f"visitor {next(_NAMES)}"
        secret = base64.b64encode(f"{self.name}:correct horse".encode()).decode()
        for path in ("/users/", "/session"):
            answer = self.context.request.post(
                f"{self.url}{path}", headers={"Authorization": f"Basic {secret}"}
            )
            assert answer.ok, f"{path}: {answer.status} {answer.text()}"
        self.context.add_init_script("if (origin !== 'null') localStorage.setItem('known', '1');")
        return self.name

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request with this browser's session cookie and return the answer."""
        response = self.context.request.fetch(
            f"{self.url}{path}", method=method, data=None if body is None else json.dumps(body)
        )
        assert response.ok, f"{method} {path}: {response.status} {response.text()}"
        return json.loads(response.text() or "null")

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Let the page run until `holds` is true; fail with `what` after the time is up."""
        late, pause = time.monotonic() + PATIENCE, 20.0
        while time.monotonic() < late:
            if holds():
                return
            self.page.wait_for_timeout(pause)
            pause = min(1.2 * pause, 200)  # looking costs the page and the server more than waiting
        raise AssertionError(f"it does not come to this: {what}")

    # -- the page as a person sees it ----------------------------------------------------------

    @property
    def may_act(self) -> bool:
        return self.page.locator(".controls:not(.idle) .act.fold:enabled").count() > 0

    @property
    def hands_over(self) -> set[str]:
        return {one["hand_id"] for one in self.frames if one["over"] and one["hand_id"]}

    def cards_seen(self) -> set[str]:
        """Return the hole cards that are face up on the page."""
        cards = self.page.locator(".stage .seats [data-card]")
        return set(cards.evaluate_all("all => all.map(one => one.dataset.card)"))

    def own_cards(self) -> dict[str, set[str]]:
        """Return the person's hole cards by hand, as the server sent them."""
        return {
            one["hand_id"]: set(one["you"]["cards"])
            for one in self.frames
            if one["you"] is not None and one["you"]["cards"]
        }

    def close(self) -> None:
        self.context.close()
