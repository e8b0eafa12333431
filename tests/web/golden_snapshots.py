"""The snapshot in the middle of a golden game, for each game, as JSON in `golden/`; and one that cannot be written.

python tests/web/golden_snapshots.py     writes the files again, after a sentence or an offer was changed on purpose
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from models import die_sets
from referee.games import games, named
from referee.record_check import check_record, start_of_record
from referee.record_parser import parse_record
from referee.snapshot import NoticeMood, Snapshot, offers_of
from web.schemas.response_model import encode
from web.schemas.snapshot_response import snapshot_response

GOLDEN = Path(__file__).parent / "golden"
RECORDS = Path(__file__).parents[1] / "referee/golden"
STEPS = 6
"""So far each game is played: into its first turns, where most can be done."""


UNSAVED = "unsaved"
"""The name of the moment at which the journal cannot be written."""


def golden_names() -> list[str]:
    """The moments that are recorded."""
    return [*(game.name for game in games()), UNSAVED]


def snapshot_of(name: str) -> dict[str, Any]:
    """The JSON of a moment."""
    found: dict[str, Any] = json.loads(encode(snapshot_response(_unsaved() if name == UNSAVED else _moment_of(name))))
    return found


def _unsaved() -> Snapshot:
    return replace(
        _moment_of("intersection"),
        unsaved=True,
        held_throws=2,
        mood=NoticeMood.LOST,
        notice="Vander cannot write to its card. Do not throw yet: 2 throws are still waiting.",
        alerts=(
            "The journal journal.sqlite cannot be written: database or disk is full. "
            "Make room on the card, or use another one.",
        ),
    )


def _moment_of(game_name: str) -> Snapshot:
    """A game after some steps of its first golden game."""
    game = named(game_name)
    records = (parse_record(path.read_text("utf-8")) for path in sorted(RECORDS.glob("*.txt")))
    record = next(record for record in records if record.game == game_name)
    start = start_of_record(record, game, die_sets.load(game.die_set or record.dice))
    steps = list(islice(check_record(game, start, record), STEPS))
    state = steps[-1].state
    offers = offers_of(game, state)
    return Snapshot(
        7,
        game=game,
        state=state,
        calls=steps[-1].calls,
        called=STEPS,
        offers=offers,
        boards=game.boards(state),
        step=f"1.{STEPS}",
    )


def main() -> None:
    """Write all files again."""
    GOLDEN.mkdir(exist_ok=True)
    for name in golden_names():
        text = json.dumps(snapshot_of(name), indent=1, ensure_ascii=False, sort_keys=True)
        (GOLDEN / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
