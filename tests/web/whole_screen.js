// What of the table page is cut, covered, too small, or lies beyond its place: sentences, none for a page that is whole.
async ({ number, width, zoom, dice, isLong }) => {
  const table = document.getElementById('table');
  const frame = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done; // after what this frame drew
    port2.postMessage(0);
  }));
  const isShown = () => innerWidth === width && table.dataset.number === number && table.style.visibility !== 'hidden';
  const patience = performance.now() + 60_000;
  do await frame(); while (!isShown() && performance.now() < patience);
  if (!isShown()) return [`not shown: ${number} at ${width} px`];
  const isFar = document.body.classList.contains('far');
  const isOpen = document.body.classList.contains('with-tray');
  const isPhone = Math.min(innerWidth, innerHeight) <= 500;
  const isUprightPhone = innerWidth <= 560;
  /* A low phone has no room for higher names and boards, nor one that shows the tray; WCAG 2.2 AA asks for 24 */
  const finger = innerHeight <= (isUprightPhone ? 720 : 375) ? 33.5 : isOpen ? 39.5 : 43.5;
  const TOLERANCE = 1.5;
  const ESSENTIAL = [
    '.player .score', '.player .name', '.glance .part', '#turn h1', '#turn .gained', '.winner > *',
    '#boards .part', '#boards .part-title', '#boards .points', '#boards .needs', '#boards .put-hint', '#boards .board-die',
    '#boards .empty-place', '#boards .light', '#boards .token', '#boards .playing-card', '#boards .at-risk', '#boards .facts dd',
    '#boards .activity', '#boards .activity-title', '#boards .price-box', '#boards .award', '#boards .section-head',
    '#boards .sheet-turns', '#boards .sheet-tab', '#dice .die', '#ruling .call-words', '#ruling .notice', '#ruling .sum',
    '#facts div', '#offers button', '#offers li', '#offers p', '#always button',
  ].join();
  /** What may not lie over each other: words, numbers, buttons, dice and cards. */
  const APART = [
    '.player .score', '.player .name', '.glance .part', '#turn h1', '#turn .gained', '.winner > *', '.why-rule', '#facts div',
    '#boards .part-title', '#boards .points', '#boards .put-hint', '#boards .at-risk', '#boards .activity', '#boards .award',
    '#boards .board-die', '#boards .playing-card', '#boards .light', '#boards .sheet-turns', '#boards .sheet-tab',
    '#boards .section-head', '#dice .die', '#ruling .call-words', '#offers button', '#offers li', '#offers p', '#always button',
  ].join();
  /** Where an ellipsis is allowed: the whole name is told by touch, and to screen readers. */
  const SHORTENED = '.name, .still button, .parts:has(> [data-part="4"]) > .card .part-title';
  /** So many letters have the names that players are given who say none, and most first names. */
  const WHOLE_NAME = 9;
  /** Where more play, a phone has no room for their names. */
  const MANY = 4;
  const kept = (read) => {
    const found = new Map();
    return (one) => (found.has(one) ? found : found.set(one, read(one))).get(one);
  };
  const rectOf = kept((one) => one.getBoundingClientRect());
  const isSeen = kept((one) => one.checkVisibility({ visibilityProperty: true }) && rectOf(one).width > 1.5);
  const nameOf = (one) => `${one.closest('#table > *')?.id || 'ruling'} ${one.dataset.part || one.className || one.tagName} "${(one.textContent || one.dataset.face || '').trim().slice(0, 40)}"`;
  const isIn = (inner, outer) => inner.left >= outer.left - TOLERANCE && inner.right <= outer.right + TOLERANCE &&
    inner.top >= outer.top - TOLERANCE && inner.bottom <= outer.bottom + TOLERANCE;
  const grown = ({ left, top, right, bottom }, by) => ({ left: left - by, top: top - by, right: right + by, bottom: bottom + by });
  const clips = new Map();
  const clipsOf = ({ parentElement: parent }) => {
    if (!parent) return [];
    if (!clips.has(parent)) clips.set(parent, getComputedStyle(parent).overflow === 'visible' ? clipsOf(parent) : [parent, ...clipsOf(parent)]);
    return clips.get(parent);
  };
  const faults = [];
  const drawer = isOpen ? document.getElementById('tray-drawer') : null;
  const { left: drawerLeft, top: drawerTop } = drawer?.getBoundingClientRect() ?? { left: innerWidth, top: 0 };
  const fold = { left: 0, top: 0, right: drawerTop > 0 ? innerWidth : drawerLeft, bottom: drawerTop > 0 ? drawerTop : innerHeight };
  const seen = [...document.querySelectorAll(ESSENTIAL)].filter(isSeen);
  for (const one of seen) {
    const rect = rectOf(one);
    if (!isIn(rect, fold)) faults.push(`below the fold: ${nameOf(one)}`);
    const clip = clipsOf(one).find((each) => !isIn(rect, grown(rectOf(each), parseFloat(getComputedStyle(each).overflowClipMargin) || 0)));
    if (clip) faults.push(`cut by ${clip.id || clip.className}: ${nameOf(one)}`);
    const style = getComputedStyle(one);
    const hidesOverflow = style.overflow !== 'visible' && !one.matches(SHORTENED);
    if (hidesOverflow && (one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 2)) faults.push(`shortened: ${nameOf(one)}`);
    if (one.matches('button') && !one.matches(SHORTENED) && (one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 2)) faults.push(`does not fit: ${nameOf(one)}`);
  }
  for (const one of document.querySelectorAll('#boards .part :is(.discard, .playing-card, .board-die, .chip-stack)')) {
    if (isSeen(one) && !isIn(rectOf(one), grown(rectOf(one.closest('.part')), 4))) faults.push(`out of its place: ${nameOf(one)}`);
  }
  for (const one of document.querySelectorAll('#boards .part :is(.part, .light, .dots, .empty-place, .sum, .section-marks), #boards .board > .parts > .part')) {
    const around = one.parentElement.closest('.part') ?? one.closest('.board');
    if (isSeen(one) && !isIn(rectOf(one), grown(rectOf(around), 1))) faults.push(`out of its place: ${nameOf(one)}`);
  }
  /* “Why?” is larger to the finger than to the eye */
  const words = document.createRange();
  const seenRect = (one) => (one.matches('.why-rule') ? (words.selectNodeContents(one), words.getBoundingClientRect()) : rectOf(one));
  const apart = [...document.querySelectorAll(APART)].filter(isSeen).map((one) => ({ one, rect: seenRect(one) }));
  apart.forEach(({ one, rect }, place) => {
    for (const { one: other, rect: its } of apart.slice(place + 1)) {
      const wide = Math.min(rect.right, its.right) - Math.max(rect.left, its.left);
      const high = Math.min(rect.bottom, its.bottom) - Math.max(rect.top, its.top);
      if (wide > 2 && high > 2 && !one.contains(other) && !other.contains(one)) faults.push(`over each other: ${nameOf(one)} and ${nameOf(other)}`);
    }
  });
  for (const one of document.querySelectorAll('.player .name, #turn h1, .standing span')) {
    if (!isSeen(one) || one.scrollWidth <= one.clientWidth) continue;
    if (!one.title) faults.push(`cut, and not told by touch: ${nameOf(one)}`);
    if (one.textContent.length <= WHOLE_NAME && document.querySelectorAll('.player').length <= MANY && !one.querySelector('em')) faults.push(`in dots: ${nameOf(one)}`);
  }
  if (Number(document.getElementById('boards').style.zoom || 1) < zoom) faults.push(`the boards are drawn smaller to fit: ${document.getElementById('boards').style.zoom}`);
  for (const part of document.querySelectorAll('#boards .parts > .part')) {
    const inside = [...part.querySelectorAll('.board-die, .light, .points, .playing-card')];
    if (isSeen(part) && inside.length && !inside.some((one) => rectOf(one).width > 2)) faults.push(`empty: ${part.dataset.part}`);
  }
  const fontOf = (one) => parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom;
  const photos = [...document.querySelectorAll('#dice .photo')].filter(isSeen).map((one) => rectOf(one).width);
  if (photos.some((wide) => wide < dice)) faults.push(`the dice are small: ${Math.min(...photos)}`);
  if (isFar) {
    const acting = [...document.querySelectorAll('.player.active .score')];
    const staged = acting.length > 1 ? document.querySelector('.player.active.front .score') : acting[0];
    if (staged && fontOf(staged) < innerHeight / 9) faults.push(`the score is small: ${fontOf(staged)}`);
    if (acting.some((one) => fontOf(one) < innerHeight / 20)) faults.push('the score of another who acts is small');
    if (acting.length > 1 && !staged) faults.push('nobody of those who act is in front');
    if ([...document.querySelectorAll(':is(.top, #offers, #always) button')].some((one) => one.checkVisibility())) faults.push('there is a button');
    return [...new Set(faults)];
  }
  /* What is done next is the largest of the bar, and each control takes the tap at its middle */
  const areaOf = (one) => rectOf(one).width * rectOf(one).height;
  const next = document.querySelector('#offers .next button');
  const bar = [...document.querySelectorAll('#offers button, #always button, #wrong-die')].filter(isSeen);
  if (next && !isSeen(next)) faults.push(`not to be seen: ${nameOf(next)}`);
  else if (next) bar.filter((one) => one !== next && areaOf(one) >= areaOf(next)).forEach((one) => faults.push(`larger than the next thing: ${nameOf(one)}`));
  const CONTROLS = '#table :is(button, a, [role="button"]), .top :is(button, a), #tray-drawer :is(.throws, .pair, .drawer-head) button';
  for (const one of document.querySelectorAll(CONTROLS)) {
    if (!isSeen(one) || one.disabled) continue;
    const { left, top, width: wide, height: high } = rectOf(one);
    const hit = document.elementFromPoint(left + wide / 2, top + high / 2);
    const isUnderCard = one.closest('#dice, #boards') && hit?.closest('#check, #unconfirmed'); // which shows what it asks about
    if (!one.contains(hit) && !hit?.contains(one) && !isUnderCard) faults.push(`covered: ${nameOf(one)} by ${hit && nameOf(hit)}`);
    if (one.closest('#tray-drawer') && !isIn(rectOf(one), { left: 0, top: 0, right: innerWidth, bottom: innerHeight })) faults.push(`beyond the drawer: ${nameOf(one)}`);
    const isLow = one.closest('.calls, .notice') || one.matches('.part .put, .board-die');
    const least = one.closest('#boards') ? (isOpen ? 23.5 : finger - 2) : finger; // boards are drawn a little smaller to fit
    if (isPhone && one.closest('#table') && !isLow && Math.min(wide, high) < least) faults.push(`smaller than a finger: ${nameOf(one)} ${Math.round(wide)}x${Math.round(high)}`);
  }
  const still = document.getElementById('stillness');
  if (isSeen(still) && bar.some((one) => rectOf(one).left < rectOf(still).right && rectOf(still).left < rectOf(one).right && rectOf(one).top < rectOf(still).bottom && rectOf(still).top < rectOf(one).bottom)) faults.push('what moves is said over a button');
  const prompt = document.querySelector('#turn > h1');
  if (!isOpen && !isPhone && prompt && fontOf(prompt) < 19.9) faults.push(`the instruction is small: ${fontOf(prompt)}`);
  /* The head */
  const head = [...document.querySelectorAll('.top :is(button, a, #game-title)')].filter(isSeen);
  for (const one of head) if (one.scrollWidth > one.clientWidth + 1) faults.push(`cut: ${nameOf(one)}`);
  head.forEach((one, place) => head.slice(place + 1).forEach((other) => {
    const [its, that] = [rectOf(one), rectOf(other)];
    if (its.left < that.right - 1 && that.left < its.right - 1) faults.push(`over each other: ${nameOf(one)} and ${nameOf(other)}`);
  }));
  if (document.querySelector('.top').getBoundingClientRect().height > (isUprightPhone ? 52 : 64)) faults.push('the head is high');
  if (isOpen) {
    const [cross, picture] = ['close-tray', 'picture'].map((id) => rectOf(document.getElementById(id)));
    if (isPhone && cross.left < picture.right && cross.top < picture.bottom) faults.push('the picture of the tray is covered');
    if (innerWidth > innerHeight && drawer.scrollHeight > drawer.clientHeight) faults.push('the drawer scrolls');
  }
  for (const one of document.querySelectorAll('#boards, .rulings')) if (one.scrollHeight > one.clientHeight + 2) faults.push(`scrolls: ${nameOf(one)}`);
  return [...new Set(isLong ? faults.filter((one) => !/^(in dots|shortened|broken word)|ruling call-words|out of its place: boards (playing-card|lot)/.test(one)) : faults)];
}
