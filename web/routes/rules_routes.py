"""Routes of the rules: what a rule number says, and how a game is played."""

from __future__ import annotations

from flask import Blueprint

from referee.rule_texts import rule_page
from referee.sentences import Reason, Refused, say
from web.authorization import requires
from web.endpoint_decorators import json_endpoint
from web.languages import language
from web.schemas.rules_schemas import RulesQuery, RulesResponse, rules_response
from web.services.access_backend import Role
from web.services.backends import game

blueprint = Blueprint("rules", __name__)


@blueprint.get("/api/rules/<name>")
@requires(Role.WATCHER)
@json_endpoint(RulesResponse, Reason.INVALID, Reason.NOT_FOUND)
def rules(name: str, query: RulesQuery) -> RulesResponse:
    """Return all rules of a game, and how it is played; a rule that is asked for by its number has to be there."""
    found = next((each for each in game().games() if each.name == name), None)
    page = rule_page(name, language()) if found else None
    if found is None or page is None:
        raise Refused(say("There are no rules of a game of that name."), Reason.NOT_FOUND)
    if query.number and query.number not in page.numbers:
        raise Refused(
            say(
                "{game} has no rule {number}: look it up in the list.", game=found.title, number=repr(query.number[:20])
            ),
            Reason.NOT_FOUND,
        )
    dice = next((each for each in game().die_sets() if each.name == found.die_set), None)
    return rules_response(found, page, dice)
