"""Open the full-screen debugger, which needs the extra `tui`."""

from __future__ import annotations

from poker_actors.debug.session import Stepper
from poker_actors.errors import from_extra


def run_full_screen(stepper: Stepper) -> None:
    """Run the full-screen debugger; raise `MissingExtra` when its library is not installed."""
    with from_extra("tui", "textual", "rich"):
        from poker_actors.debug.tui import DebugApp
    DebugApp(stepper).run()
