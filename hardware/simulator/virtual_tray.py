"""The virtual tray: simulates dice that hands throw, carry and knock off. Readers get its pictures, never its faces."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from hardware.simulator import hands, physics, tray_dice
from hardware.simulator.hands import REACHING_SECONDS, HandPath, HandPose
from hardware.simulator.physics import DiePose, Trajectory, flat_rotation
from hardware.simulator.scenery import GREEN, SIZE, lens_for, point_on_table, straightening
from hardware.simulator.tray_dice import (
    Arrangement,
    DieLook,
    LyingDice,
    NoSuchDie,
    TrayDice,
    TrayDie,
    TrayMemory,
    faces_of,
    is_same_pose,
    tray_place,
    wanted_poses,
)
from models.synthetic.die_renderer import PinholeCamera
from referee.dice import DieKind, DieSet, FaceName
from referee.sentences import say

# Scripts that act on the tray by its own clock: they wait while it stands, and run as fast as it runs


Script = Iterator[float]
"""What acts on the tray, and yields the seconds of the tray's time after which it goes on."""


@dataclass
class _Waiting:
    script: Script
    at: float


class TrayScripts:
    """The scripts that wait for their moment."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def next_at(self) -> float:
        """Return the tray time (seconds) at which the next script resumes; infinity if none waits."""
        return min((waiting.at for waiting in self._waiting), default=float("inf"))

    def start(self, script: Script, now: float) -> None:
        """Let a script act at once, and wait for its next moment."""
        self._go_on(_Waiting(script, now))

    def go_on(self) -> None:
        """Let the script that is due next act."""
        waiting = min(self._waiting, key=lambda each: each.at)
        self._waiting.remove(waiting)
        self._go_on(waiting)

    def _go_on(self, waiting: _Waiting) -> None:
        try:
            pause = next(waiting.script)
        except (StopIteration, NoSuchDie):
            return
        self._waiting.append(_Waiting(waiting.script, waiting.at + max(pause, 0.0)))


__all__ = [
    "REACHING_SECONDS",
    "CameraTrouble",
    "Manner",
    "NoSuchDie",
    "NoSuchTrouble",
    "NothingToPutBack",
    "SceneDie",
    "TrayScene",
    "VirtualTray",
]

MOST_DICE = 40
"""The most dice on the tray, with those that were slipped in."""


_BETWEEN_DICE_SECONDS = 0.25
"""The pause of a hand that lays back one die after the other."""
_ROUNDING_SECONDS = 1e-6


class NothingToPutBack(LookupError):
    """No hand has touched the dice yet."""


class NoSuchTrouble(ValueError):
    """The camera cannot have that trouble; the message lists those it can."""


class Manner(StrEnum):
    """How a hand brings a die to its place."""

    CARRIED = "carried"
    DROPPED = "dropped"
    SLID = "slid"


class CameraTrouble(StrEnum):
    """What may happen to the camera over the tray."""

    NONE = ""
    COVERED = "covered"
    FROZEN = "frozen"
    UNPLUGGED = "unplugged"


@dataclass(frozen=True, eq=False)
class SceneDie:
    """A die in the scene: its number, its kind, its six faces in the painter's order, and its pose."""

    number: int
    kind: DieKind
    faces: tuple[FaceName, ...]
    pose: DiePose


@dataclass(frozen=True, eq=False)
class TrayScene:
    """What a camera sees at a moment.

    dice: those in view. look: the name of the drawings on them. reach: how far the hand has reached in, 0 to 1.
    moment: the same number while nothing in the scene changes. brightness: of the light, 1 for as usual. hands: those
    that go to dice; `reach` is another one, which goes to one place.
    """

    dice: tuple[SceneDie, ...]
    look: str
    edge_mm: float
    reach: float
    trouble: CameraTrouble
    moment: int
    brightness: float = 1.0
    hands: tuple[HandPose, ...] = ()


@dataclass
class _Hand:
    """The hand over the tray: where it is going, and how far it has reached in (0 to 1)."""

    is_inside: bool = False
    reach: float = 0.0

    @property
    def is_still(self) -> bool:
        return self.reach == float(self.is_inside)

    def move(self, seconds: float) -> None:
        step = seconds / REACHING_SECONDS
        self.reach = float(np.clip(self.reach + (step if self.is_inside else -step), 0.0, 1.0))


class VirtualTray:
    """Dice of one set on the virtual table, and the hands that move them. Any thread may call.

    The tray's time goes on by `advance`, which the camera calls, so that a test can let an hour pass at once. Places
    are fractions of the picture's width and height. With a `seed` everything random is repeated. Hands are seen that
    reach to dice, carry, turn and throw them: a die that moved by itself would be evidence of nothing. `felt`, one of
    `scenery.FELTS`, may be set before a camera sees the tray.
    """

    def __init__(
        self,
        die_set: str = "intersection",
        seed: int | None = None,
        mishaps: physics.Mishaps | None = None,
        size: tuple[int, int] = SIZE,
    ) -> None:
        self.size, self.felt = size, GREEN
        self.lens: PinholeCamera = lens_for(size)
        self._mishaps = mishaps or physics.Mishaps()
        self._rng = np.random.default_rng(seed)
        self._hand_rng = np.random.default_rng(seed)
        self._player = hands.random_look(self._hand_rng)
        self._paths: list[HandPath] = []
        self._lock = threading.RLock()
        self._now = 0.0
        self._stood = 0.0  # seconds for which the clock has stood since anything moved
        self._moment = 0
        self._hand = _Hand()
        self._trouble = CameraTrouble.NONE
        self._brightness = 1.0
        self._scripts = TrayScripts()
        self._memory = TrayMemory()
        self._laying_until = 0.0
        self._lay_by: dict[str, LyingDice] = {}
        self._look = tray_dice.TRAINED_LOOKS[0]
        self._dice = self._new_dice(tray_dice.load_dice(die_set))

    @property
    def die_set(self) -> DieSet:
        with self._lock:
            return self._dice.die_set

    @staticmethod
    def has(name: str) -> bool:
        """Return True if a set of that name can be put out."""
        return name in tray_dice.set_names()

    @staticmethod
    def sets() -> Mapping[str, str]:
        """Return the titles of the sets that can be put out, by name."""
        return {name: tray_dice.load_dice(name).title for name in tray_dice.set_names()}

    @staticmethod
    def looks() -> Mapping[str, str]:
        """Return the titles of the looks in which dice can come, by name."""
        return tray_dice.LOOKS

    def out(self) -> tuple[str, str]:
        """Return the names of the set that is out and of its look."""
        with self._lock:
            return self._dice.die_set.name, self._look

    def set_out(self, die_set: str, look: str = "") -> None:
        """Put out the dice of a set in loose rows in the field, with random faces.

        They come in that look, or in the same as those before. Raises NoSuchDieSet and NoSuchLook, both LookupErrors.
        """
        with self._lock:
            dice, drawn = tray_dice.load_dice(die_set), tray_dice.check_look(look or self._look)
            self._lay_by[self._dice.die_set.name] = self._dice.ends()
            self._dice, self._look = self._new_dice(dice), drawn
            self._scripts = TrayScripts()
            self._memory = TrayMemory()
            self._laying_until = self._now
            self._moment += 1

    def bring_out(self, die_set: str) -> None:
        """Put out a die set at its last positions; a set that was never out is laid out by `set_out`.

        Raises NoSuchDieSet.
        """
        with self._lock:
            lay = self._lay_by.get(die_set)
            self.set_out(die_set)
            if lay is not None:
                self._dice.lay(lay, self._now)

    def lying_dice(self) -> dict[str, LyingDice]:
        """Return how the dice lie that are out, and how other sets lay when they were out last, by the set's name."""
        with self._lock:
            return {**self._lay_by, self._dice.die_set.name: self._dice.ends()}

    def remember(self, lying: Mapping[str, LyingDice]) -> None:
        """Take what `lying_dice` gave before a restart; the dice that are out lie so at once."""
        with self._lock:
            self._lay_by = dict(lying)
            name = self._dice.die_set.name
            if name in self._lay_by:
                self._dice.lay(self._lay_by[name], self._now)
                self._moment += 1

    def advance(self, seconds: float) -> None:
        """Let time pass, and let the scripts act that are due in it."""
        with self._lock:
            end = self._now + seconds
            while self._scripts.next_at <= end:
                self._pass(self._scripts.next_at - self._now)
                self._scripts.go_on()
            self._pass(end - self._now)

    def play(self, script: Script) -> None:
        """Run a script on the tray. It yields how many seconds of tray time to wait before it is resumed.

        One that asks for a die that is no longer there ends. So do all when other dice are put out.
        """
        with self._lock:
            self._stood = 0.0
            self._scripts.start(script, self._now)

    def rests_in(self) -> float:
        """Return after how many seconds every die lies still, if no hand does anything further; below 0 since when."""
        with self._lock:
            ends = (die.since + die.trajectory.seconds - self._now for die in self._dice)
            return max(ends, default=0.0) - self._stood

    def scene(self) -> TrayScene:
        """Return what a camera sees now."""
        with self._lock:
            dice = tuple(
                SceneDie(die.number, die.kind, faces_of(die.kind), die.pose(self._now))
                for die in self._dice.in_scene(self._now)
            )
            reach, trouble = self._hand.reach, self._trouble
            reaching, light = hands.poses(self._paths, self._now), self._brightness
            return TrayScene(dice, self._look, self._dice.edge, reach, trouble, self._moment, light, reaching)

    def trouble(self, kind: str) -> None:
        """Set what happens to the camera: '' for nothing. Raises NoSuchTrouble."""
        if kind not in set(CameraTrouble):
            raise NoSuchTrouble(
                say("a camera has no trouble {kind}; it can be 'covered', 'frozen', 'unplugged' or ''", kind=repr(kind))
            )
        with self._lock:
            self._trouble = CameraTrouble(kind)

    def dice(self) -> Sequence[Mapping[str, float | int | str]]:
        """Return for each die what the tray's page may know of it (`TrayDice.describe`); never what it shows."""
        with self._lock:
            return [self._dice.describe(die, self._now) for die in self._dice]

    def straight(self) -> tuple[float, ...]:
        """Return how the tray's page shows the picture as from straight above (`straightening`)."""
        with self._lock:
            return straightening(self.lens, self._dice.edge)

    def die(self, number: int) -> Mapping[str, float | int | str]:
        """Return the same of one die. Raises NoSuchDie."""
        with self._lock:
            return self._dice.describe(self._dice.find(number), self._now)

    def light(self, brightness: float) -> None:
        """Set how bright the light is, 1 for as usual."""
        with self._lock:
            self._brightness = brightness
            self._moment += 1

    def throw(self, numbers: Sequence[int], fates: Mapping[int, physics.Fate] | None = None) -> None:
        """Pick up these dice, wherever they are, and throw them together. Raises NoSuchDie.

        With `fates` each die ends as they say, by its number, and the others lie flat; without them mishaps happen.
        """
        with self._lock:
            thrown = [self._dice.find(number).number for number in dict.fromkeys(numbers)]
            if not thrown:
                return
            self._memory.keep(self._arrangement())
            ends = self._mishaps if fates is None else physics.StagedEnds(fates, self._dice.resting_poses([]))
            lying = self._dice.lying_poses(thrown)
            flights = physics.throw(thrown, lying, self._dice.edge, ends, self._rng)
            self._throw_by_hand({number: flights[number] for number in thrown})
            for number in flights.keys() - set(thrown):
                die = self._dice.find(number)
                push = hands.wait_for_throw(die.pose(self._now), die.moves(self._now), flights[number])
                self._send(die, push)

    def move(self, number: int, x: float, y: float) -> None:
        """Carry a die to the free place nearest to that one, keeping its face up. Raises NoSuchDie."""
        with self._lock:
            die = self._dice.find(number)
            start = self._taken_from(die)
            upright = start.upright
            yaw = upright.yaw + float(self._rng.normal(0, 0.12))
            wish = point_on_table(self.lens, x, y, self._dice.edge)
            place = self._dice.free_place(wish, yaw, number)
            end = DiePose(np.array([*place, self._dice.edge / 2]), flat_rotation(upright.top, yaw))
            self._by_hand(die, hands.carry_over(start, end))

    def set_down(
        self, number: int, x: float, y: float, manner: Manner = Manner.CARRIED, other_face: bool = False
    ) -> None:
        """Bring a die by hand to the free place nearest to that one. Raises NoSuchDie.

        One that is carried or slid keeps its face or, with `other_face`, shows a random other one; one that is away
        comes back with the face by which people remember it. A die that is dropped shows any face.
        """
        with self._lock:
            die = self._dice.find(number)
            start = self._remembered(die)
            yaw = start.yaw + float(self._rng.normal(0, 0.12))
            wish = point_on_table(self.lens, x, y, self._dice.edge)
            place = self._dice.free_place(wish, yaw, number)
            top = self._other_side(die.kind, start.top) if other_face else start.top
            end = DiePose(np.array([*place, self._dice.edge / 2]), flat_rotation(top, yaw))
            self._by_hand(die, self._brought(start, end, manner))

    def reface(self, number: int) -> None:
        """Turn a die where it lies to a random side with another face. Raises NoSuchDie, also for one that is away."""
        with self._lock:
            die = self._dice.find_on_table(number)
            start = self._grasped(die)
            place = self._dice.free_place(start.centre[:2], start.yaw, number)
            top = self._other_side(die.kind, start.top)
            end = DiePose(np.array([*place, self._dice.edge / 2]), flat_rotation(top, start.yaw))
            self._by_hand(die, hands.turn_to(start, end))

    def swap(self, one: int, other: int) -> None:
        """Exchange the places of two dice, each keeping its face. Raises NoSuchDie, also for a die that is away."""
        with self._lock:
            pair = self._dice.find_on_table(one), self._dice.find_on_table(other)
            poses = [self._grasped(die) for die in pair]
            for die, start, goal in zip(pair, poses, reversed(poses), strict=True):
                end = DiePose(goal.upright.centre, flat_rotation(start.top, goal.yaw))
                self._by_hand(die, hands.carry_over(start, end))

    def jolt(self, number: int, mm: float, degrees: float) -> None:
        """Shift and turn a die by about so much, as an elbow or a bump does. Raises NoSuchDie, also for one away."""
        with self._lock:
            die = self._dice.find_on_table(number)
            start = die.pose(self._now)
            yaw = start.yaw + float(np.radians(self._rng.normal(0, degrees)))
            place = self._dice.free_place(start.centre[:2] + self._rng.normal(0, mm, 2), yaw, number)
            turn = hands.about_vertical(yaw - start.yaw)
            end = DiePose(np.array([*place, start.centre[2]]), turn @ start.rotation)
            self._send(die, hands.jolt(start, end))

    def take_away(self, number: int) -> None:
        """Take a die out of the tray, into the hand or the sleeve. Raises NoSuchDie, also for one that is away."""
        with self._lock:
            die = self._dice.find_on_table(number)
            self._by_hand(die, self._into_the_hand(number))

    def slip_in(self, x: float, y: float, foreign: bool = False) -> int:
        """Lay a die that was not out, of the same set or of none, near that place, and return its number.

        Raises NoSuchDie where there is no room for a further die.
        """
        with self._lock:
            if self._dice.count >= MOST_DICE:
                raise NoSuchDie(say("the tray holds {most} dice at most; put out the dice again", most=MOST_DICE))
            kinds = tray_dice.STRANGE.kinds if foreign else self._dice.die_set.kinds
            kind = kinds[self._rng.integers(len(kinds))]
            die = self._dice.add(kind, hands.pose_in_hand(self._rng), self._now)
            self.set_down(die.number, x, y)
            return die.number

    def tip(self, number: int) -> None:
        """Turn a die over onto its next side, where it lies: the seventh time it shows the first again.

        Raises NoSuchDie, also for a die that lies off the table.
        """
        with self._lock:
            die = self._dice.find_on_table(number)
            start = self._grasped(die)
            here = start.centre[:2]
            place = here if start.flat else self._dice.free_place(here, start.yaw, number)
            self._turn(die, start, place, start.tip_vector)

    def twist(self, number: int, degrees: float) -> None:
        """Turn a die where it lies, keeping its face up: clockwise as the camera sees it, or back when negative.

        It gives way where it would run into another. Raises NoSuchDie, also for a die that lies off the table.
        """
        with self._lock:
            die, angle = self._dice.find_on_table(number), float(np.radians(degrees))
            start = self._grasped(die)
            place = self._dice.free_place(start.centre[:2], start.yaw + angle, number)
            self._turn(die, start, place, np.array([0.0, 0.0, angle]))

    def knock_off(self, number: int) -> None:
        """Knock a die off the table by hand, over its nearest edge. Raises NoSuchDie."""
        with self._lock:
            die = self._dice.find(number)
            if not die.is_away:
                shown = die.trajectory.end.top
                rolls = hands.knock_off(self._grasped(die), self._dice.edge)
                self._by_hand(die, rolls, rolls.part(0.0, hands.KNOCKING_SECONDS))
                die.is_away, die.known_top = True, shown

    def put_back(self, wanted: Sequence[tuple[str, str, str]] = ()) -> None:
        """Let a hand return the dice, one by one, to a remembered arrangement: the one before hands changed them.

        `wanted` are dice as (kind, face, zone), '' for any zone: the remembered arrangement with most of them counts,
        else the newest; wanted dice that lie otherwise there are turned or carried. A call while a hand is still
        putting dice back is ignored: repeated taps would restart it for ever. Raises NothingToPutBack, a LookupError,
        also if all wanted dice already lie right.
        """
        with self._lock:
            if self._laying_until - self._now > _ROUNDING_SECONDS:
                return
            looks = [DieLook(kind, face, tray_place(zone)) for kind, face, zone in wanted]
            now = self._arrangement()
            if looks and now.fits(looks) == len(looks):
                raise NothingToPutBack(say("the dice lie already as they should; there is nothing to put back"))
            goal = self._memory.best(looks, now)
            if goal is None and not looks:
                raise NothingToPutBack(say("the dice lie as they were put out; there is nothing to put back"))
            kinds = {die.number: die.kind for die in self._dice}
            self.play(self._laid_back(wanted_poses(goal or now, looks, kinds, self._dice.edge)))

    def show(self, kind: str, face: str) -> None:
        """Lay a die of that kind elsewhere and otherwise turned with that face up, as people show dice to a camera.

        A call before all dice lie still is ignored, and one for a face that no die of the tray has.
        """
        with self._lock:
            die = next((die for die in self._dice if die.kind.name == kind and face in faces_of(die.kind)), None)
            if die is None or self.rests_in() > 0:
                return
            yaw = float(self._rng.uniform(0, math.tau))
            place = self._dice.free_place(self._rng.uniform(0.5, 1.5, 2) * physics.FIELD_MIDDLE, yaw, die.number)
            top = faces_of(die.kind).index(FaceName(face))
            end = DiePose(np.array([*place, self._dice.edge / 2]), flat_rotation(top, yaw))
            self._by_hand(die, hands.set_down(self._taken_from(die), end))

    def set_aside(self, numbers: Sequence[int]) -> None:
        """Let a hand carry these dice into the bay, one by one, with their faces up.

        A call while a hand is still laying dice is ignored. Raises NoSuchDie.
        """
        with self._lock:
            if self._laying_until - self._now > _ROUNDING_SECONDS:
                return
            aside = {self._dice.find(number).number for number in numbers}
            now = self._arrangement()
            looks = [
                replace(look, place=str(physics.TrayPlace.ASIDE)) if die in aside else look
                for die, look in now.looks.items()
            ]
            kinds = {die.number: die.kind for die in self._dice}
            self.play(self._laid_back(wanted_poses(now, looks, kinds, self._dice.edge)))

    def hand(self, inside: bool) -> None:
        """Reach into the tray, or take the hand out."""
        with self._lock:
            self._hand.is_inside = inside

    def _pass(self, seconds: float) -> None:
        for die in self._dice.unsupported():
            start = die.trajectory.end
            place = self._dice.free_place(start.centre[:2], start.yaw, die.number)
            self._send(die, hands.fall_beside(start, place, self._dice.edge))
        self._paths = [path for path in self._paths if not path.is_over(self._now)]
        if self._dice.are_still(self._now) and self._hand.is_still and not self._paths:
            # The clock stands while nothing moves and no script waits; how long it has stood is known all the same.
            if self._scripts:
                self._now += seconds
            else:
                self._stood += seconds
            return
        self._now, self._stood = self._now + seconds, 0.0
        self._hand.move(seconds)
        self._moment += 1

    def _arrangement(self) -> Arrangement:
        """Return how the dice lie once they are at rest."""
        poses = self._dice.resting_poses([])
        return Arrangement(poses, {number: self._seen_look(number, pose) for number, pose in poses.items()})

    def _seen_look(self, number: int, pose: DiePose) -> DieLook:
        kind = self._dice.find(number).kind
        return DieLook(
            kind.name, faces_of(kind)[pose.top], str(physics.place_of(float(pose.centre[0]), float(pose.centre[1])))
        )

    def _laid_back(self, goal: Mapping[int, DiePose]) -> Script:
        """Remove dice that are not in `goal`, then move each other die to its pose in `goal`."""
        self._laying_until = math.inf
        try:
            for move in self._ways_back(goal):
                self._handled(*move)
                yield _BETWEEN_DICE_SECONDS
        finally:
            self._laying_until = max((die.since + die.trajectory.seconds for die in self._dice), default=self._now)

    def _ways_back(self, goal: Mapping[int, DiePose]) -> Iterator[tuple[TrayDie, Trajectory]]:
        """Yield (die, trajectory) for each die not at its pose in `goal`; a trajectory starts when it is yielded."""
        now = self._dice.resting_poses([])
        for number in now.keys() - goal.keys():
            yield self._dice.find(number), self._into_the_hand(number)
        for number, pose in goal.items():
            if number not in now or not is_same_pose(now[number], pose):
                yield self._dice.find(number), hands.set_down(self._held(number, pose), pose)

    def _into_the_hand(self, number: int) -> Trajectory:
        start = self._grasped(self._dice.find(number))
        goal = DiePose(hands.pose_in_hand(self._rng).centre, start.upright.rotation)
        return hands.carry_over(start, goal)

    def _held(self, number: int, goal: DiePose) -> DiePose:
        """Return how a hand holds a die that it lays back: one that is away shows no face on its way."""
        die = self._dice.find(number)
        start = self._taken_from(die)
        return DiePose(start.centre, goal.rotation) if die.is_away else start

    def _new_dice(self, die_set: DieSet) -> TrayDice:
        return TrayDice(die_set, self.lens, self._now, self._rng)

    def _send(self, die: TrayDie, trajectory: Trajectory) -> None:
        self._stood = 0.0
        self._dice.send(die, trajectory, self._now)

    def _turn(self, die: TrayDie, start: DiePose, place: physics.Vectors, turn: physics.Vectors) -> None:
        self._by_hand(die, hands.turn_over(start, place, turn, self._dice.edge))

    def _by_hand(self, die: TrayDie, trajectory: Trajectory, held: Trajectory | None = None) -> None:
        """Let a hand move a die, and remember how the dice lay before."""
        self._memory.keep(self._arrangement())
        self._handled(die, trajectory, held)

    def _handled(self, die: TrayDie, trajectory: Trajectory, held: Trajectory | None = None) -> None:
        """Let a hand reach to a die and move it: one that just let go of another die goes on to this one.

        held: the part of the movement in which the hand is at the die, where it does not carry it.
        """
        held = held or hands.held_part(trajectory, self._dice.edge)
        seat = tip = hands.random_seat(self._hand_rng)
        free = next((path for path in self._paths if path.is_leaving(self._now)), None)
        if free is not None:
            self._paths.remove(free)
            seat, tip = free.seat, free.tip(self._now)
        self._paths.append(hands.follow(self._now, held, (tip, seat), self._player))
        self._send(die, self._until_grasped(die).then(trajectory))

    def _throw_by_hand(self, flights: Mapping[int, Trajectory]) -> None:
        """Let a hand take dice up, throw them from above the near wall, and leave."""
        first = np.mean([flight.centres[0, :2] for flight in flights.values()], axis=0)
        seat = hands.seat_behind(physics.unit(physics.FIELD_MIDDLE - first))
        held = []
        for number, flight in flights.items():
            die = self._dice.find(number)
            way = hands.bring_and_throw(self._taken_from(die), seat, flight)
            held.append(way.part(0.0, way.seconds - flight.seconds))
            self._send(die, self._until_grasped(die).then(way))
        self._player = hands.random_look(self._hand_rng)
        self._paths.append(hands.pick_up_and_throw(self._now, held, seat, self._player))

    def _grasped(self, die: TrayDie) -> DiePose:
        """Return how a die lies when the fingers close on it."""
        return die.pose(self._now + REACHING_SECONDS)

    def _until_grasped(self, die: TrayDie) -> Trajectory:
        began = self._now - die.since
        return die.trajectory.part(began, began + REACHING_SECONDS)

    def _taken_from(self, die: TrayDie) -> DiePose:
        """Return where a hand takes a die from; one that is away comes from beyond the picture."""
        return hands.pose_in_hand(self._rng) if die.is_away else self._grasped(die)

    def _remembered(self, die: TrayDie) -> DiePose:
        """Return where a hand takes a die from that is put back; one that is away as people remember it."""
        start = self._taken_from(die)
        return DiePose(start.centre, flat_rotation(die.known_top, 0.0)) if die.is_away else start

    def _brought(self, start: DiePose, end: DiePose, manner: Manner) -> Trajectory:
        if manner is Manner.SLID and start.top == end.top:
            return hands.slide(start, end)
        if manner is Manner.DROPPED:
            shown = DiePose(end.centre, flat_rotation(int(self._rng.integers(6)), end.yaw))
            return hands.drop(start, shown, self._dice.edge, self._rng)
        return hands.set_down(start, end)

    def _other_side(self, kind: DieKind, top: int) -> int:
        """Return a random side whose face is another than that of side `top`; any other side where all are the same."""
        faces = faces_of(kind)
        others = [side for side in range(6) if faces[side] != faces[top]] or [side for side in range(6) if side != top]
        return int(others[self._rng.integers(len(others))])
