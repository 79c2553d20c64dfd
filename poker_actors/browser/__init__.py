"""A table as a browser draws it: the scripts and style sheets of the server's page."""

from poker_actors.browser.drawing import drawing_files

__all__ = ["drawing_files"]
