"""Explain whose turn it is, whether an action is legal, and which action the expert bot would take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, Final

import attrs

from poker_actors.bots import SeedTree
from poker_actors.bots.expert import Expert, choices_of
from poker_actors.debug.plain import Viewpoint
from poker_actors.errors import BadSpec, PokerError
from poker_actors.history.refereed import facts_of, sheet_of, sitting_of
from poker_actors.referee import Referee
from poker_actors.rules import Action, Event, Hand, event, parse_action
from poker_actors.rules.games import First


@attrs.frozen
class Link:
    """One event of the chain."""

    step: int | None
    """the step in which it happened; None for a rule"""
    text: str
    change: int = 0
    """chips added by the event"""
    total: int | None = None
    """the running total after the event"""
    wrong: bool = False
    """whether the rules, recomputed, disagree"""

    def __str__(self) -> str:
        step = "      " if self.step is None else f"{self.step:5} "
        if self.wrong:
            return f"{step}! {self.text}"
        total = "" if self.total is None else f"{self.change:+d}".rjust(7) + f" = {self.total}"
        return f"{step}  {self.text:<44}{total}".rstrip()


@attrs.frozen
class Reason:
    """A value and the events that explain it; `links` are in order of time."""

    what: str
    value: int | str
    links: tuple[Link, ...]

    @property
    def wrong(self) -> tuple[Link, ...]:
        """The links that disagree with the rules; empty in a correct hand."""
        return tuple(link for link in self.links if link.wrong)

    def __str__(self) -> str:
        return "\n".join([f"{self.what} is {self.value}", *map(str, self.links)])


def placed_events(hand: Hand, acts: Sequence[int]) -> Iterator[tuple[int | None, Event]]:
    """Yield each event of `hand` with its step; `acts` are the steps of the deal and of each action.

    Consequences of an action (a street, the showdown) get the step of that action.
    """
    taken = 0
    for news in hand.events():
        if isinstance(news, event.Acted):
            taken += 1
        yield (acts[taken] if taken < len(acts) else None), news


def judged(hand: Hand, acts: Sequence[int]) -> tuple[Referee, list[Link]]:
    """Have the referee follow a hand; return it, and a link for each of its verdicts."""
    referee = Referee(sheet_of(hand.game), sitting_of(hand))
    facts = facts_of(hand)
    for fact in facts:
        referee.hear(fact)
    links = []
    for verdict in referee.verdicts:
        taken = sum([fact.what == "act" for fact in facts[: verdict.place + 1]])
        step = acts[taken] if taken < len(acts) else None
        links.append(Link(step, verdict.words, wrong=True))
    return referee, links


DEALS: Final = 100
_TREE: Final = SeedTree(0)


def played_out(hand: Hand, actions: Sequence[Action], deals: int = DEALS) -> list[tuple[float, float]]:
    """Return mean and 95 % margin, in chips from here on, for each action of the seat to act.

    Uses only what this seat sees: hidden cards are dealt at random, the same ones for every action,
    so that actions differ by their merit and not by luck. Needs at least 2 `deals`.
    """
    seat = hand.to_act[0]
    rng = Random(0)  # a fixed seed: asking twice gives the same answer
    values: list[list[float]] = [[] for _ in actions]
    for number in range(deals):
        dealt = _dealt_anew(hand, seat, rng)
        for action, worths in zip(actions, values, strict=True):
            other = dealt.copy()
            other.act(action)
            _finish(other, number)
            worths.append(other.payoffs[seat] + hand.starting[seat] - hand.stacks[seat])
    # 1.96 standard errors: the 95 % interval of a normal distribution
    return [(fmean(worths), 1.96 * stdev(worths) / sqrt(deals)) for worths in values]


def _dealt_anew(hand: Hand, seat: int, rng: Random) -> Hand:
    """Return a copy of the hand with all cards hidden from this seat dealt again."""
    seen = {*hand.board, *hand.holes[seat]}
    left = [card for card in hand.game.pack if card not in seen]
    rng.shuffle(left)
    other = hand.copy()
    other.holes = [
        hole if place == seat else tuple([left.pop() for _ in hole]) for place, hole in enumerate(hand.holes)
    ]
    to_come = len(hand.cards) - len(hand.cards_dealt)
    other.cards = (*hand.cards_dealt, *left[:to_come])
    return other


def _finish(hand: Hand, number: int) -> None:
    bot = Expert()
    while hand.to_act:
        seat = hand.to_act[0]
        hand.act(bot(hand.view(seat, _TREE.stream(number, seat))))


_BY_CARDS: Final = {
    First.LOW_CARD: "the lowest open card brings it in, equal ranks by suit, clubs lowest",
    First.HIGH_CARD: "the highest open card brings it in, the ace low, equal ranks by suit, spades highest",
    First.HIGH_HAND: "the highest open hand is first, equal hands by the suit of the highest card (TDA RP-10)",
    First.LOW_HAND: "the lowest open hand is first, equal hands by the suit of the highest card (TDA RP-10)",
}


_ROUNDS: Final = {
    "draw": "the seats still in draw from the left of the button, those all-in too",
    "throw": "the seats still in give up cards from the left of the button, those all-in too",
    "lay": "the seats lay cards from the left of the button, those in fantasy land all at once",
}
"""what a round without bets asks for -> its order"""


def why_turn(hand: Hand, acts: Sequence[int]) -> Reason:
    """Explain whose turn it is: who opened or raised last, and which seats were skipped since, and why."""
    referee, wrong = judged(hand, acts)
    if not hand.to_act:
        text = "the hand is over, or nobody can act any more"
        return Reason("turn", "nobody", (Link(None, text), *wrong))
    active = hand.to_act[0]
    what = f"of seat {active}"
    if referee.turn is None:  # a verdict ends its turns
        # why seats were skipped would be invented: the order of turns is not that of the rules
        openings = [Link(step, text) for _, step, text in _openings(hand, acts)]
        return Reason("turn", what, (*openings, *wrong))
    if referee.turn.asks in _ROUNDS:
        return Reason("turn", what, tuple(_in_round(hand, referee.turn.asks)))
    if hand.game.streets[hand.street].first in _BY_CARDS and len(hand.log) == hand.marks[-1]:
        return _opened_by_cards(hand, active)
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
    shown.append(_next(hand))
    return Reason("turn", what, tuple(shown))


def _next(hand: Hand) -> Link:
    active, *others = hand.to_act
    behind = ", ".join(f"seat {seat}" for seat in others)
    return Link(None, f"seat {active} is next{f'; after it {behind}' if behind else ''}")


def _in_round(hand: Hand, asks: str) -> list[Link]:
    """Explain the turns of a round without bets: from the left of the button, seats that are all-in too."""
    # in open-face only who lost all chips in an earlier deal has none
    seats = [seat for seat in hand.live if asks != "lay" or hand.stacks[seat]]
    links = [Link(None, _ROUNDS[asks])]
    done = [seat for seat in seats if seat not in hand.to_act]
    if done:
        who = ", ".join(f"seat {seat}" for seat in done)
        links.append(Link(None, f"{who} {'has' if len(done) == 1 else 'have'} done so"))
    return [*links, _next(hand)]


def _opened_by_cards(hand: Hand, active: int) -> Reason:
    """Explain who opens a stud street: the open cards of the live seats, and the rule."""
    opened = hand.open
    links = [
        Link(None, f"seat {seat} shows {' '.join(map(str, opened[seat]))}") for seat in sorted(hand.live)
    ]
    links.append(Link(None, _BY_CARDS[hand.game.streets[hand.street].first]))
    all_in = [seat for seat in hand.live if not hand.stacks[seat]]
    if all_in:
        links.append(Link(None, "where that seat is all-in the next one to its left is first"))
    return Reason("turn", f"of seat {active}", tuple(links))


def _openings(hand: Hand, acts: Sequence[int]) -> list[tuple[int | None, int | None, str]]:
    """Return the events that set the order of turns on this street: seat, step and description of each."""
    found: list[tuple[int | None, int | None, str]] = []
    first = {street.name: street.first for street in hand.game.streets}
    for step, news in placed_events(hand, acts):
        match news:
            case event.StreetDealt(street, _):
                rule = _BY_CARDS.get(first[street], "first to act is the first left of the button still in")
                found = [(None, step, f"the {street} opens: {rule}")]
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


UNTIMED: Final = "nobody is timed: no turn is open at a table with turn_seconds"


def why_deadline(timers: Sequence[Any], clock: float, steps: Sequence[Any]) -> Reason:
    """Explain the deadline of the current turn by a session's timers and steps."""
    deadlines = (one for one in timers if type(one.message).__name__ == "Deadline")
    # a hand that has been stopped leaves its timer, whose message will be lost
    timer = next((one for one in deadlines if one.turn_seconds is not None), None)
    if timer is None:
        return Reason("deadline", "none", (Link(None, UNTIMED),))
    seat, long = timer.message.turn.seat, f"{timer.due - timer.since:g} s"
    heard = None if timer.step is None else steps[timer.step].delivery.message
    if type(heard) is type(timer.message):  # set when the turn's own deadline had passed
        told = (f"started the time bank of seat {seat}", f"{long} were left in it")
    else:
        whole = f"{timer.turn_seconds:g} s"
        rest = "" if long == whole else f"; this one goes on with {long}"
        told = (
            f"told seat {seat} that it is its turn",
            f"a turn has {whole}, by the turn_seconds of its table{rest}",
        )
    links = (
        Link(
            None if timer.step is None else timer.step + 1,
            f"{timer.receiver} {told[0]}, at {timer.since:g} s",
        ),
        Link(None, told[1]),
        Link(None, f"the clock is at {clock:g} s: {timer.due - clock:g} s are left"),
    )
    return Reason(f"deadline of seat {seat}", f"at {timer.due:g} s", links)


def why_illegal(hand: Hand, acts: Sequence[int], text: str) -> Reason:
    """Explain whether the seat to act may take the action `text`; raise `BadSpec` if it is empty."""
    if not text:
        raise BadSpec("why illegal needs an action, such as why illegal raise_to 5")
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
        *judged(hand, acts)[1],
    ]
    return Reason(str(action), "legal" if refusal is None else "illegal", tuple(links))


def why_action(hand: Hand, viewpoint: Viewpoint) -> Reason:
    """Explain what the expert bot would do for the seat to act, and what each choice is worth.

    Raises `BadSpec` if the viewpoint may not see that seat's cards.
    """
    if not hand.to_act:
        return Reason("action", "none", (Link(None, "nobody is to act: the hand is over"),))
    seat = hand.to_act[0]
    if not viewpoint.sees(seat):
        raise BadSpec(f"why action: the cards of seat {seat} are not seen from viewpoint {viewpoint}")
    view = hand.view(seat)
    lines = [*Expert().explained(view), *_worths(hand, choices_of(view))]
    return Reason("action", f"what expert does in seat {seat}", tuple([Link(None, line) for line in lines]))


def _worths(hand: Hand, choices: Sequence[Action | None]) -> list[str]:
    """Describe what each choice is worth, best first."""
    offered = list(dict.fromkeys([choice for choice in choices if choice is not None]))
    big = max(hand.stakes.big_blind, 1)
    worths = zip(played_out(hand, offered), offered, strict=True)
    return [
        f"played out {DEALS} times from here by expert in every seat, with any cards for the others; in big blinds:",
        *[
            f"{action} brings {mean / big:+.1f} ± {margin / big:.1f}"
            for (mean, margin), action in sorted(worths, key=lambda one: -one[0][0])
        ],
    ]
