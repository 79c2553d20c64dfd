"""Scripts and style sheets that draw a table in a browser, for the server's page and the debugger's."""

from poker_actors.browser.drawing import drawing_files, drawing_script, drawing_style

__all__ = ["drawing_files", "drawing_script", "drawing_style"]
