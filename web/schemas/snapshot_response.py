"""Build the JSON of the game from the referee's values."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.actions import Action
from referee.agreements import AGREEMENTS, Agreement, said_now
from referee.calls import Call, DiceSum, strongest_moment
from referee.chances import Chance, has_odds
from referee.dice import DieKind, DieSet, FaceName, KindName, NoSuchFace
from referee.game import Game
from referee.game_options import Option
from referee.game_state import GameState
from referee.phrases import decimal, in_a_row
from referee.sentences import as_title, say
from referee.snapshot import (
    Intervention,
    Offer,
    ShownDie,
    Snapshot,
    UnconfirmedChange,
    Utterance,
)
from web.schemas.board_response import BoardPlace, PlaceIndex, board_schema, dice_schema
from web.schemas.game_schemas import (
    AgreementsResponse,
    ChanceFigure,
    DieKindSchema,
    GameSchema,
    OffersResponse,
    OptionReading,
    OptionSchema,
    ThrowDie,
    ThrowSchema,
    ThrowsResponse,
)
from web.schemas.question_response import put_back_schema, question_schema
from web.schemas.snapshot_schemas import (
    AwaitedDice,
    CallSchema,
    DiceSumSchema,
    DieSchema,
    ExtrasSchema,
    FaceTitle,
    GameHeading,
    InterventionSchema,
    KindHeading,
    OfferSchema,
    OtherKind,
    PlayerScore,
    Ring,
    SnapshotResponse,
    SpokenPartSchema,
    StateSchema,
    SumTermSchema,
    TableOffer,
    UnconfirmedSchema,
    UtteranceSchema,
)

FEW_TIED = 12
"""A snapshot lists a player's offers that belong to places of boards only if they are at most this many."""
LOTS = "lot"
"""The verb of the throw that decides who begins: it is nobody's turn."""
MOST_THROWS = 4
MOST_BY_HAND = 12
"""A verb with more throws, or more ways to move dice by hand, is listed once, with what the verb does."""
ANYBODY = 0
"""The player of a throw that several players may make."""
SURE = 0.9
"""From this confidence on a reading is shown as sure."""
LARGE = 100
"""From so many points, turns or cards on a figure is shown without decimals."""


def snapshot_response(snapshot: Snapshot) -> SnapshotResponse:
    """Return the JSON of a snapshot."""
    dice = snapshot.state.dice if snapshot.state else None
    places = PlaceIndex(snapshot.boards, snapshot.offers)
    return SnapshotResponse(
        number=snapshot.number,
        game=_heading(snapshot.game, dice),
        state=_state(snapshot),
        calls=tuple(_call(call, dice) for call in snapshot.calls),
        called=snapshot.called,
        moment=strongest_moment(snapshot.calls) or "",
        notice=snapshot.notice,
        notice_is_prompt=snapshot.notice_is_prompt,
        mood=snapshot.mood,
        rule=snapshot.rule,
        evidence=snapshot.evidence,
        offers=_listed_offers(snapshot, places),
        boards=tuple(board_schema(board, places, dice) for board in snapshot.boards),
        dice=tuple(_die(die, dice) for die in snapshot.dice),
        tray_picture=snapshot.tray_picture,
        questions=tuple(question_schema(question, dice) for question in snapshot.questions),
        put_back=tuple(put_back_schema(each, dice) for each in snapshot.put_back),
        last=snapshot.last,
        unconfirmed=_unconfirmed(snapshot.unconfirmed),
        interventions=tuple(_intervention(each, dice) for each in snapshot.interventions),
        last_throws=snapshot.last_throws,
        take_back=snapshot.take_back,
        camera=snapshot.camera,
        camera_trouble=snapshot.camera_trouble,
        turn_points=snapshot.turn_points,
        odds=bool(snapshot.game and has_odds(snapshot.game)),
        unsaved=snapshot.unsaved,
        held_throws=snapshot.held_throws,
        utterances=tuple(map(_utterance, snapshot.utterances)),
        extras=_extras(snapshot),
    )


def _call(call: Call, dice: DieSet | None) -> CallSchema:
    return CallSchema(call.sentence, call.rule, call.moment or "", _sum(call.sum, dice) if call.sum else None)


def _sum(counted: DiceSum, dice: DieSet | None) -> DiceSumSchema:
    terms = tuple(SumTermSchema(dice_schema(term.dice, dice), term.worth, term.label) for term in counted.terms)
    return DiceSumSchema(terms, counted.times, counted.total)


def _utterance(said: Utterance) -> UtteranceSchema:
    parts = tuple(SpokenPartSchema(part.sound, part.clips, part.name, part.unnamed) for part in said.parts)
    return UtteranceSchema(said.number, "low" if said.is_low else "all", parts)


def _extras(snapshot: Snapshot) -> ExtrasSchema:
    return ExtrasSchema(
        table=snapshot.tray,
        doubts=in_a_row(*snapshot.doubts),
        waits=snapshot.waiting.title if snapshot.waiting else "",
        check="" if snapshot.check is None else str(snapshot.check),
        worries="\n".join(snapshot.alerts),
        power="low" if snapshot.low_power else "",
        woke=snapshot.resumed,
        lent="lent" if snapshot.lent else "",
        by_hand="open" if snapshot.manual_entry else "",
        step=snapshot.step,
        run=snapshot.run,
    )


def game_schema(game: Game) -> GameSchema:
    """Return a game as the set-up page lists it."""
    return GameSchema(
        name=game.name,
        title=game.title,
        die_set=game.die_set,
        seats=game.seats,
        turns=game.finish is not None,
        how_to_play=bool(game.how_to_play),
        options=tuple(map(_option, game.options)),
    )


def _option(option: Option) -> OptionSchema:
    readings = tuple(OptionReading(value, meaning) for value, meaning in option.readings)
    return OptionSchema(option.name, option.title, option.default, option.source, readings)


def _heading(game: Game | None, dice: DieSet | None) -> GameHeading | None:
    kinds = tuple(KindHeading(kind.name, kind.title, kind.bodies) for kind in dice.kinds) if dice else ()
    return GameHeading(game.name, game.title, dice.name if dice else game.die_set, kinds) if game else None


def _state(snapshot: Snapshot) -> StateSchema | None:
    game, state = snapshot.game, snapshot.state
    if state is None:
        return None
    return StateSchema(
        players=_players(state),
        to_act=state.to_act,
        on_turn=state.on_turn,
        winner=state.winner,
        dice_awaited=_awaited(state),
        tell=game.tell(state) if game else "",
        lots=any(offer.action.verb == LOTS for offer in snapshot.offers),
    )


def _players(state: GameState) -> tuple[PlayerScore, ...]:
    scores = dict(enumerate(state.scores))
    return tuple(
        PlayerScore(player.seat, player.name, scores.get(place, 0), player.seat in state.gone)
        for place, player in enumerate(state.players)
    )


def _awaited(state: GameState) -> tuple[AwaitedDice, ...]:
    counts = Counter(die.kind for die in state.dice_awaited)
    return tuple(AwaitedDice(kind, _kind_title(kind, state.dice), count) for kind, count in counts.most_common())


def _kind_title(kind: KindName, dice: DieSet) -> str:
    try:
        return dice.kind(kind).title
    except NoSuchFace:
        return kind


def _offer(game: Game | None, offer: Offer) -> OfferSchema:
    action = offer.action
    grave = game is not None and action.verb in game.grave
    return OfferSchema(
        action=str(action),
        player=action.player,
        verb=action.verb,
        choice=action.choice,
        title=offer.title,
        by_tap=offer.by_tap,
        grave=grave,
        means=game.help_texts.get(action.verb, "") if game and grave else "",
    )


def offers_response(snapshot: Snapshot, seat: int, key: str) -> OffersResponse:
    """Return the offers that belong to a place of a seat's board, to any for ''. A snapshot only counts many."""
    places = PlaceIndex(snapshot.boards, snapshot.offers)
    tied = [offer for offer in snapshot.offers if offer.by_tap and _is_tied(places.of(offer), seat, key)]
    return OffersResponse(
        snapshot.number, tuple(_table_offer(snapshot, offer, places, is_of_several=False) for offer in tied)
    )


def _is_tied(found: frozenset[BoardPlace], seat: int, key: str) -> bool:
    return (seat, key) in found if key else any(board == seat for board, _ in found)


def agreements_response(snapshot: Snapshot) -> AgreementsResponse:
    """Return what the table may agree on now: who is skipped, begins or leaves, and a throw that does not count."""
    game, state = snapshot.game, snapshot.state
    said = said_now(game, state) if game and state else ()
    offers = tuple(_agreed_offer(action, AGREEMENTS[action.verb], state) for action in said if state)
    return AgreementsResponse(snapshot.number, offers, snapshot.last_throw)


def _agreed_offer(action: Action, agreed: Agreement, state: GameState) -> OfferSchema:
    return OfferSchema(
        action=str(action),
        player=action.player,
        verb=action.verb,
        choice="",
        title=agreed.title(state, action),
        by_tap=True,
        grave=agreed.grave,
        means=agreed.help if agreed.grave else "",
    )


def throws_response(snapshot: Snapshot) -> ThrowsResponse:
    """Return the throws that may be entered by hand now, each once though several players may make it."""
    seats: dict[Action, list[int]] = {}
    titles = dict[Action, str]()
    for offer in snapshot.offers if snapshot.manual_entry else ():
        if offer.action.is_throw:
            throw = replace(offer.action, player=ANYBODY)
            seats.setdefault(throw, []).append(offer.action.player)
            titles.setdefault(throw, offer.title)
    return ThrowsResponse(
        step=snapshot.step,
        throws=tuple(_throw(throw, seats[throw], title) for throw, title in titles.items()),
        kinds=tuple(_kind(kind) for kind in snapshot.state.dice.kinds) if snapshot.state else (),
    )


def _throw(throw: Action, seats: list[int], title: str) -> ThrowSchema:
    dice = tuple(ThrowDie(die.kind, die.face or "") for die in throw.dice)
    return ThrowSchema(tuple(seats), throw.verb, throw.choice, title, dice)


def _kind(kind: DieKind) -> DieKindSchema:
    return DieKindSchema(kind.name, kind.title, tuple(FaceTitle(face, kind.title_of(face)) for face in kind.faces))


def _listed_offers(snapshot: Snapshot, places: PlaceIndex) -> tuple[TableOffer, ...]:
    """Return the offers that belong to no place of a board, or to few; a throw that several may make is there once."""
    tied = Counter(offer.action.player for offer in snapshot.offers if places.of(offer))
    free = [each for each in snapshot.offers if tied[each.action.player] <= FEW_TIED or not places.of(each)]
    free = _shortened(snapshot.game, free)
    seats: dict[str, set[int]] = {}
    for offer in free:
        seats.setdefault(_label(offer), set()).add(offer.action.player)
    once = {_label(offer): offer for offer in reversed(free)}
    return tuple(
        _table_offer(snapshot, offer, places, is_of_several=len(seats[label]) > 1)
        for label, offer in reversed(once.items())
    )


def _table_offer(snapshot: Snapshot, offer: Offer, places: PlaceIndex, *, is_of_several: bool) -> TableOffer:
    shown = vars(_offer(snapshot.game, offer))
    dice = dice_schema(offer.action.dice, snapshot.state.dice if snapshot.state else None)
    where = tuple(f"{seat}:{key}" for seat, key in sorted(places.of(offer)))
    found = TableOffer(**shown, places=where, dice=dice, throws=offer.throws)
    return replace(found, player=ANYBODY) if is_of_several else found


def _shortened(game: Game | None, offers: list[Offer]) -> list[Offer]:
    """Return the offers, where a verb's many throws or ways to move dice by hand all bear what the verb does."""
    if game is None:
        return offers
    ways = Counter(_kind_of(offer) for offer in offers if not offer.by_tap)
    many = {kind for kind, count in ways.items() if count > (MOST_THROWS if kind[2] else MOST_BY_HAND)}
    titles = {kind: as_title(game.help_texts[kind[1]]) for kind in many if kind[1] in game.help_texts}
    return [replace(each, title=titles.get(_kind_of(each), each.title)) for each in offers] if titles else offers


def _kind_of(offer: Offer) -> tuple[int, str, bool]:
    return offer.action.player, offer.action.verb, offer.action.is_throw


def _label(offer: Offer) -> str:
    """Return what tells an offer apart: a tap by its action, a throw by its words."""
    return str(offer.action) if offer.by_tap else f"by hand: {offer.title}"


def chance_figure(chance: Chance) -> ChanceFigure:
    """Return a chance in percent with one decimal, or points, turns or cards."""
    return ChanceFigure(chance.what, _figure(chance), chance.advised)


def _figure(chance: Chance) -> str:
    if chance.unit == "chance":
        return say("{percent} %", percent=decimal(100 * chance.value, 1))
    value = decimal(chance.value, 0 if chance.value >= LARGE else 2)
    match chance.unit:
        case "points":
            return say("{value} points", value=value)
        case "turns":
            return say("{value} turns", value=value)
        case "cards":
            return say("{value} cards", value=value)


def _die(die: ShownDie, dice: DieSet | None) -> DieSchema:
    return DieSchema(
        number=die.number,
        kind=die.kind,
        face=die.face,
        title=die.title,
        confidence=die.confidence,
        sure=die.confidence >= SURE,
        zone=die.zone,
        posture=die.posture,
        crop=die.crop,
        faces=tuple(FaceTitle(face, face_title(die.kind, face, dice)) for face in die.faces),
        kinds=_other_kinds(die, dice),
        mark=die.mark,
        ring=Ring(die.ring.x, die.ring.y, die.ring.edge) if die.ring else None,
    )


def _unconfirmed(change: UnconfirmedChange | None) -> UnconfirmedSchema | None:
    return UnconfirmedSchema(change.number, change.sentence, change.device, change.seat) if change else None


def _intervention(done: Intervention, dice: DieSet | None) -> InterventionSchema:
    old, new = (_titled(done.kind, face, dice) for face in (done.old_face, done.new_face))
    return InterventionSchema(
        number=done.number,
        sentence=done.sentence,
        deed=done.deed,
        source=done.source,
        device=done.device,
        seat=done.seat,
        kind=done.kind,
        old=old,
        new=new,
    )


def _titled(kind: str, face: str, dice: DieSet | None) -> FaceTitle | None:
    return FaceTitle(face, face_title(kind, face, dice)) if face else None


def _other_kinds(die: ShownDie, dice: DieSet | None) -> tuple[OtherKind, ...]:
    kinds = dice.kinds if dice else ()
    return tuple(OtherKind(each.name, each.title) for each in kinds if each.name != die.kind and die.face in each.faces)


def face_title(kind: str, face: str, dice: DieSet | None) -> str:
    """Return the title of a face: as its own kind has it, else another kind, for a die that is of another one."""
    kinds = sorted(dice.kinds if dice else (), key=lambda known: known.name != kind)
    titles = (known.title_of(FaceName(face)) for known in kinds if face in known.faces)
    return next(titles, _plain(face))


def _plain(face: str) -> str:
    prefix, _, rest = face.partition("-")
    return rest if prefix in ("pip", "digit") else face.replace("-", " ").capitalize()
