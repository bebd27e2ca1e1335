/** Clicks that are reported by themselves: on links to other hosts, and on elements that name an event. */
import { on } from './guard.ts';
import { LONGEST_URL } from './page-url.ts';
import type { TrackedEvent } from './sender.ts';

const LONGEST_TEXT = 256;

/** Reports one of the page's own events, like `window.tidegate.track`. */
export type Track = (name: string, properties?: object) => void;

/** `data-track="name"` reports that event, with the element's other `data-` attributes as properties. */
export function watchClicks(report: (fields: TrackedEvent) => void, track: Track): void {
  on<MouseEvent>(document, 'click auxclick', (event) => {
    const [target] = event.composedPath();
    // The right button only opens a menu.
    if (!(target instanceof Element) || event.button > 1) return;
    const marked = target.closest<HTMLElement>('[data-track]');
    if (marked && event.button === 0) {
      const { track: name = '', ...properties } = marked.dataset;
      track(name, properties);
    }
    const link = target.closest<HTMLAnchorElement>('a[href],area[href]');
    if (!link || !/^https?:$/.test(link.protocol) || link.hostname === location.hostname) return;
    report({
      type: 'outgoing_link',
      href: link.href.slice(0, LONGEST_URL),
      text: (link.textContent || link.ariaLabel || '').trim().replace(/\s+/g, ' ').slice(0, LONGEST_TEXT),
    });
  });
}
