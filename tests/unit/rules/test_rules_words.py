"""A moment of a hand in one sentence."""

from __future__ import annotations

import pytest

from poker_actors.actors import HandState, Room, StepRuntime
from poker_actors.cards import Deck
from poker_actors.rules import GAMES, Bet, Call, Check, Hand, Lay, Stakes
from poker_actors.rules.cash import HandOptions
from poker_actors.rules.words import state_text

NAMES = ("ann", "bob", None)


def test_a_flop_is_said_as_people_say_it() -> None:
    hand = Hand([200, 200], Stakes(1, 2), deck=Deck.stacked(["AsKd", "QhJh"], "7c3sAc2d2h"))
    hand.act(Call())
    hand.act(Check())
    hand.act(Bet(20))
    assert state_text(hand.public(), NAMES) == "Flop 7c 3s Ac, pot 24; ann to call 20 of 198"
    assert state_text(hand.public(), NAMES, turn=False) == "Flop 7c 3s Ac, pot 24"
    assert hand.view(0).text(NAMES) == "You hold As Kd. Flop 7c 3s Ac, pot 24; you to call 20 of 198"
    assert hand.view(1).text() == "You hold Qh Jh. Flop 7c 3s Ac, pot 24; seat 0 to call 20 of 198"


def test_an_end_says_who_showed_and_who_won() -> None:
    hand = Hand([200, 200], Stakes(1, 2), deck=Deck.stacked(["AsKd", "QhJh"], "7c3sAc2d2h"))
    while not hand.over:
        hand.check_or_call()
    text = hand.view(0).text(NAMES)
    assert text == ("You hold As Kd. Showdown 7c 3s Ac 2d 2h; bob shows Qh Jh; you show As Kd; you win 4")


def test_a_hand_that_nobody_called_ends_on_its_street_and_not_at_a_showdown() -> None:
    hand = Hand([200, 200], Stakes(1, 2), deck=Deck.stacked(["AsKd", "QhJh"], "7c3sAc2d2h"))
    hand.check_or_call()
    hand.check_or_call()
    hand.act(Bet(10))
    hand.fold()
    assert state_text(hand.public(), NAMES) == "Flop 7c 3s Ac; the others folded; bob wins 4"
    hand = Hand([200, 200], Stakes(1, 2), deck=Deck.stacked(["AsKd", "QhJh"], "7c3sAc2d2h"))
    hand.fold()
    assert state_text(hand.public(), NAMES) == "Preflop; the others folded; bob wins 2"


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_state_of_every_game_has_words_without_a_hidden_card(name: str) -> None:
    game = GAMES[name]
    size = min(3, game.max_seats)
    hand = Hand([60 * game.stakes.min_bet] * size, game.stakes, deck=Deck.seeded(4, game.pack), game=game)
    while not hand.over:
        to_act = hand.to_act[0]
        for seat in range(size):
            text = hand.view(seat).text()
            assert text.count(" to ") == 1
            assert ("you to " in text) == (seat == to_act)
            known = {*hand.holes[seat], *(card for cards in (*hand.boards, *hand.open) for card in cards)}
            layout = hand.public().layout
            if layout is not None:
                known |= {card for rows in layout.rows for row in rows for card in row}
            assert not {str(card) for card in hand.cards if card not in known} & set(
                text.replace(".", "").replace(",", "").split()
            )
        hand.act(hand.legal.passive)
    assert ("win" in hand.view(0).text()) == bool(hand.public().won or any(hand.payoffs))


def test_the_words_of_a_turn_say_what_is_to_be_done() -> None:
    def first(name: str) -> str:
        game = GAMES[name]
        hand = Hand([60 * game.stakes.min_bet] * 2, game.stakes, deck=Deck.seeded(4, game.pack), game=game)
        return state_text(hand.public()).rpartition("; ")[2]

    assert first("open-face") == "seat 1 to lay cards"
    assert first("pineapple").endswith("to throw away 1 card")
    assert " to bring in " in first("stud")
    draw = GAMES["five-card-draw"]
    hand = Hand([200, 200], draw.stakes, deck=Deck.seeded(4), game=draw)
    hand.act(Call())
    hand.act(Check())
    assert state_text(hand.public()).endswith("to exchange up to 5 cards")


def test_in_open_face_the_rows_are_said_and_what_was_won_by_points() -> None:
    game = GAMES["open-face"]
    hand = Hand([50, 5], game.stakes, deck=Deck.seeded(1), game=game)
    top, middle, fourth, *bottom = hand.holes[1]
    assert state_text(hand.public(), NAMES) == "First; bob to lay cards"
    hand.act(Lay((), (middle, top), (fourth, *bottom)))
    rows = f"- / {middle} {top} / {' '.join(map(str, (fourth, *bottom)))}"
    assert state_text(hand.public(), NAMES) == f"First; bob has {rows}; ann to lay cards"
    while not hand.over:
        hand.check_or_call()
    winner, won = max(enumerate(hand.payoffs), key=lambda one: one[1])
    assert won == 5
    assert state_text(hand.public(), NAMES).endswith(f"; {NAMES[winner]} wins 5")
    assert state_text(hand.public(), NAMES).count(" wins ") == 1


def test_boards_without_a_card_are_not_said() -> None:
    options = HandOptions(bomb_pot=4, bomb_boards=2)
    hand = Hand([200, 200], Stakes(1, 2), deck=Deck.seeded(1), game=GAMES["pineapple"], options=options)
    assert state_text(hand.public(), turn=False) == "Preflop, pot 8"


def test_a_player_of_a_room_has_words_with_names() -> None:
    with Room(StepRuntime(), seed=3) as room:
        told: list[str] = []
        players = [room.player(name, "caller") for name in ("ann", "bob")]
        players[0].listen(lambda news: told.append(news.text()) if isinstance(news, HandState) else None)
        table = room.open_table(seats=2, stakes="1/2")
        for seat, player in enumerate(players):
            room.bank.deposit(player.name, 200)
            table.sit(player, seat)
            table.buy_in(player, 200)
        table.deal(Deck.seeded(1)).result()
    assert told[0].endswith("Preflop, pot 3; bob to call 1 of 199")
    assert any("you to check or bet, with 198" in text for text in told)
