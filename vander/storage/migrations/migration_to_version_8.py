"""Version 8: feats of the players, and how often each face was read, are kept with what a game came to."""

from __future__ import annotations

from sqlalchemy.engine import Connection

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
