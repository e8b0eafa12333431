// What of the table page is cut, lies below the fold, or covers another part: sentences, none for a page that is whole.
() => {
  const TOLERANCE = 1.5;
  const ESSENTIAL = [
    '.player .score', '.player .name', '.glance .part', '#turn h1', '#turn > .prompt', '#turn .gained', '.winner > *',
    '#boards .part', '#boards .part-title', '#boards .points', '#boards .needs', '#boards .put-hint', '#boards .board-die',
    '#boards .empty-place', '#boards .light', '#boards .token', '#boards .playing-card', '#boards .at-risk', '#boards .facts dd',
    '#boards .activity', '#boards .activity-title', '#boards .price-box', '#boards .award', '#boards .section-head',
    '#boards .sheet-turns', '#boards .sheet-tab', '#dice .die', '#ruling .call-words', '#ruling .notice', '#ruling .sum',
    '#facts div', '#offers button', '#offers li', '#offers p', '#always button',
  ].join();
  /** What may not lie over each other: words, numbers, buttons, dice and cards. */
  const APART = [
    '.player .score', '.player .name', '.glance .part', '#turn h1', '#turn > .prompt', '#turn .gained', '.winner > *',
    '#boards .part-title', '#boards .points', '#boards .put-hint', '#boards .at-risk', '#boards .activity', '#boards .award',
    '#boards .board-die', '#boards .playing-card', '#boards .light', '#boards .sheet-turns', '#boards .sheet-tab',
    '#boards .section-head', '#dice .die', '#ruling .call-words', '#offers button', '#offers li', '#offers p', '#always button',
  ].join();
  /** Where an ellipsis is allowed: the whole name is told by touch, and to screen readers. */
  const SHORTENED = '.name, .still button';
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1.5;
  const nameOf = (one) => `${one.closest('#table > *')?.id || 'ruling'} ${one.dataset.part || one.className || one.tagName} "${(one.textContent || one.dataset.face || '').trim().slice(0, 40)}"`;
  const rectOf = (one) => one.getBoundingClientRect();
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
  const fold = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
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
  const apart = [...document.querySelectorAll(APART)].filter(isSeen).map((one) => ({ one, rect: rectOf(one) }));
  apart.forEach(({ one, rect }, place) => {
    for (const { one: other, rect: its } of apart.slice(place + 1)) {
      const wide = Math.min(rect.right, its.right) - Math.max(rect.left, its.left);
      const high = Math.min(rect.bottom, its.bottom) - Math.max(rect.top, its.top);
      if (wide > 2 && high > 2 && !one.contains(other) && !other.contains(one)) faults.push(`over each other: ${nameOf(one)} and ${nameOf(other)}`);
    }
  });
  return [...new Set(faults)];
}
