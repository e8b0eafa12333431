"""The collection: every captured die, in one folder. Its form is described in docs/captured.md."""

from __future__ import annotations

import secrets
import threading
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np

from models import atomic_files
from models.dataset.capture_sessions import FRAME_QUALITY, CaptureFolder, frame_names, read_picture
from models.dataset.dataset_errors import BadSample, BadSampleStore, NoSuchCaptureSession, NoSuchSample
from models.dataset.pruning import Pruner
from models.dataset.samples import (
    CaptureSession,
    FaceLabel,
    NewSample,
    Sample,
    SampleReading,
    checked_face,
    checked_label,
    checked_name,
    checked_origin,
    deletion_line,
    format_line,
    normalized,
)
from vision.frames import Pixels
from vision.image_io import SHORTEST_SIDE, encode_jpeg, encode_png

FORMAT = 1
"""The form on disk; a collection says in about.toml which one it has."""

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _now() -> datetime:
    return datetime.now(UTC)


class SampleStore:
    """The captured dice in a folder, which is made when it is not there. Any thread may call any method.

    What has been kept survives a pulled plug; what was being kept then is not there at all. Another program may write
    into the same folder: its dice show up at the next look. `now` is the clock. Raises BadSampleStore, SaveFailed.
    """

    def __init__(self, folder: Path, now: Callable[[], datetime] = _now) -> None:
        self.folder, self.now = folder, now
        self._lock = threading.RLock()
        self._sessions: dict[str, CaptureFolder] = {}
        self._begun: dict[str, CaptureSession] = {}
        self._samples: dict[str, Sample] = {}
        self._known: set[str] = set()  # gone ones too: a name never comes again
        self._doubts: list[str] = []
        self._used: dict[str, int] = {}  # by how they were captured, and of everything
        _make(folder)
        with atomic_files.latched(folder, alone=True) as alone:
            if alone:
                self._tidy()
        self._look()
        self._leave_out_the_pictureless()

    # ── looking ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def samples(self, die_set: str = "") -> tuple[Sample, ...]:
        """Every die, or those of a die set, in the order taken."""
        with self._lock:
            self._look()
            found = [sample for sample in self._samples.values() if die_set in ("", sample.die_set)]
        return tuple(sorted(found, key=lambda sample: sample.taken_at))

    def sample(self, name: str) -> Sample:
        """The die of that name. Raises NoSuchSample."""
        with self._lock:
            if name not in self._samples:
                self._look()
            if name not in self._samples:
                raise NoSuchSample(f"there is no picture {name!r}")
            return self._samples[name]

    def pixels(self, name: str) -> Pixels:
        """The die's own picture, height x width x 3. Raises NoSuchSample; the die is left out from then on."""
        path = self.crop_path(name)
        pixels = read_picture(path)
        if pixels is None:
            self._leave_out(name, path)
            raise NoSuchSample(f"the picture {name} is gone or damaged")
        return pixels

    def with_pixels(self, samples: Iterable[Sample]) -> Iterator[tuple[Sample, Pixels]]:
        """These dice with their own pictures, but for those whose picture is gone or damaged."""
        for sample in samples:
            with suppress(NoSuchSample):
                yield sample, self.pixels(sample.name)

    def frame(self, name: str) -> Pixels | None:
        """The picture of the tray that the die of that name lies in; None when there is none. Raises NoSuchSample."""
        path = self.frame_path(name)
        return None if path is None else read_picture(path)

    def crop_path(self, name: str) -> Path:
        """The file of a die's own picture. Raises NoSuchSample."""
        with self._lock:
            return self._sessions[self.sample(name).session].crop(name)

    def frame_path(self, name: str) -> Path | None:
        """The file of the frame that the die of that name lies in; None when there is none. Raises NoSuchSample."""
        with self._lock:
            sample = self.sample(name)
            return self._sessions[sample.session].frame(sample.frame) if sample.frame else None

    def sessions(self, die_set: str = "") -> tuple[CaptureSession, ...]:
        """The sessions, or those with a die set, by their beginning; those of which nothing is left as well."""
        with self._lock:
            self._look()
            found = [one.session for one in self._sessions.values() if die_set in ("", one.session.die_set)]
        return tuple(sorted(found, key=lambda session: (session.begun_at, session.name)))

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read, a sentence each; the rest is there."""
        with self._lock:
            return tuple(self._doubts)

    @property
    def total_bytes(self) -> int:
        """What all files of the collection take up."""
        return self._size_of("everything", lambda: self.folder.rglob("*.*"))

    def bytes_used_by(self, how: str) -> int:
        """The bytes of all pictures that were captured so: "play", "guided" or "import"."""
        return self._size_of(how, lambda: self._pictures(how))

    # ── keeping ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def start_session(self, die_set: str, how: str, session: str = "") -> str:
        """Begin a session, or go on with the one of that name. Gives its name. Raises BadSample.

        Nothing is on disk before its first die.
        """
        checked_face(die_set, "a die set"), checked_origin(how)
        with self._lock:
            self._look()
            now = self.now()
            name = checked_name(session, "a session") if session else self._new_name(now)
            there = self._session(name)
            if there is None:
                self._begun[name] = CaptureSession(name, die_set, how, now)
            elif (there.die_set, there.how) != (die_set, how):
                raise BadSample(f"the session {name} is {there.how} with {there.die_set}; begin another")
            return name

    def save(self, session: str, die_set: str, frame: Pixels | None, dice: Sequence[NewSample]) -> tuple[Sample, ...]:
        """Keep the dice of one picture; the frame is kept when there is one and any die. All of them, or none.

        Raises NoSuchCaptureSession, BadSample, SaveFailed.
        """
        with self._lock:
            folder = self._folder_for(session, die_set)
            at = self.now()
            samples = [normalized(sample) for sample in self._samples_of(folder.session, at, frame is not None, dice)]
            if not samples:
                return ()
            with self._changing():
                self._write(folder, samples, frame, dice)
            return tuple(self._samples[sample.name] for sample in samples)

    def label(self, names: Iterable[str], kind: str, face: str, by: str) -> None:
        """Say what these dice show, and who says so: labels waiting ones, moves labelled ones. All of them, or none.

        Raises NoSuchSample, BadSample, SaveFailed.
        """
        with self._lock:
            label = checked_label(FaceLabel(kind, face, by, self.now()))
            self._amend([replace(self.sample(name), label=label) for name in dict.fromkeys(names)])

    def delete(self, names: Iterable[str]) -> None:
        """Throw these dice away, with their pictures and the frames that no other die lies in.

        Raises NoSuchSample, SaveFailed.
        """
        with self._lock:
            gone = [self.sample(name) for name in dict.fromkeys(names)]
            self._append((sample.session, deletion_line(sample.name)) for sample in gone)
            for sample in gone:
                atomic_files.remove(self._sessions[sample.session].crop(sample.name))
            self._drop_lonely_frames(gone)

    def delete_frames(self, names: Iterable[str]) -> None:
        """Throw away the frames of these dice, and keep the dice. Raises NoSuchSample, SaveFailed."""
        with self._lock:
            samples = [self.sample(name) for name in dict.fromkeys(names)]
            self._amend([replace(sample, frame="", in_frame=None) for sample in samples if sample.frame])
            self._drop_lonely_frames(samples)

    def delete_die_set(self, die_set: str) -> None:
        """Throw away every session with a die set. Raises SaveFailed."""
        with self._lock, self._changing():
            for session in self.sessions(die_set):
                folder = self._sessions[session.name].folder
                folder.rename(self.folder / f"gone-{folder.name}")
                atomic_files.remove(self.folder / f"gone-{folder.name}")
            self._begun = {name: session for name, session in self._begun.items() if session.die_set != die_set}

    def rename_face(self, die_set: str, kind: str, face: str, other: str) -> None:
        """Call a face otherwise, in labels and readings; where the other is there already, the two become one.

        Who said so and when stay as they were. Raises BadSample, SaveFailed.
        """
        checked_face(other, "a face")
        with self._lock:
            told = [(sample, _renamed(sample, kind, face, other)) for sample in self.samples(die_set)]
            self._amend([new for old, new in told if new != old])

    def prune(self, most_bytes: int, how: str = "play") -> int:
        """Throw pictures that were captured so away until they take up no more than that, and no others.

        Gives how many frames and dice went. What goes first is told in `thinning`; the last pictures of a face stay,
        even when that is too much. Raises SaveFailed.
        """
        with self._lock:
            return Pruner(self, most_bytes, how).done()

    # ── within ───────────────────────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def staging_folder(self) -> Iterator[Path]:
        """A folder in here to prepare sessions in, `sessions/NAME` each; they all come in at the end, or none do.

        New labels of dice that are here already come in with them: in `labels/NAME/dice.jsonl` are the lines of such
        dice of the session of that name. Raises SaveFailed.
        """
        place = self.folder / f"coming-{secrets.token_hex(4)}"
        with atomic_files.keeping(f"what is taken in to {self.folder}"), atomic_files.latched(self.folder):
            try:
                (place / "sessions").mkdir(parents=True)
                yield place
                arrived = _sealed(place)
            except BaseException:
                atomic_files.remove(place)
                raise
            self._let_in(arrived)

    def _let_in(self, arrived: Path) -> None:
        """Labels first: where the disk has no room for them, nothing comes in. Raises OSError."""
        with self._lock:
            try:
                _relabel(arrived, self.folder)
            except OSError:
                atomic_files.remove(arrived)
                raise
            _move_in(arrived, self.folder)
            self._used.clear()

    def _tidy(self) -> None:
        """Finish or undo what was under way when the plug was pulled."""
        with atomic_files.keeping(f"the collection {self.folder}"):
            for path in sorted(self.folder.iterdir()):
                if path.name.startswith("arrived-"):
                    self._let_in(path)
                elif path.name.startswith(("coming-", "gone-")) or path.suffix == atomic_files.PART:
                    atomic_files.remove(path)
            for folder in (self.folder / "sessions").iterdir():
                if (folder / "session.toml").exists():
                    self._tidy_session(folder)
                elif folder.is_dir():
                    atomic_files.remove(folder)

    def _tidy_session(self, folder: Path) -> None:
        try:
            one = CaptureFolder.opened(folder)
        except BadSampleStore:
            return
        atomic_files.cut_torn(one.dice)
        samples: dict[str, Sample] = {}
        try:
            one.tell(samples)
        except BadSample:
            return  # the pictures of a line that cannot be read are not for us to throw away
        one.sweep(set(samples), frame_names(samples.values()))

    def _look(self) -> None:
        """Take in what is new on disk, be it ours or another program's."""
        there = {path.name for path in (self.folder / "sessions").iterdir() if (path / "session.toml").exists()}
        for name in self._sessions.keys() - there:
            self._forget(name)
        for name in sorted(there - self._sessions.keys()):
            try:
                self._sessions[name] = CaptureFolder.opened(self.folder / "sessions" / name)
            except BadSampleStore as broken:
                self._doubt(str(broken))
        for one in self._sessions.values():
            if one.changed():
                self._take_in(one)

    def _take_in(self, one: CaptureFolder) -> None:
        self._used.clear()
        try:
            for name, sample in one.news():
                self._known.add(name)
                if sample is not None:
                    self._samples[name] = sample
                elif name in self._samples and self._samples[name].session == one.session.name:
                    del self._samples[name]
        except BadSample as broken:
            self._doubt(str(broken))

    def _doubt(self, sentence: str) -> None:
        if sentence not in self._doubts:
            self._doubts.append(sentence)

    def _forget(self, session: str) -> None:
        del self._sessions[session]
        self._used.clear()
        self._samples = {name: sample for name, sample in self._samples.items() if sample.session != session}

    def _leave_out_the_pictureless(self) -> None:
        for one in self._sessions.values():
            there = one.has()
            lost = [s.name for s in self._samples.values() if s.session == one.session.name and s.name not in there]
            for name in lost:
                del self._samples[name]
            if lost:
                self._doubt(f"{one.folder / 'crops'} lacks {len(lost)} pictures, so that these dice are left out")

    def _leave_out(self, name: str, path: Path) -> None:
        """A die whose picture cannot be read, unless it was thrown away meanwhile."""
        with self._lock:
            self._look()
            if self._samples.pop(name, None):
                self._doubt(f"{path} is gone or damaged, so that this die is left out")

    def _size_of(self, what: str, files: Callable[[], Iterable[Path]]) -> int:
        with self._lock:
            self._look()
            if what not in self._used:
                self._used[what] = sum(map(atomic_files.size, files()))
            return self._used[what]

    def _pictures(self, how: str) -> Iterator[Path]:
        for one in self._sessions.values():
            if one.session.how == how:
                yield from one.pictures()

    def _session(self, name: str) -> CaptureSession | None:
        if name in self._sessions:
            return self._sessions[name].session
        return self._begun.get(name)

    def _new_name(self, now: datetime) -> str:
        while True:
            name = f"{now:%Y%m%d-%H%M}-{''.join(secrets.choice(_LETTERS) for _ in range(3))}"
            if self._session(name) is None:
                return name

    def _folder_for(self, name: str, die_set: str) -> CaptureFolder:
        session = self._session(name)
        if session is None:
            raise NoSuchCaptureSession(f"there is no session {name!r}; begin one")
        if session.die_set != die_set:
            raise BadSample(f"the session {name} is with {session.die_set}, not with {die_set}; begin another")
        return self._sessions.get(name) or CaptureFolder(self.folder / "sessions" / name, session)

    def _samples_of(
        self, session: CaptureSession, at: datetime, framed: bool, dice: Sequence[NewSample]
    ) -> Iterator[Sample]:
        picture = f"{session.name}-{self._next_number(session.name):04d}"
        for number, die in enumerate(dice, 1):
            _check_pixels(die)
            yield Sample(
                name=f"{picture}-{number}",
                session=session.name,
                die_set=session.die_set,
                how=session.how,
                taken_at=at,
                place=die.place,
                frame=picture if framed else "",
                in_frame=die.in_frame if framed else None,
                light=die.light,
                read=die.read,
                label=die.label,
            )

    def _next_number(self, session: str) -> int:
        numbers = (
            name.removeprefix(f"{session}-").split("-") for name in self._known if name.startswith(f"{session}-")
        )
        return 1 + max((int(parts[0]) for parts in numbers if parts[0].isdecimal()), default=0)

    def _write(
        self, folder: CaptureFolder, samples: Sequence[Sample], frame: Pixels | None, dice: Sequence[NewSample]
    ) -> None:
        """The pictures first, then their lines, so that no line lacks its picture."""
        pictures = {
            folder.crop(sample.name): encode_png(padded(die.pixels)) for sample, die in zip(samples, dice, strict=True)
        }
        if frame is not None:
            pictures[folder.frame(samples[0].frame)] = encode_jpeg(frame, FRAME_QUALITY)
        fresh = not folder.folder.exists()
        try:
            folder.make()
            for path, contents in pictures.items():
                atomic_files.write_whole(path, contents)
            atomic_files.append(folder.dice, "".join(f"{format_line(sample)}\n" for sample in samples))
        except OSError:
            for path in [folder.folder] if fresh else pictures:
                atomic_files.remove(path)
            raise

    def _amend(self, samples: Sequence[Sample]) -> None:
        samples = [normalized(sample) for sample in samples]
        self._append((sample.session, format_line(sample)) for sample in samples)

    def _append(self, lines: Iterable[tuple[str, str]]) -> None:
        """Add lines to their sessions: to all of them, or to none."""
        by_session: dict[str, list[str]] = {}
        for session, line in lines:
            by_session.setdefault(session, []).append(f"{line}\n")
        with self._changing():
            atomic_files.append_each(
                {self._sessions[session].dice: "".join(texts) for session, texts in by_session.items()}
            )

    def _drop_lonely_frames(self, samples: Iterable[Sample]) -> None:
        used = {(sample.session, sample.frame) for sample in self._samples.values()}
        for session, frame in {(sample.session, sample.frame) for sample in samples if sample.frame} - used:
            atomic_files.remove(self._sessions[session].frame(frame))
        self._used.clear()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Write beside other programs, and see it afterwards. Raises SaveFailed."""
        with atomic_files.keeping(f"what was captured for {self.folder}"), atomic_files.latched(self.folder):
            yield
        self._used.clear()
        self._look()


def _make(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BadSampleStore(f"{folder} is no folder; captured dice are kept in one")
    about = folder / "about.toml"
    if about.exists():
        _check_format(about)
    with atomic_files.keeping(f"the collection {folder}"):
        (folder / "sessions").mkdir(parents=True, exist_ok=True)
        if not about.exists():
            atomic_files.write_whole(about, f"format = {FORMAT}\n".encode())


def _check_format(about: Path) -> None:
    try:
        found = tomllib.loads(about.read_text("utf-8")).get("format")
    except (OSError, ValueError):
        raise BadSampleStore(f"{about} cannot be read; write format = {FORMAT} into it") from None
    if found != FORMAT:
        raise BadSampleStore(
            f"{about} says format = {found}, and this version of Vander knows {FORMAT}; install a newer"
        )


def _check_pixels(die: NewSample) -> None:
    if die.pixels.ndim != 3 or die.pixels.shape[2] != 3 or not die.pixels.size:
        raise BadSample("a die's picture needs height x width x 3 pixels")
    height, width = die.pixels.shape[:2]
    if not (-1 < die.place.x < width and -1 < die.place.y < height):
        raise BadSample(
            f"the die lies at {die.place.x:.0f}, {die.place.y:.0f}, beyond its picture of {width} x {height}"
        )


def padded(pixels: Pixels) -> Pixels:
    """At least SHORTEST_SIDE a side, so that any program reads it: mirrored beyond its right and lower border."""
    down, across = (max(0, SHORTEST_SIDE - length) for length in pixels.shape[:2])
    if not (down or across):
        return pixels
    return np.asarray(cv2.copyMakeBorder(pixels, 0, down, 0, across, cv2.BORDER_REFLECT_101), np.uint8)


def _renamed(sample: Sample, kind: str, face: str, other: str) -> Sample:
    label, read = sample.label, sample.read
    if label and (label.kind, label.face) == (kind, face):
        label = replace(label, face=other)
    return replace(sample, label=label, read=read and _read_renamed(read, kind, face, other))


def _read_renamed(read: SampleReading, kind: str, face: str, other: str) -> SampleReading:
    """Runners-up name no kind; they are taken to be of the reading's own."""
    if read.kind != kind:
        return read
    ups = tuple((other if name == face else name, share) for name, share in read.runners_up)
    return replace(read, face=other if read.face == face else read.face, runners_up=ups)


def _sealed(place: Path) -> Path:
    """Say that all of it is there: from now on a pulled plug is made up for at the next opening."""
    atomic_files.sync_all(place)
    arrived = place.with_name(place.name.replace("coming-", "arrived-"))
    place.rename(arrived)
    atomic_files.sync(arrived.parent)
    return arrived


def _relabel(arrived: Path, folder: Path) -> None:
    """Give dice that are here the labels that came along, all or none; what was thrown away meanwhile stays away.

    Raises OSError.
    """
    lines = {}
    for came in sorted((arrived / "labels").glob("*")):
        with suppress(BadSampleStore, FileNotFoundError):  # a session that was thrown away meanwhile needs none
            one = CaptureFolder.opened(folder / "sessions" / came.name)
            lines[one.dice] = _with_labels(one, CaptureFolder(came, one.session))
    atomic_files.append_each(lines)


def _with_labels(here: CaptureFolder, came: CaptureFolder) -> str:
    """The lines of a session's dice with the labels that came for them."""
    samples: dict[str, Sample] = {}
    labelled: dict[str, Sample] = {}
    with suppress(BadSample):  # lines that cannot be read are told of where the session is taken in
        here.tell(samples)
    came.tell(labelled)
    told = (replace(samples[name], label=sample.label) for name, sample in labelled.items() if name in samples)
    return "".join(f"{format_line(sample)}\n" for sample in told)


def _move_in(arrived: Path, folder: Path) -> None:
    for session in sorted((arrived / "sessions").iterdir()):
        if not (folder / "sessions" / session.name).exists():
            session.rename(folder / "sessions" / session.name)
    atomic_files.sync(folder / "sessions")
    atomic_files.remove(arrived)
