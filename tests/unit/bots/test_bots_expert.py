"""The bot expert plays by its table, in every situation there is, and its file is read whole or refused."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from poker_actors import simulate
from poker_actors.bots import BotSpec, SeedTree
from poker_actors.bots.expert import ACTIONS, CHARACTERS, LEVELS, StrategyTable, entering, situation_of
from poker_actors.bots.expert import table as table_module
from poker_actors.bots.expert.situation import APART, rough, situation, texture
from poker_actors.bots.odds import odds_of
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec, MissingExtra
from poker_actors.rules import Action, Bet, Call, Check, Fold, Hand, RaiseTo, Stakes, View, game_named

SHIPPED = Path(table_module.__file__).with_name("holdem.strategy")


def first_turn(holes: list[str], board: str = "", stacks: int = 200) -> View:
    hand = Hand([stacks] * len(holes), Stakes(), deck=Deck.stacked(holes, board))
    return hand.view(hand.to_act[0], SeedTree(1).stream(0, 0))


def small() -> StrategyTable:
    """Two situations, all of whose weights are on one action or missing."""
    view = first_turn(["AsAh", "2c7d"])
    weights = np.zeros((169 + 32, ACTIONS), np.uint8)
    weights[:169, 3] = 15
    weights[169::2, 1] = 15
    return StrategyTable(np.array([situation_of(view), (1 << 12) | 3], np.int32), weights)


def test_the_package_brings_a_table_of_at_most_3_mb() -> None:
    assert SHIPPED.stat().st_size <= 3_000_000
    assert table_module.shipped_table().rows > 50_000


def bet_into(pot: int, bet: int) -> int:
    """The situation of somebody on the flop who faces a bet, heads-up and with chips enough."""
    return situation((1, 2, 0, 1, 1, pot + bet, bet, 10**6, 2 * 10**6, 2, 1, 0, 0, 0, 0, 0))


def test_seven_tenths_of_a_pot_and_a_half_are_told_apart_however_coarse_the_chips_are() -> None:
    seven_tenths = bet_into(1_000, 700)
    for pot in range(5, 1_000):
        assert bet_into(pot, 7 * pot // 10) == seven_tenths
        assert bet_into(pot, pot // 2) != seven_tenths


def faced(seats: int, chips: int, *, street: int = 1, left: int = 10**6) -> int:
    """The situation of somebody who faces a first bet of `chips` into 1,000."""
    dealt = (street, seats, 0, seats - 1, 1, 1_000 + chips, chips, left, 2 * 10**6, 2)
    return situation((*dealt, 1, 0, 0, 0, 0, 0))


@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_heads_up_bets_between_half_a_pot_and_a_pot_have_rows_of_their_own(street: int) -> None:
    half, between, pot = (faced(2, chips, street=street) for chips in (500, 700, 1_000))
    assert len({half, between, pot}) == 3
    assert faced(2, 550, street=street) == faced(2, 850, street=street) == between
    # where a table has none of them it answers as to a pot
    assert rough(between) == rough(pot) != rough(half)
    assert faced(3, 700, street=street) == faced(3, 1_000, street=street)
    assert faced(2, 700, street=street, left=0) < APART


def all_in(pot: int, chips: int) -> int:
    """The situation of somebody on the flop who faces a bet of all there is to win, heads-up."""
    return situation((1, 2, 0, 1, 1, pot + chips, chips, 0, chips, 2, 1, 0, 0, 0, 0, 0))


def test_a_shove_is_answered_by_its_size() -> None:
    found = [all_in(1_000, 100 * tenths) for tenths in (2, 7, 15, 30, 60, 100, 200, 400)]
    assert len(set(found)) == 8


@pytest.mark.parametrize(
    ("board", "found"),
    [
        ("Ks8d3c", 0),
        ("9s7d5c", 1),
        ("As4d2c", 1),
        ("AsQdTc", 1),
        ("KsKd3c", 2),
        ("Ks8s3c", 4),
        ("KsKd3s", 6),
        ("Ks8s3s", 8),
        ("9s8d7c2h", 0),
        ("9s8d7c5h", 1),
        ("Ks8s3c2c", 0),
        ("Ks8s3s2c", 4),
        ("Ks8s3s2s", 8),
        ("9s8s7s5c5d", 7),
        ("As5d4c3hKh", 1),
        ("Ks8s4s2cJs", 8),
    ],
)
def test_a_board_is_of_the_texture_that_players_see(board: str, found: int) -> None:
    cards = parse_cards(board)
    assert texture(cards, 0, len(cards)) == found
    assert texture((0, *cards), 1, len(cards)) == found


def played(moves: list[Action], board: str, seats: int = 2) -> int:
    """The situation after `moves`, in a hand of big blinds enough for all of them."""
    hand = Hand([400] * seats, Stakes(), deck=Deck.stacked(["AsAh", "2c7d", "4h4d"][:seats], board))
    for move in moves:
        hand.act(move)
    return situation_of(hand.view(hand.to_act[0], SeedTree(1).stream(0, 0)))


def test_heads_up_it_knows_the_board_and_who_bet_on_the_streets_before() -> None:
    opened: list[Action] = [RaiseTo(6), Call()]
    betting: list[Action] = [Bet(6), Call()]
    checking: list[Action] = [Check(), Check()]
    dry, wet = "Kc8d3sQs", "Tc9c8sQs"
    assert played(opened, dry) != played(opened, wet)
    assert played([*opened, *betting], dry) != played([*opened, *checking], dry)
    assert rough(played(opened, dry)) == rough(played(opened, wet))
    many: list[Action] = [RaiseTo(6), Call(), Call()]
    assert played(many, dry, 3) == played(many, wet, 3) == rough(played(many, dry, 3))


def test_where_training_saw_no_such_board_the_rough_situation_is_played(tmp_path: Path) -> None:
    view = on_the_flop("QhJd", 24)
    seen = situation_of(view)
    other = seen ^ (1 << 20)
    weights = np.zeros((3 * 64, ACTIONS), np.uint8)
    weights[:64, 0], weights[64:128, 1], weights[128:, 3] = 15, 15, 15
    table = StrategyTable(np.array([rough(seen), other, seen], np.int32), weights)
    assert [table.start(number) for number in (rough(seen), other, seen, seen ^ (1 << 19))] == [0, 64, 128, 0]
    asked = [rough(seen), other, seen, seen ^ (1 << 19), APART + seen, 8, 9]
    assert [int(table.starts[number]) for number in asked] == [table.start(number) for number in asked]
    file = tmp_path / "rough.strategy"
    file.write_bytes(StrategyTable(np.array([rough(seen), other], np.int32), weights[:128]).to_bytes())
    assert odds_of(f"expert:table={file}").probabilities(view) == {Fold(): 1.0}


def test_aces_raise_and_deuce_seven_seldom_does_at_an_unopened_six_handed_table() -> None:
    holes = ["KcKd", "QcQd", "JcJd"]
    strong = odds_of("expert").probabilities(first_turn([*holes, "AsAh", "2c7d", "9c9d"]))
    weak = odds_of("expert").probabilities(first_turn([*holes, "2h7s", "AcAd", "9c9d"]))
    assert sum(chance for action, chance in strong.items() if isinstance(action, RaiseTo)) > 0.6
    assert weak.get(Fold(), 0.0) > 0.6


@pytest.mark.parametrize(
    ("bots", "stacks", "level"),
    [
        (2, "100bb", "expert"),
        (2, "9bb", "strong"),
        (3, "220bb", "regular"),
        (6, "100bb", "casual"),
        (9, "25bb", "beginner"),
    ],
)
def test_no_action_is_illegal_and_the_same_seed_plays_the_same_hands(
    bots: int, stacks: str, level: str
) -> None:
    others = ["maniac", "random", "tight"]
    crowd = [f"expert:level={level}", *[others[seat % 3] for seat in range(bots - 1)]]
    one, other = (simulate(crowd, hands=60, seed=bots, stacks=stacks) for _ in range(2))
    assert one.digest == other.digest
    assert [player.faults.total for player in one.players] == [0] * bots


@pytest.mark.parametrize(
    "game", ["pot-limit-holdem", "limit-holdem", "short-deck", "omaha", "stud", "badugi"]
)
def test_it_plays_games_that_it_has_not_learnt(game: str) -> None:
    result = simulate(["expert", "maniac", "expert"], hands=40, seed=3, game=game)
    assert [player.faults.total for player in result.players] == [0, 0, 0]


def test_it_says_no_odds_in_a_game_that_it_has_not_learnt() -> None:
    rules = game_named("omaha")
    hand = Hand([100, 100], rules.stakes, deck=Deck.seeded(3, rules.pack), game=rules)
    with pytest.raises(BadSpec, match="bot expert states its odds in hold'em with 52 cards, not in"):
        odds_of("expert").probabilities(hand.view(hand.to_act[0]))


def test_a_level_calls_more_than_the_one_above_it() -> None:
    view = first_turn(["KcKd", "QcQd", "JcJd", "2h7s", "AcAd", "9c9d"])
    folds = [odds_of(f"expert:level={level}").probabilities(view).get(Fold(), 0.0) for level in LEVELS]
    assert folds == sorted(folds)


def odds_at(level: str, view: View) -> dict[str, float]:
    """The chances to fold, to check or call, and to bet or raise."""
    found = {"fold": 0.0, "stay": 0.0, "raise": 0.0}
    for action, chance in odds_of(f"expert:level={level}").probabilities(view).items():
        found["fold" if action == Fold() else "raise" if isinstance(action, RaiseTo) else "stay"] += chance
    return found


def on_the_flop(mine: str, bet: int = 0) -> View:
    """Heads-up, 3 big blinds each in the pot; the other has checked, or bet `bet`."""
    hand = Hand([200] * 2, Stakes(), deck=Deck.stacked([mine, "KcKd"], "9h7s2d"))
    moves: list[Action] = [RaiseTo(6), Call(), RaiseTo(bet) if bet else Check()]
    for move in moves:
        hand.act(move)
    return hand.view(0, SeedTree(1).stream(0, 0))


WEAK = ["KcKd", "QcQd", "JcJd", "2h7s", "AcAd", "9c9d"]


@pytest.mark.parametrize(
    ("character", "view", "more", "less"),
    [
        ("gambler", first_turn(WEAK), "stay", "fold"),
        ("stubborn", on_the_flop("QhJd", 24), "stay", "fold"),
        ("tame", on_the_flop("9c9d"), "stay", "raise"),
        ("timid", on_the_flop("9cTd", 6), "fold", "stay"),
        ("wild", on_the_flop("9cTd", 6), "raise", "stay"),
    ],
)
def test_a_character_errs_in_its_own_way(character: str, view: View, more: str, less: str) -> None:
    """In six of ten decisions that it could take that way; where it could not, it plays the table."""
    right, wrong = odds_at("expert", view), odds_at(character, view)
    assert right[less] > 0.1
    assert wrong[less] == pytest.approx(0.4 * right[less])
    assert wrong[more] == pytest.approx(right[more] + 0.6 * right[less])


@pytest.mark.parametrize(
    ("character", "view"),
    [
        ("gambler", on_the_flop("QhJd", 24)),
        ("stubborn", first_turn(WEAK)),
        ("timid", first_turn(WEAK)),
        ("tame", first_turn(WEAK)),
    ],
)
def test_a_character_plays_by_the_table_where_it_does_not_err(character: str, view: View) -> None:
    folds = odds_at("expert", view)["fold"]
    assert folds > 0.1
    assert odds_at(character, view)["fold"] == pytest.approx(folds)


@pytest.mark.parametrize("character", CHARACTERS)
def test_no_character_bets_more_than_four_pots_and_short_stacks_may_go_all_in(character: str) -> None:
    luck = random.Random(7)
    shoves = 0
    for number in range(40):
        deep = number % 2
        hand = Hand([200 if deep else 12] * 2, Stakes(), deck=SeedTree(3).deck(number))
        while hand.to_act:
            view = hand.view(hand.to_act[0])
            odds = odds_of(f"expert:level={character}").probabilities(view)
            assert sum(odds.values()) == pytest.approx(1)
            pot = view.pot + view.legal.to_call
            bets = [action.total - view.public.bet for action in odds if isinstance(action, RaiseTo)]
            assert max(bets, default=0) <= 4 * pot
            shoves += not deep and view.legal.all_in in odds
            hand.act(luck.choice(list(odds)))
    assert shoves or character == "tame"


def test_deep_stacks_bet_at_most_four_pots_and_short_ones_go_all_in() -> None:
    luck = random.Random(8)
    largest = {24: 0.0, 80: 0.0, 400: 0.0}
    for number in range(90):
        stack = [*largest][number % 3]
        hand = Hand([stack] * 2, Stakes(), deck=SeedTree(3).deck(number))
        while hand.to_act:
            view = hand.view(hand.to_act[0])
            odds = odds_of("expert").probabilities(view)
            pot = view.pot + view.legal.to_call
            raises = [action.total - view.public.bet for action in odds if isinstance(action, RaiseTo)]
            largest[stack] = max(largest[stack], *[bet / pot for bet in raises], 0)
            hand.act(luck.choice(list(odds)))
    assert largest[24] > 4 >= max(largest[80], largest[400])


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_character_is_a_level_that_plays_hand_by_hand(character: str) -> None:
    bots = [f"expert:level={character}", "tight"]
    result = simulate(bots, hands=60, seed=3, engine="batch")
    assert result.digest == simulate(bots, hands=60, seed=3).digest
    assert [player.faults.total for player in result.players] == [0, 0]
    assert result.digest != digest_of_the_expert()


@cache
def digest_of_the_expert() -> str:
    return simulate(["expert", "tight"], hands=60, seed=3).digest


def test_a_file_of_a_table_is_played_by_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "small.strategy"
    table = small()
    file.write_bytes(table.to_bytes())
    again = StrategyTable.from_bytes(file.read_bytes(), "small.strategy")
    assert np.array_equal(again.weights, table.weights)
    assert np.array_equal(again.situations, table.situations)
    odds = odds_of(f"expert:table={file}").probabilities(first_turn(["AsAh", "2c7d"]))
    assert odds == {RaiseTo(6): 1.0}


def test_a_raise_that_training_did_not_offer_is_left_out(tmp_path: Path) -> None:
    view = first_turn(["AsAh", "2c7d"])  # half the pot would be 4 in all, all-in is 200
    weights = np.zeros((169, ACTIONS), np.uint8)
    weights[:, 2], weights[:, 3], weights[:, 1] = 12, 6, 2
    file = tmp_path / "shallow.strategy"
    file.write_bytes(StrategyTable(np.array([situation_of(view)], np.int32), weights).to_bytes())
    odds = odds_of(f"expert:table={file}")
    assert odds.probabilities(view) == {Call(): 0.1, RaiseTo(4): 0.6, RaiseTo(6): 0.3}
    short = first_turn(["AsAh", "2c7d"], stacks=7)
    assert RaiseTo(6) not in odds.probabilities(short)


def test_a_row_that_was_never_seen_goes_by_the_price(tmp_path: Path) -> None:
    file = tmp_path / "small.strategy"
    file.write_bytes(small().to_bytes())
    odds = odds_of(f"expert:table={file}")
    six = ["KcKd", "QcQd", "JcJd", "AsAh", "2c7d", "9c9d"]
    assert odds.probabilities(first_turn(six, stacks=40)) == {Call(): 1.0}
    assert odds.probabilities(first_turn([*six[:3], "2h7s", *six[4:]], stacks=40)) == {Fold(): 1.0}


def test_at_three_seats_or_more_a_chart_says_who_enters_with_deep_stacks(tmp_path: Path) -> None:
    file = tmp_path / "small.strategy"
    file.write_bytes(small().to_bytes())
    odds = odds_of(f"expert:table={file}")
    others = ["2c7d", "2d7c"]
    first = first_turn([*others, "KcKd", "9h4c", "AcAd", "9c9d"])
    button = first_turn(["9h4c", *others])
    assert odds.probabilities(first) == {Fold(): 1.0}
    assert odds.probabilities(button) == {RaiseTo(6): 1.0}


def test_the_chart_enters_with_fewer_hands_where_somebody_has_called_or_raised() -> None:
    opened, called, raised, raised_again = [
        (0, 6, 5, 5, 1, 30, 20, 1980, 2000, 20, raises, callers, 0, 0, 1, 0)
        for raises, callers in ((0, 0), (0, 2), (1, 0), (3, 1))
    ]
    chart = [(share,) * 7 for share in (0.8, 0.6, 0.4, 0.2)]
    shares = [entering(numbers, tuple(chart)) for numbers in (opened, called, raised, raised_again)]
    assert shares == [0.8, 0.6, 0.4, 0.2]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda data: b"", "is not a table of the bot expert"),
        (lambda data: b"PK" + data, "is not a table of the bot expert"),
        (lambda data: data[:25], "is not a table of the bot expert"),
        (lambda data: data[:-1], "is damaged"),
        (lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], "is damaged"),
        (lambda data: data.replace(b"expert\n\x03", b"expert\n\x07", 1), "of version 7"),
    ],
)
def test_a_file_that_is_cut_or_foreign_is_refused_in_one_line(
    spoil: Callable[[bytes], bytes], why: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.strategy"
    file.write_bytes(spoil(small().to_bytes()))
    with pytest.raises(BadSpec, match=why) as raised:
        BotSpec.parse(f"expert:table={file}").make()
    assert "\n" not in str(raised.value)


def test_without_numpy_it_names_the_extra_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    table_module.table_of.cache_clear()
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtra, match=r"comes with the extra \[fast\]"):
        simulate(["expert", "caller"], hands=10)


def test_one_hand_and_a_range_have_the_same_odds_on_every_street() -> None:
    luck = random.Random(4)
    odds = odds_of("expert")
    streets: Counter[str] = Counter()
    for number in range(40):
        hand = Hand([200, 90, 200], Stakes(), deck=SeedTree(9).deck(number))
        while hand.to_act:
            view = hand.view(hand.to_act[0])
            streets[view.street] += 1
            assert odds.range_probabilities(view, [view.hole])[0] == odds.probabilities(view)
            facing: list[Action] = [Call(), Call(), Fold()]
            hand.act(luck.choice(facing) if view.to_call else Check())
    assert len(streets) == 4
