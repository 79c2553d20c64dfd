"""`poker-actors lbr`: find a lower bound of how much a bot can lose heads-up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from poker_actors.cli.output import progress
from poker_actors.cli.values import CHIPS, GAME, Blinds, Hands, JsonOption, JsonTarget, SetSeed, to_be_printed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from poker_actors.rules import Game
    from poker_actors.sim.exploiting import LocalBestResponse

__all__ = ["lbr"]


def lbr(
    bot: str,
    /,
    *,
    hands: Hands = 2_000,
    seed: SetSeed = 0,
    stacks: Annotated[str, CHIPS] = "100bb",
    blinds: Blinds = None,
    game: Annotated[str, GAME] = "holdem",
    menu: str = "pot",
    json: JsonOption = None,
) -> None:
    """Say how much a bot that states its odds loses, at least, to local best response heads-up.

    The opponent knows the bot's odds, keeps the range of hands it can have, and takes at each turn
    what promises most. A best response wins at least as much. 1000 mbb are a big blind; a bot that always
    folds loses 750 a hand. In Kuhn and Leduc poker the answer is exact: what a best response wins.

    Args:
        bot: NAME, NAME:key=value, FILE.py:FUNCTION or MODULE:FUNCTION; see docs/simulation.md for your own bots.
        stacks: Chips at the start: 200 or 100bb, the same for both.
        game: The game: one of two hole cards and five on the board, or kuhn or leduc.
        menu: The raises that the opponent considers besides all-in: pot, or pots (half a pot, one and two); pot-later and
            pots-later, none before the flop; call, none at all; worst, all five, and what the bot loses most to.
    """
    from poker_actors.rules import Stakes, game_named
    from poker_actors.sim.exploiting import MENUS, local_best_response

    rules = game_named(game)
    if rules.hole_cards == 1:
        _say_exactly(bot, rules, json)
        return
    stakes = rules.stakes if blinds is None else Stakes.parse(blinds)
    menus = list(MENUS) if menu == "worst" else [menu]
    play = partial(local_best_response, bot, hands=hands, seed=seed, stacks=stacks, stakes=stakes, game=rules)
    with progress("hands", hands * len(menus)) as advance:
        answers = [play(menu=each, progress=advance) for each in menus]
    if to_be_printed(json, _told(answers)):
        _say(answers)


def _worst(answers: Sequence[LocalBestResponse]) -> LocalBestResponse:
    return max(answers, key=lambda found: found.mbb_per_hand.mean)


def _told(answers: Sequence[LocalBestResponse]) -> dict[str, Any]:
    """Return the figures of the menu that costs the bot most, with those of every menu if there are several."""
    told = _worst(answers).to_dict()
    return told if len(answers) == 1 else {**told, "menus": [found.to_dict() for found in answers]}


def _say(answers: Sequence[LocalBestResponse]) -> None:
    worst = _worst(answers)
    won = worst.mbb_per_hand
    print(
        f"{worst.bot} loses at least {won.mean:,.0f} ± {won.margin or 0:,.0f} mbb a hand to local best response "
        f"({worst.hands:,} hands, seed {worst.seed})"
    )
    if len(answers) > 1:
        for found in answers:
            won = found.mbb_per_hand
            print(f"  menu {found.menu}: {won.mean:,.0f} ± {won.margin or 0:,.0f}")


def _say_exactly(bot: str, game: Game, json: JsonTarget | None) -> None:
    from poker_actors.sim.exploiting import exploitability

    lost = exploitability(bot, game)
    if to_be_printed(json, {"bot": bot, "game": game.name, "chips_per_hand": lost}):
        print(
            f"{bot} loses {lost:.6f} chips a hand to a best response ({game}, exact, both seats taken alike)"
        )
