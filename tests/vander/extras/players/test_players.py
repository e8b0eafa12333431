"""Players are remembered by their names, and renamed, merged and forgotten in everything that is kept."""

from __future__ import annotations

import json
import re
import resource
import shutil
import sqlite3
import tomllib
import zipfile
from base64 import b64encode
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from laid_dice import Dice
from random_matches import random_match

from models import die_sets
from referee.games import named
from referee.journal import Actor, Deed, Entry, Source
from referee.known_players import (
    COLOURS,
    PICTURES,
    ForgetWishes,
    NamedVoice,
    NameTraces,
    VoiceWish,
    replace_name,
    stand_in,
)
from referee.sentences import Reason, Refused
from vander.access.devices import DeviceRegistry
from vander.backup import create_backup
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.extras.players.player_service import PlayerService, SeatedPlayers, find_owners_copies, told_of
from vander.extras.voice.family_voices import FamilyVoices
from vander.storage.journal_schema import SCHEMA
from vander.storage.journal_store import Journal
from vander.table.match import Match
from vander.table.session import Session

KEPT = Path(__file__).parents[2] / "kept"
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NAME = "Xanthippé"
"""A name that is in no file by chance, and is written otherwise in JSON."""
COPY = f"journal.sqlite.before-{SCHEMA}"
"""The copy of an older journal."""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal.in_folder(tmp_path)) as opened:
        yield opened


@pytest.fixture
def players(journal: Journal, tmp_path: Path) -> PlayerService:
    return PlayerService(journal, tmp_path)


def begin(journal: Journal, *names: str) -> int:
    return journal.begin("toss-up", names, {}, "toss-up").number


def names(players: PlayerService) -> list[str]:
    return [player.name for player in players.players()]


def number_of(players: PlayerService, name: str) -> int:
    return next(player.number for player in players.players() if player.name == name)


def test_a_name_that_is_known_becomes_that_player_however_it_is_typed(journal: Journal, players: PlayerService) -> None:
    begin(journal, "Ann", "Bob")
    second = journal.begin("toss-up", ("bob ", "ANN", "Cy"), {}, "toss-up")
    assert second.players == ("Bob", "Ann", "Cy")
    assert journal.games()[-1].players == ("Bob", "Ann", "Cy")
    ended_games = [(player.name, player.games) for player in players.players()]
    assert ended_games == [("Ann", 1), ("Bob", 1), ("Cy", 0)]  # the second one goes on
    assert len({(player.colour, player.picture) for player in players.players()}) == 3


def test_a_game_played_elsewhere_keeps_its_names_and_is_its_players(journal: Journal, players: PlayerService) -> None:
    begin(journal, "Ann", "Bob")
    elsewhere = random_match(named("toss-up"), 4, seed=1)
    ended = replace(elsewhere.kept, players=("ann ", ""), ended_at=NOON)
    assert journal.keep(ended, elsewhere.entries).players == ("ann ", "")
    assert [(player.name, player.games) for player in players.players()] == [("Ann", 1), ("Bob", 0)]


def test_a_player_has_a_colour_and_a_picture_that_can_be_changed(journal: Journal, players: PlayerService) -> None:
    begin(journal, "Ann")
    players.change(1, colour="violet", picture="owl")
    (ann,) = players.players()
    assert (ann.name, ann.colour, ann.picture) == ("Ann", "violet", "owl")
    for wrong in ({"colour": "beige"}, {"picture": "photograph"}):
        with pytest.raises(Refused, match="There is no"):
            players.change(1, **wrong)


def test_every_picture_is_drawn_and_ships() -> None:
    folder = Path(__file__).parents[4] / "web/static/players"
    assert {path.stem for path in folder.glob("*.svg")} == {*PICTURES}
    assert all("<image" not in path.read_text("utf-8") for path in folder.glob("*.svg"))
    assert len(COLOURS) == len({*COLOURS})


def test_a_new_name_stands_in_all_games_and_in_what_was_said(journal: Journal, players: PlayerService) -> None:
    number = begin(journal, "Ann", "Bob")
    note = "Does Ann's throw count? Annabel says that Ann threw."
    journal.write(number, Entry(1, NOON, Source.TABLET, Deed.ANSWER, note=note, device="Anns phone", seat=1))
    told: list[tuple[str, str]] = []

    @contextmanager
    def renaming(old: str, new: str, _others: Collection[str]) -> Iterator[None]:
        yield
        told.append((old, new))

    PlayerService(journal, Path(), renaming=renaming).change(1, name="Anna")
    assert journal.games()[0].players == ("Anna", "Bob")
    (entry,) = journal.entries(number)
    assert entry.note == "Does Anna's throw count? Annabel says that Anna threw."
    assert entry.device == "Annas phone"
    assert told == [("Ann", "Anna")]
    assert begin(journal, "ann") == 2
    assert names(players) == ["Anna", "Bob", "ann"]


def test_a_name_of_somebody_else_is_refused(journal: Journal, players: PlayerService) -> None:
    begin(journal, "Ann", "Bob")
    with pytest.raises(Refused, match="Merge the two") as refused:
        players.change(1, name="BOB")
    assert refused.value.reason is Reason.CONFLICT
    players.change(1, name="ANN")
    assert names(players) == ["ANN", "Bob"]


def test_two_names_of_one_person_are_merged_and_two_people_are_not(journal: Journal, players: PlayerService) -> None:
    begin(journal, "Ann", "Bob")
    begin(journal, "Annie")
    begin(journal, "Bob")
    with pytest.raises(Refused, match="Bob and Ann played together in game 1"):
        players.merge(number_of(players, "Bob"), number_of(players, "Ann"))
    players.merge(number_of(players, "Annie"), number_of(players, "Ann"))
    assert [(player.name, player.games) for player in players.players()] == [("Ann", 2), ("Bob", 1)]
    assert [game.players for game in journal.games()] == [("Ann", "Bob"), ("Ann",), ("Bob",)]
    with pytest.raises(Refused, match="one player already"):
        players.merge(1, 1)
    with pytest.raises(Refused, match="no such player"):
        players.merge(1, 99)


def test_who_sits_at_the_table_keeps_the_name_until_another_game(journal: Journal, tmp_path: Path) -> None:
    begin(journal, "Ann", "Bob")
    players = PlayerService(journal, tmp_path, seated=SeatedPlayers(lambda: ("ann",)))
    for attempt in (
        lambda: players.forget(1),
        lambda: players.merge(2, 1),
        lambda: players.change(1, name="Anna"),
    ):
        with pytest.raises(Refused, match=r"Ann sits at the table\. Begin a game without Ann first\."):
            attempt()
    players.change(1, colour="teal")
    players.forget(2)
    assert names(players) == ["Ann"]


def test_the_games_of_a_forgotten_player_who_was_called_like_a_die_go_on(
    journal: Journal, players: PlayerService
) -> None:
    game = named("intersection")
    played = next(
        laid
        for seed in range(50)
        for match in [random_match(game, 12, seed, players=("signal", "Bob"))]
        if (laid := match.laid(game.lay(match.state))) and "signal:" in laid.entries[-1].note
    ).breach("signal threw too early.", "I.2-3", "")
    kept = journal.keep(played.kept, played.entries)
    players.forget(number_of(players, "signal"))
    after = Match.of(journal.games()[0], game, die_sets.load("intersection"), journal.entries(kept.number))
    assert after.kept.players == ("Player 1", "Bob")
    assert after.entries[-1].note == "Player 1 threw too early."
    assert after.entries[-2] == played.entries[-2]
    assert after.state.scores == played.state.scores


def test_names_that_read_like_a_seats_own_are_told_apart() -> None:
    assert stand_in(2, ["Ann", "player  2"]) == "Player 2*"
    assert replace_name("Al, Alma, Als and AL's", "Al", "X", any_case=True) == "X, Alma, Xs and X's"


# A player forgotten leaves no name in any file


def spelled(name: str) -> set[bytes]:
    """A name as files may hold it: in several encodings and capitals, and escaped in JSON."""
    spellings = {name, name.lower(), name.upper(), json.dumps(name)[1:-1], json.dumps(name.lower())[1:-1]}
    return {spelling.encode(code) for spelling in spellings for code in ("utf-8", "utf-16-le", "latin-1")}


def files_with(folder: Path, name: str) -> set[str]:
    """The files in whose bytes a name is found, and the archives with such a file."""
    wanted = spelled(name)
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix() for path in files if any(each in unpacked(path) for each in wanted)}


def unpacked(path: Path) -> bytes:
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as packed:
        return b"".join(packed.read(name) for name in packed.namelist())


def leave_copies(folder: Path, journal: Journal, number: int) -> set[str]:
    """Leave whatever else may hold a name in a data folder; return the files' names."""
    statistics = PlayStatisticsService(journal)
    exports = {
        "plays.csv": b"".join(statistics.plays("csv")),
        "plays.json": b"".join(statistics.plays("json")),
        "games.zip": b"".join(statistics.plays("records")),
        "results/theirs.json": json.dumps(json.loads(statistics.results_of(number))).encode(),
    }
    for name, content in exports.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    voice = FamilyVoices(folder).add(f"{NAME}’s voice")
    (folder / "settings.toml").write_text(f'# ours\ncaller_voice = "{voice.name}"\nport = 8080\n', "utf-8")
    create_backup(folder, folder / "vander-backup-20261121-120000.zip")
    (folder / "before-restore").mkdir()
    shutil.copyfile(folder / "plays.csv", folder / "before-restore/tablets.json")
    backups = {"vander-backup-20261121-120000.zip", "before-restore/tablets.json"}
    return {*exports, *backups, "settings.toml", f"voices/{voice.voice}/voice.toml"}


def an_old_journal(folder: Path) -> None:
    """Put a journal of the version before into a folder, in which the player sat."""
    shutil.copyfile(KEPT / "journal-4.sqlite", folder / "journal.sqlite")
    with closing(sqlite3.connect(folder / "journal.sqlite")) as connection, connection:
        connection.execute("UPDATE games SET players = ? WHERE id = 1", (json.dumps([NAME]),))


def an_evening(session: Session, dice: Dice) -> None:
    """Play a game in which the player is named in the notes, and begin another one without her."""
    session.observe(dice.look())
    session.start("intersection", [NAME.upper(), "Bob"], {})
    session.act("1 begin", by=Actor(f"{NAME}s Handy", 1))
    session.undo(by=Actor(f"{NAME}s Handy", 1))
    session.start("intersection", ["Bob"], {})


def test_a_player_forgotten_leaves_no_name_in_any_file(
    tmp_path: Path, open_table: Callable[..., Session], dice: Dice
) -> None:
    an_old_journal(tmp_path)
    devices = DeviceRegistry(tmp_path, lambda: 0.0, date.today)
    devices.add(f"{NAME}'s phone", by_keeper=True)
    devices.bind(1, NAME)
    (tmp_path / "tablets.damaged-1.json").write_text(f'{{"name": "{NAME}"', "utf-8")
    (tmp_path / "tablets.damaged-2.json").write_text('{"name": "Bob"', "utf-8")
    session = open_table()
    an_evening(session, dice)
    with closing(Journal.in_folder(tmp_path)) as journal:
        players = PlayerService(journal, tmp_path, renaming=devices.renaming_player)
        number = number_of(players, NAME)
        left = leave_copies(tmp_path, journal, number)
        before = files_with(tmp_path, NAME)
        assert before >= {COPY, "tablets.json", "tablets.damaged-1.json", *left}
        assert before & {"journal.sqlite", "journal.sqlite-wal"}
        traces = players.traces(number)
        forgotten = players.forget(number, ForgetWishes(copies=traces.copies))
        assert files_with(tmp_path, NAME) == set()
        assert forgotten.games == 2
        assert forgotten.removed == (COPY, "tablets.damaged-1.json", *traces.copies)
        assert forgotten.left == ()
        assert [voice.name for voice in FamilyVoices(tmp_path).voices()] == ["Somebody’s voice"]
        assert "# ours" in (tmp_path / "settings.toml").read_text("utf-8")
        settings = tomllib.loads((tmp_path / "settings.toml").read_text("utf-8"))
        assert settings == {"caller_voice": "Somebody’s voice", "port": 8080}
        assert [game.players for game in journal.games()] == [
            ("Player 1",),
            ("Ann", "Bob"),
            ("Player 1", "Bob"),
            ("Bob",),
        ]
        assert {entry.device for entry in journal.entries(3)} == {"Somebodys Handy"}
    assert files_with(tmp_path, NAME) == set()
    assert files_with(tmp_path, "Bob") >= {"journal.sqlite", "tablets.damaged-2.json"}
    assert [tablet.player for tablet in devices.tablets()] == [""]
    assert session.snapshot().game


@pytest.mark.parametrize("how", ["forgotten", "renamed", "merged"])
def test_a_game_gone_back_to_while_a_name_changes_does_not_bring_the_name_back(
    tmp_path: Path, open_table: Callable[..., Session], dice: Dice, how: str
) -> None:
    """The game was read with the old name, and came to the table after it was asked who sits there."""
    session = open_table()
    session.observe(dice.look())
    session.start("intersection", [NAME, "Bob"], {})
    session.start("intersection", ["Cy", "Dee"], {}, leave_open=True)
    playing_on = Thread(target=session.play_on, args=(1,))

    def at_table() -> tuple[str, ...]:
        seated = tuple(player.name for player in session.snapshot().state.players)
        if playing_on.ident is None:
            playing_on.start()
            playing_on.join(0.3)
        return seated

    with closing(Journal.in_folder(tmp_path)) as journal:
        players = PlayerService(journal, tmp_path, seated=SeatedPlayers(at_table, session.standing_still))
        number = number_of(players, NAME)
        journal.begin("intersection", ("Eve",), {}, "intersection", leave_open=True)
        changes = {
            "forgotten": lambda: players.forget(number),
            "renamed": lambda: players.change(number, name="Xenia"),
            "merged": lambda: players.merge(number, number_of(players, "Eve")),
        }
        changes[how]()
        playing_on.join()
    first = session.snapshot().state.players[0].name
    assert first == {"forgotten": "Player 1", "renamed": "Xenia", "merged": "Eve"}[how]
    session.act("1 begin")
    with closing(Journal.in_folder(tmp_path)) as journal:
        assert NAME not in str([(journal.game(1).players, entry.note) for entry in journal.entries(1)])


def test_the_owners_copies_are_named_and_left(journal: Journal, players: PlayerService, tmp_path: Path) -> None:
    begin(journal, "Ann")
    (tmp_path / "before-restore").mkdir()
    (tmp_path / "vander-backup-20261121-120000.zip").write_bytes(b"")
    assert find_owners_copies(tmp_path, "Ann") == ("before-restore", "vander-backup-20261121-120000.zip")
    told = list(told_of(players.forget(1), "Ann"))
    assert told == [
        "Ann is forgotten: the name is gone from 1 game.",
        "These copies are yours to delete, and may hold the name: before-restore, vander-backup-20261121-120000.zip.",
    ]


@pytest.mark.parametrize(
    ("wish", "called"),
    [("rename", ["Annabel", "Bob", "Somebody", "Somebody 2"]), ("delete", ["Annabel", "Bob", "Somebody"])],
)
def test_a_recorded_voice_that_bears_the_name_is_kept_without_it_or_deleted(
    journal: Journal, players: PlayerService, tmp_path: Path, wish: VoiceWish, called: list[str]
) -> None:
    begin(journal, "Ann")
    voices = FamilyVoices(tmp_path)
    hers, *_ = [voices.add(name) for name in ("ann", "Annabel", "Bob", "Somebody")]
    assert players.traces(1) == NameTraces((NamedVoice(hers.voice, "ann"),))
    assert players.forget(1, ForgetWishes(wish)).left == ()
    assert [voice.name for voice in voices.voices()] == called
    assert (tmp_path / "voices" / hers.voice).exists() is (wish == "rename")


def test_what_the_owner_called_by_the_name_is_named_and_left(
    journal: Journal, players: PlayerService, tmp_path: Path
) -> None:
    begin(journal, "Ann")
    for name in ("dice/anns.toml", "notes.txt", "annals.txt", "evidence/game-1-entry-1.jpg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("Anns dice" if name != "annals.txt" else "Annals", "utf-8")
    assert players.traces(1).copies == ("notes.txt",)
    assert players.forget(1, ForgetWishes(copies=("dice/anns.toml", "../x"))).left == ("notes.txt", "dice/anns.toml")


def test_a_name_within_that_of_another_player_is_left_alone(
    journal: Journal, players: PlayerService, tmp_path: Path
) -> None:
    devices = DeviceRegistry(tmp_path, lambda: 0.0, date.today)
    devices.add("Ann-Marie's phone", by_keeper=True)
    game = begin(journal, "Ann", "Ann-Marie", "S")
    said = "Ann-Marie threw before Ann: does Ann's throw count?"
    journal.write(game, Entry(1, NOON, Source.TABLET, Deed.ANSWER, note=said, device="Ann-Marie's phone", seat=1))
    voices = FamilyVoices(tmp_path)
    theirs = [voices.add(name).name for name in ("Ann-Marie's voice", "Bob's voice")]
    (tmp_path / "notes.txt").write_text("Ann-Marie's dice")
    players = PlayerService(journal, tmp_path, renaming=devices.renaming_player)
    for name in ("Ann", "S"):
        assert players.traces(number_of(players, name)) == NameTraces()
        assert players.forget(number_of(players, name), ForgetWishes("delete")).left == ()
    assert [voice.name for voice in voices.voices()] == theirs
    assert [tablet.name for tablet in devices.tablets()] == ["Ann-Marie's phone"]
    assert [(entry.note, entry.device) for entry in journal.entries(game)] == [
        ("Ann-Marie threw before Player 1: does Player 1's throw count?", "Ann-Marie's phone")
    ]


def test_a_player_merged_into_a_longer_name_changes_no_phone_of_that_name(journal: Journal, tmp_path: Path) -> None:
    devices = DeviceRegistry(tmp_path, lambda: 0.0, date.today)
    for name in ("Ann's phone", "Ann B's tablet"):
        devices.add(name, by_keeper=True)
    begin(journal, "Ann")
    begin(journal, "Ann B")
    PlayerService(journal, tmp_path, renaming=devices.renaming_player).merge(1, 2)
    assert [tablet.name for tablet in devices.tablets()] == ["Ann B's phone", "Ann B's tablet"]


def test_a_damaged_archive_hinders_nobody_from_being_forgotten(
    journal: Journal, players: PlayerService, tmp_path: Path
) -> None:
    begin(journal, "Ann")
    for packing in (zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA):
        path = tmp_path / f"plays-{packing}.zip"
        with zipfile.ZipFile(path, "w", packing) as archive:
            archive.writestr("plays.csv", "1,Bob " * 999)
        packed = path.read_bytes()
        path.write_bytes(packed[:39] + bytes(12) + packed[51:])
    assert players.traces(1).copies == ()
    assert players.forget(1).games == 1


def test_a_short_name_is_not_read_out_of_learned_numbers(
    journal: Journal, players: PlayerService, tmp_path: Path
) -> None:
    begin(journal, "Al")
    numbers = b64encode(np.random.default_rng(1).bytes(2_000_000)).decode()
    assert re.search("[/+]al[/+]", numbers, re.IGNORECASE)
    (tmp_path / "features").mkdir()
    for name in ("features/d6.jsonl", "corners.json", "plays.json"):
        (tmp_path / name).write_text(json.dumps({"embedding": numbers, "name": "Al" if name == "plays.json" else "Bo"}))
    assert players.forget(1).left == ("plays.json",)


def test_a_copy_that_cannot_be_deleted_leaves_no_name_in_the_journal_and_no_other_copy(
    journal: Journal, players: PlayerService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(journal, NAME)
    copies = [tmp_path / f"journal.sqlite.before-{version}" for version in (3, 4)]
    for copy in copies:
        copy.write_bytes(NAME.encode())
    unlink = Path.unlink

    def stays(path: Path, missing_ok: bool = False) -> None:
        if path == copies[0]:
            raise PermissionError(1, "Operation not permitted")
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", stays)
    with pytest.raises(Refused, match=r"journal\.sqlite\.before-3 may hold the name and cannot be deleted"):
        players.forget(1)
    assert files_with(tmp_path, NAME) == {"journal.sqlite.before-3"}


@pytest.mark.parametrize("how", ["forget", "merge"])
def test_a_name_is_changed_everywhere_or_nowhere_wherever_the_disk_is_full(tmp_path: Path, how: str) -> None:
    """The disk takes some kilobytes more with each attempt, until the name is gone."""
    devices = DeviceRegistry(tmp_path, lambda: 0.0, date.today)
    devices.add(f"{NAME}'s phone", by_keeper=True)
    devices.bind(1, NAME)
    voice = FamilyVoices(tmp_path).add(NAME)
    hers = {"tablets.json", f"voices/{voice.voice}/voice.toml"} if how == "forget" else {"tablets.json"}
    with closing(Journal.in_folder(tmp_path)) as journal:
        for _ in range(60):
            game = begin(journal, NAME, "Bob")
            note = f"Does {NAME}'s throw count? " + "x" * 3000
            journal.write(game, Entry(1, NOON, Source.TABLET, Deed.ANSWER, note=note, device="Phone", seat=1))
        begin(journal, "Eve")
        players = PlayerService(journal, tmp_path, renaming=devices.renaming_player)
        changes = {"forget": lambda: players.forget(1), "merge": lambda: players.merge(1, number_of(players, "Eve"))}
        failed, room = 0, 0
        while NAME in names(players):
            try:
                with full_disk(tmp_path, room):
                    changes[how]()
            except Refused:
                pass
            room += 40_000
            if NAME in names(players):
                failed += 1
                assert files_with(tmp_path, NAME) >= hers
                assert [game.players for game in journal.games()] == [(NAME, "Bob")] * 60 + [("Eve",)]
                assert NAME in journal.entries(60)[0].note
                assert [tablet.player for tablet in devices.tablets()] == [NAME]
                assert list(tmp_path.rglob("*.part")) == []
        assert failed > 2
        journal.rewrite_file()
        assert files_with(tmp_path, NAME) - {f"voices/{voice.voice}/voice.toml"} == set()
        assert [tablet.player for tablet in devices.tablets()] == ["" if how == "forget" else "Eve"]


@pytest.mark.parametrize("blocked", ["tablets.json", "voice.toml"])
def test_a_file_that_cannot_be_written_leaves_the_journal_and_all_others_as_they_were(
    journal: Journal, tmp_path: Path, blocked: str
) -> None:
    devices = DeviceRegistry(tmp_path, lambda: 0.0, date.today)
    devices.add("Ann's phone", by_keeper=True)
    begin(journal, "Ann", "Bob")
    voice = FamilyVoices(tmp_path).add("Ann")
    files = [tmp_path / "tablets.json", tmp_path / "voices" / voice.voice / "voice.toml"]
    before = [path.read_bytes() for path in files]
    in_the_way = next(path for path in files if path.name == blocked)
    in_the_way.with_name(blocked + ".part").mkdir()
    players = PlayerService(journal, tmp_path, renaming=devices.renaming_player)
    with pytest.raises(Refused) as refused:
        players.forget(1)
    assert (refused.value.reason, names(players)) == (Reason.UNAVAILABLE, ["Ann", "Bob"])
    assert ([path.read_bytes() for path in files], journal.games()[0].players) == (before, ("Ann", "Bob"))
    in_the_way.with_name(blocked + ".part").rmdir()
    assert players.forget(1).games == 1


@contextmanager
def full_disk(folder: Path, room: int) -> Iterator[None]:
    """Let no file become larger than the log of the journal is now, and so many bytes."""
    largest = (folder / "journal.sqlite-wal").stat().st_size + room
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def test_nobody_is_forgotten_where_the_journal_could_not_be_written_afresh(journal: Journal, tmp_path: Path) -> None:
    begin(journal, "Ann")
    players = PlayerService(journal, tmp_path, room=lambda _folder: journal.bytes_to_rewrite - 1)
    with pytest.raises(Refused, match=r"takes 1 MB of free disk, .* Nothing was changed") as refused:
        players.forget(1)
    assert (refused.value.reason, names(players)) == (Reason.UNAVAILABLE, ["Ann"])


def test_a_file_that_cannot_be_rewritten_is_not_silently_kept(
    journal: Journal, players: PlayerService, tmp_path: Path
) -> None:
    begin(journal, "Ann")
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM games").fetchall()
        with pytest.raises(Refused, match=r"may still hold traces.*vander players tidy") as refused:
            players.forget(1)
    assert refused.value.reason is Reason.UNAVAILABLE
    assert names(players) == []
    journal.rewrite_file()
