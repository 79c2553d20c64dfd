"""Write Open Hand History 1.4."""

from __future__ import annotations

import json
from typing import Any, Final

from poker_actors.errors import BadHistory
from poker_actors.history.hand_history import ActionKind, Dealt, HandHistory
from poker_actors.history.story import Story, check_story, common_ante, story_of
from poker_actors.history.unknown import UNKNOWN
from poker_actors.rules import event as events
from poker_actors.version import __version__

__all__ = ["ohh_text"]

SPEC_VERSION: Final = "1.4.7"

_GAMES: Final = {
    "holdem": ("Holdem", "NL"),
    "limit-holdem": ("Holdem", "FL"),
    "pot-limit-holdem": ("Holdem", "PL"),
    "omaha": ("Omaha", "PL"),
    "omaha8": ("OmahaHiLo", "PL"),
    "limit-omaha8": ("OmahaHiLo", "FL"),
}
_STREETS: Final = ("Preflop", "Flop", "Turn", "River")
_POSTS: Final = {
    events.Post.ANTE: "Post Ante",
    events.Post.BIG_BLIND_ANTE: "Post Ante",
    events.Post.SMALL_BLIND: "Post SB",
    events.Post.BIG_BLIND: "Post BB",
    events.Post.STRADDLE: "Straddle",
    events.Post.EXTRA_BLIND: "Post Extra Blind",
    events.Post.DEAD_BLIND: "Post Dead",
}


def ohh_text(history: HandHistory) -> str:
    """Return a hand as one line of JSON, without its newline.

    Raises `BadHistory` for a game other than hold'em and four-card Omaha, and `Discrepancy` if the
    rules disagree with the history.
    """
    if history.game.name not in _GAMES:
        raise BadHistory(f"Open Hand History has no name for {history.game.title}")
    if history.run_again:
        raise BadHistory("Open Hand History cannot carry a board that was run again")
    check_story(history, "Open Hand History")
    hand = _hand(story_of(history))
    return json.dumps({"ohh": hand}, ensure_ascii=True, separators=(",", ":"))


def _hand(story: Story) -> dict[str, Any]:
    history = story.history
    scale = history.scale
    small, big = _blinds(history)
    fields = history.fields
    game, limit = _GAMES[history.game.name]
    moment = story.moment
    site = _text(fields.get("venue")) or "poker_actors"
    hand: dict[str, Any] = {
        "spec_version": SPEC_VERSION,
        "site_name": site,
        "network_name": site,
        "internal_version": __version__,
        "game_number": history.hand_id,
        "start_date_utc": moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else "",
        "table_name": _text(fields.get("table")),
        "game_type": game,
        "bet_limit": {"bet_type": limit, "bet_cap": 0},
        "table_size": story.table_size,
        "currency": _text(fields.get("currency")) or "XPM",
        "dealer_seat": story.seats[-1] + 1,
        "small_blind_amount": _amount(small, scale),
        "big_blind_amount": _amount(big, scale),
        "ante_amount": _amount(common_ante(history), scale),
        "hero_player_id": None,
        "flags": ["Observed"],
        "players": [_player(story, player) for player in range(history.size)],
        "rounds": _rounds(story),
        "pots": _pots(story),
    }
    return hand | _ours(history, big)


def _ours(history: HandHistory, big: int) -> dict[str, Any]:
    """Return members of our own for values that a reader could not infer from the standard's."""
    ours: dict[str, Any] = {}
    if history.scale > 1:
        ours["_chips_per_unit"] = history.scale
    if history.min_bet != big:
        ours["_min_bet"] = _amount(history.min_bet, history.scale)
    return ours


def _text(found: object) -> str:
    return "" if found is None else str(found)


def _blinds(history: HandHistory) -> tuple[int, int]:
    first, second = history.blinds[:2]
    if history.dead_small:
        return history.dead_small, next(blind for blind in history.blinds if blind > 0)
    if history.size == 2:
        return max(second, 0), max(first, 0)
    return max(first, 0) if second > 0 else 0, max(second if second > 0 else first, 0)


def _amount(chips: int, scale: int) -> int | float:
    return chips if scale == 1 else chips / scale


def _player(story: Story, player: int) -> dict[str, Any]:
    history = story.history
    return {
        "id": player,
        "seat": story.seats[player] + 1,
        "name": history.name(player),
        "display": history.name(player),
        "starting_stack": _amount(history.stacks[player], history.scale),
    }


def _rounds(story: Story) -> list[dict[str, Any]]:
    history = story.history
    rounds: list[dict[str, Any]] = []
    for number, (boards, turns) in enumerate(story.streets()):
        actions: list[dict[str, Any]] = []
        if not number:
            actions += [_post(post, history) for post in story.posts]
            actions += _deals(history)
        actions += [_acted(turn.move, acted, history) for turn, acted in turns]
        cards = list(map(str, boards[-1].cards)) if boards else []
        rounds.append({"id": number, "street": _STREETS[number], "cards": cards, "actions": actions})
    if story.shows:
        shown = [_show(step.player, list(map(str, step.cards))) for step in story.shows]
        rounds.append({"id": len(rounds), "street": "Showdown", "cards": [], "actions": shown})
    for round_ in rounds:
        numbered = enumerate(round_["actions"], start=1)
        round_["actions"] = [{"action_number": number, **action} for number, action in numbered]
    return rounds


def _post(post: events.Posted, history: HandHistory) -> dict[str, Any]:
    amount = _amount(post.amount, history.scale)
    return {"player_id": post.seat, "action": _POSTS[post.kind], "amount": amount, "is_allin": False}


def _deals(history: HandHistory) -> list[dict[str, Any]]:
    """Return the deals; those of unrecorded cards are empty, but show that the player was dealt in."""
    dealt: dict[int, list[str]] = {player: [] for player in range(history.size)}
    for step in history.steps:
        if type(step) is Dealt and UNKNOWN not in step.cards:
            dealt[step.player] += map(str, step.cards)
    return [{"player_id": player, "action": "Dealt Cards", "cards": cards} for player, cards in dealt.items()]


def _acted(move: ActionKind, acted: events.Acted, history: HandHistory) -> dict[str, Any]:
    word = "Fold" if move is ActionKind.FOLD else type(acted.action).__name__.removesuffix("To")
    amount = _amount(acted.paid, history.scale)
    return {"player_id": acted.seat, "action": word, "amount": amount, "is_allin": acted.all_in}


def _show(player: int, cards: list[str]) -> dict[str, Any]:
    if not cards:
        return {"player_id": player, "action": "Mucks Cards"}
    return {"player_id": player, "action": "Shows Cards", "cards": cards}


def _pots(story: Story) -> list[dict[str, Any]]:
    if not story.replay.hand.over:
        return []
    scale = story.history.scale
    amounts: dict[int, int] = {}
    for award in story.awards:
        amounts[award.pot] = amounts.get(award.pot, 0) + award.amount
    pots = []
    for number, amount in (amounts or {0: story.pot}).items():
        wins = [(player, won) for pot, player, won in story.wins() if pot == number]
        rake = amount - sum(won for _, won in wins) if wins else 0
        pot: dict[str, Any] = {"number": number, "amount": _amount(amount, scale)}
        if wins:
            pot["rake"] = _amount(rake, scale)
        pot["player_wins"] = [
            {"player_id": player, "win_amount": _amount(won, scale)} for player, won in wins
        ]
        pots.append(pot)
    return pots
