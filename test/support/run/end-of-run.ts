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

/** What a failed hook left open would keep the process for ever, and whoever waits for it: it ends with a failure. */
export function endThisProcess(): void {
  const timer = setTimeout(() => {
    const open = process.getActiveResourcesInfo().map((resource) => `    ${resource}\n`);
    process.stdout.write(
      `  left open after the last suite, so that the process had to be ended:\n${open.join('')}\n`,
    );
    process.exit(1);
  }, LEFT_OPEN_MS);
  timer.unref();
}
