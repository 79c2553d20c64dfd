"""Open the full screen, whose library comes with the extra `tui`."""

from __future__ import annotations

from poker_actors.console.session import Session
from poker_actors.errors import MissingExtra

__all__ = ["run_full_screen"]


def run_full_screen(session: Session, pause: float = 0.0) -> bool:
    """Play on the whole screen; returns whether Ctrl-C or a signal ended it. The session is settled in any case.

    The others seem to think for `pause` seconds after each of the person's turns. Raises `MissingExtra` when the library is not installed.
    """
    try:
        from poker_actors.console.tui import TableApp
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual", "rich"):
            raise
        raise MissingExtra("tui", "textual") from None
    try:
        left_by_ctrl_c = TableApp(session, pause).run()
        # without a result it was ended from outside, by a signal
        return left_by_ctrl_c is None or left_by_ctrl_c
    finally:
        session.leave()
