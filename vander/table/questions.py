"""The questions: their sentences and choices, what hands did or a throw means, answers that have to be sure. Pure."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from models.dataset.samples import DieOfThrow
from referee.actions import Action
from referee.dice import Die, DieSet, FaceName, KindName, Seen, SeenDie
from referee.journal import Deed, Source
from referee.phrases import in_a_row
from referee.sentences import Sentence, as_title, say, within_sentence
from referee.snapshot import Question, QuestionTopic
from referee.umpire import LOST_DIE_QUESTION, Explanation, ask_if_thrown, describe
from referee.umpire.rest import state_after
from referee.umpire.tables import LIKELY, numbers_of
from referee.umpire.throws import MOST_NAMED, WHAT_WAS_IT
from referee.umpire.weighing import TAKEN_FROM
from vander.table.doubts import KindDoubt, UnseenWay, unseen_title
from vander.table.match import Match, Way
from vander.table.put_back import find_put_backs
from vander.table.seen_dice import named_kinds, positions, title_of
from vander.table.session_state import (
    Breach,
    BreachQuestion,
    FaceQuestion,
    HowFarQuestion,
    InterventionQuestion,
    KindQuestion,
    LeaningQuestion,
    MeaningQuestion,
    Mismatch,
    MismatchQuestion,
    Prompt,
    SessionState,
    SetFlatQuestion,
    Step,
    TableView,
    ThrownQuestion,
    Unresolved,
    UnseenThrowQuestion,
    WhoThrewQuestion,
)

# Sentences and choices

AS_IT_LIES, PUT_BACK = "as-it-lies", "put-back"
"""Answers that are no way: go on from the dice as they lie; they were only put back."""
NOT_ALL = "not-all"
"""The answer that dice which look alike do not all show the same face."""
LIES_FLAT = "lies-flat"
"""The answer that kept dice which seem to lean do not."""
COUNTS, THROWN_AGAIN = "counts", "thrown-again"
"""Answers about a leaning die that was set flat."""
Choices = tuple[tuple[str, str], ...]
MOST_LIKELY = MOST_NAMED + 1
"""How many answers a question offers first at most: tiles of faces or dice, and the one that none of them is right."""

WHAT_SHOWS = say("What does this die show?")
NO_DIE = "none"
"""The answer that no die of the throw is of the kind."""
NONE_OF_THEM: Choices = ((NO_DIE, say("None of them")),)
NOT_ALL_THE_SAME: Choices = ((NOT_ALL, say("Not all")),)
WHAT_HAPPENED = say("What happened?")
WAS_IT_THROWN = say("Was this thrown while nobody was watching?")
NOT_THROWN = (PUT_BACK, say("No: the dice are put back"))
THROWN_NOW = (PUT_BACK, say("No: it is thrown now"))
"""The same answer before a turn's first throw, when it does not matter how the dice lie."""
LAY_WRONG_BEFORE = say("Before this throw the dice did not lie as they should. What happened?")
NONE_OF_THIS: Choices = ((THROWN_AGAIN, say("None of these: thrown again")),)
OR_AS_THEY_LIE: Choices = ((AS_IT_LIES, say("None of these: go on as the dice lie")),)
AS_THEY_LIE: Choices = ((AS_IT_LIES, say("Go on as the dice lie")),)


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
    """Ask what these dice show: those of one throw that look alike together."""
    state = step.state
    dice = [die for die in state.table.seen.dice if die.number in numbers] if state.table.seen else []
    groups = _alike(dice, state.unresolved.apart)
    return ask(step, *(_face_question(state.dice, group, state.table.crops) for group in groups))


def _alike(dice: Iterable[SeenDie], apart: Container[DieOfThrow]) -> Iterable[Sequence[SeenDie]]:
    """The dice in groups of one throw, one kind and one likeliest face; those that do not all show the same alone."""
    groups = dict[object, list[SeenDie]]()
    for die in dice:
        is_apart = (die.number, die.throw) in apart
        groups.setdefault(die.number if is_apart else (die.throw, die.die), []).append(die)
    return groups.values()


def _face_question(dice: DieSet, alike: Sequence[SeenDie], pictures: Mapping[int, str]) -> FaceQuestion:
    """The likely faces first, then the kind's others; of several dice also that they do not all show the same."""
    kind, shares = alike[0].kind, _shares(alike)
    own = [face for known in named_kinds(dice, kind) for face in known.faces]
    faces = {face: title_of(dice, kind, face) for face in (*shares, *own) if face in own}
    likely = sum(shares.get(face, 0.0) >= LIKELY for face in faces)
    most = MOST_LIKELY if len(alike) == 1 else MOST_LIKELY - len(NOT_ALL_THE_SAME)
    sentence, choices = _in_words(faces, len(alike))
    question = Question(
        number=0,
        sentence=sentence,
        choices=choices,
        die=alike[0].number if len(alike) == 1 else 0,
        likely=min(max(likely, 1), most),
        shown=tuple(Die(kind, face) for face in faces),
        topic=QuestionTopic.FACE,
    )
    return FaceQuestion(with_dice(question, numbers_of(alike), pictures))


def _in_words(faces: Mapping[FaceName, str], count: int) -> tuple[str, Choices]:
    """The sentence and the choices for so many dice, from the titles of the faces, the likeliest first."""
    if count == 1:
        return WHAT_SHOWS, tuple((str(face), title) for face, title in faces.items())
    titles = {face: _every(count, within_sentence(title)) for face, title in faces.items()}
    choices = ((str(face), as_title(title)) for face, title in titles.items())
    return _these(count, next(iter(titles.values()))), (*choices, *NOT_ALL_THE_SAME)


def _these(count: int, every: str) -> Sentence:
    if count == 2:
        return say("These two: {every}?", every=every)
    if count == 3:
        return say("These three: {every}?", every=every)
    return say("These {count} dice: {every}?", count=count, every=every)


def _every(count: int, title: str) -> Sentence:
    return say("both {title}", title=title) if count == 2 else say("all {title}", title=title)


def _shares(alike: Sequence[SeenDie]) -> Mapping[FaceName, float]:
    """The probability of each face, on average over the dice, the likeliest first."""
    shares = dict[FaceName, float]()
    for die in alike:
        for face, share in die.faces:
            shares[face] = shares.get(face, 0.0) + share / len(alike)
    return dict(sorted(shares.items(), key=lambda each: -each[1]))


def kind_question(dice: DieSet, doubt: KindDoubt, pictures: Mapping[int, str]) -> KindQuestion:
    """Return the question which die of the throw is of a kind, with its dice to choose among, the likeliest first."""
    titles = ((die, within_sentence(title_of(dice, die.kind, die.faces[0][0]))) for die in doubt.dice)
    choices = tuple((str(die.number), say("Shows {title}", title=title)) for die, title in titles)
    others = NONE_OF_THEM if doubt.may_be_none else ()
    is_short = len(choices) + len(others) <= MOST_LIKELY
    question = Question(
        number=0,
        sentence=_which(dice, doubt.kind),
        choices=(*choices, *others),
        likely=len(choices) if is_short else MOST_LIKELY,
        dice=tuple(die.number for die in doubt.dice),
        crops=tuple(pictures.get(die.number, "") for die in doubt.dice),
        topic=QuestionTopic.KIND,
    )
    return KindQuestion(question, doubt.kind)


def _which(dice: DieSet, kind: KindName) -> str:
    """The question for the die of a kind; for dice of which there are several, one of them is tapped at a time."""
    count = dice.count(kind)
    title = next((within_sentence(known.title) for known in named_kinds(dice, kind)), str(kind))
    if count == 1:
        return say("Which is the {kind}?", kind=title)
    return say("Which dice are of this kind: {kind}? Tap one.", kind=title)


def meaning_question(
    match: Match, explained: Explanation, crops: Mapping[int, str], sentence: str, also: Choices = OR_AS_THEY_LIE
) -> MeaningQuestion:
    """Return the question which of the umpire's ways it was; `also` are the answers that are no way, the last ones."""
    titles = (describe(match.game, match.state, way) for way in explained.ways)
    choices = tuple((str(place), title) for place, title in enumerate(titles))
    asked = Question(0, sentence or WHAT_HAPPENED, (*choices, *also))
    return MeaningQuestion(with_dice(asked, explained.dice, crops), ways_of(explained))


def with_dice(question: Question, dice: tuple[int, ...], crops: Mapping[int, str]) -> Question:
    """Return the question about these dice, which are ringed in the picture of the tray; `crops` are their pictures."""
    pictures = tuple(crops.get(die, "") for die in dice)
    return replace(question, picture=next(filter(None, pictures), ""), dice=dice, crops=pictures)


def put_back_question(
    match: Match, explained: Explanation, crops: Mapping[int, str], dice: tuple[int, ...]
) -> MeaningQuestion:
    """Return the question whether these dice, which lie right again, were put back, which is likeliest, or thrown."""
    asked = meaning_question(match, explained, crops, WHAT_HAPPENED, ())
    choices = ((PUT_BACK, say("The dice were only put back")), *asked.question.choices)
    return replace(asked, question=with_dice(replace(asked.question, choices=choices), dice, crops))


def unknown_meaning_question() -> MeaningQuestion:
    """Return the question about a throw after dice that lay wrong, where no way explains it."""
    return MeaningQuestion(Question(0, LAY_WRONG_BEFORE, OR_AS_THEY_LIE, topic=QuestionTopic.PUT_BACK))


def turned_question(sentence: str) -> MeaningQuestion:
    """Return the question about dice that were turned while others were thrown again."""
    return MeaningQuestion(Question(0, sentence, AS_THEY_LIE, topic=QuestionTopic.PUT_BACK))


def set_flat_question(dice: Sequence[SeenDie], crops: Mapping[int, str], *, is_blind: bool) -> SetFlatQuestion:
    """Return the question whether leaning dice that lie flat now count so.

    `is_blind`: the camera could not see the tray meanwhile, so that nobody is told that a hand set them flat.
    """
    picture = next((crops[die.number] for die in dice if die.number in crops), "")
    sentence: str
    is_one = len(dice) == 1
    if is_one:
        sentence = say("The leaning die was set flat. Does it count?")
        again, counts = say("No, it is thrown again"), say("Yes, it counts as it lies")
    else:
        sentence = say("Leaning dice were set flat. Do they count?")
        again, counts = say("No, they are thrown again"), say("Yes, they count as they lie")
    if is_blind:
        asked = say("Was the leaning die thrown again?") if is_one else say("Were the leaning dice thrown again?")
        sentence = in_a_row(say("The camera saw nothing for a moment."), asked)
        again = say("No: it will be thrown again") if is_one else say("No: they will be thrown again")
        counts = say("Yes, it was thrown again") if is_one else say("Yes, they were thrown again")
    choices = ((THROWN_AGAIN, again), (COUNTS, counts))
    numbers = tuple(die.number for die in dice)
    return SetFlatQuestion(Question(0, sentence, choices, picture=picture, dice=numbers))


def leaning_question(sentence: str, dice: Sequence[SeenDie], crops: Mapping[int, str]) -> LeaningQuestion:
    """Return the question about dice that seem to lean; the sentence says what to do about those that do."""
    title = say("No: it lies flat") if len(dice) == 1 else say("No: they lie flat")
    question = Question(0, sentence, ((LIES_FLAT, title),), topic=QuestionTopic.LEANING)
    return LeaningQuestion(with_dice(question, numbers_of(dice), crops))


def breach_question(breach: Breach) -> BreachQuestion:
    """Return the question that goes with a recorded breach."""
    sentence = say("Put the dice back as they lay, and go on from there.")
    return BreachQuestion(Question(0, sentence, AS_THEY_LIE, picture=breach.evidence, topic=QuestionTopic.PUT_BACK))


def mismatch_question(mismatch: Mismatch) -> MismatchQuestion:
    """Return the question that goes with dice that lie wrong, where the rules can take them as they lie."""
    sentence = in_a_row(mismatch.sentence, say("Put the dice like this, or go on as they lie."))
    return MismatchQuestion(Question(0, sentence, AS_THEY_LIE, topic=QuestionTopic.PUT_BACK))


def unseen_throw_question(match: Match, ways: Sequence[UnseenWay], *, may_be_laid: bool) -> UnseenThrowQuestion:
    """Return the question whether it was one of these throws that nobody saw."""
    titles = (unseen_title(match.game, match.state, way) for way in ways)
    choices = tuple((str(place), say("Yes: {way}", way=within_sentence(title))) for place, title in enumerate(titles))
    no = NOT_THROWN if match.game.lay(match.state) else THROWN_NOW
    also = (no, *(AS_THEY_LIE if may_be_laid else ()))
    seen = tuple(tuple((action, Source.CAMERA) for action in way) for way in ways)
    return UnseenThrowQuestion(Question(0, WAS_IT_THROWN, (*choices, *also)), seen)


def ways_of(explained: Explanation, tapped: Action | None = None, source: Source = Source.TABLET) -> tuple[Way, ...]:
    """Return the ways, with who says so of each action: the last one is the source's when it is what was tapped."""
    return tuple(tuple(_with_sources(way, tapped, source)) for way in explained.ways)


def _with_sources(way: tuple[Action, ...], tapped: Action | None, source: Source) -> Iterable[tuple[Action, Source]]:
    for place, action in enumerate(way, 1):
        by_tap = place == len(way) and action == tapped
        yield action, source if by_tap else Source.CAMERA


# What hands did

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
    asked: Sequence[Prompt] = (
        _thrown(state, dice) if explained.question else _intervention(state, match, explained, dice)
    )
    step = step.to(replace(state, unresolved=replace(state.unresolved, breach=None)))
    return ask(step, *asked)


def _dice(seen: Seen | None, explained: Explanation) -> list[SeenDie]:
    numbers = explained.perhaps_thrown or explained.dice
    return [die for die in seen.dice if die.number in numbers] if seen else []


def _thrown(state: SessionState, dice: Sequence[SeenDie]) -> list[Prompt]:
    """Return the question about dice of one mark, or one about each where people said that not all were thrown."""
    apart = any((die.number, die.throw) in state.unresolved.apart for die in dice)
    groups = [[die] for die in dice] if apart else [dice]
    return [_thrown_question(state, group) for group in groups]


def one_by_one(state: SessionState, asked: Collection[DieOfThrow]) -> Iterator[ThrownQuestion]:
    """Yield a question about each of these dice."""
    for die in state.table.seen.dice if state.table.seen else ():
        if (die.number, die.throw) in asked:
            yield _thrown_question(state, [die])


def _thrown_question(state: SessionState, dice: Sequence[SeenDie]) -> ThrownQuestion:
    is_one, blind = len(dice) == 1, state.table.seen.blind if state.table.seen else ()
    one: Choices = ((WAS_THROWN, say("Yes, it was thrown")), (WAS_SET_DOWN, say("No, it was not")))
    several: Choices = ((WAS_THROWN, say("Yes, all of them")), (WAS_SET_DOWN, say("No, none of them")))
    choices = one if is_one else (*several, *NOT_ALL_THE_SAME)
    sentence = ask_if_thrown(len(dice), dice[0].handled, blind)
    return ThrownQuestion(_question(state, dice, sentence, choices), asked=_of_throws(dice))


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


# What a throw means

NOT_AT_ALL = say("Not at all")
WHAT_WAS_DONE = say("What was done?")
"""The question whose answers are rows of actions: each is pictured by itself."""


def find_tapped(match: Match) -> frozenset[str]:
    """Return the verbs of what throws may imply that people tap here: all where the last thing done was such a tap.

    Else each that so far was left to a throw so seldom that it is taken for not done (by the rule of succession of
    Laplace): of the times when it was tapped, and for what ends a turn also of those when its player threw on instead.
    """
    implied, taps = match.game.implied, _taps(match)
    done = [(ruling.action, entry.number in taps) for entry, ruling in match.standing]
    if done and done[-1][0].verb in implied and done[-1][1]:
        return implied
    turns = ((last, now) for (last, _), (now, _) in pairwise(done) if now.dice and now.player == last.player)
    on = sum(last.verb not in implied for last, _ in turns)
    known = {verb: [tapped for action, tapped in done if action.verb == verb] for verb in implied}
    known |= {verb: [*known[verb], *[True] * on] for verb in implied & match.game.ends_turn}
    return frozenset(verb for verb, each in known.items() if (sum(each) + 1) / (len(each) + 2) >= TAKEN_FROM)


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
    dice, crops = _last_thrown(table)
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
    dice, crops = _last_thrown(table)
    if len(throwers) > 1:
        likeliest = sorted(throwers, key=lambda seat: (seat != match.state.on_turn, seat))
        choices = tuple((str(seat), match.state.name(seat)) for seat in likeliest)
        return WhoThrewQuestion(_small_question(say("Who threw?"), choices, dice, crops), tuple(ways))
    steps = [_without_ends(match, row[:-1]) for row in rows]
    verbs = {action.verb for step in steps for action in step}
    if len(verbs) != 1 or len({len(step) for step in steps}) < len(steps):
        return None
    player = max(steps, key=len)[0].player
    titles = {place: _how_far(match, step) for place, step in enumerate(steps)}
    furthest_first = sorted(titles, key=lambda place: -len(steps[place]))
    choices = tuple((str(place), titles[place]) for place in furthest_first)
    sentence = say("How far did {who} get before that?", who=match.state.name(player))
    return HowFarQuestion(_small_question(sentence, choices, dice, crops), tuple(ways))


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


def _last_thrown(table: TableView) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the dice of the last throw, and their pictures."""
    seen = table.seen
    dice: Iterable[DieOfThrow] = ((die.number, die.throw) for die in seen.dice) if seen else ()
    numbers = tuple(number for number, throw in dice if seen and throw == seen.throw)
    return numbers, tuple(table.crops.get(number, "") for number in numbers)


def _small_question(sentence: str, choices: Choices, dice: tuple[int, ...], crops: tuple[str, ...]) -> Question:
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
