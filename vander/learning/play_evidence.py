"""What was learned in play of each die set: kept on disk, and used as evidence where it reads no worse."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import RLock

import numpy as np

from models.dataset import SaveFailed
from models.die_sets import DieSetCatalog
from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say, say_count
from vander.learning.learned_dice import MOST_LINES, AskedThrow, FeatureStore, LearnedDice, LearnedDie, StoredFeatures
from vander.learning.lesson_store import LessonStore
from vision.fewshot import Lesson, PldaModel
from vision.kinds import KindFace
from vision.table_evidence import EvidenceExample, ReferenceSet, SuspectExample, TableEvidence, is_no_worse, joined

log = logging.getLogger(__name__)

SAME_PLACE = 1e-3
"""Embeddings that differ by less in each dimension are of one picture: they differ by how numbers are rounded."""
HALVINGS = 5
"""How often what is new is halved to find what dice would be read worse by: a start with hundreds of dice tries some
sixty parts at most."""
LOOKED_AT = "looked at on the page"
"""Why a label is believed that somebody mended or kept on the page."""

Additions = tuple[Sequence[LearnedDie], Sequence[AskedThrow]]


@dataclass(frozen=True, eq=False)
class PlayLesson:
    """What was learned in play of one die set, and what is used of it.

    played: the evidence of all of it; in_use: that which dice are read by; None for none. held_back: origins and labels
    of the dice that are not in use, since dice would be read worse by them. unsaved, found: what could not be kept,
    and what was wrong with what was kept, each in one sentence. resets counts how often all was forgotten, outdated the
    dice that another reader described. withdrawn: the labels of the dice that were forgotten last. The file has so many
    `lines`; `is_behind`: it lacks something, or holds what is no longer remembered.
    """

    learned: LearnedDice = field(default_factory=LearnedDice)
    played: TableEvidence | None = None
    in_use: TableEvidence | None = None
    held_back: frozenset[tuple[str, KindFace]] = frozenset()
    unsaved: str = ""
    found: str = ""
    resets: int = 0
    outdated: int = 0
    withdrawn: Mapping[str, KindFace] = field(default_factory=dict)
    lines: int = 0
    is_behind: bool = False


class PlayEvidence:
    """What was learned in play. Any thread may call; whoever asks what is in use waits for nobody."""

    def __init__(
        self,
        store: FeatureStore,
        die_sets: DieSetCatalog,
        taught: LessonStore,
        plda: PldaModel,
        reference: ReferenceSet,
    ) -> None:
        self._store, self._die_sets, self._taught = store, die_sets, taught
        self._plda, self._reference = plda, reference
        self._lock = RLock()
        self._lessons = {name: self._opened(name) for name in store.names() if name in die_sets.names()}

    def lesson(self, name: str) -> PlayLesson:
        """Return what was learned of a die set."""
        return self._lessons.get(name) or PlayLesson()

    def outdated(self) -> tuple[str, ...]:
        """Return the die sets of which something was learned with another reader."""
        return tuple(name for name, lesson in self._lessons.items() if lesson.outdated)

    def suspects(self, name: str) -> tuple[SuspectExample, ...]:
        """Return the answers that look wrong, the least probable first, but for those that somebody looked at."""
        lesson = self.lesson(name)
        seen = {die.origin for die in lesson.learned.dice if die.looked_at}
        doubted = lesson.played.suspects() if lesson.played else ()
        return tuple(one for one in doubted if one.example.origin not in seen)

    # Changes; what the disk refuses is said, and play goes on with what is in memory

    def add(self, name: str, dice: Sequence[LearnedDie], throws: Sequence[AskedThrow] = (), resets: int = 0) -> None:
        """Learn dice that the set still has, and count throws, unless all was forgotten since (`resets`)."""
        with self._lock:
            before = self.lesson(name)
            if before.resets != resets or name not in self._die_sets.names():
                return
            now = tuple(_after(die, before.withdrawn.get(die.origin)) for die in dice)
            known = LearnedDice(now).of_set(self._die_sets.load(name)).dice
            if len(known) < len(dice):
                before = replace(before, found=_faces_gone(len(dice) - len(known)))
            learned = before.learned
            for die in known:
                learned = learned.with_die(die)
            for throw in throws:
                learned = learned.with_throw(throw)
            self._keep(name, replace(before, learned=learned), (known, throws))

    def withdraw(self, name: str, origins: Sequence[str]) -> None:
        """Forget what was learned of these dice of throws, and what stood because of it."""
        with self._lock:
            before = self.lesson(name)
            learned, known = before.learned, before.learned.by_origin
            for origin in origins:
                learned = learned.without(origin)
            if learned is not before.learned:
                withdrawn = {origin: known[origin].label for origin in origins if origin in known}
                self._keep(name, replace(before, learned=learned, withdrawn=withdrawn))

    def label(self, name: str, origin: str, label: KindFace) -> None:
        """Mend the label of a die that was looked at on the page, or keep it. Raises Refused."""
        with self._lock:
            before = self.lesson(name)
            die = before.learned.by_origin.get(origin)
            if die is None:
                raise Refused(say("That die is no longer remembered."), Reason.NOT_FOUND)
            self._die_sets.load(name).kind(label[0]).title_of(label[1])
            example = replace(die.example, label=label, weight=1.0)
            looked_at = replace(die, example=example, by=LOOKED_AT, looked_at=True)
            self._keep(name, replace(before, learned=before.learned.with_die(looked_at)))

    def rename(self, name: str, face: KindFace, other: KindFace) -> None:
        """Let the dice of `other` show `face`, after the two were made one."""
        with self._lock:
            before = self.lesson(name)
            if any(die.label == other for die in before.learned.dice):
                self._keep(name, replace(before, learned=before.learned.renamed(face, other)))

    def relearn(self, name: str, dice: Sequence[LearnedDie]) -> None:
        """Replace what was learned with another reader by these dice, which were described again."""
        with self._lock:
            before = self.lesson(name)
            learned = LearnedDice(asked=before.learned.asked)
            for die in (*LearnedDice(tuple(dice)).of_set(self._die_sets.load(name)).dice, *before.learned.dice):
                learned = learned.with_die(die)
            found = _reader_changed(before.outdated, len(dice))
            self._keep(name, replace(before, learned=learned, found=found, outdated=0))

    def reset(self, name: str) -> None:
        """Forget all that was learned of a die set in play. Raises SaveFailed: nothing is forgotten then."""
        with self._lock:
            self._store.delete(name)
            self._lessons = {**self._lessons, name: PlayLesson(resets=self.lesson(name).resets + 1)}

    def save(self) -> None:
        """Try once more to keep what could not be kept."""
        with self._lock:
            for name, lesson in self._lessons.items():
                if lesson.is_behind:
                    self._lessons = {**self._lessons, name: self._saved(name, lesson, None)}

    def _keep(self, name: str, lesson: PlayLesson, added: Additions | None = None) -> None:
        """Put a lesson on disk and into use; `added` is all that is new in it, None where something is gone."""
        self._lessons = {**self._lessons, name: self._used(name, self._saved(name, lesson, added))}

    def _saved(self, name: str, lesson: PlayLesson, added: Additions | None) -> PlayLesson:
        try:
            if added is None or lesson.is_behind or lesson.lines > MOST_LINES:
                self._store.write(name, lesson.learned)
                lines = 1 + len(lesson.learned.dice)
            else:
                self._store.append(name, *added)
                lines = lesson.lines + sum(map(len, added))
        except SaveFailed as error:
            if not lesson.unsaved:
                log.warning("play evidence: not saved: %s", error)
            sentence = say("{error} It is used until Vander stops.", error=as_sentence(error))
            return replace(lesson, unsaved=sentence, is_behind=True)
        return replace(lesson, unsaved="", is_behind=False, lines=lines)

    def _used(self, name: str, lesson: PlayLesson) -> PlayLesson:
        """Return the lesson with what was learned in use, if dice are read no worse by it than by what was in use.

        Where they are, what is new in it is tried by halves with what was in use, so that no odd die keeps a table from
        learning. A die that was held back is tried again with all the others only.
        """
        taught, before = self._lesson_taught(name), _still_known(lesson)
        examples, borne_out = _not_taught(lesson.learned.examples, taught), lesson.learned.borne_out
        played = TableEvidence(self._plda, examples, self._die_sets.load(name), borne_out=borne_out)

        def is_no_worse(one: TableEvidence, other: TableEvidence | None) -> bool:
            return self._is_no_worse(name, joined(taught, one), joined(taught, other), lesson.learned)

        def grown(
            before: TableEvidence | None, more: Sequence[EvidenceExample], halvings: int = HALVINGS
        ) -> TableEvidence | None:
            whole, half = replace(played, examples=(*_examples(before), *more)), len(more) // 2
            if is_no_worse(whole, before):
                return whole
            if not half or not halvings:
                return before
            return grown(grown(before, more[:half], halvings - 1), more[half:], halvings - 1)

        tried = lesson.held_back | set(map(_named, _examples(before)))
        new = [one for one in examples if _named(one) not in tried]
        found = played if is_no_worse(played, before) else grown(before, new)
        in_use = found if _examples(found) else None
        held_back = frozenset(map(_named, examples)) - frozenset(map(_named, _examples(in_use)))
        return replace(lesson, played=played, in_use=in_use, held_back=held_back)

    def _is_no_worse(
        self, name: str, played: TableEvidence | None, before: TableEvidence | None, learned: LearnedDice
    ) -> bool:
        nothing, own = TableEvidence(self._plda), [one for one in learned.examples if one.is_answer]
        return is_no_worse(played or nothing, before or nothing, own, self._reference, self._die_sets.load(name))

    def _lesson_taught(self, name: str) -> Lesson | None:
        """Return the lesson in use, if it was learned with the reader of now."""
        stored = self._taught.in_use(name)
        return stored.lesson if stored and stored.report.reader == self._store.reader else None

    def _opened(self, name: str) -> PlayLesson:
        """Return what is sound of a die set's file; a damaged file is copied, and written again without the damage."""
        stored, dice = self._store.load(name), self._die_sets.load(name)
        learned = stored.learned.of_set(dice)
        gone = len(stored.learned.dice) - len(learned.dice)
        lesson = PlayLesson(learned, found=_found(stored, gone), outdated=stored.outdated, lines=stored.lines)
        return self._used(name, self._mended(name, lesson, stored) if stored.unreadable or gone else lesson)

    def _mended(self, name: str, lesson: PlayLesson, stored: StoredFeatures) -> PlayLesson:
        try:
            if stored.unreadable:
                self._store.set_aside(name)
        except SaveFailed as error:
            log.warning("play evidence: %s", error)
            return lesson
        return replace(lesson, is_behind=True) if stored.outdated else self._saved(name, lesson, None)


def _examples(evidence: TableEvidence | None) -> tuple[EvidenceExample, ...]:
    return tuple(evidence.examples) if evidence else ()


def _named(example: EvidenceExample) -> tuple[str, KindFace]:
    return example.origin, example.label


def _still_known(lesson: PlayLesson) -> TableEvidence | None:
    """Return what is in use without what was taken back or mended since."""
    if lesson.in_use is None:
        return None
    known = lesson.learned.by_origin
    kept = (one for one in lesson.in_use.examples if one.origin in known and known[one.origin].label == one.label)
    return replace(lesson.in_use, examples=tuple(kept))


def _not_taught(examples: Sequence[EvidenceExample], taught: Lesson | None) -> tuple[EvidenceExample, ...]:
    """Return the examples without dice whose kept pictures were taught as well: none counts twice."""
    if taught is None or not examples:
        return tuple(examples)
    places = np.concatenate(taught.embeddings)
    nearest = (np.abs(places - one.features.embedding).max(axis=1).min() for one in examples)
    return tuple(one for one, distance in zip(examples, nearest, strict=True) if distance > SAME_PLACE)


def _after(die: LearnedDie, before: KindFace | None) -> LearnedDie:
    """Return a die of which people had said before, and taken back, that it shows another face."""
    return die if before in (None, die.label) else replace(die, before=before)


def _found(stored: StoredFeatures, gone: int) -> str:
    if stored.unreadable:
        count = len(stored.learned.dice)
        if not count:
            return say("What was learned in play is damaged; it starts again.")
        return say_count(
            "What was learned in play is damaged; {count} die of it could be read.",
            "What was learned in play is damaged; {count} dice of it could be read.",
            count,
        )
    return _faces_gone(gone) if gone else ""


def _faces_gone(count: int) -> str:
    return say_count(
        "One die was forgotten that showed a face which these dice no longer have.",
        "{count} dice were forgotten that showed a face which these dice no longer have.",
        count,
    )


def _reader_changed(outdated: int, relearned: int) -> str:
    if not outdated:
        return ""
    if not relearned:
        return say("Vander reads dice in a new way since its update: what was learned in play starts again.")
    return say_count(
        "Vander reads dice in a new way since its update: {count} die was learned again from its picture.",
        "Vander reads dice in a new way since its update: {count} dice were learned again from their pictures.",
        relearned,
    )
