"""What was learned of a die set in play, as the page shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from referee.dice import DieSet
from referee.sentences import say
from vander.learning.learned_dice import AskedThrow, LearnedDie
from vander.learning.page_views import face_title
from vander.learning.play_evidence import PlayEvidence, PlayLesson
from vision.kinds import KindFace
from web.schemas import learning_schemas as shown

MOST_DOUBTED = 24
HELD_BACK = say("What was learned last is not used: the dice that you named would be read worse with it.")
"""Said while the evidence in use is older than what was learned."""


def play_board(
    dice: DieSet, played: PlayEvidence, picture: Callable[[str], bytes | None], *, on: bool
) -> shown.PlayBoard:
    """Return what was learned of a die set in play; `picture` returns a die's picture by its origin, or None."""
    lesson = played.lesson(dice.name)
    asked, counts = lesson.learned.asked, lesson.learned.counts
    doubted = doubted_dice(dice, played)[:MOST_DOUBTED]
    return shown.PlayBoard(
        dice=dice.name,
        title=dice.title,
        on=on,
        answers=lesson.learned.answers,
        faces=tuple(
            shown.PlayedFace(kind.name, face, kind.title_of(face), counts[kind.name, face])
            for kind in dice.kinds
            for face in kind.faces
        ),
        now=_share(asked.now),
        before=_share(asked.before),
        doubted=tuple(replace(die, pictured=picture(die.die) is not None) for die in doubted),
        notes=_notes(lesson),
    )


def doubted_dice(dice: DieSet, played: PlayEvidence) -> list[shown.DoubtedDie]:
    """Return the dice whose labels look wrong, and those of which people said one thing and then another."""
    known = played.lesson(dice.name).learned.by_origin
    doubted = {one.example.origin: one.looks_like for one in played.suspects(dice.name)}
    wrong = [_doubted(dice, known[origin], looks) for origin, looks in doubted.items() if origin in known]
    return [*wrong, *(_doubted(dice, die, None) for die in _contradicted(known, doubted))]


def _contradicted(known: dict[str, LearnedDie], doubted: dict[str, KindFace]) -> Iterator[LearnedDie]:
    return (die for origin, die in known.items() if die.before and not die.looked_at and origin not in doubted)


def _doubted(dice: DieSet, die: LearnedDie, looks: KindFace | None) -> shown.DoubtedDie:
    said, other = _face(dice, die.label), _face(dice, looks or die.before or die.label)
    looks_wrong = say("This looks like the others called {other}.", other=other.title)
    said_twice = say("First said to be {other}, then {said}: the last word counts.", other=other.title, said=said.title)
    sentence = looks_wrong if looks else said_twice
    return shown.DoubtedDie(die.origin, said, other, sentence, die.at, die.throw)


def _face(dice: DieSet, face: KindFace) -> shown.LabelledFace:
    return shown.LabelledFace(*face, face_title(dice, *face))


def _share(asked: AskedThrow | None) -> shown.AskedShare | None:
    return shown.AskedShare(asked.asked, asked.dice) if asked and asked.dice else None


def _notes(lesson: PlayLesson) -> tuple[str, ...]:
    return tuple(filter(None, (lesson.unsaved, lesson.found, HELD_BACK if lesson.is_held_back else "")))
