"""What was told of a hand stays true: its cards, its board, its actions, its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from poker_actors.actors import DeckOpened, HandResult, HandState, TableNews
from poker_actors.actors.messages import Change, ShowCards
from poker_actors.cards import Card
from poker_actors.history.refereed import verdicts
from poker_actors.rules import Discard, Lay, PublicState
from poker_actors.testing.witness.promise import Heard, Hears, Promise, Verdict


class SetupStays(Promise):
    """The setup of a hand does not change."""

    name = "setup"
    says = "A hand keeps the stakes, stacks, button and blinds it began with."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({Change: self.change, HandResult: self.result})

    def change(self, heard: Heard[Change]) -> None:
        """Compare with the setup told first."""
        self.stays(heard.what.hand_id, "setup", heard, heard.what.public.setup, "the setup")

    def result(self, heard: Heard[HandResult]) -> None:
        """Compare the setup of the finished hand."""
        if heard.what.hand is not None:
            setup = heard.what.hand.public().setup
            self.stays(heard.what.hand_id, "setup", heard, setup, "the setup")


class BoardGrows(Promise):
    """Board cards stay."""

    name = "board"
    says = "Board cards stay as told, in their order; a board only grows."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({Change: self.change, HandResult: self.result})

    def change(self, heard: Heard[Change]) -> None:
        """Compare every board."""
        for number, board in enumerate(heard.what.public.boards):
            self._grows(heard.what.hand_id, number, board, heard)

    def result(self, heard: Heard[HandResult]) -> None:
        """Compare the boards of the finished hand."""
        if heard.what.hand is not None:
            for number, board in enumerate(heard.what.hand.public().boards):
                self._grows(heard.what.hand_id, number, board, heard)

    def _grows(self, hand_id: str, number: int, board: Sequence[Card], heard: Heard[Any]) -> None:
        before = self.fact(hand_id, number)
        longest = () if before is None else before.what
        if before is not None:
            common = min(len(longest), len(board))
            self.holds(
                longest[:common] == board[:common],
                heard,
                lambda: (
                    f"{before.who} was told (heard {before.number}) the board {_text(longest)} in {hand_id}, "
                    f"and now {heard.who} is told {_text(board)}"
                ),
            )
        if before is None or len(board) > len(longest):
            self.note(hand_id, number, heard, board)


class ActionsStay(Promise):
    """The log only grows."""

    name = "actions"
    says = "An action stays where it was told; the log of a hand only grows."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({Change: self.change, HandResult: self.result})

    def change(self, heard: Heard[Change]) -> None:
        """Compare the log."""
        self._grows(heard.what.hand_id, heard.what.public.actions, heard)

    def result(self, heard: Heard[HandResult]) -> None:
        """Compare the log of the finished hand, which must contain all that was told."""
        if heard.what.hand is None:
            return
        hand_id, taken = heard.what.hand_id, heard.what.hand.public().actions
        before = self.fact(hand_id, "log")
        self._grows(hand_id, taken, heard)
        if before is not None:
            self.holds(
                len(taken) >= len(before.what),
                heard,
                lambda: (
                    f"{before.who} was told {len(before.what)} actions of {hand_id}, it ended with {len(taken)}"
                ),
            )

    def _grows(self, hand_id: str, taken: Sequence[Any], heard: Heard[Any]) -> None:
        before = self.fact(hand_id, "log")
        longest = () if before is None else before.what
        if before is not None:
            common = min(len(longest), len(taken))
            self.holds(
                longest[:common] == taken[:common],
                heard,
                lambda: _other_action(hand_id, before, heard, longest, taken),
            )
        if before is None or len(taken) > len(longest):
            self.note(hand_id, "log", heard, taken)


def _other_action(
    hand_id: str, before: Heard[Any], heard: Heard[Any], longest: Sequence[Any], taken: Sequence[Any]
) -> str:
    place = next(at for at, (old, new) in enumerate(zip(longest, taken, strict=False)) if old != new)
    return (
        f"{before.who} was told (heard {before.number}) that action {place} of {hand_id} is {longest[place]}, "
        f"and now {heard.who} is told {taken[place]}"
    )


class TurnIsOne(Promise):
    """One seat has the turn."""

    name = "turn"
    says = "A turn lasts until its seat has acted; until then nobody else is given it."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({Change: self.change, HandState: self.state})

    def change(self, heard: Heard[Change]) -> None:
        """Compare the seat to act with the one told after the same action."""
        public = heard.what.public
        key = ("turn", public.seq)
        self.stays(heard.what.hand_id, key, heard, public.active, f"the turn at #{public.seq}")

    def state(self, heard: Heard[HandState]) -> None:
        """Check that the seat to act, and no other, has the right to act."""
        state = heard.what
        mine = state.seat >= 0 and state.public.active == state.seat
        given = state.turn is not None and state.turn.seat == state.seat
        self.holds(
            given == mine and (state.turn is not None) == given,
            heard,
            lambda: (
                f"{heard.who} in seat {state.seat} of {state.hand_id} was "
                f"{'given' if state.turn is not None else 'not given'} "
                f"the turn at #{state.seq}, and it is for seat {state.public.active} to act"
            ),
        )


class CardsStay(Promise):
    """Hole cards stay."""

    name = "cards"
    says = "A seat keeps its cards until it discards or lays them, and no card is in two places."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({HandState: self.state, HandResult: self.result})

    def state(self, heard: Heard[HandState]) -> None:
        """Compare this seat's cards with those told before, and with the board."""
        state = heard.what
        if state.seat >= 0:
            self._keeps(state.hand_id, state.seat, heard, state.hole, state.public)
        self._once((*state.hole, *state.board), state.hand_id, heard)

    def result(self, heard: Heard[HandResult]) -> None:
        """Compare the cards of the finished hand."""
        hand = heard.what.hand
        if hand is None:
            return
        for seat, hole in enumerate(hand.holes):
            if hole and self.fact(heard.what.hand_id, seat) is not None:
                self._keeps(heard.what.hand_id, seat, heard, tuple(hole), hand.public())
        # when a draw empties the deck, folded cards are shuffled in and can be dealt to another seat
        seats = hand.live if hand.game.draws else range(len(hand.holes))
        seen = [card for seat in seats for card in hand.holes[seat]]
        self._once((*seen, *hand.board), heard.what.hand_id, heard)

    def _keeps(
        self, hand_id: str, seat: int, heard: Heard[Any], hole: tuple[Card, ...], public: PublicState
    ) -> None:
        """Check that the cards told before are still there, except those discarded or laid since."""
        before = self.fact(hand_id, seat)
        if before is not None:
            known, seen = before.what
            since = [taken.action for taken in public.actions[seen:] if taken.seat == seat]
            left = [card for card in known if card in hole]
            given_up = sum(action.count for action in since if isinstance(action, Discard))
            kept = [card for card in hole if card in known] == left and len(known) - len(left) <= given_up
            # cards laid leave the hand, and at the end the hand is all rows together
            kept = kept or any(isinstance(action, Lay) for action in since)
            kept = hole == known if public.seq == seen else kept
            self.holds(
                kept or public.seq < seen,  # an older state is for the promise `order` to notice
                heard,
                lambda: (
                    f"{before.who} was told (heard {before.number}) that seat {seat} of {hand_id} holds "
                    f"{_text(known)}, and now {heard.who} is told {_text(hole)}"
                ),
            )
        self.note(hand_id, seat, heard, (hole, public.seq))

    def _once(self, cards: Sequence[Card], hand_id: str, heard: Heard[Any]) -> None:
        self.holds(
            len(set(cards)) == len(cards),
            heard,
            lambda: f"{heard.who} was told of a card in two places of {hand_id}: {_text(cards)}",
        )


class SeatIsPrivate(Promise):
    """Nobody is told another seat's cards."""

    name = "hidden"
    says = "A player is told the cards of its own seat only, and no cards are shown before the end."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({HandState: self.state})

    def state(self, heard: Heard[HandState]) -> None:
        """Check that this listener is told of one seat only, and this seat's cards only to this listener."""
        state = heard.what
        if state.seat < 0:
            what = f"{heard.who} watches {state.hand_id} and was told {_text(state.hole)}"
            self.holds(not state.hole and state.turn is None, heard, lambda: what)
        else:
            self.stays(state.hand_id, heard.who, heard, state.seat, f"the seat of {heard.who}")
            self.stays(state.hand_id, state.seat, heard, heard.who, f"the player in seat {state.seat}")
        if not state.public.over:
            shown = state.public.shown
            self.holds(
                not shown, heard, lambda: f"cards are shown while {state.hand_id} is being played: {shown}"
            )


class StatesGoOn(Promise):
    """States come in order."""

    name = "order"
    says = "Nobody is told an older state of a hand after a newer one."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({HandState: self.state})

    def state(self, heard: Heard[HandState]) -> None:
        """Compare with the last state told to this listener."""
        state = heard.what
        before = self.fact(state.hand_id, heard.who)
        if before is not None:
            self.holds(
                state.seq >= before.what,
                heard,
                lambda: (
                    f"{heard.who} was told #{before.what} of {state.hand_id} (heard {before.number}), "
                    f"and now #{state.seq}"
                ),
            )
        self.note(state.hand_id, heard.who, heard, state.seq)


class ChipsAddUp(Promise):
    """Chips are never negative."""

    name = "chips"
    says = "No stack, bet or pot is negative, and only a seat still in the hand is to act."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({Change: self.change})

    def change(self, heard: Heard[Change]) -> None:
        """Check one public state."""
        public, to_act = heard.what.public, heard.what.public.to_act
        low = min(*public.stacks, *public.bets, public.pot)
        self.holds(
            low >= 0 and set(to_act) <= set(public.live) and len(set(to_act)) == len(to_act),
            heard,
            lambda: (
                f"in {heard.what.hand_id} stacks are {public.stacks}, bets {public.bets}, pot {public.pot}, "
                f"to act {to_act} of {public.live}"
            ),
        )


class ResultIsBooked(Promise):
    """A hand ends once, as told."""

    name = "result"
    says = "A showdown or result is booked as told: same chips, same cards, never void."

    def __init__(self, broken: Callable[[Verdict], None]) -> None:
        super().__init__(broken)
        self._over: dict[str, str] = {}
        """table -> the last hand told to be over there"""

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(
            told={Change: self.change, TableNews: self.news, HandResult: self.result},
            asked={ShowCards: self.asked},
            refused={ShowCards: self.refused},
        )

    def asked(self, heard: Heard[ShowCards]) -> None:
        """Note that cards may be shown: a process may die between their record and the news."""
        hand_id = self._meant(heard)
        if self.fact(hand_id, "showed") is None:
            self.note(hand_id, "showed", heard, heard.what)

    def refused(self, heard: Heard[ShowCards]) -> None:
        """Forget what was not shown."""
        hand_id = self._meant(heard)
        showed = self.fact(hand_id, "showed")
        if showed is not None and showed.what is heard.what:
            del self._facts[hand_id]["showed"]

    def _meant(self, heard: Heard[ShowCards]) -> str:
        """Return the hand whose cards are to be shown; "" if none has been heard of."""
        return heard.what.hand_id or self._over.get(heard.table, "")

    def change(self, heard: Heard[Change]) -> None:
        """Note or compare an end shown to players."""
        public = heard.what.public
        if not public.over:
            return
        before = public.setup.stacks
        paid = tuple(now - then for now, then in zip(public.stacks, before, strict=True))
        self._ends(heard.what.hand_id, heard, paid)
        self._shown(heard.what.hand_id, heard, public)

    def _shown(self, hand_id: str, heard: Heard[Any], public: PublicState) -> None:
        """Compare the cards shown: all are told the same, until somebody shows more by choice."""
        # sets: a log keeps rows, and no order within one
        shown = {seat: frozenset(cards) for seat, cards in public.shown}
        if self.fact(hand_id, "showed") is None:
            self.stays(hand_id, "shown", heard, shown, "what was shown")
        for seat, cards in shown.items():
            self.stays(hand_id, ("shown", seat), heard, cards, f"what seat {seat} has shown")

    def news(self, heard: Heard[TableNews]) -> None:
        """Compare the table's news."""
        news = heard.what
        if news.hand_id is not None and news.what == "showed":
            self.note(news.hand_id, "showed", heard, True)
        if news.hand_id is not None and news.what in ("hand_ended", "hand_voided"):
            self._ends(news.hand_id, heard, None if news.what == "hand_voided" else news.payoffs)

    def result(self, heard: Heard[HandResult]) -> None:
        """Compare the result returned to the caller."""
        result = heard.what
        self._ends(result.hand_id, heard, None if result.voided else result.payoffs)
        if result.hand is not None:
            self._shown(result.hand_id, heard, result.hand.public())

    def _ends(self, hand_id: str, heard: Heard[Any], payoffs: tuple[int, ...] | None) -> None:
        self._over[hand_id.rpartition("/")[0]] = hand_id
        self.stays(hand_id, "end", heard, "void" if payoffs is None else payoffs, "the result")


class NewsOnce(Promise):
    """News is told once."""

    name = "once"
    says = "Each listener is told the beginning, the end and the deck of a hand once."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({TableNews: self.news, DeckOpened: self.opened})

    def news(self, heard: Heard[TableNews]) -> None:
        """Check that this listener has not heard it before."""
        news = heard.what
        if news.hand_id is not None and news.what in ("hand_started", "hand_ended", "hand_voided"):
            kind = "started" if news.what == "hand_started" else "over"
            self._first(news.hand_id, (heard.who, kind), heard, f"{news.hand_id} is {kind}")

    def opened(self, heard: Heard[DeckOpened]) -> None:
        """Check that this listener has not heard it before."""
        self._first(heard.what.hand_id, (heard.who, "deck"), heard, f"the deck of {heard.what.hand_id}")

    def _first(self, hand_id: str, key: tuple[str, str], heard: Heard[Any], what: str) -> None:
        before = self.fact(hand_id, key)
        self.holds(
            before is None,
            heard,
            lambda: f"{heard.who} was told twice: {what} (first as {before.number if before else 0})",
        )
        self.note(hand_id, key, heard, True)


def _text(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "nothing"


class PotsArePaid(Promise):
    """Hands are played and pots are paid by the rules."""

    name = "pots"
    says = "A finished hand was played, and pays, as the referee computes it from the rule books."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({HandResult: self.result})

    def result(self, heard: Heard[HandResult]) -> None:
        """Judge a finished hand."""
        hand = heard.what.hand
        if hand is None:
            return
        found = verdicts(hand)
        self.holds(not found, heard, lambda: f"{heard.what.hand_id}: {found[0].words}; {hand!r}")
