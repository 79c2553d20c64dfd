"""The direct driver: the rules and the bots in one tight loop."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence

from poker_actors.bots import (
    AllIn,
    Bot,
    Faults,
    HandStream,
    Hearing,
    fallback,
    legal_or_fallback,
    peeking_bots,
    show_cards,
)
from poker_actors.errors import IllegalAction
from poker_actors.rules import Action, Hand, View
from poker_actors.rules.games import Rotation
from poker_actors.sim.match import Match
from poker_actors.sim.record import Played


def mark_hand(error: BaseException, match: Match, number: int) -> None:
    """Mark an error as coming from hand `number` of a match; the first mark stays.

    The mark is in the error's `__dict__` and notes, which are pickled, so it survives the trip from a worker.
    """
    if failed_hand(error) is None:
        error.__dict__["failed_hand"] = number
        error.add_note(f"in hand {number} of seed {match.seed}")


def failed_hand(error: BaseException) -> int | None:
    """Return the number of the hand marked on an error; None without a mark."""
    number = error.__dict__.get("failed_hand")
    return number if isinstance(number, int) else None


def play_direct(
    match: Match, hands: range, bots: MutableSequence[Bot], faults: Sequence[Faults]
) -> Iterator[Played]:
    """Play `hands` of the match and yield each one's number, the finished hand, and the bots by seat.

    Once a bot is ejected, `bots` holds `fallback` in its place.
    """
    streams = [HandStream(match.tree, number) for number in range(len(bots))]
    form, stacks, unit, options = match.form, match.stacks, match.unit, match.options
    (game, stakes), peeking = match.played(hands.start), peeking_bots(bots)
    hand, hearing = None, Hearing(bots, faults)
    heard = bool(hearing)
    for number in hands:
        for stream in streams:
            stream.hand = number
        setting = form.setting(number, stacks, hand if number % unit else None)
        if isinstance(match.game, Rotation):
            game, stakes = match.played(number)
        deck = match.deck(number)
        if peeking:
            show_cards(peeking, game, deck, setting.stacks)
        of_hand = None if options is None else options.of_hand(number)
        hand = Hand(setting.stacks, stakes, deck=deck, button=setting.button, game=game, options=of_hand)
        seated = setting.bots
        if heard:
            hearing.started(number, hand, seated)
        _play(hand, number, seated, bots, faults, streams)
        if heard:
            hearing.over(number, hand, seated)
        yield number, hand, seated


def _play(
    hand: Hand,
    number: int,
    seated: tuple[int, ...],
    bots: MutableSequence[Bot],
    faults: Sequence[Faults],
    streams: Sequence[HandStream],
) -> None:
    """Let the bots play a hand to its end."""
    holes = hand.holes
    # `decide`, inlined: the hand checks legality itself, which is a third faster with bots that think little.
    # After a fault the view is a new one, as a bot can write to its own.
    while to_act := hand.to_act:
        who = seated[seat := to_act[0]]
        view = View(hand.public(), seat, holes[seat], streams[who])
        try:
            action = bots[who](view)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  a bot is foreign code: its fault is counted, and the match goes on
            action = faults[who].at(number).has_raised(hand.view(seat), error)
            if faults[who].ejected is not None:
                bots[who] = fallback
        try:
            hand.act(action)
        except Exception as error:  # noqa: BLE001  a bot's fault is counted, a fault of the rules raised again
            hand.act(_instead_of(action, error, hand.view(seat), faults[who].at(number)))
            if faults[who].ejected is not None:
                bots[who] = fallback


def _instead_of(answer: object, error: Exception, view: View, faults: Faults) -> Action:
    """Count an action that the hand refused, or a value that is not an action; return the action to take instead.

    Raises `error` again if the rules failed on a proper action: the hand may be half changed and must
    not be played on.
    """
    nonsense = faults.nonsense
    action = legal_or_fallback(answer, view, faults)
    refused = (
        isinstance(error, IllegalAction) or type(answer) is AllIn
    )  # which compiled rules refuse by its type
    if not refused and faults.nonsense == nonsense:
        raise error
    return action
