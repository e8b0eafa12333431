"""Where a game of Dice County Fair stands: its dice, its options and its state, and what a phase forbids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib.resources import files
from typing import Final

from referee.actions import Action, DiePosition, GameState, Player
from referee.calls import Call, Outcome, Reasons, Refusal
from referee.dice import Die, DieSet, FaceName, KindName, number_on
from referee.game import BadOption, read_game_options
from referee.games.dice_county_fair.sheet import NUMBERS, PER_SECTION, Activity, FairSection, FairSheet
from referee.phrases import spell_list, with_set
from referee.sentences import say, say_count

# Where a game of Dice County Fair stands: its dice, its options and its state


KIND: Final = KindName("d6")
DICE: Final = 6
ROLLED: Final = Die(KIND)
ODD: Final = "food-hall"
EVEN: Final = "midway"
HOURS: Final = (
    say("11 am"),
    say("12 noon"),
    say("1 pm"),
    say("2 pm"),
    say("3 pm"),
    say("4 pm"),
    say("5 pm"),
    say("6 pm"),
    say("7 pm"),
    say("8 pm"),
    say("9 pm"),
    say("10 pm"),
)
AIM: Final = 100
_COUNTY: Final = files("referee.games.dice_county_fair").joinpath("county.toml")
COUNTY: Final = FairSheet.parse("county", _COUNTY.read_text("utf-8")).in_any_language()

SHEET: Final = "sheet"
PRICES: Final = "prices"
LAST_DIE: Final = "last-die"
FREE_START: Final = "free-start"
EXCESS: Final = "excess"
MOST_OF_NONE: Final = "most-of-none"

OPTIONS: Final = read_game_options("dice_county_fair")


class FairPhase(StrEnum):
    """The phases of a game, in order; roll and spending alternate."""

    PLANNING = "planning"
    ROLL = "roll"
    SPENDING = "spending"
    OVER = "over"


@dataclass(frozen=True)
class Paper:
    """What stands on a player's sheet; activities and sections in the sheet's order.

    A price is 0 before it is written. `dice` are those that completed an activity, () before. `excess` holds the
    values in the three areas, and `turns` for each turn the die spent on a move, or 0, and the section at its end.
    """

    prices: tuple[int, ...] = (0,) * 18
    bought: tuple[bool, ...] = (False,) * 18
    dice: tuple[tuple[int, ...], ...] = ((),) * 18
    excess: tuple[tuple[int, ...], ...] = ((),) * 3
    turns: tuple[tuple[int, str], ...] = ()

    @property
    def section(self) -> str:
        """The key of the section where the player is, '' before the first turn."""
        return self.turns[-1][1] if self.turns else ""


@dataclass(frozen=True)
class TurnPlan:
    """A player's turn in pencil: the sheet as it would be, where the player is, and the dice still to be spent.

    `move` is the die spent on a move, or 0; `spent` whether one was spent on a purchase or an activity since then.
    """

    paper: Paper
    section: str
    left: tuple[int, ...] = ()
    move: int = 0
    spent: bool = False


@dataclass(frozen=True)
class FairState(GameState):
    """Where a game of Dice County Fair stands.

    `turn` counts from 1 (0 while prices are written), `roller` throws the dice of it, and `roll` is what they show.
    `papers` are the players' sheets, and `plans` their turns in pencil, () until the dice are thrown. Players who are
    done are no longer in `to_act`. While prices are written `ready` are the seats that have said so, in that order;
    they come last in `to_act`, since they may take it back. The scores are the points of the activities completed.
    """

    sheet: FairSheet = field(default=COUNTY, hash=False)
    phase: FairPhase = FairPhase.PLANNING
    turn: int = 0
    roller: int = 1
    roll: tuple[int, ...] = ()
    papers: tuple[Paper, ...] = ()
    plans: tuple[TurnPlan, ...] = ()
    ready: tuple[int, ...] = ()

    @property
    def hour(self) -> str:
        """The turn's label on the sheet."""
        return HOURS[max(self.turn, 1) - 1]

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that the others wait for: those that may act, without those that are ready."""
        return tuple(seat for seat in self.to_act if seat not in self.ready)

    @property
    def on_turn(self) -> int:
        """Return the seat that all others wait for, 0 while there are several and when the game is over."""
        return self.awaited[0] if len(self.awaited) == 1 else 0

    @property
    def waiting(self) -> str:
        """The names of those whom the others wait for."""
        return self.names(self.awaited)

    @property
    def is_solo(self) -> bool:
        """True if one player plays alone."""
        return len(self.players) == 1

    def paper(self, seat: int) -> Paper:
        """Return a player's sheet, with what stands on it in pencil."""
        return self.plans[seat - 1].paper if self.plans else self.papers[seat - 1]

    def plan(self, seat: int) -> TurnPlan:
        """Return a player's turn in pencil. The dice are thrown."""
        return self.plans[seat - 1]

    def fresh(self, seat: int) -> TurnPlan:
        """Return a player's turn before any die is spent."""
        paper = self.papers[seat - 1]
        return TurnPlan(paper, paper.section, self.roll)


# The first state, and the states between turns


def setup(
    sheets: Mapping[str, FairSheet], players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]
) -> FairState:
    """Return the game before prices are written, or before the first roll with the sheet's own prices (D.2-1).

    The players have agreed on who rolls first and has seat 1 (D.2-2).
    """
    sheet, count = sheets[options[SHEET]], len(players)
    state = FairState(players, dice, options, scores=(0,) * count, sheet=sheet, papers=(Paper(),) * count)
    if options[PRICES] == "own":
        return replace(state, to_act=seats_of(state))
    if not sheet.suggests_prices:
        raise BadOption(
            say(
                "the sheet {sheet} suggests no prices, so the option {option} has to be 'own'",
                sheet=options[SHEET],
                option=PRICES,
            )
        )
    return before_roll(replace(state, papers=(Paper(suggested_prices(sheet)),) * count), turn=1, roller=1)


def seats_of(state: FairState) -> tuple[int, ...]:
    return tuple(player.seat for player in state.players)


def suggested_prices(sheet: FairSheet) -> tuple[int, ...]:
    return tuple(activity.price for activity in sheet.activities)


def before_roll(state: FairState, turn: int, roller: int) -> FairState:
    """Return the state before a turn's roll (D.2-2)."""
    return replace(
        state,
        phase=FairPhase.ROLL,
        turn=turn,
        roller=roller,
        to_act=(roller,),
        dice_awaited=(ROLLED,) * DICE,
        roll=(),
        plans=(),
        ready=(),
    )


def roll_for_all(state: FairState, roll: tuple[int, ...]) -> FairState:
    """Return the state in which all players spend the dice of the roll (D.2-3)."""
    after = replace(state, phase=FairPhase.SPENDING, roll=roll, dice_awaited=(), to_act=state.present)
    return replace(after, plans=tuple(after.fresh(seat) for seat in seats_of(state)))


# What a choice or a key names


def activity_keys(state: FairState) -> list[str]:
    """Return the keys of all activities, in the sheet's order."""
    return [activity.key for activity in state.sheet.activities]


def activity_named(state: FairState, choice: str) -> tuple[int, Activity]:
    """Return the activity that a choice names, and its number. The choice names one."""
    number = activity_keys(state).index(choice.partition("/")[0])
    return number, state.sheet.activities[number]


def section_named(state: FairState, key: str) -> FairSection:
    return state.sheet.sections[place_of(state, key)]


def place_of(state: FairState, section: str) -> int:
    """Return the place of the section with that key, from 0."""
    return [known.key for known in state.sheet.sections].index(section)


def title_of(state: FairState, choice: str) -> str:
    """Return the title of the section or activity that a choice names, '' for neither."""
    if choice.partition("/")[0] in activity_keys(state):
        return activity_named(state, choice)[1].title
    return next((section.title for section in state.sheet.sections if section.key == choice), "")


def section_prices(prices: Sequence[int], number: int) -> Sequence[int]:
    """Return the prices of the section to which an activity belongs."""
    first = number - number % PER_SECTION
    return prices[first : first + PER_SECTION]


def dice_wanted(activity: Activity) -> str:
    """Return how many dice an activity takes, in words."""
    return say_count("{count} die", "{count} dice", activity.spaces)


# Changed states


def with_paper(state: FairState, seat: int, paper: Paper) -> FairState:
    """Return the state with another sheet of a player's."""
    return replace(state, papers=with_set(state.papers, seat, paper))


def with_plan(state: FairState, seat: int, plan: TurnPlan) -> FairState:
    return replace(state, plans=with_set(state.plans, seat, plan))


def others_to_act(state: FairState, seat: int) -> tuple[int, ...]:
    return tuple(other for other in state.to_act if other != seat)


# Dice and their numbers


def dice_showing(numbers: Iterable[int]) -> tuple[Die, ...]:
    return tuple(_SHOWN[number] for number in numbers)


_SHOWN: Final = {number: Die(KIND, FaceName(f"pip-{number}")) for number in NUMBERS}


def numbers_of(dice: Iterable[Die]) -> tuple[int, ...]:
    """Return the numbers that dice show, sorted; 0 for an unread one."""
    return tuple(sorted(number_on(die.face) for die in dice))


def spell_numbers(numbers: Iterable[int]) -> str:
    """Return numbers joined by commas and `and`."""
    return spell_list([str(number) for number in numbers], "and")


# Where the dice lie


def lay(state: FairState) -> tuple[DiePosition, ...]:
    """Return the six dice of the turn, which may lie anywhere; () until they are thrown."""
    dice = dice_showing(state.roll) if state.phase == FairPhase.SPENDING else ()
    return tuple(DiePosition(die, None) for die in dice)


def relaid(state: FairState, lying: tuple[DiePosition, ...]) -> Outcome[FairState] | None:
    """Return the state with these six dice as the turn's roll; None once a player has spent one of them."""
    numbers = numbers_of(each.die for each in lying)
    if len(numbers) != DICE or not all(numbers):
        return None
    shown = say("The dice of the {hour} turn show {numbers}.", hour=state.hour, numbers=spell_numbers(numbers))
    call = Call(shown, "D.2-3")
    if state.phase == FairPhase.ROLL:
        return roll_for_all(state, numbers), (call,)
    if state.phase != FairPhase.SPENDING or any(plan.left != state.roll for plan in state.plans):
        return None
    plans = tuple(replace(plan, left=numbers) for plan in state.plans)
    return replace(state, roll=numbers, plans=plans), (call,)


# What a verb of Dice County Fair may be told in the wrong phase, and about a choice that names nothing


Refusals = Callable[[FairState, Action], Reasons]


def in_planning(reasons: Refusals) -> Refusals:
    """Return the refusals of a verb that writes prices: those of a player who is ready stand."""

    def refusals(state: FairState, action: Action) -> Reasons:
        if action.player in state.ready:
            sentence = say("{who} is ready. To change prices, tap 'Not ready yet'.", who=state.name(action.player))
            yield Refusal(sentence, "D.2-1")
        yield from reasons(state, action)

    return in_phase(FairPhase.PLANNING, refusals)


def in_phase(phase: FairPhase, reasons: Refusals) -> Refusals:
    """Return the refusals of a verb of one phase: in any other phase it comes too early or too late."""

    def refusals(state: FairState, action: Action) -> Reasons:
        if state.phase != phase:
            yield not_now(state, phase)
        else:
            yield from reasons(state, action)

    return refusals


def not_now(state: FairState, wanted: FairPhase) -> Refusal:
    """Return why a verb of the wanted phase has to wait, or comes too late."""
    if wanted == FairPhase.PLANNING:
        return Refusal(say("You can change prices only before the first roll."), "D.2-1")
    if state.phase == FairPhase.PLANNING:
        sentence = say_count(
            "The fair opens when all are ready. {names} still writes prices.",
            "The fair opens when all are ready. {names} still write prices.",
            len(state.awaited),
            names=state.waiting,
        )
        return Refusal(sentence, "D.2-1")
    if wanted == FairPhase.ROLL:
        return once_a_turn(state)
    sentence = say("First {who} rolls the dice for the {hour} turn.", who=state.waiting, hour=state.hour)
    return Refusal(sentence, "D.2-3")


def once_a_turn(state: FairState) -> Refusal:
    sentence = say_count(
        "Throw the dice only once a turn. {names} is not done yet.",
        "Throw the dice only once a turn. {names} are not done yet.",
        len(state.awaited),
        names=state.waiting,
    )
    return Refusal(sentence, "D.2-3")


def unknown_activity(state: FairState, choice: str, rule: str) -> Reasons:
    key = choice.partition("/")[0]
    if key not in activity_keys(state):
        unknown = say("There is no activity {key!r} on this sheet.", key=key)
        yield Refusal(unknown if key else say("Choose an activity."), rule)
