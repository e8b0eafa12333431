"""What the caller says of a change at the table, as keys of clips: no words of any language, and no sound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from referee.actions import GameState
from referee.calls import Moment, strongest_moment
from referee.journal import Deed
from referee.snapshot import Intervention, NoticeMood, Snapshot, SpokenPart, Utterance

RECORDING_RATE = 16_000
"""Samples a second of a recording: mono, 16 bits each."""
SHORTEST_RECORDING_S, LONGEST_RECORDING_S = 0.2, 10
LARGEST_RECORDING = 2 * RECORDING_RATE * LONGEST_RECORDING_S + 4096
"""Bytes of a recording with its header."""


@dataclass(frozen=True)
class SpokenLanguage:
    """A language of the caller: its code, its own name, and how many sentences a family records in it."""

    language: str
    title: str
    sentences: int


@dataclass(frozen=True)
class SpokenSentence:
    """What somebody reads aloud."""

    key: str
    text: str


@dataclass(frozen=True)
class RecordedSentences:
    """The sentences that a voice has in a language, by their keys."""

    language: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class FamilyVoice:
    """A voice of the family."""

    voice: str
    """Its number, as addresses have it: `/api/caller/voices/{voice}/clips/{language}.mp3`."""
    name: str
    recorded: tuple[RecordedSentences, ...] = ()


@dataclass(frozen=True)
class VoiceClips:
    """The clips of a voice in a language: `index` is JSON as that of the voices that ship, `sound` is MP3."""

    index: bytes
    sound: bytes


CORRECTING = frozenset({Deed.CORRECT, Deed.CHALLENGE, Deed.LAID, Deed.UNDO})
"""Interventions that change what was ruled before. LAID is that of a die which was set aside by a wrong face, too."""
WORDLESS = frozenset({Moment.SCORE})
"""Moments that say nothing in words where a number says more."""
ENDING = frozenset({Moment.LAST_ROUND, Moment.WIN})
"""Moments whose words come after the numbers."""
KEPT = 6
"""Utterances that a snapshot holds: a tablet that is late hears of several changes at once."""


class Phrase(StrEnum):
    """What is said in words besides the moments: keys of `vander/extras/voice/phrases`."""

    NEW_GAME = "new-game"
    YOUR_TURN = "your-turn"
    YOUR_SCORE = "your-score"
    TURN_POINTS = "turn-points"
    WINS = "wins"
    SHARED_WIN = "shared-win"
    CORRECTED = "corrected"
    TAKEN_BACK = "taken-back"
    QUESTION = "question"
    BREACH = "breach"
    WAIT = "wait"


ASK, ACCEPTED = "ask", "accepted"
"""Sounds that belong to no moment."""


def number_part(value: int) -> SpokenPart:
    """Return the part that says a number: put together of 0 to 99, hundreds and thousands.

    A number after which another one follows is said by a clip of its own (`2000+`), else by that of its end.
    """
    size = abs(value)
    steps = [step for step in (size - size % 1000, size % 1000 - size % 100, size % 100) if step] or [0]
    sign = ("minus",) if value < 0 else ()
    going_on = (*sign, *(f"{step}+" for step in steps[:-1]), str(steps[-1]))
    plain = (*sign, *map(str, steps))
    return SpokenPart(clips=tuple(dict.fromkeys((going_on, plain))))


def sound_part(name: str) -> SpokenPart:
    return SpokenPart(sound=str(name))


def phrase_part(phrase: str, *, rule: str = "", name: str = "", unnamed: str = "") -> SpokenPart:
    """Return the part that says a phrase, or the words of a rule where there are some.

    `name` is said before it where there is a voice for names; where there is none, `unnamed` instead of the phrase.
    """
    of_rule = ((f"rule:{rule}",),) if rule else ()
    return SpokenPart(
        clips=(*of_rule, (str(phrase),)), name=name, unnamed=(*of_rule, (str(unnamed),)) if unnamed else ()
    )


@dataclass(frozen=True)
class ShownFacts:
    """What a snapshot showed, as far as the next one is compared with it.

    `done` is the highest number of an intervention in this game, `points` those of the turn at the last ruling.
    """

    game: str = ""
    called: int = 0
    done: int = 0
    scores: Mapping[int, int] = field(default_factory=dict)
    points: int = 0
    turn: int = 0
    calls: tuple[tuple[str, str], ...] = ()
    asked: int = 0
    mood: NoticeMood = NoticeMood.CALM
    unsaved: bool = False

    def after(self, snapshot: Snapshot) -> ShownFacts:
        state, game = snapshot.state, snapshot.step.partition(".")[0]
        is_same = game == self.game
        done = max((self.done if is_same else 0, *(each.number for each in snapshot.interventions)))
        is_ruled = not is_same or snapshot.called != self.called or done != self.done
        return ShownFacts(
            game=game,
            called=snapshot.called,
            done=done,
            scores=_scores(state) if state else {},
            points=snapshot.turn_points if is_ruled else self.points,  # dice that hands park say nothing yet
            turn=state.on_turn if state else 0,
            calls=tuple((call.sentence, call.rule) for call in snapshot.calls),
            asked=max((self.asked, *(question.number for question in snapshot.questions))),
            mood=snapshot.mood,
            unsaved=snapshot.unsaved,
        )


@dataclass(frozen=True)
class CallerMemory:
    """What the caller has said: the facts last shown and the newest utterances. `hear` returns the next memory."""

    facts: ShownFacts
    utterances: tuple[Utterance, ...] = ()

    @classmethod
    def begin(cls, snapshot: Snapshot) -> CallerMemory:
        """Return the memory of a caller that says nothing of what this snapshot shows already."""
        return cls(ShownFacts().after(snapshot))

    def hear(self, snapshot: Snapshot) -> CallerMemory:
        """Return what was said after a snapshot: of a correction or a step taken back only what that changed."""
        now = self.facts.after(snapshot)
        said = () if snapshot.state is None else _utterances(self.facts, now, snapshot, snapshot.state)
        return CallerMemory(now, (*self.utterances, *(each for each in said if each.parts))[-KEPT:])


def _utterances(before: ShownFacts, now: ShownFacts, snapshot: Snapshot, state: GameState) -> tuple[Utterance, ...]:
    change = _Change(before, now, snapshot, state)
    return (*change.of_play(), change.of_questions())


@dataclass(frozen=True)
class _Change:
    """From the facts before to those of a snapshot."""

    before: ShownFacts
    now: ShownFacts
    snapshot: Snapshot
    state: GameState

    def of_play(self) -> tuple[Utterance, ...]:
        before, now = self.before, self.now
        if now.game != before.game:
            return () if now.called else (self._all(sound_part(ACCEPTED), phrase_part(Phrase.NEW_GAME)), self._turn())
        correction = next(filter(self._is_new_correction, self.snapshot.interventions), None)
        if correction or now.called < before.called:
            return (self._correction(is_back=correction is None or correction.deed is Deed.UNDO),)
        return (*self._ruling(), self._turn()) if now.called > before.called else ()

    def _is_new_correction(self, intervention: Intervention) -> bool:
        return intervention.number > self.before.done and intervention.deed in CORRECTING

    def _ruling(self) -> tuple[Utterance, ...]:
        """What a ruling brought: its sound, its words, then the numbers."""
        moment = strongest_moment(self.snapshot.calls)
        if moment is None:
            return self._low(sound_part(ACCEPTED)), self._all(*self._thrown())
        numbers = self._gained()
        words = () if moment in WORDLESS and numbers else (self._words(moment),)
        return (self._low(sound_part(moment), *(numbers + words if moment in ENDING else words + numbers)),)

    def _gained(self) -> tuple[SpokenPart, ...]:
        """What one player gained, and the score after it; nothing where several scores changed, or one fell."""
        changes = self._changed_scores()
        if len(changes) != 1:
            return ()
        (seat, score) = changes[0]
        gain = score - self.before.scores[seat]
        return (number_part(gain), phrase_part(Phrase.YOUR_SCORE), number_part(score)) if gain > 0 else ()

    def _thrown(self) -> tuple[SpokenPart, ...]:
        """The points of the turn, or what a throw counts where a game gives none."""
        if self.now.turn == self.before.turn and self.now.points > self.before.points:
            return (number_part(self.now.points),)
        total = next((call.sum.total for call in reversed(self.snapshot.calls) if call.sum), None)
        return (number_part(total),) if self.now.points == self.before.points and total is not None else ()

    def _words(self, moment: Moment) -> SpokenPart:
        rule = next((call.rule for call in reversed(tuple(self.snapshot.calls)) if call.moment is moment), "")
        if moment is not Moment.WIN:
            return phrase_part(moment, rule=rule)
        winners = self.state.winner
        if len(winners) > 1:
            return phrase_part(Phrase.SHARED_WIN)
        name = self.state.name(winners[0]) if winners else ""
        return phrase_part(Phrase.WINS, rule=rule, name=name, unnamed=Moment.WIN)

    def _correction(self, *, is_back: bool) -> Utterance:
        """Return the utterance for a correction or an undo: only what it changed."""
        changes = (*self._new_words(is_back), *self._new_scores(), *self._new_points(), *self._turn().parts)
        if not changes and not is_back:
            return self._low()
        return self._low(phrase_part(Phrase.TAKEN_BACK if is_back else Phrase.CORRECTED), *changes)

    def _new_words(self, is_back: bool) -> tuple[SpokenPart, ...]:
        moment = strongest_moment(self.snapshot.calls)
        is_said = moment and moment not in WORDLESS and self.now.calls != self.before.calls and not is_back
        return (self._words(moment),) if moment and is_said else ()

    def _new_scores(self) -> tuple[SpokenPart, ...]:
        said = (
            (phrase_part(Phrase.YOUR_SCORE, name=self.state.name(seat)), number_part(score))
            for seat, score in self._changed_scores()
        )
        return tuple(part for parts in said for part in parts)

    def _new_points(self) -> tuple[SpokenPart, ...]:
        if self.now.turn != self.before.turn or self.now.points == self.before.points:
            return ()
        return phrase_part(Phrase.TURN_POINTS), number_part(self.now.points)

    def _changed_scores(self) -> tuple[tuple[int, int], ...]:
        known = ((seat, score) for seat, score in self.now.scores.items() if seat in self.before.scores)
        return tuple((seat, score) for seat, score in known if score != self.before.scores[seat])

    def _turn(self) -> Utterance:
        """Whose turn it is now, where there are several players."""
        turn = self.now.turn
        is_other = turn != self.before.turn or self.now.game != self.before.game
        if not turn or not is_other or len(self.state.players) < 2 or self.state.winner:
            return self._all()
        return self._all(phrase_part(Phrase.YOUR_TURN, name=self.state.name(turn)))

    def of_questions(self) -> Utterance:
        """What the table has to look at."""
        before, now = self.before, self.now
        if now.unsaved:
            return self._low(*(() if before.unsaved else _asking(Phrase.WAIT)))
        if now.mood is NoticeMood.BREACH:
            return self._low(*(() if before.mood is NoticeMood.BREACH else _asking(Phrase.BREACH)))
        is_asked = bool(self.snapshot.questions) and now.asked > before.asked
        return self._all(*(_asking(Phrase.QUESTION) if is_asked else ()))

    def _low(self, *parts: SpokenPart) -> Utterance:
        return Utterance(self.snapshot.number, level="low", parts=parts)

    def _all(self, *parts: SpokenPart) -> Utterance:
        return Utterance(self.snapshot.number, level="all", parts=parts)


def _asking(phrase: Phrase) -> tuple[SpokenPart, ...]:
    return sound_part(ASK), phrase_part(phrase)


def _scores(state: GameState) -> dict[int, int]:
    scores = dict(enumerate(state.scores))
    return {player.seat: scores.get(place, 0) for place, player in enumerate(state.players)}
