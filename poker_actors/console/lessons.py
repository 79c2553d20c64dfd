"""Lessons at the table: odds as a hint at a turn, and a hand reviewed decision by decision once it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from poker_actors.cards import Card
from poker_actors.console.setup import Setup
from poker_actors.console.telling import does, verb
from poker_actors.errors import BadSpec
from poker_actors.evaluator.equity import equity
from poker_actors.rules import Hand, Legal

__all__ = ["Coach", "odds_line", "review"]

Coach = Callable[[Hand, int], Sequence[str]]
"""Explains a hand to a seat: its turn, if it is to act, else how the hand ended. It may know only what the seat sees."""

_TRIALS: Final = 2_000
"""Deals behind a hint: a standard error of one percent, in some hundredths of a second."""
_SAME_ODDS: Final = {
    "limit-holdem": "holdem",
    "pot-limit-holdem": "holdem",
    "short-deck": "short_deck",
    "limit-omaha8": "omaha8",
}
"""Games whose chances are those of another one, by the name that `equity` knows."""


def odds_line(
    setup: Setup, hole: Sequence[Card], boards: Sequence[Sequence[Card]], others: int, pot: int, legal: Legal
) -> str:
    """Return a line with the chances against so many hands nobody knows, and the price of a call."""
    name = setup.game.name
    board = "/".join("".join(map(str, one)) for one in boards)
    players = ["".join(map(str, hole)), *["random"] * others]
    try:
        share = (
            equity(players, board, game=_SAME_ODDS.get(name, name), trials=_TRIALS, using="python")
            .players[0]
            .share
        )
    except BadSpec:
        return f"Odds: nobody reckons them for {setup.game.title} here."
    whom = "another hand" if others == 1 else f"{others} other hands"
    text = f"Odds: {100 * share:.0f} % of the pot against {whom}, whatever they are"
    if not legal.to_call:
        return f"{text}."
    price = 100 * legal.to_call / (pot + legal.to_call)
    return f"{text}; calling {legal.to_call} into {pot} takes {price:.0f} %."


def review(setup: Setup, hand: Hand, coach: Coach | None) -> Iterator[str]:
    """Yield what a person's decisions in a hand were worth, with what they could see, and how the hand ended."""
    seat, taken = setup.seat, list(hand.public().log)
    mine = [number for number, one in enumerate(taken) if one.seat == seat]
    for place, number in enumerate(mine, 1):
        before = hand.replay(hand.log[:number])
        view = before.view(seat)
        done = does(setup.names[seat], *verb(taken[number].action, taken[number].paid))
        yield f"Decision {place} of {len(mine)}: {view.text(setup.names)}. {done}."
        others = len(view.public.live) - 1
        if not (view.legal.discards or view.legal.lays):
            yield odds_line(setup, view.hole, view.public.boards, others, view.pot, view.legal)
        yield from (f"  {line}" for line in (coach(before, seat) if coach is not None else ()))
    if not mine:
        yield "You had nothing to decide in this hand."
    if coach is not None:
        yield from coach(hand, seat)
