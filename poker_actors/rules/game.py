"""The definition of a game: its streets, betting structure and pot shares; each variant is one `Game` row."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from numbers import Integral
from typing import Any, Final

import attrs

from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator import RANKINGS, Ranking, describe, holdem_strengths, short_deck_strengths
from poker_actors.loading import Source, guarded, place_of, run_source
from poker_actors.rules.settlement import Claim
from poker_actors.rules.stakes import Stakes

Strengths = Callable[[Sequence[tuple[Card, ...]], tuple[Card, ...]], list[int]]
"""(hole cards of each live seat, board) -> one strength per seat; the highest wins, equal strengths tie."""

Words = Callable[[int, tuple[Card, ...]], str]
"""(strength in this game, hole cards) -> the words a dealer announces the hand with."""

MOST_SEATS: Final = 10
MOST_DISCARDS: Final = 7


# a named function, not a lambda: games are pickled to other processes
def _described(strength: int, hole: tuple[Card, ...]) -> str:
    return describe(strength)


class Betting(enum.Enum):
    """How large a bet may be."""

    NO_LIMIT = "no-limit"
    POT_LIMIT = "pot-limit"
    FIXED_LIMIT = "fixed-limit"


class First(enum.Enum):
    """Which seat acts first on a street."""

    POSITION = "position"
    """the seat left of the button or, on a street with blinds, left of the last blind"""
    LOW_CARD = "low card"
    """the lowest open card brings in; equal ranks go by suit, clubs lowest"""
    HIGH_CARD = "high card"
    """the highest open card brings in, with the ace low"""
    HIGH_HAND = "high hand"
    """the highest open hand; equal hands go by the suit of their highest card (TDA 2024, RP-10-D)"""
    LOW_HAND = "low hand"
    """the lowest open hand, with the ace low"""

    @property
    def brings_in(self) -> bool:
        """Whether the first seat to act must pay the bring-in."""
        return self in (First.LOW_CARD, First.HIGH_CARD)

    @property
    def low(self) -> bool:
        """Whether the ace counts as the lowest card, as in games won by low hands."""
        return self in (First.HIGH_CARD, First.LOW_HAND)


@attrs.frozen
class Street:
    """One street, in order: hole cards, open cards, discards, board cards, betting."""

    name: str
    hole: int = 0
    """cards dealt face down to each live seat"""
    board: int = 0
    """cards dealt to each board"""
    bet_units: int = 1
    """fixed limit: the size of a bet on this street, in small bets"""
    up: int = 0
    """cards dealt face up to each live seat, after those face down"""
    draw: int = 0
    """the most cards a seat may throw away for new ones, before the board and the betting"""
    throw: int = 0
    """cards each seat must throw away without replacement, before the board and the betting"""
    first: First = First.POSITION


@attrs.frozen
class Share:
    """A part of the pot, won by the best hand in `ranking`. The pot is split equally by board, then by share."""

    name: str
    ranking: Ranking

    @property
    def qualifier(self) -> bool:
        """Whether a hand of strength 0 does not qualify for this share."""
        return self.ranking.qualifier


@attrs.frozen
class _Checked:
    """A user's strength function whose results are checked; a class, so that games can be pickled."""

    game: str = attrs.field(eq=False)
    function: Strengths

    def __call__(self, holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
        found: Any = self.function(holes, board)
        wrong = _wrong_strengths(found, len(holes))
        if wrong is not None:
            raise BadSpec(f"the game {self.game[:40]!r} cannot be played: {wrong}")
        return [int(strength) for strength in found]

    def wrong_with(self, holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> str | None:
        """Return what is wrong with the strengths of these cards; a function that raises will do so again in play."""
        with suppress(Exception):
            return _wrong_strengths(self.function(holes, board), len(holes))
        return None


def _wrong_strengths(found: Any, hands: int) -> str | None:
    """Return what is wrong with `found` as the strengths of `hands` hands; None if nothing is."""
    if not isinstance(found, Collection) or not hasattr(found, "__getitem__") or len(found) != hands:
        wrong: Any = found
    elif not (others := [each for each in found if type(each) is not int and not isinstance(each, Integral)]):
        return None
    else:
        wrong = others[0]
    kind = type(wrong).__name__
    return f"{wrong!r:.40} ({kind}) is not a strength: each of {hands} hands needs a whole number (int)"


@attrs.frozen
class Game:
    """A poker variant for 2 to `max_seats` seats, dealt without burn cards (they change no odds).

    Raise `BadSpec` for a definition that cannot be played.
    """

    name: str
    title: str
    streets: tuple[Street, ...]
    betting: Betting
    strengths: Strengths = attrs.field(repr=False)
    """ranks the hands for the first share"""
    pack: tuple[Card, ...] = attrs.field(default=STANDARD_DECK, repr=False)
    bets_per_street: int = 0
    """cap on bets and raises per street, the big blind counted as one; 0 for none"""
    free_raise: bool = False
    """whether a raise may be as small as the minimum bet, whatever the previous raise was"""
    raise_again: bool = True
    """whether a seat that has acted on a street may raise again on it"""
    capped: bool = False
    """whether bets are limited to what the opponent with the largest stack can call"""
    max_seats: int = MOST_SEATS
    stakes: Stakes = attrs.field(factory=Stakes)
    """the default stakes"""
    stack: int = 0
    """the default starting stack, in chips; 0 for 100 big blinds"""
    words: Words = attrs.field(default=_described, repr=False)
    shares: tuple[Share, ...] = attrs.field(default=(), repr=False)
    """the shares of the pot, high first; empty if the pot is one share ranked by `strengths`"""
    boards: int = 1
    open_face: bool = False
    """whether cards are laid in three rows and scored by points, without bets; the last street is fantasy land"""
    code: str = ""
    """the variant code of the Poker Hand History format"""
    aliases: tuple[str, ...] = ()

    hole_cards: int = attrs.field(init=False, eq=False, repr=False)
    """cards a seat holds at the end of the hand"""
    board_cards: int = attrs.field(init=False, eq=False, repr=False)
    """cards on a complete board"""
    draws: bool = attrs.field(init=False, eq=False, repr=False)
    """whether the pack may be reshuffled during a hand, for a draw or a further open-face deal"""
    plain: bool = attrs.field(init=False, eq=False, repr=False)
    """whether the game is only hole cards, one board, one share and betting by position: no `Extra` is needed"""
    brings_in: bool = attrs.field(init=False, eq=False, repr=False)
    """whether the game opens with a bring-in instead of blinds"""

    @hole_cards.default
    def _count_hole(self) -> int:
        return sum(street.hole + street.up - street.throw for street in self.streets)

    @board_cards.default
    def _count_board(self) -> int:
        return sum(street.board for street in self.streets)

    @draws.default
    def _any_draw(self) -> bool:
        return self.open_face or any(street.draw for street in self.streets)

    @brings_in.default
    def _begins_with_a_bring_in(self) -> bool:
        return bool(self.streets) and self.streets[0].first.brings_in

    @plain.default
    def _is_plain(self) -> bool:
        special = [street.up or street.draw or street.throw for street in self.streets]
        return (
            self.boards == 1
            and not self.open_face
            and len(self.shares) < 2
            and not any(special)
            and not any(street.board for street in self.streets[:1])
        )

    def claims(
        self, live: Sequence[int], holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]
    ) -> tuple[Claim, ...]:
        """Return the claims on each share of a board by the `live` seats, which hold `holes` in the same order."""
        if not self.shares:
            return (Claim("", dict(zip(live, self.strengths(holes, board), strict=True))),)
        return tuple(
            [
                Claim(
                    share.name,
                    dict(zip(live, share.ranking.strengths(holes, board), strict=True)),
                    share.qualifier,
                )
                for share in self.shares
            ]
        )

    def __attrs_post_init__(self) -> None:
        for problem in _problems(self):
            raise BadSpec(f"the game {str(self.name)[:40]!r} cannot be played: {problem}")
        shares = tuple([_with_checks(self.name, share) for share in self.shares])
        object.__setattr__(self, "shares", shares)
        first = shares[0].ranking.strengths if shares else _checked(self.name, self.strengths)
        object.__setattr__(self, "strengths", first)
        for problem in _strength_problems(self):
            raise BadSpec(f"the game {self.name[:40]!r} cannot be played: {problem}")

    @property
    def most_cards(self) -> int:
        """The most cards a full table can need, not counting draws."""
        held = sum(street.hole + street.up for street in self.streets)
        return held * self.max_seats + self.board_cards * self.boards

    def words_of(self, claims: Sequence[Claim], seat: int, hole: tuple[Card, ...], share: str = "") -> str:
        """Return the words for the hand of `seat` at showdown; in a split-pot game, for each half it qualifies for.

        With `share`, return the words for that half only.
        """
        if len(claims) == 1:
            return self.words(claims[0].strengths[seat], hole)
        halves = [
            half.ranking.words(claim.strengths[seat])
            for half, claim in zip(self.shares, claims, strict=True)
            if claim.strengths[seat] and share in ("", claim.name)
        ]
        return "; ".join(halves)

    def stakes_like(self, stakes: Stakes) -> Stakes:
        """Convert `stakes` to the form of this game: blinds, or antes with or without a bring-in.

        The minimum bet is kept as the big blind; antes and bring-in are scaled from the game's default stakes.
        """
        own, unit = self.stakes, stakes.min_bet
        if self.open_face:
            return Stakes(0, 0, min_bet=unit)
        if own.big_blind:
            return stakes if stakes.big_blind else Stakes(unit // 2, unit)
        if not stakes.big_blind and bool(stakes.bring_in) == self.brings_in:
            return stakes
        ante = max(unit * own.ante // own.min_bet, 1)
        bring_in = max(unit * own.bring_in // own.min_bet, 1) if self.brings_in else 0
        return Stakes(0, 0, ante=ante, bring_in=bring_in, min_bet=unit)

    def cards_needed(self, seats: int, there: int, *, boards: int = 1, runs: int = 1) -> int:
        """Return how many cards a hand of `seats` seats takes from a deck of `there` cards.

        A game with draws takes them all, since they may be reshuffled. In stud, if the deck is short, the last
        card is dealt to the board for all (TDA 2024, RP-10-H). A board is run only as often as there are
        cards for.
        """
        if self.draws:
            return there
        dealt = sum([street.hole + street.up for street in self.streets])
        shared = self.board_cards * max(self.boards, boards)
        need = dealt * seats + shared
        most = min(need + (runs - 1) * shared, there)
        return most if self.brings_in else max(need, most)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle a user's game as a reference to its file: another process cannot import its functions by name."""
        place = place_of(self)
        return super().__reduce_ex__(protocol) if place is None else (_from_file, place)

    def __str__(self) -> str:
        return self.name


def _checked(game: str, strengths: Strengths, *, own: bool = False) -> Strengths:
    """Return `strengths` with its results checked; a built-in function is returned as it is, for speed."""
    if isinstance(strengths, _Checked):
        strengths = strengths.function
    of_house = getattr(strengths, "__module__", "").startswith("poker_actors.")
    return strengths if of_house and not own else _Checked(game, strengths)


def _with_checks(game: str, share: Share) -> Share:
    ranking = share.ranking
    strengths = _checked(game, ranking.strengths, own=ranking.worth is not None)
    if strengths is ranking.strengths:
        return share
    return attrs.evolve(share, ranking=attrs.evolve(ranking, strengths=strengths))


def _strength_problems(game: Game) -> Iterator[str]:
    """Yield what is wrong with the strengths that a user's functions give to the first cards of the pack."""
    held, pack = game.hole_cards, game.pack
    for strengths in (game.strengths, *[share.ranking.strengths for share in game.shares[1:]]):
        wrong = None
        if isinstance(strengths, _Checked):
            holes, board = [pack[:held], pack[held : 2 * held]], pack[2 * held :][: game.board_cards]
            wrong = strengths.wrong_with(holes, board)
        if wrong is not None:
            yield wrong


def _from_file(source: Source, name: str) -> Game:
    with guarded(source.path):
        game: Game = vars(run_source(source))[name]
    return game


def _problems(game: Game) -> Iterator[str]:
    """Yield each reason why `game` cannot be played."""
    if not game.name:
        yield "it has no name"
    if not game.streets:
        yield "it has no street"
        return
    if not 2 <= game.max_seats <= MOST_SEATS:
        yield f"max_seats is {game.max_seats}: a table has 2 to {MOST_SEATS}"
    for street in game.streets:
        yield from _street_problems(street)
    yield from _card_problems(game)
    if game.open_face:
        yield from _row_problems(game)
    if game.boards < 1 or (game.boards > 1 and not game.board_cards):
        yield f"{game.boards} boards of {game.board_cards} cards"
    if game.betting is Betting.FIXED_LIMIT and any(street.bet_units < 1 for street in game.streets):
        yield "a street has bets of 0"
    later = [street.name for street in game.streets[1:] if street.first.brings_in]
    if later:
        yield f"{later[0]} begins with a bring-in, which only the first street can"
    if game.brings_in and not game.streets[0].up:
        yield "no card is face up to say who brings it in"
    yield from _ranking_problems(game)


def _ranking_problems(game: Game) -> Iterator[str]:
    for share in game.shares:
        least, most = share.ranking.board
        if not least <= game.board_cards <= most:
            yield f"the share {share.name!r} needs a board of {least} to {most} cards, not {game.board_cards}"
        least, most = share.ranking.hole
        if not least <= game.hole_cards <= most:
            yield f"the share {share.name!r} takes {least} to {most} hole cards, not {game.hole_cards}"
        least, most = share.ranking.total
        if not least <= game.hole_cards + game.board_cards <= most:
            held = f"{game.hole_cards} hole and {game.board_cards} board cards"
            yield f"the share {share.name!r} takes {least} to {most} cards in all, not {held}"
    if game.strengths in (holdem_strengths, short_deck_strengths) and game.hole_cards != 2:
        yield f"its strengths are those of 2 hole cards, not {game.hole_cards}: leave them to its ranking"
    if game.shares and game.shares[0].ranking.strengths is not game.strengths:
        yield "strengths is not the ranking of its first share"
    if game.shares and game.shares[0].qualifier:
        yield f"it can happen that nobody qualifies for its first share {game.shares[0].name!r}"
    rankings = [share.ranking for share in game.shares]
    rankings += [one for one in RANKINGS.values() if one.strengths is game.strengths]
    unknown = [card for card in game.pack if any(card.rank < one.lowest_rank for one in rankings)]
    if unknown:
        yield f"its pack has {unknown[0]}, but its ranking does not know it"


def _street_problems(street: Street) -> Iterator[str]:
    for name in ("hole", "board", "up", "draw", "throw"):
        count = getattr(street, name)
        if type(count) is not int or count < 0:
            yield f"{name} of {street.name} is {count!r:.20}"
    if street.draw and street.throw:
        yield f"{street.name} both draws and throws away"
    if street.draw > MOST_DISCARDS or street.throw > MOST_DISCARDS:
        yield f"{street.name} throws more than {MOST_DISCARDS} cards away"


def _row_problems(game: Game) -> Iterator[str]:
    if game.hole_cards != 13 or len(game.streets) < 3 or game.streets[-1].hole:
        yield "13 cards are laid in rows, on at least two streets and one without cards, fantasy land"
    if any(street.board or street.up or street.draw for street in game.streets):
        yield "in an open-face game cards are dealt to seats, face down, and laid"


def _card_problems(game: Game) -> Iterator[str]:
    wild = bool(game.shares) and all(share.ranking.jokers for share in game.shares)
    if any(card.is_joker for card in game.pack) and not wild:
        yield "its pack has jokers, but its ranking does not know them"
    if len(set(game.pack)) != len(game.pack):
        yield "its pack has a card twice"
    held = up = 0
    for street in game.streets:
        held += street.hole + street.up
        up += street.up
        if street.first in (First.HIGH_HAND, First.LOW_HAND) and not up:
            yield f"no card is face up to say who acts first on {street.name}"
        if max(street.draw, street.throw) > held:
            yield f"{street.name} throws away more than the {held} cards of a hand"
        held -= street.throw
        if street.draw and any(other.up for other in game.streets):
            yield "open cards cannot be exchanged"
    if held < 1:
        yield "nobody holds a card at the end"
    # too few cards for the last street of stud: one card is dealt to the board instead (TDA 2024, RP-10-H)
    last = game.streets[-1].hole if len(game.streets) > 1 and not game.draws else 0
    need = game.most_cards - (last * game.max_seats - 1 if last else 0)
    need += max([street.draw for street in game.streets])
    if need > len(game.pack):
        yield f"{game.max_seats} seats need {need} cards, but its pack has {len(game.pack)}"
