/** What all suites of a process share, such as a database server, and what ends it after the last of them. */

const closers: (() => Promise<void>)[] = [];
/** How long a process may go on once it has nothing to run, in milliseconds. */
const LEFT_OPEN_MS = 15_000;

/** Has `close` called when the last suite of this process has ended. */
export function atEndOfRun(close: () => Promise<void>): void {
  closers.push(close);
}

/** Closes what is shared; for mocha's --require as well. @throws what a closer throws, once all were called */
export async function mochaGlobalTeardown(): Promise<void> {
  const ends = await Promise.allSettled(closers.splice(0).map((close) => close()));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** After which files there were how many timers that keep a process. */
const timers: { readonly path: string; readonly open: number }[] = [];

/** Called after each file, so that what keeps a process for ever is known by the file that left it. */
export function noteTimers(path: string): void {
  const open = process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  timers.push({ path, open });
}

/** The files after which there were more timers than before, none of which is over by now. */
function leavers(left: number): string[] {
  return timers
    .map(({ path, open }, index) => ({
      path,
      before: timers[index - 1]?.open ?? 0,
      // Fewer at any later time: what it left has ended since.
      stays: Math.min(open, left, ...timers.slice(index + 1).map((later) => later.open)),
    }))
    .filter(({ before, stays }) => stays > before)
    .map(({ path }) => path);
}

/** What a failed hook left open would keep the process for ever, and whoever waits for it: it ends with a failure. */
export function endThisProcess(): void {
  const timer = setTimeout(() => {
    const open = process.getActiveResourcesInfo();
    const lines = [
      'left open after the last suite, so that the process had to be ended:',
      ...open.map((resource) => `  ${resource}`),
      ...leavers(open.length).map((path) => `  timers are left since ${path}`),
    ];
    process.stdout.write(`${lines.map((line) => `  ${line}\n`).join('')}\n`);
    process.exit(1);
  }, LEFT_OPEN_MS);
  timer.unref();
}
