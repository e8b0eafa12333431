"""A past throw on the table page, in a real Chromium: its film, another face, and what would follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from browsers import served
from playwright.sync_api import Page, expect
from test_whole_screens import resize

from hardware.cameras.base import CameraReport, CameraStatus
from models import die_sets
from referee.games import games
from vander.app.backends import Backends
from vander.app.film_recorder import RecordedPicture, ThrowChallenges, film_of
from vander.app.web_app import create_app
from vander.storage.evidence_store import EvidenceStore, FilmStore
from vander.storage.journal_store import Journal
from vander.table.pictures import FilmedRuling
from vander.table.session import Session, open_session
from vision.frame_reader import CutPlace
from vision.image_io import encode_jpeg

pytestmark = pytest.mark.browser


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Ann has thrown 4 points and taken them, without a camera."""
    with closing(Journal.in_folder(tmp_path)) as journal:
        evidence = EvidenceStore(tmp_path / "evidence")
        session = open_session(journal, evidence, games=games(), dice=die_sets.load("toss-up"))
        session.report_camera(CameraReport(CameraStatus.LOST, "There is no camera."))
        session.start("toss-up", ["Ann", "Bob"], {}, starter=1)
        session.by_hand(f"1 roll {'tossup:green ' * 4}{'tossup:yellow ' * 6}".strip())
        session.act("1 end")
        yield session


@pytest.fixture
def address(session: Session, tmp_path: Path) -> Iterator[str]:
    store = FilmStore(tmp_path / "films", 5)
    with served(create_app(Backends(session, challenges=ThrowChallenges(session, store)))) as address:
        yield address


def test_a_past_throw_is_opened_tried_with_another_face_and_corrected(
    page: Page, session: Session, address: str
) -> None:
    page.goto(address)
    page.locator("#open-done").click()
    page.locator("#last button").first.click()
    expect(page.locator(".no-film")).to_have_text("The dice were given by hand: there is no film.")
    expect(page.locator(".challenged-die")).to_have_count(10)
    page.locator(".challenged-die").last.click()
    page.locator('.face-choice[data-face="green"]').click()
    expect(page.locator(".what-if-scores tr.changed")).to_have_count(1)
    expect(page.locator(".what-if-scores tr.changed")).to_contain_text("+1")
    expect(page.locator(".consequences li")).to_have_count(2)
    page.locator("#take").click()
    expect(page.locator("#dialog")).not_to_be_visible()
    expect(page.locator('.player[data-seat="1"] .score')).to_have_text("5")
    match = session.state.match
    assert match is not None
    assert [str(entry.deed) for entry in match.entries[-2:]] == ["challenge", "correct"]


def test_a_film_is_played_and_stepped_through(page: Page, address: str) -> None:
    """The page's own player, on a film that the recorder's format holds."""
    film = film_of(FilmedRuling("game-1-entry-1", ""), [grey_picture(number) for number in range(10)], 0)
    page.route("**/api/challenge?*", lambda route: route.fulfill(json=SHEET))
    page.route("**/api/films/film", lambda route: route.fulfill(body=film, content_type="application/octet-stream"))
    page.goto(address)
    page.locator("#open-done").click()
    page.locator("#last button").first.click()
    screen = page.locator(".film-picture")
    expect(screen).to_have_attribute("data-place", "9")
    page.locator(".film-back").click()
    expect(screen).to_have_attribute("data-place", "8")
    page.locator(".film input").fill("0")
    expect(screen).to_have_attribute("data-place", "0")
    page.locator(".film-play").click()
    expect(screen).to_have_attribute("data-place", "9")
    expect(page.locator(".film-play")).to_have_text("Play")


def test_the_way_back_from_a_dies_faces_is_in_sight(page: Page, address: str) -> None:
    film = film_of(FilmedRuling("game-1-entry-1", ""), [grey_picture(number) for number in range(3)], 0)
    faces = [{"face": f"digit-{number}", "title": str(number)} for number in range(1, 21)]
    die = {"place": 0, "face": "digit-1", "title": "1", "faces": faces, "crop": "", "ring": None, "handled": ""}
    sheet = {**SHEET, "dice": [{**die, "confidence": 0.9, "read": "1", "runners_up": []}]}
    page.route("**/api/challenge?*", lambda route: route.fulfill(json=sheet))
    page.route("**/api/films/film", lambda route: route.fulfill(body=film, content_type="application/octet-stream"))
    page.goto(address)
    page.locator("#open-done").click()
    page.locator("#last button").first.click()
    page.locator(".challenged-die").click()
    for size in ((1024, 768), (390, 844)):
        resize(page, size)
        expect(page.locator("#dialog").get_by_role("button", name="Back", exact=True)).to_be_in_viewport(ratio=1)


def grey_picture(number: int) -> RecordedPicture:
    jpeg = encode_jpeg(np.full((90, 120, 3), 20 * number, np.uint8))
    return RecordedPicture(5 + number / 10, at_rest=number == 0, jpeg=jpeg, place=CutPlace(0, 0, 120, 90))


SHEET = {
    "entry": 2,
    "action": "1 roll tossup:green",
    "step": "1.3",
    "calls": [{"sentence": "Ann rolls.", "rule": "T.2-1"}],
    "film": "/api/films/film",
    "film_note": "",
    "evidence": "game-1-entry-2",
    "dice": [],
}
