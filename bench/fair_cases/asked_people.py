"""People who play honestly at a virtual tray, and a count of what they are asked, and of what nobody had to ask.

They tap their choices on the boards, set dice aside, throw, and tidy the dice between turns. A question could have been
spared where every answer leads the rules to the same state of the game.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.fair_cases.episodes import add_episode
from bench.fair_cases.plain_throws import PlainPlayer, PlainTable
from bench.fair_cases.table import FairTable, Setting, new_tray
from referee.actions import GameState
from referee.journal import Source
from referee.sentences import Refused
from referee.snapshot import Question
from vander.table.answers import on_answer
from vander.table.questions import AS_IT_LIES, GO_BACK, NO_DIE, NOT_ALL, PUT_BACK, THROWN_AGAIN
from vander.table.session_state import FaceQuestion, InterventionQuestion, Prompt, SessionState

ESCAPES = frozenset({AS_IT_LIES, GO_BACK, NO_DIE, NOT_ALL, PUT_BACK, THROWN_AGAIN})
"""Answers that nothing of what is asked about was so: they do not tell whether the question was needed."""
TIDIED = 0.4
"""How often the dice are tidied between turns."""


@dataclass
class AskedCount:
    """What people were asked in so many throws: by kind, how many could not have changed the ruling, and examples."""

    throws: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    spare: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def __add__(self, other: AskedCount) -> AskedCount:
        return AskedCount(
            self.throws + other.throws,
            self.asked + other.asked,
            self.spare + other.spare,
            self.faults + other.faults,
            [*self.examples, *other.examples],
        )


def answer_ends(state: SessionState, prompt: Prompt) -> Mapping[str, object]:
    """Return for each likely answer where the rules lead with it, by every answer to what is asked then."""
    asked = prompt.question
    answers = [answer for answer, _ in asked.choices]
    if isinstance(prompt, FaceQuestion):
        answers = answers[: asked.likely]
    return {answer: _end(state, asked.number, answer) for answer in answers if answer not in ESCAPES}


def _end(state: SessionState, number: int, answer: str) -> object:
    try:
        after = on_answer(state, number, answer, Source.TABLET).state
    except Refused as refused:
        return str(refused)
    known = {prompt.question.number for prompt in state.unresolved.prompts}
    asked = [prompt for prompt in after.unresolved.prompts if prompt.question.number not in known]
    then = tuple(tuple(answer_ends(after, prompt).items()) for prompt in asked)
    return after.match.state if after.match else None, after.unresolved.breach, then


def is_spare(state: SessionState, prompt: Prompt) -> bool:
    """True if every likely answer leads to the same ruling."""
    ends = list(answer_ends(state, prompt).values())
    return len(ends) > 1 and all(end == ends[0] for end in ends)


class HonestPlayer(PlainPlayer):
    """Plays whole games as honest people do, and counts the questions."""

    count: AskedCount

    def begin(self, **options: str) -> None:
        """Set up a new game."""
        super().begin(**options)
        self._seat = 0

    def _push_aside(self, state: GameState) -> None:
        super()._push_aside(state)
        seat = state.on_turn
        if seat != self._seat and state is self.true and not self.game.lay(state):
            self._tidy()
        self._seat = seat

    def _tidy(self) -> None:
        """Carry some of the dice together before a turn, when all of them are thrown next."""
        if self.rng.random() >= TIDIED:
            return
        numbers = [die.number for die in self.simulated.tray.scene().dice]
        for place, number in enumerate(self.rng.sample(numbers, self.rng.randint(1, len(numbers)))):
            self.simulated.tray.move(number, 0.15 + 0.06 * place, 0.7)
            self.simulated.fair.wait(self.simulated.tray.rests_in())
            self.trail = [*self.trail[-8:], f"tidy {number}"]
        self.simulated.settle()
        self._expect(self.true)

    def _answer(self, question: Question, expected: GameState) -> bool:
        state = self.simulated.table.state
        prompt = next(each for each in state.unresolved.prompts if each.question.number == question.number)
        kind = type(prompt).__name__.removesuffix("Question")
        self.count.asked[kind] += 1
        if is_spare(state, prompt):
            self.count.spare[kind] += 1
        titles = " / ".join(title for _, title in question.choices)
        self.count.examples.append(f"{self.game.name}: {kind}: {question.sentence} [{titles}] after {self.trail[-3:]}")
        if isinstance(prompt, InterventionQuestion):
            return self._say(question, AS_IT_LIES) if expected == self._now() else False
        return super()._answer(question, expected)

    def _say_that(self, question: Question, number: int) -> None:
        self.count.asked["Leaning"] += 1
        self.count.examples.append(f"{self.game.name}: Leaning: {question.sentence} after {self.trail[-3:]}")
        super()._say_that(question, number)

    def _say(self, question: Question, choice: str) -> bool:
        try:
            self.simulated.table.answer(question.number, choice, confirmed=True)
        except Refused as refused:
            self._fault("answer refused", f"{question.sentence} {choice}: {refused}")
            return False
        self.simulated.settle()
        return True

    def _photograph(self, what: str) -> None:
        """Keep no pictures."""


def count_questions(  # what is played, and where it is kept
    setting: Setting, seed: int, throws: int, folder: Path, taps: float, keep: Path | None = None
) -> AskedCount:
    """Play so many throws of a game, and return what people were asked; `taps`: how often they tap, 0 to 1.

    The episode is added to `keep`.
    """
    table = FairTable(folder, setting, new_tray(setting, seed), seed)
    count = AskedCount()
    try:
        table.settle()
        rng, players = random.Random(seed), max(setting.game.seats[0], 2)  # noqa: S311 -- play
        player = HonestPlayer(PlainTable(table), setting.game, players, rng, taps=taps)  # type: ignore[arg-type]
        player.count = count
        try:
            player.play(throws)
        except AssertionError as error:
            count.faults[f"ended early: {error}"[:200]] += 1
        count.throws = player.account.throws
        count.faults.update(f"{setting.game.name}: {fault.sort}" for fault in player.account.faults)
        count.examples += [f"fault {fault.sort}: {fault.sentence}" for fault in player.account.faults]
        if keep:
            table.episode.case = {"situation": "honest", "seed": seed, "outcome": ""}
            add_episode(keep, table.episode)
        return count
    finally:
        table.close()
