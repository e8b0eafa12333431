"""Cheats and mishaps that can be staged on the virtual tray, each as a script of hands and throws."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from types import MappingProxyType

import numpy as np

from hardware.simulator.hands import LETTING_GO_SECONDS
from hardware.simulator.physics import BAY, HEIGHT, WIDTH, Fate, TrayPlace
from hardware.simulator.virtual_tray import REACHING_SECONDS, Manner, Script, VirtualTray
from referee.sentences import say

# What a staged situation is played with: the tray, its dice, and chance


Spot = tuple[float, float]
"""A place in the picture: fractions of its width and height."""


@dataclass
class Cast:
    """The tray, the dice of the situation, and chance.

    picked: the dice that were singled out. wants_restart: whether the driver has to restart the program.
    """

    tray: VirtualTray
    numbers: tuple[int, ...]
    rng: np.random.Generator
    picked: list[int] = field(default_factory=list)
    wants_restart: bool = False

    @classmethod
    def of(cls, tray: VirtualTray, numbers: Sequence[int], rng: np.random.Generator) -> Cast:
        """Return a cast of these dice, or of all in the field. Raises NoSuchDie."""
        for number in numbers:
            tray.die(number)
        field_dice = [int(die["number"]) for die in tray.dice() if die["place"] == TrayPlace.FIELD]
        return cls(tray, tuple(dict.fromkeys(numbers)) or tuple(field_dice), rng)

    def pick(self, among: Collection[int] | None = None) -> int | None:
        """Single out one of the dice, or one of those; None if there is none."""
        dice = sorted(self.numbers if among is None else among)
        if not dice:
            return None
        self.picked.append(int(self.rng.choice(dice)))
        return self.picked[-1]

    def on_table(self) -> list[int]:
        return [number for number in self.numbers if self._places()[number] != TrayPlace.OFF]

    def all_on_table(self) -> list[int]:
        return [number for number, place in self._places().items() if place != TrayPlace.OFF]

    def where(self, number: int) -> Spot:
        die = self.tray.die(number)
        return float(die["x"]), float(die["y"])

    def spot_in_field(self) -> Spot:
        return self.spot(float(self.rng.uniform(45, BAY - 35)), float(self.rng.uniform(45, HEIGHT - 40)))

    def spot_in_bay(self) -> Spot:
        """Return a random place in the bay, below the signal spot."""
        return self.spot(float(self.rng.uniform(BAY + 15, WIDTH - 15)), float(self.rng.uniform(80, HEIGHT - 40)))

    def spot_beside(self, number: int, mm: float) -> Spot:
        """Return the place that many millimetres from a die, in a random direction."""
        x, y = self.where(number)
        angle = float(self.rng.uniform(0, 2 * np.pi))
        left, top = self.spot(0.0, 0.0)
        right, bottom = self.spot(WIDTH, HEIGHT)
        return x + np.cos(angle) * mm * (right - left) / WIDTH, y + np.sin(angle) * mm * (bottom - top) / HEIGHT

    def spot(self, x_mm: float, y_mm: float) -> Spot:
        """Return where a point of the table is seen."""
        x, y = np.asarray(self.tray.lens.project(np.array([[x_mm, y_mm, 8.0]])), np.float64)[0] / self.tray.size
        return float(x), float(y)

    def _places(self) -> dict[int, str]:
        return {int(die["number"]): str(die["place"]) for die in self.tray.dice()}


# Staged situations that begin with a throw. Each is a script: it acts on the tray and yields seconds to wait


Play = Callable[[Cast], Script]

IN_FLIGHT_SECONDS = LETTING_GO_SECONDS + 0.35
"""Seconds after a hand reaches in at which all its dice are in flight and none is at rest."""
_BEFORE_RULING_SECONDS = 0.04
_LEFT_THE_TRAY_SECONDS = LETTING_GO_SECONDS + 0.8
"""Seconds after a hand reaches in at which a die that flies off lies outside, while others may still roll."""


def throw_with(fate: Fate) -> Play:
    """Throw the dice, one of which ends like that."""

    def play(cast: Cast) -> Script:
        _throw(cast, fate)
        yield cast.tray.rests_in()

    return play


def _throw(cast: Cast, fate: Fate) -> int | None:
    """Throw the dice, one of which ends like that; return its number."""
    die = cast.pick()
    cast.tray.throw(cast.numbers, {} if die is None else {die: fate})
    return die


def laid_back(pause: float, other_face: bool = False) -> Play:
    """Throw; one die flies off and is laid back: at once, or that many seconds after all lie still if over 0.5."""

    def play(cast: Cast) -> Script:
        die = _throw(cast, Fate.LEAVES)
        if die is not None:
            yield _LEFT_THE_TRAY_SECONDS + pause if pause < 0.5 else cast.tray.rests_in() + pause
            cast.tray.set_down(die, *cast.spot_in_field(), other_face=other_face)
            yield cast.tray.rests_in()

    return play


def quick_throws(pause: float) -> Play:
    """Throw, and take the same dice up for the next throw that many seconds after they lie still."""

    def play(cast: Cast) -> Script:
        cast.tray.throw(cast.numbers, {})
        yield cast.tray.rests_in() + pause - REACHING_SECONDS
        cast.tray.throw(cast.numbers, {})
        yield cast.tray.rests_in()

    return play


def rethrow_one(cast: Cast) -> Script:
    """Throw, and throw one of the dice again as soon as they lie still."""
    cast.tray.throw(cast.numbers, {})
    yield cast.tray.rests_in() + _BEFORE_RULING_SECONDS - REACHING_SECONDS
    die = cast.pick()
    if die is not None:
        cast.tray.throw([die], {})
        yield cast.tray.rests_in()


def rethrow_in_flight(cast: Cast) -> Script:
    """Throw, catch the dice while they roll, and throw them again."""
    cast.tray.throw(cast.numbers, {})
    yield IN_FLIGHT_SECONDS
    cast.tray.throw(cast.numbers, {})
    yield cast.tray.rests_in()


def _throw_but(cast: Cast, die: int | None) -> None:
    cast.tray.throw([number for number in cast.numbers if number != die], {})


def turn_in_throw(cast: Cast) -> Script:
    """Throw some of the dice, or all but one, and turn one that lies while they fly."""
    die = cast.pick([number for number in cast.all_on_table() if number not in cast.numbers] or cast.on_table())
    _throw_but(cast, die)
    yield IN_FLIGHT_SECONDS - 0.2 - REACHING_SECONDS
    if die is not None:
        cast.tray.reface(die)
    yield cast.tray.rests_in()


def slide_in_throw(cast: Cast) -> Script:
    """Throw all dice but one, and push that one over the felt meanwhile."""
    die = cast.pick(cast.on_table())
    _throw_but(cast, die)
    yield IN_FLIGHT_SECONDS - 0.3 - REACHING_SECONDS
    if die is not None:
        cast.tray.set_down(die, *cast.spot_beside(die, 45.0), manner=Manner.SLID)
    yield cast.tray.rests_in()


def half_throw(cast: Cast) -> Script:
    """Throw all dice but one, and set that one down among them with another face."""
    die = cast.pick()
    _throw_but(cast, die)
    yield IN_FLIGHT_SECONDS - 0.2 - REACHING_SECONDS
    if die is not None:
        cast.tray.set_down(die, *cast.spot_in_field(), other_face=True)
    yield cast.tray.rests_in()


def keep_back(cast: Cast) -> Script:
    """Throw all dice but one, which lies where it lay."""
    _throw_but(cast, cast.pick())
    yield cast.tray.rests_in()


# Staged situations of hands that work on dice. Each is a script: it acts on the tray and yields seconds to wait


NOTICED_SECONDS = 2.5
"""Seconds after which the referee has reported what happened, so that people react."""
_BLIND_SECONDS = 0.6
"""How long a lens is covered before a hand sets to work, and afterwards."""
_NUDGE, _BUMP = (3.0, 6.0), (1.6, 3.5)
"""Millimetres and degrees by which an elbow shifts and turns a die, and a bump of the table every die."""


def one(do: Callable[[Cast, int], object]) -> Play:
    """Do something with a die of those on the table."""

    def play(cast: Cast) -> Script:
        die = cast.pick(cast.on_table())
        if die is not None:
            do(cast, die)
        yield cast.tray.rests_in()

    return play


turn = one(lambda cast, die: cast.tray.reface(die))


def knocked_back(other_face: bool) -> Play:
    """Knock a die off the table and put it back where it lay, with the face that it showed or with another."""

    def play(cast: Cast) -> Script:
        die = cast.pick(cast.on_table())
        if die is not None:
            place = cast.where(die)
            cast.tray.knock_off(die)
            yield cast.tray.rests_in() + 0.6
            cast.tray.set_down(die, *place, other_face=other_face)
            yield cast.tray.rests_in()

    return play


def back_and_throw(cast: Cast) -> Script:
    """Knock a die off; when the referee has said so, put it back as it was and throw all dice without a pause."""
    die = cast.pick(cast.on_table())
    if die is not None:
        place = cast.where(die)
        cast.tray.knock_off(die)
        yield cast.tray.rests_in() + NOTICED_SECONDS
        cast.tray.set_down(die, *place)
        yield cast.tray.rests_in()
    cast.tray.throw(cast.numbers, {})
    yield cast.tray.rests_in()


def tidy(cast: Cast) -> Script:
    """Carry the dice, one after the other, into a neat row, each keeping its face."""
    dice = cast.on_table()
    for place, number in enumerate(dice):
        row, column = divmod(place, 6)
        cast.tray.move(number, *cast.spot(45.0 + 30.0 * column, HEIGHT - 45.0 - 30.0 * row))
        yield cast.tray.rests_in()


def bump(cast: Cast) -> Script:
    """Bump the table: all dice jump a little."""
    for number in cast.all_on_table():
        cast.tray.jolt(number, *_BUMP)
    yield cast.tray.rests_in()


def _slide(cast: Cast, die: int) -> None:
    cast.tray.set_down(die, *cast.spot_beside(die, 40.0), manner=Manner.SLID)


def turn_under_hand(cast: Cast) -> Script:
    """Reach over the dice, turn one, and take the hand away."""
    cast.tray.hand(True)
    yield REACHING_SECONDS + 0.2
    yield from turn(cast)
    yield 0.2
    cast.tray.hand(False)
    yield REACHING_SECONDS


def turn_under(trouble: str) -> Play:

    def play(cast: Cast) -> Script:
        cast.tray.trouble(trouble)
        yield _BLIND_SECONDS
        yield from turn(cast)
        yield _BLIND_SECONDS
        cast.tray.trouble("")

    return play


def turn_in_bay(cast: Cast) -> Script:
    """Turn a die in the bay; one is laid there first, and rests, if there is none."""
    in_bay = _in_bay(cast)
    die = cast.pick(in_bay or cast.on_table())
    if die is None:
        return
    if not in_bay:
        cast.tray.move(die, *cast.spot_in_bay())
        yield cast.tray.rests_in() + NOTICED_SECONDS
    cast.tray.reface(die)
    yield cast.tray.rests_in()


def place(cast: Cast) -> Script:
    """Set the dice down, one after the other, each with another face than before."""
    for number in cast.numbers:
        cast.picked.append(number)
        cast.tray.set_down(number, *cast.spot_in_field(), other_face=True)
        yield cast.tray.rests_in()


def drop(cast: Cast) -> Script:
    """Take up the dice and let them fall from the fingers, all at once."""
    for number in cast.numbers:
        cast.picked.append(number)
        cast.tray.set_down(number, *cast.spot_in_field(), manner=Manner.DROPPED)
    yield cast.tray.rests_in()


def swap(cast: Cast) -> Script:
    """Exchange the places of two dice."""
    one = cast.pick(cast.on_table())
    other = cast.pick([number for number in cast.all_on_table() if number != one])
    if one is not None and other is not None:
        cast.tray.swap(one, other)
    yield cast.tray.rests_in()


def slip_in(foreign: bool) -> Play:
    """Lay a further die among the others, of the same set or of none."""

    def play(cast: Cast) -> Script:
        cast.picked.append(cast.tray.slip_in(*cast.spot_in_field(), foreign=foreign))
        yield cast.tray.rests_in()

    return play


def sleeve_swap(cast: Cast) -> Script:
    """Take a die away and lay one from the sleeve in its place."""
    die = cast.pick(cast.on_table())
    if die is not None:
        where = cast.where(die)
        cast.tray.take_away(die)
        yield cast.tray.rests_in()
        cast.picked.append(cast.tray.slip_in(*where))
        yield cast.tray.rests_in()


def unpark(cast: Cast) -> Script:
    """Take a die out of the bay; one is laid there first, and rests, if there is none."""
    if not _in_bay(cast):
        yield from carry(into_bay=True)(cast)
        yield NOTICED_SECONDS
    yield from carry(into_bay=False)(cast)


def _in_bay(cast: Cast) -> list[int]:
    limit = cast.spot(BAY, HEIGHT / 2)[0]
    return [number for number in cast.all_on_table() if cast.where(number)[0] > limit]


def carry(into_bay: bool) -> Play:
    """Lay a die into the bay, or take one out of it."""

    def play(cast: Cast) -> Script:
        in_bay = _in_bay(cast)
        dice = [number for number in cast.all_on_table() if number not in in_bay] if into_bay else in_bay
        die = cast.pick([number for number in dice if number in cast.numbers] or dice)
        if die is not None:
            cast.tray.move(die, *(cast.spot_in_bay() if into_bay else cast.spot_in_field()))
        yield cast.tray.rests_in()

    return play


# Staged situations about the tray: light, lens, a hand that hides dice, the program itself. Each is a script


_LONG_BLIND_SECONDS = 1.5
"""How long the camera sees nothing in a throw: until the dice lie still."""
_HAND_LEFT_SECONDS = 4.0


def hand_left(cast: Cast) -> Script:
    """Throw, and leave a hand in the picture for a while."""
    cast.tray.throw(cast.numbers, {})
    yield IN_FLIGHT_SECONDS
    cast.tray.hand(True)
    yield cast.tray.rests_in() + _HAND_LEFT_SECONDS
    cast.tray.hand(False)
    yield REACHING_SECONDS


def hand_over(cast: Cast) -> Script:
    """Reach over the dice and away, touching none."""
    cast.tray.hand(True)
    yield 2 * REACHING_SECONDS
    cast.tray.hand(False)
    yield REACHING_SECONDS


def light_changes(brightness: float) -> Play:
    """Let the light change for a while, and back."""

    def play(cast: Cast) -> Script:
        cast.tray.light(brightness)
        yield 3.0
        cast.tray.light(1.0)

    return play


def dim_in_throw(cast: Cast) -> Script:
    """Throw; the light goes down while the dice fly, and comes back."""
    cast.tray.throw(cast.numbers, {})
    yield IN_FLIGHT_SECONDS
    yield from light_changes(0.62)(cast)


def trouble_in_throw(trouble: str) -> Play:
    """Throw; the camera has that trouble while the dice roll out."""

    def play(cast: Cast) -> Script:
        cast.tray.throw(cast.numbers, {})
        yield IN_FLIGHT_SECONDS
        cast.tray.trouble(trouble)
        yield max(cast.tray.rests_in(), 0.0) + _LONG_BLIND_SECONDS
        cast.tray.trouble("")

    return play


def restart_in_throw(cast: Cast) -> Script:
    """Throw; the driver restarts the program while the dice fly."""
    cast.tray.throw(cast.numbers, {})
    yield IN_FLIGHT_SECONDS
    cast.wants_restart = True
    yield cast.tray.rests_in()


# Situations by name: every mishap and every cheat that can be staged on the virtual tray, and who plays them
#
# A situation is a script of the tray's own verbs. It waits by the tray's clock, and it never learns nor tells what a
# die shows: "another face" is a random one.


class NoSuchSituation(LookupError):
    """There is no situation of that name; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])


class Intent(StrEnum):
    """Whether people mean what they do."""

    CHEAT = "cheat"
    MISHAP = "mishap"


@dataclass(frozen=True)
class Situation:
    """What can be staged.

    verbs: those of the tray, in their order, and `restart`, which is the driver's. games: the names of the games in
    which it means something; empty for all.
    """

    name: str
    title: str
    intent: Intent
    verbs: tuple[str, ...]
    play: Play
    games: tuple[str, ...] = ()

    @property
    def throws(self) -> bool:
        return "throw" in self.verbs

    @property
    def restarts(self) -> bool:
        return "restart" in self.verbs


class Staging:
    """A situation that is being played. `numbers` are its dice, in the order in which they were given."""

    def __init__(self, situation: Situation, cast: Cast) -> None:
        self.situation = situation
        self._cast = cast
        self._is_over = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the dice that the situation is played with."""
        return self._cast.numbers

    @property
    def picked(self) -> tuple[int, ...]:
        """Return the dice that hands or mishaps singled out so far, also those that were slipped in."""
        return tuple(self._cast.picked)

    @property
    def wants_restart(self) -> bool:
        """True from the moment at which the driver has to restart the program; the situation goes on meanwhile."""
        return self._cast.wants_restart

    @property
    def is_over(self) -> bool:
        """True once nothing further will be done; dice may still be on their way."""
        return self._is_over

    def script(self) -> Script:
        try:
            yield from self.situation.play(self._cast)
        finally:
            self._is_over = True


def stage(tray: VirtualTray, name: str, numbers: Sequence[int], rng: np.random.Generator) -> Staging:
    """Begin a situation with these dice, or with all in the field if none is named; the tray's clock goes on with it.

    Raises NoSuchSituation, and NoSuchDie for dice that there are not, both LookupErrors.
    """
    if name not in SITUATIONS:
        raise NoSuchSituation(
            say("there is no situation {name}; there are {known}", name=repr(name), known=", ".join(SITUATIONS))
        )
    staging = Staging(SITUATIONS[name], Cast.of(tray, numbers, rng))
    tray.play(staging.script())
    return staging


def _situation(intent: Intent, name: str, title: str, verbs: str, play: Play, *games: str) -> Situation:
    return Situation(name, title, intent, tuple(verbs.split()), play, games)


_mishap, _cheat = partial(_situation, Intent.MISHAP), partial(_situation, Intent.CHEAT)


_BAY_GAMES = ("intersection", "dice-county-fair", "rollers", "switch-16", "toss-up")
_LIST = (
    _mishap("lean-on-die", say("A die leans on another"), "throw", throw_with(Fate.LEANS_ON_DIE)),
    _mishap("lean-on-wall", say("A die leans on the wall"), "throw", throw_with(Fate.LEANS_ON_WALL)),
    _mishap("stacked", say("A die lands on another"), "throw", throw_with(Fate.STACKS)),
    _mishap("fly-off", say("A die flies off the tray"), "throw", throw_with(Fate.LEAVES)),
    _mishap("bounce-back", say("A die bounces out and back in"), "throw", throw_with(Fate.BOUNCES_BACK)),
    _mishap("old-face", say("A die falls just as it lay"), "throw", throw_with(Fate.KEEPS_ITS_FACE)),
    _mishap("quick-throws-02", say("Next throw 0.2 s after rest"), "throw throw", quick_throws(0.2)),
    _mishap("quick-throws-04", say("Next throw 0.4 s after rest"), "throw throw", quick_throws(0.4)),
    _mishap("quick-throws-06", say("Next throw 0.6 s after rest"), "throw throw", quick_throws(0.6)),
    _mishap("quick-throws-10", say("Next throw 1 s after rest"), "throw throw", quick_throws(1.0)),
    _mishap("knocked-off", say("A die is knocked off"), "knock_off", one(lambda cast, die: cast.tray.knock_off(die))),
    _mishap("knocked-back", say("Knocked off, put back as it was"), "knock_off set_down", knocked_back(False)),
    _mishap("back-and-throw", say("Put back and thrown at once"), "knock_off set_down throw", back_and_throw),
    _mishap("tidy", say("All dice are tidied by hand"), "move", tidy),
    _mishap("nudge", say("A die is nudged"), "jolt", one(lambda cast, die: cast.tray.jolt(die, *_NUDGE))),
    _mishap("bump", say("Somebody bumps the table"), "jolt", bump),
    _mishap("slide", say("A die is pushed aside"), "set_down", one(_slide)),
    _mishap("hand-left", say("A hand stays in the picture"), "throw hand", hand_left),
    _mishap("hand-over", say("A hand passes over dice at rest"), "hand", hand_over),
    _mishap("dim", say("The light goes down"), "light", light_changes(0.62)),
    _mishap("bright", say("The light goes up"), "light", light_changes(1.28)),
    _mishap("dim-in-throw", say("The light goes down in a throw"), "throw light", dim_in_throw),
    _mishap("cover-in-throw", say("The lens is covered in a throw"), "throw trouble", trouble_in_throw("covered")),
    _mishap("freeze-in-throw", say("The camera freezes in a throw"), "throw trouble", trouble_in_throw("frozen")),
    _mishap("unplug-in-throw", say("The camera is lost in a throw"), "throw trouble", trouble_in_throw("unplugged")),
    _mishap("restart-in-throw", say("Vander restarts in a throw"), "throw restart", restart_in_throw),
    _mishap("park", say("A die is laid into the bay"), "move", carry(into_bay=True), *_BAY_GAMES),
    _mishap("unpark", say("A die is taken out of the bay"), "move", unpark, *_BAY_GAMES),
    _cheat("off-and-back-at-once", say("Flies off, laid back at once"), "throw set_down", laid_back(0.1)),
    _cheat("off-and-back-later", say("Flies off, laid back after rest"), "throw set_down", laid_back(1.2)),
    _cheat(
        "off-and-back-turned", say("Flies off, laid back turned"), "throw set_down", laid_back(0.1, other_face=True)
    ),
    _cheat(
        "off-and-back-turned-later",
        say("Flies off, laid back turned after rest"),
        "throw set_down",
        laid_back(1.2, other_face=True),
    ),
    _cheat("knocked-back-turned", say("Knocked off, put back turned"), "knock_off set_down", knocked_back(True)),
    _cheat("turn", say("A die is turned with two fingers"), "reface", turn),
    _cheat("turn-under-hand", say("A die is turned under a hand"), "hand reface", turn_under_hand),
    _cheat("turn-under-cover", say("A die is turned, lens covered"), "trouble reface", turn_under("covered")),
    _cheat("turn-while-frozen", say("A die is turned, camera frozen"), "trouble reface", turn_under("frozen")),
    _cheat("turn-while-unplugged", say("A die is turned, camera out"), "trouble reface", turn_under("unplugged")),
    _cheat("turn-in-throw", say("A lying die is turned in a throw"), "throw reface", turn_in_throw),
    _cheat("turn-in-bay", say("A die in the bay is turned"), "move reface", turn_in_bay, *_BAY_GAMES),
    _cheat("place", say("Dice are set down, not thrown"), "set_down", place),
    _cheat("drop", say("Dice are dropped from the fingers"), "set_down", drop),
    _cheat("slide-in-throw", say("A die is pushed in a throw"), "throw set_down", slide_in_throw),
    _cheat("half-throw", say("One die is set down in a throw"), "throw set_down", half_throw),
    _cheat("keep-back", say("One die is not thrown"), "throw", keep_back),
    _cheat("swap", say("Two dice change places"), "swap", swap),
    _cheat("sleeve-add", say("A die of the set is slipped in"), "slip_in", slip_in(False)),
    _cheat("sleeve-foreign", say("A foreign die is slipped in"), "slip_in", slip_in(True)),
    _cheat(
        "sleeve-take", say("A die vanishes up the sleeve"), "take_away", one(lambda cast, die: cast.tray.take_away(die))
    ),
    _cheat("sleeve-swap", say("A die is exchanged from the sleeve"), "take_away slip_in", sleeve_swap),
    _cheat("rethrow", say("Thrown again before the ruling"), "throw throw", quick_throws(_BEFORE_RULING_SECONDS)),
    _cheat("rethrow-one", say("One thrown again before the ruling"), "throw throw", rethrow_one),
    _cheat("rethrow-in-flight", say("Caught while it rolls, thrown again"), "throw throw", rethrow_in_flight),
)
SITUATIONS: Mapping[str, Situation] = MappingProxyType({situation.name: situation for situation in _LIST})
"""What can be staged, by name."""


class TrayStage:
    """A virtual tray on which whoever asks lets situations be played. What needs a restart is left to scripts."""

    def __init__(self, tray: VirtualTray) -> None:
        self._tray = tray
        self._rng = np.random.default_rng()

    def situations(self) -> Sequence[Mapping[str, str]]:
        """Return for each situation: name, title, intent ('cheat' or 'mishap')."""
        listed = (each for each in SITUATIONS.values() if not each.restarts)
        return [{"name": each.name, "title": each.title, "intent": str(each.intent)} for each in listed]

    def stage(self, name: str, numbers: Sequence[int]) -> None:
        """Begin a situation with these dice, or with all in the field. Raises LookupError for one there is not."""
        stage(self._tray, name, numbers, self._rng)
