"""Your own pykka actor as a player: it receives every `HandState`, and acts through the one that gives it the turn."""

import pykka

from poker_actors import Deck, HandState, Room
from poker_actors.rules import Call, Check, Fold


class Careful(pykka.ThreadingActor):
    """Folds when a call costs more than a tenth of its stack, and counts how often."""

    def __init__(self) -> None:
        super().__init__()
        self.folds = 0

    def on_receive(self, message: object) -> object:
        """Receive a `HandState`, a `Refusal` or `TableNews`; anything else is a question of our own program."""
        if message == "how often?":
            return self.folds
        if isinstance(message, HandState) and message.active:
            message.act(self.choose(message))

        return None

    def choose(self, state: HandState) -> Call | Check | Fold:
        """Decide by the price of a call and the player's own stack."""
        if not state.to_call:
            return Check()
        if 10 * state.to_call <= state.stacks[state.seat]:
            return Call()
        self.folds += 1
        return Fold()


careful = Careful.start()
with Room(seed=5) as room:
    table = room.open_table("kitchen", seats=3, stakes="1/2", restack=200)
    for player in (
        room.player("ann", careful, chips=2000),
        *(room.player(n, n, chips=2000) for n in ("maniac", "tight")),
    ):
        table.sit(player)
        table.buy_in(player, 200)
    won = [0, 0, 0]
    for number in range(8):
        result = table.deal(Deck.seeded(number)).result(timeout=30)
        won = [chips + more for chips, more in zip(won, result.payoffs, strict=True)]
    print("chips won:", dict(zip(("ann", "maniac", "tight"), won, strict=True)))
    print("ann folded", careful.ask("how often?"), "times")
    careful.stop()
    # a player whose actor has stopped checks or folds like any absent player, and is dealt no more cards
    table.deal(Deck.seeded(8)).result(timeout=30)
    print(table.state().seats[0])
