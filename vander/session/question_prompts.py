"""The questions that the table asks: what a die shows, what happened, whether to go on as the dice lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.dice import DieSet, SeenDie
from referee.game import Action
from referee.journal import Source
from referee.snapshot import Question
from referee.umpire import Explanation, describe
from vander.session.match import Match, Way
from vander.session.seen_dice import named_kinds, title_of
from vander.session.session_state import (
    Breach,
    BreachQuestion,
    FaceQuestion,
    MeaningQuestion,
    Mismatch,
    MismatchQuestion,
    Prompt,
    Step,
)

AS_IT_LIES, PUT_BACK, LEFT_LYING = "as-it-lies", "put-back", "left-lying"
"""Answers that are no way: go on from the dice as they lie; they were only put back; some were not thrown."""
Choices = tuple[tuple[str, str], ...]

WHAT_HAPPENED = "What happened?"
LAY_WRONG_BEFORE = "Before this throw the dice did not lie as they should. What happened?"
OR_AS_THEY_LIE: Choices = ((AS_IT_LIES, "Nothing of this: go on as the dice lie"),)
AS_THEY_LIE: Choices = ((AS_IT_LIES, "Go on as the dice lie"),)


def ask(step: Step, *prompts: Prompt) -> Step:
    """Put prompts in place of the open ones; one that is open already keeps its number."""
    number, numbered = step.state.questions, list[Prompt]()
    for prompt in prompts:
        known = next((each for each in step.state.unresolved.prompts if prompt.asks_the_same(each)), None)
        number += known is None
        numbered.append(known or prompt.numbered(number))
    unresolved = replace(step.state.unresolved, prompts=tuple(numbered))
    return step.to(replace(step.state, unresolved=unresolved, questions=number))


def ask_faces(step: Step, numbers: Iterable[int]) -> Step:
    """Ask what these dice show."""
    state = step.state
    dice = [die for die in state.table.seen.dice if die.number in numbers] if state.table.seen else []
    return ask(step, *(_face_question(state.dice, die, state.table.crops.get(die.number, "")) for die in dice))


def _face_question(dice: DieSet, die: SeenDie, picture: str) -> FaceQuestion:
    """The likely faces first, then the kind's others."""
    others = (face for known in named_kinds(dice, die.kind) for face in known.faces)
    faces = dict.fromkeys((*(face for face, _ in die.faces), *others))
    choices = tuple((str(face), title_of(dice, die.kind, face)) for face in faces)
    return FaceQuestion(Question(0, "What does this die show?", choices, picture, die.number))


def meaning_question(
    match: Match, explained: Explanation, crops: Mapping[int, str], sentence: str, also: Choices = OR_AS_THEY_LIE
) -> MeaningQuestion:
    """Return the question which of the umpire's ways it was; `also` are the answers that are no way."""
    titles = (describe(match.game, match.state, way) for way in explained.ways)
    choices = tuple((str(place), title) for place, title in enumerate(titles))
    picture = next((crops[die] for die in explained.dice if die in crops), "")
    return MeaningQuestion(Question(0, sentence or WHAT_HAPPENED, (*choices, *also), picture), ways_of(explained))


def put_back_question(match: Match, explained: Explanation, crops: Mapping[int, str]) -> MeaningQuestion:
    """Return the question whether dice that lie right again were put back or thrown."""
    return meaning_question(match, explained, crops, WHAT_HAPPENED, ((PUT_BACK, "The dice were only put back"),))


def left_lying_question(
    match: Match, explained: Explanation, crops: Mapping[int, str], title: str, breach: Breach
) -> MeaningQuestion:
    """Return the question whether the die that shows `title` was thrown too; if not, it was the breach."""
    sentence = f"Was the die that shows {title} thrown as well?"
    asked = meaning_question(match, explained, crops, sentence, ((LEFT_LYING, "No, it was left lying"),))
    return replace(asked, breach=breach)


def unknown_meaning_question() -> MeaningQuestion:
    """Return the question about a throw after dice that lay wrong, where no way explains it."""
    return MeaningQuestion(Question(0, LAY_WRONG_BEFORE, OR_AS_THEY_LIE))


def breach_question(breach: Breach) -> BreachQuestion:
    """Return the question that goes with a recorded breach."""
    sentence = "Put the dice right, or go on from how they lie."
    return BreachQuestion(Question(0, sentence, AS_THEY_LIE, breach.evidence))


def mismatch_question(mismatch: Mismatch) -> MismatchQuestion:
    """Return the question that goes with dice that lie wrong, where the rules can take them as they lie."""
    return MismatchQuestion(Question(0, f"{mismatch.sentence} Put the dice so, or go on as they lie.", AS_THEY_LIE))


def ways_of(explained: Explanation, tapped: Action | None = None, source: Source = Source.TABLET) -> tuple[Way, ...]:
    """Return the ways, with who says so of each action: the last one is the source's when it is what was tapped."""
    return tuple(tuple(_with_sources(way, tapped, source)) for way in explained.ways)


def _with_sources(way: tuple[Action, ...], tapped: Action | None, source: Source) -> Iterable[tuple[Action, Source]]:
    for place, action in enumerate(way, 1):
        by_tap = place == len(way) and action == tapped
        yield action, source if by_tap else Source.CAMERA
