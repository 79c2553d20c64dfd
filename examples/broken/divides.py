"""A bot with a bug to find: `poker-actors simulate --bot examples/broken/divides.py:bot --bot tight --bot loose`."""

from poker_actors.rules import Action, Call, Fold, View


def bot(view: View) -> Action:
    """Call where the pot offers more than even money."""
    odds = view.public.pot / view.to_call
    return Call() if odds > 1 else Fold()
