"""Tournaments at the tables of a room: the same as without actors, with every chip and coin in the bank's books."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime, ThreadRuntime
from poker_actors.errors import BadSpec, StorageFailed, TableRefusal
from poker_actors.sim.tournaments import (
    Director,
    Structure,
    Tournament,
    TournamentPlan,
    multi_table,
    play_direct,
    play_in_room,
    sit_and_go,
)
from poker_actors.store import MemoryStorage, open_journal
from tests.actors.durable_evening import FailingStorage

REBUYS = multi_table(6, rebuys=1, rebuy_until=3, add_on_stack=5000, add_on_cost=50, fee=10)


def plan_of(structure: Structure = REBUYS, players: int = 20, **settings: Any) -> TournamentPlan:
    fields = {"late": 5, "rebuys": 1, "add_on": True} if structure is REBUYS else {}
    return TournamentPlan.of(structure, players, **{"seed": 3, **fields, **settings})


@pytest.mark.parametrize("runtime", [StepRuntime, ThreadRuntime])
@pytest.mark.parametrize(("structure", "players"), [(sit_and_go(6), 6), (REBUYS, 20)], ids=["sng", "mtt"])
def test_the_actors_play_the_tournament_that_the_loop_plays(
    runtime: Any, structure: Structure, players: int
) -> None:
    plan = plan_of(structure, players)
    assert play_in_room(plan, runtime=runtime()).to_dict() == play_direct(plan).to_dict()


def test_another_order_of_delivery_is_the_same_tournament() -> None:
    plan = plan_of(players=14)
    digests = {play_in_room(plan, runtime=StepRuntime(order=Random(seed))).digest for seed in (1, 2)}
    assert digests == {play_direct(plan).digest}


def test_chips_and_money_are_conserved_in_the_banks_books_at_every_hand() -> None:
    plan = plan_of()
    seen: list[tuple[int, int]] = []
    with Room(StepRuntime(), seed=plan.seed) as room:

        def look(director: Director) -> None:
            audit = room.audit()
            assert audit.conserved
            assert director.money.conserved
            chips = audit.tables + audit.hands
            # entries and rebuys are brought to the tables just after this
            assert chips <= director.chips_in
            seen.append((chips, director.chips_in))

        tournament = Tournament.open(room, plan.structure, plan=plan, told=look)
        result = tournament.result()
        audit = room.audit()
        money = sum(placed.paid for placed in result.standings)
        deposits = audit.minted
        assert len(seen) == result.hands
        assert sum(chips == there for chips, there in seen) > result.hands / 2
        assert (audit.tables, audit.hands) == (0, 0)
        assert room.bank.balance("tournament/prizes") == 0
        assert room.bank.balance("tournament/fees") == result.fees == 10 * 20
        kept = sum(room.bank.balance(placed.name) for placed in result.standings)
        assert kept == deposits - result.fees
        assert money == result.prize_in + result.fees
        for placed in result.standings:
            brought = 110 + 100 + 50
            assert room.bank.balance(placed.name) == brought - placed.paid + placed.prize


def test_who_cannot_pay_does_not_get_in() -> None:
    with Room(StepRuntime(), seed=1) as room:
        tournament = Tournament.open(room, sit_and_go(3, fee=10), "noon")
        ann = room.player("ann", "tight", chips=109)
        with pytest.raises(TableRefusal) as refused:
            tournament.enter(ann)
        assert refused.value.code == "insufficient_funds"
        assert room.bank.balance("ann") == 109
        room.bank.deposit("ann", 1)
        tournament.enter(ann)
        assert (room.bank.balance("ann"), room.bank.balance("noon/prizes")) == (0, 100)
        with pytest.raises(BadSpec, match="ann has already entered"):
            tournament.enter(ann)
        with pytest.raises(BadSpec, match="1 players at the start"):
            tournament.start()


def test_people_play_by_the_clock_of_the_room_and_come_late() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        structure = multi_table(3, length=60, late_until=2, stack=500)
        tournament = Tournament.open(room, structure, paced=False, turn_seconds=20)
        people = [room.player(name, chips=100) for name in ("ann", "bob", "cyd", "dan")]
        for person in people[:3]:
            tournament.enter(person)
        tournament.start()
        runtime.run()
        (deal,) = tournament.look(lambda director: director.deals)
        assert deal.level == 0
        live = room.tables["tournament table 1"].live()
        assert live is not None
        assert live.commitment
        # nobody acts: time runs out seat by seat, and the big blind wins
        runtime.advance(61)
        (deal,) = tournament.look(lambda director: director.deals)
        assert (deal.level, deal.start >= 40) == (deal.start // 60, True)
        tournament.enter(people[3])
        runtime.run()
        assert tournament.standing().chips_in == 2000
        assert tournament.look(lambda director: director.left) == 4
        runtime.advance(120)
        with pytest.raises(TableRefusal) as refused:
            tournament.enter(room.player("eve", chips=100))
        assert refused.value.code == "registration_closed"


def test_two_tournaments_are_played_in_one_room() -> None:
    with Room(StepRuntime(), seed=4) as room:
        both = [Tournament.open(room, sit_and_go(4), name) for name in ("one", "two")]
        for tournament in both:
            for number in range(4):
                name = f"{tournament.name} {number}"
                tournament.enter(room.player(name, "tight", chips=100))
        for tournament in both:
            tournament.start()
        results = [tournament.result() for tournament in both]
        assert all(result.winner is not None for result in results)
        assert room.audit().tables == 0
        with pytest.raises(BadSpec, match="there is already a tournament called 'one'"):
            Tournament.open(room, sit_and_go(4), "one")
        with pytest.raises(BadSpec, match="without a slash"):
            Tournament.open(room, sit_and_go(4), "a/b")


def test_a_table_that_is_called_like_one_of_the_tournaments_is_in_its_way() -> None:
    with Room(StepRuntime(), seed=1) as room:
        room.open_table("noon table 2")
        with pytest.raises(BadSpec, match="'noon table 2': there is already one"):
            Tournament.open(room, sit_and_go(3), "noon")


def reopened(storage: MemoryStorage) -> MemoryStorage:
    """What a new process finds."""
    left = MemoryStorage()
    left.rows, left.snapshot = list(storage.rows), storage.snapshot
    return left


def play_some(plan: TournamentPlan, storage: MemoryStorage, hands: int, steps: int) -> None:
    """Play so many hands and some messages further, and leave in the middle of others."""
    runtime = StepRuntime()
    with Room(runtime, seed=plan.seed, store=open_journal(storage)) as room:
        there = "tournament/tournament" in room.books.notes()
        tournament = Tournament.resume(room) if there else Tournament.open(room, plan.structure, plan=plan)
        runtime.run(until=lambda: bool(tournament.look(lambda director: director.hands >= hands)))
        runtime.run(limit=steps)


def test_a_room_that_closes_in_the_middle_goes_on_to_the_same_end() -> None:
    plan = plan_of()
    whole = play_direct(plan).to_dict()
    storage = MemoryStorage()
    for number, hands in enumerate((1, 7, 40, 41, 90)):
        play_some(plan, storage, hands, 25 + number)
        storage = reopened(storage)
    assert play_in_room(plan, store=open_journal(storage)).to_dict() == whole
    # and once more, when it is over
    assert play_in_room(plan, store=open_journal(reopened(storage))).to_dict() == whole


def test_a_tournament_that_is_over_leaves_no_table_open_and_knows_its_faults_after_a_restart(
    tmp_path: Path,
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def bot(view):\n    raise RuntimeError('planted')\n")
    plan = plan_of(sit_and_go(3), 3, bots=[f"{broken}:bot", "tight", "caller"])
    storage = MemoryStorage()
    play_some(plan, storage, 3, 5)
    whole = play_direct(plan).to_dict()
    for _ in ("in the middle", "when it is over"):
        storage = reopened(storage)
        with Room(StepRuntime(), store=open_journal(storage)) as room:
            result = Tournament.resume(room).result(plan=plan)
            assert not room.tables
            assert result.to_dict() == whole
            assert any(placed.faults for placed in result.standings)


def test_hands_that_are_voided_by_a_restart_are_dealt_again() -> None:
    plan = plan_of(players=12)
    storage = MemoryStorage()
    voided = 0
    for number, hands in enumerate((2, 9, 25)):
        play_some(plan, storage, hands, 20 + 7 * number)
        storage = reopened(storage)
        with Room(StepRuntime(), store=open_journal(storage), on_recovery="void") as room:
            assert room.recovery is not None
            voided += len(room.recovery.voided)
            assert room.audit().conserved
        storage = reopened(storage)
    result = play_in_room(plan, store=open_journal(storage))
    assert result.conserved
    assert result.prize_in == result.prize_out
    assert voided
    assert result.digest != play_direct(plan).digest


def test_a_store_with_another_tournament_is_refused() -> None:
    storage = MemoryStorage()
    play_in_room(plan_of(sit_and_go(2), 2), store=open_journal(storage))
    with pytest.raises(BadSpec, match="another tournament, of seed 3 with 2 players"):
        play_in_room(plan_of(sit_and_go(3), 3), store=open_journal(reopened(storage)))
    with (
        Room(StepRuntime(), store=open_journal(reopened(storage))) as room,
        pytest.raises(BadSpec, match="'noon'"),
    ):
        Tournament.resume(room, "noon")


def test_a_disk_that_is_full_for_a_while_delays_the_tournament_and_changes_nothing() -> None:
    plan = plan_of(players=12)
    storage = FailingStorage()
    runtime = StepRuntime()
    with Room(runtime, seed=plan.seed, store=open_journal(storage)) as room:
        tournament = Tournament.open(room, plan.structure, plan=plan)
        for pause in (30, 100, 200, 61, 333):
            runtime.run(limit=pause)
            storage.fail_next = 3
        assert tournament.result(plan=plan).digest == play_direct(plan).digest
        assert storage.fail_next == 0
        assert room.audit().conserved


def test_an_entry_that_cannot_be_written_has_not_happened() -> None:
    storage = FailingStorage()
    with Room(StepRuntime(), seed=1, store=open_journal(storage)) as room:
        tournament = Tournament.open(room, sit_and_go(2))
        ann = room.player("ann", "tight", chips=100)
        storage.fail_next = 1
        with pytest.raises(StorageFailed):
            tournament.enter(ann)
        assert room.bank.balance("ann") == 100
        assert tournament.look(lambda director: list(director.players)) == []
        tournament.enter(ann)
        assert room.bank.balance("ann") == 0


def test_a_tournament_actor_that_crashes_comes_back_as_it_was() -> None:
    plan = plan_of()
    left = [3, 50, 51]

    def crash(director: Director) -> None:
        if left and director.hands >= left[0]:
            left.pop(0)
            raise RuntimeError("planted")

    runtime = StepRuntime()
    with Room(runtime, seed=plan.seed, store=open_journal(MemoryStorage())) as room:
        tournament = Tournament.open(room, plan.structure, plan=plan, told=crash)
        result = tournament.result(plan=plan)
        assert room.health().restarts == 3
        assert result.to_dict() == play_direct(plan).to_dict()
        assert room.audit().conserved
