"""`poker-actors play` and `console`: games at a terminal against bots, in a room of actors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

from cyclopts import Parameter

from poker_actors.cli.output import many, note
from poker_actors.cli.reading import has_screen, line_reader, write_line
from poker_actors.cli.values import (
    BLINDS,
    BOT,
    CHIPS,
    FILE,
    GAME,
    WRITTEN,
    JsonOption,
    Plain,
    Seed,
    SeedFile,
    typed_seed,
)
from poker_actors.console import Session, play_plain
from poker_actors.errors import BadHistory, BadSpec

if TYPE_CHECKING:
    from poker_actors.console import Setup
    from poker_actors.history import HandHistory
    from poker_actors.rules import Hand

_PAUSE: Final = 0.6
"""Seconds a bot pretends to think, so that a person at a terminal can follow the hand."""


def play_session(session: Session, *, drawn: bool, plain: bool, json: JsonOption) -> None:
    """Play on the full screen, or in lines without one or with `plain`; then write the result.

    A `drawn` seed is noted on stderr. Raises `BadSpec` for JSON on stdout, which the game uses.
    """
    if json is not None and json.is_stdout:
        raise BadSpec("--json - is stdout, which shows the game: name a file")
    try:
        if not plain and has_screen():
            _play_full_screen(session)
        else:
            if drawn:
                note(f"seed {session.setup.seed}")
            _play_lines(session)
    finally:
        if json is not None:
            json.write(session.result)


def _play_lines(session: Session) -> None:
    """Play line by line on stdin and stdout."""
    play_plain(session, line_reader(), _thinking(session) if has_screen() else write_line)


def _thinking(session: Session) -> Callable[[str], None]:
    """Return a function that prints a line, after a pause if the line is about another player."""
    setup = session.setup
    others = tuple([f"{name} " for seat, name in enumerate(setup.names) if seat != setup.seat])

    def write(line: str) -> None:
        if line.startswith(others):
            sleep(_PAUSE)
        write_line(line)

    return write


def _play_full_screen(session: Session) -> None:
    """Play on the full screen, and print how it ended once the screen is gone.

    Raises `MissingExtra` without the extra `tui`, and `KeyboardInterrupt` when left by Ctrl-C.
    """
    from poker_actors.console import run_full_screen

    interrupted = run_full_screen(session, _PAUSE)
    for line in session.take_lines():
        write_line(line)
    note(f"seed {session.setup.seed}")
    if interrupted:
        raise KeyboardInterrupt


def play(  # noqa: PLR0913  every option of the command is one
    *,
    players: int | None = None,
    bot: Annotated[list[str] | None, BOT] = None,
    seed: Seed = None,
    seed_file: SeedFile = None,
    stacks: Annotated[str, CHIPS] = "100bb",
    blinds: Annotated[str, BLINDS] = "1/2",
    game: Annotated[str, GAME] = "holdem",
    level: str | None = None,
    hands: int | None = None,
    history: Annotated[Path | None, FILE, WRITTEN] = None,
    hints: bool = False,
    plain: bool = False,
    json: JsonOption = None,
) -> None:
    """Play hold'em, or another game, against one to nine bots until you leave, are out, or have all the chips.

    Args:
        players: Number of players: 2 to 10, including you. If not given, six, or one more than the bots named.
        bot: A bot: NAME, NAME:key=value,key=value, FILE.py:FUNCTION or MODULE:FUNCTION. If there are fewer bots than
            seats, they repeat.
        stacks: Chips at the start: 200, 100bb, or one per seat, yours first.
        blinds: The blinds, in chips.
        game: The game: a name that `poker-actors games` lists.
        level: How good the bots are: beginner, casual, regular, strong or expert; or their weakness: gambler, stubborn,
            tame, timid or wild. A mix of simple bots if neither this nor --bot is given.
        hands: How many hands to play: as many as you like if not given.
        history: A file of hand histories: write the hands you play to it, in the format of its name, such as .phhs,
            .txt (PokerStars) or .jsonl.
        hints: Show the odds at each of your turns; the key o also shows and hides them.
        plain: Lines instead of a full screen: the default where there is no terminal, and in open-face games.
    """
    from poker_actors.bots import drawn_seed
    from poker_actors.console import Session, holdem_setup
    from poker_actors.rules import Stakes

    given = typed_seed(seed, seed_file)
    chosen = drawn_seed() if given is None else given
    setup = holdem_setup(
        seed=chosen,
        players=players,
        bots=bot or (),
        stakes=Stakes.parse(blinds),
        stacks=stacks,
        game=game,
        level=level,
    )
    if hands is not None and hands < 1:
        raise BadSpec(f"--hands {hands} is below the minimum of 1")
    # the full screen has no keys to place cards in open-face rows
    in_lines = plain or setup.game.open_face
    with _Kept(history, setup, hands) as kept:
        session = Session(setup, teaches=True, coach=_explained, most=hands, keep=kept.add)
        session.hints = hints
        play_session(session, drawn=given is None, plain=in_lines, json=json)


def _explained(hand: Hand, seat: int) -> list[str]:
    """Explain a seat's turn as the debugger's `why action` does, or the end of a hand as `why winner`."""
    from poker_actors.debug import Viewpoint
    from poker_actors.debug.why import why

    try:
        return str(
            why(hand, "action" if hand.to_act else "winner", (), Viewpoint.parse(str(seat)))
        ).splitlines()
    except BadSpec as error:
        return [f"expert has no advice here: {error}"]


class _Kept:
    """The hands of a session, written to a file at its end, however it ends."""

    def __init__(self, path: Path | None, setup: Setup, most: int | None) -> None:
        if path is not None:
            self._check(path, setup, most)
        self._path = path
        self._names = setup.names
        self._histories: list[HandHistory] = []
        self._refused: list[str] = []

    @staticmethod
    def _check(path: Path, setup: Setup, most: int | None) -> None:
        """Raise `BadSpec` for an existing file, or for one that cannot hold the hands: now, and not after them."""
        from poker_actors.cards import Deck
        from poker_actors.history import Writer
        from poker_actors.rules import Hand

        writer, game = Writer(path, replace=True), setup.game
        if path.exists():
            raise BadSpec(f"--history {path} already exists and is not overwritten")
        hand = Hand(setup.stacks, setup.stakes, deck=Deck.seeded(0, game.pack), button=0, game=game)
        writer.check(hand, setup.names, 2 if most is None else most)

    def add(self, hand: Hand, number: int) -> None:
        """Keep a hand, if its game can be written."""
        from poker_actors.history import record

        if self._path is None:
            return
        try:
            self._histories.append(record(hand, players=self._names, hand_id=str(number)))
        except BadHistory as error:
            self._refused.append(str(error))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Write the file, if there is anything to write, and say so, however the session ended."""
        from poker_actors.history import Writer

        if self._path is None:
            return
        if self._refused:
            note(f"{_hands(self._refused)} could not be kept: {self._refused[0]}")
        if self._histories:
            with Writer(self._path) as writer:
                for one in self._histories:
                    writer.write(one)
            note(f"wrote {self._path}, {_hands(self._histories)}")


def _hands(kept: Sequence[object]) -> str:
    return many(len(kept), "hand")


def console(  # noqa: PLR0913  every option of the command is one
    *,
    seed: Seed = None,
    log: Annotated[Path, FILE] = Path("PokerCPP.log"),
    cpu: Literal["seed", "fair"] = "seed",
    plain: Plain = False,
    difficulty: Literal["easy", "normal", "hard"] = "normal",
    chances: Literal["coded", "commented"] = "coded",
    classes: Literal["counts", "printed", "kickers"] = "counts",
    name: Annotated[str, Parameter(allow_leading_hyphen=True)] = "player",
    json: JsonOption = None,
) -> None:
    """Play the two-player five-card console game against the CPU.

    Both have 200 credits. Both get three cards, then a fourth and a fifth; after each round the CPU bets, you call,
    fold or raise up to its credits, and it calls or folds. Suits do not count.

    Args:
        log: Write a log: events, appended; renamed to FILE.1 at one megabyte.
        cpu: seed peeks at your cards, as the original does; fair judges by its own cards.
        difficulty: How the CPU bets and calls: easy, normal (the original's tables) or hard.
        chances: The original's chances as coded, or as its comments say.
        classes: Hands by counts, as the original's program prints them, or with kickers.
        name: Name in the log: yours.
    """
    from poker_actors.bots import drawn_seed
    from poker_actors.console import EventLog, Session, five_card_setup

    chosen = drawn_seed() if seed is None else seed
    setup = five_card_setup(seed=chosen, cpu=cpu, level=difficulty, chances=chances, classes=classes)
    session = Session(setup, EventLog(log), name)
    play_session(session, drawn=seed is None, plain=plain, json=json)
