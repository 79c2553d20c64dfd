"""Step a hand: the same actors on one thread, one message at a time.

`StepRuntime.pending` shows the messages on their way, `step()` delivers the next one. Nothing
happens between two steps, so a debugger, a lesson or a test can stop at any single message.
"""

from poker_actors import Call, Check, Deck, HandState, RaiseTo, Room, View
from poker_actors.actors import Delivery, StepRuntime
from poker_actors.rules import Action


def raises_once(view: View) -> Action:
    """Raise once before the flop, then check and call."""
    if view.street == "preflop" and view.to_call == 1:
        return RaiseTo(view.min_raise_to)
    return Call() if view.to_call else Check()


def in_words(delivery: Delivery) -> str:
    """Describe a message: sender, receiver and content."""
    message = delivery.message
    what = type(message).__name__
    if isinstance(message, HandState):
        turn = ", to act" if message.active else ""
        what += f" {message.seq}: {message.phase}, pot {message.pot}, to call {message.to_call}{turn}"
    for name in ("action", "what"):
        if hasattr(message, name):
            what += f" {getattr(message, name)}"
    return f"{delivery.sender} -> {delivery.receiver}: {what}"


def main() -> None:
    """Deal one hand and deliver its messages one by one."""
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table = room.open_table("main", seats=2, button=0)
        for name, bot in (("ann", raises_once), ("bob", "caller")):
            player = room.player(name, bot, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        runtime.run()

        hand = table.deal(Deck.stacked(["AsKd", "7c7d"], "Ah8s3c2dQh"))
        print(f"{len(runtime.pending)} messages are on their way:")
        for waiting in runtime.pending:
            print(f"    {in_words(waiting)}")

        print("step by step, until somebody has seen the flop:")
        while (delivery := runtime.step()) is not None:
            print(f"{runtime.steps:4}  {in_words(delivery)}")
            if isinstance(delivery.message, HandState) and delivery.message.phase == "flop":
                break

        steps = runtime.run()
        result = hand.result()
        print(f"{steps} steps later {result.players[0]} has won {result.payoffs[0]} chips")


if __name__ == "__main__":
    main()
