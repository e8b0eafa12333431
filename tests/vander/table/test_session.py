"""The session at work: what is seen, tapped and shown."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cards import CARDS
from session_scenes import done, entries, opened, scores, verbs

from hardware.cameras.base import WORKING, CameraReport, CameraStatus
from models import die_sets
from referee.chances import Chance, odds
from referee.dice import Zone
from referee.sentences import Reason, Refused
from referee.snapshot import Snapshot, TrayActivity
from vander.table.session import Session
from web.schemas.response_model import encode
from web.schemas.snapshot_response import snapshot_response

ASIDE, FIELD = Zone.ASIDE, Zone.FIELD


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
    assert [face.face for face in shown[0].faces[:6]] == ["happy", "star", "sad", "two", "three", "four"]
    assert table.picture(shown[0].crop)[:2] == b"\xff\xd8"
    assert table.camera_picture()[:2] == b"\xff\xd8"
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
    prices = {offer.action.choice for offer in table.snapshot().offers if offer.action.verb == "price"}
    keys = sorted(choice.removesuffix("/1") for choice in prices if choice.endswith("/1"))[::6]

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


def found_odds(solo: Session) -> Sequence[Chance]:
    """Ask for the odds until they are there, as a page does."""
    for _ in range(1000):
        with suppress(Refused):
            return solo.odds()
        time.sleep(0.02)
    pytest.fail("no odds came")


def test_odds_are_worked_out_when_asked(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    state = solo.snapshot().state
    assert state is not None
    with closing(solo):
        with pytest.raises(Refused) as refused:
            solo.odds()
        assert (refused.value.reason, refused.value.wait_s) == (Reason.UNAVAILABLE, 1)
        assert found_odds(solo) == odds(state)


def test_without_a_game_there_are_no_odds(table: Session) -> None:
    with pytest.raises(Refused) as refused:
        table.odds()
    assert refused.value.reason == Reason.CONFLICT


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


@pytest.mark.slow
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
