"""What a hall takes and keeps: 50 tables in a second process, a real hall, PostgreSQL and Mosquitto.

    python bench/hall.py --part rate [--tables 50] [--entries 300] [--lines 200] [--profile FILE]
    python bench/hall.py --part kills [--kills 20] [--pace 0.5]
    python bench/hall.py --part latency [--seconds 120] [--pace 3]
    python bench/hall.py --part page [--loads 20]
    python bench/hall.py --part season [--games 100000] [--calls 50]

rate: entries taken a second while all tables send as fast as they can what they wrote before; then every entry of every
journal is compared with the hall's rows, and every game replayed. kills: the hall is killed at random moments,
PostgreSQL restarted and Mosquitto stopped while the tables play, and one table comes back after an hour's play without
its hall; then the same comparison. latency: from an entry on its table's disk to the page of all tables in Chromium;
an entry that changes nothing there, or only after the next one, is counted apart. page: from the address to all tables
on the page. season: standings and a player's history over made games. The load of the machine
stands with every figure; processor time is the hall's own, which other programs change little.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from shutil import rmtree

import psutil
import psycopg
import urllib3
from playwright.sync_api import BrowserContext, sync_playwright

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from simulated_tables import TablesProcess, WrittenEntry, fill, journal_games, played_games
from sqlalchemy import select
from sqlalchemy.engine import Engine

from vander.access.pairing import BOX_KEY
from vander.extras.hall_link import membership
from vander.extras.hall_link.membership import join_hall
from vander.hall import hall_games
from vander.hall.game_replays import GameReplay
from vander.hall.hall_schema import GAMES, TABLES, open_hall_engine
from vander.hall.hall_server import LocalMosquitto, LocalPostgres, free_port
from vander.storage.journal_store import Journal
from web.schemas.access_schemas import COOKIE

PATIENCE_S = 300.0
HOUR_ENTRIES = 2000
WINDOW_S = 2.0
QUIET_S = 45.0
"""A table waits at most 30 seconds after a hall that did not answer: after this nothing more comes."""


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
        own = {"VANDER_MQTT": self.mosquitto.address, "PYTHONPATH": str(Path(__file__).parents[1])}
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


def measure_kills(asked: argparse.Namespace) -> None:
    """Print what is left of entries after the hall and its services were killed while tables play."""
    moments = random.Random(1)  # noqa: S311 - moments
    with open_hall() as (hall, folder):
        folders = join_tables(hall, folder, asked.tables)
        away = fill_tables(folders[:1], HOUR_ENTRIES)
        tables = TablesProcess(folders)
        try:
            tables.send(without=["Table 1"])
            tables.play(asked.pace)
            for turn in range(asked.kills):
                _kill_once(hall, turn, moments)
                if turn == asked.kills // 2:
                    tables.send_one("Table 1")
            hall.mosquitto.start()
            tables.rest()
            taken = _wait_for_all(hall)
            written = len(tables.close())
        finally:
            tables.kill()
        fast, at_once = (_restarts(asked.kills, how) for how in ("fast", "immediate"))
        print(
            f"the hall was killed {asked.kills} times, PostgreSQL restarted {fast} times in order and {at_once} times "
            f"as by a pulled plug, Mosquitto stopped once; one table came back with {away} entries; {written} were "
            f"written meanwhile, {taken} are in the hall; {load()}"
        )
        print(compare(hall.postgres.address, folders))


RESTARTED = {2: "fast", 5: "immediate", 9: "fast", 12: "immediate", 15: "immediate"}
"""After which kills, of twenty, PostgreSQL is restarted too, and how."""


def _restarts(kills: int, how: str) -> int:
    return sum(turn % 20 in RESTARTED and RESTARTED[turn % 20] == how for turn in range(kills))


def _kill_once(hall: BenchHall, turn: int, moments: random.Random) -> None:
    """Kill the hall a moment after it has begun to take entries, and let it and what it needs come back."""
    before = entries_taken(hall.postgres.address)
    wait_until(lambda: entries_taken(hall.postgres.address) > before, "the hall takes entries")
    time.sleep(moments.uniform(0.0, 1.5))
    how = RESTARTED.get(turn % 20)
    if how:
        hall.postgres.stop(how)  # under the hall, which goes on without it for a moment
        time.sleep(moments.uniform(0.0, 1.0))
        hall.postgres.start()
    if turn == 1:
        hall.mosquitto.stop()
    hall.kill()
    hall.start()


def _wait_for_all(hall: BenchHall) -> int:
    """Wait until the tables have nothing left to send; return how many entries the hall has."""
    last, since = -1, time.monotonic()
    while time.monotonic() - since < QUIET_S:
        now = entries_taken(hall.postgres.address)
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(0.5)
    return last


MADE_GAMES = """
INSERT INTO games (table_id, game_id, game, players, options, die_set, sheets, started_at, ended_at, standing, sequence,
                   scores, winner, taken_at)
SELECT 1 + n %% 20, 100000 + n, kind, json_build_array(a.name, b.name), '{}', kind, '{}', ended - interval '20 minutes',
       ended, 'over', 1, json_build_array(n %% 97, n %% 89), json_build_array(1 + n %% 2), ended
FROM (SELECT n, (ARRAY['intersection', 'toss-up', 'dice-county-fair', 'rollers', 'switch-16'])[1 + n %% 5] AS kind,
             now() - n * interval '5 minutes' AS ended, 1 + (n * 7) %% 500 AS one,
             1 + (n * 7 + 1 + n %% 499) %% 500 AS two
      FROM generate_series(1, %(games)s) AS n) AS made
JOIN made_players a ON a.place = one JOIN made_players b ON b.place = two
"""
MADE_SEATS = """
INSERT INTO seats (table_id, game_id, seat, player_id, game, score, won, finished, ended_at)
SELECT table_id, game_id, seat, p.id, game, (scores->>(seat - 1))::int, (winner->>0)::int = seat, true, ended_at
FROM games, generate_series(1, 2) AS seat, made_players p
WHERE game_id > 100000 AND p.name = players->>(seat - 1)
"""


def make_season(database: str, games: int) -> None:
    """Write so many games of 500 players at 20 tables, two to a game, with an end every five minutes."""
    with psycopg.connect(database) as connection:
        connection.execute(
            "INSERT INTO players (name, name_key, made_at) "
            "SELECT 'Made ' || n, 'made ' || n, now() FROM generate_series(1, 500) n"
        )
        connection.execute(
            "CREATE TEMP TABLE made_players AS SELECT id, name, row_number() OVER (ORDER BY id) AS place "
            "FROM players WHERE name LIKE 'Made %'"
        )
        connection.execute(MADE_GAMES, {"games": games})
        connection.execute(MADE_SEATS)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


NOTE_CHANGES = """
window.changes = [];
const note = (moments) => {
  const now = Date.now();
  const elements = moments.map(({ target }) => (target.closest ? target : target.parentElement));
  const cards = new Set(elements.map((element) => element?.closest('[data-number]')));
  for (const card of cards) if (card) window.changes.push([Number(card.dataset.number), now]);
};
const kinds = { subtree: true, childList: true, characterData: true, attributes: true };
new MutationObserver(note).observe(document.getElementById('cards'), kinds);
"""
NOTE_SHOWN = """
new MutationObserver((_, observer) => {
  if (document.querySelectorAll('[data-number]').length < %d) return;
  window.shownAt = performance.now();
  observer.disconnect();
}).observe(document, { subtree: true, childList: true });
"""
SCREEN = {"width": 590, "height": 1000}
"""On a narrow screen the tables are a list, all of them at once."""


@contextmanager
def open_browser() -> Iterator[BrowserContext]:
    """Open Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        try:
            yield browser.new_context(viewport=SCREEN, bypass_csp=True)  # type: ignore[arg-type]  # to ask the page
        finally:
            browser.close()


def measure_latency(asked: argparse.Namespace) -> None:
    """Print how long an entry takes from its table's disk to the page of all tables."""
    with open_hall() as (hall, folder), open_browser() as browser:
        folders = join_tables(hall, folder, asked.tables)
        tables = TablesProcess(folders)
        try:
            tables.send()
            tables.play(asked.pace)
            page = browser.new_page()
            page.goto(hall.address)
            page.wait_for_function(f"document.querySelectorAll('[data-number]').length === {asked.tables}")
            page.wait_for_timeout(5000)
            page.evaluate(NOTE_CHANGES)
            began = time.time()
            page.wait_for_timeout(1000 * asked.seconds)
            changes = page.evaluate("window.changes")
            ended, load_then, memory = time.time(), load(), resident(hall)
            written = [entry for entry in tables.close() if began <= entry.at <= ended - LATEST_S]
        finally:
            tables.kill()
        numbers = {table["name"]: table["number"] for table in hall.call("GET", "/api/hall/tables")["tables"]}
        seen, unseen = _latencies(written, changes, numbers)
        print(f"{asked.tables} tables, an entry each {asked.pace:.0f} s; {load_then} at the end of play")
        print(told_of("entry on disk to the page", seen))
        print(f"{unseen} further entries changed nothing on the page before the next entry of their table")
        print(memory)


LATEST_S = 10.0


def _latencies(
    written: Sequence[WrittenEntry], changes: Sequence[Sequence[int]], numbers: dict[str, int]
) -> tuple[list[float], int]:
    """Return seconds from each entry to the change of its table's card before the next one, and how many had none."""
    seen, unseen = [], 0
    for table, number in numbers.items():
        moments = sorted(entry.at for entry in written if entry.table == table)
        shown = sorted(at / 1000 for card, at in changes if card == number)
        for at, following in pairwise([*moments, float("inf")]):
            first = next((moment for moment in shown if moment >= at), float("inf"))
            if first < min(following, at + LATEST_S):
                seen.append(first - at)
            else:
                unseen += 1
    return seen, unseen


def measure_page(asked: argparse.Namespace) -> None:
    """Print how long the page of all tables takes until all stand on it."""
    with open_hall() as (hall, folder), open_browser() as browser:
        folders = join_tables(hall, folder, asked.tables)
        total = fill_tables(folders, 60)
        tables = TablesProcess(folders)
        try:
            tables.send()
            _taken_rates(hall.postgres.address, total)
            page = browser.new_page()
            page.add_init_script(NOTE_SHOWN % asked.tables)
            taken = []
            for _ in range(asked.loads):
                page.goto(hall.address)
                taken.append(page.wait_for_function("window.shownAt").json_value() / 1000)
                page.goto("about:blank")
        finally:
            tables.kill()
        print(told_of(f"address to {asked.tables} tables on the page", taken))
        print(resident(hall))


def measure_season(asked: argparse.Namespace) -> None:
    """Print how long standings and a player's history take."""
    with open_hall() as (hall, folder):
        folders = join_tables(hall, folder, 20)
        fill_tables(folders[:1], 200)
        make_season(hall.postgres.address, asked.games)
        with psycopg.connect(hall.postgres.address) as connection:
            players = [row[0] for row in connection.execute("SELECT id FROM players ORDER BY id")]
        since = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 90 * 86400))
        print(f"{asked.games} games of {len(players)} players at 20 tables; {load()}")
        for what, paths in {
            "standings of all games": ["/api/hall/standings"] * asked.calls,
            "standings of one game in 90 days": [f"/api/hall/standings?game=toss-up&since={since}"] * asked.calls,
            "a player's history": [f"/api/hall/players/{players[n % len(players)]}" for n in range(asked.calls)],
        }.items():
            print(told_of(what, [_call_s(hall, path) for path in paths]))
        print(resident(hall))


def _call_s(hall: BenchHall, path: str) -> float:
    began = time.perf_counter()
    hall.call("GET", path)
    return time.perf_counter() - began


def told_of(what: str, taken: Sequence[float]) -> str:
    """Return a line of figures."""
    return (
        f"{what}: median {1000 * statistics.median(taken):.0f} ms, 95th percentile "
        f"{1000 * _percentiles(taken, 95):.0f} ms, longest {1000 * max(taken):.0f} ms, of {len(taken)}; {load()}"
    )


PARTS = {
    "rate": measure_rate,
    "kills": measure_kills,
    "latency": measure_latency,
    "page": measure_page,
    "season": measure_season,
}


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, required=True)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--entries", type=int, default=300, help="of each table")
    parser.add_argument("--lines", type=int, default=membership.MOST_LINES, help="in one request, at most")
    parser.add_argument("--profile", default="", help="write a profile of the hall into this file")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds from entry to entry at a table")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--loads", type=int, default=20)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--calls", type=int, default=50)
    parser.add_argument("--py-spy", default="py-spy", help="the profiler")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    PARTS[asked.part](asked)


if __name__ == "__main__":
    main()
