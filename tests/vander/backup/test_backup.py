from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import pytest

from models.dataset import SampleStore
from referee.actions import Action
from referee.journal import Deed, Entry, Source
from vander.backup import PREVIOUS_DIR, BadBackup, create_backup, restore_backup
from vander.backup.creation import MANIFEST
from vander.storage import data_folder
from vander.storage.data_folder import LOCK, AlreadyRunning, Unwritten, finish_restore
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_schema import Ending
from vander.storage.journal_store import Journal

HOUSE = Path(__file__).parents[3]
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
ROLL = Action.parse("1 roll d6:pip-1")
SHEET = HOUSE / "referee/games/dice_county_fair/county.toml"


def entry(number: int) -> Entry:
    return Entry(number, NOON, Source.CAMERA, Deed.PLAY, ROLL, evidence=f"game-1-entry-{number}")


def played(folder: Path, entries: int = 3) -> Path:
    """A data folder as an evening leaves it."""
    evidence = EvidenceStore(folder / "evidence")
    with closing(Journal.in_folder(folder)) as journal:
        journal.begin("dice", ("Ann", "Bob"), {}, "d6")
        for number in range(1, entries + 1):
            evidence.keep(f"game-1-entry-{number}", bytes([number]) * 500)
            journal.write(1, entry(number))
    SampleStore(folder / "captured")
    (folder / "sheets").mkdir()
    shutil.copyfile(SHEET, folder / "sheets/ours.toml")
    (folder / "choices.toml").write_text("keep_play = true\n", "utf-8")
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file but the lock, the journal (by its contents) and what was there before."""
    return {
        name: _contents(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not (name := path.relative_to(folder).as_posix()).startswith((PREVIOUS_DIR, LOCK, "journal.sqlite-"))
        and path.name != ".latch"
    }


def _contents(path: Path) -> bytes:
    if path.name != "journal.sqlite":
        return path.read_bytes()
    with closing(sqlite3.connect(path)) as journal:
        return "\n".join(journal.iterdump()).encode()


@dataclass(frozen=True)
class Shelves:
    """A folder with games, one with other games, and a backup of the first."""

    games: Path
    others: Path
    kept: Path


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    kept = tmp_path / "kept.zip"
    found = Shelves(played(tmp_path / "games"), played(tmp_path / "others", entries=1), kept)
    create_backup(found.games, kept)
    return found


def packed(kept: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(kept) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_what_was_backed_up_comes_back_as_it_was(shelves: Shelves) -> None:
    wanted = tree(shelves.games)
    assert len(wanted) >= 7
    told = restore_backup(shelves.others, shelves.kept)
    assert tree(shelves.others) == wanted
    assert f"holds {len(wanted) - 1} files of the backup" in told, "the count file is made again"


def test_a_backup_comes_back_on_a_card_where_nothing_is(shelves: Shelves, tmp_path: Path) -> None:
    told = restore_backup(tmp_path / "new/card", shelves.kept)
    assert tree(tmp_path / "new/card") == tree(shelves.games)
    assert not list((tmp_path / "new/card" / PREVIOUS_DIR).iterdir())
    assert "backup" in told


def test_games_that_stand_open_come_back_open_with_the_same_one_on_the_table(tmp_path: Path) -> None:
    games, kept = tmp_path / "games", tmp_path / "kept.zip"
    with closing(Journal.in_folder(games)) as journal:
        journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up")
        journal.begin("intersection", ("Cleo",), {}, "intersection", leave_open=True)
        journal.begin("rollers", ("Ann", "Dan"), {}, "rollers", leave_open=True)
        journal.begin("rollers", ("Dan", "Eve"), {}, "rollers", leave_open=True)
        journal.write(3, ending=Ending(NOON))
        journal.put_on_table(1)
        before, on_table = journal.open_games(), journal.latest()
    create_backup(games, kept)
    assert [game.number for game in before] == [1, 4, 2]
    with closing(Journal.in_folder(tmp_path / "others")) as journal:
        journal.begin("dice", ("Fay",), {}, "d6")
    restore_backup(tmp_path / "others", kept)
    with closing(Journal.in_folder(tmp_path / "others")) as journal:
        assert (journal.open_games(), journal.latest()) == (before, on_table)
        assert journal.latest() == before[0]


def test_what_was_there_before_the_last_restoring_is_kept_in_the_folder(shelves: Shelves) -> None:
    others = tree(shelves.others)
    restore_backup(shelves.others, shelves.kept)
    assert tree(shelves.others / PREVIOUS_DIR) == others
    restore_backup(shelves.others, shelves.kept)
    assert tree(shelves.others / PREVIOUS_DIR) == tree(shelves.games)
    assert not (shelves.others / PREVIOUS_DIR / PREVIOUS_DIR).exists()


def test_a_picture_is_as_old_as_it_was(shelves: Shelves) -> None:
    picture = "evidence/game-1-entry-1.jpg"
    os.utime(shelves.games / picture, (1_700_000_000, 1_700_000_000))
    shelves.kept.unlink()
    create_backup(shelves.games, shelves.kept)
    restore_backup(shelves.others, shelves.kept)
    assert abs((shelves.others / picture).stat().st_mtime - 1_700_000_000) <= 2


def test_a_box_without_a_clock_is_backed_up_too(shelves: Shelves) -> None:
    os.utime(shelves.games / "choices.toml", (0, 0))
    shelves.kept.unlink()
    create_backup(shelves.games, shelves.kept)
    assert "choices.toml" in packed(shelves.kept)


def test_a_backup_made_while_people_play_holds_whole_entries_and_their_pictures(tmp_path: Path) -> None:
    folder, over, going = played(tmp_path / "games"), Event(), Event()

    def play() -> None:
        evidence = EvidenceStore(folder / "evidence")
        with closing(Journal.in_folder(folder)) as journal:
            number = 4
            while not over.is_set() and number < 2000:
                evidence.keep(f"game-1-entry-{number}", b"picture")
                journal.write(1, entry(number))
                number += 1
                going.set()

    playing = Thread(target=play)
    playing.start()
    going.wait()
    for turn in range(5):
        create_backup(folder, tmp_path / f"{turn}.zip")
    over.set()
    playing.join()
    for turn in range(5):
        restore_backup(tmp_path / "restored", tmp_path / f"{turn}.zip")
        with closing(Journal.in_folder(tmp_path / "restored")) as journal:
            entries = journal.entries(1)
        assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
        assert len(entries) >= 4
        assert all(entry.evidence in EvidenceStore(tmp_path / "restored/evidence") for entry in entries)


def test_a_backup_is_for_its_owner_alone_and_leaves_out_what_a_start_makes(shelves: Shelves) -> None:
    (shelves.games / "box.key").write_text("secret", "ascii")
    (shelves.games / "evidence/game-1-entry-9.jpg.part").write_bytes(b"half")
    (shelves.games / "journal.sqlite.before-4").write_bytes(b"old")
    with data_folder.hold(shelves.games):
        create_backup(shelves.games, shelves.kept.with_name("again.zip"))
    assert packed(shelves.kept.with_name("again.zip")).keys() == packed(shelves.kept).keys()
    assert stat.S_IMODE(shelves.kept.stat().st_mode) == 0o600


def test_a_restored_journal_is_counted_as_it_is(shelves: Shelves) -> None:
    EvidenceStore(shelves.games / "evidence").keep("game-2-entry-1", b"begun while it was packed")
    create_backup(shelves.games, shelves.kept.with_name("later.zip"))
    for _ in range(3):
        with closing(Journal.in_folder(shelves.games)) as journal:
            journal.begin("intersection", ("Ann",), {}, "intersection")
    restore_backup(shelves.games, shelves.kept.with_name("later.zip"))
    with closing(Journal.in_folder(shelves.games)) as journal:
        assert len(journal.games()) == 1
        assert not journal.missing
        assert journal.begin("intersection", ("Ann",), {}, "intersection").number == 3


def test_a_backup_into_a_folder_is_named_after_the_day(shelves: Shelves, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    told = create_backup(shelves.games, tmp_path / "stick")
    (made,) = (tmp_path / "stick").iterdir()
    assert made.name.startswith(f"vander-backup-{datetime.now().astimezone():%Y%m%d}")
    assert told.startswith(f"{made} holds 7 files")


def test_a_backup_within_the_data_folder_does_not_hold_itself_or_others(shelves: Shelves) -> None:
    create_backup(shelves.games, shelves.games)
    create_backup(shelves.games, shelves.games / "mine.zip")
    assert "mine.zip" not in packed(shelves.games / "mine.zip")
    assert packed(shelves.games / "mine.zip").keys() == packed(shelves.kept).keys()


def test_a_file_that_is_there_already_is_not_overwritten(shelves: Shelves) -> None:
    before = shelves.kept.read_bytes()
    with pytest.raises(Unwritten, match="exists already and is left as it is"):
        create_backup(shelves.games, shelves.kept)
    assert shelves.kept.read_bytes() == before


@pytest.mark.parametrize("games", ["nowhere", "games"])
def test_what_cannot_be_backed_up_is_said_in_a_sentence_and_leaves_nothing(games: str, tmp_path: Path) -> None:
    played(tmp_path / "games")
    with pytest.raises(Unwritten, match=r"no data folder|cannot be backed up"):
        create_backup(tmp_path / games, tmp_path / "no/such/folder.zip")
    (tmp_path / "games/journal.sqlite").write_bytes(b"no journal at all")
    with pytest.raises(Unwritten, match=r"no data folder|cannot be backed up"):
        create_backup(tmp_path / games, tmp_path / "games.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["games"]


def test_a_link_is_told_of_and_left_out(shelves: Shelves, tmp_path: Path) -> None:
    (shelves.games / "sheets/theirs.toml").symlink_to(tmp_path / "elsewhere.toml")
    told = create_backup(shelves.games, tmp_path / "again.zip")
    assert "Not in it: 1 link;" in told
    assert packed(tmp_path / "again.zip").keys() == packed(shelves.kept).keys()


def test_a_journal_in_a_database_of_its_own_is_told_of(shelves: Shelves, tmp_path: Path) -> None:
    told = create_backup(shelves.games, tmp_path / "again.zip", database="postgresql://table")
    assert "journal is not in it" in told
    assert "journal.sqlite" not in packed(tmp_path / "again.zip")
    assert "is as it was" in restore_backup(shelves.others, tmp_path / "again.zip", database="postgresql://table")


@pytest.mark.slow
def test_a_backup_goes_through_pipes(shelves: Shelves, tmp_path: Path) -> None:
    program = "import sys; from pathlib import Path; from vander.backup import create_backup, restore_backup; "
    out = [sys.executable, "-c", f"{program} create_backup(Path(sys.argv[1]), Path('-'))", str(shelves.games)]
    back = [sys.executable, "-c", f"{program} restore_backup(Path(sys.argv[1]), Path('-'))", str(tmp_path / "new")]
    zipped = subprocess.run(out, cwd=HOUSE, check=True, stdout=subprocess.PIPE).stdout  # noqa: S603
    subprocess.run(back, cwd=HOUSE, check=True, input=zipped)  # noqa: S603
    assert tree(tmp_path / "new") == tree(shelves.games)


@pytest.mark.slow
def test_nothing_is_restored_while_a_vander_runs_on_the_folder(shelves: Shelves) -> None:
    before = tree(shelves.others)
    with (
        data_folder.hold(shelves.others, "http://127.0.0.1:8382"),
        pytest.raises(AlreadyRunning, match="already uses the folder"),
    ):
        restore_backup(shelves.others, shelves.kept)
    assert tree(shelves.others) == before


# ── what is no backup ────────────────────────────────────────────────────────────────────────────────────────────────


def zipped(path: Path, files: dict[str, bytes], change: Callable[[zipfile.ZipInfo], None] = lambda _: None) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, contents in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            change(entry)
            archive.writestr(entry, contents)
    return path


def test_a_backup_that_another_program_packed_again_is_taken(shelves: Shelves, tmp_path: Path) -> None:
    restore_backup(shelves.others, zipped(tmp_path / "again.zip", packed(shelves.kept)))
    assert tree(shelves.others) == tree(shelves.games)


@pytest.mark.parametrize(
    "name",
    [
        "../outside",
        "/etc/outside",
        "evidence/../../outside",
        "evidence\\..\\outside",
        "evidence//outside",
        "./outside",
        "running.lock",
        ".restore/ready/outside",
        "before-restore/outside",
        "journal.sqlite-wal",
        "journal.sqlite/outside",
        "a\nb",
        "/".join("a" * 20),
        "a" * 600,
        "choices.toml/below-a-file",
        "\0",  # which a zip keeps as no name at all
    ],
)
def test_a_backup_with_a_name_that_leads_elsewhere_is_refused(shelves: Shelves, tmp_path: Path, name: str) -> None:
    refused(shelves, zipped(tmp_path / "bad.zip", packed(shelves.kept) | {name: b"x"}))
    assert not list(tmp_path.rglob("outside"))


def _as_link(entry: zipfile.ZipInfo) -> None:
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16


def _as_lzma(entry: zipfile.ZipInfo) -> None:
    entry.compress_type = zipfile.ZIP_LZMA


@pytest.mark.parametrize("change", [_as_link, _as_lzma])
def test_a_backup_with_links_or_packed_otherwise_is_refused(
    shelves: Shelves, tmp_path: Path, change: Callable[[zipfile.ZipInfo], None]
) -> None:
    refused(shelves, zipped(tmp_path / "bad.zip", packed(shelves.kept), change))


@pytest.mark.parametrize(
    "mark",
    [
        None,
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b"[" * 9000,
        json.dumps({"what": "vander backup", "version": 2, "made_at": NOON.isoformat()}).encode(),
        json.dumps({"what": "vander backup", "version": 1, "made_at": "yesterday"}).encode(),
    ],
)
def test_a_zip_without_the_mark_of_a_backup_is_refused(shelves: Shelves, tmp_path: Path, mark: bytes | None) -> None:
    files = {name: contents for name, contents in packed(shelves.kept).items() if name != MANIFEST}
    refused(shelves, zipped(tmp_path / "bad.zip", files | ({} if mark is None else {MANIFEST: mark})))


def test_a_backup_whose_journal_is_damaged_or_of_a_later_vander_is_refused(shelves: Shelves, tmp_path: Path) -> None:
    whole = packed(shelves.kept)
    refused(shelves, zipped(tmp_path / "bad.zip", whole | {"journal.sqlite": whole["journal.sqlite"][:6000]}))
    with closing(sqlite3.connect(shelves.games / "journal.sqlite")) as journal, journal:
        journal.execute("UPDATE vander_schema SET version = 999")
    create_backup(shelves.games, tmp_path / "later.zip")
    refused(shelves, tmp_path / "later.zip")


def test_a_backup_that_holds_a_file_twice_is_refused(shelves: Shelves, tmp_path: Path) -> None:
    bad = zipped(tmp_path / "bad.zip", packed(shelves.kept))
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(bad, "a") as archive:
        archive.writestr("choices.toml", b"keep_play = false\n")
    refused(shelves, bad)


def test_a_backup_that_says_of_a_file_that_it_is_larger_than_can_be_is_refused(shelves: Shelves) -> None:
    contents = bytearray(shelves.kept.read_bytes())
    at = contents.index(b"PK\x01\x02") + 24  # where the list at the end says how large the first file is unpacked
    contents[at : at + 4] = (2**31).to_bytes(4, "little")
    shelves.kept.write_bytes(contents)
    refused(shelves, shelves.kept)


def test_what_is_no_zip_or_not_there_is_refused(shelves: Shelves, tmp_path: Path) -> None:
    (tmp_path / "bad.zip").write_bytes(b"no zip at all")
    for bad in (tmp_path / "bad.zip", tmp_path, tmp_path / "nowhere.zip"):
        refused(shelves, bad)


def refused(shelves: Shelves, bad: Path) -> None:
    before = tree(shelves.others)
    with pytest.raises(BadBackup) as wrong:
        restore_backup(shelves.others, bad)
    assert str(bad) in str(wrong.value) or "the backup holds" in str(wrong.value)
    assert tree(shelves.others) == before
    assert not (shelves.others / ".restore").exists()
    assert not (shelves.others / PREVIOUS_DIR).exists()


def test_a_backup_that_was_cut_off_or_changed_anywhere_is_refused_or_the_same(shelves: Shelves) -> None:
    chance, whole = random.Random(5), shelves.kept.read_bytes()  # noqa: S311  of places in a file
    wanted, before = tree(shelves.games), tree(shelves.others)
    refusals = 0
    for turn in range(60):
        damaged, place = bytearray(whole), chance.randrange(len(whole))
        if turn % 2:
            damaged[place] ^= 1 << chance.randrange(8)
        else:
            del damaged[place:]
        shelves.kept.write_bytes(damaged)
        try:
            restore_backup(shelves.others, shelves.kept)
        except BadBackup:
            refusals += 1
            assert tree(shelves.others) == before
        else:
            before = tree(shelves.others)
            assert before == wanted or before.keys() != wanted.keys()  # a name is guarded by nothing
    assert refusals >= 40


# ── a plug that is pulled ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_plug_pulled_at_any_step_leaves_whole_backups_and_all_the_old_files_or_all_the_new_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(tmp_path / "old", entries=1)
    (played(tmp_path / "games") / "tablets.json").write_text('{"format": 1, "last": 7, "guests": []}', "utf-8")
    create_backup(tmp_path / "games", tmp_path / "backup.zip")
    program = [sys.executable, "-W", "ignore", str(Path(__file__).parents[1] / "pulled_plugs.py"), str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(HOUSE)}
    told = subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603
    none, whole, old, new = map(int, told.stdout.split())
    with capsys.disabled():
        print(f"\ncut short: a backup {none + whole} times, {whole} of them whole; a restore {old + new}, {new} new")
    assert (none > 10, whole >= 1, old > 10, new > 10) == (True, True, True, True), told.stdout


def test_an_ordinary_start_finds_nothing_to_finish(shelves: Shelves) -> None:
    before = tree(shelves.games)
    finish_restore(shelves.games)
    assert tree(shelves.games) == before


@pytest.mark.parametrize("step", ["ready", "placing"])
def test_files_made_between_a_pulled_plug_and_the_next_start_win_over_nothing(tmp_path: Path, step: str) -> None:
    (tmp_path / ".restore/old").mkdir(parents=True)
    (tmp_path / ".restore/old/choices.toml").write_text("old", "utf-8")
    (tmp_path / ".restore" / step).mkdir()
    (tmp_path / ".restore" / step / "choices.toml").write_text("new", "utf-8")
    (tmp_path / "choices.toml").write_text("made in the middle", "utf-8")
    finish_restore(tmp_path)
    assert tree(tmp_path) == {"choices.toml": b"new"}
    assert tree(tmp_path / PREVIOUS_DIR) == {"choices.toml": b"old"}


def test_a_restoring_that_cannot_be_finished_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / ".restore/ready").mkdir(parents=True)
    (tmp_path / ".restore/old").touch()
    with pytest.raises(Unwritten, match="cannot be finished"):
        finish_restore(tmp_path)


def test_a_place_that_may_not_be_looked_at_is_one_sentence(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with pytest.raises(Unwritten, match="cannot be written: File name too long; name another place"):
        create_backup(data, tmp_path / ("x" * 300))
