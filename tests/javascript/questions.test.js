import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MORE, addressed, answersView, askedPictures, elseView, endWords, nextStep, optionKey, ownSteps, ringsOf, sharedThrow, waitingThrows, waysView } from '../../web/static/questions.js';

const choice = (answer, likely = false) => ({ answer, title: answer, likely, picture: '' });
const FACES = { topic: 'face', dice: [1, 2], crops: ['a', ''], choices: [choice('sad', true), choice('happy', true), choice('two'), choice('not-all')] };
const KIND = { topic: 'kind', dice: [1, 2], crops: ['a', 'b'], choices: [choice('1', true), choice('2', true), choice('none')] };
const answers = (choices) => choices.map(({ answer }) => answer);

test('the likely faces are tiles, and the others come on request', () => {
  const { tiles, split, others } = answersView(FACES);
  assert.deepEqual([answers(tiles), split.answer, answers(others)], [['sad', 'happy'], 'not-all', ['two']]);
});

test('dice are tiles where one of them is looked for, and none of them is the last of many', () => {
  const { tiles, split, others } = answersView(KIND);
  assert.deepEqual([answers(tiles), split.answer, others], [['1', '2'], 'none', []]);
  const many = answersView({ ...KIND, choices: [choice('1', true), choice('2', true), choice('3'), choice('none')] });
  assert.deepEqual([answers(many.tiles), many.split, answers(many.others)], [['1', '2'], null, ['3', 'none']]);
});

test('a question about one die has nothing to split', () => {
  assert.equal(answersView({ ...FACES, choices: FACES.choices.slice(0, 3) }).split, null);
});

test('the dice that a face is asked of are pictured above, those to choose among are the answers', () => {
  assert.deepEqual(askedPictures(FACES), ['a']);
  assert.deepEqual(askedPictures(KIND), []);
});

test('throws that wait for the answer are counted', () => {
  assert.equal(waitingThrows(0), '');
  assert.match(waitingThrows(1), /^1 throw waits for your answer/);
  assert.match(waitingThrows(3), /^3 throws wait/);
});

const die = (face) => ({ kind: 'traffic', face, title: face });
const THROWN = [die('happy'), die('star')];
const step = (title, dice = []) => ({ title, dice });
const way = (answer, steps, fields = {}) => ({ answer, title: answer, before: [die('two')], after: THROWN, seat: 1, turn: 1, points: 0, steps, ...fields });
const PARK = way('0', [step('Park', [die('star')]), step('Roll', THROWN)], { points: 250 });
const ROLL = way('1', [step('Roll', THROWN)], { points: 150 });
const END = way('2', [step('End'), step('Roll', THROWN)], { seat: 2, turn: 2 });
const PLAYERS = [{ seat: 1, name: 'Ann' }, { seat: 2, name: 'Bob' }];

test('a question names the player, unless it does already', () => {
  assert.equal(addressed('What does this die show?', 'Ann'), 'Ann, what does this die show?');
  assert.equal(addressed('How far did Ann go?', 'Ann'), 'How far did Ann go?');
  assert.equal(addressed('How far did Ann go?', 'Bob', ['Ann', 'Bob']), 'How far did Ann go?');
  assert.equal(addressed('What does this die show?', 'Hat', ['Hat', 'Wh']), 'Hat, what does this die show?');
  assert.equal(addressed('Star or two?', 'Ann'), 'Ann: Star or two?');
  assert.equal(addressed('Who threw?', ''), 'Who threw?');
});

test('at most four answers are shown at once, the likeliest, and the others come under something else', () => {
  const choices = [0, 1, 2, 3, 4, 5].map((number) => choice(String(number)));
  const view = waysView({ choices: [...choices, choice('as-it-lies')] });
  assert.deepEqual([answers(view.answers), answers(view.others), view.asTheyLie.answer], [['0', '1', '2', '3'], ['4', '5'], 'as-it-lies']);
});

test('what all answers share is drawn once, and each says what it alone has', () => {
  assert.deepEqual(sharedThrow([PARK, ROLL]), { before: [die('two')], after: THROWN });
  assert.equal(sharedThrow([PARK, way('1', [step('Roll')], { after: [die('sad')] })]), null);
  assert.deepEqual(ownSteps(PARK, [PARK, ROLL]).map(({ title }) => title), ['Park']);
  assert.deepEqual(ownSteps(ROLL, [PARK, ROLL]), []);
});

test('what follows is said only where the answers differ in it', () => {
  assert.equal(endWords(PARK, [PARK, ROLL], PLAYERS), '250 this turn');
  assert.equal(endWords(way('3', [step('Roll')], { turn: 2 }), [PARK, ROLL], PLAYERS), 'Bob is next');
  assert.equal(endWords(ROLL, [ROLL, { ...ROLL, answer: '7' }], PLAYERS), '');
});

test('something else asks in small steps: who threw, what was done, which dice', () => {
  assert.deepEqual(nextStep([PARK, ROLL, END], PLAYERS).options.map(({ title, answers: left }) => [title, left.length]), [['Ann', 2], ['Bob', 1]]);
  assert.deepEqual(nextStep([PARK, ROLL], PLAYERS).options.map(({ title }) => title), ['Park', 'Roll']);
  const other = way('8', [step('Park', [die('two')]), step('Roll', THROWN)]);
  const which = nextStep([PARK, other], PLAYERS);
  assert.equal(which.sentence, 'Which dice?');
  assert.deepEqual(which.options.map(({ dice }) => dice[0].face), ['star', 'two']);
  assert.equal(nextStep([PARK], PLAYERS), null);
});

test('something else shows four answers of few words at a time, and no steps', () => {
  const cards = [9, 8, 7, 6, 5, 4].map((card) => ({ ...PARK, answer: String(card), title: `Card ${card}` }));
  const first = elseView(cards, PLAYERS, []);
  assert.deepEqual([first.sentence, answers(first.answers), first.hasMore], ['', ['9', '8', '7', '6'], true]);
  const then = elseView(cards, PLAYERS, [MORE]);
  assert.deepEqual([answers(then.answers), then.hasMore], [['5', '4'], false]);
});

test('a small step has four options at most, and one that is chosen leads to the next', () => {
  const rows = ['Park the star', 'Mend the sad', 'Roll two dice', 'Take the points', 'Unpark the star'];
  const long = rows.map((title, place) => ({ ...way(String(place), [step(title), step('Roll', THROWN)]), title: `${title}, then roll` }));
  const first = elseView(long, PLAYERS, []);
  assert.deepEqual([first.options.length, first.answers, first.hasMore], [4, [], true]);
  assert.deepEqual(elseView(long, PLAYERS, [MORE]).options.map(({ title }) => title), ['Unpark the star']);
  assert.deepEqual(answers(elseView(long, PLAYERS, [MORE, optionKey(elseView(long, PLAYERS, [MORE]).options[0])]).answers), ['4']);
});

test('the dice in question are ringed, and of a breach those that lie wrong', () => {
  const ring = (x) => ({ x, y: .5, edge: .05 });
  const dice = [{ number: 1, ring: ring(.1) }, { number: 2, ring: ring(.2) }, { number: 3, ring: null }];
  assert.deepEqual(ringsOf({ topic: 'face', dice: [2, 3] }, dice, []), [ring(.2)]);
  assert.deepEqual(ringsOf({ topic: 'put-back', dice: [2] }, dice, [{ die: 1 }, { die: 0 }]), [ring(.1)]);
});
