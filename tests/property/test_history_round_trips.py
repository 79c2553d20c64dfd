"""Whatever hand is played, every format gives it back, and the rules pay it the same."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.cards import Deck
from poker_actors.errors import BadHistory
from poker_actors.history import FORMATS, HandHistory, parse, record, replay
from poker_actors.rules import GAMES, Hand, Stakes

GAME_NAMES = ("holdem", "limit-holdem", "omaha", "short-deck")
STAKES = (
    Stakes(1, 2),
    Stakes(5, 10),
    Stakes(1, 2, ante=1),
    Stakes(2, 4, big_blind_ante=4),
    Stakes(1, 2, ante=1, big_blind_ante=2),
    Stakes(1, 2, straddle=4),
)
NAME = st.text(
    st.characters(codec="utf-8", exclude_categories=["C"], exclude_characters=":|"), min_size=1, max_size=12
)


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    game = GAMES[draw(st.sampled_from(GAME_NAMES))]
    stacks = draw(
        st.lists(st.integers(0, 300), min_size=2, max_size=10).filter(lambda s: sum(map(bool, s)) > 1)
    )
    stakes = draw(st.sampled_from(STAKES if not game.bets_per_street else STAKES[:5]))
    buttons = [seat for seat, stack in enumerate(stacks) if stack]
    deck = Deck.seeded(draw(st.integers(0, 2**32)), game.pack)
    hand = Hand(stacks, stakes, deck=deck, button=draw(st.sampled_from(buttons)), game=game)
    choices = draw(st.lists(st.integers(0, 99), max_size=60))
    for choice in choices:
        if hand.over:
            break
        legal = hand.legal
        if choice < 15:
            hand.fold()
        elif choice < 70 or not legal.can_raise:
            hand.check_or_call()
        else:
            hand.raise_to(min(legal.max_raise_to, legal.min_raise_to + (choice - 70) * 3))
    while not hand.over:
        hand.check_or_call()
    return hand


@st.composite
def histories(draw: st.DrawFn) -> HandHistory:
    hand = draw(hands())
    names = [name.strip() or "x" for name in draw(st.lists(NAME, min_size=10, max_size=10))]
    players = [f"{name}{seat}" for seat, name in enumerate(names)]
    return record(hand, players=players, hand_id=draw(st.from_regex(r"[1-9][0-9]{0,8}", fullmatch=True)))


def there_and_back(history: HandHistory, name: str) -> HandHistory:
    [back] = parse(FORMATS[name].text(history, 0), name)
    return back


REFUSALS = ("cannot carry", "has no name for")


def carried(history: HandHistory, name: str) -> HandHistory | None:
    """There and back; None when the format says that it cannot carry the hand."""
    try:
        return there_and_back(history, name)
    except BadHistory as error:
        if not any(words in str(error) for words in REFUSALS):
            raise
        return None


@given(histories())
def test_the_rules_pay_a_recorded_hand_what_it_was_paid(history: HandHistory) -> None:
    found = replay(history)
    assert found.final_stacks == history.finishing
    assert found.rake == 0


@pytest.mark.parametrize("name", ["phh", "jsonl"])
@given(history=histories())
def test_phh_and_jsonl_lose_nothing(history: HandHistory, name: str) -> None:
    assert there_and_back(history, name) == history


@given(
    histories(),
    st.sampled_from([100, 1000, 10**6]),
    st.dictionaries(
        st.from_regex(r"_[a-z]{1,8}", fullmatch=True).filter(lambda key: key != "_rake"),
        st.recursive(
            st.integers(-(2**60), 2**60)
            | st.booleans()
            | st.text(st.characters(codec="utf-8"), max_size=8)
            | st.dates()
            | st.times()
            | st.decimals(
                allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9
            ),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), inner, max_size=3)
            ),
            max_leaves=5,
        ),
        max_size=4,
    ),
)
def test_unknown_fields_and_decimals_survive_phh_and_jsonl(
    history: HandHistory, scale: int, fields: dict[str, object]
) -> None:
    told = attrs.evolve(history, scale=scale, fields={**history.fields, **fields})
    for name in ("phh", "jsonl"):
        assert there_and_back(told, name) == told


TOLD = ("game", "stacks", "blinds", "min_bet", "steps", "antes", "players", "seats", "scale")


@pytest.mark.parametrize("name", ["ohh", "pokerstars"])
@given(history=histories())
def test_formats_that_tell_a_story_keep_setup_steps_and_payoffs(history: HandHistory, name: str) -> None:
    back = carried(history, name)
    if back is None:
        return
    for field in TOLD:
        assert getattr(back, field) == getattr(history, field), field
    assert replay(back).payoffs == replay(history).payoffs
    assert there_and_back(back, name) == back


@given(histories())
def test_acpc_logs_keep_setup_turns_and_payoffs(history: HandHistory) -> None:
    back = carried(history, "acpc")
    if back is None:
        return
    assert list(back.turns) == list(history.turns)
    assert (back.stacks, back.blinds, back.board, back.players) == (
        history.stacks,
        history.blinds,
        history.board,
        history.players,
    )
    assert replay(back).payoffs == replay(history).payoffs
    assert there_and_back(back, "acpc") == back


@given(histories(), st.data())
def test_a_history_cut_short_replays_as_far_as_it_goes(history: HandHistory, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(history.steps)))
    part = attrs.evolve(history, steps=history.steps[:cut], finishing=None)
    found = replay(part)
    assert sum(found.final_stacks or ()) <= sum(history.stacks)
    assert there_and_back(part, "phh") == part
    assert there_and_back(part, "jsonl") == part


@given(histories(), st.data())
def test_one_chip_moved_in_the_record_is_found(history: HandHistory, data: st.DataObject) -> None:
    giver = data.draw(st.integers(0, history.size - 1))
    taker = data.draw(st.integers(0, history.size - 1).filter(lambda player: player != giver))
    assert history.finishing is not None
    moved = list(history.finishing)
    moved[giver] -= 1
    moved[taker] += 1
    with pytest.raises(BadHistory, match="as recorded and"):
        replay(attrs.evolve(history, finishing=tuple(moved)))
