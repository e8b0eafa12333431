"""What would follow if a die of a past throw had shown another face: nothing is left out, and nothing is made up."""

from __future__ import annotations

import random

import pytest
from random_matches import random_match, throws
from session_states import a_match_after, a_tossed_match

from referee.dice import Die
from referee.game import Game
from referee.games import games
from vander.table.challenges import OtherFace, WhatIf, what_if
from vander.table.match import IllegalAction, Match

SEEDS = range(3)


def die(text: str) -> Die:
    return Die.parse(text)


def asked(match: Match, entry: int, old: str, new: str) -> WhatIf:
    return what_if(match, entry, [OtherFace(die(old), die(new))])


@pytest.fixture(scope="module")
def tossed() -> Match:
    return a_tossed_match()


def test_each_later_score_that_changes_is_named(tossed: Match) -> None:
    found = asked(tossed, 1, "tossup:yellow", "tossup:green")
    assert [each.entry for each in found.consequences] == [1, 2, 3, 4]
    assert found.consequences[1].scores_now == (4, 0)
    assert found.consequences[1].scores_then == (5, 0)
    assert (found.now.scores, found.state.scores) == ((4, 3), (5, 3))
    assert found.is_plain


def test_what_could_not_have_been_is_named_and_nothing_after_it(tossed: Match) -> None:
    found = what_if(tossed, 1, [OtherFace(die("tossup:green"), die("tossup:red"))] * 4)
    assert found.illegal is not None
    assert found.illegal.entry == 2
    assert found.refusal is not None
    assert found.refusal.sentence.startswith(f"Then this could not have happened: {found.illegal.now}")
    assert found.consequences[-1] is found.illegal
    assert [entry.number for entry in found.entries] == [1]


def test_an_entry_that_does_not_stand_has_no_consequences(tossed: Match) -> None:
    same = [OtherFace(die("tossup:green"), die("tossup:red"))]
    for match, entry in ((tossed.undo().undo(), 3), (tossed, 9), (tossed, 0)):
        with pytest.raises(LookupError):
            what_if(match, entry, same)


def test_the_die_that_hands_saved_is_saved_with_its_other_face() -> None:
    thrown = ["black:pip-2", "purple:pip-2", "purple:pip-2", "purple:pip-4", "purple:pip-5", "purple:pip-5"]
    match = a_match_after(
        "rollers",
        "1 lot rollers-purple:pip-5",
        "2 lot rollers-black:pip-1",
        f"1 roll {' '.join(f'rollers-{each}' for each in thrown)}",
        "1 save rollers-purple:pip-5 rollers-purple:pip-5",
        "1 roll rollers-black:pip-1 rollers-purple:pip-2 rollers-purple:pip-3 rollers-purple:pip-4",
    )
    found = what_if(match, 3, [OtherFace(die("rollers-purple:pip-5"), die("rollers-purple:pip-3"))] * 2)
    assert [(each.entry, each.carried, each.refusal) for each in found.consequences][1] == (4, True, "")
    assert str(found.entries[1].action) == "1 save rollers-purple:pip-3 rollers-purple:pip-3"
    assert not found.is_plain
    assert found.state != match.state


def other_faces(match: Match, entry: int, rng: random.Random) -> list[WhatIf]:
    """What if any one die of a throw had shown another face, drawn by chance."""
    action = match.action_of(entry)
    assert action is not None
    found = []
    for old in action.dice[:1]:
        faces = [face for face in match.start.dice.kind(old.kind).faces if face != old.face]
        found += [what_if(match, entry, [OtherFace(old, Die(old.kind, rng.choice(faces)))])] if faces else []
    return found


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_a_prediction_without_a_refusal_is_what_a_correction_leads_to(game: Game) -> None:
    plain = 0
    for seed in SEEDS:
        match = random_match(game, 16, seed)
        for entry in throws(match):
            for found in other_faces(match, entry, random.Random(seed)):  # noqa: S311 - dice
                if found.is_plain:
                    assert match.correct(entry, found.action).state == found.state
                    plain += 1
                elif found.illegal:
                    with pytest.raises(IllegalAction):
                        match.correct(entry, found.action)
    assert plain or game.name == "dice-county-fair"  # where hardly anything is thrown at first


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_the_faces_that_were_read_change_nothing(game: Game) -> None:
    match = random_match(game, 16, 1)
    for entry in throws(match):
        action = match.action_of(entry)
        assert action is not None
        same = what_if(match, entry, [OtherFace(each, each) for each in action.dice])
        assert same.consequences == ()
        assert same.state == match.state
