"""The code that lets a tablet join in: six dice, and what makes it slow to guess.

There are 46,656 codes. Five wrong tries, on one code or on several, burn the code that is shown. After that only a
keeper gets a new one for half a minute, after the next five for a minute, and so on up to an hour. Guessing day and
night then takes nine months for an even chance, and the lamp and the screen of the box show a code all that time.

An attacker could burn codes to keep others out. A code that a keeper requested, `vander pair` included, is therefore
not burnt by five wrong tries: each network address has five of its own, and fifty in all burn it.

Nor may a stranger keep a code on the lamp and the pages all day: after UNUSED_CODES that let nobody in, people who
only watch get no more, until a keeper requests one or allows more, or somebody presses the box's button.
"""

from __future__ import annotations

import hmac
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from referee.sentences import say, say_count
from web.schemas.access_schemas import CODE_DICE, SIDES

SHOWN_S = 300.0
"""How long the box shows a code."""
TRIES = 5
TRIES_OF_ALL = 50
"""Wrong tries from all addresses that burn a keeper's code."""
UNUSED_CODES = 3
"""Codes in a row that are shown to people who only watch and then not used."""
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 3600.0
MOST_DOUBLINGS = 12


@dataclass(frozen=True)
class PairingCode:
    """The code that is shown until `until`, on the clock of the service.

    `wrong` counts the wrong tries of each address if a keeper requested the code. Of any other code it is None: its
    wrong tries are counted over all codes, on disk.
    """

    faces: tuple[int, ...]
    until: float
    wrong: Counter[str] | None = None

    @classmethod
    def random(cls, until: float, *, keeper: bool) -> PairingCode:
        """Draw a code."""
        faces = tuple(1 + secrets.randbelow(SIDES) for _ in range(CODE_DICE))
        return cls(faces, until, Counter() if keeper else None)

    @property
    def by_keeper(self) -> bool:
        """True if a keeper requested the code."""
        return self.wrong is not None

    def for_keeper(self) -> PairingCode:
        """Return the code as one that a keeper requested."""
        return self if self.by_keeper else replace(self, wrong=Counter())

    def matches(self, faces: Sequence[int]) -> bool:
        """True if these are the code's faces. Takes the same time for every wrong code of the same length."""
        return hmac.compare_digest(_encoded(self.faces), _encoded(faces))

    def is_closed_to(self, address: str) -> bool:
        """True if this address has used up its tries of a keeper's code."""
        return self.wrong is not None and self.wrong[address] >= TRIES


def wait_after(burnt: int) -> float:
    """Return how many seconds nobody but a keeper gets a code, after the last of `burnt` burnt codes."""
    doublings = min(max(0, burnt - 1), MOST_DOUBLINGS)
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * (1 << doublings))


def format_wait(seconds: float) -> str:
    """Return a wait in words: `30 seconds`, `4 minutes`, `an hour`."""
    whole = max(1, ceil(seconds))
    if whole < 90:
        return say_count("{count} second", "{count} seconds", whole)
    minutes = ceil(whole / 60)
    return say("an hour") if minutes == 60 else say_count("{count} minute", "{count} minutes", minutes)


def _encoded(faces: Sequence[int]) -> bytes:
    return " ".join(map(str, faces)).encode()
