"""Play a tournament three times: in a loop, at the tables of a room, and in a room that is closed and reopened."""

import tempfile
from pathlib import Path

from poker_actors.actors import Room, StepRuntime
from poker_actors.sim.tournaments import (
    Tournament,
    TournamentPlan,
    TournamentResult,
    icm,
    multi_table,
    play_direct,
    play_in_room,
)

BOTS = ("tight", "loose", "pot-odds", "caller")
PLAN = TournamentPlan.of(multi_table(4, fee=10), 12, BOTS, seed=11, late=3)


def tell(result: TournamentResult) -> None:
    """Print the prizes, the length of play, and chips and money in and out."""
    for placed in result.standings[: len(result.payouts)]:
        print(f"{placed.place}. {placed.name} ({placed.bot}) wins {placed.prize}")
    print(f"{result.hands} hands, level {result.level}, tables broken: {list(result.broken)}")
    print(
        f"chips {result.chips_in} in, {result.chips_out} out; prizes {result.prize_in} in, {result.prize_out} out"
    )


def in_two_processes(store: Path) -> TournamentResult:
    """Close the room after thirty hands, in the middle of others, and play on in another."""
    runtime = StepRuntime()
    with Room(runtime, seed=PLAN.seed, store=store) as room:
        tournament = Tournament.open(room, PLAN.structure, plan=PLAN)
        runtime.run(until=lambda: bool(tournament.look(lambda director: director.hands >= 30)))
        left = tournament.look(lambda director: director.left)
        print(f"closed with {left} players left")
    return play_in_room(PLAN, store=store)


whole = play_direct(PLAN)
tell(whole)
print("at the tables of a room:", "the same" if play_in_room(PLAN) == whole else "another one")
with tempfile.TemporaryDirectory() as folder:
    print(
        "closed and opened again:",
        "the same" if in_two_processes(Path(folder) / "t.db") == whole else "another one",
    )

stacks = whole.curve[4]
worth = icm(list(stacks.values()), whole.payouts)
print("as level 5 began:")
for name, value in zip(stacks, worth.values, strict=True):
    print(f"  {name} with {stacks[name]} had {value:.0f} of the prizes")
