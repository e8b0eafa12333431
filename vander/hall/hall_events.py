"""Tell the receivers of webhooks what happens in a hall: ended games, and changes of a tournament."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Event, Lock, Thread
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import and_, exists, select, tuple_
from sqlalchemy.engine import Engine

from referee.games import title_of
from referee.phrases import spell_list
from referee.sentences import Refused, message_of
from vander.extras.tournaments.standings import standings
from vander.extras.tournaments.tournament import AT_TABLE, Fixture, FixtureEnd, Meeting, Tournament, round_title
from vander.extras.webhooks.delivery import OLDEST_S, DeliveryQueue, named_in, with_names
from vander.extras.webhooks.receivers import EventType, WebhookEvent, WebhookReceiver
from vander.hall.game_replays import GameKey
from vander.hall.hall_games import GameStanding
from vander.hall.hall_schema import GAMES, SEATS, TABLES, TOURNAMENTS
from vander.hall.hall_service import NO_ANSWER, NO_DATABASE
from vander.hall.tournament_service import TournamentStore, state_of
from vander.storage.data_folder import StorageError

# Build webhook events of a hall: ended games, and changes of a tournament. Pure
#
# The sentences are English: programs that speak another language have the facts.


@dataclass(frozen=True)
class EndedGame:
    """A game of a table that has ended. `sequence` is the last line that told of it.

    `scores` are in the order of `players`, () where the game has none; `winner` are seats. `complete` is False where
    people ended the game before its rules did. `ended_at` is by the hall's clock.
    """

    table: int
    table_name: str
    number: int
    sequence: int
    game: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winner: tuple[int, ...]
    complete: bool
    ended_at: datetime

    @property
    def subject(self) -> str:
        """What the game is called among what was told."""
        return f"game {self.table}/{self.number}"


@dataclass(frozen=True)
class TournamentState:
    """A tournament of a hall in one version; `tables` are the names of the hall's tables by number."""

    number: int
    name: str
    version: int
    tournament: Tournament
    tables: Mapping[int, str]


def game_over(ended: EndedGame, now: datetime, *, corrected: bool) -> WebhookEvent:
    """Return that a game has ended, or that it has another result than was told."""
    title = str(title_of(ended.game))
    names = [ended.players[seat - 1] for seat in ended.winner if seat <= len(ended.players)]
    outcome = f"won by {spell_list(names, 'and')}" if names else "nobody has won"
    what = f"{title} has another result" if corrected else f"{title} is over" if ended.complete else f"{title} ends"
    players = [
        {"seat": seat, "name": name, "score": ended.scores[seat - 1] if seat <= len(ended.scores) else 0}
        for seat, name in enumerate(ended.players, start=1)
    ]
    facts = {
        "sentence": f"{ended.table_name}: {what}; {outcome}.",
        "table": {"number": ended.table, "name": ended.table_name},
        "game": {"number": ended.number, "name": ended.game, "title": title},
        "players": players,
        "winner": list(ended.winner),
        "complete": ended.complete,
        "corrected": corrected,
    }
    at = now if corrected else ended.ended_at
    return WebhookEvent(f"{ended.subject}.{ended.sequence}", EventType.GAME_OVER, at, facts)


def tournament_events(state: TournamentState, before: Tournament, now: datetime) -> tuple[WebhookEvent, ...]:
    """Return what changed since a tournament was as `before`, whose players may be nameless."""
    told = _TournamentTelling(state, before, now)
    return (*told.results(), *told.rounds(), *told.calls(), *told.end())


class _TournamentTelling:
    """Builds the events for the differences between a tournament and its earlier value `before`."""

    def __init__(self, state: TournamentState, before: Tournament, now: datetime) -> None:
        self._state, self._tournament, self._before, self._now = state, state.tournament, before, now
        self._known = {one.number: one for one in before.fixtures}

    def results(self) -> Iterator[WebhookEvent]:
        """Yield the results that were entered, corrected or taken back."""
        for one in self._tournament.fixtures:
            before = self._known.get(one.number)
            was_over = before is not None and before.over
            if len(one.known) < len(one.players) or not (one.over or was_over) or _result(one) == _result(before):
                continue
            at = one.ended_at if one.over and not was_over else None
            facts = {**self._meeting(one), **self._outcome(one), "corrected": was_over}
            sentence = f"{self._place(one)}: {'corrected: ' if was_over else ''}{self._told(one)}."
            yield self._event(EventType.MATCH_RESULT, f"{one.number}", at, sentence, facts)

    def rounds(self) -> Iterator[WebhookEvent]:
        """Yield the rounds of which it is known who meets whom, where that is new or has changed."""
        before = _drawn_rounds(self._before)
        for number, meetings in _drawn_rounds(self._tournament).items():
            if meetings == before.get(number):
                continue
            pairs = [self._names(meeting) for meeting in meetings]
            told = "; ".join(
                spell_list(pair, "and") + (" has a bye" if len(pair) == 1 else "") for pair in pairs if pair
            )
            title = round_title(self._tournament, number)
            sentence = f"{self._state.name}, {title}: {told}."
            facts = {"round": number, "title": str(title), "meetings": [list(map(self._player, m)) for m in meetings]}
            drawn = {**facts, "corrected": number in before}
            yield self._event(EventType.ROUND_DRAWN, f"{number}", None, sentence, drawn)

    def calls(self) -> Iterator[WebhookEvent]:
        for one in self._tournament.fixtures:
            if one.state in AT_TABLE and _call(one) != _call(self._known.get(one.number)):
                names, table = spell_list(self._names(one.players), "and"), self._state.tables.get(one.table or 0, "")
                sentence = f"{self._place(one)}: {names} play at {table}."
                yield self._event(EventType.MATCH_CALLED, f"{one.number}", one.called_at, sentence, self._meeting(one))

    def end(self) -> Iterator[WebhookEvent]:
        """Yield that the tournament is over, or has other final standings than were told."""
        now, before = _final_places(self._tournament), _final_places(self._before)
        if not now or now == before:
            return
        rows = [row for row in standings(self._tournament) if row.place is not None]
        table = [
            {"place": row.place, "number": row.entrant.player, "name": row.entrant.name, "points": row.points}
            for row in rows
        ]
        won = spell_list([row.entrant.name for row in rows if row.place == 1], "and")
        what = "has other final standings" if before else "is over"
        facts = {"standings": table, "corrected": bool(before)}
        sentence = f"{self._state.name} {what}; won by {won}."
        yield self._event(EventType.TOURNAMENT_OVER, "over", None, sentence, facts)

    # Parts

    def _place(self, fixture: Fixture) -> str:
        return f"{self._state.name}, {round_title(self._tournament, fixture.round)}"

    def _names(self, meeting: Meeting) -> list[str]:
        return [self._tournament.entrant(player).name for player in meeting if player is not None]

    def _player(self, player: int | None) -> dict[str, object] | None:
        return None if player is None else {"number": player, "name": self._tournament.entrant(player).name}

    def _meeting(self, fixture: Fixture) -> dict[str, object]:
        table = fixture.table
        return {
            "match": fixture.number,
            "round": fixture.round,
            "title": str(round_title(self._tournament, fixture.round)),
            "players": [self._player(player) for player in fixture.players],
            "table": None if table is None else {"number": table, "name": self._state.tables.get(table, "")},
        }

    def _outcome(self, fixture: Fixture) -> dict[str, object]:
        scores = [None if game.scores is None else list(game.scores) for game in fixture.games]
        games = [{"winner": game.winner, "scores": each} for game, each in zip(fixture.games, scores, strict=True)]
        return {
            "over": fixture.over,
            "winner": fixture.winner,
            "wins": list(fixture.wins),
            "games": games,
            "end": fixture.end or "",
        }

    def _told(self, fixture: Fixture) -> str:
        names = spell_list(self._names(fixture.players), "and")
        if not fixture.over:
            return f"{names} play on, their result is taken back"
        first, second = sorted(fixture.wins, reverse=True)
        if fixture.winner is None:
            return f"{names} tie" if fixture.end is FixtureEnd.PLAYED else f"nobody wins between {names}"
        won, lost = (self._names((player, None))[0] for player in (fixture.winner, fixture.loser))
        if fixture.end is FixtureEnd.PLAYED:
            return f"{won} beats {lost}, {first} to {second}"
        return f"{won} has the win over {lost} without play"

    def _event(
        self, type_: EventType, key: str, at: datetime | None, sentence: str, facts: Mapping[str, object]
    ) -> WebhookEvent:
        tournament = {"number": self._state.number, "name": self._state.name}
        told = {"sentence": sentence, "tournament": tournament, "game": self._tournament.settings.game, **facts}
        unique = f"tournament {self._state.number}.{self._state.version}.{type_}.{key}"
        return WebhookEvent(unique, type_, at or self._now, told)


def _result(fixture: Fixture | None) -> object:
    return (
        None if fixture is None else (fixture.state if fixture.over else "", fixture.end, fixture.winner, fixture.games)
    )


def _call(fixture: Fixture | None) -> object:
    return None if fixture is None or fixture.state not in AT_TABLE else (fixture.table, fixture.called_at)


def _drawn_rounds(tournament: Tournament) -> Mapping[int, Sequence[Meeting]]:
    """Return the meetings of each round whose fixtures all have their players."""
    rounds = {number: tournament.in_round(number) for number in range(1, tournament.last_round + 1)}
    return {
        number: [one.players for one in fixtures]
        for number, fixtures in rounds.items()
        if all(len(one.known) == len(one.players) or one.over for one in fixtures)
    }


def _final_places(tournament: Tournament) -> Sequence[tuple[int | None, int, float]]:
    """Return the places, players and points of a tournament that is over, else nothing."""
    if state_of(tournament) != "over":
        return ()
    return sorted((row.place or 0, row.entrant.player, row.points) for row in standings(tournament))


# Tells the receivers of webhooks what happens in a hall, on a thread of its own
#
# What was told stands in the queue's file, with the messages, in one transaction; what there is to tell is what
# differs from it. So nothing is lost where the program ends at any moment, and no lock of the hall's database is held
# meanwhile.


PAUSE_S = 0.5
"""Changes that come within so many seconds are looked up together."""
AGAIN_S = 5.0
"""After so many seconds a database that was away is asked again."""
MOST_KEYS = 1000
"""Games that are looked up by their numbers at once; beyond them all games of the last day are."""
LOOKED_UP = timedelta(seconds=2 * OLDEST_S)
"""How far back games are looked up at a start: further than messages are told, since tables' clocks may be wrong."""
_TOURNAMENT = TypeAdapter(Tournament)
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class _ToldGame:
    """Digests of what came out of a game and of who played it, by which another result or name is known."""

    result: str
    names: str

    @classmethod
    def of(cls, ended: EndedGame) -> _ToldGame:
        result = [list(ended.scores), list(ended.winner), ended.complete]
        return cls(*(hashlib.sha256(json.dumps(each).encode()).hexdigest() for each in (result, list(ended.players))))

    def __str__(self) -> str:
        return f"{self.result} {self.names}"


class HallFollower:
    """Puts what happens in a hall into the queue; `listener` goes to `HallService.listen`.

    `put` is called when something was put in. What happened before the queue was made, or more than OLDEST_S ago, is
    not told.
    """

    def __init__(
        self,
        engine: Engine,
        queue: DeliveryQueue,
        receivers: Sequence[WebhookReceiver],
        put: Callable[[], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._engine, self._queue, self._receivers, self._put, self._clock = engine, queue, receivers, put, clock
        self._store = TournamentStore(engine)
        self._tournaments: dict[int, tuple[int, Tournament]] = {}
        """The version of each tournament that was told last, without names."""
        self._is_first = queue.is_new
        self._changed: set[GameKey] = set()
        self._lock, self._news, self._over = Lock(), Event(), Event()
        self._thread = Thread(target=self._follow, name="webhooks-hall", daemon=True)

    def listener(self, games: Sequence[GameKey]) -> None:
        """Note games that changed, or that something else did."""
        with self._lock:
            self._changed.update(games)
        self._news.set()

    def start(self) -> None:
        """Look up what was missed, and follow from now on."""
        self._thread.start()

    def close(self) -> None:
        """Follow no more, once what is being put in is in."""
        self._over.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(2 * AGAIN_S)

    def catch_up(self, games: Collection[GameKey] | None = None) -> None:
        """Put in what these games and all tournaments have to tell; None for all games of late.

        Raises BrokenQueue, and NO_ANSWER where the hall's database is away.
        """
        told = self._tell_games(self._ended_games(games))
        for number in self._changed_tournaments():
            told |= self._tell_tournament(number)
        self._is_first = False
        if told:
            self._put()

    def _follow(self) -> None:
        missed, trouble = True, ""
        while not self._over.is_set():
            with self._lock:
                games, self._changed = self._changed, set()
            try:
                self.catch_up(None if missed or len(games) > MOST_KEYS else games)
                missed, trouble = False, ""
            except Exception as error:
                missed = True
                trouble = self._warn(error, trouble)
                self._over.wait(AGAIN_S)
                continue
            self._over.wait(PAUSE_S)
            self._news.wait()
            self._news.clear()

    def _warn(self, error: Exception, before: str) -> str:
        """Log why nothing was told, once for each cause; return the cause."""
        if isinstance(error, NO_ANSWER):
            cause = str(NO_DATABASE)
        elif isinstance(error, StorageError):
            cause = message_of(error)
        else:
            _LOG.exception("webhooks: nothing told, trying again")
            return ""
        if cause != before:
            _LOG.warning("webhooks: nothing told, trying again: %s", cause)
        return cause

    # Games

    def _ended_games(self, keys: Collection[GameKey] | None) -> Sequence[EndedGame]:
        if keys is not None and not keys:
            return ()
        late = GAMES.c.ended_at > self._now() - LOOKED_UP
        which = late if keys is None else tuple_(GAMES.c.table_id, GAMES.c.game_id).in_(list(keys))
        seats = and_(SEATS.c.table_id == GAMES.c.table_id, SEATS.c.game_id == GAMES.c.game_id, SEATS.c.finished)
        wanted = select(GAMES, TABLES.c.name.label("table_name"), exists().where(seats).label("finished"))
        wanted = wanted.join(TABLES, TABLES.c.id == GAMES.c.table_id).where(
            which, GAMES.c.standing == GameStanding.OVER
        )
        with self._engine.connect() as connection:
            return [
                EndedGame(
                    table=row.table_id,
                    table_name=row.table_name,
                    number=row.game_id,
                    sequence=row.sequence,
                    game=row.game,
                    players=tuple(row.players),
                    scores=tuple(row.scores),
                    winner=tuple(row.winner),
                    complete=row.finished,
                    ended_at=row.ended_at - timedelta(seconds=row.clock_off_s or 0.0),
                )
                for row in connection.execute(wanted.order_by(GAMES.c.ended_at))
            ]

    def _tell_games(self, games: Sequence[EndedGame]) -> bool:
        kept = self._queue.told([one.subject for one in games])
        told = {subject: _ToldGame(*text.split()) for subject, text in kept.items()}
        now = {one.subject: _ToldGame.of(one) for one in games}
        new = [one for one in games if told.get(one.subject) != now[one.subject]]
        known = [one for one in new if one.subject in told]
        same = {one.subject for one in known if told[one.subject].result == now[one.subject].result}
        for one in known:
            if told[one.subject].names != now[one.subject].names:
                self._rename(one)
        events = [game_over(one, self._now(), corrected=one in known) for one in new if one.subject not in same]
        return self._put_in(events, {one.subject: str(now[one.subject]) for one in new})

    def _rename(self, ended: EndedGame) -> None:
        """Give the players of a game their present names in the messages that wait: one may be forgotten."""

        def names(data: Mapping[str, Any]) -> Mapping[str, str]:
            game, table = data.get("game"), data.get("table")
            if not (isinstance(game, Mapping) and isinstance(table, Mapping)):  # it is of a tournament
                return {}
            if (table["number"], game["number"]) != (ended.table, ended.number):
                return {}
            now = {one["name"]: ended.players[one["seat"] - 1] for one in named_in(data)}
            return {old: new for old, new in now.items() if old != new}

        with self._queue.rewriting(partial(with_names, names=names)):
            pass
        self._queue.empty_log()

    # Tournaments

    def _changed_tournaments(self) -> Sequence[int]:
        """Return the tournaments that have changed since they were told."""
        wanted = select(TOURNAMENTS.c.id, TOURNAMENTS.c.version).where(TOURNAMENTS.c.removed_at.is_(None))
        with self._engine.connect() as connection:
            versions = {row.id: row.version for row in connection.execute(wanted)}
        unknown = {_subject(number): number for number in versions.keys() - self._tournaments.keys()}
        for subject, text in self._queue.told(unknown).items():
            read = json.loads(text)
            self._tournaments[unknown[subject]] = read["version"], _TOURNAMENT.validate_python(read["tournament"])
        told = {number: version for number, (version, _) in self._tournaments.items()}
        return [number for number, version in sorted(versions.items()) if told.get(number) != version]

    def _tell_tournament(self, number: int) -> bool:
        with self._engine.connect() as connection:
            tables = {row.id: row.name for row in connection.execute(select(TABLES.c.id, TABLES.c.name))}
        try:
            kept = self._store.read(number)
        except Refused:  # it was removed meanwhile
            return False
        before = self._tournaments.get(number, (0, replace(kept.tournament, fixtures=(), conflicts=(), kept=())))[1]
        state = TournamentState(number, kept.name, kept.version, kept.tournament, tables)
        events = tournament_events(state, before, self._now())
        nameless = replace(kept.tournament, entrants=tuple(replace(one, name="") for one in kept.tournament.entrants))
        text = json.dumps({"version": kept.version, "tournament": _TOURNAMENT.dump_python(nameless, mode="json")})
        told = self._put_in(events, {_subject(number): text})
        self._tournaments[number] = kept.version, nameless
        return told

    # Both

    def _put_in(self, events: Sequence[WebhookEvent], told: Mapping[str, str]) -> bool:
        """Put in what is fresh, and keep what was told; return whether anything was put in."""
        oldest = self._clock() - OLDEST_S
        fresh = [] if self._is_first else [event for event in events if event.at.timestamp() > oldest]
        if told:
            self._queue.put_told(fresh, self._receivers, told)
        return bool(fresh)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _subject(number: int) -> str:
    return f"tournament {number}"
