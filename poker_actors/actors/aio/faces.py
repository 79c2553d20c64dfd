"""Bank, tables and players to await: drawn by tests/actors/draw_awaitable.py from the typed faces."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from poker_actors.actors.aio.bridge import Bridge, NewsStream
from poker_actors.actors.aio.hand import AsyncFace, AsyncHand
from poker_actors.actors.bank.face import Bank
from poker_actors.actors.bank.messages import (
    Balance,
    Debt,
    Deposit,
    Forfeit,
    Lend,
    PayBack,
    Send,
    TopUp,
    Withdraw,
)
from poker_actors.actors.command import GetState, Named, name_of
from poker_actors.actors.hand.face import LiveHand
from poker_actors.actors.hand.messages import DealtHand, HandResult
from poker_actors.actors.player.face import Player
from poker_actors.actors.player.messages import AllIn, HandState, Listen, Play, PlayBy, PutIn, SitOut
from poker_actors.actors.player.state import News
from poker_actors.actors.table.config import one_game_of, stakes_of
from poker_actors.actors.table.face import Table
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
    Sit,
    SitIn,
    StopRun,
    Unwatch,
    Wait,
    Watch,
)
from poker_actors.actors.table.seats import TableState
from poker_actors.bots import Bot, BotSpec, Faults, OutsideBot
from poker_actors.cards import Deck
from poker_actors.errors import AskTimeout, BadSpec, RoomClosed, TableRefusal
from poker_actors.rules import Action, Call, Check, Fold, Game, Positions, RaiseTo, Stakes, whole_chips
from poker_actors.store.fairness import FairnessRecord

__all__ = ["AsyncBank", "AsyncPlayer", "AsyncTable"]


class AsyncBank(AsyncFace):
    """Bank to await; see `Bank` for what each command raises."""

    def __init__(self, bank: Bank, bridge: Bridge) -> None:
        super().__init__(bank.address, bridge)

    async def deposit(self, player: str | Named, amount: int) -> int:
        """Add new chips to a player's account; returns the balance."""
        return await self.ask(Deposit(name_of(player), amount))

    async def withdraw(self, player: str | Named, amount: int) -> int:
        """Take chips out of the room (`insufficient_funds`); returns the balance."""
        return await self.ask(Withdraw(name_of(player), amount))

    async def forfeit(self, player: str | Named, amount: int) -> int:
        """Give chips of a player's account to the house (`insufficient_funds`); returns the balance.

        They stay in the room, in the account `forfeit`: see `Room.audit`.
        """
        return await self.ask(Forfeit(name_of(player), amount))

    async def lend(self, player: str | Named, amount: int) -> int:
        """Lend play-money chips; returns the debt. While lent, they count as minted: see `Room.audit`."""
        return await self.ask(Lend(name_of(player), amount))

    async def pay_back(self, player: str | Named, amount: int) -> int:
        """Take lent chips back from a player's account (`insufficient_funds`); returns the debt left."""
        return await self.ask(PayBack(name_of(player), amount))

    async def debt(self, player: str | Named) -> int:
        """Return what a player owes."""
        return await self.ask(Debt(name_of(player)))

    async def balance(self, player: str | Named) -> int:
        """Return a player's chips outside tables; 0 for an unknown player."""
        return await self.ask(Balance(name_of(player)))


class AsyncPlayer(AsyncFace):
    """Player to await; see `Player` for what each command raises."""

    def __init__(self, player: Player, bridge: Bridge) -> None:
        super().__init__(player.address, bridge)
        self.player: Final = player
        self._memory = player._memory
        self._table = player._table

    def at(self, table: str | Named) -> AsyncPlayer:
        """Return this player at one table: its actions and its `state` are for that table only."""
        return AsyncPlayer(self.player.at(table), self._bridge)

    def news(self, limit: int = 1000) -> NewsStream:
        """Return a stream of everything the player hears: ``async with player.news() as news: async for one in news``."""
        return NewsStream(self._bridge, self.player, limit)

    @property
    def name(self) -> str:
        """The player's name, unique in the room."""
        return self._memory.name

    @property
    def faults(self) -> Faults:
        """Faults of its bot, by kind; for a player without one, missed turns."""
        return self._memory.faults

    def counted_in(self, faults: Faults) -> None:
        """Count faults in `faults` from the next turn on, as a match that lends its bot to a room does.

        An ejected bot then stays seated to check or fold, and closing the room does not stop the bot.
        """
        memory = self._memory
        memory.faults, memory.lent = faults, True
        if isinstance(memory.bot, OutsideBot):
            memory.bot.charge(faults)

    async def act(self, action: Action, *, hand_id: str | None = None, seq: int = 0) -> None:
        """Take the open turn with `action`.

        With `hand_id` and `seq`, from the `HandState` that gave the turn, it is for that turn only:
        repeated after a lost answer, it changes nothing and gets the same answer. A different action
        for that turn, or any for a turn that is over, raises `StaleAction`.
        """
        await self.ask(Play(action, hand_id, seq, self._table))

    async def play_by(self, bot: str | BotSpec | Bot | None) -> None:
        """Let `bot` decide from now on; with None, the methods below do."""
        made = None if bot is None else BotSpec.of(bot).make()
        await self.ask(PlayBy(made))

    async def bet(self, amount: int) -> None:
        """Put `amount` chips in now, as a check, call, bet or raise."""
        await self.ask(PutIn(amount, self._table))

    async def check(self) -> None:
        """Check."""
        await self.act(Check())

    async def call(self) -> None:
        """Match the bet, or go all-in for less."""
        await self.act(Call())

    async def fold(self) -> None:
        """Fold."""
        await self.act(Fold())

    async def raise_to(self, total: int) -> None:
        """Bet or raise to `total` chips in front."""
        await self.act(RaiseTo(total))

    async def all_in(self) -> None:
        """Go all-in, by a bet, call or raise."""
        await self.ask(AllIn(self._table))

    async def state(
        self,
    ) -> HandState | None:
        """Return the latest state in which this player is to act, else the latest of all; None before the first."""
        heard = await self.ask(GetState())
        assert isinstance(heard, dict)
        states: list[HandState] = [state for state in heard.values() if self._table in (None, state.table)]
        to_act = [state for state in states if state.turn is not None]
        given = to_act or states
        return given[-1] if given else None

    def record(self, table: str) -> FairnessRecord | None:
        """Return the fairness record of the player's last hand at a table; None if there is none.

        A deck shuffled by the room has one, to compare with the commitment published before the deal
        (`TableNews`, `LiveHand.commitment`); a deck passed in has none.
        """
        return self._memory.records.get(table)

    def listen(self, listener: Callable[[News], None]) -> None:
        """Call `listener` with everything the player hears of what is sent from now on, in the player's thread."""
        self.address.tell(Listen(listener))

    def unlisten(self, listener: Callable[[News], None]) -> None:
        """Stop calling `listener`."""
        self.address.tell(Listen(listener, on=False))

    def __repr__(self) -> str:
        return f"<AsyncPlayer: {self.name}>"


class AsyncTable(AsyncFace):
    """Table to await; see `Table` for what each command raises."""

    def __init__(self, table: Table, bridge: Bridge) -> None:
        super().__init__(table.address, bridge)
        self.table: Final = table
        self.config = table.config

    @property
    def name(self) -> str:
        """The table's name, unique in the room."""
        return self.config.name

    async def sit(self, player: AsyncPlayer, seat: int | None = None, *, with_stack: bool = False) -> int:
        """Take a seat, any free one by default (`seat_taken`, `seat_unavailable`); returns its number.

        Players on the waiting list come first. `with_stack` is for a player sent here by `send`.
        """
        return await self.ask(Sit(player.name, player.address, seat, with_stack))

    async def wait(self, player: AsyncPlayer, buy_in: int = 0) -> int:
        """Wait for a seat; returns the place in line, 1 being next.

        When a seat is free, the first in line gets it, with `buy_in` chips from the bank, and hears `sat`
        and `bought_in` as table news; a player who cannot pay then is `passed_over`. Waiting again keeps
        the place and changes the buy-in; `leave` gives the place up. Refused as `seat_taken` if the player
        sits here, and as `insufficient_funds`.
        """
        return await self.ask(Wait(player.name, player.address, buy_in))

    async def leave(self, player: str | Named) -> None:
        """Give up the seat (`player_has_balance`, `hand_in_progress`) or the place in the waiting list.

        Refused as `not_at_table` if the player has neither.
        """
        await self.ask(Leave(name_of(player)))

    async def leave_after_hand(self, player: str | Named, *, leave: bool = True) -> bool:
        """Cash out and give up the seat once the current hand is booked; returns whether it is done already.

        So it is for a player who is in no hand, or on the waiting list. The player plays the hand to its end and
        then hears `cashed_out` and `left`. `leave=False` takes it back. Refused as `not_at_table`.
        """
        return await self.ask(LeaveAfterHand(name_of(player), leave))

    async def buy_in(self, player: str | Named, amount: int) -> int:
        """Move chips from the bank to the stack (`not_at_table`, `insufficient_funds`, `hand_in_progress`); returns the stack."""
        return await self.ask(BuyIn(name_of(player), amount))

    async def cash_out(self, player: str | Named) -> int:
        """Move the whole stack to the bank (`not_at_table`, `hand_in_progress`); returns the chips moved."""
        return await self.ask(CashOut(name_of(player)))

    async def forfeit(self, player: str | Named) -> int:
        """Give the whole stack to the house (`not_at_table`, `hand_in_progress`); returns the chips."""
        return await self.ask(Forfeit(name_of(player)))

    async def top_up(self, player: str | Named, amount: int, *, key: str = "") -> int:
        """Mint chips straight into a stack, as a tournament does; a negative amount removes them.

        With a `key` it happens once, however often it is called. Refused as `not_at_table`,
        `hand_in_progress`, `insufficient_funds`; returns the stack.
        """
        return await self.ask(TopUp(name_of(player), amount, key))

    async def send(self, player: str | Named, to: AsyncTable) -> int:
        """Free the seat and send its stack to another table, in one booking; returns the chips.

        ``to.sit(player, seat, with_stack=True)`` picks them up there. Refused as `not_at_table`,
        `hand_in_progress`.
        """
        return await self.ask(Send(name_of(player), to.name))

    async def run_it_once(self, player: str | Named, *, once: bool = True) -> None:
        """Decline running boards several times while this player is in the hand; `once=False` agrees again.

        Takes effect with the next hand. By default a player agrees to what the table offers.
        """
        await self.ask(RunItOnce(name_of(player), once))

    async def time_bank(self, player: str | Named) -> float:
        """Return the seconds a player may take beyond the deadlines; 0 without time banks."""
        return await self.ask(GetTimeBank(name_of(player)))

    async def sit_out(self, player: str | Named) -> None:
        """Keep the seat without being dealt in, from the next hand on; `sit_in` takes it back."""
        await self.ask(SitOut(name_of(player)))

    async def sit_in(self, player: str | Named) -> None:
        """Be dealt in again."""
        await self.ask(SitIn(name_of(player)))

    async def watch(self, player: AsyncPlayer) -> None:
        """Tell a player, who need not sit here, what a spectator may see: seat -1, no hole cards."""
        await self.ask(Watch(player.address))

    async def unwatch(self, player: AsyncPlayer) -> None:
        """Stop telling the player."""
        await self.ask(Unwatch(player.address))

    async def live(self) -> AsyncHand | None:
        """Return the hand being played, also one resumed after a restart; None if there is none."""
        live = await self.ask(GetLive())
        return None if live is None else self._hand(live)

    async def deal(
        self,
        deck: Deck | None = None,
        *,
        stakes: str | Stakes | None = None,
        positions: Positions | None = None,
        bomb_pot: bool = False,
        game: str | Game | None = None,
    ) -> AsyncHand:
        """Start a hand (`not_enough_players`, `hand_in_progress`), freshly shuffled unless given a deck.

        `stakes`, `positions` and `game` are for this hand only, for tournaments and dealer's choice; by
        default they are the table's, and positions follow from the previous hand. `bomb_pot` asks for one.
        Raises `BadSpec` for positions that do not fit, and for a bomb pot at a table that has no ante for it.
        """
        if deck is not None and not isinstance(deck, Deck):
            raise BadSpec(f"deck {deck!r:.40} is not a Deck or None")
        if positions is not None and not isinstance(positions, Positions):
            raise BadSpec(f"positions {positions!r:.40} are not Positions or None")
        own = None if stakes is None else stakes_of(stakes)
        played = None if game is None else one_game_of(game)
        dealt = await self.ask(Deal(deck, own, positions, bomb_pot, played))
        return self._hand(dealt)

    async def run(
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
        room is closed. With `wait` it does not end then but waits, without asking again and again, until two can be
        dealt in and no other hand is played; `stop_run` ends it, and so does a stepper with nothing left to deliver.
        """
        whole_chips("rebuy", rebuy)
        played, stops = 0, None
        while hands is None or played < hands:
            try:
                if wait and (stops := await self._stops_when_ready(stops)) is None:
                    break
                hand = await self.deal()
                result = await hand.result()
            except RoomClosed:
                break
            except TableRefusal as refused:
                if wait and refused.code in ("hand_in_progress", "not_enough_players"):
                    continue  # somebody else was quicker
                if refused.code != "not_enough_players":
                    raise
                break
            played += 1
            await self._replace_losers(result, rebuy)
            if until is not None and until(result):
                break
        return played

    async def _stops_when_ready(self, stops: int | None) -> int | None:
        """Wait until a hand can be dealt; return how often dealers were told to stop, None if this one is."""
        awaited = await self.ask(AwaitPlayers(stops))
        try:
            return awaited.stops if await self.kept(awaited.word) else None
        except AskTimeout:
            return None  # a stepper, on which nothing is left to happen

    async def stop_run(self) -> None:
        """Have every `run` of this table that waits for players stop: at once, or after the current hand."""
        await self.ask(StopRun())

    async def _replace_losers(self, result: HandResult, rebuy: int) -> None:
        for seat in result.positions.dealt:
            player = result.players[seat]
            if player is None or result.stacks[seat]:
                continue
            # refused if the player has left or bought in meanwhile, which is fine; the next deal notices a closed room
            if rebuy:
                with suppress(TableRefusal, RoomClosed):
                    await self.buy_in(player, rebuy)
            with suppress(TableRefusal, RoomClosed):
                await self.leave(player)

    async def play(self, hands: int = 1) -> list[HandResult]:
        """Deal `hands` hands and wait for each; for tables where bots decide."""
        results = []
        for _ in range(hands):
            hand = await self.deal()
            results.append(await hand.result())
        return results

    async def state(self) -> TableState:
        """Return seats, stacks and button."""
        state = await self.ask(GetState())
        assert isinstance(state, TableState)
        return state

    def _hand(self, dealt: DealtHand) -> AsyncHand:
        return AsyncHand(LiveHand(dealt), self._bridge)

    def __repr__(self) -> str:
        return f"<AsyncTable: {self.name}, {self.config.game} {self.config.stakes}>"
