"""Backups that somebody made to do harm, and honest ones that look odd: nothing comes in unseen or unasked."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from test_backup import entry, packed, played, tree, zipped

from models.dataset import SampleStore
from referee.actions import Action
from referee.journal import Deed, Entry, Source
from vander.backup import BadBackup, NotAgreed, RestoreChoices, create_backup, restore_backup
from vander.backup.creation import TOO_LONG, check_untrusted, replay_games
from vander.storage.journal_schema import SCHEMA
from vander.storage.journal_store import Journal
from vander.storage.settings import load

KEPT = Path(__file__).parents[1] / "kept"
DIGESTS = {"Ann": "a" * 64, "Bob": "b" * 64}


@dataclass
class Owner:
    """Somebody who is asked, and says yes or no."""

    says: bool
    asked: list[str] = field(default_factory=list)

    def agrees(self, sentences: Sequence[str]) -> bool:
        self.asked += sentences
        return self.says


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """The data folder of a box on which backups are restored."""
    return played(tmp_path / "here", entries=1)


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """The data folder of which the backup is."""
    return played(tmp_path / "theirs")


@pytest.fixture
def made(theirs: Path, tmp_path: Path) -> Callable[[], Path]:
    """Make a backup of their folder as it is now."""
    made: list[Path] = []

    def make() -> Path:
        made.append(tmp_path / f"theirs-{len(made)}.zip")
        create_backup(theirs, made[-1])
        return made[-1]

    return make


def refused(here: Path, backup: Path, why: str, choices: RestoreChoices | None = None) -> None:
    """Check that a backup is refused in one sentence, and that nothing was changed."""
    before, previous = tree(here), (here / "before-restore").exists()
    with pytest.raises((BadBackup, NotAgreed), match=why) as wrong:
        restore_backup(here, backup, choices=choices or RestoreChoices())
    assert "\n" not in str(wrong.value)
    assert tree(here) == before
    assert not (here / ".restore").exists()
    assert (here / "before-restore").exists() == previous


def tablets(folder: Path, *devices: tuple[str, str]) -> None:
    """Pair these devices, each with a role, in a data folder."""
    guests = [
        {"number": number, "name": name, "role": role, "digest": DIGESTS.get(name, "c" * 64)}
        for number, (name, role) in enumerate(devices, 1)
    ]
    (folder / "tablets.json").write_text(json.dumps({"format": 1, "last": len(guests), "guests": guests}), "utf-8")


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────────


FOREIGN = [
    ".local/lib/python3.13/site-packages/x.pth",
    ".local/lib/python3.13/site-packages/usercustomize.py",
    ".bashrc",
    ".config/systemd/user/x.service",
    "x.pth",
    "vander/__init__.py",
    "dice/x.py",
    "dice/ours.toml ",
    "dice/ours.toml.",
    "dice/Ours.toml",
    "dice/ours.TOML",
    "dice/ours.toml\n",
    "dice/öurs.toml",
    "dice/ours\u200b.toml",
    "dice/\uff4furs.toml",
    "dice/../x.pth",
    "dice/sub/ours.toml",
    "dice//ours.toml",
    "./dice/ours.toml",
    "DICE/ours.toml",
    "Journal.sqlite",
    "journal.sqlite-journal",
    "journal.sqlite.before-2",
    "evidence/game-1-entry-1.jpg/x",
    "evidence/game-1-entry-1.jpg.exe",
    "evidence/game-\u0661-entry-1.jpg",
    "captured/sessions/../../x/session.toml",
    "captured/sessions/a/crops/a.so",
    "captured/.latch",
    "captured/arrived-00000000/archive/x.py",
    "captured/coming-00000000/../../x",
    "lessons/ours/in-use.sh",
    "lessons/ours/1.npz",
    "sheets/-.toml",
    "box.key",
]


@pytest.mark.parametrize("name", FOREIGN)
def test_a_backup_with_a_file_that_vander_does_not_write_is_refused_by_its_name(
    here: Path, made: Callable[[], Path], tmp_path: Path, name: str
) -> None:
    before = {path for path in tmp_path.rglob("*") if not path.is_relative_to(here)}
    bad = zipped(tmp_path / "bad.zip", packed(made()) | {name: b"import os"})
    refused(here, bad, "holds a file that Vander does not write")
    new = {path for path in tmp_path.rglob("*") if not path.is_relative_to(here)} - before
    assert {path.name for path in new} <= {"bad.zip", "theirs-0.zip"}


def test_the_refusal_names_the_file(here: Path, made: Callable[[], Path], tmp_path: Path) -> None:
    bad = zipped(tmp_path / "bad.zip", packed(made()) | {FOREIGN[0]: b"import os"})
    refused(here, bad, r"'\.local/lib/python3\.13/site-packages/x\.pth'; nothing was changed")


def test_an_honest_backup_with_other_files_is_taken_without_them(
    here: Path, theirs: Path, made: Callable[[], Path], tmp_path: Path
) -> None:
    odd = zipped(tmp_path / "odd.zip", packed(made()) | {".cache/fonts": b"1", "../../x": b"2"})
    restore_backup(here, odd, choices=RestoreChoices(without_foreign=True))
    assert tree(here) == tree(theirs)


def test_what_earlier_versions_packed_of_an_import_that_was_cut_short_is_left_out(
    here: Path, theirs: Path, made: Callable[[], Path], tmp_path: Path
) -> None:
    remains = {"captured/coming-0123abcd/archive/0/x.txt": b"1", "captured/gone-20261121-1200-abc/dice.jsonl": b""}
    restore_backup(here, zipped(tmp_path / "older.zip", packed(made()) | remains))
    assert tree(here) == tree(theirs)


def test_a_program_among_the_files_comes_in_as_a_file_that_nobody_can_run(
    here: Path, made: Callable[[], Path], tmp_path: Path
) -> None:
    def runs(one: zipfile.ZipInfo) -> None:
        one.external_attr = (stat.S_IFREG | 0o6777) << 16

    restore_backup(here, zipped(tmp_path / "runs.zip", packed(made()), runs))
    modes = {stat.S_IMODE(path.stat().st_mode) for path in here.rglob("*") if path.is_file()}
    assert modes == {0o600}


def test_a_backup_leaves_out_what_vander_does_not_write_and_says_so(theirs: Path, tmp_path: Path) -> None:
    before = create_backup(theirs, tmp_path / "before.zip")
    for name in (".local/lib/x.pth", "notes.txt", "dice/x.py", *(f"a{n}" for n in range(4))):
        (theirs / name).parent.mkdir(parents=True, exist_ok=True)
        (theirs / name).write_text("x", "utf-8")
    told = create_backup(theirs, tmp_path / "after.zip")
    assert packed(tmp_path / "after.zip").keys() == packed(tmp_path / "before.zip").keys()
    assert "not Vander" not in before
    assert "Not in it: 7 files that Vander does not write: .local/lib/x.pth, a0, a1, a2, a3 and 2 more." in told


@pytest.mark.parametrize("name", [path.name for path in sorted(KEPT.glob("data-*.zip"))])
def test_a_backup_of_an_earlier_version_comes_back(name: str, here: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(KEPT / name) as archive:
        archive.extractall(tmp_path / "was")
    (tmp_path / "was/facts.json").unlink()
    told = create_backup(tmp_path / "was", tmp_path / "was.zip")
    assert "does not write" not in told
    owner = Owner(says=True)
    restore_backup(here, tmp_path / "was.zip", choices=RestoreChoices(owner.agrees))
    assert owner.asked == [
        "It lets in what is not paired here: Ann's tablet (a keeper) and Bob's tablet (a player).",
    ]
    Journal.in_folder(tmp_path / "was").close()  # its journal becomes what a restored one is
    made_again = {"box.key", "journal.count", f"journal.sqlite.before-{SCHEMA}"}
    assert without(tree(here), made_again) == without(tree(tmp_path / "was"), made_again)


def without(files: dict[str, bytes], names: set[str]) -> dict[str, bytes]:
    return {name: held for name, held in files.items() if name not in names}


# ── the journal ──────────────────────────────────────────────────────────────────────────────────────────────────────

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
HARM = {
    "a trigger that deletes": "CREATE TRIGGER harm AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
    "a trigger on the version": "CREATE TRIGGER harm BEFORE DELETE ON vander_schema BEGIN DELETE FROM games; END",
    "a view": "CREATE VIEW harm AS SELECT * FROM games",
    "a view without an end": f"ALTER TABLE games RENAME TO was; CREATE VIEW games AS {ENDLESS}",
    "a view in the version's place": f"DROP TABLE vander_schema; CREATE VIEW vander_schema(version) AS {ENDLESS}",
    "another table": "CREATE TABLE harm (x)",
    "an index": "CREATE INDEX harm ON entries (note)",
    "a virtual table": "CREATE VIRTUAL TABLE harm USING fts5(x)",
    "a column more": "ALTER TABLE games ADD COLUMN harm TEXT",
    "a computed column": "ALTER TABLE games ADD COLUMN harm TEXT AS (hex(game))",
    "a default that calls": "DROP TABLE vander_schema; CREATE TABLE vander_schema (version INTEGER NOT NULL, "
    "x DEFAULT (abs(1)), PRIMARY KEY (version)); INSERT INTO vander_schema VALUES (2, 1)",
    "a check": "DROP TABLE vander_schema; CREATE TABLE vander_schema (version INTEGER NOT NULL CHECK (abs(version)), "
    "PRIMARY KEY (version)); INSERT INTO vander_schema VALUES (2)",
    "statistics": "ANALYZE",
    "a table less": "PRAGMA foreign_keys = OFF; DROP TABLE entries; UPDATE games SET ended_at = started_at",
    "a column less": "ALTER TABLE games DROP COLUMN clock_doubted",
    "entries of no game": "INSERT INTO entries SELECT 99, number, at, source, deed, action, target, note, rule, "
    "evidence, device, seat, dice FROM entries",
    "a number that is none": "UPDATE entries SET target = 'one'",
    "a text that is none": "UPDATE entries SET note = x'00ff'",
    "players that are none": "UPDATE games SET players = '5'",
    "players that are no names": "UPDATE games SET players = '[[1]]'",
    "players by number": """UPDATE games SET players = '{"1": "Ann"}'""",
    "no players": "UPDATE games SET players = '[]'",
    "a seat without a player": "UPDATE games SET players = '[\"Ann\"]'; UPDATE seats SET seat = seat + 7",
    "options that are none": "UPDATE games SET options = '[1]'",
    "options without words": """UPDATE games SET options = '{"a": 1}'""",
    "players without an end": "UPDATE games SET players = '" + "[" * 5000 + "'",
    "an action that is none": "UPDATE entries SET action = 'dance'",
    "a time that is none": "UPDATE entries SET at = 'soon'",
}


@pytest.mark.parametrize("harm", HARM)
def test_a_journal_that_holds_more_than_a_journal_is_refused(
    here: Path, theirs: Path, made: Callable[[], Path], tmp_path: Path, harm: str
) -> None:
    refused(here, with_journal(made(), theirs, tmp_path, HARM[harm]), "the journal in .*bad.zip")


@pytest.mark.parametrize("harm", ["a trigger on the version", "a view without an end", "a default that calls"])
def test_an_older_journal_is_refused_before_anything_in_it_can_run(
    here: Path, made: Callable[[], Path], tmp_path: Path, harm: str
) -> None:
    (tmp_path / "older").mkdir()
    shutil.copyfile(KEPT / "journal-1.sqlite", tmp_path / "older/journal.sqlite")
    refused(here, with_journal(made(), tmp_path / "older", tmp_path, HARM[harm]), "which no journal of Vander has")


def with_journal(backup: Path, folder: Path, tmp_path: Path, harm: str) -> Path:
    """A backup whose journal is that of a folder after some harm."""
    with closing(sqlite3.connect(folder / "journal.sqlite", isolation_level=None)) as connection:
        connection.executescript(harm)
        connection.execute("PRAGMA journal_mode = DELETE")
    return zipped(tmp_path / "bad.zip", packed(backup) | {"journal.sqlite": (folder / "journal.sqlite").read_bytes()})


@pytest.mark.parametrize("name", [path.name for path in sorted(KEPT.glob("journal-*.sqlite"))])
def test_a_journal_of_each_earlier_version_comes_in_and_is_migrated(
    name: str, here: Path, made: Callable[[], Path], tmp_path: Path
) -> None:
    older = zipped(tmp_path / "older.zip", packed(made()) | {"journal.sqlite": (KEPT / name).read_bytes()})
    restore_backup(here, older)
    with closing(Journal.in_folder(here)) as journal:
        assert [len(game.players) for game in journal.games()] == [1, 2]


def test_a_journal_that_takes_too_long_to_read_is_refused(theirs: Path) -> None:
    with closing(Journal.in_folder(theirs)) as journal:
        journal.write(1, *(entry(number) for number in range(4, 1500)))
    with pytest.raises(BadBackup, match="takes longer than 0 s to read"):
        check_untrusted(theirs / "journal.sqlite", "a backup", limit_s=0.0)


def cheated(folder: Path, *, over: bool) -> None:
    """Begin a game in which the rules refuse what was done, and end it if it is to be over."""
    action = Action.parse("1 end")
    with closing(Journal.in_folder(folder)) as journal:
        game = journal.begin("intersection", ("Ann", "Bob"), {}, "intersection")
        journal.write(game.number, Entry(1, entry(1).at, Source.TABLET, Deed.PLAY, action))
        if over:
            journal.begin("dice", ("Ann",), {}, "d6")


@pytest.mark.parametrize("over", [True, False])
def test_a_game_against_the_rules_is_named_and_with_a_yes_it_is_kept_but_never_goes_on(
    here: Path, theirs: Path, made: Callable[[], Path], over: bool
) -> None:
    cheated(theirs, over=over)
    backup = made()
    refused(here, backup, r"The rules refuse some games, .* game 2 \(entry 1: .* give --yes")
    owner = Owner(says=True)
    restore_backup(here, backup, choices=RestoreChoices(owner.agrees))
    assert len(owner.asked) == 1
    with closing(Journal.in_folder(here)) as journal:
        assert [len(journal.entries(game.number)) for game in journal.games()][:2] == [3, 1]
        latest = journal.latest()
        assert latest is None or latest.game == "dice"


@pytest.mark.parametrize("column", ["game = 'chess'", "die_set = 'none'", 'options = \'{"a": "b"}\''])
def test_a_game_that_cannot_even_begin_is_one_against_the_rules(
    here: Path, theirs: Path, made: Callable[[], Path], tmp_path: Path, column: str
) -> None:
    bad = with_journal(made(), theirs, tmp_path, f"UPDATE games SET {column}")  # noqa: S608  our own words
    refused(here, bad, r"The rules refuse some games, .* game 1 \(")


def test_games_that_take_too_long_to_play_again_need_a_yes_and_go_on(theirs: Path) -> None:
    named = replay_games(theirs, load(data_dir=theirs), "a backup", limit_s=-1.0)
    assert named == (f"game 1 ({TOO_LONG})",)
    with closing(Journal.in_folder(theirs)) as journal:
        assert journal.latest() is not None


# ── what Vander would not start with ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("settings.toml", b"port = = 1"),
        ("settings.toml", b'port = "many"'),
        ("settings.toml", b"no_such_setting = 1"),
        ("choices.toml", b"quota_mb = -1"),
        ("choices.toml", b"\xff"),
        ("choices.toml", b"quota_mb = " + b"9" * 5000),
        ("certificate.jsonl", b'{"at": "x", "throw": {"game": 9e99, "entry": 1, "dice": []}}\n{"at": "x"}\n'),
        ("certificate.jsonl", b'{"at": "x", "throw": {"game": 99999999999999999999, "entry": 1, "dice": []}}\n\n'),
        ("certificate.jsonl", b"nonsense\nnonsense\n"),
        ("dice/ours.toml", b"name = 5"),
        ("sheets/ours.toml", b"title = 'ours'"),
        ("captured/about.toml", b"format = 9\n"),
        ("captured/about.toml", b"x = " + b"[" * 5000),
        ("tablets.json", b"{}{"),
    ],
)
def test_what_vander_would_not_start_with_is_refused(
    here: Path, made: Callable[[], Path], tmp_path: Path, name: str, contents: bytes
) -> None:
    refused(
        here,
        zipped(tmp_path / "bad.zip", packed(made()) | {name: contents}),
        "bad.zip holds what Vander would not start|list of tablets",
    )


@pytest.mark.parametrize("contents", [b"x = " + b"[" * 5000, b"\xff", b"die_set = 5", b""])
def test_a_capture_session_that_cannot_be_read_hinders_no_start(
    here: Path, made: Callable[[], Path], tmp_path: Path, contents: bytes
) -> None:
    name = "captured/sessions/20261121-1200-abc/session.toml"
    restore_backup(here, zipped(tmp_path / "odd.zip", packed(made()) | {name: contents}))
    (problem,) = SampleStore(here / "captured").problems
    assert "session.toml cannot be read" in problem


@pytest.mark.parametrize("name", ["certificate.jsonl", "tablets.json", "settings.toml", "voices/0123abcd/voice.toml"])
def test_a_text_that_unpacks_to_more_than_vander_could_read_is_refused(
    here: Path, made: Callable[[], Path], tmp_path: Path, name: str
) -> None:
    """300 MB of line ends pack to a thousandth, and filled the memory when they were read."""
    bad = tmp_path / "bomb.zip"
    shutil.copyfile(made(), bad)
    contents = {each: data for each, data in packed(bad).items() if each != name}
    with zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, data in contents.items():
            archive.writestr(each, data)
        archive.writestr(name, b"\n" * 50_000_001)
    refused(here, bad, "larger than Vander writes one")


# ── who and what comes along ─────────────────────────────────────────────────────────────────────────────────────────


def test_devices_that_are_not_paired_here_are_named_and_need_a_yes(
    here: Path, theirs: Path, made: Callable[[], Path]
) -> None:
    tablets(theirs, ("Ann", "keeper"), ("Bob", "player"), ("Mallory\x1b[2J", "keeper"))
    backup = made()
    said_no = Owner(says=False)
    named = r"Ann \(a keeper\), Bob \(a player\) and Mallory\\u001b\[2J \(a keeper\)"
    refused(here, backup, f"needs a yes.* {named}.*--yes .*--without-devices", RestoreChoices(said_no.agrees))
    assert len(said_no.asked) == 1
    restore_backup(here, backup, choices=RestoreChoices(Owner(says=True).agrees))
    assert tree(here) == tree(theirs)


def test_devices_can_be_left_out_and_those_of_this_box_stay(here: Path, theirs: Path, made: Callable[[], Path]) -> None:
    tablets(theirs, ("Mallory", "keeper"))
    tablets(here, ("Ann", "keeper"))
    own = (here / "tablets.json").read_bytes()
    restore_backup(here, made(), choices=RestoreChoices(without_devices=True))
    assert (here / "tablets.json").read_bytes() == own
    (here / "tablets.json").unlink()
    restore_backup(here, made(), choices=RestoreChoices(without_devices=True))
    assert not (here / "tablets.json").exists()


def test_devices_that_are_paired_here_need_no_yes_and_a_player_who_becomes_a_keeper_does(
    here: Path, theirs: Path, made: Callable[[], Path]
) -> None:
    tablets(here, ("Ann", "keeper"), ("Bob", "player"))
    tablets(theirs, ("Ann", "player"), ("Bob", "player"))
    restore_backup(here, made())
    tablets(here, ("Ann", "keeper"), ("Bob", "player"))
    tablets(theirs, ("Ann", "keeper"), ("Bob", "keeper"))
    refused(here, made(), r"not paired here: Bob \(a keeper\)\.")


@pytest.mark.parametrize("setting", ['database = "sqlite:////x"', 'host = "0.0.0.0"', 'names = "x"'])
def test_settings_that_open_doors_need_a_yes_unless_they_are_the_same_here(
    here: Path, theirs: Path, made: Callable[[], Path], setting: str
) -> None:
    (theirs / "settings.toml").write_text(f"{setting}\npause_s = 1\n", "utf-8")
    backup = made()
    refused(here, backup, f"who reaches Vander, and where it writes: {setting.split(maxsplit=1)[0]} in settings.toml")
    (here / "settings.toml").write_text(setting, "utf-8")
    restore_backup(here, backup)


def test_a_setting_that_shut_a_door_here_is_not_lost_unasked(here: Path, made: Callable[[], Path]) -> None:
    (here / "settings.toml").write_text("trust_local = false\n", "utf-8")
    refused(here, made(), "trust_local in settings.toml")
