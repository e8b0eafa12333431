"""Encode a question, its answers, and dice that have to be put back."""

from __future__ import annotations

from referee.dice import DieSet
from referee.snapshot import (
    AnswerEffect,
    PutBack,
    Question,
    QuestionTopic,
)
from web.schemas.board_response import dice_schema
from web.schemas.snapshot_schemas import (
    AnswerChoice,
    AnswerStepSchema,
    PutBackSchema,
    QuestionSchema,
)


def put_back_schema(wrong: PutBack, dice: DieSet | None) -> PutBackSchema:
    """Encode a die that lies wrong, with the picture of the face that it should show."""
    picture = f"/faces/{dice.name}/{wrong.kind}/{wrong.face}.jpg" if dice and wrong.face else ""
    return PutBackSchema(
        die=wrong.die,
        kind=wrong.kind,
        face=wrong.face,
        title=wrong.title,
        shows=wrong.shows,
        place=wrong.place,
        crop_before=wrong.crop_before,
        crop_now=wrong.crop_now,
        picture=picture,
    )


def question_schema(question: Question, dice: DieSet | None) -> QuestionSchema:
    """Encode an open question with its answers and their pictures."""
    pictures = _choice_pictures(question, dice)
    return QuestionSchema(
        number=question.number,
        sentence=question.sentence,
        choices=tuple(
            _choice(choice, _effect(question, choice[0]), dice, picture=pictures.get(choice[0], ""), likely=likely)
            for choice, likely in ((each, place < question.likely) for place, each in enumerate(question.choices))
        ),
        picture=question.picture,
        die=question.die,
        topic=question.topic,
        dice=question.dice,
        crops=question.crops,
        seat=question.seat,
    )


def _effect(question: Question, answer: str) -> AnswerEffect:
    """Return what an answer makes of the table; an empty one where nothing is known of it."""
    return next((effect for effect in question.effects if effect.answer == answer), AnswerEffect(answer))


def _choice(
    choice: tuple[str, str], effect: AnswerEffect, dice: DieSet | None, *, picture: str, likely: bool
) -> AnswerChoice:
    return AnswerChoice(
        *choice,
        likely=likely,
        picture=picture,
        before=dice_schema(effect.before, dice),
        after=dice_schema(effect.after, dice),
        seat=effect.seat,
        turn=effect.turn,
        points=effect.points,
        steps=tuple(AnswerStepSchema(step.title, dice_schema(step.dice, dice)) for step in effect.steps),
    )


def _choice_pictures(question: Question, dice: DieSet | None) -> dict[str, str]:
    """Return the addresses of the pictures that go with answers: of faces, or of the dice to choose among."""
    if question.topic is QuestionTopic.KIND:
        named = zip(question.dice, question.crops, strict=True)
        return {str(number): f"/pictures/{crop}.jpg" for number, crop in named if crop}
    return {str(die.face): f"/faces/{dice.name}/{die.kind}/{die.face}.jpg" for die in question.shown if dice}
