"""Bots that are coroutine functions, such as those that ask a language model or a remote service."""

from poker_actors.bots.awaiting.bot import AwaitedBot, Priced, awaited, is_awaited, limited
from poker_actors.bots.awaiting.recording import Answer, RecordedModel

__all__ = ["Answer", "AwaitedBot", "Priced", "RecordedModel", "awaited", "is_awaited", "limited"]
