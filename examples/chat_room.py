"""A poker room for a chat channel, in asyncio: buttons, time-outs, leaving in mid-hand, words for every state.

    python chat_room.py [stepper|loop|threads] [asyncio|uvloop]

A chat bot would send `Chat.say` to the channel, `Chat.whisper` to one person with a row of buttons, and call
`press` when a button is pressed. Nothing here asks again and again: news are streams, the dealer waits until two
can play, and who leaves in mid-hand asks once. It is the same on every runtime and event loop.
"""

import asyncio
import importlib
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import attrs

from poker_actors import Deck, HandState, Refusal, Room, TableNews
from poker_actors.actors import LoopRuntime, StepRuntime, TableActor, ThreadRuntime, on
from poker_actors.actors.aio import AsyncPlayer, AsyncRoom, AsyncTable
from poker_actors.actors.messages import Deal, DealtHand
from poker_actors.errors import PokerError
from poker_actors.rules import parse_action

TURN_SECONDS = 2
"""A minute or a day in a chat; here nobody shall wait so long for cyd."""
PAUSE_SECONDS = 1
"""Between hands, to show one's cards."""
RUNTIMES = {"stepper": StepRuntime, "loop": LoopRuntime, "threads": ThreadRuntime}

Presses = Callable[[HandState], list[str]]
"""The buttons that a person presses in a state."""


class Chat:
    """The channel and everybody's private messages; here they are printed."""

    def __init__(self) -> None:
        self.said = Counter[str]()
        self.more = asyncio.Event()

    def say(self, text: str) -> None:
        """Write to the channel."""
        print(f"#poker        {text}")
        self.said[text] += 1
        self.more.set()

    async def until(self, text: str, times: int = 1) -> None:
        """Wait until the channel has read a text so often."""
        while self.said[text] < times:
            self.more.clear()
            await self.more.wait()

    def whisper(self, name: str, text: str, buttons: list[str]) -> None:
        """Write to one person, with buttons."""
        print(f"  @{name:<10} {text}{''.join(f' [{one}]' for one in buttons)}")


def buttons(state: HandState) -> list[str]:
    """Return what may be pressed when it is one's turn."""
    legal = state.legal
    moves = ["fold", f"call {legal.to_call}"] if legal.to_call else ["check"]
    if legal.max_raise_to:
        moves.append(f"raise_to {legal.min_raise_to}")
    return [*moves, "leave"]


async def press(table: AsyncTable, player: AsyncPlayer, button: str, hand_id: str) -> None:
    """Do what a button says; whatever is refused is said in words."""
    match button.split():
        case ["leave"]:
            if not await table.leave_after_hand(player):
                chat.whisper(player.name, "You leave after this hand", [])
        case ["show"]:
            await table.show_cards(player, hand_id=hand_id)
        case ["sit", "out"]:
            await table.sit_out(player)
        case ["sit", "in"]:
            await table.sit_in(player)
        case ["call", *_]:
            await player.at(table).call()
        case _:
            await player.at(table).act(parse_action(button))


async def serve(table: AsyncTable, player: AsyncPlayer, presses: Presses) -> None:
    """Serve one person: whisper every state that concerns them, and press what they press."""
    state = None
    async with player.news() as news:
        async for one in news:
            offered = []
            if isinstance(one, Refusal):
                chat.whisper(player.name, one.text, [])
            elif isinstance(one, HandState):
                state = one
                offered = buttons(state) if state.active else []
                if offered or state.public.over:
                    chat.whisper(player.name, state.text(), offered)
            elif (
                state
                and isinstance(one, TableNews)
                and (one.what, one.hand_id) == ("hand_ended", state.hand_id)
            ):
                offered = ["show"]
                chat.whisper(player.name, "You may show your cards", offered)
            if not (state and offered):
                continue
            for button in presses(state):
                try:
                    await press(table, player, button, state.hand_id)
                except PokerError as error:
                    chat.whisper(player.name, f"{button}: {error}", [])


WORDS = {
    "bought_in": "{0.player} sits down", "cashed_out": "{0.player} cashes out", "left": "{0.player} has left",
    "sat_out": "{0.player} sits out", "sat_in": "{0.player} is back", "showed": "{0.player} shows",
    "hand_started": "--- {0.hand_id}", "hand_ended": "{0.hand_id} is over",
    "hand_voided": "{0.hand_id} is void, everybody has their chips back",
}  # fmt: skip


async def announce(host: AsyncPlayer) -> None:
    """Tell the channel what a spectator sees."""
    async with host.news() as news:
        async for one in news:
            if isinstance(one, TableNews) and one.what in WORDS:
                chat.say(WORDS[one.what].format(one))
            elif isinstance(one, HandState):
                chat.say(one.text())


async def deal(table: AsyncTable, late: asyncio.Event) -> None:
    """Deal whenever two can play, until it is late."""
    # one hand after another, with a pause: `run` waits for players, and returns 0 when it is stopped
    while not late.is_set() and await table.run(1, wait=True):
        with suppress(TimeoutError):
            await asyncio.wait_for(late.wait(), PAUSE_SECONDS)


# -- an evening, the same every time ----------------------------------------------------------------


class SeededTable(TableActor):
    """Deals decks that are known, so that this program prints the same every time; yours does without."""

    @on(Deal)
    def deal(self, command: Deal) -> DealtHand:
        """Deal as every table does."""
        return super().deal(attrs.evolve(command, deck=Deck.seeded(40 + self.memory.seating.number)))


def cheapest(state: HandState) -> list[str]:
    """Call or check."""
    return [("call" if state.to_call else "check")] if state.active else []


def ann(state: HandState) -> list[str]:
    """Raise before the flop, and show whenever the others have folded."""
    if state.public.over:
        won = state.public.stacks[state.seat] > state.public.setup.stacks[state.seat]
        return ["show"] if won and not state.board else []
    return [one for one in buttons(state) if one.startswith("raise_to") and not state.board] or cheapest(
        state
    )


def bob(state: HandState) -> list[str]:
    """Leave in the middle of the second hand, and fold."""
    return ["leave", "fold"] if state.active and state.change.number == 1 else cheapest(state)


def asleep(state: HandState) -> list[str]:
    """Press nothing."""
    return []


def tired(state: HandState) -> list[str]:
    """Leave after this hand."""
    return ["leave", "fold"] if state.active else []


def pressed_by(presses: dict[str, Presses], name: str, state: HandState) -> list[str]:
    """Return what somebody presses; who that is may change during the evening."""
    return presses[name](state)


async def main(runtime: StepRuntime | LoopRuntime | ThreadRuntime) -> None:
    """Play an evening: bob leaves in mid-hand, cyd sleeps, wakes up and is back, bob too, and then it is late."""
    async with AsyncRoom(Room(runtime, seed=1)) as room:
        table = await room.open_table(
            "poker",
            seats=4,
            stakes="1/2",
            button=0,
            turn_seconds=TURN_SECONDS,
            missed_blinds=True,
            table=SeededTable,
        )
        host = await room.player("host")
        tasks = [asyncio.create_task(announce(host))]
        await table.watch(host)
        presses: dict[str, Presses] = {"ann": ann, "bob": bob, "cyd": asleep}
        for name in list(presses):
            player = await room.player(name, chips=200)
            pressed = partial(pressed_by, presses, name)
            tasks.append(asyncio.create_task(serve(table, player, pressed)))
            await table.sit(player)
            await table.buy_in(player, 100)
        late = asyncio.Event()
        dealer = asyncio.create_task(deal(table, late))
        await chat.until("ann shows")
        # cyd, who has missed two turns, sits out, bob has left, and the dealer waits
        presses["cyd"] = cheapest
        await press(table, room.players["cyd"], "sit in", "")
        await chat.until("poker/hand-000000002 is over")
        presses |= dict.fromkeys(presses, tired)
        await table.sit(room.players["bob"])
        await table.buy_in("bob", 100)
        await chat.until("cyd has left")
        await chat.until("ann has left")
        await press(table, room.players["bob"], "leave", "")
        await chat.until("bob has left", times=2)
        late.set()
        await table.stop_run()
        await dealer
        chat.say(f"every chip is there: {(await room.audit()).conserved}. Good night")


chat = Chat()
wanted = dict(enumerate(sys.argv))
loops = importlib.import_module(wanted.get(2, "asyncio"))
with asyncio.Runner(loop_factory=loops.new_event_loop) as runner:
    runner.run(main(RUNTIMES[wanted.get(1, "stepper")]()))
