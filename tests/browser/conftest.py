"""Chromium from the system, driven by playwright, against the real server process: one of each for the folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.room_process import RoomProcess
from tests.browser.visitor import Visitor

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LAUNCH_MILLISECONDS = 180_000


class Started:
    """What is started by the first test of this folder that needs it, and stopped after the last one."""

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


# not at the end of the session: while playwright is open its event loop is this thread's, and asyncio.run fails
@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Stop everything when the next test is of another folder."""
    if nextitem is None or nextitem.path.parent != item.path.parent:
        _STARTED.stop()


# of the module, so that what playwright starts is there before a test's own threads are counted
@pytest.fixture(scope="module")
def browser() -> Browser:
    if CHROMIUM is None:
        pytest.skip("no chromium is installed: apt-get install chromium")
    return _STARTED.browser()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> RoomProcess:
    return _STARTED.room(tmp_path_factory.mktemp)


@pytest.fixture
def visit(browser: Browser, room: RoomProcess) -> Iterator[Callable[..., Visitor]]:
    """Opens browsers; whatever went wrong in one of them fails the test."""
    room.ensure()
    visitors: list[Visitor] = []

    def visit(**options: Any) -> Visitor:
        visitors.append(Visitor(browser, room.url, **options))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.close()
    print(room.said())  # seen when the test fails
    assert [problem for visitor in visitors for problem in visitor.problems] == []
