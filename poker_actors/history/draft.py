"""A draft of a hand, for formats of events: seats, posts, actions, collected pots; and money in whole chips.

All formats convert money by one rule: amounts without decimals are chips. With one or two decimals a chip is a
hundredth; with more, it is a unit of the last decimal written, down to a millionth. Nothing is rounded; a history keeps
its chips per unit as `scale`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadHistory
from poker_actors.history.hand_history import (
    RESHUFFLED,
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    HandHistory,
    Showed,
    Step,
)
from poker_actors.history.unknown import UNKNOWN
from poker_actors.rules import Game
from poker_actors.rules import event as events
from poker_actors.rules.games import Betting

Amount = Decimal | int


@attrs.define
class _Seated:
    """A player; amounts are in the units of the record."""

    seat: int
    name: str
    stack: Amount
    took_part: bool = False
    folded: bool = False
    ante: Amount = 0
    dead: Amount = 0
    blind: Amount = 0
    extra: Amount = 0
    front: Amount = 0
    collected: Amount = 0
    bet: Amount = 0
    """all blinds, bets and calls"""


_Told = tuple[object, Step, Amount, Amount | None]
"""A player, a step whose player is still to be numbered, its total in front, and its cost as recorded."""


class Draft:
    """Collects the events of a record and makes a `HandHistory` of them at the end.

    Players are identified by any key (a name, a number); amounts are in the record's units.
    Every method raises `BadHistory`.
    """

    def __init__(self) -> None:
        self.small_blind: Amount = 0
        self.big_blind: Amount = 0
        self.ante: Amount = 0
        self.min_bet: Amount | None = None
        self.bring_in: Amount = 0
        self.button = -1
        self.rake: Amount | None = None
        self.scale: int | None = None
        self.collects = False
        """whether the record says who collected chips"""
        self.collects_uncalled = False
        """whether what nobody called is among them"""
        self.players: dict[object, _Seated] = {}
        self.run_again: list[tuple[Card, ...]] = []
        self._posted: set[events.Post] = set()
        self._told: list[_Told] = []

    def seat(self, key: object, seat: int, name: str, stack: object) -> None:
        """Add a player at the table, dealt in or not; `seat` counts from 0."""
        if key in self.players:
            raise BadHistory(f"{name!r:.40} sits at the table twice")
        if any(other.seat == seat for other in self.players.values()):
            raise BadHistory(f"seat {seat + 1} is taken twice")
        self.players[key] = _Seated(seat, name, self._amount(f"the stack of {name!r:.40}", stack))

    def player(self, key: object) -> _Seated:
        """Return a player, who takes part in the hand from here on."""
        found = self.players.get(key)
        if found is None:
            raise BadHistory(f"{key!r:.40} has no seat")
        found.took_part = True
        return found

    def post(self, key: object, owed: events.Post, value: object) -> None:
        """Add a forced bet; a second small or big blind is a newcomer's."""
        player = self.player(key)
        amount = self._amount(f"the {owed.value}", value)
        if owed is events.Post.ANTE and not player.ante:
            player.ante = amount
        elif owed in (events.Post.ANTE, events.Post.DEAD_BLIND):
            # a second ante is the big blind ante, paid for the whole table
            player.dead += amount
        elif owed is events.Post.EXTRA_BLIND or (owed is not events.Post.STRADDLE and owed in self._posted):
            player.extra += amount
            self._pay(player, amount)
        else:
            player.blind += self._owed_in_full(player, owed, amount)
            self._pay(player, amount)
        self._posted.add(owed)

    @staticmethod
    def _pay(player: _Seated, amount: Amount) -> None:
        player.front += amount
        player.bet += amount

    def _owed_in_full(self, player: _Seated, owed: events.Post, amount: Amount) -> Amount:
        """Return the blind in full: an all-in blind is recorded short, and the rules need the one owed."""
        full = {events.Post.SMALL_BLIND: self.small_blind, events.Post.BIG_BLIND: self.big_blind}.get(
            owed, amount
        )
        all_in = amount >= player.stack - player.ante - player.dead
        return full if all_in and full > amount else amount

    def deal(self, key: object, cards: tuple[Card, ...]) -> None:
        """Add hole cards; none if they are unknown."""
        self.player(key)
        if cards:
            self._tell(key, Dealt(0, cards))

    def board(self, cards: tuple[Card, ...], *, first: bool = False) -> None:
        """Add board cards; they open a new street, unless they lie there from the start (`first`)."""
        self._tell(None, BoardDealt(cards))
        for player in self.players.values() if not first else ():
            player.front = 0

    def board_again(self, run: int, cards: tuple[Card, ...]) -> None:
        """Add board cards of a further run, counted from 1."""
        if run > len(self.run_again) + 1:
            raise BadHistory(f"run {run + 1} of the board comes before run {run}")
        self.run_again += [()] * (run - len(self.run_again))
        self.run_again[run - 1] += cards

    def street(self, count: int) -> None:
        """Open a street that deals `count` hole cards to every player left; `name_dealt` names them."""
        for key, player in self.players.items():
            player.front = 0
            if player.took_part and not player.folded and count:
                self._tell(key, Dealt(0, (UNKNOWN,) * count))

    def name_dealt(self, key: object, cards: tuple[Card, ...]) -> None:
        """Name the cards last dealt to a player; in stud perhaps only those face up, which come last."""
        self.player(key)
        for place in range(len(self._told) - 1, -1, -1):
            who, step, *_ = self._told[place]
            if who == key and type(step) is Dealt:
                known = (*step.cards[: len(step.cards) - len(cards)], *cards)
                self._told[place] = (key, Dealt(0, known), 0, None)
                return
        raise BadHistory(f"{key!r:.40} is dealt cards at the wrong time")

    def discard(self, key: object, count: int, cards: tuple[Card, ...]) -> None:
        """Exchange `count` cards; 0 stands pat."""
        self.player(key)
        for player in self.players.values():
            player.front = 0
        if len(cards) > count:
            raise BadHistory(f"{key!r:.40} discards {count} cards, but {len(cards)} are named")
        gone = cards + (UNKNOWN,) * (count - len(cards))
        self._tell(key, Discarded(0, gone))
        if count:
            self._tell(key, Dealt(0, (UNKNOWN,) * count))

    def reshuffled(self) -> None:
        """Note that the deck ran out and was reshuffled."""
        self._tell(None, Comment(RESHUFFLED))

    def brings_in(self, key: object, value: object, *, all_in: bool) -> None:
        """Add a bring-in."""
        player = self.player(key)
        cost = self._amount("the bring-in", value)
        self._pay(player, cost)
        self.bring_in = max(self.bring_in, 0 if all_in else cost)  # an all-in one may be less than is owed
        self._tell(key, ActionStep(0, ActionKind.BRING_IN), cost=cost)

    def fold(self, key: object) -> None:
        """Add a fold."""
        self.player(key).folded = True
        self._tell(key, ActionStep(0, ActionKind.FOLD))

    def call(self, key: object, value: object) -> None:
        """Add a call that costs `value`; 0 is a check."""
        player = self.player(key)
        cost = self._amount("the call", value)
        self._pay(player, cost)
        self._tell(key, ActionStep(0, ActionKind.CALL), cost=cost)

    def bet(self, key: object, *, total: object = None, cost: object = None) -> None:
        """Add a bet or raise, given as the total in front or as its `cost`."""
        player = self.player(key)
        before = player.front
        if total is None:
            self._pay(player, self._amount("the bet", cost))
        else:
            self._pay(player, self._amount("the raise", total) - before)
        self._tell(key, ActionStep(0, ActionKind.RAISE), player.front, player.front - before)

    def show(self, key: object, cards: tuple[Card, ...]) -> None:
        """Add a show of cards; no cards mean a muck."""
        self.player(key)
        self._tell(key, Showed(0, cards))

    def collect(self, key: object, value: object) -> None:
        """Add chips collected from a pot, after rake."""
        self.player(key).collected += self._amount("what is collected", value)
        self.collects = True

    def _tell(self, key: object, step: Step, total: Amount = 0, cost: Amount | None = None) -> None:
        self._told.append((key, step, total, cost))

    @staticmethod
    def _amount(name: str, value: object) -> Amount:
        amount = read_amount(name, value)
        if amount < 0:
            raise BadHistory(f"{name} is {amount}: the minimum is 0")
        return amount

    def history(self, game: Game, fields: Mapping[str, object]) -> HandHistory:
        """Return the finished history; raise `BadHistory` if it is not a playable hand."""
        order = self._order(game)
        places = {key: place for place, (key, _) in enumerate(order)}
        seated = [player for _, player in order]
        antes, trimmed = self._antes(seated)
        if self.collects_uncalled:
            *_, called, most = sorted(seated, key=lambda player: player.bet)
            most.collected -= most.bet - called.bet
        if not game.brings_in:
            self._blinds_of_stacks_spent_on_antes(seated)
        scale = self._scale(seated)

        def chips(amounts: Sequence[Amount]) -> tuple[int, ...]:
            return tuple([in_chips(amount, scale) for amount in amounts])

        min_bet = in_chips(self.big_blind if self.min_bet is None else self.min_bet, scale)
        # a bring-in completed at once is never paid, so its size is not recorded: any size gives the same hand
        bring_in = in_chips(self.bring_in, scale) or (max(min_bet // 2, 1) if game.brings_in else 0)
        steps = [self._step(told, places, scale) for told in self._told]
        return HandHistory(
            game=game,
            stacks=chips([player.stack for player in seated]),
            blinds=chips([player.blind or -player.extra for player in seated]),
            min_bet=min_bet,
            steps=tuple(_shows_first(steps) if game.plain else _holes_first(steps)),
            antes=chips(antes) if any(antes) else (),
            trimmed_antes=trimmed,
            players=tuple([player.name for player in seated]),
            seats=tuple([player.seat for player in seated]),
            finishing=None,
            winnings=chips([player.collected for player in seated]) if self.collects else None,
            rake=None if self.rake is None else in_chips(self.rake, scale),
            scale=scale,
            fields=fields,
            bring_in=bring_in,
            dead_small=in_chips(self._dead_small(game), scale),
            run_again=tuple(self.run_again),
        )

    def _dead_small(self, game: Game) -> Amount:
        """Return the small blind if nobody posted it in a pot-limit game, whose raises it bounds all the same."""
        dead = game.betting is Betting.POT_LIMIT and events.Post.SMALL_BLIND not in self._posted
        return self.small_blind if dead and events.Post.BIG_BLIND in self._posted else 0

    def _order(self, game: Game) -> list[tuple[object, _Seated]]:
        """Return the players who take part, from the left of the button."""
        taking_part = [(key, player) for key, player in self.players.items() if player.took_part]
        if not 2 <= len(taking_part) <= game.max_seats:
            raise BadHistory(f"{len(taking_part)} players take part: 2 to {game.max_seats} can play")
        for _, player in taking_part:
            if not player.stack:
                raise BadHistory(f"the stack of {player.name!r:.40} is 0: it cannot play")
            if player.blind and player.extra:
                # a post on top of the player's own blind is a straddle
                player.blind, player.extra = player.blind + player.extra, 0
        return sorted(taking_part, key=lambda pair: (pair[1].seat <= self.button, pair[1].seat))

    def _antes(self, seated: list[_Seated]) -> tuple[list[Amount], bool]:
        """Return antes plus dead blinds by player, and whether everybody owes an ante."""
        everybody = all(player.ante for player in seated)
        if everybody:
            most = max(self.ante, *(player.ante for player in seated)) if not self.ante else self.ante
            for player in seated:
                # an all-in ante is recorded short; the rules need the one owed
                if player.ante >= player.stack and player.ante < most:
                    player.ante = most
        return [player.ante + player.dead for player in seated], everybody

    def _blinds_of_stacks_spent_on_antes(self, seated: list[_Seated]) -> None:
        """Add the blinds of stacks that the antes used up: unrecorded, yet the others must call them in full."""
        small, big = (1, 0) if len(seated) == 2 else (0, 1)
        for place, owed, blind in (
            (small, events.Post.SMALL_BLIND, self.small_blind),
            (big, events.Post.BIG_BLIND, self.big_blind),
        ):
            player = seated[place]
            if owed not in self._posted and player.ante + player.dead >= player.stack:
                player.blind = blind
                self._posted.add(owed)

    def _scale(self, seated: list[_Seated]) -> int:
        amounts = [
            self.small_blind,
            self.big_blind,
            self.ante,
            self.rake or 0,
            self.min_bet or 0,
            self.bring_in,
        ]
        for player in seated:
            amounts += [player.stack, player.ante, player.dead, player.blind, player.extra, player.collected]
        amounts += [amount for told in self._told for amount in told[2:] if amount is not None]
        needed = scale_of(amounts)
        return needed if self.scale is None else max(self.scale, needed)

    @staticmethod
    def _step(told: _Told, places: Mapping[object, int], scale: int) -> Step:
        key, step, total, cost = told
        if type(step) is BoardDealt or type(step) is Comment:
            return step
        if type(step) is ActionStep:
            said = None if cost is None else in_chips(cost, scale)
            return ActionStep(places[key], step.move, in_chips(total, scale), said=said)
        assert isinstance(step, Dealt | Discarded | Showed), "no other step has a player"
        return type(step)(places[key], step.cards)


_RANK: Final = {Dealt: 0, ActionStep: 1, Showed: 2, BoardDealt: 3}


def _shows_first(steps: list[Step]) -> list[Step]:
    """Order the steps: deals by player first, shows right after the last turn.

    A record may list shows at its end, though all-in players show before the rest of the board is dealt.
    """
    deals = sorted((step for step in steps if type(step) is Dealt), key=lambda step: step.player)
    rest = [step for step in steps if type(step) is not Dealt]
    last = max((place for place, step in enumerate(rest) if type(step) is ActionStep), default=-1) + 1
    return [*deals, *rest[:last], *sorted(rest[last:], key=lambda step: _RANK[type(step)])]


def _holes_first(steps: list[Step]) -> list[Step]:
    """Move a board dealt before the first bet behind the hole cards: records name it first, the deck deals it last."""
    if not steps or type(steps[0]) is not BoardDealt:
        return steps
    first = next((place for place, step in enumerate(steps) if place and type(step) is not Dealt), len(steps))
    return [*steps[1:first], steps[0], *steps[first:]]


def moment_fields(utc: datetime) -> dict[str, object]:
    """Return a time in UTC as the fields of the Poker Hand History standard."""
    return {"time": utc.time(), "time_zone": "UTC", "day": utc.day, "month": utc.month, "year": utc.year}


MOST_DECIMALS: Final = 6
"""A millionth of a unit: finer than any currency poker is played for."""

MOST_CHIPS: Final = 10**15
"""More chips than all stakes ever posted; a longer number is a mistake or an attack."""


def read_amount(name: str, found: object) -> Decimal | int:
    """Return `found` if it is a valid amount; else raise `BadHistory` with `name`."""
    if type(found) is int:  # not isinstance: true and false are ints, too
        if abs(found) > MOST_CHIPS:
            raise BadHistory(f"{name} is above the limit of {MOST_CHIPS}")
        return found
    if not isinstance(found, Decimal):
        raise BadHistory(f"{name} is {found!r:.40}: an amount is a number")
    if not found.is_finite():
        raise BadHistory(f"{name} is {found}: unknown or infinite amounts cannot be played")
    exponent = found.as_tuple().exponent
    assert isinstance(exponent, int)
    if found.adjusted() > 15 or abs(found) > MOST_CHIPS:
        raise BadHistory(f"{name} is {str(found)[:40]}: the limit is {MOST_CHIPS}")
    if -exponent > MOST_DECIMALS:
        raise BadHistory(f"{name} is {str(found)[:40]}: the limit is {MOST_DECIMALS} decimals")
    return found


def scale_of(amounts: Iterable[Decimal | int]) -> int:
    """Return the chips per unit that make all these checked amounts whole: 1, 100, ... or 10**6."""
    decimals = 0
    for amount in amounts:
        if type(amount) is not int:
            exponent = amount.as_tuple().exponent  # type: ignore[union-attr]  # bool was refused
            decimals = max(decimals, -exponent)  # type: ignore[operator]  # and so were inf and nan
    return 10 ** max(decimals, 2) if decimals else 1


def in_chips(amount: Decimal | int, scale: int) -> int:
    """Return a checked amount in chips; raise `BadHistory` if they are not whole."""
    if type(amount) is int:
        return amount * scale
    chips = int(amount * scale)
    if chips != amount * scale:
        raise BadHistory(f"{amount} is not a whole number of chips, at {scale} to the unit")
    return chips


def amount_text(chips: int, scale: int) -> str:
    """Write chips as an amount with all decimals of the scale: 150 at a scale of 100 is `1.50`."""
    if scale == 1:
        return str(chips)
    decimals = _DECIMALS[scale]
    whole, rest = divmod(abs(chips), scale)
    return f"{'-' if chips < 0 else ''}{whole}.{rest:0{decimals}d}"


_DECIMALS: Final = {10**decimals: decimals for decimals in range(MOST_DECIMALS + 1)}


_AMOUNT: Final = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?")


@lru_cache(maxsize=4096)
def amount_in(text: str) -> Decimal | int | None:
    """Read digits with or without decimals; return None for anything else, such as signs and exponents."""
    if _AMOUNT.fullmatch(text) is None:
        return None
    return Decimal(text) if "." in text else int(text)
