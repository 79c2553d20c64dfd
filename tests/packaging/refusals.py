"""Ask for impossible things and print the refusals, which the compiled build must word as the Python one does.

`python tests/packaging/refusals.py` prints one line per question, `the question: error, code, words`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from poker_actors.cards import Deck
from poker_actors.errors import PokerError
from poker_actors.rules import Bet, Call, Check, Discard, Fold, Hand, Positions, RaiseTo, Stakes
from poker_actors.rules.games import Betting, flop_streets, row

ODD: Final[tuple[Any, ...]] = (0.5, -1, 99, "1", None, True, 10**30)
"""Values given in place of a number."""


def hand(**changed: Any) -> Hand:
    """Return a hand of three, with some settings changed."""
    settings: dict[str, Any] = {
        "stacks": (100, 100, 100), "stakes": Stakes(1, 2), "deck": Deck.seeded(1), "button": 0,
    }  # fmt: skip
    return Hand(**settings | changed)


QUESTIONS: Final[dict[str, Callable[[Any], object]]] = {
    "button": lambda odd: hand(button=odd),
    "a stack": lambda odd: hand(stacks=(100, odd, 100)),
    "one stack": lambda odd: hand(stacks=(100,) * (odd if odd is True else 1)),
    "a blind": lambda odd: hand(stakes=Stakes(1, odd)),
    "an ante": lambda odd: hand(stakes=Stakes(1, 2, ante=odd)),
    "raise to": lambda odd: hand().raise_to(odd),
    "a raise": lambda odd: hand().act(RaiseTo(odd)),
    "a bet": lambda odd: hand().act(Bet(odd)),
    "chips put in": lambda odd: hand().put_in(odd),
    "a check": lambda odd: hand().act(Check()),
    "a discard": lambda odd: hand().act(Discard()),
    "an action": lambda odd: hand().act(odd),
    "refused": lambda odd: hand().legal.refusal(RaiseTo(odd)),
    "a card": lambda odd: Deck.stacked(["AsKs", str(odd)]),
    "cards drawn": lambda odd: Deck.seeded(1).draw(odd),
    "a seed": lambda odd: Deck.seeded(odd).draw(2),
    "positions": lambda odd: hand(positions=Positions(odd, 1, 2, (0, 1, 2))),
    "after the end": lambda odd: over().act(Call()),
    "raise after the end": lambda odd: over().raise_to(odd),
    "strengths": lambda odd: shown_down(lambda holes: [odd] * len(holes)).stacks,
    "no list of strengths": lambda odd: shown_down(lambda holes: odd).stacks,
}


def over() -> Hand:
    """Return a hand in which all but one have folded."""
    ended = hand()
    ended.act(Fold())
    ended.act(Fold())
    return ended


def shown_down(strengths: Callable[[Any], Any]) -> Hand:
    """Return a showdown in a game whose hands are ranked by `strengths` of hole cards, but for those of low cards."""

    def ranked(holes: Any, board: Any) -> Any:
        low = all(card.rank < 6 for card in (*holes[0], *board))
        return [1] * len(holes) if low else strengths(holes)

    game = row("own", "Own", flop_streets(2), Betting.NO_LIMIT, "high", strengths=ranked)
    shown = hand(game=game, deck=Deck.seeded(1, game.pack))
    for action in (RaiseTo(100), Call(), Call()):
        shown.act(action)
    return shown


def answer(ask: Callable[[Any], object], odd: Any) -> str:
    """Return the answer to one question: a value, one of our refusals, or the name of a Python error."""
    try:
        given = ask(odd)
    except PokerError as refused:
        return f"{type(refused).__name__}, {refused.code}, {refused}"
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        return type(error).__name__
    return f"taken: {given if isinstance(given, str | tuple) else type(given).__name__}"


def main() -> None:
    """Print every question with its answer."""
    for name, ask in QUESTIONS.items():
        for odd in ODD:
            print(f"{name} {odd!r}: {answer(ask, odd)}")


if __name__ == "__main__":
    main()
