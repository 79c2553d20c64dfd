"""Tell the referee a hand: its game as a sheet, its table, and every fact in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, assert_never

from poker_actors.evaluator import RANKINGS, Ranking, five_card, holdem_strengths, short_deck_strengths
from poker_actors.referee import Fact, Owed, Referee, Sheet, SheetStreet, Sitting, Verdict
from poker_actors.rules import (
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Event,
    Fold,
    Game,
    Hand,
    Lay,
    Legal,
    RaiseTo,
    event,
)
from poker_actors.rules.games import Street

__all__ = [
    "AT_THE_END",
    "facts_of",
    "offer",
    "refereed",
    "sheet_of",
    "sitting_of",
    "verdicts",
]

AT_THE_END: Final = ("payout", "rake", "uncalled", "runs", "end", "score")
"""Codes of verdicts on the result of a hand, whose course up to there was correct."""


_BY_STRENGTHS: Final[dict[Callable[..., Any], str]] = {
    holdem_strengths: "high",
    short_deck_strengths: "short-deck",
    five_card.classes_by_counts: "five-card",
    five_card.classes_as_printed: "five-card-printed",
    five_card.strengths_with_kickers: "five-card-kickers",
}
"""The order of hands of games that name a function instead of a ranking."""


def verdicts(hand: Hand) -> tuple[Verdict, ...]:
    """Return the verdicts on a hand so far, turn by turn; empty if it is correct."""
    return tuple(refereed(hand).verdicts)


def refereed(hand: Hand) -> Referee:
    """Return a referee that has followed a hand up to now."""
    referee = Referee(sheet_of(hand.game), sitting_of(hand))
    for fact in facts_of(hand):
        referee.hear(fact)
    return referee


@lru_cache(maxsize=64)
def sheet_of(game: Game) -> Sheet:
    """Describe a game in plain words; an order of hands that no rule book has is left empty, and not judged.

    The figures are the game's own, so that custom games are judged, too; tests compare those of the games
    here with the documents.
    """
    orders = tuple([_order_of(share.ranking) for share in game.shares])
    return Sheet(
        name=game.name,
        streets=tuple([_street(street) for street in game.streets]),
        limit=game.betting.value,
        orders=orders or (_BY_STRENGTHS.get(game.strengths, ""),),
        shares=tuple([share.name for share in game.shares]) or ("",),
        cap=game.bets_per_street,
        boards=game.boards,
        pack=game.pack,
        any_raise=game.free_raise,
        raise_again=game.raise_again,
        covered=game.capped,
        rows=game.open_face,
    )


def _order_of(ranking: Ranking) -> str:
    return ranking.name if RANKINGS.get(ranking.name) == ranking else ""


def _street(street: Street) -> SheetStreet:
    return SheetStreet(
        name=street.name,
        down=street.hole,
        up=street.up,
        board=street.board,
        draw=street.draw,
        throw=street.throw,
        bet_units=street.bet_units,
        first=street.first.value,
    )


def sitting_of(hand: Hand) -> Sitting:
    """Describe the table at the start of a hand."""
    stakes, options, places = hand.stakes, hand.options, hand.positions
    rake = None if options is None or options.rake is None else options.rake
    bomb = 0 if options is None else options.bomb_pot
    posts = hand.posts
    if posts is not None and bomb:
        posts = posts[sum([stack > 0 for stack in hand.starting]) :]  # its antes are listed first
    return Sitting(
        stacks=tuple(hand.starting),
        button=hand.button,
        small_seat=None if places is None else places.small_blind,
        big_seat=-1 if places is None else places.big_blind,
        small=stakes.small_blind,
        big=stakes.big_blind,
        ante=stakes.ante,
        big_ante=stakes.big_blind_ante,
        straddle=stakes.straddle,
        least_bet=stakes.min_bet,
        bring_in=stakes.bring_in if hand.game.brings_in else 0,
        owed=None if posts is None else tuple([Owed(p.seat, p.kind.value, p.amount) for p in posts]),
        rake=None if rake is None else (rake.hundredths, rake.cap, rake.no_flop_no_drop),
        bomb=bomb,
        bomb_boards=1 if options is None else options.bomb_boards,
        runs=1 if options is None else options.boards,
        declined=() if options is None else options.declined,
        cards=len(hand.cards),
        mixed_unsaid=len({*hand.cards}) < len(hand.cards),
    )


def facts_of(hand: Hand) -> list[Fact]:
    """Replay a hand and return its facts, with the offer of every turn and, at last, its state."""
    facts: list[Fact] = []
    whole = hand.whole_actions()
    taken = 0

    def listen(news: Event) -> None:
        nonlocal taken
        if isinstance(news, event.Acted):
            facts.append(_act(news, whole[taken]))
            taken += 1
        else:
            facts.append(_fact(news))

    again = hand.replay([], listener=listen)
    for action in whole:
        facts.append(offer(again))
        again.act(action)
    if hand.to_act:
        facts.append(offer(hand))
    # judge the hand as it stands, not only the outcome of playing it again
    facts.append(Fact(what="state", stacks=tuple(hand.stacks), chips=hand.pot, payoffs=tuple(hand.payoffs)))
    return facts


def offer(hand: Hand) -> Fact:
    """Return what the rules let the seat to act do."""
    legal: Legal = hand.legal
    if legal.lays:
        return Fact(what="ask", seat=legal.seat, word="lay", least=legal.lays, most=legal.lays)
    if legal.discards:
        word = "throw" if legal.must_discard else "draw"
        return Fact(what="ask", seat=legal.seat, word=word, least=legal.must_discard, most=legal.discards)
    return Fact(
        what="ask",
        seat=legal.seat,
        word="bring in" if legal.bring_in else "bet",
        chips=legal.to_call,
        least=legal.min_raise_to,
        most=legal.max_raise_to,
    )


def _act(news: event.Acted, action: Action) -> Fact:
    """Return an act with the cards that it moved: events hide them."""
    word, total = "", 0
    cards: Sequence[Any] = ()
    rows: Sequence[Any] = ()
    match action:
        case Fold() | Check() | Call() | BringIn():
            word = str(action)
        case Bet(amount):
            word, total = "raise", amount
        case RaiseTo(amount):
            word, total = "raise", amount
        case Discard(cards):
            word = "discard"
        case Lay():
            word, rows = "lay", action.rows
        case _:
            assert_never(action)
    return Fact(
        what="act",
        seat=news.seat,
        word=word,
        chips=news.paid,
        total=total,
        cards=tuple(cards),
        rows=tuple(rows),
        all_in=news.all_in,
    )


def _fact(news: Event) -> Fact:  # noqa: PLR0911, PLR0912  # a case for each event
    match news:
        case event.HandStarted(_, stacks):
            return Fact(what="start", stacks=stacks)
        case event.Posted(seat, kind, amount):
            return Fact(what="post", seat=seat, word=kind.value, chips=amount)
        case event.HoleDealt(seat, cards):
            return Fact(what="down", seat=seat, cards=cards)
        case event.OpenDealt(seat, cards):
            return Fact(what="up", seat=seat, cards=cards)
        case event.Reshuffled(count):
            return Fact(what="reshuffle", chips=count)
        case event.StreetDealt(street, cards):
            return Fact(what="board", word=street, cards=cards)
        case event.RunDealt(board, street, cards):
            return Fact(what="board", word=street, cards=cards, board=board)
        case event.UncalledReturned(seat, amount):
            return Fact(what="back", seat=seat, chips=amount)
        case event.Shown(seat, cards):
            return Fact(what="show", seat=seat, cards=cards)
        case event.Mucked(seat):
            return Fact(what="muck", seat=seat)
        case event.Raked(pot, amount):
            return Fact(what="rake", pot=pot, chips=amount)
        case event.Awarded(pot, seat, amount, board, share):
            return Fact(what="award", pot=pot, seat=seat, chips=amount, board=board, word=share)
        case event.Scored(seat, points, chips, royalties, fouled):
            return Fact(
                what="score", seat=seat, points=points, chips=chips, royalties=royalties, fouled=fouled
            )
        case event.HandEnded(stacks):
            return Fact(what="end", stacks=stacks)
        case event.Acted():
            raise AssertionError("an act is told by `_act`")
        case _:
            assert_never(news)
