import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bannersView, barView, boardsStamp, boardsToShow, briefFacts, diceByZone, dieLabel, factNames, factsView, fitsOneTable, groupOffers, hasSheets, inOrder, isFilled, isOver, nextOrder, offersView, ownFirst, promptView, rulingView, runningGame, seatInFront, standings, turnTitle, winnerTitle } from '../../web/static/table_view.js';

const board = (seat, rows = 0, facts = []) => ({
  seat, title: `Board ${seat}`, columns: [], parts: [], brief: [], facts: facts.map((name) => ({ name, value: '1' })),
  rows: Array.from({ length: rows }, (_, place) => ({ key: String(place), cells: [''], mark: '', taps: 0 })),
});

test('boards of many rows are sheets, however many boards they are', () => {
  assert.ok(!hasSheets([]));
  assert.ok(!hasSheets([board(1, 6), board(2, 6)]));
  assert.ok(hasSheets([board(1, 7)]));
  assert.ok(hasSheets([board(1, 4), board(1, 4)]));
  assert.ok(!hasSheets([board(0, 20)]));
});

test('the chosen sheet is in front, else the own, else that of the player to act', () => {
  const boards = [board(0), board(1), board(2), board(3)];
  assert.equal(seatInFront(boards, 3, 2, [1]), 3);
  assert.equal(seatInFront(boards, 0, 2, [1]), 2);
  assert.equal(seatInFront(boards, 0, 0, [3, 1]), 3);
  assert.equal(seatInFront(boards, 0, 0, []), 1);
  assert.equal(seatInFront(boards, 9, 9, [9]), 1);
  assert.equal(seatInFront([board(0)], 0, 0, [1]), 0);
});

test('with a sheet in front the others are left out, and the middle stays', () => {
  const boards = [board(0), board(1), board(2)];
  assert.deepEqual(boardsToShow(boards, 2).map(({ seat }) => seat), [0, 2]);
  assert.equal(boardsToShow(boards, 0), boards);
});

test('boards that hold little stand in one table', () => {
  const little = [board(1, 0, ['Come in', 'Turns']), board(2, 0, ['Turns'])];
  assert.ok(fitsOneTable(little));
  assert.deepEqual(factNames(little), ['Come in', 'Turns']);
  assert.ok(!fitsOneTable([little[0]]));
  assert.ok(!fitsOneTable([...little, board(3, 1)]));
  assert.ok(!fitsOneTable([board(1, 0, ['a', 'b']), board(2, 0, ['c', 'd'])]));
});

test('the own board comes first and the others keep their order', () => {
  assert.deepEqual(ownFirst([board(1), board(2), board(3)], 3).map(({ seat }) => seat), [3, 1, 2]);
});

test('a board without facts and rows is empty', () => {
  assert.ok(!isFilled(board(1)));
  assert.ok(isFilled(board(1, 1)));
});

test('a choice goes on until the step changes, and on a sheet until that sheet or the middle changes', () => {
  const sheet = (taps, facts = []) => ({ ...board(1, 7, facts), parts: [{ key: 'stall', taps }] });
  assert.equal(boardsStamp({ boards: [board(1)], front: 0, step: '1.2' }), '1.2');
  const stamp = boardsStamp({ boards: [sheet(3)], front: 1, step: '1.2' });
  assert.equal(boardsStamp({ boards: [sheet(3)], front: 1, step: '1.3' }), stamp);
  assert.equal(boardsStamp({ boards: [sheet(3, ['Most'])], front: 1, step: '1.3' }), stamp);
  assert.notEqual(boardsStamp({ boards: [sheet(2)], front: 1, step: '1.3' }), stamp);
});

const die = (number, zone = 'field', face = 'two', kind = 'traffic') => ({ number, zone, face, kind });
const KINDS = ['traffic', 'signal'];
const shown = (order, dice) => inOrder(order, dice, KINDS).map(({ number }) => number);

test('dice keep their order when a snapshot lists them otherwise', () => {
  const dice = [die(3), die(1), die(2)];
  const order = nextOrder(new Map(), dice);
  assert.deepEqual(shown(order, dice), [3, 1, 2]);
  const later = [die(1), die(2), die(3)];
  assert.deepEqual(shown(nextOrder(order, later), later), [3, 1, 2]);
});

test('dice stand by kind before they stand as first seen', () => {
  const dice = [die(1, 'field', 'go', 'signal'), die(2)];
  assert.deepEqual(shown(nextOrder(new Map(), dice), dice), [2, 1]);
});

test('a die that gets another number while it lies keeps its place', () => {
  const order = nextOrder(new Map(), [die(1, 'field', 'star'), die(2, 'field', 'two'), die(3, 'field', 'sad')]);
  const later = [die(1, 'field', 'star'), die(3, 'field', 'sad'), die(9, 'field', 'two')];
  assert.deepEqual(shown(nextOrder(order, later), later), [1, 9, 3]);
});

test('a die in another zone stands last there', () => {
  const order = nextOrder(new Map(), [die(1), die(2), die(3, 'aside')]);
  const later = [die(1, 'aside'), die(2), die(3, 'aside')];
  assert.deepEqual(shown(nextOrder(order, later), later), [2, 3, 1]);
});

const PLAYERS = ['Ann', 'Bob', 'Gus'].map((name, place) => ({ seat: place + 1, name, score: [300, 500, 400][place] }));
const state = (fields = {}) => ({ players: PLAYERS, to_act: [1], on_turn: 1, winner: [], dice_awaited: [], tell: 'Ann: roll.', lots: false, ...fields });
const snapshot = (fields = {}) => ({ state: state(), calls: [], notice: '', notice_is_prompt: false, mood: 'calm', rule: '', evidence: '', offers: [], questions: [], boards: [], extras: {}, camera_trouble: '', ...fields });
const tap = (player, fields = {}) => ({ player, action: `${player} end`, title: 'End', by_tap: true, grave: false, usual: 0, places: [], ...fields });
const EVERYBODY = { own: 0, front: 0, mayDecide: true };

test('a turn is a player’s, and throwing for who begins is nobody’s', () => {
  assert.equal(turnTitle(state()), 'Ann’s turn');
  assert.equal(turnTitle(state({ to_act: [3], on_turn: 3 })), 'Gus’s turn');
  assert.equal(turnTitle(state({ to_act: [1, 2], on_turn: 1 })), 'Ann’s turn');
  assert.equal(turnTitle(state({ lots: true })), 'Ann throws');
});

test('several who act at once are named, and all are everybody', () => {
  assert.equal(turnTitle(state({ to_act: [1, 2], on_turn: 0 })), 'Ann and Bob');
  assert.equal(turnTitle(state({ to_act: [1, 2, 3], on_turn: 0 })), 'Everybody');
});

test('a game without anybody to act is over', () => {
  assert.ok(isOver(state({ to_act: [] })));
  assert.ok(!isOver(state()));
  assert.ok(!isOver(null));
});

test('winners are named, and stand first whatever their score', () => {
  assert.equal(winnerTitle(state({ winner: [2] })), 'Bob wins!');
  assert.equal(winnerTitle(state({ winner: [1, 3] })), 'Ann and Gus win!');
  assert.equal(winnerTitle(state({ winner: [] })), 'The game is over');
  assert.equal(winnerTitle(state({ players: PLAYERS.slice(0, 1), winner: [1] })), 'The game is over');
  assert.deepEqual(standings(state({ winner: [1] })).map(({ name }) => name), ['Ann', 'Bob', 'Gus']);
  assert.deepEqual(standings(state()).map(({ name }) => name), ['Bob', 'Gus', 'Ann']);
});

test('a calm notice stands at the head of the turn instead of the prompt, and nowhere else', () => {
  assert.equal(promptView(snapshot()), 'Ann: roll.');
  assert.equal(promptView(snapshot({ notice: 'Ann: keep 500 or play on?' })), 'Ann: keep 500 or play on?');
  assert.equal(promptView(snapshot({ notice: 'A die leans. Throw it again.', mood: 'ask' })), '');
  assert.equal(promptView(snapshot({ notice: 'Too many dice.', mood: 'breach' })), 'Ann: roll.');
  assert.equal(promptView(snapshot({ notice: 'Ann: roll.', notice_is_prompt: true })), 'Ann: roll.');
  assert.equal(rulingView(snapshot({ notice: 'Ann: roll.', notice_is_prompt: true })).notice, '');
  assert.equal(rulingView(snapshot({ notice: '500 parked.' })).notice, '');
});

test('a bar without buttons points to the board where everything is chosen there', () => {
  const boards = [{ seat: 1, rows: [], parts: [{ part: 'card', key: 'switch-2', taps: 1 }] }];
  const offers = [tap(1, { places: ['1:switch-2'] })];
  const at = (viewer, fields = {}) => barView(offersView(snapshot({ offers, boards, ...fields }), { ...EVERYBODY, shown: 1, ...viewer })).onBoard;
  assert.equal(at({}), true);
  assert.equal(at({ mayDecide: false }), false);
  assert.equal(at({}, { offers: [...offers, tap(1)] }), false);
});

test('facts that are empty or shown elsewhere are left out', () => {
  assert.deepEqual(factsView(snapshot({ extras: { doubts: 'A die leans.', waits: '', step: '3.1', run: 'one', table: 'moving' } })), { doubts: 'A die leans.' });
});

test('a tablet with a seat shows its own offers and those of anybody', () => {
  const offers = [tap(1), tap(2), tap(0)];
  const shown = (viewer) => offersView(snapshot({ offers }), { ...EVERYBODY, ...viewer }).offers.map(({ player }) => player);
  assert.deepEqual(shown({}), [1, 2, 0]);
  assert.deepEqual(shown({ own: 2 }), [2, 0]);
});

test('where several act, offers follow the sheet in front', () => {
  const several = snapshot({ state: state({ to_act: [1, 2] }), offers: [tap(1), tap(2)] });
  assert.deepEqual(offersView(several, { ...EVERYBODY, front: 2 }).offers.map(({ player }) => player), [2]);
  assert.equal(offersView(several, EVERYBODY).bySeat, true);
  assert.equal(offersView(several, { ...EVERYBODY, own: 1 }).bySeat, false);
});

test('who is not to act is told who is', () => {
  assert.deepEqual(offersView(snapshot(), { ...EVERYBODY, own: 2 }).others, ['Ann']);
  assert.deepEqual(offersView(snapshot(), { ...EVERYBODY, own: 1 }).others, []);
});

test('many offers that belong to rows are left to the rows', () => {
  const rows = Array.from({ length: 9 }, (_, place) => ({ key: String(place), cells: ['', ''], mark: 'open', taps: 1 }));
  const boards = [{ seat: 1, title: '', facts: [], columns: [], rows }];
  const tied = (count) => Array.from({ length: count }, () => tap(1, { places: ['1:a'] }));
  const crowded = offersView(snapshot({ boards, offers: [...tied(7), tap(1)] }), EVERYBODY);
  assert.equal(crowded.offers.length, 1);
  assert.equal(crowded.pointToRows, true);
  const few = offersView(snapshot({ boards, offers: tied(6) }), EVERYBODY);
  assert.equal(few.offers.length, 6);
  assert.equal(few.pointToRows, false);
});

test('dice are entered by hand while that is open, and a watcher enters none', () => {
  const open = snapshot({ extras: { by_hand: 'open' } });
  assert.equal(offersView(open, EVERYBODY).manualEntry, 'quiet');
  assert.equal(offersView({ ...open, camera_trouble: 'Covered.' }, EVERYBODY).manualEntry, 'main');
  assert.equal(offersView(open, { ...EVERYBODY, mayDecide: false }).manualEntry, false);
  assert.equal(offersView(snapshot(), EVERYBODY).manualEntry, false);
});

test('offers are throws, taps, and taps that are asked twice', () => {
  const groups = groupOffers([tap(1, { by_tap: false }), tap(1), tap(1, { grave: true })]);
  assert.deepEqual([groups.throws.length, groups.taps.length, groups.grave.length], [1, 1, 1]);
});

test('dice are shown by zone in the tray’s order, empty zones left out', () => {
  const dice = [{ number: 1, zone: 'out' }, { number: 2, zone: 'field' }, { number: 3, zone: 'aside' }, { number: 4, zone: 'field' }];
  assert.deepEqual(diceByZone(dice).map(({ zone, dice: group }) => [zone, group.map(({ number }) => number)]),
    [['field', [2, 4]], ['aside', [3]], ['out', [1]]]);
});

test('a die is described for who does not see it', () => {
  assert.equal(dieLabel({ title: 'Four', posture: 'flat' }, true), 'Four, not sure. Tap to correct.');
  assert.equal(dieLabel({ title: '', posture: 'cocked' }, false), 'unread, leaning. Tap to correct.');
});

test('the running game has its title, its step and its number', () => {
  const game = { title: 'Intersection' };
  assert.deepEqual(runningGame(snapshot({ game, extras: { step: '3.12' } })), { title: 'Intersection', step: '3.12', number: '3' });
  assert.deepEqual(runningGame(snapshot({ game, state: state({ to_act: [] }) })), { title: '', step: '0.0', number: '0' });
  assert.deepEqual(runningGame(snapshot({ game: null, state: null })), { title: '', step: '0.0', number: '0' });
});

test('while nothing can be kept no throw is offered, and the notice stands instead of the prompt', () => {
  const roll = tap(1, { action: '1 roll', by_tap: false });
  const now = snapshot({ offers: [roll, tap(1)], mood: 'lost', notice: 'Do not throw.', unsaved: true });
  assert.deepEqual(offersView(now, EVERYBODY).offers, [tap(1)]);
  assert.deepEqual(offersView({ ...now, unsaved: false }, EVERYBODY).offers, [roll, tap(1)]);
  assert.equal(promptView(now), '');
  assert.equal(rulingView(now).mood, 'unsaved');
  assert.equal(rulingView({ ...now, unsaved: false }).mood, 'lost');
});

test('banners tell of the line, the camera, a restart, each worry and a question that waits', () => {
  const now = snapshot({ camera_trouble: 'Covered.', extras: { woke: 'Started again.', worries: 'Hot.\nFull.' } });
  assert.deepEqual(bannersView(now, true, 'Which?'), { isLost: true, isLent: false, trouble: 'Covered.', question: 'Which?', woke: 'Started again.', worries: ['Hot.', 'Full.'], wantsPhone: false, isDrawn: false });
  assert.deepEqual(bannersView(null, false, ''), { isLost: false, isLent: false, trouble: '', question: '', woke: '', worries: [], wantsPhone: false, isDrawn: false });
  assert.equal(bannersView(snapshot({ camera: 'phone' }), false, '').wantsPhone, true);
});

test('a throw that the headline names is not named again in the bar', () => {
  const roll = { ...tap(1, { title: 'Roll the other 4 dice' }), by_tap: false };
  const throwsOf = (tell) => barView(offersView(snapshot({ offers: [roll], state: state({ tell }) }), EVERYBODY)).throws;
  assert.deepEqual(throwsOf('Ann: keep 6 points or roll the other 4 dice?'), []);
  assert.deepEqual(throwsOf('Ann: keep 6 points or play on?'), [roll]);
});

test('the bar has what most people do next, three others beside it, the rest behind one button, and apart what is asked twice', () => {
  const many = Array.from({ length: 7 }, (_, place) => tap(1, { action: `1 a${place}`, grave: place === 0, usual: place === 5 ? 1 : place === 6 ? 2 : 0 }));
  const view = offersView(snapshot({ offers: many }), EVERYBODY);
  const actions = (offers) => offers.map(({ action }) => action);
  const bar = barView(view);
  assert.equal(bar.next.action, '1 a5');
  assert.deepEqual(actions(bar.beside), ['1 a6', '1 a1']);
  assert.deepEqual(actions(bar.more), ['1 a2', '1 a3', '1 a4']);
  assert.deepEqual(actions(bar.grave), ['1 a0']);
  assert.equal(barView({ ...view, offers: many.slice(0, 4) }).beside.length, 3);
});

test('what most people do next, and what ends the turn, has a button though a board has its place', () => {
  const parts = [{ key: 'road', taps: 1 }, { key: 'parked', taps: 3 }];
  const boards = [{ seat: 0, title: '', facts: [], columns: [], rows: [], parts, brief: [] }];
  const offers = [[0, '0:parked'], [1, '0:parked'], [2, '0:road']].map(([usual, place]) => tap(1, { action: `1 a${usual}`, usual, places: [place] }));
  assert.deepEqual(offersView(snapshot({ boards, offers }), EVERYBODY).offers.map(({ usual }) => usual), [1, 2]);
});

test('many throws are two lines', () => {
  const throws = [1, 2, 3, 4].map((count) => tap(1, { by_tap: false, title: `Throw ${count}` }));
  assert.deepEqual(barView(offersView(snapshot({ offers: throws }), EVERYBODY)).throws.map(({ title }) => title), ['Throw 1', 'Throw 2, or 2 more']);
});

test('a card of a player whose board is not in front has two short facts, where the board has no brief parts', () => {
  const facts = ['a', 'b', '', 'd'].map((value) => ({ name: value, value }));
  const boards = [{ seat: 1, facts, brief: [] }, { seat: 2, facts, brief: ['top'] }];
  assert.deepEqual(briefFacts(boards, 1), [facts[0], facts[1]]);
  assert.deepEqual(briefFacts(boards, 2), []);
});
