"""The full screen, drawn with Textual (extra `tui`)."""

from poker_actors.console.tui.app import TableApp

__all__ = ["TableApp"]
