"""A player who is forgotten stands in no message that waits, and in no byte of its file."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from loopback_receiver import LoopbackReceiver
from random_matches import finished_match
from test_journal_follower import set_up

from referee.games import named
from referee.sentences import Refused
from vander.extras.players.player_service import PlayerService, nobody_listens
from vander.extras.webhooks.delivery import DeliveryAnswer, DeliveryQueue, renaming_with, with_names
from vander.extras.webhooks.webhook_service import JournalFollower
from vander.storage.data_folder import WEBHOOK_QUEUE
from vander.storage.journal_store import Journal
from vander.table.session import Session

NAME = "Xanthippé"
"""A name that is in no file by chance."""


def files_with(folder: Path, name: str) -> set[str]:
    """The files in whose bytes a name is found, as text or escaped in JSON."""
    wanted = (name.encode(), json.dumps(name)[1:-1].encode())
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.name for path in files if any(each in path.read_bytes() for each in wanted)}


@pytest.fixture
def waiting(table: Session, board: LoopbackReceiver, tmp_path: Path) -> Iterator[tuple[Journal, DeliveryQueue]]:
    """A journal with a game of hers, and a queue in which all of it waits; both are in use."""
    receiver = board.receiver()
    with closing(Journal.in_folder(tmp_path)) as journal, closing(DeliveryQueue.in_folder(tmp_path)) as queue:
        queue.register([receiver])
        follower = JournalFollower(table, journal, queue, [receiver], set_up, lambda: None)
        follower.catch_up()
        match = finished_match(named("toss-up"), 1, (NAME, "Bob"), {})
        number = journal.begin("toss-up", (NAME, "Bob"), {}, "toss-up").number
        journal.write(number, *(replace(entry, evidence="", device=f"{NAME}s phone") for entry in match.entries))
        follower.catch_up()
        taken = queue.first("board")
        assert taken is not None
        queue.settle(taken, DeliveryAnswer(204))  # whose place in the file is free now
        yield journal, queue


def bodies(queue: DeliveryQueue) -> list[dict[str, Any]]:
    """What waits, in order."""
    found: list[str] = []
    with queue.rewriting(lambda body: (found.append(body), body)[1]):
        pass
    return [json.loads(body) for body in found]


def test_who_is_forgotten_is_in_no_message_and_in_no_file(
    waiting: tuple[Journal, DeliveryQueue], tmp_path: Path
) -> None:
    journal, queue = waiting
    before, first = bodies(queue), queue.first("board")
    assert files_with(tmp_path, NAME) & {WEBHOOK_QUEUE, f"{WEBHOOK_QUEUE}-wal"}
    players = PlayerService(journal, tmp_path, renaming=renaming_with(nobody_listens, tmp_path))
    forgotten = players.forget(next(one.number for one in players.players() if one.name == NAME))
    assert (files_with(tmp_path, NAME), forgotten.left) == (set(), ())
    after, still = bodies(queue), queue.first("board")
    assert first is not None
    assert still is not None
    assert (still.number, still.message_id) == (first.number, first.message_id)
    assert [each["type"] for each in after] == [each["type"] for each in before]
    assert {each["data"]["players"][0]["name"] for each in after} == {"Player 1"}
    said = [each["data"]["sentence"] for each in before if NAME in each["data"]["sentence"]]
    assert said
    renamed = [each["data"]["sentence"] for each in after if "Player 1" in each["data"]["sentence"]]
    assert renamed == [sentence.replace(NAME, "Player 1") for sentence in said]


def test_who_is_called_otherwise_is_so_in_the_messages_too(
    waiting: tuple[Journal, DeliveryQueue], tmp_path: Path
) -> None:
    journal, queue = waiting
    PlayerService(journal, tmp_path, renaming=renaming_with(nobody_listens, tmp_path)).change(1, name="Xenia")
    assert {each["data"]["players"][0]["name"] for each in bodies(queue)} == {"Xenia"}


def test_a_name_that_could_not_be_changed_stays_in_the_messages(
    waiting: tuple[Journal, DeliveryQueue], tmp_path: Path
) -> None:
    journal, queue = waiting

    @contextmanager
    def refusing(_old: str, _new: str, _others: Collection[str]) -> Iterator[None]:
        raise Refused("The phones cannot be written.")
        yield

    before = bodies(queue)
    with pytest.raises(Refused, match="phones"):
        PlayerService(journal, tmp_path, renaming=renaming_with(refusing, tmp_path)).forget(1)
    assert bodies(queue) == before


def test_a_damaged_queue_refuses_before_anything_is_changed(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up")
        (tmp_path / WEBHOOK_QUEUE).write_bytes(b"no database" * 1000)
        players = PlayerService(journal, tmp_path, renaming=renaming_with(nobody_listens, tmp_path))
        with pytest.raises(Refused, match="webhooks"):
            players.forget(1)
        assert [one.name for one in players.players()] == ["Ann", "Bob"]


def test_another_players_longer_name_stays_whole() -> None:
    players = [{"seat": 1, "name": "Ann", "score": 1}, {"seat": 2, "name": "Ann-Marie", "score": 2}]
    said = {"sentence": "Ann and Ann-Marie play.", "players": players, "calls": [{"sentence": "Ann's turn."}]}
    body = json.dumps({"type": "ruling", "data": said})
    changed = json.loads(with_names(body, lambda _data: {"Ann": "Player 1"}))["data"]
    assert changed["sentence"] == "Player 1 and Ann-Marie play."
    assert changed["calls"][0]["sentence"] == "Player 1's turn."
    assert [one["name"] for one in changed["players"]] == ["Player 1", "Ann-Marie"]
    assert with_names(body, lambda _data: {}) == body
