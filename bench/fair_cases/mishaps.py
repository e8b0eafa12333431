"""Honest mishaps: what happens at a table without anybody's wish."""

from __future__ import annotations

from bench.fair_cases.case import Case, NotThisTime
from bench.fair_cases.judgement import Sort
from bench.fair_cases.opening import keeps_dice
from bench.fair_cases.shared_steps import (
    after_loss,
    again_if_not_taken,
    is_legal,
    kept_die,
    throw_on,
)
from bench.fair_cases.staged_case import Fate, staged
from hardware.simulator.hands import LETTING_GO_SECONDS
from hardware.simulator.virtual_tray import REACHING_SECONDS
from referee.dice import Zone
from referee.snapshot import NoticeMood

# Honest mishaps


@staged(Sort.MISHAP, "A sleeve nudges a kept die", keeps_dice)
def _nudge(case: Case) -> None:
    case.table.tray.twist(kept_die(case), case.table.rng.choice((-35.0, 25.0, 40.0)))
    case.table.settle()
    case.fair = [case.legal_throw()]
    case.recover()


@staged(Sort.MISHAP, "A die is knocked off by an elbow and laid back as it was", keeps_dice)
def _elbow(case: Case) -> None:
    die = kept_die(case)
    before = case.table.true()[die]
    case.table.tray.knock_off(die)
    case.table.settle()
    case.accusable = True  # a die is missing: the page says so
    lost = after_loss(case, case.begun)
    if case.state in lost:
        case.fair = lost
        return case.recover()
    case.table.tray.move(die, before.x_mm / 300, before.y_mm / 225)
    case.table.wait(1.2)
    case.put_right()
    case.fair = [case.begun]
    case.recover()
    if case.state != case.begun:
        return None
    throw_on(case)
    return None


@staged(Sort.MISHAP, "A die leans, and is thrown again as the page says", fate=Fate.LEANS)
def _lean(case: Case) -> None:
    numbers = case.dice_of()
    case.throw_and_settle(numbers)
    leaning = [number for number, die in case.table.true().items() if not die.flat]
    if len(leaning) != 1 or leaning[0] not in numbers:
        raise NotThisTime("not one thrown die leans")
    case.throw_leaning()
    case.fair = [case.come(case.offer, numbers, case.begun)]
    case.recover()


@staged(Sort.MISHAP, "A die flies off, and everybody sees it", fate=Fate.LEAVES)
def _fly_off(case: Case) -> None:
    numbers = case.dice_of()
    case.throw_and_settle(numbers)
    gone = [number for number, place in case.table.places().items() if place in ("out", "off")]
    if len(gone) != 1:
        raise NotThisTime(f"{len(gone)} dice left the tray")
    lost = after_loss(case, case.begun)
    if lost:
        case.fair = lost
        return case.recover()
    case.table.tray.throw(numbers, fates={})
    case.table.settle()
    case.fair = [case.come(case.offer, numbers, case.begun)]
    case.recover()
    return None


@staged(Sort.MISHAP, "A hand reaches in and takes nothing")
def _hand_between(case: Case) -> None:
    case.table.tray.hand(True)
    case.table.wait(0.9)
    case.table.tray.hand(False)
    case.table.settle()
    case.fair = [case.legal_throw()]
    case.recover()


@staged(Sort.MISHAP, "A hand stays over the tray while the dice fly")
def _hand_in_flight(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.wait(LETTING_GO_SECONDS + 0.15)
    case.table.tray.hand(True)
    case.table.wait(1.2)
    case.table.tray.hand(False)
    case.table.settle()
    case.fair = [case.come(case.offer, numbers, case.begun)]
    case.recover()


@staged(Sort.MISHAP, "The lens is covered for half a second between throws")
def _covered_between(case: Case) -> None:
    _trouble_between(case, "covered", 0.5)


@staged(Sort.MISHAP, "The lens is covered for three seconds between throws")
def _covered_long(case: Case) -> None:
    _trouble_between(case, "covered", 3.0)


@staged(Sort.MISHAP, "The picture freezes for three seconds between throws")
def _frozen_between(case: Case) -> None:
    _trouble_between(case, "frozen", 3.0)


@staged(Sort.MISHAP, "The camera is unplugged for two seconds between throws")
def _unplugged_between(case: Case) -> None:
    _trouble_between(case, "unplugged", 2.0)


def _trouble_between(case: Case, trouble: str, seconds: float) -> None:
    case.table.tray.trouble(trouble)
    case.table.wait(seconds)
    case.table.tray.trouble("")
    case.table.wait(1.2)
    case.table.settle()
    case.fair = [case.legal_throw()]
    case.recover()


@staged(Sort.MISHAP, "The lens is covered while the dice fly")
def _covered_flight(case: Case) -> None:
    _trouble_in_flight(case, "covered")


@staged(Sort.MISHAP, "The picture freezes while the dice fly")
def _frozen_flight(case: Case) -> None:
    _trouble_in_flight(case, "frozen")


@staged(Sort.MISHAP, "The camera is unplugged while the dice fly")
def _unplugged_flight(case: Case) -> None:
    _trouble_in_flight(case, "unplugged")


def _trouble_in_flight(case: Case, trouble: str) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.wait(LETTING_GO_SECONDS + 0.05)
    case.table.tray.trouble(trouble)
    case.table.wait(2.5)
    case.table.tray.trouble("")
    case.table.wait(1.2)
    case.table.settle()
    case.fair = [case.come(case.offer, numbers, case.begun)]
    case.recover()
    again_if_not_taken(case)


@staged(Sort.MISHAP, "Half a second of pictures is lost while the dice fly")
def _gap_in_flight(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.wait(LETTING_GO_SECONDS + 0.25)
    case.table.skip(0.5)
    case.table.settle()
    case.fair = [case.come(case.offer, numbers, case.begun)]
    case.recover()


@staged(Sort.MISHAP, "The camera gives three pictures a second while the dice fly")
def _three_a_second(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    for _ in range(12):
        case.table.skip(0.27)
        case.table.look()
    case.table.settle()
    case.fair = [case.come(case.offer, numbers, case.begun)]
    case.recover()


@staged(Sort.MISHAP, "The next throw comes 0.6 s after the last one lies still")
def _quick_next(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.wait_for_rest()
    case.table.wait(0.6 - REACHING_SECONDS)
    after = case.come(case.offer, numbers, case.begun)
    offers = [offer for offer in case.game.legal(after) if offer.is_throw]
    if not offers:
        raise NotThisTime("no throw comes next")
    offer = case.table.rng.choice(offers)
    numbers = case.dice_of(offer, after)
    case.throw_and_settle(numbers)
    case.fair = [case.come(offer, numbers, after)]
    case.recover()


@staged(Sort.MISHAP, "Dice are tidied by hand before the next throw")
def _tidy(case: Case) -> None:
    for number in case.table.rng.sample(case.dice_of(), len(case.dice_of())):
        case.table.tray.move(number, 0.12 + 0.06 * number, 0.72)
        case.table.wait(case.table.tray.rests_in())
    case.table.settle()
    case.fair = [case.begun]
    case.recover()
    if case.state == case.begun:
        throw_on(case)


@staged(Sort.MISHAP, "A die is turned by mistake, put back as told, and the throw follows without a pause", keeps_dice)
def _put_back(case: Case) -> None:
    die = kept_die(case)
    before = case.table.true_dice([die])[0]
    case.tip(die)
    case.table.settle()
    case.accusable = True
    case.turn_back(die, before)
    case.fair = [case.begun]
    if case.table.session.snapshot().questions and case.table.session.snapshot().mood is not NoticeMood.BREACH:
        case.recover()
    throw_on(case)


@staged(Sort.MISHAP, "A die is forgotten, and all are thrown again as they should be")
def _forgotten(case: Case) -> None:
    numbers = case.dice_of()
    if len(numbers) < 2 or is_legal(case, case.begun, numbers[1:]):
        raise NotThisTime("fewer dice are a legal throw")
    case.throw_and_settle(numbers[1:])
    case.accusable = True
    case.fair = [case.begun]
    case.recover()
    if case.state == case.begun:
        case.throw_and_settle(case.dice_of())
        case.fair = [case.come(case.offer, list(case.thrown), case.begun)]
        case.recover()


@staged(Sort.MISHAP, "The power is lost while the dice lie still")
def _restart_at_rest(case: Case) -> None:
    case.table.restart()
    case.table.settle()
    case.fair = [case.legal_throw()]
    case.recover()


@staged(Sort.MISHAP, "The power is lost in mid-throw")
def _restart_in_flight(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.wait(LETTING_GO_SECONDS + 0.35)
    case.table.restart()
    case.table.settle()
    case.fair = [case.come(case.offer, numbers, case.begun), case.begun]
    case.recover()
    if case.state == case.begun:
        throw_on(case)


@staged(Sort.MISHAP, "A die is picked up and carried about before it is thrown")
def _carried_about(case: Case) -> None:
    numbers = case.dice_of()
    case.carry(numbers[0], Zone.FIELD)
    case.table.settle()
    case.fair = [case.begun]
    case.recover()
    if case.state == case.begun:
        throw_on(case)


@staged(Sort.MISHAP, "Frames come twice and out of order while the dice fly")
def _twice_and_late(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.shuffle(2.2)
    case.table.settle()
    case.fair = [case.come(case.offer, numbers, case.begun)]
    case.recover()


@staged(Sort.MISHAP, "The clock jumps forward by an hour while the dice lie still")
def _clock_jumps(case: Case) -> None:
    case.table.jump(3600.0)
    case.table.settle()
    case.fair = [case.legal_throw()]
    case.recover()
