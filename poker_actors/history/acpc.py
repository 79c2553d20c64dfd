"""The notation of the Annual Computer Poker Competition, and its match logs: one `STATE:` line a hand.

A log gives neither stacks nor blinds. They are taken from our own comment before the hand
(`# game holdem blinds 1|2 min-bet 2 stacks 200|200`), else from the competition's game file
named in the log's header, else from the competition's standard games for two and three players.
No-limit raises are totals over the whole hand, not over the street.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadCard, BadHistory, BadSpec, Discrepancy, IllegalAction
from poker_actors.history.draft import MOST_DECIMALS, in_chips, read_amount, scale_of
from poker_actors.history.hand_history import (
    RECORDED,
    ActionKind,
    BoardDealt,
    Dealt,
    HandHistory,
    Step,
)
from poker_actors.history.record import action_step
from poker_actors.history.replay import deal, replay
from poker_actors.history.source import Chunk, at_line
from poker_actors.history.unknown import UNKNOWN, cards_text, parse_known_or_not
from poker_actors.rules import Action, Bet, Call, Check, Fold, Hand, RaiseTo

__all__ = [
    "COMPETITION",
    "acpc_lines",
    "acpc_text",
    "action_text",
    "betting_text",
    "game_comment",
    "parse_acpc",
    "put_in_before",
    "state_body",
    "turns_in",
]

COMPETITION: Final[dict[str, tuple[tuple[int, ...], int | None]]] = {
    "holdem.limit.2p": ((10, 5), None),
    "holdem.limit.3p": ((5, 10, 0), None),
    "holdem.nolimit.2p": ((100, 50), 20_000),
    "holdem.nolimit.3p": ((50, 100, 0), 20_000),
}
"""The competition's games: blinds by player, and everybody's stack (None: unlimited)."""

_DEEP: Final = 1_000_000
"""The stack in histories of games without one: a hand cannot use it up."""

_TOKEN: Final = re.compile(r"r[0-9]{0,18}|[cf/]")
_BETTING: Final = re.compile(rf"(?:{_TOKEN.pattern})*")
_STATE: Final = re.compile(
    r"STATE:([0-9]{1,18}):([0-9crf/]*):([^:]*):([-0-9.|]*):([^:\n]*?)(?: # [0-9]{9,}\.[0-9]+)?"
)
"""Other programs that log in this notation end the line with the time."""
_GAME: Final = re.compile(r"# game ([a-z0-9-]+) blinds ([0-9|]+) min-bet ([0-9]+) stacks ([0-9|]+)")
_GAME_FILE: Final = re.compile(r"(holdem\.(?:limit|nolimit)\.[0-9]p)(?:\.reverse_blinds)?\.game")

_ROUNDED: Final = 10**MOST_DECIMALS
"""The scale of payoffs with six decimals, the precision to which the competition's dealer rounds."""

# -- the notation --------------------------------------------------------------------------------


def put_in_before(hand: Hand) -> int:
    """Return the chips that the seat to act has put in on earlier streets."""
    seat = hand.to_act[0]
    return hand.public().log.put_in[seat] - hand.bets[seat]


def action_text(hand: Hand, action: Action, before: int) -> str:
    """Write an action of a seat that has put in `before` chips on earlier streets: `c`, `f`, `r`, in no-limit `r300`."""
    match action:
        case Fold():
            return "f"
        case Check() | Call():
            return "c"
        case Bet(total) | RaiseTo(total):
            return "r" if hand.game.bets_per_street else f"r{before + total}"
        case _:
            raise BadSpec(f"{action}: the competition's protocol has no draws and no bring-ins")


def betting_text(hand: Hand) -> str:
    """Return the actions so far, with `/` where a street ended; raises as totals over the hand."""
    streets = hand.public().log.streets()
    return "/".join(
        [
            "".join([action_text(hand, one.action, one.put_in - one.in_front) for one in street])
            for street in streets
        ]
    )


def turns_in(
    betting: str, hand: Hand, *, scale: int = 1, strict: bool = False
) -> Iterator[tuple[int, Action] | None]:
    """Play `betting` on `hand`; yield the seat and action of each turn once it is taken, None for each `/`.

    Amounts are multiplied by `scale`. Raises `IllegalAction` for an action on a street that has ended or one that
    the rules refuse, with `strict` also for a fold with nothing to call, which the competition does not know.
    """
    if _BETTING.fullmatch(betting) is None:
        raise IllegalAction(
            f"{betting[:60]!r} is not betting: c, f, r and / in a row, no-limit raises with a number"
        )
    street = 0
    for token in _TOKEN.findall(betting):
        if token == "/":
            street += 1
            yield None
            continue
        try:
            if hand.street != street:  # the street of a finished hand is none of them
                raise IllegalAction("the hand is over" if hand.over else f"street {street + 1} has ended")
            seat, action = hand.to_act[0], _action(hand, token, scale)
            if strict and token == "f" and not hand.legal.to_call:
                raise IllegalAction("nobody folds with nothing to call")
            hand.act(action)
        except IllegalAction as error:
            raise IllegalAction(f"{betting[:60]!r}: {token}: {error}") from None
        yield seat, action


def _action(hand: Hand, token: str, scale: int) -> Action:
    if token == "f":
        return Fold()
    legal = hand.legal
    if token == "c":
        return Call() if legal.to_call else Check()
    if hand.game.bets_per_street:
        if token != "r":
            raise IllegalAction("a raise in a limit game has no number")
        return RaiseTo(legal.max_raise_to)
    if token == "r":
        raise IllegalAction("a no-limit raise needs the total it raises to")
    return RaiseTo(int(token[1:]) * scale - put_in_before(hand))


def state_body(
    number: int | str, betting: str, holes: Iterable[Sequence[Card]], board: Iterable[Sequence[Card]]
) -> str:
    """Write `number:betting:cards`, the common part of states and log lines; `board` is by street."""
    streets = "".join([f"/{cards_text(street)}" for street in board])
    return f"{number}:{betting}:{'|'.join(map(cards_text, holes))}{streets}"


def game_comment(game: str, blinds: Iterable[int], min_bet: int, stacks: Iterable[int]) -> str:
    """Return the comment with stakes and stacks, by player, of the hands that follow."""
    return f"# game {game} blinds {_joined(blinds)} min-bet {min_bet} stacks {_joined(stacks)}"


def _joined(amounts: Iterable[int]) -> str:
    return "|".join(map(str, amounts))


# -- logs ----------------------------------------------------------------------------------------


def acpc_lines(lines: Iterable[str]) -> Iterator[Chunk]:
    """Yield each `STATE:` line, preceded by the `# game` line that applies to it."""
    game = ""
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text.startswith("#"):
            named = _GAME_FILE.search(text)
            if text.startswith("# game "):
                game = text
            elif named is not None:
                game = _competition(named[1]) or game
        elif text and not text.startswith("SCORE:"):
            yield Chunk(f"{game}\n{text}", number)


def _competition(name: str) -> str:
    if name not in COMPETITION:
        return ""
    blinds, stack = COMPETITION[name]
    game = "holdem" if "nolimit" in name else "limit-holdem"
    return game_comment(game, blinds, max(blinds), [stack or _DEEP] * len(blinds))


def parse_acpc(chunk: Chunk) -> HandHistory:
    """Read one hand; raise `BadHistory` with its line, or `Discrepancy` for actions out of order."""
    game, _, state = chunk.text.partition("\n")
    try:
        return _parse(game, state)
    except (BadHistory, BadCard) as error:
        raise at_line(chunk.line, error) from None


def _parse(game: str, text: str) -> HandHistory:
    state = _STATE.fullmatch(text)
    if state is None:
        raise BadHistory(f"{text[:60]!r} is not STATE:number:actions:cards:values:players")
    number, betting, cards, values, names = state.groups()
    holes, *board = cards.split("/")
    size = holes.count("|") + 1
    setup = _setup(game, betting, size)
    dealt = [(player, hole) for player, hole in enumerate(holes.split("|")) if hole]
    steps: list[Step] = [Dealt(player, parse_known_or_not(hole)) for player, hole in dealt]
    streets = [BoardDealt(parse_known_or_not(street)) for street in board]
    payoffs = _payoffs(values, size)
    scale = scale_of(payoffs)
    blank = _blank(setup, (*steps, *streets), scale)
    steps += _turns(blank, betting, streets)
    players = tuple(names.split("|"))
    if len(players) != size:
        raise BadHistory(f"{len(players)} names for {size} players")
    history = attrs.evolve(
        blank,
        steps=tuple(steps),
        players=players if any(players) else (),
        finishing=tuple(
            stack + in_chips(payoff, scale) for stack, payoff in zip(blank.stacks, payoffs, strict=True)
        ),
        fields={"hand": int(number)},
    )
    return _unrounded(history) if scale == _ROUNDED else history


def _unrounded(history: HandHistory) -> HandHistory:
    """Undo the dealer's rounding of a pot split three ways: the rules say who gets the odd chips.

    Payoffs off by more than rounding are kept as recorded, so that `replay` reports them.
    """
    paid = replay(attrs.evolve(history, finishing=None)).final_stacks
    recorded = history.finishing
    assert recorded is not None
    if paid is None or max(abs(a - b) for a, b in zip(paid, recorded, strict=True)) >= history.size:
        return history
    return attrs.evolve(history, finishing=paid)


def _setup(game: str, betting: str, size: int) -> re.Match[str]:
    """Match the `# game` line, or the standard game of this betting and size; raise `BadHistory` for neither."""
    if not game:
        kind = "nolimit" if re.search("r[0-9]", betting) else "limit" if "r" in betting else ""
        game = _competition(f"holdem.{kind}.{size}p")
        if not game:
            text = f"the stakes of this hand of {size} are missing: put a line such as"
            raise BadHistory(f"{text} '# game holdem blinds 1|2|0 min-bet 2 stacks 200|200|200' before it")
    setup = _GAME.fullmatch(game)
    if setup is None or setup[1] not in RECORDED or not RECORDED[setup[1]].plain:
        raise BadHistory(f"{game[:60]!r} names no game")
    if not (setup[2].count("|") == setup[4].count("|") == size - 1) or not 2 <= size <= 10:
        raise BadHistory(f"the cards are of {size} players, but {game[:60]!r} is not")
    return setup


def _blank(setup: re.Match[str], steps: tuple[Step, ...], scale: int) -> HandHistory:
    """Make a history with `steps` and no actions yet; amounts times `scale`, so that payoffs are whole chips."""
    blinds, stacks = (tuple([_chips(text) * scale for text in setup[group].split("|")]) for group in (2, 4))
    if 0 in stacks:
        raise BadHistory(f"the stack of p{stacks.index(0) + 1} is 0: it cannot play")
    return HandHistory(RECORDED[setup[1]], stacks, blinds, _chips(setup[3]) * scale, steps, scale=scale)


def _chips(text: str) -> int:
    amount = read_amount("an amount", int(text) if text and len(text) < 19 else None)
    assert isinstance(amount, int)
    return amount


def _payoffs(values: str, size: int) -> list[Decimal | int]:
    found = values.split("|")
    if len(found) != size:
        raise BadHistory(f"{len(found)} values for {size} players")
    payoffs: list[Decimal | int] = []
    for text in found:
        if re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]{1,18})?", text) is None:
            raise BadHistory(f"{text[:20]!r} is not a value")
        payoffs.append(read_amount("a value", Decimal(text) if "." in text else int(text)))
    return payoffs


def _turns(blank: HandHistory, betting: str, board: list[BoardDealt]) -> Iterator[Step]:
    """Yield turns and boards in order, playing the hand along: a log does not say whose turn it is."""
    streets = iter(board)
    try:
        for turn in turns_in(betting, deal(blank), scale=blank.scale):
            if turn is None:
                yield from islice(streets, 1)
            else:
                yield action_step(*turn)
    except IllegalAction as error:
        raise Discrepancy(str(error)) from None
    yield from streets


def acpc_text(history: HandHistory, number: int = 0) -> str:
    """Return a hand as two lines, the `# game` comment and `STATE:`, without the final newline.

    The hand's id is written as its number if it consists of digits, else `number` is. Raises
    `BadHistory` for what a log cannot carry: antes, newcomers' blinds, names with `|` or `:`.
    """
    if not history.game.plain:
        raise BadHistory(f"an ACPC log cannot carry {history.game.title}")
    if history.run_again:
        raise BadHistory("an ACPC log cannot carry a board that was run again")
    if history.antes or min(history.blinds) < 0:
        raise BadHistory("an ACPC log cannot carry antes or newcomers' blinds")
    names = history.players or ("",) * history.size
    for name in names:
        if re.search(r"[|:]", name) or not name.isprintable():
            raise BadHistory(f"an ACPC log cannot carry the name {name!r:.40}")
    stacks = history.finishing or replay(history).final_stacks
    if stacks is None:
        raise BadHistory("an ACPC log needs payoffs, but unknown cards decide this hand")
    payoffs = [end - start for end, start in zip(stacks, history.stacks, strict=True)]
    game = game_comment(history.game.name, history.blinds, history.min_bet, history.stacks)
    hand_id = history.hand_id if history.hand_id.isdecimal() else number
    holes = [() if UNKNOWN in hole else hole for hole in history.holes]
    board = [step.cards for step in history.steps if type(step) is BoardDealt]
    body = state_body(hand_id, _betting(history), holes, board)
    return f"{game}\nSTATE:{body}:{_joined(payoffs)}:{'|'.join(names)}"


def _betting(history: HandHistory) -> str:
    hand = deal(history)
    for turn in history.turns:
        if turn.move is ActionKind.RAISE:
            hand.raise_to(turn.total)
        elif turn.move is ActionKind.CALL:
            hand.check_or_call()
        else:
            hand.fold()
    return betting_text(hand)
