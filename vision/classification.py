"""Read dice: two networks and what the table taught say which face and kind each shows, weighed with the set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from enum import Enum, auto
from itertools import starmap
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.dice import DieSet, FaceName
from referee.sentences import say
from vision import kinds
from vision.bodies import BodyColour, body_colour, paper_light
from vision.detection import SIMILAR_SIZE_FACTOR, without_doubles
from vision.fewshot import UNKNOWN_PRIOR, Lesson, PldaModel, unknown_share
from vision.frames import Pixels
from vision.model_file import BrokenModel, Floats, load_model, network_input, rotated, softmax
from vision.observations import LEANING, DieReading, DieSighting
from vision.posture import NetworkPosture, PostureModel, squared, with_postures
from vision.rectification import INPUT_SIDE, TrayView, upright_crop
from vision.table_evidence import DieFeatures, FaceEvidence, FusedFaces, TableEvidence, fuse_faces, joined, table_bodies

# The second network, which looks at doubted dice
#
# Its word stands in place of the reader's. How sure it may be is chosen on pictures that are neither trained nor scored
# on: weighed together with the reader it asked about a third more of another renderer's dice, and erred no less.

SCALES = (0.92, 1.0, 1.09)
"""How much the die is enlarged in each view: the finder errs by that much."""

NONE_CAP = 0.75
"""Highest probability of no face that a second look gives a die: below what the reader leaves out."""

QUARTERS = range(4)
"""Quarter turns of each view from above: a die has no upper edge."""
SHIFTS = (-0.08, 0.08)
"""How far up and down an oblique view is shifted, as a share of the crop: the finder errs towards the sides."""


KNOWN_FROM = 0.8
"""Probability from which on the reader knows a face among those that an oblique camera sees."""


class Look(Enum):
    """How something is looked at again.

    Not at all; as seen from above; as seen by an oblique camera; and so right below another top, whose side it may be.
    """

    NONE = auto()
    FROM_ABOVE = auto()
    OBLIQUE = auto()
    OBLIQUE_SIDE = auto()


@dataclass(frozen=True)
class SecondLookSettings:
    """The values of the second look's card.

    temperature: divides its logits. veto_temperature: divides them where they say that no face is there. doubt_below:
    dice whose likeliest drawing has less by the reader are looked at again. cap: highest probability of a drawing
    afterwards.
    """

    temperature: float
    veto_temperature: float
    doubt_below: float
    cap: float

    @classmethod
    def from_card(cls, card: Mapping[str, str | float]) -> SecondLookSettings:
        """Return the settings that a card holds."""
        return cls(*(float(card[field.name]) for field in fields(cls)))


class SecondLook:
    """Look again at doubtful dice. Several threads may use one: nothing in it changes."""

    def __init__(self, weights: Path, threads: int = 1) -> None:
        self._session, card = load_model(weights, threads)
        if tuple(card["classes"]) != kinds.CLASSES:
            raise BrokenModel(
                say("the model {weights} knows other faces than this program; install it again", weights=weights)
            )
        self._settings = SecondLookSettings.from_card(card)

    @property
    def cap(self) -> float:
        """Highest probability (0 to 1) of a drawing after a second look."""
        return self._settings.cap

    def probabilities(self, crops: Sequence[Pixels]) -> Floats:
        """Return the probabilities of CLASSES for upright crops, float32 (n, CLASSES), from the mean of all views."""
        return softmax(self.logits(crops))

    def logits(self, crops: Sequence[Pixels], *, oblique: bool = False) -> Floats:
        """Return the mean logits of all views, float32 (n, CLASSES).

        Of `oblique` crops, whose sides are below their tops, no quarter turns are looked at.
        """
        if oblique:
            views = [rescaled(crop, scale, shift) for scale in SCALES for shift in SHIFTS for crop in crops]
        else:
            views = [rotated(rescaled(crop, scale), turn) for scale in SCALES for turn in QUARTERS for crop in crops]
        seen = self._session.run(["faces"], {"crops": network_input(views)})[0]
        return np.asarray(seen.reshape(-1, len(crops), len(kinds.CLASSES)).mean(axis=0), np.float32)

    def settle(self, crops: Sequence[Pixels], classes: Floats, looks: Sequence[Look]) -> Floats:
        """Return the reader's probabilities of CLASSES, (n, CLASSES), with those of dice looked at again.

        `looks` says how each is to be looked at. From above only what is in doubt is.
        """
        is_clear = classes.max(axis=1) >= self._settings.doubt_below
        above = [n for n, look in enumerate(looks) if look is Look.FROM_ABOVE and not is_clear[n]]
        oblique = [n for n, look in enumerate(looks) if look in {Look.OBLIQUE, Look.OBLIQUE_SIDE}]
        settled = classes.copy() if above or oblique else classes
        if above:
            settled[above] = combined(classes[above], self.logits([crops[n] for n in above]), self._settings)
        if oblique:
            logits = self.logits([crops[n] for n in oblique], oblique=True)
            is_side = np.array([looks[n] is Look.OBLIQUE_SIDE for n in oblique])
            settled[oblique] = combined_oblique(classes[oblique], logits, is_side, self._settings)
        return settled


def combined(first: Floats, logits: Floats, settings: SecondLookSettings) -> Floats:
    """Return probabilities by the second look's mean logits, each (n, CLASSES); what the reader (`first`) saw is there.

    What was a die at first stays one: a doubt ends in a question, not in a die that is left out.
    """
    return _doubted(first, logits, softmax(logits / settings.veto_temperature), settings)


def combined_oblique(
    first: Floats, logits: Floats, is_side: npt.NDArray[np.bool_], settings: SecondLookSettings
) -> Floats:
    """Return the same for what an oblique camera sees, where the reader takes sides for tops.

    `is_side`, (n,), is True below another die's top: there the second look may tell that no face is there at all.
    Where the reader knows not one of the faces, its doubts count: the picture may show no dice, but large print.
    """
    seen = softmax(logits / settings.veto_temperature)
    knows_none = not (first[:, :-1].max(axis=1) >= KNOWN_FROM).any()
    doubted = _doubted(first, logits, np.maximum(seen, first) if knows_none else seen, settings)
    return np.where((is_side & (seen[:, -1] > NONE_CAP))[:, None], seen, doubted)


def _doubted(first: Floats, logits: Floats, doubts: Floats, settings: SecondLookSettings) -> Floats:
    seen = softmax(logits / settings.temperature)
    return capped(vetoed(seen, doubts, np.maximum(first[:, -1], NONE_CAP)), settings.cap)


def vetoed(joint: Floats, doubts: Floats, most: Floats) -> Floats:
    """Return probabilities that are no surer of a face than the doubts of a die allow.

    joint, doubts: (n, classes), the last being none. most: (n,), the highest probability of none.
    """
    none = np.minimum(np.maximum(joint[:, -1], doubts[:, -1]), most)[:, None]
    faces = joint[:, :-1] / np.maximum(joint[:, :-1].sum(axis=1, keepdims=True), 1e-9)
    return np.asarray(np.concatenate([faces * (1 - none), none], axis=1), np.float32)


def capped(probabilities: Floats, cap: float) -> Floats:
    """Return probabilities of which none exceeds `cap`: what is above it goes to the others, in equal parts."""
    best = probabilities.max(axis=1, keepdims=True)
    over = np.maximum(best - cap, 0.0)
    others = over / (probabilities.shape[1] - 1)
    return np.asarray(np.where((probabilities == best) & (over > 0), cap, probabilities + others), np.float32)


def rescaled(crop: Pixels, scale: float, shift: float = 0.0) -> Pixels:
    """Return a crop with its centre enlarged and shifted down; what is missing at the border is mirrored."""
    if scale == 1.0 and not shift:
        return crop
    turn = cv2.getRotationMatrix2D(((INPUT_SIDE - 1) / 2,) * 2, 0.0, scale)
    turn[1, 2] += shift * INPUT_SIDE
    size = (INPUT_SIDE, INPUT_SIDE)
    return np.asarray(cv2.warpAffine(crop, turn, size, borderMode=cv2.BORDER_REFLECT_101), np.uint8)


# Reading the dice of a view
#
# The network knows drawings (`vision.kinds.CLASSES`); the die set says what a drawing means on its dice.
# Training uses the same cropping (`vision.rectification.crop`).

DOUBTED = 0.5
"""Probability that a die is there where the finder doubts it and nothing else tells; above it, it counts as a die."""
SURELY = 0.95
"""Probability from which on a die is there by the tray's plane, whatever it shows."""
MIN_FACE_PROBABILITY, MIN_SIGHTING_CONFIDENCE = 0.05, 0.6
"""A sighting below both is left out."""

PART_EDGES = 0.6
"""Edges of the larger die within which the centre of a smaller sighting is a part of it."""

SIDE_EDGES, ASIDE_EDGES = (0.35, 1.5), 0.7
"""Edges from the middle of a top face to that of a side of the same die, downwards and aside."""

PARTIAL_LESSON_THRESHOLD = 0.95
"""Lowest acceptance threshold for dice of which a lesson does not know every face: an unknown face may be shown."""

RECOGNISED_BELOW = 0.02
"""If P(unknown) is below this, treat the sighting as one of the learned dice."""

UNCOVERED_PROBABILITY = 1e-6
"""Probability of a face that neither a drawing nor a lesson knows, so that a person can still be offered it."""

UNCOVERED = FaceName("")
"""Stands for whichever of those faces it is."""


@dataclass(frozen=True)
class ReaderSettings:
    """The values of the reader's card; all but the first are probabilities or confidences, 0 to 1.

    temperature: divides the face logits (temperature scaling, Guo et al. 2017). accept_from: a reading is accepted from
    this probability on. glance_from: a crop whose best class has less is read from all four sides.
    untrayed_from: the finder's confidence from which on a die is there in a picture without a tray, in which anything
    may lie. side_from: the same for what lies right below another top, where the side of that die would be. die_from:
    a sighting whose probability of being no die, or of showing no face, exceeds this is left out.
    """

    temperature: float
    accept_from: float
    glance_from: float
    untrayed_from: float
    side_from: float
    die_from: float

    @classmethod
    def from_card(cls, card: Mapping[str, str | float]) -> ReaderSettings:
        """Return the settings that a card holds."""
        names = ("temperature", "accept_from", "glance_from", "untrayed_from", "side_from", "die_from")
        return cls(*(float(card[name]) for name in names))


@dataclass(frozen=True, eq=False)
class ClassifiedCrop:
    """Outputs of the networks for one sighting.

    crop: uint8, BGR, upright. class_probabilities: float32, of CLASSES. posture_probabilities: float32, of POSTURES.
    there: probability that a die is there. evidence: what the table's examples say of it; None without any. body: its
    body's colour, where that tells kinds with equal faces apart. is_vouched: True if the finder doubts it, and the
    count of the set shows that it is a die.
    """

    sighting: DieSighting
    crop: Pixels
    class_probabilities: Floats
    posture_probabilities: Floats
    there: float
    evidence: FaceEvidence | None = None
    body: BodyColour | None = None
    is_vouched: bool = False

    @property
    def none_probability(self) -> float:
        """Probability that nothing known is shown: neither one of CLASSES nor a learned face."""
        none = float(self.class_probabilities[-1])
        return none if self.evidence is None else min(none, self.evidence.unknown)

    @property
    def is_recognised(self) -> bool:
        """True if an example surely shows the same face, so that it is a die even where the finder doubts it."""
        return self.evidence is not None and self.evidence.unknown < RECOGNISED_BELOW

    @property
    def weight(self) -> float:
        """Probability that a die is there, with what the table knows of it."""
        return 1.0 if self.is_recognised or self.is_vouched else self.there

    @property
    def is_die(self) -> bool:
        """True if it is likelier than not that a die is there."""
        return self.weight > DOUBTED

    @property
    def score(self) -> float:
        """Confidence that a die is there, of finder and reader together, 0 to 1."""
        return self.sighting.confidence * (1.0 - self.none_probability)


class Reader:
    """Read sightings with the reader network and, where it is in doubt, with a second look.

    Several threads may use one reader: nothing in it changes, and its ONNX session may run in all of them. A die has no
    upper edge, so a crop that is not clear at first is read from all four sides. A reading is accepted if the die does
    not lean, is likelier there than not, and the probability of its face reaches `accept_from` of the card. With a
    lesson or evidence of the table, both network and examples weigh (`vision.table_evidence`).
    """

    def __init__(
        self,
        weights: Path,
        threads: int = 1,
        second: SecondLook | None = None,
        posture_model: PostureModel | None = None,
    ) -> None:
        self._session, card = load_model(weights, threads)
        self._posture_model = posture_model
        if tuple(card["classes"]) != kinds.CLASSES:
            raise BrokenModel(
                say("the model {weights} knows other faces than this program; install it again", weights=weights)
            )
        self._settings = ReaderSettings.from_card(card)
        self._second = second
        self._rejects = True
        self._lesson: Lesson | None = None
        self._played: TableEvidence | None = None
        self._evidence: TableEvidence | None = None
        self.version = str(card["sha256"])[:12]
        """Leading hex digits of the weights' SHA-256."""

    @property
    def accept_from(self) -> float:
        """Probability (0 to 1) from which on a reading is accepted."""
        return self._settings.accept_from

    def with_lesson(self, lesson: Lesson | None) -> Reader:
        """Return a reader that uses this lesson instead of its own, or none."""
        return self._with(lesson, self._played)

    def with_evidence(self, evidence: TableEvidence | None) -> Reader:
        """Return a reader that weighs these examples of the table, or none, next to its lesson."""
        return self._with(self._lesson, evidence)

    def _with(self, lesson: Lesson | None, played: TableEvidence | None) -> Reader:
        other = copy(self)
        other._lesson, other._played = lesson, played
        other._evidence = joined(lesson, played)
        return other

    def without_rejection(self) -> Reader:
        """Return a reader that keeps every sighting: unknown dice, to be captured, may look like no die."""
        other = copy(self)
        other._rejects = False
        return other

    def probabilities(self, crops: Sequence[Pixels]) -> Floats:
        """Return the probabilities of CLASSES for upright crops as they are first seen, float32 (n, CLASSES)."""
        return self._run(crops)[0]

    def features(self, crops: Sequence[Pixels]) -> Floats:
        """Return the features of upright crops, float32 (n, features), averaged over four sides, of length 1."""
        return _unit_mean([self._run([rotated(one, quarters) for one in crops])[2] for quarters in range(4)])

    def describe(self, crops: Sequence[Pixels], plda: PldaModel) -> list[DieFeatures]:
        """Return what is remembered of dice instead of their upright crops, averaged over four sides."""
        if not crops:
            return []
        turns = [self._run([rotated(one, quarters) for one in crops]) for quarters in range(4)]
        classes = np.mean([turn[0] for turn in turns], axis=0)
        embeddings = plda.project(_unit_mean([turn[2] for turn in turns])).astype(np.float32)
        bodies = [np.array(body_colour(one, None).as_numbers(), np.float32) for one in crops]
        return [DieFeatures(*row) for row in zip(embeddings, classes, bodies, strict=True)]

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        """Return a reading for each sighting that is a die; what the network takes for no face is left out.

        With a die set all dice are weighed together, since it has only so many of each kind.
        """
        classified = self._with_postures(self._vouched(self.dice_among(view, sightings, dice), dice), view)
        if not classified:
            return ()
        classified = with_bodies(classified, view, dice)
        marginals = self._assigned(classified, dice)
        unaided = marginals
        if any(starmap(_is_lifted, zip(classified, marginals, strict=True))):
            unaided = self._assigned([replace(one, evidence=None, body=None) for one in classified], dice)
        readings = (self._reading(*row, dice) for row in zip(classified, marginals, unaided, strict=True))
        return tuple(reading for reading in readings if not (self._rejects and is_unlikely_die(reading)))

    def dice_among(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> list[ClassifiedCrop]:
        """Return what the networks say of each sighting that is a die; its posture is the finder's.

        What shows no known face is none, unless the plane tells that it is, or it makes the set complete: its drawing
        may be one that nobody taught.
        """
        squares, limit = squared(self._posture_model, view, sightings), self._settings.die_from
        if not self._rejects:  # dice that nobody taught: what the finder takes for a die may be one
            pairs = zip(squares, sightings, strict=True)
            squares = [replace(to, confidence=max(to.confidence, one.confidence)) for to, one in pairs]
        classified = self.classify(view, without_doubles(squares), dice)
        classified = [one for one in classified if 1 - one.weight <= limit]
        kept = drop_parts([one for one in classified if one.none_probability <= limit or not self._rejects])
        left_out = [one for one in drop_parts(classified) if not any(one is other for other in kept)]
        by_plane = self._sees_lying(view)
        others = [
            kinds.SightedDie(
                one.sighting.edge_mm, one.none_probability, one.weight >= SURELY if by_plane else one.is_die
            )
            for one in left_out
        ]
        missing = kinds.missing_dice([*map(self._sighted, kept)], others, dice, by_plane=by_plane)
        return [*kept, *(one for one, is_missing in zip(left_out, missing, strict=True) if is_missing)]

    def _vouched(self, classified: Sequence[ClassifiedCrop], dice: DieSet | None) -> list[ClassifiedCrop]:
        """Return the crops with those marked that the finder doubts, and that make the set complete."""
        vouched = zip(classified, kinds.vouched_dice([*map(self._sighted, classified)], dice), strict=True)
        return [replace(one, is_vouched=True) if is_vouched else one for one, is_vouched in vouched]

    def _sighted(self, one: ClassifiedCrop) -> kinds.SightedDie:
        return kinds.SightedDie(one.sighting.edge_mm, one.none_probability, one.is_die)

    def _with_postures(self, classified: Sequence[ClassifiedCrop], view: TrayView) -> list[ClassifiedCrop]:
        told = [NetworkPosture(one.sighting, float(one.posture_probabilities[0])) for one in classified]
        sightings = with_postures(self._posture_model, view, told)
        return [replace(one, sighting=lying) for one, lying in zip(classified, sightings, strict=True)]

    def _assigned(self, classified: Sequence[ClassifiedCrop], dice: DieSet | None) -> list[dict[kinds.KindFace, float]]:
        """Return the probabilities of kinds and faces of dice that lie together."""
        rows = [self._weighted_faces(one, dice) for one in classified]
        faces, nones = [row[0] for row in rows], [row[1] for row in rows]
        bodies = [one.body for one in classified if one.body is not None]
        learned = table_bodies(self._evidence, kinds.kinds_alike(dice)) if bodies and self._evidence and dice else None
        return faces if dice is None else kinds.assign_kinds(faces, nones, dice, bodies, learned)

    def _weighted_faces(self, one: ClassifiedCrop, dice: DieSet | None) -> tuple[dict[kinds.KindFace, float], float]:
        """Return the face probabilities times the weight of the finder's confidence, and P(no die).

        Where examples alone know faces of the dice, what is missing to 1 is a foreign die: they weigh both.
        """
        weight, fused = one.weight, self._fused(one, dice)
        faces = {face: weight * probability for face, probability in self.face_probabilities(one, dice).items()}
        if fused.by_examples:
            return faces, max(0.0, 1.0 - sum(faces.values()))
        return faces, 1.0 - weight * (
            1.0 - min(one.none_probability, fused.others * float(one.class_probabilities[-1]))
        )

    def face_probabilities(self, one: ClassifiedCrop, dice: DieSet | None) -> dict[kinds.KindFace, float]:
        """Return the probability of each kind and face for one die alone, by the network and the examples.

        Where the set has faces that neither covers, what is left over goes to UNCOVERED of their kinds: it may be any
        of those, so no other is taken for granted.
        """
        fused = self._fused(one, dice)
        uncovered = [face for face in kinds.all_faces(dice) if face not in fused.faces]
        none = float(one.class_probabilities[-1])
        drawn = kinds.face_probabilities(one.class_probabilities, dice)
        rest = fused.others * max(0.0, 1.0 - sum(drawn.values()) - none)
        of_kind = Counter(kind for kind, _ in uncovered)
        unnamed = {(kind, UNCOVERED): rest * count / len(uncovered) for kind, count in of_kind.items()}
        return {**fused.faces, **dict.fromkeys(uncovered, UNCOVERED_PROBABILITY), **unnamed}

    def _fused(self, one: ClassifiedCrop, dice: DieSet | None) -> FusedFaces:
        return fuse_faces(kinds.face_probabilities(one.class_probabilities, dice), one.evidence)

    def classify(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> list[ClassifiedCrop]:
        """Run the network on each sighting, from all four sides where the first view is not clear."""
        if not sightings:
            return []
        crops = [upright_crop(view, one) for one in sightings]
        classes, postures, features = self._run(crops)
        weighed = self._weigh(features, dice)
        again = np.nonzero([not self._is_clear(*row) for row in zip(classes, weighed, strict=True)])[0]
        if len(again):
            turns = [self._run([rotated(crops[n], quarters) for n in again]) for quarters in (1, 2, 3)]
            for first, others in zip((classes, postures), ([turn[k] for turn in turns] for k in (0, 1)), strict=True):
                first[again] = np.mean([first[again], *others], axis=0)
            mean = _unit_mean([features[again], *(turn[2] for turn in turns)])
            for n, evidence in zip(again, self._weigh(mean, dice), strict=True):
                weighed[n] = evidence
        looks = self._looks(view, sightings, weighed)
        if self._second is not None:
            classes = self._second.settle(crops, classes, looks)
        if self._evidence is not None:
            classes = self._evidence.believed(classes, weighed)
        there = [self._there(view, *row) for row in zip(sightings, looks, strict=True)]
        return [ClassifiedCrop(*row) for row in zip(sightings, crops, classes, postures, there, weighed, strict=True)]

    def _there(self, view: TrayView, one: DieSighting, look: Look) -> float:
        """Return the probability that a die is there; by the finder alone 1, or DOUBTED for what it doubts."""
        if self._sees_lying(view):
            return one.confidence
        return 1.0 if one.confidence >= self.sure_from(view, look) else DOUBTED

    def _sees_lying(self, view: TrayView) -> bool:
        """True if the plane of a tray tells how dice lie, and whether they are there at all."""
        return self._posture_model is not None and view.calibration is not None

    def sure_from(self, view: TrayView, look: Look = Look.NONE) -> float:
        """Return the confidence (0 to 1) from which on a sighting in a view is surely a die."""
        if view.calibration is not None:
            return DOUBTED
        return self._settings.side_from if look is Look.OBLIQUE_SIDE else self._settings.untrayed_from

    def _looks(
        self, view: TrayView, sightings: Sequence[DieSighting], weighed: Sequence[FaceEvidence | None]
    ) -> list[Look]:
        """Return how each is to be looked at again: what is surely there and no example recognises."""
        surely = [one for one in sightings if one.confidence >= self.sure_from(view)]
        recognised = [evidence is not None and evidence.unknown < RECOGNISED_BELOW for evidence in weighed]
        return [
            _look_at(view, one, surely) if one in surely and not is_known else Look.NONE
            for one, is_known in zip(sightings, recognised, strict=True)
        ]

    def _weigh(self, features: Floats, dice: DieSet | None) -> list[FaceEvidence | None]:
        """Return what the table's examples say of features (n, features); None without examples."""
        if self._evidence is None:
            return [None] * len(features)
        return [*self._evidence.of(self._evidence.plda.project(features), dice)]

    def _is_clear(self, classes: Floats, evidence: FaceEvidence | None) -> bool:
        """True if one view is enough: the network is sure, and no example contradicts it."""
        best = int(classes.argmax())
        return float(classes[best]) >= self._settings.glance_from and (
            evidence is None or evidence.agrees(kinds.lookalikes(kinds.CLASSES[best]))
        )

    def _run(self, crops: Sequence[Pixels]) -> tuple[Floats, Floats, Floats]:
        """Return the probabilities of CLASSES and of POSTURES, and the features, each (n, ...)."""
        names = ["faces", "postures", "features"]
        logits, postures, features = self._session.run(names, {"crops": network_input(crops)})
        return softmax(logits / self._settings.temperature), softmax(postures), features

    def _reading(
        self,
        one: ClassifiedCrop,
        marginals: Mapping[kinds.KindFace, float],
        unaided: Mapping[kinds.KindFace, float],
        dice: DieSet | None,
    ) -> DieReading:
        """Return the reading; `unaided` are the probabilities by the network alone."""
        (face, best), *others = _by_face(marginals)
        of = kinds.read_kind(marginals, face)
        surely = best >= self._threshold((of.kind, face), dice) and self._may_accept(one, face, unaided)
        certain = one.sighting.posture not in LEANING and surely and one.is_die
        runners_up = tuple((other, float(probability)) for other, probability in others if probability >= 0.001)[:4]
        return DieReading(
            one.sighting,
            of.kind,
            face,
            round(float(best), 4),
            accepted=certain and of.accepted,
            runners_up=runners_up,
            kind_confidence=of.confidence,
            kinds=of.others,
            kind_accepted=of.accepted,
            only_kind_doubted=certain and not of.accepted,
            body=one.body.as_numbers() if one.body else (),
        )

    def _may_accept(self, one: ClassifiedCrop, face: FaceName, unaided: Mapping[kinds.KindFace, float]) -> bool:
        """True if a person answered with this face before, or the network accepts it unaided."""
        if one.evidence is None or face in one.evidence.log_ratios:
            return True
        ((first, probability), *_) = _by_face(unaided)
        return first == face and probability >= self._settings.accept_from

    def _threshold(self, kind_face: kinds.KindFace, dice: DieSet | None) -> float:
        """Return the acceptance threshold of a face; one that only examples know has theirs, higher if some lack."""
        if self._evidence is None or kind_face in kinds.drawn_faces(dice) or kind_face not in self._evidence.faces:
            return self._settings.accept_from
        accept_from = self._evidence.accept_from or self._evidence.plda.accept_from
        is_complete = unknown_share(self._evidence.faces, dice) <= UNKNOWN_PRIOR
        return accept_from if is_complete else max(accept_from, PARTIAL_LESSON_THRESHOLD)


def _look_at(view: TrayView, one: DieSighting, others: Sequence[DieSighting]) -> Look:
    """Return how a sighting is to be looked at again."""
    sight = view.sight_at(one.x_mm, one.y_mm)
    if not sight.may_be_oblique:
        return Look.FROM_ABOVE
    way = sight.down / np.linalg.norm(sight.down)
    return Look.OBLIQUE_SIDE if any(_is_below(one, other, way) for other in others) else Look.OBLIQUE


def _is_below(one: DieSighting, other: DieSighting, way: npt.NDArray[np.float64]) -> bool:
    """True if a sighting lies where the side of another's die is seen; `way`, (2,), points from tops to feet."""
    away = np.array([one.x_mm - other.x_mm, one.y_mm - other.y_mm]) / max(one.edge_mm, other.edge_mm)
    along, aside = float(away @ way), float(abs(away @ (-way[1], way[0])))
    return SIDE_EDGES[0] < along < SIDE_EDGES[1] and aside < ASIDE_EDGES


def _is_lifted(one: ClassifiedCrop, marginals: Mapping[kinds.KindFace, float]) -> bool:
    """True if evidence changed the probabilities of a die whose likeliest face has none itself."""
    ratios = one.evidence.log_ratios if one.evidence else {}
    return any(ratios.values()) and _by_face(marginals)[0][0] not in ratios


def _by_face(marginals: Mapping[kinds.KindFace, float]) -> list[tuple[FaceName, float]]:
    """Return the probabilities of the named faces, whatever the kind, likeliest first."""
    faces: dict[FaceName, float] = {}
    for (_, face), probability in marginals.items():
        if face != UNCOVERED:
            faces[face] = faces.get(face, 0.0) + probability
    return sorted(faces.items(), key=lambda item: -item[1])


def with_bodies(classified: Sequence[ClassifiedCrop], view: TrayView, dice: DieSet | None) -> list[ClassifiedCrop]:
    """Return the crops with the colours of their bodies, if kinds of the set have equal faces."""
    if dice is None or not kinds.kinds_alike(dice):
        return [*classified]
    light = paper_light(view)
    papers = [light.at(one.sighting) if light else None for one in classified]
    return [replace(one, body=_body(one, paper)) for one, paper in zip(classified, papers, strict=True)]


def _body(one: ClassifiedCrop, paper: npt.NDArray[np.float64] | None) -> BodyColour:
    """Return the colour of a die's body, the less sure the less its face can be read: glare hides both."""
    body = body_colour(one.crop, paper)
    return replace(body, purity=body.purity * float(one.class_probabilities[:-1].max()))


def is_unlikely_die(reading: DieReading) -> bool:
    """True if neither the finder is sure of a die nor any face is likely: a key, a tile or a coin."""
    return reading.confidence < MIN_FACE_PROBABILITY and reading.sighting.confidence < MIN_SIGHTING_CONFIDENCE


def drop_parts(classified: Sequence[ClassifiedCrop]) -> list[ClassifiedCrop]:
    """Return the crops by falling score, without the pips of a larger die and the crowds of smaller dice."""
    kept: list[ClassifiedCrop] = []
    for one in sorted(classified, key=lambda crop: -crop.score):
        if not any(_one_in_the_other(one.sighting, other.sighting) for other in kept):
            kept.append(one)
    return kept


def _one_in_the_other(one: DieSighting, other: DieSighting) -> bool:
    small, large = sorted((one.edge, other.edge))
    distance = np.hypot(one.x - other.x, one.y - other.y)
    return large > SIMILAR_SIZE_FACTOR * small and bool(distance < PART_EDGES * large)


def _unit_mean(features: Sequence[Floats]) -> Floats:
    """Return the mean of several (n, features), each row scaled to length 1."""
    mean = np.mean(features, axis=0)
    return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True), np.float32)
