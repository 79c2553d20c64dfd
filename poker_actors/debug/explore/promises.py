"""What must hold after every step, whatever the order of delivery; checked on the state of the actors."""

from __future__ import annotations

from collections.abc import Iterator

from poker_actors.actors import bank, table
from poker_actors.debug.session import Playback, Step
from poker_actors.rules import Hand

__all__ = ["broken_promise"]


def broken_promise(playback: Playback, step: Step | None, minted: int) -> str | None:
    """Say which promise is broken after `step` (None: at the end); None when all hold.

    `minted` are the chips that were made when the session began.
    """
    return next(_broken(playback, step, minted), None)


def _broken(playback: Playback, step: Step | None, minted: int) -> Iterator[str]:
    for one in step.handled if step is not None else ():
        if one.outcome.startswith("crashed"):
            yield f"{one.delivery.receiver} {one.outcome} at {type(one.delivery.message).__name__}"
    books = playback.room.bank.address.actor
    tables = playback.table.address.actor
    if not isinstance(books, bank.BankActor) or not isinstance(tables, table.TableActor):
        yield "the bank or the table is gone"
        return
    yield from _books(books, minted, playback)
    yield from _stacks(books, tables)
    if playback.last_hand is not None:
        yield from _hand(playback.last_hand)
    if step is None and tables.memory.state.hand_id is not None:
        yield f"{tables.memory.state.hand_id} has not ended and nothing is left to deliver"


def _books(books: bank.BankActor, minted: int, playback: Playback) -> Iterator[str]:
    balances = books.ledger.balances()
    if sum(balances.values()):
        yield f"the books do not balance: {sum(balances.values())} chips too many"
    for account, chips in balances.items():
        if chips < 0 and account != "mint":
            yield f"{account} holds {chips}"
    if playback.script.hands == 1 and -balances.get("mint", 0) != minted:
        yield f"{minted} chips were minted, and the books know of {-balances.get('mint', 0)}"


def _stacks(books: bank.BankActor, tables: table.TableActor) -> Iterator[str]:
    """What the table counts is what the books say, on the table or put aside for the hand."""
    state = tables.memory.state
    held: dict[str, int] = {}
    for account, chips in books.ledger.balances().items():
        if account.startswith((f"stack/{tables.config.name}/", f"escrow/{tables.config.name}/")):
            name = account.rsplit("/", 1)[1]
            held[name] = held.get(name, 0) + chips
    for seat in state.seats:
        if seat is not None and seat.stack != held.get(seat.player, 0) and tables.memory.ended is None:
            yield f"the table counts {seat.stack} chips for {seat.player}, the books say {held.get(seat.player, 0)}"


def _hand(hand: Hand) -> Iterator[str]:
    if min(hand.stacks) < 0 or min(hand.bets) < 0 or hand.pot < 0:
        yield f"chips below zero in {hand!r}"
    if hand.over and sum(hand.stacks) != sum(hand.starting):
        yield f"{sum(hand.starting)} chips went into the hand, {sum(hand.stacks)} came out"
    seen = [card for hole in hand.holes for card in hole] + list(hand.board)
    if len(set(seen)) != len(seen):
        yield f"a card twice in {hand!r}"
