"""Build the JSON of the game, of its boards and of open questions from the referee's values."""

from __future__ import annotations

import collections
from collections import Counter
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from referee.actions import Action, GameState
from referee.agreements import AGREEMENTS, Agreement, said_now
from referee.board import Board, BoardPart, Card, DicePlace, Lights, Section, Tally, Track, places_of
from referee.calls import Call, DiceSum, strongest_moment
from referee.chances import Chance, has_odds
from referee.dice import Die, DieKind, DieSet, KindName, NoSuchFace
from referee.game import Game, Option
from referee.phrases import decimal, in_a_row
from referee.sentences import as_title, say
from referee.snapshot import (
    AnswerEffect,
    FaceTitle,
    Offer,
    OtherKind,
    Question,
    QuestionFacts,
    QuestionTopic,
    Snapshot,
    SnapshotFacts,
)
from web.schemas import game_schemas
from web.schemas import snapshot_schemas as shapes

# Build the JSON of the boards, and find the places on them to which offers belong


BoardPlace = tuple[int, str]
"""A place on a board: the board's seat, and the key of the place."""


class PlaceIndex:
    """To which places of the boards each offer belongs: of the player's own board, or of the middle of the table."""

    def __init__(self, boards: Iterable[Board], offers: tuple[Offer, ...]) -> None:
        self._verbs: dict[int, dict[str, tuple[str, ...]]] = {}
        for board in boards:
            self._verbs.setdefault(board.seat, {}).update(places_of(board))
        self._found: dict[tuple[int, str, str], frozenset[BoardPlace]] = {}
        self._taps: collections.Counter[BoardPlace] | None = None
        self._offers = offers

    def of(self, offer: Offer) -> frozenset[BoardPlace]:
        """Return the places whose key is the offer's choice, or begins it up to a slash, or that take its verb.

        A throw belongs to none.
        """
        if offer.action.is_throw:
            return frozenset()
        wanted = offer.action.player, offer.action.verb, offer.action.choice
        found = self._found.get(wanted)
        if found is None:
            found = self._found[wanted] = frozenset(self._search(*wanted))
        return found

    def taps(self, place: BoardPlace) -> int:
        """Return how many offers that are tapped belong to a place."""
        if self._taps is None:
            self._taps = collections.Counter(
                place for offer in self._offers if offer.by_tap for place in self.of(offer)
            )
        return self._taps[place]

    def _search(self, player: int, verb: str, choice: str) -> set[BoardPlace]:
        words = choice.split("/")
        heads = {"/".join(words[:count]) for count in range(1, len(words) + 1)}
        near = ((seat, self._verbs.get(seat, {})) for seat in (0, player))
        said = {verb, f"{verb} ={choice}"}
        return {
            (seat, key)
            for seat, places in near
            for key, verbs in places.items()
            if (not said.isdisjoint(verbs) if verbs else key in heads)
        }


def board_schema(board: Board, places: PlaceIndex, dice: DieSet | None) -> shapes.BoardSchema:
    """Return the JSON of a board; the faces of its dice are titled as `dice` says."""
    builder = _PartBuilder(board.seat, places, dice)
    return shapes.BoardSchema(
        seat=board.seat,
        title=board.title,
        facts=_facts(board.facts),
        columns=board.columns,
        rows=tuple(shapes.BoardRowSchema(**vars(row), taps=builder.taps(row.key)) for row in board.rows),
        parts=tuple(builder.part(part) for part in board.parts),
        brief=board.brief,
    )


def _facts(facts: Iterable[tuple[str, str]]) -> tuple[shapes.BoardFact, ...]:
    return tuple(shapes.BoardFact(name, value) for name, value in facts)


def dice_schema(dice: Iterable[Die], known: DieSet | None) -> tuple[shapes.TitledDie, ...]:
    """Return the JSON of dice on a board or in an offer; their faces are titled as the die set says."""
    return tuple(
        shapes.TitledDie(die.kind, die.face or "", known.face_title(die.kind, die.face) if known and die.face else "")
        for die in dice
    )


def part_schemas(parts: Iterable[BoardPart], dice: DieSet | None) -> tuple[shapes.BoardPartSchema, ...]:
    """Return the JSON of parts that lie before nobody, such as those of a picture."""
    builder = _PartBuilder(0, PlaceIndex((), ()), dice)
    return tuple(map(builder.part, parts))


class _PartBuilder:
    """Makes the JSON of one board's parts."""

    def __init__(self, seat: int, places: PlaceIndex, dice: DieSet | None) -> None:
        self._seat, self._places, self._dice = seat, places, dice

    def part(self, part: BoardPart) -> shapes.BoardPartSchema:
        taps = self.taps(part.key)
        match part:
            case DicePlace():
                return self._place(part)
            case Section(key, title, places, note, is_here, facts):
                shown = tuple(self._card(place) if isinstance(place, Card) else self._place(place) for place in places)
                return shapes.SectionSchema("section", key, title, shown, note, is_here, _facts(facts), taps)
            case Track():
                return shapes.TrackSchema(**vars(part), taps=taps)
            case Card():
                return self._card(part)
            case Lights():
                return shapes.LightsSchema(**vars(part), taps=taps)
            case Tally():
                return shapes.TallySchema(**vars(part), taps=taps)

    def _place(self, place: DicePlace) -> shapes.DicePlaceSchema:
        return shapes.DicePlaceSchema(
            part="dice",
            key=place.key,
            title=place.title,
            dice=dice_schema(place.dice, self._dice),
            room=place.room,
            points=place.points,
            price=place.price,
            needs=place.needs,
            wanted=dice_schema(place.wanted, self._dice),
            takes_all=place.takes_all,
            mark=place.mark,
            taps=self.taps(place.key),
        )

    def _card(self, card: Card) -> shapes.CardSchema:
        return shapes.CardSchema(
            part="card",
            key=card.key,
            title=card.title,
            face=card.face,
            dice=dice_schema(card.dice, self._dice),
            discarded=card.discarded,
            holds=card.holds,
            made_of=dice_schema(card.made_of, self._dice),
            dealt_to=card.dealt_to,
            mark=card.mark,
            taps=self.taps(card.key),
        )

    def taps(self, key: str) -> int:
        return self._places.taps((self._seat, key)) if key else 0


# Encode a question, its answers, and dice that have to be put back


def question_schema(question: Question, dice: DieSet | None) -> shapes.QuestionSchema:
    """Encode an open question with its answers and their pictures."""
    pictures = _choice_pictures(question, dice)
    return shapes.QuestionSchema(
        **_facts_of(question, QuestionFacts),
        choices=tuple(
            _choice(choice, _effect(question, choice[0]), dice, picture=pictures.get(choice[0], ""), likely=likely)
            for choice, likely in ((each, place < question.likely) for place, each in enumerate(question.choices))
        ),
    )


def _facts_of(value: object, kind: type[QuestionFacts | SnapshotFacts]) -> dict[str, Any]:
    """Return the fields of a value that it has as one of this kind, its base."""
    return {each.name: getattr(value, each.name) for each in fields(kind)}


def _effect(question: Question, answer: str) -> AnswerEffect:
    """Return what an answer makes of the table; an empty one where nothing is known of it."""
    return next((effect for effect in question.effects if effect.answer == answer), AnswerEffect(answer))


def _choice(
    choice: tuple[str, str], effect: AnswerEffect, dice: DieSet | None, *, picture: str, likely: bool
) -> shapes.AnswerChoice:
    return shapes.AnswerChoice(
        *choice,
        likely=likely,
        picture=picture,
        before=dice_schema(effect.before, dice),
        after=dice_schema(effect.after, dice),
        seat=effect.seat,
        turn=effect.turn,
        points=effect.points,
        steps=tuple(shapes.AnswerStepSchema(step.title, dice_schema(step.dice, dice)) for step in effect.steps),
    )


def _choice_pictures(question: Question, dice: DieSet | None) -> dict[str, str]:
    """Return the addresses of the pictures that go with answers: of faces, or of the dice to choose among."""
    if question.topic is QuestionTopic.KIND:
        named = zip(question.dice, question.crops, strict=True)
        return {str(number): f"/pictures/{crop}.jpg" for number, crop in named if crop}
    return {str(die.face): f"/faces/{dice.name}/{die.kind}/{die.face}.jpg" for die in question.shown if dice}


# Build the JSON of the game from the referee's values


FEW_TIED = 12
"""A snapshot lists a player's offers that belong to places of boards only if they are at most this many."""
LOTS = "lot"
"""The verb of the throw that decides who begins: it is nobody's turn."""
MOST_THROWS = 4
MOST_BY_HAND = 12
"""A verb with more throws, or more ways to move dice by hand, is listed once, with what the verb does."""
ANYBODY = 0
"""The player of a throw that several players may make."""
LARGE = 100
"""From so many points, turns or cards on a figure is shown without decimals."""


def snapshot_response(snapshot: Snapshot) -> shapes.SnapshotResponse:
    dice = snapshot.state.dice if snapshot.state else None
    places = PlaceIndex(snapshot.boards, snapshot.offers)
    return shapes.SnapshotResponse(
        **_facts_of(snapshot, SnapshotFacts),
        game=_heading(snapshot.game, dice),
        state=_state(snapshot),
        calls=tuple(_call(call, dice) for call in snapshot.calls),
        moment=strongest_moment(snapshot.calls) or "",
        offers=_listed_offers(snapshot, places),
        boards=tuple(board_schema(board, places, dice) for board in snapshot.boards),
        questions=tuple(question_schema(question, dice) for question in snapshot.questions),
        odds=bool(snapshot.game and has_odds(snapshot.game)),
        extras=_extras(snapshot),
    )


def _call(call: Call, dice: DieSet | None) -> shapes.CallSchema:
    return shapes.CallSchema(call.sentence, call.rule, call.moment or "", _sum(call.sum, dice) if call.sum else None)


def _sum(counted: DiceSum, dice: DieSet | None) -> shapes.DiceSumSchema:
    terms = tuple(shapes.SumTermSchema(dice_schema(term.dice, dice), term.worth, term.label) for term in counted.terms)
    return shapes.DiceSumSchema(terms, counted.times, counted.total)


def _extras(snapshot: Snapshot) -> shapes.ExtrasSchema:
    return shapes.ExtrasSchema(
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


def game_schema(game: Game) -> game_schemas.GameSchema:
    """Return a game as the set-up page lists it."""
    return game_schemas.GameSchema(
        name=game.name,
        title=game.title,
        die_set=game.die_set,
        seats=game.seats,
        turns=game.finish is not None,
        how_to_play=bool(game.how_to_play),
        options=tuple(map(_option, game.options)),
    )


def _option(option: Option) -> game_schemas.OptionSchema:
    readings = tuple(game_schemas.OptionReading(value, meaning) for value, meaning in option.readings)
    return game_schemas.OptionSchema(option.name, option.title, option.default, option.source, readings)


def _heading(game: Game | None, dice: DieSet | None) -> shapes.GameHeading | None:
    kinds = tuple(shapes.KindHeading(kind.name, kind.title, kind.bodies) for kind in dice.kinds) if dice else ()
    return shapes.GameHeading(game.name, game.title, dice.name if dice else game.die_set, kinds) if game else None


def _state(snapshot: Snapshot) -> shapes.StateSchema | None:
    game, state = snapshot.game, snapshot.state
    if state is None:
        return None
    return shapes.StateSchema(
        players=_players(state),
        to_act=state.to_act,
        on_turn=state.on_turn,
        winner=state.winner,
        dice_awaited=_awaited(state),
        tell=game.tell(state) if game else "",
        lots=any(offer.action.verb == LOTS for offer in snapshot.offers),
    )


def _players(state: GameState) -> tuple[shapes.PlayerScore, ...]:
    scores = dict(enumerate(state.scores))
    return tuple(
        shapes.PlayerScore(player.seat, player.name, scores.get(place, 0), player.seat in state.gone)
        for place, player in enumerate(state.players)
    )


def _awaited(state: GameState) -> tuple[shapes.AwaitedDice, ...]:
    counts = Counter(die.kind for die in state.dice_awaited)
    return tuple(shapes.AwaitedDice(kind, _kind_title(kind, state.dice), count) for kind, count in counts.most_common())


def _kind_title(kind: KindName, dice: DieSet) -> str:
    try:
        return dice.kind(kind).title
    except NoSuchFace:
        return kind


def _offer(game: Game | None, offer: Offer) -> shapes.OfferSchema:
    action = offer.action
    grave = game is not None and action.verb in game.grave
    return shapes.OfferSchema(
        action=str(action),
        player=action.player,
        verb=action.verb,
        choice=action.choice,
        title=offer.title,
        by_tap=offer.by_tap,
        grave=grave,
        usual=offer.usual,
        means=game.help_texts.get(action.verb, "") if game and grave else offer.loses,
    )


def offers_response(snapshot: Snapshot, seat: int, key: str) -> game_schemas.OffersResponse:
    """Return the offers that belong to a place of a seat's board, to any for ''. A snapshot only counts many."""
    places = PlaceIndex(snapshot.boards, snapshot.offers)
    tied = [offer for offer in snapshot.offers if offer.by_tap and _is_tied(places.of(offer), seat, key)]
    return game_schemas.OffersResponse(
        snapshot.number, tuple(_table_offer(snapshot, offer, places, is_of_several=False) for offer in tied)
    )


def _is_tied(found: frozenset[BoardPlace], seat: int, key: str) -> bool:
    return (seat, key) in found if key else any(board == seat for board, _ in found)


def agreements_response(snapshot: Snapshot) -> game_schemas.AgreementsResponse:
    """Return what the table may agree on now: who is skipped, begins or leaves, and a throw that does not count."""
    game, state = snapshot.game, snapshot.state
    said = said_now(game, state) if game and state else ()
    offers = tuple(_agreed_offer(action, AGREEMENTS[action.verb], state) for action in said if state)
    return game_schemas.AgreementsResponse(snapshot.number, offers, snapshot.last_throw)


def _agreed_offer(action: Action, agreed: Agreement, state: GameState) -> shapes.OfferSchema:
    return shapes.OfferSchema(
        action=str(action),
        player=action.player,
        verb=action.verb,
        choice="",
        title=agreed.title(state, action),
        by_tap=True,
        grave=agreed.grave,
        usual=0,
        means=agreed.help if agreed.grave else "",
    )


def throws_response(snapshot: Snapshot) -> game_schemas.ThrowsResponse:
    """Return the throws that may be entered by hand now, each once though several players may make it."""
    seats: dict[Action, list[int]] = {}
    titles = dict[Action, str]()
    for offer in snapshot.offers if snapshot.manual_entry else ():
        if offer.action.is_throw:
            throw = replace(offer.action, player=ANYBODY)
            seats.setdefault(throw, []).append(offer.action.player)
            titles.setdefault(throw, offer.title)
    return game_schemas.ThrowsResponse(
        step=snapshot.step,
        throws=tuple(_throw(throw, seats[throw], title) for throw, title in titles.items()),
        kinds=tuple(_kind(kind) for kind in snapshot.state.dice.kinds) if snapshot.state else (),
    )


def _throw(throw: Action, seats: list[int], title: str) -> game_schemas.ThrowSchema:
    dice = tuple(game_schemas.ThrowDie(die.kind, die.face or "") for die in throw.dice)
    return game_schemas.ThrowSchema(tuple(seats), throw.verb, throw.choice, title, dice)


def _kind(kind: DieKind) -> OtherKind:
    return OtherKind(kind.name, kind.title, tuple(FaceTitle(face, kind.title_of(face)) for face in kind.faces))


def _listed_offers(snapshot: Snapshot, places: PlaceIndex) -> tuple[shapes.TableOffer, ...]:
    """Return the offers that belong to no place of a board, or to few; a throw that several may make is there once."""
    tied = Counter(offer.action.player for offer in snapshot.offers if places.of(offer))
    free = [
        each for each in snapshot.offers if tied[each.action.player] <= FEW_TIED or not places.of(each) or each.usual
    ]
    free = _shortened(snapshot.game, free)
    seats: dict[str, set[int]] = {}
    for offer in free:
        seats.setdefault(_label(offer), set()).add(offer.action.player)
    once = {_label(offer): offer for offer in reversed(free)}
    return tuple(
        _table_offer(snapshot, offer, places, is_of_several=len(seats[label]) > 1)
        for label, offer in reversed(once.items())
    )


def _table_offer(snapshot: Snapshot, offer: Offer, places: PlaceIndex, *, is_of_several: bool) -> shapes.TableOffer:
    shown = vars(_offer(snapshot.game, offer))
    dice = dice_schema(offer.action.dice, snapshot.state.dice if snapshot.state else None)
    where = tuple(f"{seat}:{key}" for seat, key in sorted(places.of(offer)))
    found = shapes.TableOffer(**shown, places=where, dice=dice, throws=offer.throws)
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


def chance_figure(chance: Chance) -> game_schemas.ChanceFigure:
    """Return a chance in percent with one decimal, or points, turns or cards."""
    return game_schemas.ChanceFigure(chance.what, _figure(chance), chance.advised)


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
