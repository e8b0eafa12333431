"""How much later a frame is read while odds are computed: alone, with a thread that computes, with the odds' process.

    python bench/odds_latency.py [--throws 6]

Frames of the virtual tray with six dice that are thrown go through the pipeline one after another; meanwhile the odds
of a turn's first throw in Intersection are computed without a pause. Each line: the milliseconds of a frame.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from itertools import count
from threading import Event, Thread

import cv2
import numpy as np

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.actions import GameState
from referee.chances import odds
from referee.game import begin
from referee.games import named
from vander.resources.models_and_stores import LoadedModels
from vander.table.odds import OddsProcess
from vision.frames import Frame
from vision.tray_calibration import TrayLayout

DICE = die_sets.load("intersection")
FRAMES_A_THROW = 60
PAUSE_S = 0.005
"""Between two frames, as a camera makes one: without it the thread that computes would starve."""


def frames_of(throws: int) -> list[Frame]:
    """Return the frames of so many throws of all dice."""
    tray = VirtualTray(DICE.name)
    with closing(VirtualCamera(tray, paced=False, seed=1)) as camera:
        camera.open()
        found = []
        for _ in range(throws):
            tray.throw([int(die["number"]) for die in tray.dice()])
            found += [camera.frame() for _ in range(FRAMES_A_THROW)]
    return found


def states() -> Iterator[GameState]:
    """Yield the start of a turn, each time with other scores, so that nothing is computed already."""
    state = begin(named("intersection"), ("Ann",), DICE)
    for number in count():
        yield replace(state, scores=(number,))  # type: ignore[call-arg]


@contextmanager
def thread_computes() -> Iterator[None]:
    """Compute odds in a thread of this process."""
    with _computing(odds):
        yield


@contextmanager
def process_computes() -> Iterator[None]:
    """Compute odds in the process that Vander uses."""
    with closing(OddsProcess()) as process, _computing(process.compute):
        yield


@contextmanager
def _computing(compute: Callable[[GameState], object]) -> Iterator[None]:
    over = Event()

    def work() -> None:
        for state in states():
            compute(state)
            if over.is_set():
                return

    thread = Thread(target=work)
    thread.start()
    yield
    over.set()
    thread.join()


def main() -> None:
    """Print a line for each way to compute."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throws", type=int, default=6)
    frames = frames_of(parser.parse_args().throws)
    models = LoadedModels.load()
    cv2.setNumThreads(1)
    for name, meanwhile in (("alone", nullcontext()), ("thread", thread_computes()), ("process", process_computes())):
        with meanwhile:
            pipeline, ms = models.pipeline(DICE, TrayLayout()), []
            for frame in frames:
                began = time.perf_counter()
                pipeline.process(frame)
                ms.append(1000 * (time.perf_counter() - began))
                time.sleep(PAUSE_S)
        median, high, highest = np.percentile(ms, (50, 95, 99))
        print(f"{name:8} median {median:6.1f}   95 % {high:6.1f}   99 % {highest:6.1f}", flush=True)


if __name__ == "__main__":
    main()
