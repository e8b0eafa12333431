"""Addresses of the application, of which only those that are built are compiled for building."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flask import Flask
from werkzeug.routing import Rule


class LazyRule(Rule):
    """A rule of the application that compiles what builds its addresses when the first of them is built.

    Werkzeug compiles two Python functions for each rule when the rule is bound, which is most of the work of making the
    application. `url_for` needs the functions of a few rules; a request is matched to its rule without them.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        @cache
        def compiled() -> Callable[..., tuple[str, str]]:
            return super(LazyRule, self)._compile_builder(append_unknown)

        def build(rule: Rule, /, **values: object) -> tuple[str, str]:
            return compiled()(rule, **values)

        return build


class LazyFlask(Flask):
    """A Flask application whose rules are `LazyRule`."""

    url_rule_class = LazyRule
