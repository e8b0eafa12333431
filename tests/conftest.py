"""What tests of all rooms share: the shipped models, loaded once a run."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest

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
