"""What a game is: a record of verbs and pure functions. `referee.judge` rules on its actions."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from referee.board import Board
from referee.default_boards import default_boards
from referee.dice import BadAction, Die, DieSet, RefereeError, Zone, fills, in_order, number_on
from referee.game_options import Option, most_players, read_options
from referee.phrases import clockwise, spell_list
from referee.play_step import PlayStep
from referee.seat_names import shown_name
from referee.sentences import say


class BadStart(RefereeError, ValueError):
    """Players or dice with which a game cannot begin."""


class BadSheet(RefereeError, ValueError):
    """A printed sheet's file that does not hold what the game needs; the message names the place."""


_ACTION = re.compile(
    r"(?P<player>[1-9][0-9]?) (?P<verb>[a-z]+(?:-[a-z]+)*)(?P<dice>(?: [^ =]+)*)(?: =(?P<choice>[^ =]+))?"
)


@dataclass(frozen=True)
class Action:
    """What a player did. Chance is an action too: the camera plays `roll`.

    `player` is the seat, from 1. `dice` are put in canonical (sorted) order; in an offer the faces that chance
    will give are unknown (`traffic:?`). `choice` says which way, where a verb has ways (`parked`, `field`).
    The text, `1 fix traffic:happy traffic:two =parked`, reads back: `Action.parse(str(action)) == action`.
    """

    player: int
    verb: str
    dice: tuple[Die, ...] = ()
    choice: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", in_order(self.dice))

    def __str__(self) -> str:
        words = [str(self.player), self.verb, *map(str, self.dice)]
        return " ".join([*words, f"={self.choice}"] if self.choice else words)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an action, whose dice may stand in any order. Raises BadAction with a sentence."""
        found = _ACTION.fullmatch(text)
        if not found:
            raise BadAction(
                say(
                    "{text} is no action; write seat, verb, dice and =choice, for example '1 end'", text=repr(text[:80])
                )
            )
        dice = tuple(Die.parse(word) for word in found["dice"].split())
        return cls(int(found["player"]), found["verb"], dice, found["choice"] or "")

    @property
    def is_throw(self) -> bool:
        """True for the offer of a throw, whose faces only chance can fill in."""
        return any(die.face is None for die in self.dice)


class Moment(StrEnum):
    """What the table celebrates or mourns: the page gives each its own colour and motion.

    SCORE: points are kept. BUST: they are lost. STOP: the rules end the turn, such as a red light. VANDER: a die left
    the table. COME_IN: a player comes into the game. LAST_ROUND: the last turns begin. WIN: the game is won.
    The strongest comes last: of several at once it alone is shown.
    """

    SCORE = "score"
    STOP = "stop"
    BUST = "bust"
    VANDER = "vander"
    COME_IN = "come-in"
    LAST_ROUND = "last-round"
    WIN = "win"


@dataclass(frozen=True)
class SumTerm:
    """Dice that counted, and what they are worth together. `label` says what counted where no dice did."""

    dice: tuple[Die, ...]
    worth: int
    label: str = ""


@dataclass(frozen=True)
class DiceSum:
    """How a call counted: its terms added up, then taken so many times."""

    terms: tuple[SumTerm, ...]
    times: int = 1

    @property
    def total(self) -> int:
        """The sum of the terms, as many times as it counts."""
        return self.times * sum(term.worth for term in self.terms)

    @classmethod
    def of_numbers(cls, dice: Iterable[Die]) -> Self:
        """Return the sum of the numbers that dice show."""
        return cls(tuple(SumTerm((die,), number_on(die.face)) for die in dice))


@dataclass(frozen=True)
class Call:
    """What the referee says happened: one sentence, and the number of the rule behind it (`I.2-10`).

    `moment` and `sum` are for the page: what the table celebrates or mourns, and the dice that counted.
    """

    sentence: str
    rule: str
    moment: Moment | None = field(default=None, compare=False)
    sum: DiceSum | None = field(default=None, compare=False)


def strongest_moment(calls: Iterable[Call]) -> Moment | None:
    """Return the moment that is shown of these calls: the strongest, None where there is none."""
    order = tuple(Moment)
    return max((call.moment for call in calls if call.moment), key=order.index, default=None)


@dataclass(frozen=True)
class Refusal:
    """Why an action is not allowed: one sentence and the rule."""

    sentence: str
    rule: str


@dataclass(frozen=True)
class Player:
    """A seat at the table, from 1, and who sits there."""

    seat: int
    name: str


@dataclass(frozen=True)
class GameState:
    """Where a game stands. Each game extends it with fields of its own.

    `to_act` are the seats that may act now (empty when the game is over). `dice_awaited` are the dice of the
    next throw, faces unknown; empty while a decision is awaited. `winner` holds the winning seats, `gone` those whose
    players have left the game.
    Two states with the same hash may differ in their options, which are compared but not hashed.
    """

    players: tuple[Player, ...]
    dice: DieSet
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    to_act: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    dice_awaited: tuple[Die, ...] = ()
    winner: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        return self.players[seat - 1].name

    def names(self, seats: Iterable[int]) -> str:
        """Return the names of players, as a sentence has them: `Ann, Bob and Cy`."""
        return spell_list([self.name(seat) for seat in seats], "and")

    @property
    def present(self) -> tuple[int, ...]:
        """Return the seats whose players have not left the game, in order."""
        return tuple(player.seat for player in self.players if player.seat not in self.gone)

    def after(self, seat: int) -> tuple[int, ...]:
        """Return the other seats in turn order after `seat`, without those whose players have left."""
        return tuple(other for other in clockwise(len(self.players), seat) if other not in self.gone)

    @property
    def seat(self) -> int:
        """The first seat that may act, 0 when the game is over."""
        return self.to_act[0] if self.to_act else 0

    @property
    def on_turn(self) -> int:
        """Return the seat whose turn it is, 0 while several act at once and when the game is over."""
        return self.to_act[0] if len(self.to_act) == 1 else 0

    @property
    def who(self) -> str:
        """The name of the player whose turn it is."""
        return self.name(self.seat)

    def whose_throw(self, contenders: Sequence[int]) -> str:
        """Return whose lot is thrown now, among these seats, for a player who has to wait."""
        name = self.name(self.to_act[0])
        if len(contenders) == len(self.present):
            return say("It is {name}'s throw now.", name=name)
        return say("Only {names} throw; it is {name}'s throw now.", names=self.names(contenders), name=name)

    def chose(self, option: str, value: str) -> bool:
        """True if the table plays by this reading of the option."""
        return self.options.get(option) == value


S = TypeVar("S", bound=GameState)
if TYPE_CHECKING:
    S_co = TypeVar("S_co", bound=GameState, covariant=True, default=GameState)
else:
    S_co = TypeVar("S_co", bound=GameState, covariant=True)  # Python 3.13 has `default`, type checkers have it now


@dataclass(frozen=True)
class DiePosition:
    """Where the rules say that a die lies: what the umpire compares the real table with.

    A die whose face is None may show anything; one whose zone is None may lie anywhere, even out of view. One that
    belongs on the SIGNAL spot may lie anywhere in the tray. Its text, `traffic:happy@field`, or `traffic:happy` for
    anywhere, reads back.
    """

    die: Die
    zone: Zone | None

    def __str__(self) -> str:
        return f"{self.die}@{self.zone}" if self.zone else str(self.die)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `kind:face@zone` or `kind:face`. Raises BadAction."""
        die, at, zone = text.partition("@")
        if at and zone not in list(Zone):
            raise BadAction(
                say(
                    "{text} lies nowhere; write a die and @{known}, or the die alone",
                    text=repr(text[:80]),
                    known=", @".join(Zone),
                )
            )
        return cls(Die.parse(die), Zone(zone) if at else None)


Outcome = tuple[S, tuple[Call, ...]]
"""The state after an action, and what the referee says about it."""
Reasons = Iterator[Refusal]
"""Reasons against an action, the one to be told first."""


def fresh_dice(_state: GameState, action: Action) -> tuple[DiePosition, ...]:
    """Return the positions of an action's dice before a throw that picks them up wherever they lie on the field."""
    return tuple(DiePosition(Die(die.kind), Zone.FIELD) for die in action.dice)


@dataclass(frozen=True)
class Verb(Generic[S]):
    """Everything that one verb of a game means, as a record of pure functions and flags.

    offers(state, seat) -> actions with this verb that the seat, one of `to_act`, may do now; in a throw the faces are
        unknown (`traffic:?`)
    play(state, action) -> the state after the action, and one call at least; called with legal actions only
    title(state, action) -> the label of a button for the action; a plain text where the label never changes
    throws(state, action) -> the dice that the action throws, as they lay before (their old faces and zones); () for an
        action without a throw
    refusals(state, action) -> reasons why the action is not offered, the first to be told first; the action may have
        any choice and any dice of the die set. The last reason of all is `usage`, with `rule`.

    `help` says in one sentence what the verb does. `usage` says with which dice and which choice it is written; ''
    means without either.
    `by_hand`: players do it by moving dice, without a tap and without a throw; the umpire holds it back until the next
    throw or tap. `implied`: the next throw may say it without a tap, as taking all dice for the next turn ends the last
    one. `ends_turn`: the player stops and takes what the turn has brought; one such offer at a time at most.
    `grave`: the tablet asks a second time. `lost`: what to play when a die left the table.
    """

    name: str
    rule: str
    help: str
    offers: Callable[[S, int], Iterable[Action]]
    play: Callable[[S, Action], Outcome[S]]
    title: str | Callable[[S, Action], str]
    throws: Callable[[S, Action], tuple[DiePosition, ...]] = lambda _state, _action: ()
    refusals: Callable[[S, Action], Iterable[Refusal]] = lambda _state, _action: ()
    usage: str = ""
    by_hand: bool = False
    implied: bool = False
    ends_turn: bool = False
    grave: bool = False
    lost: bool = False

    def title_of(self, state: S, action: Action) -> str:
        """Return the label of a button for the action; also the words for an action already done."""
        return self.title if isinstance(self.title, str) else self.title(state, action)

    def why_not(self, state: S, action: Action) -> Refusal:
        """Return the first reason why an action with this verb is not offered."""
        usage = Refusal(self.usage or say("{verb!r} takes no dice and no choice.", verb=self.name), self.rule)
        return next(iter(self.refusals(state, action)), usage)


@dataclass(frozen=True)
class GameFeat(Generic[S]):
    """What players of one game may be proud of.

    done(before, action, after) -> the seats that have just done it, by a standing action between two states

    `title` and `text` say it to people, `levels` how often it has to be done for each level of the achievement.
    """

    name: str
    title: str
    text: str
    done: Callable[[S, Action, S], Iterable[int]]
    levels: tuple[int, ...] = (1, 5, 20)


def _settled(state: S) -> S:
    return state


def _nothing(_state: GameState, *_: object) -> tuple[()]:
    return ()


def _no_facts(_state: GameState) -> dict[str, object]:
    return {}


def _no_points(_state: GameState) -> int:
    return 0


def _no_pause(_state: GameState, _action: Action) -> str:
    return ""


def _nobody(_state: GameState, _seat: int) -> None:
    return None


def _no_meaning(_state: GameState, _lying: tuple[DiePosition, ...]) -> None:
    return None


@dataclass(frozen=True)
class Game(Generic[S_co]):
    """A game as a record of pure functions. Each game is a `Game` of its own state; plain `Game` is a game of any.

    `state_type` is the class of the game's states. A method that is given a state of another game raises TypeError.
    `rules` are the numbers on the game's page in referee/rules: nothing else may be cited.
    `verbs` are all verbs of the game: a record of play may hold no others, and `legal` offers them in their order.
    `die_set` is '' for a game that takes any dice.

    setup(players, dice, options) -> the first state
    settle(state) -> the state with what follows from the rest of it, such as `dice_awaited`; done after `setup` and
        after every action
    lay(state) -> where every die of the set lies now; () when anywhere will do, as before the first throw
    tell(state) -> one short sentence: what the table waits for
    fault(state, thrown, kept) -> what is wrong with a throw that no legal action explains: the dice thrown as they
        lay before (the face None where it is not known), and the dice left lying where they lie now
    refusals(state, action) -> reasons against an action of any verb, told before the verb's own
    waits(state, action) -> reasons against an action of a player who may not act now, told before "It is not Ann's
        turn."
    turn_points(state) -> what the turn is worth so far
    unsafe_points(state, seat) -> the points of a seat that its score does not hold yet; by default those of its turn
    boards(state) -> what lies before each player besides the dice, for the tablet; by default the awaited dice and
        everybody's points
    facts(state) -> what everybody can see besides scores and turn points, ready for JSON; its keys never change
    pause(state, action) -> '' or why the action waits a moment before it counts, since another player may
        interrupt it: one sentence, `Bob may put the disk on Ann's deck.`
    relaid(state, lying) -> the state with its dice lying so, for a table that goes on after a breach as the dice
        lie, and what follows from them; None where the rules give such dice no meaning
    pass_over(state, seat) -> the state in which the seat takes no part in what goes on now, and what follows from
        that; None where nothing is awaited of it. Asked for a turn that is skipped, and for players who have left
    finish(state, winner) -> the state at the end of a game that is not played on; None where there is no end
    begin_with(state, seat) -> the state in which the seat has the first turn; None once that is settled
    for_chances(state) -> the state without what has no say in how a throw comes out, so that equal throws of a game
        are worked out once
    alike(state, offer, dice) -> what the rules look at in dice of one kind that fall in an offered throw: the points
        of the throw, and whether it is stopped, are the same for dice with the same answer, so that one fall is ruled
        on for all; None for a game of which nothing like that is known
    goes_on(state) -> True in the middle of a turn; for a game in which a throw that is cancelled, or the verb that ends
        the rolling, leaves the turn going on; None for a game in which both end it
    on_sheets(texts) -> the game with these printed sheets, name to TOML text, besides its own; raises BadSheet

    `how_to_play` tells the game in one minute: four to six steps with their pictures, () for none. `feats` are what
    players may be proud of in this game.
    `held_actions` is how many actions by hand or implied the umpire tries before a throw, at most. `cites` are the
    rules behind the referee's common sentences: `verb`, `dice`, `turn`, `over`, `touched` and `cocked`.
    """

    name: str
    title: str
    die_set: str
    seats: tuple[int, int]
    options: tuple[Option, ...]
    state_type: type[S_co]
    rules: frozenset[str]
    verbs: tuple[Verb[S_co], ...]
    setup: Callable[[tuple[Player, ...], DieSet, Mapping[str, str]], S_co]
    tell: Callable[[S_co], str]
    fault: Callable[[S_co, tuple[DiePosition, ...], tuple[DiePosition, ...]], Refusal]
    lay: Callable[[S_co], tuple[DiePosition, ...]] = _nothing
    settle: Callable[[S_co], S_co] = _settled
    refusals: Callable[[S_co, Action], Iterable[Refusal]] = _nothing
    waits: Callable[[S_co, Action], Iterable[Refusal]] = _nothing
    turn_points: Callable[[S_co], int] = _no_points
    unsafe_points: Callable[[S_co, int], int] | None = None
    boards: Callable[[S_co], tuple[Board, ...]] = default_boards
    facts: Callable[[S_co], Mapping[str, object]] = _no_facts
    pause: Callable[[S_co, Action], str] = _no_pause
    relaid: Callable[[S_co, tuple[DiePosition, ...]], Outcome[S_co] | None] = _no_meaning
    pass_over: Callable[[S_co, int], Outcome[S_co] | None] = _nobody
    finish: Callable[[S_co, tuple[int, ...]], S_co] | None = None
    begin_with: Callable[[S_co, int], S_co | None] = _nobody
    for_chances: Callable[[S_co], S_co] = _settled
    alike: Callable[[S_co, Action, tuple[Die, ...]], Hashable] | None = None
    goes_on: Callable[[S_co], bool] | None = None
    on_sheets: Callable[[Mapping[str, str]], Game[S_co]] | None = None
    how_to_play: tuple[PlayStep, ...] = ()
    feats: tuple[GameFeat[S_co], ...] = ()
    held_actions: int = 2
    cites: Mapping[str, str] = field(default_factory=dict, hash=False)

    def legal(self, state: GameState) -> tuple[Action, ...]:
        """Return the actions that may be done now, seat by seat; () when the game is over."""
        own = self._own(state)
        return tuple(offer for seat in own.to_act for verb in self.verbs for offer in verb.offers(own, seat))

    def allows(self, state: GameState, action: Action) -> bool:
        """True if the action, of a seat that may act and with its faces filled in, is one of the legal ones."""
        own, verb = self._own(state), self._verbs.get(action.verb)
        return verb is not None and any(meets(offer, action) for offer in verb.offers(own, action.player))

    def play(self, state: GameState, action: Action) -> Outcome[S_co]:
        """Return the state after a legal action, and what the referee says. Raises KeyError for an unknown verb."""
        after, calls = self._verbs[action.verb].play(self._own(state), action)
        return self.past_the_gone(after, *calls)

    def past_the_gone(self, state: GameState, *calls: Call) -> Outcome[S_co]:
        """Return the settled state and its calls, after passing over the turns of players who have left."""
        own = self.settle(self._own(state))
        gone = next((seat for seat in own.to_act if seat in own.gone), 0)
        passed = self.pass_over(own, gone) if gone else None
        return self.past_the_gone(passed[0], *calls, *passed[1]) if passed else (own, calls)

    def thrown(self, state: GameState, action: Action) -> tuple[DiePosition, ...]:
        """Return the dice that the action throws, as they lay before (their old faces and zones)."""
        return self._verbs[action.verb].throws(self._own(state), action)

    def as_chance_sees(self, state: GameState) -> GameState:
        """Return the state without names and without whatever cannot influence a throw: the key for caching chances."""
        nameless = tuple(Player(player.seat, str(player.seat)) for player in state.players)
        return replace(self.for_chances(self._own(state)), players=nameless)

    def looks_at(self, state: GameState, offer: Action, dice: tuple[Die, ...]) -> Hashable:
        """Return the key by which the rules tell apart dice of one kind in an offered throw; by default the dice."""
        return self.alike(self._own(state), offer, dice) if self.alike else dice

    def is_mid_turn(self, state: GameState) -> bool | None:
        """Return whether a turn is in progress; None in a game where only calls and verbs say when a turn ends."""
        return self.goes_on(self._own(state)) if self.goes_on else None

    def worth(self, state: GameState, seat: int) -> int:
        """Return the score of a seat plus its points at risk."""
        own = self._own(state)
        if self.unsafe_points is not None:
            return own.scores[seat - 1] + self.unsafe_points(own, seat)
        return own.scores[seat - 1] + (self.turn_points(own) if own.on_turn == seat else 0)

    def seats_with(self, feat: GameFeat[S_co], before: GameState, action: Action, after: GameState) -> tuple[int, ...]:
        """Return the seats that have just done a feat of the game."""
        return tuple(feat.done(self._own(before), action, self._own(after)))

    def offer_title(self, state: GameState, action: Action) -> str:
        """Return the label of a button for the action; also the words for an action already done."""
        return self._verbs[action.verb].title_of(self._own(state), action)

    def why_not(self, state: GameState, action: Action) -> Refusal:
        """Return why an action that is not legal is refused; its seat may act, its dice are of the die set."""
        own, verb = self._own(state), self._verbs.get(action.verb)
        if verb is None:
            return self._no_verb(action)
        return next(iter(self.refusals(own, action)), None) or verb.why_not(own, action)

    def why_wait(self, state: GameState, action: Action) -> Refusal | None:
        """Return the game's own reason against acting out of turn; None if being out of turn is the only one."""
        own = self._own(state)
        return next(iter(self.waits(own, action)), None) if action.verb in self._verbs else self._no_verb(action)

    def cite(self, matter: str) -> str:
        """Return the rule behind a common sentence, '' where the game names none."""
        return self.cites.get(matter, "")

    @cached_property
    def help_texts(self) -> Mapping[str, str]:
        """What each verb does, in one sentence, by its name."""
        return {verb.name: verb.help for verb in self.verbs}

    @cached_property
    def by_hand(self) -> frozenset[str]:
        """The names of the verbs with `by_hand`."""
        return frozenset(verb.name for verb in self.verbs if verb.by_hand)

    @cached_property
    def implied(self) -> frozenset[str]:
        """The names of the verbs with `implied`."""
        return frozenset(verb.name for verb in self.verbs if verb.implied)

    @cached_property
    def ends_turn(self) -> frozenset[str]:
        """The names of the verbs with `ends_turn`."""
        return frozenset(verb.name for verb in self.verbs if verb.ends_turn)

    @cached_property
    def grave(self) -> frozenset[str]:
        """The names of the verbs with `grave`."""
        return frozenset(verb.name for verb in self.verbs if verb.grave)

    @cached_property
    def lost(self) -> str:
        """The name of the verb for a die that left the table, '' where the rules have none."""
        return next((verb.name for verb in self.verbs if verb.lost), "")

    def _no_verb(self, action: Action) -> Refusal:
        known = spell_list(list(self._verbs), "or")
        sentence = say("{game} has no {verb!r}; a player may {known}.", game=self.title, verb=action.verb, known=known)
        return Refusal(sentence, self.cite("verb"))

    @cached_property
    def _verbs(self) -> Mapping[str, Verb[S_co]]:
        return {verb.name: verb for verb in self.verbs}

    def _own(self, state: GameState) -> S_co:
        if not isinstance(state, self.state_type):
            raise TypeError(f"{self.title} is played with {self.state_type.__name__}, not {type(state).__name__}")
        return state


def begin(game: Game[S], names: Sequence[str], dice: DieSet, options: Mapping[str, str] | None = None) -> S:
    """Return the first state of a game, with its players in their seats. Raises BadStart or BadOption."""
    chosen = read_options(game.options, options or {})
    fewest, most = game.seats[0], most_players(game.seats[1], chosen)
    if not fewest <= len(names) <= most:
        counts = {"fewest": fewest, "most": most, "players": len(names)}
        raise BadStart(say("{game} is for {fewest} to {most} players, not {players}", game=game.title, **counts))
    if any(not name.strip() for name in names):
        raise BadStart(say("every player needs a name"))
    if game.die_set and dice.name != game.die_set:
        raise BadStart(
            say(
                "{title} is played with the {die_set} dice, not the {name} dice",
                title=game.title,
                die_set=game.die_set,
                name=dice.name,
            )
        )
    players = tuple(Player(seat, shown_name(name.strip())) for seat, name in enumerate(names, start=1))
    return game.settle(game.setup(players, dice, chosen))


def meets(offer: Action, action: Action) -> bool:
    """True if the action is the offer with its unknown faces filled in."""
    same = (offer.player, offer.verb, offer.choice) == (action.player, action.verb, action.choice)
    return same and fills(offer.dice, action.dice)
