"""How a die came to lie where it lies, by the film of the last burst, followed backwards from the table at rest.

First its face is followed: a die that was carried or pushed shows it all the way. Where the face ends, what moves
freely there is followed: a die that tumbled shows other faces as it rolls on its way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.dice import Handling
from vision.background_subtraction import Mask
from vision.burst_film import BurstFilm
from vision.face_search import FaceSearch, Place
from vision.film_reel import FilmReel

Places: TypeAlias = npt.NDArray[np.int32]
"""One coordinate of some small pixels."""

CARRIED_EDGES = 1.3
"""A die that moved farther with its face up did not roll: a die rolls over in one edge. On the virtual tray thrown dice
slide 0.8 edges at most before they lie still."""
SURE_STEPS, FLOWN_EDGES = 4, 6.0
"""A face that is seen in fewer pictures may be chance, where the die came from so far away before that."""
FAST_STEPS, FAST_EDGES = 2, 2.5
"""Except where it went so far, slower and slower, in so few: a hand brakes five times as hard as the felt does."""
STRAIGHT_SHARE = 0.85
"""A die that is carried goes nearly straight: this share of its way is the distance at least."""
LAST_STEP_SHARE = 0.8
"""A die that is put down goes less far in the last step than in the mean of all; one that is stopped does not."""
BRIDGED_EDGES = 2.5
"""The longest way in two pictures of which one does not show the face."""
OTHER_DIE_EDGES = 0.8
"""A match of the face farther away than this (edges) may be another die with the same face."""
MOVING_STEP_EDGES = 0.1
"""A shorter step is noise."""
STAYED_EDGES = 0.5
"""A die that shows the same face within so many edges stayed where it lay."""
TUMBLED_EDGES = 2.0
"""A die counts as tumbled if it showed other faces at least this far (edges) from where it lies."""
FOLLOWED_SECONDS = 0.8
"""Seconds for which a die is followed backwards from the moment when its final face was up."""
START_SPEED, GAINED_SPEED, TOP_SPEED = 16.0, 94.0, 75.0
"""How fast a die may have been, in edges a second: at the end, how much more for each second before that, at most. A
die that falls onto the felt or rolls out brakes by less than 600 mm/s² and topples below 120 mm/s."""
STOPPED_SECONDS = 0.1
"""Within this time before rest a die may have had TOP_SPEED, since a collision stops a die at once."""
FLOWN_IN_EDGES, BORDER_EDGES, SLOWEST_ENTRY = 2.0, 2.0, 8.0
"""What a die that came from beyond the border of the picture went there at least; how near to the border it was when it
was first seen, in edges; and its speed there, in edges a second."""
JOSTLED_SECONDS = 0.2
"""Up to this long a die may have lain stopped in its place while other dice still passed: added to STOPPED_SECONDS."""
KEPT_SPEED, KEPT_SECONDS = 0.4, 0.25
"""A die that was stopped at once had been as fast before, but for this factor, so shortly before it lay still; else it
was another die."""
LEFT_EDGES = 0.7
"""Within this distance of its resting place a die counts as arrived."""
TURNING_SECONDS = 0.4
"""Longer motion in the place of a die that lay there before means that fingers turned it."""
BUSY_PAUSE_SECONDS = 0.1
"""A pause without any motion that ends a movement."""
BUSY_SHARE = 0.03
"""A place of which so much moves from one picture to the next is not still."""
COVERED_SHARE = 0.15
"""A hand that covers more of a die's place hides it."""
MOVED_SHARE = 0.08
"""Share of the pixels in a place that move at least when a die leaves the place."""
ALONE_EDGES = 1.5
"""A die that flies and its shadow reach no farther from their middle."""
MIN_FREE_PIXELS = 4
"""Fewer pixels that move are no die."""
BLIND_STEP_SECONDS = 0.2
"""Pictures farther apart do not show whether a die tumbled."""


@dataclass(frozen=True)
class Arrival:
    """How one die reached its resting place, found by following the film backwards.

    stayed: the die did not move. covered: a hand hid its place until the die was there. carried: the longest single
    movement with the final face up, straight and slowing down as hands put things down, in edges of the die. steps: the
    pictures of that movement. tumbled: how far away the die showed another face shortly before, in edges. step: the
    longest time between two pictures while the die was followed, in seconds. busy: for how many seconds before it came
    to rest its place was in constant motion.
    """

    stayed: bool = False
    covered: bool = False
    carried: float = 0.0
    steps: int = 0
    tumbled: float = 0.0
    step: float = 0.0
    busy: float = 0.0

    def handling(self, lay_there: bool) -> Handling | None:
        """Return why it is not certain that the die was thrown; `lay_there`: a die lay in its place before."""
        if self.stayed:
            return None
        was_turned = lay_there and self.busy > TURNING_SECONDS and self.tumbled < FLOWN_EDGES
        return self._unthrown(lay_there) if self.covered or was_turned or not self.has_tumbled else None

    @property
    def was_carried(self) -> bool:
        """True if the die was seen to be carried, or came to lie there under a hand."""
        return self.covered or self.was_seen_carried

    @property
    def was_seen_carried(self) -> bool:
        """True if the die was seen to be carried: its face was up all the way."""
        return self._is_surely_carried and self.tumbled < FLOWN_EDGES

    @property
    def has_tumbled(self) -> bool:
        """True if the die was seen to tumble, as none does that is carried or pushed."""
        is_carried = self._is_surely_carried or (self.carried > CARRIED_EDGES and self.tumbled < FLOWN_EDGES)
        return self.tumbled >= TUMBLED_EDGES and not is_carried

    @property
    def _is_surely_carried(self) -> bool:
        was_fast = self.carried > FAST_EDGES and self.steps >= FAST_STEPS
        return was_fast or (self.carried > CARRIED_EDGES and self.steps >= SURE_STEPS)

    def _unthrown(self, lay_there: bool) -> Handling:
        if self.step > BLIND_STEP_SECONDS and not self.covered:
            return Handling.UNSEEN
        return Handling.TURNED if lay_there and self.carried < CARRIED_EDGES else Handling.PLACED


class Arrivals:
    """How dice arrived in a film; `scale` is small pixels per pixel of the frame."""

    def __init__(self, film: BurstFilm, scale: float) -> None:
        self._reel = FilmReel(film)
        self._scale = scale

    def at(self, x: float, y: float, edge: float, lay_there: bool) -> Arrival:
        """Return how the die came there that lies at a place, in pixels of the frame; `lay_there`: one did before.

        Where one lay, what passes by is taken for a die that was thrown there only if it slowed down.
        """
        return _Following(self._reel, (x * self._scale, y * self._scale), edge * self._scale, lay_there).run()


class _Following:
    """A die that is followed backwards, from the last state to the first."""

    def __init__(self, reel: FilmReel, place: Place, edge: float, lay_there: bool) -> None:
        self._reel = reel
        self._stops_at_once = not lay_there
        self._end = self._stopped = place
        self._face = FaceSearch(reel.film.after, place, edge)
        self._place = place
        self._edge = edge
        self._state = reel.last
        self._speed = (0.0, 0.0)
        self._steps: list[float] = []
        self._moves = 0
        self._moved_until: float | None = None
        self._rested = self._state, place
        self._has_bridged = False
        self._found = Arrival()

    def run(self) -> Arrival:
        """Return how the die arrived."""
        while self._state and (self._goes_back() or self._goes_on_behind()):
            self._state -= 1
        self._end_movement()
        if self._state and not self._found.covered:
            step, busy = self._longest_step(), self._busy_seconds()
            self._found = replace(self._found, tumbled=self._rolled_from(), step=step, busy=busy)
            self._follow_from_rest()
        elif self._has_jumped:
            self._follow_from_rest()
            return self._found
        way = self._distance(self._end) / self._edge
        return replace(self._found, stayed=not self._state and not self._found.covered and way < STAYED_EDGES)

    def _follow_from_rest(self) -> None:
        """Follow the die once more from where it lay still, if a face that was seen by chance may have led astray."""
        if self._found.tumbled < TUMBLED_EDGES and (self._has_jumped or 0 < self._found.steps < SURE_STEPS):
            self._state, self._place, self._speed = self._rested[0], self._rested[1], (0.0, 0.0)
            again = self._rolled_from()
            self._found = replace(self._found, tumbled=again if again > FLOWN_EDGES else self._found.tumbled)

    @property
    def _has_jumped(self) -> bool:
        """True if it seems to have lain elsewhere until it moved in one picture: that is another die with its face."""
        is_far = self._distance(self._end) > OTHER_DIE_EDGES * self._edge
        return not self._state and not self._found.covered and self._moves == 1 and is_far

    def _goes_back(self) -> bool:
        """Follow the face into the state before; return False where it ends."""
        reel, state, radius = self._reel, self._state, self._face.radius
        if reel.hand_at(state - 1, self._place, radius) > COVERED_SHARE:
            self._found = replace(self._found, covered=True)
            return True
        if not reel.moved_at(state, self._place, radius) and not self._found.covered:
            self._end_movement()
            return True
        here = self._face.find(reel.pixels(state - 1), self._place, self._edge if self._found.covered else 1.0)
        if here is None and not self._found.covered:
            here = self._face_farther_off()
        if here is None:
            return False
        self._found = replace(self._found, covered=False)
        self._go_to(here)
        return True

    def _face_farther_off(self) -> Place | None:
        """Return where the face was before, if it moved from there. After a long gap nobody knows its way."""
        reel, step = self._reel, self._reel.step(self._state)
        if step > FOLLOWED_SECONDS:
            return None
        if self._moved_until is None:
            self._moved_until, self._rested = reel.began(self._state), (self._state, self._place)
        speed = _fastest(self._moved_until - reel.began(self._state) + step)
        here = self._face.find(reel.pixels(self._state - 1), self._place, speed * step * self._edge)
        if here is None or self._distance(here) < OTHER_DIE_EDGES * self._edge:
            return here
        if reel.moved_at(self._state, here, self._face.radius) < MOVED_SHARE:
            return None
        # What still lies there afterwards is another die with that face.
        return here if self._face.find(reel.pixels(self._state), here, 1.0) is None else None

    def _goes_on_behind(self) -> bool:
        """Follow the face where one picture does not show it, as of a die in the light or in a quick hand."""
        reel, place, state = self._reel, self._place, self._state
        if self._found.covered or self._has_bridged or state < 2 or not self._steps:
            return False
        self._has_bridged = True
        step = reel.step(state)
        between = self._free_before(self._place, self._reach(step))
        if between is None:
            return False
        self._state, self._place = state - 1, between
        here = self._face_farther_off()
        self._state, self._place = state, place
        if here is None or self._distance(here) > BRIDGED_EDGES * self._edge:
            return False
        self._state -= 1
        self._go_to(here)
        return True

    def _go_to(self, place: Place) -> None:
        way = self._distance(place) / self._edge
        if way > MOVING_STEP_EDGES:
            self._steps.append(way)
            self._moves += 1
        self._place = place

    def _end_movement(self) -> None:
        steps, way = self._steps, sum(self._steps)
        slows_down = len(steps) > 1 and steps[0] < LAST_STEP_SHARE * way / len(steps)
        is_straight = self._distance(self._stopped) > STRAIGHT_SHARE * way * self._edge
        if slows_down and is_straight and way > self._found.carried:
            self._found = replace(self._found, carried=way, steps=len(steps))
        self._steps, self._moved_until, self._stopped = [], None, self._place

    def _longest_step(self) -> float:
        """Return the most seconds between two pictures in the time that the die is followed from here."""
        reel, state = self._reel, self._state
        ended, longest = reel.began(state), 0.0
        while state and ended - reel.began(state) < FOLLOWED_SECONDS:
            longest = max(longest, reel.step(state))
            state -= 1
        return longest

    def _busy_seconds(self) -> float:
        """Return how long the place was never still until the face was up."""
        reel, place = self._reel, self._place
        state, ended = self._state, reel.began(self._state)
        while state and reel.moved_at(state, place, self._face.radius) > BUSY_SHARE:
            state -= 1
            if state and reel.began(state) < reel.began(state + 1) - reel.step(state + 1) - BUSY_PAUSE_SECONDS:
                break
        return ended - reel.began(state + 1) + reel.step(state + 1) if state < self._state else 0.0

    def _rolled_from(self) -> float:
        """Follow what moves freely; return how far it was from here at most, in edges."""
        reel, ended, start, farthest, left = self._reel, self._reel.began(self._state), self._place, 0.0, 0.0
        slowest = 0.0
        while self._state:
            step = reel.step(self._state)
            before = ended - (reel.began(self._state) - step)
            if before > FOLLOWED_SECONDS + step:
                break
            expected = self._place[0] + self._speed[0] * step, self._place[1] + self._speed[1] * step
            found = self._free_before(expected, self._reach(before, left)) or self._alone_before(step)
            if found is None:
                return farthest + (FLOWN_IN_EDGES if self._came_in_at(expected) else 0.0)
            if float(np.hypot(found[0] - start[0], found[1] - start[1])) < LEFT_EDGES * self._edge:
                left = before
            way = self._distance(found)
            if way < slowest * step:
                return 0.0
            was_stopped = (
                before - min(left, JOSTLED_SECONDS) < KEPT_SECONDS
                and way > (_fastest(before) * step + 0.5) * self._edge
            )
            slowest = KEPT_SPEED * way / step if was_stopped else 0.0
            self._speed = (found[0] - self._place[0]) / step, (found[1] - self._place[1]) / step
            self._place = found
            self._state -= 1
            farthest = max(farthest, float(np.hypot(found[0] - start[0], found[1] - start[1])) / self._edge)
        return farthest

    def _free_before(self, expected: Place, reach: float) -> Place | None:
        return _nearest_free(self._reel.free(self._state - 1), self._place, expected, reach, self._edge)

    def _alone_before(self, step: float) -> Place | None:
        """Return where the only thing was that moved freely before, if the die is all that does now.

        A die that a wall stops loses its speed at once, and rolls on. Where nothing else moves it was that thing.
        """
        places = [_only_place(self._reel.free(state), self._edge) for state in (self._state, self._state - 1)]
        now, before = places
        if (
            now is None
            or before is None
            or float(np.hypot(now[0] - self._place[0], now[1] - self._place[1])) > self._edge
        ):
            return None
        return before if self._distance(before) < (TOP_SPEED * step + 0.5) * self._edge else None

    def _reach(self, seconds: float, left: float = 0.0) -> float:
        """Return how far the die can have moved since the state before, so many seconds before it lay still.

        left: how many seconds before that it came to its place.
        """
        step = self._reel.step(self._state)
        was_stopped = self._stops_at_once and seconds - step - min(left, JOSTLED_SECONDS) < STOPPED_SECONDS
        speed = TOP_SPEED if was_stopped else _fastest(seconds - left)
        return (speed * step + 0.5) * self._edge

    def _came_in_at(self, expected: Place) -> bool:
        """True if the die moved, and was beyond the border of the picture before or so near to it that it was cut."""
        height, width = self._reel.film.before.shape[:2]
        margin = BORDER_EDGES * self._edge
        is_inside = all(margin < at < side - margin for at, side in zip(expected, (width, height), strict=True))
        return not is_inside and float(np.hypot(*self._speed)) > SLOWEST_ENTRY * self._edge

    def _distance(self, place: Place) -> float:
        return float(np.hypot(place[0] - self._place[0], place[1] - self._place[1]))


def _fastest(seconds: float) -> float:
    """Return the highest possible speed of a die, in edges per second, that many `seconds` before it lay still."""
    return min(START_SPEED + GAINED_SPEED * seconds, TOP_SPEED)


def _only_place(free: Mask, edge: float) -> Place | None:
    """Return the middle of what moves freely, if it is one thing no larger than a die and its shadow; else None."""
    x, y = _set_pixels(free)
    if x.size < MIN_FREE_PIXELS:
        return None
    middle = float(np.median(x)), float(np.median(y))
    reach = np.hypot(x - middle[0], y - middle[1])
    is_one = np.count_nonzero(reach > ALONE_EDGES * edge) < MIN_FREE_PIXELS
    return middle if is_one else None


def _set_pixels(mask: Mask) -> tuple[Places, Places]:
    """Return x and y of the pixels that are not 0, row by row; far faster than NumPy's `nonzero` of bytes."""
    found = cv2.findNonZero(mask) if mask.size else None
    places = np.empty((0, 2), np.int32) if found is None else np.asarray(found, np.int32).reshape(-1, 2)
    return places[:, 0], places[:, 1]


def _squared_distances(x: Places, y: Places, place: Place) -> npt.NDArray[np.float64]:
    across, down = x - place[0], y - place[1]
    return np.asarray(across * across + down * down, np.float64)


def _nearest_free(free: Mask, place: Place, expected: Place, reach: float, edge: float) -> Place | None:
    """Return the middle of what moves freely nearest to the place that is expected, None if nothing is in reach."""
    around = int(np.ceil(reach + edge + np.hypot(expected[0] - place[0], expected[1] - place[1])))
    left, top = (max(0, int(middle) - around) for middle in place)
    x, y = _set_pixels(free[top : int(place[1]) + around + 1, left : int(place[0]) + around + 1])
    if x.size < MIN_FREE_PIXELS:
        return None
    x, y = x + left, y + top
    surprise = _squared_distances(x, y, expected)
    in_reach = np.minimum(_squared_distances(x, y, place), surprise) <= reach * reach
    if np.count_nonzero(in_reach) < MIN_FREE_PIXELS:
        return None
    nearest = int(np.argmin(np.where(in_reach, surprise, np.inf)))
    middle = float(x[nearest]), float(y[nearest])
    for _ in range(3):
        near = _squared_distances(x, y, middle) < (0.7 * edge) ** 2
        middle = float(x[near].mean()), float(y[near].mean())
    return middle
