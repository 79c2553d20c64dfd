"""The competition's notation of a hand's betting: `cr300c/r900f`, raises as totals over the hand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.rules import Action, Bet, BringIn, Call, Check, Discard, Fold, Hand, Lay, RaiseTo

__all__ = [
    "action_text",
    "amounts_text",
    "betting_text",
    "hand_values",
    "play_betting",
    "put_in_before",
]


_TOKEN: Final = re.compile(r"r[0-9]{0,10}|[cf/]")
_BETTING: Final = re.compile(r"(?:r[0-9]{0,10}|[cf/])*")


def put_in_before(hand: Hand) -> int:
    """Return the chips that the seat to act has put in on earlier streets."""
    seat = hand.to_act[0]
    return hand.public().log.put_in[seat] - hand.bets[seat]


def action_text(hand: Hand, action: Action) -> str:
    """Write the action that the seat to act is about to take: `c`, `f`, `r`, in no-limit `r300`."""
    match action:
        case Fold():
            return "f"
        case Check() | Call():
            return "c"
        case Bet(total) | RaiseTo(total):
            if hand.game.bets_per_street:
                return "r"
            return f"r{put_in_before(hand) + total}"
        case BringIn() | Discard() | Lay():
            raise BadSpec(f"{action}: the competition's protocol has no draws and no bring-ins")


def betting_text(hand: Hand) -> str:
    """Return the actions so far, with `/` where a street ended."""
    parts = []
    sized = not hand.game.bets_per_street
    before, highest = 0, hand.stakes.big_blind
    for street, taken in enumerate(hand.public().log.streets()):
        if street:
            parts.append("/")
            before += highest
            highest = 0
        for one in taken:
            match one.action:
                case Fold():
                    parts.append("f")
                case Check() | Call():
                    parts.append("c")
                case Bet(highest) | RaiseTo(highest):
                    parts.append(f"r{before + highest}" if sized else "r")
    return "".join(parts)


def play_betting(hand: Hand, betting: str) -> None:
    """Play the actions of `betting`; raises `BadSpec` for one that does not fit the hand.

    Each part between two `/` must be a complete street.
    """
    if _BETTING.fullmatch(betting) is None:
        raise BadSpec(
            f"{betting[:60]!r} is no betting: c, f, r and / in a row, no-limit raises with a number"
        )
    street = 0
    for token in _TOKEN.findall(betting):
        if token == "/":
            street += 1
            if len(hand.marks) <= street:
                raise BadSpec(f"{betting[:60]!r}: street {street} ends with somebody to act")
            continue
        if hand.over or hand.street != street:
            why = "the hand is over" if hand.over else f"street {street + 1} has ended"
            raise BadSpec(f"{betting[:60]!r}: {token} where {why}")
        try:
            _play(hand, token)
        except IllegalAction as error:
            raise BadSpec(f"{betting[:60]!r}: {token}: {error}") from None
    if len(hand.marks) > street + 1:
        raise BadSpec(f"{betting[:60]!r}: a / is missing at its end")


def _play(hand: Hand, token: str) -> None:
    if token == "c":
        hand.check_or_call()
    elif token == "f":
        if not hand.legal.to_call:
            raise IllegalAction("nobody folds with nothing to call")
        hand.fold()
    elif hand.game.bets_per_street:
        if token != "r":
            raise IllegalAction("a raise in a limit game has no number")
        hand.raise_to(hand.legal.max_raise_to or 1)
    elif token == "r":
        raise IllegalAction("a no-limit raise needs the total it raises to")
    else:
        hand.raise_to(int(token[1:]) - put_in_before(hand))


def hand_values(hand: Hand) -> tuple[Fraction, ...]:
    """Return each player's win or loss in a finished hand, in chips and fractions of chips.

    They add up to 0 and differ from our payoffs only in odd chips.
    """
    spent = hand.public().log.put_in
    strengths = dict.fromkeys(hand.live, 0) if hand.strengths is None else {}
    strengths |= zip(hand.live, hand.strengths or (), strict=False)
    values = [Fraction(0)] * len(spent)
    level = 0
    for amount in sorted({*spent} - {0}):
        size, level = amount - level, amount
        inside = [player for player, chips in enumerate(spent) if chips >= amount]
        best = max([strengths.get(player, -1) for player in inside])
        winners = [player for player in inside if strengths.get(player, -1) == best]
        for player in inside:
            values[player] -= size
        for player in winners:
            values[player] += Fraction(size * len(inside), len(winners))
    return tuple(values)


def amounts_text(amounts: Iterable[Fraction]) -> str:
    """Join amounts with `|`: at most six decimals, without trailing zeros."""
    return "|".join([f"{float(amount):.6f}".rstrip("0").rstrip(".") for amount in amounts])
