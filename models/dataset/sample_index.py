"""The samples of a store as they were last read from disk: lookups, and what could not be read."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from models.dataset.capture_sessions import CaptureFolder
from models.dataset.dataset_errors import BadSample, BadSampleStore, NoSuchSample
from models.dataset.samples import CaptureSession, Sample
from referee.sentences import say

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


class SampleIndex:
    """The sessions and samples of a store's folder, in memory. It has no lock: SampleStore holds its own.

    `revision` grows whenever something on disk has changed; sizes of files that were measured before it did are void.
    """

    def __init__(self, folder: Path) -> None:
        self._root = folder / "sessions"
        self._folders: dict[str, CaptureFolder] = {}
        self._samples: dict[str, Sample] = {}
        self._names: set[str] = set()  # names of deleted samples too: a name is never given again
        self._problems: list[str] = []
        self.revision = 0

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read, a sentence each."""
        return tuple(self._problems)

    def refresh(self) -> None:
        """Read what is new on disk, written by this program or by another one."""
        there = {path.name for path in self._root.iterdir() if (path / "session.toml").exists()}
        for name in self._folders.keys() - there:
            self._forget(name)
        for name in sorted(there - self._folders.keys()):
            try:
                self._folders[name] = CaptureFolder.open(self._root / name)
            except BadSampleStore as broken:
                self._report(str(broken))
        for folder in self._folders.values():
            if folder.has_new_lines():
                self._read_lines(folder)

    def samples(self, die_set: str = "") -> tuple[Sample, ...]:
        """Return every sample, or those of one die set, in the order taken."""
        found = (sample for sample in self._samples.values() if die_set in ("", sample.die_set))
        return tuple(sorted(found, key=lambda sample: sample.taken_at))

    def sample(self, name: str) -> Sample:
        """Return the sample of that name. Raises NoSuchSample."""
        if name not in self._samples:
            self.refresh()
        if name not in self._samples:
            raise NoSuchSample(say("there is no picture {name}", name=repr(name)))
        return self._samples[name]

    def sessions(self, die_set: str = "") -> tuple[CaptureSession, ...]:
        """Return the sessions, or those of one die set, by their beginning, those without samples included."""
        found = [one.session for one in self._folders.values() if die_set in ("", one.session.die_set)]
        return tuple(sorted(found, key=lambda session: (session.begun_at, session.name)))

    def folder(self, session: str) -> CaptureFolder | None:
        """Return a session's folder, or None where it has none yet."""
        return self._folders.get(session)

    def folder_of(self, sample: str) -> CaptureFolder:
        """Return the folder of a sample's session. Raises NoSuchSample."""
        return self._folders[self.sample(sample).session]

    def pictures(self, origin: str) -> Iterator[Path]:
        """Yield the picture files of all sessions of that origin."""
        for folder in self._folders.values():
            if folder.session.origin == origin:
                yield from folder.pictures()

    def has_frame(self, session: str, frame: str) -> bool:
        """True if a sample lies in that frame."""
        return any((sample.session, sample.frame) == (session, frame) for sample in self._samples.values())

    def next_number(self, session: str) -> int:
        """Return the number of a session's next picture, from 1."""
        prefix = f"{session}-"
        numbers = (name.removeprefix(prefix).split("-")[0] for name in self._names if name.startswith(prefix))
        return 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)

    def leave_out(self, name: str, why: str) -> None:
        """Leave out a sample whose picture cannot be read, unless it was deleted meanwhile."""
        self.refresh()
        if self._samples.pop(name, None):
            self._report(why)

    def leave_out_samples_without_picture(self) -> None:
        """Leave out the samples whose picture file is missing."""
        for folder in self._folders.values():
            there, session = folder.sample_names(), folder.session.name
            lost = [one.name for one in self._samples.values() if one.session == session and one.name not in there]
            for name in lost:
                del self._samples[name]
            if lost:
                self._report(f"{folder.path / 'crops'} lacks {len(lost)} pictures, so that these dice are left out")

    def _read_lines(self, folder: CaptureFolder) -> None:
        self.revision += 1
        try:
            for name, sample in folder.new_lines():
                self._names.add(name)
                if sample is not None:
                    self._samples[name] = sample
                elif name in self._samples and self._samples[name].session == folder.session.name:
                    del self._samples[name]
        except BadSample as broken:
            self._report(str(broken))

    def _forget(self, session: str) -> None:
        del self._folders[session]
        self.revision += 1
        self._samples = {name: sample for name, sample in self._samples.items() if sample.session != session}

    def _report(self, problem: str) -> None:
        if problem not in self._problems:
            self._problems.append(problem)


def session_name(at: datetime) -> str:
    """Return a new session's name: its beginning in UTC, and three letters by chance."""
    return f"{at:%Y%m%d-%H%M}-{''.join(secrets.choice(_LETTERS) for _ in range(3))}"
