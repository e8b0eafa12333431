"""The titles in data files that `make messages` puts into the catalogues."""

from io import BytesIO

from web.languages import extract_titles

FILE = """
title = "Switch 16"
[[kinds]]
title = "Die"
name = "d6"
rows = [{ title = "Corn Dog", spaces = 2 }, [{ title = 3 }]]
"""


def test_every_title_of_a_file_is_found_and_nothing_else() -> None:
    found = extract_titles(BytesIO(FILE.encode()), {"say"}, [], options={})
    assert [message for _, _, message, _ in found] == ["Switch 16", "Die", "Corn Dog"]
