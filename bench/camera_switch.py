"""How long it takes from the tap on another camera to its first frame: `python bench/camera_switch.py`.

A whole Vander is started on a new data folder, with the virtual tray as its camera and a film in its folder. The camera
is chosen by the API as the page does: virtual, film, virtual, and so on. A change is over when the picture of the
chosen camera is there. With `--page` a real browser taps the tile and waits for the mark and the picture.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from tests.chromium import chromium_path  # noqa: E402

START_S = 90.0
POLL_S = 0.02
FILM_FRAMES = 6000


def main() -> None:
    """Measure, and print the median and the interval that 95 % of the changes lie in."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--changes", type=int, default=20)
    options.add_argument("--port", type=int, default=8130)
    options.add_argument("--page", action="store_true", help="tap the tiles in a real browser")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_film(Path(folder) / "recordings" / "film.avi")
        words = ["play", "--data-dir", folder, "--port", str(given.port)]
        command = [sys.executable, "-m", "vander", *words]
        program = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)  # noqa: S603 - ourselves
        try:
            address = f"http://localhost:{given.port}"
            wait_until(lambda: answers(address), START_S)
            seconds = by_page(address, given.changes) if given.page else by_api(address, given.changes)
        finally:
            program.terminate()
            program.wait()
    report(seconds, "page" if given.page else "API")


def write_film(path: Path) -> None:
    """Write a film of a moving square, which lasts longer than the bench."""
    path.parent.mkdir()
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (640, 480))
    for number in range(FILM_FRAMES):
        picture = np.full((480, 640, 3), 90, np.uint8)
        picture[200:260, number % 580 : number % 580 + 60] = 220
        writer.write(picture)
    writer.release()


def by_api(address: str, changes: int) -> list[float]:
    """Return the seconds of each change: from the request until the chosen camera's picture is answered."""
    seconds = []
    for number in range(changes):
        kind = ("replay", "virtual")[number % 2]
        key = next(each["key"] for each in ask(f"{address}/api/cameras")["cameras"] if each["kind"] == kind)
        began = time.monotonic()
        ask(f"{address}/api/cameras", {"key": key})
        wait_until(lambda key=key: has_picture(f"{address}/cameras/{key}.jpg"), START_S)  # type: ignore[misc]
        seconds.append(time.monotonic() - began)
    return seconds


def by_page(address: str, changes: int) -> list[float]:
    """Return the seconds of each change: from the tap until the tile is marked and shows a picture."""
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=chromium_path()) as browser:
        page = browser.new_page(base_url=address)
        page.set_default_timeout(1000 * START_S)
        page.goto("/cameras")
        page.locator(".camera canvas.drawn").first.wait_for()
        return [tap(page, ("replay", "virtual")[number % 2]) for number in range(changes)]


def tap(page: Page, kind: str) -> float:
    tile = page.locator(f'.camera[data-kind="{kind}"]')
    began = time.monotonic()
    tile.click()
    page.locator(f'.camera[data-kind="{kind}"][data-mark="on"] canvas.drawn').wait_for()
    return time.monotonic() - began


def ask(url: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "X-Vander": "tablet"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers), timeout=60) as answer:  # noqa: S310 - our own page
        found: dict[str, Any] = json.load(answer)
    return found


def has_picture(url: str) -> bool:
    with urlopen(url, timeout=60) as answer:  # noqa: S310 - our own page
        return bool(answer.read())


def answers(address: str) -> bool:
    try:
        return bool(ask(f"{address}/api/cameras"))
    except (URLError, ConnectionError):
        return False


def wait_until(is_so: Callable[[], bool], longest_s: float) -> None:
    until = time.monotonic() + longest_s
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError("it did not happen")
        time.sleep(POLL_S)


def report(seconds: list[float], by: str) -> None:
    ordered = sorted(seconds)
    low, high = np.percentile(ordered, (2.5, 97.5))
    print(f"camera switched, tap to first frame, by the {by}: n = {len(ordered)}")
    print(
        f"median {statistics.median(ordered):.2f} s, 95 % from {low:.2f} to {high:.2f} s, longest {ordered[-1]:.2f} s"
    )


if __name__ == "__main__":
    main()
