() => {
  /** The smallest letters that a page may have, in pixels. */
  const LEAST = 12;
  /** What only repeats a picture or a word next to it, and the previews, which are pictures of another screen. */
  const PICTURED = '.corner, .board-die *, .wanted *, .preview *, .discard, .light *, .photo *';
  const faults = [];
  const nameOf = (one) => `${one.id || one.className.baseVal || one.className || one.tagName} "${one.textContent.trim().slice(0, 40)}"`;
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest('[inert]');
  const isForReaders = (one) => one.closest('.for-readers') || getComputedStyle(one).clipPath !== 'none';
  const dialog = document.querySelector('dialog[open]');
  const range = document.createRange();
  const words = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
  const linesOf = (node, { index, 0: word }) => {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const rects = [...range.getClientRects()].filter(({ width }) => width > .5);
    return rects.length ? Math.abs(rects[0].top - rects.at(-1).top) : 0;
  };
  while (words.nextNode()) {
    const node = words.currentNode;
    const one = node.parentElement;
    if (!node.data.trim() || one.matches('script, style, option, title, desc') || !isSeen(one) || isForReaders(one)) continue;
    range.selectNodeContents(node);
    if (range.getBoundingClientRect().width < 2) continue;
    const size = parseFloat(getComputedStyle(one).fontSize) * (one.currentCSSZoom || 1);
    if (!one.ownerSVGElement && !one.matches(PICTURED) && size < LEAST - .05) faults.push(`small print of ${size.toFixed(1)}: ${nameOf(one)}`);
    /* A soft hyphen is a place where a word may go on in the next line, so the parts next to it count on their own. */
    for (const word of node.data.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
      if (getComputedStyle(one).hyphens !== 'auto' && !/\u00ad/.test(node.data) && linesOf(node, word) > 4) faults.push(`broken word: ${word[0]} in ${nameOf(one)}`);
    }
  }
  for (const one of (dialog ?? document).querySelectorAll('button, .button')) {
    if (isSeen(one) && !isForReaders(one) && !one.matches('.die, .put, .board-die') && one.scrollWidth > one.clientWidth + 2) faults.push(`does not fit: ${nameOf(one)}`);
  }
  if (document.scrollingElement.scrollWidth > innerWidth) faults.push(`wider than the screen: ${document.scrollingElement.scrollWidth}`);
  return [...new Set(faults)];
}
