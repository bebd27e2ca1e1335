/** The address bar: the one place that reads and writes it. What a screen shows stands in it, so a copied address shows the same. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { addressOf, HOME, type Parameters } from './address-of.ts';

export { addressOf, HOME };

/** Where the pages of shares lie. */
export const SHARES = '/share';

export interface Address {
  /** Path, without query string. */
  readonly path: string;
  readonly parameters: Parameters;
  /** Goes to a path with parameters; those that are undefined or empty are left out. `replace` makes no entry in the history. */
  go(path: string, parameters?: Parameters, replace?: boolean): void;
  /** Changes parameters of this path, and keeps the others; a function is told those that are there now. */
  change(parameters: Parameters | ((now: Parameters) => Parameters), replace?: boolean): void;
}

export function useAddress(): Address {
  const { path, query, route } = useLocation();
  const go = (to: string, parameters: Parameters = {}, replace = false): void =>
    route(addressOf(to, parameters), replace);
  return {
    path,
    parameters: query,
    go,
    // Of the address as it is now: what draws a part of a screen may hold an earlier one.
    change(parameters, replace) {
      const now = currentParameters();
      const next = typeof parameters === 'function' ? parameters(now) : parameters;
      // Another entry of the same address would make the way back do nothing.
      if (Object.entries(next).every(([name, value]) => (value || undefined) === now[name])) return;
      go(path, { ...now, ...next }, replace);
    },
  };
}

/** The part of the path that stands for `name` in the path of the screen, such as `websiteId`. */
export function usePathPart(name: string): string {
  return useRoute().params[name] ?? '';
}

/** Where to go after a login: an address of the dashboard itself, whatever the link said. */
export function safeNext(next: string | undefined): string {
  if (next === undefined) return HOME;
  try {
    const url = new URL(next, location.origin);
    const isOurs = url.origin === location.origin && /^\/dashboard(\/|$)/.test(url.pathname);
    return isOurs && !url.pathname.startsWith(`${HOME}/login`) ? url.pathname + url.search : HOME;
  } catch {
    return HOME;
  }
}

/** The address that is open, for the way back after a login. */
export function currentAddress(): string {
  return location.pathname + location.search;
}

function currentParameters(): Parameters {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** Reads the secret behind the `#` of a link, and removes it at once from the address and the history. */
export function takeFragment(): string {
  const text = location.hash.slice(1);
  if (text !== '') history.replaceState(history.state, '', currentAddress());
  return text;
}

/** The origin under which the pages and the API are reached. */
export function ownOrigin(): string {
  return location.origin;
}

/** The token in the address of a share's page. */
export function shareToken(): string {
  return location.pathname.slice(SHARES.length + 1);
}

/** The parameters with which a page was opened. */
export function startingParameters(): Parameters {
  return currentParameters();
}

/** Whether a browser keeps the session's cookies here: on https, or on this machine itself. */
export function keepsCookies(): boolean {
  const { protocol, hostname } = location;
  return protocol === 'https:' || /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

/** Loads the page anew, as a reload does. */
export function reload(): void {
  location.reload();
}

export interface LeaveGuard {
  /** Whether somebody is about to leave, and is to be asked. */
  readonly isAsking: boolean;
  stay(): void;
  leave(): void;
}

/** Takes what somebody does who leaves by a button; null: nothing is to be asked. */
let asking: ((leave: () => void) => void) | null = null;

/** Leaves by a button, such as that of another organization: after the question of a {@link useLeaveGuard}, if there is one. */
export function askToLeave(leave: () => void): void {
  if (asking === null) leave();
  else asking(leave);
}

/**
 * While it is drawn, nobody leaves unasked: not by a link, not by the browser's way back, not by a button that asks
 * {@link askToLeave}, not by closing the page. `onLeave` is told
 * when somebody leaves all the same, and when the page is hidden for good or for its way back.
 */
export function useLeaveGuard(onLeave: () => void): LeaveGuard {
  const { route } = useLocation();
  const [go, setGo] = useState<(() => void) | null>(null);
  const isLeaving = useRef(false);
  // At once and not after the next frame: a click before that would leave unasked.
  useLayoutEffect(() => {
    const unloading = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    // Heard before the router hears it, as the way back is.
    const clicked = (event: MouseEvent) => {
      const target = isLeaving.current ? null : leadsElsewhere(event);
      if (target === null) return;
      event.preventDefault();
      event.stopPropagation();
      setGo(() => () => route(target));
    };
    const ask = (act: () => void) => (isLeaving.current ? act() : setGo(() => act));
    asking = ask;
    addEventListener('beforeunload', unloading);
    addEventListener('pagehide', onLeave);
    addEventListener('click', clicked, { capture: true });
    return () => {
      if (asking === ask) asking = null;
      removeEventListener('beforeunload', unloading);
      removeEventListener('pagehide', onLeave);
      removeEventListener('click', clicked, { capture: true });
    };
  }, [route, onLeave]);
  // The way back leads to the address of what is guarded, which is that of the next frame: it is written as this is drawn.
  useEffect(() => {
    const here = currentAddress();
    const wentBack = (event: PopStateEvent) => {
      if (isLeaving.current) return;
      event.stopImmediatePropagation();
      history.pushState(null, '', here);
      setGo(() => () => history.back());
    };
    addEventListener('popstate', wentBack, { capture: true });
    return () => removeEventListener('popstate', wentBack, { capture: true });
  }, [route, onLeave]);
  return {
    isAsking: go !== null,
    stay: () => setGo(null),
    leave() {
      isLeaving.current = true;
      go?.();
      onLeave();
    },
  };
}

/** Where a click leads to within the pages; null when it opens another tab, stays on the screen, or the browser itself asks. */
function leadsElsewhere(event: MouseEvent): string | null {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null;
  const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
  if (!link?.href || link.target !== '' || link.origin !== location.origin) return null;
  if (link.getAttribute('href')?.startsWith('#') || !link.pathname.startsWith(HOME)) return null;
  return link.pathname + link.search;
}
