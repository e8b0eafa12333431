"""`vander doctor`: the examination on the command line."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from hardware.cameras import open_camera
from hardware.cameras.base import NoSuchCamera
from referee.text import as_sentence
from vander.access.local_client import LocalClient, RequestRefused, ServerTimeout, ServerUnreachable
from vander.diagnostics import camera_checks
from vander.diagnostics.camera_probe import CameraSample, gaze
from vander.diagnostics.run_checks import examined
from vander.storage import instance_lock
from vander.storage.instance_lock import RunningInstance
from vander.storage.settings import Settings
from web.schemas.diagnostics_schemas import Finding, Verdict

log = logging.getLogger(__name__)

BAD = 1
MARGIN = 8
PATIENCE_S = 60.0
"""So long a Vander that is running may take to look at everything: it looks, and measures its files, while it plays."""
ASK_AGAIN = "Ask again in a moment, or look at its page; if it stays so, its log says more."


def doctor(settings: Settings, as_json: bool = False) -> int:
    """Print what is found: 1 when something is bad, 0 else. Raises nothing of its own."""
    found = findings(settings)
    for finding in found:
        print(json.dumps(asdict(finding), ensure_ascii=False) if as_json else "\n".join(_lines(finding)))
    if not as_json:
        print(summary(found))
    return BAD if any(finding.verdict is Verdict.BAD for finding in found) else 0


def findings(settings: Settings) -> Sequence[Finding]:
    """All findings. Where a Vander runs on this data folder it is asked, since the camera is its own."""
    return examination(settings)[1]


def examination(settings: Settings, patience_s: float = PATIENCE_S) -> tuple[CameraSample, Sequence[Finding]]:
    """What was seen, and all findings; nothing was seen where a Vander that is running has the camera."""
    running = instance_lock.running_instance(settings.data_dir)
    if running is None:
        seen = _seen(settings)
        return seen, examined(settings, seen)
    in_use = CameraSample(settings.camera, trouble=f"a Vander that is running{_who(running)} uses the camera")
    try:
        return in_use, _asked(settings, running, patience_s)
    except (ServerTimeout, RequestRefused) as error:
        return in_use, _not_told(settings, in_use, str(error))
    except ServerUnreachable:
        return in_use, _not_told(settings, in_use, "it serves no page now, as while it starts")
    except (KeyError, TypeError, ValueError):
        return in_use, _not_told(settings, in_use, "what it answers is no doctor's word")


def _seen(settings: Settings) -> CameraSample:
    try:
        return gaze(open_camera(settings.camera), settings.camera)
    except NoSuchCamera as error:
        return CameraSample(settings.camera, trouble=str(error))
    except Exception as error:  # a camera's driver may raise anything; that is a finding as well
        log.exception("looking through the camera stumbled")
        return CameraSample(settings.camera, trouble=f"looking through {settings.camera} stumbled: {error}")


def _asked(settings: Settings, running: RunningInstance, patience_s: float) -> tuple[Finding, ...]:
    """What the running program finds. Raises ServerUnreachable, or an error of a value that is none of Vander's."""
    place = urlsplit(running.address)
    within = LocalClient(settings.data_dir, place.hostname or settings.host, place.port or settings.port, patience_s)
    return tuple(_finding(told) for told in within.get("/api/doctor")["findings"])


def _not_told(settings: Settings, in_use: CameraSample, why: str) -> tuple[Finding, ...]:
    """What can be found without the camera. That a Vander has it and does not tell is no harm to it."""
    _, *rest = examined(settings, in_use, serving=True)
    return (
        camera_checks.CAMERA.unsure(as_sentence(f"{in_use.trouble}, and does not say what it sees: {why}"), ASK_AGAIN),
        *rest,
    )


def _finding(told: dict[str, Any]) -> Finding:
    name, title, sentences, advice = (str(told[part]) for part in ("name", "title", "told", "advice"))
    return Finding(name, title, Verdict(told["verdict"]), sentences, advice)


def _who(running: RunningInstance) -> str:
    return f" ({running})" if str(running) else ""


def _lines(finding: Finding) -> Iterator[str]:
    yield f"{finding.verdict:<{MARGIN}}{finding.title}: {finding.told}"
    if finding.advice:
        yield f"{'':<{MARGIN}}-> {finding.advice}"


def summary(found: Sequence[Finding]) -> str:
    """One sentence of it all."""
    bad, unsure = (
        [f.title.lower() for f in found if f.verdict is verdict] for verdict in (Verdict.BAD, Verdict.UNSURE)
    )
    if bad:
        return as_sentence(f"not well: {', '.join(bad)}" + (f"; not sure: {', '.join(unsure)}" if unsure else ""))
    return as_sentence(f"it goes, but look to: {', '.join(unsure)}" if unsure else "all is well")
