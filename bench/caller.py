"""How soon the caller is heard after a ruling, and whether it says what was ruled, on a recorded loudspeaker.

    python bench/caller.py [--throws 20] [--language de]

Vander runs in this process with the virtual tray and counts plain dice. A real Chromium plays on a PulseAudio null
sink that is recorded (Debian's pulseaudio, pulseaudio-utils and ffmpeg). For each throw: the milliseconds from the
changed ruling on the page to the first sound, and whether of all clips of numbers the one that was recorded fits best
that says the ruling's number. On a machine that does other work the figures are that machine's, not Vander's.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from null_sink import RATE, Recording, null_sink
from numpy.typing import NDArray
from playwright.sync_api import Page, sync_playwright
from tablet import PLAIN_DICE, served_page

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.games import games
from tests.chromium import QUIET, chromium_path
from vander.app.backends import Backends
from vander.app.camera_loop import CameraLoop
from vander.app.web_app import create_app
from vander.resources.models_and_stores import LoadedModels
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import open_session
from vision.tray_calibration import TrayLayout
from web.static_files import STATIC

LONGEST_MS, POLL_MS = 45_000, 250
"""How long a ruling may take, and how often the page is asked for it. A busy machine needs more than 15 s."""
READY_S, STILL_S = 60.0, 2.0
"""How long the caller may take until it has been tried, and the silence after which the trial is over."""
DECODED_S = 60.0
START_S, THROW_S = 120, 60
"""The whole run may take START_S and so much for each throw, whatever hangs."""
SPEECH_MS = 2500
"""How long after a ruling the loudspeaker is listened to."""
HEARD = 0.004
"""The first sample above this, -1..1, is the first sound: the sink is silent but for what the page plays."""
CLIP_RATE = 16000
PIECE, GAP = CLIP_RATE // 10, CLIP_RATE * 3 // 20
"""Samples of a clip that are compared at once, and how far such a piece may be from where it belongs."""
CALLED = """(() => {
  const Plain = window.EventSource;
  window.called = 0;
  window.EventSource = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => { window.called = JSON.parse(data).called; });
    }
  };
})()"""
"""Notes the number of the newest ruling before the page draws it."""
RULED = """() => {
  window.ruled = [];
  new MutationObserver(() => window.ruled.push([performance.timeOrigin + performance.now(),
    document.querySelector('#ruling .total')?.textContent ?? '', window.called]))
    .observe(document.getElementById('ruling'), {subtree: true, childList: true, characterData: true});
}"""
ANSWER = """async () => {
  const { questions } = await (await fetch('/api/snapshot')).json();
  const asked = questions.find(({ choices }) => choices.some(({ title }) => title.startsWith('Yes, ')));
  if (!asked) return;
  const { answer } = asked.choices.find(({ title }) => title.startsWith('Yes, '));
  const headers = { 'X-Vander': 'tablet', 'Content-Type': 'application/json' };
  const body = JSON.stringify({ question: asked.number, choice: answer });
  await fetch('/api/answer', { method: 'POST', headers, body });
}"""
"""Answers that the dice were thrown, as another tablet would: the page hears of it by its stream, as of a ruling."""
Drawn = tuple[float, str, int]
"""When the ruling's card was drawn, in milliseconds of the wall clock, its total ('' without one), and its number."""


def clips_of(language: str) -> dict[int, NDArray[np.float32]]:
    """Return the sound of each number from 0 to 99, at CLIP_RATE."""
    folder = STATIC / "voice"
    words = ("-loglevel", "error", "-i", str(folder / f"{language}.mp3"), "-f", "f32le", "-ar", str(CLIP_RATE), "-")
    decoded = subprocess.run(["ffmpeg", *words], capture_output=True, check=True, timeout=DECODED_S).stdout  # noqa: S603, S607  our own words
    sound = np.frombuffer(decoded, np.float32)
    mark = int(np.argmax(np.abs(sound) > 0.3))
    places = json.loads((folder / f"{language}.json").read_text("utf-8"))["clips"]
    return {number: _cut(sound, mark, *places[str(number)]) for number in range(100)}


def _cut(sound: NDArray[np.float32], mark: int, start: float, length: float) -> NDArray[np.float32]:
    first = mark + int(start * CLIP_RATE)
    return sound[first : first + int(length * CLIP_RATE)]


def best_fit(heard: NDArray[np.float32], clips: Mapping[int, NDArray[np.float32]]) -> tuple[int, float]:
    """Return the number whose clip fits a recording at CLIP_RATE best, and how well it fits, 0..1.

    A clip is compared piece by piece, each up to GAP_S from where the piece before it ends: a busy machine's sound has
    gaps of some hundredths of a second, after which a clip as a whole fits no better than that of another number. What
    a clip leaves unexplained counts against it: "four" fits the end of "twenty-four" better than that itself.
    """
    sound = HeardSound.of(heard)
    fits = {number: _fit(sound, clip) for number, clip in clips.items()}
    number = max(fits, key=fits.__getitem__)
    return number, fits[number]


@dataclass(frozen=True)
class HeardSound:
    """What was heard from the first sound to the last, its spectrum, and the energy of PIECE samples from each on."""

    length: int
    spectrum: NDArray[np.complex128]
    energy: NDArray[np.float64]

    @classmethod
    def of(cls, heard: NDArray[np.float32]) -> HeardSound:
        """Return a recording at CLIP_RATE, for pieces to be found in."""
        loud = np.flatnonzero(np.abs(heard) > HEARD)
        sound = heard[loud[0] : loud[-1] + 1] if len(loud) else heard[:1]
        size = 1 << (len(sound) + PIECE).bit_length()
        squares = np.concatenate([[0.0], np.cumsum(sound.astype(np.float64) ** 2)])
        ends = np.minimum(np.arange(len(sound)) + PIECE, len(sound))
        return cls(len(sound), np.fft.rfft(sound, size), squares[ends] - squares[: len(sound)])

    def correlations(self, piece: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return how well a piece fits at each sample, -1..1."""
        size = 2 * (len(self.spectrum) - 1)
        moved = np.fft.irfft(self.spectrum * np.conj(np.fft.rfft(piece, size)), size)[: self.length]
        return np.asarray(moved / np.sqrt(np.maximum(self.energy, 1e-3) * float((piece**2).sum()) + 1e-12))


def _fit(heard: HeardSound, clip: NDArray[np.float32]) -> float:
    pieces = [clip[first : first + PIECE] for first in range(0, len(clip) - PIECE // 2, PIECE)]
    energies = [float((piece**2).sum()) for piece in pieces]
    correlated = [heard.correlations(piece) for piece in pieces]
    loudest = int(np.argmax(energies))
    places = {loudest: int(np.argmax(correlated[loudest]))}
    for place, neighbour in (*_outward(range(loudest + 1, len(pieces))), *_outward(range(loudest - 1, -1, -1))):
        expected = places[neighbour] + PIECE * (place - neighbour)
        first = max(0, min(expected - GAP, heard.length - 1))
        near = correlated[place][first : max(first + 1, expected + GAP)]
        places[place] = first + int(np.argmax(near))
    fits = np.array([correlated[place][at] for place, at in sorted(places.items())])
    explained = sum(heard.energy[at] * max(0.0, fits[place]) ** 2 for place, at in places.items())
    fit = float(np.average(fits, weights=np.maximum(energies, 1e-9)))
    return max(0.0, fit) * min(1.0, float(explained) / max(1e-9, float(heard.energy[::PIECE].sum())))


def _outward(places: range) -> list[tuple[int, int]]:
    """Return each place with the one before it on the way from the loudest piece."""
    return [(place, place - places.step) for place in places]


def measure(throws: int, language: str, folder: Path) -> None:
    """Print a line for each throw, then the figures."""
    dice, models = die_sets.load("d6"), LoadedModels.load()
    tray = VirtualTray("d6", seed=1, mishaps=Mishaps(0.0, 0.0))  # a leaning die is asked about, not ruled on
    with closing(Journal.in_folder(folder)) as journal, null_sink() as recording:
        table = open_session(
            journal, EvidenceStore(folder / "evidence"), games=games(), dice=dice, camera="virtual", bay=True
        )
        watch = CameraLoop(VirtualCamera(tray), table, lambda wanted: models.pipeline(wanted, TrayLayout()))
        watch.start()
        table.start(PLAIN_DICE, ["Ann"], {})
        try:
            with served_page(create_app(Backends(table, tray)), 1) as port:
                report(_throws(throws, language, tray, f"http://127.0.0.1:{port}", recording))
        finally:
            watch.stop()


def _throws(
    throws: int, language: str, tray: VirtualTray, address: str, recording: Recording
) -> list[tuple[float, bool]]:
    clips = clips_of(language)
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(
            executable_path=chromium_path(is_heard=True),
            args=list(QUIET),
            ignore_default_args=["--mute-audio"],
            env={**os.environ, "PULSE_SERVER": recording.server},
        )
        page = browser.new_page(viewport={"width": 1024, "height": 768})
        page.add_init_script(CALLED)
        page.goto(address)
        _let_call(page, language)
        _wait_for_trial(recording)
        page.evaluate(RULED)
        found = [_one_throw(tray, page, recording, clips) for _ in range(throws)]
        browser.close()
    return [each for each in found if each is not None]


def _let_call(page: Page, language: str) -> None:
    """Choose the caller as people do: by the menu and the dialog."""
    page.locator("#menu").click()
    page.locator("#caller").click()
    page.locator("#caller-language").select_option(language)
    page.locator("input[value=all]").click()
    page.keyboard.press("Escape")


def _wait_for_trial(recording: Recording) -> None:
    """Wait until the caller has said its trial to the end: a throw before that would be compared with the trial."""
    since, over = 1000 * time.time(), time.monotonic() + READY_S
    while time.monotonic() < over:
        time.sleep(POLL_MS / 1000)
        _, heard = recording.since(since)
        loud = np.flatnonzero(np.abs(heard) > HEARD)
        if len(loud) and len(heard) - loud[-1] > STILL_S * RATE:
            return
    raise SystemExit(f"the caller did not finish its trial within {READY_S:g} s: nothing was measured")


def _one_throw(
    tray: VirtualTray, page: Page, recording: Recording, clips: Mapping[int, Any]
) -> tuple[float, bool] | None:
    """The milliseconds to the first sound, and whether the ruling's number was heard; None without a ruling."""
    before: int = page.evaluate("window.called")
    tray.throw([int(die["number"]) for die in tray.dice()])
    ruling = None
    for _ in range(LONGEST_MS // POLL_MS):
        page.wait_for_timeout(POLL_MS)
        ruling = first_ruling(page.evaluate("window.ruled"), before)
        if ruling:
            break
        page.evaluate(ANSWER)  # a busy machine's camera misses dice that tumble, and the table asks
    else:
        print(f"a throw was not ruled on within {LONGEST_MS / 1000:g} s: {_shown(page)}", flush=True)
        return None
    page.wait_for_timeout(SPEECH_MS)
    assert ruling
    ruled_at, number = ruling
    began, heard = recording.since(ruled_at)
    loud = np.flatnonzero(np.abs(heard) > HEARD)
    if not len(loud):
        print(f"ruled {number}: nothing was heard", flush=True)
        return SPEECH_MS, False
    late = began + loud[0] / RATE * 1000 - ruled_at
    said, fit = best_fit(heard[:: RATE // CLIP_RATE], clips)
    print(f"ruled {number}, heard {said} (fit {fit:.2f}) after {late:.0f} ms", flush=True)
    return late, said == number


def first_ruling(drawn: Sequence[Drawn], before: int) -> tuple[float, int] | None:
    """When a ruling after the one numbered `before` was first drawn, and its total; None if it was not.

    The card is drawn again without a new ruling, with the total of the last one: when a notice or a picture comes late.
    """
    totals = ((at, total) for at, total, called in drawn if total and called > before)
    return next(((at, int(total.removeprefix("= "))) for at, total in totals), None)


def _shown(page: Page) -> str:
    """What the page shows instead of a ruling."""
    words = page.evaluate(
        "['question', 'banners', 'turn'].map((id) => document.getElementById(id).innerText).join(' / ')"
    )
    return " ".join(words.split())


def report(found: list[tuple[float, bool]]) -> None:
    """Print the figures of all throws."""
    if len(found) < 2:
        raise SystemExit("the page did not rule on two throws: nothing was measured")
    lates = [late for late, _ in found]
    percentile = statistics.quantiles(lates, n=20, method="inclusive")[-1]  # "exclusive" goes beyond the slowest throw
    print(f"from the ruling on the page to the first sound: median {statistics.median(lates):.0f} ms,", end=" ")
    print(f"95th percentile {percentile:.0f} ms, over {len(found)} throws;", end=" ")
    print(f"the ruling's number was heard in {sum(is_right for _, is_right in found)};", end=" ")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throws", type=int, default=20)
    parser.add_argument("--language", default="en")
    given = parser.parse_args()
    limit_s = START_S + THROW_S * given.throws
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"the run took longer than {limit_s} s and was ended"))
    signal.alarm(limit_s)
    with tempfile.TemporaryDirectory() as folder:
        measure(given.throws, given.language, Path(folder))


if __name__ == "__main__":
    main()
