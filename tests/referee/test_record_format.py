"""The game record: text that reads back to the same game, and is held against the rules line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from any_game import QUIET
from at_the_table import GAME, GOLDEN, golden_games, play_record
from hypothesis import given
from hypothesis import strategies as st

from models.die_sets import load
from referee.actions import Action, DiePosition
from referee.dice import Die, FaceName, KindName, Zone
from referee.game import Game
from referee.games import games, named
from referee.journal import Deed, Entry, JournalReader, Source, laid_text
from referee.record_check import MOST_RULINGS, CheckedLine, check_record, start_of_record
from referee.record_parser import (
    COMMENTED,
    HEADINGS,
    LONGEST_LINE,
    MOST_LINES,
    MOST_TEXT,
    BadRecord,
    Claim,
    EntryOrigin,
    Record,
    RecordedEntry,
    parse_record,
    visible,
    write_record,
)

PAGE = (Path(__file__).parent.parent.parent / "docs/record.md").read_text("utf-8")
NOON = datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)
HEAD = "game: intersection\nplayers: Ann, Bob\n"
ALONE = "game: intersection\nplayers: Ann\n"
ROLL = "1 roll signal:go traffic:happy traffic:sad traffic:star traffic:two traffic:two"
FIX = "1 fix traffic:happy traffic:two =field"
every_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)


def checked(text: str, **options: int) -> list[CheckedLine]:
    """Return the result of each line of an Intersection record."""
    record = parse_record(text)
    return list(check_record(GAME, start_of_record(record, GAME, load("intersection")), record, **options))


# There and back

texts = st.text(max_size=8) | st.sampled_from(["Ann", "a, b", 'say "no"', "x # y", " @ ", "\\", "\u2028\r\n"])
names = texts.filter(bool)
words = st.sampled_from(["d6", "traffic", "give-up", "pip-1", "roll"])
verbs = st.sampled_from(["end", "give-up"])
dice = st.builds(Die, words.map(KindName), words.map(FaceName))
choices = st.sampled_from(["", "field", "lemonade/1", "card-16", "#1", "@"])
actions = st.builds(Action, st.integers(1, 99), verbs, st.lists(dice, max_size=3).map(tuple), choices)
laid = st.lists(st.builds(DiePosition, dice, st.sampled_from([None, *Zone])), max_size=3).map(laid_text)
numbers = st.integers(1, 999_999_999)
deeds = st.one_of(
    st.builds(RecordedEntry, st.just(Deed.PLAY), action=actions),
    st.builds(RecordedEntry, st.just(Deed.UNDO), target=numbers),
    st.builds(RecordedEntry, st.just(Deed.CORRECT), action=actions, target=numbers),
    st.builds(RecordedEntry, st.just(Deed.BREACH), note=texts, rule=texts),
    st.builds(RecordedEntry, st.just(Deed.LAID), note=laid),
)
moments = st.datetimes(timezones=st.just(UTC))
origins = st.builds(EntryOrigin, moments, st.sampled_from(Source), texts)
entries = st.builds(replace, deeds, origin=origins)
claims = st.one_of(
    st.builds(Claim, st.just("scores"), st.lists(st.integers(-999_999_999, 999_999_999), max_size=4).map(tuple)),
    st.builds(Claim, st.just("winner"), st.lists(st.integers(1, 99), max_size=4).map(tuple)),
)
records = st.builds(
    Record,
    game=words,
    players=st.lists(texts, max_size=4).map(tuple),
    options=st.dictionaries(names, texts, max_size=3),
    dice=words,
    started=st.none() | moments,
    ended=st.none() | moments,
    lines=st.lists(st.one_of(deeds, entries, claims), max_size=6).map(tuple),
)


@QUIET
@given(records)
def test_a_record_reads_back_whatever_its_names_and_sentences(record: Record) -> None:
    assert parse_record(write_record(record)) == record


@QUIET
@given(st.lists(st.builds(lambda entry, number: entry.journal_entry(number, NOON), entries, numbers), max_size=6))
def test_every_field_of_every_entry_comes_back(told: list[Entry]) -> None:
    entries = tuple(replace(entry, number=number) for number, entry in enumerate(told, start=1))
    record = Record("intersection", ("Ann",), lines=tuple(map(RecordedEntry.of, entries)))
    assert parse_record(write_record(record)).journal_entries(NOON) == entries


@QUIET
@given(records, st.data())
def test_what_a_person_adds_for_the_eye_changes_nothing(record: Record, data: st.DataObject) -> None:
    between = st.lists(st.sampled_from(["", "  ", "# players: Eve", '#"', "\t # 1 end"]), max_size=2)

    def dressed() -> Iterator[str]:
        for line in write_record(record).split("\n"):
            yield from data.draw(between)
            yield data.draw(st.sampled_from(["", " ", "\t"])) + line + data.draw(st.sampled_from(["", " ", "  # so"]))

    text = data.draw(st.sampled_from(["", "\ufeff"])) + data.draw(st.sampled_from(["\n", "\r\n"])).join(dressed())
    assert parse_record(text) == record
    assert parse_record(iter(text.splitlines(keepends=True) if text.isascii() else text.split("\n"))) == record


@QUIET
@given(st.text())
def test_any_text_is_a_record_or_refused_with_a_line(text: str) -> None:
    for tried in (text, HEAD + text):
        record = read_or_refused(tried)
        assert record is None or parse_record(write_record(record)) == record


def read_or_refused(text: str) -> Record | None:
    """The record, or None for a text that is refused, which must be done by the line."""
    try:
        return parse_record(text)
    except BadRecord as wrong:
        if not re.fullmatch(r"line [0-9]+: .+", str(wrong)):
            raise
        return None


@pytest.mark.parametrize("path", list(golden_games()), ids=lambda path: path.stem)
def test_a_golden_game_is_written_and_read_again(path: Path) -> None:
    record = parse_record(path.read_text("utf-8"))
    assert parse_record(write_record(record)) == record


def test_a_record_is_written_as_people_would_write_it() -> None:
    origin = EntryOrigin(NOON, Source.CAMERA, "game-1-entry-1")
    lines = (
        RecordedEntry(Deed.PLAY, Action.parse(ROLL), origin=origin),
        Claim("scores", (0, 300)),
        RecordedEntry(Deed.CORRECT, Action.parse("1 end"), target=7, origin=EntryOrigin(NOON, Source.BUTTON)),
        RecordedEntry(Deed.UNDO, target=12),
        RecordedEntry(
            Deed.BREACH, note='It says "no".', rule="I.2-7", origin=EntryOrigin(NOON, Source.TABLET, "odd name")
        ),
        RecordedEntry(Deed.BREACH, note="Why."),
        RecordedEntry(Deed.LAID, note="traffic:happy@field"),
        RecordedEntry(Deed.LAID),
        Claim("winner", ()),
        Claim("winner", (1, 3)),
    )
    players = ("Ann", "O'Neil & Zoë", "Bob, the die", 'C"y', "#4", "Jo#", " Dee", "", "E\u200bve")
    options = {"no-dice": "off", "sheet": "own@1a2b", "odd": "my own"}
    record = Record("intersection", players, options, "intersection", NOON, NOON + timedelta(hours=1), lines)
    at = "2026-05-01T12:00:00.123456+00:00"
    assert write_record(record).split("\n") == [
        "game: intersection",
        'players: Ann, O\'Neil & Zoë, "Bob, the die", "C\\"y", "#4", "Jo#", " Dee", "", "E\\u200bve"',
        'options: no-dice=off sheet=own@1a2b odd="my own"',
        "dice: intersection",
        f"started: {at}",
        "ended: 2026-05-01T13:00:00.123456+00:00",
        "",
        f"{ROLL} @ {at} camera game-1-entry-1",
        "scores: 0, 300",
        f"correct 7: 1 end @ {at} button",
        "undo 12",
        f'breach I.2-7 "It says \\"no\\"." @ {at} tablet "odd name"',
        'breach "Why."',
        "laid traffic:happy@field",
        "laid",
        "winner:",
        "winner: 1, 3",
        "",
    ]
    assert parse_record(write_record(record)) == record


def test_headings_that_say_nothing_are_left_out() -> None:
    assert write_record(Record("intersection", ("Ann",))) == "game: intersection\nplayers: Ann\n\n"


def test_the_places_of_lines_and_headings_are_kept() -> None:
    record = parse_record(f"# first\n{HEAD}\noptions:\nended: 2026-05-01\n{ROLL}\n\nscores: 0, 0")
    assert [record.line_of(heading) for heading in ("game", "players", "options", "ended", "dice")] == [2, 3, 5, 6, 2]
    assert [line.line_number for line in record.lines] == [7, 9]
    assert record.entries == record.lines[:1]
    assert Record("intersection", ()).line_of("players") == 1


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-01T12:00:00.123456+00:00", NOON),
        ("2026-05-01T12:00:00.123456", NOON),
        ("2026-05-01T12:00:00.123456Z", NOON),
        ("2026-05-01 14:00:00.123456+02:00", NOON),
        ("2026-05-01", datetime(2026, 5, 1, tzinfo=UTC)),
    ],
)
def test_a_moment_is_read_as_utc(text: str, moment: datetime) -> None:
    started = parse_record(f"{HEAD}started: {text}").started
    assert started == moment
    assert started.tzinfo is UTC


def test_a_moment_elsewhere_is_written_as_utc() -> None:
    there = NOON.astimezone(timezone(timedelta(hours=2)))
    record = Record(
        "intersection",
        ("Ann",),
        started=there,
        lines=(RecordedEntry(Deed.UNDO, target=1, origin=EntryOrigin(there, Source.CAMERA)),),
    )
    assert write_record(record).count("2026-05-01T12:00:00.123456+00:00") == 2


def test_an_entry_that_names_no_origin_is_a_tablets() -> None:
    first, second = parse_record(f"{HEAD}{ROLL}\nundo 1 @ 2026-05-01T12:00:00.123456 camera pic").journal_entries(
        NOON - timedelta(1)
    )
    assert first == Entry(1, NOON - timedelta(1), Source.TABLET, Deed.PLAY, Action.parse(ROLL))
    assert second == Entry(2, NOON, Source.CAMERA, Deed.UNDO, target=1, evidence="pic")


def test_white_space_does_not_matter_outside_quotation_marks() -> None:
    record = parse_record('game:intersection\n players:Ann ,"B,  b"\n 1\tend\n breach  I.2-7\t"a  b"   # c\nscores:1,2')
    assert record.players == ("Ann", "B,  b")
    assert [str(line) for line in record.lines] == ["1 end", 'breach I.2-7 "a  b"', "scores: 1, 2"]


@pytest.mark.parametrize(
    ("text", "seen"), [("plain ä", "plain ä"), ("a\x1b[2J\n", "a\\u001b[2J\\n"), ("\u2028\x7f", "\\u2028\\u007f")]
)
def test_what_is_shown_holds_nothing_invisible(text: str, seen: str) -> None:
    assert visible(text) == seen


# What cannot be read


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "'game' is missing; a record begins with lines such as 'game: intersection' and 'players: Ann, Bob'"),
        ("# nothing\n\n", 1, "the heading 'game' is missing; a record"),
        ("game: intersection\n\n1 end\n", 3, "the heading 'players' is missing"),
        ("# so\ngame: intersection\n\n", 2, "the heading 'players' is missing"),
        ("\n1 end\nplayers: Ann", 2, "the heading 'game' is missing"),
        (f"{HEAD}game: intersection", 3, "the heading 'game' stands here again; it stands on line 1"),
        (f"{HEAD}1 end\noptions:", 4, "the heading 'options' stands too late; headings come before the first entry"),
        (f"{HEAD}place: Bath", 3, f"there is no heading 'place'; there are {', '.join(HEADINGS)}"),
        ("Game: intersection", 1, "there is no heading 'Game'"),
        (f"{HEAD}started: yesterday", 3, "'yesterday' is no moment; write it so: 2026-05-01T20:15:00+00:00"),
        (f"{HEAD}ended: 0001-01-01T00:00+02:00", 3, "'0001-01-01T00:00+02:00' is no moment"),
        (f"{HEAD}options: below-300", 3, "'below-300' is no option; write name=value, with no space round the ="),
        (f"{HEAD}options: no-dice=off no-dice=on", 3, "the option 'no-dice' stands here twice"),
        ("game: intersection\nplayers: Ann,, Bob", 2, "a name is missing before or after a comma"),
        ("game: intersection\nplayers: Ann,", 2, "a name is missing before or after a comma"),
        (
            'game: intersection\nplayers: Ann "the die"',
            2,
            'Ann "the die" is no text in quotation marks, such as "Ann \\"',
        ),
        ('game: intersection\nplayers: "\\x"', 2, '"\\x" is no text in quotation marks'),
        ('game: intersection\nplayers: "\\ud800"', 2, '"\\ud800" is no text in quotation marks'),
        ('game: intersection\nplayers: "Ann', 2, "a quotation mark is not closed"),
        (f"{HEAD}foo", 3, "'foo' is no line of a record; there are '1 end' (seat, verb, dice, =choice), 'undo 12', "),
        (f"{HEAD}@ 2026-05-01 camera", 3, "'' is no line of a record"),
        (f"{HEAD}undo", 3, "'undo' is no line of a record"),
        (f"{HEAD}undo x", 3, "'x' is no number"),
        (f"{HEAD}undo 1234567890", 3, "'1234567890' is no number"),
        (f"{HEAD}undo ٣", 3, "'٣' is no number"),
        (f"{HEAD}scores: 1, two", 3, "'two' is no number"),
        (f"{HEAD}winner: 1,", 3, "'' is no number"),
        (f"{HEAD}correct 1 1 end", 3, "'correct 1 1 end' is no line of a record"),
        (f"{HEAD}correct x: 1 end", 3, "'x' is no number"),
        (f"{HEAD}correct 1:", 3, "'' is no action"),
        (f"{HEAD}breach I.2-7", 3, "I.2-7 is no text in quotation marks"),
        (f'{HEAD}breach I.2-7 "Half', 3, "a quotation mark is not closed"),
        (f'{HEAD}breach a b "Why."', 3, "'breach a b \"Why.\"' is no line of a record"),
        (f"{HEAD}laid traffic:sad@sofa", 3, "'traffic:sad@sofa' lies nowhere"),
        (f"{HEAD}1 roll signal:go traf", 3, "'traf' is no die; write kind:face"),
        (f"{HEAD}1", 3, "'1' is no action"),
        (
            f"{HEAD}1 end @ 2026-05-01",
            3,
            "the @ stand a moment, one of camera, tablet, button, hand, and maybe the name",
        ),
        (f"{HEAD}1 end @ 2026-05-01 cat", 3, "after the @ stand a moment"),
        (f"{HEAD}1 end @ 2026-05-01 camera a b", 3, "after the @ stand a moment"),
        (f"{HEAD}1 end @ noon camera", 3, "'noon' is no moment"),
        (f"{HEAD}1 e\0nd", 3, "this is no text in UTF-8"),
        (f"{HEAD}# \udcff", 3, "this is no text in UTF-8"),
        (f"{HEAD}#{'x' * LONGEST_LINE}", 3, "the line is longer than 10000 characters"),
        (f"{HEAD}{'#' * 9999}\n" + "\n" * MOST_LINES, MOST_LINES + 1, "at most 100000 lines and 20000000 characters"),
        (f"{HEAD}" + f"#{'x' * (LONGEST_LINE - 1)}\n" * 2001, 2002, "a record has at most 100000 lines"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(BadRecord) as caught:
        parse_record(text)
    assert str(caught.value).startswith(f"line {line}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_line_and_a_record_may_be_as_long_as_they_may() -> None:
    assert parse_record(f"{HEAD}#{'x' * (LONGEST_LINE - 1)}") == parse_record(HEAD)
    assert parse_record(HEAD + "\n" * (MOST_LINES - 3)) == parse_record(HEAD)
    assert MOST_TEXT == 20_000_000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{HEAD}\n1 sing", "line 4: Intersection has no 'sing'; it has lot, roll, fix, "),
        (f"{HEAD}correct 1: 1 sing", "line 3: Intersection has no 'sing'"),
        (f"{HEAD}1 roll d6:pip-1", "line 3: the Intersection dice have no kind 'd6'"),
        (f"{HEAD}1 roll traffic:zap", "line 3: a traffic die has no face 'zap'; it has happy, "),
        (f"{HEAD}1 roll signal:?", "line 3: 'signal:?' says no face; write one of go, slow, stop"),
        (f"{HEAD}laid traffic:zap@field", "line 3: a traffic die has no face 'zap'"),
        ("game: intersection\noptions: x=y\nplayers: Ann", "line 2: there is no option 'x'; there are parked-happy, "),
        ("game: intersection\nplayers: Ann\noptions: no-dice=x", "line 3: the option no-dice cannot be 'x'"),
        ("game: intersection\n\nplayers:", "line 3: Intersection is for 1 to 12 players, not 0"),
        ('game: intersection\nplayers: Ann, " "', "line 2: every player needs a name"),
        (
            "players: Ann, Bob, Ann\ngame: intersection\n1 sing",
            "line 1: two players are called Ann: give each player a ",
        ),
        ('game: intersection\nplayers: Ann Lee, "ann  LEE "', "line 2: Ann Lee and ann  LEE  are too alike: give each"),
        ('game: intersection\nplayers: Ann, "A\\u200bnn"', "line 2: Ann and A\u200bnn are too alike"),
        (f'{HEAD}breach I.2-99 "Why."', "line 3: Intersection has no rule 'I.2-99'; its page of rules lists them all"),
        (f'{HEAD}breach T.2-1 "Why."', "line 3: Intersection has no rule 'T.2-1'"),
    ],
)
def test_words_that_are_not_the_games_are_refused_with_their_line(text: str, words: str) -> None:
    with pytest.raises(BadRecord) as caught:
        checked(text)
    assert str(caught.value).startswith(words)


def test_dice_that_are_not_the_games_are_refused_on_the_line_that_names_them() -> None:
    record = parse_record("game: intersection\nplayers: Ann\ndice: d6")
    with pytest.raises(
        BadRecord, match=r"^line 3: Intersection is played with the intersection dice, not the d6 dice$"
    ):
        start_of_record(record, GAME, load("d6"))
    with_an_entry = parse_record(f"game: intersection\nplayers: Ann\ndice: d6\n{ROLL}")
    with pytest.raises(BadRecord, match=r"^line 3: "):
        start_of_record(with_an_entry, GAME, load("d6"))
    plain = parse_record("game: dice\nplayers:\ndice: d6")
    with pytest.raises(BadRecord, match=r"^line 2: "):
        start_of_record(plain, named("dice"), load("d6"))


def test_dice_that_no_entry_has_are_refused_on_the_line_that_names_them() -> None:
    head = "game: dice\nplayers: Ann\ndice: rollers\n"
    wrong = parse_record(f"{head}1 roll d6:pip-1\n1 roll d6:pip-1 d6:pip-2")
    with pytest.raises(BadRecord, match=r"^line 3: no entry has any of the Rollers dice; name the dice played with$"):
        start_of_record(wrong, named("dice"), load("rollers"))
    mixed = parse_record(f"{head}1 roll d6:pip-1\n1 roll rollers-black:zap")
    with pytest.raises(BadRecord, match=r"^line 4: the Rollers dice have no kind 'd6'$"):
        start_of_record(mixed, named("dice"), load("rollers"))
    assert start_of_record(parse_record(head), named("dice"), load("rollers"))


def test_dice_are_written_in_any_order_and_judged_the_same() -> None:
    in_order = checked(f"{ALONE}{ROLL}\n{FIX}\nlaid signal:go@signal traffic:sad@field\n")
    another = checked(
        f"{ALONE}1 roll traffic:two traffic:sad signal:go traffic:star traffic:two traffic:happy\n"
        "1 fix traffic:two traffic:happy =field\nlaid traffic:sad@field signal:go@signal\n"
    )
    assert another == in_order
    assert [str(each.line) for each in another] == [str(each.line) for each in in_order]


# Against the rules


def test_an_action_against_the_rules_ends_the_check() -> None:
    *fine, last = checked(f"{ALONE}{ROLL}\n{FIX}\n1 on traffic:two\n1 give-up\n")
    assert [each.refusal for each in fine] == [None, None]
    assert (last.line.line_number, str(last.line), last.calls) == (5, "1 on traffic:two", ())
    assert last.is_last
    assert last.refusal
    assert last.state == fine[-1].state
    assert fine[-1].calls


def test_a_recorded_breach_is_told_and_the_game_goes_on() -> None:
    _, breach, after = checked(f'{ALONE}{ROLL}\nbreach I.2-6 "Too soon."\n1 give-up')
    assert breach.refusal
    assert (breach.refusal.sentence, breach.refusal.rule) == ("Too soon.", "I.2-6")
    assert (breach.is_recorded, breach.is_last, breach.calls) == (True, False, ())
    assert (after.refusal, after.is_recorded, after.is_last) == (None, False, False)
    assert after.calls


def test_claims_are_held_against_the_game() -> None:
    wrong, right, nobody, somebody = checked(f"{HEAD}scores: 0, 300\nscores: 0, 0\nwinner:\nwinner: 2\n")
    assert [each.refusal and each.refusal.sentence for each in (wrong, right, nobody, somebody)] == [
        "Here the scores are 0, 0, not 0, 300.",
        None,
        None,
        "Here the winner is nobody, not 2.",
    ]
    assert (str(right.line), right.line.line_number) == ("scores: 0, 0", 4)
    assert wrong.refusal
    assert wrong.refusal.rule == ""
    assert not wrong.is_last
    assert not wrong.is_recorded


def test_a_claim_that_nobody_has_won_is_false_where_somebody_has() -> None:
    text = (GOLDEN / "intersection-solo.txt").read_text("utf-8")
    assert [each.refusal and each.refusal.sentence for each in checked(f"{text}\nwinner:")[-2:]] == [
        None,
        "Here the winner is 1, not nobody.",
    ]


def test_entries_are_counted_without_claims_and_comments() -> None:
    *_, last = checked(f"{ALONE}{ROLL}\nscores: 0\n# so\n1 give-up\nundo 2\nscores: 0\n1 give-up")
    assert last.refusal is None
    undone = checked(f"{ALONE}{ROLL}\nscores: 0\n1 give-up\nundo 2")[-1]
    assert undone.state == checked(f"{ALONE}{ROLL}")[-1].state
    assert undone.calls == ()


def test_a_correction_is_ruled_on_where_it_stands() -> None:
    corrected = f"{ROLL[:-11]}traffic:two"
    *_, last = checked(f"{ALONE}{ROLL}\ncorrect 1: {corrected.replace('traffic:star', 'traffic:sad')}")
    assert last.refusal is None
    assert last.calls[0].rule
    *_, refused = checked(f"{ALONE}{ROLL}\n1 give-up\ncorrect 1: 1 roll signal:go traffic:happy")
    assert refused.is_last
    assert refused.refusal
    assert refused.refusal.rule == "I.2-2"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{ALONE}\nundo 4", "line 4: entry 1 says undo of entry 4, which does not stand"),
        (f'{ALONE}breach "So."\n{ROLL}\ncorrect 1: {ROLL}', "line 5: entry 3 says correct of entry 1, which does not"),
    ],
)
def test_an_entry_that_cannot_stand_there_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(BadRecord) as caught:
        checked(text)
    assert str(caught.value).startswith(words)


def test_corrections_may_ask_for_so_many_rulings_and_no_more() -> None:
    text = f"{ALONE}{ROLL}\n" + f"correct 1: {ROLL}\n" * 9
    assert len(checked(text, most=10)) == 10
    with pytest.raises(BadRecord, match=r"^line 12: the corrections up to here ask for more than 9 rulings$"):
        checked(text, most=9)


def test_a_check_is_the_journals_own_reading() -> None:
    text = re.search(r"```record breach\n(.*?)```", PAGE, re.DOTALL)
    assert text
    record = parse_record(text[1])
    start = start_of_record(record, GAME, load("intersection"))
    course = JournalReader(GAME, start)
    for entry, found in zip(record.journal_entries(NOON), check_record(GAME, start, record), strict=True):
        course.add(entry)
        assert found.state == course.state
    assert course.replay().laid


# The specification


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", blocks("record"))
def test_every_example_of_the_specification_is_within_the_rules(text: str) -> None:
    play_record(parse_record(text))


def test_the_specifications_example_of_a_breach_goes_on() -> None:
    (text,) = blocks("record breach")
    found = checked(text)
    assert [each.is_recorded for each in found] == [bool(each.refusal) for each in found] == [False, True, False, False]


def section(game: Game) -> str:
    found = re.search(rf"^### {re.escape(game.title)}$(.*?)(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/record.md has no section {game.title}"
    return found[1]


@every_game
def test_the_specification_has_every_verb_of_every_game_with_an_example(game: Game) -> None:
    text = section(game)
    assert f"(../referee/rules/{game.name}.md)" in text
    rows = re.findall(r"^\| `([a-z-]+)` \| [^|]*\| [^|]*\| .+\|$", text, re.MULTILINE)
    assert sorted(rows) == sorted(game.help_texts)
    examples = [
        parse_record(example) for example in re.findall(r"^```record\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    ]
    assert {example.game for example in examples} == {game.name}
    played = {entry.action.verb for example in examples for entry in example.entries if entry.action}
    assert played == set(game.help_texts)


def test_the_specification_names_all_there_is() -> None:
    (grammar,) = blocks("ebnf")
    assert [heading for heading in HEADINGS if f'"{heading}:"' not in grammar or f"| `{heading}` |" not in PAGE] == []
    assert [word for word in [*Source, *Zone, *set(Deed) - {Deed.PLAY} - COMMENTED] if f'"{word}"' not in grammar] == []
    for number in (MOST_LINES, MOST_TEXT, LONGEST_LINE, MOST_RULINGS):
        assert re.search(rf"\b{number}\b", PAGE), number
