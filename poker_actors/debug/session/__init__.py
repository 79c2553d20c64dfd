"""The session: a script of what is played, and the stepper that plays it forwards and back."""

from poker_actors.debug.session.intervention import Intervention, NextAction, NextCards, NextMessage
from poker_actors.debug.session.playback import Playback, Step, commands_of, open_stage
from poker_actors.debug.session.runtime import DebugRuntime, Handled
from poker_actors.debug.session.script import DEFAULT_BOTS, Scene, Script
from poker_actors.debug.session.stepper import Stepper
from poker_actors.debug.session.stops import Breakpoint

__all__ = [
    "DEFAULT_BOTS",
    "Breakpoint",
    "DebugRuntime",
    "Handled",
    "Intervention",
    "NextAction",
    "NextCards",
    "NextMessage",
    "Playback",
    "Scene",
    "Script",
    "Step",
    "Stepper",
    "commands_of",
    "open_stage",
]
