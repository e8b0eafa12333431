"""A real PostgreSQL for the tests of the hall, one for each worker, and a database of its own for each test."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from playing_table import AppClient, PlayingTable
from sqlalchemy.engine import Engine, make_url

from vander.hall.hall_routes import HallBackends
from vander.hall.hall_schema import open_hall_engine
from vander.hall.hall_server import LocalPostgres, NoLocalService, create_hall_app
from vander.hall.hall_service import HallService

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[LocalPostgres]:
    # Not in pytest's folder: a second run of pytest closes that to the user as whom PostgreSQL runs.
    folder = Path(tempfile.mkdtemp(prefix="vander-postgres-"))
    try:
        server = LocalPostgres(folder, durable=False)
    except NoLocalService as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))
    server.start()
    yield server
    server.stop("immediate")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def empty_database(postgres: LocalPostgres) -> str:
    """The address of a database without tables."""
    return create_database(postgres, "template1")


@pytest.fixture(scope="session")
def template(postgres: LocalPostgres) -> str:
    """The name of a database with the hall's tables. A copy takes a third of the work of making them."""
    address = create_database(postgres, "template1")
    open_hall_engine(address).dispose()
    return str(make_url(address).database)


@pytest.fixture
def database(postgres: LocalPostgres, template: str) -> str:
    """The address of a hall's database in which nothing is yet."""
    return create_database(postgres, template)


def create_database(postgres: LocalPostgres, template: str) -> str:
    """Create a database like that one, and return its address."""
    name = f"hall_{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(postgres.address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return make_url(postgres.address).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    opened = open_hall_engine(database)
    yield opened
    opened.dispose()


@pytest.fixture
def hall(engine: Engine) -> HallService:
    return HallService(engine)


@pytest.fixture
def app_client(hall: HallService) -> AppClient:
    return AppClient(create_hall_app(HallBackends(hall=hall)).test_client())


@pytest.fixture
def open_playing_table(
    tmp_path: Path, hall: HallService, app_client: AppClient
) -> Iterator[Callable[[str], PlayingTable]]:
    opened: list[PlayingTable] = []

    def open_one(name: str) -> PlayingTable:
        opened.append(PlayingTable(tmp_path / name, app_client, name, hall.registry.show_code()))
        return opened[-1]

    yield open_one
    for table in opened:
        table.close()


@pytest.fixture
def playing_table(open_playing_table: Callable[[str], PlayingTable]) -> PlayingTable:
    return open_playing_table("Table 1")
