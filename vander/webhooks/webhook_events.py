"""Build webhook events from the journal of a game, entry by entry. Pure.

An event of the same entry is the same whenever it is made, so that its id is the same too. Its sentences are English:
programs that speak another language have the facts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from referee.actions import Action, GameState
from referee.calls import Call
from referee.game import Game
from referee.journal import Contradiction, Deed, Entry, JournalReader
from referee.phrases import spell_list
from referee.sentences import as_whole
from vander.storage.journal_schema import KeptGame


class EventType(StrEnum):
    """What happened. PING is sent by `vander webhooks test` alone.

    A table tells of all up to GAME_OVER, a hall of those from there on.
    """

    GAME_BEGUN = "game.begun"
    RULING = "ruling"
    TAKEN_BACK = "taken-back"
    TURN = "turn"
    GAME_OVER = "game.over"
    MATCH_CALLED = "match.called"
    MATCH_RESULT = "match.result"
    ROUND_DRAWN = "round.drawn"
    TOURNAMENT_OVER = "tournament.over"
    PING = "ping"

    @classmethod
    def chosen(cls) -> tuple[EventType, ...]:
        """Return those that a receiver may choose."""
        return tuple(each for each in cls if each is not cls.PING)


RULED = frozenset({Deed.PLAY, Deed.CORRECT, Deed.LAID, Deed.BREACH})
"""The deeds that receivers are told as a ruling."""
AS_LAID = "Play goes on with the dice as they lie."


@dataclass(frozen=True)
class WebhookEvent:
    """One thing that happened. `key` names it at its table or in its hall: no other event has it, it never changes."""

    key: str
    type: EventType
    at: datetime
    facts: Mapping[str, object]

    def body(self) -> str:
        """Return the JSON that is sent, in the form that Standard Webhooks 1.0.0 recommends."""
        at = self.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return json.dumps({"type": self.type, "timestamp": at, "data": self.facts}, ensure_ascii=False)


class ToldGame:
    """Replays a game of the journal into events. Raises Contradiction if the rules refuse an entry."""

    def __init__(self, kept: KeptGame, game: Game, start: GameState, told: Sequence[Entry] = ()) -> None:
        """Take a game as it stands after the entries that were told already."""
        self.kept, self.read = kept, 0
        self._game, self._reader = game, JournalReader(game, start)
        for entry in told:
            self._add(entry)

    @property
    def is_over(self) -> bool:
        """True if nobody may act any more."""
        return not self._reader.state.to_act

    def begun(self) -> WebhookEvent:
        """Return that the game was begun."""
        names = spell_list([player.name for player in self._reader.state.players], "and")
        sentence = f"{self._game.title} begins: {names}."
        facts = {"options": dict(self.kept.options), "die_set": self.kept.die_set}
        return self._event("begun", EventType.GAME_BEGUN, self.kept.started_at, sentence, facts)

    def hear(self, entry: Entry) -> tuple[WebhookEvent, ...]:
        """Return what the next entry has to tell, in order."""
        before = self._reader.state
        self._add(entry)
        return (*self._of_entry(entry), *self._of_turn(entry, before))

    def ended(self, at: datetime) -> WebhookEvent:
        """Return that people ended the game before its rules did."""
        sentence = f"{self._game.title} ends as it stands."
        return self._event(f"{self.read}.ended", EventType.GAME_OVER, at, sentence, {"complete": False})

    def _add(self, entry: Entry) -> None:
        refusal = self._reader.add(entry)
        if refusal:
            raise Contradiction(refusal.sentence)
        self.read = entry.number

    def _of_entry(self, entry: Entry) -> tuple[WebhookEvent, ...]:
        if entry.deed is Deed.UNDO:
            what = as_whole(f"Taken back: {entry.note}")
            return (self._entry_event(entry, EventType.TAKEN_BACK, what, {"from": entry.target}),)
        if entry.deed not in RULED:
            return ()
        action, calls = self._ruled(entry)
        facts = {
            "deed": entry.deed,
            "corrects": entry.target,
            "by": entry.source,
            "action": str(action) if action else "",
            "dice": [{"kind": die.kind, "face": die.face} for die in action.dice] if action else [],
            "calls": [_call(call) for call in calls],
        }
        said = " ".join(call.sentence for call in calls) or AS_LAID
        return (self._entry_event(entry, EventType.RULING, said, facts),)

    def _ruled(self, entry: Entry) -> tuple[Action | None, Sequence[Call]]:
        """Return what was ruled on, as corrected, and what the referee says of it."""
        if entry.deed is Deed.BREACH:
            return None, (Call(entry.note, entry.rule),)
        if entry.deed is Deed.LAID:
            return None, ()
        number = entry.target if entry.deed is Deed.CORRECT else entry.number
        rulings = {each.number: ruling for each, ruling in self._reader.replay().standing}
        return (rulings[number].action, rulings[number].calls) if number in rulings else (entry.action, ())

    def _of_turn(self, entry: Entry, before: GameState) -> tuple[WebhookEvent, ...]:
        now = self._reader.state
        if now.to_act == before.to_act:
            return ()
        if not now.to_act:
            sentence = _outcome(now)
            return (self._entry_event(entry, EventType.GAME_OVER, sentence, {"complete": True}),)
        return (self._entry_event(entry, EventType.TURN, _turn(now), {}),)

    def _entry_event(self, entry: Entry, type_: EventType, sentence: str, facts: Mapping[str, object]) -> WebhookEvent:
        return self._event(f"{entry.number}.{type_}", type_, entry.at, sentence, facts)

    def _event(
        self, key: str, type_: EventType, at: datetime, sentence: str, facts: Mapping[str, object]
    ) -> WebhookEvent:
        everywhere = {"sentence": str(sentence), **self._standing()}
        return WebhookEvent(f"{self.kept.number}.{key}", type_, at, {**everywhere, **facts})

    def _standing(self) -> dict[str, object]:
        """Return what every event says of the game: which it is, and where it stands."""
        state = self._reader.state
        return {
            "game": {"number": self.kept.number, "name": self.kept.game, "title": str(self._game.title)},
            "entry": self.read,
            "players": [_player(state, place) for place in range(len(state.players))],
            "on_turn": state.on_turn,
            "to_act": list(state.to_act),
            "winner": list(state.winner),
        }


def _player(state: GameState, place: int) -> dict[str, object]:
    player = state.players[place]
    score = state.scores[place] if place < len(state.scores) else 0
    return {"seat": player.seat, "name": player.name, "score": score, "left": player.seat in state.gone}


def _call(call: Call) -> dict[str, object]:
    points = call.sum.total if call.sum else None
    return {"sentence": str(call.sentence), "rule": call.rule, "moment": call.moment or "", "points": points}


def _turn(state: GameState) -> str:
    if state.on_turn:
        return f"It is the turn of {state.name(state.on_turn)}."
    return f"{state.names(state.to_act)} act now."


def _outcome(state: GameState) -> str:
    if not state.winner:
        return "The game is over."
    return f"The game is over; won by {state.names(state.winner)}."
