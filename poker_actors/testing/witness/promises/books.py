"""Books, journal and deck: chips add up, everything told is written, and cards are those committed to."""

from __future__ import annotations

from typing import Any

from poker_actors.actors import DeckOpened, HandResult, HandState, TableNews, TableState
from poker_actors.actors.messages import (
    Act,
    Balance,
    Deal,
    Debt,
    Deposit,
    GetState,
    Lend,
    PayBack,
    Sit,
    SitIn,
    SitOut,
    Withdraw,
)
from poker_actors.cards import Card
from poker_actors.store import RoomImage, bank_account, credit_account
from poker_actors.testing.witness.promise import Answer, Heard, Hears, Promise


class BooksBalance(Promise):
    """The accounts balance."""

    name = "books"
    says = "The books balance, and nobody but the house owes chips."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(answered={GetState: self.books})

    def books(self, heard: Heard[Answer[GetState, Any]]) -> None:
        """Add up all accounts."""
        balances = heard.what.value
        if heard.who != "bank":
            return
        total = sum(balances.values())
        self.holds(not total, heard, lambda: f"the books do not balance: {total} chips too many")
        below = {
            account: chips
            for account, chips in balances.items()
            if chips < 0 and account.split("/")[0] not in ("mint", "credit")
        }
        self.holds(not below, heard, lambda: f"accounts are below zero: {below}")


class BalancesAreKept(Promise):
    """A balance stays as told until chips are moved."""

    name = "balance"
    says = "A balance or a debt told by the bank stands until a command moves chips of that player."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._told: dict[str, Heard[int]] = {}
        self._debts: dict[str, Heard[int]] = {}

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        counted = {Deposit: self.counted, Withdraw: self.counted, Balance: self.balance}
        counted |= dict.fromkeys((Lend, PayBack, Debt), self.debt)
        return Hears(asked={object: self.asked}, answered={**counted, GetState: self.books})

    def asked(self, heard: Heard[Any]) -> None:
        """Forget the players whose chips a command to the bank may move."""
        if heard.who == "bank" and not isinstance(heard.what, Balance | GetState):
            if isinstance(heard.what, Lend | PayBack):
                self._debts.pop(heard.what.player, None)
            for player in [*self._told]:
                if player == getattr(heard.what, "player", None) or player in getattr(
                    heard.what, "stacks", ()
                ):
                    del self._told[player]
            if hasattr(heard.what, "deltas") or type(heard.what).__name__ == "CloseTable":
                self._told.clear()

    def debt(self, heard: Heard[Answer[Any, int]]) -> None:
        """Compare a debt with the one told before, and note it."""
        player, debt = heard.what.command.player, heard.what.value
        self._owes(heard, player, debt)
        self._debts[player] = Heard(heard.number, heard.who, debt)

    def _owes(self, heard: Heard[Any], player: str, debt: int) -> None:
        told = self._debts.get(player)
        if told is not None:
            what = f"{player} owes {told.what} (heard {told.number}), and now {debt}"
            self.holds(told.what == debt, heard, lambda: what)

    def counted(self, heard: Heard[Answer[Any, int]]) -> None:
        """Note a balance."""
        self._told[heard.what.command.player] = Heard(heard.number, heard.who, heard.what.value)

    def balance(self, heard: Heard[Answer[Balance, int]]) -> None:
        """Check a balance, and note it."""
        self._is(heard, heard.what.command.player, heard.what.value)
        self._told[heard.what.command.player] = Heard(heard.number, heard.who, heard.what.value)

    def books(self, heard: Heard[Answer[GetState, Any]]) -> None:
        """Check all balances against the books."""
        if heard.who == "bank":
            for player in self._debts:
                self._owes(heard, player, -heard.what.value.get(credit_account(player), 0))
            for player in self._told:
                self._is(heard, player, heard.what.value.get(bank_account(player), 0))

    def _is(self, heard: Heard[Any], player: str, chips: int) -> None:
        told = self._told.get(player)
        if told is not None:
            self.holds(
                told.what == chips,
                heard,
                lambda: f"{player} has {told.what} at the bank (heard {told.number}), and now {chips}",
            )


class ToldIsWritten(Promise):
    """Whatever is told is in the journal already."""

    name = "written"
    says = "Everything told is already in the journal: no action, seat or answer comes before its record."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self.image: Any = None
        """``journal.look``; None in a room without a journal"""

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(
            answered={
                Act: self.acted,
                Sit: self.seated,
                SitOut: self.seated,
                SitIn: self.seated,
                GetState: self.picture,
            }
        )

    def sends(self, number: int, state: HandState) -> None:
        """Check, just before a hand tells a change, that the journal has the action behind it."""
        if self.image is not None:
            self._has(state.table, state.hand_id, state.seq, Heard(number, "whoever plays", state))

    def acted(self, heard: Heard[Answer[Act, Any]]) -> None:
        """Check that an accepted action is in the journal."""
        turn = heard.what.command.turn
        if self.image is not None and heard.what.value is None:
            self._has(turn.hand_id.rpartition("/")[0], turn.hand_id, turn.seq + 1, heard)

    def _has(self, table: str, hand_id: str, seq: int, heard: Heard[Any]) -> None:
        def look(image: RoomImage) -> int | None:
            there = image.tables.get(table)
            if there is None or there.dealt is None:
                return 0
            return len(there.log) if there.dealt.hand_id == hand_id else None

        written = self.image(look)
        if written is not None:  # a later hand is there: this one was written whole
            what = f"{heard.who} is told of {seq} actions of {hand_id}, and the journal has {written}"
            self.holds(written >= seq, heard, lambda: what)

    def seated(self, heard: Heard[Answer[Any, Any]]) -> None:
        """Check that a seat, or sitting out, is in the journal."""
        if self.image is None or not heard.table:
            return
        command = heard.what.command
        kept = self.image(lambda image: _seats(image, heard.table))
        out = (
            [True]
            if isinstance(command, SitOut)
            else [False]
            if isinstance(command, SitIn)
            else [True, False]
        )
        self.holds(
            any((command.player, one) in kept for one in out),
            heard,
            lambda: f"{type(command).__name__} of {command.player} was answered, and the journal has {kept}",
        )

    def picture(self, heard: Heard[Answer[GetState, Any]]) -> None:
        """Check that every seat in a table's state is in the journal."""
        state = heard.what.value
        if self.image is None or not isinstance(state, TableState):
            return
        told = [(seat.player, seat.out) for seat in state.seats if seat is not None]
        kept = self.image(lambda image: _seats(image, heard.table))
        self.holds(
            [player for player, _ in told] == [player for player, _ in kept],
            heard,
            lambda: f"{heard.table} says that {told} sit there, and the journal has {kept}",
        )


def _seats(image: RoomImage, table: str) -> list[tuple[str, bool]]:
    there = image.tables.get(table)
    return [] if there is None else [(seat[0], seat[1]) for seat in there.seats if seat is not None]


class DeckIsDealt(Promise):
    """The deck is dealt as given or committed."""

    name = "deck"
    says = "A given deck is dealt in its order; a committed deck is proven by the cards seen."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._given: dict[str, tuple[Card, ...]] = {}
        """table -> the cards of the deck it was asked to deal, while nobody knows the hand's name"""

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(
            {TableNews: self.news, DeckOpened: self.opened, HandResult: self.result},
            asked={Deal: self.asked},
            answered={Deal: self.dealt},
        )

    def asked(self, heard: Heard[Deal]) -> None:
        """Note a deck that the caller gives, before the hand draws from it."""
        deck = heard.what.deck
        self._given.pop(heard.table, None)
        if deck is not None:
            copy = deck.copy()
            self._given[heard.table] = copy.draw(len(copy))

    def dealt(self, heard: Heard[Answer[Deal, Any]]) -> None:
        """Note the hand that has the deck."""
        dealt, given = heard.what.value, self._given.pop(heard.table, None)
        if given is not None:
            self.note(dealt.hand_id, "given", heard, given)
        elif dealt.commitment:
            self.stays(dealt.hand_id, "commitment", heard, dealt.commitment, "the commitment")

    def news(self, heard: Heard[TableNews]) -> None:
        """Remember the commitment that everybody is told before the deal."""
        news = heard.what
        if news.what == "hand_started" and news.hand_id is not None and news.commitment:
            self.stays(news.hand_id, "commitment", heard, news.commitment, "the commitment")

    def opened(self, heard: Heard[DeckOpened]) -> None:
        """Check the proofs of the cards seen against the commitment."""
        record = heard.what.record
        self.stays(record.hand_id, "commitment", heard, record.commitment.hex(), "the commitment")
        flaw = record.flaw()
        self.holds(flaw is None, heard, lambda: f"the deck of {record.hand_id}: {flaw}")

    def result(self, heard: Heard[HandResult]) -> None:
        """Compare the cards with the deck's order: hole cards, then the board; in other games, as dealt."""
        hand = heard.what.hand
        given = self.fact(heard.what.hand_id, "given")
        if hand is None or given is None or not hand.game.plain:
            return
        before = hand.game.hole_cards * len(heard.what.positions.dealt)
        board = given.what[before : before + len(hand.board)]
        self.holds(
            tuple(hand.board) == board,
            heard,
            lambda: (
                f"{heard.what.hand_id} was given a deck with {_text(board)} for the board, "
                f"and dealt {_text(tuple(hand.board))} to it"
            ),
        )


def _text(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))
