"""Several games stand open: one is left, another begun, and the first gone back to as it stood."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from laid_dice import Dice
from session_scenes import scores

from referee.journal import MOST_OPEN
from referee.sentences import Refused
from vander.extras.players.player_service import PlayerService
from vander.storage.journal_store import Journal
from vander.table.session import Session

OPENING = ("go", "happy", "happy", "star", "two", "three")


def left_open(table: Session, dice: Dice) -> Session:
    """Ann has thrown, and Cleo and Dan play meanwhile."""
    table.observe(dice.look())
    table.start("intersection", ["Ann", "Bob"], {}, starter=1)
    table.observe(dice.roll(*OPENING))
    table.start("intersection", ["Cleo", "Dan"], {}, starter=1, leave_open=True)
    table.observe(dice.roll("slow", "sad", "sad", "two", "two", "three"))
    return table


def names(table: Session) -> list[str]:
    state = table.snapshot().state
    return [player.name for player in state.players] if state else []


def test_a_game_that_is_left_open_stands_on_top_with_its_players_and_scores(table: Session, dice: Dice) -> None:
    left_open(table, dice)
    found = table.open_games()
    assert [(game.number, game.players, game.on_table) for game in found] == [
        (2, ("Cleo", "Dan"), True),
        (1, ("Ann", "Bob"), False),
    ]
    assert found[1].scores == (0, 0)
    assert found[1].played_at > found[1].started_at


def test_a_game_that_is_not_left_open_ends(table: Session, dice: Dice) -> None:
    left_open(table, dice)
    table.start("intersection", ["Eve"], {})
    assert [game.players for game in table.open_games()] == [("Eve",), ("Ann", "Bob")]


def test_going_back_restores_the_state_and_asks_for_the_dice_as_they_lay(table: Session, dice: Dice) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann", "Bob"], {}, starter=1)
    table.observe(dice.roll(*OPENING))
    before = table.state.match
    assert before is not None
    table.start("intersection", ["Cleo", "Dan"], {}, starter=1, leave_open=True)
    table.observe(dice.roll("slow", "sad", "sad", "two", "two", "three"))
    table.play_on(1)
    assert table.state.match is not None
    assert (table.state.match.state, table.state.match.entries) == (before.state, before.entries)
    table.observe(dice.look())
    shown = table.snapshot()
    assert shown.mood == "ask"
    assert [(each.title, each.shows) for each in shown.put_back if each.shows]
    assert [str(question.topic) for question in shown.questions] == ["put-back"], "nobody is asked about a throw"
    dice.faces.update(dict(zip(range(1, 6), OPENING[1:], strict=True)))
    dice.faces[6] = OPENING[0]
    table.observe(dice.throw())
    assert (table.snapshot().mood, table.snapshot().questions) == ("calm", ())
    table.undo()
    assert table.state.match is not None
    assert len(table.state.match.standing) == len(before.standing) - 1


def test_where_nothing_depends_on_the_dice_the_game_just_goes_on(table: Session, dice: Dice) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann", "Bob"], {}, starter=1)
    table.start("intersection", ["Cleo", "Dan"], {}, starter=1, leave_open=True)
    table.observe(dice.roll("slow", "sad", "sad", "two", "two", "three"))
    table.play_on(1)
    table.observe(dice.look())
    assert (table.snapshot().mood, table.snapshot().questions, names(table)) == ("calm", (), ["Ann", "Bob"])


def test_after_a_restart_the_game_on_the_table_is_the_one_gone_back_to(
    open_table: Callable[..., Session], dice: Dice
) -> None:
    table = left_open(open_table(), dice)
    table.play_on(1)
    again = open_table()
    assert (names(again), scores(again)) == (["Ann", "Bob"], (0, 0))
    assert [game.number for game in again.open_games()] == [1, 2]


def test_a_game_over_leaves_the_table_empty_after_a_restart_though_others_stand_open(
    open_table: Callable[..., Session], dice: Dice
) -> None:
    left_open(open_table(), dice)
    open_table().act("1 quit")
    assert open_table().snapshot().game is None
    assert [game.number for game in open_table().open_games()] == [1]


def test_an_open_game_is_ended_without_being_played_on(table: Session, dice: Dice) -> None:
    left_open(table, dice)
    table.end_open(1)
    assert [game.number for game in table.open_games()] == [2]
    for number in (1, 7):
        with pytest.raises(Refused, match="is over or never began"):
            table.play_on(number)
    with pytest.raises(Refused, match="on the table"):
        table.end_open(2)


def test_no_more_games_stand_open_than_may(table: Session) -> None:
    for _ in range(MOST_OPEN):
        table.start("intersection", ["Ann"], {}, leave_open=True)
    with pytest.raises(Refused, match="20 games are still open"):
        table.start("intersection", ["Ann"], {}, leave_open=True)
    assert len(table.open_games()) == MOST_OPEN
    table.start("intersection", ["Bob"], {})
    assert len(table.open_games()) == MOST_OPEN


def replays(table: Session, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of each game whose entries are read from now on."""
    read: list[int] = []
    journal = table._parts.record._journal
    entries = journal.entries
    monkeypatch.setattr(journal, "entries", lambda number: (read.append(number), entries(number))[1])
    return read


def test_an_open_game_is_replayed_once_and_again_only_after_it_went_on(
    table: Session, dice: Dice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty games stand open at most, and each was replayed whenever a page asked."""
    read = replays(left_open(table, dice), monkeypatch)
    first = table.open_games()
    assert (table.open_games(), read) == (first, [1])
    table.play_on(1)
    table.act("1 skip")
    found = {game.number: game for game in table.open_games()}
    table.play_on(2)
    read.clear()
    again = {game.number: game for game in table.open_games()}
    assert read == [], "both were on the table"
    assert again[1].played_at == found[1].played_at > first[1].played_at
    assert again[1] == replace(found[1], on_table=False)


def test_a_name_that_changed_is_shown_though_the_game_is_not_replayed(
    table: Session, dice: Dice, tmp_path: Path
) -> None:
    left_open(table, dice).open_games()
    with closing(Journal.in_folder(tmp_path)) as journal:
        PlayerService(journal, tmp_path).change(1, name="Anna")
    assert [game.players for game in table.open_games()] == [("Cleo", "Dan"), ("Anna", "Bob")]


def test_a_game_with_a_damaged_entry_is_listed_without_scores_and_the_others_go_on(
    table: Session, dice: Dice, tmp_path: Path
) -> None:
    left_open(table, dice)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database, database:
        database.execute("UPDATE entries SET source = 'dreams' WHERE game_id = 1")
    assert [(game.number, len(game.scores)) for game in table.open_games()] == [(2, 2), (1, 0)]
    with pytest.raises(Refused, match="does not fit the rules of today"):
        table.play_on(1)
    table.undo()
    assert names(table) == ["Cleo", "Dan"]


def test_an_old_page_does_not_take_another_game_from_the_table(table: Session, dice: Dice) -> None:
    left_open(table, dice)
    with pytest.raises(Refused, match="moved on"):
        table.play_on(1, step="1.1")
    assert names(table) == ["Cleo", "Dan"]


def test_who_was_there_to_the_end_plays_again_by_the_same_house_rules(table: Session) -> None:
    table.start("intersection", ["Ann", "Bob"], {"below-300": "records-0"})
    with pytest.raises(Refused, match="Only a game that is over"):
        table.play_again()
    table.act("1 quit")
    table.play_again(step=table.snapshot().step)
    match = table.state.match
    assert match is not None
    assert (match.kept.game, match.kept.players) == ("intersection", ("Bob",))
    assert match.kept.options["below-300"] == "records-0"
    assert table.state.is_on
