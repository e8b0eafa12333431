"""An ended game as it went, entry by entry: what the referee said then, and the scores after it. Pure."""

from __future__ import annotations

from referee.calls import Call
from referee.journal import Contradiction, Deed, Entry, JournalReader
from referee.past_steps import PastStep
from vander.memory.read_dice import read_in
from vander.session.match import Match
from vander.session.snapshot_builder import interventions_since


def past_steps(match: Match) -> tuple[PastStep, ...]:
    """Return the steps of a game; entries that only a restart needs are none. Raises Contradiction."""
    reader = JournalReader(match.game, match.start)
    besides = {line.number: line.sentence for line in interventions_since(match)}
    steps = []
    for entry in match.entries:
        refusal = reader.add(entry)
        if refusal:
            raise Contradiction(refusal.sentence)
        calls = _calls(entry, reader, besides)
        if calls:
            seat = entry.action.player if entry.action else entry.seat
            is_play = entry.deed is Deed.PLAY
            scores, read = reader.state.scores, read_in(entry)
            steps.append(PastStep(entry.number, entry.at, seat, calls, is_play, scores, entry.evidence, read))
    return tuple(steps)


def _calls(entry: Entry, reader: JournalReader, besides: dict[int, str]) -> tuple[Call, ...]:
    """Return what is said of an entry that was just read; () for one that says nothing to people."""
    if entry.deed is Deed.PLAY:
        remark = (Call(entry.note, ""),) if entry.note else ()
        return (*reader.calls, *remark)
    said = entry.note if entry.deed is Deed.BREACH else besides.get(entry.number, "")
    return (Call(said, entry.rule),) if said else ()
