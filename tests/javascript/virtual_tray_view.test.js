import assert from 'node:assert/strict';
import { test } from 'node:test';

import { areWrong, askedNext, awaitedInstead, doubtedDice, isUnderWay, wantedDice } from '../../web/static/virtual_tray_view.js';

const trayDie = (number, kind, upright_x, place = 'field') => ({ number, kind, place, upright_x, upright_y: 0.5 });
const seenDie = (number, kind, x) => ({ number, kind, face: 'two', zone: 'field', ring: { x, y: 0.5, edge: 0.05 } });
const roll = (throws, kinds) => ({ title: 'Throw the other 2 dice', by_tap: false, throws, dice: kinds.map((kind) => ({ kind, face: '' })) });
const TRAY = [trayDie(1, 'traffic', 0.1), trayDie(2, 'traffic', 0.3), trayDie(3, 'traffic', 0.5), trayDie(4, 'signal', 0.7)];

test('the dice of the asked throw are those of the tray that lie where the referee sees them', () => {
  const snapshot = { offers: [{ by_tap: true, dice: [] }, roll([11, 12], ['traffic', 'traffic'])], dice: [seenDie(11, 'traffic', 0.51), seenDie(12, 'traffic', 0.29)] };
  assert.deepEqual(askedNext(snapshot, TRAY), { title: 'Throw the other 2 dice', offer: 'Throw the other 2 dice', numbers: [2, 3] });
});

test('dice that were moved since are taken by their kind, those of the field first', () => {
  const tray = [trayDie(1, 'traffic', 0.9, 'aside'), ...TRAY.slice(1)];
  const snapshot = { offers: [roll([11, 12], ['traffic', 'traffic'])], dice: [seenDie(11, 'traffic', 0.8), seenDie(12, 'traffic', 0.3)] };
  assert.deepEqual(askedNext(snapshot, tray).numbers, [2, 3]);
  assert.deepEqual(askedNext({ offers: [roll([], ['signal', 'signal'])], dice: [] }, tray).numbers, []);
});

test('a die that fell off the table is thrown with the others of its throw', () => {
  const tray = [trayDie(1, 'traffic', 0.1, 'off'), ...TRAY.slice(1)];
  const snapshot = { offers: [roll([13], ['traffic', 'traffic'])], dice: [seenDie(12, 'traffic', 0.3), seenDie(13, 'traffic', 0.5)] };
  assert.deepEqual(askedNext(snapshot, tray).numbers, [1, 3]);
  assert.deepEqual(askedNext(snapshot, TRAY).numbers, [1, 2], 'no die is off the table');
});

test('of dice that are alike the one beside the tray is thrown first, since it has to come back', () => {
  const tray = [...TRAY.slice(0, 2), trayDie(3, 'traffic', 1.2, 'out'), TRAY[3]];
  assert.deepEqual(askedNext({ offers: [roll([], ['traffic'])], dice: [] }, tray).numbers, [3]);
});

test('of plain dice, of which any may be thrown, all are', () => {
  const snapshot = { game: { name: 'dice' }, offers: [roll([11], ['traffic'])], dice: [seenDie(11, 'traffic', 0.51)] };
  assert.deepEqual(askedNext(snapshot, TRAY), { title: 'Throw all the dice', offer: 'Throw the other 2 dice', numbers: [1, 2, 3, 4] });
});

test('dice that lean are thrown again first, of plain dice too', () => {
  const leaning = { ...seenDie(11, 'traffic', 0.51), posture: 'cocked' };
  const snapshot = { offers: [roll([11], ['traffic', 'traffic'])], dice: [leaning, seenDie(12, 'traffic', 0.3)] };
  assert.deepEqual(askedNext(snapshot, TRAY), { leans: true, title: 'Throw the leaning die again', offer: 'Throw the other 2 dice', numbers: [3] });
  assert.deepEqual(askedNext({ ...snapshot, game: { name: 'dice' } }, TRAY)?.numbers, [3]);
  const stacked = { ...snapshot, dice: [{ ...leaning, posture: 'stacked' }, seenDie(12, 'traffic', 0.3)] };
  assert.deepEqual(askedNext(stacked, TRAY), { leans: true, title: 'Throw the leaning die again', offer: 'Throw the other 2 dice', numbers: [3] });
  const moved = { ...snapshot, dice: [{ ...leaning, ring: null }] };
  assert.deepEqual(askedNext(moved, TRAY)?.numbers, [1]);
});

test('where no throw is offered, or nothing can be kept, none is asked', () => {
  const moved = { title: 'Park star', by_tap: false, throws: [], dice: [{ kind: 'traffic', face: 'star' }] };
  assert.equal(askedNext({ offers: [moved], dice: [] }, TRAY), null);
  assert.equal(askedNext({ unsaved: true, offers: [roll([], ['traffic'])], dice: [] }, TRAY), null);
  assert.equal(askedNext(null, TRAY), null);
});

test('dice are wanted as they are read, and those that lie wrong as they lay', () => {
  const wrong = { die: 11, kind: 'traffic', face: 'star', place: '' };
  const away = { die: 0, kind: 'traffic', face: 'four', place: 'aside' };
  const snapshot = { mood: 'breach', dice: [seenDie(11, 'traffic', 0.1), seenDie(12, 'traffic', 0.3)], put_back: [wrong, away] };
  assert.deepEqual(wantedDice(snapshot), [
    { kind: 'traffic', face: 'two', zone: 'field' },
    { kind: 'traffic', face: 'star', zone: 'field' },
    { kind: 'traffic', face: 'four', zone: 'aside' },
  ]);
  assert.ok(areWrong(snapshot));
  assert.deepEqual(wantedDice({ ...snapshot, put_back: [] }), []);
  assert.ok(!areWrong(null));
  assert.ok(areWrong({ ...snapshot, put_back: [], questions: [{ topic: 'put-back' }] }));
  assert.ok(!areWrong({ ...snapshot, put_back: [], questions: [] }));
});

test('while no throw is asked for it is said what is', () => {
  const state = { to_act: [1], on_turn: 1, players: [{ seat: 1, name: 'Ann' }], tell: 'Ann: park scoring dice.' };
  const snapshot = { state, questions: [], offers: [{ by_tap: false, verb: 'park', dice: [] }], notice: '', mood: 'calm' };
  assert.equal(awaitedInstead(snapshot), 'Drag dice that score to the bay');
  assert.equal(awaitedInstead({ ...snapshot, offers: [{ by_tap: true, verb: 'end', dice: [] }] }), 'Ann: park scoring dice.');
  assert.equal(awaitedInstead({ ...snapshot, questions: [{}] }), 'Answer the question first');
  assert.equal(awaitedInstead({ ...snapshot, unsaved: true }), 'No throw is asked for now');
  assert.equal(awaitedInstead({ ...snapshot, state: { ...state, to_act: [] } }), 'No throw is asked for now');
  assert.equal(awaitedInstead(null), 'No throw is asked for now');
});

test('a throw is under way until something else is asked for, or its dice have lain for a while by the tray’s own clock', () => {
  const wish = (step, offer, title = offer) => ({ step, offer, title });
  const roll = wish(2, 'Roll');
  assert.equal(isUnderWay({}, roll, 3), false);
  assert.equal(isUnderWay({}, {}, 3), false);
  assert.equal(isUnderWay(roll, roll, 3), true);
  assert.equal(isUnderWay(roll, roll, -1), true);
  assert.equal(isUnderWay(roll, roll, -2.1), false);
  assert.equal(isUnderWay(roll, wish(3, 'Roll'), -0.1), false);
  assert.equal(isUnderWay(wish(2, 'Park three stars'), roll, 0.1), false);
});

test('a leaning die that is thrown again is part of its throw: until that is ruled on there are no flat dice to throw', () => {
  const roll = { step: 2, offer: 'Roll', title: 'Roll' };
  const again = { ...roll, title: 'Throw the leaning die again', leans: true };
  assert.equal(isUnderWay(again, roll, 3), true);
  assert.equal(isUnderWay(again, again, 3), true);
  assert.equal(isUnderWay(roll, again, 3), false, 'a die was seen to lean');
  assert.equal(isUnderWay(again, { ...again, title: 'Throw the 2 leaning dice again' }, 3), false);
});

test('where hands are what comes next, the main button carries the dice that most people park', () => {
  const shown = [{ ...seenDie(11, 'traffic', 0.1), face: 'star' }, { ...seenDie(12, 'traffic', 0.3), face: 'happy' }, { ...seenDie(13, 'traffic', 0.5), face: 'star' }];
  const park = (usual, ...faces) => ({ title: `Park ${faces}`, by_tap: false, usual, throws: [], dice: faces.map((face) => ({ kind: 'traffic', face })) });
  const snapshot = { questions: [], offers: [park(0, 'star'), park(1, 'star', 'star')], dice: shown };
  assert.deepEqual(askedNext(snapshot, TRAY), { title: 'Park star,star', offer: 'Park star,star', numbers: [1, 3], does: 'set-aside' });
  assert.equal(askedNext({ ...snapshot, questions: [{}] }, TRAY), null);
  assert.deepEqual(askedNext({ ...snapshot, offers: [...snapshot.offers, roll([12], ['traffic'])] }, TRAY).numbers, [2], 'a throw comes first');
  assert.deepEqual(askedNext({ ...snapshot, dice: shown.slice(1) }, TRAY).numbers, []);
});

test('dice that are unsure or asked about are ringed where they lie in the tray, those that people named are not', () => {
  const sure = { sure: true, mark: '' };
  const dice = [{ ...seenDie(11, 'traffic', 0.51), ...sure }, { ...seenDie(12, 'traffic', 0.29), sure: false, mark: '' }, { ...seenDie(13, 'traffic', 0.1), sure: false, mark: 'corrected' }];
  assert.deepEqual(doubtedDice({ dice, questions: [] }, TRAY), [2]);
  assert.deepEqual(doubtedDice({ dice, questions: [{ dice: [11] }] }, TRAY), [3, 2]);
  assert.deepEqual(doubtedDice(null, TRAY), []);
});
