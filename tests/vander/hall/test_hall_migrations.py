"""Older halls, brought up to date. `kept/hall-N.sql` was written by the hall whose tables had version N."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import inspect, select
from sqlalchemy.engine import Engine

from vander.hall import hall_games, season
from vander.hall.hall_schema import GAMES, HALL_SCHEMA, HALL_STEPS, open_hall_engine
from vander.storage.data_folder import BrokenJournal
from web.schemas.tournament_schemas import SeasonFilter

KEPT = Path(__file__).parents[1] / "kept"
HALLS = [path.name for path in sorted(KEPT.glob("hall-*.sql"))]


@pytest.fixture(params=HALLS)
def older(request: pytest.FixtureRequest, empty_database: str) -> str:
    """The address of a database that an older hall has written: one game over, one going on."""
    with psycopg.connect(empty_database) as connection:
        connection.execute((KEPT / request.param).read_bytes())
    return empty_database


def shape(engine: Engine) -> dict[str, Any]:
    """Return each table with its columns, keys and indexes."""
    found = inspect(engine)
    return {
        name: (
            [(each["name"], str(each["type"]), each["nullable"], each["default"]) for each in found.get_columns(name)],
            found.get_pk_constraint(name),
            sorted(map(str, found.get_foreign_keys(name))),
            sorted(map(str, found.get_indexes(name))),
            sorted(map(str, found.get_unique_constraints(name))),
        )
        for name in found.get_table_names()
    }


def ask(database: str, question: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        return connection.execute(question).fetchall()


def test_there_is_a_step_to_every_version_and_a_hall_of_each_version_before() -> None:
    assert list(HALL_STEPS) == list(range(2, HALL_SCHEMA + 1))
    assert [Path(name).stem for name in HALLS] == [f"hall-{was}" for was in range(1, HALL_SCHEMA)]


def test_an_older_hall_becomes_what_a_new_one_is(older: str, engine: Engine) -> None:
    migrated = open_hall_engine(older)
    assert shape(migrated) == shape(engine)
    migrated.dispose()
    assert ask(older, "SELECT version FROM hall_schema") == [(HALL_SCHEMA,)]


def test_the_games_of_an_older_hall_still_count_and_are_replayed(older: str) -> None:
    engine = open_hall_engine(older)
    with engine.connect() as connection:
        rows = season.standings(connection, SeasonFilter(), 9)
        games = connection.execute(select(GAMES.c.game_id, GAMES.c.standing).order_by(GAMES.c.game_id)).all()
        replayed = [hall_games.replay_game(connection, (1, game)) for game, _ in games]
    engine.dispose()
    assert {row.name: (row.games, row.wins) for row in rows} == {"Ann": (1, 1), "Bob": (1, 0)}
    assert [standing for _, standing in games] == ["over", "going"]
    assert [bool(one and one.state.to_act) for one in replayed] == [False, True]


def test_a_step_that_fails_leaves_the_older_hall_as_it_was(older: str) -> None:
    before = ask(older, "SELECT version FROM hall_schema")
    with psycopg.connect(older) as connection:  # something of the owner's own that hangs on the column
        connection.execute("CREATE VIEW counts AS SELECT entries FROM games")
    with pytest.raises(BrokenJournal, match=r"cannot be opened: .*depend"):
        open_hall_engine(older)
    assert ask(older, "SELECT version FROM hall_schema") == before
    assert ask(older, "SELECT count(*) FROM pg_indexes WHERE indexname = 'games_by_beginning'") == [(0,)]
    with psycopg.connect(older) as connection:
        connection.execute("DROP VIEW counts")
    open_hall_engine(older).dispose()
    assert ask(older, "SELECT version FROM hall_schema") == [(HALL_SCHEMA,)]


def test_a_newer_hall_is_refused_in_one_sentence_and_left_as_it_is(database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE hall_schema SET version = version + 1")
    with pytest.raises(BrokenJournal, match="written by another version of Vander"):
        open_hall_engine(database)
    assert ask(database, "SELECT version FROM hall_schema") == [(HALL_SCHEMA + 1,)]
