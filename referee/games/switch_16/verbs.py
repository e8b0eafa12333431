"""The verbs of Switch 16: those of dice and cards, and all of them in order; a player who is absent."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Final

from referee.actions import Action, DiePosition, fresh_dice
from referee.calls import Call, DiceSum, Moment, Outcome, Reasons, Refusal, Verb
from referee.dice import Die, FaceName, number_on
from referee.game import SKIPPED_TURN, STAYS
from referee.games.switch_16.state import (
    BLOCK,
    D6,
    DISCARDS,
    GOAL_POINTS,
    GREEN,
    LAST_CARD,
    MILESTONE_CARD,
    NO_FACE,
    RED,
    ROLLED,
    SWITCH,
    VARIANT,
    Switch16Phase,
    Switch16State,
    can_discard,
    deal,
    dice_of,
    handful,
    lowest_others,
    showing,
    spell_pips,
    summands,
    sums,
)
from referee.games.switch_16.switching import (
    AGREE,
    DECLINE,
    DISK,
    LEAVE,
    REFUSE,
    RESOLUTIONS,
    SWITCH_DECKS,
    TAKE,
    between_turns,
    count_dice,
    keep_deck,
    pass_on,
    with_call,
    with_deck,
    with_disk,
)
from referee.phrases import spell_list, without_lot
from referee.sentences import as_title, as_whole, say, say_count


def last_card_gone(state: Switch16State) -> Outcome[Switch16State]:
    """End the game (S.2-16), or the round of a game to 100 (S.2-17), after a card 16."""
    if state.chose(VARIANT, "to-100"):
        return _round_over(state)
    won = Call(say("{who} has discarded the 16 and wins.", who=state.who), "S.2-16", Moment.WIN)
    return finish(state, (state.seat,)), (won,)


def finish(state: Switch16State, winner: tuple[int, ...]) -> Switch16State:
    over = replace(between_turns(state), phase=Switch16Phase.OVER, winner=winner)
    return replace(over, contenders=(), lots=())


def _round_over(state: Switch16State) -> Outcome[Switch16State]:
    gained = tuple(0 if seat in state.gone else deck.top - 1 for seat, deck in enumerate(state.decks, start=1))
    points = tuple(old + new for old, new in zip(state.scores, gained, strict=True))
    written = [
        say("{name} {points}", name=player.name, points=new) for player, new in zip(state.players, gained, strict=True)
    ]
    sentence = say("The round is over. Points for it: {written}.", written=spell_list(written, "and"))
    call = Call(sentence, "S.2-17", Moment.SCORE)
    return with_call(call, _next_round(replace(state, scores=points)))


def _next_round(state: Switch16State) -> Outcome[Switch16State]:
    best = max(state.scores[seat - 1] for seat in state.present)
    if best >= GOAL_POINTS:
        winner = tuple(seat for seat in state.present if state.scores[seat - 1] == best)
        return finish(state, winner), (_won(state, winner, best),)
    fresh = replace(pass_on(state), decks=deal(len(state.players)), holder=0)
    sentence = say("The decks are dealt again, the disk lies next to the tray, {who} starts.", who=fresh.who)
    return fresh, (Call(sentence, "AMB-S-15"),)


def _won(state: Switch16State, winner: tuple[int, ...], points: int) -> Call:
    if len(winner) > 1:
        sentence = say("{names} share the win with {points} points each.", names=state.names(winner), points=points)
        return Call(sentence, "AMB-S-15", Moment.WIN)
    sentence = say("{name} wins with {points} points.", name=state.name(winner[0]), points=points)
    return Call(sentence, "S.2-17", Moment.WIN)


def unsafe_points(state: Switch16State, seat: int) -> int:
    """Return what a round of a game to 100 would bring a seat now; in a game to card 16 the scores hold all cards."""
    is_in_round = state.chose(VARIANT, "to-100") and state.phase != Switch16Phase.OVER
    return state.top(seat) - 1 if is_in_round else 0


# The verbs of Switch 16, one record each: those of dice and cards here, and all of them in order


# lot: one die for the first turn


def _lot_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer one die for the first turn (S.2-1)."""
    if state.phase == Switch16Phase.LOTS:
        yield Action(seat, "lot", (ROLLED,))


def _lot(state: Switch16State, action: Action) -> Outcome[Switch16State]:
    pips = number_on(action.dice[0].face)
    sentence = say("{name} throws a {pips} for the first turn.", name=state.name(action.player), pips=pips)
    return with_call(Call(sentence, "S.2-1"), draw_lots(replace(state, lots=(*state.lots, pips))))


def draw_lots(state: Switch16State) -> Outcome[Switch16State]:
    """Let the next contender throw; when all have, or one alone is left, the first turn begins (S.2-1)."""
    if len(state.contenders) == 1:
        return _started(state, state.contenders[0])
    if len(state.lots) < len(state.contenders):
        return state, ()
    best = tuple(seat for seat, lot in zip(state.contenders, state.lots, strict=True) if lot == max(state.lots))
    if len(best) > 1:
        again = Call(say("{names} are tied and throw again.", names=state.names(best)), "AMB-S-16")
        return replace(state, contenders=best, lots=()), (again,)
    return _started(state, best[0])


def _started(state: Switch16State, seat: int) -> Outcome[Switch16State]:
    return first_turn(state, seat), (Call(say("{name} starts.", name=state.name(seat)), "S.2-1"),)


def first_turn(state: Switch16State, seat: int) -> Switch16State:
    return replace(state, phase=Switch16Phase.START, seat=seat, contenders=(), lots=())


NO_LOTS: Final = Refusal(say("Who starts is already decided."), "S.2-1")


def _no_lot(_state: Switch16State, _action: Action) -> Reasons:
    yield NO_LOTS


LOT: Final = Verb(
    name="lot",
    rule="S.2-1",
    help=say("Throw one die for the first turn."),
    offers=_lot_offers,
    play=_lot,
    title=as_title(say("throw one die for the first turn")),
    throws=fresh_dice,
    refusals=_no_lot,
)


# roll


def _roll_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer the first roll of a turn (S.2-2), and the risk after a card was discarded (S.2-14)."""
    risk = state.phase == Switch16Phase.DISCARD and state.roll_cards and not _owes_discard(state)
    if seat == state.seat and (state.phase == Switch16Phase.START or risk):
        yield Action(seat, "roll", handful(state))


def _roll(state: Switch16State, action: Action) -> Outcome[Switch16State]:
    pips = tuple(sorted(number_on(die.face) for die in action.dice if die.kind == D6))
    face = next(die.face for die in action.dice if die.kind == SWITCH) or NO_FACE
    passed = state.passed_before if state.rolls else state.deck.passed
    rolled = replace(state, rolled=pips, face=face, rolls=state.rolls + 1, roll_cards=0, refused=0)
    after = replace(rolled, passed_before=passed)
    sentence = say("{who} rolls {pips} with {shown}.", who=state.who, pips=spell_pips(pips), shown=_SHOWN[face])
    return with_call(Call(sentence, "S.2-2"), RESOLUTIONS.get(face, count_dice)(after))


_SHOWN: Final = {
    GREEN: say("the green switch"),
    RED: say("the red switch"),
    BLOCK: say("Block"),
    FaceName("blank"): say("a blank"),
}


def _owes_discard(state: Switch16State) -> bool:
    return state.chose(DISCARDS, "all") and can_discard(state)


def _roll_title(state: Switch16State, _action: Action) -> str:
    count = dice_of(state, state.seat)
    if state.rolls:
        return as_title(say("take the risk with {count} dice and the Switch die", count=count))
    return as_title(say("roll {count} dice and the Switch die", count=count))


def _no_roll(state: Switch16State, _action: Action) -> Reasons:
    yield from _unsettled(state)
    if state.phase == Switch16Phase.DISCARD and not state.roll_cards:
        yield Refusal(say("Discard a card from this roll before you take a risk."), "S.2-14")
    yield from _owed(state)
    yield Refusal(as_whole(_by_top_card(state)), "S.2-2")


def _unsettled(state: Switch16State) -> Reasons:
    if state.phase == Switch16Phase.GREEN:
        yield Refusal(say("First the green switch: switch decks with somebody, or keep yours."), "S.2-3")
    if state.phase == Switch16Phase.RED:
        yield Refusal(say("First do the red switch: choose whose deck you take."), "S.2-6")
    if state.phase == Switch16Phase.BLOCK:
        yield Refusal(say("First comes Block: take the disk, or leave it there."), "S.2-3")


def _owed(state: Switch16State) -> Reasons:
    if _owes_discard(state):
        card = state.deck.top
        sentence = say("First discard card {card}. At this table every card that can go must go.", card=card)
        yield Refusal(sentence, "AMB-S-11")


def _by_top_card(state: Switch16State) -> str:
    count = dice_of(state, state.seat)
    card = state.deck.top
    return say("With {card} on top {who} rolls {count} dice and the Switch die", card=card, who=state.who, count=count)


ROLL: Final = Verb(
    name="roll",
    rule="S.2-2",
    help=say("Roll as many dice as the top card shows, with the Switch die. Rolling again is a risk."),
    offers=_roll_offers,
    play=_roll,
    title=_roll_title,
    throws=fresh_dice,
    refusals=_no_roll,
)


# discard


def _discard_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer the top card, where the dice make it (S.2-12)."""
    if state.phase == Switch16Phase.DISCARD and seat == state.seat and can_discard(state):
        yield Action(seat, "discard", choice=_card_choice(state.deck.top))


def _card_choice(card: int) -> str:
    return f"card-{card}"


def _discard(state: Switch16State, action: Action) -> Outcome[Switch16State]:
    card = state.deck.top
    deck = replace(state.deck, top=card + 1, passed=state.deck.passed or card == MILESTONE_CARD)
    after = replace(
        with_deck(state, state.seat, deck), turn_cards=state.turn_cards + 1, roll_cards=state.roll_cards + 1
    )
    counted_dice = DiceSum.of_numbers(showing(summands(card, state.rolled)))
    sentence = say("{who} discards card {card}: {sum}.", who=state.who, card=card, sum=_sum_of(card, state.rolled))
    call = Call(sentence, "S.2-12", sum=counted_dice)
    return with_call(call, last_card_gone(after)) if card == LAST_CARD else (after, (call,))


def _sum_of(card: int, pips: tuple[int, ...]) -> str:
    """Return the fewest dice that make a card, as a sum: `2 + 5`."""
    return " + ".join(map(str, summands(card, pips)))


def _discard_title(state: Switch16State, _action: Action) -> str:
    card = state.deck.top
    return as_title(say("discard card {card} ({sum})", card=card, sum=_sum_of(card, state.rolled)))


def _no_discard(state: Switch16State, action: Action) -> Reasons:
    top = state.deck.top
    yield from _unsettled(state)
    if state.phase == Switch16Phase.START:
        yield Refusal(say("Roll first, then discard cards."), "S.2-12")
    if state.deck.blocked:
        sentence = say("The disk lies on {who}'s deck. No card can go until somebody rolls Block.", who=state.who)
        yield Refusal(sentence, "S.2-10")
    if action.choice != _card_choice(top):
        yield Refusal(say("Discard one card at a time, in order. Next is card {card}.", card=top), "S.2-12")
    if not can_discard(state):
        pips = spell_pips(state.rolled)
        yield Refusal(say("You cannot make {card} with {pips}.", pips=pips, card=top), "S.2-12")


def pause(state: Switch16State, action: Action) -> str:
    """Return why a discard waits a moment, '' where nobody else holds the disk (AMB-S-18)."""
    if action.verb != "discard" or state.holder in (0, state.seat):
        return ""
    return say("{name} may put the disk on {who}'s deck.", name=state.name(state.holder), who=state.who)


DISCARD: Final = Verb(
    name="discard",
    rule="S.2-12",
    help=say("Discard the top card when the dice make it."),
    offers=_discard_offers,
    play=_discard,
    title=_discard_title,
    refusals=_no_discard,
    usage=say("Choose only the card, no dice."),
    implied=True,
)


# end


def _end_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer to end the turn after a roll (S.2-14)."""
    if state.phase == Switch16Phase.DISCARD and seat == state.seat and not _owes_discard(state):
        yield Action(seat, "end")


def _end(state: Switch16State, _action: Action) -> Outcome[Switch16State]:
    sentence = say_count(
        "{who} has discarded {count} card and ends the turn.",
        "{who} has discarded {count} cards and ends the turn.",
        state.turn_cards,
        who=state.who,
    )
    moment = Moment.SCORE if state.turn_cards else None
    return pass_on(state), (Call(sentence, "S.2-14", moment),)


def _no_end(state: Switch16State, _action: Action) -> Reasons:
    yield from _unsettled(state)
    if state.phase == Switch16Phase.START:
        yield Refusal(say("Roll at least once in your turn."), "S.2-2")
    yield from _owed(state)


END: Final = Verb(
    name="end",
    rule="S.2-14",
    help=say("End the turn."),
    offers=_end_offers,
    play=_end,
    title=as_title(say("end the turn")),
    refusals=_no_end,
    implied=True,
    ends_turn=True,
)


VERBS: Final = (LOT, SWITCH_DECKS, DECLINE, REFUSE, AGREE, TAKE, LEAVE, DISCARD, END, ROLL, DISK)


# Against the turn, and throws that no legal action explains


def not_to_act(state: Switch16State, action: Action) -> Reasons:
    """Reasons against an action of a player who may do nothing now, where another rule matters more than the turn."""
    if state.phase == Switch16Phase.LOTS:
        yield _not_their_throw(state)
    elif action.verb in _OF_THE_DISK:
        yield from _OF_THE_DISK[action.verb].refusals(state, action)
        yield _others_disk(state, action)
    elif state.phase == Switch16Phase.ASKED and action.player == state.seat:
        name = state.name(state.holder)
        yield Refusal(say("{name} holds the disk and says yes or no first.", name=name), "S.2-5")
    elif action.verb == "lot":
        yield NO_LOTS


_OF_THE_DISK: Final = {verb.name: verb for verb in (DISK, REFUSE, AGREE, TAKE, LEAVE)}


def _others_disk(state: Switch16State, action: Action) -> Refusal:
    if action.verb in ("refuse", "agree"):
        return Refusal(
            say("Only {name} is asked, because {name} holds the disk.", name=state.name(state.holder)), "S.2-5"
        )
    return Refusal(say("{who} rolled Block, so only {who} takes or leaves the disk.", who=state.who), "S.2-8")


def _not_their_throw(state: Switch16State) -> Refusal:
    rule = "AMB-S-16" if len(state.contenders) < len(state.present) else "S.2-1"
    return Refusal(state.whose_throw(state.contenders), rule)


def out_of_turn(state: Switch16State, action: Action) -> Reasons:
    """Reasons against any verb of a player who has to wait, or that does not belong to the throw for the first turn."""
    if state.phase == Switch16Phase.LOTS:
        yield Refusal(say("First each player throws one ordinary die to see who starts."), "S.2-1")
    elif action.verb == "disk":
        return
    elif state.phase == Switch16Phase.ASKED and action.verb not in ("refuse", "agree"):
        holder = state.name(state.holder)
        yield Refusal(say("First {name} says yes or no to {who}'s switch.", name=holder, who=state.who), "S.2-5")
    elif state.phase != Switch16Phase.ASKED and action.player != state.seat:
        if action.verb in ("refuse", "agree"):
            yield from _OF_THE_DISK[action.verb].refusals(state, action)
        name = state.name(action.player)
        yield Refusal(say("It is {who}'s turn; {name} may only put the disk down.", who=state.who, name=name), "S.2-9")


def fault(state: Switch16State, thrown: tuple[DiePosition, ...], _kept: tuple[DiePosition, ...]) -> Refusal:
    """Return which rule a throw breaks: the number of its dice, or the Switch die."""
    count = sum(lying.die.kind == D6 for lying in thrown)
    if not thrown:
        return Refusal(say("Leave the dice where they fell until the turn is over."), "S.2-12")
    if state.phase == Switch16Phase.LOTS:
        return Refusal(_not_one(len(thrown)), "S.2-1")
    if count == len(thrown):
        return Refusal(say("Roll the Switch die with the other dice every time."), "S.2-2")
    if not count:
        return Refusal(say("Never roll the Switch die alone."), "S.2-2")
    if state.phase == Switch16Phase.START:
        return Refusal(say("{roll}, not {count}.", roll=_by_top_card(state), count=count), "S.2-2")
    sentence = say_count(
        "Nobody may roll {count} die and the Switch die now.",
        "Nobody may roll {count} dice and the Switch die now.",
        count,
    )
    return Refusal(sentence, "S.2-2")


def _not_one(count: int) -> str:
    if count == 1:
        return say("To see who starts, throw one ordinary die, not the Switch die.")
    return say("To see who starts, throw one ordinary die, not {count} dice.", count=count)


# Switch 16 without a player: a turn that is skipped, somebody who leaves, and a first turn without lot


def pass_over(state: Switch16State, seat: int) -> Outcome[Switch16State] | None:
    """Take no lot of the seat, or pass on its turn, which brings nothing; a red switch waits no longer for the gone."""
    if state.phase == Switch16Phase.LOTS:
        return _without_lot(state, seat) if seat in state.contenders else None
    if seat == state.seat:
        after, calls = (state, ()) if state.chose(SKIPPED_TURN, STAYS) else _taken_back(state)
        return pass_on(after), calls
    is_left_alone = state.phase == Switch16Phase.RED and not lowest_others(state)
    return keep_deck(state) if is_left_alone else None


def _taken_back(state: Switch16State) -> Outcome[Switch16State]:
    """Return the state without what the turn brought: its discards, and the disk where the player took it."""
    after, calls = state, list[Call]()
    if state.disk_before:
        after = with_disk(after, *state.disk_before)
        calls.append(Call(say("The disk goes back to where it was before {who} took it.", who=state.who), "AMB-S-20"))
    if state.turn_cards:
        deck = replace(after.deck, top=after.deck.top - state.turn_cards, passed=state.passed_before)
        after = with_deck(after, state.seat, deck)
        sentence = say("{who}'s cards of this turn go back: {card} is on top.", who=state.who, card=deck.top)
        calls.append(Call(sentence, "AMB-S-20"))
    return after, tuple(calls)


def _without_lot(state: Switch16State, seat: int) -> Outcome[Switch16State]:
    contenders, lots = without_lot(state.contenders, state.lots, seat)
    return draw_lots(replace(state, contenders=contenders, lots=lots))


def begin_with(state: Switch16State, seat: int) -> Switch16State | None:
    """Return the state in which the seat has the first turn without lot."""
    return first_turn(state, seat) if state.phase == Switch16Phase.LOTS else None


# What the rules of Switch 16 look at in a roll, so that equal rolls need not be worked out one by one


def alike(state: Switch16State, offer: Action, dice: tuple[Die, ...]) -> Hashable:
    """Return the face of the Switch die, or whether the other dice make the top card (S.2-12); lots as they fall.

    Which cards follow the first is a later choice, so that a roll itself brings no points by them.
    """
    if offer.verb != ROLL.name or dice[0].kind == SWITCH:
        return dice
    return state.deck.top in sums(tuple(sorted(number_on(die.face) for die in dice)))
