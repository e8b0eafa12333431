"""The data set of captured dice: one folder on disk, and its import and export. See docs/captured.md."""

from models.atomic_files import SaveFailed
from models.dataset.import_export import FORMATS, ExportResult, export_dataset, import_dataset
from models.dataset.importing import ImportOptions, ImportResult
from models.dataset.pruning import is_near_duplicate, prune
from models.dataset.sample_store import SampleStore
from models.dataset.samples import (
    BadSample,
    BadSampleStore,
    CaptureSession,
    DatasetError,
    ExchangeError,
    FaceLabel,
    NewSample,
    NoSuchCaptureSession,
    NoSuchSample,
    Sample,
    SampleReading,
)

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
