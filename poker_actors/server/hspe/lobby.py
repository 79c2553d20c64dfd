"""All games of a server: make, find, join and restore them."""

from __future__ import annotations

import json
import logging
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from poker_actors.actors import News, Player, Refusal, Room, Table
from poker_actors.cards import Card
from poker_actors.errors import PokerError, StorageFailed, TableRefusal
from poker_actors.rules import Hand
from poker_actors.server.contract import Emote, tables
from poker_actors.server.hspe import game_notes
from poker_actors.server.hspe.game import Game
from poker_actors.server.hspe.hearing import won_by_showing
from poker_actors.server.hspe.house import Entrants, HouseSeat, NoEntrants, house_names, is_house
from poker_actors.server.hspe.roster import NOTE, Member, Roster, RosterNote
from poker_actors.server.hspe.setting import Rules, Setting
from poker_actors.server.hspe.turn import Clock, Due, Key, NamedAction, Order
from poker_actors.server.notes import Notes
from poker_actors.server.users import ENTRANT, HOUSE_NUMBERS, User, Users

_log: Final = logging.getLogger("poker_actors.server")

_TAKEN: Final = "taken/"
_DUE: Final = "due/"
_ID_LENGTH: Final = len(str(uuid.UUID(int=0)))
_LATER: Final = 0.1
"""Seconds added to a delay that a second clock is asked about: the two may differ a little."""


class Lobby:
    """All games of a server. Everything runs in the room's thread. Restored games rest until `go_on`.

    `turns` are those open when the room was reopened in the same process: game -> when it is due.

    Refusals are `TableRefusal`: `no_game`, `no_player`, `not_yours`, `too_many`, and those of `Game`.
    """

    entrants: Entrants = NoEntrants()
    """plays for the arena's entrants; set before `go_on`"""

    def __init__(
        self,
        room: Room,
        users: Users,
        notes: Notes,
        rules: Rules,
        clock: Clock,
        *,
        most_games: int = 10_000,
        turns: Mapping[str, Due] | None = None,
    ) -> None:
        self.room: Final = room
        self.users: Final = users
        self.notes: Final = notes
        self._rules, self._most, self._turns = rules, most_games, turns or {}
        self.clock: Final = clock
        self._listening: set[str] = set()
        self.games: Final[dict[str, Game]] = {}
        self.version = 0
        """grows with every change that lists show; for a game watched with a delay, once the delay is over"""
        self.on_change: Callable[[Game], None] = _nobody  # called with every change of a game
        self.on_behind: Callable[[Game], None] = _nobody  # called for one that is not to be counted yet
        self.on_ended: Final[list[game_notes.Ended]] = []
        self.is_kept: Callable[[str, str], bool] = lambda *_: True  # whether this hand of a table was noted
        self.on_shown: Final[list[game_notes.Shown]] = []  # called for cards that are turned up after a hand
        self.on_dropped: Final[list[Callable[[Game], None]]] = []
        """called for every game closed for good"""
        self.on_clear_up: Final[list[Callable[[], None]]] = []
        """called periodically to forget ended things; may raise `StorageFailed`"""
        self.elsewhere: Callable[[str], Game | None] = _nowhere  # finds a table outside `games` by its name
        self.on_busy: Final[list[Callable[[], Iterable[str]]]] = []
        """returns players to keep although they are in no game"""
        self.on_entered: Final[list[Callable[[str], list[str]]]] = []
        """returns ids of other events a user is in; until they end, the account cannot be deleted"""
        self.on_go_on: Final[list[Callable[[], None]]] = []  # called to resume, after the games
        self.on_delete: Final[list[Callable[[User], None]]] = [self._forget_said]
        self.on_close: Callable[[], None] = _nothing  # called when the lobby closes
        self._read()

    @staticmethod
    def set_bad_games_aside(users: Users) -> None:
        """Set aside each game whose note is unreadable, with its table; raises `StorageFailed`.

        Call it before a room is opened on the journal: a table already in play cannot be removed.
        """
        notes, journal = users.notes, users.notes.journal
        if journal is None:
            return

        def read(game_id: str, text: str) -> bool:
            plain = game_notes.plain_of(game_id, text)
            Setting.from_plain(plain.get("setting", {}))
            RosterNote.read(game_id, plain, partial(game_notes.known, users), 0)
            return True

        before = notes.under(NOTE).keys()
        for game_id in before - notes.read(NOTE, read).keys():
            journal.append(*journal.look(partial(game_notes.set_aside, name=game_id)))

    def _read(self) -> None:
        """Restore all games and listen to their players; ask and deliver nothing yet."""
        dues = self.notes.read(_DUE, game_notes.due_of)
        for game_id, text in self.notes.under(NOTE).items():
            table = self.room.tables.get(game_id)
            if table is None:
                with suppress(StorageFailed):  # then it is forgotten next time
                    # the process died between writing the note and opening the table
                    self.notes.put(f"{NOTE}{game_id}", None)
                continue
            plain = game_notes.plain_of(game_id, text)
            game = self._keep(table, Setting.from_plain(plain.get("setting", {})))
            game.roster.read(plain, partial(game_notes.known, self.users), self.player)
            kept = dues.get(game_id)
            # the one in memory is newer, unless its turn is not durable: then the journal's counts
            both = [kept and kept.after_restart(self.now(), game.turn_seconds), self._turns.get(game_id)]
            game.before = {one.key: one for one in both if one is not None}
        taken = self.notes.read(_TAKEN, game_notes.turns_of)
        # by their turns: who has changed seats may have two
        found = [(turn, place, user_id) for place, turns in taken.items() for user_id, turn in turns.items()]
        for (key, done), place, user_id in sorted(found, key=lambda one: one[0][0]):
            if (game_id := place.partition("/")[0]) in self.games:
                self.games[game_id].remember(user_id, key, done)
        with suppress(StorageFailed):
            for prefix, noted in ((_TAKEN, taken), (_DUE, dues)):
                gone = [place for place in noted if place.partition("/")[0] not in self.games]
                self.notes.forget([f"{prefix}{place}" for place in gone])

    def go_on(self) -> None:
        """Resume what was under way. Call it once, after all listeners are registered."""
        live = self.room.live_hands  # read first: asking an actor delivers messages, which may end a hand
        for game in self.games.values():
            for seat in game.roster.house_seats:
                seat.entrants = self.entrants
            if game.id not in live:  # else it is reported as it ends, which may be now
                self.end_again(game, game.roster.members)  # before who leaves is gone
            game.come_back(live.get(game.id))
            self._tell_again(game)
            self._show_last(game)
        self._look_for_entrants()
        for go_on in self.on_go_on:
            go_on()

    @property
    def entrants_seated(self) -> list[tuple[Game, HouseSeat]]:
        """The seats of the arena's entrants, including those being given up."""
        return [
            (game, seat) for game in self.games.values() for seat in game.roster.house_seats if seat.entrant
        ]

    def dismiss_entrant(self, name: str) -> None:
        """Have an entrant give up its seats, each after the current hand."""
        for game, seat in self.entrants_seated:
            if seat.entrant == name and game.roster.plays(seat.user.id):
                game.leave(seat.user.id)

    def _look_for_entrants(self) -> None:
        """After a start, log in one line which entrants are seated again; those that cannot play give up their seats."""
        back, gone = Counter[str](), Counter[str]()
        for game, seat in self.entrants_seated:
            try:
                self.entrants.check(seat.entrant, game.setting.game, 0, 0)
            except (PokerError, OSError):
                with suppress(StorageFailed, TableRefusal):  # it checks or folds, and leaves another time
                    game.leave(seat.user.id)
                gone[seat.entrant] += 1
            else:
                back[seat.entrant] += 1
        said = [
            f"{what} {', '.join(f'{name} ({count})' for name, count in found.items())}"
            for what, found in (("at tables again:", back), ("no longer in the arena, and leave:", gone))
            if found
        ]
        if said:
            _log.warning("entrants %s", "; ".join(said))

    def _tell_again(self, game: Game) -> None:
        """Repeat the news of a resumed hand, which may have been sent before the game listened."""
        hand_id = game.table.state().hand_id
        for user_id, member in list(game.roster.members.items()):
            state = member.player.at(game.id).state()  # who plays at several tables has a state of each
            if state is not None and state.hand_id == hand_id:
                game.heard(user_id, state)
            member.player.play_by(None)  # makes the player look at its open turns again

    def end_again(self, game: Game, members: Mapping[str, Member]) -> None:
        """Report to `members`, by id, the end of a hand that was paid just before the process died but not recorded."""
        last = game_notes.PlayedLast.at(self.room, self.notes.journal, game.id, self.is_kept)
        if last is not None:
            players = {seat: members[one] for seat, one in last.ids.items() if one in members}
            self.ended(game, last.hand, last.hand_id, players)

    def _show_last(self, game: Game) -> None:
        """Show a game between hands as it was before the restart: with its last hand, unless that is void."""
        last = None if game.public else game_notes.PlayedLast.at(self.room, self.notes.journal, game.id)
        if last is None:
            return
        members = game.roster.members
        game.public, game.hand_id = last.hand.public(), last.hand_id
        game.at = {seat: members[one] for seat, one in last.ids.items() if one in members}
        game.gone = {seat: self.name_at(game, one) for seat, one in last.ids.items() if one not in members}
        for user_id, member in game.roster.playing.items():
            state = member.player.at(game.id).state()
            if state is not None and state.hand_id == last.hand_id:
                game.dealt[user_id] = state
        if game.setting.by_contract:
            game.winners = won_by_showing(game.public, last.ids, last.hand.shows)

    def name_at(self, game: Game, user_id: str) -> str:
        """Return the name of anybody who sits or sat in a game, house players included; empty if unknown."""
        member = game.roster.members.get(user_id)
        if member is not None:
            return member.user.name  # of an entrant of the arena, too, whom nothing else names
        user = self.users.get(user_id)
        if user is not None:
            return user.name
        return house_names(game.id).get(user_id, "") if is_house(user_id) else ""

    def _keep(self, table: Table, setting: Setting) -> Game:
        roster = Roster(self.room, table, self.notes, setting)
        game = Game(table, roster, setting, self._rules, self.clock, self)
        self.games[table.name] = game
        return game

    def player(self, user: User) -> Player:
        """Return the player of the Room that acts for a user, and listen to it."""
        player = self.room.players.get(user.id)
        if player is None:
            player = self.room.player(user.id)
        return self.listen(user.id, player)

    def listen(self, user_id: str, player: Player) -> Player:
        """Listen to a player, once."""
        if user_id not in self._listening:
            self._listening.add(user_id)
            player.listen(partial(self._heard, user_id))
        return player

    def gone(self, game: Game) -> None:
        """Forget a tournament's table."""
        game.close()
        for forget in self.on_dropped:
            forget(game)
        self.on_change(game)

    def _heard(self, user_id: str, news: News) -> None:
        if not isinstance(news, Refusal):
            game = self.games.get(news.table) or self.elsewhere(news.table)
            if game is not None:
                game.heard(user_id, news)

    # -- news from games --------------------------------------------------------------------

    def changed(self, game: Game) -> None:
        """Count and report a change to a game; lists do not show it yet if the game has a delay."""
        if game.setting.watch_delay:
            self.on_behind(game)
        else:
            self.version += 1
        self.on_change(game)

    def talked(self, game: Game) -> None:
        """Report a line said: to players at once, and to spectators after the delay."""
        self.on_change(game)
        if game.setting.watch_delay:
            self.clock.later(game.setting.watch_delay + _LATER, partial(self.on_change, game))

    def say(self, user: User, game_id: str, text: str, emote: Emote | None) -> tables.Said:
        """Say something at the user's table; raises `TableRefusal`: `no_game`, `not_joined`, `not_active`."""
        game = self.check_talk(user, game_id)
        line = game.chat.say(user, text, emote, self.now())
        game.talked()
        return line

    def check_talk(self, user: User, game_id: str) -> Game:
        """Return the game if a user may talk there; raises as `say`."""
        game = self.game(game_id)
        if not game.roster.plays(user.id):
            raise TableRefusal("only players seated at a table may talk there", code="not_joined")
        game.chat.check()
        return game

    def _forget_said(self, user: User) -> None:
        """Forget what a deleted account has said."""
        for game in self.games.values():
            if game.chat.forget(user.id):
                game.talked()

    def seen(self, game: Game) -> None:
        """Count and report a change that lists show: at once, or after the game's delay if it has one."""
        self.version += 1
        self.on_change(game)

    def blank(self, game: Game) -> Game:
        """Return an empty game with the same settings, only for display."""
        roster = Roster(self.room, game.table, self.notes, game.setting)
        return Game(game.table, roster, game.setting, self._rules, self.clock, self)

    def taken(self, game: Game, member: Member, key: Key, done: NamedAction | Order) -> None:
        """Record the last turn of a seat's player, so that repeating it gets the same answer after a restart."""
        hand_id, seq = key
        with suppress(StorageFailed):  # then no answer has been sent either
            text = json.dumps([hand_id, {member.user.id: [seq, *done.plain()]}])
            self.notes.put(f"{_TAKEN}{game.id}/{member.seat}", text)

    def due(self, game: Game, due: Due) -> None:
        """Record when a long turn ends, so that a restart does not start it over."""
        with suppress(StorageFailed):  # a failed write costs a player nothing
            self.notes.put(f"{_DUE}{game.id}", json.dumps(due.plain()))

    def ended(self, game: Game, hand: Hand, hand_id: str, players: Mapping[int, Member]) -> None:
        """Record a hand that has been paid; in memory only while the journal cannot be written."""
        heard = [hear(game, hand, hand_id, players) or {} for hear in self.on_ended]
        self.notes.keep(f"hand {hand_id}", {key: text for notes in heard for key, text in notes.items()})

    def shown(self, game: Game, hand_id: str, user_id: str, cards: tuple[Card, ...]) -> None:
        """Record cards that a player has turned up after the hand."""
        for hear in self.on_shown:
            hear(game, hand_id, user_id, cards)

    # -- commands ----------------------------------------------------------------------------

    def make(
        self, user: User, setting: Setting | None = None, *, keeps_seat: bool = False
    ) -> tuple[Game, bool]:
        """Make a game that its maker joins; return the game, and whether there was a seat."""
        setting = setting or Setting(maker=user.id)
        if len(self.games) >= self._most:
            raise TableRefusal(f"there are {self._most} games, the most allowed", code="too_many")
        player = self.player(user)
        game_id = str(uuid.uuid4())
        owed = setting.owes_blinds(self._rules)
        self.notes.put(f"{NOTE}{game_id}", game_notes.first_note(setting))
        table = self.room.open_table(
            game_id, seats=setting.seats, stakes=setting.stakes, game=setting.rules, missed_blinds=owed,
            ledger=setting.ledger,
        )  # fmt: skip
        game = self._keep(table, setting)
        return game, game.join(user, player, keeps_seat=keeps_seat)

    def now(self) -> float:
        """Seconds since 1970."""
        return self.clock.now()

    def game(self, game_id: str) -> Game:
        """Return a game, or a table of a tournament; raises `TableRefusal` (`no_game`)."""
        game = self.games.get(game_id) or self.elsewhere(game_id)
        if game is None:
            raise TableRefusal("Game not found.", code="no_game")
        return game

    def join(
        self, user: User, game_id: str, *, seat: int | None = None, keeps_seat: bool = False
    ) -> tuple[Game, bool]:
        """Join a game; return it, and whether there was a seat. See `Game.join`."""
        game = self.game(game_id)
        return game, game.join(user, self.player(user), seat=seat, keeps_seat=keeps_seat)

    def own(self, user: User, game_id: str, player_id: str) -> Game:
        """Return a game after checking that `player_id` is in it and is this user."""
        game = self.game(game_id)
        if not game.roster.plays(player_id) and player_id not in game.roster.queue:
            raise TableRefusal("The authenticated player has not joined this game.", code="no_player")
        if player_id != user.id:
            raise TableRefusal("That is another player's id.", code="not_yours")
        return game

    def seat_house(self, user: User, game_id: str, bots: Sequence[str]) -> list[str]:
        """Fill free seats with house players, one per item of `bots` while seats last; return their names.

        Raises `TableRefusal`: `no_game`, `not_yours`, `seat_unavailable` when none is free.
        """
        game = self._hosted(user, game_id)
        if not game.roster.free:
            raise TableRefusal(f"all {game.setting.seats} seats are taken", code="seat_unavailable")
        bots = bots[: game.roster.free]
        names = [bot.removeprefix(ENTRANT) for bot in bots if bot.startswith(ENTRANT)]
        self.check_entrants(user, names, game.setting.game)
        seated = []
        for bot in bots:
            name = next(
                name
                for number in HOUSE_NUMBERS
                if HouseSeat.id_of(game_id, name := f"{bot} {number}") not in game.roster.members
            )
            seat = HouseSeat.of(HouseSeat.id_of(game_id, name), name, bot, self.room.seed, user.id)
            seat.entrants = self.entrants
            game.join_house(seat, self.player(seat.user))
            seated.append(name)
        return seated

    def check_entrants(self, user: User, names: Sequence[str], game: str) -> None:
        """Raise, before any of them sits down, unless this user may seat all these entrants at tables of `game`."""
        seated = self.entrants_seated
        theirs = sum(seat.asked_by == user.id for _, seat in seated)
        for more, name in enumerate(names):
            self.entrants.check(name, game, len(seated) + more, theirs + more)

    def send_house_away(self, user: User, game_id: str) -> None:
        """Send every house player away, once the hand is over; raises `no_game`, `not_yours`."""
        game = self._hosted(user, game_id)
        for user_id in list(game.roster.house):
            game.leave(user_id)

    def _hosted(self, user: User, game_id: str) -> Game:
        """Return a game in which this user, as maker or player, may ask for house players."""
        game = self.game(game_id)
        if user.id != game.setting.maker and not game.roster.plays(user.id):
            raise TableRefusal("only players of this game, and its maker, may ask for bots", code="not_yours")
        return game

    def drop(self, game: Game) -> None:
        """Close an empty game for good."""
        self.room.close_table(game.id)
        game.close()
        del self.games[game.id]
        # if this is not written, the next start does it, as it finds no such table
        for forget in self.on_dropped:
            forget(game)
        seats = [f"{_TAKEN}{game.id}/{seat}" for seat in range(game.setting.seats)]
        self.notes.forget([*[f"{one}{game.id}" for one in (NOTE, _TAKEN, _DUE)], *seats])
        self.seen(game)

    def dismiss_idle(self, most: int) -> bool:
        """Remove up to `most` players who are in no game; return whether there are more.

        Nothing is lost: a player who joins a game has chips minted there.
        """
        busy = {user_id for game in self.games.values() for user_id in game.roster.everybody}
        busy.update(*[asked() for asked in self.on_busy])
        idle = [name for name in self.room.players if name not in busy and _is_id(name)]
        for name in idle[:most]:
            with suppress(TableRefusal):  # still in the books: an interrupted booking is finished first
                self.room.dismiss(name)
                self._listening.discard(name)
        return len(idle) > most

    @property
    def turns(self) -> dict[str, Due]:
        """When open turns end, by game."""
        return {name: game.turn.due for name, game in self.games.items() if game.turn is not None}

    def close(self) -> None:
        """Stop dealing."""
        for game in self.games.values():
            game.close()
        self.on_close()

    def __repr__(self) -> str:
        return f"<Lobby: {len(self.games)} games>"


def _is_id(name: str) -> bool:
    """Return whether a room's player belongs to this server: other protocols use other names."""
    return len(name) == _ID_LENGTH and name.count("-") == 4


def _nobody(game: Game) -> None:
    """Tell nobody."""


def _nowhere(name: str) -> Game | None:
    """Find no other table."""
    return None


def _nothing() -> None:
    """Do nothing."""
