"""What hands did in the tray: the questions that this leads to, and what their answers mean. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from models.dataset.table_labels import DieOfThrow
from referee.dice import Handling, Homecoming, Seen, SeenDie
from referee.sentences import say
from referee.snapshot import Question, QuestionTopic
from referee.umpire import Explanation, Sayings, ask_if_thrown
from vander.session.match import Match
from vander.session.prompts import InterventionQuestion, Prompt, ThrownQuestion
from vander.session.question_prompts import AS_THEY_LIE, NOT_ALL_THE_SAME, Choices, ask
from vander.session.seen_dice import positions
from vander.session.session_state import SessionState, Step, TableView, Unresolved

WAS_THROWN, WAS_SET_DOWN = "thrown", "set-down"
"""Answers about dice that nobody saw tumble."""


def is_about_hands(explained: Explanation) -> bool:
    """True if it is asked whether dice were thrown, or hands did something that has to be put right."""
    return bool(explained.perhaps_thrown or explained.intervention)


def with_hands(step: Step, explained: Explanation) -> Step:
    """Note what hands did with single dice, and what of it has to be put right."""
    unresolved = replace(
        step.state.unresolved,
        unfinished=explained.intervention,
        pending=explained.pending,
        hands=explained.hands,
        intervention=step.state.unresolved.intervention if explained.intervention else "",
    )
    return step.to(replace(step.state, unresolved=unresolved))


def ask_about_hands(step: Step, match: Match, explained: Explanation) -> Step:
    """Ask whether dice were thrown that nobody saw tumble, or say what hands did that has to be put right."""
    state = step.state
    dice = _dice(state.table.seen, explained)
    asked = [*_thrown(state, explained, dice)] if explained.question else _intervention(state, match, explained, dice)
    step = step.to(replace(state, unresolved=replace(state.unresolved, breach=None)))
    return ask(step, *asked)


def _dice(seen: Seen | None, explained: Explanation) -> list[SeenDie]:
    numbers = explained.perhaps_thrown or explained.dice
    return [die for die in seen.dice if die.number in numbers] if seen else []


def _thrown(state: SessionState, explained: Explanation, dice: Sequence[SeenDie]) -> list[Prompt]:
    """Return the question about dice of one mark, or one about each where people said that not all were thrown."""
    if explained.mark is Handling.RETURNED:
        return [_departed_question(state, explained, dice)]
    apart = any((die.number, die.throw) in state.unresolved.apart for die in dice)
    groups = [[die] for die in dice] if apart else [dice]
    return [_thrown_question(state, group, explained.mark) for group in groups]


def one_by_one(state: SessionState, asked: Collection[DieOfThrow]) -> Iterator[ThrownQuestion]:
    """Yield a question about each of these dice."""
    for die in state.table.seen.dice if state.table.seen else ():
        if (die.number, die.throw) in asked:
            yield _thrown_question(state, [die], die.handled)


def _thrown_question(state: SessionState, dice: Sequence[SeenDie], mark: Handling | None) -> ThrownQuestion:
    is_one, blind = len(dice) == 1, state.table.seen.blind if state.table.seen else ()
    one: Choices = ((WAS_THROWN, say("Yes, it was thrown")), (WAS_SET_DOWN, say("No, it was not")))
    several: Choices = ((WAS_THROWN, say("Yes, all of them")), (WAS_SET_DOWN, say("No, none of them")))
    choices = one if is_one else (*several, *NOT_ALL_THE_SAME)
    sentence = ask_if_thrown(len(dice), mark, blind)
    return ThrownQuestion(_question(state, dice, sentence, choices), asked=_of_throws(dice))


def _departed_question(state: SessionState, explained: Explanation, dice: Sequence[SeenDie]) -> ThrownQuestion:
    """Return the question whether dice left the tray: those that did not were thrown.

    The answer is about the throw: which die may have left can look otherwise when the same table is read again. It is
    not about dice of the throw that were seen to leave.
    """
    choices = ((WAS_SET_DOWN, say("Yes, it left the tray")), (WAS_THROWN, say("No, it stayed inside")))
    doubtful = [each for each in explained.departed if each.home is Homecoming.UNSEEN]
    asked = dict.fromkeys((number, each.throw) for each in doubtful for number in (each.die, 0))
    return ThrownQuestion(_question(state, dice, explained.question, choices), asked=tuple(asked))


def _intervention(
    state: SessionState, match: Match, explained: Explanation, dice: Sequence[SeenDie]
) -> list[InterventionQuestion]:
    """Return what hands did as a question, where anything else than putting it right can be said of it."""
    seen = state.table.seen
    asked = _of_throws(die for die in dice if die.number in explained.perhaps_thrown)
    was_thrown = say("It was thrown") if len(asked) == 1 else say("They were thrown")
    said = ((WAS_THROWN, was_thrown),) if asked else ()
    is_laid = bool(match.game.lay(match.state)) and seen is not None and match.laid(positions(seen)) is not None
    choices = (*said, *(AS_THEY_LIE if is_laid else ()))
    question = _question(state, dice, explained.intervention, choices)
    question = replace(question, topic=QuestionTopic.PUT_BACK)
    return [InterventionQuestion(question, asked=asked)] if choices else []


def _question(state: SessionState, dice: Sequence[SeenDie], sentence: str, choices: Choices) -> Question:
    crops = tuple(state.table.crops.get(die.number, "") for die in dice)
    return Question(
        number=0,
        sentence=sentence,
        choices=choices,
        die=dice[0].number if len(dice) == 1 else 0,
        dice=tuple(die.number for die in dice),
        crops=crops,
    )


def _of_throws(dice: Iterable[SeenDie]) -> tuple[DieOfThrow, ...]:
    return tuple((die.number, die.throw) for die in dice)


def with_said(unresolved: Unresolved, asked: Iterable[DieOfThrow], *, thrown: bool) -> Unresolved:
    """Return what is unresolved after people said whether dice were thrown."""
    return replace(unresolved, said={**unresolved.said, **dict.fromkeys(asked, thrown)})


# Dice put back after a breach


def thrown_since_ruling(table: TableView) -> frozenset[DieOfThrow]:
    """Return the dice that were thrown since the last ruling, each with its throw."""
    since = table.ruled.throw if table.ruled else 0
    return frozenset(_of_throws(die for die in table.seen.dice if die.throw > since)) if table.seen else frozenset()


def find_put_back(seen: Seen, ruled: Seen, accused: Collection[DieOfThrow]) -> Sayings:
    """Return that dice were not thrown which were put back after a breach, before another throw.

    Without a pause between the two nobody has seen the table put right: the dice still count for the throw that was
    the breach. Where one of them shows something else than before, nothing was put right.
    """
    lay = {die.number: die.die for die in ruled.dice}
    left = [die for die in seen.dice if (die.number, die.throw) in accused]
    is_right = all(lay.get(die.number) == die.die for die in left)
    if not left or not is_right or seen.throw <= max(die.throw for die in left):
        return {}
    return dict.fromkeys(_of_throws(left), False)
