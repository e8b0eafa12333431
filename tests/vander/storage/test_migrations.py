"""Older journals, brought up to date. `kept/journal-1.sqlite` was written by Vander 0.1.0 with its first tables."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect

from models import die_sets
from referee.games import named
from vander.session.match import Match
from vander.storage import migrations
from vander.storage.journal_schema import SCHEMA
from vander.storage.journal_store import Journal
from vander.storage.storage_errors import BrokenJournal, Unwritten

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
    assert [path.stem for path in sorted(KEPT.glob("*.sqlite"))] == [f"journal-{was}" for was in range(1, SCHEMA)]


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
