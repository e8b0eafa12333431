"""What lies in the tray, in the referee's words: what a camera can have seen, what people said, what is thrown next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from models.dataset.samples import DieOfThrow, StatedFaces
from referee.actions import Action, DiePosition
from referee.dice import DieKind, DieSet, FaceName, Handling, KindName, Seen, SeenDie, Zone, closest_pairs
from referee.umpire import RethrowDue
from referee.umpire.tables import dice_inside, how_far
from vander.table.match import Match
from vander.table.session_state import SessionState
from vision.observations import Observation, TrackedDie

# What lies there


def named_kinds(dice: DieSet, kind: KindName) -> tuple[DieKind, ...]:
    """Return the kind of that name, or nothing where the set does not have it."""
    return tuple(known for known in dice.kinds if known.name == kind)


def title_of(dice: DieSet, kind: KindName, face: FaceName) -> str:
    """Return what a person calls a face; the face's own name when the set does not have it."""
    return dice.face_title(kind, face)


def faces_of(dice: DieSet, kind: KindName) -> tuple[FaceName, ...]:
    """Return the faces that a die of a kind may show: those of all kinds where its own is not known."""
    kinds = tuple(named_kinds(dice, kind)) or dice.kinds
    return tuple(dict.fromkeys(face for known in kinds for face in known.faces))


UNREAD_BELOW = 0.3
"""A die whose likeliest face has a lower probability (0 to 1) may show any face of its kind."""


def as_seen(state: SessionState, observation: Observation) -> Seen:
    """Return what lies in the tray: as far as it can be, and with what people said of it."""
    possible = plausible(state.dice, observation, state.config.bay and observation.calibrated)
    return with_stated(with_kinds_left(possible, state.table.kinds_left), state.table.stated)


def plausible(dice: DieSet, observation: Observation, bay: bool) -> Seen:
    """Return the table as far as it can be: no faces that a die's kind does not have, no doubtful dice beyond the set.

    The reader weighs all faces that it knows, and the finder may take a mark on the tray for a die. A die that cannot
    be read is of the kind of which one is missing, and no stranger.
    """
    seen, missing = observation.seen(bay), _missing_kinds(dice, observation)
    beyond = set[int]() if missing else _beyond(dice, observation)
    named = (replace(die, kind=missing.get(die.number, die.kind)) for die in seen.dice if die.number not in beyond)
    return replace(seen, dice=tuple(_plausible_die(dice, die, is_unread=die.number in missing) for die in named))


def _missing_kinds(dice: DieSet, observation: Observation) -> Mapping[int, KindName]:
    """Return doubtful dice of kinds of which there are too many, with the one kind of which as many are missing."""
    counts = Counter(die.reading.kind for die in observation.dice)
    missing = [kind.name for kind, count in dice.counts for _ in range(count - counts[kind.name])]
    if len(set(missing)) != 1 or len(observation.dice) > sum(count for _, count in dice.counts):
        return {}
    unread = sorted((die for die in observation.dice if _is_unread(die)), key=lambda die: die.reading.confidence)
    excess = {kind: counts[kind] - dice.count(kind) for kind in counts}
    too_many = [die for kind in counts for die in _of_kind(unread, kind)[: max(excess[kind], 0)]]
    return {die.number: missing[0] for die in too_many[: len(missing)]}


def _is_unread(die: TrackedDie) -> bool:
    """True if neither the face nor the kind of a die was accepted; a doubt between kinds alone is asked as such."""
    return not die.reading.face_accepted and die.reading.kind_accepted


def _of_kind(dice: Sequence[TrackedDie], kind: KindName) -> Sequence[TrackedDie]:
    return [die for die in dice if die.reading.kind == kind]


def _beyond(dice: DieSet, observation: Observation) -> set[int]:
    """The doubtful dice of a kind where leaving just these out makes the count right."""
    beyond: set[int] = set()
    for kind, count in dice.counts:
        alike = [die for die in observation.dice if die.reading.kind == kind.name]
        doubtful = {die.number for die in alike if not (die.reading.accepted or die.reading.only_kind_doubted)}
        beyond |= doubtful if len(alike) - len(doubtful) == count else set()
    return beyond


def _plausible_die(dice: DieSet, die: SeenDie, *, is_unread: bool) -> SeenDie:
    kind = next(iter(named_kinds(dice, die.kind)), None)
    faces = tuple((face, share) for face, share in die.faces if kind and face in kind.faces)
    kinds = tuple((name, share) for name, share in die.kinds if named_kinds(dice, name))
    if kind and (is_unread or (die.faces and die.faces[0][1] < UNREAD_BELOW)):
        faces = _any_face(kind, dict(faces))
    return replace(die, faces=faces or die.faces, kinds=kinds)


def _any_face(kind: DieKind, shares: Mapping[FaceName, float]) -> tuple[tuple[FaceName, float], ...]:
    """Return all faces of a kind, the likeliest first: each may be the one of a die that cannot be read."""
    even = 1.0 / len(kind.faces)
    return tuple(
        (face, max(shares.get(face, 0.0), even)) for face in sorted(kind.faces, key=lambda f: -shares.get(f, 0))
    )


def with_kinds_left(seen: Seen, left: Mapping[DieOfThrow, tuple[KindName, ...]]) -> Seen:
    """Return the table with the kinds that dice may still be of after what people said, each for its throw."""
    return replace(seen, dice=tuple(_with_kinds_left(die, left) for die in seen.dice))


def _with_kinds_left(die: SeenDie, left: Mapping[DieOfThrow, tuple[KindName, ...]]) -> SeenDie:
    possible = left.get((die.number, die.throw))
    if possible is None:
        return die
    kind = die.kind if die.kind in possible else possible[0]
    kinds = tuple((name, share) for name, share in die.kinds if name in possible)
    return replace(die, kind=kind, kinds=kinds if len(possible) > 1 else ())


def with_stated(seen: Seen, stated: StatedFaces) -> Seen:
    """Return the table with the faces that people stated, each for the throw that it was said of."""
    return replace(seen, dice=tuple(_with_stated(die, stated) for die in seen.dice))


def _with_stated(die: SeenDie, stated: StatedFaces) -> SeenDie:
    throw, shown = stated.get(die.number, (-1, die.die))
    if throw != die.throw or shown.face is None:
        return die
    return replace(die, kind=shown.kind, faces=((shown.face, 1.0),), cocked=False)


def likeness(seen: Seen | None) -> object:
    """Return what two views of the table must share for nothing that matters to have changed."""
    if seen is None:
        return None
    return seen.throw, tuple(
        (die.number, die.die, len(die.faces) > 1, bool(die.kinds), die.zone, die.throw, die.cocked, die.handled)
        for die in seen.dice
    )


def positions(seen: Seen) -> tuple[DiePosition, ...]:
    """Return how the dice in the tray lie; without a bay their zones say nothing."""
    inside = [die for die in seen.dice if die.zone is not Zone.OUT]
    return tuple(DiePosition(die.die, die.zone if seen.bay else None) for die in inside)


def has_old_dice(seen: Seen, since: int) -> bool:
    """True if a die lies inside the tray that was not thrown since that throw: what it shows counts for the rules."""
    return any(die.zone is not Zone.OUT and die.throw <= since for die in seen.dice)


# What is to be thrown


def dice_to_throw(match: Match, action: Action, seen: Seen) -> tuple[int, ...]:
    """Return the numbers of the dice that a throw takes up; () where it throws none, and where dice are missing.

    Of equal dice the one that lies nearest to what the rules say is taken: by face and place, by face, by kind.
    """
    positions = match.game.thrown(match.state, action)
    taken = closest_pairs(dice_inside(seen), positions, how_far)
    return tuple(sorted(die.number for die, _ in taken)) if len(taken) == len(positions) else ()


def thrown_again(match: Match, action: Action, ruled: Seen | None, seen: Seen) -> tuple[int, ...]:
    """Return the dice of a throw that is made again, as one of them left the tray; () where none did.

    They are those thrown since the last ruling, wherever they lie now; where these are too many, those that lie outside
    and as many of the others as the throw takes. Of a die that nobody sees there is no number.
    """
    if ruled is None:
        return ()
    dice, wanted = match.start.dice, Counter(die.kind for die in action.dice)
    thrown = [die for die in seen.dice if die.throw > ruled.throw]
    inside = Counter(die.kind for die in dice_inside(seen))
    has_left = any(inside[kind] < dice.count(kind) for kind in wanted)
    has_left |= any(die.handled is Handling.RETURNED for die in thrown)
    if not has_left or not thrown:
        return ()
    if Counter(die.kind for die in thrown) <= wanted:
        return tuple(sorted(die.number for die in thrown))
    outside = [die for die in seen.dice if die.zone is Zone.OUT]
    near = [die for die, _ in closest_pairs(dice_inside(seen), match.game.thrown(match.state, action), how_far)]
    again = (
        die.number
        for kind, count in wanted.items()
        for die in [one for one in (*outside, *near) if one.kind == kind][:count]
    )
    return tuple(sorted(again))


def leaning_dice(due: RethrowDue | None, ruled: Seen | None, seen: Seen) -> tuple[int, ...]:
    """Return the numbers of the thrown dice that lean and are to be thrown again before anything else."""
    if due is None or ruled is None:
        return ()
    thrown = {die.number for die in due.table.dice if die.cocked and die.throw > ruled.throw}
    lean = (die.number for die in seen.dice if die.cocked and die.zone is not Zone.OUT)
    return tuple(sorted(thrown.intersection(lean)))
