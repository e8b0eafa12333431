"""A game that goes on: its journal replayed into states, the entries that people and camera add, and resuming it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from itertools import chain

from referee.actions import Action, DiePosition, GameState
from referee.agreements import VOID, dice_thrown
from referee.calls import Refusal
from referee.dice import Die, DieSet, Zone
from referee.game import Game, begin_again
from referee.journal import NOBODY, SAME_STEP, Actor, Deed, Entry, Replay, Source, laid_text, replay, would_refuse
from referee.judge import Ruling, go_on, judge
from referee.phrases import in_a_row, join_each, spell_list, times
from referee.sentences import Reason, Refused, as_whole, say
from vander.storage.evidence_store import evidence_name
from vander.storage.journal_schema import KeptGame

# A match

REMEMBERED = 6
"""How many of the last actions the tablet shows in words."""
AS_THEY_LIE = say("The game goes on with the dice as they lie.")
BY_HAND = say("(The dice were given by hand.)")


Way = tuple[tuple[Action, Source], ...]
"""Actions in their order, each with who says that it happened."""


class IllegalAction(Refused):
    """The rules refuse an action; nothing changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence, Reason.CONFLICT, refusal.rule)


@dataclass(frozen=True)
class Match:
    """A game with its entries. Every change returns a new match, whose last entries are the added ones.

    `pictures_ahead`: pictures are numbered so far ahead of the entries, since some may be of entries that were lost.
    `by` is who decides at this moment: the entries that people make bear that name.
    """

    kept: KeptGame
    game: Game
    start: GameState
    replay: Replay
    entries: tuple[Entry, ...] = ()
    pictures_ahead: int = 0
    by: Actor = NOBODY

    @classmethod
    def of(
        cls, kept: KeptGame, game: Game, dice: DieSet, entries: Sequence[Entry] = (), highest_picture: int = 0
    ) -> Match:
        """Return the match to which entries lead. Raises Contradiction, BadStart and BadOption.

        No picture up to the `highest_picture` of the game is replaced.
        """
        start = begin_again(game, kept.players, dice, kept.options)
        ahead = max(0, highest_picture - len(entries))
        return cls(kept, game, start, replay(game, start, entries), tuple(entries), ahead)

    @property
    def state(self) -> GameState:
        """Return where the game stands."""
        return self.replay.state

    @property
    def over(self) -> bool:
        """True if nobody may act any more."""
        return not self.state.to_act

    @property
    def standing(self) -> tuple[tuple[Entry, Ruling], ...]:
        """Return the entries that are not undone, each with its ruling."""
        return self.replay.standing

    def evidence_name(self) -> str:
        """Return the name of the picture of the next entry."""
        return evidence_name(self.kept.number, len(self.entries) + 1 + self.pictures_ahead)

    @property
    def step(self) -> str:
        """Return the game's number and how many entries it has, `12.34`: a page sends the step that it shows."""
        return f"{self.kept.number}.{len(self.entries)}"

    def is_old_for(self, step: str, seat: int) -> bool:
        """True if what that step offered to a seat is old, since something happened; for seat 0 anything counts.

        What other players did does not, since several may act at once. Raises ValueError for text that is no step.
        """
        game, count = map(int, step.split("."))
        later = [entry for entry in self.entries[count:] if not entry.deed.is_note]
        own = any(seat in (0, entry.action.player) if entry.action else True for entry in later)
        return game != self.kept.number or own or count > len(self.entries)

    def is_old_for_dice(self, step: str) -> bool:
        """True if dice were thrown, moved or corrected since that step; what was tapped changes no dice.

        What was played by an answer was seen, and moved dice. Raises ValueError for text that is no step.
        """
        _, count = map(int, step.split("."))
        later = self.entries[count:]
        first_answer = next((place for place, entry in enumerate(later) if entry.deed is Deed.ANSWER), len(later))
        is_moved = not all(map(_is_tap, later[:first_answer]))
        is_answered = not all(entry.deed.is_note for entry in later[first_answer:])
        return self.is_of_another_game(step) or is_moved or is_answered or count > len(self.entries)

    def is_of_another_game(self, step: str) -> bool:
        """True if that step is of another game, or (`0.0`) of none. Raises ValueError for text that is no step."""
        game, _ = map(int, step.split("."))
        return game != self.kept.number

    def play(self, actions: Sequence[tuple[Action, Source]], evidence: str = "", note: str = "") -> Match:
        """Play actions one after another, all or none; the last has the `note`. Raises IllegalAction."""
        match, at = self, self.now()
        for place, (action, source) in enumerate(actions, 1):
            match = match._played(action, source, evidence, note if place == len(actions) else "", at)
            at += SAME_STEP
        calls = tuple(call for _, ruling in match.standing[len(self.standing) :] for call in ruling.calls)
        return replace(match, replay=replace(match.replay, calls=calls))

    def signed(self, by: Actor) -> Match:
        """Return the match in which the next entries of people are by that actor."""
        return self if by == self.by else replace(self, by=by)

    def _played(self, action: Action, source: Source, evidence: str, note: str, at: datetime) -> Match:
        ruling = judge(self.game, self.state, action)
        if ruling.refusal:
            raise IllegalAction(ruling.refusal)
        entry = replace(self._next(source, Deed.PLAY), at=at, action=action, evidence=evidence, note=note)
        standing = (*self.standing, (entry, ruling))
        now = replace(self.replay, state=ruling.state, standing=standing, calls=ruling.calls)
        return replace(self, replay=now, entries=(*self.entries, entry))

    def with_hands(self, pending: Sequence[Action]) -> Match:
        """Return the match as it will be once what hands did is ruled on; the match itself where that is illegal."""
        try:
            return self.play([(action, Source.CAMERA) for action in pending])
        except IllegalAction:
            return self

    def allows(self, action: Action) -> bool:
        """True if the action is legal now."""
        return judge(self.game, self.state, action).refusal is None

    def pause(self, action: Action) -> str:
        """Return why a tapped action waits a moment before it counts; '' where nobody may interrupt it."""
        return self.game.pause(self.state, action) if self.allows(action) else ""

    @property
    def newest(self) -> Entry | None:
        """Return the newest entry that can be taken back, which may be a correction; None without one."""
        played = self.entries[self.replay.last - 1 : self.replay.last] if self.replay.last else ()
        return max((*played, *self.replay.corrections[-1:]), key=lambda entry: entry.number, default=None)

    def undo(self) -> Match:
        """Take back the newest entry: what was played or laid, or a correction. Raises LookupError without one."""
        newest = self.newest
        if newest is None:
            raise LookupError(say("there is nothing to take back"))
        return self.taken_back(newest.number)

    def taken_back(self, first: int) -> Match:
        """Take back everything from an entry on; later corrections of earlier entries are entered again."""
        undo = replace(self._next(Source.TABLET, Deed.UNDO), target=first, note=self.sentence_at(first))
        match = self._replayed(undo)
        for entry in self.replay.corrections:
            if entry.target < first < entry.number:
                again = match.signed(entry.by)._next(Source.TABLET, Deed.CORRECT)
                again = replace(again, action=entry.action, target=entry.target, dice=entry.dice)
                match = match._replayed(again)
        return match

    def sentence_at(self, number: int) -> str:
        """Return an entry that stands, or a correction that does, in words."""
        played = (sentence_of(entry, ruling) for entry, ruling in self.standing if entry.number == number)
        corrected = (self.corrected_sentence(entry) for entry in self.replay.corrections if entry.number == number)
        return next(chain(played, corrected), AS_THEY_LIE)

    def corrected_sentence(self, entry: Entry) -> str:
        """Return a correction in words."""
        if not entry.dice:
            return say("A throw is corrected.")
        titles = (self.start.dice.face_title(die.kind, die.face) if die.face else say("unread") for die in entry.dice)
        old, new = titles
        return say("Corrected: {new}, not {old}.", new=new, old=old)

    def void_throw(self) -> Match:
        """Take back the last throw and all since, and keep that it does not count. Raises LookupError without one."""
        entry, action = self._last_throw()
        match = self
        while match.replay.last >= entry:
            match = match.taken_back(match.replay.last)
        return match.play([(Action(action.player, VOID.name, action.dice), Source.TABLET)])

    def last_throw(self) -> str:
        """Return the last standing throw that counts, in words; '' without one."""
        try:
            number, _ = self._last_throw()
        except LookupError:
            return ""
        return next(sentence_of(entry, ruling) for entry, ruling in self.standing if entry.number == number)

    def _last_throw(self) -> tuple[int, Action]:
        for entry, before, ruling in reversed(self._with_states()):
            if ruling.action.verb != VOID.name and self.throws(before, ruling.action):
                return entry.number, ruling.action
        raise LookupError(say("no throw stands"))

    def correct(self, target: int, action: Action, dice: tuple[Die, ...] = ()) -> Match:
        """Replace the action of an entry. Raises IllegalAction when it or a later one is then against the rules.

        `dice` is the die that was read wrong, as it was taken and as it is.
        """
        entry = replace(self._next(Source.TABLET, Deed.CORRECT), action=action, target=target, dice=dice)
        refusal = would_refuse(self.game, self.start, self.entries, entry)
        if refusal:
            raise IllegalAction(refusal)
        return self._replayed(entry)

    def retold(self, first: int, entries: Sequence[Entry]) -> Match:
        """Take back everything from a standing entry on, and enter these in its place. Raises IllegalAction.

        Who did what, and which picture shows it, stays with each entry.
        """
        match = self.taken_back(first)
        for entry in entries:
            told = match.signed(entry.by)
            if entry.action is not None:
                match = told._played(entry.action, entry.source, entry.evidence, entry.note, told.now())
            else:
                again = told._next(entry.source, Deed.LAID)
                match = told._replayed(replace(again, note=entry.note, evidence=entry.evidence))
        return match.signed(self.by)

    def state_if_shown(self, target: int, old: Die, new: Die) -> GameState | None:
        """Return where the game would stand if a die that an entry threw last had shown another face.

        What hands did with the die they would have done with that face up; None where the rules refuse anything then.
        """
        later = [each for each in self._with_states() if each[0].number >= target]
        state = later[0][1] if later else self.state
        for entry, _, ruling in later:
            moved = entry.number == target or ruling.action.verb in self.game.by_hand
            action = with_face(ruling.action, old, new) if moved and old in ruling.action.dice else ruling.action
            again = judge(self.game, state, action)
            if again.refusal:
                return None
            state = again.state
        return state

    def breach(self, sentence: str, rule: str, evidence: str) -> Match:
        """Record a breach, which changes no state."""
        return self._noted(Source.CAMERA, Deed.BREACH, sentence, rule, evidence)

    def remark(
        self, sentence: str, rule: str = "", evidence: str = "", dice: tuple[Die, ...] = (), *, deed: Deed = Deed.REMARK
    ) -> Match:
        """Record what the camera saw hands do, or could not see, which changes no state; `dice` is as in `answered`."""
        noted = self._noted(Source.CAMERA, deed, sentence, rule, evidence)
        return replace(noted, entries=(*self.entries, replace(noted.entries[-1], dice=dice)))

    def answered(
        self, question: str, answer: str, by: Actor, source: Source = Source.TABLET, dice: tuple[Die, ...] = ()
    ) -> Match:
        """Record what people answered to a question, which by itself changes no state.

        `dice` is the die that was asked about, as it was read and as it was said to be; empty for other questions.
        """
        noted = self.signed(by)._noted(source, Deed.ANSWER, as_answered(question, answer))
        return replace(noted, entries=(*self.entries, replace(noted.entries[-1], dice=dice)), by=self.by)

    def challenged(self, note: str, by: Actor) -> Match:
        """Record what came of a challenge; a correction that follows is an entry of its own."""
        return replace(self.signed(by)._noted(Source.TABLET, Deed.CHALLENGE, note), by=self.by)

    def _noted(self, source: Source, deed: Deed, note: str, rule: str = "", evidence: str = "") -> Match:
        entry = replace(self._next(source, deed), note=note, rule=rule, evidence=evidence)
        return replace(self, entries=(*self.entries, entry))

    def laid(self, lying: Sequence[DiePosition], evidence: str = "", source: Source = Source.TABLET) -> Match | None:
        """Go on with the dice as they lie; None where the rules cannot take dice that lie so."""
        if isinstance(go_on(self.game, self.state, lying), Refusal):
            return None
        return self._replayed(replace(self._next(source, Deed.LAID), note=laid_text(lying), evidence=evidence))

    @property
    def lies_as_laid(self) -> bool:
        """True if nothing was played since people last went on with the dice as they lay."""
        return bool(self.replay.laid) and self.replay.laid[-1][0].number == self.replay.last

    def _replayed(self, entry: Entry) -> Match:
        entries = (*self.entries, entry)
        return replace(self, entries=entries, replay=replay(self.game, self.start, entries))

    def _next(self, source: Source, deed: Deed) -> Entry:
        by = NOBODY if source is Source.CAMERA else self.by
        return Entry(len(self.entries) + 1, self.now(), source, deed, device=by.device, seat=by.seat)

    def now(self) -> datetime:
        """Return the time (UTC) for the next step: after the last entry, even if the clock was set back."""
        return max((datetime.now(UTC), *(entry.at + 2 * SAME_STEP for entry in self.entries[-1:])))

    @property
    def before_last(self) -> GameState:
        """Return where the game stood before its last standing action."""
        return self._with_states()[-1][1]

    @property
    def has_throw_by_hand(self) -> bool:
        """True if a standing throw was entered by hand."""
        return any(entry.source is Source.HAND for entry, _ in self.standing)

    @property
    def throw_numbers(self) -> tuple[int, ...]:
        """Return the numbers of the standing entries that throw, in order."""
        return tuple(
            entry.number for entry, before, ruling in self._with_states() if self.throws(before, ruling.action)
        )

    def throws(self, state: GameState, action: Action) -> bool:
        """True if the action throws dice."""
        return bool(dice_thrown(self.game, state, action))

    def last_throw_of(self, die: Die, excluded: Collection[int] = ()) -> Entry | None:
        """Return the latest standing entry whose throw gave a die this face, or None; dice laid since have no throw.

        The `excluded` entries are known to have thrown other dice.
        """
        since = max((entry.number for entry, _ in self.replay.laid), default=0)
        asked = [each for each in self._with_states() if each[0].number > since and each[0].number not in excluded]
        for entry, before, ruling in reversed(asked):
            if die in ruling.action.dice and self.throws(before, ruling.action):
                return entry
        return None

    def action_of(self, number: int) -> Action | None:
        """Return what a standing entry plays, as corrected; None when the entry does not stand."""
        return next((ruling.action for entry, ruling in self.standing if entry.number == number), None)

    def _with_states(self) -> list[tuple[Entry, GameState, Ruling]]:
        """The standing entries that play, each with the state before it."""
        rulings = {entry.number: ruling for entry, ruling in self.standing}
        afters = [*((entry, ruling.state) for entry, ruling in self.standing), *self.replay.laid]
        afters.sort(key=lambda each: each[0].number)
        befores = (self.start, *(state for _, state in afters))
        paired = zip(afters, befores, strict=False)
        return [(entry, before, rulings[entry.number]) for (entry, _), before in paired if entry.number in rulings]

    def recent_sentences(self) -> tuple[str, ...]:
        """Return the last standing actions in words, newest first."""
        return tuple(sentence for _, sentence in self._recent())

    def recent_throws(self) -> tuple[int, ...]:
        """Return for each of `recent_sentences` the number of its entry if that threw dice, else 0."""
        rows = self._with_states()[-REMEMBERED:]
        thrown = {entry.number for entry, before, ruling in rows if self.throws(before, ruling.action)}
        return tuple(number if number in thrown else 0 for number, _ in self._recent())

    def _recent(self) -> list[tuple[int, str]]:
        """The last standing actions, newest first: the entry's number, and the action in words."""
        played = [(entry.number, sentence_of(entry, ruling)) for entry, ruling in self.standing[-REMEMBERED:]]
        laid = [(entry.number, AS_THEY_LIE) for entry, _ in self.replay.laid[-REMEMBERED:]]
        return sorted([*played, *laid], reverse=True)[:REMEMBERED]


def _is_tap(entry: Entry) -> bool:
    """True if an entry changed no dice: it was tapped, or it is a note."""
    return entry.deed.is_note or (entry.deed is Deed.PLAY and entry.source not in (Source.CAMERA, Source.HAND))


def as_answered(question: str, answer: str) -> str:
    """Return a question and its answer in one line."""
    return as_whole(in_a_row(question, answer))


def sentence_of(entry: Entry, ruling: Ruling) -> str:
    """Return what an entry did, in the referee's words."""
    sentence = ruling.calls[0].sentence if ruling.calls else str(ruling.action)
    return in_a_row(sentence, BY_HAND) if entry.source is Source.HAND else sentence


def with_face(action: Action, old: Die, new: Die) -> Action:
    """Return the action with one die showing another face."""
    dice = list(action.dice)
    dice[dice.index(old)] = new
    return replace(action, dice=tuple(dice))


# Resuming one

AWAKE = say("Vander was started again. The game goes on.")
UNSEEN = say("Leave the dice as they are until the camera has looked at them.")
RIGHT = say("The dice lie as they should.")
PLACES = (Zone.ASIDE, Zone.SIGNAL, Zone.FIELD, None)
"""Where dice lie, in the order in which it is said; None for anywhere."""


class TrayFinding(Enum):
    """What the camera has seen of the tray since a restart."""

    UNSEEN = "unseen"
    RIGHT = "right"
    WRONG = "wrong"
    BLIND = "blind"
    """There is no camera to see it."""


def resumed_sentence(match: Match, *, bay: bool, finding: TrayFinding, said: Sequence[tuple[Die, Die]] = ()) -> str:
    """Return where the game stands, and how the tray should lie, by what the camera has seen of it since.

    `said` are dice that count as people said, each with what the camera reads.
    """
    should = layout_sentence(match, bay=bay)
    tray = {TrayFinding.RIGHT: (RIGHT,), TrayFinding.UNSEEN: (should, UNSEEN)}.get(finding, (should,)) if should else ()
    return in_a_row(AWAKE, match.game.tell(match.state), *tray, *(_as_said(match.start.dice, *each) for each in said))


def _as_said(dice: DieSet, die: Die, read: Die) -> str:
    """Return that a die counts as people said, and as what the camera reads it."""
    return say(
        "The camera reads {read}, but that die counts as you said: {said}.",
        said=_title(dice, die),
        read=_title(dice, read),
    )


def layout_sentence(match: Match, *, bay: bool) -> str:
    """Return one sentence that says which dice should lie where; '' where anywhere will do."""
    layout = match.game.lay(match.state)
    if not layout or match.over:
        return ""
    if not bay:
        return say("These dice should be on the table: {dice}.", dice=_words(match.start.dice, layout))
    places = {place: [lying for lying in layout if lying.zone is place] for place in PLACES}
    there = [_at(place, _words(match.start.dice, each)) for place, each in places.items() if each]
    return say("The dice should lie like this: {places}.", places=join_each(there, _and_there))


def _at(place: Zone | None, dice: str) -> str:
    """Return the words that dice lie at a place."""
    if place is Zone.ASIDE:
        return say("{dice} in the bay", dice=dice)
    if place is Zone.SIGNAL:
        return say("{dice} on its spot", dice=dice)
    return say("{dice} on the field", dice=dice) if place else say("{dice} anywhere", dice=dice)


def _and_there(first: str, other: str) -> str:
    return say("{first}; {other}", first=first, other=other)


def _words(dice: DieSet, layout: Sequence[DiePosition]) -> str:
    """Dice by their titles, alike ones counted: `2 x Happy and Star`."""
    titles = [_title(dice, lying.die) for lying in layout]
    alike = {title: titles.count(title) for title in titles}
    return spell_list([times(count, title) for title, count in alike.items()], "and")


def _title(dice: DieSet, die: Die) -> str:
    kind = dice.kind(die.kind)
    return kind.title_of(die.face) if die.face else say("any {kind}", kind=kind.title)
