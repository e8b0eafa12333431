"""The hall takes each entry of each table exactly once, in order, and nothing that the rules refuse."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playing_table import GAMES, AppClient, PlayingTable
from random_matches import finished_match, random_match
from sqlalchemy import event, select, update
from sqlalchemy.engine import Engine

from referee.games import named
from referee.journal import Deed, Entry, Source
from vander.extras.hall_link.membership import HallRefusal, HallUnreachable, OutboxSender
from vander.hall import hall_games, season
from vander.hall.entry_intake import FORKED, MOST_RENAMED, UNHASHED
from vander.hall.game_replays import GameReplay, GameSetUp
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_schema import ENTRIES, PLAYERS, QUARANTINED_LINES, SEATS, TABLES
from vander.hall.hall_schema import GAMES as HALL_GAMES
from vander.hall.hall_server import create_hall_app
from vander.hall.hall_service import MOST_REQUESTS, HallService
from vander.storage import outbox_tables, player_tables
from vander.storage.journal_schema import Ending
from vander.storage.journal_store import Journal
from web.schemas.tournament_schemas import SeasonFilter

OpenTable = Callable[[str], PlayingTable]


def in_hall(engine: Engine, key: tuple[int, int] = (1, 1)) -> tuple[Entry, ...]:
    """The entries of a game as the hall has them."""
    with engine.connect() as connection:
        row = hall_games.game_row(connection, key)
        return tuple(hall_games.read_entries(connection, key, row.players)) if row else ()


def standing(engine: Engine, key: tuple[int, int] = (1, 1)) -> tuple[str, str]:
    with engine.connect() as connection:
        row = hall_games.game_row(connection, key)
        assert row is not None
        return row.standing, row.reason


def quarantined(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return list(
            connection.execute(select(QUARANTINED_LINES.c.reason).order_by(QUARANTINED_LINES.c.sequence)).scalars()
        )


@pytest.mark.parametrize("game", GAMES)
def test_a_game_stands_in_the_hall_as_in_the_journal(playing_table: PlayingTable, engine: Engine, game: str) -> None:
    number = playing_table.play(60, seed=3, game=game)
    playing_table.send_all()
    assert in_hall(engine) == playing_table.journal.entries(number)
    with engine.connect() as connection:
        replayed = hall_games.replay_game(connection, (1, 1))
        row = hall_games.game_row(connection, (1, 1))
        scores = connection.execute(select(SEATS.c.score).order_by(SEATS.c.seat)).scalars().all()
    assert replayed is not None
    assert row is not None
    assert (row.standing, tuple(row.scores)) == ("over", replayed.state.scores)
    assert tuple(scores) == replayed.state.scores[: len(row.players)]


def test_what_comes_again_is_taken_once(playing_table: PlayingTable, engine: Engine) -> None:
    playing_table.play(40)
    playing_table.client.loses_answers = True
    for _ in range(3):
        with pytest.raises(HallUnreachable):
            playing_table.sender().send_once()
    playing_table.client.loses_answers = False
    playing_table.send_all()
    assert in_hall(engine) == playing_table.journal.entries(1)
    assert playing_table.sender().send_once() == 0


def test_a_hall_and_a_table_that_are_both_started_again_go_on(
    playing_table: PlayingTable, engine: Engine, app_client: AppClient
) -> None:
    match = random_match(named("toss-up"), 30, 5)
    number = playing_table.journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up").number
    for entry in match.entries:
        playing_table.journal.write(number, replace(entry, evidence=""))
        playing_table.client = AppClient(create_hall_app(HallBackends(hall=HallService(engine))).test_client())
        playing_table.send_all()
    assert in_hall(engine) == playing_table.journal.entries(number)
    assert standing(engine) == ("going", "")


def test_a_table_catches_up_after_days_without_the_hall(playing_table: PlayingTable, engine: Engine) -> None:
    numbers = [playing_table.play(40, seed) for seed in range(12)]
    playing_table.send_all()
    assert [in_hall(engine, (1, number)) for number in numbers] == [
        playing_table.journal.entries(number) for number in numbers
    ]


def test_an_entry_against_the_rules_quarantines_its_game_and_the_rest_goes_on(
    playing_table: PlayingTable, engine: Engine
) -> None:
    honest = random_match(named("toss-up"), 12, 2).entries
    lie = next(place for place, entry in enumerate(honest) if entry.action and entry.action.dice)
    forged = tuple(replace(entry, action=replace(entry.action, player=9)) if place == lie and entry.action else entry
                   for place, entry in enumerate(honest))  # fmt: skip
    playing_table.tell(forged, "toss-up", ("Ann", "Bob"))
    second = playing_table.play(20, 4)
    playing_table.send_all()
    state, reason = standing(engine)
    assert (state, len(in_hall(engine))) == ("quarantined", lie)
    assert f"entry {lie + 1}" in reason
    assert len(quarantined(engine)) == len(honest) - lie + 1  # with that of its end
    assert in_hall(engine, (1, second)) == playing_table.journal.entries(second)


@pytest.mark.parametrize(
    "lie",
    [
        {"number": 7},
        {"deed": "undo", "target": 99, "action": ""},
        {"deed": "correct", "target": 1, "action": "1 fly"},
        {"action": "nonsense ="},
        {"deed": "win"},
        {"at": "2026-03-04"},
        {"at": "0001-01-01T00:00:00+14:00"},
        {"seat": 9999},
        {"extra": 1},
    ],
)
def test_a_line_that_lies_is_kept_apart(
    playing_table: PlayingTable, engine: Engine, lie: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    body = outbox_tables.entry_body
    monkeypatch.setattr(
        outbox_tables, "entry_body", lambda entry: {**body(entry), **(lie if entry.number == 3 else {})}
    )
    playing_table.play(10, 1, "toss-up")
    playing_table.send_all()
    assert quarantined(engine)
    assert len(in_hall(engine)) == 2
    assert playing_table.sender().send_once() == 0  # and the table goes on


def test_a_copied_data_folder_is_found_out(playing_table: PlayingTable, engine: Engine, tmp_path: Path) -> None:
    playing_table.play(10)
    playing_table.send_all()
    playing_table.journal.close()
    shutil.copytree(tmp_path / "Table 1", tmp_path / "copy")
    playing_table.journal = Journal.in_folder(tmp_path / "Table 1")
    playing_table.play(10, 2)
    playing_table.send_all()
    playing_table.journal.close()
    with closing(Journal.in_folder(tmp_path / "copy")) as copied:
        copy = OutboxSender(copied, playing_table.membership, lambda _s: None, client=playing_table.client)  # type: ignore[arg-type]
        with pytest.raises(HallRefusal, match="older than the hall"):
            copy.send_once()
    with pytest.raises(HallRefusal, match="older"):  # nobody knows which of the two is the table
        playing_table.sender().send_once()
    assert in_hall(engine, (1, 2)) == playing_table.journal.entries(2)


def test_a_journal_that_went_another_way_is_found_out(playing_table: PlayingTable, tmp_path: Path) -> None:
    playing_table.play(10)
    playing_table.journal.close()
    shutil.copytree(tmp_path / "Table 1", tmp_path / "copy")
    playing_table.journal = Journal.in_folder(tmp_path / "Table 1")
    playing_table.play(10, 2)
    playing_table.send_all()
    playing_table.journal.close()
    with closing(Journal.in_folder(tmp_path / "copy")) as copied:
        playing_table.journal = copied
        playing_table.play(12, 3)
        playing_table.play(12, 4)
        with pytest.raises(HallRefusal, match=str(FORKED)[:40]):
            playing_table.send_all()


def test_wrong_hashes_quarantine_the_table_and_no_other(open_playing_table: OpenTable, engine: Engine) -> None:
    liar, honest = open_playing_table("Liar"), open_playing_table("Honest")
    liar.play(5)
    honest.play(5)
    with liar.journal.writing() as connection:
        connection.exec_driver_sql("UPDATE outbox SET body = replace(body, 'Ann', 'Eve') WHERE sequence = 1")
    for _ in range(2):
        with pytest.raises(HallRefusal, match=str(UNHASHED)):
            liar.send_all()
    honest.send_all()
    with engine.connect() as connection:
        assert {row.name: row.standing for row in connection.execute(select(TABLES))} == {
            "Liar": "quarantined",
            "Honest": "live",
        }


def test_nobody_sends_without_a_key_and_no_two_tables_have_one_name(
    playing_table: PlayingTable, open_playing_table: OpenTable, hall: HallService
) -> None:
    with pytest.raises(HallRefusal, match="has a table table 1 already"):
        open_playing_table("table 1")
    playing_table.membership = playing_table.membership.model_copy(update={"key": "guess"})
    with pytest.raises(HallRefusal, match="does not know this table"):
        playing_table.sender().send_once()
    hall.remove_table(1)
    assert open_playing_table("Table 1").sender().send_once() == 0


def test_a_removed_table_is_told_so(playing_table: PlayingTable, hall: HallService) -> None:
    hall.remove_table(1)
    with pytest.raises(HallRefusal, match="has removed this table"):
        playing_table.sender().send_once()


@pytest.mark.parametrize(("wire", "says"), [(0, "too old"), (2, "Update the hall")])
def test_another_version_is_refused_in_one_sentence(app_client: AppClient, wire: int, says: str) -> None:
    body = {"wire": wire, "version": "9", "now": "", "head": 0, "previous": "", "lines": []}
    with pytest.raises(HallRefusal, match=says):
        app_client.post("/api/hall/entries", body | {"now": "x"}, "key")


def test_a_wrong_code_joins_nothing(app_client: AppClient, hall: HallService) -> None:
    request = {"code": [1, 1, 1, 1, 1, 1], "name": "A", "wire": 1, "version": "0.1.0"}
    with pytest.raises(HallRefusal, match="shows no code"):
        app_client.post("/api/hall/join", request)
    code = hall.registry.show_code()
    wrong = [7 - face for face in code]
    for _ in range(5):
        with pytest.raises(HallRefusal, match="not the code"):
            app_client.post("/api/hall/join", request | {"code": wrong})
    with pytest.raises(HallRefusal, match="Too many wrong codes"):
        app_client.post("/api/hall/join", request | {"code": list(code)})
    assert hall.registry.tables() == []


def test_a_flood_from_one_table_is_refused_and_loses_nothing(playing_table: PlayingTable, engine: Engine) -> None:
    stopped = HallService(engine, clock=lambda: 0.0)
    playing_table.client = AppClient(create_hall_app(HallBackends(hall=stopped)).test_client())
    playing_table.play(10)
    sender = playing_table.sender()
    for _ in range(MOST_REQUESTS):
        sender.send_once()
    with pytest.raises(HallRefusal, match="come too often"):
        sender.send_once()
    assert in_hall(engine) == playing_table.journal.entries(1)


def test_a_forgotten_name_goes_from_the_hall_too(playing_table: PlayingTable, engine: Engine) -> None:
    playing_table.play(20, 1, "toss-up", ("Annabella", "Bob"))
    playing_table.play(5, 2, "toss-up", ("Cid", "Dot"))
    playing_table.send_all()
    with playing_table.journal.writing() as connection:
        player_tables.name_seats(connection, 1, "")
    playing_table.send_all()
    assert in_hall(engine) == playing_table.journal.entries(1)
    with engine.connect() as connection:
        kept = json.dumps([list(map(str, row)) for row in connection.execute(select(HALL_GAMES))])
        known = list(connection.execute(select(PLAYERS.c.name)).scalars())
    assert "Annabella" not in [kept, *known]
    assert "Annabella" not in kept
    assert "Player 1" in kept


def test_many_names_in_one_request_replay_their_game_once(
    playing_table: PlayingTable, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, match = playing_table.play(20, 1, "toss-up"), random_match(named("toss-up"), 24, 1)
    playing_table.send_all()
    with playing_table.journal.writing() as connection:
        for count in range(30):
            outbox_tables.tell_names(connection, number, (f"Ann {count}", "Bob"))
    playing_table.journal.write(number, *match.entries[20:], ending=Ending(None))
    replays: list[GameSetUp] = []
    replay = GameReplay.of
    monkeypatch.setattr(GameReplay, "of", lambda set_up, *told: replays.append(set_up) or replay(set_up, *told))
    hall = HallService(engine)  # started again: it has nothing in memory
    playing_table.client = AppClient(create_hall_app(HallBackends(hall=hall)).test_client())
    playing_table.send_all()
    assert len(replays) == 1
    with engine.connect() as connection:
        row = hall_games.game_row(connection, (1, number))
        known = set(connection.execute(select(PLAYERS.c.name)).scalars())
    assert row is not None
    assert (row.players, known) == (["Ann 29", "Bob"], {"Ann 29", "Bob"})
    assert len(in_hall(engine)) == 24
    assert hall.replays.get((1, number)) is None  # the next who wants it has it with its names of now


def test_a_hundred_changes_of_a_name_cost_the_database_no_more_than_one(
    playing_table: PlayingTable, engine: Engine
) -> None:
    number, written = playing_table.play(20, 1, "toss-up"), list[str]()
    playing_table.send_all()
    event.listen(engine, "before_cursor_execute", lambda *found: written.append(found[2]))
    with playing_table.journal.writing() as connection:
        for count in range(100):
            outbox_tables.tell_names(connection, number, (f"Ann {count}", "Bob"))
    playing_table.send_all()
    assert sum("UPDATE games SET players" in statement for statement in written) == 1
    assert len(written) < 100
    with engine.connect() as connection:
        row = hall_games.game_row(connection, (1, number))
    assert row is not None
    assert row.players == ["Ann 99", "Bob"]


def test_changes_of_many_names_are_taken_a_few_in_each_request(
    playing_table: PlayingTable, engine: Engine, hall: HallService
) -> None:
    numbers = [playing_table.play(2, 1, "toss-up") for _ in range(MOST_RENAMED + 5)]
    playing_table.send_all()
    (before,) = (table.taken for table in hall.registry.tables())
    with playing_table.journal.writing() as connection:
        for number in numbers:
            outbox_tables.tell_names(connection, number, (f"Ann {number}", "Bob"))
    sender = playing_table.sender()
    sender.send_once()
    assert [table.taken for table in hall.registry.tables()] == [before + MOST_RENAMED]
    playing_table.send_all(sender)
    with engine.connect() as connection:
        kept = connection.execute(select(HALL_GAMES.c.players).order_by(HALL_GAMES.c.game_id)).scalars().all()
    assert kept == [[f"Ann {number}", "Bob"] for number in numbers]


def test_what_is_said_after_a_change_of_names_keeps_the_names_of_then(
    playing_table: PlayingTable, engine: Engine
) -> None:
    remark = Entry(1, datetime(2026, 3, 4, tzinfo=UTC), Source.TABLET, Deed.REMARK, note="Ann waits for Bob.")
    number = playing_table.tell((remark,), "toss-up", ("Ann", "Bob"))
    with playing_table.journal.writing() as connection:
        outbox_tables.tell_names(connection, number, ("Cleo", "Ann"))
    playing_table.journal.write(number, replace(remark, number=2, note="Ann waits for Cleo."))
    with playing_table.journal.writing() as connection:
        outbox_tables.tell_names(connection, number, ("Cleo", "Dora"))
    playing_table.send_all()
    assert [entry.note for entry in in_hall(engine)] == ["Cleo waits for Dora.", "Dora waits for Cleo."]


def test_a_name_that_is_a_word_of_a_notation_leaves_the_notation_as_it_is(
    playing_table: PlayingTable, engine: Engine
) -> None:
    lies = Entry(1, datetime(2026, 3, 4, tzinfo=UTC), Source.TABLET, Deed.BLIND, note="covered 3.2")
    playing_table.tell((lies,), "toss-up", ("covered", "Bob"))
    playing_table.send_all()
    with playing_table.journal.writing() as connection:
        player_tables.name_seats(connection, 1, "")
    playing_table.send_all()
    assert in_hall(engine) == playing_table.journal.entries(1)
    assert in_hall(engine)[0].note == "covered 3.2"


def test_what_the_rules_of_today_refuse_of_an_older_game_quarantines_it_and_the_table_goes_on(
    playing_table: PlayingTable, engine: Engine, hall: HallService
) -> None:
    number = playing_table.play(10, 1, "toss-up")
    playing_table.send_all()
    with engine.begin() as connection:  # as if a rule had changed
        connection.execute(update(ENTRIES).where(ENTRIES.c.number == 1).values(action="2 fly"))
    hall.replays.drop([(1, number)])
    playing_table.journal.write(number, ending=Ending(None))
    second = playing_table.play(10, 2, "toss-up")
    playing_table.send_all()
    assert standing(engine)[0] == "quarantined"
    assert in_hall(engine, (1, second)) == playing_table.journal.entries(second)


def test_a_game_that_is_put_into_quarantine_after_its_end_counts_no_more_and_is_told(
    playing_table: PlayingTable, engine: Engine, hall: HallService
) -> None:
    match = finished_match(named("toss-up"), 1, ("Ann", "Bob"), {})
    number = playing_table.tell(match.entries, "toss-up", ("Ann", "Bob"))
    playing_table.send_all()
    told: list[tuple[int, int]] = []
    hall.listen(told.extend)
    last = match.entries[-1]
    forged = replace(last, number=last.number + 1, deed=Deed.CORRECT, target=99, evidence="")
    playing_table.journal.write(number, forged)
    playing_table.send_all()
    assert told == [(1, number)]
    with engine.connect() as connection:
        assert season.standings(connection, SeasonFilter(), 9) == []


def test_a_clock_that_is_wrong_is_seen_and_stops_nothing(playing_table: PlayingTable, hall: HallService) -> None:
    body = {"wire": 1, "version": "0.1.0", "now": "2020-01-01T00:00:00+00:00", "head": 0, "previous": "", "lines": []}
    assert playing_table.client.post("/api/hall/entries", body, playing_table.membership.key)["taken"] == 0
    (table,) = hall.registry.tables()
    assert table.clock_off_s < -100_000_000


def test_undo_and_correction_are_replayed(playing_table: PlayingTable, engine: Engine) -> None:
    match = random_match(named("toss-up"), 9, 6)
    undo = replace(match.entries[-1], number=10, deed=Deed.UNDO, action=None, target=9, note="Taken back.", evidence="")
    playing_table.tell((*match.entries, undo), "toss-up", ("Ann", "Bob"))
    playing_table.send_all()
    assert standing(engine)[1] == ""
    assert in_hall(engine)[-1].deed is Deed.UNDO
