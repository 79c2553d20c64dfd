"""A table's ledger says who has brought and taken what: counted from the bookings, through crashes and starts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.actors import Bank, Player, Room, StepRuntime, Table
from poker_actors.errors import BadJournal, BadSpec, StorageFailed, TableRefusal
from poker_actors.rules.cash import CashOptions, Rake
from poker_actors.store import MemoryStorage, Payment, RoomImage, TableAccount, open_journal, settlement
from tests.actors.told import CRASH

NAMES = ("ann", "bob", "cyd")
CHIPS = 100_000


class Recount:
    """A table's ledger from the text of the records alone, by a way of its own: from stacks, not from the bank.

    Chips that come to a player's stack and escrow in a booking without a key were brought, those that go were taken. A
    booking with a key pays a hand: there chips change hands, and what players had and have differ by the bank's part.
    """

    def __init__(self, table: str) -> None:
        self.table = table
        self.times: dict[str, int] = defaultdict(int)
        self.bought: dict[str, int] = defaultdict(int)
        self.cashed: dict[str, int] = defaultdict(int)
        self.there: dict[str, int] = defaultdict(int)
        self.rake = 0
        self._paid: set[str] = set()

    def take(self, rows: Sequence[Any]) -> Recount:
        for row in rows:
            if row.kind == "book":
                told = json.loads(row.payload)
                self._booked(told["deltas"], told["key"])
        return self

    def _booked(self, deltas: dict[str, int], key: str) -> None:
        if key and key in self._paid:
            return
        self._paid.add(key)
        came: dict[str, int] = defaultdict(int)
        for account, chips in deltas.items():
            if account.startswith((f"stack/{self.table}/", f"escrow/{self.table}/")):
                came[account.split("/")[-1]] += chips
        for player, chips in came.items():
            self.there[player] += chips
            brought = chips if not key else -deltas.get(f"bank/{player}", 0)
            self.times[player] += brought > 0
            self.bought[player] += max(brought, 0)
            self.cashed[player] -= min(brought, 0)
        if came:
            self.rake += deltas.get("rake", 0)

    @property
    def accounts(self) -> dict[str, tuple[int, int, int, int]]:
        here = [one for one in self.bought if self.bought[one] or self.cashed[one]]
        return {
            one: (self.times[one], self.bought[one], self.cashed[one], self.there[one])
            for one in sorted(here)
        }


def counted(accounts: Sequence[TableAccount]) -> dict[str, tuple[int, int, int, int]]:
    return {
        one.player: (one.times, one.bought, one.cashed, one.stack)
        for one in sorted(accounts, key=lambda one: one.player)
    }


def opened(storage: MemoryStorage, *, behind: bool = False) -> Room:
    return Room(StepRuntime(), seed=1, store=open_journal(storage, snapshot_every=40, behind=behind))


class Taped(MemoryStorage):
    """A storage that keeps all records for the one who counts again: a snapshot drops them."""

    def __init__(self) -> None:
        super().__init__()
        self.tape: list[Any] = []
        self.full = False

    def write(self, rows: Sequence[Any], after: int) -> None:
        if self.full:
            raise StorageFailed("the disk is full")
        super().write(rows, after)
        self.tape += rows


def check(bank: Bank, storage: Taped, table: str) -> tuple[TableAccount, ...]:
    accounts, again = bank.accounts(table), Recount(table).take(storage.tape)
    assert counted(accounts) == again.accounts
    assert sum(one.net for one in accounts) == -again.rake
    return accounts


def does(room: Room, table: Table, players: Sequence[Player], what: str, who: int, chips: int) -> None:
    player = players[who % len(players)]
    with suppress(TableRefusal):
        if what == "sit":
            table.sit(player)
            table.buy_in(player, chips)
        elif what == "buy":
            table.buy_in(player, chips)
        elif what == "out":
            table.cash_out(player)
        elif what == "leave":
            table.leave_after_hand(player)
        elif what == "deal":
            table.deal().result(timeout=60)
        elif what == "begin":
            table.deal()
        elif what == "crash":
            table.address.tell(CRASH)
        elif what == "end":
            live = room.live_hands.get(table.name)
            if live is not None:
                live.result(timeout=60)


COMMANDS = st.tuples(
    st.sampled_from(("sit", "sit", "buy", "out", "leave", "deal", "deal", "begin", "end", "crash", "start")),
    st.integers(0, 2),
    st.integers(1, 500),
)


@pytest.mark.parametrize("options", [None, CashOptions(Rake(500))], ids=["plain", "rake"])
@pytest.mark.parametrize("restack", [0, 200])
@given(commands=st.lists(COMMANDS, max_size=40))
def test_a_ledger_is_what_the_records_come_to(
    options: CashOptions | None, restack: int, commands: list[tuple[str, int, int]]
) -> None:
    storage = Taped()
    room = opened(storage)
    room.open_table("main", seats=3, stakes="5/10", options=options, restack=restack, ledger=True)
    room.open_table("other", seats=3, stakes="5/10")
    for name in NAMES:
        room.player(name, "random", chips=CHIPS)
    for what, who, chips in commands:
        if what == "start":  # of the records that are there: nobody has ended anything
            room.books.abandon()
            room = opened(storage)
        table, players = room.tables["main"], [room.players[name] for name in NAMES]
        does(room, table, players, what, who, chips)
        check(room.bank, storage, "main")
    with pytest.raises(TableRefusal) as refused:
        room.bank.accounts("other")
    assert refused.value.code == "no_ledger"
    room.close()


def seats(room: Room, **settings: Any) -> tuple[Table, Player, Player]:
    table = room.open_table("main", seats=2, stakes="5/10", ledger=True, **settings)
    ann, bob = (room.player(name, "caller", chips=CHIPS) for name in ("ann", "bob"))
    for player in (ann, bob):
        table.sit(player)
        table.buy_in(player, 1_000)
    return table, ann, bob


def test_a_room_without_a_journal_keeps_ledgers_too(room: Room) -> None:
    table, ann, bob = seats(room)
    table.deal().result(timeout=60)
    table.buy_in(ann, 500)
    table.cash_out(bob)
    one, other = room.bank.accounts(table)
    assert (one.player, one.times, one.bought, one.cashed) == ("ann", 2, 1_500, 0)
    assert (other.player, other.times, other.bought, other.stack) == ("bob", 1, 1_000, 0)
    assert one.net == -other.net
    assert one.stack == 1_500 + one.net
    table.cash_out(ann)
    table.leave(ann)
    table.leave(bob)
    room.close_table("main")
    with pytest.raises(TableRefusal, match="table 'main' keeps no ledger"):
        room.bank.accounts("main")


def test_chips_in_a_running_hand_stand_at_the_table() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, *_ = seats(room)
        table.deal()
        assert room.audit().hands == 2_000
        assert [one.stack for one in room.bank.accounts("main")] == [1_000, 1_000]


def test_what_could_not_be_written_is_not_counted() -> None:
    storage = Taped()
    room = opened(storage, behind=True)
    table, ann, _ = seats(room)
    assert room._journal is not None
    room._journal.wait()
    before = room.bank.accounts("main")
    storage.full = True
    table.buy_in(ann, 300)
    assert room.bank.accounts("main") != before
    with pytest.raises(StorageFailed):
        room._journal.wait()
    again = room._journal.again()
    assert again.look(lambda image: image.ledger.accounts("main")) == before
    room.books.abandon()
    again.close()


def test_a_closed_table_has_no_ledger_after_a_start_either() -> None:
    storage = Taped()
    room = opened(storage)
    table, ann, bob = seats(room)
    for player in (ann, bob):
        table.cash_out(player)
        table.leave(player)
    room.close_table("main")
    room.open_table("second", seats=2, stakes="5/10", ledger=True)
    room.close()
    assert storage.snapshot is not None
    assert "main" not in storage.snapshot.payload
    with opened(storage) as room:
        assert room.bank.accounts("second") == ()


def test_records_of_tables_without_a_ledger_are_as_they_were() -> None:
    for ledger in (False, True):
        storage = Taped()
        room = opened(storage)
        room.open_table("main", seats=2, stakes="5/10", ledger=ledger)
        room.open_table("other", seats=2, stakes="5/10")
        room.close()
        assert storage.snapshot is not None
        written = "".join(row.payload for row in storage.tape) + storage.snapshot.payload
        assert ("ledger" in written) is ledger
        assert '"counts"' not in written, "nobody has brought anything"


@pytest.mark.parametrize(
    "counts", ['{"ann":[1,2]}', '{"ann":[1,-2,0]}', '{"ann":[1,true,0]}', '{"ann":"abc"}', "7"]
)
def test_a_snapshot_with_counts_that_cannot_be_is_refused(counts: str) -> None:
    storage = Taped()
    room = opened(storage)
    seats(room)
    text = room._journal.look(lambda image: image.to_json()) if room._journal is not None else ""
    room.close()
    assert '"counts":{"main":{"ann":[1,1000,0],"bob":[1,1000,0]}}' in text
    start, end = text.split('"counts":{"main":')[0], "}}"
    with pytest.raises(BadJournal, match="the snapshot cannot be read"):
        RoomImage.from_json(f'{start}"counts":{{"main":{counts}{end}')


@given(nets=st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(-500, 500), max_size=12))
def test_payments_settle_and_are_fewer_than_the_players(nets: dict[str, int]) -> None:
    nets["rest"] = -sum(nets.values())
    payments = settlement(nets)
    left = dict(nets)
    for one in payments:
        assert one.chips > 0
        assert nets[one.payer] < 0 < nets[one.payee], "nobody is paid to pass it on"
        left[one.payer] += one.chips
        left[one.payee] -= one.chips
    assert not any(left.values())
    assert len(payments) <= max(0, sum(net != 0 for net in nets.values()) - 1)
    assert settlement(dict(reversed(nets.items()))) == payments, "by what is owed and names, not by an order"


def test_who_owes_most_pays_who_is_owed_most() -> None:
    nets = {"ann": 700, "bob": -400, "cyd": -400, "dan": 100, "eve": 0}
    assert settlement(nets) == (
        Payment("bob", "ann", 400),
        Payment("cyd", "ann", 300),
        Payment("cyd", "dan", 100),
    )
    with pytest.raises(BadSpec, match="the nets of 1 players add up to 5, not zero"):
        settlement({"ann": 5})
