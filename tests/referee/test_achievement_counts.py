"""Each achievement: what counts for it, what does not, and where its levels are reached."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from at_the_table import GOLDEN

from models import die_sets
from referee.feats import (
    COMMON,
    Achievement,
    CareerGame,
    Feat,
    Occasion,
    SeatFeat,
    achievements,
    counting_method,
    find_feats,
    progress,
)
from referee.game import begin
from referee.games import games, named
from referee.journal import replay
from referee.record_parser import parse_record

MONDAY, TUESDAY = date(2026, 11, 23), date(2026, 11, 24)
FIVE = ("intersection", "toss-up", "rollers", "switch-16", "dice-county-fair")


def achievement(name: str) -> Achievement:
    return next(each for each in achievements(games()) if each.name == name)


def played(
    number: int,
    *,
    game: str = "toss-up",
    won: bool = False,
    day: date | None = MONDAY,
    company: tuple[int, ...] = (1, 2),
    **feats: int,
) -> CareerGame:
    named_feats = {name.replace("_", "-"): entry for name, entry in feats.items()}
    return CareerGame(number, game, won, day, frozenset(company), named_feats)


def occasions(name: str, *career: CareerGame) -> list[int]:
    """The numbers of the games that count for an achievement."""
    return [occasion.game for occasion in achievement(name).count(career)]


def test_a_regular_plays_games_to_the_end_alone_too() -> None:
    assert occasions("played", played(1), played(2, company=(1,))) == [1, 2]


def test_an_all_rounder_wins_at_different_games_and_never_alone() -> None:
    career = (
        played(1, won=True, company=(1,)),
        played(2, won=True),
        played(3, won=True),
        played(4, game="rollers"),
        played(5, game="rollers", won=True),
    )
    assert occasions("all-rounder", *career) == [2, 5]


def test_a_streak_counts_only_where_it_is_longer_than_the_one_before() -> None:
    wins = [played(number, won=number != 3) for number in range(1, 8)]
    assert occasions("streak", *wins) == [1, 2, 6, 7]
    with_solo = (*wins[:2], played(3, company=(1,)), played(4, won=True, company=(1,)), played(5, won=True))
    assert occasions("streak", *with_solo) == [1, 2, 5]
    assert progress(achievement("streak"), with_solo).reached == Occasion(5)


def test_old_friends_are_the_same_people_every_time() -> None:
    career = [played(number, company=(1, 2)) for number in (1, 2)]
    career += [played(3, company=(1, 2, 3)), played(4, company=(1,)), played(5, company=(2, 1))]
    assert occasions("company", *career) == [1, 2, 5]


def test_a_full_day_has_five_different_games_that_ended_on_it() -> None:
    day = [played(number, game=game) for number, game in enumerate(FIVE, start=1)]
    assert occasions("full-day", *day) == [5]
    assert occasions("full-day", *day[:4], played(5, game=FIVE[0])) == []
    assert occasions("full-day", *day[:4], played(5, game=FIVE[4], day=TUESDAY)) == []
    assert occasions("full-day", *day[:4], played(5, game=FIVE[4], day=None)) == []
    assert occasions("full-day", *day, played(6), played(7, game=FIVE[3])) == [5], "a day is full once"


def test_a_game_of_another_day_in_between_leaves_a_day_full() -> None:
    """A game whose clock nobody is sure of may come anywhere among the others."""
    day = [played(number, game=game) for number, game in enumerate(FIVE, start=1)]
    assert occasions("full-day", *day[:3], played(9, day=TUESDAY), *day[3:]) == [5]


def test_a_clean_table_is_one_at_which_nobody_broke_a_rule() -> None:
    assert occasions("clean-table", played(1), played(2, breached=4)) == [1]


@pytest.mark.parametrize("feat", [Feat.COMEBACK, Feat.BOLD, Feat.LUCKY, Feat.SHARP_EYE, "whole-section", "all-green"])
def test_a_feat_counts_once_a_game_and_leads_to_its_entry(feat: str) -> None:
    found = progress(achievement(feat), (played(1), played(2, **{feat: 17})))
    assert (found.occasions, found.level, found.reached) == (1, 1, Occasion(2, 17))


def test_a_level_is_reached_in_the_game_that_makes_it_full() -> None:
    found = progress(achievement("all-rounder"), [played(n, game=game, won=True) for n, game in enumerate(FIVE, 1)])
    assert [where.game for where in found.levels] == [1, 3, 5]
    assert [found.level_reached_in(game) for game in range(1, 6)] == [1, 0, 2, 0, 3]
    assert (found.level, found.next) == (3, 0)
    none = progress(achievement("all-rounder"), ())
    assert (none.level, none.next, none.reached) == (0, 1, None)


def test_other_levels_are_another_method_of_counting() -> None:
    assert counting_method(COMMON) == counting_method(COMMON)
    assert counting_method(COMMON) != counting_method(COMMON[1:])


@pytest.mark.parametrize("game", [game for game in games() if game.feats], ids=lambda game: game.name)
def test_every_feat_of_a_game_is_done_in_one_of_its_golden_games(game: object) -> None:
    done = set()
    for path in GOLDEN.glob(f"{game.name}-*.txt"):
        record = parse_record(path.read_text("utf-8"))
        entries = record.journal_entries(datetime(2026, 11, 23, tzinfo=UTC))
        start = begin(game, record.players, die_sets.load(game.die_set), record.options)
        done |= {feat.feat for feat in find_feats(game, start, replay(game, start, entries), entries)}
    assert {feat.name for feat in game.feats} <= done


def test_who_completes_a_section_of_the_fair_gets_the_feat_when_the_turn_is_done() -> None:
    game, record = named("dice-county-fair"), parse_record((GOLDEN / "dice-county-fair-solo.txt").read_text("utf-8"))
    entries = record.journal_entries(datetime(2026, 11, 23, tzinfo=UTC))
    start = begin(game, record.players, die_sets.load(game.die_set), record.options)
    found = find_feats(game, start, replay(game, start, entries), entries)
    (section,) = [feat for feat in found if feat.feat == "whole-section"]
    assert section == SeatFeat(1, "whole-section", 43)
    assert str(entries[42].action) == "1 done"
