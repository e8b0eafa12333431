"""Routes of a hall's keeper: which tables are there, the code that lets one join, and how one is removed."""

from __future__ import annotations

from flask import Blueprint, render_template

from referee.sentences import Reason
from web.endpoint_decorators import HTML, json_endpoint, media_endpoint
from web.schemas.hall_table_schemas import HallTablesResponse, RemoveTableRequest
from web.services.backends import hall

blueprint = Blueprint("hall", __name__)


@blueprint.get("/manage")
@media_endpoint(HTML)
def manage_page() -> str:
    """Return the keeper's page of the tables."""
    return render_template("hall/manage.html")


@blueprint.get("/manage/keys")
@media_endpoint(HTML)
def keys_page() -> str:
    """Return the keeper's page of the keys by which the club's own programs read."""
    return render_template("hall/api_keys.html")


@blueprint.get("/api/hall/tables")
@json_endpoint(HallTablesResponse)
def tables() -> HallTablesResponse:
    """Return the tables, and the code that lets another one join."""
    return _tables()


@blueprint.post("/api/hall/tables/code")
@json_endpoint(HallTablesResponse)
def show_code() -> HallTablesResponse:
    """Show a code that lets a table join for five minutes."""
    hall().show_table_code()
    return _tables()


@blueprint.post("/api/hall/tables/remove")
@json_endpoint(HallTablesResponse, Reason.NOT_FOUND)
def remove_table(body: RemoveTableRequest) -> HallTablesResponse:
    """Take nothing of a table any more; its games stay."""
    hall().remove_table(body.number)
    return _tables()


def _tables() -> HallTablesResponse:
    return HallTablesResponse(tuple(hall().tables()), hall().table_code() or ())
