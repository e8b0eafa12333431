"""How often each clip of the caller is said in whole games that are played at random: in which order a family records.

    python bench/clip_use.py [--games 5] [--language en]

Numbers are counted by the recordings that they are put together of; names are not said.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import replace

from models.die_sets import load
from referee.actions import Action, GameState
from referee.calls import Call
from referee.dice import Die, DieSet
from referee.game import Game, begin
from referee.games import games
from referee.judge import judge
from referee.snapshot import Snapshot
from referee.spoken_parts import CallerMemory
from vander.extras.voice.voice_pack import SpokenPhrases, load_phrases

MOST_ACTIONS = 600
CLIPS = load_phrases("en").clips
"""All languages have the same keys."""


def _first_row(rows: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return next((row for row in rows if all(key in CLIPS for key in row)), ())


def play(game: Game, seed: int) -> Counter[str]:
    """Return how often each clip is said in one game of three."""
    rng, dice, said = random.Random(seed), load(game.die_set or "d6"), Counter[str]()  # noqa: S311 - a game's dice
    state = begin(game, ("Ann", "Bob", "Cy")[: game.seats[1]], dice, {})
    memory = CallerMemory.begin(_snapshot(game, state, (), 0))
    for number in range(1, MOST_ACTIONS):
        offers = game.legal(state)
        if not offers:
            break
        cheap = [offer for offer in offers if offer.verb not in (*game.grave, game.lost)]
        ruling = judge(game, state, _thrown(rng.choice([*cheap * 8, *offers]), dice, rng))
        state = ruling.state
        memory = memory.hear(_snapshot(game, state, ruling.calls, number))
        parts = [part for each in memory.utterances if each.number == number for part in each.parts]
        said.update(key for part in parts for key in _first_row(part.clips))
    return said


def _snapshot(game: Game, state: GameState, calls: tuple[Call, ...], number: int) -> Snapshot:
    points = game.turn_points(state)
    return Snapshot(number, game=game, state=state, calls=calls, called=number, turn_points=points, step=f"1.{number}")


def _thrown(offer: Action, dice: DieSet, rng: random.Random) -> Action:
    sides = {kind.name: [side.name for side in kind.sides] for kind in dice.kinds}
    return replace(offer, dice=tuple(Die(die.kind, die.face or rng.choice(sides[die.kind])) for die in offer.dice))


def recordings(said: Counter[str], phrases: SpokenPhrases) -> Counter[str]:
    """Return how often each recording is needed."""
    found = Counter[str]()
    for key, count in said.items():
        for part in phrases.spelled.get(key, (key,)):
            found[part] += count
    return found


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5, help="of each kind")
    parser.add_argument("--language", default="en")
    given = parser.parse_args()
    phrases, said = load_phrases(given.language), Counter[str]()
    for game in games():
        for seed in range(given.games):
            said += play(game, seed)
    used = recordings(said, phrases)
    total = used.total()
    so_far = 0
    for place, (key, count) in enumerate(used.most_common(), start=1):
        so_far += count
        print(f"{place:3} {key:14} {100 * count / total:5.1f} % {100 * so_far / total:6.1f} %  {phrases.recorded[key]}")
    print(f"{len(phrases.recorded)} to record; {len(used)} of them were said, {total} times")


if __name__ == "__main__":
    main()
