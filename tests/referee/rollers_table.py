"""A table of Rollers in any position, in few words: `b5 3 *` are a black 5, a purple 3 and a star; `bz` is the zap."""

from __future__ import annotations

from dataclasses import replace

from models.die_sets import load
from referee.actions import Action
from referee.calls import Refusal
from referee.dice import Die, FaceName, Seen, SeenDie, Zone, in_order
from referee.game import begin
from referee.games.rollers import GAME, RollersState
from referee.games.rollers import RollersPhase as Phase
from referee.games.rollers import RollersSection as Section
from referee.games.rollers.state import ALL_SIX, BLACK, PURPLE, VALUES, RollersBoards
from referee.judge import Ruling, judge

DICE = load("rollers")
_SECTIONS = {"-": Section.EMPTY, "o": Section.OPEN, "c": Section.CLOSED}


def new_game(*names: str, **options: str) -> RollersState:
    """A new game; an option's dashes are written as underscores."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    state = begin(GAME, names or ("Ann", "Bob"), DICE, given)
    assert isinstance(state, RollersState)
    return state


def die(word: str) -> Die:
    kind, shown = (BLACK, word[1:]) if word.startswith("b") else (PURPLE, word)
    return Die(kind, FaceName({"*": "star", "z": "zap"}.get(shown) or f"pip-{shown}"))


def dice(text: str) -> tuple[Die, ...]:
    return in_order(die(word) for word in text.split())


def turn(
    good: str = "",
    dead: str = "",
    used: str = "",
    saved: str = "",
    bound: str = "",
    rolls: int = 1,
    phase: Phase = Phase.ROLL,
    boards: tuple[str, ...] = (),
    chips: tuple[int, ...] = (),
    scores: tuple[int, ...] = (),
    names: tuple[str, ...] = ("Ann", "Bob"),
    **options: str,
) -> RollersState:
    """Seat 1 in its turn in the first round, which it began; a board is written `-oc--` for the 1s to the 5s."""
    state = new_game(*names, **options)
    sections = tuple(tuple(_SECTIONS[mark] for mark in board) for board in boards)
    told = replace(
        state,
        phase=phase,
        starter=1,
        round=1,
        rolls=rolls,
        to_act=(1,),
        good=dice(good),
        dead=dice(dead),
        used=dice(used),
        saved=dice(saved),
        bound=dice(bound),
        sections=sections or state.sections,
        laid=tuple(tuple(_laid(board, value) for value in VALUES) for board in sections) or state.laid,
        chips=chips or state.chips,
        scores=scores or state.scores,
        contenders=(),
        dice_awaited=() if rolls else ALL_SIX,
    )
    return replace(told, before=RollersBoards(told.sections, told.chips, told.laid))


def _laid(board: tuple[Section, ...], value: int) -> tuple[Die, ...]:
    """Dice that brought a section to where it stands."""
    count = {Section.EMPTY: 0, Section.OPEN: value, Section.CLOSED: value + 1}[board[value - 1]]
    return (die(str(value)),) * count


def apply(good: str, **given: object) -> RollersState:
    """Seat 1 applying these dice."""
    return turn(good, phase=Phase.APPLY, **given)  # type: ignore[arg-type]


def action(text: str) -> Action:
    """`1 open 3 3 * =3` as an action."""
    seat, verb, *words = text.split()
    choice = next((word[1:] for word in words if word.startswith("=")), "")
    return Action(int(seat), verb, dice(" ".join(word for word in words if not word.startswith("="))), choice)


def do(state: RollersState, *texts: str) -> Ruling:
    """The ruling on the last of these actions; the others have to be legal."""
    ruling = Ruling(Action(1, "none"), state)
    for text in texts:
        assert not ruling.refusal, ruling.refusal
        ruling = judge(GAME, ruling.state, action(text))
    return ruling


def done(state: RollersState, *texts: str) -> RollersState:
    """The state after these legal actions."""
    ruling = do(state, *texts)
    assert not ruling.refusal, ruling.refusal
    assert isinstance(ruling.state, RollersState)
    return ruling.state


def refused(state: RollersState, text: str) -> tuple[str, str]:
    """The rule that refuses an action, and its sentence; nothing may change."""
    ruling = do(state, text)
    assert ruling.refusal, text
    assert ruling.state is state
    return both(ruling.refusal)


def both(refusal: Refusal) -> tuple[str, str]:
    return refusal.rule, refusal.sentence


def said(ruling: Ruling) -> list[tuple[str, str]]:
    """The calls of a legal action: rule and sentence."""
    assert not ruling.refusal, ruling.refusal
    return [(call.rule, call.sentence) for call in ruling.calls]


def offers(state: RollersState, verb: str = "") -> list[str]:
    """What is offered, of that verb, in the short spelling without the seat."""
    return [short(offer) for offer in GAME.legal(state) if verb in ("", offer.verb)]


def short(offer: Action) -> str:
    words = [offer.verb, *map(_word, offer.dice), *([f"={offer.choice}"] if offer.choice else [])]
    return " ".join(words)


def _word(each: Die) -> str:
    shown = {"star": "*", "zap": "z", None: "?"}.get(each.face) or str(each.face).removeprefix("pip-")
    return f"b{shown}" if each.kind == BLACK else shown


def seen(*words: str, throw: int = 1, hands_in: bool = False, bay: bool = True) -> Seen:
    """A table: `1 b5`, `2 3 aside`, `3 */5 field 2` (a doubt, thrown in 2), `4 2 !` (leaning)."""
    return Seen(tuple(_seen(text, throw) for text in words), throw, hands_in=hands_in, bay=bay)


def _seen(text: str, throw: int) -> SeenDie:
    number, shown, *rest = text.split()
    likely = [die(word) for word in shown.split("/")]
    faces = tuple((each.face, 0.6 if place == 0 else 0.4) for place, each in enumerate(likely) if each.face)
    zone = next((Zone(word) for word in rest if word in list(Zone)), Zone.FIELD)
    thrown = next((int(word) for word in rest if word.isdigit()), throw)
    return SeenDie(int(number), likely[0].kind, faces, zone, thrown, "!" in rest)
