"""The bot adaptive tells opponents apart by what it hears, answers each in his own way, and forgets on time."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest

from poker_actors import simulate
from poker_actors.bots import HandEnd, HandStart
from poker_actors.bots.adaptive import Adaptive, Judged, Node, Opponent, Response
from poker_actors.bots.adaptive import bot as bot_module
from poker_actors.bots.adaptive.bot import MEMORY
from poker_actors.bots.adaptive.opponent import LEVELS, deviates
from poker_actors.bots.adaptive.ranges import (
    judged,
    level_of,
    sample,
    share_beaten,
    strength_on,
    weights_after,
)
from poker_actors.bots.expert import Expert
from poker_actors.bots.figures import (
    FOLDS,
    FREE,
    RAISES,
    STAYS,
    Figures,
    Opponents,
    Step,
    Walk,
    bin_of,
    turn_of,
)
from poker_actors.bots.odds import odds_of
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec, MissingExtra
from poker_actors.rules import HOLDEM, Action, Call, Check, Fold, Hand, RaiseTo, Stakes, View
from poker_actors.sim import Cash, Duplicate, Form, Match, play_hand
from poker_actors.sim.engines import pieces_of
from tests.attacks.arena import lacking

RIVER, POT, BEHIND = 3, 10.0, 95.0


def opponent(folds: int, stays: int, raises: int, bets: int = 0) -> Opponent:
    """Somebody who has faced bets of all sizes a hundred times, and bet when it was free, by these shares in percent."""
    known = Opponent()
    for street in range(4):
        for level in range(len(LEVELS) + 1):
            for price in range(1, 7):
                for kind, times in ((FOLDS, folds), (STAYS, stays), (RAISES, raises)):
                    for _ in range(times):
                        known.saw(Step(0, street, price, kind, 1.0), level)
            for kind, times in ((STAYS, 100 - bets), (RAISES, bets)):
                for _ in range(times):
                    known.saw(Step(0, street, 0, kind, 1.0), level)
    return known


def chosen(known: Opponent, p: float, *, to_call: float = 0.0, street: int = RIVER) -> float:
    """The chips that the best response puts in, last to act with a pot of 10 and 95 behind."""
    node = Node(street, True, p, POT + to_call, to_call, BEHIND, closes=True, level=0)
    return Response([known], Response.solved(known), [0]).choice(node, 2 * to_call or 1.0, BEHIND)


CALLER, FOLDER, MANIAC = opponent(0, 100, 0), opponent(100, 0, 0), opponent(0, 40, 60, bets=60)


@pytest.mark.parametrize(
    ("known", "p", "to_call", "wanted"),
    [
        (CALLER, 0.6, 0.0, (BEHIND, BEHIND)),
        (CALLER, 0.4, 0.0, (0, 0)),
        (FOLDER, 0.0, 0.0, (1, BEHIND)),
        (MANIAC, 0.4, 10.0, (10, 10)),
        (MANIAC, 0.1, 10.0, (-1, -1)),
        (MANIAC, 0.9, 10.0, (20, BEHIND)),
    ],
)
def test_on_the_river_it_bets_what_is_called_and_bluffs_who_folds(
    known: Opponent, p: float, to_call: float, wanted: tuple[float, float]
) -> None:
    if known is MANIAC:
        for _ in range(100):  # he shows any hand
            known.showed(Step(0, RIVER, 0, RAISES, 1.0), 0, 0.5)
    assert wanted[0] <= chosen(known, p, to_call=to_call) <= wanted[1]


def test_against_somebody_who_never_folds_it_waits_for_the_river() -> None:
    """All his chips come in then as well, and only if they are wanted."""
    early = [chosen(CALLER, 0.6, street=street) for street in (1, 2)]
    assert early == [0, 0]


def test_a_pot_is_worth_more_than_a_showdown_where_one_may_choose_the_bets() -> None:
    response = Response([CALLER], Response.solved(CALLER), [0])
    values = [response.worth(1, p / 10, 0.02, 0.49, 0, last=True) for p in range(11)]
    assert values == sorted(values)
    assert values[5] > 5 * 0.5 * 0.02


def test_figures_begin_with_a_guess_and_end_with_what_he_does() -> None:
    known = Opponent()
    guess = known.reply(1, 2, 0)
    assert sum(guess) == pytest.approx(1)
    assert 0.2 < guess[FOLDS] < 0.6
    for _ in range(200):
        known.saw(Step(0, 1, 2, FOLDS, 0.0), 0)
    assert known.reply(1, 2, 0)[FOLDS] > 0.95
    assert known.reply(2, 3, 1)[FOLDS] > 0.9, "what is known of one street is a guess at the others"
    assert known.reply(1, 0, 0) == Opponent().reply(1, 0, 0), "free turns are another matter"


def test_the_size_of_his_bets_is_their_mean() -> None:
    known = Opponent()
    for _ in range(50):
        known.saw(Step(0, 2, 0, RAISES, 2.0), 0)
        known.saw(Step(0, 2, 2, STAYS, 0.0), 0)
    assert known.size(2) == pytest.approx(2, abs=0.06)
    assert known.size(1) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("street", "to_call", "pot", "opened", "wanted"),
    [
        (1, 0, 10, True, 0),
        (1, 4, 10, True, 1),
        (1, 5, 10, True, 2),
        (1, 10, 10, True, 3),
        (3, 30, 10, True, 4),
        (3, 50, 10, True, 5),
        (3, 300, 10, True, 6),
        (0, 2, 3, False, 1),
        (0, 2, 5, True, 2),
    ],
)
def test_prices_fall_into_bins(street: int, to_call: int, pot: int, opened: bool, wanted: int) -> None:
    assert bin_of(street, to_call, pot, opened=opened) == wanted


def test_a_walk_reads_each_action_once_with_its_price_and_its_size() -> None:
    hand = Hand([200, 200], Stakes(1, 2), deck=Deck.stacked(["AsAh", "KsKh"], "2c7d9hJc3s"))
    walk, steps = Walk(hand.public()), []
    moves: Sequence[Action] = [RaiseTo(6), Call(), Check(), RaiseTo(6), RaiseTo(18), Fold()]
    for move in moves:
        hand.act(move)
        steps += walk.advance(hand.public())
    assert [(step.street, step.bin, step.kind, round(step.size, 2)) for step in steps] == [
        (0, 1, RAISES, 1.0),
        (0, 3, STAYS, 0),
        (1, 0, STAYS, 0),
        (1, 0, RAISES, 0.5),
        (1, 2, RAISES, 0.5),
        (1, 2, FOLDS, 0),
    ]


BOARD = parse_cards("2c7d9hJc3s")


def test_a_sample_of_holes_knows_the_share_that_a_hand_beats() -> None:
    on, even = judged(HOLDEM, BOARD), [1.0] * len(sample(HOLDEM.pack))
    luck = Random(3)
    pack = [card for card in HOLDEM.pack if card not in BOARD]
    for cards in ("JsJd", "AsJd", "Ah2h", "4h5d"):
        hole = parse_cards(cards)
        mine = HOLDEM.strengths((hole,), BOARD)[0]
        holes = [tuple(luck.sample([card for card in pack if card not in hole], 2)) for _ in range(4000)]
        beaten = (
            sum([(mine > other) + (mine == other) / 2 for other in HOLDEM.strengths(holes, BOARD)]) / 4000
        )
        assert share_beaten(on, even, strength_on(HOLDEM, hole, BOARD)) == pytest.approx(beaten, abs=0.06)


def step(kind: int, price: int = 2) -> Step:
    return Step(1, RIVER, price, kind, 1.0)


@pytest.mark.parametrize(
    ("told", "purity", "wanted"),
    [
        (step(RAISES), 1.0, (0.7, 1.0)),
        (step(RAISES), 0.0, (0.47, 0.53)),
        (step(STAYS), 1.0, (0.5, 0.8)),
        (step(STAYS, 0), 1.0, (0.3, 0.49)),
    ],
)
def test_a_range_becomes_what_its_owner_tells(told: Step, purity: float, wanted: tuple[float, float]) -> None:
    """How often a random hand is beaten by the range: a pure raise says much, an impure one nothing."""
    on, even = judged(HOLDEM, BOARD), [1.0] * len(sample(HOLDEM.pack))
    after = weights_after(even, on, told, (0.4, 0.4, 0.2), purity)
    assert wanted[0] < mean_place(on, after) < wanted[1]


def mean_place(on: Judged, weights: Sequence[float]) -> float:
    total = sum([weights[number] for number in on.order])
    return sum([place * weights[number] for place, number in enumerate(on.order)]) / total / len(on.order)


def test_the_level_of_a_range_rises_with_each_bet_of_somebody_who_bets_good_hands() -> None:
    on, weights = judged(HOLDEM, BOARD), [1.0] * len(sample(HOLDEM.pack))
    levels = [level_of(on, weights)]
    for _ in range(3):
        weights = weights_after(weights, on, step(RAISES), (0.4, 0.4, 0.3), 1.0)
        levels.append(level_of(on, weights))
    assert levels[0] == 0
    assert levels == sorted(levels)
    assert levels[-1] == len(LEVELS)


def test_a_hole_that_shares_a_card_with_the_board_has_no_weight() -> None:
    holes = sample(HOLDEM.pack)
    after = weights_after([1.0] * len(holes), judged(HOLDEM, BOARD), step(RAISES), (0.3, 0.3, 0.4), 1.0)
    assert not any(weight for weight, hole in zip(after, holes, strict=True) if set(hole) & set(BOARD))


def test_a_range_that_nothing_is_left_of_stays_empty() -> None:
    nothing = [0.0] * len(sample(HOLDEM.pack))
    assert weights_after(nothing, judged(HOLDEM, BOARD), step(RAISES), (0.3, 0.3, 0.4), 1.0) == nothing


class Kept(Adaptive):
    """Keeps the figures of the bots it met where a test can look at them."""

    made: ClassVar[list[Kept]] = []

    def __init__(self) -> None:
        super().__init__()
        Kept.made.append(self)

    def met(self, name: str) -> Opponent:
        return self._known[self._heads_up][name].opponent


def heard_of(other: str, hands: int, stacks: int = 200) -> Figures:
    """The figures of a bot after so many heads-up hands against `expert`, who hears them."""
    heard = Opponents()

    class Ear(Expert):
        def hand_over(self, end: HandEnd) -> None:
            heard.hear(end)

    simulate([Ear, other], hands=hands, seed=7, stacks=stacks)
    return heard["1"]


@pytest.mark.parametrize("stacks", [30, 80, 200, 400])
def test_expert_does_not_deviate_with_any_stacks(stacks: int) -> None:
    assert not deviates(heard_of("expert", 400, stacks), heads_up=True)


@pytest.mark.parametrize(
    ("other", "hands"),
    [
        ("caller", 100),
        ("maniac", 100),
        ("tight", 40),
        ("folder", 40),
        ("poker_actors.bots.house.exploiters:any_two:size=0.5", 100),
        ("poker_actors.bots.house.exploiters:shover", 100),
    ],
)
def test_who_plays_otherwise_deviates_before_long(other: str, hands: int) -> None:
    assert not deviates(heard_of(other, 2), heads_up=True), "two hands say nothing"
    assert deviates(heard_of(other, hands), heads_up=True)


def test_what_expert_never_does_is_not_impossible_and_what_it_was_not_seen_to_do_says_nothing() -> None:
    folds, unseen = Figures(), Figures()
    folds.turns[turn_of(1, FREE)] = [1, 60, 20]
    unseen.turns[turn_of(1, 1)] = [500, 0, 0]
    assert not deviates(folds, heads_up=True)
    assert not deviates(unseen, heads_up=True)
    folds.turns[turn_of(1, FREE)] = [20, 60, 20]
    assert deviates(folds, heads_up=True)


@pytest.mark.parametrize("form", [Cash(), Duplicate()])
def test_against_expert_it_plays_as_expert(form: Form) -> None:
    """Luck included: two matches of the same hands."""
    played = [
        simulate([one, "expert"], hands=200, seed=4, form=form).digest for one in ("adaptive", "expert")
    ]
    assert played[0] == played[1]


def test_at_a_table_of_experts_it_plays_as_expert_until_who_deviates_is_in_the_pot() -> None:
    crowd = ["expert", "expert"]
    assert (
        simulate(["adaptive", *crowd], hands=120, seed=4).digest
        == simulate(["expert", *crowd], hands=120, seed=4).digest
    )
    crowd[1] = "maniac"
    assert (
        simulate(["adaptive", *crowd], hands=300, seed=4).digest
        != simulate(["expert", *crowd], hands=300, seed=4).digest
    )


def test_without_numpy_it_begins_with_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacks() -> Expert:
        raise MissingExtra("fast", "numpy")

    with_it = simulate(["adaptive", "expert"], hands=40, seed=4)
    monkeypatch.setattr(bot_module, "Expert", lacks)
    without = simulate(["adaptive", "expert"], hands=40, seed=4)
    assert without.digest != with_it.digest
    assert without.players[0].faults.total == 0


def test_in_limit_games_nobody_is_taken_for_expert() -> None:
    bots = [
        simulate([one, "caller"], hands=30, seed=4, game="limit-holdem") for one in ("adaptive", "expert")
    ]
    assert bots[0].digest != bots[1].digest


def test_figures_of_heads_up_and_of_larger_tables_are_kept_apart() -> None:
    Kept.made.clear()
    simulate([Kept, "maniac"], hands=40, seed=5)
    simulate([Kept, "maniac", "tight"], hands=40, seed=5)
    known = [one for one in Kept.made if any(one._known)]
    assert [[sorted(names) for names in one._known] for one in known] == [[[], ["1"]], [["1", "2"], []]]


def test_it_learns_who_goes_by_his_cards_and_who_does_not() -> None:
    Kept.made.clear()
    simulate([Kept, "tight", "maniac"], hands=600, seed=5, form=Duplicate())
    kept = max(Kept.made, key=lambda one: len(one._known[False]))
    tight, maniac = kept.met("1"), kept.met("2")
    assert tight.purity(1) > 0.6
    assert maniac.purity(1) < 0.35
    assert maniac.reply(1, 0, 0)[RAISES] == pytest.approx(0.6, abs=0.12)
    assert tight.reply(0, 1, 0)[FOLDS] > 0.7


@pytest.mark.parametrize(("other", "hands", "least"), [("caller", 600, 1_105), ("maniac", 1_500, 1_460)])
def test_it_wins_more_from_those_who_do_not_look_at_their_cards_than_any_other_bot_of_the_house(
    other: str, hands: int, least: float
) -> None:
    """`least` is the most that another one makes, as the long test below measures it."""
    assert between(["adaptive", other], hands)[0] > least


FIXED = ("tight", "loose", "pot-odds", "equity", "expert", "maniac", "random", "caller", "folder")


@pytest.mark.heavy
@pytest.mark.parametrize("other", ["caller", "maniac", "tight"])
def test_it_beats_caller_maniac_and_tight_by_more_than_any_other_bot_of_the_house(other: str) -> None:
    """On the same decks; margins of both sides apart."""
    least, _ = between(["adaptive", other], 20_000)
    for fixed in FIXED:
        _, most = between([fixed, other], 4_000 if fixed == "equity" else 20_000)
        assert least > most, fixed


def between(bots: list[str], hands: int) -> tuple[float, float]:
    """The 95 % interval of what the first bot wins, in big blinds a hundred hands."""
    won = simulate(bots, hands=hands, seed=3, form=Duplicate()).players[0].bb_per_100
    assert won.margin is not None
    return won.mean - won.margin, won.mean + won.margin


def test_it_plays_the_same_with_every_driver_and_any_number_of_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also past the hands after which it forgets, wherever the match is cut."""
    monkeypatch.setattr(bot_module, "MEMORY", 30)
    monkeypatch.setattr(Adaptive, "forgets_after", 30)
    crowd = ["adaptive", "caller", "maniac"]
    alone = simulate(crowd, hands=45, seed=8, form=Duplicate())
    assert simulate(crowd, hands=45, seed=8, form=Duplicate(), driver="stepper").digest == alone.digest
    with ThreadPoolExecutor(2) as pool:
        shared = simulate(crowd, hands=45, seed=8, form=Duplicate(), workers=2, executor=pool)
    assert shared.digest == alone.digest
    assert simulate(crowd, hands=45, seed=8, form=Duplicate()).digest == alone.digest, (
        "no match knows another"
    )


@pytest.mark.skipif(bool(lacking()), reason=lacking())
def test_it_plays_the_same_in_a_process_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from poker_actors.bots.house import Adaptive\n\nclass Mine(Adaptive): ...\n")
    here, there = [
        simulate([bot, "maniac", "tight"], hands=60, seed=4, form=Duplicate())
        for bot in ("adaptive", f"cage:{file}:Mine")
    ]
    assert there.digest == here.digest
    assert there.players[0].faults.total == 0


def test_a_hand_alone_is_the_hand_of_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_module, "MEMORY", 60)
    monkeypatch.setattr(Adaptive, "forgets_after", 60)
    match = Match.of(["adaptive", "maniac"], hands=120, seed=8)
    assert match.span == 60
    from poker_actors.sim.engines import Job, play_hands

    whole = {number: hand.log for number, hand, _ in play_hands(Job(match), range(120), [])}
    for number in (59, 75, 119):
        assert str(play_hand(match, number)[0].log) == str(whole[number])


def test_pieces_begin_where_it_forgets() -> None:
    match = Match.of(["adaptive", "caller", "maniac"], hands=30_000, form=Duplicate())
    assert match.span == MEMORY
    for hands in (range(30_000), range(300, 9_000)):
        pieces = pieces_of(match, 2, hands)
        assert [number for piece in pieces for number in piece] == list(hands)
        assert all(piece.start % MEMORY == 0 for piece in pieces[1:])


@pytest.mark.parametrize("hands", [0, -3, 2.5, True])
def test_a_memory_that_is_no_number_of_hands_is_refused(
    hands: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Adaptive, "forgets_after", hands)
    match = Match.of(["adaptive", "caller"], hands=10)
    with pytest.raises(
        BadSpec, match=r"bot adaptive: forgets_after is .*: it must be a number of hands, 1 or more"
    ):
        _ = match.span


def test_it_forgets_everybody_at_the_end_of_its_memory() -> None:
    made = Adaptive()
    ends: list[HandEnd] = []

    class Ear:
        def hand_over(self, end: HandEnd) -> None:
            ends.append(end)

        def __call__(self, view: View) -> Action:
            return Call() if view.to_call else Check()

    simulate([Ear(), "maniac"], hands=2, seed=1)
    first = ends[0]
    fields = ("seat", "hole", "names", "public")
    made.hand_over(first)
    assert made._known[True]
    for number, known in ((MEMORY - 1, True), (MEMORY, False)):
        made.hand_started(HandStart(number=number, **{field: getattr(first, field) for field in fields}))
        assert bool(made._known[True]) is known


def test_it_says_no_odds_as_they_change_from_hand_to_hand() -> None:
    with pytest.raises(BadSpec, match="bot adaptive learns from hand to hand"):
        odds_of("adaptive")


def test_ten_seats_with_unequal_stacks_are_played_without_a_fault() -> None:
    crowd = [
        "adaptive",
        "maniac",
        "random",
        "tight",
        "adaptive",
        "loose",
        "caller",
        "pot-odds",
        "folder",
        "adaptive",
    ]
    result = simulate(crowd, hands=20, seed=2, stacks=[400, 7, 60, 200, 1, 90, 33, 200, 150, 12])
    assert [player.faults.total for player in result.players] == [0] * 10


# -- whom it looks at, and when --------------------------------------------------------------------------


def test_an_opponent_is_looked_at_ever_less_often_and_not_once_he_is_known_to_deviate() -> None:
    known = bot_module._Known()
    assert [hands for hands in range(40) if known.is_due(hands)] == [6, 8, 10, 13, 16, 20, 25, 31, 38]
    known = bot_module._Known(deviates=True)
    assert not any(known.is_due(hands) for hands in range(40))


def test_the_response_to_an_opponent_is_computed_ever_less_often() -> None:
    known, solved = bot_module._Known(), []
    for hands in range(20):
        before = known.tables
        known.solve(hands)
        if known.tables is not before:
            solved.append(hands)
    assert solved == [6, 10, 17]
    known.solve(100)
    assert known.due == 134, "after 28, 47 and 79"


def end_of(names: tuple[str | None, ...], stacks: Sequence[int], seat: int = 0) -> HandEnd:
    """A hand that all fold to the big blind."""
    hand = Hand(stacks, Stakes(1, 2), deck=Deck.seeded(1))
    while not hand.over:
        hand.fold()
    return HandEnd(number=0, seat=seat, hole=hand.holes[seat], names=names, public=hand.public())


@pytest.mark.parametrize(
    ("names", "stacks", "seat", "known"),
    [
        (("me", "ann", "bob"), [200, 200, 200], 0, {"ann", "bob"}),
        (("me", "ann", "bob"), [200, 200, 200], 1, {"me", "bob"}),
        (("me", "ann", "bob", "cy"), [200, 200, 0, 200], 0, {"ann", "cy"}),
        (("me", "ann", None, "cy"), [200, 200, 0, 200], 0, {"ann", "cy"}),
        (("me", "ann", None), [200, 200, 200], 0, {"ann"}),
    ],
)
def test_it_keeps_figures_of_those_who_were_dealt_in_and_have_a_name(
    names: tuple[str | None, ...], stacks: list[int], seat: int, known: set[str]
) -> None:
    made = Adaptive()
    made.hand_over(end_of(names, stacks, seat))
    assert set(made._known[False]) == known
    if made._expert is not None:
        assert len(made._kept) == 1, "it learns from them once somebody deviates"


def test_a_seat_without_a_name_is_known_by_its_number() -> None:
    made = Adaptive()
    made._meet(end_of(("me", "ann", None), [200, 200, 200]))
    first = [made._of(seat) for seat in (1, 2, 3)]
    assert set(made._known[False]) == {"ann", "seat 2", "seat 3"}
    assert [made._of(seat) for seat in (1, 2, 3)] == first


@pytest.mark.parametrize(
    "game", ["omaha", "five-card-draw", "stud", "double-board-holdem", "kuhn", "short-deck"]
)
def test_other_games_are_played_and_heard_without_a_fault(game: str) -> None:
    result = simulate(["adaptive", "caller"], hands=6, seed=2, game=game)
    assert result.players[0].faults.total == 0
