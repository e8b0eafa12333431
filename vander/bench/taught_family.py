"""Teach a family's dice before its first game, by their first pictures in the labelled folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from referee.dice import FaceName, KindName
from vander.bench.first_game import Place
from vander.bench.game_throws import FamilyGame, GameThrow
from vander.bench.photo_scores import LabelError, LabelledDie
from vander.resources.vision_models import LoadedModels
from vision.classification import Reader
from vision.die_crops import RotatedSquare, crop, rotation_in_frame
from vision.fewshot import Example, Lesson
from vision.fewshot_eval import fit_lesson
from vision.frames import Frame, Pixels
from vision.kind_assignment import KindFace
from vision.observations import DieSighting
from vision.rectification import TrayView, rectify, unrectified_view
from vision.tray_calibration import TrayLayout, locate


@dataclass(frozen=True)
class TeachingPlan:
    """So many pictures of each face, of one kind or (kind '') of all."""

    pictures: int
    kind: str = ""


@dataclass(frozen=True, eq=False)
class TaughtFamily:
    """A reader with a lesson, and the dice that taught it, which are not to be scored."""

    reader: Reader
    shown: frozenset[Place]


def teach(game: FamilyGame, models: LoadedModels, plan: TeachingPlan) -> TaughtFamily:
    """Return the reader with a lesson of the first dice of each face. Raises LabelError for an unknown kind."""
    if plan.kind and plan.kind not in {str(kind.name) for kind in game.dice.kinds}:
        kinds = ", ".join(str(kind.name) for kind in game.dice.kinds)
        raise LabelError(f"the dice of {game.dice.title} have no kind {plan.kind!r}; there are {kinds}")
    shown = dict(_first_dice(game, plan))
    examples = list(_examples(game, models, shown))
    prior = Lesson.from_examples(models.plda, examples).unknown_prior(game.dice)
    lesson = fit_lesson(models.plda, examples, prior).lesson if examples else None
    return TaughtFamily(models.reader.with_lesson(lesson), frozenset(shown))


def _first_dice(game: FamilyGame, plan: TeachingPlan) -> Iterator[tuple[Place, KindFace]]:
    seen = Counter[KindFace]()
    for number, throw in enumerate(game.throws, 1):
        for n, die in enumerate(throw.label.dice):
            shows = KindName(die.kind), FaceName(die.face)
            if throw.lay[n] is None and plan.kind in ("", die.kind) and seen[shows] < plan.pictures:
                seen[shows] += 1
                yield (number, n), shows


def _examples(game: FamilyGame, models: LoadedModels, shown: dict[Place, KindFace]) -> Iterator[Example]:
    for number, throw in enumerate(game.throws, 1):
        wanted = {n: shows for (of, n), shows in shown.items() if of == number}
        crops = _crops(throw, wanted, models) if wanted else {}
        if crops:
            embeddings = models.plda.project(models.reader.features(list(crops.values())))
            for n, embedding in zip(crops, embeddings, strict=True):
                yield Example(embedding, wanted[n], "taught", str(number))


def _crops(throw: GameThrow, wanted: dict[int, KindFace], models: LoadedModels) -> dict[int, Pixels]:
    """Return the upright crops of the wanted dice that the finder finds, by their place in the label."""
    frame = Frame(throw.load(), 1, 0.0)
    calibration, _ = locate(frame, TrayLayout(), None)
    view = unrectified_view(frame) if calibration is None else rectify(frame, calibration)
    sightings = models.finder.find(view)
    near = {n: _nearest(throw.label.dice[n], sightings) for n in wanted}
    return {n: _upright(view, sighting) for n, sighting in near.items() if sighting is not None}


def _nearest(die: LabelledDie, sightings: tuple[DieSighting, ...]) -> DieSighting | None:
    def away(one: DieSighting) -> float:
        return max(abs(one.x - die.x), abs(one.y - die.y))

    near = min(sightings, key=away, default=None)
    return near if near is not None and away(near) <= die.edge / 3 else None


def _upright(view: TrayView, sighting: DieSighting) -> Pixels:
    place = RotatedSquare(sighting.x, sighting.y, sighting.edge, rotation_in_frame(sighting, view))
    return crop(view.frame.pixels, place)
