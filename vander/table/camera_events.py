"""What the camera's side tells the session: observations, its status, a lent tray, misreadings known before. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from hardware.cameras.base import WORKING, CameraReport
from models.dataset.samples import DieOfThrow, LabelSource
from referee.dice import Die, Seen, SeenDie
from referee.sentences import Reason, Refused, say
from vander.storage.journal_schema import Misreading
from vander.table.held_throws import is_still_due, open_question
from vander.table.remarks import with_blind_remark, with_departure_remark, with_taken_up_remark
from vander.table.ruling import accept_table, recount, rule
from vander.table.seen_dice import as_seen, likeness
from vander.table.session_state import (
    DiceSettled,
    Mode,
    SessionConfig,
    SessionState,
    Step,
    TableView,
    ThrowEnded,
    shown_face,
)
from vision.arrival import PLACE_EDGES
from vision.observations import DieReading, DieSighting, Observation, TrackedDie
from vision.tray_calibration import TrayLayout

# Dice that the camera reads otherwise than people said: known again after a restart, while they lie unmoved
#
# After a restart, or once the tray was lent, dice are numbered from one, and nothing that was said of them holds by
# their numbers. A die that still lies in its place, and is still read as it was, still shows what people said. One that
# was moved, or is read as something else, is compared with the game like every other.

SAME_DEGREES = 12.0
"""A die that is turned by more in its place was moved."""


def with_misreadings(step: Step) -> Step:
    """Keep with the game which dice are read otherwise than people said, and where they lie.

    While no dice were seen, or they lie otherwise than the game has them, what was kept stays.
    """
    state = step.state
    match, observed = state.match, state.table.observed
    if match is None or observed is None or not observed.calibrated or state.unresolved.mismatch is not None:
        return step
    found = tuple(_misreadings(state.table, observed))
    if found == match.kept.misreadings:
        return step
    return step.to(replace(state, match=replace(match, kept=replace(match.kept, misreadings=found))))


def with_moved(state: SessionState, observation: Observation) -> SessionState:
    """Return the state with the last observation of the same table, where a die was nudged or is read otherwise."""
    before = {die.number: die for die in state.table.observed.dice} if state.table.observed else {}
    if observation.calibrated and any(_differs(before.get(die.number), die) for die in observation.dice):
        return replace(state, table=replace(state.table, observed=observation))
    return state


def _differs(before: TrackedDie | None, die: TrackedDie) -> bool:
    if before is None:
        return False
    way = _way(before.reading.sighting, (die.reading.sighting.x_mm, die.reading.sighting.y_mm))
    return way > PLACE_EDGES / 2 or shown_face(before) != shown_face(die)


def _misreadings(table: TableView, observed: Observation) -> Iterator[Misreading]:
    said = {(number, throw) for number, (throw, _) in table.sources.items()}
    for die in observed.dice:
        throw, shows = table.stated.get(die.number, (-1, None))
        is_said = throw == die.thrown and (die.number, throw) in said
        if shows is not None and is_said and shows != shown_face(die):
            at = die.reading.sighting
            place = (round(each, 1) for each in (at.x_mm, at.y_mm, at.turned_degrees))
            yield Misreading(shown_face(die), shows, *place)


def with_known_misreadings(state: SessionState, observation: Observation) -> SessionState:
    """Return the state with stored corrections applied to dice in the same place and with the same misread face."""
    match, table = state.match, state.table
    if match is None or not match.kept.misreadings or not observation.calibrated:
        return state
    known: dict[int, tuple[TrackedDie, Die]] = {}
    for misread in match.kept.misreadings:
        die = next(
            (each for each in observation.dice if _is_of(misread, each) and each.number not in table.stated), None
        )
        if die is not None:
            known[die.number] = die, misread.shows
    if not known:
        return state
    stated = {number: (die.thrown, shows) for number, (die, shows) in known.items()}
    sources = {number: (die.thrown, _source(die.reading)) for number, (die, _) in known.items()}
    table = replace(table, stated={**table.stated, **stated}, sources={**table.sources, **sources})
    return replace(state, table=table)


def _is_of(misread: Misreading, die: TrackedDie) -> bool:
    """True if a die was not thrown since the dice were numbered, lies where that one lay, and is read as that one."""
    at = die.reading.sighting
    turned = abs(at.turned_degrees - misread.turned_degrees) % 90
    is_near = _way(at, (misread.x_mm, misread.y_mm)) < PLACE_EDGES
    lies_there = is_near and min(turned, 90 - turned) < SAME_DEGREES
    return die.thrown == 0 and lies_there and shown_face(die) == misread.read


def _way(at: DieSighting, place: tuple[float, float]) -> float:
    """Return how far a die lies from a place in millimetres, in its edges."""
    return float(np.hypot(at.x_mm - place[0], at.y_mm - place[1])) / max(at.edge_mm, 1e-6)


def _source(reading: DieReading) -> LabelSource:
    """Return why people said what a die shows: of one that was read in doubt they were asked."""
    return LabelSource.CORRECTED if reading.accepted else LabelSource.ANSWERED


def dice_said_otherwise(state: SessionState) -> tuple[tuple[SeenDie, Die], ...]:
    """Return dice of before a restart that are read otherwise than people said, each with what it is read as."""
    seen, observed = state.table.seen, state.table.observed
    read = {die.number: shown_face(die) for die in observed.dice} if observed else {}
    said: set[DieOfThrow] = {(number, throw) for number, (throw, _) in state.table.sources.items()}
    dice = seen.dice if seen else ()
    return tuple(
        (die, read[die.number]) for die in dice if (die.number, die.throw) in said and die.die != read.get(die.number)
    )


# Observations, reports of the camera, and another tray or camera


def on_observation(state: SessionState, observation: Observation, pictured: bool = False) -> Step:
    """Take in an observation, and rule on the table where it has come to rest otherwise than before.

    `pictured`: pictures of the dice can be had. A throw waits until an action that waits counts.
    """
    state = with_activity(state, observation)
    if not state.camera.at_rest or state.waiting is not None or state.mode is Mode.MANUAL:
        return Step(state)
    step = with_taken_up_remark(with_blind_remark(Step(state), observation), observation)
    return _on_rest(step, observation, pictured)


def on_next_held(state: SessionState) -> Step:
    """Rule on the oldest held observation; keep the current motion and hand flags of the camera.

    Where throws before it were not kept, the table is taken as it lies, and those throws are asked for again.
    """
    held, *others = state.backlog.observations
    before = state.camera
    state = replace(state, backlog=replace(state.backlog, observations=tuple(others)))
    seen = _with_touched(with_activity(state, held.observation))
    step = _on_rest(Step(seen), held.observation, pictured=held.images is not None, missed=held.missed)
    camera = replace(step.state.camera, at_rest=before.at_rest, hands_in=before.hands_in)
    return step.to(replace(step.state, camera=camera))


def with_activity(state: SessionState, observation: Observation) -> SessionState:
    """Return the state with the motion and hand flags of an observation and its doubts, and nothing else of it."""
    at_rest = observation.at_rest and not observation.hands_in
    camera = replace(state.camera, at_rest=at_rest, hands_in=observation.hands_in, doubts=observation.doubts)
    state = state if at_rest else _with_touched(state)
    return state if camera == state.camera else replace(state, camera=camera)


def _with_touched(state: SessionState) -> SessionState:
    """Return the state in which a leaning die may have been set flat by hand."""
    due = state.unresolved.rethrow
    if due is None or due.touched:
        return state
    return replace(state, unresolved=replace(state.unresolved, rethrow=replace(due, touched=True)))


def _without_mistaken(state: SessionState, seen: Seen) -> SessionState:
    """Return the state without dice that leaned where nothing has moved since: they were only read so."""
    due = state.unresolved.rethrow
    if due is None or due.touched or seen.throw != due.table.throw:
        return state
    return replace(state, unresolved=replace(state.unresolved, rethrow=None))


def _on_rest(step: Step, observation: Observation, pictured: bool, missed: int = 0) -> Step:
    state = with_known_misreadings(step.state, observation)
    table = state.table
    camera = replace(state.camera, calibrated=observation.calibrated)
    if camera != state.camera:
        state = replace(state, camera=camera)
    if table.seen is None and _was_nothing_read(state, observation):
        return step.to(state)
    seen = as_seen(state, observation)
    if likeness(seen) == likeness(table.seen):
        return step.to(with_moved(state, observation))
    is_new_throw = table.seen is None or table.seen.throw != seen.throw
    counted = {die.number for die in seen.dice}
    settled = DiceSettled(state.dice.name, tuple(die for die in observation.dice if die.number in counted))
    table = replace(table, observed=observation, seen=seen, picture="")
    state = _without_mistaken(replace(state, table=table), seen)
    step = step.to(state, *((ThrowEnded(),) if is_new_throw else ()), settled)
    step = with_departure_remark(step, seen) if is_new_throw else step
    step = _with_crops(step, observation) if pictured else step
    return accept_table(step, missed) if missed else rule(step)


def _was_nothing_read(state: SessionState, observation: Observation) -> bool:
    """True if the tray is lost that people tapped, and was never seen: that no die is known is no empty tray."""
    is_lost = state.config.layout.tapped is not None and not observation.calibrated
    return is_lost and not observation.dice


def _with_crops(step: Step, observation: Observation) -> Step:
    """Name a new picture for every die that lies there, and one of the tray where that is in sight."""
    state = step.state
    count = state.camera.pictured + 1
    names = {die.number: f"die-{die.number}-{count}-{state.config.run}" for die in observation.dice}
    picture = f"tray-{count}-{state.config.run}" if observation.calibrated else ""
    table = replace(state.table, crops={**state.table.crops, **names}, picture=picture)
    camera = replace(state.camera, pictured=count)
    return replace(step, state=replace(state, table=table, camera=camera), pictures=names)


def on_camera_report(state: SessionState, report: CameraReport) -> Step:
    """Take in what is known of the camera."""
    if report == state.camera.report:
        return Step(state)
    return watch_again(Step(replace(state, camera=replace(state.camera, report=report))))


def watch_again(step: Step) -> Step:
    """Recount when the camera works again after manual entry, so that the dice are compared with the journal."""
    is_back = step.state.mode is Mode.MANUAL and not step.state.is_blind
    return recount(step) if is_back else step


def on_capturing(state: SessionState, capturing: bool) -> Step:
    """Switch between playing and capturing. Back in play, the dice are accepted as they lie, as after a pause.

    While a throw waits for an answer, or has to be made again, the tray is not lent: the throw would be lost. Raises
    Refused.
    """
    if capturing:
        check_nothing_waits(state)
    mode, camera = Mode.CAPTURING if capturing else Mode.PLAYING, replace(state.camera, report=WORKING)
    return _begun_again(replace(state, mode=mode, camera=camera), state.config)


def on_other_tray(state: SessionState, layout: TrayLayout) -> Step:
    """Change the tray layout; the dice are accepted as they lie, as after a pause.

    Raises Refused while a throw waits.
    """
    check_nothing_waits(state)
    return _begun_again(state, replace(state.config, layout=layout, bay=layout.bay))


def on_other_camera(state: SessionState, camera: str, layout: TrayLayout) -> Step:
    """Go on with another camera, of that name; the dice are accepted as they lie, as after a pause.

    Raises Refused while a throw waits, unless the camera that is on shows nothing: with it no throw would be finished.
    """
    if not state.is_blind:
        check_nothing_waits(state)
    config = replace(state.config, camera=camera, layout=layout, bay=layout.bay)
    return _begun_again(replace(state, camera=replace(state.camera, report=WORKING)), config)


def _begun_again(state: SessionState, config: SessionConfig) -> Step:
    unresolved = replace(state.unresolved, prompts=(), moved=(), rethrow=None)
    return recount(Step(replace(state, config=config, unresolved=unresolved, waiting=None)))


def check_nothing_waits(state: SessionState) -> None:
    """Raise Refused (CONFLICT) while a throw waits for an answer, or has to be made again: it would be lost."""
    asked = open_question(state)
    if asked is not None:
        raise Refused(
            say("Answer the open question first: {question}", question=asked.question.sentence), Reason.CONFLICT
        )
    if is_still_due(state):
        raise Refused(say("Finish the throw first: it does not count yet."), Reason.CONFLICT)
