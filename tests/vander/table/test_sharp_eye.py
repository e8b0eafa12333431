"""Who corrects a die on the own phone has a sharp eye, also after another seat takes something back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from session_scenes import opened
from session_states import a_match

from referee.actions import Action
from referee.dice import Die
from referee.feats import Feat, SeatFeat, find_feats
from referee.games import named
from referee.journal import NOBODY, Actor, Deed, Source
from vander.table.match import Match
from vander.table.session import Session

ANN, BOB = Actor("Ann's phone", 1), Actor("Bob's phone", 2)


def sharp_eyes(match: Match | None) -> list[SeatFeat]:
    """The sharp eyes of a game that is over."""
    assert match is not None
    found = find_feats(match.game, match.start, match.replay, match.entries)
    return [feat for feat in found if feat.feat == Feat.SHARP_EYE]


def test_a_correction_on_a_players_phone_is_a_feat_of_the_seat(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.correct(5, "sad", by=ANN)
    assert sharp_eyes(solo.state.match) == [], "the game is not over"
    solo.act("1 quit")
    corrected = next(entry for entry in solo.state.match.entries if entry.deed is Deed.CORRECT)
    assert sharp_eyes(solo.state.match) == [SeatFeat(1, Feat.SHARP_EYE, corrected.number)]


def test_a_correction_on_the_tables_tablet_is_nobodys_feat(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.correct(5, "sad", by=NOBODY)
    solo.act("1 quit")
    assert sharp_eyes(solo.state.match) == []


def test_a_face_that_is_corrected_back_had_been_read_right(solo: Session, dice: Any) -> None:
    opened(solo, dice)
    solo.correct(5, "sad", by=ANN)
    solo.correct(5, "three", by=ANN)
    solo.act("1 quit")
    assert sharp_eyes(solo.state.match) == []


def test_what_another_seat_takes_back_leaves_the_correction_with_who_made_it() -> None:
    """An undo goes through the journal again, and enters corrections of earlier throws after it."""
    match = a_match(named("toss-up"), ("Ann", "Bob"))
    rolled = Action(1, "roll", (*[Die("tossup", "green")] * 4, *[Die("tossup", "yellow")] * 6))
    match = match.play([(rolled, Source.CAMERA)]).play([(Action(1, "end"), Source.TABLET)])
    truth = replace(rolled, dice=(*rolled.dice[1:], Die("tossup", "yellow")))
    read, true = Die("tossup", "green"), Die("tossup", "yellow")
    match = match.signed(ANN).correct(1, truth, (read, true)).signed(BOB).taken_back(2)
    (correction,) = match.replay.corrections
    assert (correction.by, match.entries[-2].deed, match.entries[-2].by) == (ANN, Deed.UNDO, BOB)
    over = match.play([(Action(1, "quit"), Source.TABLET)])
    assert sharp_eyes(over) == [SeatFeat(1, Feat.SHARP_EYE, correction.number)]
