"""Narrate a hand to the person playing it, line by line, with only the cards that seat may see."""

from __future__ import annotations

from collections.abc import Sequence
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


def winners_of(hand: Hand) -> list[int]:
    """Return the seats with the best live hand, or the only live seat if there was no showdown."""
    if hand.strengths is None:
        return [hand.live[0]]
    if len(hand.boards) > 1:
        return sorted(
            {news.seat for news in hand.events() if isinstance(news, event.Awarded) and news.amount}
        )
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
            if state.public.over:
                continue  # `finish` tells the end, with the shown cards
            if self._street < 0:
                lines += self._opening(state)
            lines += self._taken(state.public)
            lines += self._drawn(state)
            if state.public.dealt.street > self._street:
                self._street = state.public.dealt.street
                lines += self._street_line(state)
            lines += [*self._scores(state.public), *self._turn_rows(state)]
        return lines

    # -- open-face games: everybody's rows at the person's turn, and the result of each deal --

    def _turn_rows(self, state: HandState) -> list[str]:
        """Return everybody's rows and the cards the person has to lay; nothing if it is not the person's turn."""
        layout, lines = state.public.layout, list[str]()
        if layout is None or state.public.active != state.seat:
            return lines
        for seat in state.public.live:
            name = self.setup.names[seat]
            if seat in layout.fantasy:
                lines.append(f"{name}: in fantasy land, face down.")
            elif any(layout.rows[seat]):
                lines.append(f"{name}: {self._rows(layout.rows[seat])}.")
        return [*lines, f"Dealt to you: {cards_text(self.setup, state.hole)}."]

    def _scores(self, public: PublicState) -> list[str]:
        """Return the results of the deals that have finished since the last call."""
        layout, names, lines = public.layout, self.setup.names, list[str]()
        if layout is None or len(layout.scored) == self._scored:
            return lines
        for deal in layout.scored[self._scored :]:
            for seat in public.live:
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
        self._street = 0
        setup, public = self.setup, state.public
        posts = [
            event.told(setup.names[seat], f"posts {chips}") for seat, chips in enumerate(public.bets) if chips
        ]
        lines = [f"{', '.join(posts)}."] if posts else []
        cards = cards_text(setup, state.hole)
        if not setup.suits:
            first, third = cards_text(setup, state.hole[:2]), cards_text(setup, state.hole[2:])
            return [f"You are dealt {first}, and then {third}."]
        button = event.told(setup.names[public.setup.button], "has the button")
        if public.layout is not None:
            return [f"{button}."]
        lines = [f"{button}.", *lines, f"You are dealt {cards}."]
        # a bomb pot begins on the flop, and stud with open cards
        return [*lines, self._table(public)] if public.board or any(public.open) else lines

    def _table(self, public: PublicState) -> str:
        """Return what lies on the table: the street, its board, the pot, and everybody's open cards."""
        names = [name.lower() if name == PERSON else name for name in self.setup.names]
        return f"{state_text(public, names, turn=False)}."

    def _taken(self, public: PublicState) -> list[str]:
        lines = []
        for taken in list(public.log)[self._actions :]:
            paid = taken.paid
            all_in = bool(paid and not public.chips_behind[taken.seat])
            words = event.action_words(taken.action, paid, all_in=all_in)
            lines.append(f"{event.told(self.setup.names[taken.seat], words)}.")
        self._actions = public.seq
        return lines

    def _drawn(self, state: HandState) -> list[str]:
        """Return a line with the cards drawn and held, if the person has just changed some."""
        before, self._hole = self._hole, state.hole
        changed = state.public.layout is None and self._hole != before and len(self._hole) <= len(before)
        if not changed:
            return []
        new = [card for card in state.hole if card not in before]
        drawn = f"You draw {cards_text(self.setup, new)} and hold" if new else "You hold"
        return [f"{drawn} {cards_text(self.setup, state.hole)}."]

    def _street_line(self, state: HandState) -> list[str]:
        public = state.public
        held = cards_text(self.setup, state.hole)
        if not self.setup.suits:
            new = cards_text(self.setup, state.hole[-1:])
            return [f"You get {new} and hold {held}. Pot {public.pot}."]
        if public.layout is not None:
            return [f"{public.phase.capitalize()}."]
        own = not self.setup.game.board_cards and state.seat in public.live
        return [f"{self._table(public)}{f' You hold {held}.' if own else ''}"]

    # -- the end ----------------------------------------------------------------------------

    def finish(self, result: HandResult) -> list[str]:
        """Return the lines for the end of a hand, with the cards that are shown."""
        hand = result.hand
        if hand is None:
            return ["This hand is void: everybody has what it began with."]
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
            match news:
                case event.Shown(seat, _) if to_come:
                    lines.append(f"{self._shows(seat, hand)}.")
                case event.StreetDealt():
                    to_come -= 1
                    lines += self._end_line(news, hand)
                    lines += [] if to_come else [self._has(seat, hand) for seat in hand.live]
                case _:
                    lines += self._end_line(news, hand)
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
        # by board only where the boards of a pot have different winners
        takers = {
            pot: {award.seat for award in awards if award.pot == pot} for pot in {one.pot for one in awards}
        }
        by_board = [(one.pot, one.board if len(takers[one.pot]) > 1 else 0) for one in awards]
        for number, board in sorted(set(by_board)):
            shares = [award for award, at in zip(awards, by_board, strict=True) if at == (number, board)]
            which = f"side pot {number}" if number else "the pot"
            named = bool(number)
            if len(hand.boards) > 1 and len(takers[number]) > 1:
                which, named = f"board {board + 1} of {which}", True
            if len({share.seat for share in shares}) == 1:
                total = sum(share.amount for share in shares)
                won = event.told(setup.names[shares[0].seat], f"wins {amount(total, setup)}")
                lines.append(f"{won}{f' from {which}' if named else ''}.")
            else:
                taken = [event.told(setup.names[share.seat], f"takes {share.amount}") for share in shares]
                said = ", ".join(taken).replace(f", {PERSON} ", f", {PERSON.lower()} ")
                halves = {share.share for share in shares} - {""}
                split = "The halves of" if len(halves) > 1 else "Equal hands split"
                lines.append(f"{split} {which}: {said}.")
        return lines

    def _untold(self, hand: Hand) -> list[Event]:
        """Return the events of the hand that `tell` has not covered."""
        taken = 0
        untold: list[Event] = []
        for news in hand.events():
            match news:
                case event.Acted():
                    taken += 1
                    known = taken <= self._actions
                case event.StreetDealt(street):
                    known = _place(self.setup, street) <= self._street
                case event.HandStarted() | event.Posted() | event.HoleDealt():
                    known = True
                case _:
                    known = False
            if not known:
                untold.append(news)
        return untold

    def _end_line(self, news: Event, hand: Hand) -> list[str]:
        setup = self.setup
        names = setup.names
        match news:
            case event.Acted(seat):
                return [f"{event.told(names[seat], news.words())}."]
            case event.StreetDealt(street) if setup.game.board_cards:
                dealt = sum(each.board for each in setup.game.streets[: _place(setup, street) + 1])
                boards = [board[:dealt] for board in hand.boards]
                return [f"{street.capitalize()} {boards_text(setup, boards)}."]
            case event.UncalledReturned(seat, chips):
                return [f"{event.told(names[seat], f'takes {chips} back, uncalled')}."]
            case event.Shown(seat, _):
                return self._shown(seat, hand)
            case event.Mucked(seat):
                if seat in showdown_seats(setup, hand):
                    return self._shown(seat, hand)
                return [f"{event.told(names[seat], 'mucks')}."]
            case _:
                return []

    def _shown(self, seat: int, hand: Hand) -> list[str]:
        words = "" if hand.strengths is None else f": {self._words(seat, hand)}"
        return [f"{self._shows(seat, hand)}{words}."]

    def _shows(self, seat: int, hand: Hand) -> str:
        return event.told(self.setup.names[seat], f"shows {cards_text(self.setup, hand.holes[seat])}")

    def _has(self, seat: int, hand: Hand) -> str:
        return f"{event.told(self.setup.names[seat], 'has')}: {self._words(seat, hand)}."

    def _words(self, seat: int, hand: Hand) -> str:
        """Return the hand in words, with kickers if only they distinguish it from another hand shown."""
        assert hand.strengths is not None
        if len(hand.boards) > 1:
            game = self.setup.game
            return " / ".join(game.words_of(claims, seat, hand.holes[seat]) for claims in hand.claims)
        strengths = dict(zip(hand.live, hand.strengths, strict=True))
        said = {
            other: self.setup.game.words_of(hand.claims[0], other, hand.holes[other])
            for other in showdown_seats(self.setup, hand)
        }
        mine = strengths[seat]
        alike = [other for other in said if said[other] == said[seat] and strengths[other] != mine]
        return describe(mine, kickers=True) if alike and len(hand.claims[0]) == 1 else said[seat]


def _place(setup: Setup, street: str) -> int:
    return [each.name for each in setup.game.streets].index(street)
