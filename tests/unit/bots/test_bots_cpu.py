"""The CPU of the five-card game: its tables as frequencies, what it peeks at, and what it refuses."""

from collections import Counter
from math import sqrt
from random import Random

import pytest

from poker_actors.bots import BotSpec, Faults, OpenCards, SeedTree, bot_names, decide, peeking_bots
from poker_actors.bots.cpu import LEVELS, CpuFair, CpuSeed, Luck, Standing
from poker_actors.cards import STANDARD_DECK, Deck, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.rules import GAMES, HOLDEM, Action, Bet, Call, Check, Fold, Game, Hand, Stakes, View

FIVE_CARD = GAMES["five-card"]
CPU, PLAYER = 0, 1
DECISIONS = [pytest.param(6_000, id="few"), pytest.param(200_000, id="many", marks=pytest.mark.heavy)]

PAIR_AND_NOTHING = ("7c7d9h2sKc", "3c8dThQs4c")
"""From the third card on the first hand is better; the two swapped, worse."""
CARDS = {
    "worse": PAIR_AND_NOTHING[::-1],
    "equal": ("7c7d9h2sKc", "3c3dThQs4c"),
    "better": PAIR_AND_NOTHING,
    "nothing": ("7c8d9h2sKc", "3c5dThQs4c"),
}


class Fixed:
    """A stream whose generator lives as long as the test."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def rng(self) -> Random:
        return self._rng


def deal(cards: str, stacks: tuple[int, int] = (200, 200), game: Game = FIVE_CARD) -> tuple[Hand, OpenCards]:
    cpu, player = CARDS[cards]
    deck = Deck.stacked([cpu[:6], player[:6], cpu[6:8], player[6:8], cpu[8:], player[8:]])
    shown = OpenCards.of(game, deck, (CPU, PLAYER))
    return Hand(stacks, Stakes(0, 0), deck=deck, button=PLAYER, game=game), shown


def to_street(hand: Hand, street: int) -> None:
    for _ in range(2 * street):
        hand.check_or_call()


def peeking(shown: OpenCards, **settings: str) -> CpuSeed:
    bot = BotSpec.parse(
        ":".join(["cpu-seed", ",".join(f"{key}={value}" for key, value in settings.items())]).rstrip(":")
    ).make()
    assert isinstance(bot, CpuSeed)
    bot.open_cards = shown
    return bot


def chi_square_bound(freedom: int) -> float:
    """What chi-square stays below in all but 5 of 10,000 runs (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + 3.29 * sqrt(part)) ** 3)


def chi_square(seen: Counter[int], expected: dict[int, float]) -> float:
    total = seen.total()
    assert set(seen) <= {value for value, share in expected.items() if share}
    return sum(
        (seen[value] - share * total) ** 2 / (share * total) for value, share in expected.items() if share
    )


# (stacks, cards) -> chance out of 11 as coded, per cent as commented, divisor of the smaller stack
BETS = [
    ((150, 250), "worse", 3, 30, 8),
    ((150, 250), "equal", 3, 30, 6),
    ((150, 250), "better", 5, 50, 4),
    ((150, 250), "nothing", 5, 50, 4),
    ((240, 160), "worse", 4, 40, 8),
    ((240, 160), "equal", 5, 50, 6),
    ((240, 160), "better", 7, 70, 4),
    ((240, 160), "nothing", 7, 70, 4),
    ((200, 200), "better", 7, 70, 4),
]
# (street, cards) -> below, of how many outcomes inclusive; per cent as commented
CALLS = [
    (0, "worse", 3, 11, 40),
    (0, "equal", 5, 11, 50),
    (0, "better", 7, 8, 80),
    (1, "worse", 3, 11, 40),
    (1, "equal", 5, 11, 50),
    (1, "nothing", 7, 8, 80),
    (2, "worse", 3, 11, 40),
    (2, "equal", 7, 11, 70),
    (2, "better", 7, 11, 70),
    (2, "nothing", 7, 11, 70),
]


def bets_of(bot: CpuSeed, view: View, count: int) -> Counter[int]:
    seen: Counter[int] = Counter()
    for _ in range(count):
        action = bot(view)
        assert isinstance(action, Bet | Check)
        seen[action.amount if isinstance(action, Bet) else 0] += 1
    return seen


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("chances", ["coded", "commented"])
@pytest.mark.parametrize(("stacks", "cards", "below", "percent", "divisor"), BETS)
def test_the_cpu_bets_as_often_and_as_much_as_its_table_says(
    stacks: tuple[int, int], cards: str, below: int, percent: int, divisor: int, chances: str, decisions: int
) -> None:
    hand, shown = deal(cards, stacks)
    seen = bets_of(peeking(shown, chances=chances), hand.view(CPU, Fixed(below)), decisions)
    most = min(stacks) // divisor
    chance = below / 11 if chances == "coded" else percent / 100
    expected = dict.fromkeys(range(most + 1), chance / (most + 1))
    expected[0] += 1 - chance
    assert chi_square(seen, expected) < chi_square_bound(most)


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("chances", ["coded", "commented"])
@pytest.mark.parametrize(("street", "cards", "below", "outcomes", "percent"), CALLS)
def test_the_cpu_calls_as_often_as_its_table_says(
    street: int, cards: str, below: int, outcomes: int, percent: int, chances: str, decisions: int
) -> None:
    hand, shown = deal(cards)
    to_street(hand, street)
    hand.check_or_call()
    hand.raise_to(10)
    bot, view = peeking(shown, chances=chances), hand.view(CPU, Fixed(street))
    seen = Counter(int(bot(view) == Call()) for _ in range(decisions))
    chance = below / outcomes if chances == "coded" else percent / 100
    assert chi_square(seen, {0: 1 - chance, 1: chance}) < chi_square_bound(1)


def test_exclusive_draws_never_reach_their_upper_end() -> None:
    hand, shown = deal("better", (240, 160))
    seen = bets_of(peeking(shown, draws="exclusive"), hand.view(CPU, Fixed(1)), 20_000)
    expected = dict.fromkeys(range(40), 0.7 / 40)
    expected[0] += 0.3
    assert chi_square(seen, expected) < chi_square_bound(39)
    hand.check_or_call()
    hand.raise_to(10)
    view = hand.view(CPU, Fixed(1))
    bot = peeking(shown, draws="exclusive")
    assert {bot(view) for _ in range(1000)} == {Call()}


def test_the_better_and_richer_cpu_bets_62_of_100_times_and_40_at_most() -> None:
    hand, shown = deal("better", (240, 160))
    seen = bets_of(peeking(shown), hand.view(CPU, Fixed(7)), 50_000)
    assert seen[0] / 50_000 == pytest.approx(0.38, abs=0.01)
    assert sum(amount * times for amount, times in seen.items()) / 50_000 == pytest.approx(12.7, abs=0.2)
    assert max(seen) == 40


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("stacks", [(1, 399), (3, 397), (399, 1), (200, 200)])
def test_no_level_ever_bets_what_is_not_legal(level: str, stacks: tuple[int, int]) -> None:
    for cards in CARDS:
        hand, shown = deal(cards, stacks)
        faults = Faults()
        view = hand.view(CPU, Fixed(3))
        bot = peeking(shown, level=level)
        for _ in range(300):
            decide(bot, view, faults)
        assert faults == Faults()


def test_a_harder_cpu_pays_less_when_behind_and_asks_more_when_ahead() -> None:
    luck = Luck()
    for tables in ("early", "last"):
        behind = [luck.probability(getattr(LEVELS[level], tables)[Standing.BEHIND]) for level in LEVELS]
        assert behind == sorted(behind, reverse=True)
    asked = [
        luck.probability(LEVELS[level].richer[Standing.AHEAD].chance)
        / LEVELS[level].richer[Standing.AHEAD].divisor
        for level in LEVELS
    ]
    assert asked == sorted(asked)
    assert list(LEVELS) == ["easy", "normal", "hard"]


@pytest.mark.parametrize(
    ("cpu", "player", "standing"),
    [
        (0, 0, Standing.AHEAD),
        (0, 1, Standing.BEHIND),
        (1, 0, Standing.AHEAD),
        (1, 1, Standing.LEVEL),
        (6, 5, Standing.AHEAD),
    ],
)
def test_two_hands_that_are_nothing_count_as_being_ahead(cpu: int, player: int, standing: Standing) -> None:
    assert Standing.of(cpu, player) is standing


def test_the_peeking_cpu_sees_the_cards_dealt_so_far_and_none_to_come() -> None:
    hand, shown = deal("better")
    for street in range(3):
        assert shown.hole(CPU, hand.public()) == hand.holes[CPU]
        assert shown.hole(PLAYER, hand.public()) == hand.holes[PLAYER]
        assert len(hand.holes[PLAYER]) == street + 3
        to_street(hand, 1)


def test_looking_through_the_deck_draws_nothing_and_prints_no_card() -> None:
    deck = Deck.seeded(3)
    shown = OpenCards.of(FIVE_CARD, deck, (1, 0))
    assert len(deck) == 52
    assert repr(shown) == "<OpenCards: five-card, seats (0, 1)>"


def test_open_cards_follow_the_deal_when_seats_fold() -> None:
    deck = SeedTree(5).deck(0, STANDARD_DECK)
    game = GAMES["omaha"]
    shown = OpenCards.of(game, deck, range(4))
    hand = Hand([100] * 4, Stakes(), deck=deck, game=game)
    hand.fold()
    while not hand.over:
        hand.check_or_call()
    assert [shown.hole(seat, hand.public()) for seat in range(4)] == hand.holes


def test_the_cpu_that_peeks_refuses_to_guess_when_it_is_not_let() -> None:
    hand, _ = deal("better")
    with pytest.raises(BadSpec, match="this dealer does not show them"):
        CpuSeed()(hand.view(CPU, Fixed(1)))


def test_only_the_cpu_that_peeks_asks_for_open_cards() -> None:
    bots = [BotSpec.parse(name).make() for name in bot_names() if name not in ("scripted",)]
    assert [type(bot) for bot in peeking_bots(bots)] == [CpuSeed]


@pytest.mark.parametrize("bot", [CpuSeed(), CpuFair()])
def test_the_cpu_does_not_play_other_games(bot: CpuSeed | CpuFair) -> None:
    hand = Hand([200, 200], Stakes(), deck=Deck.seeded(1), game=HOLDEM)
    with pytest.raises(BadSpec, match=", not holdem"):
        bot(hand.view(hand.to_act[0], Fixed(1)))


def test_the_fair_cpu_decides_the_same_whatever_the_player_holds() -> None:
    decided: list[list[Action]] = []
    for player in ("3c3dThQs4c", "AcAdAhAs4c"):
        cpu = "7c7d9h2sKc"
        order = [cpu[:6], player[:6], cpu[6:8], player[6:8], cpu[8:], player[8:]]
        hand = Hand([200, 200], Stakes(0, 0), deck=Deck.stacked(order), button=PLAYER, game=FIVE_CARD)
        view = hand.view(CPU, Fixed(4))
        decided.append([CpuFair()(view) for _ in range(500)])
    assert decided[0] == decided[1]


def test_the_fair_cpu_is_as_often_ahead_as_against_a_random_hand() -> None:
    """A pair of sevens in three cards: ahead of nothing, level with another pair, behind three alike."""
    hand, _ = deal("better")
    view = hand.view(CPU, Fixed(11))
    bot = CpuFair()
    seen = Counter(bot.standing(view, score_of) for _ in range(20_000))
    unseen = [card for card in STANDARD_DECK if card not in parse_cards("7c7d9h")]
    exact: Counter[Standing] = Counter()
    for place, first in enumerate(unseen):
        for other, second in enumerate(unseen[place + 1 :], place + 1):
            for third in unseen[other + 1 :]:
                exact[Standing.of(1, score_of((first, second, third)))] += 1
    total = exact.total()
    expected = {number: exact[standing] / total for number, standing in enumerate(Standing)}
    counted = Counter({number: seen[standing] for number, standing in enumerate(Standing)})
    assert chi_square(counted, expected) < chi_square_bound(2)


def score_of(cards: object) -> int:
    assert isinstance(cards, tuple | list)
    ranks = [card.rank for card in cards]
    return {1: 3, 2: 1, 3: 0}[len(set(ranks))]


def test_the_printed_game_is_judged_by_printed_classes() -> None:
    """Three cards with a pair are nothing there, so nobody is behind."""
    hand, shown = deal("worse", game=GAMES["five-card-printed"])
    hand.check_or_call()
    hand.raise_to(10)
    bot, view = peeking(shown), hand.view(CPU, Fixed(2))
    called = sum(bot(view) == Call() for _ in range(4000)) / 4000
    assert called == pytest.approx(7 / 8, abs=0.03)


def test_the_cpu_never_raises_a_bet() -> None:
    hand = Hand([200, 200], Stakes(0, 0), deck=Deck.seeded(8), button=PLAYER, game=FIVE_CARD)
    hand.raise_to(20)
    assert hand.legal.can_raise
    view = hand.view(PLAYER, Fixed(5))
    assert {CpuFair(level="hard")(view) for _ in range(300)} == {Call(), Fold()}
