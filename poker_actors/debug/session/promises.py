"""Promises: invariants of every room, checked on the actors' state after each step, in any delivery order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Literal, TypeVar

import attrs

from poker_actors.actors import Delivery, bank, table
from poker_actors.bots import function_at
from poker_actors.debug.session.observed import Step
from poker_actors.debug.session.playback import Playback
from poker_actors.debug.session.record import Incident, place_of, place_of_code
from poker_actors.debug.state import room_state
from poker_actors.errors import BadSpec
from poker_actors.history.refereed import AT_THE_END, verdicts
from poker_actors.referee import Verdict
from poker_actors.rules import Hand

PROMISES: Final = {
    "crash": "no actor crashes",
    "there": "the bank and the table are there",
    "books": "the books balance, and no chip appears",
    "stacks": "the table counts what the books say",
    "chips": "what goes into a hand comes out of it, and no card is there twice",
    "rules": "every turn, bet, bound, card and move of the button is what the referee computes",
    "payouts": "each seat ends with what the rules give it",
    "ends": "a hand that is dealt ends",
}
"""The promises of every room, by name."""


def broken_promises(
    playback: Playback, step: Step | None, minted: int | None = None, *, over: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield the name of each promise broken after `step`, and a description.

    `minted` is the number of chips at the start, if none may be added. `over` also checks the end.
    """
    for incident in step.incidents if step is not None else ():
        if incident.kind == "crash":
            yield "crash", f"{incident.who} {incident.text}"
        elif incident.kind == "promise":
            yield incident.who, f"{incident.who} {incident.text}"
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
    for flaw in [flaw for _, flaw in playback.moves.values() if flaw is not None]:
        yield "rules", f"button and blinds move: by the rules {flaw} (TDA 32, 34-B)"
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
        yield f"{minted} chips were minted, but the books know of {-balances.get('mint', 0)}"


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
        yield ("payouts" if verdict.code in AT_THE_END else "rules"), verdict.words


def _checked(hand: Hand) -> list[tuple[str, str]]:
    """Check a hand; if the rules raise when queried or when the hand is replayed, that breaks the promise too."""
    found: list[tuple[str, str]] = []
    try:
        found.extend(_hand(hand))
    except Exception as error:  # noqa: BLE001  # the rules may be what is being debugged: their failure is the answer
        place = place_of(error.__traceback__)
        text = f"the rules fail when queried: {type(error).__name__}: {error} ({place})"
        found.append(("rules", text))
    return found


class _Verdicts:
    """The verdicts on the last hand asked about, cached: most steps do not change the hand, and judging it is slow."""

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


# -- promises of your own ---------------------------------------------------------------------


class Moment:
    """A room right after a delivery, the argument of your own promises. Do not change it."""

    def __init__(self, playback: Playback, step: Step, *, over: bool) -> None:
        self._playback = playback
        self.step: int = step.number + 1
        """number of the delivery, from 1"""
        self.delivery: Delivery = step.delivery
        """the message delivered, with its `sender` and `receiver`"""
        self.over: bool = over
        """whether nothing is left to deliver"""

    @property
    def message(self) -> Any:
        """The message delivered."""
        return self.delivery.message

    @property
    def hand(self) -> Hand | None:
        """The current or last hand; None before the first deal."""
        return self._playback.last_hand

    @property
    def actors(self) -> dict[str, Any]:
        """Each actor's state as plain values, by name, as `p NAME` shows it."""
        playback = self._playback
        found: dict[str, Any] = room_state(playback.known, (), playback.source.now)["actors"]
        return found

    @property
    def pending(self) -> tuple[Delivery, ...]:
        """The messages on their way, in the order sent."""
        return self._playback.source.on_the_way


Check = TypeVar("Check", bound=Callable[[Moment], object])

_MARK: Final = "__poker_promise__"


def always(check: Check) -> Check:
    """Make a function of a `Moment` a promise that must hold after every delivery.

    It holds if the function returns a true value, or None, as a function that only asserts does.
    """
    setattr(check, _MARK, "always")
    return check


def never(check: Check) -> Check:
    """Make a function of a `Moment` a promise that it never returns a true value."""
    setattr(check, _MARK, "never")
    return check


def eventually(check: Check) -> Check:
    """Make a function of a `Moment` a promise that it returns a true value after some delivery before the end."""
    setattr(check, _MARK, "eventually")
    return check


@attrs.frozen
class OwnPromise:
    """Your own promise: a function of a `Moment`, and when it must hold."""

    name: str
    check: Callable[[Moment], object] = attrs.field(eq=False)
    when: Literal["always", "eventually", "never"] = "always"

    @classmethod
    def of(cls, check: str | Callable[[Moment], object]) -> OwnPromise:
        """Take a function, or load it from ``FILE.py:FUNCTION``; raise `BadSpec` or `UnknownBot` if there is none.

        A function marked neither `never` nor `eventually` must always hold.
        """
        found: Any = function_at("promise", check) if isinstance(check, str) else check
        if not callable(found):
            raise BadSpec(f"promise {check!s:.80} is not a function of a moment")
        return cls(
            str(getattr(found, "__name__", type(found).__name__)), found, getattr(found, _MARK, "always")
        )


class Held:
    """Your own promises during one run: which are broken, and which are fulfilled."""

    def __init__(self, promises: Iterable[OwnPromise] = ()) -> None:
        self.promises: Final = tuple(promises)
        self._broken: set[OwnPromise] = set()
        """broken after the last delivery; each is reported once, not after every later delivery"""
        self._fulfilled: dict[OwnPromise, int] = {}
        """`eventually` promises, and the step in which each held first"""

    def until(self, position: int) -> Held:
        """Return the state for another run that equals this one up to a position."""
        other = Held(self.promises)
        other._fulfilled = {one: step for one, step in self._fulfilled.items() if step <= position}
        return other

    def after(self, playback: Playback, step: Step, *, over: bool) -> Iterator[Incident]:
        """Yield an incident for each promise that this step breaks; `over` includes open `eventually` promises."""
        if not self.promises:
            return
        moment = Moment(playback, step, over=over)
        for promise in self.promises:
            text, error = self._verdict(promise, moment)
            if text is None:
                self._broken.discard(promise)
            elif promise not in self._broken:
                self._broken.add(promise)
                code = getattr(promise.check, "__code__", None)
                place = place_of_code(code) if error is None else place_of(error.__traceback__)
                trace = None if error is None else error.__traceback__
                yield Incident(("promise",), promise.name, text, place, None, error, trace)

    def _verdict(self, promise: OwnPromise, moment: Moment) -> tuple[str | None, BaseException | None]:
        """Return how a promise is broken, and the error that it failed with; two Nones if it is not."""
        try:
            holds = promise.check(moment)
        except Exception as error:  # noqa: BLE001  # somebody's own check: where it fails it does not hold
            said = next(iter(str(error).splitlines()), "")
            if isinstance(error, AssertionError):
                return f"does not hold: {said}".rstrip(": "), error
            return f"fails: {type(error).__name__}: {said}", error
        if promise.when == "always":
            return ("does not hold" if holds is not None and not holds else None), None
        if promise.when == "never":
            return ("holds, but never must" if holds else None), None
        if holds:
            self._fulfilled.setdefault(promise, moment.step)
        missed = moment.over and promise not in self._fulfilled
        return ("has not held to the end, but must eventually" if missed else None), None
