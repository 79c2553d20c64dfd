"""The article's state object: its own runs, its table byte for byte, and what it refuses."""

import json
from pathlib import Path

import pytest

from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.wire.opp import HoldemState

RUNS = json.loads((Path(__file__).parent / "perl_status.json").read_text(encoding="utf-8"))
NAMES = ("lathos", "MarcBeth", "Hectate", "RichardIII")


def article() -> HoldemState:
    return HoldemState([(name, 500) for name in NAMES], button="Hectate", bet=10, limit=50)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: str(run["script"][:40]))
def test_the_recorded_runs_of_the_original_come_out_the_same(run: dict[str, object]) -> None:
    state = article()
    trace = []
    for step in str(run["script"]).split():
        name, _, amount = step.partition(":")
        result = getattr(state, {"raise": "raise_"}.get(name, name))(*([int(amount)] if amount else []))
        trace.append(
            f"{step} -> {1 if result is None else int(result)}  next={state.next_to_play} pot={state.pot} "
            f"square={int(state.pot_square)} stage={state.stage}"
        )
    assert trace == run["trace"]
    assert state.status() == run["status"]


def test_bankrolls_may_be_below_zero_and_still_line_up() -> None:
    state = HoldemState([("ann", -22077), ("bob", 5)], button="ann", bet=10)
    assert state.status() == (
        "Pot: 0 Stage: preflop\n"
        "?                 Name Bankroll  InPot\n"
        ".                  ann $-22077 $    0\n"
        "                   bob $    5 $    0\n"
    )


def test_a_small_bet_is_the_bet_and_a_large_one_the_limit() -> None:
    state = article()
    assert state.bet(3) == 10
    assert state.bet(1_000) == 50


def test_a_raise_below_the_call_is_refused_and_changes_nothing() -> None:
    state = HoldemState([("ann", 500), ("bob", 500)], button="ann", bet=10)
    state.bet(100)
    before = state.status()
    with pytest.raises(IllegalAction, match="20 is less than the 100 to call"):
        state.raise_(20)
    assert state.status() == before


def test_a_stage_opens_only_over_a_square_pot_and_no_stage_follows_the_showdown() -> None:
    state = article()
    state.blinds()
    assert not state.next_stage()
    for _ in range(4):
        state.call()
    assert state.next_stage("Jd Ks 3s")
    assert [str(card) for card in state.board] == ["Jd", "Ks", "3s"]
    assert [state.next_stage() for _ in range(4)] == [True, True, True, False]
    assert state.stage == "showdown"


def test_cards_handed_over_at_the_showdown_go_on_no_board() -> None:
    state = HoldemState([("ann", 500), ("bob", 500)], button="ann", bet=10)
    for cards in ("Jd Ks 3s", "3h", "2c", "Ah"):
        assert state.next_stage(cards)
    assert state.stage == "showdown"
    assert " ".join(map(str, state.board)) == "Jd Ks 3s 3h 2c"


def test_the_small_blind_of_an_odd_bet_is_half_a_chip_more_than_whole() -> None:
    """The table is the original's: half chips show in the pot, and are cut off in the columns."""
    state = HoldemState([("ann", 500), ("bob", 500)], button="ann", bet=15)
    state.blinds()
    assert state.status() == (
        "Pot: 22.5 Stage: preflop\n"
        "?                 Name Bankroll  InPot\n"
        "*                  ann $  492 $    7\n"
        "                   bob $  485 $   15\n"
    )
    assert (state.call(), state.pot) == (7.5, 30)
    assert state.status().startswith("Pot: 30 Stage: preflop\n")


def test_what_is_done_with_one_player_left_is_booked_and_the_pot_is_not_square() -> None:
    """Nothing of it is legal; the original's book takes it, on the seat that folded last."""
    state = HoldemState([("ann", 500), ("bob", 500)], button="ann", bet=10)
    state.blinds()
    state.fold()
    assert state.bet(30) == 30
    assert (state.bankroll("ann"), state.next_to_play) == (465, "ann")
    assert not state.pot_square
    assert not state.next_stage()


def test_players_are_named_by_seat_as_well() -> None:
    state = HoldemState([("ann", 500), ("bob", 400)], button="ann", bet=10)
    assert (state.bankroll(1), state.put_in(0), state.folded(1), state.hole(0)) == (400, 0, False, ())
    with pytest.raises(BadSpec, match="no seat 2 \\(seats: 0 to 1\\)"):
        state.bankroll(2)


def test_when_one_is_left_nobody_is_next() -> None:
    state = HoldemState([("ann", 1), ("bob", 1)], button="ann", bet=10)
    state.fold()
    assert state.folded("ann")
    assert state.next_to_play == "ann"


def test_players_are_found_by_name_or_refused() -> None:
    state = article()
    assert state.players == NAMES
    assert (state.bankroll("lathos"), state.put_in("lathos"), state.hole("lathos")) == (500, 0, ())
    with pytest.raises(BadSpec, match="no player 'nobody' \\(players: lathos, MarcBeth"):
        state.bankroll("nobody")


@pytest.mark.parametrize("names", [[], ["ann"], ["ann", "ann"]])
def test_fewer_than_two_different_players_are_no_hand(names: list[str]) -> None:
    with pytest.raises(BadSpec, match="two or more, all different"):
        HoldemState([(name, 1) for name in names], button="ann", bet=10)


@pytest.mark.parametrize(("bet", "limit"), [(0, 0), (10, -1), (1.5, 0)])
def test_bets_are_whole_chips(bet: int, limit: int) -> None:
    with pytest.raises(BadSpec, match="chips must be whole"):
        HoldemState([("ann", 1), ("bob", 1)], button="ann", bet=bet, limit=limit)
