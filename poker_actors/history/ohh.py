"""Read Open Hand History 1.4."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from poker_actors.cards import Card
from poker_actors.errors import BadCard, BadHistory, Unplayed
from poker_actors.history.draft import Draft, moment_fields
from poker_actors.history.hand_history import ActionKind, Dealt, HandHistory
from poker_actors.history.source import Chunk, at_line, cut
from poker_actors.history.story import Story, check_story, common_ante, story_of
from poker_actors.history.unknown import UNKNOWN, parse_known_or_not
from poker_actors.jsontext import parse_json
from poker_actors.rules import GAMES, Game
from poker_actors.rules import event as events
from poker_actors.version import __version__

_GAMES: Final = {
    ("Holdem", "NL"): GAMES["holdem"],
    ("Holdem", "FL"): GAMES["limit-holdem"],
    ("Holdem", "PL"): GAMES["pot-limit-holdem"],
    ("Omaha", "PL"): GAMES["omaha"],
    ("OmahaHiLo", "PL"): GAMES["omaha8"],
    ("OmahaHiLo", "FL"): GAMES["limit-omaha8"],
}
_POST_WORDS: Final = {
    events.Post.ANTE: "Post Ante",
    events.Post.BIG_BLIND_ANTE: "Post Ante",
    events.Post.SMALL_BLIND: "Post SB",
    events.Post.BIG_BLIND: "Post BB",
    events.Post.STRADDLE: "Straddle",
    events.Post.EXTRA_BLIND: "Post Extra Blind",
    events.Post.DEAD_BLIND: "Post Dead",
}
_POSTS: Final = {word: post for post, word in _POST_WORDS.items() if post is not events.Post.BIG_BLIND_ANTE}
_NOT_PLAY: Final = ("Added Chips", "Sits Down", "Stands Up")


def ohh_objects(lines: Iterable[str]) -> Iterator[Chunk]:
    """Cut the lines into hands: an object ends where a blank line or another object follows its last brace."""
    return cut(lines, _is_over)


def _is_over(line: str, held: list[str]) -> bool:
    last = held[-1].rstrip()
    if line.startswith("{"):
        return last.endswith("}")
    return not line.strip() and (last == "}" or (last.endswith("}") and len(held) == 1))


def parse_ohh(chunk: Chunk) -> HandHistory:
    """Read one hand; raise `BadHistory` with its line, or `Unplayed` for a game not played here."""
    try:
        found = parse_json(chunk.text, parse_float=Decimal, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise BadHistory(f"line {chunk.line + error.lineno - 1}: not JSON: {error.msg}") from None
    except (ValueError, ArithmeticError):
        raise BadHistory(f"line {chunk.line}: a number with too many digits") from None
    try:
        return _Hand(_member(found, "ohh", dict)).read()
    except (BadHistory, BadCard) as error:
        raise at_line(chunk.line, error) from None


def _refuse_constant(word: str) -> object:
    raise ValueError(word)


def _member(found: object, key: str, kind: type[Any], default: object = ...) -> Any:
    """Return a member of an object, checking its type; `default` if it is null or absent."""
    if type(found) is not dict:
        raise BadHistory(f"{found!r:.40} is not an object")
    value = found.get(key)
    if value is None:
        if default is ...:
            raise BadHistory(f"there is no {key!r}")
        return default
    if kind is Decimal and type(value) in (int, Decimal):
        return value
    if type(value) is not kind:  # not isinstance: true would pass for a number
        raise BadHistory(f"{key} is {value!r:.40}: it must be {_WORDS[kind]}")
    return value


_WORDS: Final = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    Decimal: "a number",
}


class _Hand:
    """The `ohh` object of one hand."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.found = found
        self.draft = Draft()

    def read(self) -> HandHistory:
        game = self._game()
        draft, found = self.draft, self.found
        draft.small_blind = _member(found, "small_blind_amount", Decimal, 0)
        draft.big_blind = _member(found, "big_blind_amount", Decimal, 0)
        draft.ante = _member(found, "ante_amount", Decimal, 0)
        draft.min_bet = _member(found, "_min_bet", Decimal, None)
        draft.scale = _member(found, "_chips_per_unit", int, None)
        if draft.scale not in (None, 1, 100, 1000, 10**4, 10**5, 10**6):
            raise BadHistory(f"_chips_per_unit is {draft.scale}: it is a power of ten up to a million")
        draft.button = _member(found, "dealer_seat", int) - 1
        for player in _member(found, "players", list):
            name = _member(player, "name", str)
            seat = _member(player, "seat", int) - 1
            draft.seat(_member(player, "id", int), seat, name, _member(player, "starting_stack", Decimal))
        for round_ in _member(found, "rounds", list):
            self._round(round_)
        self._pots()
        return draft.history(game, self._fields())

    def _game(self) -> Game:
        name = _member(self.found, "game_type", str)
        limit = _member(_member(self.found, "bet_limit", dict), "bet_type", str)
        game = _GAMES.get((name, limit))
        if game is None:
            raise Unplayed(f"{name[:20]!r} with bets {limit[:20]!r} is not played here")
        return game

    def _round(self, found: object) -> None:
        cards = _cards(found)
        if cards:
            self.draft.board(cards)
        for action in _member(found, "actions", list, []):
            self._action(action)

    def _action(self, found: object) -> None:
        draft = self.draft
        word = _member(found, "action", str)
        if word in _NOT_PLAY:
            return
        key = _member(found, "player_id", int)
        if word in _POSTS:
            draft.post(key, _POSTS[word], _member(found, "amount", Decimal))
        elif word == "Dealt Cards":
            draft.deal(key, _cards(found))
        elif word == "Fold":
            draft.fold(key)
        elif word == "Check":
            draft.call(key, 0)
        elif word == "Call":
            draft.call(key, _member(found, "amount", Decimal))
        elif word in ("Bet", "Raise"):
            draft.bet(key, cost=_member(found, "amount", Decimal))
        elif word == "Shows Cards":
            draft.show(key, _cards(found))
        elif word == "Mucks Cards":
            draft.show(key, ())
        else:
            raise BadHistory(f"action {word[:40]!r} cannot be replayed")

    def _pots(self) -> None:
        rakes: list[Decimal | int] = []
        for pot in _member(self.found, "pots", list, []):
            rakes += [_member(pot, key, Decimal) for key in ("rake", "jackpot") if _number(pot, key)]
            for win in _member(pot, "player_wins", list, []):
                self.draft.collect(_member(win, "player_id", int), _member(win, "win_amount", Decimal))
        if rakes and self.draft.collects:
            self.draft.rake = sum(rakes)

    def _fields(self) -> dict[str, object]:
        """Return further facts, under the names of the Poker Hand History standard."""
        found = self.found
        fields: dict[str, object] = {}
        for key, ours in (("site_name", "venue"), ("game_number", "hand"), ("table_name", "table")):
            text = _member(found, key, str, "")
            if text:
                fields[ours] = text
        currency = _member(found, "currency", str, "")
        if currency not in ("", "XPM", "PPC"):
            fields["currency"] = currency
        size = _member(found, "table_size", int, 0)
        if size:
            fields["seat_count"] = size
        return fields | _moment(_member(found, "start_date_utc", str, ""))


def _number(found: object, key: str) -> bool:
    return type(found) is dict and found.get(key) is not None


def _cards(found: object) -> tuple[Card, ...]:
    """Read cards given as a list of texts or as one text; both occur in practice."""
    cards = found.get("cards") if type(found) is dict else None
    if cards is None or cards in ("", []):
        return ()
    if type(cards) is str:
        return parse_known_or_not(cards.replace(" ", "").replace(",", ""))
    if type(cards) is not list or any(type(card) is not str for card in cards):
        raise BadHistory(f"cards are {cards!r:.40}: they must be a list of texts")
    return parse_known_or_not("".join(cards))


def _moment(text: str) -> dict[str, object]:
    if not text:
        return {}
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadHistory(f"start_date_utc is {text[:40]!r}: it must be like 2024-03-04T05:06:07Z") from None
    return moment_fields(moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC))


SPEC_VERSION: Final = "1.4.7"

_GAME_WORDS: Final = {game.name: words for words, game in _GAMES.items()}
_STREETS: Final = ("Preflop", "Flop", "Turn", "River")


def ohh_text(history: HandHistory) -> str:
    """Return a hand as one line of JSON, without its newline.

    Raises `BadHistory` for a game other than hold'em and four-card Omaha, and `Discrepancy` if the
    rules disagree with the history.
    """
    if history.game.name not in _GAME_WORDS:
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
    game, limit = _GAME_WORDS[history.game.name]
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
    return {"player_id": post.seat, "action": _POST_WORDS[post.kind], "amount": amount, "is_allin": False}


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
