"""A reader that was taught the dice of a virtual tray, with so many pictures of each face, as guided capture does."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from math import hypot
from pathlib import Path

from bench.fair_cases.opening import LONG
from bench.fair_cases.table import SIZE
from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from models.dataset import FaceLabel, NewSample
from referee.dice import DieSet
from vander.bench.first_game import PlayTable
from vander.bench.simulated_families import view_of
from vander.resources.models_and_stores import LoadedModels
from vision.detection import Finder
from vision.frame_reader import DieReader
from vision.frames import Pixels
from vision.rectification import cut_with_surroundings, rotation_in_frame

SEED = 77
"""Of the throws that are shown; none of them is ever scored."""
MOST_THROWS = 80
_kept = list["tempfile.TemporaryDirectory[str]"]()


def teach_reader(models: LoadedModels, dice: DieSet, look: str, pictures: int) -> DieReader:
    """Show the dice of a tray in that look until each face was pictured so often, and return what was learned."""
    folder = tempfile.TemporaryDirectory()
    _kept.append(folder)  # the reader looks its lessons up there
    table = PlayTable(Path(folder.name), dice, models)
    session = table.stores.samples.start_session(dice.name, "guided", "taught")
    samples = list(_samples(dice, look, pictures, models.finder))
    table.stores.samples.save(session, dice.name, None, samples)
    table.service.teach(dice.name)
    return table.reader


def _samples(dice: DieSet, look: str, pictures: int, finder: Finder) -> Iterator[NewSample]:
    tray = VirtualTray(dice.name, SEED, Mishaps(0.0, 0.0), SIZE)
    if look:
        tray.set_out(dice.name, look)
    camera = VirtualCamera(tray, paced=False, seed=SEED)
    camera.open()
    wanted = Counter({(str(kind.name), str(face)): pictures for kind in dice.kinds for face in kind.faces})
    for _ in range(MOST_THROWS):
        tray.throw([int(die["number"]) for die in tray.dice()])
        tray.advance(LONG)
        yield from _new_samples(tray, camera.frame().pixels, wanted, finder)
        if not +wanted:
            return


def _new_samples(
    tray: VirtualTray, pixels: Pixels, wanted: Counter[tuple[str, str]], finder: Finder
) -> Iterator[NewSample]:
    """Yield a sample of each die in a frame of whose face more pictures are wanted."""
    view, real, (width, height) = view_of(pixels), truth(tray), tray.size
    sightings = finder.find(view)
    for die in tray.dice():
        x, y, edge = float(die["x"]) * width, float(die["y"]) * height, float(die["edge"]) * width
        shows = real[int(die["number"])]
        of = str(shows.kind), str(shows.face)
        near = min(sightings, key=lambda one: hypot(one.x - x, one.y - y), default=None)
        if wanted[of] > 0 and near is not None and hypot(near.x - x, near.y - y) < edge / 2:
            wanted[of] -= 1
            cut, place = cut_with_surroundings(pixels, near, rotation_in_frame(near, view))
            yield NewSample(cut, place, label=FaceLabel(*of, "guided capture", datetime.now(UTC)))
