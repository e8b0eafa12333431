"""The state of a table as Home Assistant gets it over MQTT, and a hall as a hint of what goes on. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.phrases import in_a_row
from referee.sentences import Translations, in_language
from referee.snapshot import Snapshot
from web.languages import languages, translations

OK = "ok"
"""What `camera` and `box` say where nothing is wrong."""


def table_state(snapshot: Snapshot, language: str = "en") -> dict[str, Any]:
    """Return the state that is shown in a snapshot, with sentences in a language; English where that is not known.

    A tray that is lent is no trouble of the camera, as for the doctor.
    """
    state, game = snapshot.state, snapshot.game
    seat = state.on_turn if state else 0
    trouble = "" if snapshot.lent else snapshot.camera_trouble
    names = [player.name for player in state.players] if state else []
    return {
        "turn": state.name(seat) if state and seat else "",
        "seat": seat,
        "game": game.name if game else "",
        "scores": [
            {"name": name, "score": score} for name, score in zip(names, state.scores if state else (), strict=False)
        ],
        "ruling": spoken(in_a_row(*(call.sentence for call in snapshot.calls)), language),
        "waits_for": spoken(snapshot.notice, language),
        "dice": [{"kind": str(die.kind), "face": str(die.face)} for die in snapshot.dice],
        "camera": spoken(trouble, language) or OK,
        "box": spoken(in_a_row(*snapshot.alerts), language) or OK,
        "over": state is not None and not state.to_act,
        "number": snapshot.number,
    }


def is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """True if two states differ in no more than the number of their snapshots."""
    return {**one, "number": 0} == {**other, "number": 0}


def spoken(sentence: str, language: str) -> str:
    """Return a sentence in a language; in English where that is not known."""
    known: Translations | None = translations(language) if language in languages() else None
    return str(in_language(sentence, known)) if known else str(sentence)
