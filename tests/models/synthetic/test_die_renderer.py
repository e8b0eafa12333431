import numpy as np
import numpy.typing as npt
import pytest

from models.synthetic.die_renderer import (
    FACE_FRAMES,
    DirectionalLight,
    PinholeCamera,
    Pose,
    SolidDie,
    emulate_sensor,
    paint_dice,
)
from models.synthetic.faces import FaceArt

COLOURS = ((220, 40, 40), (40, 220, 40), (40, 40, 220), (220, 220, 40), (220, 40, 220), (40, 220, 220))
LENS = PinholeCamera.above((100.0, 75.0), 400.0, 700.0, (320, 240))
Picture = npt.NDArray[np.uint8]


def plain(colour: tuple[int, int, int]) -> FaceArt:
    return FaceArt(np.full((32, 32, 3), colour, np.uint8), np.zeros((32, 32), np.float32))


def cornered() -> FaceArt:
    """White, with a black quarter at the top left and a grey one at the top right."""
    pixels = np.full((32, 32, 3), 255, np.uint8)
    pixels[:16, :16], pixels[:16, 16:] = 0, 120
    return FaceArt(pixels, np.zeros((32, 32), np.float32))


FACES = tuple(plain(colour) for colour in COLOURS)


def die(x: float, y: float, z: float = 8.0, turn: npt.NDArray[np.float64] | None = None) -> SolidDie:
    faces = (FACES[0], FACES[1], FACES[2], FACES[3], FACES[4], FACES[5])
    return SolidDie(Pose(np.array([x, y, z]), np.eye(3) if turn is None else turn), faces, gloss=0.0)


def table(lens: PinholeCamera = LENS) -> Picture:
    return np.full((lens.size[1], lens.size[0], 3), 128, np.uint8)


def face_up(face: int) -> npt.NDArray[np.float64]:
    """The turn that shows a face's art upright to a camera above."""
    return np.asarray(FACE_FRAMES[face])


def pixel(picture: Picture, lens: PinholeCamera, point: tuple[float, float, float]) -> npt.NDArray[np.int_]:
    column, row = np.rint(lens.project([point])[0]).astype(int)
    return np.asarray(picture[row, column], int)


@pytest.mark.parametrize("face", range(6))
@pytest.mark.parametrize("tilt", [0.0, 20.0])
def test_the_face_whose_normal_points_up_is_painted_where_the_lens_says(face: int, tilt: float) -> None:
    lens = PinholeCamera.above((100.0, 75.0), 400.0, 700.0, (320, 240), tilt_degrees=tilt)
    turn = face_up(face)
    assert (turn @ FACE_FRAMES[face][2]).tolist() == [0, 0, 1]
    picture = table(lens)
    paint_dice(picture, lens, [die(120.0, 60.0, turn=turn)], DirectionalLight())
    seen = pixel(picture, lens, (120.0, 60.0, 16.0))
    assert int(np.argmin([np.abs(seen - colour).sum() for colour in COLOURS])) == face


@pytest.mark.parametrize("face", range(6))
def test_art_is_upright_and_unmirrored_on_every_face(face: int) -> None:
    faces = list(FACES)
    faces[face] = cornered()
    cube = SolidDie(Pose(np.array([100.0, 75.0, 8.0]), face_up(face)), (*faces,), gloss=0.0)  # type: ignore[arg-type]
    picture = table()
    paint_dice(picture, LENS, [cube], DirectionalLight())
    corners = [pixel(picture, LENS, (100 + x, 75 + y, 16)).mean() for x, y in ((-4, -4), (4, -4), (-4, 4), (4, 4))]
    assert corners[0] < 40 < corners[1] < 160 < min(corners[2:])


def test_a_shadow_falls_away_from_the_lamp() -> None:
    picture = table()
    paint_dice(picture, LENS, [die(100.0, 75.0)], DirectionalLight(direction=(-1.0, 0.0, 1.0)))
    assert pixel(picture, LENS, (113.0, 75.0, 0.0)).mean() < 100
    assert pixel(picture, LENS, (84.0, 75.0, 0.0)).mean() > 115
    assert pixel(picture, LENS, (60.0, 40.0, 0.0)).mean() == 128


def test_the_nearer_die_hides_the_farther_whatever_their_order() -> None:
    pair = [die(100.0, 75.0), die(100.0, 75.0, 30.0, face_up(0))]
    one, other = table(), table()
    paint_dice(one, LENS, pair, DirectionalLight())
    paint_dice(other, LENS, pair[::-1], DirectionalLight())
    assert np.array_equal(one, other)
    assert int(np.argmax(pixel(one, LENS, (100.0, 75.0, 38.0)))) == 0


def test_a_die_out_of_the_picture_changes_nothing() -> None:
    picture = table()
    paint_dice(picture, LENS, [die(500.0, 75.0), die(-400.0, -300.0)], DirectionalLight())
    assert (picture == 128).all()


@pytest.mark.parametrize("away", [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])
def test_a_die_that_leaves_the_picture_is_painted_at_each_step_of_its_way(away: tuple[float, float]) -> None:
    for step in np.arange(30.0, 90.0, 0.25):
        paint_dice(table(), LENS, [die(100.0 + away[0] * step, 75.0 + away[1] * step)], DirectionalLight())


@pytest.mark.parametrize("x", [55.0, 143.0])
def test_a_die_on_the_picture_s_edge_is_painted_in_part(x: float) -> None:
    picture = table()
    paint_dice(picture, LENS, [die(x, 75.0)], DirectionalLight())
    assert (picture != 128).any()


def test_no_table_shows_through_between_the_faces_of_a_turned_die() -> None:
    tip = np.linalg.qr(np.array([[1.0, 1, 1], [1, -1, 0], [1, 1, -2]]).T)[0]
    turn = tip.T * np.sign(np.linalg.det(tip))
    bright = tuple(plain((250, 250, 250)) for _ in range(6))
    picture = np.zeros((240, 320, 3), np.uint8)
    cube = SolidDie(Pose(np.array([100.0, 75.0, 14.0]), turn), (*bright,), gloss=0.0)  # type: ignore[arg-type]
    paint_dice(picture, LENS, [cube], DirectionalLight(ambient=0.9))
    column, row = np.rint(LENS.project([(100.0, 75.0, 14.0)])[0]).astype(int)
    assert picture[row - 9 : row + 10, column - 9 : column + 10].min() > 100


def test_the_homography_is_the_projection_of_the_table() -> None:
    lens = PinholeCamera.above((80.0, 90.0), 500.0, 900.0, (640, 480), tilt_degrees=25.0, pan_degrees=40.0)
    spots = np.array([(0.0, 0.0), (150.0, 20.0), (80.0, 90.0)])
    flat = np.column_stack([spots, np.ones(3)]) @ lens.homography().T
    assert np.allclose(flat[:, :2] / flat[:, 2:], lens.project(np.column_stack([spots, np.zeros(3)])))
    assert np.allclose(lens.project([(80.0, 90.0, 0.0)]), [(319.5, 239.5)])


def test_a_camera_straight_above_sees_x_to_the_right_and_y_down() -> None:
    middle, right, low = LENS.project([(100.0, 75.0, 0.0), (110.0, 75.0, 0.0), (100.0, 85.0, 0.0)])
    assert np.allclose(right - middle, (17.5, 0.0))
    assert np.allclose(low - middle, (0.0, 17.5))
    assert LENS.scale_at(np.array([100.0, 75.0, 0.0])) == pytest.approx(1.75)


def test_a_chip_adds_the_noise_it_is_told_to() -> None:
    clean = table()
    grainy = emulate_sensor(clean, np.random.default_rng(1), noise=5.0, blur=0.0)
    assert float(grainy.astype(int).std()) == pytest.approx(5.0, rel=0.1)
    assert (clean == 128).all()
    assert np.array_equal(grainy, emulate_sensor(clean, np.random.default_rng(1), noise=5.0, blur=0.0))


def test_gains_tint_and_a_vignette_darkens_the_corners() -> None:
    seen = emulate_sensor(table(), np.random.default_rng(1), noise=0.0, gains=(1.2, 1.0, 0.8), vignette=0.5)
    assert seen[120, 160, 0] > seen[120, 160, 1] > seen[120, 160, 2]
    assert seen[0, 0, 1] < 0.7 * seen[120, 160, 1]
