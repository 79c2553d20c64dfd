"""Bots with a bug each, for the sessions beside this file."""

from poker_actors.rules import Action, Bet, Call, Check, Fold, RaiseTo, View


def calls(view: View) -> Action:
    """Check or call."""
    return Call() if view.to_call else Check()


def divides(view: View) -> Action:
    """Divide by the chips to call, which may be zero."""
    return Call() if view.public.pot / view.to_call > 1 else Fold()


def raises_by(view: View) -> Action:
    """Confuse the total of a raise with the amount it raises by."""
    by = view.to_call
    return RaiseTo(by) if by and view.public.seq < 4 else calls(view)


def answers_in_words(view: View) -> Action:
    """Answer with a word instead of an action."""
    return "call" if view.to_call else Check()  # type: ignore[return-value]


def bets_twice(view: View) -> Action:
    """Bet although there is a bet already."""
    return Bet(10) if view.board else calls(view)


class Forgets:
    """Look up a plan for each hand, which the third hand does not have."""

    def __init__(self) -> None:
        self.plans = {0: "call", 1: "call"}

    def __call__(self, view: View) -> Action:
        """Follow the plan of this hand."""
        if self.plans[view.hand_number or 0] == "call":
            return calls(view)
        return Fold()
