"""A small witness for tests of crashes: what players hear of their hands, and whether it stays true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from poker_actors.actors import HandResult, HandState, News, Player, Room, Table, TableNews

__all__ = ["Witness", "heard", "seated"]


def seated(room: Room, bots: list[object], **settings: object) -> tuple[Table, list[Player]]:
    """Open a table at which a player sits for each bot, with 1000 chips."""
    table = room.open_table("main", **settings)  # type: ignore[arg-type]  # settings are open_table's
    players = []
    for number, bot in enumerate(bots):
        player = room.player(f"p{number}", bot, chips=5000)  # type: ignore[arg-type]  # bots of tests
        table.sit(player, number)
        table.buy_in(player, 1000)
        players.append(player)
    return table, players


class Witness:
    """Hears what the players hear, and holds results to it."""

    def __init__(self, players: list[Player]) -> None:
        self.ends: dict[str, set[tuple[int, ...]]] = {}
        """hand -> the final stacks that somebody was told"""
        self.said: Counter[tuple[str, str, str]] = Counter()
        """(player, what, hand) -> how often it was told as news"""
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
        """Hold a result to what was told of its hand."""
        told = self.ends.get(result.hand_id, set())
        assert len(told) <= 1, f"two ends of {result.hand_id} were told: {told}"
        if told:
            assert not result.voided, f"{result.hand_id} was told to its end, and is void"
            assert result.hand is not None
            assert told == {tuple(result.hand.stacks)}

    def check_news(self) -> None:
        """Nothing was told twice as news, and no hand has ended in two ways."""
        assert [what for what, times in self.said.items() if times > 1] == []
        ended = {(name, hand) for name, what, hand in self.said if what == "hand_ended"}
        assert not ended & {(name, hand) for name, what, hand in self.said if what == "hand_voided"}


def heard(player: Player, table: Table) -> HandState:
    """Wait until the player has the turn at a table: a hand that is dealt tells at its own pace."""
    while True:
        state = player.at(table).state()
        if state is not None and state.turn is not None:
            return state
