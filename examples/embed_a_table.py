"""Embed a table in a program: a user and two bots sit down, play three hands and cash out.

The room runs on its own threads, and the program waits only for results. In `ask_the_user` your program
would show the state and read an answer; here the answers are fixed, so that the output is always the same.
"""

from poker_actors import Deck, Room, Stakes, View
from poker_actors.rules import Action, parse_action

ANSWERS = iter(["call", "check", "bet 10", "bet 25", "fold", "raise_to 15", "check", "check", "check"])


def ask_the_user(view: View) -> Action:
    """Show the view of a seat, and read its action."""
    cards = " ".join(map(str, view.hole))
    board = " ".join(map(str, view.board)) or "no board"
    answer = next(ANSWERS)
    print(f"  you hold {cards}, {board}, pot {view.pot}: {view.legal} > {answer}")
    return parse_action(answer)


def main() -> None:
    """Open the room, play and leave it; no thread is left behind."""
    with Room(seed=2024) as room:
        table = room.open_table("kitchen", seats=3, stakes=Stakes(2, 5))
        robin = room.player("robin", ask_the_user, chips=500)
        players = [robin, room.player("carl", "caller", chips=500), room.player("tina", "tight", chips=500)]
        for player in players:
            seat = table.sit(player)
            table.buy_in(player, 200)
            print(
                f"{player.name} sits in seat {seat}, with 200 chips of {200 + room.bank.balance(player.name)}"
            )

        for number in range(3):
            print(f"hand {number}")
            result = table.deal(Deck.seeded(number)).result(timeout=10)
            for player, payoff, stack in zip(players, result.payoffs, result.stacks, strict=True):
                print(f"  {player.name:5} {payoff:+4} -> {stack}")

        for player in players:
            table.cash_out(player)
            table.leave(player)
            print(f"{player.name} goes home with {room.bank.balance(player.name)}")
        print(f"chips are conserved: {room.audit().conserved}")


if __name__ == "__main__":
    main()
