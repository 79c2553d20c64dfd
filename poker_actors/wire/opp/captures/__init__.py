"""Captured OPP sessions: make them readable and turn them into hand histories."""

from poker_actors.wire.opp.captures.analyser import Analyser, Finding, Proxy, capture_line, read_capture
from poker_actors.wire.opp.captures.hands import CapturedHands

__all__ = ["Analyser", "CapturedHands", "Finding", "Proxy", "capture_line", "read_capture"]
