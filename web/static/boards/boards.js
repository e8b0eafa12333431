// The players' boards: what lies before them besides the thrown dice, whatever the game is, and the choices made on them.

import { getJson } from '../api.js';
import { Component, html, render } from '../html.js';
import { say } from '../say.js';
import { orShowError, toast } from '../toast.js';
import { boardsStamp, factNames, fitsOneTable, isFilled, ownFirst } from './board_layout.js';
import { BoardPart } from './board_parts.js';
import { briefParts } from './board_view.js';
import { FairSheet } from './fair_sheet.js';
import { isSheet, nextToFill } from './fair_sheet_view.js';
import { PlacePopover } from './place_popover.js';
import { clearSelection, followPanel, keepSelectionFor, onPutDown, onSelection, selectedDice } from './selection.js';
import { choiceAt, countUnlisted, isPickable, mayPutOn, namedDice, offersAt, placeName, withAsked } from './selection_view.js';

const LONGEST_OPEN = 8;
const SHORT_CELL = 7;
const MARKS = ['open', 'done', 'blocked', 'here'];

/**
 * @typedef {{boards: import('./board_layout.js').Board[], acting: number[], own: number, over: boolean, front: number,
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

/** Draw what is shown of a player who does not act into an element: the parts of the player's boards that are brief. @param {HTMLElement} element @param {BoardsView} view @param {number} seat @returns {void} */
export function renderBrief(element, view, seat) {
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
