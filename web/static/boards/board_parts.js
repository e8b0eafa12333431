// The parts of a board, by their kind: places for dice, sections, tracks, cards, lights and tallies; and where choices are made on them.

import { faceUrl } from '../api.js';
import { faceGlyph, faceOrTitle, hasDrawing } from '../die_faces.js';
import { Component, html } from '../html.js';
import { say, sayCount } from '../say.js';
import { CHOOSE, isPickable, isSelected, placeName, placeView, selectedDice, startDrag, toggleDie } from './selection.js';

/* How parts are placed, and what they say to a screen reader */

/** Tokens nearer to each other than this, in percent of the road, stand one above the other. */
const APART = 7;
/** What the number at a ghost takes up of a short road, in percent: no other token stands there in its row. */
const GHOST = 20;
/** A ghost so near to its own token, this far along the road, has no room after it and stands before it. */
const NEAR_END = 75;

/**
 * Return where everything stands on a track, in percent of its length: the goal, the marks, and each token with the
 * row in which it does not cover another one. A track that somebody is beyond the goal of is drawn longer.
 * @param {{goal: number, tokens: {seat: number, at: number, at_risk: number}[], marks: number[]}} track
 * @returns {{goal: number, rows: number, marks: {number: number, at: number}[], tokens: {seat: number, points: number, risk: number, at: number, to: number, row: number, isBefore: boolean}[]}} `isBefore` where the ghost has room before its token alone
 */
export function trackView({ goal, tokens, marks }) {
  const end = Math.max(goal, 1, ...tokens.map(({ at, at_risk: risk }) => at + risk));
  const share = (points) => Math.max(0, Math.min(100, (100 * points) / end));
  /** @type {number[]} */
  const ends = [];
  const placed = [...tokens].sort((one, other) => one.at - other.at || one.seat - other.seat).map(({ seat, at, at_risk: risk }) => {
    const here = share(at);
    const to = share(at + risk);
    const isBefore = risk > 0 && here > NEAR_END && to - here < GHOST;
    const free = ends.findIndex((last) => here - (isBefore ? GHOST : 0) - last >= APART);
    const row = free < 0 ? ends.length : free;
    ends[row] = risk > 0 && !isBefore ? to + GHOST : to;
    return { seat, points: at, risk, at: here, to, row, isBefore };
  });
  return { goal: share(goal), rows: Math.max(1, ends.length), marks: marks.map((number) => ({ number, at: share(number) })), tokens: placed };
}

/** Return what stands on a player's token: the first letter of the name, two where others begin alike, else the letter and the seat. @param {{seat: number, name: string}[]} players @param {number} seat @returns {string} */
export function initialsOf(players, seat) {
  const beginning = (player, length) => [...(player?.name.trim() ?? '')].slice(0, length).join('').toLowerCase();
  const own = players.find((player) => player.seat === seat);
  const isOwnAlone = (length) => players.every((player) => player.seat === seat || beginning(player, length) !== beginning(own, length));
  const length = [1, 2].find(isOwnAlone);
  const [first = '', ...others] = beginning(own, length ?? 1);
  return first.toUpperCase() + (length ? others.join('') : seat);
}

/** Return a track in words: each player's points, and those at risk. @param {any} track @param {{seat: number, name: string}[]} players @returns {string} */
export const trackWords = ({ goal, tokens }, players) => tokens.map(({ seat, at, at_risk: risk }) => {
  const name = players.find((player) => player.seat === seat)?.name ?? '';
  return risk ? say('{name} {points} and {risk} at risk of {goal}', { name, points: at, risk, goal }) : say('{name} {points} of {goal}', { name, points: at, goal });
}).join(', ');

const COLOURS = { green: say('green'), yellow: say('yellow'), red: say('red'), white: say('not thrown yet') };

/** Return lights in words: which are lit, each colour with its number. @param {any} lights @returns {string} */
export function lightWords({ lights }) {
  const lit = new Map();
  for (const { colour, is_lit: isLit } of lights) if (isLit) lit.set(colour, (lit.get(colour) ?? 0) + 1);
  const dark = lights.length - [...lit.values()].reduce((sum, count) => sum + count, 0);
  const words = [...lit].map(([colour, count]) => `${count} ${COLOURS[colour] ?? colour}`);
  return [...words, dark && say('{count} unlit', { count: dark })].filter(Boolean).join(', ') || say('none');
}

/** Return the parts of a board that are shown of a player who does not act, in their order. @param {{parts: any[], brief: string[]}} board @returns {any[]} */
export const briefParts = ({ parts, brief }) => parts.filter(({ key }) => brief.includes(key));

const FIVES = 5;
const TALLEST = 10;

/** Return the chips of a value as stacks of so many chips: fives first, then ones. @param {number} value @returns {{worth: number, count: number}[]} */
export function chipStacks(value) {
  const fives = Math.floor(Math.max(0, value) / FIVES);
  const ones = Math.max(0, value) % FIVES;
  const full = Array.from({ length: Math.floor(fives / TALLEST) }, () => ({ worth: FIVES, count: TALLEST }));
  return [...full, { worth: FIVES, count: fives % TALLEST }, { worth: 1, count: ones }].filter(({ count }) => count > 0);
}

/** Return what stands under discarded cards: the first and the last. @param {string[]} discarded @returns {string} */
export function discardWords(discarded) {
  if (!discarded.length) return say('none discarded');
  return discarded.length === 1 ? say('{card} discarded', { card: discarded[0] }) : say('{card} to {other} discarded', { card: discarded[0], other: discarded.at(-1) });
}

/** Return a card in words, for a screen reader: its face, what lies on it, and the dice that make it. @param {any} card @returns {string} */
export function cardWords({ face, dice, holds, made_of: madeOf }) {
  const rolled = dice.length ? sayCount('rolls {count} die', 'rolls {count} dice', dice.length) : '';
  const sum = madeOf.map(({ title }) => title).join(' + ');
  return [face ? say('card {card}', { card: face }) : say('no card'), rolled, holds && say('{what} on it', { what: holds }), sum && say('made of {sum}', { sum })].filter(Boolean).join(', ');
}

const MARKS = { '': say('empty'), open: say('open'), done: say('closed'), blocked: say('blocked'), here: say('here') };

/** Return a section's places as little marks: the number, how it stands, and the share of its room that is filled. @param {any[]} places @returns {{key: string, label: string, mark: string, words: string, filled: number}[]} */
export const sectionMarks = (places) => places.map(({ key, title, mark, dice, room }) => ({
  key,
  label: key,
  mark,
  words: `${title} ${MARKS[mark] ?? mark}`,
  filled: room ? Math.min(1, dice.length / room) : 0,
}));

/** Return which of some dice on the table make a sum: their places, each die once. @param {{kind: string, face: string}[]} dice @param {{kind: string, face: string}[]} madeOf @returns {number[]} */
export function placesOf(dice, madeOf) {
  const left = [...madeOf];
  return dice.flatMap(({ kind, face }, place) => {
    const found = left.findIndex((die) => die.kind === kind && die.face === face);
    if (found < 0) return [];
    left.splice(found, 1);
    return [place];
  });
}

/* A die: the picture of such a die of this table, else its drawn face in the body’s colour; or an empty place */

/** Milliseconds before the page asks again for a face picture that did not exist; the empty answer is cached as long. */
const LOOK_AGAIN_MS = 60_000;

/** When the picture at an address was last found missing. @type {Map<string, number>} */
const missing = new Map();

/**
 * Draw a die; one that may be selected is a button. `look` has the kinds of the game's dice, and the die set's name, '' where there are no pictures of it.
 * @param {{die: {kind: string, face: string, title: string}, look: {kinds: Map<string, {bodies: string[]}>, dieSet: string}, pick?: {id: string} | null}} props @returns {any}
 */
export function BoardDie({ die, look, pick }) {
  if (!die.face) return html`<span class="empty-place" data-kind=${die.kind} />`;
  const body = look.kinds.get(die.kind)?.bodies[0];
  const drawn = html`<${FaceDrawing} face=${die.face} title=${die.title} body=${body} /><${FacePicture} key=${die.face} url=${look.dieSet && faceUrl(look.dieSet, die.kind, die.face)} />`;
  if (!pick) return html`<span class="board-die" data-kind=${die.kind} data-face=${die.face} role="img" aria-label=${die.title}>${drawn}</span>`;
  const picked = { ...die, id: pick.id };
  const isOn = isSelected(pick.id);
  return html`<button type="button" class=${`board-die pickable${isOn ? ' selected' : ''}`} data-key=${pick.id} data-kind=${die.kind} data-face=${die.face} aria-label=${die.title} aria-pressed=${String(isOn)}
    onClick=${() => toggleDie(picked)} onPointerDown=${(event) => startDrag(event, picked, event.currentTarget)}>${drawn}</button>`;
}

/** The drawn face, drawn again only when it is another one. */
class FaceDrawing extends Component {
  shouldComponentUpdate({ face, title, body }) {
    return face !== this.props.face || title !== this.props.title || body !== this.props.body;
  }

  render({ face, title, body }) {
    return html`<span class="drawing" ref=${(element) => element?.replaceChildren(faceOrTitle(face, title || '?', 'face', body))} />`;
  }
}

/** The table's own picture over the drawing, once there is one. */
class FacePicture extends Component {
  render({ url }) {
    if (!url || performance.now() - (missing.get(url) ?? -LOOK_AGAIN_MS) < LOOK_AGAIN_MS) return null;
    const fail = () => {
      missing.set(url, performance.now());
      this.forceUpdate();
    };
    return html`<img src=${url} alt="" draggable=${false} hidden=${!this.state.isThere} onLoad=${() => this.setState({ isThere: true })} onError=${fail} />`;
  }
}

/* A card or a deck: its top with the dice it pictures, what lies on it, its discards, and the dice that make it */

function BoardCard({ part, table: { look } }) {
  const { face, dice, holds, discarded, made_of: madeOf, dealt_to: dealtTo } = part;
  const light = (event) => lightDice(event.currentTarget, madeOf);
  const handlers = madeOf.length ? { onPointerEnter: light, onFocusIn: light, onPointerLeave: dim, onFocusOut: dim } : {};
  return html`<span class="card-spread" ...${handlers}>
    <span class=${face ? 'playing-card' : 'playing-card none'} data-dealt=${dealtTo} role="img" aria-label=${cardWords(part)}>
      ${face && html`<b class="corner" aria-hidden="true">${face}</b>`}
      <strong class="card-face" aria-hidden="true">${face}</strong>
      ${dice.length > 0 && html`<span class="pictured" aria-hidden="true">${dice.map(({ kind }) => html`<${PicturedDie} kind=${kind} />`)}</span>`}
      ${holds && html`<${Disk} />`}
    </span>
    ${madeOf.length > 0 && html`<span class="sum" aria-hidden="true">${madeOf.map((die, place) => html`${place > 0 && html`<i>+</i>`}<${BoardDie} die=${die} look=${look} />`)}</span>`}
    ${discarded.length > 0 && html`<span class="discards" role="img" aria-label=${discardWords(discarded)}>${discarded.map((each, place) => html`
      <span class="discard" data-dealt=${dealtTo} style=${{ '--turn': `${(place * 37) % 9 - 4}deg` }}>${each}</span>`)}</span>`}
  </span>`;
}

/** A die that a card pictures, without a face: ordinary ones as squares, any other kind as a square with a lever. */
const PicturedDie = ({ kind }) => html`<svg viewBox="0 0 20 20" class="pictured-die" data-kind=${kind}><rect x="1.5" y="1.5" width="17" height="17" rx="4" />
  ${kind === 'd6' ? PIPS.map(([x, y]) => html`<circle cx=${x} cy=${y} r="1.8" />`) : html`<path d="M5.5 8h7m-2-2.5L13 8l-2.5 2.5M14.5 12.5h-7m2-2.5L7 12.5l2.5 2.5" />`}</svg>`;

const PIPS = [[6, 6], [14, 6], [10, 10], [6, 14], [14, 14]];

/** The disk that keeps a card where it is. */
const Disk = () => html`<svg viewBox="0 0 100 100" class="disk" aria-hidden="true"><circle cx="50" cy="50" r="46" /><circle cx="50" cy="50" r="36" class="rim" /><path d="M30 50h40" /></svg>`;

const LIT = 'lit-for-sum';

/** Light up the dice on the same board, and in the panel of dice, that make a card. */
function lightDice(element, madeOf) {
  dim();
  const board = element.closest('[data-board]');
  const lying = [...(board?.querySelectorAll('[data-part="rolled"] .board-die') ?? [])];
  const dice = lying.map(({ dataset: { kind, face } }) => ({ kind, face }));
  for (const place of placesOf(dice, madeOf)) lying[place].classList.add(LIT);
}

function dim() {
  for (const element of document.querySelectorAll(`.${LIT}`)) element.classList.remove(LIT);
}

const ChipStacks = ({ value }) => html`<span class="chip-tally">
  <span class="chip-stacks" aria-hidden="true">${chipStacks(value).map(({ worth, count }) => html`
    <span class="chip-stack" data-worth=${worth}>${Array.from({ length: count }, () => html`<i />`)}</span>`)}</span>
  <strong class="points">${value}</strong></span>`;

/* Lights: in a row, or one above the other in the housing of a traffic light */

/** A row of more lights is a line of its own. */
const MOST_IN_A_GROUP = 6;
const SIGNS = { green: '✓', yellow: '!', red: '×' };

function BoardLights({ part }) {
  const { length } = part.lights;
  const classes = ['light-row', part.look === 'upright' ? part.look : length > MOST_IN_A_GROUP && 'long'].filter(Boolean).join(' ');
  return html`<span class=${classes} style=${{ '--count': length }} role="img" aria-label=${lightWords(part)}>
    ${part.lights.map((light) => html`<span class=${`light ${light.colour}${light.is_lit ? ' lit' : ''}`} data-face=${light.face}>
      ${hasDrawing(light.face) ? html`<${Glyph} face=${light.face} />` : light.is_lit && html`<span class="sign">${SIGNS[light.colour] ?? ''}</span>`}</span>`)}
  </span>`;
}

/** What a light's face shows, drawn again only when it is another one. */
class Glyph extends Component {
  shouldComponentUpdate({ face }) {
    return face !== this.props.face;
  }

  render({ face }) {
    return html`<span class="lamp-glyph" ref=${(element) => element?.replaceChildren(faceGlyph(face))} />`;
  }
}

const SectionMarks = ({ places }) => html`<span class="section-marks">${sectionMarks(places).map(({ key, label, mark, words, filled }) => html`
  <span class="section-mark" key=${key} data-mark=${mark} role="img" aria-label=${words}><span style=${{ height: `${Math.round(100 * filled)}%` }} /><b aria-hidden="true">${label}</b></span>`)}</span>`;

/** Draw a section, a small one as marks. */
function BoardSection({ part: { places, note }, seat, boardTitle, table, isSmall }) {
  if (isSmall) return html`<${SectionMarks} places=${places} />`;
  return html`${note && html`<span class="note">${note}</span>`}
    <div class="places">${places.map((part) => html`<${BoardPart} key=${part.key} part=${part} seat=${seat} boardTitle=${boardTitle} table=${table} isSmall=${true} />`)}</div>`;
}

/* A road, with a token for each player, and a ghost of the token where it would go with the points at risk */

const percent = (share) => `${share}%`;

function BoardTrack({ part, table: { players } }) {
  const { goal, rows, marks, tokens } = trackView(part);
  return html`<span class="road" role="img" aria-label=${trackWords(part, players)} style=${{ '--rows': rows }}>
    <span class="lane" />
    ${marks.map(({ number, at }) => html`<span class="road-mark" style=${{ left: percent(at) }}><small>${number}</small></span>`)}
    <span class="finish" style=${{ left: percent(goal) }}><small>${part.goal}</small></span>
    ${tokens.map((token) => html`<${Token} key=${token.seat} token=${token} players=${players} />`)}
  </span>`;
}

function Token({ token: { seat, at, to, row, risk, isBefore }, players }) {
  const initials = initialsOf(players, seat);
  return html`
    ${risk > 0 && html`<span class="risk-way" style=${{ '--at': at, '--far': to - at, '--row': row }} />
      <span class=${isBefore ? 'token ghost before' : 'token ghost'} data-seat=${seat} style=${{ '--at': to, '--from': at, '--row': row }}>+${risk}</span>`}
    <span class="token" data-seat=${seat} style=${{ '--at': at, '--row': row }}>${initials}</span>`;
}

/* All parts, by their kind */

const LEGAL = ['open', 'fits', 'hand'];
/** A tally of more is written as a number alone. */
const MOST_PICTURED = 24;
const HINTED = ['dice', 'track', 'lights', 'tally', 'card'];

/**
 * Draw one part of a board. Where something may be put, all of it is one large button under the dice.
 * @param {{part: any, seat: number, boardTitle: string, table: any, isSmall?: boolean}} props `table`: what all parts
 * need, made in boards.js @returns {any}
 */
export function BoardPart({ part, seat, boardTitle, table, isSmall = false }) {
  const { state, hint, isInBar } = placeView({ seat, part, offers: table.offers, viewer: table.viewer, selected: selectedDice() });
  const isLegal = LEGAL.includes(state);
  const isTapped = state && state !== 'hand';
  const Drawn = DRAWN[part.part];
  const classes = ['part', part.part, part.mark, isSmall && 'small', part.look === 'titled' && part.look, isLegal && 'legal', state].filter(Boolean).join(' ');
  const tap = (event) => table.onPlace({ seat, part, boardTitle, element: event.currentTarget.closest('[data-place]') });
  return html`<div class=${classes} data-part=${part.key} data-place=${placeName(seat, part.key)} role="group" aria-label=${part.title}>
    ${isTapped
      ? html`<button type="button" class="put" data-key=${`part-${seat}-${part.key}`} aria-label=${`${part.title}: ${hint}`} onClick=${tap}><span class="part-title">${part.title}</span></button>`
      : html`<span class="part-title">${part.title}</span>`}
    <${Drawn} part=${part} seat=${seat} boardTitle=${boardTitle} table=${table} isSmall=${isSmall} />
    ${isLegal && !isSmall && !isInBar && hint !== CHOOSE && HINTED.includes(part.part) && html`<span class="put-hint" aria-hidden=${String(Boolean(isTapped))}>${hint}</span>`}
  </div>`;
}

function BoardPlace({ part: { key, dice, room, points, price, needs, wanted }, seat, isSmall, table: { look, offers, unlisted, viewer } }) {
  const pickOf = (die, place) => (!isSmall && isPickable(die, offers, unlisted, viewer) ? { id: `board-${seat}-${key}-${place}` } : null);
  const empty = Math.max(0, room - dice.length - wanted.length);
  return html`
    <span class="place-dice">
      ${dice.map((die, place) => html`<${BoardDie} die=${die} look=${look} pick=${pickOf(die, place)} />`)}
      ${wanted.map((die) => html`<span class="wanted"><${BoardDie} die=${die} look=${look} /></span>`)}
      ${Array.from({ length: empty }, () => html`<span class="empty-place" />`)}
    </span>
    ${needs && html`<span class=${wanted.length ? 'needs drawn' : 'needs'}>${needs}</span>`}
    ${price > 0 && html`<span class="price">${price}</span>`}
    ${points !== null && html`<strong class="points">${points}</strong>`}`;
}

function BoardTally({ part: { value, of, at_risk: risk, look } }) {
  if (look === 'chips') return html`<${ChipStacks} value=${value} />`;
  if (look === 'dots' && Math.max(value, of) <= MOST_PICTURED) return html`<span class="dots" role="img" aria-label=${say('{value} of {most}', { value, most: of })}>${Array.from({ length: Math.max(value, of) }, (_, place) => html`<span class=${place < value ? 'on' : ''} />`)}</span>`;
  return html`<span class="tally-number"><strong class="points">${value}</strong>${of > 0 && html`<small> ${say('of {most}', { most: of })}</small>`}
    ${risk > 0 && html`<span class="at-risk">+${risk}</span>`}</span>
    ${of > 0 && html`<span class="of-share" aria-hidden="true"><span style=${{ width: `${Math.min(100, (100 * value) / of)}%` }} /></span>`}`;
}

const DRAWN = { dice: BoardPlace, section: BoardSection, track: BoardTrack, card: BoardCard, lights: BoardLights, tally: BoardTally };
