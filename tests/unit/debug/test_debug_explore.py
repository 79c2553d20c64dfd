"""Exploring orders of delivery: a planted race is found, and its trace comes again."""

from contextlib import suppress
from pathlib import Path

import attrs

from poker_actors.debug import Script, Step, explore, verify
from poker_actors.debug.session import Playback
from poker_actors.errors import BadSpec

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
