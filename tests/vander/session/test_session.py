import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cards import CARDS

from hardware.cameras.base import WORKING, CameraReport, CameraStatus
from models import die_sets
from referee.dice import Zone
from referee.journal import Deed, Entry, Source
from referee.odds import odds
from referee.refused import Reason, Refused
from referee.snapshot import Snapshot, TrayActivity
from vander.session.session import Session
from vander.storage.journal_store import Journal
from vander.storage.storage_errors import BrokenJournal
from web.schemas.response_model import encode
from web.schemas.snapshot_response import snapshot_response

ASIDE, FIELD = Zone.ASIDE, Zone.FIELD


def entries(folder: Path) -> tuple[Entry, ...]:
    with closing(Journal.in_folder(folder)) as journal:
        kept = journal.latest()
        return journal.entries(kept.number) if kept else ()


def done(folder: Path) -> list[str]:
    return [f"{entry.source} {entry.action}" for entry in entries(folder)]


def verbs(snapshot: Snapshot, *, by_tap: bool = True) -> set[str]:
    return {offer.action.verb for offer in snapshot.offers if offer.by_tap is by_tap}


def scores(table: Session) -> tuple[int, ...]:
    state = table.snapshot().state
    assert state is not None
    return state.scores


@pytest.fixture
def solo(table: Session, dice: Any) -> Session:
    """Ann plays alone, and the dice lie anyhow."""
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    return table


def opened(table: Session, dice: Any) -> None:
    table.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))


def test_a_whole_turn_is_seen_and_ruled_on(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    assert done(tmp_path) == [
        "camera 1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two"
    ]
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    waiting = solo.snapshot()
    assert waiting.turn_points == 250
    assert "end" not in verbs(waiting)
    assert "on" in verbs(waiting, by_tap=False)
    solo.observe(dice.throw(d4="happy", d5="three"))
    assert done(tmp_path)[1:] == [
        "camera 1 park traffic:happy traffic:happy traffic:star",
        "camera 1 on traffic:happy traffic:three",
    ]
    solo.observe(dice.carry(ASIDE, 4))
    assert "end" in verbs(solo.snapshot())
    solo.act("1 end")
    assert done(tmp_path)[3:] == ["camera 1 park traffic:happy", "tablet 1 end"]
    assert scores(solo) == (350,)
    assert [call.rule for call in solo.snapshot().calls] == ["I.2-10", "I.2-17"]


def test_dice_seen_in_the_bay_are_parked_though_the_next_throw_takes_all(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "happy", "star", "two"))
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.act("1 end")
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 3))
    dice.roll("go", "happy", "sad", "star", "two", "three")
    dice.unsure[5] = (("sad", 0.3),)
    solo.observe(dice.look())
    solo.answer(solo.snapshot().questions[0].number, "three")
    assert not solo.snapshot().questions
    assert done(tmp_path)[4:6] == ["camera 1 park traffic:happy traffic:star", "camera 1 end"]


def test_a_refused_tap_changes_nothing(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    before, written = solo.snapshot(), entries(tmp_path)
    with pytest.raises(Refused) as refused:
        solo.act("1 end")
    assert refused.value.reason == Reason.CONFLICT
    assert refused.value.rule.startswith("I.2-")
    assert (solo.snapshot(), entries(tmp_path)) == (before, written)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("end", Reason.INVALID),
        ("1 END", Reason.INVALID),
        ("2 end", Reason.CONFLICT),
        ("1 park traffic:go", Reason.CONFLICT),
        ("1 dance", Reason.CONFLICT),
    ],
)
def test_a_tap_for_the_wrong_player_or_with_wrong_dice_is_one_sentence(
    text: str, reason: Reason, solo: Session, dice: Any
) -> None:
    opened(solo, dice)
    with pytest.raises(Refused) as refused:
        solo.act(text)
    assert refused.value.reason == reason
    assert str(refused.value)


def test_without_a_game_taps_are_turned_down_and_dice_are_shown(table: Session, dice: Any, sight: Any) -> None:
    table.observe(dice.roll("go", "happy", "happy", "star", "two", "three"), sight)
    shown = table.snapshot().dice
    assert [die.title for die in shown] == ["Happy", "Happy", "Star", "Two", "Three", "Go"]
    assert shown[0].faces[:6] == ("happy", "star", "sad", "two", "three", "four")
    assert table.picture(shown[0].crop)[:2] == b"\xff\xd8"
    assert table.picture("view")[:2] == b"\xff\xd8"
    for tap in (lambda: table.act("1 end"), table.undo):
        with pytest.raises(Refused) as refused:
            tap()
        assert refused.value.reason == Reason.CONFLICT


def test_a_picture_nobody_named_is_not_found(table: Session) -> None:
    for name in ("view", "die-1-1", "../journal"):
        with pytest.raises(Refused) as refused:
            table.picture(name)
        assert refused.value.reason == Reason.NOT_FOUND


@pytest.mark.parametrize(
    ("game", "players", "options", "reason"),
    [
        ("chess", ["Ann"], {}, Reason.NOT_FOUND),
        ("intersection", [], {}, Reason.INVALID),
        ("intersection", ["Ann", " "], {}, Reason.INVALID),
        ("intersection", ["Ann"], {"no-dice": "maybe"}, Reason.INVALID),
        ("intersection", ["Ann"], {"nonsense": "on"}, Reason.INVALID),
    ],
)
def test_a_game_that_cannot_begin_is_one_sentence(
    game: str, players: list[str], options: dict[str, str], reason: Reason, solo: Session
) -> None:
    before = solo.snapshot()
    with pytest.raises(Refused) as refused:
        solo.start(game, players, options)
    assert refused.value.reason == reason
    assert solo.snapshot() == before


def test_a_game_that_takes_any_dice_is_set_up_with_those_that_were_chosen(open_table: Callable[..., Session]) -> None:
    table = open_table(games=(CARDS,))
    table.start("cards", ["Ann", "Bob"], {}, "rollers")
    assert table.dice.name == "rollers"
    assert open_table(games=(CARDS,)).dice.name == "rollers"
    table.start("cards", ["Ann", "Bob"], {})
    assert table.dice.name == "intersection"
    with pytest.raises(Refused, match="no die set 'tarot'") as refused:
        table.start("cards", ["Ann", "Bob"], {}, "tarot")
    assert refused.value.reason == Reason.NOT_FOUND


def test_the_dice_that_lie_ready_are_offered_first(table: Session) -> None:
    names = [dice.name for dice in table.die_sets()]
    assert names[0] == "intersection"
    assert set(names) == set(die_sets.names())


def test_what_lies_before_each_player_is_shown(open_table: Callable[..., Session]) -> None:
    table = open_table(games=(CARDS,))
    table.start("cards", ["Ann", "Bob"], {})
    table.act("2 drop =card")
    assert [board.rows[0].cells for board in table.snapshot().boards] == [("0",), ("1",)]


def test_the_dearest_way_to_park_is_offered_first(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    parks = [offer.title for offer in solo.snapshot().offers if offer.action.verb == "park"]
    worth = [int(title.rpartition("(")[2].rstrip(")")) for title in parks]
    assert worth[0] == 250
    assert worth == sorted(worth, reverse=True)
    assert len(parks) > 3


def test_the_fullest_snapshot_is_small_enough_to_be_sent_with_every_change(table: Session) -> None:
    table.start("dice-county-fair", ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal"], {})
    snapshot = table.snapshot()
    assert len(snapshot.offers) > 800
    assert len(encode(snapshot_response(snapshot))) < 64 * 1024


def test_eight_tablets_at_once_lose_and_double_nothing(table: Session, tmp_path: Path) -> None:
    names = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal"]
    table.start("dice-county-fair", names, {})
    rows = [row.key for board in table.snapshot().boards if board.seat == 1 for row in board.rows]
    offered = {offer.action.choice for offer in table.snapshot().offers}
    keys = [key for key in rows if f"{key}/1" in offered][::6]

    def plan(seat: int) -> None:
        for price, key in enumerate(keys, start=1):
            table.act(f"{seat} price ={key}/{price}")

    tablets = [Thread(target=plan, args=(seat,)) for seat in range(1, 9)]
    for tablet in tablets:
        tablet.start()
    for tablet in tablets:
        tablet.join()
    assert len(keys) == 3
    wanted = {f"{seat} price ={key}/{price}" for seat in range(1, 9) for price, key in enumerate(keys, start=1)}
    assert sorted(str(entry.action) for entry in entries(tmp_path)) == sorted(wanted)
    assert [entry.number for entry in entries(tmp_path)] == list(range(1, 25))


def test_odds_are_worked_out_when_asked(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    state = solo.snapshot().state
    game = solo.snapshot().game
    assert state is not None
    assert game is not None
    assert solo.odds() == odds(game, state)


def test_without_a_game_there_are_no_odds(table: Session) -> None:
    with pytest.raises(Refused) as refused:
        table.odds()
    assert refused.value.reason == Reason.CONFLICT


# Doubts and questions


def test_a_doubt_that_matters_is_asked_and_its_answer_is_ruled_on(solo: Session, dice: Any, sight: Any) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.unsure[5] = (("sad", 0.3),)
    solo.observe(dice.look(), sight)
    (question,) = solo.snapshot().questions
    assert (question.die, [answer for answer, _ in question.choices[:2]]) == (5, ["three", "sad"])
    assert question.picture == solo.snapshot().dice[4].crop
    assert solo.snapshot().mood == "ask"
    solo.observe(dice.look(), sight)
    assert solo.snapshot().questions == (question,)
    solo.answer(question.number, "sad")
    after = solo.snapshot()
    assert after.questions == ()
    assert after.dice[4].face == "sad"
    assert "1 fix traffic:? traffic:? =field" in [str(offer.action) for offer in after.offers]
    solo.observe(dice.look(), sight)
    assert solo.snapshot() == after


def test_a_question_takes_only_its_own_answers(solo: Session, dice: Any) -> None:
    dice.roll("go", "happy", "happy", "star", "two", "three")
    dice.unsure[5] = (("sad", 0.3),)
    solo.observe(dice.look())
    number = solo.snapshot().questions[0].number
    for question, choice, reason in ((number + 1, "sad", Reason.NOT_FOUND), (number, "go", Reason.INVALID)):
        with pytest.raises(Refused) as refused:
            solo.answer(question, choice)
        assert refused.value.reason == reason


def test_what_was_ruled_on_stands_though_the_reading_wavers(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    dice.faces[5] = "sad"
    solo.observe(dice.look())
    assert len(entries(tmp_path)) == 1
    assert solo.snapshot().dice[4].face == "three"


def test_a_doubtful_die_beyond_the_sets_count_is_none(solo: Session, dice: Any) -> None:
    dice.faces[7], dice.unsure[7] = "sad", (("two", 0.3),)
    opened(solo, dice)
    assert [die.number for die in solo.snapshot().dice] == [1, 2, 3, 4, 5, 6]
    dice.unsure.clear()
    solo.observe(dice.carry(ASIDE, 1))
    assert len(solo.snapshot().dice) == 7


# Breaches


def test_a_breach_is_recorded_once_with_its_picture_and_play_goes_on(
    solo: Session, dice: Any, sight: Any, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"), sight)
    thrown = dice.throw(d1="star")
    solo.observe(thrown, sight)
    solo.observe(dice.look(), sight)
    breach = entries(tmp_path)[-1]
    assert (breach.number, breach.deed, breach.source) == (2, Deed.BREACH, Source.CAMERA)
    shown = solo.snapshot()
    assert (shown.mood, shown.notice, shown.evidence) == ("breach", breach.note, breach.evidence)
    assert solo.picture(breach.evidence)[:2] == b"\xff\xd8"
    (question,) = shown.questions
    solo.answer(question.number, "as-it-lies")
    assert solo.snapshot().mood != "breach"
    assert [entry.deed for entry in entries(tmp_path)[1:]] == [Deed.BREACH, Deed.LAID]


def test_a_table_put_right_after_a_breach_is_calm_again(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.observe(dice.throw(d1="star"))
    assert solo.snapshot().mood == "breach"
    solo.observe(dice.throw(d1="happy"))
    assert (solo.snapshot().mood, solo.snapshot().questions) == ("calm", ())


def test_a_die_that_fell_where_it_lay_is_asked_about_before_anybody_is_accused(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy"))
    assert len(entries(tmp_path)) == 1
    (question,) = solo.snapshot().questions
    assert (question.sentence, solo.snapshot().mood) == ("Was the die that shows Three thrown as well?", "ask")
    solo.answer(question.number, "0")
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"


def test_a_doubt_is_asked_before_a_die_that_fell_where_it_lay(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    dice.throw(d4="happy")
    dice.unsure[4] = (("sad", 0.3),)
    solo.observe(dice.look())
    assert solo.snapshot().questions[0].die == 4
    solo.answer(solo.snapshot().questions[0].number, "happy")
    assert "thrown as well" in solo.snapshot().questions[0].sentence
    assert len(entries(tmp_path)) == 1


def test_a_die_that_was_left_lying_is_a_breach(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy"))
    solo.answer(solo.snapshot().questions[0].number, "left-lying")
    assert (solo.snapshot().mood, entries(tmp_path)[-1].deed) == ("breach", Deed.BREACH)
    solo.observe(dice.throw(d4="happy", d5="two"))
    assert (solo.snapshot().mood, str(entries(tmp_path)[-1].action)) == ("calm", "1 on traffic:happy traffic:two")


def test_an_entry_names_no_picture_but_one_that_is_on_disk(
    solo: Session, dice: Any, sight: Any, tmp_path: Path
) -> None:
    (tmp_path / "evidence").write_text("a file stands where the folder should be")
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"), sight)
    assert entries(tmp_path)[-1].evidence == ""
    assert "could not be kept" in " ".join(solo.snapshot().alerts)
    (tmp_path / "evidence").unlink()
    solo.observe(dice.throw(d1="star"), sight)
    breach = entries(tmp_path)[-1]
    assert (tmp_path / "evidence" / f"{breach.evidence}.jpg").read_bytes()[:2] == b"\xff\xd8"
    assert solo.snapshot().alerts == ()


def test_what_cannot_be_written_has_not_happened(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    solo.observe(dice.carry(ASIDE, 4))
    before = solo.snapshot()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database:
        database.execute("ALTER TABLE entries RENAME TO hidden")
        with pytest.raises(Refused) as refused:
            solo.act("1 end")
        assert refused.value.reason == Reason.UNAVAILABLE
        assert solo.snapshot() == before
        database.execute("ALTER TABLE hidden RENAME TO entries")
    solo.act("1 end")
    assert scores(solo) == (350,)


def test_an_undo_that_cannot_reopen_the_game_changes_nothing(
    open_table: Callable[..., Session], tmp_path: Path
) -> None:
    cards = open_table(games=(CARDS,))
    cards.start("cards", ["Ann", "Bob"], {})
    cards.act("1 finish")
    before = cards.snapshot()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)) as database:
        database.execute("CREATE TRIGGER shut BEFORE UPDATE ON games BEGIN SELECT RAISE(ABORT, 'the card fails'); END")
        with pytest.raises(Refused, match="the card fails") as refused:
            cards.undo()
        assert refused.value.reason == Reason.UNAVAILABLE
        assert cards.snapshot() == before
        assert kept(tmp_path) == (True, 1)
        database.execute("DROP TRIGGER shut")
    cards.undo()
    assert kept(tmp_path) == (False, 2)
    assert cards.in_play


def kept(folder: Path) -> tuple[bool, int]:
    """Whether the journal's game is over, and how many entries it has."""
    with closing(Journal.in_folder(folder)) as journal:
        (game,) = journal.games()
        return game.ended_at is not None, len(journal.entries(game.number))


# Corrections and undoing


def test_a_corrected_face_is_an_entry_and_changes_the_ruling(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.correct(5, "sad")
    last = entries(tmp_path)[-1]
    assert (last.deed, last.target, "traffic:sad" in str(last.action)) == (Deed.CORRECT, 1, True)
    assert "fix" in verbs(solo.snapshot(), by_tap=False)
    solo.correct(5, "three")
    assert "fix" not in verbs(solo.snapshot(), by_tap=False)
    solo.observe(dice.look())
    assert len(entries(tmp_path)) == 3


def test_a_correction_finds_the_throw_that_its_die_was_in(solo: Session, dice: Any, tmp_path: Path) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "sad", "two", "three"))
    solo.observe(dice.throw(d2="star", d3="two"))
    solo.correct(4, "four")
    assert entries(tmp_path)[-1].target == 1
    solo.correct(3, "star")
    assert entries(tmp_path)[-1].target == 2


def test_a_correction_that_makes_a_later_action_illegal_is_refused(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    before, written = solo.snapshot(), entries(tmp_path)
    with pytest.raises(Refused) as refused:
        solo.correct(1, "sad")
    assert refused.value.reason == Reason.CONFLICT
    assert (solo.snapshot(), entries(tmp_path)) == (before, written)


def test_a_die_that_was_saved_by_its_wrong_face_is_corrected(solo: Session, dice: Any, tmp_path: Path) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    solo.observe(dice.carry(ASIDE, 1, 2))
    solo.observe(dice.throw(d3="star", d4="two", d5="three"))
    solo.correct(1, "star")
    assert entries(tmp_path)[-1].deed is Deed.LAID
    assert solo.snapshot().turn_points == 150
    solo.correct(1, "happy")
    assert solo.snapshot().turn_points == 200
    assert not solo.snapshot().questions


@pytest.mark.parametrize(
    ("die", "face", "reason"), [(9, "sad", Reason.NOT_FOUND), (1, "zap", Reason.INVALID), (1, "", Reason.INVALID)]
)
def test_a_correction_needs_a_die_on_the_table_and_a_face_of_the_game(
    die: int, face: str, reason: Reason, solo: Session, dice: Any
) -> None:
    opened(solo, dice)
    with pytest.raises(Refused) as refused:
        solo.correct(die, face)
    assert refused.value.reason == reason


def test_undo_takes_back_one_entry_after_another(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    solo.undo()
    assert (entries(tmp_path)[-1].deed, entries(tmp_path)[-1].target) == (Deed.UNDO, 3)
    assert solo.snapshot().turn_points == 250
    solo.undo()
    assert solo.snapshot().turn_points == 0
    solo.undo()
    assert not solo.snapshot().can_undo
    with pytest.raises(Refused) as refused:
        solo.undo()
    assert refused.value.reason == Reason.CONFLICT


def test_after_an_undo_the_same_throw_may_be_thrown_again(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.undo()
    solo.observe(dice.look())
    assert solo.snapshot().mood == "calm"
    solo.observe(dice.roll("slow", "star", "star", "star", "two", "three"))
    assert len(solo.snapshot().last) == 1
    assert "slow" in solo.snapshot().last[0]
    assert "star" in verbs(solo.snapshot(), by_tap=False)


def test_after_an_undone_park_the_page_says_where_the_dice_differ(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    solo.undo()
    assert solo.snapshot().mood == "ask"
    assert solo.snapshot().notice


# Hands, cameras and tablets


def test_a_hand_in_the_tray_is_waited_for(solo: Session, dice: Any, tmp_path: Path) -> None:
    roll = dice.roll("go", "happy", "happy", "star", "two", "three")
    solo.observe(dice.look(hands_in=True))
    assert solo.snapshot().tray == TrayActivity.HAND_IN
    solo.observe(dice.look(at_rest=False))
    assert entries(tmp_path) == ()
    assert solo.snapshot().tray == TrayActivity.MOVING
    solo.observe(roll)
    assert len(entries(tmp_path)) == 1


def test_a_tap_while_dice_roll_is_turned_down_kindly(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.observe(dice.look(at_rest=False))
    with pytest.raises(Refused, match="still") as refused:
        solo.act("1 give-up")
    assert refused.value.reason == Reason.CONFLICT


def test_camera_trouble_is_shown_and_goes_away(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    calm = solo.snapshot()
    solo.report_camera(CameraReport(CameraStatus.LOST, "The lens is covered."))
    assert (solo.snapshot().camera_trouble, solo.snapshot().mood) == ("The lens is covered.", "lost")
    solo.act("1 give-up")
    assert scores(solo) == (0,)
    solo.report_camera(WORKING)
    assert (solo.snapshot().camera_trouble, solo.snapshot().mood) == ("", "calm")
    assert solo.snapshot().number > calm.number


def test_without_a_bay_everything_but_throws_is_tapped(open_table: Callable[..., Session], dice: Any) -> None:
    table = open_table(bay=False)
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    opened(table, dice)
    assert "park" in verbs(table.snapshot())
    table.act("1 park traffic:happy traffic:happy traffic:star")
    table.observe(dice.throw(d4="happy", d5="three"))
    table.act("1 park traffic:happy")
    table.act("1 end")
    assert scores(table) == (350,)


def test_a_waiting_tablet_hears_of_a_change_at_once(solo: Session, dice: Any) -> None:
    number = solo.snapshot().number
    heard: list[Snapshot] = []
    waiting = Thread(target=lambda: heard.append(solo.wait(number, 30)))
    waiting.start()
    opened(solo, dice)
    waiting.join()
    assert heard[0].number > number
    assert solo.wait(solo.snapshot().number, 0.01) == solo.snapshot()


def test_a_pictures_name_never_comes_again_though_the_frames_are_counted_from_one(
    table: Session, dice: Any, sight: Any
) -> None:
    table.observe(dice.look(), sight)
    first = {die.crop for die in table.snapshot().dice}
    dice.frame, dice.faces[1] = 0, "star"
    table.observe(dice.look(), sight)
    second = {die.crop for die in table.snapshot().dice}
    assert len(first | second) == 12


def test_nothing_new_makes_no_new_snapshot(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    before = solo.snapshot()
    solo.observe(dice.look())
    solo.report_camera(WORKING)
    assert solo.snapshot() is before


# Starting again


def test_a_game_goes_on_where_it_was(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="happy", d5="three"))
    again = open_table()
    assert again.snapshot().state == solo.snapshot().state
    assert again.snapshot().last == solo.snapshot().last
    again.observe(dice.look())
    assert again.snapshot().mood == "calm"
    again.observe(dice.carry(ASIDE, 4))
    again.act("1 end")
    assert scores(again) == (350,)


def test_a_table_that_changed_meanwhile_is_said_to_differ_until_it_is_put_right(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    opened(solo, dice)
    dice.faces[1] = "sad"
    again = open_table()
    again.observe(dice.look())
    assert again.snapshot().mood == "ask"
    assert "sad" in again.snapshot().notice
    assert len(entries(tmp_path)) == 1
    dice.faces[1] = "happy"
    again.observe(dice.look())
    assert again.snapshot().mood == "calm"


def test_after_a_pause_people_may_go_on_with_the_dice_as_they_now_lie(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    opened(solo, dice)
    dice.faces[4] = "star"
    again = open_table()
    again.observe(dice.look())
    (question,) = again.snapshot().questions
    assert [answer for answer, _ in question.choices] == ["as-it-lies"]
    again.answer(question.number, "as-it-lies")
    assert again.snapshot().mood == "calm"
    again.observe(dice.carry(ASIDE, 1, 2, 3, 4))
    assert again.snapshot().turn_points == 300


def test_a_throw_beside_dice_that_did_not_lie_as_they_should_is_asked(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="two", d5="sad"))
    dice.faces[2] = "star"
    again = open_table()
    again.observe(dice.look())
    before = len(entries(tmp_path))
    again.observe(dice.throw(d1="four", d5="two"))
    (question,) = again.snapshot().questions
    assert "did not lie as they should" in question.sentence
    assert next(title for _, title in question.choices) == "Fix a sad face with a parked happy one"
    assert len(entries(tmp_path)) == before
    again.answer(question.number, "0")
    assert done(tmp_path)[-1].endswith("1 fix traffic:four traffic:two =parked")


def test_a_wrong_throw_beside_dice_that_did_not_lie_as_they_should_is_no_breach(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    opened(solo, dice)
    solo.observe(dice.carry(ASIDE, 1, 2, 3))
    solo.observe(dice.throw(d4="two", d5="sad"))
    dice.faces[1] = "star"
    again = open_table()
    again.observe(dice.look())
    before = len(entries(tmp_path))
    again.observe(dice.throw(d1="four", d5="two"))
    (question,) = again.snapshot().questions
    assert [answer for answer, _ in question.choices] == ["as-it-lies"]
    assert again.snapshot().mood == "ask"
    assert len(entries(tmp_path)) == before


def test_a_die_that_lies_outside_while_a_breach_stands_is_asked_about(solo: Session, dice: Any, tmp_path: Path) -> None:
    opened(solo, dice)
    solo.observe(dice.throw(d4="two", d5="sad"))
    assert solo.snapshot().mood == "breach"
    before = len(entries(tmp_path))
    dice.zones[5] = Zone.OUT
    solo.observe(dice.look())
    (question,) = solo.snapshot().questions
    assert question.sentence == "Has a die left the table?"
    assert len(entries(tmp_path)) == before


def test_a_journal_that_the_rules_refuse_is_refused(
    solo: Session, dice: Any, open_table: Callable[..., Session], tmp_path: Path
) -> None:
    opened(solo, dice)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database, database:
        database.execute("UPDATE entries SET action = '1 end'")
    with pytest.raises(BrokenJournal, match="cannot be gone on with"):
        open_table()


def test_a_game_that_is_over_is_not_gone_on_with_unless_it_is_undone(
    table: Session, dice: Any, open_table: Callable[..., Session]
) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    while table.snapshot().state is not None and not (table.snapshot().state.winner):  # type: ignore[union-attr]
        table.observe(dice.roll("go", "four", "four", "four", "four", "four"))
        table.observe(dice.carry(ASIDE, 1, 2, 3, 4, 5))
        table.act("1 end")
    assert scores(table) == (6000,)
    assert open_table().snapshot().game is None
    table.undo()
    assert scores(open_table()) == (4800,)


# Going on as the dice lie


@pytest.fixture
def laid(solo: Session, dice: Any) -> Session:
    """Ann threw a die that she should not have, and plays on as the dice lie."""
    opened(solo, dice)
    solo.observe(dice.throw(d1="star"))
    solo.answer(solo.snapshot().questions[0].number, "as-it-lies")
    return solo


def test_going_on_as_the_dice_lie_is_an_entry_and_the_next_legal_throw_is_none_of_a_breach(
    laid: Session, dice: Any, tmp_path: Path
) -> None:
    *_, breach, last = entries(tmp_path)
    assert (breach.deed, last.deed, last.source) == (Deed.BREACH, Deed.LAID, Source.TABLET)
    assert last.note.split()[1:3] == ["traffic:happy@field", "traffic:star@field"]
    assert (laid.snapshot().mood, laid.snapshot().last[0]) == ("calm", "The game goes on with the dice as they lie.")
    laid.observe(dice.carry(ASIDE, 1, 2, 3))
    assert laid.snapshot().turn_points == 200
    laid.observe(dice.throw(d4="happy", d5="three"))
    assert laid.snapshot().mood == "calm"
    assert str(entries(tmp_path)[-1].action) == "1 on traffic:happy traffic:three"


def test_that_the_dice_were_laid_so_can_be_taken_back(laid: Session, tmp_path: Path) -> None:
    before = len(entries(tmp_path))
    laid.undo()
    last = entries(tmp_path)[-1]
    assert (last.deed, last.target) == (Deed.UNDO, before)
    assert "happy" in laid.snapshot().notice
    laid.undo()
    assert not laid.snapshot().can_undo


def test_a_table_that_goes_on_as_laid_goes_on_so_after_a_new_start(
    laid: Session, dice: Any, open_table: Callable[..., Session]
) -> None:
    again = open_table()
    assert again.snapshot().state == laid.snapshot().state
    again.observe(dice.look())
    assert (again.snapshot().mood, again.snapshot().last) == ("calm", laid.snapshot().last)


def test_a_die_that_was_laid_is_corrected_by_laying_the_dice_anew(laid: Session, dice: Any, tmp_path: Path) -> None:
    laid.correct(1, "sad")
    undone, last = entries(tmp_path)[-2:]
    assert (undone.deed, last.deed) == (Deed.UNDO, Deed.LAID)
    assert "traffic:sad@field" in last.note
    assert "fix" in verbs(laid.snapshot(), by_tap=False)
    laid.observe(dice.throw(d1="star", d2="two"))
    assert str(entries(tmp_path)[-1].action).startswith("1 fix")
    with pytest.raises(Refused, match="no longer stands") as refused:
        laid.correct(3, "sad")
    assert refused.value.reason == Reason.CONFLICT


def test_dice_that_lie_so_that_the_rules_know_no_such_table_are_only_gone_on_from(
    solo: Session, dice: Any, tmp_path: Path
) -> None:
    opened(solo, dice)
    dice.faces.pop(5)
    solo.observe(dice.throw(d1="star"))
    while solo.snapshot().questions:
        question = solo.snapshot().questions[0]
        solo.answer(question.number, question.choices[-1][0])
    assert Deed.LAID not in {entry.deed for entry in entries(tmp_path)}
    assert solo.snapshot().mood == "ask"
