"""Count a report's statistics again from the lines of `--jsonl`, by code that imports nothing of ours.

The rules of no-limit hold'em with two blinds suffice: the chips put in follow from the words of the actions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

Line = dict[str, Any]
STREETS = ("preflop", "flop", "turn", "river")
SMALL, BIG = 1, 2


class HandCount:
    """The statistics of one line, as a counter for each seat."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.size = len(line["stacks"])
        left_of_button = [(line["button"] + place) % self.size for place in range(1, self.size + 1)]
        self.order = left_of_button
        self.counts = [Counter(hands=1) for _ in range(self.size)]
        self.streets = [
            [(each["seat"], *each["action"].split()) for each in line["actions"] if each["street"] == street]
            for street in STREETS
        ]
        self.folded = {each["seat"] for each in line["actions"] if each["action"] == "fold"}
        self.live = [seat for seat in range(self.size) if seat not in self.folded]
        for street, actions in zip(STREETS, self.streets, strict=True):
            for seat, word, *_ in actions:
                what = {"fold": "folds", "check": "checks", "call": "calls"}.get(word, "raises")
                self.counts[seat][f"{street}_{what}"] += 1
        self.last_raiser = self.before_the_flop()
        self.continuation_bets()
        self.end()

    def before_the_flop(self) -> int | None:
        counts, actions = self.counts, self.streets[0]
        small, big = self.order[0], self.order[1]
        if self.size == 2:
            small, big = self.order[1], self.order[0]
        button = self.line["button"]
        late = {button, small} | ({self.order[-2]} if self.size > 3 else set())
        raisers: list[int] = []
        called = stolen = False
        for seat, word, *_ in actions:
            raised = word in ("bet", "raise_to")
            if len(raisers) == 1 and seat != raisers[0]:
                counts[seat]["three_bet_chances"] += 1
                counts[seat]["three_bets"] += raised
                if stolen and not called and seat in (small, big):
                    counts[seat]["steals_faced"] += 1
                    counts[seat]["steals_folded_to"] += word == "fold"
            if len(raisers) == 2 and seat == raisers[0]:
                counts[seat]["three_bets_faced"] += 1
                counts[seat]["three_bets_folded_to"] += word == "fold"
            if not raisers and not called and seat in late:
                counts[seat]["steal_chances"] += 1
                counts[seat]["steals"] += raised
                stolen = raised
            called = called or word == "call"
            if raised:
                raisers.append(seat)
        for seat in range(self.size):
            words = {word for who, word, *_ in actions if who == seat}
            counts[seat]["pfr"] = int(bool(words & {"bet", "raise_to"}))
            counts[seat]["vpip"] = int(bool(words & {"call", "bet", "raise_to"}))
        before = {seat for seat, word, *_ in actions if word == "fold"}
        if self.size - len(before) > 1:
            for seat in set(range(self.size)) - before:
                counts[seat]["flops"] = 1
        return raisers[-1] if raisers else None

    def continuation_bets(self) -> None:
        bettor = self.last_raiser
        for street, actions in zip(STREETS[1:], self.streets[1:], strict=True):
            bet, going = False, False
            for seat, word, *_ in actions:
                raised = word in ("bet", "raise_to")
                if bet:
                    self.counts[seat][f"{street}_cbets_faced"] += 1
                    self.counts[seat][f"{street}_cbets_folded_to"] += word == "fold"
                    if raised:
                        going = False
                        break
                elif seat == bettor:
                    self.counts[seat][f"{street}_cbet_chances"] += 1
                    self.counts[seat][f"{street}_cbets"] += raised
                    bet = going = raised
                    if not raised:
                        break
                elif raised:
                    break
            if not going:
                return

    def end(self) -> None:
        put_in = self.put_in()
        saw_flop = {seat for seat in range(self.size) if self.counts[seat]["flops"]}
        for seat, paid in enumerate(put_in):
            won = self.line["payoffs"][seat] > -paid
            showdown = len(self.live) > 1 and seat in self.live
            self.counts[seat]["showdowns"] = int(showdown)
            self.counts[seat]["showdowns_won"] = int(showdown and won)
            self.counts[seat]["flops_won"] = int(won and seat in saw_flop)
            self.counts[seat]["all_ins"] = int(paid == self.line["stacks"][seat])

    def put_in(self, streets: int = len(STREETS)) -> list[int]:
        """Return each seat's chips in the pots after so many streets, less an uncalled bet."""
        small, big = (self.order[1], self.order[0]) if self.size == 2 else self.order[:2]
        total = [0] * self.size
        total[small], total[big] = SMALL, BIG
        for actions in self.streets[:streets]:
            front = list(total) if actions is self.streets[0] else [0] * self.size
            for seat, word, *size in actions:
                stack = self.line["stacks"][seat]
                more = 0
                if word == "call":
                    more = min(max(front) - front[seat], stack - total[seat])
                elif size:
                    more = int(size[0]) - front[seat]
                front[seat] += more
                total[seat] += more
        highest, second = sorted(total)[-1], sorted(total)[-2]
        return [min(each, second) if each == highest else each for each in total]


def position(line: Line, seat: int) -> str:
    """Return the name of a seat's position at a table of two, three or six."""
    place = (seat - line["button"]) % len(line["stacks"])
    names = {2: ("BTN", "BB"), 3: ("BTN", "SB", "BB"), 6: ("BTN", "SB", "BB", "UTG", "HJ", "CO")}
    found: str = names[len(line["stacks"])][place]
    return found


def recount(lines: list[Line]) -> tuple[dict[int, Counter[str]], dict[tuple[int, str], Counter[str]]]:
    """Return all counters by bot, and by bot and position."""
    by_bot: dict[int, Counter[str]] = defaultdict(Counter)
    by_place: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    for line in lines:
        for seat, counts in enumerate(HandCount(line).counts):
            bot = line["bot_numbers"][seat]
            net = Counter(counts)
            net["net"] = line["payoffs"][seat]
            by_bot[bot].update(net)
            by_place[bot, position(line, seat)].update(net)
    return by_bot, by_place
