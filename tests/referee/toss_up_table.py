"""What the tests of Toss Up! share: a table in any position, in few words."""

from __future__ import annotations

import re
from dataclasses import replace

from models.die_sets import load
from referee.actions import Action
from referee.calls import Refusal
from referee.dice import Die, FaceName, Seen, SeenDie, Zone
from referee.game import begin
from referee.games.toss_up import GAME
from referee.games.toss_up.state import KIND, TossUpState
from referee.judge import Ruling, judge

DICE = load("toss-up")
NAMES = ("Ann", "Bob", "Cy", "Dee")
COLOURS = {"g": FaceName("green"), "y": FaceName("yellow"), "r": FaceName("red")}


def dice(text: str) -> tuple[Die, ...]:
    """`3g 2y 1r` as dice."""
    found = re.findall(r"(\d+)([gyr])", text)
    return tuple(Die(KIND, COLOURS[colour]) for count, colour in found for _ in range(int(count)))


def new_game(*names: str, **options: str) -> TossUpState:
    """A new game; an option's dashes are written as underscores."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    state = begin(GAME, names or ("Ann", "Bob"), DICE, given)
    assert isinstance(state, TossUpState)
    return state


def turn(
    field: str,
    points: int,
    fresh: int = 0,
    scores: tuple[int, ...] = (0, 0),
    still: tuple[int, ...] | None = None,
    **options: str,
) -> TossUpState:
    """Seat 1 in the middle of a turn: these dice in hand, the others set aside; `still` have a last turn after it."""
    in_hand = tuple(sorted(die.face for die in dice(field) if die.face))
    return replace(
        new_game(*NAMES[: len(scores)], **options),
        rolled=True,
        field=in_hand,
        aside=10 - len(in_hand),
        fresh=fresh,
        points=points,
        scores=scores,
        last_turns=still,
        dice_awaited=(),
    )


def deed(state: TossUpState, text: str) -> Action:
    """`end`, or a roll of the player to act: `3g 2y`."""
    return Action(state.seat, "end") if text == "end" else Action(state.seat, "roll", dice(text))


def do(state: TossUpState, *texts: str) -> Ruling:
    """The ruling on the last of these deeds; the others have to be legal."""
    ruling = Ruling(Action(1, "none"), state)
    for text in texts:
        assert not ruling.refusal, ruling.refusal
        assert isinstance(ruling.state, TossUpState)
        ruling = judge(GAME, ruling.state, deed(ruling.state, text))
    return ruling


def done(state: TossUpState, *texts: str) -> TossUpState:
    """The state after these legal deeds."""
    ruling = do(state, *texts)
    assert not ruling.refusal, ruling.refusal
    assert isinstance(ruling.state, TossUpState)
    return ruling.state


def said(state: TossUpState, *texts: str) -> list[tuple[str, str]]:
    """The calls on the last of these deeds: rule and sentence."""
    ruling = do(state, *texts)
    assert not ruling.refusal, ruling.refusal
    return [(call.rule, call.sentence) for call in ruling.calls]


def refused(state: TossUpState, text: str) -> tuple[str, str]:
    """The rule and the sentence that refuse a deed; nothing may change."""
    return _refusal(state, do(state, text))


def refused_action(state: TossUpState, action: Action) -> tuple[str, str]:
    """The same for an action spelled out."""
    return _refusal(state, judge(GAME, state, action))


def _refusal(state: TossUpState, ruling: Ruling) -> tuple[str, str]:
    assert isinstance(ruling.refusal, Refusal)
    assert ruling.state is state
    return ruling.refusal.rule, ruling.refusal.sentence


def offers(state: TossUpState) -> list[str]:
    """What may be done: `roll 4` and `end`."""
    return [f"roll {len(offer.dice)}" if offer.dice else offer.verb for offer in GAME.legal(state)]


def seen(*lying: str, throw: int = 1, bay: bool = True) -> Seen:
    """A table from words: `1-3 green aside`, `4 red field 2` (thrown in 2), `5 yellow/red field`, `6 red field !`."""
    return Seen(tuple(each for text in lying for each in _seen(text, throw)), throw, bay=bay)


def _seen(text: str, throw: int) -> list[SeenDie]:
    numbers, names, zone, *rest = text.split()
    first, _, last = numbers.partition("-")
    likely = tuple((FaceName(name), 0.6 if place == 0 else 0.4) for place, name in enumerate(names.split("/")))
    thrown = next((int(word) for word in rest if word.isdigit()), throw)
    count = range(int(first), int(last or first) + 1)
    return [SeenDie(number, KIND, likely, Zone(zone), thrown, "!" in rest) for number in count]
