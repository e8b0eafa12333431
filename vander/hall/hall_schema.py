"""The hall's tables in PostgreSQL: those of the tables' journals, with the table and the line's number.

Everything but players and tournaments is a copy of what the tables' own journals say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    false,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from referee.sentences import message_of, say
from vander.storage.data_folder import BrokenJournal

CONNECT_S = 10
"""How long a connection may take to come about: libpq by itself waits for minutes."""
HALL_SCHEMA = 2
"""The version of the tables below. A database of an older one is migrated when it is opened."""
HALL_TABLES = MetaData()
_VERSIONS = Table("hall_schema", HALL_TABLES, Column("version", Integer, primary_key=True, autoincrement=False))
_MOMENT = DateTime(timezone=True)

TABLES = Table(
    "tables",
    HALL_TABLES,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("key_digest", String(64), nullable=False, unique=True),
    Column("link", String(40), nullable=False),
    Column("paired_at", _MOMENT, nullable=False),
    Column("removed_at", _MOMENT),
    Column("standing", String(12), nullable=False),
    Column("reason", Text, nullable=False, server_default=""),
    Column("taken", Integer, nullable=False, server_default="0"),
    Column("head_hash", String(64), nullable=False, server_default=""),
    Column("clock_off_s", Float, nullable=False, server_default="0"),
    Column("version", String(40), nullable=False, server_default=""),
    Column("node", Text, nullable=False, server_default=""),
    Column("seen_at", _MOMENT),
)
"""One row for each pairing. `taken` lines of it are here, and `head_hash` is the hash of the last."""
Index("one_table_a_name", TABLES.c.name_key, unique=True, postgresql_where=TABLES.c.removed_at.is_(None))

GAMES = Table(
    "games",
    HALL_TABLES,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("game_id", Integer, primary_key=True, autoincrement=False),
    Column("game", String(40), nullable=False),
    Column("players", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("die_set", String(40), nullable=False),
    Column("die_set_file", Text, nullable=False, server_default=""),
    Column("sheets", JSON, nullable=False),
    Column("started_at", _MOMENT, nullable=False),
    Column("ended_at", _MOMENT),
    Column("clock_doubted", Boolean, nullable=False, server_default=false()),
    Column("clock_off_s", Float),
    Column("standing", String(12), nullable=False),
    Column("reason", Text, nullable=False, server_default=""),
    Column("sequence", Integer, nullable=False, server_default="0"),
    Column("scores", JSON, nullable=False),
    Column("winner", JSON, nullable=False),
    Column("taken_at", _MOMENT, nullable=False),
)
"""A game of a table. `standing` is one of `GameStanding`; `sequence` is the last line that told of it; `scores` and
`winner` are those to which its entries lead.
`clock_off_s` is by how much the table's clock was ahead when the game was told, None where nobody knows."""
Index("games_by_end", GAMES.c.ended_at)
Index("games_by_beginning", GAMES.c.started_at)
Index("games_going", GAMES.c.table_id, GAMES.c.sequence)

ENTRIES = Table(
    "entries",
    HALL_TABLES,
    Column("table_id", Integer, primary_key=True, autoincrement=False),
    Column("game_id", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("sequence", Integer, nullable=False),
    Column("at", _MOMENT, nullable=False),
    Column("source", String(10), nullable=False),
    Column("deed", String(10), nullable=False),
    Column("action", Text, nullable=False),
    Column("target", Integer, nullable=False),
    Column("note", Text, nullable=False),
    Column("rule", String(20), nullable=False),
    Column("evidence", String(120), nullable=False),
    Column("device", String(60), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("dice", Text, nullable=False),
    Column("taken_at", _MOMENT, nullable=False),
    ForeignKeyConstraint(["table_id", "game_id"], ["games.table_id", "games.game_id"]),
)
Index("one_line_once", ENTRIES.c.table_id, ENTRIES.c.sequence, unique=True)

QUARANTINED_LINES = Table(
    "quarantined_lines",
    HALL_TABLES,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),
    Column("body", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("taken_at", _MOMENT, nullable=False),
)
"""Lines that the rules refuse, or of a game of which they refused one: kept as they came, and counted nowhere."""

PLAYERS = Table(
    "players",
    HALL_TABLES,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("made_at", _MOMENT, nullable=False),
)
SEATS = Table(
    "seats",
    HALL_TABLES,
    Column("table_id", Integer, primary_key=True, autoincrement=False),
    Column("game_id", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("game", String(40), nullable=False),
    Column("score", BigInteger, nullable=False, server_default="0"),
    Column("won", Boolean, nullable=False, server_default=false()),
    Column("finished", Boolean, nullable=False, server_default=false()),
    Column("ended_at", _MOMENT),
    ForeignKeyConstraint(["table_id", "game_id"], ["games.table_id", "games.game_id"]),
)
"""Who sits where, and what the game came to for the seat: `game` and `ended_at` are the game's, for quick sums."""
Index("seats_by_player", SEATS.c.player_id, SEATS.c.ended_at)
Index("seats_by_game", SEATS.c.game, SEATS.c.ended_at)

API_KEYS = Table(
    "api_keys",
    HALL_TABLES,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("made_at", _MOMENT, nullable=False),
    Column("used_at", _MOMENT),
)
"""The keys by which a club's own programs read: only their hashes are kept."""
WAITING_PLAYERS = Table(
    "waiting_players",
    HALL_TABLES,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("joined_at", _MOMENT, nullable=False),
)
"""The players who have joined in at a table by its code, and wait for a game there."""
WAITING_SECRETS = Table(
    "waiting_secrets",
    HALL_TABLES,
    Column("table_id", Integer, primary_key=True, autoincrement=False),
    Column("player_id", Integer, primary_key=True, autoincrement=False),
    Column("digest", String(64), nullable=False, index=True),
    ForeignKeyConstraint(
        ["table_id", "player_id"], ["waiting_players.table_id", "waiting_players.player_id"], ondelete="CASCADE"
    ),
)
"""The hash of the secret with which a phone joined. Who waits without one joined in a hall that gave no secrets yet."""

TOURNAMENTS = Table(
    "tournaments",
    HALL_TABLES,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("decided_in", Integer, nullable=False),
    Column("made_at", _MOMENT, nullable=False),
    Column("removed_at", _MOMENT),
)
"""A tournament: its `Tournament` as JSON. `version` grows with each change, and `decided_in` is the version that an
organiser made last; the others follow from games."""
FIXTURE_TABLES = Table(
    "fixture_tables",
    HALL_TABLES,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False, unique=True),
    Column("tournament_id", ForeignKey("tournaments.id"), nullable=False),
    Column("fixture", Integer, nullable=False),
    Column("played", Integer, nullable=False),
    Column("invitation", JSON, nullable=False),
)
"""Which fixture is called to which table, as its tournament says: one at a table, whatever the tournament. `played` of
its games are over; the next one has an `id` of its own."""
FIXTURE_GAMES = Table(
    "fixture_games",
    HALL_TABLES,
    Column("table_id", Integer, primary_key=True, autoincrement=False),
    Column("game_id", Integer, primary_key=True, autoincrement=False),
    Column("tournament_id", ForeignKey("tournaments.id"), nullable=False),
    Column("fixture", Integer, nullable=False),
    ForeignKeyConstraint(["table_id", "game_id"], ["games.table_id", "games.game_id"]),
)
"""The games that ever counted in a tournament: none counts a second time, and their corrections are followed."""
Index("fixture_games_by_tournament", FIXTURE_GAMES.c.tournament_id)
TOURNAMENT_DECISIONS = Table(
    "tournament_decisions",
    HALL_TABLES,
    Column("id", Integer, primary_key=True),
    Column("tournament_id", ForeignKey("tournaments.id"), nullable=False),
    Column("at", _MOMENT, nullable=False),
    Column("organiser", Text, nullable=False),
    Column("decision", String(20), nullable=False),
    Column("about", Text, nullable=False),
)
"""What the organisers decided, one line each; `organiser` is the name of the tablet."""
Index("decisions_by_tournament", TOURNAMENT_DECISIONS.c.tournament_id, TOURNAMENT_DECISIONS.c.id)


def open_hall_engine(address: str) -> Engine:
    """Open the hall's database; its tables are created where there are none, and migrated where they are older.

    A database that a newer hall has written is left as it is. Raises BrokenJournal.
    """
    try:
        engine = create_engine(
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
        connection.execute(text("SELECT pg_advisory_xact_lock(862671)"))  # two programs that start at once take turns
        found = None
        if inspect(connection).has_table(_VERSIONS.name):
            found = connection.execute(select(_VERSIONS.c.version)).scalar()
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
            connection.execute(delete(_VERSIONS))
            connection.execute(insert(_VERSIONS).values(version=HALL_SCHEMA))


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
