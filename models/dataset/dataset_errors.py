"""The errors of the data set of captured dice. `models.atomic_files.SaveFailed` is raised next to them."""

from __future__ import annotations


class DatasetError(ValueError):
    """The root of what this package raises; each message is one sentence.

    DatasetError
    ├── BadSampleStore                       a folder that is no sample store, or of a later format
    ├── BadSample                            a die, label or session that cannot be kept as it is
    ├── ExchangeError                        a set that cannot be imported, or a place to export to
    ├── NoSuchSample (LookupError)           no picture of that name
    └── NoSuchCaptureSession (LookupError)   no session of that name

    What cannot be written to disk is `models.atomic_files.SaveFailed`.
    """

    def __str__(self) -> str:
        return str(self.args[0])


class BadSampleStore(DatasetError):
    """A folder that is no sample store, or of a later format."""


class BadSample(DatasetError):
    """A die, a label or a session that cannot be saved as it is."""


class ExchangeError(DatasetError):
    """A set of pictures that cannot be imported, or a place that nothing can be exported to."""


class NoSuchSample(DatasetError, LookupError):
    """No sample has that name."""


class NoSuchCaptureSession(DatasetError, LookupError):
    """No session has that name."""
