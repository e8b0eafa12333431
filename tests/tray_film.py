"""A film of the virtual tray with known throws, in the one form that Chromium's fake camera and OpenCV both show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.scenery import GREEN
from hardware.simulator.virtual_tray import VirtualTray
from vision.frames import Pixels

RATE = 30
"""Frames a second, by which Chromium shows every Motion JPEG."""
SIZE = 960, 720
QUALITY = 90
BITS = 14
"""Bits of the frame's number in each frame: films of nine minutes at most."""
SQUARE = 12
"""Pixels of a square that is a bit."""
DARK, LIGHT = 88, 93
"""Grey levels of a bit, so near each other that nobody takes a change for motion."""


@dataclass(frozen=True)
class Lamp:
    """The light of a film: how bright, how much warmer than daylight (1), and its share at the right edge."""

    brightness: float = 1.0
    warmth: float = 1.0
    right: float = 1.0


LAMPS = Lamp(), Lamp(0.75, 1.12), Lamp(1.1, 0.95, 0.75), Lamp(0.9, 1.06, 0.85)


@dataclass(frozen=True)
class FilmedThrow:
    """A throw in a film: the frames in which its dice begin to move and lie still, and what they show then, sorted."""

    begins: int
    rests: int
    faces: tuple[str, ...]


@dataclass(frozen=True)
class TrayFilm:
    """A film in a file, and what is in it."""

    path: Path
    frames: int
    throws: tuple[FilmedThrow, ...]

    @property
    def seconds(self) -> float:
        """Return how long the film is."""
        return self.frames / RATE


@dataclass(frozen=True)
class FilmLook:
    """How a film looks: its seed chooses dice, throws and lamp."""

    seed: int = 0
    felt: str = GREEN


def make_film(path: Path, at_s: Sequence[float], ends_s: float, look: FilmLook | None = None) -> TrayFilm:
    """Film a tray whose dice are all thrown at these seconds."""
    look = look or FilmLook()
    seed = look.seed
    tray = VirtualTray("intersection", seed=seed, mishaps=Mishaps(0.0, 0.0), size=SIZE)
    tray.felt = look.felt
    camera = VirtualCamera(tray, paced=False, seed=seed, rate=RATE)
    camera.open()
    begins, throws, gains = {round(at * RATE) for at in at_s}, list[FilmedThrow](), _gains(LAMPS[seed % len(LAMPS)])
    began = rests = 0
    with path.open("wb") as file:
        for number in range(round(ends_s * RATE)):
            if number in begins:
                began = number
                tray.throw(list(truth(tray)))
            before = tray.rests_in()
            file.write(_jpeg(camera.frame().pixels, gains, number))
            if before > 0 >= tray.rests_in():
                rests = number
                throws.append(FilmedThrow(began, rests, _faces(tray)))
    return TrayFilm(path, round(ends_s * RATE), tuple(throws))


def slowed(film: TrayFilm, times: int) -> TrayFilm:
    """Show each frame of a film so many times, in its file."""
    begin, end = b"\xff\xd8", b"\xff\xd9"
    frames = film.path.read_bytes().removeprefix(begin).removesuffix(end).split(end + begin)
    with film.path.open("wb") as file:
        for frame in frames:
            file.write(times * (begin + frame + end))
    return film


def _faces(tray: VirtualTray) -> tuple[str, ...]:
    return tuple(sorted(f"{die.kind}:{die.face}" for die in truth(tray).values()))


def _gains(lamp: Lamp) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return by how much each place and colour (BGR) is brighter."""
    across = np.linspace(1.0, lamp.right, SIZE[0], dtype=np.float32)[None, :, None]
    colours = np.array([1 / lamp.warmth, 1.0, lamp.warmth], np.float32)
    return across * colours * np.float32(lamp.brightness)


def _jpeg(pixels: Pixels, gains: np.ndarray[tuple[int, ...], np.dtype[np.float32]], number: int) -> bytes:
    lit = np.clip(pixels * gains, 0, 255).astype(np.uint8)
    for place, bit in enumerate((1, 0, *_gray_code(number))):
        left = SQUARE * place
        lit[-SQUARE:, left : left + SQUARE] = LIGHT if bit else DARK
    return bytes(cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())


def _gray_code(number: int) -> list[int]:
    """Return the bits of a number, lowest first, of which only one differs from one number to the next."""
    code = number ^ (number >> 1)
    return [code >> place & 1 for place in range(BITS)]


READ_NUMBERS = """() => {
  window.filmed = [];
  const [square, bits, height] = %s;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', {willReadFrequently: true});
  const levels = (video) => {
    [canvas.width, canvas.height] = [square * (bits + 2), square];
    context.drawImage(video, 0, height - square, canvas.width, square, 0, 0, canvas.width, square);
    const {data} = context.getImageData(0, square / 2, canvas.width, 1);
    return Array.from({length: bits + 2}, (_, at) => {
      let sum = 0;
      for (let x = 3; x < square - 3; x += 1) sum += data[4 * (at * square + x) + 1];
      return sum / (square - 6);
    });
  };
  let [before, beforeAt] = [0, performance.now()];
  const look = (video) => {
    const [light, dark, ...code] = levels(video);
    let number = 0, bit = 0;
    for (let at = bits - 1; at >= 0; at -= 1) number = 2 * number + (bit ^= code[at] > (light + dark) / 2 ? 1 : 0);
    const now = performance.now();
    if ((number < before || number - before > 60) && now - beforeAt < 3000) return; // a bit was misread
    [before, beforeAt] = [number, now];
    window.filmed.push([number, performance.timeOrigin + now]);
  };
  const request = (video) => video.requestEveryFrame ?? video.requestVideoFrameCallback;
  const next = (video) => request(video).call(video, () => { look(video); next(video); });
  const wait = setInterval(() => {
    const video = document.querySelector('#video');
    if (video) { clearInterval(wait); next(video); }
  }, 20);
}""" % [SQUARE, BITS, SIZE[1]]
"""A script for the page that shows a film: it keeps in `filmed` each frame's number and when it was shown (ms)."""
