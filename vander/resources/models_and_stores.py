"""Load the networks that find and read dice, and the tray's layout that they are used with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from models.atomic_files import PRIVATE_FOLDER
from models.dataset import SampleStore
from models.die_sets import DieSetCatalog
from referee.dice import DieSet
from referee.sentences import say
from vander.learning.accuracy import AccuracyLog
from vander.learning.die_set_lessons import LearningStores
from vander.learning.learned_dice import FeatureStore
from vander.learning.learning_service import LearningService
from vander.learning.lesson_store import LessonStore
from vander.learning.play_evidence import PlayEvidence
from vander.resources.game_catalog import open_die_sets
from vander.storage import data_folder
from vander.storage.camera_file import read_corners
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import Settings
from vision.arrival import ArrivalModel
from vision.classification import Reader, SecondLook
from vision.detection import Finder
from vision.die_size import DieSize
from vision.fewshot import PldaModel
from vision.frame_reader import DieReader
from vision.model_file import BrokenModel
from vision.pipeline import Pipeline
from vision.posture import PostureModel
from vision.table_evidence import ReferenceSet
from vision.tray_calibration import TrayLayout


def weights_path(name: str) -> Path:
    """Return the path of a model's ONNX file; its card is the `.toml` file of the same name."""
    return Path(str(files("models").joinpath("weights", f"{name}.onnx")))


def plda_path() -> Path:
    """Return the path of the PLDA model that lessons compare faces with."""
    return weights_path("reader").with_name("space.npz")


def reference_path() -> Path:
    """Return the path of the reference set, which nothing that a table learns may make read worse."""
    return weights_path("reader").with_name("reference.npz")


def tray_layout(settings: Settings) -> TrayLayout:
    """Return the tray's layout: by the corners that people tapped, else by a typed size, else by what markers tell."""
    kept = read_corners(settings.data_dir, settings.shown_camera)
    if kept is not None:
        return kept.layout
    width, height = settings.tray_width_mm, settings.tray_height_mm
    if width is None and height is None:
        return TrayLayout(bay=settings.bay)
    usual = TrayLayout()
    return TrayLayout(width or usual.width_mm, height or usual.height_mm, bay=settings.bay, typed=True)


def posture_path() -> Path:
    """Return the path of the network that tells by geometry how a die lies."""
    return weights_path("posture")


@dataclass(frozen=True)
class LoadedModels:
    """The finder, the reader with its second look, what tells how dice arrived, and the PLDA model of the embeddings.

    All are checked against their cards.
    """

    finder: Finder
    reader: Reader
    plda: PldaModel
    arrivals: ArrivalModel

    @classmethod
    def load(cls, threads: int = 1) -> LoadedModels:
        """Load all of them. Raises BrokenModel."""
        plda = PldaModel.load(plda_path())
        second = SecondLook(weights_path("second"), threads)
        reader = Reader(weights_path("reader"), threads, second, PostureModel(posture_path(), threads))
        arrivals = ArrivalModel(weights_path("arrival"), threads)
        found = cls(Finder(weights_path("finder"), threads), reader, plda, arrivals)
        if not found.reader.version.startswith(plda.reader):
            raise BrokenModel(say("{file} was measured with another reader; install Vander again", file=plda_path()))
        return found

    def pipeline(  # noqa: PLR0913  # what reads, what is read, and what is known of it
        self,
        dice: DieSet | None,
        layout: TrayLayout,
        *,
        live: bool = True,
        reader: DieReader | None = None,
        size: DieSize | None = None,
        keep_size: Callable[[DieSize], None] | None = None,
    ) -> Pipeline:
        """Return a pipeline for these dice and this layout.

        `live` is False for a replay, `reader` replaces ours; `size` is how large the dice are, as far as that is known.
        """
        return Pipeline(
            self.finder,
            reader or self.reader,
            self.arrivals.tell,
            dice,
            layout,
            live=live,
            size=size,
            keep_size=keep_size,
        )


# What a table keeps, opened as the settings say


def open_journal(settings: Settings) -> Journal:
    """Open the journal: the setting `database`, or a file in the data folder. Raises BrokenJournal."""
    if settings.database:
        return Journal(settings.database, EvidenceStore(settings.data_dir / "evidence"))
    return Journal.in_folder(settings.data_dir)


@contextmanager
def shared_journal(settings: Settings) -> Iterator[Journal]:
    """Yield the journal, also next to a running Vander, but not while the data folder is restored."""
    with data_folder.share(settings.data_dir), closing(open_journal(settings)) as journal:
        yield journal


def open_sample_store(settings: Settings) -> SampleStore:
    """Open the captured dice of the data folder, which is made if it is missing. Raises DatasetError."""
    settings.data_dir.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    return SampleStore(settings.data_dir / "captured")


def open_lesson_store(settings: Settings, models: LoadedModels) -> LessonStore:
    return LessonStore(settings.data_dir / "lessons", models.plda)


def open_play_evidence(
    settings: Settings, models: LoadedModels, die_sets: DieSetCatalog, taught: LessonStore
) -> PlayEvidence:
    """Open what was learned in play, in the data folder. Raises BrokenModel without a sound reference set."""
    store = FeatureStore.for_reader(settings.data_dir / "features", models.reader, models.plda)
    reference = ReferenceSet.load(reference_path())
    return PlayEvidence(store, die_sets, taught, models.plda, reference)


def open_learning_stores(settings: Settings, models: LoadedModels) -> LearningStores:
    """Open all stores that learning works with. Raises BadDieSet, DatasetError and StorageError."""
    die_sets, lessons = open_die_sets(settings), open_lesson_store(settings, models)
    return LearningStores(
        open_sample_store(settings),
        die_sets,
        lessons,
        PreferenceStore(settings.data_dir),
        AccuracyLog(settings.data_dir),
        open_play_evidence(settings, models, die_sets, lessons),
    )


def open_learning_service(settings: Settings, models: LoadedModels) -> LearningService:
    """Open the learning service alone, with no game going on. Raises BadDieSet, DatasetError and StorageError."""
    return LearningService(open_learning_stores(settings, models), models.reader, models.plda)
