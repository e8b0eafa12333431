// A player's sheet as the paper one: three sections with their activities, spaces, excess area and awards, and the turns.

import { Component, html } from '../html.js';
import { say, sayCount } from '../say.js';
import { BoardDie } from './board_parts.js';
import { isPickable, placeName, placeView, selectedDice } from './selection.js';

const MOST_SHORT = 3;

/** Return true if a board is a sheet: sections with several places each. @param {{parts: any[]}} board @returns {boolean} */
export const isSheet = ({ parts }) => parts.filter(({ part, places }) => part === 'section' && places.length > MOST_SHORT).length > 1;

/** Return the parts of a sheet: its sections, and the dice that are left. @param {{parts: any[]}} board @returns {{sections: any[], hand: any | null}} */
export const sheetParts = ({ parts }) => ({ sections: parts.filter(({ part }) => part === 'section'), hand: parts.find(({ part }) => part === 'dice') ?? null });

/** Return the section that a narrow page shows: the chosen one, else where the player is, else the first with something to do, else the first. @param {any[]} sections @param {string} chosen @returns {string} */
export function sectionInFront(sections, chosen) {
  const isOpen = ({ places }) => places.some(({ taps }) => taps > 0);
  const found = sections.find(({ key }) => key === chosen) ?? sections.find(({ is_here: isHere }) => isHere) ?? sections.find(isOpen) ?? sections[0];
  return found?.key ?? '';
}

/** Return the title that begins a name of an award, and the points that it brings: `Most, 5 / 3`. @param {string} name @returns {[string, string]} */
export function awardWords(name) {
  const [title, ...points] = name.split(', ');
  return [title, points.join(', ').replaceAll(' / ', '/')];
}

/** Return an hour without its words, for a narrow cell: `11` for `11 am`, `13` for `13 Uhr`. @param {string} hour @returns {string} */
export const shortHour = (hour) => hour.replace(/ \D+$/, '');

/** Return how many spaces of a place are still empty. @param {{dice: any[], room: number}} place @returns {number} */
export const emptySpaces = ({ dice, room }) => Math.max(0, room - dice.length);

/** So many dice of an area are written one by one; more of them by value. */
const MOST_SINGLE = 6;

/** Return the dice of an area as they are written: each by itself while they are few, else each value once with how many show it. @param {{title: string}[]} dice @returns {{title: string, count: number}[]} */
export function writtenDice(dice) {
  if (dice.length <= MOST_SINGLE) return dice.map(({ title }) => ({ title, count: 1 }));
  const titles = [...new Set(dice.map(({ title }) => title))].sort();
  return titles.map((title) => ({ title, count: dice.filter((die) => die.title === title).length }));
}

/** Return true if a place is an area for dice without spaces of its own, such as one for excess. @param {{room: number}} place @returns {boolean} */
export const isArea = ({ room }) => room === 0;

/** Return the place that is filled in after this one: the next of its section that is still without a price and has several to choose from; null for none. @param {{parts: any[]}} board @param {string} key @returns {any} */
export function nextToFill({ parts }, key) {
  const places = parts.find(({ places: all }) => all?.some((place) => place.key === key))?.places ?? [];
  const here = places.findIndex((place) => place.key === key);
  return [...places.slice(here + 1), ...places.slice(0, here)].find(({ price, taps }) => !price && taps > 1) ?? null;
}

/** Return what is said of an activity to a screen reader. @param {any} place @returns {string} */
export function placeLabel({ title, dice, room, points, price, needs, mark }) {
  const done = dice.length > 0 && room > 0;
  return [
    title,
    points !== null && sayCount('{count} point', '{count} points', points),
    room > 0 && (done ? say('done with {dice}', { dice: dice.map((die) => die.title).join(', ') }) : sayCount('{count} die, {needs}', '{count} dice, {needs}', room, { needs })),
    room > 0 && (price ? say('price {price}', { price }) : say('no price')),
    mark === 'open' && say('bought'),
  ].filter(Boolean).join(', ');
}

const LEGAL = ['open', 'fits'];
const MARKS = { open: 'bought', done: 'done' };
/** Where three sections have no room, the turns and the awards of all sections have a tab of their own. */
const TURNS = 'turns';

/** A sheet; `table` is what all parts of boards need. */
export class FairSheet extends Component {
  /** Draw the sheet. @param {{board: any, table: any}} props @param {any} state @returns {any} */
  render({ board, table }, { chosen = '' }) {
    const { sections, hand } = sheetParts(board);
    const front = chosen === TURNS ? TURNS : sectionInFront(sections, chosen);
    const choose = (key) => this.setState({ chosen: key });
    const draw = (section) => html`<${SheetSection} key=${section.key} section=${section} isFront=${section.key === front} board=${board} table=${table} />`;
    return html`<article class="fair-sheet" data-board=${board.seat}><div class="sheet-paper">
      <div class="sheet-top">${hand?.dice.length ? html`<${Hand} hand=${hand} seat=${board.seat} table=${table} />` : html`<strong class="sheet-name">${board.title}</strong>`}<${Turns} rows=${board.rows} /></div>
      <div class="sheet-tabs" role="group" aria-label=${say('Sections of the fair')}>${sections.map((section) => html`<${Tab} section=${section} isFront=${section.key === front} choose=${choose} />`)}
        <${Tab} section=${{ key: TURNS, title: say('Turns') }} isFront=${front === TURNS} choose=${choose} /></div>
      <div class="sheet-sections">${sections.map(draw)}${front === TURNS && html`<${TurnsAndAwards} board=${board} sections=${sections} />`}</div>
      ${board.facts.length > 0 && html`<dl class="sheet-total">${board.facts.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
    </div></article>`;
  }
}

/** The dice that are left: one that can be spent may be selected, or dragged to its place. */
function Hand({ hand: { key, dice }, seat, table: { look, offers, unlisted, viewer } }) {
  const pickOf = (die, place) => (isPickable(die, offers, unlisted, viewer) ? { id: `board-${seat}-${key}-${place}` } : null);
  return html`<div class="sheet-hand" role="group" aria-label=${say('Dice left')}>
    ${dice.map((die, place) => html`<${BoardDie} die=${die} look=${look} pick=${pickOf(die, place)} />`)}</div>`;
}

const Tab = ({ section: { key, title, is_here: isHere }, isFront, choose }) => html`<button type="button" class=${isHere ? 'sheet-tab here' : 'sheet-tab'}
  data-section=${key} aria-pressed=${String(isFront)} onClick=${() => choose(key)}>${title}</button>`;

/** Return what a place can do now: its state with the selected dice, and what makes it a button. */
function placeOf(part, board, { offers, viewer, onPlace }) {
  const { seat, title } = board;
  const { state } = placeView({ seat, part, offers, viewer, selected: selectedDice() });
  const tap = (event) => onPlace({ seat, part, boardTitle: title, element: event.currentTarget.closest('[data-place]') });
  return { state, isLegal: LEGAL.includes(state), place: placeName(seat, part.key), button: state && { 'data-key': `part-${seat}-${part.key}`, onClick: tap } };
}

function SheetSection({ section, isFront, board, table }) {
  const { title, note, is_here: isHere, places, facts } = section;
  const { state, isLegal, place, button } = placeOf(section, board, table);
  const classes = ['sheet-section', isHere && 'here', isFront && 'in-view', isLegal && 'legal', state];
  // All of a section glows, so all of it takes the tap but what has a button of its own; by key its head does.
  const tapAnywhere = isLegal ? (event) => event.target.closest('button') || button.onClick(event) : undefined;
  const head = html`<span class="section-title">${title}</span>${isHere ? html`<svg class="is-here" viewBox="0 0 24 24" role="img" aria-label=${say('you are here')}><path d="M12 1a8 8 0 0 0-8 8c0 6 8 14 8 14s8-8 8-14a8 8 0 0 0-8-8m0 4.5a3.5 3.5 0 0 1 0 7 3.5 3.5 0 0 1 0-7" /></svg>` : note && html`<span class="way">${note}</span>`}`;
  return html`<section class=${classes.filter(Boolean).join(' ')} data-section=${section.key} data-place=${place} aria-label=${title} onClick=${tapAnywhere}>
    ${button ? html`<button type="button" class="section-head put" ...${button}>${head}</button>` : html`<div class="section-head">${head}</div>`}
    <div class="activities">${places.filter((each) => !isArea(each)).map((each) => html`<${Activity} key=${each.key} part=${each} board=${board} table=${table} />`)}</div>
    ${places.filter(isArea).map((each) => html`<${Area} key=${each.key} part=${each} />`)}
    <dl class="awards">${facts.map(({ name, value }, place) => html`<${AwardLine} name=${name} value=${value} sign=${AWARD_SIGNS[place]} />`)}</dl>
  </section>`;
}

const TurnsAndAwards = ({ board: { rows }, sections }) => html`<div class="sheet-all"><${Turns} rows=${rows} />
  ${sections.map(({ title, facts }) => html`<h3>${title}</h3><dl class="awards">${facts.map(({ name, value }) => html`<${AwardLine} name=${name} value=${value} />`)}</dl>`)}</div>`;

/** On the sheet signs stand for most and fewest; the tab of all awards has the words. */
const AWARD_SIGNS = ['▲', '▼'];

function AwardLine({ name, value, sign }) {
  const [title, points] = awardWords(name);
  const words = sign ? html`<span aria-hidden="true">${sign}</span><span class="for-readers">${title}</span>` : title;
  return html`<div class="award" title=${name}><dt>${words} <b>${points}</b></dt><dd>${value || '–'}</dd></div>`;
}

function Activity({ part, board, table }) {
  const { state, isLegal, place, button } = placeOf(part, board, table);
  const { title, dice, points, price, needs, mark } = part;
  const classes = ['activity', MARKS[mark], isLegal && 'legal', state].filter(Boolean).join(' ');
  const label = placeLabel(part);
  const face = html`<span class="price-box">${price || ''}</span>
    <span class="activity-title">${title}</span>
    <span class="activity-points">${points}</span>
    <span class="spaces">${dice.map((die) => html`<${BoardDie} die=${die} look=${table.look} />`)}${Array.from({ length: emptySpaces(part) }, () => html`<span class="empty-place" />`)}</span>
    <span class="needs">${needs}</span>`;
  return html`<div class=${classes} data-place=${place}>${button
    ? html`<button type="button" class="activity-face put" aria-label=${label} ...${button}>${face}</button>`
    : html`<div class="activity-face" role="group" aria-label=${label}>${face}</div>`}</div>`;
}

const Area = ({ part: { title, dice, points } }) => html`<div class="excess"><span class="excess-title">${title}</span>
  <span class="excess-values">${writtenDice(dice).map(({ title: value, count }) => html`<span class="excess-dice"><span class="excess-value">${value}</span>${count > 1 && html`<small class="excess-count">×${count}</small>`}</span>`)}</span>
  ${points > 0 && html`<span class="excess-sum">= ${points}</span>`}</div>`;

const Turns = ({ rows }) => html`<ol class="sheet-turns" aria-label=${say('Turns')}>${rows.map(({ key, cells: [hour, die, section], mark }) => html`
  <li key=${key} class=${`hour ${mark}`} title=${[hour, section, die && say('moved with a {number}', { number: die })].filter(Boolean).join(', ')}>
    <span class="hour-name">${shortHour(hour)}</span><span class="hour-section">${section.slice(0, 1)}</span><span class="hour-die">${die}</span></li>`)}</ol>`;
