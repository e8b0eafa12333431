"""The end of a turn and of the game of Dice County Fair: what is added up, and who wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.calls import Call, Moment, Outcome
from referee.games.dice_county_fair.sheet import PER_SECTION, Activity
from referee.games.dice_county_fair.state import (
    AIM,
    HOURS,
    MOST_OF_NONE,
    FairPhase,
    FairState,
    Paper,
    before_roll,
    seats_of,
)
from referee.phrases import points, spell_list
from referee.sentences import say, say_count


def next_turn(state: FairState, *calls: Call) -> Outcome[FairState]:
    """Pass the dice to the next roller (D.2-2), or close the fair after the last turn (D.2-14)."""
    if state.turn == len(HOURS):
        return _final(state, calls)
    after = before_roll(state, turn=state.turn + 1, roller=next_roller(state))
    if state.is_solo:
        return after, calls
    passed = say("The dice pass to {name} for the {hour} turn.", name=state.name(after.roller), hour=after.hour)
    last = Moment.LAST_ROUND if after.turn == len(HOURS) else None
    return after, (*calls, Call(passed, "D.2-2", last))


def next_roller(state: FairState) -> int:
    """Return the seat that rolls after the present roller; alone always the same (D.2-2)."""
    return next(iter(state.after(state.roller)), state.roller)


def points_of(state: FairState, paper: Paper) -> int:
    """Return the points of the activities that a sheet has completed."""
    return sum(activity.points for activity, dice in zip(state.sheet.activities, paper.dice, strict=True) if dice)


# Scoring


@dataclass(frozen=True)
class ScoreLine:
    """A line of the scoring: its title, each player's points in it, and the rule."""

    title: str
    points: tuple[int, ...]
    rule: str


def score_lines(state: FairState) -> Iterator[ScoreLine]:
    """Return all that is added up at the end (D.2-15, D.2-16)."""
    yield ScoreLine(say("Experience All Areas"), tuple(_experience(state, seat) for seat in seats_of(state)), "D.2-15")
    for place, section in enumerate(state.sheet.sections):
        yield ScoreLine(say("{section} activities", section=section.title), _section_points(state, place), "D.2-15")
        yield from award_lines(state, place)


def award_lines(state: FairState, place: int) -> Iterator[ScoreLine]:
    """Return what a section's awards would bring if the fair closed now; alone there is no Most award (D.2-16)."""
    section = state.sheet.sections[place]
    if not state.is_solo:
        yield _ranked(say("Most {within}", within=section.within), _most(state, place), section.most)
    yield _fewest(state, place)


def _completed(state: FairState, paper: Paper, place: int) -> list[Activity]:
    first = place * PER_SECTION
    rows = zip(state.sheet.sections[place].activities, paper.dice[first : first + PER_SECTION], strict=True)
    return [activity for activity, dice in rows if dice]


def _experience(state: FairState, seat: int) -> int:
    places, paper = range(len(state.sheet.sections)), state.papers[seat - 1]
    has_been_everywhere = all(_completed(state, paper, place) for place in places)
    return state.sheet.experience if has_been_everywhere and seat in state.present else 0


def _section_points(state: FairState, place: int) -> tuple[int, ...]:
    return tuple(sum(activity.points for activity in _completed(state, paper, place)) for paper in state.papers)


def _most(state: FairState, place: int) -> list[int | None]:
    """Return how many activities of a section each player completed; None for a player without a claim (AMB-D-8)."""
    counts = completed_counts(state, place)
    claims = [count if count or state.chose(MOST_OF_NONE, "allowed") else None for count in counts]
    return _of_the_present(state, claims)


def completed_counts(state: FairState, place: int) -> list[int]:
    """Return how many activities of a section each player has completed."""
    return [len(_completed(state, paper, place)) for paper in state.papers]


def excess_sums(state: FairState, place: int) -> list[int]:
    """Return the sum of the values in each player's excess area of a section."""
    return [sum(paper.excess[place]) for paper in state.papers]


def _of_the_present(state: FairState, values: Sequence[int | None]) -> list[int | None]:
    """Return one value for each player, None for those who have left: awards are for those who play on."""
    return [None if seat in state.gone else value for seat, value in enumerate(values, start=1)]


def _fewest(state: FairState, place: int) -> ScoreLine:
    """Return the award for the least excess in a section, by the sum of its values (AMB-D-13, D.2-16)."""
    section, sums = state.sheet.sections[place], excess_sums(state, place)
    title = say("Fewest {area}", area=section.area)
    if state.is_solo:
        return ScoreLine(title, (0 if sums[0] else section.fewest[0],), "D.2-16")
    return _ranked(title, _of_the_present(state, [-total for total in sums]), section.fewest)


def _ranked(title: str, values: Sequence[int | None], award: tuple[int, int]) -> ScoreLine:
    """Give the highest value the primary award, the next the secondary; players level for first get the secondary."""
    ranks = sorted({value for value in values if value is not None}, reverse=True)
    best = ranks[0] if ranks else None
    if values.count(best) > 1:
        award, ranks = (award[1], 0), ranks[:1]
    worth = dict(zip(ranks, award, strict=False))
    level = any(values.count(value) > 1 for value in ranks[:2])
    points = tuple(0 if value is None else worth.get(value, 0) for value in values)
    return ScoreLine(title, points, "AMB-D-7" if level else "D.2-15")


def _final(state: FairState, calls: tuple[Call, ...]) -> Outcome[FairState]:
    lines = tuple(score_lines(state))
    totals = tuple(sum(points) for points in zip(*(line.points for line in lines), strict=True))
    best = max(totals[seat - 1] for seat in state.present)
    winner = tuple(seat for seat in state.present if totals[seat - 1] == best and (best >= AIM or not state.is_solo))
    over = finish(replace(state, scores=totals), winner)
    closed = Call(say("The {hour} turn is done, and the fair closes.", hour=state.hour), "D.2-14")
    return over, (*calls, closed, *(_said(state, line) for line in lines), outcome_call(over))


def was_played_out(state: FairState) -> bool:
    """True if a game that is over was added up, and not ended since the others had left."""
    return len(state.present) == 1 if state.is_solo else len(state.present) > 1


def finish(state: FairState, winner: tuple[int, ...]) -> FairState:
    return replace(state, phase=FairPhase.OVER, to_act=(), dice_awaited=(), winner=winner, plans=())


def _said(state: FairState, line: ScoreLine) -> Call:
    having = [
        say("{name} {points}", name=state.name(seat), points=points)
        for seat, points in enumerate(line.points, start=1)
        if points
    ]
    if not having:
        return Call(say("Points for {title}: nobody.", title=line.title), line.rule)
    written = spell_list(having, "and")
    return Call(say("Points for {title}: {written}.", title=line.title, written=written), line.rule, Moment.SCORE)


def outcome_call(state: FairState) -> Call:
    """Return the call that says who has won, or how a lone player did (D.2-16)."""
    total = max(state.scores[seat - 1] for seat in state.winner or seats_of(state))
    if state.is_solo:
        won = Moment.WIN if state.winner else None
        return Call(_alone(state.name(1), total), "D.2-16", won)
    names = state.names(state.winner)
    if len(state.winner) > 1:
        sentence = say_count(
            "{names} share the win with {count} point each.",
            "{names} share the win with {count} points each.",
            total,
            names=names,
        )
        return Call(sentence, "AMB-D-9", Moment.WIN)
    sentence = say_count("{names} wins with {count} point.", "{names} wins with {count} points.", total, names=names)
    return Call(sentence, "D.2-15", Moment.WIN)


def _alone(name: str, total: int) -> str:
    """Return how far a lone player came."""
    if total >= AIM:
        return say("{name} has {points} and reaches the aim of {aim}.", name=name, points=points(total), aim=AIM)
    missing = AIM - total
    return say(
        "{name} has {points}, {missing} short of the aim of {aim}.",
        name=name,
        points=points(total),
        missing=missing,
        aim=AIM,
    )
