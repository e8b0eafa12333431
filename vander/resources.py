"""What the program opens by the settings: the models, the pipeline, the tray's layout, the dice that lie ready."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from models import die_sets
from models.dataset import SampleStore
from models.die_sets.catalog import DieSetCatalog
from referee import games as shipped
from referee.dice import DieSet
from referee.game import BadSheet, Game
from vander.learning.accuracy import AccuracyLog
from vander.learning.learning_service import LearningStores
from vander.learning.lesson_store import LessonStore
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import Settings
from vision.calibration import TrayLayout
from vision.classification import Reader
from vision.detection import Finder
from vision.fewshot import PldaModel
from vision.model_file import BrokenModel
from vision.pipeline import DieReader, Pipeline

PLAIN_DICE = "d6"
"""The dice that lie ready for a game that takes any."""


def weights(name: str) -> Path:
    """Where a model's file lies; its card lies beside it."""
    return Path(str(files("models").joinpath("weights", f"{name}.onnx")))


@dataclass(frozen=True)
class LoadedModels:
    """The two networks, and what lessons are measured by. Raises BrokenModel when they are loaded, not later."""

    finder: Finder
    reader: Reader
    plda: PldaModel

    @classmethod
    def load(cls, threads: int = 1) -> LoadedModels:
        """All, each held against its card. Raises BrokenModel."""
        found = cls(Finder(weights("finder"), threads), Reader(weights("reader"), threads), PldaModel.load(plda_file()))
        if not found.reader.version.startswith(found.plda.reader):
            raise BrokenModel(f"{plda_file()} was measured with another reader; install Vander again")
        return found

    def pipeline(
        self, dice: DieSet | None, layout: TrayLayout, *, live: bool = True, reader: DieReader | None = None
    ) -> Pipeline:
        """Return a pipeline for these dice and this layout; `live` is False for a replay, `reader` replaces ours."""
        return Pipeline(self.finder, reader or self.reader, dice, layout, live=live)


def plda_file() -> Path:
    """Where what lessons are measured by lies."""
    return weights("reader").with_name("space.npz")


def shelf(settings: Settings) -> DieSetCatalog:
    """The die sets that ship and those made here. Raises BadDieSet."""
    return DieSetCatalog(settings.data_dir / "dice")


def collection(settings: Settings) -> SampleStore:
    """The captured dice of the data folder. Raises DatasetError."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    return SampleStore(settings.data_dir / "captured")


def lessons(settings: Settings, models: LoadedModels) -> LessonStore:
    """What was learned of the dice that were shown."""
    return LessonStore(settings.data_dir / "lessons", models.plda)


def rooms(settings: Settings, models: LoadedModels) -> LearningStores:
    """What the school works with. Raises BadDieSet, DatasetError and StorageError."""
    return LearningStores(
        collection(settings),
        shelf(settings),
        lessons(settings, models),
        PreferenceStore(settings.data_dir),
        AccuracyLog(settings.data_dir),
    )


def layout(settings: Settings) -> TrayLayout:
    """The tray as the owner measured it."""
    return TrayLayout(width_mm=settings.tray_width_mm, height_mm=settings.tray_height_mm, bay=settings.bay)


def games(settings: Settings) -> tuple[Game, ...]:
    """The games that can be set up, with the owner's printed sheets. Raises BadSheet."""
    return games_on(sheets(settings.data_dir / "sheets"))


def games_on(texts: Mapping[str, str]) -> tuple[Game, ...]:
    """All games, with these printed sheets beside their own. Raises BadSheet."""
    return tuple(game.on_sheets(texts) if game.on_sheets and texts else game for game in shipped.games())


def sheets(folder: Path) -> dict[str, str]:
    """The texts of a folder's TOML files, by the files' names without their ending. Raises BadSheet."""
    return {path.stem: sheet(path) for path in sorted(folder.glob("*.toml"))}


def sheet(path: Path) -> str:
    """The text of a printed sheet's file. Raises BadSheet."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSheet(f"the sheet {path} cannot be read: {error}") from error


def ready_dice(settings: Settings) -> DieSet:
    """The dice that lie ready while no game is on. Raises NoSuchGame."""
    return die_sets.load(shipped.named(settings.game).die_set or PLAIN_DICE)


def journal(settings: Settings) -> Journal:
    """The journal of the settings' database, or of the data folder. Raises BrokenJournal."""
    return Journal(settings.database) if settings.database else Journal.in_folder(settings.data_dir)
