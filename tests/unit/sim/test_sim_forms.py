"""Cash, carry-over and duplicate: how hands hang together."""

import pytest

from poker_actors.errors import BadSpec
from poker_actors.sim import CarryOver, Cash, Duplicate, Form, Match, play_hand, simulate
from poker_actors.sim.engines import Job, play_hands
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
    assert all((player.bb_per_100.margin or 0) > 10 for player in result.players)


def test_the_interval_by_deck_is_narrower_than_the_raw_one() -> None:
    result = simulate(["tight", "caller"], hands=4000, seed=5, form=Duplicate())
    for player in result.players:
        assert player.bb_per_100_by_unit is not None
        assert player.bb_per_100_by_unit.mean == pytest.approx(player.bb_per_100.mean)
        assert (player.bb_per_100_by_unit.margin or 0) < 0.95 * (player.bb_per_100.margin or 0)


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
        (CarryOver(0), 100, "a session of 0 hands: the least is 1"),
    ],
)
def test_a_form_refuses_hands_it_cannot_cut(form: Form, hands: int, message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        match(form, hands)
