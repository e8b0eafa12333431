"""A throw that can mean many things, asked in small steps: who threw, then how far the player went before. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from models.dataset.table_labels import DieOfThrow
from referee.actions import Action
from referee.journal import Deed, Source
from referee.sentences import say
from referee.snapshot import Question
from referee.umpire import LOST_DIE_QUESTION, Explanation
from referee.umpire.rest import state_after
from referee.umpire.throws import WHAT_WAS_IT
from referee.umpire.weighing import TAKEN_FROM
from vander.session.match import Match, Way
from vander.session.prompts import HowFarQuestion, MeaningQuestion, WhoThrewQuestion
from vander.session.question_prompts import OR_AS_THEY_LIE, Choices, meaning_question, ways_of
from vander.session.session_state import TableView

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
