"""An agent without a model: it decides by the answers of the tools alone, and plays ten hands.

It starts `poker-actors mcp`, which has its own room, and talks to it like any agent's program.
"""

import asyncio
import json
import sys
from typing import Any

from mcp import Client, StdioServerParameters

HANDS = 10


def choose(view: dict[str, Any]) -> dict[str, Any]:
    """Decide like a cautious player: make the smallest raise with a pair, else check, call a little or fold."""
    actions = {one["action"]: one for one in view["actions"]}
    ranks = [card[0] for card in view["your_cards"]]
    if ranks[0] == ranks[1] and actions.get("raise_to", {"min_amount": 1_000})["min_amount"] <= 100:
        return {"action": "raise_to", "amount": actions["raise_to"]["min_amount"]}
    if "check" in actions:
        return {"action": "check"}
    cheap = "call" in actions and actions["call"]["costs"] <= min(100, view["pot"] // 2)
    return {"action": "call" if cheap else "fold"}


async def play(agent: Client) -> None:
    """Sit down at a table with built-in bots, and play."""

    async def use(tool: str, **given: Any) -> Any:
        result = await agent.call_tool(tool, given)
        text = getattr(result.content[0], "text", "{}")
        assert not result.is_error, text
        return json.loads(text)

    await use("register")
    bots = (await use("list_tables"))["bots_to_call"]
    view = await use("make_table", name="Ten hands", bots=bots[:3], pause=0, think=0)
    table = view["table"]
    hands: set[str] = set()
    while len(hands) < HANDS:
        view = await use("wait_for_turn", table=table, seconds=30)
        if view["status"] == "your_turn":
            hands.add(view["hand_id"])
            turn = {"hand_id": view["hand_id"], "seq": view["seq"]}
            await use("act", table=table, **turn, **choose(view))
    mine = (await use("my_hands", table=table))["hands"]
    last = await use("read_hand", table=table, hand_id=mine[0]["hand_id"])
    await use("leave_table", table=table)
    print(f"{len(hands)} hands played; the last one reads: {last['game']}, {len(last['players'])} players")


async def main() -> None:
    """Start the command and play."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "poker_actors", "mcp"])
    async with Client(command) as agent:
        tools = [tool.name for tool in (await agent.list_tools()).tools]
        print("tools:", ", ".join(tools))
        await play(agent)


if __name__ == "__main__":
    asyncio.run(main())
