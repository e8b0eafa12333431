"""A table with its virtual tray, its camera, the real pipeline and a real session, looked at frame by frame.

No time passes but by `look`: a frame of the tray's time each, as the camera loop would handle it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.fair_cases.episodes import Event, as_texts, begin_game, new_episode, open_table, record, tell
from bench.simulator_truth import TrueTrayDie, nearest_die, true_places, truth_at_rest
from hardware.cameras.base import CameraError
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import REACHING_SECONDS, VirtualTray
from models import die_sets
from referee.actions import Action, GameState
from referee.dice import Die, DieSet
from referee.game import Game, read_options
from referee.journal import Entry
from referee.snapshot import Snapshot
from vander.app.camera_loop import CameraRecovery, error_report, feed_report
from vander.resources.models_and_stores import LoadedModels
from vander.storage.journal_store import Journal
from vander.table.session import Session
from vision.feed_health import FeedFault
from vision.frame_reader import DieReader
from vision.frames import Frame
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout

SIZE = (640, 480)
"""The picture that is rendered: the reader reads dice of 16 mm well in it."""
NAMES = ("Ann", "Bob", "Cy")
PLAIN_DICE = "d6"
REST_SECONDS = 0.67
"""How long the table is looked at after it came to rest, since the pipeline may look again."""
MOST_SECONDS = 12.0
"""A table that does not come to rest meanwhile never will."""


@dataclass(frozen=True)
class Feed:
    """How the camera gives its pictures: so many a second, a share of them lost."""

    fps: float = 15.0
    lose: float = 0.0


@dataclass(frozen=True)
class Setting:
    """What a table is set up with: `reader` is None for the shipped one, `look` is '' for drawings trained on."""

    game: Game
    models: LoadedModels
    feed: Feed = Feed()
    look: str = ""
    reader: DieReader | None = None
    size: tuple[int, int] = SIZE

    @property
    def dice(self) -> DieSet:
        """The dice that are played with."""
        return die_sets.load(self.game.die_set or PLAIN_DICE)


@dataclass(frozen=True)
class Moment:
    """A snapshot that was shown, and when: in seconds of the frames."""

    at: float
    shown: Snapshot


@dataclass
class Story:
    """All that was shown since it began, and how many entries the journal had then."""

    entries: int
    moments: list[Moment] = field(default_factory=list)


class FairTable:
    """A game under way at a virtual tray: `tray` is what hands may touch, `session` what tablets may ask."""

    def __init__(self, folder: Path, setting: Setting, tray: VirtualTray, seed: int) -> None:
        self.setting, self.tray, self._folder = setting, tray, folder
        self.rng = random.Random(seed)  # noqa: S311 -- play
        self.camera = VirtualCamera(tray, paced=False, seed=seed, rate=setting.feed.fps)
        self._clock, self._number = 1000.0, 0
        self._journal = Journal.in_folder(folder)
        self.episode = new_episode(setting.game.name, NAMES[: max(setting.game.seats[0], 2)])
        self.session = self._open_session()
        self._recovery, self._is_open, self._occasion = CameraRecovery(), False, None
        self._pipeline: Pipeline | None = None
        self.seen = Observation(0, 0, at_rest=False)
        self.story = Story(0)
        self.moved_at = self.ruled_at = self._clock
        self._moment = -1

    def begin(self, actions: Sequence[Action], options: Mapping[str, str] | None = None) -> GameState:
        """Begin a game in which these actions were done, and look at the table until it lies still."""
        self.episode.options = read_options(self.setting.game.options, options or {})
        self.episode.actions = as_texts(actions)
        begin_game(self._journal, self.episode, self.setting.dice.name)
        self._open_again("begin")
        self.settle()
        self.listen()
        return self.state

    def _open_session(self) -> Session:
        return record(open_table(self._journal, self._folder, self.setting.dice.name), self.episode)

    def _open_again(self, why: str) -> None:
        """Open a session of what the journal holds now, and let the episode know."""
        self.session.close()
        self.session = self._open_session()
        self.episode.events.append(Event(why, [], told=tell(self.session)))

    def close(self) -> None:
        """Put everything away."""
        self.session.close()
        self.camera.close()
        self._journal.close()

    # Time

    @property
    def now(self) -> float:
        """The seconds of the frames."""
        return self._clock

    def look(self) -> None:
        """Let one frame's time pass, and handle what the camera gives, as the camera loop does."""
        self._clock += 1 / self.setting.feed.fps
        try:
            if not self._is_open:
                self.camera.open()
                self._is_open = True
            frame = self.camera.frame()
        except CameraError as error:
            self._camera_failed(error)
        else:
            self._number += 1
            if self.rng.random() >= self.setting.feed.lose:
                self.handle(replace(frame, taken_at=self._clock, number=self._number))
        self._note()

    def handle(self, frame: Frame) -> None:
        """Pass a frame through the pipeline to the session."""
        pipeline = self._current_pipeline()
        self.seen = pipeline.process(frame)
        self._recovery = self._recovery.saw(pipeline.is_fresh or pipeline.is_blind, frame.taken_at)
        if self._recovery.is_over and pipeline.fault is not FeedFault.FROZEN:
            self.session.observe(self.seen, pipeline, self._occasion)
        report = feed_report(pipeline.fault)
        self.session.report_camera(report if self._recovery.is_over else self._recovery.trouble)
        if pipeline.fault is FeedFault.FROZEN:
            self._recovery = self._recovery.failed(report)
            pipeline.mark_lost()

    def _camera_failed(self, error: CameraError) -> None:
        self._recovery = self._recovery.failed(error_report(error))
        if self._pipeline is not None:
            self._pipeline.mark_lost()
        self.session.report_camera(self._recovery.trouble)
        self.camera.close()
        self._is_open = False
        self.tray.advance(1 / self.setting.feed.fps)

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline that reads the frames now."""
        return self._current_pipeline()

    def _current_pipeline(self) -> Pipeline:
        occasion = self.session.occasion
        if self._pipeline is None or occasion != self._occasion:
            models, reader = self.setting.models, self.setting.reader
            self._pipeline = models.pipeline(self.setting.dice, TrayLayout(), reader=reader)
            self._occasion = occasion
        return self._pipeline

    def _note(self) -> None:
        shown, moment = self.session.snapshot(), self.tray.scene().moment
        if moment != self._moment:
            self.moved_at, self._moment = self._clock, moment
        last = self.story.moments[-1].shown if self.story.moments else None
        if last is None or shown.number != last.number:
            self.story.moments.append(Moment(self._clock, shown))
            if last is None or _ruled(last) != _ruled(shown):
                self.ruled_at = self._clock

    @property
    def lies_still(self) -> bool:
        """True if nothing has moved since the table was last looked at long enough."""
        quiet = self.seen.at_rest and not self.seen.hands_in and self.tray.scene().moment == self._moment
        return quiet and self._clock - self.moved_at >= REST_SECONDS

    def wait(self, seconds: float) -> None:
        """Process frames for this many seconds."""
        until = self._clock + seconds - 1e-6
        while self._clock < until:
            self.look()

    def wait_for_rest(self) -> None:
        """Look until no die moves any more, and no longer."""
        self.wait_until(lambda: self._moment == self.tray.scene().moment and self._clock > self.moved_at)

    def wait_for_last_roll(self) -> None:
        """Look until a hand that reaches in now takes the dice as they come to rest."""
        self.wait_until(lambda: self.tray.rests_in() <= REACHING_SECONDS)

    def wait_until(self, over: Callable[[], bool], most: float = MOST_SECONDS) -> bool:
        """Look until something is so; False if it never was."""
        until = self._clock + most
        while self._clock < until:
            self.look()
            if over():
                return True
        return False

    def settle(self, most: float = MOST_SECONDS) -> bool:
        """Look until nothing has moved for a while; False if the table does not come to rest."""
        since = self._clock

        def is_quiet() -> bool:
            nonlocal since
            quiet = self.seen.at_rest and not self.seen.hands_in and self._clock > self.moved_at
            since = since if quiet else self._clock
            return self._clock - since >= REST_SECONDS

        return self.wait_until(is_quiet, most)

    def skip(self, seconds: float) -> None:
        """Let time pass of which the camera gives no frames."""
        self.tray.advance(seconds)
        self._clock += seconds
        self._number += round(seconds * self.setting.feed.fps)
        self._note()

    def shuffle(self, seconds: float) -> None:
        """Let the camera give its frames in pairs for so long: the later one first, and then twice."""
        until = self._clock + seconds
        while self._clock < until:
            pair = []
            for _ in range(2):
                self._clock += 1 / self.setting.feed.fps
                self._number += 1
                pair.append(replace(self.camera.frame(), taken_at=self._clock, number=self._number))
            for frame in (pair[1], pair[0], pair[1]):
                self.handle(frame)
            self._note()

    def jump(self, seconds: float) -> None:
        """Let the clock of the frames jump, while nothing else happens."""
        self._clock += seconds

    def restart(self) -> None:
        """Lose the power, and start again: nothing is known but what the journal holds."""
        self._open_again("restart")
        self._pipeline, self._recovery = None, CameraRecovery()
        self._note()

    # What is shown, and what is true

    def listen(self) -> None:
        """Begin a new story: what is shown from now on."""
        self.story = Story(len(self.entries))
        self.story.moments.append(Moment(self._clock, self.session.snapshot()))

    @property
    def state(self) -> GameState:
        """Where the game stands."""
        state = self.session.snapshot().state
        assert state is not None
        return state

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries of the game."""
        match = self.session.state.match
        return match.entries if match else ()

    def true(self) -> dict[int, TrueTrayDie]:
        """What each die of the tray that is in view shows once it rests."""
        return truth_at_rest(self.tray)

    def true_dice(self, numbers: Sequence[int]) -> tuple[Die, ...]:
        """What these dice of the tray show."""
        real = self.true()
        return tuple(Die(real[number].kind, real[number].face) for number in numbers)

    def places(self) -> dict[int, str]:
        """Where each die of the tray lies: field, aside, out, off."""
        return true_places(self.tray)

    def real(self, number: int) -> int:
        """The tray's number of the die that the pipeline counts under this one."""
        at = next(die.reading.sighting for die in self.seen.dice if die.number == number)
        return nearest_die(self.tray, at.x, at.y)

    def misread(self) -> list[tuple[int, str, str]]:
        """The dice that are taken for another face or kind than they are: number, what is shown, the true face."""
        real = self.true()
        there = {die.number for die in self.seen.dice}
        shown = [(die, real.get(self.real(die.number))) for die in self.session.snapshot().dice if die.number in there]
        return [
            (die.number, f"{die.kind} {die.face}", f"{true.kind} {true.face}")
            for die, true in shown
            if true and (die.kind, die.face) != (true.kind, true.face)
        ]


def _ruled(shown: Snapshot) -> object:
    return shown.state, shown.questions, shown.mood, shown.notice


def new_tray(setting: Setting, seed: int, mishaps: Mishaps | None = None) -> VirtualTray:
    """Return a tray with the setting's dice in their look; nothing leans or leaves unless `mishaps` says so."""
    nothing = Mishaps(0.0, 0.0)
    tray = VirtualTray(setting.dice.name, seed=seed, mishaps=mishaps or nothing, size=setting.size)
    if setting.look:
        tray.set_out(setting.dice.name, setting.look)
    return tray
