"""A match of a thousand hands between two bots, in five lines."""

from poker_actors import simulate

result = simulate(["tight", "caller"], hands=1000, seed=1)
for player in result.players:
    print(f"{player.bot}: {player.net_chips:+,} chips, {player.bb_per_100.mean:+.1f} bb/100")
