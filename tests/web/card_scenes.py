"""Moments of Rollers and Switch 16 as the table page is sent them, for the drawing of their boards."""

from __future__ import annotations

from dataclasses import replace

import scenes

from models.die_sets import load
from referee.actions import Action, GameState
from referee.dice import Die, DieSet
from referee.game import Game, begin
from referee.games.rollers import GAME as ROLLERS
from referee.games.switch_16 import GAME as SWITCH_16
from referee.judge import judge
from referee.snapshot import NoticeMood, ShownDie, Snapshot, offers_of

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")
WORDS = {"*": "star", "z": "zap"}
SWITCH_FACES = {"green": "green-switch", "red": "red-switch", "block": "block", "blank": "blank"}


def seen(game: Game, state: GameState, number: int) -> Snapshot:
    """A state as the table page shows it, with its dice in the tray."""
    offers = offers_of(game, state)
    return replace(
        scenes.START,
        number=number,
        game=game,
        state=state,
        calls=(),
        notice=game.tell(state),
        notice_is_prompt=True,
        mood=NoticeMood.CALM,
        offers=offers,
        boards=game.boards(state),
        dice=_shown(game, state),
        last=(),
        last_throws=(),
        turn_points=game.turn_points(state),
        step=f"1.{number}",
    )


def _shown(game: Game, state: GameState) -> tuple[ShownDie, ...]:
    lying = (each.die for each in game.lay(state) if each.die.face)
    return tuple(_die(number, die, state.dice) for number, die in enumerate(lying, start=1))


def _die(number: int, die: Die, dice: DieSet) -> ShownDie:
    return ShownDie.of(dice, number, die, confidence=0.98, zone="field", faces=dice.kind(die.kind).faces)


def played(game: Game, state: GameState, *texts: str) -> GameState:
    """The state after these legal actions."""
    for text in texts:
        ruling = judge(game, state, Action.parse(text))
        assert not ruling.refusal, ruling.refusal
        state = ruling.state
    return state


# Rollers: `b5 3 *` are a black 5, a purple 3 and a star


def rollers_word(word: str) -> str:
    """`b5` as `rollers-black:pip-5`."""
    kind, shown = ("rollers-black", word[1:]) if word[0] == "b" else ("rollers-purple", word)
    return f"{kind}:{WORDS.get(shown) or f'pip-{shown}'}"


def rollers(count: int, *texts: str) -> GameState:
    """A game of Rollers that seat 1 starts, after these actions."""
    state = begin(ROLLERS, NAMES[:count], load("rollers"))
    lots = [f"{seat} lot {rollers_word('5' if seat == 1 else '1')}" for seat in range(1, count + 1)]
    return played(ROLLERS, state, *lots, *(_rollers_text(text) for text in texts))


def _rollers_text(text: str) -> str:
    seat, verb, *words = text.split()
    return " ".join([seat, verb, *(word if word[0] == "=" else rollers_word(word) for word in words)])


OPENING = ("1 roll b2 2 2 3 3 *", "1 stop", "1 open 2 2 =2", "1 close b2 =2", "1 open 3 3 * =3", "1 done")
BOBS = ("2 roll b4 4 4 4 1 2", "2 stop", "2 open b4 4 4 4 =4", "2 open 1 =1", "2 done")


def rollers_scenes(count: int) -> dict[str, Snapshot]:
    """Rollers in all its phases, by name."""
    rest = tuple(
        line for seat in range(3, count + 1) for line in (f"{seat} roll bz 1 2 3 4 5", f"{seat} stop", f"{seat} done")
    )
    first = (*OPENING, *BOBS, *rest)
    once = "1 roll b5 2 3 4 * *"
    states = {
        "lots": begin(ROLLERS, NAMES[:count], load("rollers")),
        "start": rollers(count, *first),
        "rolled": rollers(count, *first, once),
        "saved": rollers(count, *first, once, "1 save 3 * *"),
        "zapped": rollers(count, *first, once, "1 save 3 *", "1 roll bz 1 2 4"),
        "apply": rollers(count, *first, once, "1 stop"),
        "spent": rollers(count, *first, once, "1 stop", "1 close 3 =3", "1 collect 2 =2"),
    }
    return {name: seen(ROLLERS, state, number) for number, (name, state) in enumerate(states.items(), start=1)}


# Switch 16


def switch_text(text: str) -> str:
    """`1 roll 1 2 4 blank` in full; `1 discard 3` as `1 discard =card-3`."""
    seat, verb, *words = text.split()
    if verb == "discard":
        return f"{seat} discard =card-{words[0]}"
    dice = [f"d6:pip-{word}" if word.isdigit() else f"switch:{SWITCH_FACES[word]}" for word in words if word[0] != "="]
    return " ".join([seat, verb, *dice, *(word for word in words if word[0] == "=")])


def switch_16(count: int, *texts: str, **options: str) -> GameState:
    """A game of Switch 16 that seat 1 starts, after these actions."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    state = begin(SWITCH_16, NAMES[:count], load("switch-16"), given)
    lots = [f"{seat} lot {6 if seat == 1 else 1}" for seat in range(1, count + 1)]
    return played(SWITCH_16, state, *map(switch_text, (*lots, *texts)))


def switch_16_scenes(count: int) -> dict[str, Snapshot]:
    """Switch 16 in all its phases, by name."""
    ann = ("1 roll 1 2 4 block", *(f"1 discard {card}" for card in range(1, 8)), "1 roll 1 3 4 6 blank")
    ann = (*ann, *(f"1 discard {card}" for card in (8, 9)), "1 end")
    others = [f"{seat} roll 1 2 {seat} blank" for seat in range(2, count + 1)]
    bobs = [
        line
        for seat, roll in enumerate(others, 2)
        for line in (roll, f"{seat} discard 1", f"{seat} discard 2", f"{seat} end")
    ]
    later = (*ann, *bobs)
    held = (*later, "1 roll 1 2 4 6 blank")
    put = (*later, "1 disk =2", "1 roll 1 2 4 6 block")
    states = {
        "lots": begin(SWITCH_16, NAMES[:count], load("switch-16")),
        "start": switch_16(count, *later),
        "discard": switch_16(count, *held),
        "discarded": switch_16(count, *held, "1 discard 10", "1 discard 11"),
        "green": switch_16(count, *later, "1 roll 1 2 4 6 green"),
        "asked": switch_16(count, *later, "1 roll 6 6 6 6 blank", "2 roll 1 2 4 green", "2 switch =1"),
        "block": switch_16(count, *put),
        "blocked": switch_16(count, *put, "1 leave", "1 discard 10", "1 end"),
        "to-100": switch_16(count, *held, variant="to-100"),
    }
    return {name: seen(SWITCH_16, state, number) for number, (name, state) in enumerate(states.items(), start=1)}
