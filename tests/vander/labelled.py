"""Labelled folders to score on, drawn by the virtual tray, which knows what lies on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.scenery import SIZE, scenery
from hardware.simulator.virtual_tray import VirtualTray
from vision.frames import Pixels

EDGE_MM = 16.0
FILM_SIZE = (960, 720)
RATE = 15.0
"""Frames a second of the virtual camera."""


def taken(tray: VirtualTray) -> Pixels:
    """A picture of the tray as it is."""
    camera = VirtualCamera(tray, paced=False, seed=1)
    camera.open()
    frame = camera.frame()
    assert frame is not None
    return frame.pixels


def boxes(tray: VirtualTray) -> list[dict[str, Any]]:
    """A label's dice: the middles of the top faces in pixels, and boxes as large as a die."""
    found = []
    for die in truth(tray).values():
        top = np.array([die.x_mm, die.y_mm, EDGE_MM])
        (x, y), side = tray.lens.project([top])[0], EDGE_MM * tray.lens.scale_at(top)
        place = {"cx": float(x), "cy": float(y), "w": side, "h": side}
        found.append({"face": str(die.face), "kind": str(die.kind), **place})
    return found


def drawn(folder: Path, name: str, die_set: str, seed: int = 1) -> dict[str, Any]:
    """Put a picture of a set's dice into a folder, and give its label."""
    tray = VirtualTray(die_set, seed=seed)
    cv2.imwrite(str(folder / name), taken(tray))
    return {"file": name, "kind": "pip", "view": "top-down", "dice": boxes(tray)}


def drawn_empty(folder: Path, name: str) -> dict[str, Any]:
    """Put a picture of the tray without dice into a folder, and give its label."""
    cv2.imwrite(str(folder / name), scenery(SIZE))
    return {"file": name, "kind": "empty", "view": "top-down", "faces": []}


def write_labels(folder: Path, *rows: dict[str, Any]) -> None:
    """Write a folder's labels.jsonl."""
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def filmed(folder: Path, name: str, seed: int = 1) -> dict[str, Any]:
    """Put a film of one throw of six ordinary dice into a folder, from rest to rest, and give its row of clips.csv."""
    tray = VirtualTray("d6", seed=seed, size=FILM_SIZE)
    camera = VirtualCamera(tray, paced=False, seed=1)
    camera.open()
    film = cv2.VideoWriter(str(folder / name), cv2.VideoWriter.fourcc(*"MJPG"), RATE, FILM_SIZE)
    last, moment = 0, -1
    for number in range(90):
        if number == 10:
            tray.throw([int(die["number"]) for die in tray.dice()])
        frame = camera.frame()
        assert frame is not None
        film.write(frame.pixels)
        last, moment = (number if tray.scene().moment != moment else last), tray.scene().moment
    film.release()
    faces = " ".join(str(die.face) for die in truth(tray).values())
    return {"file": name, "fps": RATE, "last_motion_frame": last, "settled_faces_by_eye": f"end: {faces}"}
