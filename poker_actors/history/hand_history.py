"""A recorded hand as a value, independent of any format: setup, steps, results, comments."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadHistory, Discrepancy
from poker_actors.frozen import value
from poker_actors.history.unknown import UNKNOWN, is_known, unknowns
from poker_actors.rules import GAMES, Game


class ActionKind(enum.Enum):
    """The kinds of actions; whether a call is a check, or a raise a bet, follows from the hand."""

    FOLD = "f"
    CALL = "cc"
    RAISE = "cbr"
    BRING_IN = "pb"


@value
class Dealt:
    """Cards for one player, including unknown ones; in stud those face down come first."""

    player: int
    cards: tuple[Card, ...]
    comment: str = ""


@value
class BoardDealt:
    """Cards turned onto the board."""

    cards: tuple[Card, ...]
    comment: str = ""


@value
class Discarded:
    """Cards thrown away (in a draw, for as many new ones); none if the player stood pat."""

    player: int
    cards: tuple[Card, ...]
    comment: str = ""


@value
class ActionStep:
    """One action: a fold, a check or call, a bring-in, or a bet or raise to `total` chips in front."""

    player: int
    move: ActionKind
    total: int = 0
    comment: str = ""
    said: int | None = attrs.field(default=None, eq=False)
    """chips it cost, if recorded; 0 is a check"""


@value
class Showed:
    """Hole cards turned up at the end; none if they were mucked."""

    player: int
    cards: tuple[Card, ...]
    comment: str = ""


@value
class Comment:
    """A remark between steps; if empty, a step without effect."""

    comment: str = ""


Step = Dealt | BoardDealt | Discarded | ActionStep | Showed | Comment

RESHUFFLED: Final = "The deck is reshuffled"
"""The remark written when a draw used up the deck."""


@value
class Note:
    """A comment in the file itself, and its place: at a field, or at an item of a list."""

    key: str
    """the field; empty for the end of the hand"""
    item: int
    """the index in the field's list; -1 for the field as a whole"""
    text: str
    own_line: bool
    """whether it is on its own line, before its field or item"""


_UNNAMED: Final[Mapping[int, tuple[Card, ...]]] = MappingProxyType({})


@value
class ToldCards:
    """The cards of a hand, as far as its history names them."""

    holes: tuple[tuple[Card, ...], ...]
    """hole cards at the end of the steps"""
    board: tuple[Card, ...]
    mucked: frozenset[int]
    """players who mucked"""
    deck: tuple[Card, ...] = ()
    """cards in the order dealt, if not all holes and then the board"""
    named: Mapping[int, tuple[Card, ...]] = _UNNAMED
    """step number -> the cards dealt or thrown away there, each unknown card distinct"""


def told_cards(game: Game, size: int, steps: Sequence[Step]) -> ToldCards:
    """Collect all cards of a hand in one pass over its steps.

    Raises `Discrepancy` for cards that cannot have been dealt or thrown away like this.
    """
    if not game.plain:
        return _Dealer(game, size, steps).told()
    holes: list[tuple[Card, ...]] = [()] * size
    board: tuple[Card, ...] = ()
    shows: list[Showed] = []
    for step in steps:
        kind = type(step)
        if kind is ActionStep or kind is Comment:
            continue
        if type(step) is Dealt:
            holes[step.player] += step.cards
        elif type(step) is BoardDealt:
            board += step.cards
        elif type(step) is Showed:
            shows.append(step)
    for show in shows:
        dealt = holes[show.player]
        if show.cards and (not dealt or UNKNOWN in dealt):
            holes[show.player] = _merged(dealt, show.cards)
    if () in holes:
        blank = (UNKNOWN,) * game.hole_cards
        holes = [hole or blank for hole in holes]
    return ToldCards(tuple(holes), board, _mucked(shows))


def take_out(game: Game, cards: Sequence[Card], out: set[Card]) -> None:
    """Add cards to those that are out of the pack; raise `Discrepancy` for one that is out already, or never was in it."""
    for card in cards:
        if card in out:
            raise Discrepancy(f"{card} is dealt twice")
        if card not in game.pack:
            raise Discrepancy(f"{card} is not in the pack of {game.title}")
        out.add(card)


def _mucked(shows: Sequence[Showed]) -> frozenset[int]:
    """Return the players who mucked and did not show their cards after all."""
    return frozenset([show.player for show in shows if not show.cards]) - {
        show.player for show in shows if show.cards
    }


def _merged(dealt: tuple[Card, ...], shown: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards dealt or those shown, whichever name more."""
    if UNKNOWN not in shown or not dealt:
        return shown
    return dealt if sum(card is UNKNOWN for card in dealt) <= shown.count(UNKNOWN) else shown


class _Dealer:
    """Deals games whose cards come on several streets, lie open or are exchanged, step by step.

    Each unknown card is numbered, and gets its name once the player throws it away or shows it.
    """

    def __init__(self, game: Game, size: int, steps: Sequence[Step]) -> None:
        self.game = game
        self.steps = steps
        self.blanks = unknowns()
        self.hands: list[list[Card]] = [[] for _ in range(size)]
        self.board: list[Card] = []
        self.deck: list[Card] = []
        self.named: dict[int, tuple[Card, ...]] = {}
        self.names: dict[Card, Card] = {}
        self.out: set[Card] = set()
        """named cards in hands or on the board, which cannot be dealt again"""
        self.round: list[tuple[int, tuple[Card, ...]]] = []
        """players and the cards they were dealt since the last turn"""
        self.started = False

    def told(self) -> ToldCards:
        for number, step in enumerate(self.steps):
            if type(step) is Dealt:
                self._deal(number, step)
            elif type(step) is BoardDealt or type(step) is Discarded or type(step) is ActionStep:
                self._end_round()
                self._play(number, step)
        self._end_round()
        shows = [step for step in self.steps if type(step) is Showed]
        for show in shows:
            self._name_shown(self.hands[show.player], show.cards)
        self._fill_deck()
        return ToldCards(
            tuple([self._renamed(hand) for hand in self.hands]),
            self._renamed(self.board),
            _mucked(shows),
            self._renamed(self.deck),
            {number: self._renamed(cards) for number, cards in self.named.items()},
        )

    def _renamed(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple([self.names.get(card, card) for card in cards])

    def _numbered(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Number the unknown cards; raise `Discrepancy` if another cannot be dealt."""
        take_out(self.game, [card for card in cards if card is not UNKNOWN], self.out)
        return tuple([next(self.blanks) if card is UNKNOWN else card for card in cards])

    def _deal(self, number: int, step: Dealt) -> None:
        if self.started and any(player == step.player for player, _ in self.round):
            self._end_round()  # the next street of players who are all-in
        cards = self.named[number] = self._numbered(step.cards)
        self.hands[step.player] += cards
        self.round.append((step.player, cards))

    def _end_round(self) -> None:
        """Append the cards dealt since the last turn to the deck, in the order of players, as the rules deal."""
        if not self.started:
            self._deal_unnamed()
        self.started = True
        for _, cards in sorted(self.round, key=lambda dealt: dealt[0]):
            self.deck += cards
        self.round = []

    def _deal_unnamed(self) -> None:
        """Deal unknown first cards to players without recorded ones; check the number of the others."""
        first = self.game.streets[0]
        for player, hand in enumerate(self.hands):
            if not hand:
                hand += self._numbered((UNKNOWN,) * (first.hole + first.up))
                self.round.append((player, tuple(hand)))
            elif len(hand) != first.hole + first.up:
                count = f"{len(hand)} cards before the first action"
                raise Discrepancy(
                    f"p{player + 1} is dealt {count}: {self.game.title} deals {first.hole + first.up}"
                )

    def _play(self, number: int, step: BoardDealt | Discarded | ActionStep) -> None:
        if type(step) is BoardDealt:
            cards = self._numbered(step.cards)
            self.board += cards
            self.deck += cards
        elif type(step) is Discarded:
            gone = tuple([self._thrown(step.player, card) for card in step.cards])
            self.named[number] = gone
            self.out.difference_update(gone if self.game.draws else ())
        elif type(step) is ActionStep and step.move is ActionKind.FOLD and self.game.draws:
            self.out.difference_update(self.hands[step.player])

    def _thrown(self, player: int, card: Card) -> Card:
        """Take a card out of a hand; a named card that is not in it takes the place of an unknown one."""
        hand = self.hands[player]
        if card in hand:
            hand.remove(card)
            return card
        blank = next((held for held in hand if not is_known([held])), None)
        if blank is None:
            which = "an unnamed card" if card is UNKNOWN else f"{card}"
            raise Discrepancy(f"p{player + 1} throws {which} away but holds {' '.join(map(str, hand))}")
        hand.remove(blank)
        if card is not UNKNOWN:
            self.names[blank] = card
        return blank

    def _name_shown(self, hand: Sequence[Card], shown: Sequence[Card]) -> None:
        held = self._renamed(hand)
        blanks = [card for card in held if not is_known([card])]
        new = [card for card in shown if card is not UNKNOWN and card not in held]
        if len(new) <= len(blanks):
            self.names.update(zip(blanks, new, strict=False))

    def _fill_deck(self) -> None:
        """Add unknown cards for the rest of the deck, except where stud's last card was dealt to the board."""
        game = self.game
        if len(self.board) > game.board_cards:
            return
        each = sum([street.hole + street.up + street.draw for street in game.streets])
        missing = each * len(self.hands) + game.board_cards - len(self.deck)
        self.deck += self._numbered([UNKNOWN] * max(missing, 0))


VARIANTS: Final[Mapping[str, Game]] = MappingProxyType(
    {game.code: game for game in GAMES.values() if game.code}
)
"""The games of the Poker Hand History standard, by their codes there."""

RECORDED: Final[Mapping[str, Game]] = MappingProxyType(
    {game.name: game for game in GAMES.values() if game.boards == 1 and not (game.capped or game.open_face)}
)
"""The games with hand histories, by our names: none with two boards, open-face or capped bets."""


_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


@attrs.frozen
class HandHistory:
    """One recorded hand; `replay` checks it against the rules.

    Players are in the order of their turns on the later streets: the first sits left of the
    button, the last has it (heads-up the last is the small blind). Sequences are by player, amounts in
    chips. `scale` is the number of chips in one unit of the record (100 for dollars and cents).
    `fields` holds further facts under the names of the Poker Hand History standard (`hand`,
    `table`, `year`, `currency`, ...).
    """

    game: Game
    stacks: tuple[int, ...]
    """stacks before any post"""
    blinds: tuple[int, ...]
    """blinds and straddles; a negative amount is a newcomer's blind, which does not change the order of play"""
    min_bet: int
    """the smallest bet; in fixed-limit games the bet of the first two streets"""
    steps: tuple[Step, ...]
    antes: tuple[int, ...] = ()
    """empty for none"""
    trimmed_antes: bool = False
    """whether a player all-in for less than the ante can win only that much of each other ante"""
    players: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    """seat numbers at the table, from 0"""
    finishing: tuple[int, ...] | None = None
    """stacks at the end of the steps, as recorded"""
    winnings: tuple[int, ...] | None = None
    """chips collected from pots, after rake, as recorded"""
    rake: int | None = None
    scale: int = 1
    fields: Mapping[str, object] = _NOTHING
    notes: tuple[Note, ...] = ()
    bring_in: int = 0
    """the bring-in in stud; 0 if blinds begin the hand"""
    dead_small: int = 0
    """pot limit: a small blind not posted, as its player was gone; it counts towards the largest raise"""
    run_again: tuple[tuple[Card, ...], ...] = ()
    """if the rest of the board was run more than once: the cards of each further run; those of the first are steps"""

    @property
    def size(self) -> int:
        """The number of players dealt in."""
        return len(self.stacks)

    @property
    def variant(self) -> str:
        """The code of the game in the Poker Hand History standard; raises `BadHistory` if there is none."""
        if VARIANTS.get(self.game.code) is not self.game:
            raise BadHistory(f"the Poker Hand History standard has no name for {self.game.title}")
        return self.game.code

    @property
    def hand_id(self) -> str:
        """The number or name of the hand; empty if none was recorded."""
        return str(self.fields.get("hand", ""))

    @property
    def turns(self) -> Iterator[ActionStep]:
        """The actions, in order."""
        return (step for step in self.steps if type(step) is ActionStep)

    @property
    def board(self) -> tuple[Card, ...]:
        """The board as far as it was dealt."""
        return self.told_cards().board

    @property
    def boards(self) -> tuple[tuple[Card, ...], ...]:
        """The board of each run, as far as it was dealt; one, unless the board was run more than once."""
        board = self.board
        return (board, *((*board[: len(board) - len(cards)], *cards) for cards in self.run_again))

    @property
    def holes(self) -> tuple[tuple[Card, ...], ...]:
        """Hole cards by player at the end, as dealt or shown; `UNKNOWN` for unrecorded cards."""
        holes = self.told_cards().holes
        if self.game.plain:
            return holes
        return tuple([tuple([card if is_known([card]) else UNKNOWN for card in hole]) for hole in holes])

    def told_cards(self) -> ToldCards:
        """Collect all cards of the hand in one pass over the steps; see `told_cards` in `dealing`."""
        return told_cards(self.game, len(self.stacks), self.steps)

    def seen_by(self, player: int) -> HandHistory:
        """Return the hand as a player saw it: others' face-down cards and discards become unknown.

        Cards they showed stay in the steps that show them.
        """
        deals = [0] * len(self.stacks)
        steps: list[Step] = []
        for step in self.steps:
            if type(step) is Dealt:
                streets = self.game.streets
                up = streets[min(deals[step.player], len(streets) - 1)].up
                deals[step.player] += 1
                hidden = len(step.cards) - up
                if step.player != player:
                    step = attrs.evolve(step, cards=(UNKNOWN,) * hidden + step.cards[hidden:])
            elif type(step) is Discarded and step.player != player:
                step = attrs.evolve(step, cards=(UNKNOWN,) * len(step.cards))
            steps.append(step)
        return attrs.evolve(self, steps=tuple(steps))

    def name(self, player: int) -> str:
        """Return a player's name in the record; `p1` for the first if it has none."""
        return (self.players[player] if self.players else "") or f"p{player + 1}"
