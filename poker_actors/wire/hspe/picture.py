"""Convert a game, as the server shows it, to the public state that our bots read."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand, PublicState, Stakes

__all__ = ["STAKES", "board_of", "hole_of", "public_of"]

STAKES: Final = Stakes(10, 20)
"""The stakes of the contract."""
_SENSELESS: Final = 2**53
"""Above this a minimum raise is the Go server's integer underflow: no wealth can reach it."""


def hole_of(game: dict[str, Any]) -> tuple[Card, ...]:
    """Return this player's hole cards; empty when not dealt in."""
    return _read(game["cards"]["hole"])


def board_of(game: dict[str, Any]) -> tuple[Card, ...]:
    """Return the common cards."""
    cards = game["cards"]
    return _read(cards["flop"]) + _read(cards["turn"]) + _read(cards["river"])


def _read(cards: list[str] | None) -> tuple[Card, ...]:
    return parse_cards(" ".join(card[0] + card[1:].lower() for card in cards or ()))


def public_of(game: dict[str, Any], stakes: Stakes = STAKES) -> PublicState:
    """Return what the table sees, at somebody's turn, seats being places in the game's `table`.

    The contract does not say who put what into earlier rounds, nor what was done in which order:
    earlier chips are shared out evenly among those in their pots, and the log of actions is empty.
    Raises `BadSpec` for a game in which nobody is to act.
    """
    table = game["table"]
    places = {player["playerID"]: place for place, player in enumerate(table)}
    active = places.get(game["turn"]["playerID"])
    if active is None:
        raise BadSpec("nobody is to act")
    bets = tuple([player["bet_so_far"] for player in table])
    behind = [player["wealth"] for player in table]
    pots = game["pots"] or []
    dealt = {places[one] for pot in pots for one in pot["players"] if one in places}
    live = tuple([place for place, player in enumerate(table) if player["state"] != "folded"])
    small, big, button = _positions(table, sorted(dealt | set(live)))
    earlier = sum(pot["size"] for pot in pots) - sum(bets)
    sharing = sorted(dealt | set(live))
    stacks = [0] * len(table)
    for place in sharing:
        stacks[place] = behind[place] + bets[place] + earlier // len(sharing)
    stacks[sharing[0]] += earlier % len(sharing)
    # players who are not in the hand have no chips in it
    left = tuple([chips if place in sharing else 0 for place, chips in enumerate(behind)])
    board = board_of(game)
    street = {0: 0, 3: 1, 4: 2}.get(len(board), 3)
    blank = _blank(stakes).dealt
    setup = blank.setup._replace(stacks=tuple(stacks), button=button, small_blind=small, big_blind=big)
    waiting = [place for place in live if table[place]["state"] == "active" and place != active]
    order = sorted(waiting, key=lambda place: (place - active) % len(table))
    opened = blank._replace(setup=setup, street=street, board=board, marks=(0,) * (street + 1))
    bet = game["turn"]["bet_to_player"]
    least = _least_raise(game["turn"], stakes)
    return PublicState(opened, 0, left, bets, live, (active, *order), bet, least)


@cache
def _blank(stakes: Stakes) -> PublicState:
    """Return the state of some hand at these stakes, to be filled in."""
    return Hand([stakes.big_blind] * 2, stakes, deck=Deck.seeded(0)).public()


def _positions(table: list[dict[str, Any]], dealt: list[int]) -> tuple[int, int, int]:
    """Return small blind, big blind and button, guessed where the server does not mark them."""
    marked = [place for place in dealt if table[place].get("small_blind", table[place].get("small blind"))]
    small = marked[0] if marked else dealt[0]
    around = sorted(dealt, key=lambda place: (place - small) % len(table))
    big = around[1 % len(around)]
    return small, big, around[0] if len(around) == 2 else around[-1]


def _least_raise(turn: dict[str, Any], stakes: Stakes) -> int:
    """Return the total of the smallest raise; 0 when none is possible."""
    bet, least = turn["bet_to_player"], turn["minimum_raise"]
    if least > _SENSELESS:
        return 0
    if not bet:
        return int(max(least, stakes.min_bet))
    return int(bet + least) if least else 0
