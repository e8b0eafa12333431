"""The receivers of webhooks, as `webhooks.toml` names them, and the events that they are sent, from the journal.

An event of the same entry is the same whenever it is made, so that its id is the same too. Its sentences are English:
programs that speak another language have the facts.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import re
import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from referee.actions import Action, GameState
from referee.calls import Call
from referee.game import Game
from referee.journal import Contradiction, Deed, Entry, JournalReader
from referee.phrases import spell_list
from referee.sentences import as_whole, cause_of, say
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


# The signature of Standard Webhooks 1.0.0, with a secret that sender and receiver share
#
# https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md ("Signature scheme")


def sign(key: bytes, message_id: str, sent_at: int, body: bytes) -> str:
    """Return the value of `webhook-signature`; `sent_at` is in seconds since 1970. An id has no full stop in it."""
    content = b".".join((message_id.encode(), str(sent_at).encode(), body))
    return f"v1,{base64.b64encode(hmac.digest(key, content, 'sha256')).decode()}"


def signed_headers(key: bytes, message_id: str, sent_at: int, body: bytes) -> dict[str, str]:
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(sent_at),
        "webhook-signature": sign(key, message_id, sent_at, body),
    }


# The receivers of webhooks, as the owner names them in `webhooks.toml` of the data folder


RECEIVERS_FILE = "webhooks.toml"
SECRET_PREFIX = "whsec_"  # noqa: S105  # what a secret begins with, as Standard Webhooks 1.0.0 writes it
SHORTEST_KEY, LONGEST_KEY = 24, 64
"""Bytes of a key, as Standard Webhooks 1.0.0 has it."""
MOST_RECEIVERS = 16
"""Each has a thread of its own."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_KEYS = frozenset({"url", "secret", "events"})


class BadReceivers(ValueError):
    """`webhooks.toml` cannot be used; the message says which receiver is wrong, and holds no address and no secret."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class WebhookReceiver:
    """A receiver of webhooks: its name, its URL, its signing key, and the event types that it subscribes to."""

    name: str
    url: str = field(repr=False)
    key: bytes = field(repr=False)
    events: frozenset[EventType]

    @property
    def place(self) -> str:
        """Scheme, host and port: an address's path and query often are a password."""
        parts = urlsplit(self.url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}"

    @property
    def url_digest(self) -> str:
        """A digest of the address, by which a receiver with another address is known."""
        return hashlib.sha256(self.url.encode()).hexdigest()


def new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def read_receivers(folder: Path) -> tuple[WebhookReceiver, ...]:
    """Return the receivers of a data folder, none without `webhooks.toml`. Raises BadReceivers."""
    try:
        read = tomllib.loads((folder / RECEIVERS_FILE).read_text("utf-8"))
    except OSError as error:
        if not os.path.lexists(folder / RECEIVERS_FILE):
            return ()
        raise BadReceivers(say("webhooks.toml cannot be read: {cause}", cause=cause_of(error))) from error
    except ValueError:  # whose message may quote a line with a secret
        raise BadReceivers(say("webhooks.toml is not readable as TOML")) from None
    if len(read) > MOST_RECEIVERS:
        raise BadReceivers(say("webhooks.toml names more than {most} receivers", most=MOST_RECEIVERS))
    return tuple(_receiver(name, each) for name, each in read.items())


def _receiver(name: str, given: object) -> WebhookReceiver:
    if not (_NAME.fullmatch(name) and isinstance(given, dict)):
        raise BadReceivers(
            say("webhooks.toml: a receiver is a table such as [scoreboard], named in small letters, digits and hyphens")
        )
    if not given.keys() <= _KEYS:
        raise BadReceivers(say("webhooks.toml: {name} may have url, secret and events, and nothing else", name=name))
    return WebhookReceiver(name, _url(name, given.get("url")), _key(name, given.get("secret")), _events(name, given))


def _url(name: str, given: object) -> str:
    url = given if isinstance(given, str) else ""
    parts = _split(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise BadReceivers(
            say(
                "webhooks.toml: {name} needs url as an http or https address, without a name in front of @",
                name=name,
            )
        )
    return url


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address, None where it is none or has characters that an address does not have."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    return parts if url.isascii() and url.isprintable() and " " not in url else None


def _key(name: str, given: object) -> bytes:
    text = str(given)
    key = _decoded(text.removeprefix(SECRET_PREFIX)) if text.startswith(SECRET_PREFIX) else b""
    if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise BadReceivers(
            say(
                "webhooks.toml: {name} needs a secret of {fewest} to {most} bytes; `vander webhooks secret` makes one",
                name=name,
                fewest=SHORTEST_KEY,
                most=LONGEST_KEY,
            )
        )
    return key


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:  # no base64, or no ASCII
        return b""


def _events(name: str, given: dict[str, object]) -> frozenset[EventType]:
    wanted = given.get("events", list(EventType.chosen()))
    if not (isinstance(wanted, list) and wanted and all(each in EventType.chosen() for each in wanted)):
        known = ", ".join(EventType.chosen())
        raise BadReceivers(say("webhooks.toml: {name} needs events as a list of {known}", name=name, known=known))
    return frozenset(map(EventType, wanted))


def secret_words(folder: Path) -> tuple[str, ...]:
    """Return what of the receivers may be in no log and no bundle: secrets, and addresses with their paths."""
    try:
        read = tomllib.loads((folder / RECEIVERS_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return ()
    given = [each for each in read.values() if isinstance(each, dict)]
    urls = [each["url"] for each in given if isinstance(each.get("url"), str)]
    parts = [split for split in map(_split, urls) if split is not None]
    told = [str(each["secret"]) for each in given if "secret" in each]
    ways = [way for part in parts for way in (part.path.strip("/"), part.query)]
    return tuple(word for word in (*told, *urls, *ways) if word)
