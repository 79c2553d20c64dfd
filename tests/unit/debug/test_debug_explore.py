"""Exploring orders of delivery: a planted race is found, and its trace comes again."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import pytest

from poker_actors.actors import Room, Table, hand, messages, table
from poker_actors.actors.runtime import Address, stop_message
from poker_actors.debug import Moment, OwnPromise, Script, Stepper, explore, never, verify
from poker_actors.debug.session import promises as session_promises
from poker_actors.errors import BadSpec, UnknownBot
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

    def note(moment: Moment) -> None:
        made = moment.delivery
        order.append((made.sender, made.receiver, type(made.message).__name__))
        if moment.over:
            seen.append(tuple(order))
            order.clear()

    promises = [OwnPromise.of(note)]
    found = explore(Script.of(["caller", "caller"], seed=7), 40, every=True, promises=promises)
    assert (found.orders, found.violation) == (40, None)
    assert len(set(seen)) == 40


def test_every_order_finds_the_race_too_when_it_is_short() -> None:
    @never
    def ends(moment: Moment) -> bool:
        return moment.over

    found = explore(Script.of(seed=7, scene=RACE), 1, promises=[OwnPromise.of(ends)])
    assert str(found.violation).startswith("ends holds, but never must")
    assert found.trace is not None
    assert verify(found.trace) == len(found.trace.steps)


def test_a_promise_of_ones_own_is_checked_at_every_step() -> None:
    @never
    def four_steps(moment: Moment) -> bool:
        return moment.step == 4

    found = explore(Script.of(seed=7), 10, promises=[OwnPromise.of(four_steps)])
    assert (found.orders, found.steps) == (1, 4)
    assert str(found.violation).startswith("four_steps holds, but never must")


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


def known_by_name(actor_down: Callable[..., None]) -> Callable[..., None]:
    """Make a table know a hand's actor by its name, whichever incarnation of it is meant."""

    def handled(self: Any, news: Any) -> None:
        live = self.memory.live
        same = live is not None and live.hand_id == news.name
        actor_down(self, attrs.evolve(news, address=live.address) if same else news)

    return handled


def stopped_with_its_table(room: Room, table: Table, deal: messages.Deal) -> list[tuple[Address, object]]:
    """Deal a hand whose first to act stops the table and then the hand, as pykka's `stop` does, once."""
    stopped.clear()
    STOPPABLE[:] = [room, table]
    return [(table.address, deal)]


def stops(view: View) -> Action:
    """Stop the table and the hand on the first turn there is."""
    room, table = STOPPABLE
    if not stopped:
        stopped.append(True)
        table.address.tell(stop_message())
        room.live_hands[table.name].address.tell(stop_message())
    return checks(view)


STOPPABLE: list[Any] = []
stopped: list[bool] = []


def test_an_order_is_found_in_which_a_hand_is_continued_twice_when_its_incarnations_are_not_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = f"{__name__}:{stopped_with_its_table.__name__}"
    script = Script.of([stops, stops, stops], seed=7, turn_seconds=2, scene=scene)
    sound = explore(script, 30, witness=Witness)
    assert (sound.orders, sound.violation) == (30, None)
    down = table.TableActor.actor_down
    monkeypatch.setattr(table.TableActor, "actor_down", known_by_name(down))
    assert explore(script, 1, witness=Witness).violation is None
    found = explore(script, 60, witness=Witness)
    # its second actor acts in a hand that the first has ended
    assert str(found.violation).startswith("main/hand-000000000 crashes: IllegalAction")


def checks(view: View) -> Action:
    """Check where nothing is owed, in a draw too."""
    return Call() if view.to_call else Check()


def test_a_check_in_a_draw_stands_pat_and_breaks_no_promise() -> None:
    found = explore(Script.of([checks, "tight"], seed=7, game="badugi"), 5, witness=Witness)
    assert found.violation is None


def test_a_check_of_ones_own_that_fails_is_broken_where_it_fails() -> None:
    def small_pots(moment: Moment) -> None:
        if moment.hand is not None and moment.hand.pot >= 4:
            raise LookupError("a large pot")

    found = explore(Script.of(["caller"] * 3, seed=7), 3, promises=[OwnPromise.of(small_pots)])
    assert found.violation is not None
    assert found.violation.startswith("small_pots fails: LookupError: a large pot (")
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
    assert "the rules fail when queried: ZeroDivisionError: no chips to share" in found.violation


# -- promises of one's own ------------------------------------------------------------------------------

OWN = Path(__file__).parents[3] / "examples" / "broken" / "promises.py"
LOUD = ["maniac", "tight"]


def broken_in(hands: int, *promises: OwnPromise, bots: list[str] = LOUD) -> list[tuple[int, str]]:
    """Step and words of each promise broken in a session."""
    with Stepper(bots=bots, seed=3, hands=hands, promises=promises) as stepper:
        stepper.run()
        return [
            (step.number + 1, f"{one.who} {one.text}")
            for step in stepper.steps
            for one in step.incidents
            if one.kind == "promise"
        ]


def test_a_promise_is_broken_in_the_step_after_which_it_does_not_hold_and_said_once_while_it_does_not() -> (
    None
):
    found = broken_in(3, OwnPromise.of(f"{OWN}:small_pots"))
    assert found == [(47, "small_pots does not hold")]
    assert broken_in(1, OwnPromise.of(f"{OWN}:small_pots")) == []


def test_never_is_broken_where_it_holds_and_eventually_where_nothing_came_of_it() -> None:
    @never
    def acts(moment: Moment) -> bool:
        return isinstance(moment.message, messages.Act)

    with Stepper(bots=LOUD, seed=3) as stepper:
        stepper.run()
        first = next(
            one.number + 1 for one in stepper.steps if isinstance(one.delivery.message, messages.Act)
        )
        end = len(stepper.steps)
    assert broken_in(1, OwnPromise.of(acts))[0] == (first, "acts holds, but never must")
    missed = "showdown has not held to the end, but must eventually"
    assert broken_in(1, OwnPromise.of(f"{OWN}:showdown")) == [(end, missed)]
    assert broken_in(3, OwnPromise.of(f"{OWN}:showdown"), bots=["caller", "caller"]) == []


def test_a_check_that_asserts_or_fails_says_so_at_its_step() -> None:
    def asserts(moment: Moment) -> None:
        assert moment.step < 5, "that many messages"

    def fails(moment: Moment) -> bool:
        return bool(moment.actors["nobody"])

    with Stepper(bots=LOUD, seed=3, promises=[OwnPromise.of(asserts), OwnPromise.of(fails)]) as stepper:
        stepper.break_on("promise")
        assert stepper.run() is not None
        assert stepper.position == 1
        assert "fails fails: KeyError: 'nobody'" in str(stepper.incidents[0])
        stepper.run()
        assert stepper.position == 5
        assert "promise: asserts does not hold: that many messages" in str(stepper.incidents[1])
        assert any("that many messages" in line for line in stepper.incidents[1].traceback())
        stepper.goto(0)
        assert stepper.reverse() is None
        stepper.goto(9)
        assert [step.number + 1 for step in stepper.steps if step.incidents] == [1, 5], "said as before"


def test_a_fork_remembers_what_came_before_it_and_nothing_that_came_after() -> None:
    promise = OwnPromise.of(f"{OWN}:showdown")
    for hands, missed in ((1, True), (2, False)):
        with Stepper(bots=["caller", "caller"], seed=3, hands=hands, promises=[promise]) as stepper:
            stepper.run()
            assert not stepper.incidents
            while type(getattr(stepper.peek(), "message", None)).__name__ != "Act":
                stepper.back()
            with stepper.fork("fold") as other:  # the last hand's: with two, the first had its showdown
                other.run()
                assert any("has not held to the end" in str(one) for one in other.incidents) is missed


def test_explore_finds_an_order_that_breaks_a_promise_of_ones_own() -> None:
    def in_line(moment: Moment) -> None:
        """The first who hears of a hand is the one who acts first."""
        told = moment.delivery.receiver
        assert moment.step != 2 or told == "player maniac", f"{told} hears first"

    found = explore(Script.of(LOUD, seed=3), 50, promises=[OwnPromise.of(in_line)])
    assert found.violation is not None
    assert found.violation.startswith("in_line does not hold: ")
    assert found.trace is not None
    with Stepper(found.trace.recorded, promises=[OwnPromise.of(in_line)]) as stepper:
        stepper.run()
        assert any("in_line" in str(one) for one in stepper.incidents)


def test_what_is_no_promise_is_refused() -> None:
    with pytest.raises(UnknownBot, match="has no function 'nothing'"):
        OwnPromise.of(f"{OWN}:nothing")
    with pytest.raises(BadSpec, match="is not a function of a moment"):
        OwnPromise.of(7)  # type: ignore[arg-type]  # what a user may pass
