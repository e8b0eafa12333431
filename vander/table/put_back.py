"""List misplaced dice with the face, place and pictures that people need to put each one back. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.actions import DiePosition
from referee.dice import Die, DieSet, Seen, SeenDie, Zone, closest_pairs
from referee.snapshot import PutBack
from referee.umpire import differs
from referee.umpire.tables import LIKELY, dice_inside, lies_at
from vander.table.held_throws import table_now
from vander.table.match import Match
from vander.table.seen_dice import title_of
from vander.table.session_state import SessionState, TableView

Pair = tuple[SeenDie, DiePosition]
PicturedDie = tuple[int, Die]
"""A die by its number, and what it showed in its picture."""


def find_put_backs(state: SessionState) -> tuple[PutBack, ...]:
    """Return what has to be put back, while something that lies wrong stands; () where that says nothing.

    Before the first throw of a turn the dice may lie anyhow.
    """
    table = table_now(state)
    match, seen, unresolved = state.match, table.seen, state.unresolved
    is_wrong = unresolved.breach or unresolved.mismatch or unresolved.intervention
    if match is None or seen is None or not is_wrong:
        return ()
    ruled = table.ruled
    shown = match.with_hands(unresolved.moved) if unresolved.breach or unresolved.intervention else match
    wrong, missing = wrong_dice(match.game.lay(shown.state), ruled, seen)
    before = _pictures_before(ruled, table)
    moved = tuple(_put_back(state.dice, die, position, table.crops, before) for die, position in wrong)
    away = (position for position in missing if position.zone not in (None, Zone.SIGNAL))
    return (*moved, *(_missing(state.dice, position) for position in away))


def _pictures_before(ruled: Seen | None, table: TableView) -> Mapping[PicturedDie, str]:
    """Return the pictures of dice as they were ruled on, by number and what they showed; a present one is left out.

    After a restart, or something taken back, the table counts as ruled on though dice lie wrong there.
    """
    dice = ruled.dice if ruled else ()
    pictures = {(die.number, die.die): table.ruled_crops.get(die.number, "") for die in dice}
    return {key: crop for key, crop in pictures.items() if crop and crop != table.crops.get(key[0])}


def wrong_dice(
    layout: Sequence[DiePosition], ruled: Seen | None, seen: Seen
) -> tuple[tuple[Pair, ...], Sequence[DiePosition]]:
    """Return the dice that lie wrong, each with the position that it had, and the positions that no die has.

    A die that lies right by place, and by a face that it may show, is left out, whichever it is; of the others each
    goes to the position that it had at the last ruling, else to one of its face, else to one of its kind.
    """
    lay = {die.number: die.die for die in ruled.dice} if ruled else {}

    def fits(die: SeenDie, position: DiePosition) -> tuple[bool, ...]:
        had, lies = lay.get(die.number) == position.die, lies_at(die, position, seen.bay)
        alike = position.die == die.die, position.die.kind == die.kind
        return had and lies, lies, _may_lie(die, position, seen.bay), had, *alike

    def distance(die: SeenDie, position: DiePosition) -> int | None:
        rules = fits(die, position)
        return rules.index(True) if any(rules) else None

    pairs, missing = closest_pairs(dice_inside(seen), layout, distance), list(layout)
    for _, position in pairs:
        missing.remove(position)
    return tuple(pair for pair in pairs if not any(fits(*pair)[:3])), missing


def before_moves(state: SessionState, match: Match) -> Seen | None:
    """Return the table as it was before hands moved dice ahead of a refused throw; None where it does not lie so again.

    Dice dragged into the bay count as parked only with the next throw: after a refused one they are put back there.
    """
    seen, moved = state.table.seen, state.unresolved.moved
    if seen is None or not moved or differs(match.game, match.with_hands(moved).state, seen):
        return None
    wrong, _ = wrong_dice(match.game.lay(match.state), state.table.ruled, seen)
    zones = {die.number: position.zone for die, position in wrong}
    return replace(seen, dice=tuple(replace(die, zone=zones.get(die.number) or die.zone) for die in seen.dice))


def _may_lie(die: SeenDie, position: DiePosition, bay: bool) -> bool:
    """True if a die whose face is in doubt lies right with one of its likely faces."""
    likely = [(face, share) for face, share in die.faces if share >= LIKELY]
    return any(lies_at(replace(die, faces=(each,)), position, bay) for each in likely)


def _put_back(
    dice: DieSet, die: SeenDie, position: DiePosition, now: Mapping[int, str], before: Mapping[PicturedDie, str]
) -> PutBack:
    wanted, shown = position.die, die.die
    return PutBack(
        die=die.number,
        kind=wanted.kind,
        face=wanted.face or "",
        title=_title(dice, wanted),
        shows=_title(dice, shown),
        place=_place(position) if position.zone not in (None, Zone.SIGNAL, die.zone) else "",
        crop_before=before.get((die.number, wanted), ""),
        crop_now=now.get(die.number, ""),
        picture=_picture(dice, wanted),
    )


def _missing(dice: DieSet, position: DiePosition) -> PutBack:
    wanted = position.die
    title, picture = _title(dice, wanted), _picture(dice, wanted)
    return PutBack(0, wanted.kind, wanted.face or "", title, "", _place(position), picture=picture)


def _picture(dice: DieSet, wanted: Die) -> str:
    """Return the address of the picture of a face, '' for any face."""
    return f"/faces/{dice.name}/{wanted.kind}/{wanted.face}.jpg" if wanted.face else ""


def _title(dice: DieSet, die: Die) -> str:
    return title_of(dice, die.kind, die.face) if die.face else ""


def _place(position: DiePosition) -> str:
    return str(position.zone or "")
