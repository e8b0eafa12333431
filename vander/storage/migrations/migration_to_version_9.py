"""Version 9: how far each player has come with each achievement is kept."""

from __future__ import annotations

from sqlalchemy.engine import Connection

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
