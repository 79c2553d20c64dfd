"""What a person types is read into an action or refused with the limits."""

import pytest

from poker_actors.console.setup import choices, read_order, takes_all
from poker_actors.errors import IllegalAction
from poker_actors.rules import Action, Bet, Call, Check, Fold, Legal, RaiseTo

OPEN = Legal(1, 0, 1, 160, opening=True, all_in_total=200)
FACING = Legal(1, 12, 24, 200, all_in_total=200)
SHORT = Legal(1, 30, all_in_total=30, calls_all_in=True)


@pytest.mark.parametrize(
    ("typed", "legal", "action"),
    [
        ("c", OPEN, Check()),
        ("c", FACING, Call()),
        ("k", OPEN, Check()),
        ("check", OPEN, Check()),
        ("  CALL ", FACING, Call()),
        ("f", FACING, Fold()),
        ("Fold", OPEN, Fold()),
        ("20", OPEN, Bet(20)),
        ("b 20", OPEN, Bet(20)),
        ("bet 20", OPEN, Bet(20)),
        ("raise 20", OPEN, Bet(20)),
        ("raise 40", FACING, RaiseTo(40)),
        ("raise to 40", FACING, RaiseTo(40)),
        ("raise_to 40", FACING, RaiseTo(40)),
        ("r40", FACING, RaiseTo(40)),
        ("40", FACING, RaiseTo(40)),
        ("a", FACING, RaiseTo(200)),
        ("all-in", SHORT, Call()),
    ],
)
def test_an_action_is_read(typed: str, legal: Legal, action: Action) -> None:
    assert read_order(typed, legal) == action


@pytest.mark.parametrize("typed", ["q", "quit", "EXIT", "leave"])
def test_leaving_is_read(typed: str) -> None:
    assert read_order(typed, OPEN) == "leave"


@pytest.mark.parametrize("typed", ["?", "h", "help"])
def test_asking_for_help_is_read(typed: str) -> None:
    assert read_order(typed, OPEN) == "help"


@pytest.mark.parametrize(
    ("typed", "legal", "refusal"),
    [
        ("check", FACING, "check: there are 12 to call (call 12, raise to 24-200, fold)"),
        ("call", OPEN, "call: there is nothing to call (check, bet 1-160, fold)"),
        ("bet 0", OPEN, "bet 0 is below the minimum of 1 (check, bet 1-160, fold)"),
        ("161", OPEN, "bet 161 is above the maximum of 160 (check, bet 1-160, fold)"),
        ("raise 23", FACING, "raise to 23 is below the minimum of 24 (call 12, raise to 24-200, fold)"),
        ("all in", OPEN, "you cannot go all-in here: the maximum is 160 (check, bet 1-160, fold)"),
        ("raise 40", SHORT, "raise to 40: no bet or raise is allowed here (call 30, fold)"),
        ("", OPEN, "'' is not an order: check, bet 1-160, fold, quit, or ? for help"),
        ("raise", OPEN, "'raise' is not an order: check, bet 1-160, fold, quit, or ? for help"),
        ("-50", FACING, "'-50' is not an order: call 12, raise to 24-200, fold, quit, or ? for help"),
        ("1.5", OPEN, "'1.5' is not an order: check, bet 1-160, fold, quit, or ? for help"),
        ("٣", OPEN, "'٣' is not an order: check, bet 1-160, fold, quit, or ? for help"),
        ("x" * 500, OPEN, f"'{'x' * 40}' is not an order: check, bet 1-160, fold, quit, or ? for help"),
    ],
)
def test_what_is_not_possible_is_refused_with_the_limits(typed: str, legal: Legal, refusal: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        read_order(typed, legal)
    assert str(caught.value) == refusal


def test_a_single_size_is_not_written_as_a_span() -> None:
    assert choices(Legal(0, 4, 8, 8, all_in_total=50)) == "call 4, raise to 8, fold"


@pytest.mark.parametrize(
    ("legal", "action", "all_in"),
    [
        (FACING, RaiseTo(200), True),
        (FACING, RaiseTo(199), False),
        (FACING, Call(), False),
        (SHORT, Call(), True),
        (OPEN, Bet(160), False),
        (OPEN, Fold(), False),
    ],
)
def test_an_action_that_takes_all_chips_is_known(legal: Legal, action: Action, all_in: bool) -> None:
    assert takes_all(legal, action) is all_in
