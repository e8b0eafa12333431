"""Somebody at the virtual tray who plays any game at random by the rules, from outside: over HTTP alone.

The guest looks at the picture to know which dice show what, as a person does, and asks the journal where the game
stands. What the guest gets wrong is answered, taken back or begun anew, so that play always goes on.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import hypot
from pathlib import Path

import cv2
import numpy as np

from bench.box.soak.served import Json, Tablet
from models import die_sets
from referee.actions import Action, DiePosition, GameState
from referee.dice import DieSet, Zone
from referee.game import Game
from referee.games import games, named
from referee.judge import judge
from vander.resources.game_catalog import PLAIN_DICE
from vander.resources.models_and_stores import LoadedModels
from vander.storage.data_folder import StorageError
from vander.storage.journal_store import Journal
from vander.table.match import Match
from vision.observations import TrackedDie
from vision.pipeline import read_photograph
from vision.tray_calibration import TrayLayout

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Guy", "Hal")
REST_S = 12.0
"""So long the dice may take to lie still."""
MOST_ANSWERS = 8
STUCK, HOPELESS = 3, 7
"""After so many steps that brought nothing the last is taken back, or a new game begun."""
SPOTS = tuple((0.775 + 0.05 * (place % 2), 0.30 + 0.075 * (place // 2)) for place in range(16))
"""Places in the bay, as fractions of the picture."""
FALLEN = ("out", "off")
TROUBLES = ("hand", "covered", "frozen", "unplugged")


def standing(folder: Path) -> Match | None:
    """The game that goes on in a data folder, by its journal, which is only read; None without one."""
    try:
        with closing(Journal(f"sqlite:///file:{folder / 'journal.sqlite'}?mode=ro&uri=true")) as journal:
            kept = journal.latest()
            if kept is None:
                return None
            return Match.of(kept, named(kept.game), die_sets.load(kept.die_set), journal.entries(kept.number))
    except StorageError:
        return None


@dataclass(frozen=True)
class Lain:
    """A die of the tray: its number, where it lies, and what the guest reads on it ('' where nothing is read)."""

    number: int
    x: float
    y: float
    place: str
    kind: str = ""
    face: str = ""
    flat: bool = True


@dataclass
class Tally:
    """What was done."""

    throws: int = 0
    taps: int = 0
    carried: int = 0
    answers: int = 0
    undone: int = 0
    corrected: int = 0
    begun: Counter[str] = field(default_factory=Counter)
    finished: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    troubles: Counter[str] = field(default_factory=Counter)


class Guest:
    """Plays one step after another, `longest` of them a game.

    `between` is told whenever something was done, and may wait.
    """

    def __init__(
        self,
        tablet: Tablet,
        folder: Path,
        rng: random.Random,
        models: LoadedModels,
        between: Callable[[str], None] = lambda _: None,
        longest: int = 300,
    ) -> None:
        self.tablet, self._folder, self._rng, self._models, self._between = tablet, folder, rng, models, between
        self._longest = longest
        self.tally = Tally()
        self._queue: list[Game] = []
        self._in_game = self._stuck = 0
        self._entries: object = None
        self._game = ""

    def step(self) -> None:
        """One tap or throw, with what comes before and after it; a new game where none is on."""
        match = standing(self._folder)
        if match is None or match.over or self._in_game >= self._longest or self._stuck >= HOPELESS:
            self._begin(match)
            return
        self._set_right(match)
        self._in_game += 1
        self._answer_all()
        self._stray()
        match = standing(self._folder)
        if match is None or match.over:
            return
        if not self._play(match):
            self._in_game = self._longest
        self._answer_all()
        self._note_progress()

    # Games

    def _begin(self, before: Match | None) -> None:
        if before is not None and not before.over:
            self.tally.left[before.game.name] += 1
        elif self._game:  # one that is over is no longer the one that goes on
            self.tally.finished[self._game] += 1
        if not self._queue:
            self._queue = list(games())
            self._rng.shuffle(self._queue)
        game = self._queue.pop()
        fewest, most = game.seats
        players = NAMES[: self._rng.randint(fewest, min(most, 4))]
        dice = "" if game.die_set else PLAIN_DICE
        options = {option.name: self._rng.choice(option.readings)[0] for option in game.options}
        self.tablet.tell("/api/game", game=game.name, players=players, options=options, die_set=dice)
        self.tally.begun[game.name] += 1
        self._game = game.name
        self._in_game = self._stuck = 0
        self._between("tap")
        self._rest()

    def _note_progress(self) -> None:
        match = standing(self._folder)
        if match is None:
            return
        entries = match.kept.number, len(match.entries)
        self._stuck = 0 if entries != self._entries else self._stuck + 1
        self._entries = entries
        if self._stuck == STUCK:
            self._undo()

    def _undo(self) -> None:
        status, _ = self.tablet.tell("/api/undo")
        self.tally.undone += status == 200
        self._between("tap")

    def _stray(self) -> None:
        """Occasionally do what people do next to playing."""
        chance = self._rng.random()
        if chance < 0.03:
            self._undo()
        elif chance < 0.06:
            self._correct()
        elif chance < 0.10:
            self.tablet.look("/api/odds")
        elif chance < 0.14:
            self._look_at_crops()
        elif chance < 0.15:
            self._make_trouble()

    def _correct(self) -> None:
        shown = self.tablet.look("/api/snapshot")[1].get("dice") or []
        if shown:
            die = self._rng.choice(shown)
            face = self._rng.choice(die["faces"])["face"] if self._rng.random() < 0.3 else die["face"]
            status, _ = self.tablet.tell("/api/correct", die=die["number"], face=face)
            self.tally.corrected += status == 200
            self._between("tap")

    def _make_trouble(self) -> None:
        """A hand in the tray, or something with the camera, for a moment."""
        self._have_trouble(self._rng.choice(TROUBLES))

    def have_all_troubles(self) -> None:
        """Each once: what the first hand costs to draw, say, is paid then."""
        for kind in TROUBLES:
            self._have_trouble(kind)

    def _have_trouble(self, kind: str) -> None:
        self._trouble(kind, True)
        time.sleep(3.0)
        self._trouble(kind, False)
        self.tally.troubles[kind] += 1
        self._rest()

    def _trouble(self, kind: str, on: bool) -> None:
        if kind == "hand":
            self.tablet.tell("/api/tray/hand", inside=on)
        else:
            self.tablet.tell("/api/tray/trouble", kind=kind if on else "")

    def _look_at_crops(self) -> None:
        shown = self.tablet.look("/api/snapshot")[1]
        for name in (shown.get("evidence"), *(die["crop"] for die in shown.get("dice") or [])):
            if name:
                self.tablet.fetch(f"/pictures/{name}.jpg")

    # Choosing and doing

    def _play(self, match: Match) -> bool:
        """Do something that the rules allow; False where nothing is left to do."""
        game, state = match.game, match.state
        verbs: dict[str, list[Action]] = {}
        for offer in game.legal(state):
            if offer.verb not in (*game.grave, game.lost):
                verbs.setdefault(offer.verb, []).append(offer)
        for dull in ("price", "erase"):
            if len(verbs) > 1:
                verbs.pop(dull, None)
        if not verbs:
            return False
        offer = self._rng.choice(verbs[self._rng.choice(list(verbs))])
        if offer.is_throw:
            self._throw(game, state, offer)
        elif offer.verb in game.by_hand:
            self._carry_and_throw(game, state, offer)
        else:
            self._tap(offer)
        return True

    def _tap(self, offer: Action) -> None:
        self.tablet.tell("/api/act", action=str(offer))
        self.tally.taps += 1
        self._between("tap")

    def _carry_and_throw(self, game: Game, state: GameState, offer: Action) -> None:
        after = judge(game, state, offer).state
        self._carry(game, after)
        throws = [each for each in game.legal(after) if each.is_throw]
        if throws:
            self._throw(game, after, self._rng.choice(throws))
        else:
            self._tap(offer)

    def _carry(self, game: Game, after: GameState) -> None:
        """Carry dice into the bay, where the rules want them there."""
        wanted = Counter(
            (str(each.die.kind), str(each.die.face)) for each in game.lay(after) if each.zone is Zone.ASIDE
        )
        lying = self.lying(after.dice)
        wanted -= Counter((die.kind, die.face) for die in lying if die.place == "aside")
        for die in lying:
            if die.place == "field" and wanted[die.kind, die.face] > 0:
                wanted -= Counter([(die.kind, die.face)])
                self._move(die.number, *self._free_spot(lying))
                lying = self.lying(after.dice)

    def _free_spot(self, lying: Sequence[Lain]) -> tuple[float, float]:
        room = {spot: min((hypot(die.x - spot[0], die.y - spot[1]) for die in lying), default=1.0) for spot in SPOTS}
        return max(SPOTS, key=lambda spot: room[spot] > 0.06 and 1.0 - SPOTS.index(spot) / 100)

    def _move(self, number: int, x: float, y: float) -> None:
        self.tablet.tell("/api/tray/move", die=number, x=x, y=y)
        self.tally.carried += 1
        self._rest()

    def _throw(self, game: Game, state: GameState, offer: Action) -> None:
        numbers = self._picked(self.lying(state.dice), game.thrown(state, offer))
        if not numbers:
            return
        self._cast(numbers)
        for _ in range(4):
            fallen = [die.number for die in self.lying(state.dice) if die.number in numbers and die.place in FALLEN]
            awry = self._leaning(state.dice, numbers) or fallen
            if not awry or (fallen and game.lost):
                return
            self._cast(numbers if fallen else awry)

    def _cast(self, numbers: Sequence[int]) -> None:
        self.tablet.tell("/api/tray/throw", dice=list(numbers))
        self.tally.throws += 1
        self._between("throw")
        self._rest()

    def _leaning(self, dice: DieSet, numbers: Sequence[int]) -> list[int]:
        if "lean" not in str(self.tablet.look("/api/snapshot")[1].get("notice", "")):
            return []
        leaning = [die.number for die in self.lying(dice) if not die.flat]
        return [number for number in leaning if number in numbers] or list(numbers)

    def _picked(self, lying: Sequence[Lain], thrown: Iterable[DiePosition]) -> list[int]:
        """Dice of the tray that lie so: of several alike, any; where none is read so, one of those left."""
        picked: list[int] = []
        for each in sorted(thrown, key=lambda each: (each.die.face is None, each.zone is None)):
            left = [die for die in lying if die.number not in picked]
            alike = [die for die in left if die.kind == each.die.kind]
            showing = [die for die in alike if die.face == each.die.face]
            placed = [die for die in showing or alike if die.place == str(each.zone)]
            for fits in (placed, showing, alike, [die for die in left if not die.kind]):
                if fits:
                    picked.append(self._rng.choice(fits).number)
                    break
        return sorted(picked)

    def _set_right(self, match: Match) -> None:
        """Put dice that lie outside the tray back into it."""
        for die in self.lying(match.start.dice):
            if die.place in FALLEN:
                self._move(die.number, 0.15 + 0.08 * (die.number % 7), 0.35 + 0.1 * (die.number % 4))

    # Looking

    def lying(self, dice: DieSet) -> list[Lain]:
        """The dice of the tray, each with what the picture shows there."""
        told = self.tablet.look("/api/tray/dice")[1].get("dice") or []
        status, contents = self.tablet.fetch("/tray.jpg")
        pixels = cv2.imdecode(np.frombuffer(contents, np.uint8), cv2.IMREAD_COLOR) if status == 200 else None
        if pixels is None:  # nothing was seen yet
            time.sleep(0.2)
            return []
        seen = read_photograph(np.asarray(pixels, np.uint8), self._models.finder, self._models.reader, dice, LAYOUT)
        height, width = pixels.shape[:2]
        return [_lain(die, seen.dice, width, height) for die in told]

    def _rest(self) -> Json:
        """Wait until the table has seen the dice lie still; the last snapshot."""
        time.sleep(0.6)
        until = time.monotonic() + REST_S
        while True:
            now = self.tablet.look("/api/snapshot")[1]
            if (now.get("extras") or {}).get("table") == "quiet" or time.monotonic() > until:
                return now
            time.sleep(0.25)

    def _answer_all(self) -> None:
        """Answer what the table asks: the likeliest face, any way."""
        for _ in range(MOST_ANSWERS):
            now = self.tablet.look("/api/snapshot")[1]
            if (now.get("extras") or {}).get("check"):
                self._checked()
            if not now.get("questions"):
                return
            asked = now["questions"][0]
            choices = [choice["answer"] for choice in asked["choices"]]
            choice = choices[0] if asked["dice"] else self._rng.choice(choices)
            self.tablet.tell("/api/answer", question=asked["number"], choice=choice)
            self.tally.answers += 1
            self._between("tap")
            time.sleep(0.3)

    def _checked(self) -> None:
        asked = self.tablet.look("/api/check")[1].get("check")
        if asked:
            self.tablet.tell("/api/check", number=asked["number"], wrong={})


LAYOUT = TrayLayout()


def _lain(told: Json, seen: Sequence[TrackedDie], width: int, height: int) -> Lain:
    """A die of the tray with the nearest reading, where one is less than an edge away."""
    x, y, edge = float(told["x"]) * width, float(told["y"]) * height, float(told["edge"]) * width
    readings = [die.reading for die in seen]
    nearest = min(readings, key=lambda r: hypot(r.sighting.x - x, r.sighting.y - y), default=None)
    plain = Lain(int(told["number"]), float(told["x"]), float(told["y"]), str(told["place"]))
    if nearest is None or hypot(nearest.sighting.x - x, nearest.sighting.y - y) > edge:
        return plain
    flat = str(nearest.sighting.posture) == "flat"
    return Lain(plain.number, plain.x, plain.y, plain.place, str(nearest.kind), str(nearest.face), flat)
