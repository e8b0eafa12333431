"""Sessions as values, made without a thread, a journal or a fixture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from cards import CARDS

from models import die_sets
from referee.actions import Action
from referee.game import Game
from referee.games import named
from referee.journal import Source
from referee.snapshot import Question
from vander.storage.journal_schema import KeptGame
from vander.table.camera_events import on_observation
from vander.table.match import Match
from vander.table.session_state import SessionConfig, SessionState, Step
from vander.table.taps import on_start
from vision.observations import Observation

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def no_game(*, bay: bool = True, pause_s: float = 0.0) -> SessionState:
    """The dice of Intersection lie ready, and no game is on."""
    return SessionState(SessionConfig(die_sets.load("intersection"), "by hand", bay, pause_s, "run"))


def a_match(game: Game, players: Sequence[str] = ("Ann",), options: Mapping[str, str] | None = None) -> Match:
    """A game that begins as the first of its journal."""
    dice = die_sets.load(game.die_set or "intersection")
    return Match.of(KeptGame(1, game.name, tuple(players), options or {}, dice.name, NOON), game, dice)


def a_match_after(game: str, *actions: str, options: Mapping[str, str] | None = None) -> Match:
    """A game of Ann and Bob after these actions, which the camera saw."""
    match = a_match(named(game), ("Ann", "Bob"), options)
    return match.play([(Action.parse(text), Source.CAMERA) for text in actions])


def tossup(**faces: int) -> str:
    """So many dice of Toss Up! with each face, as an action has them."""
    return " ".join(f"tossup:{face}" for face, count in faces.items() for _ in range(count))


def a_tossed_match() -> Match:
    """Ann takes 4 points of Toss Up!; Bob throws ten dice and takes 3."""
    return a_match_after(
        "toss-up",
        f"1 roll {tossup(green=4, yellow=5, red=1)}",
        "1 end",
        f"2 roll {tossup(green=3, yellow=7)}",
        "2 end",
    )


def a_game(*observations: Observation, players: Sequence[str] = ("Ann",), bay: bool = True) -> SessionState:
    """Ann plays Intersection, and the camera has seen this since."""
    return watched(on_start(no_game(bay=bay), a_match(named("intersection"), players)).state, *observations)


def a_card_game(pause_s: float = 0.0) -> SessionState:
    """Ann and Bob play cards; a drop waits where there is a pause."""
    return on_start(no_game(pause_s=pause_s), a_match(CARDS, ("Ann", "Bob"))).state


def watched(state: SessionState, *observations: Observation) -> SessionState:
    """Return the state after the camera has seen this."""
    for observation in observations:
        state = on_observation(state, observation).state
    return state


def written(step: Step) -> list[str]:
    """What a step writes, a line each."""
    return [" ".join(filter(None, (entry.source, entry.deed, str(entry.action or "")))) for entry in step.entries]


def asked(state: SessionState) -> Question:
    """The one question that is open."""
    (prompt,) = state.unresolved.prompts
    return prompt.question
