"""What a staged situation is played with: the tray, its dice, and chance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from hardware.simulator.geometry import BAY, HEIGHT, WIDTH, TrayPlace
from hardware.simulator.virtual_tray import VirtualTray

Spot = tuple[float, float]
"""A place in the picture: fractions of its width and height."""


@dataclass
class Cast:
    """The tray, the dice of the situation, and chance.

    picked: the dice that were singled out. wants_restart: whether the driver has to restart the program.
    """

    tray: VirtualTray
    numbers: tuple[int, ...]
    rng: np.random.Generator
    picked: list[int] = field(default_factory=list)
    wants_restart: bool = False

    @classmethod
    def of(cls, tray: VirtualTray, numbers: Sequence[int], rng: np.random.Generator) -> Cast:
        """Return a cast of these dice, or of all in the field. Raises NoSuchDie."""
        for number in numbers:
            tray.die(number)
        field_dice = [int(die["number"]) for die in tray.dice() if die["place"] == TrayPlace.FIELD]
        return cls(tray, tuple(dict.fromkeys(numbers)) or tuple(field_dice), rng)

    def pick(self, among: Collection[int] | None = None) -> int | None:
        """Single out one of the dice, or one of those; None if there is none."""
        dice = sorted(self.numbers if among is None else among)
        if not dice:
            return None
        self.picked.append(int(self.rng.choice(dice)))
        return self.picked[-1]

    def on_table(self) -> list[int]:
        """Return the dice of the situation that are on the table."""
        return [number for number in self.numbers if self._places()[number] != TrayPlace.OFF]

    def all_on_table(self) -> list[int]:
        """Return all dice that are on the table."""
        return [number for number, place in self._places().items() if place != TrayPlace.OFF]

    def others_on_table(self) -> list[int]:
        """Return the dice on the table that are not of the situation."""
        return [number for number in self.all_on_table() if number not in self.numbers]

    def where(self, number: int) -> Spot:
        """Return where a die is seen."""
        die = self.tray.die(number)
        return float(die["x"]), float(die["y"])

    def spot_in_field(self) -> Spot:
        """Return a random place in the field."""
        return self.spot(float(self.rng.uniform(45, BAY - 35)), float(self.rng.uniform(45, HEIGHT - 40)))

    def spot_in_bay(self) -> Spot:
        """Return a random place in the bay, below the signal spot."""
        return self.spot(float(self.rng.uniform(BAY + 15, WIDTH - 15)), float(self.rng.uniform(80, HEIGHT - 40)))

    def spot_beside(self, number: int, mm: float) -> Spot:
        """Return the place that many millimetres from a die, in a random direction."""
        x, y = self.where(number)
        angle = float(self.rng.uniform(0, 2 * np.pi))
        left, top = self.spot(0.0, 0.0)
        right, bottom = self.spot(WIDTH, HEIGHT)
        return x + np.cos(angle) * mm * (right - left) / WIDTH, y + np.sin(angle) * mm * (bottom - top) / HEIGHT

    def spot(self, x_mm: float, y_mm: float) -> Spot:
        """Return where a point of the table is seen."""
        x, y = np.asarray(self.tray.lens.project(np.array([[x_mm, y_mm, 8.0]])), np.float64)[0] / self.tray.size
        return float(x), float(y)

    def _places(self) -> dict[int, str]:
        return {int(die["number"]): str(die["place"]) for die in self.tray.dice()}
