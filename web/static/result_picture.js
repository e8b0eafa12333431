// A picture of a result to share: drawn on a canvas in our own colours, with nothing from another host.

import { stars } from './player_view.js';

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
export async function drawResult(shown) {
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
