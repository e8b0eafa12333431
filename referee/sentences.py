"""Sentences for people, the text of an error as one, and refusals.

`say("{player} rolls {count} dice.", player=name, count=3)` is a `str` in English, so that whoever needs English alone
sees a plain text. `in_language` says it again with the template of another language. Templates are literals in the call
so that `make messages` finds them; whatever is put together by other means (an f-string, `+`) stays English.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, Protocol, Self


class Translations(Protocol):
    """The templates of one language: what `gettext.NullTranslations` offers, and what a written text was made of."""

    def gettext(self, message: str, /) -> str:
        """Return the template in this language, the English one where there is none."""

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        """Return the template for this count, by the language's own rule of plurals."""

    def recall(self, text: str, names: frozenset[str], /) -> str:
        """Return the Sentence that an English text was once, with the names in it; the text where no template fits."""


class Form(StrEnum):
    """How a text stands: WHOLE with a capital letter and one full stop, TITLE with a capital letter and no stop.

    WITHIN another text, English writes a title's first letter small, unless it is a name such as `VIP` or `G`; other
    languages leave it as the template has it.
    """

    AS_WRITTEN = "as written"
    WHOLE = "whole"
    TITLE = "title"
    WITHIN = "within"


class Remembered(str):
    """An English sentence read back from storage, such as a journal; translating it starts by finding its template.

    `names` are the players', which stay as they are: "Red" may be called like a face.
    """

    __slots__ = ("names",)
    names: frozenset[str]

    def __new__(cls, text: str, names: Iterable[str] = ()) -> Self:
        """Take a text as it was written, and the names of the players that it may speak of."""
        made = super().__new__(cls, text)
        made.names = frozenset(names)
        return made


class Sentence(str):
    """An English text with the template that it was made of, and the values in it, which may be sentences too.

    `many` is the English template for counts other than one, '' where nothing is counted.
    """

    template: str
    many: str
    values: Mapping[str, object]
    form: Form

    def __new__(cls, template: str, many: str, values: Mapping[str, object], form: Form = Form.AS_WRITTEN) -> Self:
        """Make the English text. Raises KeyError where a value of the template is missing."""
        chosen = many if many and values["count"] != 1 else template
        made = super().__new__(cls, _filled(chosen, values, form))
        made.template, made.many, made.values, made.form = template, many, values, form
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Return what a copy is made of, so that sentences travel between processes."""
        return type(self), (self.template, self.many, self.values, self.form)


def say(template: str, /, **values: object) -> Sentence:
    """Return a sentence; `{name}` in the template stands for the value of that name."""
    return Sentence(template, "", values)


def say_count(one: str, many: str, count: int, /, **values: object) -> Sentence:
    """Return a sentence that counts: `one` where `count` is 1, else `many`; `{count}` stands for the number."""
    return Sentence(one, many, {"count": count, **values})


def as_whole(text: str) -> str:
    """Return a text with a capital letter at its beginning and one full stop at its end."""
    return _formed(text, Form.WHOLE)


def as_title(text: str) -> str:
    """Return a text as a button has it, with a capital letter and no full stop; `as_part` takes that back."""
    return _formed(text, Form.TITLE)


def within_sentence(title: str) -> str:
    """Return a title as it stands within a sentence: `Sad` as `sad`, but `VIP` and `G` as they are."""
    return _formed(title, Form.WITHIN)


def as_part(text: str) -> str:
    """Return a text as it stands within another: without what `as_title` and `as_whole` put to it."""
    return Sentence(text.template, text.many, text.values) if isinstance(text, Sentence) else text


def _formed(text: str, form: Form) -> str:
    if isinstance(text, Sentence):
        return Sentence(text.template, text.many, text.values, form)
    formed = _in_form(text, form)
    return Remembered(formed, text.names) if isinstance(text, Remembered) else formed


def in_language(text: str, translations: Translations) -> str:
    """Return a text in the language of the translations; what is neither a Sentence nor Remembered stays as it is."""
    if isinstance(text, Remembered):
        text = translations.recall(text, text.names)
    if not isinstance(text, Sentence):
        return text
    values = {name: _value(value, translations) for name, value in text.values.items()}
    count = text.values.get("count")
    if text.many and isinstance(count, int):
        template = translations.ngettext(text.template, text.many, count)
    else:
        template = translations.gettext(text.template)
    return _filled(template, values, Form.AS_WRITTEN if text.form is Form.WITHIN else text.form)


def _value(value: object, translations: Translations) -> object:
    return in_language(value, translations) if isinstance(value, str) else value


def _filled(template: str, values: Mapping[str, object], form: Form) -> str:
    return _in_form(template.format(**values), form)


def _in_form(text: str, form: Form) -> str:
    if form is Form.AS_WRITTEN:
        return text
    if form is Form.WITHIN:
        return f"{text[:1].lower()}{text[1:]}" if text[1:2].islower() else text
    title = f"{text[:1].upper()}{text[1:]}".rstrip(".")
    return f"{title}." if form is Form.WHOLE else title


def message_of(error: Exception) -> str:
    """Return an error's message as it was given, which `str` of an exception would make a plain text in English."""
    is_message = len(error.args) == 1 and isinstance(error.args[0], str)
    return error.args[0] if is_message else str(error)


CAUSES: Final[Mapping[int, str]] = {
    errno.EACCES: say("Permission denied"),
    errno.EIO: say("Input/output error"),
    errno.EISDIR: say("Is a directory"),
    errno.ENODEV: say("No such device"),
    errno.ENOENT: say("No such file or directory"),
    errno.ENOSPC: say("No space left on device"),
    errno.ENOTDIR: say("Not a directory"),
    errno.EPERM: say("Operation not permitted"),
    errno.EROFS: say("Read-only file system"),
}
"""What the system says where it refuses something, of the errors that a disk or a cable brings about."""


def cause_of(error: Exception) -> str:
    """Return what the system says of an OSError; of another error, and where it says nothing, the error's message."""
    system = error if isinstance(error, OSError) else OSError()
    return CAUSES.get(system.errno or 0) or system.strerror or message_of(error)


class Reason(StrEnum):
    """Why a request is refused, in words of no transport; `web/endpoints.py` maps each to an HTTP status."""

    INVALID = "invalid"  # the request makes no sense, whatever the state
    NOT_ALLOWED = "not allowed"  # the sender may not do this
    NOT_FOUND = "not found"  # what the request names does not exist
    CONFLICT = "conflict"  # the request makes sense, but not now; `rule` names the rule that forbids it
    GONE = "gone"  # what the request names existed, and was deleted
    TOO_SOON = "too soon"  # the sender must wait
    UNAVAILABLE = "unavailable"  # something that the request needs is broken or full


class Refused(ValueError):
    """A request is refused and nothing changed. The message is one sentence for the person who asked.

    `sentence` is the message as it was given, which `str` of an exception would make a plain text in English.
    `rule` is the number of the game's rule that forbids it, '' where no rule of a game is concerned. `wait_s` says in
    how many seconds the same request may succeed, None where a wait alone does not help.
    """

    def __init__(
        self, sentence: str, reason: Reason = Reason.INVALID, rule: str = "", *, wait_s: float | None = None
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.reason = reason
        self.rule = rule
        self.wait_s = wait_s
