"""The debugger on the whole screen, with the extra `tui`."""

from poker_actors.debug.tui.app import DebugApp

__all__ = ["DebugApp"]
