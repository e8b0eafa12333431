"""Generate pictures with a known plane: dice that lie flat, lean and stand on others, with how each lies.

Nothing is simulated: every die is put down where it is wanted, so that each band of angles has as many. A flat die may
touch others or a wall; a leaning one leans on nothing in sight, on a die, on a wall, or on a card or a coin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from models.synthetic.canvas import Use
from models.training import mujoco_scene
from models.training.camera_emulation import LensDistortion, emulate
from models.training.lying_dice import ROUND, Array, Rng
from models.training.mujoco_scene import MujocoScene, rotation_of
from models.training.posture_truth import EDGE_MM, PosturePicture, TrueLie, true_lie
from models.training.scene_generation import TIPPED, project, quaternion_product, render_lit, yaw_turn
from models.training.surfaces import surface
from models.training.texture_atlas import DieAtlas, random_dice
from vision.tray_calibration import Calibration, TrayLayout, fit_calibration

EDGE_ERROR = 0.02
"""How much larger or smaller than EDGE_MM, as a share, the dice of a table may be."""
DICE_PER_SCENE = 36
PICTURES_PER_SCENE = 20
EDGE_PIXELS = (30.0, 70.0)
TILT_DEGREES, OBLIQUE_DEGREES = 25.0, 55.0
"""How far the camera is tilted from straight down: a camera over a tray, and a phone on a pile of books."""
STRAIGHT, OBLIQUE = 0.3, 0.3
"""Shares of pictures by a camera that looks nearly straight down, and by an oblique one."""
VIEW_DEGREES = (38.0, 75.0)
"""Range of the picture's width as an angle: from a long lens to a phone's."""
MARKER_NOISE = 0.25
"""Standard deviation of a marker's centre, in pixels."""
DISTORTION = (-0.04, 0.02)
LEAN_DEGREES = (4.0, 45.0)
FLAT, LEANING, STACKED = 7, 3, 1
"""How many dice of a picture lie how; a die lies under each stacked one."""
SOFTEST = 2
"""Exposures of a soft shadow: rendering them is what these pictures cost."""
APART_EDGES = 1.5
"""Between the centres of dice that do not touch."""


@dataclass(frozen=True, eq=False)
class _Placed:
    """A die put down: its centre (metres), its rotation as a quaternion, and how it lies."""

    at: Array
    turn: Array
    stacked: bool = False
    hidden: bool = False
    touches: bool = False


def pictures(count: int, seed: int, use: Use) -> Iterator[PosturePicture]:
    """Yield so many pictures; the same for the same seed."""
    for scene in range(-(-count // PICTURES_PER_SCENE)):
        rng = np.random.default_rng([seed, tuple(Use).index(use), scene])
        yield from _pictures_of_table(rng, use, min(PICTURES_PER_SCENE, count - scene * PICTURES_PER_SCENE))


def _pictures_of_table(rng: Rng, use: Use, count: int) -> Iterator[PosturePicture]:
    edge = EDGE_MM / 1000 * rng.uniform(1 - EDGE_ERROR, 1 + EDGE_ERROR)
    table = MujocoScene(rng, edge * rng.normal(1, 0.004, mujoco_scene.DICE))
    dice = random_dice(rng, DICE_PER_SCENE, use)
    try:
        for _ in range(count):
            yield _picture(table, dice, rng, use)
    finally:
        table.close()


def _picture(table: MujocoScene, dice: Sequence[DieAtlas], rng: Rng, use: Use) -> PosturePicture:
    chosen = [dice[int(k)] for k in rng.choice(len(dice), mujoco_scene.DICE, replace=False)]
    _set_textures(table, chosen, rng, use)
    view = _camera(rng)
    tray = _tray_in_view(table, view)
    placed = _put_down(table, tray, rng)
    projection = table.aim_camera(*view)
    lens = LensDistortion(float(rng.uniform(*DISTORTION)), (mujoco_scene.WIDTH, mujoco_scene.HEIGHT))
    pixels = emulate(lens.distort(render_lit(table, rng, use, SOFTEST)), rng, float(rng.uniform(0.2, 0.8)))
    lies = tuple(_true_lie(table, k, one, tray, projection, lens) for k, one in enumerate(placed))
    eye = _in_tray(1000 * (view[0] - np.array([*tray[0], 0.0])), tray)
    return PosturePicture(pixels, _calibration(projection, tray, lens, rng), lies, eye)


def _set_textures(table: MujocoScene, chosen: Sequence[DieAtlas], rng: Rng, use: Use) -> None:
    table.set_texture("floor", surface(mujoco_scene.FLOOR_PX, rng, use))
    for name in ("wall", *(f"{prop}{k}" for prop in ("coin", "card") for k in range(LEANING))):
        table.set_texture(name, surface(64 if name == "wall" else 128, rng, use))
    for k, atlas in enumerate(chosen):
        table.set_texture(f"die{k}", atlas.pixels)


def _camera(rng: Rng) -> tuple[Array, Array, float, float]:
    """Return the camera's place, its target, its roll and its vertical angle of view."""
    tilted = [(0.0, 8.0), (0.0, TILT_DEGREES), (TILT_DEGREES, OBLIQUE_DEGREES)]
    how = rng.choice(3, p=[STRAIGHT, 1 - STRAIGHT - OBLIQUE, OBLIQUE])
    tilt = np.radians(rng.uniform(*tilted[int(how)]))
    around, half = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(*VIEW_DEGREES)) / 2
    focal = mujoco_scene.WIDTH / 2 / np.tan(half)
    distance = EDGE_MM / 1000 * focal / rng.uniform(*EDGE_PIXELS)
    way = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    # The tray's lower edge is the camera's: players sit there, and `tilt` may lean it any way.
    roll = around + np.pi / 2 + rng.normal(0, 0.1) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
    fovy = 2 * np.degrees(np.arctan(np.tan(half) * mujoco_scene.HEIGHT / mujoco_scene.WIDTH))
    return distance * way, np.zeros(3), float(roll), float(fovy)


def _tray_in_view(table: MujocoScene, view: tuple[Array, Array, float, float]) -> Array:
    """Return the corners (4, 2) in metres of the largest rectangle of 4 by 3 that the camera sees whole."""
    projection = table.aim_camera(*view)
    middle = _on_table(projection, np.array([[mujoco_scene.WIDTH / 2, mujoco_scene.HEIGHT / 2]]))[0]
    ahead = _on_table(projection, np.array([[mujoco_scene.WIDTH / 2 + 50, mujoco_scene.HEIGHT / 2]]))[0] - middle
    right = ahead / np.linalg.norm(ahead)
    down = np.array([right[1], -right[0]])
    for width in np.linspace(0.6, 0.05, 111):
        half = width / 2
        corners = np.array([middle + a * half * right + b * 0.75 * half * down for a, b in ROUND])
        seen = project(projection, np.column_stack([corners, np.zeros(4)]))
        if (seen > 12).all() and (seen < (mujoco_scene.WIDTH - 12, mujoco_scene.HEIGHT - 12)).all():
            return corners
    raise ValueError("the camera sees no tray")


def _on_table(projection: Array, pixels: Array) -> Array:
    back = np.linalg.inv(projection[:, [0, 1, 3]]) @ np.column_stack([pixels, np.ones(len(pixels))]).T
    return np.asarray((back[:2] / back[2]).T)


def _calibration(projection: Array, tray: Array, lens: LensDistortion, rng: Rng) -> Calibration:
    """Return the calibration that the four markers would give."""
    corners = project(projection, np.column_stack([tray, np.zeros(4)]))
    seen = [lens.distort_point(corner) + rng.normal(0, MARKER_NOISE, 2) for corner in corners]
    width, height = 1000 * np.linalg.norm(tray[1] - tray[0]), 1000 * np.linalg.norm(tray[3] - tray[0])
    layout = TrayLayout(width_mm=float(width), height_mm=float(height))
    centres = {number: (float(x), float(y)) for number, (x, y) in enumerate(seen)}
    found = fit_calibration(centres, layout, (mujoco_scene.WIDTH, mujoco_scene.HEIGHT))
    if found is None:
        raise ValueError("the markers of a rendered tray do not go round clockwise")
    return found


def _put_down(table: MujocoScene, tray: Array, rng: Rng) -> list[_Placed]:
    """Put down all dice and props, and return the dice in the scene's order."""
    _remove_things(table)
    edge = float(table.edges.mean())
    free = _FreePlaces(tray, edge, rng)
    walls = _place_walls(table, tray, edge, rng)
    placed: list[_Placed] = []
    for _ in range(STACKED):
        placed += _stack(free, edge, rng)
    for k in range(LEANING):
        placed += _lean(table, free, edge, walls, k, rng)
    placed = placed[: mujoco_scene.DICE]
    while len(placed) < mujoco_scene.DICE:
        placed += _lay_flat(free, edge, walls, rng)
    placed = placed[: mujoco_scene.DICE]
    for k, one in enumerate(placed):
        table.place_body(f"die{k}", one.at, one.turn)
    mujoco.mj_forward(table.model, table.state)
    return placed


class _FreePlaces:
    """Places on the tray that are still free."""

    def __init__(self, tray: Array, edge: float, rng: Rng) -> None:
        self._tray, self._edge, self._rng = tray, edge, rng
        self._taken: list[Array] = []

    def take(self, near: float = 0.0) -> Array:
        """Return a free place of the tray, (2,) in metres, with `near` edges of room beyond a die's own."""
        for _ in range(400):
            across, down = self._rng.uniform(0.02, 0.98, 2)
            at = self._tray[0] + across * (self._tray[1] - self._tray[0]) + down * (self._tray[3] - self._tray[0])
            if self.is_free(at, near):
                break
        self.add(at)
        return np.asarray(at)

    def is_free(self, at: Array, near: float = 0.0) -> bool:
        """True if no die lies within APART_EDGES and `near` edges."""
        room = (APART_EDGES + near) * self._edge
        return all(np.linalg.norm(at - other) >= room for other in self._taken)

    def add(self, at: Array) -> None:
        self._taken.append(at)


def _flat_turn(angle: float, rng: Rng) -> Array:
    tipped = np.array(TIPPED[int(rng.integers(6))])
    return quaternion_product(yaw_turn(angle), tipped / np.linalg.norm(tipped))


def _stack(free: _FreePlaces, edge: float, rng: Rng) -> list[_Placed]:
    """Return a die on another or, one time in four, on two that touch."""
    at, yaw = free.take(0.6), float(rng.uniform(0, np.pi / 2))
    upper_yaw = yaw if rng.random() < 0.3 else float(rng.uniform(0, np.pi / 2))
    if rng.random() < 0.25:
        side = np.array([np.cos(yaw), np.sin(yaw)]) * edge * 0.505
        lower = [np.array([*(at + sign * side), edge / 2]) for sign in (-1, 1)]
        aside = rng.normal(0, 0.15, 2) * edge
    else:
        lower = [np.array([*at, edge / 2])]
        aside = np.clip(rng.normal(0, 0.18, 2), -0.42, 0.42) * edge
    upper = _Placed(np.array([*(at + aside), 1.5 * edge]), _flat_turn(upper_yaw, rng), stacked=True)
    return [upper, *(_Placed(one, _flat_turn(yaw, rng), hidden=True) for one in lower)]


def _lean(  # noqa: PLR0913, PLR0917 - what a leaning die needs
    table: MujocoScene, free: _FreePlaces, edge: float, walls: Sequence[tuple[Array, Array]], k: int, rng: Rng
) -> list[_Placed]:
    """Return a leaning die and, one time in four, the die that it leans on."""
    degrees = float(np.exp(rng.uniform(*np.log(LEAN_DEGREES))))
    prop = str(rng.choice(["nothing", "die", "wall", "card", "coin"], p=[0.25, 0.25, 0.15, 0.2, 0.15]))
    yaw = float(rng.uniform(0, 2 * np.pi))
    skew = 0.0 if rng.random() < 0.6 else float(rng.uniform(-np.pi / 4, np.pi / 4))
    if prop == "wall" and walls:
        point, inward = walls[int(rng.integers(len(walls)))]
        toward, at = -inward, point + inward * edge * (0.5 + 0.55 * np.sin(np.radians(degrees)))
        if not free.is_free(at):
            at = free.take(0.3)
        free.add(at)
        yaw = float(np.arctan2(toward[1], toward[0]))
    else:
        at = free.take(0.5 if prop == "die" else 0.1)
        toward = np.array([np.cos(yaw), np.sin(yaw)])
    # The raised side faces `toward`, so the top face turns away from it.
    angle = yaw + skew
    axis = np.array([np.sin(angle), -np.cos(angle), 0.0])
    half = np.radians(degrees) / 2
    lean = np.concatenate([[np.cos(half)], np.sin(half) * axis])
    turn = quaternion_product(lean, _flat_turn(yaw, rng))
    height = _resting_height(turn, edge)
    placed = [_Placed(np.array([*at, height]), turn)]
    if prop == "die":
        beyond = at + toward * edge * (1.02 + 0.35 * np.sin(np.radians(degrees)))
        placed.append(_Placed(np.array([*beyond, edge / 2]), _flat_turn(yaw, rng), touches=True))
        free.add(beyond)
    elif prop in ("card", "coin"):
        under = at + toward * edge * rng.uniform(0.35, 0.6)
        _slip_under(table, f"{prop}{k % 3}", under, 0.8 * edge * np.sin(np.radians(degrees)), rng)
    return placed


def _slip_under(table: MujocoScene, thing: str, at: Array, top: float, rng: Rng) -> None:
    """Lay a card or a coin under a raised side, sunk into the table as far as it is thicker than there is room."""
    size = table.model.geom_size[table.model.body(thing).geomadr[0]]
    half = float(size[2] if thing.startswith("card") else size[1])
    table.place_body(thing, np.array([*at, min(half, top - half)]), yaw_turn(float(rng.uniform(0, np.pi))))


def _resting_height(turn: Array, edge: float) -> float:
    """Return the height of the centre of a die whose lowest corner is on the table; corners are a little rounded."""
    reach = float(np.abs(rotation_of(turn)[2]).sum())
    return edge / 2 * (reach - 0.1 * (reach - 1))


def _lay_flat(free: _FreePlaces, edge: float, walls: Sequence[tuple[Array, Array]], rng: Rng) -> list[_Placed]:
    """Return one flat die, or two or three that touch in a row, or one against a wall."""
    how, yaw = rng.random(), float(rng.uniform(0, np.pi / 2))
    if how < 0.2 and walls:
        point, inward = walls[int(rng.integers(len(walls)))]
        at = point + inward * edge * 0.51
        if free.is_free(at):
            free.add(at)
            turn = _flat_turn(float(np.arctan2(inward[1], inward[0])), rng)
            return [_Placed(np.array([*at, edge / 2]), turn, touches=True)]
    count = 1 if how < 0.6 else int(rng.integers(2, 4))
    at, along = free.take(0.5 * (count - 1)), np.array([np.cos(yaw), np.sin(yaw)])
    across = np.array([-along[1], along[0]])
    row = [
        at + n * edge * rng.uniform(1.005, 1.06) * along + rng.uniform(-0.3, 0.3) * edge * across for n in range(count)
    ]
    for one in row[1:]:
        free.add(one)
    return [_Placed(np.array([*one, edge / 2]), _flat_turn(yaw, rng), touches=count > 1) for one in row]


def _place_walls(table: MujocoScene, tray: Array, edge: float, rng: Rng) -> list[tuple[Array, Array]]:
    """Place walls around some trays; return a point on each side for each, and the direction inwards."""
    shown = rng.random() < 0.7
    middle = tray.mean(axis=0)
    height = rng.uniform(0.3, 1.6) * edge
    found = []
    for k in range(4):
        # Walls 0 and 1 run along x, 2 and 3 along y: they are turned with the tray.
        side = (tray[(k + 1) % 4] + tray[k]) / 2
        inward = (middle - side) / np.linalg.norm(middle - side)
        place = middle + (side - middle) * rng.uniform(0.92, 1.06)
        number = (0, 2, 1, 3)[k]
        away = 0.0 if shown else mujoco_scene.PARKED_M
        centre = place - inward * 0.005
        angle = float(np.arctan2(inward[1], inward[0])) - (np.pi / 2 if number < 2 else 0.0)
        table.state.mocap_pos[number] = [centre[0] + away, centre[1], height - 0.02]
        table.state.mocap_quat[number] = yaw_turn(angle)
        if shown:
            along = np.array([-inward[1], inward[0]])
            reach = 0.4 * np.linalg.norm(tray[(k + 1) % 4] - tray[k])
            found += [(place + along * rng.uniform(-reach, reach), inward) for _ in range(3)]
    return found


def _remove_things(table: MujocoScene) -> None:
    for number, (name, count) in enumerate(
        (
            ("coin", mujoco_scene.COINS),
            ("card", mujoco_scene.CARDS),
            ("pencil", mujoco_scene.PENCILS),
            ("key", mujoco_scene.KEYS),
            ("knuckle", mujoco_scene.KNUCKLES),
        )
    ):
        for k in range(count):
            table.remove_body(f"{name}{k}", 15 * number + k)
    table.remove_body("sleeve", 90)


def _true_lie(  # noqa: PLR0913, PLR0917 - what its truth follows from
    table: MujocoScene, k: int, one: _Placed, tray: Array, projection: Array, lens: LensDistortion
) -> TrueLie:
    def see(points: Array) -> Array:
        return np.array([lens.distort_point(point) for point in project(projection, points)])

    def to_tray(points: Array) -> Array:
        return np.array([_in_tray(1000 * (point - np.array([*tray[0], 0.0])), tray) for point in points])

    lie, _ = true_lie(*table.pose(f"die{k}"), float(table.edges[k]), see, to_tray)
    return replace(lie, stacked=one.stacked, hidden=one.hidden, touches=one.touches)


def _in_tray(vector: Array, tray: Array) -> tuple[float, float, float]:
    """Return a vector in the tray's axes: x to the right, y down, z up."""
    right, down = ((tray[k] - tray[0]) / np.linalg.norm(tray[k] - tray[0]) for k in (1, 3))
    return float(vector[:2] @ right), float(vector[:2] @ down), float(vector[2])
