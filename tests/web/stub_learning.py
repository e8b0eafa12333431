"""A learning service for tests: it keeps its dice and pictures in memory and writes down what was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from threading import Condition

import cv2
import numpy as np

from models import die_sets
from models.synthetic.faces import draw, random_style
from referee.dice import FaceName
from referee.journal import NOBODY, Actor
from referee.sentences import Reason, Refused
from web.schemas.learning_schemas import (
    AlikeFaces,
    AskedShare,
    CapturedDie,
    CaptureStatus,
    Choices,
    DieSetSummary,
    DoubtedDie,
    FaceMeter,
    LearningOverview,
    LessonSummary,
    LessonVersion,
    LikelyFace,
    NewKind,
    PlayBoard,
    PlayedFace,
    Share,
    TableAccuracy,
    ThrowCheck,
    ThrowCheckDie,
)
from web.schemas.response_model import NameTitle
from web.schemas.snapshot_schemas import TitledDie

WANTED = 10
MOONS = {
    "moon": "red",
    "sun": "star",
    "comet": "zap",
    "crescent": "happy",
    "owl": "sad",
    "shooting-star-of-summer": "go",
}
"""The faces of the Moon dice, each with the drawing that stands for its photograph."""

Which = tuple[str, str]


def waits(number: int, likely: Sequence[tuple[str, float]], dice: str = "moon", kind: str = "die") -> CapturedDie:
    """A picture in the queue."""
    faces = tuple(LikelyFace(kind, face, _title(face), share) for face, share in likely)
    return CapturedDie(
        f"q-{likely[0][0]}-{number}",
        dice,
        read=TitledDie(kind, faces[0].face, faces[0].title),
        likely=faces,
        at="2026-11-21T18:30:00+00:00",
        doubt=1 - faces[0].share,
    )


def _title(face: str) -> str:
    return die_sets.title(face)


def _doubted() -> list[DoubtedDie]:
    owl, comet, sun = (TitledDie("die", face, _title(face)) for face in ("owl", "comet", "sun"))
    wrong = "This looks like the others called Comet."
    at = "2026-11-22T15:31:00+00:00"
    return [
        DoubtedDie("20261122T150000-1-3-12", owl, comet, wrong, at, 12, pictured=True),
        DoubtedDie("20261122T150000-1-5-14", sun, owl, "First said to be Owl, then Sun: the last word counts.", at, 14),
    ]


def _queue() -> list[CapturedDie]:
    moons = [
        waits(place, ((face, 0.34 + 0.05 * place), ("owl", 0.21), ("sun", 0.09)))
        for place, face in enumerate(["moon", "crescent", "comet", "moon", "crescent", "moon", "comet", "moon"])
    ]
    signals = [waits(9, (("slow", 0.51), ("stop", 0.4)), "intersection", "signal")]
    return [*moons, *signals]


class StubLearning:
    """Dice that can be captured, labelled and taught; every request is in `asked`."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.refusal: Refused | None = None
        self.waiting = _queue()
        self.choices = Choices()
        self.measured = TableAccuracy()
        self.trouble = ""
        self.halts_game = False
        self.now: CaptureStatus | None = None
        self.lessons: dict[str, list[LessonVersion]] = {"moon": [], "intersection": [_lesson(1), _lesson(2)]}
        self.in_use = {"moon": 0, "intersection": 2}
        self.fresh = {"moon"}
        self.doubted = _doubted()
        self.switched_off: set[str] = set()
        self.forgotten: set[str] = set()
        self._changed = Condition()
        self._sets = {dice.name: dice for dice in (_moon(), _intersection(), _twenty())}
        self._pictures = [*_pictures_of(_moon(), (10, 12, 10, 7, 3, 0)), *_pictures_of(_intersection(), (10,) * 9)]

    def wait_for_asked(self, *request: object) -> bool:
        """Whether this was asked, now or within twenty seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: request in self.asked, 60)

    def overview(self) -> LearningOverview:
        dice = tuple(self.die_set(name) for name in self._sets)
        return LearningOverview(dice, self.now, self.choices, len(self.waiting), 87.4, self.trouble)

    def die_set(self, name: str) -> DieSetSummary:
        found = self._known(name)
        faces = tuple(self._meter(found, face) for face in found.faces)
        pictures = sum(face.pictures for face in faces)
        used = self.in_use.get(name, 0)
        doubted = len(self.doubted) if name == "moon" else 0
        return replace(
            found,
            faces=faces,
            pictures=pictures,
            sessions=3,
            version=used,
            fresh=name in self.fresh,
            answers=31,
            doubted=doubted,
        )

    def make_die_set(self, title: str, kinds: Sequence[NewKind]) -> DieSetSummary:
        name = title.casefold().replace(" ", "-")
        if name in self._sets:
            raise Refused(f"There are dice called {title} already; give these another name.", Reason.CONFLICT)
        self._note("make", title, tuple(kinds))
        named = tuple(NameTitle(kind.title.casefold().replace(" ", "-"), kind.title) for kind in kinds)
        faces = tuple(
            FaceMeter(own.name, face.casefold().replace(" ", "-"), face)
            for own, kind in zip(named, kinds, strict=True)
            for face in kind.faces
        )
        self._sets[name] = DieSetSummary(name, title, True, named, faces)
        return self.die_set(name)

    def delete_die_set(self, name: str) -> None:
        if not self._known(name).own:
            raise Refused("These dice came with Vander; only dice made here can be deleted.", Reason.CONFLICT)
        self._note("drop", name)
        del self._sets[name]

    def start_capture(self, name: str, kind: str = "", face: str = "", *, lend: bool = False) -> CaptureStatus:
        if self.halts_game and not lend:
            raise Refused("A game is running. Let its players lend the tray first.", Reason.CONFLICT)
        self.halts_game = False
        meters = self.die_set(name).faces
        asked = next((one for one in meters if (one.kind, one.face) == (kind, face)), None)
        if face and asked is None:
            raise Refused("These dice have no such face.", Reason.NOT_FOUND)
        self._note("sit", name, kind, face)
        meter = asked or next((one for one in meters if not one.enough), meters[0])
        says = f"Lay the dice with {meter.title} upward."
        dice = self.die_set(name)
        self.now = CaptureStatus(name, dice.title, meter.kind, meter.face, says, "wait", meter, in_view=3)
        return self.now

    def capture_status(self) -> CaptureStatus | None:
        return self.now

    def say(self, says: str, mood: str) -> None:
        """Let the guided capture say something else."""
        assert self.now
        self.now = replace(self.now, says=says, mood=mood)

    def shutter(self) -> CaptureStatus:
        capture = self._capture()
        self._note("shutter")
        taken = capture.taken + 1
        picture = f"c-{capture.face}-{100 + taken}"
        self._pictures.append(_captured(picture, capture.dice, _titled(capture.meter)))
        self.now = replace(
            capture,
            says="Taken. Turn and move the dice.",
            mood="taken",
            meter=self._meter(self._known(capture.dice), capture.meter),
            taken=taken,
            latest=(picture, *capture.latest)[:6],
        )
        self.fresh.add(capture.dice)
        return self.now

    def set_automatic(self, on: bool) -> CaptureStatus:
        capture = self._capture()
        self._note("by_itself", on)
        self.now = replace(capture, itself=on)
        return self.now

    def stop_capture(self) -> None:
        self._note("rise")
        self.now = None

    def labelled_samples(self, name: str, kind: str = "", face: str = "") -> Sequence[CapturedDie]:
        self._known(name)
        found = [one for one in reversed(self._pictures) if one.dice == name and one.said]
        return [one for one in found if one.said and kind in ("", one.said.kind) and face in ("", one.said.face)]

    def waiting_samples(self, most: int = 60) -> Sequence[CapturedDie]:
        return sorted(self.waiting, key=lambda one: -one.doubt)[:most]

    def label_samples(self, pictures: Sequence[str], kind: str, face: str) -> None:
        found = self._found(pictures)
        said = TitledDie(kind, face, self._title_of(found[0].dice, kind, face))
        self._note("label", tuple(pictures), kind, face)
        self._forget(pictures)
        self._pictures += [replace(one, said=said, by="labelled from the queue") for one in found]
        self.fresh.add(found[0].dice)

    def delete_samples(self, pictures: Sequence[str]) -> None:
        self._found(pictures)
        self._note("discard", tuple(pictures))
        self._forget(pictures)
        if self.now:
            self.now = replace(self.now, latest=tuple(one for one in self.now.latest if one not in pictures))

    def teach(self, name: str) -> LessonSummary:
        self._known(name)
        self._note("teach", name)
        versions = self.lessons.setdefault(name, [])
        versions.append(_lesson(len(versions) + 1))
        self.in_use[name] = len(versions)
        self.fresh.discard(name)
        return self.lesson(name)

    def lesson(self, name: str) -> LessonSummary:
        dice = self.die_set(name)
        versions = tuple(reversed(self.lessons.get(name, ())))
        if not self.in_use.get(name):
            sentence = "Nothing has been learned yet: capture at least five pictures of each face, then teach."
            return LessonSummary(name, dice.title, 0, sentence, versions=versions)
        at = versions[-self.in_use[name]].at
        return replace(_LEARNED, dice=name, title=dice.title, version=self.in_use[name], at=at, versions=versions)

    def use_lesson(self, name: str, version: int) -> LessonSummary:
        if version > len(self.lessons.get(name, ())):
            raise Refused(f"There is no lesson {version} of these dice.", Reason.NOT_FOUND)
        self._note("go_back", name, version)
        self.in_use[name] = version
        return self.lesson(name)

    def merge_faces(self, name: str, kind: str, face: str, other: str) -> DieSetSummary:
        dice = self._known(name)
        self._title_of(name, kind, face)
        self._note("merge", name, kind, face, other)
        self._sets[name] = replace(
            dice, faces=tuple(one for one in dice.faces if (one.kind, one.face) != (kind, other))
        )
        return self.die_set(name)

    def play_board(self, name: str) -> PlayBoard:
        dice = self._known(name)
        faces = tuple(PlayedFace(one.kind, one.face, one.title, 7 * n % 12) for n, one in enumerate(dice.faces))
        board = PlayBoard(name, dice.title, name not in self.switched_off, 31, faces)
        if name in self.forgotten:
            return replace(board, answers=0, faces=tuple(replace(face, dice=0) for face in faces))
        return replace(board, now=AskedShare(9, 60), before=AskedShare(31, 60), doubted=tuple(self.doubted))

    def set_learning(self, name: str, on: bool) -> PlayBoard:
        self._known(name)
        self._note("learning", name, on)
        self.switched_off = self.switched_off - {name} if on else self.switched_off | {name}
        return self.play_board(name)

    def forget_played(self, name: str) -> PlayBoard:
        self._known(name)
        self._note("forget", name)
        self.forgotten.add(name)
        return self.play_board(name)

    def label_played(self, name: str, die: str, kind: str, face: str) -> PlayBoard:
        self._title_of(name, kind, face)
        if die not in {one.die for one in self.doubted}:
            raise Refused("That die is no longer remembered.", Reason.NOT_FOUND)
        self._note("label_played", name, die, kind, face)
        self.doubted = [one for one in self.doubted if one.die != die]
        return self.play_board(name)

    def played_jpeg(self, name: str, die: str) -> bytes:
        found = next((one for one in self.doubted if one.die == die and one.pictured), None)
        if found is None:
            raise Refused("That picture is no longer there.", Reason.NOT_FOUND)
        return _photograph(MOONS[found.other.face], 3)

    def accuracy(self) -> TableAccuracy:
        return self.measured

    def choose(self, choices: Choices) -> Choices:
        self._note("choose", choices)
        self.choices = choices
        return choices

    def sample_jpeg(self, picture: str) -> bytes:
        prefix, _, rest = picture.partition("-")
        if prefix not in ("q", "c"):
            raise Refused("There is no captured picture of that name.", Reason.NOT_FOUND)
        face, _, number = rest.rpartition("-")
        return _photograph(MOONS.get(face, face), int(number))

    def _known(self, name: str) -> DieSetSummary:
        if name not in self._sets:
            raise Refused("There are no dice of that name here.", Reason.NOT_FOUND)
        return self._sets[name]

    def _capture(self) -> CaptureStatus:
        if self.now is None:
            raise Refused("No capture is going on.", Reason.CONFLICT)
        return self.now

    def _title_of(self, name: str, kind: str, face: str) -> str:
        for one in self._known(name).faces:
            if (one.kind, one.face) == (kind, face):
                return one.title
        raise Refused("These dice have no such face.", Reason.NOT_FOUND)

    def _found(self, pictures: Sequence[str]) -> list[CapturedDie]:
        found = [one for one in (*self.waiting, *self._pictures) if one.picture in pictures]
        if len(found) < len(pictures):
            raise Refused("There is no captured picture of that name.", Reason.NOT_FOUND)
        return found

    def _forget(self, pictures: Sequence[str]) -> None:
        self.waiting = [one for one in self.waiting if one.picture not in pictures]
        self._pictures = [one for one in self._pictures if one.picture not in pictures]

    def _meter(self, dice: DieSetSummary, face: FaceMeter) -> FaceMeter:
        own = [one for one in self._pictures if one.dice == dice.name and one.said == _titled(face)]
        share = min(len(own) / WANTED, 1.0)
        enough = len(own) >= WANTED
        return replace(
            face,
            pictures=len(own),
            wanted=WANTED,
            turns=share,
            places=share * 0.9,
            lights=share * 0.5,
            enough=enough,
            advice="" if enough else "Turn the dice between pictures." if own else "Lay it upward and begin.",
            picture=own[-1].picture if own else "",
        )

    def _note(self, *request: object) -> None:
        if self.refusal:
            raise self.refusal
        with self._changed:
            self.asked.append(request)
            self._changed.notify_all()


class StubChecks:
    """Asks about one throw, and writes down the answer."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Mapping[int, str]]] = []
        self.by = NOBODY
        self.now: ThrowCheck | None = ThrowCheck(
            12,
            (
                ThrowCheckDie(1, "Two", "crop-two"),
                ThrowCheckDie(3, "Happy", "crop-happy"),
                ThrowCheckDie(6, "Go", "crop-go"),
            ),
        )

    def check(self) -> ThrowCheck | None:
        return self.now

    def checked(self, number: int, wrong: Mapping[int, str], *, by: Actor = NOBODY) -> None:
        self.by = by
        if self.now is None or number != self.now.number:
            raise Refused("That throw is not asked about any more.", Reason.CONFLICT)
        self.asked.append((number, wrong))
        self.now = None


def _moon() -> DieSetSummary:
    faces = tuple(FaceMeter("die", face, _title(face)) for face in MOONS)
    return DieSetSummary("moon", "Moon dice", True, (NameTitle("die", "Moon die"),), faces)


def _intersection() -> DieSetSummary:
    dice = die_sets.load("intersection")
    faces = tuple(
        FaceMeter(kind.name, face, kind.title_of(FaceName(face))) for kind in dice.kinds for face in kind.faces
    )
    return DieSetSummary(
        dice.name, dice.title, False, tuple(NameTitle(kind.name, kind.title) for kind in dice.kinds), faces
    )


def _twenty() -> DieSetSummary:
    faces = tuple(FaceMeter("icosahedron", f"face-{number}", str(number)) for number in range(1, 21))
    return DieSetSummary(
        "twenties", "Two twenties of grandmother's box", True, (NameTitle("icosahedron", "Icosahedron"),), faces
    )


def _pictures_of(dice: DieSetSummary, counts: Sequence[int]) -> list[CapturedDie]:
    return [
        _captured(f"c-{face.face}-{number}", dice.name, _titled(face))
        for face, count in zip(dice.faces, counts, strict=True)
        for number in range(count)
    ]


def _titled(face: FaceMeter) -> TitledDie:
    return TitledDie(face.kind, face.face, face.title)


def _captured(picture: str, dice: str, said: TitledDie) -> CapturedDie:
    mistaken = picture == "c-moon-3"
    read = TitledDie("die", "crescent", "Crescent") if mistaken else said
    return CapturedDie(picture, dice, said, read, by="guided capture", at="2026-11-21T18:30:00+00:00")


def _lesson(version: int) -> LessonVersion:
    words = f"{30 * version} pictures of 6 faces, 98.3 % right"
    return LessonVersion(version, f"2026-11-{20 + version}T18:30:00+00:00", words)


def _likely(*faces: tuple[TitledDie, float]) -> tuple[LikelyFace, ...]:
    return tuple(LikelyFace(die.kind, die.face, die.title, share) for die, share in faces)


_MOON, _CRESCENT, _SUN = (TitledDie("die", face, _title(face)) for face in ("moon", "crescent", "sun"))
_LEARNED = LessonSummary(
    "moon",
    "Moon dice",
    1,
    "Vander reads these dice well; Moon and Crescent it still asks about.",
    "2026-11-21T18:30:00+00:00",
    42,
    6,
    3,
    Share(398, 400, 0.995, 0.982, 0.999),
    Share(12, 412, 0.029, 0.017, 0.05),
    "each sitting read with what the others taught",
    (
        AlikeFaces(
            "die",
            "moon",
            "Moon",
            "crescent",
            "Crescent",
            "Moon and Crescent look alike: 4 of 10 were taken for each other.",
            ("c-moon-1", "c-moon-2", "c-moon-4"),
            ("c-crescent-1", "c-crescent-2"),
            alike=True,
        ),
        AlikeFaces(
            "die",
            "sun",
            "Sun",
            "comet",
            "Comet",
            "1 of 10 Suns was taken for a Comet.",
            ("c-sun-1",),
            ("c-comet-1",),
        ),
    ),
    (
        CapturedDie("c-moon-3", "moon", _MOON, _CRESCENT, _likely((_CRESCENT, 0.91), (_MOON, 0.06)), "guided capture"),
        CapturedDie("c-sun-4", "moon", _SUN, _MOON, _likely((_MOON, 0.7), (_SUN, 0.2)), "answered at the table"),
    ),
)
MEASURED = TableAccuracy(
    "2026-11-02T18:30:00+00:00",
    Share(398, 400, 0.995, 0.982, 0.999),
    Share(65, 67, 0.97, 0.898, 0.992),
    Share(31, 1340, 0.023, 0.016, 0.033),
    Share(4, 1340, 0.003, 0.001, 0.008),
    5,
    "",
)
"""A certificate after some evenings."""


@cache
def _photograph(face: str, number: int) -> bytes:
    """A die of its own colour on green cloth, turned as the number says."""
    style_of, rng = np.random.default_rng(sum(map(ord, face))), np.random.default_rng(number)
    known = FaceName(face if face in _DRAWN else "blank")
    drawing, style = random_style(known, style_of)
    art = draw(drawing, style, 66, rng).pixels
    cloth = np.full((144, 144, 3), (52, 74, 38), np.uint8)
    turn = cv2.getRotationMatrix2D((33, 33), 47 * number, 1.0)
    turn[:, 2] += 39 + rng.integers(-8, 9, 2)
    lit = 1.0 - 0.08 * (number % 5)
    mask = cv2.warpAffine(np.full((66, 66), 255, np.uint8), turn, (144, 144))
    laid = np.where(mask[..., None] > 127, cv2.warpAffine(art, turn, (144, 144)), cloth)
    return cv2.imencode(".jpg", (laid * lit).astype(np.uint8))[1].tobytes()


_DRAWN = {*MOONS.values(), *(face.face for face in _intersection().faces)}
