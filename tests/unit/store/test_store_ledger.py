"""The ledger alone: what it refuses, which bookings are made once, and what it counts at a table."""

from __future__ import annotations

from typing import Any

import pytest

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.store import Booking, Ledger, TableAccount
from poker_actors.store.ledger import MINT

HAND = "main/hand-1"


def ledger_of(*counted: str) -> Ledger:
    """Ann has 100 chips, bob 50 and 20 borrowed ones; these tables are counted."""
    ledger = Ledger.of({MINT: -150, "credit/bob": -20, "bank/ann": 100, "bank/bob": 70}, ["old/1", "main/1"])
    for table in counted:
        ledger.count(table)
    return ledger


def book(ledger: Ledger, key: str = "", **deltas: int) -> bool:
    return ledger.book(Booking({name.replace("_", "/"): delta for name, delta in deltas.items()}, key))


def test_all_chips_come_from_the_mint_or_are_lent() -> None:
    assert ledger_of().minted == 170
    assert Ledger().minted == 0


@pytest.mark.parametrize(
    ("balances", "why"),
    [
        ({MINT: -1, "bank/ann": 2}, "the balances of 2 accounts do not add up to zero"),
        ({"bank/ann": -1, "bank/bob": 1}, "bank/ann holds -1: chips must be whole numbers, 0 or more"),
        ({MINT: -1, "bank/ann": True}, "bank/ann holds True: "),
        ({MINT: -1.0, "bank/ann": 1}, "mint holds -1.0: "),
    ],
)
def test_balances_that_cannot_be_are_refused(balances: Any, why: str) -> None:
    with pytest.raises(BadSpec, match=why):
        Ledger.of(balances)


def test_a_booking_is_made_whole_or_not_at_all() -> None:
    ledger = ledger_of()
    before = ledger.balances()
    with pytest.raises(TableRefusal, match="bank/ann holds 100, but 101 are asked for") as refused:
        book(ledger, bank_bob=101, bank_ann=-101)
    assert refused.value.code == "insufficient_funds"
    with pytest.raises(BadSpec, match="does not balance"):
        book(ledger, bank_bob=1)
    assert ledger.balances() == before
    assert book(ledger, bank_bob=100, bank_ann=-100)
    assert ledger.balances("bank/") == {"bank/bob": 170}, "an account that is empty is none"
    assert book(ledger, credit_ann=-30, bank_ann=30), "who borrows owes"


def test_a_booking_with_a_key_is_made_once_until_its_table_is_forgotten() -> None:
    ledger = ledger_of()
    assert book(ledger, "main/2", bank_ann=-1, bank_bob=1)
    assert not book(ledger, "main/2", bank_ann=-1, bank_bob=1)
    for _ in range(2):
        assert book(ledger, bank_ann=-1, bank_bob=1), "without a key, as often as asked"
    assert ledger.balance("bank/ann") == 97
    part = ledger.part([Booking({"bank/ann": -1, "bank/bob": 1}, "main/2"), Booking({"mint": 0}, "main/3")])
    assert (part.keys, part.balances()) == (["main/2"], {"bank/ann": 97, "bank/bob": 73, "mint": -150})
    ledger.forget("main/")
    assert ledger.keys == ["old/1"]
    assert book(ledger, "main/2", bank_ann=-1, bank_bob=1)


def test_only_so_many_keys_are_remembered_the_last_ones() -> None:
    ledger = Ledger()
    for number in range(1_001):
        assert book(ledger, f"{number}", mint=0)
    assert (ledger.keys[0], len(ledger.keys)) == ("1", 1_000)


def test_what_is_brought_from_the_bank_and_taken_back_is_counted_and_nothing_else() -> None:
    ledger = ledger_of("main", "ann")  # one is called as a player is
    book(ledger, bank_ann=-60, stack_main_ann=60)
    book(ledger, bank_bob=-10, stack_other_bob=10)
    book(ledger, mint=-5, stack_main_eve=5)
    ledger.book(Booking({"stack/main/ann": -20, f"escrow/{HAND}/ann": 20}))
    ledger.book(Booking({"stack/main/eve": -5, f"escrow/{HAND}/eve": 5}))
    assert ledger.at("main") == {"stack/main/ann": 40, f"escrow/{HAND}/ann": 20, f"escrow/{HAND}/eve": 5}
    assert ledger.counts("main") == {"ann": (1, 60, 0)}, "no bank has given eve her chips"
    assert ledger.accounts("main") == (TableAccount("ann", 1, 60, 0, 60),)
    ledger.book(Booking({f"escrow/{HAND}/ann": -20, f"escrow/{HAND}/eve": -5, "stack/main/ann": 25}))
    book(ledger, bank_ann=65, stack_main_ann=-65)
    book(ledger, bank_ann=-10, stack_main_ann=10)
    (ann,) = ledger.accounts("main") or ()
    assert ann == TableAccount("ann", 2, 70, 65, 10)
    assert ann.net == 5
    assert ledger.accounts("ann") == ()
    assert ledger.accounts("other") is None
    copy = ledger.copy()
    ledger.uncount("main")
    assert ledger.accounts("main") is None
    assert copy.accounts("main") == (ann,)


@pytest.mark.parametrize("numbers", [[1, 2], [1, 2, 3, 4], [1, -2, 3], [True, 2, 3], [1.0, 2, 3]])
def test_counts_that_cannot_be_are_refused(numbers: Any) -> None:
    with pytest.raises(BadSpec, match="'ann' cannot have brought and taken"):
        Ledger().count("main", {"ann": numbers})
