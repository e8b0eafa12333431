"""Score the whole way from a photograph to readings on pictures whose truth tells how their dice lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from tqdm import tqdm

from models import die_sets
from models.training.crops import NONE, sighted_lying
from models.training.posture_truth import PosturePicture, TrueLie
from models.training.reading_scores import ReadingOutcome, name_in_set, share_line
from referee.dice import DieSet
from vision.classification import Reader
from vision.detection import Finder
from vision.observations import LEANING, DieReading
from vision.pipeline import read_photograph
from vision.tray_calibration import TrayLayout
from vision.tray_markers import MARKERS

OBLIQUE_DEGREES = 25.0
"""From this angle against straight down on a picture is oblique."""
LEANS_FROM = 9.0
"""Leans of fewer degrees need not be seen."""
INSIDE_EDGES, COVERED = 0.75, 0.1
"""A die that is nearer to the picture's border, in edges, or hidden by a larger share, is left out."""


@dataclass(frozen=True)
class ScoredLie:
    """A die in plain sight, and its reading; None if it was not found.

    wanted: its face as the die set that it was read with calls it. kind: in that set; '' if it was read without one.
    """

    truth: TrueLie
    oblique: bool
    located: bool
    reading: DieReading | None
    wanted: str
    kind: str = ""

    @property
    def flat(self) -> bool:
        return not self.truth.stacked and self.truth.lean_degrees < 1

    @property
    def askew(self) -> bool:
        """True if it was taken to lean or to stand on another."""
        return self.reading is not None and self.reading.sighting.posture in LEANING

    @property
    def silently_wrong(self) -> bool:
        """True if it was accepted with another face or kind than it has."""
        if self.reading is None or not self.reading.accepted:
            return False
        return self.reading.face != self.wanted or self.kind not in ("", self.reading.kind)


def read_dice(
    pictures: Iterable[PosturePicture], finder: Finder, reader: Reader, *, with_games: bool = False
) -> list[ScoredLie]:
    """Read each picture as a photograph without a setting, and return its dice in plain sight.

    No die set is told, or, `with_games`, that of the game: pictures with dice of several games are left out then.
    """
    games = [(picture, game_of(picture) if with_games else None) for picture in pictures]
    return [
        one
        for picture, dice in tqdm(games, desc="reading", mininterval=5)
        if dice is not None or not with_games
        for one in _read_dice(picture, finder, reader, dice)
    ]


def game_of(picture: PosturePicture) -> DieSet | None:
    """Return the first die set that has all kinds that lie there, with as many of each as lie there at least."""
    lying = Counter(die.kind for die in picture.dice)
    for dice in map(die_sets.load, die_sets.names()):
        if lying.keys() <= {kind.name for kind in dice.kinds}:
            return replace(dice, counts=tuple((kind, max(count, lying[kind.name])) for kind, count in dice.counts))
    return None


def _read_dice(picture: PosturePicture, finder: Finder, reader: Reader, dice: DieSet | None) -> list[ScoredLie]:
    seen = read_photograph(picture.pixels, finder, reader, dice, TrayLayout())
    readings = [die.reading for die in seen.dice]
    layout = picture.calibration.layout
    across, down, up = np.array(picture.eye_mm) - (layout.width_mm / 2, layout.height_mm / 2, 0.0)
    oblique = float(np.degrees(np.arctan2(np.hypot(across, down), up))) >= OBLIQUE_DEGREES
    located = set(MARKERS) <= set(picture.markers_seen)
    return [
        ScoredLie(
            die, oblique, located, _nearest(die, readings), name_in_set(die, dice), die.kind if dice is not None else ""
        )
        for die in picture.dice
        if _is_in_sight(die, picture)
    ]


def _is_in_sight(die: TrueLie, picture: PosturePicture) -> bool:
    height, width = picture.pixels.shape[:2]
    near = INSIDE_EDGES * die.edge
    inside = near < die.x < width - near and near < die.y < height - near
    return inside and not die.hidden and die.covered <= COVERED


def _nearest(die: TrueLie, readings: Sequence[DieReading]) -> DieReading | None:
    def apart(one: DieReading) -> float:
        return float(np.hypot(die.x - one.sighting.x, die.y - one.sighting.y))

    nearest = min(readings, key=apart, default=None)
    return nearest if nearest is not None and apart(nearest) <= die.edge / 2 else None


def outcomes(dice: Sequence[ScoredLie]) -> list[ReadingOutcome]:
    """Return the outcomes of all flat dice found, of readings taken with threshold 0."""
    found = [(one.reading, one.wanted) for one in dice if one.flat and one.reading is not None]
    return [ReadingOutcome(reading.confidence, reading.face == face, reading.accepted) for reading, face in found]


def table(dice: Sequence[ScoredLie]) -> str:
    """Return the figures as lines, each with its count and 95 % interval."""
    parts: list[tuple[str, Callable[[ScoredLie], bool]]] = [
        ("steep, four markers", lambda die: not die.oblique and die.located),
        ("oblique, four markers", lambda die: die.oblique and die.located),
        ("markers missing", lambda die: not die.located),
    ]
    return "\n".join(line for name, belongs in parts for line in _lines(name, [die for die in dice if belongs(die)]))


def _lines(name: str, dice: Sequence[ScoredLie]) -> list[str]:
    flat = [die for die in dice if die.flat]
    found = [die for die in flat if die.reading is not None]
    askew = [die for die in dice if die.truth.stacked or die.truth.lean_degrees >= LEANS_FROM]
    return [
        f"{name}:",
        share_line("  flat dice found", len(found), len(flat)),
        share_line(
            "  asked about", sum(die.reading is not None and not die.reading.accepted for die in found), len(found)
        ),
        share_line("  silently wrong", sum(die.silently_wrong for die in found), len(found)),
        share_line("  flat called leaning or stacked", sum(die.askew for die in found), len(found)),
        share_line(
            f"  leans from {LEANS_FROM:.0f} degrees on and stacked dice seen", sum(d.askew for d in askew), len(askew)
        ),
    ]


# From which confidence of the finder on a sighting is surely a die


CONFIDENCES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""What is tried."""


def confidence_table(pictures: Iterable[PosturePicture], finder: Finder, reader: Reader) -> str:
    """Return what is accepted from each confidence on: dice read right and wrong, and places that are no die."""
    rows: dict[bool, list[tuple[float, bool, bool]]] = {True: [], False: []}
    for view, seen in sighted_lying(pictures, finder, reader):
        classified = reader.classify(view, [one for one, _ in seen], None)
        for one, (sighting, label) in zip(classified, seen, strict=True):
            best = int(one.class_probabilities.argmax())
            if best != NONE and one.class_probabilities[best] >= reader.accept_from:
                rows[view.calibration is not None].append((sighting.confidence, best == label, label == NONE))
    return "\n".join(
        f"{'over a tray' if trayed else 'without a tray'}, from {limit} on: right"
        f" {sum(right for sure, right, _ in found if sure >= limit)}, wrong"
        f" {sum(not right and not none for sure, right, none in found if sure >= limit)}, no die"
        f" {sum(none for sure, _, none in found if sure >= limit)}"
        for trayed, found in rows.items()
        for limit in CONFIDENCES
    )
