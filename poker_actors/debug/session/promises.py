"""Promises: invariants of every room, checked on the actors' state after each step, in any delivery order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from poker_actors.actors import bank, runtime, table
from poker_actors.debug.session.incident import place_of
from poker_actors.debug.session.step import Step
from poker_actors.history.refereed import verdicts
from poker_actors.referee import Verdict
from poker_actors.rules import Hand

__all__ = ["PROMISES", "Watched", "broken_promise", "broken_promises"]


class Watched(Protocol):
    """The part of a playback that promises are checked on."""

    last_hand: Hand | None
    voided: bool

    @property
    def known(self) -> list[runtime.Address]:
        """The room's open addresses."""


PROMISES: Final = {
    "crash": "no actor crashes",
    "there": "the bank and the table are there",
    "books": "the books balance, and no chip appears",
    "stacks": "the table counts what the books say",
    "chips": "what goes into a hand comes out of it, and no card is there twice",
    "rules": "every turn, bet, bound and card is what the referee computes",
    "payouts": "each seat ends with what the rules give it",
    "ends": "a hand that is dealt ends",
}
"""The promises of every room, by name."""


def broken_promise(
    playback: Watched, step: Step | None, minted: int | None = None, *, over: bool = False
) -> str | None:
    """Describe the first promise broken after `step`; None when all hold.

    `minted` is the number of chips at the start, if none may be added. `over` also checks the end.
    """
    return next((text for _, text in broken_promises(playback, step, minted, over=over)), None)


def broken_promises(
    playback: Watched, step: Step | None, minted: int | None = None, *, over: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield the name of each broken promise and a description; see `broken_promise`."""
    for incident in step.incidents if step is not None else ():
        if incident.kind == "crash":
            yield "crash", f"{incident.who} {incident.text}"
    living = [one.actor for one in playback.known if one.actor is not None]
    books = [actor for actor in living if isinstance(actor, bank.BankActor)]
    tables = [actor for actor in living if isinstance(actor, table.TableActor)]
    if not books or not tables:
        # a room that is being closed stops its table and its bank: they are gone by order
        if any(one.stopping for one in playback.known):
            return
        if step is not None and step.number > 0 and isinstance(playback.last_hand, Hand):
            yield "there", "the bank or the table is gone"
        return
    yield from (("books", text) for text in _books(books[0], minted))
    for one in tables:
        yield from (("stacks", text) for text in _stacks(books[0], one))
    if playback.last_hand is not None and not playback.voided:
        yield from _checked(playback.last_hand)
    for one in tables:
        if over and one.memory.state.hand_id is not None:
            yield "ends", f"{one.memory.state.hand_id} has not ended and nothing is left to deliver"


def _books(books: bank.BankActor, minted: int | None) -> Iterator[str]:
    balances = books.ledger.balances()
    if sum(balances.values()):
        yield f"the books do not balance: {sum(balances.values())} chips too many"
    for account, chips in balances.items():
        if chips < 0 and account != "mint":
            yield f"{account} holds {chips}"
    if minted is not None and -balances.get("mint", 0) != minted:
        yield f"{minted} chips were minted, and the books know of {-balances.get('mint', 0)}"


def _stacks(books: bank.BankActor, tables: table.TableActor) -> Iterator[str]:
    """Compare the table's stacks with the books: chips on the table and in escrow for the hand."""
    state = tables.memory.state
    held: dict[str, int] = {}
    for account, chips in books.ledger.balances().items():
        if account.startswith((f"stack/{tables.config.name}/", f"escrow/{tables.config.name}/")):
            name = account.rsplit("/", 1)[1]
            held[name] = held.get(name, 0) + chips
    # between the end of a hand and its booking (`ended`) the two differ for good reason
    for seat in state.seats:
        if (
            seat is not None
            and seat.stack != held.get(seat.player, 0)
            and not isinstance(tables.memory.stage, table.Ended)
        ):
            yield f"the table counts {seat.stack} chips for {seat.player}, the books say {held.get(seat.player, 0)}"


def _hand(hand: Hand) -> Iterator[tuple[str, str]]:
    if min(hand.stacks) < 0 or min(hand.bets) < 0 or hand.pot < 0:
        yield "chips", f"chips below zero in {hand!r}"
    if hand.over and sum(hand.stacks) + hand.rake != sum(hand.starting):
        text = f"{sum(hand.starting)} chips went into the hand, {sum(hand.stacks)} came out"
        yield "chips", text + (f", and {hand.rake} of rake" if hand.rake else "")
    seen = [card for hole in hand.holes for card in hole] + list(hand.board)
    if len(set(seen)) != len(seen):
        yield "chips", f"a card twice in {hand!r}"
    for verdict in _VERDICTS.of(hand):
        yield ("payouts" if verdict.code in _AT_THE_END else "rules"), verdict.words


def _checked(hand: Hand) -> list[tuple[str, str]]:
    """Check a hand; rules that fail when they are asked, or when it is played again, break the promise, too."""
    found: list[tuple[str, str]] = []
    try:
        found.extend(_hand(hand))
    except Exception as error:  # noqa: BLE001  # the rules may be what is being debugged: their failure is the answer
        place = place_of(error.__traceback__)
        text = f"the rules fail when they are asked: {type(error).__name__}: {error} ({place})"
        found.append(("rules", text))
    return found


_AT_THE_END: Final = ("payout", "rake", "uncalled", "runs", "end", "score")


class _Verdicts:
    """The verdicts on the last hand asked about: most steps do not change it, and following it takes its time."""

    def __init__(self) -> None:
        self._kept: tuple[Hand | None, tuple[object, ...], tuple[Verdict, ...]] = (None, (), ())

    def of(self, hand: Hand) -> tuple[Verdict, ...]:
        """Return the verdicts on a hand as it is now."""
        # not the log alone: chips may be moved behind its back
        state = (len(hand.log), *hand.stacks, *hand.bets, hand.bet, *hand.to_act)
        kept, before, found = self._kept
        if kept is not hand or before != state:
            found = verdicts(hand)
            self._kept = (hand, state, found)  # at once: sessions on other threads ask, too
        return found


_VERDICTS: Final = _Verdicts()
