"""Other names of players in the messages that wait: who is forgotten is named in none of them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from referee.known_players import replace_name, stand_in
from referee.phrases import as_sentence
from referee.player_names import as_read
from referee.refused import Reason, Refused
from vander.memory.player_service import Renaming
from vander.storage.data_folder_names import WEBHOOK_QUEUE
from vander.webhooks.delivery_queue import BrokenQueue, DeliveryQueue

_log = logging.getLogger(__name__)

Names = Callable[[Mapping[str, Any]], Mapping[str, str]]
"""Returns the new names of players by the old ones, from the `data` of a message."""


def with_names(body: str, names: Names) -> str:
    """Return a message in which players have other names, in what is said of them too; itself where none has."""
    message = json.loads(body)
    data = message["data"]
    new = names(data)
    if not new:
        return body
    players = named_in(data)
    everybody = [player["name"] for player in players]
    for said in (data, *data.get("calls", ())):
        said["sentence"] = _renamed(said["sentence"], new, everybody)
    for player in players:
        player["name"] = new.get(player["name"], player["name"])
    return json.dumps(message, ensure_ascii=False)


def named_in(data: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    """Return the players whom a message names."""
    return [player for player in data.get("players") or () if player]


def renaming_with(phones: Renaming, data_dir: Path) -> Renaming:
    """Return what gives a player another name on the phones and in the messages that wait in a data folder."""

    @contextmanager
    def renaming(old: str, new: str, others: Collection[str]) -> Iterator[None]:
        with _renaming_in_queue(data_dir, old, new), phones(old, new, others):
            yield

    return renaming


@contextmanager
def _renaming_in_queue(data_dir: Path, old: str, new: str) -> Iterator[None]:
    """Give a player another name in the messages that wait, after the block if that succeeds.

    Raises Refused (UNAVAILABLE) before the block. What fails after it is logged: the name is gone elsewhere by then.
    """
    until_done = ExitStack()
    if (data_dir / WEBHOOK_QUEUE).exists():
        try:
            queue = DeliveryQueue.in_folder(data_dir)
            until_done.callback(queue.close)
            until_done.callback(queue.empty_log)
            until_done.enter_context(queue.rewriting(lambda body: with_names(body, partial(_named, old, new))))
        except BrokenQueue as error:
            raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
    with _logged_failure(), until_done:
        yield


@contextmanager
def _logged_failure() -> Iterator[None]:
    try:
        yield
    except BrokenQueue as error:
        _log.warning("webhooks: a name may still stand in messages that wait: %s", error)


def _named(old: str, new: str, data: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the new name of a player in a message, '' for one who is forgotten."""
    others = [one["name"] for one in named_in(data) if as_read(one["name"]) != as_read(old)]
    theirs = [one for one in named_in(data) if as_read(one["name"]) == as_read(old)]
    return {one["name"]: new or stand_in(one["seat"], others) for one in theirs}


def _renamed(text: str, new: Mapping[str, str], everybody: Collection[str]) -> str:
    for old, name in new.items():
        text = replace_name(text, old, name, others=[other for other in everybody if other != old])
    return text
