"""What a session works with: the journal, its pictures, learning and the clock."""

from __future__ import annotations

from dataclasses import dataclass, field

from models.die_sets import DieSetSource
from referee.game import Game
from vander.session.background_odds import BackgroundOdds
from vander.session.face_pictures import FacePictures
from vander.session.film_sink import FilmSink, NoFilms
from vander.session.journal_writer import GameRecord
from vander.session.label_sink import LabelSink
from vander.session.open_games import OpenScores
from vander.session.table_images import TableImages
from vander.session.write_retry import WriteRetry


@dataclass(frozen=True)
class SessionParts:
    """What a session works with: what is on disk, the pictures, those who learn, what can be set up, and the odds."""

    record: GameRecord
    images: TableImages
    labels: LabelSink
    games: tuple[Game, ...]
    known: DieSetSource
    retry: WriteRetry
    odds: BackgroundOdds
    faces: FacePictures = field(default_factory=FacePictures)
    films: FilmSink = field(default_factory=NoFilms)
    open_scores: OpenScores = field(default_factory=OpenScores)
