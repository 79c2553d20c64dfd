"""Bots with a bug each, for the sessions beside this file."""

from poker_actors.rules import Action, Bet, Call, Check, Fold, RaiseTo, View


def calls(view: View) -> Action:
    """Check or call."""
    return Call() if view.to_call else Check()


def divides(view: View) -> Action:
    """Divide by what there is to call."""
    return Call() if view.public.pot / view.to_call > 1 else Fold()


def raises_by(view: View) -> Action:
    """Take the total of a raise for what it raises by."""
    by = view.to_call
    return RaiseTo(by) if by and view.public.seq < 4 else calls(view)


def answers_in_words(view: View) -> Action:
    """Answer with a word instead of an action."""
    return "call" if view.to_call else Check()  # type: ignore[return-value]


def bets_twice(view: View) -> Action:
    """Bet where somebody has bet before."""
    return Bet(10) if view.board else calls(view)


class Forgets:
    """Count hands, and look up a plan for each that was never made for the third."""

    def __init__(self) -> None:
        self.plans = {0: "call", 1: "call"}

    def __call__(self, view: View) -> Action:
        """Follow the plan of this hand."""
        if self.plans[view.hand_number or 0] == "call":
            return calls(view)
        return Fold()
