"""A table that plays real games at random through the referee, writes its journal, and sends it to a hall."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from random_matches import random_match

from referee.games import named
from referee.journal import Entry
from vander.extras.hall_link.membership import HallMembership, HallRefusal, HallUnreachable, OutboxSender
from vander.storage.journal_schema import Ending
from vander.storage.journal_store import Journal

GAMES = ("intersection", "toss-up", "dice-county-fair", "rollers", "switch-16")


class AppClient:
    """Posts to an application of this process as `HallClient` does over the network; may lose answers on the way."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        self.loses_answers = False

    def post(self, path: str, body: Mapping[str, object], key: str = "") -> dict[str, Any]:
        headers = {"X-Vander": "table", "Authorization": f"Bearer {key}"}
        answer = self._client.post(path, json=body, headers=headers)
        found: dict[str, Any] = answer.get_json()
        if self.loses_answers or answer.status_code >= 500:
            raise HallUnreachable(found.get("error", "lost"))
        if answer.status_code != 200:
            raise HallRefusal(found["error"], answer.status_code)
        return found

    def close(self) -> None:
        pass


class PlayingTable:
    """A table with a journal of its own in a folder."""

    def __init__(self, folder: Path, client: AppClient, name: str, code: tuple[int, ...]) -> None:
        request = {"code": list(code), "name": name, "wire": 1, "version": "0.1.0"}
        answer = client.post("/api/hall/join", request)
        self.journal, self.client, self.name = Journal.in_folder(folder), client, name
        self.membership = HallMembership(address="http://hall", name=name, key=answer["key"], link=answer["link"])
        self.journal.follow_hall(self.membership.link)
        self.games = 0

    def play(self, entries: int = 30, seed: int = 1, game: str = "", players: tuple[str, ...] = ("Ann", "Bob")) -> int:
        """Play a game of so many entries, each written by itself, and end it; return its number."""
        return self.tell(random_match(named(game or GAMES[seed % len(GAMES)]), entries, seed, players).entries,
                         game or GAMES[seed % len(GAMES)], players)  # fmt: skip

    def tell(self, entries: tuple[Entry, ...], game: str, players: tuple[str, ...]) -> int:
        """Write a game with these entries into the journal, and end it."""
        die_set = named(game).die_set or "d6"
        number = self.journal.begin(game, players[: named(game).seats[1]], {}, die_set).number
        for entry in entries:
            self.journal.write(number, replace(entry, evidence=""))
        self.journal.write(number, ending=Ending(entries[-1].at if entries else None))
        self.games += 1
        return number

    def sender(self, wait: Callable[[float], object] = lambda _s: None) -> OutboxSender:
        """Return a new sender, as after a restart."""
        return OutboxSender(self.journal, self.membership, wait, client=self.client)  # type: ignore[arg-type]

    def send_all(self, sender: OutboxSender | None = None) -> None:
        """Send until nothing waits."""
        sending = sender or self.sender()
        while sending.send_once():
            pass

    def close(self) -> None:
        self.journal.close()
