"""The box's panel: what lamp and buzzer say of the table, and what the button says to it."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from hardware.cameras.base import CameraReport, CameraStatus
from hardware.wiring import LampSignal, PressLength, Sound
from models import die_sets
from referee.actions import Action
from referee.dice import Die, Zone
from referee.fair_play import is_asked_note
from referee.games import games
from referee.journal import NOBODY, Actor, Deed, Source
from referee.sentences import Reason, Refused
from referee.snapshot import NoticeMood, Offer, Question, Snapshot
from tests.waiting import wait_until
from vander.bench.speed_benchmark import play_random_game
from vander.box.panel import (
    ANSWER_S,
    BREACH,
    DECIDE,
    DOUBT,
    HELD_LONG,
    LENT,
    LOST_AFTER_S,
    MEANINGS,
    NO_CAMERA,
    NO_GAME,
    SHUTTING_DOWN,
    THROW,
    UNDERVOLTAGE,
    UNSAVED,
    ButtonBindings,
    ConfirmReading,
    DoAction,
    Indicators,
    NeedsTablet,
    Panel,
    ReadyToThrow,
    on_confirm,
    on_end_turn,
    open_panel,
    signal_of,
    take_picture,
)
from vander.learning.accuracy import AccuracyLog, SpotChecker
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import Press, load
from vander.table.questions import AS_IT_LIES
from vander.table.session import Session, open_session
from vander.table.snapshot_builder import LENT as TRAY_IS_LENT
from web.schemas.learning_schemas import Choices

OPENING = ("go", "happy", "happy", "star", "two", "three")
WELL_S = 60.0
GAMES = {game.name: game for game in games()}
THROWN, OTHERWISE = (
    Offer(Action(1, "roll", (Die.parse("d6:?"),)), "Roll", by_tap=False),
    Offer(Action(1, "on"), "Play on", by_tap=True),
)
END, GIVE_UP = Offer(Action(1, "end"), "End", by_tap=True), Offer(Action(1, "give-up"), "Give up", by_tap=True)
PARK = Offer(Action(1, "park"), "Park", by_tap=False)
AS_THEY_LIE = Question(4, "Put the dice right.", ((AS_IT_LIES, "Go on as the dice lie"),))
A_FACE = Question(5, "What does this die show?", (("happy", "Happy"), ("sad", "Sad")), die=2)
A_WAY = Question(6, "What happened?", (("0", "Play on"), (AS_IT_LIES, "None of these")))
CALM = Snapshot(1, game=GAMES["intersection"], offers=(THROWN,))


# What the lamp shows


@pytest.mark.parametrize(
    ("signal", "differs"),
    [
        (THROW, {}),
        (THROW, {"offers": (THROWN, THROWN, GIVE_UP)}),
        (DECIDE, {"offers": (THROWN, END)}),
        (DECIDE, {"offers": (THROWN, PARK)}),
        (DECIDE, {"mood": NoticeMood.ASK, "notice": "Bob may put the disk down."}),
        (DECIDE, {"questions": (A_WAY,), "mood": NoticeMood.ASK}),
        (DOUBT, {"questions": (A_FACE,), "mood": NoticeMood.ASK}),
        (DOUBT, {"check": 3}),
        (BREACH, {"mood": NoticeMood.BREACH, "questions": (AS_THEY_LIE,)}),
        (NO_CAMERA, {"camera_trouble": "The camera is gone.", "mood": NoticeMood.LOST}),
        (LENT, {"lent": True, "camera_trouble": TRAY_IS_LENT, "mood": NoticeMood.LOST}),
        (LENT, {"lent": True}),
        (UNDERVOLTAGE, {"low_power": True}),
        (UNSAVED, {"unsaved": True, "mood": NoticeMood.LOST}),
        (NO_GAME, {"offers": ()}),
        (NO_GAME, {"offers": (), "game": None}),
    ],
)
def test_each_thing_that_the_referee_waits_for_has_its_signal(signal: LampSignal, differs: dict[str, Any]) -> None:
    assert signal_of(replace(CALM, **differs)) == signal


def test_what_hinders_all_else_is_shown_first() -> None:
    at_once = replace(
        CALM,
        unsaved=True,
        low_power=True,
        check=3,
        camera_trouble="The camera is gone.",
        mood=NoticeMood.BREACH,
        questions=(A_FACE,),
        offers=(THROWN, END),
    )
    shown = [signal_of(at_once)]
    for gone in (
        {"unsaved": False},
        {"low_power": False},
        {"camera_trouble": ""},
        {"mood": NoticeMood.ASK},
        {"questions": (), "check": None},
        {"mood": NoticeMood.CALM, "offers": (THROWN,)},
        {"offers": ()},
    ):
        at_once = replace(at_once, **gone)
        shown.append(signal_of(at_once))
    assert shown == [UNSAVED, UNDERVOLTAGE, NO_CAMERA, BREACH, DOUBT, DECIDE, THROW, NO_GAME]


def test_every_signal_has_a_meaning_and_a_rhythm_of_its_own() -> None:
    assert len({signal.rhythm for signal in MEANINGS}) == len(MEANINGS) == 11
    assert all(meaning.endswith(".") for meaning in MEANINGS.values())


# What a press means


@pytest.mark.parametrize(
    ("meant", "differs"),
    [
        (DoAction(Action(1, "on")), {"offers": (OTHERWISE,)}),
        (DoAction(Action(1, "on")), {"offers": (OTHERWISE, GIVE_UP)}),
        (DoAction(Action(1, "end")), {"offers": (END,)}),
        (ReadyToThrow(), {}),
        (ReadyToThrow(), {"offers": (THROWN, GIVE_UP)}),
        (ReadyToThrow(), {"offers": (THROWN, PARK, END)}),
        (NeedsTablet(), {"offers": (OTHERWISE, END)}),
        (NeedsTablet(), {"offers": (THROWN, OTHERWISE)}),
        (NeedsTablet(), {"offers": (GIVE_UP,)}),
        (NeedsTablet(), {"offers": ()}),
        (NeedsTablet(), {"offers": (), "game": None}),
        (NeedsTablet(), {"questions": (AS_THEY_LIE,), "mood": NoticeMood.BREACH}),
        (NeedsTablet(), {"questions": (AS_THEY_LIE, A_FACE)}),
        (NeedsTablet(), {"questions": (A_FACE,), "offers": (OTHERWISE,)}),
        (NeedsTablet(), {"questions": (replace(A_FACE, choices=(("sad", "Sad"),)),), "offers": (OTHERWISE,)}),
        (NeedsTablet(), {"questions": (A_WAY,), "offers": (OTHERWISE,)}),
        (ConfirmReading(3), {"check": 3, "offers": (OTHERWISE,)}),
        (NeedsTablet(), {"lent": True, "camera_trouble": TRAY_IS_LENT, "offers": (OTHERWISE,)}),
        (NeedsTablet(), {"camera_trouble": "The camera is gone.", "mood": NoticeMood.LOST}),
        (
            NeedsTablet(),
            {"camera_trouble": "The camera is gone.", "mood": NoticeMood.LOST, "offers": (THROWN, PARK, END)},
        ),
        (
            DoAction(Action(1, "on")),
            {"camera_trouble": "The camera is gone.", "mood": NoticeMood.LOST, "offers": (OTHERWISE,)},
        ),
    ],
)
def test_a_short_press_says_yes_where_there_is_one_thing_to_say_yes_to(meant: object, differs: dict[str, Any]) -> None:
    assert on_confirm(replace(CALM, **differs)) == meant


@pytest.mark.parametrize(
    ("meant", "differs"),
    [
        (DoAction(Action(1, "end")), {"offers": (THROWN, OTHERWISE, END, GIVE_UP)}),
        (NeedsTablet(), {"offers": (THROWN, OTHERWISE, GIVE_UP)}),
        (NeedsTablet(), {"offers": (END, replace(END, action=Action(2, "end")))}),
        (NeedsTablet(), {"offers": (END,), "lent": True, "camera_trouble": TRAY_IS_LENT}),
        (NeedsTablet(), {"offers": (), "game": None}),
    ],
)
def test_a_long_press_ends_the_turn_where_one_player_may(meant: object, differs: dict[str, Any]) -> None:
    assert on_end_turn(replace(CALM, **differs)) == meant


@pytest.mark.parametrize(
    ("game", "verbs"),
    [
        ("intersection", {"end"}),
        ("toss-up", {"end"}),
        ("dice-county-fair", {"done"}),
        ("rollers", {"stop", "done"}),
        ("switch-16", {"end"}),
        ("dice", set()),
    ],
)
def test_in_every_game_a_long_press_ends_turns_in_the_games_own_words(game: str, verbs: set[str]) -> None:
    said = set()
    for ruling in islice(play_random_game(GAMES[game], random.Random(7)), 400):  # noqa: S311 -- play, not secrets
        state = ruling.state
        legal = GAMES[game].legal(state)
        now = Snapshot(
            1, game=GAMES[game], state=state, offers=tuple(Offer(one, "", not one.is_throw) for one in legal)
        )
        meant = on_end_turn(now)
        if isinstance(meant, DoAction):
            assert meant.action in legal
            said.add(meant.action.verb)
    assert said == verbs


# The face


@dataclass
class Paper:
    """A recording lamp and buzzer, with a clock that stands still."""

    shown: list[LampSignal | tuple[int, ...]] = field(default_factory=list)
    heard: list[Sound] = field(default_factory=list)
    closed: int = 0
    seconds: float = 100.0

    def show(self, signal: LampSignal) -> None:
        self.shown.append(signal)

    def flash(self, numbers: Any) -> None:
        self.shown.append(tuple(numbers))

    def sound(self, sound: Sound) -> None:
        self.heard.append(sound)

    def close(self) -> None:
        self.closed += 1

    def clock(self) -> float:
        return self.seconds

    @property
    def lamp(self) -> LampSignal | tuple[int, ...]:
        return self.shown[-1]


@pytest.fixture
def paper() -> Paper:
    return Paper()


@pytest.fixture
def indicators(paper: Paper) -> Indicators:
    return Indicators(paper, paper, CALM, paper.clock)


def test_a_no_is_shown_for_a_while_and_then_the_table_again(indicators: Indicators, paper: Paper) -> None:
    indicators.reject()
    assert (paper.lamp, paper.heard) == (DOUBT, [Sound.NO])
    paper.seconds += ANSWER_S / 2
    indicators.update(CALM)
    assert paper.lamp == DOUBT
    paper.seconds += ANSWER_S
    indicators.update(CALM)
    assert paper.lamp == THROW


def test_a_yes_takes_the_place_of_a_no(indicators: Indicators, paper: Paper) -> None:
    deciding = replace(CALM, offers=(THROWN, END))
    indicators.update(deciding)
    indicators.reject()
    indicators.confirm()
    assert (paper.lamp, paper.heard) == (DECIDE, [Sound.NO, Sound.CONFIRM])
    indicators.confirm(go_ahead=True)
    assert paper.lamp == THROW


def test_the_finger_comes_before_all_else_and_a_code_before_the_table(indicators: Indicators, paper: Paper) -> None:
    indicators.flash((1, 2, 3, 4, 5, 6))
    assert paper.lamp == (1, 2, 3, 4, 5, 6)
    indicators.update(replace(CALM, mood=NoticeMood.BREACH))
    assert paper.lamp == (1, 2, 3, 4, 5, 6)
    indicators.reject()
    assert paper.lamp == DOUBT
    indicators.button_held()
    assert (paper.lamp, paper.heard[-1]) == (HELD_LONG, Sound.TICK)
    indicators.shutting_down()
    indicators.button_released()
    indicators.button_held()
    indicators.button_released()
    assert paper.lamp == SHUTTING_DOWN
    indicators.shutdown_failed()
    paper.seconds += ANSWER_S
    indicators.update(CALM)
    assert paper.lamp == (1, 2, 3, 4, 5, 6)
    indicators.flash(())
    assert paper.lamp == THROW


def test_each_breach_is_heard_once(indicators: Indicators, paper: Paper) -> None:
    breach = replace(CALM, mood=NoticeMood.BREACH, notice="A star was thrown.")
    for _ in range(3):
        indicators.update(breach)
    assert paper.heard == [Sound.BREACH]
    indicators.update(replace(breach, notice="A die was turned.", step="1.7"))
    indicators.update(CALM)
    indicators.update(breach)
    assert paper.heard == [Sound.BREACH] * 3


def test_a_journal_that_cannot_be_written_is_heard_again_with_each_throw(indicators: Indicators, paper: Paper) -> None:
    unsaved = replace(CALM, unsaved=True, mood=NoticeMood.LOST)
    for held in (0, 0, 1, 1, 2, 2):
        indicators.update(replace(unsaved, held_throws=held))
    assert paper.heard == [Sound.UNSAVED] * 3
    indicators.update(CALM)
    indicators.update(unsaved)
    assert paper.heard == [Sound.UNSAVED] * 4


def test_a_camera_that_stays_away_is_heard_once_and_one_that_is_hidden_for_a_moment_is_not(
    indicators: Indicators, paper: Paper
) -> None:
    lost = replace(CALM, camera_trouble="The camera is gone.", mood=NoticeMood.LOST)
    indicators.update(lost)
    paper.seconds += LOST_AFTER_S / 2
    indicators.update(CALM)
    indicators.update(lost)
    assert paper.heard == []
    for _ in range(3):
        paper.seconds += LOST_AFTER_S
        indicators.update(lost)
    assert paper.heard == [Sound.LOST]
    indicators.update(CALM)
    indicators.update(lost)
    paper.seconds += LOST_AFTER_S
    indicators.update(lost)
    assert paper.heard == [Sound.LOST] * 2


def test_a_closed_face_says_nothing_more(indicators: Indicators, paper: Paper) -> None:
    indicators.close()
    before = len(paper.shown)
    indicators.update(replace(CALM, mood=NoticeMood.BREACH))
    indicators.flash((1,))
    indicators.reject()
    assert (len(paper.shown), paper.heard, paper.closed) == (before, [], 2)


# The panel at a table


class WiredPanel:
    """A panel with a paper face, and what was asked of the box."""

    def __init__(self, table: Any, paper: Paper) -> None:
        self.paper = paper
        self.shots = 0
        self.showing = False
        self.left = Event()
        self.in_the_way: Exception | None = None
        does: dict[PressLength, Press] = {
            PressLength.SHORT: "confirm",
            PressLength.LONG: "end-turn",
            PressLength.VERY_LONG: "shutdown",
        }
        self.pairs, self.paired = False, 0
        presses = ButtonBindings(does, self.shutter, self.pairing, self.shutdown)
        self.panel = Panel(table, Indicators(paper, paper, table.snapshot(), paper.clock), presses)

    def shutter(self) -> bool:
        self.shots += self.showing
        return self.showing

    def pairing(self) -> bool:
        self.paired += self.pairs
        return self.pairs

    def shutdown(self) -> None:
        if self.in_the_way:
            raise self.in_the_way
        self.left.set()

    def press(self, held: PressLength) -> Sound:
        """Press, and listen to what comes of it."""
        before = len(self.paper.heard)
        self.panel.press(held)
        wait_until(lambda: len(self.paper.heard) > before)
        return self.paper.heard[-1]


@pytest.fixture
def solo(table: Session, dice: Any) -> Session:
    """Ann plays alone, and the dice lie anyhow."""
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    return table


@pytest.fixture
def wired(solo: Session, paper: Paper) -> Iterator[WiredPanel]:
    made = WiredPanel(solo, paper)
    made.panel.start()
    with closing(made.panel):
        yield made


def done(folder: Path) -> list[str]:
    with closing(Journal.in_folder(folder)) as journal:
        kept = journal.latest()
        entries = journal.entries(kept.number) if kept else ()
    return [f"{entry.source} {entry.action or entry.deed}" for entry in entries if not is_asked_note(entry)]


def test_the_lamp_follows_the_table(wired: WiredPanel, solo: Session, dice: Any) -> None:
    wait_until(lambda: wired.paper.lamp == THROW)
    solo.observe(dice.roll(*OPENING))
    wait_until(lambda: wired.paper.lamp == DECIDE)
    solo.observe(dice.throw(d1="star"))
    wait_until(lambda: wired.paper.lamp == BREACH)
    assert wired.paper.heard == [Sound.BREACH]
    solo.report_camera(CameraReport(CameraStatus.LOST, "The camera is gone."))
    wait_until(lambda: wired.paper.lamp == NO_CAMERA)


def test_a_long_press_ends_the_turn_and_the_journal_says_that_the_button_did(
    wired: WiredPanel, solo: Session, dice: Any, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "happy", "star", "two"))
    assert wired.press(PressLength.LONG) is Sound.NO
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    assert wired.press(PressLength.LONG) is Sound.CONFIRM
    assert done(tmp_path)[1:] == ["camera 1 park traffic:happy traffic:happy traffic:happy", "button 1 end"]


def test_a_short_press_makes_no_turned_die_official(
    wired: WiredPanel, solo: Session, dice: Any, tmp_path: Path
) -> None:
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.throw(d1="star"))
    wait_until(lambda: wired.paper.lamp == BREACH)
    assert wired.press(PressLength.SHORT) is Sound.NO
    assert solo.snapshot().mood == "breach"
    assert done(tmp_path)[1:] == [f"camera {Deed.BREACH}"]


def test_a_short_press_guesses_no_face(wired: WiredPanel, solo: Session, dice: Any, tmp_path: Path) -> None:
    dice.roll(*OPENING)
    dice.unsure[1] = (("sad", 0.4),)
    solo.observe(dice.look())
    (question,) = solo.snapshot().questions
    assert question.die
    wait_until(lambda: wired.paper.lamp == DOUBT)
    assert wired.press(PressLength.SHORT) is Sound.NO
    assert solo.snapshot().questions == (question,)
    assert done(tmp_path) == []


def test_where_only_a_throw_is_left_a_short_press_changes_nothing_and_says_go_ahead(
    wired: WiredPanel, solo: Session, tmp_path: Path
) -> None:
    before = solo.snapshot()
    assert wired.press(PressLength.SHORT) is Sound.CONFIRM
    wait_until(lambda: wired.paper.lamp == THROW)
    assert (solo.snapshot(), done(tmp_path)) == (before, [])


def test_nobody_is_told_to_go_ahead_and_throw_while_the_camera_is_gone(wired: WiredPanel, solo: Session) -> None:
    solo.report_camera(CameraReport(CameraStatus.LOST, "The camera is gone."))
    wait_until(lambda: wired.paper.lamp == NO_CAMERA)
    assert wired.press(PressLength.SHORT) is Sound.NO
    assert wired.paper.lamp == DOUBT


def test_an_action_that_is_refused_after_all_is_a_no_and_nothing_is_logged(
    solo: Session, dice: Any, paper: Paper, caplog: pytest.LogCaptureFixture
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "happy", "star", "two"))
    solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
    stale = solo.snapshot()
    solo.act("1 end")
    wired = WiredPanel(OldNews(solo, stale), paper)
    assert wired.press(PressLength.LONG) is Sound.NO
    assert caplog.records == []
    wired.panel.close()


@dataclass
class OldNews:
    """A table of which one only knows how it was: it went on meanwhile."""

    table: Session
    old: Snapshot

    def snapshot(self) -> Snapshot:
        return self.old

    def wait(self, number: int, timeout: float) -> Snapshot:
        return self.table.wait(number, timeout)

    def act(self, text: str, source: Source = Source.TABLET, *, by: Actor = NOBODY) -> None:
        self.table.act(text, source, by=by)

    def checked(self, number: int, wrong: Mapping[int, str], *, by: Actor = NOBODY) -> None:
        self.table.checked(number, wrong, by=by)


def test_a_short_press_says_that_a_throw_was_read_right(dice: Any, paper: Paper, tmp_path: Path) -> None:
    choices, certificates = PreferenceStore(tmp_path), AccuracyLog(tmp_path)
    choices.save(Choices(check_one_in=1))
    with closing(Journal.in_folder(tmp_path)) as journal:
        checker = SpotChecker(certificates, choices)
        evidence, intersection = EvidenceStore(tmp_path / "evidence"), die_sets.load("intersection")
        table = open_session(journal, evidence, games=games(), dice=intersection, checker=checker)
        table.observe(dice.look())
        table.start("intersection", ["Ann"], {})
        table.observe(dice.roll(*OPENING))
        assert table.check()
        wired = WiredPanel(table, paper)
        assert signal_of(table.snapshot()) == DOUBT
        assert wired.press(PressLength.SHORT) is Sound.CONFIRM
        assert table.check() is None
        assert (certificates.tally.checks, certificates.tally.clean) == (1, 1)
        wired.panel.close()


def test_while_dice_are_shown_a_short_press_is_the_shutter(wired: WiredPanel, solo: Session, tmp_path: Path) -> None:
    solo.lend_tray(True)
    wait_until(lambda: wired.paper.lamp == LENT)
    wired.showing = True
    assert wired.press(PressLength.SHORT) is Sound.CONFIRM
    assert wired.shots == 1
    assert wired.press(PressLength.LONG) is Sound.NO
    assert done(tmp_path) == []


def test_a_press_that_the_game_has_no_use_for_may_be_about_pairing(
    wired: WiredPanel, solo: Session, dice: Any, tmp_path: Path
) -> None:
    wired.pairs = True
    assert wired.press(PressLength.SHORT) is Sound.CONFIRM  # only a throw is due
    assert wired.paired == 1
    solo.observe(dice.roll(*OPENING))
    solo.observe(dice.throw(d1="star"))
    wait_until(lambda: wired.paper.lamp == BREACH)
    assert wired.press(PressLength.SHORT) is Sound.CONFIRM
    assert wired.paired == 2
    assert done(tmp_path)[-1] == f"camera {Deed.BREACH}"


def test_a_very_long_press_shuts_down_and_says_so(wired: WiredPanel) -> None:
    wired.panel.on_long_hold()
    assert wired.paper.lamp == HELD_LONG
    assert wired.press(PressLength.VERY_LONG) is Sound.CONFIRM
    assert wired.left.wait(WELL_S)
    assert wired.paper.lamp == SHUTTING_DOWN


def test_a_box_that_cannot_shut_down_says_no_and_goes_on(
    wired: WiredPanel, solo: Session, dice: Any, caplog: pytest.LogCaptureFixture
) -> None:
    wired.in_the_way = OSError("systemctl is not there")
    wired.panel.press(PressLength.VERY_LONG)
    wait_until(lambda: wired.paper.heard[-1:] == [Sound.NO])
    assert "systemctl is not there" in caplog.text
    wait_until(lambda: wired.paper.lamp == DOUBT)
    wired.paper.seconds += ANSWER_S
    solo.observe(dice.roll(*OPENING))
    wait_until(lambda: wired.paper.lamp == DECIDE)


@dataclass
class SlowTable(OldNews):
    """A table that takes its time to do what it is told."""

    doing: Event = field(default_factory=Event)
    go: Event = field(default_factory=Event)
    done: list[str] = field(default_factory=list)

    def act(self, text: str, source: Source = Source.TABLET, *, by: Actor = NOBODY) -> None:
        self.doing.set()
        assert self.go.wait(WELL_S)
        self.done.append(f"{source} {text}")


def test_a_hasty_second_press_is_told_no_and_does_nothing(solo: Session, paper: Paper) -> None:
    table = SlowTable(solo, replace(CALM, offers=(THROWN, END)))
    wired = WiredPanel(table, paper)
    wired.panel.press(PressLength.LONG)
    assert table.doing.wait(WELL_S)
    assert wired.press(PressLength.LONG) is Sound.NO
    table.go.set()
    wait_until(lambda: paper.heard[-1] is Sound.CONFIRM)
    assert table.done == ["button 1 end"]
    wired.panel.close()


def test_closing_lets_a_press_come_to_its_end(solo: Session, paper: Paper) -> None:
    table = SlowTable(solo, replace(CALM, offers=(THROWN, END)))
    wired = WiredPanel(table, paper)
    wired.panel.press(PressLength.LONG)
    assert table.doing.wait(WELL_S)
    table.go.set()
    wired.panel.close()
    assert table.done == ["button 1 end"]
    wired.panel.press(PressLength.LONG)
    assert table.done == ["button 1 end"]
    assert paper.closed == 2


@dataclass
class Stumbling(OldNews):
    """A table that breaks down once."""

    broke: Event = field(default_factory=Event)

    def wait(self, number: int, timeout: float) -> Snapshot:
        if not self.broke.is_set():
            self.broke.set()
            raise RuntimeError("the table broke down")
        return super().wait(number, timeout)


def test_a_stumble_is_logged_and_the_panel_goes_on(
    solo: Session, dice: Any, paper: Paper, caplog: pytest.LogCaptureFixture
) -> None:
    wired = WiredPanel(Stumbling(solo, solo.snapshot()), paper)
    wired.panel.start()
    with closing(wired.panel):
        solo.observe(dice.roll(*OPENING))
        wait_until(lambda: paper.lamp == DECIDE)
    assert [(record.levelno, record.message) for record in caplog.records] == [
        (logging.ERROR, "panel: update failed: the table broke down")
    ]


class Burnt(Paper):
    """A lamp that raises whatever it is shown, once it has been lit."""

    def show(self, signal: LampSignal) -> None:
        super().show(signal)
        raise OSError("the pin is gone")


def test_a_lamp_that_is_gone_for_good_is_told_once_and_asked_again(
    solo: Session, caplog: pytest.LogCaptureFixture
) -> None:
    burnt = Burnt()
    wired = WiredPanel(solo, burnt)
    wired.panel.start()
    with closing(wired.panel):
        wait_until(lambda: len(burnt.shown) > 1)
    assert [record.message for record in caplog.records] == ["panel: update failed: the pin is gone"]


def test_a_code_is_flashed_until_it_is_over(wired: WiredPanel) -> None:
    wired.panel.show_code((1, 2, 3, 4, 5, 6))
    wait_until(lambda: wired.paper.lamp == (1, 2, 3, 4, 5, 6))
    wired.panel.show_code(None)
    wait_until(lambda: wired.paper.lamp == THROW)


def test_what_a_press_does_is_chosen_and_nothing_is_a_choice(solo: Session, paper: Paper) -> None:
    presses = ButtonBindings(
        {PressLength.SHORT: "shutdown", PressLength.LONG: "nothing", PressLength.VERY_LONG: "nothing"}, bool, bool, bool
    )
    box = Panel(solo, Indicators(paper, paper, solo.snapshot(), paper.clock), presses)
    box.on_long_hold()
    box.press(PressLength.LONG)
    box.press(PressLength.VERY_LONG)
    assert paper.heard == []
    box.press(PressLength.SHORT)
    wait_until(lambda: paper.shown[-1] == SHUTTING_DOWN)
    box.close()


# The shutter


@dataclass
class Shows:
    """A learning service to which dice are shown, or not."""

    showing: Any = None
    turned: str = ""
    said: list[str] = field(default_factory=list)

    def shutter(self) -> None:
        if self.turned:
            raise Refused(self.turned, Reason.CONFLICT)
        self.said.append("click")

    def report_trouble(self, words: str) -> None:
        self.said.append(words)


def test_a_picture_is_taken_only_of_dice_that_are_shown() -> None:
    assert not take_picture(Shows())
    shows = Shows(showing=die_sets.load("d6"))
    assert take_picture(shows)
    assert shows.said == ["click"]


def test_a_picture_that_cannot_be_taken_is_said_on_the_page_and_told() -> None:
    shows = Shows(die_sets.load("d6"), "Wait until the dice lie still.")
    with pytest.raises(Refused, match="lie still"):
        take_picture(shows)
    assert shows.said == ["Wait until the dice lie still."]


# A whole box, at mock pins


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()  # closing does not let go of mock pins
    Device.pin_factory = before


def lit(pins: MockFactory) -> tuple[int, ...]:
    return tuple(int(pins.pin(pin).state) for pin in (22, 27, 24))


def test_a_box_with_all_its_parts_plays(solo: Session, dice: Any, pins: MockFactory, tmp_path: Path) -> None:
    settings = load(button_pin=17, lamp_pins="22,27,24", buzzer_pin=23, long_press_s=0.3)
    box = open_panel(settings, solo, shutter=bool, pairing=bool, shutdown=bool)
    box.start()
    with closing(box):
        wait_until(lambda: lit(pins) == (0, 1, 0))
        solo.observe(dice.roll("go", "happy", "happy", "happy", "star", "two"))
        wait_until(lambda: lit(pins) == (0, 0, 1))
        solo.observe(dice.carry(Zone.ASIDE, 1, 2, 3))
        pins.pin(17).drive_low()
        wait_until(lambda: lit(pins) == (1, 1, 1))
        pins.pin(17).drive_high()
        wait_until(lambda: done(tmp_path)[-1] == "button 1 end")
        wait_until(lambda: lit(pins) == (0, 1, 0))
    assert True in [state.state for state in pins.pin(23).states]
    assert {pins.pin(pin).function for pin in (17, 22, 23, 24, 27)} == {"input"}


@pytest.mark.usefixtures("pins")
def test_a_box_that_shall_be_silent_leaves_the_buzzers_pin_alone(solo: Session, pins: MockFactory) -> None:
    with closing(open_panel(load(buzzer_pin=23, sound=False), solo, shutter=bool, pairing=bool, shutdown=bool)):
        assert pins.pin(23).function == "input"


def test_a_box_with_nothing_on_its_pins_needs_none(solo: Session, caplog: pytest.LogCaptureFixture) -> None:
    before, Device.pin_factory = Device.pin_factory, None
    try:
        with closing(open_panel(load(), solo, shutter=bool, pairing=bool, shutdown=bool)) as box:
            box.start()
            box.show_code((1, 2, 3, 4, 5, 6))
    finally:
        Device.pin_factory = before
    assert caplog.records == []


def test_a_part_that_cannot_be_had_is_logged_in_one_sentence_and_the_rest_goes_on(
    solo: Session, dice: Any, pins: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    settings = load(button_pin=24, lamp_pins="22,27,24", buzzer_pin=22)
    box = open_panel(settings, solo, shutter=bool, pairing=bool, shutdown=bool)
    box.start()
    with closing(box):
        wait_until(lambda: lit(pins) == (0, 1, 0))
    assert [record.message.partition(" cannot")[0] for record in caplog.records] == [
        "panel: pin left out: the buzzer at pin 22",
        "panel: pin left out: the button at pin 24",
    ]
