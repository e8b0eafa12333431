"""A printed sheet as data: the activities of Dice County Fair and its awards, read from a checked TOML file.

docs/sheets.md says how such a file is written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Self

from referee.game import BadSheet
from referee.phrases import spell_list
from referee.sentences import say

SIDES: Final = 6
PER_SECTION: Final = 6
MOST_SPACES: Final = 6
NUMBERS: Final = tuple(range(1, SIDES + 1))


@dataclass(frozen=True)
class Requirement:
    """What the dice of an activity have to add up to: the text, and the totals that fulfil it."""

    text: str
    totals: frozenset[int]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `>=11`, `<=5`, `=7`, `9..12`, `odd` or `even`. Raises BadSheet."""
        for pattern, fulfils in _REQUIREMENTS.items():
            found = re.fullmatch(pattern, text)
            if found:
                numbers = [int(word) for word in found.groups()]
                return cls(text, frozenset(total for total in _TOTALS if fulfils(total, *numbers)))
        raise BadSheet(f"the requirement {text!r} cannot be read; write >=11, <=5, =7, 9..12, odd or even")

    @property
    def short(self) -> str:
        """The requirement as it stands on a board: `11+`, `≤ 5`, `9–12`."""
        least, _, most = self.text.lstrip("<>=").partition("..")
        if most:
            return f"{least}\N{EN DASH}{most}"
        return _PARITIES.get(self.text) or {">": f"{least}+", "<": f"≤ {least}"}.get(self.text[0], least)

    @property
    def words(self) -> str:
        """The requirement as players say it: `11 or more`, `9 to 12`."""
        if self.text in _PARITIES:
            return _PARITIES[self.text]
        least, _, most = self.text.lstrip("<>=").partition("..")
        if most:
            return say("{least} to {most}", least=least, most=most)
        if self.text.startswith(">="):
            return say("{total} or more", total=least)
        return say("{total} or less", total=least) if self.text.startswith("<=") else least


_PARITIES: Final = {"odd": say("odd"), "even": say("even")}
_TOTALS: Final = range(1, MOST_SPACES * SIDES + 1)
_REQUIREMENTS: Final[dict[str, Callable[..., bool]]] = {
    r">=([0-9]{1,3})": lambda total, least: total >= least,
    r"<=([0-9]{1,3})": lambda total, most: total <= most,
    r"=([0-9]{1,3})": lambda total, wanted: total == wanted,
    r"([0-9]{1,3})\.\.([0-9]{1,3})": lambda total, least, most: least <= total <= most,
    "odd": lambda total: total % 2 == 1,
    "even": lambda total: total % 2 == 0,
}


@dataclass(frozen=True)
class Activity:
    """An activity of the fair. `price` is the price that the sheet suggests, 0 where it suggests none."""

    title: str
    spaces: int
    requirement: Requirement
    points: int
    price: int = 0

    @cached_property
    def key(self) -> str:
        """The name of the activity in a record: `caramel-apple`."""
        return key_of(self.title)


@dataclass(frozen=True)
class FairSection:
    """A part of the fair: six activities, an excess area, and the awards, each primary and secondary.

    `within` and `towards` are the title as a sentence has it: `in the Midway`, `to the Midway`.
    """

    key: str
    title: str
    within: str
    towards: str
    area: str
    activities: tuple[Activity, ...]
    most: tuple[int, int]
    fewest: tuple[int, int]


@dataclass(frozen=True)
class FairSheet:
    """A whole sheet: three sections of six activities, and the points for experiencing all areas."""

    name: str
    sections: tuple[FairSection, ...]
    experience: int

    @cached_property
    def activities(self) -> tuple[Activity, ...]:
        """All eighteen activities, section by section."""
        return tuple(activity for section in self.sections for activity in section.activities)

    @property
    def suggests_prices(self) -> bool:
        """True if every activity has a suggested price; either all have one or none has."""
        return all(activity.price for activity in self.activities)

    def in_any_language(self) -> Self:
        """Return the sheet with titles that can be translated: `make messages` reads its file too."""
        return replace(self, sections=tuple(_section_in_any_language(section) for section in self.sections))

    @classmethod
    def parse(cls, name: str, text: str) -> Self:
        """Read and check a sheet's file. Raises BadSheet with a sentence that names the place."""
        try:
            return cls(name, *_read(text))
        except BadSheet as wrong:
            raise BadSheet(f"the sheet {name}: {wrong}") from None


AREAS: Final = {
    "food-hall": (say("Food Hall"), say("in the Food Hall"), say("to the Food Hall"), say("Coins")),
    "midway": (say("Midway"), say("in the Midway"), say("to the Midway"), say("Tokens")),
    "carnival": (say("Carnival"), say("in the Carnival"), say("to the Carnival"), say("Tickets")),
}
"""The three sections: their keys, the title of each as it stands alone and in sentences, and its excess area's."""
_SHEET: Final = ("experience", *AREAS)
_SECTION: Final = ("activities", "most", "fewest")
_ACTIVITY: Final = ("title", "spaces", "requirement", "points")


def _section_in_any_language(section: FairSection) -> FairSection:
    activities = tuple(replace(activity, title=say(activity.title)) for activity in section.activities)
    return replace(section, activities=activities)


def key_of(title: str) -> str:
    """Return a title in small letters with dashes between its words; '' for a title without letters and digits."""
    return "-".join(re.findall(r"[^\W_]+", title.lower()))


def _read(text: str) -> tuple[tuple[FairSection, ...], int]:
    table = _loaded(text)
    _check_fields("", table, _SHEET)
    sections = tuple(_section(key, table[key]) for key in AREAS)
    _check_keys(sections)
    _check_prices(sections)
    return sections, _whole("experience", table["experience"])


def _loaded(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:  # ValueError: also a number of thousands of digits
        raise BadSheet(f"the file cannot be read as TOML: {wrong}") from None


def _check_fields(place: str, table: Mapping[str, object], needed: Sequence[str], more: Sequence[str] = ()) -> None:
    for field in table:
        if field not in (*needed, *more):
            raise BadSheet(f"{place}there is no field {field!r}; there are {spell_list([*needed, *more], 'and')}")
    for field in needed:
        if field not in table:
            raise BadSheet(f"{place}the field {field!r} is missing")


def _section(key: str, table: object) -> FairSection:
    titles = AREAS[key]
    title = titles[0]
    place = f"{title}: "
    if not isinstance(table, dict):
        raise BadSheet(f"{place}the section is not a table; begin it with the line [{key}]")
    _check_fields(place, table, _SECTION)
    awards = [_award(f"{place}{field}", table[field]) for field in ("most", "fewest")]
    return FairSection(key, *titles, _activities(place, table["activities"]), *awards)


def _award(place: str, value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise BadSheet(f"{place} is {value!r}, and should be two numbers, primary and secondary, like [5, 3]")
    first, second = (_whole(place, points) for points in value)
    return first, second


def _whole(place: str, value: object) -> int:
    if type(value) is not int or value < 0:
        raise BadSheet(f"{place} is {value!r}, and should be a whole number, 0 or more")
    return value


def _activities(place: str, rows: object) -> tuple[Activity, ...]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadSheet(f"{place}activities should be a list of {{ title = ..., spaces = ... }}")
    if len(rows) != PER_SECTION:
        raise BadSheet(f"{place}a section has {PER_SECTION} activities, and here are {len(rows)}")
    return tuple(_activity(place, number, row) for number, row in enumerate(rows, start=1))


def _activity(section: str, number: int, row: Mapping[str, object]) -> Activity:
    title = row.get("title")
    if not isinstance(title, str) or not key_of(title) or title != " ".join(title.split()):
        raise BadSheet(f"{section}the title of activity {number} is {title!r}, and should be a name on one line")
    place = f"{section}{title}: "
    _check_fields(place, row, _ACTIVITY, ("price",))
    spaces = _between(f"{place}spaces", row["spaces"], MOST_SPACES)
    price = _between(f"{place}price", row["price"], SIDES) if "price" in row else 0
    return Activity(title, spaces, _requirement(place, row, spaces), _whole(f"{place}points", row["points"]), price)


def _between(place: str, value: object, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        raise BadSheet(f"{place} is {value!r}, and should be a whole number from 1 to {most}")
    return value


def _requirement(place: str, row: Mapping[str, object], spaces: int) -> Requirement:
    try:
        requirement = Requirement.parse(str(row["requirement"]))
    except BadSheet as wrong:
        raise BadSheet(f"{place}{wrong}") from None
    if requirement.totals.isdisjoint(range(spaces, SIDES * spaces + 1)):
        dice = "1 die comes" if spaces == 1 else f"{spaces} dice come"
        total = f"to {spaces} at least and {SIDES * spaces} at most"
        raise BadSheet(f"{place}the requirement {requirement.text} cannot be met: {dice} {total}")
    return requirement


def _check_keys(sections: Sequence[FairSection]) -> None:
    """Raise BadSheet where a record could not tell two activities, or an activity and a section, by their keys."""
    taken = {key: f"is the name of a section: {title}" for key, (title, *_) in AREAS.items()}
    for section in sections:
        for activity in section.activities:
            if activity.key in taken:
                raise BadSheet(f"{section.title}: {activity.title}: the title {taken[activity.key]}")
            taken[activity.key] = f"stands twice; the other one is in the section {section.title}"


def _check_prices(sections: Sequence[FairSection]) -> None:
    priced = [activity for section in sections for activity in section.activities if activity.price]
    if not priced:
        return
    for section in sections:
        first = dict[int, str]()
        for activity in section.activities:
            place = f"{section.title}: {activity.title}: "
            if not activity.price:
                raise BadSheet(f"{place}the price is missing; either all activities have one or none has")
            if activity.price in first:
                raise BadSheet(f"{place}the price {activity.price} stands at {first[activity.price]} already")
            first[activity.price] = activity.title
