"""Explain a pot, a stack or an amount to call, by each movement of chips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from poker_actors.debug.why.reason import Link, Reason
from poker_actors.debug.why.told import judged, placed_events
from poker_actors.rules import Bet, Event, Hand, RaiseTo, event

__all__ = ["pot_words", "why_pot", "why_stack", "why_to_call"]


def pot_words(number: int) -> str:
    """Name a pot."""
    return f"side pot {number}" if number else "the main pot"


def _moves(hand: Hand, acts: Sequence[int]) -> Iterator[tuple[int | None, int | None, int, str]]:
    """Yield each movement of chips: step, seat (None: the house), chips put in (negative: taken out), words."""
    for step, news in placed_events(hand, acts):
        moved = _moved(news)
        if moved is not None:
            yield step, *moved


def _moved(news: Event) -> tuple[int | None, int, str] | None:
    match news:
        case event.Posted(seat, kind, amount):
            return seat, amount, f"seat {seat} posts {kind.value} {amount}"
        case event.Acted(seat, _, paid) if paid:
            return seat, paid, f"seat {seat} {news.words()}"
        case event.UncalledReturned(seat, amount):
            return seat, -amount, f"seat {seat} gets {amount} back, uncalled"
        case event.Raked(pot, amount):
            return None, -amount, f"the house takes {amount} from {pot_words(pot)}"
        case event.Awarded(pot, seat, amount):
            return seat, -amount, f"seat {seat} is paid {amount} from {pot_words(pot)}"
        case event.Scored(seat, points, chips) if chips:
            return seat, -chips, f"seat {seat} has {points:+} points: {chips:+} chips"
        case _:
            return None


def why_pot(hand: Hand, acts: Sequence[int]) -> Reason:
    """Explain the pot by all chips put in and taken out."""
    total = 0
    links = []
    for step, _, chips, words in _moves(hand, acts):
        total += chips
        links.append(Link(step, words, chips, total))
    if total != hand.pot:
        links.append(Link(None, f"these make {total}: the hand says {hand.pot}", wrong=True))
    return Reason("pot", hand.pot, (*links, *judged(hand, acts)[1]))


def why_stack(hand: Hand, acts: Sequence[int], seat: int) -> Reason:
    """Explain a seat's stack by all chips it put in and got back."""
    total = hand.starting[seat]
    links = [Link(acts[0] if acts else None, f"seat {seat} starts with {total}", total, total)]
    for step, who, chips, words in _moves(hand, acts):
        if who == seat:
            total -= chips
            links.append(Link(step, words, -chips, total))
    if total != hand.stacks[seat]:
        links.append(Link(None, f"these make {total}: the hand says {hand.stacks[seat]}", wrong=True))
    return Reason(f"stack of seat {seat}", hand.stacks[seat], tuple(links))


def why_to_call(hand: Hand, acts: Sequence[int], seat: int | None) -> Reason:
    """Explain the amount to call: the street's bet, less what the seat has put in on the street.

    `seat` None means the seat to act.
    """
    public = hand.public()
    who = public.active if seat is None else seat
    if who is None:
        return Reason("to_call", 0, (Link(None, "the hand is over: nobody has to call"),))
    bet = mine = 0
    links: list[Link] = []
    for step, news in placed_events(hand, acts):
        match news:
            case event.StreetDealt(street, _):
                bet = mine = 0
                links = [Link(step, f"the {street} opens: bets start anew", 0, 0)]
            case event.Posted(by, kind, amount) if kind.value not in ("ante", "big blind ante", "dead blind"):
                size = _blind_size(hand, kind.value, amount)
                links += [
                    Link(step, f"seat {by} posts {kind.value} {amount}", max(0, size - bet), max(bet, size))
                ]
                bet, mine = max(bet, size), mine + (amount if by == who else 0)
            case event.Acted(by, action, paid):
                level = max(bet, _level(action))
                if level > bet:
                    links.append(Link(step, f"seat {by} {news.words()}", level - bet, level))
                bet, mine = level, mine + (paid if by == who else 0)
            case _:
                pass
    value = public.to_call(who)
    links.append(Link(None, f"seat {who} has {mine} in front", -mine, bet - mine))
    stack = public.stacks[who]
    if stack < bet - mine:
        links.append(Link(None, f"and only {stack} behind", stack - (bet - mine), stack))
    made = min(bet - mine, stack)
    if made != value:
        links.append(Link(None, f"these make {made}: the hand says {value}", wrong=True))
    return Reason(f"to_call of seat {who}", value, tuple(links))


def _blind_size(hand: Hand, kind: str, amount: int) -> int:
    """Return the bet a post makes: a big blind posted short must still be called in full."""
    return max(amount, hand.stakes.big_blind) if kind == "big blind" else amount


def _level(action: object) -> int:
    if isinstance(action, Bet):
        return action.amount
    return action.total if isinstance(action, RaiseTo) else 0
