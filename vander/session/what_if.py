"""What would follow if dice of a past throw had shown other faces: every later entry ruled on once more. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.actions import Action
from referee.calls import Refusal
from referee.dice import Die
from referee.game import Game
from referee.game_state import GameState
from referee.journal import Entry, read_laid
from referee.judge import Ruling, go_on, judge
from referee.sentences import say
from vander.session.match import AS_THEY_LIE, Match, sentence_of, with_face


@dataclass(frozen=True)
class OtherFace:
    """A die of a throw that shows another face than it was ruled on with; both are of one kind."""

    old: Die
    new: Die


@dataclass(frozen=True)
class Consequence:
    """The effect of other faces on one entry: the entry as it stands, and as it would be.

    then: '' where the rules would refuse the entry. carried: True if hands moved the die in this entry, which then has
    its other face there too.
    """

    entry: int
    now: str
    then: str
    scores_now: tuple[int, ...]
    scores_then: tuple[int, ...]
    refusal: Refusal | None = None
    carried: bool = False

    @property
    def differs(self) -> bool:
        """True if anything of the entry would be otherwise."""
        return self.refusal is not None or self.carried or (self.now, self.scores_now) != (self.then, self.scores_then)


@dataclass(frozen=True)
class WhatIf:
    """Where the game would stand if dice of the entry had shown other faces.

    consequences: of the entry itself and of each later one that would be otherwise, up to the first that the rules
    would refuse. entries: all of them from the entry on, as they would be. state: where that leads.
    """

    entry: int
    action: Action
    now: GameState
    state: GameState
    consequences: tuple[Consequence, ...]
    entries: tuple[Entry, ...]

    @property
    def illegal(self) -> Consequence | None:
        """Return the first entry that could not have been, and after which nothing is known; None without one."""
        return next((each for each in self.consequences if each.refusal), None)

    @property
    def refusal(self) -> Refusal | None:
        """Return why not all of it can be: which entry could not have been, and the rule; None where all can."""
        illegal = self.illegal
        if illegal is None or illegal.refusal is None or illegal.entry == self.entry:
            return illegal.refusal if illegal else None
        why = illegal.refusal.sentence
        sentence = say("Then this could not have been: {entry} {why}", entry=illegal.now, why=why)
        return replace(illegal.refusal, sentence=sentence)

    @property
    def is_plain(self) -> bool:
        """True if a correction of the one entry says it all."""
        return not any(each.refusal or each.carried for each in self.consequences)


@dataclass(frozen=True)
class _Standing:
    """A standing entry and the state after it. `ruling` is None if people accepted the dice as they lay."""

    entry: Entry
    state: GameState
    ruling: Ruling | None

    @property
    def sentence(self) -> str:
        return sentence_of(self.entry, self.ruling) if self.ruling else AS_THEY_LIE


def with_faces(action: Action, faces: Sequence[OtherFace]) -> Action:
    """Return an action whose dice show these faces instead. Raises ValueError for a die that it does not have."""
    for face in faces:
        action = with_face(action, face.old, face.new)
    return action


def what_if(match: Match, entry: int, faces: Sequence[OtherFace]) -> WhatIf:
    """Return what follows if dice of an entry had shown these faces. Raises LookupError where it does not stand.

    A later entry by which hands moved such a die moved it with its other face up, where only that is legal.
    """
    rows = [row for row in _rows(match) if row.entry.number >= entry]
    if not rows or rows[0].entry.number != entry or rows[0].ruling is None:
        raise LookupError(say("entry {entry} is no action that stands", entry=entry))
    before = _before(match, entry)
    action = with_faces(rows[0].ruling.action, faces)
    consequences, entries, state = list[Consequence](), list[Entry](), before
    for row in rows:
        after, played = _ruled_again(match.game, state, row, faces, action if row is rows[0] else None)
        carried = row is not rows[0] and played != (row.ruling.action if row.ruling else row.entry.action)
        consequences.append(_consequence(row, state, after, carried=carried))
        if isinstance(after, Refusal):
            break
        entries.append(replace(row.entry, action=played))
        state = after if isinstance(after, GameState) else after.state
    differing = tuple(each for each in consequences if each.differs)
    return WhatIf(entry, action, match.state, state, differing, tuple(entries))


def _rows(match: Match) -> Iterator[_Standing]:
    """The standing entries in order."""
    played = [_Standing(entry, ruling.state, ruling) for entry, ruling in match.standing]
    laid = [_Standing(entry, state, None) for entry, state in match.replay.laid]
    yield from sorted((*played, *laid), key=lambda row: row.entry.number)


def _before(match: Match, entry: int) -> GameState:
    earlier = [row.state for row in _rows(match) if row.entry.number < entry]
    return earlier[-1] if earlier else match.start


def _ruled_again(
    game: Game, state: GameState, row: _Standing, faces: Sequence[OtherFace], instead: Action | None
) -> tuple[Ruling | GameState | Refusal, Action | None]:
    """Rule on an entry from another state; return what comes of it, and what it plays then."""
    if row.ruling is None:
        outcome = go_on(game, state, read_laid(row.entry.note))
        return (outcome if isinstance(outcome, Refusal) else outcome[0]), row.entry.action
    action = instead or row.ruling.action
    ruling = judge(game, state, action)
    if ruling.refusal and instead is None and action.verb in game.by_hand:
        ruling = _carried(game, state, action, faces) or ruling
    return ruling.refusal or ruling, ruling.action


def _carried(game: Game, state: GameState, action: Action, faces: Sequence[OtherFace]) -> Ruling | None:
    """Rule on what hands moved with the first of these faces up, or the first two, and so on; None if none is legal."""
    for face in faces:
        if face.old in action.dice:
            action = with_face(action, face.old, face.new)
            if not (ruling := judge(game, state, action)).refusal:
                return ruling
    return None


def _consequence(
    row: _Standing, before: GameState, after: Ruling | GameState | Refusal, *, carried: bool
) -> Consequence:
    if isinstance(after, Refusal):
        return Consequence(row.entry.number, row.sentence, "", row.state.scores, before.scores, after)
    if isinstance(after, GameState):
        return Consequence(row.entry.number, row.sentence, AS_THEY_LIE, row.state.scores, after.scores)
    then = sentence_of(row.entry, after)
    return Consequence(row.entry.number, row.sentence, then, row.state.scores, after.state.scores, carried=carried)
