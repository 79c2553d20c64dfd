"""The transport behind a guard: what is written to a connection that is closed is nobody's, and no error."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from poker_actors.server.http.guard import _Inside


def test_what_is_written_after_the_end_of_a_connection_is_dropped() -> None:
    written: list[bytes] = []
    closing = iter([False, True])
    names = ("close", "abort", "pause_reading", "resume_reading", "get_extra_info")
    given: Any = SimpleNamespace(
        write=written.append, is_closing=lambda: next(closing), **dict.fromkeys(names)
    )
    inside = _Inside(cast("Any", None), cast("asyncio.Transport", given))
    inside.write(b"in time")
    inside.write(b"too late")
    assert written == [b"in time"]
