"""Write hands in PokerStars' text, with all known hole cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from poker_actors.cards import Card
from poker_actors.errors import BadHistory
from poker_actors.history.hand_history import (
    RESHUFFLED,
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    HandHistory,
)
from poker_actors.history.pokerstars_header import GAME_NAMES, header_text, money_text
from poker_actors.history.story import Story, check_story, story_of
from poker_actors.history.unknown import UNKNOWN, is_known
from poker_actors.rules import Bet
from poker_actors.rules import event as events

_STUD: Final = ("3rd STREET", "4th STREET", "5th STREET", "6th STREET", "RIVER")
_DRAWS: Final = ("DEALING HANDS", "FIRST DRAW", "SECOND DRAW", "THIRD DRAW")
_BOARD: Final = ("PRE-FLOP", "FLOP", "TURN", "RIVER")
"""With cards on the board before the first bet; without, the first street is that of the hole cards."""


class _Streets:
    """The progress of a hand: the street, the players dealt in on it, the holdings of all."""

    def __init__(self, history: HandHistory, names: list[str]) -> None:
        game = history.game
        self.history = history
        self.names = names
        self.titles = _STUD if game.brings_in else _DRAWS if game.draws else _BOARD
        self.at_once = not (game.brings_in or game.draws or game.streets[0].board)
        """whether all hole cards are dealt before the first bet, under a heading of their own"""
        self.number = 0 if self.at_once else -1
        self.run = ""
        """the word before a street that is run more than once"""
        self.over = True
        """whether the street has had turns, so that the next cards open another"""
        self.drawing = False
        self.dealt: set[int] = set()
        self.held: list[tuple[Card, ...]] = [()] * history.size
        self.board: tuple[Card, ...] = ()

    def lines(self, step: object) -> Iterator[str]:
        """Yield the lines of a step that deals or changes cards, after the name of a street it opens."""
        if type(step) is Dealt and not self.at_once:
            yield from self._deal(step)
        elif type(step) is BoardDealt:
            yield from self._turn_board(step)
        elif type(step) is Discarded:
            yield from self._discard(step)
        elif type(step) is Comment and step.comment == RESHUFFLED:
            yield RESHUFFLED
        elif type(step) is ActionStep:
            self.over, self.drawing = True, False

    def _open(self, cards: str = "") -> Iterator[str]:
        self.number += 1
        self.over = False
        self.dealt = set()
        # PokerStars names no street for the draw of a single-draw game
        if self.number == 0 or not self.history.game.draws or len(self.history.game.streets) > 2:
            yield f"*** {self.run}{self.titles[self.number]} ***{cards}"

    def _deal(self, step: Dealt) -> Iterator[str]:
        player = step.player
        if self.number < 0:
            yield from self._open(self._first_board())
        elif not self.drawing and (self.over or player in self.dealt):
            yield from self._open()
        self.dealt.add(player)
        before = [card for card in self.held[player] if card is not UNKNOWN]
        new = [card for card in step.cards if card is not UNKNOWN]
        self.held[player] += step.cards
        if new:
            kept = f" [{_blanked(before)}]" if before else ""
            yield f"Dealt to {self.names[player]}{kept} [{_blanked(new)}]"

    def _first_board(self) -> str:
        """Return the board dealt before the first bet, which the first street's line names."""
        for step in self.history.steps:
            if type(step) is BoardDealt:
                return f" [{_blanked(step.cards)}]"
            if type(step) is ActionStep:
                break
        return ""

    def _turn_board(self, step: BoardDealt) -> Iterator[str]:
        if self.board or self.over:
            before = f" [{_blanked(self.board)}]" if self.board else ""
            yield from self._open(f"{before} [{_blanked(step.cards)}]")
        self.board += step.cards

    def _discard(self, step: Discarded) -> Iterator[str]:
        if not self.drawing:
            self.drawing = True
            yield from self._open()
        name, player, count = self.names[step.player], step.player, len(step.cards)
        if not count:
            yield f"{name}: stands pat"
            return
        self.held[player] = tuple([card for card in self.held[player] if card not in step.cards])
        named = [card for card in step.cards if card is not UNKNOWN]
        which = f" [{_blanked(named)}]" if named else ""
        yield f"{name}: discards {count} card{'' if count == 1 else 's'}{which}"


_POSTS: Final = {
    events.Post.ANTE: "the ante",
    events.Post.BIG_BLIND_ANTE: "the ante",
    events.Post.SMALL_BLIND: "small blind",
    events.Post.BIG_BLIND: "big blind",
    events.Post.STRADDLE: "straddle",
    events.Post.EXTRA_BLIND: "big blind",
    events.Post.DEAD_BLIND: "the ante",
}
_RUNS: Final = ("FIRST", "SECOND", "THIRD", "FOURTH")
_TIMES: Final = ("", "", "twice", "three times", "four times")


def pokerstars_text(history: HandHistory) -> str:
    """Return a hand as lines, with the final newline.

    Raises `BadHistory` for what the text cannot carry, and `Discrepancy` if the rules disagree.
    """
    check_story(history, "PokerStars' text")
    _check_newcomers(history)
    if history.game.name not in GAME_NAMES:
        raise BadHistory(f"PokerStars' text has no name for {history.game.title}")
    names = [history.name(player) for player in range(history.size)]
    for name in names:
        if len(set(names)) < len(names) or name != name.strip() or not name.isprintable():
            raise BadHistory(f"PokerStars' text cannot carry the name {name!r:.40} (or has it twice)")
    header = header_text(history)
    return "\n".join([header, *_Text(story_of(history), names).lines(), ""])


def _check_newcomers(history: HandHistory) -> None:
    """Raise `BadHistory` for newcomers' blinds that would be read as the blinds of those who have no chips for them."""
    owing = [player for player in range(2) if history.blinds[player] > 0]
    spent = [player for player in owing if history.antes and history.antes[player] >= history.stacks[player]]
    if spent and min(history.blinds) < 0:
        raise BadHistory(
            "PokerStars' text cannot carry a newcomer's blind beside one whose stack the ante used up"
        )


class _Text:
    """The lines of one hand after the first."""

    def __init__(self, story: Story, names: list[str]) -> None:
        self.story = story
        self.history = story.history
        self.names = names

    def lines(self) -> Iterator[str]:
        yield from self._seating()
        streets, acted = _Streets(self.history, self.names), iter(self.story.acted)
        if streets.at_once:
            yield "*** HOLE CARDS ***"
            yield from self._deals()
        steps = self.history.steps
        bet = self.history.bring_in or max((abs(blind) for blind in self.history.blinds), default=0)
        last = max((place for place, step in enumerate(steps) if type(step) is ActionStep), default=-1)
        for place, step in enumerate(steps):
            before = streets.number
            streets.run = "FIRST " if self.history.run_again and place > last else ""
            yield from streets.lines(step)
            bet = bet if streets.number == max(before, 0) else 0
            if type(step) is ActionStep:
                yield self._turn(step, next(acted), bet)
                bet = step.total if step.move is ActionKind.RAISE else bet
            elif type(step) is Discarded:
                next(acted)
        yield from self._end()

    def _money(self, chips: int) -> str:
        return money_text(chips, self.history)

    def _seating(self) -> Iterator[str]:
        story, history = self.story, self.history
        table = str(history.fields.get("table", ""))
        if not table.isprintable():
            raise BadHistory(f"PokerStars' text cannot carry the table {table!r:.40}")
        # stud is dealt without a button
        button = "" if history.game.brings_in else f" Seat #{story.seats[-1] + 1} is the button"
        yield f"Table '{table}' {story.table_size}-max{button}"
        for player in sorted(range(history.size), key=story.seats.__getitem__):
            stack = self._money(history.stacks[player])
            yield f"Seat {story.seats[player] + 1}: {self.names[player]} ({stack} in chips)"
        spent = [0] * history.size
        for post in story.posts:
            spent[post.seat] += post.amount
            yield self._post(post, all_in=spent[post.seat] == history.stacks[post.seat])

    def _post(self, post: events.Posted, *, all_in: bool) -> str:
        text = f"{self.names[post.seat]}: posts {_POSTS[post.kind]} {self._money(post.amount)}"
        return f"{text} and is all-in" if all_in else text

    def _deals(self) -> Iterator[str]:
        acting = {turn.player for turn in self.history.turns} | {post.seat for post in self.story.posts}
        for player, hole in enumerate(self._dealt()):
            if is_known(hole) and hole:
                yield f"Dealt to {self.names[player]} [{_blanked(hole)}]"
            elif player not in acting:
                yield f"Dealt to {self.names[player]}"

    def _dealt(self) -> list[tuple[Card, ...]]:
        """Return the hole cards known from the deal, not from a show."""
        dealt: list[tuple[Card, ...]] = [()] * self.history.size
        for step in self.history.steps:
            if type(step) is Dealt:
                dealt[step.player] += step.cards
        return dealt

    def _turn(self, turn: ActionStep, acted: events.Acted, bet: int) -> str:
        name, move, total = self.names[acted.seat], turn.move, turn.total
        if move is ActionKind.FOLD:
            return f"{name}: folds"
        if move is ActionKind.CALL and not acted.paid:
            return f"{name}: checks"
        if move is ActionKind.BRING_IN:
            text = f"{name}: brings in for {self._money(acted.paid)}"
        elif move is ActionKind.CALL:
            text = f"{name}: calls {self._money(acted.paid)}"
        elif isinstance(acted.action, Bet):
            text = f"{name}: bets {self._money(total)}"
        else:
            text = f"{name}: raises {self._money(max(total - bet, 0))} to {self._money(total)}"
        return f"{text} and is all-in" if acted.all_in else text

    def _end(self) -> Iterator[str]:
        story = self.story
        if story.uncalled is not None:
            returned = self._money(story.uncalled.amount)
            yield f"Uncalled bet ({returned}) returned to {self.names[story.uncalled.seat]}"
        yield from self._further_runs()
        for board in range(len(self.history.boards)):
            yield from self._show_down(board)
        yield from self._summary(sum(won for _, _, won in story.wins() if story.replay.hand.over))

    def _further_runs(self) -> Iterator[str]:
        """Yield the streets of the second run and of those after it."""
        shared = self.history.game.board_cards - len(next(iter(self.history.run_again), ()))
        for run, board in zip(_RUNS[1:], self.history.boards[1:], strict=False):
            for street, before, dealt in (("FLOP", 0, 3), ("TURN", 3, 4), ("RIVER", 4, 5)):
                if before >= shared:
                    lies = f" [{_blanked(board[:before])}]" if before else ""
                    yield f"*** {run} {street} ***{lies} [{_blanked(board[before:dealt])}]"

    def _show_down(self, board: int) -> Iterator[str]:
        """Yield what is shown and collected on a board."""
        story, run = self.story, f"{_RUNS[board]} " if self.history.run_again else ""
        if story.shows:
            yield f"*** {run}SHOW DOWN ***"
        for step in story.shows:
            if step.cards:
                words = self._words(step.player, board)
                yield f"{self.names[step.player]}: shows [{_blanked(step.cards)}]{f' ({words})' if words else ''}"
            else:
                yield f"{self.names[step.player]}: mucks hand"
        last = max((pot for pot, _, _ in story.wins()), default=0)
        for pot, player, won in story.wins(board) if story.replay.hand.over else ():
            yield f"{self.names[player]} collected {self._money(won)} from {_pot_name(pot, last)}"

    def _words(self, player: int, board: int) -> str:
        """Describe the shown hand on a board, in split-pot games both halves."""
        hand = self.story.replay.hand
        game = self.history.game
        if hand.strengths is None or player not in hand.live or game.name == "short-deck":
            return ""
        claims = hand.claims[board]
        if len(claims) == 1:
            strength = claims[0].strengths[player]
            return game.words(strength, hand.holes[player]) if strength > 0 else ""
        words = [
            f"{half}: {share.ranking.words(claim.strengths[player])}"
            for half, share, claim in zip(("HI", "LO"), game.shares, claims, strict=True)
            if claim.strengths[player] > 0
        ]
        return "; ".join(words)

    def _summary(self, collected: int) -> Iterator[str]:
        story = self.story
        pot = story.pot
        rake = pot - collected if collected else 0
        yield "*** SUMMARY ***"
        yield f"Total pot {self._money(pot)} | Rake {self._money(rake)}"
        boards = self.history.boards
        if len(boards) > 1:
            yield f"Hand was run {_TIMES[len(boards)]}"
        for run, board in zip(_RUNS, boards, strict=False) if boards[0] else ():
            yield f"{f'{run} ' if len(boards) > 1 else ''}Board [{_blanked(board)}]"
        won = [0] * self.history.size
        for _, player, amount in story.wins() if story.replay.hand.over else ():
            won[player] += amount
        folded = {turn.player for turn in self.history.turns if turn.move is ActionKind.FOLD}
        for player in sorted(range(self.history.size), key=story.seats.__getitem__):
            result = "folded" if player in folded else "did not win"
            if won[player]:
                result = f"collected ({self._money(won[player])})"
            yield f"Seat {story.seats[player] + 1}: {self.names[player]} {result}"


def _blanked(cards: tuple[Card, ...] | list[Card]) -> str:
    return " ".join(map(str, cards))


def _pot_name(pot: int, last: int) -> str:
    if last == 0:
        return "pot"
    if pot == 0:
        return "main pot"
    return "side pot" if last == 1 else f"side pot-{pot}"
