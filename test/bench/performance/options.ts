/** The options of `npm run bench`, checked: all faults at once. */
import { parseArgs } from 'node:util';
import { UsageError } from '../bench-options.ts';
import { PARTS, type Part } from './document.ts';

export interface PerformanceOptions {
  readonly parts: readonly Part[];
  readonly quick: boolean;
  /** Numbers of events, each of which the queries are measured with. */
  readonly events: readonly number[];
  /** Minutes after which the run ends, with what it has. */
  readonly minutes: number;
  /** Folder of document, page and plots; null: a temporary one. */
  readonly to: string | null;
  /** A document whose page is made again; null: measure. */
  readonly render: string | null;
  readonly help: boolean;
}

const LEAST_EVENTS = 10_000;
const MOST_EVENTS = 50_000_000;
const USUAL_EVENTS = '100000,1000000';
const QUICK_EVENTS = '10000,20000';

export const PERFORMANCE_USAGE = `Usage: npm run bench -- [options]
  --only LIST     of ${PARTS.join(', ')} (default all); what else the folder's document holds stays
  --quick         small counts, which show that it runs; not written to docs unless --to says so
  --events LIST   events of the queries, ${LEAST_EVENTS}..${MOST_EVENTS} (default ${USUAL_EVENTS}; quick ${QUICK_EVENTS})
  --minutes N     end after so many minutes, with what there is, 1..240 (default 20)
  --to DIR        folder of document, page and plots (default docs; quick: a new one)
  --render FILE   make page and plots of a document again, into its folder
  --help          print this`;

/** @throws UsageError that names every fault */
export function readPerformanceOptions(args: readonly string[]): PerformanceOptions {
  const values = parse(args);
  const faults: string[] = [];
  const named = values.only?.split(',') ?? [...PARTS];
  for (const name of named.filter((name) => !PARTS.some((part) => part === name))) {
    faults.push(`--only: "${name}" is none of ${PARTS.join(', ')}`);
  }
  const whole = (option: string, text: string, least: number, most: number): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      faults.push(`--${option}: "${text}" is not a whole number from ${least} to ${most}`);
    }
    return value;
  };
  const events = values.events ?? (values.quick ? QUICK_EVENTS : USUAL_EVENTS);
  const options: PerformanceOptions = {
    parts: PARTS.filter((part) => named.includes(part)),
    quick: values.quick,
    events: events.split(',').map((text) => whole('events', text, LEAST_EVENTS, MOST_EVENTS)),
    minutes: whole('minutes', values.minutes, 1, 240),
    to: values.to ?? (values.quick ? null : 'docs'),
    render: values.render ?? null,
    help: values.help,
  };
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        events: { type: 'string' },
        minutes: { type: 'string', default: '20' },
        to: { type: 'string' },
        render: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
