"""The snapshot that the page shows: the state of the session in its words, with the marks of dice and what was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import is_

from models.dataset.samples import LabelSource
from referee.actions import Action
from referee.agreements import is_agreement
from referee.board import Board
from referee.dice import Die, DieSet, FaceName, KindName, Seen, SeenDie, Zone
from referee.fair_play import note_sentence
from referee.journal import Deed, Entry, Source
from referee.judge import Ruling
from referee.phrases import in_a_row
from referee.sentences import say, say_count
from referee.snapshot import (
    FaceTitle,
    Intervention,
    NoticeMood,
    Offer,
    Question,
    ShownDie,
    Snapshot,
    TrayActivity,
    UnconfirmedChange,
    offers_of,
)
from vander.table.answers import ring_of, shown_questions
from vander.table.camera_events import dice_said_otherwise
from vander.table.correction import entry_of, stated_faces
from vander.table.held_throws import held_throws, is_full, table_now, waiting_sentence
from vander.table.match import AS_THEY_LIE, Match, TrayFinding, resumed_sentence, sentence_of
from vander.table.put_back import find_put_backs
from vander.table.ruling import find_rethrow
from vander.table.seen_dice import dice_to_throw, faces_of, leaning_dice, thrown_again, title_of
from vander.table.session_state import Breach, Mode, SessionState, TableView
from vision.observations import HAND_STAYS, Posture, TrackedDie
from web.schemas.learning_schemas import ThrowCheck, ThrowCheckDie

# Marks of dice

CORRECTED, ANSWERED, BY_HAND = "corrected", "answered", "by-hand"
SAID = {LabelSource.CORRECTED: CORRECTED, LabelSource.CHECKED: CORRECTED, LabelSource.ANSWERED: ANSWERED}


def mark_of(die: SeenDie, table: TableView, match: Match | None) -> str:
    """Return the mark of a die: what people said of it counts before how it came to lie; '' for a die without one.

    What became of a die before the game began is of no interest in it.
    """
    is_of_game = die.throw > table.before_game
    throw, source = table.sources.get(die.number, (-1, None))
    if source in SAID and throw == die.throw and is_of_game:
        return SAID[source]
    if die.handled is not None and is_of_game:
        return die.handled.value
    return BY_HAND if match is not None and _was_given(die, table, match) else ""


def _was_given(die: SeenDie, table: TableView, match: Match) -> bool:
    """True if the throw that gave the die its face was entered by hand, and its dice lie as that says."""
    if not match.has_throw_by_hand or table.ruled is None:
        return False
    number = entry_of(match, table.thrown_by, die)
    return any(entry.number == number and entry.source is Source.HAND for entry, _ in match.standing)


# What was done

MOST = 6
"""How many lines a tablet shows at most."""


def find_interventions(match: Match | None) -> tuple[Intervention, ...]:
    """Return what was done since the last throw but one, newest first."""
    if match is None:
        return ()
    since = (0, 0, *match.throw_numbers)[-2]
    return interventions_since(match, since)[:MOST]


def interventions_since(match: Match, since: int = 0) -> tuple[Intervention, ...]:
    """Return all that was done from an entry on, newest first; 0 stands for the whole game."""
    rulings = {entry.number: ruling for entry, ruling in match.standing}
    later = match.entries[max(since - 1, 0) :]
    told = ((entry, _sentence(match, entry, rulings.get(entry.number))) for entry in reversed(later))
    dice = match.start.dice
    return tuple(_intervention(entry, sentence, dice) for entry, sentence in told if sentence)


def _intervention(entry: Entry, sentence: str, dice: DieSet) -> Intervention:
    old, new = entry.dice or (None, None)
    return Intervention(
        number=entry.number,
        sentence=sentence,
        deed=entry.deed,
        source=entry.source,
        device=entry.device,
        seat=entry.seat,
        kind=new.kind if new else "",
        old=_face_title(dice, new.kind, old.face) if old and new else None,
        new=_face_title(dice, new.kind, new.face) if new else None,
    )


def _face_title(dice: DieSet, kind: KindName, face: FaceName | None) -> FaceTitle | None:
    return FaceTitle(face, dice.face_title(kind, face)) if face else None


def _sentence(match: Match, entry: Entry, ruling: Ruling | None) -> str:
    """What an entry says on the tablets; '' for one that is plain play, or said elsewhere."""
    if entry.deed is Deed.PLAY:
        return _played(match, entry, ruling) if ruling else ""
    if entry.deed is Deed.CORRECT:
        return "" if _is_entered_again(match, entry) else match.corrected_sentence(entry)
    if entry.deed in {Deed.ASKED, Deed.UNANSWERED}:  # nobody did anything: a restart ends a question, too
        return ""
    if entry.deed is Deed.UNDO:
        return say("Taken back: {what}", what=entry.note) if entry.note else say("The last step is taken back.")
    return {Deed.LAID: AS_THEY_LIE, Deed.BREACH: ""}.get(entry.deed, note_sentence(entry))


def _played(match: Match, entry: Entry, ruling: Ruling) -> str:
    """What was given by hand, agreed on, or tapped on a device that is bound to another seat."""
    if entry.source is Source.HAND or is_agreement(ruling.action):
        return sentence_of(entry, ruling)
    if not _is_by_another(match, entry, ruling.action.player) or (ruling.action.dice and _is_answered(match, entry)):
        return ""
    owner = match.state.name(ruling.action.player)
    return say("Tapped for {owner}: {what}", owner=owner, what=sentence_of(entry, ruling))


def _is_by_another(match: Match, entry: Entry, player: int) -> bool:
    """True if an entry of a seat was tapped on the phone of another, or by somebody else than on the seat's own phone.

    On a device that belongs to nobody anybody may tap for seats that never did it on a phone of their own.
    """
    if not player or entry.source is not Source.TABLET or entry.seat == player:
        return False
    return bool(entry.seat) or any(each.seat == player for each in match.entries)


def _is_answered(match: Match, entry: Entry) -> bool:
    """True if an answer chose what is played: the answer has a line of its own."""
    before = match.entries[: entry.number - 1]
    notes = (each.deed is Deed.ANSWER for each in reversed(before) if each.deed is not Deed.PLAY or each.by != entry.by)
    return next(notes, False)


def _is_entered_again(match: Match, entry: Entry) -> bool:
    """True if a correction was said before, and is entered again since something before it was taken back."""
    said = entry.target, entry.action
    return any(
        before.deed is Deed.CORRECT and (before.target, before.action) == said
        for before in match.entries[: entry.number - 1]
    )


# The snapshot

LENT = say("Somebody is showing dice to the camera. The game goes on after that.")
CANNOT_WRITE = say("Vander cannot write to its card.")
DOUBTFUL = 0.5
"""The highest confidence that is shown of a die with several likely faces or kinds, 0..1."""


@dataclass(frozen=True)
class Drawing:
    """The part of a snapshot that takes long to work out, and what it was made from."""

    sources: tuple[object, ...]
    dice: tuple[ShownDie, ...] = ()
    offers: tuple[Offer, ...] = ()
    turn_points: int = 0
    boards: tuple[Board, ...] = ()
    awaited: str = ""
    last_throw: str = ""
    interventions: tuple[Intervention, ...] = ()
    last_throws: tuple[int, ...] = ()
    questions: tuple[Question, ...] = ()


def draw(state: SessionState, last: Drawing | None = None) -> Drawing:
    """Return what is shown of dice and offers; the last drawing, if nothing that it comes from has changed."""
    match, table = state.match, state.table
    is_unseen = state.is_blind or state.mode is Mode.MANUAL or state.unresolved.mismatch is not None
    unresolved = state.unresolved
    asked = (unresolved.pending, unresolved.moved, unresolved.prompts, unresolved.rethrow)
    held = (state.backlog, bool(state.health.unsaved))
    sources = (match, table.observed, table.seen, table.crops, *held, *asked, is_unseen)
    if last is not None and all(map(is_, sources, last.sources)):
        return last
    # a throw that is not ruled on yet, as where a die leans, was made after what hands had moved
    now = match.with_hands(unresolved.pending or unresolved.moved) if match else None
    now = now.with_hands(_kept_in_bay(now, table.seen)) if now else None
    bay = table.seen.bay if table.seen else state.config.bay
    return Drawing(
        sources,
        dice=_shown_dice(state, match),
        offers=_with_dice(now, find_offers(now, bay, is_unseen), state) if now else (),
        turn_points=now.game.turn_points(now.state) if now else 0,
        boards=now.game.boards(now.state) if now else (),
        awaited=match.game.tell(match.state) if match else "",
        last_throw=match.last_throw() if match else "",
        interventions=find_interventions(match),
        last_throws=match.recent_throws() if match else (),
        questions=shown_questions(state),
    )


def snapshot(state: SessionState, number: int = 0, drawing: Drawing | None = None) -> Snapshot:
    """Return what is shown of the session; `drawing` is that of the state, where there is one already."""
    match, drawing = state.match, drawing or draw(state)
    breach = _shown_breach(state)
    notice, mood = (breach.sentence, NoticeMood.BREACH) if breach else _notice(state, drawing)
    check = shown_check(state)
    return Snapshot(
        number=number,
        game=match.game if match else None,
        state=match.state if match else None,
        calls=match.replay.calls if match else (),
        called=match.replay.last if match else 0,
        notice=notice,
        notice_is_prompt=mood is NoticeMood.CALM and not state.unresolved.unfinished,
        mood=mood,
        rule=breach.rule if breach else "",
        evidence=breach.evidence if breach else "",
        offers=drawing.offers,
        dice=drawing.dice,
        tray_picture=state.table.picture,
        questions=drawing.questions,
        put_back=find_put_backs(state),
        last=match.recent_sentences() if match else (),
        unconfirmed=_unconfirmed(state),
        interventions=drawing.interventions,
        last_throw=drawing.last_throw,
        last_throws=drawing.last_throws,
        take_back=_taken_back_next(state),
        boards=drawing.boards,
        camera=state.config.camera,
        camera_trouble=_blindness(state) or state.tray_doubt,
        turn_points=drawing.turn_points,
        tray=_activity(state),
        doubts=state.camera.doubts,
        waiting=state.waiting,
        check=check.number if check else None,
        alerts=state.health.sentences,
        low_power=state.health.has("power"),
        resumed=_resumed(state),
        unsaved=bool(state.health.unsaved),
        held_throws=held_throws(state),
        lent=state.mode is Mode.CAPTURING,
        manual_entry=state.takes_manual_entry and any(offer.action.is_throw for offer in drawing.offers),
        step=match.step if match else "",
        run=state.config.run,
    )


def _unconfirmed(state: SessionState) -> UnconfirmedChange | None:
    waiting = state.unconfirmed
    return UnconfirmedChange(waiting.number, waiting.sentence, waiting.by.device, waiting.by.seat) if waiting else None


def _taken_back_next(state: SessionState) -> str:
    """Return what would be taken back now: an action that waits, or the newest entry; '' for nothing."""
    if state.waiting is not None:
        return state.waiting.title
    newest = state.match.newest if state.match else None
    return state.match.sentence_at(newest.number) if state.match and newest else ""


def _blindness(state: SessionState) -> str:
    """Return the sentence that says why the tray is not seen; '' if it is seen."""
    return LENT if state.mode is Mode.CAPTURING else state.camera.report.sentence


def _shown_breach(state: SessionState) -> Breach | None:
    """The breach that stands, unless something else has to be said first."""
    return None if state.health.unsaved or state.is_blind or state.waiting else state.unresolved.breach


def _notice(state: SessionState, drawing: Drawing) -> tuple[str, NoticeMood]:
    """The line at the top where no breach is shown, and its mood: the first that there is to say."""
    unresolved = state.unresolved
    lines = (
        (_unsaved(state), NoticeMood.LOST),
        (_blindness(state), NoticeMood.LOST),
        (state.waiting.sentence if state.waiting else "", NoticeMood.ASK),
        (_asked(state, drawing.questions), NoticeMood.ASK),
        (_missed(state), NoticeMood.ASK),
        (
            in_a_row(unresolved.mismatch.sentence, say("Put the dice like this.")) if unresolved.mismatch else "",
            NoticeMood.ASK,
        ),
        (_due(state), NoticeMood.ASK),
        (state.tray_doubt, NoticeMood.LOST),
        (HAND_STAYS if HAND_STAYS in state.camera.doubts else "", NoticeMood.ASK),
        (unresolved.unfinished or drawing.awaited, NoticeMood.CALM),
    )
    return next((line for line in lines if line[0]), ("", NoticeMood.CALM))


def _due(state: SessionState) -> str:
    """Return what has to be done with dice before anything else counts; '' for nothing."""
    unresolved = state.unresolved
    is_due = unresolved.rethrow or unresolved.intervention or unresolved.thrown_again
    return unresolved.unfinished if is_due else ""


def _asked(state: SessionState, questions: Sequence[Question]) -> str:
    """Return the first open question, and how many throws wait for its answer; '' without one."""
    if not questions:
        return ""
    waiting = waiting_sentence(held_throws(state), is_full=is_full(state))
    return in_a_row(questions[0].sentence, waiting)


def _unsaved(state: SessionState) -> str:
    """Say that the journal cannot be written, and how many throws wait for that; '' where it can."""
    if not state.health.unsaved:
        return ""
    held = held_throws(state)
    if not held:
        return in_a_row(CANNOT_WRITE, say("Do not throw until this line is gone."))
    waits = say_count(
        "Do not throw yet: {count} throw is still waiting.",
        "Do not throw yet: {count} throws are still waiting.",
        held,
    )
    return in_a_row(CANNOT_WRITE, waits)


def _missed(state: SessionState) -> str:
    """Ask by name for throws that nothing was kept of; '' without any."""
    match, missed = state.match, state.unresolved.missed
    if match is None or match.over or not missed:
        return ""
    acting = match.state.to_act
    whose = match.state.name(acting[0]) if len(acting) == 1 else ""
    lost = _not_kept(whose, missed - 1)
    return in_a_row(lost, say("Throw again from there, or give the dice by hand."))


def _not_kept(whose: str, others: int) -> str:
    """Return that a throw and others after it are lost; `whose` is '' where several may have thrown."""
    if whose and others:
        return say("{who}'s throw was lost, and {others} after it.", who=whose, others=others)
    if others:
        return say("A throw was lost, and {others} after it.", others=others)
    return say("{who}'s throw was lost.", who=whose) if whose else say("A throw was lost.")


def _activity(state: SessionState) -> TrayActivity:
    if state.table.observed is None or state.is_blind:
        return TrayActivity.UNSEEN
    if state.camera.hands_in:
        return TrayActivity.HAND_IN
    return TrayActivity.AT_REST if state.camera.at_rest else TrayActivity.MOVING


def _resumed(state: SessionState) -> str:
    """What is said after a restart, until something happens; nothing while the journal cannot be written."""
    if state.match is None or not state.resumed or state.health.unsaved:
        return ""
    finding = TrayFinding.WRONG if state.unresolved.mismatch else TrayFinding.RIGHT
    if state.is_blind:
        finding = TrayFinding.BLIND
    elif state.table.seen is None:
        finding = TrayFinding.UNSEEN
    said = [(die.die, read) for die, read in dice_said_otherwise(state)]
    return resumed_sentence(state.match, bay=state.config.bay, finding=finding, said=said)


def shown_check(state: SessionState) -> ThrowCheck | None:
    """Return the throw that people are asked about; None without one, and while there is something else to answer."""
    check = state.check
    if check is None or state.unresolved.prompts or state.unresolved.breach:
        return None
    faces = {number: die for number, (_, die) in stated_faces(check, state.table.stated).items()}
    titles = {number: title_of(state.dice, die.kind, die.face or FaceName("")) for number, die in faces.items()}
    return ThrowCheck(
        check.number, tuple(ThrowCheckDie(die.number, titles[die.number], die.picture) for die in check.dice)
    )


# Dice and offers


def _shown_dice(state: SessionState, match: Match | None) -> tuple[ShownDie, ...]:
    """The dice as the tablet shows them, as they lie now: `seen` has the last word on faces.

    The rings are of the picture of the tray that there is, for an open question an earlier one.
    """
    dice, table, asked = state.dice, table_now(state), state.table.observed
    tracked = {die.number: die for die in table.observed.dice} if table.observed else {}
    pictured = {die.number: die for die in asked.dice} if asked and table.picture else {}
    seen = table.seen.dice if table.seen else ()
    crops = table.crops
    shown = ((die, _shown_die(dice, tracked[die.number], die, crops.get(die.number, ""))) for die in seen)
    return tuple(
        replace(
            each,
            mark=mark_of(die, table, match),
            ring=ring_of(asked, pictured[die.number]) if asked and die.number in pictured else None,
        )
        for die, each in shown
    )


def _shown_die(dice: DieSet, tracked: TrackedDie, seen: SeenDie, crop: str) -> ShownDie:
    face, confidence = seen.faces[0] if seen.faces else (FaceName(""), 0.0)
    posture = tracked.reading.sighting.posture
    if len(seen.faces) > 1 or seen.kinds:
        confidence = min(confidence, DOUBTFUL)
    return ShownDie.of(
        dice,
        seen.number,
        Die(seen.kind, face),
        confidence=round(confidence, 2),
        zone=str(seen.zone),
        posture=str(posture if seen.cocked or posture is Posture.UNKNOWN else Posture.FLAT),
        crop=crop,
        faces=faces_of(dice, seen.kind),
    )


def find_offers(match: Match, bay: bool, is_unseen: bool = False) -> tuple[Offer, ...]:
    """Return what may be done now; of the ways to move dice by hand the dearest first.

    While nobody sees the tray (`is_unseen`), what hands do there is tapped.
    """
    offers = offers_of(match.game, match.state)
    places = {verb: place for place, verb in enumerate(dict.fromkeys(offer.action.verb for offer in offers))}
    ordered = sorted(offers, key=lambda offer: (places[offer.action.verb], -_worth(match, offer.action)))
    return tuple(replace(offer, by_tap=_is_tapped(match, offer.action, bay, is_unseen)) for offer in ordered)


def _with_dice(match: Match, offers: tuple[Offer, ...], state: SessionState) -> tuple[Offer, ...]:
    """Return the offers, each throw with the dice of the table that it takes up: those that lean, where some do.

    While a throw is to be made again, no tap is what most people do next: it would be refused.
    """
    seen, ruled = state.table.seen, state.table.ruled
    if seen is None:
        return offers
    lean = leaning_dice(find_rethrow(state), ruled, seen)
    again = {one.action: lean or thrown_again(match, one.action, ruled, seen) for one in offers if one.action.is_throw}
    return tuple(
        replace(one, throws=again[one.action] or dice_to_throw(match, one.action, seen))
        if one.action in again
        else replace(one, usual=0 if any(again.values()) else one.usual)
        for one in offers
    )


def _kept_in_bay(match: Match, seen: Seen | None) -> tuple[Action, ...]:
    """Return the move by which the dice in the bay are kept from the next throw, which alone will show it; else ()."""
    kept = Counter(die.die for die in seen.dice if die.zone is Zone.ASIDE) if seen else None
    moves = (each.action for each in offers_of(match.game, match.state) if each.action.verb in match.game.by_hand)
    keeps = (each for each in moves if Counter(each.dice) == kept and not _needs_bay(match, each))
    return tuple(islice(keeps, 1)) if kept else ()


def _worth(match: Match, action: Action) -> int:
    """What the turn is worth after dice were moved by hand."""
    if action.verb not in match.game.by_hand:
        return 0
    return match.game.turn_points(match.game.play(match.state, action)[0])


def _is_tapped(match: Match, action: Action, bay: bool, is_unseen: bool) -> bool:
    moved = action.verb in match.game.by_hand and not is_unseen and (bay or not _needs_bay(match, action))
    return not moved and not action.is_throw


def _needs_bay(match: Match, action: Action) -> bool:
    """True if only the bay shows which dice a hand moved; otherwise the next throw shows it."""
    layout = match.game.lay(match.game.play(match.state, action)[0])
    return not layout or any(position.zone is Zone.ASIDE for position in layout)
