"""The bank alone: after each command its answer, the whole books, and what was written with the booking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from poker_actors.actors import StepRuntime
from poker_actors.actors.bank import (
    Accounts,
    Balance,
    Bank,
    BankActor,
    Book,
    CloseTable,
    Debt,
    Deposit,
    Escrow,
    Forfeit,
    Lend,
    Move,
    PayBack,
    Send,
    Settle,
    Stacks,
    TopUp,
    VoidHands,
    Withdraw,
)
from poker_actors.actors.command import GetState
from poker_actors.errors import BadSpec, PokerError, TableRefusal
from poker_actors.store import Booked, Booking, HandOver, Ledger

FACTS = (HandOver("main/hand-1", voided=True),)
"""Any: the bank writes what it is given."""


class Journal:
    """Books what is written, as the journal does whose ledger the bank has."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.rows: list[tuple[Any, ...]] = []
        self.deltas: list[dict[str, int]] = []

    def append(self, *facts: Any) -> None:
        if not facts:
            return  # as the journal does
        self.rows.append(tuple(fact for fact in facts if not isinstance(fact, Booked)))
        for fact in facts:
            if isinstance(fact, Booked):
                self.deltas.append(dict(fact.deltas))
                self.ledger.book(Booking(fact.deltas, fact.key))


class Desk:
    """A bank with the books that it is given."""

    def __init__(self, books: Mapping[str, int], *, journaled: bool) -> None:
        self.ledger = Ledger.of(dict(books))
        self.journal = Journal(self.ledger) if journaled else None
        address = StepRuntime().address("bank")
        address.runtime.start(BankActor(address, self.ledger, self.journal, {"ann", "bob"}))  # type: ignore[arg-type]
        self.address = address

    def after(self, command: object) -> tuple[Any, dict[str, int]]:
        """The answer, and what the books have changed by."""
        before = self.ledger.balances()
        answer = self.address.ask(command)
        now = self.ledger.balances()
        changed = {one: now.get(one, 0) - before.get(one, 0) for one in {*before, *now}}
        return answer, {one: chips for one, chips in sorted(changed.items()) if chips}


BOOKS = {
    "mint": -1000,
    "bank/ann": 500,
    "bank/bob": 100,
    "credit/bob": -40,
    "stack/main/ann": 200,
    "stack/main/bob": 40,
    "stack/side/ann": 130,
    "escrow/main/hand-1/ann": 50,
    "escrow/main/hand-1/bob": 15,
    "escrow/side/hand-9/ann": 5,
}

SETTLED = {"ann": 60, "bob": 4}
CHANGES: list[tuple[object, Any, dict[str, int], bool]] = [
    (Deposit("ann", 1, FACTS), 501, {"mint": -1, "bank/ann": 1}, True),
    (Withdraw("ann", 1), 499, {"mint": 1, "bank/ann": -1}, False),
    (Withdraw("ann", 500), 0, {"mint": 500, "bank/ann": -500}, False),
    (Lend("bob", 7), 47, {"credit/bob": -7, "bank/bob": 7}, False),
    (PayBack("bob", 40), 0, {"credit/bob": 40, "bank/bob": -40}, False),
    (Debt("bob"), 40, {}, False),
    (Balance("bob"), 100, {}, False),
    (Balance("nobody"), 0, {}, False),
    (Book({"bank/ann": -5, "bank/bob": 5}, "prize", FACTS), None, {"bank/ann": -5, "bank/bob": 5}, True),
    (Book({}, "", FACTS), None, {}, True),
    (Move("main", "ann", 30, FACTS), 230, {"bank/ann": -30, "stack/main/ann": 30}, True),
    (Move("main", "ann", -200), 0, {"bank/ann": 200, "stack/main/ann": -200}, False),
    (TopUp("ann", 5, "", "main"), 205, {"mint": -5, "stack/main/ann": 5}, False),
    (TopUp("ann", -5, "", "main"), 195, {"mint": 5, "stack/main/ann": -5}, False),
    (Send("ann", "side", "main", FACTS), 200, {"stack/main/ann": -200, "stack/side/ann": 200}, True),
    (Send("bob", "main", "side", FACTS), 0, {}, True),
    (Forfeit("ann", 1), 499, {"bank/ann": -1, "forfeit": 1}, False),
    (Forfeit("ann", 20, "main"), 180, {"stack/main/ann": -20, "forfeit": 20}, False),
    (
        Escrow("main", "main/hand-2", {"ann": 200, "bob": 40}, FACTS),
        None,
        {
            "stack/main/ann": -200,
            "stack/main/bob": -40,
            "escrow/main/hand-2/ann": 200,
            "escrow/main/hand-2/bob": 40,
        },
        True,
    ),
    (
        Settle("main", "main/hand-1", SETTLED, 0, FACTS, 1),
        {"ann": 260, "bob": 44},
        {
            "escrow/main/hand-1/ann": -50,
            "escrow/main/hand-1/bob": -15,
            "rake": 1,
            "stack/main/ann": 60,
            "stack/main/bob": 4,
        },
        True,
    ),
    (
        Settle("main", "main/hand-1", {"ann": 60, "bob": 5}, 100, FACTS),
        {"ann": 100, "bob": 100},
        {
            "bank/ann": 160,
            "bank/bob": -55,
            "escrow/main/hand-1/ann": -50,
            "escrow/main/hand-1/bob": -15,
            "stack/main/ann": -100,
            "stack/main/bob": 60,
        },
        True,
    ),
    (Stacks("main"), {"ann": 200, "bob": 40}, {}, False),
    (Stacks("mai"), {}, {}, False),
    (
        VoidHands("main", FACTS),
        {"ann": 250, "bob": 55},
        {
            "escrow/main/hand-1/ann": -50,
            "escrow/main/hand-1/bob": -15,
            "stack/main/ann": 50,
            "stack/main/bob": 15,
        },
        True,
    ),
    (VoidHands("lobby"), {}, {}, False),
    (VoidHands("lobby", FACTS), {}, {}, True),
    (
        CloseTable("main", FACTS),
        None,
        {
            "bank/ann": 250,
            "bank/bob": 55,
            "escrow/main/hand-1/ann": -50,
            "escrow/main/hand-1/bob": -15,
            "stack/main/ann": -200,
            "stack/main/bob": -40,
        },
        True,
    ),
    (CloseTable("lobby"), None, {}, False),
    (CloseTable("lobby", FACTS), None, {}, True),
    (GetState(), BOOKS, {}, False),
]


@pytest.mark.parametrize("journaled", [False, True])
@pytest.mark.parametrize(
    ("command", "answer", "changed", "with_facts"), CHANGES, ids=[repr(one[0])[:60] for one in CHANGES]
)
def test_a_command_books_this_and_nothing_else(
    command: object, answer: Any, changed: dict[str, int], with_facts: bool, journaled: bool
) -> None:
    desk = Desk(BOOKS, journaled=journaled)
    assert desk.after(command) == (answer, dict(sorted(changed.items())))
    assert sum(desk.ledger.balances().values()) == 0
    if desk.journal is not None:
        wrote = changed or with_facts
        assert desk.journal.rows == ([FACTS if with_facts else ()] if wrote else [])


@pytest.mark.parametrize("journaled", [False, True])
@pytest.mark.parametrize(
    "command",
    [
        Settle("main", "main/hand-1", {"ann": 50, "bob": 15}, 0),
        TopUp("ann", 5, "knockout", "main"),
        Book({"bank/ann": -5, "bank/bob": 5}, "prize"),
    ],
)
def test_what_has_a_name_happens_once(command: object, journaled: bool) -> None:
    desk = Desk(BOOKS, journaled=journaled)
    once = desk.after(command)[0]
    assert desk.after(command) == (once, {})
    assert desk.journal is None or len(desk.journal.rows) == 1


REFUSED: list[tuple[object, type[PokerError], str]] = [
    (Deposit("carl", 5), BadSpec, "there is no player 'carl' in this room"),
    (Deposit("c" * 100, 5), BadSpec, f"there is no player '{'c' * 79} in this room"),
    (Deposit("ann", 0), BadSpec, "deposit is 0: the minimum is 1"),
    (Deposit("ann", 1.5), BadSpec, "deposit is 1.5: "),  # type: ignore[arg-type]
    (Withdraw("ann", 0), BadSpec, "withdrawal is 0: the minimum is 1"),
    (Withdraw("ann", 501), TableRefusal, ""),
    (Accounts("main"), TableRefusal, "table 'main' keeps no ledger"),
    (Lend("carl", 5), BadSpec, "there is no player 'carl' in this room"),
    (Lend("ann", "5"), BadSpec, "credit is '5': "),  # type: ignore[arg-type]
    (Lend("ann", -5), BadSpec, "credit is -5: the minimum is 0"),
    (PayBack("bob", "5"), BadSpec, "credit is '5': "),  # type: ignore[arg-type]
    (PayBack("bob", -5), BadSpec, "credit is -5: the minimum is 0"),
    (PayBack("bob", 41), TableRefusal, "bob owes 40: cannot pay back 41"),
    (PayBack("ann", 1), TableRefusal, "ann owes 0: cannot pay back 1"),
    (Forfeit("ann", 0), BadSpec, "forfeit is 0: the minimum is 1"),
    (Forfeit("ann", None), BadSpec, "forfeit is None: "),
    (Move("main", "ann", 501), TableRefusal, ""),
    (Escrow("main", "main/hand-2", {"ann": 201}), TableRefusal, ""),
]


@pytest.mark.parametrize(("command", "kind", "words"), REFUSED, ids=[repr(one[0])[:60] for one in REFUSED])
def test_it_is_refused_in_these_words_and_nothing_is_booked(
    command: object, kind: type[PokerError], words: str
) -> None:
    desk = Desk(BOOKS, journaled=False)
    with pytest.raises(kind) as refused:
        desk.address.ask(command)
    assert str(refused.value).startswith(words)
    if kind is TableRefusal:
        assert refused.value.code == ("no_ledger" if isinstance(command, Accounts) else "insufficient_funds")
    assert desk.ledger.balances() == BOOKS


def test_callers_reach_each_command_by_its_name() -> None:
    bank = Bank(Desk(BOOKS, journaled=False).address)
    assert bank.deposit("ann", 3) == 503
    assert bank.withdraw("ann", 1) == 502
    assert bank.forfeit("ann", 2) == 500
    assert bank.lend("bob", 4) == 44
    assert bank.pay_back("bob", 14) == 30
    assert (bank.debt("bob"), bank.balance("bob"), bank.balance("ann")) == (30, 90, 500)


def test_a_hand_without_rake_opens_no_account_of_the_house() -> None:
    books = {"mint": -10, "escrow/main/hand-1/ann": 10}
    desk = Desk(books, journaled=True)
    assert desk.journal is not None
    desk.address.ask(Settle("main", "main/hand-1", {"ann": 10}, 0))
    assert desk.journal.deltas == [{"escrow/main/hand-1/ann": -10, "stack/main/ann": 10}]
