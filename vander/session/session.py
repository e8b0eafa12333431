"""The table: the one object that holds what changes, and the only lock.

The camera loop calls `observe`; tablets ask and tap through `web.services.GameBackend`, from any thread.
An entry is on disk before anything of it is shown.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from operator import is_
from threading import Condition
from typing import TypeVar

from hardware.cameras.base import CameraReport
from models import die_sets
from models.dataset.table_labels import StatedFaces
from models.die_sets import DieSetSource
from referee.board import Board
from referee.dice import Die, DieSet, Seen, SeenDie
from referee.game import Action, BadStart, Game, begin, judge
from referee.games import NoSuchGame
from referee.journal import Contradiction, Deed, Entry, Source
from referee.odds import Chance, odds
from referee.options import BadOption
from referee.refused import Reason, Refused
from referee.snapshot import NoticeMood, Offer, Question, ShownDie, Snapshot, TrayActivity, WaitingAction
from referee.text import as_sentence
from referee.umpire import LOST_DIE_QUESTION, Explanation, describe, differs, explain
from vander.learning.accuracy import SpotChecker
from vander.learning.label_events import LabelEvents, LabelSink
from vander.session import commands, resume, view
from vander.session.correction import mended
from vander.session.health_alert import HealthAlert
from vander.session.images import Album
from vander.session.match import IllegalAction, Match
from vander.session.view import Asked, Way
from vander.storage.journal_store import BrokenJournal, Ending, Evidence, Journal, KeptGame, NoLongerKept, Unwritten
from vision.image_io import encode_jpeg
from vision.image_source import ImageSource
from vision.observations import Observation
from web.schemas.learning_schemas import CheckShown

PATIENCE_S = 2.0
"""How long a tap waits for the dice to lie still and the hands to leave."""
AS_IT_LIES, PUT_BACK, LEFT_LYING = "as-it-lies", "put-back", "left-lying"
"""Answers that are no way: go on from the dice as they lie; they were only put back; some were not thrown."""

T = TypeVar("T")
Choices = tuple[tuple[str, str], ...]
WAS_AWRY = "Before this throw the dice did not lie as they should. What happened?"
GO_ON: Choices = ((AS_IT_LIES, "Nothing of this: go on as the dice lie"),)
PUT_SO = "Put the dice so."
OR_GO_ON = "Put the dice so, or go on as they lie."
OLD = "The table has moved on since this page was drawn: look again, then tap."
SEEN = "The camera sees the tray: throw the dice there, and correct what was read wrong."
QUESTIONS = 100_000_000
"""Questions are counted from a number below this that chance gives, so that no answer meets one of an earlier run."""


class Table:
    """The running table, and the desk of `web.services`.

    `games` can be set up, with dice that are `known`; `dice` lie ready while no game is on. An action that another
    player may interrupt waits `pause_s` before it counts. On a journal with an unfinished game the table goes on there.
    A `keeper` is told what people say of dice, and a `checker` has them asked now and then whether a throw was read
    right.
    Raises BrokenJournal when the journal contradicts the rules.
    """

    def __init__(  # noqa: PLR0913  # one for each thing that an owner chooses
        self,
        journal: Journal,
        evidence: Evidence,
        *,
        games: Sequence[Game],
        dice: DieSet,
        camera: str = "",
        bay: bool = True,
        pause_s: float = 0.0,
        known: DieSetSource = die_sets,
        keeper: LabelSink | None = None,
        checker: SpotChecker | None = None,
    ) -> None:
        self._journal = journal
        self._games = tuple(games)
        self._dice = dice
        self._known = known
        self._pause_s = pause_s
        self._camera = camera
        self._bay = bay
        self._changed = Condition()
        self._match: Match | None = None
        self._ruled: Seen | None = None  # the table as last ruled on; None until it has been looked at
        self._seen: Seen | None = None  # the table as last at rest
        self._observed: Observation | None = None
        self._quiet = False
        self._lent_out = False
        self._counts = 0  # how often the pipeline was asked to count dice and throws from one again
        self._unwatched = False  # dice were given by hand, or moves of hands tapped, since the camera was lost
        self._hands_in = False
        self._said: dict[int, tuple[int, Die]] = {}
        self._cast: dict[int, int] = {}
        self._asked: tuple[Asked, ...] = ()
        self._questions = secrets.randbelow(QUESTIONS)
        self._breach: Entry | None = None
        self._held: WaitingAction | None = None
        self._awry = ""
        self._woke = False
        self._unfinished = ""
        self._pending: tuple[Action, ...] = ()
        self._moved: tuple[Action, ...] = ()  # what was pending before a throw that is not ruled on yet
        self._trouble = ""
        self._worries: tuple[HealthAlert, ...] = ()
        self._unkept = ""  # why what was seen could not be put on disk
        self._album = Album(evidence)
        self._witness = LabelEvents(keeper, checker)
        self._shown: tuple[ShownDie, ...] = ()
        self._offers: tuple[Offer, ...] = ()
        self._turn_points = 0
        self._boards: tuple[Board, ...] = ()
        self._awaited = ""
        self._drawn_from: tuple[object, ...] = ()
        self._run = secrets.token_hex(4)  # numbers of snapshots are compared within a run of the program only
        self._snapshot = Snapshot(time.time_ns() // 1_000_000, camera=camera)
        self._resume()
        with self._changed:
            self._publish()

    # What anybody may look at

    @property
    def dice(self) -> DieSet:
        """The dice that should lie on the table: the game's, or those that lie ready."""
        with self._changed:
            return self._match.start.dice if self._match else self._dice

    @property
    def in_play(self) -> str:
        """The name of the dice of a game that is going on, '' without one."""
        with self._changed:
            return self._match.start.dice.name if self._match and not self._match.over else ""

    @property
    def occasion(self) -> object:
        """What the tray is used for: playing with these dice, since the pipeline last restarted; or it is lent."""
        with self._changed:
            return self.dice, self._counts

    def snapshot(self) -> Snapshot:
        """What a tablet shows now."""
        with self._changed:
            return self._snapshot

    def wait(self, number: int, timeout: float) -> Snapshot:
        """The first snapshot whose number is not `number`, or the present one after `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.number != number, timeout)
            return self._snapshot

    def games(self) -> Sequence[Game]:
        """The games that can be set up."""
        return self._games

    def die_sets(self) -> Sequence[DieSet]:
        """The dice that a game which takes any may be played with, those that lie ready first."""
        known = [self._known.load(name) for name in self._known.names()]
        return sorted(known, key=lambda dice: (dice.name != self._dice.name, dice.title))

    def odds(self) -> Sequence[Chance]:
        """What chance gives for where the game stands, worked out now, while others are heard."""
        with self._changed:
            now = view.supposed(self._playing(), self._pending)
        return odds(now.game, now.state)

    def picture(self, name: str) -> bytes:
        """A JPEG: `view`, a die's crop, or a kept piece of evidence."""
        with self._changed:
            found = self._album.at_hand(name)
        if found is not None:
            return found if isinstance(found, bytes) else encode_jpeg(found)
        try:
            return self._album.kept(name)
        except NoLongerKept:
            raise Refused("That picture is no longer kept: it gave way to newer ones.", Reason.GONE) from None
        except LookupError:
            raise Refused("There is no picture of that name.", Reason.NOT_FOUND) from None

    # What the watching thread says

    def observe(self, observation: Observation, sight: ImageSource | None = None, occasion: object = None) -> None:
        """Take in what the pipeline makes of a frame, unless it was opened for another occasion than there is now.

        Raises Unwritten when the journal cannot take what happened.
        """
        with self._changed:
            if occasion is not None and occasion != self.occasion:
                return
            self._hands_in = observation.hands_in
            self._quiet = observation.at_rest and not observation.hands_in
            if sight is not None:
                self._album.look(sight)
            if self._quiet and self._held is None and not self._unwatched:  # a throw waits until what is held counts
                self._settle(observation, sight)
            self._publish()

    def trouble(self, sentence: str) -> None:
        """Say what is wrong with the camera, or, with '', that all is well."""
        with self._changed:
            if sentence != self._trouble:
                self._trouble = sentence
                self._watch_again()
                self._publish()

    def report_camera(self, report: CameraReport) -> None:
        """Take in what is known of the camera."""
        self.trouble(report.sentence)

    def unkept(self, sentence: str) -> None:
        """Say why what was seen cannot be put on disk, or, with '', that it can."""
        with self._changed:
            self._unkept = sentence
            self._publish()

    def worry(self, worries: Sequence[HealthAlert]) -> None:
        """Say what is not well with the box just now, in place of what was said before."""
        with self._changed:
            self._worries = tuple(worries)
            self._publish()

    def glance(self, sight: ImageSource) -> None:
        """Take in the picture alone, for those who look at it, while the tray is lent."""
        with self._changed:
            self._album.look(sight)

    def lend(self, sentence: str) -> None:
        """The tray is lent to somebody, as the sentence says, or, with '', given back.

        What lies there afterwards is taken as it lies, as after a pause.
        """
        with self._changed:
            self._trouble, self._lent_out = sentence, bool(sentence)
            self._let_go()
            self._look_anew()
            self._asked, self._moved = (), ()
            self._publish()

    # What people say

    def start(
        self, game: str, players: Sequence[str], options: Mapping[str, str], die_set: str = "", *, step: str = ""
    ) -> None:
        """Begin a game; one that was going on ends. `die_set` chooses the dice of a game that takes any.

        With the `step` that the page showed, `0.0` where no game went on, no game ends that is another one.
        """
        with self._hearing():
            if self._match and not self._match.over and commands.is_of_another_game(self._match, step):
                raise Refused(OLD, Reason.CONFLICT)
            chosen = self._game(game)
            self._start(chosen, tuple(players), options, self._wanted_dice(chosen, die_set))

    def act(self, text: str, source: Source = Source.TABLET, step: str = "") -> None:
        """Do a tapped action, counting what hands did in the tray just before; `source` is what it was tapped on.

        One that another player may interrupt waits a moment first, while everybody else is heard. With the `step`
        that the page showed, an action that was offered before other things happened is turned down.
        """
        action = commands.action_in(text)
        with self._hearing():
            self._heed_step(step, action.player)
            self._await_rest()
            if self._held is None:
                self._tap_when_let(action, source)
            elif self._held.action == action:
                return  # tapped twice
            elif self._held.action.player == action.player:
                raise Refused(f"Wait a moment: {self._held.title} does not count yet.", Reason.CONFLICT)
            else:
                self._tap(self._playing(), action, source)

    def by_hand(self, text: str, step: str = "") -> None:
        """Say what was thrown, where the camera does not see it: an action that throws, with all its faces."""
        action = commands.action_in(text)
        with self._hearing():
            self._heed_step(step, action.player)
            if not self._open_by_hand():
                raise Refused(SEEN if self._match and not self._lent_out else self._trouble, Reason.CONFLICT)
            if self._held:
                raise Refused(f"Wait a moment: {self._held.title} does not count yet.", Reason.CONFLICT)
            self._give(self._playing(), action)

    def answer(self, question: int, choice: str, source: Source = Source.TABLET) -> None:
        """Answer a question that is open."""
        with self._hearing():
            asked = next((asked for asked in self._asked if asked.question.number == question), None)
            if asked is None:
                raise Refused("That question is no longer open.", Reason.NOT_FOUND)
            if choice not in (answer for answer, _ in asked.question.choices):
                raise Refused(f"{choice!r} is no answer to that question.")
            self._answered(asked, choice, source)

    def correct(self, die: int, face: str, step: str = "") -> None:
        """Say what a die really shows, whether it was ruled on already or not.

        With the `step` that the page showed, nothing is said of dice that something has happened to since.
        """
        with self._hearing():
            if self._match and commands.is_of_other_dice(self._match, step):
                raise Refused(OLD, Reason.CONFLICT)
            seen = self._seen_die(die)
            new = commands.showing(self.dice, seen.kind, face)
            self._correct(seen, new)
            self._witness.corrected(seen.number, seen.throw, new)
            self._look_again()

    def check(self) -> CheckShown | None:
        """The throw that people are asked about now; None without one, and while there is something else to answer."""
        with self._changed:
            return self._check_now()

    def checked(self, number: int, wrong: Mapping[int, str]) -> None:
        """Say of the throw that is asked about that all its dice were read right but these, which show those faces.

        The answer counts even where the rules do not let the game be corrected so; why not is Refused then.
        """
        with self._hearing():
            before = self._witness.words(number, self._said)
            if not wrong.keys() <= before.keys():
                raise Refused("That die is not asked about.", Reason.NOT_FOUND)
            new = {die: self._word(before[die], face) for die, face in wrong.items()}
            self._witness.checked(number, {**before, **new})
            self._correct_all({die: word for die, word in new.items() if word != before[die]})

    def undo(self, step: str = "") -> None:
        """Take back the last standing entry, or what is held; the table is then taken as it lies.

        With the `step` that the page showed, nothing is taken back that has happened since.
        """
        with self._hearing():
            self._heed_step(step)
            match = self._playing()
            if self._held:
                self._let_go()
                return
            try:
                self._keep(match.undo())
            except LookupError:
                raise Refused("There is nothing to take back.", Reason.CONFLICT) from None
            self._go_on_from_here()

    @contextmanager
    def _hearing(self) -> Iterator[None]:
        """The lock, held while somebody is heard; what they changed is shown. A full disk is Refused."""
        with self._changed:
            try:
                yield
            except Unwritten as error:
                raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
            finally:
                self._publish()

    # Setting up and going on

    def _resume(self) -> None:
        kept = self._journal.latest()
        if kept is None:
            return
        try:
            entries = self._journal.entries(kept.number)
            dice = self._known.load(kept.die_set)
            self._match = Match.of(kept, commands.game_named(self._games, kept.game), dice, entries)
            self._woke = True
        except (Contradiction, LookupError, ValueError) as error:
            raise BrokenJournal(
                f"the journal's game {kept.number} ({kept.game}) cannot be gone on with: {error}; nothing was changed"
            ) from error

    def _game(self, name: str) -> Game:
        try:
            return commands.game_named(self._games, name)
        except NoSuchGame as error:
            raise Refused(as_sentence(error), Reason.NOT_FOUND) from None

    def _start(self, game: Game, players: tuple[str, ...], options: Mapping[str, str], dice: DieSet) -> None:
        try:
            start = begin(game, players, dice, options)
        except (BadStart, BadOption) as error:
            raise Refused(as_sentence(error)) from None
        kept = self._begun(game, players, start.options, dice)
        if dice != self.dice:
            self._look_anew()
        self._match = Match.of(kept, game, dice)
        self._ruled = self._seen
        self._forget()

    def _begun(self, game: Game, players: tuple[str, ...], options: Mapping[str, str], dice: DieSet) -> KeptGame:
        doubted = any(worry.kind == "clock" for worry in self._worries)

        def begin_it() -> KeptGame:
            return self._journal.begin(game.name, players, options, dice.name, clock_doubted=doubted)

        return self._with_room(begin_it)

    def _with_room(self, write: Callable[[], T]) -> T:
        """Write to the journal; where the disk is full, once more after old evidence gave way. Raises Unwritten."""
        try:
            return write()
        except Unwritten as unwritten:
            if not unwritten.no_room or not self._album.make_room():
                raise
            return write()

    def _wanted_dice(self, game: Game, chosen: str) -> DieSet:
        """The dice of a game, or those chosen for one that takes any."""
        return commands.dice_named(self._known, game.die_set or chosen or self._dice.name)

    def _look_anew(self) -> None:
        """The pipeline counts dice and throws from one again."""
        self._lose_sight()
        self._counts += 1
        self._unwatched = False

    def _lose_sight(self) -> None:
        """Nothing that was seen or said of the dice holds any more."""
        self._ruled = self._seen = self._observed = None
        self._said, self._cast = {}, {}
        self._witness.begin_anew()

    def _forget(self) -> None:
        self._let_go()
        self._woke = False
        self._witness.over()
        self._cast = {}
        self._asked = ()
        self._breach = None
        self._awry = self._unfinished = ""
        self._pending = self._moved = ()

    def _go_on_from_here(self) -> None:
        """Take the table as it lies for ruled on, and say where it is not as the journal has it."""
        self._ruled = self._seen
        self._breach = None
        self._asked = ()
        self._unfinished = ""
        self._pending = self._moved = ()
        self._awry = self._difference()

    def _go_on_as_it_lies(self, match: Match, choice: str, source: Source) -> None:
        """Go on from here, with the dice as they lie where they lie otherwise and the rules can take them so."""
        if choice == AS_IT_LIES and self._seen and self._difference():
            self._lay(match, self._seen, source)
        self._go_on_from_here()

    def _lay(self, match: Match, seen: Seen, source: Source) -> None:
        laid = match.laid(view.lying(seen), self._album.keep(match.evidence_name()), source)
        if laid:
            self._keep(laid)
            self._cast = {}

    def _difference(self) -> str:
        if self._match is None or self._seen is None or self._match.over:
            return ""
        return differs(self._match.game, self._match.state, self._seen)

    # From what lies there to a ruling

    def _settle(self, observation: Observation, sight: ImageSource | None) -> None:
        observed, self._observed = self._observed, observation
        bay = self._bay and observation.calibrated
        seen, before = view.said(view.possible(self.dice, observation, bay), self._said), self._seen
        if view.likeness(seen) == view.likeness(before):
            return
        self._seen = seen
        if sight is not None:
            self._album.photograph(observation, sight)
        self._witness.lie(self.dice, observation, seen, sight)
        try:
            self._rule()
        except Unwritten:
            self._seen, self._observed = before, observed  # so that the next frame tries again
            raise

    def _look_again(self) -> None:
        """Rule anew on the same table, after somebody said what a die shows."""
        if self._seen:
            self._seen = view.said(self._seen, self._said)
            self._rule()

    def _rule(self) -> None:
        match, seen = self._match, self._seen
        if match is None or seen is None:
            return
        if self._ruled is None or match.over:
            self._go_on_from_here()
            self._offer_to_go_on(match, seen)
            return
        was_awry, self._awry = self._awry, self._awry and self._difference()
        explained = explain(match.game, match.state, self._ruled, seen, moved=self._moved)
        if seen.throw == self._ruled.throw:
            self._moved = explained.pending
        if was_awry and not self._awry and not explained.doubts:
            self._put_right(match, explained)
        elif was_awry and view.lay_before(seen, self._ruled.throw):
            self._heed_awry(match, explained)
        else:
            self._heed(match, explained)

    def _offer_to_go_on(self, match: Match, seen: Seen) -> None:
        """After a pause, let people take the dice as they lie where that is otherwise than the journal has them."""
        if self._awry and match.laid(view.lying(seen)):
            self._ask(Asked(Question(0, f"{self._awry} {OR_GO_ON}", ((AS_IT_LIES, "Go on as the dice lie"),))))

    def _heed_awry(self, match: Match, explained: Explanation) -> None:
        """Take nothing for granted after a throw beside dice that did not lie as they should, and accuse nobody."""
        if explained.breach:
            self._ask(Asked(Question(0, WAS_AWRY, GO_ON)))
        else:
            self._heed(match, replace(explained, question=explained.question or WAS_AWRY))

    def _put_right(self, match: Match, explained: Explanation) -> None:
        """The dice lie as the journal has them again: they were put back, or they were thrown and fell so."""
        if explained.ways:
            back = ((PUT_BACK, "The dice were only put back"),)
            self._ask(self._way_question(match, explained, "What happened?", back))
        else:
            self._go_on_from_here()

    def _heed(self, match: Match, explained: Explanation) -> None:
        """Do what the umpire says of the table."""
        self._unfinished, self._pending = "", explained.pending
        if explained.doubts:
            self._ask_faces(match, explained)
        elif len(explained.ways) == 1 and not explained.question and not self._costs_the_turn(match, explained):
            self._take_or_record(match, view.sources(explained, None)[0])
        elif explained.ways:
            self._ask(self._way_question(match, explained, explained.question or LOST_DIE_QUESTION))
        elif explained.breach:
            self._accuse(match, explained)
        elif view.supposed(match, explained.pending).over:
            self._take_or_record(match, tuple((action, Source.CAMERA) for action in explained.pending))
        else:
            self._asked, self._breach, self._unfinished = (), None, explained.unfinished

    def _costs_the_turn(self, match: Match, explained: Explanation) -> bool:
        """Whether a die is said to have left the table while a breach stands: it may have been carried out since."""
        return self._breach is not None and any(action.verb == match.game.lost for action in explained.ways[0])

    def _take(self, match: Match, way: Way) -> None:
        """Play a way: its picture and its entries are on disk first. Raises IllegalAction and Unwritten."""
        after = match.play(way, self._evidence_of(match, way))
        self._keep(after)
        self._remember_casts(match, after)
        self._pin()
        self._breach = None
        self._asked = ()
        self._awry = self._unfinished = ""
        self._pending = self._moved = ()

    def _pin(self) -> None:
        """What was ruled on stands: a die that is not thrown again keeps the face that it was ruled on with."""
        self._ruled = self._seen
        sure = [die for die in self._seen.dice if len(die.faces) == 1] if self._seen else []
        self._said.update({die.number: (die.throw, die.die) for die in sure})

    def _keep(self, after: Match) -> None:
        """Put a match's new entries on disk, and whether it is over by them, then let it be the match."""
        known = len(self._match.entries) if self._match else 0
        was_over = self._match is not None and self._match.over
        ending = Ending(after.now() if after.over else None) if after.over != was_over else None
        self._with_room(lambda: self._journal.write(after.kept.number, *after.entries[known:], ending=ending))
        self._match, self._woke = after, False

    def _evidence_of(self, match: Match, way: Way) -> str:
        if all(source is not Source.CAMERA for _, source in way):
            return ""
        return self._album.keep(match.evidence_name())

    def _remember_casts(self, before: Match, after: Match) -> None:
        """Note which entry gave each die its face, so that a correction finds it; the witness counts those dice."""
        state, known = before.state, dict(self._cast)
        old = {die.number: die.throw for die in self._ruled.dice} if self._ruled else {}
        for entry, ruling in after.standing[len(before.standing) :]:
            if after.throws(state, ruling.action) and self._seen:
                cast = (die.number for die in self._seen.dice if die.throw != old.get(die.number))
                self._cast.update(dict.fromkeys(cast, entry.number))
            state = ruling.state
        fresh = [number for number, entry in self._cast.items() if known.get(number) != entry]
        if self._seen and fresh:
            self._witness.ruled(self._seen.throw, fresh, self._album.crop_of)

    def _accuse(self, match: Match, explained: Explanation) -> None:
        """Ask before a breach is recorded that one unnoticed die would explain; else record it."""
        found = self._explained_by_one_more(match)
        if found is None:
            self._record(match, explained.breach, explained.rule)
            return
        die, wider = found
        if wider.doubts:
            self._ask_faces(match, wider)
            return
        title = view.title_of(self.dice, die.kind, die.faces[0][0])
        sentence = f"Was the die that shows {title} thrown as well?"
        asked = self._way_question(match, wider, sentence, ((LEFT_LYING, "No, it was left lying"),))
        self._ask(replace(asked, breach=(explained.breach, explained.rule)))

    def _explained_by_one_more(self, match: Match) -> tuple[SeenDie, Explanation] | None:
        """A die whose having been thrown as well makes the throw legal, and what the table means then."""
        before, now = self._ruled, self._seen
        if before is None or now is None or now.throw == before.throw:
            return None
        tables = view.also_thrown(now, before.throw)
        tried = ((die, explain(match.game, match.state, before, seen)) for die, seen in tables)
        legal = ((die, wider) for die, wider in tried if (wider.ways or wider.doubts) and not wider.question)
        return next(legal, None)

    def _take_or_record(self, match: Match, way: Way) -> None:
        try:
            self._take(match, way)
        except IllegalAction as refused:
            self._record(match, refused.refusal.sentence, refused.refusal.rule)

    def _record(self, match: Match, sentence: str, rule: str) -> None:
        """Record a breach once, with its picture, and let people put the table right or go on as it lies."""
        if self._breach is None or self._breach.note != sentence:
            after = match.breach(sentence, rule, self._album.keep(match.evidence_name()))
            self._keep(after)
            self._breach = after.entries[-1]
        choices = ((AS_IT_LIES, "Go on as the dice lie"),)
        sentence = "Put the dice right, or go on from how they lie."
        self._ask(Asked(Question(0, sentence, choices, self._breach.evidence)))

    # Questions

    def _ask(self, *questions: Asked) -> None:
        """Put questions in place of the open ones; one that is open already keeps its number."""
        self._asked = tuple(self._numbered(asked) for asked in questions)

    def _numbered(self, asked: Asked) -> Asked:
        for open_one in self._asked:
            if asked.like(open_one):
                return open_one
        self._questions += 1
        return replace(asked, question=replace(asked.question, number=self._questions))

    def _ask_faces(self, match: Match, explained: Explanation) -> None:
        dice = [die for die in self._seen.dice if die.number in explained.doubts] if self._seen else []
        pictures = self._album.crop_of
        self._ask(*(Asked(view.face_question(match.start.dice, die, pictures.get(die.number, ""))) for die in dice))

    def _way_question(self, match: Match, explained: Explanation, sentence: str, also: Choices = GO_ON) -> Asked:
        titles = (describe(match.game, match.state, way) for way in explained.ways)
        choices = tuple((str(place), title) for place, title in enumerate(titles))
        picture = self._album.crop_of_first(explained.dice)
        question = Question(0, sentence or "What happened?", (*choices, *also), picture)
        return Asked(question, view.sources(explained, None))

    def _answered(self, asked: Asked, choice: str, source: Source) -> None:
        match = self._playing()
        if choice in (AS_IT_LIES, PUT_BACK):
            self._go_on_as_it_lies(match, choice, source)
        elif choice == LEFT_LYING:
            self._record(match, *asked.breach)
        elif asked.ways:
            self._try(match, asked.ways[int(choice)])
        else:
            die = self._seen_die(asked.question.die)
            said = Die(die.kind, commands.face_of(self.dice, die.kind, choice))
            self._said[die.number] = (die.throw, said)
            self._witness.answered(die.number, die.throw, said)
            self._look_again()

    # Taps

    def _playing(self) -> Match:
        if self._match is None:
            raise Refused("No game is being played; set one up first.", Reason.CONFLICT)
        return self._match

    def _heed_step(self, step: str, seat: int = 0) -> None:
        """Turn down what an old page offered to a seat; a page that is wholly old to nobody in particular."""
        if commands.is_old(self._playing(), step, seat):
            raise Refused(OLD, Reason.CONFLICT)

    def _await_rest(self) -> None:
        """Let the dice come to rest and the hands leave. Raises Refused when they do not."""
        self._changed.wait_for(lambda: self._quiet or bool(self._trouble) or self._seen is None, PATIENCE_S)
        if self._seen is not None and not self._quiet and not self._trouble:
            raise Refused("Wait until the dice lie still and all hands are out of the tray.", Reason.CONFLICT)

    def _tap_when_let(self, action: Action, source: Source) -> None:
        """Do an action after the moment in which another player may interrupt it; who did so is said with a refusal."""
        before = self._match
        self._hold(action)
        after = self._playing()
        try:
            self._tap(after, action, source)
        except Refused as refused:
            if after is before:
                raise
            said = " ".join(call.sentence for call in after.replay.calls)
            raise Refused(f"{said} {refused}", refused.reason, refused.rule) from None

    def _hold(self, action: Action) -> None:
        """Hold an action that another player may interrupt. Raises Refused when it was taken back meanwhile."""
        now = view.supposed(self._playing(), self._pending)
        sentence = view.pause(now, action) if self._pause_s else ""
        if not sentence:
            return
        held = self._held = WaitingAction(action, now.game.offer_title(now.state, action), sentence)
        self._publish()
        self._changed.wait_for(lambda: self._held is not held or not self._may_be_interrupted(action), self._pause_s)
        if self._held is not held:
            raise Refused(f"Taken back before it counted: {held.title}.", Reason.CONFLICT)
        self._held = None

    def _may_be_interrupted(self, action: Action) -> bool:
        """Whether the action is still legal and somebody may still come between."""
        return bool(view.pause(view.supposed(self._playing(), self._pending), action))

    def _let_go(self) -> None:
        """Drop what is held, and tell whoever waits for it."""
        self._held = None
        self._changed.notify_all()

    def _tap(self, match: Match, action: Action, source: Source) -> None:
        if self._ruled is None or self._seen is None or not self._bay or self._trouble:
            self._try(match, (*self._hands_did(match, action), (action, source)))
            if self._bay and self._trouble and action.verb in match.game.by_hand:
                self._unwatched = True
            return
        explained = explain(match.game, match.state, self._ruled, self._seen, action)
        ways = view.sources(explained, action, source)
        if explained.doubts:
            self._ask_faces(match, explained)
        elif len(ways) > 1:
            self._ask(replace(self._way_question(match, explained, explained.question), ways=ways))
        elif not ways:
            raise Refused(explained.breach or explained.unfinished, Reason.CONFLICT, explained.rule)
        else:
            self._try(match, ways[0])

    def _try(self, match: Match, way: Way) -> None:
        """Play a way for a person: what stands against it is Refused, and nothing changes."""
        try:
            self._take(match, way)
        except IllegalAction as refused:
            raise Refused(refused.refusal.sentence, Reason.CONFLICT, refused.refusal.rule) from None

    # By hand

    def _open_by_hand(self) -> bool:
        """Whether dice may be given by hand: nobody sees the tray, or saw it until now, or it lies awry."""
        on = self._match is not None and not self._match.over and not self._lent_out
        return on and bool(self._trouble or self._trayless() or self._awry or self._woke)

    def _hands_did(self, match: Match, action: Action) -> Way:
        """What hands were seen to do before the camera was lost, where the action comes after it."""
        after = view.supposed(match, self._pending)
        moved = tuple((each, Source.CAMERA) for each in self._pending)
        return moved if judge(after.game, after.state, action).refusal is None else ()

    def _give(self, match: Match, action: Action) -> None:
        """Play a throw that people tell of; what the camera sees next is compared with the game, not ruled on."""
        way = (*self._hands_did(match, action), (action, Source.HAND))
        try:
            after = match.play(way, self._evidence_of(match, way))
        except IllegalAction as refused:
            raise Refused(refused.refusal.sentence, Reason.CONFLICT, refused.refusal.rule) from None
        if not after.throws(after.before_last, action):
            raise Refused("That is no throw: tap it, it needs no dice to be given.")
        self._keep(after)
        self._lose_sight()
        self._breach, self._asked, self._awry, self._unfinished = None, (), "", ""
        self._pending = self._moved = ()
        self._unwatched = True
        self._watch_again()

    def _watch_again(self) -> None:
        """Once the camera is back, and people told what it missed, restart the pipeline and compare what lies there."""
        if self._unwatched and not self._trouble:
            self._look_anew()

    # Corrections

    def _seen_die(self, number: int) -> SeenDie:
        dice = self._seen.dice if self._seen else ()
        found = next((die for die in dice if die.number == number), None)
        if found is None:
            raise Refused(f"There is no die {number} on the table.", Reason.NOT_FOUND)
        return found

    def _correct(self, seen: SeenDie, new: Die) -> None:
        """Correct what was ruled on, and believe it from now on; what the table means then is for `_look_again`."""
        before = self._said.get(seen.number)
        if self._match is not None and seen.die != new and self._is_ruled(seen):
            self._correct_ruled(self._match, seen, new)
        self._said[seen.number] = (seen.throw, new)
        if self._ruled is not None and before != self._said[seen.number]:
            self._ruled = view.said(self._ruled, self._said)
        self._awry = self._awry and self._difference()

    def _correct_all(self, words: StatedFaces) -> None:
        """Correct those dice that the rules allow. Raises Refused, afterwards, when there are others."""
        all_refused = []
        for number, (_, new) in words.items():
            try:
                self._correct(self._seen_die(number), new)
            except Refused as refused:
                all_refused.append(refused)
        if words:
            self._look_again()
        if all_refused:
            raise all_refused[0]

    def _word(self, before: tuple[int, Die], face: str) -> tuple[int, Die]:
        """What a person says of a die, of which was said before what it shows since that throw. Raises Refused."""
        throw, die = before
        return throw, commands.showing(self.dice, die.kind, face)

    def _is_ruled(self, seen: SeenDie) -> bool:
        """Whether somebody has ruled on the throw that gave a die its face."""
        ruled = self._ruled.dice if self._ruled else ()
        return any(die.number == seen.number and die.throw == seen.throw for die in ruled)

    def _correct_ruled(self, match: Match, seen: SeenDie, new: Die) -> None:
        now = view.said(self._seen or Seen(), {**self._said, seen.number: (seen.throw, new)})
        after = mended(match, self._cast, seen, new, view.lying(now))
        if after is match:
            return
        self._keep(after)
        if after.entries[-1].deed is Deed.LAID:
            self._cast = {}

    # What is shown

    def _publish(self) -> None:
        """Show the table as it is now, if that differs from what was shown."""
        now = self._snapshot_now()
        if replace(now, number=self._snapshot.number) != self._snapshot:
            self._snapshot = replace(now, number=self._snapshot.number + 1)
            self._changed.notify_all()

    def _snapshot_now(self) -> Snapshot:
        self._draw()
        match = self._match
        notice, mood, rule, evidence = self._notice()
        return Snapshot(
            number=0,
            game=match.game if match else None,
            state=match.state if match else None,
            calls=match.replay.calls if match else (),
            notice=notice,
            mood=mood,
            rule=rule,
            evidence=evidence,
            offers=self._offers,
            dice=self._shown,
            questions=tuple(asked.question for asked in self._asked),
            last=match.told() if match else (),
            can_undo=bool(match and (match.replay.last or self._held)),
            boards=self._boards,
            camera=self._camera,
            camera_trouble=self._trouble or self._trayless(),
            turn_points=self._turn_points,
            tray=self._activity(),
            doubts=self._observed.doubts if self._observed else (),
            waiting=self._held,
            check=check.number if (check := self._check_now()) else None,
            alerts=tuple(self._worried()),
            low_power=any(worry.kind == "power" for worry in self._worries),
            resumed=self._woken(),
            lent=self._lent_out,
            manual_entry=self._open_by_hand() and any(offer.action.is_throw for offer in self._offers),
            step=match.step if match else "",
            run=self._run,
        )

    def _worried(self) -> Sequence[str]:
        """What is not well with the box, in sentences: what keeps play from going on comes first."""
        said = (self._unkept, *(worry.sentence for worry in self._worries), self._album.trouble)
        return [sentence for sentence in said if sentence]

    def _woken(self) -> str:
        """What is said after a restart, until something happens."""
        if self._match is None or not self._woke:
            return ""
        looked: resume.Looks = "unseen" if self._seen is None else "awry" if self._awry else "right"
        return resume.told(self._match, bay=self._bay, looks="blind" if self._trouble else looked)

    def _check_now(self) -> CheckShown | None:
        """The throw that people are asked about, unless there is something else to answer."""
        return None if self._asked or self._breach else self._witness.check(self.dice, self._said)

    def _notice(self) -> tuple[str, NoticeMood, str, str]:
        """The line at the top: sentence, mood, rule and the name of its picture."""
        if self._breach and not self._trouble and not self._held:
            return self._breach.note, NoticeMood.BREACH, self._breach.rule, self._breach.evidence
        asked = self._asked[0].question.sentence if self._asked else ""
        held = self._held.sentence if self._held else ""
        lines = (
            (self._trouble, NoticeMood.LOST),
            (held, NoticeMood.ASK),
            (asked, NoticeMood.ASK),
            (self._awry and f"{self._awry} {PUT_SO}", NoticeMood.ASK),
            (self._trayless(), NoticeMood.LOST),
        )
        calm = self._unfinished or self._awaited
        sentence, mood = next(((line, mood) for line, mood in lines if line), (calm, NoticeMood.CALM))
        return sentence, mood, "", ""

    def _trayless(self) -> str:
        """The doubt that no tray is in sight, where one should be."""
        if not self._bay or self._observed is None or self._observed.calibrated:
            return ""
        return next(iter(self._observed.doubts), "")

    def _activity(self) -> TrayActivity:
        if self._observed is None:
            return TrayActivity.UNSEEN
        if self._hands_in:
            return TrayActivity.HAND_IN
        return TrayActivity.AT_REST if self._quiet else TrayActivity.MOVING

    def _draw(self) -> None:
        """Work out what is shown of dice and offers, unless nothing that it comes from has changed."""
        blind = bool(self._trouble) or self._unwatched
        source = (self._match, self._seen, self._pending, self._observed is None, blind)
        if len(self._drawn_from) == len(source) and all(map(is_, source, self._drawn_from)):
            return
        self._drawn_from = source
        match, seen = self._match, self._seen or Seen(bay=self._bay)
        self._shown = view.shown_dice(self.dice, self._observed, seen, self._album.crop_of) if self._observed else ()
        now = view.supposed(match, self._pending) if match else None
        self._offers = view.offers(now, seen.bay, blind) if now else ()
        self._turn_points = now.game.turn_points(now.state) if now else 0
        self._boards = now.game.boards(now.state) if now else ()
        self._awaited = match.game.tell(match.state) if match else ""
