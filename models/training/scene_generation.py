"""Generate training pictures: dice thrown, leaned and stacked among clutter under random lights, and their truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from models import die_sets
from models.synthetic.canvas import Use
from models.training import mujoco_scene
from models.training.camera_emulation import LensDistortion, emulate
from models.training.lying_dice import ROUND, Array, RenderedPicture, Rng, TrueDie, face_axes, square_of, top_side
from models.training.mujoco_scene import MujocoScene, SceneLight, quaternion_of
from models.training.surfaces import ELEVATIONS, WARMTHS, lettered, surface
from models.training.texture_atlas import DieAtlas

TOP_VIEW_SHARE = 0.7
"""Share of pictures taken from nearly straight above; the others are oblique, as from a hand-held phone."""
MIXTURE_SHARE, EMPTY_SHARE, COMPLETE_SHARE, STACK_SHARE, DISTORTED_SHARE = 0.6, 0.05, 0.6, 0.08, 0.5
"""Shares of training pictures with dice of any kinds, and of all pictures without dice, with all dice of their game,
with a die on another, and with lens distortion."""


def render_picture(
    scene: MujocoScene, atlases: Sequence[DieAtlas], rng: Rng, use: Use = Use.TRAINING, few_styles: bool = False
) -> RenderedPicture:
    """Arrange dice from `atlases` in the scene and render one picture.

    A picture to choose or score on shows the dice of one game from nearly above, with the faults of a camera; in
    training those are added to each patch. With `few_styles` the atlases are few, and each is used as often as there
    is room.
    """
    trains = use is Use.TRAINING
    if few_styles:
        game, chosen = "", [atlases[k % len(atlases)] for k in range(mujoco_scene.DICE)]
    else:
        game = "" if trains and rng.random() < MIXTURE_SHARE else str(rng.choice(die_sets.names()))
        chosen = [] if rng.random() < EMPTY_SHARE else _choose_dice(game, atlases, rng)
    _set_textures(scene, chosen, rng, use)
    _arrange(scene, len(chosen), rng)
    projection = _aim_camera(scene, rng, len(chosen), TOP_VIEW_SHARE if trains else 1.0)
    distortion = float(rng.uniform(-0.14, 0.06)) if rng.random() < DISTORTED_SHARE else 0.0
    lens = LensDistortion(distortion, (mujoco_scene.WIDTH, mujoco_scene.HEIGHT))
    picture = lens.distort(render_lit(scene, rng, use))
    dice = tuple(lens.distort_die(die) for die in _true_dice(scene, chosen, projection))
    return RenderedPicture(picture if trains else emulate(picture, rng, float(rng.uniform(0.2, 0.8))), dice, game)


def _choose_dice(game: str, atlases: Sequence[DieAtlas], rng: Rng) -> list[DieAtlas]:
    """Choose some or all dice of a game or, without a game, a mixture."""
    if not game:
        return [atlases[int(rng.integers(len(atlases)))] for _ in range(int(rng.integers(1, mujoco_scene.DICE + 1)))]
    kinds = [kind.name for kind, count in die_sets.load(game).counts for _ in range(count)]
    rng.shuffle(kinds)
    wanted = kinds if rng.random() < COMPLETE_SHARE else kinds[: int(rng.integers(1, len(kinds) + 1))]
    boxes = [[atlas for atlas in atlases if atlas.kind == kind] for kind in wanted]
    return [box[int(rng.integers(len(box)))] for box in boxes if box]


def _set_textures(scene: MujocoScene, chosen: Sequence[DieAtlas], rng: Rng, use: Use) -> None:
    """Set the textures of surface, clutter and dice."""
    scene.set_texture("floor", surface(mujoco_scene.FLOOR_PX, rng, use))
    scene.set_texture("wall", surface(64, rng, use))
    for name, count in (("coin", mujoco_scene.COINS), ("card", mujoco_scene.CARDS), ("pencil", mujoco_scene.PENCILS)):
        for k in range(count):
            scene.set_texture(f"{name}{k}", lettered(128, rng) if rng.random() < 0.3 else surface(128, rng))
    for k in range(mujoco_scene.KEYS):
        scene.set_texture(f"key{k}", lettered(128, rng))
    skin = rng.uniform(90, 245) * np.array([rng.uniform(0.5, 0.75), rng.uniform(0.68, 0.85), 1.0])
    scene.set_texture("sleeve", surface(128, rng))
    for k in range(mujoco_scene.KNUCKLES):
        scene.set_texture(f"knuckle{k}", np.tile(skin, (128, 128, 1)).astype(np.uint8))
    for k, atlas in enumerate(chosen):
        scene.set_texture(f"die{k}", atlas.pixels)


def _arrange(scene: MujocoScene, count: int, rng: Rng) -> None:
    """Drop the dice and scatter the clutter, let all settle, then tilt or stack some dice."""
    spread = rng.uniform(0.03, 0.16)
    _place_walls(scene, spread * rng.uniform(0.9, 1.3), rng)
    _scatter_clutter(scene, spread, rng)
    for k in range(mujoco_scene.DICE):
        if k < count:
            at = np.array([*rng.uniform(-spread, spread, 2), rng.uniform(0.01, 0.07)])
            scene.place_body(f"die{k}", at, _random_rotation(rng))
        else:
            scene.remove_body(f"die{k}", k)
    scene.settle(0.9)
    for k in range(count):
        if rng.random() < 0.05:
            _tilt(scene, k, rng)
    if count > 1 and rng.random() < STACK_SHARE:
        lower, upper = (int(k) for k in rng.permutation(count)[:2])
        _stack(scene, lower, upper, rng)


def _random_rotation(rng: Rng) -> Array:
    """Return a random rotation for half of the dice, else a flat one, so that touching rows and squares occur."""
    if rng.random() < 0.5:
        return rng.normal(size=4)
    half = rng.uniform(0, np.pi)
    return quaternion_product(yaw_turn(2 * half), np.array(TIPPED[int(rng.integers(6))]))


TIPPED = ((1.0, 0, 0, 0), (1.0, 1, 0, 0), (0.0, 1, 0, 0), (1.0, -1, 0, 0), (1.0, 0, 1, 0), (1.0, 0, -1, 0))
"""Quaternions, of any length, that bring each side up."""


def yaw_turn(angle: float) -> Array:
    """Return the quaternion that rotates by an angle in radians about the vertical."""
    return np.array([np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)])


def quaternion_product(p: Array, q: Array) -> Array:
    """Return the quaternion that rotates by q, then by p."""
    w = p[0] * q[0] - p[1:] @ q[1:]
    return np.concatenate([[w], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])])


def _tilt(scene: MujocoScene, k: int, rng: Rng) -> None:
    """Tilt a settled die, as if something small lay under one edge."""
    place, turn = scene.pose(f"die{k}")
    axis = np.array([*rng.normal(size=2), 0.0])
    half = np.radians(rng.uniform(14, 42)) / 2
    lean = np.concatenate([[np.cos(half)], np.sin(half) * axis / np.linalg.norm(axis)])
    turned = quaternion_product(lean, quaternion_of(turn))
    scene.place_body(f"die{k}", place + np.array([0, 0, 0.25 * scene.edges[k]]), turned)


def _stack(scene: MujocoScene, lower: int, upper: int, rng: Rng) -> None:
    """Put a die flat on top of another, with a random rotation."""
    place, _ = scene.pose(f"die{lower}")
    height = (scene.edges[lower] + scene.edges[upper]) / 2
    aside = rng.normal(0, 0.12, 2) * scene.edges[lower]
    half = rng.uniform(0, np.pi)
    scene.place_body(f"die{upper}", place + np.array([*aside, height]), yaw_turn(2 * half))


def _place_walls(scene: MujocoScene, reach: float, rng: Rng) -> None:
    """Place the walls of a tray at `reach` metres, or remove them."""
    away = mujoco_scene.PARKED_M if rng.random() < 0.5 else 0.0
    offset = reach + 0.02
    for k, place in enumerate(([0, offset], [0, -offset], [offset, 0], [-offset, 0])):
        scene.state.mocap_pos[k] = [place[0] + away, place[1], rng.uniform(-0.01, 0.012)]


def _scatter_clutter(scene: MujocoScene, spread: float, rng: Rng) -> None:
    share = rng.choice([0.0, 0.15, 0.5])
    things = [("coin", mujoco_scene.COINS), ("card", mujoco_scene.CARDS), ("pencil", mujoco_scene.PENCILS)]
    for name, count in things:
        for k in range(count):
            if rng.random() < share:
                at = np.array([*rng.uniform(-1.6 * spread, 1.6 * spread, 2), 0.004])
                half = rng.uniform(0, np.pi)
                tipped = np.array([1.0, 1, 0, 0]) if name == "pencil" else np.array([1.0, 0, 0, 0])
                scene.place_body(f"{name}{k}", at, quaternion_product(yaw_turn(2 * half), tipped))
            else:
                scene.remove_body(f"{name}{k}", 20 + k + 5 * len(name))
    _place_tiles(scene, spread, rng)
    _place_hand(scene, spread, rng)


def _place_tiles(scene: MujocoScene, spread: float, rng: Rng) -> None:
    """Place lettered tiles in some pictures, strewn or in rows as on a keyboard."""
    how = rng.choice(["none", "strewn", "rows"], p=[0.6, 0.2, 0.2])
    corner, angle = rng.uniform(-spread, spread, 2), rng.uniform(0, np.pi)
    turn = yaw_turn(angle)
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    for k in range(mujoco_scene.KEYS):
        row = corner + 0.024 * ((k % 4) * along + (k // 4) * across)
        strewn = rng.uniform(-1.4 * spread, 1.4 * spread, 2)
        if how == "none":
            scene.remove_body(f"key{k}", 80 + k)
        else:
            scene.place_body(f"key{k}", np.array([*(row if how == "rows" else strewn), 0.008]), turn)


def _place_hand(scene: MujocoScene, spread: float, rng: Rng) -> None:
    """Place a hand at the edge of some pictures: five fingers side by side, mostly with a sleeve."""
    angle = rng.uniform(0, 2 * np.pi)
    inside = rng.random() < 0.12
    middle = 1.3 * spread * np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-np.sin(angle), np.cos(angle)])
    turn = yaw_turn(angle - np.pi / 2)
    for k in range(mujoco_scene.KNUCKLES):
        if inside:
            at = np.array([*(middle + (k - 2) * 0.018 * across), 0.012])
            scene.place_body(f"knuckle{k}", at, turn)
        else:
            scene.remove_body(f"knuckle{k}", 60 + k)
    _place_sleeve(scene, middle, angle, dressed=inside and bool(rng.random() < 0.7))


def _place_sleeve(scene: MujocoScene, hand: Array, angle: float, *, dressed: bool) -> None:
    """Place a sleeve along the arm, away from the middle of the scene."""
    if not dressed:
        scene.remove_body("sleeve", 70)
        return
    along = quaternion_product(yaw_turn(angle), np.array([1.0, 0, 1.0, 0]))
    out = hand + 0.19 * np.array([np.cos(angle), np.sin(angle)])
    scene.place_body("sleeve", np.array([*out, 0.035]), along)


def render_lit(scene: MujocoScene, rng: Rng, use: Use, softest: int = 4) -> npt.NDArray[np.uint8]:
    """Render under one to three lights and ambient light; half of the pictures have soft shadows.

    Pictures to choose or score on have a low warm light or a cold window. A soft shadow is the mean of several hard
    ones, `softest` of them, with jittered lights.
    """
    lights, ambient = random_lights(rng, use)
    gloss, width = rng.uniform(0, 1.6), rng.uniform(0.03, 0.25)
    exposures: list[npt.NDArray[np.float32]] = []
    for _ in range(1 if rng.random() < 0.5 else softest):
        moved = [_jittered(light, width * bool(exposures), rng) for light in lights]
        scene.set_lights(moved, ambient, gloss)
        exposures.append(scene.render().astype(np.float32))
    return np.mean(exposures, axis=0).astype(np.uint8)


def random_lights(rng: Rng, use: Use) -> tuple[list[SceneLight], float]:
    """Return one to three lights of that use and the level of ambient light, which together expose a picture well."""
    lights = [_random_light(rng, Use.TRAINING if k else use) for k in range(int(rng.integers(1, 4)))]
    total = sum(float(light.colour.mean()) for light in lights)
    ambient = rng.uniform(0.12, 0.5)
    level = rng.uniform(0.55, 1.05) / (total + ambient)
    return [SceneLight(light.position, light.colour * level, light.shadows) for light in lights], ambient * level


def _jittered(light: SceneLight, width: float, rng: Rng) -> SceneLight:
    return SceneLight(light.position * (1 + rng.normal(0, width, 3)), light.colour, light.shadows)


def _random_light(rng: Rng, use: Use) -> SceneLight:
    around = rng.uniform(0, 2 * np.pi)
    height = rng.uniform(*ELEVATIONS[use])
    up, out = np.sin(np.radians(height)), np.cos(np.radians(height))
    place = rng.uniform(0.4, 1.5) * np.array([out * np.cos(around), out * np.sin(around), up])
    warmth = rng.normal(0, 0.12) if use is Use.TRAINING else rng.choice(WARMTHS[use])
    colour = np.clip(np.array([1 + warmth, 1.0, 1 - warmth]), 0.2, 1.6) * rng.uniform(0.3, 1.0)
    return SceneLight(place, colour, bool(rng.random() < 0.75))


def _aim_camera(scene: MujocoScene, rng: Rng, count: int, straight: float) -> Array:
    """Aim the camera at the dice from a random height and return the projection.

    `straight` is the share of pictures tilted by 20 degrees at most.
    """
    centres = [scene.pose(f"die{k}")[0] for k in range(count)]
    near = [c for c in centres if np.linalg.norm(c[:2]) < 0.3]
    target = near[int(rng.integers(len(near)))] if near else np.zeros(3)
    degrees = min(20.0, abs(rng.normal(0, 9))) if rng.random() < straight else rng.uniform(12, 38)
    tilt, around = np.radians(degrees), rng.uniform(0, 2 * np.pi)
    fovy = rng.uniform(18, 55)
    edge_pixels = np.exp(rng.uniform(np.log(20), np.log(120)))
    distance = 0.016 * mujoco_scene.HEIGHT / (edge_pixels * 2 * np.tan(np.radians(fovy) / 2))
    direction = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    middle = np.array([*(target[:2] * rng.uniform(0, 1.1)), 0.0])
    return scene.aim_camera(middle + distance * direction, middle, rng.uniform(0, 2 * np.pi), fovy)


def _true_dice(scene: MujocoScene, chosen: list[DieAtlas], projection: Array) -> tuple[TrueDie, ...]:
    found = [true_die(scene, k, atlas, projection) for k, atlas in enumerate(chosen)]
    shown = [(truth, scene.pose(f"die{k}")[0][2]) for k, truth in enumerate(found) if truth is not None]
    return tuple(_with_occlusion(truth, height, shown) for truth, height in shown)


def true_die(scene: MujocoScene, k: int, atlas: DieAtlas, projection: Array) -> TrueDie | None:
    """Return the ground truth of die k, None if it is not in the picture."""
    centre, turn = scene.pose(f"die{k}")
    side = top_side(turn)
    normal, right, up = (turn @ axis for axis in face_axes(side))
    half = scene.edges[k] / 2
    corners = np.array([centre + half * (normal + a * right + b * up) for a, b in ROUND])
    x, y, edge, turned = square_of(project(projection, corners))
    if not _is_inside((x, y), scene.size, -0.1 * edge) or centre[2] < 0:
        return None
    lean = float(np.degrees(np.arccos(np.clip(normal[2], -1, 1))))
    posture = "cocked" if lean > 7 else "stacked" if centre[2] > 1.35 * half else "flat"
    clear = _is_inside((x, y), scene.size, 0.45 * edge) and lean < 30
    return TrueDie(atlas.faces[side], atlas.drawings[side], x, y, edge, turned, posture, clear, atlas.kind)


def project(projection: Array, points: Array) -> Array:
    """Project points (n, 3) in metres to pixels (n, 2)."""
    image = projection @ np.concatenate([points, np.ones((len(points), 1))], axis=1).T
    return np.asarray((image[:2] / image[2]).T)


def _is_inside(point: tuple[float, float], size: tuple[int, int], margin: float) -> bool:
    return bool(margin < point[0] < size[0] - margin and margin < point[1] < size[1] - margin)


def _with_occlusion(truth: TrueDie, height: float, shown: list[tuple[TrueDie, float]]) -> TrueDie:
    """Return the die, no longer clear if a higher die covers the middle of its top face."""
    for other, its_height in shown:
        close = np.hypot(truth.x - other.x, truth.y - other.y) < 0.8 * truth.edge
        if other is not truth and its_height > height + 0.004 and close:
            return replace(truth, clear=False)
    return truth
