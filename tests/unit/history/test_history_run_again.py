"""A board that is run more than once is read, judged, recorded, and written."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest

from poker_actors.cards import Deck, parse_cards
from poker_actors.debug import Script, Stepper, trace_of, verify
from poker_actors.debug.draw import draw_text
from poker_actors.errors import BadHistory, BadSpec, Discrepancy
from poker_actors.history import FORMATS, Discarded, HandHistory, page, parse, record, replay
from poker_actors.history.refereed import verdicts
from poker_actors.rules import GAMES, BringIn, Discard, Hand, Stakes
from poker_actors.rules.cash import HandOptions, Rake

TWICE = """\
PokerStars Hand #204000000001:  Hold'em No Limit ($1/$2 USD) - 2024/02/03 10:11:12 ET
Table 'Twice' 6-max Seat #1 is the button
Seat 1: ann ($200 in chips)
Seat 2: bob ($200 in chips)
Seat 3: cyd ($200 in chips)
bob: posts small blind $1
cyd: posts big blind $2
*** HOLE CARDS ***
Dealt to ann [As Ad]
ann: raises $4 to $6
bob: folds
cyd: calls $4
*** FLOP *** [Kh 7c 2d]
cyd: bets $194 and is all-in
ann: calls $194 and is all-in
*** FIRST TURN *** [Kh 7c 2d] [3s]
*** FIRST RIVER *** [Kh 7c 2d 3s] [4h]
*** SECOND TURN *** [Kh 7c 2d] [Kd]
*** SECOND RIVER *** [Kh 7c 2d Kd] [9c]
*** FIRST SHOW DOWN ***
cyd: shows [Ks Qs] (a pair of Kings)
ann: shows [As Ad] (a pair of Aces)
ann collected $199.50 from pot
*** SECOND SHOW DOWN ***
cyd: shows [Ks Qs] (three of a kind, Kings)
ann: shows [As Ad] (two pair, Aces and Kings)
cyd collected $199.50 from pot
*** SUMMARY ***
Total pot $401 | Rake $2
Hand was run twice
FIRST Board [Kh 7c 2d 3s 4h]
SECOND Board [Kh 7c 2d Kd 9c]
Seat 1: ann (button) showed [As Ad] and won ($199.50) with a pair of Aces, and lost with two pair, Aces and Kings
Seat 2: bob (small blind) folded before Flop
Seat 3: cyd (big blind) showed [Ks Qs] and lost with a pair of Kings, and won ($199.50) with three of a kind, Kings
"""


def twice() -> HandHistory:
    (history,) = parse(TWICE, "pokerstars")
    return history


def all_in(game: str, *, boards: int, rake: Rake | None = None, seed: int = 1, streets: int = 1) -> Hand:
    """Play a hand in which three seats with different stacks are all-in on a street."""
    rules = GAMES[game]
    options = HandOptions(rake, boards=boards)
    deck = Deck.seeded(seed, rules.pack)
    stacks = [6, 9, 14] if rules.bets_per_street else [60, 100, 150]
    hand = Hand(stacks, Stakes(1, 2), deck=deck, button=0, game=rules, options=options)
    dealt = 0
    while not hand.over:
        if hand.legal.discards:
            hand.act(Discard(hand.holes[hand.to_act[0]][: hand.legal.must_discard]))
        elif hand.legal.can_raise and dealt >= streets:
            hand.raise_to(hand.legal.max_raise_to)
        else:
            hand.check_or_call()
        dealt = max(len(hand.board) - 2, 0)
    return hand


GG_TWICE = TWICE.replace(
    "PokerStars Hand #204000000001:  Hold'em No Limit ($1/$2 USD) - 2024/02/03 10:11:12 ET",
    "Poker Hand #RC204000001: Hold'em No Limit ($1/$2) - 2024/02/03 10:11:12",
).replace("SHOW DOWN", "SHOWDOWN")


@pytest.mark.parametrize("text", [TWICE, GG_TWICE])
def test_a_hand_run_twice_is_read_and_judged(text: str) -> None:
    (history,) = parse(text, "pokerstars")
    assert history.boards == (parse_cards("Kh7c2d3s4h"), parse_cards("Kh7c2dKd9c"))
    assert history.run_again == (parse_cards("Kd9c"),)
    found = replay(history)
    assert found.hand.boards == history.boards
    assert verdicts(found.hand) == ()
    assert found.rake == 200
    ann, cyd = history.players.index("ann"), history.players.index("cyd")
    assert found.payoffs is not None
    assert (found.payoffs[ann], found.payoffs[cyd]) == (-50, -50)


def test_each_shows_once_though_the_text_has_a_show_for_each_run() -> None:
    shows = [step for step in twice().steps if type(step).__name__ == "Showed"]
    assert len(shows) == 2


def test_the_wrong_half_disagrees() -> None:
    wrong = TWICE.replace("cyd collected $199.50", "ann collected $199.50")
    (history,) = parse(wrong, "pokerstars")
    with pytest.raises(Discrepancy, match="collects 0 as recorded and 19950 by the rules"):
        replay(history)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[Kh 7c 2d] [Kd]", "[Kh 7c 2d] [3s]", "3s is dealt twice"),
        (
            "*** SECOND TURN *** [Kh 7c 2d] [Kd]\n",
            "",
            "the record runs 2 boards with 1 new cards, but the rules run 1",
        ),
        ("*** SECOND", "*** THIRD", "run 3 of the board comes before run 2"),
    ],
)
def test_a_run_that_cannot_be_is_refused(old: str, new: str, why: str) -> None:
    with pytest.raises(BadHistory, match=why):
        replay(parse(TWICE.replace(old, new), "pokerstars")[0])


def test_a_board_that_was_complete_cannot_be_run_again() -> None:
    hand = all_in("holdem", boards=1, streets=3)
    history = record(hand)
    again = attrs.evolve(history, run_again=(parse_cards("2c"),))
    with pytest.raises(Discrepancy):
        replay(again)


def test_a_run_card_outside_the_pack_is_refused() -> None:
    history = record(all_in("short-deck", boards=2))
    wrong = attrs.evolve(history, run_again=(parse_cards("2c2d"),))
    with pytest.raises(Discrepancy, match="2c is not in the pack"):
        replay(wrong)


@pytest.mark.parametrize(
    ("name", "game"),
    [
        *(("phh", game) for game in ("holdem", "omaha", "limit-omaha8")),
        *(("pokerstars", game) for game in ("holdem", "omaha", "omaha8", "courchevel")),
        *(("jsonl", game) for game in ("holdem", "omaha8", "courchevel", "crazy-pineapple")),
    ],
)
@pytest.mark.parametrize("boards", [2, 3])
@pytest.mark.parametrize("streets", [1, 2])
def test_what_was_run_again_comes_back(name: str, boards: int, game: str, streets: int) -> None:
    for seed in range(4):
        hand = all_in(game, boards=boards, rake=Rake(500, 5), seed=seed, streets=streets)
        assert len(hand.boards) == boards
        history = record(hand, players=["ann", "bob", "cyd"], hand_id="7")
        assert history.boards == hand.boards
        assert replay(history).final_stacks == tuple([hand.stacks[seat] for seat in history.seats])
        text = FORMATS[name].text(history, 0)
        (back,) = parse(text, name)
        assert back.boards == hand.boards
        found = replay(back)
        assert found.final_stacks is not None
        assert sorted(found.final_stacks) == sorted(hand.stacks)
        assert verdicts(found.hand) == ()


def test_the_text_of_a_hand_run_twice_is_that_of_the_site() -> None:
    written = FORMATS["pokerstars"].text(twice(), 0)
    lines = written.splitlines()
    for line in TWICE.splitlines():
        if line.startswith(("*** ", "FIRST", "SECOND", "Hand was", "ann collected", "cyd collected")):
            assert line in lines


@pytest.mark.parametrize("name", ["ohh", "acpc"])
def test_formats_without_room_for_a_second_board_say_so(name: str) -> None:
    history = record(all_in("holdem", boards=2))
    with pytest.raises(BadHistory, match="cannot carry a board that was run again"):
        FORMATS[name].text(history, 0)


def test_a_line_of_json_has_version_2_only_where_it_is_needed() -> None:
    assert '"poker_actors":1' in FORMATS["jsonl"].text(record(all_in("holdem", boards=1)), 0)
    assert '"poker_actors":2' in FORMATS["jsonl"].text(record(all_in("holdem", boards=2)), 0)


def test_a_field_of_runs_that_is_no_list_of_cards_is_refused() -> None:
    text = FORMATS["phh"].text(record(all_in("holdem", boards=2)), 0)
    line = next(line for line in text.splitlines() if line.startswith("_run_again"))
    for wrong in ("7", "['Zz']"):
        with pytest.raises(BadHistory, match="_run_again is"):
            parse(text.replace(line, f"_run_again = {wrong}"), "phh")


def test_the_page_shows_each_board() -> None:
    assert '"boards":[["Kh","7c","2d","3s","4h"],["Kh","7c","2d","Kd","9c"]]' in page([twice()])


def test_the_page_shows_the_cards_that_are_held_at_the_time() -> None:
    stud, draw = (play_up(game) for game in ("stud", "badugi"))
    held = [seats[0]["hidden"] for seats in pictured(stud)]
    assert held == sorted(held)
    assert {*held} >= {0, 3, 4, 5, 6, 7}
    thrown = next(step for step in draw.steps if isinstance(step, Discarded) and step.player == 0).cards
    seen = [seats[0]["cards"] or [] for seats in pictured(draw)]
    assert any(str(thrown[0]) in cards for cards in seen)
    assert str(thrown[0]) not in seen[-1]


def play_up(game: str) -> HandHistory:
    """Play a limit game, in which everybody calls and throws a card away in every draw."""
    rules = GAMES[game]
    hand = Hand([200] * 3, rules.stakes, deck=Deck.seeded(1, rules.pack), button=0, game=rules)
    while not hand.over:
        if hand.legal.discards:
            hand.act(Discard((hand.holes[hand.to_act[0]][0],)))
        elif hand.legal.bring_in:
            hand.act(BringIn())
        else:
            hand.check_or_call()
    return record(hand)


def pictured(history: HandHistory) -> list[list[dict[str, Any]]]:
    [data] = json.loads(page([history]).partition('type="application/json">')[2].partition("</script>")[0])
    pictures = [data["pictures"][one["picture"]] for one in data["positions"]]
    return [[data["seats"][at] for at in picture["seats"]] for picture in pictures]


def test_the_debugger_runs_the_board_as_often_as_the_record_does() -> None:
    history = twice()
    script = Script.of_history(history)
    with Stepper(Script.from_dict(script.to_dict())) as stepper:
        stepper.run()
        assert stepper.hand is not None
        assert stepper.hand.boards == history.boards
        assert stepper.hand.payoffs == replay(history).payoffs
        assert stepper.picture().boards == ("Kh 7c 2d 3s 4h", "Kh 7c 2d Kd 9c")
        assert stepper.broken_promise() is None
        trace = trace_of(stepper)
    assert verify(trace) == len(trace.steps)
    with pytest.raises(BadSpec, match="the maximum is 4"):
        Script.from_dict({**script.to_dict(), "boards": 5})


def test_four_boards_are_drawn_below_each_other_in_text() -> None:
    with Stepper(Script.of_history(record(all_in("holdem", boards=4)))) as stepper:
        stepper.run()
        drawn = draw_text(stepper.picture())
        boards = stepper.picture().boards
    assert len(boards) == 4
    assert [line.strip() for line in drawn[1:4]] == list(boards[1:])
    assert max(map(len, drawn)) <= 78


# -- rake -------------------------------------------------------------------------------------


def raked(cap: int) -> Hand:
    """Play a hand of a main pot of 60 and a side pot of 180, won by different seats, raked at 5 % up to a cap."""
    deck = Deck.stacked(["AsAd", "KsKd", "QsQd"], "2c7d9hTsTc")
    options = HandOptions(Rake(500, cap))
    hand = Hand([20, 110, 110], Stakes(1, 2), deck=deck, button=0, options=options)
    hand.raise_to(20)
    hand.raise_to(110)
    hand.check_or_call()
    assert hand.over
    return hand


@pytest.mark.parametrize("cap", [3, 5, 6, 0])
def test_rake_taken_pot_by_pot_up_to_a_cap_agrees(cap: int) -> None:
    hand = raked(cap)
    history = record(hand, players=["ann", "bob", "cyd"])
    (back,) = parse(FORMATS["pokerstars"].text(history, 0), "pokerstars")
    assert back.rake == hand.rake
    found = replay(back)
    assert found.final_stacks is not None
    assert sorted(found.final_stacks) == sorted(hand.stacks)


def test_rake_that_one_pot_pays_for_another_disagrees() -> None:
    history = record(raked(0), players=["ann", "bob", "cyd"])
    (back,) = parse(FORMATS["pokerstars"].text(history, 0), "pokerstars")
    assert back.winnings is not None
    ann, bob = back.players.index("ann"), back.players.index("bob")
    wrong = list(back.winnings)
    wrong[ann], wrong[bob] = wrong[ann] + 3, wrong[bob] - 3
    with pytest.raises(Discrepancy, match="collects"):
        replay(attrs.evolve(back, winnings=tuple(wrong)))


@pytest.mark.parametrize("cap", [3, 5, 6, 0])
def test_a_raked_hand_opens_in_the_debugger_with_its_rake(cap: int) -> None:
    hand = raked(cap)
    history = record(hand, players=["ann", "bob", "cyd"])
    with Stepper(Script.of_history(history)) as stepper:
        stepper.break_on("promise")
        stepper.run()
        assert stepper.over
        assert stepper.hand is not None
        assert (tuple(stepper.hand.stacks), stepper.hand.rake) == (history.finishing, hand.rake)
        assert f"the house takes {hand.rake if cap == 3 else 3} from the main pot" in str(stepper.why("pot"))


def test_a_rake_that_follows_no_rule_is_taken_all_the_same() -> None:
    history = record(raked(0), players=["ann", "bob", "cyd"])
    (told,) = parse(FORMATS["pokerstars"].text(history, 0), "pokerstars")
    assert told.winnings is not None
    ann, bob = told.players.index("ann"), told.players.index("bob")
    kept = list(told.winnings)
    kept[ann], kept[bob] = kept[ann] - 2, kept[bob] + 2
    told = attrs.evolve(told, winnings=tuple(kept))
    with Stepper(Script.of_history(told)) as stepper:
        stepper.run()
        assert stepper.hand is not None
        assert stepper.hand.rake == told.rake
