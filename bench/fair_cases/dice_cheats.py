"""Cheats with dice: turned, thrown again, set down, taken away, knocked off, or other throws than the rules have."""

from __future__ import annotations

from bench.fair_cases.case import HAND_SECONDS, Case, NotThisTime
from bench.fair_cases.judgement import Sort
from bench.fair_cases.opening import keeps_dice
from bench.fair_cases.shared_steps import (
    after_loss,
    after_turning,
    is_legal,
    is_open,
    kept_die,
    refuse_if_legal,
)
from bench.fair_cases.staged_case import Fate, staged
from hardware.simulator.hands import LETTING_GO_SECONDS
from hardware.simulator.virtual_tray import REACHING_SECONDS
from referee.actions import GameState
from referee.dice import Zone
from referee.judge import judge

_TAKES_AS_OTHERS_FLY = LETTING_GO_SECONDS - REACHING_SECONDS - 0.05
"""Seconds after a throw began at which a second hand reaches in that takes a die as the others fly."""

# Cheats: a kept die shows something else


@staged(Sort.CHEAT, "A kept die is turned between two throws", keeps_dice)
def _turn_kept(case: Case) -> None:
    case.tip(kept_die(case))
    after_turning(case)


@staged(Sort.CHEAT, "A kept die is turned under a hand", keeps_dice)
def _turn_under_hand(case: Case) -> None:
    die = kept_die(case)
    case.table.tray.hand(True)
    case.table.wait(0.4)
    case.tip(die)
    case.table.tray.hand(False)
    case.table.wait(0.4)
    after_turning(case)


@staged(Sort.CHEAT, "A kept die is turned under a covered lens", keeps_dice)
def _turn_covered(case: Case) -> None:
    _turn_in_trouble(case, "covered")


@staged(Sort.CHEAT, "A kept die is turned while the picture is frozen", keeps_dice)
def _turn_frozen(case: Case) -> None:
    _turn_in_trouble(case, "frozen")


@staged(Sort.CHEAT, "A kept die is turned while the camera is unplugged", keeps_dice)
def _turn_unplugged(case: Case) -> None:
    _turn_in_trouble(case, "unplugged")


def _turn_in_trouble(case: Case, trouble: str) -> None:
    die = kept_die(case)
    case.table.tray.trouble(trouble)
    case.table.wait(0.3)
    case.tip(die)
    case.table.wait(REACHING_SECONDS)
    case.table.tray.trouble("")
    case.table.wait(0.3)
    after_turning(case)


@staged(Sort.CHEAT, "A kept die is turned while pictures are lost", keeps_dice)
def _turn_lost_pictures(case: Case) -> None:
    die = kept_die(case)
    before = case.table.true()[die].face
    for _ in range(5):
        case.table.tray.tip(die)
        case.table.skip(HAND_SECONDS + REACHING_SECONDS)
        if case.table.true()[die].face != before:
            break
    after_turning(case)


@staged(Sort.CHEAT, "A kept die is turned while the others fly", keeps_dice)
def _turn_in_flight(case: Case) -> None:
    numbers = case.dice_of()
    die = kept_die(case, numbers)
    case.throw(numbers)
    case.table.wait(_TAKES_AS_OTHERS_FLY)
    case.tip(die)
    case.table.settle()
    case.fair = [case.begun, case.come(case.offer, numbers, case.begun)]


# Cheats: a thrown die shows something else


@staged(Sort.CHEAT, "A thrown die is turned after the ruling, before the next throw or tap")
def _turn_thrown(case: Case) -> None:
    numbers = case.dice_of()
    case.throw_and_settle(numbers)
    after = case.come(case.offer, numbers, case.begun)
    if case.state != after or is_open(case) or not case.game.lay(after):
        raise NotThisTime("the throw itself was not taken, or its dice are free")
    counting = [n for n in numbers if _counts(case, after, n)]
    if not counting:
        raise NotThisTime("no thrown die counts any more")
    case.table.listen()
    case.tip(case.table.rng.choice(counting))
    case.table.settle()
    case.fair = [after]
    if is_open(case):
        return
    ends = [offer for offer in case.game.legal(after) if offer.verb in case.game.ends_turn]
    if ends and case.tap(ends[0]):
        case.fair.append(judge(case.game, after, ends[0]).state)


def _counts(case: Case, state: GameState, number: int) -> bool:
    die = case.table.true()[number]
    return any(each.die.kind == die.kind and each.die.face == die.face for each in case.game.lay(state))


@staged(Sort.CHEAT, "A thrown die is turned as soon as it lies still")
def _turn_at_rest(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.wait_for_last_roll()
    after = case.come(case.offer, numbers, case.begun)
    case.tip(case.table.rng.choice(numbers))
    case.table.settle()
    case.fair = [case.begun, after]


@staged(Sort.CHEAT, "Dice are thrown again before the first throw is ruled on")
def _two_quick_throws(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    case.table.wait_for_last_roll()
    after = case.come(case.offer, numbers, case.begun)
    case.throw_and_settle(numbers)
    refuse_if_legal(case, after, numbers)
    case.fair = [case.begun, after]


# Cheats: dice that were not thrown


@staged(Sort.CHEAT, "One die of the throw is carried to another place instead")
def _place_one(case: Case) -> None:
    numbers = case.dice_of()
    if len(numbers) < 2:
        raise NotThisTime("a throw of one die")
    placed = case.table.rng.choice(numbers)
    others = [number for number in numbers if number != placed]
    if is_legal(case, case.begun, others):
        raise NotThisTime("the others alone are a legal throw")
    case.throw(others)
    case.table.wait(_TAKES_AS_OTHERS_FLY - 0.1)
    case.carry(placed, Zone.FIELD)
    case.table.settle()
    case.fair = [case.begun]


@staged(Sort.CHEAT, "One die of the throw is turned and set down instead")
def _set_one_down(case: Case) -> None:
    numbers = case.dice_of()
    if len(numbers) < 2:
        raise NotThisTime("a throw of one die")
    placed = case.table.rng.choice(numbers)
    case.throw([number for number in numbers if number != placed])
    case.table.wait(_TAKES_AS_OTHERS_FLY - 0.2)
    case.tip(placed)
    case.carry(placed, Zone.FIELD)
    case.table.settle()
    case.fair = [case.begun]


@staged(Sort.CHEAT, "One die is taken out of the tray and set down with the throw")
def _sleeve(case: Case) -> None:
    numbers = case.dice_of()
    if len(numbers) < 2:
        raise NotThisTime("a throw of one die")
    placed = case.table.rng.choice(numbers)
    case.table.tray.knock_off(placed)
    case.table.wait(1.2)
    case.throw([number for number in numbers if number != placed])
    case.table.wait(_TAKES_AS_OTHERS_FLY + 0.7)
    case.carry(placed, Zone.FIELD)
    case.table.settle()
    case.fair = [case.begun, *after_loss(case, case.begun)]


@staged(Sort.CHEAT, "No die is thrown: all are turned in their places")
def _all_turned(case: Case) -> None:
    numbers = case.dice_of()
    if len(numbers) > 6:
        raise NotThisTime("too many dice")
    for number in numbers:
        case.table.tray.tip(number)
    case.table.settle()
    case.fair = [case.begun]


# Cheats: dice that leave


@staged(Sort.CHEAT, "A die flies off the tray and is laid back at once", fate=Fate.LEAVES)
def _fly_off_laid_back(case: Case) -> None:
    numbers = case.dice_of()
    case.throw(numbers)
    gone = _one_gone(case)
    case.carry(gone, Zone.FIELD)
    case.table.settle()
    case.fair = [case.begun, *after_loss(case, case.begun)]


def _one_gone(case: Case) -> int:
    """The one die that leaves the tray, as soon as it lies there."""
    case.table.wait(LETTING_GO_SECONDS + 1.15)
    gone = [number for number, place in case.table.places().items() if place in ("out", "off")]
    if len(gone) != 1:
        raise NotThisTime(f"{len(gone)} dice left the tray")
    return gone[0]


@staged(Sort.CHEAT, "A kept die is knocked off and put back with another face", keeps_dice)
def _knock_off_better(case: Case) -> None:
    die = kept_die(case)
    before = case.table.true()[die]
    case.table.tray.knock_off(die)
    case.table.wait(1.3)
    case.carry(die, Zone.FIELD)
    if case.table.true()[die].face == before.face:
        case.tip(die)
    lost = after_loss(case, case.begun)
    after_turning(case)
    case.fair += lost


@staged(Sort.CHEAT, "A kept die is taken away for good", keeps_dice)
def _take_away(case: Case) -> None:
    die = kept_die(case)
    case.table.tray.knock_off(die)
    case.table.wait(1.3)
    lost = after_loss(case, case.begun)
    after_turning(case)
    case.fair += lost


@staged(Sort.CHEAT, "A leaning die is left leaning, and the game goes on", fate=Fate.LEANS)
def _lean_ignored(case: Case) -> None:
    numbers = case.dice_of()
    case.throw_and_settle(numbers)
    if not [number for number, die in case.table.true().items() if not die.flat]:
        raise NotThisTime("no die leans")
    case.fair = [case.begun]


# Cheats: other throws than the rules have


@staged(Sort.CHEAT, "A die too few is thrown")
def _too_few(case: Case) -> None:
    numbers = case.dice_of()
    if len(numbers) < 2:
        raise NotThisTime("a throw of one die")
    fewer = numbers[1:]
    if is_legal(case, case.begun, fewer):
        raise NotThisTime("fewer dice are a legal throw")
    case.throw_and_settle(fewer)
    case.fair = [case.begun]


@staged(Sort.CHEAT, "A kept die is thrown with the others", keeps_dice)
def _too_many(case: Case) -> None:
    thrown = case.dice_of()
    numbers = [*thrown, kept_die(case, thrown)]
    if is_legal(case, case.begun, numbers):
        raise NotThisTime("more dice are a legal throw")
    case.throw_and_settle(numbers)
    case.fair = [case.begun]


@staged(Sort.CHEAT, "A throw that was ruled on is thrown again")
def _throw_again(case: Case) -> None:
    numbers = case.dice_of()
    case.throw_and_settle(numbers)
    after = case.come(case.offer, numbers, case.begun)
    if case.state != after or is_open(case):
        raise NotThisTime("the throw itself was not taken")
    if is_legal(case, after, numbers) or not case.game.lay(after):
        raise NotThisTime("the same dice may be thrown again")
    case.table.listen()
    case.throw_and_settle(numbers)
    case.fair = [after]
