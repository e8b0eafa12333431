"""How a die came to lie where it lies, by the film of the last burst.

A small network looks at the die's place, near by and farther round, at some times before its face was there and before
all was still. It was fitted on films of which the truth is known (`python -m models.training arrival`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.sentences import say
from vision.background_subtraction import Mask, match_light, motion_mask
from vision.frames import Pixels
from vision.model_file import BrokenModel, Floats, load_model, softmax
from vision.motion import FRAME_JITTER_SECONDS
from vision.motion_burst import BurstFilm


class Way(StrEnum):
    """How a die came to lie where it lies; MOVED: with its face up, TURNED: onto another face."""

    THROWN = "thrown"
    MOVED = "moved"
    TURNED = "turned"
    UNTOUCHED = "untouched"


WAYS = tuple(Way)
SIDE = 20
"""Of each plane that the network sees, in its pixels."""
NEAR_EDGES, FAR_EDGES = 4.0, 12.0
"""Breadths of what it sees, in edges of the die."""
SECONDS_TO_FACE = (-0.1, -0.04, 0.0, 0.034, 0.067, 0.1, 0.15, 0.2, 0.3, 0.45, 0.7)
SECONDS_TO_REST = (0.0, 0.034, 0.067, 0.1, 0.2, 0.35, 0.6, 1.0, 1.6)
"""How long before the face was there, and before its place was still, the network sees it."""
TIMES = len(SECONDS_TO_FACE) + len(SECONDS_TO_REST)
PLANES = 3 * TIMES + 2
NUMBERS = 5
INPUTS = PLANES + NUMBERS
PLACE_EDGES = 0.6
"""Half the breadth of a place, in edges: a die whose centre is within it of where one lay still lies there."""
STILL_SHARE = 0.03
"""A place of which less moves from one picture to another is still."""


@dataclass(frozen=True, eq=False)
class PlaceFilm:
    """What the network sees of one place.

    planes: uint8 (PLANES, SIDE, SIDE), how much pictures differ from the table after the burst near by, and from the
    one before it near by and farther round. numbers: float32 (NUMBERS,). longest_step: seconds between two pictures
    before the die's face was there, at most. arrived_at: when that was, in seconds of the film.
    """

    planes: npt.NDArray[np.uint8]
    numbers: Floats
    longest_step: float
    arrived_at: float = 0.0

    @property
    def seen(self) -> Floats:
        """Return it as the network takes it, float32 (INPUTS, SIDE, SIDE): a number is a plane of its own."""
        flat = np.broadcast_to(self.numbers[:, None, None], (NUMBERS, SIDE, SIDE))
        return np.concatenate([self.planes.astype(np.float32) / 255, flat])


@dataclass(frozen=True)
class Arrival:
    """How likely it is that a die came by each way, 0 to 1.

    longest_step, arrived_at: as in `PlaceFilm`. sure_from: the chance from which on a throw is not doubted.
    """

    thrown: float
    moved: float
    turned: float
    untouched: float
    longest_step: float = 0.0
    arrived_at: float = 0.0
    sure_from: float = 0.9

    @property
    def is_surely_thrown(self) -> bool:
        """True if it is not to be doubted that the die was thrown."""
        return self.thrown >= self.sure_from

    @property
    def is_likely_thrown(self) -> bool:
        """True if it is likelier than not that the die was thrown."""
        return self.thrown > 0.5

    @property
    def is_untouched(self) -> bool:
        """True if that is the likeliest: the die lies as it lay."""
        return self.untouched >= max(self.thrown, self.moved, self.turned)


class ArrivalModel:
    """Tell how dice came to lie where they lie. Several threads may use one: nothing in it changes."""

    def __init__(self, weights: Path, threads: int = 1) -> None:
        self._session, card = load_model(weights, threads)
        if tuple(card["ways"]) != WAYS:
            raise BrokenModel(
                say("the model {weights} knows other ways than this program; install it again", weights=weights)
            )
        self._temperature = float(card["temperature"])
        self.sure_from = float(card["sure_from"])
        """The chance from which on it is not doubted that a die was thrown."""

    def tell(self, film: BurstFilm, places: Sequence[tuple[float, float, float]]) -> list[Arrival]:
        """Return how the dice at some places (x, y, edge, in small pixels) arrived."""
        view = BurstView(film)
        seen = [view.at(*place) for place in places]
        return [self._arrival(*one) for one in zip(self.chances(seen), seen, strict=True)]

    def chances(self, places: Sequence[PlaceFilm]) -> Floats:
        """Return the chances of WAYS, (n, WAYS), for dice at some places."""
        if not places:
            return np.empty((0, len(WAYS)), np.float32)
        seen = np.stack([place.seen for place in places])
        return softmax(
            turned_mean(lambda one: self._session.run(["ways"], {"places": one})[0], seen) / self._temperature
        )

    def _arrival(self, chances: Floats, place: PlaceFilm) -> Arrival:
        thrown, moved, turned, untouched = chances.tolist()
        return Arrival(thrown, moved, turned, untouched, place.longest_step, place.arrived_at, self.sure_from)


def turned_mean(logits: Callable[[Floats], Floats], seen: Floats) -> Floats:
    """Return the mean logits of places (n, INPUTS, SIDE, SIDE) over four turns: a place has no upper edge."""
    turns = [np.ascontiguousarray(np.rot90(seen, quarters, (2, 3))) for quarters in range(4)]
    return np.asarray(np.mean([logits(one) for one in turns], axis=0), np.float32)


class BurstView:
    """What the network sees of a film, place by place.

    State 0 is the table before it, state k its k-th picture, None the table after it.
    """

    def __init__(self, film: BurstFilm) -> None:
        self._film = film
        self._began = [picture.at for picture in film.pictures]
        self._lit: dict[int, Pixels] = {}
        self._shrunk: dict[tuple[int | None, float], Pixels] = {}
        self._moved: dict[int, Mask] = {}

    def at(self, x: float, y: float, edge: float) -> PlaceFilm:
        """Return what is to be seen of the place of a die, all in small pixels."""
        film, place = self._film, _Place((x, y), edge)
        moved = [state for state, one in enumerate(film.pictures, 1) if place.share(one.moved) > STILL_SHARE]
        at_rest = self._began[moved[-1] - 1] if moved else max(self._began, default=0.0)
        differs = [place.difference(self._pixels(state), film.after) for state in range(len(self._began) + 1)]
        at_face = self._face_from(place, moved, at_rest)
        times = [at_face - past for past in SECONDS_TO_FACE] + [at_rest - past for past in SECONDS_TO_REST]
        states = [self._state_at(time) for time in times]
        near, far = (self._cuts([None, 0, *states], breadth, place) for breadth in (NEAR_EDGES, FAR_EDGES))
        shown = _differences(near[2:], near[0]), _differences(near[2:], near[1]), _differences(far[2:], far[1])
        whole = np.stack([_differences(each[1:2], each[0])[0] for each in (near, far)])
        planes = np.concatenate([np.stack(shown, axis=1).reshape(3 * TIMES, SIDE, SIDE), whole])
        watched = (one.after for one in film.pictures if at_face - SECONDS_TO_FACE[-1] < one.at <= at_face)
        longest = max(watched, default=0.0)
        numbers = (
            np.log1p(30 * min(longest, 1.0)),
            min(at_rest - at_face, 3.0),
            min(at_face - self._began[0], 3.0) if self._began else 0.0,
            differs[0] / max(1.0, *differs),
            float(film.whole),
        )
        return PlaceFilm(planes, np.array(numbers, np.float32), longest, at_face)

    def _face_from(self, place: _Place, moved: Sequence[int], at_rest: float) -> float:
        """Return when the place looked for the first time as it does after the burst; if it did before, `at_rest`.

        A die that lay there with another face looked otherwise: it differs by a few pixels alone, but by much in them.
        Only when something has `moved` in the place (states) it may look otherwise than before: all states take long.
        """
        states = sorted({0, *moved, *(state + 1 for state in moved if state < len(self._began))})
        first = next((state for state in states if place.share(self._moved_since(state)) <= STILL_SHARE), 0)
        return self._began[first - 1] if first else at_rest

    def _moved_since(self, state: int) -> Mask:
        """Return what looks otherwise after the film than in a state, whatever the light."""
        if state not in self._moved:
            after = self._film.after
            moved = motion_mask(self._pixels(state), after)
            self._moved[state] = np.zeros(after.shape[:2], np.uint8) if moved is None else moved
        return self._moved[state]

    def _pixels(self, state: int | None) -> Pixels:
        """Return a state's picture in the light of the table after the film, where most of the picture agrees on one.

        A lamp that is dimmed moves no die. A hand close to the camera is no light.
        """
        film = self._film
        if state is None:
            return film.after
        if state not in self._lit:
            picture = film.pictures[state - 1].pixels if state else film.before
            self._lit[state] = match_light(picture, film.after, agreed=0.5)
        return self._lit[state]

    def _state_at(self, time: float) -> int:
        return bisect_right(self._began, time + FRAME_JITTER_SECONDS)

    def _cuts(self, states: Sequence[int | None], breadth: float, place: _Place) -> Pixels:
        """Return what some states show within some edges of a place: uint8 (states, SIDE, SIDE, 3)."""
        scale = SIDE / (breadth * place.unit)
        cuts = {state: place.cut(self._scaled(state, scale), scale) for state in set(states)}
        return np.stack([cuts[state] for state in states])

    def _scaled(self, state: int | None, scale: float) -> Pixels:
        """Return a state's picture at a scale; dice in a picture have few sizes, so that it is kept."""
        if (state, scale) not in self._shrunk:
            pixels = self._pixels(state)
            size = tuple(max(1, round(side * scale)) for side in pixels.shape[1::-1])
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
            self._shrunk[state, scale] = np.asarray(cv2.resize(pixels, size, interpolation=how), np.uint8)
        return self._shrunk[state, scale]


def _differences(shown: Pixels, one: Pixels) -> npt.NDArray[np.uint8]:
    """Return by how many levels pictures (n, SIDE, SIDE, 3) differ from one of them: uint8 (n, SIDE, SIDE)."""
    blue, green, red = np.moveaxis(np.maximum(shown, one) - np.minimum(shown, one), 3, 0)
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.uint8)


@dataclass(frozen=True)
class _Place:
    """A die's place and edge in small pixels."""

    middle: tuple[float, float]
    edge: float

    @property
    def unit(self) -> int:
        """Return the edge in whole pixels."""
        return max(1, round(self.edge))

    def cut(self, pixels: Pixels, scale: float) -> Pixels:
        """Return what lies round the place in a scaled picture: SIDE pixels square; its border goes on beyond it."""
        x, y = ((at + 0.5) * scale - 0.5 - (SIDE - 1) / 2 for at in self.middle)
        shift = np.array([[1, 0, -x], [0, 1, -y]], np.float64)
        return np.asarray(cv2.warpAffine(pixels, shift, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def share(self, mask: Mask) -> float:
        """Return the share of the place that a mask covers."""
        part = self._window(mask)
        return cv2.countNonZero(part) / part.size if part.size else 0.0

    def difference(self, one: Pixels, other: Pixels) -> float:
        """Return by how many levels the place differs in two pictures, on the mean."""
        parts = self._window(one), self._window(other)
        return float(cv2.absdiff(*parts).mean()) if parts[0].size else 0.0

    def _window(self, pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        reach = PLACE_EDGES * self.edge
        left, top = (max(0, int(at - reach)) for at in self.middle)
        return pixels[top : int(self.middle[1] + reach) + 1, left : int(self.middle[0] + reach) + 1]
