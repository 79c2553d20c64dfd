"""One hand: the deck, who is to act, the streets, the pots."""

from poker_actors.actors.hand.actor import HandActor, HandPlan, LiveHand
from poker_actors.actors.hand.messages import DealtHand, HandEndedNews, HandResult, TimeBank

__all__ = ["DealtHand", "HandActor", "HandEndedNews", "HandPlan", "HandResult", "LiveHand", "TimeBank"]
