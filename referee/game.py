"""What a game is: a record of verbs and pure functions. `referee.judge` rules on its actions.

All that the file of a game needs can be imported from here (`__all__`); within this project each name has its module.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from typing import Any, Final, Generic

from referee.actions import Action, DiePosition, GameState, Player, fresh_dice, meets
from referee.board import Board, BoardPart, default_boards
from referee.calls import Call, DiceSum, Moment, Outcome, Reasons, Refusal, S, S_co, SumTerm, Verb
from referee.dice import Die, DieSet, RefereeError
from referee.phrases import shown_name, spell_list
from referee.sentences import say

# The options of a game: what its rulebook leaves open, with the readings that a table may choose


class BadOption(RefereeError, ValueError):
    """An option, or a reading of one, that the game does not have."""


@dataclass(frozen=True)
class Option:
    """One ambiguity of the rulebook, named: its readings, the default first, and the sentence that explains it."""

    name: str
    title: str
    readings: tuple[tuple[str, str], ...]
    """(value, what it means), the default first."""
    source: str
    """The ambiguity's number, for example AMB-I-10."""
    before: str = ""
    """The reading of kept games that do not name the option, '' for the default: it, or its default, came later.

    One that is none of the readings is how the game was ruled on once, which no new game may choose.
    """

    @property
    def default(self) -> str:
        """The recommended reading."""
        return self.readings[0][0]

    def read(self, value: str) -> str:
        """Return the value when it is one of the readings, or that of older games. Raises BadOption."""
        values = [known for known, _ in self.readings]
        if value not in (*values, *([self.before] if self.before else [])):
            raise BadOption(
                say(
                    "the option {name} cannot be {value}; it is one of {known}",
                    name=self.name,
                    value=repr(value),
                    known=", ".join(values),
                )
            )
        return value


def read_game_options(game: str) -> tuple[Option, ...]:
    """Return the options in the `options.toml` of a game's folder; what one leaves out is that of all games."""
    folder = files("referee").joinpath("games")
    shared, own = (
        tomllib.loads(folder.joinpath(path).read_text("utf-8")) for path in ("options.toml", f"{game}/options.toml")
    )
    return tuple(_option(shared.get(row["name"], {}) | row) for row in own["option"])


def _option(row: Mapping[str, Any]) -> Option:
    readings = tuple((reading["value"], say(reading["title"])) for reading in row["readings"])
    return Option(row["name"], say(row["title"]), readings, row["source"], row.get("before", ""))


PLAYERS = "players"
"""The name of the option for how many may play; a reading such as `up-to-12` raises the limit."""
_UP_TO = "up-to-"


def most_players(most: int, options: Mapping[str, str]) -> int:
    """Return how many may play by the options of a table, where without the option `most` may."""
    chosen = options.get(PLAYERS, "")
    return int(chosen.removeprefix(_UP_TO)) if chosen.startswith(_UP_TO) else most


LEANING_DIE: Final = "leaning-die"
"""The name of the option for a die that leaned and was set flat by hand."""
SET_FLAT: Final = "set-flat"
SKIPPED_TURN: Final = "skipped-turn"
"""The name of the option for what a turn has brought that is then skipped, or whose player leaves (A.1-1, A.1-3)."""
STAYS: Final = "stays"
LEADER_LEAVES: Final = "leader-leaves"
"""The name of the option for last turns in which everybody leaves who has reached the goal."""
ENDS: Final = "ends"


def options_of_its_day(options: Sequence[Option], kept: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a game that was begun earlier: one that it does not name is newer than the game."""
    return {option.name: option.before for option in options if option.before} | dict(kept)


def read_options(options: Sequence[Option], given: Mapping[str, str]) -> dict[str, str]:
    """Return every option of a game with its reading: the given one, else the default. Raises BadOption."""
    names = [option.name for option in options]
    for name in given:
        if name not in names:
            raise BadOption(
                say(
                    "there is no option {name}; there are {known}",
                    name=repr(name),
                    known=", ".join(names) or say("none"),
                )
            )
    return {option.name: option.read(given.get(option.name, option.default)) for option in options}


# How a game is played, told in one minute: a few steps, each a short sentence with a picture


@dataclass(frozen=True)
class PlayStep:
    """One step: a sentence of 20 words at most, and the parts of a board that picture it."""

    sentence: str
    picture: tuple[BoardPart, ...]


__all__ = [
    "Action",
    "BadSheet",
    "BadStart",
    "Call",
    "DiceSum",
    "DiePosition",
    "Game",
    "GameFeat",
    "GameState",
    "Moment",
    "Outcome",
    "Player",
    "Reasons",
    "Refusal",
    "SumTerm",
    "Verb",
    "begin",
    "fresh_dice",
    "meets",
]


class BadStart(RefereeError, ValueError):
    """Players or dice with which a game cannot begin."""


class BadSheet(RefereeError, ValueError):
    """A printed sheet's file that does not hold what the game needs; the message names the place."""


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
    usual(state) -> the verbs of taps that most people do next, the first that is offered before the others
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
    usual: Callable[[S_co], tuple[str, ...]] = _nothing
    how_to_play: tuple[PlayStep, ...] = ()
    feats: tuple[GameFeat[S_co], ...] = ()
    held_actions: int = 2
    cites: Mapping[str, str] = field(default_factory=dict, hash=False)

    def legal(self, state: GameState) -> tuple[Action, ...]:
        """Return the actions that may be done now, seat by seat; () when the game is over."""
        own = self._own(state)
        return tuple(offer for seat in own.to_act for verb in self.verbs for offer in verb.offers(own, seat))

    def usual_taps(self, state: GameState) -> Mapping[Action, int]:
        """Return what most people do next, 1, and what ends the turn instead, 2, for each seat; no throws.

        Of one verb's actions it is the one after which the seat is worth most, the last of several such.
        """
        own, found = self._own(state), dict[Action, int]()
        usual, legal = self.usual(own), self.legal(own)
        for seat in own.to_act:
            offers = [offer for offer in legal if offer.player == seat and not offer.is_throw]
            best = [self._worth_most(own, [one for one in offers if one.verb == verb]) for verb in usual]
            offered = [offer for offer in best if offer is not None]
            found |= {offer: 2 for offer in offered if offer.verb in self.ends_turn}
            found |= dict.fromkeys(offered[:1], 1)
        return found

    def _worth_most(self, state: GameState, offers: Sequence[Action]) -> Action | None:
        """Return the last of those actions of one seat after which it is worth most; None of none."""
        if len(offers) < 2:
            return next(iter(offers), None)
        return max(reversed(offers), key=lambda offer: self.worth(self.play(state, offer)[0], offer.player))

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

    def loses(self, state: GameState, action: Action) -> str:
        """Return what a legal action throws away that could still be had, in a sentence; '' for nothing."""
        return self._verbs[action.verb].loses(self._own(state), action)

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


def begin_again(game: Game[S], names: Sequence[str], dice: DieSet, kept: Mapping[str, str]) -> S:
    """Return the first state of a game that was begun earlier, with the options kept of it, as it was then.

    Raises BadStart or BadOption.
    """
    return begin(game, names, dice, options_of_its_day(game.options, kept))
