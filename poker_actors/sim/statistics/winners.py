"""Find the seats paid at a showdown: any pot, or a share of one."""

from __future__ import annotations

from poker_actors.rules import Event, Hand, event

__all__ = ["collectors"]


def collectors(hand: Hand) -> list[int]:
    """Return the seats paid by a finished hand from the main pot or a side pot, in no order.

    Getting back one's own chips, because the others could not cover an ante, does not count.
    """
    strengths, live = hand.strengths, hand.live
    if strengths is None:
        return [live[0]]
    best = max(strengths)
    can_bet = hand.can_bet
    if hand.extra is not None:
        claims = [claim for board in hand.claims for claim in board]
        if len(claims) > 1 and len(can_bet) == len(live):
            return [*{seat for claim in claims for seat in claim.winners(live)}]
        if len(claims) > 1:
            return [seat for seat in live if _was_paid(hand, seat)]
    if strengths.count(best) == 1:  # most showdowns by far
        winners = [live[strengths.index(best)]]
    else:
        winners = [seat for seat, strength in zip(live, strengths, strict=True) if strength == best]
    if len(can_bet) == len(live):
        return winners
    for seat in winners:
        if seat in can_bet:
            return winners  # a best hand that covers everybody takes every pot
    left = [seat for seat in live if seat not in winners and hand.stacks[seat]]
    if not left or (len(left) == 1 and _lost_what_the_best_had(hand, left[0], winners)):
        return winners
    return winners + [seat for seat in left if _was_paid(hand, seat)]


def _lost_what_the_best_had(hand: Hand, seat: int, winners: list[int]) -> bool:
    """Whether a seat lost exactly the best hand's stack, as usual with two all-in: the rest came back uncalled."""
    return hand.starting[seat] - hand.stacks[seat] == max(hand.starting[winner] for winner in winners)


def _was_paid(hand: Hand, seat: int) -> bool:
    """Whether a seat was awarded chips, by replaying the hand."""
    paid: set[int] = set()

    def listen(news: Event) -> None:
        if isinstance(news, event.Awarded):
            paid.add(news.seat)

    hand.replay(listener=listen)
    return seat in paid
