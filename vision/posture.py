"""Tell by the geometry of the calibrated plane how a die lies: it looks like a flat die there, or it does not.

The plane gives the camera, and so the line of sight to each die: of a flat die the camera sees the sides that face it,
by a known amount. A leaning die shows more of one side and less of the opposite one; one that stands on another is
larger, and more of it, or of the lower die, is seen. A small network sees the die warped onto the plane of a flat die's
top face, and next to it where a flat die would be.

How large the dice are they tell themselves (`vision.die_size`): a wrong edge would make all of them seem to lean.
Without a calibrated plane nothing is decided: the answer is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.detection import POSTURES, agreed_posture
from vision.die_size import SURE_SIGHTING, edge_now
from vision.frames import Pixels
from vision.model_file import load_model, softmax
from vision.observations import DieSighting, Posture
from vision.rectification import PlaneCamera, TrayView, camera_over
from vision.tray_calibration import Calibration

Floats = npt.NDArray[np.float32]

SIDE, PER_EDGE = 64, 24
"""Pixels a side of the straightened picture, and pixels for an edge of the die: it reaches 1.3 edges to each side."""
PLANES = 5
"""Of what the network sees: three colours, and where a flat die's top face and all of it would be."""
TOLD = 6
"""What the network tells besides the logits of POSTURES: the departure of the die's axis from a flat one's (2), how far
its top face lies from the middle (2), both in edges, the logarithm of its edge by that of the plane's dice, and the
logit that a die is there."""
LONGEST_LOGIT = 6.0
CLEARLY_FLAT = 0.9
"""A die that is flat with less, by the network's first look, is looked at from all four sides: it has no upper edge."""


@dataclass(frozen=True, eq=False)
class TopPlane:
    """The plane in which the top faces of flat dice lie: the table's, the camera over it, and the edge of the dice."""

    table: Calibration
    camera: PlaneCamera
    edge_mm: float


@dataclass(frozen=True, eq=False)
class StraightDie:
    """A die in the plane of a flat die's top face, turned with the die: there all flat dice show the same square.

    pixels: uint8, (SIDE, SIDE, 3), BGR. sight: the line of sight in the die's axes: how far the foot of a flat die is
    seen from its top face, as a share of its edge, float32, (2,). foot: how large it is seen by the top face.
    """

    pixels: Pixels
    sight: Floats
    foot: float

    def seen(self) -> Floats:
        """Return what the network sees of it, float32, (PLANES, SIDE, SIDE), 0 to 1."""
        colours = self.pixels.astype(np.float32).transpose(2, 0, 1) / 255
        return np.concatenate([colours, flat_die(self.sight, self.foot)])


def straightened(pixels: Pixels, plane: TopPlane, sighting: DieSighting) -> StraightDie:
    """Return a die of a frame (BGR)."""
    to_frame, sight = warp_of(plane, sighting)
    flags, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (2 * SIDE, 2 * SIDE)
    fine = cv2.warpPerspective(pixels, to_frame, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    small = np.asarray(cv2.resize(fine, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)
    return StraightDie(small, sight, 1 - plane.edge_mm / plane.camera.height_mm)


def warp_of(plane: TopPlane, sighting: DieSighting) -> tuple[npt.NDArray[np.float64], Floats]:
    """Return the homography from a straightened die, at twice its resolution, to the frame, and the line of sight."""
    camera, edge_mm = plane.camera, plane.edge_mm
    foot, height = np.array(camera.eye_mm[:2]), camera.height_mm
    centre = foot + (np.array([sighting.x_mm, sighting.y_mm]) - foot) * (height - edge_mm) / height
    turn = top_axes(sighting)
    step = edge_mm / (2 * PER_EDGE)
    corner = centre - turn @ np.full(2, (SIDE - 0.5) * step)
    to_plane = np.vstack([np.column_stack([step * turn, corner]), [0, 0, 1]])
    to_frame = np.linalg.inv(plane.table.to_mm) @ camera.plane_at(edge_mm) @ to_plane
    return to_frame, (turn.T @ (foot - centre) / height).astype(np.float32)


def top_axes(sighting: DieSighting) -> npt.NDArray[np.float64]:
    """Return the axes of a die's top face in the tray as columns, (2, 2)."""
    angle = np.radians(sighting.turned_degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def flat_die(sight: Floats, foot: float) -> Floats:
    """Return where a flat die's top face and all of it would be, float32, (2, SIDE, SIDE), 0 or 1; see StraightDie."""
    top = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], np.float32)
    flat, fine = np.zeros((2, SIDE, SIDE), np.float32), 2**_FINE_BITS
    for plane, corners in zip(flat, (top, cv2.convexHull(np.concatenate([top, foot * top + sight]))), strict=True):
        at = (corners.reshape(-1, 2) * PER_EDGE + (SIDE - 1) / 2) * fine
        cv2.fillConvexPoly(plane, np.rint(at).astype(np.int32), (1.0,), cv2.LINE_8, _FINE_BITS)
    return flat


_FINE_BITS = 4
"""Binary places of corners that are drawn."""


@dataclass(frozen=True)
class NetworkPosture:
    """What finder and reader say of a sighting: its own posture is the finder's; probability (0 to 1) of flat."""

    sighting: DieSighting
    flat_probability: float


class PostureModel:
    """The network with its card. Several threads may use one: nothing in it changes.

    presence, decision: of the card, weights of the signs of a die and of the evidence, which make probabilities of
    them. askew_from: a die does not lie flat if the probability of that reaches this.
    """

    def __init__(self, weights: Path, threads: int = 1) -> None:
        self._session, card = load_model(weights, threads)
        self._presence = np.array(card["presence"], np.float32)
        self._decision = np.array(card["decision"], np.float32).reshape(-1, len(POSTURES))
        self.askew_from = float(card["askew_from"])

    def squared(self, pixels: Pixels, plane: TopPlane, sightings: Sequence[DieSighting]) -> list[DieSighting]:
        """Return the sightings of a frame (BGR) with their squares on the top faces, off which a finder's are a tenth.

        Their confidence is the probability that a die is there, by the finder and by what is seen around the square.
        """
        told = self._told([straightened(pixels, plane, one) for one in sightings])
        off = told[:, len(POSTURES) + 2 : -1]
        there = 1 / (1 + np.exp(-_signs(sightings, told) @ self._presence))
        sure = there >= min(SURE_SIGHTING, there.max())
        larger = float(np.exp(np.median(off[sure, -1])))
        moved = (_moved(plane, *one, larger) for one in zip(sightings, off, strict=True))
        return [replace(one, confidence=float(of)) for one, of in zip(moved, there, strict=True)]

    def signs_of_a_die(self, pixels: Pixels, plane: TopPlane, sightings: Sequence[DieSighting]) -> Floats:
        """Return what tells that a die is there, the logits of the finder and of this network, and 1, (n, 3)."""
        return _signs(sightings, self._told([straightened(pixels, plane, one) for one in sightings]))

    def evidence(self, pixels: Pixels, plane: TopPlane, told: Sequence[NetworkPosture]) -> Floats:
        """Return what is known of each die of a frame (BGR), float32, (n, evidence).

        The network's logits of POSTURES and the departure of the die's axis from a flat one's, in edges; what the
        reader says; and how far the line of sight may be off, since the focal length is.
        """
        dice = [straightened(pixels, plane, one.sighting) for one in told]
        found = self._told(dice)
        doubted = np.nonzero(softmax(found[:, : len(POSTURES)])[:, 0] < CLEARLY_FLAT)[0]
        if len(doubted):
            some = [dice[n] for n in doubted]
            found[doubted] = np.mean([found[doubted], *(self._told(some, quarters) for quarters in (1, 2, 3))], axis=0)
        departure = np.linalg.norm(found[:, len(POSTURES) : len(POSTURES) + 2], axis=1)
        slack = plane.camera.focal_spread * np.array([np.linalg.norm(one.sight) for one in dice])
        flat = np.clip([one.flat_probability for one in told], 1e-6, 1 - 1e-6)
        doubt = np.clip(np.log((1 - flat) / flat), -LONGEST_LOGIT, LONGEST_LOGIT)
        columns = [found[:, : len(POSTURES)], departure, doubt, slack, slack * departure]
        return np.column_stack(columns).astype(np.float32)

    def _told(self, dice: Sequence[StraightDie], quarters: int = 0) -> Floats:
        """Return the logits of POSTURES and TOLD for each die, float32, (n, 3 + TOLD), seen turned by quarters."""
        seen = np.ascontiguousarray(np.rot90(np.stack([one.seen() for one in dice]), quarters, (2, 3)))
        told = np.array(self._session.run(None, {"dice": seen})[0], np.float32)
        vectors = told[:, len(POSTURES) : len(POSTURES) + 4]  # the departure, and how far the top is off: turned back
        turn = np.complex64(1j**quarters)
        vectors[:] = (np.ascontiguousarray(vectors).view(np.complex64) * turn).view(np.float32)
        return told

    def decide(self, evidence: Floats) -> list[tuple[Posture, float]]:
        """Return the posture by the evidence, FLAT unless another is likely enough, and the probability of FLAT."""
        return [
            (POSTURES[1 + int(row[1:].argmax())] if 1 - row[0] >= self.askew_from else Posture.FLAT, float(row[0]))
            for row in decided(evidence, self._decision)
        ]


def _signs(sightings: Sequence[DieSighting], told: Floats) -> Floats:
    sure = np.clip([one.confidence for one in sightings], 0.01, 0.99)
    return np.column_stack([np.log(sure / (1 - sure)), told[:, -1], np.ones(len(told))]).astype(np.float32)


def _moved(plane: TopPlane, sighting: DieSighting, off: Floats, larger: float) -> DieSighting:
    """Return a sighting moved to the top face, which is off by so much; see TOLD.

    larger: the edge of the table's dice by that of the plane's.
    """
    height, edge_mm = plane.camera.height_mm, larger * plane.edge_mm
    ahead = top_axes(sighting) @ off[:2] * plane.edge_mm * height / (height - plane.edge_mm)
    x_mm, y_mm = sighting.x_mm + float(ahead[0]), sighting.y_mm + float(ahead[1])
    x, y = cv2.perspectiveTransform(np.array([[[x_mm, y_mm]]]), np.linalg.inv(plane.table.to_mm))[0, 0]
    on_table = edge_mm * height / (height - edge_mm)
    moved = replace(sighting, x_mm=x_mm, y_mm=y_mm, x=float(x), y=float(y))
    return replace(moved, edge_mm=on_table, edge=sighting.edge * on_table / sighting.edge_mm)


def decided(evidence: Floats, decision: Floats) -> Floats:
    """Return the probabilities of POSTURES by evidence, (n, evidence), and a card's decision, (evidence + 1, 3)."""
    return softmax(np.asarray(np.column_stack([evidence, np.ones(len(evidence))]) @ decision, np.float32))


def squared(model: PostureModel | None, view: TrayView, sightings: Sequence[DieSighting]) -> list[DieSighting]:
    """Return the sightings with their squares on the top faces, where a model and a plane tell where those are."""
    plane = top_plane(view.calibration, sightings, view.edge_mm)
    return [*sightings] if model is None or plane is None else model.squared(view.frame.pixels, plane, sightings)


def with_postures(model: PostureModel | None, view: TrayView, dice: Sequence[NetworkPosture]) -> list[DieSighting]:
    """Return the sightings with how the dice lie; without a model, a plane or an edge by the networks alone."""
    plane = top_plane(view.calibration, [one.sighting for one in dice], view.edge_mm)
    if model is None or plane is None:
        return [without_plane(one) for one in dice]
    told = model.decide(model.evidence(view.frame.pixels, plane, dice))
    return [replace(one.sighting, posture=how, flat=flat) for one, (how, flat) in zip(dice, told, strict=True)]


def top_plane(
    table: Calibration | None, sightings: Sequence[DieSighting], known_edge_mm: float | None
) -> TopPlane | None:
    """Return the plane of flat dice that are sighted on a table; None without a table or an edge."""
    edge_mm = edge_now(sightings, table, known_edge_mm) if table is not None and sightings else None
    return None if table is None or edge_mm is None else TopPlane(table, camera_over(table), edge_mm)


def without_plane(one: NetworkPosture) -> DieSighting:
    """Return the sighting with the networks' posture, UNKNOWN in place of FLAT: without a plane nobody can tell."""
    posture = agreed_posture(one.sighting.posture, one.flat_probability)
    return replace(one.sighting, posture=Posture.UNKNOWN if posture is Posture.FLAT else posture)
