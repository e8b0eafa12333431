// The page on which a camera is set up: its live picture with all that is seen in it, the one thing to do next, and the way to the game.

import { getJson, mirrorBack } from './api.js';
import { byId, h, orShowError, redraw } from './dom.js';
import { WHOLE, showLiveView, sleep, untilVisible } from './live_view.js';
import { say } from './say.js';
import { canBegin, drawNextThing, drawSight, offersCorners, tapCorners } from './sight.js';

const LOOK_MS = 500;
const UNSHARP = 'focus';
const NO_PICTURE = 'camera';
const MIRRORED = 'mirrored';

const page = byId('first-run');
const hasMat = page.dataset.mat === 'yes';
const hasCorners = page.dataset.corners === 'yes';
const hasCameras = page.dataset.cameras === 'yes';
const isPhone = page.dataset.phone === 'yes';
let best = 0;

function show(sight) {
  const { findings, markers, sharpness } = sight;
  drawSight(sight);
  redraw(byId('next-thing'), findings, drawNextThing);
  redraw(byId('meter'), { isShown: needsMeter(findings, markers), sharpness, best: (best = Math.max(best, sharpness)) }, drawMeter);
  const name = findings[0]?.name ?? '';
  const isSeen = name !== NO_PICTURE;
  redraw(byId('ways'), { name, corners: isSeen && hasCorners && offersCorners(sight), mat: isSeen && hasMat && !markers.length && !sight.is_tapped }, drawWays);
  const begins = canBegin(findings);
  byId('to-game').classList.toggle('strong', begins);
  byId('to-game').classList.toggle('quiet', !begins);
  byId('to-game').textContent = begins ? say('Choose the game') : say('Go on all the same');
  byId('scan').hidden = !isPhone || isSeen;
  byId('picture').hidden = !byId('scan').hidden;
  byId('picture').classList.toggle('old', !isSeen);
}

/** The lens is turned by the meter: while the picture is blurred, or so much so that no marker is found. */
const needsMeter = (findings, markers) => findings[0]?.name === UNSHARP || (findings[0]?.name === 'tray' && !markers.length);

function drawMeter({ isShown, sharpness, best: most }) {
  if (!isShown) return [];
  const [filled, mark] = [h('span', { class: 'filled' }), h('span', { class: 'best' })];
  filled.style.width = `${100 * sharpness}%`;
  mark.style.left = `${100 * most}%`;
  return [h('span', { id: 'meter-title' }, say('Sharpness')), h('div', { class: 'gauge', role: 'meter', 'aria-labelledby': 'meter-title', 'aria-valuemin': '0', 'aria-valuemax': '100', 'aria-valuenow': Math.round(100 * sharpness) }, filled, mark)];
}

/** Draw what a tap can do about the first thing that is wrong. */
const drawWays = ({ name, corners, mat }) => [
  name === MIRRORED && hasCameras && h('button', { type: 'button', class: 'strong', id: 'turn-round', 'data-key': 'turn-round', onclick: () => orShowError(mirrorBack()) }, say('Turn the picture round')),
  name === NO_PICTURE && hasCameras && !isPhone && h('a', { class: 'button strong', id: 'choose-camera', href: byId('another-camera').getAttribute('href') }, say('Choose a camera')),
  mat && h('p', {}, say('No mat yet? Print it:'), ' ', [['a4', 'A4'], ['a3', 'A3'], ['letter', say('Letter')], ['markers', say('Markers to cut out')]].map(([paper, title]) => h('a', { class: 'button', href: `/mat/${paper}.pdf`, target: '_blank' }, title))),
  corners && h('button', { type: 'button', class: 'quiet', id: 'tap-corners', 'data-key': 'corners', onclick: () => tapCorners(look) }, say('My tray has no markers')),
];

async function look() {
  const sight = await getJson('/api/sight').catch(() => null);
  if (sight) show(sight);
}

async function follow() {
  for (;;) {
    await untilVisible();
    await look();
    await sleep(LOOK_MS);
  }
}

showLiveView({ canvas: byId('view'), box: byId('picture'), notice: byId('no-view'), url: WHOLE, frameMs: LOOK_MS / 2 }); // a slow phone has little time between two pictures
follow();
