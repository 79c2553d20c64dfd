"""The Poker Hand History standard as its authors and its data sets write it."""

from __future__ import annotations

import pytest

from poker_actors.errors import BadHistory, Discrepancy, Unplayed
from poker_actors.history import FORMATS, HandHistory, parse, replay

DWAN = """\
# A big pot between Dwan and Ivey.
variant = "NT"
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = [
  # Pre-flop
  "d dh p1 Ac2d",  # Ivey
  "d dh p2 ????",  # Antonius
  "d dh p3 7h6h",  # Dwan
  "p3 cbr 7000",  # Dwan
  "p1 cbr 23000",  # Ivey
  "p2 f",  # Antonius
  "p3 cc",  # Dwan
  # Flop
  "d db Jc3d5c",
  "p1 cbr 35000 # a bet of two thirds",
  "p3 cc",  # Dwan
  # Turn
  "d db 4h",
  "p1 cbr 90000",  # Ivey
  "p3 cbr 232600",  # Dwan
  "p1 cbr 1067100",  # Ivey
  "p3 cc",  # Dwan
  "p1 sm Ac2d",  # Ivey
  "p3 sm -",  # Dwan
  # River
  "d db Jh",
]
author = "Juho Kim"
event = "Million Dollar Cash Game"
year = 2009
players = ["Phil Ivey", "Patrik Antonius", "Tom Dwan"]
currency = "USD"  # money
_sponsors = ["", "Full Tilt"]
# the end
"""

SCRAPED = """\
[1]
variant = 'NT'
ante_trimming_status = false
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [200.30, 81.60, 197]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 f', 'p1 cbr 3.00', 'p2 f']
venue = 'Absolute Poker'
time = 00:00:09
day = 1
month = 7
year = 2009
hand = 3017237436
seats = [6, 3, 5]
table = 'INDIANA ST'
players = ['a', 'b', 'c']
winnings = [2, 0, 0]
currency_symbol = '$'
time_zone_abbreviation = 'ET'

[2]
variant = 'NT'
ante_trimming_status = false
antes = [0, 0, 0, 0]
blinds_or_straddles = [0.50, 1, 0, 0]
min_bet = 1
starting_stacks = [197.50, 50, 80.10, 14.60]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'd dh p4 ????', 'p3 cc', 'p4 f', 'p1 f', 'p2 cc', 'd db 6sJsAs', 'p2 cbr 1', 'p3 cbr 2', 'p2 f']
winnings = [0, 0, 4.30, 0]

[3]
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [247.10, 14.60, 200]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cc', 'p1 cc', 'p2 cc', 'd db 9s7h2c', 'p1 cc', 'p2 cc', 'p3 cc', 'd db 9d', 'p1 cc', 'p2 cc', 'p3 cc', 'd db 9c', 'p1 cc', 'p2 cc', 'p3 cc', 'p1 sm 8dAs', 'p2 sm ????', 'p3 sm ????']
"""

HEADS_UP = """\
variant = 'NT'
antes = [0, 3]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [82, 197]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']
finishing_stacks = [{finishing}]
"""


def one(text: str) -> HandHistory:
    [history] = parse(text)
    return history


def test_a_famous_hand_with_an_unknown_hand_and_a_dash() -> None:
    history = one(DWAN)
    assert replay(history).payoffs == (-553500, -2500, 556000)


def test_comments_stay_where_they_stood() -> None:
    text = FORMATS["phh"].text(one(DWAN), 0)
    assert text.startswith("# A big pot between Dwan and Ivey.\nvariant = 'NT'\n")
    assert "actions = [\n  # Pre-flop\n  'd dh p1 Ac2d',  # Ivey\n" in text
    assert "'p1 cbr 35000 # a bet of two thirds',\n  'p3 cc',  # Dwan\n  # Turn\n" in text
    assert "currency = 'USD'  # money\n" in text
    assert text.endswith("# the end\n")
    assert one(text) == one(DWAN)


def test_unknown_fields_stay() -> None:
    assert one(DWAN).fields["_sponsors"] == ["", "Full Tilt"]
    assert "_sponsors = ['', 'Full Tilt']" in FORMATS["phh"].text(one(DWAN), 0)


def test_hands_of_a_data_set_with_cents_rake_and_hidden_cards() -> None:
    first, second, third = parse(SCRAPED)
    assert [hand.scale for hand in (first, second, third)] == [100, 100, 100]
    assert replay(first).payoffs == (100, -100, 0)
    assert first.seats == (5, 2, 4)
    # 4.50 in the pot, 4.30 collected: the room took 0.20, which nobody wrote down
    assert replay(second).rake == 20
    assert replay(second).payoffs == (-50, -200, 430 - 200, 0)
    # three players go to the showdown and two hands stay hidden
    assert replay(third).payoffs is None


def test_heads_up_lists_what_the_first_and_the_second_to_post_owe() -> None:
    history = one(HEADS_UP.format(finishing="83, 196"))
    assert history.blinds == (2, 1)
    assert history.antes == (3, 0)
    assert replay(history).payoffs == (1, -1)


def test_rake_that_nobody_wrote_down_is_no_excuse_for_stacks() -> None:
    with pytest.raises(
        Discrepancy, match=r"p1 ends with 82 .* \(1 chips are missing and no rake is recorded\)"
    ):
        replay(one(HEADS_UP.format(finishing="82, 196")))
    assert replay(one(HEADS_UP.format(finishing="82, 196") + "_rake = 1\n")).rake == 1


PLAIN = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'd dh p3 QsQd', 'p3 cbr 6', 'p1 f', 'p2 cc', 'd db 2c7d9h', 'p2 cc', 'p3 f']
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("'p3 cbr 6'", "'p3 cbr 3'", r"action 4 \(p3 cbr 3\): raise_to 3 is below the minimum of 4"),
        ("'p3 cbr 6'", "'p3 cbr 101'", "above the maximum of 100"),
        ("'p3 cbr 6'", "'p1 cbr 6'", "it is not the turn of p1: p3 is to act"),
        ("'d db 2c7d9h', ", "", "the flop has not been dealt"),
        ("'p2 cc', 'd db 2c7d9h'", "'d db 2c7d9h'", "p2 is still to act before the flop"),
        ("2c7d9h", "2c7d", "2 cards on the board do not open a street"),
        ("2c7d9h", "2c7dAs", "As is dealt twice"),
        ("'p3 f']", "'p3 f', 'd db Ts']", "everybody else has folded"),
        ("'p3 f']", "'p3 f', 'p2 cc']", "the hand is over"),
        ("'p3 f']", "'p3 f', 'p3 sm']", "cards are shown and has folded"),
        ("AsAd", "AsAdAh", "p1 holds 3 cards"),
    ],
)
def test_what_the_rules_forbid_is_named(old: str, new: str, reason: str) -> None:
    assert old in PLAIN
    with pytest.raises(Discrepancy, match=reason):
        replay(one(PLAIN.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("variant = 'NT'", "variant = 'XX'", "line 1: 'XX' is not a variant"),
        ("variant = 'NT'\n", "", "line 1: the hand has no variant"),
        ("100, 100, 100", "100, -5, 100", "line 5: starting_stacks of p2 is -5: the minimum is 0"),
        ("100, 100, 100", "100, 0, 100", "line 5: the stack of p2 is 0"),
        ("100, 100, 100", "100, inf, 100", "line 5: .*unknown or infinite"),
        ("100, 100, 100", "100, 1.1234567, 100", "line 5: .*6 decimals"),
        ("100, 100, 100", "100, 99999999999999999, 100", "line 5: .*limit"),
        ("100, 100, 100", "100, '5', 100", "line 5: .*an amount is a number"),
        ("antes = [0, 0, 0]", "antes = [0, 0]", "line 2: antes has 2 amounts for 3 players"),
        ("AsAd", "As10c", "line 6: action .*10"),
        ("AsAd", "AsXn", "line 6: .*joker"),
        ("'p3 cbr 6'", "'p3 raises'", "line 6: action 'p3 raises' is not in the notation"),
        ("'p3 cbr 6'", "'p4 cbr 6'", "line 6: action 'p4 cbr 6': there are 3 players"),
        ("'p3 cbr 6'", "'p3 cbr -6'", "line 6: action 'p3 cbr -6'"),
        ("'p3 cbr 6'", "7", "line 6: action 4 is 7|actions"),
        ("min_bet = 2", "min_bet = 2\nmin_bet = 3", "line 5: Cannot overwrite a value"),
        ("min_bet = 2", "min_bet = 0", "line 4: min_bet is 0"),
        ("min_bet = 2", "min_bet = 2\nplayers = ['a', 'b']", "line 5: players is .*3 texts"),
        ("'p3 f']", "'p3 f'", "line 6: Unclosed array, the file ends here"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(old: str, new: str, reason: str) -> None:
    assert old in PLAIN
    with pytest.raises(BadHistory, match=reason):
        one(PLAIN.replace(old, new))


def test_a_limit_with_other_bets_is_not_played_here() -> None:
    limit = PLAIN.replace("'NT'", "'FT'").replace("min_bet = 2", "small_bet = 2\nbig_bet = 5")
    with pytest.raises(Unplayed, match="line 5: big bet 5 is not twice the small bet 2"):
        one(limit)
