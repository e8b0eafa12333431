"""Whole games of every game at the virtual tray: a script plays at random, as people do, and knows the dice.

The script throws, carries and taps; ends of turns it often leaves to the next player's throw. After every throw the
table has to stand where the same actions with the true faces lead. What went otherwise is written down.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from pathlib import Path
from typing import Any

import cv2

from bench.simulator_truth import TrueTrayDie, nearest_die, true_places, truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.actions import Action, DiePosition, GameState
from referee.dice import Die, Zone
from referee.game import Game
from referee.games import games, named
from referee.judge import judge
from referee.sentences import Refused
from referee.snapshot import Question, Snapshot
from vander.app.camera_loop import feed_report
from vander.app.composition import lay_out_dice
from vander.resources.models_and_stores import LoadedModels
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.questions import (
    AS_IT_LIES,
    LIES_FLAT,
    MOST_LIKELY,
    NO_DIE,
    NOT_ALL,
    PUT_BACK,
    WAS_SET_DOWN,
    WAS_THROWN,
)
from vander.table.session import open_session
from vander.table.session_state import (
    FaceQuestion,
    HowFarQuestion,
    KindQuestion,
    LeaningQuestion,
    MeaningQuestion,
    Prompt,
    ThrownQuestion,
    WhoThrewQuestion,
)
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout

SIZE = (960, 720)
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Guy", "Hal")
PLAIN_DICE = "d6"
AT_REST_FRAMES = 10
"""So many frames the table is looked at after it came to rest, since the pipeline may look again."""
MOST_FRAMES = 400
TAPS = 0.4
"""How often people tap what a throw would imply. Who taps one such thing after a throw taps all that follows it."""
PUSHED_ASIDE = 0.35
"""How often dice that stay are carried elsewhere before a throw."""
MOST_MISHAPS = 6
SPOTS = tuple((0.775 + 0.05 * (place % 2), 0.30 + 0.075 * (place // 2)) for place in range(16))
"""Places in the bay, as fractions of the picture."""


@dataclass(frozen=True)
class Fault:
    """Something that went wrong: after which throw, of what sort, and what there is to say about it."""

    throw: int
    sort: str
    sentence: str


@dataclass
class Account:
    """What was played, and what went wrong: silent errors, accusations, dead ends, questions."""

    game: str
    throws: int = 0
    carried: int = 0
    taps: int = 0
    untapped: int = 0
    mishaps: int = 0
    games_over: int = 0
    faces_asked: int = 0
    ways_asked: int = 0
    blemishes: Counter[str] = field(default_factory=Counter)
    asked: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def told(self) -> str:
        """A few lines for a person."""
        lines = [
            f"{self.game}: {self.throws} throws, {self.carried} dice carried, {self.taps} taps, {self.untapped} left"
            f" untapped, {self.mishaps} mishaps, {self.games_over} games to their end; asked {self.faces_asked} faces"
            f" and {self.ways_asked} ways, {len(self.faults)} faults"
        ]
        lines += [f"  {count} times {what}" for what, count in self.blemishes.most_common()]
        lines += [f"  asked at {question}" for question in self.asked]
        lines += [f"  throw {fault.throw}, {fault.sort}: {fault.sentence}" for fault in self.faults]
        return "\n".join(lines)


class SimulatedTable:
    """A table with its virtual tray, looked at frame by frame: nothing happens between two looks."""

    def __init__(
        self, folder: Path, game: Game, seed: int, mishaps: Mishaps, models: LoadedModels | None = None
    ) -> None:
        self.models = models or LoadedModels.load()
        dice = die_sets.load(game.die_set or PLAIN_DICE)
        self.tray = VirtualTray(dice.name, seed=seed, mishaps=mishaps, size=SIZE)
        self.camera = VirtualCamera(self.tray, paced=False, seed=seed)
        self.journal = Journal.in_folder(folder)
        self.table = open_session(
            self.journal, EvidenceStore(folder / "evidence"), games=games(), dice=dice, camera="virtual"
        )
        self.camera.open()
        self.pipeline = self._open_pipeline()
        self.seen = Observation(0, 0)
        self.settle()

    def _open_pipeline(self) -> Pipeline:
        lay_out_dice(self.table.dice, self.camera)
        self._dice = self.table.dice
        return self.models.pipeline(self._dice, TrayLayout())

    def close(self) -> None:
        """Put everything away."""
        self.camera.close()
        self.journal.close()

    def look(self) -> None:
        """One frame, through the pipeline to the table."""
        if self.table.dice != self._dice:
            self.pipeline = self._open_pipeline()
        frame = self.camera.frame()
        self.seen = self.pipeline.process(frame)
        self.table.observe(self.seen, self.pipeline)
        self.table.report_camera(feed_report(self.pipeline.fault))

    def settle(self) -> None:
        """Look until nothing has moved for a while."""
        still, moment = 0, -1
        for _ in range(MOST_FRAMES):
            self.look()
            quiet = self.seen.at_rest and not self.seen.hands_in and self.tray.scene().moment == moment
            still, moment = still + 1 if quiet else 0, self.tray.scene().moment
            if still == AT_REST_FRAMES:
                return
        raise AssertionError("the table does not come to rest")

    def places(self) -> dict[int, str]:
        """Where each die of the tray lies."""
        return true_places(self.tray)

    def real(self, number: int) -> int:
        """The tray's number of the die that the pipeline counts under this one."""
        at = next(die.reading.sighting for die in self.seen.dice if die.number == number)
        return nearest_die(self.tray, at.x, at.y)

    def misread(self) -> list[tuple[int, str, str]]:
        """The dice that the table takes for another face or kind than they are: number, what it says, the true face."""
        real = truth(self.tray)
        shown = [(die, real.get(self.real(die.number))) for die in self.table.snapshot().dice]
        return [
            (die.number, f"{die.kind} {die.face}", str(true.face))
            for die, true in shown
            if true and (die.kind, die.face) != (true.kind, true.face)
        ]


class Player:
    """Plays for everybody at the table, at random by the rules, and holds the table against the truth."""

    def __init__(  # who plays what, where, and how
        self,
        simulated: SimulatedTable,
        game: Game,
        players: int,
        rng: random.Random,
        keep: Path | None = None,
        taps: float = TAPS,
    ) -> None:
        self.simulated, self.game, self.rng, self.keep, self.taps = simulated, game, rng, keep, taps
        self.players = players
        self.account = Account(game.name)
        self.trail: list[str] = []
        self.thrown: frozenset[int] = frozenset()
        self.begin()

    def begin(self, **options: str) -> None:
        """Set up a new game."""
        dice = "" if self.game.die_set else PLAIN_DICE
        self.simulated.table.start(self.game.name, NAMES[: self.players], options, dice)
        self.simulated.settle()
        self.true, self._is_tapping = self._now(), self.rng.random() < self.taps

    def go_on_after(self, actions: Iterable[str]) -> None:
        """Let these actions be done that need no camera any more."""
        for action in actions:
            self.simulated.table.act(action)
        self.true = self._now()

    def play(self, throws: int) -> Account:
        """Play until so many throws were made, in as many games as it takes."""
        while self.account.throws < throws:
            if not self.true.to_act:
                self.account.games_over += 1
                self.begin()
            self.step()
        return self.account

    def play_out(self, most: int = 10_000) -> Account:
        """Play one game to its end, or for so many throws."""
        while self.true.to_act and self.account.throws < most:
            self.step()
        self.account.games_over += not self.true.to_act
        return self.account

    def step(self) -> None:
        """A tap, or a throw with all that hands do before it and that nobody taps."""
        row, state = self._chosen()
        *silent, last = row
        before = self.true
        for action in silent:
            before = judge(self.game, before, action).state
            if action.verb in self.game.by_hand:
                self._carry(action, before)
        if last.is_throw:
            self.account.untapped += sum(action.verb in self.game.implied for action in silent)
            self._push_aside(state)
            self._throw(last, state)
        else:
            self._tap(last)

    # Choosing

    def _chosen(self) -> tuple[list[Action], GameState]:
        """A row of actions, of which the last is a throw or a tap, and the state before the last."""
        states, row = [self.true], list[Action]()
        while True:
            offer = self._pick(states[-1], row)
            left = [place for place, action in enumerate(row) if action.verb in self.game.implied]
            goes_on = offer is not None and not offer.is_throw and self._goes_untapped(offer, states[-1])
            if offer is None or (left and not offer.is_throw and not goes_on):
                return row[: left[0] + 1], states[left[0]]  # no throw follows: what was to be left is tapped
            row.append(offer)
            if not goes_on:
                return row, states[-1]
            states.append(judge(self.game, states[-1], offer).state)

    def _pick(self, state: GameState, row: Sequence[Action]) -> Action | None:
        verbs: dict[str, list[Action]] = {}
        for offer in self.game.legal(state):
            if self._may_follow(offer, row):
                verbs.setdefault(offer.verb, []).append(offer)
        for dull in ("price", "erase"):
            if len(verbs) > 1:
                verbs.pop(dull, None)
        return self.rng.choice(verbs[self.rng.choice(list(verbs))]) if verbs else None

    def _may_follow(self, offer: Action, row: Sequence[Action]) -> bool:
        game = self.game
        if offer.verb in (*game.grave, game.lost):
            return False
        if any(action.verb in game.implied for action in row):
            return offer.is_throw or offer.verb in game.implied
        if row and row[-1].verb == "save":
            return offer.is_throw  # dice are saved by rolling the others
        return not (row and offer.verb in game.by_hand)

    def _goes_untapped(self, offer: Action, state: GameState) -> bool:
        if offer.verb in self.game.by_hand:
            return True
        if offer.verb not in self.game.implied or self._is_tapping:
            return False
        return bool(judge(self.game, state, offer).state.to_act)

    # Hands

    def _carry(self, action: Action, after: GameState) -> None:
        """Carry dice into the bay, where the rules want them there."""
        wanted = Counter(each.die for each in self.game.lay(after) if each.zone is Zone.ASIDE)
        real, places = truth(self.simulated.tray), self.simulated.places()
        for number, place in places.items():
            die = Die(real[number].kind, real[number].face) if number in real else None
            if place == "aside" and die in wanted:
                wanted -= Counter([die])
        if not wanted:
            return
        for die in wanted.elements():
            number = next(
                n for n, each in real.items() if (each.kind, each.face) == (die.kind, die.face) and places[n] == "field"
            )
            self._move(number, *self._free_spot())
            places[number] = "aside"
        self.trail = [*self.trail[-8:], f"carry {action}"]

    def _free_spot(self) -> tuple[float, float]:
        dice = self.simulated.tray.dice()
        room = {spot: min(hypot(float(d["x"]) - spot[0], float(d["y"]) - spot[1]) for d in dice) for spot in SPOTS}
        return max(SPOTS, key=lambda spot: room[spot] > 0.06 and 1.0 - SPOTS.index(spot) / 100)

    def _move(self, number: int, x: float, y: float) -> None:
        self.simulated.tray.move(number, x, y)
        self.simulated.settle()
        self.account.carried += 1

    def _push_aside(self, state: GameState) -> None:
        """Sometimes carry a die or two that the rules let lie anywhere out of the way of the next throw."""
        free = Counter(each.die for each in self.game.lay(self.true) if each.zone is None)
        real = truth(self.simulated.tray)
        for number, each in sorted(real.items()):
            if Die(each.kind, each.face) in free and self.rng.random() < PUSHED_ASIDE / 2 and state is self.true:
                there = (
                    self._free_spot()
                    if self.rng.random() < 0.6
                    else (self.rng.uniform(0.2, 0.6), self.rng.uniform(0.3, 0.8))
                )
                self.trail = [*self.trail[-8:], f"push {number} {each.face}"]
                self._move(number, *there)
                self._expect(self.true)

    def _throw(self, offer: Action, state: GameState) -> None:
        numbers = self._picked(self.game.thrown(state, offer))
        self.trail = [*self.trail[-8:], f"throw {offer} with {numbers}"]
        self.account.throws += 1
        self.thrown, self._is_tapping = frozenset(numbers), self.rng.random() < self.taps
        self.simulated.tray.throw(numbers)
        self.simulated.settle()
        for _ in range(MOST_MISHAPS):
            if not self._set_right(numbers):
                break
            if self.game.lost and self._fallen(numbers):
                return self._expect(judge(self.game, self.true, Action(self.true.to_act[0], self.game.lost)).state)
        real = truth(self.simulated.tray)
        done = Action(offer.player, offer.verb, tuple(Die(real[n].kind, real[n].face) for n in numbers), offer.choice)
        ruling = judge(self.game, state, done)
        assert ruling.refusal is None, (self.trail, done, ruling.refusal)
        self.trail = [*self.trail[-8:], f"came {done}"]
        return self._expect(ruling.state)

    def _set_right(self, numbers: Sequence[int]) -> bool:
        """Throw again what leans or fell, set down as it was what was pushed; say whether anything was wrong."""
        real = truth(self.simulated.tray)
        leaning = [number for number, die in real.items() if not die.flat]
        self._say_flat(real)
        if leaning and "again" not in self.simulated.table.snapshot().notice:
            self.account.blemishes["a leaning die was taken for a flat one"] += 1
            self.trail = [*self.trail[-8:], f"leaning unnoticed: {leaning}"]
            self._photograph("lean")
            leaning = []
        fallen = self._fallen(numbers)
        if not leaning and not fallen:
            return False
        self.account.mishaps += 1
        self.trail = [*self.trail[-8:], f"leaning {leaning} fallen {fallen}: {self.simulated.table.snapshot().notice}"]
        if fallen and self.game.lost:
            return True
        pushed = [number for number in leaning if number not in numbers]
        for number in pushed:
            self._move(number, real[number].x_mm / 300, real[number].y_mm / 225)
        if fallen or len(pushed) < len(leaning):
            self.simulated.tray.throw(numbers if fallen else [number for number in leaning if number in numbers])
            self.simulated.settle()
        return True

    def _say_flat(self, real: Mapping[int, TrueTrayDie]) -> None:
        """Answer that dice lie flat which are asked for again though they do, where the page lets people say so."""
        asked = self.simulated.table.state.unresolved.prompts
        for prompt in (each for each in asked if isinstance(each, LeaningQuestion)):
            flat = [number for number in prompt.question.dice if real[self.simulated.real(number)].flat]
            for number in flat:
                self.account.blemishes["a flat die was asked for again"] += 1
                self._say_that(prompt.question, number)

    def _say_that(self, question: Question, number: int) -> None:
        """Say of one die that it lies flat."""
        self.trail = [*self.trail[-8:], f"{number} lies flat"]
        self.simulated.table.answer(question.number, LIES_FLAT, die=number)
        self.simulated.settle()

    def _fallen(self, numbers: Sequence[int]) -> list[int]:
        places = self.simulated.places()
        return [number for number in numbers if places[number] in ("out", "off")]

    def _picked(self, lying: Iterable[DiePosition]) -> list[int]:
        """Dice of the tray that lie so: of several alike, any."""
        real, places = truth(self.simulated.tray), self.simulated.places()
        kinds = {die.number: die.kind for die in self.simulated.tray.scene().dice}
        picked = list[int]()
        for each in sorted(lying, key=lambda each: (each.die.face is None, each.zone is None)):
            fits = [
                n
                for n in places
                if n not in picked
                and (kinds[n].name if n in kinds else each.die.kind) == each.die.kind
                and (each.die.face is None or (n in real and real[n].face == each.die.face))
            ]
            right = [n for n in fits if places[n] == str(each.zone)] or fits
            assert right, (self.trail, each, real, places)
            picked.append(self.rng.choice(right))
        return sorted(picked)

    # Taps and answers

    def _tap(self, action: Action) -> None:
        self.account.taps += 1
        self.trail = [*self.trail[-8:], f"tap {action}"]
        states = self.true
        held = self.simulated.table.state.unresolved.pending
        for each in (*held, action):
            ruling = judge(self.game, states, each)
            if ruling.refusal:
                self._fault(
                    "held", f"the table holds {held} back, and {action} is then refused: {ruling.refusal.sentence}"
                )
                return self._anew()
            states = ruling.state
        try:
            self.simulated.table.act(str(action))
        except Refused as refused:
            self._fault("tap refused", f"{action}: {refused}")
            return self._anew()
        self.simulated.settle()
        return self._expect(states)

    def _expect(self, expected: GameState) -> None:
        """Hold the table against the truth, answering what it asks."""
        before = self.true
        for _ in range(12):
            now = self.simulated.table.snapshot()
            if not now.questions or now.mood == "breach":
                break
            if not self._answer(now.questions[0], expected):
                return self._anew()
        now = self.simulated.table.snapshot()
        self.true = expected
        if now.state == expected and not now.questions:
            return None
        return self._wrong(now, before, expected)

    def _answer(self, question: Question, expected: GameState) -> bool:
        prompts = self.simulated.table.state.unresolved.prompts
        asked = next(each for each in prompts if each.question.number == question.number)
        self._hold_to_law(question, asked)
        if isinstance(asked, KindQuestion):
            choice: str | None = self._true_die(asked)
        elif isinstance(asked, ThrownQuestion):
            choice = self._true_throw(question)
        elif isinstance(asked, WhoThrewQuestion | HowFarQuestion):
            choice = self._true_step(asked, expected)
        else:
            is_face = isinstance(asked, FaceQuestion)
            choice = self._true_face(question) if is_face else self._true_way(asked, expected)
        if choice is None:
            return False
        self.trail = [*self.trail[-8:], f"asked {question.sentence!r} answered {choice}"]
        try:
            self.simulated.table.answer(question.number, choice)
        except Refused as refused:
            self._fault("answer refused", f"{question.sentence} {choice}: {refused}")
            return False
        self.simulated.settle()
        return True

    def _hold_to_law(self, question: Question, asked: Prompt) -> None:
        """At most four faces are offered first, and a question names the player wherever one is known."""
        throwers = {way[-1][0].player for way in asked.ways} if isinstance(asked, MeaningQuestion) else set()
        is_open = isinstance(asked, WhoThrewQuestion) or len(throwers) > 1 or not self._now().on_turn
        if question.likely > MOST_LIKELY:
            self._fault("many answers", f"{question.sentence} offers {question.likely} faces first")
        if not question.seat and not is_open:
            self._fault("nobody named", f"{question.sentence} says nothing of whose throw it is about")

    def _true_die(self, asked: KindQuestion) -> str:
        """The number of a die of the kind, or that there is none among them."""
        self.account.blemishes[f"asked: {_shape(asked.question.sentence)}"] += 1
        kinds = {number: truth(self.simulated.tray)[self.simulated.real(number)].kind for number in asked.question.dice}
        return next((str(number) for number, kind in kinds.items() if kind == asked.kind), NO_DIE)

    def _true_face(self, question: Question) -> str | None:
        self.account.faces_asked += 1
        shown = {die.number: die.face for die in self.simulated.table.snapshot().dice}
        faces = [str(truth(self.simulated.tray)[self.simulated.real(number)].face) for number in question.dice]
        if all(shown[number] == face for number, face in zip(question.dice, faces, strict=True)):
            self.account.blemishes["a die was asked about that was read right"] += 1
        face = faces[0] if len(set(faces)) == 1 else NOT_ALL
        if face not in {choice for choice, _ in question.choices}:
            self._fault("no true answer", f"a die shows {face}, and only {question.choices} may be answered")
            return None
        self._photograph(f"face-{face}")
        return face

    def _true_way(self, asked: Prompt, expected: GameState) -> str | None:
        self.account.ways_asked += 1
        self.account.blemishes[f"asked: {_shape(asked.question.sentence)}"] += 1
        choices = " / ".join(title for _, title in asked.question.choices)
        self.account.asked.append(
            f"throw {self.account.throws}: {asked.question.sentence} [{choices}]; after {self.trail[-6:]}"
        )
        self._photograph("way")
        for place, way in enumerate(asked.ways if isinstance(asked, MeaningQuestion) else ()):
            state = self._now()
            for action, _ in way:
                state = judge(self.game, state, action).state
            if state == expected:
                return str(place)
        if expected == self._now():
            return next((choice for choice, _ in asked.question.choices if choice in (PUT_BACK, AS_IT_LIES)), None)
        self._fault("no true answer", f"{asked.question.sentence} [{choices}]")
        return None

    def _true_throw(self, question: Question) -> str:
        """True are the dice of the last throw; others were tidied or pushed."""
        self.account.ways_asked += 1
        self.account.asked.append(f"throw {self.account.throws}: {question.sentence}; after {self.trail[-6:]}")
        thrown = {self.simulated.real(number) in self.thrown for number in question.dice}
        return NOT_ALL if len(thrown) == 2 else WAS_THROWN if True in thrown else WAS_SET_DOWN

    def _true_step(self, asked: MeaningQuestion, expected: GameState) -> str | None:
        """One of the small steps: who threw, or how far the player went before."""
        place = self._true_way(asked, expected)
        if place is None or not isinstance(asked, WhoThrewQuestion) or not place.isdigit():
            return place
        return str(asked.ways[int(place)][-1][0].player)

    def _now(self) -> GameState:
        state = self.simulated.table.snapshot().state
        assert state is not None
        return state

    # Faults

    def _wrong(self, now: Snapshot, before: GameState, expected: GameState) -> None:
        wrong = self.simulated.misread()
        sort = "accused" if now.mood == "breach" else "stuck" if now.state == before else "silent"
        if wrong and sort == "silent":
            sort = "misread"
        told = f"{now.notice!r}, mood {now.mood}, last {now.last[:2]}, misread {wrong}"
        self._fault(sort, f"{told}; differs in {_differing(now.state, expected)}")
        for number, _, face in wrong:
            try:
                self.simulated.table.correct(number, face)
            except Refused as refused:
                self._fault("correction refused", f"{number} {face}: {refused}")
        self.simulated.settle()
        if self._now() != expected:
            self._anew()

    def _fault(self, sort: str, sentence: str) -> None:
        self.account.faults.append(Fault(self.account.throws, sort, f"{sentence}; after {self.trail[-6:]}"))
        self._photograph(sort)

    def _photograph(self, what: str) -> None:
        if self.keep is not None:
            name = f"{self.game.name}-{self.account.throws:04}-{what.replace(' ', '-')}.png"
            cv2.imwrite(str(self.keep / name), self.simulated.pipeline.current_picture().frame.pixels)

    def _anew(self) -> None:
        """The table can no longer be held against the truth: begin a new game."""
        for die in self.simulated.tray.dice():  # so that all lie in the field again
            if die["place"] != "field":
                self.simulated.tray.move(int(die["number"]), 0.2 + 0.05 * int(die["number"]), 0.5)
        self.simulated.settle()
        self.begin()


def _shape(sentence: str) -> str:
    return sentence.partition(":")[0]


def _differing(now: Any, expected: GameState) -> str:
    names = [name for name in vars(expected) if getattr(now, name, None) != getattr(expected, name)]
    return ", ".join(f"{name} {getattr(now, name, None)!r} for {getattr(expected, name)!r}" for name in names)[:600]


def seat_player(
    folder: Path,
    game: str,
    seed: int,
    *,
    players: int = 2,
    mishaps: Mishaps | None = None,
    keep: Path | None = None,
    models: LoadedModels | None = None,
) -> Player:
    """A player at a table of this game."""
    simulated = SimulatedTable(folder, named(game), seed, mishaps or Mishaps(), models)
    return Player(simulated, named(game), max(players, named(game).seats[0]), random.Random(seed), keep)  # noqa: S311 -- play
