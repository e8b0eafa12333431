"""Past games and what can be counted of them, as the pages and the command line ask for it."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from threading import Event, Lock, Thread

from sqlalchemy.engine import Connection

from models import die_sets
from models.die_sets import DieSetSource
from referee import past_result
from referee.calls import Call
from referee.chances import ThrowChances
from referee.feats import Progress, achievements, progress
from referee.game import Game
from referee.game_results import LOT
from referee.games import games, named
from referee.journal import Contradiction, Deed, Entry, JournalReader
from referee.known_players import KnownPlayer
from referee.phrases import as_sentence
from referee.record_parser import BadRecord
from referee.sentences import Reason, Refused, say
from vander.extras.players import exports
from vander.extras.players.result_counting import count_missing, read_in
from vander.storage import player_tables
from vander.storage.data_folder import StorageError
from vander.storage.journal_schema import KeptGame
from vander.storage.journal_store import Journal
from vander.table.match import Match
from vander.table.snapshot_builder import interventions_since

# Results of ended games, counted in the background


_CHANCES: dict[str, ThrowChances] = {}


# An ended game as it went, entry by entry: what the referee said then, and the scores after it. Pure


def past_steps(match: Match) -> tuple[past_result.PastStep, ...]:
    """Return the steps of a game; entries that only a restart needs are none. Raises Contradiction."""
    reader = JournalReader(match.game, match.start)
    besides = {line.number: line.sentence for line in interventions_since(match)}
    steps = []
    for entry in match.entries:
        refusal = reader.add(entry)
        if refusal:
            raise Contradiction(refusal.sentence)
        calls = _calls(entry, reader, besides)
        if calls:
            seat = entry.action.player if entry.action else entry.seat
            is_play = entry.deed is Deed.PLAY
            scores, read = reader.state.scores, tuple(map(str, read_in(entry)))
            steps.append(
                past_result.PastStep(entry.number, entry.at, seat, calls, is_play, scores, entry.evidence, read)
            )
    return tuple(steps)


def _calls(entry: Entry, reader: JournalReader, besides: dict[int, str]) -> tuple[Call, ...]:
    """Return what is said of an entry that was just read; () for one that says nothing to people."""
    if entry.deed is Deed.PLAY:
        remark = (Call(entry.note, ""),) if entry.note else ()
        return (*reader.calls, *remark)
    said = entry.note if entry.deed is Deed.BREACH else besides.get(entry.number, "")
    return (Call(said, entry.rule),) if said else ()


# The same game again


def rematch_of(kept: KeptGame, game: Game | None) -> past_result.Rematch:
    """Return the same game again. Where no lot decides who begins, the next player takes the first seat."""
    has_lot = game is not None and any(verb.name == LOT for verb in game.verbs)
    players = kept.players if has_lot else (*kept.players[1:], *kept.players[:1])
    return past_result.Rematch(kept.game, players, kept.options, kept.die_set)


# Past games and what can be counted of them, as the pages and the command line ask for it


log = logging.getLogger(__name__)

LISTED = 50
"""Games in one answer of the list of past games."""


class PlayStatisticsService:
    """The ended games of a journal. Any thread may call any method.

    Games that have ended since somebody last asked are counted in the background: `uncounted` says how many are left.
    """

    def __init__(
        self, journal: Journal, known: DieSetSource = die_sets, sheets: Mapping[str, str] | None = None
    ) -> None:
        self._journal, self._known = journal, known
        self._sheets = tuple((sheets or {}).items())
        self._games = tuple(game.on_sheets(sheets) if game.on_sheets and sheets else game for game in games())
        self._achievements = achievements(self._games)
        self._lock, self._closing = Lock(), Event()
        self._counting: Thread | None = None

    def played(self, wanted: past_result.PastGameFilter = past_result.ALL_GAMES) -> Sequence[past_result.PastGame]:
        """Return the ended games that are wanted, the newest first, LISTED at most."""
        with self._journal.reading() as connection:
            return player_tables.list_played(connection, wanted, most=LISTED)

    def _all_played(self) -> Iterator[past_result.PastGame]:
        """Yield all ended games, the newest first, LISTED at a time: all of a long season would fill the memory."""
        wanted = past_result.ALL_GAMES
        while found := self.played(wanted):
            yield from found
            wanted = past_result.PastGameFilter(before=found[-1].number)

    def played_game(self, number: int) -> past_result.PastGame:
        """Return the ended game of that number. Raises Refused (NOT_FOUND)."""
        with self._journal.reading() as connection:
            found = player_tables.list_played(connection, number=number)
        if not found:
            raise Refused(say("There is no game of that number, or it is still going on."), Reason.NOT_FOUND)
        return found[0]

    def steps(self, number: int) -> Sequence[past_result.PastStep]:
        """Return an ended game entry by entry. Raises Refused (NOT_FOUND), and CONFLICT for one of other rules."""
        self.played_game(number)
        kept = self._journal.game(number)
        if kept is None:
            raise Refused(say("There is no game of that number."), Reason.NOT_FOUND)
        try:
            return past_steps(self._match(kept, self._journal.entries(number)))
        except (LookupError, ValueError, Contradiction) as error:
            log.warning("history: game %s cannot be replayed: %s", number, error)
            raise Refused(
                say("The rules of today cannot play this game again; its result stays."), Reason.CONFLICT
            ) from None

    def sums(self, player: int, against: int = 0) -> Sequence[past_result.GameSum]:
        """Return a player's finished games in figures, game by game; `against` another player only those of both.

        Raises Refused (NOT_FOUND) where one of them is not remembered.
        """
        with self._journal.reading() as connection:
            if not {player, against or player} <= player_tables.remembered(connection, [player, against]):
                raise _no_such_player()
            return player_tables.sum_games(connection, player, against)

    def results_of(self, player: int) -> str:
        """Return a player's results as a JSON file. Raises Refused (NOT_FOUND)."""
        found = self._known_player(player)
        with self._journal.reading() as connection:
            return exports.results_file(
                found,
                player_tables.sum_games(connection, player),
                player_tables.list_played(connection, past_result.PastGameFilter(player=player)),
            )

    def results_table(self, player: int) -> str:
        """Return a player's results as CSV, without the names of others. Raises Refused (NOT_FOUND)."""
        self._known_player(player)
        with self._journal.reading() as connection:
            return exports.results_csv(
                player_tables.list_played(connection, past_result.PastGameFilter(player=player)), player
            )

    def achievements(self, player: int) -> Sequence[Progress]:
        """Return how far a player has come with each achievement. Raises Refused (NOT_FOUND)."""
        with self._journal.reading() as connection:
            if not player_tables.remembered(connection, [player]):
                raise _no_such_player()
            return self._progress(connection, player)

    def result(self, number: int) -> past_result.PastResult:
        """Return how an ended game came out. Raises Refused (NOT_FOUND)."""
        game, kept = self.played_game(number), self._journal.game(number)
        if kept is None:
            raise Refused(say("There is no game of that number."), Reason.NOT_FOUND)
        entries = self._journal.entries(number)
        with self._journal.reading() as connection:
            feats = player_tables.list_feats(connection, number)
            awards = tuple(self._awards(connection, game))
        scores = self._scores(kept, entries)
        return past_result.PastResult(
            game, scores, past_result.find_highlights(game, feats, entries), awards, rematch_of(kept, self._game(kept))
        )

    def record(self, number: int) -> str:
        """Return the record of an ended game. Raises Refused (NOT_FOUND, CONFLICT)."""
        self.played_game(number)
        try:
            return exports.export_game(self._journal, self._games, number, self._known)
        except BadRecord as error:
            raise Refused(as_sentence(error), Reason.CONFLICT) from None

    def plays(self, form: str) -> Iterator[bytes]:
        """Return all ended games in pieces: `csv`, `json`, or `records`, a zip of their records."""
        if form == "records":
            return exports.records_archive(self._journal, self._games, self._known)
        write = exports.plays_csv if form == "csv" else exports.plays_json
        return (piece.encode() for piece in write(self._all_played()))

    def bg_stats_link(self, number: int) -> str:
        """Return the link that opens BG Stats with an ended game. Raises Refused (NOT_FOUND)."""
        game = self.played_game(number)
        return exports.bg_stats_link(game, named(game.game).title)

    @property
    def uncounted(self) -> int:
        """How many ended games are not counted yet."""
        with self._journal.reading() as connection:
            return len(player_tables.uncounted_games(connection))

    def count(self, *, again: bool = False) -> int:
        """Count the games whose results are missing, or all of them `again`; return how many. Raises StorageError."""
        if again:
            with self._journal.writing() as connection:
                player_tables.delete_results(connection)
        counted = count_missing(self._journal, self._known, self._sheets, self._closing.is_set)
        self._keep_progress()
        return counted

    def count_soon(self) -> None:
        """Begin to count in the background what is missing, unless that goes on already."""
        with self._lock:
            if self._counting is None or not self._counting.is_alive():
                self._counting = Thread(target=self._count_missing, name="counting", daemon=True)
                self._counting.start()

    def close(self) -> None:
        self._closing.set()
        with self._lock:
            counting = self._counting
        if counting is not None:
            counting.join()

    def _game(self, kept: KeptGame) -> Game:
        """Return the game by its name. Raises LookupError."""
        return next((game for game in self._games if game.name == kept.game), None) or named(kept.game)

    def _match(self, kept: KeptGame, entries: Sequence[Entry]) -> Match:
        """Return a game as it was played. Raises LookupError and ValueError where the rules of today cannot."""
        return Match.of(kept, self._game(kept), self._known.load(kept.die_set), entries)

    def _scores(self, kept: KeptGame, entries: Sequence[Entry]) -> tuple[int, ...]:
        """Return the scores at the end, before anybody has counted; () where the rules of today cannot replay it."""
        try:
            return self._match(kept, entries).state.scores
        except (LookupError, ValueError):
            return ()

    def _known_player(self, number: int) -> KnownPlayer:
        """Return the remembered player of a number. Raises Refused (NOT_FOUND)."""
        with self._journal.reading() as connection:
            players = player_tables.list_players(connection)
        found = next((known for known in players if known.number == number), None)
        if found is None:
            raise _no_such_player()
        return found

    def _awards(self, connection: Connection, game: past_result.PastGame) -> Iterator[past_result.Award]:
        known = player_tables.remembered(connection, [seat.player for seat in game.seats])
        for seat in game.seats:
            is_counted = seat.player in known and seat.result
            for found in self._progress(connection, seat.player) if is_counted else ():
                level = found.level_reached_in(game.number)
                if level:
                    yield past_result.Award(seat.seat, found.achievement, level, found.levels[level - 1].entry)

    def _progress(self, connection: Connection, player: int) -> tuple[Progress, ...]:
        """Return a player's progress as it is kept, or counted now where a game has just changed it."""
        kept = player_tables.read_progress(connection, player, self._achievements)
        if kept is not None:
            return kept
        career = player_tables.read_career(connection, player)
        return tuple(progress(each, career) for each in self._achievements)

    def _keep_progress(self) -> None:
        """Count the progress of players that is not kept, so that pages need not. Raises StorageError."""
        with self._journal.reading() as connection:
            wanted = player_tables.players_without_progress(connection, self._achievements)
        for player in wanted:
            if self._closing.is_set():
                return
            self.keep_progress_of(player)

    def keep_progress_of(self, player: int) -> None:
        """Count a player's progress and keep it, unless the player was merged or forgotten since it was asked for."""
        with self._journal.writing() as connection:
            player_tables.drop_progress_of_player(
                connection, player
            )  # from here on nobody changes the results meanwhile
            if player_tables.remembered(connection, [player]):
                player_tables.write_progress(connection, player, self._progress(connection, player))

    def _count_missing(self) -> None:
        try:
            self.count()
        except (StorageError, OSError, RuntimeError) as error:
            log.warning("statistics: games not counted: %s", error)


def _no_such_player() -> Refused:
    return Refused(say("There is no such player."), Reason.NOT_FOUND)
