"""The learning service: die sets are made, captured, labelled and learned."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock

from models.dataset import DatasetError, SaveFailed
from models.die_sets import DieSetCatalog, build_die_set
from referee.dice import DieSet, FaceName, KindName
from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say
from vander.learning import page_views
from vander.learning.die_set_lessons import DieSetLessons, LearningStores, LessonTrainer, refusing
from vander.learning.guided_capture import GuidedCapture, TrayLoan
from vander.learning.lesson_store import TaughtReader
from vander.learning.page_views import play_board
from vision.classification import Reader
from vision.fewshot import PldaModel
from vision.frame_reader import ImageSource
from vision.image_io import encode_jpeg
from vision.observations import Observation
from vision.table_evidence import TableEvidence
from web.schemas import learning_schemas as shapes

GAME_IS_ON = say("A game is running. Let its players lend the tray first.")
"""Why a guided capture does not begin that a game would have to wait for."""


@dataclass(frozen=True)
class LearningHooks:
    """What connects learning with play; by default nobody plays.

    `capturing` is called, outside all locks, when a guided capture starts (True; it may be Refused) and when it ends.
    `in_play` returns the name of the dice of the game that is going on, or ''. `recorder_trouble` says why pictures of
    play cannot be saved, or ''; `prune` is called when there may be less room for them. `picture` returns a JPEG of a
    die that was learned from lately, by its origin, or None.
    """

    capturing: Callable[[bool], None] = lambda _on: None
    in_play: Callable[[], str] = lambda: ""
    recorder_trouble: Callable[[], str] = lambda: ""
    prune: Callable[[], None] = lambda: None
    picture: Callable[[str], bytes | None] = lambda _origin: None


class LearningService:
    """Any thread may call any method. What cannot be done is Refused.

    Two locks: changes are made one at a time, a lesson included; the guided capture has a lock of its own, so that the
    camera loop waits for no lesson. Whoever holds both took the changes' lock first.
    """

    def __init__(
        self,
        stores: LearningStores,
        reader: Reader,
        plda: PldaModel,
        hooks: LearningHooks | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stores, self._reader, self._hooks = stores, reader, hooks or LearningHooks()
        self._lessons = DieSetLessons(stores, LessonTrainer(stores.samples, reader, plda))
        self._change_lock, self._capture_lock = RLock(), RLock()
        self._capture: GuidedCapture | None = None
        self._loan = TrayLoan(clock)
        self._lessons.relearn_outdated()

    # For the camera loop

    @property
    def showing(self) -> DieSet | None:
        """The dice of the guided capture, or None while the tray is for playing."""
        capture = self._capture
        return capture.dice if capture else None

    def observe(self, observation: Observation, images: ImageSource) -> None:
        """Hand an observation to the guided capture, if one is going on. Raises SaveFailed."""
        with self._capture_lock:
            if self._capture:
                before = self._capture.taken
                self._capture.observe(observation, images)
                if self._capture.taken != before:
                    self._loan.use()

    def report_trouble(self, sentence: str) -> None:
        """Show what is wrong with the camera while a guided capture is going on."""
        with self._capture_lock:
            if self._capture:
                self._capture.report_trouble(sentence)

    def end_unused_capture(self) -> None:
        """End a guided capture whose page was left, or in which no picture has been taken for minutes."""
        with self._capture_lock:
            is_unused = self._capture is not None and self._loan.is_over
        if is_unused:
            self.stop_capture()

    def press_shutter(self) -> None:
        """Take a picture if a guided capture is going on; what prevents it is shown on the page."""
        with self._capture_lock:
            if self._capture is None:
                return
            self._loan.use()
            try:
                self._capture.shutter()
            except (Refused, DatasetError, SaveFailed) as error:
                self._capture.report_trouble(as_sentence(error))

    def reader(self) -> TaughtReader:
        """Return the reader for the tray: with the lesson in use, and without rejecting any die that is captured."""
        return TaughtReader(
            self._reader if self.showing is None else self._reader.without_rejection(),
            self._stores.lessons,
            self._played,
        )

    def reader_version(self, name: str) -> str:
        """Return the version of the reader that reads a die set, followed by the lesson that it uses, if any."""
        return self._lessons.reader_version(name)

    def _played(self, name: str) -> TableEvidence | None:
        """Return the evidence that was learned of a die set in play; None while that is switched off."""
        return self._stores.played.lesson(name).in_use if self._stores.preferences.learns(name) else None

    # Die sets

    def overview(self) -> shapes.LearningOverview:
        """Return the die sets, the capture that is going on, and the preferences."""
        with refusing():
            store, die_sets = self._stores.samples, self._stores.die_sets
            samples = store.samples()
            return shapes.LearningOverview(
                dice=tuple(self._lessons.describe_die_set(die_sets.load(name), samples) for name in die_sets.names()),
                sitting=self._capture_status(),
                choices=self._stores.preferences.current,
                queued=sum(sample.label is None for sample in samples),
                used_mb=round(store.bytes_used_by("play") / 1e6, 1),
                trouble=" ".join(filter(None, (self._hooks.recorder_trouble(), *store.problems))),
            )

    def die_set(self, name: str) -> shapes.DieSetSummary:
        with refusing():
            return self._lessons.describe_die_set(self._stores.die_sets.load(name), self._stores.samples.samples())

    def make_die_set(self, title: str, kinds: Sequence[shapes.NewKind]) -> shapes.DieSetSummary:
        """Make a die set for dice that the models do not know."""
        with self._changing():
            name = self._stores.die_sets.free_name(title)
            dice = build_die_set(name, title, [(kind.title, kind.count, kind.faces) for kind in kinds])
            self._stores.die_sets.save(dice)
            return self._lessons.describe_die_set(dice, ())

    def delete_die_set(self, name: str) -> None:
        """Delete a die set that was made here, with its samples and lessons."""
        with self._changing():
            if self.showing and self.showing.name == name:
                raise Refused(say("These dice are being shown just now; end that first."), Reason.CONFLICT)
            _refuse_if_in_play(self._hooks, name)
            if name in self._stores.die_sets.own:  # the set goes last, so that no new one inherits its samples
                self._stores.samples.delete_die_set(name)
                self._stores.lessons.delete(name)
                self._stores.played.reset(name)
            self._stores.die_sets.delete(name)

    def merge_faces(self, name: str, kind: str, face: str, other: str) -> shapes.DieSetSummary:
        """Make one face of two: the samples of `other` become those of `face`.

        A set that was made here loses the other face; a game's set keeps it.
        """
        with self._changing():
            dice = self._stores.die_sets.load(name)
            for one in (face, other):
                dice.kind(KindName(kind)).title_of(FaceName(one))
            if face == other:
                raise Refused(say("That is one face already."))
            _refuse_if_in_play(self._hooks, name)
            self._stores.samples.rename_face(name, kind, other, face)
            kind_name = KindName(kind)
            self._stores.played.rename(name, (kind_name, FaceName(face)), (kind_name, FaceName(other)))
            if name in self._stores.die_sets.own:
                dice = page_views.with_faces_merged(dice, KindName(kind), FaceName(face), FaceName(other))
                self._stores.die_sets.save(dice)
            with self._capture_lock:
                if self._capture and self._capture.dice.name == name:
                    self._capture = self._new_capture(dice)
            return self._lessons.describe_die_set(dice, self._stores.samples.samples())

    # Guided capture

    @property
    def halts_game(self) -> bool:
        """True if a game is on that would wait for a guided capture which starts now."""
        return self._capture is None and bool(self._hooks.in_play())

    def start_capture(self, name: str, kind: str = "", face: str = "", *, lend: bool = False) -> shapes.CaptureStatus:
        """Start a guided capture, or go on to another face; '' for the first that has too few pictures.

        `lend`: people agreed that a game which is on waits for it. Raises Refused where they were not asked, and while
        a throw waits for an answer.
        """
        if self.halts_game and not lend:
            raise Refused(GAME_IS_ON, Reason.CONFLICT)
        with refusing(), self._capture_lock:
            dice = self._stores.die_sets.load(name)
            starts = self._capture is None
            self._loan.use()
            if self._capture is None or self._capture.dice.name != name:
                self._capture = self._new_capture(dice)
            if kind or face:
                self._capture.go_to(KindName(kind), FaceName(face))
            status = self._capture.status()
        if starts:
            self._borrow_tray()
        return status

    def _borrow_tray(self) -> None:
        """Pause play for the capture; drop the capture and raise Refused if play cannot pause."""
        try:
            self._hooks.capturing(True)
        except Refused:
            with self._capture_lock:
                self._capture = None
            raise

    def capture_status(self) -> shapes.CaptureStatus | None:
        """Return the capture that is going on, or None. Who asks looks at it, which keeps it going."""
        self._loan.look()
        return self._capture_status()

    def _capture_status(self) -> shapes.CaptureStatus | None:
        with refusing(), self._capture_lock:
            return self._capture.status() if self._capture else None

    def shutter(self) -> shapes.CaptureStatus:
        """Take a picture now."""
        with refusing(), self._capture_lock:
            capture = self._capture_going_on()
            self._loan.use()
            capture.shutter()
            return capture.status()

    def set_automatic(self, on: bool) -> shapes.CaptureStatus:
        """Choose whether pictures are taken without a tap when the tray is at rest."""
        with refusing(), self._capture_lock:
            capture = self._capture_going_on()
            self._loan.use()
            capture.automatic = on
            return capture.status()

    def stop_capture(self) -> None:
        """End the guided capture; the table is played on again."""
        with self._capture_lock:
            ended, self._capture = self._capture, None
        if ended:
            self._hooks.capturing(False)

    # Samples

    def labelled_samples(self, name: str, kind: str = "", face: str = "") -> Sequence[shapes.CapturedDie]:
        """Return the labelled samples of a die set, of one kind or face where given, newest first."""
        with refusing():
            dice = self._stores.die_sets.load(name)
            found = [sample for sample in self._stores.samples.samples(name) if sample.label]
            wanted = [s for s in found if s.label and kind in ("", s.label.kind) and face in ("", s.label.face)]
            return [page_views.sample_view(dice, sample) for sample in reversed(wanted)]

    def waiting_samples(self, most: int = 60) -> Sequence[shapes.CapturedDie]:
        """Return the samples that wait for a label, most doubtful first."""
        with refusing():
            die_sets = self._stores.die_sets
            waiting = [sample for sample in self._stores.samples.samples() if sample.label is None]
            waiting.sort(key=page_views.doubt, reverse=True)
            return [page_views.sample_view(_find_die_set(die_sets, one.die_set), one) for one in waiting[:most]]

    def label_samples(self, pictures: Sequence[str], kind: str, face: str) -> None:
        """Label waiting samples, or move labelled ones to this face."""
        with self._changing():
            samples = [self._stores.samples.sample(name) for name in pictures]
            for name in {sample.die_set for sample in samples}:
                self._stores.die_sets.load(name).kind(KindName(kind)).title_of(FaceName(face))
            by = "moved on the page" if all(sample.label for sample in samples) else "labelled from the queue"
            self._stores.samples.label(pictures, kind, face, by)

    def delete_samples(self, pictures: Sequence[str]) -> None:
        with self._changing():
            self._stores.samples.delete(pictures)
            with self._capture_lock:
                if self._capture:
                    self._capture.forget(pictures)

    def sample_jpeg(self, picture: str) -> bytes:
        with refusing():
            return encode_jpeg(self._stores.samples.pixels(picture))

    # What was learned in play

    def play_board(self, name: str) -> shapes.PlayBoard:
        with refusing():
            dice, on = self._stores.die_sets.load(name), self._stores.preferences.learns(name)
            return play_board(dice, self._stores.played, self._hooks.picture, on=on)

    def set_learning(self, name: str, on: bool) -> shapes.PlayBoard:
        """Choose whether a die set is learned from in play, and read by what was learned so."""
        with self._changing():
            self._stores.die_sets.load(name)
            self._stores.preferences.set_learning(name, on)
            return self.play_board(name)

    def forget_played(self, name: str) -> shapes.PlayBoard:
        with self._changing():
            self._stores.die_sets.load(name)
            self._stores.played.reset(name)
            return self.play_board(name)

    def label_played(self, name: str, die: str, kind: str, face: str) -> shapes.PlayBoard:
        """Mend what a die of play is believed to show, or keep it by the same face."""
        with self._changing():
            self._stores.played.label(name, die, (KindName(kind), FaceName(face)))
            return self.play_board(name)

    def played_jpeg(self, name: str, die: str) -> bytes:
        """Return a picture of a die of play as a JPEG, while it is in memory."""
        found = self._hooks.picture(die)
        if found is None or die not in self._stores.played.lesson(name).learned.by_origin:
            raise Refused(say("That picture is no longer there."), Reason.NOT_FOUND)
        return found

    # Lessons, preferences and accuracy

    def teach(self, name: str) -> shapes.LessonSummary:
        """Learn from the samples of a die set; the new lesson is in use at once."""
        with self._changing():
            self._lessons.learn(name)
            return self._lessons.describe(name)

    def lesson(self, name: str) -> shapes.LessonSummary:
        with refusing():
            return self._lessons.describe(name)

    def use_lesson(self, name: str, version: int) -> shapes.LessonSummary:
        """Use an earlier lesson again; 0 for none, the reader as it was delivered."""
        with self._changing():
            self._lessons.use(name, version)
            return self._lessons.describe(name)

    def accuracy(self) -> shapes.TableAccuracy:
        """Return how well this table reads its dice."""
        return self._stores.accuracy.summarize()

    def choose(self, choices: shapes.Choices) -> shapes.Choices:
        """Save what the table has chosen."""
        with refusing():
            chosen = self._stores.preferences.save(choices)
        self._hooks.prune()
        return chosen

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with refusing(), self._change_lock:
            yield

    def _new_capture(self, dice: DieSet) -> GuidedCapture:
        version = self._lessons.reader_version(dice.name)
        return GuidedCapture(
            dice, self._stores.samples, version, lambda cuts, face: self._lessons.other_face(dice.name, cuts, face)
        )

    def _capture_going_on(self) -> GuidedCapture:
        if self._capture is None:
            raise Refused(say("No dice are being shown; begin that first."), Reason.CONFLICT)
        return self._capture


def _refuse_if_in_play(hooks: LearningHooks, name: str) -> None:
    if hooks.in_play() == name:
        raise Refused(say("A game with these dice is going on; end it first."), Reason.CONFLICT)


def _find_die_set(die_sets: DieSetCatalog, name: str) -> DieSet | None:
    return die_sets.load(name) if name in die_sets.names() else None
