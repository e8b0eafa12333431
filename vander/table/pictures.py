"""Pictures and films of the table: kept with a ruling, shown with a question, and given to those who learn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Protocol

from models.dataset.samples import AnsweredCheck, CheckedDie, DieOfThrow, LabelSource, SpotCheck, StatedFaces
from referee.dice import Seen, SeenDie
from referee.sentences import Reason, Refused, say
from vander.storage.data_folder import PictureDeleted
from vander.storage.evidence_store import EvidenceStore, FilmDie
from vander.table import session_state
from vision.frame_reader import CameraPicture, ImageSource, TrayPicture, is_cut
from vision.frames import Pixels
from vision.image_io import decode_picture, encode_jpeg, encode_png
from vision.observations import Observation, TrackedDie
from vision.rectification import RotatedSquare

# Pictures of the dice that lie there

NO_TRAY_SEEN = say("The camera does not see the tray now, so there is no picture of it.")
NO_FRAME = say("The camera gives no picture.")
UNCUT = say("This old picture also shows the room, so only a keeper may see it.")
CROPS_KEPT = 200
"""Die pictures kept in memory: those on the page, and those of pages that lag behind."""


TRAYS_KEPT = 3
"""So many pictures of the whole tray stay at hand, each with its frame: the one shown, and those before it."""


class TableImages:
    """The pictures at hand, by name. One thread at a time may change them; any thread may ask for one."""

    def __init__(self, evidence: EvidenceStore) -> None:
        self._evidence = evidence
        self._current: CameraPicture | None = None
        self._settled: TrayPicture | None = None
        self._crops: Mapping[str, bytes] = {}
        self._trays: Mapping[str, TrayPicture] = {}

    @property
    def trouble(self) -> str:
        """Return why the last piece of evidence could not be kept; '' when it was."""
        return self._evidence.trouble

    @property
    def has_evidence(self) -> bool:
        """True if there is a frame that may be kept as evidence."""
        return self._settled is not None

    def take_frames(self, images: ImageSource) -> None:
        """Take over the current frame, and the one that was read last."""
        self._current, self._settled = images.current_picture() or self._current, images.settled_picture()

    def take_current(self, images: ImageSource) -> None:
        """Take over the current frame alone: what was read last stays what is kept as evidence."""
        self._current = images.current_picture() or self._current

    def add_crops(self, names: Mapping[int, str], images: ImageSource) -> None:
        """Picture these dice, by number, under these names. The oldest pictures give way."""
        crops = {**self._crops, **{name: encode_jpeg(images.die_image(number)) for number, name in names.items()}}
        self._crops = dict(islice(crops.items(), max(0, len(crops) - CROPS_KEPT), None))

    def add_tray(self, name: str, images: ImageSource, ruled: str = "") -> None:
        """Keep the picture of the tray that was read last under this name; '' keeps nothing. The oldest give way.

        That of the last ruling, under the name `ruled`, does not: people look at it while they answer.
        """
        settled = images.settled_picture() if name else None
        if settled is not None:
            others = {known: picture for known, picture in self._trays.items() if known != ruled}
            last = {ruled: self._trays[ruled]} if ruled in self._trays else {}
            trays = {**others, **last, name: settled}
            self._trays = dict(islice(trays.items(), max(0, len(trays) - TRAYS_KEPT), None))

    def crop(self, name: str) -> bytes | None:
        """Return the JPEG of a single die that is at hand; None where it is not."""
        return self._crops.get(name)

    def keep_evidence(self, name: str) -> bool:
        """Put the tray of the frame that was read last on disk under that name; False if it is not seen, or cannot be.

        A frame without a tray is not kept: it would show the room.
        """
        jpeg = self._settled.tray_jpeg() if self._settled is not None else None
        return jpeg is not None and self._evidence.keep(name, jpeg)

    def tray(self) -> bytes:
        """Return a JPEG of the tray as it is now. Raises Refused where the camera does not see it."""
        current = self._current
        jpeg = current.tray_jpeg() if current is not None else None
        if jpeg is None:
            raise Refused(NO_TRAY_SEEN, Reason.NOT_FOUND)
        return jpeg

    def frame(self) -> bytes:
        """Return a JPEG of all that the camera sees now. Raises Refused where there is no frame."""
        if (current := self._current) is None:
            raise Refused(NO_FRAME, Reason.NOT_FOUND)
        return current.whole_jpeg()

    def find(self, name: str, *, uncut: bool = False) -> bytes:
        """Return a JPEG: a die's crop, the tray from above, or a piece of evidence. Raises Refused.

        Evidence that an older Vander kept may show the room: it is refused (NOT_ALLOWED) unless `uncut` is True.
        """
        if name in (crops := self._crops):
            return crops[name]
        if (tray := self._trays.get(name)) is not None and (upright := tray.upright_jpeg()) is not None:
            return upright
        jpeg = self._read(name)
        if not uncut and not is_cut(jpeg):
            raise Refused(UNCUT, Reason.NOT_ALLOWED)
        return jpeg

    def _read(self, name: str) -> bytes:
        try:
            return self._evidence.read(name)
        except PictureDeleted:
            raise Refused(say("That picture is gone: newer ones took its place."), Reason.GONE) from None
        except LookupError:
            raise Refused(say("There is no picture of that name."), Reason.NOT_FOUND) from None


# A picture of each face

MOST_KEPT = 200
"""Pictures kept, of the faces named last: more than the shipped die sets have faces."""

FaceOfSet = tuple[str, str, str]
"""A die set, a kind and a face, by their names."""


@dataclass(frozen=True)
class FacePicture:
    """A JPEG of a die that shows a face, and which die of which throw it is, of those counted since a recount."""

    jpeg: bytes
    recounts: int
    die: DieOfThrow


class FacePictures:
    """The pictures by the faces that they show. One thread at a time may change them; any thread may ask for one."""

    def __init__(self) -> None:
        self._kept: Mapping[FaceOfSet, FacePicture] = {}

    def find(self, die_set: str, kind: str, face: str) -> bytes | None:
        """Return a JPEG of a die that shows the face; None without one."""
        found = self._kept.get((die_set, kind, face))
        return found.jpeg if found else None

    def take_in(self, event: session_state.LabelEvent, state: session_state.SessionState, images: TableImages) -> None:
        """Keep the pictures of dice that people spoke of, and drop those of which it holds no more."""
        match event:
            case session_state.FacesStated(faces, _):
                for number, (throw, die) in faces.items():
                    jpeg = images.crop(_crop_of(state, (number, throw)))
                    if jpeg is not None and die.face is not None:
                        picture = FacePicture(jpeg, state.recounts, (number, throw))
                        self._keep((state.dice.name, die.kind, die.face), picture)
            case session_state.AnswerWithdrawn(dice):
                self._drop(state.recounts, dice)
            case _:
                pass

    def _keep(self, face: FaceOfSet, picture: FacePicture) -> None:
        others = {known: kept for known, kept in self._kept.items() if known != face}
        self._kept = {**dict(islice(others.items(), max(0, len(others) + 1 - MOST_KEPT), None)), face: picture}

    def _drop(self, recounts: int, dice: Collection[DieOfThrow]) -> None:
        self._kept = {
            face: kept for face, kept in self._kept.items() if kept.recounts != recounts or kept.die not in dice
        }


def _crop_of(state: session_state.SessionState, die: DieOfThrow) -> str:
    """The name of the picture of a die that lies as it was thrown then; '' where it does not."""
    seen = state.table.seen.dice if state.table.seen else ()
    is_there = any((each.number, each.throw) == die for each in seen)
    return state.table.crops.get(die[0], "") if is_there else ""


# Who keeps films


@dataclass(frozen=True)
class FilmedRuling:
    """What was read for a ruling or a breach.

    name: of the picture of its entry. entry_at: when the entry was made, in ISO 8601. dice: as they lie. lay: as they
    lay at the ruling before. crops: JPEG pictures of the dice, by number.
    """

    name: str
    entry_at: str
    dice: tuple[FilmDie, ...] = ()
    lay: tuple[FilmDie, ...] = ()
    crops: Mapping[int, bytes] = field(default_factory=dict)


class FilmSink(Protocol):
    """Who keeps films of rulings."""

    @property
    def trouble(self) -> str:
        """Return why the last film could not be kept; '' when it was."""

    def keep(self, ruling: FilmedRuling) -> None:
        """Keep the film of a ruling that was made just now. Called under the session's lock; returns at once."""

    def ask(self, questions: Collection[int]) -> None:
        """Hold the film of what questions of those numbers are about, which were asked just now, until the next ones.

        Called under the session's lock; returns at once.
        """

    def asked(self, question: int) -> bytes:
        """Return the film of what a question is about; b"" where there is none. Any thread may call."""


class NoFilms:
    """Keep no films."""

    trouble = ""

    def keep(self, ruling: FilmedRuling) -> None:
        """Do nothing."""

    def ask(self, questions: Collection[int]) -> None:
        """Do nothing."""

    def asked(self, question: int) -> bytes:
        """Return b""."""
        return b""


# What is kept with the film of a ruling: how each die was read, before and after


def filmed_ruling(
    before: session_state.SessionState, step: session_state.Step, find_crop: Callable[[str], bytes | None]
) -> FilmedRuling:
    """Return what a step that has evidence was ruled on; `find_crop` returns the picture of a die by its name."""
    table, lay = step.state.table, before.table
    entry_at = next((entry.at.isoformat() for entry in step.entries if entry.evidence == step.evidence), "")
    crops = {number: find_crop(name) for number, name in table.crops.items()}
    return FilmedRuling(
        step.evidence,
        entry_at,
        dice=_film_dice(table, table.seen, {die.number: die.throw for die in lay.ruled.dice} if lay.ruled else {}),
        lay=_film_dice(lay, lay.ruled, {}),
        crops={number: crop for number, crop in crops.items() if crop},
    )


def _film_dice(table: session_state.TableView, seen: Seen | None, old: Mapping[int, int]) -> tuple[FilmDie, ...]:
    """The dice of `seen`; where a die lies is known while it was not moved since. `old` holds their earlier throws."""
    tracked = {die.number: die for die in table.observed.dice} if table.observed else {}
    dice = seen.dice if seen else ()
    return tuple(_film_die(die, tracked.get(die.number), old.get(die.number, 0)) for die in dice)


def _film_die(seen: SeenDie, tracked: TrackedDie | None, old_throw: int) -> FilmDie:
    read = FilmDie(
        seen.number,
        str(seen.kind),
        str(seen.die.face or ""),
        confidence=seen.faces[0][1] if seen.faces else 0.0,
        zone=str(seen.zone),
        thrown=seen.throw > old_throw,
        handled=str(seen.handled or ""),
    )
    if tracked is None or (tracked.thrown, tracked.zone) != (seen.throw, seen.zone):
        return read
    reading, at = tracked.reading, tracked.reading.sighting
    likely = ((str(reading.face), reading.confidence), *((str(face), share) for face, share in reading.runners_up))
    others = tuple((face, share) for face, share in likely if face != read.face)
    confidence = dict(likely).get(read.face, 0.0)
    return replace(read, confidence=confidence, runners_up=others, x=at.x, y=at.y, edge=at.edge)


# Pictures that are held until an entry needs them


@dataclass(frozen=True)
class HeldImages:
    """A frozen copy of an `ImageSource`: later frames do not change it. About 0.5 MB; the frame itself has 3 MB.

    `settled`, the evidence, and `tray` are JPEG files, `tray` with the cut's corner in the frame; `dice` are JPEG files
    by the dice's numbers, `surroundings` PNG files with the die's place, since dice are learned from them. `upright` is
    the tray from straight above.
    """

    settled: bytes | None
    tray: tuple[bytes, float, float] | None
    dice: Mapping[int, bytes]
    surroundings: Mapping[int, tuple[bytes, RotatedSquare]]
    upright: bytes | None = None

    @classmethod
    def of(cls, observation: Observation, images: ImageSource) -> HeldImages:
        """Return the pictures of an observation."""
        numbers = [die.number for die in observation.dice]
        tray, settled = images.settled_tray(), images.settled_picture()
        around = {number: images.die_with_surroundings(number) for number in numbers}
        return cls(
            settled=None if settled is None else settled.tray_jpeg(),
            tray=None if tray is None else (encode_jpeg(tray[0]), *tray[1:]),
            dice={number: encode_jpeg(images.die_image(number)) for number in numbers},
            surroundings={number: (encode_png(pixels), place) for number, (pixels, place) in around.items()},
            upright=None if settled is None else settled.upright_jpeg(),
        )

    def die_image(self, number: int) -> Pixels:
        """Return the picture of one die of the observation."""
        return _decoded(self.dice[number])

    def die_with_surroundings(self, number: int) -> tuple[Pixels, RotatedSquare]:
        """Return one die of the observation with what lies around it, and the die's place in that picture."""
        picture, place = self.surroundings[number]
        return _decoded(picture), place

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        """Return the frame cut to the tray, and the cut's corner (x, y) in the frame, or None."""
        return None if self.tray is None else (_decoded(self.tray[0]), *self.tray[1:])

    def current_picture(self) -> CameraPicture | None:
        """Return None: the frame of the observation is no longer what the camera sees."""
        return None

    def settled_picture(self) -> TrayPicture | None:
        """Return the evidence of what was read."""
        return None if self.settled is None else HeldPicture(self.settled, self.upright)


@dataclass(frozen=True)
class HeldPicture:
    """A `TrayPicture` that was made already."""

    jpeg: bytes
    upright: bytes | None = None

    def tray_jpeg(self) -> bytes | None:
        """Return the JPEG file."""
        return self.jpeg

    def upright_jpeg(self) -> bytes | None:
        """Return the JPEG file of the tray from straight above."""
        return self.upright


def _decoded(picture: bytes) -> Pixels:
    return decode_picture(picture, shortest_side=1)


# Who learns from what people say


class LabelRecorder(Protocol):
    """Keeps pictures of dice with what people said of them. Both calls are quick: what takes time comes later."""

    def dice_settled(self, die_set: str, dice: Sequence[TrackedDie], images: ImageSource) -> None:
        """The dice of that set have come to rest; those in doubt wait for a label from now on."""

    def faces_stated(self, words: StatedFaces, how: LabelSource) -> None:
        """People said what some of the dice that came to rest last show."""


class ThrowChecker(Protocol):
    """Decides which throws people are asked about, and counts their answers. It has no lock: one thread at a time."""

    @property
    def open(self) -> SpotCheck | None:
        """Return the throw that people are asked about, or None."""

    def throw_ruled(self, throw: int, dice: Sequence[CheckedDie]) -> None:
        """Count the dice that a throw gave, now that it is ruled on; maybe ask about it."""

    def face_corrected(self, number: int, throw: int) -> None:
        """Count a die that people corrected of themselves."""

    def record_answer(self, number: int, wrong: Collection[int], thrown: AnsweredCheck | None = None) -> None:
        """Take an answer: these dice of the check were read wrong, in that throw. Raises Refused and Unwritten."""

    def skip_open(self) -> None:
        """Ask no more about the open throw."""

    def reset(self) -> None:
        """Other dice lie there, and their throws are counted from one again."""


class LabelListener(Protocol):
    """Hears of every label event in its order. The call is quick, and raises nothing: what takes time comes later."""

    def hear(self, event: session_state.LabelEvent, images: ImageSource | None) -> None:
        """Take in an event; `images` are the pictures of the observation that it comes from, if it comes from one."""


class LabelSink:
    """Hands the events of a step on to a recorder, a checker and a listener, where there are any."""

    def __init__(
        self,
        recorder: LabelRecorder | None = None,
        checker: ThrowChecker | None = None,
        listener: LabelListener | None = None,
    ) -> None:
        self._recorder = recorder
        self._checker = checker
        self._listener = listener

    @property
    def open_check(self) -> SpotCheck | None:
        """Return the throw that people are asked about, or None."""
        return self._checker.open if self._checker is not None else None

    def answer_check(self, number: int, misread: Collection[int], thrown: AnsweredCheck | None) -> None:
        """Count the answer to the open check of a throw. Raises Refused and Unwritten: it does not count then."""
        if self._checker is not None:
            self._checker.record_answer(number, misread, thrown)

    def handle(self, event: session_state.LabelEvent, images: ImageSource | None = None) -> None:
        """Hand an event on; `images` are the pictures of the observation that it comes from."""
        if self._recorder is not None:
            _record(self._recorder, event, images)
        if self._listener is not None:
            self._listener.hear(event, images)
        if self._checker is not None:
            _count(self._checker, event)


def _record(recorder: LabelRecorder, event: session_state.LabelEvent, images: ImageSource | None) -> None:
    match event:
        case session_state.DiceSettled(die_set, dice) if images is not None:
            recorder.dice_settled(die_set, dice, images)
        case session_state.FacesStated(faces, source):
            recorder.faces_stated(faces, source)
        case _:
            pass


def _count(checker: ThrowChecker, event: session_state.LabelEvent) -> None:
    match event:
        case session_state.ThrowEnded():
            checker.skip_open()
        case session_state.DiceRecounted():
            checker.reset()
        case session_state.ThrowRuled(throw, dice):
            checker.throw_ruled(throw, dice)
        case session_state.ReadingCorrected(number, throw):
            checker.face_corrected(number, throw)
        case _:
            pass
