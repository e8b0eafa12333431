"""Random games whose plug is pulled at every entry and in every throw: they go on by what the page offers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from models import die_sets
from referee.actions import Action, DiePosition, GameState
from referee.dice import Die, DieSet, Zone
from referee.game import Game
from referee.games import games, named
from referee.judge import judge
from referee.umpire.rest import not_picked
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session
from vision.observations import DieReading, DieSighting, Observation, Posture, TrackedDie

THROWS = 14
GAMES = ("intersection", "toss-up", "dice-county-fair", "rollers", "switch-16")


@dataclass(frozen=True)
class Lying:
    """A die as it lies; `thrown` is the number of its throw since the program was started."""

    die: Die
    zone: Zone
    thrown: int = 0


def seen(table: Sequence[Lying]) -> Observation:
    """What the pipeline says of a table."""
    dice = tuple(_tracked(number, lying) for number, lying in enumerate(table, 1))
    return Observation(1, max((lying.thrown for lying in table), default=0), dice)


def _tracked(number: int, lying: Lying) -> TrackedDie:
    assert lying.die.face is not None
    sighting = DieSighting(30.0 * number, 50, 16, 0, Posture.FLAT, 0.99, 100.0 * number, 200, 50)
    reading = DieReading(sighting, lying.die.kind, lying.die.face, 0.99, accepted=True)
    return TrackedDie(number, reading, lying.zone, lying.thrown)


class CutOffGame:
    """A game that is played by chance, by a program that is started again before everything that happens."""

    def __init__(self, folder: Path, game: Game, chance: Random) -> None:
        self.folder, self.game, self.chance = folder, game, chance
        self.dice = die_sets.load(game.die_set or "d6")
        self.table: tuple[Lying, ...] = ()
        self.by_hand = self.offered = self.thrown_again = 0
        with closing(self._journal()) as journal:
            session = self._open(journal)
            session.start(game.name, ["Ann", "Bob"], {})
            self.state = self._state(session)

    def _journal(self) -> Journal:
        return Journal.in_folder(self.folder)

    def _open(self, journal: Journal) -> Session:
        return open_session(journal, EvidenceStore(self.folder / "evidence"), games=games(), dice=self.dice)

    @staticmethod
    def _state(session: Session) -> GameState:
        state = session.snapshot().state
        assert state is not None
        return state

    def play(self, throws: int) -> None:
        """Play so many throws, or until the game is over."""
        made = 0
        while made < throws and self.state.to_act:
            *hands, last = self._row()
            if last.is_throw:
                self._throw(hands, last)
                made += 1
            else:
                self._tap(last)

    def _row(self) -> list[Action]:
        """Return what hands do, and a throw or a tap after it."""
        row, state = list[Action](), self.state
        while not row or row[-1].verb in self.game.by_hand:
            legal = [action for action in self.game.legal(state) if self._is_wanted(action, row)]
            verbs = sorted({action.verb for action in legal})
            verb = self.chance.choice(verbs)
            row.append(self.chance.choice([action for action in legal if action.verb == verb]))
            state = judge(self.game, state, row[-1]).state
        return row

    def _is_wanted(self, action: Action, row: Sequence[Action]) -> bool:
        if action.verb in (*self.game.grave, self.game.lost):
            return False
        if row:
            return action.is_throw
        throws_follow = action.verb not in self.game.by_hand or self._throws_after(action)
        return throws_follow and action.verb != "give-up"

    def _throws_after(self, action: Action) -> bool:
        return any(offer.is_throw for offer in self.game.legal(judge(self.game, self.state, action).state))

    def _tap(self, action: Action) -> None:
        with closing(self._journal()) as journal:
            session = self._open(journal)
            session.observe(seen(self.table))
            assert session.snapshot().mood == "calm", session.snapshot().notice
            session.act(str(action))
            self.state = judge(self.game, self.state, action).state
            assert self._state(session) == self.state

    def _throw(self, hands: Sequence[Action], offer: Action) -> None:
        before = self.state
        for action in hands:
            before = judge(self.game, before, action).state
        thrown = tuple(self._falls(die) for die in offer.dice)
        action = replace(offer, dice=thrown)
        expected = judge(self.game, before, action).state
        kept = self._kept(before, offer)
        after = (*kept, *(Lying(die, Zone.FIELD) for die in thrown))
        with closing(self._journal()) as journal:
            session = self._open(journal)
            if kept and self.chance.random() < 0.5:
                self._made_after_the_start(session, kept, after)
            else:
                session.observe(seen(after))
            self._resolve(session, [*hands, action], expected)
            session.observe(seen(after), occasion=session.occasion)
            shown = session.snapshot()
            assert (self._state(session), shown.mood, shown.questions) == (expected, "calm", ()), shown.notice
        self.state, self.table = expected, after

    def _made_after_the_start(self, session: Session, kept: Sequence[Lying], after: Sequence[Lying]) -> None:
        """The plug was pulled with the dice in the hand; they are thrown when the program runs again."""
        self.thrown_again += 1
        session.observe(seen(kept))
        session.observe(seen([replace(lying, thrown=int(place >= len(kept))) for place, lying in enumerate(after)]))

    def _kept(self, before: GameState, offer: Action) -> tuple[Lying, ...]:
        layout, picked = self.game.lay(before), self.game.thrown(before, offer)
        if not layout:  # the dice of the last turn lie about
            layout = tuple(DiePosition(Die(kind.name), None) for kind, count in self.dice.counts for _ in range(count))
            picked = tuple(DiePosition(Die(die.kind), None) for die in offer.dice)
        kept = not_picked(layout, picked)
        assert kept is not None
        return tuple(map(self._lies, kept))

    def _lies(self, position: DiePosition) -> Lying:
        zone = position.zone or (Zone.ASIDE if position.die.face is None else Zone.FIELD)
        return Lying(position.die if position.die.face else self._falls(position.die), zone)

    def _falls(self, die: Die) -> Die:
        return die if die.face else Die(die.kind, self.chance.choice(sides_of(self.dice, die)))

    def _resolve(self, session: Session, row: Sequence[Action], expected: GameState) -> None:
        """Answer what is asked, as somebody who made the throw does; else give it by hand."""
        if session.snapshot().questions:
            self._answer(session, expected)
        if self._state(session) == expected:
            return
        self.by_hand += 1
        *hands, last = row
        for action in hands:
            offers = {offer.action for offer in session.snapshot().offers if offer.by_tap}
            assert action in offers, (str(action), session.snapshot().notice)
            session.act(str(action))
        assert session.snapshot().manual_entry, (str(last), session.snapshot().notice)
        session.by_hand(str(last))

    def _answer(self, session: Session, expected: GameState) -> None:
        (prompt,) = session.state.unresolved.prompts
        ways = getattr(prompt, "ways", ())
        right = [place for place, way in enumerate(ways) if self._end([action for action, _ in way]) == expected]
        self.offered += bool(right)
        session.answer(prompt.question.number, str(right[0]) if right else "put-back")

    def _end(self, way: Sequence[Action]) -> GameState:
        state = self.state
        for action in way:
            state = judge(self.game, state, action).state
        return state


def sides_of(dice: DieSet, die: Die) -> tuple[str, ...]:
    return tuple(side.name for side in dice.kind(die.kind).sides)


@pytest.fixture(params=GAMES)
def cut_off(request: pytest.FixtureRequest, tmp_path: Path) -> CutOffGame:
    return CutOffGame(tmp_path, named(request.param), Random(request.param))  # noqa: S311 - dice, not secrets


def test_a_game_that_is_cut_off_in_every_throw_goes_on(cut_off: CutOffGame) -> None:
    cut_off.play(THROWS)
