"""What tests of all rooms share: the shipped models, and a browser, each opened once a run."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page, sync_playwright

from tests.chromium import UNDRAWN, chromium_path
from vander.resources.models_and_stores import LoadedModels
from vision.classification import Reader
from vision.detection import Finder
from vision.fewshot import PldaModel
from web.languages import COOKIE

PLAYWRIGHTS_PATIENCE_MS = 30_000
UPRIGHT = (768, 1024)
KEPT_BY_PAGES = "local_storage,indexeddb,cache_storage,file_systems"


@pytest.fixture(scope="session")
def models() -> LoadedModels:
    """The weights that ship."""
    return LoadedModels.load()


@pytest.fixture(scope="session")
def finder(models: LoadedModels) -> Finder:
    """The finder that ships."""
    return models.finder


@pytest.fixture(scope="session")
def reader(models: LoadedModels) -> Reader:
    """The reader that ships, untaught."""
    return models.reader


@pytest.fixture(scope="session")
def plda(models: LoadedModels) -> PldaModel:
    """The embedding space in which dice are taught."""
    return models.plda


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., Browser]]:
    """Start real browsers with further arguments: the one that VANDER_CHROMIUM names, or the system's own."""
    path = chromium_path()
    if not path:
        sentence = "The page tests need a Chromium: install one, or name it in VANDER_CHROMIUM."
        if os.environ.get("CI") == "true":
            pytest.fail(sentence)
        pytest.skip(sentence)
    with sync_playwright() as playwright:
        yield lambda *arguments: playwright.chromium.launch(executable_path=path, args=[*UNDRAWN, *arguments])


@pytest.fixture(scope="session")
def chromium(launch: Callable[..., Browser]) -> Iterator[Browser]:
    """A real browser."""
    with launch() as browser:
        yield browser


FORGET = """() => {
  Storage.prototype.setItem = () => {}; // an answer that is still to come keeps nothing either
  try { localStorage.clear(); sessionStorage.clear(); } catch { /* a page without an address keeps nothing */ }
}"""
NOWHERE = "about:blank"
UNTOUCHED = (-1, -1)
"""Where the mouse is before a page has seen it."""


def leave(page: Page) -> None:
    """Leave the address that a page shows, and let the page forget what it kept and how it was set, or close it.

    A browser under load takes what a page stores after the page is gone, and a wiping from outside may come before
    that: the names of one test's game then stood in the next test's.
    """
    try:
        page.evaluate(FORGET)
        page.goto(NOWHERE)
        page.unroute_all()
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.mouse.move(*UNTOUCHED)
    except Error:  # the page was on its way elsewhere
        page.close()


@dataclass
class _Tablet:
    """A tablet of an address: its pages, one of which is lent again and again, and what lets it forget."""

    context: BrowserContext
    kept: Page
    inside: CDPSession
    is_used: bool = False
    is_lent: bool = False


class Tablets:
    """Tablets that tests share, one for each address: what it has loaded from there need not be loaded again."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._kept: dict[str, _Tablet] = {}

    def page(
        self, address: str, size: tuple[int, int] = UPRIGHT, language: str = "en", *, is_own: bool = False
    ) -> Page:
        """Lend a page of the tablet of an address; it moves nothing that need not move.

        The page that lasts is lent first: a new one takes a quarter more work to load the table. A page is the test's
        own where the test sets what cannot be taken back, like scripts that run before the page's.
        """
        if address not in self._kept:
            # A service worker installed for each test took a third of the work of opening a page.
            context = self._browser.new_context(
                viewport={"width": UPRIGHT[0], "height": UPRIGHT[1]},
                has_touch=True,
                base_url=address,
                service_workers="block",
                reduced_motion="reduce",
            )
            kept = context.new_page()
            self._kept[address] = _Tablet(context, kept, context.new_cdp_session(kept))
        tablet = self._kept[address]
        page = tablet.context.new_page() if is_own or tablet.is_lent else tablet.kept
        tablet.is_used, tablet.is_lent = True, tablet.is_lent or page is tablet.kept
        if language != "en":
            tablet.context.add_cookies([{"name": COOKIE, "value": language, "url": address}])
        if page.viewport_size != {"width": size[0], "height": size[1]}:
            page.set_viewport_size({"width": size[0], "height": size[1]})
        return page

    def clear(self) -> None:
        """Close all pages but those that last, and let each tablet forget; other contexts are closed whole."""
        kept = [tablet.context for tablet in self._kept.values()]
        for context in self._browser.contexts:
            if context not in kept:
                context.close()
        for address, tablet in self._kept.items():
            if tablet.is_used:
                for page in tablet.context.pages:
                    if page.url != NOWHERE:
                        leave(page)
                    if page is not tablet.kept:
                        page.close()
                if tablet.kept.is_closed():
                    tablet.kept = tablet.context.new_page()
                    tablet.inside = tablet.context.new_cdp_session(tablet.kept)
                tablet.context.clear_cookies()
                tablet.context.set_default_timeout(PLAYWRIGHTS_PATIENCE_MS)
                tablet.inside.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": KEPT_BY_PAGES})
                tablet.is_used = tablet.is_lent = False


@pytest.fixture(scope="session")
def lent_tablets(chromium: Browser) -> Tablets:
    """The tablets that tests share."""
    return Tablets(chromium)


@pytest.fixture(autouse=True)
def _no_page_left_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close what a test left open, also one that failed: a page that stays draws on, and slows all tests after it."""
    tablets: Tablets | None = request.getfixturevalue("lent_tablets") if "chromium" in request.fixturenames else None
    yield
    if tablets:
        tablets.clear()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while ten thousand tests are collected, and let later collections pass over what stays.

    Next to nothing of it is garbage, and each whole garbage collection would take half a second.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow tests, so that none of them keeps everybody waiting at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """With `--durations`, print how many seconds the tests of each folder took with what they set up."""
    if config.option.durations is not None:
        reports = (each for kind in terminalreporter.stats.values() for each in kind)
        seconds = Counter[str]()
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.partition("::")[0].rpartition("/")[0]] += report.duration
        terminalreporter.section("seconds by folder")
        for folder, spent in [*seconds.most_common(), ("all", seconds.total())]:
            terminalreporter.write_line(f"{spent:8.1f} {folder}")
