"""A snapshot as JSON: everything a tablet shows, in names that its script reads."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from referee.board import Board, BoardRow
from referee.dice import DieKind, DieSet, FaceName, KindName, NoSuchFace
from referee.game import Action, Call, Game, GameState
from referee.odds import Chance, has_odds
from referee.options import Option
from referee.snapshot import Offer, Question, ShownDie, Snapshot

FEW = 12
"""So many offers of a player that are tied to rows are told among all others as well."""
LOTS = "lot"
"""The verb of throwing for who begins: that is nobody's turn."""
MOST_THROWS = 4
MOST_BY_HAND = 12
"""So many throws of a verb, and ways to move dice by hand, are told one by one; of more only what they are is told."""
ANYBODY = 0
"""The player of a throw that several may make."""
SURE = 0.9
"""From this confidence on a reading is shown as sure."""
LARGE = 100
"""From so many points, turns or cards on a figure is shown without decimals."""

Json = dict[str, Any]


def snapshot_json(snapshot: Snapshot) -> Json:
    """All of a snapshot, ready for `json.dumps`."""
    dice = snapshot.state.dice if snapshot.state else None
    return {
        "number": snapshot.number,
        "game": _heading(snapshot.game),
        "state": _state(snapshot),
        "calls": [_call(call) for call in snapshot.calls],
        "notice": snapshot.notice,
        "mood": snapshot.mood,
        "rule": snapshot.rule,
        "evidence": snapshot.evidence,
        "offers": _free(snapshot),
        "boards": _boards(snapshot),
        "dice": [_shown(die, dice) for die in snapshot.dice],
        "questions": [_question(question) for question in snapshot.questions],
        "last": list(snapshot.last),
        "can_undo": snapshot.can_undo,
        "camera": snapshot.camera,
        "camera_trouble": snapshot.camera_trouble,
        "turn_points": snapshot.turn_points,
        "odds": bool(snapshot.game and has_odds(snapshot.game)),
        "extras": _extras(snapshot),
    }


def _extras(snapshot: Snapshot) -> dict[str, str]:
    """Facts that the page reads by name, each '' where there is nothing to say."""
    return {
        "table": snapshot.tray,
        "doubts": " ".join(snapshot.doubts),
        "waits": snapshot.waiting.title if snapshot.waiting else "",
        "check": "" if snapshot.check is None else str(snapshot.check),
        "worries": "\n".join(snapshot.alerts),
        "power": "low" if snapshot.low_power else "",
        "woke": snapshot.resumed,
        "lent": "lent" if snapshot.lent else "",
        "by_hand": "open" if snapshot.manual_entry else "",
        "step": snapshot.step,
        "run": snapshot.run,
    }


def game_json(game: Game) -> Json:
    """A game as the set-up sheet offers it."""
    return {
        "name": game.name,
        "title": game.title,
        "die_set": game.die_set,
        "seats": list(game.seats),
        "options": [_option(option) for option in game.options],
    }


def _option(option: Option) -> Json:
    readings = [{"value": value, "meaning": meaning} for value, meaning in option.readings]
    return {
        "name": option.name,
        "title": option.title,
        "default": option.default,
        "source": option.source,
        "readings": readings,
    }


def _heading(game: Game | None) -> Json | None:
    return {"name": game.name, "title": game.title, "die_set": game.die_set} if game else None


def _state(snapshot: Snapshot) -> Json | None:
    game, state = snapshot.game, snapshot.state
    if state is None:
        return None
    return {
        "players": _players(state),
        "to_act": list(state.to_act),
        "winner": list(state.winner),
        "dice_awaited": _awaited(state),
        "tell": game.tell(state) if game else "",
        "lots": any(offer.action.verb == LOTS for offer in snapshot.offers),
    }


def _players(state: GameState) -> list[Json]:
    scores = dict(enumerate(state.scores))
    return [
        {"seat": player.seat, "name": player.name, "score": scores.get(place, 0)}
        for place, player in enumerate(state.players)
    ]


def _awaited(state: GameState) -> list[Json]:
    counts = Counter(die.kind for die in state.dice_awaited)
    return [
        {"kind": kind, "title": _kind_title(kind, state.dice), "count": count} for kind, count in counts.most_common()
    ]


def _kind_title(kind: KindName, dice: DieSet) -> str:
    try:
        return dice.kind(kind).title
    except NoSuchFace:
        return kind


def _call(call: Call) -> Json:
    return {"sentence": call.sentence, "rule": call.rule}


def _offer(game: Game | None, offer: Offer) -> Json:
    action = offer.action
    grave = game is not None and action.verb in game.grave
    return {
        "action": str(action),
        "player": action.player,
        "verb": action.verb,
        "choice": action.choice,
        "title": offer.title,
        "by_tap": offer.by_tap,
        "grave": grave,
        "means": game.verbs.get(action.verb, "") if game and grave else "",
    }


def offers_of_row(snapshot: Snapshot, seat: int, key: str) -> list[Json]:
    """The offers that a row of a seat's board is tapped for. They are many, so the snapshot only counts them."""
    keys = _keys(snapshot)
    tied = [offer for offer in snapshot.offers if (seat, key) in _rows_of(offer, keys)]
    return [_offer(snapshot.game, offer) for offer in tied]


def throws_json(snapshot: Snapshot) -> Json:
    """The throws that may be given by hand now, each once though several players may make it, and the dice's faces."""
    seats: dict[Action, list[int]] = {}
    titles = dict[Action, str]()
    for offer in snapshot.offers if snapshot.manual_entry else ():
        if offer.action.is_throw:
            throw = replace(offer.action, player=ANYBODY)
            seats.setdefault(throw, []).append(offer.action.player)
            titles.setdefault(throw, offer.title)
    return {
        "step": snapshot.step,
        "throws": [_throw(throw, seats[throw], title) for throw, title in titles.items()],
        "kinds": [_kind(kind) for kind in snapshot.state.dice.kinds] if snapshot.state else [],
    }


def _throw(throw: Action, seats: list[int], title: str) -> Json:
    dice = [{"kind": die.kind, "face": die.face or ""} for die in throw.dice]
    return {"seats": seats, "verb": throw.verb, "choice": throw.choice, "title": title, "dice": dice}


def _kind(kind: DieKind) -> Json:
    faces = [{"face": face, "title": kind.title_of(face)} for face in kind.faces]
    return {"kind": kind.name, "title": kind.title, "faces": faces}


def _free(snapshot: Snapshot) -> list[Json]:
    """The offers that are tied to no row of a board, or to few; a throw that several may make is there once."""
    keys = _keys(snapshot)
    tied = Counter(offer.action.player for offer in snapshot.offers if _rows_of(offer, keys))
    free = [each for each in snapshot.offers if tied[each.action.player] <= FEW or not _rows_of(each, keys)]
    free = _told(snapshot.game, free)
    seats: dict[str, set[int]] = {}
    for offer in free:
        seats.setdefault(_label(offer), set()).add(offer.action.player)
    once = {_label(offer): offer for offer in reversed(free)}
    return [
        {
            **_offer(snapshot.game, offer),
            "player": offer.action.player if len(seats[label]) == 1 else ANYBODY,
            "tied": bool(_rows_of(offer, keys)),
        }
        for label, offer in reversed(once.items())
    ]


def _told(game: Game | None, offers: list[Offer]) -> list[Offer]:
    """The offers, with what a verb does in place of its many throws, or ways to move dice by hand."""
    if game is None:
        return offers
    ways = Counter(_kind_of(offer) for offer in offers if not offer.by_tap)
    many = {kind for kind, count in ways.items() if count > (MOST_THROWS if kind[2] else MOST_BY_HAND)}
    told = {kind: game.verbs[kind[1]].removesuffix(".") for kind in many if kind[1] in game.verbs}
    return [replace(each, title=told.get(_kind_of(each), each.title)) for each in offers]


def _kind_of(offer: Offer) -> tuple[int, str, bool]:
    return offer.action.player, offer.action.verb, offer.action.is_throw


def _label(offer: Offer) -> str:
    """What tells an offer apart: a tap by its action, a throw by its words."""
    return str(offer.action) if offer.by_tap else f"by hand: {offer.title}"


Place = tuple[int, str]
"""A row of a board: the board's seat, and the row's key."""


def _keys(snapshot: Snapshot) -> set[Place]:
    return {(board.seat, row.key) for board in snapshot.boards for row in board.rows if row.key}


def _rows_of(offer: Offer, keys: set[Place]) -> set[Place]:
    """The rows that an offer is tied to: of the player's own board, or of the middle of the table."""
    words = offer.action.choice.split("/") if offer.by_tap else []
    heads = ["/".join(words[:count]) for count in range(1, len(words) + 1)]
    return {(seat, head) for seat in (0, offer.action.player) for head in heads} & keys


def _boards(snapshot: Snapshot) -> list[Json]:
    keys = _keys(snapshot)
    taps = Counter(place for offer in snapshot.offers for place in _rows_of(offer, keys))
    return [_board(board, taps) for board in snapshot.boards]


def _board(board: Board, taps: Counter[Place]) -> Json:
    return {
        "seat": board.seat,
        "title": board.title,
        "facts": [{"name": name, "value": value} for name, value in board.facts],
        "columns": list(board.columns),
        "rows": [_row(row, taps[board.seat, row.key]) for row in board.rows],
    }


def _row(row: BoardRow, taps: int) -> Json:
    return {"key": row.key, "cells": list(row.cells), "mark": row.mark, "taps": taps}


def chance_json(chance: Chance) -> Json:
    """A figure as the page shows it: a chance in percent with one decimal, or points, turns or cards."""
    return {"what": chance.what, "figure": _figure(chance), "advised": chance.advised}


def _figure(chance: Chance) -> str:
    if chance.unit == "chance":
        return f"{100 * chance.value:.1f} %"
    return f"{chance.value:.{0 if chance.value >= LARGE else 2}f} {chance.unit}"


def _shown(die: ShownDie, dice: DieSet | None) -> Json:
    faces = [{"face": face, "title": _face_title(die.kind, face, dice)} for face in die.faces]
    return {
        "number": die.number,
        "kind": die.kind,
        "face": die.face,
        "title": die.title,
        "confidence": round(die.confidence, 4),
        "sure": die.confidence >= SURE,
        "zone": die.zone,
        "posture": die.posture,
        "crop": die.crop,
        "faces": faces,
    }


def _face_title(kind: str, face: str, dice: DieSet | None) -> str:
    try:
        return dice.kind(KindName(kind)).title_of(FaceName(face)) if dice else _plain(face)
    except NoSuchFace:
        return _plain(face)


def _plain(face: str) -> str:
    prefix, _, rest = face.partition("-")
    return rest if prefix in ("pip", "digit") else face.replace("-", " ").capitalize()


def _question(question: Question) -> Json:
    return {
        "number": question.number,
        "sentence": question.sentence,
        "choices": [{"answer": answer, "title": title} for answer, title in question.choices],
        "picture": question.picture,
        "die": question.die,
    }
