"""The session: a script of what is played, and the stepper that plays it forwards and back."""

from poker_actors.debug.session.intervention import Intervention, NextAction, NextCards, NextMessage
from poker_actors.debug.session.live import LivePlayback
from poker_actors.debug.session.observed import Handled
from poker_actors.debug.session.playback import Playback, commands_of, open_stage
from poker_actors.debug.session.program import Program, Watch
from poker_actors.debug.session.runtime import DebugRuntime
from poker_actors.debug.session.script import DEFAULT_BOTS, Scene, Script
from poker_actors.debug.session.step import Step
from poker_actors.debug.session.stepper import Stepper, open_playback
from poker_actors.debug.session.stops import Breakpoint

__all__ = [
    "DEFAULT_BOTS",
    "Breakpoint",
    "DebugRuntime",
    "Handled",
    "Intervention",
    "LivePlayback",
    "NextAction",
    "NextCards",
    "NextMessage",
    "Playback",
    "Program",
    "Scene",
    "Script",
    "Step",
    "Stepper",
    "Watch",
    "commands_of",
    "open_playback",
    "open_stage",
]
