"""The system's Chromium, driven by playwright, and a real server process: one of each for the folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.looks import Looks, pairs, product
from tests.browser.room_process import RoomProcess
from tests.browser.visitor import Visitor

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LAUNCH_MILLISECONDS = 180_000


class Started:
    """Browser and server, started by the first test of this folder that needs them and stopped after the last."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._browser: Browser | None = None
        self._room: RoomProcess | None = None

    def browser(self) -> Browser:
        if self._browser is None:
            playwright = self._stack.enter_context(sync_playwright())
            # --no-sandbox: containers run tests as root, and the pages are our own
            self._browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox"], timeout=LAUNCH_MILLISECONDS
            )
            self._stack.callback(self._browser.close)
        return self._browser

    def room(self, folder: Callable[[str], Path]) -> RoomProcess:
        if self._room is None:
            self._room = RoomProcess(folder("room") / "room.db")
            self._stack.callback(self._room.stop)
        return self._room

    def stop(self) -> None:
        self._browser = self._room = None
        self._stack.close()


_STARTED = Started()


# not at the end of the session: an open playwright has an event loop in this thread, and asyncio.run fails beside it
@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Stop everything if the next test is in another folder."""
    if nextitem is None or nextitem.path.parent != item.path.parent:
        _STARTED.stop()


# module scope: playwright's threads must exist before the check for threads left running counts those of a test
@pytest.fixture(scope="module")
def browser() -> Browser:
    if CHROMIUM is None:
        pytest.skip("no chromium is installed: apt-get install chromium")
    return _STARTED.browser()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> RoomProcess:
    return _STARTED.room(tmp_path_factory.mktemp)


@pytest.fixture(params=[pairs, pytest.param(product, marks=pytest.mark.heavy)], ids=["pairs", "all"])
def looks(request: pytest.FixtureRequest) -> Looks:
    """Says in which sizes and themes to look at a page: both together for minutes only."""
    given: Looks = request.param
    return given


@pytest.fixture
def visit(browser: Browser, room: RoomProcess) -> Iterator[Callable[..., Visitor]]:
    """A function that opens browsers; a problem in any of them fails the test."""
    room.ensure()
    visitors: list[Visitor] = []

    def visit(**options: Any) -> Visitor:
        visitors.append(Visitor(browser, room.url, **options))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.close()
    print(room.said())  # shown by pytest if the test fails
    assert [problem for visitor in visitors for problem in visitor.problems] == []
