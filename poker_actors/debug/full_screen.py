"""Open the full-screen debugger, which needs the extra `tui`."""

from __future__ import annotations

from poker_actors.debug.session import Stepper
from poker_actors.errors import MissingExtra


def run_full_screen(stepper: Stepper) -> None:
    """Run the full-screen debugger; raise `MissingExtra` when its library is not installed."""
    try:
        from poker_actors.debug.tui import DebugApp
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual", "rich"):
            raise  # any other missing module is a bug of ours: "install the extra" would mislead
        raise MissingExtra("tui", "textual") from None
    DebugApp(stepper).run()
