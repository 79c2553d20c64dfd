"""What a bot hears besides its turns: a hand's start and end, if it has a method for them."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any, TypeAlias

import attrs

from poker_actors.bots.deciding import Bot, OutsideBot
from poker_actors.bots.faults import Faults, fallback
from poker_actors.cards import Card
from poker_actors.rules import Game, Hand, PublicState, Stakes, Taken, View

Names: TypeAlias = tuple[str | None, ...] | None


@attrs.frozen(kw_only=True)
class HandStart:
    """A hand that begins, as one seat sees it: forced bets are in, and nobody has acted."""

    number: int
    """number of the hand in its match or at its table, from 0"""
    seat: int
    """the bot's own seat"""
    hole: tuple[Card, ...]
    """its cards so far"""
    names: tuple[str | None, ...]
    """players by seat, None for a seat not dealt in; in a simulation, the bots' numbers"""
    public: PublicState
    """what everybody sees"""

    @property
    def game(self) -> Game:
        """The game."""
        return self.public.setup.game

    @property
    def stakes(self) -> Stakes:
        """Blinds, antes and bring-in."""
        return self.public.setup.stakes

    @property
    def button(self) -> int:
        """The button's seat."""
        return self.public.setup.button

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips by seat before anything was posted."""
        return self.public.setup.stacks


@attrs.frozen(kw_only=True)
class HandEnd(HandStart):
    """A hand that is over, as one seat sees it: cards that were mucked or folded are not in it."""

    @property
    def board(self) -> tuple[Card, ...]:
        """The board, as far as it was dealt; further boards are in `public.boards`."""
        return self.public.board

    @property
    def shown(self) -> dict[int, tuple[Card, ...]]:
        """Seat -> hole cards, of the seats that showed them."""
        return dict(self.public.shown)

    @property
    def payoffs(self) -> tuple[int, ...]:
        """Chips that each seat won or lost."""
        return tuple([after - before for after, before in zip(self.public.stacks, self.stacks, strict=True)])

    @property
    def final_stacks(self) -> tuple[int, ...]:
        """Chips by seat after the hand."""
        return self.public.stacks

    @property
    def unheard(self) -> tuple[Taken, ...]:
        """The actions since the seat's last turn, or all if it had none; `public.actions` always has all."""
        actions = self.public.actions
        own = [place for place, taken in enumerate(actions) if taken.seat == self.seat]
        return actions[own[-1] + 1 :] if own else actions


def hears(bot: Bot | None) -> bool:
    """Return whether a bot wants to hear of hands, by a method `hand_started`, `hand_over` or `cards_shown`."""
    if bot is None:
        return False  # at once: each player of a server asks at each action
    if isinstance(bot, OutsideBot):
        return bot.hears
    return any(hasattr(bot, name) for name in ("hand_started", "hand_over", "cards_shown"))


def tell(bot: Bot, news: HandStart, faults: Faults, name: str = "") -> None:
    """Tell a bot of a start or an end, or call its method `name`; an exception is a fault.

    An ejected bot is told nothing.
    """
    method: Any = getattr(bot, name or ("hand_over" if isinstance(news, HandEnd) else "hand_started"), None)
    if method is None or faults.ejected is not None:
        return
    try:
        method(news)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  foreign code, as in a decision
        faults.at(news.number).has_raised(View(news.public, news.seat, news.hole), error)


class Hearing:
    """Tells a driver's bots of starts and ends; false if none of them wants to hear, so that the others cost nothing.

    An ejected bot is replaced by `fallback`, as in the driver itself.
    """

    def __init__(self, bots: MutableSequence[Bot], faults: Sequence[Faults]) -> None:
        self._playing = bots
        self._bots = {number: bot for number, bot in enumerate(bots) if hears(bot)}
        self._faults = faults

    def __bool__(self) -> bool:
        return bool(self._bots)

    def started(self, number: int, hand: Hand, seated: Sequence[int], names: Names = None) -> None:
        """Tell that a hand was dealt to the bots `seated`, by seat; their names are their numbers if not given."""
        self._tell(HandStart, number, hand, seated, names)

    def over(self, number: int, hand: Hand, seated: Sequence[int], names: Names = None) -> None:
        """Tell that a hand is over."""
        self._tell(HandEnd, number, hand, seated, names)

    def _tell(
        self, kind: type[HandStart], number: int, hand: Hand, seated: Sequence[int], names: Names
    ) -> None:
        names, public = tuple(map(str, seated)) if names is None else names, hand.public()
        for seat, who in enumerate(seated):
            bot = self._bots.get(who)
            if bot is not None:
                hole = hand.holes[seat]
                tell(
                    bot,
                    kind(number=number, seat=seat, hole=hole, names=names, public=public),
                    self._faults[who],
                )
                if self._faults[who].ejected is not None:
                    self._playing[who] = fallback


class Ear:
    """Turns the states that a player is told, at any number of tables, into starts and ends of hands."""

    def __init__(self) -> None:
        self._begun: dict[str, str] = {}
        """table -> the hand whose start was told and whose end was not"""
        self._over: dict[str, tuple[str, int]] = {}
        """table -> the hand whose end was told, and how many seats had shown their cards then"""

    def knows(self, table: str, hand_id: str, public: PublicState) -> bool:
        """Return whether this state of a hand is no news: the hand goes on, and its start was told."""
        return self._begun.get(table) == hand_id and not public.over

    def hear(self, bot: Bot, table: str, hand_id: str, news: HandEnd, faults: Faults) -> None:
        """Tell `bot` what the state in `news` means: a hand's start, its end, both or neither."""
        begun = self._begun.get(table)
        over, shown = news.public.over, len(news.public.shown)
        if self._over.get(table, ("", shown))[0] == hand_id:
            if self._over[table][1] < shown:  # otherwise the end is being repeated
                self._over[table] = hand_id, shown
                tell(bot, news, faults, "cards_shown")
            return
        if begun != hand_id:
            if over and news.public.seq and begun is None:
                return  # a repeated end, or a hand of which only the end was heard
            self._begun[table] = hand_id
            start = {field: getattr(news, field) for field in ("number", "seat", "hole", "names", "public")}
            tell(bot, HandStart(**start), faults)
        if over:
            del self._begun[table]
            self._over[table] = hand_id, shown
            tell(bot, news, faults)
