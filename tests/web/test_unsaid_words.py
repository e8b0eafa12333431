"""No page and no script shows words that cannot be said in another language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import Environment, nodes
from jinja2.ext import InternationalizationExtension
from script_syntax import SAYING, SCRIPTS, called, source
from script_syntax import nodes as script_nodes
from tree_sitter import Node

TEMPLATES = sorted((Path(__file__).parents[2] / "web" / "templates").glob("*.html"))
READ_OUT = {"aria-label", "aria-description", "alt", "label", "placeholder", "title"}
"""Attributes that people read or hear."""
NAMES = {"Vander", "Android, Chrome", "Firefox", "iPhone, Safari", "localhost", "/camera"}
"""Names, and what stands in the address line."""
VALUE = "\0"
"""Stands for what a template fills in."""
PLUMBING = {
    "addEventListener", "byId", "closest", "contains", "dispatchEvent", "getAttribute", "getItem", "includes",
    "latePart", "load", "matches", "matchMedia", "querySelector", "querySelectorAll", "RegExp", "removeAttribute",
    "setProperty", "store", "toggle",
}  # fmt: skip
"""Functions whose texts are for programs."""
FOR_PROGRAMS = {
    "class", "className", "d", "viewBox", "transform", "points", "style", "fill", "Content-Type", "type", "href",
    "src", "id", "key", "role", "for", "name", "autocomplete", "autocapitalize", "preserveAspectRatio",
}  # fmt: skip
"""Attributes, and keys of objects, whose texts are for programs."""
UNSAID = {
    "Retry-After", "Vander", "face was", "wide now", "AbortError",
    "VANDER_TRAY_WIDTH_MM=240 VANDER_TRAY_HEIGHT_MM=165", "--camera usb:0", "vander pair", "VANDER FILM 1\\n",
    "a hand is in it",
}  # fmt: skip
"""Names of headers, classes, files and states, and what is typed as it stands."""
LONE_ATTRIBUTE = re.compile(r'\s*[\w-]+="[^"]*"')
"""What a block puts into a tag of the template that it extends."""
ATTRIBUTE = re.compile(r"(class|id|key|data-[\w-]+|aria-(?!label|description)\w+|style|d|href|src)=$")
"""The beginning of an attribute whose value is for programs, in a template of htm."""
ADDRESS = re.compile(r"[/?#.(]")
"""How an address, a selector of elements and a media query begin."""


class Words(HTMLParser):
    """Collects the words of a page that people read or hear."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self._collect(data)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in READ_OUT:
                self._collect(value or "")

    def _collect(self, text: str) -> None:
        if any(map(str.isalpha, text)) and text.strip() not in NAMES:
            self.found.append(text.strip())


def words(markup: str) -> list[str]:
    parser = Words()
    parser.feed(re.sub(f"(</?){VALUE}", r"\1component", markup))
    parser.close()
    return parser.found


def markup_of(template: str) -> str:
    """Return what a template has of its own, with a mark for each value, sentence and block."""
    tree = Environment(extensions=[InternationalizationExtension], autoescape=True).parse(template)
    parts = (part for output in tree.find_all(nodes.Output) for part in output.nodes)
    texts = [part.data if isinstance(part, nodes.TemplateData) else VALUE for part in parts]
    return "".join(text for text in texts if not LONE_ATTRIBUTE.fullmatch(text))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.stem)
def test_a_template_says_all_its_words(template: Path) -> None:
    assert words(markup_of(template.read_text("utf-8"))) == []


def test_words_that_a_template_does_not_say_are_found() -> None:
    assert words(
        markup_of('<b title="Out">{% if x %}{{ _("Said") }}{% else %}{% trans %}Too{% endtrans %} {% endif %}')
    ) == ["Out"]
    assert words(markup_of("<p>{{ name }} plays</p>")) == [f"{VALUE} plays"]


def filled(literal: Node) -> str:
    """Return what a literal says, with a mark for each value."""
    parts = literal.named_children
    return "".join(VALUE if part.type == "template_substitution" else source(part) for part in parts)


def drawn_markup(script: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the markup of each template of htm, with a mark for each value."""
    for node in script_nodes(script):
        literal = node.child_by_field_name("arguments")
        if called(node) == "html" and literal is not None and literal.type == "template_string":
            pieces = [
                VALUE if part.type == "template_substitution" else source(part) for part in literal.named_children
            ]
            yield node.start_point.row + 1, "".join(pieces)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_what_a_script_draws_says_all_its_words(script: Path) -> None:
    assert [(line, words(markup)) for line, markup in drawn_markup(script) if words(markup)] == []


def is_for_programs(name: str) -> bool:
    """True for an attribute, or a key of an object, whose text people neither read nor hear."""
    return name in FOR_PROGRAMS or name.startswith("data-") or (name.startswith("aria-") and name not in READ_OUT)


def is_said_or_plumbing(node: Node) -> bool:
    """True for a text within a call that says it, and for one that only programs read."""
    child, parent = node, node.parent
    if parent is None or parent.type in ("import_statement", "export_statement", "subscript_expression", "switch_case"):
        return True
    while parent is not None and parent.type not in ("arrow_function", "statement_block", "program"):
        if parent.type == "binary_expression" and source(parent.children[1]) in ("===", "!==", "in"):
            return True
        if parent.type == "pair":
            key = source(parent.child_by_field_name("key")).strip("'\"")
            return (
                child == parent.child_by_field_name("key")
                or key in FOR_PROGRAMS
                or key.startswith("data-")
                or (key.startswith("aria-") and key not in READ_OUT)
            )
        if parent.type == "template_substitution" and parent.parent is not None:
            before = (parent.parent.text or b"")[: parent.start_byte - parent.parent.start_byte].decode()
            return (
                re.search(r"(class|id|key|data-[\w-]+|aria-(?!label|description)\w+|style|d|href|src)=$", before)
                is not None
            )
        if parent.type in ("call_expression", "new_expression"):
            name = source(parent.child_by_field_name("function") or parent.child_by_field_name("constructor"))
            return name in SAYING or name.endswith("Error") or name.split(".")[-1] in PLUMBING
        child, parent = parent, parent.parent
    return False


def unsaid(script: Path) -> Iterator[tuple[int, str]]:
    """Yield texts of two words, or of one with a capital letter, that a script neither says nor gives to a program."""
    for node in script_nodes(script):
        is_drawn = node.parent is not None and called(node.parent) == "html"
        if node.type not in ("string", "template_string") or is_drawn:
            continue
        text = filled(node)
        is_worded = re.search(r"[a-z,.!?’:] [A-Za-z(“]|^[A-Z][a-z]", text.strip()) is not None
        if is_worded and text not in UNSAID and not ADDRESS.match(text) and not is_said_or_plumbing(node):
            yield node.start_point.row + 1, text


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_says_all_its_words(script: Path) -> None:
    assert list(unsaid(script)) == []


def test_words_that_a_script_does_not_say_are_found(tmp_path: Path) -> None:
    script = tmp_path / "page.js"
    script.write_text(
        "h('p', { class: 'is not', title: 'Not said' }, say('Is said'), isOn ? 'Play' : say('Stop'), `to be ${word}`);"
    )
    assert sorted(text for _, text in unsaid(script)) == ["Not said", "Play", f"to be {VALUE}"]
