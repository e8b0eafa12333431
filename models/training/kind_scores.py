"""Score readings of kinds on painted families: asked about, and accepted with the right face on the wrong kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from models.synthetic.face_style import Use
from models.training.ground_truth import TrueDie
from models.training.kind_pictures import Bodies, DieFamily, KindPicture, kind_pictures, random_family
from models.training.reading_scores import load_models, match
from models.training.worker_pool import single_threaded
from referee.dice import FaceName, KindName
from vision.classification import Reader
from vision.detection import Finder
from vision.fewshot import PldaModel
from vision.frames import Frame
from vision.kinds import kinds_alike
from vision.model_file import wilson_interval
from vision.observations import DieReading
from vision.rectification import RotatedSquare, TrayView, crop, rectify, rotation_in_frame, unrectified_view
from vision.table_evidence import EvidenceExample, TableEvidence
from vision.tray_calibration import TrayLayout, calibrate

WORKERS = 2
BANDS = ((1, 1), (2, 3), (4, 60))
"""Throws of a family that are counted together, first and last."""
CERTAINTIES = (0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 1.01)
"""Limits of the probabilities of a kind that are counted together."""


@dataclass(frozen=True)
class ScoredKind:
    """The reading of the kind of one die whose face two kinds have, in a throw of a family (from 1)."""

    bodies: Bodies
    die_set: str
    throw: int
    face_right: bool
    kind_right: bool
    confidence: float
    asked: bool
    accepted: bool

    @property
    def is_wrong(self) -> bool:
        """True if it was accepted with the right face on the wrong kind."""
        return self.accepted and self.face_right and not self.kind_right


def score_kinds(families: range, throws: int, seed: int, use: Use, weights: Path) -> list[ScoredKind]:
    """Play families and return each reading of a kind. Who is asked names all dice of the throw, and it learns."""
    work = partial(_play_family, seed, throws, use, weights)
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn"), initializer=single_threaded) as pool:
        played = tqdm(pool.map(work, families), total=len(families), desc="families", mininterval=5)
        return [one for family in played for one in family]


def _play_family(seed: int, throws: int, use: Use, weights: Path, number: int) -> list[ScoredKind]:
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, tuple(Use).index(use), number])
    family = random_family(f"{number}", rng, use)
    return list(
        play(
            family,
            kind_pictures(family, throws, rng, use),
            *load_models(weights),
            PldaModel.load(weights / "space.npz"),
        )
    )


def play(
    family: DieFamily, pictures: Iterable[KindPicture], finder: Finder, reader: Reader, plda: PldaModel
) -> Iterator[ScoredKind]:
    """Read the throws of a family in turn, learning from what people say when they are asked."""
    evidence = TableEvidence(plda)
    for throw, picture in enumerate(pictures, 1):
        view = _view_of(picture, throw)
        met, _ = match(picture.dice, reader.with_evidence(evidence).read(view, finder.find(view), family.dice))
        found = [(truth, reading) for truth, reading in met if reading is not None]
        yield from (_scored(family, throw, *one) for one in found if _is_contested(family, one[0]))
        if any(not reading.kind_accepted for _, reading in found):
            evidence = evidence.with_examples(_answers(view, found, reader, plda, throw))


def _view_of(picture: KindPicture, number: int) -> TrayView:
    frame = Frame(picture.pixels, number, 0.0)
    calibration = calibrate(frame, TrayLayout())
    return unrectified_view(frame) if calibration is None else rectify(frame, calibration)


def _is_contested(family: DieFamily, truth: TrueDie) -> bool:
    return sum(truth.face in kind.faces for kind in kinds_alike(family.dice)) > 1


def _scored(family: DieFamily, throw: int, truth: TrueDie, reading: DieReading) -> ScoredKind:
    return ScoredKind(
        family.bodies,
        family.dice.name,
        throw,
        reading.face == truth.face,
        reading.kind == truth.kind,
        reading.kind_confidence,
        not reading.kind_accepted,
        reading.accepted,
    )


def _answers(
    view: TrayView, found: Sequence[tuple[TrueDie, DieReading]], reader: Reader, plda: PldaModel, throw: int
) -> list[EvidenceExample]:
    """Return what a person says of all dice of a throw."""
    places = [reading.sighting for _, reading in found]
    crops = [crop(view.frame.pixels, RotatedSquare(s.x, s.y, s.edge, rotation_in_frame(s, view))) for s in places]
    return [
        EvidenceExample(
            replace(features, body=np.array(reading.body, np.float32)),
            (KindName(truth.kind), FaceName(truth.face)),
            moment=str(throw),
        )
        for (truth, reading), features in zip(found, reader.describe(crops, plda), strict=True)
    ]


def kind_table(scored: Sequence[ScoredKind]) -> str:
    """Return the figures as text: by set, bodies and throw, with counts and 95 % intervals; and the reliability."""
    lines = [_line("all", scored)]
    for die_set in sorted({one.die_set for one in scored}):
        own = [one for one in scored if one.die_set == die_set]
        lines += [_line(f"{die_set}, {bodies}", [one for one in own if one.bodies is bodies]) for bodies in Bodies]
        lines += [
            _line(f"{die_set}, throws {first} to {last}", [one for one in own if first <= one.throw <= last])
            for first, last in BANDS
        ]
    lines += ["probability of the kind: right"]
    for low, high in pairwise(CERTAINTIES):
        within = [one for one in scored if low <= one.confidence < high]
        right = sum(one.kind_right for one in within)
        lines.append(f"  {low} to {min(high, 1.0)}: {_share(right, len(within))}")
    return "\n".join(line for line in lines if " of 0 " not in line)


def _line(what: str, scored: Sequence[ScoredKind]) -> str:
    asked, wrong = sum(one.asked for one in scored), sum(one.is_wrong for one in scored)
    count = len(scored)
    per_1000 = [1000 * limit for limit in wilson_interval(wrong, count)]
    return (
        f"{what}: asked for the kind {_share(asked, count)}; right face on the wrong kind {wrong} of {count}"
        f" (per 1000: {1000 * wrong / max(count, 1):.2f}, {per_1000[0]:.2f} to {per_1000[1]:.2f})"
    )


def _share(part: int, count: int) -> str:
    low, high = wilson_interval(part, count)
    return f"{part} of {count} = {100 * part / max(count, 1):.1f} % ({100 * low:.1f} to {100 * high:.1f} %)"
