"""All commands of a room, as people give them in mid-hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from poker_actors.actors import Player
from poker_actors.testing.chaos.floor import Course, Floor
from poker_actors.testing.chaos.settings import Outcome

Request = Callable[[Course, Floor, Player], object]


def _amount(run: Course) -> int:
    return run.luck.choice((1, run.settings.stack // 2 + 1, run.settings.stack))


def _sit(run: Course, floor: Floor, player: Player) -> None:
    seat = run.luck.choice((None, *range(run.settings.seats)))
    if run.give("moves", lambda: floor.table.sit(player, seat)) == "done" and seat is not None:
        run.played["moves of seats"] += 1


def _forfeit(run: Course, floor: Floor, player: Player) -> None:
    run.chips.forfeit_stack(lambda: floor.table.forfeit(player), partial(run.give, "forfeits"))


def _forfeit_at_the_bank(run: Course, floor: Floor, player: Player) -> None:
    amount = _amount(run)
    run.chips.forfeit(
        amount, lambda: run.give("forfeits", lambda: run.room.bank.forfeit(player.name, amount))
    )


def _top_up(run: Course, floor: Floor, player: Player) -> None:
    """Top up with a key, twice: it must happen once."""
    amount, key = _amount(run), f"top-up {run.hands} {run.luck.getrandbits(32)}"

    def twice() -> Outcome:
        first = run.give("tops up", lambda: floor.table.top_up(player, amount, key=key))
        run.look_for_death()
        both = first, run.give("tops up again", lambda: floor.table.top_up(player, amount, key=key))
        return "done" if "done" in both else "unknown" if "unknown" in both else "refused"

    run.chips.mint(amount, twice)


def _minting(sign: int, command: Callable[[Course, Player, int], object]) -> Request:
    def request(run: Course, floor: Floor, player: Player) -> None:
        amount = _amount(run)
        run.chips.mint(sign * amount, lambda: run.give("chips", lambda: command(run, player, amount)))

    return request


def _of_table(command: Callable[[Course, Floor, Player], object]) -> Request:
    return lambda run, floor, player: run.give("asked in mid-hand", lambda: command(run, floor, player))


def _by_a_spectator(command: Callable[[Floor, Player], object]) -> Request:
    def request(run: Course, floor: Floor, _: Player) -> None:
        spectators = [*run.people.spectators.values()]
        if spectators:
            spectator = run.luck.choice(spectators)
            run.give("asked in mid-hand", lambda: command(floor, spectator))

    return request


def _by_anybody(command: Callable[[Floor, Player], object]) -> Request:
    """A request by a spectator, or by a player, who then plays and watches."""
    by_a_spectator = _by_a_spectator(command)

    def request(run: Course, floor: Floor, player: Player) -> None:
        if run.luck.random() < 0.5:
            by_a_spectator(run, floor, player)
        else:
            run.give("asked in mid-hand", lambda: command(floor, player))

    return request


def _play_by(run: Course, floor: Floor, player: Player) -> None:
    """Have a bot decide for a house player, or let the bench decide again for one from outside."""
    outside = player.name in run.people.outside
    bot = None if outside or player.name in run.people.own else run.luck.choice(run.settings.crowd)
    run.give("asked in mid-hand", lambda: player.play_by(bot))


REQUESTS: Final[dict[str, Request]] = {
    "Bank.deposit": _minting(1, lambda run, player, amount: run.room.bank.deposit(player.name, amount)),
    "Bank.withdraw": _minting(-1, lambda run, player, amount: run.room.bank.withdraw(player.name, amount)),
    "Bank.lend": _minting(1, lambda run, player, amount: run.room.bank.lend(player.name, amount)),
    "Bank.pay_back": _minting(-1, lambda run, player, amount: run.room.bank.pay_back(player.name, amount)),
    "Bank.debt": _of_table(lambda run, floor, player: run.room.bank.debt(player.name)),
    "Bank.balance": _of_table(lambda run, floor, player: run.room.bank.balance(player.name)),
    "Bank.forfeit": _forfeit_at_the_bank,
    "Table.sit": _sit,
    "Table.wait": _of_table(lambda run, floor, player: floor.table.wait(player, _amount(run))),
    "Table.leave_after_hand": _of_table(
        lambda run, floor, player: floor.table.leave_after_hand(player, leave=run.luck.random() < 0.8)
    ),
    "Table.leave": _of_table(lambda run, floor, player: floor.table.leave(player)),
    "Table.buy_in": _of_table(lambda run, floor, player: floor.table.buy_in(player, _amount(run))),
    "Table.cash_out": _of_table(lambda run, floor, player: floor.table.cash_out(player)),
    "Table.forfeit": _forfeit,
    "Table.top_up": _top_up,
    "Table.send": _of_table(lambda run, floor, player: floor.table.send(player, floor.table)),
    "Table.sit_out": _of_table(lambda run, floor, player: floor.table.sit_out(player)),
    "Table.sit_in": _of_table(
        lambda run, floor, player: floor.table.sit_in(player, wait=run.luck.random() < 0.5)
    ),
    "Table.run_it_once": _of_table(
        lambda run, floor, player: floor.table.run_it_once(player, once=run.luck.random() < 0.7)
    ),
    "Table.show_cards": _of_table(lambda run, floor, player: floor.table.show_cards(player)),
    "Table.stop_run": _of_table(lambda run, floor, player: floor.table.stop_run()),
    "Table.time_bank": _of_table(lambda run, floor, player: floor.table.time_bank(player)),
    "Table.watch": _by_anybody(lambda floor, spectator: floor.table.watch(spectator)),
    "Table.unwatch": _by_anybody(lambda floor, spectator: floor.table.unwatch(spectator)),
    "Table.deal": _of_table(lambda run, floor, player: _deal(run, floor)),
    "Table.live": _of_table(lambda run, floor, player: floor.table.live()),
    "Table.state": _of_table(lambda run, floor, player: floor.table.state()),
    "LiveHand.state": _of_table(
        lambda run, floor, player: [live.state() for live in run.room.live_hands.values()]
    ),
    "Player.act": _of_table(lambda run, floor, player: player.at(floor.table).fold()),
    "Player.bet": _of_table(lambda run, floor, player: player.at(floor.table).bet(_amount(run))),
    "Player.all_in": _of_table(lambda run, floor, player: player.at(floor.table).all_in()),
    "Player.play_by": _play_by,
    "Player.state": _of_table(lambda run, floor, player: player.state()),
}
"""Each call of `poker_actors.actors.commands()` -> how a person makes it."""


def _deal(run: Course, floor: Floor) -> None:
    """Ask for a hand while one is played; between two hands it is left to the floor."""
    if floor.look().hand_id is not None:
        floor.table.deal()
