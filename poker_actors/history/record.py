"""Record a hand played here as a history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, groupby

from poker_actors.cards import Card
from poker_actors.errors import BadHistory
from poker_actors.history.draft import moment_fields
from poker_actors.history.hand_history import (
    RECORDED,
    RESHUFFLED,
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    HandHistory,
    Showed,
    Step,
)
from poker_actors.rules import Action, Bet, BringIn, Call, Check, Discard, Fold, Hand, RaiseTo, Stakes
from poker_actors.rules import event as events
from poker_actors.rules.games import Betting
from poker_actors.rules.log import action_of, seat_of


def streets_of(hand: Hand, order: Sequence[int]) -> Iterator[Step]:
    """Yield deals, turns, discards and shows in order; `order` holds the seats by player."""
    player = {seat: place for place, seat in enumerate(order)}
    assert hand.extra is not None
    thrown = iter([cards for _, _, cards in hand.extra.thrown])
    runs = groupby(_told_steps(hand, player, thrown), key=_is_of_a_draw)
    ordered = chain.from_iterable([*_by_draw(steps)] if drawn else [*steps] for drawn, steps in runs)
    for dealt, some in groupby(ordered, key=lambda step: type(step) is Dealt):
        steps = [*some]
        yield from _joined(steps) if dealt else steps


def _is_of_a_draw(step: Step) -> bool:
    return type(step) is Discarded or type(step) is Dealt or type(step) is Comment


def _by_draw(steps: Iterator[Step]) -> Iterator[Step]:
    """Put all discards of a draw before the new cards, as the standard lists them."""
    thrown: dict[int, Step] = {}
    new: list[Step] = []
    for step in steps:
        if type(step) is Discarded:
            if step.player in thrown:  # a second discard begins the next draw: all players in it are all-in
                yield from (*thrown.values(), *new)
                thrown, new = {}, []
            thrown[step.player] = step
        elif thrown:
            new.append(step)
        else:
            yield step
    yield from (*thrown.values(), *new)


def _joined(deals: Sequence[Step]) -> Iterator[Step]:
    """Join the cards dealt face down and face up to a player on one street into one deal."""
    for player, own in groupby(deals, key=lambda step: getattr(step, "player", -1)):
        yield Dealt(player, tuple([card for step in own if type(step) is Dealt for card in step.cards]))


def _told_steps(hand: Hand, player: dict[int, int], thrown: Iterator[tuple[Card, ...]]) -> Iterator[Step]:
    for event in hand.events():
        match event:
            case events.HoleDealt(seat, cards) | events.OpenDealt(seat, cards):
                yield Dealt(player[seat], cards)
            case events.StreetDealt(_, cards) if cards:
                yield BoardDealt(cards)
            case events.Reshuffled():
                yield Comment(RESHUFFLED)
            case events.Acted(seat, Discard()):
                yield Discarded(player[seat], next(thrown))
            case events.Acted():
                yield action_step(player[event.seat], event.action)
            case events.Shown(seat, cards):
                yield Showed(player[seat], cards)
            case events.Mucked(seat):
                yield Showed(player[seat], ())
            case _:
                pass


def action_step(player: int, action: Action) -> ActionStep:
    """Return the step in which a player takes an action other than a draw."""
    match action:
        case Fold():
            return ActionStep(player, ActionKind.FOLD)
        case Bet(total) | RaiseTo(total):
            return ActionStep(player, ActionKind.RAISE, total)
        case BringIn():
            return ActionStep(player, ActionKind.BRING_IN)
        case _:
            return ActionStep(player, ActionKind.CALL)


_FOLDS = [ActionStep(player, ActionKind.FOLD) for player in range(16)]
_CALLS = [ActionStep(player, ActionKind.CALL) for player in range(16)]
"""Made once, since most turns of most hands are one of these."""


def record(
    hand: Hand,
    *,
    players: Sequence[str] = (),
    hand_id: str = "",
    table: str = "",
    time: datetime | None = None,
    fields: Mapping[str, object] | None = None,
) -> HandHistory:
    """Record a hand as far as it has been played, with all hole cards.

    `players` are names by seat; `time` must have a time zone and is kept in UTC; `fields` are other
    fields of the Poker Hand History standard. The rake is recorded if the hand has options. Raises
    `BadHistory` for bomb pots, which no format can express, for games outside
    `RECORDED`, for a time without a zone, and for a hand with listed posts, which came from a history.
    """
    if hand.game.name not in RECORDED:
        raise BadHistory(f"{hand.game.title} has no hand history")
    if hand.options is not None and hand.options.bomb_pot:
        raise BadHistory("bomb pots have no hand history: there, a hand begins with a street of betting")
    if hand.posts is not None and hand.positions is None:
        raise BadHistory("a hand with listed posts came from a history: write that instead")
    order = _order(hand)
    antes, blinds = _forced(hand.stakes, order, hand)
    steps = _steps(hand, order) if hand.game.plain else streets_of(hand, order)
    return HandHistory(
        game=hand.game,
        stacks=tuple([hand.starting[seat] for seat in order]),
        blinds=blinds,
        min_bet=hand.stakes.min_bet,
        steps=tuple(steps),
        antes=antes,
        trimmed_antes=hand.stakes.ante > 0,
        players=tuple([players[seat] for seat in order]) if players else (),
        seats=tuple(order),
        finishing=tuple([hand.stacks[seat] for seat in order]),
        rake=None if hand.options is None else hand.rake,
        fields=_said(hand, hand_id, table, time) | dict(fields or {}),
        bring_in=hand.stakes.bring_in,
        dead_small=_dead_small(hand),
        run_again=_run_again(hand),
    )


def _run_again(hand: Hand) -> tuple[tuple[Card, ...], ...]:
    """Return the cards that further runs of the board dealt."""
    if hand.extra is None or hand.extra.complete_from is None or len(hand.boards) == 1:
        return ()
    shared = len(hand.extra.complete_from[0])
    return tuple([board[shared:] for board in hand.boards[1:]])


def _said(hand: Hand, hand_id: str, table: str, time: datetime | None) -> dict[str, object]:
    """Return the facts beside the play, under the names of the standard."""
    said: dict[str, object] = {key: text for key, text in (("hand", hand_id), ("table", table)) if text}
    if time is not None:
        if time.tzinfo is None:
            raise BadHistory(f"the time {time} has no time zone")
        said |= moment_fields(time.astimezone(UTC))
    said["seat_count"] = len(hand.starting)
    return said


def _order(hand: Hand) -> list[int]:
    """Return the seats dealt in, from the left of the button."""
    size = len(hand.starting)
    first = hand.button + 1
    seats = [seat % size for seat in range(first, first + size) if hand.starting[seat % size]]
    if hand.positions is not None:
        seats = [seat for seat in seats if seat in hand.positions.dealt]
    return seats


def _dead_small(hand: Hand) -> int:
    """Return the size of a dead small blind, which no list of posts has, where the size of the pot bounds raises."""
    dead = hand.game.betting is Betting.POT_LIMIT and hand.public().setup.small_blind is None
    return hand.stakes.small_blind if dead else 0


def _forced(stakes: Stakes, order: list[int], hand: Hand) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return antes and blinds by player."""
    setup = hand.public().setup
    blinds = [0] * len(order)
    if setup.small_blind is not None:
        blinds[order.index(setup.small_blind)] = stakes.small_blind
    big = order.index(setup.big_blind)
    blinds[big] = stakes.big_blind
    if stakes.straddle:
        blinds[(big + 1) % len(order)] = stakes.straddle
    antes = [stakes.ante] * len(order)
    # A history posts antes before blinds, but here the big blind ante is paid from what the blind leaves.
    left = hand.starting[setup.big_blind] - stakes.ante - stakes.big_blind
    antes[big] += min(stakes.big_blind_ante, max(left, 0))
    for post in hand.posts or ():
        # so is a missed small blind, which is dead, from what a missed big one leaves
        place, left = order.index(post.seat), hand.starting[post.seat] - stakes.ante
        if post.kind is events.Post.EXTRA_BLIND:
            blinds[place] = -min(post.amount, max(left, 0))
        elif post.kind is events.Post.DEAD_BLIND:
            antes[place] += min(post.amount, max(left - abs(blinds[place]), 0))
    return tuple(antes) if any(antes) else (), tuple(blinds)


def _steps(hand: Hand, order: list[int]) -> Iterator[Step]:
    """Yield deals and turns in order; all-in players show before the rest of the board is dealt."""
    player = {seat: place for place, seat in enumerate(order)}
    for place, seat in enumerate(order):
        yield Dealt(place, hand.holes[seat])
    marks = hand.marks
    streets = hand.game.streets
    at = street = 0
    dealt = 0
    for place, entry in enumerate(hand.log):
        while street + 1 < len(marks) and marks[street + 1] <= place:
            street += 1
            at, dealt = dealt, dealt + streets[street].board
            yield BoardDealt(hand.board[at:dealt])
        who = player[seat_of(entry)]
        match action_of(entry):
            case Bet(total) | RaiseTo(total):
                yield ActionStep(who, ActionKind.RAISE, total)
            case Fold():
                yield _FOLDS[who]
            case Check() | Call():
                yield _CALLS[who]
    if hand.strengths is not None:
        yield from _shows(hand, player)
    while street + 1 < len(marks):
        street += 1
        at, dealt = dealt, dealt + streets[street].board
        yield BoardDealt(hand.board[at:dealt])
    for seat in hand.shows:
        if hand.strengths is None or seat not in hand.live:
            yield Showed(player[seat], hand.holes[seat])


def _shows(hand: Hand, player: dict[int, int]) -> Iterator[Showed]:
    shown = dict(hand.public().shown)
    start = next(iter(shown))
    first = hand.live.index(start)
    for seat in hand.live[first:] + hand.live[:first]:
        yield Showed(player[seat], shown.get(seat, ()))
