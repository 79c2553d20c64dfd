"""GGPoker's text, by the shape of its public samples: cash, Omaha of five cards, tournaments, and what it adds."""

from __future__ import annotations

from pathlib import Path

import pytest

from poker_actors.errors import BadHistory, Discrepancy, Unplayed
from poker_actors.history import HandHistory, entries, parse, replay

CASH = """\
Poker Hand #HD2255000001: Hold'em No Limit ($0.02/$0.05($0.01)) - 2025/04/07 23:48:32
Table 'NLHWhite9' 6-max Seat #4 is the button
Seat 1: Hero ($5.64 in chips)
Seat 4: 6c2a9622 ($4.95 in chips)
Seat 5: 23cee45e ($5 in chips)
Hero: posts the ante $0.01
6c2a9622: posts the ante $0.01
23cee45e: posts the ante $0.01
23cee45e: posts small blind $0.02
Hero: posts big blind $0.05
*** HOLE CARDS ***
Dealt to Hero [Qd Qc]
Dealt to 6c2a9622\x20
Dealt to 23cee45e\x20
6c2a9622: raises $0.10 to $0.15
23cee45e: folds
Hero: raises $5.48 to $5.63 and is all-in
6c2a9622: calls $4.79 and is all-in
Uncalled bet ($0.69) returned to Hero
Hero: shows [Qd Qc] (a pair of Queens)
6c2a9622: shows [Ah Ks] (Ace high)
Hero: Chooses to EV Cashout
*** FLOP *** [Kd 4s 8s]
*** TURN *** [Kd 4s 8s] [7c]
*** RIVER *** [Kd 4s 8s 7c] [Ts]
*** SHOWDOWN ***
6c2a9622 collected $9.34 from pot
*** SUMMARY ***
Total pot $9.93 | Rake $0.49 | Jackpot $0.1 | Bingo $0 | Fortune $0 | Tax $0
Board [Kd 4s 8s 7c Ts]
Seat 1: Hero (big blind) showed [Qd Qc] and lost with a pair of Queens
Seat 4: 6c2a9622 (button) showed [Ah Ks] and won ($9.34) with a pair of Kings
Seat 5: 23cee45e (small blind) folded before Flop
"""

OMAHA = """\
Poker Hand #OM313000001: PLO-5 ($0.10/$0.25) - 2022/07/10 21:30:00
Table 'PLO5White1' 6-max Seat #2 is the button
Seat 2: Hero ($1,025.50 in chips)
Seat 5: 5440cd31 ($25 in chips)
Hero: posts small blind $0.10
5440cd31: posts big blind $0.25
*** HOLE CARDS ***
Dealt to Hero [Qd Qc 2c 3c 9h]
Dealt to 5440cd31\x20
Hero: calls $0.15
5440cd31: checks
*** FLOP *** [Kd 4s 8s]
5440cd31: bets $0.25
Hero: folds
Uncalled bet ($0.25) returned to 5440cd31
*** SHOWDOWN ***
5440cd31 collected $0.50 from pot
*** SUMMARY ***
Total pot $0.50 | Rake $0 | Jackpot $0 | Bingo $0 | Fortune $0 | Tax $0
Board [Kd 4s 8s]
Seat 2: Hero (button) folded on the Flop
Seat 5: 5440cd31 (big blind) won ($0.50)
"""

TOURNAMENT = """\
Poker Hand #TM5544000001: Tournament #258000001, $25 GGMasters Warm-Up Special Hold'em No Limit - Level12(200/400) - 2026/02/04 01:07:12
Table '380' 8-max Seat #3 is the button
Seat 1: 4b92a21c (13,785 in chips)
Seat 3: 511f4d1c (18,274 in chips)
Seat 5: Hero (5,822 in chips)
4b92a21c: posts the ante 50
511f4d1c: posts the ante 50
Hero: posts the ante 50
Hero: posts small blind 200
4b92a21c: posts big blind 400
*** HOLE CARDS ***
Dealt to 4b92a21c\x20
Dealt to 511f4d1c\x20
Dealt to Hero [4d 8d]
511f4d1c: folds
Hero: raises 5,372 to 5,772 and is all-in
4b92a21c: folds
Uncalled bet (5,372) returned to Hero
*** SHOWDOWN ***
Hero collected 950 from pot
*** SUMMARY ***
Total pot 950 | Rake 0 | Jackpot 0 | Bingo 0 | Fortune 0 | Tax 0
Seat 5: Hero (small blind) collected (950)
"""


def one(text: str) -> HandHistory:
    (history,) = parse(text, "pokerstars")
    return history


def test_a_cash_hand_with_antes_jackpot_and_a_cashout_is_read_and_agrees() -> None:
    history = one(CASH)
    fields = history.fields
    assert (fields["venue"], fields["hand"], fields["currency"]) == ("GGPoker", "HD2255000001", "USD")
    assert (fields["year"], fields["month"], fields["day"], str(fields["time"])) == (2025, 4, 7, "23:48:32")
    assert "time_zone_abbreviation" not in fields
    played = replay(history)
    hero = history.players.index("Hero")
    assert played.payoffs is not None
    assert played.payoffs[hero] == -495
    assert history.rake == 59, "the jackpot's share is taken, too"


def test_five_card_omaha_is_named_plo_5() -> None:
    history = one(OMAHA)
    assert history.game.name == "omaha5"
    assert replay(history).hand.over


def test_a_tournament_hand_keeps_its_event_and_level() -> None:
    history = one(TOURNAMENT)
    assert history.fields["event"] == "Tournament #258000001, $25 GGMasters Warm-Up Special"
    assert history.fields["level"] == 12
    payoffs = replay(history).payoffs
    assert payoffs is not None
    assert payoffs[history.players.index("Hero")] == 500


def test_a_wrong_payout_is_found() -> None:
    with pytest.raises(Discrepancy):
        replay(one(CASH.replace("collected $9.34", "collected $9.35")))


def test_chips_of_the_house_in_the_pot_are_named_and_not_judged() -> None:
    with pytest.raises(Unplayed, match="the house has put chips into the pot"):
        one(CASH.replace("Hero: posts the ante", "Cash Drop to Pot : total $0.20\nHero: posts the ante"))
    with pytest.raises(BadHistory, match="does not open a hand of PokerStars, GGPoker or Winamax"):
        one("Poker Hand #1: of whatever\n")


def test_several_hands_are_read_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    place = tmp_path / "GG20250407 - NLHWhite9.txt"
    place.write_text(f"{CASH}\n\n\n{OMAHA}\n\n\n{TOURNAMENT}", encoding="utf-8")
    assert [entry.error for entry in entries(place)] == [None] * 3
    with place.open("rb") as stream:
        assert [entry.error for entry in entries("-", stream)] == [None] * 3


@pytest.mark.parametrize("ending", ["\r", "\r\n"])
def test_lines_may_end_in_a_carriage_return(ending: str, tmp_path: Path) -> None:
    place = tmp_path / "hands.txt"
    place.write_bytes(f"{CASH}\n\n{OMAHA}".replace("\n", ending).encode())
    found = [entry.history for entry in entries(place)]
    assert [one.fields["hand"] for one in found if one] == ["HD2255000001", "OM313000001"]
