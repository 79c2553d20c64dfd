"""The clock of a served room is the loop's, also where a request is carried out at once."""

import asyncio

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.guard import Guard
from poker_actors.server import README, Notes, Passwords, Rules, Users
from poker_actors.server.http import Limits
from poker_actors.server.http.app_state import AppState


def test_a_turn_has_all_its_seconds_however_long_the_last_player_thought() -> None:
    async def main() -> None:
        runtime = StepRuntime()
        async with AsyncRoom(Room(runtime, seed=1)) as room:
            users = Users(notes := Notes(), Passwords(argon2=False, scrypt_cost=2))
            guard = Guard(limits := Limits())
            app = AppState(room, notes, users, profile=README, rules=Rules(), limits=limits, guard=guard)
            before = runtime.now()
            await asyncio.sleep(0.02)
            # what a hand that is carried on by the command counts the next deadline from
            assert app.settle(runtime.now) > before
            await app.close()
            guard.close()

    asyncio.run(main())
