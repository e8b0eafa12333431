"""Dice given by hand: whole games with no camera, what is refused, and what the camera finds when it is back."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.cameras.base import WORKING, CameraReport, CameraStatus
from models import die_sets
from referee import games as shipped
from referee.actions import Action
from referee.dice import Die, DieSet, Zone
from referee.fair_play import is_asked_note
from referee.journal import Deed, Entry, Source
from referee.record_parser import RecordedEntry, parse_record
from referee.sentences import Reason, Refused
from vander.extras.players.exports import export_game
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session
from vision.observations import Observation

LOST = CameraReport(CameraStatus.LOST, "The camera is gone; plug it in again.")
MOST_STEPS = 4000
OPTIONS = {"rollers": {"target": "3"}}
"""The shorter game, where there is one."""
SOONER = ("open", "close", "collect")
"""What brings a game of Rollers to its end."""
ENOUGH = 40
"""So many throws at a plain table, whose game has no end."""
FACES = ("go", "happy", "happy", "happy", "star", "two")
"""What the Signal and the five Traffic dice show in the throw that Ann gives by hand."""
ROLL = "1 roll signal:go traffic:happy traffic:happy traffic:happy traffic:star traffic:two"
FIXABLE = "1 roll signal:go traffic:happy traffic:happy traffic:sad traffic:three traffic:two"


def entries(folder: Path) -> tuple[Entry, ...]:
    with closing(Journal.in_folder(folder)) as journal:
        kept = journal.entries(journal.games()[-1].number)
    return tuple(entry for entry in kept if not is_asked_note(entry))


def done(folder: Path) -> list[str]:
    return [f"{entry.source} {entry.action}" for entry in entries(folder)]


@pytest.fixture
def blind(table: Session, dice: Any) -> Session:
    """Ann plays alone, the dice lie anyhow, and the camera is lost."""
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    table.report_camera(LOST)
    return table


# Whole games


@pytest.fixture
def unseen_table(tmp_path: Path) -> Iterator[Callable[[str], Session]]:
    """A table for a game that two or more play, whose camera was never there."""
    with closing(Journal.in_folder(tmp_path)) as journal:

        def sat(name: str) -> Session:
            game = shipped.named(name)
            dice = die_sets.load(game.die_set or "d6")
            table = open_session(journal, EvidenceStore(tmp_path / "evidence"), games=shipped.games(), dice=dice)
            table.report_camera(CameraReport(CameraStatus.LOST, "There is no camera."))
            table.start(name, [f"Player {seat}" for seat in range(1, max(2, game.seats[0]) + 1)], OPTIONS.get(name, {}))
            return table

        yield sat


def step(table: Session, rng: random.Random) -> bool:
    """Do one thing of those that the page offers, by tap or by hand; say whether there was one."""
    now = table.snapshot()
    assert now.game is not None
    assert now.state is not None
    verbs: dict[str, list[Action]] = {}
    for offer in now.offers:
        if offer.action.verb not in (*now.game.grave, now.game.lost):
            assert offer.by_tap is not offer.action.is_throw
            verbs.setdefault(offer.action.verb, []).append(offer.action)
    if not verbs:
        return False
    useful = [verb for verb in verbs if verb in SOONER] or list(verbs)
    chosen = rng.choice(verbs[rng.choice(useful)])
    if chosen.is_throw:
        assert now.manual_entry
        table.by_hand(str(thrown(chosen, now.state.dice, rng)), now.step)
    else:
        table.act(str(chosen), step=now.step)
    return True


def thrown(offer: Action, dice: DieSet, rng: random.Random) -> Action:
    return replace(offer, dice=tuple(Die(die.kind, rng.choice(dice.kind(die.kind).sides).name) for die in offer.dice))


@pytest.mark.slow
@pytest.mark.parametrize("name", [game.name for game in shipped.games() if game.name != "dice"])
def test_a_whole_game_is_played_with_no_camera_at_all(
    name: str, unseen_table: Callable[[str], Session], tmp_path: Path
) -> None:
    table, rng = unseen_table(name), random.Random(f"{name} 0")  # noqa: S311 -- play, not secrets
    steps = 0
    while step(table, rng) and steps < MOST_STEPS:
        steps += 1
    state = table.snapshot().state
    assert state is not None
    assert state.to_act == ()
    sources = {entry.source for entry in entries(tmp_path)}
    assert sources == {Source.TABLET, Source.HAND}
    assert {entry.deed for entry in entries(tmp_path)} == {Deed.PLAY}
    with closing(Journal.in_folder(tmp_path)) as journal:
        text = export_game(journal, shipped.games(), 1)
    told = [
        noted.origin.source for noted in parse_record(text).lines if isinstance(noted, RecordedEntry) and noted.origin
    ]
    assert told == [entry.source for entry in entries(tmp_path)]


def test_plain_dice_are_counted_with_no_camera_at_all(unseen_table: Callable[[str], Session], tmp_path: Path) -> None:
    table, rng = unseen_table("dice"), random.Random(1)  # noqa: S311 -- play, not secrets
    for _ in range(ENOUGH):
        assert step(table, rng)
    assert len(entries(tmp_path)) == ENOUGH
    assert {entry.source for entry in entries(tmp_path)} == {Source.HAND}


# What is taken, and what is not


def test_dice_given_by_hand_are_kept_and_told_as_such(blind: Session, tmp_path: Path) -> None:
    blind.by_hand(ROLL)
    assert done(tmp_path) == [f"hand {ROLL}"]
    shown = blind.snapshot()
    assert shown.last[0].endswith("(The dice were given by hand.)")
    assert shown.camera_trouble == LOST.sentence
    blind.undo()
    assert blind.snapshot().last == ()


def test_what_hands_do_in_the_tray_is_tapped_while_nobody_sees_it(blind: Session, tmp_path: Path) -> None:
    blind.by_hand(ROLL)
    parks = [offer for offer in blind.snapshot().offers if offer.action.verb == "park"]
    assert parks
    assert all(offer.by_tap for offer in parks)
    blind.act(str(parks[0].action))
    blind.act("1 end")
    assert [entry.source for entry in entries(tmp_path)] == [Source.HAND, Source.TABLET, Source.TABLET]


def test_a_die_that_left_the_table_is_said_by_tap(blind: Session, tmp_path: Path) -> None:
    blind.by_hand(ROLL)
    lost = next(offer for offer in blind.snapshot().offers if offer.action.verb == "vander")
    assert lost.by_tap
    blind.act(str(lost.action))
    assert done(tmp_path)[-1] == "tablet 1 vander"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("roll", Reason.INVALID),
        ("1 roll signal:go traffic:happy", Reason.CONFLICT),
        ("1 roll signal:go traffic:? traffic:happy traffic:happy traffic:star traffic:three", Reason.CONFLICT),
        ("1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:zap", Reason.CONFLICT),
        ("1 end", Reason.CONFLICT),
        ("2 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two", Reason.CONFLICT),
    ],
)
def test_what_the_rules_do_not_let_be_thrown_is_turned_down_and_changes_nothing(
    text: str, reason: Reason, blind: Session, tmp_path: Path
) -> None:
    before = blind.snapshot()
    with pytest.raises(Refused) as refused:
        blind.by_hand(text)
    assert refused.value.reason == reason
    assert str(refused.value)
    assert (blind.snapshot(), entries(tmp_path)) == (before, ())


def test_a_refusal_names_its_rule(blind: Session) -> None:
    with pytest.raises(Refused) as refused:
        blind.by_hand("1 on traffic:two")
    assert refused.value.rule.startswith("I.")


def test_a_decision_is_no_throw(blind: Session, tmp_path: Path) -> None:
    blind.by_hand(ROLL)
    with pytest.raises(Refused, match="not a throw"):
        blind.by_hand("1 park traffic:happy traffic:happy traffic:star")
    assert len(entries(tmp_path)) == 1


def test_while_the_camera_sees_the_tray_no_dice_are_given_by_hand(table: Session, dice: Any) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    assert not table.snapshot().manual_entry
    with pytest.raises(Refused, match="The camera sees the tray") as refused:
        table.by_hand(ROLL)
    assert refused.value.reason == Reason.CONFLICT


def test_while_the_tray_is_lent_no_dice_are_given_by_hand(blind: Session) -> None:
    blind.lend_tray(True)
    assert (blind.snapshot().manual_entry, blind.snapshot().lent) == (False, True)
    with pytest.raises(Refused, match="showing dice"):
        blind.by_hand(ROLL)


def test_a_tray_out_of_sight_may_be_helped_out_by_hand(table: Session, dice: Any, tmp_path: Path) -> None:
    table.start("intersection", ["Ann"], {})
    table.observe(replace(dice.look(), calibrated=False, doubts=("No tray is in sight.",)))
    assert table.snapshot().manual_entry
    table.by_hand(ROLL)
    assert done(tmp_path) == [f"hand {ROLL}"]


def test_what_was_seen_to_be_parked_counts_before_what_is_given_by_hand(
    table: Session, dice: Any, tmp_path: Path
) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    table.observe(dice.roll(*FACES))
    table.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    table.report_camera(LOST)
    table.by_hand("1 on traffic:four traffic:three")
    assert done(tmp_path)[1:] == [
        "camera 1 park traffic:happy traffic:happy traffic:happy",
        "hand 1 on traffic:four traffic:three",
    ]


# When the camera is back


def back(table: Session, seen: Observation) -> None:
    """The camera sees again: the frame that ends the trouble, and the first one for the new occasion."""
    old = table.occasion
    table.observe(seen, occasion=old)
    table.report_camera(WORKING)
    if table.occasion != old:  # a pipeline that was opened for it counts from one again
        fresh = tuple(replace(die, thrown=0) for die in seen.dice)
        table.observe(replace(seen, throw=0, dice=fresh), occasion=table.occasion)


def test_a_tray_that_lies_as_the_game_has_it_goes_on_calmly(blind: Session, dice: Any, tmp_path: Path) -> None:
    blind.by_hand(ROLL)
    back(blind, dice.roll(*FACES))
    now = blind.snapshot()
    assert (now.mood, now.questions, now.manual_entry) == ("calm", (), False)
    assert done(tmp_path) == [f"hand {ROLL}"]
    dice.throw_number = 0
    dice.thrown.clear()
    blind.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    blind.act("1 end")
    assert done(tmp_path)[1:] == ["camera 1 park traffic:happy traffic:happy traffic:happy", "tablet 1 end"]


def test_dice_that_were_parked_by_tap_are_looked_for_when_the_camera_is_back(
    table: Session, dice: Any, tmp_path: Path
) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    table.observe(dice.roll(*FACES))
    table.report_camera(LOST)
    table.act("1 park traffic:happy traffic:happy traffic:happy")
    back(table, dice.look())
    now = table.snapshot()
    assert (now.mood, [answer for question in now.questions for answer, _ in question.choices]) == (
        "ask",
        ["as-it-lies"],
    )
    dice.throw_number = 0
    dice.thrown.clear()
    table.observe(dice.carry(Zone.ASIDE, 1, 2, 3), occasion=table.occasion)
    assert (table.snapshot().mood, table.snapshot().questions) == ("calm", ())
    assert len(entries(tmp_path)) == 2


def test_a_tap_that_moves_no_dice_needs_no_new_look_at_them(table: Session, dice: Any) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    table.observe(dice.roll(*FACES))
    old = table.occasion
    table.report_camera(LOST)
    table.act("1 give-up")
    table.report_camera(WORKING)
    assert table.occasion == old


def test_a_tray_that_lies_otherwise_is_asked_about_and_nobody_is_accused(
    blind: Session, dice: Any, tmp_path: Path
) -> None:
    blind.by_hand(ROLL)
    back(blind, dice.roll("go", "sad", "happy", "happy", "star", "two"))
    now = blind.snapshot()
    assert now.mood == "ask"
    (question,) = now.questions
    assert "Put the dice like this, or go on as they lie." in question.sentence
    assert [answer for answer, _ in question.choices] == ["as-it-lies"]
    assert done(tmp_path) == [f"hand {ROLL}"]
    blind.answer(question.number, "as-it-lies", Source.BUTTON, confirmed=True)
    written = [(entry.deed, entry.source) for entry in entries(tmp_path)[1:]]
    assert written == [(Deed.ANSWER, Source.BUTTON), (Deed.LAID, Source.BUTTON)]
    assert blind.snapshot().mood == "calm"


def test_a_tray_that_is_put_right_is_calm_again(blind: Session, dice: Any) -> None:
    blind.by_hand(ROLL)
    back(blind, dice.roll("go", "sad", "happy", "happy", "star", "two"))
    assert blind.snapshot().mood == "ask"
    dice.throw_number, dice.faces[1] = 0, "happy"
    dice.thrown.clear()
    blind.observe(dice.look(), occasion=blind.occasion)
    assert (blind.snapshot().mood, blind.snapshot().questions) == ("calm", ())


def test_a_throw_that_was_made_meanwhile_may_still_be_given(blind: Session, dice: Any, tmp_path: Path) -> None:
    blind.by_hand(FIXABLE)
    back(blind, dice.roll("go", "happy", "two", "star", "two", "three"))
    assert (blind.snapshot().mood, blind.snapshot().manual_entry) == ("ask", True)
    blind.by_hand("1 fix traffic:star traffic:two =field")
    assert [entry.source for entry in entries(tmp_path)] == [Source.HAND, Source.HAND]
    blind.observe(dice.look(), occasion=blind.occasion)
    assert (blind.snapshot().mood, blind.snapshot().manual_entry) == ("calm", False)


def test_what_the_camera_saw_while_it_was_in_trouble_is_not_ruled_on(blind: Session, dice: Any, tmp_path: Path) -> None:
    blind.by_hand(ROLL)
    blind.observe(dice.roll(*FACES), occasion=blind.occasion)
    blind.observe(dice.roll("slow", "sad", "sad", "star", "two", "three"), occasion=blind.occasion)
    assert done(tmp_path) == [f"hand {ROLL}"]
    assert blind.snapshot().questions == ()


def test_what_an_eye_of_before_saw_is_worth_nothing(blind: Session, dice: Any, tmp_path: Path) -> None:
    old = blind.occasion
    blind.by_hand(ROLL)
    blind.report_camera(WORKING)
    assert blind.occasion != old
    blind.observe(dice.roll("slow", "sad", "sad", "star", "two", "three"), occasion=old)
    assert done(tmp_path) == [f"hand {ROLL}"]


def test_a_camera_that_was_lost_for_a_moment_rules_on_what_was_thrown_then(
    blind: Session, dice: Any, tmp_path: Path
) -> None:
    old = blind.occasion
    blind.report_camera(WORKING)
    assert blind.occasion == old
    blind.observe(dice.roll(*FACES), occasion=old)
    assert done(tmp_path) == [f"camera {ROLL}"]


# Old pages


def test_a_tap_on_what_was_offered_before_other_things_happened_is_turned_down(blind: Session, tmp_path: Path) -> None:
    old = blind.snapshot().step
    blind.by_hand(ROLL)
    for tap in (
        lambda: blind.by_hand(FIXABLE, old),
        lambda: blind.act("1 give-up", step=old),
        lambda: blind.undo(old),
    ):
        with pytest.raises(Refused, match="moved on") as refused:
            tap()
        assert refused.value.reason == Reason.CONFLICT
    assert len(entries(tmp_path)) == 1
    blind.act("1 give-up", step=blind.snapshot().step)


def test_a_tap_of_an_earlier_game_is_turned_down(blind: Session) -> None:
    old = blind.snapshot().step
    blind.start("intersection", ["Ann"], {})
    assert blind.snapshot().step != old
    with pytest.raises(Refused, match="moved on"):
        blind.act("1 give-up", step=old)


def test_a_correction_of_dice_that_something_has_happened_to_since_is_turned_down(table: Session, dice: Any) -> None:
    table.observe(dice.look())
    table.correct(1, "sad", step="")
    table.start("intersection", ["Ann"], {})
    old = table.snapshot().step
    table.observe(dice.roll(*FACES))
    before = table.snapshot()
    with pytest.raises(Refused, match="moved on") as refused:
        table.correct(1, "sad", step=old)
    assert (refused.value.reason, table.snapshot()) == (Reason.CONFLICT, before)
    table.act("1 park traffic:happy traffic:happy traffic:happy")
    table.correct(5, "three", step=before.step)


def test_a_set_up_that_did_not_know_of_the_running_game_does_not_end_it(table: Session) -> None:
    table.start("intersection", ["Ann"], {}, step="0.0")
    table.start("intersection", ["Ann", "Bob"], {}, step=table.snapshot().step)
    running = table.snapshot()
    for step in ("0.0", "1.0", "9.3"):
        with pytest.raises(Refused, match="moved on") as refused:
            table.start("intersection", ["Cy"], {}, step=step)
        assert (refused.value.reason, table.snapshot()) == (Reason.CONFLICT, running)
    with pytest.raises(Refused, match="no step"):
        table.start("intersection", ["Cy"], {}, step="soon")
    table.start("intersection", ["Cy"], {}, step="2.7")


def test_what_another_player_did_meanwhile_makes_no_tap_old(table: Session) -> None:
    table.start("dice-county-fair", ["Ann", "Bob"], {})
    prices = (offer.action.choice for offer in table.snapshot().offers if offer.action.verb == "price")
    key = next(key for key, _, price in (choice.partition("/") for choice in prices) if price == "1")
    old = table.snapshot().step
    table.act(f"1 price ={key}/1", step=old)
    table.act(f"2 price ={key}/1", step=old)
    with pytest.raises(Refused, match="moved on"):
        table.undo(old)


@pytest.mark.parametrize("step", ["1", "one.two", "1.2.3", "."])
def test_what_is_no_step_is_one_sentence(step: str, blind: Session) -> None:
    with pytest.raises(Refused, match="no step") as refused:
        blind.undo(step)
    assert refused.value.reason == Reason.INVALID


def test_no_answer_meets_a_question_of_an_earlier_run(
    table: Session, dice: Any, open_table: Callable[..., Session]
) -> None:
    numbers = set()
    for again in (table, open_table(), open_table()):
        again.observe(dice.look())
        again.start("intersection", ["Ann"], {})
        dice.roll(*FACES)
        dice.unsure[5] = (("sad", 0.3),)
        again.observe(dice.look())
        numbers.add(again.snapshot().questions[0].number)
    assert len(numbers) == 3
