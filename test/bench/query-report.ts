/** Turns the samples of the query bench into medians, ratios and verdicts, and those into text; compares answers. */
import { type Answers, ENGINE_NAMES, type EngineName } from './query-engine.ts';
import { type OverviewMeasures, overviewRows } from './query-overview.ts';
import { JUDGED_PATHS, type PathMeasures, pathRows, timesPostgres } from './query-paths.ts';
import { COMPARED } from './query-sql.ts';
import { BATCH, WEBSITES, type WebsiteName } from './query-workload.ts';
import { median, table } from './report.ts';

/** Batches of one engine for one website, one after the other, within a round in which every engine had its turn. */
export interface QuerySample {
  readonly round: number;
  readonly engine: EngineName;
  readonly website: WebsiteName;
  /** Of each batch. */
  readonly milliseconds: readonly number[];
  /** Of all processes of the engine, for one batch. */
  readonly cpuMilliseconds: number;
}

/** What was measured while events came in. */
export interface IngestPhase {
  readonly clients: number;
  /** Of each batch, in milliseconds. */
  readonly queries: readonly { readonly website: WebsiteName; readonly milliseconds: number }[];
  /** Of each request with events, in milliseconds. */
  readonly appends: readonly number[];
  readonly eventsPerSecond: number;
  /** Requests of either kind that were refused, or whose connection broke. */
  readonly failures: number;
}

export interface QueryMeasures {
  readonly samples: readonly QuerySample[];
  /** After all rounds. */
  readonly megabytes: Readonly<Partial<Record<EngineName, number>>>;
  readonly phases: readonly IngestPhase[];
  /** Of the large website; absent: not measured. */
  readonly overview?: OverviewMeasures;
  /** Of the large website; absent: not measured. */
  readonly paths?: PathMeasures;
  /** Of each custom query for the middle website. */
  readonly custom: readonly number[];
}

export interface Goal {
  readonly text: string;
  readonly value: string;
  readonly met: boolean;
}

export const GOALS = {
  middleMilliseconds: 50,
  timesFasterThanPostgres: 8,
  appendP99Milliseconds: 100,
  customMilliseconds: 300,
  overviewMilliseconds: 200,
  firstLineMilliseconds: 60,
  againMilliseconds: 10,
  pathMilliseconds: 400,
} as const;

/** The value that `share` (0..1) of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/**
 * How many times as long `over` takes as Tidegate for a website: the median of the rounds' own ratios, so that a machine
 * that is slower in some rounds than in others does not show in it. Null when no round has both.
 */
export function timesSlower(
  samples: readonly QuerySample[],
  over: EngineName,
  website: WebsiteName,
  measure: (sample: QuerySample) => number,
): number | null {
  const of = (engine: EngineName) =>
    samples.filter((sample) => sample.engine === engine && sample.website === website);
  const own = of('tidegate');
  const ratios = of(over).flatMap((sample) => {
    const other = own.find(({ round }) => round === sample.round);
    return other ? [measure(sample) / measure(other)] : [];
  });
  return ratios.length > 0 ? median(ratios) : null;
}

const elapsed = (sample: QuerySample) => median(sample.milliseconds);

/** Each goal that was measured. */
export function judge({ samples, phases, overview, paths, custom }: QueryMeasures): Goal[] {
  const goals: Goal[] = [];
  const within = (text: string, value: number, most: number) =>
    goals.push({ text: `${text} ≤ ${most} ms`, value: `${value.toFixed(1)} ms`, met: value <= most });
  const middle = samples.filter(({ engine, website }) => engine === 'tidegate' && website === 'middle');
  if (middle.length > 0) {
    const p50 = quantile(
      middle.flatMap(({ milliseconds }) => milliseconds),
      0.5,
    );
    const most = GOALS.middleMilliseconds;
    goals.push({
      text: `p50 of the middle website ≤ ${most} ms`,
      value: `${p50.toFixed(1)} ms`,
      met: p50 <= most,
    });
  }
  const times = timesSlower(samples, 'postgresql', 'middle', elapsed);
  if (times !== null) {
    const least = GOALS.timesFasterThanPostgres;
    const text = `middle website ≥ ${least} × faster than PostgreSQL`;
    goals.push({ text, value: `${times.toFixed(1)} ×`, met: times >= least });
  }
  for (const { clients, appends } of phases) {
    if (clients < 4 || appends.length === 0) continue;
    const p99 = quantile(appends, 0.99);
    const most = GOALS.appendP99Milliseconds;
    const text = `p99 of ingest ≤ ${most} ms while ${clients} clients query`;
    goals.push({ text, value: `${p99.toFixed(1)} ms`, met: p99 <= most });
  }
  if (overview) {
    const whole = median(overview.compared.milliseconds);
    within('p50 of the compared overview', whole, GOALS.overviewMilliseconds);
    within('p50 of its first line', median(overview.firstLine), GOALS.firstLineMilliseconds);
    if (overview.again)
      within('p50 of the same again', median(overview.again.milliseconds), GOALS.againMilliseconds);
  }
  for (const name of paths ? JUDGED_PATHS : []) {
    const cost = paths?.[name];
    within(`p50 of ${name}`, median(cost?.milliseconds ?? []), GOALS.pathMilliseconds);
    const times = cost && timesPostgres(cost);
    if (times) {
      const least = GOALS.timesFasterThanPostgres;
      const text = `${name} ≥ ${least} × faster than PostgreSQL`;
      goals.push({ text, value: `${times.toFixed(1)} ×`, met: times >= least });
    }
  }
  if (custom.length > 0) {
    const p50 = median(custom);
    const most = GOALS.customMilliseconds;
    const text = `p50 of custom SQL for the middle website ≤ ${most} ms`;
    goals.push({ text, value: `${p50.toFixed(0)} ms`, met: p50 <= most });
  }
  return goals;
}

/** The report as tables for a person. */
export function renderQueryReport(measures: QueryMeasures): string {
  const { samples, megabytes, phases, overview, paths, custom } = measures;
  const engines = ENGINE_NAMES.filter((name) => samples.some(({ engine }) => engine === name));
  const rows = WEBSITES.flatMap(({ name: website }) =>
    engines.map((engine) => {
      const own = samples.filter((sample) => sample.engine === engine && sample.website === website);
      const times = own.flatMap(({ milliseconds }) => milliseconds);
      const ratio = (measure: (sample: QuerySample) => number) =>
        timesSlower(samples, engine, website, measure)?.toFixed(1) ?? '–';
      return [
        website,
        engine,
        quantile(times, 0.5).toFixed(1),
        quantile(times, 0.99).toFixed(1),
        ratio(elapsed),
        median(own.map(({ cpuMilliseconds }) => cpuMilliseconds)).toFixed(1),
        ratio(({ cpuMilliseconds }) => cpuMilliseconds),
        (megabytes[engine] ?? Number.NaN).toFixed(0),
      ];
    }),
  );
  const head = [
    'website',
    'engine',
    'p50 ms',
    'p99 ms',
    '× Tidegate',
    'CPU ms/batch',
    '× Tidegate',
    'memory MB',
  ];
  const underIngest = phases.flatMap(({ clients, queries, appends, eventsPerSecond, failures }) =>
    WEBSITES.map(({ name: website }) => {
      const times = queries
        .filter((query) => query.website === website)
        .map(({ milliseconds }) => milliseconds);
      return [
        String(clients),
        website,
        String(times.length),
        ...[quantile(times, 0.5), quantile(times, 0.99)].map((value) => value.toFixed(1)),
        eventsPerSecond.toFixed(0),
        ...[quantile(appends, 0.5), quantile(appends, 0.99)].map((value) => value.toFixed(1)),
        String(failures),
      ];
    }),
  );
  const ingestHead = [
    'clients',
    'website',
    'batches',
    'p50 ms',
    'p99 ms',
    'events/s',
    'ingest p50 ms',
    'ingest p99 ms',
    'failures',
  ];
  const verdicts = judge(measures).map(({ text, value, met }) => [text, value, met ? 'met' : 'MISSED']);
  return [
    table([head, ...rows], 2),
    ...(underIngest.length > 0
      ? [`Tidegate while events come in:\n\n${table([ingestHead, ...underIngest], 2)}`]
      : []),
    ...(overview
      ? [`An overview of half the window of the large website:\n\n${table(overviewRows(overview), 1)}`]
      : []),
    ...(paths ? [`Every event of the large website:\n\n${table(pathRows(paths), 1)}`] : []),
    ...(custom.length > 0
      ? [
          `Custom SQL, middle website: p50 ${median(custom).toFixed(0)} ms, most ${Math.max(...custom).toFixed(0)} ms`,
        ]
      : []),
    table(verdicts, 1),
  ].join('\n\n');
}

/** The first difference between the answers of two engines, in names and counts; null when there is none. */
export function differenceOf(expected: Answers, found: Answers): string | null {
  for (const dataset of BATCH) {
    const { names, counts } = COMPARED[dataset];
    const width = names.length + counts.length;
    // Sorted, since rows that tie may stand in any order: Tidegate orders countries by the names that it shows.
    const text = (answers: Answers) =>
      answers[dataset]
        // Tidegate fills the days on which nothing was.
        .filter((row) => row.slice(names.length, width).some((count) => Number(count) !== 0))
        .map((row) =>
          [...row.slice(0, names.length), ...row.slice(names.length, width).map(Number)].join(' | '),
        )
        .sort();
    const [left, right] = [text(expected), text(found)];
    const at = left.findIndex((row, index) => row !== right[index]);
    if (at >= 0) return `${dataset}, row ${at + 1}: "${left[at]}" and "${right[at] ?? 'nothing'}"`;
    if (right.length > left.length) return `${dataset}: ${left.length} rows and ${right.length}`;
    if (left.length === 0) return `${dataset}: no rows`;
  }
  return null;
}
