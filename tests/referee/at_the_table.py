"""What the referee's tests share: a table of Intersection in any position, in few words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from models.die_sets import load
from referee.actions import Action, GameState
from referee.dice import FaceName, Handling, Seen, SeenDie, Zone
from referee.game import begin
from referee.games import named
from referee.games.intersection import GAME, IntersectionState
from referee.games.intersection import IntersectionPhase as Phase
from referee.journal import Deed, Entry, Source
from referee.judge import Ruling, judge
from referee.record_check import check_record, start_of_record
from referee.record_parser import Record

DICE = load("intersection")
GOLDEN = Path(__file__).parent / "golden"


def with_chances(seen: Seen, chances: Mapping[int, float], mark: Handling | None = None) -> Seen:
    """The table in which dice were thrown with these chances, by what the camera saw."""
    dice = (
        replace(die, handled=mark, chance=chances[die.number]) if die.number in chances else die for die in seen.dice
    )
    return replace(seen, dice=tuple(dice))


def new_game(*names: str, **options: str) -> IntersectionState:
    """A new game of Intersection; an option's dashes are written as underscores."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    state = begin(GAME, names or ("Ann", "Bob"), DICE, given)
    assert isinstance(state, IntersectionState)
    return state


def faces(text: str) -> tuple[FaceName, ...]:
    return tuple(sorted(FaceName(word) for word in text.split()))


def turn(
    field: str = "",
    parked: str = "",
    signal: str = "go",
    phase: Phase = Phase.RESOLVE,
    names: tuple[str, ...] = ("Ann", "Bob"),
    scores: tuple[int, ...] = (),
    **options: str,
) -> IntersectionState:
    """Seat 1 in the middle of a turn."""
    state = new_game(*names, **options)
    return replace(
        state,
        phase=phase,
        signal=FaceName(signal),
        field=faces(field),
        parked=faces(parked),
        starter=1,
        to_act=(1,),
        contenders=(),
        lots=(),
        scores=scores or state.scores,
        dice_awaited=(),
    )


def spelled(text: str) -> str:
    """`1 fix happy two =field` in full: `1 fix traffic:happy traffic:two =field`, in canonical order."""
    words = text.split()
    dice = sorted(_die(word) for word in words[2:] if not word.startswith("="))
    return " ".join([*words[:2], *dice, *(word for word in words[2:] if word.startswith("="))])


def _die(word: str) -> str:
    return word if ":" in word else f"signal:{word}" if word in ("go", "slow", "stop") else f"traffic:{word}"


def do(state: IntersectionState, *texts: str) -> Ruling:
    """The ruling on the last of these actions; the others have to be legal."""
    ruling = Ruling(Action(1, "none"), state)
    for text in texts:
        assert not ruling.refusal, ruling.refusal
        ruling = judge(GAME, ruling.state, Action.parse(spelled(text)))
    return ruling


def done(state: IntersectionState, *texts: str) -> IntersectionState:
    """The state after these legal actions."""
    ruling = do(state, *texts)
    assert not ruling.refusal, ruling.refusal
    assert isinstance(ruling.state, IntersectionState)
    return ruling.state


def refused(state: IntersectionState, text: str) -> str:
    """The rule which refuses an action; nothing may change."""
    ruling = do(state, text)
    assert ruling.refusal, text
    assert ruling.state == state
    assert ruling.refusal.sentence.endswith(".")
    return ruling.refusal.rule


def cited(ruling: Ruling) -> list[str]:
    return [call.rule for call in ruling.calls]


def verbs(state: IntersectionState) -> set[str]:
    return {offer.verb + (f"={offer.choice}" if offer.choice else "") for offer in GAME.legal(state)}


def entry(number: int, action: Action | None = None, deed: Deed = Deed.PLAY, target: int = 0) -> Entry:
    """A journal's line."""
    return Entry(number, datetime(2024, 5, 1, tzinfo=UTC), Source.CAMERA, deed, action, target)


def seen(*dice: str, throw: int = 1, bay: bool = True, hands_in: bool = False, at_rest: bool = True) -> Seen:
    """A table from words: `1 happy field`, `2 star aside 3` (thrown in 3), `4 happy/sad field`, `5 two out !`."""
    return Seen(tuple(_seen(text, throw) for text in dice), throw, at_rest, hands_in, bay)


def _seen(text: str, throw: int) -> SeenDie:
    number, names, zone, *rest = text.split()
    likely = tuple((FaceName(name), 0.6 if place == 0 else 0.4) for place, name in enumerate(names.split("/")))
    kind = _die(likely[0][0]).partition(":")[0]
    thrown = next((int(word) for word in rest if word.isdigit()), throw)
    return SeenDie(int(number), type(DICE.kinds[0].name)(kind), likely, Zone(zone), thrown, "!" in rest)


def golden_games() -> Iterator[Path]:
    yield from sorted(GOLDEN.glob("*.txt"))


def play_record(record: Record) -> GameState:
    """The end of a record of which every line is within the rules and every claim true."""
    game = named(record.game)
    state = start = start_of_record(record, game, load(game.die_set or record.dice))
    for checked in check_record(game, start, record):
        assert not checked.refusal, checked
        state = checked.state
    return state
