"""Cheats by the tablet: false corrections and answers, throws taken back, dice by hand, no answer at all."""

from __future__ import annotations

from bench.fair_cases.case import Case, NotThisTime
from bench.fair_cases.judgement import Sort
from bench.fair_cases.opening import keeps_dice
from bench.fair_cases.shared_steps import (
    after_turning,
    is_open,
    kept_die,
    refuse_if_legal,
)
from bench.fair_cases.staged_case import staged
from referee.actions import GameState
from referee.sentences import Refused

# Cheats: by the tablet


def _thrown_and_ruled(case: Case) -> tuple[list[int], GameState]:
    numbers = case.dice_of()
    case.throw_and_settle(numbers)
    after = case.come(case.offer, numbers, case.begun)
    if case.state != after or is_open(case):
        raise NotThisTime("the throw itself was not taken")
    case.table.listen()
    return numbers, after


@staged(Sort.CHEAT, "A face that was read right is corrected to another")
def _false_correction(case: Case) -> None:
    numbers, after = _thrown_and_ruled(case)
    real = case.table.true()
    shown = {case.table.real(die.number): die for die in case.table.session.snapshot().dice}
    for number in case.table.rng.sample(numbers, len(numbers)):
        die = shown.get(number)
        faces = [each.face for each in (die.faces if die else ()) if each.face != str(real[number].face)]
        if die is None or not faces:
            continue
        try:
            case.table.session.correct(die.number, case.table.rng.choice(faces))
        except Refused as refused:
            case.note("refused:", refused)
            continue
        case.table.settle()
        if case.state != after:
            break
    else:
        raise NotThisTime("no correction changes anything")
    case.fair = [after]


@staged(Sort.CHEAT, "A bad throw is taken back and thrown again")
def _take_back(case: Case) -> None:
    numbers, after = _thrown_and_ruled(case)
    try:
        case.table.session.undo()
    except Refused as refused:
        raise NotThisTime(str(refused)) from None
    case.table.settle()
    if case.table.session.snapshot().questions:
        case.answer(lambda question: question.choices[-1][0])
    case.throw_and_settle(numbers)
    case.fair = [after]


@staged(Sort.CHEAT, "It is said that a throw does not count")
def _void(case: Case) -> None:
    _, after = _thrown_and_ruled(case)
    try:
        case.table.session.void()
    except Refused as refused:
        raise NotThisTime(str(refused)) from None
    case.table.settle()
    case.fair = [after]


@staged(Sort.CHEAT, "A turned die is made official by 'as the dice lie'", keeps_dice)
def _as_they_lie(case: Case) -> None:
    case.tip(kept_die(case))
    case.table.settle()
    after_turning(case)
    for _ in range(3):
        shown = case.table.session.snapshot()
        choices = [choice for question in shown.questions for choice, _ in question.choices]
        if not shown.questions or not any("lies" in choice for choice in choices):
            break
        if not case.answer(lambda question: next((c for c, _ in question.choices if "lies" in c), None)):
            break


@staged(Sort.CHEAT, "A question about a throw is answered with 'nothing of this'")
def _denied(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.wait_for_last_roll()
    after = case.come(case.offer, numbers, case.begun)
    case.throw_and_settle(numbers[:1])
    refuse_if_legal(case, after, numbers[:1])
    case.fair = [case.begun, after]
    for _ in range(3):
        questions = case.table.session.snapshot().questions
        if not questions:
            break
        if not case.answer(lambda question: question.choices[-1][0]):
            break
    if case.state == case.begun:
        case.fair = [after]  # the throw is cancelled: everybody has to be told


@staged(Sort.CHEAT, "Dice are given by hand while the lens is covered, and not as they fell")
def _by_hand_covered(case: Case) -> None:
    case.table.tray.trouble("covered")
    case.table.wait(2.0)
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.wait(2.5)
    real = case.come(case.offer, numbers, case.begun)
    faces = {kind.name: kind.faces for kind in case.table.setting.dice.kinds}
    given = [f"{die.kind}:{case.table.rng.choice(faces[die.kind])}" for die in case.offer.dice]
    choice = f" ={case.offer.choice}" if case.offer.choice else ""
    try:
        case.table.session.by_hand(f"{case.offer.player} {case.offer.verb} {' '.join(sorted(given))}{choice}")
    except Refused as refused:
        raise NotThisTime(str(refused)) from None
    case.table.tray.trouble("")
    case.table.settle()
    case.fair = [real, case.begun]


# Cheats: nobody answers, and the next player goes on


def _leave_open_and_go_on(case: Case, after: GameState) -> None:
    """After something that has to be asked: answer nothing, and let whoever comes next throw."""
    shown = case.state
    offers = [offer for offer in case.game.legal(after) if offer.is_throw]
    case.fair = [case.begun, after]
    if not offers or not after.to_act:
        return
    offer = case.table.rng.choice(offers)
    try:
        numbers = case.dice_of(offer, after)
    except NotThisTime:
        return
    case.throw_and_settle(numbers)
    case.note("nobody answered; state was", "fair" if shown in case.fair else "other")
    done = case.come(offer, numbers, after)
    case.fair += [done]


@staged(Sort.CHEAT, "A die is dropped with the face that it had: nobody answers, the next player throws")
def _unanswered(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.wait_for_rest()
    case.table.settle()
    after = case.come(case.offer, numbers, case.begun)
    if case.state == after and not is_open(case):
        raise NotThisTime("nothing was asked")
    _leave_open_and_go_on(case, after)
