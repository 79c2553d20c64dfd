"""What a table keeps of a bot's fault: in these words, up to a bound, and nothing where nothing is kept."""

from __future__ import annotations

import pytest

from poker_actors.actors.hand import DealtHand
from poker_actors.actors.runtime import StepRuntime
from poker_actors.actors.table import recent
from poker_actors.actors.table.facts import TableConfig
from poker_actors.actors.table.recent import MOST_OF_A_HAND, Recent, Recents
from poker_actors.actors.table.seats import Seating
from poker_actors.actors.table.stages import Promised, TableMemory
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand, Stakes, View

CONFIG = TableConfig("green", seats=2)
SAID = ("ann", "raised", "so it was", "bot.py:7")


def view() -> View:
    hand = Hand([50, 50], Stakes(1, 2), deck=Deck.seeded(1))
    return hand.view(hand.to_act[0])


def memory(hand: str | None = None) -> TableMemory:
    found = TableMemory(Seating((None, None)))
    if hand is not None:
        runtime = StepRuntime()
        found.stage = Promised(DealtHand(hand, runtime.address(hand), runtime.word()), None, None)
    return found


def kept(most: int = 2, hand: str | None = None) -> Recent:
    return Recent(CONFIG, memory(hand), lambda: 7.5, lambda _: 0, most)


def raised() -> BaseException:
    """An error that a bot has raised two calls below whoever asked it."""

    def bot() -> None:
        raise ZeroDivisionError("by nothing")

    def ask() -> None:
        bot()

    try:
        ask()
    except ZeroDivisionError as error:
        return error
    raise AssertionError


def test_a_fault_is_kept_word_by_word_with_what_is_done_instead() -> None:
    found = kept()
    found.fault(*SAID, view(), None)
    said = {
        "type": "Fault",
        "kind": "raised",
        "text": "so it was; it has to fold instead",
        "place": "bot.py:7",
        "seat": view().seat,
        "trace": "",
    }
    assert found.taken()["heard"] == [[0.0, "player ann", said, None]]


def test_of_a_long_text_a_thousand_characters_are_kept() -> None:
    found = kept()
    found.fault("ann", "raised", "x" * 1001, "", view(), None)
    text = found.taken()["heard"][0][2]["text"]
    assert text == "x" * 1000 + "; it has to fold instead"


def test_a_traceback_begins_below_who_asked_the_bot() -> None:
    found = kept()
    found.fault(*SAID, view(), raised())
    trace = found.taken()["heard"][0][2]["trace"].splitlines()
    assert trace[0] == "Traceback (most recent call last):"
    assert trace[-1] == "ZeroDivisionError: by nothing"
    assert [line.rpartition(" ")[2] for line in trace if "File" in line] == ["ask", "bot"]


def test_of_a_long_traceback_the_end_is_kept() -> None:
    found = kept()
    found.fault(*SAID, view(), ValueError("x" * 5_000 + "end"))
    trace = found.taken()["heard"][0][2]["trace"]
    assert (len(trace), trace[-4:]) == (4_000, "end\n")


def test_an_error_that_was_never_raised_has_a_trace_of_one_line() -> None:
    found = kept()
    found.fault(*SAID, view(), ValueError("as given"))
    assert found.taken()["heard"][0][2]["trace"] == "ValueError: as given\n"


def test_a_hand_keeps_four_times_the_bound_and_not_one_fault_more() -> None:
    found = kept(most=2)
    for number in range(2 * MOST_OF_A_HAND + 1):
        found.fault("ann", str(number), "", "", view(), None)
    heard = found.taken()["heard"]
    assert [one[2]["kind"] for one in heard] == [str(number) for number in range(8)]


def test_where_a_room_was_restored_during_a_hand_nothing_is_kept_yet() -> None:
    found = kept(hand="hand 1")
    found.fault(*SAID, view(), None)
    with pytest.raises(BadSpec) as refusal:
        found.taken()
    assert str(refusal.value) == "table 'green': nothing is kept yet; the next hand that is dealt will be"


def test_a_fault_is_kept_at_its_table_until_the_table_is_forgotten() -> None:
    recents = Recents(StepRuntime(), 2)
    green = recents.of(CONFIG, memory())
    blue = recents.of(TableConfig("blue"), memory())
    assert green is not None
    assert blue is not None
    recents.fault("green", *SAID, view(), None)
    recents.fault("red", *SAID, view(), None)
    assert (len(recents.taken("green")["heard"]), len(recents.taken("blue")["heard"])) == (1, 0)
    recents.forget("green")
    recents.forget("green")
    recents.fault("green", *SAID, view(), None)
    assert len(green.taken()["heard"]) == 1
    with pytest.raises(BadSpec) as refusal:
        recents.taken("green")
    assert str(refusal.value) == "table 'green': nothing is kept of it; open the room with recent=200"
    assert recents.taken("blue")["table"]["name"] == "blue"


def test_nothing_is_kept_for_none_and_a_bound_is_a_whole_number() -> None:
    assert Recents(StepRuntime(), 0).of(CONFIG, memory()) is None
    assert Recents(StepRuntime(), None).most == 0
    for bound in (-1, 1.0, True):
        with pytest.raises(BadSpec) as refusal:
            Recents(StepRuntime(), bound)  # type: ignore[arg-type]
        words = (
            f"recent {bound!r}: the number of messages kept of each table must be a whole number, 0 or more"
        )
        assert str(refusal.value) == words
    assert recent.RECENT == 200
