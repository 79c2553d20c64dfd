"""Draws, open cards and halves at the terminal: what a person reads and types."""

from __future__ import annotations

import pytest

from poker_actors.cards import parse_cards
from poker_actors.console import Session, holdem_setup
from poker_actors.console.play import play_plain
from poker_actors.console.setup import choices, help_for, read_order
from poker_actors.console.telling import Teller
from poker_actors.errors import IllegalAction
from poker_actors.rules import GAMES, BringIn, Discard, Lay, Legal, Stakes
from poker_actors.rules.laying import LayLegal
from poker_actors.rules.legal import BringInLegal, DiscardLegal
from tests.rulebook.test_rulebook_open_face import FOUL, LOW, QUEENS, laid_out

HOLE = parse_cards("TdKhJc8hKs")


def talk(game: str, *lines: str, seed: int = 4, players: int = 6) -> list[str]:
    """What a person who types `lines`, and then leaves, is told."""
    said: list[str] = []
    typed = iter(lines)
    setup = holdem_setup(seed=seed, players=players, stakes=Stakes(1, 2), game=game)

    def read(prompt: str) -> str | None:
        line = next(typed, None)
        said.append(f"{prompt}{line}")
        return line

    play_plain(Session(setup), read, said.append)
    return said


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("d Td Kh", "TdKh"),
        ("discard ks", "Ks"),
        ("D TDKH ks", "TdKhKs"),
        ("p", ""),
        ("stand pat", ""),
        ("c", ""),
    ],
)
def test_cards_are_named_to_throw_them_away(text: str, cards: str) -> None:
    legal = DiscardLegal(0, 5, 0, 200, HOLE)
    assert read_order(text, legal) == Discard(parse_cards(cards))


def test_a_card_one_does_not_hold_is_not_thrown_away() -> None:
    with pytest.raises(IllegalAction, match="does not hold 2c"):
        read_order("d 2c", DiscardLegal(0, 5, 0, 200, HOLE))


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("x", DiscardLegal(0, 5, 0, 200, HOLE)),
        ("x", BringInLegal(0, 2, 4, 4, all_in_total=100)),
        ("i", Legal(1, 12, 24, 200, all_in_total=200)),
        ("2c / Kd Ks / -", Legal(1, 12, 24, 200, all_in_total=200)),
        ("2c / Kd", LayLegal(0, parse_cards("2cKdKsAhAd"), (3, 5, 5), 0, 0)),
    ],
)
def test_what_is_typed_in_another_game_is_no_order(text: str, legal: Legal) -> None:
    with pytest.raises(IllegalAction, match=f"'{text}' is not an order"):
        read_order(text, legal)


def test_rows_are_laid_from_the_top() -> None:
    legal = LayLegal(0, parse_cards("2cKdKsAhAd"), (3, 5, 5), 0, 0)
    laid = Lay(parse_cards("2c"), parse_cards("KdKs"), parse_cards("AhAd"))
    assert read_order("2c / Kd Ks / Ah Ad", legal) == laid
    with pytest.raises(IllegalAction, match="'zz' is not a row of cards"):
        read_order("zz / Kd Ks / Ah Ad", legal)


def test_help_is_of_the_turn() -> None:
    lays, draws = LayLegal(0, HOLE, (3, 5, 5), 0, 0), DiscardLegal(0, 5, 0, 200, HOLE)
    assert [help_for(legal)[:14] for legal in (lays, draws)] == ["Type the cards", "Type d As Kd t"]
    assert [choices(legal) for legal in (lays, draws)] == [
        f"{lays}, such as {lays.passive}",
        "discard up to 5, such as d As Kd, or stand pat",
    ]


def test_a_bring_in_is_paid_or_completed() -> None:
    legal = BringInLegal(0, 2, 4, 4, all_in_total=100)
    assert read_order("i", legal) == BringIn()
    assert read_order("c", legal) == BringIn()
    assert choices(legal) == "bring in 2, raise to 4"


def test_a_draw_is_told_to_who_draws_and_its_count_of_the_others() -> None:
    said = talk("2-7-triple-draw", "c", "d 2c", "d Td Kh ks")
    assert "Not possible: discard 2c: seat 0 does not hold 2c" in " ".join(said)
    drawn = said.index("You discard 3 cards.")
    assert said[drawn + 1].startswith("You draw ")
    assert said[drawn + 1].count("Jc") == 1
    assert any(line.endswith("discards 3 cards.") and line.startswith("maniac") for line in said)


@pytest.mark.parametrize("game", [one.name for one in GAMES.values() if not (one.capped or one.open_face)])
def test_any_game_is_played_to_its_end(game: str) -> None:
    players = min(6, GAMES[game].max_seats)
    hands = {"d": 0}

    def read(prompt: str) -> str | None:
        hands["d"] += 1
        if "Discard" in prompt and "stand pat" not in prompt:
            hole = session.sitting.state.hole  # type: ignore[union-attr]
            must = session.legal.must_discard
            return "d " + " ".join(map(str, hole[:must]))
        return "c" if hands["d"] < 40 and "yes or no" not in prompt else ("yes" if "yes" in prompt else None)

    session = Session(holdem_setup(seed=7, players=players, stakes=Stakes(2, 4), game=game))
    said: list[str] = []
    play_plain(session, read, said.append)
    assert not [line for line in said if line.startswith("Not possible")]
    assert said[-1].startswith("You leave with ")


def test_open_cards_are_told() -> None:
    said = talk("stud", "c", "c", players=3)
    third = next(line for line in said if line.startswith("Third, pot "))
    assert "; you have " in third
    assert third.count(" up") == 3


def test_both_boards_of_a_bomb_pot_are_told_and_who_wins_which() -> None:
    played = (talk("double-board-holdem", *["c"] * 8, seed=seed, players=3) for seed in range(30))
    said = next(lines for lines in played if any("board 1 of the pot" in line for line in lines))
    flop = next(line for line in said if line.startswith("Flop "))
    boards = flop.removeprefix("Flop ").partition(",")[0].split(" / ")
    assert [len(parse_cards(board.replace(" ", ""))) for board in boards] == [3, 3]
    shown = next(line for line in said if " shows " in line)
    assert shown.count(" / ") == 1, "a hand in words on each board"
    won = [line for line in said if "of the pot" in line]
    assert any("board 1" in line for line in won)
    assert any("board 2" in line for line in won)


def test_of_a_deal_in_fantasy_land_nothing_is_told_of_who_had_no_chips_left_for_it() -> None:
    hand = laid_out(QUEENS, FOUL, LOW, stacks=[200, 5, 200])
    teller = Teller(holdem_setup(seed=1, players=3, stakes=Stakes(1, 2), game="open-face"))
    scores = []
    while True:
        scores.append([line for line in teller._scores(hand.public()) if " points, " in line])
        if hand.over:
            break
        hand.check_or_call()
    assert [len(lines) for lines in scores if lines] == [3, 2]
