"""A full card: old evidence gives way, play goes on, and the journal is never refused for a picture's sake."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from cards import CARDS

from hardware.cameras.base import WORKING, CameraReport, CameraStatus
from models import atomic_files, die_sets
from referee.games import games
from referee.journal import Entry
from referee.sentences import Reason, Refused
from referee.snapshot import TrayActivity
from vander.storage.data_folder import PictureDeleted, Unwritten
from vander.storage.evidence_store import EvidenceStore, evidence_name
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session

PICTURE = bytes(1000)


class Card:
    """A card of so many bytes: it counts what lies in the folder, and takes no more than fits."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder, self.most = folder, most

    def room(self, _folder: Path) -> int:
        return self.most - sum(path.stat().st_size for path in self.folder.glob("*"))

    def write(self, path: Path, contents: bytes) -> None:
        if self.room(self.folder) < len(contents):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        atomic_files.write_atomically(path, contents)

    def evidence(self, spare_mb: int = 0) -> EvidenceStore:
        return EvidenceStore(self.folder, spare_mb, write=self.write, room=self.room)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "evidence"


def kept(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.jpg")}


def names(game: int, entries: Sequence[int]) -> set[str]:
    return {evidence_name(game, entry) for entry in entries}


def fill(evidence: EvidenceStore, game: int, entries: Sequence[int]) -> None:
    for entry in entries:
        assert evidence.keep(evidence_name(game, entry), PICTURE)


def test_the_oldest_pictures_go_first_where_there_is_no_room(folder: Path) -> None:
    card = Card(folder, 20_500)
    fill(card.evidence(), 9, range(1, 11))
    fill(card.evidence(), 10, range(1, 11))
    fill(card.evidence(), 11, range(1, 4))
    assert kept(folder) == names(9, range(4, 11)) | names(10, range(1, 11)) | names(11, range(1, 4))


def test_how_old_a_picture_is_says_its_name_and_no_clock(folder: Path) -> None:
    card = Card(folder, 3_500)
    fill(card.evidence(), 1, range(1, 2))
    fill(card.evidence(), 2, range(1, 3))
    os.utime(folder / "game-1-entry-1.jpg", (4e9, 4e9))
    fill(card.evidence(), 3, range(1, 2))
    assert kept(folder) == names(2, range(1, 3)) | names(3, range(1, 2))


def test_the_pictures_of_the_game_under_way_go_last(folder: Path) -> None:
    card = Card(folder, 12_500)
    fill(card.evidence(), 1, range(1, 3))
    fill(card.evidence(), 2, range(1, 13))
    assert kept(folder) == names(2, range(1, 13))
    fill(card.evidence(), 2, range(13, 14))
    assert names(2, range(13, 14)) < kept(folder)


def test_what_a_pulled_plug_left_of_a_picture_gives_way_too(folder: Path) -> None:
    card = Card(folder, 2_500)
    folder.mkdir()
    (folder / "game-1-entry-1.jpg.part").write_bytes(PICTURE)
    fill(card.evidence(), 2, range(1, 3))
    assert not list(folder.glob("*.part"))


def test_what_a_pulled_plug_left_of_a_picture_is_gone_after_the_next_start(folder: Path) -> None:
    fill(EvidenceStore(folder), 1, [1])
    (folder / "game-1-entry-2.jpg.part").write_bytes(PICTURE[:10])
    EvidenceStore(folder).free_for_journal()
    assert [path.name for path in folder.iterdir()] == ["game-1-entry-1.jpg"]


def test_a_picture_larger_than_the_card_is_gone_without_and_that_is_said(folder: Path) -> None:
    evidence = Card(folder, 500).evidence()
    assert not evidence.keep(evidence_name(1, 1), PICTURE)
    assert "Play goes on without" in evidence.trouble
    assert kept(folder) == set()


def test_a_card_that_stays_full_whatever_goes_costs_few_pictures(folder: Path) -> None:
    fill(Card(folder, 1_000_000).evidence(), 1, range(1, 41))
    full_of_something_else = Card(folder, -1_000_000).evidence()
    assert not full_of_something_else.keep(evidence_name(1, 41), PICTURE)
    assert kept(folder) == names(1, range(31, 41))


def lay(folder: Path, game: int, entries: Sequence[int]) -> None:
    """Large pictures, which need no time to be written."""
    folder.mkdir(exist_ok=True)
    for entry in entries:
        with (folder / f"{evidence_name(game, entry)}.jpg").open("wb") as file:
            file.truncate(100_000)


def test_before_a_journal_is_opened_pictures_make_way(folder: Path) -> None:
    lay(folder, 1, range(1, 31))
    lay(folder, 2, range(1, 11))
    Card(folder, 5_000_000).evidence().free_for_journal()
    assert kept(folder) == names(1, range(11, 31)) | names(2, range(1, 11))


def test_before_a_journal_is_opened_the_game_under_way_keeps_what_it_can(folder: Path) -> None:
    lay(folder, 1, range(1, 11))
    lay(folder, 2, range(1, 21))
    Card(folder, 3_000_000).evidence().free_for_journal()
    assert kept(folder) == names(2, range(11, 21))


def test_so_much_is_kept_free_ahead_of_time(folder: Path) -> None:
    card = Card(folder, 2_010_000)
    fill(card.evidence(), 1, range(1, 11))
    fill(card.evidence(), 2, range(1, 6))
    evidence = card.evidence(spare_mb=2)
    assert evidence.thin(2_000_000) == 5
    assert kept(folder) == names(1, range(6, 11)) | names(2, range(1, 6))
    assert evidence.thin(2_000_000) == 0


def test_to_keep_some_free_the_game_under_way_gives_nothing(folder: Path) -> None:
    card = Card(folder, 2_000_000)
    fill(card.evidence(), 1, range(1, 3))
    fill(card.evidence(), 2, range(1, 3))
    assert card.evidence().thin(3_000_000) == 2
    assert kept(folder) == names(2, range(1, 3))
    assert card.evidence(spare_mb=3).keep(evidence_name(2, 3), PICTURE)


def test_only_evidence_is_ever_thinned(folder: Path) -> None:
    card = Card(folder, 2_000)
    folder.mkdir()
    (folder / "a-photograph.jpg").write_bytes(PICTURE)
    evidence = card.evidence()
    fill(evidence, 1, [1])
    assert not evidence.keep(evidence_name(2, 1), bytes(1500))
    assert (folder / "a-photograph.jpg").exists()


def test_what_cannot_be_measured_lets_nothing_go(folder: Path) -> None:
    def unknown(_folder: Path) -> int:
        raise OSError(errno.EIO, "the card does not answer")

    evidence = EvidenceStore(folder, 1000, room=unknown)
    fill(evidence, 1, range(1, 3))
    fill(evidence, 2, range(1, 3))
    assert kept(folder) == names(1, range(1, 3)) | names(2, range(1, 3))


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    with closing(Journal.in_folder(tmp_path)) as opened:
        yield opened


def seated(journal: Journal, evidence: EvidenceStore) -> Session:
    minutes = count(step=60)
    table = open_session(
        journal, evidence, games=games(), dice=die_sets.load("intersection"), clock=lambda: next(minutes)
    )
    table.start("intersection", ["Ann"], {})
    return table


def test_play_goes_on_without_a_picture_and_says_so(journal: Journal, folder: Path, dice: Any, sight: Any) -> None:
    card = Card(folder, 10)
    table = seated(journal, card.evidence())
    table.observe(dice.look(), sight)
    table.observe(dice.roll("go", "happy", "happy", "star", "two", "three"), sight)
    assert len(table.snapshot().last) == 1
    assert "Play goes on without" in " ".join(table.snapshot().alerts)
    card.most = 1_000_000
    table.observe(dice.throw(d1="star"), sight)
    assert table.snapshot().evidence in kept(folder)
    assert table.snapshot().alerts == ()


class TightJournal(Journal):
    """A journal on a card that has room for an entry only while no more pictures than these lie beside it."""

    pictures: Path
    most = 1000

    def write(self, game: int, *entries: Entry, **others: Any) -> None:
        if len(kept(self.pictures)) > self.most:
            raise Unwritten("the journal cannot be written: database or disk is full", no_room=True)
        super().write(game, *entries, **others)


@pytest.fixture
def tight(tmp_path: Path, folder: Path) -> Iterator[TightJournal]:
    with closing(TightJournal.in_folder(tmp_path)) as opened:
        assert isinstance(opened, TightJournal)
        opened.pictures = folder
        yield opened


def test_where_the_journal_has_no_room_old_evidence_gives_way_to_it(
    tight: TightJournal, folder: Path, dice: Any
) -> None:
    table = seated(tight, EvidenceStore(folder))
    table.observe(dice.look())
    fill(EvidenceStore(folder), 1, range(1, 21))
    tight.most = 10
    table.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    assert len(table.snapshot().last) == 1
    assert kept(folder) == names(1, range(11, 21))


def test_a_journal_that_has_no_room_at_all_says_so(tight: TightJournal, folder: Path, dice: Any) -> None:
    table = seated(tight, EvidenceStore(folder))
    table.report_camera(CameraReport(CameraStatus.LOST, "The camera is gone."))
    fill(EvidenceStore(folder), 1, range(1, 4))
    before, tight.most = table.snapshot(), -1
    with pytest.raises(Refused, match="disk is full") as refused:
        table.by_hand("1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two")
    assert refused.value.reason == Reason.UNAVAILABLE
    shown = table.snapshot()
    assert (shown.state, shown.last, shown.unsaved) == (before.state, before.last, True)
    assert shown.notice == "Vander cannot write to its card. Do not throw until this line is gone."


def test_dice_that_the_journal_had_no_room_for_are_ruled_on_when_there_is_room(tight: TightJournal, dice: Any) -> None:
    table = seated(tight, EvidenceStore(tight.pictures))
    table.observe(dice.look())
    tight.most = -1
    dice.faces[7] = dice.faces.pop(1)  # the pipeline lost sight of a die, and counts it anew
    thrown = dice.throw(signal="go", d2="happy", d3="happy", d4="star", d5="two", d7="three")
    table.observe(thrown)
    table.report_camera(CameraReport(CameraStatus.LOST, "The camera is gone."))
    assert {die.number for die in table.snapshot().dice} == {1, 2, 3, 4, 5, 6}
    assert table.snapshot().last == ()
    tight.most = 1000
    table.report_camera(WORKING)
    table.observe(dice.look())
    assert len(table.snapshot().last) == 1
    assert {die.number for die in table.snapshot().dice} == {2, 3, 4, 5, 6, 7}


def test_dice_that_the_journal_had_no_room_for_are_known_to_lie_still(tight: TightJournal, dice: Any) -> None:
    table = seated(tight, EvidenceStore(tight.pictures))
    table.observe(dice.look())
    table.observe(dice.look(at_rest=False))
    tight.most = -1
    table.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    assert (table.snapshot().tray, table.snapshot().last) == (TrayActivity.AT_REST, ())


def test_a_journal_that_fails_for_another_reason_costs_no_picture(
    journal: Journal, folder: Path, tmp_path: Path
) -> None:
    table = seated(journal, EvidenceStore(folder))
    fill(EvidenceStore(folder), 1, range(1, 4))
    with sqlite3.connect(tmp_path / "journal.sqlite") as other:
        other.execute("ALTER TABLE games RENAME TO hidden")
    other.close()
    with pytest.raises(Refused) as refused:
        table.start("intersection", ["Bob"], {})
    assert refused.value.reason == Reason.UNAVAILABLE
    assert len(kept(folder)) == 3


def test_a_picture_that_gave_way_is_no_longer_kept(journal: Journal, folder: Path) -> None:
    evidence = EvidenceStore(folder)
    with pytest.raises(PictureDeleted):
        evidence.read(evidence_name(1, 7))
    with pytest.raises(Refused, match="picture is gone") as refused:
        seated(journal, evidence).picture(evidence_name(1, 7))
    assert refused.value.reason == Reason.GONE


def test_nobody_who_looks_waits_for_a_slow_card(journal: Journal, folder: Path, dice: Any, sight: Any) -> None:
    is_writing, may_end = Event(), Event()

    def slow(path: Path, contents: bytes) -> None:
        is_writing.set()
        assert may_end.wait(60)
        atomic_files.write_atomically(path, contents)

    table = seated(journal, EvidenceStore(folder, write=slow))
    table.observe(dice.look(), sight)
    before = table.snapshot()
    throw = Thread(target=table.observe, args=(dice.roll("go", "happy", "happy", "star", "two", "three"), sight))
    throw.start()
    assert is_writing.wait(60)
    assert table.snapshot() is table.wait(before.number, 0.0) is before
    may_end.set()
    throw.join(60)
    assert table.wait(before.number, 0.0).last


def test_what_could_not_be_written_leaves_no_action_waiting(tight: TightJournal) -> None:
    table = open_session(
        tight, EvidenceStore(tight.pictures), games=(CARDS,), dice=die_sets.load("intersection"), pause_s=0.01
    )
    table.start("cards", ["Ann", "Bob"], {})
    tight.most = -1
    with pytest.raises(Refused) as refused:
        table.act("1 drop =card")
    assert refused.value.reason is Reason.UNAVAILABLE
    assert (table.snapshot().waiting, table.snapshot().last) == (None, ())
