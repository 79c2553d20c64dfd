"""Cash, carry-over and duplicate: how hands hang together."""

import statistics

import pytest

from poker_actors.errors import BadSpec
from poker_actors.sim import CarryOver, Cash, Duplicate, Form, Match, play_hand, simulate
from poker_actors.sim.engines import Job, play_hands
from poker_actors.sim.intervals import t_quantile
from poker_actors.sim.record import hand_digest

BOTS = ["tight", "maniac", "random"]
FORMS: list[Form] = [Cash(), CarryOver(12), Duplicate()]


def name_of(form: Form) -> str:
    return form.name


def match(form: Form, hands: int = 36) -> Match:
    return Match.of(BOTS, hands=hands, seed=4, stacks="200,150,90", form=form)


def test_duplicate_plays_each_deck_once_per_seat_with_every_bot_in_every_seat() -> None:
    played = list(play_hands(Job(match(Duplicate())), range(36), []))
    for start in range(0, 36, 3):
        decks = {tuple(hand.cards) for _, hand, _ in played[start : start + 3]}
        seats = {who for _, _, who in played[start : start + 3]}
        assert len(decks) == len({hand.button for _, hand, _ in played[start : start + 3]}) == 1
        assert seats == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}
    assert len({tuple(hand.cards) for _, hand, _ in played}) == 12
    assert {hand.starting for _, hand, _ in played} == {(200, 150, 90)}


def test_duplicate_gives_equal_bots_equal_results_without_luck_of_their_own() -> None:
    result = simulate(["caller"] * 4, hands=400, seed=1, form=Duplicate())
    assert [player.net_chips for player in result.players] == [0] * 4
    assert [player.bb_per_100_by_unit.margin for player in result.players if player.bb_per_100_by_unit] == [
        0
    ] * 4
    assert [player.bb_per_100.margin for player in result.players] == [0] * 4


def test_the_interval_goes_by_what_hangs_together_wherever_it_is_shown() -> None:
    result = simulate(["tight", "caller"], hands=1500, seed=5, form=Duplicate())
    alone = simulate(["tight", "caller"], hands=1500, seed=5)
    for player, other in zip(result.players, alone.players, strict=True):
        assert player.bb_per_100 == player.bb_per_100_by_unit
        assert other.bb_per_100_by_unit is None
        assert (player.bb_per_100.margin or 0) < 0.95 * (other.bb_per_100.margin or 0)


@pytest.mark.parametrize("form", [Duplicate(), CarryOver(20)], ids=name_of)
def test_the_margin_is_that_of_the_results_of_units(form: Form) -> None:
    result = simulate(BOTS, hands=1200, seed=4, form=form)
    unit = form.unit(3)
    gains: list[list[float]] = [[0.0] * 3 for _ in range(1200 // unit)]
    for number, hand, who in play_hands(Job(Match.of(BOTS, hands=1200, seed=4, form=form)), range(1200), []):
        for seat, bot in enumerate(who):
            gains[number // unit][bot] += hand.payoffs[seat] * 100 / unit / 2
    for bot, player in enumerate(result.players):
        column = [row[bot] for row in gains]
        wanted = t_quantile(len(gains) - 1) * statistics.stdev(column) / len(gains) ** 0.5
        assert player.bb_per_100.mean == pytest.approx(statistics.mean(column))
        assert player.bb_per_100.margin == pytest.approx(wanted)
        assert f"± {wanted:>5.1f}" in str(result)


def test_stacks_carry_over_within_a_session_and_who_is_broke_rebuys() -> None:
    played = list(play_hands(Job(match(CarryOver(12))), range(36), []))
    rebuys = 0
    for number, hand, _ in played:
        if number % 12 == 0:
            assert hand.starting == (200, 150, 90)
            continue
        before = played[number - 1][1].stacks
        for first, left, stack in zip((200, 150, 90), before, hand.starting, strict=True):
            assert stack == (left or first)
            rebuys += not left
        assert hand.button == number % 3
    assert rebuys
    result = simulate(BOTS, hands=36, seed=4, stacks="200,150,90", form=CarryOver(12))
    assert sum(player.busts for player in result.players) >= rebuys


@pytest.mark.parametrize("driver", ["direct", "stepper", "threads"])
@pytest.mark.parametrize("form", FORMS, ids=name_of)
def test_every_driver_plays_every_form_the_same(form: Form, driver: str) -> None:
    given = {"hands": 36, "seed": 4, "stacks": "200,150,90", "form": form}
    assert simulate(BOTS, driver=driver, **given) == simulate(BOTS, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMS, ids=name_of)
def test_a_hand_alone_is_the_hand_of_the_match_in_every_form(form: Form) -> None:
    played = match(form)
    for number, hand, who in play_hands(Job(played), range(36), []):
        alone, seated = play_hand(played, number)
        assert hand_digest(number, alone) == hand_digest(number, hand)
        assert seated == who


@pytest.mark.parametrize(
    ("form", "hands", "message"),
    [
        (Duplicate(), 100, "100 hands are not a multiple of 3: duplicate plays each deck once per seat"),
        (CarryOver(7), 100, "100 hands are not a multiple of the 7 hands of a session"),
        (CarryOver(0), 100, "a session of 0 hands: the minimum is 1"),
    ],
)
def test_a_form_refuses_hands_it_cannot_cut(form: Form, hands: int, message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        match(form, hands)
