"""Acts of the contract: read a client's order from JSON and turn it into a poker action."""

from __future__ import annotations

import attrs

from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.rules import Action, Call, Fold, PublicState
from poker_actors.server.contract import bodies
from poker_actors.server.hspe.profile import Profile
from poker_actors.server.hspe.turn import Key, key_of
from poker_actors.server.shapes import check, object_of


@attrs.frozen
class Order:
    """Fold, for `amount` None, or put `amount` chips in now; a bet of 0 is a check."""

    amount: int | None

    def plain(self) -> list[int | None]:
        """Return its fields, for JSON."""
        return [self.amount]


def read_order(body: bytes, profile: Profile) -> tuple[Order, Key | None]:
    """Read an Act, ``{"action": 0|1, "betAmount": chips}``, and the turn's `hand_id` and `seq` if given.

    Raises `BadSpec` for a body that is not an Act.
    """
    plain = object_of(body)
    if plain is None:
        raise BadSpec("Couldn't read request: an act is a JSON object")
    if profile.loose_orders:
        lower = {key.lower(): value for key, value in plain.items()}
        plain = lower | {"action": lower.get("action", 0), "betAmount": lower.get("betamount", 0)}
    try:
        act = check(bodies.Act, plain)
    except BadSpec as error:
        raise BadSpec(f"Couldn't read request: {error}") from None
    if act["action"] == bodies.FOLD:
        return Order(None), key_of(act)
    if act["action"] != bodies.BET and not profile.loose_orders:
        raise BadSpec(f"action {act['action']} is none of 0 fold, 1 bet")
    amount = act["betAmount"]
    if amount < 0 and not profile.negative_folds:
        raise BadSpec(f"betAmount {amount} is below 0")
    return Order(amount), key_of(act)


def action_of(order: Order, public: PublicState, seat: int) -> Action:
    """Return the action that an order means for the seat to act; raises `IllegalAction` for an invalid bet.

    The contract has four invalid bets: negative, above the wealth, below the call without being all-in, a raise below
    the minimum. A bet above the call when no raise is allowed (all others are all-in, or a short all-in has not
    reopened the betting) is none of these: it is a call.
    """
    if order.amount is None:
        return Fold()
    action = public.action_for(seat, order.amount)
    legal = public.legal(seat)
    if action not in legal:
        if not legal.can_raise and legal.to_call:
            return Call()
        raise IllegalAction(legal.refusal(action) or f"{action} is not legal")
    return action
