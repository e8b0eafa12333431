"""What the program opens by the settings: the models, the eye, the tray's layout, the dice that lie ready."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from assistant.settings import Settings
from assistant.storage import Journal
from assistant.table import PLAIN
from models import die_sets
from referee.dice import DieSet
from referee.games import named
from vision.calibrate import TrayLayout
from vision.eye import Eye
from vision.find import Finder
from vision.read import Reader

PLAIN_DICE = "d6"
"""The dice of a table with no game."""


def weights(name: str) -> Path:
    """Where a model's file lies; its card lies beside it."""
    return Path(str(files("models").joinpath("weights", f"{name}.onnx")))


@dataclass(frozen=True)
class Models:
    """The two networks. Raises BrokenModel when they are loaded, not later."""

    finder: Finder
    reader: Reader

    @classmethod
    def load(cls, threads: int = 1) -> Models:
        """Both, each held against its card. Raises BrokenModel."""
        return cls(Finder(weights("finder"), threads), Reader(weights("reader"), threads))

    def eye(self, dice: DieSet | None, layout: TrayLayout, *, live: bool = True) -> Eye:
        """An eye for these dice on a tray of this layout; not `live` for a replay."""
        return Eye(self.finder, self.reader, dice, layout, live=live)


def layout(settings: Settings) -> TrayLayout:
    """The tray as the owner measured it."""
    return TrayLayout(width_mm=settings.tray_width_mm, height_mm=settings.tray_height_mm, bay=settings.bay)


def ready_dice(settings: Settings) -> DieSet:
    """The dice that lie ready while no game is on. Raises NoSuchGame."""
    return die_sets.load(PLAIN_DICE if settings.game == PLAIN else named(settings.game).die_set)


def journal(settings: Settings) -> Journal:
    """The journal of the settings' database, or of the data folder. Raises BrokenJournal."""
    return Journal(settings.database) if settings.database else Journal.in_folder(settings.data_dir)
