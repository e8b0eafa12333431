"""The questions that the table asks: what a die shows, what happened, whether to go on as the dice lie."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from models.dataset.table_labels import DieOfThrow
from referee.actions import Action
from referee.dice import Die, DieSet, FaceName, KindName, SeenDie
from referee.journal import Source
from referee.phrases import in_a_row
from referee.sentences import Sentence, as_title, say, within_sentence
from referee.snapshot import Question, QuestionTopic
from referee.umpire import Explanation, describe
from referee.umpire.tables import LIKELY
from vander.session.kind_doubts import KindDoubt
from vander.session.match import Match, Way
from vander.session.prompts import (
    Breach,
    BreachQuestion,
    FaceQuestion,
    KindQuestion,
    LeaningQuestion,
    MeaningQuestion,
    Mismatch,
    MismatchQuestion,
    Prompt,
    SetFlatQuestion,
    UnseenThrowQuestion,
)
from vander.session.seen_dice import named_kinds, title_of
from vander.session.session_state import Step
from vander.session.unseen_throws import UnseenWay, unseen_title

AS_IT_LIES, PUT_BACK, LEFT_LYING = "as-it-lies", "put-back", "left-lying"
"""Answers that are no way: go on from the dice as they lie; they were only put back; some were not thrown."""
NOT_ALL = "not-all"
"""The answer that dice which look alike do not all show the same face."""
LIES_FLAT = "lies-flat"
"""The answer that kept dice which seem to lean do not."""
COUNTS, THROWN_AGAIN = "counts", "thrown-again"
"""Answers about a leaning die that was set flat."""
Choices = tuple[tuple[str, str], ...]
FEWEST_LIKELY, MOST_LIKELY = 2, 4
"""How many answers a question offers first: tiles of faces or dice, and the one that none of them is right."""

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
NONE_OF_THIS: Choices = ((THROWN_AGAIN, say("None of this: thrown again")),)
OR_AS_THEY_LIE: Choices = ((AS_IT_LIES, say("Nothing of this: go on as the dice lie")),)
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
    likely = sum(share >= LIKELY for share in shares.values())
    most = MOST_LIKELY if len(alike) == 1 else MOST_LIKELY - len(NOT_ALL_THE_SAME)
    crops = tuple(pictures.get(die.number, "") for die in alike)
    sentence, choices = _in_words(faces, len(alike))
    question = Question(
        number=0,
        sentence=sentence,
        choices=choices,
        picture=next(filter(None, crops), ""),
        die=alike[0].number if len(alike) == 1 else 0,
        dice=tuple(die.number for die in alike),
        crops=crops,
        likely=min(max(likely, FEWEST_LIKELY), most, len(faces)),
        shown=tuple(Die(kind, face) for face in faces),
        topic=QuestionTopic.FACE,
    )
    return FaceQuestion(question)


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
    return say("Which dice are of the kind {kind}? Tap one of them.", kind=title)


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


def left_lying_question(  # noqa: PLR0913, PLR0917  # the die, what it would mean, and what it is else
    match: Match, explained: Explanation, crops: Mapping[int, str], die: int, title: str, breach: Breach
) -> MeaningQuestion:
    """Return the question whether the die that shows `title` was thrown too; if not, it was the breach."""
    sentence = say("Was the die that shows {title} thrown as well?", title=title)
    asked = meaning_question(match, explained, crops, sentence, ((LEFT_LYING, say("No, it was left lying")),))
    return replace(asked, question=with_dice(asked.question, (die,), crops), breach=breach)


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
        again, counts = say("No, it is thrown again"), say("Yes, it counts so")
    else:
        sentence = say("Leaning dice were set flat. Do they count?")
        again, counts = say("No, they are thrown again"), say("Yes, they count so")
    if is_blind:
        asked = say("Was the leaning die thrown again?") if is_one else say("Were the leaning dice thrown again?")
        sentence = in_a_row(say("The camera saw nothing for a moment."), asked)
        again = say("No: it will be thrown again") if is_one else say("No: they will be thrown again")
        counts = say("Yes, it was thrown again") if is_one else say("Yes, they were thrown again")
    choices = ((THROWN_AGAIN, again), (COUNTS, counts))
    numbers = tuple(die.number for die in dice)
    return SetFlatQuestion(Question(0, sentence, choices, picture, dice=numbers))


def leaning_question(sentence: str, dice: Sequence[SeenDie], crops: Mapping[int, str]) -> LeaningQuestion:
    """Return the question about dice that seem to lean; the sentence says what to do about those that do."""
    title = say("No: it lies flat") if len(dice) == 1 else say("No: they lie flat")
    numbers, pictures = tuple(die.number for die in dice), tuple(crops.get(die.number, "") for die in dice)
    picture = next(filter(None, pictures), "")
    choices, topic = ((LIES_FLAT, title),), QuestionTopic.LEANING
    return LeaningQuestion(Question(0, sentence, choices, picture, dice=numbers, crops=pictures, topic=topic))


def breach_question(breach: Breach) -> BreachQuestion:
    """Return the question that goes with a recorded breach."""
    sentence = say("Put the dice back as they lay, and go on from there.")
    return BreachQuestion(Question(0, sentence, AS_THEY_LIE, breach.evidence, topic=QuestionTopic.PUT_BACK))


def mismatch_question(mismatch: Mismatch) -> MismatchQuestion:
    """Return the question that goes with dice that lie wrong, where the rules can take them as they lie."""
    sentence = in_a_row(mismatch.sentence, say("Put the dice so, or go on as they lie."))
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
