"""A small witness for tests of crashes: it records what players hear of their hands and checks that it stays true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from pykka.messages import ProxyGetAttr

from poker_actors.actors import HandResult, HandState, News, Player, Room, Table, TableNews

__all__ = ["CRASH", "Witness", "heard", "seated"]

CRASH: Final = ProxyGetAttr(attr_path=("nothing_of_this_name",))
"""Crashes any actor that is told it: one of pykka's own messages, whose handler raises `AttributeError`."""


def seated(room: Room, bots: list[object], **settings: object) -> tuple[Table, list[Player]]:
    """Open a table and seat a player with 1000 chips for each bot."""
    table = room.open_table("main", **settings)  # type: ignore[arg-type]  # settings are open_table's
    players = []
    for number, bot in enumerate(bots):
        player = room.player(f"p{number}", bot, chips=5000)  # type: ignore[arg-type]  # bots of tests
        table.sit(player, number)
        table.buy_in(player, 1000)
        players.append(player)
    return table, players


class Witness:
    """Hears what the players hear and checks results against it."""

    def __init__(self, players: list[Player]) -> None:
        self.ends: dict[str, set[tuple[int, ...]]] = {}
        """hand -> the final stacks that players have heard"""
        self.said: Counter[tuple[str, str, str]] = Counter()
        """(player, what, hand) -> how often the player heard it as news"""
        for player in players:
            player.listen(self._listener(player.name))

    def _listener(self, name: str) -> Callable[[News], None]:
        def listen(news: News) -> None:
            if isinstance(news, HandState):
                if news.public.active is None:
                    self.ends.setdefault(news.hand_id, set()).add(news.public.stacks)
            elif isinstance(news, TableNews) and news.hand_id is not None:
                self.said[name, news.what, news.hand_id] += 1

        return listen

    def check(self, result: HandResult) -> None:
        """Check a result against what players heard of its hand."""
        told = self.ends.get(result.hand_id, set())
        assert len(told) <= 1, f"two ends of {result.hand_id} were told: {told}"
        if told:
            assert not result.voided, f"{result.hand_id} was told to its end, and is void"
            assert result.hand is not None
            assert told == {tuple(result.hand.stacks)}

    def check_news(self) -> None:
        """Check that no news came twice, and that no hand both ended and was voided."""
        assert [what for what, times in self.said.items() if times > 1] == []
        ended = {(name, hand) for name, what, hand in self.said if what == "hand_ended"}
        assert not ended & {(name, hand) for name, what, hand in self.said if what == "hand_voided"}


def heard(player: Player, table: Table) -> HandState:
    """Wait for the player's turn at a table: on threads, states arrive some time after the deal."""
    while True:
        state = player.at(table).state()
        if state is not None and state.turn is not None:
            return state
