"""Open the full screen, which needs the extra `tui`."""

from __future__ import annotations

from poker_actors.console.session import Session
from poker_actors.errors import MissingExtra

__all__ = ["run_full_screen"]


def run_full_screen(session: Session, pause: float = 0.0) -> bool:
    """Play full screen and settle the session; return whether Ctrl-C or a signal ended it.

    The opponents appear to think for `pause` seconds after each turn of the person. Raise `MissingExtra` if
    Textual is not installed.
    """
    try:
        from poker_actors.console.tui import TableApp
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual", "rich"):
            raise
        raise MissingExtra("tui", "textual") from None
    try:
        left_by_ctrl_c = TableApp(session, pause).run()
        # no result: a signal ended the app from outside
        return left_by_ctrl_c is None or left_by_ctrl_c
    finally:
        session.leave()
