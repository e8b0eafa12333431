"""Who meets whom in a tournament: draws of its rounds, and what a corrected result changes of rounds drawn already."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from itertools import combinations
from zlib import crc32

import rustworkx

from referee.sentences import Reason, Refused, say
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

# The bracket of a knock-out: who can meet whom until the final


def seeded_places(size: int) -> list[int]:
    """Return the seeds in the order of the bracket, so that 1 and 2 can meet in the final only: 1, 4, 2, 3 for four.

    `size` is a power of two.
    """
    places = [1]
    while len(places) < size:
        total = 2 * len(places) + 1
        places = [seed for place in places for seed in (place, total - place)]
    return places


def bracket_size(players: int) -> int:
    """Return the smallest power of two that holds so many players."""
    return 1 << (players - 1).bit_length()


def bracket(players: Sequence[int], *, third_place: bool) -> list[Fixture]:
    """Return all fixtures of a knock-out. `players` are in the order of their seeds; the best have the byes."""
    size = bracket_size(len(players))
    placed = [players[seed - 1] if seed <= len(players) else None for seed in seeded_places(size)]
    rounds = [[Fixture(n + 1, 1, (placed[2 * n], placed[2 * n + 1])) for n in range(size // 2)]]
    while len(rounds[-1]) > 1:
        rounds.append(_next_round(rounds[-1]))
    if third_place and len(rounds) > 1:
        rounds[-1] = _with_third_place(rounds[-1][0])
    return [fixture for fixtures in rounds for fixture in fixtures]


def _next_round(before: Sequence[Fixture]) -> list[Fixture]:
    number = before[-1].number + 1
    pairs = zip(before[::2], before[1::2], strict=True)
    return [
        Fixture(number + n, first.round + 1, (None, None), feeders=(Feeder(first.number), Feeder(second.number)))
        for n, (first, second) in enumerate(pairs)
    ]


def _with_third_place(final: Fixture) -> list[Fixture]:
    """Return the match for third place and the final, which is played last."""
    feeders = (Feeder(final.number - 2, winner=False), Feeder(final.number - 1, winner=False))
    third = Fixture(final.number, final.round, (None, None), feeders=feeders, third_place=True)
    return [third, Fixture(final.number + 1, final.round, (None, None), feeders=final.feeders)]


# Everybody meets everybody: the circle method, and the dates of a league


def circle_rounds(players: Sequence[int], *, twice: bool = False) -> list[list[Meeting]]:
    """Return all rounds, each with who meets whom; with an odd number one player rests in each round.

    The circle method: one player stays, the others move on by one place a round. Who is named first changes, and the
    second half of a double round robin is the first with sides changed.
    """
    circle: list[int | None] = [*players] if len(players) % 2 == 0 else [*players, None]
    rounds = [_of_circle(circle, turn) for turn in range(len(circle) - 1)]
    return rounds + [[(second, first) for first, second in meetings] for meetings in rounds] if twice else rounds


def _of_circle(circle: Sequence[int | None], turn: int) -> list[Meeting]:
    fixed, moving = circle[0], circle[1:]
    row = [fixed, *moving[len(moving) - turn :], *moving[: len(moving) - turn]]
    half = len(row) // 2
    meetings = list(zip(row[:half], reversed(row[half:]), strict=True))
    if turn % 2:
        meetings[0] = (meetings[0][1], meetings[0][0])
    return [meeting for meeting in meetings if None not in meeting]


def weekly(first: date, count: int, every_days: int = 7) -> tuple[date, ...]:
    """Return `count` match days from the first on, `every_days` apart."""
    return tuple(first + timedelta(days=every_days * number) for number in range(count))


def day_of_round(round_number: int, rounds: int, match_days: Sequence[date]) -> date | None:
    """Return the date of a round: a round a day, several a day where the days are fewer; None without dates."""
    if not match_days:
        return None
    days = match_days[:rounds]
    return days[(round_number - 1) * len(days) // rounds]


# Draw a round of a Swiss tournament: players with about as many points, who have not met
#
# What must not be (a rematch, a second bye) costs more than all that should not be together, so that one matching of
# least weight keeps the rules in their order. The rules are those of FIDE Handbook C.04.1 without colours; within a
# group of equal points the upper half meets the lower half, as in the Dutch system (C.04.3). Among draws that are
# equally good by these rules a lot decides, the same at each time, so that a round drawn again meets as it did.


LOTS = 2**32
"""More than the lot of one meeting can be, in steps of cost."""


@dataclass(frozen=True)
class SwissTable:
    """The players of a round in order of points, then seed, and what happened in the rounds before it."""

    order: tuple[int, ...]
    points: dict[int, float]
    met: frozenset[frozenset[int | None]]
    without_bye: frozenset[int]

    @classmethod
    def before(cls, tournament: Tournament, round_number: int, players: Iterable[int]) -> SwissTable:
        """Return the table of these players as a round finds it."""
        past = [fixture for fixture in tournament.standing_fixtures if fixture.round < round_number]
        points = {player: tournament.entrant(player).points_for_missed for player in players}
        for one in past:
            points |= {player: points[player] + one.points(player) for player in one.known if player in points}
        seeds = {entrant.player: entrant.seed for entrant in tournament.entrants}
        order = sorted(points, key=lambda player: (-points[player], seeds[player]))
        met = frozenset(frozenset(fixture.players) for fixture in past if fixture.end is FixtureEnd.PLAYED)
        rested = {fixture.winner for fixture in past if _is_won_without_playing(fixture)}
        return cls(tuple(order), points, met, frozenset(order) - rested)

    @cached_property
    def groups(self) -> Counter[float]:
        """How many players have each number of points."""
        return Counter(self.points[player] for player in self.order)

    @cached_property
    def scale(self) -> tuple[int, int, int, int]:
        """The costs of a step within a group, between groups, of the place of a bye, and of a broken rule.

        Each is more than all of the step before it together can be.
        """
        count = len(self.order) + 1
        widest = int(2 * max(self.points.values(), default=0)) ** 2 + 1
        between = count * count
        bye = between * widest * count
        return 1, between, bye, bye * count * count


def swiss_meetings(table: SwissTable) -> list[Meeting]:
    """Return who meets whom, the best first and a bye last; the lowest who had none has the bye of an odd number.

    Players meet again only where no draw avoids it, and then as few as possible.
    """
    chosen = sorted(sorted(pair) for pair in least_matching(meeting_costs(table)))
    meetings = [_meeting(table.order, one, other) for one, other in chosen]
    return sorted(meetings, key=lambda meeting: meeting[1] is None)


def meeting_costs(table: SwissTable) -> dict[tuple[int, int], int]:
    """Return what each meeting costs, by the places of its players from 0; a bye is the place after the last.

    The lots make the draw of least cost a single one, but for some 20,000 in 2**32 cases at 200 players (the isolation
    lemma of Mulmuley, Vazirani and Vazirani).
    """
    places = range(len(table.order))
    costs = {(one, other): _cost(table, one, other) for one, other in combinations(places, 2)}
    if len(table.order) % 2:
        costs |= {(one, len(table.order)): _bye_cost(table, one) for one in places}
    lots = LOTS * len(table.order)
    return {pair: cost * lots + crc32(b"%d-%d" % pair) for pair, cost in costs.items()}


def least_matching(costs: Mapping[tuple[int, int], int]) -> set[tuple[int, int]]:
    """Return the pairs of least cost together, in which each of an even number of places is once.

    Costs are from 0 to 2**100.
    """
    if not costs:
        return set()
    graph, most = rustworkx.PyGraph(), max(costs.values()) + 1
    graph.add_nodes_from(range(1 + max(other for _, other in costs)))
    graph.add_edges_from([(one, other, most - cost) for (one, other), cost in costs.items()])
    return rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)


def _meeting(order: Sequence[int], one: int, other: int) -> Meeting:
    return order[one], order[other] if other < len(order) else None


def _cost(table: SwissTable, one: int, other: int) -> int:
    first, second = table.order[one], table.order[other]
    within, between, _, forbidden = table.scale
    points = table.points[first]
    apart = int(2 * abs(points - table.points[second]))
    ideal = 1 if apart else table.groups[points] // 2
    again = forbidden if frozenset((first, second)) in table.met else 0
    return again + between * apart * apart + within * abs(abs(one - other) - ideal)


def _bye_cost(table: SwissTable, place: int) -> int:
    _, _, bye, forbidden = table.scale
    second = 0 if table.order[place] in table.without_bye else forbidden
    return second + bye * (len(table.order) - place)


def _is_won_without_playing(fixture: Fixture) -> bool:
    return fixture.state is FixtureState.DONE and fixture.end is not FixtureEnd.PLAYED


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
