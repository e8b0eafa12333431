"""Draw every phase of every game, and each page, at the sizes of a tablet, a phone and a television: `docs/screens/`.

    python tests/web/contact_sheet.py [--folder docs/screens] [--game rollers]

One picture a game and size, each small: to be looked at, and compared with the last ones, after the look has changed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from dataclasses import replace
from math import ceil
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

import scenes
from browsers import served
from game_phases import GAMES, phases
from stub_game import StubGame, StubSimulator
from stub_learning import StubChecks, StubLearning

from referee.snapshot import Snapshot
from web import Backends, create_app

SIZES = {"tablet": (1024, 768), "upright": (768, 1024), "phone": (390, 844), "television": (1920, 1080)}
TILE = {"tablet": 280, "upright": 210, "phone": 150, "television": 320}
"""The width of one screen in a sheet."""
ACROSS = {"tablet": 4, "upright": 6, "phone": 6, "television": 4}
FOLDER = Path(__file__).parents[2] / "docs/screens"
PAGES = ("/", "/tray", "/dice", "/doctor", "/fair-play")
TABLE = ("IDLE", "DOUBT", "BREACH", "TROUBLE", "INTERVENED", "UNCONFIRMED")
QUALITY = 22
CAPTION = 18

Picture = npt.NDArray[np.uint8]


def main() -> None:
    """Draw all sheets, or those of one game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--game", choices=(*GAMES, "pages"))
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    game = StubGame()
    tray = StubSimulator()
    services = Backends(game, tray, StubLearning(), StubChecks(), face_pictures=game, stage=tray)
    with served(create_app(services, heartbeat_s=0.1)) as address, sync_playwright() as playwright:
        path = os.environ.get("VANDER_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name in [chosen.game] if chosen.game else [*GAMES, "pages"]:
            for size in SIZES:
                _draw_sheet(browser, address, game, name, size, chosen.folder)
        browser.close()


def _draw_sheet(browser: Browser, address: str, game: StubGame, name: str, size: str, folder: Path) -> None:
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce", color_scheme="dark")
    shots = _pages(page, address, game) if name == "pages" else _phases(page, address, game, name)
    if size == "television" and name != "pages":
        shots = [*shots, *_phases(page, address, game, name, "/?view=far", ("choice", "six"))]
    page.close()
    sheet = join([_captioned(picture, caption, TILE[size]) for caption, picture in shots], ACROSS[size])
    path = folder / f"{name}-{size}.webp"
    cv2.imwrite(str(path), sheet, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    print(f"{path}: {path.stat().st_size // 1000} kB, {len(shots)} screens")


def _phases(
    page: Page, address: str, game: StubGame, name: str, path: str = "/", only: tuple[str, ...] = ()
) -> list[tuple[str, Picture]]:
    page.goto(address + path)
    shown = phases(name)
    return [
        (f"{phase}{' (far)' if path != '/' else ''}", show(page, game, scene))
        for phase, scene in shown.items()
        if phase in (only or shown) and not (phase == "win" and scene == shown["over"])
    ]


def _pages(page: Page, address: str, game: StubGame) -> list[tuple[str, Picture]]:
    page.goto(address)
    shots = [(name.lower(), show(page, game, getattr(scenes, name))) for name in TABLE]
    game.show(scenes.PLAYING)
    for path in PAGES:
        page.goto(address + path)
        page.wait_for_timeout(400)
        shots.append((path, _shot(page)))
    return shots


def show(page: Page, game: StubGame, scene: Snapshot) -> Picture:
    """Show a scene on the open table page, and return the picture of the page."""
    game.show(replace(scene, run=game.snapshot().run))
    page.wait_for_selector(f'#table[data-number="{game.snapshot().number}"]', state="attached")
    page.wait_for_timeout(250)
    return _shot(page)


def _shot(page: Page) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _captioned(picture: Picture, caption: str, width: int) -> Picture:
    height = round(picture.shape[0] * width / picture.shape[1])
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    tile = np.full((height + CAPTION, width + 6, 3), 255, np.uint8)
    tile[CAPTION:, :width] = small
    cv2.putText(tile, caption, (2, CAPTION - 5), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1, cv2.LINE_AA)
    return tile


def join(tiles: list[Picture], across: int) -> Picture:
    """Return the tiles in rows."""
    height, width = tiles[0].shape[:2]
    sheet = np.full((height * ceil(len(tiles) / across), width * across, 3), 255, np.uint8)
    for place, tile in enumerate(tiles):
        top, left = place // across * height, place % across * width
        sheet[top : top + height, left : left + width] = tile
    return sheet


if __name__ == "__main__":
    main()
