"""Build the picture of a game, for page and push: seats, chips, cards, hands in words, and the owner's options."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final, Literal

from poker_actors.actors import HandState
from poker_actors.cards import Card
from poker_actors.rules import Discard, Fold, Legal, PublicState, Stakes, View, state_text
from poker_actors.rules import Game as Rules
from poker_actors.server.contract import tables
from poker_actors.server.hspe import Game, Member, last_words, side_pots

_STREETS: Final = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}


def owner_of(game: Game, user_id: str | None) -> str | None:
    """Return `user_id` if this user's picture differs from a spectator's, else None."""
    if user_id is not None and (game.roster.plays(user_id) or user_id in game.roster.queue):
        return user_id
    return None


def picture(game: Game, owner: str | None) -> tables.View:
    """Return what `owner`, or a spectator for None, may see of a game.

    It must change only with `game.version`: views are cached and tagged by version.
    """
    public = game.public
    setting = game.setting
    own = None if owner is None else game.own_hand(owner)
    table = _Table(game, public, own)
    return {
        "game": game.id,
        "name": setting.name,
        "version": game.version,
        "hand_id": None if public is None else game.hand_id,
        "seq": 0 if public is None else public.seq,
        "street": None if public is None else _street(public),
        "plays": setting.title if public is None else public.setup.game.title,
        "board_cards": (setting.rules if public is None else public.setup.game).board_cards,
        "over": public is None or public.over,
        "stakes": {"small_blind": setting.small_blind, "big_blind": setting.big_blind},
        "terms": terms_of(setting.stakes if public is None else public.setup.stakes),
        "buy_in": setting.buy_in,
        "turn_seconds": game.turn_seconds,
        "time_bank": setting.time_bank,
        "watch_delay": setting.watch_delay,
        "chat_for": setting.chat,
        "ledger": setting.ledger,
        "seats": [table.seat(number) for number in range(setting.seats)],
        "board": [] if public is None else _texts(public.board),
        "boards": [[]] if public is None else [_texts(board) for board in public.boards],
        "open_face": None if public is None else open_face(public),
        "choice": _choice(game),
        "pots": [{"size": pot.amount, "seats": list(pot.seats)} for pot in table.pots],
        "turn": _turn(game),
        "you": None if owner is None else yours(game, owner, own),
        "winners": table.winners(),
        "text": None if public is None else _text(game, public, own),
        "notice": _notice(game),
        "waiting": [game.roster.name_of(user_id) for user_id in game.roster.queue],
    }


def _text(game: Game, public: PublicState, own: HandState | None) -> str:
    """Return the hand in words, as the owner or a spectator sees it."""
    known = _names(game)
    names = [known.get(seat) for seat in range(len(public.setup.stacks))]
    if own is None:
        return state_text(public, names)
    return View(public, own.seat, own.hole).text(names)


def _names(game: Game) -> dict[int, str]:
    """Return the names of the players dealt in, including those who have left since."""
    return {**game.gone, **{number: one.user.name for number, one in game.at.items()}}


def terms_of(stakes: Stakes) -> str:
    """Return the stakes in words: `10/20`, or `ante 5, bring-in 10, bets from 20`; empty for a game played for points."""
    if stakes.big_blind:
        ante = f", ante {stakes.ante}" if stakes.ante else ""
        return f"{stakes.small_blind}/{stakes.big_blind}{ante}"
    named = {
        "ante": stakes.ante,
        "bring-in": stakes.bring_in,
        "bets from": stakes.min_bet if stakes.ante else 0,
    }
    return ", ".join(f"{name} {chips}" for name, chips in named.items() if chips)


class _Table:
    """The seats of one picture."""

    def __init__(self, game: Game, public: PublicState | None, own: HandState | None) -> None:
        self._game = game
        self._public = public
        self._own = own
        self._shown = {} if public is None else dict(public.shown)
        self._won = {} if public is None else public.won
        self._put_in = () if public is None else public.log.put_in
        self._said = {} if public is None else last_words(public)
        self._members = list(game.roster.members.values())
        self._newcomers = {one.seat: one for one in game.roster.playing.values() if one.seat is not None}
        self.pots = [] if public is None else side_pots(public)

    def seat(self, number: int) -> tables.Seat:
        """Return one seat: as it is in the shown hand, or with its occupant between hands."""
        public = self._public
        member = self._game.at.get(number)
        dealt = public is not None and bool(public.setup.stacks[number])
        if dealt and public is not None and public.over and member not in self._members:
            dealt = False  # the player has left since
        if not dealt:
            member = self._newcomers.get(number)
        plain = _between_hands(number, member)
        if public is None or not dealt:
            return plain
        cards = self._cards(number)
        live = number in public.seats_live
        plain["state"] = _state(public, number)
        plain["stack"] = public.chips_behind[number]
        plain["bet"] = 0 if public.over else public.chips_in_front[number]
        plain["put_in"] = self._put_in[number]
        plain["button"] = public.setup.button == number
        plain["cards"] = None if cards is None else _texts(cards)
        plain["hidden"] = _face_down(public, number) if live and cards is None else 0
        plain["up"] = _texts(public.open[number]) if live else []
        plain["last_action"] = self._said.get(number)
        plain["won"] = self._won.get(number, 0)
        return plain

    def _cards(self, number: int) -> tuple[Card, ...] | None:
        if self._own is not None and self._own.seat == number:
            return self._own.hole
        return self._shown.get(number)

    def winners(self) -> list[tables.Winner]:
        """Return the winners of a finished hand, with amounts, and hands if shown."""
        return [] if self._public is None else winners(self._public, _names(self._game))


def _between_hands(number: int, member: Member | None) -> tables.Seat:
    """Return a seat that is not in the hand, with its occupant."""
    stack = 0 if member is None else member.wealth
    plays = member is not None and stack and member.away is None
    return {
        "seat": number,
        "player_id": None if member is None else member.user.id,
        "name": None if member is None else member.user.name,
        "house": member is not None and member.house is not None,
        "away": member is not None and member.away is not None,
        "bank": 0 if member is None else round(member.bank, 1),
        "state": "empty" if member is None else "waiting" if plays else "out",
        "stack": stack,
        "bet": 0,
        "put_in": 0,
        "button": False,
        "cards": None,
        "hidden": 0,
        "up": [],
        "last_action": None,
        "won": 0,
    }


def _turn(game: Game) -> tables.OpenTurn | None:
    """Return whose turn it is, and until when."""
    turn = game.turn
    if turn is None:
        return None
    seconds = turn.seconds or game.turn_seconds
    return {"seat": turn.state.seat, "expiry": turn.expiry, "seconds": seconds, "bank": bool(turn.bank)}


def _choice(game: Game) -> tables.Choosing | None:
    """Return which seat may name the next game, and the games to choose from."""
    choice = game.choice
    asked = None if choice is None else choice.open
    if choice is None or asked is None:
        return None
    games: list[tables.Named] = [{"name": one.name, "title": one.title} for one in choice.rotation.games]
    return {"seat": asked.seat, "expiry": asked.expiry, "seconds": asked.seconds, "games": games}


def _street(public: PublicState) -> str:
    """Return the name of the street; after the hand, of the last one opened."""
    game = public.setup.game
    if game.plain and game.board_cards == 5:
        return _STREETS[len(public.board)]
    return game.streets[min(public.dealt.street, len(game.streets) - 1)].name


def _face_down(public: PublicState, number: int) -> int:
    """Return how many face-down cards a live seat has."""
    game = public.setup.game
    opened = game.streets[: public.dealt.street + 1]
    if game.plain:
        return game.hole_cards
    if public.layout is not None:
        return dealt_to_lay(public) if number == public.active else 0
    down = sum(street.hole for street in opened)
    if game.brings_in and public.board and opened[-1].hole:
        down -= opened[-1].hole  # too few cards were left: the last one is shared, on the board
    for street, taken in zip(opened, public.log.streets(), strict=False):
        if street.throw:  # given up; in a draw, the hole cards of a street replace them
            down -= sum(
                one.action.count for one in taken if one.seat == number and isinstance(one.action, Discard)
            )
    return down


def _state(public: PublicState, number: int) -> Literal["active", "all_in", "folded"]:
    if number not in public.seats_live:
        return "folded"
    return "active" if public.over or public.chips_behind[number] else "all_in"


def yours(game: Game, owner: str, own: HandState | None = None) -> tables.You:
    """Return what only `owner` may know and do; `own` is the hand as the owner was told it, None without one."""
    member = game.roster.playing.get(owner)
    turn = game.turn
    mine = turn is not None and turn.user == owner and own is not None
    return {
        "seat": None if member is None else member.seat,
        "player_id": owner,
        "waiting": member is None or own is None,
        "away": member is not None and member.away is not None,
        "leaves": member is not None and member.last_hand,
        "top_up": game.roster.may_add(owner),
        "may_show": _may_show(game, own),
        "owes": _owes(game, owner),
        "cards": None if own is None else _texts(own.hole),
        "hand": None if own is None else hand_so_far(own.public, own.seat, own.hole),
        "legal": _legal(turn.state.public, turn.state.legal) if mine and turn is not None else None,
    }


def _owes(game: Game, owner: str) -> tables.Owing | None:
    """Return the blinds that a player owes; None if there are none, or the table has none to owe."""
    if not game.table.config.missed_blinds:
        return None
    owed = next((one for one in game.table.state().owed if one.player == owner), None)
    if owed is None or not (owed.small or owed.big):
        return None
    return {"small_blind": owed.small, "big_blind": owed.big, "waits": owed.waits}


def _may_show(game: Game, own: HandState | None) -> bool:
    """Return whether the cards may be turned up now, and nobody has seen them."""
    public = game.public
    if own is None or public is None or own.hand_id != game.hand_id or not public.over or public.layout:
        return False
    return bool(own.hole) and own.seat not in dict(public.shown)


def _legal(public: PublicState, legal: Legal) -> tables.Legal:
    bounds: tables.Bounds = {"min": legal.min_raise_to, "max": legal.max_raise_to}
    return {
        "fold": Fold() in legal,
        "check": legal.can_check,
        "bring_in": legal.bring_in,
        "discards": legal.discards,
        "must_discard": legal.must_discard,
        "lay": {"cards": legal.lays, "rows": list(legal.room)} if legal.lays else None,
        "call": legal.to_call or None,
        "raise_to": bounds if legal.can_raise else None,
        "to_call": legal.to_call,
        "pot": public.pot,
        "pot_odds": round(legal.to_call / (public.pot + legal.to_call), 3) if legal.to_call else None,
    }


def _notice(game: Game) -> str | None:
    invalid = game.invalid_bet
    if invalid is not None:
        return f"{game.roster.name_of(invalid.user)} folds by an invalid bet: {invalid.reason}"
    return game.notice


def _texts(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


# -- open-face Chinese poker -----------------------------------------------------------------


def open_face(public: PublicState) -> tables.OpenFace | None:
    """Return the public rows and points, by seat; None in other games."""
    layout = public.layout
    if layout is None:
        return None
    return {
        "rows": [_rows(rows) for rows in layout.rows],
        "fantasy": list(layout.fantasy),
        "deals": [
            {
                "rows": [_rows(rows) for rows in deal.rows],
                "points": list(deal.points),
                "chips": list(deal.chips),
            }
            for deal in layout.scored
        ],
    }


def dealt_to_lay(public: PublicState) -> int:
    """Return how many cards the seat to act holds face down."""
    layout, seat, streets = public.layout, public.active, public.setup.game.streets
    if layout is None or seat is None:
        return 0
    if seat in layout.fantasy:
        return public.setup.game.hole_cards + streets[1].throw
    return streets[1 if any(layout.rows[seat]) else 0].hole


def _rows(rows: tuple[tuple[Card, ...], ...]) -> list[list[str]]:
    return [[str(card) for card in row] for row in rows]


# -- hands in words --------------------------------------------------------------------------

_RANKS: Final = (
    "Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace",
)  # fmt: skip


def hand_so_far(public: PublicState, seat: int, hole: tuple[Card, ...]) -> str | None:
    """Return a live seat's best hand so far in words, one for each board; None if it has none yet.

    Two cards before the flop are named by their ranks. Cards still to be discarded count if they help.
    """
    game = public.setup.game
    if game.open_face or seat not in public.seats_live or not hole:
        return None
    if not any(public.boards) and game.board_cards > 2:
        return _start(hole) if len(hole) == game.hole_cards == 2 else None
    words = [_so_far(game, hole, board) for board in public.boards]
    return " / ".join([one for one in words if one]) or None


def _start(hole: tuple[Card, ...]) -> str:
    """Name two cards: `Pair of Nines`, `Ace-King suited`."""
    low, high = sorted(hole, key=lambda card: card.rank)
    if low.rank == high.rank:
        name = _RANKS[low.rank]
        return f"Pair of {name}{'es' if name == 'Six' else 's'}"
    return f"{_RANKS[high.rank]}-{_RANKS[low.rank]} {'suited' if low.suit == high.suit else 'offsuit'}"


def _so_far(game: Rules, hole: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    """Return the words for the best hand of hole and board; empty while there are too few cards for one."""
    if not _is_enough(game, hole, board):
        return ""
    kept = [hole] if len(hole) <= game.hole_cards else [*combinations(hole, game.hole_cards)]
    best = max(kept, key=lambda one: game.strengths([one], board)[0])
    return game.words_of(game.claims([0], [best], board), 0, best)


def _is_enough(game: Rules, hole: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    """Return whether hole and board make a hand: a player who wins by a fold may show fewer cards."""
    least, total = (0, 1) if not game.board_cards else (3, 5)
    if game.shares:
        ranking = game.shares[0].ranking
        least, total = ranking.board[0], ranking.total[0]
    return len(board) >= least and len(hole) + len(board) >= total


def winners(public: PublicState, names: Mapping[int, str]) -> list[tables.Winner]:
    """Return the winners of a finished hand, their chips, and their hands if shown."""
    shown = dict(public.shown)
    told: list[tables.Winner] = []
    for number, amount in public.won.items():
        hole = shown.get(number)
        hand = None if hole is None else _words(public, number, hole)
        shares = [] if hole is None else _shares(public, number, hole)
        told.append(
            {
                "seat": number,
                "name": names.get(number, ""),
                "amount": amount,
                "hand": hand,
                "shares": shares,
            }
        )
    return told


def _words(public: PublicState, number: int, hole: tuple[Card, ...]) -> str | None:
    """Describe a shown hand, in a split-pot game both of its hands; in open-face return the points.

    None if the board is incomplete, or if there are several.
    """
    game, layout = public.setup.game, public.layout
    if layout is not None:
        points = sum(deal.points[number] for deal in layout.scored)
        return f"{points} point{'' if abs(points) == 1 else 's'}"
    if len(public.board) < game.board_cards or len(public.boards) > 1:
        return None
    if not _is_enough(game, hole, public.board):
        return None
    return game.words_of(game.claims([number], [hole], public.board), number, hole)


def _shares(public: PublicState, number: int, hole: tuple[Card, ...]) -> list[tables.Share]:
    """Return a seat's winnings by board and share, over all pots; empty with one board and one share."""
    game, boards = public.setup.game, public.boards
    if len(boards) * max(1, len(game.shares)) < 2:
        return []
    amounts: dict[tuple[int, str], int] = {}
    for award in public.awards:
        if award.seat == number:
            part = (award.board, award.share)
            amounts[part] = amounts.get(part, 0) + award.amount
    return [
        {
            "board": board,
            "share": share,
            "amount": amount,
            "hand": game.words_of(game.claims([number], [hole], boards[board]), number, hole, share)
            if _is_enough(game, hole, boards[board])
            else None,
        }
        for (board, share), amount in amounts.items()
    ]
