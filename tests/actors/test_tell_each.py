"""A message told to many on the stepper: one delivery each, in the order of the list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

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
