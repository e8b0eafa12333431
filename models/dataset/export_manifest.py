"""The list that goes along with a set that was put out, `vander.jsonl`, so that it can be taken in exactly.

The first line says the form; then a line a session, and a line a die.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from models.dataset.archives import Tree
from models.dataset.dataset_errors import BadExchange, BadShot
from models.dataset.samples import (
    Session,
    Shot,
    checked_face,
    checked_how,
    checked_name,
    moment,
    parsed,
    record_of,
    shot_from,
    shown,
)

NAME = "vander.jsonl"
FORMAT = 1


@dataclass(frozen=True)
class Row:
    """A die as it was put out.

    The picture in which it has its box, its own picture, and its frame's ('' for none), as names in the folder; and
    its share: train, val or test.
    """

    shot: Shot
    picture: str
    crop: str
    frame: str
    split: str


def written(form: str, sessions: Iterable[Session], rows: Iterable[Row]) -> str:
    """The text of vander.jsonl."""
    lines: list[dict[str, Any]] = [{"vander": FORMAT, "form": form}]
    lines += [_session_record(session) for session in sessions]
    lines += [_row_record(row) for row in rows]
    return "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)


def _session_record(session: Session) -> dict[str, Any]:
    begun_at = session.begun_at.isoformat()
    return {"session": session.name, "die_set": session.die_set, "how": session.how, "begun_at": begun_at}


def _row_record(row: Row) -> dict[str, Any]:
    files = {"picture": row.picture, "crop": row.crop, "frame": row.frame, "split": row.split}
    return {"in": row.shot.session, "die": record_of(row.shot), **files}


def read(tree: Tree, root: str) -> tuple[list[Session], list[Row]]:
    """The sessions and dice of a set that was put out by Vander; none where another program made it.

    Raises BadExchange.
    """
    name = f"{root}{NAME}"
    if name not in tree.files:
        return [], []
    lines = [line for line in tree.text(name).splitlines() if line.strip()]
    try:
        records = [parsed(line) for line in lines]
        if not records or records[0].get("vander") != FORMAT:
            raise BadShot(f"says no form {FORMAT} in its first line")
        sessions = {str(r["session"]): _session(r) for r in records[1:] if "session" in r}
        return list(sessions.values()), [_row(r, sessions, root) for r in records[1:] if "die" in r]
    except (KeyError, TypeError, ValueError) as error:
        why = str(error) if isinstance(error, BadShot) else "holds a line that cannot be read"
        raise BadExchange(f"{shown(name)} cannot be taken in: {why}") from None


def _session(record: dict[str, Any]) -> Session:
    name, die_set = checked_name(record["session"], "a session"), checked_face(record["die_set"], "a die set")
    return Session(name, die_set, checked_how(record["how"]), moment(record["begun_at"]))


def _row(record: dict[str, Any], sessions: dict[str, Session], root: str) -> Row:
    shot = shot_from(record["die"], sessions[record["in"]])
    files = [str(record[key]) for key in ("picture", "crop", "frame")]
    picture, crop, frame = (file and f"{root}{file}" for file in files)
    return Row(shot, picture, crop, frame, str(record["split"]))
