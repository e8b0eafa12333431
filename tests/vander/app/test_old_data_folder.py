"""A data folder of Vander 0.1.0 is opened as it is: games, settings, taught dice, paired tablets, choices, accuracy.

`kept/data-0.1.0.zip` was written by Vander 0.1.0 itself; its `facts.json` says what that version knew of it.
`kept/data-0.1.0-journal-3.zip` is that folder after a later Vander brought its journal to version 3, kept an answer in
it, and bound a tablet to a player; `kept/data-0.1.0-journal-4.zip` is that one with its journal in version 4.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from vander.access.pairing import PairingService
from vander.app.composition import Composition, compose
from vander.storage.settings import load
from web.schemas.access_schemas import Role
from web.schemas.learning_schemas import Choices

KEPT = Path(__file__).parents[1] / "kept"


@pytest.fixture(params=[path.name for path in sorted(KEPT.glob("data-*.zip"))])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with zipfile.ZipFile(KEPT / request.param) as archive:
        archive.extractall(tmp_path)
    return tmp_path


@pytest.fixture
def facts(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "facts.json").read_text())
    return found


@pytest.fixture
def opened(folder: Path) -> Iterator[Composition]:
    with ExitStack() as on_exit:
        yield compose(load(data_dir=folder), on_exit)


def test_its_settings_and_choices_hold(folder: Path, opened: Composition) -> None:
    assert (opened.settings.game, opened.settings.spare_mb) == ("intersection", 50)
    assert opened.stores.preferences.current == Choices(keep_play=True, quota_mb=20, check_one_in=1)


def test_its_game_goes_on_where_it_stood(opened: Composition, facts: dict[str, Any]) -> None:
    game = opened.journal.latest()
    assert game
    assert list(game.players) == facts["players"]
    assert len(opened.journal.entries(game.number)) == facts["entries"]
    snapshot = opened.session.snapshot()
    assert snapshot.game
    assert snapshot.game.name == "intersection"
    assert snapshot.take_back
    opened.session.undo()
    assert len(opened.journal.entries(game.number)) == facts["entries"] + 1


def test_its_pictures_are_there_with_their_labels(opened: Composition, facts: dict[str, Any]) -> None:
    store = opened.stores.samples
    samples = {
        one.name: [one.die_set, one.origin, one.label and [one.label.kind, one.label.face, one.label.by]]
        for one in store.samples()
    }
    assert samples == facts["samples"]
    assert len([*store.with_pixels(store.samples())]) == len(samples)
    assert store.problems == ()


def test_its_taught_dice_are_read_by_the_lesson_that_was_in_use(opened: Composition, facts: dict[str, Any]) -> None:
    assert opened.learning.reader_version("our-stones") == facts["model"]
    lesson = opened.learning.lesson("our-stones")
    assert (lesson.title, lesson.version, lesson.pictures) == ("Our stones", 1, 8)
    assert [one.version for one in lesson.versions] == [2, 1]
    assert opened.learning.use_lesson("our-stones", 2).version == 2
    assert opened.learning.teach("our-stones").version == 3


def test_its_accuracy_is_counted_on(opened: Composition, facts: dict[str, Any]) -> None:
    right = opened.learning.accuracy().right
    assert right
    assert [right.hits, right.count] == facts["right"]


def test_its_tablets_stay_paired(folder: Path, facts: dict[str, Any]) -> None:
    pairing = PairingService(folder)
    tablets = [pairing.tablet(key) for key in facts["keys"]]
    assert [(one.name, one.role) for one in tablets if one] == [
        ("Ann's tablet", Role.KEEPER),
        ("Bob's tablet", Role.PLAYER),
    ]
    assert pairing.tablet("another key") is None
    assert pairing.seat_rules().bound == tuple(facts.get("bound", ()))
    pairing.close()
