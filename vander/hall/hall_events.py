"""Build webhook events of a hall: ended games, and changes of a tournament. Pure.

The sentences are English: programs that speak another language have the facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from referee.games import named
from referee.phrases import spell_list
from vander.hall.tournament_view import state_of
from vander.tournaments.standings import standings
from vander.tournaments.tournament import AT_TABLE, Fixture, FixtureEnd, Meeting, Tournament
from vander.tournaments.tournament_titles import round_title
from vander.webhooks.webhook_events import EventType, WebhookEvent


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
    title = _title(ended.game)
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
        """Yield the calls to tables."""
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


def _title(game: str) -> str:
    try:
        return str(named(game).title)
    except LookupError:
        return game


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
