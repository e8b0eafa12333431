"""The films that `bench/contact.py` plays, with their throws: real ones with labels, and the virtual tray's."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Protocol

import cv2
import numpy as np

from bench.film_conditions import RATE, Condition, Shot
from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.scenery import FELTS
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.dice import DieSet
from vander.app.camera_loop import feed_report
from vander.bench.photo_scores import canonical_face, ordinary_dice
from vander.resources.models_and_stores import LoadedModels
from vision.frame_reader import count_doubts, reading_doubts
from vision.frames import Pixels
from vision.observations import Observation
from vision.tray_calibration import NO_TRAY, TrayLayout

EARLY_SECONDS = 0.35
"""A throw may be counted so long before its first moving picture by the labels, which were made by eye."""
REPEATED_NOISE = 1.5
"""Standard deviation in grey levels of what a sensor adds to a picture that a faster camera takes once more."""
THROWN_AT, FILM_SECONDS = (1.2, 4.4, 7.6), 10.6
VIRTUAL_SIZE = (640, 480)


@dataclass(frozen=True)
class FilmedThrow:
    """A throw in a film: when its dice begin to move and lie still, in seconds, and what they show."""

    begins: float
    rests: float
    faces: tuple[str, ...]


class Film(Protocol):
    """A film with known throws."""

    @property
    def name(self) -> str:
        """The film's name in the report."""

    @property
    def throws(self) -> Sequence[FilmedThrow]:
        """The throws, in order."""

    @property
    def dice(self) -> DieSet:
        """The dice that may lie there."""

    @property
    def is_ours(self) -> bool:
        """True if the virtual tray drew it."""

    def shots(self, rate: float) -> Iterator[Shot]:
        """Yield the pictures as a camera of that rate takes them."""


@dataclass(frozen=True)
class RealFilm:
    """A film from a file of a labelled folder."""

    path: Path
    fps: float
    throws: tuple[FilmedThrow, ...]
    is_ours: bool = False

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.stem

    @property
    def dice(self) -> DieSet:
        """Any number of ordinary dice."""
        return ordinary_dice()

    def shots(self, rate: float) -> Iterator[Shot]:
        """Yield the film's pictures at another rate; one that is shown again has fresh noise."""
        noise, last = np.random.default_rng(1), -1
        step = 1 / (self.fps if abs(rate - self.fps) < 0.5 else rate)
        due = 0
        for number, pixels in enumerate(_pictures_of(self.path)):
            while due * step * self.fps < number + 1 - 1e-6:
                yield Shot(due * step, _noisy(pixels, noise) if number == last else pixels)
                due, last = due + 1, number


@dataclass(frozen=True)
class VirtualFilm:
    """A film of the virtual tray, whose dice are all thrown at THROWN_AT."""

    die_set: str
    seed: int
    is_ours: bool = True

    @property
    def name(self) -> str:
        """The dice and the seed."""
        return f"virtual {self.die_set} {self.seed}"

    @property
    def dice(self) -> DieSet:
        """The dice that are out."""
        return die_sets.load(self.die_set)

    @cached_property
    def throws(self) -> tuple[FilmedThrow, ...]:
        """The throws, as the tray itself knows them."""
        tray, found = self._tray(), list[FilmedThrow]()
        for at in self._moments(tray, RATE):
            before = tray.rests_in()
            tray.advance(1 / RATE)
            if before > 0 >= tray.rests_in():
                faces = tuple(sorted(str(die.face) for die in truth(tray).values()))
                found.append(FilmedThrow(THROWN_AT[len(found)], at, faces))
        return tuple(found)

    def shots(self, rate: float) -> Iterator[Shot]:
        """Yield pictures of the tray."""
        tray = self._tray()
        camera = VirtualCamera(tray, paced=False, seed=self.seed, rate=rate)
        camera.open()
        return (Shot(at, camera.frame().pixels) for at in self._moments(tray, rate))

    def _tray(self) -> VirtualTray:
        tray = VirtualTray(self.die_set, seed=self.seed, mishaps=Mishaps(0.0, 0.0), size=VIRTUAL_SIZE)
        tray.felt = tuple(FELTS)[self.seed % len(FELTS)]
        return tray

    @staticmethod
    def _moments(tray: VirtualTray, rate: float) -> Iterator[float]:
        """Throw all dice when it is time, and yield the moments of the pictures."""
        left = list(THROWN_AT)
        for number in range(round(FILM_SECONDS * rate)):
            at = number / rate
            if left and at >= left[0] - 1e-9:
                left.pop(0)
                tray.throw(list(truth(tray)))
            yield at


def real_films(folder: Path) -> tuple[RealFilm, ...]:
    """Return the films of a labelled folder, each once. Raises FileNotFoundError."""
    films: dict[str, RealFilm] = {}
    for row in _rows(folder / "clips.csv"):
        one = _throw(row, row["settled_faces_by_eye"].removeprefix("end:"))
        films.setdefault(row["sha256"], RealFilm(folder / row["file"], float(row["fps"]), (one,)))
    many: dict[str, list[dict[str, str]]] = {}
    for row in _rows(folder / "throws.csv"):
        many.setdefault(row["file"], []).append(row)
    for file, rows in many.items():
        fps = float(rows[0]["fps"])
        throws = tuple(_throw({**row, "fps": rows[0]["fps"]}, row["settled_faces_by_eye"]) for row in rows)
        films[file] = RealFilm(folder / file, fps, throws)
    return tuple(films.values())


def virtual_films() -> tuple[VirtualFilm, ...]:
    """Return films of the virtual tray: other dice, another felt each."""
    return tuple(VirtualFilm(name, seed) for name, seed in (("d6", 41), ("intersection", 42), ("rollers", 43)))


@dataclass(frozen=True)
class FilmScore:
    """What became of the throws of films.

    counted: throws that were counted exactly once. false: throws that were counted where none was. right, asked, wrong:
    dice after the throws; wrong ones were accepted. thrown: dice of which it is known that they were thrown. said: the
    films in which each sentence was shown.
    """

    throws: int = 0
    counted: int = 0
    false: int = 0
    dice: int = 0
    right: int = 0
    asked: int = 0
    wrong: int = 0
    thrown: int = 0
    pictures: int = 0
    ms: float = 0.0
    said: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: FilmScore) -> FilmScore:
        return FilmScore(*(getattr(self, part.name) + getattr(other, part.name) for part in fields(self)))


def play(film: Film, condition: Condition, models: LoadedModels, folder: Path) -> FilmScore:
    """Play a film under a condition through the pipeline; `folder` is for its file."""
    pipeline = models.pipeline(film.dice, TrayLayout(), live=condition.live)
    shown, said, spent = list[tuple[float, Observation]](), set[str](), 0.0
    pictures = 0
    for frame in condition.frames(film.shots(condition.rate), folder):
        began = perf_counter()
        seen = pipeline.process(frame)
        spent += perf_counter() - began
        pictures += 1
        said |= {*seen.doubts, feed_report(pipeline.fault).sentence}
        if not shown or shown[-1][1] != seen:
            shown.append((frame.taken_at, seen))
    shown.append((shown[-1][0], pipeline.finish()))
    told = Counter(said - _about_dice(film, shown))
    return score_film(film, shown) + FilmScore(pictures=pictures, ms=1000 * spent, said=told)


def score_film(film: Film, shown: Sequence[tuple[float, Observation]]) -> FilmScore:
    """Score what was observed of a film, each with its time in seconds."""
    throws, score = film.throws, FilmScore()
    starts = [one.begins - EARLY_SECONDS for one in throws]
    ends = [*starts[1:], float("inf")]
    counted = [(at, seen.throw - before.throw) for (_, before), (at, seen) in pairwise(shown)]
    score += FilmScore(false=sum(more for at, more in counted if at < starts[0]))
    for one, start, end in zip(throws, starts, ends, strict=True):
        made = sum(more for at, more in counted if start <= at < end)
        within = [seen for at, seen in shown if start <= at < end and seen.at_rest]
        score += FilmScore(throws=1, counted=int(made == 1), false=max(0, made - 1))
        score += _dice_score(film, one, within if made else [])
    return score


def _dice_score(film: Film, one: FilmedThrow, within: Sequence[Observation]) -> FilmScore:
    """Score the dice after a throw, as they were last read before they were taken away."""
    most = max((len(seen.dice) for seen in within), default=0)
    dice = next((seen.dice for seen in reversed(within) if len(seen.dice) == most), ())
    accepted = Counter(canonical_face(die.reading.face, film.dice) for die in dice if die.reading.accepted)
    true = Counter(canonical_face(face, film.dice) for face in one.faces)
    last = max((die.thrown for die in dice), default=0)
    thrown = sum(die.thrown == last > 0 and die.handled is None for die in dice)
    right = (accepted & true).total()
    return FilmScore(
        dice=len(one.faces),
        right=right,
        asked=len(dice) - accepted.total(),
        wrong=accepted.total() - right,
        thrown=min(thrown, len(one.faces)),
    )


def _about_dice(film: Film, shown: Iterable[tuple[float, Observation]]) -> set[str]:
    """Return what is not of interest: doubts about dice that are read, and that a film without markers has none."""
    spare = {"", *(() if film.is_ours else (NO_TRAY,))}
    for _, seen in shown:
        readings = [die.reading for die in seen.dice]
        spare |= {*reading_doubts(readings), *count_doubts(readings, film.dice)}
    return spare


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _throw(row: Mapping[str, str], faces: str) -> FilmedThrow:
    first, last = (int(row[f"{which}_motion_frame"]) / float(row["fps"]) for which in ("first", "last"))
    return FilmedThrow(first, last, tuple(faces.split()))


def _pictures_of(path: Path) -> Iterator[Pixels]:
    video = cv2.VideoCapture(str(path))
    try:
        while (read := video.read())[0]:
            yield np.asarray(read[1], np.uint8)
    finally:
        video.release()


def _noisy(pixels: Pixels, noise: np.random.Generator) -> Pixels:
    added = noise.normal(0, REPEATED_NOISE, pixels.shape).astype(np.float32)
    return np.clip(pixels + added, 0, 255).astype(np.uint8)
