"""Reading: how a die is cut out, and what a drawing means on the dice of a set."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import die_sets
from models.synthetic.face_style import Style
from models.synthetic.novel_symbols import draw_novel
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vision.classification import ClassifiedCrop, Reader, drop_parts, is_unlikely_die
from vision.die_crops import INPUT_EDGES, INPUT_SIDE, RotatedSquare, crop
from vision.drawings import CLASSES, HOME_KINDS, face_probabilities, faces_of_drawing
from vision.fewshot import Example, Lesson, PldaModel
from vision.frames import Frame
from vision.model_file import BrokenModel, load_model
from vision.observations import DieReading, DieSighting, Posture
from vision.rectification import TrayView, unrectified_view

WEIGHTS = Path(__file__).parents[2] / "models/weights"
SYMBOLS = ("sun", "paw", "boat", "cactus")


def shares(**faces: float) -> np.ndarray:
    given = {name.replace("_", "-"): share for name, share in faces.items()}
    return np.array([given.get(name, 0.0) for name in CLASSES], np.float32)


def a_turned_die(turned_degrees: float, edge: float) -> np.ndarray:
    """A white square whose edge towards its own top is red, turned clockwise on a grey table."""
    picture = np.full((400, 400, 3), 90, np.uint8)
    for colour, middle, size in (
        ((255, 255, 255), (0, 0), (edge, edge)),
        ((0, 0, 255), (0, -edge / 3), (edge, edge / 3)),
    ):
        lean = np.radians(turned_degrees)
        x = 200 + middle[0] * np.cos(lean) - middle[1] * np.sin(lean)
        y = 180 + middle[0] * np.sin(lean) + middle[1] * np.cos(lean)
        box = cv2.boxPoints(((x, y), size, turned_degrees))
        cv2.fillPoly(picture, [np.round(box).astype(np.int32)], colour)
    return picture


@pytest.mark.parametrize("turned_degrees", [0.0, 20.0, 71.0])
@pytest.mark.parametrize("edge", [30.0, 150.0])
def test_a_crop_stands_upright(turned_degrees: float, edge: float) -> None:
    cut = crop(a_turned_die(turned_degrees, edge), RotatedSquare(200, 180, edge, turned_degrees))
    top, middle, beside = INPUT_SIDE // 2 - INPUT_SIDE / INPUT_EDGES / 3, INPUT_SIDE // 2, 3
    assert cut.shape == (INPUT_SIDE, INPUT_SIDE, 3)
    assert cut[int(top), middle].tolist() == pytest.approx([0, 0, 255], abs=40)
    assert cut[middle + 5, middle].tolist() == pytest.approx([255, 255, 255], abs=20)
    assert cut[middle, beside].tolist() == pytest.approx([90, 90, 90], abs=20)


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (399.0, 399.0), (-30.0, 200.0), (500.0, 500.0)])
def test_a_die_at_or_beyond_the_edge_can_still_be_cut(x: float, y: float) -> None:
    assert crop(a_turned_die(0, 40), RotatedSquare(x, y, 60.0, 10.0)).shape == (INPUT_SIDE, INPUT_SIDE, 3)


def test_every_face_of_every_die_set_can_be_read() -> None:
    for dice in map(die_sets.load, die_sets.names()):
        meant = {meaning for drawing in CLASSES for meaning in faces_of_drawing(drawing, dice)}
        assert meant >= {(kind.name, face) for kind in dice.kinds for face in kind.faces}


def test_without_a_die_set_every_drawing_has_one_home() -> None:
    assert all(len(faces_of_drawing(drawing, None)) == 1 for drawing in CLASSES if drawing != "none")
    assert len(HOME_KINDS) == 6


@pytest.mark.parametrize("drawing", ["pip-3", "digit-3", "three"])
def test_a_traffic_three_may_be_drawn_in_any_way(drawing: str) -> None:
    assert faces_of_drawing(FaceName(drawing), die_sets.load("intersection")) == [("traffic", "three")]


def test_an_ordinary_die_keeps_pips_and_digits_apart() -> None:
    assert faces_of_drawing(FaceName("digit-3"), die_sets.load("d6")) == [("d6", "digit-3")]


def test_a_drawing_that_the_set_does_not_have_means_nothing() -> None:
    assert faces_of_drawing(FaceName("zap"), die_sets.load("intersection")) == []


def test_the_likelihoods_of_all_drawings_of_a_face_add_up() -> None:
    likely = face_probabilities(
        shares(pip_3=0.5, digit_3=0.3, zap=0.2), die_sets.load("intersection"), a_body("#f4f4f2")
    )
    assert likely == {("traffic", "three"): pytest.approx(0.8)} | {
        named: 0.0 for named in likely if named != ("traffic", "three")
    }


@pytest.mark.parametrize(("body", "kind"), [("#5b2a86", "rollers-purple"), ("#1c1c20", "rollers-black")])
def test_the_body_tells_of_which_kind_a_face_is_that_two_kinds_have(body: str, kind: str) -> None:
    likely = face_probabilities(shares(pip_3=0.9), die_sets.load("rollers"), a_body(body))
    assert likely[kind, "pip-3"] > 0.8
    assert sum(likely.values()) == pytest.approx(0.9)


def a_body(colour: str) -> np.ndarray:
    return np.full((INPUT_SIDE, INPUT_SIDE, 3), [int(colour[k : k + 2], 16) for k in (5, 3, 1)], np.uint8)


def a_classified_crop(x: float, edge: float, confidence: float, none: float = 0.0) -> ClassifiedCrop:
    at = DieSighting(x, 50, edge, 0, Posture.FLAT, confidence, x, 50, edge)
    return ClassifiedCrop(at, a_body("#f4f4f2"), shares(none=none), np.array([1, 0, 0], np.float32))


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


def test_a_model_without_its_card_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reader.onnx").write_bytes(b"anything")
    with pytest.raises(BrokenModel, match="card"):
        load_model(tmp_path / "reader.onnx")


def test_a_model_other_than_its_card_describes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reader.onnx").write_bytes(b"anything")
    (tmp_path / "reader.toml").write_text('sha256 = "0"\n')
    with pytest.raises(BrokenModel, match="sha256"):
        load_model(tmp_path / "reader.onnx")


def test_a_damaged_card_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reader.toml").write_text("sha256 = ")
    with pytest.raises(BrokenModel, match="damaged"):
        load_model(tmp_path / "reader.onnx")


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
    """The likelihood that the lesson leaves to strangers is shared out by the drawings."""
    one = replace(
        a_classified_crop(50, 50, 0.95),
        class_probabilities=shares(pip_3=0.9, none=0.1),
        lesson_probabilities=np.array([0.1, 0, 0, 0, 0.9]),
    )
    dice = die_sets.load("d6")
    both = replace(dice, counts=(*dice.counts, *odd_dice(*SYMBOLS).counts))
    likely = reader.with_lesson(lesson).face_probabilities(one, both)
    assert likely["d6", "pip-3"] == pytest.approx(0.9 * 0.9)
    assert likely["odd", "sun"] == pytest.approx(0.1)


def test_a_reader_without_a_lesson_leaves_out_what_is_no_face_and_an_one_without_rejection_does_not(
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
