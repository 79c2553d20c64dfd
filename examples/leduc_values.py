"""The values of Kuhn and Leduc poker, and how much three strategies can be exploited.

Run with ``python examples/leduc_values.py``; it takes some ten seconds.
"""

from poker_actors.sim.exploiting import kuhn, leduc, nash_conv, solve, uniform, value

small = kuhn()
play = solve(small, 1000)
print(
    f"Kuhn: value {value(small, play, play):+.4f} (-1/18 is {-1 / 18:+.4f}), exploited by {nash_conv(small, play, play):.4f}"
)

game = leduc()
play = solve(game, 500)
print(f"Leduc: value {value(game, play, play):+.4f}, exploited by {nash_conv(game, play, play):.4f}")
print(f"Leduc, every action as likely: exploited by {nash_conv(game, uniform, uniform):.4f}")
