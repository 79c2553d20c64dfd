"""The full-screen debugger; needs the extra `tui`."""

from poker_actors.debug.tui.app import DebugApp

__all__ = ["DebugApp"]
