"""The language that an address may ask for, `?lang=de`: for pages and programs that have no cookie to choose one by."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import AfterValidator

from referee.phrases import spell_list
from referee.sentences import say
from web.languages import languages
from web.schemas.request_model import OptionalText, RequestModel, sentence_error


def _spoken(code: str) -> str:
    if code and code not in languages():
        known = spell_list(list(languages()), "or")
        raise sentence_error(say("The table does not speak {code}: take {known}.", code=repr(code), known=known))
    return code


class AddressLanguage(RequestModel):
    """A language by its code; '' for the one that the device has chosen, or the browser's."""

    example: ClassVar = {"lang": "de"}

    lang: Annotated[OptionalText, AfterValidator(_spoken)] = ""
