"""One player at two tables: an action that does not name its table is refused while two turns are open."""

from poker_actors import Deck, IllegalAction, Player, Room, Table
from poker_actors.actors import StepRuntime


def seat(table: Table, player: Player, chips: int) -> None:
    """Sit down and buy in for `chips`."""
    table.sit(player)
    table.buy_in(player, chips)


with Room(StepRuntime(), seed=3) as room:
    kitchen, attic = (
        room.open_table("kitchen", seats=2, button=0),
        room.open_table("attic", seats=2, button=0),
    )
    ann = room.player("ann", chips=1100)
    seat(kitchen, ann, 1000)
    seat(attic, ann, 100)
    for table in (kitchen, attic):
        seat(table, room.player(f"caller at {table.name}", "caller", chips=1000), 1000)
    hands = [table.deal(Deck.seeded(7)) for table in (kitchen, attic)]
    try:
        ann.all_in()
    except IllegalAction as refused:
        print(f"{refused.code}: {refused}")
    ann.at("attic").all_in()
    state = ann.at(kitchen).state()
    assert state is not None
    print(
        f"at the kitchen ann has {state.stacks[0]} behind, {state.to_call} to call, against {state.names[1]}"
    )
    ann.fold()  # only one turn is open now, so no table need be named
    for table, hand in zip((kitchen, attic), hands, strict=True):
        print(f"{table.name}: {hand.result().payoffs}")
