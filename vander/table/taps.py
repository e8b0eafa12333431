"""What people tap or set up: actions, a new game, and how their requests are read. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from models.die_sets import DieSetSource, NoSuchDieSet
from referee.actions import Action
from referee.agreements import BEGIN, is_agreement
from referee.dice import Die, DieSet, FaceName, KindName
from referee.game import BadOption, BadStart, Game, begin
from referee.games import NoSuchGame
from referee.journal import NOBODY, Actor, SeatRules, Source
from referee.judge import judge
from referee.known_players import check_names
from referee.phrases import as_sentence, in_a_row
from referee.sentences import Reason, Refused, say
from referee.snapshot import WaitingAction
from referee.umpire import explain
from referee.umpire.tables import answer_first
from vander.table import questions
from vander.table.breaches import hands_before, take
from vander.table.doubts import find_kind_doubt
from vander.table.held_throws import is_still_due, open_question
from vander.table.match import Match
from vander.table.ruling import accept_table, find_mismatch, find_rethrow, recount
from vander.table.seen_dice import named_kinds
from vander.table.session_state import Backlog, Mode, SessionState, Step, ThrowEnded, Unresolved

# Reading requests

OLD_PAGE = say("The game has moved on. Look again, then tap.")


def playing(state: SessionState) -> Match:
    """Return the match that is on, or was last. Raises Refused."""
    if state.match is None:
        raise Refused(say("No game is being played; set one up first."), Reason.CONFLICT)
    return state.match


def find_game(games: Sequence[Game], name: str) -> Game:
    """Return the game of that name. Raises NoSuchGame."""
    found = next((game for game in games if game.name == name), None)
    if found is None:
        raise NoSuchGame(
            say(
                "there is no game {name}; there are {known}",
                name=repr(name),
                known=", ".join(game.name for game in games),
            )
        )
    return found


def find_dice(known: DieSetSource, name: str) -> DieSet:
    """Return the die set of that name. Raises Refused."""
    try:
        return known.load(name)
    except NoSuchDieSet as error:
        raise Refused(as_sentence(error), Reason.NOT_FOUND) from None


def parse_action(text: str) -> Action:
    """Return the action in the notation of Action. Raises Refused."""
    try:
        return Action.parse(text)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None


def check_step(match: Match, step: str, seat: int = 0) -> None:
    """Refuse what a page that shows that step offered to a seat, if it is old; '' stands for the present step."""
    with _parsing(step):
        if step and match.is_old_for(step, seat):
            raise Refused(OLD_PAGE, Reason.CONFLICT)


def check_step_of_dice(match: Match, step: str) -> None:
    """Refuse what is said of dice that something has happened to since that step."""
    with _parsing(step):
        if step and match.is_old_for_dice(step):
            raise Refused(OLD_PAGE, Reason.CONFLICT)


def check_step_of_game(match: Match, step: str) -> None:
    """Refuse to end another game than the one that a page shows at that step, `0.0` for none."""
    with _parsing(step):
        if step and match.is_of_another_game(step):
            raise Refused(OLD_PAGE, Reason.CONFLICT)


def check_settled(state: SessionState) -> None:
    """Refuse what changes the game while dice move or a hand is in the tray: the throw to come was made before it."""
    if not state.is_settled:
        raise Refused(say("Wait until the dice lie still and all hands are out of the tray."), Reason.CONFLICT)


@contextmanager
def _parsing(step: str) -> Iterator[None]:
    try:
        yield
    except Refused:
        raise
    except ValueError:
        raise Refused(say("{step!r} is no step of a game; a snapshot holds one, such as 12.34.", step=step)) from None


def find_die(dice: DieSet, kind: KindName, face: str) -> Die:
    """Return a die with the face that somebody named: of that kind, or of another where only that has the face.

    Raises Refused where none has.
    """
    kinds = (*named_kinds(dice, kind), *dice.kinds)
    right = next((known for known in kinds if face in known.faces), None)
    if right is None:
        raise Refused(say("No die of this game has a face {face!r}.", face=face))
    return Die(right.name, face_of(dice, right.name, face))


def face_of(dice: DieSet, kind: KindName, face: str) -> FaceName:
    """Return a face by its name, which `dice` must have for the kind."""
    return next(known for known in dice.kind(kind).faces if known == face)


# Tapped actions


def check_tap(state: SessionState, action: Action, step: str) -> None:
    """Refuse a tap on what an old page offered, and where no game is set up."""
    check_step(playing(state), step, action.player)


def check_own_seat(state: SessionState, action: Action, rules: SeatRules, by: Actor) -> None:
    """Refuse a tap for another seat on a phone that is bound to one, where the table wants that."""
    is_own = by.seat in (0, action.player) or not action.player or is_agreement(action)
    if rules.own_seat_only and not is_own:
        owner, other = (playing(state).state.name(seat) for seat in (by.seat, action.player))
        sentence = say("This phone is {owner}'s. Tap for {other} on another one.", owner=owner, other=other)
        raise Refused(sentence, Reason.CONFLICT)


def on_tap(state: SessionState, action: Action, source: Source = Source.TABLET, by: Actor = NOBODY) -> Step:
    """Do a tapped action, counting what hands did just before; one that may be interrupted begins to wait instead."""
    state = state.signed(by)
    match, waiting = playing(state), state.waiting
    _check_nothing_waits(state)
    check_settled(state)
    if is_agreement(action):
        return _agree(state, match, action, source)
    if waiting is None:
        held = _pause(state, match, action)
        return Step(replace(state, waiting=held)) if held else _tap(Step(state), match, action, source)
    if waiting.action == action:
        return Step(state)  # tapped twice
    if waiting.action.player == action.player:
        raise _not_yet(waiting)
    return _tap(Step(state), match, action, source)


def _check_nothing_waits(state: SessionState) -> None:
    """Refuse a tap while a throw waits for an answer, or has to be made again: nobody knows yet what it is about."""
    if is_still_due(state):
        raise Refused(state.unresolved.unfinished, Reason.CONFLICT)
    asked = open_question(state)
    if asked is not None and (state.backlog.observations or state.is_blind):
        raise Refused(answer_first(asked.question.sentence), Reason.CONFLICT)


def _agree(state: SessionState, match: Match, action: Action, source: Source) -> Step:
    """Do what the table has agreed on; what hands did stays open unless it changes where the dice belong."""
    if state.waiting is not None:
        raise _not_yet(state.waiting)
    after = match.play([(action, source)])
    step = Step(state).with_match(after)
    return step if _awaits_the_same(match, after) else accept_table(step)


def _awaits_the_same(before: Match, after: Match) -> bool:
    layouts = (match.game.lay(match.state) for match in (before, after))
    return len(set(layouts)) == 1 and before.state.seat == after.state.seat


def on_waited(
    state: SessionState, waited: WaitingAction, source: Source, before: Match | None, by: Actor = NOBODY
) -> Step:
    """Do an action whose wait is over. Who interrupted it since the match `before` is said with a refusal."""
    if state.waiting is not waited:
        raise Refused(say("Taken back before it counted: {title}.", title=waited.title), Reason.CONFLICT)
    match = playing(state)
    step = Step(replace(state.signed(by), waiting=None))
    try:
        return _tap(step, playing(step.state), waited.action, source)
    except Refused as refused:
        calls = (
            ()
            if before is not None and match.entries is before.entries
            else tuple(call.sentence for call in match.replay.calls)
        )
        sentence = in_a_row(*calls, refused.sentence)
        return replace(step, refused=Refused(sentence, refused.reason, refused.rule))


def is_wait_over(state: SessionState, waited: WaitingAction) -> bool:
    """True if the action waits no longer, is no longer legal, or nobody may interrupt it any more."""
    if state.waiting is not waited:
        return True
    return not playing(state).with_hands(state.unresolved.pending).pause(waited.action)


def _pause(state: SessionState, match: Match, action: Action) -> WaitingAction | None:
    now = match.with_hands(state.unresolved.pending)
    sentence = now.pause(action) if state.config.pause_s else ""
    return WaitingAction(action, now.game.offer_title(now.state, action), sentence) if sentence else None


def _not_yet(waiting: WaitingAction) -> Refused:
    return Refused(say("Wait a moment: {title} does not count yet.", title=waiting.title), Reason.CONFLICT)


def _tap(step: Step, match: Match, action: Action, source: Source) -> Step:
    state = step.state
    ruled, seen = state.table.ruled, state.table.seen
    if ruled is None or seen is None or not state.config.bay or state.is_blind:
        return _tap_unseen(step, match, action, source)
    rethrow, said = find_rethrow(state), state.unresolved.said
    explains = partial(explain, match.game, match.state, ruled, tapped=action, rethrow=rethrow, said=said)
    doubt = find_kind_doubt(match, ruled, seen, explains)
    if doubt is not None:
        return questions.ask(step, questions.kind_question(state.dice, doubt, state.table.crops))
    explained = explains(seen)
    ways = questions.ways_of(explained, action, source)
    if explained.unsure_dice:
        return questions.ask_faces(step, explained.unsure_dice)
    if len(ways) > 1:
        asked = questions.meaning_question(match, explained, state.table.crops, explained.question)
        return questions.ask(step, replace(asked, ways=ways))
    if not ways:
        raise Refused(explained.breach or explained.unfinished, Reason.CONFLICT, explained.rule)
    return _still_wrong(take(step, match, ways[0]), state)


def _still_wrong(step: Step, before: SessionState) -> Step:
    """Keep saying that dice lie wrong which lay wrong before a tap: what is thrown may then be given by hand."""
    if before.unresolved.mismatch is None:
        return step
    return step.to(replace(step.state, unresolved=replace(step.state.unresolved, mismatch=find_mismatch(step.state))))


def _tap_unseen(step: Step, match: Match, action: Action, source: Source) -> Step:
    """Do an action where nothing that lies in the tray can explain it; moves by hand are tapped then."""
    step = take(step, match, (*hands_before(step.state, match, action), (action, source)))
    is_by_hand = step.state.config.bay and step.state.is_blind and action.verb in match.game.by_hand
    if not is_by_hand or step.state.mode is Mode.CAPTURING:
        return step
    return step.to(replace(step.state, mode=Mode.MANUAL))


# A new game


@dataclass(frozen=True)
class GameSetup:
    """A game that can begin: checked, not yet in the journal."""

    game: Game
    players: tuple[str, ...]
    options: Mapping[str, str]
    dice: DieSet
    starter: int = 0


@dataclass(frozen=True)
class SetupRequest:
    """What was chosen on the set-up sheet.

    `die_set` counts for a game that takes any dice; `step` is the page's. `starter` is the seat that begins by
    agreement, 0 where the game's own rules decide. `leave_open` keeps the game open that is on the table.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    die_set: str = ""
    step: str = ""
    starter: int = 0
    leave_open: bool = False


def check_setup(state: SessionState, request: SetupRequest, games: Sequence[Game], known: DieSetSource) -> GameSetup:
    """Return the game that is wanted. Raises Refused for a bad choice, and where another game would be ended."""
    if state.match is not None and state.is_on:
        check_step_of_game(state.match, request.step)
    try:
        game = find_game(games, request.game)
        dice = find_dice(known, game.die_set or request.die_set or state.config.dice.name)
        check_names(request.players)
        start = begin(game, request.players, dice, request.options)
    except NoSuchGame as error:
        raise Refused(as_sentence(error), Reason.NOT_FOUND) from None
    except (BadStart, BadOption) as error:
        raise Refused(as_sentence(error)) from None
    refusal = judge(game, start, _beginning(request.starter)).refusal if request.starter else None
    if refusal:
        raise Refused(refusal.sentence, Reason.INVALID, refusal.rule)
    return GameSetup(game, request.players, start.options, dice, request.starter)


def _beginning(starter: int) -> Action:
    return Action(starter, BEGIN.name)


def on_start(state: SessionState, match: Match, starter: int = 0) -> Step:
    """Begin a match that the journal holds; one that was going on has ended.

    With a `starter` that seat has the first turn, as the table has agreed: the first entry says so.
    """
    step = Step(state)
    if match.start.dice != state.dice:
        step = recount(step)
    seen = step.state.table.seen
    before_game = seen.throw if seen else -1
    table = replace(step.state.table.ruled_on(), thrown_by={}, given={}, before_game=before_game)
    begun = replace(step.state, match=match, table=table, unresolved=Unresolved(), backlog=Backlog())
    step = step.to(replace(begun, waiting=None, unconfirmed=None, resumed=False, returned=False), ThrowEnded())
    return step.with_match(match.play([(_beginning(starter), Source.TABLET)])) if starter else step
