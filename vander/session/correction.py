"""What becomes of a match when people say that a die was read wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.dice import Die, SeenDie
from referee.game import DiePosition, Refusal
from referee.refused import Reason, Refused
from vander.session.match import IllegalAction, Match, refaced

NO_LONGER = "That throw no longer stands as it was; take back the last action instead."


def mended(match: Match, cast: Mapping[int, int], seen: SeenDie, new: Die, lying: Sequence[DiePosition]) -> Match:
    """The match with a die that was ruled on read right; the same match where nothing in it hangs on the die.

    `cast` says which entry gave each die its face, as far as that is known; `lying` is how the dice lie, read right.
    Raises Refused where the rules do not let the game be mended so.
    """
    entry = _entry_of(match, cast, seen)
    if entry is not None:
        return _corrected(match, entry, seen, new, lying)
    if match.lies_as_laid:
        return _laid_anew(match, lying)
    if match.replay.laid:
        raise Refused(NO_LONGER, Reason.CONFLICT)
    return match


def _laid_anew(match: Match, lying: Sequence[DiePosition]) -> Match:
    """Take back that the dice were laid so, and lay them as they are."""
    laid = match.undo().laid(lying)
    if laid is None:
        raise Refused("The rules give dice that lie so no meaning here.", Reason.CONFLICT)
    return laid


def _corrected(match: Match, entry: int, seen: SeenDie, new: Die, lying: Sequence[DiePosition]) -> Match:
    action = match.action_of(entry)
    if action is None or seen.die not in action.dice:
        raise Refused(NO_LONGER, Reason.CONFLICT)
    try:
        return match.correct(entry, refaced(action, seen.die, new))
    except IllegalAction as refused:
        return _laid_since(match, entry, seen, new, lying, refused.refusal)


def _laid_since(  # noqa: PLR0913, PLR0917  # each is a word of the one sentence below
    match: Match, entry: int, seen: SeenDie, new: Die, lying: Sequence[DiePosition], refusal: Refusal
) -> Match:
    """Correct a die that hands saved or parked since, by its wrong face: lay the dice as they are.

    Raises Refused for the refusal where that does not come to the same as if the die had been read right.
    """
    meant, laid = match.had_shown(entry, seen.die, new), match.laid(lying)
    if laid is None or laid.state != meant:
        raise Refused(refusal.sentence, Reason.CONFLICT, refusal.rule)
    return laid


def _entry_of(match: Match, cast: Mapping[int, int], seen: SeenDie) -> int | None:
    """The entry whose throw gave a die its face, or None when none did."""
    entry = cast.get(seen.number)
    if entry is not None and match.action_of(entry) is not None:
        return entry
    last = match.last_throw_of(seen.die, beside=set(cast.values()))
    return last.number if last else None
