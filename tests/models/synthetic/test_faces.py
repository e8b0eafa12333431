import itertools

import numpy as np
import pytest

from models.die_sets import load, names
from models.synthetic import glyphs
from models.synthetic.canvas import (
    LETTERINGS,
    Canvas,
    Use,
    contrast,
    mix,
    random_lettering,
    render_numeral,
    render_text,
)
from models.synthetic.faces import (
    ARTISTS,
    DRAWINGS,
    POOLS,
    STYLE_COUNT,
    NoSuchDrawing,
    art_for,
    draw,
    random_style,
    use_of,
)
from models.synthetic.glyphs import COMPOSITIONS
from models.synthetic.palette import BODIES, BODIES_CHOOSING, BODIES_SCORING, PLATES
from referee.dice import FaceName, KindName, NoSuchFace

KINDS = {kind.name: kind for name in names() for kind in load(name).kinds}
FACES = sorted({face for kind in KINDS.values() for face in kind.faces} | {FaceName(f"digit-{n}") for n in range(1, 7)})


@pytest.mark.parametrize("face", FACES)
def test_every_face_has_three_drawings_and_one_of_them_is_only_scored_on(face: FaceName) -> None:
    assert len(DRAWINGS[face]) >= 3
    pools = [set(POOLS[use][face]) for use in Use]
    assert all(1 <= len(pool) < len(DRAWINGS[face]) for pool in pools)
    assert set.union(*pools) == set(DRAWINGS[face])


@pytest.mark.parametrize("face", FACES)
def test_what_is_scored_on_is_never_drawn_for_training_or_choosing(face: FaceName) -> None:
    rng = np.random.default_rng(3)
    drawn = {use: [random_style(face, rng, use) for _ in range(60)] for use in Use}
    names_of = {use: {name for name, _ in drawn[use]} for use in Use}
    bodies_of = {use: {style.name for _, style in drawn[use]} for use in Use}
    assert all(use_of(name) is Use.SCORING for name in names_of[Use.SCORING])
    assert not any(use_of(name) is Use.SCORING for use in (Use.TRAINING, Use.CHOOSING) for name in names_of[use])
    assert all(use_of(name) is Use.TRAINING for name in names_of[Use.TRAINING])
    assert bodies_of[Use.TRAINING] <= set(BODIES)
    assert bodies_of[Use.CHOOSING] <= set(BODIES_CHOOSING)
    assert bodies_of[Use.SCORING] <= set(BODIES_SCORING)


def test_no_two_uses_share_a_body_colour() -> None:
    for one, other in itertools.combinations((BODIES, BODIES_CHOOSING, BODIES_SCORING), 2):
        apart = [float(np.linalg.norm(np.subtract(a, b))) for a in one.values() for b in other.values()]
        assert min(apart) > 20


def test_a_sixth_or_so_of_the_compositions_of_a_face_are_kept_from_training() -> None:
    for face, composed in COMPOSITIONS.items():
        share = np.mean([glyphs.use_of(face, name) is not Use.TRAINING for name in composed])
        assert 0.08 < share < 0.4, face


def test_half_of_what_is_kept_from_training_is_scored_on() -> None:
    kept = [
        use for face, names in COMPOSITIONS.items() for name in names
        if (use := glyphs.use_of(face, name)) is not Use.TRAINING
    ]  # fmt: skip
    assert 0.4 < np.mean([use is Use.SCORING for use in kept]) < 0.6


def test_the_same_plate_and_sign_are_kept_back_for_go_slow_and_stop() -> None:
    for plate in PLATES:
        uses = {glyphs.use_of(FaceName(face), f"{plate}+light") for face in ("go", "slow", "stop")}
        assert len(uses) == 1


@pytest.mark.parametrize(
    "drawing", ["stop/rounded+word", "block/panel+crossed", "star/disc+asterisk", "two/disc+quill", "stop/plate"]
)
def test_pairs_like_a_single_drawing_that_is_kept_from_training_are_kept_too(drawing: str) -> None:
    assert use_of(drawing) is not Use.TRAINING


@pytest.mark.parametrize("face", ["green-switch", "red-switch"])
def test_no_switch_is_drawn_on_a_stop_sign(face: str) -> None:
    assert not any("/octagon" in name for name in DRAWINGS[FaceName(face)])


def test_every_bare_sign_is_trained_on() -> None:
    bare = [name for names_of_face in DRAWINGS.values() for name in names_of_face if "/bare+" in name]
    assert bare
    assert all(use_of(name) is Use.TRAINING for name in bare)


@pytest.mark.parametrize("make", LETTERINGS)
def test_the_numerals_of_every_lettering_differ(make: str) -> None:
    masks = []
    for count in range(1, 7):
        rng = np.random.default_rng(8)
        canvas = Canvas(60)
        canvas.stamp(render_numeral(count, random_lettering(make, rng), rng), (0.0, 0.0), (0.4, 0.4), (255, 255, 255))
        masks.append(canvas.paint[..., 3].astype(int))
    assert min(np.abs(one - other).mean() for k, one in enumerate(masks) for other in masks[:k]) > 10


def test_condensed_lettering_is_narrower_than_a_wide_one_and_a_hollow_one_has_less_ink() -> None:
    rng = np.random.default_rng(1)
    narrow, wide, full, hollow = (
        render_text("STOP", random_lettering(make, rng)) for make in ("condensed", "wide", "round", "hollow")
    )
    assert narrow.shape[1] / narrow.shape[0] < 0.7 * wide.shape[1] / wide.shape[0]
    assert (hollow > 0).sum() / (full > 0).sum() < 1.0


def test_a_stamp_keeps_its_proportions_and_its_place() -> None:
    canvas = Canvas(100)
    canvas.stamp(np.full((20, 40), 255, np.uint8), (0.1, -0.2), (0.2, 0.2), (10, 20, 30))
    rows, columns = np.nonzero(canvas.paint[..., 3])
    assert (np.ptp(columns) + 1) / (np.ptp(rows) + 1) == pytest.approx(2.0, rel=0.1)
    assert (columns.mean(), rows.mean()) == pytest.approx((59.5, 29.5), abs=1.0)


@pytest.mark.parametrize("face", FACES)
def test_a_drawing_is_the_same_for_the_same_seed(face: FaceName) -> None:
    drawing, style = random_style(face, np.random.default_rng(5))
    one, other = (draw(drawing, style, 48, np.random.default_rng(9)) for _ in range(2))
    assert np.array_equal(one.pixels, other.pixels)
    assert np.array_equal(one.relief, other.relief)


@pytest.mark.parametrize("face", FACES)
def test_every_drawing_fills_a_square_of_the_size_asked_for(face: FaceName) -> None:
    rng = np.random.default_rng(1)
    for drawing in DRAWINGS[face]:
        art = draw(drawing, random_style(face, rng)[1], 40, rng)
        assert art.pixels.shape == (40, 40, 3)
        assert art.pixels.dtype == np.uint8
        assert art.relief.shape == (40, 40)
        assert 0.0 <= art.relief.min() <= art.relief.max() <= 1.0


@pytest.mark.parametrize("face", [face for face in FACES if face != "blank"])
def test_ink_can_be_told_from_the_body_it_lies_on(face: FaceName) -> None:
    rng = np.random.default_rng(2)
    for _ in range(40):
        drawing, style = random_style(face, rng)
        faint = 50.0 if drawing.endswith("/red") else 30.0
        ink = style.accent if drawing.endswith("/red") and face.startswith("pip") else style.ink
        assert drawing.endswith("/full") or contrast(ink, style.body) >= faint


def test_the_other_sides_of_a_die_share_its_body() -> None:
    rng = np.random.default_rng(4)
    _, first = random_style(FaceName("pip-1"), rng)
    _, second = random_style(FaceName("pip-2"), rng, like=first)
    assert (second.name, second.body, second.material) == (first.name, first.body, first.material)


@pytest.mark.parametrize("style_number", range(STYLE_COUNT))
@pytest.mark.parametrize("name", sorted(KINDS))
def test_the_virtual_tray_has_art_for_every_face_of_every_kind(name: KindName, style_number: int) -> None:
    drawn = []
    for face in KINDS[name].faces:
        drawing, style = art_for(name, face, style_number)
        assert drawing in DRAWINGS[face]
        drawn.append(draw(drawing, style, 48, np.random.default_rng(0)).pixels)
    distances = [np.abs(a.astype(int) - b).mean() for i, a in enumerate(drawn) for b in drawn[:i]]
    assert min(distances) > 1.0


def test_a_happy_mouth_and_a_sad_one_differ_in_every_head() -> None:
    style = art_for(KindName("traffic"), FaceName("happy"))[1]
    for head in set(ARTISTS[FaceName("happy")]) & set(ARTISTS[FaceName("sad")]):
        happy, sad = (
            draw(f"{mood}/{head}", style, 64, np.random.default_rng(7)).pixels[38:56].astype(int)
            for mood in ("happy", "sad")
        )
        assert np.abs(happy - sad).mean() > 5.0


def test_go_is_smaller_than_the_green_of_toss_up() -> None:
    style = art_for(KindName("tossup"), FaceName("green"))[1]

    def share(drawing: str) -> float:
        pixels = draw(drawing, style, 64, np.random.default_rng(0)).pixels.astype(int)
        return float((np.abs(pixels - style.body).sum(axis=2) > 60).any(axis=0).mean())

    assert share("go/disc") <= 0.66
    assert share("green/disc") >= 0.8


def test_an_unknown_drawing_is_refused_by_name() -> None:
    style = art_for(KindName("d6"), FaceName("pip-1"))[1]
    with pytest.raises(NoSuchDrawing, match="happy/nonsense"):
        draw("happy/nonsense", style, 32, np.random.default_rng(0))


def test_an_unknown_kind_has_no_art() -> None:
    with pytest.raises(NoSuchFace, match="d20"):
        art_for(KindName("d20"), FaceName("pip-1"))


def test_mixing_nothing_in_leaves_a_colour_alone() -> None:
    assert mix((10, 20, 30), (200, 200, 200), 0.0) == (10, 20, 30)
