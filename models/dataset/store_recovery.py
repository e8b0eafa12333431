"""Opening a sample store's folder: make it, check its format, delete sessions, and clean up after a power failure."""

from __future__ import annotations

import tomllib
from pathlib import Path

from models import atomic_files
from models.dataset import import_staging
from models.dataset.capture_sessions import CaptureFolder, frame_names
from models.dataset.dataset_errors import BadSample, BadSampleStore
from models.dataset.samples import Sample
from referee.sentences import say

FORMAT = 1
"""The format on disk, which a store states in about.toml."""
DELETING = "gone-"
"""What the folder of a session is called while it is deleted."""


def make_folder(folder: Path) -> None:
    """Make a store's folder, unless it is there. Raises BadSampleStore and SaveFailed."""
    if folder.exists() and not folder.is_dir():
        raise BadSampleStore(f"{folder} is no folder; captured dice are kept in one")
    about = folder / "about.toml"
    if about.exists():
        _check_format(about)
    with atomic_files.saving(say("the collection {folder}", folder=folder)):
        (folder / "sessions").mkdir(parents=True, exist_ok=True)
        if not about.exists():
            atomic_files.write_atomically(about, f"format = {FORMAT}\n".encode())


def _check_format(about: Path) -> None:
    try:
        found = tomllib.loads(about.read_text("utf-8")).get("format")
    except (OSError, ValueError):
        raise BadSampleStore(f"{about} cannot be read; write format = {FORMAT} into it") from None
    if found != FORMAT:
        raise BadSampleStore(
            f"{about} says format = {found}, and this version of Vander knows {FORMAT}; install a newer"
        )


def delete_session(folder: Path, session: str) -> None:
    """Delete a session; `recover` finishes what a power failure interrupts. Raises OSError."""
    deleting = folder / f"{DELETING}{session}"
    (folder / "sessions" / session).rename(deleting)
    atomic_files.remove(deleting)


def recover(folder: Path) -> None:
    """Finish or undo what was going on at a power failure, unless another program has the store open.

    Raises SaveFailed.
    """
    with atomic_files.folder_lock(folder, alone=True) as alone:
        if alone:
            with atomic_files.saving(say("the collection {folder}", folder=folder)):
                _recover(folder)


def _recover(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(import_staging.COMPLETE):
            import_staging.move_in(path, folder)
        elif path.name.startswith((import_staging.PREPARING, DELETING)) or path.suffix == atomic_files.PART:
            atomic_files.remove(path)
    for session in (folder / "sessions").iterdir():
        if (session / "session.toml").exists():
            _recover_session(session)
        elif session.is_dir():
            atomic_files.remove(session)


def _recover_session(path: Path) -> None:
    """Delete pictures without a line. Where a line cannot be read, its pictures may be wanted: all are kept."""
    samples: dict[str, Sample] = {}
    try:
        folder = CaptureFolder.open(path)
        atomic_files.truncate_torn_line(folder.lines)
        folder.update(samples)
    except (BadSampleStore, BadSample):
        return
    folder.delete_pictures_except(set(samples), frame_names(samples.values()))
