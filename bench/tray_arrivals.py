"""Film dice that hands throw, carry, turn and tidy on the virtual tray, for the model of `vision/arrival.py`.

    python bench/tray_arrivals.py FOLDER --tables 40 --seed 1

Writes for each table a file as `python -m models.training moved-dice` does, and keeps those that are there. Seeds from
5000 on are for choosing, those from 9000 on for scoring: nothing is fitted on them.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator import scenery
from hardware.simulator.physics import FACE_AXES, Mishaps
from hardware.simulator.virtual_tray import Manner, SceneDie, VirtualTray
from models.training.arrival_examples import ArrivalExample, Facts, save_examples
from vision.arrival import BurstView, Way
from vision.frames import downscale
from vision.motion import MotionDetector
from vision.motion_burst import MotionBurst

SETS = ("intersection", "toss-up", "d6", "rollers", "switch-16")
RATES = (10.0, 15.0, 30.0, 60.0)
LIGHTS = (1.0, 1.0, 0.7, 0.5, 1.25)
SIZE = (400, 300)
EVENTS_A_TABLE = 12
LONGEST_SECONDS = 12.0
"""After which an event is left out that does not come to rest."""
JITTER_EDGES, JITTER_SIZE = 0.08, 0.03
"""How far from a die's place a finder may see it, and by which share it may misjudge its edge."""
STAYED_MM = 1.0


class FilmedTray:
    """A virtual tray, its camera, and who moved what since the last event."""

    def __init__(self, number: int) -> None:
        self.rng = random.Random(number)  # noqa: S311  # no secret
        self.tray = VirtualTray(SETS[number % 5], number, Mishaps(leans=0.0, leaves=0.0), SIZE)
        self.tray.felt = self.rng.choice(list(scenery.FELTS))
        self.look = self.rng.choice(list(VirtualTray.looks()))
        self.tray.set_out(SETS[number % 5], self.look)
        self.tray.light(self.rng.choice(LIGHTS))
        self.rate = self.rng.choice(RATES)
        self._camera = VirtualCamera(self.tray, paced=False, seed=number, rate=self.rate)
        self._camera.open()
        self._motion, self._taken = MotionDetector(), 0
        self._lay: dict[int, SceneDie] = {}
        self.ways: dict[int, Way] = {}

    def watch(self, seconds: float) -> Iterator[tuple[MotionBurst, dict[int, SceneDie]]]:
        """Take frames for so long; yield each burst that ends, with the dice that lay there before it."""
        for _ in range(max(1, round(seconds * self.rate))):
            self._taken += 1
            small = downscale(self._camera.frame().pixels)
            state = self._motion.update(small, 1000 + self._taken / self.rate, small.shape[1] / SIZE[0])
            if state.settled is not None:
                yield state.settled, self._lay
                self._lay = self.lying

    @property
    def lying(self) -> dict[int, SceneDie]:
        """Return the dice in the scene, by number."""
        return {die.number: die for die in self.tray.scene().dice}

    @property
    def moment(self) -> int:
        """Return a number that changes whenever anything moves."""
        return self.tray.scene().moment

    def any(self) -> int:
        """Return one of the dice."""
        return self.rng.choice(sorted(self.lying))

    def some(self) -> list[int]:
        """Return some of the dice, but not all."""
        return self.rng.sample(sorted(self.lying), self.rng.randint(1, max(1, len(self.lying) - 1)))

    def place(self) -> tuple[float, float]:
        """Return a place in the tray."""
        return self.rng.uniform(0.12, 0.88), self.rng.uniform(0.15, 0.85)

    def throw(self, dice: list[int]) -> None:
        """Throw some dice."""
        self.tray.throw(dice)
        self.ways.update(dict.fromkeys(dice, Way.THROWN))

    def set_down(self, number: int, manner: Manner = Manner.CARRIED, *, turned: bool = False) -> None:
        """Bring a die elsewhere."""
        self.tray.set_down(number, *self.place(), manner, turned)
        self.ways[number] = Way.TURNED if turned else Way.MOVED


Wait: TypeAlias = Iterator[float]
"""Seconds to wait before an event goes on."""


def _throw_all(film: FilmedTray) -> Wait:
    film.throw([int(die["number"]) for die in film.tray.dice()])
    yield 0.0


def _throw_some(film: FilmedTray) -> Wait:
    film.throw(film.some())
    yield 0.0


def _carry(film: FilmedTray) -> Wait:
    film.set_down(film.any())
    yield 0.0


def _slide(film: FilmedTray) -> Wait:
    film.set_down(film.any(), Manner.SLID)
    yield 0.0


def _lay_turned(film: FilmedTray) -> Wait:
    film.set_down(film.any(), turned=True)
    yield 0.0


def _turn(film: FilmedTray) -> Wait:
    number = film.any()
    film.rng.choice([film.tray.reface, film.tray.tip])(number)
    film.ways[number] = Way.TURNED
    yield 0.0


def _twist(film: FilmedTray) -> Wait:
    number = film.any()
    film.tray.twist(number, film.rng.uniform(-80, 80))
    film.ways[number] = Way.MOVED
    yield 0.0


def _tidy(film: FilmedTray) -> Wait:
    for number in film.some():
        film.set_down(number)
        yield max(0.2, film.rng.uniform(0.3, 1.0) * film.tray.rests_in())


def _bring_back(film: FilmedTray) -> Wait:
    number = film.any()
    film.tray.take_away(number)
    yield film.rng.uniform(0.4, 2.5)
    film.set_down(number)


def _carry_and_throw(film: FilmedTray) -> Wait:
    dice = film.some()
    kept = [number for number in sorted(film.lying) if number not in dice]
    if not kept:
        film.throw(dice)
        return
    if film.rng.random() < 0.5:
        film.set_down(film.rng.choice(kept))
        yield film.rng.uniform(0.3, 1.0)
        film.throw(dice)
    else:
        film.throw(dice)
        yield film.rng.uniform(0.8, 1.6)
        film.set_down(film.rng.choice(kept))


def _reach_in(film: FilmedTray) -> Wait:
    film.tray.hand(True)
    yield film.rng.uniform(0.4, 1.5)
    film.tray.hand(False)


def _throw_and_reach(film: FilmedTray) -> Wait:
    film.throw(film.some())
    yield film.rng.uniform(0.3, 1.5)
    yield from _reach_in(film)


EVENTS: Mapping[Callable[[FilmedTray], Wait], float] = MappingProxyType(
    {
        _throw_all: 3,
        _throw_some: 4,
        _throw_and_reach: 1.5,
        _carry: 2,
        _slide: 2,
        _lay_turned: 2,
        _turn: 2.5,
        _twist: 1,
        _tidy: 2,
        _bring_back: 1.5,
        _carry_and_throw: 2.5,
        _reach_in: 1,
    }
)
"""What hands do, and how often."""


def examples(number: int) -> Iterator[ArrivalExample]:
    """Yield the dice of EVENTS_A_TABLE events at one table; the same for the same number."""
    film = FilmedTray(number)
    for _ in _settled(film):
        pass
    for _ in range(EVENTS_A_TABLE):
        film.ways = {}
        (event,) = film.rng.choices(list(EVENTS), list(EVENTS.values()))
        facts: Facts = {"source": "tray", "fps": film.rate, "hands": True, "event": event.__name__.strip("_")}
        try:
            for burst, lay in _played(film, event):
                yield from _dice_of(film, burst, lay, facts)
        except LookupError:
            continue  # a die that is out of the tray is asked for


def _played(film: FilmedTray, event: Callable[[FilmedTray], Wait]) -> Iterator[tuple[MotionBurst, dict[int, SceneDie]]]:
    for wait in event(film):
        if wait:
            yield from film.watch(wait)
    yield from _settled(film)


def _settled(film: FilmedTray) -> Iterator[tuple[MotionBurst, dict[int, SceneDie]]]:
    """Watch until nothing has moved for a while."""
    for _ in range(round(LONGEST_SECONDS)):
        before = film.moment
        yield from film.watch(1.0)
        if film.moment == before:
            return


def _dice_of(film: FilmedTray, burst: MotionBurst, lay: dict[int, SceneDie], facts: Facts) -> Iterator[ArrivalExample]:
    if burst.film is None:
        return
    view, edge_mm = BurstView(burst.film), film.tray.scene().edge_mm
    for number, die in film.lying.items():
        was = lay.get(number)
        if not die.pose.flat:
            continue
        if (
            was is not None
            and np.linalg.norm(was.pose.centre - die.pose.centre) < STAYED_MM
            and was.pose.top == die.pose.top
        ):
            way = Way.UNTOUCHED
        elif number in film.ways:
            way = film.ways[number]
        elif was is not None and was.pose.top == die.pose.top:
            way = Way.MOVED
        else:
            continue
        axis = die.pose.rotation @ FACE_AXES[die.pose.top]
        x, y = film.tray.lens.project((die.pose.centre + axis * edge_mm / 2)[None])[0]
        edge = edge_mm * film.tray.lens.scale_at(die.pose.centre)
        angle, far = film.rng.uniform(0, 2 * np.pi), edge * JITTER_EDGES * film.rng.random()
        seen_edge = edge * film.rng.uniform(1 - JITTER_SIZE, 1 + JITTER_SIZE)
        at = x + far * np.cos(angle), y + far * np.sin(angle), seen_edge
        yield ArrivalExample(view.at(*(float(length) * burst.scale for length in at)), str(way), facts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1, help="number of the first table")
    given = parser.parse_args()
    for number in range(given.seed, given.seed + given.tables):
        file = given.folder / f"tray-{number:05}.npz"
        if not file.exists():
            save_examples(file, examples(number))
            print(file.name, flush=True)


if __name__ == "__main__":
    main()
