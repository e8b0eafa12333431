"""Whole games in a real browser: dice are thrown and carried on the table, and every choice is made on the boards.

The table is a real session without a camera: what the pipeline would say of the dice is said by `TableDice`. Choices
are taps on places of the boards; `BoardPlayer` fails where a choice has no place.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from browsers import lent_app, served
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from models import die_sets
from referee.actions import Action, DiePosition, GameState
from referee.dice import Die, DieSet, FaceName, KindName, Zone
from referee.game import Game
from referee.games import games, named
from referee.judge import judge
from referee.snapshot import Offer
from vander.app.backends import Backends
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.session import Session, open_session
from vander.table.session_state import MeaningQuestion, WhoThrewQuestion
from vision.observations import DieReading, DieSighting, Observation, Posture, TrackedDie
from web.schemas.snapshot_response import PlaceIndex

TABLET = (1024, 768)
NAMES = ("Ann", "Bob", "Cy")
MOST_STEPS = 400
MOST_TRIES = 4
BRIEFLY_MS = 3000
PATIENTLY_MS = 60_000
LOOKS_MS = 20
"""How often the page is asked. By default Playwright asks at each frame: the browser then draws without a pause."""
NOWHERE = "about:blank"
ASKED = ".place-popover, #dialog[open]"
CHANGED = "([number]) => document.getElementById('table').dataset.number !== number"
CHANGED_OR_ASKS = f"""([number, place]) => document.getElementById('table').dataset.number !== number
  || [...document.querySelectorAll('{ASKED}')].some((each) => each.id || each.dataset.of === place)"""
"""The list of another place does not count: on a sheet the page asks for the next price by itself."""

Chooser = Callable[[GameState, Sequence[Action]], Action]
"""What the players do next, among the actions that are not grave."""
Luck = Callable[[random.Random, DieSet, Die], FaceName]
"""The face that a die shows when it is thrown."""


def any_face(rng: random.Random, dice: DieSet, die: Die) -> FaceName:
    """Each side as likely as another."""
    return rng.choice([side.name for side in dice.kind(die.kind).sides])


@dataclass
class TableDice:
    """The dice of a set on the table: numbered, with face and zone, as the pipeline would read them."""

    dice: DieSet
    frame: int = 0
    throws: int = 0
    kinds: dict[int, KindName] = field(default_factory=dict)
    faces: dict[int, FaceName] = field(default_factory=dict)
    zones: dict[int, Zone] = field(default_factory=dict)
    thrown: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kinds = [kind.name for kind, count in self.dice.counts for _ in range(count)]
        self.kinds = dict(enumerate(kinds, start=1))
        self.faces = {number: self.dice.kind(kind).faces[0] for number, kind in self.kinds.items()}

    def throw(self, positions: Sequence[DiePosition], faces: Sequence[Die]) -> None:
        """Throw the dice that lie so; they show these faces in the field."""
        numbers = self.find(positions)
        self.throws += 1
        left = list(faces)
        for number in numbers:
            die = next(die for die in left if die.kind == self.kinds[number])
            left.remove(die)
            assert die.face
            self.faces[number], self.zones[number], self.thrown[number] = die.face, Zone.FIELD, self.throws

    def carry(self, wanted: Sequence[DiePosition]) -> None:
        """Carry dice so that they lie as wanted."""
        free = list(self.kinds)
        for position in sorted(wanted, key=lambda each: each.zone is None):
            number = self._nearest(position, free)
            free.remove(number)
            if position.zone and position.zone is not Zone.SIGNAL:
                self.zones[number] = position.zone

    def find(self, positions: Sequence[DiePosition]) -> list[int]:
        """Return the numbers of dice that lie so, those with a face and a zone first."""
        free, found = list(self.kinds), list[int]()
        for position in sorted(positions, key=lambda each: (each.die.face is None, each.zone is None)):
            found.append(self._nearest(position, free))
            free.remove(found[-1])
        return found

    def _nearest(self, position: DiePosition, free: Sequence[int]) -> int:
        def differs(number: int) -> tuple[bool, bool]:
            face_differs = position.die.face not in (None, self.faces[number])
            return face_differs, position.zone not in (None, self.zones.get(number, Zone.FIELD))

        return min((number for number in free if self.kinds[number] == position.die.kind), key=differs)

    def look(self) -> Observation:
        """Return what the pipeline says now."""
        self.frame += 1
        return Observation(self.frame, self.throws, tuple(map(self._die, self.kinds)), at_rest=True, hands_in=False)

    def _die(self, number: int) -> TrackedDie:
        sighting = DieSighting(30.0 * number, 50, 16, 0, Posture.FLAT, 0.99, 100.0 * number, 200, 50)
        reading = DieReading(sighting, self.kinds[number], self.faces[number], 0.99, accepted=True)
        return TrackedDie(number, reading, self.zones.get(number, Zone.FIELD), self.thrown.get(number, 0))


@dataclass
class BoardPlayer:
    """Plays a game for everybody: hands throw and carry dice, and all else is done on the boards of one tablet."""

    page: Page
    table: Session
    game: Game
    choose: Chooser
    luck: Luck = any_face
    rng: random.Random = field(default_factory=lambda: random.Random(1))  # noqa: S311 -- a game's dice
    tapped: Counter[str] = field(default_factory=Counter)
    """How often each verb was done on the boards."""
    pressed: Counter[str] = field(default_factory=Counter)
    """How often each verb of `buttons` was done by its button in the action bar."""
    buttons: frozenset[str] = frozenset()
    """The verbs that have no place on the boards, and a button instead."""
    is_put_away: Callable[[GameState], bool] = lambda _state: False
    """While the tablet is put away, what is chosen is told to the table, as by another tablet."""

    def __post_init__(self) -> None:
        self.laid = TableDice(self.table.dice)
        self._observe()
        state = self.table.snapshot().state
        assert state is not None
        self.state = state

    def play(self, most: int = MOST_STEPS) -> GameState:
        """Play until the game is over, or for so many steps."""
        for _ in range(most):
            if not self.state.to_act:
                break
            self.step()
        return self.state

    def step(self) -> None:
        """One throw, one carrying of dice, or one choice on a board."""
        offers = [each for each in self.game.legal(self.state) if each.verb not in (*self.game.grave, self.game.lost)]
        self.do(self.choose(self.state, offers))

    def do(self, action: Action) -> None:
        """Do an action as people do, and hold table and page against what the rules make of it."""
        is_away = self.is_put_away(self.state)
        if is_away != self.page.url.startswith(NOWHERE):
            self.page.goto(NOWHERE if is_away else "/")
        if action.is_throw:
            action = self._throw(action)
        elif self._is_carried(action):
            self.laid.carry(self.game.lay(judge(self.game, self.state, action).state))
            self._observe()
        elif is_away:
            self.table.act(str(action))
        else:
            self.tap(action)
        self.state = judge(self.game, self.state, action).state
        self._compare(action)
        if not is_away:
            self.wait()

    def _throw(self, offer: Action) -> Action:
        faces = tuple(Die(die.kind, die.face or self.luck(self.rng, self.state.dice, die)) for die in offer.dice)
        self.laid.throw(self.game.thrown(self.state, offer), faces)
        self._observe()
        return Action(offer.player, offer.verb, faces, offer.choice)

    def _is_carried(self, action: Action) -> bool:
        return any(each.action == action and not each.by_tap for each in self.table.snapshot().offers)

    def _observe(self) -> None:
        self.table.observe(self.laid.look())

    def _compare(self, action: Action) -> None:
        self._answer()
        now = self.table.snapshot()
        assert not now.questions, now.questions[0].sentence
        is_held = action.verb in self.game.by_hand  # until the next throw or tap
        assert is_held or now.state == self.state, f"{action}: {now.notice}"
        assert now.state != self.state or now.boards == self.game.boards(self.state), f"{action}: {now.notice}"

    def _answer(self) -> None:
        """Answer what the dice alone cannot tell: who threw them, where a throw could as well be the next player's."""
        for prompt in self.table.state.unresolved.prompts[:1]:
            for place, way in enumerate(prompt.ways if isinstance(prompt, MeaningQuestion) else ()):
                if self._ends_here(way):
                    asks_who = isinstance(prompt, WhoThrewQuestion)
                    self.table.answer(prompt.question.number, str(way[-1][0].player if asks_who else place))
                    return

    def _ends_here(self, way: Sequence[tuple[Action, object]]) -> bool:
        state = self.table.snapshot().state
        assert state is not None
        for action, _ in way:
            state = judge(self.game, state, action).state
        return state == self.state

    def wait(self) -> None:
        """Wait until the page shows the table's last snapshot."""
        expect(self.page.locator(f'#table[data-number="{self.table.snapshot().number}"]')).to_be_attached()

    # Choices on the boards

    def tap(self, action: Action) -> None:
        """Do an action by a tap on its place, and on its line in the list that the place opens."""
        before = self.table.snapshot().number
        self._show_board_of(action.player)
        if action.verb in self.buttons:
            self._put_list_away()
            self.page.locator(f'#offers [data-action="{action}"]').click()
            self.pressed[action.verb] += 1
        else:
            self._choose_on_board(action, str(before))
            self.tapped[action.verb] += 1
        self.page.wait_for_function(CHANGED, arg=[str(before)], polling=LOOKS_MS)

    def _show_board_of(self, seat: int) -> None:
        """Bring a player's board to the front, where one is shown at a time."""
        card = self.page.locator(f'#players .player[data-seat="{seat}"] .bring-to-front[aria-pressed="false"]')
        if card.count():
            self._put_list_away()
            card.click()
            expect(self.page.locator(f'#boards [data-board="{seat}"]')).to_be_visible()

    def _put_list_away(self, but: str = "") -> None:
        """Put away the list of another place than that one, as the list of the next price."""
        popover = self.page.locator(".place-popover")
        if popover.count() and popover.get_attribute("data-of") != but:
            self.page.keyboard.press("Escape")
            expect(popover).to_have_count(0)

    def _choose_on_board(self, action: Action, before: str) -> None:
        place = self.place_of(action)
        named_place = str(place.get_attribute("data-place"))
        self._tap_place(place, named_place)
        self.page.wait_for_function(CHANGED_OR_ASKS, arg=[before, named_place], polling=LOOKS_MS)
        if self.page.locator(ASKED).count():
            self._choose_in_list(action)

    def _tap_place(self, place: Locator, named_place: str) -> None:
        """Tap a place; once more where the list of the next price came up over it meanwhile."""
        for left in reversed(range(MOST_TRIES)):
            self._put_list_away(but=named_place)
            if self.page.locator(".place-popover").count():
                break
            try:
                place.locator(".put").first.click(timeout=BRIEFLY_MS if left else PATIENTLY_MS)
                break
            except PlaywrightTimeout:
                if not left:
                    raise

    def _choose_in_list(self, action: Action) -> None:
        """Choose the action where the place asks which: in its small list, by its dice, or in the dialog."""
        for die, count in Counter(action.dice).items():
            buttons = self.page.locator(f'.choose-dice button:has([data-kind="{die.kind}"][data-face="{die.face}"])')
            for place in range(min(count, buttons.count())):
                buttons.nth(place).click()
        self.page.locator(ASKED).locator(f'[data-action="{action}"]').click()

    def place_of(self, action: Action) -> Locator:
        """Return the place of an action on the boards; fails where it has none."""
        snapshot = self.table.snapshot()
        places = PlaceIndex(snapshot.boards, snapshot.offers).of(Offer(action, "", by_tap=True))
        assert places, f"no place on a board is for {action}"
        named_places = [f'#boards [data-place="{seat}:{key}"]:has(.put)' for seat, key in sorted(places)]
        return self.page.locator(", ".join(named_places)).last


@contextmanager
def seated(
    chromium: Browser,
    folder: Path,
    game: str,
    choose: Chooser,
    *,
    players: int = 2,
    options: dict[str, str] | None = None,
    luck: Luck = any_face,
    starter: int = 0,
    size: tuple[int, int] = TABLET,
    bay: bool = True,
) -> Iterator[BoardPlayer]:
    """Sit down at a table with a tablet in a real browser; a fault of a script fails the test."""
    dice = die_sets.load(named(game).die_set or "d6")
    with closing(Journal.in_folder(folder)) as journal:
        table = open_session(
            journal, EvidenceStore(folder / "evidence"), games=games(), dice=dice, camera="by hand", bay=bay
        )
        table.start(game, NAMES[:players], options or {}, "" if named(game).die_set else dice.name, starter=starter)
        with served(lent_app(Backends(table))) as address:
            context = chromium.new_context(
                viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", base_url=address
            )
            page, faults = context.new_page(), list[str]()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto("/")
            try:
                yield BoardPlayer(page, table, named(game), choose, luck)
            finally:
                context.close()
            assert faults == []
