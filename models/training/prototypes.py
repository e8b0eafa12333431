"""Teaching faces: after a few pictures of a drawing never trained on, how often the nearest prototype is right.

A prototype is the mean of some embeddings of one drawing (Snell et al. 2017, "Prototypical Networks", eq. 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from models.training.pictures import Kept
from models.training.shares import wilson
from vision import weights as models
from vision.read import HOME_KINDS, Place, crop, network_input

Floats = npt.NDArray[np.float32]

SHOWN = 5
"""Pictures of a drawing that its prototype is made of."""


@dataclass(frozen=True, eq=False)
class Embedded:
    """A die in a picture: what lies on top, in which drawing, and where the reader puts it."""

    face: str
    drawing: str
    embedding: Floats


@dataclass(frozen=True)
class Taught:
    """How often the nearest prototype was right, among those of the same kind of dice and among all."""

    right: int
    right_among_all: int
    count: int
    drawings: int

    def __str__(self) -> str:
        return "\n".join(
            _line(among, hits, self.count) for among, hits in (("its kind", self.right), ("all", self.right_among_all))
        )


def _line(among: str, hits: int, count: int) -> str:
    low, high = wilson(hits, count)
    share = 100 * hits / max(count, 1)
    return (
        f"nearest of {among}'s prototypes right: {hits} of {count} = {share:.2f} %"
        f" (95 % interval {100 * low:.2f} to {100 * high:.2f} %)"
    )


def embedded(pictures: Iterable[Kept], weights: Path) -> list[Embedded]:
    """Every clear die that lies flat, cut out where the truth says and embedded by the exported reader."""
    session, _ = models.load(weights)
    found = []
    for kept in tqdm(list(pictures), desc="embedding", mininterval=5):
        dice = [die for die in kept.dice if die.clear and die.posture == "flat"]
        if not dice:
            continue
        pixels = kept.pixels()
        cuts = [crop(pixels, Place(die.x, die.y, die.edge, die.turned_degrees)) for die in dice]
        (embeddings,) = session.run(["embedding"], {"crops": network_input(cuts)})
        found += [Embedded(die.face, die.drawing, e) for die, e in zip(dice, embeddings, strict=True)]
    return found


def taught(dice: Sequence[Embedded], seed: int = 1, shown: int = SHOWN) -> Taught:
    """Make a prototype of every drawing with more than `shown` pictures, and name the other pictures by the nearest."""
    rng = np.random.default_rng(seed)
    shuffled = [dice[int(k)] for k in rng.permutation(len(dice))]
    drawings: dict[str, list[Embedded]] = {}
    for die in shuffled:
        drawings.setdefault(die.drawing, []).append(die)
    known = {name: met for name, met in drawings.items() if len(met) > shown}
    faces = [met[0].face for met in known.values()]
    prototypes = np.array([_mean(met[:shown]) for met in known.values()])
    left = [die for met in known.values() for die in met[shown:]]
    named = [_nearest(die, faces, prototypes) for die in left]
    right = [(die.face == near, die.face == nearest) for die, (near, nearest) in zip(left, named, strict=True)]
    return Taught(sum(near for near, _ in right), sum(all_ for _, all_ in right), len(left), len(known))


def _mean(met: Sequence[Embedded]) -> Floats:
    middle = np.mean([die.embedding for die in met], axis=0)
    return np.asarray(middle / np.linalg.norm(middle), np.float32)


def _nearest(die: Embedded, faces: Sequence[str], prototypes: Floats) -> tuple[str, str]:
    """The face of the nearest prototype of the same kind of dice, and of the nearest of all."""
    likeness = prototypes @ die.embedding
    same = next(names for _, names in HOME_KINDS if die.face in names)
    order = [faces[int(k)] for k in np.argsort(-likeness)]
    return next(face for face in order if face in same), order[0]
