"""A hand that outlives its process: the room is closed in the middle of it, opened again, and plays on."""

import tempfile
from pathlib import Path

from poker_actors import Call, Check, Deck, Room, Stakes


def open_up(store: Path) -> None:
    """Be the first process: deal, take two turns, and leave."""
    with Room(store=store) as room:
        table = room.open_table("main", seats=2, stakes=Stakes(5, 10), button=0)
        for seat, name in enumerate(("ann", "bob")):
            player = room.player(name, chips=500)
            table.sit(player, seat)
            table.buy_in(player, 500)
        hand = table.deal(Deck.stacked(["AsAh", "KsKh"], "2c7d9h4c3s"))
        room.players["ann"].act(Call(), hand_id=hand.hand_id, seq=0)
        room.players["bob"].act(Check(), hand_id=hand.hand_id, seq=1)
        print(f"{hand.hand_id} is on the {hand.state().phase}, pot {hand.state().pot}")


def go_on(store: Path) -> None:
    """Be the second process: bob never heard that his check was taken, and sends it again."""
    with Room(store=store) as room:
        assert room.recovery is not None
        print(f"goes on: {', '.join(room.recovery.resumed)}")
        hand = room.tables["main"].live()
        assert hand is not None
        room.players["bob"].act(Check(), hand_id=hand.hand_id, seq=1)
        print(f"still {hand.state().seq} actions")
        for player in room.players.values():
            player.play_by("caller")
        print(f"payoffs {hand.result(timeout=10).payoffs}, chips conserved: {room.audit().conserved}")


with tempfile.TemporaryDirectory() as folder:
    open_up(Path(folder) / "room.db")
    go_on(Path(folder) / "room.db")
