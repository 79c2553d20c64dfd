"""A player whose actor crashes on its turn looks at the turn again, and nobody is told old news."""

from __future__ import annotations

from poker_actors.actors import HandState, News, Room, StepRuntime
from poker_actors.actors.runtime import quiet_logs, stop_message
from poker_actors.rules import Fold
from tests.actors.told import CRASH, seated


def test_a_player_that_crashes_between_two_states_is_not_told_the_older_one_again() -> None:
    heard: list[int] = []

    def listen(news: News) -> None:
        if isinstance(news, HandState):
            heard.append(news.seq)

    runtime = StepRuntime()
    with quiet_logs(), Room(runtime, seed=1) as room:
        table = room.open_table("main", seats=3)
        players = [room.player(name, chips=100) for name in ("ann", "bob", "cat")]
        for player in players:
            table.sit(player)
            table.buy_in(player, 100)
        table.deal()
        runtime.run()
        acting = next(player for player in players if (state := player.state()) and state.active)
        acting.listen(listen)
        state = acting.state()
        assert state is not None
        state.act(Fold())
        acting.address.tell(CRASH)
        runtime.step()  # the hand takes the action and tells the next state
        runtime.step()  # the player crashes, and is started again with its turn still open
        runtime.run()
        assert room.supervisor.restarts == 1
        assert heard == [1]
        latest = acting.state()
        assert latest is not None
        assert (latest.seq, latest.turn) == (1, None)


def test_a_bot_that_crashes_on_its_turn_still_acts() -> None:
    runtime = StepRuntime()
    with quiet_logs(), Room(runtime, seed=1) as room:
        table = room.open_table("main", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        live = table.deal()
        for player in room.players.values():
            player.address.tell(CRASH)
        result = live.result(timeout=60)
        assert room.supervisor.restarts == 2
        assert not result.voided


def test_who_has_run_out_of_time_is_late_in_a_hand_that_is_stopped_and_goes_on() -> None:
    runtime = StepRuntime()
    with quiet_logs(), Room(runtime, seed=1) as room:
        table, players = seated(room, [None, None, "caller"], seats=3, button=0, turn_seconds=10.0)
        live = table.deal()
        runtime.advance(10.0)  # seat 0 is first to act
        live.address.tell(stop_message())
        players[1].play_by("caller")
        result = live.result()
        assert not result.voided
        assert [seat.late for seat in table.state().seats if seat] == [1, 0, 0]
