"""Webhooks of a hall: what its tables and tournaments have to tell reaches a real receiver, and slows nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from loopback_receiver import HANG, LoopbackReceiver, listening
from playing_table import PlayingTable
from sqlalchemy import delete, select, text, update
from sqlalchemy.engine import Engine
from tournament_evening import PLAYERS, TournamentEvening

from vander.extras.players.player_service import PlayerService
from vander.extras.webhooks.delivery import DELIVERIES, OLDEST_S, TOLD, DeliveryQueue
from vander.hall.hall_events import HallFollower
from vander.hall.hall_schema import GAMES
from vander.hall.hall_server import start_webhooks
from vander.hall.hall_service import HallService
from vander.storage.settings import Settings
from web.schemas.tournament_schemas import EntrantRequest, FixtureGameRequest, ResultRequest

OpenTable = Callable[[str], PlayingTable]


@pytest.fixture
def board() -> Iterator[LoopbackReceiver]:
    with listening() as scene:
        yield scene


class FollowedHall:
    """A hall whose webhooks are looked up when a test says so."""

    def __init__(self, engine: Engine, folder: Path, board: LoopbackReceiver) -> None:
        self.engine, self.folder, self.receivers, self.later_s = engine, folder, [board.receiver()], 0.0
        self.put = 0
        self.begin()

    def begin(self) -> None:
        """Start it, as after a kill."""
        self.queue = DeliveryQueue.in_folder(self.folder)
        self.queue.register(self.receivers)
        self.follower = HallFollower(self.engine, self.queue, self.receivers, self._count, self._clock)

    def news(self) -> list[dict[str, Any]]:
        """What is put in now, taken out again."""
        self.follower.catch_up()
        with self.queue._engine.begin() as connection:
            rows = connection.execute(select(DELIVERIES).order_by(DELIVERIES.c.number)).all()
            connection.execute(delete(DELIVERIES))
        return [json.loads(row.body) | {"id": row.message_id} for row in rows]

    def told(self) -> str:
        """What is kept of what was told."""
        with self.queue._engine.connect() as connection:
            return " ".join(connection.execute(select(TOLD.c.told)).scalars())

    def _clock(self) -> float:
        return time.time() + self.later_s

    def _count(self) -> None:
        self.put += 1


@pytest.fixture
def followed(engine: Engine, tmp_path: Path, board: LoopbackReceiver) -> Iterator[FollowedHall]:
    opened = FollowedHall(engine, tmp_path, board)
    opened.follower.catch_up()
    yield opened
    opened.queue.close()


@pytest.fixture
def evening(engine: Engine, hall: HallService, open_playing_table: OpenTable) -> Iterator[TournamentEvening]:
    opened = TournamentEvening(engine, hall, [open_playing_table(f"Table {n}") for n in (1, 2)])
    yield opened
    opened.end()


def types(news: Sequence[dict[str, Any]]) -> list[str]:
    return [each["type"] for each in news]


def sentences(news: Sequence[dict[str, Any]], type_: str) -> list[str]:
    return [each["data"]["sentence"] for each in news if each["type"] == type_]


def test_a_knock_out_is_told_from_its_draw_to_its_winner(evening: TournamentEvening, followed: FollowedHall) -> None:
    number = evening.make("knock-out", 4)
    drawn = followed.news()
    assert types(drawn) == ["round.drawn"]
    assert drawn[0]["data"]["title"] == "Semi-finals"
    evening.call_all(number)
    called = followed.news()
    assert types(called) == ["match.called"] * 2
    assert called[0]["data"]["table"] == {"number": 1, "name": "Table 1"}
    assert called[0]["data"]["sentence"].startswith("Club cup, Semi-finals: ")
    evening.play_called(number)
    played = followed.news()
    assert sorted(types(played)) == ["game.over"] * 2 + ["match.result"] * 2 + ["round.drawn"]
    evening.call_all(number)
    evening.play_called(number)
    ended = followed.news()
    assert types(ended) == ["game.over", "match.result", "tournament.over"]
    final, over = ended[1]["data"], ended[2]["data"]
    assert final["winner"] == over["standings"][0]["number"]
    assert over["sentence"] == f"Club cup is over; won by {over['standings'][0]['name']}."
    assert (final["over"], final["corrected"], sorted(final["wins"])) == (True, False, [0, 1])
    everything = [*drawn, *called, *played, *ended]
    ids = {each["id"] for each in everything}
    assert len(ids) == len(everything)
    assert followed.news() == []
    assert not any(name in followed.told() for name in PLAYERS)


def test_a_corrected_result_is_told_again_under_another_id(evening: TournamentEvening, followed: FollowedHall) -> None:
    number = evening.make("knock-out", 2)
    evening.call_all(number)
    (fixture,) = evening.found(number).at_tables
    game = evening.play(fixture.table_name, fixture.names)
    evening.follower.settle()
    first = {each["type"]: each for each in followed.news()}
    evening.correct(fixture.table_name, game)
    again = {each["type"]: each for each in followed.news()}
    assert first.keys() - {"round.drawn"} == again.keys() == {"game.over", "match.result", "tournament.over"}
    for type_, told in again.items():
        assert told["id"] != first[type_]["id"]
        assert (told["data"]["corrected"], first[type_]["data"]["corrected"]) == (True, False)
    assert again["match.result"]["data"]["winner"] != first["match.result"]["data"]["winner"]
    assert again["game.over"]["data"]["winner"] != first["game.over"]["data"]["winner"]


def test_a_result_by_hand_a_bye_and_a_withdrawal_are_told_in_words(
    evening: TournamentEvening, followed: FollowedHall
) -> None:
    number = evening.make("swiss", 3)
    drawn = followed.news()
    assert sentences(drawn, "round.drawn")[0].endswith(" has a bye.")
    assert "match.result" not in types(drawn)
    open_one = next(one for one in evening.found(number).rounds[0].fixtures if all(one.players) and not one.winner)
    version, (first, second) = evening.found(number).version, open_one.players
    wins = [FixtureGameRequest(winner=first or 0, scores=[])]
    evening.service.enter_result(number, ResultRequest(version=version, fixture=open_one.number, games=wins), "desk")
    names = dict(zip(open_one.players, open_one.names, strict=True))
    told = sentences(followed.news(), "match.result")
    assert told == [f"Club cup, Round 1: {names[first]} beats {names[second]}, 1 to 0."]
    version = evening.found(number).version
    evening.service.enter_result(number, ResultRequest(version=version, fixture=open_one.number, games=[]), "desk")
    told = sentences(followed.news(), "match.result")
    pair = " and ".join(open_one.names)
    assert told == [f"Club cup, Round 1: corrected: {pair} play on, their result is taken back."]
    version = evening.found(number).version
    evening.service.withdraw(number, EntrantRequest(version=version, player=second or 0), "desk")
    told = sentences(followed.news(), "match.result")
    assert told == [f"Club cup, Round 1: {names[first]} has the win over {names[second]} without play."]


def test_what_was_over_before_or_a_day_ago_is_not_told(
    engine: Engine, playing_table: PlayingTable, tmp_path: Path, board: LoopbackReceiver
) -> None:
    playing_table.play(5, game="toss-up")
    playing_table.send_all()
    hall = FollowedHall(engine, tmp_path, board)
    with closing(hall.queue):
        assert hall.news() == []
        playing_table.play(5, game="toss-up")
        playing_table.send_all()
        hall.later_s = OLDEST_S + 3600
        assert (hall.news(), hall.put) == ([], 0)
        hall.later_s = 0.0
        assert hall.news() == []  # what is not told stays so
        playing_table.play(5, game="toss-up")
        playing_table.send_all()
        with engine.begin() as connection:  # the table's clock is a year ahead
            ahead = {"ended_at": GAMES.c.ended_at + text("interval '365 days'"), "clock_off_s": 365 * 86400.0}
            connection.execute(update(GAMES).where(GAMES.c.game_id == 3).values(ahead))
        assert [each["data"]["game"]["number"] for each in hall.news()] == [3]


def test_a_hall_that_was_killed_tells_each_under_the_same_id(
    playing_table: PlayingTable, followed: FollowedHall
) -> None:
    playing_table.play(5, game="toss-up")
    playing_table.send_all()
    followed.begin()  # killed before it was put in
    followed.follower.catch_up()
    first = followed.queue.first("board")
    assert first is not None
    followed.queue.close()
    followed.begin()  # killed before it was delivered
    followed.follower.catch_up()
    again = followed.queue.first("board")
    assert again is not None
    assert (again.number, again.message_id, again.body) == (first.number, first.message_id, first.body)
    told = json.loads(again.body)["data"]
    assert told["sentence"] == "Table 1: Toss Up! ends; nobody has won."
    assert (told["complete"], [player["name"] for player in told["players"]]) == (False, ["Ann", "Bob"])
    assert followed.queue.states()[0].waiting == 1


def test_who_is_forgotten_at_a_table_is_in_no_message_that_waits(
    playing_table: PlayingTable, followed: FollowedHall, tmp_path: Path
) -> None:
    playing_table.play(5, game="toss-up", players=("Xanthippe", "Bob"))
    playing_table.send_all()
    followed.follower.catch_up()
    before = followed.queue.first("board")
    PlayerService(playing_table.journal, tmp_path / "Table 1").forget(1)
    playing_table.send_all()
    followed.follower.catch_up([(1, 1)])
    after = followed.queue.first("board")
    assert before is not None
    assert after is not None
    assert (after.message_id, followed.queue.states()[0].waiting) == (before.message_id, 1)
    assert [player["name"] for player in json.loads(after.body)["data"]["players"]] == ["Player 1", "Bob"]
    assert not any(b"Xanthippe" in path.read_bytes() for path in tmp_path.glob("webhooks.sqlite*"))


def test_a_receiver_that_hangs_slows_nothing_and_holds_nothing_of_the_database(
    followed: FollowedHall, hall: HallService, playing_table: PlayingTable, tmp_path: Path, board: LoopbackReceiver
) -> None:
    write_receivers(tmp_path, board)
    board.answers = [HANG]
    with ExitStack() as on_exit:
        start_webhooks(Settings(data_dir=tmp_path), hall, on_exit)
        playing_table.play(5, game="toss-up")
        playing_table.send_all()
        board.wait_for(1)
        playing_table.play(5, game="toss-up")
        playing_table.send_all()  # while the receiver has not answered
        assert any(open_transactions(followed.engine) == 0 for _ in range(50))
        assert len(board.requests) == 1
        board.over.set()
        board.answers = []
    with ExitStack() as on_exit:
        start_webhooks(Settings(data_dir=tmp_path), hall, on_exit)
        told = board.wait_for(3)
    assert [each.message_id for each in told[:2]] == [told[0].message_id] * 2
    assert [json.loads(each.body)["data"]["game"]["number"] for each in told] == [1, 1, 2]


PROGRAM = """
import sys
from contextlib import ExitStack
from pathlib import Path
from vander.hall.hall_schema import open_hall_engine
from vander.hall.hall_server import start_webhooks
from vander.hall.hall_service import HallService
from vander.storage.settings import Settings
print("started", flush=True)
start_webhooks(Settings(data_dir=Path({folder!r})), HallService(open_hall_engine({database!r})), ExitStack())
sys.stdin.read()
"""


def test_a_kill_in_the_middle_of_a_delivery_loses_nothing(
    followed: FollowedHall,
    hall: HallService,
    playing_table: PlayingTable,
    database: str,
    tmp_path: Path,
    board: LoopbackReceiver,
) -> None:
    write_receivers(tmp_path, board)
    board.answers = [HANG]
    words = [sys.executable, "-c", PROGRAM.format(folder=str(tmp_path), database=database)]
    playing_table.play(5, game="toss-up")
    playing_table.send_all()
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        board.wait_for(1)
        process.kill()
    board.over.set()
    playing_table.play(5, game="toss-up")
    playing_table.send_all()
    with ExitStack() as on_exit:
        start_webhooks(Settings(data_dir=tmp_path), hall, on_exit)
        told = board.wait_for(3)
    assert [json.loads(each.body)["data"]["game"]["number"] for each in told] == [1, 1, 2]
    assert told[0].message_id == told[1].message_id != told[2].message_id


def open_transactions(engine: Engine) -> int:
    """How many connections of others to the hall's database are in a transaction, after a moment."""
    time.sleep(0.05)
    others = "datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"
    with engine.connect() as connection:
        return connection.execute(text(f"SELECT count(*) FROM pg_stat_activity WHERE {others}")).scalar_one()  # noqa: S608


def write_receivers(folder: Path, board: LoopbackReceiver) -> None:
    (folder / "webhooks.toml").write_text(
        f'[board]\nurl = "{board.url}"\nsecret = "whsec_{"QUJD" * 10}"\nevents = ["game.over"]\n', "utf-8"
    )
