"""Seeing and searching everything: the index answers as playing would, own actors and payloads are shown."""

import dataclasses
from pathlib import Path
from typing import Any

import attrs
import pytest

from poker_actors import Deck
from poker_actors.actors import HandState, Room, StepRuntime
from poker_actors.actors.runtime import Actor, Address, Handlers
from poker_actors.debug import Program, Script, Stepper, Trace, verify
from poker_actors.debug.commands import Commands
from poker_actors.debug.plain import FIELDS, plain_message, plain_parts
from poker_actors.debug.session import Playback, open_playback
from poker_actors.debug.session.moving import Moving
from poker_actors.errors import BadSpec, PokerError
from poker_actors.rules import Fold, RaiseTo, View

RACE = f"{Path(__file__).parents[3] / 'examples' / 'planted_race.py'}:race"
CONDITIONS = [
    "message Act",
    "message   Act",
    "actor player tight",
    "step 77",
    "street flop",
    "seat 1",
    "pot 9",
    "pot > 9",
    "level pot > 9",
    "edge message Act",
    "message Act if pot > 9",
    "pot > 9 if message.type == 'Act'",
    "seat 1 if pot > 9",
    "step > 80 if pot > 3",
    "fault",
    "refused",
    "stacks[0] < 190",
    "message HandState if message.seat == 1",
    "message HandState if seat == 1 and street == 'flop'",
    "message Act if action == 'fold'",
    "edge message HandState if message.public.pot > 6",
    "sender == 'table main'",
    "message.seat == True",
    "message.type == 'ActorDown'",
    "message ActorDown if name == 'main/hand-000000001'",
    "message HandState if len(hole) > 3 and seat == 2",
    "len(message) > 5",
    "receiver == 'player tight' and sender == 'table main'",
    "message.type == 'Act' and message.action == 'fold' or message.seat == 2",
    "message Act if 'turn' in message and pot > 9",
    "level step > 100",
    "level pot > 3 if step > 90",
    "actor player tight if pot > 9 and receiver == 'player tight'",
    "receiver != sender and message.seat == 1",
    "pot > 9 and receiver == 'player tight' and message.seat == 1",
    "message HandState if seat == 1 and pot > 9 and (sender == 'bank' or receiver == 'player tight')",
    "sender == 'player tight' or pot > 20",
    "message.public.pot > 6 and message.public['to_act'][0] == 1",
    "'h' in message.public.board and message.turn",
    "message HandState if public.pot > 6 and message.public.bets[seat] == message.public.bet",
    "message HandState if 0 in public.live and hole and message.public.shown",
    "len(message.public) > 9 and message.public.phase == 'turn'",
    "message.public.board == '' and message.public.pot == 3",
    "'pot' in message.public and message.public.pot > 9",
    "message.turn == 'main/hand-000000001#1 seat 2'",
    "message Deal if 'game' not in message and message.deck",
]


def fails_at_times(view: View) -> Any:
    if view.hand_number == 1:
        raise LookupError("lost")
    if view.hand_number == 2:
        return RaiseTo(1)
    return Fold() if Fold() in view.legal else view.legal.passive


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_run_over_known_steps_stops_where_one_that_plays_them_does(
    condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stops() -> list[list[int]]:
        """Every stop on the way forward from three positions, and on the way back from the end."""
        found: list[list[int]] = []
        for start in (0, 31, 78):
            stepper.goto(start)
            found.append([])
            while stepper.run() is not None:
                found[-1].append(stepper.position)
        found.append([])
        while stepper.reverse() is not None:
            found[-1].append(stepper.position)
        return found

    with Stepper(bots=["maniac", "tight", fails_at_times], seed=3, hands=3) as stepper:
        stepper.run()
        stepper.break_on(condition)
        by_index = stops()
        monkeypatch.setattr(Moving, "_is_indexed", lambda *known: False)
        assert by_index == stops()
        assert any(by_index), "a condition that nothing meets proves nothing"


def test_the_parts_of_a_message_are_those_of_the_whole() -> None:
    with Stepper(bots=["maniac", "tight", fails_at_times], seed=3, hands=3) as stepper:
        stepper.run()
        for message in [one.delivery.message for step in stepper.steps for one in step.handled]:
            if type(message) in FIELDS:
                assert plain_parts(message, FIELDS[type(message)]) == plain_message(message)


def test_what_and_joins_holds_of_one_and_the_same_message() -> None:
    with Stepper(bots=["maniac", "tight", fails_at_times], seed=3, hands=3) as stepper:
        stepper.break_on("level receiver == 'player tight' and pot > 9 and message.type == 'HandState'")
        expected = []
        while stepper.step() is not None:
            sent = [one.delivery for one in stepper.steps[-1].handled]
            met = [one for one in sent if one.receiver == "player tight" and type(one.message) is HandState]
            if met and stepper.names()["pot"] > 9:
                expected.append(stepper.position)
        stepper.goto(0)
        found = []
        while stepper.run() is not None:
            found.append(stepper.position)
    assert found == expected != []


@pytest.mark.parametrize("what", ["pot", "stacks[1]", "street", "len(board)", "active", "payoffs", "over"])
def test_the_last_change_of_a_value_is_the_one_that_playing_finds(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Stepper(bots=["maniac", "tight", "caller"], seed=3, hands=3) as stepper:
        stepper.run()
        positions = (len(stepper.steps), 90, 40, 2)
        changes = []
        for position in positions:
            stepper.goto(position)
            changes.append(stepper.last_change(what))
        monkeypatch.setattr("poker_actors.debug.session.stepper._of_the_hand", lambda expression: False)
        for position, known in zip(positions, changes, strict=True):
            stepper.goto(position)
            played = stepper.last_change(what)
            assert (known and (known.step.number, known.before, known.after)) == (
                played and (played.step.number, played.before, played.after)
            )


def test_neither_a_run_nor_a_search_over_known_steps_plays_more_than_a_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Stepper(seed=7, hands=6) as stepper:
        stepper.run()
        made: list[int] = []
        advance = Playback.advance

        def counted(playback: Playback) -> Any:
            made.append(playback.position)
            return advance(playback)

        monkeypatch.setattr(Playback, "advance", counted)
        stepper.break_on("pot > 100000 if over")
        assert stepper.reverse() is None
        assert stepper.run() is None
        assert stepper.find("no such text") == []
        stepper.last_change("pot")
        assert len(made) < len(stepper.steps) / 6


@pytest.mark.parametrize("condition", ["promise", "actors['player tight'].mailbox != []"])
def test_what_only_the_room_can_tell_is_asked_once(condition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Stepper(bots=["maniac", "tight"], seed=3, hands=3) as stepper:
        stepper.break_on(condition)
        forward = []
        while stepper.run() is not None:
            forward.append(stepper.position)
        monkeypatch.setattr(Stepper, "_last", None)  # which would play it again
        back = []
        while stepper.reverse() is not None:
            back.append(stepper.position)
        assert back == forward[::-1]
        assert bool(forward) == (condition != "promise")


# -- actors and messages of one's own -------------------------------------------------------------------


@dataclasses.dataclass
class Count:
    """A message that is neither ours nor an attrs class."""

    what: str
    times: int


class Clerk(Actor):
    """Keeps what it is told, and itself: a circle."""

    def __init__(self, address: Address, to: Address) -> None:
        self.to = to
        self.seen: list[Count] = []
        self.marks = {3, "three"}
        self.held = Holder()
        super().__init__(address)

    def handles(self) -> Handlers:
        return {Count: self.seen.append}


class Holder:
    """Holds itself."""

    def __init__(self) -> None:
        self.me = self


def counted(watch: Any) -> None:
    runtime = StepRuntime()
    watch(runtime)
    with Room(runtime, seed=7) as room:
        table = room.open_table("green", seats=2)
        clerk = room.supervisor.spawn("clerk", lambda address: Clerk(address, table.address))
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        clerk.tell(Count("seats", 2))
        table.deal(Deck.seeded(7)).result()


def test_what_an_actor_of_ones_own_keeps_and_is_told_is_shown_compared_and_stopped_at() -> None:
    with Stepper(Program(counted)) as stepper:
        commands = Commands(stepper)
        assert commands.do("b message Count") == ["breakpoint 1: message Count"]
        stepper.run()
        at = stepper.position
        assert commands.do("p message.times") == ["message.times = 2"]
        assert commands.do("p sender") == ["sender = outside"]
        assert '  "what": "seats",' in commands.do("p message")
        kept = stepper.inspect("clerk")
        assert kept["seen"] == [{"type": "Count", "what": "seats", "times": 2}]
        assert (kept["kind"], kept["to"], len(kept["marks"])) == ("clerk", "table green", 2)
        assert any(one.path[:2] == ("clerk", "seen") for one in stepper.diff(at - 1, at))
        change = stepper.last_change("clerk")
        assert change is not None
        assert change.step.number + 1 == at
        after = stepper.hash()
        clerk = next(one.actor for one in stepper._playback.known if one.name == "clerk")
        assert isinstance(clerk, Clerk)
        clerk.marks.clear()
        assert stepper.hash() != after
        stepper.clear()
        stepper.break_on('actors["clerk"].seen[0].times == 2')
        stepper.goto(0)
        assert stepper.run() is not None
        assert stepper.position == at
        for viewpoint in ("spectator", "seat 0"):
            commands.do(f"view {viewpoint}")
            assert set(stepper.inspect("clerk")) == {"kind", "mailbox", "replies"}


def test_a_trace_of_an_earlier_version_compares_only_what_it_knew_of_actors_of_ones_own() -> None:
    script = Script.of(["caller", "caller"], seed=7, scene=RACE)
    trace = Trace.of(script)
    assert verify(trace) == len(trace.steps)
    playback = open_playback(script)
    older = []
    for step in trace.steps:
        playback.advance()
        older.append(attrs.evolve(step, hash=_hash(playback), answers=(), place=0))
    playback.close()
    assert [one.hash for one in older] != [one.hash for one in trace.steps]
    assert verify(attrs.evolve(trace, steps=tuple(older), limits=None)) == len(older)


def _hash(playback: Playback) -> str:
    from poker_actors.debug.state import state_hash

    return state_hash(playback.state(own=False))


# -- find -----------------------------------------------------------------------------------------------


def test_find_goes_from_one_message_to_the_next_and_begins_again() -> None:
    with Stepper(bots=["maniac", "tight"], seed=3, hands=2) as stepper:
        commands = Commands(stepper)
        acts = None
        seen = []
        for number in range(1, 50):
            said = commands.do("find Act" if number == 1 else "")
            acts = int(said[0].split()[2])
            seen.append(stepper.position)
            if number > acts:
                break
        assert seen[-1] == seen[0], "past the last it begins again"
        assert seen[:-1] == stepper.index.acts
        assert commands.do("find back Act")[0].startswith(f"{acts} of {acts} messages")
        assert commands.do("find no such thing") == [
            f"'no such thing' is not in any of {len(stepper.steps)} messages"
        ]
        assert commands.do("find") == ["*** find needs a text, a type of message or an actor"]
        assert stepper.find("player tight") == stepper.index.of("actor player tight")


def test_find_looks_into_payloads_and_what_went_wrong_and_shows_no_more_than_the_viewpoint_may_see() -> None:
    with Stepper(bots=[fails_at_times, "tight", "caller"], seed=3, hands=2) as stepper:
        stepper.run()
        assert stepper.find("LOOKUPERROR: lost")
        settled = stepper.find('"main/hand-000000001"') or stepper.find("'hand_id': 'main/hand-000000001'")
        assert settled, "the hand's number is in no line of a Settle"
        assert stepper.hand is not None
        hole = " ".join(map(str, stepper.hand.holes[1]))
        assert stepper.find(hole)
        commands = Commands(stepper)
        commands.do("view seat 0")
        assert stepper.find(hole) == []


# -- harm -----------------------------------------------------------------------------------------------


def test_a_fork_loses_doubles_or_holds_back_a_message() -> None:
    with Stepper(bots=["caller", "tight"], seed=7) as stepper:
        stepper.step()
        pending = [str(one) for one in stepper.pending]
        with stepper.fork(drop=0) as other:
            assert [str(one) for one in other.pending] == pending[1:]
        with stepper.fork(duplicate=1) as other:
            assert [str(one) for one in other.pending] == [*pending[:2], *pending[1:]]
            other.run()
            assert verify(Trace.of(other.recorded())) == len(other.steps)
        with stepper.fork(delay=0) as other:
            assert [str(one) for one in other.pending] == [*pending[1:], pending[0]]
        for harm in ({"drop": 4}, {"duplicate": 99}, {"delay": -1}):
            with pytest.raises(BadSpec, match="is not on its way: choose from 0 to 3"):
                stepper.fork(**harm)  # type: ignore[arg-type]  # one of three keywords
        commands = Commands(stepper)
        assert "fork needs an action" in commands.do("fork drop me")[0]


def test_a_message_held_back_is_overtaken_by_none_of_its_own_sender_to_the_same_receiver() -> None:
    with Stepper(bots=["caller", "tight"], seed=7) as stepper:
        stepper.step()
        pending = [str(one) for one in stepper.pending]
        with stepper.fork(duplicate=0) as doubled, doubled.fork(delay=0) as other:
            assert [str(one) for one in other.pending] == [*pending[1:], pending[0], pending[0]]


def test_a_hand_whose_deal_is_lost_does_not_begin_and_the_session_says_why() -> None:
    with Stepper(bots=["caller", "tight"], seed=7) as stepper, stepper.fork(drop=0) as other:
        other.run()
        assert other.hand is None
        assert isinstance(other.failure, PokerError)
