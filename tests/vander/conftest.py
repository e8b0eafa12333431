from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from laid_dice import Dice, StillPicture

from models import die_sets
from referee.game import Game
from referee.games import games
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session


@pytest.fixture
def dice() -> Dice:
    return Dice()


@pytest.fixture
def sight() -> StillPicture:
    return StillPicture()


@pytest.fixture
def open_table(tmp_path: Path) -> Iterator[Callable[..., Session]]:
    """Open a table on this test's data folder, as often as wanted: the program started again."""
    journals: list[Journal] = []

    def opened(*, bay: bool = True, games: Sequence[Game] = games(), pause_s: float = 0.0) -> Session:
        journals.append(Journal.in_folder(tmp_path))
        evidence, dice = EvidenceStore(tmp_path / "evidence"), die_sets.load("intersection")
        return open_session(journals[-1], evidence, games=games, dice=dice, camera="by hand", bay=bay, pause_s=pause_s)

    yield opened
    for journal in journals:
        journal.close()


@pytest.fixture
def table(open_table: Callable[..., Session]) -> Session:
    return open_table()


@pytest.fixture
def solo(table: Session, dice: Dice) -> Session:
    """Ann plays alone, and the dice lie anyhow."""
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    return table
