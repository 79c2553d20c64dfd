"""Read PokerNow's log: a CSV file of lines with their time, the newest first."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Final

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadCard, BadHistory, BadInput, BadSpec, Unplayed
from poker_actors.history.draft import Amount, Draft, moment_fields
from poker_actors.history.hand_history import HandHistory
from poker_actors.history.source import Chunk, at_line, cut
from poker_actors.rules import GAMES, Game
from poker_actors.rules import event as events

_AMOUNT: Final = r"[0-9]{1,15}(?:\.[0-9]{1,9})?"
_STARTS: Final = re.compile(
    r"-- starting hand #(?P<number>[0-9]{1,15})(?: \(id: (?P<id>[A-Za-z0-9_-]{1,40})\))? +\(?(?P<game>[A-Za-z][^()]*?)\)?"
    r' +\((?:dealer: "(?P<dealer>.+)"|dead button)\) --'
)
_BEGINS: Final = "-- starting hand #"
_ENDS: Final = "-- ending hand #"
_STACK: Final = re.compile(rf'#(?P<seat>[0-9]{{1,2}}) "(?P<player>.+?)" \((?P<stack>{_AMOUNT})\)(?: \| |$)')
_DOES: Final = re.compile(
    r'"(?P<player>.+?)" (?P<words>(?:posts|calls|bets|raises|checks|folds|shows|collected)\b.*)'
)
_ALL_IN: Final = r"(?: and go all in)?"
_POSTS: Final = re.compile(
    rf"posts an? (?P<owed>ante|small blind|big blind|straddle|missing small blind|missed big blind) of (?P<amount>{_AMOUNT}){_ALL_IN}"
)
_PAYS: Final = re.compile(rf"(?P<word>calls|bets|raises to) (?P<amount>{_AMOUNT}){_ALL_IN}")
_SHOWS: Final = re.compile(r"shows a (?P<cards>[^.]+)\.?")
_COLLECTED: Final = re.compile(rf"collected (?P<amount>{_AMOUNT}) from pot.*")
_BOARD: Final = re.compile(
    r"(?P<street>Flop|Turn|River)(?P<run> \([^)]*\))?: .*\[(?P<cards>[^\]]*)\]", re.IGNORECASE
)
_CARD: Final = re.compile("(10|[2-9TJQKA])([♠♥♦♣shdc])")
_SUITS: Final = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_OWED: Final = {"missing small blind": events.Post.DEAD_BLIND, "missed big blind": events.Post.EXTRA_BLIND}
_GAMES: Final = {
    "No Limit Texas Hold'em": GAMES["holdem"],
    "Pot Limit Omaha Hi": GAMES["omaha"],
    "Pot Limit Omaha Hi/Lo 8 or Better": GAMES["omaha8"],
}


def pokernow_hands(lines: Iterable[str]) -> Iterator[Chunk]:
    """Cut the lines into hands, each with its oldest line first, even if the file begins with the newest."""
    # arrivals, departures and buy-ins between two hands are left out
    for hand in cut(lines, _is_over, lambda line: _BEGINS in line or _ENDS in line):
        if _BEGINS in hand.text.partition("\n")[0]:
            yield hand
        else:
            yield Chunk("\n".join(reversed(hand.text.split("\n"))), hand.line)


def _is_over(line: str, held: list[str]) -> bool:
    return (_ENDS if _BEGINS in held[0] else _BEGINS) in held[-1]


def parse_pokernow(chunk: Chunk) -> HandHistory:
    """Read one hand; raise `BadHistory` with its first line, or `Unplayed` for a game not played here."""
    reader = _Reader()
    try:
        for row in csv.reader(line for line in chunk.text.split("\n") if line.strip()):
            reader.read(row)
        return reader.history()
    except (BadHistory, BadCard, BadInput, csv.Error) as error:
        raise at_line(chunk.line, error) from None


def pokernow_text(history: HandHistory, number: int) -> str:
    """Raise `BadSpec`: PokerNow's log is read, not written."""
    raise BadSpec("pokernow can be read, but not written")


class _Reader:
    """Reads a hand's lines, oldest first."""

    def __init__(self) -> None:
        self.draft = Draft()
        self.draft.rake = 0
        self.game: Game | None = None
        self.fields: dict[str, object] = {"venue": "PokerNow"}
        self.dealer: str | None = None
        self.seats: dict[str, int] = {}
        self.ended = False

    def read(self, row: list[str]) -> None:
        """Read one row: what was said, and when."""
        if not row or len(row) < 2:
            raise BadHistory(f"{','.join(row)[:60]!r} is not a row of entry, at and order")
        entry = row[0].strip()
        starts = _STARTS.fullmatch(entry)
        if starts is not None:
            self._start(starts, row[1])
            return
        if self.game is None:
            raise BadHistory(f"{entry[:60]!r} does not open a hand of PokerNow")
        does, board = _DOES.fullmatch(entry), _BOARD.fullmatch(entry)
        if entry.startswith("Player stacks: "):
            self._seat(entry.removeprefix("Player stacks: "))
        elif board is not None:
            if board["run"]:
                raise Unplayed("the board was run more than once, which is not played here")
            self.draft.board(_cards(board["cards"]))
        elif does is not None:
            self._act(does["player"], does["words"])
        elif entry.startswith(_ENDS):
            self.ended = True
        # any other line moves no chips: the reader's own cards, an uncalled bet, arrivals and departures

    def history(self) -> HandHistory:
        """Return the hand, once all its lines are read."""
        if self.game is None or not self.ended:
            raise BadHistory("the hand ends before its last line")
        return self.draft.history(self.game, self.fields)

    def _start(self, found: re.Match[str], at: str) -> None:
        self.game = _GAMES.get(found["game"].strip())
        if self.game is None:
            raise Unplayed(f"{found['game'].strip()[:40]} is not played here")
        self.dealer = found["dealer"]
        self.fields["hand"] = found["id"] or found["number"]
        try:
            moment = datetime.fromisoformat(at)
        except ValueError:
            raise BadHistory(f"{at[:40]!r} is not a time") from None
        self.fields |= moment_fields(moment.replace(microsecond=0))

    def _seat(self, text: str) -> None:
        found = list(_STACK.finditer(text))
        if "".join(one[0] for one in found) != text:
            raise BadHistory(f'{text[:60]!r} seats nobody: a seat is #1 "name @ id" (200)')
        shown = [one["player"].rpartition(" @ ")[0] or one["player"] for one in found]
        for one, name in zip(found, shown, strict=True):
            seat = int(one["seat"]) - 1
            self.draft.seat(
                one["player"], seat, name if shown.count(name) == 1 else one["player"], _amount(one["stack"])
            )
            self.draft.deal(one["player"], ())
            self.seats[one["player"]] = seat
        if self.dealer is not None:
            if self.dealer not in self.seats:
                raise BadHistory(f"the dealer {self.dealer[:40]!r} has no seat")
            self.draft.button = self.seats[self.dealer]

    def _act(self, player: str, words: str) -> None:
        draft = self.draft
        posts, pays = _POSTS.fullmatch(words), _PAYS.fullmatch(words)
        shows, collected = _SHOWS.fullmatch(words), _COLLECTED.fullmatch(words)
        plain: dict[str, Callable[[], None]] = {
            "folds": lambda: draft.fold(player),
            "checks": lambda: draft.call(player, 0),
        }
        if words in plain:
            plain[words]()
        elif posts is not None:
            self._post(player, posts["owed"], _amount(posts["amount"]))
        elif pays is not None:
            total = _amount(pays["amount"])
            if pays["word"] == "calls":  # the total in front afterwards, not the cost
                draft.call(player, total - draft.player(player).front)
            else:
                draft.bet(player, total=total)
        elif shows is not None:
            cards = _cards(shows["cards"])
            if self.game is not None and len(cards) == self.game.hole_cards:  # one card may be shown for fun
                draft.show(player, cards)
        elif collected is not None:
            draft.collect(player, _amount(collected["amount"]))
        else:
            raise BadHistory(f"{words[:60]!r} is not an action")

    def _post(self, player: str, owed: str, amount: Amount) -> None:
        draft, kind = self.draft, _OWED.get(owed) or events.Post(owed)
        if kind is events.Post.SMALL_BLIND:
            draft.small_blind = amount
            if self.dealer is None:  # a dead button lies before the small blind
                draft.button = self.seats.get(player, 0) - 1
        elif kind is events.Post.BIG_BLIND:
            draft.big_blind = amount
        draft.post(player, kind, amount)


def _amount(text: str) -> Amount:
    return Decimal(text) if "." in text else int(text)


def _cards(text: str) -> tuple[Card, ...]:
    """Read cards such as `10♦, J♦`; raise `BadHistory` for anything else."""
    named = text.replace(",", " ").split()
    found = [_CARD.fullmatch(one) for one in named]
    pairs = [(one[1].replace("10", "T"), one[2]) for one in found if one is not None]
    if len(pairs) != len(named):
        raise BadHistory(f"{text[:40]!r} are not cards")
    return parse_cards("".join(f"{rank}{_SUITS.get(suit, suit)}" for rank, suit in pairs))
