"""Study a famous hand: load it, show it street by street, and compute what a call would have won.

2003, the last two of 839 players: Chris Moneymaker has moved all-in with king high, and Sam Farha folds a
pair of nines.
"""

import attrs

from poker_actors import history
from poker_actors.history import ActionKind, ActionStep

BLUFF = """
variant = 'NT'
antes = [5_000, 5_000]
blinds_or_straddles = [20_000, 40_000]  # heads-up the button posts the small one
min_bet = 40_000
starting_stacks = [3_770_000, 4_620_000]
actions = [
  'd dh p1 Qs9h',
  'd dh p2 Ks7h',
  'p2 cbr 100000',
  'p1 cc',
  'd db 9s2d6s',
  'p1 cc',
  'p2 cc',
  'd db 8s',  # Moneymaker: a flush draw and a straight draw
  'p1 cbr 300000',
  'p2 cbr 800000',
  'p1 cc',
  'd db 3h',  # and now he has nothing
  'p1 cc',
  'p2 cbr 3715000',
  'p1 f',
]
event = 'World Series of Poker, Main Event'
year = 2003
players = ['Sam Farha', 'Chris Moneymaker']
"""


def main() -> None:
    """Print the hand, then the hand with a call instead of the last fold, and what the call risked."""
    [hand] = history.parse(BLUFF)
    print("\n".join(history.drawing(hand)))

    *before, fold = hand.steps
    assert isinstance(fold, ActionStep)
    called = attrs.evolve(hand, steps=(*before, ActionStep(fold.player, ActionKind.CALL)))
    print("\nWhat if he had called?")
    print("\n".join(history.drawing(called)[-6:]))

    decision = history.replay(attrs.evolve(hand, steps=tuple(before))).hand
    cost = decision.legal.to_call
    folded, won = history.replay(hand).payoffs, history.replay(called).payoffs
    assert folded is not None
    assert won is not None
    gain = won[fold.player] - folded[fold.player]
    print(f"\nThe call costs {cost:,} and wins {gain:,} when the raise is a bluff:")
    print(f"it pays when more than {cost / (cost + gain):.0%} of such raises are.")


if __name__ == "__main__":
    main()
