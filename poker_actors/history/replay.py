"""Replay a history by the rules, action by action, and report where the two disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

import attrs

from poker_actors.cards import Card, Deck
from poker_actors.errors import BadInput, BadSpec, Discrepancy, IllegalAction
from poker_actors.history.checks import Outcome, beaten, check_cards, settle
from poker_actors.history.hand_history import (
    ActionKind,
    ActionStep,
    BoardDealt,
    Dealt,
    Discarded,
    HandHistory,
    Showed,
    Step,
    ToldCards,
    take_out,
)
from poker_actors.history.unknown import UNKNOWN, guarded, is_known, numbered
from poker_actors.rules import BringIn, Call, Discard, Hand, Positions, RaiseTo, Stakes
from poker_actors.rules import event as events
from poker_actors.rules.cash import HandOptions


def forced_bets(history: HandHistory) -> tuple[Stakes, tuple[events.Posted, ...] | None]:
    """Return the stakes, and a list of posts if stakes cannot express what was posted, else None.

    Raises `Discrepancy` for amounts that cannot be forced bets.
    """
    antes = history.antes
    whole = not antes or (not history.trimmed_antes and min(history.stacks) > max(antes))
    try:
        stakes, posts = _forced_bets(
            antes,
            history.blinds,
            history.min_bet,
            history.bring_in,
            history.trimmed_antes or whole,
            dead_small=history.dead_small > 0,
        )
        return (attrs.evolve(stakes, small_blind=history.dead_small) if history.dead_small else stakes), posts
    except BadSpec as error:
        raise Discrepancy(str(error)) from None


@lru_cache(maxsize=512)
def _forced_bets(
    antes: tuple[int, ...],
    blinds: tuple[int, ...],
    min_bet: int,
    bring_in: int,
    layered: bool,
    *,
    dead_small: bool,
) -> tuple[Stakes, tuple[events.Posted, ...] | None]:
    size = len(blinds)
    small, big = (1, 0) if size == 2 else (0, 1)
    usual = (
        not dead_small
        and layered
        and len(set(antes)) <= 1
        and not any(blinds[2:])
        and blinds[small] <= blinds[big]
    )
    ante = antes[0] if usual and antes else 0
    if usual and (blinds[small] > 0 or (bring_in and not blinds[big])):
        return Stakes(blinds[small], blinds[big], ante, min_bet=min_bet, bring_in=bring_in), None
    sizes = [amount for amount in blinds if amount > 0]
    highest = max(sizes, default=0)
    stakes = Stakes(min([*sizes, highest]), highest, ante, min_bet=min_bet, bring_in=bring_in)
    if dead_small:  # the big blind is the first that was posted
        small, big = -1, next((player for player, amount in enumerate(blinds) if amount > 0), 0)
    return stakes, (*_antes(antes, layered), *_blinds(blinds, small, big))


def _antes(antes: tuple[int, ...], layered: bool) -> Iterator[events.Posted]:
    """Yield antes: live as far as everybody owes the same, dead beyond that."""
    common = min(antes, default=0) if layered else 0
    if common:
        for player in range(len(antes)):
            yield events.Posted(player, events.Post.ANTE, common)
    for player, ante in enumerate(antes):
        if ante > common:
            yield events.Posted(player, events.Post.BIG_BLIND_ANTE, ante - common)


def _blinds(blinds: tuple[int, ...], small: int, big: int) -> Iterator[events.Posted]:
    for player in dict.fromkeys((small, big, *range(len(blinds)))):
        amount = blinds[player] if player >= 0 else 0
        if amount < 0:
            yield events.Posted(player, events.Post.EXTRA_BLIND, -amount)
        elif amount:
            yield events.Posted(player, _kind(blinds, player, small, big), amount)


def _kind(blinds: tuple[int, ...], player: int, small: int, big: int) -> events.Post:
    # a newcomer may have posted one left of the big blind: the small blind is dead then
    if player == big or (player == small and blinds[big] <= 0 and blinds[small] >= -blinds[big]):
        return events.Post.BIG_BLIND
    return events.Post.SMALL_BLIND if player == small else events.Post.STRADDLE


@attrs.frozen
class Replay:
    """A history and the hand played from it by the rules, which agree.

    `hand` is played up to the last step; its seats are the history's players.
    """

    history: HandHistory
    hand: Hand
    final_stacks: tuple[int, ...] | None
    """chips by player after the last step and after rake; None if unknown cards decide the hand"""
    rake: int = 0
    """chips taken out of the pots: recorded as such, or missing from the recorded winnings"""

    @property
    def payoffs(self) -> tuple[int, ...] | None:
        """Chips won or lost by player, after rake; None if unknown cards decide the hand."""
        if self.final_stacks is None:
            return None
        return tuple(end - start for end, start in zip(self.final_stacks, self.history.stacks, strict=True))


def replay(history: HandHistory, *, listener: Callable[[events.Event], None] | None = None) -> Replay:
    """Play `history` by the rules and compare every action and every payoff.

    A history may stop before the hand ends, and hole cards may be unknown; payoffs are then compared
    as far as they are determined. `listener` is called with every event. Raises `Discrepancy`, naming
    the action, the value and the rule.
    """
    told = history.told_cards()
    mucked = told.mucked
    hand, awards, pots = _run(history, told, listener, mucked if listener is not None else _NOBODY)
    # Excluding mucked hands takes a changed game for each hand, so play without it first, and again only
    # if a mucked hand could have won. A listener must hear one play only.
    if mucked and listener is None and not beaten(hand, mucked):
        hand, awards, pots = _run(history, told, None, mucked)
    final_stacks, rake = settle(history, Outcome(hand, awards, [*pots.values()], mucked))
    return Replay(history, hand, final_stacks, rake)


_NOBODY: Final[frozenset[int]] = frozenset()


def _run(
    history: HandHistory,
    told: ToldCards,
    listener: Callable[[events.Event], None] | None,
    mucked: frozenset[int],
) -> tuple[Hand, list[int], dict[int, list[int]]]:
    """Deal and play all steps; `mucked` hands win nothing.

    Return the hand, the chips awarded by player, and the same pot by pot.
    """
    awards, pots = [0] * history.size, dict[int, list[int]]()
    wanted = history.winnings is not None or history.rake or listener is not None
    hand = _deal(history, told, _listening(awards, pots, listener) if wanted else None, mucked)
    _play(history, hand, told)
    if history.run_again and hand.boards != history.boards:
        runs, dealt = 1 + len(history.run_again), len(hand.boards)
        raise Discrepancy(
            f"the record runs {runs} boards with {len(history.run_again[0])} new cards, but the rules run {dealt}"
        )
    return hand, awards, pots


def _listening(
    awards: list[int], pots: dict[int, list[int]], listener: Callable[[events.Event], None] | None
) -> Callable[[events.Event], None]:
    """Return a listener that adds up the chips awarded by player, and by pot, and passes events on."""

    def listen(event: events.Event) -> None:
        if type(event) is events.Awarded:
            awards[event.seat] += event.amount
            pots.setdefault(event.pot, [0] * len(awards))[event.seat] += event.amount
        if listener is not None:
            listener(event)

    return listen


class _Told(Deck):
    """A deck in the order of a history."""

    __slots__ = ()

    def shuffles(self, pack: Sequence[Card]) -> bool:
        return True  # the cards are checked already, and some of a history's are unknown


def deal(history: HandHistory) -> Hand:
    """Deal the hand of a history, before its first action; raise `Discrepancy` if it cannot be dealt.

    Unrecorded cards are dealt as unknown, and win nothing at a showdown.
    """
    return _deal(history, history.told_cards(), None, _NOBODY)


def _deal(
    history: HandHistory,
    told: ToldCards,
    listener: Callable[[events.Event], None] | None,
    mucked: frozenset[int],
) -> Hand:
    game = history.game
    holes, board = told.holes, told.board
    cards: list[Card] = list(told.deck)
    if game.plain:
        check_cards(history, holes, board)
        cards = [card for hole in holes for card in hole]
        cards += board
        cards += [UNKNOWN] * (game.board_cards - len(board))
    cards += _run_again(history, cards)
    if game.plain:
        if UNKNOWN in cards:
            cards = numbered(cards)
            game = guarded(game)
    elif not is_known(cards):
        game = guarded(game)
    if mucked:
        game = guarded(game, frozenset(holes[player] for player in mucked))
    stakes, posts = forced_bets(history)
    try:
        return Hand(
            history.stacks,
            stakes,
            deck=_Told(cards, entropy=-1),
            button=history.size - 1,
            game=game,
            positions=_dead_positions(history) if history.dead_small else None,
            posts=posts,
            listener=listener,
            options=HandOptions(boards=1 + len(history.run_again)) if history.run_again else None,
        )
    except BadInput as error:
        raise Discrepancy(str(error)) from None


def _run_again(history: HandHistory, before: Sequence[Card]) -> list[Card]:
    """Return the cards of further runs, in order; raise `Discrepancy` for any that cannot be dealt after `before`."""
    cards = [card for run in history.run_again for card in run]
    take_out(history.game, cards, {card for card in before if card is not UNKNOWN})
    return cards


def _dead_positions(history: HandHistory) -> Positions:
    """Return the positions of a hand whose small blind is on a seat without a player."""
    players = tuple(range(history.size))
    big = next((player for player in players if history.blinds[player] > 0), 0)
    return Positions(history.size - 1, history.size, big, players)


def _play(history: HandHistory, hand: Hand, told: ToldCards) -> None:
    named = told.named  # empty where all cards are dealt at once
    dealt = 0
    for number, step in enumerate(history.steps):
        if type(step) is ActionStep or type(step) is Discarded:
            to_act = hand.to_act
            if not to_act or to_act[0] != step.player or dealt != len(hand.board):
                raise _wrong(history, number, _out_of_turn(hand, step, dealt))
            try:
                if type(step) is Discarded:
                    hand.act(Discard(named.get(number, step.cards)))
                elif type(step) is ActionStep:
                    _take_turn(hand, step)
            except IllegalAction as error:
                raise _wrong(history, number, str(error)) from None
        elif type(step) is BoardDealt:
            dealt = _turn_board(history, hand, number, dealt + len(step.cards))
        elif type(step) is Dealt and named and not {*named[number]} <= {*hand.holes[step.player]}:
            held = " ".join(map(str, hand.holes[step.player]))
            raise _wrong(history, number, f"the deck gives p{step.player + 1} other cards: it holds {held}")
        elif type(step) is Showed:
            _show(history, hand, number, step)


def _show(history: HandHistory, hand: Hand, number: int, step: Showed) -> None:
    """Turn up cards shown at the showdown or, by choice, after it; a seat that has folded has none to muck."""
    if not hand.over or (step.player not in hand.live and not step.cards):
        why = "has folded" if hand.over else "betting goes on"
        raise _wrong(history, number, f"cards are shown and {why}")
    if step.cards and (hand.strengths is None or step.player not in hand.live):
        hand.show(step.player)


def _take_turn(hand: Hand, turn: ActionStep) -> None:
    """Take a turn that is not a draw; raise `IllegalAction` if the rules refuse it."""
    if turn.move is ActionKind.FOLD:
        hand.fold()
    elif hand.decision and turn.move is ActionKind.CALL:
        raise IllegalAction(str(hand.legal.refusal(Call())))
    elif turn.said is not None:
        _take_and_compare(hand, turn)
    elif turn.move is ActionKind.BRING_IN:
        hand.act(BringIn())
    elif turn.move is ActionKind.CALL:
        hand.check_or_call()
    else:
        hand.raise_to(turn.total)


def _out_of_turn(hand: Hand, turn: ActionStep | Discarded, dealt: int) -> str:
    if not hand.over and dealt != len(hand.board):
        return f"the {hand.phase} has not been dealt"
    who = "the hand is over" if hand.over else f"p{hand.to_act[0] + 1} is to act"
    return f"it is not the turn of p{turn.player + 1}: {who}"


def _take_and_compare(hand: Hand, turn: ActionStep) -> None:
    """Take a turn with a recorded cost; raise `IllegalAction` if it costs something else."""
    before = hand.stacks[turn.player]
    if turn.move is ActionKind.CALL:
        paid = hand.check_or_call()
    else:
        hand.act(BringIn() if turn.move is ActionKind.BRING_IN else RaiseTo(turn.total))
        paid = before - hand.stacks[turn.player]
    if paid != turn.said:
        raise IllegalAction(f"it is recorded to cost {turn.said} but costs {paid}")


def _turn_board(history: HandHistory, hand: Hand, number: int, dealt: int) -> int:
    """Check that board cards come after the betting of a street; return the number dealt so far."""
    if hand.over and len(hand.live) == 1:
        raise _wrong(history, number, "everybody else has folded: no more cards are dealt")
    if dealt > len(hand.board):
        raise _wrong(history, number, f"p{hand.to_act[0] + 1} is still to act {_street(hand)}")
    if not history.game.board_cards:
        return dealt  # stud's last card, dealt to the board when the deck runs short
    opens = 0
    for street in history.game.streets:
        opens += street.board
        if opens == dealt:
            return dealt
    raise _wrong(history, number, f"{dealt} cards on the board do not open a street of {history.game.title}")


def _street(hand: Hand) -> str:
    return f"on the {hand.phase}" if hand.board else "before the flop"


def _wrong(history: HandHistory, number: int, reason: str) -> Discrepancy:
    return Discrepancy(f"action {number + 1} ({_words(history, history.steps[number])}): {reason}")


def _words(history: HandHistory, step: Step) -> str:
    """Name a step in the notation of the Poker Hand History standard."""
    from poker_actors.history.phh_write import step_text

    return step_text(step, history.scale)
