"""The page at `/`: a lobby and a table in the browser, served from package data; needs the extra [server]."""

from poker_actors.server.page.assets import HEADERS, Asset, add_page, assets

__all__ = ["HEADERS", "Asset", "add_page", "assets"]
