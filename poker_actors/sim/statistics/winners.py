"""Who was paid at a showdown: any pot, or a share of one."""

from __future__ import annotations

from poker_actors.rules import Event, Hand, event

__all__ = ["collectors"]


def collectors(hand: Hand) -> list[int]:
    """Give the seats that a finished hand paid, main pot or side pot, in no order."""
    strengths, live = hand.strengths, hand.live
    if strengths is None:
        return [live[0]]
    best = max(strengths)
    winners = [seat for seat, strength in zip(live, strengths, strict=True) if strength == best]
    can_bet = hand.can_bet
    if len(can_bet) == len(live) or any(seat in can_bet for seat in winners):
        return winners  # who is best and covers everybody takes every pot
    beaten = [seat for seat in live if seat not in winners]
    return winners + [
        seat for seat in beaten if _may_have_a_side_pot(hand, seat, winners) and _was_paid(hand, seat)
    ]


def _may_have_a_side_pot(hand: Hand, seat: int, winners: list[int]) -> bool:
    """Rule out the common cases: left with nothing, or down by exactly the best hand's stack."""
    if not hand.stacks[seat]:
        return False
    most = max(hand.starting[winner] for winner in winners)
    return hand.stacks[seat] != hand.starting[seat] - most


def _was_paid(hand: Hand, seat: int) -> bool:
    """Play the hand again and listen."""
    paid: set[int] = set()

    def listen(news: Event) -> None:
        if isinstance(news, event.Awarded):
            paid.add(news.seat)

    hand.replay(listener=listen)
    return seat in paid
