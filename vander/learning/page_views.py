"""Samples, lessons and what was learned in play, as the page shows them. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from models.dataset import Sample
from models.die_sets import title
from referee.dice import DieKind, DieSet, FaceName, KindName, NoSuchFace
from referee.phrases import in_a_row, join_each
from referee.sentences import say, say_count
from vander.learning.learned_dice import AskedThrow, LearnedDie
from vander.learning.lesson_store import LessonReport, StoredLesson
from vander.learning.play_evidence import PlayEvidence, PlayLesson
from vision.fewshot import MERGE_FROM
from vision.kinds import KindFace
from vision.model_file import wilson_interval
from web.schemas import learning_schemas as shapes
from web.schemas.snapshot_schemas import TitledDie

# Samples and lessons as the page shows them. Pure functions


LEAST_PICTURES, LEAST_FACES = 3, 2
"""The fewest samples of which a face can be learned, and the fewest faces of a die."""
SHOWN_OF_EACH = 3
"""Pictures shown of each of two confused faces."""
MOST_SUSPECTS = 24
MOST_NAMED = 4
"""Faces named in a sentence."""
CLOCK = "%Y-%m-%d %H:%M"


def doubt(sample: Sample) -> float:
    """Return how doubtful a sample is, 0..1: one less the confidence of its reading, 1 without a reading."""
    return 1.0 - sample.read.confidence if sample.read else 1.0


def moment(sample: Sample) -> str:
    """Return what names all samples of one frame, which were taken at one moment."""
    return sample.name.rpartition("-")[0] or sample.name


def sample_view(dice: DieSet | None, sample: Sample) -> shapes.CapturedDie:
    read, label = sample.read, sample.label
    ups = ((read.face, read.confidence), *read.runners_up) if read else ()
    likely = (
        shapes.LikelyFace(read.kind, face, face_title(dice, read.kind, face), share) for face, share in ups if read
    )
    return shapes.CapturedDie(
        picture=sample.name,
        dice=sample.die_set,
        said=TitledDie(label.kind, label.face, face_title(dice, label.kind, label.face)) if label else None,
        read=TitledDie(read.kind, read.face, face_title(dice, read.kind, read.face)) if read else None,
        likely=tuple(sorted(likely, key=lambda one: -one.share)),
        by=label.by if label else "",
        at=(label.at if label else sample.taken_at).strftime(CLOCK),
        doubt=doubt(sample),
    )


def face_title(dice: DieSet | None, kind: str, face: str) -> str:
    """Return a face's title, also of a face that the set does not have."""
    try:
        return dice.kind(KindName(kind)).title_of(FaceName(face)) if dice else title(face)
    except NoSuchFace:
        return title(face)


def too_little(dice: DieSet, samples: Sequence[Sample]) -> str:
    """Return why these samples are too few to learn from, or '' where LEAST_FACES have enough of them."""
    counts = _counts(samples)
    if not counts:
        return say("No picture of the {dice} has been taken yet; show them first.", dice=dice.title)
    if len(counts) < LEAST_FACES:
        return say(
            "Only one face of the {dice} was shown; it takes at least {least} to tell faces apart.",
            dice=dice.title,
            least=LEAST_FACES,
        )
    if sum(count >= LEAST_PICTURES for count in counts.values()) >= LEAST_FACES:
        return ""
    face, count = next((face, count) for face, count in counts.items() if count < LEAST_PICTURES)
    return say(
        "{few}; at least {least} of each face are needed. Show it once more.",
        few=_few(dice, face, count),
        least=LEAST_PICTURES,
    )


def learnable(samples: Sequence[Sample]) -> list[Sample]:
    """Return the labelled samples of faces that have enough of them."""
    counts = _counts(samples)
    return [s for s in samples if s.label and counts[s.label.kind, s.label.face] >= LEAST_PICTURES]


def left_out(dice: DieSet, samples: Sequence[Sample]) -> str:
    """Return which faces a lesson leaves out because they have too few samples, or ''."""
    counts, faces = _counts(samples), [(kind.name, face) for kind in dice.kinds for face in kind.faces]
    few = [_few(dice, face, counts[face]) for face in faces if counts[face] < LEAST_PICTURES]
    if not few:
        return ""
    named, others = join_each(few[:MOST_NAMED], _and_then), len(few) - MOST_NAMED
    if others > 0:
        named = say("{named} and {others} more likewise", named=named, others=others)
    return say(
        "{named}: too few to be learned. "
        "Such a die is read as before or asked about, and sometimes taken for another face.",
        named=named,
    )


def _and_then(first: str, rest: str) -> str:
    return say("{first}, {rest}", first=first, rest=rest)


def _counts(samples: Sequence[Sample]) -> Counter[tuple[str, str]]:
    return Counter((sample.label.kind, sample.label.face) for sample in samples if sample.label)


def _few(dice: DieSet, face: tuple[str, str], count: int) -> str:
    shown_face = face_title(dice, *face)
    if count == 0:
        return say("{face} has no picture", face=shown_face)
    return say_count("{face} has one picture", "{face} has {count} pictures", count, face=shown_face)


def missing_lesson_view(dice: DieSet, why: str) -> shapes.LessonSummary:
    sentence = why or say("These dice are read as Vander came; teach them from their pictures.")
    return shapes.LessonSummary(dice.name, dice.title, 0, sentence)


def lesson_view(dice: DieSet, stored: StoredLesson, samples: Sequence[Sample]) -> shapes.LessonSummary:
    """Return a lesson as the page shows it, with pictures of confused faces."""
    report = stored.report
    right, accepted, pictures = report.hits
    by_name = {sample.name: sample for sample in samples}
    known = [(by_name[name], kind, face) for name, kind, face in report.suspects if name in by_name]
    suspects = [(sample, kind, face) for sample, kind, face in known if not _is_said(sample, kind, face)]
    return shapes.LessonSummary(
        dice=dice.name,
        title=dice.title,
        version=stored.version,
        sentence=in_a_row(_expected(report), left_out(dice, samples)),
        at=report.made_at.strftime(CLOCK),
        pictures=report.pictures,
        faces=len(stored.lesson.faces),
        sessions=report.sessions,
        right=share(right, accepted),
        asked=share(pictures - accepted, pictures),
        checked_by=_checked_by(report),
        pairs=tuple(_pair(dice, row, samples) for row in report.confused if _is_there(dice, row)),
        suspects=tuple(_suspect(dice, *one) for one in suspects[:MOST_SUSPECTS]),
    )


def is_stale(stored: StoredLesson, samples: Sequence[Sample]) -> bool:
    """True if samples were added, deleted or relabelled since a lesson was learned from them."""
    labels = [sample.label for sample in samples if sample.label]
    faces = {(label.kind, label.face) for label in labels}
    newest = max((label.at for label in labels), default=stored.report.made_at)
    return len(labels) != stored.report.pictures or faces != set(stored.lesson.faces) or newest > stored.report.made_at


def share(hits: int, count: int) -> shapes.Share | None:
    """Return a share with its 95 % interval (Wilson), or None where the count is 0."""
    return shapes.Share(hits, count, hits / count, *wilson_interval(hits, count)) if count else None


def version(report: LessonReport) -> tuple[str, str]:
    """Return when a version was learned, and what it is, in a few words."""
    right, accepted, _ = report.hits
    what = say(
        "{pictures} pictures, {right} of {accepted} accepted ones right",
        pictures=report.pictures,
        right=right,
        accepted=accepted,
    )
    return report.made_at.strftime(CLOCK), what


def with_faces_merged(dice: DieSet, kind: KindName, face: FaceName, other: FaceName) -> DieSet:
    """Return a die set in which the sides of the face `other` show `face` instead."""
    meant = next(side for side in dice.kind(kind).sides if side.name == face)

    def mended(one: DieKind) -> DieKind:
        sides = tuple(meant if side.name == other else side for side in one.sides)
        return replace(one, sides=sides) if one.name == kind else one

    return replace(dice, counts=tuple((mended(one), count) for one, count in dice.counts))


def _expected(report: LessonReport) -> str:
    right, accepted, pictures = report.hits
    low = wilson_interval(right, accepted)[0]
    asked = 100 * (pictures - accepted) / max(pictures, 1)
    return say(
        "Of {pictures} pictures it would read {accepted} alone, {right} of them right, and ask about "
        "{asked} %. Expect at least {low} % right of what it reads alone.",
        pictures=pictures,
        accepted=accepted,
        right=right,
        asked=f"{asked:.0f}",
        low=f"{100 * low:.0f}",
    )


def _checked_by(report: LessonReport) -> str:
    if report.by_session:
        return say("each of {sessions} sittings was read with what the others taught", sessions=report.sessions)
    return say("each picture was read with what the others taught; show the dice on another day to be surer")


def _is_there(dice: DieSet, row: tuple[str, str, str, str, float]) -> bool:
    """True if both faces still belong to the set: they may have been merged since."""
    faces = {(str(kind.name), str(face)) for kind in dice.kinds for face in kind.faces}
    return {row[:2], row[2:4]} <= faces


def _pair(dice: DieSet, row: tuple[str, str, str, str, float], samples: Sequence[Sample]) -> shapes.AlikeFaces:
    kind, face, other_kind, other, confused = row
    titles = face_title(dice, kind, face), face_title(dice, other_kind, other)
    alike = confused >= MERGE_FROM and kind == other_kind
    return shapes.AlikeFaces(
        kind=kind,
        face=face,
        title=titles[0],
        other=other,
        other_title=titles[1],
        sentence=_likeness(*titles, confused, alike),
        pictures=_pictures(kind, face, samples),
        other_pictures=_pictures(other_kind, other, samples),
        alike=alike,
    )


def _likeness(one: str, other: str, confused: float, alike: bool) -> str:
    if alike:
        return say(
            "{one} and {other} look alike: make them one face, or show both again so that they can be told apart.",
            one=one,
            other=other,
        )
    return say(
        "{one} and {other} are taken for each other in {share} % of their pictures.",
        one=one,
        other=other,
        share=f"{100 * confused:.0f}",
    )


def _pictures(kind: str, face: str, samples: Sequence[Sample]) -> tuple[str, ...]:
    own = [sample.name for sample in samples if _is_said(sample, kind, face)]
    return tuple(own[-SHOWN_OF_EACH:])


def _is_said(sample: Sample, kind: str, face: str) -> bool:
    return sample.label is not None and (sample.label.kind, sample.label.face) == (kind, face)


def _suspect(dice: DieSet, sample: Sample, kind: str, face: str) -> shapes.CapturedDie:
    """Return a sample that looks mislabelled, with the face that it looks like as its reading."""
    looks, view = (kind, face, face_title(dice, kind, face)), sample_view(dice, sample)
    others = (one for one in view.likely if (one.kind, one.face) != (kind, face))
    return replace(view, read=TitledDie(*looks), likely=(shapes.LikelyFace(*looks, 1.0), *others))


# What was learned of a die set in play, as the page shows it


MOST_DOUBTED = 24
HELD_BACK = say("Some of what was learned is not used: dice would be read worse with it.")
"""Said while the evidence in use lacks some of what was learned."""


def play_board(
    dice: DieSet, played: PlayEvidence, picture: Callable[[str], bytes | None], *, on: bool
) -> shapes.PlayBoard:
    """Return what was learned of a die set in play; `picture` returns a die's picture by its origin, or None."""
    lesson = played.lesson(dice.name)
    asked, counts = lesson.learned.asked, lesson.learned.counts
    doubted = doubted_dice(dice, played)[:MOST_DOUBTED]
    return shapes.PlayBoard(
        dice=dice.name,
        title=dice.title,
        on=on,
        answers=lesson.learned.answers,
        faces=tuple(
            shapes.PlayedFace(kind.name, face, kind.title_of(face), counts[kind.name, face])
            for kind in dice.kinds
            for face in kind.faces
        ),
        now=_share(asked.now),
        before=_share(asked.before),
        doubted=tuple(replace(die, pictured=picture(die.die) is not None) for die in doubted),
        notes=_notes(lesson),
    )


def doubted_dice(dice: DieSet, played: PlayEvidence) -> list[shapes.DoubtedDie]:
    """Return the dice whose labels look wrong, and those of which people said one thing and then another."""
    known = played.lesson(dice.name).learned.by_origin
    doubted = {one.example.origin: one.looks_like for one in played.suspects(dice.name)}
    wrong = [_doubted(dice, known[origin], looks) for origin, looks in doubted.items() if origin in known]
    return [*wrong, *(_doubted(dice, die, None) for die in _contradicted(known, doubted))]


def _contradicted(known: dict[str, LearnedDie], doubted: dict[str, KindFace]) -> Iterator[LearnedDie]:
    return (die for origin, die in known.items() if die.before and not die.looked_at and origin not in doubted)


def _doubted(dice: DieSet, die: LearnedDie, looks: KindFace | None) -> shapes.DoubtedDie:
    said, other = _face(dice, die.label), _face(dice, looks or die.before or die.label)
    looks_wrong = say("This looks like the others called {other}.", other=other.title)
    said_twice = say("First said to be {other}, then {said}: the last word counts.", other=other.title, said=said.title)
    sentence = looks_wrong if looks else said_twice
    return shapes.DoubtedDie(die.origin, said, other, sentence, die.at, die.throw)


def _face(dice: DieSet, face: KindFace) -> TitledDie:
    return TitledDie(*face, face_title(dice, *face))


def _share(asked: AskedThrow | None) -> shapes.AskedShare | None:
    return shapes.AskedShare(asked.asked, asked.dice) if asked and asked.dice else None


def _notes(lesson: PlayLesson) -> tuple[str, ...]:
    return tuple(filter(None, (lesson.unsaved, lesson.found, HELD_BACK if lesson.held_back else "")))
