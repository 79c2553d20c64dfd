"""Promises of one's own: `poker-actors debug --seed 3 --bot maniac --bot tight --promise examples/broken/promises.py:small_pots`."""

from poker_actors.actors import messages
from poker_actors.debug import Moment, always, eventually, never
from poker_actors.rules import Fold


@always
def small_pots(moment: Moment) -> bool:
    """Hold while the pot is below 60 chips: a maniac breaks it."""
    return moment.hand is None or moment.hand.pot < 60


@never
def fold_for_nothing(moment: Moment) -> bool:
    """Tell of a fold by somebody who could have checked."""
    act = moment.message
    if not isinstance(act, messages.Act) or moment.hand is None or act.action != Fold():
        return False
    before = moment.hand.replay(moment.hand.log[:-1])
    return before.legal.passive != Fold()


@eventually
def showdown(moment: Moment) -> bool:
    """Ask that some hand of the session comes to a showdown."""
    return moment.hand is not None and moment.hand.over and len(moment.hand.live) > 1
