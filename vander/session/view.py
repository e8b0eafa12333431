"""What the tablet is shown: dice with their titles, offers, questions. Pure functions from what the table knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.dice import Die, DieKind, DieSet, FaceName, KindName, Seen, SeenDie, Zone
from referee.game import Action, DiePosition, judge
from referee.journal import Source
from referee.snapshot import Offer, Question, ShownDie
from referee.umpire import Explanation
from vander.session.match import IllegalAction, Match
from vision.observations import Observation, TrackedDie

Way = tuple[tuple[Action, Source], ...]
"""Actions in their order, each with who says that it happened."""


@dataclass(frozen=True)
class Asked:
    """A question that is open; `ways` are what its first answers stand for, where it asks what happened.

    `breach` is what the answer stands for that says none of the ways happened: its sentence and its rule.
    """

    question: Question
    ways: tuple[Way, ...] = ()
    breach: tuple[str, str] = ("", "")

    def like(self, other: Asked) -> bool:
        """Whether both ask the same, whatever their numbers and pictures."""
        return self == replace(other, question=replace(other.question, **self._label()))

    def _label(self) -> dict[str, Any]:
        return {"number": self.question.number, "picture": self.question.picture}


def shown_dice(dice: DieSet, observation: Observation, seen: Seen, crops: Mapping[int, str]) -> tuple[ShownDie, ...]:
    """The dice as the tablet shows them: `seen` has the last word on faces, `crops` names the pictures."""
    tracked = {die.number: die for die in observation.dice}
    return tuple(_shown(dice, tracked[die.number], die, crops.get(die.number, "")) for die in seen.dice)


def _shown(dice: DieSet, tracked: TrackedDie, seen: SeenDie, crop: str) -> ShownDie:
    face, confidence = seen.faces[0] if seen.faces else (FaceName(""), 0.0)
    if len(seen.faces) > 1:
        confidence = min(confidence, 0.5)
    return ShownDie(
        number=seen.number,
        kind=seen.kind,
        face=face,
        title=title_of(dice, seen.kind, face),
        confidence=round(confidence, 2),
        zone=str(seen.zone),
        posture=str(tracked.reading.sighting.posture),
        crop=crop,
        faces=faces_of(dice, seen.kind),
    )


def title_of(dice: DieSet, kind: KindName, face: FaceName) -> str:
    """What a person calls a face; the face's own name when the set does not have it."""
    return next((side.title for known in _named(dice, kind) for side in known.sides if side.name == face), str(face))


def faces_of(dice: DieSet, kind: KindName) -> tuple[str, ...]:
    """The faces that a die may be corrected to: those of its kind first, then the other kinds' own."""
    others = (face for known in dice.kinds for face in known.faces)
    return tuple(dict.fromkeys((*(face for known in _named(dice, kind) for face in known.faces), *others)))


def kind_with(dice: DieSet, kind: KindName, face: str) -> KindName | None:
    """The kind of a die that shows this face: its own when it has the face, else the first that does, else None."""
    kinds = (*_named(dice, kind), *dice.kinds)
    return next((known.name for known in kinds if face in known.faces), None)


def _named(dice: DieSet, kind: KindName) -> tuple[DieKind, ...]:
    return tuple(known for known in dice.kinds if known.name == kind)


def offers(match: Match, bay: bool, blind: bool = False) -> tuple[Offer, ...]:
    """What may be done now; of the ways to move dice by hand the dearest first.

    While nobody sees the tray (`blind`) what hands do there is tapped.
    """
    actions = match.game.legal(match.state)
    places = {verb: place for place, verb in enumerate(dict.fromkeys(action.verb for action in actions))}
    ordered = sorted(actions, key=lambda action: (places[action.verb], -_worth(match, action)))
    return tuple(
        Offer(action, match.game.offer_title(match.state, action), _by_tap(match, action, bay, blind))
        for action in ordered
    )


def _worth(match: Match, action: Action) -> int:
    """What the turn is worth after dice were moved by hand."""
    if action.verb not in match.game.by_hand:
        return 0
    return match.game.turn_points(match.game.play(match.state, action)[0])


def supposed(match: Match, pending: Sequence[Action]) -> Match:
    """The match as it will be once what hands did is ruled on."""
    try:
        return match.play([(action, Source.CAMERA) for action in pending])
    except IllegalAction:
        return match


def pause(match: Match, action: Action) -> str:
    """Why a tapped action waits a moment before it counts, '' where nobody may interrupt it."""
    legal = judge(match.game, match.state, action).refusal is None
    return match.game.pause(match.state, action) if legal else ""


def _by_tap(match: Match, action: Action, bay: bool, blind: bool) -> bool:
    moved = action.verb in match.game.by_hand and not blind and (bay or not _needs_bay(match, action))
    return not moved and not action.is_throw


def _needs_bay(match: Match, action: Action) -> bool:
    """Whether dice moved by hand are told from the others by where they lie; else the next throw tells them apart."""
    layout = match.game.lay(match.game.play(match.state, action)[0])
    return not layout or any(lying.zone is Zone.ASIDE for lying in layout)


def face_question(dice: DieSet, die: SeenDie, picture: str) -> Question:
    """Ask what a die shows: the likely faces first, then the kind's others."""
    faces = dict.fromkeys((*(face for face, _ in die.faces), *_kind_faces(dice, die.kind)))
    choices = tuple((str(face), title_of(dice, die.kind, face)) for face in faces)
    return Question(0, "What does this die show?", choices, picture, die.number)


def _kind_faces(dice: DieSet, kind: KindName) -> Iterable[FaceName]:
    return (face for known in _named(dice, kind) for face in known.faces)


def possible(dice: DieSet, observation: Observation, bay: bool) -> Seen:
    """The table as far as it can be: no faces that a die's kind does not have, no doubtful dice beyond the set's count.

    The reader weighs all drawings it knows, and the finder may take a mark on the tray for a die.
    """
    seen, beyond = observation.seen(bay), _beyond(dice, observation)
    return replace(seen, dice=tuple(_possible(dice, die) for die in seen.dice if die.number not in beyond))


def _beyond(dice: DieSet, observation: Observation) -> set[int]:
    """The doubtful dice of a kind where leaving just these out makes the count right."""
    beyond: set[int] = set()
    for kind, count in dice.counts:
        alike = [die for die in observation.dice if die.reading.kind == kind.name]
        doubtful = {die.number for die in alike if not die.reading.accepted}
        beyond |= doubtful if len(alike) - len(doubtful) == count else set()
    return beyond


def _possible(dice: DieSet, die: SeenDie) -> SeenDie:
    kind = next(iter(_named(dice, die.kind)), None)
    faces = tuple((face, share) for face, share in die.faces if kind and face in kind.faces)
    return replace(die, faces=faces or die.faces)


def said(seen: Seen, words: Mapping[int, tuple[int, Die]]) -> Seen:
    """The table with the faces that people gave, each for the throw that it was said of."""
    return replace(seen, dice=tuple(_said(die, words) for die in seen.dice))


def _said(die: SeenDie, words: Mapping[int, tuple[int, Die]]) -> SeenDie:
    throw, word = words.get(die.number, (-1, die.die))
    if throw != die.throw or word.face is None:
        return die
    return replace(die, kind=word.kind, faces=((word.face, 1.0),), cocked=False)


def likeness(seen: Seen | None) -> object:
    """What two looks at the table must share for nothing that matters to have changed."""
    if seen is None:
        return None
    return seen.throw, tuple((d.number, d.die, len(d.faces) > 1, d.zone, d.throw, d.cocked) for d in seen.dice)


def lying(seen: Seen) -> tuple[DiePosition, ...]:
    """How the dice in the tray lie; without a bay their places say nothing."""
    inside = [die for die in seen.dice if die.zone is not Zone.OUT]
    return tuple(DiePosition(die.die, die.zone if seen.bay else None) for die in inside)


def lay_before(seen: Seen, since: int) -> bool:
    """Whether a die lies inside the tray that was not thrown since that throw: what it shows counts for the rules."""
    return any(die.zone is not Zone.OUT and die.throw <= since for die in seen.dice)


def also_thrown(seen: Seen, since: int) -> Iterable[tuple[SeenDie, Seen]]:
    """Each die on the field that was not thrown since that throw, and the table as it would be had it been.

    A die that comes to rest where one lay, with the same face, looks like one that nobody touched.
    """
    for die in seen.dice:
        if die.zone is Zone.FIELD and die.throw <= since:
            thrown = replace(die, throw=seen.throw)
            yield die, replace(seen, dice=tuple(thrown if other is die else other for other in seen.dice))


def sources(explained: Explanation, tapped: Action | None, source: Source = Source.TABLET) -> tuple[Way, ...]:
    """The ways, with who says so of each action: the last one is that source's when it is what was tapped."""
    return tuple(tuple(_said_by(way, tapped, source)) for way in explained.ways)


def _said_by(way: tuple[Action, ...], tapped: Action | None, source: Source) -> Iterable[tuple[Action, Source]]:
    for place, action in enumerate(way, 1):
        by_tap = place == len(way) and action == tapped
        yield action, source if by_tap else Source.CAMERA
