"""Every message of the room, collected from the actors' own files."""

from __future__ import annotations

# whatever the four files list, so that a new message is listed in one place only
from poker_actors.actors.bank import messages as bank
from poker_actors.actors.bank.messages import *  # noqa: F403
from poker_actors.actors.command import Command, GetState, TakeUp
from poker_actors.actors.hand import messages as hand
from poker_actors.actors.hand.messages import *  # noqa: F403
from poker_actors.actors.player import messages as player
from poker_actors.actors.player.messages import *  # noqa: F403
from poker_actors.actors.runtime import ActorBack, ActorDown
from poker_actors.actors.table import messages as table
from poker_actors.actors.table.messages import *  # noqa: F403

__all__ = ["ActorBack", "ActorDown", "Command", "GetState", "TakeUp"]
__all__ += bank.__all__
__all__ += hand.__all__
__all__ += player.__all__
__all__ += table.__all__
