"""The house bots, each by a table of what it does."""

from collections import Counter
from itertools import zip_longest
from pathlib import Path

import pytest

from poker_actors.bots import BotSpec, Faults, HandStream, SeedTree, bot_names, decide, hand_class
from poker_actors.bots.house.judging import STARTING_HANDS, equity_by_sampling, made_hand, starting_rank
from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.rules import GAMES, HOLDEM, Action, Call, Check, Fold, Hand, RaiseTo, Stakes, View
from poker_actors.rules.log import Sealed

TREE = SeedTree(1)
BOTS = sorted(name for name in bot_names() if not name.startswith(("test-", "cpu-")) and name != "scripted")
RING_GAMES = sorted(name for name, game in GAMES.items() if game.max_seats > 3)


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_of_the_house_is_in_the_table_of_the_docs(name: str) -> None:
    page = Path(__file__).parents[3] / "docs" / "bots.md"
    assert f"| `{name}" in page.read_text(encoding="utf-8"), "add the bot to docs/bots.md"


def heads_up(mine: str, board: str = "", stacks: int = 200) -> Hand:
    """The button, seat 0, holds `mine`; it is first to act before the flop, last after."""
    other = next(
        hole
        for hole in ("2c7d", "3c8d", "4c9d", "5cTd")
        if not set(parse_cards(hole)) & set(parse_cards(mine + board))
    )
    return Hand([stacks] * 2, Stakes(), deck=Deck.stacked([mine, other], board))


def opening(mine: str) -> View:
    return heads_up(mine).view(0, TREE.stream(0, 0))


def on_the_flop(mine: str, board: str, bet: int = 0) -> View:
    """Seat 1 has checked, or bet `bet` into a pot of 4."""
    hand = heads_up(mine, board)
    hand.check_or_call()
    hand.check_or_call()
    if bet:
        hand.raise_to(bet)
    else:
        hand.check_or_call()
    return hand.view(0, TREE.stream(0, 0))


def act(spec: str, view: View) -> Action:
    faults = Faults()
    action = decide(BotSpec.parse(spec).make(), view, faults)
    assert faults.total == 0, faults.first
    return action


@pytest.mark.parametrize(
    ("spec", "mine", "wanted"),
    [
        ("caller", "2h7s", Call()),
        ("folder", "AsAh", Fold()),
        ("tight", "AsAh", RaiseTo(6)),
        ("tight", "2h7s", Fold()),
        ("tight:vpip=1", "2h7s", RaiseTo(6)),
        ("loose", "2h7s", Fold()),
        ("loose", "8s7s", RaiseTo(6)),
        ("tight", "8s7s", Fold()),
        ("pot-odds", "AsAh", Call()),
        ("equity", "AsAh", RaiseTo(5)),
        ("scripted:actions=raise_to 7", "2h7s", RaiseTo(7)),
        ("scripted:actions=min_raise", "2h7s", RaiseTo(4)),
        ("scripted:actions=all_in", "2h7s", RaiseTo(200)),
        ("scripted:actions=", "2h7s", None),
    ],
)
def test_before_the_flop(spec: str, mine: str, wanted: Action | None) -> None:
    if wanted is None:
        with pytest.raises(Exception, match="'' is not an action"):
            BotSpec.parse(spec).make()
        return
    assert act(spec, opening(mine)) == wanted


@pytest.mark.parametrize(
    ("spec", "mine", "board", "bet", "wanted"),
    [
        ("caller", "2h3s", "AdKdQd", 100, Call()),
        ("caller", "2h3s", "AdKdQd", 0, Check()),
        ("folder", "2h3s", "AdKdQd", 0, Check()),
        ("tight", "2h3s", "AdKdQd", 4, Fold()),
        ("tight", "AsAh", "AdKc2d", 4, RaiseTo(13)),
        ("tight", "AsKh", "Ad7c2d", 4, Call()),
        ("tight:bluff=0", "2h3s", "AdKdQd", 0, Check()),
        ("tight:bluff=1", "2h3s", "AdKdQd", 0, RaiseTo(2)),
        ("pot-odds", "2h3s", "AdKdQd", 100, Fold()),
        ("pot-odds", "AsKh", "Ad7c2d", 4, Call()),
        ("equity", "2h3s", "AdKdQd", 190, Fold()),
        ("equity", "AsAh", "AdKc2d", 0, RaiseTo(3)),
    ],
)
def test_on_the_flop(spec: str, mine: str, board: str, bet: int, wanted: Action) -> None:
    assert act(spec, on_the_flop(mine, board, bet)) == wanted


def test_random_is_uniform_over_fold_call_minimum_raise_and_all_in() -> None:
    bot = BotSpec.parse("random").make()
    stream = HandStream(TREE, 0)
    hand = heads_up("AsAh")
    seen: Counter[str] = Counter()
    for number in range(4000):
        stream.hand = number
        seen[str(bot(hand.view(0, stream)))] += 1
    assert set(seen) == {"fold", "call", "raise_to 4", "raise_to 200"}
    # four standard deviations of a binomial of 4000 and 1/4
    assert all(abs(count - 1000) < 110 for count in seen.values())


def test_a_script_is_played_line_by_line_and_ends_in_checking_and_folding() -> None:
    hand = heads_up("AsAh", "KdQd2cJc9h")
    bot = BotSpec.parse("scripted:actions=call/check").make()
    others: list[Action] = [Check(), Check(), Check(), RaiseTo(10)]
    taken = []
    while not hand.over:
        if hand.to_act[0] == 0:
            taken.append(str(bot(hand.view(0))))
            hand.act(bot(hand.view(0)))
        else:
            hand.act(others.pop(0))
    assert taken == ["call", "check", "check", "fold"]


def test_an_illegal_line_of_a_script_is_the_bots_fault() -> None:
    faults = Faults()
    bot = BotSpec.parse("scripted:actions=raise_to 3").make()
    assert decide(bot, opening("AsAh"), faults) == Fold()
    assert faults.illegal == 1


STACKS = [200, 35, 90, 7]
ANYWHERE = ("random", "maniac")
"""Two who bring every bot into every kind of spot; the others sit two at a time beside them."""
OTHERS = iter([name for name in BOTS if name not in ANYWHERE])
PAIRS = [*zip_longest(OTHERS, OTHERS, fillvalue="caller")]


@pytest.mark.parametrize("game", RING_GAMES)
@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_every_bot_plays_every_game_without_a_fault(pair: tuple[str, ...], game: str) -> None:
    rules = GAMES[game]
    specs = ["equity:samples=3" if name == "equity" else name for name in (*pair, *ANYWHERE)]
    bots = [BotSpec.parse(spec).make() for spec in specs]
    streams = [HandStream(TREE, number) for number in range(4)]
    faults = [Faults() for _ in bots]
    # an open-face hand is 52 decisions that nobody folds out of
    for number in range(4 if rules.open_face else 8):
        longest = (number + number // 4) % 4  # every stack in every seat, and every button twice
        hand = Hand(
            STACKS[longest:] + STACKS[:longest],
            rules.stakes if rules.brings_in or rules.open_face else Stakes(1, 2, ante=number % 2),
            deck=TREE.deck(number, rules.pack),
            game=rules,
            button=number % 4,
        )
        while hand.to_act:
            seat = hand.to_act[0]
            streams[seat].hand = number
            hand.act(decide(bots[seat], hand.view(seat, streams[seat]), faults[seat]))
        assert sum(hand.payoffs) == 0
    assert faults == [Faults()] * 4


def test_a_bot_decides_the_same_in_every_run() -> None:
    for name in BOTS:
        assert len({str(act(name, on_the_flop("AsKh", "Ad7c2d"))) for _ in range(5)}) == 1


@pytest.mark.parametrize(
    ("cards", "name"), [("AsKs", "AKs"), ("KdAs", "AKo"), ("7c7d", "77"), ("2cTc", "T2s")]
)
def test_starting_hands_have_the_names_players_use(cards: str, name: str) -> None:
    assert hand_class(*parse_cards(cards)) == name


def test_the_order_of_starting_hands_holds_each_once_and_dominates_as_it_must() -> None:
    names = STARTING_HANDS.split()
    place = {name: number for number, name in enumerate(names)}
    assert len(names) == len(place) == 169
    ranks = "AKQJT98765432"
    for high, rank in enumerate(ranks):
        for low in ranks[high + 1 :]:
            assert place[f"{rank}{low}s"] < place[f"{rank}{low}o"]
    assert names[:4] == ["AA", "KK", "QQ", "JJ"]


def test_the_rank_of_a_starting_hand_is_its_share_of_the_pack() -> None:
    assert starting_rank(opening("AsAh")) == pytest.approx(1, abs=0.005)
    assert starting_rank(opening("3h2s")) < 0.02
    played = sum(1 for first in range(51) for second in range(first + 1, 52) if _rank(first, second) >= 0.82)
    assert played / 1326 == pytest.approx(0.18, abs=0.005)


def _rank(first: int, second: int) -> float:
    return starting_rank(View(opening("AsAh").public, 0, (Card(first), Card(second))))


@pytest.mark.parametrize(
    ("better", "worse", "board"),
    [
        ("AsAh", "KsQh", "QdTc2d"),
        ("AsKh", "As5h", "Ad7c2d"),
        ("KsQh", "7s6h", "Kd7c2d"),
        ("7s7h", "KsAh", "Kd7c2d"),
        ("JdTd", "JsTs", "9d4d2c"),
        ("JsTh", "JsKh", "9d8c2c"),
        ("2s2h", "As3h", "KdKcQd"),
        ("AsKd", "2s2h", "KsKcKd"[:4] + "7d"),
        ("QsJh", "2s3h", "AdKdTc9c8c"),
    ],
)
def test_a_better_hand_is_judged_better(better: str, worse: str, board: str) -> None:
    def judged(cards: str) -> float:
        public = opening("6s6h").public
        dealt = type(public.dealt)(public.setup, 1, parse_cards(board), (), Sealed([]), (0,))
        shown = type(public)(dealt, 0, (200, 200), (0, 0), (0, 1), (0, 1), 0, 2)
        return made_hand(View(shown, 0, parse_cards(cards)))

    assert 0 <= judged(worse) < judged(better) <= 1


def test_sampled_equity_comes_near_the_known_one() -> None:
    share = equity_by_sampling(HOLDEM, parse_cards("AsAh"), (), 1, 4000, TREE.rng(0, 0))
    assert share == pytest.approx(0.852, abs=0.025)
    drawing = equity_by_sampling(
        HOLDEM, parse_cards("AsAh"), parse_cards("KdKcKh2s2h"), 1, 500, TREE.rng(0, 0)
    )
    # beaten by the last king, 44 of 990 hands, and by the last two deuces
    assert drawing == pytest.approx(1 - 45 / 990, abs=0.03)
