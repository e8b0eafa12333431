"""Scenes for Blender's Cycles and their truth: what is described is what the truth says, and is told to the script."""

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.synthetic.canvas import Use
from models.training import cycles_scene, posture_truth
from models.training.camera_emulation import LensDistortion
from models.training.cycles_pictures import developed, pictures, true_picture
from models.training.cycles_scene import CyclesRenderer, CyclesScene, Light, NoBlender, described
from models.training.lying_dice import (
    DiceTable,
    Solid,
    Wanted,
    blocked,
    cube,
    die_surface,
    engraved,
    face_axes,
    overlap,
    rotation,
    turned,
)
from models.training.marked_scenes import MarkedScene, random_scene, rectangle
from models.training.photograph_scores import ScoredLie, game_of
from models.training.photograph_scores import table as figures
from models.training.posture_truth import PosturePicture, TrueLie
from referee.dice import FaceName, KindName
from vision.observations import DieReading, DieSighting, Posture
from vision.tray_markers import find_markers

ROOMS = Path(__file__).parents[3] / "models"
NUMBERS = range(6)


def scene(number: int, use: Use = Use.TRAINING) -> MarkedScene:
    return random_scene(np.random.default_rng([5, number]), use)


def truth(shown: MarkedScene) -> PosturePicture:
    width, height = shown.scene.camera.size
    return true_picture(shown, np.zeros((height, width, 3), np.uint8), LensDistortion(0.0, (width, height)))


@pytest.fixture(scope="module")
def shown() -> list[MarkedScene]:
    return [scene(number) for number in NUMBERS]


def test_the_plane_of_the_truth_sees_each_top_face_where_the_line_from_the_eye_meets_it(
    shown: list[MarkedScene],
) -> None:
    for one in shown:
        picture = truth(one)
        eye = np.array(picture.eye_mm)
        for die in picture.dice:
            top = np.array(die.centre_mm) + np.array(die.axis) * picture.edge_mm / 2
            on_table = eye[:2] + (top[:2] - eye[:2]) * eye[2] / (eye[2] - top[2])
            middle = picture.calibration.to_mm @ (*_crossing(np.array(die.corners)), 1)
            assert np.hypot(*(middle[:2] / middle[2] - on_table)) < 0.01 * picture.edge_mm


def _crossing(corners: np.ndarray) -> tuple[float, float]:
    """Return where the diagonals cross: the middle of a square in perspective."""
    first, second, third, fourth = np.column_stack([corners, np.ones(4)])
    x, y, w = np.cross(np.cross(first, third), np.cross(second, fourth))
    return x / w, y / w


def test_the_stated_camera_sees_the_marker_centres_where_the_truth_says(shown: list[MarkedScene]) -> None:
    for one in shown:
        layout = truth(one).calibration.layout
        assert (layout.width_mm, layout.height_mm) == (one.floor.width_mm, one.floor.height_mm)
        for number, corner in enumerate(layout.corners_mm):
            seen = one.scene.camera.project(np.array([(*one.floor.centres[number], 0.0)]))[0]
            x, y, w = truth(one).calibration.to_mm @ (*seen, 1)
            assert (x / w, y / w) == pytest.approx(corner, abs=1e-3)


def test_no_two_dice_go_through_each_other_and_none_through_a_wall_or_the_floor(shown: list[MarkedScene]) -> None:
    for one in shown:
        solids = [die.solid for die in one.table.dice]
        assert solids
        for number, solid in enumerate(solids):
            assert not any(overlap(solid, other, 0.01 * one.table.edge) for other in solids[:number])
            assert not any(overlap(solid, wall, 0.02 * one.table.edge) for wall in one.floor.walls)
            assert float(solid.corners[:, 2].min()) > -0.15 * one.table.edge  # a rounded corner is not there


def test_every_way_of_lying_is_there() -> None:
    lies = [die for number in range(12) for die in truth(scene(number, Use.CHOOSING)).dice]
    leans = [die.lean_degrees for die in lies if die.lean_degrees > 1]
    assert min(leans) < 9
    assert 25 < max(leans) <= 45.1
    assert any(die.stacked for die in lies)
    assert any(die.hidden and die.covered > 0.3 for die in lies)
    assert all(die.face and die.kind and die.drawing.startswith(die.face.partition("-")[0]) for die in lies[:1])


def test_a_leaning_die_touches_the_die_that_it_leans_on() -> None:
    table = DiceTable(rectangle(300, 300), 16.0, 0.2, False, (), np.random.default_rng(2))
    table.put_down(Wanted(alone=0, rows=0, at_walls=0, leaning=40, stacked=0))
    leaning = [die for die in table.dice if die.touches and abs(die.solid.turn[2]).max() < 0.999]
    assert len(leaning) > 3
    for die in leaning:
        grown = replace(die.solid, half=die.solid.half * 1.02)
        assert any(overlap(grown, other.solid) for other in table.dice if other is not die)


def test_dice_are_drawn_in_a_picture_from_20_to_70_pixels() -> None:
    edges = [np.median([die.edge for die in truth(scene(number)).dice]) for number in range(10, 22)]
    assert min(edges) > 17
    assert max(edges) < 80


def test_a_die_shows_its_faces_unmirrored_and_pressed_in_where_it_is_engraved() -> None:
    surface = die_surface(0.2, inner=20)
    quads = surface.vertices[surface.quads]
    normals = np.cross(quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0])
    outward = quads.mean(axis=1)
    assert (np.einsum("ij,ij->i", normals, outward) > -1e-12).all()
    for k in range(6):
        normal, right, up = face_axes(k)
        assert np.cross(right, up) == pytest.approx(normal)
    relief = np.zeros((256, 384), np.float32)
    relief[128 + 40 : 128 + 88, 40:88] = 1  # the lower left tile, which is face 0
    pressed = surface.vertices - engraved(surface, relief, 0.1).vertices
    assert pressed[:, 0].max() == pytest.approx(0.1)
    assert not pressed[:, 1:].any()
    assert (surface.vertices[pressed[:, 0] > 0][:, 0] > 0.99).all()


def test_what_stands_before_a_point_hides_it_and_what_stands_behind_does_not() -> None:
    wall = Solid(np.array([0.0, 10.0, 5.0]), turned(0.3), np.array([20.0, 1.0, 5.0]))
    eye = np.array([0.0, -100.0, 20.0])
    assert blocked(eye, np.array([(0, 30.0, 0), (0, -30.0, 0), (0, 30.0, 30.0)]), [wall]).tolist() == [
        True,
        False,
        False,
    ]


def test_cubes_that_touch_do_not_overlap() -> None:
    one = cube(np.zeros(3), np.eye(3), 2.0)
    assert not overlap(one, cube(np.array([2.001, 0.5, 0]), np.eye(3), 2.0))
    assert overlap(one, cube(np.array([1.9, 0.5, 0]), np.eye(3), 2.0))
    turned_by_45 = rotation(np.array([0, 0, 1.0]), np.pi / 4)
    assert not overlap(one, cube(np.array([2.42, 0, 0]), turned_by_45, 2.0))
    assert overlap(one, cube(np.array([2.40, 0, 0]), turned_by_45, 2.0))


def test_automatic_exposure_makes_the_same_of_a_dim_and_a_bright_table() -> None:
    light = np.random.default_rng(0).uniform(0, 0.2, (48, 64, 3)).astype(np.float32)
    dim, bright = (developed(light * factor, np.random.default_rng(3)).mean() for factor in (0.2, 1.0))
    assert dim == pytest.approx(bright, abs=1)


def test_the_script_reads_only_what_a_scene_is_described_by(shown: list[MarkedScene], tmp_path: Path) -> None:
    told = json.loads(json.dumps(described(shown[0].scene, tmp_path)))
    parts = [told, told["camera"], told["sky"], *told["lamps"], *told["boxes"], *told["dice"]]
    known = {key for part in parts for key in part} | {"from", "to", "radius"} | {*told["boxes"][0]["finish"]}
    script = cycles_scene.SCRIPT.read_text("utf-8")
    assert set(re.findall(r'(?:told|die|finish)\["(\w+)"\]', script)) <= known
    assert all(Path(part["picture"]).exists() for part in (*told["boxes"], *told["dice"], told["sky"]))


def test_one_file_alone_imports_blender() -> None:
    users = [
        path.name
        for path in ROOMS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import) and any(name.name == "bpy" for name in node.names)
    ]
    assert users == [cycles_scene.SCRIPT.name]


def test_without_blender_one_sentence_says_what_installs_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cycles_scene, "PYTHON", tmp_path / "python")
    with pytest.raises(NoBlender, match="make cycles"):
        CyclesRenderer()


def test_a_blender_that_ends_is_told_of(monkeypatch: pytest.MonkeyPatch, shown: list[MarkedScene]) -> None:
    monkeypatch.setattr(cycles_scene, "PYTHON", Path("/bin/false"))
    with CyclesRenderer() as renderer, pytest.raises(NoBlender, match="ended"):
        renderer.render(shown[0].scene)


def test_pictures_are_kept_with_all_that_is_true_and_gone_on_with(shown: list[MarkedScene], tmp_path: Path) -> None:
    first, second = truth(shown[0]), truth(shown[1])
    posture_truth.save([first], tmp_path)
    with (tmp_path / posture_truth.TRUTH).open("a") as file:
        file.write('{"to_mm": [[')  # the program was ended within a line
    assert posture_truth.count_saved(tmp_path) == 1
    posture_truth.save([second], tmp_path, first=1)
    kept = list(posture_truth.load(tmp_path))
    assert [one.dice for one in kept] == [first.dice, second.dice]
    assert [(one.edge_mm, one.marker_mm, one.markers_seen) for one in kept] == [
        (one.edge_mm, one.marker_mm, one.markers_seen) for one in (first, second)
    ]


def test_older_folders_that_tell_less_are_read_too(shown: list[MarkedScene], tmp_path: Path) -> None:
    posture_truth.save([truth(shown[0])], tmp_path)
    file = tmp_path / posture_truth.TRUTH
    row = json.loads(file.read_text())
    for name in ("edge_mm", "marker_mm", "markers_seen"):
        del row[name]
    for die in row["dice"]:
        for name in ("face", "drawing", "kind", "corners", "covered"):
            del die[name]
    file.write_text(json.dumps(row) + "\n")
    (picture,) = posture_truth.load(tmp_path)
    assert picture.edge_mm == posture_truth.EDGE_MM
    assert picture.markers_seen == ()
    assert {die.face for die in picture.dice} == {""}


class FlatRenderer(CyclesRenderer):
    """Stands in for Blender: dice are white squares, and what a hand consists of are grey rods."""

    def __init__(self) -> None:
        self.rods: list[int] = []

    def render(self, scene: CyclesScene) -> Light:
        width, height = scene.camera.size
        light = np.full((height, width, 3), 0.1, np.float32)
        for die in scene.dice:
            top = np.array([(-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)])
            corners = scene.camera.project(die.solid.centre + die.solid.half * top).astype(np.int32)
            cv2.fillConvexPoly(light, corners, (0.8, 0.8, 0.8))
        for rod in scene.capsules:
            ends = scene.camera.project(np.array([rod.start, rod.end])).astype(int).tolist()
            cv2.line(light, ends[0], ends[1], (0.4, 0.4, 0.4), 6)
        self.rods.append(len(scene.capsules))
        return light


def test_dice_of_films_are_told_with_how_they_truly_came_there() -> None:
    pytest.importorskip("mujoco", reason="MuJoCo comes with the train extra")
    from models.training.cycles_films import film

    found = []
    for number in range(6):
        renderer = FlatRenderer()
        dice = list(film(renderer, np.random.default_rng([2, number]), Use.TRAINING))
        assert {die.facts["source"] for die in dice} <= {"cycles"}
        assert all(bool(die.facts["hands"]) is any(renderer.rods) for die in dice)
        found += [die.way for die in dice]
    assert {"thrown", "untouched"} <= set(found)


def read_as(die: TrueLie, face: str, *, accepted: bool = True, posture: Posture = Posture.FLAT) -> DieReading:
    sighting = DieSighting(0, 0, 16, 0, posture, 0.9, die.x, die.y, die.edge)
    return DieReading(sighting, KindName("d6"), FaceName(face), 0.99, accepted)


def test_a_photograph_is_scored_by_what_lies_there() -> None:
    flat = TrueLie(100, 100, 30, 0, 0.0, False, False, False, (0, 0, 1), (50, 50, 8), face="pip-3")
    leaning, stacked = replace(flat, lean_degrees=20.0), replace(flat, stacked=True)
    dice = [
        ScoredLie(flat, False, True, None, "pip-3"),
        ScoredLie(flat, False, True, read_as(flat, "pip-3"), "pip-3"),
        ScoredLie(flat, False, True, read_as(flat, "pip-2"), "pip-3"),
        ScoredLie(flat, False, True, read_as(flat, "pip-2", accepted=False, posture=Posture.STACKED), "pip-3"),
        ScoredLie(leaning, False, True, read_as(leaning, "pip-3", posture=Posture.COCKED), "pip-3"),
        ScoredLie(stacked, False, True, read_as(stacked, "pip-3"), "pip-3"),
        ScoredLie(flat, True, False, None, "pip-3"),
    ]
    lines = figures(dice).splitlines()
    shares = [line.partition(" = ")[0].rpartition(": ")[2] for line in lines[:6]]
    assert shares[1:] == ["3 of 4", "1 of 3", "1 of 3", "1 of 3", "1 of 2"]
    assert lines[7].endswith("none")  # no oblique picture has four markers
    assert "0 of 1" in lines[13]
    named = ScoredLie(flat, False, True, read_as(flat, "three"), "three", "traffic")
    assert named.silently_wrong  # the right face of another kind


def test_dice_of_one_game_are_read_with_as_many_as_lie_there() -> None:
    def picture(*kinds: str) -> PosturePicture:
        lies = tuple(TrueLie(9, 9, 9, 0, 0.0, False, False, False, (0, 0, 1), (5, 5, 8), kind=kind) for kind in kinds)
        return PosturePicture(np.zeros((9, 9, 3), np.uint8), None, lies, (0, 0, 1))  # type: ignore[arg-type]

    game = game_of(picture(*["traffic"] * 7))
    assert game is not None
    assert {kind.name: count for kind, count in game.counts} == {"traffic": 7, "signal": 1}
    assert game_of(picture("traffic", "tossup")) is None


@pytest.mark.slow
@pytest.mark.skipif(not cycles_scene.PYTHON.exists(), reason="Blender is not installed: `make cycles`")
def test_cycles_shows_the_markers_where_the_truth_says(tmp_path: Path) -> None:
    (picture,) = pictures(range(1), 5, Use.TRAINING, 1, tmp_path / "log")
    found = find_markers(picture.pixels).centres
    assert set(picture.markers_seen) <= set(found)
    for number, place in found.items():
        assert place == pytest.approx(picture.calibration.centres[number], abs=1.0)
