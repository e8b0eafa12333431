"""The hall's tables in PostgreSQL: those of the tables' journals, with the table and the line's number.

Everything but players and tournaments is a copy of what the tables' own journals say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from referee.sentences import message_of, say
from vander.storage.data_folder import BrokenJournal

CONNECT_S = 10
"""How long a connection may take to come about: libpq by itself waits for minutes."""
HALL_SCHEMA = 2
"""The version of the tables below. A database of an older one is migrated when it is opened."""
HALL_TABLES = sa.MetaData()
_VERSIONS = sa.Table(
    "hall_schema", HALL_TABLES, sa.Column("version", sa.Integer, primary_key=True, autoincrement=False)
)
_MOMENT = sa.DateTime(timezone=True)

TABLES = sa.Table(
    "tables",
    HALL_TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("name_key", sa.Text, nullable=False),
    sa.Column("key_digest", sa.String(64), nullable=False, unique=True),
    sa.Column("link", sa.String(40), nullable=False),
    sa.Column("paired_at", _MOMENT, nullable=False),
    sa.Column("removed_at", _MOMENT),
    sa.Column("standing", sa.String(12), nullable=False),
    sa.Column("reason", sa.Text, nullable=False, server_default=""),
    sa.Column("taken", sa.Integer, nullable=False, server_default="0"),
    sa.Column("head_hash", sa.String(64), nullable=False, server_default=""),
    sa.Column("clock_off_s", sa.Float, nullable=False, server_default="0"),
    sa.Column("version", sa.String(40), nullable=False, server_default=""),
    sa.Column("node", sa.Text, nullable=False, server_default=""),
    sa.Column("seen_at", _MOMENT),
)
"""One row for each pairing. `taken` lines of it are here, and `head_hash` is the hash of the last."""
sa.Index("one_table_a_name", TABLES.c.name_key, unique=True, postgresql_where=TABLES.c.removed_at.is_(None))

GAMES = sa.Table(
    "games",
    HALL_TABLES,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("game_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("players", sa.JSON, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("die_set", sa.String(40), nullable=False),
    sa.Column("die_set_file", sa.Text, nullable=False, server_default=""),
    sa.Column("sheets", sa.JSON, nullable=False),
    sa.Column("started_at", _MOMENT, nullable=False),
    sa.Column("ended_at", _MOMENT),
    sa.Column("clock_doubted", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("clock_off_s", sa.Float),
    sa.Column("standing", sa.String(12), nullable=False),
    sa.Column("reason", sa.Text, nullable=False, server_default=""),
    sa.Column("sequence", sa.Integer, nullable=False, server_default="0"),
    sa.Column("scores", sa.JSON, nullable=False),
    sa.Column("winner", sa.JSON, nullable=False),
    sa.Column("taken_at", _MOMENT, nullable=False),
)
"""A game of a table. `standing` is one of `GameStanding`; `sequence` is the last line that told of it; `scores` and
`winner` are those to which its entries lead.
`clock_off_s` is by how much the table's clock was ahead when the game was told, None where nobody knows."""
sa.Index("games_by_end", GAMES.c.ended_at)
sa.Index("games_by_beginning", GAMES.c.started_at)
sa.Index("games_going", GAMES.c.table_id, GAMES.c.sequence)

ENTRIES = sa.Table(
    "entries",
    HALL_TABLES,
    sa.Column("table_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("sequence", sa.Integer, nullable=False),
    sa.Column("at", _MOMENT, nullable=False),
    sa.Column("source", sa.String(10), nullable=False),
    sa.Column("deed", sa.String(10), nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("rule", sa.String(20), nullable=False),
    sa.Column("evidence", sa.String(120), nullable=False),
    sa.Column("device", sa.String(60), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("dice", sa.Text, nullable=False),
    sa.Column("taken_at", _MOMENT, nullable=False),
    sa.ForeignKeyConstraint(["table_id", "game_id"], ["games.table_id", "games.game_id"]),
)
sa.Index("one_line_once", ENTRIES.c.table_id, ENTRIES.c.sequence, unique=True)

QUARANTINED_LINES = sa.Table(
    "quarantined_lines",
    HALL_TABLES,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("taken_at", _MOMENT, nullable=False),
)
"""Lines that the rules refuse, or of a game of which they refused one: kept as they came, and counted nowhere."""

PLAYERS = sa.Table(
    "players",
    HALL_TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("name_key", sa.Text, nullable=False, unique=True),
    sa.Column("made_at", _MOMENT, nullable=False),
)
SEATS = sa.Table(
    "seats",
    HALL_TABLES,
    sa.Column("table_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player_id", sa.ForeignKey("players.id"), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("score", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("won", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("finished", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("ended_at", _MOMENT),
    sa.ForeignKeyConstraint(["table_id", "game_id"], ["games.table_id", "games.game_id"]),
)
"""Who sits where, and what the game came to for the seat: `game` and `ended_at` are the game's, for quick sums."""
sa.Index("seats_by_player", SEATS.c.player_id, SEATS.c.ended_at)
sa.Index("seats_by_game", SEATS.c.game, SEATS.c.ended_at)

API_KEYS = sa.Table(
    "api_keys",
    HALL_TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("made_at", _MOMENT, nullable=False),
    sa.Column("used_at", _MOMENT),
)
"""The keys by which a club's own programs read: only their hashes are kept."""
WAITING_PLAYERS = sa.Table(
    "waiting_players",
    HALL_TABLES,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("player_id", sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("joined_at", _MOMENT, nullable=False),
)
"""The players who have joined in at a table by its code, and wait for a game there."""
WAITING_SECRETS = sa.Table(
    "waiting_secrets",
    HALL_TABLES,
    sa.Column("table_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("digest", sa.String(64), nullable=False, index=True),
    sa.ForeignKeyConstraint(
        ["table_id", "player_id"], ["waiting_players.table_id", "waiting_players.player_id"], ondelete="CASCADE"
    ),
)
"""The hash of the secret with which a phone joined. Who waits without one joined in a hall that gave no secrets yet."""

TOURNAMENTS = sa.Table(
    "tournaments",
    HALL_TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("decided_in", sa.Integer, nullable=False),
    sa.Column("made_at", _MOMENT, nullable=False),
    sa.Column("removed_at", _MOMENT),
)
"""A tournament: its `Tournament` as JSON. `version` grows with each change, and `decided_in` is the version that an
organiser made last; the others follow from games."""
FIXTURE_TABLES = sa.Table(
    "fixture_tables",
    HALL_TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.ForeignKey("tables.id"), nullable=False, unique=True),
    sa.Column("tournament_id", sa.ForeignKey("tournaments.id"), nullable=False),
    sa.Column("fixture", sa.Integer, nullable=False),
    sa.Column("played", sa.Integer, nullable=False),
    sa.Column("invitation", sa.JSON, nullable=False),
)
"""Which fixture is called to which table, as its tournament says: one at a table, whatever the tournament. `played` of
its games are over; the next one has an `id` of its own."""
FIXTURE_GAMES = sa.Table(
    "fixture_games",
    HALL_TABLES,
    sa.Column("table_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("tournament_id", sa.ForeignKey("tournaments.id"), nullable=False),
    sa.Column("fixture", sa.Integer, nullable=False),
    sa.ForeignKeyConstraint(["table_id", "game_id"], ["games.table_id", "games.game_id"]),
)
"""The games that ever counted in a tournament: none counts a second time, and their corrections are followed."""
sa.Index("fixture_games_by_tournament", FIXTURE_GAMES.c.tournament_id)
TOURNAMENT_DECISIONS = sa.Table(
    "tournament_decisions",
    HALL_TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("tournament_id", sa.ForeignKey("tournaments.id"), nullable=False),
    sa.Column("at", _MOMENT, nullable=False),
    sa.Column("organiser", sa.Text, nullable=False),
    sa.Column("decision", sa.String(20), nullable=False),
    sa.Column("about", sa.Text, nullable=False),
)
"""What the organisers decided, one line each; `organiser` is the name of the tablet."""
sa.Index("decisions_by_tournament", TOURNAMENT_DECISIONS.c.tournament_id, TOURNAMENT_DECISIONS.c.id)


def open_hall_engine(address: str) -> Engine:
    """Open the hall's database; its tables are created where there are none, and migrated where they are older.

    A database that a newer hall has written is left as it is. Raises BrokenJournal.
    """
    try:
        engine = sa.create_engine(
            _with_driver(make_url(address)),
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=20,
            connect_args={"connect_timeout": CONNECT_S},
        )
    except (ArgumentError, ImportError) as error:
        raise BrokenJournal(
            say("{address} is no PostgreSQL address: {cause}", address=repr(address), cause=message_of(error))
        ) from error
    try:
        _prepare(engine)
    except BrokenJournal:
        engine.dispose()
        raise
    except SQLAlchemyError as error:
        engine.dispose()
        cause = " ".join(str(getattr(error, "orig", None) or error).split())
        raise BrokenJournal(say("the hall's database cannot be opened: {cause}", cause=cause)) from error
    return engine


def _with_driver(url: URL) -> URL:
    """Return an address with psycopg 3 as the driver, which `postgresql://` alone does not name."""
    if url.get_backend_name() != "postgresql":
        raise ArgumentError("it names another database")
    return url.set(drivername="postgresql+psycopg")


def _prepare(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(
            sa.text("SELECT pg_advisory_xact_lock(862671)")
        )  # two programs that start at once take turns
        found = None
        if sa.inspect(connection).has_table(_VERSIONS.name):
            found = connection.execute(sa.select(_VERSIONS.c.version)).scalar()
        if found is not None and found > HALL_SCHEMA:
            raise BrokenJournal(
                say(
                    "the hall's database was written by another version of Vander (its tables are version {version}, "
                    "this program knows {schema})",
                    version=found,
                    schema=HALL_SCHEMA,
                )
            )
        for step in hall_steps(found or HALL_SCHEMA, HALL_SCHEMA):
            step(connection)
        HALL_TABLES.create_all(connection)
        if found != HALL_SCHEMA:
            connection.execute(sa.delete(_VERSIONS))
            connection.execute(sa.insert(_VERSIONS).values(version=HALL_SCHEMA))


# Migrate the tables of an older hall: one step for each version, in order
#
# A step is plain SQL for PostgreSQL. It names the tables as they were then and uses nothing of the program, so that it
# never changes. All steps run in the transaction in which the hall's database is opened: completely or not at all.


def find_games_by_beginning(connection: Connection) -> None:
    """Version 2: find a game by its beginning, so that one which is told again counts once; drop an unused column."""
    connection.exec_driver_sql("CREATE INDEX games_by_beginning ON games (started_at)")
    connection.exec_driver_sql("ALTER TABLE games DROP COLUMN entries")


HALL_STEPS: Mapping[int, Callable[[Connection], None]] = {2: find_games_by_beginning}
"""The step that makes each version of a hall's tables from the one before."""


def hall_steps(since: int, wanted: int) -> tuple[Callable[[Connection], None], ...]:
    """Return the steps from one version to a later one, in order."""
    return tuple(HALL_STEPS[version] for version in range(since + 1, wanted + 1))
