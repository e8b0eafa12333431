"""A printed sheet's file: what is read from it, and the sentence for everything that can be wrong with one."""

import re
from pathlib import Path

import pytest

from referee.game import BadSheet
from referee.games.dice_county_fair.sheet import Activity, FairSheet, Requirement, key_of
from referee.games.dice_county_fair.state import COUNTY as SHIPPED
from referee.sentences import Sentence

ROOT = Path(__file__).parent.parent.parent
COUNTY = (ROOT / "referee/games/dice_county_fair/county.toml").read_text("utf-8")
DOCS = (ROOT / "docs/sheets.md").read_text("utf-8")
LINES = {line.split('"')[1]: line for line in COUNTY.splitlines() if line.startswith("    { title")}
"""The line of each activity of the shipped sheet."""


def wrong(text: str) -> str:
    """What is said against a sheet's file, without the file's name."""
    with pytest.raises(BadSheet) as refused:
        FairSheet.parse("mine", text)
    sentence = str(refused.value)
    assert sentence.startswith("the sheet mine: ")
    assert "\n" not in sentence
    return sentence.removeprefix("the sheet mine: ")


def with_line(title: str, line: str) -> str:
    """The shipped sheet with another line for an activity."""
    return COUNTY.replace(LINES[title], line)


def changed(title: str, old: str, new: str) -> str:
    assert old in LINES[title]
    return with_line(title, LINES[title].replace(old, new))


def without_prices(text: str) -> str:
    return re.sub(r", price = \d", "", text)


def test_the_shipped_sheet_holds_what_is_known_of_the_printed_one() -> None:
    sheet = FairSheet.parse("county", COUNTY)
    assert (sheet.name, sheet.experience) == ("county", 10)
    assert [(section.key, section.title, section.area) for section in sheet.sections] == [
        ("food-hall", "Food Hall", "Coins"),
        ("midway", "Midway", "Tokens"),
        ("carnival", "Carnival", "Tickets"),
    ]
    apple = next(activity for activity in sheet.activities if activity.key == "caramel-apple")
    assert (apple.title, apple.spaces, apple.requirement.words, apple.points) == ("Caramel Apple", 3, "11 or more", 7)
    striker = next(activity for activity in sheet.sections[1].activities if activity.title == "High Striker")
    assert striker.spaces == 5
    assert 6 + 5 + 4 + 3 + 3 in striker.requirement.totals


def test_titles_of_the_shipped_sheet_can_be_translated_and_those_that_are_typed_in_stay_as_they_are() -> None:
    typed_in = FairSheet.parse("county", COUNTY)
    assert typed_in == SHIPPED
    assert all(isinstance(activity.title, Sentence) for activity in SHIPPED.activities)
    assert not any(isinstance(activity.title, Sentence) for activity in typed_in.activities)


def test_the_shipped_sheet_gives_124_alone_and_takes_a_dice_count_that_twelve_turns_have() -> None:
    sheet = FairSheet.parse("county", COUNTY)
    points = sum(activity.points for activity in sheet.activities)
    assert points + sheet.experience + sum(section.fewest[0] for section in sheet.sections) == 124
    spaces = sum(activity.spaces for activity in sheet.activities)
    moves = 12 * 6 - len(sheet.activities) - spaces
    assert 2 <= moves <= 12
    assert all(sum(activity.points for activity in section.activities) == 35 for section in sheet.sections)


def test_the_shipped_sheet_says_that_it_is_invented() -> None:
    assert "INVENTED" in COUNTY
    assert "not known" in COUNTY


def test_every_section_keeps_its_awards_and_its_six_activities() -> None:
    text = COUNTY.replace("most = [5, 3]\nfewest = [3, 1]", "most = [9, 8]\nfewest = [7, 6]", 1)
    first, second, _ = FairSheet.parse("mine", text).sections
    assert (first.most, first.fewest, len(first.activities)) == ((9, 8), (7, 6), 6)
    assert (second.most, second.fewest) == ((5, 3), (3, 1))


def test_the_example_of_the_page_is_a_whole_sheet() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", DOCS, re.DOTALL)
    sheet = FairSheet.parse("my-sheet", example)
    assert len(sheet.activities) == 18
    assert not sheet.suggests_prices
    assert sheet.sections[1].most == (6, 2)
    assert sheet.activities[-1] == Activity("Roller Coaster", 6, Requirement.parse(">=25"), 15)
    kinds = {re.sub(r"\d+", "", activity.requirement.text) for activity in sheet.activities}
    assert kinds == {">=", "<=", "=", "..", "odd", "even"}


def test_the_sentence_on_the_page_is_what_such_a_file_gets() -> None:
    sentence = wrong(changed("Ring Toss", "price = 4", "price = 6")).replace("price 6", "price 3")
    assert f"`the sheet my-sheet: {sentence}`" in DOCS


@pytest.mark.parametrize(
    ("text", "words", "short", "fulfils", "fails"),
    [
        (">=11", "11 or more", "11+", (11, 12, 36), (1, 10)),
        ("<=5", "5 or less", "≤ 5", (1, 5), (6, 36)),
        ("=7", "7", "7", (7,), (6, 8)),
        ("9..12", "9 to 12", "9–12", (9, 10, 12), (8, 13)),
        ("odd", "odd", "odd", (1, 3, 35), (2, 36)),
        ("even", "even", "even", (2, 4, 36), (1, 35)),
    ],
)
def test_a_requirement_is_a_set_of_totals(
    text: str, words: str, short: str, fulfils: tuple[int, ...], fails: tuple[int, ...]
) -> None:
    requirement = Requirement.parse(text)
    assert (requirement.text, requirement.words, requirement.short) == (text, words, short)
    assert requirement.totals >= set(fulfils)
    assert requirement.totals.isdisjoint(fails)


@pytest.mark.parametrize(
    "text", ["", "11", "=>11", "> 11", ">=", "9-12", "9..", "9...12", "Odd", ">=1111", ">=11 ", "7="]
)
def test_a_requirement_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(BadSheet) as refused:
        Requirement.parse(text)
    assert str(refused.value) == (f"the requirement {text!r} cannot be read; write >=11, <=5, =7, 9..12, odd or even")
    sentence = wrong(changed("Ring Toss", '"=7"', f'"{text}"'))
    assert sentence.startswith(f"Midway: Ring Toss: the requirement {text!r} cannot be read; write >=11")


def test_a_requirement_that_is_no_text_is_named_too() -> None:
    assert wrong(changed("Ring Toss", '"=7"', "7")).startswith("Midway: Ring Toss: the requirement '7' cannot be read;")


@pytest.mark.parametrize(
    ("title", "old", "new", "dice"),
    [
        ("Caramel Apple", ">=11", ">=19", "3 dice come to 3 at least and 18 at most"),
        ("Caramel Apple", ">=11", "<=2", "3 dice come to 3 at least and 18 at most"),
        ("Carousel", "=5", "=7", "1 die comes to 1 at least and 6 at most"),
        ("Ferris Wheel", "9..12", "12..9", "3 dice come to 3 at least and 18 at most"),
        ("Ferris Wheel", "9..12", ">=37", "3 dice come to 3 at least and 18 at most"),
    ],
)
def test_a_requirement_that_no_dice_can_meet_is_named(title: str, old: str, new: str, dice: str) -> None:
    sentence = wrong(changed(title, f'"{old}"', f'"{new}"'))
    assert sentence.endswith(f"{title}: the requirement {new} cannot be met: {dice}")


@pytest.mark.parametrize(("old", "new"), [(">=11", ">=18"), (">=11", "<=3"), (">=11", "=18")])
def test_a_requirement_that_the_highest_or_lowest_dice_just_meet_is_good(old: str, new: str) -> None:
    assert len(FairSheet.parse("mine", changed("Caramel Apple", f'"{old}"', f'"{new}"')).activities) == 18


def test_seventeen_activities_are_refused_with_their_section() -> None:
    text = with_line("Ring Toss", "")
    assert wrong(text) == "Midway: a section has 6 activities, and here are 5"
    assert wrong(with_line("Ring Toss", 2 * LINES["Ring Toss"])) == "Midway: a section has 6 activities, and here are 7"


def test_two_activities_with_one_title_are_refused() -> None:
    sentence = "Midway: lemonade: the title stands twice; the other one is in the section Food Hall"
    assert wrong(changed("Ring Toss", "Ring Toss", "lemonade")) == sentence
    again = "Midway: Duck Pond: the title stands twice; the other one is in the section Midway"
    assert wrong(changed("Ring Toss", "Ring Toss", "Duck Pond")) == again


def test_an_activity_is_not_called_like_a_section() -> None:
    sentence = "Food Hall: midway!: the title is the name of a section: Midway"
    assert wrong(changed("Lemonade", "Lemonade", "midway!")) == sentence


@pytest.mark.parametrize(("written", "said"), [('""', "''"), ('"  "', "'  '"), ('"?!"', "'?!'"), ("3", "3")])
def test_a_title_that_is_no_name_is_refused(written: str, said: str) -> None:
    sentence = wrong(changed("Corn Dog", '"Corn Dog"', written))
    assert sentence == f"Food Hall: the title of activity 2 is {said}, and should be a name on one line"


@pytest.mark.parametrize("written", [r'"Corn\nDog"', '" Corn Dog"', '"Corn  Dog"'])
def test_a_title_stands_on_one_line_without_room_around_it(written: str) -> None:
    assert "should be a name on one line" in wrong(changed("Corn Dog", '"Corn Dog"', written))


def test_an_activity_without_a_title_is_named_by_its_number() -> None:
    sentence = wrong(changed("Corn Dog", 'title = "Corn Dog", ', ""))
    assert sentence == "Food Hall: the title of activity 2 is None, and should be a name on one line"


@pytest.mark.parametrize("spaces", ["0", "7", "-1", "2.0", "true", '"2"'])
def test_spaces_out_of_range_are_refused(spaces: str) -> None:
    sentence = wrong(changed("Corn Dog", "spaces = 2", f"spaces = {spaces}"))
    assert sentence.startswith("Food Hall: Corn Dog: spaces is ")
    assert sentence.endswith(", and should be a whole number from 1 to 6")


@pytest.mark.parametrize("points", ["-1", "2.5", "true", '"4"'])
def test_negative_points_are_refused(points: str) -> None:
    sentence = wrong(changed("Corn Dog", "points = 4", f"points = {points}"))
    assert sentence.startswith("Food Hall: Corn Dog: points is ")
    assert sentence.endswith(", and should be a whole number, 0 or more")


def test_an_activity_may_be_worth_nothing() -> None:
    assert FairSheet.parse("mine", changed("Corn Dog", "points = 4", "points = 0")).activities[1].points == 0


def test_an_unknown_field_is_named_with_those_that_there_are() -> None:
    sentence = "Food Hall: Corn Dog: there is no field 'cost'; there are title, spaces, requirement, points and price"
    assert wrong(changed("Corn Dog", "price", "cost")) == sentence
    assert wrong(f"colour = 3\n{COUNTY}") == (
        "there is no field 'colour'; there are experience, food-hall, midway and carnival"
    )
    sentence = "Food Hall: there is no field 'least'; there are activities, most and fewest"
    assert wrong(COUNTY.replace("fewest", "least", 1)) == sentence


def test_a_missing_field_is_named() -> None:
    assert wrong(changed("Corn Dog", ", points = 4", "")) == "Food Hall: Corn Dog: the field 'points' is missing"
    assert wrong(COUNTY.replace("most = [5, 3]\n", "", 1)) == "Food Hall: the field 'most' is missing"
    assert wrong(COUNTY.replace("experience = 10", "")) == "the field 'experience' is missing"


def test_a_missing_section_is_named() -> None:
    start, rest = COUNTY.split("[midway]")
    assert wrong(start + "[carnival]" + rest.split("[carnival]")[1]) == "the field 'midway' is missing"
    sentence = "Midway: the section is not a table; begin it with the line [midway]"
    assert wrong("midway = 3\n" + start + "[carnival]" + rest.split("[carnival]")[1]) == sentence


def test_activities_that_are_no_list_are_refused() -> None:
    for value in ("3", "[1, 2, 3, 4, 5, 6]"):
        text = "experience = 10\n[midway]\n[carnival]\n[food-hall]\nmost = [5, 3]\nfewest = [3, 1]\n"
        sentence = "Food Hall: activities should be a list of { title = ..., spaces = ... }"
        assert wrong(f"{text}activities = {value}") == sentence


@pytest.mark.parametrize("award", ["5", "[5]", "[5, 3, 1]", '"5, 3"'])
def test_an_award_is_two_numbers(award: str) -> None:
    sentence = wrong(COUNTY.replace("most = [5, 3]", f"most = {award}", 1))
    assert sentence.startswith("Food Hall: most is ")
    assert sentence.endswith(", and should be two numbers, primary and secondary, like [5, 3]")


def test_awards_are_whole_numbers() -> None:
    whole = "and should be a whole number, 0 or more"
    assert wrong(COUNTY.replace("most = [5, 3]", "most = [5, -3]", 1)) == f"Food Hall: most is -3, {whole}"
    assert wrong(COUNTY.replace("fewest = [3, 1]", "fewest = [3.5, 1]", 1)) == f"Food Hall: fewest is 3.5, {whole}"
    assert wrong(COUNTY.replace("experience = 10", "experience = -1")) == f"experience is -1, {whole}"


def test_a_price_twice_in_a_section_is_named_at_its_second_place() -> None:
    sentence = "Midway: Ring Toss: the price 6 stands at Duck Pond already"
    assert wrong(changed("Ring Toss", "price = 4", "price = 6")) == sentence


@pytest.mark.parametrize("price", ["0", "7", "false"])
def test_a_price_is_a_number_on_a_die(price: str) -> None:
    sentence = wrong(changed("Ring Toss", "price = 4", f"price = {price}"))
    assert sentence.startswith("Midway: Ring Toss: price is ")
    assert sentence.endswith(", and should be a whole number from 1 to 6")


def test_either_all_activities_have_a_price_or_none_has() -> None:
    sentence = "Midway: Ring Toss: the price is missing; either all activities have one or none has"
    assert wrong(changed("Ring Toss", ", price = 4", "")) == sentence
    assert FairSheet.parse("mine", COUNTY).suggests_prices
    assert not FairSheet.parse("mine", without_prices(COUNTY)).suggests_prices


def test_a_file_that_is_no_toml_is_refused_with_its_line() -> None:
    line = COUNTY.splitlines().index(LINES["Ring Toss"]) + 1
    sentence = wrong(changed("Ring Toss", "spaces = 2", "spaces 2"))
    assert sentence.startswith("the file cannot be read as TOML: ")
    assert f"line {line}" in sentence
    twice = wrong(f"{COUNTY}\n[midway]\n")
    assert f"line {len(COUNTY.splitlines()) + 2}" in twice
    assert wrong(COUNTY[: len(COUNTY) // 2]).startswith("the file cannot be read as TOML: ")


def test_a_file_that_would_break_a_reader_is_refused_too() -> None:
    assert wrong("a = " + "[" * 20_000).startswith("the file cannot be read as TOML: ")
    assert wrong("a = " + "9" * 5000).startswith("the file cannot be read as TOML: ")


def test_a_key_is_the_title_in_small_letters_with_dashes() -> None:
    assert key_of("Caramel Apple") == "caramel-apple"
    assert key_of("Mr. O'Leary's  7 Äpfel!") == "mr-o-leary-s-7-äpfel"
    assert key_of("!?") == ""
