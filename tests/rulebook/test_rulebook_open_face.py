"""Open-face Chinese poker, ruling by ruling.

Sources: the rules of OFC pineapple at pokerninja.net, blitzpoker.net and pokerdom.com [P]; "Pineapple Open Face
Chinese", vegasopenface.wordpress.com, 2013 [V]. docs/games.md says what was chosen where they differ.
"""

from __future__ import annotations

from random import Random

import pytest

from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.evaluator.openface import OpenFaceBoard
from poker_actors.rules import GAMES, Fold, Hand, Lay, Stakes, event, parse_action
from poker_actors.rules.cash import HandOptions
from poker_actors.rules.openface import settled
from poker_actors.rules.words import state_text

CLASSIC, PINEAPPLE = GAMES["open-face"], GAMES["open-face-pineapple"]
QUEENS = (parse_cards("QsQd2c"), parse_cards("AsAd3c4c5d"), parse_cards("KsKdKc6h7h"))
QUEENS_TOO = (parse_cards("QcQh3h"), parse_cards("7c7d6c6d2d"), parse_cards("TsTdTcTh4d"))
FULL = (parse_cards("2h3h4h"), parse_cards("7c7d7s6c6d"), parse_cards("TsTdTcTh4d"))
FULL_TOO = (parse_cards("3s4s5s"), parse_cards("8c8d8h9c9d"), parse_cards("JcJdJhJs6s"))
LOW = (parse_cards("2s3d5c"), parse_cards("7s7d9c8c4d"), parse_cards("8h8d9hThJh"))
FOUL = (parse_cards("AhAc2h"), parse_cards("3h4h6c7c9s"), parse_cards("TsTdTcJs4s"))
NOTHING = (parse_cards("2d4c6s"), parse_cards("3d5h8d9dJd"), parse_cards("QcKh2s5s6d"))


def deal(game: str, stacks: list[int], deck: Deck | int = 1, **more: object) -> Hand:
    rules = GAMES[game]
    chosen = deck if isinstance(deck, Deck) else Deck.seeded(deck, rules.pack)
    return Hand(stacks, rules.stakes, deck=chosen, game=rules, **more)  # type: ignore[arg-type]


def board(rows: tuple[tuple[Card, ...], ...]) -> OpenFaceBoard:
    return OpenFaceBoard.of(*rows)


def laid_out(*rows: tuple[tuple[Card, ...], ...], stacks: list[int] | None = None) -> Hand:
    """A deal of the classic game in which each seat, from the left of the button, gets these rows."""
    places = [(row, card) for row in range(3) for card in range((3, 5, 5)[row])]
    rounds = [places[:5], *([place] for place in places[5:])]
    dealt = [rows[seat][row][card] for taken in rounds for seat in range(len(rows)) for row, card in taken]
    left = [card for card in CLASSIC.pack if card not in dealt]
    seats = len(rows)
    hand = deal("open-face", stacks or [200] * seats, Deck([*dealt, *left]), button=seats - 1)
    for taken in rounds:
        for seat in range(seats):
            ways = [tuple(rows[seat][row][card] for row, card in taken if row == at) for at in range(3)]
            hand.act(Lay(*ways))  # type: ignore[arg-type]
    return hand


def play(hand: Hand, rng: Random) -> Hand:
    while hand.to_act:
        legal = hand.legal
        hand.act(rng.choice(list(legal)) if len(legal) < 300 else legal.passive)
    return hand


def test_a_row_is_a_point_and_all_three_are_six_and_royalties_count_beside() -> None:
    """Scoring 1-6 [P]."""
    points, chips = settled({0: board(LOW), 1: board(NOTHING)}, [50, 50], 1)
    assert points == chips == {0: 2 - 1, 1: 1 - 2}
    assert settled({0: board(QUEENS), 1: board(NOTHING)}, [50, 50], 1)[0] == {0: 6 + 7, 1: -6 - 7}


def test_a_foul_loses_six_and_the_royalties_of_the_other() -> None:
    points, _ = settled({0: board(FOUL), 1: board(QUEENS)}, [90, 90], 1)
    assert points == {0: -6 - 7, 1: 6 + 7}


def test_two_fouls_pay_nothing() -> None:
    points, _ = settled({0: board(FOUL), 1: board(FOUL)}, [90, 90], 1)
    assert points == {0: 0, 1: 0}


def test_nobody_wins_or_loses_more_than_the_smaller_stack() -> None:
    """Table stakes [P: pokerdom]."""
    for stacks in ([5, 90], [90, 5]):
        points, chips = settled({0: board(FOUL), 1: board(QUEENS)}, stacks, 2)
        assert points == {0: -13, 1: 13}
        assert chips == {0: -5, 1: 5}
        assert settled({0: board(QUEENS), 1: board(FOUL)}, stacks, 2)[1] == {0: 5, 1: -5}


def test_who_is_left_of_the_button_is_compared_first() -> None:
    _, chips = settled({1: board(QUEENS), 2: board(LOW), 0: board(FOUL)}, [10, 40, 40], 1)
    assert (chips[0], chips[1] > 0, sum(chips.values())) == (-10, True, 0)


def test_the_seat_left_of_the_button_lays_first_and_sees_its_cards_at_its_turn() -> None:
    hand = deal("open-face", [200] * 3, button=0)
    assert hand.to_act == (1, 2, 0)
    assert [len(hole) for hole in hand.holes] == [0, 5, 0]


def test_five_cards_then_one_by_one_to_thirteen() -> None:
    hand = play(deal("open-face", [200] * 4), Random(1))
    assert [len(hand.public().log.streets()[street]) for street in range(9)] == [4] * 9
    assert {len(cards) for cards in hand.holes} == {13}


def test_pineapple_deals_three_of_which_two_are_laid() -> None:
    hand = deal("open-face-pineapple", [200] * 2)
    hand.check_or_call()
    hand.check_or_call()
    assert len(hand.holes[hand.to_act[0]]) == 3
    top, middle, bottom = hand.holes[hand.to_act[0]]
    with pytest.raises(IllegalAction, match="lays 3 cards: it has to be 2 of 3"):
        hand.act(Lay((top,), (middle, bottom), ()))
    assert len(hand.log) == 2


def test_a_card_thrown_away_is_seen_by_nobody() -> None:
    """[V] 4: discarded cards are not revealed."""
    heard: list[event.Event] = []
    hand = deal("open-face-pineapple", [200] * 3, listener=heard.append)
    play(hand, Random(2))
    layout = hand.public().layout
    assert layout is not None
    laid = {card for deals in layout.scored for rows in deals.rows for row in rows for card in row}
    thrown = set(hand.cards_dealt) - laid
    told = [news for news in heard if not isinstance(news, event.HoleDealt)]
    assert thrown
    assert not [card for card in thrown if repr(card) in f"{told} {hand.public()!r} {hand!r}"]


def test_a_late_players_cards_fill_the_bottom_row_first() -> None:
    """[P: pokerninja] of a player whose time is up; the third card is thrown away."""
    hand = deal("open-face-pineapple", [200] * 2)
    first = hand.holes[hand.to_act[0]]
    assert hand.legal.passive == Lay((), (), first)
    hand.check_or_call()
    hand.check_or_call()
    second = hand.holes[hand.to_act[0]]
    assert hand.legal.passive == Lay((), second[:2], ())


def test_queens_on_top_are_dealt_thirteen_cards_next_and_the_button_stays() -> None:
    """[P: pokerninja] one extra hand, the button does not move; classic gives 13, pineapple 14."""
    hand = laid_out(QUEENS, LOW)
    layout = hand.public().layout
    assert layout is not None
    assert (layout.fantasy, hand.public().phase, hand.to_act) == ((0,), "fantasy land", (0, 1))
    assert len(hand.holes[0]) == 13
    assert hand.public().setup.button == 1


def test_rows_in_fantasy_land_lie_face_down_until_the_deal_is_scored() -> None:
    hand = laid_out(QUEENS, LOW)
    hand.check_or_call()
    layout = hand.public().layout
    assert layout is not None
    assert layout.rows[0] == ((), (), ())
    hidden = [str(card) for row in hand.extra.rows[0] for card in row] if hand.extra else []
    assert hidden
    assert not [card for card in hidden if card in repr(hand.public().actions[-1])]
    while len(hand.public().layout.scored) < 2:  # type: ignore[union-attr]
        hand.check_or_call()
    assert [str(card) for row in hand.public().layout.scored[1].rows[0] for card in row] == hidden  # type: ignore[union-attr]


def test_a_foul_with_queens_on_top_earns_no_fantasy_land() -> None:
    assert laid_out(FOUL, LOW).over


def test_in_fantasy_land_one_lays_once_and_the_others_street_by_street_as_before() -> None:
    hand = laid_out(QUEENS, LOW)
    phases = []
    while not hand.over:
        phases.append((hand.to_act[0], hand.phase))
        hand.check_or_call()
    assert phases == [(0, "fantasy land"), *[(1, "fantasy land")] * 9]
    layout = hand.public().layout
    assert layout is not None
    assert layout.rows == layout.scored[1].rows
    assert dict(hand.public().shown).keys() == {0, 1}
    (shown,) = [news for news in hand.events() if isinstance(news, event.Shown)]
    assert (shown.seat, shown.cards) == (0, tuple(card for row in layout.rows[0] for card in row))


def test_where_all_are_in_fantasy_land_each_lays_once() -> None:
    hand = laid_out(QUEENS, QUEENS_TOO)
    assert (hand.to_act, hand.phase) == ((0, 1), "fantasy land")
    assert hand.stacks != (200, 200)
    assert hand.public().won == {}, "the hand is not over"
    hand.check_or_call()
    hand.check_or_call()
    layout = hand.public().layout
    assert layout is not None
    assert len(layout.scored) == 2


def test_who_has_no_chips_left_is_dealt_no_more() -> None:
    hand = laid_out(QUEENS, FOUL, stacks=[200, 5])
    assert (hand.over, hand.stacks) == (True, (205, 0)), "nobody is left to play against"
    hand = laid_out(QUEENS, FULL_TOO, FULL, stacks=[1, 200, 200])
    assert (hand.over, hand.stacks[0]) == (True, 0), "fantasy land was earned by who cannot play it"
    hand = laid_out(QUEENS, FOUL, LOW, stacks=[200, 5, 200])
    assert (hand.stacks[1], hand.to_act) == (0, (0, 2))
    while not hand.over:
        hand.check_or_call()
    assert "seat 0 shows" in (told := state_text(hand.public()))
    assert "seat 1 shows" not in told, "it has no cards in fantasy land"


def test_there_is_nothing_to_bet() -> None:
    hand = deal("open-face", [200, 200])
    with pytest.raises(IllegalAction, match="this turn is for laying cards"):
        hand.act(Fold())
    with pytest.raises(BadSpec, match="without blinds"):
        Hand([200, 200], Stakes(1, 2), deck=Deck.seeded(1), game=CLASSIC)
    with pytest.raises(BadSpec, match="without blinds"):
        deal("open-face", [200, 200], options=HandOptions())


def test_a_journal_keeps_the_order_in_a_row_and_the_log_does_not() -> None:
    hand = deal("open-face", [50, 50])
    first, second, *others = hand.holes[hand.to_act[0]]
    laid = Lay((), (second, first), tuple(others))
    hand.act(laid)
    assert hand.replay().whole_actions() == [laid]
    assert hand.entries() == hand.log
    assert hand.replay(hand.log).whole_actions() == [Lay((), (first, second), tuple(others))]


@pytest.mark.parametrize("game", ["open-face", "open-face-pineapple"])
@pytest.mark.parametrize("seed", range(25))
def test_any_hand_conserves_chips_replays_and_ends(game: str, seed: int) -> None:
    rng = Random(seed)
    seats = rng.randint(2, GAMES[game].max_seats)
    stacks = [rng.choice((0, 3, 20, 500)) if seat > 1 else rng.choice((3, 500)) for seat in range(seats)]
    hand = deal(game, stacks, seed, button=rng.randrange(2))
    while hand.to_act:
        legal = hand.legal
        ways = list(legal) if len(legal) < 300 else [legal.passive]
        assert all(way in legal for way in ways)
        assert len({*ways}) == len(ways)
        assert len(ways) in (1, len(legal))
        action = rng.choice(ways)
        assert parse_action(str(action)) == action
        copy = hand.copy()
        copy.act(action)
        hand.act(action)
        assert copy == hand
    assert sum(hand.stacks) == sum(stacks)
    assert min(hand.stacks) >= 0
    again = hand.replay()
    assert (again, again.stacks, again.events()) == (hand, hand.stacks, hand.events())
