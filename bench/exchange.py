"""Captured dice to try other programs on: a small collection from the virtual tray, put out in every form.

    python bench/exchange.py OUT                      makes OUT/captured, OUT/coco, OUT/yolo and OUT/faces
    python bench/exchange.py OUT --back coco FOLDER   takes in what another program made of it, and compares

The dice are thrown on several dates and labelled with what really lies there. One of each evening waits for its label,
so that its frame stays here and the other dice in it go out as pictures of their own.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from math import hypot
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.simulator_truth import TrueTrayDie, truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models.dataset import (
    FORMATS,
    DatasetError,
    FaceLabel,
    ImportOptions,
    NewSample,
    SampleReading,
    SampleStore,
    SaveFailed,
    export_dataset,
    import_dataset,
)
from vision.arrival import ArrivalModel
from vision.classification import Reader
from vision.detection import Finder
from vision.observations import Observation, TrackedDie
from vision.pipeline import Pipeline
from vision.rectification import RotatedSquare
from vision.tray_calibration import TrayLayout

WEIGHTS = Path(__file__).parents[1] / "models/weights"
FIRST = datetime(2026, 11, 2, 19, 0, tzinfo=UTC)
SIZE = (960, 720)
AT_REST_FRAMES, MOST_FRAMES = 10, 600


class Evening:
    """Somebody who throws the dice of a set on the virtual tray, and keeps them with what they really show."""

    def __init__(self, store: SampleStore, die_set: str, seed: int) -> None:
        self._tray = VirtualTray(die_set, seed=seed, size=SIZE)
        self._camera = VirtualCamera(self._tray, paced=False, seed=seed)
        self._camera.open()
        finder, reader = Finder(WEIGHTS / "finder.onnx"), Reader(WEIGHTS / "reader.onnx")
        arrivals = ArrivalModel(WEIGHTS / "arrival.onnx")
        self._pipeline = Pipeline(finder, reader, arrivals.tell, self._tray.die_set, TrayLayout())
        self._store, self._session = store, store.start_session(die_set, "guided")

    def throw(self, waiting: int = 0) -> None:
        """Throw all dice and keep those that lie flat, the first few without a label."""
        self._tray.throw([int(die["number"]) for die in self._tray.dice()])
        dice = [(die, true) for die in self._settled().dice if (true := self._true(die)) and true.flat]
        taken = [self._taken(die, None if place < waiting else true) for place, (die, true) in enumerate(dice)]
        whole = self._pipeline.settled_tray() if len(dice) == len(self._tray.dice()) else None
        self._store.save(self._session, self._tray.die_set.name, whole and whole[0], taken)

    def _settled(self) -> Observation:
        still = 0
        for _ in range(MOST_FRAMES):
            seen = self._pipeline.process(self._camera.frame())
            still = still + 1 if seen.at_rest else 0
            if still == AT_REST_FRAMES:
                return seen
        raise AssertionError("the dice do not come to rest")

    def _true(self, die: TrackedDie) -> TrueTrayDie | None:
        """The die of the tray that was seen there; None where there is none."""
        at, width, height = die.reading.sighting, *SIZE
        spots = {int(one["number"]): (float(one["x"]) * width, float(one["y"]) * height) for one in self._tray.dice()}
        away = {number: hypot(x - at.x, y - at.y) for number, (x, y) in spots.items()}
        nearest = min(away, key=lambda number: away[number])
        return truth(self._tray).get(nearest) if away[nearest] < at.edge / 2 else None

    def _taken(self, die: TrackedDie, true: TrueTrayDie | None) -> NewSample:
        pixels, place = self._pipeline.die_with_surroundings(die.number)
        one, reading = die.reading.sighting, die.reading
        _, left, top = self._pipeline.settled_tray() or (None, 0.0, 0.0)
        in_frame = RotatedSquare(one.x - left, one.y - top, one.edge, place.turned_degrees)
        read = SampleReading(
            reading.kind, reading.face, reading.confidence, reading.accepted, reading.runners_up, "shipped"
        )
        label = true and FaceLabel(true.kind, true.face, "guided capture", self._store.now())
        return NewSample(pixels, place, in_frame, read, label, float(pixels.mean()) / 255)


def made(folder: Path, die_sets: Sequence[str], dates: int, throws: int) -> SampleStore:
    """A collection with an evening for each date and die set, some throws each."""
    moment = FIRST

    def now() -> datetime:
        nonlocal moment
        moment += timedelta(seconds=1)
        return moment

    store = SampleStore(folder, now)
    for date in range(dates):
        moment = FIRST + timedelta(days=date)
        for which, die_set in enumerate(die_sets):
            evening = Evening(store, die_set, seed=100 * which + date)
            for throw in range(throws):
                evening.throw(waiting=int(throw == throws - 1))
    return store


def put_out(store: SampleStore, out: Path) -> Iterator[str]:
    """Every form into a folder of its own; a line each."""
    labels = _labels(store)
    yield f"captured: {len(store.samples())} dice, {labels.total()} labelled, {len(labels)} faces"
    for form in FORMATS:
        told = export_dataset(store, out / form, form)
        shares = ", ".join(f"{count} {share}" for share, count in told.splits.items())
        yield f"{form}: {told.pictures} pictures, {told.dice} dice: {shares}. {' '.join(told.sentences)}"


def back(out: Path, form: str, path: Path) -> Iterator[str]:
    """What another program made of a form, taken in as a stranger's, and held against what went out; a line each."""
    with tempfile.TemporaryDirectory() as folder:
        after = SampleStore(Path(folder))
        yield import_dataset(after, path, form, ImportOptions(die_set="back")).sentence
        before, now = _labels(SampleStore(out / "captured")), _labels(after)
        yield f"missing: {dict(before - now) or 'none'}; more: {dict(now - before) or 'none'}"


def _labels(store: SampleStore) -> Counter[str]:
    return Counter(f"{sample.label.kind}:{sample.label.face}" for sample in store.samples() if sample.label)


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="a new folder, or that of before with --back")
    parser.add_argument("--sets", nargs="+", default=["intersection"], help="die sets of the virtual tray's cupboard")
    parser.add_argument("--dates", type=int, default=6)
    parser.add_argument("--throws", type=int, default=4, help="of each date and set")
    parser.add_argument("--back", nargs=2, metavar=("FORM", "PATH"))
    given = parser.parse_args()
    try:
        if given.back:
            lines = back(given.out, given.back[0], Path(given.back[1]))
        else:
            lines = put_out(made(given.out / "captured", given.sets, given.dates, given.throws), given.out)
        for line in lines:
            print(line, flush=True)
    except (DatasetError, SaveFailed, LookupError) as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main()
