"""Print the state table and hand values of the 2003 article on poker in Perl from our own objects."""

from poker_actors.evaluator import libpoker
from poker_actors.wire.opp import HoldemState

# The article's table: players and stacks. Its "button" is the player to act first.
game = HoldemState(
    [("lathos", 500), ("MarcBeth", 500), ("Hectate", 500), ("RichardIII", 500)],
    button="Hectate",
    bet=10,
    limit=50,
)
# The calls printed beside the table lead to another state (a pot of 130, preflop); these lead to that table.
game.blinds()
game.call()
game.call()
game.call()
game.check()
game.next_stage("Jd Ks 3s")
game.fold()
game.check()
game.bet(20)
game.fold()
game.call()
game.next_stage("3h")
print(game.status(), end="")

print()
for hand in ("Ah 7c Jd As 7h", "9d 5d Ks 7h 5s 7s 4c"):
    value = libpoker.evaluate(hand)
    print(f"{hand}: {value} {libpoker.handval(value)}")
