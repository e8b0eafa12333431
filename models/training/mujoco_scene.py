"""MuJoCo: a scene for training pictures with dice, clutter and a tray, and dice that fall without being rendered.

A scene is compiled once; each picture changes its poses, textures, lights and camera. Lengths are metres; z is up, y
points away from the camera's lower edge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
import numpy.typing as npt

from models.training.lying_dice import Array, Rng, Solid, die_surface
from models.training.texture_atlas import TILE

DICE = 12
COINS, CARDS, PENCILS, KNUCKLES, KEYS = 4, 3, 2, 5, 12
FLOOR_PX = 1024
"""Side of the floor's texture."""
WIDTH, HEIGHT = 768, 576
PARKED_M = 6.0
"""Coordinate of bodies that a picture does not use, out of view."""


@dataclass(frozen=True)
class SceneLight:
    """One light of a scene: position in metres, RGB colour (0 to 1 each), and whether it casts shadows."""

    position: Array
    colour: Array
    shadows: bool


@dataclass(frozen=True)
class RenderQuality:
    """Size of a scene's pictures (width, height), samples a pixel, and the side of a light's shadow map."""

    size: tuple[int, int] = (WIDTH, HEIGHT)
    samples: int = 4
    shadow_px: int = 2048


class MujocoScene:
    """A compiled scene. Not for several threads: it owns an OpenGL context.

    edges: the dice's edges in metres; twelve random ones between 13.6 and 18.4 mm unless they are given. capsules:
    names of capsules that are there in place of the clutter, as the parts of a hand that moves.
    """

    def __init__(
        self, rng: Rng, edges: Array | None = None, quality: RenderQuality | None = None, capsules: Sequence[str] = ()
    ) -> None:
        self.edges = 0.016 * rng.uniform(0.85, 1.15, DICE) if edges is None else edges
        quality = quality or RenderQuality()
        self.size = quality.size
        self.model = _compile(rng, self.edges, quality, capsules)
        self.state = mujoco.MjData(self.model)
        self._gl = mujoco.GLContext(*self.size)
        self._gl.make_current()
        self._context = mujoco.MjrContext(self.model, mujoco.mjtFontScale.mjFONTSCALE_100)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        self._scene = mujoco.MjvScene(self.model, maxgeom=200)
        self._option = mujoco.MjvOption()
        self._option.geomgroup[3] = 0
        self._camera = mujoco.MjvCamera()
        self._camera.type, self._camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0

    def close(self) -> None:
        """Free the OpenGL context."""
        self._context.free()
        self._gl.free()

    def set_texture(self, texture: str, picture: npt.NDArray[np.uint8]) -> None:
        """Replace a texture by a picture (uint8, BGR) of its size."""
        number = self.model.texture(texture).id
        start = self.model.tex_adr[number]
        rgb = np.ascontiguousarray(picture[::-1, :, ::-1])
        self.model.tex_data[start : start + rgb.size] = rgb.ravel()
        mujoco.mjr_uploadTexture(self.model, self._context, number)

    def place_body(self, body: str, at: Array, turn: Array) -> None:
        """Move a body to a position with a quaternion (w, x, y, z)."""
        joint = self.model.body(body).jntadr[0]
        start = self.model.jnt_qposadr[joint]
        self.state.qpos[start : start + 7] = np.concatenate([at, turn / np.linalg.norm(turn)])

    def remove_body(self, body: str, index: int) -> None:
        """Move a body out of view."""
        self.place_body(body, np.array([PARKED_M + 0.2 * index, PARKED_M, 0.02]), np.array([1.0, 0, 0, 0]))

    def place_capsule(self, name: str, start: Array, end: Array, radius: float) -> None:
        """Let a capsule reach from one point to another."""
        along = end - start
        turn = np.zeros(4)
        mujoco.mju_quatZ2Vec(turn, along / np.linalg.norm(along))
        self.place_body(name, (start + end) / 2, turn)
        self.model.geom_size[self.model.body(name).geomadr[0]] = radius, np.linalg.norm(along) / 2, 0.0

    def settle(self, seconds: float) -> None:
        """Simulate so many seconds from rest."""
        self.state.qvel[:] = 0
        for _ in range(round(seconds / self.model.opt.timestep)):
            mujoco.mj_step(self.model, self.state)

    def set_lights(self, lights: list[SceneLight], ambient: float, gloss: float) -> None:
        """Set at most three lights; `ambient` and `gloss` are levels from 0."""
        for number in range(3):
            self.model.light_active[number] = number < len(lights)
        for number, light in enumerate(lights):
            self.model.light_pos[number] = light.position
            self.model.light_dir[number] = -light.position / np.linalg.norm(light.position)
            self.model.light_diffuse[number] = light.colour
            self.model.light_specular[number] = gloss * light.colour
            self.model.light_castshadow[number] = light.shadows
        self.model.vis.headlight.ambient[:] = ambient

    def aim_camera(self, place: Array, target: Array, roll: float, fovy_degrees: float) -> Array:
        """Aim the camera and return the projection, (3, 4), from metres to pixels of its picture."""
        back = (place - target) / np.linalg.norm(place - target)
        side = np.cross([-np.sin(roll), np.cos(roll), 0.0], back)
        side /= np.linalg.norm(side)
        axes = np.stack([side, np.cross(back, side), back], axis=1)
        turn = quaternion_of(axes)
        self.model.cam_pos[0], self.model.cam_quat[0], self.model.cam_fovy[0] = place, turn, fovy_degrees
        width, height = self.size
        focal = height / 2 / np.tan(np.radians(fovy_degrees) / 2)
        inner = np.array([[focal, 0, -width / 2], [0, -focal, -height / 2], [0, 0, -1]])
        return inner @ np.concatenate([axes.T, -(axes.T @ place)[:, None]], axis=1)

    def update(self) -> None:
        """Let bodies be where they were placed, as far as that is not simulated."""
        mujoco.mj_kinematics(self.model, self.state)

    def render(self) -> npt.NDArray[np.uint8]:
        """Return the camera's picture: uint8, (height, width, 3), BGR."""
        mujoco.mj_forward(self.model, self.state)
        mujoco.mjv_updateScene(
            self.model, self.state, self._option, None, self._camera, mujoco.mjtCatBit.mjCAT_ALL, self._scene
        )
        rgb = np.empty((self.size[1], self.size[0], 3), np.uint8)
        whole = mujoco.MjrRect(0, 0, *self.size)
        mujoco.mjr_render(whole, self._scene, self._context)
        mujoco.mjr_readPixels(rgb, None, whole, self._context)
        return np.ascontiguousarray(rgb[::-1, :, ::-1])

    def pose(self, body: str) -> tuple[Array, Array]:
        """Return a body's centre and rotation matrix."""
        found = self.state.body(body)
        return found.xpos.copy(), found.xmat.reshape(3, 3).copy()


def _compile(rng: Rng, edges: Array, quality: RenderQuality, capsules: Sequence[str]) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    spec.visual.global_.offwidth, spec.visual.global_.offheight = quality.size
    spec.visual.quality.shadowsize, spec.visual.quality.offsamples = quality.shadow_px, quality.samples
    spec.visual.map.znear, spec.visual.map.zfar = 0.01, 30.0
    spec.option.timestep = 0.0025
    _add_floor(spec)
    for k, edge in enumerate(edges):
        _add_die(spec, k, edge, rng)
    for name in capsules:
        _add_thing(spec, name, mujoco.mjtGeom.mjGEOM_CAPSULE, [0.01, 0.01, 0], rng)
    if not capsules:
        _add_clutter(spec, rng)
    for k in range(3):
        spec.worldbody.add_light(name=f"lamp{k}", pos=[0, 0, 1], dir=[0, 0, -1], cutoff=90, exponent=0)
    spec.worldbody.add_camera(name="camera", pos=[0, 0, 0.5], fovy=40)
    return spec.compile()


def _material(spec: mujoco.MjSpec, name: str, width: int, height: int, rng: Rng | None = None) -> str:
    texture = spec.add_texture(name=name, type=mujoco.mjtTexture.mjTEXTURE_2D, width=width, height=height, nchannel=3)
    texture.data = bytes(width * height * 3)
    gloss = (0.0, 0.0) if rng is None else (rng.uniform(0, 0.9), rng.uniform(0.05, 0.9))
    material = spec.add_material(name=name, specular=gloss[0], shininess=gloss[1])
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = name
    return name


def _add_floor(spec: mujoco.MjSpec) -> None:
    material = _material(spec, "floor", FLOOR_PX, FLOOR_PX)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0.5, 0.5, 0.1], material=material)
    wall = _material(spec, "wall", 64, 64)
    for k in range(4):
        body = spec.worldbody.add_body(name=f"wall{k}", mocap=True)
        size = [0.4, 0.005, 0.02] if k < 2 else [0.005, 0.4, 0.02]
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=size, material=wall)


def _add_die(spec: mujoco.MjSpec, k: int, edge: float, rng: Rng) -> None:
    shape = die_surface(rng.uniform(0.06, 0.42))
    triangles = np.concatenate([shape.quads[:, :3], shape.quads[:, [0, 2, 3]]])
    spec.add_mesh(
        name=f"die{k}",
        uservert=(shape.vertices * edge / 2).ravel(),
        usertexcoord=shape.places.ravel(),
        userface=triangles.ravel(),
        userfacetexcoord=triangles.ravel(),
    )
    material = _material(spec, f"die{k}", 3 * TILE, 2 * TILE, rng)
    body = spec.worldbody.add_body(name=f"die{k}")
    body.add_freejoint()
    half = [0.97 * edge / 2] * 3
    friction = [rng.uniform(0.2, 1.2), 0.005, 0.0001]
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=half, mass=0.004, group=3, friction=friction)
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"die{k}", material=material, contype=0, conaffinity=0, mass=0
    )


def _add_clutter(spec: mujoco.MjSpec, rng: Rng) -> None:
    cylinder, box, capsule, ellipsoid = (
        mujoco.mjtGeom.mjGEOM_CYLINDER,
        mujoco.mjtGeom.mjGEOM_BOX,
        mujoco.mjtGeom.mjGEOM_CAPSULE,
        mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    )
    for k in range(COINS):
        _add_thing(spec, f"coin{k}", cylinder, [rng.uniform(0.006, 0.015), rng.uniform(0.0008, 0.003), 0], rng)
    for k in range(CARDS):
        _add_thing(spec, f"card{k}", box, [*rng.uniform(0.008, 0.04, 2), rng.uniform(0.0004, 0.008)], rng)
    for k in range(PENCILS):
        _add_thing(spec, f"pencil{k}", capsule, [rng.uniform(0.003, 0.006), rng.uniform(0.03, 0.08), 0], rng)
    key = [*rng.uniform(0.006, 0.011, 2), rng.uniform(0.0005, 0.006)]
    for k in range(KEYS):
        _add_thing(spec, f"key{k}", box, key, rng)
    for k in range(KNUCKLES):
        _add_thing(spec, f"knuckle{k}", ellipsoid, [0.009, rng.uniform(0.02, 0.06), 0.009], rng)
    _add_thing(spec, "sleeve", capsule, [rng.uniform(0.03, 0.045), 0.12, 0], rng)


def _add_thing(spec: mujoco.MjSpec, name: str, shape: mujoco.mjtGeom, size: list[float], rng: Rng) -> None:
    material = _material(spec, name, 128, 128, rng)
    body = spec.worldbody.add_body(name=name)
    body.add_freejoint()
    body.add_geom(type=shape, size=size, material=material, mass=0.01)


# Dice that fall, tumble and push each other between walls. Lengths are metres, z is up


DIE_KG = 0.004
NO_MOTION = np.zeros(3)


LIVELY, CALM = (0.35, 0.7), (0.65, 0.9)
"""Ranges of the damping of contacts. Dice of a lively one jump more, and creep by up to 2 mm a second when at rest."""


def random_bounce(rng: Rng, damping: tuple[float, float] = LIVELY) -> dict[str, list[float]]:
    """Return how springy and how rough dice, floor and walls are."""
    return {
        "solref": [0.004, float(rng.uniform(*damping))],
        "friction": [float(rng.uniform(0.25, 0.7)), 0.005, 1e-4],
    }


def rotation_of(quaternion: Array) -> Array:
    """Return the rotation (3, 3) of a quaternion (w, x, y, z) of any length."""
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, quaternion / np.linalg.norm(quaternion))
    return turn.reshape(3, 3)


def quaternion_of(turn: Array) -> Array:
    """Return the unit quaternion (w, x, y, z) of a rotation (3, 3)."""
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, turn.ravel())
    return quaternion


class DiceWorld:
    """So many dice of one edge, all at the origin until they are placed."""

    def __init__(
        self, edge: float, count: int, walls: Sequence[Solid], bounce: Mapping[str, list[float]], step_seconds: float
    ) -> None:
        box = mujoco.mjtGeom.mjGEOM_BOX
        spec = mujoco.MjSpec()
        spec.option.timestep = step_seconds
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[3, 3, 0.1], **bounce)
        for wall in walls:
            spec.worldbody.add_geom(type=box, size=wall.half, pos=wall.centre, quat=quaternion_of(wall.turn), **bounce)
        for _ in range(count):
            body = spec.worldbody.add_body()
            body.add_freejoint()
            body.add_geom(type=box, size=[edge / 2] * 3, mass=DIE_KG, **bounce)
        self._model = spec.compile()
        self._state = mujoco.MjData(self._model)

    def place(self, k: int, centre: Array, turn: Array, speed: Array = NO_MOTION, spin: Array = NO_MOTION) -> None:
        """Put die k somewhere with a rotation (3, 3), a speed (m/s) and a spin (radians a second, in its own axes)."""
        self._state.qpos[7 * k : 7 * k + 7] = *centre, *quaternion_of(turn)
        self._state.qvel[6 * k : 6 * k + 6] = *speed, *spin

    def step(self, steps: int = 1) -> None:
        """Let so many steps of time pass."""
        mujoco.mj_step(self._model, self._state, steps)

    @property
    def centres(self) -> Array:
        """Return where the dice are, (dice, 3)."""
        return self._state.qpos.reshape(-1, 7)[:, :3].copy()

    @property
    def turns(self) -> Array:
        """Return how the dice are rotated, (dice, 3, 3)."""
        return np.array([rotation_of(quaternion) for quaternion in self._state.qpos.reshape(-1, 7)[:, 3:]])

    @property
    def is_at_rest(self) -> bool:
        """True if no die moves by 3 mm or turns by a fifth of a radian in a second."""
        moved = np.abs(self._state.qvel.reshape(-1, 6))
        return bool(moved[:, :3].max(initial=0.0) < 0.003 and moved[:, 3:].max(initial=0.0) < 0.2)
