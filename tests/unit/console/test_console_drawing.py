"""A table in words and its styles, from pictures made by hand."""

from poker_actors.cards import parse_cards
from poker_actors.console import five_card_setup, holdem_setup
from poker_actors.console.drawing import draw_cards, draw_rows, draw_words
from poker_actors.console.sitting import SeatPicture, TablePicture

SETUP = holdem_setup(seed=1, players=2, bots=["caller"])
YOU = SeatPicture(name="You", stack=198, bet=2, cards=parse_cards("AsKd"), words="Ace high")
CALLER = SeatPicture(name="caller", stack=200, hidden=2)


def table(*, board: str = "", marks: tuple[str, ...] = (), you: SeatPicture = YOU) -> TablePicture:
    return TablePicture((you, CALLER), (parse_cards(board),), 3, "flop" if board else "preflop", marks)


def test_a_table_in_words_has_board_and_marks_only_where_there_are_some() -> None:
    assert draw_words(SETUP, table()).plain.splitlines() == [
        "Your cards: As Kd  Ace high",
        "Pot 3  preflop",
        "You 198 bet 2, caller 200",
    ]
    marked = draw_words(SETUP, table(board="2c3d4h", marks=("", "open"))).plain.splitlines()
    assert marked[:2] == ["Your cards: As Kd  Ace high  (- open)", "Pot 3  flop  board 2c 3d 4h"]


def test_who_holds_no_cards_reads_none() -> None:
    out = draw_words(SETUP, table(you=SeatPicture(name="You", stack=0))).plain
    assert out.startswith("Your cards: none")


def style_of(seat: SeatPicture) -> str:
    """The style of the name in the line of this seat, in a table without a board."""
    drawn = draw_rows(SETUP, TablePicture((YOU, seat), ((),), 3, "third"))
    start = drawn.plain.index(seat.name)
    return next((str(span.style) for span in drawn.spans if span.start == start), "")


def test_who_has_folded_or_lost_all_is_dim_and_who_is_all_in_is_not() -> None:
    assert style_of(SeatPicture(name="caller", stack=5, bet=1, folded=True)) == "dim"
    assert style_of(SeatPicture(name="caller", stack=0, bet=0)) == "dim"
    assert style_of(SeatPicture(name="caller", stack=0, bet=9)) == ""
    assert style_of(SeatPicture(name="caller", stack=9, bet=0)) == ""


def test_hearts_and_diamonds_are_red_where_suits_count() -> None:
    def styles(cards: str, *, suits: bool = True) -> set[str]:
        rows = draw_cards(parse_cards(cards), suits_count=suits)
        return {str(span.style) for span in rows[1].spans}

    red, black = styles("Ad"), styles("As")
    assert red == styles("Ah")
    assert red != black == styles("Ac") == styles("Ad", suits=False)
    assert five_card_setup(seed=1).suits is False
