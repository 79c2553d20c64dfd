"""The witness: silent at a true story, and at a wrong one it names the promise that was broken."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from poker_actors.actors import (
    DeckOpened,
    HandResult,
    HandState,
    Refusal,
    Room,
    StepRuntime,
    TableNews,
)
from poker_actors.actors.messages import (
    Act,
    ActorDown,
    Balance,
    CashOut,
    Deadline,
    Deal,
    DealtHand,
    GetState,
    ShowCards,
    Sit,
    Turn,
)
from poker_actors.actors.runtime import Address
from poker_actors.cards import Deck
from poker_actors.errors import AskTimeout, StorageFailed
from poker_actors.rules import Call, Fold, Positions
from poker_actors.rules.log import Sealed
from poker_actors.testing import PROMISES, Witness
from poker_actors.testing.witness.promises import DeadlineHitsItsSeat
from tests.unit.testing.recorded_story import Event, Story, record

STORY = record()


def replay(story: Story, rest: bool = True) -> Witness:
    """Tell a story to another witness."""
    witness = Witness()
    for method, *arguments in story:
        getattr(witness, method)(*arguments)
    if rest:
        witness.rest()
    return witness


# -- how to tell a story wrong: find an event, and change it or tell another one -------------------


def places(
    story: Story, method: str, kind: type, wanted: Callable[[Event], bool] = lambda event: True
) -> list[int]:
    return [
        place
        for place, event in enumerate(story)
        if event[0] == method and isinstance(event[2], kind) and wanted(event)
    ]


def change(story: Story, place: int, at: int, make: Callable[[Any], Any]) -> Story:
    """Change one argument of one event."""
    event = list(story[place])
    event[at] = make(event[at])
    return [*story[:place], tuple(event), *story[place + 1 :]]


def again(story: Story, place: int, at: int, make: Callable[[Any], Any]) -> Story:
    """Tell an event a second time at the end, changed."""
    return [*story, change([story[place]], 0, at, make)[0]]


def in_public(**fields: Any) -> Callable[[HandState], HandState]:
    """Change what everybody sees in a state; the change is another one then."""

    def changed(state: HandState) -> HandState:
        public = state.public
        dealt = {name: value for name, value in fields.items() if name in ("setup", "board", "shown", "log")}
        rest = {name: value for name, value in fields.items() if name not in dealt}
        public = public._replace(dealt=public.dealt._replace(**dealt), **rest)
        return attrs.evolve(state, change=attrs.evolve(state.change, public=public))

    return changed


def states(wanted: Callable[[HandState], bool]) -> list[int]:
    return places(STORY, "told", HandState, lambda event: wanted(event[2]))


OPEN = states(lambda state: not state.public.over)
RIVER = states(lambda state: len(state.board) == 5 and not state.public.over)
OVER = states(lambda state: state.public.over)
TURNS = states(lambda state: state.turn is not None)
RESULTS = places(STORY, "told", HandResult)
PICTURES = places(STORY, "answered", GetState, lambda event: event[1] == "table main")
BOOKS = places(STORY, "answered", GetState, lambda event: event[1] == "bank")
LAST = PICTURES[-1]


def wrong_setup() -> Story:
    state: HandState = STORY[RIVER[-1]][2]
    return change(STORY, RIVER[-1], 2, in_public(setup=state.public.setup._replace(button=3)))


def turn_and_river_exchanged() -> Story:
    *flop, turn, river = STORY[RIVER[-1]][2].board
    return change(STORY, RIVER[-1], 2, in_public(board=(*flop, river, turn)))


def another_action() -> Story:
    log = list(STORY[OVER[-1]][2].public.entries)
    log[0] ^= 16  # another kind of action by the same seat
    return change(STORY, OVER[-1], 2, in_public(log=Sealed(log)))


def another_turn() -> Story:
    active = STORY[RIVER[0]][2].public.seats_to_act
    return change(STORY, RIVER[0], 2, in_public(seats_to_act=active[::-1]))


def a_turn_for_somebody_else() -> Story:
    place = next(place for place in OPEN if STORY[place][2].turn is None)
    state = STORY[place][2]
    return change(
        STORY, place, 2, lambda _: attrs.evolve(state, turn=Turn(state.hand_id, state.seq, state.seat))
    )


def other_hole_cards() -> Story:
    return change(STORY, RIVER[-1], 2, lambda state: attrs.evolve(state, hole=tuple(reversed(state.hole))))


def a_card_twice() -> Story:
    return change(STORY, OPEN[0], 2, lambda state: attrs.evolve(state, hole=(state.hole[0], state.hole[0])))


def somebody_elses_cards() -> Story:
    first, other = OPEN[0], next(place for place in OPEN if STORY[place][1] != STORY[OPEN[0]][1])
    return [*STORY[: first + 1], ("told", STORY[other][1], STORY[first][2]), *STORY[first + 1 :]]


def cards_shown_early() -> Story:
    return change(STORY, RIVER[0], 2, in_public(shown=((0, STORY[RIVER[0]][2].hole),)))


def a_watcher_is_told_cards() -> Story:
    return change(STORY, OPEN[0], 2, lambda state: attrs.evolve(state, seat=-1))


def an_older_state() -> Story:
    return [*STORY, STORY[OPEN[0]]]


def a_stack_below_zero() -> Story:
    behind = STORY[RIVER[0]][2].public.chips_behind
    return change(STORY, RIVER[0], 2, in_public(chips_behind=(-1, *behind[1:])))


def a_finished_hand_is_undone() -> Story:
    return change(STORY, RESULTS[0], 2, lambda result: attrs.evolve(result, voided=True, hand=None))


def other_chips() -> Story:
    return change(STORY, RESULTS[0], 2, lambda result: attrs.evolve(result, payoffs=result.payoffs[::-1]))


def news_twice() -> Story:
    place = places(STORY, "told", TableNews, lambda event: event[2].what == "hand_ended")[0]
    return [*STORY, STORY[place]]


def a_deck_twice() -> Story:
    return [*STORY, STORY[places(STORY, "told", DeckOpened)[0]]]


def an_accepted_action_is_another() -> Story:
    place = places(STORY, "answered", Act)[0]
    return change(STORY, place, 2, lambda act: attrs.evolve(act, action=Fold()))


def an_accepted_action_is_gone() -> Story:
    place = places(STORY, "answered", Act)[0]
    turn = STORY[place][2].turn
    late = Turn(turn.hand_id, 99, turn.seat)
    before = RESULTS[0] - 1
    return [*STORY[:before], ("answered", turn.hand_id, Act(late, Call()), None), *STORY[before:]]


def a_time_out_nobody_was_told_of() -> Story:
    return [event for event in STORY if not isinstance(event[2], Refusal)]


def the_next_seat_is_folded() -> Story:
    """The word that the time is up went to somebody else."""
    place = places(STORY, "told", Refusal, lambda event: event[2].code == AskTimeout.default_code)[0]
    return change(STORY, place, 1, lambda _: "player ann")


def an_action_refused_is_in_the_log() -> Story:
    place = places(STORY, "answered", Act)[0]
    return change(STORY, place, 3, lambda _: StorageFailed("the disk is full"))


def another_board_than_the_deck_given() -> Story:
    place = places(STORY, "asked", Deal, lambda event: event[2].deck is not None)[0]
    return change(STORY, place, 2, lambda deal: attrs.evolve(deal, deck=Deck.stacked([], "3c7dTh4s9c")))


def another_deck_than_committed_to() -> Story:
    place = places(STORY, "told", TableNews, lambda event: bool(event[2].commitment))[0]
    return change(STORY, place, 2, lambda news: attrs.evolve(news, commitment="00" * 16))


def a_proof_that_proves_nothing() -> Story:
    place = places(STORY, "told", DeckOpened)[0]
    record = STORY[place][2].record
    return change(
        STORY, place, 2, lambda news: attrs.evolve(news, record=attrs.evolve(record, hole=record.hole[::-1]))
    )


def a_pot_paid_to_the_wrong_seat() -> Story:
    """The hand itself says so, and everybody was told so."""
    result: HandResult = STORY[RESULTS[0]][2]
    assert result.hand is not None
    hand = result.hand.copy()
    hand.stacks = hand.stacks[1:] + hand.stacks[:1]
    return [("told", "the caller", attrs.evolve(result, hand=hand, payoffs=hand.payoffs))]


def a_button_that_stays() -> Story:
    first, second = STORY[RESULTS[0]][2], STORY[RESULTS[1]][2]
    return [
        ("told", "the caller", first),
        (
            "told",
            "the caller",
            attrs.evolve(second, positions=attrs.evolve(first.positions, dealt=(0, 1, 2))),
        ),
    ]


def no_button_any_more() -> Story:
    return again(STORY, LAST, 3, lambda state: attrs.evolve(state, positions=None))


def another_button_for_the_same_hand() -> Story:
    def moved(state: Any) -> Any:
        before = state.positions
        return attrs.evolve(
            state, positions=Positions(before.button, before.small_seat, before.button, before.dealt)
        )

    return again(STORY, LAST, 3, moved)


def a_seat_that_is_gone() -> Story:
    return again(STORY, LAST, 3, lambda state: attrs.evolve(state, seats=(None, *state.seats[1:])))


def two_seats_for_one() -> Story:
    return again(STORY, LAST, 3, lambda state: attrs.evolve(state, seats=(state.seats[1], *state.seats[1:])))


def a_seat_that_was_answered_and_is_not_there() -> Story:
    return change(STORY, places(STORY, "answered", Sit)[0], 3, lambda _: 3)


def sits_in_without_being_asked() -> Story:
    def inside(state: Any) -> Any:
        return attrs.evolve(state, seats=tuple(attrs.evolve(seat, out=False) for seat in state.seats))

    return again(STORY, LAST, 3, inside)


def dealt_in_while_sitting_out() -> Story:
    place = RESULTS[2]
    return change(
        STORY,
        place,
        2,
        lambda result: attrs.evolve(result, positions=attrs.evolve(result.positions, dealt=(0, 1, 2, 3))),
    )


def another_stack() -> Story:
    def richer(state: Any) -> Any:
        first = attrs.evolve(state.seats[0], stack=state.seats[0].stack + 1)
        return attrs.evolve(state, seats=(first, *state.seats[1:]))

    return again(STORY, LAST, 3, richer)


def another_place_in_line() -> Story:
    return again(STORY, LAST, 3, lambda state: attrs.evolve(state, waiting=state.waiting[::-1]))


def gone_from_the_line() -> Story:
    return again(STORY, LAST, 3, lambda state: attrs.evolve(state, waiting=()))


def a_hand_without_an_end() -> Story:
    place = places(STORY, "answered", Deal)[-1]
    return again(STORY, place, 3, lambda dealt: attrs.evolve(dealt, hand_id="main/hand-000000077"))


def books_that_do_not_balance() -> Story:
    return again(STORY, BOOKS[-1], 3, lambda balances: {**balances, "bank/ann": balances["bank/ann"] + 1})


def somebody_owes() -> Story:
    def owed(balances: Any) -> Any:
        return {**balances, "bank/ann": -1, "bank/bob": balances["bank/bob"] + balances["bank/ann"] + 1}

    return again(STORY, BOOKS[-1], 3, owed)


def another_balance() -> Story:
    place = places(STORY, "answered", Balance)[-1]
    return [STORY[place], change(STORY, place, 3, lambda chips: chips - 1)[place]]


def a_beginning_that_somebody_is_not_told() -> Story:
    place = places(STORY, "told", TableNews, lambda event: event[2].what == "hand_started")[0]
    return [*STORY[:place], *STORY[place + 1 :]]


def chips_taken_in_mid_hand() -> Story:
    place = next(place for place in PICTURES if STORY[place][3].hand_id is not None)
    state = STORY[place][3]
    player = state.seats[state.positions.dealt[0]].player
    cashed_out = ("answered", "table main", CashOut(player), 0)
    return [*STORY[: place + 1], cashed_out, *STORY[place:]]


WRONG: dict[Callable[[], Story], str] = {
    wrong_setup: "setup",
    turn_and_river_exchanged: "board",
    another_action: "actions",
    another_turn: "turn",
    a_turn_for_somebody_else: "turn",
    other_hole_cards: "cards",
    a_card_twice: "cards",
    somebody_elses_cards: "hidden",
    cards_shown_early: "hidden",
    a_watcher_is_told_cards: "hidden",
    an_older_state: "order",
    a_stack_below_zero: "chips",
    a_finished_hand_is_undone: "result",
    other_chips: "result",
    news_twice: "once",
    a_deck_twice: "once",
    an_accepted_action_is_another: "accepted",
    an_accepted_action_is_gone: "accepted",
    a_time_out_nobody_was_told_of: "deadline",
    the_next_seat_is_folded: "deadline",
    an_action_refused_is_in_the_log: "deadline",
    another_board_than_the_deck_given: "deck",
    another_deck_than_committed_to: "deck",
    a_proof_that_proves_nothing: "deck",
    a_pot_paid_to_the_wrong_seat: "pots",
    a_button_that_stays: "button",
    no_button_any_more: "button",
    another_button_for_the_same_hand: "button",
    a_seat_that_is_gone: "seat",
    two_seats_for_one: "seat",
    a_seat_that_was_answered_and_is_not_there: "seat",
    sits_in_without_being_asked: "sitting out",
    dealt_in_while_sitting_out: "sitting out",
    another_stack: "stack",
    another_place_in_line: "line",
    gone_from_the_line: "line",
    a_hand_without_an_end: "ended",
    books_that_do_not_balance: "books",
    somebody_owes: "books",
    another_balance: "balance",
    a_beginning_that_somebody_is_not_told: "audience",
    chips_taken_in_mid_hand: "in hand",
}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.__name__)
def test_a_wrong_story_breaks_the_promise_it_should(wrong: Callable[[], Story]) -> None:
    verdicts = replay(wrong()).verdicts
    assert WRONG[wrong] in {verdict.promise for verdict in verdicts}, verdicts


AT_THE_BENCH = ["late", "boards", "time bank", "written"]
"""These need time-outs, boards and a journal that the story has not: tests/chaos plants bugs against them."""


def test_every_promise_has_a_wrong_story() -> None:
    assert {*WRONG.values(), *AT_THE_BENCH} == {*PROMISES}


def test_a_true_story_told_again_breaks_nothing_and_checks_everything_it_is_about() -> None:
    witness = replay(STORY)
    assert witness.verdicts == []
    # nobody in the story moves chips in mid-hand
    unchecked = {name for name, checked in witness.checked.items() if not checked}
    assert unchecked == {*AT_THE_BENCH, "in hand"}


def test_the_documentation_lists_every_promise_with_its_rule() -> None:
    page = Path(__file__).parents[3] / "docs" / "reliability.md"
    rows = re.findall(r"^\| `([a-z ]+)` \| (.+) \|$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert dict(rows) == {name: promise.says for name, promise in PROMISES.items()}


def test_a_witness_may_hold_a_room_to_some_promises_only() -> None:
    witness = Witness(["board"])
    assert [*witness.promises] == ["board"]
    for method, *arguments in turn_and_river_exchanged():
        getattr(witness, method)(*arguments)
    assert {verdict.promise for verdict in witness.verdicts} == {"board"}
    with pytest.raises(KeyError):
        Witness(["bored"])


def test_a_verdict_says_what_was_told_and_when_and_what_is_true_now() -> None:
    verdict = replay(a_finished_hand_is_undone()).verdicts[0]
    assert str(verdict).startswith("result: player ")
    assert "was told (heard " in verdict.sentence
    assert verdict.sentence.endswith("and now the caller is told void")


def test_a_command_whose_answer_was_lost_binds_nobody() -> None:
    """Whether it happened nobody was told: both are true, and the next picture says which."""
    place = places(STORY, "answered", Sit)[0]
    _, who, command, _ = STORY[place]
    for there in (True, False):
        picture = STORY[LAST][3]
        seats = picture.seats if there else (None, *picture.seats[1:])
        witness = Witness()
        witness.asked(who, command)
        witness.lost(who, command)
        witness.answered(who, GetState(), attrs.evolve(picture, seats=seats))
        assert witness.verdicts == []


def test_what_was_on_its_way_when_the_process_died_is_excused_and_what_was_told_is_not() -> None:
    cut = RESULTS[0]
    witness = replay(STORY[:cut], rest=False)
    witness.died()
    witness.rest()
    assert witness.verdicts == []
    _, who, result = STORY[cut]
    witness.told(who, attrs.evolve(result, payoffs=result.payoffs[::-1]))
    assert {verdict.promise for verdict in witness.verdicts} >= {"result"}


@pytest.mark.parametrize("hand_named", [True, False])
@pytest.mark.parametrize("command", ["died", "lost", "refused", "of another hand", "none"])
def test_cards_shown_are_excused_from_the_command_on_whose_news_may_be_lost(
    command: str, hand_named: bool
) -> None:
    """A process died between the record and the news, and who showed in its next life was said to be changed."""
    states: list[HandState] = []
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, lambda _: Fold(), chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        room.players["bob"].listen(
            lambda news: states.append(news) if isinstance(news, HandState) and news.public.over else None
        )
        hand_id = table.deal().result().hand_id
        table.show_cards("ann")
        room.players["bob"].state()
    before, after = states
    assert (len(before.public.shown), len(after.public.shown)) == (0, 1)
    witness = Witness(["result"])
    witness.told("player ann", before)
    shows = ShowCards("ann", hand_id if hand_named else None)
    match command:
        case "died":
            witness.asked("table main", shows)
            witness.died()
        case "lost":
            witness.asked("table main", shows)
            witness.lost("table main", shows)
        case "refused":
            witness.asked("table main", shows)
            witness.refused("table main", shows, StorageFailed("no space left"))
        case "of another hand":
            other = ("main", "main/hand-000000009") if hand_named else ("side", None)
            witness.asked(f"table {other[0]}", ShowCards("ann", other[1]))
    witness.told("player bob", after)
    assert [verdict.promise for verdict in witness.verdicts] == (
        [] if command in ("died", "lost") else ["result"]
    )


# -- time banks ------------------------------------------------------------------------------------


@attrs.define
class Banks:
    """A hand with time banks, as a witness hears it."""

    witness: Witness = attrs.field(factory=lambda: Witness(["time bank"]))

    def rings(self, turn: Turn, time: float) -> None:
        self.witness.clock = lambda: time
        self.witness.asked("main/1", Deadline(turn))

    def runs(self, who: str, seconds: float) -> None:
        self.witness.told(who, TableNews("main", "time_bank", seat=0, hand_id="main/1", seconds=seconds))

    def acted_for(self, turn: Turn) -> list[str]:
        """Tell the player that the time was up; return the verdicts on it."""
        self.witness.told("player ann", Refusal("main/1", turn.seq, AskTimeout.default_code, "late"))
        verdicts, self.witness.verdicts[:] = [one.sentence for one in self.witness.verdicts], ()
        return verdicts


FIRST, SECOND = Turn("main/1", 1, 0), Turn("main/1", 3, 0)


def test_news_of_a_time_bank_counts_by_the_word_of_its_own_player_only() -> None:
    """On threads a spectator may hear of the bank of a turn when that of the next is used up."""
    banks = Banks()
    banks.rings(FIRST, 10.0)
    banks.runs("player ann", 9.0)
    banks.rings(SECOND, 30.0)
    banks.runs("player ann", 4.0)
    banks.runs("player eve", 9.0)
    banks.rings(SECOND, 34.0)
    assert banks.acted_for(SECOND) == []
    assert banks.witness.checked == {"time bank": 1}


def test_a_time_bank_that_is_cut_short_is_noticed() -> None:
    banks = Banks()
    banks.rings(FIRST, 10.0)
    banks.runs("player ann", 9.0)
    banks.rings(FIRST, 15.0)
    assert banks.acted_for(FIRST) == [
        "player ann had 9.0 s in the time bank, and was acted for after 5.000 s of them"
    ]


@pytest.mark.parametrize("used_up", [False, True])
def test_a_time_bank_that_is_empty_runs_no_more(used_up: bool) -> None:
    """Nobody says that a bank is empty: what was told of an earlier turn is over."""
    banks = Banks()
    banks.rings(FIRST, 10.0)
    banks.runs("player ann", 9.0)
    banks.rings(FIRST, 19.0)
    banks.rings(SECOND, 30.0)
    if used_up:
        banks.runs("player ann", 9.0)  # the hand is a turn ahead of what she has heard
        assert banks.acted_for(FIRST) == []
    assert banks.acted_for(SECOND) == []


@pytest.mark.parametrize("excuse", ["", "gone", "gone elsewhere", "back", "unheard"])
def test_who_was_sat_out_unheard_is_excused_if_a_time_out_or_a_whole_hand_was_heard_by_nobody(
    excuse: str,
) -> None:
    """Its actor has gone for good with the word of it, or the deal was not answered, and so not the result."""
    states: list[HandState] = []
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        heard = room.players["bob"].listen
        heard(lambda news: states.append(news) if isinstance(news, HandState) else None)
        result = table.deal().result()
        state = table.state()
    bob = state.seats[1]
    assert bob is not None
    witness = Witness(["late"])
    witness.knows(table)
    witness.answered("table main", Sit("bob", bob.address, None), 1)
    witness.answered("table main", GetState(), state)
    witness.told("the caller", result)
    witness.rest()
    witness.told("player bob", Refusal(result.hand_id, 0, AskTimeout.default_code, "late"))
    witness.told("the caller", attrs.evolve(result, number=2 if excuse == "unheard" else 1))
    state = attrs.evolve(state, number=3 if excuse == "unheard" else 2)
    out = attrs.evolve(state, seats=(state.seats[0], attrs.evolve(bob, out=True)))
    witness.answered("table main", GetState(), out)
    if excuse.startswith("gone") or excuse == "back":
        there = "table side" if excuse == "gone elsewhere" else "table main"
        witness.asked(there, ActorDown(bob.address, None, None))
    if excuse == "back":
        witness.told("player bob", states[0])
    witness.rest()
    told = "bob sits out at main, after time ran out in 1 hands in a row, not 2"
    assert [one.sentence for one in witness.verdicts] == ([] if excuse in ("gone", "unheard") else [told])


def test_a_time_out_of_a_hand_that_is_still_played_at_rest_is_counted_when_its_result_is_heard() -> None:
    """On threads a dealer may begin a hand between the last answers and the rest."""
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        first = table.deal().result()
        state = table.state()
    bob = state.seats[1]
    assert bob is not None
    witness = Witness(["late"])
    witness.knows(table)
    witness.answered("table main", Sit("bob", bob.address, None), 1)
    witness.answered("table main", GetState(), state)
    witness.told("the caller", first)
    witness.rest()
    for number in (1, 2):
        hand = attrs.evolve(first, hand_id=f"{first.hand_id[:-1]}{number + 1}", number=number)
        witness.told("player bob", Refusal(hand.hand_id, 0, AskTimeout.default_code, "late"))
        witness.rest()
        if number == 2:
            out = attrs.evolve(bob, out=True)
            witness.answered(
                "table main", GetState(), attrs.evolve(state, number=3, seats=(state.seats[0], out))
            )
        witness.told("the caller", hand)
        witness.rest()
    assert [one.sentence for one in witness.verdicts] == []


@pytest.mark.parametrize("gone", [False, True])
def test_a_late_deadline_of_a_seat_that_is_gone_says_nothing_of_the_turn_after(gone: bool) -> None:
    """Seat 2 was acted for as it is gone, and nobody heard when the turn of seat 1 began."""
    witness = Witness(["deadline"])
    promise = witness.promises["deadline"]
    assert isinstance(promise, DeadlineHitsItsSeat)
    promise.turn_seconds["main"] = 10.0
    rings = [Turn("main/1", 6, 1), Turn("main/1", 5, 2)]
    for turn in rings if gone else reversed(rings):
        witness.asked("main/1", Deadline(turn))
    if not gone:
        witness.told("player bob", Refusal("main/1", 5, AskTimeout.default_code, "late"))
    witness.told("player ann", Refusal("main/1", 6, AskTimeout.default_code, "late"))
    early = "player ann was told at #6 of main/1 that its time was up, 0.000 of 10.0 s after the turn before was taken"
    assert [one.sentence for one in witness.verdicts] == ([] if gone else [early])


@pytest.mark.parametrize("gone", [False, True])
def test_a_deadline_of_a_seat_that_is_gone_did_not_begin_the_turn_after(gone: bool) -> None:
    """Seat 2 was acted for at once as it is gone; its own deadline rings just before that of the turn after."""
    witness = Witness(["deadline"])
    promise = witness.promises["deadline"]
    assert isinstance(promise, DeadlineHitsItsSeat)
    promise.turn_seconds["main"] = 10.0
    witness.asked("main/1", Act(Turn("main/1", 4, 0), Call()))
    witness.asked("main/1", Deadline(Turn("main/1", 5, 2)))
    if not gone:
        witness.told("player bob", Refusal("main/1", 5, AskTimeout.default_code, "late"))
    witness.told("player ann", Refusal("main/1", 6, AskTimeout.default_code, "late"))
    early = [
        f"player {name} was told at #{seq} of main/1 that its time was up, 0.000 of 10.0 s after the turn before "
        "was taken"
        for name, seq in (("bob", 5), ("ann", 6))
    ]
    assert [one.sentence for one in witness.verdicts] == ([] if gone else early)


def evening() -> tuple[list[HandState], HandResult, Address]:
    """A hand that bob, in seat 1, folds without a word from anybody; what he hears of it, its result, his address."""
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=2, button=1)
        heard: list[HandState] = []
        for name, bot in (("ann", "caller"), ("bob", lambda view: Fold())):
            player = room.player(name, bot, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        bob = room.players["bob"]
        bob.listen(lambda news: heard.append(news) if isinstance(news, HandState) else None)
        return heard, table.deal().result(), bob.address


@pytest.mark.parametrize("back", ["", "main", "side"])
def test_who_is_gone_is_acted_for_until_somebody_of_that_name_plays_there_again(back: str) -> None:
    states, result, bob = evening()
    witness = Witness(["deadline"])
    witness.asked("table main", ActorDown(bob, None, None))
    if back:
        elsewhere = attrs.evolve(states[0].change, table=back, hand_id=f"{back}/hand-000000000")
        witness.told("player bob", attrs.evolve(states[0], change=elsewhere))
    witness.told("the caller", result)
    witness.rest()
    lost = "main/hand-000000000 #0: the log has fold of seat 1, which neither acted nor was told that its time was up"
    assert [one.sentence for one in witness.verdicts] == ([lost] if back == "main" else [])


@pytest.mark.parametrize("back", ["", "main", "side"])
def test_who_is_gone_is_told_nothing_until_somebody_of_that_name_hears_there_again(back: str) -> None:
    """In a table's words: bob's actor is gone; a new one hears what bob bought in for, and nothing of the next hand."""
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("main", seats=2)
        people = [room.player(name, chips=100) for name in ("ann", "bob")]
        for player in people:
            table.sit(player)
            table.buy_in(player, 100)
        live = table.deal()
        dealt, state = DealtHand(live.hand_id, live.address, live.promise), table.state()
    witness = Witness(["audience"])
    witness.asked("table main", ActorDown(people[1].address, None, None))
    if back:
        witness.told("player bob", TableNews(back, "bought_in", "bob", 1))
    witness.answered("table main", Deal(None), dealt)
    witness.answered("table main", GetState(), state)
    witness.told("player ann", TableNews("main", "hand_started", hand_id=live.hand_id))
    witness.rest()
    lost = f"['player bob'] were not told that {live.hand_id} began, as others were"
    assert [one.sentence for one in witness.verdicts] == ([lost] if back == "main" else [])
