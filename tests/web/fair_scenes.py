"""Moments of a game of Dice County Fair as the table page is sent them, for the drawing of the sheet."""

from __future__ import annotations

from dataclasses import replace

import scenes

from models.die_sets import load
from referee.actions import Action
from referee.calls import Call
from referee.game import begin
from referee.games.dice_county_fair import GAME, FairState
from referee.games.dice_county_fair.state import Paper, suggested_prices
from referee.judge import judge
from referee.snapshot import Snapshot, offers_of

DICE = load("dice-county-fair")
NAMES = ("Ann", "Bob", "Cy")
LATE_TURN = 10
BOUGHT = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 14, 17)
DONE = {0: (5,), 1: (1, 2), 3: (4, 4, 5), 6: (2,), 7: (3, 4), 8: (4, 5), 12: (5,), 13: (1, 3), 17: (4, 5, 5, 6)}


def _new(names: tuple[str, ...], **options: str) -> FairState:
    state = begin(GAME, names, DICE, options)
    assert isinstance(state, FairState)
    return state


def played(state: FairState, *texts: str) -> FairState:
    """Return the state after these legal actions; dice are written as one word, `1 complete 255 =caramel-apple`."""
    for text in texts:
        words = [" ".join(f"d6:pip-{pip}" for pip in word) if word.isdigit() else word for word in text.split()[1:]]
        ruling = judge(GAME, state, Action.parse(" ".join([text.split()[0], *words])))
        assert not ruling.refusal, ruling.refusal
        assert isinstance(ruling.state, FairState)
        state = ruling.state
    return state


def seen(state: FairState, number: int) -> Snapshot:
    """Return what tablets are sent of a state."""
    offers = offers_of(GAME, state)
    dice = tuple(
        replace(scenes.die(place, str(die.die.face)), kind="d6", title=str(die.die.face)[-1])
        for place, die in enumerate(GAME.lay(state), 1)
    )
    return replace(
        scenes.START,
        number=number,
        game=GAME,
        state=state,
        offers=offers,
        boards=GAME.boards(state),
        dice=dice,
        notice="",
        calls=(Call("Cy goes to the Carnival with a 6.", "D.2-7"),),
        turn_points=0,
        doubts=(),
        step=f"1.{number}",
    )


def _late(names: tuple[str, ...] = NAMES) -> FairState:
    state = _new(names, prices="sheet")
    sheets = tuple(_filled(state, seat) for seat in range(len(names)))
    scores = tuple(30 + 7 * seat for seat in range(len(names)))
    return replace(state, turn=LATE_TURN, papers=sheets, scores=scores)


def _filled(state: FairState, shift: int) -> Paper:
    """Return a sheet after nine turns; each player has done one activity fewer than the one before."""
    done = dict(list(DONE.items())[shift:])
    return Paper(
        suggested_prices(state.sheet),
        tuple(number in BOUGHT for number in range(18)),
        tuple(done.get(number, ()) for number in range(18)),
        ((2, 3, 1, 1 + shift), (6, 2), (1, 1, 4, 3, 2) if shift else ()),
        tuple((move, key) for move, key in zip((0, 3, 0, 0, 2, 0, 5, 0, 1), _ways(), strict=True)),
    )


def _ways() -> tuple[str, ...]:
    return ("carnival", *("food-hall",) * 3, "midway", "midway", "carnival", "carnival", "food-hall")


PRICING = played(
    _new(NAMES), "1 price =corn-dog/4", "1 price =lemonade/2", "1 price =turkey-leg/1", "2 copy", "2 ready"
)
STARTING = played(_new(NAMES, prices="sheet"), "1 roll 122356")
SPENT = played(_late(), "1 roll 122356", "2 done")
CLOSED = played(
    replace(
        _late(),
        turn=12,
        papers=tuple(replace(paper, turns=(*paper.turns, *paper.turns[:2])) for paper in _late().papers),
    ),
    "1 roll 123456",
    "1 done",
    "2 done",
    "3 done",
)
FAIR_PRICES = seen(PRICING, 101)
FAIR_START = seen(STARTING, 102)
FAIR_ROLL = seen(_late(), 103)
FAIR_DICE = seen(SPENT, 104)
FAIR_CLOSED = seen(CLOSED, 105)
FAIR_SCENES = {"prices": FAIR_PRICES, "start": FAIR_START, "roll": FAIR_ROLL, "dice": FAIR_DICE, "closed": FAIR_CLOSED}
