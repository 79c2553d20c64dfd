"""A session at the terminal: game after game, in lines and in the log of events, with the chips settled at the end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Final, Literal

from poker_actors.actors import HandState
from poker_actors.cards import Card
from poker_actors.console.setup import CPU, Setup
from poker_actors.console.sitting import Sitting, TablePicture, interrupts_held, picture
from poker_actors.console.telling import Teller, amount, cards_text, showdown_seats, winners_of
from poker_actors.errors import BadSpec
from poker_actors.evaluator.equity import equity
from poker_actors.rules import Action, Hand, Legal, PublicState, event

Coach = Callable[[Hand, int], Sequence[str]]
"""Explains a hand to a seat: its turn, if it is to act, else how the hand ended. It may know only what the seat sees."""

_TRIALS: Final = 2_000
"""Deals behind a hint: a standard error of one percent, in a few hundredths of a second."""
_SAME_ODDS: Final = {
    "limit-holdem": "holdem",
    "pot-limit-holdem": "holdem",
    "short-deck": "short_deck",
}
"""Games whose chances are those of another one, by the name that `equity` knows."""
_LONGEST_NAME: Final = 64


class Session:
    """Plays for a screen, which calls `begin`, then `deal` and `act` in turn, and always `leave`.

    `name` is the person's name in the log; a name that does not print on one line raises `BadSpec`. Lines to show
    collect in `lines` until `take_lines` is called. With `teaches` a hand is reviewed, an action taken back and odds
    shown on request; a `coach` explains turns then. `most` is how many hands to play, None for as many as the person
    likes; `keep` is given each hand that was played to its end, with its number from 0.
    """

    def __init__(
        self,
        setup: Setup,
        log: EventLog | None = None,
        name: str = "player",
        *,
        teaches: bool = False,
        coach: Coach | None = None,
        most: int | None = None,
        keep: Callable[[Hand, int], None] | None = None,
    ) -> None:
        if not name.isprintable() or not 0 < len(name) <= _LONGEST_NAME:
            raise BadSpec(f"name {name[:80]!r}: it must be 1 to {_LONGEST_NAME} printable characters")
        self.setup: Final = setup
        self.lines: list[str] = []
        self.games = 0
        """Games begun."""
        self.rounds = 0
        """Hands dealt in this game."""
        self.hands = 0
        """Hands dealt in all games."""
        self.teaches: Final = teaches
        self.hints = False
        """Whether odds are shown at each turn."""
        self.last_hand = False
        """Whether the person leaves after this hand."""
        self._shows = False
        """whether the person's cards are turned up after this hand"""
        self._coach, self._most, self._keep, self._name, self._log = coach, most, keep, name, log
        self._unkept: tuple[Hand, int] | None = None
        """the last hand, which may still be taken back"""
        self._reviewed: Hand | None = None
        """the last hand that was played to its end"""
        self._teller = Teller(setup)
        self._sitting: Sitting | None = None
        self._left = False

    # -- what a screen asks -----------------------------------------------------------------

    @property
    def sitting(self) -> Sitting:
        """The game being played."""
        assert self._sitting is not None, "begin comes first"
        return self._sitting

    @property
    def legal(self) -> Legal:
        """The person's legal actions; falsy between hands."""
        return self.sitting.legal

    @property
    def game_over(self) -> bool:
        """Whether the game is over; the next `deal` starts another."""
        return self.sitting.over

    @property
    def done(self) -> bool:
        """Whether all hands asked for have been played, or the person leaves after the last one."""
        most = self._most is not None and self.hands >= self._most
        return (most or self.last_hand) and not self.legal

    @property
    def money(self) -> tuple[int, ...]:
        """Stacks by seat after the last hand."""
        return self.sitting.stacks

    @property
    def state(self) -> HandState:
        """The latest state of the hand that the person has received."""
        assert self.sitting.state is not None, "no hand has been dealt yet"
        return self.sitting.state

    @property
    def all_in_text(self) -> str:
        """What going all-in means, to be confirmed."""
        return f"All-in with {amount(self.state.public.stacks[self.setup.seat], self.setup)}"

    @property
    def result(self) -> dict[str, Any]:
        """The result so far, as JSON values."""
        players = ["you" if seat == self.setup.seat else name for seat, name in enumerate(self.setup.names)]
        stacks = list(self.money if self._sitting is not None else self.setup.stacks)
        return {
            "seed": self.setup.seed, "game": self.setup.game.name, "games": self.games, "hands": self.hands,
            "players": players, "stacks": stacks,
        }  # fmt: skip

    @property
    def picture(self) -> TablePicture:
        """The table, as the person may see it now."""
        return picture(self.sitting)

    def take_lines(self) -> list[str]:
        """Return the lines not yet shown, and forget them."""
        lines, self.lines = self.lines, []
        return lines

    # -- what a screen does -----------------------------------------------------------------

    def begin(self) -> None:
        """Sit down and start the first game."""
        self._write("application start")
        self.lines += [f"{self.setup.game.title}.", *self.setup.remarks]
        self._new_game()
        self._write(f"player entered: {self._name}")

    def deal(self) -> None:
        """Deal the next hand; if the game is over, the first hand of a new one."""
        self._keep_last()
        if self.game_over:
            self._new_game()
        self.rounds += 1
        self.hands += 1
        money, seat = self.money, self.setup.seat
        others = f", {self.setup.names[1 - seat]} {money[1 - seat]}"
        if len(money) > 2:
            left = sum(1 for chips in money if chips) - 1
            others = f"; {left} {'other is' if left == 1 else 'others are'} in"
        told = f"{self._what} {self.rounds}. You have {amount(money[seat], self.setup)}{others}."
        self.lines += ["", told]
        self._teller.begin()
        self.sitting.deal()
        self._go_on()

    def act(self, action: Action) -> None:
        """Act for the person; raise `IllegalAction` if the action is not legal."""
        self.sitting.act(action)
        self._go_on()

    @property
    def may_show(self) -> bool:
        """Whether a hand is over in which the person has cards that not everybody has seen."""
        hand = self.sitting.hand
        return hand is not None and self.setup.seat not in showdown_seats(self.setup, hand) + hand.shows

    def leave_after_hand(self) -> None:
        """Leave once this hand is over; asked again, stay."""
        self.last_hand = not self.last_hand
        self.lines.append("You leave after this hand." if self.last_hand else "You stay after this hand.")

    def show_cards(self, *, show: bool = True) -> None:
        """Turn the person's cards up once this hand is over (or now, if it is), or leave that to the rules."""
        if self.legal:
            self._shows = show
            self.lines.append(
                f"Once this hand is over, {'everybody sees your cards' if show else 'you muck'}."
            )
        elif show:
            self._show_now()

    def _show_now(self) -> None:
        """Turn up the person's cards of the hand that is over, unless everybody has seen them."""
        self._shows = False
        if self.may_show:
            self.sitting.show_cards()
            self.sitting.take_heard()  # another state of a hand that has ended
            self.lines.append(f"You show {cards_text(self.setup, self.state.hole)}.")
            self._note_hand()

    # -- lessons ----------------------------------------------------------------------------

    def teach(self, lesson: Literal["odds", "undo", "review"]) -> None:
        """Give a lesson, or say why there is none."""
        try:
            if not self.teaches:
                raise BadSpec("there are no lessons in this game")
            {"odds": self.show_odds, "undo": self.undo, "review": self.review}[lesson]()
        except BadSpec as error:
            self.lines.append(f"Not possible: {error}.")

    def undo(self) -> None:
        """Take the person's last action of this hand back, even if the hand is over; raise `BadSpec` if there is none."""
        self._sitting = self.sitting.without_last()
        self._unkept = None
        self._teller.begin()
        self.lines += ["", "You take your last action back."]
        self._go_on()

    def show_odds(self) -> None:
        """Start or stop showing odds at each turn."""
        self.hints = not self.hints
        self.lines.append("Odds are shown at your turns." if self.hints else "Odds are not shown any more.")
        self._hint()

    def review(self) -> None:
        """Review the last finished hand: each decision of the person, with odds and the coach's words."""
        if self._reviewed is None:
            self.lines.append("There is no hand to review yet.")
        else:
            self.lines += ["", "The last hand:", *review(self.setup, self._reviewed, self._coach), ""]

    def _hint(self) -> None:
        if self.hints and self.legal:
            self.lines += odds_lines(self.setup, self.state.hole, self.state.public, self.legal)

    def _keep_last(self) -> None:
        """Hand the last hand on: it can no longer be taken back."""
        if self._unkept is not None and self._keep is not None:
            self._keep(*self._unkept)
        self._unkept = None

    def leave(self) -> None:
        """Fold a hand in progress, take all stacks to the bank and end the log; later calls do nothing."""
        if self._left:
            return
        self._left = True  # first: screens call again on their way out, even after an error in here
        with interrupts_held():
            try:
                if self._sitting is not None:
                    self._settle(self._sitting)
                self._keep_last()
            finally:
                self._write("application exit")

    # -- inside -----------------------------------------------------------------------------

    def _settle(self, sitting: Sitting) -> None:
        try:
            over, playing = sitting.over, bool(sitting.legal)
            sitting.settle()
            if playing:
                self._go_on()
            if not over:
                self._write(f"game {self.games} left after {self._rounds_text}: {self._score()}")
            for player in sitting.players:
                if player.faults.total:
                    failed = f"gave no legal action {player.faults.total} times"
                    self.lines.append(f"{player.name} {failed}; the first: {player.faults.first}")
            self.lines.append(f"You leave with {amount(self.money[self.setup.seat], self.setup)}.")
        finally:
            sitting.close()

    def _new_game(self) -> None:
        first_hand = 0  # hands are numbered on from game to game: decks follow from seed and number
        if self._sitting is not None:
            first_hand = self._sitting.number
            self._sitting.settle()
            self._sitting.close()
        self._sitting = Sitting(self.setup, first_hand)
        self.games += 1
        self.rounds = 0
        self._write(f"new game {self.games}: {self._score()}")

    def _go_on(self) -> None:
        """Tell what has happened, with a hint at the person's turn; log and note a hand or a game that is over."""
        sitting, money = self.sitting, self.money
        self.lines += self._teller.tell(sitting.take_heard())
        if sitting.result is None:
            self._hint()
            return
        self.lines += self._teller.finish(sitting.result)
        self._note_hand()
        self._write(self._round_text(sitting.hand))
        if self._shows:
            self._show_now()
        if sitting.over:
            winner = max(range(len(money)), key=money.__getitem__)
            after = f"after {self._rounds_text}"
            self._write(f"game {self.games} over {after}: {self._who(winner)} wins, {self._score()}")
            out = money[self.setup.seat] == 0 and len(money) > 2
            won = event.told(self.setup.names[winner], "wins")
            self.lines.append(f"You are out {after}." if out else f"{won} the game {after}.")

    def _note_hand(self) -> None:
        """Note the hand that is over, to be reviewed and kept."""
        hand = self.sitting.hand
        if hand is not None:
            self._reviewed, self._unkept = hand, (hand, self.sitting.number - 1)

    def _round_text(self, hand: Hand | None) -> str:
        """Return the log's line of a hand, None for a void one."""
        if hand is None:
            return f"round {self.rounds} void"
        winners = winners_of(hand)
        names = " and ".join(self._who(seat) for seat in winners)
        if len(winners) > 1:
            return f"round {self.rounds} split: {names}"
        awards = [news for news in hand.events() if isinstance(news, event.Awarded)]
        won = sum(award.amount for award in awards if award.seat == winners[0])
        return f"{names} wins round {self.rounds}: {won}, net {hand.payoffs[winners[0]]}"

    def _who(self, seat: int) -> str:
        """Return a seat's name in the log, where the person is always `player`."""
        return "player" if seat == self.setup.seat else self.setup.names[seat]

    def _score(self) -> str:
        order = sorted(range(len(self.money)), key=lambda seat: seat != self.setup.seat)
        return ", ".join(f"{self._who(seat)} {self.money[seat]}" for seat in order)

    @property
    def _what(self) -> str:
        return "Round" if CPU in self.setup.names else "Hand"

    @property
    def _rounds_text(self) -> str:
        return f"{self.rounds} {self._what.lower()}{'' if self.rounds == 1 else 's'}"

    def _write(self, event: str) -> None:
        if self._log is not None:
            problem = self._log.write(event)
            if problem:
                self.lines.append(problem)


def odds_lines(setup: Setup, hole: Sequence[Card], public: PublicState, legal: Legal) -> list[str]:
    """Return a line with the chances against unknown hands and the price of a call; empty in a draw."""
    if legal.discards or legal.lays:
        return []
    name, others = setup.game.name, len(public.live) - 1
    board = "/".join("".join(map(str, one)) for one in public.boards)
    players = ["".join(map(str, hole)), *["random"] * others]
    try:
        found = equity(players, board, game=_SAME_ODDS.get(name, name), trials=_TRIALS, using="python")
    except BadSpec:
        return [f"Odds: not available for {setup.game.title}."]
    whom = "another hand" if others == 1 else f"{others} other hands"
    text = f"Odds: {100 * found.players[0].share:.0f} % of the pot against {whom}, whatever they are"
    if not legal.to_call:
        return [f"{text}."]
    price = 100 * legal.to_call / (public.pot + legal.to_call)
    return [f"{text}; calling {legal.to_call} into {public.pot} takes {price:.0f} %."]


def review(setup: Setup, hand: Hand, coach: Coach | None) -> Iterator[str]:
    """Yield a review of a person's decisions in a hand: odds at each, and how the hand ended."""
    seat, taken = setup.seat, list(hand.public().log)
    mine = [number for number, one in enumerate(taken) if one.seat == seat]
    for place, number in enumerate(mine, 1):
        before = hand.replay(hand.log[:number])
        view = before.view(seat)
        done = event.told(setup.names[seat], event.action_words(taken[number].action, taken[number].paid))
        yield f"Decision {place} of {len(mine)}: {view.text(setup.names)}. {done}."
        yield from odds_lines(setup, view.hole, view.public, view.legal)
        yield from (f"  {line}" for line in (coach(before, seat) if coach is not None else ()))
    if not mine:
        yield "You had nothing to decide in this hand."
    if coach is not None:
        yield from coach(hand, seat)


DEFAULT_LOG: Final = "PokerCPP.log"
"""The name in the original program."""
LARGEST: Final = 1_000_000
"""Size in bytes at which the file is rotated: about 15,000 events."""
KEPT: Final = 3
"""Number of rotated files kept; `PokerCPP.log.1` is the newest."""


class EventLog:
    """Appends events to a file, which is open only while a line is being written.

    Only the first failure to write is reported; play continues, and every later event is still tried.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        largest: int = LARGEST,
        kept: int = KEPT,
    ) -> None:
        self.path: Final = Path(path)
        self._clock = clock
        self._lines = partial(
            _Lines, self.path, maxBytes=largest, backupCount=max(kept, 1), encoding="utf-8", delay=True
        )
        self._failed = False

    def write(self, event: str) -> str:
        """Append one event, as `2026-01-31T12:00:00+00:00 CPU wins round 3: 24, net 12`.

        Return a message to show the person: empty, or, at the first failure, its reason.
        """
        line = f"{self._clock().isoformat(timespec='seconds')} {' '.join(event.split())}"
        try:
            with closing(self._lines()) as file:  # for each line: the file may be moved away
                file.emit(logging.makeLogRecord({"msg": line}))
        except OSError as error:
            if not self._failed:
                self._failed = True
                why = str(error.strerror).lower()
                return f"The log {self.path} cannot be written ({why}); the game goes on without it."
        return ""


class _Lines(RotatingFileHandler):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  logging calls it within its `except`
        """Raise what keeps a line from being written."""
        raise  # noqa: PLE0704
