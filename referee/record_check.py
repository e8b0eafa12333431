"""Checking a game record against the rules: each line, and what it claims of the game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from referee.actions import GameState
from referee.agreements import help_texts, rules_of
from referee.calls import Call, Refusal
from referee.dice import Die, DieSet
from referee.game import BadOption, BadStart, Game, begin
from referee.journal import Contradiction, Deed, JournalReader, read_laid
from referee.known_players import check_names
from referee.phrases import spell_list
from referee.record_parser import CLAIMS, BadRecord, Claim, Record, RecordedEntry, UnreadablePart, listed, on_line

# The claims of a game record: what it says of the game at one place, held against where the game stands


def claimed_numbers(game: Game, state: GameState, name: str) -> tuple[int, ...] | None:
    """Return the numbers that a claim of this name has to give; None where the game has nothing of that name."""
    everywhere = {
        "scores": state.scores,
        "winner": state.winner,
        "to-act": state.to_act,
        "turn-points": (game.turn_points(state),),
        "left": state.gone,
    }
    return everywhere[name] if name in everywhere else _of_the_game(game.facts(state).get(name.replace("-", "_")))


def _of_the_game(fact: object) -> tuple[int, ...] | None:
    if isinstance(fact, int):
        return (fact,)
    return tuple(map(int, fact)) if isinstance(fact, Sequence) else None


def claims_of_the_game(game: Game, state: GameState) -> Iterator[Claim]:
    """Yield what only this game has, such as chips, as claims that are so."""
    for name in CLAIMS:
        fact = game.facts(state).get(name.replace("-", "_"))
        numbers = _of_the_game(fact)
        if numbers is not None:
            yield Claim(name, numbers)


def check_claim_words(claim: Claim, game: Game, state: GameState) -> None:
    """Raise UnreadablePart for a claim about what the game does not have, or by a rule that it does not have."""
    if claimed_numbers(game, state, claim.name) is None:
        raise UnreadablePart(f"{game.title} has no {claim.name}")
    if claim.rule and claim.rule not in rules_of(game):
        raise UnreadablePart(f"{game.title} has no rule {claim.rule[:80]!r}; its page of rules has the numbers")


def why_not_so(claim: Claim, game: Game, state: GameState, cited: Collection[str]) -> Refusal | None:
    """Return why a claim is not so; None where it is. `cited` are the rules of the ruling before it."""
    numbers = claimed_numbers(game, state, claim.name)
    if numbers != claim.numbers:
        return Refusal(
            f"Here the {_spoken(claim, numbers or ())}, not {listed(claim.numbers) or 'nobody'}.", claim.rule
        )
    if claim.rule and claim.rule not in cited:
        rules = spell_list(sorted(cited), "and") or "no rule"
        return Refusal(f"The ruling before this cites {rules}, not {claim.rule}.", claim.rule)
    return None


def _spoken(claim: Claim, numbers: Sequence[int]) -> str:
    is_or_are = "are" if claim.name.endswith("s") else "is"
    return f"{claim.name} {is_or_are} {listed(numbers) or 'nobody'}"


# Checking a game record against the rules, line by line


MOST_RULINGS: Final = 300_000
"""The most rulings that a record may ask for: a correction has all that came after it ruled on again."""

LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of entries that name none, where nobody asks for it."""


@dataclass(frozen=True)
class CheckedLine:
    """A line of a record under the rules: the state after it, and what happened, or what is wrong with the line.

    `number` is the entry's; of a claim that of the entry before it, 0 before the first one.
    """

    line: RecordedEntry | Claim
    number: int
    state: GameState
    calls: tuple[Call, ...] = ()
    refusal: Refusal | None = None

    @property
    def is_recorded(self) -> bool:
        """True if the line is a breach that was recorded at the table."""
        return isinstance(self.line, RecordedEntry) and self.line.deed is Deed.BREACH

    @property
    def is_last(self) -> bool:
        """True if the rules refuse this entry, so that they have nothing to say of the lines after it."""
        return isinstance(self.line, RecordedEntry) and bool(self.refusal) and not self.is_recorded


def start_of_record(record: Record, game: Game, dice: DieSet) -> GameState:
    """Return the state in which the recorded game begins. Raises BadRecord, also for lines not in the game's words."""
    start = _begun(record, game, dice)
    for entry in record.entries:
        with on_line(entry.line_number):
            _check_words(entry, game, dice)
    for claim in record.claims:
        with on_line(claim.line_number):
            check_claim_words(claim, game, start)
    return start


def _begun(record: Record, game: Game, dice: DieSet) -> GameState:
    """Return the start by the headings alone: a wrong one is not blamed on the first entry."""
    try:
        start = begin(game, record.players, dice, record.options)
        check_names(record.players)
    except BadOption as wrong:
        raise BadRecord(record.line_of("options"), str(wrong)) from None
    except BadStart as wrong:
        heading = "dice" if game.die_set not in ("", dice.name) else "players"
        raise BadRecord(record.line_of(heading), str(wrong)) from None
    if _has_none_of_the_dice(record, dice):
        raise BadRecord(record.line_of("dice"), f"no entry has any of the {dice.title} dice; name the dice played with")
    return start


def _has_none_of_the_dice(record: Record, dice: DieSet) -> bool:
    """True if a table of any dice names other ones in its heading than in all of its entries."""
    kinds = {die.kind for entry in record.entries for die in _dice_in(entry)}
    return "dice" in record.heading_lines and bool(kinds) and kinds.isdisjoint(kind.name for kind in dice.kinds)


def check_record(game: Game, start: GameState, record: Record, most: int = MOST_RULINGS) -> Iterator[CheckedLine]:
    """Rule on one line after another, as far as the first entry that the rules refuse.

    After a breach that was recorded at the table, and after a false claim, the game goes on. Raises BadRecord for an
    entry that cannot stand where it does, and where corrections ask for more than `most` rulings.
    """
    course, number, cited = JournalReader(game, start), 0, frozenset[str]()
    for line in record.lines:
        if isinstance(line, Claim):
            found = CheckedLine(line, number, course.state, refusal=why_not_so(line, game, course.state, cited))
        else:
            number += 1
            found = _check_entry(line, number, course)
            # After an undo the calls are those of the entry that stands last again.
            cited = frozenset([found.refusal.rule] if found.refusal else [call.rule for call in course.calls])
        if course.ruled > most:
            raise BadRecord(line.line_number, f"the corrections up to here ask for more than {most} rulings")
        yield found
        if found.is_last:
            return


def _check_entry(entry: RecordedEntry, number: int, course: JournalReader) -> CheckedLine:
    try:
        refusal = course.add(entry.journal_entry(number, LONG_AGO))
    except Contradiction as wrong:
        raise BadRecord(entry.line_number, str(wrong)) from None
    if entry.deed is Deed.BREACH:
        refusal = Refusal(entry.note, entry.rule)
    calls = course.calls if entry.deed is not Deed.UNDO and not refusal else ()
    return CheckedLine(entry, number, course.state, calls, refusal)


def _check_words(entry: RecordedEntry, game: Game, dice: DieSet) -> None:
    """Raise UnreadablePart or NoSuchFace for a verb, a die or a rule that the game does not have."""
    action = entry.action
    if action and action.verb not in help_texts(game):
        raise UnreadablePart(f"{game.title} has no {action.verb!r}; it has {', '.join(help_texts(game))}")
    if entry.rule and entry.rule not in rules_of(game):
        raise UnreadablePart(f"{game.title} has no rule {entry.rule[:80]!r}; its page of rules lists them all")
    for die in _dice_in(entry):
        kind = dice.kind(die.kind)
        if die.face is None:
            raise UnreadablePart(f"{str(die)!r} says no face; write one of {', '.join(kind.faces)}")
        kind.title_of(die.face)


def _dice_in(entry: RecordedEntry) -> tuple[Die, ...]:
    if entry.deed is Deed.LAID:
        return tuple(position.die for position in read_laid(entry.note))
    return entry.action.dice if entry.action else ()
