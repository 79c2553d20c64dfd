"""The stepper's deliveries: one each of what is told to many, in the order of the list, as far as somebody asks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from random import Random
from types import FrameType
from typing import Any

import pytest

from poker_actors.actors import LoopRuntime, Room, StepRuntime
from poker_actors.actors.runtime import Actor, Address, Handlers, Many, stepper, stop_message
from poker_actors.actors.runtime.queued import QueueRuntime
from poker_actors.bots import Bot
from poker_actors.bots.house import caller
from poker_actors.cards import Deck
from poker_actors.errors import AskCycle, RoomBusy, RoomClosed, UnknownMessage
from poker_actors.rules import Action, View


class _Words(Many):
    """Messages to many, each to be delivered."""

    def __init__(self, *words: object) -> None:
        self.words = words

    def calls(self) -> list[tuple[int, object]]:
        return list(enumerate(self.words))

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


class _Single(LoopRuntime):
    """Takes each message singly, since a subclass may look at it."""


def _observed() -> StepRuntime:
    runtime = StepRuntime()
    runtime.observers.append(lambda delivery: None)
    return runtime


def _hand_after_hand(runtime: QueueRuntime) -> list[str]:
    """What is heard and known in a few hands between which people begin to listen, watch, stop, leave and come."""
    story: list[str] = []
    seen: list[str] = []

    def hear(news: object) -> None:
        story.append(repr(news))

    def own(view: View) -> Action:  # it may be slow: a room on one thread asks it on a worker
        seen.append(f"{view.seat}: {view.text()}")
        return caller(view)

    with Room(runtime, seed=1) as room:
        bots: dict[str, Bot] = {"ann": caller, "bob": own, "cat": caller, "eve": caller}
        ann, bob, cat, eve = players = [room.player(name, bot, chips=300) for name, bot in bots.items()]
        table = room.open_table(seats=3)
        changes: list[list[Callable[[], object]]] = [
            [
                lambda: table.sit(ann),
                lambda: table.buy_in(ann, 100),
                lambda: table.sit(bob),
                lambda: table.buy_in(bob, 100),
            ],
            [lambda: table.watch(eve)],
            [lambda: ann.listen(hear)],
            [lambda: ann.unlisten(hear), lambda: bob.play_by(caller)],
            [lambda: table.cash_out(bob), lambda: table.leave(bob)],
            [lambda: table.sit(ann, 2), lambda: table.sit(cat, 0), lambda: table.buy_in(cat, 100)],
            [lambda: table.sit(bob), lambda: table.buy_in(bob, 50), lambda: cat.play_by(own)],
            [lambda: table.unwatch(eve)],
            [],
        ]
        for number, change in enumerate(changes):
            for step in change:
                step()
            if number != 4:  # ann is alone then
                table.deal(Deck.seeded(number)).result()
            story += [repr(one.state()) for one in players if one is not cat or number > 4]
    return story + seen


def test_players_of_hand_after_hand_hear_and_know_the_same_whether_somebody_looks_or_not() -> None:
    seen, *others = map(_hand_after_hand, (_observed(), StepRuntime(), LoopRuntime(), _Single()))
    for other in others:
        assert other == seen
    assert len(seen) > 60


def test_of_many_one_who_has_ended_hears_nothing_and_the_rest_do() -> None:
    runtime = StepRuntime()
    addresses, heard = _passing(runtime, 3)
    runtime.tell_each([runtime.address("nobody"), *addresses[1:]], _Words("lost", "first", "second", "third"))
    runtime.run()
    runtime.tell_each(addresses[1:], _Words("first", "second", "third"))
    addresses[2].close()
    runtime.run()
    assert heard == [("a1", "first"), ("a2", "second"), ("a3", "third"), ("a1", "first"), ("a3", "third")]


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
    runtime.step()
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


class _Noting(StepRuntime):
    """Notes every message handled."""

    def __init__(self) -> None:
        self.handled: list[object] = []
        super().__init__()

    def handle(self, actor: Actor, message: object) -> Any:
        self.handled.append(message)
        return super().handle(actor, message)


def test_whoever_handles_messages_differently_has_each_of_many() -> None:
    runtime = _Noting()
    addresses, _ = _passing(runtime, 2)
    addresses[0].tell(1)
    runtime.run()
    assert runtime.handled == [1, "1.0", "1.1"]


@pytest.mark.parametrize("observed", [False, True])
def test_a_run_ends_at_its_limit_or_as_soon_as_it_may(observed: bool) -> None:
    runtime = StepRuntime()
    addresses, heard = _passing(runtime, 3)
    if observed:
        runtime.observers.append(lambda delivery: None)
    addresses[0].tell(1)
    assert (runtime.run(limit=2), heard) == (2, [("a1", "1.0")])
    assert runtime.run(until=lambda: len(heard) == 2) == 1
    assert runtime.run(until=lambda: False, limit=0) == 0
    assert runtime.run(until=lambda: False) == 1
    for word in ("asked", "left"):
        addresses[1].tell(word)
    assert runtime.run(until=lambda: False, limit=2) == 2
    addresses[2].tell("before")
    reply = runtime.word()
    addresses[1].ask_into("now", reply)
    addresses[3].tell("after")
    assert reply.get(1.0, "a1") == "now"
    assert (runtime.waiting, heard[-2:]) == (1, [("a2", "before"), ("a1", "now")])


def test_orders_are_drawn_and_the_same_seed_draws_the_same() -> None:
    def story(order: Random | None) -> list[tuple[str, object]]:
        runtime = StepRuntime(order)
        addresses, heard = _passing(runtime, 4)
        for word in ("one", "two"):
            for address in addresses:
                address.tell(word)
        runtime.run()
        return heard

    drawn = [story(Random(seed)) for seed in range(3)]
    assert drawn == [story(Random(seed)) for seed in range(3)]
    assert story(None) not in drawn
    for heard in drawn:
        assert {name for name, _ in heard} == {"a0", "a1", "a2", "a3", "a4"}
        assert all([word for name, word in heard if name == one] == ["one", "two"] for one, _ in heard)


class _Waiting(Actor):
    """Asks one, tells others something before and after, and only then waits for the answer."""

    def __init__(self, address: Address, others: list[Address]) -> None:
        self.others = others
        super().__init__(address)

    def handles(self) -> Handlers:
        return {str: self.waits, int: lambda _: self.address.runtime.word().get(None, "nobody")}

    def waits(self, question: str) -> object:
        word = self.address.runtime.word()
        self.others[0].tell("before")
        self.others[1].ask_into(question, word)
        self.others[2].tell("after")
        answer = word.get(None, "who was asked")
        assert word.get(None, "who has answered") == answer
        return answer


def test_a_handler_waits_for_whom_it_has_asked_whatever_it_has_told_since() -> None:
    runtime = StepRuntime()
    (_, *others), heard = _passing(runtime, 3)
    waiting = runtime.address("waiting")
    runtime.start(_Waiting(waiting, others))
    assert waiting.ask("question") == "question"
    assert heard == [("a2", "question")]
    runtime.run()
    assert heard[1:] == [("a1", "before"), ("a3", "after")]
    with pytest.raises(AskCycle, match="which only later messages can answer"):
        waiting.ask(0)


class _Failing(Actor):
    """Fails in the way that it is told."""

    def handles(self) -> Handlers:
        return {str: self.fails}

    def fails(self, how: str) -> None:
        raise {"known": KeyError, "stopped": KeyboardInterrupt}[how](how)


@pytest.mark.parametrize("observed", [False, True])
def test_who_asks_is_told_why_there_is_no_answer_and_who_tells_is_not(observed: bool) -> None:
    runtime = StepRuntime()
    if observed:
        runtime.observers.append(lambda delivery: None)
    for message, error in (("known", KeyError), (1, UnknownMessage), ("stopped", KeyboardInterrupt)):
        address = runtime.address("failing")
        runtime.start(_Failing(address))
        with pytest.raises(error):
            address.ask(message)
    address = runtime.address("told")
    runtime.start(_Failing(address))
    address.tell("stopped")
    with pytest.raises(KeyboardInterrupt):
        runtime.run()
    with pytest.raises(RoomClosed):
        runtime.address("nobody").ask("word")


def test_ctrl_c_while_the_end_of_an_actor_is_told_reaches_the_caller() -> None:
    def interrupted(address: Address, crash: BaseException | None) -> None:
        raise KeyboardInterrupt

    runtime = StepRuntime()
    address = runtime.address("ending")
    runtime.start(_Failing(address))
    address.on_down = interrupted
    address.tell(stop_message())
    with pytest.raises(KeyboardInterrupt):
        runtime.run()
    runtime.address("nobody").tell("word")
    assert runtime.run() == 1


def test_a_queue_that_is_full_takes_nothing_but_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stepper, "QUEUE_LIMIT", 2)
    runtime = StepRuntime()
    (first, second), heard = _passing(runtime, 1)
    for word in ("one", "two", "lost"):
        first.tell(word)
    with pytest.raises(RoomBusy):
        first.ask("full")
    second.tell(stop_message())
    gone = runtime.word()
    first.ask_into(stop_message(), gone)
    assert runtime.run() == 4
    assert (runtime.lost, heard, first.closed, second.closed) == (
        1,
        [("a0", "one"), ("a0", "two")],
        True,
        True,
    )
    assert gone.get(0, "a0") is None


def test_ctrl_c_as_a_message_is_taken_ends_its_actor_which_would_not_know_of_it() -> None:
    runtime, ended = StepRuntime(), list[BaseException | None]()
    address = runtime.address("taking")
    runtime.start(_Failing(address))
    address.on_down = lambda _, crash: ended.append(crash)
    address.tell("known")

    def interrupt(frame: FrameType, what: str, _: object) -> Any:
        if what == "line" and frame.f_code.co_name == "drain" and not runtime.queue:
            raise KeyboardInterrupt
        return interrupt

    before = sys.gettrace()
    sys.settrace(interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            runtime.run()
    finally:
        sys.settrace(before)
    assert [type(crash) for crash in ended] == [KeyboardInterrupt]
