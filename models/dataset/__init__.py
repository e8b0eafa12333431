"""The data set of captured dice: one folder on disk, and its import and export. See docs/captured.md."""

from models.atomic_files import SaveFailed
from models.dataset.dataset_errors import (
    BadSample,
    BadSampleStore,
    DatasetError,
    ExchangeError,
    NoSuchCaptureSession,
    NoSuchSample,
)
from models.dataset.import_export import FORMATS, ExportResult, export_dataset, import_dataset
from models.dataset.importing import ImportOptions, ImportResult
from models.dataset.near_duplicates import is_near_duplicate
from models.dataset.pruning import prune
from models.dataset.sample_store import SampleStore
from models.dataset.samples import CaptureSession, FaceLabel, NewSample, Sample, SampleReading

__all__ = [
    "FORMATS",
    "BadSample",
    "BadSampleStore",
    "CaptureSession",
    "DatasetError",
    "ExchangeError",
    "ExportResult",
    "FaceLabel",
    "ImportOptions",
    "ImportResult",
    "NewSample",
    "NoSuchCaptureSession",
    "NoSuchSample",
    "Sample",
    "SampleReading",
    "SampleStore",
    "SaveFailed",
    "export_dataset",
    "import_dataset",
    "is_near_duplicate",
    "prune",
]
