"""Train, ship and score the network that tells by geometry how a die lies (`vision.posture`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress, groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from tqdm import tqdm

from models.training import model_card
from models.training.augmentation import DEVICE, Randomness, recoloured, taken_by_a_camera
from models.training.crops import NO_DIE_BEYOND
from models.training.lying_dice import Array, square_of
from models.training.networks import PARTS, PostureNet, start_from, train
from models.training.posture_truth import PosturePicture, TrueLie
from models.training.reading_scores import share_line
from models.training.recipes import Recipe
from vision.classification import SURELY, Reader
from vision.detection import POSTURES, Finder, transformed
from vision.frame_reader import FrameReader
from vision.frames import Frame
from vision.observations import LEANING, DieSighting
from vision.posture import (
    PER_EDGE,
    PLANES,
    SIDE,
    TOLD,
    NetworkPosture,
    PostureModel,
    StraightDie,
    TopPlane,
    decided,
    flat_die,
    straightened,
    top_axes,
    top_plane,
    warp_of,
    without_plane,
)

Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.uint8]

LEANS_FROM, SURELY_FROM = 3.0, 7.0
"""A die that leans by fewer degrees is flat; between the two the network learns the angle and the parts alone."""
FALSE_ALARMS = 0.002
"""Share of flat choosing dice that may be called leaning: below the 0.5 % to reach, since it is an estimate."""
BANDS = ((5.0, 9.0), (9.0, 15.0), (15.0, 25.0), (25.0, 45.01))
COVERED = 0.3
"""A die of whose top face a larger share is hidden is left out."""
INSIDE_EDGES = 0.75
"""What lies nearer to the picture's border, in edges, is cut off: it is left out, be it a die or not."""
VIEWS = 3
"""How often a die is learned: as the finder saw it, and by squares that are off as a finder's are."""
TURN_DEGREES, SCALE, SHIFT, FARTHER = 3.0, 0.03, 0.05, 4.0
"""Standard deviations of how far those are off: the rotation, the edge, and the place in edges; half of them by so much
more."""
SHARES = {"flat": 0.25, "flat that touches": 0.22, "leaning": 0.26, "stacked": 0.13, "no die": 0.14}
"""How often dice that lie so, and what the finder takes for dice, are drawn."""
DENSE_FROM = 50_000
"""Weights of a fully connected layer that gets eight bits too: one has seven times as many, most of the file."""
UNSURE = -1
"""Posture that the loss ignores."""
PART_WEIGHTS, WEIGHTS, BETA = (0.6, 1.0, 1.5, 0.6), (7.5, 7.5, 5.0, 5.0, 10.0), 0.1
"""Of the parts in the loss, and of the departure and how far the die is off; errors from BETA on count evenly."""


@dataclass(frozen=True, eq=False)
class LearnedView:
    """A die, or what a finder takes for one, as it might see it, and what is to be learned of it.

    told: float32, (TOLD,), as the network tells it, 1 or 0 in place of the logit. parts: uint8, the PARTS of
    (SIDE / 2, SIDE / 2) pixels. posture: its number, or UNSURE. group: how it lies, one of SHARES.
    """

    die: StraightDie
    told: Floats
    parts: Labels
    posture: int
    group: str


@dataclass(frozen=True, eq=False)
class SeenLie:
    """A die that was found in a picture: how it truly lies, in which plane, and what finder and reader say of it."""

    truth: TrueLie
    picture: PosturePicture
    plane: TopPlane
    network: NetworkPosture

    @property
    def sighting(self) -> DieSighting:
        return self.network.sighting

    @property
    def posture(self) -> int:
        return 2 if self.truth.stacked else int(self.truth.lean_degrees >= LEANS_FROM)

    @property
    def learned_posture(self) -> int:
        return UNSURE if self.posture < 2 and LEANS_FROM <= self.truth.lean_degrees < SURELY_FROM else self.posture

    @property
    def group(self) -> str:
        """How it lies, one of SHARES."""
        if self.posture:
            return "stacked" if self.truth.stacked else "leaning"
        return "flat that touches" if self.truth.touches else "flat"


@dataclass(frozen=True, eq=False)
class SeenStray:
    """What the finder takes for a die, such as the side of one, in a picture and its plane."""

    picture: PosturePicture
    plane: TopPlane
    sighting: DieSighting


@dataclass(frozen=True, eq=False)
class FoundLies:
    """The dice that were found in pictures, what else was taken for dice, and how many dice were not found."""

    dice: list[SeenLie]
    strays: list[SeenStray]
    missed: int


def find_lies(pictures: Iterable[PosturePicture], finder: Finder, reader: Reader) -> FoundLies:
    """Return what is found in pictures; what is cut off, and hidden dice, are left out."""
    each = [_lies_in(picture, finder, reader) for picture in tqdm(list(pictures), desc="looking", mininterval=5)]
    dice, strays = ([one for found in each for one in getattr(found, of)] for of in ("dice", "strays"))
    return FoundLies(dice, strays, sum(found.missed for found in each))


def views_to_learn(pictures: Iterable[PosturePicture], finder: Finder, reader: Reader) -> list[LearnedView]:
    """Return VIEWS views of all that is found in pictures."""
    rng = np.random.default_rng(7)
    each = (_lies_in(picture, finder, reader) for picture in tqdm(pictures, desc="looking", mininterval=5))
    return [view for found in each for view in views_of([*found.dice, *found.strays], rng)]


def _lies_in(picture: PosturePicture, finder: Finder, reader: Reader) -> FoundLies:
    frame, layout = Frame(picture.pixels, 1, 0.0), picture.calibration.layout
    view, sightings = FrameReader(finder, reader, None, layout).look(frame, picture.calibration, None)
    told = [
        NetworkPosture(one.sighting, float(one.posture_probabilities[0]))
        for one in reader.dice_among(view, sightings, None)
    ]
    plane = top_plane(picture.calibration, [one.sighting for one in told], None)
    away = [
        one
        for one in sightings
        if not _is_cut(one, picture) and all(_pixels_apart(die, one) > NO_DIE_BEYOND * die.edge for die in picture.dice)
    ]
    found: list[SeenLie] = []
    missed = 0
    for truth in picture.dice:
        if truth.hidden or truth.covered > COVERED or _is_cut(truth, picture):
            continue
        nearest = min(told, key=lambda one: _pixels_apart(truth, one.sighting), default=None)
        if nearest is None or plane is None or _pixels_apart(truth, nearest.sighting) > truth.edge / 2:
            missed += 1
        else:
            found.append(SeenLie(truth, picture, plane, nearest))
    return FoundLies(found, [SeenStray(picture, plane, one) for one in away] if plane else [], missed)


def _is_cut(one: TrueLie | DieSighting, picture: PosturePicture) -> bool:
    height, width = picture.pixels.shape[:2]
    near = INSIDE_EDGES * one.edge
    return not (near < one.x < width - near and near < one.y < height - near)


def _pixels_apart(truth: TrueLie, sighting: DieSighting) -> float:
    return float(np.hypot(truth.x - sighting.x, truth.y - sighting.y))


def _astray(plane: TopPlane, sighting: DieSighting, rng: np.random.Generator) -> tuple[TopPlane, DieSighting]:
    far = FARTHER if rng.random() < 0.5 else 1.0
    x, y = rng.normal(0, far * SHIFT * plane.edge_mm, 2)
    edge_mm, turned = plane.edge_mm * np.exp(rng.normal(0, SCALE)), rng.normal(0, far * TURN_DEGREES)
    moved = replace(
        sighting,
        x_mm=sighting.x_mm + float(x),
        y_mm=sighting.y_mm + float(y),
        turned_degrees=sighting.turned_degrees + float(turned),
    )
    return replace(plane, edge_mm=float(edge_mm)), moved


def views_of(found: Sequence[SeenLie | SeenStray], rng: np.random.Generator) -> list[LearnedView]:
    """Return VIEWS views of all that was found in one picture."""
    solids = _solids_of(found[0].picture) if found else []
    astray = [(one, [_astray(one.plane, one.sighting, rng) for _ in range(VIEWS - 1)]) for one in found]
    return [
        _view_of(one, solids, plane, sighting)
        for one, others in astray
        for plane, sighting in ((one.plane, one.sighting), *others)
    ]


def _view_of(one: SeenLie | SeenStray, solids: Sequence[_Solid], plane: TopPlane, sighting: DieSighting) -> LearnedView:
    """Return a die, or a stray, as it is seen by a plane and a sighting that may be off."""
    straight = straightened(one.picture.pixels, plane, sighting)
    from_frame: Array = np.asarray(np.linalg.inv(warp_of(plane, sighting)[0]))
    if isinstance(one, SeenStray):
        return LearnedView(straight, np.zeros(TOLD, np.float32), _parts(None, solids, from_frame), UNSURE, "no die")
    picture, truth = one.picture, one.truth
    eye, axis, centre = (np.array(vector) for vector in (picture.eye_mm, truth.axis, truth.centre_mm))
    ends = np.array([centre + side * axis * picture.edge_mm / 2 for side in (1, -1)])
    up, down = _seen_at(ends, eye, picture.edge_mm)
    departure = top_axes(sighting).T @ (down - up) / picture.edge_mm - straight.sight
    learned = np.concatenate([departure, _off(truth, from_frame), [1.0]]).astype(np.float32)
    return LearnedView(straight, learned, _parts(truth, solids, from_frame), one.learned_posture, one.group)


def _off(truth: TrueLie, from_frame: Array) -> Floats:
    """Return how far the top face lies from the middle, and the logarithm of its edge, float32, (3,); see TOLD."""
    x, y, edge, _ = square_of(transformed(from_frame, np.array(truth.corners)))
    middle, size = (np.array([x, y]) / (2 * SIDE) - 0.5) * SIDE / PER_EDGE, np.log(edge / (2 * PER_EDGE))
    return np.array([*middle, size], np.float32)


def _seen_at(points: Array, eye: Array, height_mm: float) -> Array:
    """Return where the camera sees points (n, 3) in the plane so high above the table, (n, 2)."""
    reach = (eye[2] - height_mm) / (eye[2] - points[:, 2:])
    return np.asarray(eye[:2] + (points[:, :2] - eye[:2]) * reach)


# The parts of a die, drawn from what is known of all dice of a picture


@dataclass(frozen=True, eq=False)
class _Solid:
    """The faces of a die that the camera sees, each with its part and its corners in pixels, (4, 2)."""

    truth: TrueLie
    faces: tuple[tuple[str, Array], ...]


def _solids_of(picture: PosturePicture) -> list[_Solid]:
    """Return the dice of a picture, the farthest first; without those whose corners were not written down."""
    eye = np.array(picture.eye_mm)
    far = sorted(picture.dice, key=lambda one: -float(np.linalg.norm(np.array(one.centre_mm) - eye)))
    return [_Solid(one, _faces(one, picture)) for one in far if one.corners]


def _faces(truth: TrueLie, picture: PosturePicture) -> tuple[tuple[str, Array], ...]:
    eye, up, centre = (np.array(vector) for vector in (picture.eye_mm, truth.axis, truth.centre_mm))
    half, to_mm = picture.edge_mm / 2, picture.calibration.to_mm
    on_table = np.column_stack([transformed(to_mm, np.array(truth.corners[:2])), np.zeros(2)])
    rays = on_table - eye
    one, other = eye + rays * (((centre + up * half - eye) @ up) / (rays @ up))[:, None]
    right = other - one - up * ((other - one) @ up)
    right /= np.linalg.norm(right)
    axes = (up, right, np.cross(up, right))
    found = []
    for k, normal in enumerate((*axes, *(-axis for axis in axes))):
        middle = centre + normal * half
        if (eye - middle) @ normal <= 0:
            continue
        across, down = (axes[(k + step) % 3] * half for step in (1, 2))
        corners = np.array([middle + a * across + b * down for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        seen = transformed(np.asarray(np.linalg.inv(to_mm)), _seen_at(corners, eye, 0.0))
        found.append(("top" if k == 0 else "side", seen))
    return tuple(found)


_DRAWN, _FINE_BITS, _FAR = 4, 4, 2000.0
"""How much larger parts are drawn than they are learned, binary places of corners, and pixels beyond which a die is
out of sight."""


def _parts(truth: TrueLie | None, solids: Sequence[_Solid], from_frame: Array) -> Labels:
    """Return the PARTS of a straightened die, or of none, at half its resolution."""
    drawn = np.zeros((_DRAWN * SIDE // 2, _DRAWN * SIDE // 2), np.uint8)
    for solid in solids:
        for part, corners in solid.faces:
            at = transformed(from_frame, corners)
            if np.abs(at).max() < _FAR:
                number = PARTS.index(part if solid.truth is truth else "other die")
                fine = np.rint(at * (len(drawn) / (2 * SIDE)) * 2**_FINE_BITS).astype(np.int32)
                cv2.fillConvexPoly(drawn, fine, (number,), cv2.LINE_8, _FINE_BITS)
    return drawn[_DRAWN // 2 :: _DRAWN, _DRAWN // 2 :: _DRAWN].copy()


# Training


class PostureBatches:
    """Batches of dice, those that lie each way as often as SHARES say, mirrored, recoloured and spoiled at random.

    A batch is what the network sees, the posture, what else it tells, and the parts.
    """

    def __init__(self, views: Sequence[LearnedView], recipe: Recipe) -> None:
        self._recipe = recipe
        self._pictures = _stacked([one.die.pixels.transpose(2, 0, 1) for one in views])
        self._flat = _stacked([flat_die(one.die.sight, one.die.foot).astype(np.uint8) for one in views])
        self._parts, self._told = _stacked([one.parts for one in views]), _stacked([one.told for one in views])
        self._postures = torch.tensor([one.posture for one in views], device=DEVICE)
        groups = Counter(one.group for one in views)
        self._weights = torch.tensor([SHARES[one.group] / groups[one.group] for one in views], device=DEVICE)

    def __len__(self) -> int:
        return self._recipe.steps

    def __iter__(self) -> Iterator[list[Tensor]]:
        random = Randomness(self._recipe.batch, self._recipe.seed)
        for _ in range(self._recipe.steps):
            chosen = torch.multinomial(self._weights, random.count, replacement=True, generator=random.generator)
            colours = _other_colours(self._pictures[chosen].float() / 255, random)
            seen = torch.cat([taken_by_a_camera(colours, random, 0.7), self._flat[chosen].float()], 1)
            seen, learned, parts = mirrored(seen, self._told[chosen], self._parts[chosen].long(), random)
            yield [seen, self._postures[chosen], learned, parts]


def _stacked(arrays: Sequence[npt.NDArray[Any]]) -> Tensor:
    return torch.from_numpy(np.stack(arrays)).to(DEVICE)


def _other_colours(seen: Tensor, random: Randomness) -> Tensor:
    """Return the pictures of dice in any colour: none says how a die lies."""
    seen = recoloured(seen, random, torch.ones(random.count, dtype=torch.bool, device=DEVICE))
    some = random.some(0.3)
    order = torch.from_numpy(random.few.permutation(3)).to(DEVICE)
    seen[some] = seen[some][:, order]
    some = random.some(0.1)
    seen[some] = 1 - seen[some]
    return seen


def mirrored(seen: Tensor, learned: Tensor, parts: Tensor, random: Randomness) -> tuple[Tensor, Tensor, Tensor]:
    """Return what is seen and learned of dice, the axes mirrored or swapped: a die has no upper edge."""
    departures, shifts, sizes = learned[:, :2], learned[:, 2:4], learned[:, 4:]
    across, down, swapped = (random.uniform(0, 1) < 0.5 for _ in range(3))
    for chosen, axis in ((across, -1), (down, -2)):
        seen = torch.where(chosen[:, None, None, None], seen.flip(axis), seen)
        parts = torch.where(chosen[:, None, None], parts.flip(axis), parts)
    signs = 1 - 2 * torch.stack([across, down], 1).float()
    vectors = torch.stack([departures * signs, shifts * signs], 1)
    seen = torch.where(swapped[:, None, None, None], seen.transpose(2, 3), seen)
    parts = torch.where(swapped[:, None, None], parts.transpose(1, 2), parts)
    vectors = torch.where(swapped[:, None, None], vectors.flip(2), vectors)
    return seen, torch.cat([vectors.flatten(1), sizes], 1), parts


def batch_loss(net: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Return the loss of a batch, of postures, what else is learned and parts, and its accuracy on postures.

    What is no die has no posture, and is off by nothing.
    """
    dice, postures, learned, parts = batch
    out, shown = net(dice.contiguous(memory_format=torch.channels_last))
    logits, known = out[:, : len(POSTURES)].float(), postures != UNSURE
    named = nn.functional.cross_entropy(logits, postures, ignore_index=UNSURE)
    told, is_die = out[:, len(POSTURES) :].float(), learned[:, -1:]
    apart = nn.functional.smooth_l1_loss(told[:, :-1], learned[:, :-1], beta=BETA, reduction="none") * is_die
    there = nn.functional.binary_cross_entropy_with_logits(told[:, -1:], is_die)
    weights = torch.tensor(PART_WEIGHTS, device=parts.device)
    drawn = nn.functional.cross_entropy(shown.float(), parts, weight=weights)
    right = (logits.argmax(1) == postures).sum() / known.sum().clamp(min=1)
    return named + (apart.mean(0) * torch.tensor(WEIGHTS, device=parts.device)).sum() + there + drawn, right


def fit(views: Sequence[LearnedView], recipe: Recipe, checkpoint: Path, start: Path | None = None) -> PostureNet:
    """Train the network by a recipe, from the weights of an earlier run where there are some."""
    torch.manual_seed(recipe.seed)
    net = PostureNet().to(DEVICE, memory_format=torch.channels_last)
    if start is not None:
        start_from(net, start, torch.empty(0))
    train(net, PostureBatches(views, recipe), batch_loss, recipe, checkpoint)
    return net


def ship(net: PostureNet, found: Sequence[FoundLies], notes: model_card.Entries, to: Path) -> PostureModel:
    """Write the network in eight bits with its card, the decisions fitted on what was found with several renderers.

    The source on which flat dice look most askew decides from which probability on a die is called leaning.
    """
    sources = [one.dice for one in found]
    weights, chosen = to / "posture.onnx", [one for source in sources for one in source]
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "posture.onnx"
        model_card.export_posture(net, whole)
        model_card.quantise(whole, (_first_look(one) for one in chosen[::4]), weights, dense_from=DENSE_FROM)
    entries: model_card.Entries = {
        "name": "posture",
        "purpose": "tells by the geometry of the calibrated plane how a die lies",
        "input": f"a die in the plane of a flat die's top face, {PER_EDGE} pixels an edge, BGR 0..1, and where a flat"
        f" die would be: {PLANES} planes of {SIDE} x {SIDE}",
        **notes,
    }
    model_card.write_card(weights, {**entries, "presence": [1.0, 0.0, 0.0], "decision": [], "askew_from": 1.0})
    presence = fit_presence(PostureModel(weights), found)
    entries = {**entries, "presence": [round(float(one), 5) for one in presence]}
    model_card.write_card(weights, {**entries, "decision": [], "askew_from": 1.0})
    told = [evidence_of(PostureModel(weights), source) for source in sources]
    decision = fit_decision(np.concatenate(told), np.array([one.posture for one in chosen]))
    askew_from = max(_alarming(decided(of, decision), source) for of, source in zip(told, sources, strict=True))
    rows = [round(float(one), 5) for one in decision.ravel()]
    model_card.write_card(weights, {**entries, "decision": rows, "askew_from": round(askew_from, 5)})
    return PostureModel(weights)


def _first_look(die: SeenLie) -> Floats:
    return straightened(die.picture.pixels, die.plane, die.network.sighting).seen()[None]


def evidence_of(model: PostureModel, dice: Sequence[SeenLie]) -> Floats:
    """Return the evidence of each die, float32, (n, evidence)."""
    return np.concatenate([_evidence_in(model, list(some)) for _, some in groupby(dice, lambda one: id(one.picture))])


def _evidence_in(model: PostureModel, dice: Sequence[SeenLie]) -> Floats:
    """Return the evidence of each die of one picture, whose squares the network moves first."""
    pixels, told = dice[0].picture.pixels, [one.network for one in dice]
    squares = model.squared(pixels, dice[0].plane, [one.sighting for one in told])
    plane = top_plane(dice[0].plane.table, squares, None) or dice[0].plane
    moved = [replace(one, sighting=square) for one, square in zip(told, squares, strict=True)]
    return model.evidence(pixels, plane, moved)


def fit_presence(model: PostureModel, found: Sequence[FoundLies]) -> Floats:
    """Return the weights of logistic regression of what is a die; each source counts as much as another."""
    rows, shares, wanted = [], [], []
    for source in found:
        seen: list[SeenLie | SeenStray] = [*source.dice, *source.strays]
        rows.append(
            np.concatenate([model.signs_of_a_die(one.picture.pixels, one.plane, [one.sighting]) for one in seen])
        )
        shares.append(np.full(len(seen), 1 / len(seen)))
        wanted.append(np.arange(len(seen)) < len(source.dice))
    weights, told = np.zeros(rows[0].shape[1], np.float32), np.concatenate(rows)
    share, true = np.concatenate(shares), np.concatenate(wanted)
    for _ in range(4000):
        wrong = share * (1 / (1 + np.exp(-told @ weights)) - true)
        weights -= 0.2 * (told.T @ wrong / len(found) + 1e-3 * weights)
    return weights.astype(np.float32)


def fit_decision(told: Floats, postures: npt.NDArray[np.int_]) -> Floats:
    """Return the weights of multinomial logistic regression, by gradient descent on standardised evidence."""
    mean, scale = told.mean(axis=0), told.std(axis=0) + 1e-6
    standard = ((told - mean) / scale).astype(np.float32)
    rows, wanted = np.column_stack([standard, np.ones(len(told))]), np.eye(len(POSTURES))[postures]
    weights = np.zeros((rows.shape[1], len(POSTURES)), np.float32)
    for _ in range(4000):
        weights -= 0.5 * (rows.T @ (decided(standard, weights) - wanted) / len(rows) + 1e-3 * weights)
    weights[:-1] /= scale[:, None]
    weights[-1] -= mean @ weights[:-1]
    return weights.astype(np.float32)


def _alarming(probabilities: Floats, source: Sequence[SeenLie]) -> float:
    """Return the probability above which no more than FALSE_ALARMS of a source's flat dice lie."""
    flat = np.array([one.posture == 0 for one in source])
    return float(np.quantile(1 - probabilities[flat, 0], 1 - FALSE_ALARMS, method="higher")) + 1e-4


def posture_table(model: PostureModel | None, found: FoundLies) -> str:
    """Return what of dice is seen to lean or to stand on others, by bands, with counts and 95 % intervals.

    Without a model the networks alone decide, as they do without a plane.
    """
    dice, missed = found.dice, found.missed
    sighted = _judged(model, dice)
    askew, may_lean = [one.posture in LEANING for one in sighted], [one.leaning > 0.5 for one in sighted]
    leans = [(f"leans of {low:.0f} to {high:.0f} degrees seen", _leans_within(low, high)) for low, high in BANDS]
    rows: list[tuple[str, Callable[[SeenLie], bool]]] = [
        *leans,
        ("leans of 9 degrees and more seen", _leans_within(9.0, 90.0)),
        ("stacked dice seen", lambda one: one.truth.stacked),
        ("flat dice called leaning or stacked", lambda one: one.posture == 0),
        ("of them touching another or a wall", lambda one: one.posture == 0 and one.truth.touches),
    ]
    lines = [_share(text, compress(askew, map(is_meant, dice))) for text, is_meant in rows]
    if model is not None:
        seen, flat = map(_leans_within(9.0, 90.0), dice), (one.posture == 0 for one in dice)
        lines.append(_share("leans of 9 degrees and more, likelier than not", compress(may_lean, seen)))
        lines.append(_share("flat dice that lean likelier than not", compress(may_lean, flat)))
        lines.append(_share(f"dice that are there with {SURELY:g} and more", _are_there(model, dice)))
        lines.append(_share("what is no die, taken for one so surely", _are_there(model, found.strays)))
    return "\n".join([*lines, f"dice not found at all: {missed} of {missed + len(dice)}"])


def _are_there(model: PostureModel, seen: Sequence[SeenLie | SeenStray]) -> list[bool]:
    return [model.squared(one.picture.pixels, one.plane, [one.sighting])[0].confidence >= SURELY for one in seen]


def _leans_within(low: float, high: float) -> Callable[[SeenLie], bool]:
    return lambda one: not one.truth.stacked and low <= one.truth.lean_degrees < high


def _judged(model: PostureModel | None, dice: Sequence[SeenLie]) -> list[DieSighting]:
    if model is None:
        return [without_plane(one.network) for one in dice]
    told = model.decide(evidence_of(model, dice))
    return [replace(one.network.sighting, posture=how, flat=flat) for one, (how, flat) in zip(dice, told, strict=True)]


def _share(text: str, seen: Iterable[bool]) -> str:
    told = [*seen]
    return share_line(text, sum(told), len(told))
