"""The installed page: its manifest and icons, its worker, and what is shown while the table does not answer."""

from __future__ import annotations

import json
import re
import shutil
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import scenes
from browsers import served
from flask import Flask
from playwright.sync_api import Browser, Page, expect
from stub_game import StubGame

from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.static_files import StaticFiles

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
    assert all(client.get(url).status_code == 200 for url in shell)


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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the pages' files, which a test may change as an update does."""
    return shutil.copytree(STATIC, tmp_path / "static")


def update(app: Flask, folder: Path, name: str) -> None:
    """Change a script so that it titles the page, and serve the pages' files as the updated program does."""
    (folder / name).write_text(f"{(folder / name).read_text('utf-8')}document.title = 'updated';\n")
    app.extensions["static_files"] = StaticFiles(folder)


@pytest.mark.browser
def test_an_open_page_is_loaded_again_after_an_update_with_the_new_files_alone(
    chromium: Browser, game_stub: StubGame, folder: Path
) -> None:
    app = create_app(Backends(game_stub), heartbeat_s=0.1)
    page = chromium.new_page()
    with served(app) as address:
        page.goto(address)
        expect(page.locator("#turn h1")).to_be_visible()
        before = page.evaluate(OWN_VERSION)
        asked: list[str] = []
        page.on("request", lambda request: request.method == "GET" and asked.append(request.url))
        update(app, folder, "dom.js")
        game_stub.start_again(replace(scenes.PLAYING, run="updated", number=1000))
        expect(page).to_have_title("updated")
        expect(page.locator("#turn h1")).to_be_visible()
        after = page.evaluate(OWN_VERSION)
        page.close()
    assert after != before
    assert {url.split("/static/")[1].split("/")[0] for url in asked if "/static/" in url} == {after}


@pytest.mark.browser
def test_an_open_page_stays_as_it_is_when_the_same_release_starts_again(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    expect(page.locator("#turn h1")).to_be_visible()
    page.evaluate("document.title = 'the same page'")
    with page.expect_request(lambda request: request.method == "HEAD" and "/joined/table.js" in request.url):
        game_stub.start_again(replace(scenes.PLAYING, run="again"))
        page.evaluate("dispatchEvent(new Event('online'))")  # at which the page asks, as it does every 10 s
    page.wait_for_timeout(300)
    expect(page).to_have_title("the same page")


OWN_VERSION = "document.querySelector('script').src.split('/')[4]"
UPDATED = """async (own) => {
  const isKept = async () => (await (await caches.match('/away')).text()).includes(own);
  while ((await caches.keys()).length !== 1 || !(await isKept())) await new Promise((done) => setTimeout(done, 100));
}"""
"""Waits until the worker keeps the files of the page's own version alone; the browser takes some seconds."""


@pytest.mark.browser
def test_an_update_is_kept_for_when_the_table_does_not_answer(
    chromium: Browser, game_stub: StubGame, folder: Path
) -> None:
    context = chromium.new_context()
    page = context.new_page()
    app = create_app(Backends(game_stub), heartbeat_s=0.1)
    with served(app) as address:
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        update(app, folder, "away.js")
        page.goto(address)
        page.evaluate(UPDATED, page.evaluate(OWN_VERSION))
        context.set_offline(True)
        page.reload()
        expect(page).to_have_title("updated")
        expect(page.locator("h1")).to_have_text("The table does not answer")
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
def test_the_screen_stays_on_while_a_game_is_played_and_no_longer(own_page: Page, game_stub: StubGame) -> None:
    own_page.add_init_script(LOCKS)
    own_page.goto("/")
    expect(own_page.locator("#turn h1")).to_be_visible()
    expect(own_page.locator("html")).to_have_attribute("data-lock", "screen")
    game_stub.show(scenes.IDLE)
    expect(own_page.locator("html")).to_have_attribute("data-lock", "released")


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
