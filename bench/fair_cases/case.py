"""A case under way: the table, what is true, and the people at it, who are honest or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from bench.fair_cases.judgement import Facts, Sort
from bench.fair_cases.opening import BAY_SPOTS, FIELD_SPOTS, fraction, kept_positions
from bench.fair_cases.table import FairTable
from referee.actions import Action, DiePosition, GameState
from referee.dice import Die, Zone
from referee.game import Game
from referee.journal import Deed, Source
from referee.judge import judge
from referee.sentences import Refused
from referee.snapshot import NoticeMood, Question, QuestionTopic, Snapshot
from vander.table.answers import on_answer
from vander.table.questions import (
    AS_IT_LIES,
    LIES_FLAT,
    NO_DIE,
    NOT_ALL,
    PUT_BACK,
    THROWN_AGAIN,
    WAS_SET_DOWN,
    WAS_THROWN,
)
from vander.table.session_state import (
    FaceQuestion,
    KindQuestion,
    LeaningQuestion,
    SessionState,
    ThrownQuestion,
    WhoThrewQuestion,
)

HAND_SECONDS = 1.0
"""How long a hand takes to reach to a die and turn or carry it."""
MOST_ROUNDS = 8
"""So often people do what the page says before they give up."""
PARKING = "Park at least one scoring die"
"""Words of a line that is said in every turn, and tells of nothing."""


class NotThisTime(Exception):
    """The case cannot be staged from this opening; another one is tried."""


@dataclass
class Case:
    """A case: `begun` is where the game stood, `offer` the throw that comes next, `fair` where it may stand at the end.

    `thrown` are the dice of the tray that were really thrown last, `flown` all that were and that no hand has turned or
    carried since. `accusable` is True if people broke a rule, `answered` if somebody had to answer a question.
    """

    table: FairTable
    sort: Sort
    begun: GameState
    offer: Action
    fair: list[GameState] = field(default_factory=list)
    thrown: tuple[int, ...] = ()
    flown: set[int] = field(default_factory=set)
    accusable: bool = False
    answered: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.table.setting.game

    @property
    def state(self) -> GameState:
        """Where the game stands now."""
        return self.table.state

    def note(self, *words: object) -> None:
        """Keep what happened, for whoever looks at the worst cases."""
        self.notes.append(f"{self.table.now:.2f} {' '.join(map(str, words))}")

    # Hands

    def dice_of(self, offer: Action | None = None, state: GameState | None = None) -> list[int]:
        """Return dice of the tray that a throw takes: of several alike, any."""
        positions = self.game.thrown(state or self.begun, offer or self.offer)
        return self._picked(positions)

    def kept(self, thrown: Sequence[int] | None = None) -> list[int]:
        """Return dice of the tray that the throw leaves, and that must show what they show.

        thrown: the dice that it takes, where that is settled: of several alike any may be.
        """
        thrown = self.dice_of() if thrown is None else thrown
        positions = kept_positions(self.game, self.begun, self.offer)
        return self._picked(positions, without=thrown)

    def _picked(self, positions: Sequence[DiePosition], without: Sequence[int] = ()) -> list[int]:
        real, places = self.table.true(), self.table.places()
        picked = list[int]()
        for each in sorted(positions, key=lambda one: (one.die.face is None, one.zone is None)):
            fits = [
                n
                for n in places
                if n not in picked and n not in without and n in real and real[n].kind == each.die.kind
                if each.die.face in (None, real[n].face)
            ]
            right = [n for n in fits if places[n] == str(each.zone)] or fits
            if not right:
                raise NotThisTime(f"no die lies as {each}")
            picked.append(self.table.rng.choice(right))
        return sorted(picked)

    def throw(self, numbers: Sequence[int]) -> None:
        """Let a hand pick these dice up and throw them; no time passes."""
        self.table.tray.throw(numbers)
        self.thrown = tuple(numbers)
        self.flown |= {*numbers}
        self.note("throws", list(numbers))

    def throw_and_settle(self, numbers: Sequence[int]) -> None:
        """Throw dice and wait until all is still."""
        self.throw(numbers)
        if not self.table.settle():
            self.note("does not come to rest")

    def come(self, offer: Action, numbers: Sequence[int], state: GameState) -> GameState:
        """Return where a throw leads by what these dice show now."""
        done = replace(offer, dice=self.table.true_dice(numbers))
        ruling = judge(self.game, state, done)
        if ruling.refusal is not None:
            raise NotThisTime(f"{done} is refused: {ruling.refusal.sentence}")
        self.note("came", done)
        return ruling.state

    def throw_leaning(self) -> bool:
        """Throw the dice that lean again, and wait until all is still; False if none leans."""
        leaning = [number for number, die in self.table.true().items() if not die.flat]
        if leaning:
            self.note("throws leaning dice again:", leaning)
            self.table.tray.throw(leaning, fates={})
            self.flown |= {*leaning}
            self.table.settle()
        return bool(leaning)

    def legal_throw(self) -> GameState:
        """Throw the dice that come next, wait for rest, and return where that leads."""
        numbers = self.dice_of()
        self.throw_and_settle(numbers)
        return self.come(self.offer, numbers, self.begun)

    def tip(self, number: int) -> None:
        """Turn a die in its place until it shows another face, while frames are taken."""
        before = self.table.true()[number].face
        self.flown.discard(number)
        for _ in range(5):
            self.table.tray.tip(number)
            self.table.wait(HAND_SECONDS)
            if self.table.true()[number].face != before:
                break
        self.note("turned die", number, "from", before, "to", self.table.true()[number].face)

    def turn_back(self, number: int, die: Die) -> None:
        """Turn a die in its place until it shows that face."""
        for _ in range(6):
            if die.face is None or self.table.true()[number].face == die.face:
                return
            self.flown.discard(number)
            self.table.tray.tip(number)
            self.table.wait(HAND_SECONDS)

    def carry(self, number: int, zone: Zone) -> None:
        """Carry a die to a place of a zone, while frames are taken."""
        self.flown.discard(number)
        spots = {Zone.ASIDE: BAY_SPOTS, Zone.SIGNAL: ((266.0, 34.0),)}.get(zone, FIELD_SPOTS)
        self.table.tray.move(number, *fraction(self.table.tray, *self._free(spots)))
        self.table.wait(HAND_SECONDS)
        self.note("carried die", number, "to", zone)

    def _free(self, spots: Sequence[tuple[float, float]]) -> tuple[float, float]:
        lying = [(die.x_mm, die.y_mm) for die in self.table.true().values()]
        return max(spots, key=lambda spot: min((abs(spot[0] - x) + abs(spot[1] - y) for x, y in lying), default=999))

    def put_right(self) -> None:
        """Lay the dice as the game has them, by hand."""
        layout = list(self.game.lay(self.state))
        places = self.table.places()
        for number in [number for number, place in places.items() if place in ("out", "off")]:
            self.carry(number, Zone.FIELD)
        if not layout:
            self.table.settle()
            return
        real, places = self.table.true(), self.table.places()
        free = sorted(real)
        for closeness in (2, 1, 0):
            for position in list(layout):
                number = next((n for n in free if _fits(position, real[n], places[n], closeness)), None)
                if number is None:
                    continue
                layout.remove(position)
                free.remove(number)
                self.turn_back(number, position.die)
                if position.zone is not None and places[number] != str(_place(position.zone)):
                    self.carry(number, position.zone)
        self.table.settle()

    # Taps

    def tap(self, action: Action) -> bool:
        """Tap an offer; False if it is refused."""
        self.note("taps", action)
        try:
            self.table.session.act(str(action))
        except Refused as refused:
            self.note("refused:", refused)
            return False
        self.table.settle()
        return True

    # Questions

    def answer(self, choose: Callable[[Question], str | None]) -> bool:
        """Answer the first open question; False if there is no answer to give."""
        question = self.table.session.snapshot().questions[0]
        choice = choose(question)
        titles = " / ".join(title for _, title in question.choices)
        self.note("asked", question.sentence, f"[{titles}]", "answered", choice)
        if choice is None:
            return False
        self.answered = True
        try:
            self.table.session.answer(question.number, choice)
        except Refused as refused:
            self.note("refused:", refused)
            return False
        self.table.settle()
        return True

    def true_answer(self, question: Question) -> str | None:
        """Return what an honest person says: a true face or kind, else what leads to where the game may stand."""
        asked = next((each for each in self._prompts if each.question.number == question.number), None)
        choices = [choice for choice, _ in question.choices]
        choice: str | None
        if isinstance(asked, KindQuestion):
            kinds = {number: self.table.true()[self.table.real(number)].kind for number in question.dice}
            choice = next((str(number) for number, kind in kinds.items() if kind == asked.kind), NO_DIE)
        elif isinstance(asked, LeaningQuestion):
            is_flat = all(self.table.true()[self.table.real(number)].flat for number in question.dice)
            choice = LIES_FLAT if is_flat else None
        elif isinstance(asked, WhoThrewQuestion):
            choice = str(self.offer.player)
        elif isinstance(asked, ThrownQuestion):
            choice = self._if_thrown(question)
        elif isinstance(asked, FaceQuestion):
            faces = {str(self.table.true()[self.table.real(number)].face) for number in question.dice}
            choice = faces.pop() if len(faces) == 1 else NOT_ALL
        else:
            choice = self._fair_answer(question, choices)
        return choice if choice in choices else None

    def _fair_answer(self, question: Question, choices: Sequence[str]) -> str | None:
        """Return the answer that leads to where the game may stand, else that the dice were put back or leaned."""
        leads = {choice: self._leads(question, choice) for choice in choices}
        for choice, after in leads.items():
            if after is None or after.match is None or after.match.state not in self.fair:
                continue
            if after.match.state != self.state or not after.unresolved.prompts:
                return choice
        plain = next((choice for choice in (PUT_BACK, THROWN_AGAIN) if choice in choices), None)
        if plain is None and AS_IT_LIES in choices and self.state in self.fair:
            return AS_IT_LIES
        further = (choice for choice, after in leads.items() if after is not None and after.unresolved.prompts)
        return plain or next(further, None)

    def _if_thrown(self, question: Question) -> str:
        """Return whether these dice were thrown: all, none, or some of them."""
        thrown = {self.table.real(number) in self.flown for number in question.dice}
        if len(thrown) == 2:
            return NOT_ALL
        return WAS_THROWN if True in thrown else WAS_SET_DOWN

    @property
    def _prompts(self) -> Sequence[object]:
        return self.table.session.state.unresolved.prompts  # type: ignore[no-any-return]

    def _leads(self, question: Question, choice: str) -> SessionState | None:
        """Return the session as it would be after an answer; None where it is refused."""
        try:
            return on_answer(self.table.session.state, question.number, choice, Source.TABLET).state
        except Refused:
            return None

    # What honest people do next

    def recover(self) -> None:
        """Do what the page says, as honest people: answer, throw leaning dice again, put right what lies wrong."""
        for _ in range(MOST_ROUNDS):
            shown = self.table.session.snapshot()
            if self.state in self.fair and not _asks(shown):
                return
            if shown.questions and shown.mood is not NoticeMood.BREACH:
                if not self.answer(self.true_answer) and not self._put_right_again(shown):
                    return
            elif self.throw_leaning():
                continue
            elif _asks(shown):
                if not self._put_right_again(shown):
                    return
            else:
                return

    def _put_right_again(self, shown: Snapshot) -> bool:
        """Lay the dice as the game has them; False if the page says the same after it."""
        self.note("page says:", shown.notice)
        self.put_right()
        now = self.table.session.snapshot()
        return (now.notice, now.questions, now.state) != (shown.notice, shown.questions, shown.state)

    # The end

    def facts(self) -> Facts:
        """Return what is known of the case now."""
        first, shown = self.table.story.moments[0].shown, self.table.session.snapshot()
        moments = [moment.shown for moment in self.table.story.moments[1:]]
        entries = self.table.entries[self.table.story.entries :]
        breaches = [entry for entry in entries if entry.deed is Deed.BREACH]
        told = bool(breaches) or _has_line(first, shown) or any(_is_lost(self.game, entry.action) for entry in entries)
        is_cheat = self.sort is Sort.CHEAT
        asked = self.answered or any(map(_must_be_answered, moments)) or (is_cheat and any(map(_asks, moments)))
        return Facts(
            sort=self.sort,
            score_right=self.state in self.fair,
            told=told,
            asking=_asks(shown) and shown.notice != first.notice,
            asked=asked,
            journalled=any(entry.deed not in (Deed.PLAY, Deed.BREACH) for entry in entries),
            breach=bool(breaches) and not self.accusable,
        )


def _asks(shown: Snapshot) -> bool:
    """True if the page asks, or says what is to be done otherwise than in any turn."""
    says = bool(shown.notice) and not shown.notice_is_prompt and PARKING not in shown.notice
    return bool(shown.questions) or (says and shown.mood is not NoticeMood.LOST)


def _must_be_answered(shown: Snapshot) -> bool:
    """True if the page asks for more than to throw a leaning die again: who does so need not answer."""
    return any(question.topic is not QuestionTopic.LEANING for question in shown.questions)


def _has_line(first: Snapshot, last: Snapshot) -> bool:
    """True if a line that stays on the page says that people did something."""
    before, now = getattr(first, "interventions", ()), getattr(last, "interventions", ())
    marks = ("by hand", "as they lie", "does not count", "taken back", "corrected")
    lines = [line for line in last.last if line not in first.last]
    return (now != before and bool(now)) or any(mark in line for line in lines for mark in marks)


def _is_lost(game: Game, action: Action | None) -> bool:
    return bool(game.lost) and action is not None and action.verb == game.lost


def _fits(position: DiePosition, die: object, place: str, closeness: int) -> bool:
    kind, face = getattr(die, "kind"), getattr(die, "face")  # noqa: B009
    if kind != position.die.kind:
        return False
    same_face = position.die.face in (None, face)
    same_place = position.zone is None or place == str(_place(position.zone))
    return same_face + same_place >= closeness if closeness < 2 else same_face and same_place


def _place(zone: Zone) -> Zone:
    return Zone.ASIDE if zone is Zone.SIGNAL else zone
