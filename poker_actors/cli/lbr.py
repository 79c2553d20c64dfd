"""`poker-actors lbr`: what a bot can be beaten by at least, heads-up."""

from __future__ import annotations

from poker_actors.cli.json_target import JsonOption
from poker_actors.cli.output import progress

__all__ = ["lbr"]


def lbr(
    bot: str,
    /,
    *,
    hands: int = 2_000,
    seed: int = 0,
    stacks: str = "100bb",
    blinds: str | None = None,
    game: str = "holdem",
    json: JsonOption = None,
) -> None:
    """Say what a bot that says its odds loses at least, heads-up, to local best response.

    The opponent knows the bot's odds, keeps the range of hands it can have, and takes at each turn
    what promises most. A best response wins at least as much. 1000 mbb are a big blind; a bot that always
    folds loses 750 a hand.

    Args:
        bot: NAME, NAME:key=value, FILE.py:FUNCTION or MODULE:FUNCTION; see docs/judging.md for bots of yours.
        hands: How many hands to play.
        seed: Any whole number.
        stacks: Chips of each at the start of a hand: 200 or 100bb.
        blinds: SMALL/BIG, in chips; those of the game if not given.
        game: A game of two hole cards and five on the board.
        json: Write the answer as JSON.
    """
    from poker_actors.rules import Stakes, game_named
    from poker_actors.sim.exploiting import local_best_response

    rules = game_named(game)
    stakes = rules.stakes if blinds is None else Stakes.parse(blinds)
    with progress("hands", hands) as advance:
        found = local_best_response(
            bot, hands=hands, seed=seed, stacks=stacks, stakes=stakes, game=rules, progress=advance
        )
    if json is not None:
        json.write(found.to_dict())
    if json is None or not json.is_stdout:
        won = found.mbb_per_hand
        print(
            f"{found.bot} loses at least {won.mean:,.0f} ± {won.margin or 0:,.0f} mbb a hand to local best response "
            f"({hands:,} hands, seed {seed})"
        )
