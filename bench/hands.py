"""How surely a hand is seen in its first picture, by skin, and what else is taken for one.

    python bench/hands.py [--count 100] [--seed 1]

Hands of the virtual tray reach in over a table at rest. `left behind`: the hand was taken for a part of that table, and
goes. A jolt pushes the whole picture. The limits of `vision/background_subtraction.py` are from it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.hands import CLOTHS, SKINS, HandLook, HandPose, paint_hands, random_seat
from hardware.simulator.virtual_tray import VirtualTray
from models.synthetic.die_renderer import emulate_sensor
from vision.background_subtraction import Background
from vision.frames import Pixels, downscale
from vision.motion_burst import HandWatch

JOLTS = (10.0, 25.0, 50.0, 90.0)
"""Standard deviations of a push, in 1280ths of the picture's width."""


def tables(seed: int) -> Iterator[Pixels]:
    """Yield pictures of ten dice of Toss Up! that lie at rest, each as another throw left them."""
    tray = VirtualTray("toss-up", seed=seed, size=(640, 480))
    camera = VirtualCamera(tray, paced=False, seed=seed)
    camera.open()
    while True:
        tray.throw([int(die["number"]) for die in tray.dice()])
        tray.advance(tray.rests_in() + 2.0)
        yield camera.frame().pixels


def with_hand(table: Pixels, skin: int, rng: np.random.Generator) -> Pixels:
    """Return the picture with a hand of that skin somewhere in it."""
    seat, tip = random_seat(rng), (float(rng.uniform(40, 260)), float(rng.uniform(40, 200)))
    look = HandLook(SKINS[skin], CLOTHS[rng.integers(len(CLOTHS))], is_left=bool(rng.random() < 0.5))
    reached, lens = table.copy(), VirtualTray("toss-up", size=(640, 480)).lens
    paint_hands(reached, lens, [HandPose(tip, (float(seat[0]), float(seat[1])), bool(rng.random() < 0.5), look)])
    return np.asarray(emulate_sensor(reached, rng), np.uint8)


def pushed(table: Pixels, rng: np.random.Generator) -> Pixels:
    """Return the picture after a jolt of the camera."""
    height, width = table.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.normal(0, 2)), 1.0)
    move[:, 2] += rng.normal(0, rng.choice(JOLTS) * width / 1280, 2)
    return np.asarray(cv2.warpAffine(table, move, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8)


def is_hand(table: Background, picture: Pixels) -> bool:
    """True if a picture, taken long after the table came to rest, is said to show a hand."""
    return HandWatch(table).update(downscale(picture), 10.0) is not None


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="pictures of each skin, and jolts")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng, lying = np.random.default_rng(given.seed), tables(given.seed)
    print("| what | pictures | taken for a hand |\n| --- | --- | --- |")
    for skin in range(len(SKINS)):
        seen = left = 0
        for table in islice(lying, given.count):
            at_rest = Background(downscale(table))
            reached = with_hand(table, skin, rng)
            seen += is_hand(at_rest, reached)
            left += is_hand(at_rest.at_rest_again(downscale(reached), 5.0), table)
        print(f"| a hand, skin {skin + 1} of {len(SKINS)} | {given.count} | {seen} |")
        print(f"| the same, left behind | {given.count} | {left} |")
    jolted = sum(is_hand(Background(downscale(each)), pushed(each, rng)) for each in islice(lying, given.count))
    print(f"| a jolt of the camera | {given.count} | {jolted} |")


if __name__ == "__main__":
    main()
