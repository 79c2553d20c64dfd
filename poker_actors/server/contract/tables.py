"""What clients see of tables: HSPE's game, one picture, the ledger, and the lobby's list."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from poker_actors.server.contract import Amount, Card, Count, Emote, Id, OldCard, Positive, Rows, Table, Talk
from poker_actors.server.shapes import Limit

# -- HSPE's answers --------------------------------------------------------------------------


class Registered(TypedDict):
    """A new user's id."""

    PlayerID: Id


Player = TypedDict(
    "Player",
    {
        "playerID": Id,
        "handle": str,
        "state": Literal["active", "folded", "called"],
        "wealth": Count,
        "bet_so_far": Count,
        "small_blind": NotRequired[bool],
        "small blind": NotRequired[bool],
    },
)


class OldTurn(TypedDict):
    """Whose turn it is."""

    playerID: str
    bet_so_far: Count
    bet_to_player: Count
    minimum_raise: Count
    expiry: str


class OldCards(TypedDict):
    """The cards that the user may see."""

    hole: list[OldCard] | None
    flop: list[OldCard] | None
    turn: list[OldCard] | None
    river: list[OldCard] | None


class OldPot(TypedDict):
    """A pot, and who plays for it."""

    size: Count
    players: list[Id]


class Invalid(TypedDict):
    """A bet that folded its player, and why."""

    playerID: Id
    betAmount: int
    reason: str


class OldWinner(TypedDict):
    """A winner who showed, with the five cards."""

    PlayerID: Id
    Hand: list[OldCard]


class Game(TypedDict):
    """A game as HSPE has it."""

    gameID: Table
    table: list[Player]
    turn: OldTurn
    cards: OldCards
    pots: list[OldPot] | None
    invalid_bet: NotRequired[Invalid | None]
    last_winners: NotRequired[list[OldWinner] | None]


# -- the picture of a table ------------------------------------------------------------------


class Stakes(TypedDict):
    """The blinds."""

    small_blind: Count
    big_blind: Count


class Seat(TypedDict):
    """A seat: who sits there, chips and cards. `hidden` counts cards that are face down."""

    seat: Count
    player_id: Id | None
    name: str | None
    house: bool
    away: bool
    bank: Amount
    state: Literal["active", "all_in", "empty", "folded", "out", "waiting"]
    stack: Count
    bet: Count
    put_in: Count
    button: bool
    cards: list[Card] | None
    hidden: Count
    up: list[Card]
    last_action: str | None
    won: Count


class Bounds(TypedDict):
    """The smallest and largest total to raise to."""

    min: Count
    max: Count


class Laying(TypedDict):
    """The number of cards to lay, and the room in each row."""

    cards: Count
    rows: list[Count]


class Legal(TypedDict):
    """What may be done at a turn."""

    fold: bool
    check: bool
    bring_in: Count
    discards: Count
    must_discard: Count
    call: Count | None
    raise_to: Bounds | None
    to_call: Count
    pot: Count
    pot_odds: Annotated[float, Limit(0, 1)] | None
    lay: Laying | None


class Owing(TypedDict):
    """The blinds that a player has missed and posts on coming back, or waits for."""

    small_blind: bool
    big_blind: bool
    waits: bool


class You(TypedDict):
    """What only the asking user may know and do."""

    seat: Count | None
    player_id: Id
    waiting: bool
    away: bool
    leaves: bool
    top_up: Count
    may_show: bool
    owes: Owing | None
    hand: str | None
    cards: list[Card] | None
    legal: Legal | None


class Share(TypedDict):
    """Chips won on one board, for one share of the pot."""

    board: Count
    share: str
    amount: Count
    hand: str | None


class Winner(TypedDict):
    """A winner, the chips, and the hand if it was shown."""

    seat: Count
    name: str
    amount: Count
    hand: str | None
    shares: NotRequired[list[Share]]


class Deal(TypedDict):
    """One deal of open-face, scored."""

    rows: list[Rows]
    points: list[int]
    chips: list[int]


class OpenFace(TypedDict):
    """The rows of open-face, by seat, and the points of each deal."""

    rows: list[Rows]
    fantasy: list[Count]
    deals: list[Deal]


class Named(TypedDict):
    """A game by its name."""

    name: str
    title: str


class Choosing(TypedDict):
    """Who may name the next game, and until when."""

    seat: Count
    expiry: float
    seconds: float
    games: list[Named]


class Pot(TypedDict):
    """A pot, and which seats play for it."""

    size: Count
    seats: list[Count]


class OpenTurn(TypedDict):
    """Whose turn it is and until when; `bank` is true while the time bank runs."""

    seat: Count
    expiry: float
    seconds: float
    bank: bool


class Said(TypedDict):
    """What a player has said: a text or, if that is empty, an emote. Numbers grow by one a line."""

    number: Count
    name: str
    player_id: Id
    time: float
    text: str
    emote: Emote | None


class View(TypedDict):
    """A table, without the time."""

    game: Table
    name: str
    version: Count
    hand_id: str | None
    seq: Count
    street: str | None
    plays: str
    board_cards: Count
    over: bool
    stakes: Stakes
    terms: str
    buy_in: Count
    turn_seconds: Amount
    time_bank: Amount
    watch_delay: Amount
    chat_for: Talk
    ledger: bool
    seats: list[Seat]
    board: list[Card]
    boards: list[list[Card]]
    open_face: OpenFace | None
    choice: Choosing | None
    pots: list[Pot]
    turn: OpenTurn | None
    you: You | None
    winners: list[Winner]
    text: str | None
    notice: str | None
    waiting: list[str]


class Picture(View):
    """A table as the user may see it, the last lines said, and the server's time in seconds since 1970."""

    now: float
    chat: list[Said]


# -- who owes whom there ---------------------------------------------------------------------


class Owner(TypedDict):
    """What a player has brought to a table, taken from it and left there; `name` is null for a deleted account."""

    player_id: Id
    name: str | None
    house: bool
    seated: bool
    times: Count
    bought: Count
    cashed: Count
    stack: Count
    net: int


class Owed(TypedDict):
    """One of the payments that settle all debts; null is the house."""

    payer: Id | None
    payee: Id | None
    chips: Positive


class Ledger(TypedDict):
    """Who owes whom at a table; `house` is what bots and rake have won."""

    game: Id
    name: str
    players: list[Owner]
    house: int
    payments: list[Owed]


# -- turns told to who is away ---------------------------------------------------------------


class Hook(TypedDict):
    """The user's webhook, and whether the server calls any."""

    offered: bool
    webhook: str | None


class TurnCall(TypedDict):
    """The body of a webhook's call: the address tells whose turn it is; `deadline` is in seconds since 1970."""

    game: Id
    name: str
    link: str
    hand_id: str
    deadline: float


class Started(TypedDict):
    """How a hand began for one player."""

    hand_id: str
    type: str
    hand: Count
    game: str
    stakes: list[Count]
    seat: Count
    button: Count
    names: list[str | None]
    starting_stacks: list[Count]
    hole: list[Card]


class Over(Started):
    """How a hand ended."""

    boards: list[list[Card]]
    shown: dict[str, list[Card]]
    stacks: list[Count]
    actions: list[list[Any]]
    payoffs: list[int]


class Heard(TypedDict):
    """The last hand start and hand end that the user was told."""

    start: Started | None
    end: Over | None


# -- lists of tables --------------------------------------------------------------------------


class Listing(TypedDict):
    """A game as the lobby shows it."""

    game: Id
    name: str
    plays: str
    stakes: Stakes
    buy_in: Count
    seats: Count
    players: list[str]
    house: Count
    waiting: Count
    hands: Count


class Offered(TypedDict):
    """A game that a table can play."""

    name: str
    title: str
    seats: Count
    several: bool
    blinds: bool


class Lobby(TypedDict):
    """Games, or one page of them, where `of` is the number of all games and the next page begins `after` this id."""

    games: list[Listing]
    bots: list[str]
    served: list[Offered]
    arena: NotRequired[bool]
    of: NotRequired[Count]
    after: NotRequired[Id | None]
