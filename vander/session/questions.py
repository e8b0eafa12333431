"""The questions: their sentences and choices, and what hands did in the tray that leads to one. Pure."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from models.dataset.table_labels import DieOfThrow
from referee.actions import Action
from referee.dice import Die, DieSet, FaceName, Handling, Homecoming, KindName, Seen, SeenDie
from referee.journal import Source
from referee.phrases import in_a_row
from referee.sentences import Sentence, as_title, say, within_sentence
from referee.snapshot import Question, QuestionTopic
from referee.umpire import Explanation, Sayings, ask_if_thrown, describe
from referee.umpire.tables import LIKELY
from vander.session.doubts import KindDoubt, UnseenWay, unseen_title
from vander.session.match import Match, Way
from vander.session.seen_dice import named_kinds, positions, title_of
from vander.session.session_state import (
    Breach,
    BreachQuestion,
    FaceQuestion,
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
)

# Sentences and choices

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
    numbers, pictures = tuple(die.number for die in dice), tuple(crops.get(die.number, "") for die in dice)
    picture = next(filter(None, pictures), "")
    choices, topic = ((LIES_FLAT, title),), QuestionTopic.LEANING
    return LeaningQuestion(Question(0, sentence, choices, picture=picture, dice=numbers, crops=pictures, topic=topic))


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
