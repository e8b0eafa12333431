"""A table of Dice County Fair in any position, in few words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from models.die_sets import load
from referee.actions import Action
from referee.calls import Refusal
from referee.dice import Die, FaceName, KindName
from referee.game import Game, begin
from referee.games.dice_county_fair import GAME, FairState
from referee.games.dice_county_fair.state import Paper
from referee.judge import Ruling, judge

SIX = load("dice-county-fair")
COUNTY = (Path(__file__).parent.parent.parent / "referee/games/dice_county_fair/county.toml").read_text("utf-8")
EVERYTHING = "1 2 3 4 5 6"


def fair(*names: str, game: Game = GAME, **options: str) -> FairState:
    """A new game; an option's dashes are written as underscores."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    state = begin(game, names or ("Ann", "Bob"), SIX, given)
    assert isinstance(state, FairState)
    return state


def action(text: str) -> Action:
    """`1 complete 255 =caramel-apple` for the dice 2, 5 and 5."""
    words = [" ".join(f"d6:pip-{number}" for number in word) if word.isdigit() else word for word in text.split()[1:]]
    return Action.parse(" ".join([text.split(maxsplit=1)[0], *words]))


def number_of(state: FairState, key: str) -> int:
    return [activity.key for activity in state.sheet.activities].index(key)


def paper(
    state: FairState,
    seat: int = 1,
    bought: str = "",
    completed: Mapping[str, tuple[int, ...]] | None = None,
    excess: tuple[tuple[int, ...], ...] = ((), (), ()),
    section: str = "food-hall",
) -> FairState:
    """The state in which that stands on a player's sheet before the next roll; what is completed is bought too."""
    filled = {number_of(state, key): dice for key, dice in (completed or {}).items()}
    owned = {*filled, *(number_of(state, key) for key in bought.split())}
    sheet = Paper(
        state.papers[seat - 1].prices,
        tuple(number in owned for number in range(18)),
        tuple(filled.get(number, ()) for number in range(18)),
        excess,
        ((0, section),) * (state.turn - 1),
    )
    return replace(state, papers=(*state.papers[: seat - 1], sheet, *state.papers[seat:]))


def later(*names: str, turn: int = 2, section: str = "food-hall", **options: str) -> FairState:
    """Before the roll of a later turn, all players in one section, with the suggested prices."""
    state = replace(fair(*names, prices="sheet", **options), turn=turn)
    for player in state.players:
        state = paper(state, player.seat, section=section)
    return state


def do(state: FairState, *texts: str, game: Game = GAME) -> Ruling:
    """The ruling on the last of these actions; the others have to be legal."""
    ruling = Ruling(Action(1, "none"), state)
    for text in texts:
        assert not ruling.refusal, ruling.refusal
        ruling = judge(game, ruling.state, action(text))
    return ruling


def done(state: FairState, *texts: str, game: Game = GAME) -> FairState:
    """The state after these legal actions."""
    ruling = do(state, *texts, game=game)
    assert not ruling.refusal, ruling.refusal
    assert isinstance(ruling.state, FairState)
    return ruling.state


def said(state: FairState, *texts: str) -> list[tuple[str, str]]:
    """The calls on the last of these actions: rule and sentence."""
    ruling = do(state, *texts)
    assert not ruling.refusal, ruling.refusal
    return [(call.rule, call.sentence) for call in ruling.calls]


def refused(state: FairState, *texts: str) -> Refusal:
    """Why the last of these actions is refused; nothing may change."""
    before = done(state, *texts[:-1])
    ruling = judge(GAME, before, action(texts[-1]))
    assert ruling.refusal, texts[-1]
    assert ruling.state == before
    return ruling.refusal


def offers(state: FairState, verb: str, seat: int = 1) -> list[str]:
    """What is offered of a verb, in the short spelling: `3 =caramel-apple`."""
    found = [offer for offer in GAME.legal(state) if (offer.verb, offer.player) == (verb, seat)]
    return [short(offer) for offer in found]


def short(offer: Action) -> str:
    dice = "".join(str(die.face)[-1] for die in offer.dice)
    return f"{dice} ={offer.choice}".strip()


def verbs(state: FairState, seat: int = 1) -> list[str]:
    return list(dict.fromkeys(offer.verb for offer in GAME.legal(state) if offer.player == seat))


def pips(numbers: str) -> tuple[Die, ...]:
    return tuple(Die(KindName("d6"), FaceName(f"pip-{number}")) for number in numbers)
