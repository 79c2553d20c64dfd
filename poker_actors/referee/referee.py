"""The referee: follows the facts of a hand, one by one, and reports where they break the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import attrs

from poker_actors.referee.betting import Bets, Chips, Turn, clockwise, owed_posts
from poker_actors.referee.dealing import BRINGS_IN, TableCards
from poker_actors.referee.facts import Fact, Owed, Sheet, Sitting, Verdict
from poker_actors.referee.paying import (
    Layer,
    Split,
    due,
    layers,
    payout_flaws,
    rake_flaws,
    rakes,
    showdown_flaws,
    showing,
    splits,
)
from poker_actors.referee.rows import RowDeals, RowScore

FLOP: Final = 3
"""Cards of a flop: the first street that deals so many is one."""


def judge(sheet: Sheet, sitting: Sitting, facts: Iterable[Fact]) -> list[Verdict]:
    """Follow a hand to its first fact that breaks a rule, and return the verdicts on it."""
    referee = Referee(sheet, sitting)
    for fact in facts:
        referee.hear(fact)
    return referee.verdicts


class Referee:
    """Follows one hand. `hear` takes its facts in order; `verdicts` are those on the first wrong one."""

    def __init__(self, sheet: Sheet, sitting: Sitting) -> None:
        self.sheet, self.sitting = sheet, sitting
        self.verdicts: list[Verdict] = []
        self.heard = 0
        self.chips = Chips(sitting.stacks)
        self.table = TableCards(sheet, sitting, self.chips)
        self.bets = Bets(sheet, sitting, self.chips, 0)
        self.street = 0
        self.turn: Turn | None = None  # whose turn it is, and what that seat may do; None if it is nobody's
        self.deals = (
            RowDeals(sheet, sitting.stacks, sitting.button, sitting.least_bet) if sheet.rows else None
        )
        self.lay_when_over: int | None = None
        """cards on the board when nobody could bet any more; None as long as somebody can"""
        self._told: list[tuple[int, bool]] = []  # who has shown, and who has mucked, in order
        self._lies_open = False  # whether all hands must, as streets are left and no bets
        self._to_post = owed_posts(sitting)
        self._posted: list[tuple[Owed, int]] = []  # forced bets and what was paid of each
        self._rounds: list[str] = []
        """what is left to do on this street: `draw`, `throw`, `bet`"""
        self._begun = False
        self.ended = False  # whether it was followed to its end, and the result alone is left to be wrong
        self._drawing: list[int] = []
        self._raked: dict[int, int] = {}
        self._awards: dict[tuple[int, int, str, int], int] = {}

    # -- what it computes -----------------------------------------------------------------------

    def pots(self) -> list[Layer]:
        """Return the pots as they are now."""
        return layers(self.chips)

    def rakes(self) -> list[int]:
        """Return the rake of each pot."""
        flop = self.street > 0 or len(self.table.boards[0]) >= FLOP
        return rakes(self.sitting, self.pots(), alone=len(self.chips.live) == 1, flop=flop)

    def splits(self) -> list[Split]:
        """Return the winners, pot by pot, board by board, half by half, after the rake."""
        raked = [
            attrs.evolve(pot, chips=pot.chips - rake)
            for pot, rake in zip(self.pots(), self.rakes(), strict=True)
        ]
        if len(self.chips.live) == 1:
            last = (self.chips.live[0],)
            chips = sum([pot.chips for pot in raked])
            return [Split(pot=0, board=0, share="", chips=chips, seats=last, winners=last, alone=True)]
        return splits(self.sheet, self.sitting, raked, self.table.holes, self.table.all_boards())

    # -- following ------------------------------------------------------------------------------

    def hear(self, fact: Fact) -> None:
        """Follow one fact; after the first wrong one the rest is not judged."""
        if not self.verdicts:
            getattr(self, f"_{fact.what}")(fact)
            self.turn = None if self.verdicts else self._whose_turn()
        self.heard += 1

    def _wrong(self, code: str, said: object, computed: object, rule: str) -> None:
        self.verdicts.append(Verdict(code, self.heard, str(said), str(computed), rule))

    def _start(self, fact: Fact) -> None:
        if fact.stacks != self.sitting.stacks:
            self._wrong("start", f"stacks are {fact.stacks}", self.sitting.stacks, "the table says so")
        self._open_street(0)

    def _post(self, fact: Fact) -> None:
        said = f"seat {fact.seat} posts {fact.word} {fact.chips}"
        while self._to_post and not min(self._to_post[0].chips, self.chips.behind[self._to_post[0].seat]):
            self._posted.append((self._to_post.pop(0), 0))
        if not self._to_post:
            self._wrong("post", said, "nobody owes anything", "antes and blinds")
            return
        owed = self._to_post.pop(0)
        chips = min(owed.chips, self.chips.behind[owed.seat])
        if (fact.seat, fact.word, fact.chips) != (owed.seat, owed.kind, chips):
            self._wrong(
                "post", said, f"seat {owed.seat} owes {owed.kind} {chips}", "antes before blinds, in order"
            )
            return
        self.chips.post(owed.seat, owed.kind, chips)
        self._posted.append((owed, chips))

    def _all_posted(self) -> None:
        """Say which forced bet is missing when the first card is dealt; a seat without chips owes nothing."""
        for owed in self._to_post:
            if self.chips.behind[owed.seat]:
                self._wrong(
                    "post", "cards are dealt", f"seat {owed.seat} owes {owed.kind}", "antes and blinds"
                )
        self._posted += [(owed, 0) for owed in self._to_post]
        self._to_post = []

    def _down(self, fact: Fact) -> None:
        self._all_posted()
        if self.deals is not None and fact.seat in self.deals.held:
            self.deals.held[fact.seat].extend(fact.cards)
            return
        self._dealt(self.table.deal(fact.seat, fact.cards, up=False))

    def _up(self, fact: Fact) -> None:
        self._all_posted()
        self._dealt(self.table.deal(fact.seat, fact.cards, up=True))

    def _dealt(self, flaw: str | None) -> None:
        if flaw is not None:
            self._wrong("deal", "a card is dealt", flaw, "every card is dealt once, to the right seat")

    def _reshuffle(self, fact: Fact) -> None:
        stub = self.table.reshuffled()
        if fact.chips != stub:
            said = f"a stub of {fact.chips} is reshuffled"
            self._wrong("deal", said, f"one of {stub}", "what is left, folded hands and all earlier discards")

    def _board(self, fact: Fact) -> None:
        if self.deals is not None:
            return
        if fact.board == 0 and fact.word != self.sheet.streets[0].name:  # the first is open from the start
            lay = len(self.table.boards[0])
            if len(self.chips.able) < 2 and self.lay_when_over is None:
                self.lay_when_over = lay
            if self._pending("a street opens") or self._uncalled(f"the {fact.word} opens"):
                return
            if self.street + 1 >= len(self.sheet.streets) or len(self.chips.live) < 2:
                self._wrong(
                    "street", f"the {fact.word} opens", "no street is left", "a hand has so many streets"
                )
                return
            if self._hands_lie_closed(fact.word):
                return
            self._open_street(self.street + 1)
        name = self.sheet.streets[self.street].name
        if fact.board < len(self.table.boards) and fact.word != name:
            self._wrong("street", f"the {fact.word} opens", f"it is the {name}", "streets open in order")
            return
        self._dealt(self.table.lay(fact.board, fact.cards))

    def _hands_lie_closed(self, street: str) -> bool:
        """Report a street opened before all hands were turned up, although no bets or draws were left."""
        changes = [one for one in self.sheet.streets[self.street + 1 :] if one.draw or one.throw]
        if not changes and len(self.chips.able) < 2:
            self._lies_open = True
            closed = [seat for seat in self.chips.live if (seat, True) not in self._told]
            if closed:
                rule = "once betting is over by an all-in, all hands lie open (TDA 16)"
                self._wrong("show", f"the {street} opens", f"seat {closed[0]} shows its cards first", rule)
        return bool(self.verdicts)

    def _open_street(self, number: int) -> None:
        street = self.sheet.streets[number]
        self.table.opens(number)
        self.street = number
        self.chips.front = [0] * len(self.sitting.stacks)
        self.bets = Bets(self.sheet, self.sitting, self.chips, number)
        self._rounds = ["draw"] * bool(street.draw) + ["throw"] * bool(street.throw and not number) + ["bet"]
        if number == 0 and self.sitting.bomb and street.board < FLOP:
            self._rounds.remove("bet")  # nobody bets before the flop
        if number + 1 < len(self.sheet.streets) and self.sheet.streets[number + 1].throw:
            self._rounds.append("throw for the next street")
        self._begun = False

    def _pending(self, said: str) -> bool:
        """Say that something happens too early: a seat is to act, or cards are missing."""
        if self.deals is not None:
            if not self.deals.due:
                self._wrong("turn", said, f"{self.turn}", "all lay their cards")
        elif self.turn is not None:
            self._wrong("turn", said, f"{self.turn}", "each live seat answers the last bet (TDA 50)")
        elif (missing := self.table.missing()) is not None:
            self._wrong("deal", said, missing, "a street begins with its cards")
        return bool(self.verdicts)

    # -- turns ----------------------------------------------------------------------------------

    def _whose_turn(self) -> Turn | None:
        if self.deals is not None:
            return self.deals.turn
        if self.table.missing() is not None:
            return None
        while self._rounds and len(self.chips.live) > 1:
            turn = self._turn_of(self._rounds[0])
            if turn is not None:
                return turn
            del self._rounds[0]
            self._begun = False
        return None

    def _turn_of(self, kind: str) -> Turn | None:
        size = len(self.sitting.stacks)
        if not self._begun:
            self._begun = True
            if kind == "bet":
                self._begin_bets()
            else:
                self._drawing = clockwise(self.chips.live, self.sitting.button, size)
        if kind == "bet":
            seat = self.bets.next_seat()
            return None if seat is None else self.bets.turn(seat)
        if not self._drawing:
            return None
        if kind == "draw":
            return Turn(seat=self._drawing[0], asks="draw", most=self.sheet.streets[self.street].draw)
        # a later street begins with its discards, before the board
        throw = self.sheet.streets[self.street + (kind != "throw")].throw
        return Turn(seat=self._drawing[0], asks="throw", least=throw, most=throw)

    def _begin_bets(self) -> None:
        size, live = len(self.sitting.stacks), self.chips.live
        first, last = self.sheet.streets[self.street].first, self.sitting.button
        if self.street == 0 and first not in BRINGS_IN:
            last = self.bets.last_blind(self._posted, last)
            self.bets.blinds(self._posted)
        if first == "position":
            self.bets.begin(clockwise(live, last, size))
            return
        opener = self.table.opener(first)
        if first in BRINGS_IN:
            # a seat without chips brings nothing in: the next seat owes as much, or folds (TDA RP-10-E)
            self.bets.brings_in(self.sitting.bring_in, by_choice=self.chips.behind[opener] > 0)
        self.bets.begin([opener, *[seat for seat in clockwise(live, opener, size) if seat != opener]])

    def _ask(self, fact: Fact) -> None:
        """Check what a seat is offered on its turn."""
        if self.turn is None:
            if not self._pending("a turn is offered"):
                self._wrong("turn", f"seat {fact.seat} is to act", "nobody is", self._turn_rule())
            return
        offered = Turn(seat=fact.seat, asks=fact.word, to_call=fact.chips, least=fact.least, most=fact.most)
        if offered.seat != self.turn.seat or offered.asks != self.turn.asks:
            self._wrong("turn", offered, self.turn, self._turn_rule())
        elif offered != self.turn:
            self._wrong("bounds", offered, self.turn, self.bets.rule(fact.seat))

    def _act(self, fact: Fact) -> None:
        said = f"seat {fact.seat} {fact.acted_words()}"
        if self.turn is None:
            if not self._pending(said):
                self._wrong("turn", said, "nobody is to act", self._turn_rule())
            return
        turn, seat = self.turn, fact.seat
        if turn.seat != seat:
            self._wrong("turn", said, str(turn), self._turn_rule())
        elif not self._allowed(turn, fact):
            self._wrong("act", said, str(turn), self.bets.rule(fact.seat))
        else:
            paid = self._carried_out(turn, fact)
            if paid != fact.chips:
                self._wrong(
                    "paid",
                    f"{said} for {fact.chips}",
                    f"it costs {paid}",
                    "an amount raised is the total (43-B)",
                )
            elif fact.all_in != bool(paid and not self.chips.behind[seat]):
                word = "all-in" if fact.all_in else "not all-in"
                self._wrong("paid", f"{said}, {word}", f"it has {self.chips.behind[seat]} left", "TDA 3")

    def _allowed(self, turn: Turn, fact: Fact) -> bool:
        match fact.word:
            case "fold":
                return turn.asks == "bet"
            case "check" | "call":
                return turn.asks == "bet" and bool(turn.to_call) == (fact.word == "call")
            case "bring in":
                return turn.asks == "bring in"
            case "raise":
                return turn.asks in ("bet", "bring in") and 0 < turn.least <= fact.total <= turn.most
            case "discard":
                count = len(fact.cards)
                return (
                    turn.asks in ("draw", "throw")
                    and turn.least <= count <= turn.most
                    and {*fact.cards} <= {*self.table.holes[fact.seat]}
                )
            case _:
                return self.deals is not None and self.deals.refusal(fact.seat, fact.rows) is None

    def _carried_out(self, turn: Turn, fact: Fact) -> int:
        """Carry out an action; return what it costs."""
        seat = fact.seat
        match fact.word:
            case "fold":
                self.bets.fold(seat)
            case "raise":
                return self.bets.raise_to(seat, fact.total)
            case "discard":
                del self._drawing[0]
                self.table.throws(seat, fact.cards, draws=turn.asks == "draw")
            case "lay":
                assert self.deals is not None
                self.deals.lay(seat, fact.rows)
            case _:
                return self.bets.call(seat)
        return 0

    def _turn_rule(self) -> str:
        kind = self.turn.asks if self.turn is not None else ""
        if kind in ("draw", "throw", "lay"):
            return "seats draw and throw from the left of the button"
        rules = {
            "low card": "the lowest open card brings it in, by suit clubs lowest",
            "high card": "the highest open card brings it in, the ace low, by suit spades highest",
            "high hand": "the highest open hand is first, equal ones by the suit of the highest card (TDA RP-10)",
            "low hand": "the lowest open hand is first, equal ones by the suit of the highest card (TDA RP-10)",
        }
        first = self.sheet.streets[self.street].first
        if self.bets.acted or first not in rules:
            return "turns go to the left, from the last blind or the button (TDA 50)"
        return rules[first]

    # -- the end --------------------------------------------------------------------------------

    def _back(self, fact: Fact) -> None:
        seat, chips = self.chips.uncalled()
        said = f"seat {fact.seat} gets {fact.chips} back"
        throwing = self.turn is not None and self.turn.asks == "throw"
        if not throwing and self._pending(said):
            return
        if (fact.seat, fact.chips) != (seat, chips):
            self._wrong(
                "uncalled", said, f"seat {seat} gets {chips} back", "what nobody called goes back (TDA 15-B)"
            )
            return
        self.chips.pay(seat, -chips)

    def _show(self, fact: Fact) -> None:
        held = (
            self.table.holes[fact.seat]
            if self.deals is None
            else [card for row in self.deals.rows[fact.seat] for card in row]
        )
        if fact.seat not in self.chips.live or sorted(fact.cards) != sorted(held):
            # verdicts name no cards: their readers may not be allowed to see them
            said = f"seat {fact.seat} shows {len(fact.cards)} cards"
            self._wrong("show", said, "it holds others", "cards speak (TDA 12)")
        elif len(self.chips.live) == 1 and not self.ended:
            rule = "the last seat wins without showing"
            self._wrong("show", f"seat {fact.seat} shows", "all others have folded", rule)
        self._told.append((fact.seat, True))

    def _muck(self, fact: Fact) -> None:
        if fact.seat not in self.chips.live or len(self.chips.live) == 1:
            self._wrong("show", f"seat {fact.seat} mucks", "it is not at a showdown", "TDA 17")
        self._told.append((fact.seat, False))

    def _rake(self, fact: Fact) -> None:
        self._raked[fact.pot] = self._raked.get(fact.pot, 0) + fact.chips

    def _award(self, fact: Fact) -> None:
        key = (fact.pot, fact.board, fact.word, fact.seat)
        self._awards[key] = self._awards.get(key, 0) + fact.chips

    def _score(self, fact: Fact) -> None:
        assert self.deals is not None
        if self._pending("a deal is scored"):
            return
        due = self.deals.due.get(fact.seat)
        said = RowScore(fact.points, fact.chips, fact.royalties, fact.fouled)
        if said != due:
            self._wrong(
                "score", f"seat {fact.seat}: {said}", due, "rows, royalties, fouls, the smaller stack"
            )
            return
        self.deals.announced(fact.seat)

    def _end(self, fact: Fact) -> None:
        if self.deals is not None:
            if not self.deals.over:
                self._wrong("end", "the hand ends", "a deal is left", "fantasy land is one more deal")
            else:
                self.ended = True
                self._ends(fact.stacks)
            return
        if self._pending("the hand ends") or self._uncalled("the hand ends"):
            return
        self.ended = True
        for check in (self._street_left(), self.table.runs_flaws(self.lay_when_over)):
            for verdict in check:
                self._wrong(*verdict)
            if self.verdicts:
                return
        for verdict in rake_flaws(self._raked, self.rakes()):
            self._wrong(*verdict)
        if self.sheet.known or len(self.chips.live) == 1:
            for verdict in payout_flaws(self._awards, due(self.splits())):
                self._wrong(*verdict)
        elif sum(self._awards.values()) != self.chips.pot - sum(self.rakes()):
            said = f"{sum(self._awards.values())} chips are paid"
            self._wrong("payout", said, f"{self.chips.pot - sum(self.rakes())}", "the pots without the rake")
        if len(self.chips.live) > 1 and not self.verdicts:
            self._showdown()
        if not self.verdicts:
            self._ends(fact.stacks)

    def _showdown(self) -> None:
        """Check who showed and in which order: first the last to bet on the last street, or else the first to act."""
        live, size, first = self.chips.live, len(self.sitting.stacks), self.bets.aggressor
        if first not in live:
            by = self.sheet.streets[-1].first
            left = clockwise(live, self.sitting.button, size)[0]
            first = left if by == "position" else self.table.opener(by)
        order = [first, *[seat for seat in clockwise(live, first, size) if seat != first]]
        shown: list[int] | None = order if len(self.chips.able) < len(live) else None
        if shown is None and self.sheet.known:
            shown = showing(self.sheet, order, self.table.holes, self.table.all_boards())
        for flaw in showdown_flaws(self._told, order, shown, in_turn=not self._lies_open):
            self._wrong(*flaw)

    def _ends(self, said: Sequence[int]) -> None:
        """Check the final stacks, seat by seat."""
        stacks = list(self.chips.behind if self.deals is None else self.deals.stacks)
        for (_, _, _, seat), chips in self._awards.items():
            stacks[seat] += chips
        for seat, (end, right) in enumerate(zip(said, stacks, strict=True)):
            if end != right:
                won, owed = end - self.sitting.stacks[seat], right - self.sitting.stacks[seat]
                text = f"seat {seat} ends at {owed:+}, not at {won:+}"
                self._wrong("end", f"seat {seat} ends at {won:+}", text, "what was behind and what was won")

    def _street_left(self) -> Iterator[tuple[str, str, str, str]]:
        if len(self.chips.live) > 1 and self.street + 1 < len(self.sheet.streets):
            name = self.sheet.streets[self.street + 1].name
            yield (
                "street",
                "the hand ends",
                f"the {name} is left",
                "two seats are in to the last street (TDA 16)",
            )

    def _uncalled(self, said: str) -> bool:
        """Report a street or hand that ended before uncalled chips went back."""
        seat, chips = self.chips.uncalled()
        if chips:
            self._wrong("uncalled", said, f"seat {seat} gets {chips} back", "TDA 15-B")
        return bool(chips)

    def _state(self, fact: Fact) -> None:
        """Check the current stacks."""
        behind = tuple(self.chips.behind if self.deals is None else self.deals.stacks)
        if self.ended:
            self._ends(fact.stacks)
        elif fact.stacks != behind:
            self._wrong("stacks", f"stacks are {fact.stacks}", behind, "what was behind and what was paid")
        if fact.payoffs is None or self.verdicts:
            return
        won = tuple([end - start for end, start in zip(fact.stacks, self.sitting.stacks, strict=True)])
        pot = 0 if self.ended else self.chips.pot
        if (fact.payoffs, fact.chips) != (won, pot):
            said = f"payoffs are {fact.payoffs}, the pot is {fact.chips}"
            self._wrong("stacks", said, f"{won}, and {pot}", "what each stack has won, and what was paid in")
