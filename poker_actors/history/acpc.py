"""Match logs of the Annual Computer Poker Competition: one `STATE:` line a hand.

A log gives neither stacks nor blinds. They are taken from our own comment before the hand
(`# game holdem blinds 1|2 min-bet 2 stacks 200|200`), else from the competition's game file
named in the log's header, else from the competition's standard games for two and three players.
No-limit raises are totals over the whole hand, not over the street.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final

import attrs

from poker_actors.errors import BadCard, BadHistory, Discrepancy, IllegalAction
from poker_actors.history.chips import MOST_DECIMALS, in_chips, read_amount, scale_of
from poker_actors.history.hand_history import (
    RECORDED,
    ActionKind,
    ActionStep,
    BoardDealt,
    Dealt,
    HandHistory,
    Step,
)
from poker_actors.history.replay import deal, replay
from poker_actors.history.source import Chunk
from poker_actors.history.unknown import UNKNOWN, cards_text, parse_known_or_not
from poker_actors.rules import Hand

__all__ = ["acpc_lines", "acpc_text", "parse_acpc"]

_STATE: Final = re.compile(r"STATE:([0-9]{1,18}):([0-9crf/]*):([^:]*):([-0-9.|]*):([^:\n]*)")
_GAME: Final = re.compile(r"# game ([a-z0-9-]+) blinds ([0-9|]+) min-bet ([0-9]+) stacks ([0-9|]+)")
_GAME_FILE: Final = re.compile(r"holdem\.(limit|nolimit)\.([0-9])p(?:\.reverse_blinds)?\.game")
_RAISE: Final = re.compile(r"r[0-9]{0,18}|[cf/]")

_ROUNDED: Final = 10**MOST_DECIMALS
"""The scale of payoffs with six decimals, the precision to which the competition's dealer rounds."""

_COMPETITION: Final = {
    # game, blinds by player, smallest bet, stack; the limit stacks are too deep for a hand to use up
    ("nolimit", "2"): ("holdem", "100|50", 100, 20_000),
    ("nolimit", "3"): ("holdem", "50|100|0", 100, 20_000),
    ("limit", "2"): ("limit-holdem", "10|5", 10, 1_000_000),
    ("limit", "3"): ("limit-holdem", "5|10|0", 10, 1_000_000),
}


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
                game = _competition(named[1], named[2]) or game
        elif text and not text.startswith("SCORE:"):
            yield Chunk(f"{game}\n{text}", number)


def _competition(betting: str, players: str) -> str:
    known = _COMPETITION.get((betting, players))
    if known is None:
        return ""
    name, blinds, min_bet, stack = known
    stacks = "|".join([str(stack)] * int(players))
    return f"# game {name} blinds {blinds} min-bet {min_bet} stacks {stacks}"


def parse_acpc(chunk: Chunk) -> HandHistory:
    """Read one hand; raise `BadHistory` with its line, or `Discrepancy` for actions out of order."""
    game, _, state = chunk.text.partition("\n")
    try:
        return _parse(game, state)
    except (BadHistory, BadCard) as error:
        kind = type(error) if isinstance(error, BadHistory) else BadHistory
        raise kind(f"line {chunk.line}: {error}") from None


def _parse(game: str, text: str) -> HandHistory:
    state = _STATE.fullmatch(text)
    if state is None:
        raise BadHistory(f"{text[:60]!r} is no STATE:number:actions:cards:values:players")
    number, betting, cards, values, names = state.groups()
    holes, *board = cards.split("/")
    size = holes.count("|") + 1
    setup = _setup(game, betting, size)
    steps: list[Step] = [Dealt(player, parse_known_or_not(hole)) for player, hole in _dealt(holes)]
    streets = [BoardDealt(parse_known_or_not(street)) for street in board]
    blank = _blank(setup, (*steps, *streets))
    payoffs = _payoffs(values, size)
    scale = scale_of(payoffs)
    if scale > 1:
        blank = _scaled(blank, scale)
    steps += _turns(blank, betting, streets)
    players = tuple(names.split("|"))
    if len(players) != size:
        raise BadHistory(f"{len(players)} names for {size} players")
    history = HandHistory(
        blank.game,
        blank.stacks,
        blank.blinds,
        blank.min_bet,
        tuple(steps),
        players=players if any(players) else (),
        finishing=tuple(
            stack + in_chips(payoff, scale) for stack, payoff in zip(blank.stacks, payoffs, strict=True)
        ),
        scale=blank.scale,
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


def _dealt(holes: str) -> list[tuple[int, str]]:
    return [(player, hole) for player, hole in enumerate(holes.split("|")) if hole]


def _setup(game: str, betting: str, size: int) -> re.Match[str]:
    """Match the `# game` line, or the standard game of this betting and size; raise `BadHistory` for neither."""
    if not game:
        kind = "nolimit" if re.search("r[0-9]", betting) else "limit" if "r" in betting else ""
        game = _competition(kind, str(size))
        if not game:
            text = f"nothing says the stakes of this hand of {size}: put a line such as"
            raise BadHistory(f"{text} '# game holdem blinds 1|2|0 min-bet 2 stacks 200|200|200' before it")
    setup = _GAME.fullmatch(game)
    if setup is None or setup[1] not in RECORDED or not RECORDED[setup[1]].plain:
        raise BadHistory(f"{game[:60]!r} says no game")
    if not (setup[2].count("|") == setup[4].count("|") == size - 1) or not 2 <= size <= 10:
        raise BadHistory(f"the cards are of {size} players and {game[:60]!r} is not")
    return setup


def _blank(setup: re.Match[str], steps: tuple[Step, ...]) -> HandHistory:
    """Make a history with `steps` and no actions yet."""
    blinds, stacks = (tuple(map(_chips, setup[group].split("|"))) for group in (2, 4))
    if 0 in stacks:
        raise BadHistory(f"the stack of p{stacks.index(0) + 1} is 0: it cannot play")
    return HandHistory(RECORDED[setup[1]], stacks, blinds, _chips(setup[3]), steps)


def _chips(text: str) -> int:
    amount = read_amount("an amount", int(text) if text and len(text) < 19 else None)
    assert isinstance(amount, int)
    return amount


def _scaled(blank: HandHistory, scale: int) -> HandHistory:
    """Multiply every amount by `scale`, so that payoffs with decimals are whole chips."""
    return HandHistory(
        blank.game,
        tuple(stack * scale for stack in blank.stacks),
        tuple(blind * scale for blind in blank.blinds),
        blank.min_bet * scale,
        blank.steps,
        scale=scale,
    )


def _payoffs(values: str, size: int) -> list[Decimal | int]:
    found = values.split("|")
    if len(found) != size:
        raise BadHistory(f"{len(found)} values for {size} players")
    payoffs: list[Decimal | int] = []
    for text in found:
        if re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]{1,18})?", text) is None:
            raise BadHistory(f"{text[:20]!r} is no value")
        payoffs.append(read_amount("a value", Decimal(text) if "." in text else int(text)))
    return payoffs


def _turns(blank: HandHistory, betting: str, board: list[BoardDealt]) -> Iterator[Step]:
    """Yield turns and boards in order, playing the hand along: a log does not say whose turn it is."""
    hand = deal(blank)
    start = 0  # chips put in by each player still able to act when the street opened
    dealt = 0
    for action in _RAISE.findall(betting):
        if action == "/":
            if dealt < len(board):
                yield board[dealt]
            dealt += 1
            start = max(hand.public().log.put_in)
            continue
        if hand.over or hand.street != dealt:
            why = "the hand is over" if hand.over else f"the betting is on street {hand.street + 1}"
            raise Discrepancy(f"{action!r} on street {dealt + 1} of {betting[:60]!r}: {why}")
        try:
            yield _turn(hand, action, start, blank)
        except IllegalAction as error:
            raise Discrepancy(f"{action!r} in {betting[:60]!r}: {error}") from None
    yield from board[dealt:]


def _turn(hand: Hand, action: str, start: int, blank: HandHistory) -> ActionStep:
    player = hand.to_act[0]
    if action == "f":
        hand.fold()
        return ActionStep(player, ActionKind.FOLD)
    if action == "c":
        hand.check_or_call()
        return ActionStep(player, ActionKind.CALL)
    if action == "r":
        if not hand.game.bets_per_street:
            raise IllegalAction("a no-limit raise needs an amount")
        total = hand.legal.max_raise_to
    else:
        total = int(action[1:]) * blank.scale - start
    hand.raise_to(total)
    return ActionStep(player, ActionKind.RAISE, total)


def acpc_text(history: HandHistory, number: int = 0) -> str:
    """Return a hand as two lines, the `# game` comment and `STATE:`, without the final newline.

    The hand's id is written as its number if it consists of digits, else `number` is. Raises
    `BadHistory` for what a log cannot carry: antes, newcomers' blinds, names with `|` or `:`.
    """
    if not history.game.plain:
        raise BadHistory(f"an ACPC log has no words for {history.game.title}")
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
        raise BadHistory("an ACPC log needs payoffs, and unknown cards decide this hand")
    payoffs = [end - start for end, start in zip(stacks, history.stacks, strict=True)]
    hand_id = history.hand_id
    game = (
        f"# game {history.game.name} blinds {_joined(history.blinds)} "
        f"min-bet {history.min_bet} stacks {_joined(history.stacks)}"
    )
    holes = "|".join("" if UNKNOWN in hole else cards_text(hole) for hole in history.holes)
    boards = [f"/{cards_text(step.cards)}" for step in history.steps if type(step) is BoardDealt]
    betting = _betting(history)
    fields = (hand_id if hand_id.isdecimal() else str(number), betting, holes + "".join(boards))
    return f"{game}\nSTATE:{':'.join(fields)}:{_joined(payoffs)}:{'|'.join(names)}"


def _joined(amounts: Iterable[int]) -> str:
    return "|".join(map(str, amounts))


def _betting(history: HandHistory) -> str:
    parts = []
    hand = deal(history)
    start = 0
    for step in history.steps:
        if type(step) is BoardDealt:
            parts.append("/")
            start = max(hand.public().log.put_in)
        elif type(step) is ActionStep:
            if step.move is ActionKind.RAISE:
                parts.append("r" if hand.game.bets_per_street else f"r{start + step.total}")
                hand.raise_to(step.total)
            elif step.move is ActionKind.CALL:
                parts.append("c")
                hand.check_or_call()
            else:
                parts.append("f")
                hand.fold()
    return "".join(parts)
