"""A person at a table of bots: what is seen of it at each point of a hand, and what an interrupt may not cut."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import attrs
import pytest

from poker_actors.cards import parse_cards
from poker_actors.console import five_card_setup, holdem_setup
from poker_actors.console.setup import Setup
from poker_actors.console.sitting import Sitting, interrupts_held, picture, words_now
from poker_actors.errors import BadSpec, RoomError
from poker_actors.rules import Call, Check, Fold, View


def folds(view: View) -> object:
    """Fold whenever there is something to call."""
    return Fold() if Fold() in view.legal else view.legal.passive


def setup_with(*bots: str, game: str = "holdem", stacks: str = "200") -> Setup:
    named = [f"{__file__}:folds" if bot == "folds" else bot for bot in bots]
    return holdem_setup(seed=1, bots=named, game=game, stacks=stacks)


@contextmanager
def dealt(setup: Setup) -> Iterator[Sitting]:
    with closing(Sitting(setup)) as sitting:
        sitting.deal()
        yield sitting


def stay(sitting: Sitting, street: str = "") -> None:
    """Check or call until a street begins, or the hand is over."""
    while sitting.legal and picture(sitting).street != street:
        sitting.act(Call() if sitting.legal.to_call else Check())


# -- the picture -------------------------------------------------------------------------------------


def test_before_the_first_hand_there_are_names_and_stacks_and_nothing_to_do() -> None:
    with closing(Sitting(setup_with("caller"))) as sitting:
        seen = picture(sitting)
        assert [(seat.name, seat.stack, seat.cards, seat.hidden) for seat in seen.seats] == [
            ("You", 200, (), 0),
            ("caller", 200, (), 0),
        ]
        assert not sitting.legal
        with pytest.raises(BadSpec, match="nothing to take back"):
            sitting.without_last()


def test_in_a_hand_ones_own_cards_are_seen_and_those_of_others_from_behind() -> None:
    with dealt(setup_with("caller", "folds", "caller")) as sitting:  # on the button, with two blinds behind
        stay(sitting, "flop")
        me, caller, folded, other = picture(sitting).seats
        assert sitting.state is not None
        assert (me.cards, me.hidden, me.words != "") == (sitting.state.hole, 0, True)
        assert (caller.cards, caller.hidden, caller.folded) == ((), 2, False)
        assert (other.cards, other.hidden, other.words) == ((), 2, "")
        assert (folded.cards, folded.hidden, folded.folded) == ((), 0, True)


def test_what_was_done_is_said_on_its_street_and_a_fold_to_the_end() -> None:
    with dealt(setup_with("caller", "caller", "folds")) as sitting:  # who folds has no blind to lose
        assert [seat.said for seat in picture(sitting).seats] == ["", "", "", "fold"]
        sitting.act(Call())
        assert [seat.said for seat in picture(sitting).seats] == ["", "check", "check", "fold"]
        stay(sitting)
        seats = picture(sitting).seats
        assert (seats[3].said, seats[3].folded, seats[3].hidden) == ("fold", True, 0)
        assert all(seat.said == "" or seat.said[0] in "+-" for seat in seats[:3])


def test_at_the_showdown_all_who_are_in_are_seen_and_after_a_fold_nobody() -> None:
    with dealt(setup_with("caller")) as sitting:
        stay(sitting)
        assert [(len(seat.cards), seat.hidden, seat.words != "") for seat in picture(sitting).seats] == [
            (2, 0, True),
            (2, 0, True),
        ]
    with dealt(setup_with("caller")) as sitting:
        sitting.act(Fold())
        me, caller = picture(sitting).seats
        assert (len(me.cards), me.folded) == (2, True)
        assert (caller.cards, caller.hidden, caller.words, caller.said) == ((), 2, "", "+1")


def test_who_wins_an_empty_pot_says_nothing_at_the_end() -> None:
    with dealt(five_card_setup(seed=0)) as sitting:
        assert picture(sitting).seats[0].said == "check"
        sitting.act(Fold())
        assert sitting.result is not None
        assert sitting.result.payoffs == (0, 0)
        assert [seat.said for seat in picture(sitting).seats] == ["", "fold"]


def test_in_the_five_card_game_the_beaten_hand_is_shown_too() -> None:
    with dealt(five_card_setup(seed=1, cpu="fair")) as sitting:
        stay(sitting)
        assert sitting.hand is not None
        assert len(sitting.hand.public().shown) == 1
        assert [len(seat.cards) for seat in picture(sitting).seats] == [5, 5]


def test_a_folded_hand_that_is_turned_up_after_a_showdown_of_others_is_seen_with_its_words() -> None:
    with dealt(setup_with("caller", "caller")) as sitting:
        sitting.act(Fold())
        before = picture(sitting)
        assert [len(seat.cards) for seat in before.seats] == [2, 2, 0], "the other hand is mucked"
        sitting.show_cards()
        assert picture(sitting) == before


def test_of_a_void_hand_nobody_elses_cards_are_seen() -> None:
    with dealt(setup_with("caller")) as sitting:
        stay(sitting)
        assert sitting.result is not None
        sitting.result = attrs.evolve(sitting.result, hand=None)
        me, caller = picture(sitting).seats
        assert (len(me.cards), caller.cards) == (2, ())


def test_open_cards_of_others_are_seen_while_they_are_in() -> None:
    with dealt(setup_with("caller", game="stud")) as sitting:
        _, other = picture(sitting).seats
        assert (len(other.cards), other.hidden) == (1, 2)


def test_who_has_lost_all_has_not_folded() -> None:
    with dealt(setup_with("caller", "caller", "caller", stacks="200,2,2,200")) as sitting:
        stay(sitting)
        lost = sitting.stacks.index(0)  # two have what the blind takes, and only one of them can win
        sitting.deal()
        out = picture(sitting).seats[lost]
        assert (out.stack, out.folded, out.hidden) == (0, False, 0)


def test_a_hand_is_put_into_words_as_soon_as_its_game_allows_it() -> None:
    holdem, stud, five = setup_with("caller"), setup_with("caller", game="stud"), five_card_setup(seed=1)
    pair, seven = parse_cards("As Ad"), parse_cards("As Ad Ks 2c 3d 7h 9c")
    assert words_now(holdem, pair, ()) == ""
    assert words_now(holdem, pair, parse_cards("2c 3d 7h")) != ""
    assert words_now(stud, seven[:3], ()) == ""
    assert words_now(stud, seven[:5], ()) != ""
    assert words_now(stud, seven[:6], seven[6:]) == "", "the last card was dealt for all"
    assert words_now(stud, seven, ()) != ""
    assert words_now(five, seven[:2], ()) != ""


# -- money and interrupts ----------------------------------------------------------------------------


def test_books_that_do_not_balance_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with dealt(setup_with("caller")) as sitting:
        audit = sitting.room.audit
        monkeypatch.setattr(sitting.room, "audit", lambda: attrs.evolve(audit(), minted=audit().minted + 1))
        with pytest.raises(RoomError, match="credits are not conserved"):
            sitting.settle()


def test_an_interrupt_waits_for_the_end_of_the_block_and_comes_once() -> None:
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            assert came == []
        assert came == [signal.SIGINT]
        with interrupts_held():
            pass
        assert came == [signal.SIGINT]
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_off_the_main_thread_nothing_is_held() -> None:
    entered: list[bool] = []

    def run() -> None:
        with interrupts_held():
            entered.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert entered == [True]
