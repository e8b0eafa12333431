"""Episodes: all that a session was told of a table, so that another one can decide the same without a camera.

What is kept of a case is the game as it began, each observation that differs from the one before, what the camera's
side reported, and what people did; and after each of these what the session made of it: the entries, the open questions
by their sorts and choices, the mood. No sentence is kept, so that rewording changes nothing.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from pydantic import TypeAdapter

from hardware.cameras.base import CameraReport
from models import die_sets
from referee.actions import Action
from referee.games import games, named
from referee.journal import Source
from referee.sentences import Refused
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.match import Match
from vander.table.session import Session, open_session
from vander.table.taps import parse_action
from vision.observations import Observation

Told: TypeAlias = dict[str, Any]
"""What a session made of what it was told: its new entries, open questions, mood, and whether it refused."""

OBSERVATION: Final = TypeAdapter(Observation)
REPORT: Final = TypeAdapter(CameraReport)
BY_PEOPLE: Final = frozenset(
    {"act", "answer", "by_hand", "correct", "undo", "void", "checked", "challenge", "confirm", "start", "play_on"}
)
"""The requests of a session that people make; their arguments are plain values."""

DECIMALS: Final = 4
"""So exactly the numbers of an observation are kept: millimetres, pixels and probabilities."""


@dataclass
class Event:
    """Something that a session was told, by the name of its method, and what it made of it."""

    name: str
    given: list[Any]
    named: dict[str, Any] = field(default_factory=dict)
    told: Told = field(default_factory=dict)


@dataclass
class Episode:
    """A game as it began, all events in their order, and what is known of the case: its name, and how it ended."""

    game: str
    names: tuple[str, ...]
    options: dict[str, str]
    actions: list[str]
    case: dict[str, Any] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)


EPISODE: Final = TypeAdapter(Episode)


def open_table(journal: Journal, folder: Path, dice: str) -> Session:
    """Return a session at a virtual tray."""
    evidence = EvidenceStore(folder / "evidence")
    return open_session(journal, evidence, games=games(), dice=die_sets.load(dice), camera="virtual")


def begin_game(journal: Journal, episode: Episode, dice: str) -> None:
    """Write a game in which the episode's first actions were done into the journal."""
    game = named(episode.game)
    kept = journal.begin(episode.game, episode.names, episode.options, dice)
    match = Match.of(kept, game, die_sets.load(dice))
    for action in map(parse_action, episode.actions):
        match = match.play([(action, Source.CAMERA if match.throws(match.state, action) else Source.TABLET)])
    if match.entries:
        journal.write(kept.number, *match.entries)


class Recording:
    """A session that writes down what it is told; else it is that session."""

    def __init__(self, session: Session, episode: Episode) -> None:
        self._session, self._episode = session, episode
        self._last: tuple[Observation, CameraReport] | None = None
        self._reported = CameraReport()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._session, name)
        if name not in BY_PEOPLE:
            return method

        def told(*given: Any, **named: Any) -> Any:
            if name == "answer":
                given = (_place(self._session, given[0]), *given[1:])
            self._last = None
            event = Event(name, json.loads(json.dumps(given)), json.loads(json.dumps(named)))
            return self._tell(event, lambda: method(*_arguments(self._session, event), **event.named))

        return told

    def observe(self, observation: Observation, images: Any = None, occasion: object = None) -> None:
        """Write an observation down where it differs from the one before, or something was told meanwhile."""
        bare = replace(observation, frame=0)
        is_new, self._last = self._last != (bare, self._reported), (bare, self._reported)
        if not is_new or (occasion is not None and occasion != self._session.occasion):
            self._session.observe(observation, images, occasion)
        else:
            rounded = json.loads(OBSERVATION.dump_json(bare), parse_float=lambda text: round(float(text), DECIMALS))
            event = Event("observe", [rounded])
            self._tell(event, lambda: self._session.observe(observation, images, occasion))

    def report_camera(self, report: CameraReport) -> None:
        """Write a report down where it differs from the one before."""
        if report == self._reported:
            self._session.report_camera(report)
            return
        self._reported = report
        event = Event("report_camera", [REPORT.dump_python(report, mode="json")])
        self._tell(event, lambda: self._session.report_camera(report))

    def _tell(self, event: Event, act: Any) -> Any:
        self._episode.events.append(event)
        try:
            return act()
        except Refused:
            event.told["refused"] = True
            raise
        finally:
            event.told |= tell(self._session)


def record(session: Session, episode: Episode) -> Session:
    """Return the session as one that writes down what it is told."""
    return cast("Session", Recording(session, episode))


def _place(session: Session, number: int) -> int:
    """Return the place of a question among the open ones: numbers differ from run to run."""
    return [question.number for question in session.snapshot().questions].index(number)


def _arguments(session: Session, event: Event) -> list[Any]:
    """Return what the session's method is given."""
    if event.name == "observe":
        return [OBSERVATION.validate_python(event.given[0], strict=False)]
    if event.name == "report_camera":
        return [REPORT.validate_python(event.given[0], strict=False)]
    if event.name == "answer":
        asked = [question.number for question in session.snapshot().questions]
        return [asked[event.given[0]] if event.given[0] < len(asked) else 0, *event.given[1:]]
    return event.given


def tell(session: Session) -> Told:
    """Return what a session made of what it was told."""
    match, prompts = session.state.match, session.state.unresolved.prompts
    entries = match.entries if match else ()
    return {
        "game": match.kept.number if match else 0,
        "entries": len(entries),
        "last": [f"{each.deed} {each.source} {each.action or ''}" for each in entries[-3:]],
        "asked": [[type(each).__name__, *(choice for choice, _ in each.question.choices)] for each in prompts],
        "mood": str(session.snapshot().mood),
    }


@dataclass(frozen=True)
class Difference:
    """The first event of which another session made something else than is written down."""

    place: int
    event: Event
    now: Told


def replay(episode: Episode) -> Difference | None:
    """Let a new session decide the same episode; None where it makes the same of all events."""
    with tempfile.TemporaryDirectory() as folder:
        return _replay(episode, Path(folder))


def _replay(episode: Episode, folder: Path) -> Difference | None:
    dice = named(episode.game).die_set
    journal = Journal.in_folder(folder)
    session = open_table(journal, folder, dice)
    try:
        for place, event in enumerate(episode.events):
            now: Told = {}
            if event.name in {"begin", "restart"}:
                session.close()
                if event.name == "begin":
                    begin_game(journal, episode, dice)
                session = open_table(journal, folder, dice)
            else:
                try:
                    getattr(session, event.name)(*_arguments(session, event), **event.named)
                except Refused:
                    now["refused"] = True
            now |= tell(session)
            if now != event.told:
                return Difference(place, event, now)
    finally:
        session.close()
        journal.close()
    return None


def read_episodes(file: Path) -> Iterator[Episode]:
    """Read the episodes of a file, one in each line."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield EPISODE.validate_json(line)


def add_episode(file: Path, episode: Episode) -> None:
    """Add an episode to a file."""
    with gzip.open(file, "ab") as lines:
        lines.write(EPISODE.dump_json(episode) + b"\n")


def as_texts(actions: Sequence[Action]) -> list[str]:
    """Return actions as an episode keeps them."""
    return [str(action) for action in actions]


def new_episode(game: str, names: Sequence[str], options: Mapping[str, str] | None = None) -> Episode:
    """Return an episode of which nothing has happened yet."""
    return Episode(game, tuple(names), dict(options or {}), [])
