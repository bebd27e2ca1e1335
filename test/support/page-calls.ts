/** What the pages of a browser ask, with what is still under way, so that a test counts only once all is there. */
import type { BrowserContext, Page, Request } from 'playwright-core';
import { eventually } from './eventually.ts';

/** Added to a request that a screen repeats by a timer and not by an act: who is there now. */
const POLLS = ' (who is there now)';
export const POLL = `POST /v1/query${POLLS}`;

/** Places that are still drawn, or not drawn anew yet. */
const UNFINISHED = '.skeleton, [aria-busy="true"], .is-old';
/** What is drawn has had its effects: they come after the next frame, or without one soon after where a tab is not painted. */
const AFTER_EFFECTS = `new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  setTimeout(done, 1000);
})`;

export interface PageCalls {
  /** Every request, as `METHOD /path`, in order; what a timer repeats is named so. */
  readonly requests: string[];
  /** What was asked of the API since {@link requests} was emptied, but for what timers repeat. */
  asked(): string[];
  /** Waits until the page shows what it asked for: nothing is under way, nothing drawn is old or to come. */
  settled(page: Page): Promise<void>;
}

export function watchCalls(context: BrowserContext): PageCalls {
  const requests: string[] = [];
  const underWay = new Map<Request, Page>();
  const dropAll = (page: Page) => {
    for (const [request, of] of underWay) if (of === page) underWay.delete(request);
  };
  context.on('page', (page) => page.on('close', () => dropAll(page)));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'data:' || url.protocol === 'blob:') return;
    requests.push(`${request.method()} ${url.pathname}${isPoll(request) ? POLLS : ''}`);
    underWay.set(request, request.frame().page());
  });
  context.on('requestfinished', (request) => underWay.delete(request));
  context.on('requestfailed', (request) => underWay.delete(request));
  context.on('response', (response) => {
    // A new document: what the one before asked for ends without a word.
    const request = response.request();
    if (request.isNavigationRequest() && request.frame().parentFrame() === null) {
      dropAll(request.frame().page());
    }
  });
  return {
    requests,
    asked: () => requests.filter((each) => each.includes(' /v1/') && !each.endsWith(POLLS)),
    async settled(page) {
      await eventually(async () => {
        const seen = requests.length;
        await page.evaluate(AFTER_EFFECTS);
        const unfinished = await page.locator(UNFINISHED).count();
        return {
          unfinished,
          underWay: [...underWay].filter(([, of]) => of === page).map(([request]) => request.url()),
          'asked meanwhile': requests.length - seen,
        };
      }).equals({ unfinished: 0, underWay: [], 'asked meanwhile': 0 });
    },
  };
}

/**
 * Notes when documents that a page opens from now on ask for numbers, by their own clock: one that a test puts forward goes on by
 * itself too, however slow the machine is. A question that met the end of its access is asked again at once, and counts once. What is
 * returned reads the times, in milliseconds since the document began, which no change of the machine's clock moves.
 */
export async function noteQueries(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(`{
    const send = globalThis.fetch;
    globalThis.queriedAt = [];
    globalThis.fetch = async (...all) => {
      if (!String(all[0]).startsWith('/v1/query')) return send(...all);
      const at = performance.now();
      queriedAt.push(at);
      const answer = await send(...all);
      if (answer.status === 401) queriedAt.splice(queriedAt.indexOf(at), 1);
      return answer;
    };
  }`);
  return () => page.evaluate<number[]>('queriedAt');
}

/** Holds back what a page asks for numbers from now on; what is returned lets it go. */
export async function holdQueries(page: Page): Promise<() => void> {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/v1/query*', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Milliseconds between each time and the one before. */
export const gapsOf = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? 0));

function isPoll(request: Request): boolean {
  return request.postData() === JSON.stringify([{ parameters: ['active_stats'] }]);
}
