// What a player's sheet shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { awardWords, emptySpaces, isArea, isSheet, nextToFill, placeLabel, sectionInFront, sheetParts, shortHour, writtenDice } from '../../web/static/boards/fair_sheet.js';

const die = { kind: 'd6', face: 'pip-3', title: '3' };
const place = { part: 'dice', key: 'corn-dog', title: 'Corn Dog', dice: [], room: 2, points: 4, price: 6, needs: '5 or less', mark: '', taps: 0 };
const area = { ...place, key: 'hall_excess', title: 'Coins', room: 0, points: 0, needs: '', price: 0 };
const section = (key, more = {}) => ({ part: 'section', key, title: key, places: [place, place, place, area], note: '', is_here: false, facts: [], taps: 0, ...more });
const left = { ...place, key: 'dice_left', dice: [die], room: 0 };
const tally = { part: 'tally', key: 'activities_done', taps: 0 };
const parts = [left, tally, section('hall'), section('midway')];

test('a board with several sections of places is a sheet', () => {
  assert.equal(isSheet({ parts }), true);
  assert.equal(isSheet({ parts: [left, section('hall')] }), false);
  assert.equal(isSheet({ parts: [section('hall', { places: [place] }), section('midway', { places: [] })] }), false);
});

test('a sheet has sections, dice that are left, and other parts', () => {
  const { sections, hand } = sheetParts({ parts });
  assert.deepEqual(sections.map(({ key }) => key), ['hall', 'midway']);
  assert.equal(hand, left);
  assert.equal(sheetParts({ parts: [] }).hand, null);
});

test('a narrow page shows the chosen section, else where the player is, else what can be done', () => {
  const open = section('open', { places: [{ ...place, taps: 2 }] });
  assert.equal(sectionInFront([section('a'), section('b', { is_here: true }), open], 'a'), 'a');
  assert.equal(sectionInFront([section('a'), open, section('b', { is_here: true })], ''), 'b');
  assert.equal(sectionInFront([section('a'), open], 'gone'), 'open');
  assert.equal(sectionInFront([section('a'), section('b')], ''), 'a');
  assert.equal(sectionInFront([], ''), '');
});

test('the name of an award is told from its points', () => {
  assert.deepEqual(awardWords('Most, 5 / 3'), ['Most', '5/3']);
  assert.deepEqual(awardWords('Fewest Coins'), ['Fewest Coins', '']);
});

test('hours are short in narrow cells', () => {
  assert.deepEqual(['11 am', '12 noon', '9 pm', '21 Uhr'].map(shortHour), ['11', '12', '9', '21']);
});

test('spaces without a die are empty, and an area has no spaces', () => {
  assert.equal(emptySpaces(place), 2);
  assert.equal(emptySpaces({ dice: [die, die, die], room: 2 }), 0);
  assert.deepEqual([isArea(place), isArea(area)], [false, true]);
});

test('the next price is written at the next place that has none, and a single one left is no choice', () => {
  const row = (key, price, taps) => ({ ...place, key, price, taps });
  const hall = section('hall', { places: [row('a', 0, 3), row('b', 2, 1), row('c', 0, 3), row('d', 0, 3), area] });
  assert.equal(nextToFill({ parts: [left, hall] }, 'b').key, 'c');
  assert.equal(nextToFill({ parts: [left, hall] }, 'd').key, 'a');
  assert.equal(nextToFill({ parts: [section('hall', { places: [row('a', 0, 1), row('b', 1, 1)] })] }, 'b'), null);
  assert.equal(nextToFill({ parts: [left] }, 'gone'), null);
});

test('an activity is told in words', () => {
  assert.equal(placeLabel(place), 'Corn Dog, 4 points, 2 dice, 5 or less, price 6');
  assert.equal(placeLabel({ ...place, price: 0, room: 1, mark: 'open' }), 'Corn Dog, 4 points, 1 die, 5 or less, no price, bought');
  assert.equal(placeLabel({ ...place, dice: [die, die], mark: 'done' }), 'Corn Dog, 4 points, done with 3, 3, price 6');
  assert.equal(placeLabel({ ...area, points: 3 }), 'Coins, 3 points');
});

test('excess is written die by die while it is little, and by value where it is much', () => {
  const shown = (...titles) => titles.map((title) => ({ title }));
  assert.deepEqual(writtenDice(shown('5', '2', '5')), [{ title: '5', count: 1 }, { title: '2', count: 1 }, { title: '5', count: 1 }]);
  assert.deepEqual(writtenDice(shown('5', '2', '5', '6', '2', '2', '5')), [{ title: '2', count: 3 }, { title: '5', count: 3 }, { title: '6', count: 1 }]);
  assert.deepEqual(writtenDice([]), []);
});
