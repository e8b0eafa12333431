"""Migrate the tables of an older Vander: one step for each version, in order.

A step is plain SQL for SQLite and PostgreSQL. It names the tables as they were then and imports nothing from the
program, so that it never changes. Alembic was not used: it needs a second table of versions, a template engine and
scripts, for branches that a single journal never has.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection

# Version 2: a game records whether the box doubted its clock when the game began.


def mark_doubted_clocks(connection: Connection) -> None:
    """Add the column; games from before count as begun with a right clock."""
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN clock_doubted BOOLEAN DEFAULT FALSE NOT NULL")


# Version 3: an entry records which device and seat it came from, and the die that a correction or answer is about.


COLUMNS = (
    "device VARCHAR(60) DEFAULT '' NOT NULL",
    "seat INTEGER DEFAULT '0' NOT NULL",
    "dice TEXT DEFAULT '' NOT NULL",
)


def name_actors(connection: Connection) -> None:
    """Add the columns; of entries from before nobody knows who made them.

    Where a power cut left the first version without its entries, that table is made new afterwards.
    """
    if not inspect(connection).has_table("entries"):
        return
    for column in COLUMNS:
        connection.exec_driver_sql(f"ALTER TABLE entries ADD COLUMN {column}")


# Version 4: what an entry keeps is known by its deed, where it was known by how its sentence began.


TYPED = (
    ("asked", "Asked: ", ""),
    ("unanswered", "No longer asked: ", ""),
    ("blind", "Nobody saw the tray for ", "."),
)
"""A deed, how its sentence began, and how it ended: neither is in the note any more."""
DEPARTED = "A die left the tray in the throw"
RETYPE = text(
    "UPDATE entries SET deed = :deed, note = SUBSTR(note, :start, LENGTH(note) - :cut)"
    " WHERE deed = 'remark' AND note LIKE :begin"
)


def type_remarks(connection: Connection) -> None:
    """Give each remark the deed that it is; a die that left the tray keeps its sentence.

    Where a power cut left the first version without its entries, that table is made new afterwards.
    """
    if not inspect(connection).has_table("entries"):
        return
    for deed, begin, end in TYPED:
        length = {"start": len(begin) + 1, "cut": len(begin) + len(end)}
        connection.execute(RETYPE, {"deed": deed, "begin": f"{begin}%", **length})
    connection.execute(RETYPE, {"deed": "departed", "begin": f"{DEPARTED}%", "start": 1, "cut": 0})


# Version 5: players are remembered, and the seats of games point to them.


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


# Version 6: what a finished game came to is kept for each seat, so that statistics replay no games.


RESULTS = """CREATE TABLE results (
    game_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    method INTEGER NOT NULL,
    finished BOOLEAN NOT NULL,
    won BOOLEAN NOT NULL,
    score INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    throws INTEGER NOT NULL,
    best_turn INTEGER NOT NULL,
    best_entry INTEGER NOT NULL,
    stops INTEGER NOT NULL,
    stop_chance FLOAT NOT NULL,
    stop_variance FLOAT NOT NULL,
    points_luck FLOAT NOT NULL,
    points_variance FLOAT NOT NULL,
    risks INTEGER NOT NULL,
    risk FLOAT NOT NULL,
    PRIMARY KEY (game_id, seat),
    FOREIGN KEY(game_id) REFERENCES games (id)
)"""


def keep_results(connection: Connection) -> None:
    """Make the table; games from before are counted when somebody first asks for statistics."""
    connection.exec_driver_sql(RESULTS)


# Version 7: several games may stand open, and one of them is on the table.


NEWEST_OPEN = (
    "UPDATE games SET table_turn = 1"
    " WHERE id = (SELECT MAX(id) FROM (SELECT id FROM games WHERE ended_at IS NULL) AS open_games)"
)


def let_games_stand_open(connection: Connection) -> None:
    """Add the column; the game that goes on is the one on the table."""
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN table_turn INTEGER DEFAULT '0' NOT NULL")
    connection.exec_driver_sql(NEWEST_OPEN)


# Version 8: feats of the players, and how often each face was read, are kept with what a game came to.


FEATS = """CREATE TABLE feats (
    game_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    feat VARCHAR(20) NOT NULL,
    entry INTEGER NOT NULL,
    value FLOAT NOT NULL,
    PRIMARY KEY (game_id, seat, feat),
    FOREIGN KEY(game_id) REFERENCES games (id)
)"""
READ_FACES = """CREATE TABLE read_faces (
    game_id INTEGER NOT NULL,
    kind VARCHAR(40) NOT NULL,
    read_as VARCHAR(40) NOT NULL,
    truth VARCHAR(40) NOT NULL,
    dice INTEGER NOT NULL,
    PRIMARY KEY (game_id, kind, read_as, truth),
    FOREIGN KEY(game_id) REFERENCES games (id)
)"""


def keep_feats(connection: Connection) -> None:
    """Make the tables; all games are counted again when somebody first asks, since the method of counting is new."""
    connection.exec_driver_sql(FEATS)
    connection.exec_driver_sql(READ_FACES)


# Version 9: how far each player has come with each achievement is kept.


CAREERS = """CREATE TABLE careers (
    player_id INTEGER NOT NULL,
    achievement VARCHAR(40) NOT NULL,
    level INTEGER NOT NULL,
    method INTEGER NOT NULL,
    occasions INTEGER NOT NULL,
    game INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    PRIMARY KEY (player_id, achievement, level),
    FOREIGN KEY(player_id) REFERENCES players (id)
)"""


def keep_careers(connection: Connection) -> None:
    """Make the table; it is filled when somebody first asks."""
    connection.exec_driver_sql(CAREERS)


# Version 10: store misreadings (the stated face and the place of a die that the camera reads wrong) per game.


def keep_misreadings(connection: Connection) -> None:
    """Add the column; of a game that goes on it is filled when its dice are seen next."""
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN misreadings TEXT DEFAULT '' NOT NULL")


# Version 11: the journal keeps an outbox of what a hall is still to be told.


def keep_outbox(connection: Connection) -> None:
    """Add the column; no game that was played before is told. The new tables are made with all that are missing."""
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN told BOOLEAN DEFAULT FALSE NOT NULL")


STEPS: Mapping[int, Callable[[Connection], None]] = {
    2: mark_doubted_clocks,
    3: name_actors,
    4: type_remarks,
    5: remember_players,
    6: keep_results,
    7: let_games_stand_open,
    8: keep_feats,
    9: keep_careers,
    10: keep_misreadings,
    11: keep_outbox,
}
"""The step that makes each version from the one before."""


def steps(since: int, wanted: int) -> tuple[Callable[[Connection], None], ...]:
    """Return the steps from one version to a later one, in order."""
    return tuple(STEPS[version] for version in range(since + 1, wanted + 1))
