"""The numbers of a game's rules, as its page in referee/rules has them."""

from __future__ import annotations


def numbered(letter: str, rules: int, ambiguities: int) -> frozenset[str]:
    """Return `I.1` for the dice, `I.2-1` to `I.2-23` for the rules, `AMB-I-1` to `AMB-I-18` for what is left open."""
    play = (f"{letter}.2-{number}" for number in range(1, rules + 1))
    left_open = (f"AMB-{letter}-{number}" for number in range(1, ambiguities + 1))
    return frozenset((f"{letter}.1", *play, *left_open))
