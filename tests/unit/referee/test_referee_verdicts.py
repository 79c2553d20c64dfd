"""The referee says which rule a fact is against: right hands with one planted fault each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from poker_actors.cards import Deck, parse_cards
from poker_actors.history.refereed import facts_of, sheet_of, sitting_of, verdicts
from poker_actors.referee import Fact, Referee, Verdict, judge
from poker_actors.referee.paying import showing
from poker_actors.rules import GAMES, Hand, Positions, RaiseTo, Stakes, parse_action
from poker_actors.rules.event import Post, Posted
from poker_actors.rules.games import Street
from poker_actors.rules.options import HandOptions, Rake
from tests.oracles.referee_hands import deal, flaws

Change = Callable[[Fact], bool]


def played(name: str, stacks: list[int], *acts: str, seed: int = 7, **setup: Any) -> Hand:
    """Play acts, and calls to the end."""
    game = GAMES[name]
    stakes = setup.pop("stakes", game.stakes)
    hand = Hand(stacks, stakes, deck=Deck.seeded(seed), game=game, **setup)
    for act in acts:
        hand.act(parse_action(act))
    while hand.to_act:
        hand.check_or_call()
    return hand


def judged(hand: Hand, where: Change, nth: int = 0, **changes: Any) -> list[Verdict]:
    """Judge a hand with the `nth` fact of a kind changed."""
    facts = facts_of(hand)
    assert judge(sheet_of(hand.game), sitting_of(hand), facts) == [], "the hand is right before the change"
    place = [number for number, fact in enumerate(facts) if where(fact)][nth]
    facts[place] = attrs.evolve(facts[place], **changes)
    found = judge(sheet_of(hand.game), sitting_of(hand), facts)
    assert all(verdict.place >= place for verdict in found)
    return found


def what(kind: str, word: str = "") -> Change:
    return lambda fact: fact.what == kind and word in ("", fact.word)


PLAIN = played("holdem", [200] * 3, "raise_to 6", "call", "fold")
STUD = played("stud", [400] * 4, "bring in", "fold")
DRAW = played("2-7-triple-draw", [200] * 3)
RAKED = played("holdem", [200] * 3, "raise_to 12", options=HandOptions(Rake(1000, 2)))
TWICE = played("holdem", [50] * 3, "raise_to 50", "call", "call", options=HandOptions(boards=2))
ROWS = played("open-face", [200] * 2)
STRADDLE = played("holdem", [200] * 4, stakes=Stakes(1, 2, straddle=4))
FOLDED = played("holdem", [200] * 3, "raise_to 6", "fold", "fold")


@pytest.mark.parametrize(
    ("hand", "where", "nth", "changes", "code"),
    [
        (PLAIN, what("start"), 0, {"stacks": (200, 200, 201)}, "start"),
        (PLAIN, what("post", "small blind"), 0, {"seat": 2}, "post"),
        (PLAIN, what("post", "big blind"), 0, {"chips": 1}, "post"),
        (STUD, what("post", "ante"), 3, {"chips": 2}, "post"),
        (STRADDLE, what("post", "straddle"), 0, {"seat": 0}, "post"),
        (PLAIN, what("down"), 1, {"cards": parse_cards("AsAh")[:1]}, "deal"),
        (PLAIN, what("board"), 0, {"word": "turn"}, "street"),
        (STRADDLE, what("ask"), 0, {"seat": 3}, "turn"),
        (STRADDLE, what("act"), 0, {"seat": 3}, "turn"),
        (PLAIN, what("ask"), 0, {"least": 3}, "bounds"),
        (PLAIN, what("ask"), 0, {"chips": 1}, "bounds"),
        (PLAIN, what("act", "raise"), 0, {"total": 3}, "act"),
        (PLAIN, what("act", "raise"), 0, {"chips": 5}, "paid"),
        (PLAIN, what("act", "call"), 0, {"word": "check"}, "act"),
        (PLAIN, what("act", "call"), 0, {"all_in": True}, "paid"),
        (TWICE, what("act", "call"), 0, {"all_in": False}, "paid"),
        (STUD, what("ask", "bring in"), 0, {"word": "bet"}, "turn"),
        (STUD, what("act", "bring in"), 0, {"word": "fold"}, "act"),
        (STUD, what("act", "check"), 0, {"seat": 0}, "turn"),
        (DRAW, what("ask", "draw"), 0, {"seat": 0}, "turn"),
        (DRAW, what("ask", "draw"), 0, {"most": 4}, "bounds"),
        (DRAW, what("act", "discard"), 0, {"cards": parse_cards("AsAhAd")}, "act"),
        (FOLDED, what("back"), 0, {"chips": 3}, "uncalled"),
        (PLAIN, what("show"), 0, {"cards": parse_cards("2c2d")}, "show"),
        (STUD, what("muck"), 0, {"seat": 3}, "show"),
        (PLAIN, what("show"), 0, {"what": "muck"}, "show"),
        (STUD, what("muck"), 0, {"what": "show", "cards": tuple(STUD.holes[1])}, "show"),
        (TWICE, what("show"), 2, {"what": "muck"}, "show"),
        (TWICE, what("state"), 0, {"payoffs": (0, 0, 0)}, "stacks"),
        (PLAIN, what("state"), 0, {"chips": 1}, "stacks"),
        (RAKED, what("rake"), 0, {"chips": 1}, "rake"),
        (PLAIN, what("award"), 0, {"chips": 1}, "payout"),
        (TWICE, what("award"), 0, {"board": 1}, "payout"),
        (PLAIN, what("end"), 0, {"stacks": (200, 200, 200)}, "end"),
        (ROWS, what("score"), 0, {"points": 1}, "score"),
        (ROWS, what("score"), 0, {"chips": 1}, "score"),
        (ROWS, what("ask", "lay"), 0, {"least": 4}, "bounds"),
        (ROWS, what("end"), 0, {"stacks": (199, 201)}, "end"),
    ],
)
def test_a_planted_fault_is_named_by_the_code_of_its_rule(
    hand: Hand, where: Change, nth: int, changes: dict[str, Any], code: str
) -> None:
    assert {verdict.code for verdict in judged(hand, where, nth, **changes)} == {code}


@pytest.mark.parametrize(
    ("hand", "where", "nth", "code"),
    [
        (PLAIN, what("post"), 1, "post"),
        (PLAIN, what("down"), 2, "deal"),
        (PLAIN, what("board"), 0, "turn"),
        (PLAIN, what("ask"), 0, None),
        (PLAIN, what("act"), 0, "turn"),
        (FOLDED, what("back"), 0, "uncalled"),
        (PLAIN, what("award"), 0, "payout"),
        (PLAIN, what("show"), 0, "show"),
        (TWICE, what("show"), 1, "show"),
        (RAKED, what("rake"), 0, "rake"),
        (ROWS, what("score"), 1, "end"),
    ],
)
def test_a_fact_that_is_left_out_is_missed(hand: Hand, where: Change, nth: int, code: str | None) -> None:
    facts = facts_of(hand)
    del facts[[number for number, fact in enumerate(facts) if where(fact)][nth]]
    found = judge(sheet_of(hand.game), sitting_of(hand), facts)
    assert [verdict.code for verdict in found[:1]] == ([code] if code else [])


def test_after_the_first_wrong_fact_the_rest_is_not_judged() -> None:
    found = judged(PLAIN, what("post", "small blind"), chips=2)
    assert [str(verdict) for verdict in found] == [
        "post: seat 1 posts small blind 2; by the rules seat 1 owes small blind 1 (antes before blinds, in order)"
    ]
    assert found[0].place == 1


@pytest.mark.parametrize("name", ["holdem", "stud", "omaha8", "badugi"])
def test_hands_are_shown_from_the_last_to_bet_or_the_first_to_act(name: str) -> None:
    """TDA 17: and whom a hand shown before beats need not show, but the first must."""
    told = 0
    for number in range(120):
        hand = deal(name, number)
        facts = facts_of(hand)
        shows = [place for place, fact in enumerate(facts) if fact.what in ("show", "muck")]
        if len(shows) > 1 and all(hand.stacks[seat] or hand.payoffs[seat] for seat in hand.live):
            first, second = shows[:2]
            facts[first], facts[second] = facts[second], facts[first]
            found = judge(sheet_of(hand.game), sitting_of(hand), facts)
            lies_open = any(fact.what in ("board", "ask") for fact in facts[shows[-1] :])
            assert [one.code for one in found] == ([] if lies_open else ["show"]), (number, found)
            told += not lies_open
    assert told > 3


def test_who_cannot_win_what_is_shown_mucks_and_who_ties_shows() -> None:
    sheet = sheet_of(GAMES["omaha8"])
    board = parse_cards("Kc8d7c2s2h")
    quads, low, beaten = (parse_cards(text) for text in ("2c2dQsJs", "AhKh3d4d", "KsKdQcJc"))
    assert showing(sheet, [0, 1, 2], [quads, low, beaten], [board]) == [0, 1]
    assert showing(sheet, [2, 1, 0], [quads, low, beaten], [board]) == [2, 1, 0]
    assert showing(sheet, [1, 0], [low, low], [board]) == [1, 0]


def test_a_board_run_more_or_less_often_than_all_agreed_is_named() -> None:
    facts = [fact for fact in facts_of(TWICE) if not (fact.what == "board" and fact.board)]
    found = judge(sheet_of(TWICE.game), sitting_of(TWICE), facts)
    assert [verdict.code for verdict in found] == ["runs"]
    declined = attrs.evolve(sitting_of(TWICE), declined=(1,))
    assert [one.code for one in judge(sheet_of(TWICE.game), declined, facts_of(TWICE))] == ["runs"]


def test_chips_put_into_a_hand_from_outside_are_seen_at_the_turn_after() -> None:
    hand = Hand([200, 200], Stakes(1, 2), deck=Deck.seeded(1))
    hand.check_or_call()
    assert verdicts(hand) == ()
    hand.stacks = (hand.stacks[0], hand.stacks[1] + 1000)
    assert [verdict.code for verdict in verdicts(hand)] == ["stacks"]


def test_an_end_that_differs_from_what_was_paid_is_seen() -> None:
    hand = played("holdem", [200] * 2)
    hand.stacks = (hand.stacks[0] + 1, hand.stacks[1] - 1)
    assert [verdict.code for verdict in verdicts(hand)] == ["end", "end"]
    assert verdicts(hand)[0].computed == "seat 0 ends at +2, not at +3"


def test_a_hand_that_ends_before_its_last_street_is_named() -> None:
    facts = facts_of(TWICE)
    boards = [number for number, fact in enumerate(facts) if fact.what == "board"]
    found = judge(sheet_of(TWICE.game), sitting_of(TWICE), [*facts[: boards[2]], *facts[boards[-1] + 1 :]])
    assert [verdict.code for verdict in found] == ["street"]


def test_a_dead_small_blind_and_a_newcomers_blinds_are_followed() -> None:
    places = Positions(0, 1, 2, (0, 2, 3))
    assert verdicts(played("omaha", [100, 0, 100, 100], "raise_to 7", positions=places)) == ()
    posts = [
        Posted(1, Post.SMALL_BLIND, 1),
        Posted(2, Post.BIG_BLIND, 2),
        Posted(3, Post.EXTRA_BLIND, 2),
        Posted(3, Post.DEAD_BLIND, 1),
    ]
    hand = played("omaha", [100] * 4, posts=posts)
    assert verdicts(hand) == ()
    assert [one.code for one in judged(hand, what("post", "dead blind"), word="extra blind")] == ["post"]


BLINDS = [Posted(1, Post.SMALL_BLIND, 1), Posted(2, Post.BIG_BLIND, 2)]


@pytest.mark.parametrize(
    "antes",
    [
        [Posted(0, Post.ANTE, 4)],
        [Posted(0, Post.ANTE, 4), Posted(1, Post.ANTE, 1), Posted(2, Post.ANTE, 1)],
        [Posted(0, Post.ANTE, 4), Posted(0, Post.DEAD_BLIND, 3), Posted(1, Post.DEAD_BLIND, 1)],
        [Posted(2, Post.BIG_BLIND_ANTE, 2), Posted(1, Post.ANTE, 3)],
    ],
)
@pytest.mark.parametrize(
    "acts", [["raise_to 6", "fold", "fold"], ["raise_to 6", "call"], ["raise_to 30", "call", "call"]]
)
@pytest.mark.parametrize("stack", [200, 9])
def test_antes_that_differ_are_dead_and_no_bet_that_nobody_called(
    antes: list[Posted], acts: list[str], stack: int
) -> None:
    """TDA 15-B: what goes back is of a bet; an ante and a dead blind stay in the pot."""
    hand = Hand([200, stack, 200], Stakes(1, 2), deck=Deck.seeded(7), posts=[*antes, *BLINDS])
    for act in acts:
        if hand.to_act:
            hand.act(parse_action(act))
    while hand.to_act:
        hand.check_or_call()
    assert verdicts(hand) == ()
    backs = [fact.chips for fact in facts_of(hand) if fact.what == "back"]
    if backs:
        assert [one.code for one in judged(hand, what("back"), chips=backs[0] + 1)] == ["uncalled"]


def test_an_uncalled_bet_is_missed_before_the_next_street_opens() -> None:
    hand = played("holdem", [200, 200, 9], "raise_to 30", "fold", "call")
    assert "uncalled" not in [verdict.code for verdict in verdicts(hand)]
    facts = facts_of(hand)
    back = next(number for number, fact in enumerate(facts) if fact.what == "back")
    assert facts[back + 1].what == "show"
    del facts[back]
    found = judge(sheet_of(hand.game), sitting_of(hand), facts)
    assert [(one.code, one.place) for one in found] == [("uncalled", back + 2)]


@pytest.mark.parametrize("kind", [Post.DEAD_BLIND, Post.BIG_BLIND_ANTE])
def test_who_is_all_in_with_dead_chips_alone_is_paid_of_dead_chips_alone(kind: Post) -> None:
    posts = [Posted(0, kind, 3), Posted(1, Post.DEAD_BLIND, 5), *BLINDS]
    for seed in range(6):
        hand = Hand([3, 100, 100], Stakes(1, 2), deck=Deck.seeded(seed), posts=posts)
        while hand.to_act:
            hand.check_or_call()
        assert hand.starting[0] == 3
        assert hand.stacks[0] in (0, 8, 4)
        assert verdicts(hand) == ()


def test_an_order_of_hands_that_no_rule_book_has_is_judged_by_its_sum() -> None:
    game = attrs.evolve(GAMES["holdem"], strengths=lambda holes, board: [1 for _ in holes])
    hand = Hand([50, 50], Stakes(1, 2), deck=Deck.seeded(3), game=game)
    hand.act(RaiseTo(50))
    hand.check_or_call()
    assert not sheet_of(game).known
    assert verdicts(hand) == ()
    assert [one.code for one in judged(hand, what("award"), chips=49)] == ["payout"]
    checked = Hand([50, 50], Stakes(1, 2), deck=Deck.seeded(3), game=game)
    while checked.to_act:
        checked.check_or_call()
    assert verdicts(checked) == (), "who shows is not judged either"


def test_winnings_that_nobody_told_are_not_judged() -> None:
    assert judged(PLAIN, what("state"), payoffs=None) == []


RESHUFFLED = deal("badugi", 0)
THREE_ROWS = Hand([200, 0, 200], GAMES["open-face"].stakes, deck=Deck.seeded(7), game=GAMES["open-face"])


def put_before(hand: Hand, where: Change, fact: Fact, nth: int = 0) -> list[str]:
    """Return the codes of verdicts on a hand with a fact more, before the `nth` of a kind."""
    facts = facts_of(hand)
    place = [number for number, one in enumerate(facts) if where(one)][nth]
    facts.insert(place, fact)
    return [verdict.code for verdict in judge(sheet_of(hand.game), sitting_of(hand), facts)]


@pytest.mark.parametrize(
    ("hand", "where", "fact", "code"),
    [
        (PLAIN, what("down"), Fact(what="post", seat=0, word="straddle", chips=4), "post"),
        (PLAIN, what("board"), Fact(what="down", seat=0, cards=parse_cards("2c")), "deal"),
        (PLAIN, what("act"), Fact(what="board", word="flop", cards=parse_cards("2c3c4c")), "turn"),
        (PLAIN, what("award"), Fact(what="board", word="showdown", cards=parse_cards("2c")), "street"),
        (FOLDED, what("award"), Fact(what="board", word="flop", cards=parse_cards("2c3c4c")), "street"),
        (PLAIN, what("act"), Fact(what="back", seat=2, chips=1), "turn"),
        (PLAIN, what("act"), Fact(what="end", stacks=(200, 199, 198)), "turn"),
        (PLAIN, what("award"), Fact(what="act", seat=0, word="check"), "turn"),
        (PLAIN, what("award"), Fact(what="ask", seat=0, word="bet"), "turn"),
        (PLAIN, what("award"), Fact(what="show", seat=2, cards=PLAIN.holes[2]), "show"),
        (FOLDED, what("award"), Fact(what="muck", seat=0), "show"),
        (FOLDED, what("award"), Fact(what="show", seat=0, cards=FOLDED.holes[0]), "show"),
        (ROWS, what("act"), Fact(what="score", seat=0), "turn"),
        (ROWS, what("act"), Fact(what="end", stacks=(200, 200)), "end"),
        (THREE_ROWS, what("ask"), Fact(what="down", seat=1, cards=parse_cards("2c")), "deal"),
        (RESHUFFLED, what("ask", "draw"), Fact(what="reshuffle", chips=3), "deal"),
    ],
)
def test_a_fact_too_many_is_named(hand: Hand, where: Change, fact: Fact, code: str) -> None:
    assert put_before(hand, where, fact)[:1] == [code]


def test_a_card_is_dealt_once_and_none_that_the_seat_threw_away() -> None:
    assert {one.code for one in judged(PLAIN, what("down"), 1, cards=facts_of(PLAIN)[3].cards)} == {"deal"}
    assert {one.code for one in judged(RESHUFFLED, what("reshuffle"), chips=1)} == {"deal"}
    facts = facts_of(RESHUFFLED)
    act = next(n for n, fact in enumerate(facts) if fact.word == "discard" and fact.cards)
    again = facts[act].cards[: len(facts[act + 1].cards)]
    facts[act + 1] = attrs.evolve(facts[act + 1], cards=again)
    found = judge(sheet_of(RESHUFFLED.game), sitting_of(RESHUFFLED), facts)
    assert [(one.code, one.computed) for one in found] == [
        ("deal", f"seat {facts[act].seat} is never dealt a card it threw away")
    ]


def test_nobody_is_to_act_after_a_verdict() -> None:
    referee = Referee(sheet_of(PLAIN.game), sitting_of(PLAIN))
    for fact in facts_of(PLAIN)[:7]:
        referee.hear(fact)
    assert referee.turn is not None
    referee.hear(Fact(what="act", seat=1, word="fold"))
    assert [one.code for one in referee.verdicts] == ["turn"]
    assert referee.turn is None


def test_who_is_left_alone_is_paid_whatever_the_order_of_hands() -> None:
    game = attrs.evolve(GAMES["holdem"], strengths=lambda holes, board: [1 for _ in holes])
    hand = Hand([50, 50], Stakes(1, 2), deck=Deck.seeded(3), game=game)
    hand.fold()
    assert verdicts(hand) == ()
    assert [one.code for one in judged(hand, what("award"), seat=0)] == ["payout", "payout"]


def test_a_board_that_is_run_again_has_all_its_cards() -> None:
    facts = facts_of(TWICE)
    last = [number for number, fact in enumerate(facts) if fact.what == "board" and fact.board][-1]
    del facts[last]
    found = judge(sheet_of(TWICE.game), sitting_of(TWICE), facts)
    assert [(one.code, one.said) for one in found] == [("runs", "4 cards are run again")]


def test_a_board_lies_there_before_the_first_bet() -> None:
    assert [*flaws("courchevel", range(6))] == []


@pytest.mark.parametrize("name", ["crazy-pineapple", "2-7-triple-draw", "badugi"])
def test_hands_stay_closed_after_an_all_in_as_long_as_cards_are_changed(name: str) -> None:
    hand = played(name, [4] * 3, "raise_to 4", seed=3)
    assert all(not stack or won > 0 for stack, won in zip(hand.stacks, hand.payoffs, strict=True))
    assert verdicts(hand) == ()


CRAZY = played("crazy-pineapple", [200] * 3)
OMAHA = played("omaha", [200] * 3)


@pytest.mark.parametrize(
    ("hand", "where", "nth", "changes"),
    [
        (DRAW, what("act", "discard"), 0, {"word": "check", "cards": ()}),
        (CRAZY, what("act", "discard"), 0, {"word": "raise", "total": 1, "cards": ()}),
        (CRAZY, what("act", "discard"), 0, {"cards": ()}),
        (OMAHA, what("act"), 0, {"word": "discard", "cards": tuple(OMAHA.holes[0])}),
        (PLAIN, what("act"), 0, {"word": "lay"}),
        (ROWS, what("act", "lay"), 0, {"rows": ((), (), ())}),
    ],
)
def test_an_act_of_another_kind_than_is_asked_for_is_named(
    hand: Hand, where: Change, nth: int, changes: dict[str, Any]
) -> None:
    assert [verdict.code for verdict in judged(hand, where, nth, **changes)] == ["act"]


def test_the_rule_of_a_turn_is_that_of_its_kind() -> None:
    (drawn,) = judged(DRAW, what("ask", "draw"), seat=0)
    assert drawn.rule == "seats draw and throw from the left of the button"
    asked = [fact.seat for fact in facts_of(STUD) if fact.what == "ask"]
    (first,) = judged(STUD, what("ask"), seat=(asked[0] + 1) % 4)
    assert first.rule.startswith("the lowest open card brings it in")
    (later,) = judged(STUD, what("ask"), 1, seat=(asked[1] + 1) % 4)
    assert later.rule.startswith("turns go to the left")


def test_an_act_before_the_cards_is_named_once() -> None:
    assert put_before(PLAIN, what("down"), Fact(what="act", seat=0, word="fold")) == ["deal"]


def test_nobody_gives_up_a_card_who_is_alone_and_a_bet_goes_back_before_cards_do() -> None:
    game = GAMES["crazy-pineapple"]
    alone = Hand([200] * 3, Stakes(1, 2), deck=Deck.seeded(5), game=game)
    for act in ("call", "call", "check", "bet 9", "fold", "fold"):
        alone.act(parse_action(act))
    assert verdicts(alone) == ()
    covered = Hand([200, 9, 9], Stakes(1, 2), deck=Deck.seeded(5), game=game)
    for act in ("call", "call", "check", "check", "check", "bet 198", "call", "call"):
        covered.act(parse_action(act))
    assert covered.public().drawing
    assert verdicts(covered) == ()


def test_who_has_folded_neither_shows_nor_mucks_and_who_is_left_may_show_after_the_end() -> None:
    facts = facts_of(PLAIN)
    award = next(number for number, fact in enumerate(facts) if fact.what == "award")
    for kind, words in (("show", "seat 2 shows 2 cards"), ("muck", "seat 2 mucks")):
        told = Fact(what=kind, seat=2, cards=PLAIN.holes[2] if kind == "show" else ())
        found = judge(sheet_of(PLAIN.game), sitting_of(PLAIN), [*facts[:award], told, *facts[award:]])
        assert [(one.place, one.said) for one in found] == [(award, words)]
    *facts, state = facts_of(FOLDED)
    (winner,) = FOLDED.live
    shown = [*facts, Fact(what="show", seat=winner, cards=FOLDED.holes[winner]), state]
    assert judge(sheet_of(FOLDED.game), sitting_of(FOLDED), shown) == []


def test_of_a_wrong_payout_it_is_not_judged_who_showed() -> None:
    facts = [fact for fact in facts_of(PLAIN) if fact.what not in ("show", "muck")]
    award = next(number for number, fact in enumerate(facts) if fact.what == "award")
    facts[award] = attrs.evolve(facts[award], chips=1)
    assert {one.code for one in judge(sheet_of(PLAIN.game), sitting_of(PLAIN), facts)} == {"payout"}


def test_a_game_may_begin_with_a_flop() -> None:
    first = Street("flop", hole=2, board=3)
    game = attrs.evolve(GAMES["holdem"], streets=(first, *GAMES["holdem"].streets[2:]))
    for options in (HandOptions(Rake(1000, 5)), HandOptions(Rake(1000, 5), bomb_pot=10)):
        hand = Hand([200] * 3, Stakes(10, 20), deck=Deck.seeded(7), game=game, options=options)
        for act in ("bet 20" if options.bomb_pot else "raise_to 60", "fold", "fold"):
            hand.act(parse_action(act))
        assert hand.rake > 0
        assert verdicts(hand) == ()


def test_a_bomb_pot_that_is_over_on_the_flop_has_seen_one() -> None:
    rake = HandOptions(Rake(1000, 5), bomb_pot=10)
    hand = Hand([200] * 3, Stakes(1, 2), deck=Deck.seeded(7), options=rake)
    for act in ("bet 20", "fold", "fold"):
        hand.act(parse_action(act))
    assert hand.rake > 0
    assert verdicts(hand) == ()


def test_a_board_run_again_while_there_are_bets_is_named() -> None:
    run = Fact(what="board", word="river", board=1, cards=parse_cards("2c"))
    assert put_before(PLAIN, what("award"), run)[:1] == ["runs"]


def test_nothing_is_wrong_where_a_seat_raises_once_and_no_more_than_the_others_can_pay() -> None:
    assert [*flaws("five-card", range(20))] == []
