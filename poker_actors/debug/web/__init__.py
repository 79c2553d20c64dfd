"""The debugger in a browser: the exported page, served by this process."""

from poker_actors.debug.web.server import PageServer

__all__ = ["PageServer"]
