"""The drivers that play through the real actors: bank, table, hand and players.

The actors are imported only to play: without them a direct run starts a quarter sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from poker_actors.bots import Bot, Faults, peeking_bots, show_cards
from poker_actors.errors import RoomError
from poker_actors.sim.match import Cash, Match, Setting
from poker_actors.sim.record import Played

if TYPE_CHECKING:
    from poker_actors.actors import Player, Room, StepRuntime, Table, ThreadRuntime

    Runtime = StepRuntime | ThreadRuntime


def play_stepper(
    match: Match, hands: range, bots: Sequence[Bot], faults: Sequence[Faults]
) -> Iterator[Played]:
    """Play `hands` in a room on the stepping runtime: message by message on the caller's thread."""
    from poker_actors.actors import StepRuntime

    return _play(StepRuntime, match, hands, bots, faults)


def play_threads(
    match: Match, hands: range, bots: Sequence[Bot], faults: Sequence[Faults]
) -> Iterator[Played]:
    """Play `hands` in a room of actors with a thread each, as in an embedded table."""
    from poker_actors.actors import ThreadRuntime

    return _play(ThreadRuntime, match, hands, bots, faults)


def _play(
    runtime: Callable[[], Runtime],
    match: Match,
    hands: range,
    bots: Sequence[Bot],
    faults: Sequence[Faults],
) -> Iterator[Played]:
    """Open a room for each sitting, usually one for all hands."""
    for sitting in match.form.sittings(hands):
        if sitting:
            yield from _sit_down(runtime(), match, sitting, bots, faults)


def _sit_down(
    runtime: Runtime, match: Match, hands: range, bots: Sequence[Bot], faults: Sequence[Faults]
) -> Iterator[Played]:
    from poker_actors.actors import Room

    setting = match.setting(hands.start)
    with Room(runtime, seed=match.seed, recent=0) as room:
        players = [room.player(str(number), bot) for number, bot in enumerate(bots)]
        for player, account in zip(players, faults, strict=True):
            player.counted_in(account)
        table = _open_table(room, match, setting, hands)
        for seat, bot in enumerate(setting.bots):
            table.sit(players[bot], seat)
        peeking = peeking_bots(bots)
        hand = None
        for number in hands:
            setting = match.setting(number, hand)
            if hand is None or not table.config.restack:
                _bring_stacks(room, table, [players[bot] for bot in setting.bots], setting.stacks)
            deck = match.deck(number)
            game, stakes = match.played(number)
            if peeking:
                show_cards(peeking, game, deck, setting.stacks)
            result = table.deal(deck, game=game, stakes=stakes).result()
            if result.hand is None:
                raise RoomError(f"hand {number} is void: an actor crashed")
            hand = result.hand
            yield number, hand, setting.bots


def _open_table(room: Room, match: Match, start: Setting, hands: range) -> Table:
    # equal stacks are reset by the table itself: saves messages to the bank after each hand
    reset = isinstance(match.form, Cash) and len(set(start.stacks)) == 1
    size = len(start.stacks)
    if reset:
        for number in range(size):
            # enough to lose every hand: restacking takes the chips from the player's balance
            room.bank.deposit(str(number), start.stacks[0] * (len(hands) + 1))
    return room.open_table(
        seats=size,
        stakes=match.stakes,
        game=match.game,
        button=start.button,
        first_hand=hands.start,
        restack=start.stacks[0] if reset else 0,
        options=match.options,
    )


def _bring_stacks(room: Room, table: Table, players: Sequence[Player], stacks: Sequence[int]) -> None:
    """Bring every stack to its size for the next hand, depositing chips if a balance is too small."""
    for player, seat, wanted in zip(players, table.state().seats, stacks, strict=True):
        held = 0 if seat is None else seat.stack
        if held > wanted:
            held = 0
            table.cash_out(player)
        if held < wanted:
            short = wanted - held - room.bank.balance(player.name)
            if short > 0:
                room.bank.deposit(player.name, short)
            table.buy_in(player, wanted - held)
