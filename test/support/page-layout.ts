/** What is wrong with how a page is laid out, as somebody would see it: read in the page, at the size that it has. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/**
 * Runs in the page. Texts count where they are seen: not those for readers of the screen alone, nor in what is closed.
 * What can be scrolled within a part of the page is reached there; only the document must not move sideways.
 */
const FAULTS = `(() => {
  const faults = [];
  const root = document.documentElement;
  const wide = root.scrollWidth - root.clientWidth;
  if (wide > 0) faults.push('the document moves ' + wide + ' px sideways');

  const ancestors = (element) => element === null ? [] : [element, ...ancestors(element.parentElement)];
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) &&
    !ancestors(element).some((each) => getComputedStyle(each).clipPath === 'inset(50%)');
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (data.trim() === '' || parentElement.closest('script, style, noscript, option, svg') || !isSeen(parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (rects.length > 0) texts.push({ text: data.trim().slice(0, 60), element: parentElement, rects });
  }
  const leaves = (rect, box) =>
    rect.right > box.right + 1.5 || rect.left < box.left - 1.5 || rect.bottom > box.bottom + 1.5;

  for (const { text, element, rects } of texts) {
    const around = ancestors(element);
    const frame = around.find((each) => getComputedStyle(each).overflowX !== 'visible' && each !== document.body && each !== root);
    const isClipped = frame && ['hidden', 'clip'].includes(getComputedStyle(frame).overflowX);
    if (isClipped && rects.some((rect) => leaves(rect, frame.getBoundingClientRect())) && !around.some((each) => each.title)) {
      faults.push('cut, and no title tells it: ' + text);
    }
    if (!frame && rects.some(({ right, left }) => right > root.clientWidth + 1 || left < -1)) faults.push('beside the page: ' + text);
    const box = element.closest('button, .button, .badge, .card, dialog');
    if (box && !frame && rects.some((rect) => leaves(rect, box.getBoundingClientRect()))) {
      faults.push('beyond its ' + (box.classList[0] ?? box.localName) + ': ' + text);
    }
  }
  // Where a text is seen: not beyond what scrolls it. What lies over the page, such as a menu, may cover it.
  const layerOf = (around) => around.find((each) => ['absolute', 'fixed', 'sticky'].includes(getComputedStyle(each).position));
  const seen = texts.flatMap(({ text, element, rects }) => {
    const around = ancestors(element);
    const frames = around.filter((each) => getComputedStyle(each).overflow !== 'visible' && each !== document.body && each !== root)
      .map((each) => each.getBoundingClientRect());
    const layer = layerOf(around);
    return rects.map((rect) => ({
      text, element, layer,
      left: Math.max(rect.left, ...frames.map((box) => box.left)), right: Math.min(rect.right, ...frames.map((box) => box.right)),
      top: Math.max(rect.top, ...frames.map((box) => box.top)), bottom: Math.min(rect.bottom, ...frames.map((box) => box.bottom)),
    })).filter(({ left, right, top, bottom }) => right > left && bottom > top);
  }).sort((one, other) => one.top - other.top);
  seen.forEach((one, index) => {
    for (let next = index + 1; next < seen.length && seen[next].top < one.bottom; next++) {
      const other = seen[next];
      if (other.element === one.element || other.layer !== one.layer) continue;
      const beside = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const below = Math.min(one.bottom, other.bottom) - other.top;
      // Lines stand closer to each other than their letters are allowed to be high.
      if (beside > 2 && below > Math.min(one.bottom - one.top, other.bottom - other.top) / 2) {
        faults.push('over each other: ' + one.text + ' | ' + other.text);
      }
    }
  });
  // Room of the arrow that browsers draw into a choice.
  const ARROW = 20;
  const pen = document.createElement('canvas').getContext('2d');
  for (const choice of document.querySelectorAll('select')) {
    if (!isSeen(choice) || choice.selectedOptions.length === 0) continue;
    const { font, paddingLeft, paddingRight } = getComputedStyle(choice);
    pen.font = font;
    const room = choice.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - ARROW;
    const { text } = choice.selectedOptions[0];
    const missing = Math.ceil(pen.measureText(text).width - room);
    if (missing > 0) faults.push('cut by ' + missing + ' px in its choice: ' + text);
  }
  for (const help of document.querySelectorAll('.definition > button')) {
    if (!isSeen(help)) continue;
    const own = help.getBoundingClientRect();
    for (const { text, element, rects } of texts) {
      // A dialog lies above the page, whatever stands there.
      if (help.contains(element) || help.closest('dialog') !== element.closest('dialog')) continue;
      const covers = rects.some((rect) => Math.min(rect.right, own.right) - Math.max(rect.left, own.left) > 2 &&
        Math.min(rect.bottom, own.bottom) - Math.max(rect.top, own.top) > 2);
      if (covers) faults.push('under a question mark: ' + text);
    }
  }
  const current = document.querySelector('.places a[aria-current]');
  if (current && leaves(current.getBoundingClientRect(), current.closest('.places').getBoundingClientRect())) {
    faults.push('the current place is not in view: ' + current.textContent);
  }
  return faults;
})()`;

/** How long a page may take to be laid out anew, in milliseconds: what measures itself follows the window. */
const PATIENCE_MS = 20_000;

/** Each fault that stays, in words; none when all is well. */
export async function layoutFaults(page: Page): Promise<string[]> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const faults = await page.evaluate<string[]>(FAULTS);
    if (faults.length === 0 || Date.now() > deadline) return faults;
    await sleep(50);
  }
}
