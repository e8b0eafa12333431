"""Teach a family's dice before its first game, by their first pictures in the labelled folder."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from models.dataset import FaceLabel, NewSample
from referee.dice import FaceName, KindName
from referee.refused import Refused
from vander.bench.first_game import Place
from vander.bench.game_throws import FamilyGame, GameThrow
from vander.bench.photo_scores import LabelError, LabelledDie
from vander.bench.play_table import PlayTable
from vander.bench.throw_images import view_of
from vision.detection import Finder
from vision.kinds import KindFace
from vision.observations import DieSighting
from vision.rectification import cut_with_surroundings, rotation_in_frame

SESSION = "taught"
BY = "guided capture"


@dataclass(frozen=True)
class TeachingPlan:
    """So many pictures of each face, of one kind or (kind '') of all."""

    pictures: int
    kind: str = ""


def teach(game: FamilyGame, table: PlayTable, finder: Finder, plan: TeachingPlan) -> frozenset[Place]:
    """Teach a table the first dice of each face, and return them: they are not to be scored.

    Raises LabelError for an unknown kind, and where the table does not learn from so few.
    """
    if plan.kind and plan.kind not in {str(kind.name) for kind in game.dice.kinds}:
        kinds = ", ".join(str(kind.name) for kind in game.dice.kinds)
        raise LabelError(f"the dice of {game.dice.title} have no kind {plan.kind!r}; there are {kinds}")
    shown = dict(_first_dice(game, plan))
    by_throw = defaultdict[int, dict[int, KindFace]](dict)
    for (number, n), shows in shown.items():
        by_throw[number][n] = shows
    samples = table.stores.samples
    session = samples.start_session(game.dice.name, "guided", SESSION)
    for number, wanted in by_throw.items():
        samples.save(session, game.dice.name, None, list(_samples(game.throws[number - 1], wanted, finder)))
    _learn(table, game.dice.name)
    return frozenset(shown)


def _learn(table: PlayTable, name: str) -> None:
    try:
        table.service.teach(name)
    except Refused as refused:
        raise LabelError(f"the dice cannot be taught: {refused}") from None


def _first_dice(game: FamilyGame, plan: TeachingPlan) -> Iterator[tuple[Place, KindFace]]:
    """Yield the first thrown dice of each face with what they show."""
    seen = Counter[KindFace]()
    for number, throw in enumerate(game.throws, 1):
        for n, die in enumerate(throw.label.dice):
            shows = KindName(die.kind), FaceName(die.face)
            if throw.lay[n] is None and plan.kind in ("", die.kind) and seen[shows] < plan.pictures:
                seen[shows] += 1
                yield (number, n), shows


def _samples(throw: GameThrow, wanted: dict[int, KindFace], finder: Finder) -> Iterator[NewSample]:
    """Yield the wanted dice that the finder finds, by their place in the label, as they are captured."""
    pixels = throw.load()
    view = view_of(pixels)
    sightings = finder.find(view)
    for n, (kind, face) in wanted.items():
        sighting = _nearest(throw.label.dice[n], sightings)
        if sighting is not None:
            cut, place = cut_with_surroundings(pixels, sighting, rotation_in_frame(sighting, view))
            yield NewSample(cut, place, label=FaceLabel(str(kind), str(face), BY, datetime.now(UTC)))


def _nearest(die: LabelledDie, sightings: tuple[DieSighting, ...]) -> DieSighting | None:
    def away(one: DieSighting) -> float:
        return max(abs(one.x - die.x), abs(one.y - die.y))

    near = min(sightings, key=away, default=None)
    return near if near is not None and away(near) <= die.edge / 3 else None
