"""Scenes for the rig: dice thrown, dropped, leaned and stacked among clutter under random lamps; and their truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import mujoco
import numpy as np
import numpy.typing as npt

from models import die_sets
from models.synthetic.face_style import Use
from models.training import mujoco_scene as stage
from models.training.camera_emulation import emulate
from models.training.ground_truth import Scene, Truth
from models.training.lens_distortion import Bend
from models.training.mujoco_scene import Array, Lamp, Rig, Rng
from models.training.surfaces import lettered, surface
from models.training.texture_atlas import Atlas

STRAIGHT = 0.7
"""The share of pictures taken from about straight above; the others are taken aslant, as a hand holds a telephone."""
MEDLEY, EMPTY, WHOLE, STACKS, BENT = 0.6, 0.05, 0.6, 0.08, 0.5
"""The shares of training pictures with dice of any kinds; of pictures without dice, with all the dice of their game,
with a die on another, and taken through a lens that bends straight lines."""
HEIGHTS: dict[Use, tuple[float, float]] = {Use.TRAINING: (32, 88), Use.CHOOSING: (24, 31), Use.SCORING: (15, 23)}
"""Degrees above the table at which the first lamp hangs."""
WARMTHS: dict[Use, tuple[float, float]] = {Use.CHOOSING: (0.35, -0.3), Use.SCORING: (0.55, -0.45)}
"""How much redder than blue the first lamp shines where it is no lamp of the training: a candle's light, a window's."""


def scene(rig: Rig, atlases: Sequence[Atlas], rng: Rng, use: Use = Use.TRAINING, looks: bool = False) -> Scene:
    """Dress the rig anew with dice from `atlases` and take one picture.

    A picture to choose or score on shows the dice of one game, seen by a camera over the tray, and with that camera's
    faults; those of the training come on when it takes its parts of a picture. With `looks` the atlases are few, and
    as many of each are out as there is room for.
    """
    trains = use is Use.TRAINING
    if looks:
        game, chosen = "", [atlases[k % len(atlases)] for k in range(stage.DICE)]
    else:
        game = "" if trains and rng.random() < MEDLEY else str(rng.choice(die_sets.names()))
        chosen = [] if rng.random() < EMPTY else _set_out(game, atlases, rng)
    _dress(rig, chosen, rng, use)
    _arrange(rig, len(chosen), rng)
    projection = _aim(rig, rng, len(chosen), STRAIGHT if trains else 1.0)
    bend = float(rng.uniform(-0.14, 0.06)) if rng.random() < BENT else 0.0
    bent = Bend(bend, (stage.WIDTH, stage.HEIGHT))
    picture = bent.picture(_illuminated(rig, rng, use))
    dice = tuple(bent.truth(die) for die in _truths(rig, chosen, projection))
    return Scene(picture if trains else emulate(picture, rng, float(rng.uniform(0.2, 0.8))), dice, game)


def _set_out(game: str, atlases: Sequence[Atlas], rng: Rng) -> list[Atlas]:
    """Some dice or all of a game, or a medley of any."""
    if not game:
        return [atlases[int(rng.integers(len(atlases)))] for _ in range(int(rng.integers(1, stage.DICE + 1)))]
    kinds = [kind.name for kind, count in die_sets.load(game).counts for _ in range(count)]
    rng.shuffle(kinds)
    wanted = kinds if rng.random() < WHOLE else kinds[: int(rng.integers(1, len(kinds) + 1))]
    boxes = [[atlas for atlas in atlases if atlas.kind == kind] for kind in wanted]
    return [box[int(rng.integers(len(box)))] for box in boxes if box]


def _dress(rig: Rig, chosen: Sequence[Atlas], rng: Rng, use: Use) -> None:
    """Paint the surface, the clutter and the dice."""
    rig.paint("floor", surface(stage.FLOOR, rng, use))
    rig.paint("wall", surface(64, rng, use))
    for name, count in (("coin", stage.COINS), ("card", stage.CARDS), ("pencil", stage.PENCILS)):
        for k in range(count):
            rig.paint(f"{name}{k}", lettered(128, rng) if rng.random() < 0.3 else surface(128, rng))
    for k in range(stage.KEYS):
        rig.paint(f"key{k}", lettered(128, rng))
    skin = rng.uniform(90, 245) * np.array([rng.uniform(0.5, 0.75), rng.uniform(0.68, 0.85), 1.0])
    rig.paint("sleeve", surface(128, rng))
    for k in range(stage.KNUCKLES):
        rig.paint(f"knuckle{k}", np.tile(skin, (128, 128, 1)).astype(np.uint8))
    for k, atlas in enumerate(chosen):
        rig.paint(f"die{k}", atlas.pixels)


def _arrange(rig: Rig, count: int, rng: Rng) -> None:
    """Throw the dice and scatter the clutter, let them settle, then tilt a die or two by hand."""
    spread = rng.uniform(0.03, 0.16)
    _build_walls(rig, spread * rng.uniform(0.9, 1.3), rng)
    _scatter_clutter(rig, spread, rng)
    for k in range(stage.DICE):
        if k < count:
            at = np.array([*rng.uniform(-spread, spread, 2), rng.uniform(0.01, 0.07)])
            rig.place(f"die{k}", at, _dropped_turn(rng))
        else:
            rig.put_away(f"die{k}", k)
    rig.settle(0.9)
    for k in range(count):
        if rng.random() < 0.05:
            _tilt(rig, k, rng)
    if count > 1 and rng.random() < STACKS:
        lower, upper = (int(k) for k in rng.permutation(count)[:2])
        _stack(rig, lower, upper, rng)


def _dropped_turn(rng: Rng) -> Array:
    """Half of the dice are dropped any way up, the others flat, so that touching rows and squares come about."""
    if rng.random() < 0.5:
        return rng.normal(size=4)
    half = rng.uniform(0, np.pi)
    tipped = [
        np.array([1.0, 0, 0, 0]),
        np.array([1.0, 1, 0, 0]),
        np.array([0.0, 1, 0, 0]),
        np.array([1.0, -1, 0, 0]),
        np.array([1.0, 0, 1, 0]),
        np.array([1.0, 0, -1, 0]),
    ][int(rng.integers(6))]
    return _times(np.array([np.cos(half), 0, 0, np.sin(half)]), tipped)


def _times(p: Array, q: Array) -> Array:
    """The quaternion that turns by q, then by p."""
    w = p[0] * q[0] - p[1:] @ q[1:]
    return np.concatenate([[w], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])])


def _tilt(rig: Rig, k: int, rng: Rng) -> None:
    """Lean a settled die, as if something small lay under one edge."""
    place, turn = rig.pose(f"die{k}")
    axis = np.array([*rng.normal(size=2), 0.0])
    half = np.radians(rng.uniform(14, 42)) / 2
    lean = np.concatenate([[np.cos(half)], np.sin(half) * axis / np.linalg.norm(axis)])
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, turn.ravel())
    rig.place(f"die{k}", place + np.array([0, 0, 0.25 * rig.edges[k]]), _times(lean, quaternion))


def _stack(rig: Rig, lower: int, upper: int, rng: Rng) -> None:
    """Lay a die on top of another, turned anyhow but flat."""
    place, _ = rig.pose(f"die{lower}")
    height = (rig.edges[lower] + rig.edges[upper]) / 2
    aside = rng.normal(0, 0.12, 2) * rig.edges[lower]
    half = rng.uniform(0, np.pi)
    rig.place(f"die{upper}", place + np.array([*aside, height]), np.array([np.cos(half), 0, 0, np.sin(half)]))


def _build_walls(rig: Rig, reach: float, rng: Rng) -> None:
    """A tray's walls at `reach`, or none."""
    away = stage.AWAY if rng.random() < 0.5 else 0.0
    offset = reach + 0.02
    for k, place in enumerate(([0, offset], [0, -offset], [offset, 0], [-offset, 0])):
        rig.state.mocap_pos[k] = [place[0] + away, place[1], rng.uniform(-0.01, 0.012)]


def _scatter_clutter(rig: Rig, spread: float, rng: Rng) -> None:
    share = rng.choice([0.0, 0.15, 0.5])
    things = [("coin", stage.COINS), ("card", stage.CARDS), ("pencil", stage.PENCILS)]
    for name, count in things:
        for k in range(count):
            if rng.random() < share:
                at = np.array([*rng.uniform(-1.6 * spread, 1.6 * spread, 2), 0.004])
                half = rng.uniform(0, np.pi)
                tipped = np.array([1.0, 1, 0, 0]) if name == "pencil" else np.array([1.0, 0, 0, 0])
                rig.place(f"{name}{k}", at, _times(np.array([np.cos(half), 0, 0, np.sin(half)]), tipped))
            else:
                rig.put_away(f"{name}{k}", 20 + k + 5 * len(name))
    _lay_keys(rig, spread, rng)
    _reach_in(rig, spread, rng)


def _lay_keys(rig: Rig, spread: float, rng: Rng) -> None:
    """Now and then lettered tiles lie about, or side by side as the keys of a keyboard do."""
    how = rng.choice(["none", "strewn", "rows"], p=[0.6, 0.2, 0.2])
    corner, angle = rng.uniform(-spread, spread, 2), rng.uniform(0, np.pi)
    turn = np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)])
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    for k in range(stage.KEYS):
        row = corner + 0.024 * ((k % 4) * along + (k // 4) * across)
        strewn = rng.uniform(-1.4 * spread, 1.4 * spread, 2)
        if how == "none":
            rig.put_away(f"key{k}", 80 + k)
        else:
            rig.place(f"key{k}", np.array([*(row if how == "rows" else strewn), 0.008]), turn)


def _reach_in(rig: Rig, spread: float, rng: Rng) -> None:
    """Now and then a hand lies at the edge of the scene: five fingers side by side, and mostly a sleeve behind."""
    angle = rng.uniform(0, 2 * np.pi)
    inside = rng.random() < 0.12
    middle = 1.3 * spread * np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-np.sin(angle), np.cos(angle)])
    turn = np.array([np.cos((angle - np.pi / 2) / 2), 0, 0, np.sin((angle - np.pi / 2) / 2)])
    for k in range(stage.KNUCKLES):
        if inside:
            at = np.array([*(middle + (k - 2) * 0.018 * across), 0.012])
            rig.place(f"knuckle{k}", at, turn)
        else:
            rig.put_away(f"knuckle{k}", 60 + k)
    _lay_sleeve(rig, middle, angle, dressed=inside and bool(rng.random() < 0.7))


def _lay_sleeve(rig: Rig, hand: Array, angle: float, *, dressed: bool) -> None:
    """A sleeve lies along the arm, away from the middle of the scene."""
    if not dressed:
        rig.put_away("sleeve", 70)
        return
    along = _times(np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)]), np.array([1.0, 0, 1.0, 0]))
    out = hand + 0.19 * np.array([np.cos(angle), np.sin(angle)])
    rig.place("sleeve", np.array([*out, 0.035]), along)


def _illuminated(rig: Rig, rng: Rng, use: Use) -> npt.NDArray[np.uint8]:
    """The picture under one to three lamps and some light from everywhere; half the scenes have soft shadows.

    Scenes to choose or score on have a low warm lamp or a cold window. A soft shadow is the mean of several hard
    ones, the lamps a little elsewhere for each.
    """
    lamps = [_lamp(rng, Use.TRAINING if k else use) for k in range(int(rng.integers(1, 4)))]
    total = sum(float(lamp.colour.mean()) for lamp in lamps)
    ambient = rng.uniform(0.12, 0.5)
    level = rng.uniform(0.55, 1.05) / (total + ambient)
    lamps = [Lamp(lamp.place, lamp.colour * level, lamp.shadows) for lamp in lamps]
    gloss, width = rng.uniform(0, 1.6), rng.uniform(0.03, 0.25)
    takes: list[npt.NDArray[np.float32]] = []
    for _ in range(1 if rng.random() < 0.5 else 4):
        moved = [_swung(lamp, width * bool(takes), rng) for lamp in lamps]
        rig.light(moved, ambient * level, gloss)
        takes.append(rig.picture().astype(np.float32))
    return np.mean(takes, axis=0).astype(np.uint8)


def _swung(lamp: Lamp, width: float, rng: Rng) -> Lamp:
    """The lamp a little elsewhere."""
    return Lamp(lamp.place * (1 + rng.normal(0, width, 3)), lamp.colour, lamp.shadows)


def _lamp(rng: Rng, use: Use) -> Lamp:
    around = rng.uniform(0, 2 * np.pi)
    height = rng.uniform(*HEIGHTS[use])
    up, out = np.sin(np.radians(height)), np.cos(np.radians(height))
    place = rng.uniform(0.4, 1.5) * np.array([out * np.cos(around), out * np.sin(around), up])
    warmth = rng.normal(0, 0.12) if use is Use.TRAINING else rng.choice(WARMTHS[use])
    colour = np.clip(np.array([1 + warmth, 1.0, 1 - warmth]), 0.2, 1.6) * rng.uniform(0.3, 1.0)
    return Lamp(place, colour, bool(rng.random() < 0.75))


def _aim(rig: Rig, rng: Rng, count: int, straight: float) -> Array:
    """Look down on the dice from a random height; `straight` is the share tilted by 20 degrees at most.

    Returns the projection.
    """
    centres = [rig.pose(f"die{k}")[0] for k in range(count)]
    near = [c for c in centres if np.linalg.norm(c[:2]) < 0.3]
    target = near[int(rng.integers(len(near)))] if near else np.zeros(3)
    degrees = min(20.0, abs(rng.normal(0, 9))) if rng.random() < straight else rng.uniform(12, 38)
    tilt, around = np.radians(degrees), rng.uniform(0, 2 * np.pi)
    fovy = rng.uniform(18, 55)
    edge_pixels = np.exp(rng.uniform(np.log(20), np.log(120)))
    distance = 0.016 * stage.HEIGHT / (edge_pixels * 2 * np.tan(np.radians(fovy) / 2))
    direction = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    middle = np.array([*(target[:2] * rng.uniform(0, 1.1)), 0.0])
    return rig.look(middle + distance * direction, middle, rng.uniform(0, 2 * np.pi), fovy)


def _truths(rig: Rig, chosen: list[Atlas], projection: Array) -> tuple[Truth, ...]:
    found = [_truth(rig, k, atlas, projection) for k, atlas in enumerate(chosen)]
    shown = [(truth, rig.pose(f"die{k}")[0][2]) for k, truth in enumerate(found) if truth is not None]
    return tuple(_with_hiding(truth, height, shown) for truth, height in shown)


def _truth(rig: Rig, k: int, atlas: Atlas, projection: Array) -> Truth | None:
    """The truth of die k, or None when it is not in the picture."""
    centre, turn = rig.pose(f"die{k}")
    side = int(np.argmax([turn[2] @ stage.face_axes(n)[0] for n in range(6)]))
    normal, right, up = (turn @ axis for axis in stage.face_axes(side))
    half = rig.edges[k] / 2
    corners = np.array([centre + half * (normal + a * right + b * up) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    flat = _project(projection, corners)
    middle, edges = flat.mean(0), np.roll(flat, -1, 0) - flat
    edge = float(np.linalg.norm(edges, axis=1).mean())
    if not _within(middle, -0.1 * edge) or centre[2] < 0:
        return None
    turned = float(np.degrees(np.arctan2(edges[0, 1], edges[0, 0])) % 90)
    lean = float(np.degrees(np.arccos(np.clip(normal[2], -1, 1))))
    posture = "cocked" if lean > 7 else "stacked" if centre[2] > 1.35 * half else "flat"
    clear = _within(middle, 0.45 * edge) and lean < 30
    x, y = float(middle[0]), float(middle[1])
    return Truth(atlas.faces[side], atlas.drawings[side], x, y, edge, turned, posture, clear, atlas.kind)


def _project(projection: Array, points: Array) -> Array:
    """Points (n, 3) in metres to pixels (n, 2)."""
    image = projection @ np.concatenate([points, np.ones((len(points), 1))], axis=1).T
    return np.asarray((image[:2] / image[2]).T)


def _within(point: Array, margin: float) -> bool:
    return bool(margin < point[0] < stage.WIDTH - margin and margin < point[1] < stage.HEIGHT - margin)


def _with_hiding(truth: Truth, height: float, shown: list[tuple[Truth, float]]) -> Truth:
    """Not clear when a higher die covers the middle of its top face."""
    for other, its_height in shown:
        close = np.hypot(truth.x - other.x, truth.y - other.y) < 0.8 * truth.edge
        if other is not truth and its_height > height + 0.004 and close:
            return replace(truth, clear=False)
    return truth


def outline(picture: npt.NDArray[np.uint8], dice: Sequence[Truth]) -> npt.NDArray[np.uint8]:
    """A copy of the picture with every die's top face and name drawn on it, for a person to check."""
    shown = picture.copy()
    for die in dice:
        box = cv2.boxPoints(((die.x, die.y), (die.edge, die.edge), die.turned_degrees)).astype(np.int32)
        colour = (0, 255, 0) if die.clear and die.posture == "flat" else (0, 0, 255)
        cv2.polylines(shown, [box], True, colour, 1, cv2.LINE_AA)
        cv2.putText(shown, die.face, (int(die.x - 20), int(die.y - die.edge * 0.7)), 0, 0.4, colour, 1, cv2.LINE_AA)
    return shown
