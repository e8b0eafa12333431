"""What the tests of Switch 16 share: a table in any position, in few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from models.die_sets import load
from referee.actions import Action
from referee.dice import FaceName, KindName, Seen, SeenDie, Zone
from referee.game import begin
from referee.games.switch_16 import GAME, Switch16State
from referee.games.switch_16 import Switch16Phase as Phase
from referee.games.switch_16.state import Deck
from referee.games.switch_16.state import settle as settled
from referee.judge import Ruling, judge

DICE = load("switch-16")
NAMES = ("Ann", "Bob", "Cy", "Dee")
FACES = {"green": "green-switch", "red": "red-switch", "block": "block", "blank": "blank"}


def new_game(count: int = 2, **options: str) -> Switch16State:
    """A new game; an option's dashes are written as underscores."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    state = begin(GAME, NAMES[:count], DICE, given)
    assert isinstance(state, Switch16State)
    return state


def started(
    *tops: int, seat: int = 1, holder: int = 0, blocked: int = 0, scores: Sequence[int] = (), **options: str
) -> Switch16State:
    """The start of a seat's turn, with these top cards; the disk in the holder's hand, on a blocked deck or nowhere."""
    state = new_game(len(tops), **options)
    decks = tuple(Deck(at, top, top > 8, at == blocked) for at, top in enumerate(tops, start=1))
    told = replace(state, phase=Phase.START, decks=decks, holder=holder, seat=seat, contenders=(), lots=())
    return settled(replace(told, scores=tuple(scores) or told.scores))


def spelled(text: str) -> str:
    """`1 roll 1 2 4 blank` and `1 discard 7` in full: `1 roll d6:pip-1 ... switch:blank`, `1 discard =card-7`."""
    seat, verb, *words = text.split()
    if verb == "discard":
        return " ".join([seat, verb, *(f"=card-{word}" for word in words)])
    dice = sorted(die(word) for word in words if not word.startswith("="))
    return " ".join([seat, verb, *dice, *(word for word in words if word.startswith("="))])


def die(word: str) -> str:
    return f"d6:pip-{word}" if word.isdigit() else f"switch:{FACES[word]}"


def do(state: Switch16State, *texts: str) -> Ruling:
    """The ruling on the last of these actions; the others have to be legal."""
    ruling = Ruling(Action(1, "none"), state)
    for text in texts:
        assert not ruling.refusal, ruling.refusal
        ruling = judge(GAME, ruling.state, Action.parse(spelled(text)))
    return ruling


def done(state: Switch16State, *texts: str) -> Switch16State:
    """The state after these legal actions."""
    ruling = do(state, *texts)
    assert not ruling.refusal, ruling.refusal
    assert isinstance(ruling.state, Switch16State)
    return ruling.state


def said(state: Switch16State, *texts: str) -> list[tuple[str, str]]:
    """What the referee says of the last of these legal actions: sentences with their rules."""
    ruling = do(state, *texts)
    assert not ruling.refusal, ruling.refusal
    return [(call.sentence, call.rule) for call in ruling.calls]


def refused(state: Switch16State, text: str) -> tuple[str, str]:
    """Why an action is refused, and by which rule; nothing may change."""
    ruling = do(state, text)
    assert ruling.refusal, text
    assert ruling.state == state
    return ruling.refusal.sentence, ruling.refusal.rule


def offers(state: Switch16State) -> list[str]:
    """What may be done, dice left out: `1 roll`, `2 disk =1`."""
    return [str(replace(offer, dice=())) for offer in GAME.legal(state)]


def seen(*dice: str, throw: int = 1) -> Seen:
    """A table from words, numbered as they come: `4`, `blank`, `3 aside`, `5 @0` (lies there since throw 0)."""
    return Seen(tuple(_seen(number, text, throw) for number, text in enumerate(dice, start=1)), throw)


def _seen(number: int, text: str, throw: int) -> SeenDie:
    word, *rest = text.split()
    kind, _, face = die(word).partition(":")
    zone = next((Zone(each) for each in rest if not each.startswith("@")), Zone.FIELD)
    moved = next((int(each[1:]) for each in rest if each.startswith("@")), throw)
    return SeenDie(number, KindName(kind), ((FaceName(face), 1.0),), zone, moved)
