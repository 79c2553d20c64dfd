"""Restore a room from its journal: what each actor remembers, before any of them starts."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Final, Literal

import attrs

from poker_actors.actors.player.messages import HandState
from poker_actors.actors.player.state import PlayerMemory
from poker_actors.actors.runtime import Address
from poker_actors.actors.table.facts import (
    config_from,
    hand_from,
    remembered,
    resumable,
    sealed_from,
    state_from,
)
from poker_actors.actors.table.state import TableConfig, TableMemory, TableState
from poker_actors.bots import Bot, BotSpec, Faults, OutsideBot, SeedTree, decide
from poker_actors.errors import BadJournal, PokerError
from poker_actors.rules import Hand
from poker_actors.store import Ledger, Replayed, RoomImage, TableImage
from poker_actors.store.fairness import FairnessRecord

__all__ = [
    "OnRecovery",
    "Recovery",
    "bot_text",
    "last_hand",
    "player_memories",
    "table_back",
]

_log: Final = logging.getLogger("poker_actors.room")

OnRecovery = Literal["resume", "void"]
"""What becomes of hands that were being played: they go on, or nobody wins and stacks return."""


@attrs.frozen
class Recovery:
    """What opening a room found in its journal."""

    journal: Replayed
    """how many records were read, and what was cut off at the end"""
    resumed: tuple[str, ...] = ()
    """hands that go on"""
    voided: tuple[str, ...] = ()
    """hands that do not"""
    without_bot: tuple[str, ...] = ()
    """players whose bot cannot be made from its text: they wait for `Player.play_by`"""


def bot_text(spec: BotSpec | None) -> str | None:
    """Return the text that makes this very bot again; None when none does, as for a local function."""
    if spec is None:
        return None
    text = str(spec)
    try:
        again = BotSpec.parse(text)
    except PokerError:
        return None
    return text if (again.source.factory, again.values) == (spec.source.factory, spec.values) else None


def player_memories(image: RoomImage, seeds: SeedTree) -> Iterator[PlayerMemory]:
    """Return what each player remembers, in the order they came; a bot that is gone is None."""
    for name, text in image.players.items():
        bot: Bot | None = None
        if text is not None:
            try:
                bot = BotSpec.parse(text).make()
            except PokerError as error:
                _log.warning("player %s comes back without a bot: %s", name, error)
        yield PlayerMemory(name, bot, seeds.stream(0, image.numbers[name]))


def table_back(
    table: TableImage,
    ledger: Ledger,
    addresses: Mapping[str, Address],
    memories: Mapping[str, PlayerMemory],
    policy: OnRecovery,
    over: Address,
) -> tuple[TableConfig, TableMemory]:
    """Return a table's settings and what it remembers, and let its players remember their last hand there.

    `over` is where a hand that has ended is reached.
    """
    config, memory = _table_memory(table, ledger, addresses, policy)
    if memory.resume is not None:
        _restore_streams(memory.state, memory.resume, memories)
    for player, state in _last_states(table, config, over).items():
        memories[player].heard[config.name] = state
    for player, record in _last_records(table, config).items():
        memories[player].records[config.name] = record
    return config, memory


def _table_memory(
    table: TableImage, ledger: Ledger, players: Mapping[str, Address], policy: OnRecovery
) -> tuple[TableConfig, TableMemory]:
    """Return a table's settings and what it remembers; an open hand is in `resume` if it goes on."""
    config = config_from(table.opened)
    memory = TableMemory(state_from(table, config, ledger, players))
    dealt = table.open_hand
    if dealt is None or policy == "void":
        return config, memory
    if not resumable(dealt, ledger):
        _log.error("%s cannot go on: its chips are not aside for it", dealt.hand_id)
        return config, memory
    memory.resume = _replayed(table, config)
    memory.sealed = sealed_from(dealt, config)
    return config, memory


def _replayed(table: TableImage, config: TableConfig) -> Hand:
    """Play a table's last hand again; raises `BadJournal` if its records make no hand."""
    assert table.dealt is not None
    try:
        return hand_from(table.dealt, config, table.log)
    except PokerError as error:
        raise BadJournal(f"the records of {table.dealt.hand_id} make no hand: {error}") from None


def last_hand(table: TableImage, config: TableConfig) -> tuple[int, Hand | None] | None:
    """Return number and hand of what a table played last, no hand if it is void; None while it plays."""
    if table.dealt is None or not table.over:
        return None
    return table.dealt.number, None if table.voided else _replayed(table, config)


def _restore_streams(state: TableState, hand: Hand, players: Mapping[str, PlayerMemory]) -> None:
    """Bring the luck of the bots in a hand that goes on to where it was when the process ended.

    Each is asked once more for what it has done in this hand, and its answer is dropped: what it draws
    next is then what it would have drawn. A bot that is a program, or is awaited, is not asked: its luck
    is its own.
    """
    again = hand.replay(())
    for taken, action in zip(hand.public().actions, hand.whole_actions(), strict=True):
        seat = state.seats[taken.seat]
        player = None if seat is None else players[seat.player]
        if player is not None and player.bot is not None and player.stream is not None:
            player.stream.hand = state.number - 1
            if not isinstance(player.bot, OutsideBot):
                decide(player.bot, again.view(taken.seat, player.stream), Faults())
        again.act(action)


def _last_states(table: TableImage, config: TableConfig, over: Address) -> dict[str, HandState]:
    """Return what the players of a hand that is over saw of it last: player -> state."""
    if table.dealt is None or not table.over:
        return {}
    return remembered(table.dealt, _replayed(table, config), over)


def _last_records(table: TableImage, config: TableConfig) -> dict[str, FairnessRecord]:
    """Return the fairness records of the hand played last, if it came to its end: player -> record."""
    if table.dealt is None or not table.over or table.voided:
        return {}
    sealed = sealed_from(table.dealt, config)
    if sealed is None:
        return {}
    records = sealed.records(_replayed(table, config))
    players = enumerate(table.dealt.players)
    return {player: records[seat] for seat, player in players if player is not None and seat in records}
