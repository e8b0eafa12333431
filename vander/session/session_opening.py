"""Open the session: go on with the game in the journal, if there is one."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence

from models import die_sets
from models.die_sets import DieSetSource
from referee.dice import DieSet
from referee.game import Game
from vander.session.background_odds import BackgroundOdds
from vander.session.film_sink import FilmSink, NoFilms
from vander.session.journal_writer import GameRecord
from vander.session.label_sink import LabelListener, LabelRecorder, LabelSink, ThrowChecker
from vander.session.session import Session
from vander.session.session_parts import SessionParts
from vander.session.session_state import SessionConfig, SessionState
from vander.session.table_images import TableImages
from vander.session.write_retry import WriteRetry
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vision.tray_calibration import TrayLayout

FIRST_QUESTION_BELOW = 100_000_000
"""The first question number is random below this, so that no answer matches a question of an earlier run."""


def open_session(  # noqa: PLR0913  # one for each thing that an owner chooses
    journal: Journal,
    evidence: EvidenceStore,
    *,
    games: Sequence[Game],
    dice: DieSet,
    camera: str = "",
    bay: bool = True,
    pause_s: float = 0.0,
    layout: TrayLayout | None = None,
    known: DieSetSource = die_sets,
    recorder: LabelRecorder | None = None,
    checker: ThrowChecker | None = None,
    listener: LabelListener | None = None,
    films: FilmSink | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Session:
    """Return a session in which `games` can be set up, with dice that are `known`; an unfinished game goes on.

    `dice` lie ready while no game is on; an action that another player may interrupt waits `pause_s` before it counts;
    `listener` hears every label event, `films` every ruling that the camera saw; `clock` says when a journal that could
    not be written is tried again. Raises BrokenJournal when the journal contradicts the rules.
    """
    config = SessionConfig(dice, camera, bay, pause_s, run=secrets.token_hex(4), layout=layout or TrayLayout())
    record, images = GameRecord(journal, evidence), TableImages(evidence)
    labels = LabelSink(recorder, checker, listener)
    match = record.resume(games, known)
    state = SessionState(config, match, resumed=match is not None, questions=secrets.randbelow(FIRST_QUESTION_BELOW))
    retry, odds = WriteRetry(clock), BackgroundOdds()
    parts = SessionParts(record, images, labels, tuple(games), known, retry, odds, films=films or NoFilms())
    return Session(state, parts)
