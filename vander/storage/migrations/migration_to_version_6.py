"""Version 6: what a finished game came to is kept for each seat, so that statistics replay no games."""

from __future__ import annotations

from sqlalchemy.engine import Connection

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
