"""What a client is shown is enough for a bot: it may do what the server says it may."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from poker_actors.cards import parse_cards
from poker_actors.errors import BadSpec
from poker_actors.rules import GAMES, Legal
from poker_actors.rules.legal import LEGAL_FIELDS
from poker_actors.server import PROFILES
from poker_actors.server.hspe import Order, game_json
from poker_actors.server.live.ending import hand_so_far
from poker_actors.server.live.picture import picture
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


HELD = [
    ("holdem", "9d9h", "", "Pair of Nines"),
    ("holdem", "6d6h", "", "Pair of Sixes"),
    ("holdem", "Ts As", "", "Ace-Ten suited"),
    ("holdem", "7s Kd", "", "King-Seven offsuit"),
    ("holdem", "Ah7d", "As7c2h", "Two Pair, Aces and Sevens"),
    ("holdem", "Ah7d", "Ks9c2hTdQc", "High Card, Ace"),
    ("short-deck", "Ah7d", "8s9c6d", "Straight, Nine high"),
    ("omaha", "AhAs2d3c", "", None),
    ("omaha", "AhAs2d3c", "AdKcKh", "Full House, Aces full of Kings"),
    ("omaha", "AhKs2d3c", "AdKc9h", "Two Pair, Aces and Kings"),
    ("omaha8", "AhKs2d3c", "4d5c9h", "High Card, Ace"),
    ("omaha8", "AhKs2d3c", "4d5c8h", "High Card, Ace; 8-5-4-2-A low"),
    ("double-board-holdem", "AhKs", "Ad7c2h|KdKc2s", "Pair of Aces / Three of a Kind, Kings"),
    ("crazy-pineapple", "AhKs2d", "AdKc9h", "Two Pair, Aces and Kings"),
    ("irish", "AhKs2d2c", "2hKc9h", "Three of a Kind, Deuces"),
    ("stud", "AhKsAd", "", "Pair of Aces"),
    ("razz", "AhKs2d", "", None),
    ("razz", "Ah8s2d3c5h", "", "8-5-3-2-A low"),
    ("badugi", "Ah2s3d4c", "", "4-card 4-low"),
    ("open-face", "AhKs2d3c4c", "", None),
    ("leduc", "Kh", "", "High Card, King"),
    ("rhode-island", "Kh", "2h", None),
]


@pytest.mark.parametrize(("game", "hole", "boards", "words"), HELD, ids=lambda one: str(one)[:20])
def test_a_player_reads_what_is_held_so_far_in_words(
    game: str, hole: str, boards: str, words: str | None
) -> None:
    """By rule book: the omaha hand takes two and three cards, and cards still to be thrown away count if they help."""
    public = SimpleNamespace(
        setup=SimpleNamespace(game=GAMES[game]),
        seats_live=(1,),
        boards=tuple(parse_cards(board) for board in boards.split("|")),
    )
    assert hand_so_far(public, 1, parse_cards(hole)) == words  # type: ignore[arg-type]  # it has the fields read
    assert hand_so_far(public, 0, parse_cards(hole)) is None, "who has folded holds nothing"  # type: ignore[arg-type]  # it has the fields read


def test_pot_odds_are_the_share_of_such_pots_a_call_must_win(house: House) -> None:
    game, _ = house.game_of("ann", "bob")
    assert game.turn is not None
    legal = picture(game, game.turn.user)["you"]["legal"]
    assert (legal["to_call"], legal["pot"], legal["pot_odds"]) == (10, 30, 0.25)
    game.act(game.turn.user, Order(10))
    house.run()
    assert picture(game, game.turn.user)["you"]["legal"]["pot_odds"] is None
