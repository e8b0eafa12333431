"""A past game of Toss Up! for the pages: Ann had 3 points and Bob 4 when they stopped, and a die was turned."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from browsers import lent_app, served
from stub_game import StubGame

from models import die_sets
from models.dataset.samples import AnsweredCheck
from referee.actions import Action
from referee.dice import Die
from referee.feats import Feat, SeatFeat
from referee.game_results import SeatResult
from referee.journal import Deed, Entry, Source
from vander.app.backends import Backends
from vander.extras.players.dice_fairness import FairnessService
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.extras.players.player_service import PlayerService
from vander.storage.journal_schema import KeptGame
from vander.storage.journal_store import Journal
from vander.storage.player_tables import write_results

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TURNED = "A die was turned: it showed Yellow, and shows Green."


FEATS = (
    SeatFeat(1, "all-green", 1),
    SeatFeat(2, Feat.DECIDED, 5, 4),
    SeatFeat(2, Feat.LUCKIEST, 4, 0.0546875),
    SeatFeat(1, Feat.BREACHED, 3),
    SeatFeat(2, Feat.BREACHED, 3),
)
GREEN, YELLOW, RED = (Die.parse(f"tossup:{face}") for face in ("green", "yellow", "red"))
CHECKED = (
    AnsweredCheck(1, 1, ((GREEN, GREEN),) * 3 + ((YELLOW, YELLOW),) * 7, "2026-11-21T12:00:00+00:00"),
    AnsweredCheck(1, 4, ((GREEN, GREEN), (RED, YELLOW)), "2026-11-21T12:01:00+00:00"),
    AnsweredCheck(9, 1, ((RED, RED),), "2026-11-21T12:00:30+00:00"),
)
"""The throws that people checked: before the last one, whose game is not in the journal, the clock was set back."""
FACES = {("tossup", "green", ""): 520, ("tossup", "yellow", ""): 260, ("tossup", "red", ""): 220}
FACES |= {("tossup", "yellow", "red"): 3}
"""As if many dice had been read in the game, so that the test of the dice has something to say."""


def rolled(seat: int, greens: int, reds: int = 0) -> str:
    """Return the action of a roll with so many green and red dice; the others are yellow."""
    dice = ["tossup:green"] * greens + ["tossup:red"] * reds + ["tossup:yellow"] * (10 - greens - reds)
    return " ".join([str(seat), "roll", *dice])


def entries() -> tuple[Entry, ...]:
    """Return the entries of the game: two turns, with pictures of both rolls, and a breach in between."""
    camera, tablet = (Source.CAMERA, Deed.PLAY), (Source.TABLET, Deed.PLAY)
    return (
        Entry(1, NOON, *camera, Action.parse(rolled(1, 3)), evidence="evidence-1"),
        Entry(2, NOON, *tablet, Action.parse("1 end")),
        Entry(3, NOON, Source.CAMERA, Deed.BREACH, note=TURNED, rule="T.2-1", evidence="gone-3"),
        Entry(4, NOON, *camera, Action.parse(rolled(2, 4, reds=1)), evidence="evidence-4"),
        Entry(5, NOON, *tablet, Action.parse("2 end")),
    )


def keep_past_game(journal: Journal) -> int:
    """Put the game into a journal, counted already; return its number."""
    kept = KeptGame(0, "toss-up", ("Ann", "Bob"), {}, "toss-up", NOON, NOON + timedelta(hours=1))
    number = journal.keep(kept, entries()).number
    ann = SeatResult(1, True, False, 3, turns=1, throws=1, best_turn=3, best_entry=2)
    bob = SeatResult(2, True, True, 4, turns=1, throws=1, best_turn=4, best_entry=5)
    with journal.writing() as connection:
        write_results(connection, number, (ann, bob), entries=len(entries()), feats=FEATS, faces=FACES)
    return number


def dice_test(journal: Journal) -> FairnessService:
    """Return the test of the dice where 3 of 400 checked dice were misread; of some nobody knows in which throw."""
    return FairnessService(journal, die_sets, lambda: (400, 3), lambda: CHECKED)


@contextmanager
def remembered(folder: Path) -> Iterator[tuple[PlayerService, PlayStatisticsService, FairnessService]]:
    """Give the players, the past games and the test of the dice of a new journal with the one game."""
    with closing(Journal.in_folder(folder)) as journal, closing(PlayStatisticsService(journal)) as history:
        keep_past_game(journal)
        yield PlayerService(journal, folder), history, dice_test(journal)


@contextmanager
def served_memory(folder: Path, table: StubGame) -> Iterator[str]:
    """Serve the pages of a table that remembers one game; yield its address."""
    with remembered(folder) as (players, history, fairness):
        services = Backends(table, face_pictures=table, players=players, history=history, fairness=fairness)
        with served(lent_app(services)) as place:
            yield place
