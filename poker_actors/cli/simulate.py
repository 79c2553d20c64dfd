"""`poker-actors simulate`: play many hands between bots and print the results."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import attrs
from cyclopts import Parameter

from poker_actors.cli.output import NO, columns, console, note, progress, say
from poker_actors.cli.simulation_files import Files, command_line, print_result
from poker_actors.cli.values import (
    BOT,
    FILE,
    GAME,
    Blinds,
    Driver,
    JsonOption,
    JsonTarget,
    Seed,
    SeedFile,
    Stacks,
    to_be_printed,
    typed_seed,
)
from poker_actors.errors import BadInput, BadSpec, MissingExtra, MissingFeature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from poker_actors.bots import BotSpec
    from poker_actors.rules import Stakes
    from poker_actors.rules.cash import CashOptions
    from poker_actors.sim import Form, Match, PlayerResult, Simulation, SimulationResult, exports

DEFAULT_DIFFERENCE: Final = 5.0
"""In bb/100. The same default as in `sim.judging`, which is too slow to import just to parse a command line."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Played:
    """Options that decide the hands."""

    bot: Annotated[list[str] | None, BOT] = None
    """A bot, once per seat: NAME, NAME:key=value,key=value, FILE.py:FUNCTION, MODULE:FUNCTION, cage:FILE.py:FUNCTION,
    mit:DIR, model:URL#NAME or cmd:COMMAND. Six different ones if none is given."""
    isolate: bool = False
    """Play programs and bots from files in cages, without access to the network or to others' files and processes."""
    hands: int | None = None
    """How many hands to play: 10000 if not given; with --until-decided, the most, a million if not given."""
    seed: Seed = None
    seed_file: SeedFile = None
    stacks: Stacks = None
    blinds: Blinds = None
    ante: int | None = None
    """The ante of each seat, in chips; the game's own if not given."""
    straddle: bool = False
    """Let the seat left of the big blind post twice the big blind and act last before the flop."""
    rake: Annotated[str | None, Parameter(metavar="PERCENT%/CAP")] = None
    """The rake, such as 5%/3: 5 % of each pot, at most 3 chips; no flop, no drop."""
    run_it_twice: bool = False
    """Run the rest of the board twice when nobody can bet any more."""
    bomb_pot: Annotated[str | None, Parameter(metavar="N/ANTE")] = None
    """Every N hands, everybody antes (5 big blinds if only N is given) and play begins on the flop."""
    bomb_boards: int | None = None
    """Boards of a bomb pot, each for its part of the pot: 1 if not given, at most 2."""
    game: Annotated[str, GAME] = "holdem"
    """The game: a name that `poker-actors games` lists, FILE.py:NAME, or an orbit of each: horse, 8-game, A+B."""
    duplicate: bool = False
    """Play each deck once per seat with the bots moved on, so that the luck of the deal cancels."""
    carry_over: bool = False
    """Let stacks carry over from hand to hand, with rebuys, instead of resetting them."""
    session: int | None = None
    """Hands of a session with --carry-over, after which stacks start again: 100 if not given."""

    @property
    def root(self) -> int | None:
        """The seed given, as an option or in a file; None for one to be drawn. Raise `BadSpec` if both are given."""
        return typed_seed(self.seed, self.seed_file)

    @property
    def form(self) -> Form:
        """Whether hands are independent, duplicate or carry stacks over; raise `BadSpec` for contradictory options."""
        from poker_actors.sim import CarryOver, Cash, Duplicate

        if self.duplicate and self.carry_over:
            raise BadSpec("--duplicate and --carry-over exclude each other: choose one")
        if self.session is not None and not self.carry_over:
            raise BadSpec("--session needs --carry-over")
        if self.carry_over:
            return CarryOver() if self.session is None else CarryOver(self.session)
        return Duplicate() if self.duplicate else Cash()

    @property
    def stakes(self) -> Stakes:
        """Blinds, ante and straddle; raise `BadSpec` if they cannot be read or do not fit the game."""
        return staked(self.game, self.blinds, self.ante, straddle=self.straddle)

    @property
    def options(self) -> CashOptions | None:
        """Rake, bomb pots and running it twice; None without any. Raise `BadSpec` if they cannot be read."""
        from poker_actors.rules.cash import CashOptions, Rake

        rake = None if self.rake is None else Rake.parse(self.rake)
        every, ante = self._bomb_pots()
        if self.bomb_boards is not None and not every:
            raise BadSpec("--bomb-boards needs --bomb-pot")
        boards = 1 if self.bomb_boards is None else self.bomb_boards
        options = CashOptions(rake, ante, every, 2 if self.run_it_twice else 1, boards)
        return None if options == CashOptions() else options

    def _bomb_pots(self) -> tuple[int, int]:
        """Return the number of hands from one bomb pot to the next and its ante in chips; zeros for no bomb pots."""
        if self.bomb_pot is None:
            return 0, 0
        match = re.fullmatch(r"([1-9][0-9]{0,8})(?:/([1-9][0-9]{0,14}))?", self.bomb_pot.strip())
        if match is None:
            raise BadSpec(f"--bomb-pot {self.bomb_pot[:40]!r} is not N or N/ANTE, such as 10 or 10/20")
        return int(match[1]), int(match[2] or 5 * self.stakes.big_blind)

    @property
    def count(self) -> int:
        """The number of hands to play."""
        return 10_000 if self.hands is None else self.hands

    def match(self, most: int | None = None) -> Match:
        """Return the match that the options describe, of `most` hands if given and --hands is not.

        Raise `BadInput` for options that cannot be read.
        """
        from poker_actors.rules.games import Rotation
        from poker_actors.sim import DEFAULT_BOTS, Match

        hands = most if self.hands is None and most is not None else self.count
        if hands < 1:
            raise BadSpec(f"--hands {hands} is below the minimum of 1")
        bots = self.bots or DEFAULT_BOTS[: Rotation.named(self.game).max_seats]
        unit = self.form.unit(len(bots)) if self.duplicate else 1  # to whole decks
        return Match.of(bots, hands=-(-hands // unit) * unit, **self.settings)

    def note_added(self, match: Match, most: int | None = None) -> None:
        """Say so if `match` has more hands than were asked for; `most` as in `match`."""
        if match.hands > (most if self.hands is None and most is not None else self.count):
            note(
                f"playing {match.hands} hands: "
                f"duplicate plays each deck once from each of {len(match.bots)} seats"
            )

    @property
    def bots(self) -> list[str]:
        """The bots as given, or in cages; raise `BadInput` for one that cannot be isolated."""
        from poker_actors.bots import BotSpec

        given = self.bot or []
        return [str(BotSpec.isolated(text)) for text in given] if self.isolate else given

    @property
    def settings(self) -> dict[str, Any]:
        """Keyword arguments of every match with these options, except hands and bots; raise `BadInput`."""
        names = ("stacks", "stakes", "game", "form", "options")
        return {"seed": self.root, **{name: getattr(self, name) for name in names}}


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Engine:
    """Options for where and how fast the hands are played and counted; they never change the hands."""

    driver: Driver = "direct"
    """How hands are played: directly, which is fastest, or through the actors."""
    workers: int = 1
    """Processes to play on."""
    engine: Literal["auto", "processes", "ray", "batch"] = "auto"
    """Where workers run: in processes of this machine, on a Ray cluster, or batch, which plays house bots in compiled
    code on either; auto chooses the fastest with the same results."""
    address: str | None = None
    """Address of the Ray cluster, or local to start one here, the default with --engine ray; with --engine batch, play
    there."""
    adjust: Annotated[Literal["luck", "aivat"] | None, Parameter(metavar="[HOW]")] = None
    """Remove the luck of the cards from the results: narrower intervals, slower.

    aivat also removes the luck of a bot that states its odds, heads-up; luck, the default, removes that of
    the cards only.
    """

    def simulation(
        self,
        match: Match,
        sinks: Sequence[exports.Sink | exports.StartingHands],
        deciding: Deciding,
        *,
        examples: bool,
    ) -> Simulation:
        """Return the simulation to run; raise `BadSpec` for an engine or driver that cannot play it."""
        from poker_actors.sim import Simulation, UntilDecided

        settings: dict[str, Any] = {
            "workers": self.workers,
            "engine": self.engine,
            "address": self.address,
            "sinks": sinks,
            "adjust": self.adjust or False,
            "examples": examples,
        }
        if not deciding.until_decided:
            return Simulation(match, self.driver, **settings)
        settings |= {"data": deciding.data, "resume": deciding.resume}
        return UntilDecided(match, self.driver, within=deciding.within, **settings)


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Deciding:
    """Options for a run that stops by itself."""

    until_decided: bool = False
    """Stop once all pairs of bots are told apart, by a test that is valid at every look."""
    within: float | None = None
    """Also stop once bots are known to be within this many bb/100 of each other."""
    data: Annotated[Path | None, FILE] = None
    """Where everything is kept: the file of this run, so that it can be resumed."""
    resume: bool = False
    """Resume what is kept: the run in the --data file."""

    def __attrs_post_init__(self) -> None:
        given = {"--within": self.within, "--data": self.data, "--resume": self.resume or None}
        for option, value in given.items():
            if value is not None and not self.until_decided:
                raise BadSpec(f"{option} needs --until-decided")
        if self.within is not None and not 0 < self.within < math.inf:
            raise BadSpec(f"--within {self.within:g} is not above 0 bb/100")
        if self.resume and self.data is None:
            raise BadSpec("--resume needs --data FILE, the run to continue")
        if self.data is not None and (not self.data.absolute().parent.is_dir() or self.data.is_dir()):
            raise BadSpec(f"--data {self.data} is not a file name in an existing directory")
        if self.data is not None and self.data.exists() and not self.resume:
            raise BadSpec(
                f"{self.data} already exists: --resume continues the run in it, or name another file"
            )

    @property
    def most(self) -> int | None:
        """The limit of hands with --until-decided and no --hands; None otherwise."""
        return _MOST_HANDS if self.until_decided else None


def staked(game: str, blinds: str | None, ante: int | None, *, straddle: bool) -> Stakes:
    """Return the stakes of these options; raise `BadSpec` if they cannot be read or do not fit the game."""
    from poker_actors.rules import Stakes
    from poker_actors.rules.games import Rotation

    stakes = Rotation.named(game).stakes if blinds is None else Stakes.parse(blinds)
    if straddle and not stakes.big_blind:
        raise BadSpec(f"--straddle is twice the big blind, but {game} has none")
    ante = stakes.ante if ante is None else ante
    return attrs.evolve(stakes, ante=ante, straddle=2 * stakes.big_blind if straddle else 0)


_MOST_HANDS: Final = 1_000_000
"""Hands after which --until-decided gives up."""
_QUICK: Final = 0.02
"""Seconds for a decision up to which a program is asked again: twenty hands take a second or two."""
_PLAYED: Final = Played()
_ENGINE: Final = Engine()
_FILES: Final = Files()
_DECIDING: Final = Deciding()


def simulate(
    *,
    played: Played = _PLAYED,
    engine: Engine = _ENGINE,
    files: Files = _FILES,
    deciding: Deciding = _DECIDING,
    hand: int | None = None,
    compare: Annotated[Path | None, FILE] = None,
    difference: float = DEFAULT_DIFFERENCE,
    json: JsonOption = None,
) -> int | None:
    """Play many hands between bots and show who wins, how, and how sure that is.

    The same seed plays the same hands with every driver and any number of workers; each hand can be shown alone. The
    exit status is 1 if a bot was ejected for its faults.

    Args:
        hand: One hand, by its number from 0: show it street by street, with all cards, instead of playing all.
        compare: An earlier result, written by --json: show how much better each bot does now.
        difference: Print how many hands it takes to detect this many bb/100 between any two bots in four runs out of five.
    """
    if hand is not None and hand < 0:
        raise BadSpec(f"--hand {hand} is below the minimum of 0")
    if not 0 < difference < math.inf:
        raise BadSpec(f"--difference {difference:g} is not above 0 bb/100")
    if deciding.resume and deciding.data is not None and played.root is None:
        played = attrs.evolve(played, seed=_seed_of(deciding.data))
    match = played.match(deciding.most)
    shown = Shown(difference, json)
    before = None if compare is None else _read(compare, len(match.bots))
    if hand is not None:
        _note_peeking(match)
        _show_hand(match, engine.driver, hand, json)
        return None
    with files.opened(match) as (sinks, starting_hands):
        simulation = engine.simulation(match, sinks, deciding, examples=files.report is not None)
        played.note_added(match, deciding.most)
        _note_peeking(match)
        if played.root is None:
            note(f"seed {match.seed}")
        note_by_hand(simulation.not_compiled)
        if simulation.adjusted_by:
            note(simulation.adjusted_by)
        _play(simulation, before, shown)
    result = simulation.result()
    compared = None if before is None else result.compare(before)
    command = command_line(match, result.hands, adjust=engine.adjust)
    files.draw(result, starting_hands, command, compared, difference=difference)
    return NO if any(player.faults.ejected is not None for player in result.players) else None


def note_by_hand(reason: str) -> None:
    """Print on stderr why the engine batch plays hand by hand; an empty `reason` prints nothing."""
    if reason:
        note(f"played hand by hand, which is slower: {reason}")


def refuse_ray(command: str, engine: Engine) -> None:
    """Raise `BadSpec` for Ray in a command of many matches: each would start a cluster of its own."""
    if engine.engine == "ray" or engine.address is not None:
        raise BadSpec(f"--engine ray and --address do not work with {command}: its matches are played here")


def _seed_of(path: Path) -> int | None:
    """Return the seed of the run kept at `path`; None if there is no run yet."""
    from poker_actors.sim import seed_of_run

    if not path.exists():
        note(f"there is no {path} yet: a new run begins")
        return None
    return seed_of_run(path)


def _note_peeking(match: Match) -> None:
    from poker_actors.bots import peeking_bots

    names = [spec.text for spec in match.bots if peeking_bots([spec.source.factory])]
    if names:
        note(f"shown the others' cards at its request: {', '.join(names)}")


def _read(path: Path, seats: int) -> SimulationResult:
    """Return the result to compare with; raise `BadSpec` unless it has `seats` players.

    It is read before the first hand, so that a bad file does not cost a whole run.
    """
    from poker_actors.sim import SimulationResult

    result = SimulationResult.load(path)
    if len(result.players) != seats:
        raise BadSpec(
            f"{path} has {len(result.players)} players, not {seats}: results are compared seat by seat"
        )
    return result


@attrs.frozen
class Shown:
    """How to show a result: the difference to plan for, in bb/100, and where JSON goes."""

    difference: float
    json: JsonTarget | None


def _is_quick_program(spec: BotSpec, player: PlayerResult) -> bool:
    """Whether a bot is a program, with luck we cannot see, that decides fast enough to be asked again unnoticed."""
    used = player.faults.used
    return str(spec).startswith(("cmd:", "cage:")) and used.calls > 0 and used.seconds / used.calls < _QUICK


def _play(simulation: Simulation, before: SimulationResult | None, shown: Shown) -> None:
    try:
        with progress("hands", simulation.match.hands) as advance:
            simulation.run(advance)
    except KeyboardInterrupt:
        if simulation.result().hands:
            _show(simulation.result(), before, shown)
        raise
    except Exception as error:
        if not isinstance(error, BadInput | MissingExtra | MissingFeature):
            from poker_actors.cli.postmortem import leave_hand

            leave_hand(simulation.match, error)
        raise
    result = simulation.result()
    _show(result, before, shown)
    if simulation.foreign_luck:
        note(
            "a bot draws from the module random: this run cannot be repeated; view.rng follows from the seed"
        )
    if simulation.foreign_luck or any(map(_is_quick_program, simulation.match.bots, result.players)):
        from poker_actors.cli.postmortem import say_impure

        say_impure(simulation.match)
    if any(player.faults.first for player in result.players):
        from poker_actors.cli.postmortem import say_faults

        say_faults(simulation.match, result.players)


def _show(result: SimulationResult, before: SimulationResult | None, shown: Shown) -> None:
    comparison = None if before is None else result.compare(before)
    json = shown.json
    if json is not None:
        planned = result.plan(shown.difference)
        compared = {} if comparison is None else {"comparison": comparison.to_dict()}
        plan = {"plan": None if planned is None else planned.to_dict()}
        json.write(result.to_dict() | plan | compared)
    if json is None or not json.is_stdout:
        print_result(result, shown.difference)
        if comparison is not None:
            say(comparison.text(columns()))


def _show_hand(match: Match, driver: str, number: int, json: JsonTarget | None) -> None:
    from poker_actors.sim import hand_dict, play_hand, tell_hand, transcripts_of

    if match.rounds:
        from poker_actors.sim.engines import play_rounds
        from poker_actors.sim.exports import round_row

        for ended in play_rounds(match, range(number, number + 1)):
            if to_be_printed(json, round_row(match, ended, [str(spec) for spec in match.bots])):
                console().print("\n".join(ended.state.log), markup=False, highlight=False)
        return
    hand, who = play_hand(match, number, driver)
    said = transcripts_of(match.bots)
    talks = [{"bot": bot, **attrs.asdict(attempt)} for bot, attempt in said.get(number, ())]
    if to_be_printed(json, hand_dict(number, hand) | ({"transcript": talks} if talks else {})):
        out = console()
        out.print(f"hand {number} of seed {match.seed}")
        names = [str(spec) for spec in match.bots]
        talk = [attempt for _, attempt in said.get(number, ())]
        for line in tell_hand(hand, [names[bot] for bot in who], talk):
            out.print(line)
