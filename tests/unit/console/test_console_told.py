"""What a person is told, line by line, over some hands of each kind of game: stored as text, to be read.

Run with POKER_SCREENS=write to store what is told now, and read the difference before committing it.
"""

import os
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from poker_actors.cards import Deck
from poker_actors.console import EventLog, Session, Setup, five_card_setup, holdem_setup
from poker_actors.console.telling import showdown_seats
from poker_actors.rules import Action, Call, Check, Fold, Hand, Legal
from poker_actors.rules.event import Mucked

TOLD = Path(__file__).parent / "told"


def table(game: str, seed: int, players: int, stacks: str = "100bb") -> Setup:
    bots = ["random", "maniac", "pot-odds"]
    return holdem_setup(seed=seed, players=players, bots=bots[: players - 1], game=game, stacks=stacks)


def chosen(legal: Legal, luck: Random) -> Action:
    """Most often the passive action, seldom a fold, else any of the first legal ones."""
    if luck.random() < 0.6:
        return legal.passive
    actions = list(islice(legal, 60))
    return luck.choice(actions if luck.random() < 0.2 else actions[1:] or actions)


def told(setup: Setup, hands: int, log: Path) -> list[str]:
    """All that is said to a person who acts by luck alone, and then the log."""
    session = Session(setup, EventLog(log, clock=lambda: datetime(2026, 1, 31, 12, tzinfo=UTC)))
    luck, lines = Random(setup.seed), list[str]()
    session.begin()
    for _ in range(hands):
        session.deal()
        while session.legal:
            session.act(chosen(session.legal, luck))
            lines += session.take_lines()
    session.leave()
    return [*lines, *session.take_lines(), "", *log.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("name", "setup", "hands"),
    [
        ("holdem", table("holdem", 30, 4, "6bb,9bb,30bb,14bb"), 4),
        ("double_board", table("double-board-holdem", 15, 4, "20bb"), 4),
        ("stud8", table("stud8", 12, 4), 3),
        ("omaha8", table("omaha8", 25, 4, "12bb"), 4),
        ("triple_draw", table("2-7-triple-draw", 44, 3), 2),
        ("pineapple", table("pineapple", 9, 2, "20bb"), 2),
        ("irish", table("irish", 15, 3, "20bb"), 2),
        ("open_face", table("open-face", 138, 2), 2),
        ("kuhn", table("kuhn", 14, 2), 3),
        ("five_card", five_card_setup(seed=119), 4),
        ("five_card_all_in", five_card_setup(seed=64), 4),
        ("five_card_fair", five_card_setup(seed=190, cpu="fair"), 4),
    ],
)
def test_what_is_told_is_what_was_read_once(name: str, setup: Setup, hands: int, tmp_path: Path) -> None:
    text = "".join(f"{line}\n" for line in told(setup, hands, tmp_path / "log"))
    path = TOLD / f"{name}.txt"
    if os.environ.get("POKER_SCREENS") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_in_the_five_card_game_the_beaten_hand_is_shown_and_not_mucked() -> None:
    session = Session(five_card_setup(seed=1, cpu="fair"))
    session.begin()
    session.deal()
    while session.legal:
        session.act(Call() if session.legal.to_call else Check())
    assert session.sitting.hand is not None
    assert any(isinstance(news, Mucked) for news in session.sitting.hand.events())
    assert sum(" shows " in line or line.startswith("You show ") for line in session.lines) == 2
    session.leave()


def test_a_round_that_ends_by_a_fold_has_no_showdown() -> None:
    setup = five_card_setup(seed=1)
    hand = Hand(setup.stacks, setup.stakes, deck=Deck.seeded(1), button=1, game=setup.game)
    hand.act(Check())
    assert showdown_seats(setup, hand) == ()
    hand.act(Fold())
    assert showdown_seats(setup, hand) == ()
