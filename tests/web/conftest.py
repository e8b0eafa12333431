"""Fixtures of the web tests: stand-in services, their application, a real server and a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from access_scene import PowerSwitch, from_elsewhere, join
from browsers import lent_app, served, tablet
from flask import Flask
from playwright.sync_api import Browser, Error, Page, Request, expect
from stub_game import StubGame, StubSimulator
from stub_learning import StubChecks, StubLearning

from tests.conftest import Tablets, leave
from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.schemas.access_schemas import ListedSetting

PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture
def game_stub() -> StubGame:
    return StubGame()


@pytest.fixture
def tray() -> StubSimulator:
    return StubSimulator()


@pytest.fixture
def learning_stub() -> StubLearning:
    return StubLearning()


@pytest.fixture
def checks_stub() -> StubChecks:
    return StubChecks()


@pytest.fixture
def table_app(game_stub: StubGame, tray: StubSimulator, learning_stub: StubLearning, checks_stub: StubChecks) -> Flask:
    """The application over this test's services."""
    return lent_app(Backends(game_stub, tray, learning_stub, checks_stub, face_pictures=game_stub, stage=tray))


@pytest.fixture
def client(table_app: Flask) -> Any:
    return tablet(table_app)


@pytest.fixture
def bare_client(game_stub: StubGame) -> Any:
    """A table with a real tray, where no dice are taught and nothing is checked."""
    return tablet(create_app(Backends(game_stub)))


@pytest.fixture
def pairing(tmp_path: Path) -> Iterator[PairingService]:
    keeper = PairingService(tmp_path, names=["dice.example"])
    yield keeper
    keeper.close()


@pytest.fixture
def switch() -> PowerSwitch:
    return PowerSwitch()


@pytest.fixture
def app(
    game_stub: StubGame,
    tray: StubSimulator,
    learning_stub: StubLearning,
    checks_stub: StubChecks,
    pairing: PairingService,
    switch: PowerSwitch,
) -> Flask:
    chosen = (ListedSetting("port", "8080", "the port to serve on"),)
    return create_app(
        Backends(game_stub, tray, learning_stub, checks_stub, None, pairing, switch, chosen, stage=tray), stream_s=0.05
    )


@pytest.fixture
def watcher(app: Flask) -> Any:
    return from_elsewhere(app)


@pytest.fixture
def at_the_box(app: Flask) -> Any:
    return tablet(app)


@pytest.fixture
def keeper(app: Flask, pairing: PairingService) -> Any:
    client = from_elsewhere(app)
    join(client, pairing, "Kitchen")
    return client


@pytest.fixture
def player(app: Flask, keeper: Any, pairing: PairingService) -> Any:
    client = from_elsewhere(app)
    join(client, pairing, "Phone")
    return client


@pytest.fixture
def address(table_app: Flask) -> Iterator[str]:
    """Where a real server serves the application."""
    with served(table_app) as place:
        yield place


@pytest.fixture
def page(lent_tablets: Tablets, address: str) -> Iterator[Page]:
    """A tablet held upright, which fails the test when its script fails or calls another host."""
    with _watched(lent_tablets.page(address), address) as tablet:
        yield tablet


@pytest.fixture
def own_page(lent_tablets: Tablets, address: str) -> Iterator[Page]:
    """The same, closed after the test: for one that sets what a page keeps for good, like a script that runs first."""
    with _watched(lent_tablets.page(address, is_own=True), address) as tablet:
        yield tablet


@pytest.fixture
def new_page(chromium: Browser, address: str) -> Iterator[Page]:
    """The same of a tablet that was never here: for tests of what it loads, of its clock, and of a line that breaks."""
    context = chromium.new_context(
        viewport={"width": 768, "height": 1024}, has_touch=True, base_url=address, reduced_motion="reduce"
    )
    with _watched(context.new_page(), address) as tablet:
        yield tablet


@contextmanager
def _watched(page: Page, address: str) -> Iterator[Page]:
    page.context.set_default_timeout(PATIENCE_MS)
    stumbles: list[str] = []

    def note_error(error: Error) -> None:
        stumbles.append(str(error))

    def note_stranger(request: Request) -> None:
        if not request.url.startswith((address, "blob:")):
            stumbles.append(request.url)

    page.on("pageerror", note_error)
    page.on("request", note_stranger)
    yield page
    page.remove_listener("pageerror", note_error)
    page.remove_listener("request", note_stranger)
    leave(page)
    assert stumbles == []
