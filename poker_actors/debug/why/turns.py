"""Why it is a seat's turn, and why an action is not allowed there."""

from __future__ import annotations

from collections.abc import Sequence

from poker_actors.debug.why.reason import Link, Reason
from poker_actors.debug.why.told import placed_events
from poker_actors.errors import BadSpec, PokerError
from poker_actors.rules import Hand, event, parse_action

__all__ = ["why_illegal", "why_turn"]


def why_turn(hand: Hand, acts: Sequence[int]) -> Reason:
    """Whose turn it is: who opened or raised last, and who has been passed by since."""
    if not hand.to_act:
        return Reason("turn", "nobody", (Link(None, "the hand is over, or nobody can act any more"),))
    active = hand.to_act[0]
    links = _openings(hand, acts)
    last = links[-1][0] if links else None
    shown = [Link(step, text) for _, step, text in links]
    size = len(hand.starting)
    begin = hand.button if last is None else last
    for place in range(1, size + 1):
        seat = (begin + place) % size
        if seat == active:
            break
        if hand.starting[seat]:
            shown.append(Link(None, f"seat {seat} {_passed(hand, seat)}"))
    behind = ", ".join(f"seat {seat}" for seat in hand.to_act[1:])
    shown.append(Link(None, f"seat {active} is next{f'; after it {behind}' if behind else ''}"))
    if active not in hand.live or not hand.stacks[active]:
        shown.append(Link(None, f"seat {active} {_passed(hand, active)}, and cannot be to act", wrong=True))
    return Reason("turn", f"of seat {active}", tuple(shown))


def _openings(hand: Hand, acts: Sequence[int]) -> list[tuple[int | None, int | None, str]]:
    """What made the order: the street, and the actions on it; seats, steps and words."""
    found: list[tuple[int | None, int | None, str]] = []
    for step, news in placed_events(hand, acts):
        match news:
            case event.StreetDealt(street, _):
                found = [
                    (None, step, f"the {street} opens: first to act is the first left of the button still in")
                ]
            case event.Posted(seat, kind, amount):
                found.append((seat, step, f"seat {seat} posts {kind.value} {amount}"))
            case event.Acted(seat, _, _):
                found.append((seat, step, f"seat {seat} {news.words()}"))
            case _:
                pass
    return found


def _passed(hand: Hand, seat: int) -> str:
    if seat not in hand.live:
        return "has folded"
    if not hand.stacks[seat]:
        return "is all-in"
    return "has nothing left to answer: it has acted since the last raise"


def why_illegal(hand: Hand, text: str) -> Reason:
    """Why the seat to act may not take an action, or that it may; raises `BadSpec`."""
    if not text:
        raise BadSpec("why illegal: which action? such as why illegal raise_to 5")
    try:
        action = parse_action(text)
    except PokerError as error:
        return Reason(text[:40], "no action", (Link(None, str(error)),))
    if not hand.to_act:
        return Reason(str(action), "illegal", (Link(None, "nobody is to act: the hand is over"),))
    legal = hand.legal
    refusal = legal.refusal(action)
    seat, public = hand.to_act[0], hand.public()
    links = [] if refusal is None else [Link(None, refusal)]
    links += [
        Link(
            None, f"seat {seat} is to act, with {public.stacks[seat]} behind and {public.bets[seat]} in front"
        ),
        Link(None, f"the bet is {public.bet}, so {legal.to_call} to call"),
        Link(None, f"it may {legal}"),
    ]
    return Reason(str(action), "legal" if refusal is None else "illegal", tuple(links))
