"""The table of commands, its listing, and each command's help from a generated file, without loading a parser."""

from __future__ import annotations

import shutil
import textwrap
from importlib.resources import files
from typing import Any, Final

import attrs

from poker_actors.jsontext import parse_json

ABOUT: Final = (
    "A poker room of actors you can embed, run a million hands through, and stop at any single message."
)
HELP_FLAGS: Final = ("--help", "-h")


@attrs.frozen
class Command:
    """One command: a function in `poker_actors.cli`, what it does, and a line to try.

    The word before a space in the name is the command's family: `opp dump` is the function `opp_dump` of the module
    `opp`. `module` is set for a command in another command's module. `summary` repeats the first sentence of the function's
    docstring, so that listing the commands imports none of them.
    """

    name: str
    summary: str
    example: str
    module: str = ""

    @property
    def target(self) -> str:
        """The function as `module:function`, to be imported only when the command is used."""
        word = self.name.replace(" ", "_")
        return f"poker_actors.cli.{self.module or self.name.partition(' ')[0]}:{word}"


COMMANDS: Final = (
    Command(
        "simulate",
        "Play many hands between bots and show who wins, how, and how sure that is.",
        "poker-actors simulate --bot tight --bot maniac --hands 1000",
    ),
    Command(
        "tournament",
        "Play a sit-and-go, a multi-table tournament, or matches between all pairs of bots.",
        "poker-actors tournament --format mtt --players 60 --seats 6 --seed 2",
    ),
    Command(
        "rank",
        "Rank bots by matches between all pairs of them.",
        "poker-actors rank --bot tight --bot loose --bot pot-odds --hands 6000",
    ),
    Command(
        "arena",
        "Run a competition of bots: build, check, cage and rate the entrants in a folder, and resume after a crash.",
        "poker-actors arena examples/arena",
    ),
    Command(
        "lbr",
        "Measure how much a bot that states its odds loses, at least, heads-up to a local best response.",
        "poker-actors lbr tight --hands 200",
        module="rank",
    ),
    Command(
        "train",
        "Train the table of the bot expert, which learns by playing against itself and house bots.",
        "poker-actors train expert --minutes 5",
    ),
    Command(
        "chaos",
        "Play hands while actors crash and messages are lost, doubled, late and out of order.",
        "poker-actors chaos --seed 1 --hands 500",
    ),
    Command(
        "eval",
        "Say how strong a hand of up to nine cards is, jokers included.",
        'poker-actors eval "Ah 7c Jd As 7h"',
    ),
    Command(
        "equity",
        "Print the equities of two to ten hands or ranges: how much of the pot each can expect.",
        "poker-actors equity AsKs QhQd --board Ts9s2d",
        module="eval",
    ),
    Command(
        "account",
        "Manage the accounts of a server: list them, reset a password, end log-ins, delete.",
        "poker-actors account list --data room.db",
    ),
    Command(
        "repair",
        "Check a server's data for damage and, if asked, repair it.",
        "poker-actors repair room.db",
        module="account",
    ),
    Command(
        "replay",
        "Replay hand histories by the rules, checking every action and every payoff.",
        "poker-actors replay hands.phhs --json",
    ),
    Command(
        "convert",
        "Convert hand histories into another format, hand by hand.",
        "poker-actors convert hands.phhs hands.txt --to pokerstars",
    ),
    Command(
        "stats",
        "Show how players play, over hand histories of any format, after checking each hand by the rules.",
        "poker-actors stats hands.phhs --by player --by position",
    ),
    Command(
        "play",
        "Play hold'em, or another game, against one to nine bots until you leave, are out, or have all the chips.",
        "poker-actors play --players 4 --bot tight --bot loose",
    ),
    Command(
        "debug",
        "Step through a hand message by message, forward and back, and ask why.",
        "poker-actors debug --seed 7",
    ),
    Command(
        "console",
        "Play the two-player five-card console game against the CPU.",
        "poker-actors console --seed 11 --difficulty easy",
        module="play",
    ),
    Command(
        "serve",
        "Serve poker until stopped: no-limit hold'em by HSPE's REST API, fixed-limit hold'em for OPP clients.",
        "poker-actors serve --http 127.0.0.1:8080 --data room.db",
    ),
    Command(
        "join",
        "Play on an HSPE server with one of our bots: in the first game with a free seat, or a new one.",
        "poker-actors join http://127.0.0.1:8080 --user ann --bot tight",
    ),
    Command(
        "mcp",
        "Let an agent play by the Model Context Protocol over stdio: on a server, or in a room of its own.",
        "poker-actors mcp http://127.0.0.1:8080 --user ann --password-file ann.txt",
        module="join",
    ),
    Command(
        "opp client",
        "Play limit hold'em on an OPP server: yourself at the terminal, or one of our bots.",
        "poker-actors opp client 127.0.0.1:55006 --user ann --bot pot-odds",
    ),
    Command(
        "opp dump",
        "Show OPP sessions message by message, captured or live, or turn a capture into hand histories.",
        "poker-actors opp dump session.hex",
    ),
    Command(
        "acpc dealer",
        "Deal a match by the protocol of the Annual Computer Poker Competition, version 2.0.0.",
        "poker-actors acpc dealer --definition holdem.nolimit.2p --hands 1000 --log match.log",
    ),
    Command(
        "acpc client",
        "Play a match at a dealer that speaks the competition's protocol, until it closes.",
        "poker-actors acpc client 127.0.0.1:18791 --bot tight",
    ),
    Command(
        "verify",
        "Check that the cards in a fairness record are those committed to before the deal.",
        "poker-actors verify record.json --commitment 5f2c...",
        module="replay",
    ),
    Command(
        "games",
        "List every game, those of installed packages included, by name, PHH code, seats and betting.",
        "poker-actors games",
        module="doctor",
    ),
    Command(
        "doctor",
        "List installed extras, how to get the missing ones, and the commands of a room.",
        "poker-actors doctor stats plot",
    ),
    Command(
        "completion",
        "Print the script that completes commands and options in a shell.",
        "poker-actors completion bash",
        module="doctor",
    ),
)


FAMILIES: Final = {
    "opp": "Play on servers of the Online Poker Protocol (client) and read captured sessions (dump).",
    "acpc": "Deal and play matches by the protocol of the Annual Computer Poker Competition (dealer, client).",
}
"""The families: first words of two-word commands, each with a summary."""

MORE: Final = {
    "Servers and agents": ("join", "mcp", "account", "repair", "verify"),
    "Hands": ("convert",),
    "Bots": ("lbr", "train"),
    "Rooms": ("chaos",),
    "This package": ("games", "completion"),
}
"""Commands that only `poker-actors more` lists in full, so that `poker-actors --help` stays short."""

OLDER: Final = {"opp-dump": "opp dump", "acpc-dealer": "acpc dealer", "acpc-client": "acpc client"}
"""Names of 0.1 that work for one more release -> today's names."""

FIRST: Final = (
    ("who wins", "poker-actors simulate"),
    ("play a hand", "poker-actors play"),
    ("a table in the browser", "poker-actors serve"),
    ("a hand, message by message", "poker-actors debug"),
    ("how strong, how likely", "poker-actors equity AsKs QhQd"),
)
"""First steps to try: a few words, and a command line that works as written."""


def current(arguments: list[str]) -> tuple[list[str], str | None]:
    """Translate names of 0.1 in the arguments; return the arguments, and the new name of a renamed command."""
    first = arguments[0]
    if first in OLDER:
        return [*OLDER[first].split(), *arguments[1:]], OLDER[first]
    second = arguments[1] if len(arguments) > 1 else ""
    family = [command.name.split()[1] for command in COMMANDS if command.name.startswith(f"{first} ")]
    if first == "opp" and second and second not in (*family, *HELP_FLAGS):
        return ["opp", "client", *arguments[1:]], "opp client"
    return arguments, None


def named(arguments: list[str]) -> str | None:
    """Return the command's name at the start of the arguments: one word, or two in a family."""
    names = {command.name for command in COMMANDS}
    return next((name for count in (1, 2) if (name := " ".join(arguments[:count])) in names), None)


def asks_help(arguments: list[str]) -> bool:
    """Return whether the arguments ask for a command's help: a help flag anywhere before `--`."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return named(arguments) is not None and any(flag in options[1:] for flag in HELP_FLAGS)


def listing(family: str = "") -> str:
    """Return the text of `poker-actors --help`: commands with summaries, those of `more` in one row; or a family's."""
    if family:
        members = [command for command in COMMANDS if command.name.startswith(f"{family} ")]
        rows = {command.name.split()[1]: command.summary for command in members}
    else:
        seldom = [name for names in MORE.values() for name in names]
        rows = {word: summary for word, summary in _summaries().items() if word not in seldom}
        rows["more"] = f"List the other commands: {', '.join(seldom)}."
    prefix = f"poker-actors {family}".rstrip()
    flags = ["  --help, -h  Show this."] + ([] if family else ["  --version   Show the version."])
    return "\n".join(
        [
            f"Usage: {prefix} COMMAND",
            "",
            FAMILIES.get(family, ABOUT),
            "",
            "Commands:",
            *_table(rows, max(map(len, rows))),
            "",
            *flags,
            "",
            f"`{prefix} COMMAND --help` says more about a command and shows an example.",
        ]
    )


def more() -> str:
    """Return the text of `poker-actors more`: the other commands by subject."""
    summaries = _summaries()
    width = max(len(name) for names in MORE.values() for name in names)
    blocks = (
        [f"{about}:", *_table({name: summaries[name] for name in names}, width), ""]
        for about, names in MORE.items()
    )
    end = "`poker-actors COMMAND --help` says more about a command and shows an example."
    return "\n".join([*(line for block in blocks for line in block), end])


def _summaries() -> dict[str, str]:
    """Return each first word of a command with what it, or its family, does."""
    summaries = {command.name: command.summary for command in COMMANDS} | FAMILIES
    return {word: summaries[word] for word in dict.fromkeys(command.name.split()[0] for command in COMMANDS)}


def _table(rows: dict[str, str], width: int) -> list[str]:
    return [f"  {name:{width}}  {summary}" for name, summary in rows.items()]


def first_steps() -> str:
    """Return five first steps: the output of `poker-actors` alone."""
    width = max(len(what) for what, _ in FIRST)
    lines = [f"  {what:{width}}  {line}" for what, line in FIRST]
    return "\n".join([ABOUT, "", *lines, "", "`poker-actors --help` lists the commands."])


INDENT: Final = 26
"""Columns for names; a longer name gets its own line."""
NARROW: Final = 70
"""On terminals with fewer columns the texts go below the names."""


def described(name: str) -> dict[str, Any]:
    """Return a command's arguments and options, as `tests/docs/draw_options.py` generated them from the code."""
    text = files("poker_actors.cli").joinpath("options.json").read_text(encoding="utf-8")
    found: dict[str, Any] = parse_json(text)[name]
    return found


def help_text(name: str) -> str:
    """Return the help of one command, as wide as the terminal, at most 100 columns."""
    width = min(shutil.get_terminal_size().columns, 100)
    command = described(name)
    words = " ".join(_usage(one) for one in command["arguments"])
    lines = _filled(f"Usage: poker-actors {name} {words} [OPTIONS]".replace("  ", " "), width)
    for paragraph in command["about"]:
        lines += ["", *_filled(paragraph, width)]
    for heading, entries in (("Arguments:", command["arguments"]), ("Options:", command["options"])):
        if entries:
            lines += ["", heading, *(line for one in entries for line in _entry(one, width))]
    example = next(command.example for command in COMMANDS if command.name == name)
    return "\n".join([*lines, "", f"Example: {example}"])


def _usage(one: dict[str, Any]) -> str:
    word = one["name"] + ("..." if "several" in one else "")
    return word if "required" in one else f"[{word}]"


def _entry(one: dict[str, Any], width: int) -> list[str]:
    """One argument or option: its name, with its purpose beside or below it."""
    name = f"  {one['name']} {one.get('value', '')}".rstrip()
    notes = [
        "One of " + ", ".join(one["one_of"]) + "." if "one_of" in one else "",
        "May be repeated." if "several" in one and "positional" not in one else "",
        "Required." if "required" in one and "positional" not in one else "",
        f"[{one['default']}]" if "default" in one else "",
        f"Older name: {', '.join(one['older'])}." if "older" in one else "",
    ]
    text = " ".join([one["help"], *filter(None, notes)])
    indent = INDENT if width >= NARROW else 6
    lines = textwrap.wrap(text, max(width - indent, 20), break_long_words=False, break_on_hyphens=False)
    beside = len(name) + 2 <= indent and width >= NARROW
    first = [name.ljust(indent) + lines[0]] if beside else [name, " " * indent + lines[0]]
    return first + [" " * indent + line for line in lines[1:]]


def _filled(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
