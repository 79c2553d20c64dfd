"""How a bot is named, and what is said about a name that cannot be."""

from pathlib import Path
from typing import Annotated, Literal

import pytest

from poker_actors.bots import BotSpec, Within, bot, bot_named, bot_names
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, UnknownBot
from poker_actors.rules import Action, Call, Check, Fold, Hand, Stakes, View

BOT_FILE = '''
from typing import Annotated
from poker_actors.bots import Within
from poker_actors.rules import Action, Call, Check, View

def sticky(view: View, *, nerve: Annotated[float, Within(0, 1)] = 0.5) -> Action:
    """Stays in."""
    return Call() if view.to_call else Check()

def broken(view, *, table: dict = {}): ...

number = 7
'''


def view() -> View:
    hand = Hand([200] * 3, Stakes(), deck=Deck.seeded(1))
    return hand.view(hand.to_act[0])


@pytest.fixture
def bot_file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(BOT_FILE, encoding="utf-8")
    return path


def test_the_bots_of_the_house_are_there() -> None:
    house = {"caller", "folder", "random", "scripted", "tight", "loose", "pot-odds", "equity", "maniac"}
    assert house <= set(bot_names())


def test_every_bot_of_the_house_has_a_summary() -> None:
    names = [name for name in bot_names() if not name.startswith("test-")]
    assert [name for name in names if not bot_named(name).summary] == []


def test_parameters_are_typed_and_handed_over() -> None:
    spec = BotSpec.parse("tight:vpip=0.3,bluff=1")
    assert spec.values == {"vpip": 0.3, "bluff": 1.0}
    assert str(spec) == "tight:vpip=0.3,bluff=1"
    assert BotSpec.parse(str(spec)) == spec
    assert spec.make()(view()) in view().legal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tight:vpip=9", "tight: vpip=9 is not within 0.02 to 1"),
        ("tight:vpip=nan", "tight: vpip=nan is not a finite number"),
        ("tight:vpip=low", "tight: vpip=low is not a number"),
        ("tight:vpp=0.2", "tight has no parameter 'vpp', did you mean vpip? (it has vpip, bluff)"),
        ("caller:x=1", "caller has no parameter 'x' (it has none)"),
        ("equity:samples=1.5", "equity: samples=1.5 is not a whole number"),
        ("tight:vpip=0.1,vpip=0.2", "bot 'tight:vpip=0.1,vpip=0.2' gives vpip twice"),
        ("tight:vpip", "bot 'tight:vpip': 'vpip' is not key=value"),
        ("tight:=1", "bot 'tight:=1': '=1' is not key=value"),
        ("scripted", "scripted needs a value for actions"),
        ("scripted:actions=jump", "scripted: 'jump' is not an action"),
        ("", "bot '' has no name"),
        ("cmd:./bot", "bot cmd:./bot: ./bot is not an executable file"),
        ("nowhere.py:f", "file nowhere.py does not exist"),
        (f"{'long' * 80}.py:f", "cannot be read: File name too long"),
        ("~nobody-of-that-name/bot.py:f", "cannot be read: Could not determine home directory"),
        ("nul\0l.py:f", "cannot be read: embedded null byte"),
        ("nowhere.py", "does not name a function: write nowhere.py:function"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(BadSpec) as caught:
        BotSpec.parse(text).make()
    assert message in str(caught.value)


def test_the_refusal_of_an_endless_name_is_short() -> None:
    with pytest.raises(UnknownBot) as caught:
        BotSpec.of("x" * 10_000 + ":bot")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nobody", "no bot is called 'nobody' (choose from "),
        ("tigth", "did you mean tight?"),
        ("tigt:vpip", "no bot is called 'tigt' and there is no such module"),
        ("math:sine", "math has no function 'sine', did you mean sin?"),
        ("math:pi", "math has no function 'pi'"),
    ],
)
def test_a_bot_nobody_knows_is_named_with_the_nearest(text: str, message: str) -> None:
    with pytest.raises(UnknownBot) as caught:
        BotSpec.parse(text)
    assert message in str(caught.value)


def test_a_function_of_a_file_is_a_bot(bot_file: Path) -> None:
    spec = BotSpec.parse(f"{bot_file}:sticky:nerve=0.25")
    assert spec.values == {"nerve": 0.25}
    assert spec.make()(view()) == Call()


def test_a_file_is_loaded_once(bot_file: Path) -> None:
    first, second = (BotSpec.parse(f"{bot_file}:sticky") for _ in range(2))
    assert first.source.factory is second.source.factory


def test_a_file_of_bots_says_what_is_wrong_with_it(bot_file: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownBot, match="did you mean sticky"):
        BotSpec.parse(f"{bot_file}:stiky")
    with pytest.raises(UnknownBot, match="no function 'number'"):
        BotSpec.parse(f"{bot_file}:number")
    with pytest.raises(BadSpec, match="nerve=2 is not within 0 to 1"):
        BotSpec.parse(f"{bot_file}:sticky:nerve=2")
    with pytest.raises(BadSpec, match="parameter table is of"):
        BotSpec.parse(f"{bot_file}:broken")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("1 / 0\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(BadSpec, match="cannot be loaded: ZeroDivisionError"):
            BotSpec.parse(f"{wrong}:f")


def test_a_function_of_a_module_is_a_bot() -> None:
    assert BotSpec.parse("poker_actors.bots.house:caller").make()(view()) == Call()


def test_a_function_itself_is_a_bot() -> None:
    spec = BotSpec.of(lambda view: Check())
    assert spec.make()(view()) == Check()
    with pytest.raises(BadSpec, match="is not a bot"):
        BotSpec.of(3)  # type: ignore[arg-type]


def test_a_decorated_function_has_a_name_and_parameters() -> None:
    @bot("test-decorated")
    def decorated(
        view: View,
        *,
        mood: Literal["calm", "wild"] = "calm",
        sure: bool = True,
        hands: Annotated[int, Within(1, 9)] = 3,
    ) -> Action:
        """Folds."""
        return Fold()

    assert decorated(view()) == Fold()
    spec = BotSpec.parse("test-decorated:mood=wild,sure=no,hands=9")
    assert spec.values == {"mood": "wild", "sure": False, "hands": 9}
    assert [str(parameter) for parameter in bot_named("test-decorated").parameters] == [
        "mood=calm (calm, wild)",
        "sure=True",
        "hands=3 (1 to 9)",
    ]
    with pytest.raises(BadSpec, match="mood=odd must be one of calm, wild"):
        BotSpec.parse("test-decorated:mood=odd")
    with pytest.raises(BadSpec, match="sure=maybe is not yes or no"):
        BotSpec.parse("test-decorated:sure=maybe")


def test_a_decorated_class_gives_each_seat_its_own_bot() -> None:
    @bot("test-class")
    class Counting:
        """Counts its turns."""

        def __init__(self, *, start: int = 0) -> None:
            self.turns = start

        def __call__(self, view: View) -> Action:
            self.turns += 1
            return Fold()

    spec = BotSpec.parse("test-class:start=5")
    one, two = spec.make(), spec.make()
    one(view())
    assert (one.turns, two.turns) == (6, 5)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["", "a b", "a:b", "a=b", "a,b", "a/b", "é", "cmd"])
def test_a_name_nobody_could_type_is_refused(name: str) -> None:
    with pytest.raises(BadSpec, match="cannot be a bot's name"):
        bot(name)


def test_a_decorator_without_its_name_is_refused_with_the_way_to_write_it() -> None:
    with pytest.raises(BadSpec, match=r'write @bot\("mine"\), not @bot'):

        @bot  # type: ignore[arg-type]
        def mine(view: View) -> Action:
            return view.legal.passive


def test_a_name_is_given_once() -> None:
    with pytest.raises(BadSpec, match="there is already a bot caller"):
        bot("caller")(lambda view: Fold())
