// The players' boards: what lies before them besides the thrown dice, whatever the game is, the choices made on them, and the strip
// of scores.

import { getJson } from '../api.js';
import { orShowError, toast } from '../dom.js';
import { Component, html, render } from '../html.js';
import { say } from '../say.js';
import { boardsStamp, briefFacts, factNames, fitsOneTable, isFilled, ownFirst } from '../table_view.js';
import { BoardDie, BoardPart, briefParts, placesOf } from './board_parts.js';
import { FairSheet, isSheet, nextToFill } from './fair_sheet.js';
import { addedWord, areSame, choiceAt, clearSelection, countUnlisted, diceOf, diceToChoose, followPanel, isPickable, keepSelectionFor, mayPutOn, namedDice, offersAt, onPutDown, onSelection, placeName, selectedDice, withAsked } from './selection.js';

/* The small list at a place, where several things may be done with it: each with its dice, or the dice to choose */

const EDGE_PX = 8;

/** The list; `onOffer` plays one of its offers, `onClose` puts the list away. The dice of `lying` are chosen at first. */
class PlacePopover extends Component {
  constructor(props) {
    super(props);
    this.state = { chosen: props.does === 'dice' ? placesOf(diceToChoose(props.offers), props.lying) : [] };
    this.onKey = (event) => event.key === 'Escape' && this.leave();
    this.onOutside = (event) => this.element && !this.element.contains(event.target) && this.props.onClose();
  }

  componentDidMount() {
    this.place();
    this.element.querySelector('button')?.focus({ preventScroll: true });
    document.addEventListener('keydown', this.onKey);
    document.addEventListener('pointerdown', this.onOutside, { capture: true });
  }

  componentWillUnmount() {
    document.removeEventListener('keydown', this.onKey);
    document.removeEventListener('pointerdown', this.onOutside, { capture: true });
  }

  componentDidUpdate() {
    this.place();
  }

  /** Close, and give the focus back to the place. */
  leave() {
    this.props.onClose();
    this.props.anchor.querySelector('button')?.focus();
  }

  /** Stand next to the place, within the window. */
  place() {
    const { width, height } = this.element.getBoundingClientRect();
    const at = this.props.anchor.getBoundingClientRect();
    const below = at.bottom + EDGE_PX;
    const top = below + height < innerHeight ? below : at.top - height - EDGE_PX;
    this.element.style.left = `${Math.max(EDGE_PX, Math.min(at.left, innerWidth - width - EDGE_PX))}px`;
    this.element.style.top = `${Math.max(EDGE_PX, Math.min(top, innerHeight - height - EDGE_PX))}px`;
  }

  toggle(place) {
    this.setState(({ chosen }) => ({ chosen: chosen.includes(place) ? chosen.filter((each) => each !== place) : [...chosen, place] }));
  }

  render({ title, offers, does, place, seat, look, onOffer }, { chosen }) {
    const words = does === 'words';
    const dice = does === 'dice' ? diceToChoose(offers) : [];
    const picked = chosen.map((place) => dice[place]);
    const listed = words ? [] : does === 'dice' ? offers.filter((offer) => areSame(picked, diceOf(offer))) : offers;
    return html`<div class="place-popover" role="dialog" aria-label=${title} data-of=${placeName(seat, place)} ref=${(element) => (this.element = element)}>
      <p class="popover-title">${title}</p>
      ${dice.length > 0 && html`<p class="popover-hint">${say('Choose the dice.')}</p><div class="choose-dice">${dice.map((die, place) => html`
        <button type="button" class=${chosen.includes(place) ? 'selected' : ''} aria-pressed=${String(chosen.includes(place))} aria-label=${die.title || die.face} onClick=${() => this.toggle(place)}><${BoardDie} die=${die} look=${look} /></button>`)}</div>`}
      ${words && html`<div class="choose-word">${offers.map((offer) => html`<button type="button" key=${offer.action} data-action=${offer.action} aria-label=${offer.title} onClick=${() => onOffer(offer)}>${addedWord(offer, place)}</button>`)}</div>`}
      ${listed.map((offer) => html`<button type="button" key=${offer.action} class=${offer.grave ? 'grave offer-row' : 'offer-row'} data-action=${offer.action} onClick=${() => onOffer(offer)}>
        ${diceOf(offer).length > 0 && html`<span class="place-dice">${diceOf(offer).map((die) => html`<${BoardDie} die=${die} look=${look} />`)}</span>`}<span>${offer.title}</span></button>`)}
      <button type="button" class="quiet" onClick=${() => this.leave()}>${say('Close')}</button>
    </div>`;
  }
}

/* Boards */

const LONGEST_OPEN = 8;
const SHORT_CELL = 7;
const MARKS = ['open', 'done', 'blocked', 'here'];

/**
 * @typedef {{boards: import('../table_view.js').Board[], acting: number[], own: number, over: boolean, front: number,
 *   players: {seat: number, name: string}[], offers: any[], dice: any[], kinds: {kind: string, bodies: string[]}[],
 *   dieSet: string, step: string, mayDecide: boolean}} BoardsView what the boards show: of the snapshot, and of this tablet
 * @typedef {{onRow: (row: {seat: number, row: string, title: string, columns: string[], cells: string[]}) => void, onOffer: (offer: any) => void}} BoardActions
 *   `onRow` opens all that may be done with a place, `onOffer` plays an offer
 */

/** Draw the boards into an element. @param {HTMLElement} element @param {BoardsView} snapshotView @param {BoardActions} actions @returns {void} */
export function renderBoards(element, snapshotView, actions) {
  const view = { ...snapshotView, stamp: boardsStamp(snapshotView) };
  keepSelectionFor(view.stamp);
  render(html`<${Boards} ...${view} ...${actions} />`, element);
  latest = view;
  queueMicrotask(markPanel); // the panel of dice is drawn after the boards
}

/** Draw what is shown of a player who does not act into an element: the parts of the player's boards that are brief. */
function renderBrief(element, view, seat) {
  const table = { ...tableOf(view), viewer: { own: 0, acting: [], mayDecide: false }, onPlace: () => {} };
  const boards = view.boards.filter((board) => board.seat === seat);
  render(html`<div class="brief parts">${boards.map((board) => briefParts(board).map((part) => html`
    <${BoardPart} key=${`${board.title}-${part.key}`} part=${part} seat=${seat} boardTitle=${board.title} table=${table} isSmall=${true} />`))}</div>`, element);
}

/** @type {BoardsView | null} */
let latest = null;

const viewerOf = ({ own, acting, mayDecide }) => ({ own, acting, mayDecide });

function dieOfPanel(number) {
  const die = latest?.dice.find((each) => each.number === number);
  if (!latest || !die || !isPickable(die, latest.offers, countUnlisted(latest.boards, latest.offers, viewerOf(latest)), viewerOf(latest))) return null;
  return { id: `die-${number}`, kind: die.kind, face: die.face, title: die.title };
}

const panel = document.getElementById('dice');
const markPanel = panel ? followPanel(panel, dieOfPanel) : () => {};

/** What every part of the boards needs. */
function tableOf({ players, offers, boards, kinds, dieSet, ...viewer }) {
  const look = { kinds: new Map(kinds.map((kind) => [kind.kind, kind])), dieSet };
  return { players, offers, look, viewer: viewerOf(viewer), unlisted: countUnlisted(boards, offers, viewerOf(viewer)) };
}

class Boards extends Component {
  constructor(props) {
    super(props);
    /** What is open at a place, for the stamp of the boards at which it was opened. */
    this.state = { choice: null };
    /** The offers that a snapshot of such boards only counts, once dice are selected for them. */
    this.asked = { stamp: '', offers: [] };
    /** A place at which the next choice is made, once the last one is in the snapshot. */
    this.filled = null;
    /** How often a place was tapped or asked for: an answer about an earlier one comes too late. */
    this.taps = 0;
    onSelection(() => {
      this.forceUpdate();
      void this.askUnlisted();
    });
    onPutDown((place) => this.putDown(place));
  }

  /** Ask for the offers that are only counted: which places the selected dice fit depends on them. */
  async askUnlisted() {
    const { stamp, boards, offers } = this.props;
    if (!selectedDice().length || this.asked.stamp === stamp || !countUnlisted(boards, offers, viewerOf(this.props))) return;
    this.asked = { stamp, offers: [] };
    const seats = [...new Set(boards.map(({ seat }) => seat))].filter((seat) => seat && mayPutOn(seat, viewerOf(this.props)));
    const answers = await Promise.all(seats.map((seat) => orShowError(getJson(`/api/offers?seat=${seat}`))));
    if (this.asked.stamp !== stamp) return;
    this.asked = { stamp, offers: answers.flatMap((answer) => answer?.offers ?? []) };
    this.forceUpdate();
  }

  /** Go on at the next place where a choice like the last one is made. */
  componentDidUpdate({ stamp }) {
    if (!this.filled || stamp === this.props.stamp) return;
    const { seat, key } = this.filled;
    this.filled = null;
    const board = this.props.boards.find((each) => each.seat === seat && isSheet(each));
    const part = board && nextToFill(board, key);
    if (part) this.putDown(placeName(seat, part.key));
  }

  render({ offers, ...props }, { choice }) {
    const view = { ...props, offers: this.asked.stamp === props.stamp ? withAsked(offers, this.asked.offers) : offers };
    const filled = view.boards.filter(isFilled);
    if (!filled.length) return null;
    const table = { ...tableOf(view), onPlace: (place) => this.tapPlace(place) };
    const isCurrent = choice && choice.stamp === view.stamp && choice.anchor.isConnected;
    return html`<${BoardCards} ...${view} filled=${filled} table=${table} />
      ${isCurrent && html`<${PlacePopover} ...${choice} look=${table.look} onOffer=${(offer) => this.play(offer)} onClose=${() => this.setState({ choice: null })} />`}`;
  }

  /** Do what a place offers for the selected dice, or ask which of it. */
  async tapPlace({ seat, part, boardTitle, element }) {
    const { stamp } = this.props;
    const tap = ++this.taps;
    const offers = await this.offersOf(seat, part);
    if (!offers || stamp !== this.props.stamp || tap !== this.taps) return;
    const named = namedDice({ seat, part }, selectedDice(), offers);
    const { does, offers: fitting } = choiceAt(offers, named, part.key);
    if (does === 'nothing') toast(offers.length ? say('These dice do not go there.') : say('There is nothing to do there now.'));
    else if (does === 'play') this.play(fitting[0]);
    else if (does === 'list') this.props.onRow({ seat, row: part.key, title: boardTitle, columns: [], cells: [part.title] });
    else this.setState({ choice: { does, offers: fitting, title: part.title, place: part.key, seat, anchor: element, stamp, lying: part.takes_all ? part.dice : named } });
  }

  /** The offers of a place: as the snapshot lists them, or all from the table where it only counts them. */
  async offersOf(seat, part) {
    const { offers, own } = this.props;
    const { taps } = offersAt(offers, seat, part.key, own);
    const all = own ? offersAt(offers, seat, part.key, 0).taps : taps;
    if (all.length >= part.taps) return taps;
    const answer = await orShowError(getJson(`/api/offers?${new URLSearchParams({ seat: String(seat), row: part.key })}`));
    return answer?.offers.filter(({ player }) => !own || !player || player === own);
  }

  play(offer) {
    const { choice } = this.state;
    this.filled = choice?.does === 'words' ? { seat: choice.seat, key: choice.place } : null;
    this.setState({ choice: null });
    clearSelection();
    this.props.onOffer(offer);
  }

  putDown(name) {
    for (const { seat, parts, title } of this.props.boards) {
      for (const part of parts.flatMap((each) => [each, ...(each.places ?? [])])) {
        const element = placeName(seat, part.key) === name && document.querySelector(`#boards [data-place="${CSS.escape(name)}"]`);
        if (element && part.taps) void this.tapPlace({ seat, part, boardTitle: title, element });
      }
    }
  }
}

function BoardCards({ filled, acting, own, over, front, table, onRow }) {
  const middle = filled.filter(({ seat }) => seat === 0);
  const seated = filled.filter(({ seat }) => seat !== 0);
  const draw = (board) => html`<${BoardSheet} key=${`${board.seat}-${board.title}`} ...${{ board, acting, over, table, onRow }} />`;
  if (front) return html`${middle.map(draw)}<div class="in-front" data-seat=${front}>${seated.map(draw)}</div>`;
  const together = fitsOneTable(seated);
  return html`<div class="small-boards">${middle.map(draw)}${together ? html`<${OneTable} boards=${seated} acting=${acting} />` : ownFirst(seated, own).map(draw)}</div>`;
}

function OneTable({ boards, acting }) {
  const names = factNames(boards);
  const valueOf = (facts, name) => facts.find((fact) => fact.name === name)?.value ?? '';
  return html`<div class="board together"><table>
    <thead><tr><td></td>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${boards.map(({ seat, title, facts }) => html`<tr class=${acting.includes(seat) ? 'acting' : ''}>
      <th scope="row">${title}</th>${names.map((name) => html`<td>${valueOf(facts, name)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

function BoardSheet({ board, acting, over, table, onRow }) {
  if (isSheet(board)) return html`<${FairSheet} board=${board} table=${table} />`;
  const { seat, title, facts, rows, parts } = board;
  const isFolded = rows.length > LONGEST_OPEN && !over && !rows.some(({ taps }) => taps);
  const lines = rows.length > 0 && html`<${Rows} board=${board} onRow=${onRow} />`;
  const stated = facts.filter(({ value }) => value);
  const classes = ['board', !seat && 'middle', acting.includes(seat) && 'acting', isFolded && 'long', !rows.length && !parts.length && 'bare', parts.length && 'staged'];
  return html`<div class=${classes.filter(Boolean).join(' ')} data-board=${seat}>
    <h2>${title}</h2>
    ${stated.length > 0 && html`<dl class="facts">${stated.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
    ${parts.length > 0 && html`<div class="parts">${parts.map((part) => html`<${BoardPart} key=${part.key} part=${part} seat=${seat} boardTitle=${title} table=${table} />`)}</div>`}
    ${isFolded ? html`<details><summary>${say('Show all')}</summary>${lines}</details>` : lines}
  </div>`;
}

function Rows({ board: { seat, title, columns, rows }, onRow }) {
  return html`<table>
    ${columns.some(Boolean) && html`<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>`}
    <tbody>${rows.map((row) => html`<${Row} key=${row.key} ...${{ row, seat, title, columns, onRow }} />`)}</tbody>
  </table>`;
}

function Row({ row: { key, cells, mark, taps }, seat, title, columns, onRow }) {
  const open = taps > 0 ? () => onRow({ seat, row: key, title, columns, cells }) : null;
  const [first, ...others] = cells;
  const label = say('{row}. Tap to choose.', { row: cells.filter(Boolean).join(', ') });
  const head = open ? html`<button type="button" data-key=${`row-${seat}-${key}`} data-row=${key} aria-label=${label}>${first}</button>` : first;
  return html`<tr class=${`${MARKS.includes(mark) ? mark : ''}${open ? ' tappable' : ''}`} data-mark=${mark} onClick=${open}>
    <th scope="row">${head}</th>${others.map((cell) => html`<td class=${cell.length <= SHORT_CELL ? 'short' : ''}>${cell}</td>`)}
  </tr>`;
}

/* The strip of scores: every player’s card, the acting one’s marked, with what matters of a board that is not shown */

const SEVERAL_PLAYERS = 4;
const MANY_PLAYERS = 6;

/** Draw the players into an element; a tap on one brings the player's board to the front. @param {HTMLElement} element @param {{players: any[], acting: number[], winner: number[], own: number, front: number, boards: BoardsView}} view @param {(seat: number) => void} bringToFront @returns {void} */
export function renderPlayers(element, view, bringToFront) {
  render(view.players.length > 0 && html`<${Players} ...${view} bringToFront=${bringToFront} />`, element);
}

function Players({ players, acting, winner, own, front, boards, bringToFront }) {
  const best = Math.max(...players.filter(({ left }) => !left).map(({ score }) => score));
  const size = players.length > MANY_PLAYERS ? 'many' : players.length > SEVERAL_PLAYERS ? 'several' : 'few';
  return html`<ol class=${`players ${size}`} data-count=${players.length}>${players.map(({ seat, name, score, left }) => {
    const isActing = acting.includes(seat);
    const isInFront = seat === front;
    const classes = ['player', isActing && 'active', winner.includes(seat) && 'won', isInFront && 'front', seat === own && 'own', left && 'gone'];
    return html`<li key=${seat} class=${classes.filter(Boolean).join(' ')} data-seat=${seat} aria-current=${isActing ? 'true' : null}>
      <span class="name" title=${name}>${name}${left && html` <em>${say('left')}</em>`}</span>
      <span class=${score === best && best > 0 && !left ? 'score best' : 'score'}>${score}</span>
      ${!isInFront && boards.boards.some((board) => board.seat === seat) && html`<${Brief} seat=${seat} boards=${boards} />`}
      ${front > 0 && players.length > 1 && html`<button type="button" class="bring-to-front" data-key=${`front-${seat}`} aria-label=${say('Show {name}’s sheet', { name })} aria-pressed=${String(isInFront)} onClick=${() => bringToFront(seat)} />`}
    </li>`;
  })}</ol>`;
}

/** What matters to the others of a board that is not in front. */
const Brief = ({ seat, boards }) => html`<div class="glance">
  <div ref=${(element) => element && renderBrief(element, boards, seat)} />
  ${briefFacts(boards.boards, seat).map(({ name, value }) => html`<span class="brief-fact" title=${name}>${value}</span>`)}
</div>`;
