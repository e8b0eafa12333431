"""What a tablet may have to show: one snapshot for each, with Intersection's dice and words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.actions import Action, GameState, Player
from referee.board import Board, BoardRow
from referee.calls import Call, Refusal, Verb
from referee.chances import Chance
from referee.dice import Die, FaceName, KindName
from referee.game import Game, Option
from referee.games import named
from referee.journal import Deed, Source
from referee.snapshot import (
    AnswerEffect,
    AnswerStep,
    DieRing,
    FaceTitle,
    Intervention,
    NoticeMood,
    Offer,
    PutBack,
    Question,
    QuestionTopic,
    ShownDie,
    Snapshot,
    TrayActivity,
    UnconfirmedChange,
    WaitingAction,
)


def _never(*_: Any) -> Any:
    raise AssertionError("a page never plays")


OPTIONS = (
    Option(
        "parked-happy",
        "Unparking a happy while one lies on the field",
        (("either", "the player chooses which happy to roll"), ("field-first", "a happy on the field is rolled first")),
        "AMB-I-1",
    ),
    Option(
        "below-300",
        "Ending below 300 before coming in",
        (("refused", "the player has to go on"), ("nothing", "the turn may end and records nothing")),
        "AMB-I-10",
    ),
)


def _verb(name: str, help_text: str, grave: bool = False) -> Verb:
    return Verb(name, "", help_text, offers=_never, play=_never, title="", grave=grave)


def _game(shipped: Game, options: tuple[Option, ...], seats: tuple[int, int]) -> Game:
    return Game(
        name=shipped.name,
        title=shipped.title,
        die_set=shipped.die_set,
        seats=seats,
        options=options,
        state_type=shipped.state_type,
        verbs=(
            _verb("give-up", "Give up the turn for nothing.", grave=True),
            _verb("vander", "A die left the table: the turn is over.", grave=True),
            _verb("roll", "Throw any number of the dice."),
        ),
        setup=_never,
        tell=_tell,
        fault=lambda *_: Refusal("", ""),
        rules=shipped.rules,
        how_to_play=shipped.how_to_play,
        finish=shipped.finish,
        pass_over=lambda state, seat: (state, ()) if seat in state.to_act else None,
    )


ANN_ACTS = "Ann, 250 parked: play on with the other 2 dice, end the turn and keep 250 or declare double or nothing."
BOB_ACTS = "Bob: roll all six dice."


def _tell(state: GameState) -> str:
    if state.winner:
        return "The game is over."
    return BOB_ACTS if state.dice_awaited or state.to_act[:1] == (2,) else ANN_ACTS


CHANCES = (
    Chance("Every die left can be parked", 0.2222, "chance"),
    Chance("Worth on average when played on", 312.4, "points", advised=True),
    Chance("To 5000 from here", 7.763, "turns"),
)
PAPER_GAME = _game(named("intersection"), OPTIONS, (1, 8))
GAMES = (PAPER_GAME, _game(named("dice"), (), (1, 12)))

FACES = {
    "traffic": ("happy", "star", "sad", "two", "three", "four"),
    "signal": ("go", "slow", "stop"),
}


def die(number: int, face: str, zone: str = "field", confidence: float = 0.99, posture: str = "flat") -> ShownDie:
    """A die as the tablet shows it."""
    kind = "signal" if face in FACES["signal"] else "traffic"
    return ShownDie.of(
        DICE,
        number,
        Die(KindName(kind), FaceName(face)),
        confidence=confidence,
        zone=zone,
        posture=posture,
        crop=f"crop-{face}",
        faces=map(FaceName, FACES[kind]),
    )


def tap(text: str, title: str, usual: int = 0) -> Offer:
    """Something to tap."""
    return Offer(Action.parse(text), title, by_tap=True, usual=usual)


def by_hand(text: str, title: str) -> Offer:
    """Something that the camera sees."""
    return Offer(Action.parse(text), title, by_tap=False)


def state_of(dice: Any, names: str, scores: tuple[int, ...], **fields: Any) -> GameState:
    """A state with these players."""
    players = tuple(Player(seat, name) for seat, name in enumerate(names.split(), start=1))
    return GameState(players, dice, scores=scores, **fields)


class InterruptedTurn(GameState):
    """A turn of the first seat to act, which the others may interrupt."""

    @property
    def on_turn(self) -> int:
        return self.seat


def _intersection() -> Any:
    from models import die_sets

    return die_sets.load("intersection")


def _rollers() -> Any:
    from models import die_sets

    return die_sets.load("rollers")


DICE = _intersection()
PICTURES = f"/faces/{DICE.name}/traffic"
TRAFFIC = Die(KindName("traffic"))
SIGNAL = Die(KindName("signal"))
HAPPY = FaceName("happy")

ASKED_FACES = ("four", "star", "sad", "happy", "two", "three")

IDLE = Snapshot(1, camera="virtual")
START = Snapshot(
    2,
    game=PAPER_GAME,
    state=state_of(DICE, "Ann Bob Cy", (1250, 800, 0), to_act=(2,), dice_awaited=(*(TRAFFIC,) * 5, SIGNAL)),
    calls=(
        Call("Ann ends the turn with four parked dice.", "I.2-17"),
        Call("450 points for Ann.", "I.2-17"),
    ),
    offers=(
        by_hand("2 roll signal:? traffic:? traffic:? traffic:? traffic:? traffic:?", "Roll all six dice together"),
    ),
    dice=(die(1, "happy", "aside"), die(2, "happy", "aside"), die(3, "two"), die(6, "go", "signal")),
    last=("Ann ended the turn: 450", "Ann parked happy, happy", "Ann rolled happy happy two two star, go"),
    take_back="Ann rolls.",
    camera="virtual",
)
PLAYING = Snapshot(
    3,
    game=PAPER_GAME,
    state=state_of(DICE, "Ann Bob Cy", (1250, 800, 0), to_act=(1,)),
    calls=(
        Call("Ann rolled happy, happy, star, two, four, and the signal shows go.", "I.2-2"),
        Call("Ann parked two happies and a star for 250.", "I.2-10"),
    ),
    offers=(
        by_hand("1 roll traffic:? traffic:?", "Play on: roll the two dice on the field"),
        tap("1 end", "End the turn and take 250", usual=1),
        tap("1 double", "Double or nothing"),
        tap("1 give-up", "Give up the turn"),
        tap("1 vander", "A die left the table"),
    ),
    dice=(
        die(1, "two"),
        die(2, "four", confidence=0.71),
        die(3, "happy", "aside"),
        die(4, "happy", "aside"),
        die(5, "star", "aside", 0.96),
        die(6, "go", "signal"),
    ),
    last=(
        "Ann parked happy, happy, star",
        "Ann rolled happy happy star two four, go",
        "Cy gave up",
        "Bob ended the turn: 300",
    ),
    take_back="Ann parks happy, happy and star.",
    camera="virtual",
    turn_points=250,
    doubts=("A die leans on the wall, and another one cannot be read for certain.",),
)
LEFT = replace(
    PLAYING,
    number=20,
    state=state_of(DICE, "Ann Bob Cy", (1250, 800, 1700), to_act=(1,), gone=(3,)),
    last_throw="Ann rolled happy, happy, star, two, four, and the signal shows go.",
)
DOUBT = replace(
    PLAYING,
    number=4,
    mood=NoticeMood.ASK,
    notice="One die needs a look.",
    offers=(),
    questions=(
        Question(
            7,
            "What does this die show?",
            (
                ("four", "Four"),
                ("star", "Star"),
                ("sad", "Sad"),
                ("happy", "Happy"),
                ("two", "Two"),
                ("three", "Three"),
            ),
            picture="crop-four",
            die=2,
            dice=(2,),
            crops=("crop-four",),
            likely=2,
            shown=tuple(Die(KindName("traffic"), FaceName(face)) for face in ASKED_FACES),
            topic=QuestionTopic.FACE,
        ),
    ),
)
ALIKE_FACES = ("sad", "happy", "star", "two", "three", "four")
ALIKE = replace(
    DOUBT,
    number=40,
    questions=(
        Question(
            41,
            "These three: all sad?",
            (*((face, f"All {face}") for face in ALIKE_FACES), ("not-all", "Not all")),
            picture="crop-sad",
            dice=(1, 2, 3),
            crops=("crop-sad", "crop-sad", "crop-sad"),
            likely=3,
            shown=tuple(Die(KindName("traffic"), FaceName(face)) for face in ALIKE_FACES),
            topic=QuestionTopic.FACE,
        ),
    ),
)
ROLLERS_DICE = _rollers()


def _purple(number: int, face: str, crop: str) -> ShownDie:
    read, faces = Die(KindName("rollers-purple"), FaceName(face)), map(FaceName, ("pip-1", "pip-2", "star"))
    return ShownDie.of(ROLLERS_DICE, number, read, confidence=0.99, zone="field", crop=crop, faces=faces)


SAME_FACES = replace(
    PLAYING,
    number=44,
    state=state_of(ROLLERS_DICE, "Ann Bob", (0, 0), to_act=(1,)),
    dice=(
        _purple(1, "pip-2", "crop-2"),
        _purple(2, "star", "crop-star"),
    ),
)
WHICH = replace(
    DOUBT,
    number=42,
    questions=(
        Question(
            43,
            "Which is the Black die?",
            (*((str(number), f"Shows {face}") for number, face in enumerate("352415", 1)), ("none", "None of them")),
            dice=(1, 2, 3, 4, 5, 6),
            crops=tuple(f"crop-{face}" for face in "352415"),
            likely=4,
            topic=QuestionTopic.KIND,
        ),
    ),
)
WAYS = replace(
    PLAYING,
    number=5,
    mood=NoticeMood.ASK,
    questions=(
        Question(
            8,
            "Two dice were thrown again. What did Ann do?",
            (("1", "Rolled a happy and a sad to mend the sad"), ("2", "Rolled the two dice of the field to play on")),
            picture="evidence-1",
        ),
    ),
)
PICTURED = replace(
    PLAYING,
    tray_picture="evidence-1",
    dice=tuple(
        replace(each, ring=DieRing(0.1 + 0.12 * place, 0.3 + 0.1 * (place % 3), 0.06))
        for place, each in enumerate(PLAYING.dice)
    ),
)
"""The dice, with the picture of the tray in which they lie."""


def _traffic(*faces: str) -> tuple[Die, ...]:
    return tuple(Die(KindName("traffic"), FaceName(face)) for face in faces)


def _way(answer: int, points: int, turn: int, *steps: str) -> AnswerEffect:
    """A row of actions that ends with a throw of two dice."""
    thrown = _traffic("happy", "star")
    titled = tuple(AnswerStep(step, {"P": _traffic("star"), "E": ()}.get(step[0], thrown)) for step in steps)
    return AnswerEffect(str(answer), _traffic("two", "sad"), thrown, 1, turn, points, titled)


_SIX_WAYS = (
    _way(0, 300, 1, "Park the star", "Mend the sad"),
    _way(1, 250, 1, "Park the star", "Roll two dice"),
    _way(2, 0, 2, "Park the star", "End the turn", "Roll two dice"),
    _way(3, 200, 1, "Mend the sad"),
    _way(4, 150, 1, "Roll two dice"),
    _way(5, 0, 2, "End the turn", "Roll two dice"),
)
MANY_WAYS = replace(
    PICTURED,
    number=48,
    mood=NoticeMood.ASK,
    questions=(
        Question(
            49,
            "What was done?",
            (
                *((str(effect.answer), ", then ".join(step.title for step in effect.steps)) for effect in _SIX_WAYS),
                ("as-it-lies", "None of these: go on as the dice lie"),
            ),
            picture="evidence-1",
            dice=(2, 3),
            seat=1,
            effects=_SIX_WAYS,
        ),
    ),
)
"""A throw that can mean six things."""
LEANING = replace(
    PLAYING,
    number=44,
    notice="The dice that show Two and Star lean. Throw them again.",
    mood=NoticeMood.ASK,
    dice=(
        *(die(number, face) for number, face in enumerate(("happy", "sad", "three"), 1)),
        die(4, "two", confidence=0.5, posture="cocked"),
        die(5, "star", confidence=0.5, posture="stacked"),
        die(6, "go", "signal"),
    ),
    doubts=("2 dice lean.",),
)
INTERVENED = replace(
    PLAYING,
    number=45,
    dice=(
        replace(die(1, "two"), mark="answered"),
        replace(die(2, "four", confidence=0.71), mark="turned"),
        replace(die(3, "happy", "aside"), mark="corrected"),
        *PLAYING.dice[3:],
    ),
    interventions=(
        Intervention(
            14,
            "Corrected: Happy, not Sad.",
            Deed.CORRECT,
            Source.TABLET,
            "Ann\u2019s phone",
            1,
            "traffic",
            FaceTitle("sad", "Sad"),
            FaceTitle("happy", "Happy"),
        ),
        Intervention(13, "A die was turned over in its place, and nobody saw it tumble.", Deed.REMARK, Source.CAMERA),
        Intervention(
            12,
            "What does this die show? Two.",
            Deed.ANSWER,
            Source.TABLET,
            "Bob\u2019s tablet in the kitchen",
            2,
            "traffic",
            FaceTitle("star", "Star"),
            FaceTitle("two", "Two"),
        ),
        Intervention(11, "Taken back: Cy gave up.", Deed.UNDO, Source.TABLET, "The box itself"),
    ),
)
UNCONFIRMED = replace(
    PLAYING,
    number=46,
    unconfirmed=UnconfirmedChange(12, "Correct a die: Happy, not Sad.", "Ann\u2019s phone", 1),
)
BREACH = replace(
    PLAYING,
    number=6,
    mood=NoticeMood.BREACH,
    notice="Three dice were thrown, but only the two on the field may be rolled.",
    rule="I.2-12",
    evidence="evidence-1",
)
PUT_BACK = replace(
    BREACH,
    number=45,
    evidence="",
    questions=(
        Question(
            46,
            "Put the dice back as they lay, and go on from there.",
            (("as-it-lies", "Go on as the dice lie"),),
            topic=QuestionTopic.PUT_BACK,
        ),
    ),
    put_back=(
        PutBack(3, "traffic", "star", "Star", "Sad", "", "crop-star", "crop-sad", f"{PICTURES}/star.jpg"),
        PutBack(4, "traffic", "four", "Four", "Four", "aside", "crop-four", "crop-four", f"{PICTURES}/four.jpg"),
        PutBack(0, "traffic", "two", "Two", "", "field", picture=f"{PICTURES}/two.jpg"),
    ),
    held_throws=1,
)
TURNED = replace(
    PUT_BACK,
    questions=(
        Question(
            47,
            "A die was turned: star, now sad. Put it back to star.",
            (("thrown", "It was thrown"), ("as-it-lies", "Go on as the dice lie")),
            topic=QuestionTopic.PUT_BACK,
        ),
    ),
)
VANDER = replace(
    START,
    number=7,
    mood=NoticeMood.BREACH,
    notice="A die left the table: Bob\u2019s turn is over.",
    rule="I.2-19",
    evidence="evidence-1",
    dice=(die(1, "happy"), die(2, "sad"), die(3, "two", posture="cocked"), die(4, "star", "out"), die(6, "stop")),
)
TROUBLE = replace(
    START, number=8, mood=NoticeMood.LOST, camera_trouble="Something covers the lens; uncover it to go on."
)
WON = replace(
    PLAYING,
    number=9,
    state=state_of(DICE, "Ann Bob Cy", (4800, 5350, 3100), winner=(2,)),
    offers=(),
    calls=(Call("Bob wins with 5350 points.", "I.2-20"),),
    turn_points=0,
)
MANY = replace(
    PLAYING,
    number=10,
    state=state_of(
        DICE,
        "Ann Bartholomew-Maximilian Cy Dee Eve Flo Gus Hal",
        (1250, 12800, 0, 450, 3300, 4950, 700, 5000),
        to_act=(2,),
    ),
    offers=(
        *PLAYING.offers,
        *(tap(f"2 park traffic:{face}", f"Park one {face} (50)") for face in FACES["traffic"][:3]),
        *(by_hand(f"2 park traffic:{face}", f"Park one {face} (100)") for face in FACES["traffic"]),
    ),
)


ROWS = tuple(f"stall-{number}" for number in range(1, 10))
"""The rows of a sheet, so many that one player's sheet is shown at a time."""


def sheet(seat: int, name: str) -> tuple[Board, Board]:
    """What lies before a player: a sheet with nine stalls, and a long list that nothing is done with."""
    rows = tuple(
        BoardRow(key, (key.replace("-", " ").capitalize(), "3 dice", "11 or more", "7", ""), "open") for key in ROWS
    )
    hours = tuple(
        BoardRow(f"hour-{hour}", (f"{hour} o'clock", ""), "here" if hour == 1 else "") for hour in range(1, 13)
    )
    stalls = Board(seat, f"{name}'s stalls", (), ("Stall", "Dice", "Total", "Points", "Price"), rows)
    return stalls, Board(seat, f"{name}'s day", (("Place", "Hall"), ("Left", "")), ("Hour", "Place"), hours)


SEATED = ((1, "Ann"), (2, "Bob"), (3, "Cy"))
SHEETS = replace(
    PLAYING,
    number=11,
    state=state_of(DICE, "Ann Bob Cy", (0, 0, 0), to_act=(1, 2, 3)),
    turn_points=0,
    doubts=(),
    offers=(
        *(
            tap(f"{seat} price ={key}/{price}", f"Price {price}")
            for seat, _ in SEATED
            for key in ROWS
            for price in range(1, 7)
        ),
        *(tap(f"{seat} ready", f"{name} is ready") for seat, name in SEATED),
    ),
    boards=(
        Board(0, "The fair", (("Turn", "planning"),)),
        *(board for seat, name in SEATED for board in sheet(seat, name)),
    ),
)
DECKS = replace(
    PLAYING,
    number=12,
    state=InterruptedTurn(state_of(DICE, "Ann Bob Cy", ()).players, DICE, scores=(0, 0, 0), to_act=(2, 1)),
    notice="Ann may put the disk on Bob's deck.",
    mood=NoticeMood.ASK,
    turn_points=0,
    waiting=WaitingAction(Action(2, "discard", choice="card"), "Discard card 7", "Ann may put the disk on Bob's deck."),
    doubts=(),
    tray=TrayActivity.MOVING,
    offers=(tap("2 discard =card", "Discard card 7"), tap("1 disk =2", "Put the disk on Bob's deck")),
    boards=(
        Board(0, "Tray", (("Disk", "in Ann's hand"),)),
        Board(1, "Ann's deck", (("Top card", "3"),), ("Player", "Top card"), (BoardRow("2", ("Bob", "7"), "blocked"),)),
        Board(2, "Bob's deck", (("Top card", "7"),)),
        Board(3, "Cy's deck", (("Top card", "1"),)),
    ),
)
FACTS = replace(
    PLAYING,
    number=13,
    boards=tuple(Board(seat, name, (("Come in", "yes"), ("Turns", str(seat)))) for seat, name in SEATED),
)
TWELVE = replace(
    PLAYING,
    number=14,
    state=state_of(DICE, "Ann Bob Cy Dee Eve Flo Gus Hal Ida Jo Kim Bartholomew-Maximilian", (4950,) * 12, to_act=(5,)),
    boards=FACTS.boards,
)
LOTS = replace(START, number=15, offers=(by_hand("2 lot traffic:? traffic:?", "Throw two dice for the start"),))
ANYBODY = replace(
    PLAYING,
    number=16,
    state=state_of(DICE, "Ann Bob Cy", (0, 0, 0), to_act=(1, 2, 3)),
    turn_points=0,
    doubts=(),
    offers=tuple(
        by_hand(f"{seat} roll {' '.join(['traffic:?'] * count)}", f"Throw {count} dice")
        for seat, _ in SEATED
        for count in range(1, 6)
    ),
)
BY_HAND = replace(
    START,
    number=17,
    mood=NoticeMood.LOST,
    notice="The camera picamera:0 is gone; plug it in again.",
    camera_trouble="The camera picamera:0 is gone; plug it in again.",
    dice=(),
    last=("Ann rolled happy happy two two star, go. (The dice were given by hand.)", "Ann ended the turn: 450"),
    manual_entry=True,
    step="3.12",
    run="one",
)
WOKEN = replace(
    PLAYING,
    number=18,
    doubts=(),
    resumed=(
        "Vander was started again. The game goes on. Ann, 250 parked: play on with the other 2 dice or end the "
        "turn. The dice should lie like this: 2 x Happy and Star in the bay; Go on its spot; Two and Four on the field."
    ),
    alerts=(
        "The power supply is too weak (under 4.63 V just now): use the Pi's own supply.",
        "The clock may be wrong: connect the box to the internet.",
    ),
    low_power=True,
    manual_entry=True,
    step="3.12",
    run="two",
)
UNSAVED = replace(
    PLAYING,
    number=19,
    unsaved=True,
    held_throws=2,
    mood=NoticeMood.LOST,
    notice="Vander cannot write to its card. Do not throw yet: 2 throws are still waiting.",
    alerts=(
        "The journal journal.sqlite cannot be written: database or disk is full. "
        "Make room on the card, or use another one.",
    ),
)
