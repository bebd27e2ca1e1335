/**
 * Makes browser tests meet what a busy machine makes of them: with `BROWSER_JITTER=6` every page runs six times slower, and each
 * answer of the API comes up to 0.4 seconds late, so that answers come in another order than they were asked for.
 */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

const LATEST_MS = 400;

/** How many times slower pages run; 1 without the variable. @throws Error when it is no number from 1 to 20 */
export function slowness(setting: string | undefined = process.env.BROWSER_JITTER): number {
  if (setting === undefined || setting === '') return 1;
  const times = Number(setting);
  if (!(times >= 1 && times <= 20)) {
    throw new Error(
      `BROWSER_JITTER: came ${JSON.stringify(setting)}. Allowed: how many times slower, 1 to 20.`,
    );
  }
  return times;
}

/** Slows down every page that the browser opens from now on, if the environment says so. */
export function applyJitter(browser: Browser): void {
  const times = slowness();
  if (times === 1) return;
  browser.on('context', (context: BrowserContext) => {
    context.on('page', (page: Page) => {
      // A page that is closed meanwhile needs none.
      slowDown(page, times).catch(() => {});
    });
  });
}

async function slowDown(page: Page, times: number): Promise<void> {
  const session: CDPSession = await page.context().newCDPSession(page);
  // At the level of the protocol: routes of a test stand before it, and an answer stays what it is, cookies and all.
  session.on('Fetch.requestPaused', ({ requestId }) => {
    setTimeout(() => {
      session.send('Fetch.continueRequest', { requestId }).catch(() => {});
    }, Math.random() * LATEST_MS);
  });
  await Promise.all([
    session.send('Emulation.setCPUThrottlingRate', { rate: times }),
    session.send('Fetch.enable', { patterns: [{ urlPattern: '*/v1/*', requestStage: 'Response' }] }),
  ]);
}
