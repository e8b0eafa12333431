"""The doctor's page in a real Chromium, and its addresses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import served
from playwright.sync_api import Page, expect
from stub_diagnostics import LOST_GAMES, NO_CAMERA, WELL, StubDiagnostics
from stub_game import StubGame
from test_whole_screens import resize

from referee.sentences import Reason, Refused
from vander.app.backends import Backends
from vander.app.web_app import create_app

MARK = {"X-Vander": "tablet"}


@pytest.fixture
def doctor() -> StubDiagnostics:
    return StubDiagnostics()


@pytest.fixture
def client(game_stub: StubGame, doctor: StubDiagnostics) -> Any:
    return create_app(Backends(game_stub, diagnostics=doctor)).test_client()


@pytest.fixture
def address(game_stub: StubGame, doctor: StubDiagnostics) -> Iterator[str]:
    """Where a real server serves the doctor's page."""
    with served(create_app(Backends(game_stub, diagnostics=doctor), heartbeat_s=0.1)) as place:
        yield place


def test_the_findings_are_told_as_they_are(client: Any) -> None:
    told = client.get("/api/doctor").get_json()["findings"]
    assert [found["verdict"] for found in told] == ["good", "unsure", "bad"]
    assert told[2] == {
        "name": "power",
        "title": "Power supply",
        "verdict": "bad",
        "told": "The voltage is too low just now.",
        "advice": "Use the Raspberry Pi's own supply.",
        "acceptable": False,
        "measured": "",
        "place": [],
    }


@pytest.mark.parametrize("pictures", [True, False])
def test_a_pack_is_a_file_to_keep_with_pictures_only_where_they_are_allowed(
    client: Any, doctor: StubDiagnostics, pictures: bool
) -> None:
    answer = client.post("/api/doctor/pack", json={"pictures": pictures}, headers=MARK)
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "application/zip", b"PK a zip")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="vander-support.zip"'
    assert doctor.packs == [pictures]


@pytest.mark.parametrize("body", [{}, {"pictures": "yes"}, {"pictures": 1}, {"pictures": None}])
def test_without_a_clear_word_on_pictures_nothing_is_packed(
    client: Any, doctor: StubDiagnostics, body: dict[str, object]
) -> None:
    answer = client.post("/api/doctor/pack", json=body, headers=MARK)
    assert answer.status_code == 400
    assert "'pictures' as true or false" in answer.get_json()["error"]
    assert doctor.packs == []


@pytest.mark.parametrize("path", ["/doctor", "/api/doctor"])
def test_a_table_without_a_doctor_says_so(game_stub: StubGame, path: str) -> None:
    answer = create_app(Backends(game_stub)).test_client().get(path)
    assert answer.status_code == 404
    assert "Nobody examines this box." in answer.get_data(as_text=True)


@pytest.mark.browser
def test_what_is_bad_comes_first_and_what_is_good_is_folded_small(page: Page) -> None:
    page.goto("/doctor")
    expect(page.locator("#summary h1")).to_have_text("1 thing must be mended, 1 thing could be better.")
    expect(page.locator(".finding h2")).to_contain_text(["Power supply", "Light", "Camera"])
    expect(page.locator('[data-name="power"] .advice')).to_have_text("Use the Raspberry Pi's own supply.")
    camera = page.locator('[data-name="camera"]')
    expect(camera).to_be_hidden()
    page.get_by_text("1 thing is well").tap()
    expect(camera).to_be_visible()


def test_a_loss_is_accepted_by_request(client: Any, doctor: StubDiagnostics) -> None:
    doctor.found = LOST_GAMES
    answer = client.post("/api/doctor/accept", json={}, headers=MARK)
    assert answer.status_code == 200
    assert [found["verdict"] for found in answer.get_json()["findings"]] == ["good"] * 3


@pytest.mark.browser
def test_a_keeper_accepts_after_a_question_that_games_are_lost(page: Page, doctor: StubDiagnostics) -> None:
    doctor.found = LOST_GAMES
    page.goto("/doctor")
    expect(page.locator('[data-name="journal"]')).to_contain_text("lacks 21 games that were played here.")
    expect(page.get_by_role("button", name="Accept the loss")).to_have_count(1)
    page.get_by_role("button", name="Accept the loss").tap()
    expect(page.locator("#dialog")).to_contain_text("Their numbers are not given again.")
    assert doctor.found is LOST_GAMES
    page.locator("#dialog").get_by_role("button", name="Accept the loss").tap()
    expect(page.locator("#summary h1")).to_have_text("All is well.")
    expect(page.locator("#dialog")).to_be_hidden()


@pytest.mark.browser
def test_a_loss_that_cannot_be_accepted_says_why(page: Page, doctor: StubDiagnostics) -> None:
    doctor.found, doctor.refusal = LOST_GAMES, Refused("The card is full.", Reason.UNAVAILABLE)
    page.goto("/doctor")
    page.get_by_role("button", name="Accept the loss").tap()
    page.locator("#dialog").get_by_role("button", name="Accept the loss").tap()
    expect(page.locator("#toast")).to_contain_text("The card is full.")
    expect(page.locator('[data-name="journal"]')).to_be_visible()


@pytest.mark.browser
def test_a_slow_examination_is_waited_for_for_a_minute(own_page: Page, doctor: StubDiagnostics) -> None:
    own_page.add_init_script(
        "window.waited = []; const timeout = AbortSignal.timeout.bind(AbortSignal);"
        "AbortSignal.timeout = (ms) => { window.waited.push(ms); return timeout(ms); };"
    )
    own_page.goto("/doctor")
    expect(own_page.locator("#summary h1")).to_contain_text("must be mended")
    assert doctor.looks == 1
    assert own_page.evaluate("window.waited.includes(60000)")


@pytest.mark.browser
def test_looking_again_finds_what_was_mended(page: Page, doctor: StubDiagnostics) -> None:
    page.goto("/doctor")
    expect(page.locator('[data-name="power"]')).to_be_visible()
    doctor.found = WELL
    page.get_by_role("button", name="Look again").tap()
    expect(page.locator("#summary h1")).to_have_text("All is well.")
    expect(page.locator(".finding")).to_have_count(3)
    expect(page.locator('[data-name="focus"]')).to_be_visible()
    assert doctor.looks == 2


@pytest.mark.browser
def test_the_camera_is_adjusted_where_it_is_set_up(page: Page) -> None:
    page.goto("/doctor")
    page.get_by_role("link", name="Adjust the camera").tap()
    expect(page.locator("#next-thing h1")).to_have_text("All is well.")


@pytest.mark.browser
def test_pictures_are_packed_only_after_a_word(page: Page, doctor: StubDiagnostics, tmp_path: Path) -> None:
    page.goto("/doctor")
    pictures = page.locator("#with-pictures")
    expect(pictures).to_have_attribute("aria-checked", "false")
    for allowed in (False, True):
        with page.expect_download() as loading:
            page.locator("#make-bundle").tap()
        assert loading.value.suggested_filename == "vander-support.zip"
        loading.value.save_as(tmp_path / "pack.zip")
        assert (tmp_path / "pack.zip").read_bytes() == b"PK a zip"
        assert doctor.packs[-1] is allowed
        pictures.tap()


@pytest.mark.browser
def test_a_pack_that_is_refused_is_said(page: Page, doctor: StubDiagnostics) -> None:
    doctor.refusal = Refused("There is no room for it.", Reason.CONFLICT)
    page.goto("/doctor")
    page.locator("#make-bundle").tap()
    expect(page.locator("#toast")).to_contain_text("There is no room for it.")
    expect(page.locator("#make-bundle")).to_be_enabled()


@pytest.mark.browser
def test_the_page_fits_the_tablet_and_the_phone(page: Page, doctor: StubDiagnostics) -> None:
    doctor.found = NO_CAMERA
    page.goto("/doctor")
    expect(page.locator("#summary h1")).to_have_text("1 thing must be mended.")
    for size in ((1024, 768), (390, 844)):
        resize(page, size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
