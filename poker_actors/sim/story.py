"""Tell one hand street by street, with every card and the words of language models, for the room's owner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from poker_actors.bots import BotSpec
from poker_actors.bots.awaiting import Attempt, ModelBot, read_transcript
from poker_actors.cards import Card
from poker_actors.rules import Event, Hand, event

Transcripts = Mapping[int, Sequence[tuple[int, Attempt]]]
"""By hand: the number of each bot asked, and its answer."""


def tell_hand(hand: Hand, names: Sequence[str], said: Sequence[Attempt] = ()) -> list[str]:
    """Return the lines of a finished hand; `names` are by seat, and each remark in `said` comes before its action."""
    story = _Story(hand, [f"{name} (seat {seat})" for seat, name in enumerate(names)], said)
    for news in hand.events():
        story.tell(news)
    return story.lines


def transcripts_of(specs: Sequence[str | BotSpec]) -> Transcripts:
    """Return the logs of the bots that are language models and keep one."""
    found = defaultdict[int, list[tuple[int, Attempt]]](list)
    for number, spec in enumerate(specs):
        text = str(spec)
        if not text.startswith("model:"):
            continue
        parsed = BotSpec.parse(text)
        log = Path(str(parsed.values.get("log", "")))
        if parsed.source.factory is ModelBot and log.is_file():
            for attempt in read_transcript(log):
                found[attempt.hand or 0].append((number, attempt))
    return found


def tell_transcript(transcripts: Transcripts, hand: int, names: Sequence[str]) -> list[str]:
    """Return the lines of a hand's transcript: each state and the outcome of asking; `names` are by bot."""
    lines = []
    for bot, attempt in transcripts.get(hand, ()):
        lines += [f"{names[bot]}: {attempt.state}", f"  {attempt.words}"]
    return lines


class _Story:
    """Collects the lines, and keeps the pot and the board so far for the next one."""

    def __init__(self, hand: Hand, names: Sequence[str], said: Sequence[Attempt]) -> None:
        self.hand = hand
        self.names = names
        self.lines: list[str] = []
        self.pot = 0
        self.board: tuple[Card, ...] = ()
        self.opened = False
        self.said = said
        self.actions = 0

    def tell(self, news: Event) -> None:
        """Add the lines of an event."""
        match news:
            case event.HandStarted():
                self._start(news)
            case event.Posted(seat, kind, amount):
                self.pot += amount
                self.lines.append(f"  {self.names[seat]} posts {kind.value} {amount}")
            case event.HoleDealt() if not self.opened:
                self.opened = True
                pot = "" if self.hand.game.open_face else f", pot {self.pot}"
                self.lines.append(f"{self.hand.game.streets[0].name}{pot}")
            case event.StreetDealt(street, cards):
                self.board += cards
                opened = f"{street} {_cards(self.board)}".rstrip()
                self.lines.append(opened if self.hand.game.open_face else f"{opened}, pot {self.pot}")
            case event.Acted(seat, _, paid):
                self.pot += paid
                asked = [one.words for one in self.said if one.seq == self.actions]
                self.lines += [f"    {self.names[seat]} was asked: {words}" for words in asked]
                self.actions += 1
                self.lines.append(f"  {self.names[seat]} {news.words()}")
            case event.UncalledReturned(seat, amount):
                self.pot -= amount
                self.lines.append(f"  {self.names[seat]} gets {amount} back, uncalled")
            case _:
                self._end(news)

    def _start(self, news: event.HandStarted) -> None:
        hand = self.hand
        self.lines.append(f"{hand.game.title} {hand.stakes}, button {self.names[news.button]}")
        for seat, stack in enumerate(news.stacks):
            if stack:
                holds = "" if hand.game.open_face else f" and holds {_cards(hand.holes[seat])}"
                self.lines.append(f"  {self.names[seat]} has {stack}{holds}")

    def _end(self, news: Event) -> None:
        match news:
            case event.Shown(seat, cards):
                self.lines.append(f"  {self.names[seat]} shows {_cards(cards)}")
            case event.Mucked(seat):
                self.lines.append(f"  {self.names[seat]} mucks")
            case event.Awarded(pot, seat, amount):
                which = "the pot" if len(self.hand.live) < 2 or not pot else f"side pot {pot}"
                which += f" on board {news.board + 1}" if len(self.hand.public().boards) > 1 else ""
                words = _words(self.hand, news)
                which = f"half of {which}, {news.share}," if news.share else which
                self.lines.append(f"  {self.names[seat]} wins {amount} from {which}{words}")
            case event.Scored(seat, points, chips):
                foul = (
                    "a foul, "
                    if news.fouled
                    else f"{news.royalties} in royalties, "
                    if news.royalties
                    else ""
                )
                self.lines.append(f"  {self.names[seat]}: {foul}{points:+} points, {chips:+} chips")
            case event.RunDealt(board, street, cards):
                self.lines.append(f"board {board + 1}, {street} {_cards(cards)}")
            case event.Raked(_, amount):
                self.lines.append(f"  the house takes {amount}")
            case event.HandEnded(_, payoffs):
                results = [f"{name} {won:+}" for name, won in zip(self.names, payoffs, strict=True) if won]
                self.lines.append(f"result: {', '.join(results) or 'nobody won or lost'}")
            case _:
                pass


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _words(hand: Hand, award: event.Awarded) -> str:
    if hand.strengths is None:
        return ""
    seat = award.seat
    return f" with {hand.game.words_of(hand.claims[award.board], seat, hand.holes[seat], award.share)}"
