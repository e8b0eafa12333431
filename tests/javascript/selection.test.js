import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addedWord, areAmong, choiceAt, countUnlisted, diceOf, diceToChoose, isPickable, isThrow, mayPutOn, namedDice, offersAt, placeView, withAsked } from '../../web/static/boards/selection.js';

const die = (face, kind = 'traffic') => ({ kind, face, title: face });
const offer = (action, fields = {}) => ({ action, player: 1, verb: action.split(' ')[1], choice: '', title: action, by_tap: true, grave: false, places: ['0:parked'], ...fields });
const park = (...faces) => offer(`1 park ${faces.map((face) => `traffic:${face}`).join(' ')}`, { dice: faces.map((face) => die(face)) });
const viewer = { own: 0, acting: [1], mayDecide: true };
const place = (offers, fields = {}) => ({ seat: 0, part: { key: 'parked', title: 'Parked', taps: offers.filter(({ by_tap: byTap }) => byTap).length }, offers, viewer, selected: [], ...fields });

test('an offer without dice has them in its action', () => {
  assert.deepEqual(diceOf({ action: '1 put d6:pip-2 d6:? =stall/2' }), [{ kind: 'd6', face: 'pip-2' }, { kind: 'd6', face: '' }]);
  assert.deepEqual(diceOf({ action: '1 end' }), []);
});

test('a place has the offers that name it, of its own player where a tablet is one player’s', () => {
  const other = { ...park('star'), player: 2 };
  const carried = { ...park('happy'), by_tap: false };
  assert.deepEqual(offersAt([park('star'), other, carried], 0, 'parked', 0).taps.length, 2);
  assert.deepEqual(offersAt([park('star'), other, carried], 0, 'parked', 2).taps, [other]);
  assert.deepEqual(offersAt([carried], 0, 'parked', 0).hands, [carried]);
  assert.ok(isThrow(offer('1 roll traffic:?', { by_tap: false })));
});

test('a watcher puts nothing anywhere, and a tablet with a seat nothing on another one’s board', () => {
  assert.ok(!mayPutOn(1, { ...viewer, mayDecide: false }));
  assert.ok(!mayPutOn(2, { ...viewer, own: 1 }));
  assert.ok(mayPutOn(1, { ...viewer, own: 1 }));
  assert.ok(!mayPutOn(0, { ...viewer, own: 2 }));
  assert.ok(mayPutOn(0, viewer));
});

test('a place is open to a tap, fits the selected dice, or does not', () => {
  const offers = [park('star'), park('star', 'happy')];
  assert.deepEqual(placeView(place(offers)), { state: 'open', hint: 'Choose', isInBar: false });
  assert.equal(placeView(place(offers, { selected: [die('star')] })).state, 'fits');
  assert.equal(placeView(place(offers, { selected: [die('happy')] })).state, 'open');
  assert.equal(placeView(place(offers, { selected: [die('two')] })).state, 'unfit');
  assert.equal(placeView(place([park('star')])).hint, '1 park traffic:star');
  assert.equal(placeView(place([])).state, '');
});

test('where offers are only counted, selected dice may fit', () => {
  const counted = { seat: 1, part: { key: 'stall', title: 'Stall', taps: 40 } };
  assert.equal(placeView(place([], { ...counted, selected: [die('two')] })).state, 'open');
  assert.equal(countUnlisted([{ seat: 1, parts: [{ ...counted.part, places: [{ key: 'x', taps: 2 }] }] }], [], viewer), 42);
});

test('dice that are carried by hand have a place that shows it and takes no tap', () => {
  const carried = [{ ...park('happy'), by_tap: false }, { ...park('star'), by_tap: false }];
  assert.deepEqual(placeView(place(carried)), { state: 'hand', hint: 'Put dice here', isInBar: false });
  assert.equal(placeView(place(carried, { selected: [die('two')] })).state, '');
});

test('a tap plays the only offer, lists a few, and asks for dice where they are many', () => {
  const few = ['star', 'happy', 'two', 'three'].map((face) => park(face));
  const many = [...few, park('four')];
  assert.equal(choiceAt([], []).does, 'nothing');
  assert.deepEqual(choiceAt([few[0]], []), { does: 'play', offers: [few[0]] });
  assert.equal(choiceAt(few, []).does, 'rows');
  assert.equal(choiceAt(many, []).does, 'dice');
  assert.equal(choiceAt([...many, offer('1 end')], []).does, 'list');
  assert.deepEqual(choiceAt(many, [die('two')]), { does: 'play', offers: [few[2]] });
  assert.equal(choiceAt(many, [die('sad')]).does, 'nothing');
});

test('exactly the selected dice go before more of them', () => {
  const pair = park('star', 'star');
  assert.deepEqual(choiceAt([park('star'), pair], [die('star')]).offers, [park('star')]);
  assert.deepEqual(choiceAt([pair], [die('star')]).offers, [pair]);
  assert.ok(!areAmong([die('star'), die('star')], [die('star')]));
});

test('the dice to choose are as many as one offer takes at most', () => {
  const faces = diceToChoose([park('star', 'star'), park('star', 'happy')]).map(({ face }) => face);
  assert.deepEqual(faces, ['happy', 'star', 'star']);
});

test('a die may be selected that an offer of a place takes', () => {
  assert.ok(isPickable(die('star'), [park('star')], 0, viewer));
  assert.ok(!isPickable(die('sad'), [park('star')], 0, viewer));
  assert.ok(isPickable(die('sad'), [], 3, viewer));
  assert.ok(!isPickable(die('star'), [park('star')], 0, { ...viewer, mayDecide: false }));
  assert.ok(!isPickable(die('star'), [{ ...park('star'), by_tap: false }], 0, viewer));
});

test('where offers name all that is to lie at a place, dice are added to those that do, or picked up from them', () => {
  const part = { key: 'parked', takes_all: true, dice: [die('star')] };
  const offers = [park(), park('star'), park('happy'), park('star', 'happy')];
  const faces = (selected) => namedDice({ seat: 0, part }, selected, offers).map(({ face }) => face);
  assert.deepEqual(faces([{ ...die('happy'), id: 'die-2' }]), ['star', 'happy']);
  assert.deepEqual(faces([{ ...die('star'), id: 'board-0-parked-0' }]), []);
  assert.deepEqual(faces([{ ...die('star'), id: 'die-1' }]), ['star']);
  assert.deepEqual(faces([]), []);
  assert.deepEqual(namedDice({ seat: 0, part: { ...part, takes_all: false } }, [die('happy')], offers), [die('happy')]);
});

test('many offers of which one is without dice let people choose the dice', () => {
  const offers = [park(), park('star'), park('happy'), park('two'), park('star', 'happy')];
  assert.equal(choiceAt(offers, []).does, 'dice');
  assert.equal(choiceAt([park(), ...offers], []).does, 'list');
});

test('a choice that adds a word to its place is made among short words', () => {
  const price = (number) => offer(`1 price =stall/${number}`, { choice: `stall/${number}`, dice: [] });
  assert.equal(addedWord(price(3), 'stall'), '3');
  assert.equal(addedWord({ choice: 'stall' }, 'stall'), '');
  assert.equal(addedWord({ choice: 'stalls/3' }, 'stall'), '');
  assert.equal(choiceAt([price(1), price(2)], [], 'stall').does, 'words');
  assert.equal(choiceAt([price(1)], [], 'stall').does, 'play');
  assert.equal(choiceAt([price(1), offer('1 erase =stall', { choice: 'stall', dice: [] })], [], 'stall').does, 'rows');
});

test('offers that were asked for stand among those that a snapshot lists, each once', () => {
  assert.deepEqual(withAsked([park('star')], []), [park('star')]);
  assert.deepEqual(withAsked([park('star')], [park('star'), park('two')]).map(({ action }) => action), ['1 park traffic:star', '1 park traffic:two']);
});
