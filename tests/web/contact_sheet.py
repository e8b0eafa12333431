"""Draw every phase of every game, and each page, at the sizes of a tablet, a phone and a television: `docs/screens/`.

    python tests/web/contact_sheet.py [--folder docs/screens] [--game rollers]

One picture a game and size, each small: to be looked at, and compared with the last ones, after the look has changed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
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
from past_scene import remembered
from stub_diagnostics import StubDiagnostics
from stub_game import StubGame, StubSimulator
from stub_learning import StubChecks, StubLearning
from test_camera_routes import StubCameras
from test_https_page import StubHttps
from test_open_games_page import STANDING
from test_phone_camera_routes import StubPhoneCamera

from hardware.mat import mat_bytes
from referee.snapshot import Snapshot
from tests.chromium import QUIET, chromium_path
from vander.app.backends import Backends
from vander.app.web_app import create_app
from vander.extras.players.dice_fairness import FairnessService
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.extras.players.player_service import PlayerService

SIZES = {
    "tablet": (1024, 768),
    "upright": (768, 1024),
    "phone": (390, 844),
    "sideways": (844, 390),
    "television": (1920, 1080),
}
TILE = {"tablet": 280, "upright": 210, "phone": 150, "sideways": 320, "television": 320}
"""The width of one screen in a sheet."""
ACROSS = {"tablet": 4, "upright": 6, "phone": 6, "sideways": 4, "television": 4}
FOLDER = Path(__file__).parents[2] / "docs/screens"
PAGES = {
    "/": "#turn h1",
    "/tray": ".handle",
    "/dice": "#die-sets-page:not(.waiting)",
    "/doctor": ".finding",
    "/fair-play": "#fair-play:not(.waiting)",
}
MORE_PAGES = {
    "/history": ".past",
    "/history/1": "#next",
    "/history/1/result": ".moment",
    "/players": ".player-row",
    "/players/1": ".achievement",
    "/fairness": ".plot",
    "/https": "main",
    "/camera": "#phone-camera",
    "/start": ".tile",
    "/cameras": ".camera canvas.drawn",
    "/welcome": "#next-thing h1",
    "/away": "#look-again",
}
"""The pages of each sheet, with what is there once a page is drawn."""
TABLE = ("IDLE", "DOUBT", "BREACH", "PUT_BACK", "TROUBLE", "INTERVENED", "UNCONFIRMED")
SHEETS = (*GAMES, "pages", "more-pages")
DIALOGS = {
    "new game": "#new-game",
    "caller": "#caller",
    "how to play": "#how-to-play",
    "so far": "#open-done",
}
"""What is tapped on the table's page for each dialog."""
QUALITY = 22
CAPTION = 18

Picture = npt.NDArray[np.uint8]


def main() -> None:
    """Draw all sheets, or those of one game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--game", choices=SHEETS)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    game = StubGame()
    game.standing = STANDING
    with (
        tempfile.TemporaryDirectory() as kept,
        remembered(Path(kept)) as memory,
        served(create_app(_services(game, *memory), heartbeat_s=0.1)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        for name in [chosen.game] if chosen.game else SHEETS:
            for size in SIZES:
                _draw_sheet(browser, address, game, name, size, chosen.folder)
        browser.close()


def _services(
    game: StubGame, players: PlayerService, history: PlayStatisticsService, fairness: FairnessService
) -> Backends:
    """Return stand-ins of everything that has a page."""
    tray, cameras = StubSimulator(), StubCameras()
    cameras.jpeg = game.camera_picture()
    return Backends(
        game,
        tray,
        StubLearning(),
        StubChecks(),
        StubDiagnostics(),
        face_pictures=game,
        stage=tray,
        players=players,
        history=history,
        fairness=fairness,
        https=StubHttps(),
        phone_camera=StubPhoneCamera(),
        cameras=cameras,
        mat=mat_bytes,
    )


def _draw_sheet(browser: Browser, address: str, game: StubGame, name: str, size: str, folder: Path) -> None:
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce", color_scheme="dark")
    pages = {"pages": _pages, "more-pages": _more_pages}
    shots = pages[name](page, address, game) if name in pages else _phases(page, address, game, name)
    if size == "television" and name in GAMES:
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
    return [*shots, *_shots_of(page, address, PAGES)]


def _more_pages(page: Page, address: str, game: StubGame) -> list[tuple[str, Picture]]:
    """Return the dialogs of the table's menu, and the pages that remember."""
    game.show(scenes.PLAYING)
    page.route("**/api/door", lambda route: route.abort())  # else /away leads to the table
    shots = [(name, _opened(page, address, opener)) for name, opener in DIALOGS.items()]
    return [*shots, *_shots_of(page, address, MORE_PAGES)]


def _shots_of(page: Page, address: str, pages: dict[str, str]) -> list[tuple[str, Picture]]:
    shots = []
    for path, drawn in pages.items():
        page.goto(address + path)
        page.wait_for_selector(drawn)
        page.wait_for_timeout(400)
        shots.append((path, _shot(page)))
    return shots


def _opened(page: Page, address: str, opener: str) -> Picture:
    """Return the picture of the table after a tap on what opens a dialog, in its bar or in its menu."""
    page.goto(address)
    page.wait_for_selector("#turn h1")
    if not page.locator(opener).is_visible():
        page.locator("#menu").click()
    page.locator(opener).click()
    page.wait_for_timeout(800)
    return _shot(page)


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
