"""Programs as bots: what is said both ways, how they are written down, that nothing of them stays."""

import json
import os
import pickle
import select
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from poker_actors.bots import BotFault, BotSpec, HandStream, SeedTree, decide
from poker_actors.bots.faults import Faults
from poker_actors.bots.program import VERSION, ProgramBot, schema
from poker_actors.bots.program.protocol import LONGEST_REPLY, hello_line, read_hello, read_reply, turn_line
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, UnknownBot
from poker_actors.rules import Bet, Call, Check, Fold, Hand, RaiseTo, Stakes, View, game_named
from poker_actors.sim import Match, simulate
from poker_actors.sim.engines import pieces_of

EXAMPLES = Path(__file__).parents[3] / "examples" / "bots"
SCHEMA = schema()
PROGRAMS = {
    "line_bot.py": f"{sys.executable} {EXAMPLES / 'line_bot.py'}",
    "shell_bot.sh": f"sh {EXAMPLES / 'shell_bot.sh'}",
}


def validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{kind}"}]})


def turn(seed: int = 1, acts: tuple[Any, ...] = (), seats: int = 3, game: str = "holdem") -> View:
    hand = Hand((200,) * seats, Stakes(1, 2), deck=Deck.seeded(seed), game=game_named(game))
    for act in acts:
        hand.act(act)
    seat = hand.to_act[0]
    stream = HandStream(SeedTree(seed), seat)
    stream.hand = 17
    return hand.view(seat, stream)


def program(folder: Path, body: str, **settings: object) -> str:
    """The spec of a program in Python that says hello and then does `body` with each `line` and its `turn`."""
    path = folder / "program.py"
    path.write_text(
        "import json, sys, os, time\n"
        "print(json.dumps({'type': 'hello', 'version': 1}), flush=True) if sys.stdin.readline() else None\n"
        "for line in sys.stdin:\n"
        "    turn = json.loads(line)\n" + "".join(f"    {row}\n" for row in body.splitlines()),
        encoding="utf-8",
    )
    given = ",".join(f"{name}={value}" for name, value in settings.items())
    # -S: started in a hundredth of a second
    return f"cmd:{given}{':' if given else ''}{shlex.join([sys.executable, '-S', str(path)])}"


# -- what is said ----------------------------------------------------------------------------------


def test_the_schema_is_one_and_ships_with_the_package() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    validator("hello").validate(json.loads(hello_line()))
    assert json.loads(hello_line())["version"] == VERSION


@pytest.mark.parametrize("game", ["holdem", "limit-holdem", "omaha", "short-deck", "five-card"])
def test_every_line_to_a_program_is_of_the_schema(game: str) -> None:
    check = validator("turn")
    for seed in range(5):
        seats = 2 if game == "five-card" else 2 + seed % 5
        rules = game_named(game)
        hand = Hand((200,) * seats, rules.stakes, deck=Deck.seeded(seed, rules.pack), game=rules)
        tree = SeedTree(seed)
        while hand.to_act:
            view = hand.view(hand.to_act[0], tree.stream(3, hand.to_act[0]))
            line = turn_line(view)
            assert line.count(b"\n") == 1
            check.validate(json.loads(line))
            hand.act(Call() if view.to_call else Check())


def test_a_turn_tells_all_that_its_seat_may_know_and_nothing_else() -> None:
    view = turn(acts=(RaiseTo(6), Call()))
    said = json.loads(turn_line(view))
    assert said["hole"] == [str(card) for card in view.hole]
    assert (said["seat"], said["button"], said["position"]) == (2, 0, 2)
    assert (said["hand"], said["seq"], said["to_call"], said["pot"]) == (17, 2, 4, 14)
    assert said["actions"] == [["preflop", 0, "raise_to", 6], ["preflop", 1, "call", 0]]
    assert said["legal"] == {"fold": True, "check": False, "call": 4, "raise_to": [10, 200], "all_in": True}
    assert said["stakes"] == [1, 2, 0]
    assert said["starting_stacks"] == [200, 200, 200]
    cards = [card for key, value in said.items() if key in ("hole", "board") for card in value]
    assert len(cards) == 2


def test_the_seed_of_a_decision_is_the_same_in_every_run_and_another_one_each_time() -> None:
    view, again = turn(), turn()
    first, second = (json.loads(turn_line(view))["seed"] for _ in range(2))
    assert first != second
    assert [json.loads(turn_line(again))["seed"] for _ in range(2)] == [first, second]


def test_a_view_without_luck_has_no_seed_and_no_number() -> None:
    view = turn()
    said = json.loads(turn_line(View(view.public, view.seat, view.hole)))
    assert (said["seed"], said["hand"]) == (None, None)
    validator("turn").validate(said)


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ({"act": "fold"}, Fold()),
        ({"act": "call"}, Call()),
        ({"act": "check"}, Check()),
        ({"act": "raise_to", "amount": 60}, RaiseTo(60)),
        ({"act": "bet", "amount": 4}, Bet(4)),
        ({"act": "all_in"}, RaiseTo(200)),
        ({"act": "call", "seat": 0, "hand": 17, "seq": 0}, Call()),
    ],
)
def test_an_answer_of_the_schema_is_the_action_it_says(answer: dict[str, Any], action: object) -> None:
    validator("reply").validate(answer)
    assert read_reply(json.dumps(answer).encode(), turn()) == action


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"call",
        b"\xff\xfe",
        b"[]",
        b"[" * LONGEST_REPLY,
        b"{}",
        b'{"act": "rise"}',
        b'{"act": null}',
        b'{"act": ["fold"]}',
        b'{"act": "raise_to"}',
        b'{"act": "raise_to", "amount": 60.0}',
        b'{"act": "raise_to", "amount": true}',
        b'{"act": "raise_to", "amount": "60"}',
        b'{"act": "call", "amount": 2}',
        b'{"act": "fold", "note": "sorry"}',
    ],
)
def test_an_answer_that_is_not_of_the_schema_is_nonsense(line: bytes) -> None:
    with pytest.raises(BotFault) as fault:
        read_reply(line, turn())
    assert fault.value.kind == "nonsense"
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return
    if value != {"act": "raise_to", "amount": 60.0}:  # JSON knows no difference between 60 and 60.0
        assert not validator("reply").is_valid(value)


@pytest.mark.parametrize("what", ['"seat": 1', '"hand": 16', '"seq": 3', '"seat": true', '"seat": "0"'])
def test_an_answer_for_another_seat_or_turn_is_a_lie(what: str) -> None:
    with pytest.raises(BotFault, match="it was asked for") as fault:
        read_reply(f'{{"act": "fold", {what}}}'.encode(), turn(seats=2))
    assert fault.value.kind == "lied"
    assert pickle.loads(pickle.dumps(fault.value)).kind == "lied"


def test_a_hello_of_another_version_is_refused() -> None:
    assert read_hello(b'{"type": "hello", "version": 1, "name": "x"}') == 1
    assert read_hello(b'{"type": "hello", "version": 2}') == 2
    with pytest.raises(BotFault, match="speaks version 3 of the protocol: it must be 1 or 2"):
        read_hello(b'{"type": "hello", "version": 3}')
    for line in (b"", b"ready", b'{"version": 1}', b"[1]"):
        with pytest.raises(BotFault, match="instead of hello"):
            read_hello(line)


# -- how one is written down -----------------------------------------------------------------------


def test_a_command_may_have_settings_before_it() -> None:
    spec = BotSpec.parse("cmd:seconds=0.5,memory=64:sh -c 'cat; exit 3'")
    assert spec.values == {"seconds": 0.5, "memory": 64, "command": "sh -c 'cat; exit 3'"}
    assert BotSpec.parse(str(spec)) == spec == pickle.loads(pickle.dumps(spec))
    assert BotSpec.parse("cmd:sh a=b:c").values == {"command": "sh a=b:c"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cmd:", "does not name a command: write cmd:COMMAND"),
        ("cmd:seconds=1:", "does not name a command"),
        ("cmd:seconds=0:sh", "seconds=0 is not within 0.001 to 3600"),
        ("cmd:second=1:sh", "cmd has no parameter 'second', did you mean seconds?"),
        ("cmd:command=x:sh", "the command comes last"),
        ("cmd:sh 'x", "No closing quotation"),
        ("cmd:no-such-program-here x", "no-such-program-here is not on the PATH"),
        ("cmd:/no/such/program", "/no/such/program is not an executable file"),
        ("cmd:shh x", "shh is not on the PATH, did you mean sh?"),
    ],
)
def test_a_command_that_cannot_be_is_refused_in_a_line(text: str, words: str) -> None:
    with pytest.raises(BadSpec) as refused:
        BotSpec.parse(text).make()
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "near"), [("cdm:python x.py", "cmd"), ("tigth:fast", "tight"), ("maniak", "maniac")]
)
def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(text: str, near: str) -> None:
    with pytest.raises(UnknownBot, match=f"did you mean {near}\\?"):
        BotSpec.parse(text)


def test_a_program_that_does_not_start_is_an_error_and_no_match() -> None:
    for command, words in (
        (f"{sys.executable} -I -S no_such_file.py", "No such file or directory"),
        ("sh -c 'exit 3'", "ended with exit status 3"),
        ("echo ready", "instead of hello"),
        ("sh -c 'kill -9 $$'", "was killed by SIGKILL"),
    ):
        with pytest.raises(BadSpec, match="does not start") as refused:
            simulate([f"cmd:{command}", "caller"], hands=10, seed=1)
        assert words in str(refused.value)
    with pytest.raises(BadSpec, match="does not start: no answer in time"):
        simulate(["cmd:start_seconds=0.05:sleep 60", "caller"], hands=10, seed=1)


# -- the same hands --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_an_example_plays_without_a_fault_the_same_hands_with_every_driver(name: str) -> None:
    bots = [f"cmd:seconds=30:{PROGRAMS[name]}", "tight", "loose"]
    results = [
        simulate(bots, hands=60, seed=4, driver=driver)
        for driver in ("direct", "direct", "stepper", "threads")
    ]
    assert all(result == results[0] for result in results)
    (player, *_) = results[0].players
    assert player.illegal_actions == 0
    assert player.vpip.count > 0
    assert player.faults.used.calls > 30
    assert player.faults.used.seconds > 0


def test_each_worker_has_a_process_of_its_own_and_the_hands_are_the_same() -> None:
    bots = [f"cmd:seconds=30:{PROGRAMS['shell_bot.sh']}", "tight"]
    alone, many = (simulate(bots, hands=96, seed=4, workers=workers) for workers in (1, 2))
    assert alone == many
    assert alone.players[0].faults.used.calls == many.players[0].faults.used.calls


def test_programs_are_not_started_for_every_dozen_hands() -> None:
    plain, starting = Match.of(["caller"] * 2, hands=2000), Match.of(["cmd:sh", "caller"], hands=2000)
    assert len(pieces_of(plain, 2)) > 20
    assert 4 < len(pieces_of(starting, 2)) < 8


# -- nothing stays ---------------------------------------------------------------------------------


def ends(pid: int) -> bool:
    """Whether a process that somebody else waits for has ended, or does so soon."""
    try:
        end = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([end], [], [], 10)[0])
    finally:
        os.close(end)


@pytest.mark.skipif(sys.platform != "linux", reason="watches a process that is not its own")
def test_a_closed_bot_leaves_no_process_not_even_one_that_its_program_started(tmp_path: Path) -> None:
    text = program(
        tmp_path,
        "import subprocess\n"
        "other = subprocess.Popen(['sleep', '600'], stdout=subprocess.DEVNULL)\n"
        f"open({str(tmp_path / 'other')!r}, 'w').write(str(other.pid))\n"
        "print(json.dumps({'act': 'fold'}), flush=True)",
        seconds=30,
    )
    bot = BotSpec.parse(text).make()
    assert isinstance(bot, ProgramBot)
    bot.open()
    pid = bot.pid
    assert pid is not None
    assert bot(turn()) == Fold()
    bot.close()
    assert bot.pid is None
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, 0)
    assert ends(int((tmp_path / "other").read_text()))
    bot.close()


def test_a_bot_that_is_forgotten_is_ended_with_the_last_reference(tmp_path: Path) -> None:
    bot = BotSpec.parse(program(tmp_path, "print('{}')")).make()
    assert isinstance(bot, ProgramBot)
    bot.open()
    pid = bot.pid
    assert pid is not None
    del bot
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, 0)


def test_an_interrupted_match_leaves_no_process(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    text = program(
        tmp_path, f"open({str(pids)!r}, 'w').write(str(os.getpid()))\nprint(json.dumps({{'act': 'fold'}}))"
    )

    def interrupting(view: View) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate([text, interrupting, "caller"], hands=10, seed=1)
    with pytest.raises(ChildProcessError):
        os.waitpid(int(pids.read_text()), 0)


def test_stderr_is_kept_to_the_end_of_it_and_never_in_the_way(tmp_path: Path) -> None:
    text = program(
        tmp_path,
        "sys.stderr.write('x' * 200_000 + 'the end'); sys.stderr.flush()\n"
        "print(json.dumps({'act': 'fold'}), flush=True)",
        seconds=30,
    )
    bot = BotSpec.parse(text).make()
    assert isinstance(bot, ProgramBot)
    faults = Faults()
    assert decide(bot, turn(), faults) == Fold()
    assert decide(bot, turn(), faults) == Fold()
    assert faults == Faults()
    assert len(bot.stderr) == 4096
    assert bot.stderr.endswith("the end")
    bot.close()
