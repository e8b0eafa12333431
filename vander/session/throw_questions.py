"""Questions about what a throw means, and answers that are asked for twice before they count. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from models.dataset.table_labels import DieOfThrow
from referee.actions import Action
from referee.journal import Deed, Source
from referee.phrases import in_a_row
from referee.sentences import say, within_sentence
from referee.snapshot import Question
from referee.umpire import LOST_DIE_QUESTION, Explanation
from referee.umpire.rest import state_after
from referee.umpire.throws import WHAT_WAS_IT
from referee.umpire.weighing import TAKEN_FROM
from vander.session.match import Match, Way
from vander.session.put_back import find_put_backs
from vander.session.questions import AS_IT_LIES, OR_AS_THEY_LIE, Choices, ask, meaning_question, ways_of
from vander.session.session_state import (
    HowFarQuestion,
    MeaningQuestion,
    Prompt,
    SessionState,
    Step,
    TableView,
    WhoThrewQuestion,
)

# What a throw means

NOT_AT_ALL = say("Not at all")
WHAT_WAS_DONE = say("What was done?")
"""The question whose answers are rows of actions: each is pictured by itself."""


def find_tapped(match: Match) -> frozenset[str]:
    """Return the verbs of what throws may imply that people tap here: all where the last thing done was such a tap.

    Else each that so far was tapped, and not left to the throw, often enough to be taken for what they do (by the rule
    of succession of Laplace).
    """
    implied, taps = match.game.implied, _taps(match)
    done = [(ruling.action.verb, entry.number in taps) for entry, ruling in match.standing]
    if done and done[-1][0] in implied and done[-1][1]:
        return implied
    of_verb = {verb: [tapped for each, tapped in done if each == verb] for verb in implied}
    return frozenset(verb for verb, tapped in of_verb.items() if (sum(tapped) + 1) / (len(tapped) + 2) >= TAKEN_FROM)


def _taps(match: Match) -> frozenset[int]:
    """Return the numbers of the entries that were tapped, and are no part of what people answered about a throw."""
    taps, thrown, is_answer = set[int](), {e.number for e, ruling in match.standing if ruling.action.dice}, False
    for entry in match.entries:
        if entry.deed is Deed.PLAY:
            if not is_answer and entry.source not in {Source.CAMERA, Source.HAND}:
                taps.add(entry.number)
            is_answer = is_answer and entry.number not in thrown and entry.source is not Source.CAMERA
        else:
            is_answer = is_answer or entry.deed is Deed.ANSWER
    return frozenset(taps)


def throw_question(match: Match, explained: Explanation, table: TableView) -> MeaningQuestion:
    """Return the first small question about a throw with several ways; the whole one where there is no small one."""
    small = _small(match, ways_of(explained), table) if explained.question.startswith(WHAT_WAS_IT) else None
    sentence = WHAT_WAS_DONE if explained.question.startswith(WHAT_WAS_IT) else explained.question
    if explained.question == LOST_DIE_QUESTION:  # the dice that lie outside are ringed, not those of the throw
        return meaning_question(match, explained, table.crops, sentence)
    return small or _with_dice(meaning_question(match, explained, table.crops, sentence), table)


def _with_dice(asked: MeaningQuestion, table: TableView) -> MeaningQuestion:
    """Return the question about a throw with the dice that were thrown, which are ringed in the picture of the tray."""
    dice, crops = _thrown(table)
    return replace(asked, question=replace(asked.question, dice=dice, crops=crops))


def next_question(match: Match, prompt: WhoThrewQuestion, seat: int, table: TableView) -> MeaningQuestion | None:
    """Return what is still to be asked after it was said who threw; None where that says it all."""
    ways = ways_thrown_by(prompt, seat)
    explained = Explanation(tuple(_actions(way) for way in ways))
    asked = _small(match, ways, table) or _with_dice(meaning_question(match, explained, table.crops, ""), table)
    return None if len(ways) == 1 else _with_last_choice_of(asked, prompt)


def _with_last_choice_of(asked: MeaningQuestion, first: WhoThrewQuestion) -> MeaningQuestion:
    """Return the question whose answer that is no way is that of the first step."""
    choices = (*asked.question.choices[:-1], first.question.choices[-1])
    return replace(asked, question=replace(asked.question, choices=choices))


def ways_thrown_by(prompt: WhoThrewQuestion, seat: int) -> tuple[Way, ...]:
    """Return the ways in which that seat threw."""
    return tuple(way for way in prompt.ways if _actions(way)[-1].player == seat)


def _small(match: Match, ways: Sequence[Way], table: TableView) -> MeaningQuestion | None:
    rows = [_actions(way) for way in ways]
    if len(rows) < 2 or not all(row[-1].dice and match.throws(match.state, row[-1]) for row in rows):
        return None
    throwers = tuple(dict.fromkeys(row[-1].player for row in rows))
    dice, crops = _thrown(table)
    if len(throwers) > 1:
        likeliest = sorted(throwers, key=lambda seat: (seat != match.state.on_turn, seat))
        choices = tuple((str(seat), match.state.name(seat)) for seat in likeliest)
        return WhoThrewQuestion(_question(say("Who threw?"), choices, dice, crops), tuple(ways))
    steps = [_without_ends(match, row[:-1]) for row in rows]
    verbs = {action.verb for step in steps for action in step}
    if len(verbs) != 1 or len({len(step) for step in steps}) < len(steps):
        return None
    player = max(steps, key=len)[0].player
    titles = {place: _how_far(match, step) for place, step in enumerate(steps)}
    furthest_first = sorted(titles, key=lambda place: -len(steps[place]))
    choices = tuple((str(place), titles[place]) for place in furthest_first)
    sentence = say("How far did {who} get before that?", who=match.state.name(player))
    return HowFarQuestion(_question(sentence, choices, dice, crops), tuple(ways))


def _actions(way: Way) -> tuple[Action, ...]:
    return tuple(action for action, _ in way)


def _without_ends(match: Match, row: Iterable[Action]) -> tuple[Action, ...]:
    """Return the row without the ends of turns, of which it is known by who threw."""
    return tuple(action for action in row if action.verb not in match.game.ends_turn)


def _how_far(match: Match, step: Sequence[Action]) -> str:
    """Return the last of a row of actions in a word or two, `Card 7`, else as the button has it that does it."""
    if not step:
        return NOT_AT_ALL
    card = step[-1].choice.removeprefix("card-")
    if card.isdigit():
        return say("Card {card}", card=card)
    return match.game.offer_title(state_after(match.game, match.state, tuple(step[:-1])), step[-1])


def _thrown(table: TableView) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the dice of the last throw, and their pictures."""
    seen = table.seen
    dice: Iterable[DieOfThrow] = ((die.number, die.throw) for die in seen.dice) if seen else ()
    numbers = tuple(number for number, throw in dice if seen and throw == seen.throw)
    return numbers, tuple(_picture(table.crops, number) for number in numbers)


def _picture(crops: Mapping[int, str], number: int) -> str:
    return crops.get(number, "")


def _question(sentence: str, choices: Choices, dice: tuple[int, ...], crops: tuple[str, ...]) -> Question:
    return Question(number=0, sentence=sentence, choices=(*choices, *OR_AS_THEY_LIE), dice=dice, crops=crops)


# Answers that have to be sure

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
        return say("No throw counts. The game goes on with the dice as they lie.")
    turned = [each for each in find_put_backs(state) if each.die and each.title and each.title != each.shows]
    if len(turned) == 1:
        now, before = (within_sentence(title) for title in (turned[0].shows or say("another face"), turned[0].title))
        return say("The game goes on with {now} instead of {before}.", now=now, before=before)
    if turned:
        return say("The game goes on with {count} dice that now show something else.", count=len(turned))
    return say("The game goes on with the dice as they lie now.")
