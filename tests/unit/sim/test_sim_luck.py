"""The luck of the cards: a deal is worth nothing on average, whatever pots, stacks and players there are."""

import random
from statistics import mean, stdev

import pytest

from poker_actors.cards import STANDARD_DECK, Card, Deck
from poker_actors.evaluator import fast
from poker_actors.rules import Hand, Stakes, game_named
from poker_actors.rules.cash import CashOptions, Rake
from poker_actors.sim import Match, simulate
from poker_actors.sim.luck import TERMS, luck_of
from poker_actors.sim.luck.worth import Deal, shares

HOLES = ["AsAh", "KsKh", "QdQc"]
FLOP_AND_TURN = "2c7dKdJs"
USED = {Card(text) for text in ("As", "Ah", "Ks", "Kh", "Qd", "Qc", "2c", "7d", "Kd", "Js")}
RIVERS = [card for card in STANDARD_DECK if card not in USED]


def bet_on_the_river(river: Card, stacks: tuple[int, ...]) -> Hand:
    """Seat 0 is all-in on the turn, the others go on: a main pot and a side pot when the river falls."""
    hand = Hand(stacks, Stakes(), deck=Deck.stacked(HOLES, FLOP_AND_TURN + str(river)))
    while hand.street < 2:
        hand.check_or_call()
    hand.raise_to(max(hand.stacks[0], 20) if hand.stacks[0] < 100 else 40)
    while hand.to_act and hand.street < 3:
        hand.check_or_call()
    while hand.to_act:
        hand.check_or_call()
    return hand


@pytest.mark.parametrize("stacks", [(200, 200, 200), (30, 200, 150)])
def test_what_a_river_is_worth_has_the_mean_nothing(stacks: tuple[int, ...]) -> None:
    hands = [bet_on_the_river(card, stacks) for card in RIVERS]
    told = [luck_of(hand, random.Random(1)) for hand in hands]
    for seat in range(3):
        column = [luck.terms[seat][TERMS.index("later streets")] for luck in told]
        # the queens of seat 2 are drawing dead
        assert any(column) == (seat < 2)
        # thousandths, rounded one by one
        assert abs(mean(column)) <= 1


def test_a_shuffle_makes_every_card_as_likely() -> None:
    game = game_named("holdem")
    rng = random.Random(2)
    deal = Deal(game, (tuple(map(Card, ("As", "Ah"))), tuple(map(Card, ("Ks", "Kh")))))
    drawn = []
    for _ in range(60):
        ((won, _),), parts = shares(deal, [(0, 1)], rng)
        drawn.append(won / parts)
    # 0.8217 + 0.0054 / 2 by all 1,712,304 boards
    exact = 0.8244
    assert abs(mean(drawn) - exact) < 4 * stdev(drawn) / 60**0.5 + 0.0005
    assert stdev(drawn) < 0.02


@pytest.mark.parametrize("name", ["holdem", "short-deck"])
def test_arrays_and_plain_python_tell_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy", reason="the extra [fast] is not installed")
    game = game_named(name)
    for seed in range(4):
        match = Match.of(["random", "caller", "loose"], hands=1, seed=seed, game=game)
        deck = match.deck(0)
        cards = deck.draw(9)
        deal = Deal(game, (cards[:2], cards[2:4], cards[4:6]), (cards[6 : 6 + (0, 3)[seed % 2]],))
        pots = [(0, 1, 2), (1, 2)]
        found = shares(deal, pots, random.Random(seed))
        with monkeypatch.context() as patch:
            patch.setattr(fast, "engine", lambda: "python")
            assert shares(deal, pots, random.Random(seed)) == found


@pytest.mark.parametrize(
    "settings",
    [
        {"stacks": "200,40,90"},
        {"options": CashOptions(Rake(500))},
        {"game": "omaha"},
        {"game": "limit-holdem"},
        {"game": "short-deck"},
    ],
    ids=["unequal stacks", "rake", "omaha", "limit", "short deck"],
)
def test_results_without_luck_have_the_mean_of_the_results(settings: dict[str, object]) -> None:
    result = simulate(["random", "caller", "loose"], hands=400, seed=5, adjust=True, **settings)  # type: ignore[arg-type]
    assert result.raw is not None
    assert result.corrected is not None
    for bot in range(3):
        apart = result.raw.means[bot] - result.corrected.means[bot]
        # the difference is luck alone
        assert abs(apart) < 4 * (result.raw.variance(bot) or 0) ** 0.5
    rake = 100 * result.rake / 400 / result.big_blind
    assert sum(result.corrected.means) == pytest.approx(-rake, abs=0.5)


def test_five_cards_dealt_street_by_street_have_luck_too() -> None:
    result = simulate(["random", "caller"], hands=300, seed=5, game="five-card", adjust=True)
    assert result.corrected is not None
    assert result.raw is not None
    assert (result.corrected.variance(0) or 0) < (result.raw.variance(0) or 0)


def test_bomb_pots_on_several_boards_have_luck_too() -> None:
    boards = CashOptions(bomb_pot=10, bomb_every=3, boards=2, bomb_boards=2)
    result = simulate(["random", "caller", "loose"], hands=120, seed=1, options=boards, adjust=True)
    assert result.raw is not None
    assert result.corrected is not None
    assert (result.corrected.variance(0) or 0) < (result.raw.variance(0) or 0)
