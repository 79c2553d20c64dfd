"""The step debugger: stop a hand at any message, inspect everything, step back, fork into another line."""

from poker_actors.debug.commands import converse
from poker_actors.debug.explore import Exploration, explore
from poker_actors.debug.export import mermaid, page, sequence_svg, trace_of
from poker_actors.debug.full_screen import run_full_screen
from poker_actors.debug.plain import GOD, SPECTATOR, Viewpoint
from poker_actors.debug.session import (
    Breakpoint,
    Followed,
    Moment,
    OwnPromise,
    Program,
    Script,
    Step,
    Stepper,
    always,
    eventually,
    never,
)
from poker_actors.debug.state import Difference
from poker_actors.debug.trace import Trace, leave_trace, traced_on_failure
from poker_actors.debug.turns import Link, Reason
from poker_actors.debug.verify import AskedAgain, ask_again, record_threads, script_of, verify

__all__ = [
    "GOD",
    "SPECTATOR",
    "AskedAgain",
    "Breakpoint",
    "Difference",
    "Exploration",
    "Followed",
    "Link",
    "Moment",
    "OwnPromise",
    "Program",
    "Reason",
    "Script",
    "Step",
    "Stepper",
    "Trace",
    "Viewpoint",
    "always",
    "ask_again",
    "converse",
    "eventually",
    "explore",
    "leave_trace",
    "mermaid",
    "never",
    "page",
    "record_threads",
    "run_full_screen",
    "script_of",
    "sequence_svg",
    "trace_of",
    "traced_on_failure",
    "verify",
]
