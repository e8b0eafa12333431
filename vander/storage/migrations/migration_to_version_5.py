"""Version 5: players are remembered, and the seats of games point to them."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence

from sqlalchemy import text
from sqlalchemy.engine import Connection

COLOURS = ("red", "orange", "yellow", "green", "teal", "blue", "violet", "pink")
PICTURES = ("fox", "owl", "cat", "bear", "whale", "frog", "rabbit", "snail", "moon", "tree", "boat", "kite")
PLAYERS = """CREATE TABLE players (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT,
    colour VARCHAR(20) NOT NULL,
    picture VARCHAR(20) NOT NULL,
    made_at DATETIME NOT NULL,
    forgotten_at DATETIME,
    PRIMARY KEY (id),
    UNIQUE (name_key)
)"""
SEATS = """CREATE TABLE seats (
    game_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    PRIMARY KEY (game_id, seat),
    FOREIGN KEY(game_id) REFERENCES games (id),
    FOREIGN KEY(player_id) REFERENCES players (id)
)"""
ADD_PLAYER = text(
    "INSERT INTO players (id, name, name_key, colour, picture, made_at)"
    " SELECT :id, :name, :key, :colour, :picture, started_at FROM games WHERE id = :game"
)
ADD_SEAT = text("INSERT INTO seats (game_id, seat, player_id) VALUES (:game, :seat, :player)")


def remember_players(connection: Connection) -> None:
    """Make the tables, and remember everybody who sat in a game; of two in one game whose names read alike the first.

    The spelling that is remembered is that of a player's latest game.
    """
    on_server = connection.dialect.name != "sqlite"
    for table in (PLAYERS, SEATS):
        connection.exec_driver_sql(table.replace("DATETIME", "TIMESTAMP WITH TIME ZONE") if on_server else table)
    known: dict[str, int] = {}
    for game, players in connection.exec_driver_sql("SELECT id, players FROM games ORDER BY id").all():
        _seat(connection, int(game), json.loads(players) if isinstance(players, str) else players, known)


def _seat(connection: Connection, game: int, names: Sequence[str], known: dict[str, int]) -> None:
    keys: dict[str, tuple[int, str]] = {}
    for seat, name in enumerate(names, start=1):
        keys.setdefault(_as_read(name), (seat, name))
    for key, (seat, name) in keys.items():
        if not key:
            continue  # a record from elsewhere may lack a name
        if key not in known:
            known[key] = len(known) + 1
            connection.execute(ADD_PLAYER, _row(known[key], name, key, game))
        spelling = {"name": name.strip(), "id": known[key]}
        connection.execute(text("UPDATE players SET name = :name WHERE id = :id"), spelling)
        connection.execute(ADD_SEAT, {"game": game, "seat": seat, "player": known[key]})


def _row(number: int, name: str, key: str, game: int) -> Mapping[str, object]:
    colour, picture = COLOURS[(number - 1) % len(COLOURS)], PICTURES[(number - 1) % len(PICTURES)]
    return {"id": number, "name": name.strip(), "key": key, "colour": colour, "picture": picture, "game": game}


def _as_read(name: str) -> str:
    words = unicodedata.normalize("NFKC", name).casefold().split()
    return " ".join("".join(letter for letter in word if letter.isprintable()) for word in words)
