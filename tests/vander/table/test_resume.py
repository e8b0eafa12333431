"""After a restart with a game under way: what the tablet says of the game and of the tray, until something happens."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from random_matches import next_step
from session_states import a_match, no_game

from hardware.cameras.base import CameraReport, CameraStatus
from models import die_sets
from referee.actions import Action
from referee.dice import Zone
from referee.game import Game
from referee.games import games, named
from referee.journal import Deed, Entry, Source
from referee.snapshot import Snapshot
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.journal_writer import GameRecord
from vander.table.match import Match
from vander.table.session import Session
from vander.table.snapshot_builder import snapshot
from vander.table.taps import on_start

STARTED = "Vander was started again. The game goes on."
SHOULD = "The dice should lie like this: 2 x Happy and Star in the bay; Go on its spot; Happy and Three on the field."


@pytest.fixture
def woken(table: Session, dice: Any, open_table: Callable[..., Session]) -> Session:
    """Ann threw, parked two happies and a star and threw the other two; then the plug was pulled."""
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    table.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    table.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    table.observe(dice.throw(d4="happy", d5="three"))
    return open_table()


def woke(table: Session) -> str:
    return table.snapshot().resumed


def shown(match: Match) -> Snapshot:
    return snapshot(on_start(no_game(), match).state)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_a_restart_after_any_step_changes_nothing_that_is_shown(game: Game, tmp_path: Path) -> None:
    rng, match = random.Random(37), a_match(game, ("Ann", "Bob"))  # noqa: S311 - a game's dice
    with closing(Journal.in_folder(tmp_path)) as journal:
        record = GameRecord(journal, EvidenceStore(tmp_path / "evidence"))
        kept = journal.begin(game.name, match.kept.players, {}, match.kept.die_set)
        for step in range(60):
            after = next_step(match, game, rng, most=3 if step % 5 else 0)
            journal.write(kept.number, *after.entries[len(match.entries) :])
            match, restarted = after, record.open_match(kept, games(), die_sets)
            assert shown(restarted) == shown(match)


def test_entries_of_one_moment_are_steps_of_their_own() -> None:
    """Records without times give all entries one moment, and older journals those of a clock that was set back."""
    began = a_match(named("toss-up"), ("Ann", "Bob"))
    roll = Action.parse("1 roll " + " ".join(["tossup:green"] * 10))
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    entries = [
        Entry(1, noon, Source.TABLET, Deed.PLAY, roll),
        Entry(2, noon, Source.TABLET, Deed.PLAY, Action.parse("1 end")),
    ]
    restarted = Match.of(began.kept, began.game, began.start.dice, entries)
    assert restarted.replay.calls == restarted.standing[-1][1].calls


def test_a_clock_that_was_set_back_makes_no_one_step_of_two() -> None:
    match = a_match(named("toss-up"), ("Ann", "Bob"))
    later = datetime.now(UTC) + timedelta(days=90)
    roll = Action.parse("1 roll " + " ".join(["tossup:green"] * 10))
    ahead = Match.of(match.kept, match.game, match.start.dice, [Entry(1, later, Source.TABLET, Deed.PLAY, roll)])
    after = ahead.play([(Action.parse("1 end"), Source.TABLET)])
    assert shown(Match.of(match.kept, match.game, match.start.dice, after.entries)) == shown(after)
    assert after.replay.calls == after.standing[-1][1].calls


def test_before_the_camera_has_looked_it_is_said_how_the_dice_should_lie(woken: Session) -> None:
    assert woke(woken).startswith(f"{STARTED} Ann")
    assert woke(woken).endswith(f"{SHOULD} Leave the dice as they are until the camera has looked at them.")


def test_dice_that_lie_right_are_said_to(woken: Session, dice: Any) -> None:
    woken.observe(dice.look())
    assert woke(woken).endswith("The dice lie as they should.")
    assert woken.snapshot().mood == "calm"


def test_dice_that_lie_otherwise_are_to_be_put_right_or_gone_on_with(woken: Session, dice: Any) -> None:
    dice.faces[4] = "star"
    woken.observe(dice.look())
    assert woke(woken).endswith(SHOULD)
    assert woken.snapshot().mood == "ask"
    assert woken.snapshot().notice.endswith("Put the dice like this, or go on as they lie.")


def test_dice_that_the_rules_give_no_meaning_can_only_be_put_right(woken: Session, dice: Any) -> None:
    dice.faces[1] = "sad"
    woken.observe(dice.look())
    assert woken.snapshot().notice.endswith("but it shows sad, 2 x happy, star, three, go. Put the dice like this.")
    assert woken.snapshot().questions == ()


def test_where_no_camera_sees_the_dice_nobody_waits_for_it(woken: Session) -> None:
    woken.report_camera(CameraReport(CameraStatus.LOST, "The camera is gone."))
    assert woke(woken).endswith(SHOULD)
    woken.act("1 park traffic:happy")
    assert woke(woken) == ""
    assert woken.snapshot().turn_points == 350


def test_a_throw_of_just_before_the_plug_was_pulled_may_be_given(
    table: Session, dice: Any, open_table: Callable[..., Session]
) -> None:
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    again = open_table()
    again.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    assert again.snapshot().last == ()
    assert again.snapshot().manual_entry
    again.by_hand("1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two")
    again.observe(dice.look(), occasion=again.occasion)
    assert (again.snapshot().mood, again.snapshot().manual_entry, woke(again)) == ("calm", False, "")


def test_with_the_next_entry_nothing_more_is_said_of_it(woken: Session, dice: Any) -> None:
    woken.observe(dice.look())
    assert woke(woken)
    woken.observe(dice.carry(Zone.ASIDE, 4))
    woken.act("1 end")
    assert woke(woken) == ""


def test_a_table_that_was_not_started_again_says_nothing_of_it(table: Session) -> None:
    table.start("intersection", ["Ann"], {})
    assert woke(table) == ""


def test_a_tray_without_a_bay_is_told_of_without_places(woken: Session, open_table: Callable[..., Session]) -> None:
    assert woken.snapshot().game is not None
    assert "These dice should be on the table: 3 x Happy, Three, Star and Go." in woke(open_table(bay=False))


def test_after_a_restart_no_present_picture_is_shown_as_how_a_die_lay(woken: Session, dice: Any, sight: Any) -> None:
    dice.faces[4] = "star"
    woken.observe(dice.look(), sight)
    (wrong,) = woken.snapshot().put_back
    assert (wrong.die, wrong.face, wrong.title) == (4, "happy", "Happy")
    assert (wrong.crop_before, bool(wrong.crop_now)) == ("", True)


def test_a_die_in_the_wrong_place_after_a_restart_has_its_drawn_face_as_how_it_lay(
    woken: Session, dice: Any, sight: Any
) -> None:
    woken.observe(dice.carry(Zone.FIELD, 3), sight)
    (wrong,) = woken.snapshot().put_back
    assert (wrong.die, wrong.face, wrong.place) == (3, "star", "aside")
    assert (wrong.crop_before, bool(wrong.crop_now)) == ("", True)
    woken.observe(dice.carry(Zone.ASIDE, 3), sight)
    assert woken.snapshot().put_back == ()
