"""Winamax's text is read: hands of our own in the shape of those that sites and libraries publish."""

from __future__ import annotations

from pathlib import Path

import pytest

from poker_actors.errors import BadHistory, Discrepancy, Unplayed
from poker_actors.history import FORMATS, HandHistory, entries, parse, replay

CASH = """\
Winamax Poker - CashGame - HandId: #5300001-17-1383796438 - Holdem no limit (0.25€/0.50€) - 2013/11/07 03:53:58 UTC
Table: 'Lisbon 02' 5-max (real money) Seat #5 is the button
Seat 1: ann (99.36€)
Seat 2: bob 2 (64.76€)
Seat 3: bob (13.23€)
Seat 5: dan folds (94.85€)
*** ANTE/BLINDS ***
ann posts small blind 0.25€
bob 2 posts big blind 0.50€
Dealt to ann [As Kd]
*** PRE-FLOP ***
bob calls 0.50€
dan folds raises 1€ to 1.50€
ann folds
bob 2 folds
bob calls 1€
*** FLOP *** [4d Kc 9c]
bob checks
dan folds bets 2.50€
bob folds
dan folds collected 6.01€ from pot
*** SUMMARY ***
Total pot 6.01€ | Rake 0.24€
Board: [4d Kc 9c]
Seat 5: dan folds (button) won 6.01€
"""
OMAHA = """\
Winamax Poker - CashGame - HandId: #5300002-1379-1383796492 - Omaha pot limit (0,15 €/0,30 €) - 2013/11/07 03:54:52 UTC
Table: 'Porto' 5-max (real money) Seat #2 is the button
Seat 1: ann (30 €)
Seat 2: bob (4,35 €)
*** ANTE/BLINDS ***
bob posts small blind 0,15 €
ann posts big blind 0,30 €
*** PRE-FLOP ***
bob raises 0,60 € to 0,90 €
ann calls 0,60 €
*** FLOP *** [Jc 4s 7d]
ann checks
bob bets 1,80 €
ann raises 5,40 € to 7,20 €
bob calls 1,65 € and is all-in
*** TURN *** [Jc 4s 7d][7s]
*** RIVER *** [Jc 4s 7d 7s][Kd]
*** SHOW DOWN ***
ann shows [Th Js 6h Kh] (Two pairs : Kings and Jacks)
bob shows [Ah As 4c Td] (Two pairs : Aces and 7)
bob collected 8,20 € from pot
ann collected 3,75 € from side pot 1
*** SUMMARY ***
Total pot 11,95 € | Rake 0,50 €
Board: [Jc 4s 7d 7s Kd]
Seat 1: ann (big blind) showed [Th Js 6h Kh] and won 3,75 € with Two pairs : Kings and Jacks
Seat 2: bob (small blind) (button) showed [Ah As 4c Td] and won 8,20 € with Two pairs : Aces and 7
"""
TOURNAMENT = """\
Winamax Poker - Tournament "Evening" buyIn: 4.50€ + 0.50€ level: 3 - HandId: #4400001-1-1768934733 - Holdem no limit (25/100/200) - 2026/01/20 18:45:33 UTC
Table: 'Evening(1035278361)#0035' 6-max (real money) Seat #2 is the button
Seat 1: ann (20000, 2.50€ bounty)
Seat 2: bob (19975, 2.50€ bounty)
Seat 3: cyd (15000, 2.50€ bounty)
*** ANTE/BLINDS ***
ann posts ante 25
bob posts ante 25
cyd posts ante 25
cyd posts small blind 100
ann posts big blind 200
*** PRE-FLOP ***
bob folds
cyd folds
ann collected 375 from pot
*** SUMMARY ***
Total pot 375 | No rake
Seat 1: ann (big blind) won 375
"""


def one(text: str) -> HandHistory:
    (history,) = parse(text, "pokerstars")
    return history


def test_a_cash_hand_is_judged_though_its_winner_collects_what_nobody_called() -> None:
    history = one(CASH)
    fields = history.fields
    assert (fields["venue"], fields["hand"], fields["currency"]) == (
        "Winamax",
        "5300001-17-1383796438",
        "EUR",
    )
    assert (fields["table"], fields["seat_count"], fields["time_zone"]) == ("Lisbon 02", 5, "UTC")
    assert history.players == ("ann", "bob 2", "bob", "dan folds")
    assert replay(history).hand.payoffs == (-25, -50, -150, 225)
    assert history.rake == 24
    with pytest.raises(Discrepancy):
        replay(one(CASH.replace("collected 6.01€", "collected 6.00€")))


def test_amounts_are_read_with_a_comma_too_and_side_pots_agree() -> None:
    history = one(OMAHA)
    assert (history.game.name, history.min_bet) == ("omaha", 30)
    assert replay(history).hand.payoffs == (-435, 435)


def test_a_tournament_hand_keeps_its_level_antes_and_bounties_aside() -> None:
    history = one(TOURNAMENT)
    assert history.fields["level"] == 3
    assert (history.stacks, history.antes) == ((15000, 20000, 19975), (25, 25, 25))
    assert replay(history).hand.payoffs == (-125, 150, -25)


@pytest.mark.parametrize(
    ("old", "new", "kind", "reason"),
    [
        ("HandId: #", "HandId: ", BadHistory, "line 1: .* does not open a hand of Winamax"),
        ("Holdem no limit", "Razz fixed limit", Unplayed, "line 1: Razz fixed limit is not played here"),
        ("bob calls 1€", "bob calls a lot", BadHistory, "line 16: 'calls a lot' is not an action"),
        ("posts big blind", "posts bigger blind", BadHistory, "line 9: .* is not an action"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(
    old: str, new: str, kind: type[BadHistory], reason: str
) -> None:
    assert old in CASH
    with pytest.raises(kind, match=reason):
        one(CASH.replace(old, new, 1))


def test_a_file_of_several_is_read_by_its_name_and_from_standard_input_and_converted(tmp_path: Path) -> None:
    place = tmp_path / "20131107_Lisbon 02_real_holdem_no-limit.txt"
    place.write_text(f"\ufeff{CASH}\n\n{OMAHA}\n\n{TOURNAMENT}", encoding="utf-8")
    found = [*entries(place)]
    assert [entry.error for entry in found] == [None] * 3
    with place.open("rb") as stream:
        assert [entry.error for entry in entries("-", stream)] == [None] * 3
    for entry in found:
        assert entry.history is not None
        (again,) = parse(FORMATS["jsonl"].text(entry.history, 0), "jsonl")
        assert again.steps == entry.history.steps
        (again,) = parse(FORMATS["pokerstars"].text(entry.history, 0), "pokerstars")
        assert replay(again).hand.payoffs == replay(entry.history).hand.payoffs
