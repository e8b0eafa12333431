"""What tests of all rooms share: the shipped models, and a browser, each opened once a run."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.chromium import UNDRAWN, chromium_path
from vander.resources.vision_models import LoadedModels
from vision.classification import Reader
from vision.detection import Finder
from vision.fewshot import PldaModel


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


@pytest.fixture(autouse=True)
def _no_page_left_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close what a test left open, also one that failed: a page that stays draws on, and slows all tests after it."""
    yield
    if "chromium" in request.fixturenames:
        browser: Browser = request.getfixturevalue("chromium")
        for context in browser.contexts:
            context.close()


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
