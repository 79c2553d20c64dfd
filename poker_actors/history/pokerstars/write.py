"""Write hands in PokerStars' text, with all known hole cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from poker_actors.cards import Card
from poker_actors.errors import BadHistory
from poker_actors.history.hand_history import ActionKind, ActionStep, Dealt, HandHistory
from poker_actors.history.pokerstars.header import GAME_NAMES, header_text, money_text
from poker_actors.history.pokerstars.streets import street_lines
from poker_actors.history.story import Story, check_story, story_of
from poker_actors.history.unknown import is_known
from poker_actors.rules import Bet
from poker_actors.rules import event as events

__all__ = ["pokerstars_text"]

_POSTS: Final = {
    events.Post.ANTE: "the ante",
    events.Post.BIG_BLIND_ANTE: "the ante",
    events.Post.SMALL_BLIND: "small blind",
    events.Post.BIG_BLIND: "big blind",
    events.Post.STRADDLE: "straddle",
    events.Post.EXTRA_BLIND: "big blind",
    events.Post.DEAD_BLIND: "the ante",
}
_STREETS: Final = ("FLOP", "TURN", "RIVER")
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
        game = self.history.game
        if game.brings_in or game.draws or game.streets[0].board:
            yield from street_lines(self.history, iter(self.story.acted), self.names, self._turn)
            yield from self._end()
            return
        yield "*** HOLE CARDS ***"
        yield from self._deals()
        board = ""
        runs, acting = bool(self.history.run_again), True
        for boards, turns in self.story.streets():
            acting = acting and bool(turns)
            if boards:
                run = "FIRST " if runs and not acting else ""
                shown = " ".join(map(str, boards[-1].cards))
                yield f"*** {run}{_STREETS[len(boards) - 1]} ***{board} [{shown}]"
                board = f" [{' '.join(str(card) for step in boards for card in step.cards)}]"
            bet = 0
            if not boards:
                bet = max((abs(blind) for blind in self.history.blinds), default=0)
            for turn, acted in turns:
                yield self._turn(turn, acted, bet)
                bet = turn.total if turn.move is ActionKind.RAISE else bet
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


def _blanked(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _pot_name(pot: int, last: int) -> str:
    if last == 0:
        return "pot"
    if pot == 0:
        return "main pot"
    return "side pot" if last == 1 else f"side pot-{pot}"
