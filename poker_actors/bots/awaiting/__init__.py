"""Bots that are coroutine functions, such as those that ask a language model or a remote service."""

from poker_actors.bots.awaiting.bot import AwaitedBot, Priced, awaited, is_awaited, limited
from poker_actors.bots.awaiting.model import ModelBot
from poker_actors.bots.awaiting.transcript import Answer, Attempt, RecordedModel, read_transcript

__all__ = [
    "Answer",
    "Attempt",
    "AwaitedBot",
    "ModelBot",
    "Priced",
    "RecordedModel",
    "awaited",
    "is_awaited",
    "limited",
    "read_transcript",
]
