"""What goes with the film of a ruling: how each die was read, then and at the ruling before."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from laid_dice import Dice, StillPicture

from models import die_sets
from referee.games import games
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.pictures import FilmedRuling
from vander.table.session import Session, open_session


@dataclass
class Kept:
    """A sink that remembers what it is given."""

    trouble: str = ""
    rulings: list[FilmedRuling] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)

    def keep(self, ruling: FilmedRuling) -> None:
        self.rulings.append(ruling)

    def ask(self, questions: Collection[int]) -> None:
        self.questions = [*questions]

    def asked(self, question: int) -> bytes:
        return b"film" if question in self.questions else b""


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def session(tmp_path: Path, kept: Kept) -> Iterator[Session]:
    with closing(Journal.in_folder(tmp_path)) as journal:
        evidence = EvidenceStore(tmp_path / "evidence")
        yield open_session(journal, evidence, games=games(), dice=die_sets.load("intersection"), films=kept)


def test_a_throw_is_filmed_with_its_readings_and_a_breach_with_the_dice_before_it(session: Session, kept: Kept) -> None:
    dice, sight = Dice(), StillPicture()
    session.observe(dice.look(), sight)
    session.start("intersection", ["Ann"], {})
    dice.unsure = {}
    session.observe(dice.roll("go", "happy", "happy", "star", "two", "three"), sight)
    (throw,) = kept.rulings
    entry = next(entry for entry in session.state.match.entries if entry.evidence)  # type: ignore[union-attr]
    assert (throw.name, throw.entry_at) == (entry.evidence, entry.at.isoformat())
    assert [die.face for die in throw.dice] == ["happy", "happy", "star", "two", "three", "go"]
    assert all(die.thrown for die in throw.dice)
    assert (throw.dice[2].x, throw.dice[2].confidence) == (300.0, pytest.approx(0.99))
    assert throw.crops.keys() == {1, 2, 3, 4, 5, 6}
    session.observe(dice.throw(d1="star"), sight)
    assert session.snapshot().mood == "breach"
    breach = kept.rulings[1]
    assert breach.name == session.snapshot().evidence
    assert [die.number for die in breach.dice if die.thrown] == [1]
    assert (breach.lay[0].face, breach.dice[0].face) == ("happy", "star")
    assert breach.lay[0].x == 100.0


def test_what_is_tapped_is_not_filmed(session: Session, kept: Kept) -> None:
    session.start("toss-up", ["Ann", "Bob"], {}, starter=1)
    assert kept.rulings == []


def test_why_a_film_could_not_be_kept_is_said_above_the_table(session: Session, kept: Kept) -> None:
    kept.trouble = "The film of the last throw could not be kept."
    session.observe(Dice().look(), StillPicture())
    assert session.snapshot().alerts == (kept.trouble,)
