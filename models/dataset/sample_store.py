"""The sample store: every captured die, in one folder. docs/captured.md describes its format on disk.

An import is prepared in a folder of its own: `coming-*` is being prepared, and deleted after a power failure;
`arrived-*` is complete, and moved in then.
"""

from __future__ import annotations

import secrets
import threading
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock

import cv2
import numpy as np

from models import atomic_files
from models.dataset.samples import (
    FRAME_QUALITY,
    BadSample,
    BadSampleStore,
    CaptureFolder,
    CaptureSession,
    FaceLabel,
    NewSample,
    NoSuchCaptureSession,
    NoSuchSample,
    Sample,
    append_lines,
    checked_face,
    checked_label,
    checked_name,
    checked_origin,
    deletion_line,
    format_line,
    frame_names,
    normalized,
    read_picture,
    with_face_renamed,
)
from referee.phrases import counted
from referee.sentences import say
from vision.frames import Pixels
from vision.image_io import SHORTEST_SIDE, encode_jpeg, encode_png
from vision.rectification import RotatedSquare

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
        for folder in self._folders.values():
            there, session = folder.sample_names(), folder.session.name
            lost = [one.name for one in self._samples.values() if one.session == session and one.name not in there]
            for name in lost:
                del self._samples[name]
            if lost:
                self._report(f"{folder.path / 'crops'} lacks {counted(len(lost), 'picture')}, left out here")

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


PREPARING, COMPLETE = "coming-", "arrived-"


@contextmanager
def prepare(store: Path, write_lock: RLock) -> Iterator[Path]:
    """Yield a folder in a store's folder to prepare sessions in, and move them in at the end. Raises SaveFailed.

    Only the move holds `write_lock`.
    """
    place = store / f"{PREPARING}{secrets.token_hex(4)}"
    with atomic_files.saving(say("what is taken in to {store}", store=store)), atomic_files.folder_lock(store):
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


# Opening a sample store's folder: make it, check its format, delete sessions, and clean up after a power failure


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
        if path.name.startswith(COMPLETE):
            move_in(path, folder)
        elif path.name.startswith((PREPARING, DELETING)) or path.suffix == atomic_files.PART:
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


# The sample store: every captured die, in one folder. docs/captured.md describes its format on disk


def _now() -> datetime:
    return datetime.now(UTC)


class SampleStore:
    """The samples in a folder, which is made if it is missing. Any thread may call any method.

    What was saved survives a power failure; what was being saved then is not there at all. Another program may write
    into the same folder: its samples appear at the next call. `now` is the clock. Raises BadSampleStore and SaveFailed.

    Two locks: one thread writes at a time, and nobody who only reads waits for a write. Whoever holds both took the
    writers' lock first.
    """

    def __init__(self, folder: Path, now: Callable[[], datetime] = _now) -> None:
        self.folder, self.now = folder, now
        self._write_lock, self._lock = threading.RLock(), threading.RLock()
        self._index = SampleIndex(folder)
        self._started: dict[str, CaptureSession] = {}
        self._sizes: dict[str, tuple[int, int]] = {}  # by origin: the index's revision then, and the bytes
        make_folder(folder)
        recover(folder)
        self._index.refresh()
        self._index.leave_out_samples_without_picture()

    def samples(self, die_set: str = "") -> tuple[Sample, ...]:
        """Return every sample, or those of one die set, in the order taken."""
        with self._lock:
            self._index.refresh()
            return self._index.samples(die_set)

    def sample(self, name: str) -> Sample:
        """Return the sample of that name. Raises NoSuchSample."""
        with self._lock:
            return self._index.sample(name)

    def pixels(self, name: str) -> Pixels:
        """Return a sample's picture (height x width x 3, BGR, uint8).

        Raises NoSuchSample where there is no such sample, and where its picture is missing or damaged: the sample is
        left out from then on.
        """
        path = self.crop_path(name)
        pixels = read_picture(path)
        if pixels is None:
            with self._lock:
                self._index.leave_out(name, f"{path} is gone or damaged, so that this die is left out")
            raise NoSuchSample(say("the picture {name} is gone or damaged", name=name))
        return pixels

    def with_pixels(self, samples: Iterable[Sample]) -> Iterator[tuple[Sample, Pixels]]:
        """Yield these samples with their pictures, without those whose picture is missing or damaged."""
        for sample in samples:
            with suppress(NoSuchSample):
                yield sample, self.pixels(sample.name)

    def frame(self, name: str) -> Pixels | None:
        """Return the frame that a sample lies in, or None where there is none. Raises NoSuchSample."""
        path = self.frame_path(name)
        return None if path is None else read_picture(path)

    def crop_path(self, name: str) -> Path:
        """Return the file of a sample's picture. Raises NoSuchSample."""
        with self._lock:
            return self._index.folder_of(name).crop(name)

    def frame_path(self, name: str) -> Path | None:
        """Return the file of the frame that a sample lies in, or None where there is none. Raises NoSuchSample."""
        with self._lock:
            sample = self._index.sample(name)
            return self._index.folder_of(name).frame(sample.frame) if sample.frame else None

    def sessions(self, die_set: str = "") -> tuple[CaptureSession, ...]:
        """Return the sessions, or those with one die set, by their beginning, those without samples included."""
        with self._lock:
            self._index.refresh()
            return self._index.sessions(die_set)

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read, a sentence each; everything else is there."""
        with self._lock:
            return self._index.problems

    def bytes_used_by(self, origin: str) -> int:
        """Return the bytes of all pictures of an origin: "play", "guided" or "import"."""
        with self._lock:
            self._index.refresh()
            revision, known = self._index.revision, self._sizes.get(origin)
            if known and known[0] == revision:
                return known[1]
            paths = [*self._index.pictures(origin)]
        self._sizes[origin] = revision, sum(map(atomic_files.file_size, paths))
        return self._sizes[origin][1]

    def start_session(self, die_set: str, origin: str, session: str = "") -> str:
        """Start a session, or continue the one of that name, and return its name. Raises BadSample.

        Nothing is on disk before its first sample.
        """
        checked_face(die_set, "a die set"), checked_origin(origin)
        with self._lock:
            self._index.refresh()
            now = self.now()
            name = checked_name(session, "a session") if session else session_name(now)
            while not session and self._session(name) is not None:
                name = session_name(now)
            known = self._session(name)
            if known is None:
                self._started[name] = CaptureSession(name, die_set, origin, now)
            elif (known.die_set, known.origin) != (die_set, origin):
                raise BadSample(
                    say(
                        "the session {name} is {origin} with {die_set}; begin another",
                        name=name,
                        origin=known.origin,
                        die_set=known.die_set,
                    )
                )
            return name

    def save(self, session: str, die_set: str, frame: Pixels | None, dice: Sequence[NewSample]) -> tuple[Sample, ...]:
        """Save the dice of one frame, and the frame where there is one and any die: all of it, or nothing.

        Pictures are encoded before any lock is taken. Raises NoSuchCaptureSession, BadSample and SaveFailed.
        """
        for die in dice:
            _check_pixels(die)
        if not dice:
            return ()
        crops = [encode_png(padded(die.pixels)) for die in dice]
        whole = None if frame is None else encode_jpeg(frame, FRAME_QUALITY)
        placed = [die if frame is None else _placed_in(frame, die) for die in dice]
        with self._write_lock:
            folder, number = self._folder_for(session, die_set)
            samples = _new_samples(folder.session, number, self.now(), frame is not None, placed)
            pictures = {folder.crop(sample.name): crop for sample, crop in zip(samples, crops, strict=True)}
            if whole is not None:
                pictures[folder.frame(samples[0].frame)] = whole
            with self._writing():
                _write(folder, samples, pictures)
            return tuple(self.sample(sample.name) for sample in samples)

    def label(self, names: Iterable[str], kind: str, face: str, by: str) -> None:
        """Label these samples, or change their labels; `by` says who did. All of them, or none.

        Raises NoSuchSample, BadSample and SaveFailed.
        """
        with self._write_lock:
            label = checked_label(FaceLabel(kind, face, by, self.now()))
            self._amend([replace(self.sample(name), label=label) for name in dict.fromkeys(names)])

    def delete(self, names: Iterable[str]) -> None:
        """Delete samples with their pictures, and the frames that no other sample lies in.

        Raises NoSuchSample and SaveFailed.
        """
        with self._write_lock:
            gone = [self.sample(name) for name in dict.fromkeys(names)]
            paths = [self.crop_path(sample.name) for sample in gone]
            frames = self._frames_of(gone)
            self._append((sample.session, deletion_line(sample.name)) for sample in gone)
            self._delete_files(paths, frames)

    def delete_frames(self, names: Iterable[str]) -> None:
        """Delete the frames of these samples, and keep the samples. Raises NoSuchSample and SaveFailed."""
        with self._write_lock:
            samples = [self.sample(name) for name in dict.fromkeys(names)]
            frames = self._frames_of(samples)
            self._amend([replace(sample, frame="", in_frame=None) for sample in samples if sample.frame])
            self._delete_files((), frames)

    def delete_die_set(self, die_set: str) -> None:
        """Delete every session with a die set. Raises SaveFailed."""
        with self._write_lock, self._writing():
            for session in self.sessions(die_set):
                delete_session(self.folder, session.name)
            with self._lock:
                self._started = {name: one for name, one in self._started.items() if one.die_set != die_set}

    def rename_face(self, die_set: str, kind: str, face: str, other: str) -> None:
        """Rename a face in labels and readings; where the other face is there already, the two become one.

        Who gave a label and when stays as it was. Raises BadSample and SaveFailed.
        """
        checked_face(other, "a face")
        with self._write_lock:
            renamed = [(sample, with_face_renamed(sample, kind, face, other)) for sample in self.samples(die_set)]
            self._amend([new for old, new in renamed if new != old])

    def staging_folder(self) -> AbstractContextManager[Path]:
        """Yield a folder to prepare sessions in, `sessions/NAME` each; in the end they all move in, or none do.

        With them move new labels of samples of the store: `labels/NAME/dice.jsonl` holds the lines of such samples of
        the session NAME. Raises SaveFailed.
        """
        return prepare(self.folder, self._write_lock)

    def _session(self, name: str) -> CaptureSession | None:
        folder = self._index.folder(name)
        return folder.session if folder else self._started.get(name)

    def _folder_for(self, session: str, die_set: str) -> tuple[CaptureFolder, int]:
        """Return a session's folder, and the number of its next picture. Raises NoSuchCaptureSession and BadSample."""
        with self._lock:
            known, number = self._session(session), self._index.next_number(session)
            folder = self._index.folder(session)
        if known is None:
            raise NoSuchCaptureSession(say("there is no session {session}; begin one", session=repr(session)))
        if known.die_set != die_set:
            raise BadSample(
                say(
                    "the session {session} is with {dice}, not with {others}; begin another",
                    session=session,
                    dice=known.die_set,
                    others=die_set,
                )
            )
        return folder or CaptureFolder(self.folder / "sessions" / session, known), number

    def _amend(self, samples: Sequence[Sample]) -> None:
        samples = [normalized(sample) for sample in samples]
        self._append((sample.session, format_line(sample)) for sample in samples)

    def _append(self, lines: Iterable[tuple[str, str]]) -> None:
        """Append lines to their sessions: to all of them, or to none."""
        with self._writing():
            append_lines(self.folder / "sessions", lines)

    def _frames_of(self, samples: Iterable[Sample]) -> dict[tuple[str, str], Path]:
        """Return the files of the frames that these samples lie in, by session and name."""
        paths = [(sample, self.frame_path(sample.name)) for sample in samples if sample.frame]
        return {(sample.session, sample.frame): path for sample, path in paths if path}

    def _delete_files(self, crops: Iterable[Path], frames: dict[tuple[str, str], Path]) -> None:
        """Delete these crops, and those of these frames that no sample lies in."""
        with self._lock:
            unused = [path for (session, frame), path in frames.items() if not self._index.has_frame(session, frame)]
        for path in (*crops, *unused):
            atomic_files.remove(path)
        self._sizes.clear()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Write next to other programs, and read what was written afterwards. Raises SaveFailed."""
        with (
            atomic_files.saving(say("what was captured for {folder}", folder=self.folder)),
            atomic_files.folder_lock(self.folder),
        ):
            yield
        with self._lock:
            self._index.refresh()


def _new_samples(
    session: CaptureSession, number: int, at: datetime, framed: bool, dice: Sequence[NewSample]
) -> list[Sample]:
    """Return the samples that these dice of one picture become. Raises BadSample."""
    picture = f"{session.name}-{number:04d}"
    frame = picture if framed else ""
    return [_new_sample(f"{picture}-{n}", session, at, frame, die) for n, die in enumerate(dice, 1)]


def _new_sample(name: str, session: CaptureSession, at: datetime, frame: str, die: NewSample) -> Sample:
    sample = Sample(
        name=name,
        session=session.name,
        die_set=session.die_set,
        origin=session.origin,
        taken_at=at,
        place=die.place,
        frame=frame,
        in_frame=die.in_frame if frame else None,
        light=die.light,
        read=die.read,
        label=die.label,
    )
    return normalized(sample)


def _write(folder: CaptureFolder, samples: Sequence[Sample], pictures: dict[Path, bytes]) -> None:
    """Write the pictures, then their lines, so that no line lacks its picture. Raises OSError, and leaves nothing."""
    fresh = not folder.path.exists()
    try:
        folder.make()
        for path, contents in pictures.items():
            atomic_files.write_atomically(path, contents)
        atomic_files.append_durably(folder.lines, "".join(f"{format_line(sample)}\n" for sample in samples))
    except OSError:
        for path in [folder.path] if fresh else pictures:
            atomic_files.remove(path)
        raise


def _placed_in(frame: Pixels, die: NewSample) -> NewSample:
    """Return a die without its place in the frame where it lies beyond: a frame is cut to the tray."""
    return die if die.in_frame is None or _lies_in(die.in_frame, frame) else replace(die, in_frame=None)


def _lies_in(place: RotatedSquare, pixels: Pixels) -> bool:
    """True if the centre of a die lies in a picture."""
    height, width = pixels.shape[:2]
    return bool(-1 < place.x < width and -1 < place.y < height)


def _check_pixels(die: NewSample) -> None:
    if die.pixels.ndim != 3 or die.pixels.shape[2] != 3 or not die.pixels.size:
        raise BadSample(say("a die's picture needs height x width x 3 pixels"))
    if not _lies_in(die.place, die.pixels):
        height, width = die.pixels.shape[:2]
        raise BadSample(
            say(
                "the die lies at {x}, {y}, beyond its picture of {width} x {height}",
                x=f"{die.place.x:.0f}",
                y=f"{die.place.y:.0f}",
                width=width,
                height=height,
            )
        )


def padded(pixels: Pixels) -> Pixels:
    """Return a picture of at least SHORTEST_SIDE pixels a side, mirrored beyond its right and lower border."""
    down, across = (max(0, SHORTEST_SIDE - length) for length in pixels.shape[:2])
    if not (down or across):
        return pixels
    return np.asarray(cv2.copyMakeBorder(pixels, 0, down, 0, across, cv2.BORDER_REFLECT_101), np.uint8)
