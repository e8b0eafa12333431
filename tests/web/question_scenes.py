"""Every kind of question, each from a real session that saw the dice which lead to it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "vander"))

from laid_dice import Dice
from rollers_dice import RollersDice
from switch_dice import ROLLED, SEEN_EMPTY, THREE_AGAIN
from true_tray import FRAME, TrayPictures

from models import die_sets
from referee.dice import Handling, Zone
from referee.games import games
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session
from vander.table.session_state import Prompt
from vision.observations import Observation

OPENING = ("go", "happy", "happy", "star", "two", "three")


@dataclass
class Scene:
    """A session on a data folder, opened as often as wanted, and the pictures of the tray that it is shown."""

    folder: Path
    closed: ExitStack
    pictures: TrayPictures = field(default_factory=lambda: TrayPictures(FRAME))

    def open(self, dice: str = "intersection") -> Session:
        """Start the program."""
        journal = self.closed.enter_context(closing(Journal.in_folder(self.folder)))
        evidence = EvidenceStore(self.folder / "evidence")
        return open_session(journal, evidence, games=games(), dice=die_sets.load(dice), camera="by hand")

    def see(self, session: Session, *observations: Observation) -> Session:
        """Let the camera see this."""
        for observation in observations:
            session.observe(observation, self.pictures)
        return session

    def intersection(self, dice: Dice) -> Session:
        """Ann and Bob play, and Ann begins."""
        session = self.see(self.open(), dice.look())
        session.start("intersection", ["Ann", "Bob"], {}, starter=1)
        return session

    def cards(self) -> Session:
        """Ann and Bob play Switch 16, and Ann begins."""
        session = self.open("switch-16")
        session.start("switch-16", ["Ann", "Bob"], {}, starter=1)
        return self.see(session, SEEN_EMPTY)

    def rollers(self, dice: RollersDice) -> Session:
        """Ann and Bob play Rollers, and Ann begins."""
        session = self.open()
        session.start("rollers", ["Ann", "Bob"], {}, starter=1)
        return self.see(session, dice.look())


def _opened(scene: Scene, dice: Dice) -> Session:
    return scene.see(scene.intersection(dice), dice.roll(*OPENING))


def _face(scene: Scene) -> Session:
    dice = Dice()
    session = scene.intersection(dice)
    dice.roll(*OPENING)
    dice.unsure[5] = (("sad", 0.3),)
    return scene.see(session, dice.look())


def _alike(scene: Scene) -> Session:
    dice = Dice()
    session = scene.intersection(dice)
    dice.roll("go", "happy", "happy", "happy", "two", "three")
    dice.unsure |= dict.fromkeys((1, 2, 3), (("sad", 0.2), ("star", 0.15), ("two", 0.1), ("three", 0.1)))
    return scene.see(session, dice.look())


def _which(scene: Scene) -> Session:
    dice = RollersDice()
    session = scene.rollers(dice)
    return scene.see(session, dice.roll("pip-2", *["pip-1"] * 4, "pip-3", doubted={1: 0.4, 6: 0.4}))


def _who_threw(scene: Scene) -> Session:
    return scene.see(scene.cards(), ROLLED, THREE_AGAIN)


def _how_far(scene: Scene) -> Session:
    session = _who_threw(scene)
    session.answer(session.snapshot().questions[0].number, "2")
    return session


def _thrown(scene: Scene) -> Session:
    dice = Dice()
    session = scene.intersection(dice)
    dice.roll(*OPENING)
    dice.marks |= {4: Handling.PLACED, 5: Handling.PLACED}
    dice.chances |= {4: 0.1, 5: 0.1}
    return scene.see(session, dice.look())


def _set_down(scene: Scene) -> Session:
    dice = Dice()
    session = scene.intersection(dice)
    dice.roll(*OPENING)
    dice.marks |= {4: Handling.PLACED, 5: Handling.PLACED}
    return scene.see(session, dice.look())


def _turned(scene: Scene) -> Session:
    dice = Dice()
    return scene.see(_opened(scene, dice), dice.lay(Handling.TURNED, d1="star"))


def _breach(scene: Scene) -> Session:
    dice = Dice()
    return scene.see(_opened(scene, dice), dice.throw(d1="star"))


def _sure(scene: Scene) -> Session:
    session = _breach(scene)
    session.answer(session.snapshot().questions[0].number, "as-it-lies")
    return session


def _put_back(scene: Scene) -> Session:
    dice = Dice()
    session = scene.intersection(dice)
    scene.see(session, dice.roll("go", "sad", "two", "star", "star", "four"))
    scene.see(session, dice.throw(d2="star"))
    dice.lay(Handling.TURNED, d2="two")
    return scene.see(session, dice.throw(d1="sad", signal="go"))


def _mismatch(scene: Scene) -> Session:
    dice = Dice()
    _opened(scene, dice)
    dice.faces[1], dice.throw_number, dice.thrown = "star", 0, {}
    return scene.see(scene.open(), dice.look())


def _unseen(scene: Scene) -> Session:
    dice = RollersDice()
    session = scene.rollers(dice)
    scene.see(session, dice.roll("pip-1", "pip-2", "pip-2", "pip-4", "pip-5", "pip-3"))
    dice.faces.update({1: "pip-2", 5: "star", 6: "pip-5"})
    dice.number, dice.thrown = 0, {}
    return scene.see(scene.open(), dice.look())


def _set_flat(scene: Scene) -> Session:
    dice = Dice()
    session = scene.intersection(dice)
    dice.roll(*OPENING)
    dice.leaning = {4}
    scene.see(session, dice.look())
    dice.leaning = set()
    dice.lay(Handling.TURNED, d4="two")
    dice.chances[4] = 0.01
    return scene.see(session, dice.look(at_rest=False, hands_in=True), dice.look())


def _leaning(scene: Scene) -> Session:
    dice = Dice()
    session = scene.intersection(dice)
    dice.roll(*OPENING)
    dice.leaning = {4}
    return scene.see(session, dice.look())


def _kept_leaning(scene: Scene) -> Session:
    dice = Dice()
    _opened(scene, dice)
    again = scene.open()
    dice.throw_number, dice.thrown = 0, {}
    scene.see(again, dice.look(), dice.carry(Zone.ASIDE, 1, 2, 3))
    dice.leaning.add(3)
    return scene.see(again, dice.throw(d4="happy", d5="three"))


def _leaned(scene: Scene) -> Session:
    dice = Dice()
    session = scene.intersection(dice)
    dice.roll(*OPENING)
    dice.leaning.add(5)
    scene.see(session, dice.look())
    session.correct(5, "three")
    dice.leaning.clear()
    return scene.see(session, dice.throw(d5="star"))


SCENES: Mapping[str, Callable[[Scene], Session]] = {
    "face": _face,
    "alike": _alike,
    "which": _which,
    "who-threw": _who_threw,
    "how-far": _how_far,
    "thrown": _thrown,
    "turned": _turned,
    "breach": _breach,
    "sure": _sure,
    "put-back": _put_back,
    "mismatch": _mismatch,
    "unseen": _unseen,
    "set-flat": _set_flat,
    "kept-leaning": _kept_leaning,
    "leaning": _leaning,
    "set-down": _set_down,
    "leaned": _leaned,
}
"""Every kind of question, by a name."""


def kinds_of(prompt: type[Prompt] = Prompt) -> Iterator[type[Prompt]]:
    """Yield every kind of question that the session knows."""
    for kind in prompt.__subclasses__():
        yield kind
        yield from kinds_of(kind)
