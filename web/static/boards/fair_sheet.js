// A player's sheet as the paper one: three sections with their activities, spaces, excess area and awards, and the turns.

import { Component, html } from '../html.js';
import { BoardDie } from './board_die.js';
import { awardWords, emptySpaces, isArea, placeLabel, sectionInFront, sheetParts, shortHour, writtenDice } from './fair_sheet_view.js';
import { selectedDice } from './selection.js';
import { isPickable, placeName, placeView } from './selection_view.js';
import { say } from '../say.js';

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
function Hand({ hand: { key, title, dice }, seat, table: { look, offers, unlisted, viewer } }) {
  const pickOf = (die, place) => (isPickable(die, offers, unlisted, viewer) ? { id: `board-${seat}-${key}-${place}` } : null);
  return html`<div class="sheet-hand" role="group" aria-label=${say('Dice left')}><span class="hand-title">${title}</span>
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
  const head = html`<span class="section-title">${title}</span>${isHere ? html`<span class="way is-here">${say('you are here')}</span>` : note && html`<span class="way">${note}</span>`}`;
  return html`<section class=${classes.filter(Boolean).join(' ')} data-section=${section.key} data-place=${place} aria-label=${title} onClick=${tapAnywhere}>
    ${button ? html`<button type="button" class="section-head put" ...${button}>${head}</button>` : html`<div class="section-head">${head}</div>`}
    <div class="activities">${places.filter((each) => !isArea(each)).map((each) => html`<${Activity} key=${each.key} part=${each} board=${board} table=${table} />`)}</div>
    ${places.filter(isArea).map((each) => html`<${Area} key=${each.key} part=${each} />`)}
    <dl class="awards">${facts.map(({ name, value }) => html`<${AwardLine} name=${name} value=${value} />`)}</dl>
  </section>`;
}

const TurnsAndAwards = ({ board: { rows }, sections }) => html`<div class="sheet-all"><${Turns} rows=${rows} />
  ${sections.map(({ title, facts }) => html`<h3>${title}</h3><dl class="awards">${facts.map(({ name, value }) => html`<${AwardLine} name=${name} value=${value} />`)}</dl>`)}</div>`;

function AwardLine({ name, value }) {
  const [title, points] = awardWords(name);
  return html`<div class="award"><dt>${title} <b>${points}</b></dt><dd>${value || '–'}</dd></div>`;
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
