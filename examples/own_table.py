"""A table and a hand of your own: players vote for a bomb pot, and call the clock on one who thinks for too long.

    python own_table.py [stepper|loop|threads]

The same classes play on every runtime. The stepper's clock is virtual; with the other two the program waits a second.
"""

import queue
import sys

import attrs

from poker_actors import Deck, HandState, Room
from poker_actors.actors import Command, HandActor, LoopRuntime, StepRuntime, TableActor, ThreadRuntime, on
from poker_actors.actors.messages import Deal, DealtHand
from poker_actors.errors import IllegalAction, UnknownMessage
from poker_actors.rules.cash import CashOptions

CLOCK_SECONDS = 1
RUNTIMES = {"stepper": StepRuntime, "loop": LoopRuntime, "threads": ThreadRuntime}


@attrs.frozen
class VoteBomb(Command[int]):
    """Vote for a bomb pot; answered with the number of votes that are missing."""

    player: str


@attrs.frozen
class CallClock(Command[int]):
    """Have the open turn end in `CLOCK_SECONDS`; answered with the seat that is to act."""


class BombVote(TableActor):
    """Deals a bomb pot once all who sit have voted for one."""

    @on(VoteBomb)
    def vote(self, command: VoteBomb) -> int:
        """Count a vote, once; raises `TableRefusal` (`not_at_table`)."""
        self.memory.seating.seat_of(command.player)
        # in the table's memory, not in the actor: votes outlive its crashes
        votes: set[str] = self.memory.own.setdefault("votes", set())
        votes.add(command.player)
        return len(self.seated - votes)

    @property
    def seated(self) -> set[str]:
        """The names of all who sit."""
        return {seat.player for seat in self.memory.seating.seats if seat is not None}

    def deal(self, command: Deal) -> DealtHand:
        """Deal as every table does, and a bomb pot if that was the vote. `TableActor.deal` is marked already."""
        votes = self.memory.own.get("votes", set())
        agreed = self.seated <= votes
        dealt = super().deal(attrs.evolve(command, bomb_pot=command.bomb_pot or agreed))
        if agreed:
            votes.clear()
        return dealt


class ClockedHand(HandActor):
    """A hand in which anybody may call the clock."""

    @on(CallClock)
    def call_clock(self, command: CallClock) -> int:
        """Set a deadline for the open turn; raises `IllegalAction` (`not_active`) if there is none."""
        if self.turn is None:
            raise IllegalAction(f"nobody is to act in {self.plan.hand_id}", code="not_active")
        self.end_turn_in(CLOCK_SECONDS)
        return self.turn.seat


runtime = RUNTIMES[sys.argv[1] if len(sys.argv) > 1 else "stepper"]()
turns: queue.SimpleQueue[HandState] = queue.SimpleQueue()


def heard(news: object) -> None:
    """Keep the states in which ann, who plays by hand, is to act."""
    if isinstance(news, HandState) and news.active:
        turns.put(news)


def next_turn() -> HandState:
    """Wait for ann's next turn: on a stepper nothing happens until the program lets time pass."""
    if isinstance(runtime, StepRuntime):
        runtime.advance(CLOCK_SECONDS)
    return turns.get(timeout=60)


with Room(runtime, seed=1) as room:
    options = CashOptions(bomb_pot=10)
    table = room.open_table(
        "kitchen", seats=3, stakes="1/2", button=0, options=options, table=BombVote, hand=ClockedHand
    )
    for name, bot in (("ann", None), ("bob", "caller"), ("cyd", "caller")):
        player = room.player(name, bot, chips=200)
        table.sit(player)
        table.buy_in(player, 200)
    ann = room.players["ann"]
    ann.listen(heard)

    print("votes missing:", [table.ask(VoteBomb(name)) for name in ("ann", "bob", "bob", "cyd")])
    hand = table.deal(Deck.seeded(1))
    print("a bomb pot:", next_turn().pot)
    print("the clock is called on seat", hand.ask(CallClock()))
    print("seat 0:", [str(taken.action) for taken in next_turn().public.actions if taken.seat == 0])
    ann.play_by("caller")
    print("payoffs:", hand.result().payoffs)

    print("nobody has voted:", table.deal(Deck.seeded(2)).result().payoffs)
    try:
        table.ask(CallClock())
    except UnknownMessage as refused:
        print(f"{refused.code}: {refused}")
