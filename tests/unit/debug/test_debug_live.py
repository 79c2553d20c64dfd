"""A live table under the debugger: what it has handled of late plays again, and the table goes on as if nobody looked."""

from __future__ import annotations

import json
import logging
import pickle
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import poker_actors
from poker_actors.actors import (
    LoopRuntime,
    Player,
    Room,
    StepRuntime,
    Table,
    ThreadRuntime,
    TimeBank,
    messages,
)
from poker_actors.actors.player import PlayerActor
from poker_actors.cards import Deck
from poker_actors.debug import Stepper, Trace, Viewpoint, converse, script_of, trace_of, verify
from poker_actors.debug.commands import Commands
from poker_actors.debug.plain import HIDDEN
from poker_actors.debug.session import joined
from poker_actors.errors import BadHistory, BadSpec, Discrepancy, PokerError
from poker_actors.rules import GAMES as GAMES_BY_NAME
from poker_actors.rules import Call, Check, Fold, RaiseTo, Stakes, View
from poker_actors.rules.cash import CashOptions, Rake

GAMES = ("holdem", "omaha8", "badugi", "stud", "2-7-triple-draw")


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.CRITICAL):
        yield


def muddled(view: View) -> Any:
    """Answer in words, too much, or at last with something."""
    return ("words", RaiseTo(10**9), Fold(), Call() if view.to_call else Check())[view.public.seq % 4]


def seated(table: Table) -> list[tuple[str, int, bool] | None]:
    return [None if seat is None else (seat.player, seat.stack, seat.out) for seat in table.state().seats]


def same_table(room: Room, name: str) -> Stepper:
    """Open a table and hold it to what the live one says; no hand may be under way."""
    stepper: Stepper = room.debug(name)
    here, live = stepper.room.tables[name], room.tables[name]
    assert seated(here) == seated(live)
    assert here.state().positions == live.state().positions
    assert here.state().number == live.state().number
    assert verify(trace_of(stepper)) == stepper.position
    return stepper


def evening(room: Room, luck: random.Random, tables: list[Table], players: list[Player]) -> None:
    """Let people come, go, buy in, wait, play and let their time run out, at random."""
    doings: list[Any] = [lambda table, player: table.sit(player)] * 5
    doings += [lambda table, player: table.buy_in(player, luck.choice([50, 100, 400]))] * 5
    doings += [lambda table, player: table.cash_out(player), lambda table, player: table.leave(player)]
    doings += [lambda table, player: table.sit_out(player), lambda table, player: table.wait(player, 50)]
    doings += [lambda _, player: room.bank.deposit(player.name, 30)]
    doings += [lambda table, _: table.deal().result()] * 8
    for _ in range(40):
        try:
            luck.choice(doings)(luck.choice(tables), luck.choice(players))
        except PokerError:
            continue


@pytest.mark.parametrize("seed", range(5))
def test_whatever_has_happened_at_two_tables_of_a_stepper_plays_again(seed: int) -> None:
    luck = random.Random(seed)
    with Room(StepRuntime(), seed=seed, recent=60) as room:
        bank = TimeBank(3) if seed % 2 else None
        tables = [
            room.open_table(name, seats=4, game=GAMES[seed], turn_seconds=9, time_bank=bank)
            for name in ("red", "blue")
        ]
        bots: list[Any] = ["tight", "random", None, "caller", muddled]
        players = [room.player(f"p{number}", bot, chips=500) for number, bot in enumerate(bots)]
        evening(room, luck, tables, players)
        for table in tables:
            with same_table(room, table.name) as stepper:
                assert stepper.broken_promise() is None


@pytest.mark.parametrize("game", ["horse", "holdem+badugi", "dealers-choice", "open-face-pineapple"])
def test_a_table_of_games_in_turn_and_of_rows_is_opened_and_plays_again(game: str) -> None:
    with Room(StepRuntime(), seed=1, recent=200) as room:
        stakes = GAMES_BY_NAME[game].stakes if game in GAMES_BY_NAME else Stakes(2, 4)
        table = room.open_table("main", seats=3, stakes=stakes, game=game)
        for name in ("ann", "bob", "cat"):
            player = room.player(name, "random", chips=10_000)
            table.sit(player)
            table.buy_in(player, 2_000)
        for named in ("razz", "2-7-triple-draw", "omaha8", "stud"):
            table.deal(game=named if game == "dealers-choice" else None).result(timeout=60)
        with same_table(room, "main") as stepper:
            assert stepper.broken_promise() is None
            out: list[str] = []
            converse(stepper, ["why winner", "q"], out.append)
            assert out[0].startswith("table main: ")
            assert (game in out[0]) == (game not in GAMES_BY_NAME)
            assert "by the rules" not in "\n".join(out)


def test_a_raked_hand_at_a_cash_table_breaks_no_promise() -> None:
    with Room(StepRuntime(), seed=1, recent=200) as room:
        table = room.open_table("main", seats=3, options=CashOptions(rake=Rake.parse("20%/3")))
        for name in ("ann", "bob", "cat"):
            player = room.player(name, "caller", chips=200)
            table.sit(player)
            table.buy_in(player, 200)
        hand = table.deal().result().hand
        assert hand is not None
        assert hand.rake > 0
        with same_table(room, "main") as stepper:
            assert stepper.broken_promise() is None
            assert "the house takes" in str(stepper.why("winner"))


def test_a_room_on_threads_is_looked_at_while_it_plays_and_what_was_seen_plays_again(tmp_path: Path) -> None:
    with Room(seed=3) as room:
        table = room.open_table("green", seats=3, turn_seconds=1000)
        bots: list[Any] = ["tight", muddled, "random"]
        for name, bot in zip(("ann", "bob", "cy"), bots, strict=True):
            player = room.player(name, bot, chips=5000)
            table.sit(player)
            table.buy_in(player, 2000)
        for _ in range(12):
            live = table.deal()
            with room.debug("green") as stepper:
                assert stepper.position > 0
            live.result()
        with same_table(room, "green") as stepper:
            trace = trace_of(stepper)
            trace.write(tmp_path / "green.jsonl")
            assert Trace.read(tmp_path / "green.jsonl") == trace
            assert stepper.back(5) == len(trace.steps) - 5
            assert not any(one.kind == "crash" for one in stepper.incidents)


def test_a_table_that_brings_stacks_to_one_size_plays_again_however_long_it_has_played() -> None:
    with Room(StepRuntime(), seed=7, recent=100) as room:
        table = room.open_table("green", seats=3, restack=200)
        for name, bot in (("ann", "tight"), ("bob", "loose"), ("cy", "caller")):
            player = room.player(name, bot, chips=10_000)
            table.sit(player)
            table.buy_in(player, 200)
        for number in range(12):
            table.deal(Deck.seeded(number)).result()
            with same_table(room, "green") as stepper:
                assert stepper.picture().over
        assert len(room.recording("green")["heard"]) < 12 * 10, "what was before is gone"


def test_from_any_place_of_a_live_table_another_way_can_be_taken_to_the_end_of_the_hand() -> None:
    with Room(StepRuntime(), seed=5, recent=200) as room:
        table = room.open_table("green", seats=3)
        for name in ("ann", "bob", "cy"):
            player = room.player(name, "random", chips=500)
            table.sit(player)
            table.buy_in(player, 200)
        for number in range(3):
            table.deal(Deck.seeded(number)).result()
        with room.debug("green") as stepper:
            end, forks = stepper.position, 0
            for position in range(0, end, 7):
                stepper.goto(position)
                hand = stepper.hand
                if hand is None or hand.over:
                    continue
                with stepper.fork("fold" if hand.legal.refusal(Fold()) is None else "check") as other:
                    other.run()
                    forks += 1
                    assert other.hand is not None
                    assert other.hand.over
                    assert other.broken_promise() is None
                    assert verify(trace_of(other)) == other.position
            assert forks > 5


def test_no_deadline_moves_and_two_may_look_at_once() -> None:
    with Room(seed=1) as room:
        table = room.open_table("slow", seats=2, turn_seconds=1000)
        for name in ("ann", "bob"):
            player = room.player(name, chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        live = table.deal()
        assert isinstance(room.runtime, ThreadRuntime | LoopRuntime)
        before = [(timer.due, timer.message) for timer in room.runtime.timers]
        seen: list[tuple[int, object]] = []

        def look() -> None:
            with room.debug("slow") as stepper:
                stepper.back(2)
                with stepper.fork("fold") as other:
                    other.run()
                seen.append((stepper.position, stepper.timers))

        lookers = [threading.Thread(target=look) for _ in range(2)]
        for looker in lookers:
            looker.start()
        for looker in lookers:
            looker.join()
        assert len(seen) == 2
        assert [(timer.due, timer.message) for timer in room.runtime.timers] == before
        assert len(before) == 1
        assert live.state().seq == 0, "nobody has acted but in a fork"


def test_more_hears_what_has_come_since() -> None:
    with Room(StepRuntime(), seed=2, recent=100) as room:
        table = room.open_table("green", seats=3)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        with room.debug("green") as stepper:
            assert stepper.position > 0
            drawn = stepper.picture().to_dict()["seats"]
            assert [seat["state"] for seat in drawn] == ["active", "active", "empty"]
            table.deal().result()
            stepper.break_on("street flop")
            stepper.more()
            assert stepper.hand is not None
            assert stepper.hand.over
            assert stepper.over
            assert len(stepper.breakpoints) == 1
            for name in ("ann", "bob"):
                table.cash_out(name)
                table.leave(name)
            room.close_table("green")
            with pytest.raises(BadSpec, match="there is no table 'green'"):
                stepper.more()
            assert stepper.hand.over, "what was heard is there still"


def test_more_never_renumbers_a_step() -> None:
    with Room(StepRuntime(), seed=2, recent=20) as room:
        table = room.open_table("green", seats=3)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        table.deal().result()
        with room.debug("green") as stepper:
            known = [str(step.delivery) for step in stepper.steps]
            for _ in range(3):  # the first messages are dropped, but they are in the session
                table.deal().result()
                assert stepper.more() is stepper
                assert [str(step.delivery) for step in stepper.steps[: len(known)]] == known
                assert len(stepper.steps) > len(known)
                known = [str(step.delivery) for step in stepper.steps]
            assert len(room.recording("green")["heard"]) < len(stepper._recording["heard"])
            for _ in range(6):
                table.deal().result()
            before = stepper.position
            with stepper.more() as other:
                assert other is not stepper
                assert other.over
            assert (stepper.position, len(stepper.steps)) == (before, len(known))


def test_later_messages_that_do_not_join_are_another_branch() -> None:
    with Room(StepRuntime(), seed=2, recent=20) as room:
        table = room.open_table("green", seats=3)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        table.deal().result()
        commands = Commands(room.debug("green"))
        try:
            for _ in range(6):
                table.deal().result()
            assert "later messages of the live table" in "\n".join(commands.do("more"))
            assert len(commands.branches) == 2
            assert commands.do("branch 0")
            recording = room.recording("green")
            del recording["first"]
            assert joined(recording, room.recording("green")) is None, "one of an earlier version"
        finally:
            commands.close()


def divides(view: View) -> Any:
    """Divide by what there is to call."""
    return Call() if view.public.pot / view.to_call > 0 else Fold()


class Hostile(SyntaxError):
    """An exception that fails when it is put into words."""

    def __getattribute__(self, name: str) -> Any:
        if name in ("lineno", "text", "filename"):
            raise RuntimeError(name)
        return super().__getattribute__(name)


def hostile(view: View) -> Any:
    raise Hostile("so there")


def test_a_bot_whose_exception_cannot_be_shown_goes_on_like_any_other() -> None:
    with Room(StepRuntime(), seed=2, recent=100) as room:
        table = room.open_table("green", seats=2)
        for name, bot in (("ann", hostile), ("bob", "caller")):
            player = room.player(name, bot, chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        table.deal(Deck.seeded(1)).result()
        assert room.supervisor.restarts == 0
        with same_table(room, "green") as stepper:
            found = next(one for one in stepper.incidents if one.who == "player ann")
            assert found.traceback() == ["Hostile cannot be shown: RuntimeError"]


@pytest.mark.parametrize("runtime", [StepRuntime, ThreadRuntime])
def test_what_a_bot_raised_on_the_live_table_is_an_event_with_its_text_and_traceback(
    runtime: type[StepRuntime | ThreadRuntime], tmp_path: Path
) -> None:
    with Room(runtime(), seed=2, recent=100) as room:
        table = room.open_table("green", seats=3)
        for name, bot in (("ann", divides), ("bob", muddled), ("cy", "caller")):
            player = room.player(name, bot, chips=1000)
            table.sit(player)
            table.buy_in(player, 500)
        for _ in range(4):
            table.deal().result()
        with same_table(room, "green") as stepper:
            trace_of(stepper).write(tmp_path / "green.jsonl")
            everything = [str(one) for one in stepper.incidents]
            found = [one for one in stepper.incidents if "fault" in one.kinds]
            for name in ("ann", "bob"):
                actor = room.players[name].address.actor
                assert isinstance(actor, PlayerActor)
                mine = [one for one in found if one.who == f"player {name}"]
                assert len(mine) == actor.memory.faults.total > 0
                assert actor.memory.faults.first in mine[0].text
                assert pickle.loads(pickle.dumps(actor.memory.faults)) == actor.memory.faults
            raised = next(one for one in found if "ZeroDivisionError" in one.text)
            assert raised.text == "raised ZeroDivisionError: division by zero; it has to check instead"
            assert raised.place.endswith(f"test_debug_live.py:{divides.__code__.co_firstlineno + 2}")
            assert raised.traceback()[0] == "Traceback (most recent call last):"
            assert raised.traceback()[-1] == "ZeroDivisionError: division by zero"
            assert not any("deciding.py" in line for line in raised.traceback())
            assert raised.traceback(Viewpoint.parse("seat 2")) == [HIDDEN]
            assert any("refused" in one.kinds for one in found), "RaiseTo(10**9)"
            said: list[str] = []
            converse(stepper, ["goto 0", "b fault", "c", "fault", "into", "q"], said.append)
            shown = "\n".join(said)
            assert "breakpoint 1: fault" in shown
            assert "*** the bots of a live table cannot be asked here; `faults` lists their faults" in shown
        with Stepper(script_of(Trace.read(tmp_path / "green.jsonl"))) as again:
            again.run()
            assert [str(one) for one in again.incidents] == everything


def test_a_live_session_goes_back_from_the_deal_before() -> None:
    with Room(StepRuntime(), seed=2, recent=200) as room:
        table = room.open_table("green", seats=4, turn_seconds=20, time_bank=TimeBank(3))
        for name in ("ann", "bob", "cy", "dee"):
            player = room.player(name, "loose", chips=1000)
            table.sit(player)
            table.buy_in(player, 300)
        for number in range(8):
            table.deal(Deck.seeded(number)).result()
        with room.debug("green") as stepper:
            deals = [step.number for step in stepper.steps if type(step.delivery.message) is messages.Deal]
            states = {position: stepper.state_at(position) for position in deals}
            assert len(deals) > 4
            made = 0

            def count(*_: object) -> None:
                nonlocal made
                made += 1

            stepper.observer = count
            for deal in reversed(deals):
                stepper.goto(deal + 3)
                made = 0
                stepper.back(2)
                assert made == 1, "steps played from the deal"
                assert stepper.state_at(deal) == states[deal]


def test_a_crash_of_the_rules_is_there_again_with_its_void_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    from poker_actors.rules import Hand

    honest = Hand.act

    def act(hand: Hand, action: object) -> None:
        if hand.phase == "river":
            raise RuntimeError("the river is dry")
        honest(hand, action)  # type: ignore[arg-type]

    monkeypatch.setattr(Hand, "act", act)
    with Room(StepRuntime(), seed=2, recent=100) as room:
        table = room.open_table("green", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        assert table.deal().result().voided
        with same_table(room, "green") as stepper:
            assert stepper.voided
            assert "the river is dry" in str(next(one for one in stepper.incidents if one.kind == "crash"))


def test_what_is_kept_is_bounded_however_long_it_lasts_and_whoever_floods_it() -> None:
    with Room(StepRuntime(), seed=2, recent=50) as room:
        table = room.open_table("green", seats=2)
        players = [room.player(name, chips=1000) for name in ("ann", "bob")]
        for player in players:
            table.sit(player)
            table.buy_in(player, 500)
        for _ in range(500):
            table.sit_out(players[0])
            table.sit_in(players[0])
        assert len(room.recording("green")["heard"]) <= 100
        live = table.deal()
        stale = messages.Act(messages.Turn(live.hand_id, 99, 0), Fold())
        for _ in range(1000):
            live.address.tell(stale)
        room.runtime.run()  # type: ignore[attr-defined]
        assert len(room.recording("green")["heard"]) <= 6 * 50
        assert len(json.dumps(room.recording("green"))) < 60_000
        with room.debug("green") as stepper:
            assert stepper.position > 0


def test_a_room_knows_no_debugger_until_one_is_attached_from_above(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Room, "debugger", None)
    with Room(StepRuntime(), recent=10) as room:
        table = room.open_table("green")
        with pytest.raises(BadSpec, match=r"import poker_actors\.debug"):
            room.debug("green")
        poker_actors.__dict__.pop("Room", None)
        assert poker_actors.Room is Room, "the package's door attaches it"
        table.state()
        with room.debug("green") as stepper:
            assert stepper.position >= 0


def test_nothing_is_kept_where_nobody_asked_and_it_is_said_so() -> None:
    with Room(StepRuntime()) as room:
        room.open_table("green")
        with pytest.raises(BadSpec, match="nothing is kept of it; open the room with recent=200"):
            room.debug("green")
        with pytest.raises(BadSpec, match=r"there is no table 'blue' \(tables: green\)"):
            room.debug("blue")
    with pytest.raises(BadSpec, match="recent -1"):
        Room(StepRuntime(), recent=-1)
    with Stepper(seed=1) as stepper, pytest.raises(BadSpec, match="has no live table"):
        stepper.more()


def test_a_table_that_came_back_in_mid_hand_is_kept_from_its_next_one(tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    with Room(StepRuntime(), seed=2, store=store) as room:
        table = room.open_table("green", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        table.deal()
    with Room(StepRuntime(), store=store, recent=100) as room:
        with pytest.raises(BadSpec, match="nothing is kept yet"):
            room.debug("green")
        live = room.tables["green"].live()
        assert live is not None
        to_act = live.state().to_act[0]
        room.players[("ann", "bob")[to_act]].fold()
        room.runtime.run()  # type: ignore[attr-defined]
        room.tables["green"].deal()
        with room.debug("green") as stepper:
            assert stepper.hand is not None
            assert stepper.room.tables["green"].state().number == 2


def test_what_is_no_recording_and_what_does_not_play_again_is_refused() -> None:
    with pytest.raises(BadHistory, match="this is not a recording of a table: KeyError 'seats'"):
        Stepper.of_recording({"heard": []})
    with Room(StepRuntime(), seed=2, recent=100) as room:
        table = room.open_table("green", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        table.deal().result()
        recording = room.recording("green")
    ended = next(said for _, _, said, _ in recording["heard"] if said["type"] == "HandEndedNews")
    ended["stacks"] = [99, 1]
    with pytest.raises(Discrepancy, match=r"heard of stacks \[99, 1\], but here they are"):
        Stepper.of_recording(recording)
    recording["heard"][-1][2]["type"] = "Nonsense"
    ended["stacks"] = []
    with pytest.raises((BadHistory, Discrepancy)):
        Stepper.of_recording(recording)


def test_a_table_with_missed_blinds_and_one_who_leaves_after_the_hand_plays_again_to_the_same_place() -> None:
    with Room(StepRuntime(), seed=1, recent=60) as room:
        table = room.open_table("main", seats=6, stakes="1/2", missed_blinds=True, button=0)
        for number in range(5):
            table.sit(room.player(f"p{number}", "folder", chips=1000))
            table.buy_in(f"p{number}", 1000)
        for hand in range(24):
            if hand % 7 in (1, 3):
                (table.sit_out if hand % 7 == 1 else table.sit_in)("p3")
            table.deal(Deck.seeded(hand)).result()
        live = table.deal(Deck.seeded(99))
        table.leave_after_hand("p4")
        live.result()
        stepper = same_table(room, "main")
        assert table.state().owed
        assert stepper.room.tables["main"].state().owed == table.state().owed
        assert seated(stepper.room.tables["main"])[4] is None
