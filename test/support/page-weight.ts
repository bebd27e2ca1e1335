/** What a page holds in memory once its garbage is gone, for tests that leave one open: it must not grow. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';

export interface PageWeight {
  /** Bytes of its scripts' objects. */
  readonly heap: number;
  /** Nodes of documents, those that are drawn nowhere too. */
  readonly nodes: number;
  readonly listeners: number;
}

/** What it may grow by: the engine keeps compiled code, and what one answer more has than another. */
const SLACK: PageWeight = { heap: 500_000, nodes: 100, listeners: 5 };
/** How many weights at the begin and at the end are compared. */
const ENDS = 3;

/** Weighs pages of a browser; each time anew. */
export async function pageScale(page: Page): Promise<() => Promise<PageWeight>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  return async () => {
    // What a first round lets go of may hold more.
    for (let round = 1; round <= 2; round++) await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (name: string): number => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
    return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
  };
}

/** Holds that the last weights are no greater than the first ones. */
export function expectFlat(weights: readonly PageWeight[]): void {
  const most = (of: readonly PageWeight[], part: keyof PageWeight) =>
    Math.max(...of.map((weight) => weight[part]));
  expect(weights.length, 'weights').to.be.at.least(2 * ENDS);
  for (const part of ['heap', 'nodes', 'listeners'] as const) {
    const grown = most(weights.slice(-ENDS), part) - most(weights.slice(0, ENDS), part);
    expect(grown, `${part}: ${weights.map((weight) => weight[part]).join(', ')}`).to.be.below(SLACK[part]);
  }
}
