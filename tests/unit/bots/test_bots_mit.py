"""Entrants of MIT Pokerbots: the clauses, the folder, and what a bad one costs. Whole rounds are in tests/conformance/mit."""

import json
import os
import sys
from pathlib import Path

import pytest

import poker_actors.bots.mit.bot as mit_bot
from poker_actors.bots import BotFault, BotSpec, SeedTree
from poker_actors.bots.mit import (
    CHANCES,
    ROUNDS,
    YEARS,
    MitBot,
    Round,
    constants_of,
    found_program,
    read_answer,
    read_commands,
    year_of,
)
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.rules import Bet, Call, Check, Fold, Hand, RaiseTo, Stakes
from poker_actors.sim import Match, SimulationResult, simulate

OLDEST, OLD, NEW = YEARS["2022"], YEARS["2023"], YEARS["2025"]
FLOP, BOARD = parse_cards("3d4h9s"), parse_cards("3d4h9sTcQd")


def entrant(folder: Path, body: str, *, build: list[str] | None = None) -> Path:
    """A folder with a player that does `body` with each `message`, its `number` and `send`."""
    path = folder / "entrant"
    path.mkdir()
    run = [sys.executable, "-S", "player.py"]
    (path / "commands.json").write_text(json.dumps({"build": build or [], "run": run}), encoding="utf-8")
    (path / "player.py").write_text(
        "import os, socket, sys\n"
        "link = socket.create_connection(('localhost', int(sys.argv[-1])))\n"
        "lines = link.makefile('rw')\n"
        "def send(text): print(text, file=lines, flush=True)\n"
        "def plain():\n"
        "    acted = [word for word in message if word[0] in 'FCKRB']\n"
        "    first = message[1:2] == ['P0'] and not acted\n"
        "    send('C' if first or acted and acted[-1][0] == 'R' else 'K')\n"
        "for number, line in enumerate(lines):\n"
        "    message = line.split()\n"
        "    if message == ['Q']: break\n" + "".join(f"    {row}\n" for row in body.splitlines()),
        encoding="utf-8",
    )
    return path


def played(folder: Path, settings: str = "", hands: int = 6, other: str = "caller") -> SimulationResult:
    result = simulate([f"mit:{settings}{folder}", other], hands=hands, seed=1)
    assert result.hands == hands
    assert result.chips_in == result.chips_out == hands * 800
    return result


# -- clauses ---------------------------------------------------------------------------------------


def test_a_round_is_heard_as_in_the_documented_example() -> None:
    hand = Hand((400, 400), Stakes(1, 2), deck=Deck.stacked(["2cAh", "9d9c"], BOARD))
    heard = Round(OLD, 0, parse_cards("2cAh"))
    heard.hear((), (), "preflop")
    assert heard.message(30.0) == "T30.000 P0 H2c,Ah\n"
    for action in (RaiseTo(6), Call(), Check()):
        hand.act(action)
    heard.hear(hand.public().actions, hand.board, "flop")
    assert heard.message(29.9984) == "T29.998 R6 C B3d,4h,9s K\n"
    assert heard.message(29.99) == "T29.990\n"  # what was said is not said again
    heard.end(parse_cards("9d9c"), -6)
    assert heard.message(29.99) == "T29.990 O9d,9c D-6\n"


def test_in_2022_the_own_cards_are_heard_again_with_flop_and_turn() -> None:
    hand = Hand((200, 200), Stakes(1, 2), deck=Deck.stacked(["2cAh", "9d9c"], BOARD))
    heard = Round(OLDEST, 0, hand.holes[0])
    for action in (Call(), Check(), Check(), Check(), Check(), Check()):
        hand.act(action)
    heard.hear(hand.public().actions, hand.board, "river")
    assert heard.message(1) == (
        "T1.000 P0 H2c,Ah C K B3d,4h,9s U2c,Ah K K B3d,4h,9s,Tc U2c,Ah K K B3d,4h,9s,Tc,Qd\n"
    )


def test_a_street_that_begins_is_heard_before_anybody_acts() -> None:
    hand = Hand((400, 400), Stakes(1, 2), deck=Deck.stacked(["2cAh", "9d9c"], BOARD))
    hand.act(Call())
    hand.act(Check())
    heard = Round(NEW, 1, parse_cards("9d9c"))
    heard.hear(hand.public().actions, hand.board, "flop")
    assert heard.message(60) == "T60.000 P1 H9d,9c G- C K B3d,4h,9s\n"
    heard.end((), 3)
    assert heard.message(60) == "T60.000 D3 Y00\n"


@pytest.mark.parametrize(
    ("index", "messages"),
    [
        (0, ["B3d,4h,9s K", "K B3d,4h,9s,Tc K", "K B3d,4h,9s,Tc,Qd K", "K"]),
        (1, ["B3d,4h,9s", "K K B3d,4h,9s,Tc", "K K B3d,4h,9s,Tc,Qd", "K K"]),
    ],
)
def test_two_who_are_all_in_are_asked_to_check_on_every_street(index: int, messages: list[str]) -> None:
    heard = Round(OLD, index, parse_cards("9d9c"))
    heard.message(1)
    asked = []
    for street in heard.run_out(BOARD):
        heard.checks(street, BOARD, before=True)
        asked.append(heard.message(1))
        heard.checks(street, BOARD, before=False)
    assert [*asked, heard.message(1)] == [f"T1.000 {each}\n" for each in messages]
    assert heard.run_out(BOARD) == []
    assert Round(OLD, 0, ()).run_out(()) == []


@pytest.mark.parametrize(
    ("text", "given", "action"),
    [
        ("F", {"to_call": 2}, Fold()),
        ("C", {"to_call": 2}, Call()),
        ("K", {}, Check()),
        ("R6", {"to_call": 2}, RaiseTo(6)),
        ("R6", {}, RaiseTo(6)),  # the big blind's option
        ("R6", {"opening": True}, Bet(6)),
    ],
)
def test_an_answer_is_an_action(text: str, given: dict[str, int], action: object) -> None:
    assert read_answer(text, OLD, **given) == action  # type: ignore[arg-type]  # a bool among ints


@pytest.mark.parametrize("text", ["", "f", "X", "R", "R-1", "R1.5", "F6", "K K", "R1234567890", "\x00"])
def test_what_is_no_clause_is_misformatted(text: str) -> None:
    with pytest.raises(BotFault, match="response misformatted") as fault:
        read_answer(text, OLD)
    assert fault.value.kind == "nonsense"


def test_folding_for_nothing_is_illegal_until_2025() -> None:
    with pytest.raises(BotFault, match="attempted illegal FoldAction") as fault:
        read_answer("F", OLD)
    assert fault.value.kind == "illegal"
    assert read_answer("F", NEW) == Fold()


# -- the folder ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "cannot be read: No such file"),
        ("{", "is not JSON"),
        ("[]", "has no list of words for 'build'"),
        ('{"build": []}', "has no list of words for 'run'"),
        ('{"build": "make", "run": ["x"]}', "has no list of words for 'build'"),
        ('{"build": [], "run": [1]}', "has no list of words for 'run'"),
        ('{"build": [], "run": ["\\u0000"]}', "has no list of words for 'run'"),
        ('{"build": [], "run": []}', "has an empty command to run"),
        ('{"build": [], "run": ["no-such-program"]}', "no-such-program is not on the PATH"),
        ('{"build": [], "run": ["sh"], "protocol": "morse"}', "protocol 'morse' must be one of mit, lines"),
        (
            '{"build": [], "run": ["sh"], "protocol": "lines"}',
            "its protocol is lines: write it as cmd:COMMAND",
        ),
    ],
)
def test_a_folder_that_is_no_entrants_is_refused_in_a_line(
    tmp_path: Path, text: str | None, words: str
) -> None:
    if text is not None:
        (tmp_path / "commands.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadSpec, match=words) as refused:
        MitBot(folder=str(tmp_path))
    assert str(tmp_path) in str(refused.value)


def test_commands_are_not_read_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('{"build": [], "run": ["sh"]}', encoding="utf-8")
    (tmp_path / "commands.json").symlink_to(tmp_path / "secret")
    with pytest.raises(BadSpec, match="cannot be read"):
        read_commands(tmp_path)


def test_a_program_of_the_folder_is_run_there(tmp_path: Path) -> None:
    (tmp_path / "commands.json").write_text('{"build": ["sh", "b"], "run": ["./bot", "x"]}', encoding="utf-8")
    commands = read_commands(tmp_path)
    assert found_program(tmp_path, commands.run, our_python=False) == (str(tmp_path / "bot"), "x")
    assert found_program(tmp_path, commands.build, our_python=False)[0].endswith("/sh")


@pytest.mark.parametrize("word", ["python", "python3", "python3.12"])
def test_a_cage_runs_the_python_that_it_can_see(tmp_path: Path, word: str) -> None:
    assert found_program(tmp_path, (word, "x.py"), our_python=True) == (sys.executable, "x.py")
    assert found_program(tmp_path, ("./python3",), our_python=True) == (str(tmp_path / "python3"),)
    assert found_program(tmp_path, (), our_python=True) == ()


@pytest.mark.parametrize(
    ("name", "text", "year"),
    [
        ("skeleton/actions.py", "AssignAction = 1", "2021"),
        ("skeleton/runner.py", "if clause[0] == 'U':", "2022"),
        ("skeleton/actions.py", "BidAction = 1", "2024"),
        ("libs/skeleton/include/skeleton/actions.h", "enum Type { FOLD, BID };", "2024"),
        ("javabot/skeleton/RoundState.java", "List<Character> bounties;", "2025"),
        ("skeleton/actions.py", "DiscardAction = 1", "2026"),
        ("skeleton/actions.py", "bets_forbidden = 1", "2023"),
        ("player.py", "BidAction = 1", "2023"),
        ("skeleton/notes.txt", "BidAction = 1", "2023"),
    ],
)
def test_a_skeleton_tells_its_year(tmp_path: Path, name: str, text: str, year: str) -> None:
    path = entrant(tmp_path, "plain()") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    folder = tmp_path / "entrant"
    assert year_of(folder) == year
    assert MitBot(folder=str(folder)).rounds_of({"folder": folder}) == (
        year if year in {*ROUNDS, *CHANCES} - {"2023"} else ""
    )


def test_a_year_may_be_given_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    folder = entrant(tmp_path, "plain()")
    assert MitBot(folder=str(folder)).limits.seconds == 30
    assert MitBot(folder=str(folder), year="2025").limits.seconds == 60
    assert MitBot(folder=str(folder), year="2025", clock=7).limits.seconds == 7
    with pytest.raises(
        BadSpec,
        match=r"its year, 1999, is not played here \(choose from 2021, 2022, 2023, 2024, 2025, 2026\)",
    ):
        MitBot(folder=str(folder), year="1999")


# -- specs and matches -----------------------------------------------------------------------------


def test_a_spec_names_a_folder_with_settings_before_it(tmp_path: Path) -> None:
    folder = entrant(tmp_path, "plain()")
    spec = BotSpec.parse(f"mit:year=2025,clock=3:{folder}")
    assert spec.values == {"year": "2025", "clock": 3.0, "folder": str(folder)}
    assert BotSpec.parse(str(spec)) == spec
    assert BotSpec.isolated(str(spec)).values["cage"] is True
    for text, words in (
        ("mit:", "does not name a folder: write mit:DIR"),
        ("mit:folder=x:y", "the folder comes last"),
        ("mit:yaer=2023:x", "did you mean year"),
    ):
        with pytest.raises(BadSpec, match=words):
            BotSpec.parse(text)


def test_bots_of_2023_play_runs_if_their_year_is_known(tmp_path: Path) -> None:
    folder = entrant(tmp_path, "plain()")
    assert Match.of([f"mit:{folder}"] * 2, hands=1).game.name == "holdem"
    assert Match.of([f"mit:year=2023:{folder}"] * 2, hands=1).game.name == "mit-2023"
    (folder / "skeleton").mkdir()
    (folder / "skeleton" / "states.py").write_text("STARTING_STACK = 400\n", encoding="utf-8")
    assert Match.of([f"mit:{folder}"] * 2, hands=1).game.name == "mit-2023"
    assert Match.of([f"mit:holdem=1:{folder}"] * 2, hands=1).game.name == "holdem"


def test_a_match_has_the_stacks_that_the_bots_know_by_heart(tmp_path: Path) -> None:
    bots = [f"mit:{entrant(tmp_path, 'plain()')}", "caller"]
    skeleton = tmp_path / "entrant" / "skeleton"
    skeleton.mkdir()
    (skeleton / "states.py").write_text("STARTING_STACK = 300\nBIG_BLIND = 2\nSMALL_BLIND = 1\n")
    assert constants_of(tmp_path / "entrant") == {"STARTING_STACK": 300, "BIG_BLIND": 2, "SMALL_BLIND": 1}
    assert Match.of(bots, hands=1).stacks == (300, 300)
    assert Match.of(bots, hands=1, stacks=300).stacks == (300, 300)
    for given in ({"stacks": 400}, {"stakes": "2/4"}, {"game": "omaha"}, {"stakes": Stakes(1, 2, 1)}):
        with pytest.raises(BadSpec, match="plays holdem 1/2 between two, with 300 chips each"):
            Match.of(bots, hands=1, **given)
    with pytest.raises(BadSpec, match="between two"):
        Match.of([*bots, "caller"], hands=1)


def test_a_bot_without_a_skeleton_takes_the_stakes_as_they_are_given(tmp_path: Path) -> None:
    folder = entrant(tmp_path, "plain()")
    assert constants_of(folder) == {}
    for settings, stack in (("", 400), ("year=2022:", 200)):
        assert Match.of([f"mit:{settings}{folder}", "caller"], hands=1).stacks == (stack, stack)
    match = Match.of([f"mit:{folder}", "caller"], hands=1, stacks=1000, stakes="5/10")
    assert (match.stacks, match.stakes) == ((1000, 1000), Stakes(5, 10))
    refused = ({"stacks": "100,200"}, {"game": "omaha"}, {"stakes": Stakes(1, 2, 1)})
    for given in refused:
        with pytest.raises(BadSpec, match="plays holdem 1/2 between two, with"):
            Match.of([f"mit:{folder}", "caller"], hands=1, **given)
    result = simulate([f"mit:{folder}", "caller"], hands=4, seed=1, stacks=1000, stakes="5/10")
    assert result.chips_in == result.chips_out == 8000
    assert not result.players[0].faults.total


def test_a_bot_that_is_not_told_of_an_end_says_so(tmp_path: Path) -> None:
    bot = MitBot(folder=str(entrant(tmp_path, "plain()")))
    bot.open()
    try:
        for number in (0, 1):
            hand = Hand((400, 400), Stakes(1, 2), deck=Deck.seeded(1))
            view = hand.view(hand.to_act[0], SeedTree(1).stream(number, 0))
            if number == 0:
                assert bot(view) == Call()
            else:
                with pytest.raises(BotFault, match="was not told how its last round ended"):
                    bot(view)
    finally:
        bot.close()


# -- a bad one -------------------------------------------------------------------------------------


def test_a_plain_player_plays_without_a_fault_and_is_told_the_end(tmp_path: Path) -> None:
    path = entrant(tmp_path, "print(line.strip(), flush=True)\nplain()")
    log = tmp_path / "log"
    result = played(path, f"log={log}:")
    assert result.players[0].faults.total == 0
    said = log.read_text(encoding="utf-8").splitlines()
    assert sum(" D" in line for line in said) == 6
    assert sum(" P0 " in line for line in said) == 3
    assert said[0].startswith("T30.000 P0 H")


def test_one_that_closes_its_outputs_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mit_bot, "_CONNECT_SECONDS", 3600.0)  # nothing waits for what it prints no more
    result = played(entrant(tmp_path, "if number == 1: os.close(1); os.close(2)\nplain()"))
    assert result.players[0].faults.total == 0
    assert result.players[0].faults.used.calls > 6


def test_one_that_disconnects_checks_and_folds_to_the_end(tmp_path: Path) -> None:
    result = played(entrant(tmp_path, "if number == 3: break\nplain()"), hands=20)
    faults = result.players[0].faults
    assert (faults.died, faults.total, faults.first) == (1, 1, "disconnected")
    assert faults.ejected is not None
    assert result.players[0].faults.used.calls < 6


def test_one_that_disconnects_at_the_end_of_a_round_is_asked_no_more(tmp_path: Path) -> None:
    for driver in ("direct", "stepper"):
        folder = tmp_path / driver
        folder.mkdir()
        path = entrant(folder, "if any(word[0] == 'D' for word in message): break\nplain()")
        result = simulate([f"mit:{path}", "caller"], hands=6, seed=1, driver=driver)
        faults = result.players[0].faults
        assert (faults.died, faults.total) == (1, 1)
        assert faults.ejected is not None


def test_one_whose_clock_runs_out_is_asked_no_more(tmp_path: Path) -> None:
    waits = "if number == 3: sys.stdin.readline(); link.recv(1)"  # for what never comes
    result = played(entrant(tmp_path, f"{waits}\nplain()"), "clock=0.5:", hands=20)
    faults = result.players[0].faults
    assert (faults.late, faults.total, faults.first) == (1, 1, "ran out of time")
    assert faults.ejected is not None
    assert faults.used.seconds >= 0.5


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ("F", "illegal", "attempted illegal FoldAction"),
        ("R9999", "illegal", ""),
        ("hello", "nonsense", "response misformatted: 'hello'"),
        ("", "nonsense", "response misformatted: ''"),
    ],
)
def test_a_wrong_answer_costs_the_action_only(tmp_path: Path, answer: str, kind: str, words: str) -> None:
    # the big blind after a call may check: everything here is taken for that
    result = played(entrant(tmp_path, f"send({answer!r}) if message[-1] == 'C' else plain()"), hands=300)
    faults = result.players[0].faults
    assert getattr(faults, kind) == faults.total >= 150
    assert words in faults.first
    assert faults.ejected is None  # there, no number of them ends anything


def test_a_wrong_answer_to_the_end_of_a_round_is_counted(tmp_path: Path) -> None:
    result = played(entrant(tmp_path, "send('C') if message[-1][0] == 'D' else plain()"), hands=4)
    assert (result.players[0].faults.illegal, result.players[0].faults.total) == (4, 4)


def test_one_that_writes_without_end_is_ended(tmp_path: Path) -> None:
    result = played(entrant(tmp_path, "lines.write('K' * 100_000); lines.flush()"))
    assert result.players[0].faults.flooded == 1


def test_one_that_never_connects_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mit_bot, "_CONNECT_SECONDS", 3600.0)  # one that has ended is not waited for
    path = entrant(tmp_path, "plain()")
    (path / "player.py").write_text("import sys; sys.exit('no such port')", encoding="utf-8")
    with pytest.raises(BadSpec, match="does not connect: no such port"):
        played(path)


def test_a_build_runs_first_and_in_the_folder_and_its_output_is_in_the_log(tmp_path: Path) -> None:
    build = ["sh", "-c", "echo building; mv player.py built.py; mv built.py player.py"]
    path = entrant(tmp_path, "print('x' * 300_000, flush=True)\nplain()", build=build)
    log = tmp_path / "log"
    assert played(path, f"log={log}:", hands=4).players[0].faults.total == 0
    said = log.read_bytes()
    assert said.startswith(b"building\nxxx")
    assert len(said) == 512 << 10


def test_a_build_that_does_not_end_is_refused(tmp_path: Path) -> None:
    path = entrant(tmp_path, "plain()", build=["sh", "-c", "read x < /dev/zero; sleep 600"])
    with pytest.raises(BadSpec, match=r"its build takes more than 0\.3 s"):
        played(path, "build_seconds=0.3:")


def test_nothing_is_left_of_one_after_the_match(tmp_path: Path) -> None:
    path = entrant(tmp_path, f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\nplain()")
    played(path)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
