/** Turns the samples of the ingest bench into medians and verdicts, and those into text. */
import { type LoadShape, nameOf } from './ingest-load.ts';
import type { IngestRoute } from './ingest-target.ts';
import { median } from './report.ts';

/** One measured run. */
export interface IngestSample {
  readonly route: IngestRoute;
  readonly shape: LoadShape;
  /** Events whose request was answered 200, per second. */
  readonly eventsPerSecond: number;
  /** CPU time of the whole process, user and system, per such event, in microseconds. */
  readonly cpuMicroseconds: number;
  /** After the run, in megabytes. */
  readonly residentMegabytes: number;
  /** Share of the server's processor that others used: 0..1; 0 when nothing is pinned. */
  readonly othersShare: number;
  /** Answers other than 2xx, broken connections, and events that were answered and are not stored. */
  readonly failures: number;
}

export interface IngestGoal {
  readonly text: string;
  readonly value: number;
  readonly met: boolean;
}

export interface IngestRow extends IngestSample {
  /** Least and most events per second of the runs. */
  readonly spread: readonly [number, number];
}

export interface IngestReport {
  readonly rows: readonly IngestRow[];
  readonly goals: readonly IngestGoal[];
  readonly failures: number;
  /** Median of all samples. */
  readonly othersShare: number;
}

/** Other work on the server's processor past this share is worth a warning. */
const QUIET_SHARE = 0.1;

/** Least events per second through the gateway, by the shape of the load. */
const LEAST_EVENTS: readonly { shape: LoadShape; least: number }[] = [
  { shape: { callers: 16, events: 100 }, least: 20_000 },
  { shape: { callers: 64, events: 1 }, least: 4_000 },
];
/** Longest time from the answer to a query that shows the event, in milliseconds. */
const VISIBLE_WITHIN = 1_000;

/** The report; `visibleMilliseconds` is the longest time from an answer to the query that showed its event. */
export function summarizeIngest(samples: readonly IngestSample[], visibleMilliseconds: number): IngestReport {
  const groups = new Map<string, IngestSample[]>();
  for (const sample of samples) {
    const name = `${sample.route} ${nameOf(sample.shape)}`;
    groups.set(name, [...(groups.get(name) ?? []), sample]);
  }
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const of = (read: (sample: IngestSample) => number) => median(group.map(read));
    const rates = group.map((sample) => sample.eventsPerSecond);
    const row: IngestRow = {
      route: first.route,
      shape: first.shape,
      eventsPerSecond: of((sample) => sample.eventsPerSecond),
      spread: [Math.min(...rates), Math.max(...rates)],
      cpuMicroseconds: of((sample) => sample.cpuMicroseconds),
      residentMegabytes: of((sample) => sample.residentMegabytes),
      othersShare: of((sample) => sample.othersShare),
      failures: group.reduce((sum, sample) => sum + sample.failures, 0),
    };
    return [row];
  });
  const goals = LEAST_EVENTS.flatMap(({ shape, least }) => {
    const row = rows.find((each) => each.route === 'gateway' && nameOf(each.shape) === nameOf(shape));
    if (row === undefined) return [];
    const text = `at least ${least} events/s through the gateway, ${nameOf(shape)}`;
    return [{ text, value: row.eventsPerSecond, met: row.eventsPerSecond >= least }];
  });
  goals.push({
    text: `visible in queries within ${VISIBLE_WITHIN} ms of the answer`,
    value: visibleMilliseconds,
    met: visibleMilliseconds <= VISIBLE_WITHIN,
  });
  return {
    rows,
    goals,
    failures: rows.reduce((sum, row) => sum + row.failures, 0),
    othersShare: samples.length === 0 ? 0 : median(samples.map((sample) => sample.othersShare)),
  };
}

/** The report as a table and its verdicts. */
export function renderIngestReport({ rows, goals, othersShare }: IngestReport): string {
  const lines = rows.map((row) =>
    [
      row.route.padEnd(8),
      nameOf(row.shape).padEnd(26),
      Math.round(row.eventsPerSecond).toString().padStart(9),
      row.spread.map(Math.round).join('–').padStart(14),
      row.cpuMicroseconds.toFixed(1).padStart(13),
      Math.round(row.residentMegabytes).toString().padStart(8),
      row.failures.toString().padStart(9),
    ].join(' '),
  );
  const head = [
    'way'.padEnd(8),
    'load'.padEnd(26),
    'events/s'.padStart(9),
    'least–most'.padStart(14),
    'CPU µs/event'.padStart(13),
    'RSS MB'.padStart(8),
    'failures'.padStart(9),
  ].join(' ');
  const verdicts = goals.map(
    (goal) => `${goal.met ? 'ok    ' : 'MISSED'} ${goal.text}: ${Math.round(goal.value)}`,
  );
  const share = Math.round(othersShare * 100);
  const warning =
    othersShare > QUIET_SHARE
      ? [
          `Other work took ${share} % of the server's processor: events/s are too low; repeat on a quiet machine.`,
        ]
      : [];
  return [[head, ...lines].join('\n'), verdicts.join('\n'), ...warning].join('\n\n');
}
