"""The names of kinds and faces in the categories of other programs."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from models.dataset.archives import composed
from models.dataset.samples import Sample
from models.file_safe_names import is_plain

UNLABELLED = "unlabelled"
"""The category of a sample that waits for its label."""

_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


def category_of(sample: Sample, with_set: bool) -> str:
    """Return a sample's label as a category, `kind:face`, or `set:kind:face` where several die sets are exported."""
    if sample.label is None:
        return UNLABELLED
    words = (sample.label.kind, sample.label.face)
    return ":".join((sample.die_set, *words) if with_set else words)


@dataclass
class LabelNames:
    """Gives every text a name of its own, of small letters, digits and `-`. `kind` is for faces without a kind."""

    kind: str
    titles: dict[tuple[str, str], str] = field(default_factory=dict)

    def of(self, text: str) -> tuple[str, str]:
        """Return the kind and face of a category `kind:face`, `kind/face` or `face`; ('', '') for unlabelled."""
        if text.strip() == UNLABELLED:
            return "", ""
        parts = [part.strip() for part in re.split(r"[:/]", composed(text)) if part.strip()] or ["face"]
        kind = plain_name(parts[-2]) if len(parts) > 1 else self.kind
        return kind, self._face(kind, parts[-1])

    def _face(self, kind: str, title: str) -> str:
        name, number = plain_name(title), 1
        while self.titles.setdefault((kind, name), title).casefold() != title.casefold():
            number += 1
            name = f"{plain_name(title)}-{number}"
        return name


def plain_name(text: str) -> str:
    """Return a text in small letters, digits and `-`; a sign becomes its Unicode name, a star `black-star`."""
    if is_plain(text):
        return text
    letters = unicodedata.normalize("NFKD", text.casefold())
    spelt = (_spelt(letter) for letter in letters if not unicodedata.combining(letter))
    name = _NOT_PLAIN.sub("-", "".join(spelt)).strip("-")[:56].strip("-")
    return name if is_plain(name) else f"face-{name}".strip("-")


def _spelt(letter: str) -> str:
    if letter.isascii() or not unicodedata.category(letter).startswith(("L", "S", "N")):
        return letter
    return f"-{unicodedata.name(letter, 'sign').casefold()}-"
