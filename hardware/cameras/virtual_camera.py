"""`virtual`: a camera over the virtual tray. `virtual:rollers` puts out other dice, `virtual:strange` some of no game.

It paints what lies on the tray and adds what a sensor adds: blur, noise and a varying exposure.
"""

from __future__ import annotations

import time

import cv2
import numpy as np

from hardware.cameras.base import Camera, CameraLost, NoSuchCamera
from hardware.simulator.hands import paint_hand, paint_hands, prepare_hands
from hardware.simulator.scenery import LIGHT, scenery
from hardware.simulator.tray_dice import face_art
from hardware.simulator.virtual_tray import CameraTrouble, SceneDie, TrayScene, VirtualTray
from models.die_sets import NoSuchDieSet
from models.synthetic.die_renderer import Pose, SolidDie, emulate_sensor, paint_dice
from referee.sentences import message_of, say
from vision.frames import Frame, Pixels

RATE = 20.0
"""Frames a second of real time. Three pictures take 0.1 s then, the time after which a still table may have settled."""
UNPACED_RATE = 15.0
"""Frames a second of a film that is played as fast as it is read: of a slow camera, the harder case."""
NOISE = 2.4
"""Standard deviation of the sensor's noise, in grey levels."""
SOFTNESS = 0.6
"""Standard deviation, in pixels, of the lens's blur."""
FLICKER = 0.006
"""Standard deviation of the exposure from frame to frame, as a share of it."""
COVERED = 5.0
"""Grey level, 0 to 255, that a covered lens still lets through."""
UNPLUGGED_STEP = 0.5
"""Seconds of the tray's time that pass with each attempt to open the camera while it is unplugged."""
GLOSS = 0.35
"""Gloss of the dice, from 0 (matt) to 1 (wet)."""


def camera(place: str) -> VirtualCamera:
    """Return a camera over a new virtual tray with the dice of that set. Raises NoSuchCamera for an unknown set."""
    try:
        return VirtualCamera(VirtualTray(place or "intersection"))
    except NoSuchDieSet as error:
        raise NoSuchCamera(
            say("the virtual tray cannot put out {place}: {cause}", place=repr(place), cause=message_of(error))
        ) from error


class VirtualCamera(Camera):
    """A camera over a virtual tray.

    paced: keep to real time. Otherwise each frame that is asked for is the next tick.
    rate: frames a second; None for RATE if paced, else UNPACED_RATE.
    seed: of the sensor's noise. A seeded camera over a seeded tray gives the same frames whenever the same is done
        between them.
    """

    def __init__(
        self, tray: VirtualTray, paced: bool = True, seed: int | None = None, rate: float | None = None
    ) -> None:
        self.name = "virtual"
        self._tray = tray
        self._rate = rate or (RATE if paced else UNPACED_RATE)
        self._paced = paced
        self._sensor = np.random.default_rng(seed)
        self._open = False
        self._number = 0
        self._taken_at = self._due = 0.0
        self._moment = -1
        self._painted: Pixels = scenery(tray.size, tray.felt)
        self._last: Pixels = self._painted

    @property
    def simulator(self) -> VirtualTray:
        return self._tray

    def open(self) -> None:
        """Start. Raises NoSuchCamera while it is unplugged."""
        if self._tray.scene().trouble is CameraTrouble.UNPLUGGED:
            # Nobody asks for frames now, and what is staged goes on: perhaps somebody plugs it in.
            self._tray.advance(UNPLUGGED_STEP)
            raise NoSuchCamera(say("the virtual camera is unplugged; plug it in on the tray's page"))
        # Painted now and cached, so that no hand makes a frame late.
        prepare_hands(self._tray.size)
        self._sensed(self._paint(self._tray.scene()))
        self._open = True
        self._taken_at = self._due = time.monotonic()

    def frame(self, timeout: float = 1.0) -> Frame:
        """Return the next frame. Raises CameraLost when unplugged or not open."""
        if not self._open:
            raise CameraLost(say("the virtual camera is not open; open it first"))
        self._tick(timeout)
        scene = self._tray.scene()
        if scene.trouble is CameraTrouble.UNPLUGGED:
            raise CameraLost(say("the virtual camera is unplugged; plug it in on the tray's page"))
        if scene.trouble is not CameraTrouble.FROZEN or not self._number:
            self._last = self._taken(scene)
        self._number += 1
        return Frame(self._last, self._number, self._taken_at)

    def close(self) -> None:
        """Stop; harmless when not open."""
        self._open = False

    def _tick(self, timeout: float) -> None:
        """Go on by one tick: where the machine has no time for all, the tray's time and the frames' go slower.

        A table that misses a part of a throw has to ask about it, and here nobody but the machine would be to blame.
        """
        if self._paced:
            now = time.monotonic()
            self._due = max(self._due + 1 / self._rate, now)
            time.sleep(min(self._due - now, timeout))
        self._tray.advance(1 / self._rate)
        self._taken_at += 1 / self._rate

    def _taken(self, scene: TrayScene) -> Pixels:
        if scene.trouble is CameraTrouble.COVERED:
            return self._sensed(np.full_like(self._painted, round(COVERED)))
        if scene.moment != self._moment:
            self._painted, self._moment = self._paint(scene), scene.moment
        return self._sensed(self._painted)

    def _paint(self, scene: TrayScene) -> Pixels:
        picture = scenery(self._tray.size, self._tray.felt).copy()
        paint_dice(picture, self._tray.lens, [_solid(die, scene) for die in scene.dice], LIGHT)
        if scene.reach:
            paint_hand(picture, scene.reach)
        paint_hands(picture, self._tray.lens, scene.hands)
        if scene.brightness != 1.0:
            picture = np.asarray(cv2.convertScaleAbs(picture, alpha=scene.brightness), np.uint8)
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFTNESS), np.uint8)

    def _sensed(self, picture: Pixels) -> Pixels:
        exposure = 1.0 + FLICKER * float(self._sensor.normal())
        return emulate_sensor(picture, self._sensor, noise=NOISE, blur=0.0, gains=(exposure, exposure, exposure))


def _solid(die: SceneDie, scene: TrayScene) -> SolidDie:
    faces = [face_art(die.kind, face, scene.look) for face in die.faces]
    pose = Pose(die.pose.centre, die.pose.rotation, scene.edge_mm)
    return SolidDie(pose, (faces[0], faces[1], faces[2], faces[3], faces[4], faces[5]), GLOSS)
