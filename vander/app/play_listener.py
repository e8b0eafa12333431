"""Hands the label events of the session on to the learner of play."""

from __future__ import annotations

import logging

from vander.learning.play_learner import PlayLearner
from vander.session.session_state import AnswerWithdrawn, DiceSettled, DoubtSettled, FacesStated, LabelEvent, ThrowRuled
from vision.frame_reader import ImageSource

log = logging.getLogger(__name__)


class PlayListener:
    """Passes label events of the session to learning. Errors in learning are logged and do not stop play."""

    def __init__(self, learner: PlayLearner) -> None:
        self._learner = learner

    def hear(self, event: LabelEvent, images: ImageSource | None) -> None:
        """Take in an event; `images` are the pictures of the observation that it comes from."""
        try:
            self._tell(event, images)
        except Exception:
            log.exception("play listener: not learned from: %s", type(event).__name__)

    def _tell(self, event: LabelEvent, images: ImageSource | None) -> None:
        match event:
            case DiceSettled(die_set, dice) if images is not None:
                self._learner.dice_settled(die_set, dice, images)
            case FacesStated(faces, source) | DoubtSettled(faces, source):
                self._learner.faces_stated(faces, source)
            case ThrowRuled(_, dice):
                self._learner.throw_ruled(dice)
            case AnswerWithdrawn(dice):
                self._learner.answers_withdrawn(dice)
            case _:
                pass
