"""A conformance kit for HSPE clients in any language: it plays a script with a client and reports its mistakes."""

from poker_actors.wire.hspe.check.examiner import ROUTES, Answer, Asked, Examiner, RouteReport
from poker_actors.wire.hspe.check.serving import CheckServer

__all__ = ["ROUTES", "Answer", "Asked", "CheckServer", "Examiner", "RouteReport"]
