"""Equities of split-pot, double-board, stud and draw games, in plain Python or with arrays of hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from math import comb, sqrt
from typing import Any, Final, TypeAlias

from attrs import define, evolve, field, frozen

from poker_actors.cards import STANDARD_DECK, Card, parse_cards
from poker_actors.errors import BadSpec, DuplicateCard
from poker_actors.evaluator.equity.deals import (
    ADD,
    MULTIPLY,
    EquityResult,
    PlayerEquity,
    drawings,
    seed_start,
    start_of,
)
from poker_actors.evaluator.fast import Engine, engine_for, ranking_strengths
from poker_actors.evaluator.made import worth_keeping
from poker_actors.evaluator.ranking import RANKINGS, Ranking

Progress = Callable[[int, int], None]
Come: TypeAlias = Sequence[tuple[Card, ...]]
"""The cards of a deal, by seat, then by board."""
_POT: Final = 5040
"""Units of a pot, 2 * lcm(1, ..., 10): half of it divides evenly among one to ten players."""
_WORD: Final = (1 << 64) - 1
_SECONDS_A_HAND: Final = 8e-6
"""Measured on one core; used only with `_PATIENCE` and to choose an engine."""
_PATIENCE: Final = 3.0
"""Expected seconds of an exact answer above which `auto` samples instead."""
_TRIALS: Final = 100_000
"""Default trials: a share has a standard deviation of at most half a pot, so the error is at most 0.16 %."""
_DRAWN_TRIALS: Final = 20_000
"""Default trials with draws to come, where a deal takes several draws: a few seconds in all."""
_REPORT: Final = 2048
"""Deals between two reports of progress; also the size of an array of deals."""
_FEWEST_AT_ONCE: Final = 64
"""Fewest deals for which arrays are worth building."""
_FEWEST: Final = 4096
"""Fewest deals before `stderr` may stop a run: the error of a small sample is itself unreliable."""
_FEWEST_PLAYERS, _MOST_PLAYERS = 2, 10


@frozen
class SharedGame:
    """A game: its numbers of final hole cards and board cards, and the rankings that share the pot."""

    name: str
    hole: tuple[int, ...]
    board: int
    shares: tuple[Ranking, ...]
    draws: int = 0
    """number of draws"""
    boards: int = 1


def _game(
    name: str, hole: int | tuple[int, ...], board: int, *shares: str, draws: int = 0, boards: int = 1
) -> SharedGame:
    sizes = hole if isinstance(hole, tuple) else (hole,)
    return SharedGame(name, sizes, board, tuple(RANKINGS[share] for share in shares), draws, boards)


SHARED_GAMES: Final = {
    game.name: game
    for game in (
        _game("omaha8", (4, 5, 6), 5, "omaha", "omaha-eight"),
        _game("limit-omaha8", 4, 5, "omaha", "omaha-eight"),
        _game("big-o", 5, 5, "omaha", "omaha-eight"),
        _game("courchevel8", 5, 5, "omaha", "omaha-eight"),
        _game("double-board-holdem", 2, 5, "high", boards=2),
        _game("double-board-omaha", 4, 5, "omaha", boards=2),
        _game("stud", 7, 0, "high"),
        _game("stud8", 7, 0, "high", "eight-or-better"),
        _game("razz", 7, 0, "ace-to-five"),
        _game("five-card-draw", 5, 0, "high", draws=1),
        _game("2-7-single-draw", 5, 0, "deuce-to-seven", draws=1),
        _game("2-7-triple-draw", 5, 0, "deuce-to-seven", draws=3),
        _game("a-5-triple-draw", 5, 0, "ace-to-five", draws=3),
        _game("badugi", 4, 0, "badugi", draws=3),
        _game("badacey", 5, 0, "ace-to-five", "badugi", draws=3),
        _game("badeucy", 5, 0, "deuce-to-seven", "badugi-ace-high", draws=3),
    )
}


@define
class _Sums:
    """Sums over deals of each player's winnings in units of the pot, their squares, and whole and partial pots."""

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

    def add_all(self, units: Any) -> None:
        """Add many deals, given as an array or a list with a row per deal."""
        if isinstance(units, list):
            for row in units:
                self.add(row)
            return
        self.deals += len(units)
        for player, got in enumerate(units.T):
            self.units[player] += int(got.sum())
            self.squares[player] += int((got * got).sum())
            self.whole[player] += int((got == _POT).sum())
            self.part[player] += int(((got > 0) & (got < _POT)).sum())

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
    """Divide a pot of 5,040 units among the seats; a share for which nobody qualifies goes to the others."""
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
    """The known cards of each seat, the number each still gets, and the cards that can come."""

    game: SharedGame
    names: tuple[str, ...]
    known: tuple[tuple[Card, ...], ...]
    lacking: tuple[int, ...]
    """cards still to come, by seat, then by board"""
    boards: tuple[tuple[Card, ...], ...]
    stub: tuple[Card, ...]

    @property
    def deals(self) -> int:
        """Return the number of possible deals."""
        left, number = len(self.stub), 1
        for count in self.lacking:
            number *= comb(left, count)
            left -= count
        return number

    @property
    def seconds(self) -> float:
        """Return the expected seconds per deal in plain Python."""
        return len(self.known) * len(self.game.shares) * self.game.boards * _SECONDS_A_HAND

    def units(self, deals: Sequence[Come], engine: Engine) -> Any:
        """Return each seat's units of the pot, a row per deal."""
        if engine != "python" and len(deals) >= _FEWEST_AT_ONCE:
            return self._units_by_arrays(deals, engine)
        rows = []
        for deal in deals:
            holes = [(*known, *cards) for known, cards in zip(self.known, deal, strict=False)]
            boards = [(*lying, *cards) for lying, cards in zip(self.boards, deal[len(holes) :], strict=True)]
            parts = [divided(self.game.shares, holes, board) for board in boards]
            rows.append([sum(units) // len(boards) for units in zip(*parts, strict=True)])
        return rows

    def _units_by_arrays(self, deals: Sequence[Come], engine: Engine) -> Any:
        import numpy as np

        count, players = len(deals), len(self.known)
        come = np.array([[card for cards in deal for card in cards] for deal in deals], dtype=np.uint8)
        come = come.reshape(count, sum(self.lacking))
        filled, at = [], 0
        for cards, more in zip((*self.known, *self.boards), self.lacking, strict=True):
            lying = np.broadcast_to(np.array(cards, dtype=np.uint8), (count, len(cards)))
            filled.append(np.concatenate([lying, come[:, at : at + more]], axis=1))
            at += more
        holes, parts = np.concatenate(filled[:players]), []
        for lies in filled[players:]:
            boards = np.tile(lies, (players, 1))
            found = [
                ranking_strengths(share.name, holes, boards, checked=False, using=engine)
                for share in self.game.shares
            ]
            by_seat = [values.reshape(players, count) for values in found]
            best = [(values == values.max(axis=0)) & (values > 0) for values in by_seat]
            divided_by = sum([those.any(axis=0).astype(np.int64) for those in best])
            parts += [those * (_POT // divided_by // those.sum(axis=0).clip(min=1)) for those in best]
        return sum(parts).T // len(self.boards)


def shared_equity(  # noqa: PLR0913  # passes on the options of `equity`
    game: SharedGame,
    players: Sequence[object],
    board: object,
    dead: object,
    *,
    draws: int | None,
    method: str,
    trials: int | None,
    stderr: float | None,
    seed: int,
    progress: Progress | None,
    using: Engine,
) -> EquityResult:
    """Return the equities of known cards; `random` is a player without known cards. For options see `equity`."""
    question = _read(game, players, board, dead)
    by_chance = None
    if draws is not None:
        _check_draws(question, draws)
        if draws == 1 and not any(question.lacking):
            question = _kept(question)
        elif method == "exact":
            raise BadSpec(f"draws {draws}: no exact equity, except for one draw with all hands known")
        else:
            share, size = question.game.shares[0], question.game.hole[0]
            by_chance = drawings(share, question.known, size, question.stub, draws, seed)
            question = _drawn(question)
    work = question.deals * question.seconds
    if method == "auto":
        cheap = work <= _PATIENCE and trials is None and stderr is None and by_chance is None
        method = "exact" if cheap else "sampled"
    if method == "exact":
        engine = engine_for(using, lambda: work)
        every = _every(question.stub, question.lacking)
        return _run(question, every, question.deals, 0.0, progress, engine, exact=True)
    usual = _DRAWN_TRIALS if by_chance else _TRIALS
    most = trials if trials is not None else usual if stderr is None else 100 * _TRIALS
    engine = engine_for(using, lambda: most * question.seconds)
    deals = by_chance or _by_chance(question, seed)
    return _run(question, deals, most, stderr or 0.0, progress, engine, exact=False)


def _check_draws(question: _Question, draws: int) -> None:
    game, size = question.game, question.game.hole[0]
    if not game.draws:
        raise BadSpec(f"draws {draws}, but nothing is drawn in {game.name}")
    if not 1 <= draws <= game.draws:
        raise BadSpec(f"draws {draws} is outside 1 to {game.draws}, those of {game.name}")
    if sum(question.lacking) + size > len(question.stub):
        raise BadSpec(
            f"{len(question.known)} hands of {size} cards leave too few of {len(STANDARD_DECK)} to draw from"
        )


def _kept(question: _Question) -> _Question:
    """Return the question before the last draw with known hands: discards are dead, replacements come from the stub."""
    ranking = question.game.shares[0]
    known = tuple([worth_keeping(ranking, hand) for hand in question.known])
    lacking = [len(hand) - len(kept) for hand, kept in zip(question.known, known, strict=True)]
    return evolve(question, known=known, lacking=(*lacking, 0))


def _drawn(question: _Question) -> _Question:
    """Return the question with whole hands to come, as `drawings` deals them."""
    players, size = len(question.known), question.game.hole[0]
    return evolve(question, known=((),) * players, lacking=(*[size] * players, 0))


def _run(
    question: _Question,
    deals: Iterator[Come],
    most: int,
    stderr: float,
    progress: Progress | None,
    engine: Engine,
    *,
    exact: bool,
) -> EquityResult:
    sums, interrupted = _Sums(len(question.known)), False
    try:
        while block := list(islice(deals, min(_REPORT, most - sums.deals))):
            sums.add_all(question.units(block, engine))
            if progress is not None and sums.deals < most:
                progress(sums.deals, most)
            if stderr and sums.deals >= _FEWEST and max(map(sums.stderr, range(sums.players))) <= stderr:
                break
    except KeyboardInterrupt:  # a part of all deals would be no exact answer: only samples end early
        if exact or not sums.deals:
            raise
        interrupted = True
    if progress is not None and not interrupted:
        progress(sums.deals, sums.deals)
    return sums.result(question.names, exact=exact, interrupted=interrupted)


def _every(stub: tuple[Card, ...], lacking: Sequence[int]) -> Iterator[Come]:
    """Yield every way to deal so many cards to each seat and board."""
    if not lacking:
        yield []
        return
    for cards in combinations(stub, lacking[0]):
        rest = tuple(card for card in stub if card not in cards) if lacking[0] else stub
        for others in _every(rest, lacking[1:]):
            yield [cards, *others]


def _by_chance(question: _Question, seed: int) -> Iterator[Come]:
    """Yield endless random deals, the same for the same seed."""
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
    # players, board and dead cards come as object from `equity`, which declares their types
    names = tuple(
        player if isinstance(player, str) else "".join(map(str, parse_cards(player)))  # type: ignore[arg-type]  # above
        for player in players
    )
    known = tuple(() if name.strip().lower() == "random" else parse_cards(name) for name in names)
    boards, gone = _read_boards(game, board), parse_cards(dead)  # type: ignore[arg-type]  # typed by `equity`
    size = next((len(cards) for cards in known if game.board and cards), game.hole[0])
    if size not in game.hole or any(
        len(cards) > size or (game.board and len(cards) not in (0, size)) for cards in known
    ):
        allowed = " or ".join(map(str, game.hole)) if game.board else f"at most {size}"
        raise BadSpec(
            f"a hand of {game.name} has {allowed} cards, the same number in all hands: not {', '.join(names)}"
        )
    lying = [card for cards in boards for card in cards]
    seen: set[Card] = set()
    for card in (*lying, *gone, *(card for cards in known for card in cards)):
        if card in seen:
            raise DuplicateCard(f"{card} is given twice")
        if card.is_joker:
            raise BadSpec(f"{card} is not in the deck of 52 cards of {game.name}")
        seen.add(card)
    lacking = (*(size - len(cards) for cards in known), *(game.board - len(cards) for cards in boards))
    stub = tuple(card for card in STANDARD_DECK if card not in seen)
    if sum(lacking) > len(stub):
        raise BadSpec(
            f"{len(names)} hands of {size} cards need more than the {len(stub)} cards that are left"
        )
    return _Question(game, names, known, lacking, boards, stub)


def _read_boards(game: SharedGame, board: object) -> tuple[tuple[Card, ...], ...]:
    """Parse the board, or several separated by `/`; raises `BadSpec` unless they have equally many cards."""
    texts = board.split("/") if isinstance(board, str) else [board]
    if len(texts) != game.boards and board:
        raise BadSpec(f"{len(texts)} boards: {game.name} has {game.boards}, with / between")
    # board comes as object, as in `_read`
    boards = [parse_cards(text) for text in texts] if board else [()] * game.boards  # type: ignore[arg-type]  # above
    for cards in boards:
        if len(cards) > game.board:
            raise BadSpec(f"a board of {len(cards)} cards is too long: {game.name} has {game.board}")
        if len(cards) != len(boards[0]):
            raise BadSpec(
                f"boards of {len(boards[0])} and {len(cards)} cards: they must have the same number"
            )
    return tuple(boards)
