"""What a game is: a record of pure functions; and the one door through which every action goes, `judge`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from referee.board import Board
from referee.dice import BadAction, Die, DieSet, NoSuchFace, RefereeError, Zone, in_order
from referee.options import Option, read_options


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
        """Read an action in its canonical spelling. Raises BadAction with a sentence."""
        found = _ACTION.fullmatch(text)
        if not found:
            raise BadAction(f"{text[:80]!r} is no action; write seat, verb, dice and =choice, for example '1 end'")
        dice = tuple(Die.parse(word) for word in found["dice"].split())
        action = cls(int(found["player"]), found["verb"], dice, found["choice"] or "")
        if str(action) != text:
            raise BadAction(f"{text!r} has its dice out of order; write {str(action)!r}")
        return action

    @property
    def is_throw(self) -> bool:
        """Whether this is the offer of a throw, whose faces only chance can fill in."""
        return any(die.face is None for die in self.dice)


@dataclass(frozen=True)
class Call:
    """What the referee says happened: one sentence, and the number of the rule behind it (`I.2-10`)."""

    sentence: str
    rule: str


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
    next throw, faces unknown; empty while a decision is awaited. `winner` holds the winning seats.
    Two states with the same hash may differ in their options, which are compared but not hashed.
    """

    players: tuple[Player, ...]
    dice: DieSet
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    to_act: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    dice_awaited: tuple[Die, ...] = ()
    winner: tuple[int, ...] = ()

    def name(self, seat: int) -> str:
        """Who sits there."""
        return self.players[seat - 1].name

    @property
    def seat(self) -> int:
        """Whose turn it is: the first seat that may act, 0 when the game is over."""
        return self.to_act[0] if self.to_act else 0

    @property
    def who(self) -> str:
        """The name of the player whose turn it is."""
        return self.name(self.seat)

    def chose(self, option: str, value: str) -> bool:
        """Whether the table plays by that reading of an option."""
        return self.options.get(option) == value


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
            raise BadAction(f"{text[:80]!r} lies nowhere; write a die and @{', @'.join(Zone)}, or the die alone")
        return cls(Die.parse(die), Zone(zone) if at else None)


def _no_points(_state: GameState) -> int:
    return 0


def _no_boards(_state: GameState) -> tuple[Board, ...]:
    return ()


def _no_pause(_state: GameState, _action: Action) -> str:
    return ""


def _not_relaid(_state: GameState, _lying: tuple[DiePosition, ...]) -> None:
    return None


@dataclass(frozen=True)
class Game:
    """A game as a record of pure functions.

    setup(players, dice, options) -> GameState
    legal(state) -> actions that may be done now; in a roll the faces are unknown (`traffic:?`)
    play(state, action) -> (state, calls); it never sees an illegal action
    lay(state) -> where every die of the set lies now; () when anywhere will do (before the first throw)
    thrown(state, action) -> the dice that the action throws, as they lay before (their old faces and zones)
    tell(state) -> one short sentence: what the table waits for
    offer_title(state, action) -> what a button for the action says
    why_not(state, action) -> why an action that `legal` does not hold is refused
    fault(state, thrown, kept) -> what is wrong with a throw that no legal action explains: the dice thrown as they
        lay before (the face None where it is not known), and the dice left lying where they lie now
    turn_points(state) -> what the turn is worth so far
    boards(state) -> what lies before each player besides the dice, for the tablet
    pause(state, action) -> '' or why the action waits a moment before it counts, since another player may
        interrupt it: one sentence, `Bob may put the disk on Ann's deck.`
    relaid(state, lying) -> the state with its dice lying so, for a table that goes on after a breach as the dice
        lie; None where the rules give such dice no meaning
    on_sheets(texts) -> the game with these printed sheets, name to TOML text, beside its own; raises BadSheet

    `verbs` are all verbs of the game, each with what it does in one sentence: a record may hold no others.
    `die_set` is '' for a game that takes any dice. `by_hand` are the verbs that players do by moving dice, without a
    tap and without a throw; the umpire holds them back until the next throw or tap. `implied` are the verbs that the
    next throw itself may say: taking all dice for the next turn ends the last one. `handfuls` is how many
    actions by hand or implied may come before a throw. `lost` is the verb for a die that left the table,
    '' where the rules have none. `grave` are the verbs that a tablet asks about a second time. `ends` are the verbs
    with which a player stops and takes what the turn has brought; a player is offered one of them at most.
    `cites` are the rules behind the referee's common sentences: `dice`, `turn`, `over`, `touched` and `cocked`.
    """

    name: str
    title: str
    die_set: str
    seats: tuple[int, int]
    options: tuple[Option, ...]
    setup: Callable[[tuple[Player, ...], DieSet, Mapping[str, str]], GameState]
    legal: Callable[[Any], tuple[Action, ...]]
    play: Callable[[Any, Action], tuple[Any, tuple[Call, ...]]]
    lay: Callable[[Any], tuple[DiePosition, ...]]
    thrown: Callable[[Any, Action], tuple[DiePosition, ...]]
    tell: Callable[[Any], str]
    offer_title: Callable[[Any, Action], str]
    why_not: Callable[[Any, Action], Refusal]
    fault: Callable[[Any, tuple[DiePosition, ...], tuple[DiePosition, ...]], Refusal]
    verbs: Mapping[str, str] = field(default_factory=dict, hash=False)
    turn_points: Callable[[Any], int] = _no_points
    boards: Callable[[Any], tuple[Board, ...]] = _no_boards
    pause: Callable[[Any, Action], str] = _no_pause
    relaid: Callable[[Any, tuple[DiePosition, ...]], Any | None] = _not_relaid
    on_sheets: Callable[[Mapping[str, str]], Game] | None = None
    by_hand: frozenset[str] = frozenset()
    implied: frozenset[str] = frozenset()
    handfuls: int = 2
    lost: str = ""
    grave: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    cites: Mapping[str, str] = field(default_factory=dict, hash=False)

    def cite(self, matter: str) -> str:
        """The rule behind a common sentence, '' where the game names none."""
        return self.cites.get(matter, "")


def begin(game: Game, names: Sequence[str], dice: DieSet, options: Mapping[str, str] | None = None) -> GameState:
    """A game's first state, with its players in their seats. Raises BadStart or BadOption."""
    fewest, most = game.seats
    if not fewest <= len(names) <= most:
        raise BadStart(f"{game.title} is for {fewest} to {most} players, not {len(names)}")
    if any(not name.strip() for name in names):
        raise BadStart("every player needs a name")
    if game.die_set and dice.name != game.die_set:
        raise BadStart(f"{game.title} is played with the {game.die_set} dice, not the {dice.name} dice")
    players = tuple(Player(seat, name.strip()) for seat, name in enumerate(names, start=1))
    return game.setup(players, dice, read_options(game.options, options or {}))


@dataclass(frozen=True)
class Ruling:
    """The referee's answer to an action: the state after it, what happened, or why not.

    A refusal leaves the state as it was.
    """

    action: Action
    state: GameState
    calls: tuple[Call, ...] = ()
    refusal: Refusal | None = None


def judge(game: Game, state: GameState, action: Action) -> Ruling:
    """Rule on one action: faces are checked against the die set, legality against `legal`, then it is played."""
    refusal = _wrong_dice(game, state, action) or _wrong_turn(game, state, action) or _illegal(game, state, action)
    if refusal:
        return Ruling(action, state, refusal=refusal)
    after, calls = game.play(state, action)
    return Ruling(action, after, calls)


def go_on(game: Game, state: GameState, lying: Sequence[DiePosition]) -> GameState | Refusal:
    """The state of a table that goes on after a breach with its dice lying so, or why it cannot."""
    dice = tuple(each.die for each in lying)
    refusal = _wrong_dice(game, state, Action(1, "lie", dice))
    after: GameState | None = None if refusal else game.relaid(state, tuple(lying))
    return after or refusal or Refusal("The rules give dice that lie so no meaning here.", game.cite("touched"))


def meets(offer: Action, action: Action) -> bool:
    """Whether an action is the offer with its unknown faces filled in."""
    same = (offer.player, offer.verb, offer.choice) == (action.player, action.verb, action.choice)
    return same and _fills(offer.dice, action.dice)


def _fills(offered: Sequence[Die], done: Sequence[Die]) -> bool:
    known = Counter(die for die in offered if die.face is not None)
    rest = Counter(done)
    if known - rest:
        return False
    left = Counter(die.kind for die in (rest - known).elements())
    return left == Counter(die.kind for die in offered if die.face is None)


def _wrong_dice(game: Game, state: GameState, action: Action) -> Refusal | None:
    rule = game.cite("dice")
    for die in action.dice:
        try:
            kind = state.dice.kind(die.kind)
            if die.face is None:
                return Refusal(f"What the {kind.title} shows is not said: write its face for the ?.", rule)
            kind.title_of(die.face)
        except NoSuchFace as wrong:
            return Refusal(_sentence(str(wrong)), rule)
    return _too_many(state, action, rule)


def _too_many(state: GameState, action: Action, rule: str) -> Refusal | None:
    for name, number in Counter(die.kind for die in action.dice).items():
        count = state.dice.count(name)
        if number > count:
            title = state.dice.kind(name).title
            return Refusal(f"Of the {title} there {_are(count)} {count}, not {number}.", rule)
    return None


def _wrong_turn(game: Game, state: GameState, action: Action) -> Refusal | None:
    if not 1 <= action.player <= len(state.players):
        return Refusal(f"There is no seat {action.player}; {len(state.players)} play.", game.cite("turn"))
    if not state.to_act:
        return Refusal("The game is over.", game.cite("over"))
    if action.player not in state.to_act:
        turn = " or ".join(state.name(seat) for seat in state.to_act)
        return Refusal(f"It is not {state.name(action.player)}'s turn; {turn} is to act.", game.cite("turn"))
    return None


def _illegal(game: Game, state: GameState, action: Action) -> Refusal | None:
    if any(meets(offer, action) for offer in game.legal(state)):
        return None
    return game.why_not(state, action)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
