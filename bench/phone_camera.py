"""A phone as the camera: how late its pictures and rulings come, what it sends, and what a lost connection does.

    python bench/phone_camera.py [--throws 10] [--seed 0] [--felt blue] [--losses 1 10 60] [--into FILE]
    python bench/phone_camera.py --sum FILE...

A real Chromium opens `/camera` with a film of the virtual tray as its camera, joins in by the code, and sends its
pictures to the box, which runs in this process with the shipped models and counts plain dice. The film is made first,
with known throws; its seed chooses the dice, the throws and the lamp. The same film is ruled on as `replay:` too. Then
the connection is cut in mid-throw. Many throws are measured in parts: each adds a line to a file, which `--sum` reads.
On a machine that does other work the figures are that machine's, not Vander's: `--slower 6` lets film, browser and
camera run six times slower by clocks that do so too, so that waiting for a processor counts a sixth. What waits for
the screen, some 10 ms, counts a sixth then as well.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = "framerate;30"  # a Motion JPEG does not say its rate
sys.path.insert(0, str(Path(__file__).parents[1]))

from phone_figures import Play, ThrowLegs, read_plays, report
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from slow_clock import SlowClock, SlowCondition
from tablet import PLAIN_DICE, served_page

from hardware.cameras.base import Camera, CameraReport
from hardware.cameras.phone import PhoneCamera, PhonePicture
from hardware.cameras.replay import ReplayCamera
from hardware.simulator.scenery import FELTS, GREEN
from models import die_sets
from referee.dice import DieSet
from referee.games import games
from referee.snapshot import Snapshot
from tests.chromium import QUIET, chromium_path
from tests.tray_film import LAMPS, RATE, READ_NUMBERS, FilmedThrow, FilmLook, TrayFilm, make_film, slowed
from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.camera_loop import CameraLoop
from vander.app.phone_camera_service import LATE_S, PhoneCameraService
from vander.app.web_app import create_app
from vander.resources.models_and_stores import LoadedModels
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session
from vision.frame_reader import ImageSource
from vision.frames import Frame
from vision.observations import Observation
from vision.tray_calibration import TrayLayout
from web.schemas.camera_schemas import Phone, PictureAnswer, SentPicture

FIRST_S, APART_S, LAST_S = 6.0, 4.0, 4.0
READING_S = 1.6
"""So long after the dice lie still the phone sends as it does at rest."""
PATIENCE_S = 30.0
RULED = """() => {
  window.changes = [];
  let last = document.querySelector('#boards').textContent;
  new MutationObserver(() => {
    const now = document.querySelector('#boards').textContent;
    if (now !== last) window.changes.push(performance.timeOrigin + performance.now());
    last = now;
  }).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""
"""Keeps in `changes` when the table page showed another throw as ruled on (ms)."""
TAP_S = 1.0
"""Seconds of a person for a tap."""


@dataclass
class Arrived:
    """A picture that arrived: seconds of the wall clock at which it was taken and came, and its bytes."""

    taken: float
    at: float
    size: int
    is_full: bool


@dataclass
class Figures:
    """What was measured, in seconds of the wall clock. The clock of the phone's page began at `origin_s`."""

    clock: SlowClock = field(default_factory=SlowClock)
    origin_s: float = 0.0
    arrived: list[Arrived] = field(default_factory=list)
    handed: dict[int, tuple[float, float]] = field(default_factory=dict)
    """When the picture of a frame was taken, and when it went to the pipeline, by the frame's number."""
    settled: list[tuple[int, float, float]] = field(default_factory=list)
    """The frame with which a table was at rest, and when the pipeline and the session were done with it."""


class TimedPhone(PhoneCamera):
    """The phone's camera, which notes when each picture goes to the reader."""

    def __init__(self, figures: Figures) -> None:
        super().__init__(figures.clock.monotonic)
        self._changed = SlowCondition(figures.clock)
        self._taken: dict[float, float] = {}  # by the moment on the box's clock
        self.figures = figures

    def put(self, picture: PhonePicture) -> bool:
        with self._changed:
            is_taken = super().put(picture)
            if is_taken:
                self._taken[self._waiting[-1][1]] = picture.taken_s
        return is_taken

    def frame(self, timeout: float = 1.0) -> Frame:
        frame = super().frame(timeout)
        taken = self._taken.get(frame.taken_at)
        if taken is not None and self.figures.origin_s:
            self.figures.handed[frame.number] = (self.figures.origin_s + taken, self.figures.clock.time())
        return frame


class TimedService(PhoneCameraService):
    """What takes the pictures in, and counts their bytes."""

    figures: Figures

    def take(self, phone: Phone, picture: SentPicture) -> PictureAnswer:
        taken, size = self.figures.origin_s + picture.taken_ms / 1000, len(picture.small) + len(picture.full)
        self.figures.arrived.append(Arrived(taken, self.figures.clock.time(), size, bool(picture.full)))
        return super().take(phone, picture)


class TimedReceiver:
    """Passes what the camera loop reports to the session, and notes when what came to rest was ruled on."""

    def __init__(self, session: Session, figures: Figures) -> None:
        self._session, self._figures, self._was_at_rest = session, figures, False

    @property
    def dice(self) -> DieSet:
        return self._session.dice

    @property
    def occasion(self) -> object:
        return self._session.occasion

    def observe(self, observation: Observation, images: ImageSource | None = None, occasion: object = None) -> None:
        read = self._figures.clock.time()
        self._session.observe(observation, images, occasion)
        if observation.at_rest and not self._was_at_rest:
            self._figures.settled.append((observation.frame, read, self._figures.clock.time()))
        self._was_at_rest = observation.at_rest

    def report_camera(self, report: CameraReport) -> None:
        self._session.report_camera(report)

    def report_unsaved(self, sentence: str) -> None:
        self._session.report_unsaved(sentence)


@dataclass
class Table:
    """A running table. `rulings` are the actions in its journal."""

    session: Session
    journal: Journal
    loop: CameraLoop

    @property
    def rulings(self) -> list[str]:
        kept = self.journal.latest()
        entries = self.journal.entries(kept.number) if kept else ()
        return [str(entry.action) for entry in entries if entry.action]

    @property
    def now(self) -> Snapshot:
        return self.session.snapshot()


@contextmanager
def running(camera: Camera, models: LoadedModels, folder: Path, figures: Figures | None = None) -> Iterator[Table]:
    """Run a table of plain dice with a camera."""
    dice = die_sets.load("intersection")
    with closing(Journal.in_folder(folder)) as journal:
        evidence = EvidenceStore(folder / "evidence")
        session = open_session(journal, evidence, games=games(), dice=dice, camera=camera.name, bay=True)
        with closing(session):
            receiver = TimedReceiver(session, figures or Figures())
            loop = CameraLoop(
                camera, receiver, lambda wanted: models.pipeline(wanted, TrayLayout(), live=camera.is_live)
            )
            session.start(PLAIN_DICE, ["Ann", "Bob"], {})
            loop.start()
            try:
                yield Table(session, journal, loop)
            finally:
                loop.stop()


def replayed(film: TrayFilm, models: LoadedModels) -> list[str]:
    """Return the rulings on a film that is given as `replay:`, as fast as it can be read."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(ReplayCamera(film.path, paced=False), models, Path(folder)) as table,
    ):
        while not table.loop.over:
            time.sleep(0.2)
        return table.rulings


@dataclass
class PhoneTable:
    """A table whose camera is Chromium with a film; `phone` is its page, and `tablet` one that shows the table."""

    table: Table
    figures: Figures
    context: BrowserContext
    phone: Page
    tablet: Page
    first_reading_s: float = 0.0

    def shown_at(self) -> dict[int, float]:
        """Return when the phone showed each frame first (Unix time)."""
        seen: dict[int, float] = {}
        for number, at in self.phone.evaluate("() => window.filmed"):
            seen.setdefault(int(number), at / 1000)
        return seen

    def wait_for(self, frame: int) -> None:
        """Wait until the phone has shown so many frames."""
        self.phone.wait_for_function(f"() => window.filmed.some(([number]) => number >= {frame})", timeout=900_000)

    def wait(self, seconds: float) -> None:
        """Let so many seconds pass by the clock of the figures."""
        self.phone.wait_for_timeout(1000 * seconds * self.figures.clock.slower)

    def until(self, happens: Callable[[], bool], longest_s: float) -> float | None:
        """Return after how many seconds something happened, None if it did not."""
        clock = self.figures.clock
        began = clock.time()
        while (passed := clock.time() - began) < longest_s:
            if happens():
                return passed
            self.wait(0.03)
        return None


@contextmanager
def filmed(film: TrayFilm, models: LoadedModels, slower: float) -> Iterator[PhoneTable]:
    """Open the camera's page with a film, join in by the code, and open the table's page."""
    clock = SlowClock.starting_now(slower)
    figures = Figures(clock)
    camera = TimedPhone(figures)
    with tempfile.TemporaryDirectory() as folder, running(camera, models, Path(folder), figures) as table:
        service = TimedService(camera, table.loop, TrayLayout, clock.monotonic, LATE_S * slower)
        service.figures = figures
        pairing = PairingService(Path(folder), trust_local=False)
        app = create_app(Backends(table.session, access=pairing, phone_camera=service))
        with served_page(app, 4) as port, browser(film.path) as chromium:
            watching = chromium.new_context(viewport={"width": 1024, "height": 768})
            watching.add_init_script(clock.script)
            tablet = watching.new_page()
            tablet.goto(f"http://localhost:{port}/")
            tablet.evaluate(RULED)
            context = chromium.new_context(viewport={"width": 390, "height": 844}, permissions=["camera"])
            context.add_init_script(clock.script)
            context.add_init_script(f"addEventListener('DOMContentLoaded', {READ_NUMBERS})")
            phone = context.new_page()
            pairing.show_code()
            code = "".join(map(str, pairing.code() or ()))
            scanned = clock.time()
            opened = PhoneTable(table, figures, context, phone, tablet)
            opened.wait(TAP_S)  # the notice of the scanned address is tapped
            phone.goto(f"http://localhost:{port}/camera#{code}")
            figures.origin_s = phone.evaluate("() => performance.timeOrigin") / 1000
            opened.until(lambda: bool(table.now.dice), PATIENCE_S)
            opened.first_reading_s = clock.time() - scanned
            yield opened
        pairing.close()


@contextmanager
def browser(film: Path) -> Iterator[Browser]:
    """Open a Chromium whose camera shows a film."""
    camera = (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )
    with sync_playwright() as browsers:
        opened = browsers.chromium.launch(executable_path=chromium_path(), args=[*QUIET, *camera])
        yield opened
        opened.close()


# Rulings, lateness and bytes


def play(film: TrayFilm, given: argparse.Namespace, models: LoadedModels) -> Play:
    """Show a film to the phone and, ruled on as a replay, to the box itself."""
    by_replay = replayed(film, models)
    with filmed(slowed(film, round(given.slower)), models, given.slower) as table:
        throws = [legs for throw in film.throws if (legs := _legs(throw, table))]
        rests, moves = _intervals(film, table.shown_at())
        arrived, now = table.figures.arrived, table.table.now
        return Play(
            given.seed, given.felt, given.slower, [list(throw.faces) for throw in film.throws],
            table.table.rulings, by_replay,
            [*(each.sentence for each in now.questions), *now.doubts], throws,
            [handed - taken for taken, handed in table.figures.handed.values()],
            _sent_in(rests, arrived), _sent_in(moves, arrived), table.first_reading_s, os.getloadavg()[0],
        )  # fmt: skip


def _legs(throw: FilmedThrow, table: PhoneTable) -> ThrowLegs | None:
    """Return the moments of a throw, from the last frame that moves to the table page's first change with it."""
    table.wait_for(throw.rests + round(2.2 * RATE))
    changes = table.tablet.evaluate("() => window.changes.splice(0)")
    shown, figures = table.shown_at(), table.figures
    rested = next((at for number, at in sorted(shown.items()) if number >= throw.rests), None)
    changed = next((at / 1000 for at in changes if rested and at / 1000 > rested), None)
    if rested is None or changed is None:
        return None
    settled = next((each for each in figures.settled if each[1] > rested), None)
    first_full = next((each.taken for each in figures.arrived if each.is_full and each.taken > rested), None)
    if settled is None or first_full is None or settled[0] not in figures.handed:
        return None
    number, read, ruled = settled
    taken, came = figures.handed[number]
    arrived = min(figures.arrived, key=lambda each: abs(each.taken - taken)).at
    return ThrowLegs(rested, taken, arrived, came, read, min(ruled, changed), changed, first_full)


def _intervals(film: TrayFilm, seen: dict[int, float]) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return when the dice lay still and nothing was read, and when they moved or were read."""
    numbers = sorted(seen)

    def at(frame: int) -> float:
        return seen[next((number for number in numbers if number >= frame), numbers[-1])]

    moves = [(at(throw.begins), at(throw.rests) + READING_S) for throw in film.throws]
    rests = [(end, begin) for (_, end), (begin, _) in pairwise(moves) if begin > end]
    return rests, moves


def _sent_in(times: Sequence[tuple[float, float]], sent: Sequence[Arrived]) -> list[tuple[int, int, float]]:
    """Return bytes, pictures and seconds of each interval."""
    within = [([each for each in sent if begin <= each.at < end], end - begin) for begin, end in times]
    return [(sum(each.size for each in those), len(those), lasted) for those, lasted in within]


# A lost connection


def lose(film: TrayFilm, lasts_s: float, slower: float, models: LoadedModels) -> None:
    """Cut the phone's connection in the middle of the film's second throw, and print what comes of it."""
    first, second, third = film.throws
    with filmed(slowed(film, round(slower)), models, slower) as table:
        table.wait_for((second.begins + second.rests) // 2)
        before = table.table.rulings
        lost_at = table.figures.clock.time()
        table.context.set_offline(True)
        noticed = table.until(lambda: bool(_noticed(table.table.now)), lasts_s)
        last_at = table.figures.arrived[-1].at
        silent_s = table.figures.clock.time() - last_at
        table.wait(max(0.0, lasts_s - (table.figures.clock.time() - lost_at)))
        table.context.set_offline(False)
        if noticed is None:
            noticed = table.until(lambda: bool(_noticed(table.table.now)), 3.0)
            silent_s = table.figures.clock.time() - last_at
        sentence = _noticed(table.table.now)
        back = table.until(lambda: not table.table.now.camera_trouble, PATIENCE_S)
        table.wait(4.0)
        now, meanwhile = table.table.now, table.table.rulings[len(before) :]
        said = "never said" if noticed is None else f"said {silent_s:.1f} s after the last picture"
        print(f"lost for {lasts_s:.0f} s: {said}, back {_told(back)} after the connection")
        print(f"  noticed by: {sentence!r}")
        print(f"  rulings before {before}, then {meanwhile}; load {os.getloadavg()[0]:.1f}")
        print(f"  the umpire asks: {[each.sentence for each in now.questions]!r}; says {list(now.doubts)}")
        for question in now.questions:
            table.table.session.answer(question.number, question.choices[0][0])
        table.wait_for(third.rests + 3 * RATE)
        asked = [each.sentence for each in table.table.now.questions]
        print(f"  rulings in all {table.table.rulings}, at the end asked {asked}")
        for throw in (first, second, third):
            print(f"  truth: {' '.join(throw.faces)}")


def _noticed(now: Snapshot) -> str:
    """Return what says that the picture was lost: of the camera, or in a question or doubt."""
    return now.camera_trouble or " ".join([*(each.sentence for each in now.questions), *now.doubts])


def _told(seconds: float | None) -> str:
    return "never" if seconds is None else f"{seconds:.1f} s"


def _lost_film(folder: Path, lasts_s: float, given: argparse.Namespace) -> TrayFilm:
    """Return a film of three throws, of which the third is made after the loss."""
    starts = [FIRST_S, FIRST_S + APART_S, FIRST_S + APART_S + lasts_s + 8.0]
    return make_film(folder / "lost.mjpeg", starts, starts[-1] + 12.0, _look(given))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throws", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0, help=f"of dice and throws; the lamp is one of {len(LAMPS)}")
    parser.add_argument("--felt", choices=FELTS, default=GREEN)
    parser.add_argument("--slower", type=float, default=1.0, help="by which factor all goes slower")
    parser.add_argument("--losses", type=float, nargs="*", default=[])
    parser.add_argument("--into", type=Path, help="a file to which the figures are added")
    parser.add_argument("--sum", type=Path, nargs="*", help="print the figures of these files, and measure nothing")
    given = parser.parse_args()
    if given.sum:
        report(read_plays(given.sum))
        return
    models = LoadedModels.load()
    with tempfile.TemporaryDirectory() as folder:
        if given.throws:
            starts = [FIRST_S + APART_S * number for number in range(given.throws)]
            film = make_film(Path(folder) / "film.mjpeg", starts, starts[-1] + LAST_S, _look(given))
            played = play(film, given, models)
            report([played])
            if given.into:
                played.append_to(given.into)
        for lasts_s in given.losses:
            lose(_lost_film(Path(folder), lasts_s, given), lasts_s, given.slower, models)


def _look(given: argparse.Namespace) -> FilmLook:
    return FilmLook(given.seed, given.felt)


if __name__ == "__main__":
    main()
