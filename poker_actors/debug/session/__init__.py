"""The session: a script of what to play, and the stepper that moves through it forward and back."""

from poker_actors.debug.session.answers import Again, Answers
from poker_actors.debug.session.checkpoint import Past
from poker_actors.debug.session.intervention import HARMS, Intervention, NextAction, NextCards, NextMessage
from poker_actors.debug.session.observed import Handled, Listener, Step
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.program import Followed, Program, Recording, Watch
from poker_actors.debug.session.promises import (
    PROMISES,
    Held,
    Moment,
    OwnPromise,
    always,
    broken_promises,
    eventually,
    never,
)
from poker_actors.debug.session.record import Answer, Incident, Record, place_of
from poker_actors.debug.session.retelling import joined
from poker_actors.debug.session.script import DEFAULT_BOTS, Scene, Script
from poker_actors.debug.session.staged import Staged, commands_of, open_playback, open_stage, past_of
from poker_actors.debug.session.stepper import Stepper
from poker_actors.debug.session.stops import MOST_STEPS, Breakpoint

__all__ = [
    "DEFAULT_BOTS",
    "HARMS",
    "MOST_STEPS",
    "PROMISES",
    "Again",
    "Answer",
    "Answers",
    "Breakpoint",
    "Followed",
    "Handled",
    "Held",
    "Incident",
    "Intervention",
    "Listener",
    "Moment",
    "NextAction",
    "NextCards",
    "NextMessage",
    "OwnPromise",
    "Past",
    "Playback",
    "Program",
    "Record",
    "Recording",
    "Scene",
    "Script",
    "Staged",
    "Step",
    "Stepper",
    "Watch",
    "always",
    "broken_promises",
    "commands_of",
    "eventually",
    "joined",
    "never",
    "open_playback",
    "open_stage",
    "past_of",
    "place_of",
]
