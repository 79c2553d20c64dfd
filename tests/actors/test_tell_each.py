"""A message told to many on the stepper: one delivery each, in the order of the list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.runtime import Actor, Address, Handlers, Many
from poker_actors.bots.house import caller
from poker_actors.cards import Deck


class _Words(Many):
    """Messages to many, each to be delivered."""

    def __init__(self, *words: object) -> None:
        self.words = words

    def calls(self) -> Iterable[tuple[int, object]]:
        return enumerate(self.words)

    def __getitem__(self, place: Any) -> Any:
        return self.words[place]

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.words)


class _Passing(Actor):
    """Passes a word on to many, asks one of them, and notes what it is told."""

    def __init__(self, address: Address, heard: list[tuple[str, object]], others: list[Address]) -> None:
        self.heard = heard
        self.others = others
        super().__init__(address)

    def handles(self) -> Handlers:
        return {str: self.hear, int: self.pass_on, tuple: lambda one: one[0].ask("asked")}

    def hear(self, word: str) -> str:
        self.heard.append((self.address.name, word))
        return word

    def pass_on(self, count: int) -> None:
        words = [f"{count}.{place}" for place in range(len(self.others))]
        self.address.runtime.tell_each(self.others, _Words(*words))


def _passing(runtime: StepRuntime, others: int) -> tuple[list[Address], list[tuple[str, object]]]:
    heard: list[tuple[str, object]] = []
    addresses = [runtime.address(f"a{number}") for number in range(others + 1)]
    for address in addresses:
        address.runtime.start(_Passing(address, heard, addresses[1:]))
    return addresses, heard


def test_messages_to_many_are_delivered_one_by_one_whether_somebody_looks_or_not() -> None:
    stories = []
    for observed in (False, True):
        runtime = StepRuntime()
        addresses, heard = _passing(runtime, 3)
        if observed:
            runtime.observers.append(lambda delivery: None)
        for count in (1, 2):
            addresses[0].tell(count)
        addresses[2].tell("alone")
        made = runtime.run()
        stories.append((heard, made, runtime.steps))
    assert stories[0] == stories[1]
    assert stories[0][1] == 9


def test_messages_to_many_are_as_many_steps() -> None:
    runtime = StepRuntime()
    addresses, heard = _passing(runtime, 3)
    addresses[0].tell(1)
    addresses[1].tell("alone")
    assert runtime.run(limit=1) == 1
    assert [(one.receiver, one.message) for one in runtime.pending] == [
        ("a1", "alone"),
        ("a1", "1.0"),
        ("a2", "1.1"),
        ("a3", "1.2"),
    ]
    assert runtime.run(limit=3) == 3
    assert heard == [("a1", "alone"), ("a1", "1.0"), ("a2", "1.1")]


def test_one_of_many_who_is_asked_by_another_has_heard_before_what_it_was_told() -> None:
    runtime = StepRuntime()
    addresses, heard = _passing(runtime, 3)
    first, *others = addresses
    runtime.tell_each(others, _Words((others[2],), "second", "third"))
    first.tell("last")
    runtime.run()
    assert heard == [("a3", "third"), ("a3", "asked"), ("a2", "second"), ("a0", "last")]


def _hand_after_hand(*, observed: bool) -> list[str]:
    """What is heard and known in a few hands between which people begin to listen, stop, leave and come."""
    runtime = StepRuntime()
    if observed:
        runtime.observers.append(lambda delivery: None)
    story: list[str] = []

    def hear(news: object) -> None:
        story.append(repr(news))

    with Room(runtime, seed=1) as room:
        ann, bob, cat = players = [room.player(name, caller, chips=300) for name in ("ann", "bob", "cat")]
        table = room.open_table(seats=3)
        changes: list[list[Callable[[], object]]] = [
            [
                lambda: table.sit(ann),
                lambda: table.buy_in(ann, 100),
                lambda: table.sit(bob),
                lambda: table.buy_in(bob, 100),
            ],
            [],
            [lambda: ann.listen(hear)],
            [lambda: ann.unlisten(hear)],
            [lambda: table.cash_out(bob), lambda: table.leave(bob)],
            [lambda: table.sit(ann, 2), lambda: table.sit(cat, 0), lambda: table.buy_in(cat, 100)],
            [lambda: table.sit(bob), lambda: table.buy_in(bob, 50)],
            [],
        ]
        for number, change in enumerate(changes):
            for step in change:
                step()
            if number != 4:  # ann is alone then
                table.deal(Deck.seeded(number)).result()
            story += [repr(one.state()) for one in players if one in (ann, bob) or number > 4]
    return story


def test_players_of_hand_after_hand_hear_and_know_the_same_whether_somebody_looks_or_not() -> None:
    seen, unseen = _hand_after_hand(observed=True), _hand_after_hand(observed=False)
    assert seen == unseen
    assert len(seen) > 20


def test_of_many_one_who_has_ended_hears_nothing_and_the_rest_do() -> None:
    runtime = StepRuntime()
    addresses, heard = _passing(runtime, 3)
    runtime.tell_each(addresses[1:], _Words("first", "second", "third"))
    addresses[2].close()
    runtime.run()
    assert heard == [("a1", "first"), ("a3", "third")]


def test_who_is_asked_in_a_handler_has_heard_before_what_many_were_told_in_the_meantime() -> None:
    runtime = StepRuntime()
    (first, *others), heard = _passing(runtime, 3)
    first.tell((others[2],))
    runtime.tell_each(others, _Words("first", "second", "third"))
    runtime.run()
    assert heard == [("a3", "third"), ("a3", "asked"), ("a1", "first"), ("a2", "second")]


class _Chatty(Actor):
    """Tells two others something, in its own name and in another's, and says who runs."""

    def __init__(self, address: Address, other: Address, told: Callable[[str], Any]) -> None:
        self.other = other
        self.told = told
        super().__init__(address)

    def handles(self) -> Handlers:
        return {str: self.told, int: self.tells, list: self.runs}

    def tells(self, many: int) -> None:
        words = _Words("own") if many else ["own"]
        self.address.runtime.tell_each([self.other], words)
        self.address.runtime.tell_each([self.other], words, self.other)

    def runs(self, asked: list[Address]) -> list[bool]:
        if asked:
            return list(asked[0].ask([]))
        return [self.address.running_here, self.other.running_here]


@pytest.mark.parametrize("many", [0, 1])
def test_what_an_actor_tells_is_said_in_its_name_unless_in_anothers(many: int) -> None:
    runtime = StepRuntime()
    one, other = runtime.address("one"), runtime.address("other")
    for address, others in ((one, other), (other, one)):
        runtime.start(_Chatty(address, others, lambda word: None))
    one.tell(many)
    assert runtime.run(limit=1) == 1
    assert [(told.sender, told.receiver) for told in runtime.pending] == [
        ("one", "other"),
        ("other", "other"),
    ]
    assert not one.running_here
    assert one.ask([other]) == [True, True]


def test_the_first_answer_counts_and_is_told_once() -> None:
    word, answers = StepRuntime().word(), []
    word.when_done(lambda: answers.append(word.get(0, "nobody")))
    word.set(1)
    word.set(2)
    assert (word.get(0, "nobody"), answers) == (1, [1])
