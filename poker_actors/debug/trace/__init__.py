"""Traces: a session in a file, played again and compared; a run on threads made steppable."""

from poker_actors.debug.trace.file import Trace, TracedStep
from poker_actors.debug.trace.threads import RecordingThreads, record_threads
from poker_actors.debug.trace.verify import script_of, verify

__all__ = ["RecordingThreads", "Trace", "TracedStep", "record_threads", "script_of", "verify"]
