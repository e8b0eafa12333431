"""A phone as the camera: how late its pictures and rulings come, what it sends, and what a lost connection does.

    python tests/bench/phone_camera.py [--throws 60] [--losses 1 10 60]

A real Chromium opens `/camera` with a film of the virtual tray as its camera, joins in by the code, and sends its
pictures to the box, which runs in this process with the shipped models and counts plain dice. The film is made first,
of trays under several lamps, with known throws; the same film is ruled on as `replay:` too. Then the connection is cut
in mid-throw.
On a machine that does other work the figures are that machine's, not Vander's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = "framerate;30"  # a Motion JPEG does not say its rate

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from tablet import PLAIN_DICE, QUIET, served_page

from hardware.cameras.base import Camera
from hardware.cameras.phone import PhoneCamera, PhonePicture
from hardware.cameras.replay import ReplayCamera
from models import die_sets
from referee.games import games
from referee.snapshot import Snapshot
from tests.tray_film import RATE, READ_NUMBERS, FilmedThrow, TrayFilm, make_film
from vander.access import PairingService
from vander.app.camera_loop import CameraLoop
from vander.app.phone_camera_service import PhoneCameraService
from vander.resources.vision_models import LoadedModels
from vander.session.session import Session, open_session
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vision.frames import Frame
from vision.tray_calibration import TrayLayout
from web import Backends, create_app
from web.schemas.phone_camera_schemas import PictureAnswer
from web.services.phone_camera_backend import Phone, SentPicture

FILM_THROWS = 15
"""Throws of one film; more films show more dice and lamps."""
FIRST_S, APART_S, LAST_S = 8.0, 4.5, 5.0
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
class Figures:
    """What was measured, in seconds and bytes."""

    late: list[float] = field(default_factory=list)
    """From the moment at which a picture was taken to its frame at the reader."""
    sent: list[tuple[float, int, bool]] = field(default_factory=list)
    """When a picture arrived (Unix time), its bytes, and whether it was a full one."""


class TimedPhone(PhoneCamera):
    """The phone's camera, which notes how late each frame is; the page's clock began at `origin_s` (Unix time)."""

    def __init__(self, figures: Figures) -> None:
        super().__init__()
        self.figures, self.origin_s = figures, 0.0

    def frame(self, timeout: float = 1.0) -> Frame:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, timeout)
            waiting: PhonePicture | None = self._waiting[0][0] if self._waiting else None
        frame = super().frame(timeout)
        if waiting and self.origin_s:
            self.figures.late.append(time.time() - self.origin_s - waiting.taken_s)
        return frame


class TimedService(PhoneCameraService):
    """What takes the pictures in, and counts their bytes."""

    figures: Figures

    def take(self, phone: Phone, picture: SentPicture) -> PictureAnswer:
        self.figures.sent.append((time.time(), len(picture.small) + len(picture.full), bool(picture.full)))
        return super().take(phone, picture)


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
def running(camera: Camera, models: LoadedModels, folder: Path) -> Iterator[Table]:
    """Run a table of plain dice with a camera."""
    dice = die_sets.load("intersection")
    with closing(Journal.in_folder(folder)) as journal:
        evidence = EvidenceStore(folder / "evidence")
        session = open_session(journal, evidence, games=games(), dice=dice, camera=camera.name, bay=True)
        with closing(session):
            loop = CameraLoop(
                camera, session, lambda wanted: models.pipeline(wanted, TrayLayout(), live=camera.is_live)
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
    first_reading_s: float

    def shown_at(self) -> dict[int, float]:
        """Return when the phone showed each frame first (Unix time)."""
        seen: dict[int, float] = {}
        for number, at in self.phone.evaluate("() => window.filmed"):
            seen.setdefault(int(number), at / 1000)
        return seen

    def wait_for(self, frame: int) -> None:
        """Wait until the phone has shown so many frames."""
        self.phone.wait_for_function(f"() => window.filmed.some(([number]) => number >= {frame})", timeout=300_000)


@contextmanager
def filmed(film: TrayFilm, models: LoadedModels) -> Iterator[PhoneTable]:
    """Open the camera's page with a film, join in by the code, and open the table's page."""
    figures = Figures()
    camera = TimedPhone(figures)
    with tempfile.TemporaryDirectory() as folder, running(camera, models, Path(folder)) as table:
        service = TimedService(camera, table.loop, TrayLayout())
        service.figures = figures
        pairing = PairingService(Path(folder), trust_local=False)
        app = create_app(Backends(table.session, access=pairing, phone_camera=service))
        with served_page(app, 4) as port, browser(film.path) as chromium:
            tablet = chromium.new_page(viewport={"width": 1024, "height": 768})
            tablet.goto(f"http://localhost:{port}/")
            tablet.evaluate(RULED)
            context = chromium.new_context(viewport={"width": 390, "height": 844}, permissions=["camera"])
            context.add_init_script(f"addEventListener('DOMContentLoaded', {READ_NUMBERS})")
            phone = context.new_page()
            pairing.show_code()
            code = "".join(map(str, pairing.code() or ()))
            scanned = time.time()
            phone.wait_for_timeout(1000 * TAP_S)  # the notice of the scanned address is tapped
            phone.goto(f"http://localhost:{port}/camera#{code}")
            camera.origin_s = phone.evaluate("() => performance.timeOrigin") / 1000
            until = time.time() + PATIENCE_S
            while not table.now.dice and time.time() < until:
                phone.wait_for_timeout(50)
            yield PhoneTable(table, figures, context, phone, tablet, time.time() - scanned)
        pairing.close()


@contextmanager
def browser(film: Path) -> Iterator[Browser]:
    """Open a Chromium whose camera shows a film."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    camera = (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )
    with sync_playwright() as browsers:
        opened = browsers.chromium.launch(executable_path=chromium, args=[*QUIET, *camera])
        yield opened
        opened.close()


# Rulings, lateness and bytes


@dataclass
class Play:
    """What one film gave."""

    film: TrayFilm
    by_phone: list[str]
    by_replay: list[str]
    late: list[float]
    changed: list[float]
    at_rest: list[tuple[int, float]]
    moving: list[tuple[int, float]]
    small_at_rest: float
    first_reading_s: float


def play(film: TrayFilm, models: LoadedModels) -> Play:
    """Show a film to the phone and, ruled on as a replay, to the box itself."""
    by_replay = replayed(film, models)
    with filmed(film, models) as table:
        changed = [change for throw in film.throws if (change := _change_after(throw, table))]
        seen = table.shown_at()
        rests, moves = _intervals(film, seen)
        sent = table.figures.sent
        rest_s = sum(end - begin for begin, end in rests)
        small = sum(not full for at, _, full in sent if any(begin <= at < end for begin, end in rests))
        return Play(
            film, table.table.rulings, by_replay, table.figures.late, changed, _bytes_in(rests, sent),
            _bytes_in(moves, sent), small / rest_s, table.first_reading_s,
        )  # fmt: skip


def _change_after(throw: FilmedThrow, table: PhoneTable) -> float | None:
    """Return seconds from the last frame of a throw that moves to the table page's first change with the new throw."""
    table.wait_for(throw.rests + round(2.4 * RATE))
    changes = table.tablet.evaluate("() => window.changes.splice(0)")
    seen = table.shown_at()
    rested = next((at for number, at in sorted(seen.items()) if number >= throw.rests), None)
    after = [change / 1000 for change in changes if rested and change / 1000 > rested]
    return min(after) - rested if rested and after else None


def _intervals(film: TrayFilm, seen: dict[int, float]) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return when the dice lay still and nothing was read, and when they moved or were read."""
    numbers = sorted(seen)

    def at(frame: int) -> float:
        return seen[next((number for number in numbers if number >= frame), numbers[-1])]

    moves = [(at(throw.begins), at(throw.rests) + READING_S) for throw in film.throws]
    rests = [(end, begin) for (_, end), (begin, _) in pairwise(moves) if begin > end]
    return rests, moves


def _bytes_in(times: Sequence[tuple[float, float]], sent: Sequence[tuple[float, int, bool]]) -> list[tuple[int, float]]:
    """Return bytes and seconds of each interval."""
    return [(sum(size for at, size, _ in sent if begin <= at < end), end - begin) for begin, end in times]


def _rate(intervals: Sequence[tuple[int, float]]) -> float:
    """Return kilobytes a second."""
    return sum(size for size, _ in intervals) / sum(lasted for _, lasted in intervals) / 1000


def report(plays: Sequence[Play]) -> None:
    """Print the figures of all films."""
    throws = [throw for each in plays for throw in each.film.throws]
    late = [each for one in plays for each in one.late]
    changed = [each for one in plays for each in one.changed]
    print(f"from scanning the code to the first reading: {max(each.first_reading_s for each in plays):.1f} s")
    _print_late("from a picture taken to its frame at the reader", late)
    _print_late("from the last motion to the changed table page", changed)
    print(f"at rest {_rate([one for each in plays for one in each.at_rest]):.0f} KB a second,", end=" ")
    print(f"{max(each.small_at_rest for each in plays):.1f} small pictures a second at most;", end=" ")
    print(f"moving {_rate([one for each in plays for one in each.moving]):.0f} KB a second")
    for each in plays:
        same = sum(one == other for one, other in zip(each.by_phone, each.by_replay, strict=False))
        print(f"{each.film.path.name}: {len(each.film.throws)} throws,", end=" ")
        print(f"ruled on by phone {len(each.by_phone)}, as a replay {len(each.by_replay)}, {same} the same in order")
        for one, other in zip(each.by_phone, each.by_replay, strict=False):
            if one != other:
                print(f"  phone  {one}\n  replay {other}")
    print(f"throws in all: {len(throws)}; load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _print_late(what: str, seconds: Sequence[float]) -> None:
    if len(seconds) > 1:
        late = statistics.quantiles(seconds, n=20)[-1]
        print(
            f"{what}: median {1000 * statistics.median(seconds):.0f} ms, 95 % {1000 * late:.0f} ms, of {len(seconds)}"
        )


# A lost connection


def lose(film: TrayFilm, lasts_s: float, models: LoadedModels) -> None:
    """Cut the phone's connection in the middle of the film's second throw, and print what comes of it."""
    _first, second, *_ = film.throws
    with filmed(film, models) as table:
        table.wait_for((second.begins + second.rests) // 2)
        before = table.table.rulings
        table.context.set_offline(True)
        lost_at = time.time()
        noticed = _until(lambda: bool(table.table.now.camera_trouble), table, lasts_s)
        sentence = table.table.now.camera_trouble
        table.phone.wait_for_timeout(1000 * max(0.0, lasts_s - (time.time() - lost_at)))
        table.context.set_offline(False)
        back = _until(lambda: not table.table.now.camera_trouble, table, PATIENCE_S)
        table.phone.wait_for_timeout(4000)
        now = table.table.now
        print(f"lost for {lasts_s:.0f} s: noticed after {_told(noticed)}, back {_told(back)} after the connection")
        print(f"  meanwhile: {sentence!r}")
        print(f"  rulings before {before}, then {table.table.rulings[len(before) :]}")
        print(f"  the umpire asks: {[each.sentence for each in now.questions]!r}; says {list(now.doubts)}")
        for throw in film.throws:
            print(f"  truth: {' '.join(throw.faces)}")


def _until(happens: object, table: PhoneTable, longest_s: float) -> float | None:
    began = time.time()
    while time.time() - began < longest_s:
        if callable(happens) and happens():
            return time.time() - began
        table.phone.wait_for_timeout(40)
    return None


def _told(seconds: float | None) -> str:
    return "never" if seconds is None else f"{seconds:.1f} s"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=60)
    parser.add_argument("--losses", type=float, nargs="*", default=[1.0, 10.0, 60.0])
    given = parser.parse_args()
    models = LoadedModels.load()
    with tempfile.TemporaryDirectory() as folder:
        plays = []
        for seed in range(0, -(-given.throws // FILM_THROWS)):
            count = min(FILM_THROWS, given.throws - seed * FILM_THROWS)
            starts = [FIRST_S + APART_S * number for number in range(count)]
            film = make_film(Path(folder) / f"film-{seed}.mjpeg", starts, starts[-1] + APART_S + LAST_S, seed)
            plays.append(play(film, models))
            film.path.unlink()
        if plays:
            report(plays)
        for lasts_s in given.losses:
            starts = [FIRST_S, FIRST_S + APART_S, FIRST_S + 2.5 * APART_S]
            film = make_film(Path(folder) / "lost.mjpeg", starts, starts[1] + lasts_s + 20, 90)
            lose(film, lasts_s, models)


if __name__ == "__main__":
    main()
