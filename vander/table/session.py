"""The session: the one object that holds the state of the table behind its lock, and how it is opened."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Condition, Lock

from hardware.cameras.base import CameraReport
from models import die_sets
from models.die_sets import DieSetSource
from referee.chances import Chance, has_odds
from referee.dice import DieSet
from referee.fair_play import GameReport, fair_play
from referee.game import Game
from referee.journal import NOBODY, Actor, OpenGame, SeatRules, Source
from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say
from referee.snapshot import QuestionPictures, Snapshot
from referee.spoken_parts import CallerMemory
from vander.storage.data_folder import BrokenJournal, Unwritten
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table import camera_events, challenges, correction, journal_writer, pictures, taps
from vander.table.answers import asks_anew, find_question_pictures, on_answer
from vander.table.challenges import Challenge, on_challenge
from vander.table.held_throws import hold, is_news, must_wait, next_held, open_question, with_asked, without_moves
from vander.table.odds import BackgroundOdds
from vander.table.session_state import HealthAlert, HeldObservation, SessionConfig, SessionState, Step
from vander.table.snapshot_builder import draw, shown_check, snapshot
from vander.table.undo import on_manual, on_undo, on_void
from vision.frame_reader import ImageSource
from vision.observations import Observation
from vision.tray_calibration import TrayLayout
from web.schemas.learning_schemas import ThrowCheck

# What a session is made of


@dataclass(frozen=True)
class SessionParts:
    """What a session works with: what is on disk, the pictures, those who learn, what can be set up, and the odds."""

    record: journal_writer.GameRecord
    images: pictures.TableImages
    labels: pictures.LabelSink
    games: tuple[Game, ...]
    known: DieSetSource
    retry: journal_writer.WriteRetry
    odds: BackgroundOdds
    faces: pictures.FacePictures = field(default_factory=pictures.FacePictures)
    films: pictures.FilmSink = field(default_factory=pictures.NoFilms)
    open_scores: journal_writer.OpenScores = field(default_factory=journal_writer.OpenScores)


# The session
#
# The camera loop calls `observe`; the pages ask and tap from any thread. One writer at a time decides, encodes pictures
# and writes entries, while everybody else can still read: the lock itself is held for a moment only. An entry is on
# disk before anything of it is shown.

log = logging.getLogger(__name__)
PATIENCE_S = 2.0
"""How long a tap waits for the dice to lie still and the hands to leave."""
MOST_REPORTED = 10
"""How many games have a fair-play report on the page."""
CANNOT_GO_ON = say("This game does not fit the rules of today, so it cannot go on.")
ON_TABLE = say("That game is on the table: start another one to end it.")


class Session:
    """The running session: it commits what pure functions decide, and shows it."""

    def __init__(self, state: SessionState, parts: SessionParts) -> None:
        self._parts = parts
        lock = Lock()
        self._changed = Condition(lock)  # another snapshot is shown
        self._lock = journal_writer.WriteLock(lock)
        self._state, self._drawing = state, draw(state)
        self._seat_rules: Callable[[], SeatRules] = SeatRules
        self._snapshot = snapshot(state, time.time_ns() // 1_000_000, self._drawing)
        self._spoken = CallerMemory.begin(self._snapshot)

    def close(self) -> None:
        """Stop what runs in the background."""
        self._parts.odds.close()

    # What anybody may ask

    @property
    def state(self) -> SessionState:
        """Return the session as it is now: a value that nothing changes any more."""
        return self._state

    @property
    def dice(self) -> DieSet:
        """Return the dice that should lie on the table: the game's, or those that lie ready."""
        return self._state.dice

    @property
    def in_play(self) -> str:
        """Return the name of the dice of a game that is going on, '' without one."""
        return self._state.dice.name if self._state.is_on else ""

    @property
    def occasion(self) -> object:
        """Return what dice and throws are counted for: these dice, since they were last counted from one."""
        return self._state.dice, self._state.recounts

    def snapshot(self) -> Snapshot:
        """Return what is shown now."""
        return self._snapshot

    def wait(self, number: int, timeout: float) -> Snapshot:
        """Return the first snapshot whose number is not `number`, or the present one after `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.number != number, timeout)
            return self._snapshot

    def games(self) -> Sequence[Game]:
        """Return the games that can be set up."""
        return self._parts.games

    def die_sets(self) -> Sequence[DieSet]:
        """Return the dice that a game which takes any may be played with, those that lie ready first."""
        known, ready = self._parts.known, self._state.config.dice.name
        return sorted(map(known.load, known.names()), key=lambda dice: (dice.name != ready, dice.title))

    def odds(self) -> Sequence[Chance]:
        """Return what chance gives for where the game stands. Raises Refused, with a wait while it is computed."""
        now = taps.playing(self._state).with_hands(self._state.unresolved.pending)
        return self._parts.odds.find(now.state) if has_odds(now.game) else ()

    def fair_play(self) -> Sequence[GameReport]:
        """Return the fair-play reports of the last games in the journal, the newest first."""
        titles = {game.name: game.title for game in self._parts.games}
        return tuple(
            GameReport(kept.number, titles.get(kept.game, kept.game), kept.players, kept.started_at, fair_play(entries))
            for kept, entries in self._parts.record.last_games(MOST_REPORTED)
        )

    def picture(self, name: str, *, uncut: bool = False) -> bytes:
        """Return a JPEG: a die's crop, or a kept piece of evidence. Raises Refused."""
        return self._parts.images.find(name, uncut=uncut)

    def question_pictures(self, question: int) -> QuestionPictures:
        """Return what can be shown of what an open question is about. Raises Refused."""
        film = self._parts.films.asked(question)
        found = find_question_pictures(self._state, question, has_film=bool(film))
        if found is None:
            raise Refused(say("That question is no longer open."), Reason.NOT_FOUND)
        return found

    def question_film(self, question: int) -> bytes:
        """Return the film of what an open question is about. Raises Refused."""
        film = self._parts.films.asked(question)
        if not film:
            raise Refused(say("There is no film of that."), Reason.NOT_FOUND)
        return film

    def face_picture(self, die_set: str, kind: str, face: str) -> bytes | None:
        """Return a JPEG of a die that people said shows a face, since the program was started; None without one."""
        return self._parts.faces.find(die_set, kind, face)

    def tray_picture(self) -> bytes:
        """Return a JPEG of the tray as it is now. Raises Refused."""
        return self._parts.images.tray()

    def camera_picture(self) -> bytes:
        """Return a JPEG of all that the camera sees now. Raises Refused."""
        return self._parts.images.frame()

    def check(self) -> ThrowCheck | None:
        """Return the throw that people are asked about now, or None."""
        return shown_check(self._state)

    # What the camera loop and the box report

    def observe(self, observation: Observation, images: ImageSource | None = None, occasion: object = None) -> None:
        """Handle an observation, unless it is for another occasion than there is now.

        What the journal cannot take, and what lies there while a question is open, is held and ruled on in order later.
        """
        with self._lock.hold():
            if occasion is not None and occasion != self.occasion:
                return
            self._catch_up_if_due()
            if must_wait(self._state, observation):
                self._wait(observation, images)
                return
            if images is not None:
                self._parts.images.take_frames(images)
            try:
                is_pictured = images is not None
                self._commit(
                    lambda state: camera_events.on_observation(
                        without_moves(state, observation), observation, is_pictured
                    ),
                    images,
                )
            except Unwritten as error:
                self._report_unwritten(error)
                self._hold(observation, images)

    def report_camera(self, report: CameraReport) -> None:
        """Take in what is known of the camera."""
        with self._lock.hold():
            self._catch_up_if_due()
            self._commit(lambda state: camera_events.on_camera_report(state, report))

    def report_health(self, alerts: Sequence[HealthAlert]) -> None:
        """Take in what is not well with the box just now, in place of what was reported before."""
        with self._lock.hold():
            self._catch_up_if_due()
            self._show(replace(self._state, health=replace(self._state.health, alerts=tuple(alerts))))

    def show_frames(self, images: ImageSource) -> None:
        """Take over the frames alone, for those who look at them, while the tray is lent."""
        with self._lock.hold():
            self._parts.images.take_frames(images)

    def lend_tray(self, capturing: bool) -> None:
        """Lend the tray for showing dice, or take it back."""
        with self._lock.hold():
            self._catch_up_if_due()
            self._commit(lambda state: camera_events.on_capturing(state, capturing))

    def use_tray(self, layout: TrayLayout) -> None:
        """Go on with a tray of another layout, as after a pause. Raises Refused while a question is open."""
        with self._lock.hold():
            self._catch_up_if_due()
            self._commit(lambda state: camera_events.on_other_tray(state, layout))

    def use_camera(self, camera: str, layout: TrayLayout) -> None:
        """Go on with the camera of that name, as after a pause. Raises Refused while a question is open."""
        with self._lock.hold():
            self._catch_up_if_due()
            self._commit(lambda state: camera_events.on_other_camera(state, camera, layout))

    # What people decide: Refused where the rules, the state or a full disk forbid it, or the page's `step` is old

    def start(  # noqa: PLR0913  # what is chosen on the set-up sheet
        self,
        game: str,
        players: Sequence[str],
        options: Mapping[str, str],
        die_set: str = "",
        *,
        step: str = "",
        starter: int = 0,
        leave_open: bool = False,
    ) -> None:
        """Begin a game; the one on the table ends, or is left open. `die_set` chooses the dice of one that takes any.

        `starter` is the seat that begins by agreement, 0 where the game's own rules decide.
        """
        request = taps.SetupRequest(game, tuple(players), options, die_set, step, starter, leave_open)
        record = self._parts.record
        with self._request():
            setup = taps.check_setup(self._state, request, self._parts.games, self._parts.known)
            journal_writer.check_room(record.open_games(), leave_open=leave_open or not self._state.is_on)
            match = record.begin(setup, clock_doubted=self._state.health.has("clock"), leave_open=leave_open)
            self._commit(lambda state: taps.on_start(state, match, setup.starter))

    def play_again(self, *, step: str = "") -> None:
        """Begin the game that is over once more, with those who were there to its end. Raises Refused."""
        match = self._state.match
        if match is None or self._state.is_on:
            raise Refused(say("Only a game that is over can be played again."), Reason.CONFLICT)
        kept, gone = match.kept, match.state.gone
        players = [name for seat, name in enumerate(kept.players, 1) if seat not in gone]
        self.start(kept.game, players, kept.options, kept.die_set, step=step)

    def play_on(self, number: int, *, step: str = "") -> None:
        """Go back to the open game of that number; the one on the table stays open. Raises Refused."""
        parts = self._parts
        with self._request():
            kept = journal_writer.find_kept(parts.record.open_games(), number)
            if self._state.match is not None and self._state.is_on:
                taps.check_step_of_game(self._state.match, step)
            if self._state.match is None or self._state.match.kept.number != number:
                match = journal_writer.find_match(parts.record, kept, parts.games, parts.known)
                if match is None:
                    raise Refused(CANNOT_GO_ON, Reason.CONFLICT)
                parts.record.put_on_table(match)
                self._commit(lambda state: journal_writer.on_play_on(state, match))

    def end_open(self, number: int) -> None:
        """End an open game that is not on the table, as it stands. Raises Refused."""
        record = self._parts.record
        with self._request():
            kept = journal_writer.find_kept(record.open_games(), number)
            if self._state.is_on and self._state.match is not None and self._state.match.kept.number == number:
                raise Refused(ON_TABLE, Reason.CONFLICT)
            record.end(kept)

    def open_games(self) -> Sequence[OpenGame]:
        """Return the games that stand open, the one that was on the table last first."""
        parts = self._parts
        return journal_writer.list_open(parts.record, parts.games, parts.known, self._state.match, parts.open_scores)

    def act(self, text: str, source: Source = Source.TABLET, step: str = "", *, by: Actor = NOBODY) -> None:
        """Do a tapped action. One that another player may interrupt waits a moment first, while others may act."""
        action = taps.parse_action(text)
        with self._request():
            taps.check_tap(self._state, action, step)
            taps.check_own_seat(self._state, action, self._seat_rules(), by)
            self._lock.release_until(lambda: self._state.is_settled, PATIENCE_S)
            self._catch_up()
            before = self._state
            waited = self._commit(lambda state: taps.on_tap(state, action, source, by)).waiting
            if waited is None or waited is before.waiting:
                return
            try:
                self._lock.release_until(lambda: taps.is_wait_over(self._state, waited), self._state.config.pause_s)
                self._commit(lambda state: taps.on_waited(state, waited, source, before.match, by))
            finally:
                if self._state.waiting is waited:
                    self._show(replace(self._state, waiting=None))

    def by_hand(self, text: str, step: str = "", *, by: Actor = NOBODY) -> None:
        """Take in what was thrown where the camera does not see it: an action that throws, with all its faces."""
        action = taps.parse_action(text)
        with self._request():
            self._commit(lambda state: on_manual(state, action, step, by))

    def answer(  # noqa: PLR0913  # what was asked, and who answers what
        self,
        question: int,
        choice: str,
        source: Source = Source.TABLET,
        *,
        die: int = 0,
        by: Actor = NOBODY,
        confirmed: bool = False,
    ) -> None:
        """Answer a question that is open, for one `die` alone where it is about several and one is named.

        To go on as the dice lie is asked a second time, unless the answer is `confirmed`.
        """
        with self._request():
            self._change(
                by,
                lambda state: challenges.answer_sentence(state, question, choice, confirmed=confirmed),
                lambda state: on_answer(state, question, choice, source, die, by, confirmed=confirmed),
            )

    def correct(self, die: int, face: str, step: str = "", *, kind: str = "", by: Actor = NOBODY) -> None:
        """Say what a die really shows, whether it was ruled on already or not, and of which `kind` it is, if wrong."""

        def sentence(state: SessionState) -> str:
            return challenges.correction_sentence(state, die, face)

        with self._request():
            if kind:
                self._change(
                    by, sentence, lambda state: correction.on_kind_correction(state, die, kind, face, step, by)
                )
            else:
                self._change(by, sentence, lambda state: correction.on_correction(state, die, face, step, by))

    def challenge(self, challenge: Challenge, by: Actor = NOBODY) -> None:
        """Take what people decided on a challenge of a past throw. Raises Refused."""
        with self._request():
            self._change(
                by,
                lambda state: challenges.challenge_sentence(state, challenge),
                lambda state: on_challenge(state, challenge, by),
            )

    def checked(self, number: int, wrong: Mapping[int, str], *, by: Actor = NOBODY) -> None:
        """Say of the throw that is asked about that only these dice were read wrong. This counts even if Refused."""
        with self._request():
            answer = correction.read_check_answer(self._state, number, wrong)
            self._parts.labels.answer_check(number, answer.misread, correction.checked_throw(self._state, answer))
            self._change(
                by,
                lambda state: challenges.check_sentence(state, answer.corrected),
                lambda state: correction.on_check_answer(state, answer, by),
            )

    def undo(self, step: str = "", *, by: Actor = NOBODY) -> None:
        """Take back the last standing entry, or the action that waits; the table is then taken as it lies."""
        with self._request():
            self._change(by, challenges.undo_sentence, lambda state: on_undo(state, step, by))

    def void(self, step: str = "", *, by: Actor = NOBODY) -> None:
        """Take out the last throw, which does not count; the table is then taken as it lies."""
        with self._request():
            sentence = challenges.void_sentence(self._state.match)
            self._change(by, lambda _: sentence, lambda state: on_void(state, step, by))

    def confirm(self, number: int, *, agrees: bool, by: Actor = NOBODY, may_override: bool = False) -> None:
        """Confirm or decline the change that waits for another seat; a keeper or the box may do so for anybody."""
        with self._request():
            self._commit(
                lambda state: challenges.on_confirmation(state, number, agrees=agrees, by=by, may_override=may_override)
            )

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Hold the write lock: no game starts, resumes or changes. The holder must not call the session."""
        with self._lock.hold():
            yield

    def follow_seat_rules(self, rules: Callable[[], SeatRules]) -> None:
        """Ask `rules`, from any thread, what the table wants of phones that are bound to a seat."""
        self._seat_rules = rules

    def _change(
        self, by: Actor, sentence: Callable[[SessionState], str], decide: Callable[[SessionState], Step]
    ) -> None:
        """Do what changes the score, or let it wait for another seat."""
        rules = self._seat_rules()
        self._commit(lambda state: challenges.on_change(state, rules, by, sentence(state), decide))

    # While the journal cannot be written, or a question is open

    def _wait(self, observation: Observation, images: ImageSource | None) -> None:
        """Hold an observation; while a question is open, its picture stays the one that is kept as evidence."""
        if images is not None and open_question(self._state):
            self._parts.images.take_current(images)
        elif images is not None:
            self._parts.images.take_frames(images)
        self._hold(observation, images)

    def _hold(self, observation: Observation, images: ImageSource | None) -> None:
        """Show what goes on in the tray, and hold what lies there until the journal can be written."""
        state = camera_events.with_activity(self._state, observation)
        if is_news(state, observation):
            held = None if images is None else pictures.HeldImages.of(observation, images)
            state = hold(state, HeldObservation(observation, held))
        self._show(state)

    def _catch_up(self) -> None:
        """Rule on what is held, in order, as far as nobody is asked about it. Raises Unwritten."""
        is_unwritten = bool(self._state.health.unsaved)
        if is_unwritten:
            self._parts.record.try_out(self._state.match)
        while (held := next_held(self._state)) is not None:
            if held.images is not None:
                self._parts.images.take_frames(held.images)
            self._commit(camera_events.on_next_held, held.images)
        if is_unwritten:
            self._report_written()

    def _catch_up_if_due(self) -> None:
        """Rule on what is held, unless that failed a moment ago."""
        if self._parts.retry.is_due:
            try:
                self._catch_up()
            except Unwritten as error:
                self._report_unwritten(error)

    def _find_whether_unwritten(self) -> None:
        """After a failed write for a person: find out whether the journal can be written, and show it."""
        try:
            self._parts.record.try_out(self._state.match)
        except Unwritten as error:
            self._report_unwritten(error)
        else:
            self._show(self._state)

    def _report_unwritten(self, error: Unwritten) -> None:
        if not self._state.health.unsaved:
            log.warning("session: journal not written: %s", error)
        self._parts.retry.failed()
        self._show(replace(self._state, health=replace(self._state.health, unsaved=as_sentence(error))))

    def _report_written(self) -> None:
        log.warning("session: journal written again")
        self._parts.retry.succeeded()
        self._show(replace(self._state, health=replace(self._state.health, unsaved="")))

    # How the state changes

    @contextmanager
    def _request(self) -> Iterator[None]:
        """Hold the write lock for a person, after what is held: what cannot be put on disk, or read, is Refused."""
        with self._lock.hold():
            try:
                self._catch_up()
                yield
            except (BrokenJournal, Unwritten) as error:
                self._find_whether_unwritten()
                raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
            self._catch_up_if_due()

    def _commit(self, decide: Callable[[SessionState], Step], images: ImageSource | None = None) -> SessionState:
        """Decide, put what came of it on disk, then show it. Raises Refused and Unwritten."""
        before, parts = self._state, self._parts
        step = _with_notes(decide(before.with_image(parts.images.has_evidence)))
        if step.evidence and not parts.images.keep_evidence(step.evidence):
            step = _with_notes(decide(before.with_image(False)))
        if images is not None:
            parts.images.add_crops(step.pictures, images)
            is_new = step.state.table.picture != before.table.picture
            parts.images.add_tray(step.state.table.picture if is_new else "", images, before.table.ruled_picture)
        parts.record.write(before.match, step)
        if asks_anew(before, step.state):
            parts.films.ask({prompt.question.number for prompt in step.state.unresolved.prompts})
        if step.evidence:
            parts.films.keep(pictures.filmed_ruling(before, step, parts.images.crop))
        try:
            for event in step.events:
                parts.faces.take_in(event, step.state, parts.images)
                parts.labels.handle(event, images)
        finally:  # what is on disk has happened, whatever becomes of its labels
            self._show(step.state)
        if step.refused is not None:
            raise step.refused
        return step.state

    def _show(self, state: SessionState) -> None:
        """Let this be the state, and show it if that differs from what is shown."""
        trouble = self._parts.images.trouble or self._parts.films.trouble
        state = state.with_reports(self._parts.labels.open_check, trouble)
        if state is self._state:
            return
        drawing = draw(state, self._drawing)
        last = self._snapshot
        shown = replace(snapshot(state, last.number, drawing), utterances=last.utterances)
        if shown != last:
            shown = replace(shown, number=last.number + 1)
            self._spoken = self._spoken.hear(shown)
            shown = replace(shown, utterances=self._spoken.utterances)
        with self._changed:
            self._state, self._drawing = state, drawing
            if shown.number != last.number:
                self._snapshot = shown
                self._changed.notify_all()


def _with_notes(step: Step) -> Step:
    """Return a step that also keeps what a restart has to know."""
    return camera_events.with_misreadings(with_asked(step))


# Opening one

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
    recorder: pictures.LabelRecorder | None = None,
    checker: pictures.ThrowChecker | None = None,
    listener: pictures.LabelListener | None = None,
    films: pictures.FilmSink | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Session:
    """Return a session in which `games` can be set up, with dice that are `known`; an unfinished game goes on.

    `dice` lie ready while no game is on; an action that another player may interrupt waits `pause_s` before it counts;
    `listener` hears every label event, `films` every ruling that the camera saw; `clock` says when a journal that could
    not be written is tried again. Raises BrokenJournal when the journal contradicts the rules.
    """
    config = SessionConfig(dice, camera, bay, pause_s, run=secrets.token_hex(4), layout=layout or TrayLayout())
    record, images = journal_writer.GameRecord(journal, evidence), pictures.TableImages(evidence)
    labels = pictures.LabelSink(recorder, checker, listener)
    match = record.resume(games, known)
    state = SessionState(config, match, resumed=match is not None, questions=secrets.randbelow(FIRST_QUESTION_BELOW))
    retry, odds = journal_writer.WriteRetry(clock), BackgroundOdds()
    parts = SessionParts(record, images, labels, tuple(games), known, retry, odds, films=films or pictures.NoFilms())
    return Session(state, parts)
