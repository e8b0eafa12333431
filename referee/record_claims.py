"""The claims of a game record: what it says of the game at one place, held against where the game stands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from referee.agreements import rules_of
from referee.calls import Refusal
from referee.game import Game
from referee.game_state import GameState
from referee.phrases import spell_list
from referee.record_format import CLAIMS, Claim, UnreadablePart, listed


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
