"""The manifest of an export, `vander.jsonl`, from which it can be imported exactly.

The first line states the format; then comes a line for each session, and a line for each sample.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from models.dataset.archives import FileTree
from models.dataset.dataset_errors import BadSample, ExchangeError
from models.dataset.samples import (
    CaptureSession,
    Sample,
    checked_face,
    checked_name,
    checked_origin,
    parse_record,
    parse_sample,
    parse_time,
    quoted,
    sample_record,
)

NAME = "vander.jsonl"
FORMAT = 1


@dataclass(frozen=True)
class ManifestRow:
    """A sample as it was exported.

    `picture` is the file in which it has its box, `crop` its own picture, `frame` its frame or '', as names in the
    export's folder; `split` is train, val or test.
    """

    sample: Sample
    picture: str
    crop: str
    frame: str
    split: str


def format_manifest(form: str, sessions: Iterable[CaptureSession], rows: Iterable[ManifestRow]) -> str:
    """Return the text of vander.jsonl."""
    lines: list[dict[str, Any]] = [{"vander": FORMAT, "form": form}]
    lines += [_session_record(session) for session in sessions]
    lines += [_row_record(row) for row in rows]
    return "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)


def _session_record(session: CaptureSession) -> dict[str, Any]:
    begun_at = session.begun_at.isoformat()
    return {"session": session.name, "die_set": session.die_set, "how": session.origin, "begun_at": begun_at}


def _row_record(row: ManifestRow) -> dict[str, Any]:
    files = {"picture": row.picture, "crop": row.crop, "frame": row.frame, "split": row.split}
    return {"in": row.sample.session, "die": sample_record(row.sample), **files}


def read_manifest(tree: FileTree, root: str) -> tuple[list[CaptureSession], list[ManifestRow]]:
    """Return the sessions and rows of an export of Vander; none where another program made the folder.

    Raises ExchangeError.
    """
    name = f"{root}{NAME}"
    if name not in tree.files:
        return [], []
    lines = [line for line in tree.text(name).splitlines() if line.strip()]
    try:
        records = [parse_record(line) for line in lines]
        if not records or records[0].get("vander") != FORMAT:
            raise BadSample(f"says no form {FORMAT} in its first line")
        sessions = {str(r["session"]): _session(r) for r in records[1:] if "session" in r}
        return list(sessions.values()), [_row(r, sessions, root) for r in records[1:] if "die" in r]
    except (KeyError, TypeError, ValueError) as error:
        why = str(error) if isinstance(error, BadSample) else "holds a line that cannot be read"
        raise ExchangeError(f"{quoted(name)} cannot be taken in: {why}") from None


def _session(record: dict[str, Any]) -> CaptureSession:
    name, die_set = checked_name(record["session"], "a session"), checked_face(record["die_set"], "a die set")
    return CaptureSession(name, die_set, checked_origin(record["how"]), parse_time(record["begun_at"]))


def _row(record: dict[str, Any], sessions: dict[str, CaptureSession], root: str) -> ManifestRow:
    sample = parse_sample(record["die"], sessions[record["in"]])
    files = [str(record[key]) for key in ("picture", "crop", "frame")]
    picture, crop, frame = (file and f"{root}{file}" for file in files)
    return ManifestRow(sample, picture, crop, frame, str(record["split"]))
