"""The sessions that an import prepares in the store's staging folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from models.dataset.capture_sessions import CaptureFolder
from models.dataset.sample_store import SampleStore, padded
from models.dataset.samples import CaptureSession, FaceLabel, Sample, format_line, normalized
from vision.frames import Pixels
from vision.image_io import encode_png
from vision.rectification import RotatedSquare


@dataclass
class StagedSession:
    """A session that is being prepared, and its samples so far."""

    folder: CaptureFolder
    samples: list[Sample] = field(default_factory=list)

    @property
    def session(self) -> CaptureSession:
        """The session as it will be in the store."""
        return self.folder.session

    def add_crop(self, pixels: Pixels, place: RotatedSquare, label: FaceLabel | None, at: datetime) -> None:
        """Write a die's picture, with the die at `place` in it, and add its sample. Raises OSError and BadSample."""
        sample = Sample(
            name=f"{self.session.name}-{len(self.samples) + 1:05d}-1",
            session=self.session.name,
            die_set=self.session.die_set,
            origin=self.session.origin,
            taken_at=at,
            place=place,
            light=float(np.mean(pixels)) / 255,
            label=label,
        )
        self.folder.crop(sample.name).write_bytes(encode_png(padded(pixels)))
        self.samples.append(normalized(sample))


class StagedSessions:
    """All sessions of one import, and the new labels of samples that are in the store. Writes below `place` alone."""

    def __init__(self, store: SampleStore, place: Path, now: datetime) -> None:
        self._store, self._place, self._now = store, place, now
        self._by_source: dict[str, StagedSession] = {}
        self.relabelled: list[Sample] = []

    @property
    def samples(self) -> list[Sample]:
        """Every new sample."""
        return [sample for staged in self._by_source.values() for sample in staged.samples]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sessions."""
        return tuple(staged.session.name for staged in self._by_source.values())

    def of_export(self, session: CaptureSession) -> StagedSession:
        """Return the session for samples that Vander exported; it has a new name where the store has its name."""
        if session.name not in self._by_source:
            name = session.name
            if any(one.name == name for one in self._store.sessions()):
                name = self._store.start_session(session.die_set, "import")
            self._by_source[session.name] = self._start(replace(session, name=name))
        return self._by_source[session.name]

    def of_foreign(self, die_set: str) -> StagedSession:
        """Return the session for samples of other programs. Raises OSError and BadSample."""
        if "" not in self._by_source:
            name = self._store.start_session(die_set, "import")
            self._by_source[""] = self._start(CaptureSession(name, die_set, "import", self._now))
        return self._by_source[""]

    def write_lines(self) -> None:
        """Write the lines of all new samples and new labels. Raises OSError."""
        for staged in self._by_source.values():
            _write_lines(staged.folder.lines, staged.samples)
        by_session: dict[str, list[Sample]] = defaultdict(list)
        for sample in self.relabelled:
            by_session[sample.session].append(sample)
        for session, samples in by_session.items():
            _write_lines(self._place / "labels" / session / "dice.jsonl", samples)

    def _start(self, session: CaptureSession) -> StagedSession:
        staged = StagedSession(CaptureFolder(self._place / "sessions" / session.name, session))
        staged.folder.make()
        return staged


def _write_lines(path: Path, samples: Iterable[Sample]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{format_line(sample)}\n" for sample in samples), "utf-8")
