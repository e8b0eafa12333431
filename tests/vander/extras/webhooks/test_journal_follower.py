"""Webhook events of games in play, from the journal of a real session."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from loopback_receiver import LoopbackReceiver
from random_matches import finished_match, random_match
from session_states import tossup

from hardware.cameras.base import CameraReport, CameraStatus
from models import die_sets
from referee.actions import GameState
from referee.game import Game, begin
from referee.games import games, named
from referee.snapshot import Snapshot
from vander.extras.webhooks.delivery import BrokenQueue, DeliveryAnswer, DeliveryQueue
from vander.extras.webhooks.receivers import ToldGame, WebhookReceiver
from vander.extras.webhooks.webhook_service import JournalFollower, open_webhooks
from vander.storage.journal_schema import KeptGame
from vander.storage.journal_store import Journal
from vander.table.session import Session


def set_up(kept: KeptGame) -> tuple[Game, GameState]:
    game = named(kept.game)
    return game, begin(game, kept.players, die_sets.load(kept.die_set), kept.options)


class Following:
    """A follower that is asked step by step, and what it has put in for one receiver."""

    def __init__(self, folder: Path, session: Session, receiver: WebhookReceiver) -> None:
        self.journal, self.queue = Journal.in_folder(folder), DeliveryQueue.in_folder(folder)
        self.queue.register([receiver])
        self._receiver = receiver.name
        self.follower = JournalFollower(session, self.journal, self.queue, [receiver], set_up, lambda: None)

    def told(self) -> list[dict[str, Any]]:
        """What was put in since the last time, which is taken out."""
        self.follower.catch_up()
        found = []
        while delivery := self.queue.first(self._receiver):
            found.append(json.loads(delivery.body))
            self.queue.settle(delivery, DeliveryAnswer(200))
        return found

    def close(self) -> None:
        self.queue.close()
        self.journal.close()


@contextmanager
def following(folder: Path, session: Session, receiver: WebhookReceiver) -> Iterator[Following]:
    with closing(Following(folder, session, receiver)) as opened:
        yield opened


def types(told: list[dict[str, Any]]) -> list[str]:
    return [each["type"] for each in told]


def roll(session: Session, seat: int, **faces: int) -> None:
    """Enter a throw by hand, since no camera sees one."""
    session.report_camera(CameraReport(CameraStatus.LOST, "There is no camera."))
    session.by_hand(f"{seat} roll {tossup(**faces)}")


def play_a_turn(session: Session, seat: int) -> None:
    roll(session, seat, green=4, yellow=5, red=1)
    session.act(f"{seat} end")


def test_a_game_is_told_from_its_beginning_to_its_end(table: Session, board: LoopbackReceiver, tmp_path: Path) -> None:
    with following(tmp_path, table, board.receiver()) as following_it:
        assert following_it.told() == []
        table.start("toss-up", ["Ann", "Bob"], {})
        (begun,) = following_it.told()
        assert begun["type"] == "game.begun"
        assert begun["data"]["players"][0] == {"seat": 1, "name": "Ann", "score": 0, "left": False}
        assert begun["data"]["sentence"] == "Toss Up! begins: Ann and Bob."
        play_a_turn(table, 1)
        told = following_it.told()
        assert types(told) == ["ruling", "ruling", "turn"]
        assert (told[0]["data"]["deed"], len(told[0]["data"]["dice"])) == ("play", 10)
        assert [call["points"] for call in told[0]["data"]["calls"]][-1] == 4
        assert told[1]["data"]["players"][0]["score"] == 4
        assert told[2]["data"]["on_turn"] == 2
        table.undo()
        told = following_it.told()
        assert types(told) == ["taken-back", "turn"]
        assert (told[0]["data"]["from"], told[0]["data"]["players"][0]["score"]) == (2, 0)
        table.start("toss-up", ["Ann", "Bob"], {})
        told = following_it.told()
        assert types(told) == ["game.over", "game.begun"]
        assert told[0]["data"]["complete"] is False
        assert following_it.told() == []


def test_a_restart_goes_on_where_it_was_and_tells_nothing_twice(
    open_table: Callable[..., Session], board: LoopbackReceiver, tmp_path: Path
) -> None:
    table = open_table()
    table.start("toss-up", ["Ann", "Bob"], {})
    play_a_turn(table, 1)
    with following(tmp_path, table, board.receiver()) as first:
        assert first.told() == []  # from before there were receivers
        roll(table, 2, green=3, yellow=7)
        assert types(first.told()) == ["ruling"]
        source = first.queue.source
        table.act("2 end")
    with following(tmp_path, open_table(), board.receiver()) as second:
        assert second.queue.source == source
        assert types(second.told()) == ["ruling", "turn"]
        assert second.told() == []


def test_a_game_that_ended_between_two_looks_is_told_and_old_ones_are_not(
    table: Session, board: LoopbackReceiver, tmp_path: Path
) -> None:
    match = finished_match(named("toss-up"), 1, ("Ann", "Bob"), {})
    with following(tmp_path, table, board.receiver()) as it:
        kept = replace(match.kept, started_at=datetime.now(UTC), ended_at=datetime.now(UTC))
        it.journal.keep(kept, match.entries)
        assert it.told() == []
        entries = [replace(entry, at=datetime.now(UTC)) for entry in match.entries]
        placed = it.journal.keep(kept, entries[:-1])
        assert types(it.told())[0] == "game.begun"
        it.journal.write(placed.number, entries[-1])  # what a correction does that leaves the game over
        assert "ruling" in types(it.told())
        assert it.told() == []


def test_what_could_not_be_put_in_is_put_in_later(
    table: Session, board: LoopbackReceiver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with following(tmp_path, table, board.receiver()) as it:
        it.told()
        table.start("toss-up", ["Ann", "Bob"], {})
        it.told()
        roll(table, 1, green=4, yellow=5, red=1)

        def fail(*_: object) -> None:
            raise BrokenQueue("the disk is full")

        with monkeypatch.context() as full:
            full.setattr(it.queue, "put", fail)
            with pytest.raises(BrokenQueue):
                it.told()
        assert types(it.told()) == ["ruling"]


def test_every_event_of_every_game_is_json_of_its_own() -> None:
    for game in games():
        match = random_match(game, 40, seed=3)
        told = ToldGame(match.kept, match.game, match.start)
        events = [told.begun(), *(event for entry in match.entries for event in told.hear(entry))]
        assert len({event.key for event in events}) == len(events) > 20
        for event in events:
            data = json.loads(event.body())["data"]
            assert data["sentence"][-1] in ".!:", data
            assert {"game", "entry", "players", "on_turn", "to_act", "winner"} <= data.keys()


class SlowTable:
    """A table whose follower gets no first look before the gate is open."""

    def __init__(self, table: Session, gate: Event) -> None:
        self._gate, self._table = gate, table
        self.wait = table.wait

    def snapshot(self) -> Snapshot:
        self._gate.wait(60.0)
        return self._table.snapshot()


def test_a_game_that_begins_before_the_first_look_is_told(
    table: Session, board: LoopbackReceiver, tmp_path: Path
) -> None:
    gate, receiver = Event(), board.receiver()
    with following(tmp_path, table, receiver) as followed:
        slow = SlowTable(table, gate)
        followed.follower = JournalFollower(slow, followed.journal, followed.queue, [receiver], set_up, lambda: None)
        followed.follower.start()
        table.start("toss-up", ["Ann", "Bob"], {})
        told = types(followed.told())
        gate.set()
        followed.follower.close()
    assert told == ["game.begun"]


def test_the_running_table_tells_as_it_is_played(table: Session, board: LoopbackReceiver, tmp_path: Path) -> None:
    (tmp_path / "webhooks.toml").write_text(
        f'[board]\nurl = "{board.url}"\nsecret = "whsec_{"QUJD" * 10}"\nevents = ["game.begun", "turn"]\n', "utf-8"
    )
    with closing(Journal.in_folder(tmp_path)) as journal:
        service = open_webhooks(
            tmp_path, lambda queue, receivers, put: JournalFollower(table, journal, queue, receivers, set_up, put)
        )
        assert service is not None
        service.start()
        try:
            table.start("toss-up", ["Ann", "Bob"], {})
            board.wait_for(1)
            play_a_turn(table, 1)
            taken = board.wait_for(2)
        finally:
            service.close()
    assert [json.loads(each.body)["type"] for each in taken] == ["game.begun", "turn"]
