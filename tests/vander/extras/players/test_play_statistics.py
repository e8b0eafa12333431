"""Statistics: counted from replayed games, held against an independent script of counting."""

from __future__ import annotations

import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import combinations, product
from math import sqrt
from pathlib import Path
from time import sleep

import pytest
from random_matches import finished_match, random_match
from season_by_hand import GameCount, PlayerCount, count_games, count_occasions, count_season
from sqlalchemy import update

from referee.actions import Action, GameState
from referee.chances import ThrowChances, outcomes
from referee.game_results import METHOD, SeatResult, count_results, played_rows, played_turns
from referee.games import games, named
from referee.journal import Deed, Source
from referee.past_result import GameSum, PastGameFilter
from referee.sentences import Refused
from vander.extras.players.exports import plain_cell
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.extras.players.player_service import PlayerService
from vander.storage.journal_schema import RESULTS, Ending
from vander.storage.journal_store import Journal
from vander.storage.player_tables import write_results
from vander.table.match import Match

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SEASON = (("Ann", "Bob"), ("Bob", "Ann"), ("Ann", "Cy", "Bob"), ("Cy", "Bob"), ("Ann", "Cy"))
WITH_ODDS = [game for game in games() if game.name in ("intersection", "rollers", "switch-16", "toss-up")]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal.in_folder(tmp_path)) as opened:
        yield opened


@pytest.fixture
def statistics(journal: Journal) -> PlayStatisticsService:
    return PlayStatisticsService(journal)


def keep(journal: Journal, match: Match) -> int:
    """Put a match into the journal as a game that has ended."""
    ended = match.entries[-1].at if match.entries else match.kept.started_at
    return journal.keep(replace(match.kept, ended_at=ended), match.entries).number


def a_season(journal: Journal, count: int) -> None:
    for seed in range(count):
        keep(journal, random_match(named("toss-up"), 400, seed, SEASON[seed % len(SEASON)]))


# The independent script: Toss Up! by hand from the text of its actions, without the referee


@dataclass
class Tally:
    """What a player got in the season."""

    games: int = 0
    wins: int = 0
    total: int = 0
    best: int = 0
    red_lights: int = 0
    chance: float = 0.0
    variance: float = 0.0
    more: float = 0.0
    spread: float = 0.0
    risks: int = 0
    risk: float = 0.0
    turns: int = 0
    rolls: int = 0
    against: Counter[str] = field(default_factory=Counter)


def count_by_hand(journal: Journal) -> dict[str, Tally]:
    """Count a season of Toss Up! from its entries: green dice, red lights, ends of turns; who is above 100 wins."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for game in journal.games():
        totals: Counter[int] = Counter()
        turn, hand = 0, 10
        for entry in journal.entries(game.number):
            assert entry.deed is Deed.PLAY
            seat, verb, *dice = str(entry.action).split()
            tally = tallies[game.players[int(seat) - 1]]
            if verb == "roll":
                hand = len(dice)
                green, yellow = dice.count("tossup:green"), dice.count("tossup:yellow")
                tally.rolls += 1
                _count_chance(tally, hand, turn, green, is_red=not green and yellow < len(dice))
                turn, hand = turn + green, (hand - green) or 10
                if not green and yellow < len(dice):
                    tally.red_lights += 1
                    tally.turns += 1
                    turn = 0
            elif verb == "end":
                tally.turns += 1
                totals[int(seat)] += turn
                tally.best, turn = max(tally.best, turn), 0
        highest = max(totals.values())
        for seat, name in enumerate(game.players, start=1):
            tallies[name].games += 1
            tallies[name].total += totals[seat]
            if len(game.players) > 1 and totals[seat] == highest:
                tallies[name].wins += 1
                for other in game.players:
                    tallies[name].against[other] += 1
    return tallies


def _count_chance(tally: Tally, hand: int, turn: int, green: int, *, is_red: bool) -> None:
    """Count a roll against its chances: each die is green with a half, and red stops it where no die is green."""
    stop = 0.5**hand - (1 / 3) ** hand
    tally.chance += stop
    tally.variance += stop * (1 - stop)
    mean = hand / 2 - turn * stop
    tally.more += (-turn if is_red else green) - mean
    tally.spread += hand / 4 + hand**2 / 4 + turn**2 * stop - mean**2
    if turn:
        tally.risks += 1
        tally.risk += stop


def test_a_seasons_counts_are_those_of_an_independent_script(
    journal: Journal, statistics: PlayStatisticsService
) -> None:
    a_season(journal, len(SEASON))
    assert statistics.count() == len(SEASON)
    by_hand = count_by_hand(journal)
    players = {player.name: player.number for player in PlayerService(journal, Path()).players()}
    assert players.keys() == by_hand.keys()
    for name, tally in by_hand.items():
        (found,) = statistics.sums(players[name])
        assert (found.games, found.wins, found.best_turn) == (tally.games, tally.wins, tally.best)
        assert (found.turns, found.throws, found.stops) == (tally.turns, tally.rolls, tally.red_lights)
        assert found.average == pytest.approx(tally.total / tally.games)
        assert found.stop_chance == pytest.approx(tally.chance)
        assert found.luck == pytest.approx((tally.chance - tally.red_lights) / sqrt(tally.variance))
        assert found.luck_in_points == pytest.approx(tally.more / sqrt(tally.spread))
        assert (found.risks, found.risk_taken) == (tally.risks, pytest.approx(tally.risk / tally.risks))
        for other, number in players.items():
            if other != name:
                (both,) = statistics.sums(players[name], against=number)
                assert both.wins == tally.against[other], (name, other)


SEASON_GAMES = {"toss-up": 10, "intersection": 4, "switch-16": 10, "dice-county-fair": 4, "rollers": 2}
"""How often each game is played in the season."""
REFUSED = 1004
"""A seed from which, after four more, somebody refuses a switch of Switch 16 in the middle of a turn."""


@pytest.mark.slow
def test_a_season_of_all_games_is_that_of_a_script_which_reads_the_records_alone(
    journal: Journal, statistics: PlayStatisticsService, tmp_path: Path
) -> None:
    """Without chances, which take most of the time and are held against formulas by tests of their own."""
    plain = keep_counted(journal, random_match(named("dice"), 20, seed=1))
    for place, (name, count) in enumerate(SEASON_GAMES.items()):
        options = {"prices": "sheet"} if name == "dice-county-fair" else {}
        for seed in range(count):
            who = SEASON[(place + seed) % len(SEASON)]
            keep_counted(journal, finished_match(named(name), REFUSED + seed, who, options))
    by_hand = games_by_hand(statistics, tmp_path)
    finished = [each for each in by_hand if each.game != "dice"]
    players = {player.name: player.number for player in PlayerService(journal, tmp_path).players()}
    for name, number in players.items():
        are_figures_of(statistics.sums(number), count_season(finished), name)
        for other, against in players.items():
            if other != name:
                are_figures_of(statistics.sums(number, against), count_season(finished, other), name)
        occasions = {each.achievement.name: each.occasions for each in statistics.achievements(number)}
        assert occasions.items() >= count_occasions(finished, name).items(), name
    results = [seat.result for seat in statistics.played_game(plain).seats]
    (thrown,) = [each.seats for each in by_hand if each.game == "dice"]
    assert [(each.throws, each.finished) for each in results if each] == [(seat.throws, False) for seat in thrown]


def are_figures_of(sums: Sequence[GameSum], by_hand: Mapping[tuple[str, str], PlayerCount], name: str) -> None:
    """Hold a player's figures against those of the independent script."""
    assert {found.game for found in sums} == {game for player, game in by_hand if player == name}
    for found in sums:
        count = by_hand[name, found.game]
        scores, turns = [seat.score for seat in count.seats], [seat.turns for seat in count.seats]
        assert (found.games, found.with_others, found.wins) == (len(scores), count.shared, count.wins), found
        assert (found.average, found.best_score) == (pytest.approx(sum(scores) / len(scores)), max(scores)), found
        assert (found.turns, found.best_turn) == (sum(map(len, turns)), max(max(each) for each in turns)), found
        assert found.throws == sum(seat.throws for seat in count.seats), found
        assert found.stops == sum(seat.stops for seat in count.seats), found


def test_a_switch_that_is_refused_ends_no_turn() -> None:
    """The turn of who asked went on, and its cards were told as those of two turns."""
    match = finished_match(named("switch-16"), REFUSED + 4, ("Bob", "Ann"), {})
    rows = list(played_rows(match.start, match.replay))
    refused = next(row.entry.number for row in rows if row.action.verb == "refuse")
    (turn,) = [turn for turn in played_turns(match.game, rows) if turn.rows[0].entry.number < refused <= turn.entry]
    assert (turn.seat, turn.points) == (1, 5)


def test_the_chance_of_a_zap_is_that_of_a_script_which_reads_the_record_alone(
    journal: Journal, statistics: PlayStatisticsService, tmp_path: Path
) -> None:
    whole = finished_match(named("rollers"), 34, ("Ann", "Bob"), {})
    begun = Match.of(whole.kept, whole.game, whole.start.dice, whole.entries[:90])
    keep(journal, begun)
    by_hand = count_season(games_by_hand(statistics, tmp_path))
    for result in count_results(begun.game, begun.start, begun.replay, ThrowChances(begun.game)):
        (count,) = by_hand[("Ann", "Bob")[result.seat - 1], "rollers"].seats
        assert (result.turns, result.throws, result.stops) == (len(count.turns), count.throws, count.stops)
        assert result.stop_chance == pytest.approx(count.stop_chance)
        assert result.throws > 10


def keep_counted(journal: Journal, match: Match) -> int:
    """Keep a match as a game that has ended, counted without chances."""
    number = keep(journal, match)
    results = count_results(match.game, match.start, match.replay)
    with journal.writing() as connection:
        write_results(connection, number, results, len(match.entries))
    return number


def games_by_hand(statistics: PlayStatisticsService, folder: Path) -> list[GameCount]:
    """Count the records of all games by the independent script."""
    archive = folder / "records.zip"
    archive.write_bytes(b"".join(statistics.plays("records")))
    return count_games(archive)


def test_every_figure_names_the_game_and_entry_behind_it(journal: Journal, statistics: PlayStatisticsService) -> None:
    a_season(journal, 6)
    statistics.count()
    (found,) = statistics.sums(1)
    behind = statistics.played(PastGameFilter(game="toss-up", player=1))
    assert [game.number for game in behind] == sorted((game.number for game in behind), reverse=True)
    assert found.games == sum(seat.result.finished for game in behind for seat in game.seats if seat.player == 1)
    wins = [game.number for game in behind if "Ann" in game.winners and len(game.seats) > 1]
    assert found.wins == len(wins)
    best = next(entry for entry in journal.entries(found.best_turn_in) if entry.number == found.best_turn_entry)
    assert str(best.action).endswith("end")
    together = statistics.played(PastGameFilter(player=1, against=2))
    assert {game.number for game in together} < {game.number for game in behind}
    assert statistics.played(PastGameFilter(before=5))[0].number == 4
    (sums,) = statistics.sums(1, against=2)
    assert sums.games == len(together)


def test_a_result_goes_when_its_game_goes_on_and_is_counted_again(
    journal: Journal, statistics: PlayStatisticsService
) -> None:
    match = random_match(named("toss-up"), 400, seed=1)
    number = journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up").number
    journal.write(number, *match.entries, ending=Ending(match.now()))
    assert (statistics.uncounted, statistics.count(), statistics.count()) == (1, 1, 0)
    won = statistics.played_game(number).winners
    undone = match.undo()
    journal.write(number, undone.entries[-1], ending=Ending(None))
    assert statistics.sums(1) == ()
    again = undone.play([(match.standing[-1][0].action, Source.CAMERA)])
    journal.write(number, again.entries[-1], ending=Ending(again.now()))
    assert statistics.count() == 1
    assert statistics.played_game(number).winners == won


def test_what_an_older_method_counted_is_counted_again_when_somebody_asks(
    journal: Journal, statistics: PlayStatisticsService
) -> None:
    number = keep(journal, random_match(named("toss-up"), 400, seed=1))
    statistics.count()
    right = statistics.played_game(number)
    with journal.writing() as connection:
        connection.execute(update(RESULTS).values(method=METHOD - 1, points_luck=99.0, score=1))
    assert statistics.uncounted == 1
    statistics.count_soon()
    statistics._counting.join()
    assert (statistics.uncounted, statistics.played_game(number)) == (0, right)


@pytest.mark.parametrize("number", [0, -1, 3, 2**31])
def test_a_number_that_nothing_has_stands_for_no_game_and_no_player(
    journal: Journal, statistics: PlayStatisticsService, number: int
) -> None:
    keep(journal, random_match(named("toss-up"), 400, seed=1))
    statistics.count()
    asked = (
        statistics.played_game, statistics.record, statistics.steps, statistics.result, statistics.bg_stats_link,
        statistics.sums, statistics.achievements, statistics.results_of, statistics.results_table,
    )  # fmt: skip
    for ask in asked:
        with pytest.raises(Refused, match="There is no"):
            ask(number)
    if number:
        with pytest.raises(Refused, match="There is no such player"):
            statistics.sums(1, against=number)


def test_a_game_that_was_left_is_listed_and_not_counted(journal: Journal, statistics: PlayStatisticsService) -> None:
    keep(journal, random_match(named("toss-up"), 9, seed=1))
    assert statistics.count() == 1
    assert statistics.sums(1) == ()
    (listed,) = statistics.played()
    assert [seat.result.finished for seat in listed.seats if seat.result] == [False, False]
    assert listed.winners == ()


def test_a_game_that_no_rule_of_today_can_replay_hinders_nobody(
    journal: Journal, statistics: PlayStatisticsService
) -> None:
    broken = random_match(named("toss-up"), 400, seed=1)
    keep(journal, replace(broken, entries=broken.entries[1:]))
    keep(journal, random_match(named("toss-up"), 400, seed=2))
    assert statistics.count() == 2
    (found,) = statistics.sums(1)
    assert found.games == 1


@pytest.mark.parametrize("game", WITH_ODDS, ids=lambda game: game.name)
def test_luck_is_fair(game: object) -> None:
    """Over many throws of fair dice the luck is that of a fair game: mean 0 and deviation 1, by its own figures."""
    stops = chance = variance = 0.0
    points = spread = 0.0
    chances = ThrowChances(game)
    for seed in range(2):
        match = random_match(game, 50, seed)
        for result in count_results(game, match.start, match.replay, chances):
            stops, chance = stops + result.stops, chance + result.stop_chance
            variance += result.stop_variance
            points, spread = points + result.points_luck, spread + result.points_variance
    assert variance > 0
    assert abs(stops - chance) < 4 * sqrt(variance)
    assert abs(points) <= 4 * sqrt(spread)


def test_the_chance_of_a_stop_is_that_of_the_odds() -> None:
    """The first roll of Intersection is over at once with 19.31 %, and ten dice of Toss Up! are red with 0.1 %."""
    game = named("intersection")
    match = random_match(game, 30, seed=3)
    result = count_results(game, match.start, match.replay, ThrowChances(game))
    assert any(row.stop_chance > 0 for row in result)
    chances, toss = ThrowChances(named("toss-up")), random_match(named("toss-up"), 1, seed=1)
    outlook = chances.outlook(toss.start, toss.entries[0].action)
    assert outlook.stop == pytest.approx(0.5**10 - (1 / 3) ** 10)
    assert outlook.points == pytest.approx(5)


@pytest.mark.parametrize("game", WITH_ODDS, ids=lambda game: game.name)
def test_what_chance_does_not_see_changes_no_chance(game: object) -> None:
    """An outlook that is kept for equal throws is the one that is worked out for each throw by itself."""
    match, kept = random_match(game, 40, seed=5), ThrowChances(game)
    alone = replace(game, for_chances=lambda state: state)
    late = [state for state in _late_states(match) if state.to_act]
    throws = [(state, offer) for state in late for offer in game.legal(state) if offer.is_throw][-12:]
    assert throws
    for state, offer in throws:
        thrown = next(action for _, action in outcomes(game, state, offer))
        assert kept.outlook(state, thrown) == ThrowChances(alone).outlook(state, thrown)


def _switch_16_throws(options: dict[str, str]) -> list[tuple[GameState, Action]]:
    """Some rolls of each number of dice, in games for which these options are chosen."""
    found = defaultdict[int, list[tuple[GameState, Action]]](list)
    for state, offer in _all_switch_16_throws(options):
        found[len(offer.dice)].append((state, offer))
    return [throw for throws in found.values() for throw in (throws[0], throws[len(throws) // 2], throws[-1])]


def _all_switch_16_throws(options: dict[str, str]) -> Iterator[tuple[GameState, Action]]:
    game = named("switch-16")
    for seed in range(3):
        match = random_match(game, 150, seed)
        for row in played_rows(match.start, match.replay):
            if row.action.verb == "roll":
                state = replace(row.before, options={**row.before.options, **options})
                yield state, next(offer for offer in game.legal(state) if offer.verb == "roll")


@pytest.mark.parametrize("options", [{}, {"variant": "to-100"}], ids=["first-to-16", "to-100"])
def test_rolls_of_switch_16_that_are_alike_come_out_as_if_each_were_ruled_on(options: dict[str, str]) -> None:
    """A long game took six seconds when each of up to 1008 rolls of a throw was ruled on."""
    game = named("switch-16")
    one_by_one = replace(game, alike=None)
    for state, offer in _switch_16_throws(options):
        thrown = next(action for _, action in outcomes(game, state, offer))
        quick, slow = (ThrowChances(each).outlook(state, thrown) for each in (game, one_by_one))
        assert (quick.stop, quick.points) == pytest.approx((slow.stop, slow.points))
        assert (quick.variance, sorted(quick.gains)) == (
            pytest.approx(slow.variance),
            [(gained, pytest.approx(chance)) for gained, chance in sorted(slow.gains)],
        )
        assert len(list(outcomes(game, state, offer))) <= 8


def test_the_chance_to_be_stopped_in_switch_16_is_that_of_a_count_by_hand() -> None:
    """Of two players red ends every turn (S.2-6), green none; else the dice have to make the top card (S.2-12)."""
    for state, offer in _switch_16_throws({}):
        if state.decks[state.seat - 1].blocked or any(deck.blocked for deck in state.decks):
            continue
        top, dice = state.decks[state.seat - 1].top, len(offer.dice) - 1
        fell = list(product(range(1, 7), repeat=dice))
        missed = sum(top not in {sum(some) for some in _some_of(fall)} for fall in fell) / len(fell)
        thrown = next(action for _, action in outcomes(named("switch-16"), state, offer))
        outlook = ThrowChances(named("switch-16")).outlook(state, thrown)
        assert outlook.stop == pytest.approx(1 / 6 + 4 / 6 * missed)


@pytest.mark.parametrize("options", [{}, {"variant": "to-100"}], ids=["first-to-16", "to-100"])
def test_the_points_of_a_roll_of_switch_16_are_the_cards_that_it_costs(options: dict[str, str]) -> None:
    """Red takes the other's deck where it is lower (S.2-6), a failed risk all cards, or those above 8 (S.2-15)."""
    game, risks = named("switch-16"), 0
    free = [each for each in _all_switch_16_throws(options) if not any(deck.blocked for deck in each[0].decks)]
    for state, offer in [each for each in free if each[0].rolls][:3] + free[:3]:
        top, other, dice = state.top(state.seat), state.top(3 - state.seat), len(offer.dice) - 1
        fell = list(product(range(1, 7), repeat=dice))
        missed = sum(top not in {sum(some) for some in _some_of(fall)} for fall in fell) / len(fell)
        lost = (top - (8 if top > 8 else 1)) if state.rolls else 0
        thrown = next(action for _, action in outcomes(game, state, offer))
        outlook = ThrowChances(game).outlook(state, thrown)
        assert outlook.points == pytest.approx(min(0, other - top) / 6 - 4 / 6 * missed * lost)
        risks += lost > 0
    assert risks


def _some_of(fall: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return (some for count in range(1, len(fall) + 1) for some in combinations(fall, count))


def _late_states(match: Match) -> Iterator[GameState]:
    """Yield the states of a match, and of Intersection those of its last round too."""
    for row in played_rows(match.start, match.replay):
        yield row.before
        if hasattr(row.before, "vandered") and row.before.on_turn:
            high = tuple(4900 + score for score in row.before.scores)
            yield replace(row.before, scores=high, last_turns=(row.before.on_turn,), turns=tuple(9 for _ in high))


def test_a_game_of_intersection_works_out_its_opening_roll_a_few_times() -> None:
    """It has 756 outcomes, and took ten seconds of a long game when every score was another opening roll."""
    game = named("intersection")
    match, openings = random_match(game, 400, seed=1), set()
    for row in played_rows(match.start, match.replay):
        offer = next((offer for offer in game.legal(row.before) if offer.verb == "roll"), None)
        if offer and len(offer.dice) == 6:
            openings.add((game.as_chance_sees(row.before), offer))
    assert 1 < len(openings) <= 8


def test_a_season_is_counted_in_the_background_and_stopped(journal: Journal) -> None:
    a_season(journal, 2)
    service = PlayStatisticsService(journal)
    service.count_soon()
    service.count_soon()
    service._counting.join()
    assert service.uncounted == 0
    service.close()
    assert PlayStatisticsService(journal).count(again=True) == 2


def test_players_merged_while_their_games_are_counted_have_the_figures_of_a_count_after_it(
    journal: Journal, statistics: PlayStatisticsService, tmp_path: Path
) -> None:
    for seed, name in enumerate(("Ann", "Annie", "Ann", "Annie")):
        keep(journal, random_match(named("toss-up"), 400, seed, (name, "Cy")))
    players = PlayerService(journal, tmp_path)
    numbers = {player.name: player.number for player in players.players()}
    statistics.count_soon()
    while statistics.uncounted == 4:
        sleep(0.01)
    assert statistics.uncounted
    players.merge(numbers["Annie"], numbers["Ann"])
    statistics._counting.join()
    counted = [(statistics.sums(number), statistics.achievements(number)) for number in (numbers["Ann"], numbers["Cy"])]
    assert counted[0][0][0].games == 4
    statistics.count(again=True)
    again = [(statistics.sums(number), statistics.achievements(number)) for number in (numbers["Ann"], numbers["Cy"])]
    assert again == counted


def test_what_was_counted_while_a_face_corrected_back_made_a_sharp_eye_is_counted_again(
    journal: Journal, statistics: PlayStatisticsService
) -> None:
    a_season(journal, 2)
    assert statistics.count() == 2
    with journal.writing() as connection:
        connection.execute(update(RESULTS).values(method=2))
    assert (statistics.uncounted, statistics.count()) == (2, 2)


def test_a_thrown_lot_and_a_throw_that_does_not_count_are_no_throws_of_a_turn() -> None:
    game = named("toss-up")
    match = random_match(game, 4, seed=2)
    before = sum(row.throws for row in count_results(game, match.start, match.replay))
    voided = match.void_throw()
    assert sum(row.throws for row in count_results(game, voided.start, voided.replay)) == before - 1
    lots = random_match(named("switch-16"), 2, seed=1)
    assert [row.throws for row in count_results(lots.game, lots.start, lots.replay)] == [0, 0]


@pytest.mark.parametrize("form", ["csv", "json", "records"])
def test_an_export_holds_a_few_games_at_a_time_however_many_there_are(journal: Journal, form: str) -> None:
    """A piece is taken before the next one is made, and the games are read a page at a time."""
    match = replace(random_match(named("toss-up"), 2, seed=1), entries=())
    for _ in range(120):
        keep(journal, match)
    statistics = PlayStatisticsService(journal)
    next(statistics.plays(form))
    tracemalloc.start()
    longest = max(len(piece) for piece in statistics.plays(form))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert longest < 16_000
    assert peak < 2_000_000


def test_nobody_wins_alone(journal: Journal, statistics: PlayStatisticsService) -> None:
    alone = journal.keep(replace(random_match(named("toss-up"), 4, seed=1).kept, players=("Ann",), ended_at=NOON), ())
    with journal.writing() as connection:
        write_results(connection, alone.number, [SeatResult(1, finished=True, won=True, score=7)], entries=0)
    (found,) = statistics.sums(1)
    assert (found.games, found.with_others, found.wins, found.luck) == (1, 0, 0, None)


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("Ann", "Ann"),
        ("Ann-Lena", "Ann-Lena"),
        ("=1+1", "'=1+1"),
        (";=1+1;", ";'=1+1;"),
        ('x;"=1+1', "x;'\"=1+1"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("a,\xa0\uff201", "a,'\xa0\uff201"),
        ("a,@SUM(A1)", "a,'@SUM(A1)"),
        ("x; +2", "x;' +2"),
        ("-1|=2", "'-1|'=2"),
        ("\t=3", "'\t'=3"),
    ],
)
def test_a_name_is_no_formula_whichever_sign_separates_cells(name: str, cell: str) -> None:
    assert plain_cell(name) == cell
