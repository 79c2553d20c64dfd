"""Beyond HSPE: one picture of a game for page and push, browser log-ins, hand histories, metrics."""

from poker_actors.server.live.hands import HANDS_KEPT, Hands, shared_page
from poker_actors.server.live.hooks import HookPlan, Hooks
from poker_actors.server.live.metrics import Metrics
from poker_actors.server.live.picture import owner_of, picture
from poker_actors.server.live.results import DAYS_KEPT, Results, ledger, ledger_lines
from poker_actors.server.live.sessions import SESSION_SECONDS, SHARED_EACH, Sessions, Shares
from poker_actors.server.live.tournament import Announcement, read_announced
from poker_actors.server.live.tournaments import TOURNAMENTS_KEPT, Tournaments
from poker_actors.server.live.views import ALL, MOST_LISTED, Listed, Page, Views

__all__ = [
    "ALL",
    "DAYS_KEPT",
    "HANDS_KEPT",
    "MOST_LISTED",
    "SESSION_SECONDS",
    "SHARED_EACH",
    "TOURNAMENTS_KEPT",
    "Announcement",
    "Hands",
    "HookPlan",
    "Hooks",
    "Listed",
    "Metrics",
    "Page",
    "Results",
    "Sessions",
    "Shares",
    "Tournaments",
    "Views",
    "ledger",
    "ledger_lines",
    "owner_of",
    "picture",
    "read_announced",
    "shared_page",
]
