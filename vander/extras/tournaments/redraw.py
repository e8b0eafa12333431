"""What follows from results and withdrawals: byes, walkovers, the next rounds, and who comes next to which table."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from referee.sentences import Reason, Refused, say
from vander.extras.tournaments.draws import SwissTable, swiss_meetings
from vander.extras.tournaments.tournament import (
    BY_PEOPLE,
    Conflict,
    Feeder,
    Fixture,
    FixtureEnd,
    FixtureState,
    Meeting,
    Tournament,
    TournamentKind,
    meeting_sets,
)

# What follows from results and withdrawals: byes, walkovers, who comes next in a bracket, and rounds drawn again
#
# What people have begun is never changed here. Where corrected results would have others meet in it, that is a
# `Conflict`, and the organiser keeps it or has it played again.


Verdict = tuple[FixtureState, FixtureEnd, int | None]
"""What becomes of a fixture without people: its state, how it ended, and who has the win."""


def redrawn(tournament: Tournament, at: datetime, after_round: int = 0) -> Tournament:
    """Return the tournament with all that follows from its results; Swiss rounds up to `after_round` stay as drawn."""
    if tournament.is_knock_out:
        return _bracket_redrawn(tournament, at)
    given = _given(tournament, at)
    return _swiss_redrawn(given, at, after_round) if tournament.is_swiss else given


def keep_as_played(tournament: Tournament, conflict: Conflict, at: datetime) -> Tournament:
    """Return the tournament in which what was begun counts, whatever the corrected result. Raises Refused."""
    decided = _decided(tournament, conflict)
    return redrawn(replace(decided, kept=(*tournament.kept, conflict)), at, conflict.round)


def play_again(tournament: Tournament, conflict: Conflict, at: datetime) -> Tournament:
    """Return the tournament in which the fixtures of a conflict are void and others take their place. Raises Refused.

    The games of a void fixture stay on record. In a Swiss tournament the later rounds are drawn again too.
    """
    decided = _decided(tournament, conflict)
    if tournament.is_knock_out:
        return redrawn(_replaced_in_bracket(decided, conflict, at), at)
    return _round_drawn(decided, conflict.round, at)


def _decided(tournament: Tournament, conflict: Conflict) -> Tournament:
    """Return the tournament without a conflict. Raises Refused where it is open no more."""
    left = tuple(other for other in tournament.conflicts if not other.is_like(conflict))
    if left == tournament.conflicts:
        raise Refused(say("This was decided already, or the results have changed again."), Reason.GONE)
    return replace(tournament, conflicts=left)


# What follows from withdrawals and byes.


def counts(tournament: Tournament, player: int) -> bool:
    """True if what a player did counts in the standings.

    In a round robin, results of a player who withdraws before half of their matches were played do not count for
    anybody; else they count, and opponents have the rest as walkovers (FIDE Tournament Rules, on withdrawals).
    """
    settings = tournament.settings
    if settings.kind not in (TournamentKind.ROUND_ROBIN, TournamentKind.LEAGUE):
        return True
    if tournament.entrant(player).withdrawn_from_round is None:
        return True
    fixtures = [one for one in tournament.fixtures_of(player) if not _came_after(tournament, one, player)]
    return 2 * sum(_is_played(tournament, fixture) for fixture in fixtures) >= len(fixtures)


def _came_after(tournament: Tournament, fixture: Fixture, withdrawn: int) -> bool:
    """True if the opponent of a player who withdrew came late, after that: such a match takes no half away."""
    opponent, left_in = fixture.opponent(withdrawn), tournament.entrant(withdrawn).withdrawn_from_round
    entered_in = tournament.entrant(opponent).entered_in_round if opponent is not None else 1
    return left_in is not None and entered_in > 1 and entered_in >= left_in


def _is_played(tournament: Tournament, fixture: Fixture) -> bool:
    """True if a fixture was played, or is still to be played by players who have not withdrawn by then."""
    if fixture.end in BY_PEOPLE:
        return fixture.end is FixtureEnd.PLAYED
    return all(tournament.entrant(player).plays_in(fixture.round) for player in fixture.known)


def _given(tournament: Tournament, at: datetime) -> Tournament:
    """Return the tournament with byes, and walkovers for who withdrew; those that no longer hold are taken back.

    A Swiss round that another one followed is closed: who comes back takes part from then on.
    """
    gone = {one.player: one for one in tournament.entrants if one.withdrawn_from_round is not None}
    annulled = frozenset(player for player in gone if not counts(tournament, player))
    closed = tournament.last_round - 1 if tournament.is_swiss else 0

    def given(fixture: Fixture) -> Fixture:
        if fixture.round <= closed:
            return fixture
        absent = frozenset(one for one in fixture.known if one in gone and not gone[one].plays_in(fixture.round))
        return _judged(fixture, _verdict(fixture, absent, annulled), at)

    return replace(tournament, fixtures=tuple(given(fixture) for fixture in tournament.fixtures))


def _verdict(fixture: Fixture, absent: frozenset[int], annulled: frozenset[int]) -> Verdict | None:
    """Return what becomes of a fixture whose players are known, None if it is for people to play."""
    present = [player for player in fixture.known if player not in absent]
    if absent & annulled or not present:
        return FixtureState.VOID, FixtureEnd.WITHDRAWAL, None
    if None in fixture.players:
        return FixtureState.DONE, FixtureEnd.BYE, present[0]
    return (FixtureState.DONE, FixtureEnd.WITHDRAWAL, present[0]) if absent else None


def _judged(fixture: Fixture, verdict: Verdict | None, at: datetime) -> Fixture:
    if fixture.end in BY_PEOPLE or verdict == (fixture.state, fixture.end, fixture.walkover_to):
        return fixture
    if verdict is not None:
        state, end, winner = verdict
        return replace(fixture, state=state, end=end, walkover_to=winner, ended_at=at)
    return reopened(fixture, at) if fixture.over else fixture


def reopened(fixture: Fixture, at: datetime) -> Fixture:
    """Return a fixture that has to be called again, since its table may be taken; its games count on."""
    return replace(
        fixture,
        state=FixtureState.WAITING,
        end=None,
        walkover_to=None,
        table=None,
        called_at=None,
        ended_at=None,
        waiting_since=at,
    )


# The bracket.


def _bracket_redrawn(tournament: Tournament, at: datetime) -> Tournament:
    found = {fixture.number: fixture for fixture in tournament.fixtures}
    conflicts: list[Conflict] = []
    for fixtures in _fed_together(tournament):
        wanted = tuple(_fed(fixture, found) for fixture in fixtures)
        conflict = _bracket_conflict(fixtures, wanted)
        filled = fixtures
        if conflict is None:
            filled = [_refilled(one, players, at) for one, players in zip(fixtures, wanted, strict=True)]
        elif all(_is_fed(one, found) for one in fixtures) and not _is_kept(tournament, conflict):
            conflicts.append(conflict)
        found |= {fixture.number: _settled_in_bracket(tournament, fixture, found, at) for fixture in filled}
    return replace(tournament, fixtures=tuple(found.values()), conflicts=tuple(conflicts))


def _fed_together(tournament: Tournament) -> list[list[Fixture]]:
    """Return the fixtures by round, those with the same feeders together: the final, and the match for third place.

    Whoever is not in the one is in the other, so that both are kept or both are played again.
    """
    together: dict[tuple[int, ...], list[Fixture]] = {}
    for fixture in sorted(tournament.standing_fixtures, key=lambda one: one.round):
        fed_by = tuple(feeder.fixture for feeder in fixture.feeders or ())
        together.setdefault(fed_by or (-fixture.number,), []).append(fixture)
    return list(together.values())


def _bracket_conflict(fixtures: Sequence[Fixture], wanted: tuple[Meeting, ...]) -> Conflict | None:
    now = tuple(fixture.players for fixture in fixtures)
    begun = tuple(fixture.number for fixture in fixtures if fixture.begun)
    return Conflict(fixtures[0].round, begun, now, wanted) if begun and now != wanted else None


def _refilled(fixture: Fixture, players: Meeting, at: datetime) -> Fixture:
    """Return a fixture for the players who come to it. One that was not begun holds nothing else worth keeping."""
    if players == fixture.players:
        return fixture
    blank = Fixture(fixture.number, fixture.round, players, feeders=fixture.feeders, third_place=fixture.third_place)
    return replace(blank, waiting_since=None if None in players else at)


def _settled_in_bracket(tournament: Tournament, fixture: Fixture, found: dict[int, Fixture], at: datetime) -> Fixture:
    """Return a fixture with its bye or walkover, once its players are determined."""
    if not (fixture.begun or _is_fed(fixture, found)):
        return _judged(fixture, None, at)
    absent = frozenset(one for one in fixture.known if not tournament.entrant(one).plays_in(fixture.round))
    return _judged(fixture, _verdict(fixture, absent, frozenset()), at)


def _is_fed(fixture: Fixture, found: dict[int, Fixture]) -> bool:
    """True if the players of a fixture are determined (each feeder is over), even if nobody plays."""
    return fixture.feeders is None or all(found[feeder.fixture].over for feeder in fixture.feeders)


def _fed(fixture: Fixture, found: dict[int, Fixture]) -> Meeting:
    """Return the two players that the feeders send to a fixture; None for a place that is empty or still open."""
    if fixture.feeders is None:
        return fixture.players
    first, second = fixture.feeders
    return _who(first, found), _who(second, found)


def _who(feeder: Feeder, found: dict[int, Fixture]) -> int | None:
    before = found[feeder.fixture]
    return before.winner if feeder.winner else before.loser


def _replaced_in_bracket(tournament: Tournament, conflict: Conflict, at: datetime) -> Tournament:
    """Return the bracket with new fixtures in the place of those that were begun; the others are filled again."""
    for number in conflict.fixtures:
        tournament = _with_another(tournament, tournament.fixture(number), at)
    return tournament


def _with_another(tournament: Tournament, old: Fixture, at: datetime) -> Tournament:
    number = _next_number(tournament)
    new = Fixture(number, old.round, (None, None), feeders=old.feeders, third_place=old.third_place)
    fixtures = [_fed_by(one, old.number, number) for one in tournament.fixtures]
    void = [_voided(one, at) if one.number == old.number else one for one in fixtures]
    return replace(tournament, fixtures=(*void, new))


def _fed_by(fixture: Fixture, old: int, new: int) -> Fixture:
    if fixture.feeders is None:
        return fixture
    first, second = (replace(one, fixture=new) if one.fixture == old else one for one in fixture.feeders)
    return replace(fixture, feeders=(first, second))


def _voided(fixture: Fixture, at: datetime) -> Fixture:
    return replace(fixture, state=FixtureState.VOID, end=FixtureEnd.REPLACED, walkover_to=None, ended_at=at)


def _next_number(tournament: Tournament) -> int:
    return max((fixture.number for fixture in tournament.fixtures), default=0) + 1


# Swiss rounds.


def with_next_round(tournament: Tournament, at: datetime) -> Tournament:
    """Return a Swiss tournament with one round more, drawn for all who are in it."""
    return _round_drawn(tournament, tournament.last_round + 1, at)


def _swiss_redrawn(tournament: Tournament, at: datetime, after_round: int) -> Tournament:
    """Draw each later round in thought: one that was not begun is drawn again, one that was is a conflict."""
    earlier = (one for one in tournament.conflicts if one.round <= after_round)
    conflicts = [replace(one, fixtures=_begun_from(tournament, one.round)) for one in earlier]
    for number in range(after_round + 1, tournament.last_round + 1):
        now = tuple(fixture.players for fixture in tournament.in_round(number))
        wanted = tuple(_drawn(tournament, number, [player for one in now for player in one if player is not None]))
        if meeting_sets(now) == meeting_sets(wanted):
            continue
        begun = _begun_from(tournament, number)
        if not begun:
            return replace(_round_drawn(tournament, number, at), conflicts=tuple(conflicts))
        conflict = Conflict(number, begun, now, wanted)
        conflicts += [conflict] if not conflicts and not _is_kept(tournament, conflict) else []
    return replace(tournament, conflicts=tuple(conflicts))


def _is_kept(tournament: Tournament, conflict: Conflict) -> bool:
    return any(conflict.is_like(other) for other in tournament.kept)


def _begun_from(tournament: Tournament, round_number: int) -> tuple[int, ...]:
    later = (fixture for fixture in tournament.standing_fixtures if fixture.round >= round_number)
    return tuple(fixture.number for fixture in later if fixture.begun)


def _drawn(tournament: Tournament, round_number: int, players: Iterable[int]) -> list[Meeting]:
    return swiss_meetings(SwissTable.before(tournament, round_number, players))


def _round_drawn(tournament: Tournament, round_number: int, at: datetime) -> Tournament:
    """Return the tournament with a round drawn, instead of that round and all later ones.

    A meeting that stays keeps its fixture. Begun fixtures of other meetings become void; the rest was never played.
    """
    active = [entrant.player for entrant in tournament.entrants if entrant.plays_in(round_number)]
    wanted = _drawn(tournament, round_number, active)
    staying = [one for one in tournament.in_round(round_number) if frozenset(one.players) in meeting_sets(wanted)]
    before = [one for one in tournament.fixtures if one.round < round_number or not one.stands]
    leaving = [one for one in tournament.standing_fixtures if one not in staying and one not in before]
    void = [_voided(one, at) for one in leaving if one.begun]
    held = replace(tournament, fixtures=tuple(sorted([*before, *void, *staying], key=lambda one: one.number)))
    new = [one for one in wanted if frozenset(one) not in meeting_sets(stay.players for stay in staying)]
    number = _next_number(held)
    made = [Fixture(number + n, round_number, meeting, waiting_since=at) for n, meeting in enumerate(new)]
    return _given(replace(held, fixtures=(*held.fixtures, *made)), at)


# Who comes next to which free table


_NEVER = datetime.max.replace(tzinfo=UTC)


def ready_fixtures(tournament: Tournament, today: date) -> tuple[Fixture, ...]:
    """Return the open fixtures that may be played: of a league those up to today, of the other kinds all."""
    return tuple(one for one in tournament.fixtures if not one.over and (one.day is None or one.day <= today))


def assign_tables(
    fixtures: Sequence[Fixture], free_tables: Iterable[int], busy_players: Iterable[int]
) -> tuple[tuple[Fixture, int], ...]:
    """Return waiting fixtures of one tournament, each with a free table, in the order in which they should be called.

    First comes what most others wait for, then who has waited longest. No player is at two tables. `fixtures` may hold
    those that nobody can play yet: they tell what waits for what.
    """
    taken = set(busy_players)
    tables = list(free_tables)
    assigned: list[tuple[Fixture, int]] = []
    for fixture in _in_order(fixtures):
        if len(assigned) < len(tables) and taken.isdisjoint(fixture.known):
            assigned.append((fixture, tables[len(assigned)]))
            taken.update(fixture.known)
    return tuple(assigned)


def _in_order(fixtures: Sequence[Fixture]) -> list[Fixture]:
    waited_for = _waited_for([one for one in fixtures if not one.over])
    waiting = [one for one in fixtures if one.state is FixtureState.WAITING and len(one.known) == 2]
    return sorted(waiting, key=lambda one: (-waited_for[one.number], one.waiting_since or _NEVER, one.number))


def _waited_for(fixtures: Sequence[Fixture]) -> dict[int, int]:
    """Return for each fixture how many wait for it: what it feeds in a bracket, and later rounds of its players."""
    feeds: dict[int, set[int]] = defaultdict(set)
    rounds: dict[int, list[int]] = defaultdict(list)
    for fixture in sorted(fixtures, key=lambda one: one.round, reverse=True):
        for feeder in fixture.feeders or ():
            feeds[feeder.fixture] |= {fixture.number} | feeds[fixture.number]
    for fixture in sorted(fixtures, key=lambda one: one.round):
        for player in fixture.known:
            rounds[player].append(fixture.round)
    return {
        one.number: len(feeds[one.number]) + sum(_later(rounds[who], one.round) for who in one.known)
        for one in fixtures
    }


def _later(rounds: Sequence[int], round_number: int) -> int:
    return len(rounds) - bisect_right(rounds, round_number)
