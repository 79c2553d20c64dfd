"""Open the full screen, whose library comes with the extra `tui`."""

from __future__ import annotations

from poker_actors.debug.session import Stepper
from poker_actors.errors import MissingExtra

__all__ = ["run_full_screen"]


def run_full_screen(stepper: Stepper) -> None:
    """Debug on the whole screen; raises `MissingExtra` when the library is not installed."""
    try:
        from poker_actors.debug.tui import DebugApp
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual", "rich"):
            raise
        raise MissingExtra("tui", "textual") from None
    DebugApp(stepper).run()
