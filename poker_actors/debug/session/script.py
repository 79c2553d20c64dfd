"""Scripts: values that fix a session completely, luck included, so that it can be replayed exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Final

import attrs

from poker_actors.actors import Room, Table, messages, runtime
from poker_actors.bots import BotSpec, SeedTree, function_at
from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.debug.session.intervention import (
    Intervention,
    TableStart,
    intervention_from,
    plain_intervention,
)
from poker_actors.debug.session.record import Record, known_spec, unasked
from poker_actors.errors import BadHistory, BadSpec
from poker_actors.history import HandHistory, Replay, replay
from poker_actors.rules import (
    HOLDEM,
    Action,
    Call,
    Discard,
    Game,
    Hand,
    Stakes,
    View,
    event,
    game_named,
    parse_action,
    whole_chips,
)
from poker_actors.rules.cash import CashOptions, HandOptions, Rake
from poker_actors.rules.games import Rotation

DEFAULT_BOTS: Final = ("tight", "loose", "pot-odds", "caller", "maniac", "random")
"""Six different bots, the defaults of `poker-actors simulate`."""

MOST_HANDS: Final = 1000
"""Hands in one session: each keeps its messages and a checkpoint of a few kilobytes."""

Scene = Callable[[Room, Table, messages.Deal], Iterable[tuple[runtime.Address, object]]]
"""Prepares a hand in a custom way: given an open room, returns the messages sent from outside to start it."""


@attrs.frozen
class Script:
    """Hands `first` to `first + hands - 1` of the match of `seed`, bots and stacks.

    The hands are those of `poker-actors simulate` with the same settings: the button of hand k is seat k modulo the
    seats, and stacks start over each hand. `cards` replace the seed's cards in the order dealt, `actions` are taken
    instead of asking the bots; both for the first hand. `order` seeds the order of delivery; messages come in the order
    sent without it.
    """

    seed: int
    bots: tuple[BotSpec, ...]
    stacks: tuple[int, ...]
    stakes: Stakes = attrs.field(factory=Stakes)
    game: Game = HOLDEM
    first: int = 0
    hands: int = 1
    button: int | None = None
    names: tuple[str, ...] = ()
    cards: tuple[Card, ...] | None = None
    actions: tuple[Action, ...] | None = None
    order: int | None = None
    scene: str | None = None
    """the `Scene`, as ``FILE.py:FUNCTION`` or ``MODULE:FUNCTION``"""
    interventions: tuple[Intervention, ...] = ()
    turn_seconds: float | None = None
    """seconds per turn on the virtual clock; None for no limit"""
    start: TableStart | None = None
    """the start of a live table's recording; its messages are in `interventions`"""
    rake: Rake | None = None
    """the house's rake"""
    record: Record | None = attrs.field(default=None, repr=False)
    """the answers and the order of a trace, played instead of asking the bots"""
    boards: int = 1
    """how often the rest of the board is run if betting ends before it is complete"""

    def __attrs_post_init__(self) -> None:
        if type(self.seed) is not int:
            raise BadSpec(f"seed {self.seed!r:.40} is not a whole number")
        if not 2 <= len(self.bots) <= self.game.max_seats:
            raise BadSpec(f"{len(self.bots)} bots: {self.game.name} seats 2 to {self.game.max_seats}")
        if len(self.stacks) != len(self.bots):
            raise BadSpec(f"{len(self.stacks)} stacks for {len(self.bots)} seats")
        for stack in self.stacks:
            whole_chips("a stack", stack, least=1 if self.start is None else 0)
        whole_chips("hand", self.first)
        whole_chips("hands", self.hands, least=1)
        HandOptions(boards=self.boards)  # refuses a number of boards that no table runs
        if self.turn_seconds is not None and not self.turn_seconds > 0:
            raise BadSpec(f"turn_seconds {self.turn_seconds} is not above 0")
        if self.hands > MOST_HANDS:
            raise BadSpec(f"hands is {self.hands}: a session has at most {MOST_HANDS}")

    @classmethod
    def of(  # noqa: PLR0913  one keyword per setting of a match
        cls,
        bots: Sequence[Any] | None = None,
        *,
        seed: int = 0,
        hand: int = 0,
        hands: int = 1,
        stacks: str | int | Sequence[int] | None = None,
        stakes: str | Stakes | None = None,
        game: str | Game | Rotation = HOLDEM,
        order: int | None = None,
        scene: str | None = None,
        turn_seconds: float | None = None,
        rake: Rake | None = None,
    ) -> Script:
        """Read settings as `simulate` does, with the game's defaults; raise `BadSpec` and `UnknownBot`.

        A rotation gives a script of one hand, in the game due at that hand.
        """
        asked = Rotation.named(game) if isinstance(game, str) else game
        specs = tuple(BotSpec.of(bot) for bot in (DEFAULT_BOTS[: asked.max_seats] if bots is None else bots))
        blinds = Stakes.parse(stakes) if isinstance(stakes, str) else stakes or asked.stakes
        chips = blinds.stacks((asked.stack or "100bb") if stacks is None else stacks, len(specs))
        rules, blinds = _played(asked, blinds, hand, hands, len(specs), seed)
        return cls(
            seed,
            specs,
            chips,
            blinds,
            rules,
            hand,
            hands,
            names=_names(specs),
            order=order,
            scene=scene,
            turn_seconds=turn_seconds,
            rake=rake,
        )

    @classmethod
    def of_history(cls, history: HandHistory) -> Script:
        """Return the script of a recorded hand; raise `BadHistory` for one that no table can play.

        Unrecorded cards are dealt from the rest of the pack. They must not decide the result, so a
        hand with unknown cards at the showdown is refused.
        """
        played = replay(history)
        found = played.hand
        stakes = _stakes(found)
        pack = {*history.game.pack}
        decides = found.live if found.over and len(found.live) > 1 else ()
        if not all(pack >= {*found.holes[seat]} for seat in decides):
            raise BadHistory("unknown cards decide the showdown of this hand")
        stand_for = _stand_ins(found.cards_dealt, history.game.pack)
        spec = BotSpec.of("caller")
        script = cls(
            0,
            (spec,) * history.size,
            history.stacks,
            stakes,
            history.game,
            button=history.size - 1,
            names=tuple(_unique([_clean(history.name(seat)) for seat in range(history.size)])),
            cards=tuple(stand_for.get(card, card) for card in found.cards_dealt),
            actions=tuple(_named(action, stand_for) for action in found.whole_actions()),
            boards=1 + len(history.run_again),
        )
        return attrs.evolve(script, rake=_rake(script, played)) if played.rake else script

    @classmethod
    def of_start(cls, start: TableStart) -> Script:
        """Return a recording's script, still without its messages; raise `BadJournal` for an unknown game."""
        config = start.config
        names = tuple(f"seat {seat}" if one is None else one[0] for seat, one in enumerate(start.seats))
        return cls(
            0,
            (BotSpec.of("caller"),) * config.seats,
            tuple(0 if one is None else one[1] for one in start.seats),
            config.stakes,
            # any game of a rotation will do: the table itself decides which one comes next
            config.game.games[0] if isinstance(config.game, Rotation) else config.game,
            start.number,
            names=names,
            turn_seconds=config.turn_seconds,
            start=start,
        )

    @classmethod
    def of_hand(cls, hand: Hand, names: Sequence[str] = ()) -> Script:
        """Return the script of a hand up to now; after that its players check or call.

        `names` are the players by seat; seats not dealt in are left out. Raises `BadHistory` for a
        hand that the debugger's table cannot play: listed posts, a dead button or blind, or a cash
        table's options.
        """
        if hand.extra is not None and hand.extra.stub.reshuffles:
            raise BadHistory(
                "cards were reshuffled in this hand: the debugger's table would shuffle them differently"
            )
        dealt = [seat for seat, stack in enumerate(hand.starting) if stack]
        spec = BotSpec.of("caller")
        script = cls(
            0,
            (spec,) * len(dealt),
            tuple(hand.starting[seat] for seat in dealt),
            hand.stakes,
            hand.game,
            button=dealt.index(hand.button) if hand.button in dealt else 0,
            names=tuple(_unique([_clean(names[seat] if names else f"seat {seat}") for seat in dealt])),
            cards=hand.cards,
            actions=tuple(hand.whole_actions()),
        )
        # compare the start only: the last action may be the one on which the hand failed
        plain = Hand(
            script.stacks, script.stakes, deck=script.deck(0), button=script.button or 0, game=script.game
        )
        began = hand.replay(())
        if hand.options is not None or plain.stacks != tuple([began.stacks[seat] for seat in dealt]):
            raise BadHistory(
                "the debugger's table plays plain hands: this one has listed posts, a dead seat or options"
            )
        return script

    kinds: ClassVar[tuple[type, ...]] = ()
    """types of messages that may be sent later, besides those of every room"""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.stacks)

    def with_record(self, record: Record | None) -> Script:
        """Return the script with other answers and another order to play."""
        return attrs.evolve(self, record=record)

    def forkable(self) -> Script:
        """Return the script: its hands can continue differently."""
        return self

    def words(self, *, seed: bool) -> str:
        """Describe the script in one line, with its seed or without: the seed gives away every card."""
        which = (
            f"hand {self.first}"
            if self.hands == 1
            else f"hands {self.first} to {self.first + self.hands - 1}"
        )
        if self.start is not None:
            which = f"table {self.start.settings['name']}"
        elif self.cards is not None:
            which = "a recorded hand"
        elif seed:
            which += f" of seed {self.seed}"
        return f"{which}: {self.title} {self.stakes}, {len(self.stacks)} players"

    @property
    def title(self) -> str:
        """The game, or the rotation of a live table."""
        played = self.game if self.start is None else self.start.config.game
        return str(played) if isinstance(played, Rotation) else played.title

    @property
    def options(self) -> CashOptions | None:
        """The options of the table; None for a plain one."""
        return None if self.rake is None and self.boards == 1 else CashOptions(self.rake, boards=self.boards)

    # -- luck -------------------------------------------------------------------------------

    def deck(self, number: int) -> Deck:
        """Return the deck of hand `number`."""
        if self.cards is not None and number == self.first:
            return Deck(
                [*self.cards, *(card for card in self.game.pack if card not in self.cards)], entropy=-1
            )
        return SeedTree(self.seed).deck(number, self.game.pack)

    def button_of(self, number: int) -> int:
        """Return the button's seat in hand `number`."""
        return number % len(self.stacks) if self.button is None else self.button

    def decider(self, seat: int) -> Any:
        """Return a new decider for a seat: its bot, or a player of the recorded actions."""
        return known_spec(self.bots[seat]).make() if self.actions is None else _Recorded(self.actions)

    def staged(self) -> Scene | None:
        """Load the scene; None if there is none. Raises `BadSpec` and `UnknownBot` when it is not found."""
        if self.scene is None:
            return None
        loaded: Scene = function_at("scene", self.scene)
        return loaded

    # -- text -------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the script as a JSON object; `from_dict` reads it back."""
        return {
            "seed": self.seed,
            "bots": [str(bot) for bot in self.bots],
            "stacks": list(self.stacks),
            "stakes": attrs.asdict(self.stakes),
            "game": self.game.name,
            "first": self.first,
            "hands": self.hands,
            "button": self.button,
            "names": list(self.names),
            "cards": None if self.cards is None else "".join(map(str, self.cards)),
            "actions": None if self.actions is None else [str(action) for action in self.actions],
            "order": self.order,
            "scene": self.scene,
            "interventions": [plain_intervention(one) for one in self.interventions],
            # left out when unset, so that older traces and their hashes stay the same
            **({} if self.turn_seconds is None else {"turn_seconds": self.turn_seconds}),
            **({} if self.rake is None else {"rake": attrs.asdict(self.rake)}),
            **({} if self.boards == 1 else {"boards": self.boards}),
            **({} if self.start is None else {"start": attrs.asdict(self.start)}),
        }

    @classmethod
    def from_dict(cls, value: dict[str, Any], *, asks: bool = True) -> Script:
        """Read what `to_dict` returned; raise `BadInput`, `KeyError` or `TypeError` for anything else.

        Without `asks` the bots' code is not loaded: their answers are in a record.
        """
        actions, cards = value["actions"], value["cards"]
        return cls(
            value["seed"],
            tuple(BotSpec.parse(text) if asks else unasked(text) for text in value["bots"]),
            tuple(value["stacks"]),
            Stakes(**value["stakes"]),
            game_named(value["game"]),
            value["first"],
            value["hands"],
            value["button"],
            tuple(value["names"]),
            None if cards is None else parse_cards(cards),
            None if actions is None else tuple(parse_action(text) for text in actions),
            value["order"],
            value["scene"],
            tuple(intervention_from(one) for one in value["interventions"]),
            value.get("turn_seconds"),
            TableStart(**value["start"]) if "start" in value else None,
            Rake(**value["rake"]) if "rake" in value else None,
            boards=value.get("boards", 1),
        )


class _Recorded:
    """Plays recorded actions one by one; checks or calls past their end, or where a fork makes one illegal."""

    def __init__(self, actions: tuple[Action, ...]) -> None:
        self.actions = actions

    def __call__(self, view: View) -> Action:
        at = view.public.seq
        recorded = self.actions[at] if at < len(self.actions) else None
        if recorded is not None and recorded in view.legal:
            return recorded
        return Call() if view.to_call and Call() in view.legal else view.legal.passive


def _played(
    asked: Game | Rotation, stakes: Stakes, hand: int, hands: int, seats: int, seed: int
) -> tuple[Game, Stakes]:
    """Return the game and stakes of a hand; raise `BadSpec` for several hands of a rotation."""
    if isinstance(asked, Game):
        return asked, stakes
    if hands > 1:
        raise BadSpec(f"{hands} hands of {asked}: the debugger opens a rotation hand by hand")
    game = asked.at(hand, seats, seed)
    return game, game.stakes_like(stakes)


def _names(specs: Sequence[BotSpec]) -> tuple[str, ...]:
    return tuple(_unique([_clean(spec.source.name.rsplit(":", 1)[-1]) for spec in specs]))


def _clean(name: str) -> str:
    """Turn the name of a bot or a recorded player into a valid player name."""
    kept = "".join(mark if mark.isprintable() and mark != "/" else "_" for mark in name)
    return kept.strip()[:40] or "player"


def _unique(names: Sequence[str]) -> list[str]:
    given: list[str] = []
    for name in names:
        number, one = 1, name
        while one in given:
            number += 1
            one = f"{name}-{number}"
        given.append(one)
    return given


def _stakes(found: Hand) -> Stakes:
    """Return the stakes for a recorded hand; raise `BadHistory` for posts that stakes cannot express."""
    stakes = found.stakes
    for post in found.posts or ():
        if post.kind is event.Post.BIG_BLIND_ANTE:
            stakes = attrs.evolve(stakes, big_blind_ante=post.amount)
    if found.posts is not None:
        began = found.replay(())
        deck = SeedTree(0).deck(0, found.game.pack)
        plain = Hand(found.starting, stakes, deck=deck, button=found.button, game=found.game)
        if (plain.stacks, plain.bets, plain.dead) != (began.stacks, began.bets, began.dead):
            raise BadHistory("the debugger's table posts blinds and equal antes: this hand has other posts")
    return stakes


def _rake(script: Script, played: Replay) -> Rake | None:
    """Return a rake rule by which the house takes what it took from a recorded hand, if possible from each winner.

    Rooms differ in how they share out a rake, and records say who collected what, not by which rule.
    """
    paid: list[int] = []

    def listen(heard: event.Event) -> None:
        if isinstance(heard, event.Awarded) and not heard.pot:
            paid.append(heard.amount)

    replay(played.history, listener=listen)
    pot = sum(paid)
    rules = dict.fromkeys(  # of many chips not each, as a rate has four decimals
        Rake(-(-first * 10_000 // pot), played.rake, no_flop_no_drop=False)
        for first in range(min(played.rake, pot - 1), 0, -max(1, pot // 10_000))
    )
    for rule in rules:
        options = HandOptions(rule, boards=script.boards)
        hand = Hand(
            script.stacks, script.stakes, deck=script.deck(0), button=script.button or 0, game=script.game,
            options=options,
        )  # fmt: skip
        for action in script.actions or ():
            hand.act(action)
        if tuple(hand.stacks) == played.final_stacks:
            return rule
    return next(iter(rules), None)


def _stand_ins(dealt: Sequence[Card], pack: tuple[Card, ...]) -> dict[Card, Card]:
    """Map each unrecorded card dealt to one from the rest of the pack; raise `BadHistory` after a reshuffle."""
    if len(dealt) > len(pack) or len(set(dealt)) < len(dealt):
        raise BadHistory("cards were reshuffled in this hand, in an unrecorded order")
    rest = [card for card in SeedTree(0).deck(0, pack).draw(len(pack)) if card not in dealt]
    return dict(zip([card for card in dealt if card not in pack], rest, strict=False))


def _named(action: Action, stand_for: dict[Card, Card]) -> Action:
    if not isinstance(action, Discard):
        return action
    return Discard(tuple([stand_for.get(card, card) for card in action.cards]))
