/** What keys do on every screen: the palette, the help, the search, the way to a place, and what the screen itself names by `aria-keyshortcuts`. */
import { useEffect } from 'preact/hooks';
import { useAddress } from '../address.ts';
import { places } from './places.ts';
import { areSingleKeysOn } from './single-keys.ts';

/** How long after `g` its letter may come, in milliseconds. */
const LETTER_MS = 1_500;

export type CommandDialog = 'palette' | 'help';

export function useKeys(open: (dialog: CommandDialog) => void): void {
  const { go } = useAddress();
  useEffect(() => {
    let awaitedUntil = 0;
    const pressed = (event: KeyboardEvent) => {
      const { key } = event;
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      if (key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        return open('palette');
      }
      // A key that is held down acts once: each step of a range is a call that counts against the limits.
      if (event.repeat) return;
      if (!areSingleKeysOn.peek() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event))
        return;
      const isAwaited = Date.now() < awaitedUntil;
      awaitedUntil = 0;
      const act = isAwaited ? toPlace(key) : actOf(key);
      if (!act) return;
      event.preventDefault();
      act();
    };
    const toPlace = (letter: string) => {
      const place = places().find((each) => each.letter === letter);
      return place && (() => go(place.path));
    };
    const actOf = (key: string): (() => void) | undefined => {
      if (key === '?') return () => open('help');
      if (key === 'g') {
        return () => {
          awaitedUntil = Date.now() + LETTER_MS;
        };
      }
      if (key === '/') {
        const search = document.querySelector<HTMLElement>('main input[type=search]');
        return search ? () => search.focus() : undefined;
      }
      // What has the focus may move by the arrow keys itself.
      if (key.startsWith('Arrow') && !isIdle()) return undefined;
      const named = [...document.querySelectorAll<HTMLElement>('main [aria-keyshortcuts]')].find(
        (each) => each.getAttribute('aria-keyshortcuts') === key,
      );
      return named && (() => named.click());
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}

/** Whether a key is part of what somebody types or chooses. */
function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

function isIdle(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || focused.id === 'content';
}
