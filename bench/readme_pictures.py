"""Make the pictures of the README: a film of throws and their rulings, and three screens, into `docs/pictures/`.

    python bench/readme_pictures.py [--folder docs/pictures] [--only throw] [--port 8093]

Vander runs as a process of its own with the virtual tray, and a real Chromium plays on its pages. Chance decides what
falls: where that shows nothing, it is played again. How long a frame is shown does not depend on how busy the machine
is; how many frames there are does.
"""

from __future__ import annotations

import argparse
import base64
import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.first_evening import running
from tests.chromium import QUIET, chromium_path

FOLDER = Path(__file__).parents[1] / "docs/pictures"
NAMES = ("Ann", "Bob")
MOST_TRIES = 12
FILM_SIZE, FILM_WIDTH = (1280, 800), 800
FILM_QUALITIES, SCREEN_QUALITY = (56, 48, 40, 32, 24), 72
MOST_OF_FILM = 400_000
THROWS = 2
SHORTEST_S = 0.08
"""Frames that follow each other sooner are left out."""
MOVING_S, RESTING_S, LAST_S = 0.15, 1.8, 3.5
"""How long a frame is shown at most, one that is to be read, and the last one."""
SAME = 9.0
"""Two frames show the same where their smallest pictures differ less, in grey levels: the camera's noise does."""
RULED_MS = 60_000
RULED = """(before) => document.querySelector('#question').open
  || document.querySelector('#ruling').innerText !== before"""
TAP = """(button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  const ring = document.body.appendChild(document.createElement('div'));
  const place = `left: ${left + width / 2 - 28}px; top: ${top + height / 2 - 28}px; width: 56px; height: 56px`;
  const look = 'border-radius: 50%; background: #fff9; box-shadow: 0 0 0 3px #fffc';
  ring.style.cssText = `position: fixed; z-index: 99; pointer-events: none; ${place}; ${look}`;
  setTimeout(() => ring.remove(), 500);
}"""
"""Show where a finger taps."""


class NothingToShow(RuntimeError):
    """Chance, or a busy machine, made a picture that shows something else."""


@dataclass(frozen=True)
class Still:
    """A picture of the page, and for how many seconds it stood."""

    picture: Image.Image
    seconds: float


def main() -> None:
    """Make all pictures, or one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--only", choices=PICTURES)
    parser.add_argument("--port", type=int, default=8093)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        for name in [asked.only] if asked.only else PICTURES:
            path = asked.folder / f"{name}.webp"
            save(_made(PICTURES[name], browser, asked.port), path)
            print(f"{path}: {path.stat().st_size / 1000:.0f} kB", flush=True)
        browser.close()


def _made(make: Callable[[Page, str], list[Still]], browser: Browser, port: int) -> list[Still]:
    """Play at a new table, as often as it needs, and return what is to be seen."""
    for _ in range(MOST_TRIES):
        page = browser.new_page(viewport=_sized(FILM_SIZE), locale="en", color_scheme="dark")
        with tempfile.TemporaryDirectory() as folder, running(Path(folder), "virtual", port) as address:
            try:
                return make(page, address)
            except NothingToShow as reason:
                print(f"again: {reason}", flush=True)
            finally:
                page.close()
    raise SystemExit(f"nothing to show in {MOST_TRIES} tries")


def _sized(size: tuple[int, int]) -> ViewportSize:
    return {"width": size[0], "height": size[1]}


def throw(page: Page, address: str) -> list[Still]:
    """Film throws of Toss Up! next to their rulings."""
    begin(page, address, "Toss Up!")
    with filmed(page) as film:
        page.wait_for_timeout(800)
        for _ in range(THROWS):
            film.rest()
            throw_asked(page, "in this turn")
            page.wait_for_timeout(1500)
    return film.stills()


def refused(page: Page, address: str) -> list[Still]:
    """Throw all dice where some are asked for: how they lay, and how they lie."""
    _begin_intersection(page, address)
    page.locator("#throw-all").click()
    _question(page, "Make the lower row")
    return screen(page, (1024, 768), 640)


def asked(page: Page, address: str) -> list[Still]:
    """Let a die lean: a phone shows what Vander asks."""
    begin(page, address, "Toss Up!")
    page.locator("#catalog summary").click()
    page.locator("#stage").click()
    page.locator("[data-situation=lean-on-die]").click()
    _question(page, "leans")
    return screen(page, (390, 780), 320)


def far(page: Page, address: str) -> list[Still]:
    """Show a game of Intersection as a television does."""
    _begin_intersection(page, address)
    page.locator("#close-tray").click()
    page.goto(f"{address}/?view=far")
    expect(page.locator("#turn h1")).to_be_visible()
    return screen(page, (1600, 900), 640)


PICTURES: dict[str, Callable[[Page, str], list[Still]]] = {
    "throw": throw,
    "refused": refused,
    "asked": asked,
    "far": far,
}


def begin(page: Page, address: str, game: str, starter: str = "") -> None:
    """Begin a game next to the virtual tray."""
    page.goto(address)
    page.get_by_role("link", name="Try it now").click()
    page.locator("#setup .choice", has_text=game).click()
    names = page.locator("#setup fieldset.names input[type=text]")
    for place, name in enumerate(NAMES):
        names.nth(place).fill(name)
    if starter:
        page.get_by_label("Who begins").select_option(starter)
    page.locator("#start").click()
    expect(page.locator("#setup")).to_be_hidden()
    expect(page.locator("#throw-asked")).to_be_enabled(timeout=RULED_MS)
    page.wait_for_timeout(1500)


def _begin_intersection(page: Page, address: str) -> None:
    """Begin a game of Intersection, and go on to a throw after which dice can be parked."""
    begin(page, address, "Intersection", starter=NAMES[0])
    throw_asked(page, "rolls go")


def throw_asked(page: Page, ruling: str) -> None:
    """Throw what is asked for and wait for the ruling, which must hold these words; all dice must be plain to see."""
    button, before = page.locator("#throw-asked"), page.locator("#ruling").inner_text()
    expect(button).to_be_enabled(timeout=RULED_MS)
    tap(page, button)
    page.wait_for_function(RULED, arg=before, timeout=RULED_MS)
    page.wait_for_timeout(500)
    if (
        ruling not in page.locator("#ruling").inner_text()
        or page.locator("#dice .die:is(.marked, .doubtful, .leaning)").count()
    ):
        raise NothingToShow(" ".join(page.locator("#ruling").inner_text().split()) or "a question")


def tap(page: Page, button: Locator) -> None:
    """Tap a button where it can be seen."""
    button.evaluate(TAP)
    page.wait_for_timeout(250)
    button.click(force=True)


def _question(page: Page, words: str) -> None:
    question = page.locator("#question")
    try:
        expect(question).to_contain_text(words, timeout=15_000)
        expect(question).to_be_visible(timeout=15_000)
    except AssertionError:
        raise NothingToShow("no such question") from None
    page.wait_for_timeout(1500)


class Film:
    """The frames that the browser draws: each with its moment, in seconds, and its JPEG."""

    def __init__(self) -> None:
        self.frames: list[tuple[float, bytes]] = []
        self._rests: list[int] = []

    def rest(self) -> None:
        """Let people read the newest frame."""
        self._rests.append(len(self.frames) - 1)

    def stills(self) -> list[Still]:
        """Return the frames that differ, each with its time."""
        kept: list[tuple[float, Image.Image, bool]] = []
        for number, (moment, jpeg) in enumerate(self.frames):
            is_rest = number in self._rests
            if kept and moment - kept[-1][0] < SHORTEST_S and not is_rest:
                continue
            small = scaled(jpeg, FILM_WIDTH)
            if not kept or differ(kept[-1][1], small):
                kept.append((moment, small, is_rest))
            elif is_rest:
                kept[-1] = (*kept[-1][:2], True)
        ends = [moment for moment, _, _ in kept[1:]]
        times = [
            RESTING_S if is_rest else min(end - begun, MOVING_S)
            for (begun, _, is_rest), end in zip(kept, ends, strict=False)
        ]
        return [Still(picture, seconds) for (_, picture, _), seconds in zip(kept, [*times, LAST_S], strict=True)]


@contextmanager
def filmed(page: Page) -> Iterator[Film]:
    """Film the page until the end of the block."""
    film = Film()
    devtools = page.context.new_cdp_session(page)

    def keep(event: dict[str, Any]) -> None:
        film.frames.append((event["metadata"]["timestamp"], base64.b64decode(event["data"])))
        devtools.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    devtools.on("Page.screencastFrame", keep)
    devtools.send("Page.startScreencast", {"format": "jpeg", "quality": 95})
    try:
        yield film
    finally:
        devtools.remove_listener("Page.screencastFrame", keep)
        devtools.send("Page.stopScreencast")
        page.wait_for_timeout(500)  # so that the last frame's answer is through before the page closes


def differ(one: Image.Image, other: Image.Image) -> bool:
    """Return True if two frames show something else; noise is none."""
    small = [np.asarray(each.convert("L").reduce(4), np.int16) for each in (one, other)]
    return bool(np.abs(small[0] - small[1]).max() > SAME)


def screen(page: Page, size: tuple[int, int], width: int) -> list[Still]:
    """Return the page as a screen of a size shows it, so many pixels wide."""
    page.set_viewport_size(_sized(size))
    page.wait_for_timeout(2000)
    return [Still(scaled(page.screenshot(), width), 0)]


def scaled(picture: bytes, width: int) -> Image.Image:
    large = Image.open(io.BytesIO(picture)).convert("RGB")
    return large.resize((width, round(large.height * width / large.width)), Image.Resampling.LANCZOS)


def save(shown: list[Still], path: Path, most: int = MOST_OF_FILM) -> None:
    """Write a WebP; one of several pictures begins again at its end, and is as fine as fits into so many bytes."""
    first, *others = [each.picture for each in shown]
    if not others:
        first.save(path, quality=SCREEN_QUALITY, method=6)
        return
    film: dict[str, Any] = {"save_all": True, "append_images": others, "loop": 0, "method": 4, "minimize_size": True}
    film["duration"] = [round(1000 * each.seconds) for each in shown]
    for quality in FILM_QUALITIES:
        first.save(path, quality=quality, **film)
        if path.stat().st_size < most:
            print(f"{len(shown)} frames, {sum(each.seconds for each in shown):.1f} s, quality {quality}")
            return
    raise SystemExit(f"{path.name} has {path.stat().st_size} bytes; {most} at most")


if __name__ == "__main__":
    main()
