// The result of a game: who stands where, what decided it, its best moments, the achievements won; the same again, and what is to be shared.

import { PLAIN_DICE, getJson, pictureUrl, postJson } from './api.js';
import { FailedRequest, PlayerFace, askFor } from './components.js';
import { confirmDialog } from './dialog.js';
import { byId, orShowError, saveFile, toast } from './dom.js';
import { gameTime } from './format.js';
import { Component, html, render } from './html.js';
import { gameAddress, levelWords, playerOf, resultOf, stars, titleOf } from './past_games_view.js';
import { say, sayParts } from './say.js';
import { mayDecide } from './viewer.js';

/**
 * @typedef {{seat: number, name: string, player: number, won: boolean}} Seat
 * @typedef {{seat: number, name: string, player: number, won: boolean, score: number | null, place: number}} Standing
 */

/** Return the seats from the first place to the last; equal scores share one. Who has won comes first, whatever the scores say. @param {Seat[]} seats @param {number[]} scores seat by seat, none where nobody knows @returns {Standing[]} */
function standings(seats, scores) {
  const known = seats.map((seat, index) => ({ ...seat, score: scores[index] ?? null, place: 0 }));
  const sorted = known.sort((one, other) => Number(other.won) - Number(one.won) || (other.score ?? 0) - (one.score ?? 0));
  return sorted.map((seat) => ({ ...seat, place: 1 + sorted.findIndex(({ won, score }) => won === seat.won && score === seat.score) }));
}

/** Return the heading of a moment. */
const momentTitle = (name) => MOMENTS[name] ?? say('A moment');

const MOMENTS = { decided: say('What decided it'), 'best-turn': say('Best turn'), luckiest: say('Luckiest throw'), bold: say('Boldest turn') };

/** Return the file name of the picture that is shared. */
const pictureName = (game, endedAt) => `vander-${game}-${endedAt.slice(0, 10)}.png`;

/* The picture to share, drawn on a canvas in our own colours, with nothing from another host */

const WIDTH = 1200;
const HEIGHT = 630;
const EDGE = 64;
const ROWS = 6;
const NIGHT = '#17100b';
const GLOW = '#3a2717';
const PAPER = '#fff6e9';
const SOFT = '#d9c6ae';
const AMBER = '#ffb84d';
const LEAF = '#14492c';
const DISC = { red: '#c4372c', orange: '#c8620e', yellow: '#a98400', green: '#2e8540', teal: '#0f7f86', blue: '#2b6cc4', violet: '#7a4fc0', pink: '#c24382' };

/**
 * @typedef {{name: string, score: number | null, won: boolean, place: number, look?: {colour: string, picture: string}}} Row
 * @typedef {{title: string, when: string, result: string, rows: Row[], remarks: string[], awards: {title: string, name: string, level: number, levels: number}[]}} Shown
 */

/** Draw the picture of a result. @param {Shown} shown @returns {Promise<Blob>} a PNG of 1200 by 630 pixels */
async function drawResult(shown) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  drawGround(pen);
  drawHeading(pen, shown);
  const rows = shown.rows.slice(0, ROWS);
  const height = Math.min(72, 372 / rows.length);
  const faces = await Promise.all(rows.map(({ look }) => (look ? loadFace(look.picture) : null)));
  rows.forEach((row, place) => drawRow(pen, row, faces[place], 196 + place * height, height));
  drawBeside(pen, shown);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error())), 'image/png'));
}

function drawGround(pen) {
  const light = pen.createRadialGradient(WIDTH / 2, 0, 40, WIDTH / 2, 0, WIDTH * 0.75);
  light.addColorStop(0, GLOW);
  light.addColorStop(1, NIGHT);
  pen.fillStyle = light;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
}

function drawHeading(pen, { title, when, result }) {
  write(pen, title, EDGE, 92, { size: 60, weight: 750, colour: PAPER, width: 760 });
  write(pen, result, EDGE, 150, { size: 38, weight: 650, colour: AMBER, width: 760 });
  write(pen, when, WIDTH - EDGE, 84, { size: 28, colour: SOFT, align: 'right', width: 320 });
  write(pen, 'Vander', WIDTH - EDGE, HEIGHT - 36, { size: 30, weight: 750, colour: SOFT, align: 'right', width: 300 });
}

function drawRow(pen, { name, score, won, place, look }, face, top, height) {
  const [middle, radius] = [top + height / 2, height / 2 - 6];
  if (won) fillRound(pen, LEAF, { x: EDGE - 12, y: top + 2, width: 560, height: height - 4, radius: height / 2 });
  write(pen, `${place}.`, EDGE + 44, middle + 11, { size: 30, weight: 650, colour: SOFT, align: 'right', width: 60 });
  pen.fillStyle = look ? DISC[look.colour] : '#4a3829';
  pen.beginPath();
  pen.arc(EDGE + 64 + radius, middle, radius, 0, 2 * Math.PI);
  pen.fill();
  if (face) pen.drawImage(face, EDGE + 64 + radius * 0.25, middle - radius * 0.75, radius * 1.5, radius * 1.5);
  write(pen, name, EDGE + 84 + 2 * radius, middle + 12, { size: 34, weight: 650, colour: PAPER, width: 300 });
  if (score !== null) write(pen, String(score), EDGE + 530, middle + 12, { size: 36, weight: 750, colour: PAPER, align: 'right', width: 140 });
}

/** Draw what is to be said besides: the moments, and the achievements. */
function drawBeside(pen, { remarks, awards }) {
  const [left, width] = [EDGE + 610, WIDTH - 2 * EDGE - 610];
  let y = 226;
  for (const remark of remarks.slice(0, 3)) {
    for (const line of wrapped(pen, remark, 27, width).slice(0, 3)) {
      write(pen, line, left, y, { size: 27, colour: SOFT, width });
      y += 34;
    }
    y += 16;
  }
  for (const { title, name, level, levels } of awards) {
    if (y > HEIGHT - 84) return;
    write(pen, `${stars(level, levels)} ${title}: ${name}`, left, y, { size: 27, weight: 650, colour: AMBER, width });
    y += 42;
  }
}

/**
 * Write one line; a text that is too wide is made smaller. @param {CanvasRenderingContext2D} pen @param {string} text @param {number} x @param {number} y
 * @param {{size: number, colour: string, width: number, weight?: number, align?: CanvasTextAlign}} style @returns {void}
 */
function write(pen, text, x, y, { size, colour, width, weight = 400, align = 'left' }) {
  Object.assign(pen, { fillStyle: colour, textAlign: align, font: `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}` });
  const taken = pen.measureText(text).width;
  if (taken > width) pen.font = `${weight} ${Math.max(14, Math.floor((size * width) / taken))}px ${getComputedStyle(document.body).fontFamily}`;
  pen.fillText(text, x, y, width);
}

function wrapped(pen, text, size, width) {
  pen.font = `400 ${size}px ${getComputedStyle(document.body).fontFamily}`;
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) && pen.measureText(longer).width > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function fillRound(pen, colour, { x, y, width, height, radius }) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
  pen.fill();
}

async function loadFace(picture) {
  const image = new Image();
  image.src = `/static/players/${picture}.svg`;
  try {
    await image.decode();
    return image;
  } catch {
    return null;
  }
}

/* What is drawn */

const element = byId('past-result');
const number = Number(element.dataset.number);
const COUNT_AGAIN_MS = 1000;

let shown = null;
let players = [];
let titles = [];
let link = '';
let failure = null;
let timer;

const nameOf = (seat) => shown.game.seats.find((one) => one.seat === seat)?.name ?? '';
const rows = () => standings(shown.game.seats, shown.scores);
const title = () => titleOf(titles, shown.game.game);

function Name({ standing }) {
  const player = playerOf(players, standing.player);
  return player ? html`<a class="name" href=${`/players/${player.number}`}>${standing.name}</a>` : html`<span class="name">${standing.name}</span>`;
}

const Standings = () => html`<ol class="seats final">${rows().map((standing) => html`<li key=${standing.seat} class=${standing.won ? 'won' : ''}>
  ${shown.game.game !== PLAIN_DICE && html`<span class="place">${standing.place}.</span>`}<${PlayerFace} player=${playerOf(players, standing.player)} /><${Name} standing=${standing} />${standing.score !== null && shown.game.game !== PLAIN_DICE && html`<a class="score" href=${gameAddress(number)}><strong>${standing.score}</strong></a>`}
</li>`)}</ol>`;

class Moment extends Component {
  render({ moment }, { isGone }) {
    const picture = moment.picture && !isGone && html`<img src=${pictureUrl(moment.picture)} alt="" onError=${() => this.setState({ isGone: true })} />`;
    return html`<li class="moment" data-name=${moment.name}><a href=${gameAddress(number, moment.entry)}>${picture}<h3>${momentTitle(moment.name)}</h3><p>${moment.sentence}</p></a></li>`;
  }
}

const Award = ({ award }) => html`<li class="achievement reached" data-name=${award.name}>
  <h3><a href=${gameAddress(number, award.entry)}>${sayParts('{title} for {name}', { title: award.title, name: html`<strong>${nameOf(award.seat)}</strong>` })}</a></h3><p>${award.text}</p>
  <p class="how-far"><span class="stars" aria-hidden="true">${stars(award.level, award.levels)}</span><span class="for-readers">${levelWords(award.level, award.levels)}</span></p>
</li>`;

const Deeds = () => html`<div class="buttons">
  ${mayDecide() && html`<button type="button" id="rematch" class="main" onClick=${rematch}>${say('The same again')}</button>`}
  <a class="button" id="steps" href=${gameAddress(number)}>${say('Step through the game')}</a>
  <button type="button" id="share" onClick=${share}>${say('Share a picture')}</button>
  ${mayDecide() && html`<a class="button quiet" id="record" href=${`/api/history/${number}/record.txt`} download>${say('Save the record')}</a>`}
  ${link && html`<a class="button quiet" id="bg-stats" href=${link}>${say('Send to BG Stats')}</a>`}
</div>`;

const Failure = () => html`<${FailedRequest} error=${failure} again=${start} />`;

const Page = () => html`${failure && html`<${Failure} />`}
  <header class="game-title"><h1>${title()}</h1><p class="when">${gameTime(shown.game)}</p><p class=${shown.game.finished ? 'result' : 'result open'}>${resultOf(shown.game)}</p></header>
  <${Standings} /><${Deeds} />
  <p class="uncounted" role="status">${!shown.is_counted && say('The best moments are still being counted. They come by themselves.')}</p>
  ${shown.awards.length > 0 && html`<section class="achievements fresh"><h2>${say('Won by this game')}</h2><ul>${shown.awards.map((award) => html`<${Award} key=${`${award.seat} ${award.name}`} award=${award} />`)}</ul></section>`}
  ${shown.highlights.length > 0 && html`<section class="moments"><h2>${say('Moments')}</h2><ul>${shown.highlights.map((moment) => html`<${Moment} key=${moment.name} moment=${moment} />`)}</ul></section>`}`;

const show = () => render(html`<${Page} />`, element);

/* The same again */

async function rematch() {
  const snapshot = await orShowError(getJson('/api/snapshot'));
  if (!snapshot) return;
  const going = snapshot.state && snapshot.state.to_act.length > 0;
  if (going) confirmDialog(say('Another game is going on'), say('It is left open, and the new one begins.'), say('Begin the new one'), () => begin(snapshot.extras.step));
  else await begin(snapshot.extras.step);
}

async function begin(step) {
  const begun = await orShowError(postJson('/api/game', { ...shown.rematch, step: step ?? '', leave_open: true }));
  if (begun) location.href = '/';
}

/* A picture to share */

async function share() {
  const { game, highlights, awards } = shown;
  const picture = await drawResult({
    title: title(), when: gameTime(game), result: resultOf(game),
    rows: rows().map((standing) => ({ ...standing, look: playerOf(players, standing.player) })),
    remarks: highlights.map(({ sentence }) => sentence),
    awards: awards.map((award) => ({ ...award, name: nameOf(award.seat) })),
  }).catch(() => null);
  if (!picture) {
    toast(say('This browser could not draw the picture.'));
    return;
  }
  const file = new File([picture], pictureName(game.game, game.ended_at), { type: picture.type });
  if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title: title() }).catch(() => null);
  else saveFile(file, file.name);
}

/* The page */

/** Ask again in a while, until the game is counted. */
function awaitCount() {
  clearTimeout(timer);
  if (!shown.is_counted) timer = setTimeout(fetchCount, COUNT_AGAIN_MS);
}

async function fetchCount() {
  const { answers: [found], error } = await askFor(getJson(`/api/history/${number}/result`));
  failure = error;
  if (found) shown = found;
  show();
  awaitCount();
}

async function start() {
  const { answers: [found, known, games, stats], error } = await askFor(
    getJson(`/api/history/${number}/result`), getJson('/api/players'), getJson('/api/games'),
    mayDecide() ? getJson(`/api/history/${number}/bg-stats`) : null,
  );
  failure = error;
  element.classList.remove('waiting');
  if (!found) {
    render(html`<div class="game-title"><h1>${say('Game {number}', { number })}</h1></div><${Failure} />`, element);
    return;
  }
  [shown, players, titles, link] = [found, known?.players ?? [], games?.games ?? [], stats?.link ?? ''];
  show();
  awaitCount();
}

void start();
