"""The support bundle: one zip of logs, settings, findings and versions, without secrets.

It holds pictures only on request, and then only the tray: everything around it is grey.
"""

from __future__ import annotations

import io
import json
import platform
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path

from vander.diagnostics.doctor_check import quantity
from vander.diagnostics.installation_checks import program_version
from vander.diagnostics.log_tail import shortened
from vander.diagnostics.redaction import Redactor, redact_settings
from vander.resources import vision_models
from vander.storage.settings import Settings
from vision.frames import Frame, Pixels
from vision.image_io import BadPicture, encode_jpeg, load_picture
from vision.rectification import crop_to_tray
from vision.tray_calibration import TrayLayout, calibrate
from web.schemas.diagnostics_schemas import Finding

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
    pictures: bool = False,
    view: Pixels | None = None,
    root: Path = Path("/"),
) -> bytes:
    """Return the zip; `lines` are the program's log, `view` is the present frame. Raises nothing but MemoryError."""
    redactor = Redactor.of(settings)
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
    told = f"{quantity(len(seen), 'picture')} of the tray, the room grey; what shows no tray was left out"
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
    layout = vision_models.tray_layout(settings)
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
