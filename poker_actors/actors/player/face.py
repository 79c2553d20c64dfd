"""The typed face of a player, and hands that one of our players plays at another server."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from poker_actors.actors.command import Face, GetState, Named, name_of
from poker_actors.actors.player.actor import PlayerMemory
from poker_actors.actors.player.messages import (
    Act,
    AllIn,
    Change,
    HandState,
    Listen,
    News,
    Play,
    PlayBy,
    PutIn,
    Turn,
)
from poker_actors.actors.runtime import ASK_SECONDS, Address, Reply
from poker_actors.bots import Bot, BotSpec, Faults, OutsideBot, hears
from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, Call, Check, Fold, PublicState, RaiseTo
from poker_actors.store.fairness import FairnessRecord


class Player(Face):
    """A player; its methods act for a player without a bot.

    Each action is for the open turn. With open turns at several tables, name one: ``ann.at("kitchen").call()``,
    or call `HandState.act` on the state that gave the turn. A refused action raises `IllegalAction` (`not_active`
    out of turn, `several_turns` with more than one, `not_enough` below the call, `illegal_action` otherwise) and
    changes nothing.
    """

    def __init__(self, address: Address, memory: PlayerMemory, table: str | None = None) -> None:
        super().__init__(address)
        self._memory = memory
        self._table = table

    def at(self, table: str | Named) -> Player:
        """Return this player at one table: its actions and its `state` are for that table only."""
        return Player(self.address, self._memory, name_of(table))

    @property
    def name(self) -> str:
        """The player's name, unique in the room."""
        return self._memory.name

    @property
    def faults(self) -> Faults:
        """Faults of the player's bot, by kind; for a player without a bot, missed turns."""
        return self._memory.faults

    @property
    def hears(self) -> bool:
        """Whether the player's bot is told when hands begin and end."""
        return hears(self._memory.bot)

    def counted_in(self, faults: Faults) -> None:
        """Count faults in `faults` from the next turn on, as a match that lends its bot to a room does.

        An ejected bot then stays seated to check or fold, and closing the room does not stop the bot.
        """
        if not isinstance(faults, Faults):
            raise BadSpec(f"{faults!r:.80} is not an account of `Faults`")
        memory = self._memory
        memory.faults, memory.lent = faults, True
        if isinstance(memory.bot, OutsideBot):
            memory.bot.charge(faults)

    def act(self, action: Action, *, hand_id: str | None = None, seq: int = 0) -> None:
        """Take the open turn with `action`.

        With `hand_id` and `seq` of the `HandState` that gave the turn, the action is for that turn only: repeated after
        a lost answer, it changes nothing and gets the same answer. A different action for that turn, or any action for
        a turn that is over, raises `StaleAction`.
        """
        return self.ask(Play(action, hand_id, seq, self._table))

    def play_by(self, bot: str | BotSpec | Bot | None) -> None:
        """Let `bot` decide from now on; with None, act by the methods below."""
        made = None if bot is None else BotSpec.of(bot).make()
        return self.ask(PlayBy(made))

    def bet(self, amount: int) -> None:
        """Put `amount` chips in now, as a check, call, bet or raise."""
        return self.ask(PutIn(amount, self._table))

    def check(self) -> None:
        """Check."""
        return self.act(Check())

    def call(self) -> None:
        """Call the bet, or go all-in for less."""
        return self.act(Call())

    def fold(self) -> None:
        """Fold."""
        return self.act(Fold())

    def raise_to(self, total: int) -> None:
        """Bet or raise to `total` chips in front."""
        return self.act(RaiseTo(total))

    def all_in(self) -> None:
        """Go all-in, by a bet, call or raise."""
        return self.ask(AllIn(self._table))

    def state(self, timeout: float = ASK_SECONDS) -> HandState | None:
        """Return the latest state in which this player is to act, else the latest of all; None before the first."""
        return self._answered(GetState(), partial(_newest, self._table), timeout)

    def record(self, table: str) -> FairnessRecord | None:
        """Return the fairness record of the player's last hand at a table; None if there is none.

        A deck shuffled by the room has one, to compare with the commitment published before the deal
        (`TableNews`, `LiveHand.commitment`); a deck passed in has none.
        """
        return self._memory.records.get(table)

    def listen(self, listener: Callable[[News], None]) -> None:
        """Call `listener`, in the player's thread, with everything the player hears from now on."""
        if not callable(listener):
            raise BadSpec(f"listener {listener!r:.80} cannot be called")
        self.address.tell(Listen(listener))

    def unlisten(self, listener: Callable[[News], None]) -> None:
        """Stop calling `listener`."""
        self.address.tell(Listen(listener, on=False))

    def __repr__(self) -> str:
        return f"<Player: {self.name}>"


def _newest(table: str | None, heard: object) -> HandState | None:
    """Of the states heard at `table` (anywhere for None), return the last with a turn, or else the last."""
    assert isinstance(heard, dict)
    states: list[HandState] = [state for state in heard.values() if table in (None, state.table)]
    to_act = [state for state in states if state.turn is not None]
    given = to_act or states
    return given[-1] if given else None


class RemoteHand:
    """A hand at another server's table, as one of our players sees it.

    `tell` reports each change to the player, as our own hands would; the player's actions go to `acted`,
    in the player's thread. The other server judges them: nothing is checked here, except that a turn
    is taken only once.
    """

    def __init__(
        self, player: Player, table: str, hand_id: str, number: int, acted: Callable[[Action], None]
    ) -> None:
        self.hand_id = hand_id
        self.number = number
        """of the hand at its table; a bot's luck in the hand follows from it"""
        self._player = player
        self._table = table
        self._acted = acted
        self._turn: Turn | None = None
        self._address = _Wire(hand_id, player.address.runtime, None)
        self._address.take = self._take

    def tell(
        self,
        public: PublicState,
        seat: int,
        hole: tuple[Card, ...],
        *,
        asked: bool = True,
        names: tuple[str | None, ...] = (),
    ) -> None:
        """Report a change to the player, with the turn if `seat` is to act and `asked` is true. `names` are by seat."""
        turn = Turn(self.hand_id, public.seq, seat) if asked and public.active == seat else None
        self._turn = turn
        change = Change(self.hand_id, self.number, self._table, self._address, public, names)
        self._player.address.tell(HandState(change, seat, hole, turn))

    def _take(self, act: Act) -> None:
        if act.turn is self._turn:
            self._turn = None
            self._acted(act.action)


class _Wire(Address):
    """Stands in for a hand's address: passes actions on at once and reports them as accepted."""

    __slots__ = ("take",)

    take: Callable[[Act], None]

    def put(self, message: object, reply: Reply | None = None) -> None:
        if isinstance(message, Act):
            self.take(message)
        if reply is not None:
            reply.set(None)

    tell = put

    def take_all(self) -> list[tuple[object, Reply | None]]:
        return []
