"""The luck of split pots, stud and draws: over every deal of a small game it is nothing, and a match has less of it."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.evaluator import fast
from poker_actors.rules import GAMES, Action, Discard, Game, Hand, Stakes, View
from poker_actors.rules.games import Betting, First, Street, row
from poker_actors.sim import simulate
from poker_actors.sim.luck import TERMS, luck_of
from poker_actors.sim.luck.worth import Deal, shares

PACK = parse_cards("2s2d7h7sAdAc")
SEVEN = parse_cards("2s2d7h7sAdAcAs")
LIMIT = Betting.FIXED_LIMIT
ANTES = {"pack": PACK, "max_seats": 2, "stakes": Stakes(0, 0, ante=16, min_bet=16)}
BRING_IN = {**ANTES, "stakes": Stakes(0, 0, ante=8, bring_in=8, min_bet=16)}
"""In eighths: a quarter of half a pot is a whole number of chips."""
SMALL = [
    row("two boards", "", (Street("one", hole=1, board=1), Street("two", board=1)), LIMIT, "high", boards=2, **ANTES),
    row("open cards", "", (Street("one", hole=1, up=1, first=First.LOW_CARD), Street("two", up=1, first=First.HIGH_HAND)),
        LIMIT, "high", **BRING_IN),
    row("halves", "", (Street("one", hole=2), Street("two", hole=1)), LIMIT, "high/badugi", **ANTES),
    row("changed", "", (Street("one", hole=2), Street("two", draw=1)), LIMIT, "badugi", **ANTES),
    row("thrown", "", (Street("one", hole=2), Street("two", board=1, throw=1), Street("three", board=1)),
        LIMIT, "high", **{**ANTES, "pack": SEVEN}),
]  # fmt: skip


def turn_of(view: View) -> Action:
    """Decide by what the seat knows and by nothing else, the same every time."""
    luck = Random(f"{view.hole} {view.open} {view.board} {len(view.public.actions)}")
    legal = view.legal
    if legal.discards:
        least = legal.must_discard
        return Discard(view.hole[: luck.randint(least, least or legal.discards)])
    return luck.choice([action for action in legal if luck.random() < 0.9 or str(action) != "fold"])


def played(game: Game, order: tuple[Card, ...], stacks: tuple[int, ...]) -> Hand:
    hand = Hand(stacks, game.stakes, deck=Deck.stacked([order], "", game.pack), game=game)
    while hand.to_act:
        hand.act(turn_of(hand.view(hand.to_act[0])))
    return hand


@pytest.mark.parametrize("game", SMALL, ids=str)
@pytest.mark.parametrize("stacks", [(400, 400), (48, 64)], ids=["deep", "all-in"])
def test_over_every_deal_of_a_small_game_luck_is_nothing(game: Game, stacks: tuple[int, ...]) -> None:
    # of seven cards the first is always the same: what is dealt afterwards is nothing for any first card
    rest = game.pack[6:]
    hands = [played(game, (*rest, *order), stacks) for order in permutations(PACK)]
    told = [luck_of(hand, Random(1)) for hand in hands]
    for seat in range(2):
        results = sum(hand.payoffs[seat] for hand in hands)
        # thousandths, rounded one by one
        assert abs(sum(luck.worth[seat] for luck in told) - 1000 * results) <= len(hands)
        for term, name in enumerate(TERMS[2 * len(rest) :], start=2 * len(rest)):
            assert abs(sum(luck.terms[seat][term] for luck in told)) <= len(hands), name
    assert any(any(luck.terms[0][2:]) for luck in told)


def test_the_shares_of_a_finished_hand_are_what_it_pays() -> None:
    for name in ("stud8", "omaha8", "double-board-omaha", "badeucy", "razz", "crazy-pineapple"):
        game = GAMES[name]
        for seed in range(8):
            hand = Hand([400] * 4, game.stakes, deck=Deck.seeded(seed, game.pack), game=game)
            while hand.to_act:
                hand.check_or_call()
            ((won), parts) = shares(Deal(game, tuple(hand.holes), hand.boards), [tuple(range(4))], Random(1))
            pot = sum(hand.starting) // 4
            paid = [chips - pot for chips in hand.stacks]
            put_in = -min(paid)
            for seat in range(4):
                assert 4 * put_in * won[0][seat] / parts == pytest.approx(paid[seat] + put_in, abs=3)


@pytest.mark.parametrize(
    "name",
    [
        "stud8",
        "razz",
        "limit-omaha8",
        "double-board-holdem",
        "double-board-omaha",
        "badeucy",
        "2-7-triple-draw",
    ],
)
def test_arrays_and_plain_python_share_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy", reason="the extra [fast] is not installed")
    game = GAMES[name]
    for seed in range(6):
        dealt = Deck.seeded(seed).draw(6 * 4 + 6)
        size = 3 if game.hole_cards > 4 else game.hole_cards
        holes = tuple([dealt[4 * seat : 4 * seat + size] for seat in range(6)])
        deal = Deal(game, holes, (dealt[24:27], dealt[27:])[: game.boards] if game.board_cards else ((),))
        pots = [tuple(range(6)), (1, 3, 4)]
        found = shares(deal, pots, Random(seed))
        with monkeypatch.context() as patch:
            patch.setattr(fast, "engine", lambda: "python")
            assert shares(deal, pots, Random(seed)) == found


def test_the_last_card_of_stud_for_all_is_luck_too() -> None:
    game = GAMES["stud"]
    hand = Hand([400] * 8, game.stakes, deck=Deck.seeded(3), game=game)
    while hand.to_act:
        hand.check_or_call()
    assert len(hand.board) == 1
    luck = luck_of(hand, Random(1))
    for term in range(2, len(TERMS)):
        assert abs(sum(luck.terms[seat][term] for seat in range(8))) <= 8


@pytest.mark.parametrize("name", ["stud8", "double-board-holdem", "2-7-triple-draw", "irish", "horse"])
def test_a_match_without_luck_has_less_of_it_and_the_same_mean(name: str) -> None:
    result = simulate(["loose", "caller", "tight"], hands=300, seed=5, game=name, adjust=True)
    assert result.raw is not None
    assert result.corrected is not None
    for bot in range(2):
        raw, corrected = result.raw.variance(bot) or 0, result.corrected.variance(bot) or 0
        assert corrected < 0.8 * raw
        assert abs(result.raw.means[bot] - result.corrected.means[bot]) < 4 * raw**0.5
