"""Exploring orders of delivery: a planted race is found, and its trace comes again."""

from contextlib import suppress
from pathlib import Path

import attrs
import pytest

from poker_actors.actors import hand
from poker_actors.debug import Script, Step, explore, verify
from poker_actors.debug.session import Playback
from poker_actors.debug.session import promises as session_promises
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, Call, Check, Hand, View
from poker_actors.testing import Witness

RACE = f"{Path(__file__).parents[3] / 'examples' / 'planted_race.py'}:race"


def test_our_actors_keep_their_promises_in_every_order_tried() -> None:
    found = explore(Script.of(["caller", "random", "tight"], seed=7), 60)
    assert (found.orders, found.violation, found.trace) == (60, None, None)


def test_the_planted_race_does_no_harm_in_the_order_sent_and_is_found_in_another() -> None:
    script = Script.of(seed=7, scene=RACE)
    assert explore(script, 1).violation is None
    found = explore(script, 500)
    assert found.violation is not None
    assert "minted" in found.violation
    assert found.trace is not None
    assert found.trace.error == found.violation
    assert verify(found.trace) == len(found.trace.steps)
    last = found.trace.steps[-1].handled[0]["message"]
    assert last["type"] == "CashOut"


def test_all_orders_are_gone_through_none_of_them_twice() -> None:
    seen: list[tuple[object, ...]] = []
    order: list[object] = []

    def note(playback: Playback, step: Step | None) -> str | None:
        if step is None:
            seen.append(tuple(order))
            order.clear()
        else:
            order.append((step.delivery.sender, step.delivery.receiver, type(step.delivery.message).__name__))
        return None

    found = explore(Script.of(["caller", "caller"], seed=7), 40, every=True, promises=(note,))
    assert (found.orders, found.violation) == (40, None)
    assert len(set(seen)) == 40


def test_every_order_finds_the_race_too_when_it_is_short() -> None:
    found = explore(
        Script.of(seed=7, scene=RACE), 1, promises=(lambda playback, step: "no" if step is None else None,)
    )
    assert found.violation == "no"
    assert found.trace is not None
    assert verify(found.trace) == len(found.trace.steps)


def test_a_promise_of_ones_own_is_checked_at_every_step() -> None:
    found = explore(
        Script.of(seed=7),
        10,
        promises=(lambda playback, step: "four steps" if step is not None and step.number == 3 else None,),
    )
    assert (found.orders, found.violation, found.steps) == (1, "four steps", 4)


def test_an_order_that_breaks_a_promise_is_shrunk_to_the_choices_it_needs() -> None:
    found = explore(Script.of(seed=7, scene=RACE), 500)
    assert found.trace is not None
    script = found.trace.script
    assert isinstance(script, Script)
    assert script.order is None
    assert 1 <= len(script.interventions) <= 4
    for place in range(len(script.interventions)):
        fewer = (*script.interventions[:place], *script.interventions[place + 1 :])
        with suppress(BadSpec):  # or what is left cannot be made any more
            assert explore(attrs.evolve(script, interventions=fewer), 1).violation is None
    assert verify(found.trace) == len(found.trace.steps)


def test_a_search_is_held_to_the_promises_that_are_named_and_says_what_it_has_seen() -> None:
    script = Script.of(seed=7, scene=RACE)
    found = explore(script, 12, names=("payouts", "ends"))
    assert found.violation is None, "the race breaks the books, and those were not asked for"
    assert found.states > 100
    assert found.states <= found.taken <= found.ways
    again = explore(script, 12, names=("payouts", "ends"))
    assert (again.states, again.taken, again.ways) == (found.states, found.taken, found.ways)
    assert "minted" in str(explore(script, 500, names=("books",)).violation)


def test_the_good_order_stands_beside_the_bad_one_where_they_part() -> None:
    parting = explore(Script.of(seed=7, scene=RACE), 500).parting
    assert parting is not None
    assert parting.good[: parting.step] == parting.bad[: parting.step]
    assert parting.good[0] != parting.bad[0]
    assert sorted(parting.good) == sorted(parting.bad), "the same messages, in another order"
    assert parting.lines()[0] == f"the orders part at message {parting.step + 1}"


def test_a_witness_hears_every_order_from_its_first_message_on() -> None:
    witnesses: list[Witness] = []

    def made() -> Witness:
        witnesses.append(Witness())
        return witnesses[-1]

    found = explore(Script.of(["caller", "random", "tight"], seed=7, turn_seconds=9), 15, witness=made)
    assert found.violation is None
    assert len(witnesses) == 15
    assert all(sum(one.checked.values()) > 100 for one in witnesses)
    assert all(one.checked["pots"] and one.checked["balance"] and one.checked["seat"] for one in witnesses)


def test_what_a_witness_does_not_find_true_any_more_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = hand.HandActor._tell_everybody

    def twice(actor: hand.HandActor) -> None:
        honest(actor)
        if actor.hand.phase == "turn":
            actor.hand.board = (*actor.hand.board[:-1], actor.hand.cards[-1])

    monkeypatch.setattr(hand.HandActor, "_tell_everybody", twice)
    script = Script.of(["caller", "caller"], seed=7)
    found = explore(script, 5, names=(), witness=lambda: Witness(["board"]))
    assert str(found.violation).startswith("board: ")
    assert found.trace is not None
    assert verify(found.trace) == len(found.trace.steps)


def checks(view: View) -> Action:
    """Check where nothing is owed, in a draw too."""
    return Call() if view.to_call else Check()


def test_a_check_in_a_draw_stands_pat_and_breaks_no_promise() -> None:
    found = explore(Script.of([checks, "tight"], seed=7, game="badugi"), 5, witness=Witness)
    assert found.violation is None


def test_a_check_of_ones_own_that_fails_is_broken_where_it_fails() -> None:
    def small_pots(playback: Playback, step: Step | None) -> str | None:
        assert playback.last_hand is None or playback.last_hand.pot < 4, "a large pot"
        return None

    found = explore(Script.of(["caller"] * 3, seed=7), 3, promises=(small_pots,))
    assert found.violation is not None
    assert found.violation.startswith("small_pots fails: AssertionError: a large pot (")
    assert "test_debug_explore.py:" in found.violation
    assert found.trace is not None
    assert found.trace.steps


def test_rules_that_fail_when_a_hand_is_played_again_are_a_broken_promise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(hand: Hand) -> object:
        raise ZeroDivisionError("no chips to share")

    monkeypatch.setattr(session_promises, "verdicts", fails)
    found = explore(Script.of(["caller"] * 3, seed=7), 3)
    assert found.violation is not None
    assert "the rules fail when they are asked: ZeroDivisionError: no chips to share" in found.violation
