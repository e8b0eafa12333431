import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.actions import Action
from referee.journal import Deed, Entry, Source
from referee.sentences import Remembered
from vander.storage.data_folder import BrokenJournal, Unwritten
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_schema import Ending, KeptGame
from vander.storage.journal_store import Journal

NOON = datetime(2025, 5, 1, 12, 0, 0, 250, tzinfo=UTC)
ROLL = Action.parse("1 roll signal:go traffic:happy traffic:happy traffic:sad traffic:star traffic:two")
ENTRIES = (
    Entry(1, NOON, Source.CAMERA, Deed.PLAY, ROLL, evidence="game-1-entry-1"),
    Entry(2, NOON, Source.CAMERA, Deed.BREACH, note="A die was turned over by hand.", rule="I.2-12"),
    Entry(3, NOON, Source.TABLET, Deed.UNDO, target=1),
)


def begun(journal: Journal) -> int:
    return journal.begin("intersection", ("Ann", "Bob"), {"no-dice": "off"}, "intersection").number


def test_what_is_written_is_read_again_by_another_program(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    number = begun(journal)
    journal.write(number, *ENTRIES)
    other = Journal.in_folder(tmp_path)
    kept = other.latest()
    assert kept is not None
    assert (kept.number, kept.players, kept.options) == (number, ("Ann", "Bob"), {"no-dice": "off"})
    assert other.entries(number) == ENTRIES
    journal.close()
    other.close()


def test_a_note_is_read_with_the_names_of_its_game_which_no_language_translates(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    number = journal.begin("intersection", ("Moon", "Bob"), {}, "intersection").number
    begun(journal)
    journal.write(number, replace(ENTRIES[1], number=1, note="The dice pass to Moon for the first turn."))
    note = journal.entries(number)[0].note
    assert isinstance(note, Remembered)
    assert note.names == {"Moon", "Bob"}
    journal.close()


def test_a_game_that_is_over_is_not_the_latest_and_one_that_goes_on_after_all_is(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    number = begun(journal)
    journal.write(number, ending=Ending(NOON))
    assert journal.latest() is None
    journal.write(number, ending=Ending(None))
    assert journal.latest() is not None
    journal.close()


def test_a_new_game_ends_the_one_before(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    first, second = begun(journal), begun(journal)
    journal.write(second, ending=Ending(NOON))
    assert first != second
    assert journal.latest() is None
    journal.close()


def test_entries_are_written_all_or_none(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    number = begun(journal)
    journal.write(number, ENTRIES[0])
    with pytest.raises(Unwritten, match="cannot be written"):
        journal.write(number, ENTRIES[1], ENTRIES[0])
    assert journal.entries(number) == ENTRIES[:1]
    journal.close()


def test_a_game_is_over_with_the_entries_that_end_it_or_not_at_all(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    number = begun(journal)
    with pytest.raises(Unwritten):
        journal.write(number, ENTRIES[0], ENTRIES[0], ending=Ending(NOON))
    assert (journal.entries(number), journal.games()[0].ended_at) == ((), None)
    journal.write(number, ENTRIES[0], ending=Ending(NOON))
    assert (journal.entries(number), journal.games()[0].ended_at) == (ENTRIES[:1], NOON)
    journal.close()


@pytest.mark.parametrize(
    ("ahead", "is_doubted"),
    [((0.0,), False), ((5.0,), False), ((3600.0,), True), ((-90 * 86_400.0,), True), ((0.0, 3600.0), True)],
)
def test_a_clock_that_was_set_back_during_a_game_is_doubted(
    tmp_path: Path, ahead: tuple[float, ...], is_doubted: bool
) -> None:
    """`ahead` is how far an entry is ahead of the clock: it is never written before the one before it."""
    journal = Journal.in_folder(tmp_path)
    number = begun(journal)
    moments = [datetime.now(UTC) + timedelta(seconds=seconds) for seconds in ahead]
    for entry, at in enumerate(moments, start=1):
        journal.write(number, replace(ENTRIES[0], number=entry, at=at))
    assert journal.games()[0].clock_doubted == is_doubted
    journal.write(number, ending=Ending(max(*moments, datetime.now(UTC))))
    assert journal.games()[0].clock_doubted == is_doubted
    journal.write(number, ending=Ending(datetime.now(UTC) - timedelta(days=90)))
    assert journal.games()[0].clock_doubted
    journal.close()


def test_a_game_from_elsewhere_is_kept_beside_the_one_that_goes_on(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    begun(journal)
    elsewhere = KeptGame(0, "intersection", ("Cy",), {"no-dice": "on"}, "intersection", NOON, NOON)
    kept = journal.keep(elsewhere, ENTRIES)
    assert kept == replace(elsewhere, number=2)
    assert journal.entries(2) == ENTRIES
    latest = journal.latest()
    assert journal.games() == (latest, kept)
    assert latest
    assert latest.number == 1
    assert journal.keep(elsewhere, ()).number == 3
    journal.close()


def test_a_game_from_elsewhere_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    elsewhere = KeptGame(0, "intersection", ("Cy",), {}, "intersection", NOON, NOON)
    with pytest.raises(Unwritten, match="cannot be written"):
        journal.keep(elsewhere, [*ENTRIES, ENTRIES[0]])
    assert journal.games() == ()
    journal.close()


def damaged(path: Path, contents: bytes) -> str:
    """The sentence that refuses a damaged file, which is left as it was."""
    path.write_bytes(contents)
    with pytest.raises(BrokenJournal) as caught:
        Journal.in_folder(path.parent)
    assert path.read_bytes() == contents
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    assert "move it away" in damaged(tmp_path / "journal.sqlite", b"these are no entries\n" * 500)


def test_a_database_that_is_cut_short_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    number = begun(journal)
    journal.write(number, *ENTRIES)
    journal.close()
    path = tmp_path / "journal.sqlite"
    whole = path.read_bytes()
    assert "damaged" in damaged(path, whole[: len(whole) // 2])


@pytest.mark.parametrize("change", ["UPDATE games SET players = 'Ann'", "UPDATE games SET players = 7"])
def test_a_game_that_nobody_wrote_so_is_refused(tmp_path: Path, change: str) -> None:
    journal = Journal.in_folder(tmp_path)
    begun(journal)
    with sqlite3.connect(tmp_path / "journal.sqlite") as database:
        database.execute(change)
    database.close()
    with pytest.raises(BrokenJournal, match="damaged"):
        journal.games()
    journal.close()


def test_a_database_whose_very_words_are_damaged_is_refused(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    begun(journal)
    journal.close()
    path = tmp_path / "journal.sqlite"
    unread = path.read_bytes().replace(b"tablegamesgames", b"tablega\xff\xfesgames").replace(b"CREATE", b"CRE\xffTE")
    assert "damaged" in damaged(path, unread)


def test_a_journal_that_cannot_be_opened_is_not_called_damaged(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").mkdir()
    with pytest.raises(BrokenJournal, match=r"cannot be opened .* does not mean that it is damaged") as caught:
        Journal.in_folder(tmp_path)
    assert "move it away" not in str(caught.value)


def test_an_entry_that_no_referee_wrote_is_refused(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    number = begun(journal)
    journal.write(number, ENTRIES[0])
    with sqlite3.connect(tmp_path / "journal.sqlite") as database:
        database.execute("UPDATE entries SET action = 'nonsense'")
    database.close()
    with pytest.raises(BrokenJournal, match="entry 1"):
        journal.entries(number)
    journal.close()


def test_a_game_whose_misread_dice_nobody_can_read_is_damaged_wherever_it_is_read(tmp_path: Path) -> None:
    journal = Journal.in_folder(tmp_path)
    number = begun(journal)
    with journal.writing() as connection:
        connection.exec_driver_sql("UPDATE games SET misreadings = 'traffic:two'")
    for read in (journal.games, journal.latest, lambda: journal.game(number)):
        with pytest.raises(BrokenJournal, match="is no place of a die"):
            read()
    journal.close()


def test_a_journal_of_a_later_version_is_refused(tmp_path: Path) -> None:
    Journal.in_folder(tmp_path).close()
    with sqlite3.connect(tmp_path / "journal.sqlite") as database:
        database.execute("UPDATE vander_schema SET version = 99")
    database.close()
    with pytest.raises(BrokenJournal, match="version 99"):
        Journal.in_folder(tmp_path)


@pytest.mark.parametrize("address", ["nonsense", "nosuchbase://here/there", "sqlite:////no/such/folder/journal.sqlite"])
def test_an_address_that_cannot_be_opened_is_one_sentence(address: str) -> None:
    with pytest.raises(BrokenJournal) as caught:
        Journal(address)
    assert "\n" not in str(caught.value)


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BrokenJournal, match="cannot be made"):
        Journal.in_folder(tmp_path / "file" / "data")


def test_a_piece_of_evidence_is_whole_or_not_there(tmp_path: Path) -> None:
    evidence = EvidenceStore(tmp_path / "evidence")
    evidence.keep("game-1-entry-1", b"first")
    evidence.keep("game-1-entry-1", b"second")
    assert evidence.read("game-1-entry-1") == b"second"
    assert [path.name for path in (tmp_path / "evidence").iterdir()] == ["game-1-entry-1.jpg"]


@pytest.mark.parametrize("name", ["../journal", "none", "", "..", "/etc/passwd"])
def test_a_picture_outside_the_folder_cannot_be_asked_for(name: str, tmp_path: Path) -> None:
    (tmp_path / "journal.jpg").write_bytes(b"secret")
    with pytest.raises(LookupError):
        EvidenceStore(tmp_path / "evidence").read(name)


def test_evidence_that_cannot_be_kept_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "evidence").write_text("a file stands where the folder should be")
    evidence = EvidenceStore(tmp_path / "evidence")
    assert not evidence.keep("game-1-entry-1", b"picture")
    assert "could not be kept" in evidence.trouble
    assert "\n" not in evidence.trouble


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "what? 100% #1"
    Journal.in_folder(folder).close()
    assert [path.name for path in folder.iterdir()] == ["journal.sqlite"]
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]
