"""A room with a store comes back as it was, wherever it was stopped; two keys make an action happen once."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from poker_actors.actors import Room, StepRuntime, TimeBank
from poker_actors.errors import BadSpec, IllegalAction, PokerError, StaleAction
from poker_actors.rules import Bet, Call, Check, Fold, RaiseTo, Stakes, View
from poker_actors.store import (
    ActionTaken,
    Fact,
    HandOver,
    MemoryStorage,
    SeatsChanged,
    TableOpened,
    open_journal,
)
from tests.actors.conftest import RUNTIMES
from tests.actors.durable_evening import (
    ACTIONS,
    CLOSING,
    EVENING,
    HAND,
    HANDS,
    OPENING,
    act,
    check_ends,
    cut,
)

NAMES = itertools.count()

Open = Callable[..., Room]


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "room.db")
    url: str = request.getfixturevalue("postgres_server").url(f"room_{next(NAMES)}")
    return url


@pytest.fixture(params=RUNTIMES)
def open_room(request: pytest.FixtureRequest, store: str) -> Open:
    def open_it(**settings: str) -> Room:
        return Room(RUNTIMES[request.param](), store=store, **settings)  # type: ignore[arg-type]

    return open_it


def played() -> MemoryStorage:
    """The journal of the whole evening."""
    storage = MemoryStorage()
    room = Room(StepRuntime(), store=open_journal(storage))
    for step in EVENING:
        step(room)
    check_ends(room)
    return storage


RECORDS = len(played().rows)


def test_an_evening_with_a_new_process_after_every_command_ends_as_one_without(open_room: Open) -> None:
    room = open_room()
    for step in EVENING:
        step(room)
        before = room.tables["main"].state()
        room.close()
        room = open_room()
        assert room.tables["main"].state() == before
        assert room.audit().conserved
    check_ends(room)
    room.close()


def test_a_hand_goes_on_with_the_same_cards_and_the_players_are_told_again(open_room: Open) -> None:
    with open_room() as room:
        for step in [*OPENING, *HANDS[:9]]:
            step(room)
        before = {name: player.state() for name, player in room.players.items()}
    with open_room() as room:
        assert room.recovery is not None
        assert room.recovery.resumed == (HAND,)
        assert room.recovery.voided == ()
        for name, player in room.players.items():
            state, old = player.state(), before[name]
            assert state is not None
            assert old is not None
            assert (state.hand, state.public, state.seq, state.active) == (
                old.hand,
                old.public,
                old.seq,
                old.active,
            )
        live = room.tables["main"].live()
        assert live is not None
        for step in HANDS[9:]:
            step(room)
        assert live.result(timeout=60).payoffs == (0, -60, 270, -210, 0, 0)


def test_a_room_on_a_stepper_that_comes_back_delivers_nothing_before_it_is_asked_to(tmp_path: Path) -> None:
    place, stepper = tmp_path / "room.db", StepRuntime()
    with Room(StepRuntime(), store=place) as room:
        for step in [*OPENING, *HANDS[:9]]:
            step(room)
    with Room(stepper, store=place) as room:
        assert (stepper.steps, list(room.live_hands)) == (0, ["main"])
        stepper.run()
        assert stepper.steps > 0
        assert room.live_hands["main"].hand_id == HAND


def test_by_the_other_policy_an_open_hand_is_void_and_stacks_are_as_they_were(open_room: Open) -> None:
    with open_room() as room:
        for step in [*OPENING, *HANDS[:9]]:
            step(room)
    with open_room(on_recovery="void") as room:
        assert room.recovery is not None
        assert (room.recovery.resumed, room.recovery.voided) == ((), (HAND,))
        state = room.tables["main"].state()
        assert state.hand_id is None
        assert [seat.stack for seat in state.seats if seat] == [1000, 1000, 800]
        assert room.audit().hands == 0
    with open_room() as room:
        assert room.tables["main"].state() == state
        # the number is used up: a hand's name is its own
        for player in room.players.values():
            player.play_by("caller")
        assert room.tables["main"].play()[0].hand_id == "main/hand-000000001"


@pytest.mark.parametrize("policy", ["resume", "void"])
@pytest.mark.parametrize("records", range(RECORDS + 1))
def test_a_room_killed_after_any_record_comes_back_conserves_chips_and_plays_on(
    records: int, policy: str
) -> None:
    storage = cut(played(), records)
    with Room(StepRuntime(), store=open_journal(storage), on_recovery=policy) as room:  # type: ignore[arg-type]
        audit = room.audit()
        assert audit.conserved
        assert audit.minted <= 3000
        for player in room.players.values():
            player.play_by("caller")
        for table in room.tables.values():
            live = table.live()
            if live is not None:
                live.result()
            if len(table.state().ready) > 1:
                table.play(2)
        assert room.audit().conserved
        assert room.audit().minted == audit.minted
        assert room.audit().hands == 0


def test_a_hand_whose_last_action_was_written_and_not_its_end_is_paid_on_recovery() -> None:
    storage = played()
    last_action = max(row.seq for row in storage.rows if row.kind == "act")
    with Room(StepRuntime(), store=open_journal(cut(storage, last_action))) as room:
        for step in [HANDS[-1], *CLOSING]:
            step(room)
        check_ends(room)


def evening_over(room: Room) -> None:
    """One hand has been played, everybody has left the table, and one of them the room."""
    for step in [*EVENING[:-2]]:
        step(room)
    room.bank.withdraw("one", room.bank.balance("one"))
    room.dismiss("one")


def test_a_table_whose_last_hand_names_a_player_who_left_the_room_comes_back(open_room: Open) -> None:
    with open_room() as room:
        evening_over(room)
        before = {name: player.state() for name, player in room.players.items()}
    with open_room() as room:
        assert sorted(room.players) == ["three", "two"]
        for name, heard in before.items():
            again = room.players[name].state()
            assert heard is not None
            assert again is not None
            assert (again.hand_id, again.seat, again.hole, again.names) == (
                heard.hand_id, heard.seat, heard.hole, heard.names,
            )  # fmt: skip
            assert "one" in again.names


def test_a_newcomer_of_the_same_name_is_not_told_the_cards_of_who_left(open_room: Open) -> None:
    with open_room() as room:
        evening_over(room)
        room.player("one", chips=5)
        assert room.players["one"].state() is None
    with open_room() as room:
        assert room.players["one"].state() is None
        assert room.players["one"].record("main") is None
        assert room.players["two"].state() is not None


BAD_TABLES: dict[str, Fact] = {
    "makes no hand": ActionTaken("side/hand-000000000", 0, 1 << 20),
    "no game of this version": TableOpened(
        "side", 6, (5, 10, 0, 0, 0, 10), "whist", None, 0, None, 0, True, 2
    ),
    "a seat of nobody": SeatsChanged(
        "side", (("nobody", False, 0), ("ann", False, 0), None, None, None, None)
    ),
}


@pytest.mark.parametrize("what", BAD_TABLES)
def test_a_table_that_cannot_be_restored_is_set_aside_and_its_chips_go_back(
    what: str, store: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A whole table beside it goes on in the middle of its hand."""
    with Room(StepRuntime(), store=store) as room:
        for step in [*OPENING, *HANDS[:9]]:
            step(room)
        side = room.open_table("side", stakes=Stakes(5, 10), turn_seconds=9.0, time_bank=TimeBank(30.0, 1.0))
        for name, chips in (("ann", 13_000), ("bob", 7_000)):
            side.sit(room.player(name, chips=chips + 7))
            side.buy_in(room.players[name], chips)
        side.deal()
        room.runtime.run()  # type: ignore[attr-defined]
        before = room.tables["main"].state()
    journal = open_journal(store)
    if what == "a seat of nobody":
        journal.append(HandOver("side/hand-000000000", voided=True))
    journal.append(BAD_TABLES[what])
    journal.close()
    caplog.clear()
    for starts in range(2):
        with Room(StepRuntime(), store=store) as room:
            assert room.recovery is not None
            assert room.recovery.set_aside == (() if starts else ("side",))
            assert room.recovery.resumed == (HAND,)
            assert list(room.tables) == ["main"]
            assert room.tables["main"].state() == before
            assert (room.bank.balance("ann"), room.bank.balance("bob")) == (13_007, 7_007)
            assert room.players["ann"].state() is None
            assert room.audit().conserved
    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert line.startswith("table side is set aside, its 20,000 chips are back with their owners: ")
    with Room(StepRuntime(), store=store) as room:
        side = room.open_table("side", turn_seconds=9.0, time_bank=TimeBank(40.0, 1.0))
        side.sit(room.players["ann"])
        assert side.time_bank("ann") == 40.0
        for step in [act(seq) for seq in range(8, len(ACTIONS))]:
            step(room)


def test_bots_come_back_by_name_and_functions_wait_to_be_given_again(open_room: Open) -> None:
    def folds(view: View) -> object:
        return Fold() if view.to_call else Check()

    with open_room(seed=3) as room:
        table = room.open_table(seats=2)
        for name, bot in (("ann", "tight"), ("bob", folds)):
            player = room.player(name, bot, chips=100)  # type: ignore[arg-type]
            table.sit(player)
            table.buy_in(player, 100)
        table.play()
    with open_room() as room:
        assert room.seed == 3
        assert room.recovery is not None
        assert room.recovery.without_bot == ()
        live = room.tables["main"].deal()
        room.players["bob"].play_by(folds)  # type: ignore[arg-type]
        live.result(timeout=60)
        assert room.audit().conserved


def test_a_bot_that_can_no_longer_be_made_is_named(tmp_path: Path) -> None:
    bots = tmp_path / "mine.py"
    bots.write_text(
        "def calls(view):\n    from poker_actors import Call, Check\n    return Call() if view.to_call else Check()\n"
    )
    with Room(StepRuntime(), store=tmp_path / "room.db") as room:
        room.player("ann", f"{bots}:calls")
    bots.unlink()
    with Room(StepRuntime(), store=tmp_path / "room.db") as room:
        assert room.recovery is not None
        assert room.recovery.without_bot == ("ann",)


def test_a_seed_that_is_not_the_rooms_is_refused(tmp_path: Path) -> None:
    Room(StepRuntime(), store=tmp_path / "room.db", seed=3).close()
    with pytest.raises(BadSpec, match="seed 4 is not the seed 3 of the room"):
        Room(StepRuntime(), store=tmp_path / "room.db", seed=4)
    Room(StepRuntime(), store=tmp_path / "room.db", seed=3).close()


def test_a_room_without_a_store_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Room(StepRuntime()) as room:
        for step in EVENING:
            step(room)
        check_ends(room)
        assert room.recovery is None
    assert list(tmp_path.iterdir()) == []


# -- two keys to an action -----------------------------------------------------------------------


def test_every_action_sent_three_times_happens_once_and_is_answered_alike(open_room: Open) -> None:
    with open_room() as room:
        for step in OPENING:
            step(room)
        for step in HANDS:
            for _ in range(3 if step not in (HANDS[0], HANDS[-1]) else 1):
                step(room)
        for step in CLOSING:
            step(room)
        check_ends(room)


def test_an_action_sent_again_after_the_process_died_is_answered_as_at_first(open_room: Open) -> None:
    room = open_room()
    for step in [*OPENING, HANDS[0]]:
        step(room)
    for seq in range(len(ACTIONS)):
        act(seq)(room)
        room.close()
        room = open_room()
        for earlier in range(seq + 1):
            act(earlier)(room)
    for step in [HANDS[-1], *CLOSING]:
        step(room)
    check_ends(room)
    room.close()


def test_another_action_for_a_turn_that_was_taken_is_refused_as_stale(room: Room) -> None:
    for step in [*OPENING, *HANDS[:7]]:
        step(room)
    three = room.players["three"]
    for action in (Fold(), Check(), RaiseTo(50)):
        with pytest.raises(StaleAction) as error:
            three.act(action, hand_id=HAND, seq=0)
        assert error.value.code == "stale_action"
    with pytest.raises(StaleAction):
        room.players["one"].act(Call(), hand_id=HAND, seq=0)
    assert act(0)(room) is None
    for step in [*HANDS[7:], *CLOSING]:
        step(room)
    check_ends(room)


def test_a_bet_and_a_raise_to_the_same_total_are_the_same_action(room: Room) -> None:
    for step in [*OPENING, *HANDS[:6]]:
        step(room)
    room.players["two"].act(Bet(25), hand_id=HAND, seq=4)
    with pytest.raises(StaleAction):
        room.players["two"].act(RaiseTo(26), hand_id=HAND, seq=4)


@pytest.mark.parametrize(
    ("hand_id", "seq", "code"),
    [(HAND, 1, "not_active"), (HAND, 99, "not_active"), ("main/hand-000000009", 0, "stale_action"), ("", 0, "stale_action")],
)  # fmt: skip
def test_keys_of_no_open_turn_are_refused(room: Room, hand_id: str, seq: int, code: str) -> None:
    for step in [*OPENING, HANDS[0]]:
        step(room)
    before = room.tables["main"].state()
    with pytest.raises(PokerError) as error:
        room.players["three"].act(Call(), hand_id=hand_id, seq=seq)
    assert error.value.code == code
    assert room.tables["main"].state() == before


def test_an_illegal_action_is_refused_the_same_way_each_time(room: Room) -> None:
    for step in [*OPENING, HANDS[0]]:
        step(room)
    texts = set()
    for _ in range(2):
        with pytest.raises(IllegalAction) as error:
            room.players["three"].act(RaiseTo(11), hand_id=HAND, seq=0)
        texts.add(str(error.value))
    assert texts == {"raise_to 11 is below the minimum of 20"}


def test_a_custom_game_cannot_be_journaled_and_says_so(tmp_path: Path) -> None:
    import attrs

    from poker_actors.rules import HOLDEM

    with Room(StepRuntime(), store=tmp_path / "room.db") as room:
        with pytest.raises(BadSpec, match="a journal keeps games by name"):
            room.open_table(game=attrs.evolve(HOLDEM, name="mine"), stakes=Stakes(1, 2))
        assert not room.tables


def test_a_player_of_another_room_cannot_sit_where_a_journal_must_bring_players_back(tmp_path: Path) -> None:
    with Room(StepRuntime(), store=tmp_path / "room.db") as room, Room(StepRuntime()) as other:
        table = room.open_table()
        with pytest.raises(BadSpec, match="ann is not a player of this room"):
            table.sit(other.player("ann"))
