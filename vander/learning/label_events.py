"""What people say of dice at the table, told to those who learn from it: the keeper of pictures and the checker.

The table calls, under its lock; nobody here has one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from models.dataset.table_labels import CheckedDie, LabelSource, SpotCheck, StatedFaces
from referee.dice import Die, DieSet, FaceName, Seen
from referee.refused import Reason, Refused
from vander.learning.accuracy import SpotChecker
from vander.learning.presentation import face_title
from vision.image_source import ImageSource
from vision.observations import Observation, TrackedDie
from web.schemas.learning_schemas import CheckShown


class LabelSink(Protocol):
    """Keeps pictures of dice with what people said of them. Both calls are quick: what takes time comes later."""

    def dice_settled(self, die_set: str, dice: Sequence[TrackedDie], sight: ImageSource) -> None:
        """The dice of that set have come to rest; those in doubt wait for a label from now on."""

    def faces_stated(self, words: StatedFaces, how: LabelSource) -> None:
        """People said what some of the dice that came to rest last show."""


class LabelEvents:
    """Sees what lies there and hears what people say of it. Without keeper and checker nobody is told."""

    def __init__(self, keeper: LabelSink | None = None, checker: SpotChecker | None = None) -> None:
        self._keeper = keeper
        self._checker = checker
        self._dice: Mapping[int, TrackedDie] = {}
        self._heard: dict[int, tuple[int, LabelSource]] = {}
        self._throw = 0

    # What happens at the table

    def lie(self, dice: DieSet, observation: Observation, seen: Seen, sight: ImageSource | None) -> None:
        """Dice have come to rest otherwise than before; `seen` are those that count."""
        if seen.throw != self._throw:
            self.over()
        self._throw = seen.throw
        numbers = {die.number for die in seen.dice}
        self._dice = {die.number: die for die in observation.dice if die.number in numbers}
        if self._keeper is not None and sight is not None:
            self._keeper.dice_settled(dice.name, tuple(self._dice.values()), sight)

    def ruled(self, throw: int, numbers: Collection[int], pictures: Mapping[int, str]) -> None:
        """A throw that gave these dice their faces has been ruled on."""
        if self._checker is None:
            return
        read = [die for number, die in self._dice.items() if number in numbers]
        self._checker.throw_ruled(throw, [self._read_die(die, pictures.get(die.number, "")) for die in read])

    def answered(self, number: int, throw: int, said: Die) -> None:
        """A person answered what a die shows."""
        self._hear(number, throw, said, LabelSource.ANSWERED)

    def corrected(self, number: int, throw: int, said: Die) -> None:
        """A person said of themselves what a die shows."""
        how = self._how(number, said)
        if self._checker is not None and how is LabelSource.CORRECTED:
            self._checker.face_corrected(number, throw)
        self._hear(number, throw, said, how)

    def over(self) -> None:
        """The throw that people were asked about is over."""
        if self._checker is not None:
            self._checker.skip_open()

    def begin_anew(self) -> None:
        """Other dice lie there; their numbers and throws begin again."""
        self._dice, self._heard = {}, {}
        if self._checker is not None:
            self._checker.reset()

    # The table's own questions

    def check(self, dice: DieSet, said: StatedFaces) -> CheckShown | None:
        """The throw that people are asked about, its dice as they stand by what was said since; None without one."""
        check = self._checker.open if self._checker is not None else None
        if check is None:
            return None
        stand = {number: die for number, (_, die) in _stand(check, said).items()}
        titles = {number: face_title(dice, die.kind, die.face or FaceName("")) for number, die in stand.items()}
        return CheckShown(check.number, tuple((die.number, titles[die.number], die.picture) for die in check.dice))

    def words(self, number: int, said: StatedFaces) -> StatedFaces:
        """The dice of the open check of that number as they stand by what was said since. Raises Refused."""
        return _stand(self._asked(number), said)

    def checked(self, number: int, words: StatedFaces) -> None:
        """People answered a check: `words` say what each of its dice shows. Raises Refused and Unwritten."""
        wrong = [die.number for die in self._asked(number).dice if words[die.number][1] != die.die]
        if self._checker is not None:
            self._checker.record_answer(number, wrong)
        self._tell(words, LabelSource.CHECKED)

    def _asked(self, number: int) -> SpotCheck:
        if self._checker is None:
            raise Refused("No throws are asked about here.", Reason.NOT_FOUND)
        return self._checker.find_open(number)

    def _read_die(self, die: TrackedDie, picture: str) -> CheckedDie:
        throw, how = self._heard.get(die.number, (-1, None))
        said = how if throw == die.thrown else None
        return CheckedDie(die.number, die.thrown, _as_read(die), picture, die.reading.accepted, said)

    def _how(self, number: int, said: Die) -> LabelSource:
        """What it is that a person says unasked what a die shows; a die in doubt is as good as asked about."""
        die = self._dice.get(number)
        if die is not None and not die.reading.accepted:
            return LabelSource.ANSWERED
        return LabelSource.CONFIRMED if die is not None and said == _as_read(die) else LabelSource.CORRECTED

    def _hear(self, number: int, throw: int, said: Die, how: LabelSource) -> None:
        self._heard[number] = throw, how
        self._tell({number: (throw, said)}, how)

    def _tell(self, words: StatedFaces, how: LabelSource) -> None:
        if self._keeper is not None:
            self._keeper.faces_stated(words, how)


def _stand(check: SpotCheck, said: StatedFaces) -> StatedFaces:
    """What the dice of a check show by what people said since, else as they were read."""
    read = {die.number: (die.throw, die.die) for die in check.dice}
    since = {number: word for number, word in said.items() if number in read and word[0] == read[number][0]}
    return {**read, **since}


def _as_read(die: TrackedDie) -> Die:
    return Die(die.reading.kind, die.reading.face)
