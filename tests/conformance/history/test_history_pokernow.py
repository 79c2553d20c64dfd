"""PokerNow's log, by the shape of its public samples: the newest line first, totals in front, cards with suits as signs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from poker_actors.errors import BadHistory, BadSpec, Discrepancy, Unplayed
from poker_actors.history import HandHistory, Writer, entries, parse, replay


def log(*lines: str, oldest_first: bool = False) -> str:
    """Write lines, the oldest first, as PokerNow does."""
    out = io.StringIO()
    rows = [(line, "2026-09-15T18:44:06.093Z", number) for number, line in enumerate(lines)]
    csv.writer(out, lineterminator="\n").writerows(
        [("entry", "at", "order"), *(rows if oldest_first else rows[::-1])]
    )
    return out.getvalue()


HAND = (
    '-- starting hand #7 (id: abc)  No Limit Texas Hold\'em (dealer: "dee @ d") --',
    'Player stacks: #2 "ann @ a" (10.50) | #4 "bob @ b" (20.00) | #5 "cy @ c" (20.00) | #9 "dee @ d" (20.00)',
    '"ann @ a" posts a small blind of 0.10',
    '"bob @ b" posts a big blind of 0.20',
    '"cy @ c" posts a missing small blind of 0.10',
    '"cy @ c" posts a missed big blind of 0.20',
    '"cy @ c" checks',
    '"dee @ d" folds',
    '"ann @ a" raises to 10.50 and go all in',
    '"bob @ b" calls 10.50',
    '"cy @ c" folds',
    '"ann @ a" shows a A♠, A♦.',
    '"bob @ b" shows a 10♠, 10♦.',
    "Flop:  [9♦, K♣, J♥]",
    "Turn: 9♦, K♣, J♥ [9♥]",
    "River: 9♦, K♣, J♥, 9♥ [3♠]",
    "\"ann @ a\" collected 21.30 from pot with Two Pair, A's & 9's (combination: A♠, A♦, 9♦, 9♥, K♣)",
    "-- ending hand #7 --",
)


SHORT = (
    '-- starting hand #8 (id: abd)  No Limit Texas Hold\'em (dealer: "bob @ b") --',
    'Player stacks: #1 "ann @ a" (500) | #2 "bob @ b" (300)',
    "Your hand is 7♥, 6♣",
    '"bob @ b" posts a small blind of 5',
    '"ann @ a" posts a big blind of 10',
    '"bob @ b" raises to 30',
    '"ann @ a" calls 30',
    "Flop:  [10♦, Q♦, Q♣]",
    '"ann @ a" checks',
    '"bob @ b" bets 40',
    '"ann @ a" folds',
    'Uncalled bet of 40 returned to "bob @ b"',
    '"bob @ b" collected 60 from pot',
    "-- ending hand #8 --",
)
LOG = log(*HAND, 'The player "eve @ e" joined the game with a stack of 200.', *SHORT)


def one(*lines: str) -> HandHistory:
    (history,) = parse(log(*lines), "pokernow")
    return history


def test_hands_are_read_from_the_newest_line_to_the_oldest_and_agree(tmp_path: Path) -> None:
    place = tmp_path / "poker_now_log_abc.csv"
    place.write_text(LOG, encoding="utf-8")
    with place.open("rb") as stream:
        for found in (list(entries(place)), list(entries("-", stream))):
            hands = [entry.history for entry in found]
            assert [entry.error for entry in found] == [None, None]
            assert [hand.fields["hand"] for hand in hands if hand] == ["abd", "abc"], "the newest first"
            assert [replay(hand).payoffs for hand in hands if hand] == [(-30, 30), (1080, -1050, -30, 0)]


def test_a_missed_blind_is_posted_dead_and_live_and_decimals_are_exact() -> None:
    history = one(*HAND)
    assert history.scale == 100
    played = replay(history)
    assert played.payoffs is not None
    assert dict(zip(history.players, played.payoffs, strict=True)) == {
        "ann": 1080,
        "bob": -1050,
        "cy": -30,
        "dee": 0,
    }


def test_a_log_that_was_turned_round_is_read_as_well() -> None:
    (history,) = parse(log(*HAND, oldest_first=True), "pokernow")
    assert history == one(*HAND)


def test_two_players_of_one_name_keep_what_tells_them_apart() -> None:
    history = one(*[line.replace("bob @ b", "ann @ b") for line in HAND])
    assert set(history.players) == {"ann @ a", "ann @ b", "cy", "dee"}


def test_a_dead_button_lies_before_the_small_blind() -> None:
    dead = HAND[0].replace('dealer: "dee @ d"', "dead button")
    assert one(dead, *HAND[1:]).players == one(*HAND).players


def test_a_card_shown_for_fun_is_no_showdown() -> None:
    lines = [*HAND[:-2], '"dee @ d" shows a 7♥.', *HAND[-2:]]
    assert replay(one(*lines)).payoffs == replay(one(*HAND)).payoffs


def test_a_wrong_payout_is_found() -> None:
    with pytest.raises(Discrepancy):
        replay(one(*[line.replace("21.30", "21.40") for line in HAND]))


@pytest.mark.parametrize(
    ("old", "new", "kind", "reason"),
    [
        (
            "No Limit Texas Hold'em",
            "Pot Limit Omaha Five",
            Unplayed,
            "Pot Limit Omaha Five is not played here",
        ),
        ("Turn: ", "Turn (second run): ", Unplayed, "run more than once"),
        ("9♥]", "9x]", BadHistory, "are not cards"),
        ("#2 ", "#two ", BadHistory, "seats nobody"),
        ('dealer: "dee @ d"', 'dealer: "eve @ e"', BadHistory, "the dealer 'eve @ e' has no seat"),
        ("calls 10.50", "calls it", BadHistory, "'calls it' is not an action"),
        ("-- ending hand #7 --", "-- the end --", BadHistory, "ends before its last line"),
    ],
)
def test_what_cannot_be_read_is_named(old: str, new: str, kind: type[BadHistory], reason: str) -> None:
    with pytest.raises(kind, match=reason):
        parse(log(*[line.replace(old, new) for line in HAND], oldest_first=True), "pokernow")


def test_it_is_read_and_not_written(tmp_path: Path) -> None:
    with (
        pytest.raises(BadSpec, match="pokernow can be read, but not written"),
        Writer(tmp_path / "hands.csv") as writer,
    ):
        writer.write(one(*HAND))
    assert list(tmp_path.iterdir()) == []
