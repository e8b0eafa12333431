"""`vander doctor` and `vander support`: examine the box, and pack what whoever helps has to see."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from typer import Argument, Option

from hardware.cameras import open_camera
from hardware.cameras.base import CameraError, NoSuchCamera
from models import atomic_files
from referee.phrases import as_sentence
from referee.sentences import message_of
from vander.access.page_addresses import LocalClient, RequestRefused, ServerTimeout, ServerUnreachable
from vander.app.extras import checks, secrets
from vander.backup.creation import STDIO
from vander.cli import FAILED, AsJson, CameraName, DataDir, command_app
from vander.doctor import health_checks, support_bundle
from vander.doctor.health_checks import CameraSample, probe_camera, run_all_checks
from vander.storage import data_folder
from vander.storage.camera_file import with_chosen_camera
from vander.storage.data_folder import RunningInstance, StorageError
from vander.storage.settings import SettingError, Settings, load
from web.schemas.access_schemas import Finding, Verdict

EXPECTED_ERRORS = (
    SettingError,
    CameraError,
    StorageError,
)

app = command_app()


# `vander doctor`: run the health checks, or ask the running Vander for their result


log = logging.getLogger(__name__)

MARGIN = 8
"""Columns of the verdict at the start of a line."""
TIMEOUT_S = 60.0
"""How long to wait for the running Vander, which runs the checks while people play."""
ASK_AGAIN = "Ask again in a moment, or look at its page; if it stays so, its log says more."


@app.command()
def doctor(camera: CameraName = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Examine camera, light, models, disk, power, clock and address, and say what helps."""
    settings = load(data_dir=data_dir)
    with data_folder.share(settings.data_dir):
        raise typer.Exit(print_findings(with_chosen_camera(settings, camera), as_json))


def print_findings(settings: Settings, as_json: bool = False) -> int:
    """Print all findings and a summary; return the exit status, 1 if a finding is bad."""
    _, found = examine(settings)
    for finding in found:
        print(json.dumps(asdict(finding), ensure_ascii=False) if as_json else "\n".join(_finding_lines(finding)))
    if not as_json:
        print(summarize(found))
    return FAILED if any(finding.verdict is Verdict.BAD for finding in found) else 0


def examine(settings: Settings, timeout_s: float = TIMEOUT_S) -> tuple[CameraSample, Sequence[Finding]]:
    """Return the camera's sample and all findings.

    If a Vander runs on this data folder it is asked, since it holds the camera; the sample is then empty.
    """
    running = data_folder.running_instance(settings.data_dir)
    if running is None:
        seen = _probe(settings)
        return seen, run_all_checks(settings, seen, extras=checks(settings))
    in_use = CameraSample(
        settings.shown_camera, trouble=f"a Vander that is running{_describe_process(running)} uses the camera"
    )
    try:
        return in_use, _ask_running(settings, running, timeout_s)
    except (ServerTimeout, RequestRefused) as error:
        return in_use, _without_camera(settings, in_use, str(error))
    except ServerUnreachable:
        return in_use, _without_camera(settings, in_use, "it serves no page now, as while it starts")
    except (KeyError, TypeError, ValueError):
        return in_use, _without_camera(settings, in_use, "its answer cannot be read")


def _probe(settings: Settings) -> CameraSample:
    try:
        return probe_camera(open_camera(settings.camera), settings.shown_camera)
    except NoSuchCamera as error:
        return CameraSample(settings.shown_camera, trouble=message_of(error))
    except Exception as error:  # a camera's driver may raise anything
        log.exception("doctor: camera probe failed")
        name = settings.shown_camera
        return CameraSample(name, trouble=f"looking through {name} failed: {error}")


def _ask_running(settings: Settings, running: RunningInstance, timeout_s: float) -> tuple[Finding, ...]:
    """Return the findings of the running program. Raises ServerUnreachable, or a lookup error for an unknown answer."""
    place = urlsplit(running.address)
    client = LocalClient(settings.data_dir, place.hostname or settings.host, place.port or settings.port, timeout_s)
    return tuple(_finding(row) for row in client.get("/api/doctor")["findings"])


def _without_camera(settings: Settings, in_use: CameraSample, why: str) -> tuple[Finding, ...]:
    """Return the findings that need no camera; the camera's own finding is UNSURE."""
    _, *rest = run_all_checks(settings, in_use, serving=True, extras=checks(settings))
    return (
        health_checks.CAMERA.unsure(as_sentence(f"{in_use.trouble}, and does not say what it sees: {why}"), ASK_AGAIN),
        *rest,
    )


def _finding(row: dict[str, Any]) -> Finding:
    name, title, sentences, advice = (str(row[part]) for part in ("name", "title", "told", "advice"))
    measured = str(row.get("measured", ""))  # which a running program of an earlier version does not tell
    return Finding(name, title, Verdict(row["verdict"]), sentences, advice, measured=measured)


def _describe_process(running: RunningInstance) -> str:
    return f" ({running})" if str(running) else ""


def _finding_lines(finding: Finding) -> Iterator[str]:
    yield f"{finding.verdict:<{MARGIN}}{finding.title}: {' '.join(filter(None, (finding.told, finding.measured)))}"
    if finding.advice:
        yield f"{'':<{MARGIN}}-> {finding.advice}"


def summarize(found: Sequence[Finding]) -> str:
    bad, unsure = (
        [f.title.lower() for f in found if f.verdict is verdict] for verdict in (Verdict.BAD, Verdict.UNSURE)
    )
    if bad:
        return as_sentence(f"not well: {', '.join(bad)}" + (f"; not sure: {', '.join(unsure)}" if unsure else ""))
    return as_sentence(f"it goes, but look to: {', '.join(unsure)}" if unsure else "all is well")


# `vander support`: write the support bundle


class BundleNotWritten(StorageError):
    """The file cannot be written; the message says why."""


@app.command()
def support(
    path: Annotated[Path, Argument(help="the zip to write, or - for standard output")],
    camera: CameraName = None,
    data_dir: DataDir = None,
    *,
    pictures: Annotated[bool, Option("--pictures", help="pack the last pictures of the tray as well")] = False,
) -> None:
    """Pack log, settings and findings, without secrets, into one file for support."""
    settings = load(data_dir=data_dir)
    with data_folder.share(settings.data_dir):
        write_bundle(with_chosen_camera(settings, camera), path, pictures)


def write_bundle(settings: Settings, path: Path, pictures: bool = False) -> None:
    """Write the support bundle to `path`, or to standard output for `-`. Raises BundleNotWritten."""
    if path != STDIO:
        _check_free(path)
    seen, findings = examine(settings)
    contents = support_bundle.build_bundle(
        settings,
        findings,
        secrets=secrets(settings.data_dir),
        pictures=pictures,
        view=seen.pixels if pictures else None,
    )
    try:
        _write(path, contents)
    except OSError as error:
        raise _unwritten(path, error) from error
    said = f"{path} is packed ({len(contents) / 1000:.0f} kB). Look through it before you send it: it is plain text."
    print(said, file=sys.stderr if path == STDIO else sys.stdout)


def _write(path: Path, contents: bytes) -> None:
    if path == STDIO:
        sys.stdout.buffer.write(contents)
    else:
        atomic_files.write_atomically(path, contents)


def _check_free(path: Path) -> None:
    try:
        is_there = path.exists()
    except OSError as error:
        raise _unwritten(path, error) from error
    if is_there:
        raise BundleNotWritten(f"{path} is there already; name a new file, or move that one away")


def _unwritten(path: Path, error: OSError) -> BundleNotWritten:
    why = error.strerror or error
    return BundleNotWritten(f"{path} cannot be written: {why}; name another place, or - for standard output")
