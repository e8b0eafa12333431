"""The support bundle: one zip of logs, settings, findings and versions, without secrets and without names."""

from __future__ import annotations

import getpass
import io
import json
import logging
import os
import platform
import re
import shutil
import socket
import subprocess
import zipfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.metadata import distributions
from ipaddress import IPv6Address, ip_address
from itertools import chain
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from hardware.cameras.base import secrets_in, shown_name
from hardware.mqtt_broker import broker_secrets, shown_broker
from referee.phrases import counted
from vander.access.pairing import BOX_KEY
from vander.doctor import box_checks
from vander.doctor.box_checks import program_version
from vander.resources import models_and_stores
from vander.storage.camera_file import read_cameras
from vander.storage.settings import Settings, shown_hall
from vision.frames import Frame, Pixels
from vision.image_io import BadPicture, encode_jpeg, load_picture
from vision.rectification import crop_to_tray
from vision.tray_calibration import TrayLayout, calibrate
from web.schemas.access_schemas import Finding

# The last lines of the program's log, kept in memory for the support bundle


MOST = 400
LONGEST = 4000
"""Characters of one entry, a traceback with it."""


class LogTail(logging.Handler):
    """A log handler that keeps the last entries in memory alone. Any thread may call any method."""

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._kept: deque[str] = deque(maxlen=most)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._kept.append(shortened(self.format(record)))
        except Exception:  # a record that cannot be formatted must not stop who logged it
            self.handleError(record)

    def lines(self) -> tuple[str, ...]:
        """Return the entries, oldest first."""
        return tuple(self._kept)


def shortened(entry: str) -> str:
    """Return an entry cut to LONGEST characters between words: half a secret would not be recognized and redacted."""
    return entry if len(entry) <= LONGEST else f"{entry[:LONGEST].rpartition(' ')[0]} ..."


# Redact passwords, keys, codes, and the names of people and networks from the support bundle
#
# Known secrets are found by their text, others by patterns of what secrets look like.


SENSITIVE_WORDS = r"(?:pass(?:word|phrase|wd)?|psk|pwd|secret|token|key|code|cookie|ssid|credential)s?"
"""A pattern of names of secret values."""
SPACED_SENSITIVE_WORDS = r"(?:pass(?:word|phrase|wd)?|psk|pwd|ssid|secret|credential)s?"
"""Those whose values may contain spaces: without quotes, such a value ends with its line."""
NETWORK_WORDS = r"(?:\w*ssid|wi-?fi|wlan\d*|network|hotspot|access point|connection)"
"""A pattern of words that are followed by a network's name in quotes."""
QUOTED = r"(?:\"(?:[^\"\\\n]|\\.)*\"|(?<!\w)'[^\n]*?'(?!\w)|[“„][^\n”“]*[”“])"
TABLETS = "tablets*.json"
"""The lists of paired tablets, damaged ones included."""
PUBLIC = re.compile(r"watcher|player|keeper|Tablet \d+|[\d:.+TZ -]*")
"""Words of these lists that are no secrets: roles, default names, days."""
SHORTEST_SECRET = 4
SHORTEST_OF_THE_ENVIRONMENT = 8
"""Characters: a shorter value of the environment, such as `true`, is more likely a word than a secret."""
SHORTEST_NAME = 2
PLAIN_USERS = frozenset({"root", "vander", "nobody"})
PLAIN_HOSTS = frozenset({"localhost", "vander", "raspberrypi"})
HIDDEN = "(hidden)"


def _name_pattern(what: str) -> str:
    """Return a pattern of the name before a value, as in `psk=` or `"wifi_password": `, but of no error's name."""
    return rf"\b(?!\w*(?:Error|Exception)\b)[\w-]*{what}[\w-]*[\"']?\s*[=:]\s*"


_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5,7}\b"), "(hardware address)"),
    (re.compile(r"(\w+://)[^\s/@]+@"), rf"\1{HIDDEN}@"),
    (re.compile(r"(/home/|/Users/|[A-Za-z]:\\Users\\)[^\s/\\:'\",;]+"), r"\1(user)"),
    (re.compile(rf"({_name_pattern(SPACED_SENSITIVE_WORDS)})(?:{QUOTED}|[^\n]+)", re.I), rf"\1{HIDDEN}"),
    (re.compile(rf"({_name_pattern(SENSITIVE_WORDS)})(?:{QUOTED}|[^\s,;&]+)", re.I), rf"\1{HIDDEN}"),
    (re.compile(rf"(\b{NETWORK_WORDS}\b[^\"'“„\n]{{0,20}}){QUOTED}", re.I), rf"\1{HIDDEN}"),
    (re.compile(rf"(--[\w-]*{SENSITIVE_WORDS}[\w-]*[ =])\S+", re.I), rf"\1{HIDDEN}"),
    (re.compile(r"\bwhsec_[\w+/=]+"), HIDDEN),  # as Standard Webhooks 1.0.0 begins a secret
    (re.compile(r"\b((?:Bearer|Basic) )[\w.~+/=-]+", re.I), rf"\1{HIDDEN}"),
    (re.compile(r"\b[0-9A-Fa-f]{32,}\b"), HIDDEN),
    (re.compile(r"(?<![\w.])(?:[1-6][ ,-]+){5}[1-6](?![\w.])"), "(six dice)"),
    (re.compile(r"\b[\w.+-]+@[\w-]+\.[\w.-]+\b"), "(mail address)"),
)
_ADDRESS = re.compile(
    r"(?:(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}|(?<![\w.:])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})(?!\w|\.\d)"
)
_EUI_64 = b"\xff\xfe"
"""The middle of an interface identifier that was made from a hardware address (RFC 4291, appendix A)."""
_HEAD = re.compile(
    r"(?:\S+ \S+\[\d+\]: )?(?:[\d-]+ [\d:,.]+ )?(?:(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) )?"
    r"(?:(?:(?:vander|web|models|vision|hardware|referee|werkzeug|waitress|sqlalchemy|sqlite3)[\w.]*|\w*Error): )?"
)
"""The head of a log line: time, process, level and module."""
_PLACE = re.compile(r"Traceback \(most recent call last\):|\s+File \"[^\"]*\", line \d+, in \S+")
_OF_THE_SYSTEM = re.compile(r"\S+ systemd\[\d+\]: ")


class Redactor:
    """Redact text: `secrets` maps each known secret to the word that replaces it; patterns find others.

    `knows_players` says whether the players' names are among the secrets. If they could not be read, `log` drops every
    message, since any word could be a name.
    """

    def __init__(self, secrets: Mapping[str, str], *, knows_players: bool = True) -> None:
        self.knows_players = knows_players
        longest_first = sorted(secrets, key=len, reverse=True)
        self._secrets = [
            (re.compile(rf"(?<!\w){re.escape(secret)}(?!\w)", re.I), f"({secrets[secret]})") for secret in longest_first
        ]

    @classmethod
    def of(cls, settings: Settings, secrets: Iterable[str]) -> Redactor:
        """Return a redactor with the secrets that this box knows; `secrets` are those of its extras."""
        players = box_checks.player_names(settings)
        return cls(dict(_known_secrets(settings, secrets, players or ())), knows_players=players is not None)

    def text(self, words: str) -> str:
        """Return the text, redacted."""
        for secret, instead in self._secrets:
            words = secret.sub(instead, words)
        for form, instead in _PATTERNS:
            words = form.sub(instead, words)
        return _ADDRESS.sub(_redact_address, words)

    def log(self, words: str) -> str:
        """Return the lines of a log, redacted."""
        lines = words if self.knows_players else "\n".join(map(_without_message, words.splitlines()))
        return self.text(lines)


def _without_message(line: str) -> str:
    """Return a log line without its message; systemd's own lines name no players and stay whole."""
    if not line or _OF_THE_SYSTEM.match(line):
        return line
    head = _HEAD.match(line)
    begin = head[0] if head else ""
    place = _PLACE.match(line, len(begin))
    return begin + (place[0] if place else "(left out)")


def redact_settings(settings: Settings) -> dict[str, object]:
    """Return the settings without secrets; text among them must still pass `Redactor.text`."""
    return {name: _redact_setting(name, getattr(settings, name)) for name in type(settings).model_fields}


def _redact_setting(name: str, value: object) -> object:
    shown = SHORTENED.get(name)
    if shown is not None:
        return shown(str(value))
    if name in ("caller_voice", "mqtt_name"):
        return HIDDEN if value else ""
    if re.search(SENSITIVE_WORDS, name, re.I):
        return HIDDEN
    if name == "names":
        return f"({counted(sum(bool(part.strip()) for part in str(value).split(',')), 'name')})"
    return value if isinstance(value, bool | int | float) else str(value)


def _database_kind(address: str) -> str:
    try:
        return f"{make_url(address).drivername}://{HIDDEN}" if address else ""
    except ArgumentError:
        return HIDDEN


SHORTENED: Mapping[str, Callable[[str], str]] = {
    "database": _database_kind,
    "hall": shown_hall,
    "camera": shown_name,
    "mqtt": shown_broker,
}
"""The settings that are addresses, perhaps with a password in them, and what is shown of each."""


def _redact_address(found: re.Match[str]) -> str:
    """Keep a private address; replace one that identifies the box: a public one, or one with a hardware address."""
    for address in (found[0], found[0].removesuffix(":")):  # a sentence may go on after a colon
        with suppress(ValueError):
            return f"(address){found[0][len(address) :]}" if _is_identifying(address) else found[0]
    return found[0]


def _is_identifying(told: str) -> bool:
    """True if an address identifies the box. Raises ValueError for other text."""
    address = ip_address(told)
    return address.is_global or (isinstance(address, IPv6Address) and address.packed[11:13] == _EUI_64)


def _known_secrets(settings: Settings, others: Iterable[str], players: Iterable[str]) -> Iterator[tuple[str, str]]:
    known = chain(_passwords(settings), _pairing_secrets(settings.data_dir), others)
    yield from ((secret, "hidden") for secret in known if len(secret) >= SHORTEST_SECRET)
    yield from ((name, "player") for name in players if len(name) >= SHORTEST_NAME)
    yield from ((name, "user") for name in _users() if name not in PLAIN_USERS and len(name) >= SHORTEST_NAME)
    host = socket.gethostname().split(".")[0]
    if host.lower() not in PLAIN_HOSTS and len(host) >= SHORTEST_NAME:
        yield host, "host"
    yield from ((name.strip(), "host") for name in settings.names.split(",") if len(name.strip()) >= SHORTEST_NAME)


def _passwords(settings: Settings) -> Iterator[str]:
    with suppress(ArgumentError):
        address = make_url(settings.database or "sqlite://")
        yield from (part for part in (address.password, address.username) if part)
        yield from (str(value) for value in address.query.values())
    for name in (settings.camera, *read_cameras(settings.data_dir).known):
        yield from secrets_in(name)
    yield from secrets_in(f"url:{settings.hall}") if settings.hall else ()
    yield from broker_secrets(settings.mqtt)
    named = (value for name, value in os.environ.items() if re.search(SENSITIVE_WORDS, name, re.I))
    yield from (value for value in named if len(value) >= SHORTEST_OF_THE_ENVIRONMENT)


def _pairing_secrets(folder: Path) -> Iterator[str]:
    """Yield the box's own key, and the words of the lists of tablets."""
    with suppress(OSError, ValueError):
        yield (folder / BOX_KEY).read_text("ascii").strip()
    for path in folder.glob(TABLETS):
        with suppress(OSError, ValueError):
            words = _strings_in(json.loads(path.read_text("utf-8")))
            yield from (word for word in words if not PUBLIC.fullmatch(word))


def _strings_in(value: Any) -> Iterator[str]:  # noqa: ANN401  # JSON is anything
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (word for inner in value.values() for word in _strings_in(inner))
    elif isinstance(value, list):
        yield from (word for inner in value for word in _strings_in(inner))


def _users() -> set[str]:
    """Return the names of the current user and of the home folder."""
    with suppress(OSError, KeyError, ImportError):
        return {getpass.getuser(), Path.home().name} - {""}
    return set()


# The support bundle: one zip of logs, settings, findings and versions, without secrets
#
# It holds pictures only on request, and then only the tray: everything around it is grey.


MOST_PICTURES = 6
MOST_LINES = 600
MOST_LETTERS = 1_000_000
"""Characters of a log; only the end of a longer one is packed."""
TIMEOUT_S = 10.0
UNIT = "vander"
"""The systemd unit whose log is packed."""
README = """This file was packed by Vander for whoever helps with it.

findings.txt   what the doctor found, and findings.json the same for programs
settings.json  the settings, without passwords and names
versions.txt   Vander, Python, the system and what is installed
log.txt        the last lines of the program's log{log}
system-log.txt the last lines of the service's log{system_log}
pictures/      {pictures}

Taken out, and marked in brackets, are: passwords, keys and codes, the names of players, users and hosts, hardware
addresses, addresses that the world can reach, mail addresses. {players}
The games, the taught dice, the list of tablets and their keys are not in here. Look through it
before you send it: it is plain text.
"""
UNKNOWN_PLAYERS = """
The names of the players could not be looked up, since the journal cannot be read. So the logs are in here without what
they say: only when it was, and where in the program."""
NO_PICTURES = "no pictures were packed"


def build_bundle(  # noqa: PLR0913 - what goes in, and whence
    settings: Settings,
    findings: Sequence[Finding],
    lines: Sequence[str] = (),
    *,
    secrets: Iterable[str],
    pictures: bool = False,
    view: Pixels | None = None,
    root: Path = Path("/"),
) -> bytes:
    """Return the zip; `lines` are the program's log, `secrets` those of the extras, `view` is the present frame.

    Raises nothing but MemoryError.
    """
    redactor = Redactor.of(settings, secrets)
    system_log = _system_log()
    seen = tuple(_pictures(settings, view)) if pictures else ()
    told = [replace(found, told=redactor.text(found.told), advice=redactor.text(found.advice)) for found in findings]
    chosen = {
        name: redactor.text(value) if isinstance(value, str) else value
        for name, value in redact_settings(settings).items()
    }
    whole = {
        "README.txt": _readme(redactor, lines, system_log, seen, pictures=pictures),
        "findings.txt": "\n".join(_finding_text(found) for found in told) + "\n",
        "findings.json": _json([asdict(found) for found in told]),
        "settings.json": _json(chosen),
        "versions.txt": "\n".join(_versions(root)) + "\n",
        "log.txt": _tail(redactor.log("\n".join(lines))) + "\n",
        "system-log.txt": _tail(redactor.log(system_log)) + "\n",
    }
    texts = {name: text.encode("utf-8", "replace") for name, text in whole.items()}
    return _zipped(texts | {f"pictures/{number}.jpg": picture for number, picture in enumerate(seen, 1)})


def _json(value: object) -> str:
    """Return indented JSON; secrets are redacted before, since JSON escapes some characters."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _zipped(files: dict[str, bytes]) -> bytes:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, contents in files.items():
            pack.writestr(f"vander-support/{name}", contents)
    return zipped.getvalue()


def _readme(redactor: Redactor, lines: Sequence[str], system_log: str, seen: Sequence[bytes], *, pictures: bool) -> str:
    told = f"{counted(len(seen), 'picture')} of the tray, the room grey; what shows no tray was left out"
    return README.format(
        log="" if lines else " (none here)",
        system_log="" if system_log else " (it could not be read)",
        pictures=told if pictures else NO_PICTURES,
        players="" if redactor.knows_players else UNKNOWN_PLAYERS,
    )


def _finding_text(finding: Finding) -> str:
    advice = f"\n        -> {finding.advice}" if finding.advice else ""
    return f"{finding.verdict:<8}{finding.title}: {finding.told}{advice}"


def _tail(text: str) -> str:
    return text[-MOST_LETTERS:]


def _versions(root: Path) -> Iterator[str]:
    """Yield the versions of Vander, Python, the system and all packages."""
    yield f"Vander {program_version()}"
    yield f"Python {platform.python_version()}, {platform.system()} {platform.release()} {platform.machine()}"
    yield f"{_text(root / 'proc/device-tree/model') or 'no name of the machine'}"
    yield f"packed {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    yield from ("", "/etc/os-release", _text(root / "etc/os-release"))
    yield from ("", "Memory", "\n".join(_text(root / "proc/meminfo").splitlines()[:3]))
    yield from ("", "Python packages", *sorted({f"{found.name} {found.version}" for found in distributions()}))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip("\0\n ")
    except OSError:
        return ""


def _system_log() -> str:
    """Return the end of the service's log; '' if there is none or this user may not read it."""
    program = shutil.which("journalctl")
    if program is None:
        return ""
    words = [program, "--unit", UNIT, "--lines", str(MOST_LINES), "--no-pager", "--no-hostname", "--quiet"]
    try:
        told = subprocess.run(  # noqa: S603 - our own words
            [*words, "--output", "short-iso"], capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return "\n".join(map(shortened, _lines(told.stdout))) if told.returncode == 0 else ""


def _lines(log: bytes) -> list[str]:
    return log.decode("utf-8", "replace").splitlines()


def _pictures(settings: Settings, view: Pixels | None) -> Iterator[bytes]:
    """Yield the present frame and the evidence of the last throws as JPEG, each cropped to the tray."""
    layout = models_and_stores.tray_layout(settings)
    for pixels in _load_pictures(settings.data_dir / "evidence", view):
        cut = crop_private_background(pixels, layout)
        if cut is not None:
            yield encode_jpeg(cut)


def _load_pictures(folder: Path, view: Pixels | None) -> Iterator[Pixels]:
    if view is not None:
        yield view
    for path in sorted(folder.glob("*.jpg"), key=_game_and_entry, reverse=True)[: MOST_PICTURES - 1]:
        try:
            yield load_picture(path)
        except BadPicture:
            continue


def _game_and_entry(path: Path) -> tuple[int, ...]:
    """Return the numbers of game and entry in a picture's name: unlike times, they are always right."""
    return tuple(int(number) for number in re.findall(r"[0-9]+", path.stem))


def crop_private_background(pixels: Pixels, layout: TrayLayout) -> Pixels | None:
    """Return a picture cropped to the tray, grey around it; None if no tray is found."""
    found = calibrate(Frame(pixels, 1, 0.0), layout)
    return None if found is None else crop_to_tray(pixels, found)[0]
