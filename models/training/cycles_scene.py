"""A scene for Blender's Cycles, and the process that renders it.

Blender's `bpy` has an environment of its own (`make cycles`), since it wants NumPy 1 and is under the GPL; it gets
descriptions and gives pictures. Lengths are millimetres; z is up; x and y are those of the table, y away from its
lower edge; colours are linear RGB.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.lying_dice import Array, DieSurface, Solid

SCRIPT = Path(__file__).parent / "blender_script.py"
PYTHON = Path(os.environ.get("CYCLES_PYTHON", Path(__file__).parents[2] / ".venv-cycles" / "bin" / "python"))
"""The Python that has `bpy`."""

LIGHT = "light.npy"
"""The file that a rendered picture is handed over in."""

Colour = tuple[float, float, float]
Picture = npt.NDArray[np.uint8]
Light = npt.NDArray[np.float32]


class NoBlender(RuntimeError):
    """There is no Python with Blender's `bpy`, or it ended; the message says what to do."""


@dataclass(frozen=True)
class Finish:
    """What a surface is made of.

    inputs: of Blender's Principled BSDF by name. bump_mm: depth of the relief that the picture's brightness is taken
    for. clearness: share of light that goes through where nothing is printed. colour: where there is no picture.
    """

    inputs: Mapping[str, float] = field(default_factory=dict)
    bump_mm: float = 0.0
    clearness: float = 0.0
    colour: Colour = (0.5, 0.5, 0.5)


@dataclass(frozen=True, eq=False)
class SceneCamera:
    """A pinhole camera: where it is, its axes as rows (right, up, back), its horizontal angle, its picture's size."""

    place: Array
    axes: Array
    view_degrees: float
    size: tuple[int, int]

    @property
    def projection(self) -> Array:
        """Return the matrix (3, 4) from millimetres to pixels, whose whole numbers are the middles of pixels."""
        width, height = self.size
        focal = width / 2 / np.tan(np.radians(self.view_degrees) / 2)
        inner = np.array([[focal, 0, -(width - 1) / 2], [0, -focal, -(height - 1) / 2], [0, 0, -1]])
        return np.asarray(inner @ np.column_stack([self.axes, -self.axes @ self.place]))

    def project(self, points: Array) -> Array:
        """Project points (n, 3) to pixels (n, 2)."""
        image = self.projection @ np.column_stack([points, np.ones(len(points))]).T
        return np.asarray((image[:2] / image[2]).T)


@dataclass(frozen=True, eq=False)
class AreaLight:
    """A rectangle or an ellipse that shines at a target, where it gives `irradiance`."""

    place: Array
    target: Array
    size: tuple[float, float]
    irradiance: float
    colour: Colour
    round: bool


@dataclass(frozen=True, eq=False)
class Box:
    """A box or an upright cylinder with a texture (uint8, BGR), of which one `tile` is so many millimetres wide."""

    solid: Solid
    texture: Picture
    tile: tuple[float, float]
    finish: Finish = Finish()
    bevel: float = 0.0


@dataclass(frozen=True, eq=False)
class Capsule:
    """A rounded rod between two points, such as a finger."""

    start: Array
    end: Array
    radius: float
    finish: Finish


@dataclass(frozen=True, eq=False)
class CyclesDie:
    """A die: where it lies, its surface, its atlas (uint8, BGR and the share of ink) and what it is made of."""

    solid: Solid
    surface: DieSurface
    atlas: Picture
    finish: Finish


@dataclass(frozen=True, eq=False)
class CyclesScene:
    """All that a picture shows. sky: float32, (height, width, 3), BGR, an equirectangular picture of the room."""

    camera: SceneCamera
    sky: Light
    sky_strength: float
    lamps: Sequence[AreaLight]
    boxes: Sequence[Box]
    dice: Sequence[CyclesDie]
    capsules: Sequence[Capsule] = ()
    samples: int = 3
    seed: int = 0


class CyclesRenderer:
    """A Blender process that renders one scene after the other. Raises NoBlender where there is none."""

    def __init__(self, threads: int = 1, log: Path | None = None) -> None:
        if not PYTHON.exists():
            raise NoBlender(f"there is no Python with bpy at {PYTHON}; `make cycles` installs it")
        self.cpu_seconds = 0.0
        self._folder = TemporaryDirectory(prefix="cycles-")
        with (log or Path(os.devnull)).open("a") as told:
            self._process = subprocess.Popen(  # noqa: S603 - our own script
                [PYTHON, "-P", SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=told,
                text=True,
                env={**os.environ, "CYCLES_THREADS": str(threads)},
            )

    def __enter__(self) -> CyclesRenderer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._process.communicate()
        self._folder.cleanup()

    def render(self, scene: CyclesScene) -> Light:
        """Return the light that the camera sees: float32, (height, width, 3), BGR, linear; white is 1."""
        folder = Path(self._folder.name)
        told = json.dumps(described(scene, folder))
        try:
            assert self._process.stdin is not None and self._process.stdout is not None  # noqa: S101, PT018 - pipes
            print(told, file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise NoBlender("the Blender process ended; its log says why")
        self.cpu_seconds = float(json.loads(answer)["cpu_seconds"])
        return np.asarray(np.load(folder / LIGHT)[..., ::-1], np.float32)


def described(scene: CyclesScene, folder: Path) -> dict[str, Any]:
    """Return a scene as JSON for the script; its textures and surfaces are written into a folder."""
    textures = _Textures(folder)
    cv2.imwrite(str(folder / "sky.hdr"), scene.sky)
    surfaces = list({id(die.surface): die.surface for die in scene.dice}.values())
    arrays = {
        f"{part}{k}": getattr(surface, part)
        for k, surface in enumerate(surfaces)
        for part in ("vertices", "places", "quads")
    }
    np.savez(folder / "meshes.npz", allow_pickle=False, **arrays)
    numbers = {id(surface): k for k, surface in enumerate(surfaces)}
    return {
        "picture": str(folder / LIGHT),
        "meshes": str(folder / "meshes.npz"),
        "size": scene.camera.size,
        "samples": scene.samples,
        "seed": scene.seed,
        "camera": {
            "place": scene.camera.place.tolist(),
            "axes": scene.camera.axes.tolist(),
            "view_degrees": scene.camera.view_degrees,
        },
        "sky": {"picture": str(folder / "sky.hdr"), "strength": scene.sky_strength},
        "lamps": [{**asdict(one), "place": one.place.tolist(), "target": one.target.tolist()} for one in scene.lamps],
        "boxes": [
            {
                **_placed(box.solid),
                "round": box.solid.round,
                "tile": box.tile,
                "bevel": box.bevel,
                "picture": textures.file_of(box.texture),
                "finish": asdict(box.finish),
            }
            for box in scene.boxes
        ],
        "capsules": [
            {
                "from": one.start.tolist(),
                "to": one.end.tolist(),
                "radius": one.radius,
                "picture": "",
                "finish": asdict(one.finish),
            }
            for one in scene.capsules
        ],
        "dice": [
            {
                **_placed(die.solid),
                "edge": float(2 * die.solid.half[0]),
                "mesh": numbers[id(die.surface)],
                "picture": textures.file_of(die.atlas),
                "finish": asdict(die.finish),
            }
            for die in scene.dice
        ],
    }


def _placed(solid: Solid) -> dict[str, Any]:
    return {"centre": solid.centre.tolist(), "turn": solid.turn.tolist(), "size": (2 * solid.half).tolist()}


class _Textures:
    """The textures of a scene, each written once."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._files = folder, dict[int, str]()

    def file_of(self, picture: Picture) -> str:
        if id(picture) not in self._files:
            file = self._folder / f"texture{len(self._files)}.png"
            cv2.imwrite(str(file), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            self._files[id(picture)] = str(file)
        return self._files[id(picture)]
