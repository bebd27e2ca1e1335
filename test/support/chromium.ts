/** A real browser for a test run: Debian's chromium, driven without a window. */
import { spawnSync } from 'node:child_process';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { applyJitter } from './jitter.ts';

/** The first that is there. Without the code of windows a test takes half of the processor's time. */
const COMMANDS = ['chromium-headless-shell', 'chromium'];
/** How long a browser may take to start, and a page to do what a test waits for, in milliseconds: a starved machine is slow. */
const START_MS = 120_000;
const WAIT_MS = 120_000;
/** What an ordinary visitor's browser says: a headless one says that it is, and counts as a crawler. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Skips the suite with its reason printed when there is no chromium. */
export function requireChromium(suite: { skip(): never }): void {
  if (findChromium() !== null) return;
  process.stderr.write(
    `      skipped: it needs ${COMMANDS.join(' or ')} (apt-get install -y ${COMMANDS[0]}), then npm run test:all runs it\n`,
  );
  suite.skip();
}

/** Its path; null when there is none. */
export function findChromium(): string | null {
  for (const command of COMMANDS) {
    const found = spawnSync('which', [command], { encoding: 'utf8' });
    if (found.status === 0) return found.stdout.trim();
  }
  return null;
}

/** Starts it; the test closes it. @throws Error when there is none */
export async function startChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(`${COMMANDS.join(' and ')} are not on the PATH`);
  // Containers run as root and have a small /dev/shm.
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  const browser = await chromium.launch({ executablePath, args, timeout: START_MS });
  applyJitter(browser);
  return browser;
}

/** A visitor: nothing stored yet, 1280 by 720 pixels, German, in Berlin. */
export async function newVisitor(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    userAgent: USER_AGENT,
    viewport: { width: 1280, height: 720 },
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
  });
  context.setDefaultTimeout(WAIT_MS);
  return context;
}
