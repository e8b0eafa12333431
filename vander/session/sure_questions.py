"""Going on as the dice lie is asked twice: what changes by it is said before it is done. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.phrases import in_a_row
from referee.sentences import say, within_sentence
from referee.snapshot import Question
from vander.session.prompts import MeaningQuestion, Prompt
from vander.session.put_back import find_put_backs
from vander.session.question_prompts import AS_IT_LIES, Choices, ask
from vander.session.session_state import SessionState, Step

GO_BACK = "go-back"
"""The answer that the dice are not taken as they lie after all."""
SURE: Choices = ((GO_BACK, say("No, go back")), (AS_IT_LIES, say("Go on as the dice lie")))


def find_prompt(state: SessionState, number: int) -> Prompt | None:
    """Return the open question of that number. If "Sure?" has replaced it, return the original question."""
    for prompt in state.unresolved.prompts:
        if prompt.question.number == number:
            return prompt
        if prompt.sure_of is not None and prompt.sure_of.number == number:
            return _as_before(prompt)
    return None


def needs_asking_twice(prompt: Prompt | None, choice: str, *, confirmed: bool) -> bool:
    """True if an answer has to be given a second time before it counts."""
    return prompt is not None and prompt.sure_of is None and choice == AS_IT_LIES and not confirmed


def ask_if_sure(step: Step, prompt: Prompt) -> Step:
    """Replace the question by "Sure?", because the answer would accept the dice as they lie."""
    sentence = in_a_row(say("Sure?"), _what_changes(step.state, prompt))
    asked = replace(prompt.question, sentence=sentence, choices=SURE, number=0)
    return _in_place(step, prompt.question, replace(prompt, question=asked, sure_of=prompt.question))


def go_back(step: Step, prompt: Prompt) -> Step:
    """Restore the question that "Sure?" has replaced."""
    return _in_place(step, prompt.question, _as_before(prompt))


def _as_before(prompt: Prompt) -> Prompt:
    return replace(prompt, question=prompt.sure_of or prompt.question, sure_of=None)


def _in_place(step: Step, asked: Question, prompt: Prompt) -> Step:
    """Ask in place of an open question, which is known by its number or by what it asks to be sure of."""
    prompts = step.state.unresolved.prompts
    return ask(step, *(prompt if asked.number in _numbers(each) else each for each in prompts))


def _numbers(prompt: Prompt) -> tuple[int, ...]:
    return (prompt.question.number, *((prompt.sure_of.number,) if prompt.sure_of else ()))


def _what_changes(state: SessionState, prompt: Prompt) -> str:
    """Return what going on as the dice lie changes."""
    if isinstance(prompt, MeaningQuestion) and prompt.ways:
        return say("No throw is counted, and the game goes on with the dice as they lie.")
    turned = [each for each in find_put_backs(state) if each.die and each.title and each.title != each.shows]
    if len(turned) == 1:
        now, before = (within_sentence(title) for title in (turned[0].shows or say("another face"), turned[0].title))
        return say("The game goes on with {now} instead of {before}.", now=now, before=before)
    if turned:
        return say("The game goes on with {count} dice that show something else than before.", count=len(turned))
    return say("The game goes on with the dice as they lie now.")
