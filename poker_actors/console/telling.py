"""Narrate a hand to the person playing it, line by line, with only the cards that seat may see."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final

from poker_actors.actors import HandResult, HandState
from poker_actors.cards import RANKS, Card
from poker_actors.console.setup import PERSON, Setup
from poker_actors.evaluator import describe
from poker_actors.rules import Event, Hand, PublicState, event, state_text


def cards_text(setup: Setup, cards: Sequence[Card]) -> str:
    """Return cards as text: `As Td`, or ranks alone where suits do not count: `A 10`."""
    if setup.suits:
        return " ".join(map(str, cards))
    return " ".join(RANKS[card.rank].replace("T", "10") for card in cards)


def boards_text(setup: Setup, boards: Sequence[Sequence[Card]]) -> str:
    """Return boards as text, ` / ` between them: `4s 9s 7c / Kd 2c 2h`."""
    return " / ".join(cards_text(setup, board) for board in boards)


def amount(chips: int, setup: Setup) -> str:
    """Return an amount with its unit: `1 credit`, `12 credits`."""
    unit = setup.money.removesuffix("s") if chips == 1 else setup.money
    return f"{chips} {unit}"


def showdown_seats(setup: Setup, hand: Hand) -> tuple[int, ...]:
    """Return the seats whose cards everybody sees at the end; in the five-card game, both."""
    if hand.strengths is None:
        return ()
    if not setup.suits:
        return tuple(hand.live)
    return tuple(seat for seat, _ in hand.public().shown)


def words_shown(setup: Setup, hand: Hand, seat: int) -> str:
    """Return a hand of the showdown in words, for each board."""
    return " / ".join(setup.game.words_of(claims, seat, hand.holes[seat]) for claims in hand.claims)


def winners_of(hand: Hand) -> list[int]:
    """Return the seats with the best live hand, or the only live seat if there was no showdown."""
    if hand.strengths is None:
        return [hand.live[0]]
    if len(hand.boards) > 1:
        return sorted(hand.public().won)
    best = max(hand.strengths)
    return [seat for seat, strength in zip(hand.live, hand.strengths, strict=True) if strength == best]


class Teller:
    """Turns the states and results that the person receives into lines, without repeating anything."""

    def __init__(self, setup: Setup) -> None:
        self.setup: Final = setup
        self.begin()

    def begin(self) -> None:
        """Forget the last hand; call it before each deal."""
        self._hole: tuple[Card, ...] = ()
        self._actions = 0
        self._street = -1
        self._scored = 0

    def tell(self, heard: Sequence[HandState]) -> list[str]:
        """Return the lines for the news of a hand in progress."""
        lines: list[str] = []
        for state in heard:
            public = state.public
            if public.over:
                continue  # `finish` tells the end, with the shown cards
            if self._street < 0:
                self._street = 0
                lines += self._opening(state)
            lines += [*self._taken(public), *self._drawn(state)]
            if public.dealt.street > self._street:
                self._street = public.dealt.street
                lines.append(self._street_line(state))
            lines += [*self._scores(public), *self._turn_rows(state)]
        return lines

    # -- open-face games: everybody's rows at the person's turn, and the result of each deal --

    def _turn_rows(self, state: HandState) -> list[str]:
        """Return everybody's rows and the cards the person has to lay; nothing if it is not the person's turn."""
        layout, lines = state.public.layout, list[str]()
        if layout is None or state.public.active != state.seat:
            return lines
        for seat in state.public.live:
            if seat in layout.fantasy:
                lines.append(f"{self.setup.names[seat]}: in fantasy land, face down.")
            elif any(layout.rows[seat]):
                lines.append(f"{self.setup.names[seat]}: {self._rows(layout.rows[seat])}.")
        return [*lines, f"Dealt to you: {cards_text(self.setup, state.hole)}."]

    def _scores(self, public: PublicState) -> list[str]:
        """Return the results of the deals that have finished since the last call."""
        layout, names, lines = public.layout, self.setup.names, list[str]()
        if layout is None or len(layout.scored) == self._scored:
            return lines
        for deal in layout.scored[self._scored :]:
            for seat in [seat for seat in public.live if any(deal.rows[seat])]:
                won = f"{deal.points[seat]:+} points, {deal.chips[seat]:+} {self.setup.money}"
                lines.append(f"{names[seat]}: {self._rows(deal.rows[seat])}: {won}.")
        self._scored = len(layout.scored)
        if not public.over:  # only a fantasy land makes another deal
            lines.append(f"In fantasy land: {', '.join(names[seat] for seat in layout.fantasy)}.")
        return lines

    def _rows(self, rows: Sequence[Sequence[Card]]) -> str:
        return " / ".join(cards_text(self.setup, row) or "-" for row in rows)

    # -- a hand in progress -----------------------------------------------------------------

    def _opening(self, state: HandState) -> list[str]:
        setup, public = self.setup, state.public
        if not setup.suits:
            first, third = cards_text(setup, state.hole[:2]), cards_text(setup, state.hole[2:])
            return [f"You are dealt {first}, and then {third}."]
        lines = [f"{event.told(setup.names[public.setup.button], 'has the button')}."]
        if public.layout is not None:
            return lines
        told = [(name, chips) for name, chips in zip(setup.names, public.bets, strict=True) if chips]
        posts = ", ".join(event.told(name, f"posts {chips}") for name, chips in told)
        lines += [f"{posts}."] if posts else []
        lines.append(f"You are dealt {cards_text(setup, state.hole)}.")
        # a bomb pot begins on the flop, and stud with open cards
        return [*lines, self._table(public)] if public.board or any(public.open) else lines

    def _table(self, public: PublicState) -> str:
        """Return what lies on the table: the street, its board, the pot, and everybody's open cards."""
        names = [name.lower() if name == PERSON else name for name in self.setup.names]
        return f"{state_text(public, names, turn=False)}."

    def _taken(self, public: PublicState) -> list[str]:
        lines = []
        for taken in list(public.log)[self._actions :]:
            all_in = bool(taken.paid and not public.chips_behind[taken.seat])
            words = event.action_words(taken.action, taken.paid, all_in=all_in)
            lines.append(f"{event.told(self.setup.names[taken.seat], words)}.")
        self._actions = public.seq
        return lines

    def _drawn(self, state: HandState) -> list[str]:
        """Return a line with the cards drawn and held, if the person has just changed some."""
        before, self._hole = self._hole, state.hole
        if state.public.layout is not None or state.hole == before or len(state.hole) > len(before):
            return []
        new = [card for card in state.hole if card not in before]
        drawn = f"You draw {cards_text(self.setup, new)} and hold" if new else "You hold"
        return [f"{drawn} {cards_text(self.setup, state.hole)}."]

    def _street_line(self, state: HandState) -> str:
        public, held = state.public, cards_text(self.setup, state.hole)
        if not self.setup.suits:
            return f"You get {cards_text(self.setup, state.hole[-1:])} and hold {held}. Pot {public.pot}."
        if public.layout is not None:
            return f"{public.phase.capitalize()}."
        own = not self.setup.game.board_cards and state.seat in public.live
        return f"{self._table(public)}{f' You hold {held}.' if own else ''}"

    # -- the end ----------------------------------------------------------------------------

    def finish(self, result: HandResult) -> list[str]:
        """Return the lines for the end of a hand, with the cards that are shown."""
        hand = result.hand
        if hand is None:
            return ["This hand is void: all stacks are what they were."]
        if self.setup.game.open_face:
            return [*self._taken(hand.public()), *self._scores(hand.public())]
        lines = []
        if self._street < 0:
            # nobody could act, as blinds and antes put everybody all-in: no state has told the cards yet
            self._street = 0
            lines.append(f"You are dealt {cards_text(self.setup, hand.holes[self.setup.seat])}.")
        untold = self._untold(hand)
        awards = [news for news in untold if isinstance(news, event.Awarded)]
        to_come = sum(isinstance(news, event.StreetDealt) for news in untold) if hand.board else 0
        for news in untold:
            if isinstance(news, event.Shown) and to_come:  # described with the last card
                lines.append(f"{self._shows(news.seat, hand)}.")
                continue
            lines += self._end_line(news, hand)
            to_come -= isinstance(news, event.StreetDealt)
            if isinstance(news, event.StreetDealt) and not to_come:
                has = [event.told(self.setup.names[seat], "has") for seat in hand.live]
                lines += [
                    f"{who}: {self._words(seat, hand)}." for who, seat in zip(has, hand.live, strict=True)
                ]
        return [*lines, *self._awards(awards, hand)]

    def _awards(self, awards: Sequence[event.Awarded], hand: Hand) -> list[str]:
        """Return who wins how much, pot by pot, with one line for a split pot."""
        setup = self.setup
        if not sum(award.amount for award in awards):
            winners = winners_of(hand)
            if len(winners) > 1:
                return ["Equal hands; the pot is empty."]
            return [f"{event.told(setup.names[winners[0]], 'wins')}; the pot is empty."]
        lines = []
        parts: dict[tuple[int, int], list[event.Awarded]] = {}
        for award in awards:
            # by board only where the boards of a pot have different winners
            takers = {other.seat for other in awards if other.pot == award.pot}
            parts.setdefault((award.pot, award.board if len(takers) > 1 else -1), []).append(award)
        for (pot, board), shares in sorted(parts.items()):
            which = f"side pot {pot}" if pot else "the pot"
            if len(hand.boards) > 1 and board >= 0:
                which = f"board {board + 1} of {which}"
            if len({share.seat for share in shares}) == 1:
                total = amount(sum(share.amount for share in shares), setup)
                won = event.told(setup.names[shares[0].seat], f"wins {total}")
                lines.append(f"{won}{'' if which == 'the pot' else f' from {which}'}.")
            else:
                taken = [event.told(setup.names[share.seat], f"takes {share.amount}") for share in shares]
                said = ", ".join(taken).replace(f", {PERSON} ", f", {PERSON.lower()} ")
                halves = {share.share for share in shares} - {""}
                split = "The halves of" if len(halves) > 1 else "Equal hands split"
                lines.append(f"{split} {which}: {said}.")
        return lines

    def _untold(self, hand: Hand) -> list[Event]:
        """Return the events of the hand but the actions and streets that `tell` has covered."""
        acted = count(1)
        return [
            news
            for news in hand.events()
            if not (
                (isinstance(news, event.Acted) and next(acted) <= self._actions)
                or (isinstance(news, event.StreetDealt) and _place(self.setup, news.street) <= self._street)
            )
        ]

    def _end_line(self, news: Event, hand: Hand) -> list[str]:
        setup, names = self.setup, self.setup.names
        match news:
            case event.Acted(seat):
                return [f"{event.told(names[seat], news.words())}."]
            case event.StreetDealt(street) if setup.game.board_cards:
                dealt = sum(each.board for each in setup.game.streets[: _place(setup, street) + 1])
                boards = [board[:dealt] for board in hand.boards]
                return [f"{street.capitalize()} {boards_text(setup, boards)}."]
            case event.UncalledReturned(seat, chips):
                return [f"{event.told(names[seat], f'takes {chips} back, uncalled')}."]
            case event.Mucked(seat) if seat not in showdown_seats(setup, hand):
                return [f"{event.told(names[seat], 'mucks')}."]
            case event.Shown(seat) | event.Mucked(seat):
                words = "" if hand.strengths is None else f": {self._words(seat, hand)}"
                return [f"{self._shows(seat, hand)}{words}."]
            case _:
                return []

    def _shows(self, seat: int, hand: Hand) -> str:
        return event.told(self.setup.names[seat], f"shows {cards_text(self.setup, hand.holes[seat])}")

    def _words(self, seat: int, hand: Hand) -> str:
        """Return the hand in words, with kickers if only they distinguish it from another hand shown."""
        words = words_shown(self.setup, hand, seat)
        assert hand.strengths is not None
        if len(hand.boards) > 1 or len(hand.claims[0]) > 1:
            return words
        strengths = dict(zip(hand.live, hand.strengths, strict=True))
        alike = any(
            strengths[other] != strengths[seat] and words_shown(self.setup, hand, other) == words
            for other in showdown_seats(self.setup, hand)
        )
        return describe(strengths[seat], kickers=True) if alike else words


def _place(setup: Setup, street: str) -> int:
    return [each.name for each in setup.game.streets].index(street)
