"""Scripts and style sheets that draw a table in a browser, and the page that replays hands with them."""

from poker_actors.browser.replay import Book, drawing_files, drawing_script, drawing_style, replay_page

__all__ = ["Book", "drawing_files", "drawing_script", "drawing_style", "replay_page"]
