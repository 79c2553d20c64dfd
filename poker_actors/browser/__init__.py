"""A table as a browser draws it: the scripts and style sheets of the server's page and of the debugger's."""

from poker_actors.browser.drawing import drawing_files, drawing_script, drawing_style

__all__ = ["drawing_files", "drawing_script", "drawing_style"]
