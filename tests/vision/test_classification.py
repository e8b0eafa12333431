"""What the reader makes of sightings, with and without a lesson."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from reader_outputs import a_body, shares

from models import die_sets
from models.synthetic.canvas import Style
from models.synthetic.novel_symbols import draw_novel
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vision.classification import ClassifiedCrop, Look, Reader, drop_parts, is_unlikely_die
from vision.fewshot import Example, Lesson, PldaModel
from vision.frames import Frame
from vision.observations import DieReading, DieSighting, Posture
from vision.rectification import RotatedSquare, TrayView, crop, rectify, unrectified_view
from vision.table_evidence import DieFeatures, EvidenceExample, FaceEvidence, TableEvidence
from vision.tray_calibration import TrayLayout, fit_calibration

WEIGHTS = Path(__file__).parents[2] / "models/weights"
SYMBOLS = ("sun", "paw", "boat", "cactus")


def a_classified_crop(x: float, edge: float, confidence: float, none: float = 0.0) -> ClassifiedCrop:
    at = DieSighting(x, 50, edge, 0, Posture.FLAT, confidence, x, 50, edge)
    return ClassifiedCrop(at, a_body("#f4f4f2"), shares(none=none), np.array([1, 0, 0], np.float32), there=1.0)


def test_a_pip_is_no_die_of_its_own() -> None:
    die, pip = a_classified_crop(50, 60, 0.8), a_classified_crop(70, 14, 0.9, none=0.4)
    assert drop_parts([pip, die]) == [die]


def test_a_crowd_of_dice_is_none() -> None:
    crowd, first, second = (
        a_classified_crop(50, 60, 0.9, none=0.4),
        a_classified_crop(35, 20, 0.8),
        a_classified_crop(65, 20, 0.7),
    )
    assert drop_parts([crowd, second, first]) == [first, second]


@pytest.mark.parametrize(("face", "finder", "left_out"), [(0.04, 0.5, True), (0.04, 0.8, False), (0.3, 0.5, False)])
def test_what_neither_finder_nor_reader_believes_in_is_left_out(face: float, finder: float, left_out: bool) -> None:
    at = DieSighting(50, 50, 20, 0, Posture.FLAT, finder, 50, 50, 20)
    assert is_unlikely_die(DieReading(at, "d6", "pip-3", face, accepted=False)) is left_out


def test_dice_side_by_side_are_all_kept_however_their_sizes_differ() -> None:
    assert len(drop_parts([a_classified_crop(50, 60, 0.9), a_classified_crop(95, 20, 0.6)])) == 2


# ── with a lesson ────────────────────────────────────────────────────────────────────────────────────────────────────

STYLE = Style("white", (244, 244, 244), (20, 20, 20), (250, 250, 250))
TURNS = (5.0, 31.0, 58.0, 82.0)


def odd_dice(*symbols: str, name: str = "odd", count: int = 4) -> DieSet:
    """Dice of one kind with these symbols."""
    sides = tuple(Face(FaceName(symbol), symbol.capitalize()) for symbol in symbols)
    return DieSet(name, "Odd dice", ((DieKind(KindName("odd"), "Odd die", sides), count),), 16.0)


def a_picture(symbols: tuple[str, ...], turned: float = 0.0, seed: int = 0) -> tuple[TrayView, list[DieSighting]]:
    """Dice of 50 pixels in a row on a grey felt, each turned so, and where they lie."""
    rng = np.random.default_rng(seed)
    picture = rng.normal(95, 4, (160, 120 * len(symbols), 3)).clip(0, 255).astype(np.uint8)
    middles = [60.0 + 120 * n for n in range(len(symbols))]
    at = [DieSighting(x, 80.0, 50.0, turned, Posture.FLAT, 0.95, x, 80.0, 50.0) for x in middles]
    for symbol, die in zip(symbols, at, strict=True):
        art = draw_novel(FaceName(f"strange-{symbol}"), "solid", STYLE, 50, rng).pixels
        turn = cv2.getRotationMatrix2D((24.5, 24.5), -turned, 1.0)
        turn[:, 2] += die.x - 24.5, die.y - 24.5
        cv2.warpAffine(art, turn, picture.shape[1::-1], picture, cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT)
    return unrectified_view(Frame(picture, seed, 0.0)), at


def cuts_of(view: TrayView, at: list[DieSighting]) -> list[np.ndarray]:
    return [crop(view.frame.pixels, RotatedSquare(die.x, die.y, die.edge, die.turned_degrees)) for die in at]


@pytest.fixture(scope="module")
def lesson(reader: Reader, plda: PldaModel) -> Lesson:
    """What four pictures of each of SYMBOLS teach."""
    examples = []
    for turned in TURNS:
        places = plda.project(reader.features(cuts_of(*a_picture(SYMBOLS, turned, round(turned)))))
        examples += [
            Example(place, (KindName("odd"), FaceName(symbol)), "one", str(turned))
            for place, symbol in zip(places, SYMBOLS, strict=True)
        ]
    return Lesson.from_examples(plda, examples)


def test_features_are_of_length_one_and_the_same_from_all_four_sides(reader: Reader) -> None:
    (cut,) = cuts_of(*a_picture(("sun",), 12))
    features = reader.features([cut, np.ascontiguousarray(np.rot90(cut))])
    assert np.linalg.norm(features, axis=1) == pytest.approx([1.0, 1.0], abs=1e-5)
    assert features[0] == pytest.approx(features[1], abs=1e-4)


def test_a_taught_reader_reads_dice_that_nobody_had_seen(reader: Reader, lesson: Lesson) -> None:
    view, at = a_picture(("paw", "cactus", "sun", "boat"), 44, 99)
    readings = reader.with_lesson(lesson).read(view, at, odd_dice(*SYMBOLS))
    assert [(die.kind, die.face, die.accepted) for die in sorted(readings, key=lambda die: die.sighting.x)] == [
        ("odd", face, True) for face in ("paw", "cactus", "sun", "boat")
    ]


def test_a_reader_is_not_changed_by_being_taught(reader: Reader, lesson: Lesson) -> None:
    view, at = a_picture(SYMBOLS, 44, 99)
    before = reader.read(view, at, odd_dice(*SYMBOLS))
    taught = reader.with_lesson(lesson)
    assert taught.read(view, at, odd_dice(*SYMBOLS)) != before
    assert reader.read(view, at, odd_dice(*SYMBOLS)) == before
    assert taught.with_lesson(None).read(view, at, odd_dice(*SYMBOLS)) == before
    assert (taught.version, taught.accept_from) == (reader.version, reader.accept_from)


def test_faces_of_the_set_that_were_not_taught_are_asked_about(reader: Reader, lesson: Lesson) -> None:
    strange = ("mushroom", "eye", "heart")
    view, at = a_picture((*strange, "sun"), 20, 5)
    *asked, sun = sorted(
        reader.with_lesson(lesson).read(view, at, odd_dice(*SYMBOLS, *strange)), key=lambda die: die.sighting.x
    )
    assert [die.accepted for die in asked] == [False, False, False]
    assert (sun.face, sun.accepted) == ("sun", True)


def test_a_face_that_the_set_no_longer_has_is_not_read(reader: Reader, lesson: Lesson) -> None:
    view, at = a_picture(("sun", "paw"), 44, 99)
    left = odd_dice("paw", "boat", "cactus")
    sun, paw = sorted(reader.with_lesson(lesson).read(view, at, left), key=lambda die: die.sighting.x)
    assert (paw.face, paw.accepted) == ("paw", True)
    assert sun.face in left.kinds[0].faces
    assert not sun.accepted
    assert "sun" not in dict(sun.runners_up)


def test_a_kind_that_the_set_no_longer_has_is_not_read(reader: Reader, lesson: Lesson) -> None:
    view, at = a_picture(("sun", "paw"), 44, 99)
    readings = reader.with_lesson(lesson).read(view, at, die_sets.load("d6"))
    assert {die.kind for die in readings} <= {"d6"}
    assert not any(die.accepted for die in readings)


@pytest.mark.parametrize("taught", [False, True])
def test_dice_of_which_nothing_is_known_are_there_to_be_asked_about(
    reader: Reader, lesson: Lesson, taught: bool
) -> None:
    view, at = a_picture(("heart", "spade"), 20, 3)
    eyes = reader.without_rejection().with_lesson(lesson if taught else None)
    readings = eyes.read(view, at, odd_dice("heart", "spade"))
    assert [(die.kind, die.accepted) for die in readings] == [("odd", False)] * 2
    assert all(die.face in ("heart", "spade") for die in readings)
    assert all(die.confidence < 0.01 for die in readings)


def test_a_set_with_a_single_face_is_not_accepted_unread(reader: Reader) -> None:
    view, at = a_picture(("heart",), 20, 3)
    (die,) = reader.without_rejection().read(view, at, odd_dice("heart"))
    assert (die.face, die.accepted) == ("heart", False)


def test_the_network_reads_what_a_lesson_does_not_know(reader: Reader, lesson: Lesson) -> None:
    """The likelihood that the examples leave to strangers is shared out by the drawings."""
    one = replace(
        a_classified_crop(50, 50, 0.95),
        class_probabilities=shares(pip_3=0.9, none=0.1),
        evidence=FaceEvidence({FaceName("sun"): 0.0}, {(KindName("odd"), FaceName("sun")): 0.1}),
    )
    dice = die_sets.load("d6")
    both = replace(dice, counts=(*dice.counts, *odd_dice(*SYMBOLS).counts))
    likely = reader.with_lesson(lesson).face_probabilities(one, both)
    assert likely["d6", "pip-3"] == pytest.approx(0.9 * 0.9)
    assert likely["odd", "sun"] == pytest.approx(0.1)


def test_a_reader_without_a_lesson_leaves_out_what_is_no_face_and_one_without_rejection_does_not(
    reader: Reader,
) -> None:
    """Neither the network nor the finder, who is in doubt, is sure of it."""
    felt = unrectified_view(
        Frame(np.random.default_rng(1).normal(95, 4, (160, 160, 3)).clip(0, 255).astype(np.uint8), 1, 0)
    )
    at = [DieSighting(80.0, 80.0, 50.0, 0.0, Posture.FLAT, 0.5, 80.0, 80.0, 50.0)]
    for dice in (die_sets.load("d6"), odd_dice(*SYMBOLS)):
        assert reader.read(felt, at, dice) == ()
        (die,) = reader.without_rejection().read(felt, at, dice)
        assert not die.accepted


@pytest.mark.parametrize("dice", [None, odd_dice(*SYMBOLS)])
def test_an_empty_tray_is_read_with_a_lesson_too(reader: Reader, lesson: Lesson, dice: DieSet | None) -> None:
    assert reader.with_lesson(lesson).read(a_picture(("sun",))[0], [], dice) == ()


def test_without_a_set_a_lesson_is_read_with_all_drawings(reader: Reader, lesson: Lesson) -> None:
    view, at = a_picture(("sun",), 44, 99)
    (die,) = reader.with_lesson(lesson).read(view, at, None)
    assert (die.kind, die.face) == ("odd", "sun")


# ── with evidence of the table ───────────────────────────────────────────────────────────────────────────────────────


def what_is_shown(reader: Reader, plda: PldaModel, symbols: tuple[str, ...], turned: float) -> list[DieFeatures]:
    return reader.describe(cuts_of(*a_picture(symbols, turned, round(turned))), plda)


def an_answer(features: DieFeatures, face: str, weight: float = 1.0, origin: str = "") -> EvidenceExample:
    return EvidenceExample(features, (KindName("odd"), FaceName(face)), weight, origin)


def test_what_is_remembered_of_a_die_is_its_embedding_and_what_the_network_made_of_it(
    reader: Reader, plda: PldaModel
) -> None:
    cuts = cuts_of(*a_picture(SYMBOLS, 12))
    features = reader.describe(cuts, plda)
    assert [one.embedding.dtype for one in features] == [np.float32] * 4
    assert features[2].embedding == pytest.approx(plda.project(reader.features(cuts))[2], rel=1e-3, abs=1e-3)
    assert [float(one.class_probabilities.sum()) for one in features] == pytest.approx([1.0] * 4, abs=1e-4)
    assert reader.describe([], plda) == []


def test_answers_of_the_table_are_read_like_a_lesson(reader: Reader, plda: PldaModel) -> None:
    evidence = TableEvidence(plda)
    for turned in TURNS:
        for features, face in zip(what_is_shown(reader, plda, SYMBOLS, turned), SYMBOLS, strict=True):
            evidence = evidence.with_examples([an_answer(features, face)])
    view, at = a_picture(("paw", "cactus", "sun", "boat"), 44, 99)
    readings = reader.with_evidence(evidence).read(view, at, odd_dice(*SYMBOLS))
    assert [(die.face, die.accepted) for die in sorted(readings, key=lambda die: die.sighting.x)] == [
        (face, True) for face in ("paw", "cactus", "sun", "boat")
    ]
    assert reader.with_evidence(evidence).with_evidence(None).read(view, at, odd_dice(*SYMBOLS)) == reader.read(
        view, at, odd_dice(*SYMBOLS)
    )


def a_six_sided_answer(features: DieFeatures, face: str, weight: float = 1.0) -> EvidenceExample:
    return EvidenceExample(features, (KindName("d6"), FaceName(face)), weight)


def test_one_answer_is_enough_for_the_same_look_of_the_same_face(reader: Reader, plda: PldaModel) -> None:
    dice, (view, at) = die_sets.load("d6"), a_picture(("paw",), 20, 3)
    (before,) = reader.without_rejection().read(view, at, dice)
    (features,) = reader.describe(cuts_of(view, at), plda)
    taught = reader.with_evidence(TableEvidence(plda, (a_six_sided_answer(features, "pip-6"),)))
    again, there = a_picture(("paw",), 65, 4)
    (after,) = taught.read(again, there, dice)
    assert not before.accepted
    assert (after.face, after.accepted) == ("pip-6", True)


def test_a_face_that_nobody_answered_about_is_not_accepted_by_readings_that_stood(
    reader: Reader, plda: PldaModel
) -> None:
    dice, (view, at) = die_sets.load("d6"), a_picture(("paw",), 20, 3)
    (features,) = reader.describe(cuts_of(view, at), plda)
    weak = TableEvidence(plda, tuple(a_six_sided_answer(features, "pip-6", 0.5) for _ in range(20)))
    unaided = reader.without_rejection()
    assert unaided.with_evidence(weak).read(view, at, dice) == unaided.read(view, at, dice)


def test_dice_that_the_network_reads_at_first_glance_are_not_read_four_times(reader: Reader, plda: PldaModel) -> None:
    """The session is asked once: no example contradicts what it says."""
    runs: list[int] = []
    counted = reader.with_evidence(
        TableEvidence(plda, (a_six_sided_answer(what_is_shown(reader, plda, ("paw",), 5)[0], "pip-6"),))
    )
    run = counted._run
    counted._run = lambda crops: runs.append(len(crops)) or run(crops)  # type: ignore[method-assign]
    view, at = two_pip_dice()
    readings = counted.read(view, at, die_sets.load("d6"))
    assert [(die.face, die.accepted) for die in readings] == [("pip-5", True)] * 2
    assert runs == [2]


def two_pip_dice() -> tuple[TrayView, list[DieSighting]]:
    """Two white dice that show five black pips."""
    picture = np.full((160, 240, 3), 95, np.uint8)
    at = [DieSighting(x, 80.0, 50.0, 0.0, Posture.FLAT, 0.95, x, 80.0, 50.0) for x in (60.0, 180.0)]
    for die in at:
        x, y = round(die.x), round(die.y)
        cv2.rectangle(picture, (x - 25, y - 25), (x + 25, y + 25), (244, 244, 244), -1)
        for a, b in ((-13, -13), (13, -13), (0, 0), (-13, 13), (13, 13)):
            cv2.circle(picture, (x + a, y + b), 5, (20, 20, 20), -1, cv2.LINE_AA)
    return unrectified_view(Frame(picture, 1, 0.0)), at


def test_in_a_picture_without_a_tray_the_finder_has_to_be_surer() -> None:
    reader = Reader(WEIGHTS / "reader.onnx")
    felt = unrectified_view(Frame(np.full((60, 80, 3), 90, np.uint8), 1, 0.0))
    corners = {0: (8.0, 8.0), 1: (72.0, 8.0), 2: (72.0, 52.0), 3: (8.0, 52.0)}
    plane = fit_calibration(corners, TrayLayout(), (80, 60))
    assert plane is not None
    trayed = rectify(felt.frame, plane)
    assert reader.sure_from(trayed) < reader.sure_from(felt) < reader.sure_from(felt, Look.OBLIQUE_SIDE)
    assert reader.sure_from(trayed, Look.OBLIQUE_SIDE) == reader.sure_from(trayed)


def test_what_an_example_knows_is_read_though_nothing_else_tells_of_a_die(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(WEIGHTS / "reader.onnx")
    known = replace(a_classified_crop(40, 20, 0.9), there=0.05, evidence=FaceEvidence({}, {("d6", "pip-1"): 1.0}))
    unknown = replace(a_classified_crop(120, 20, 0.9), there=0.05)
    monkeypatch.setattr(reader, "classify", lambda *_: [known, unknown])
    view = unrectified_view(Frame(np.full((60, 160, 3), 90, np.uint8), 1, 0.0))
    assert reader.dice_among(view, [known.sighting, unknown.sighting], None) == [known]
