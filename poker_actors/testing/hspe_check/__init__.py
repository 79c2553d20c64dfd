"""A conformance kit for HSPE clients in any language: it plays a script with a client and reports its mistakes."""

from poker_actors.testing.hspe_check.examiner import ROUTES, Answer, Asked, CheckServer, Examiner, RouteReport

__all__ = ["ROUTES", "Answer", "Asked", "CheckServer", "Examiner", "RouteReport"]
