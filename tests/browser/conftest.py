"""Chromium from the system, driven by playwright, against the real server process."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.room_process import RoomProcess
from tests.browser.visitor import Visitor

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


# for a module and not for the session: while playwright is open, its event loop is this thread's
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium is installed: apt-get install chromium")
    with sync_playwright() as playwright:
        # --no-sandbox: containers run tests as root, and the pages are our own
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RoomProcess]:
    process = RoomProcess(tmp_path_factory.mktemp("room") / "room.db")
    yield process
    process.stop()


@pytest.fixture
def visit(browser: Browser, room: RoomProcess) -> Iterator[Callable[..., Visitor]]:
    """Opens browsers; whatever went wrong in one of them fails the test."""
    visitors: list[Visitor] = []

    def visit(**options: Any) -> Visitor:
        visitors.append(Visitor(browser, room.url, **options))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.close()
    assert [problem for visitor in visitors for problem in visitor.problems] == []


PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
