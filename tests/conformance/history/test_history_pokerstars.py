"""PokerStars' text as PokerStars writes it: cash and tournaments, rake, side pots, antes, interruptions."""

from __future__ import annotations

from datetime import time

import pytest

from poker_actors.errors import BadHistory, Discrepancy, Unplayed
from poker_actors.history import FORMATS, HandHistory, parse, replay
from poker_actors.history.pokerstars_header import read_header

CASH = """\
*********** # 2 **************
PokerStars Hand #247000000001:  Hold'em No Limit ($0.25/$0.50 USD) - 2023/12/28 22:34:00 ET
Table 'Sirona II' 6-max Seat #5 is the button
Seat 1: ann ($35.21 in chips)
Seat 2: bob: the 2nd ($53.85 in chips)
Seat 3: cy ($50 in chips)
Seat 4: di (3) ($80.17 in chips)
Seat 5: $$ ed $$ ($73.33 in chips)
Seat 6: flo ($49.50 in chips)
Seat 7: gus ($49.50 in chips) is sitting out
flo: posts small blind $0.25
ann: posts big blind $0.50
hal joins the table at seat #8
*** HOLE CARDS ***
Dealt to cy [3s Qh]
bob: the 2nd: folds
cy: folds
di (3): raises $0.50 to $1
$$ ed $$ has timed out
$$ ed $$: folds
cy said, "di (3) collected $9 from pot"
flo: calls $0.75
ann: folds
*** FLOP *** [9d 3d Qc]
flo: checks
di (3): bets $1.19
flo: calls $1.19
*** TURN *** [9d 3d Qc] [Qd]
flo: checks
di (3): checks
*** RIVER *** [9d 3d Qc Qd] [Js]
flo: bets $3.50
di (3): folds
Uncalled bet ($3.50) returned to flo
flo collected $4.64 from pot
flo: doesn't show hand
*** SUMMARY ***
Total pot $4.88 | Rake $0.24
Board [9d 3d Qc Qd Js]
Seat 1: ann (big blind) folded before Flop
Seat 6: flo (small blind) collected ($4.64)
"""

BOUNTY = """\
PokerStars Hand #247000000002: Tournament #3429000000, $4.55+$4.55+$0.90 USD Hold'em No Limit - Level XXVI (2000/4000) - 2023/12/25 18:48:09 CET [2023/12/25 12:48:09 ET]
Table '3429000000 5' 9-max Seat #1 is the button
Seat 1: ann (755175 in chips, $148.95 bounty)
Seat 2: bob (184825 in chips, $38.62 bounty)
ann: posts the ante 600
bob: posts the ante 600
ann: posts small blind 2000
bob: posts big blind 4000
*** HOLE CARDS ***
Dealt to ann [4s 2c]
ann: raises 8000 to 12000
bob: raises 24000 to 36000
ann: calls 24000
*** FLOP *** [Jd 4h 7c]
bob: bets 24000
ann: calls 24000
*** TURN *** [Jd 4h 7c] [4c]
bob: bets 124225 and is all-in
ann: calls 124225
*** RIVER *** [Jd 4h 7c 4c] [Qd]
*** SHOW DOWN ***
bob: shows [Ah Th] (a pair of Fours)
ann: shows [4s 2c] (three of a kind, Fours)
ann collected 369650 from pot
ann wins $19.31 for eliminating bob and their own bounty increases by $19.31 to $168.26
bob finished the tournament in 2nd place and received $150.40.
*** SUMMARY ***
Total pot 369650 | Rake 0
Board [Jd 4h 7c 4c Qd]
Seat 1: ann (button) (small blind) showed [4s 2c] and won (369650) with three of a kind, Fours
Seat 2: bob (big blind) showed [Ah Th] and lost with a pair of Fours
"""

SIDE_POTS = """\
PokerStars Zoom Hand #247000000003:  Hold'em No Limit (€0.50/€1 EUR) - 2024/01/02 03:04:05 CET
Table 'Aludra' 6-max Seat #3 is the button
Seat 1: ann (€10 in chips)
Seat 2: bob (€40 in chips)
Seat 3: cy (€1,100.50 in chips)
Seat 5: di (€100 in chips)
di: posts small blind €0.50
ann: posts big blind €1
bob: posts small & big blinds €1.50
*** HOLE CARDS ***
Dealt to ann [As Ad]
bob: raises €38.50 to €39.50 and is all-in
cy: calls €39.50
di: folds
ann: calls €9 and is all-in
*** FLOP *** [2c 7d 9h]
*** TURN *** [2c 7d 9h] [Jc]
*** RIVER *** [2c 7d 9h Jc] [3s]
*** SHOW DOWN ***
bob: shows [Ks Kd] (a pair of Kings)
cy: mucks hand
bob collected €56.38 from side pot
ann: shows [As Ad] (a pair of Aces)
ann collected €29.62 from main pot
*** SUMMARY ***
Total pot €90 Main pot €31. Side pot €59. | Rake €4
Board [2c 7d 9h Jc 3s]
Seat 3: cy (button) mucked [8c 8d]
"""


THREE_ALL_IN = """\
PokerStars Hand #247000000004: Tournament #797000000, Freeroll  Hold'em No Limit - Level XI (400/800) - 2013/10/04 17:22:20 ET
Table '797000000 9' 9-max Seat #2 is the button
Seat 1: ann (12910 in chips)
Seat 2: bob (11815 in chips)
Seat 3: cy (7395 in chips)
Seat 4: di di (7765 in chips)
Seat 6: ed (1030 in chips)
Seat 9: flo (13070 in chips)
ann: posts the ante 75
bob: posts the ante 75
cy: posts the ante 75
di di: posts the ante 75
ed: posts the ante 75
flo: posts the ante 75
cy: posts small blind 400
di di: posts big blind 800
*** HOLE CARDS ***
Dealt to bob [Jd Js]
ed: raises 155 to 955 and is all-in
flo: raises 12040 to 12995 and is all-in
ann has timed out
ann: folds
ann is sitting out
bob: calls 11740 and is all-in
cy: folds
ann has returned
di di: folds
Uncalled bet (1255) returned to flo
*** FLOP *** [3c 6s 9d]
*** TURN *** [3c 6s 9d] [8d]
*** RIVER *** [3c 6s 9d 8d] [Ks]
*** SHOW DOWN ***
flo: shows [Kd Ac] (a pair of Kings)
bob: shows [Jd Js] (a pair of Jacks)
flo collected 21570 from side pot
ed: shows [9c Qd] (a pair of Nines)
flo collected 4515 from main pot
bob finished the tournament in 80th place
*** SUMMARY ***
Total pot 26085 Main pot 4515. Side pot 21570. | Rake 0
Board [3c 6s 9d 8d Ks]
Seat 9: flo showed [Kd Ac] and won (26085) with a pair of Kings
"""

LIMIT = """\
PokerStars Hand #247000000005:  Hold'em Limit ($0.25/$0.50 USD) - 2020/04/24 12:18:18 ET
Table 'Esclangona II' 10-max Seat #9 is the button
Seat 1: ann ($37.25 in chips)
Seat 2: bob ($5.44 in chips)
Seat 7: cy ($3.71 in chips)
Seat 9: di ($8.90 in chips)
ann: posts small blind $0.10
bob: posts big blind $0.25
*** HOLE CARDS ***
cy: raises $0.25 to $0.50
di: raises $0.25 to $0.75
ann: folds
bob: folds
cy: calls $0.25
*** FLOP *** [2d 5s Td]
cy: checks
di: bets $0.25
cy: raises $0.25 to $0.50
di: calls $0.25
*** TURN *** [2d 5s Td] [7s]
cy: bets $0.50
di: calls $0.50
*** RIVER *** [2d 5s Td 7s] [Kh]
cy: bets $0.50
di: calls $0.50
*** SHOW DOWN ***
cy: shows [2s 2h] (three of a kind, Deuces)
di: mucks hand
cy collected $4.69 from pot
*** SUMMARY ***
Total pot $4.85 | Rake $0.16
Board [2d 5s Td 7s Kh]
"""


def one(text: str) -> HandHistory:
    [history] = parse(text, "pokerstars")
    return history


def test_a_cash_hand_with_rake_chatter_and_awkward_names() -> None:
    history = one(CASH)
    assert history.players == ("flo", "ann", "bob: the 2nd", "cy", "di (3)", "$$ ed $$")
    assert history.seats == (5, 0, 1, 2, 3, 4)
    assert history.scale == 100
    assert history.blinds == (25, 50, 0, 0, 0, 0)
    found = replay(history)
    assert found.rake == 24
    assert found.payoffs == (464 - 219, -50, 0, 0, -219, 0)


def test_what_else_a_hand_says_is_kept() -> None:
    fields = one(CASH).fields
    assert fields["venue"] == "PokerStars"
    assert fields["hand"] == "247000000001"
    assert fields["table"] == "Sirona II"
    assert fields["seat_count"] == 6
    assert fields["currency"] == "USD"
    assert (fields["year"], fields["month"], fields["day"]) == (2023, 12, 28)
    assert fields["time"] == time(22, 34)
    assert fields["time_zone_abbreviation"] == "ET"


def test_a_tournament_hand_with_antes_bounties_and_an_all_in() -> None:
    history = one(BOUNTY)
    assert history.antes == (600, 600)
    assert history.trimmed_antes
    assert history.fields["level"] == 26
    assert str(history.fields["event"]).startswith("Tournament #3429000000")
    assert history.players == ("bob", "ann")
    assert replay(history).payoffs == (-184825, 184825)


def test_side_pots_dead_blinds_rake_and_a_hand_mucked_and_then_told() -> None:
    history = one(SIDE_POTS)
    assert history.players == ("di", "ann", "bob", "cy")
    assert history.antes == (0, 0, 50, 0)
    assert history.blinds == (50, 100, -100, 0)
    found = replay(history)
    assert found.rake == 400
    assert found.payoffs == (-50, 2962 - 1000, 5638 - 4000, -3950)
    assert found.final_stacks is not None
    assert sum(found.final_stacks) == sum(history.stacks) - 400


def test_three_all_in_with_antes_and_a_bet_nobody_could_call() -> None:
    found = replay(one(THREE_ALL_IN))
    assert found.payoffs == (-475, -875, -1030, 26085 - 11815, -75, -11815)


def test_fixed_limit_with_a_small_blind_of_its_own_and_a_hand_never_seen() -> None:
    history = one(LIMIT)
    assert history.game.name == "limit-holdem"
    assert history.blinds == (10, 25, 0, 0)
    found = replay(history)
    assert found.rake == 16
    assert found.payoffs == (-10, -25, 469 - 225, -225)


def test_hands_as_pokerstars_writes_them_survive_our_writing() -> None:
    for text in (CASH, BOUNTY, SIDE_POTS, THREE_ALL_IN, LIMIT):
        history = one(text)
        assert replay(one(FORMATS["pokerstars"].text(history, 0))).payoffs == replay(history).payoffs


def test_rows_of_other_games_are_named_as_such() -> None:
    with pytest.raises(Unplayed, match="Split Hold'em No Limit is not played here"):
        one(CASH.replace("Hold'em No Limit", "Split Hold'em No Limit"))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("flo: calls $0.75", "flo: calls $0.70", "costs 75"),
        ("flo: checks\ndi (3): bets $1.19", "di (3): bets $1.19", "not the turn of p5"),
        ("di (3): bets $1.19", "di (3): bets $0.19", "below the minimum"),
        ("collected $4.64", "collected $4.60", "rake"),
        ("Rake $0.24", "Rake $0.20", "rake"),
        ("[9d 3d Qc] [Qd]", "[9d 3d Qc] [9d]", "9d is dealt twice"),
    ],
)
def test_what_cannot_have_happened_is_named(old: str, new: str, reason: str) -> None:
    assert old in CASH
    with pytest.raises(Discrepancy, match=reason):
        replay(one(CASH.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("*** SUMMARY ***", "*** SUMM", "ends before its summary"),
        ("Seat 6: flo ($49.50", "Seat 6: flo (-$49.50", "seats nobody"),
        ("flo: bets $3.50", "flo: burps", "line 32: 'burps' is not an action"),
        ("[9d 3d Qc]\n", "[9d 3d 10c]\n", "10"),
        ("Seat 2: bob: the 2nd", "Seat 1: bob: the 2nd", "seat 1 is taken twice"),
        ("($0.25/$0.50 USD)", "(a quarter)", "line 2: .* does not open a hand"),
    ],
)
def test_what_cannot_be_read_is_named(old: str, new: str, reason: str) -> None:
    assert old in CASH
    with pytest.raises(BadHistory, match=reason):
        replay(one(CASH.replace(old, new)))


def test_games_not_played_here_are_named() -> None:
    with pytest.raises(Unplayed, match="Razz No Limit is not played here"):
        one(CASH.replace("Hold'em No Limit", "Razz No Limit"))


@pytest.mark.parametrize(
    ("opening", "site"),
    [
        ("Full Tilt Poker Game #123: Table Green", "Full Tilt Poker"),
        ("***** Hand History for Game 99 *****", "PartyPoker"),
        ("Bovada Hand #1", "Bovada"),
    ],
)
def test_a_hand_of_another_site_is_said_to_be_one(opening: str, site: str) -> None:
    with pytest.raises(BadHistory, match=f"this is a hand of {site}, which is not read here"):
        read_header(opening)
