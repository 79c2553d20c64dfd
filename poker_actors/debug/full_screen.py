"""Open the full-screen debugger, which needs the extra `tui`."""

from __future__ import annotations

from poker_actors.debug.session import Stepper
from poker_actors.errors import from_extra


def run_full_screen(stepper: Stepper) -> None:
    """Run the full-screen debugger; raise `MissingExtra` without its library, `KeyboardInterrupt` when a signal ends it."""
    with from_extra("tui", "textual", "rich"):
        from poker_actors.debug.tui import DebugApp
    if not DebugApp(stepper).run():
        raise KeyboardInterrupt
