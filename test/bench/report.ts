/** Turns the samples of a bench into medians, ratios and verdicts, and those into text. */
import type { TargetName } from './target.ts';

export const METHODS = ['GET', 'POST'] as const;
export type Method = (typeof METHODS)[number];

/** One measured run of one target. */
export interface Sample {
  /** Number of the round, in which every target had its turn: what is compared is of one round. */
  readonly round: number;
  readonly target: TargetName;
  readonly method: Method;
  readonly requestsPerSecond: number;
  /** CPU time of the target's process, user and system, divided by the requests answered, in microseconds. */
  readonly cpuMicroseconds: number;
  /** After the run, in megabytes. */
  readonly residentMegabytes: number;
  /** Share of the target's processor that was used, but not by the target: 0..1; 0 when nothing is pinned. */
  readonly othersShare: number;
  /** Answers other than 2xx, broken connections, and answers that the upstream did not give. */
  readonly failures: number;
}

/** The medians of a target with a method. */
export interface Row extends Omit<Sample, 'failures' | 'round' | 'othersShare'> {
  /** Least and most CPU time of the rounds. */
  readonly cpuSpread: readonly [number, number];
  /** Sum over the rounds. */
  readonly failures: number;
  /** Its CPU time as a multiple of the bare proxy's, see {@link medianRatio}; null when that was not measured. */
  readonly toBare: number | null;
}

export interface Goal {
  readonly method: Method;
  readonly text: string;
  readonly value: number;
  readonly met: boolean;
}

export interface Report {
  readonly rows: readonly Row[];
  readonly goals: readonly Goal[];
  readonly failures: number;
  /** Median of all samples. */
  readonly othersShare: number;
}

/** Tidegate may cost at most this many times the bare proxy's CPU time. */
const MOST_TO_BARE = 1.4;
/** Stock express-gateway must cost at least this many times Tidegate's CPU time. */
const LEAST_STOCK_TO_TIDEGATE = 4;

/** Other work on the target's processor past this share is worth a warning. */
const QUIET_SHARE = 0.1;

/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/**
 * How many times the CPU time of `over` that of `under` is: the median of the rounds' own ratios, so that a machine
 * that is slower in some rounds than in others does not show in it. Null when no round has both.
 */
export function medianRatio(over: readonly Sample[], under: readonly Sample[]): number | null {
  const ratios = over.flatMap((sample) => {
    const other = under.find((candidate) => candidate.round === sample.round);
    return other ? [sample.cpuMicroseconds / other.cpuMicroseconds] : [];
  });
  return ratios.length > 0 ? median(ratios) : null;
}

/** The report of all samples; `targets` in the order in which they are shown. */
export function summarize(samples: readonly Sample[], targets: readonly TargetName[]): Report {
  const of = (target: TargetName, method: Method) =>
    samples.filter((sample) => sample.target === target && sample.method === method);
  const rows = METHODS.flatMap((method) =>
    targets.map((target) => {
      const own = of(target, method);
      const cpu = own.map((sample) => sample.cpuMicroseconds);
      return {
        target,
        method,
        requestsPerSecond: median(own.map((sample) => sample.requestsPerSecond)),
        cpuMicroseconds: median(cpu),
        cpuSpread: [Math.min(...cpu), Math.max(...cpu)] as const,
        residentMegabytes: median(own.map((sample) => sample.residentMegabytes)),
        failures: own.reduce((sum, sample) => sum + sample.failures, 0),
        toBare: medianRatio(own, of('bare', method)),
      };
    }),
  );
  const goals = METHODS.flatMap((method) => {
    const tidegate = of('tidegate', method);
    const toBare = medianRatio(tidegate, of('bare', method));
    const fromStock = medianRatio(of('stock', method), tidegate);
    return [
      ...goal(method, `Tidegate ≤ ${MOST_TO_BARE} × bare`, toBare, (value) => value <= MOST_TO_BARE),
      ...goal(
        method,
        `stock ≥ ${LEAST_STOCK_TO_TIDEGATE} × Tidegate`,
        fromStock,
        (value) => value >= LEAST_STOCK_TO_TIDEGATE,
      ),
    ];
  });
  return {
    rows,
    goals,
    failures: rows.reduce((sum, row) => sum + row.failures, 0),
    othersShare: median(samples.map((sample) => sample.othersShare)),
  };
}

function goal(method: Method, text: string, value: number | null, isMet: (value: number) => boolean): Goal[] {
  return value === null ? [] : [{ method, text, value, met: isMet(value) }];
}

/** The report as tables for a person. */
export function renderReport(report: Report): string {
  const head = ['', 'target', 'requests/s', 'CPU µs/request', 'least–most', 'RSS MB', '× bare', 'failures'];
  const body = report.rows.map((row) => [
    row.method,
    row.target,
    row.requestsPerSecond.toFixed(0),
    row.cpuMicroseconds.toFixed(1),
    row.cpuSpread.map((value) => value.toFixed(1)).join('–'),
    row.residentMegabytes.toFixed(0),
    row.toBare === null ? '–' : row.toBare.toFixed(2),
    String(row.failures),
  ]);
  const goals = report.goals.map((goal) => [
    goal.method,
    goal.text,
    goal.value.toFixed(2),
    goal.met ? 'met' : 'MISSED',
  ]);
  const warning = `Other work took ${(report.othersShare * 100).toFixed(0)} % of the targets' processor: expect noise, or repeat on a quiet machine.`;
  return [
    table([head, ...body], 2),
    ...(goals.length > 0 ? [table(goals, 2)] : []),
    ...(report.othersShare > QUIET_SHARE ? [warning] : []),
  ].join('\n\n');
}

/** A table of cells, the head first. Columns padded to their widest cell; the first `left` columns stand left, the others right. */
export function table(rows: readonly (readonly string[])[], left: number): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i < left ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
