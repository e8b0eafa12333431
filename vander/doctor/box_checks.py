"""Checks of the box: what is installed, its disk, power and clock, and by which addresses tablets find it."""

from __future__ import annotations

import errno
import json
import os
import platform
import re
import shutil
import socket
import ssl
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote, unquote

import psutil  # type: ignore[import-untyped]  # it ships no types
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from hardware.loudspeaker import find_player
from hardware.system_health import ADVICE, UNSET, WEAK_VOLTS, Power, SystemClock
from hardware.wiring import RECOMMENDED, PinNumbers, Wire, wiring
from models.die_sets import BadDieSet, DieSetCatalog
from referee.game import BadSheet
from referee.phrases import as_sentence, decimal, in_a_row, join_each, spell_list
from referee.sentences import as_whole, say, say_count
from vander.access.https import CertificateError, OwnerCertificate, describe_validity
from vander.access.page_addresses import EVERYWHERE, NetworkState, is_loopback_host, tablet_urls
from vander.doctor import CheckSubject
from vander.learning.lesson_store import LessonStore
from vander.resources import game_catalog, models_and_stores
from vander.storage.data_folder import StorageError
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_schema import (
    SCHEMA,
    WHAT_HELPS,
    CountFile,
    JournalCount,
    Pictured,
    count_held,
    find_missing,
    highest_nameable,
)
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import Settings
from vision.fewshot import PldaModel
from vision.model_file import BrokenModel, read_checked
from web.schemas.access_schemas import Finding

# Checks of what was installed and made: program, models, dice, sheets and lessons


PROGRAM = CheckSubject("program", say("Program"))
MODELS = CheckSubject("models", say("Reading models"))
DICE = CheckSubject("dice", say("Dice and sheets"))

SHIPPED = {"finder": say("finder"), "reader": say("reader"), "second": say("second look")}
"""The models that come with Vander: file names, and what they are called."""

OLDEST, NEWEST = (3, 11), (3, 13)
"""The versions of Python that Vander is tested with."""


def program_version() -> str:
    try:
        return version("vander")
    except PackageNotFoundError:
        return say("not installed")


def check_program(settings: Settings) -> Finding:
    """Check the program, its Python, and the package that the Pi's camera needs."""
    told = say(
        "Vander {version} on Python {python}, {machine}",
        version=program_version(),
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}",
    )
    if settings.camera.startswith("picamera") and find_spec("picamera2") is None:
        return PROGRAM.bad(
            say("{told}, without picamera2, which the camera {name} needs.", told=told, name=settings.camera),
            say(
                "Install it with `sudo apt install python3-picamera2 --no-install-recommends`, and have Vander in a "
                "venv that was made with --system-site-packages."
            ),
        )
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        return PROGRAM.unsure(as_whole(told), say("Vander is tried with Python 3.11 to 3.13; use one of them."))
    return PROGRAM.good(as_whole(told))


def _name_and_size(path: Path, size: int) -> str:
    return say("{model} ({size} MB)", model=SHIPPED.get(path.stem, path.stem), size=decimal(size / 1e6, 1))


def check_models(weights: tuple[Path, ...] | None = None) -> Finding:
    files = weights or tuple(map(models_and_stores.weights_path, SHIPPED))
    try:
        sizes = [len(read_checked(path)[0]) for path in files]
        if weights is None:
            PldaModel.load(models_and_stores.plda_path())
    except BrokenModel as broken:
        return MODELS.bad(as_sentence(broken), say("Install Vander again; games and dice stay as they are."))
    names = [_name_and_size(path, size) for path, size in zip(files, sizes, strict=True)]
    return MODELS.good(
        as_whole(say("{models} are the ones that their cards describe.", models=spell_list(names, "and")))
    )


def check_dice(settings: Settings) -> Finding:
    """Check the die sets of the data folder, their lessons, and the printed sheets."""
    try:
        catalog = game_catalog.open_die_sets(settings)
        sheets = game_catalog.read_sheets(settings.data_dir / "sheets")
        game_catalog.games_with_sheets(sheets)
    except (BadDieSet, BadSheet) as bad:
        return DICE.bad(
            as_sentence(bad), say("Mend the file, or move it out of the data folder; then start Vander again.")
        )
    unread = _unread_lessons(settings.data_dir / "lessons", catalog)
    if unread:
        return DICE.unsure(in_a_row(*unread), say("Teach these dice again, or go back to an earlier lesson of theirs."))
    return DICE.good(
        say(
            "{readable}; {sets} and {sheets} made here.",
            readable=say_count("{count} die set can be read", "{count} die sets can be read", len(catalog.names())),
            sets=say_count("{count} set", "{count} sets", len(catalog.own)),
            sheets=say_count("{count} sheet", "{count} sheets", len(sheets)),
        )
    )


def _unread_lessons(folder: Path, catalog: DieSetCatalog) -> list[str]:
    """Return a sentence for each lesson in use that cannot be used."""
    if not folder.is_dir():
        return []
    lessons = LessonStore(folder, PldaModel.load(models_and_stores.plda_path()))
    return [as_sentence(doubt) for name in catalog.names() if (doubt := lessons.problem(name))]


# Checks of the machine: supply, heat, clock, wiring and loudspeaker


POWER = CheckSubject("power", say("Power supply"))
HEAT = CheckSubject("heat", say("Heat"))
CLOCK = CheckSubject("clock", say("Clock"))
SPEAKER = CheckSubject("speaker", say("Loudspeaker"))
WIRING = CheckSubject("wiring", say("Button, lamp and buzzer"))

WARM, HOT = 70.0, 80.0
"""Degrees Celsius: a Raspberry Pi slows down from 80 on (its documentation, "Frequency management")."""
SLACK = timedelta(days=1)
"""How far the clock may be behind a file: it may have been set back a little since."""


def check_power(now: Power) -> Finding:
    """Check the supply, by what the kernel reports."""
    if now.low_now:
        return POWER.bad(
            say("The voltage is too low just now (under {volts} V).", volts=decimal(WEAK_VOLTS, 2)),
            say(
                "Use the Raspberry Pi's own supply with its own cable, and unplug power-hungry devices from its USB "
                "ports."
            ),
        )
    if now.low_since_start:
        return POWER.unsure(
            say(
                "The voltage was too low since the box was started (under {volts} V), though it is not just now.",
                volts=decimal(WEAK_VOLTS, 2),
            ),
            say("Use the Raspberry Pi's own supply: a weak one damages the card in time."),
        )
    if now.low_now is None:
        return POWER.good(say("This machine does not tell of its supply."))
    return POWER.good(say("The voltage is high enough, and was since the box was started."))


def check_heat(now: Power) -> Finding:
    """Check the processor's temperature, and whether it is slowed down."""
    if now.celsius is None and not now.slowed_now:
        return HEAT.good(say("This machine does not tell how warm it is."))
    if now.slowed_now:
        return HEAT.bad(
            _slowed_in_words(now.celsius),
            say("Give the box air or a cooler, and check its supply: both can slow it down."),
        )
    warmth = now.celsius if now.celsius is not None else 0.0
    told, limit = say("The processor is {degrees} °C warm.", degrees=round(warmth)), round(HOT)
    if warmth >= HOT:
        return HEAT.bad(
            told, say("Give the box air or a cooler: from {limit} °C on it slows itself down.", limit=limit)
        )
    if warmth >= WARM:
        return HEAT.unsure(told, say("Give the box air: from {limit} °C on it slows itself down.", limit=limit))
    return HEAT.good(told)


def _slowed_in_words(celsius: float | None) -> str:
    if celsius is None:
        return say("The processor is held back just now.")
    return say("The processor is {degrees} °C warm, and so slowed down just now.", degrees=round(celsius))


def check_clock(root: Path, now: datetime, newest: datetime | None) -> Finding:
    """Check that the clock is not before `newest`, when something here was written."""
    told = say("The clock says {time} UTC", time=f"{now:%Y-%m-%d %H:%M}")
    past = newest - SLACK if newest else None
    doubt = SystemClock(past, root=root, now=lambda: now).doubt()
    if doubt is UNSET:
        return CLOCK.unsure(
            say("{told}, but it has not been set since the box was switched on.", told=told), as_sentence(ADVICE)
        )
    if doubt:
        return CLOCK.bad(as_sentence(doubt.problem), as_sentence(ADVICE))
    if (root / "run/systemd/timesync/synchronized").exists():
        return CLOCK.good(say("{told}, set by the network's time.", told=told))
    return CLOCK.good(say("{told}; nothing speaks against it.", told=told))


def newest_modification(paths: Iterable[Path]) -> datetime | None:
    """Return when the newest of these files was written; None if there is none."""
    times = [found for path in paths if (found := _written_at(path)) is not None]
    return datetime.fromtimestamp(max(times), UTC) if times else None


def _written_at(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def check_wiring(settings: Settings, root: Path) -> Finding:
    """Check the pins of the settings: which parts they wire, and whether this user may open them."""
    wired = wiring(PinNumbers(settings.button_pin, settings.lamp_pins, settings.buzzer_pin))
    if not wired:
        pins = _in_a_list([_place(wire) for wire in wiring(RECOMMENDED)])
        return WIRING.good(say("None is set up."), say("These pins work well: {pins}.", pins=pins))
    told = say("Wired by the settings: {pins}.", pins=_in_a_list(list(map(_place_and_remark, wired))))
    chips = sorted((root / "dev").glob("gpiochip*"))
    if not chips:
        return WIRING.bad(
            in_a_row(told, say("But this machine has no pins.")),
            say("Take the pins out of the settings, or use a Pi."),
        )
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return WIRING.bad(
            in_a_row(told, say("But this user may not use the pins.")),
            say("Add the user to the group gpio: `sudo adduser USER gpio`."),
        )
    return WIRING.good(told)


def _in_a_list(places: Sequence[str]) -> str:
    return join_each(places, lambda before, place: say("{before}; {place}", before=before, place=place))


def _place_and_remark(wire: Wire) -> str:
    return say("{place} ({remark})", place=_place(wire), remark=wire.remark)


def _place(wire: Wire) -> str:
    return say("{what} at BCM {bcm}, pin {header} of the header", what=wire.what, bcm=wire.bcm, header=wire.header)


def check_speaker(settings: Settings, root: Path = Path("/"), player: tuple[str, ...] | None = None) -> Finding:
    """Check what the caller needs to speak on the box itself: a program that plays, and a sound device."""
    if _caller_level(settings) == "off":
        return SPEAKER.good(say("The caller is silent on the box itself."))
    found = find_player() if player is None else player
    if not found:
        return SPEAKER.bad(
            say("No program is installed that plays the caller's voice."),
            say("Install one with `sudo apt install alsa-utils`."),
        )
    name, devices = Path(found[0]).name, _sound_cards(root)
    if not devices:
        return SPEAKER.unsure(
            say("{player} plays the caller's voice, but no sound device is found.", player=name),
            say("Plug a loudspeaker in, or a screen with one, and start Vander again."),
        )
    return SPEAKER.good(
        say("{player} plays the caller's voice on {device}.", player=name, device=spell_list(devices, "and"))
    )


def _caller_level(settings: Settings) -> str:
    """Return what the caller says on the box: what was chosen on the page, else the setting."""
    try:
        return PreferenceStore(settings.data_dir).speech(settings).level
    except StorageError:  # a damaged file is reported when the program starts
        return settings.caller


def _sound_cards(root: Path) -> list[str]:
    """Return the names of the sound devices, as ALSA lists them in /proc/asound/cards."""
    try:
        listed = (root / "proc/asound/cards").read_text("utf-8", errors="replace")
    except OSError:
        return []
    return re.findall(r"^ *\d+ \[[^]]*\]: .*? - (.+)$", listed, re.MULTILINE)


# Checks of the journal and of the disk that it is on


JOURNAL = CheckSubject("journal", say("Journal"))
DISK = CheckSubject("disk", say("Card"))

MB = 1_000_000
LEAST_MB = 50
"""Megabytes: with less free the disk is BAD, since even a game may find no room; below `spare_mb` it is UNSURE."""
TABLES = ("games", "entries")
PUT_BACK = say("Put a backup in its place with `vander restore`, or move it away to begin a new one.")


def check_journal(settings: Settings) -> Finding:
    """Check that the journal can be read, is whole and has a known version; it is opened read-only."""
    file = settings.data_dir / "journal.sqlite"
    if not settings.database and not file.exists():
        return _missing_finding(_expected(settings)) or JOURNAL.good(say("No game has been played yet."))
    try:
        expected = _expected(settings)  # before the journal, which may grow meanwhile
        return _journal(_address(settings, file), expected)
    except (ArgumentError, ImportError):
        return JOURNAL.bad(
            say("The setting VANDER_DATABASE is no database that can be opened here."), say("Mend the setting.")
        )
    except SQLAlchemyError as error:
        return JOURNAL.bad(say("The journal cannot be read: {why}.", why=_reason(error)), PUT_BACK)


def player_names(settings: Settings) -> frozenset[str] | None:
    """Return the names of all players; None if the journal cannot be read."""
    file = settings.data_dir / "journal.sqlite"
    if not settings.database and _is_not_there(file):
        return frozenset()
    try:
        engine = create_engine(_address(settings, file), poolclass=NullPool)
        with engine.connect() as connection:
            rows = connection.execute(text("SELECT DISTINCT players FROM games")).scalars().all()
        return frozenset(str(name) for row in rows for name in (json.loads(row) if isinstance(row, str) else row))
    except (ArgumentError, ImportError, SQLAlchemyError, ValueError, TypeError):
        return None


def _is_not_there(file: Path) -> bool:
    """True if there is no such file; False if this user may not look."""
    try:
        file.stat()
    except OSError as error:
        return isinstance(error, FileNotFoundError)
    return False


def _address(settings: Settings, file: Path) -> URL:
    """Return the journal's address; a file is opened read-only, and none is created."""
    if settings.database and make_url(settings.database).get_backend_name() != "sqlite":
        return make_url(settings.database)
    path = make_url(settings.database).database if settings.database else str(file)
    return URL.create("sqlite", database=f"file:{quote(path or '')}", query={"mode": "ro", "uri": "true"})


@dataclass(frozen=True)
class _Expected:
    """What the count file and the pictures of the data folder say that the journal holds."""

    count: JournalCount | None
    highest: Mapping[int, int]


def _expected(settings: Settings) -> _Expected:
    url = make_url(settings.database) if settings.database else None
    database = Path(url.database or "") if url else settings.data_dir / "journal.sqlite"
    highest = EvidenceStore(settings.data_dir / "evidence").highest_numbers()
    return _Expected(CountFile(database).read() if database.name else None, highest)


def _missing_finding(expected: _Expected, held: JournalCount | None = None, nameable: int = 1) -> Finding | None:
    """Return the finding of a journal that lacks what was played here; None for one that lacks nothing."""
    missing = find_missing(expected.count, held or JournalCount(), Pictured(expected.highest, nameable))
    return JOURNAL.bad(missing.sentence, WHAT_HELPS, acceptable=True) if missing else None


def _journal(address: URL, expected: _Expected) -> Finding:
    engine = create_engine(address, poolclass=NullPool)
    with engine.connect() as connection:
        damage = _damage(connection)
        if damage:
            return JOURNAL.bad(say("The journal is damaged: {why}.", why=damage), PUT_BACK)
        version = connection.execute(text("SELECT version FROM vander_schema")).scalar()
        held = count_held(connection)
        nameable = highest_nameable(connection, held.last_game)
    if version is None or version > SCHEMA:
        return JOURNAL.bad(
            say("The journal is of version {version}, and this program knows {known}.", version=version, known=SCHEMA),
            say("Use the newer Vander that wrote it."),
        )
    if address.get_backend_name() == "sqlite" and (missing := _missing_finding(expected, held, nameable)):
        return missing
    told = _held_in_words(address, held)
    if version == SCHEMA:
        return JOURNAL.good(say("{told}, whole.", told=told))
    return JOURNAL.good(say("{told}, whole; it is of an earlier Vander.", told=told))


def _held_in_words(address: URL, held: JournalCount) -> str:
    games = say_count("{count} game", "{count} games", held.games)
    entries = say_count("{count} entry", "{count} entries", held.entries)
    if address.get_backend_name() != "sqlite":
        return say("{games} with {entries} in the database", games=games, entries=entries)
    return say(
        "{games} with {entries} in {size} MB", games=games, entries=entries, size=decimal(_megabytes(address), 1)
    )


def _damage(connection: Connection) -> str:
    """Return what is wrong with the tables, or ''."""
    if connection.dialect.name == "sqlite":
        found = connection.execute(text("PRAGMA quick_check(1)")).scalar()
        if found != "ok":
            return " ".join(str(found).split())
    missing = {*TABLES, "vander_schema"} - set(inspect(connection).get_table_names())
    return say("it has no {tables}", tables=", ".join(sorted(missing))) if missing else ""


def _megabytes(address: URL) -> float:
    """Return the size of the journal's file, with SQLite's log of it."""
    path = Path(unquote(str(address.database).removeprefix("file:")))
    return sum(part.stat().st_size for part in (path, path.with_name(f"{path.name}-wal")) if part.exists()) / MB


def _reason(error: SQLAlchemyError) -> str:
    return " ".join(str(getattr(error, "orig", None) or error).split())


def check_disk(settings: Settings) -> Finding:
    """Check that the data folder can be written and has room."""
    folder = next(
        path for path in (settings.data_dir.absolute(), *settings.data_dir.absolute().parents) if path.is_dir()
    )
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        return DISK.bad(
            say("The card can only be read: nothing can be kept."),
            say(
                "A card does that when it is worn out: make a backup and put in a new card. Or it was made so on "
                "purpose."
            ),
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        return DISK.bad(
            say("The data folder {folder} may not be written by this user.", folder=str(settings.data_dir)),
            say("Give it to the user that Vander runs as, or name another with VANDER_DATA_DIR."),
        )
    usage = shutil.disk_usage(folder)
    return disk_finding(usage.free, usage.total, settings.spare_mb)


def disk_finding(free: int, total: int, spare_mb: int) -> Finding:
    told = say("{free} of {total} GB are free", free=decimal(free / 1e9, 1), total=decimal(total / 1e9, 1))
    if free < LEAST_MB * MB:
        return DISK.bad(
            say("Only {free} MB are free.", free=round(free / MB)), say("Make room: soon not even games can be kept.")
        )
    if free < spare_mb * MB:
        return DISK.unsure(
            say("{told}, less than the {spare} MB that are to stay free.", told=told, spare=spare_mb),
            say("Old pictures of throws go by themselves; make room, or put in a larger card."),
        )
    return DISK.good(as_whole(told))


# Checks of the network: where Vander listens, and by which addresses tablets find it


ADDRESS = CheckSubject("address", say("Address"))
HTTPS = CheckSubject("https", say("Https"))
TLS_WAIT_S = 3.0


def check_address(settings: Settings, network: NetworkState, *, serving: bool) -> Finding:
    """Check that tablets can find the table. `serving`: Vander itself holds the port now."""
    hindrance = "" if serving else why_not_bindable(settings.host, settings.port)
    if hindrance:
        return ADDRESS.bad(hindrance, say("Choose another with VANDER_HOST and VANDER_PORT, or end the other program."))
    if settings.host not in EVERYWHERE and is_loopback_host(settings.host):
        return ADDRESS.unsure(
            say("Vander listens on {host} only, which no tablet can reach.", host=settings.host),
            say("Let tablets in with VANDER_HOST=0.0.0.0."),
        )
    reached = tablet_urls(settings, network)
    if not reached:
        return ADDRESS.unsure(
            say("The box is in no network."), say("Plug in a network cable, or give it the Wi-Fi's password.")
        )
    told = say("Tablets find the table at {addresses}.", addresses=spell_list(reached, "or"))
    if not network.local_name:
        return ADDRESS.good(told, say("A name such as vander.local comes with `sudo apt install avahi-daemon`."))
    return ADDRESS.good(told, say("If a tablet does not find the name, use the numbers."))


def check_https(settings: Settings, now: datetime, *, serving: bool) -> Finding:
    """Check that phones can reach the secure page. `serving`: Vander itself is running now."""
    if not settings.https:
        return HTTPS.good(say("The page is served by http alone. Only the camera of a phone needs more."))
    hindrance = "" if serving else why_not_bindable(settings.host, settings.https_port)
    if hindrance:
        return HTTPS.bad(hindrance, say("Choose another port with VANDER_HTTPS_PORT, or end the other program."))
    if serving and not _answers_by_tls(settings):
        return HTTPS.bad(
            say("The secure page on port {port} does not answer.", port=settings.https_port),
            say("The log says why. Choose another port with VANDER_HTTPS_PORT, then restart Vander."),
        )
    return _certificate_finding(settings, now)


def _certificate_finding(settings: Settings, now: datetime) -> Finding:
    if not settings.https_certificate:
        return HTTPS.good(say("The secure page is served on port {port}.", port=settings.https_port))
    try:
        wrong = describe_validity(OwnerCertificate.of(settings).certificate, now)
    except CertificateError as error:
        wrong = as_sentence(error)
    if wrong:
        return HTTPS.bad(wrong, say("Give a new one, or take https_certificate out so that the box makes its own."))
    return HTTPS.good(
        say("The secure page is served on port {port}, with your own certificate.", port=settings.https_port)
    )


def _answers_by_tls(settings: Settings) -> bool:
    """True if the secure port of this box speaks TLS; whose certificate it has does not matter here."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    host = EVERYWHERE.get(settings.host, settings.host)
    try:
        with (
            socket.create_connection((host, settings.https_port), TLS_WAIT_S) as line,
            context.wrap_socket(line),
        ):
            return True
    except OSError:
        return False


def why_not_bindable(host: str, port: int) -> str:
    """Return a sentence why Vander could not serve there; '' if it could."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
            trial.listen(1)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            program = _listening_program(port) or say("another program")
            return say("Port {port} is taken by {program}.", port=port, program=program)
        why = error.strerror or str(error)
        return say("Vander cannot listen at {place}: {why}.", place=f"{host}:{port}", why=why)
    return ""


def _listening_program(port: int) -> str:
    """Return the program that listens on a port, or ''. Only root sees the programs of other users."""
    try:
        held = [one.pid for one in psutil.net_connections("tcp") if one.laddr and one.laddr.port == port and one.pid]
        if not held:
            return ""
        return say("{program} (process {number})", program=psutil.Process(held[0]).name(), number=held[0])
    except (psutil.Error, OSError):
        return ""
