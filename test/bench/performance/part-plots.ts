/** The plots of each part of a document of figures. */
import { WEBSITES } from '../query-workload.ts';
import { METHODS } from '../report.ts';
import type { GatewayPart, GrowthPart, IngestPart, QueryPart } from './document.ts';
import { ENGINE_TITLES, figure, TARGET_TITLES, whole } from './names.ts';
import type { Bar, BarPlot, LinePlot } from './plot.ts';
import { largest, loadsOf, nameOfSize, STORES } from './tables.ts';

export type Plot =
  | { readonly kind: 'bars'; readonly name: string; readonly plot: BarPlot }
  | { readonly kind: 'lines'; readonly name: string; readonly plot: LinePlot };

const barOf = (name: string, value: number, text: string, isOwn: boolean): Bar => ({
  name,
  value,
  text,
  isOwn,
});

export function gatewayPlots({ rows, halfLoads }: GatewayPart): readonly Plot[] {
  const cpu: BarPlot = {
    title: 'CPU of a request through a gateway',
    caption: 'Microseconds of one processor; shorter is better.',
    groups: METHODS.map((method) => ({
      name: method,
      bars: rows
        .filter((row) => row.method === method)
        .map(({ target, cpuMicroseconds: value }) =>
          barOf(TARGET_TITLES[target], value, `${figure(value)} µs`, target === 'tidegate'),
        ),
    })),
  };
  const waits: BarPlot = {
    title: 'p99 at half of the load that each bears',
    caption: 'Milliseconds from when a request was due; shorter is better.',
    groups: METHODS.map((method) => ({
      name: method,
      bars: halfLoads
        .filter((run) => run.method === method)
        .map(({ target, p99 }) =>
          barOf(TARGET_TITLES[target], p99, `${figure(p99)} ms`, target === 'tidegate'),
        ),
    })),
  };
  return [
    { kind: 'bars', name: 'gateway-cpu', plot: cpu },
    ...(halfLoads.length > 0 ? [{ kind: 'bars', name: 'gateway-waits', plot: waits } as const] : []),
  ];
}

export function growthPlots({ rows }: GrowthPart): readonly Plot[] {
  const bars = (read: (row: GrowthPart['rows'][number]) => number, unit: string) =>
    rows.map((row) => barOf(nameOfSize(row), read(row), `${figure(read(row))} ${unit}`, true));
  return [
    {
      kind: 'bars',
      name: 'growth',
      plot: {
        title: 'A gateway with more routes, keys and organizations',
        caption: 'Shorter is better; the same length is no growth.',
        groups: [
          { name: 'CPU of a request', bars: bars((row) => row.cpuMicroseconds, 'µs') },
          { name: 'start', bars: bars((row) => row.startSeconds, 's') },
          { name: 'memory', bars: bars((row) => row.residentMegabytes, 'MB') },
        ],
      },
    },
  ];
}

export function queryPlots(part: QueryPart): readonly Plot[] {
  const size = largest(part);
  if (size === undefined) return [];
  const beside: BarPlot = {
    title: `A batch of five datasets over ${whole(size.events)} events`,
    caption: 'Milliseconds, p50; shorter is better. Each website has its own scale.',
    groups: WEBSITES.map(({ name }) => ({
      name: `${name} website`,
      bars: size.rows
        .filter(({ website }) => website === name)
        .map(({ engine, p50 }) =>
          barOf(ENGINE_TITLES[engine], p50, `${figure(p50)} ms`, engine === 'tidegate'),
        ),
    })),
  };
  const sizes = part.sizes.toSorted((a, b) => a.events - b.events);
  const growth: LinePlot = {
    title: 'The large website as events grow',
    caption: 'p50 of a batch of five datasets in milliseconds, on scales of powers; lower is better.',
    ticks: sizes.map(({ events }) => ({ x: events, text: `${whole(events)} events` })),
    series: [...new Set(sizes.flatMap(({ rows }) => rows.map(({ engine }) => engine)))].map((engine) => ({
      name: ENGINE_TITLES[engine],
      isOwn: engine === 'tidegate',
      points: sizes.flatMap(({ events, rows }) =>
        rows
          .filter((row) => row.engine === engine && row.website === 'large')
          .map(({ p50 }) => ({ x: events, y: p50, text: `${figure(p50)} ms` })),
      ),
    })),
  };
  return [
    { kind: 'bars', name: 'query', plot: beside },
    ...(sizes.length > 1 ? [{ kind: 'lines', name: 'query-growth', plot: growth } as const] : []),
  ];
}

export function ingestPlots(part: IngestPart): readonly Plot[] {
  return [
    {
      kind: 'bars',
      name: 'ingest',
      plot: {
        title: 'Durable events a second on one processor',
        caption: 'Longer is better. Each load has its own scale.',
        groups: loadsOf(part).map(({ name, of }) => ({
          name,
          bars: of.map((row) =>
            barOf(
              STORES[row.store],
              row.eventsPerSecond,
              `${whole(row.eventsPerSecond)} a second`,
              row.store === 'tidegate',
            ),
          ),
        })),
      },
    },
  ];
}
