"""What a client is shown is enough for a bot: it may do what the server says it may."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from poker_actors.errors import BadSpec
from poker_actors.rules import Legal
from poker_actors.rules.legal import LEGAL_FIELDS
from poker_actors.server import PROFILES
from poker_actors.server.hspe import Order, game_json
from poker_actors.wire.hspe.picture import board_of, hole_of, public_of

if TYPE_CHECKING:
    from tests.unit.server.conftest import House


def bounds(legal: Legal) -> list[int]:
    """All that the seat to act may do, whoever it is."""
    return [getattr(legal, name) for name in LEGAL_FIELDS if name != "seat"]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(6))
def test_a_client_sees_the_bounds_cards_and_chips_the_table_has(
    house: House, profile: str, seed: int
) -> None:
    luck = Random(seed)
    game, _ = house.game_of(*"abcdef"[: 2 + seed % 5])
    for _ in range(150):
        if game.turn is None:
            break
        state = game.turn.state
        shown = game_json(game, PROFILES[profile], game.turn.user)
        seen = public_of(shown)
        place = seen.seats_to_act[0]
        assert bounds(seen.legal(place)) == bounds(state.legal)
        assert (hole_of(shown), board_of(shown)) == (
            tuple(sorted(state.hole, key=str)),
            tuple(
                card
                for part in (state.board[:3], state.board[3:4], state.board[4:])
                for card in sorted(part, key=str)
            ),
        )
        assert (seen.pot, seen.phase, seen.bet) == (state.pot, state.phase, state.public.bet)
        assert len(seen.seats_live) == len(state.public.seats_live)
        assert len(seen.seats_to_act) == len(state.public.seats_to_act)
        legal = state.legal
        amounts = [legal.to_call] * 4
        if legal.can_raise:
            top = (
                legal.max_raise_to
                if luck.random() < 0.05
                else min(legal.max_raise_to, legal.min_raise_to * 3)
            )
            mine = state.public.chips_in_front[state.seat]
            amounts += [luck.randint(legal.min_raise_to, top) - mine] * 2
        game.act(game.turn.user, Order(None if luck.random() < 0.1 else luck.choice(amounts)))
        house.run()
        assert game.invalid_bet is None
    assert game.hands


def test_nobody_to_act_is_no_picture(house: House) -> None:
    game, _ = house.game_of("ann")
    with pytest.raises(BadSpec):
        public_of(game_json(game, PROFILES["readme"]))
