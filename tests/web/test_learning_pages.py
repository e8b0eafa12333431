"""The pages of teaching and the check card in a real Chromium."""

from __future__ import annotations

from dataclasses import replace

import pytest
import scenes
from playwright.sync_api import Page, expect
from stub_game import StubGame
from stub_learning import MEASURED, StubChecks, StubLearning, waits

from web.schemas.learning_schemas import Choices, NewKind

pytestmark = pytest.mark.browser

SIZES = [(768, 1024), (1024, 768), (390, 844)]
CHECKED = replace(scenes.PLAYING, number=30, check=12)


def test_known_dice_are_two_taps_from_the_box_to_their_capture(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/box")
    page.locator("#to-dice").tap()
    page.get_by_label("Capture Intersection").tap()
    expect(page.locator("#guidance")).to_have_text("Lay the dice with Happy upward.")
    assert learning_stub.asked == [("sit", "intersection", "", "")]


def test_on_a_phone_the_heading_is_there_once(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/dice")
    expect(page.locator("h1")).to_be_visible()
    expect(page.get_by_text("Your dice", exact=True).locator("visible=true")).to_have_count(1)


def test_the_dice_are_shown_with_what_they_lack(page: Page) -> None:
    page.goto("/dice")
    moon = page.locator('.set[data-dice="moon"]')
    expect(moon).to_contain_text("Read as it came")
    expect(moon).to_contain_text("not taught yet")
    expect(moon).to_contain_text("42 pictures, enough for 3 of 6 faces")
    expect(moon.locator("img")).to_have_count(5)
    expect(page.locator('.set[data-dice="intersection"]')).to_contain_text("Lesson 2 in use")
    expect(page.locator('.set[data-dice="twenties"] .further')).to_have_text("+14")


def test_new_dice_are_made_and_shown_to_the_camera_at_once(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice")
    page.locator("#new-dice").tap()
    expect(page.locator(".face-title")).to_have_count(6)
    page.get_by_label("What are they called?").fill("Star dice")
    page.get_by_label("Face 2", exact=True).fill("Comet")
    page.get_by_label("One face fewer").tap()
    page.locator("#add-kind").tap()
    page.locator('.new-kind[data-kind="1"] [data-fill="12"]').tap()
    expect(page.get_by_label("Face 2", exact=True).first).to_have_value("Comet")
    page.locator("#make").tap()
    expect(page.locator("h1")).to_have_text("Face 1 (Die)")
    kinds = (
        NewKind("Die", ("Face 1", "Comet", "Face 3", "Face 4", "Face 5"), 1),
        NewKind("Die 2", tuple(str(number) for number in range(1, 13)), 1),
    )
    assert learning_stub.asked == [("make", "Star dice", kinds), ("sit", "star-dice", "", "")]


def test_no_kind_takes_more_faces_than_twenty(page: Page) -> None:
    page.goto("/dice")
    page.locator("#new-dice").tap()
    page.locator('[data-fill="20"]').tap()
    expect(page.locator(".face-title")).to_have_count(20)
    expect(page.get_by_label("One face more")).to_be_disabled()


@pytest.mark.parametrize(
    ("label", "typed", "says"),
    [
        ("What are they called?", " ", "Give the dice a name."),
        ("The kind of die", "", "Give every kind of die a name."),
        ("How many", "0", "a whole number from 1"),
        ("Face 3", "face 1", "Two faces are called face 1"),
    ],
)
def test_new_dice_that_make_no_sense_are_turned_down_in_a_sentence(
    page: Page, learning_stub: StubLearning, label: str, typed: str, says: str
) -> None:
    page.goto("/dice")
    page.locator("#new-dice").tap()
    page.get_by_label("What are they called?").fill("Star dice")
    page.get_by_label(label, exact=True).fill(typed)
    page.locator("#make").tap()
    expect(page.locator("#new-problem")).to_contain_text(says)
    assert learning_stub.asked == []


def test_a_name_that_is_taken_is_said_above_the_buttons(page: Page) -> None:
    page.goto("/dice")
    page.locator("#new-dice").tap()
    page.get_by_label("What are they called?").fill("Moon")
    page.locator("#make").tap()
    expect(page.locator("#new-problem")).to_contain_text("There are dice called Moon already")


def test_what_the_table_keeps_and_asks_is_chosen_by_tap(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice")
    keep = page.locator("#keep-play")
    expect(keep).to_have_attribute("aria-checked", "false")
    expect(page.locator("#preferences")).to_contain_text("Nothing leaves the box.")
    keep.tap()
    expect(keep).to_have_attribute("aria-checked", "true")
    page.locator('[data-rate="0"]').tap()
    expect(page.locator("#preferences")).to_contain_text("No throw is asked about")
    page.locator("#quota").select_option("2000")
    assert learning_stub.wait_for_asked("choose", Choices(True, 2000, 0))


def test_the_certificate_says_how_sure_it_is(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice")
    expect(page.locator("#accuracy")).to_contain_text("No throw has been checked yet.")
    learning_stub.measured = MEASURED
    page.reload()
    expect(page.locator("#accuracy")).to_contain_text("398 of 400 dice read right")
    expect(page.locator("#accuracy")).to_contain_text("That is 98.2 to 99.9 % in 19 of 20 such tables.")
    expect(page.locator("#accuracy")).to_contain_text("it asked about 31 of 1340 dice (1.6 to 3.3 %)")
    expect(page.locator("#accuracy")).to_contain_text("4 of 1340 were corrected (0.3 %); that alone is no measure")


def test_trouble_with_the_pictures_is_said_first(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice")
    expect(page.locator(".set")).to_have_count(3)
    expect(page.locator("#trouble")).to_be_hidden()
    learning_stub.trouble = "The disk is full: pictures from play are not kept."
    page.reload()
    expect(page.locator("#trouble")).to_have_text(learning_stub.trouble)


def test_more_doubtful_pictures_than_are_shown_are_told_of(page: Page, learning_stub: StubLearning) -> None:
    learning_stub.waiting = [waits(number, (("moon", 0.4), ("owl", 0.3))) for number in range(75)]
    page.goto("/dice/queue")
    expect(page.locator(".tile")).to_have_count(60)
    expect(page.locator("#filter")).to_contain_text("Of 75 that wait these come first, the most doubtful.")


def test_a_capture_that_goes_on_is_said_and_can_be_ended(page: Page, learning_stub: StubLearning) -> None:
    learning_stub.start_capture("moon")
    page.goto("/dice")
    expect(page.locator("#running-capture")).to_contain_text("Moon dice is being captured")
    page.locator("#end-capture").tap()
    expect(page.locator("#running-capture")).to_be_hidden()
    assert learning_stub.now is None


def test_teaching_shows_what_to_expect_of_the_lesson(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon")
    expect(page.locator("#state")).to_contain_text("There are pictures to learn from.")
    expect(page.locator("#lesson")).to_contain_text("Nothing has been learned yet")
    page.locator("#teach").tap()
    expect(page.locator("#toast")).to_contain_text("Lesson 1 is learned and in use.")
    lesson = page.locator("#lesson")
    expect(lesson).to_contain_text("99.5 % read right of the dice it is sure of")
    expect(lesson).to_contain_text("398 of 400; 98.2 to 99.9 %")
    expect(lesson).to_contain_text("each sitting read with what the others taught")
    expect(page.locator("#state")).to_contain_text("Lesson 1 is in use, and nothing new to learn.")
    assert learning_stub.asked == [("teach", "moon")]


def test_a_face_shows_its_meters_and_leads_to_its_pictures(page: Page) -> None:
    page.goto("/dice/moon")
    card = page.locator('.face-card[data-face="crescent"]')
    expect(card).to_contain_text("7 of 10 pictures")
    expect(card).to_contain_text("Turn the dice between pictures.")
    expect(page.locator('.face-card[data-face="moon"]')).to_contain_text("enough")
    widths = card.locator(".varieties .filled").evaluate_all("bars => bars.map((bar) => bar.style.width)")
    assert widths == ["70%", "63%", "35%"]
    card.get_by_label("Pictures of Crescent").tap()
    expect(page.locator(".tile")).to_have_count(7)


def test_faces_that_look_alike_are_made_one_or_shown_again(page: Page, learning_stub: StubLearning) -> None:
    learning_stub.teach("moon")
    page.goto("/dice/moon")
    pair = page.locator(".confused.alike")
    expect(pair).to_contain_text("Moon and Crescent look alike")
    expect(pair.locator("img")).to_have_count(5)
    again = pair.get_by_text("Show both again")
    expect(again).to_have_attribute("href", "/dice/moon/capture?kind=die&face=moon&also=crescent")
    pair.locator(".merge").tap()
    page.get_by_role("button", name="No, go back").tap()
    pair.locator(".merge").tap()
    page.locator("#sure").tap()
    expect(page.locator(".face-card")).to_have_count(5)
    assert learning_stub.asked == [("teach", "moon"), ("merge", "moon", "die", "moon", "crescent")]


def test_a_suspect_is_confirmed_moved_or_given_another_face(page: Page, learning_stub: StubLearning) -> None:
    learning_stub.teach("moon")
    page.goto("/dice/moon")
    moon = page.locator('.suspect[data-picture="c-moon-3"]')
    expect(moon).to_contain_text("Said to be Moon, looks like Crescent.")
    moon.get_by_role("button", name="It is Moon").tap()
    assert learning_stub.wait_for_asked("label", ("c-moon-3",), "die", "moon")
    moon.get_by_role("button", name="Move to Crescent").tap()
    assert learning_stub.wait_for_asked("label", ("c-moon-3",), "die", "crescent")
    page.locator('.suspect[data-picture="c-sun-4"]').get_by_role("button", name="Another").tap()
    page.locator('#dialog [data-face="owl"]').tap()
    assert learning_stub.wait_for_asked("label", ("c-sun-4",), "die", "owl")


def test_an_earlier_lesson_and_the_reader_as_it_came_can_be_gone_back_to(
    page: Page, learning_stub: StubLearning
) -> None:
    page.goto("/dice/intersection")
    expect(page.locator(".versions .now")).to_contain_text("Lesson 2")
    page.locator('[data-version="1"]').tap()
    expect(page.locator(".versions .now")).to_contain_text("Lesson 1")
    page.locator('[data-version="0"]').tap()
    expect(page.locator(".versions .now")).to_contain_text("As it came")
    expect(page.locator("#delete")).to_have_count(0)
    assert learning_stub.asked == [("go_back", "intersection", 1), ("go_back", "intersection", 0)]


def test_deleting_dice_is_asked_twice(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon")
    page.locator("#delete").tap()
    page.locator("#sure").tap()
    expect(page.locator("#dialog-title")).to_have_text("Really delete everything?")
    assert learning_stub.asked == []
    page.locator("#sure").tap()
    expect(page.locator(".set")).to_have_count(2)
    assert learning_stub.asked == [("drop", "moon")]


def test_many_pictures_are_chosen_by_tap_and_moved_at_once(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon/pictures?kind=die&face=moon")
    expect(page.locator(".tile")).to_have_count(10)
    for picture in ("c-moon-9", "c-moon-7"):
        page.locator(f'[data-picture="{picture}"] .pick').tap()
    expect(page.locator("#chosen")).to_contain_text("2 chosen")
    page.locator('#chosen [data-face="sun"]').tap()
    expect(page.locator(".tile")).to_have_count(8)
    expect(page.locator("#chosen")).to_be_hidden()
    assert learning_stub.asked == [("label", ("c-moon-9", "c-moon-7"), "die", "sun")]


def test_pictures_are_chosen_by_a_stroke_across_them_and_thrown_away(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/moon/pictures?kind=die&face=owl")
    expect(page.locator(".tile .pick")).to_have_count(3)
    boxes = [tile.bounding_box() for tile in page.locator(".tile .pick").all()]
    places = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()
    expect(page.locator('.pick[aria-pressed="true"]')).to_have_count(3)
    page.locator("#discard").click()
    page.locator("#sure").click()
    expect(page.locator("#grid")).to_have_text("There are no pictures here yet.")
    assert learning_stub.asked == [("discard", ("c-owl-2", "c-owl-1", "c-owl-0"))]


def test_all_are_chosen_by_one_tap_and_let_go_by_another(page: Page) -> None:
    page.goto("/dice/moon/pictures")
    page.locator("#all").tap()
    expect(page.locator("#chosen")).to_contain_text("42 chosen")
    page.locator("#none").tap()
    expect(page.locator('.pick[aria-pressed="true"]')).to_have_count(0)


def test_a_doubtful_picture_is_labelled_by_one_tap(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice")
    page.get_by_text("9 doubtful pictures wait for a name").tap()
    expect(page.locator(".tile")).to_have_count(8)
    tile = page.locator(".tile").first
    expect(tile.locator(".suggestions button")).to_have_text(["Moon34 %", "Owl21 %", "Sun9 %"])
    tile.get_by_role("button", name="Owl").tap()
    expect(page.locator(".tile")).to_have_count(7)
    assert learning_stub.asked == [("label", ("q-moon-0",), "die", "owl")]


def test_many_doubtful_pictures_are_labelled_at_once(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice/queue")
    page.locator("#all").tap()
    page.locator('#chosen [data-face="comet"]').tap()
    expect(page.locator("h1")).to_have_text("1 doubtful picture")
    assert len(learning_stub.waiting) == 1
    page.locator('.suggestions [data-face="slow"]').tap()
    expect(page.locator("h1")).to_have_text("Nothing waits for a name")


def test_the_queue_shows_one_die_set_at_a_time(page: Page) -> None:
    page.goto("/dice/queue")
    page.locator(".pick").first.tap()
    page.get_by_role("button", name="Intersection").tap()
    expect(page.locator(".tile")).to_have_count(1)
    expect(page.locator("#chosen")).to_be_hidden()
    page.locator(".pick").tap()
    expect(page.locator("#chosen .face-button")).to_have_count(9)


def test_a_check_waits_beside_the_game_and_is_answered_by_one_tap(
    page: Page, game_stub: StubGame, checks_stub: StubChecks
) -> None:
    game_stub.show(CHECKED)
    page.goto("/")
    expect(page.locator("#check")).to_contain_text("Is this right?")
    expect(page.locator("#check img")).to_have_count(0)  # the dice are marked where they are shown
    expect(page.locator('#dice [data-check="asked"]')).to_have_count(3)
    expect(page.locator("#facts .facts")).not_to_contain_text("check")
    expect(page.locator("#ruling .card")).to_be_visible()
    page.get_by_role("button", name="End the turn").tap()
    assert game_stub.wait_for_asked("act", "1 end")
    page.locator("#all-right").tap()
    expect(page.locator("#check")).to_be_hidden()
    assert checks_stub.asked == [(12, {})]


def test_a_wrong_die_of_a_check_is_tapped_and_given_its_face(
    page: Page, game_stub: StubGame, checks_stub: StubChecks
) -> None:
    game_stub.show(CHECKED)
    page.goto("/")
    page.locator("#one-wrong").tap()
    expect(page.locator("#send-check")).to_be_disabled()
    expect(page.locator('#dice [data-check="open"]')).to_have_count(3)
    page.locator('#dice [data-die="3"]').tap()
    expect(page.locator("#dialog .face-choice")).to_have_count(6)
    page.locator('#dialog [data-face="star"]').tap()
    expect(page.locator('#check [data-die="3"]')).to_contain_text("Star")
    expect(page.locator('#dice [data-die="3"]')).to_have_attribute("data-check", "wrong")
    page.locator("#send-check").tap()
    expect(page.locator("#check")).to_be_hidden()
    assert checks_stub.asked == [(12, {3: "star"})]


def test_a_check_moves_nothing_on_the_page(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(CHECKED, check=None))
    page.goto("/")
    expect(page.locator('#dice [data-die="3"]')).to_be_visible()
    places = "all => all.map(die => JSON.stringify(die.getBoundingClientRect()))"
    before = page.locator("#dice [data-die]").evaluate_all(places)
    game_stub.show(CHECKED)
    expect(page.locator('#dice [data-check="asked"]')).to_have_count(3)
    assert page.locator("#dice [data-die]").evaluate_all(places) == before
    game_stub.show(replace(CHECKED, check=None))
    expect(page.locator("#dice [data-check]")).to_have_count(0)


def test_a_check_that_is_over_goes_away_by_itself(page: Page, game_stub: StubGame) -> None:
    game_stub.show(CHECKED)
    page.goto("/")
    expect(page.locator("#check")).to_contain_text("Is this right?")
    game_stub.show(replace(CHECKED, check=None))
    expect(page.locator("#check")).to_be_hidden()


def test_titles_never_become_markup(page: Page, learning_stub: StubLearning) -> None:
    learning_stub.make_die_set("<img/src=x>", [NewKind("<b>Die</b>", ("<i>A</i>",))])
    page.goto("/dice")
    expect(page.locator(".set h2").last).to_have_text("<img/src=x>")


ADDRESSES = {
    "/": ".check",
    "/dice": ".lines",
    "/dice/moon": ".confused",
    "/dice/twenties": ".face-card",
    "/dice/moon/capture": ".chip",
    "/dice/twenties/capture": ".chip",
    "/dice/moon/pictures": ".tile",
    "/dice/queue": ".tile",
}


def test_every_page_fits_its_screen_and_every_target_its_finger(
    page: Page, game_stub: StubGame, learning_stub: StubLearning
) -> None:
    learning_stub.measured = MEASURED
    learning_stub.teach("moon")
    game_stub.show(CHECKED)
    for address, there in ADDRESSES.items():
        page.goto(address)
        expect(page.locator(there).first).to_be_visible()
        assert_fits(page, address)
    page.locator("#all").tap()
    assert_fits(page, "queue, all chosen")
    page.goto("/dice")
    page.locator("#new-dice").tap()
    page.locator("#add-kind").tap()
    assert_fits(page, "new dice")


def assert_fits(page: Page, where: str) -> None:
    """Fail where the page is wider than a screen, or a target smaller than a finger."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (where, width)
        assert page.evaluate(_SMALL) == [], (where, width)


_SMALL = """[...document.querySelectorAll('button, a, summary, select, input')].filter((one) => one.checkVisibility())
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
    .map(([text, box]) => `${text} ${box.width}x${box.height}`)"""


def test_what_play_taught_is_shown_mended_switched_off_and_forgotten(page: Page, learning_stub: StubLearning) -> None:
    page.goto("/dice")
    expect(page.locator('.set[data-dice="moon"]')).to_contain_text("31 answers learned in play")
    expect(page.locator('.set[data-dice="moon"]')).to_contain_text("2 look wrong")
    page.goto("/dice/moon")
    played = page.locator("#played")
    expect(played.locator(".gain")).to_contain_text("9 of 60 last dice asked about")
    expect(played.locator(".gain")).to_contain_text("at first 31 of 60")
    expect(played.locator('[data-face="sun"]')).to_have_attribute("aria-label", "Sun: 7 answers")
    wrong = played.locator('[data-die="20261122T150000-1-3-12"]')
    expect(wrong).to_contain_text("This looks like the others called Comet.")
    expect(wrong).to_contain_text("Throw 12")
    wrong.locator(".mend").tap()
    expect(played.locator(".suspect")).to_have_count(1)
    played.locator(".keep").tap()
    expect(played.locator(".suspect")).to_have_count(0)
    played.locator("#learn-in-play").tap()
    expect(played.locator("#learn-in-play")).to_have_attribute("aria-checked", "false")
    played.locator("#forget-play").tap()
    page.get_by_role("button", name="No, go back").tap()
    played.locator("#forget-play").tap()
    page.locator("#sure").tap()
    expect(played.locator("#forget-play")).to_have_count(0)
    assert learning_stub.asked == [
        ("label_played", "moon", "20261122T150000-1-3-12", "die", "comet"),
        ("label_played", "moon", "20261122T150000-1-5-14", "die", "sun"),
        ("learning", "moon", False),
        ("forget", "moon"),
    ]
