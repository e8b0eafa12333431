"""First games of families, played on features: what is asked, what is learned, and the dice that ship."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from family_folder import write_family_game

from models import die_sets
from models.synthetic.canvas import Use
from models.training.evidence_choice import FamilyDice, collect_reference, first_game, load_family, taught_game
from referee.dice import FaceName, KindName
from vander.bench.simulated_families import simulated_family
from vision.classification import Reader
from vision.detection import Finder
from vision.fewshot import PldaModel
from vision.kinds import CLASSES
from vision.table_evidence import DieFeatures, EvidenceExample, ReferenceSet, TableEvidence, outcome

D6, ACCEPT_FROM = die_sets.load("d6"), 0.93
WEIGHTS = Path(__file__).parents[3] / "models/weights"


def a_plda() -> PldaModel:
    return PldaModel(np.zeros(40), np.eye(40), np.full(40, 100.0), 2.0, 0.5, "reader 7")


def a_family(throws: int = 12) -> FamilyDice:
    """Six dice a throw; the network never knows a three."""
    rng = np.random.default_rng(0)
    places = rng.normal(size=(6, 40)) * 10

    def die(face: int, throw: int) -> EvidenceExample:
        classes = np.zeros(len(CLASSES), np.float32)
        classes[[face, (face + 1) % 6]] = (0.5, 0.5) if face == 2 else (1.0, 0.0)
        embedding = (places[face] + rng.normal(size=40)).astype(np.float32)
        label = KindName("d6"), FaceName(f"pip-{face + 1}")
        return EvidenceExample(DieFeatures(embedding, classes, np.empty(0, np.float32)), label, moment=str(throw))

    return FamilyDice("threes", D6, tuple(tuple(die(face, n) for face in range(6)) for n in range(throws)))


def test_a_face_is_asked_about_once() -> None:
    tally = first_game(a_family(), TableEvidence(a_plda(), (), D6), ACCEPT_FROM)
    assert (tally.dice, tally.asked, tally.wrong) == ((30, 30, 12, 0), (1, 0, 0, 0), (0, 0, 0, 0))
    assert (tally.answers, tally.false, tally.blamed) == (1, 0, 0)


def test_false_answers_are_counted_and_named() -> None:
    tally = first_game(a_family(30), TableEvidence(a_plda(), (), D6), ACCEPT_FROM, wrong_answers=0.3, seed=2)
    assert tally.false >= 1
    assert tally.named == tally.false


def test_taught_dice_are_left_out_of_the_game() -> None:
    tally = taught_game(a_family(), TableEvidence(a_plda(), (), D6), ACCEPT_FROM, 5)
    assert (sum(tally.dice), sum(tally.asked), sum(tally.wrong)) == (12 * 6 - 5 * 6, 0, 0)


def test_the_reference_set_has_each_face_alike_and_reads_back(tmp_path: Path) -> None:
    found = collect_reference([a_family()], ACCEPT_FROM, "reader 7")
    labels = [one.label[1] for one in found.examples]
    assert {labels.count(face) for face in set(labels)} == {6}
    found.save(tmp_path / "reference.npz")
    (tmp_path / "reference.toml").write_text(f'sha256 = "{_digest(tmp_path / "reference.npz")}"\n')
    again = ReferenceSet.load(tmp_path / "reference.npz")
    assert [one.label for one in again.examples] == [one.label for one in found.examples]
    assert (again.accept_from, again.reader) == (ACCEPT_FROM, "reader 7")
    assert again.examples[5].features.embedding == pytest.approx(found.examples[5].features.embedding, abs=0.05)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_the_reference_set_that_ships_is_of_the_reader_that_ships(reader: Reader, plda: PldaModel) -> None:
    found = ReferenceSet.load(WEIGHTS / "reference.npz")
    assert (found.reader, found.accept_from) == (reader.version, reader.accept_from)
    assert (WEIGHTS / "reference.npz").stat().st_size <= 700_000
    for name in ("intersection", "rollers", "switch-16", "toss-up"):
        read = outcome(TableEvidence(plda), found.examples, die_sets.load(name), found.accept_from)
        assert read.wrong == 0


@pytest.mark.slow
def test_a_labelled_folder_is_a_family(tmp_path: Path, finder: Finder, reader: Reader, plda: PldaModel) -> None:
    write_family_game(simulated_family("toss-up", 2, Use.CHOOSING), 2, 2, tmp_path)
    family = load_family(tmp_path, finder, reader, plda)
    assert len(family.throws) == 2
    assert all(len(throw) >= 8 for throw in family.throws)
    assert {one.label[0] for throw in family.throws for one in throw} == {"tossup"}
