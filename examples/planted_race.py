"""A planted race: a table that cashes players out without asking whether they are in a hand.

In the order in which messages are sent nothing goes wrong: the cash-out arrives before the deal.
`explore` delivers them in other orders, finds one that breaks the books, and gives a trace of it:

    poker-actors debug --explore 500 --seed 7 --scene examples/planted_race.py:race
"""

from collections.abc import Iterator
from typing import cast

from poker_actors import Room, Table
from poker_actors.actors import messages, table
from poker_actors.actors.runtime import Actor, Address, on
from poker_actors.debug import Script, explore, verify
from poker_actors.frozen import message


@message
class Pass:
    """Pass a command on to the table."""

    command: messages.Command[object]


class Clerk(Actor):
    """Passes commands on to a table, as the front desk of a room does."""

    def __init__(self, address: Address, to: Address) -> None:
        self.to = to
        super().__init__(address)

    @on(Pass)
    def pass_on(self, said: Pass) -> None:
        """Ask the table, and do not wait."""
        self.to.ask_into(said.command, self.address.runtime.word())


def plant(actor: table.TableActor) -> None:
    """Remove the guard, so that the bank pays out a stack while it is in play."""

    def cash_out(command: messages.CashOut) -> int:
        state = actor.memory.state
        number = state.seat_of(command.player)
        seat = state.seats[number]
        assert seat is not None
        actor.desk.bank.ask(messages.Deposit(command.player, seat.stack))
        return seat.stack

    sound = actor.cash_out
    cast(dict[type, object], actor.handlers)[messages.CashOut] = lambda command: (
        cash_out(command) if actor.memory.state.hand_id else sound(command)
    )


def race(room: Room, at: Table, deal: messages.Deal) -> Iterator[tuple[Address, object]]:
    """Send a cash-out and a deal, each through its own clerk: only then can their order change."""
    assert isinstance(at.address.actor, table.TableActor)
    plant(at.address.actor)
    cashier = room.supervisor.start("cashier", lambda address: Clerk(address, at.address))
    dealer = room.supervisor.start("dealer", lambda address: Clerk(address, at.address))
    leaver = next(iter(room.players))
    yield cashier, Pass(cast(messages.Command[object], messages.CashOut(leaver)))
    yield dealer, Pass(cast(messages.Command[object], deal))


def main() -> None:
    """Explore, and replay the trace that was found."""
    found = explore(Script.of(seed=7, scene=f"{__file__}:race"), 500)
    print(f"tried {found.orders} orders: {found.violation}")
    assert found.trace is not None
    print(f"the trace replays: {verify(found.trace)} steps, message by message the same")
    sound = explore(Script.of(seed=7), 50)
    print(f"our own table: {sound.orders} orders, {sound.violation or 'no violation'}")


if __name__ == "__main__":
    main()
