"""The curl lines of docs/server.md do what the page says, against the real server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conformance.server.conftest import Site

PAGE = Path(__file__).parents[3] / "docs" / "server.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page uses curl")
def test_the_curl_lines_play_a_hand(sites: Callable[..., Site]) -> None:
    # a server of their own, as on the page: among a hundred games that run out of time at once, the
    # deal may come after the line that looks at it
    site = sites()
    script = re.search(r"```shell\n(URL=.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert script is not None
    lines = script[1].replace("http://127.0.0.1:8080", site.url)
    done = subprocess.run(["sh", "-eu", "-c", lines], capture_output=True, text=True, timeout=60, check=False)
    answers = done.stdout.splitlines()
    assert (done.returncode, done.stderr, len(answers)) == (0, "", 4), answers
    joined, asked, refused, after = answers
    assert json.loads(joined)
    assert len(json.loads(asked)["cards"]["hole"]) == 2
    assert refused.startswith("controller: not this player's turn")
    players = json.loads(after)["table"]
    assert sorted(player["wealth"] + player["bet_so_far"] for player in players) == [9_990, 10_010]
