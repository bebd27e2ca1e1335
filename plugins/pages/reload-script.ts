/**
 * What stands in for a script that is gone: while one version of the pages replaces another, a document may name a script
 * that this process does not have. The page is loaded again, three times at most, and then says so of itself.
 */

/** Reloads of one window; they are forgotten a minute after the last one. */
const MOST_RELOADS = 3;
const FORGOTTEN_AFTER_MS = 60_000;
/** Before the first reload, in milliseconds; each further one waits twice as long. */
const FIRST_WAIT_MS = 500;

/** Where the count is kept: it ends with the window. */
const STORED = 'pages.reloads';
/** On the root of the document: `reloading`, and `not-loaded` when it is given up. */
const MARKER = 'data-new-version';

/** Runs as a module and as a classic script, and uses nothing that Trusted Types watch. */
export const RELOAD_SCRIPT = `(() => {
  const root = document.documentElement;
  if (root.hasAttribute('${MARKER}')) return;
  let wait = null;
  try {
    const [reloads, at] = (sessionStorage.getItem('${STORED}') ?? '0 0').split(' ').map(Number);
    const count = Math.abs(Date.now() - at) < ${FORGOTTEN_AFTER_MS} ? reloads : 0;
    if (count < ${MOST_RELOADS}) {
      sessionStorage.setItem('${STORED}', count + 1 + ' ' + Date.now());
      wait = ${FIRST_WAIT_MS} * 2 ** count;
    }
  } catch {
    // Without a place to count in it might reload for ever.
  }
  root.setAttribute('${MARKER}', wait === null ? 'not-loaded' : 'reloading');
  if (wait !== null) setTimeout(() => location.reload(), wait);
})();
`;
