"""How many entries a hall takes a second: 50 tables in a second process, a real hall, PostgreSQL and Mosquitto.

    python tests/bench/hall.py [--part rate] [--tables 50] [--entries 300] [--lines 200] [--profile FILE]

All tables send as fast as they can what they wrote before; then every entry of every journal is compared with the
hall's rows, and every game replayed. The load of the machine stands with every figure; processor time is the hall's
own, which other programs change little.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

import psutil
import psycopg
import urllib3

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

from simulated_tables import TablesProcess, fill, journal_games, played_games
from sqlalchemy import select
from sqlalchemy.engine import Engine

from vander.access.pairing import BOX_KEY
from vander.hall import hall_games
from vander.hall.game_replays import GameReplay
from vander.hall.hall_schema import GAMES, TABLES, open_hall_engine
from vander.hall.local_services import LocalMosquitto, LocalPostgres, free_port
from vander.hall_link import outbox_sender
from vander.hall_link.joining import join_hall
from vander.storage.journal_store import Journal
from web.services.access_backend import COOKIE

PATIENCE_S = 300.0
HOUR_ENTRIES = 2000
WINDOW_S = 2.0


class BenchHall:
    """A hall as a process of its own, over a PostgreSQL and a Mosquitto of its own."""

    def __init__(self, folder: Path) -> None:
        self.data, self.port = folder / "hall", free_port()
        self.postgres, self.mosquitto = LocalPostgres(folder / "postgres"), LocalMosquitto(folder / "mosquitto")
        self._log = (folder / "hall.log").open("ab")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where the hall answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def process(self) -> psutil.Process:
        """The hall's process."""
        return psutil.Process(self._process.pid if self._process else 0)

    def start(self) -> None:
        """Start the hall, and wait until it answers."""
        words = ["-m", "vander", "hall", "--database", self.postgres.address, "--data-dir", str(self.data)]
        own = {"VANDER_MQTT": self.mosquitto.address, "PYTHONPATH": str(Path(__file__).parents[2])}
        self._process = subprocess.Popen(  # noqa: S603 - the hall, with words of this bench's own
            [sys.executable, *words, "--host", "127.0.0.1", "--port", str(self.port)],
            stdout=self._log,
            stderr=self._log,
            env=os.environ | own,
        )
        wait_until(self._answers, "the hall answers")

    def kill(self) -> None:
        """Kill the hall as a pulled plug does."""
        if self._process:
            self._process.kill()
            self._process.wait(PATIENCE_S)
            self._process = None

    def call(self, method: str, path: str, body: object = None) -> dict:  # type: ignore[type-arg]
        """Return what the hall answers to its keeper."""
        keeper = {"Cookie": f"{COOKIE}={(self.data / BOX_KEY).read_text().strip()}", "X-Vander": "bench"}
        answer = urllib3.request(method, self.address + path, headers=keeper, json=body, timeout=PATIENCE_S)
        found: dict = answer.json()  # type: ignore[type-arg]
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}: {found}")
        return found

    def _answers(self) -> bool:
        if self._process and self._process.poll() is not None:
            raise RuntimeError(f"the hall ended: {self._process.returncode}; see its log")
        try:
            return urllib3.request("GET", self.address + "/", retries=False, timeout=5.0).status == 200
        except urllib3.exceptions.HTTPError:
            return False

    def close(self) -> None:
        """End all that was started."""
        if self._process:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(30.0)
            self.kill()
        for service in (self.mosquitto, self.postgres):
            with suppress(Exception):
                service.stop()
        self._log.close()


@contextmanager
def open_hall() -> Iterator[tuple[BenchHall, Path]]:
    """Bring up a hall in a folder that PostgreSQL's own user can reach, and leave nothing behind."""
    folder = Path(tempfile.mkdtemp(prefix="vander-hall-bench-"))
    folder.chmod(0o755)
    hall = BenchHall(folder)
    try:
        hall.postgres.start()
        hall.mosquitto.start()
        hall.start()
        yield hall, folder
    except BaseException:
        print((folder / "hall.log").read_text("utf-8")[-3000:], file=sys.stderr)
        raise
    finally:
        hall.close()
        rmtree(folder, ignore_errors=True)


def join_tables(hall: BenchHall, folder: Path, count: int) -> list[Path]:
    """Let so many tables join; return their folders."""
    folders = [folder / f"table-{number}" for number in range(1, count + 1)]
    for number, each in enumerate(folders, start=1):
        each.mkdir()
        code = hall.call("POST", "/api/hall/tables/code", {})["code"]
        journal = Journal.in_folder(each)
        join_hall(each, journal, hall.address, code, f"Table {number}")
        journal.close()
    return folders


def fill_tables(folders: Sequence[Path], entries: int) -> int:
    """Write so many entries into each table's journal; return how many there are in all."""
    games, total = played_games(10), 0
    for first, folder in enumerate(folders):
        journal = Journal.in_folder(folder)
        total += fill(journal, games, entries, first)
        journal.close()
    return total


def wait_until(is_so: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
    """Wait until something is so. Raises TimeoutError."""
    ends = time.monotonic() + patience_s
    while not is_so():
        if time.monotonic() > ends:
            raise TimeoutError(f"waited in vain until {what}")
        time.sleep(0.1)


def entries_taken(database: str) -> int:
    """Return how many entries the hall has."""
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT count(*) FROM entries").fetchone()
    return int(row[0]) if row else 0


def compare(database: str, folders: Sequence[Path]) -> str:
    """Return how the hall's rows compare with the tables' journals, game by game and entry by entry."""
    engine = open_hall_engine(database)
    entries = games = 0
    try:
        with engine.connect() as connection:
            numbers = {row.name: row.id for row in connection.execute(select(TABLES.c.id, TABLES.c.name))}
        for place, folder in enumerate(folders, start=1):
            found = _compare_table(engine, numbers[f"Table {place}"], journal_games(folder))
            games, entries = games + found[0], entries + found[1]
    finally:
        engine.dispose()
    total = entries_taken(database)
    assert total == entries, f"the hall has {total} entries, the journals {entries}"
    return f"{entries} entries of {games} games at {len(folders)} tables are in the hall once, in order; all replay"


def _compare_table(engine: Engine, table: int, told: dict) -> tuple[int, int]:  # type: ignore[type-arg]
    """Compare a table's games. Raises AssertionError for the first that differs."""
    with engine.connect() as connection:
        rows = connection.execute(select(GAMES).where(GAMES.c.table_id == table)).all()
        assert {row.game_id for row in rows} == set(told), f"table {table}: other games"
        for row in rows:
            kept = tuple(hall_games.read_entries(connection, (table, row.game_id), row.players))
            assert kept == told[row.game_id], f"table {table}, game {row.game_id}: other entries"
            replayed = GameReplay.of(hall_games.read_set_up(row), kept)
            stands = (tuple(row.scores), tuple(row.winner))
            assert stands == (
                tuple(replayed.state.scores),
                tuple(replayed.state.winner),
            ), f"table {table}, game {row.game_id} stands otherwise: {stands}"
    return len(rows), sum(map(len, told.values()))


class ProcessorTime:
    """Processor seconds of the hall, PostgreSQL and the tables since the start."""

    def __init__(self, hall: BenchHall, tables: TablesProcess) -> None:
        self._hall, self._tables = hall, tables
        self._before = self._now()

    def each(self, entries: int) -> str:
        """Return milliseconds for each entry."""
        spent = [1000 * (now - then) / entries for now, then in zip(self._now(), self._before, strict=True)]
        return "hall {:.2f}, PostgreSQL {:.2f}, tables {:.2f} ms of processor time an entry".format(*spent)

    def _now(self) -> tuple[float, float, float]:
        return _cpu_s(self._hall.process), _postgres_s(self._hall), _cpu_s(psutil.Process(self._tables.pid))


def _cpu_s(process: psutil.Process) -> float:
    with suppress(psutil.Error):
        used = process.cpu_times()
        return float(used.user + used.system)
    return 0.0


def _postgres_s(hall: BenchHall) -> float:
    folder = str(hall.data.parent / "postgres")
    for process in psutil.process_iter(["name", "cmdline"]):
        if process.info["name"] == "postgres" and folder in " ".join(process.info["cmdline"] or ()):
            used = process.cpu_times()  # with those of its sessions that ended
            alive = sum(map(_cpu_s, process.children()))
            return float(used.user + used.system + used.children_user + used.children_system + alive)
    return 0.0


def load() -> str:
    """Return the load of the machine."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def resident(hall: BenchHall) -> str:
    """Return the hall's memory."""
    return f"the hall takes {hall.process.memory_info().rss / 1e6:.0f} MB resident"


def measure_rate(asked: argparse.Namespace) -> None:
    """Print how many entries are taken a second."""
    with open_hall() as (hall, folder):
        folders = join_tables(hall, folder, asked.tables)
        total = fill_tables(folders, asked.entries)
        tables = TablesProcess(folders, asked.lines)
        try:
            spent, profiler = ProcessorTime(hall, tables), _profiled(asked, hall)
            tables.send()
            rates, taken_s = _taken_rates(hall.postgres.address, total)
            each = spent.each(total)
        finally:
            tables.kill()
            if profiler:
                profiler.wait(60)
        low, high = _percentiles(rates, 5), _percentiles(rates, 95)
        print(
            f"{total} entries of {asked.tables} tables, at most {asked.lines} lines a request, in {taken_s:.1f} s: "
            f"{total / taken_s:.0f} a second; {len(rates)} windows of {WINDOW_S:.0f} s: median "
            f"{statistics.median(rates):.0f}, 5th to 95th percentile {low:.0f} to {high:.0f}; {load()}"
        )
        print(each)
        print(resident(hall))
        print(compare(hall.postgres.address, folders))


def _taken_rates(database: str, total: int) -> tuple[list[float], float]:
    """Return entries a second in each window until all are taken, and how many seconds that took."""
    began = last = time.monotonic()
    before, rates = 0, []
    with psycopg.connect(database, autocommit=True) as connection:
        while True:
            row = connection.execute("SELECT count(*) FROM entries").fetchone()
            taken, now = int(row[0]) if row else 0, time.monotonic()
            if now - last >= WINDOW_S:
                rates.append((taken - before) / (now - last))
                before, last = taken, now
            if taken >= total:
                return rates or [taken / (now - began)], now - began
            if now - began > PATIENCE_S:
                raise TimeoutError(f"only {taken} of {total} entries were taken")
            time.sleep(0.1)


def _percentiles(found: Sequence[float], wanted: int) -> float:
    """Return a percentile by the nearest rank."""
    ordered = sorted(found)
    return ordered[min(len(ordered) - 1, round(wanted / 100 * (len(ordered) - 1)))]


def _profiled(asked: argparse.Namespace, hall: BenchHall) -> subprocess.Popen[bytes] | None:
    if not asked.profile:
        return None
    words = [asked.py_spy, "record", "-f", "raw", "-r", "50", "-d", "20", "-o", asked.profile]
    return subprocess.Popen([*words, "-p", str(hall.process.pid)])  # noqa: S603 - the profiler that was asked for


PARTS = {"rate": measure_rate}


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, default="rate")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--entries", type=int, default=300, help="of each table")
    parser.add_argument("--lines", type=int, default=outbox_sender.MOST_LINES, help="in one request, at most")
    parser.add_argument("--profile", default="", help="write a profile of the hall into this file")
    parser.add_argument("--py-spy", default="py-spy", help="the profiler")
    asked = parser.parse_args()
    PARTS[asked.part](asked)


if __name__ == "__main__":
    main()
