"""Open by the settings what a game needs: journal, models, camera, session and learning service."""

from __future__ import annotations

import logging
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from hardware.cameras.base import Camera
from hardware.simulator.staging import TrayStage
from hardware.simulator.tray_dice import read_lying_dice, write_lying_dice
from hardware.simulator.virtual_tray import VirtualTray
from models.atomic_files import write_atomically
from models.dataset import SampleStore
from referee.dice import DieSet
from vander.app.camera_loop import FrameRouter
from vander.app.cameras import VIRTUAL, CameraShelf, CameraSwitch
from vander.app.film_recorder import FilmRecorder, ThrowChallenges
from vander.extras.hall_link.membership import HallMembershipService
from vander.extras.players.dice_fairness import FairnessService
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.learning.accuracy import SpotChecker
from vander.learning.die_set_lessons import LearningStores
from vander.learning.learning_service import LearningHooks, LearningService
from vander.learning.play_learner import DieDescriber, PlayLearner, PlayRecorder
from vander.resources import game_catalog, models_and_stores
from vander.storage.camera_file import CameraStore, DieSizesFile, with_camera
from vander.storage.data_folder import mqtt_node
from vander.storage.evidence_store import EvidenceStore, FilmStore
from vander.storage.journal_store import Journal
from vander.storage.settings import Settings, shown_hall
from vander.table.session import Session, open_session
from vander.table.session_state import AnswerWithdrawn, DiceSettled, DoubtSettled, FacesStated, LabelEvent, ThrowRuled
from vision.frame_reader import ImageSource
from vision.image_io import encode_jpeg
from vision.pipeline import Pipeline
from vision.rectification import crop

# Save and restore the positions of the virtual tray's dice, so that a resumed game finds them unchanged


FILE: Final = "tray.json"
LONGEST: Final = 1 << 20

_log = logging.getLogger(__name__)


def restore_tray(tray: VirtualTray, data_dir: Path) -> None:
    """Restore the dice positions of the last run; ignore a damaged or missing file."""
    path = data_dir / FILE
    if not path.exists():
        return
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST)  # a longer one is cut, and then damaged
        tray.remember(read_lying_dice(text))
    except (OSError, ValueError) as error:
        _log.warning("the dice of the virtual tray are laid out anew, %s cannot be used: %s", path, error)


def keep_tray(tray: VirtualTray, data_dir: Path) -> None:
    """Write how the dice of the virtual tray lie; a disk that refuses is only logged."""
    try:
        write_atomically(data_dir / FILE, write_lying_dice(tray.lying_dice()).encode())
    except OSError as error:
        _log.warning("how the dice of the virtual tray lie is not kept: %s", error.strerror or error)


# What faces look like at this table: dice that people named in this game, else those that are kept to learn from


@dataclass(frozen=True)
class KnownFaces:
    """The table's own pictures of faces, each cut to the die."""

    session: Session
    samples: SampleStore

    def face_picture(self, die_set: str, kind: str, face: str) -> bytes | None:
        """Return a JPEG of a die of that set and kind that shows the face; None without one."""
        return self.session.face_picture(die_set, kind, face) or self._kept_picture(die_set, kind, face)

    def _kept_picture(self, die_set: str, kind: str, face: str) -> bytes | None:
        """The last picture of the face that this table took to learn from, and that can be read."""
        own = (each for each in reversed(self.samples.samples(die_set)) if each.origin != "import")
        shown = (each for each in own if each.label and (each.label.kind, each.label.face) == (kind, face))
        found = next(self.samples.with_pixels(shown), None)
        return encode_jpeg(crop(found[1], found[0].place)) if found else None


# Hands the label events of the session on to the learner of play


log = logging.getLogger(__name__)


class PlayListener:
    """Passes label events of the session to learning. Errors in learning are logged and do not stop play."""

    def __init__(self, learner: PlayLearner) -> None:
        self._learner = learner

    def hear(self, event: LabelEvent, images: ImageSource | None) -> None:
        """Take in an event; `images` are the pictures of the observation that it comes from."""
        try:
            self._tell(event, images)
        except Exception:
            log.exception("play listener: not learned from: %s", type(event).__name__)

    def _tell(self, event: LabelEvent, images: ImageSource | None) -> None:
        match event:
            case DiceSettled(die_set, dice) if images is not None:
                self._learner.dice_settled(die_set, dice, images)
            case FacesStated(faces, source) | DoubtSettled(faces, source):
                self._learner.faces_stated(faces, source)
            case ThrowRuled(_, dice):
                self._learner.throw_ruled(dice)
            case AnswerWithdrawn(dice):
                self._learner.answers_withdrawn(dice)
            case _:
                pass


# Open by the settings what a game needs: journal, models, camera, session and learning service


@dataclass(frozen=True)
class Composition:
    """The parts of the program, opened and connected; no thread runs yet."""

    settings: Settings
    journal: Journal
    evidence: EvidenceStore
    models: models_and_stores.LoadedModels
    stores: LearningStores
    cameras: CameraStore
    shelf: CameraShelf
    switch: CameraSwitch
    recorder: PlayRecorder
    learner: PlayLearner
    films: FilmRecorder
    session: Session
    learning: LearningService
    statistics: PlayStatisticsService
    sizes: DieSizesFile
    hall_link: HallMembershipService

    @property
    def stage(self) -> TrayStage:
        """What plays cheats and mishaps on the virtual tray."""
        return TrayStage(self.shelf.tray)

    @property
    def settings_now(self) -> Settings:
        return with_camera(self.settings, self.switch.name)

    @property
    def challenges(self) -> ThrowChallenges:
        """Past throws, as the pages need them."""
        return ThrowChallenges(self.session, self.films.store)

    @property
    def fairness(self) -> FairnessService:
        """The test of the dice, by what people said of the throws that they were asked about at random."""

        def spot_checks() -> tuple[int, int]:
            tally = self.stores.accuracy.tally
            return tally.checked, tally.checked - tally.right

        return FairnessService(self.journal, self.stores.die_sets, spot_checks, lambda: self.stores.accuracy.throws)

    @property
    def frame_router(self) -> FrameRouter:
        """What the camera loop reports to."""
        return FrameRouter(self.session, self.learning, self.films)

    def pipeline(self, dice: DieSet) -> Pipeline:
        """Return a pipeline for these dice; the virtual tray lays them out unless its name has others."""
        camera = self.switch.camera
        if self.switch.name == VIRTUAL:
            lay_out_dice(dice, camera)
        seen_by = self.settings_now.shown_camera
        return self.models.pipeline(
            dice,
            models_and_stores.tray_layout(self.settings_now),
            live=camera.is_live,
            reader=self.learning.reader(),
            size=self.sizes.of(seen_by, dice.name),
            keep_size=partial(self.sizes.keep, seen_by, dice.name),
        )


def compose(settings: Settings, on_exit: ExitStack) -> Composition:
    """Open and connect all parts; `on_exit` closes them. Raises what prevents a start, each error with one sentence."""
    store = FilmStore(settings.data_dir / "films", settings.film_mb, settings.spare_mb)
    evidence = EvidenceStore(settings.data_dir / "evidence", settings.spare_mb, give_way=store.make_room)
    evidence.free_for_journal()
    journal = on_exit.enter_context(closing(models_and_stores.open_journal(settings)))
    models = models_and_stores.LoadedModels.load()
    stores = models_and_stores.open_learning_stores(settings, models)
    on_exit.callback(stores.accuracy.close)
    cameras = CameraStore(settings.data_dir)
    shelf = CameraShelf(cameras, settings.camera, game_catalog.initial_dice(settings).name)
    switch = CameraSwitch(settings.camera, shelf.camera(settings.camera))
    recorder = PlayRecorder(stores.samples, stores.preferences, lambda: learning.reader_version(session.dice.name))
    learner = PlayLearner(
        stores.played, stores.samples, DieDescriber(models.reader, models.plda), stores.preferences.learns
    )
    films, listening = FilmRecorder(store), (recorder, learner)
    session = on_exit.enter_context(closing(_open_session(settings, journal, evidence, stores, listening, films)))
    hooks = LearningHooks(
        session.lend_tray, lambda: session.in_play, lambda: recorder.trouble, recorder.prune_soon, learner.picture
    )
    learning = LearningService(stores, models.reader, models.plda, hooks)
    sheets = game_catalog.read_sheets(settings.data_dir / "sheets")
    statistics = on_exit.enter_context(closing(PlayStatisticsService(journal, stores.die_sets, sheets)))
    opened = (settings, journal, evidence, models, stores, cameras, shelf, switch, recorder, learner, films, session)
    sizes, hall_link = DieSizesFile(settings.data_dir), _open_hall_link(settings, journal, session)
    return Composition(*opened, learning, statistics, sizes, hall_link)


def _open_session(  # noqa: PLR0913, PLR0917  # what is kept, and who listens
    settings: Settings,
    journal: Journal,
    evidence: EvidenceStore,
    stores: LearningStores,
    listening: tuple[PlayRecorder, PlayLearner],
    films: FilmRecorder,
) -> Session:
    recorder, learner = listening
    layout = models_and_stores.tray_layout(settings)
    return open_session(
        journal,
        evidence,
        games=game_catalog.load_games(settings),
        dice=game_catalog.initial_dice(settings),
        camera=settings.shown_camera,
        bay=layout.bay,
        pause_s=settings.pause_s,
        layout=layout,
        known=stores.die_sets,
        recorder=recorder,
        checker=SpotChecker(stores.accuracy, stores.preferences),
        listener=PlayListener(learner),
        films=films,
    )


def _open_hall_link(settings: Settings, journal: Journal, session: Session) -> HallMembershipService:
    """Return what joins a hall and sends to it; each new snapshot may have brought something to send."""
    seen = 0

    def wait(timeout_s: float) -> None:
        nonlocal seen
        seen = session.wait(seen, timeout_s).number

    node = mqtt_node(settings.data_dir) if settings.mqtt else ""
    return HallMembershipService(settings.data_dir, journal, wait, shown_hall(settings.hall), node)


def camera_name(settings: Settings, dice: str) -> str:
    """Return the camera's name: `virtual` alone becomes the virtual tray with these dice."""
    return f"virtual:{dice}" if settings.camera == "virtual" else settings.camera


def lay_out_dice(dice: DieSet, camera: Camera) -> None:
    """Lay these dice out on a virtual tray that has them; dice that are out already stay as they lie."""
    tray = camera.simulator
    if tray is not None and tray.die_set != dice and tray.has(dice.name):
        tray.bring_out(dice.name)
