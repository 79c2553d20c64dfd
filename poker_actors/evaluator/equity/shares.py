"""Equities of games whose pot has two shares, or whose cards are dealt to the seats: plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb, sqrt
from typing import Final

from attrs import define, field, frozen

from poker_actors.cards import STANDARD_DECK, Card, parse_cards
from poker_actors.errors import BadSpec, DuplicateCard
from poker_actors.evaluator.equity.generator import ADD, MULTIPLY, seed_start, start_of
from poker_actors.evaluator.equity.result import EquityResult, PlayerEquity
from poker_actors.evaluator.ranking import RANKINGS, Ranking

__all__ = ["SHARED_GAMES", "SharedGame", "shared_equity"]

Progress = Callable[[int, int], None]
_POT: Final = 5040
"""Units of a pot: any half of it is shared by one to ten without a rest."""
_WORD: Final = (1 << 64) - 1
_SECONDS_A_HAND: Final = 8e-6
_PATIENCE: Final = 3.0
_TRIALS: Final = 100_000
_REPORT: Final = 2048
"""Deals between two reports of progress."""
_FEWEST: Final = 4096
"""Deals before an error is believed."""
_FEWEST_PLAYERS, _MOST_PLAYERS = 2, 10


@frozen
class SharedGame:
    """How many hole cards a hand has in the end and how many are on the board, and what the pot goes to."""

    name: str
    hole: tuple[int, ...]
    board: int
    shares: tuple[Ranking, ...]


def _game(name: str, hole: int | tuple[int, ...], board: int, *shares: str) -> SharedGame:
    sizes = hole if isinstance(hole, tuple) else (hole,)
    return SharedGame(name, sizes, board, tuple(RANKINGS[share] for share in shares))


SHARED_GAMES: Final = {
    game.name: game
    for game in (
        _game("omaha8", (4, 5, 6), 5, "omaha", "omaha-eight"),
        _game("stud", 7, 0, "high"),
        _game("stud8", 7, 0, "high", "eight-or-better"),
        _game("razz", 7, 0, "ace-to-five"),
        _game("five-card-draw", 5, 0, "high"),
        _game("2-7-single-draw", 5, 0, "deuce-to-seven"),
        _game("2-7-triple-draw", 5, 0, "deuce-to-seven"),
        _game("a-5-triple-draw", 5, 0, "ace-to-five"),
        _game("badugi", 4, 0, "badugi"),
        _game("badacey", 5, 0, "ace-to-five", "badugi"),
        _game("badeucy", 5, 0, "deuce-to-seven", "badugi-ace-high"),
    )
}


@define
class _Sums:
    """What each player got so far, in units of the pot, over so many deals."""

    players: int
    deals: int = 0
    units: list[int] = field(init=False)
    squares: list[int] = field(init=False)
    whole: list[int] = field(init=False)
    part: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.units, self.squares, self.whole, self.part = ([0] * self.players for _ in range(4))

    def add(self, units: Sequence[int]) -> None:
        self.deals += 1
        for player, got in enumerate(units):
            if got:
                self.units[player] += got
                self.squares[player] += got * got
                self.whole[player] += got == _POT
                self.part[player] += got < _POT

    def stderr(self, player: int) -> float:
        share = self.units[player] / _POT / self.deals
        squares = self.squares[player] / _POT**2 / self.deals
        return sqrt(max(squares - share * share, 0.0) / self.deals)

    def result(self, names: Sequence[str], *, exact: bool, interrupted: bool) -> EquityResult:
        players = [
            PlayerEquity(
                name,
                self.whole[player] / self.deals,
                self.part[player] / self.deals,
                self.units[player] / _POT / self.deals,
                0.0 if exact else self.stderr(player),
            )
            for player, name in enumerate(names)
        ]
        return EquityResult(tuple(players), self.deals, exact, interrupted)


def divided(
    shares: Sequence[Ranking], holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]
) -> list[int]:
    """Give what each seat gets of a pot of 5,040: a share that nobody qualifies for goes to the others."""
    strengths = [ranking.strengths(holes, board) for ranking in shares]
    won = [values for values in strengths if any(values)]
    units = [0] * len(holes)
    for values in won:
        best = max(values)
        part = _POT // len(won) // values.count(best)
        for seat, strength in enumerate(values):
            if strength == best:
                units[seat] += part
    return units


@frozen
class _Question:
    """Cards that are known of each seat, how many each still gets, and what can come."""

    game: SharedGame
    names: tuple[str, ...]
    known: tuple[tuple[Card, ...], ...]
    lacking: tuple[int, ...]
    """by seat, then of the board"""
    board: tuple[Card, ...]
    stub: tuple[Card, ...]

    @property
    def deals(self) -> int:
        """How many deals there are."""
        left, number = len(self.stub), 1
        for count in self.lacking:
            number *= comb(left, count)
            left -= count
        return number

    def units(self, come: Sequence[tuple[Card, ...]]) -> list[int]:
        """Give what each seat gets when these cards come."""
        *theirs, board = come
        holes = [(*known, *cards) for known, cards in zip(self.known, theirs, strict=True)]
        return divided(self.game.shares, holes, (*self.board, *board))


def shared_equity(  # noqa: PLR0913  # the options of `equity`
    game: SharedGame,
    players: Sequence[object],
    board: object,
    dead: object,
    *,
    method: str,
    trials: int | None,
    stderr: float | None,
    seed: int,
    progress: Progress | None,
) -> EquityResult:
    """Give the equities of known cards; `random` is a player of whom none is known. See `equity`."""
    question = _read(game, players, board, dead)
    work = question.deals * len(players) * len(game.shares) * _SECONDS_A_HAND
    if method == "auto":
        cheap = work <= _PATIENCE and trials is None and stderr is None
        method = "exact" if cheap else "sampled"
    if method == "exact":
        return _run(
            question, _every(question.stub, question.lacking), question.deals, 0.0, progress, exact=True
        )
    most = trials if trials is not None else _TRIALS if stderr is None else 100 * _TRIALS
    return _run(question, _by_chance(question, seed), most, stderr or 0.0, progress, exact=False)


def _run(
    question: _Question,
    deals: Iterator[list[tuple[Card, ...]]],
    most: int,
    stderr: float,
    progress: Progress | None,
    *,
    exact: bool,
) -> EquityResult:
    sums, interrupted = _Sums(len(question.known)), False
    try:
        for number, come in enumerate(deals, start=1):
            sums.add(question.units(come))
            if number == most:
                break
            if number % _REPORT == 0:
                if progress is not None:
                    progress(number, most)
                if stderr and number >= _FEWEST and max(map(sums.stderr, range(sums.players))) <= stderr:
                    break
    except KeyboardInterrupt:
        if exact or not sums.deals:
            raise
        interrupted = True
    if progress is not None and not interrupted:
        progress(sums.deals, sums.deals)
    return sums.result(question.names, exact=exact, interrupted=interrupted)


def _every(stub: tuple[Card, ...], lacking: Sequence[int]) -> Iterator[list[tuple[Card, ...]]]:
    """Give every way to deal so many cards to each seat and the board."""
    if not lacking:
        yield []
        return
    for cards in combinations(stub, lacking[0]):
        rest = tuple(card for card in stub if card not in cards) if lacking[0] else stub
        for others in _every(rest, lacking[1:]):
            yield [cards, *others]


def _by_chance(question: _Question, seed: int) -> Iterator[list[tuple[Card, ...]]]:
    """Give random deals without end, the same for the same seed."""
    start, trial, stub = seed_start(seed), 0, question.stub
    while True:
        state = start_of(start, trial)
        trial += 1
        used: set[Card] = set()
        deal: list[tuple[Card, ...]] = []
        for count in question.lacking:
            cards: list[Card] = []
            while len(cards) < count:
                state = (state * MULTIPLY + ADD) & _WORD
                card = stub[(state >> 32) * len(stub) >> 32]
                if card not in used:
                    used.add(card)
                    cards.append(card)
            deal.append(tuple(cards))
        yield deal


def _read(game: SharedGame, players: Sequence[object], board: object, dead: object) -> _Question:
    if not _FEWEST_PLAYERS <= len(players) <= _MOST_PLAYERS:
        raise BadSpec(f"an equity has {_FEWEST_PLAYERS} to {_MOST_PLAYERS} players, not {len(players)}")
    names = tuple(
        player if isinstance(player, str) else "".join(map(str, parse_cards(player)))  # type: ignore[arg-type]
        for player in players
    )
    known = tuple(() if name.strip().lower() == "random" else parse_cards(name) for name in names)
    shared, gone = parse_cards(board), parse_cards(dead)  # type: ignore[arg-type]  # as `equity` takes them
    size = next((len(cards) for cards in known if game.board and cards), game.hole[0])
    if size not in game.hole or any(
        len(cards) > size or (game.board and len(cards) not in (0, size)) for cards in known
    ):
        allowed = " or ".join(map(str, game.hole)) if game.board else f"at most {size}"
        raise BadSpec(f"a hand of {game.name} has {allowed} cards, all hands as many: not {', '.join(names)}")
    if len(shared) > game.board:
        raise BadSpec(f"a board of {len(shared)} cards is too long: {game.name} has {game.board}")
    seen: set[Card] = set()
    for card in (*shared, *gone, *(card for cards in known for card in cards)):
        if card in seen:
            raise DuplicateCard(f"{card} is given twice")
        if card.is_joker:
            raise BadSpec(f"{card} is not in the deck of 52 cards of {game.name}")
        seen.add(card)
    lacking = (*(size - len(cards) for cards in known), game.board - len(shared))
    stub = tuple(card for card in STANDARD_DECK if card not in seen)
    if sum(lacking) > len(stub):
        raise BadSpec(
            f"{len(names)} hands of {size} cards need more than the {len(stub)} cards that are left"
        )
    return _Question(game, names, known, lacking, shared, stub)
