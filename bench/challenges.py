"""What films of throws cost for each picture, and how long a challenge takes in a game of 200 entries.

    python bench/challenges.py [--entries 200]

Processor time of one core. A picture of the film is cut and encoded on a thread of its own; the camera's thread only
hands it over. A challenge has a second: the sheet's list of throws, the prediction, and the decision.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from referee.game import Game
from referee.games import games
from referee.sentences import Refused
from vander.app.film_recorder import QUALITY
from vander.table.challenges import Challenge, ChallengedDie, ChallengeResult, on_challenge, predict, throws_of
from vander.table.match import Match
from vander.table.session_state import SessionConfig, SessionState
from vision.frame_reader import FilmCut
from vision.frames import Pixels, small_image
from vision.image_io import encode_jpeg
from vision.tray_calibration import TrayLayout, calibrate

sys.path[:0] = [str(Path(__file__).parents[1] / "tests/vander")]
from random_matches import random_match, throws  # noqa: E402 - the tests' own

PICTURES = 90


def milliseconds(do: Callable[[], object]) -> float:
    """Return the processor time of one call."""
    began = time.process_time()
    do()
    return (time.process_time() - began) * 1000


def film_costs() -> None:
    """Print what a picture of a throw costs, and how large it is."""
    tray = VirtualTray("intersection")
    with closing(VirtualCamera(tray, paced=False, seed=1)) as camera:
        camera.open()
        first = camera.frame()
        tray.throw([int(die["number"]) for die in tray.dice()])
        smalls = [small_image(camera.frame()) for _ in range(PICTURES)]
    calibration = calibrate(first, TrayLayout())
    assert calibration is not None
    cut = FilmCut.of(first, calibration)
    sizes: list[int] = []
    costs = [milliseconds(partial(_encode, cut, small, sizes)) for small in smalls]
    print(f"film: {PICTURES} pictures: {np.median(costs):.2f} ms a picture, 95 % {np.percentile(costs, 95):.2f} ms")
    print(f"film: {np.mean(sizes) / 1e3:.1f} kB a picture, {np.mean(sizes) * 300 / 1e6:.1f} MB for 10 s at 30 a second")


def _encode(cut: FilmCut, small: Pixels, sizes: list[int]) -> None:
    sizes.append(len(encode_jpeg(cut.cut(small), QUALITY)))


def long_match(game: Game, entries: int) -> Match:
    """Return the longest of some random games."""
    return max((random_match(game, entries, seed) for seed in range(2)), key=lambda match: len(match.entries))


def challenge_costs(match: Match) -> tuple[float, float, float]:
    """Return the most milliseconds that a list, a prediction and a decision take, over throws of all of the game."""
    rng, worst = random.Random(1), [0.0, 0.0, 0.0]  # noqa: S311 - a choice of throws
    found = throws(match)
    for entry in {*found[:2], *rng.sample(found, min(6, len(found)))}:
        die = match.action_of(entry).dice[0]  # type: ignore[union-attr]
        others = [face for face in match.start.dice.kind(die.kind).faces if face != die.face]
        asked = Challenge(entry, "", (ChallengedDie(0, rng.choice(others)),), ChallengeResult.TAKE_BACK)
        state = SessionState(SessionConfig(match.start.dice), match)

        def decide(asked: Challenge = asked, state: SessionState = state) -> None:
            with suppress(Refused):
                on_challenge(state, asked)

        steps: tuple[Callable[[], object], ...] = (
            lambda: throws_of(match),
            lambda asked=asked: predict(match, asked),  # type: ignore[misc]
            decide,
        )
        worst = [max(most, milliseconds(step)) for most, step in zip(worst, steps, strict=True)]
    return worst[0], worst[1], worst[2]


def main() -> None:
    """Print all figures."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--entries", type=int, default=200)
    entries = words.parse_args().entries
    cv2.setNumThreads(1)
    film_costs()
    for game in games():
        match = long_match(game, entries)
        listed, predicted, decided = challenge_costs(match)
        print(
            f"{game.name}: {len(match.entries)} entries, {len(throws(match))} throws: "
            f"list {listed:.0f} ms, prediction {predicted:.0f} ms, decision {decided:.0f} ms at most"
        )


if __name__ == "__main__":
    main()
