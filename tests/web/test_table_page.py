"""The table page in a real Chromium: what a snapshot shows, and what a tap sends."""

from __future__ import annotations

from dataclasses import replace

import pytest
import scenes
from game_phases import phases
from playwright.sync_api import Page, expect
from stub_game import StubGame
from stub_learning import StubLearning
from test_whole_screens import resize

from hardware.cameras.phone import NOT_YET
from referee.calls import Call
from referee.sentences import Reason, Refused
from referee.snapshot import Snapshot, TrayActivity

pytestmark = pytest.mark.browser

SIZES = [(768, 1024), (1024, 768), (390, 844)]
NAMES = "IDLE START LEFT MANY SHEETS DECKS FACTS TWELVE LOTS ANYBODY"
SCENES = {name: getattr(scenes, name) for name in NAMES.split()}


def open_drawer(page: Page) -> None:
    """Open what was done, where also the rarer things stand."""
    page.locator("#open-done").tap()
    expect(page.locator("#done")).to_be_visible()


def test_the_table_shows_players_turn_ruling_and_dice(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)
    expect(page.locator(".player.active")).to_contain_text("1250")
    expect(page.locator(".gained strong")).to_have_text("+250")
    expect(page.locator("#ruling .calls li").last).to_have_text("Ann parked two happies and a star for 250. Why?")
    expect(page.locator(".zone.aside .die")).to_have_count(3)
    expect(page.locator(".die.doubtful")).to_have_count(1)
    expect(page.locator("#last li").first).to_have_text("Ann parked happy, happy, star")


def test_a_new_snapshot_changes_the_page_without_a_tap(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    expect(page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)
    game_stub.show(scenes.START)
    expect(page.locator("#turn h1")).to_have_text(scenes.BOB_ACTS)
    game_stub.show(scenes.TROUBLE)
    expect(page.locator("#camera-trouble")).to_contain_text("Something covers the lens")
    game_stub.show(scenes.START)
    expect(page.locator("#camera-trouble")).to_have_count(0)


def test_a_tray_that_is_lent_is_taken_back_from_the_table(
    page: Page, game_stub: StubGame, learning_stub: StubLearning
) -> None:
    learning_stub.start_capture("moon")
    page.goto("/")
    expect(page.locator("#take-tray-back")).to_have_count(0)
    game_stub.show(replace(scenes.TROUBLE, camera_trouble="The tray is lent.", lent=True))
    page.get_by_role("button", name="Play on now").tap()
    assert learning_stub.wait_for_asked("rise")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 768)])
def test_a_game_that_waits_for_a_phone_shows_the_code_to_scan(
    page: Page, game_stub: StubGame, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto("/")
    game_stub.show(replace(scenes.TROUBLE, camera="phone", camera_trouble=NOT_YET))
    button = page.get_by_role("button", name="Show the code")
    expect(button).to_be_visible()
    assert button.evaluate("(one) => one.scrollHeight <= one.clientHeight")
    button.tap()
    expect(page.locator("#dialog .qr")).to_have_attribute("src", "/camera.svg")
    page.get_by_role("button", name="Close").tap()
    game_stub.show(replace(scenes.TROUBLE, camera="usb:0"))
    expect(button).to_have_count(0)


def test_a_tray_that_is_lent_covers_nothing_of_a_page_without_a_game(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    game_stub.show(replace(scenes.IDLE, camera_trouble="The tray is lent: the moon dice are captured.", lent=True))
    banner = page.locator("#banners .banner")
    expect(banner).to_be_visible()
    for size in [(390, 844), (1024, 768)]:
        resize(page, size)
        lent, welcome = banner.bounding_box(), page.locator(".welcome").bounding_box()
        assert lent
        assert welcome
        assert lent["y"] + lent["height"] <= welcome["y"]
        assert lent["width"] > size[0] * 0.9
        expect(page.locator("#first-game")).to_be_in_viewport(ratio=1)


def test_what_was_done_besides_playing_stands_on_the_page_with_device_and_both_faces(
    page: Page, game_stub: StubGame
) -> None:
    page.goto("/")
    expect(page.locator("#interventions li")).to_have_count(0)
    game_stub.show(scenes.INTERVENED)
    lines = page.locator("#interventions li")
    expect(lines).to_have_count(3)
    expect(lines.first).to_contain_text("Corrected: Happy, not Sad.")
    expect(lines.first.locator(".who")).to_have_text("Ann\u2019s phone")
    expect(lines.first.locator(".change svg")).to_have_count(2)
    expect(lines.nth(1).locator(".who")).to_have_text("Seen by the camera")
    newest = replace(scenes.INTERVENED.interventions[0], number=15)
    game_stub.show(replace(phases("toss-up")["over"], interventions=(newest,)))
    expect(page.locator("#told.up")).to_be_visible()
    expect(page.locator(".winner")).to_be_visible()
    told, winner = (page.locator(part).bounding_box() for part in ("#told", "#turn"))
    assert told
    assert winner
    assert told["y"] + told["height"] <= winner["y"]  # who has won is covered by nothing


def test_a_long_answer_is_told_within_its_place(page: Page, game_stub: StubGame) -> None:
    resize(page, (768, 1024))
    page.goto("/")
    game_stub.show(scenes.INTERVENED)
    expect(page.locator("#interventions li")).to_have_count(3)
    steps = "discard card 9 (3 + 6), and so on to discard card 11 (1 + 4 + 6), then take the risk with 5 dice"
    long = f"The dice were thrown more than once. Was it all this: {steps}? D{steps[1:]}"
    newest = replace(scenes.INTERVENED.interventions[0], number=15, sentence=long)
    game_stub.show(replace(scenes.INTERVENED, interventions=(newest,)))
    told = page.locator("#told.up")
    expect(told).to_have_text(long)
    assert told.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")
    assert float(told.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom")) >= 12


def test_a_corrected_face_looks_unlike_a_read_one_by_a_symbol_and_a_word(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    game_stub.show(scenes.INTERVENED)
    corrected, read = page.locator('.die[data-die="3"]'), page.locator('.die[data-die="4"]')
    expect(corrected.locator(".mark-word")).to_have_text("corrected")
    expect(corrected.locator(".mark-symbol")).to_have_count(1)
    expect(corrected).to_have_accessible_name("Happy, corrected. Tap to correct.")
    expect(corrected.locator(".meter")).to_have_count(0)
    expect(read.locator(".mark-word, .mark-symbol")).to_have_count(0)
    expect(read.locator(".meter")).to_have_count(1)


def test_a_change_that_waits_for_another_seat_is_confirmed_or_declined_with_one_tap(
    page: Page, game_stub: StubGame
) -> None:
    page.goto("/")
    game_stub.show(scenes.UNCONFIRMED)
    card = page.locator("#unconfirmed")
    expect(card).to_contain_text("Ann\u2019s phone asks another seat")
    expect(card).to_contain_text("Correct a die: Happy, not Sad.")
    page.get_by_role("button", name="Yes, so it was").tap()
    assert game_stub.wait_for_asked("confirm", 12, True, True)
    page.get_by_role("button", name="No", exact=True).tap()
    assert game_stub.wait_for_asked("confirm", 12, False, True)


def test_on_a_phone_a_change_that_waits_is_no_larger_than_its_words(page: Page, game_stub: StubGame) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    game_stub.show(replace(scenes.UNCONFIRMED, boards=()))
    card = page.locator("#unconfirmed")
    expect(card).to_contain_text("Correct a die: Happy, not Sad.")
    expect(page.locator("#table.no-boards")).to_be_visible()
    inner = "(one) => one.getBoundingClientRect().height - one.firstElementChild.getBoundingClientRect().height"
    assert card.evaluate(inner) < 8


def test_a_tapped_offer_is_told_to_the_desk(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    page.get_by_role("button", name="End the turn and take 250").tap()
    assert game_stub.wait_for_asked("act", "1 end")


def test_while_nothing_can_be_kept_the_largest_line_says_so_and_no_throw_is_asked_for(
    page: Page, game_stub: StubGame
) -> None:
    page.goto("/")
    expect(page.locator("#offers .throws")).to_have_count(1)
    game_stub.show(scenes.UNSAVED)
    expect(page.locator(".card.unsaved .notice")).to_contain_text("Do not throw yet: 2 throws")
    expect(page.locator("#offers .throws")).to_have_count(0)
    expect(page.locator("#turn h1")).to_have_text("Ann\u2019s turn")
    game_stub.show(replace(scenes.PLAYING, number=scenes.UNSAVED.number + 1))
    expect(page.locator("#offers .throws")).to_have_count(1)
    expect(page.locator(".card.unsaved")).to_have_count(0)


def test_a_throw_is_a_sentence_and_no_button(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#offers .throws li")).to_have_text("Play on: roll the two dice on the field")
    expect(page.get_by_role("button", name="Play on")).to_have_count(0)


def test_giving_up_is_asked_twice(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    page.get_by_role("button", name="Turn lost?").tap()
    page.get_by_role("button", name="Give up the turn").tap()
    page.get_by_role("button", name="No, go back").tap()
    expect(page.locator("#dialog")).to_be_hidden()
    assert game_stub.asked == []
    page.get_by_role("button", name="Turn lost?").tap()
    page.get_by_role("button", name="Give up the turn").tap()
    page.locator("#sure").tap()
    assert game_stub.wait_for_asked("act", "1 give-up")


def test_what_throws_something_away_is_asked_twice_and_says_what(page: Page, game_stub: StubGame) -> None:
    done = replace(scenes.tap("1 end", "Done", usual=1), loses="You can still complete Skee Ball.")
    game_stub.show(replace(scenes.PLAYING, offers=(done,)))
    page.goto("/")
    page.locator("#offers .next button").tap()
    expect(page.locator("#dialog")).to_contain_text("You can still complete Skee Ball.")
    assert game_stub.asked == []
    page.locator("#sure").tap()
    assert game_stub.wait_for_asked("act", "1 end")


def test_a_tap_on_a_die_corrects_its_face(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    page.locator('[data-die="2"]').tap()
    expect(page.locator("#dialog")).to_contain_text("The referee reads: Four, 71 % sure.")
    expect(page.locator(".face-choice")).to_have_count(6)
    page.locator('[data-face="star"]').tap()
    assert game_stub.wait_for_asked("correct", 2, "star")
    expect(page.locator("#dialog")).to_be_hidden()


def test_a_die_of_another_kind_is_said_to_be_one_before_its_face(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    page.locator('[data-die="2"]').tap()
    expect(page.locator('[data-face="go"]')).to_have_count(0)
    page.locator('#dialog [data-kind="signal"]').locator("visible=true").last.tap()
    page.locator('[data-face="go"]').tap()
    assert game_stub.wait_for_asked("correct", 2, "go")


def test_a_question_about_a_face_cannot_be_missed_and_is_answered_by_tap(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.DOUBT)
    page.goto("/")
    expect(page.locator("#question")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#question")).to_be_visible()
    page.locator('#question [data-face="four"]').tap()
    assert game_stub.wait_for_asked("answer", 7, "four")


def test_dice_that_look_alike_are_answered_with_one_tap(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.ALIKE)
    page.goto("/")
    expect(page.locator("#question-title")).to_have_text("These three: all sad?")
    expect(page.locator("#question .asked-dice img")).to_have_count(3)
    page.locator('#question [data-face="sad"]').tap()
    assert game_stub.wait_for_asked("answer", 41, "sad")


def test_dice_that_do_not_all_show_the_same_are_opened_one_by_one(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.ALIKE)
    page.goto("/")
    page.locator('#question [data-answer="not-all"]').tap()
    assert game_stub.wait_for_asked("answer", 41, "not-all")


def test_a_face_that_is_not_among_the_likely_ones_is_shown_on_request(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.ALIKE)
    page.goto("/")
    expect(page.locator('#question [data-face="four"]')).to_be_hidden()
    page.locator("#other-faces").tap()
    page.locator('#question [data-face="four"]').tap()
    assert game_stub.wait_for_asked("answer", 41, "four")


def test_a_face_is_shown_by_the_tables_own_picture_once_there_is_one(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.ALIKE)
    page.goto("/")
    picture = page.locator('#question [data-face="sad"] img')
    expect(picture).to_have_attribute("src", "/faces/intersection/traffic/sad.jpg")
    expect(page.locator('#question [data-face="happy"] img')).to_have_count(0)
    expect(page.locator('#question [data-face="happy"] svg')).to_be_visible()


def test_the_die_of_a_kind_is_chosen_by_its_picture(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.WHICH)
    page.goto("/")
    expect(page.locator("#question .tile:visible img")).to_have_count(4)
    page.get_by_role("button", name="Another die").tap()
    expect(page.locator("#question .tile:visible img")).to_have_count(6)
    expect(page.locator('#question [data-answer="none"]')).to_be_visible()
    page.locator('#question [data-answer="5"]').tap()
    assert game_stub.wait_for_asked("answer", 43, "5")


@pytest.mark.parametrize("scene", [scenes.DOUBT, scenes.ALIKE, scenes.WHICH], ids=["one", "alike", "which"])
def test_a_question_fits_on_the_screen_with_tiles_for_a_finger(
    scene: Snapshot, page: Page, game_stub: StubGame
) -> None:
    game_stub.show(scene)
    page.goto("/")
    expect(page.locator("#question")).to_be_visible()
    for size in [(1024, 768), (390, 844), (1920, 1080)]:
        resize(page, size)
        assert not page.locator("#question").evaluate("all => all.scrollHeight > all.clientHeight"), size
        boxes = [tile.bounding_box() for tile in page.locator("#question button:visible").all()]
        assert all(box and box["width"] >= 48 and box["height"] >= 48 for box in boxes), size


def test_a_leaning_die_has_a_ring_and_is_not_asked_about(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.LEANING)
    page.goto("/")
    expect(page.get_by_text(scenes.LEANING.notice)).to_be_visible()
    assert [die.get_attribute("data-die") for die in page.locator(".die.leaning").all()] == ["4", "5"]
    expect(page.locator(".die.leaning .posture")).to_have_text(["leaning", "on another die"])
    expect(page.locator(".question-mark")).to_have_count(0)
    expect(page.get_by_role("button", name="Two, leaning. Tap to correct.")).to_be_visible()


def test_a_die_that_was_taken_for_another_kind_is_corrected(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.SAME_FACES)
    page.goto("/")
    page.locator('[data-die="1"]').tap()
    page.get_by_role("button", name="It is a Black die").tap()
    assert game_stub.wait_for_asked("correct", 1, "pip-2", "rollers-black")


def test_a_question_laid_aside_waits_in_a_banner_and_goes_when_it_is_settled(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.WAYS)
    page.goto("/")
    page.locator("#later").tap()
    expect(page.locator("#question")).to_be_hidden()
    page.locator("#ask-again").tap()
    page.get_by_role("button", name="Rolled the two dice of the field").tap()
    assert game_stub.wait_for_asked("answer", 8, "2")
    game_stub.show(scenes.PLAYING)
    expect(page.locator("#question")).to_be_hidden()
    expect(page.locator("#ask-again")).to_have_count(0)


def test_a_breach_stands_with_its_rule_and_its_picture(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.BREACH)
    page.goto("/")
    expect(page.locator("#ruling .breach")).to_contain_text("only the two on the field may be rolled. Why?")
    page.locator(".evidence").tap()
    expect(page.locator("#dialog img.large")).to_be_visible()
    assert page.locator("#dialog img.large").evaluate("image => image.decode().then(() => image.naturalWidth)") == 640


def test_a_question_after_a_breach_says_what_was_wrong(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.BREACH, questions=scenes.WAYS.questions))
    page.goto("/")
    expect(page.locator("#question .why")).to_have_text(scenes.BREACH.notice)


def test_a_calm_notice_stands_at_the_head_of_the_turn_instead_of_what_was_to_be_done(
    page: Page, game_stub: StubGame
) -> None:
    page.goto("/")
    game_stub.show(replace(scenes.PLAYING, number=scenes.PLAYING.number + 1, notice="Ann: keep 500 or play on?"))
    expect(page.locator("#turn h1")).to_have_text("Ann: keep 500 or play on?")
    expect(page.locator(".notice")).to_have_count(0)


def test_taking_back_says_what_and_tells_the_desk(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    page.locator("#undo").tap()
    expect(page.locator("#dialog")).to_contain_text("Ann parks happy, happy and star.")
    page.locator("#sure").tap()
    assert game_stub.wait_for_asked("undo")


def test_somebody_leaves_is_skipped_or_threw_for_nothing(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.LEFT)
    page.goto("/")
    open_drawer(page)
    page.locator("#agree").tap()
    expect(page.locator("#dialog .option-button")).to_have_text(
        ["This throw does not count", "Skip Ann", "Ann leaves the game", "Bob leaves the game"]
    )
    page.locator("#void").tap()
    expect(page.locator("#dialog")).to_contain_text("Ann rolled happy, happy, star, two, four")
    page.locator("#sure").tap()
    assert game_stub.wait_for_asked("void")
    page.locator("#agree").tap()
    page.get_by_role("button", name="Bob leaves the game").tap()
    page.locator("#sure").tap()
    assert game_stub.wait_for_asked("act", "2 quit")


def test_who_has_left_is_marked_and_is_not_the_best(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.LEFT)
    page.goto("/")
    expect(page.locator(".player.gone")).to_have_text("Cy left1700")
    expect(page.locator(".score.best")).to_have_text("1250")


def test_who_begins_is_chosen_by_name(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.IDLE)
    page.goto("/")
    page.locator("#first-game").tap()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Bob")
    page.locator("#who-begins").focus()
    page.locator("#who-begins").select_option(label="Bob")
    page.locator("#start").tap()
    options = {"parked-happy": "either", "below-300": "refused"}
    assert game_stub.wait_for_asked("start", "intersection", ("Ann", "Bob"), options, "", 2)


def test_a_game_is_set_up_with_players_and_house_rules(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.IDLE)
    page.goto("/")
    page.locator("#first-game").tap()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Bob")
    page.locator("#add-player").tap()
    page.get_by_label("Player 3", exact=True).fill("Cy")
    page.get_by_label("Remove player 2").tap()
    page.get_by_text("House rules").tap()
    page.get_by_text("the turn may end and records nothing").tap()
    page.locator("#start").tap()
    options = {"parked-happy": "either", "below-300": "nothing"}
    assert game_stub.wait_for_asked("start", "intersection", ("Ann", "Cy"), options, "")
    expect(page.locator("#setup")).to_be_hidden()


def test_house_rules_stay_chosen_when_a_player_is_added(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.IDLE)
    page.goto("/")
    page.locator("#first-game").tap()
    page.get_by_text("House rules").tap()
    page.get_by_text("the turn may end and records nothing").tap()
    page.locator("#add-player").tap()
    expect(page.get_by_text("the turn may end and records nothing")).to_be_visible()
    page.locator("#start").tap()
    options = {"parked-happy": "either", "below-300": "nothing"}
    assert game_stub.wait_for_asked("start", "intersection", ("Player 1", "Player 2", "Player 3"), options, "")


def test_a_game_that_takes_any_dice_asks_which(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.IDLE)
    page.goto("/")
    page.locator("#first-game").tap()
    expect(page.locator("#which-dice")).to_have_count(0)
    page.get_by_text("Plain dice").tap()
    page.locator("#which-dice").select_option("rollers")
    page.get_by_label("Remove player 2").tap()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.locator("#start").tap()
    assert game_stub.wait_for_asked("start", "dice", ("Ann",), {}, "rollers")


def test_a_game_takes_as_many_players_as_it_says(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.IDLE)
    page.goto("/")
    page.locator("#first-game").tap()
    page.get_by_text("Plain dice").tap()
    for _ in range(10):
        page.locator("#add-player").tap()
    expect(page.locator("input.name")).to_have_count(12)
    expect(page.locator("#add-player")).to_have_count(0)


def test_a_row_of_a_sheet_opens_what_may_be_done_with_it(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.SHEETS)
    page.goto("/")
    page.locator('[data-board="1"] [data-row="stall-2"]').tap()
    expect(page.locator("#dialog h2")).to_have_text("Stall 2")
    expect(page.locator("#dialog .facts")).to_contain_text("11 or more")
    page.locator("#dialog").get_by_role("button", name="Price 4").tap()
    assert game_stub.wait_for_asked("act", "1 price =stall-2/4")
    expect(page.locator("#dialog")).to_be_hidden()


def test_that_rows_may_be_tapped_is_said_where_no_button_says_it(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.SHEETS)
    page.goto("/")
    expect(page.locator("#offers .more")).to_have_text("Tap an underlined row to do something with it.")
    game_stub.show(replace(scenes.SHEETS, offers=scenes.SHEETS.offers[:7]))
    expect(page.locator("#offers .more")).to_be_visible()
    expect(page.locator("#offers .taps button")).to_have_count(0)
    game_stub.show(replace(scenes.SHEETS, offers=scenes.SHEETS.offers[:6]))
    expect(page.locator("#offers .more")).to_have_count(0)
    expect(page.locator("#offers button")).to_contain_text(["Price 1", "Price 2", "More (4)"])
    page.locator(".more-offers").tap()
    expect(page.locator("#dialog .option-button")).to_have_text([f"Ann: Price {price}" for price in range(3, 7)])
    page.get_by_role("button", name="Close").tap()
    game_stub.show(scenes.DECKS)
    expect(page.locator("#offers .more")).to_have_count(0)
    game_stub.show(replace(scenes.SHEETS, offers=scenes.SHEETS.offers[-3:]))
    expect(page.locator("#offers .more")).to_have_count(0)


def test_a_row_with_nothing_more_to_do_closes_its_sheet(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.SHEETS)
    page.goto("/")
    page.locator('[data-board="1"] [data-row="stall-2"]').tap()
    expect(page.locator("#dialog .option-button")).to_have_count(6)
    game_stub.show(replace(scenes.SHEETS, offers=scenes.SHEETS.offers[:8]))
    expect(page.locator("#dialog .option-button")).to_have_count(2)
    game_stub.show(replace(scenes.SHEETS, offers=()))
    expect(page.locator("#dialog")).to_be_hidden()


def test_without_a_seat_a_tablet_brings_any_players_sheet_to_the_front(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.SHEETS)
    page.goto("/")
    expect(page.locator("#boards h2")).to_have_text(["The fair", "Ann's stalls", "Ann's day"])
    expect(page.locator("#offers .taps button")).to_contain_text(["Ann is ready"])
    page.locator("#players").get_by_role("button", name="Show Bob\u2019s sheet").tap()
    expect(page.locator("#boards h2")).to_have_text(["The fair", "Bob's stalls", "Bob's day"])
    page.get_by_role("button", name="Bob is ready").tap()
    assert game_stub.wait_for_asked("act", "2 ready")


def test_a_tablet_with_a_seat_shows_its_own_sheet_and_offers_and_keeps_the_seat(
    page: Page, game_stub: StubGame
) -> None:
    game_stub.show(scenes.SHEETS)
    page.goto("/")
    page.locator("#menu").tap()
    page.locator("#own-seat").select_option("Cy")
    page.locator("#menu").tap()
    expect(page.locator("#boards h2")).to_have_text(["The fair", "Cy's stalls", "Cy's day"])
    expect(page.locator("#offers button")).to_have_text(["Cy is ready"])
    page.reload()
    expect(page.locator("#offers button")).to_have_text(["Cy is ready"])
    page.locator("#players").get_by_role("button", name="Show Ann\u2019s sheet").tap()
    expect(page.locator("#boards h2").nth(1)).to_have_text("Ann's stalls")
    expect(page.locator("#offers button")).to_have_text(["Cy is ready"])
    game_stub.show(scenes.PLAYING)
    expect(page.locator("#offers .none")).to_have_text("Ann: to act.")
    page.locator("#menu").tap()
    page.locator("#own-seat").select_option("")
    expect(page.locator("#offers button")).to_have_count(3)


def test_what_others_do_does_not_redraw_the_sheet_under_a_finger(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.SHEETS)
    page.goto("/")
    row = page.locator('[data-board="1"] [data-row="stall-1"]')
    row.evaluate("button => (button.held = true)")
    game_stub.show(replace(scenes.SHEETS, offers=tuple(o for o in scenes.SHEETS.offers if o.action.player != 2)))
    expect(page.locator(f'#table[data-number="{game_stub.snapshot().number}"]')).to_be_attached()
    assert row.evaluate("button => button.held") is True


def test_a_seat_that_does_not_play_now_is_the_whole_tables_tablet(own_page: Page, game_stub: StubGame) -> None:
    own_page.add_init_script("localStorage.setItem('vander.tablet', 'Zoe')")
    game_stub.show(scenes.SHEETS)
    own_page.goto("/")
    expect(own_page.locator("#offers .taps button")).to_contain_text(["Ann is ready"])


def test_where_several_may_act_each_ones_buttons_stand_under_the_name(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.DECKS)
    page.goto("/")
    expect(page.locator("#turn h1")).to_have_text("Bob\u2019s turn")
    expect(page.locator("#offers .taps small")).to_have_text(["Bob", "Ann"])
    expect(page.locator("#boards h2")).to_have_text(["Tray", "Bob's deck"])
    expect(page.locator(".player .glance")).to_have_text(["3", "1"])
    page.locator("#players").get_by_role("button", name="Show Ann\u2019s sheet").tap()
    expect(page.locator('tr[data-mark="blocked"]')).to_contain_text("Bob")


def test_an_action_that_waits_is_shown_to_all(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.DECKS)
    page.goto("/")
    expect(page.locator(".notice")).to_have_text("Ann may put the disk on Bob's deck.")
    expect(page.locator("#facts .facts")).to_have_text("WaitsDiscard card 7")
    page.locator("#undo").tap()
    expect(page.locator("#dialog")).to_contain_text("It still waits: Discard card 7.")


def test_a_fact_is_a_word_even_where_a_face_is_called_so(page: Page, game_stub: StubGame) -> None:
    middle, *others = scenes.DECKS.boards
    waiting = replace(scenes.DECKS.waiting, title="Stop")
    named_like_a_face = (replace(middle, facts=(("Started by", "Star"),)), *others)
    game_stub.show(replace(scenes.DECKS, boards=named_like_a_face, waiting=waiting))
    page.goto("/")
    expect(page.locator("#facts .facts dd")).to_have_text("Stop")
    expect(page.locator("#boards .facts dd").first).to_have_text("Star")
    expect(page.locator(".facts svg")).to_have_count(0)


def test_what_little_the_others_boards_hold_stands_with_their_scores(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.FACTS)
    page.goto("/")
    expect(page.locator("#boards .board")).to_have_count(1)
    expect(page.locator("#boards .facts")).to_have_text("Come inyesTurns1")
    expect(page.locator(".player .glance")).to_have_text(["yes2", "yes3"])


def test_that_the_dice_move_moves_nothing_on_the_page(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    expect(page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)
    before = page.locator("#offers").bounding_box()
    for tray, sentence in (
        (TrayActivity.MOVING, "The dice are moving"),
        (TrayActivity.HAND_IN, "A hand is in the tray"),
    ):
        game_stub.show(replace(scenes.PLAYING, tray=tray))
        expect(page.locator("#stillness")).to_have_text(sentence)
        assert page.locator("#offers").bounding_box() == before
    game_stub.show(replace(scenes.PLAYING, tray=TrayActivity.AT_REST))
    expect(page.locator("#stillness")).to_be_hidden()


def test_chances_are_shown_when_asked(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    page.locator("#chances").tap()
    expect(page.locator(".chances li")).to_have_count(3)
    expect(page.locator(".chances .advised")).to_contain_text("Worth on average when played on")
    expect(page.locator(".chances strong")).to_have_text(["22.2 %", "312 points", "7.76 turns"])
    page.get_by_role("button", name="Close").tap()
    expect(page.locator("#dialog")).to_be_hidden()


def test_chances_that_are_being_worked_out_are_asked_for_again_until_they_are_there(
    page: Page, game_stub: StubGame
) -> None:
    game_stub.odds_ready.clear()
    page.goto("/")
    with page.expect_response(lambda answer: answer.url.endswith("/api/odds") and answer.status == 503):
        page.locator("#chances").tap()
    expect(page.locator("#under-way")).to_have_text("Working them out …")
    with page.expect_response("**/api/odds"):
        pass  # the page asks again by itself
    game_stub.odds_ready.set()
    expect(page.locator(".chances li")).to_have_count(3)
    expect(page.locator("#under-way")).to_have_count(0)


def test_chances_that_cannot_be_worked_out_say_so_and_close(page: Page, game_stub: StubGame) -> None:
    game_stub.odds_ready.clear()
    page.goto("/")
    page.locator("#chances").tap()
    expect(page.locator("#under-way")).to_be_visible()
    game_stub.odds_wait_s = None
    expect(page.locator("#dialog")).to_be_hidden()
    expect(page.locator("#toast")).to_contain_text("worked out")


def test_a_game_without_odds_offers_none(page: Page, game_stub: StubGame) -> None:
    game_stub.show(replace(scenes.PLAYING, game=scenes.GAMES[1]))
    page.goto("/")
    expect(page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)
    expect(page.locator("#chances")).to_be_hidden()


def test_two_players_of_one_name_are_refused_before_the_desk_is_asked(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    page.locator("#new-game").tap()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("ann")
    page.locator("#start").tap()
    expect(page.locator("#setup-problem")).to_contain_text("same name")
    assert game_stub.asked == []


def test_a_refusal_is_shown_as_a_sentence_with_its_rule(page: Page, game_stub: StubGame) -> None:
    game_stub.refusal = Refused("The signal shows slow, so the turn cannot end.", Reason.CONFLICT, "I.2-15")
    page.goto("/")
    page.get_by_role("button", name="End the turn").tap()
    expect(page.locator("#toast")).to_contain_text("The signal shows slow, so the turn cannot end.")


def test_a_refused_answer_is_shown_above_its_question(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.WAYS)
    game_stub.refusal = Refused("That question is answered already.", Reason.CONFLICT)
    page.goto("/")
    page.get_by_role("button", name="Rolled the two dice of the field").tap()
    expect(page.locator("#question #toast")).to_contain_text("answered already")


def test_a_winner_takes_the_page(page: Page, game_stub: StubGame) -> None:
    game_stub.show(scenes.WON)
    page.goto("/")
    expect(page.locator("h1")).to_have_text("Bob wins!")
    expect(page.locator(".standing li")).to_have_text(["Bob5350", "Ann4800", "Cy3100"])
    expect(page.locator("#players .score").first).to_be_hidden()  # each score is said once
    page.locator("#again").tap()
    assert game_stub.wait_for_asked("play_again")


def test_a_name_never_becomes_markup(page: Page, game_stub: StubGame) -> None:
    state = scenes.state_of(scenes.DICE, "<img/src=x> B", (0, 0), to_act=(1,))
    game_stub.show(replace(scenes.PLAYING, state=state, notice="<img/src=x>!", calls=(Call("<b>No</b>", "I.2-1"),)))
    page.goto("/")
    expect(page.locator("#turn h1")).to_have_text("<img/src=x>!")
    expect(page.locator("#ruling b")).to_have_count(0)


def test_the_lost_line_is_said_and_comes_back_by_itself(new_page: Page) -> None:
    new_page.clock.install()
    new_page.goto("/")
    expect(new_page.locator("#turn h1")).to_have_text(scenes.ANN_ACTS)
    new_page.context.set_offline(True)
    new_page.clock.fast_forward(3000)
    expect(new_page.locator("#line-lost")).to_be_visible()
    new_page.context.set_offline(False)
    expect(new_page.locator("#line-lost")).to_have_count(0)


def test_every_scene_fits_its_screen_and_every_target_its_finger(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    for name, scene in SCENES.items():
        game_stub.show(scene)
        expect(page.locator(f'#table[data-number="{game_stub.snapshot().number}"]')).to_be_attached()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(_FAULTS) == [[0, 0], [], []], (name, width, height)


def test_the_smallest_phone_holds_the_whole_width(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/")
    expect(page.locator("#menu")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == 320


_VISIBLE = """[...document.querySelectorAll('%s')].filter((one) => one.checkVisibility())"""
_CLIPPED = f"""{_VISIBLE % "h1, .score, .die .name, .calls li, .notice, button:not(.die), .gained, .throws li"}
    .filter((one) => !one.title && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
    .map((one) => one.textContent)"""
_SMALL = f"""{_VISIBLE % "button, a, summary, select"}
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44)
    .map(([text, box]) => `${{text}} ${{box.width}}x${{box.height}}`)"""
_SCROLLS = "['Width', 'Height'].map((way) => Math.max(document.body[`scroll${way}`] - window[`inner${way}`], 0))"
_FAULTS = f"[{_SCROLLS}, {_CLIPPED}, {_SMALL}]"
"""How many pixels the page is too wide and too high, the texts that are cut off without a word on it, and the targets
smaller than a finger."""


def test_everything_is_reached_by_keyboard_with_a_focus_that_shows(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    end = page.get_by_role("button", name="End the turn")
    for _ in range(16):
        page.keyboard.press("Tab")
        if end.evaluate("button => button === document.activeElement"):
            break
    assert end.evaluate("button => getComputedStyle(button).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert game_stub.wait_for_asked("act", "1 end")


def test_what_was_done_to_another_game_does_not_flash_when_the_table_turns_to_it(
    page: Page, game_stub: StubGame
) -> None:
    line = scenes.INTERVENED.interventions[0]
    page.goto("/")
    game_stub.show(replace(scenes.INTERVENED, step="7.20", interventions=(replace(line, number=19),)))
    expect(page.locator("#interventions")).to_contain_text(line.sentence)
    expect(page.locator("#told")).to_be_empty()
    game_stub.show(
        replace(scenes.INTERVENED, step="7.21", interventions=(replace(line, number=21, sentence="Done now."),))
    )
    expect(page.locator("#told")).to_have_text("Done now.")


def test_words_under_dice_are_whole_or_not_there(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    leaning = tuple(replace(die, posture="cocked") for die in scenes.PLAYING.dice)
    game_stub.show(replace(scenes.PLAYING, dice=leaning))
    for width in (320, 390, 1024, 1920):
        page.set_viewport_size({"width": width, "height": 844})
        words = page.locator("#dice .posture").locator("visible=true")
        assert words.evaluate_all("them => them.filter((one) => one.scrollWidth > one.clientWidth + 1).length") == 0, (
            width
        )
    expect(page.locator("#dice h2 .count")).to_have_count(0)
