"""A snapshot as JSON: everything a tablet shows, in names that its script reads."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.dice import DieSet, FaceName, KindName, NoSuchFace
from referee.game import Call, Game, GameState, Option
from referee.journal import Offer, Question, ShownDie, Snapshot

SURE = 0.9
"""From this confidence on a reading is shown as sure."""
GRAVE_VERBS = frozenset({"give-up", "vander"})
"""What costs the turn and is asked twice before it is done by tap."""

Json = dict[str, Any]


def snapshot_json(snapshot: Snapshot) -> Json:
    """All of a snapshot, ready for `json.dumps`."""
    dice = snapshot.state.dice if snapshot.state else None
    return {
        "number": snapshot.number,
        "game": _heading(snapshot.game),
        "state": _state(snapshot.game, snapshot.state),
        "calls": [_call(call) for call in snapshot.calls],
        "notice": snapshot.notice,
        "mood": snapshot.mood,
        "rule": snapshot.rule,
        "evidence": snapshot.evidence,
        "offers": [_offer(offer) for offer in snapshot.offers],
        "dice": [_shown(die, dice) for die in snapshot.dice],
        "questions": [_question(question) for question in snapshot.questions],
        "last": list(snapshot.last),
        "can_undo": snapshot.can_undo,
        "camera": snapshot.camera,
        "camera_trouble": snapshot.camera_trouble,
        "turn_points": snapshot.turn_points,
        "extras": dict(snapshot.extras),
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


def _state(game: Game | None, state: GameState | None) -> Json | None:
    if state is None:
        return None
    return {
        "players": _players(state),
        "to_act": list(state.to_act),
        "winner": list(state.winner),
        "dice_awaited": _awaited(state),
        "tell": game.tell(state) if game else "",
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


def _offer(offer: Offer) -> Json:
    return {
        "action": str(offer.action),
        "verb": offer.action.verb,
        "title": offer.title,
        "by_tap": offer.by_tap,
        "grave": offer.action.verb in GRAVE_VERBS,
    }


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
