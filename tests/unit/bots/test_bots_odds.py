"""What house bots say they do is what they do."""

import random
from collections import Counter
from math import sqrt

import pytest

from poker_actors.bots import BotSpec
from poker_actors.bots.odds import odds_of
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, Hand, Stakes, View, game_named

BOTS = [
    "caller",
    "folder",
    "random",
    "maniac",
    "maniac:nerve=0.95",
    "tight",
    "loose",
    "loose:bluff=0.9",
    "pot-odds",
    "expert",
    "expert:level=beginner",
]


class Stream:
    def __init__(self, seed: int) -> None:
        self.made = random.Random(seed)
        self.hand = 0

    def rng(self) -> random.Random:
        return self.made


def situations(count: int) -> list[View]:
    """Turns of random hands of two to four seats, a few of each hand."""
    views: list[View] = []
    rng = random.Random(5)
    mover = BotSpec.parse("random").make()
    calm = BotSpec.parse("caller").make()
    while len(views) < count:
        seats = rng.choice((2, 2, 3, 4))
        hand = Hand(
            [rng.choice((200, 60, 20)) for _ in range(seats)],
            Stakes(),
            deck=Deck.seeded(rng.randrange(10**9)),
        )
        while hand.to_act and len(views) < count:
            seat = hand.to_act[0]
            view = hand.view(seat, Stream(rng.randrange(10**9)))
            if rng.random() < 0.4:
                views.append(hand.copy().view(seat))
            hand.act((mover if rng.random() < 0.25 else calm)(view))
    return views


def counted(spec: str, view: View, draws: int) -> Counter[Action]:
    bot = BotSpec.parse(spec).make()
    stream = Stream(9)
    legal = view.legal
    found: Counter[Action] = Counter()
    for _ in range(draws):
        mine = View(view.public, view.seat, view.hole, stream)
        mine._legal = legal
        found[bot(mine)] += 1
    return found


def check(spec: str, views: list[View], draws: int) -> None:
    odds = odds_of(spec)
    for view in views:
        said = odds.probabilities(view)
        found = counted(spec, view, draws)
        assert set(found) <= {action for action, chance in said.items() if chance > 0}
        for action, chance in said.items():
            slack = 5 * sqrt(draws * chance * (1 - chance)) + 1
            assert abs(found[action] - draws * chance) <= slack, (spec, str(view.public), action)


@pytest.mark.parametrize("spec", BOTS)
def test_a_house_bot_does_what_it_says(spec: str) -> None:
    check(spec, situations(40), 400)


@pytest.mark.heavy
@pytest.mark.parametrize("spec", BOTS)
def test_a_house_bot_does_what_it_says_in_100_000_draws(spec: str) -> None:
    check(spec, situations(4), 100_000)


DEALERS = ["equity", "equity:samples=7,margin=-0.02"]


@pytest.mark.parametrize("spec", DEALERS)
def test_a_bot_that_deals_endings_says_what_all_of_them_come_to(spec: str) -> None:
    pytest.importorskip("numba", reason="the extra [fast] is not installed")
    views = [view for view in situations(60) if _is_quick(view)][:8]
    check(spec, views, 250)
    crowd = next(view for view in situations(60) if len(view.public.seats_live) > 2)
    with pytest.raises(BadSpec, match="bot equity states its odds against one opponent"):
        odds_of(spec).probabilities(crowd)


def _is_quick(view: View) -> bool:
    return len(view.public.seats_live) == 2 and len(view.board) > 3


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("spec", "streets"), [("equity", [3]), ("equity:samples=7,margin=-0.02", [0, 3, 5])], ids=DEALERS
)
def test_a_bot_that_deals_endings_says_so_in_100_000_draws(spec: str, streets: list[int]) -> None:
    pytest.importorskip("numba", reason="the extra [fast] is not installed")
    heads_up = [view for view in situations(200) if len(view.public.seats_live) == 2]
    by_street = {len(view.board): view for view in heads_up}
    check(spec, [by_street[cards] for cards in streets], 100_000)


def test_house_bots_say_no_odds_where_they_do_not_know_them() -> None:
    def first_turn(game: str) -> View:
        rules = game_named(game)
        hand = Hand([100, 100], rules.stakes, deck=Deck.seeded(3, rules.pack), game=rules)
        return hand.view(hand.to_act[0])

    for bot, game in (("tight", "stud"), ("pot-odds", "leduc"), ("equity", "omaha"), ("maniac", "stud")):
        with pytest.raises(BadSpec, match=r"(say|state).? (its|their) odds"):
            odds_of(bot).probabilities(first_turn(game))
    assert len(odds_of("random").probabilities(first_turn("leduc"))) == 3


@pytest.mark.parametrize("spec", BOTS)
def test_odds_of_all_hands_are_those_of_each(spec: str) -> None:
    odds = odds_of(spec)
    rng = random.Random(3)
    for view in situations(8):
        left = [card for card in view.game.pack if card not in view.board]
        holes = [(one, other) for one, other in (rng.sample(left, 2) for _ in range(12))]
        many = odds.range_probabilities(view, holes)
        assert many == [odds.probabilities(View(view.public, view.seat, hole)) for hole in holes]


def test_a_bot_of_yours_is_asked_or_says_its_odds() -> None:
    view = situations(1)[0]

    def still(view: View) -> Action:
        return BotSpec.parse("caller").make()(view)

    assert list(odds_of(still).probabilities(view).values()) == [1.0]

    class Half:
        def __call__(self, view: View) -> Action:
            raise AssertionError

        def probabilities(self, view: View) -> dict[Action, float]:
            return {BotSpec.parse("caller").make()(view): 0.5}

    with pytest.raises(BadSpec, match=r"bot Half: the chances of its actions add up to 0\.5, not 1"):
        odds_of(Half).probabilities(view)


def test_a_bot_that_draws_and_does_not_say_is_refused_by_name() -> None:
    def dice(view: View) -> Action:
        return view.rng.choice([BotSpec.parse("caller").make()(view)])

    with pytest.raises(BadSpec, match="dice acts at random and does not state its odds"):
        odds_of(dice).probabilities(situations(1)[0])
