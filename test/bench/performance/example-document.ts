/** A document of figures for the tests of what is made of one: small, with every part, and made up. */
import type { PerformanceDocument } from './document.ts';

const about = {
  begun: '2026-01-02T03:04:05.000Z',
  seconds: 61,
  busyBefore: 0.012,
  busyAfter: 0.05,
  quick: false,
};

export const EXAMPLE: PerformanceDocument = {
  version: 1,
  machine: {
    ...{ processor: 'Example <1>', processors: 2, memoryGigabytes: 25, system: 'Linux 6', node: 'v20.19.0' },
    ...{ versions: { nginx: '1.22.1' }, pinned: true },
  },
  leftOut: [
    { part: 'gateway', name: 'Traefik', reason: 'Traefik is built with go, which is not installed.' },
  ],
  failed: [],
  gateway: {
    ...{
      about,
      runs: 5,
      seconds: 2,
      connections: 64,
      halfLoadSeconds: 4,
      halfLoadRuns: 3,
      othersShare: 0.02,
    },
    rows: (['bare', 'tidegate'] as const).flatMap((target, index) =>
      (['GET', 'POST'] as const).map((method) => ({
        ...{ target, method, requestsPerSecond: 20_000 - index * 1_000, cpuMicroseconds: 40.25 + index },
        ...{ cpuSpread: [39, 44], residentMegabytes: 80 + index, toBare: 1 + index / 10, failures: 0 },
      })),
    ),
    halfLoads: (['upstream', 'bare', 'tidegate'] as const).map((target, index) => ({
      ...{ target, method: 'GET', perSecond: 10_000, sent: 40_000, failures: 0 },
      ...{ p50: 0.25, p99: 1 + index, p999: 4 },
    })),
  },
  growth: {
    ...{ about, rounds: 6, requests: 8_000, keysInUse: 100 },
    rows: [1, 1_000].map((routes) => ({
      ...{ routes, keys: 1, organizations: 1, startSeconds: 2.5, cpuMicroseconds: 50, toFirst: 1 },
      residentMegabytes: 150,
    })),
  },
  query: {
    ...{ about, runs: 5 },
    sizes: [100_000, 1_000_000].map((events) => ({
      events,
      rows: (['tidegate', 'postgresql'] as const).flatMap((engine, index) =>
        (['large', 'middle', 'small'] as const).map((website) => ({
          ...{ engine, website, p50: (events / 20_000) * (1 + index * 9), p99: 90, cpuMilliseconds: 12 },
          toTidegate: 1 + index * 9,
        })),
      ),
      megabytes: { tidegate: 300, postgresql: 900 },
    })),
  },
  ingest: {
    ...{ about, runs: 3, seconds: 3, othersShare: 0.3, visibleMilliseconds: 42 },
    rows: (['tidegate', 'postgresql'] as const).map((store) => ({
      ...{ store, callers: 16, events: 100, eventsPerSecond: 25_558, spread: [25_000, 26_000] },
      ...{ cpuMicroseconds: 38.5, residentMegabytes: 500, failures: 0 },
    })),
  },
};
