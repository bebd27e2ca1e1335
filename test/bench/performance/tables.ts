/** The tables of a document of figures: the summary, and those of each part. */
import { WEBSITES } from '../query-workload.ts';
import { METHODS, type Method } from '../report.ts';
import type { GatewayPart, GrowthPart, IngestPart, PerformanceDocument, QueryPart } from './document.ts';
import { counted, ENGINE_TITLES, figure, TARGET_TITLES, times, whole } from './names.ts';

/** The head first. */
export type Rows = readonly (readonly string[])[];
/** One figure of Tidegate, and the same of its peers. */
export function summaryRows(document: PerformanceDocument): Rows {
  const { gateway, growth, query, ingest } = document;
  return [
    ['what', 'Tidegate', 'beside it'],
    ...(gateway ? gatewaySummary(gateway) : []),
    ...(growth ? growthSummary(growth) : []),
    ...(query ? querySummary(query) : []),
    ...(ingest ? ingestSummary(ingest) : []),
  ];
}

/** A row of the summary from figures by name, the own one first among them. */
function summaryRow<N extends string>(
  what: string,
  titles: Readonly<Record<N, string>>,
  figures: readonly { readonly name: N; readonly text: string }[],
): readonly string[][] {
  const own = figures.find(({ name }) => name === 'tidegate');
  const others = figures.filter(({ name }) => name !== 'tidegate');
  if (own === undefined) return [];
  return [[what, own.text, others.map(({ name, text }) => `${titles[name]} ${text}`).join(', ') || '–']];
}

function gatewaySummary({ rows, halfLoads }: GatewayPart): Rows {
  const of = (method: Method) => rows.filter((row) => row.method === method);
  return [
    ...METHODS.flatMap((method) =>
      summaryRow(
        `CPU of a ${method} through the gateway`,
        TARGET_TITLES,
        of(method).map((row) => ({ name: row.target, text: `${figure(row.cpuMicroseconds)} µs` })),
      ),
    ),
    ...METHODS.flatMap((method) =>
      summaryRow(
        `p99 of a ${method} at half load`,
        TARGET_TITLES,
        halfLoads
          .filter((run) => run.method === method)
          .map(({ target, p99 }) => ({ name: target, text: `${figure(p99)} ms` })),
      ),
    ),
    ...summaryRow(
      'memory of the gateway under load',
      TARGET_TITLES,
      of('POST').map((row) => ({ name: row.target, text: `${whole(row.residentMegabytes)} MB` })),
    ),
  ];
}

/** `1,000 routes`, or `one of each`, or `many of each`; keys as many as organizations are not named. */
export function nameOfSize({ routes, keys, organizations }: GrowthPart['rows'][number]): string {
  const parts = [
    ...(routes > 1 ? [counted(routes, 'route')] : []),
    ...(keys > organizations ? [counted(keys, 'key')] : []),
    ...(organizations > 1 ? [counted(organizations, 'organization')] : []),
  ];
  return parts.length === 1 ? parts.join() : `${parts.length === 0 ? 'one' : 'many'} of each`;
}

function growthSummary({ rows }: GrowthPart): Rows {
  return rows
    .slice(1)
    .map((row) => [
      `CPU of a request with ${nameOfSize(row)}`,
      `${figure(row.cpuMicroseconds)} µs`,
      `${times(row.toFirst)} that with one of each`,
    ]);
}

/** The size that tells most, and the one that a summary shows. */
export function largest({ sizes }: QueryPart): QueryPart['sizes'][number] | undefined {
  return sizes.toSorted((a, b) => a.events - b.events).at(-1);
}

function querySummary(part: QueryPart): Rows {
  const size = largest(part);
  if (size === undefined) return [];
  return WEBSITES.flatMap(({ name }) =>
    summaryRow(
      `five datasets of the ${name} website of ${whole(size.events)} events, p50`,
      ENGINE_TITLES,
      size.rows
        .filter(({ website }) => website === name)
        .map(({ engine, p50 }) => ({ name: engine, text: `${figure(p50)} ms` })),
    ),
  );
}

type IngestRow = IngestPart['rows'][number];
const nameOfLoad = ({ callers, events }: Pick<IngestRow, 'callers' | 'events'>): string =>
  `${events === 1 ? 'single events' : `${whole(events)} events at once`}, ${counted(callers, 'caller')}`;

/** Each load once, in the order of the rows. */
export function loadsOf({ rows }: IngestPart): readonly { name: string; of: readonly IngestRow[] }[] {
  return [...new Set(rows.map(nameOfLoad))].map((name) => ({
    name,
    of: rows.filter((row) => nameOfLoad(row) === name),
  }));
}

function ingestSummary(part: IngestPart): Rows {
  return loadsOf(part).flatMap(({ name, of }) =>
    summaryRow(
      `durable events a second: ${name}`,
      { tidegate: 'Tidegate', postgresql: 'PostgreSQL by COPY' },
      of.map((row) => ({ name: row.store, text: whole(row.eventsPerSecond) })),
    ),
  );
}

export function gatewayTables({ rows, halfLoads }: GatewayPart): readonly Rows[] {
  const waits = [...halfLoads];
  return [
    [
      ['', 'target', 'requests/s', 'CPU µs/request', 'least–most', '× bare', 'memory MB', 'failures'],
      ...rows.map((row) => [
        ...[row.method, TARGET_TITLES[row.target], whole(row.requestsPerSecond), figure(row.cpuMicroseconds)],
        ...[row.cpuSpread.map(figure).join('–'), row.toBare === null ? '–' : row.toBare.toFixed(2)],
        ...[whole(row.residentMegabytes), whole(row.failures)],
      ]),
    ],
    [
      ['', 'target', 'requests/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'p99 over upstream', 'failures'],
      ...METHODS.flatMap((method) =>
        waits
          .filter((run) => run.method === method)
          .map((run) => {
            const upstream = waits.find((other) => other.method === method && other.target === 'upstream');
            const added = run.target === 'upstream' || !upstream ? '–' : figure(run.p99 - upstream.p99);
            return [
              ...[method, TARGET_TITLES[run.target], whole(run.perSecond), figure(run.p50), figure(run.p99)],
              ...[figure(run.p999), added, whole(run.failures)],
            ];
          }),
      ),
    ],
  ].filter((table) => table.length > 1);
}

export function growthTables({ rows }: GrowthPart): readonly Rows[] {
  return [
    [
      ['routes', 'keys', 'organizations', 'start s', 'CPU µs/request', '× one of each', 'memory MB'],
      ...rows.map((row) => [
        ...[whole(row.routes), whole(row.keys), whole(row.organizations), row.startSeconds.toFixed(1)],
        ...[figure(row.cpuMicroseconds), row.toFirst.toFixed(2), whole(row.residentMegabytes)],
      ]),
    ],
  ];
}

export function queryTables({ sizes }: QueryPart): readonly Rows[] {
  return [
    [
      ['events', 'website', 'engine', 'p50 ms', 'p99 ms', '× Tidegate', 'CPU ms/batch', 'memory MB'],
      ...sizes.flatMap(({ events, rows, megabytes }) =>
        rows.map((row) => [
          ...[whole(events), row.website, ENGINE_TITLES[row.engine], figure(row.p50), figure(row.p99)],
          ...[figure(row.toTidegate), figure(row.cpuMilliseconds)],
          whole(megabytes[row.engine] ?? Number.NaN),
        ]),
      ),
    ],
  ];
}

export const STORES = { tidegate: 'Tidegate', postgresql: 'PostgreSQL by COPY' } as const;

export function ingestTables(part: IngestPart): readonly Rows[] {
  return [
    [
      ['load', 'store', 'events/s', 'least–most', 'CPU µs/event', 'memory MB', 'failures'],
      ...loadsOf(part).flatMap(({ name, of }) =>
        of.map((row) => [
          ...[name, STORES[row.store], whole(row.eventsPerSecond), row.spread.map(whole).join('–')],
          ...[figure(row.cpuMicroseconds), whole(row.residentMegabytes), whole(row.failures)],
        ]),
      ),
    ],
  ];
}
