/** The bench of columns: queries over MongoDB beside the embedded table, for a website of a million events. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { missingMongodb, mongodbKind, startMongodb } from '../support/mongodb/mongodb-server.ts';
import { type ColumnsMeasures, measureColumns } from './measure-columns.ts';
import { median, table } from './report.ts';

const FRESH = 10_000;
/** Goals. */
const REBUILT_MS = 60_000;
const FIRST_MS = 3_000;
const MOST_BYTES = 30;
const MOST_TO_TABLE = 2;
const MOST_FRESH_MS = 10;
/** The independent server holds its documents in memory. */
const HEAP_GB = 12;
const EXIT_UNUSABLE = 2;
const EXIT_INTERRUPTED = 130;

const { values } = parseArgs({
  options: { events: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '5' } },
});
const events = Number(values.events);
const rounds = Number(values.rounds);

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

/** Notes a missed goal in the exit code. */
function judge(text: string, isMet: boolean): void {
  if (!isMet) process.exitCode = 1;
  print(`  ${isMet ? 'met' : 'MISSED'}: ${text}`);
}

function report(measures: ColumnsMeasures): void {
  const { rebuiltMs, firstMs, segments, bytesPerEvent, datasets, lookMs, freshLookMs, caughtUpMs } = measures;
  print('\nThe first answer');
  judge(`from documents alone ${seconds(rebuiltMs)} (goal: ${seconds(REBUILT_MS)})`, rebuiltMs <= REBUILT_MS);
  judge(`from segments alone ${seconds(firstMs)} (goal: ${seconds(FIRST_MS)})`, firstMs <= FIRST_MS);
  judge(
    `${bytesPerEvent.toFixed(1)} bytes an event, in ${segments} segments (goal: ${MOST_BYTES})`,
    bytesPerEvent <= MOST_BYTES,
  );
  print(
    `\nEach dataset, warm: medians, in milliseconds, without the look at the database for what is new: ${lookMs.toFixed(1)} ms, ${freshLookMs.toFixed(1)} with fresh events`,
  );
  const ratios = datasets
    .map((each) => ({ ...each, times: each.columns / each.table }))
    .sort((a, b) => b.times - a.times);
  const rows = ratios.map(({ name, table, columns, times, fresh }) => [
    name,
    ...[table, columns, fresh - columns].map((ms) => ms.toFixed(1)),
    times.toFixed(2),
  ]);
  print(table([['dataset', 'table', 'columns', 'and fresh', 'times'], ...rows], 1));
  const sum = (of: 'table' | 'columns') => datasets.reduce((total, each) => total + each[of], 0);
  const all = sum('columns') / sum('table');
  judge(
    `all together ${all.toFixed(2)} times the table (goal: at most ${MOST_TO_TABLE})`,
    all <= MOST_TO_TABLE,
  );
  const slower = ratios.filter(({ times }) => times > MOST_TO_TABLE).map(({ name }) => name);
  judge(
    slower.length === 0 ? `each at most ${MOST_TO_TABLE} times` : `slower: ${slower.join(', ')}`,
    slower.length === 0,
  );
  print(
    `\n${FRESH} fresh events; the first query that sees them takes ${caughtUpMs.toFixed(0)} ms, each one after it`,
  );
  const added = datasets.map((each) => each.fresh - each.columns);
  judge(
    `${median(added).toFixed(1)} ms longer at the median, ${Math.max(...added).toFixed(1)} at most (goal: ${MOST_FRESH_MS})`,
    Math.max(...added) <= MOST_FRESH_MS,
  );
}

const missing = missingMongodb();
if (missing !== null) {
  print(missing);
  process.exitCode = EXIT_UNUSABLE;
} else {
  print(`${events} events of a website, over ${mongodbKind()}; load average ${loadavg()[0]?.toFixed(2)}`);
  const server = await startMongodb({ heapGb: HEAP_GB });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void server.close().finally(() => process.exit(EXIT_INTERRUPTED)));
  try {
    const told = (text: string) => print(`  ${text}`);
    report(await measureColumns({ uri: server.newUri(), events, fresh: FRESH, rounds, told }));
  } finally {
    await server.close();
  }
}
