"""Matches of any game played at random by legal actions, as a table with a perfect camera would have them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from session_states import a_match

from referee.actions import Action
from referee.dice import Die, DieSet
from referee.game import Game
from referee.journal import Source
from vander.table.match import Match


def random_match(game: Game, entries: int, seed: int, players: tuple[str, ...] = ("Ann", "Bob")) -> Match:
    """Play a game until it has so many entries, or is over; what ends a turn for nothing is the least likely."""
    rng, match = random.Random(seed), a_match(game, players[: game.seats[1]])  # noqa: S311 - a game's dice
    while len(match.entries) < entries:
        offers = game.legal(match.state)
        if not offers:
            break
        cheap = [offer for offer in offers if offer.verb not in (*game.grave, game.lost)]
        action = _thrown(rng.choice([*cheap * 8, *offers]), match.start.dice, rng)
        source = Source.CAMERA if match.throws(match.state, action) else Source.TABLET
        match = match.play([(action, source)], match.evidence_name() if source is Source.CAMERA else "")
    return match


def next_step(match: Match, game: Game, rng: random.Random, most: int = 3) -> Match:
    """Play up to so many actions as one step, or where `most` is 0 take the newest entry back; nothing once over."""
    if not most:
        return match.undo() if match.newest else match
    ahead = match
    for _ in range(rng.randint(1, most)):
        if offers := game.legal(ahead.state):
            ahead = ahead.play([(_thrown(rng.choice(offers), match.start.dice, rng), Source.CAMERA)])
    way = [(ruling.action, Source.CAMERA) for _, ruling in ahead.standing[len(match.standing) :]]
    return match.play(way) if way else match


LIKED: Mapping[str, Mapping[str, float]] = {
    "intersection": {"park": 30, "end": 12, "fix": 20, "go": 10, "on": 3, "double": 2, "star": 5, "vander": 0.05},
    "rollers": {"open": 30, "close": 60, "collect": 20, "roll": 6, "save": 3},
    "switch-16": {"discard": 40, "roll": 3, "end": 3, "decline": 4, "leave": 3},
    "toss-up": {"roll": 3, "end": 2},
}  # fmt: skip
"""How much each verb of a game is liked by players who want to come to its end; any other as much as 1."""


def finished_match(game: Game, seed: int, players: tuple[str, ...], options: Mapping[str, str]) -> Match:
    """Play a game to its end, by players who want to come there; dice are saved once after each roll."""
    return played_on(a_match(game, players, options), game, seed)


def played_on(match: Match, game: Game, seed: int) -> Match:
    """Play a game on to its end from where it stands."""
    rng, last = random.Random(seed), ""  # noqa: S311 - a game's dice
    while offers := [offer for offer in game.legal(match.state) if offer.verb != "save" or last != "save"]:
        action = _thrown(rng.choices(offers, [_liking(game, offer) for offer in offers])[0], match.start.dice, rng)
        source, last = Source.CAMERA if match.throws(match.state, action) else Source.TABLET, action.verb
        match = match.play([(action, source)], "")
    return match


def _liking(game: Game, offer: Action) -> float:
    """Return how much an offer is liked; many dice rather than few are parked and saved."""
    liked = LIKED.get(game.name, {}).get(offer.verb, 1)
    return liked * (1 + len(offer.dice)) if offer.verb in ("park", "save") else liked


def throws(match: Match) -> list[int]:
    """The numbers of the standing entries that throw dice."""
    found, before = [], match.start
    for entry, ruling in match.standing:
        if match.throws(before, ruling.action):
            found.append(entry.number)
        before = ruling.state
    return found


def _thrown(offer: Action, dice: DieSet, rng: random.Random) -> Action:
    """The offer with chance's faces, each side of a die as likely as another."""
    sides = {kind.name: [side.name for side in kind.sides] for kind in dice.kinds}
    return replace(offer, dice=tuple(Die(die.kind, die.face or rng.choice(sides[die.kind])) for die in offer.dice))
