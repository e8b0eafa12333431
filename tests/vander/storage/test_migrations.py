"""Older journals, brought up to date. `kept/journal-N.sqlite` was written by the Vander whose tables had version N."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect

from models import die_sets
from referee.dice import Die, FaceName, KindName
from referee.fair_play import FairPlayMark, fair_play, find_asked, note_sentence
from referee.games import named
from referee.journal import NOBODY, Actor, Deed, Entry, Source
from vander.storage import migrations
from vander.storage.data_folder import BrokenJournal, Unwritten
from vander.storage.journal_schema import SCHEMA
from vander.storage.journal_store import Journal
from vander.table.match import Match

KEPT = Path(__file__).parents[1] / "kept"


@pytest.fixture(params=[path.name for path in sorted(KEPT.glob("*.sqlite"))])
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copyfile(KEPT / request.param, tmp_path / "journal.sqlite"))


def ask(database: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as connection, connection:
        return connection.execute(question).fetchall()


def contents(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return list(connection.iterdump())


def tables(database: Path) -> dict[str, list[tuple[str, str, bool]]]:
    engine = create_engine(f"sqlite:///{database}")
    found = inspect(engine)
    columns = {
        table: [(column["name"], str(column["type"]), column["nullable"]) for column in found.get_columns(table)]
        for table in found.get_table_names()
    }
    engine.dispose()
    return columns


def test_there_is_a_step_to_every_version_and_a_journal_of_each_version_before() -> None:
    assert list(migrations.STEPS) == list(range(2, SCHEMA + 1))
    assert {path.stem for path in KEPT.glob("*.sqlite")} == {f"journal-{was}" for was in range(1, SCHEMA)}


def test_an_older_journal_becomes_what_a_new_one_is(older: Path, tmp_path: Path) -> None:
    Journal(f"sqlite:///{older}").close()
    Journal(f"sqlite:///{tmp_path / 'new.sqlite'}").close()
    assert tables(older) == tables(tmp_path / "new.sqlite")
    assert ask(older, "SELECT version FROM vander_schema") == [(SCHEMA,)]


def test_the_games_of_an_older_journal_are_played_again_and_go_on(older: Path) -> None:
    with closing(Journal(f"sqlite:///{older}")) as journal:
        alone, together = journal.games()
        assert [game.clock_doubted for game in (alone, together)] == [False, False]
        assert journal.latest() == together
        assert (together.players, alone.ended_at is None) == (("Ann", "Bob"), False)
        dice = die_sets.load(together.die_set)
        match = Match.of(together, named(together.game), dice, journal.entries(together.number))
        assert (match.state.scores, match.state.to_act) == ((1200, 0), (1,))
        assert Match.of(alone, named(alone.game), dice, journal.entries(alone.number)).over
        assert journal.begin("intersection", ("Ann",), {}, "intersection", clock_doubted=True).number == 3
        assert [game.clock_doubted for game in journal.games()] == [False, False, True]


def test_of_an_older_entry_nobody_knows_who_made_it_and_a_new_one_names_its_device(older: Path) -> None:
    ann = Actor("Ann's phone", 1)
    with closing(Journal(f"sqlite:///{older}")) as journal:
        before = journal.entries(2)
        assert {(entry.by, entry.dice) for entry in before} == {(NOBODY, ())}
        dice = (Die(KindName("traffic"), FaceName("star")), Die(KindName("traffic"), FaceName("two")))
        new = Entry(len(before) + 1, before[-1].at, Source.TABLET, Deed.ANSWER, note="Two.", dice=dice)
        new = replace(new, device=ann.device, seat=ann.seat)
        journal.write(2, new)
        assert journal.entries(2) == (*before, new)
        assert new.by == ann


@pytest.mark.parametrize("older", ["journal-3.sqlite"], indirect=True)
def test_what_was_known_by_how_its_sentence_began_is_known_by_its_deed(older: Path) -> None:
    with closing(Journal(f"sqlite:///{older}")) as journal:
        entries = journal.entries(1)
    assert [(entry.deed, note_sentence(entry)) for entry in entries[24:]] == [
        (Deed.ASKED, "What does this die show?"),
        (Deed.ANSWER, "What does this die show? Star."),
        (Deed.ASKED, "Who threw?"),
        (Deed.UNANSWERED, "No longer asked: Who threw?"),
        (Deed.BLIND, "Nobody saw the tray for 3.2 s: something covered the lens, the camera sent no pictures."),
        (Deed.DEPARTED, "A die left the tray in the throw, and was put back by hand."),
        (Deed.REMARK, "A die was turned over by hand."),
        (Deed.ASKED, "Has a die left the table?"),
    ]
    report = fair_play(entries)  # as the version before reported it
    marks = FairPlayMark.ANSWER, FairPlayMark.HANDS, FairPlayMark.UNANSWERED, FairPlayMark.BLIND, FairPlayMark.NEAR_MISS
    assert (report.counts, report.blind_s) == (dict.fromkeys(marks, 1), 3.2)
    assert find_asked(entries) == "Has a die left the table?"


def test_a_copy_of_the_older_journal_is_kept_beside_it(older: Path) -> None:
    before = contents(older)
    Journal(f"sqlite:///{older}").close()
    copy = older.with_name(f"journal.sqlite.before-{SCHEMA}")
    assert contents(copy) == before
    assert ask(copy, "PRAGMA journal_mode") == [("delete",)]


def test_a_journal_of_today_is_not_copied(tmp_path: Path) -> None:
    Journal.in_folder(tmp_path).close()
    Journal.in_folder(tmp_path).close()
    assert [path.name for path in tmp_path.iterdir()] == ["journal.sqlite"]


def test_a_step_that_fails_leaves_the_older_journal_as_it_was(older: Path) -> None:
    version = ask(older, "SELECT version FROM vander_schema")
    before = tables(older)
    hinder = "CREATE TRIGGER hinder BEFORE INSERT ON vander_schema BEGIN SELECT RAISE(FAIL, 'the disk is full'); END"
    ask(older, hinder)
    with pytest.raises(Unwritten, match="the disk is full"):
        Journal(f"sqlite:///{older}")
    assert tables(older) == before
    assert ask(older, "SELECT version FROM vander_schema") == version
    ask(older, "DROP TRIGGER hinder")
    Journal(f"sqlite:///{older}").close()
    assert ask(older, "SELECT version FROM vander_schema") == [(SCHEMA,)]


def test_an_older_journal_that_cannot_be_copied_is_left_alone(older: Path) -> None:
    older.with_name(f"journal.sqlite.before-{SCHEMA}").mkdir()
    before = tables(older)
    with pytest.raises(Unwritten, match="no copy of it can be made"):
        Journal(f"sqlite:///{older}")
    assert tables(older) == before


@pytest.mark.parametrize("older", ["journal-1.sqlite"], indirect=True)
def test_tables_of_which_a_pulled_plug_left_the_version_unwritten_are_the_first(older: Path) -> None:
    ask(older, "DROP TABLE entries")
    ask(older, "DELETE FROM vander_schema")
    Journal(f"sqlite:///{older}").close()
    assert ask(older, "SELECT version FROM vander_schema") == [(SCHEMA,)]
    assert {"games", "entries", "vander_schema"} <= tables(older).keys()


@pytest.mark.parametrize("version", [0, SCHEMA + 1])
def test_a_journal_of_another_vander_is_refused_and_left_alone(older: Path, version: int) -> None:
    ask(older, f"UPDATE vander_schema SET version = {version}")  # noqa: S608  a number of this test's own
    before = older.read_bytes()
    with pytest.raises(BrokenJournal, match=f"its tables are version {version}"):
        Journal(f"sqlite:///{older}")
    assert older.read_bytes() == before
