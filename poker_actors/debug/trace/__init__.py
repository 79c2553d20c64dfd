"""Traces: write a session to a file, replay and compare it; record a threaded run and step through it."""

from poker_actors.debug.trace.file import Trace, TracedStep
from poker_actors.debug.trace.threads import RecordingThreads, record_threads
from poker_actors.debug.trace.verify import AskedAgain, ask_again, script_of, verify

__all__ = [
    "AskedAgain",
    "RecordingThreads",
    "Trace",
    "TracedStep",
    "ask_again",
    "record_threads",
    "script_of",
    "verify",
]
