"""Read PokerStars' text, and GGPoker's and Winamax's, which differ in a few words: cash games and tournaments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadCard, BadHistory, BadInput, Unplayed
from poker_actors.history.draft import Draft
from poker_actors.history.hand_history import RESHUFFLED, HandHistory
from poker_actors.history.pokerstars_header import AMOUNT, Header, read_header, read_money
from poker_actors.history.source import Chunk, at_line, cut
from poker_actors.history.unknown import UNKNOWN
from poker_actors.rules import event as events

_TABLE: Final = re.compile(
    r"Table '(?P<table>.*)' (?P<size>[0-9]{1,2})-max(?:(?: .*?)?Seat #(?P<button>[0-9]{1,2}) is .*)?"
)
_SEAT: Final = re.compile(
    rf"Seat (?P<seat>[0-9]{{1,2}}): (?P<name>.+) \((?P<stack>{AMOUNT}) in chips(?:, [^)]*)?\)(?P<rest>.*)"
)
_STREET: Final = re.compile(r"\*\*\* (?P<street>[0-9A-Za-z -]+) \*\*\*(?P<cards>.*)")
_CARDS: Final = re.compile(r"\[([^\]]*)\]")
_ALL_IN: Final = r"(?: and is all-in)?(?: and has reached the \S* cap)?"
_POSTS: Final = re.compile(
    r"posts (?:the )?(?P<owed>ante|small blind|big blind|button blind|straddle|small & big blinds) "
    rf"(?P<amount>{AMOUNT}){_ALL_IN}"
)
_PAYS: Final = re.compile(rf"(?P<word>calls|bets|raises {AMOUNT} to) (?P<amount>{AMOUNT}){_ALL_IN}")
_BRINGS_IN: Final = re.compile(rf"brings in for (?P<amount>{AMOUNT})(?P<all_in>{_ALL_IN})")
_DISCARDS: Final = re.compile(r"discards (?P<count>[0-9]) cards?(?: \[(?P<cards>[^\]]*)\])?")
_SHOWS: Final = re.compile(r"shows \[(?P<cards>[^\]]*)\].*")
_COLLECTED: Final = re.compile(
    rf" collected (?P<amount>{AMOUNT}) from (?:the )?(?:main |side )?pot(?:-[0-9]+)?.*"
)
_TOTAL: Final = re.compile(rf"Total pot .*\| Rake {AMOUNT}.*")
_TAKEN: Final = re.compile(rf"\| (?:Rake|Jackpot|Bingo|Fortune|Tax) (?P<taken>{AMOUNT})")
"""What the house takes out of the pots: GGPoker has more names for it than rake."""
_MUCKED: Final = re.compile(r".* mucked \[(?P<cards>[^\]]*)\].*")
_RUNS: Final = {"FIRST": 0, "SECOND": 1, "THIRD": 2, "FOURTH": 3}
"""The word before a street of a board that was run more than once -> the run."""
_RUN_STREETS: Final = ("FLOP", "TURN", "RIVER", "SHOW DOWN", "SHOWDOWN")
_FIRST_STREETS: Final = ("HOLE CARDS", "DEALING HANDS", "PRE-FLOP", "3rd STREET")
_LATER_STREETS: Final = {
    "4th STREET": 1,
    "5th STREET": 2,
    "6th STREET": 3,
    "RIVER": 4,
    "FIRST DRAW": 1,
    "SECOND DRAW": 2,
    "THIRD DRAW": 3,
}
"""Streets that deal or draw hole cards, and their index in the game."""
_SAYS_NOTHING: Final = re.compile(
    r"doesn't show hand|Chooses to EV Cashout|(?:Pays|Receives) Cashout\b.*|is sitting out|sits out|(?:has|is|was|will|leaves|joins|re-buys|said)\b.*|folds \[.*"
)

_WINAMAX: Final = "Winamax Poker "
"""How a hand begins."""

_EUROS: Final = re.compile(r"([0-9]+)(?:[.,]([0-9]{1,2}))? ?€")
"""An amount, with the decimal sign of the language it was played in."""
_WINAMAX_HEADER: Final = re.compile(
    r'Winamax Poker - (?:CashGame|Tournament "(?P<event>.*)" buyIn: .*?level: (?P<level>[0-9]{1,4})) - '
    r"HandId: #(?P<hand>[0-9-]{1,60}) - (?P<game>[A-Za-z0-9 ]+?) (?P<limit>no limit|pot limit|fixed limit) "
    r"\((?:[^/()]+/)?(?P<small>[^/()]+)/(?P<big>[^/()]+)\)(?P<moment> - .*)"
)
_WINAMAX_GAMES: Final = {
    "Holdem": "Hold'em",
    "Omaha": "Omaha",
    "Omaha Hi/Lo": "Omaha Hi/Lo",
    "5 Card Omaha": "5 Card Omaha",
}
_WINAMAX_LIMITS: Final = {"no limit": "No Limit", "pot limit": "Pot Limit", "fixed limit": "Limit"}
_WINAMAX_SEAT: Final = re.compile(
    r"Seat (?P<seat>[0-9]{1,2}): (?P<name>.+) \((?P<stack>[€0-9.]+)(?P<bounty>, [^)]*)?\)"
)
_WINAMAX_ACT: Final = r"(?P<words>(?:folds|checks|calls|bets|raises|posts|shows)\b.*)"

_OPENS: Final = ("PokerStars ", "Poker Hand #", _WINAMAX)


def pokerstars_hands(lines: Iterable[str]) -> Iterator[Chunk]:
    """Cut the lines into hands: each begins with a line that starts as one of `_OPENS` does."""
    return cut(
        lines,
        lambda line, held: line.startswith(_OPENS),
        lambda line: bool(line.strip()) and not line.startswith("*****"),
    )


def parse_pokerstars(chunk: Chunk) -> HandHistory:
    """Read one hand; raise `BadHistory` with its line, or `Unplayed` for a game not played here."""
    winamax = chunk.text.startswith(_WINAMAX)
    reader = _Reader(winamax=winamax)
    lines: Iterable[str] = [line.rstrip("\r\n ") for line in chunk.text.split("\n")]
    if winamax:
        lines = _in_pokerstars_words([*lines])
    number = -1
    try:
        for line in lines:
            number += 1
            if line and not line.startswith("*****"):
                reader.read(line)
        return reader.history()
    except (BadHistory, BadCard, BadInput) as error:
        raise at_line(chunk.line + max(number, 0), error) from None


class _Reader:
    """Reads line after line, each by the part of the hand it belongs to."""

    def __init__(self, *, winamax: bool) -> None:
        self.draft = Draft()
        self.header: Header | None = None
        self.fields: dict[str, object] = {}
        self.winamax = winamax
        self.part: Callable[[str], None] = self._first_line
        self.names: list[str] = []  # the longest first, or `Al` would be found in a line of `Al B`
        self.dealt: set[str] = set()
        self.run = 0
        """the run of the board that the lines tell of"""
        self.shown: set[str] = set()
        self.later = False
        """whether cards have been dealt or exchanged since the first ones"""
        self.ended = False

    def read(self, line: str) -> None:
        """Read one line."""
        street = _STREET.fullmatch(line) if line.startswith("*** ") else None
        if street is not None and self.header is not None:
            self._street(street["street"], street["cards"])
        else:
            self.part(line)

    def history(self) -> HandHistory:
        """Return the hand, once all lines are read."""
        if self.header is None or not self.ended:
            raise BadHistory("the hand ends before its summary")
        return self.draft.history(self.header.game, self.fields)

    def _first_line(self, line: str) -> None:
        header = self.header = read_header(line)
        self.fields |= header.fields
        if self.winamax:
            self.fields["venue"], self.draft.collects_uncalled = "Winamax", True
        draft = self.draft
        draft.small_blind, draft.big_blind = header.small, header.big
        if header.game.bets_per_street:
            draft.min_bet = draft.big_blind = header.small
            draft.small_blind = 0 if header.small % 2 else header.small // 2
        self.part = self._seating

    def _seating(self, line: str) -> None:
        if line.startswith("Table ") and (table := _TABLE.fullmatch(line)) is not None:
            self.fields["table"] = table["table"]
            self.fields["seat_count"] = int(table["size"])
            self.draft.button = int(table["button"] or 0) - 1
        elif line.startswith("Seat ") and (seat := _SEAT.fullmatch(line)) is not None:
            name = seat["name"]
            self.draft.seat(name, int(seat["seat"]) - 1, name, read_money(seat["stack"]))
            self.names = sorted([*self.names, name], key=len, reverse=True)
        elif line.startswith("Seat "):
            raise BadHistory(f"{line[:60]!r} seats nobody: a seat is 'Seat 1: name (200 in chips)'")
        else:
            self._happening(line)

    def _street(self, street: str, cards: str) -> None:
        word, _, name = street.partition(" ")
        if word in _RUNS and name in _RUN_STREETS:
            street, self.run = name, _RUNS[word]
        later = _LATER_STREETS.get(street)
        if street in _FIRST_STREETS:
            self.part = self._happening
            if cards:
                self.draft.board(parse_cards(_CARDS.findall(cards)[-1]), first=True)
        elif later is not None and self.header is not None and not (cards or self.header.game.board_cards):
            opened = self.header.game.streets[later]
            self.draft.street(opened.hole + opened.up)
            self.later = True
        elif street in ("FLOP", "TURN", "RIVER"):
            groups = _CARDS.findall(cards)
            if not groups:
                raise BadHistory(f"the {street.lower()} has no cards")
            found = parse_cards(groups[-1])
            if self.run:
                self.draft.board_again(self.run, found)
            else:
                self.draft.board(found)
        elif street == "SUMMARY":
            self.part = self._summary
            self.ended = True
        elif street not in ("SHOW DOWN", "SHOWDOWN"):
            raise BadHistory(f"{street[:30]!r} is not a street")

    def _happening(self, line: str) -> None:
        if line.startswith("Dealt to "):
            self._dealt(line.removeprefix("Dealt to "))
            return
        if line.startswith("Cash Drop to Pot"):
            raise Unplayed("the house has put chips into the pot, which is not played here")
        for name in self.names:
            if line.startswith(name):
                break
        else:  # chat, timers, prizes: a line that does not begin with a player's name moves no chips
            if line.lower() == RESHUFFLED.lower():
                self.draft.reshuffled()
            return
        rest = line[len(name) :]
        if rest.startswith(": "):
            self._act(name, rest[2:])
        elif (collected := _COLLECTED.fullmatch(rest)) is not None:
            self.draft.collect(name, read_money(collected["amount"]))

    def _dealt(self, text: str) -> None:
        name = next((name for name in self.names if text == name or text.startswith(f"{name} [")), None)
        if name is None:
            raise BadHistory(f"{text[:40]!r} has no seat")
        groups = _CARDS.findall(text[len(name) :])
        cards = parse_cards(groups[-1]) if groups else ()
        if self.later:
            self.draft.name_dealt(name, cards)
            return
        assert self.header is not None
        first = self.header.game.streets[0]
        if (
            cards and not self.header.game.plain
        ):  # stud shows only the up cards of the others, which come last
            cards = ((UNKNOWN,) * (first.hole + first.up - len(cards))) + cards
        self._deal(name, cards)

    def _deal(self, name: str, cards: tuple[Card, ...]) -> None:
        if name in self.dealt and cards:
            raise BadHistory(f"{name!r:.40} is dealt cards twice")
        self.draft.deal(name, cards)
        if cards:
            self.dealt.add(name)

    def _act(self, name: str, words: str) -> None:
        draft = self.draft
        if words == "folds":
            draft.fold(name)
        elif words == "checks":
            draft.call(name, 0)
        elif (pays := _PAYS.fullmatch(words)) is not None:
            self._pay(name, pays["word"], read_money(pays["amount"]))
        elif (posts := _POSTS.fullmatch(words)) is not None:
            self._post(name, posts["owed"], posts["amount"])
        elif words.startswith(("discards ", "stands pat")):
            self._change(name, words)
        elif (brings_in := _BRINGS_IN.fullmatch(words)) is not None:
            cost = read_money(brings_in["amount"])
            draft.brings_in(name, cost, all_in=bool(brings_in["all_in"]))
        elif (shows := _SHOWS.fullmatch(words)) is not None or words == "mucks hand":
            # whoever has shown for the first run shows again for the next
            if not self.run or name not in self.shown:
                draft.show(name, parse_cards(shows["cards"]) if shows else ())
            self.shown.add(name)
        elif words.startswith("folds ["):
            draft.fold(name)
        elif _SAYS_NOTHING.fullmatch(words) is None:
            raise BadHistory(f"{words[:60]!r} is not an action")

    def _change(self, name: str, words: str) -> None:
        found = _DISCARDS.fullmatch(words)
        if found is None and not words.startswith("stands pat"):
            raise BadHistory(f"{words[:60]!r} is not an action")
        self.later = True
        count = int(found["count"]) if found else 0
        cards = parse_cards(found["cards"]) if found and found["cards"] else ()
        self.draft.discard(name, count, cards)

    def _pay(self, name: str, word: str, amount: object) -> None:
        if word == "calls":
            self.draft.call(name, amount)
        else:
            self.draft.bet(name, total=amount)

    def _post(self, name: str, owed: str, amount: str) -> None:
        money = read_money(amount)
        if owed == "small & big blinds":
            # the big blind is live; the missed small blind on top of it is dead
            live = min(money, self.draft.big_blind)
            self.draft.post(name, events.Post.EXTRA_BLIND, live)
            self.draft.post(name, events.Post.DEAD_BLIND, money - live)
        else:
            self.draft.post(
                name, events.Post.STRADDLE if owed == "button blind" else events.Post(owed), money
            )

    def _summary(self, line: str) -> None:
        if line.startswith("Total ") and _TOTAL.fullmatch(line) is not None and self.draft.collects:
            self.draft.rake = sum(read_money(taken) for taken in _TAKEN.findall(line))
        if line.startswith("Seat ") and (mucked := _MUCKED.fullmatch(line)) is not None:
            text = line.partition(": ")[2]
            name = next((name for name in self.names if text.startswith(f"{name} ")), None)
            plain = self.header is not None and self.header.game.plain
            if name is not None and name not in self.dealt and plain:
                self._deal(name, parse_cards(mucked["cards"]))


def _in_pokerstars_words(lines: Sequence[str]) -> Iterator[str]:
    """Yield each line of a hand as PokerStars would write it; raise `BadHistory` for a first line that cannot be read."""
    yield _winamax_header(_in_euros(lines[0]))
    names: list[str] = []
    acts = re.compile("(?!)")
    for line in map(_in_euros, lines[1:]):
        seat, act = _WINAMAX_SEAT.fullmatch(line), acts.fullmatch(line)
        if seat is not None:
            names.append(re.escape(seat["name"]))
            # the longest first, or `Al` would be found in a line of `Al B`
            acts = re.compile(f"(?P<name>{'|'.join(sorted(names, key=len, reverse=True))}) {_WINAMAX_ACT}")
            yield f"Seat {seat['seat']}: {seat['name']} ({seat['stack']} in chips{seat['bounty'] or ''})"
        elif act is not None:
            yield f"{act['name']}: {act['words'].removesuffix(' out of position')}"
        elif line.startswith("Table: "):
            yield line.replace("Table:", "Table", 1)
        else:
            yield line.replace("| No rake", "| Rake 0")


def _in_euros(line: str) -> str:
    return _EUROS.sub(lambda found: f"€{found[1]}" + (f".{found[2]}" if found[2] else ""), line)


def _winamax_header(line: str) -> str:
    found = _WINAMAX_HEADER.fullmatch(line)
    if found is None:
        raise BadHistory(f"{line[:60]!r} does not open a hand of Winamax")
    if found["game"] not in _WINAMAX_GAMES:
        raise Unplayed(f"{found['game'][:30]} {found['limit']} is not played here")
    level = f" - Level {found['level']}" if found["level"] else ""
    game = f"{_WINAMAX_GAMES[found['game']]} {_WINAMAX_LIMITS[found['limit']]}"
    return (
        f"PokerStars Hand #{found['hand']}: {game}{level} ({found['small']}/{found['big']}){found['moment']}"
    )
