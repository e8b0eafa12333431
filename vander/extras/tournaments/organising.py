"""What the organiser of a tournament does, each as a function that returns the tournament after it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from random import Random

from referee.sentences import Reason, Refused, say
from vander.extras.tournaments.draws import bracket, circle_rounds, day_of_round
from vander.extras.tournaments.redraw import redrawn, reopened, with_next_round
from vander.extras.tournaments.tournament import (
    AT_TABLE,
    Entrant,
    Fixture,
    FixtureEnd,
    FixtureState,
    Tournament,
    TournamentGame,
    TournamentKind,
    TournamentSettings,
    is_decided,
)

# What the organiser of a tournament does, each as a function that returns the tournament after it
#
# Every function refuses what makes no sense with `Refused`, and then nothing has changed. `at` is the time by the
# club's clock.


MOST_ENTRANTS = 256
"""A club's hall has some 200 players; drawing a Swiss round for so many takes seconds, and far more for thousands."""


def draw_lots(players: Sequence[tuple[int, str]], random_seed: int) -> tuple[Entrant, ...]:
    """Return entrants with seeds by lot, from (club's number, name). The same number draws the same lots."""
    lots = list(range(1, len(players) + 1))
    Random(random_seed).shuffle(lots)  # noqa: S311 - lots of a game, which anybody may draw again by the same number
    return tuple(Entrant(player, name, lot) for (player, name), lot in zip(players, lots, strict=True))


def start(settings: TournamentSettings, entrants: Iterable[Entrant], at: datetime) -> Tournament:
    """Return a tournament with its first round: of a knock-out the whole bracket, of a round robin all rounds."""
    entered = tuple(sorted(entrants, key=lambda entrant: entrant.seed))
    _check_entrants(entered)
    _check_settings(settings, len(entered))
    tournament = Tournament(settings, entered)
    if settings.kind is TournamentKind.SWISS:
        return with_next_round(tournament, at)
    made = _bracket(tournament) if tournament.is_knock_out else _round_robin(tournament)
    ready = (replace(one, waiting_since=None if None in one.players else at) for one in made)
    return redrawn(replace(tournament, fixtures=tuple(ready)), at)


def _check_entrants(entrants: Sequence[Entrant]) -> None:
    if not 2 <= len(entrants) <= MOST_ENTRANTS:
        raise Refused(say("A tournament has 2 to {most} players.", most=MOST_ENTRANTS))
    if len({entrant.player for entrant in entrants}) < len(entrants):
        raise Refused(say("A player is in the list twice. Take one of them out."))
    if len({entrant.seed for entrant in entrants}) < len(entrants):
        raise Refused(say("Two players have the same seed. Give each their own."))


def _check_settings(settings: TournamentSettings, players: int) -> None:
    if settings.best_of < 1 or settings.best_of % 2 == 0:
        raise Refused(say("A match is the best of 1, 3, 5 games or another odd number."))
    if settings.rounds is not None and not 1 <= settings.rounds <= most_rounds(players):
        raise Refused(say("So many players can play 1 to {most} rounds.", most=most_rounds(players)))
    if settings.kind is TournamentKind.LEAGUE and not settings.match_days:
        raise Refused(say("A league needs its match days."))
    if list(settings.match_days) != sorted(set(settings.match_days)):
        raise Refused(say("Match days are different dates, the earliest first."))
    if settings.walkover_minutes < 0:
        raise Refused(say("The minutes until a walkover cannot be less than zero."))


def most_rounds(players: int) -> int:
    """Return how many rounds a Swiss tournament can have at most without a rematch or a second bye."""
    return players - 1 + players % 2


def planned_rounds(tournament: Tournament) -> int:
    """Return how many rounds there will be. Swiss: as many as find one winner, unless the settings say how many."""
    if not tournament.is_swiss:
        return tournament.last_round
    players = len(tournament.entrants)
    return tournament.settings.rounds or min(most_rounds(players), (players - 1).bit_length())


def _bracket(tournament: Tournament) -> list[Fixture]:
    players = [entrant.player for entrant in tournament.entrants]
    return bracket(players, third_place=tournament.settings.third_place)


def _round_robin(tournament: Tournament) -> list[Fixture]:
    settings = tournament.settings
    rounds = circle_rounds([entrant.player for entrant in tournament.entrants], twice=settings.twice)
    of_round = [(number, meeting) for number, meetings in enumerate(rounds, 1) for meeting in meetings]
    days = settings.match_days if settings.kind is TournamentKind.LEAGUE else ()
    return [
        Fixture(number, round_number, meeting, day=day_of_round(round_number, len(rounds), days))
        for number, (round_number, meeting) in enumerate(of_round, 1)
    ]


def may_draw(tournament: Tournament) -> bool:
    """True if a Swiss tournament has a round left to draw, with at least two players in it."""
    number = tournament.last_round + 1
    players = [entrant for entrant in tournament.entrants if entrant.plays_in(number)]
    return tournament.is_swiss and number <= planned_rounds(tournament) and len(players) > 1


def is_over(tournament: Tournament) -> bool:
    """True if nothing is left to play or to decide."""
    played = all(fixture.over for fixture in tournament.fixtures)
    return played and not tournament.conflicts and not may_draw(tournament)


def next_round(tournament: Tournament, at: datetime) -> Tournament:
    """Return a Swiss tournament with its next round. The other kinds have all their rounds from the start."""
    if tournament.conflicts:
        raise Refused(say("Decide first what becomes of the round that was begun."), Reason.CONFLICT)
    if any(not fixture.over for fixture in tournament.fixtures):
        raise Refused(say("This round is not over yet."), Reason.CONFLICT)
    if not may_draw(tournament):
        raise Refused(say("There is no further round."), Reason.CONFLICT)
    return with_next_round(tournament, at)


def _with(tournament: Tournament, fixture: Fixture) -> Tournament:
    fixtures = tuple(fixture if one.number == fixture.number else one for one in tournament.fixtures)
    return replace(tournament, fixtures=fixtures)


def _open(tournament: Tournament, number: int, *states: FixtureState) -> Fixture:
    """Return a fixture that two players can play now, in one of these states. Raises Refused."""
    fixture = tournament.fixture(number)
    if fixture.over:
        raise Refused(say("Match {number} is over.", number=number), Reason.CONFLICT)
    if None in fixture.players:
        raise Refused(say("It is not known yet who plays match {number}.", number=number), Reason.CONFLICT)
    if fixture.state not in states:
        raise Refused(say("Match {number} is not at this point.", number=number), Reason.CONFLICT)
    return fixture


def busy_players(tournament: Tournament) -> frozenset[int]:
    """Return the players who are called to a table or play."""
    return frozenset(one for fixture in tournament.fixtures if fixture.state in AT_TABLE for one in fixture.known)


def call_players(tournament: Tournament, number: int, table: int, at: datetime) -> Tournament:
    """Return the tournament in which two players are called to a table."""
    fixture = _open(tournament, number, FixtureState.WAITING)
    _is_free(tournament, fixture, table)
    return _with(tournament, replace(fixture, state=FixtureState.CALLED, table=table, called_at=at))


def _is_free(tournament: Tournament, fixture: Fixture, table: int) -> None:
    others = [one for one in tournament.fixtures if one.state in AT_TABLE and one.number != fixture.number]
    if any(one.table == table for one in others):
        raise Refused(say("Another match is on this table."), Reason.CONFLICT)
    busy = next((player for one in others for player in one.known if player in fixture.known), None)
    if busy is not None:
        name = tournament.entrant(busy).name
        raise Refused(say("{name} is at another table.", name=name), Reason.CONFLICT)


def take_back_call(tournament: Tournament, number: int) -> Tournament:
    """Return the tournament in which called players wait again, as long as before."""
    fixture = _open(tournament, number, FixtureState.CALLED)
    return _with(tournament, replace(fixture, state=FixtureState.WAITING, table=None, called_at=None))


def move_to_table(tournament: Tournament, number: int, table: int) -> Tournament:
    """Return the tournament with a called or running match moved to another table."""
    fixture = _open(tournament, number, *AT_TABLE)
    _is_free(tournament, fixture, table)
    return _with(tournament, replace(fixture, table=table))


def begin_play(tournament: Tournament, number: int) -> Tournament:
    """Return the tournament in which the called players have come and play."""
    return _with(tournament, replace(_open(tournament, number, FixtureState.CALLED), state=FixtureState.PLAYING))


def record_game(tournament: Tournament, number: int, game: TournamentGame, at: datetime) -> Tournament:
    """Return the tournament with a finished game of a match, and with what follows from it.

    A match that nobody called may be told too: some players sit down by themselves. A game that the hall told already,
    by its reference, changes nothing.
    """
    if game.reference and any(game.reference == one.reference for one in tournament.fixture(number).games):
        return tournament
    fixture = _open(tournament, number, FixtureState.WAITING, *AT_TABLE)
    _check_game(tournament, fixture, game)
    games = (*fixture.games, game)
    played = replace(fixture, games=games, state=FixtureState.PLAYING)
    if is_decided(tournament.settings, games, fixture.players):
        return _decided(tournament, played, at)
    return _with(tournament, played)


def _decided(tournament: Tournament, fixture: Fixture, at: datetime) -> Tournament:
    done = replace(fixture, state=FixtureState.DONE, end=FixtureEnd.PLAYED, walkover_to=None, ended_at=at)
    return redrawn(_with(tournament, done), at, fixture.round)


def _check_game(tournament: Tournament, fixture: Fixture, game: TournamentGame) -> None:
    if game.winner is None and not tournament.settings.ties:
        raise Refused(say("This game has no ties. Say who won."))
    if game.winner is not None and game.winner not in fixture.players:
        raise Refused(say("The winner of a game is one of its two players."))


def correct_result(tournament: Tournament, number: int, games: Sequence[TournamentGame], at: datetime) -> Tournament:
    """Return the tournament with other games of a match, and with what follows from them.

    What follows and was not begun is drawn again. What was begun becomes one of the tournament's `conflicts`. Games
    that do not decide the match, or none, open it again, which is refused once others have played on by its result.
    """
    fixture = tournament.fixture(number)
    if not fixture.stands or None in fixture.players or not (fixture.over or fixture.games):
        raise Refused(say("Match {number} has no result to correct.", number=number), Reason.CONFLICT)
    for game in games:
        _check_game(tournament, fixture, game)
    decided = [is_decided(tournament.settings, games[: count + 1], fixture.players) for count in range(len(games))]
    if any(decided[:-1]):
        raise Refused(say("The match was decided before the last of these games."))
    corrected = replace(fixture, games=tuple(games))
    if decided[-1:] == [True]:
        return _decided(tournament, corrected, at)
    return _opened_again(tournament, corrected, at) if fixture.over else _with(tournament, corrected)


def _opened_again(tournament: Tournament, fixture: Fixture, at: datetime) -> Tournament:
    fed = [one for one in tournament.fixtures if any(f.fixture == fixture.number for f in one.feeders or ())]
    if any(one.begun for one in fed) or (tournament.is_swiss and fixture.round < tournament.last_round):
        raise Refused(say("Others have played on by this result. Give the games that decide it."), Reason.CONFLICT)
    return redrawn(_with(tournament, reopened(fixture, at)), at, fixture.round)


def late_fixtures(tournament: Tournament, now: datetime) -> tuple[Fixture, ...]:
    """Return the fixtures whose players were called so long ago that the organiser may give a walkover."""
    called = (one for one in tournament.fixtures if one.state is FixtureState.CALLED)
    return tuple(one for one in called if _wait_left(tournament, one, now) <= timedelta())


def _wait_left(tournament: Tournament, fixture: Fixture, now: datetime) -> timedelta:
    since = fixture.called_at or now
    return since + timedelta(minutes=tournament.settings.walkover_minutes) - now


def give_walkover(tournament: Tournament, number: int, absent: Iterable[int], at: datetime) -> Tournament:
    """Return the tournament in which the one who came has won; nobody has where both stayed away."""
    fixture = _open(tournament, number, FixtureState.CALLED)
    away = frozenset(absent)
    if not away or not away <= set(fixture.known):
        raise Refused(say("Say which of the two players did not come."))
    left = _wait_left(tournament, fixture, at)
    if left > timedelta():
        raise Refused(say("The players still have time to come."), Reason.TOO_SOON, wait_s=left.total_seconds())
    present = next((player for player in fixture.known if player not in away), None)
    done = replace(fixture, state=FixtureState.DONE, end=FixtureEnd.NO_SHOW, walkover_to=present, ended_at=at)
    return redrawn(_with(tournament, done), at, fixture.round)


def give_up(tournament: Tournament, number: int, player: int, at: datetime) -> Tournament:
    """Return the tournament in which a player has given up a match, but not the tournament; the opponent has won."""
    fixture = _open(tournament, number, FixtureState.WAITING, *AT_TABLE)
    if player not in fixture.players:
        raise Refused(say("This player is not in the match."))
    winner = fixture.opponent(player)
    done = replace(fixture, state=FixtureState.DONE, end=FixtureEnd.GIVEN_UP, walkover_to=winner, ended_at=at)
    return redrawn(_with(tournament, done), at, fixture.round)


def withdraw(tournament: Tournament, player: int, at: datetime, from_round: int | None = None) -> Tournament:
    """Return the tournament without a player from a round on, None for at once, also in the middle of a match.

    Opponents have a walkover for what is not over. A Swiss round that was drawn stays as it is; the next is drawn
    without the player. `redraw.counts` says what becomes of results in a round robin.
    """
    first = _first_open_round(tournament, player) if from_round is None else from_round
    if first < 1:
        raise Refused(say("Rounds are counted from 1."))
    entrant = tournament.entrant(player)
    if entrant.withdrawn_from_round is not None and entrant.withdrawn_from_round <= first:
        raise Refused(say("{name} has withdrawn already.", name=entrant.name), Reason.CONFLICT)
    return _with_entrant(tournament, replace(entrant, withdrawn_from_round=first), at)


def _first_open_round(tournament: Tournament, player: int) -> int:
    fixtures = tournament.fixtures_of(player)
    after = fixtures[-1].round + 1 if fixtures else tournament.entrant(player).entered_in_round
    return min((one.round for one in fixtures if not one.over), default=after)


def reinstate(tournament: Tournament, player: int, at: datetime) -> Tournament:
    """Return the tournament in which a player takes part again: walkovers by the withdrawal are taken back.

    A Swiss player comes back in the last round that was drawn. In a knock-out that is refused as soon as the opponent
    has begun to play further.
    """
    lost = {one.number for one in tournament.fixtures_of(player) if one.end is FixtureEnd.WITHDRAWAL}
    later = [one for one in tournament.fixtures if one.begun and any(f.fixture in lost for f in one.feeders or ())]
    if later:
        name = tournament.entrant(player).name
        raise Refused(say("The others have played on without {name}.", name=name), Reason.CONFLICT)
    return _with_entrant(tournament, replace(tournament.entrant(player), withdrawn_from_round=None), at)


def _with_entrant(tournament: Tournament, entrant: Entrant, at: datetime) -> Tournament:
    entrants = tuple(entrant if one.player == entrant.player else one for one in tournament.entrants)
    return redrawn(replace(tournament, entrants=entrants), at, tournament.last_round)


def postpone(tournament: Tournament, number: int, day: date) -> Tournament:
    """Return a league in which a match is to be played on another day."""
    if tournament.settings.kind is not TournamentKind.LEAGUE:
        raise Refused(say("Only the matches of a league have a day."), Reason.CONFLICT)
    return _with(tournament, replace(_open(tournament, number, FixtureState.WAITING), day=day))


# A player who comes after the first round: into a Swiss tournament, a round robin or a league that goes on
#
# A Swiss tournament draws a late entrant from the next round on; a round missed gives nothing, or a tie where that
# was agreed (FIDE Handbook C.04.2, on late entries; half-point byes are a choice of the organiser's). In a round
# robin and a league a late entrant still meets everybody.


def enter_late(
    tournament: Tournament, player: int, name: str, at: datetime, *, ties_missed: bool = False
) -> Tournament:
    """Return a tournament that goes on with one player more, who has the last seed. Raises Refused.

    `ties_missed` (Swiss): the rounds that the player missed count as ties, not as losses.
    """
    check_late_entrant(tournament)
    _check_new(tournament, player, name)
    seed = 1 + max(entrant.seed for entrant in tournament.entrants)
    if tournament.is_swiss:
        entrant = Entrant(player, name, seed, None, tournament.last_round + 1, ties_missed)
        settings = replace(tournament.settings, rounds=planned_rounds(tournament))  # as many as before
        return replace(tournament, settings=settings, entrants=(*tournament.entrants, entrant))
    entrant = Entrant(player, name, seed, None, _current_round(tournament))
    with_player = replace(tournament, entrants=(*tournament.entrants, entrant))
    made = (*tournament.fixtures, *_matches(tournament, entrant, at))
    return redrawn(replace(with_player, fixtures=made), at, tournament.last_round)


def may_enter_late(tournament: Tournament) -> bool:
    """True if the tournament goes on, and takes a player more."""
    return bool(tournament.fixtures) and not _why_closed(tournament)


def check_late_entrant(tournament: Tournament) -> None:
    """Refuse whoever comes late, where nobody can come in any more. Raises Refused (CONFLICT)."""
    why = _why_closed(tournament)
    if why:
        raise Refused(why, Reason.CONFLICT)


def _why_closed(tournament: Tournament) -> str:
    """Return why nobody can come in any more, '' where somebody can."""
    if tournament.is_knock_out:
        return say("The bracket is drawn: nobody can come into a knock-out after that.")
    if is_over(tournament):
        return say("The tournament is over.")
    if tournament.is_swiss and tournament.last_round >= planned_rounds(tournament):
        return say("The last round is drawn: nobody can come in after that.")
    if len(tournament.entrants) >= MOST_ENTRANTS:
        return say("A tournament has 2 to {most} players.", most=MOST_ENTRANTS)
    return ""


def _check_new(tournament: Tournament, player: int, name: str) -> None:
    if any(entrant.player == player for entrant in tournament.entrants):
        raise Refused(say("{name} is in the tournament already.", name=name), Reason.CONFLICT)


def _current_round(tournament: Tournament) -> int:
    """Return the first round in which something is left to play."""
    return min(fixture.round for fixture in tournament.fixtures if not fixture.over)


def _matches(tournament: Tournament, late: Entrant, at: datetime) -> Iterator[Fixture]:
    """Yield the matches of a late entrant with everybody, once or twice, in turn as the first of the two.

    Each is in the first round from now on that lacks it and in which both are free, where need be in a further one.
    """
    opponents = tournament.entrants * (2 if tournament.settings.twice else 1)
    number = 1 + max(fixture.number for fixture in tournament.fixtures)
    rounds = _free_rounds(tournament, opponents)
    days = _days(tournament, rounds)
    for place, (opponent, round_number, day) in enumerate(zip(opponents, rounds, days, strict=True)):
        pair = (late.player, opponent.player) if place % 2 else (opponent.player, late.player)
        yield Fixture(number + place, round_number, pair, waiting_since=at, day=day)


def _free_rounds(tournament: Tournament, opponents: Sequence[Entrant]) -> list[int]:
    """Return for each opponent a round of its own in which that opponent has no match.

    For one who has withdrawn it is none of the rounds before, so that the match is a walkover and waits for nobody.
    """
    busy: defaultdict[int, set[int]] = defaultdict(set)
    for fixture in tournament.standing_fixtures:
        busy[fixture.round].update(fixture.known)
    found: list[int] = []
    for opponent in opponents:
        round_number = max(_current_round(tournament), opponent.withdrawn_from_round or 1)
        while round_number in found or opponent.player in busy[round_number]:
            round_number += 1
        found.append(round_number)
    return found


def _days(tournament: Tournament, rounds: Sequence[int]) -> list[date | None]:
    """Return a day for a match in each of these rounds, None without days.

    A match in a round that there was is on the day of that round; the others are spread over the days on which
    something is still to be played, so that a league ends when it was to end.
    """
    of_round = {fixture.round: fixture.day for fixture in tournament.fixtures}
    left = sorted({fixture.day for fixture in tournament.fixtures if fixture.day and not fixture.over})
    further = [number for number in rounds if number not in of_round]
    spread = {
        number: left[place * len(left) // len(further)] if left else None
        for place, number in enumerate(sorted(further))
    }
    return [of_round[number] if number in of_round else spread[number] for number in rounds]
