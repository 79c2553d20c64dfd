"""What goes beyond HSPE: one picture of a game for page and push, log-ins of browsers, histories, counts."""

from poker_actors.server.live.answers_kept import AnswersKept
from poker_actors.server.live.hands import HANDS_KEPT, Hands
from poker_actors.server.live.metrics import Metrics
from poker_actors.server.live.picture import owner_of, picture
from poker_actors.server.live.sessions import SESSION_SECONDS, Sessions
from poker_actors.server.live.views import Views

__all__ = [
    "HANDS_KEPT",
    "SESSION_SECONDS",
    "AnswersKept",
    "Hands",
    "Metrics",
    "Sessions",
    "Views",
    "owner_of",
    "picture",
]
