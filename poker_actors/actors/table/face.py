"""The typed faces of a table and of a hand being played."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from poker_actors.actors.bank import Forfeit, Send, TopUp
from poker_actors.actors.command import Face, GetState, Named, Reachable, address_of, name_of
from poker_actors.actors.hand import DealtHand, HandResult
from poker_actors.actors.player.messages import SitOut
from poker_actors.actors.runtime import Address, Word
from poker_actors.actors.table.facts import TableConfig, one_game_of, stakes_of
from poker_actors.actors.table.messages import (
    AwaitPlayers,
    BuyIn,
    CashOut,
    Deal,
    GetLive,
    GetTimeBank,
    Leave,
    LeaveAfterHand,
    RunItOnce,
    ShowCards,
    Sit,
    SitIn,
    StopRun,
    Unwatch,
    Wait,
    Watch,
)
from poker_actors.actors.table.seats import TableState
from poker_actors.cards import Deck
from poker_actors.errors import AskTimeout, BadSpec, RoomClosed, TableRefusal
from poker_actors.rules import Game, Positions, PublicState, Stakes, whole_chips

__all__ = ["LiveHand", "Table"]


class LiveHand(Face):
    """A hand being played."""

    def __init__(self, dealt: DealtHand) -> None:
        super().__init__(dealt.address)
        self.hand_id = dealt.hand_id
        self.commitment = dealt.commitment
        """the commitment to its deck, published before the deal, in hexadecimal; empty when the deck was given"""
        self.promise: Word = dealt.result

    def result(self, timeout: float | None = None) -> HandResult:
        """Wait for the end of the hand and return its result; raises `AskTimeout` after `timeout` seconds."""
        result: HandResult = self.promise.get(timeout, self.hand_id)
        return result

    def state(self) -> PublicState:
        """Return what everybody can see; raises `RoomClosed` once the hand is over."""
        return self._answered(GetState(), _public)

    def __repr__(self) -> str:
        return f"<LiveHand: {self.hand_id}>"


def _public(state: object) -> PublicState:
    assert isinstance(state, PublicState)
    return state


class Table(Face):
    """A table: takes players or their names, and amounts in chips; a refusal is a `TableRefusal` with a code."""

    def __init__(self, address: Address, config: TableConfig) -> None:
        super().__init__(address)
        self.config = config

    @property
    def name(self) -> str:
        """The table's name, unique in the room."""
        return self.config.name

    def sit(self, player: Reachable, seat: int | None = None, *, with_stack: bool = False) -> int:
        """Take a seat, any free one by default (`seat_taken`, `seat_unavailable`); returns its number.

        Players on the waiting list come first. `with_stack` is for a player sent here by `send`.
        """
        return self.ask(Sit(name_of(player), address_of(player), seat, with_stack))

    def wait(self, player: Reachable, buy_in: int = 0) -> int:
        """Wait for a seat; returns the place in line, 1 being next.

        When a seat is free, the first in line gets it, with `buy_in` chips from the bank, and hears `sat`
        and `bought_in` as table news; a player who cannot pay then is `passed_over`. Waiting again keeps
        the place and changes the buy-in; `leave` gives the place up. Refused as `seat_taken` if the player
        sits here, and as `insufficient_funds`.
        """
        return self.ask(Wait(name_of(player), address_of(player), buy_in))

    def leave(self, player: str | Named) -> None:
        """Give up the seat (`player_has_balance`, `hand_in_progress`) or the place in the waiting list.

        Refused as `not_at_table` if the player has neither.
        """
        return self.ask(Leave(name_of(player)))

    def leave_after_hand(self, player: str | Named, *, leave: bool = True) -> bool:
        """Cash out and give up the seat once the current hand is booked; returns whether it is done already.

        That is at once for a player who is in no hand or on the waiting list. The player plays the hand to
        its end and then hears `cashed_out` and `left`. `leave=False` takes it back. Refused as
        `not_at_table`.
        """
        return self.ask(LeaveAfterHand(name_of(player), leave))

    def buy_in(self, player: str | Named, amount: int) -> int:
        """Move chips from the bank to the stack (`not_at_table`, `insufficient_funds`, `hand_in_progress`); returns the stack."""
        return self.ask(BuyIn(name_of(player), amount))

    def cash_out(self, player: str | Named) -> int:
        """Move the whole stack to the bank (`not_at_table`, `hand_in_progress`); returns the chips moved."""
        return self.ask(CashOut(name_of(player)))

    def forfeit(self, player: str | Named) -> int:
        """Give the whole stack to the house (`not_at_table`, `hand_in_progress`); returns the chips."""
        return self.ask(Forfeit(name_of(player)))

    def top_up(self, player: str | Named, amount: int, *, key: str = "") -> int:
        """Mint chips straight into a stack, as a tournament does; a negative amount removes them.

        With a `key` it happens once, however often it is called. Refused as `not_at_table`,
        `hand_in_progress`, `insufficient_funds`; returns the stack.
        """
        return self.ask(TopUp(name_of(player), amount, key))

    def send(self, player: str | Named, to: Named) -> int:
        """Free the seat and send its stack to another table, in one booking; returns the chips.

        ``to.sit(player, seat, with_stack=True)`` picks them up there. Refused as `not_at_table`,
        `hand_in_progress`.
        """
        return self.ask(Send(name_of(player), name_of(to)))

    def run_it_once(self, player: str | Named, *, once: bool = True) -> None:
        """Decline running boards several times while this player is in the hand; `once=False` agrees again.

        Takes effect with the next hand. By default a player agrees to what the table offers.
        """
        return self.ask(RunItOnce(name_of(player), once))

    def show_cards(self, player: str | Named, *, hand_id: str | None = None) -> None:
        """Turn up the player's cards of the hand that is over, until the next hand is dealt.

        Without this, and unless the showdown asks for them, nobody sees them. All who were in the hand or watch hear
        a `HandState` that shows them, and everybody at the table hears `showed` as table news. Cards already turned
        up stay up. With a `hand_id` it is for that hand only. Refused as `hand_in_progress`, and as `not_at_table` if
        the player was not dealt into that hand.
        """
        return self.ask(ShowCards(name_of(player), hand_id))

    def time_bank(self, player: str | Named) -> float:
        """Return the seconds a player may take beyond the deadlines; 0 without time banks."""
        return self.ask(GetTimeBank(name_of(player)))

    def sit_out(self, player: str | Named) -> None:
        """Keep the seat without being dealt in, from the next hand on, until `sit_in`."""
        return self.ask(SitOut(name_of(player)))

    def sit_in(self, player: str | Named, *, wait: bool = False) -> None:
        """Be dealt in again; at a table with `missed_blinds`, by posting the missed ones.

        With `wait`, only once the player's seat has the big blind, which then replaces all that is owed. A new player,
        who owes the big blind, may wait for it in the same way.
        """
        return self.ask(SitIn(name_of(player), wait))

    def watch(self, player: Reachable) -> None:
        """Tell a player, who need not sit here, what a spectator may see: seat -1, no hole cards."""
        return self.ask(Watch(address_of(player)))

    def unwatch(self, player: Reachable) -> None:
        """Stop telling the player."""
        return self.ask(Unwatch(address_of(player)))

    def live(self) -> LiveHand | None:
        """Return the hand being played, also one resumed after a restart; None if there is none."""
        return self._answered(GetLive(), _hand_if_any)

    def deal(
        self,
        deck: Deck | None = None,
        *,
        stakes: str | Stakes | None = None,
        positions: Positions | None = None,
        bomb_pot: bool = False,
        game: str | Game | None = None,
    ) -> LiveHand:
        """Start a hand (`not_enough_players`, `hand_in_progress`), freshly shuffled unless given a deck.

        `stakes`, `positions` and `game` are for this hand only, for tournaments and dealer's choice; by
        default they are the table's, and positions follow from the previous hand. `bomb_pot` asks for one.
        Raises `BadSpec` for positions that do not fit, and for a bomb pot at a table that has no ante for it.
        """
        if deck is not None and not isinstance(deck, Deck):
            raise BadSpec(f"deck {deck!r:.40} is neither a Deck nor None")
        if positions is not None and not isinstance(positions, Positions):
            raise BadSpec(f"positions {positions!r:.40} are neither Positions nor None")
        own = None if stakes is None else stakes_of(stakes)
        played = None if game is None else one_game_of(game)
        return self._answered(Deal(deck, own, positions, bomb_pot, played), LiveHand)

    def run(
        self,
        hands: int | None = None,
        *,
        rebuy: int = 0,
        until: Callable[[HandResult], object] | None = None,
        wait: bool = False,
    ) -> int:
        """Deal hand after hand and wait for each; returns the number played.

        A player who has lost the whole stack buys in again for `rebuy` chips from the bank; without `rebuy`,
        or without the chips, the player leaves and the seat goes to the waiting list. It ends after `hands`
        hands, when `until` is true of a result, when fewer than two players can be dealt in, and when the
        room is closed. With `wait` it does not end for lack of players but waits, without polling, until two can be
        dealt in and no other hand is played; `stop_run` ends it, and so does a stepper with nothing left to deliver.
        """
        whole_chips("rebuy", rebuy)
        if hands is not None:
            _check_hands(hands)
        return self._finish(_run(self, hands, rebuy, until, wait=wait))

    def stop_run(self) -> None:
        """Stop every `run` of this table that waits for players: at once, or after the current hand."""
        return self.ask(StopRun())

    def play(self, hands: int = 1) -> list[HandResult]:
        """Deal `hands` hands and wait for each; for tables where bots decide."""
        _check_hands(hands)
        return self._finish(_play(self, hands))

    def state(self) -> TableState:
        """Return seats, stacks and button."""
        return self._answered(GetState(), _state)

    def __repr__(self) -> str:
        return f"<Table: {self.name}, {self.config.game} {self.config.stakes}>"


def _check_hands(hands: object) -> None:
    if type(hands) is not int or hands < 0:
        raise BadSpec(f"hands {hands!r:.40} must be a whole number of at least 0")


def _hand_if_any(live: DealtHand | None) -> LiveHand | None:
    return None if live is None else LiveHand(live)


def _state(state: object) -> TableState:
    assert isinstance(state, TableState)
    return state


# -- steps, which a table carries out and its awaitable twin awaits --------------------------------


async def _play(table: Table, hands: int) -> list[HandResult]:
    results = []
    for _ in range(hands):
        hand = await table._done(table.deal())
        results.append(await table._done(hand.result()))
    return results


async def _run(
    table: Table,
    hands: int | None,
    rebuy: int,
    until: Callable[[HandResult], object] | None,
    *,
    wait: bool,
) -> int:
    played, stops = 0, None
    while hands is None or played < hands:
        try:
            if wait and (stops := await _stops_when_ready(table, stops)) is None:
                break
            hand = await table._done(table.deal())
            result = await table._done(hand.result())
        except RoomClosed:
            break
        except TableRefusal as refused:
            if wait and refused.code in ("hand_in_progress", "not_enough_players"):
                continue  # another dealer was quicker
            if refused.code != "not_enough_players":
                raise
            break
        played += 1
        await _replace_losers(table, result, rebuy)
        if until is not None and until(result):
            break
    return played


async def _stops_when_ready(table: Table, stops: int | None) -> int | None:
    """Wait until a hand can be dealt; return how often dealers were told to stop, or None if this one must stop."""
    awaited = await table._done(table.ask(AwaitPlayers(stops)))
    try:
        return awaited.stops if await table._done(table.kept(awaited.word)) else None
    except AskTimeout:
        return None  # a stepper, on which nothing is left to happen


async def _replace_losers(table: Table, result: HandResult, rebuy: int) -> None:
    for seat in result.positions.dealt:
        player = result.players[seat]
        if player is None or result.stacks[seat]:
            continue
        # refused if the player has left or bought in meanwhile, which is fine; the next deal notices a closed room
        if rebuy:
            with suppress(TableRefusal, RoomClosed):
                await table._done(table.ask(BuyIn(player, rebuy)))
        with suppress(TableRefusal, RoomClosed):
            await table._done(table.ask(Leave(player)))
