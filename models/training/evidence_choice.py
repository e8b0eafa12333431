"""Choose how a table's examples are weighed, and collect the reference set, on first games of families.

A family is a set of dice in art of its own, on one table, under one lamp. Its game is played on the features of its
dice alone: what is not accepted is asked about, and the answer is an example from then on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from models import die_sets
from referee.dice import DieSet, FaceName, KindName
from vision.classification import Reader
from vision.detection import Finder
from vision.fewshot import PldaModel
from vision.frames import Frame
from vision.image_io import load_picture
from vision.kinds import KindFace, all_faces
from vision.model_file import wilson_interval
from vision.rectification import RotatedSquare, crop, unrectified_view
from vision.table_evidence import CHOSEN, EvidenceExample, EvidenceSettings, ReferenceSet, TableEvidence, read_alone

BANDS = ((1, 5), (6, 10), (11, 20), (21, 60))
"""Throws, the first and the last, that are counted together."""
REFERENCE_DICE = 36
"""Dice of each family in the reference set."""
WRONG_ANSWERS = 0.1
"""Share of answers that are false in the second game of each family."""
TRIED: tuple[EvidenceSettings, ...] = (
    CHOSEN,
    *(replace(CHOSEN, margin=margin) for margin in (0.0, 15.0, 45.0)),
    *(replace(CHOSEN, temperature_factor=factor) for factor in (0.35, 0.7, 1.0)),
    *(replace(CHOSEN, doubted_below=below) for below in (0.5, 0.9)),
    replace(CHOSEN, min_log_ratio=-2.0),
)
"""Settings that are tried."""


@dataclass(frozen=True, eq=False)
class FamilyDice:
    """The dice of a family's game: for each throw its labelled dice."""

    name: str
    dice: DieSet
    throws: tuple[tuple[EvidenceExample, ...], ...]


@dataclass(frozen=True)
class GameTally:
    """What a game came to.

    dice, asked, wrong: counts for each of BANDS. answers, false, named: answers in all, false ones, and of these those
    that were named; blamed: true ones that were named.
    """

    dice: tuple[int, ...] = (0,) * len(BANDS)
    asked: tuple[int, ...] = (0,) * len(BANDS)
    wrong: tuple[int, ...] = (0,) * len(BANDS)
    answers: int = 0
    false: int = 0
    named: int = 0
    blamed: int = 0

    def __add__(self, other: GameTally) -> GameTally:
        return GameTally(
            _sums(self.dice, other.dice),
            _sums(self.asked, other.asked),
            _sums(self.wrong, other.wrong),
            self.answers + other.answers,
            self.false + other.false,
            self.named + other.named,
            self.blamed + other.blamed,
        )

    def __str__(self) -> str:
        bands = ", ".join(
            f"{first}-{last}: {100 * asked / max(dice, 1):.2f} %"
            for (first, last), dice, asked in zip(BANDS, self.dice, self.asked, strict=True)
        )
        low, high = wilson_interval(sum(self.wrong), sum(self.dice))
        return (
            f"asked in throws {bands}; silently wrong {sum(self.wrong)} of {sum(self.dice)} dice "
            f"(95 % interval {1000 * low:.2f} to {1000 * high:.2f} per 1000); {self.answers} answers, "
            f"{self.named} of {self.false} false ones named, {self.blamed} true ones named"
        )


def _sums(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def load_family(folder: Path, finder: Finder, reader: Reader, plda: PldaModel) -> FamilyDice:
    """Return the dice of a labelled folder's pictures, a throw each; docs/measuring.md describes `labels.jsonl`."""
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text("utf-8").splitlines() if line.strip()]
    dice = die_sets.load(rows[0]["set"])
    throws = [_examples(folder, row, dice, (finder, reader, plda)) for row in tqdm(rows, desc=folder.name)]
    return FamilyDice(folder.name, dice, tuple(throws))


def _examples(
    folder: Path, row: dict[str, Any], dice: DieSet, models: tuple[Finder, Reader, PldaModel]
) -> tuple[EvidenceExample, ...]:
    """Return the dice of a picture that the finder sees, with their labels."""
    finder, reader, plda = models
    pixels = load_picture(folder / str(row["file"]))
    sightings = finder.find(unrectified_view(Frame(pixels, 0, 0.0)))
    labelled: list[tuple[KindFace, RotatedSquare]] = []
    for die in row["dice"]:
        near = [one for one in sightings if np.hypot(one.x - die["cx"], one.y - die["cy"]) < one.edge / 2]
        if near:
            square = RotatedSquare(near[0].x, near[0].y, near[0].edge, near[0].turned_degrees)
            labelled.append((_label(die, dice), square))
    crops = [crop(pixels, place) for _, place in labelled]
    features = reader.describe(crops, plda)
    return tuple(
        EvidenceExample(of, label, moment=str(row["file"])) for of, (label, _) in zip(features, labelled, strict=True)
    )


def _label(die: dict[str, str], dice: DieSet) -> KindFace:
    face = FaceName(die["face"])
    return KindName(die.get("kind") or next(kind for kind, name in all_faces(dice) if name == face)), face


def first_game(
    family: FamilyDice, evidence: TableEvidence, accept_from: float, wrong_answers: float = 0.0, seed: int = 0
) -> GameTally:
    """Play a family's game: ask about what is not accepted, and learn each answer, of which a share is false."""
    rng, total = np.random.default_rng(seed), GameTally()
    truth: dict[int, KindFace] = {}
    for number, throw in enumerate(family.throws, 1):
        found = evidence.of([one.features.embedding for one in throw], family.dice) if throw else []
        read = [read_alone(one.features, of, family.dice, accept_from) for one, of in zip(throw, found, strict=True)]
        asked = [one for one, (_, accepted) in zip(throw, read, strict=True) if not accepted]
        wrong = sum(accepted and face != one.label[1] for one, (face, accepted) in zip(throw, read, strict=True))
        total += _in_band(number, len(throw), len(asked), wrong)
        answers = [_answer(one, family.dice, rng if rng.random() < wrong_answers else None) for one in asked]
        truth |= {id(answer): one.label for answer, one in zip(answers, asked, strict=True)}
        evidence = evidence.with_examples(answers)
    false = [one for one in evidence.examples if truth.get(id(one), one.label) != one.label]
    suspects = [suspect.example for suspect in evidence.suspects()]
    named = sum(any(one is suspect for suspect in suspects) for one in false)
    return replace(total, answers=len(evidence.examples), false=len(false), named=named, blamed=len(suspects) - named)


def _in_band(throw: int, dice: int, asked: int, wrong: int) -> GameTally:
    within = [first <= throw <= last for first, last in BANDS]
    rows = [tuple(count * inside for inside in within) for count in (dice, asked, wrong)]
    return GameTally(rows[0], rows[1], rows[2])


def _answer(one: EvidenceExample, dice: DieSet, rng: np.random.Generator | None) -> EvidenceExample:
    """Return the example with a label of its own, or, by chance, with another face of its kind."""
    others = [label for label in all_faces(dice) if label[0] == one.label[0] and label != one.label]
    return replace(one, label=others[int(rng.integers(len(others)))]) if rng is not None and others else replace(one)


def taught_game(family: FamilyDice, evidence: TableEvidence, accept_from: float, shots: int) -> GameTally:
    """Read a family's game after so many pictures of each face were taught, which are left out; nothing is asked."""
    support, query = _split(family, shots)
    taught = evidence.with_examples(support)
    total = GameTally()
    for throw in query:
        found = taught.of([one.features.embedding for one in throw], family.dice) if throw else []
        read = [read_alone(one.features, of, family.dice, accept_from) for one, of in zip(throw, found, strict=True)]
        wrong = sum(accepted and face != one.label[1] for one, (face, accepted) in zip(throw, read, strict=True))
        total += _in_band(BANDS[-1][-1], len(throw), sum(not accepted for _, accepted in read), wrong)
    return total


def _split(family: FamilyDice, shots: int) -> tuple[list[EvidenceExample], list[tuple[EvidenceExample, ...]]]:
    counts: dict[KindFace, int] = {}
    support: list[EvidenceExample] = []
    query: list[tuple[EvidenceExample, ...]] = []
    for throw in family.throws:
        taught = []
        for one in throw:
            counts[one.label] = counts.get(one.label, 0) + 1
            if counts[one.label] <= shots:
                taught.append(one)
        support += taught
        query.append(tuple(one for one in throw if one not in taught))
    return support, query


def report(families: Sequence[FamilyDice], plda: PldaModel, accept_from: float) -> Iterable[str]:
    """Yield a line for each of TRIED: first games with true and with false answers, and taught dice."""
    for settings in TRIED:
        tables = [TableEvidence(plda, (), family.dice, settings=settings) for family in families]
        games = list(zip(families, tables, strict=True))
        true = sum((first_game(*game, accept_from) for game in games), GameTally())
        false = sum(
            (first_game(*game, accept_from, WRONG_ANSWERS, seed) for seed, game in enumerate(games)), GameTally()
        )
        taught = sum((taught_game(*game, accept_from, 5) for game in games), GameTally())
        yield f"{settings}\n  true answers: {true}\n  one in ten false: {false}\n  five pictures a face: {taught}"


def collect_reference(families: Sequence[FamilyDice], accept_from: float, reader: str) -> ReferenceSet:
    """Return so many dice of each family, its faces in turn, without their places and moments."""
    chosen = [replace(one, moment="") for family in families for one in _faces_in_turn(family)[:REFERENCE_DICE]]
    return ReferenceSet(tuple(chosen), accept_from, reader)


def _faces_in_turn(family: FamilyDice) -> list[EvidenceExample]:
    """Return all dice of a family: first one of each face, then another of each, and so on."""
    seen: dict[KindFace, int] = {}
    ranked: list[tuple[int, EvidenceExample]] = []
    for one in (one for throw in family.throws for one in throw):
        seen[one.label] = seen.get(one.label, 0) + 1
        ranked.append((seen[one.label], one))
    return [one for _, one in sorted(ranked, key=lambda pair: pair[0])]


def reference_card(families: Sequence[FamilyDice], found: ReferenceSet) -> dict[str, str | float]:
    return {
        "name": "reference",
        "purpose": "features of labelled dice: what a table learns may not make them read worse",
        "reader": found.reader,
        "accept_from": found.accept_from,
        "dice": len(found.examples),
        "made_of": f"{len(families)} families of choosing art: {', '.join(sorted(one.name for one in families))}",
        "remade_by": "python -m models.training reference --folder FAMILY ...",
    }
