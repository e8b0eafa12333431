"""Open the stores of the data folder: the journal, captured dice, lessons, and the service that learns from them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from models.atomic_files import PRIVATE_FOLDER
from models.dataset import SampleStore
from models.die_sets.catalog import DieSetCatalog
from vander.learning.accuracy import AccuracyLog
from vander.learning.die_set_lessons import LearningStores
from vander.learning.learned_dice import FeatureStore
from vander.learning.learning_service import LearningService
from vander.learning.lesson_store import LessonStore
from vander.learning.play_evidence import PlayEvidence
from vander.resources.game_catalog import open_die_sets
from vander.resources.vision_models import LoadedModels, reference_path
from vander.storage import data_folder
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import Settings
from vision.table_evidence import ReferenceSet


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
    """Open the lessons of the data folder."""
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
