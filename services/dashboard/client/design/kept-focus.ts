/** Who uses the keyboard always has a place: when what had the focus is gone, it goes to the dialog that is open, or else to the screen. */

/** Watches the pages drawn in `place`, such as for a button that ends with what it did, or a link whose screen was left by it. */
export function keepFocus(place: HTMLElement): void {
  let last: Element | null = null;
  const isLost = () => document.activeElement === document.body;
  place.addEventListener('focusin', ({ target }) => {
    last = target as Element;
  });
  place.addEventListener('focusout', () =>
    queueMicrotask(() => {
      // A click beside it: nothing was taken away.
      if (isLost() && last?.checkVisibility()) last = null;
    }),
  );
  new MutationObserver(() => {
    if (last === null || !isLost() || last.checkVisibility()) return;
    const heading = [...document.querySelectorAll<HTMLElement>('dialog[open] h2')].at(-1);
    // Not from the start: a dialog that opens would give it the focus in place of its first control.
    if (heading) heading.tabIndex = -1;
    (heading ?? document.getElementById('content'))?.focus({ preventScroll: true });
  }).observe(place, { childList: true, subtree: true });
}
