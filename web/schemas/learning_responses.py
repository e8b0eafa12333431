"""The teacher's desk as JSON: what the teaching pages show, in names that their scripts read."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from web.services.learning_protocol import Captured, Certificate, CheckShown, DiceShown, Learned, Overview, Sitting

Json = dict[str, Any]


def overview_json(overview: Overview) -> Json:
    """All that the page of the dice begins with."""
    return {
        "dice": [dice_json(dice) for dice in overview.dice],
        "sitting": sitting_json(overview.sitting),
        "choices": asdict(overview.choices),
        "queued": overview.queued,
        "used_mb": round(overview.used_mb, 1),
        "trouble": overview.trouble,
    }


def dice_json(dice: DiceShown) -> Json:
    """A die set with its kinds and the meters of its faces."""
    kinds = [{"name": name, "title": title} for name, title in dice.kinds]
    return {**asdict(dice), "kinds": kinds, "faces": [asdict(face) for face in dice.faces]}


def sitting_json(sitting: Sitting | None) -> Json | None:
    """A guided capture as it stands."""
    return asdict(sitting) if sitting else None


def captured_json(captured: Captured) -> Json:
    """A captured die: what was said and read are null where nothing was."""
    likely = [{**_face(which[:3]), "share": round(which[3], 4)} for which in captured.likely]
    return {
        **asdict(captured),
        "said": _face(captured.said) if captured.said[1] else None,
        "read": _face(captured.read) if captured.read[1] else None,
        "likely": likely,
        "doubt": round(captured.doubt, 4),
    }


def _face(which: tuple[str, str, str]) -> Json:
    return dict(zip(("kind", "face", "title"), which, strict=True))


def learned_json(learned: Learned) -> Json:
    """A lesson: shares are null where nothing was measured."""
    return {
        **asdict(learned),
        "suspects": [captured_json(suspect) for suspect in learned.suspects],
        "versions": [{"version": version, "at": at, "words": words} for version, at, words in learned.versions],
    }


def certificate_json(certificate: Certificate) -> Json:
    """The table's certificate: shares are null before the first."""
    return asdict(certificate)


def check_json(check: CheckShown | None) -> Json | None:
    """A throw that is asked about."""
    if check is None:
        return None
    dice = [{"number": number, "title": title, "picture": picture} for number, title, picture in check.dice]
    return {"number": check.number, "dice": dice}
