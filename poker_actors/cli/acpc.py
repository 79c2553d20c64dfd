"""`poker-actors acpc`: deal a match of the Annual Computer Poker Competition, or play in one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import attrs
from cyclopts import Parameter

from poker_actors.cli.output import NO, console, many, note
from poker_actors.cli.reading import endpoint
from poker_actors.cli.values import (
    BOT,
    FILE,
    WRITTEN,
    BotSeed,
    Force,
    Hands,
    JsonOption,
    SeedFile,
    to_be_printed,
    typed_seed,
)
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from fractions import Fraction

    from poker_actors.guard import Guard
    from poker_actors.wire.acpc import DealerEvent, Guest, MatchFiles, MatchLimits, MatchPlan, Outcome


def acpc_client(
    dealer: str,
    *,
    bot: Annotated[str, BOT],
    definition: Annotated[str, Parameter(name=["--definition", "--game"])] = "holdem.nolimit.2p",
    bot_seed: BotSeed = None,
    connect_seconds: float = 10,
    silent_seconds: float = 1_800,
    json: JsonOption = None,
) -> int | None:
    """Play a match at a dealer that speaks the competition's protocol, until it closes.

    The exit status is 1 if the dealer goes away in the middle of a hand.

    Args:
        dealer: HOST:PORT of the seat.
        bot: A bot, to play for you: NAME, NAME:key=value, FILE.py:FUNCTION, MODULE:FUNCTION or cmd:COMMAND.
        definition: The game definition: holdem.limit.2p, holdem.limit.3p, holdem.nolimit.2p, holdem.nolimit.3p, or FILE.game.
        connect_seconds: How long to try to connect.
        silent_seconds: How long to wait for a silent dealer (exit status 3).
    """
    from poker_actors.wire.acpc import AcpcClient, Guest, definition_named, drawn_seed

    host, port = endpoint(dealer, "DEALER")
    if not 0 < connect_seconds <= 86_400:
        raise BadSpec(f"--connect-seconds {connect_seconds} must be above 0 and at most 86400")
    if not 0 < silent_seconds <= 86_400:
        raise BadSpec(f"--silent-seconds {silent_seconds} must be above 0 and at most 86400")
    game = definition_named(definition)
    seed = drawn_seed() if bot_seed is None else bot_seed
    guest = Guest(bot, game, seed)
    with AcpcClient(host, port, timeout=connect_seconds, silence=silent_seconds) as client:
        if bot_seed is None:
            note(f"seed {seed}")
        try:
            client.play(guest)
        finally:
            _report(guest, json)
    return NO if guest.playing else None


def _report(guest: Guest, json: JsonOption) -> None:
    value = guest.value
    chips = int(value) if value.denominator == 1 else round(float(value), 6)
    faults = guest.faults
    result = {
        "bot": str(guest.spec),
        "game": guest.definition.name,
        "hands": guest.hands,
        "chips": chips,
        "faults": faults.total,
        "first_fault": faults.first or None,
        "complete": not guest.playing,
    }
    if to_be_printed(json, result):
        console().print(
            f"{guest.spec}: {many(guest.hands, 'hand')}, {chips:+,} chips, {many(faults.total, 'fault')} of the bot"
        )


MOST_FAULTS: Final = 20
"""Faults shown on stderr; a bot that gets every action wrong commits thousands."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Written:
    """Options that write files."""

    log: Annotated[Path | None, FILE, WRITTEN] = None
    """Write a log: the hands (.log), for `poker-actors replay`."""
    turns: Annotated[Path | None, FILE, WRITTEN] = None
    """Write every action to this file, so that the match can be resumed."""
    messages: Annotated[Path | None, FILE, WRITTEN] = None
    """Write every line sent and received to this file."""
    force: Force = False
    resume: bool = False
    """Resume what is kept: the match in the --turns file."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Patience:
    """Options that bound a player's time and failures."""

    response_seconds: float = 600
    """The longest that a player may think about one action."""
    hand_seconds: float = 600
    """The longest that a player may think in one hand."""
    per_hand_seconds: float = 7
    """The longest that a player may think in a hand, on average over the match."""
    start_seconds: float | None = None
    """How long to wait for all players to connect; forever if not given."""
    invalid: int | None = None
    """Illegal actions a player may send in the match; unlimited if not given. They become calls."""
    strikes: int = 0
    """Stop waiting for a player after so many failures; until then, each failure is a check or fold.

    0 ends the match at the first failure, as in the competition.
    """
    ignored: int = 1_000
    """Lines a player may send in a turn that answer nothing, comments included; one more is a failure."""

    @property
    def limits(self) -> MatchLimits:
        """Return these limits as the dealer's `MatchLimits`."""
        from poker_actors.wire.acpc import MatchLimits

        return MatchLimits(
            self.response_seconds,
            self.hand_seconds,
            self.per_hand_seconds,
            self.start_seconds,
            self.invalid,
            self.strikes,
            self.ignored,
        )


def acpc_dealer(  # noqa: PLR0913  every option of the command is one
    definition: Annotated[
        str, Parameter(name=["--definition", "--game", "--gamefile"])
    ] = "holdem.nolimit.2p",
    *,
    hands: Hands = 1000,
    seed: int | None = None,
    seed_file: SeedFile = None,
    names: str | None = None,
    name: str = "match",
    host: str = "127.0.0.1",
    ports: str | None = None,
    fixed_seats: bool = False,
    limit: Annotated[list[str] | None, Parameter(metavar="NAME=VALUE")] = None,
    written: Written | None = None,
    patience: Patience | None = None,
    json: JsonOption = None,
) -> int | None:
    """Deal a match by the protocol of the Annual Computer Poker Competition, version 2.0.0.

    The first line on stdout names the ports, one for each player; the last one is the score. The same seed
    deals the cards that the competition's own dealer deals. The exit status is 1 if the match is broken off.

    Args:
        definition: The game definition: holdem.limit.2p, holdem.limit.3p, holdem.nolimit.2p, holdem.nolimit.3p, or FILE.game.
        seed: Seed of everything random: only the cards. 0 to 4294967295 gives the decks of the competition's dealer; if not given, a larger one is drawn and shown.
        names: Names of the players, NAME,NAME; p1,p2 and so on if not given.
        name: Name in the log: the match's.
        host: Address to listen on.
        ports: Ports to listen on, one for each player, such as 18791,18792; 0 is a free one.
        fixed_seats: Keep the button where it is.
        limit: One of the limits that docs/serving.md lists, of connections and messages, such as connections_per_address=2.
    """
    from poker_actors.wire.acpc import MatchPlan, definition_named, drawn_seed

    if not host.strip():  # a socket would listen on every address
        raise BadSpec(
            f"--host {host[:60]!r} is not an address to listen on, such as 127.0.0.1; every address is 0.0.0.0"
        )
    game = definition_named(definition)
    limits = (patience or Patience()).limits
    chosen = {} if names is None else {"names": tuple(names.split(","))}
    given = typed_seed(seed, seed_file)
    plan = MatchPlan(
        game, hands, drawn_seed() if given is None else given, name, fixed_seats, limits, **chosen
    )
    quiet = json is not None and json.is_stdout
    outcome = _played(
        plan, written or Written(), host, _ports(ports), _guard(limit or ()), drawn=given is None, quiet=quiet
    )
    if outcome.broken:
        note(f"the match was broken off after {many(outcome.hands, 'hand')}: {outcome.broken}")
    if json is not None:
        json.write(_result(plan, outcome))
    return NO if outcome.broken else None


def _played(
    plan: MatchPlan,
    written: Written,
    host: str,
    ports: tuple[int, ...],
    guard: Guard,
    *,
    drawn: bool,
    quiet: bool,
) -> Outcome:
    """Deal the match, or the rest of a resumed one; raise `BadSpec` for --resume without --turns."""
    from poker_actors.wire.acpc import Dealer, DealerServer, MatchFiles, read_turns

    turns = written.turns
    if written.resume and turns is None:
        raise BadSpec("--resume needs --turns FILE, the match to continue")
    files = MatchFiles(
        plan,
        log=written.log,
        turns=turns,
        messages=written.messages,
        replace=written.force,
        resume=written.resume,
    )
    played = list(read_turns(turns)) if written.resume and turns is not None and turns.exists() else []
    dealer = Dealer(plan, _Telling(files, quiet))
    with DealerServer(dealer, host, ports, guard=guard) as server, files:
        dealer.resume(played)
        if drawn:
            note(f"seed {plan.seed}")
        _say_ports([port for _, port in server.addresses], quiet)
        return server.play()


_HELD: Final = ("connections", "connections_per_address", "messages_per_second")
"""The limits of `DoorLimits` that a dealer has: it asks for no password."""


def _guard(limits: Sequence[str]) -> Guard:
    from poker_actors.guard import DoorLimits, Guard, limits_from

    for text in limits:
        name = text.partition("=")[0].strip().replace("-", "_")
        if name not in _HELD:
            raise BadSpec(f"--limit {text[:60]!r}: a dealer's limits are {', '.join(_HELD)}")
    return Guard(limits_from(DoorLimits, limits))


class _Telling:
    """Writes the files, reports the players' faults on stderr, and prints the score on stdout."""

    def __init__(self, files: MatchFiles, quiet: bool) -> None:
        self._files = files
        self._quiet = quiet
        self._faults = 0

    def __call__(self, event: DealerEvent) -> None:
        from poker_actors.wire.acpc import Event

        self._files(event)
        if event.kind is Event.FAULT:
            self._faults += 1
            if self._faults <= MOST_FAULTS:
                note(f"hand {event.number}, seat {event.seat}: {event.text}")
            if self._faults == MOST_FAULTS:
                note("further faults are counted but not shown")
        elif event.kind is Event.SCORE and not self._quiet:
            print(event.text, flush=True)


def _ports(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    words = text.split(",")
    for word in words:
        # nine digits are enough to see that it is too large; int() raises ValueError for thousands of them
        if not (word.isascii() and word.isdigit() and int(word[:9]) < 65536):
            raise BadSpec(f"--ports {text[:60]!r}: {word[:20]!r} is not a port, 0 to 65535")
    return tuple(map(int, words))


def _say_ports(ports: list[int], quiet: bool) -> None:
    line = " ".join(map(str, ports))
    if quiet:
        note(line)
    else:
        print(line, flush=True)


def _result(plan: MatchPlan, outcome: Outcome) -> dict[str, object]:
    return {
        "game": plan.definition.name,
        "seed": plan.seed,
        "hands": outcome.hands,
        "broken": outcome.broken or None,
        "digest": outcome.digest,
        "players": [
            {
                "name": seat.name,
                "chips": _chips(seat.value),
                "seconds": round(seat.seconds, 3),
                "invalid": seat.invalid,
                "moved": seat.moved,
                "ignored": seat.ignored,
                "failures": seat.failures,
                "gone": seat.gone,
                "first_fault": seat.first or None,
            }
            for seat in outcome.seats
        ],
    }


def _chips(value: Fraction) -> int | float:
    """Return whole chips as an int and others as a float: the competition splits pots into fractions of a chip."""
    return int(value) if value.denominator == 1 else round(float(value), 6)
