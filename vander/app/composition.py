"""Laying the table: the journal, the models, the camera, the table and the school, put together by the settings."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass

from hardware.cameras import open_camera
from hardware.cameras.base import Camera
from referee.dice import DieSet
from vander.app.frame_router import FrameRouter
from vander.learning.accuracy import SpotChecker
from vander.learning.learning_service import LearningHooks, LearningService, LearningStores
from vander.learning.play_recorder import PlayRecorder
from vander.resources import data_stores, game_catalog, vision_models
from vander.session.session import Session, open_session
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.storage.settings import Settings
from vision.pipeline import Pipeline
from web.services.game_protocol import SimulatorBackend


@dataclass(frozen=True)
class Composition:
    """A table that is laid: all of it works together, and nothing of it runs yet."""

    settings: Settings
    journal: Journal
    evidence: EvidenceStore
    models: vision_models.LoadedModels
    rooms: LearningStores
    camera: Camera
    keeper: PlayRecorder
    table: Session
    school: LearningService

    @property
    def hands(self) -> SimulatorBackend | None:
        """The hands for the virtual tray's page, where there is a virtual tray."""
        return self.camera.simulator

    @property
    def attention(self) -> FrameRouter:
        """What the watch speaks to."""
        return FrameRouter(self.table, self.school)

    def pipeline(self, dice: DieSet) -> Pipeline:
        """A pipeline for these dice, which the virtual tray puts out where it was not told others."""
        if self.settings.camera == "virtual":
            put_out(dice, self.camera)
        return self.models.pipeline(
            dice, vision_models.tray_layout(self.settings), live=self.camera.is_live, reader=self.school.reads()
        )


def lay(settings: Settings, at_the_end: ExitStack) -> Composition:
    """Lay the table. Raises what hinders it: each error's message is one sentence."""
    evidence = EvidenceStore(settings.data_dir / "evidence", settings.spare_mb)
    evidence.free_for_journal()
    journal = at_the_end.enter_context(closing(data_stores.open_journal(settings)))
    models = vision_models.LoadedModels.load()
    rooms = data_stores.open_learning_stores(settings, models)
    at_the_end.callback(rooms.certificates.close)
    ready = game_catalog.initial_dice(settings)
    camera = open_camera(camera_name(settings, ready.name))
    keeper = PlayRecorder(rooms.store, rooms.choices, lambda: school.model(table.dice.name))
    table = open_session(
        journal,
        evidence,
        games=game_catalog.load_games(settings),
        dice=ready,
        camera=settings.camera,
        bay=settings.bay,
        pause_s=settings.pause_s,
        known=rooms.shelf,
        recorder=keeper,
        checker=SpotChecker(rooms.certificates, rooms.choices),
    )
    beside = LearningHooks(table.lend_tray, lambda: table.in_play, lambda: keeper.trouble, keeper.prune_soon)
    school = LearningService(rooms, models.reader, models.plda, beside)
    return Composition(settings, journal, evidence, models, rooms, camera, keeper, table, school)


def camera_name(settings: Settings, dice: str) -> str:
    """The camera's name; the virtual tray puts out the dice that lie ready unless it is told others."""
    return f"virtual:{dice}" if settings.camera == "virtual" else settings.camera


def put_out(dice: DieSet, camera: Camera) -> None:
    """On a virtual tray, put out the dice that are wanted now, if it has them; those that are out stay as they lie."""
    tray = camera.simulator
    if tray is not None and tray.die_set != dice and tray.has(dice.name):
        tray.set_out(dice.name)
