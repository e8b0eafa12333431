"""The installed page: its manifest and icons, its worker, and what is shown while the table does not answer."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest
import scenes
from browsers import served
from playwright.sync_api import Browser, Page, expect
from stub_game import StubGame

from web import Backends, create_app
from web.routes.app_routes import shell_files

STATIC = Path(__file__).parents[2] / "web" / "static"
AXIS = struct.Struct(">II")


def test_the_manifest_names_icons_that_are_there_and_as_large_as_it_says(client: Any) -> None:
    manifest = json.loads(client.get("/manifest.webmanifest").data)
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "/", "/")
    for icon in manifest["icons"]:
        file = STATIC / icon["src"].removeprefix("/static/")
        if file.suffix == ".png":
            assert icon["sizes"] == "{}x{}".format(*AXIS.unpack_from(file.read_bytes(), 16))
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}


def test_the_worker_keeps_all_that_the_page_without_a_table_needs(client: Any) -> None:
    script = client.get("/service-worker.js").get_data(as_text=True)
    shell = json.loads(re.findall(r"^const SHELL = (.*);$", script, re.MULTILINE)[0])
    page = client.get("/away").get_data(as_text=True)
    needed = {url.partition("?")[0] for url in re.findall(r'(?:src|href)="(/static/[^"]+)"', page)}
    assert needed <= {*shell, "/away"}
    assert all((STATIC / name).is_file() for name in shell_files())


def test_the_page_and_its_worker_come_from_this_address_alone(client: Any) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "manifest-src 'self'" in policy
    assert "worker-src 'self'" in policy
    assert client.get("/service-worker.js").headers["Cache-Control"] == "no-store"


@pytest.mark.browser
def test_a_table_that_does_not_answer_is_said_and_the_page_comes_back_by_itself(
    chromium: Browser, game_stub: StubGame
) -> None:
    context = chromium.new_context()
    page = context.new_page()
    app = create_app(Backends(game_stub), heartbeat_s=0.1)
    with served(app) as address:
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        expect(page.locator("#turn h1")).to_be_visible()
        context.set_offline(True)
        page.reload()
        expect(page.locator("h1")).to_have_text("The table does not answer")
        expect(page.locator("#table")).to_have_count(0)
        context.set_offline(False)
        expect(page.locator("#turn h1")).to_be_visible()
    context.close()


@pytest.mark.browser
def test_nothing_can_be_tapped_while_the_table_does_not_answer(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#turn h1")).to_be_visible()
    page.route("**/api/**", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator("#line-lost")).to_be_visible()
    assert page.locator("#table").evaluate("table => table.inert")
    page.unroute("**/api/**")
    expect(page.locator("#line-lost")).to_have_count(0)
    assert not page.locator("#table").evaluate("table => table.inert")


LOCKS = """Object.defineProperty(navigator, 'wakeLock', {value: {request: async (kind) => {
  const lock = new EventTarget();
  lock.release = async () => { document.documentElement.dataset.lock = 'released'; };
  document.documentElement.dataset.lock = kind;
  return lock;
}}});"""


@pytest.mark.browser
def test_the_screen_stays_on_while_a_game_is_played_and_no_longer(page: Page, game_stub: StubGame) -> None:
    page.add_init_script(LOCKS)
    page.goto("/")
    expect(page.locator("#turn h1")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-lock", "screen")
    game_stub.show(scenes.IDLE)
    expect(page.locator("html")).to_have_attribute("data-lock", "released")


@pytest.mark.browser
def test_the_colours_are_the_devices_or_those_that_were_chosen(page: Page) -> None:
    def night() -> str:
        return str(page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--night').trim()"))

    page.emulate_media(color_scheme="light")
    page.goto("/")
    expect(page.locator("#turn h1")).to_be_visible()
    light = night()
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = night()
    assert light != dark
    page.locator("#menu").tap()
    page.locator("#colours").tap()
    assert night() == light
    expect(page.locator("#toast")).to_contain_text("Colours: light")
    page.reload()
    assert night() == light
    page.locator("#menu").tap()
    page.locator("#colours").tap()
    page.emulate_media(color_scheme="light")
    assert night() == dark
