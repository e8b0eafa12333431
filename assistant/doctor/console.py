"""`vander doctor`: the examination on the command line."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from assistant.box import alone
from assistant.box.alone import Running
from assistant.doctor.examination import examined
from assistant.doctor.sight import Sighted, gaze
from assistant.door.within import NotAnswered, Within
from assistant.heard import sentence
from assistant.settings import Settings
from hardware.cameras import open_camera
from vision.frames import NoSuchCamera
from web.doctor import Finding, Verdict

log = logging.getLogger(__name__)

BAD = 1
MARGIN = 8


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


def examination(settings: Settings) -> tuple[Sighted, Sequence[Finding]]:
    """What was seen, and all findings; nothing was seen where a Vander that is running has the camera."""
    running = alone.running(settings.data_dir)
    if running is None:
        seen = _seen(settings)
        return seen, examined(settings, seen)
    seen = Sighted(settings.camera, trouble=_in_use(running))
    with suppress(NotAnswered, KeyError, TypeError, ValueError):
        return seen, _asked(settings, running)
    return seen, examined(settings, seen, serving=True)


def _seen(settings: Settings) -> Sighted:
    try:
        return gaze(open_camera(settings.camera), settings.camera)
    except NoSuchCamera as error:
        return Sighted(settings.camera, trouble=str(error))
    except Exception as error:  # a camera's driver may raise anything; that is a finding as well
        log.exception("looking through the camera stumbled")
        return Sighted(settings.camera, trouble=f"looking through {settings.camera} stumbled: {error}")


def _asked(settings: Settings, running: Running) -> tuple[Finding, ...]:
    """What the running program finds. Raises NotAnswered, or an error of a value that is none of Vander's."""
    place = urlsplit(running.address)
    within = Within(settings.data_dir, place.hostname or settings.host, place.port or settings.port)
    return tuple(_finding(told) for told in within.get("/api/doctor")["findings"])


def _finding(told: dict[str, Any]) -> Finding:
    name, title, sentences, advice = (str(told[part]) for part in ("name", "title", "told", "advice"))
    return Finding(name, title, Verdict(told["verdict"]), sentences, advice)


def _in_use(running: Running) -> str:
    who = f" ({running})" if str(running) else ""
    return f"a Vander that is running{who} uses the camera, and does not say what it sees; end it, or look at its page"


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
        return sentence(f"not well: {', '.join(bad)}" + (f"; not sure: {', '.join(unsure)}" if unsure else ""))
    return sentence(f"it goes, but look to: {', '.join(unsure)}" if unsure else "all is well")
