"""What a first visit of the table page transfers, as Chromium counts it: headers and bodies as they are on the wire."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from browsers import served
from game_phases import GAMES, phases
from playwright.sync_api import Browser, CDPSession, Page, expect
from stub_game import StubGame, StubSimulator
from stub_learning import StubChecks, StubLearning

from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.languages import COOKIE

MOST = 90_000
"""Bytes of the whole page without pictures of dice and without the live stream."""
MOST_SCRIPTS = 10
"""Files of scripts: over HTTP/1.1 each six of them cost a slow phone one more round."""
PICTURES = ("/pictures/", "/faces/", "/tray.jpg", "/view.jpg")
LIVE = "/api/live"


@dataclass
class Transfers:
    """The bytes that came from each address."""

    paths: dict[str, str] = field(default_factory=dict)
    received: dict[str, int] = field(default_factory=dict)

    def follow(self, session: CDPSession) -> None:
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._loaded)
        session.send("Network.enable")

    def _asked(self, event: dict[str, object]) -> None:
        request = event["request"]
        assert isinstance(request, dict)
        self.paths[str(event["requestId"])] = urlsplit(request["url"]).path

    def _loaded(self, event: dict[str, object]) -> None:
        path = self.paths[str(event["requestId"])]
        length = event["encodedDataLength"]
        assert isinstance(length, int | float)
        self.received[path] = self.received.get(path, 0) + int(length)

    @property
    def counted(self) -> dict[str, int]:
        """The bytes of all but pictures of dice and the live stream."""
        return {
            path: length for path, length in self.received.items() if not path.startswith(PICTURES) and path != LIVE
        }


@pytest.fixture
def table(game_stub: StubGame, tray: StubSimulator, pairing: PairingService) -> Iterator[str]:
    """Where a table with everything is served: virtual tray, learning, checks, paired tablets."""
    services = Backends(
        game_stub, tray, StubLearning(), StubChecks(), access=pairing, face_pictures=game_stub, stage=tray
    )
    with served(create_app(services, heartbeat_s=0.1)) as place:
        yield place


@pytest.fixture
def fresh_page(chromium: Browser, table: str) -> Iterator[Page]:
    """A tablet that has never been here."""
    context = chromium.new_context(viewport={"width": 1024, "height": 768}, has_touch=True, base_url=table)
    yield context.new_page()
    context.close()


def first_visit(page: Page) -> dict[str, int]:
    """Open the table and return the bytes that came from each address until nothing more is loaded."""
    transfers = Transfers()
    transfers.follow(page.context.new_cdp_session(page))
    page.goto("/", wait_until="load")
    expect(page.locator("#turn h1")).to_be_visible()
    page.wait_for_timeout(700)
    return transfers.counted


@pytest.mark.browser
@pytest.mark.parametrize("name", GAMES)
def test_the_first_visit_of_a_running_game_is_light(name: str, fresh_page: Page, game_stub: StubGame) -> None:
    game_stub.show(phases(name)["choice"])
    received = first_visit(fresh_page)
    heaviest = sorted(received.items(), key=lambda each: -each[1])
    print(f"{name}: {sum(received.values())} bytes in {len(received)} answers")
    assert sum(path.endswith(".js") for path in received) < MOST_SCRIPTS, sorted(received)
    assert sum(received.values()) < MOST, heaviest[:12]


@pytest.mark.browser
def test_the_first_visit_in_german_is_as_light(fresh_page: Page, table: str, game_stub: StubGame) -> None:
    fresh_page.context.add_cookies([{"name": COOKIE, "value": "de", "url": table}])
    game_stub.show(phases("rollers")["choice"])
    received = first_visit(fresh_page)
    print(f"rollers in German: {sum(received.values())} bytes in {len(received)} answers")
    expect(fresh_page.locator("html")).to_have_attribute("lang", "de")
    assert sum(received.values()) < MOST


@pytest.mark.browser
def test_a_face_without_a_picture_leaves_the_console_clean(fresh_page: Page, game_stub: StubGame) -> None:
    said: list[str] = []
    answers: list[tuple[str, int]] = []
    fresh_page.on("console", lambda message: said.append(message.text))
    fresh_page.on("response", lambda response: answers.append((urlsplit(response.url).path, response.status)))
    game_stub.show(phases("rollers")["late"])
    first_visit(fresh_page)
    assert {status for path, status in answers if path.startswith("/faces/")} == {204}
    assert [answer for answer in answers if answer[1] >= 400] == []
    assert said == []
    assert fresh_page.locator(".board-die .drawing svg").count() > 0
