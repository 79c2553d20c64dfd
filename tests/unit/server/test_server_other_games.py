"""Tables of stud, draw and hi-lo on the server: how they are asked for, what is seen of them, and what HSPE says."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from poker_actors.actors import LiveHand, Table
from poker_actors.actors.table.messages import Deal
from poker_actors.bots import HandStart
from poker_actors.bots.adaptive import Adaptive
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.rules import GAMES, Action, Fold, Hand, Lay, PublicState, View
from poker_actors.rules import Game as Rules
from poker_actors.rules.games import Rotation
from poker_actors.rules.games.registry import ROTATIONS as ROTATIONS_KNOWN
from poker_actors.server.hspe import SERVED, Game, NamedAction, Order, read_move, read_setting
from poker_actors.server.hspe.hearing import HandsHeard
from tests.unit.server.conftest import House, picture

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES_SERVED = [game.name for game in SERVED if isinstance(game, Rules)]
ROTATIONS = [game.name for game in SERVED if isinstance(game, Rotation) and not game.choice]
ROTATIONS += ["holdem+razz", "open-face+double-board-holdem+badugi"]


def table_of(house: House, game: str, players: int = 3, **more: int) -> Game:
    """Open a table and seat so many; the first hand is dealt."""
    users = [house.user(f"player {number}") for number in range(players)]
    made, _ = house.lobby.make(
        users[0], read_setting(json.dumps({"game": game, **more}).encode(), users[0].id)
    )
    for user in users[1:]:
        house.lobby.join(user, made.id)
    house.run()
    return made


def move_in(game: Game, throw: int = 2) -> None:
    """Take the turn: bring in, throw cards away, or check and call."""
    assert game.turn is not None
    state = game.turn.state
    legal = state.legal
    if legal.lays:
        assert isinstance(legal.passive, Lay)
        move = NamedAction("lay", rows=legal.passive.rows)
    elif legal.discards:
        cards = state.hole[: legal.must_discard or min(throw, legal.discards)]
        move = NamedAction("discard", cards=cards)
    elif legal.bring_in:
        move = NamedAction("bring_in")
    else:
        move = NamedAction("check" if legal.can_check else "call")
    game.take(game.turn.user, move)


def drawing(game: Game) -> bool:
    return game.public is not None and game.public.drawing


def pictures(game: Game) -> dict[str | None, dict[str, Any]]:
    """Give what everybody sees, a spectator under None."""
    return {owner: picture(game, owner) for owner in (None, *game.roster.playing)}


def test_every_game_there_is_can_be_served_but_the_console_s() -> None:
    assert {*GAMES_SERVED} == {game.name for game in GAMES.values() if not game.capped}
    assert {game.name for game in SERVED if isinstance(game, Rotation)} == {*ROTATIONS_KNOWN}


@pytest.mark.parametrize("name", GAMES_SERVED)
def test_a_hand_of_every_game_is_played_to_its_end_and_nobody_sees_a_hidden_card(
    house: House, name: str
) -> None:
    game = table_of(house, name, min(3, GAMES[name].max_seats))
    hand = game.hand_id
    while game.turn is not None and game.hand_id == hand:
        public = game.public
        assert public is not None
        held = {user_id: state.hole for user_id, state in game.dealt.items()}
        for owner, seen in pictures(game).items():
            for user_id, hole in held.items():
                seat = game.roster.playing[user_id].seat
                assert seat is not None
                check_seat(seen["seats"][seat], hole, public, mine=owner == user_id)
        move_in(game)
        house.run()
    assert game.hands >= 1
    assert house.wealth(game)


def heard_of(deck: Deck, name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Hand, dict[str, Any]]:
    """Play a hand of a game from this deck; return it, and what each member was told of it, by name."""
    monkeypatch.setattr(Table, "deal", lambda table, game=None: LiveHand(table.ask(Deal(deck.copy()))))
    house = House()
    played: list[Hand] = []
    house.lobby.on_ended.append(lambda game, hand, hand_id, players: played.append(hand))
    with house.room:
        game = table_of(house, name, min(3, GAMES[name].max_seats), pause=60)
        while not played:
            move_in(game)
            house.run()
        told: dict[str, Any] = {
            one.user.name: game.told.of(user_id) for user_id, one in game.roster.playing.items()
        }
        for one in told.values():
            assert {line.pop("hand_id") for line in one.values()} == {game.hand_id}
    return played[0], told


@pytest.mark.parametrize("name", GAMES_SERVED)
def test_members_of_a_game_hear_hands_begin_and_end_and_the_same_in_two_worlds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = Deck.seeded(3, GAMES[name].pack)
    key, order = deck.copy().reshuffle_key(), deck.copy().draw(len(deck))
    hand, told = heard_of(deck, name, monkeypatch)
    known_by_all = {card for cards in (*hand.boards, *hand.open) for card in cards}
    known_by_all |= {card for seat in hand.shown_seats() for card in hand.holes[seat]}
    layout = hand.public().layout
    known_by_all |= {card for rows in layout.rows for row in rows for card in row} if layout else set()
    for who, one in told.items():
        seat = one["start"]["seat"]
        assert {name for name in one["end"]["names"] if name} == {*told}
        assert one["end"]["names"][seat] == one["start"]["names"][seat] == who
        assert (one["end"]["payoffs"], one["end"]["seat"]) == (list(hand.payoffs), seat)
        thrown = {
            c for by, _, cards in (hand.extra.thrown if hand.extra else ()) if by == seat for c in cards
        }
        hidden = [c for c in hand.cards_dealt if c not in known_by_all | thrown | {*hand.holes[seat]}]
        assert not {str(card) for card in hidden} & set(re.findall(r"[2-9TJQKA][cdhs]", json.dumps(one)))
        spare = [card for card in order if card not in hand.cards_dealt]
        swapped = dict(zip(hidden, spare, strict=False)) | dict(zip(spare, hidden, strict=False))
        other = Deck([swapped.get(card, card) for card in order], entropy=-1, key=key)
        elsewhere, heard = heard_of(other, name, monkeypatch)
        if elsewhere.public() == hand.public() and elsewhere.holes[seat] == hand.holes[seat]:
            assert heard[who] == one


def test_a_bot_of_the_house_hears_what_its_opponents_do(house: House) -> None:
    user = house.user("ann")
    game, _ = house.lobby.make(user, read_setting(b'{"pause": 1, "think": 0}', user.id))
    house.lobby.seat_house(user, game.id, ("adaptive",))
    while game.hands < 3:
        if game.turn is not None and game.turn.user == user.id:
            game.take(user.id, NamedAction("check" if game.turn.state.legal.can_check else "fold"))
        house.run(1.0)
    (bot,) = [one.house for one in game.roster.playing.values() if one.house is not None]
    assert bot is not None
    assert isinstance(bot.decider, Adaptive)
    assert bot.decider._figures[True]["ann"].hands == game.hands == 3
    assert bot.faults.total == 0


class Shy:
    """A bot that must not hear anything."""

    def __call__(self, view: View) -> Action:
        return view.legal.passive

    def hand_started(self, start: HandStart) -> None:
        raise AssertionError("the hand of somebody else")


def test_who_has_left_hears_the_hand_out_and_whoever_has_the_seat_now_does_not(house: House) -> None:
    user = house.user("ann")
    game, _ = house.lobby.make(user, read_setting(b'{"pause": 60, "think": 0}', user.id))
    house.lobby.seat_house(user, game.id, ("caller",))  # a hand it folds is over before ann has left
    house.run()
    state = game.dealt[user.id]
    bot = next(one for one in game.roster.playing.values() if one.house is not None)
    assert bot.house is not None
    bot.house.decider = Shy()
    for at in ({}, {state.seat: bot}):
        heard = HandsHeard()
        heard.hear(user.id, state, at)
        start = heard.of(user.id)["start"]
        assert start is not None
        assert start["hand_id"] == state.hand_id
    assert bot.house.faults.total == 0


def test_nothing_is_kept_of_what_somebody_heard_who_has_left(house: House) -> None:
    game = table_of(house, "holdem", 3)
    gone = next(iter(game.roster.playing))
    assert game.told.of(gone)["start"]
    game.leave(gone)
    hand = game.hand_id
    while game.hand_id == hand:
        if game.turn is not None:
            move_in(game)
        house.run(1.0)
    assert game.told.of(gone) == {"start": None, "end": None}


def test_who_leaves_a_table_that_is_seen_late_hears_no_end_of_its_hand(house: House) -> None:
    game = table_of(house, "holdem", 3, watch_delay=60, pause=60)
    gone = next(user_id for user_id in game.roster.playing if game.turn and game.turn.user != user_id)
    stays = next(user_id for user_id in game.roster.playing if user_id != gone)
    hand = game.hand_id
    game.leave(gone)
    while game.turn is not None:
        move_in(game)
        house.run(1.0)
    told = game.told.of(stays)["end"]
    assert told is not None
    assert told["hand_id"] == hand
    assert game.told.of(gone)["end"] is None


def check_seat(seat: dict[str, Any], hole: tuple[Any, ...], public: PublicState, *, mine: bool) -> None:
    opened = [str(card) for card in public.open[seat["seat"]]]
    if mine:
        assert seat["cards"] == [str(card) for card in hole]
    elif seat["state"] in ("active", "all_in"):
        assert seat["cards"] is None
        assert seat["up"] == opened
        assert seat["hidden"] == len(hole) - len(opened)


def test_a_setting_names_a_game_and_has_as_many_seats_as_it_takes() -> None:
    assert read_setting(b'{"game": "stud"}', "me").seats == 8
    assert read_setting(b"{}", "me").seats == 10
    stakes = read_setting(b'{"game": "stud", "small_blind": 10, "big_blind": 20}', "me").stakes
    assert (stakes.ante, stakes.bring_in, stakes.min_bet, stakes.big_blind) == (5, 10, 20, 0)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"game": "tarock"}, "game 'tarock' must be one of holdem"),
        ({"game": "rows.py:SIX"}, "must be one of"),
        ({"game": 7}, "game 7 must be one of"),
        ({"game": "stud+rows.py:SIX"}, "game 'rows.py:SIX' must be one of"),
        ({"game": "stud+five-card"}, "five-card: it is a console game"),
        ({"game": "stud+"}, "game '' must be one of"),
        ({"game": "+".join(["stud"] * 17)}, "17 games in turn: the maximum is 16"),
        ({"game": "horse+stud"}, "game 'horse' must be one of"),
        ({"game": "horse", "seats": 9}, "seats 9 is not 2 to 8"),
        ({"game": "five-card"}, "it is a console game"),
        ({"game": "stud", "seats": 9}, "seats 9 is not 2 to 8"),
    ],
)
def test_a_game_no_table_can_be_of_is_refused_by_name(body: object, reason: str) -> None:
    with pytest.raises(BadSpec, match=reason):
        read_setting(json.dumps(body).encode(), "me")


@pytest.mark.parametrize("name", ROTATIONS)
def test_a_rotation_is_played_an_orbit_of_each_game_and_the_picture_has_the_game_of_the_hand(
    house: House, name: str
) -> None:
    games = Rotation.named(name)
    assert isinstance(games, Rotation)
    game = table_of(house, name, seats=3, pause=0)
    played: dict[int, Rules] = {}
    while len(played) < 3 * len(games.games) + 1:
        public, number = game.public, game.hands
        assert public is not None
        played[number] = public.setup.game
        seen = picture(game, None)
        assert (seen["plays"], seen["board_cards"]) == (played[number].title, played[number].board_cards)
        move_in(game)
        house.run()
    assert [*played.values()] == [games.at(number, 3) for number in range(len(played))]
    assert house.wealth(game)


def test_hspe_refuses_other_games_by_name(house: House) -> None:
    game = table_of(house, "razz")
    assert game.turn is not None
    with pytest.raises(
        TableRefusal, match="HSPE plays no-limit hold'em, but this table plays razz"
    ) as caught:
        game.act(game.turn.user, Order(0))
    assert caught.value.code == "other_game"


def test_a_table_of_another_game_comes_back_with_its_game_and_its_turns(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    made = table_of(house, "2-7-triple-draw")
    while not drawing(made):
        move_in(made)
        house.run()
    move_in(made)
    house.run()
    again = reopened().lobby.game(made.id)
    assert again.setting.game == "2-7-triple-draw"
    assert drawing(again)
    assert again.hand_id == made.hand_id


def test_who_leaves_in_a_draw_stands_pat_and_folds_with_the_next_bet(house: House) -> None:
    game = table_of(house, "badugi")
    while not drawing(game):
        move_in(game)
        house.run()
    assert game.turn is not None
    game.leave(game.turn.user)
    house.run()
    while drawing(game):
        move_in(game)
        house.run()
    assert game.public is not None
    assert len(game.public.seats_live) == 2


@pytest.mark.parametrize(
    "body",
    [
        b'{"act": "discard", "cards": "As"}',
        b'{"act": "discard", "cards": ["Az"]}',
        b'{"act": "discard", "cards": [1]}',
    ],
)
def test_a_discard_that_does_not_read_is_refused(body: bytes) -> None:
    with pytest.raises(BadSpec, match="cards"):
        read_move(body)


def test_a_discard_is_read_with_its_cards() -> None:
    move, _ = read_move(b'{"act": "discard", "cards": ["As", "Kd"]}')
    assert [str(card) for card in move.cards] == ["As", "Kd"]


@pytest.mark.parametrize("name", [name for name in GAMES_SERVED if not GAMES[name].open_face])
def test_who_wins_by_a_fold_may_show_on_any_street_and_what_is_no_hand_yet_has_no_words(
    house: House, name: str
) -> None:
    game = table_of(house, name, 2, pause=60)
    for turns in range(24):
        hand_id = game.hand_id
        for _ in range(turns):
            if game.turn is not None:
                move_in(game)
                house.run()
        was_whole = game.turn is None  # whoever folds later folds in no hand
        while game.turn is not None:
            if Fold() in game.turn.state.legal:
                game.take(game.turn.user, NamedAction("fold"))
            else:
                move_in(game)
            house.run()
        for user_id in [*game.roster.playing]:
            with suppress(TableRefusal):
                game.show(user_id)
        house.run()
        for told in pictures(game).values():  # which can be made at all
            for one in told["winners"] if name == "razz" else ():
                cards = [*(told["seats"][one["seat"]]["cards"] or ()), *told["board"]]
                whole = len(cards) >= (4 if name.startswith("badugi") else 5) and not told["boards"][1:]
                assert whole or not any([one["hand"], *[share["hand"] for share in one["shares"]]])
        house.run(60)
        assert game.hand_id != hand_id
        if was_whole:
            break
