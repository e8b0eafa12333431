"""Sessions that are imported: prepared in a folder of their own, then moved into the store all at once.

`coming-*` is being prepared, and deleted after a power failure; `arrived-*` is complete, and moved in then.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import RLock

from models import atomic_files
from models.dataset.capture_sessions import CaptureFolder
from models.dataset.dataset_errors import BadSample, BadSampleStore
from models.dataset.samples import Sample, format_line

PREPARING, COMPLETE = "coming-", "arrived-"


@contextmanager
def prepare(store: Path, write_lock: RLock) -> Iterator[Path]:
    """Yield a folder in a store's folder to prepare sessions in, and move them in at the end. Raises SaveFailed.

    Only the move holds `write_lock`.
    """
    place = store / f"{PREPARING}{secrets.token_hex(4)}"
    with atomic_files.saving(f"what is taken in to {store}"), atomic_files.folder_lock(store):
        try:
            (place / "sessions").mkdir(parents=True)
            yield place
            arrived = seal(place)
        except BaseException:
            atomic_files.remove(place)
            raise
        with write_lock:
            move_in(arrived, store)


def seal(place: Path) -> Path:
    """Declare a prepared folder complete and return its new path: from now on it survives a power failure.

    Raises OSError.
    """
    atomic_files.sync_tree(place)
    arrived = place.with_name(place.name.replace(PREPARING, COMPLETE))
    place.rename(arrived)
    atomic_files.sync_folder(arrived.parent)
    return arrived


def move_in(arrived: Path, store: Path) -> None:
    """Move a complete folder's new labels and sessions into a store's folder. Raises OSError.

    Labels go first: where the disk has no room for them, nothing is moved, and `arrived` is deleted.
    """
    try:
        _append_labels(arrived, store)
    except OSError:
        _delete(arrived)
        raise
    for session in sorted((arrived / "sessions").glob("*")):  # none where a version before was cut short in deleting it
        if not (store / "sessions" / session.name).exists():
            session.rename(store / "sessions" / session.name)
    atomic_files.sync_folder(store / "sessions")
    _delete(arrived)


def _delete(arrived: Path) -> None:
    """Delete a complete folder as far as possible; cut short, it is one being prepared, which is never moved in."""
    unwanted = arrived.with_name(arrived.name.replace(COMPLETE, PREPARING))
    with suppress(OSError):
        arrived = arrived.rename(unwanted)
    atomic_files.remove(arrived)


def _append_labels(arrived: Path, store: Path) -> None:
    """Give samples of the store the labels that came for them, all or none. Raises OSError.

    Samples and sessions that were deleted meanwhile stay deleted.
    """
    lines = {}
    for came in sorted((arrived / "labels").glob("*")):
        with suppress(BadSampleStore, FileNotFoundError):
            here = CaptureFolder.open(store / "sessions" / came.name)
            lines[here.lines] = _relabelled(here, CaptureFolder(came, here.session))
    atomic_files.append_to_all(lines)


def _relabelled(here: CaptureFolder, came: CaptureFolder) -> str:
    """Return the lines of a session's samples with the labels that came for them."""
    samples: dict[str, Sample] = {}
    labelled: dict[str, Sample] = {}
    with suppress(BadSample):  # the index reports lines that cannot be read
        here.update(samples)
    came.update(labelled)
    changed = (replace(samples[name], label=one.label) for name, one in labelled.items() if name in samples)
    return "".join(f"{format_line(sample)}\n" for sample in changed)
