"""Manual entry, what the page says of the box, and a tablet that slept: in a real Chromium."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import scenes
from playwright.sync_api import Page, Route, expect
from stub_game import StubGame

from referee.sentences import Reason, Refused
from referee.snapshot import NoticeMood, TrayActivity

SIZES = [(1024, 768), (390, 844)]
GIVEN = ("go", "happy", "happy", "star", "three", "two")


def say(page: Page, *faces: str) -> None:
    for face in faces:
        page.locator(f'#dialog .palette [data-face="{face}"]').tap()


# The API


def test_the_throws_that_may_be_given_are_told_with_all_faces(game_stub: StubGame, client: Any) -> None:
    game_stub.show(scenes.BY_HAND)
    told = client.get("/api/by-hand").get_json()
    (throw,) = told["throws"]
    assert (throw["seats"], throw["verb"], throw["choice"]) == ([2], "roll", "")
    assert [die["kind"] for die in throw["dice"]] == ["signal", *["traffic"] * 5]
    assert {kind["kind"]: len(kind["faces"]) for kind in told["kinds"]} == {"traffic": 6, "signal": 3}
    assert told["step"] == "3.12"


def test_a_throw_that_several_may_make_is_told_once(game_stub: StubGame, client: Any) -> None:
    game_stub.show(replace(scenes.ANYBODY, manual_entry=True))
    throws = client.get("/api/by-hand").get_json()["throws"]
    assert [(throw["seats"], len(throw["dice"])) for throw in throws] == [([1, 2, 3], count) for count in range(1, 6)]


def test_while_the_camera_sees_the_tray_there_is_nothing_to_give(game_stub: StubGame, client: Any) -> None:
    game_stub.show(scenes.START)
    assert client.get("/api/by-hand").get_json()["throws"] == []
    game_stub.show(scenes.IDLE)
    assert client.get("/api/by-hand").get_json() == {"step": "", "throws": [], "kinds": []}


def test_dice_given_by_hand_reach_the_desk(game_stub: StubGame, client: Any) -> None:
    action = "2 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"
    assert client.post("/api/by-hand", json={"action": action}).status_code == 200
    assert game_stub.asked == [("by-hand", action)]


@pytest.mark.parametrize("address", ["/api/act", "/api/by-hand", "/api/undo"])
def test_what_an_old_page_offered_is_refused_kindly(address: str, game_stub: StubGame, client: Any) -> None:
    game_stub.show(scenes.BY_HAND)
    answer = client.post(address, json={"action": "2 end", "step": "3.11"})
    assert answer.status_code == 409
    assert "moved on" in answer.get_json()["error"]
    assert client.post(address, json={"action": "2 end", "step": "3.12"}).status_code == 200
    assert client.post(address, json={"action": "2 end", "step": 12}).status_code == 400
    assert len(game_stub.asked) == 1


def test_an_old_correction_and_an_old_set_up_are_refused_kindly(game_stub: StubGame, client: Any) -> None:
    game_stub.show(replace(scenes.START, step="3.12"))
    correction, game = {"die": 1, "face": "star"}, {"game": "intersection", "players": ["Ann"]}
    assert client.post("/api/correct", json={**correction, "step": "3.11"}).status_code == 409
    for step in ("0.0", "2.12"):
        assert client.post("/api/game", json={**game, "step": step}).status_code == 409
    assert game_stub.asked == []
    assert client.post("/api/correct", json={**correction, "step": "3.12"}).status_code == 200
    assert client.post("/api/game", json={**game, "step": "3.7"}).status_code == 200
    assert client.post("/api/game", json={**game, "step": 3}).status_code == 400


# The page


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_dice_are_given_by_hand_face_by_face(page: Page, game_stub: StubGame, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    game_stub.show(scenes.BY_HAND)
    page.goto("/")
    page.get_by_role("button", name="Give the dice by hand").tap()
    expect(page.locator("#dialog .slot.empty")).to_have_count(6)
    expect(page.get_by_role("button", name="These were thrown")).to_be_disabled()
    assert page.evaluate(TOO_SMALL) == []
    assert page.evaluate("document.getElementById('dialog').scrollWidth <= innerWidth")
    say(page, *GIVEN)
    expect(page.locator("#dialog .palette")).to_have_count(0)
    page.get_by_role("button", name="These were thrown").tap()
    given = "2 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"
    assert game_stub.wait_for_asked("by-hand", given)
    expect(page.locator("#dialog")).to_be_hidden()


TOO_SMALL = """[...document.querySelectorAll('#dialog button')].filter((one) => one.checkVisibility())
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 48 || box.height < 48).map(([text]) => text)"""


@pytest.mark.browser
def test_faces_that_are_refused_stay_and_the_wrong_one_is_tapped_and_given_anew(
    page: Page, game_stub: StubGame
) -> None:
    game_stub.show(scenes.BY_HAND)
    game_stub.refusal = Refused("There are only 5 Traffic dice, not 6.", Reason.CONFLICT, "I.1-1")
    page.goto("/")
    page.locator("#manual-entry").tap()
    say(page, *GIVEN)
    page.get_by_role("button", name="These were thrown").tap()
    expect(page.locator("#toast")).to_contain_text("There are only 5 Traffic dice, not 6.")
    game_stub.refusal = None
    page.get_by_role("button", name="Star. Tap to change").tap()
    expect(page.get_by_role("button", name="These were thrown")).to_be_disabled()
    say(page, "sad")
    page.get_by_role("button", name="These were thrown").tap()
    given = "2 roll signal:go traffic:happy traffic:happy traffic:sad traffic:three traffic:two"
    assert game_stub.wait_for_asked("by-hand", given)


@pytest.mark.browser
def test_where_several_throws_may_be_made_one_is_chosen_first_and_the_tablets_seat_throws(
    own_page: Page, game_stub: StubGame
) -> None:
    own_page.add_init_script("localStorage.setItem('vander.tablet', 'Bob')")
    game_stub.show(replace(scenes.ANYBODY, manual_entry=True))
    own_page.goto("/")
    own_page.locator("#manual-entry").tap()
    own_page.get_by_role("button", name="Throw 3 dice").tap()
    own_page.get_by_role("button", name="Another throw").tap()
    own_page.get_by_role("button", name="Throw 2 dice").tap()
    say(own_page, "two", "star")
    own_page.get_by_role("button", name="These were thrown").tap()
    assert game_stub.wait_for_asked("by-hand", "2 roll traffic:star traffic:two")


@pytest.mark.browser
def test_on_the_whole_tables_tablet_it_is_said_who_threw(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.ANYBODY, manual_entry=True))
    page.goto("/")
    page.locator("#manual-entry").tap()
    page.get_by_role("button", name="Throw 2 dice").tap()
    say(page, "two", "star")
    expect(page.get_by_role("button", name="These were thrown")).to_be_disabled()
    assert page.evaluate(TOO_SMALL) == []
    page.get_by_role("group", name="Who threw?").get_by_role("button", name="Cy").tap()
    page.get_by_role("button", name="These were thrown").tap()
    assert game_stub.wait_for_asked("by-hand", "3 roll traffic:star traffic:two")


@pytest.mark.browser
def test_a_correction_goes_when_its_die_is_thrown_anew(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PLAYING, step="3.12"))
    page.goto("/")
    page.locator('[data-die="2"]').tap()
    expect(page.locator("#dialog")).to_contain_text("What does this die show?")
    game_stub.show(replace(scenes.PLAYING, step="3.13"))
    expect(page.locator(f'#table[data-number="{game_stub.snapshot().number}"]')).to_be_attached()
    expect(page.locator("#dialog")).to_be_visible()
    thrown = tuple(replace(die, confidence=0.5) if die.number == 2 else die for die in scenes.PLAYING.dice)
    game_stub.show(replace(scenes.PLAYING, dice=thrown, step="3.14"))
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#toast")).to_contain_text("thrown or read again")


@pytest.mark.browser
def test_an_old_correction_is_answered_kindly(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PLAYING, step="3.12"))
    page.goto("/")
    page.locator('[data-die="2"]').tap()
    expect(page.locator('[data-face="star"]')).to_be_visible()  # the dialog is loaded at the first tap
    game_stub.show(replace(scenes.PLAYING, step="3.13"))
    expect(page.locator(f'#table[data-number="{game_stub.snapshot().number}"]')).to_be_attached()
    page.locator('[data-face="star"]').tap()
    expect(page.locator("#toast")).to_contain_text("The game has moved on")
    assert game_stub.asked == []


@pytest.mark.browser
def test_a_set_up_goes_when_another_game_has_begun(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PLAYING, step="3.12"))
    page.goto("/")
    page.locator("#new-game").tap()
    expect(page.locator("#setup .warn")).to_contain_text(f"A game is under way: {scenes.PLAYING.game.title}")
    game_stub.show(replace(scenes.PLAYING, step="3.13"))
    expect(page.locator(f'#table[data-number="{game_stub.snapshot().number}"]')).to_be_attached()
    expect(page.locator("#setup")).to_be_visible()
    game_stub.show(replace(scenes.PLAYING, step="4.0"))
    expect(page.locator("#setup")).to_be_hidden()
    expect(page.locator("#toast")).to_contain_text("Another game has begun meanwhile")


@pytest.mark.browser
def test_who_starts_a_game_is_not_told_that_another_one_has_begun(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.IDLE, step="0.0"))

    def answer_after_the_stream(route: Route) -> None:
        answer = route.fetch()
        game_stub.show(replace(scenes.PLAYING, step="1.0"))
        expect(page.locator(f'#table[data-number="{game_stub.snapshot().number}"]')).to_be_attached()
        route.fulfill(response=answer)

    page.route("**/api/game", answer_after_the_stream)
    page.goto("/")
    page.locator("#first-game").tap()
    page.locator("input.name").first.fill("Ann")
    page.locator("#start").tap()
    expect(page.locator("#setup")).to_be_hidden()
    assert "meanwhile" not in page.locator("#toast").inner_text()


@pytest.mark.browser
def test_an_older_snapshot_that_comes_late_changes_nothing(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.START, run="one"))
    page.goto("/")
    expect(page.locator("#turn h1")).to_have_text(scenes.BOB_ACTS)
    old = page.request.get("/api/snapshot").text()
    game_stub.show(replace(scenes.PLAYING, run="one"))
    expect(page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)
    page.route("**/api/snapshot", lambda route: route.fulfill(body=old, content_type="application/json"))
    with page.expect_response("**/api/snapshot"):
        page.evaluate("dispatchEvent(new Event('online'))")
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    expect(page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)


@pytest.mark.browser
def test_what_the_camera_sees_after_a_restart_is_filled_in(page: Page, game_stub: StubGame) -> None:
    seen = (*(scenes.die(number, face) for number, face in enumerate(GIVEN[1:], 1)), scenes.die(6, "go"))
    game_stub.show(replace(scenes.BY_HAND, mood=NoticeMood.CALM, camera_trouble="", dice=seen))
    page.goto("/")
    page.locator("#manual-entry").tap()
    expect(page.locator("#dialog .slot.empty")).to_have_count(0)
    expect(page.locator("#dialog")).to_contain_text("So the camera reads them.")
    page.get_by_role("button", name="These were thrown").tap()
    given = "2 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"
    assert game_stub.wait_for_asked("by-hand", given)


@pytest.mark.browser
def test_when_something_else_happens_meanwhile_the_faces_are_asked_anew(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.BY_HAND)
    page.goto("/")
    page.locator("#manual-entry").tap()
    say(page, *GIVEN[:3])
    game_stub.show(replace(scenes.BY_HAND, tray=TrayActivity.UNSEEN))
    expect(page.locator(f'#table[data-number="{game_stub.snapshot().number}"]')).to_be_attached()
    expect(page.locator("#dialog .slot.empty")).to_have_count(3)
    game_stub.show(replace(scenes.BY_HAND, step="3.13"))
    expect(page.locator("#dialog .slot.empty")).to_have_count(6)
    game_stub.show(scenes.START)
    expect(page.locator("#dialog")).to_be_hidden()


@pytest.mark.browser
def test_what_worries_the_box_and_what_stands_after_a_restart_are_said_above_the_table(
    page: Page, game_stub: StubGame
) -> None:
    game_stub.show(scenes.WOKEN)
    page.goto("/")
    expect(page.locator("#restarted")).to_contain_text("Vander was started again. The game goes on.")
    expect(page.locator(".banner.worry")).to_have_count(2)
    expect(page.locator(".banner.worry").first).to_contain_text("use the Pi's own supply")
    expect(page.locator("#turn .facts")).to_have_count(0)
    game_stub.show(scenes.PLAYING)
    expect(page.locator("#restarted, .banner.worry, #manual-entry")).to_have_count(0)


@pytest.mark.browser
def test_a_picture_that_gave_way_is_said_to_be_no_longer_kept(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.BREACH, evidence="game-1-entry-2"))
    page.goto("/")
    expect(page.locator("#ruling .gone")).to_have_text("The picture is no longer kept.")
    expect(page.locator("#ruling img")).to_have_count(0)


# A tablet that slept


@pytest.mark.browser
def test_a_tablet_that_slept_for_an_hour_shows_what_is_now_and_hears_again(new_page: Page, game_stub: StubGame) -> None:
    new_page.clock.install()
    new_page.goto("/")
    expect(new_page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)
    new_page.route("**/api/*", lambda route: None)  # the line is dead, and nobody says so
    new_page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    game_stub.show(scenes.START)
    new_page.clock.fast_forward("01:00:00")
    expect(new_page.locator("#table")).to_have_attribute("inert", "")
    expect(new_page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)
    new_page.unroute_all()
    with new_page.expect_request("**/api/live"):
        new_page.clock.fast_forward("01:00:00")
    expect(new_page.locator("#turn h1")).to_have_text(scenes.BOB_ACTS)
    expect(new_page.locator("#table")).not_to_have_attribute("inert", "")
    game_stub.show(scenes.PLAYING)
    expect(new_page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)
    expect(new_page.locator("#line-lost")).to_have_count(0)


@pytest.mark.browser
def test_until_a_woken_tablet_has_heard_from_the_table_nothing_can_be_tapped(
    new_page: Page, game_stub: StubGame
) -> None:
    new_page.clock.install()
    new_page.goto("/")
    end = new_page.get_by_role("button", name="End the turn")
    expect(end).to_be_visible()
    new_page.context.set_offline(True)
    new_page.evaluate("document.dispatchEvent(new Event('resume'))")
    expect(new_page.locator("#table")).to_have_attribute("inert", "")
    new_page.clock.fast_forward(3000)
    expect(new_page.locator("#line-lost")).to_be_visible()
    game_stub.show(scenes.START)
    new_page.context.set_offline(False)
    expect(new_page.locator("#turn h1")).to_have_text(scenes.BOB_ACTS)
    expect(new_page.locator("#table")).not_to_have_attribute("inert", "")
    assert game_stub.asked == []


@pytest.mark.browser
def test_the_answer_of_a_table_that_was_started_again_is_shown_though_its_count_is_lower(
    page: Page, game_stub: StubGame
) -> None:
    game_stub.show(scenes.BY_HAND)
    page.goto("/")
    expect(page.locator("#turn h1")).to_have_text(scenes.BOB_ACTS)
    again = replace(scenes.PLAYING, number=1, run="two")
    page.route("**/api/snapshot", lambda route: route.abort())
    page.route("**/api/live", lambda route: route.abort())
    game_stub.start_again(again)
    page.locator("#undo").tap()
    page.locator("#sure").tap()
    expect(page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)


@pytest.mark.browser
def test_a_tap_on_what_was_offered_before_is_answered_kindly(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PLAYING, step="3.12"))
    page.goto("/")
    page.get_by_role("button", name="Turn lost?").tap()
    page.get_by_role("button", name="Give up the turn").tap()
    expect(page.locator("#sure")).to_be_visible()
    game_stub.show(replace(scenes.PLAYING, step="3.13"))
    expect(page.locator(f'#table[data-number="{game_stub.snapshot().number}"]')).to_be_attached()
    page.locator("#sure").tap()
    expect(page.locator("#toast")).to_contain_text("The game has moved on")
    assert game_stub.asked == []


# A table where all places to listen are taken


@pytest.mark.browser
def test_a_tablet_without_a_place_to_listen_follows_the_table_by_asking(page: Page, game_stub: StubGame) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.route(
        "**/api/live", lambda route: route.fulfill(status=503, json={"error": "Too many tablets are listening."})
    )
    page.goto("/")
    for scene, title in ((scenes.PLAYING, scenes.ANN_ACTS), (scenes.START, scenes.BOB_ACTS)):
        game_stub.show(scene)
        expect(page.locator("#turn h1")).to_have_text(title)
        expect(page.locator("#line-lost")).to_have_count(0)
    assert asked.count("live") > 1, "it tries again to listen"
