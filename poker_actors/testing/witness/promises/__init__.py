"""The promises: one class each, grouped by subject."""

from poker_actors.testing.witness.promises.acts import AcceptedHappened, DeadlineHitsItsSeat, TimeBanksAreUsed
from poker_actors.testing.witness.promises.books import (
    BalancesAreKept,
    BooksBalance,
    DeckIsDealt,
    ToldIsWritten,
)
from poker_actors.testing.witness.promises.hands import (
    ActionsStay,
    BoardGrows,
    CardsStay,
    ChipsAddUp,
    NewsOnce,
    PotsArePaid,
    ResultIsBooked,
    SeatIsPrivate,
    SetupStays,
    StatesGoOn,
    TurnIsOne,
)
from poker_actors.testing.witness.promises.people import (
    BoardsAsWished,
    EverybodyIsTold,
    NothingTakenInMidHand,
    SatOutWhenLate,
)
from poker_actors.testing.witness.promises.sitters import SeatsAreKept, SittersOutGetNoCards, StacksAreKept
from poker_actors.testing.witness.promises.tables import ButtonMovesOn, DealtHandEnds, LineIsKept

__all__ = [
    "AcceptedHappened",
    "ActionsStay",
    "BalancesAreKept",
    "BoardGrows",
    "BoardsAsWished",
    "BooksBalance",
    "ButtonMovesOn",
    "CardsStay",
    "ChipsAddUp",
    "DeadlineHitsItsSeat",
    "DealtHandEnds",
    "DeckIsDealt",
    "EverybodyIsTold",
    "LineIsKept",
    "NewsOnce",
    "NothingTakenInMidHand",
    "PotsArePaid",
    "ResultIsBooked",
    "SatOutWhenLate",
    "SeatIsPrivate",
    "SeatsAreKept",
    "SetupStays",
    "SittersOutGetNoCards",
    "StacksAreKept",
    "StatesGoOn",
    "TimeBanksAreUsed",
    "ToldIsWritten",
    "TurnIsOne",
]
